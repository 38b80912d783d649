// test_spec_bytes.c: a spec written to memory and read back is the same spec, to the last bit; bytes that
// were cut off or changed are refused or at least do no harm.
#include <dirent.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "model/spec.h"
#include "model/work.h"
#include "scenes.h"

typedef struct Bytes {
  unsigned char* at;
  size_t size;
} Bytes;

static Bytes written(const plSpec* spec) {
  plError error = {0};
  Bytes b = {.size = pl_spec_size(spec)};
  b.at = malloc(b.size);
  CHECK_INT(pl_spec_write(spec, b.at, b.size, &error), PL_OK);
  return b;
}

// As if the changed bytes had been written: the check sum at the end is right again.
static void seal(Bytes b) {
  uint64_t hash = pl_hash(PL_HASH_START, b.at, b.size - 8);
  memcpy(b.at + b.size - 8, &hash, 8);
}

static uint64_t stepped(const plModel* model, int steps) {
  plError error = {0};
  plData* data = pl_data_create(model, &error);
  CHECK(data != NULL);
  for (int i = 0; i < steps; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  uint64_t hash = pl_state_hash(data) ^ pl_parameter_hash(data);
  pl_data_destroy(data);
  return hash;
}

// The same bytes when written again, the same model, the same bits after a few steps.
static void round_trip(const plSpec* spec, int steps) {
  plError error = {0};
  Bytes first = written(spec);
  plSpec* back = NULL;
  CHECK_INT(pl_spec_read(first.at, first.size, &back, &error), PL_OK);
  if (!back) {
    printf("  %s\n", error.message);
    free(first.at);
    return;
  }
  Bytes second = written(back);
  CHECK(first.size == second.size && !memcmp(first.at, second.at, first.size));
  const plModel *a = pl_model_create(spec, &error), *b = pl_model_create(back, &error);
  CHECK(a != NULL && b != NULL);
  if (a && b) {
    CHECK(a->hash == b->hash);
    if (steps) CHECK(stepped(a, steps) == stepped(b, steps));
  }
  pl_model_destroy(a), pl_model_destroy(b);
  pl_spec_destroy(back);
  free(first.at), free(second.at);
}

static void every_shipped_scene_comes_back(void) {
  DIR* folder = opendir(PLIANT_SOURCEDIR "/scenes");
  CHECK(folder != NULL);
  int n = 0;
  for (struct dirent* entry; folder && (entry = readdir(folder));) {
    size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 5, ".yaml")) continue;
    char path[600];
    snprintf(path, sizeof path, "%s/scenes/%s", PLIANT_SOURCEDIR, entry->d_name);
    plSpec* spec = NULL;
    plError error = {0};
    CHECK_INT(pl_spec_load(path, NULL, &spec, &error), PL_OK);
    if (!spec) continue;
    int before = check_errors;
    round_trip(spec, CHECK_MEMBERS(2));
    if (check_errors > before) printf("  in %s\n", entry->d_name);
    pl_spec_destroy(spec);
    n++;
  }
  if (folder) closedir(folder);
  CHECK(n >= 20);
}

// Every kind of definition, every list, turned frames whose quaternions are not exact.
static plSpec* rich_spec(void) {
  plSpec* spec = block_spec(0.3, pl_default_options());
  plError error = {0};
  plPose turned = {{0.1, 0.2, 0.3}, {0.3, 0.1, 0.7, 0.2}};
  plBodyDef body = pl_default_body_def();
  body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1, body.pose = turned;
  const char* names[] = {"base", "link", "free"};
  for (int i = 0; i < 3; i++) {
    body.name = names[i];
    CHECK_INT(pl_spec_add_body(spec, &body, NULL, &error), PL_OK);
  }
  plJointDef joint = pl_default_joint_def();
  joint.axis = (plVec3){1, 2, 3}, joint.axis2 = (plVec3){3, 0, -1}, joint.pose = turned;
  for (int i = 0; i < 2; i++) {
    joint.name = names[i], joint.parent = i - 1, joint.child = i, joint.dof[0].damping = 0.1;
    CHECK_INT(pl_spec_add_joint(spec, &joint, NULL, &error), PL_OK);
  }
  joint.name = "free", joint.kind = PL_JOINT_FREE, joint.parent = -1, joint.child = 2;
  const double start[7] = {1, 2, 3, 0.3, 0.2, 0.1, 0.5};
  memcpy(joint.position, start, sizeof start);
  CHECK_INT(pl_spec_add_joint(spec, &joint, NULL, &error), PL_OK);

  const double time[3] = {0, 0.5, 1}, value[3] = {0, 0.1, 0.3}, coefficient[2] = {1, -0.5};
  const int both[2] = {0, 1};
  plActuatorDef act = pl_default_actuator_def();
  act.name = "drive", act.kind = PL_ACTUATOR_PD, act.kp = 10, act.kd = 1, act.njoint = 2, act.tendon = both;
  act.coefficient = coefficient, act.ntime = 3, act.time = time, act.value = value,
  act.interpolation = PL_CUBIC;
  CHECK_INT(pl_spec_add_actuator(spec, &act, NULL, &error), PL_OK);
  plConstraintDef rope = pl_default_constraint_def();
  rope.name = "rope", rope.kind = PL_CONSTRAINT_TENDON, rope.njoint = 2, rope.joint = both;
  rope.coefficient = coefficient, rope.upper = 1, rope.ntime = 3, rope.time = time, rope.value = value;
  CHECK_INT(pl_spec_add_constraint(spec, &rope, NULL, &error), PL_OK);
  rope = pl_default_constraint_def();
  rope.name = "weld", rope.kind = PL_CONSTRAINT_WELD, rope.a = 1, rope.b = 2, rope.pose_a = turned,
  rope.off = true;
  CHECK_INT(pl_spec_add_constraint(spec, &rope, NULL, &error), PL_OK);

  plShapeDef shape = pl_default_shape_def();
  plMesh* ball = NULL;
  CHECK_INT(pl_mesh_sphere(0.05, 0.03, &ball, &error), PL_OK);
  CHECK_INT(pl_mesh_boundary(ball, &error), PL_OK);
  shape.name = "ball", shape.kind = PL_SHAPE_MESH, shape.mesh = ball, shape.convex = true, shape.body = 2,
  shape.pose = turned;
  CHECK_INT(pl_spec_add_shape(spec, &shape, NULL, &error), PL_OK);
  pl_mesh_destroy(ball);

  const plVec3 offset[3] = {{0, 0, 0}, {0, 0, 0.01}, {0, 0.01, 0}};
  const int corner[3] = {5, 0, 3};
  plFixDef fix = pl_default_fix_def();
  fix.region.kind = PL_REGION_INDICES, fix.region.index = corner, fix.region.nindex = 3;
  fix.ntime = 3, fix.time = time, fix.offset = offset;
  CHECK_INT(pl_spec_add_fix(spec, &fix, &error), PL_OK);
  plLoadDef load = pl_default_load_def();
  load.ntime = 3, load.time = time, load.factor = value, load.vector.z = 5;
  CHECK_INT(pl_spec_add_load(spec, &load, &error), PL_OK);
  plAttachDef hold = pl_default_attach_def();
  hold.name = "hold", hold.region.kind = PL_REGION_BOX, hold.region.pose = turned, hold.body = 2;
  hold.region.size = (plVec3){1, 1, 1}, hold.region.centre = (plVec3){0, 0, 0}, hold.off = true;
  CHECK_INT(pl_spec_add_attachment(spec, &hold, NULL, &error), PL_OK);
  CHECK_INT(pl_spec_exclude(spec, (plSide){PL_SIDE_WORLD, 0}, (plSide){PL_SIDE_BODY, 2}, &error), PL_OK);
  plRecordingDef record = pl_default_recording_def();
  record.csv = "a.csv", record.signals = "time", record.rate = 30;
  CHECK_INT(pl_spec_set_recording(spec, &record, &error), PL_OK);
  return spec;
}

static void every_kind_of_definition_comes_back(void) {
  plSpec* spec = rich_spec();
  round_trip(spec, 5);
  pl_spec_destroy(spec);
}

static void empty_spec_comes_back(void) {
  plSpec *spec = pl_spec_create(), *back = NULL;
  Bytes b = written(spec);
  CHECK_INT(pl_spec_read(b.at, b.size, &back, NULL), PL_OK);
  CHECK(back && back->nbody == 0 && back->options.dt == 0.01);
  pl_spec_destroy(spec), pl_spec_destroy(back);
  free(b.at);
}

static void every_option_comes_back(void) {
  for (int i = 0; i < PL_OPTION_COUNT; i++) {
    plSpec *spec = pl_spec_create(), *back = NULL;
    double row[PL_OPTION_COUNT], again[PL_OPTION_COUNT];
    pl_options_pack(&spec->options, row);
    row[i] = row[i] == 1 ? 0 : 1;
    spec->options = pl_options_unpack(row, PL_OPTION_COUNT);
    Bytes b = written(spec);
    CHECK_INT(pl_spec_read(b.at, b.size, &back, NULL), PL_OK);
    pl_options_pack(&back->options, again);
    CHECK(!memcmp(row, again, sizeof row));
    pl_spec_destroy(spec), pl_spec_destroy(back);
    free(b.at);
  }
}

static void a_buffer_of_the_wrong_size_is_refused(void) {
  plSpec* spec = block_spec(0.3, pl_default_options());
  size_t size = pl_spec_size(spec);
  unsigned char* bytes = calloc(size + 8, 1);
  plError error = {0};
  CHECK_INT(pl_spec_write(spec, bytes, size - 1, &error), PL_ERROR_INPUT);
  CHECK_INT(pl_spec_write(spec, bytes, size + 1, &error), PL_ERROR_INPUT);
  CHECK(bytes[0] == 0);
  pl_spec_destroy(spec);
  free(bytes);
}

// At every length, in a block of exactly that many bytes: the sanitizer sees what is read behind it.
static void bytes_that_were_cut_off_are_refused(void) {
  plSpec* spec = rich_spec();
  Bytes b = written(spec);
  for (size_t n = 0; n < b.size; n += n < 64 ? 1 : 37) {
    unsigned char* part = malloc(n ? n : 1);
    memcpy(part, b.at, n);
    plSpec* back = spec;
    plError error = {0};
    CHECK_INT(pl_spec_read(part, n, &back, &error), PL_ERROR_INPUT);
    CHECK(back == NULL && error.message[0]);
    free(part);
  }
  pl_spec_destroy(spec);
  free(b.at);
}

static void damaged_bytes_are_refused(void) {
  plSpec* spec = rich_spec();
  Bytes b = written(spec);
  plRandom random = {1};
  for (int i = 0; i < CHECK_MEMBERS(2000); i++) {
    size_t at = (size_t)pl_random_int(&random, (int)b.size);
    unsigned char old = b.at[at];
    b.at[at] ^= (unsigned char)(1 << (i % 8));
    plSpec* back = NULL;
    CHECK_INT(pl_spec_read(b.at, b.size, &back, NULL), PL_ERROR_INPUT);
    CHECK(back == NULL);
    b.at[at] = old;
  }
  pl_spec_destroy(spec);
  free(b.at);
}

// With a right check sum, as someone would forge them: refused with a sentence, or a spec that compiles or is
// refused in turn.
static void forged_bytes_do_no_harm(void) {
  plSpec* spec = rich_spec();
  Bytes b = written(spec), forged = {malloc(b.size), b.size};
  plRandom random = {2};
  int refused = 0, taken = 0;
  for (int i = 0; i < CHECK_MEMBERS(2000); i++) {
    memcpy(forged.at, b.at, b.size);
    int changes = 1 + i % 3;
    for (int k = 0; k < changes; k++) {
      size_t at = 16 + (size_t)pl_random_int(&random, (int)b.size - 24);
      static const unsigned char likely[4] = {0xff, 0x7f, 0x80, 0};
      forged.at[at] = i % 2 ? likely[i / 2 % 4] : (unsigned char)pl_random_int(&random, 256);
    }
    seal(forged);
    plSpec* back = NULL;
    plError error = {0};
    if (pl_spec_read(forged.at, forged.size, &back, &error)) {
      refused++;
      CHECK(back == NULL && error.message[0]);
      continue;
    }
    taken++;
    const plModel* model = pl_model_create(back, &error);
    if (model) pl_model_destroy(model);
    pl_spec_destroy(back);
  }
  CHECK(refused > CHECK_MEMBERS(200) && taken > CHECK_MEMBERS(200));
  pl_spec_destroy(spec);
  free(b.at), free(forged.at);
}

static void nothing_is_lost_when_memory_runs_out(void) {
  plSpec* spec = rich_spec();
  Bytes b = written(spec);
  int failures = 0;
  for (long n = 1; n < 2000; n++) {
    plSpec* back = NULL;
    pl_alloc_fail_after(n);
    plStatus status = pl_spec_read(b.at, b.size, &back, NULL);
    pl_alloc_fail_after(-1);
    if (status) {
      CHECK(status == PL_ERROR_MEMORY && back == NULL);
      failures++;
      continue;
    }
    pl_spec_destroy(back);
    break;
  }
  CHECK(failures > 10);
  pl_spec_destroy(spec);
  free(b.at);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(every_shipped_scene_comes_back);
  RUN(every_kind_of_definition_comes_back);
  RUN(empty_spec_comes_back);
  RUN(every_option_comes_back);
  RUN(a_buffer_of_the_wrong_size_is_refused);
  RUN(bytes_that_were_cut_off_are_refused);
  RUN(damaged_bytes_are_refused);
  RUN(forged_bytes_do_no_harm);
  RUN(nothing_is_lost_when_memory_runs_out);
  return CHECK_END;
}

// Recordings: round trip, the file of a killed run, damaged files.
#include "check.h"
#include "model/work.h"
#include "scenes.h"

#include <stddef.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "output/chunk.h"
#include "output/field.h"
#include "pliant/stream.h"
#include "sample.h"
#include "world.h"

static unsigned char* load_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  unsigned char* bytes = malloc(*size + 1);
  CHECK(fread(bytes, 1, *size, file) == *size);
  fclose(file);
  return bytes;
}

static void save_file(const char* path, const unsigned char* bytes, size_t size) {
  FILE* file = fopen(path, "wb");
  CHECK(fwrite(bytes, 1, size, file) == size);
  fclose(file);
}

// A recording of nframe steps; the hash of each state is kept in hash, if given.
static void record(const char* path, const plModel* model, int nframe, bool close, uint64_t* hash) {
  plError error;
  plData* data = pl_data_create(model, &error);
  plRecording* recording;
  CHECK_INT(pl_recording_open(path, model, &recording, &error), PL_OK);
  for (int i = 0; i < nframe; i++) {
    plContact* own;
    int nown;
    lend_contacts(data, &own, &nown);
    CHECK_INT(pl_recording_write(recording, data, &error), PL_OK);
    return_contacts(data, own, nown);
    if (hash) hash[i] = pl_state_hash(data);
    CHECK_INT(pl_step(data, &error), PL_OK);
  }
  pl_data_destroy(data);
  CHECK_INT(pl_recording_close(recording, &error), PL_OK);
  // A run that was interrupted between two frames lacks the last chunk alone.
  struct stat st;
  if (!close && !stat(path, &st)) CHECK(truncate(path, st.st_size - PL_CHUNK_HEADER) == 0);
}

static bool same_doubles(const double* a, const double* b, size_t n) { return !memcmp(a, b, n * sizeof *a); }

static void the_model_comes_back(void) {
  plError error;
  const plModel* m = sample_model(1e6);
  plOptions* o = &m->work->par.options;
  o->contact_points = 12, o->rigid_contact = PL_RIGID_POINT, o->gap_closing = 0.75;
  const char* path = sample_path("model.plrec");
  record(path, m, 1, true, NULL);
  plReplay* replay;
  CHECK_INT(pl_replay_open(path, &replay, &error), PL_OK);
  const plModel* r = pl_replay_model(replay);
  CHECK_INT(r->nq, m->nq);
  CHECK_INT(r->nv, m->nv);
  CHECK_INT(r->ndeform, 2);
  CHECK_INT(r->nvert, m->nvert);
  CHECK_INT(r->ntet, m->ntet);
  CHECK_INT(r->ntri, m->ntri);
  CHECK_INT(r->nshape, PL_SHAPE_COUNT);
  CHECK(r->hash == m->hash);
  CHECK_STR(r->deform_name[1], "beam");
  CHECK_NEAR(r->par->options.dt, m->par->options.dt, 0);
  CHECK_NEAR(r->par->options.gravity.z, -9.81, 0);
  CHECK_NEAR(r->par->options.near_rigid, m->par->options.near_rigid, 0);
  CHECK_INT(r->par->options.max_iterations, m->par->options.max_iterations);
  CHECK_INT(r->par->options.contact_law, m->par->options.contact_law);
  CHECK_INT(r->par->options.contact_points, 12);
  CHECK_INT(r->par->options.rigid_contact, PL_RIGID_POINT);
  CHECK_NEAR(r->par->options.gap_closing, 0.75, 0);
  CHECK_INT(r->par->options.threads, m->par->options.threads);
  for (int b = 0; b < 2; b++) {
    CHECK_NEAR(r->par->deform_material[b].young, m->par->deform_material[b].young, 0);
    CHECK_INT(r->par->deform_material[b].kind, m->par->deform_material[b].kind);
    CHECK_INT(r->par->deform_material[b].rotation, m->par->deform_material[b].rotation);
    // the numbers, and the switch behind them without its padding
    const plSurface *back = &r->par->deform_surface[b], *given = &m->par->deform_surface[b];
    CHECK(!memcmp(back, given, offsetof(plSurface, mesh_compliance)));
    CHECK_INT(back->mesh_compliance, given->mesh_compliance);
  }
  CHECK(same_doubles(r->vert_rest, m->vert_rest, 3 * (size_t)m->nvert));
  CHECK(same_doubles(r->tet_grad, m->tet_grad, 12 * (size_t)m->ntet));
  CHECK(!memcmp(r->vert_number, m->vert_number, (size_t)m->nvert * sizeof(int)));
  CHECK(!memcmp(r->tet_vert, m->tet_vert, 4 * (size_t)m->ntet * sizeof(int)));
  CHECK(!memcmp(r->tri_vert, m->tri_vert, 3 * (size_t)m->ntri * sizeof(int)));
  CHECK(same_doubles(r->start_q, m->start_q, (size_t)m->nq));
  for (int g = 0; g < m->nshape; g++) {
    CHECK_STR(r->shape_name[g], m->shape_name[g]);
    CHECK_INT(r->shape_kind[g], m->shape_kind[g]);
    CHECK_INT(r->shape_collide[g], m->shape_collide[g]);
    CHECK(!memcmp(&r->shape_pose[g], &m->shape_pose[g], sizeof(plPose)));
    CHECK((r->shape_mesh[g] != NULL) == (m->shape_mesh[g] != NULL));
  }
  CHECK_INT(r->shape_mesh[PL_SHAPE_MESH]->ntri, 4);
  CHECK(!memcmp(r->shape_mesh[PL_SHAPE_MESH]->tri, m->shape_mesh[PL_SHAPE_MESH]->tri, sizeof(int[12])));
  CHECK_INT(r->nfix, 1);
  CHECK_INT(r->fix_knot0[1], m->fix_knot0[1]);
  pl_replay_close(replay);
  pl_model_destroy(m);
}

static void frames_come_back_bit_by_bit(void) {
  plError error;
  const plModel* model = sample_model(1e6);
  plData* data = pl_data_create(model, &error);
  const char* path = sample_path("frames.plrec");
  record(path, model, 12, true, NULL);
  plReplay* replay;
  CHECK_INT(pl_replay_open(path, &replay, &error), PL_OK);
  CHECK_INT(pl_replay_info(replay)->nframe, 12);
  CHECK(pl_replay_info(replay)->closed);
  CHECK_STR(pl_replay_info(replay)->note, "");
  for (int i = 0; i < 12; i++) {
    CHECK_NEAR(pl_replay_time(replay, i), data->time, 0);
    CHECK_INT(pl_replay_seek(replay, i, &error), PL_OK);
    const plData* shown = pl_replay_data(replay);
    CHECK(same_doubles(shown->q, data->q, (size_t)model->nq));
    CHECK(same_doubles(shown->v, data->v, (size_t)model->nv));
    CHECK_INT(shown->report.step, data->report.step);
    CHECK_INT(shown->report.factorizations, data->report.factorizations);
    // Results of the shown data are those of the running one.
    for (int b = 0; b < 2; b++) {
      plBodyState a, c;
      CHECK_INT(pl_deformable_state(shown, b, &a), PL_OK);
      CHECK_INT(pl_deformable_state(data, b, &c), PL_OK);
      CHECK(!memcmp(&a, &c, sizeof a));
    }
    plElementState a, c;
    CHECK_INT(pl_element_state(shown, model->ntet - 1, &a), PL_OK);
    CHECK_INT(pl_element_state(data, model->ntet - 1, &c), PL_OK);
    CHECK(!memcmp(&a, &c, sizeof a));
    int n;
    const plContact* contact = sample_contacts(&n);
    CHECK_INT(shown->ncontact, n);
    CHECK_INT(shown->contact[1].a.kind, PL_SIDE_SHAPE);
    CHECK_INT(shown->contact[1].a.index, 0);
    CHECK_INT(shown->contact[1].b.kind, PL_SIDE_DEFORMABLE);
    CHECK_INT(shown->contact[1].b.index, 0);
    CHECK_INT(shown->contact[1].stick, 1);
    CHECK_INT(shown->contact[0].stick, 0);
    CHECK_NEAR(shown->contact[0].force.z, contact[0].force.z, 0);
    CHECK_NEAR(shown->contact[0].slip.y, contact[0].slip.y, 0);
    CHECK_NEAR(shown->contact[2].gap, contact[2].gap, 0);
    for (int k = 0; k < n; k++)
      CHECK(shown->contact[k].tri_a == contact[k].tri_a && shown->contact[k].tri_b == contact[k].tri_b);
    CHECK_INT(shown->report.deep, data->report.deep);
    pl_step(data, &error);
  }
  CHECK_INT(pl_replay_nearest(replay, 0.054), 5);
  CHECK_INT(pl_replay_nearest(replay, -3), 0);
  CHECK_INT(pl_replay_nearest(replay, 1e9), 11);
  CHECK_INT(pl_replay_seek(replay, 12, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "12 frames");
  pl_replay_close(replay);
  pl_data_destroy(data);
  pl_model_destroy(model);
}

// A run that continues from a frame has the bits of the run that was recorded.
static void a_run_goes_on_from_a_frame(void) {
  plError error;
  const plModel* model = sample_model(1e6);
  const char* path = sample_path("restart.plrec");
  uint64_t hash[20];
  record(path, model, 20, true, hash);
  plReplay* replay;
  CHECK_INT(pl_replay_open(path, &replay, &error), PL_OK);
  plData* data = pl_data_create(model, &error);
  CHECK_INT(pl_replay_restore(replay, data, &error), PL_ERROR_INPUT);
  CHECK_INT(pl_replay_seek(replay, 7, &error), PL_OK);
  CHECK_INT(pl_replay_restore(replay, data, &error), PL_OK);
  for (int i = 7; i < 20; i++) {
    CHECK(pl_state_hash(data) == hash[i]);
    pl_step(data, &error);
  }
  // Another stiffness is no other model: the recording's comes with the frame.
  const plModel* other = sample_model(2e6);
  plData* other_data = pl_data_create(other, &error);
  CHECK_INT(pl_replay_restore(replay, other_data, &error), PL_OK);
  CHECK(pl_state_hash(other_data) == hash[7]);
  pl_step(other_data, &error);
  CHECK(pl_state_hash(other_data) == hash[8]);
  pl_data_destroy(other_data), pl_model_destroy(other);
  // Another model's simulation is refused.
  plSpec* spec = block_spec(0.2, pl_default_options());
  other = pl_model_create(spec, &error);
  other_data = pl_data_create(other, &error);
  uint64_t before = pl_state_hash(other_data);
  CHECK_INT(pl_replay_restore(replay, other_data, &error), PL_ERROR_MISMATCH);
  CHECK(pl_state_hash(other_data) == before);
  pl_data_destroy(other_data), pl_model_destroy(other), pl_spec_destroy(spec);
  pl_replay_close(replay);
  pl_data_destroy(data), pl_model_destroy(model);
}

// A frame costs q and v, and little more: the state repeats them and is not written twice.
static void a_frame_is_as_small_as_its_numbers(void) {
  const plModel* model = sample_model(1e6);
  struct stat one, five;
  record(sample_path("one.plrec"), model, 1, true, NULL);
  record(sample_path("five.plrec"), model, 5, true, NULL);
  stat(sample_path("one.plrec"), &one), stat(sample_path("five.plrec"), &five);
  long frame = (long)(five.st_size - one.st_size) / 4, numbers = 8L * (model->nq + model->nv);
  CHECK(frame > numbers && frame < numbers + 1600);
  pl_model_destroy(model);
}

// The child records until it is killed; every frame it saw written is there.
static void kill_9_loses_at_most_the_last_frame(void) {
  plError error;
  const char* path = sample_path("killed.plrec");
  const plModel* model = sample_model(1e6);
  int link[2];
  CHECK(pipe(link) == 0);
  pid_t child = fork();
  if (child == 0) {
    plRecording* recording;
    plData* data = pl_data_create(model, NULL);
    if (pl_recording_open(path, model, &recording, NULL)) _exit(1);
    for (char n = 0;; n++) {
      if (pl_recording_write(recording, data, NULL)) _exit(1);
      if (write(link[1], &n, 1) != 1) _exit(1);
    }
  }
  close(link[1]);  // so that a child that ends is an end of the pipe
  char n;
  for (int i = 0; i < 30; i++) CHECK(read(link[0], &n, 1) == 1);
  kill(child, SIGKILL);
  int status;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  // What was still in the pipe had been written too.
  int known = 30;
  while (read(link[0], &n, 1) == 1) known++;
  close(link[0]);
  plReplay* replay;
  CHECK_INT(pl_replay_open(path, &replay, &error), PL_OK);
  CHECK(pl_replay_info(replay)->nframe >= known && pl_replay_info(replay)->nframe <= known + 1);
  CHECK(!pl_replay_info(replay)->closed);
  CHECK_HAS(pl_replay_info(replay)->note, "interrupted");
  pl_replay_close(replay);
  pl_model_destroy(model);
}

// A file cut anywhere is readable up to its last whole frame, and the reader reports it.
static void every_cut_is_readable(void) {
  plError error;
  const plModel* model = sample_model(1e6);
  const char *path = sample_path("whole.plrec"), *cut = sample_path("cut.plrec");
  record(path, model, 4, true, NULL);
  size_t size, frame_size;
  unsigned char* bytes = load_file(path, &size);
  struct stat one, two;
  record(sample_path("cut.plrec"), model, 1, true, NULL), stat(sample_path("cut.plrec"), &one);
  record(sample_path("cut.plrec"), model, 2, true, NULL), stat(sample_path("cut.plrec"), &two);
  frame_size = (size_t)(two.st_size - one.st_size);
  size_t frames0 = (size_t)one.st_size - frame_size - PL_CHUNK_HEADER;
  plRandom random = {3};
  for (int i = 0; i < 200; i++) {
    size_t length = (size_t)(pl_random_bits(&random) % (uint64_t)size);
    if (i < 60) length = size - 1 - (size_t)i;
    save_file(cut, bytes, length);
    plReplay* replay;
    plStatus status = pl_replay_open(cut, &replay, &error);
    if (length < frames0) {
      CHECK_INT(status, PL_ERROR_INPUT);
      continue;
    }
    CHECK_INT(status, PL_OK);
    int whole = (int)((length - frames0) / frame_size);
    const plReplayInfo* info = pl_replay_info(replay);
    CHECK_INT(info->nframe, whole > 4 ? 4 : whole);
    CHECK(!info->closed && info->note[0]);
    CHECK_INT(info->lost_bytes, (long long)((length - frames0) % frame_size));
    if (info->lost_bytes) CHECK_HAS(info->note, "cut off");
    if (info->nframe) CHECK_INT(pl_replay_seek(replay, info->nframe - 1, &error), PL_OK);
    pl_replay_close(replay);
  }
  free(bytes);
  pl_model_destroy(model);
}

// A byte changed in the middle spoils that frame alone.
static void a_damaged_frame_is_reported_and_the_others_stay(void) {
  plError error;
  const plModel* model = sample_model(1e6);
  const char* path = sample_path("damaged.plrec");
  record(path, model, 5, true, NULL);
  size_t size;
  unsigned char* bytes = load_file(path, &size);
  struct stat st;
  record(sample_path("damaged2.plrec"), model, 4, true, NULL), stat(sample_path("damaged2.plrec"), &st);
  size_t frame = size - (size_t)st.st_size;
  bytes[size - PL_CHUNK_HEADER - 2 * frame - frame / 2] ^= 64;
  save_file(path, bytes, size);
  plReplay* replay;
  CHECK_INT(pl_replay_open(path, &replay, &error), PL_OK);
  CHECK_INT(pl_replay_info(replay)->nframe, 5);
  CHECK_INT(pl_replay_seek(replay, 1, &error), PL_OK);
  CHECK_INT(pl_replay_seek(replay, 2, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "check sum");
  CHECK_NEAR(pl_replay_data(replay)->time, pl_replay_time(replay, 1), 0);
  CHECK_INT(pl_replay_seek(replay, 3, &error), PL_OK);
  pl_replay_close(replay);
  free(bytes);
  pl_model_destroy(model);
}

// Makes the check sums of a changed file right again, as an attacker would.
static void reseal(unsigned char* bytes, size_t size) {
  size_t at = PL_FILE_HEADER;
  while (size - at >= PL_CHUNK_HEADER) {
    uint64_t payload;
    memcpy(&payload, bytes + at + 8, 8);
    if (payload > size - at - PL_CHUNK_HEADER) return;
    uint32_t crc = pl_crc(bytes + at + PL_CHUNK_HEADER, (size_t)payload);
    memcpy(bytes + at + 32, &crc, 4);
    crc = pl_crc(bytes + at, 36);
    memcpy(bytes + at + 36, &crc, 4);
    at += PL_CHUNK_HEADER + (size_t)payload;
  }
}

// What version 0.2.0 wrote of a model has its names of then, whatever the members of plModel are called now.
static void sections_keep_their_names(void) {
  static const char* const names[] = {
      "nq",          "nv",          "nu",        "ndeform",      "nvert",         "ntet",
      "ntri",        "nfix",        "ngeom",     "nbody",        "njoint",        "nq_rigid",
      "nv_rigid",    "deform_name", "geom_name", "geom_kind",    "geom_pose",     "geom_size",
      "geom_radius", "geom_length", "geom_body", "geom_surface", "geom_mesh_size"};
  const plModel* model = sample_model(1e6);
  const char* path = sample_path("names.plrec");
  record(path, model, 1, true, NULL);
  size_t size;
  unsigned char* bytes = load_file(path, &size);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    int found = 0;
    for (size_t i = 0; i + 23 < size; i += 8) found += !memcmp(bytes + i, names[k], strlen(names[k]) + 1);
    if (!found) printf("  no section %s\n", names[k]);
    CHECK(found > 0);
  }
  free(bytes);
  pl_model_destroy(model);
}

// Sections that earlier versions did not write, renamed and so unknown: the rest reads as before.
static void recordings_without_later_sections_are_read(void) {
  static const char* const later[] = {"contact_facet", "geom_convex", "structure"};
  plError error;
  const plModel* model = sample_model(1e6);
  const char* path = sample_path("early.plrec");
  record(path, model, 2, true, NULL);
  size_t size;
  unsigned char* bytes = load_file(path, &size);
  int found = 0;
  for (int k = 0; k < 3; k++)
    for (size_t i = 0; i + 23 < size; i += 8)
      if (!memcmp(bytes + i, later[k], strlen(later[k]) + 1)) bytes[i] = 'X', found++;
  CHECK_INT(found, 4);
  reseal(bytes, size);
  save_file(path, bytes, size);
  plReplay* replay;
  CHECK_INT(pl_replay_open(path, &replay, &error), PL_OK);
  CHECK_INT(pl_replay_seek(replay, 1, &error), PL_OK);
  const plData* shown = pl_replay_data(replay);
  CHECK_INT(shown->ncontact, 3);
  for (int i = 0; i < shown->ncontact; i++)
    CHECK(shown->contact[i].tri_a == -1 && shown->contact[i].tri_b == -1);
  for (int g = 0; g < model->nshape; g++) CHECK_INT(pl_replay_model(replay)->shape_convex[g], false);
  // the model is recognised by the hash of that time
  plData* data = pl_data_create(model, &error);
  CHECK(data && !pl_replay_restore(replay, data, &error));
  pl_data_destroy(data);
  pl_replay_close(replay);
  // A later format is refused with both versions named.
  bytes[8]++;
  save_file(path, bytes, size);
  CHECK_INT(pl_replay_open(path, &replay, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "version");
  free(bytes);
  pl_model_destroy(model);
}

static void mutate(unsigned char* bytes, size_t size, plRandom* random) {
  for (int k = 1 + pl_random_int(random, 4); k > 0; k--) {
    size_t at = (size_t)(pl_random_bits(random) % (uint64_t)(size - 8));
    // Half of the changes hit the section headers near the start, where the counts are.
    if (pl_random_int(random, 2)) at %= 2500;
    static const uint64_t nasty[] = {0,         1,           UINT64_MAX,          INT64_MAX,
                                     INT32_MAX, 0x80000000u, 0x7ff8000000000000u, 0x7ff0000000000000u};
    if (pl_random_int(random, 3))
      bytes[at] = (unsigned char)pl_random_bits(random);
    else
      memcpy(bytes + at / 8 * 8, &nasty[pl_random_int(random, 8)], 8);
  }
}

// What the viewer shows, and tractions at vertices.
static void show_frame(plReplay* replay) {
  plError error;
  const plData* data = pl_replay_data(replay);
  const plModel* m = data->model;
  plStream* stream;
  const void* scene;
  void* frame;
  size_t size;
  plMoment moment = {data, data->contact, data->ncontact, &data->report, (1u << PL_COLOUR_COUNT) - 1};
  if (pl_stream_create(m, &stream, &error)) return;
  (void)pl_stream_scene(stream, "scene", &scene, &size, &error);
  (void)pl_stream_frame(stream, &moment, 0, &frame, &size, &error);
  pl_stream_destroy(stream);
  double* traction = malloc(3 * (size_t)(m->nvert + 1) * sizeof *traction);
  for (int b = 0; b < m->ndeform; b++) pl_field_contact(data, b, traction);
  free(traction);
}

// Everything that can be computed from the frames of a replay; data: of the recorded model, NULL: none.
static void use_frames(plReplay* replay, plData* data) {
  plError error;
  for (int f = 0; f < pl_replay_info(replay)->nframe; f++) {
    plSignals* signals;
    double row[256];
    if (pl_replay_seek(replay, f, &error)) continue;
    if (data) (void)pl_replay_restore(replay, data, &error);
    show_frame(replay);
    if (pl_signals_create(pl_replay_model(replay),
                          "time, energy.total, *.com, *.von_mises_max, contact(*,*).force", &signals, &error))
      continue;
    CHECK(pl_signals_count(signals) < 256);
    (void)pl_signals_eval(signals, pl_replay_data(replay), row, &error);
    pl_signals_destroy(signals);
  }
}

// Whatever the bytes are: a status or a replay whose every use is safe (the sanitizers watch).
static void hostile_recordings_do_no_harm(void) {
  plError error;
  const plModel* model = sample_model(1e6);
  const char *path = sample_path("seed.plrec"), *mutant = sample_path("mutant.plrec");
  record(path, model, 2, true, NULL);
  size_t size;
  unsigned char *bytes = load_file(path, &size), *changed = malloc(size);
  plRandom random = {17};
  plData* data = pl_data_create(model, &error);
  int opened = 0;
  for (int i = 0; i < 1500; i++) {
    memcpy(changed, bytes, size);
    mutate(changed, size, &random);
    if (pl_random_int(&random, 4)) reseal(changed, size);
    save_file(mutant, changed, size);
    plReplay* replay;
    if (pl_replay_open(mutant, &replay, &error)) continue;
    opened++;
    use_frames(replay, data);
    pl_replay_close(replay);
  }
  CHECK(opened > 100 && opened < 1500);
  pl_data_destroy(data);
  free(bytes), free(changed);
  pl_model_destroy(model);
}

// Two bodies, one with patches of constant pressure, one of quadratic tetrahedra, and two shapes.
static const plModel* model_of_indices(void) {
  return model_of(
      "pliant: 1\n"
      "deformables:\n"
      "  - name: a\n"
      "    shape: box\n"
      "    size: [0.1, 0.1, 0.1]\n"
      "    edge: 0.05\n"
      "    pose: {position: [0, 0, 0.05]}\n"
      "    material: {kind: neo_hookean, young: 1e5, poisson: 0.45, volumetric: patch}\n"
      "  - name: b\n"
      "    shape: box\n"
      "    size: [0.1, 0.1, 0.1]\n"
      "    edge: 0.1\n"
      "    pose: {position: [0.5, 0, 0.05]}\n"
      "    material: {young: 1e5, element: tet10}\n"
      "shapes:\n"
      "  - {name: floor, shape: half_space}\n"
      "  - {name: step, shape: box, size: [0.1, 0.1, 0.02]}\n");
}

// Any integer of the recorded model becomes any other that might be an index: a status, or a replay whose
// every use is safe (asserts and sanitizers watch).
static void hostile_indices_do_no_harm(void) {
  plError error;
  const plModel* model = model_of_indices();
  const char *path = sample_path("seed.plrec"), *mutant = sample_path("mutant.plrec");
  record(path, model, 1, true, NULL);
  size_t size;
  unsigned char *bytes = load_file(path, &size), *changed = malloc(size);
  plRandom random = {18};
  int opened = 0, refused = 0;
  for (int trial = 0; trial < CHECK_MEMBERS(3); trial++)
    for (size_t at = PL_FILE_HEADER; size - at > PL_CHUNK_HEADER;) {
      uint64_t count;
      if (!memcmp(bytes + at, "MODL", 4) || !memcmp(bytes + at, "FRAM", 4)) at += PL_CHUNK_HEADER;
      memcpy(&count, bytes + at + 24, 8);
      char type = (char)bytes[at + 23];
      size_t width = type == 'i' ? 4 : type == 'b' ? 1 : 8, first = at + 32;
      at = first + ((size_t)count * width + 7) / 8 * 8;
      for (int k = 0; type == 'i' && k < (count < 20 ? (int)count : 20); k++) {
        int value = pl_random_int(&random, (int)count + 6) - 3;
        memcpy(changed, bytes, size);
        memcpy(changed + first + 4 * (size_t)pl_random_int(&random, (int)count), &value, 4);
        reseal(changed, size);
        save_file(mutant, changed, size);
        plReplay* replay;
        if (pl_replay_open(mutant, &replay, &error)) {
          refused++;
          continue;
        }
        opened++, use_frames(replay, NULL);
        pl_replay_close(replay);
      }
    }
  printf("  %d opened, %d refused\n", opened, refused);
  CHECK(opened > CHECK_MEMBERS(150) && refused > CHECK_MEMBERS(150));
  free(bytes), free(changed);
  pl_model_destroy(model);
}

static void what_is_no_recording_is_refused(void) {
  plError error;
  plReplay* replay;
  CHECK_INT(pl_replay_open(sample_path("nowhere.plrec"), &replay, &error), PL_ERROR_IO);
  CHECK_INT(pl_replay_open(PLIANT_BINARYDIR, &replay, &error), PL_ERROR_IO);
  const char* path = sample_path("text.plrec");
  save_file(path, (const unsigned char*)"hello", 5);
  CHECK_INT(pl_replay_open(path, &replay, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "not a recording");
  CHECK(replay == NULL);
  const plModel* model = sample_model(1e6);
  plRecording* recording;
  CHECK_INT(pl_recording_open("/nowhere/x.plrec", model, &recording, &error), PL_ERROR_IO);
  pl_model_destroy(model);
}

// Sections and chunks that this version does not know are stepped over.
static void later_versions_may_add_sections_and_chunks(void) {
  plError error;
  const plModel* model = sample_model(1e6);
  const char* path = sample_path("later.plrec");
  record(path, model, 2, false, NULL);
  plBytes bytes = {0};
  unsigned char room[PL_CHUNK_HEADER] = {0};
  pl_bytes_add(&bytes, room, sizeof room);
  pl_section_add(&bytes, "rigid_pose", 'd', (double[3]){1, 2, 3}, 3);
  pl_chunk_seal(&bytes, "RGID", 0, 0);
  FILE* file = fopen(path, "ab");
  fwrite(bytes.data, 1, bytes.size, file);
  fclose(file);
  plReplay* replay;
  CHECK_INT(pl_replay_open(path, &replay, &error), PL_OK);
  CHECK_INT(pl_replay_info(replay)->nframe, 2);
  CHECK_INT(pl_replay_info(replay)->lost_bytes, 0);
  pl_replay_close(replay);
  // A section of unknown type between known ones.
  pl_bytes_clear(&bytes);
  pl_section_add(&bytes, "a", 'd', (double[1]){4}, 1);
  pl_section_add(&bytes, "b", 'b', "123", 3);
  bytes.data[40 + 23] = 'x';
  pl_section_add(&bytes, "c", 'i', (int[3]){5, 6, 7}, 3);
  plSection section;
  CHECK(pl_section_find(bytes.data, bytes.size, "c", 'i', &section) && section.count == 3);
  CHECK(!pl_section_find(bytes.data, bytes.size, "c", 'd', &section));
  pl_bytes_free(&bytes);
  pl_model_destroy(model);
}

static void a_full_disk_keeps_whole_frames(void) {
  plError error;
  const plModel* model = sample_model(1e6);
  plRecording* recording;
  // /dev/full takes nothing: opening already fails, with a reason.
  if (access("/dev/full", W_OK) == 0) {
    CHECK_INT(pl_recording_open("/dev/full", model, &recording, &error), PL_ERROR_IO);
    CHECK_HAS(error.message, "cannot be written");
  }
  pl_model_destroy(model);
}

static void running_out_of_memory_is_a_status(void) {
  plError error;
  const plModel* model = sample_model(1e6);
  const char* path = sample_path("memory.plrec");
  record(path, model, 1, true, NULL);
  plStatus status = PL_ERROR_MEMORY;
  int n = 0;
  for (; status && n < 200; n++) {
    plReplay* replay;
    pl_alloc_fail_after(n);
    status = pl_replay_open(path, &replay, &error);
    pl_alloc_fail_after(-1);
    if (status)
      CHECK_INT(status, PL_ERROR_MEMORY);
    else
      pl_replay_close(replay);
  }
  CHECK(n > 8 && n < 200);
  pl_model_destroy(model);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(the_model_comes_back);
  RUN(frames_come_back_bit_by_bit);
  RUN(a_run_goes_on_from_a_frame);
  RUN(a_frame_is_as_small_as_its_numbers);
  RUN(kill_9_loses_at_most_the_last_frame);
  RUN(every_cut_is_readable);
  RUN(a_damaged_frame_is_reported_and_the_others_stay);
  RUN(sections_keep_their_names);
  RUN(recordings_without_later_sections_are_read);
  RUN(hostile_recordings_do_no_harm);
  RUN(hostile_indices_do_no_harm);
  RUN(what_is_no_recording_is_refused);
  RUN(later_versions_may_add_sections_and_chunks);
  RUN(a_full_disk_keeps_whole_frames);
  RUN(running_out_of_memory_is_a_status);
  return CHECK_END;
}

// Parameters: a value set by path gives the bits of a scene with that value, whatever came before; they
// belong to the state; what is wrong is refused and changes nothing.
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "model/work.h"
#include "pliant/pliant.h"

// One number of the scene below: its path, and two values.
typedef struct Number {
  const char* path;
  double a, b;
} Number;

enum { NNUMBER = 31 };
static const Number numbers[NNUMBER] = {
    {"options.dt", 0.01, 0.006},
    {"options.gravity.x", 0, 0.7},
    {"options.gravity.z", -9.81, -3.7},
    {"options.tolerance", 1e-6, 1e-8},
    {"options.friction_sigma", 1e-3, 2e-3},
    {"soft.material.young", 1e5, 3.7e4},
    {"soft.material.poisson", 0.4, 0.47},
    {"soft.material.density", 1000, 730},
    {"soft.material.damping_mass", 0, 0.3},
    {"soft.material.damping_stiffness", 0.01, 0.003},
    {"soft.surface.friction", 0.5, 0.9},
    {"soft.surface.relaxation_time", 0.1, 0.03},
    {"ground.surface.friction", 1, 0.3},
    {"ground.surface.contact_stiffness", 1e8, 3e7},
    {"arm.mass", 1, 1.7},
    {"arm.com.x", 0.3, 0.21},
    {"arm.inertia.yy", 0.01, 0.013},
    {"hand.mass", 0.4, 0.27},
    {"hand.gravity", 1, 0.5},
    {"hinge.damping", 0.1, 0.37},
    {"hinge.friction", 0.05, 0.02},
    {"hinge.stiffness", 2, 3.1},
    {"hinge.rest", 0.1, -0.2},
    {"hinge.lower", -0.5, 0},
    {"hinge.upper", 0.5, 0},
    {"hinge.kp", 20, 31},
    {"hinge.kd", 2, 1.3},
    {"wrist.kp", 9, 14},
    {"wrist.force_upper", 1, 0.6},
    {"held.attachment.stiffness", 1e4, 3e3},
    {"held.attachment.relaxation_time", 0.01, 0.02},
};

// A soft block held by an arm of two bodies, on the ground; v [NNUMBER].
static void write_scene(char* text, size_t size, const char* law, const char* more, const double* v) {
  snprintf(text, size,
           "pliant: 1\n"
           "options: {dt: %.17g, gravity: [%.17g, 0, %.17g], tolerance: %.17g, friction_sigma: %.17g, "
           "near_rigid: 0.5}\n"
           "bodies:\n"
           "  - name: arm\n    mass: %.17g\n    com: [%.17g, 0, 0]\n    inertia: [0.01, %.17g, 0.01]\n"
           "    joint: {name: hinge, kind: revolute, axis: [0, 1, 0], pose: {position: [-0.4, 0, 0.06]}, "
           "damping: %.17g, friction: %.17g, stiffness: %.17g, rest: %.17g, lower: %.17g, upper: %.17g, "
           "actuator: {kind: pd, kp: %.17g, kd: %.17g, times: [0, 1], values: [0, 0.4]}}\n"
           "  - name: hand\n    mass: %.17g\n    gravity: %.17g\n    inertia: [1e-3, 1e-3, "
           "1e-3]\n"
           "    joint: {name: wrist, parent: arm, kind: revolute, axis: [0, 1, 0], pose: {position: [0.35, "
           "0, 0]}, "
           "actuator: {kind: position, kp: %.17g, kd: 0.5, effort: %.17g, input: 0.2}}\n"
           "deformables:\n"
           "  - name: soft\n    shape: box\n    size: [0.1, 0.1, 0.1]\n    cells: [2, 2, 2]\n"
           "    pose: {position: [0, 0, 0.0499]}\n"
           "    material: {kind: %s, young: %.17g, poisson: %.17g, density: %.17g, damping: {mass: %.17g, "
           "stiffness: %.17g}%s}\n"
           "    surface: {friction: %.17g, relaxation_time: %.17g}\n"
           "shapes:\n"
           "  - {name: ground, shape: half_space, surface: {friction: %.17g, contact_stiffness: %.17g}}\n"
           "attachments:\n"
           "  - {name: held, deformable: soft, to: hand, region: {shape: half_space, centre: [0, 0, 0.04], "
           "normal: [0, 0, -1]}, stiffness: %.17g, relaxation_time: %.17g}\n",
           v[0], v[1], v[2], v[3], v[4], v[14], v[15], v[16], v[19], v[20], v[21], v[22], v[23], v[24], v[25],
           v[26], v[17], v[18], v[27], v[28], law, v[5], v[6], v[7], v[8], v[9], more, v[10], v[11], v[12],
           v[13], v[29], v[30]);
}

typedef struct Run {
  plSpec* spec;
  const plModel* model;
  plData* data;
} Run;

static plError error;

static Run start(const char* law, const char* more, const double* v) {
  char text[8192];
  write_scene(text, sizeof text, law, more, v);
  Run r = {0};
  if (pl_spec_parse("parameters.yaml", "", text, strlen(text), NULL, &r.spec, &error))
    printf("%s:%d: %s\n", error.file, error.line, error.message);
  r.model = r.spec ? pl_model_create(r.spec, &error) : NULL;
  r.data = r.model ? pl_data_create(r.model, &error) : NULL;
  if (!r.data) printf("%s\n", error.message), exit(1);
  return r;
}

static void stop(Run* r) { pl_data_destroy(r->data), pl_model_destroy(r->model), pl_spec_destroy(r->spec); }

static void steps(plData* data, int n) {
  for (int i = 0; i < n; i++) {
    CHECK_INT(pl_step(data, &error), PL_OK);
    if (data->report.status) printf("%s\n", error.message);
  }
}

static void first_values(double* v) {
  for (int i = 0; i < NNUMBER; i++) v[i] = numbers[i].a;
}

static const struct {
  const char *law, *more;
} laws[] = {{"linear_corotated", ""},
            {"linear_corotated", ", volumetric: patch"},
            {"linear", ""},
            {"neo_hookean", ""},
            {"corotated", ", element: tet10, volumetric: patch"}};

// ---- the law: path = scene

static void a_path_gives_the_bits_of_a_scene(void) {
  plRandom r = {7};
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    double a[NNUMBER], b[NNUMBER];
    first_values(a), first_values(b);
    // some of them, another choice for each law
    for (int i = 0; i < NNUMBER; i++)
      if (pl_random(&r, 0, 1) < 0.6) b[i] = numbers[i].b;
    Run scene = start(laws[k].law, laws[k].more, b), path = start(laws[k].law, laws[k].more, a);
    // earlier parameters have no effect
    steps(path.data, 3);
    for (int i = 0; i < NNUMBER; i++) {
      CHECK_INT(pl_parameter_set(path.data, numbers[i].path, b[i], &error), PL_OK);
      if (error.status) printf("%s\n", error.message);
    }
    pl_data_reset(path.data);
    CHECK(pl_parameter_hash(path.data) == pl_parameter_hash(scene.data));
    steps(scene.data, 12), steps(path.data, 12);
    CHECK(pl_state_hash(path.data) == pl_state_hash(scene.data));
    CHECK(scene.model->hash == path.model->hash);  // values are no structure
    stop(&scene), stop(&path);
  }
}

// Each number alone changes what it should: none is ignored.
static void every_number_counts(void) {
  double v[NNUMBER];
  first_values(v);
  Run base = start("linear_corotated", "", v);
  steps(base.data, 12);
  uint64_t hash = pl_state_hash(base.data), all = pl_parameter_hash(base.data);
  for (int i = 0; i < NNUMBER; i++) {
    pl_data_reset(base.data), pl_parameters_reset(base.data);
    CHECK(pl_parameter_hash(base.data) == all);
    CHECK_INT(pl_parameter_set(base.data, numbers[i].path, numbers[i].b, &error), PL_OK);
    CHECK_NEAR(pl_parameter_value(base.data, pl_parameter_find(base.model, numbers[i].path)), numbers[i].b,
               0);
    pl_data_reset(base.data);
    steps(base.data, 12);
    // the answer meets either tolerance already, and a joint moves towards one of its limits
    bool quiet = !strcmp(numbers[i].path, "options.tolerance") || !strcmp(numbers[i].path, "hinge.lower");
    bool changed = pl_state_hash(base.data) != hash || quiet;
    if (!changed) printf("%s changes nothing\n", numbers[i].path);
    CHECK(changed);
    CHECK(pl_parameter_hash(base.data) != all);
  }
  stop(&base);
}

static void all_are_listed(void) {
  double v[NNUMBER];
  first_values(v);
  Run r = start("neo_hookean", "", v);
  int n = pl_parameter_count(r.model);
  double *value = PL_NEW(double, n), *back = PL_NEW(double, n);
  pl_parameters_get(r.data, value);
  for (int i = 0; i < n; i++) {
    plParameterInfo info;
    CHECK_INT(pl_parameter_info(r.model, i, &info), PL_OK);
    CHECK_INT(pl_parameter_find(r.model, info.path), i);
    CHECK(value[i] >= info.lower && value[i] <= info.upper);
    CHECK(value[i] == pl_parameter_value(r.data, i));
  }
  plParameterInfo none;
  CHECK_INT(pl_parameter_info(r.model, n, &none), PL_ERROR_INPUT);
  // in bulk
  int young = pl_parameter_find(r.model, "soft.material.young");
  value[young] = 5e4;
  CHECK_INT(pl_parameters_set(r.data, value, &error), PL_OK);
  pl_parameters_get(r.data, back);
  CHECK(!memcmp(value, back, (size_t)n * sizeof *value));
  CHECK_NEAR(r.data->par->deform_material[0].young, 5e4, 0);
  CHECK_NEAR(r.model->par->deform_material[0].young, 1e5, 0);
  value[young] = -1, value[0] = 0.02;
  CHECK_INT(pl_parameters_set(r.data, value, &error), PL_ERROR_INPUT);
  CHECK_NEAR(r.data->par->options.dt, 0.01, 0);
  pl_free(value), pl_free(back);
  stop(&r);
}

// ---- what is refused

static void wrong_values_change_nothing(void) {
  static const struct {
    const char* path;
    double value;
    const char* says;
  } wrong[] = {
      {"soft.material.youngs", 1e4, "did you mean 'soft.material.young'"},
      {"nothing", 1, "no parameter 'nothing'"},
      {"soft.material.young", -1, "out of range"},
      {"soft.material.young", NAN, "out of range"},
      {"soft.material.young", INFINITY, "must stay finite"},
      {"soft.material.poisson", 0.5, "between -1 and 0.5"},
      {"soft.material.c1", 1e4, "not read by this material"},
      {"soft.material.lame_mu", 1e4, "not read by this material"},
      {"soft.surface.contact_stiffness", 1e7, "structure"},
      {"soft.surface.friction", 2e3, "out of range"},
      {"options.dt", 0, "in (0, 1000]"},
      {"options.tolerance", 2, "out of range"},
      {"arm.mass", 0, "stay above 0"},
      {"arm.inertia.xx", -1, "out of range"},
      {"hinge.lower", 0.6, "lower <= upper"},
      {"hinge.damping", -1, "out of range"},
      {"wrist.lower", -1, "structure"},
      {"held.attachment.stiffness", 0, "positive stiffness"},
  };
  double v[NNUMBER];
  first_values(v);
  Run r = start("linear_corotated", "", v);
  uint64_t before = pl_parameter_hash(r.data);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK_INT(pl_parameter_set(r.data, wrong[i].path, wrong[i].value, &error), PL_ERROR_INPUT);
    bool said = strstr(error.message, wrong[i].says) != NULL;
    if (!said) printf("%s = %g: %s\n", wrong[i].path, wrong[i].value, error.message);
    CHECK(said);
    CHECK(pl_parameter_hash(r.data) == before);
  }
  CHECK_INT(pl_parameter_set_index(r.data, 1 << 20, 1, &error), PL_ERROR_INPUT);
  stop(&r);
}

// ---- parameters belong to the state

static void the_state_carries_them(void) {
  double v[NNUMBER];
  first_values(v);
  Run one = start("neo_hookean", "", v), two = start("neo_hookean", "", v);
  for (int i = 0; i < NNUMBER; i += 2)
    CHECK_INT(pl_parameter_set(one.data, numbers[i].path, numbers[i].b, &error), PL_OK);
  steps(one.data, 6);
  size_t size = pl_state_size(one.data);
  char* bytes = PL_NEW(char, size);
  CHECK_INT(pl_state_get(one.data, bytes, size, &error), PL_OK);
  CHECK_INT(pl_state_set(two.data, bytes, size, &error), PL_OK);
  CHECK(pl_parameter_hash(one.data) == pl_parameter_hash(two.data));
  steps(one.data, 6), steps(two.data, 6);
  CHECK(pl_state_hash(one.data) == pl_state_hash(two.data));
  // an invalid parameter: nothing changes
  uint64_t state = pl_state_hash(two.data), parameters = pl_parameter_hash(two.data);
  double bad = -1;
  memcpy(bytes + 32 + PL_OPTION_COUNT * sizeof bad, &bad, sizeof bad);
  CHECK_INT(pl_state_set(two.data, bytes, size, &error), PL_ERROR_INPUT);
  CHECK(pl_state_hash(two.data) == state && pl_parameter_hash(two.data) == parameters);
  pl_free(bytes);
  stop(&one), stop(&two);
}

// The options are parameters too: another law and scheme come back with the state.
static void the_state_carries_options(void) {
  double v[NNUMBER];
  first_values(v);
  Run one = start("neo_hookean", "", v), two = start("neo_hookean", "", v);
  plOptions o = one.data->par->options;
  int threads = o.threads;
  o.contact_law = PL_LAW_COULOMB, o.theta = o.theta_vq = 0.5, o.threads = 3;
  CHECK_INT(pl_options_set(one.data, &o, &error), PL_OK);
  CHECK_INT(one.data->par->options.threads, threads);  // it belongs to the run, not to the state
  o.theta = 2;
  CHECK_INT(pl_options_set(one.data, &o, &error), PL_ERROR_INPUT);
  steps(one.data, 4);
  size_t size = pl_state_size(one.data);
  char* bytes = PL_NEW(char, size);
  CHECK_INT(pl_state_get(one.data, bytes, size, &error), PL_OK);
  CHECK_INT(pl_state_set(two.data, bytes, size, &error), PL_OK);
  CHECK_INT(two.data->par->options.contact_law, PL_LAW_COULOMB);
  steps(one.data, 4), steps(two.data, 4);
  CHECK(pl_state_hash(one.data) == pl_state_hash(two.data));
  pl_free(bytes);
  stop(&one), stop(&two);
}

// A file with the bytes, sealed as every state is: a hash behind.
static plStatus load_sealed(plData* data, const char* bytes, size_t size) {
  const char* path = "test_parameters_sealed.state";
  FILE* file = fopen(path, "wb");
  uint64_t hash = pl_hash(PL_HASH_START, bytes, size);
  CHECK(file && fwrite(bytes, 1, size, file) == size && fwrite(&hash, 1, 8, file) == 8);
  if (file) fclose(file);
  plStatus status = pl_state_load(data, path, &error);
  remove(path);
  return status;
}

// Files of other versions: the first one is refused by its name, the second and third are read, with the
// presets of the options that the second did not know, if their hash of the model is that of their time; one
// with options that this version does not know is refused. What is refused changes nothing.
static void files_of_other_versions(void) {
  enum { HEAD = 32, KNOWN = 21 };
  double v[NNUMBER];
  first_values(v);
  Run one = start("neo_hookean", "", v), two = start("neo_hookean", "", v);
  steps(one.data, 3), steps(two.data, 2);
  uint64_t before = pl_state_hash(two.data), size = pl_state_size(one.data) - HEAD, noption = PL_OPTION_COUNT;
  char *now = PL_NEW(char, HEAD + size + 8), *other = PL_NEW(char, HEAD + size + 8);
  CHECK_INT(pl_state_get(one.data, now, HEAD + size, &error), PL_OK);

  memcpy(other, now, HEAD + size), other[7] = '1';
  CHECK_INT(load_sealed(two.data, other, HEAD + size), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "saved by version 0.1");
  // one more option than there are
  uint64_t more = noption + 1, larger = size + 8;
  memcpy(other, now, HEAD), memcpy(other + 16, &larger, 8), memcpy(other + 24, &more, 8);
  memcpy(other + HEAD, now + HEAD, 8 * noption), memset(other + HEAD + 8 * noption, 0, 8);
  memcpy(other + HEAD + 8 * more, now + HEAD + 8 * noption, size - 8 * noption);
  CHECK_INT(load_sealed(two.data, other, HEAD + larger), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "a later version saved it");
  // a number that another program wrote in between
  memcpy(other, now, HEAD + size), other[HEAD + size / 2] ^= 1;
  FILE* file = fopen("test_parameters_damaged.state", "wb");
  uint64_t hash = pl_hash(PL_HASH_START, now, HEAD + size);
  CHECK(file && fwrite(other, 1, HEAD + size, file) == HEAD + size && fwrite(&hash, 1, 8, file) == 8);
  if (file) fclose(file);
  CHECK_INT(pl_state_load(two.data, "test_parameters_damaged.state", &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "damaged");
  remove("test_parameters_damaged.state");
  CHECK(pl_state_hash(two.data) == before);

  // the second version: no number of options in front, and fewer of them
  uint64_t smaller = size - 8 * (noption - KNOWN);
  memcpy(other, "PLSTATE2", 8), memcpy(other + 8, &one.model->work->hash3, 8),
      memcpy(other + 16, &smaller, 8);
  memcpy(other + 24, now + HEAD, 8 * KNOWN);
  memcpy(other + 24 + 8 * KNOWN, now + HEAD + 8 * noption, size - 8 * noption);
  CHECK_INT(load_sealed(two.data, other, 24 + smaller), PL_OK);
  CHECK(pl_state_hash(two.data) == pl_state_hash(one.data));
  CHECK(pl_parameter_hash(two.data) == pl_parameter_hash(one.data));
  memcpy(other, now, HEAD + size), other[7] = '3';
  CHECK_INT(load_sealed(two.data, other, HEAD + size), PL_ERROR_MISMATCH);
  memcpy(other + 8, &one.model->work->hash3, 8);
  CHECK_INT(load_sealed(two.data, other, HEAD + size), PL_OK);
  CHECK_INT(load_sealed(two.data, now, HEAD + size), PL_OK);
  steps(one.data, 3), steps(two.data, 3);
  CHECK(pl_state_hash(two.data) == pl_state_hash(one.data));
  pl_free(now), pl_free(other);
  stop(&one), stop(&two);
}

// The start, tables and meshes are structure.
static void another_scene_has_another_hash(void) {
  double v[NNUMBER];
  first_values(v);
  Run a = start("linear_corotated", "", v), b = start("linear_corotated", ", rotation: lagged", v);
  CHECK(a.model->hash != b.model->hash);
  char path[] = "/tmp/pliant_parameters_XXXXXX";
  int file = mkstemp(path);
  CHECK(file >= 0);
  CHECK_INT(pl_state_save(a.data, path, &error), PL_OK);
  CHECK_INT(pl_state_load(b.data, path, &error), PL_ERROR_MISMATCH);
  CHECK_INT(pl_state_load(a.data, path, &error), PL_OK);
  remove(path);
  stop(&a), stop(&b);
}

// A callback's change is taken back with a step that fails.
static plStatus stiffen_and_fail(plData* data, void* user) {
  (void)user;
  pl_parameter_set(data, "soft.material.young", 9e5, NULL);
  return PL_ERROR_INPUT;
}

static void a_failed_step_keeps_them(void) {
  double v[NNUMBER];
  first_values(v);
  Run r = start("linear_corotated", "", v);
  uint64_t before = pl_parameter_hash(r.data);
  pl_data_set_control(r.data, stiffen_and_fail, NULL);
  CHECK_INT(pl_step(r.data, &error), PL_ERROR_CANCELLED);
  CHECK(pl_parameter_hash(r.data) == before);
  stop(&r);
}

// A copy made in the middle of a run continues with the same bits; another model's is refused.
static void a_copy_goes_on_alike(void) {
  double v[NNUMBER];
  first_values(v);
  Run r = start("neo_hookean", "", v), other = start("linear", "", v);
  plData* copy = pl_data_create(r.model, &error);
  CHECK_INT(pl_parameter_set(r.data, "soft.material.young", 5e4, &error), PL_OK);
  steps(r.data, 5);
  CHECK_INT(pl_data_copy(copy, r.data, &error), PL_OK);
  CHECK(pl_parameter_hash(copy) == pl_parameter_hash(r.data));
  steps(r.data, 5), steps(copy, 5);
  CHECK(pl_state_hash(copy) == pl_state_hash(r.data));
  CHECK_INT(pl_data_copy(other.data, r.data, &error), PL_ERROR_MISMATCH);
  pl_data_destroy(copy);
  stop(&r), stop(&other);
}

// Going to and fro between states of one simulation: the current attachments are kept, and what the last step
// wrote is not taken for part of the state that was set.
static void a_state_is_set_without_memory(void) {
  double v[NNUMBER];
  first_values(v);
  Run r = start("linear_corotated", "", v);
  steps(r.data, 3);
  size_t size = pl_state_size(r.data);
  char* bytes = PL_NEW(char, size);
  CHECK_INT(pl_state_get(r.data, bytes, size, &error), PL_OK);
  steps(r.data, 3);
  long before = pl_alloc_count();
  CHECK_INT(pl_state_set(r.data, bytes, size, &error), PL_OK);
  CHECK_INT(pl_alloc_count(), before);
  CHECK(r.data->ncontact == 0 && r.data->nimpulse == 0);
  for (int i = 0; i < r.model->nact; i++) CHECK(r.data->actuator_force[i] == 0);
  for (int i = 0; i < r.model->nv; i++) CHECK(r.data->f_constraint[i] == 0);
  // another attachment, another switch: these are set
  CHECK_INT(pl_attachment_set(r.data, 0, false, &error), PL_OK);
  CHECK_INT(pl_switch_set(r.data, PL_SWITCH_ACTUATOR, 0, false, &error), PL_OK);
  uint64_t changed = pl_state_hash(r.data);
  CHECK_INT(pl_state_set(r.data, bytes, size, &error), PL_OK);
  CHECK(r.data->attach[0].on && r.data->on[PL_SWITCH_ACTUATOR][0] && pl_state_hash(r.data) != changed);
  pl_free(bytes);
  stop(&r);
}

// In bulk as one by one: the same numbers, and the first wrong one is named.
static void a_whole_set_is_checked(void) {
  double v[NNUMBER];
  first_values(v);
  Run r = start("linear_corotated", "", v);
  int n = pl_parameter_count(r.model);
  double* value = PL_NEW(double, n);
  pl_parameters_get(r.data, value);
  uint64_t hash = pl_parameter_hash(r.data);
  for (int i = 0; i < NNUMBER; i++) {
    int index = pl_parameter_find(r.model, numbers[i].path);
    double kept = value[index];
    value[index] = NAN;
    CHECK_INT(pl_parameters_set(r.data, value, &error), PL_ERROR_INPUT);
    CHECK_HAS(error.message, numbers[i].path);
    value[index] = kept;
  }
  int mass = pl_parameter_find(r.model, "arm.inertia.xy");
  value[mass] = 0.5;
  CHECK_INT(pl_parameters_set(r.data, value, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "not positive");
  CHECK(pl_parameter_hash(r.data) == hash);
  pl_free(value);
  stop(&r);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_path_gives_the_bits_of_a_scene);
  RUN(every_number_counts);
  RUN(all_are_listed);
  RUN(wrong_values_change_nothing);
  RUN(the_state_carries_them);
  RUN(the_state_carries_options);
  RUN(files_of_other_versions);
  RUN(another_scene_has_another_hash);
  RUN(a_failed_step_keeps_them);
  RUN(a_copy_goes_on_alike);
  RUN(a_state_is_set_without_memory);
  RUN(a_whole_set_is_checked);
  return CHECK_END;
}

// Error control: a step under options.accuracy lands on its sample times, holds its accuracy against a closed
// form, continues with the same bits after a restart and on any number of threads, halves what does not
// converge, and leaves the state as it was when it fails. Forces of the last step do not depend on how many
// parts it was taken in.
#include "base/hash.h"
#include "check.h"
#include "model/work.h"
#include "pliant/pliant.h"

static plData* simulate(const char* text) {
  plError error;
  plSpec* spec = NULL;
  CHECK_INT(pl_spec_parse("test", ".", text, strlen(text), NULL, &spec, &error), PL_OK);
  if (!spec) printf("%s\n", error.message);
  const plModel* model = pl_model_create(spec, &error);
  plData* data = model ? pl_data_create(model, &error) : NULL;
  if (!data) printf("%s\n", error.message);
  pl_model_destroy(model), pl_spec_destroy(spec);
  return data;
}

static const char pendulum[] =
    "pliant: 1\noptions: {dt: 0.1, accuracy: 1e-4}\nbodies:\n"
    "  - {name: rod, mass: 1, com: [0, 0, -1], inertia: [0, 0, 0.01],\n"
    "     joint: {kind: revolute, axis: [0, 1, 0], position: 1}}\n";
static const char drop[] =
    "pliant: 1\noptions: {dt: 0.05, accuracy: 1e-3}\n"
    "deformables:\n"
    "  - {name: block, shape: box, size: [0.1, 0.1, 0.1], cells: [2, 2, 2], pose: {position: [0, 0, 0.1],\n"
    "     rpy: [0.2, 0, 0]}, material: {kind: corotated, young: 5e4, density: 1000}}\n"
    "shapes: [{name: ground, shape: half_space}]\n";

// The period of a pendulum that swings by 1 rad: 4 K(sin(1/2)) sqrt(l / g), by the mean of Gauss.
static double period(double angle, double l, double g) {
  double a = 1, b = cos(0.5 * angle);
  for (int i = 0; i < 20; i++) {
    double m = 0.5 * (a + b);
    b = sqrt(a * b), a = m;
  }
  return 2 * M_PI / a * sqrt(l / g);
}

static void a_pendulum_returns_after_its_period(void) {
  double T = period(1, 1, 9.81), before = INFINITY;
  for (double accuracy = 1e-2; accuracy > 5e-6; accuracy *= 0.1) {
    plData* data = simulate(pendulum);
    plError error;
    plAdvanceReport r;
    CHECK_INT(pl_advance(data, T, accuracy, &r, &error), PL_OK);
    CHECK(data->time == T);
    CHECK(r.error <= accuracy && r.steps > 0 && r.samples == (int)ceil(T / 0.1));
    CHECK_BELOW(fabs(data->q[0] - 1), 1.7, accuracy);                            // m, the rod is 1 m long
    CHECK(data->par->options.dt == 0.1 && data->par->options.accuracy == 1e-4);  // as they were
    before = fabs(data->q[0] - 1);
    pl_data_destroy(data);
  }
  CHECK_BELOW(before, 1.8e-5, 1);
}

static void samples_come_at_fixed_times(void) {
  plData* data = simulate(drop);
  plError error;
  int inner = 0;
  for (int i = 0; i < 12; i++) {
    CHECK_INT(pl_step(data, &error), PL_OK);
    CHECK_NEAR(data->time, 0.05 * (i + 1), 1e-15);
    inner += data->report.inner;
    CHECK(data->report.error <= 1e-3 && data->report.searches > data->report.inner);
  }
  CHECK(inner > 24);
  CHECK(data->inner_dt > 0 && data->inner_dt <= 0.05);
  pl_data_destroy(data);
}

// The state includes the inner step: a state saved between two samples continues with the same bits.
static void a_restart_gives_the_same_bits(void) {
  plData *data = simulate(drop), *other = simulate(drop);
  plError error;
  for (int i = 0; i < 4; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  size_t size = pl_state_size(data);
  char* bytes = malloc(size);
  CHECK_INT(pl_state_get(data, bytes, size, &error), PL_OK);
  CHECK_INT(pl_state_set(other, bytes, size, &error), PL_OK);
  CHECK(other->inner_dt == data->inner_dt && data->inner_dt > 0);
  CHECK(pl_state_hash(data) == pl_state_hash(other));
  const char* path = PLIANT_BINARYDIR "/test/accuracy.state";
  CHECK_INT(pl_state_save(data, path, &error), PL_OK);
  plData* third = simulate(drop);
  CHECK_INT(pl_state_load(third, path, &error), PL_OK);
  for (int i = 0; i < 4; i++) {
    CHECK_INT(pl_step(data, &error), PL_OK);
    CHECK_INT(pl_step(other, &error), PL_OK);
    CHECK_INT(pl_step(third, &error), PL_OK);
    CHECK(pl_state_hash(data) == pl_state_hash(other) && pl_state_hash(data) == pl_state_hash(third));
  }
  CHECK_INT(pl_state_set(other, bytes, size - 1, &error), PL_ERROR_INPUT);
  pl_data_reset(other);
  CHECK(other->inner_dt == 0);
  free(bytes), pl_data_destroy(data), pl_data_destroy(other), pl_data_destroy(third);
}

// A file of the version before, whose row of options is shorter by one.
static void an_older_state_is_read(void) {
  plData *data = simulate(drop), *other = simulate(drop);
  plError error;
  plOptions o = data->par->options;
  o.accuracy = 0;
  CHECK_INT(pl_options_set(data, &o, &error), PL_OK);
  for (int i = 0; i < 2; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  const char* path = PLIANT_BINARYDIR "/test/older.state";
  CHECK_INT(pl_state_save(data, path, &error), PL_OK);
  FILE* file = fopen(path, "rb");
  char now[65536], then[65536];
  size_t n = fread(now, 1, sizeof now, file), options = 21 * sizeof(double);
  fclose(file);
  // magic | hash | size || options || the rest | hash of all
  memcpy(then, now, 24), then[7] = '2';
  memcpy(then + 8, &data->model->work->hash3, 8);
  memcpy(then + 24, now + 32, options);
  memcpy(then + 24 + options, now + 32 + options + 8, n - 32 - options - 8);
  uint64_t size;
  memcpy(&size, now + 16, 8), size -= 8, memcpy(then + 16, &size, 8);
  uint64_t hash = pl_hash(PL_HASH_START, then, n - 24);
  memcpy(then + n - 24, &hash, 8);
  file = fopen(path, "wb");
  fwrite(then, 1, n - 16, file);
  fclose(file);
  CHECK_INT(pl_state_load(other, path, &error), PL_OK);
  if (error.message[0]) printf("%s\n", error.message);
  CHECK(pl_state_hash(other) == pl_state_hash(data) && other->par->options.accuracy == 0);
  pl_data_destroy(data), pl_data_destroy(other);
}

static void threads_do_not_change_bits(void) {
  uint64_t hash[2];
  for (int k = 0; k < 2; k++) {
    char text[2048];
    snprintf(text, sizeof text, "%s", drop);
    char* at = strstr(text, "dt: 0.05");
    memmove(at + 11, at, strlen(at) + 1), memcpy(at, k ? "threads: 3," : "threads: 1,", 11);
    plData* data = simulate(text);
    plError error;
    for (int i = 0; i < 5; i++) CHECK_INT(pl_step(data, &error), PL_OK);
    hash[k] = pl_state_hash(data);
    pl_data_destroy(data);
  }
  CHECK(hash[0] == hash[1]);
}

// What fails for one length is taken shorter: an explicit scheme is unstable beyond a limit.
static void what_does_not_converge_is_halved(void) {
  plData* data = simulate(drop);
  plError error;
  plOptions o = data->par->options;
  o.theta = 0, o.accuracy = 0;
  CHECK_INT(pl_options_set(data, &o, &error), PL_OK);
  CHECK_INT(pl_step(data, &error), PL_ERROR_UNSTABLE);
  o.accuracy = 0.01;
  CHECK_INT(pl_options_set(data, &o, &error), PL_OK);
  data->inner_dt = 0.05;
  for (int i = 0; i < 2; i++) {
    CHECK_INT(pl_step(data, &error), PL_OK);
    if (i == 0) CHECK(data->report.rejected > 2);
  }
  CHECK(error.message[0] == 0);
  pl_data_destroy(data);
}

static plStatus refuse(plData* data, void* user) {
  (void)data, (void)user;
  return PL_ERROR_CANCELLED;
}

static void a_failed_step_leaves_the_state(void) {
  plData* data = simulate(drop);
  plError error;
  for (int i = 0; i < 3; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  uint64_t hash = pl_state_hash(data);
  double h = data->inner_dt;
  pl_data_set_control(data, refuse, NULL);
  CHECK_INT(pl_step(data, &error), PL_ERROR_CANCELLED);
  pl_data_set_control(data, NULL, NULL);
  CHECK(pl_state_hash(data) == hash && data->inner_dt == h);
  plOptions o = data->par->options;
  o.accuracy = 0.05, o.max_iterations = 1, o.tolerance = 1e-13;  // cannot be met, however short
  CHECK_INT(pl_options_set(data, &o, &error), PL_OK);
  plStatus status = PL_OK;
  for (int i = 0; i < 12 && !status; i++) {
    hash = pl_state_hash(data);
    status = pl_step(data, &error);
  }
  CHECK(status != PL_OK);
  CHECK(pl_state_hash(data) == hash);
  CHECK_INT(pl_advance(data, data->time + 1, 0, NULL, &error), (int)status);
  CHECK(pl_state_hash(data) == hash);
  pl_data_destroy(data);
}

// A stiff spring that vibrates 160 times in dt: the work of a step is bounded.
static void too_many_inner_steps_are_refused(void) {
  plData* data = simulate(
      "pliant: 1\noptions: {dt: 0.1, accuracy: 1e-4}\nbodies:\n"
      "  - {name: rod, mass: 1, com: [0, 0, -1], inertia: [0, 0, 0.01],\n"
      "     joint: {kind: revolute, axis: [0, 1, 0], stiffness: 1e8}}\n");
  plError error;
  data->v[0] = 1e4;
  uint64_t before = pl_state_hash(data);
  CHECK_INT(pl_step(data, &error), PL_ERROR_NOT_CONVERGED);
  CHECK(strstr(error.message, "needs more than 4096 inner steps") != NULL);
  CHECK(pl_state_hash(data) == before && data->time == 0);
  data->v[0] = 0;
  CHECK_INT(pl_step(data, &error), PL_OK);
  pl_data_destroy(data);
}

static void wrong_arguments_are_refused(void) {
  plData* data = simulate(pendulum);
  plError error;
  plOptions o = data->par->options;
  uint64_t hash = pl_state_hash(data);
  CHECK_INT(pl_advance(data, -1, 1e-3, NULL, &error), PL_ERROR_INPUT);
  CHECK_INT(pl_advance(data, NAN, 1e-3, NULL, &error), PL_ERROR_INPUT);
  CHECK_INT(pl_advance(data, 1, -1, NULL, &error), PL_ERROR_INPUT);
  CHECK_INT(pl_advance(data, 1, NAN, NULL, &error), PL_ERROR_INPUT);
  o.accuracy = 0;
  CHECK_INT(pl_options_set(data, &o, &error), PL_OK);
  CHECK_INT(pl_advance(data, 1, 0, NULL, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "accuracy");
  CHECK_INT(pl_advance(data, 0, 1e-3, NULL, &error), PL_OK);  // there already
  CHECK(pl_state_hash(data) == hash);
  pl_data_destroy(data);
}

// A limit that holds a weight exerts m g, however long the last part of the step was; a ball that falls keeps
// the parts short.
static void forces_are_of_the_last_part(void) {
  plData* data = simulate(
      "pliant: 1\noptions: {dt: 0.02, accuracy: 1e-5}\nbodies:\n"
      "  - {name: weight, mass: 2, inertia: [1, 1, 1],\n"
      "     joint: {kind: prismatic, axis: [0, 0, 1], lower: -0.01}}\n"
      "  - {name: ball, mass: 1, inertia: [1, 1, 1], joint: {kind: prismatic, axis: [0, 0, 1]}}\n");
  plError error;
  plWrench wrench[2];
  CHECK_INT(pl_advance(data, 1, 0, NULL, &error), PL_OK);
  CHECK(data->report.dt < 0.005);
  CHECK_NEAR(pl_limit_force(data, 0), 2 * 9.81, 1.5e-8);
  CHECK_INT(pl_joint_wrenches(data, wrench, NULL), PL_OK);
  CHECK_ROUND(wrench[0].force.z, 2 * 9.81, 20);
  pl_data_destroy(data);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_pendulum_returns_after_its_period);
  RUN(samples_come_at_fixed_times);
  RUN(a_restart_gives_the_same_bits);
  RUN(an_older_state_is_read);
  RUN(threads_do_not_change_bits);
  RUN(what_does_not_converge_is_halved);
  RUN(a_failed_step_leaves_the_state);
  RUN(too_many_inner_steps_are_refused);
  RUN(wrong_arguments_are_refused);
  RUN(forces_are_of_the_last_part);
  return CHECK_END;
}

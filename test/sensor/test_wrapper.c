// test_wrapper.c: rate, delay, noise and seed: when samples are taken and read, that bits follow from seed
// and state alone, and that sensors are part of the state.
#include "base/memory.h"
#include "base/random.h"
#include "model/work.h"
#include "pliant/batch.h"
#include "pliant/pliant.h"
#include "world.h"

static const double DT = 0.01;

static plSensorDef sensor(const char* name, plSensorKind kind, const char* on) {
  plSensorDef def = pl_default_sensor_def();
  def.name = name, def.kind = kind, def.on = on;
  return def;
}

static int add(World* w, plSensorDef def) {
  int id = -1;
  plStatus status = pl_spec_add_sensor(w->spec, &def, &id, &w->error);
  CHECK_INT(status, PL_OK);
  if (status) printf("%s\n", w->error.message);
  return id;
}

static double number(const World* w, int id) {
  double x[16];
  CHECK(pl_sensor_size(w->model, id) <= 16);
  CHECK_INT(pl_sensor_read(w->data, id, x), PL_OK);
  return x[0];
}

// A body that flies along x at 1 m/s: its x is the time.
static World flyer(void) {
  World w = begin((plVec3){0, 0, 0}, DT);
  plBodyDef body = pl_default_body_def();
  body.name = "dart", body.mass = 1, body.velocity.x = 1;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  CHECK_INT(pl_spec_add_body(w.spec, &body, NULL, &w.error), PL_OK);
  return w;
}

static void rate_holds_and_delay_shifts(void) {
  World w = flyer();
  plSensorDef def = sensor("each", PL_SENSOR_POSITION, "dart");
  int each = add(&w, def);
  def.name = "slow", def.rate = 25;
  int slow = add(&w, def);
  def.name = "late", def.rate = 0, def.delay = 0.03;
  int late = add(&w, def);
  def.name = "both", def.rate = 25, def.delay = 0.05;
  int both = add(&w, def);
  // a rate that is not a multiple of the step's: samples at the first step after each tick
  def.name = "odd", def.rate = 30, def.delay = 0;
  int odd = add(&w, def);
  build(&w);
  for (int k = 0; k <= 60; k++) {
    double t = k * DT;
    CHECK_ROUND(number(&w, each), t, 0.6);
    CHECK_ROUND(number(&w, slow), floor(t * 25 + 1e-9) / 25, 0.6);
    CHECK_ROUND(number(&w, late), fmax(t - 0.03, 0), 0.6);
    CHECK_ROUND(number(&w, both), fmax(floor((t - 0.05) * 25 + 1e-9) / 25, 0), 0.6);
    double tick = floor(t * 30 + 1e-9) / 30, first = ceil(tick / DT - 1e-9) * DT;
    CHECK_ROUND(number(&w, odd), first, 0.6);
    CHECK_ROUND(pl_sensor_time(w.data, late), fmax(t - 0.03, 0), 0.6);
    run(&w, 1);
  }
  end(&w);
}

// Mean and spread of the noise; other samples, other columns, other seeds, other names: other numbers.
static void noise_is_normal(void) {
  World w = flyer();
  plSensorDef def = sensor("a", PL_SENSOR_IMU, "dart");
  def.noise[0] = 2, def.nnoise = 1;
  add(&w, def);
  def.name = "b", def.noise[3] = 0.5, def.noise[0] = def.noise[1] = def.noise[2] = 2, def.nnoise = 6;
  add(&w, def);
  build(&w);
  double sum = 0, square = 0, cross = 0, a[6], b[6], last = 0, lag = 0;
  const int n = 4000;
  for (int k = 0; k < n; k++) {
    run(&w, 1);
    pl_sensor_read(w.data, 0, a), pl_sensor_read(w.data, 1, b);
    sum += a[0], square += a[0] * a[0], cross += a[0] * b[0] + a[0] * a[1], lag += last * a[0], last = a[0];
    CHECK(a[3] == 0 && a[4] == 0 && b[4] == 0 && b[3] != 0);
  }
  // four standard errors
  CHECK_NEAR(sum / n, 0, 4 * 2 / sqrt(n));
  CHECK_NEAR(square / n, 4, 4 * 4 * sqrt(2.0 / n));
  CHECK_NEAR(cross / n, 0, 1.8 * 4 * sqrt(2.0 / n));
  CHECK_NEAR(lag / n, 0, 4 * 4 / sqrt(n));
  end(&w);
}

// A soft block falls on the ground beside the dart; every kind of wrapper at once.
static World busy(int threads) {
  World w = begin((plVec3){0, 0, -9.81}, DT);
  pl_spec_options(w.spec)->threads = threads;
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, (plVec3){0, 0, 0}, (plVec3){0, 0, 0}, pl_default_surface());
  add_block(&w, (plVec3){0.1, 0.1, 0.1}, 4, 4, 4, pose_at(0, 0, 0.06), 1e5);
  plShapeDef box = pl_default_shape_def();
  box.kind = PL_SHAPE_BOX, box.size = (plVec3){0.06, 0.06, 0.06};
  add_body(&w, "box", box, pose_at(0.01, 0, 0.16), (plVec3){0, 0, 0}, 1, 6e-4);
  plSensorDef def = sensor("taxels", PL_SENSOR_TAXELS, "ground");
  def.size[0] = def.size[1] = 0.2, def.cells[0] = def.cells[1] = 8, def.noise[0] = 0.01, def.nnoise = 1;
  add(&w, def);
  def = sensor("imu", PL_SENSOR_IMU, "box");
  def.delay = 0.035, def.noise[0] = 0.1, def.nnoise = 1, def.seed = 7;
  add(&w, def);
  def = sensor("dots", PL_SENSOR_MARKERS, "block0");
  def.size[0] = def.size[1] = 0.09, def.cells[0] = def.cells[1] = 5, def.mount = "box", def.rate = 40,
  def.delay = 0.1;
  add(&w, def);
  def = sensor("pair", PL_SENSOR_CONTACT, "block0");
  def.other = "box", def.rate = 30;
  add(&w, def);
  def = sensor("facets", PL_SENSOR_TAXELS, "box");
  def.has_region = true, def.delay = 0.02;
  add(&w, def);
  static const plSensorKind cameras[3] = {PL_SENSOR_DEPTH, PL_SENSOR_RGB, PL_SENSOR_SEGMENTATION};
  static const char* const names[3] = {"depth", "rgb", "what"};
  for (int k = 0; k < 3; k++) {
    def = sensor(names[k], cameras[k], "world");
    def.pose = (plPose){{0, -0.3, 0.1}, {0.70710678118654752, -0.70710678118654752, 0, 0}};
    def.width = 24, def.height = 20, def.delay = 0.015, def.seed = 5, def.shadows = k == 1;
    if (k < 2) def.noise[0] = k ? 3 : 1e-3, def.nnoise = 1;
    add(&w, def);
  }
  build(&w);
  return w;
}

static void same_bits_after_loading(void) {
  World w = busy(1);
  run(&w, 17);
  const char* path = "test_sensor_wrapper.state";
  CHECK_INT(pl_state_save(w.data, path, &w.error), PL_OK);
  plData* other = pl_data_create(w.model, &w.error);
  for (int k = 0; k < 5; k++) CHECK_INT(pl_step(other, NULL), PL_OK);
  CHECK_INT(pl_state_load(other, path, &w.error), PL_OK);
  CHECK(!memcmp(w.data->reading, other->reading, w.model->reading_bytes));
  for (int k = 0; k < 40; k++) {
    run(&w, 1);
    CHECK_INT(pl_step(other, NULL), PL_OK);
    CHECK(!memcmp(w.data->reading, other->reading, w.model->reading_bytes));
    CHECK(pl_state_hash(w.data) == pl_state_hash(other));
  }
  // a copy, and a reset
  plData* third = pl_data_create(w.model, &w.error);
  CHECK_INT(pl_data_copy(third, w.data, &w.error), PL_OK);
  run(&w, 3);
  for (int k = 0; k < 3; k++) CHECK_INT(pl_step(third, NULL), PL_OK);
  CHECK(!memcmp(w.data->reading, third->reading, w.model->reading_bytes));
  pl_data_reset(w.data);
  pl_data_reset(third);
  run(&w, 12);
  for (int k = 0; k < 12; k++) CHECK_INT(pl_step(third, NULL), PL_OK);
  CHECK(!memcmp(w.data->reading, third->reading, w.model->reading_bytes));
  pl_data_destroy(other), pl_data_destroy(third), remove(path);
  end(&w);
}

static void same_bits_on_any_threads(void) {
  World a = busy(1), b = busy(2), c = busy(4);
  for (int k = 0; k < 40; k++) {
    run(&a, 1), run(&b, 1), run(&c, 1);
    CHECK(!memcmp(a.data->reading, b.data->reading, a.model->reading_bytes));
    CHECK(!memcmp(a.data->reading, c.data->reading, a.model->reading_bytes));
  }
  double pair[9];
  CHECK_INT(pl_sensor_read(a.data, 3, pair), PL_OK);
  CHECK(pair[6] > 1);  // they do touch
  end(&a), end(&b), end(&c);
}

static plStatus refuse(plData* data, void* user) {
  (void)user;
  data->f_user[0] = 1;
  return PL_ERROR_CANCELLED;
}

static void a_failed_step_samples_nothing(void) {
  World w = flyer();
  plSensorDef def = sensor("p", PL_SENSOR_POSITION, "dart");
  def.noise[0] = 1, def.nnoise = 1, def.delay = 0.02;
  add(&w, def);
  build(&w);
  run(&w, 5);
  uint64_t hash = pl_state_hash(w.data);
  double before = number(&w, 0);
  pl_data_set_control(w.data, refuse, NULL);
  CHECK_INT(pl_step(w.data, &w.error), PL_ERROR_CANCELLED);
  CHECK(pl_state_hash(w.data) == hash);
  CHECK(number(&w, 0) == before);
  end(&w);
}

static void a_steady_step_allocates_nothing(void) {
  World w = busy(1);
  run(&w, 150);
  long before = pl_alloc_count();
  run(&w, 20);
  CHECK_INT(pl_alloc_count() - before, 0);
  end(&w);
}

// ---- bad input: a sentence with the name, and nothing is added

static void refuse_def(plSensorDef def, const char* sentence) {
  World w = flyer();
  add_block(&w, (plVec3){0.1, 0.1, 0.1}, 2, 2, 2, pose_at(0, 0, 1), 1e5);
  plStatus status = pl_spec_add_sensor(w.spec, &def, NULL, &w.error);
  if (!status) {
    const plModel* model = pl_model_create(w.spec, &w.error);
    CHECK(model == NULL);
    pl_model_destroy(model);
  } else {
    CHECK_INT(status, PL_ERROR_INPUT);
    CHECK_INT(pl_spec_sensor_count(w.spec), 0);
  }
  CHECK_HAS(w.error.message, sentence);
  pl_spec_destroy(w.spec);
}

static void bad_input(void) {
  plSensorDef def = sensor("s", PL_SENSOR_POSITION, "dart");
  def.rate = 101;
  refuse_def(def, "sensor 's': a rate of 101 per second is above that of the steps, 1/dt = 100");
  def.rate = 0, def.delay = -1;
  refuse_def(def, "sensor 's': its delay must not be negative");
  def.delay = 1e9;
  refuse_def(def, "more than 256 MiB; lower its rate, delay or size");
  def.delay = 0, def.on = "drat";
  refuse_def(def, "which does not exist; did you mean 'dart'?");
  def.on = NULL;
  refuse_def(def, "sensor 's' (position) needs 'on'");
  def = sensor("s", PL_SENSOR_IMU, "dart");
  def.noise[0] = 1, def.nnoise = 2;
  refuse_def(def, "noise has one number or one per column, which are 6, got 2");
  def.nnoise = 1, def.noise[0] = NAN;
  refuse_def(def, "noise must not be negative");
  def = sensor("s", PL_SENSOR_TAXELS, "block0");
  refuse_def(def, "needs one of: cells and size of a grid, a region");
  def.has_region = true, def.region.kind = PL_REGION_SPHERE, def.region.radius = 0.001;
  def.region.centre = (plVec3){0, 0, 3};
  refuse_def(def, "sensor 's' (taxels): its region holds no facet of 'block0'");
  def = sensor("s", PL_SENSOR_TAXELS, "block0");
  def.cells[0] = def.cells[1] = 3, def.size[0] = def.size[1] = 0.1, def.pose.p.x = 5;
  refuse_def(def, "sensor 's' (taxels): no facet of 'block0'");
  def.cells[0] = 0;
  refuse_def(def, "a grid has 1 to 4096 cells");
  def = sensor("s", PL_SENSOR_MARKERS, "block0");
  def.cells[0] = def.cells[1] = 3, def.size[0] = def.size[1] = 0.5;
  refuse_def(def, "sensor 's' (markers): the marker at");
  plVec3 outside = {1, 0, 0};
  def.cells[0] = def.cells[1] = 0, def.point = &outside, def.npoint = 1;
  refuse_def(def, "sensor 's' (markers): point 0 at (1, 0, 0) m is not inside 'block0'");
  def = sensor("a b", PL_SENSOR_POSITION, "dart");
  refuse_def(def, "may not contain ' '");
}

static void bad_scenes(void) {
  static const char* const lines[][2] = {
      {"{name: s, kind: imu, on: ball}", "names the rigid body 'ball', which does not exist"},
      {"{name: s, kind: imu}", "sensor needs the key 'on'"},
      {"{name: s, kind: imo, on: dart}", "did you mean 'imu'?"},
      {"{name: s, kind: imu, on: dart, cells: [2, 2]}", "a sensor of kind imu does not take 'cells'"},
      {"{name: s, kind: imu, on: dart, rate: 0}", "'rate' of sensor must be a number > 0"},
      {"{name: s, kind: taxels, on: dart, cells: [2, 2]}", "a grid needs both 'size' and 'cells'"},
      {"{name: s, kind: taxels, on: dart, cells: [2], size: [1, 1]}", "give two numbers"},
      {"{name: s, kind: taxels, on: dart, region: {indices: [0]}}",
       "its region cannot be a list of vertices"},
      {"{name: s, kind: markers, on: dart, region: {shape: all}}", "dart"},
      {"{name: s, kind: imu, on: dart, noise: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}", "'noise' has one number"},
      {"{name: s, kind: imu, on: dart}\n  - {name: s, kind: imu, on: dart}", "taken by another sensor"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "pliant: 1\nbodies:\n  - {name: dart, mass: 1, inertia: [1, 1, 1]}\nsensors:\n  - %s\n",
             lines[i][0]);
    plSpec* spec = NULL;
    plError error;
    CHECK_INT(pl_spec_parse("s.yaml", NULL, text, strlen(text), NULL, &spec, &error), PL_ERROR_INPUT);
    CHECK_HAS(error.message, lines[i][1]);
    CHECK(error.line >= 5 && spec == NULL);
    pl_spec_destroy(spec);
  }
}

// A state whose samples make no sense is refused, and nothing changes.
static void damaged_states(void) {
  World w = busy(1);
  run(&w, 5);
  size_t size = pl_state_size(w.data);
  char* bytes = malloc(size);
  CHECK_INT(pl_state_get(w.data, bytes, size, &w.error), PL_OK);
  uint64_t hash = pl_state_hash(w.data);
  for (size_t cut = 1; cut < 200; cut += 7)
    CHECK(pl_state_set(w.data, bytes, size - cut * (size / 200), &w.error) != PL_OK);
  CHECK(pl_state_hash(w.data) == hash);
  // the last entry that holds the present time is that of a sample
  double bad = NAN;
  size_t place = 0;
  for (size_t at = 0; at + 8 <= size; at += 8)
    if (!memcmp(bytes + at, &w.data->time, 8)) place = at;
  memcpy(bytes + place, &bad, 8);
  CHECK_INT(pl_state_set(w.data, bytes, size, &w.error), PL_ERROR_MISMATCH);
  CHECK(pl_state_hash(w.data) == hash);
  // Counts of samples that no run reaches: the next samples would be counted beyond all numbers.
  static const int64_t counts[] = {0, -1, INT64_MIN, INT64_MAX - 1, INT64_MAX};
  size_t samples = w.model->work->sensor_bytes, at = 0;
  CHECK_INT(pl_state_get(w.data, bytes, size, &w.error), PL_OK);
  while (at + samples < size && memcmp(bytes + at, pl_sensors_state(w.data), samples) != 0) at += 8;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    memcpy(bytes + at, &counts[i], 8);  // of the first sensor
    CHECK_INT(pl_state_set(w.data, bytes, size, &w.error), PL_ERROR_MISMATCH);
    CHECK(pl_state_hash(w.data) == hash);
  }
  run(&w, 5);
  free(bytes);
  end(&w);
}

// A spec that went through bytes has the same sensors.
static void through_bytes(void) {
  World w = busy(1);
  size_t size = pl_spec_size(w.spec);
  void* bytes = malloc(size);
  plSpec* spec = NULL;
  CHECK_INT(pl_spec_write(w.spec, bytes, size, &w.error), PL_OK);
  CHECK_INT(pl_spec_read(bytes, size, &spec, &w.error), PL_OK);
  const plModel* model = spec ? pl_model_create(spec, &w.error) : NULL;
  plData* data = model ? pl_data_create(model, &w.error) : NULL;
  CHECK(data && model->hash == w.model->hash);
  for (int k = 0; k < 30 && data; k++) {
    run(&w, 1);
    CHECK_INT(pl_step(data, NULL), PL_OK);
    CHECK(!memcmp(w.data->reading, data->reading, model->reading_bytes));
  }
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec), free(bytes);
  end(&w);
}

// Rows of a batch have the readings of a simulation that runs alone.
static void rows_of_a_batch(void) {
  World w = busy(1);
  plBatch* batch = pl_batch_create(w.model, 5, 2, &w.error);
  CHECK(batch != NULL);
  size_t bytes = w.model->reading_bytes;
  CHECK(!memcmp(batch->reading + 3 * bytes, w.data->reading, bytes));
  for (int k = 0; k < 25; k++) {
    run(&w, 1);
    CHECK_INT(pl_batch_step(batch, NULL, 0, 1, &w.error), PL_OK);
    for (size_t i = 0; i < 5; i++) CHECK(!memcmp(batch->reading + i * bytes, w.data->reading, bytes));
  }
  // reset and copied rows
  CHECK_INT(pl_batch_reset(batch, (int[]){1}, 1, &w.error), PL_OK);
  CHECK_INT(pl_batch_step(batch, (int[]){1}, 1, 25, &w.error), PL_OK);
  CHECK_INT(pl_batch_copy(batch, 1, (int[]){4}, 1, &w.error), PL_OK);
  CHECK_INT(pl_batch_set(batch, (int[]){2}, 1, w.data, &w.error), PL_OK);
  run(&w, 7);
  CHECK_INT(pl_batch_step(batch, NULL, 0, 7, &w.error), PL_OK);
  for (size_t i = 0; i < 5; i++) CHECK(!memcmp(batch->reading + i * bytes, w.data->reading, bytes));
  plData* other = pl_data_create(w.model, &w.error);
  CHECK_INT(pl_batch_get(batch, 4, other, &w.error), PL_OK);
  CHECK(pl_state_hash(other) == pl_state_hash(w.data) && !memcmp(other->reading, w.data->reading, bytes));
  size_t size = pl_batch_state_size(batch, 0);
  CHECK(size == pl_state_size(w.data));
  pl_data_destroy(other), pl_batch_destroy(batch);
  end(&w);
}

// The report, with its count of steps, is no part of the state: whatever it holds before a step, bits of
// motion and readings (with rate, delay and noise) stay.
static void the_report_is_no_state(void) {
  plRandom r = {19};
  World w[2];
  for (int k = 0; k < 2; k++) {
    w[k] = flyer();
    pl_spec_options(w[k].spec)->gravity = (plVec3){0, 0, -9.81};
    add_block(&w[k], v3(0.1, 0.1, 0.1), 2, 2, 2, pose_at(0, 1, 0.06), 1e5);
    add_shape(&w[k], "floor", PL_SHAPE_HALF_SPACE, v3(0, 0, 0), v3(0, 0, 0), pl_default_surface());
    plSensorDef def = sensor("odd", PL_SENSOR_POSITION, "dart");
    def.rate = 30, def.delay = 0.03, def.noise[0] = 0.1, def.nnoise = 1;
    add(&w[k], def);
    build(&w[k]);
  }
  for (int i = 0; i < 60; i++) {
    memset(&w[1].data->report, 0, sizeof w[1].data->report);
    w[1].data->report.step = pl_random_int(&r, 1000), w[1].data->report.status = PL_ERROR_PASSAGE;
    run(&w[0], 1), run(&w[1], 1);
    CHECK(pl_state_hash(w[0].data) == pl_state_hash(w[1].data));
    CHECK(number(&w[0], 0) == number(&w[1], 0));
  }
  CHECK(w[0].data->ncontact > 0);
  end(&w[0]), end(&w[1]);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(rate_holds_and_delay_shifts);
  RUN(noise_is_normal);
  RUN(same_bits_after_loading);
  RUN(same_bits_on_any_threads);
  RUN(a_failed_step_samples_nothing);
  RUN(a_steady_step_allocates_nothing);
  RUN(bad_input);
  RUN(bad_scenes);
  RUN(damaged_states);
  RUN(through_bytes);
  RUN(rows_of_a_batch);
  RUN(the_report_is_no_state);
  return CHECK_END;
}

// A batch: the bits of a plain loop for any number of threads and any order, rows with parameters,
// attachments and failures of their own, views, rollouts; invalid input is refused and changes nothing.
#include "batch/batch.h"
#include "world.h"

enum { NROW = 10, NSTEP = 12 };

// Row i has its own start, inputs, parameters, switches and attachments; the same for a simulation.
static void vary_start(plData* data, int i) {
  const plModel* m = data->model;
  plRandom random = {(uint64_t)i + 7};
  for (int k = 0; k < m->nv; k++) data->v[k] = pl_random(&random, -0.05, 0.05);
  for (int k = 0; k < m->nu; k++) data->u[k] = pl_random(&random, -0.2, 0.6);
  data->f_user[1] = pl_random(&random, -0.3, 0.3);
  if (i % 3 == 1) {
    CHECK_INT(pl_parameter_set(data, "soft.material.young", 1e4 * (1 + i), &error), PL_OK);
    CHECK_INT(pl_parameter_set(data, "hand.mass", 0.2 + 0.1 * i, &error), PL_OK);
    CHECK_INT(pl_parameter_set(data, "held.attachment.stiffness", 1e3 * (1 + i), &error), PL_OK);
  }
  if (i % 4 == 2) CHECK_INT(pl_attach(data, 0, (int[]){26, 25}, 2, 1, NULL, &error), PL_OK);
  if (i % 5 == 3) CHECK_INT(pl_switch_set(data, PL_SWITCH_ACTUATOR, 0, false, &error), PL_OK);
  if (i % 5 == 4) data->f_body[1].force.z = -2;
}

static void fill(plBatch* batch) {
  plData* data = simulation(batch->model);
  for (int i = 0; i < batch->nrow; i++) {
    pl_data_reset(data), pl_parameters_reset(data);
    vary_start(data, i);
    CHECK_INT(pl_batch_set(batch, &i, 1, data, &error), PL_OK);
  }
  pl_data_destroy(data);
}

// What each row must come to, and its signals after the last step.
static int expect(const plModel* model, uint64_t* hash, double* seen) {
  plSignals* signals = NULL;
  CHECK_INT(pl_signals_create(model, list, &signals, &error), PL_OK);
  int width = pl_signals_count(signals);
  for (int i = 0; i < NROW; i++) {
    plData* data = simulation(model);
    vary_start(data, i);
    for (int k = 0; k < NSTEP; k++) CHECK_INT(pl_step(data, &error), PL_OK);
    hash[i] = data_bits(data);
    if (seen) CHECK_INT(pl_signals_eval(signals, data, seen + i * width, &error), PL_OK);
    pl_data_destroy(data);
  }
  pl_signals_destroy(signals);
  return width;
}

static void shuffle(plRandom* random, int* row, int n) {
  for (int i = 0; i < n; i++) row[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int k = pl_random_int(random, i + 1), t = row[i];
    row[i] = row[k], row[k] = t;
  }
}

static void the_bits_of_a_plain_loop(void) {
  const plModel* model = compile();
  uint64_t hash[NROW];
  double seen[NROW * 64];
  int width = expect(model, hash, seen);
  plRandom random = {3};
  static const int threads[] = {1, 2, 3, 16};
  for (int t = 0; t < 4; t++) {
    plBatch* batch = rows(model, NROW, threads[t]);
    int view = -1, row[NROW];
    CHECK_INT(batch->threads, threads[t]);
    fill(batch);
    CHECK_INT(pl_batch_watch(batch, list, &view, &error), PL_OK);
    CHECK_INT(pl_batch_width(batch, view), width);
    // in one call, one by one, and in parts of any order
    CHECK_INT(pl_batch_step(batch, NULL, 0, 3, &error), PL_OK);
    for (int k = 0; k < 4; k++) CHECK_INT(pl_batch_step(batch, NULL, 0, 1, &error), PL_OK);
    shuffle(&random, row, NROW);
    CHECK_INT(pl_batch_step(batch, row, 4, 5, &error), PL_OK);
    CHECK_INT(pl_batch_step(batch, row + 4, NROW - 4, 2, &error), PL_OK);
    CHECK_INT(pl_batch_step(batch, row + 4, NROW - 4, 3, &error), PL_OK);
    for (int i = 0; i < NROW; i++) {
      CHECK(bits(batch, i) == hash[i]);
      CHECK(!memcmp(batch->view[view] + i * width, seen + i * width, (size_t)width * sizeof(double)));
      CHECK(batch->status[i] == PL_OK && batch->cost[i] > 0);
    }
    pl_batch_destroy(batch);
  }
  pl_model_destroy(model);
}

// Threads take the rows of a call in the order of what they cost in the last one, whatever the list's order.
static void expensive_rows_are_started_first(void) {
  const plModel* model = compile();
  plBatch* batch = rows(model, NROW, 2);
  plRandom random = {11};
  for (int call = 0; call < 20; call++) {
    int row[NROW], n = 2 + pl_random_int(&random, NROW - 1);
    double before[NROW];
    shuffle(&random, row, NROW);
    // measured in the call before; from the tenth on as we say, with rows that cost the same
    for (int i = 0; i < NROW && call >= 10; i++) batch->cost[i] = pl_random_int(&random, 4);
    memcpy(before, batch->cost, sizeof before);
    CHECK_INT(pl_batch_step(batch, row, n, 1, &error), PL_OK);
    const int* order = batch->work->order;
    for (int i = 1; i < n; i++)
      CHECK(before[order[i - 1]] > before[order[i]] ||
            (before[order[i - 1]] == before[order[i]] && order[i - 1] < order[i]));
    for (int i = 0; i < n; i++) CHECK(batch->cost[row[i]] > 0 && batch->cost[row[i]] != before[row[i]]);
    for (int i = n; i < NROW; i++) CHECK(batch->cost[row[i]] == before[row[i]]);
  }
  pl_batch_destroy(batch), pl_model_destroy(model);
}

// The model is destroyed with its last user.
static void the_batch_keeps_its_model(void) {
  const plModel* model = compile();
  plBatch* batch = rows(model, 2, 2);
  pl_model_destroy(model);
  CHECK_INT(pl_batch_step(batch, NULL, 0, 2, &error), PL_OK);
  pl_batch_destroy(batch);
  pl_batch_destroy(NULL);
}

static void the_arrays_are_the_state(void) {
  const plModel* model = compile();
  plBatch* batch = rows(model, 3, 2);
  plData* data = simulation(model);
  for (int k = 0; k < model->nu; k++) data->u[k] = batch->u[2 * model->nu + k] = 0.3 + k;
  for (int k = 0; k < model->nq; k++) CHECK(batch->q[2 * model->nq + k] == data->q[k]);
  data->v[0] = batch->v[2 * model->nv] = 0.7;
  data->f_user[1] = batch->f_user[2 * model->nv + 1] = 0.1;
  for (int k = 0; k < 4; k++) CHECK_INT(pl_step(data, &error), PL_OK);
  CHECK_INT(pl_batch_step(batch, NULL, 0, 4, &error), PL_OK);
  CHECK(bits(batch, 2) == data_bits(data) && bits(batch, 1) != data_bits(data));
  CHECK(bits(batch, 0) == bits(batch, 1));
  CHECK(batch->time[2] == data->time && batch->steps[2] == 4);
  pl_data_destroy(data);
  pl_batch_destroy(batch), pl_model_destroy(model);
}

// ---- rows that fail

static void a_failed_row_keeps_its_state(void) {
  const plModel* model = compile();
  uint64_t hash[NROW];
  expect(model, hash, NULL);
  plBatch* batch = rows(model, NROW, 3);
  int view = -1;
  fill(batch);
  CHECK_INT(pl_batch_watch(batch, list, &view, &error), PL_OK);
  int width = pl_batch_width(batch, view);
  CHECK_INT(pl_batch_step(batch, NULL, 0, 5, &error), PL_OK);
  uint64_t before = bits(batch, 4);
  double kept[64], u = batch->u[4 * model->nu];
  memcpy(kept, batch->view[view] + 4 * width, (size_t)width * sizeof(double));
  batch->u[4 * model->nu] = NAN;
  CHECK_INT(pl_batch_step(batch, NULL, 0, NSTEP - 5, &error), PL_ERROR_ROWS);
  CHECK_HAS(error.message, "1 of 10 rows failed; the first is row 4: u of actuator 'hinge' is nan");
  CHECK_INT(batch->status[4], PL_ERROR_NOT_FINITE);
  CHECK_HAS(pl_batch_error(batch, 4), "actuator 'hinge'");
  CHECK_STR(pl_batch_error(batch, 5), "");
  CHECK_INT(batch->steps[4], 0);
  CHECK(isnan(batch->u[4 * model->nu]));
  CHECK(!memcmp(kept, batch->view[view] + 4 * width, (size_t)width * sizeof(double)));
  batch->u[4 * model->nu] = u;
  CHECK(bits(batch, 4) == before);
  // and continues
  CHECK_INT(pl_batch_step(batch, (int[]){4}, 1, NSTEP - 5, &error), PL_OK);
  CHECK_STR(pl_batch_error(batch, 4), "");
  for (int i = 0; i < NROW; i++) CHECK(bits(batch, i) == hash[i]);
  pl_batch_destroy(batch), pl_model_destroy(model);
}

// In the middle of a call: the steps that were taken count. A body of 1 kg that is pushed with 1e7 N would be
// faster than any motion after ten steps.
static void a_row_stops_where_it_fails(void) {
  plSpec* spec = pl_spec_create();
  plBodyDef body = pl_default_body_def();
  body.name = "ball", body.mass = 1;
  for (int k = 0; k < 3; k++) body.inertia[k] = 1e-3;
  CHECK_INT(pl_spec_add_body(spec, &body, NULL, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  pl_spec_destroy(spec);
  plBatch* batch = rows(model, 2, 1);
  plData* data = simulation(model);
  data->f_body[0].force.x = 1e7;
  CHECK_INT(pl_batch_set(batch, (int[]){0}, 1, data, &error), PL_OK);
  int taken = 0;
  while (taken < 1000 && pl_step(data, &error) == PL_OK) taken++;
  CHECK(taken > 1 && taken < 1000);
  CHECK_INT(pl_batch_step(batch, NULL, 0, 1000, &error), PL_ERROR_ROWS);
  CHECK(batch->status[0] == data->report.status && batch->status[1] == PL_OK);
  CHECK(batch->steps[0] == taken && batch->steps[1] == 1000);
  CHECK(bits(batch, 0) == data_bits(data));
  pl_data_destroy(data);
  pl_batch_destroy(batch), pl_model_destroy(model);
}

// ---- setting rows

// Under error control every row has inner steps of its own, which stay with it.
static void rows_keep_their_inner_steps(void) {
  const plModel* model = compile();
  plBatch* batch = rows(model, NROW, 2);
  plData* alone[NROW];
  plOptions o = model->par->options;
  o.accuracy = 1e-3, o.dt *= 4;
  for (int i = 0; i < NROW; i++) {
    alone[i] = simulation(model);
    CHECK_INT(pl_options_set(alone[i], &o, &error), PL_OK);
    for (int k = 0; k < model->nv; k++) alone[i]->v[k] += 0.1 * i;
    CHECK_INT(pl_batch_set(batch, (int[]){i}, 1, alone[i], &error), PL_OK);
  }
  for (int s = 0; s < 3; s++) {
    CHECK_INT(pl_batch_step(batch, NULL, 0, 1, &error), PL_OK);
    for (int i = 0; i < NROW; i++) {
      CHECK_INT(pl_step(alone[i], &error), PL_OK);
      CHECK(bits(batch, i) == data_bits(alone[i]));
    }
  }
  bool differ = false;
  for (int i = 1; i < NROW; i++) differ |= alone[i]->inner_dt != alone[0]->inner_dt;
  CHECK(differ && alone[0]->inner_dt > 0);
  for (int i = 0; i < NROW; i++) pl_data_destroy(alone[i]);
  pl_batch_destroy(batch), pl_model_destroy(model);
}

static void rows_are_set(void) {
  const plModel* model = compile();
  plBatch* batch = rows(model, NROW, 2);
  plData *data = simulation(model), *start = simulation(model);
  int view = -1;
  fill(batch);
  CHECK_INT(pl_batch_watch(batch, list, &view, &error), PL_OK);
  CHECK_INT(pl_batch_step(batch, NULL, 0, 4, &error), PL_OK);
  uint64_t two = bits(batch, 2);

  // bytes of one row become another
  size_t size = pl_batch_state_size(batch, 2);
  char* bytes = PL_NEW(char, size);
  CHECK_INT(pl_batch_state_get(batch, 2, bytes, size, &error), PL_OK);
  CHECK_INT(pl_state_set(data, bytes, size, &error), PL_OK);
  CHECK(data_bits(data) == two);
  CHECK_INT(pl_batch_state_set(batch, (int[]){7, 0}, 2, bytes, size, &error), PL_OK);
  CHECK(bits(batch, 7) == two && bits(batch, 0) == two && bits(batch, 1) != two);
  // another row
  CHECK_INT(pl_batch_copy(batch, 2, (int[]){1, 2, 3}, 3, &error), PL_OK);
  CHECK(bits(batch, 1) == two && bits(batch, 2) == two && bits(batch, 3) == two);
  CHECK_INT(pl_batch_step(batch, NULL, 0, 3, &error), PL_OK);
  CHECK(bits(batch, 1) == bits(batch, 7) && bits(batch, 3) == bits(batch, 2));
  // the start: parameters stay, views show it
  uint64_t parameters = 0;
  CHECK_INT(pl_batch_vary(batch, "held.attachment.stiffness", (int[]){4}, 1, (double[]){777}, &error), PL_OK);
  CHECK_INT(pl_batch_get(batch, 4, data, &error), PL_OK);
  parameters = pl_parameter_hash(data);
  CHECK_INT(pl_batch_reset(batch, (int[]){4, 5}, 2, &error), PL_OK);
  CHECK_INT(pl_batch_get(batch, 4, data, &error), PL_OK);
  CHECK(pl_parameter_hash(data) == parameters && data->attach[0].stiffness == 777);
  CHECK_INT(pl_batch_get(batch, 5, data, &error), PL_OK);
  CHECK(pl_state_hash(data) == pl_state_hash(start));
  plSignals* signals = NULL;
  CHECK_INT(pl_signals_create(model, list, &signals, &error), PL_OK);
  double seen[64];
  CHECK_INT(pl_signals_eval(signals, start, seen, &error), PL_OK);
  int width = pl_signals_count(signals);
  CHECK(!memcmp(batch->view[view] + 5 * width, seen, (size_t)width * sizeof(double)));
  // by hand
  batch->q[5 * model->nq] = start->q[0] = 0.3;
  CHECK_INT(pl_batch_look(batch, (int[]){5}, 1, &error), PL_OK);
  CHECK_INT(pl_signals_eval(signals, start, seen, &error), PL_OK);
  CHECK(!memcmp(batch->view[view] + 5 * width, seen, (size_t)width * sizeof(double)));
  pl_signals_destroy(signals);

  // damaged bytes, another model: nothing changes
  uint64_t zero = bits(batch, 0);
  memset(bytes + pl_parameters_bytes(model), 0xff, 8);  // the time
  CHECK(pl_batch_state_set(batch, NULL, 0, bytes, size, &error) != PL_OK);
  CHECK(pl_batch_state_set(batch, NULL, 0, bytes, size / 3, &error) != PL_OK);
  const plModel* other = compile();
  plData* foreign = simulation(other);
  CHECK_INT(pl_batch_set(batch, NULL, 0, foreign, &error), PL_ERROR_MISMATCH);
  CHECK_INT(pl_batch_get(batch, 0, foreign, &error), PL_ERROR_MISMATCH);
  CHECK(bits(batch, 0) == zero);
  pl_data_destroy(foreign), pl_model_destroy(other);
  pl_free(bytes);
  pl_data_destroy(data), pl_data_destroy(start);
  pl_batch_destroy(batch), pl_model_destroy(model);
}

static void lists_are_checked(void) {
  const plModel* model = compile();
  plBatch* batch = rows(model, 3, 2);
  uint64_t before = bits(batch, 1);
  CHECK_INT(pl_batch_step(batch, (int[]){1, 3}, 2, 1, &error), PL_ERROR_INPUT);
  CHECK_STR(error.message, "there is no row 3; the batch has rows 0 to 2");
  CHECK_INT(pl_batch_step(batch, (int[]){1, 0, 1}, 3, 1, &error), PL_ERROR_INPUT);
  CHECK_STR(error.message, "row 1 is listed twice");
  CHECK_INT(pl_batch_step(batch, (int[]){1}, -1, 1, &error), PL_ERROR_INPUT);
  CHECK_INT(pl_batch_step(batch, NULL, 0, 0, &error), PL_ERROR_INPUT);
  CHECK_INT(pl_batch_reset(batch, (int[]){-1}, 1, &error), PL_ERROR_INPUT);
  CHECK_INT(pl_batch_copy(batch, 3, NULL, 0, &error), PL_ERROR_INPUT);
  CHECK_INT(pl_batch_vary(batch, "hand.mass", (int[]){9}, 1, (double[]){1}, &error), PL_ERROR_INPUT);
  CHECK_INT(pl_batch_parameters_reset(batch, (int[]){9}, 1, &error), PL_ERROR_INPUT);
  CHECK_INT(pl_batch_state_get(batch, 3, NULL, 0, &error), PL_ERROR_INPUT);
  CHECK(pl_batch_state_size(batch, 3) == 0);
  CHECK_INT(pl_batch_rollout(batch, NULL, 0, NULL, 2, 1, 0, (double[9]){0}, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "pl_batch_watch");
  int view = 5;
  CHECK_INT(pl_batch_watch(batch, "time, nothing.com", &view, &error), PL_ERROR_INPUT);
  CHECK(view == 5 && batch->nview == 0);
  CHECK(bits(batch, 1) == before);
  CHECK_INT(pl_batch_step(batch, (int[]){1}, 0, 1, &error), PL_OK);
  CHECK(bits(batch, 1) == before);
  CHECK(!pl_batch_create(model, 0, 1, &error));
  CHECK(!pl_batch_create(model, 1, -1, &error));
  CHECK(!pl_batch_create(model, 1 << 30, 1, &error));
  CHECK_INT(error.status, PL_ERROR_TOO_LARGE);
  pl_batch_destroy(batch), pl_model_destroy(model);
}

// ---- parameters

static void parameters_belong_to_rows(void) {
  const plModel* model = compile();
  plBatch* batch = rows(model, 4, 2);
  plData* data = simulation(model);
  double value[4] = {2e4, 3e4, 4e4, 5e4};
  int index = pl_parameter_find(model, "soft.material.young");
  CHECK_INT(pl_batch_vary(batch, "soft.material.young", NULL, 0, value, &error), PL_OK);
  for (int i = 0; i < 4; i++) CHECK(pl_batch_parameter(batch, i, index) == value[i]);
  CHECK(isnan(pl_batch_parameter(batch, 4, index)) && isnan(pl_batch_parameter(batch, 0, -1)));
  uint64_t before = bits(batch, 1);
  CHECK_INT(pl_batch_vary(batch, "soft.material.young", (int[]){3, 1}, 2, (double[]){9e4, -1}, &error),
            PL_ERROR_INPUT);
  CHECK_HAS(error.message, "row 1: soft.material.young = -1 is out of range");
  CHECK(pl_batch_parameter(batch, 3, index) == 5e4);
  CHECK_INT(pl_batch_vary(batch, "soft.material.yuong", NULL, 0, value, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "did you mean 'soft.material.young'?");
  CHECK(bits(batch, 1) == before);
  CHECK_INT(pl_parameter_set(data, "soft.material.young", 4e4, &error), PL_OK);
  for (int k = 0; k < 5; k++) CHECK_INT(pl_step(data, &error), PL_OK);
  CHECK_INT(pl_batch_step(batch, NULL, 0, 5, &error), PL_OK);
  CHECK(bits(batch, 2) == data_bits(data));
  CHECK_INT(pl_batch_parameters_reset(batch, (int[]){2}, 1, &error), PL_OK);
  CHECK(pl_batch_parameter(batch, 2, index) == 3e4);
  pl_data_destroy(data);
  pl_batch_destroy(batch), pl_model_destroy(model);
}

// ---- rollouts

static void a_rollout_is_its_steps(void) {
  enum { T = 5, PART = 4 };
  const plModel* model = compile();
  for (int threads = 1; threads <= 3; threads++) {
    plBatch *one = rows(model, NROW, threads), *two = rows(model, NROW, 1);
    int view = -1, row[PART] = {6, 0, 3, 8};
    fill(one), fill(two);
    CHECK_INT(pl_batch_watch(one, list, &view, &error), PL_OK);
    CHECK_INT(pl_batch_watch(two, list, &view, &error), PL_OK);
    size_t width = (size_t)pl_batch_width(one, view), nu = (size_t)model->nu;
    double* u = PL_NEW(double, PART* T* nu);
    double* out = PL_NEW(double, PART* T* width);
    plRandom random = {5};
    for (size_t k = 0; k < PART * T * nu; k++) u[k] = pl_random(&random, -0.3, 0.3);
    u[(1 * T + 3) * nu] = INFINITY;  // row 0 fails at its fourth input
    CHECK_INT(pl_batch_rollout(one, row, PART, u, T, 2, view, out, &error), PL_ERROR_ROWS);
    CHECK_HAS(error.message, "row 0: u of actuator 'hinge' is inf");
    CHECK_INT(one->steps[0], 6);
    for (size_t i = 0; i < PART; i++)
      for (size_t t = 0; t < T; t++) {
        int r = row[i];
        double* seen = out + (i * T + t) * width;
        if (r == 0 && t >= 3) {
          for (size_t k = 0; k < width; k++) CHECK(isnan(seen[k]));
          continue;
        }
        memcpy(two->u + (size_t)r * nu, u + (i * T + t) * nu, nu * sizeof(double));
        CHECK_INT(pl_batch_step(two, &r, 1, 2, &error), PL_OK);
        CHECK(!memcmp(seen, two->view[view] + (size_t)r * width, width * sizeof(double)));
      }
    for (int i = 0; i < NROW; i++)
      if (i) CHECK(bits(one, i) == bits(two, i));
    // inputs stay where none are given
    CHECK_INT(pl_batch_rollout(one, row + 2, 1, NULL, 2, 1, view, out, &error), PL_OK);
    CHECK_INT(pl_batch_step(two, row + 2, 1, 2, &error), PL_OK);
    CHECK(bits(one, 3) == bits(two, 3));
    pl_free(u), pl_free(out);
    pl_batch_destroy(one), pl_batch_destroy(two);
  }
  pl_model_destroy(model);
}

// ---- memory

static void a_steady_step_asks_for_no_memory(void) {
  const plModel* model = compile();
  plBatch* batch = rows(model, NROW, 1);
  int view;
  fill(batch);
  CHECK_INT(pl_batch_watch(batch, "time, soft.com", &view, &error), PL_OK);
  CHECK_INT(pl_batch_step(batch, NULL, 0, 5, &error), PL_OK);
  // rows with attachments of their own take turns with others on one thread: those are created again
  int plain[4] = {0, 1, 5, 7};
  CHECK_INT(pl_batch_copy(batch, 0, plain + 1, 3, &error), PL_OK);
  CHECK_INT(pl_batch_vary(batch, "hand.mass", plain, 4, (double[]){0.3, 0.4, 0.5, 0.6}, &error), PL_OK);
  CHECK_INT(pl_batch_step(batch, plain, 4, 3, &error), PL_OK);
  long before = pl_alloc_count();
  CHECK_INT(pl_batch_step(batch, plain, 4, 2, &error), PL_OK);
  CHECK_INT(pl_alloc_count(), before);
  pl_batch_destroy(batch), pl_model_destroy(model);
}

static void rows_are_small(void) {
  const plModel* model = compile();
  plBatch* batch = rows(model, 100, 1);
  size_t state = pl_batch_state_size(batch, 0);
  CHECK(pl_batch_memory(batch) <= 100 * state);
  double value[100];
  for (int i = 0; i < 100; i++) value[i] = 1e4 + i;
  CHECK_INT(pl_batch_vary(batch, "soft.material.young", NULL, 0, value, &error), PL_OK);
  CHECK(pl_batch_memory(batch) <= 200 * state);
  pl_batch_destroy(batch), pl_model_destroy(model);
}

// Every allocation of every call fails once: a status, and the rows as they were.
static void memory_may_run_out(void) {
  const plModel* model = compile();
  plData* data = simulation(model);
  vary_start(data, 2);
  plBatch* batch = NULL;
  int tries = 0;
  for (int n = 0; !batch; n++, tries++) {
    pl_alloc_fail_after(n);
    batch = pl_batch_create(model, 3, 1, &error);
    pl_alloc_fail_after(-1);
    if (!batch) CHECK_INT(error.status, PL_ERROR_MEMORY);
  }
  CHECK(tries > 20);
  int view = -1;
  double value[3] = {1, 2, 3};
  uint64_t hash = bits(batch, 1);
  for (int call = 0; call < 3; call++) {
    plStatus status = PL_ERROR_MEMORY;
    for (int n = 0; status; n++) {
      pl_alloc_fail_after(n);
      status = call == 0   ? pl_batch_watch(batch, "time, soft.com", &view, &error)
               : call == 1 ? pl_batch_vary(batch, "hand.mass", NULL, 0, value, &error)
                           : pl_batch_set(batch, NULL, 0, data, &error);
      pl_alloc_fail_after(-1);
      if (status) CHECK(status == PL_ERROR_MEMORY || status == PL_ERROR_ROWS);
      if (status && call < 2) CHECK(bits(batch, 1) == hash);
    }
    hash = bits(batch, 1);
  }
  CHECK(hash == data_bits(data));
  CHECK_INT(pl_batch_step(batch, NULL, 0, 2, &error), PL_OK);
  pl_data_destroy(data);
  pl_batch_destroy(batch), pl_model_destroy(model);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(the_bits_of_a_plain_loop);
  RUN(expensive_rows_are_started_first);
  RUN(the_batch_keeps_its_model);
  RUN(the_arrays_are_the_state);
  RUN(a_failed_row_keeps_its_state);
  RUN(a_row_stops_where_it_fails);
  RUN(rows_keep_their_inner_steps);
  RUN(rows_are_set);
  RUN(lists_are_checked);
  RUN(parameters_belong_to_rows);
  RUN(a_rollout_is_its_steps);
  RUN(a_steady_step_asks_for_no_memory);
  RUN(rows_are_small);
  RUN(memory_may_run_out);
  return CHECK_END;
}

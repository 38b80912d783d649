// A batch's call that the user ends: each row keeps the state after whole steps, with the bits of a plain
// loop, and continues from there as if nothing had happened, for any number of threads.
#include "batch/batch.h"
#include "world.h"

enum { NROW = 5, FOREVER = 1 << 28 };

typedef struct Asked {
  int times, until;  // the answer is yes from this question on
} Asked;

static bool asked(void* user) {
  Asked* a = user;
  return ++a->times >= a->until;
}

static void start(plBatch* batch, plRandom* random) {
  const plModel* m = batch->model;
  for (int i = 0; i < NROW * m->nu; i++) batch->u[i] = pl_random(random, -0.2, 0.6);
  for (int i = 0; i < NROW * m->nv; i++) batch->v[i] = pl_random(random, -0.05, 0.05);
}

// Row by row: a plain loop of that many steps with those inputs, NULL: those of the row.
static void rows_are_whole_steps(const plBatch* batch, const plBatch* from, const int* steps, const double* u,
                                 int n) {
  const plModel* m = batch->model;
  plData *data = simulation(m), *row = simulation(m);
  for (int i = 0; i < NROW; i++) {
    CHECK_INT(pl_batch_get((plBatch*)(uintptr_t)from, i, data, &error), PL_OK);
    for (int k = 0; k < steps[i]; k++) {
      if (u) memcpy(data->u, u + ((size_t)i * (size_t)n + (size_t)k) * (size_t)m->nu, (size_t)m->nu * 8);
      CHECK_INT(pl_step(data, &error), PL_OK);
    }
    CHECK_INT(pl_batch_get((plBatch*)(uintptr_t)batch, i, row, &error), PL_OK);
    CHECK(pl_state_hash(row) == pl_state_hash(data));
  }
  pl_data_destroy(row), pl_data_destroy(data);
}

static int sum(const int* steps) {
  int all = 0;
  for (int i = 0; i < NROW; i++) all += steps[i];
  return all;
}

static void steps_end_between_two_steps(void) {
  const plModel* model = compile();
  plRandom random = {3};
  for (int threads = 1; threads <= 4; threads++) {
    plBatch *batch = rows(model, NROW, threads), *from = rows(model, NROW, 1);
    start(batch, &random);
    for (int i = 0; i < NROW; i++) {
      plData* data = simulation(model);
      CHECK_INT(pl_batch_get(batch, i, data, &error), PL_OK);
      CHECK_INT(pl_batch_set(from, &i, 1, data, &error), PL_OK);
      pl_data_destroy(data);
    }
    Asked a = {.until = 1};
    pl_batch_set_stop(batch, asked, &a);
    CHECK_INT(pl_batch_step(batch, NULL, 0, FOREVER, &error), PL_ERROR_CANCELLED);
    CHECK_INT(a.times, 1);
    int steps[NROW], began = 0;
    for (int i = 0; i < NROW; i++) {
      CHECK_INT(batch->status[i], PL_OK);
      CHECK_STR(pl_batch_error(batch, i), "");
      steps[i] = batch->steps[i];
      began += steps[i] > 0;
    }
    CHECK(began >= 1 && began <= threads);
    // It goes on, and a callback that says no changes nothing.
    a = (Asked){.until = FOREVER};
    CHECK_INT(pl_batch_step(batch, NULL, 0, 3, &error), PL_OK);
    for (int i = 0; i < NROW; i++) steps[i] += 3;
    rows_are_whole_steps(batch, from, steps, NULL, 0);
    pl_batch_destroy(batch), pl_batch_destroy(from);
  }
  pl_model_destroy(model);
}

// The calling thread is asked while the other one has the only row that goes on.
static void the_caller_asks_while_others_step(void) {
  const plModel* model = compile();
  for (int k = 0; k < 4; k++) {
    plBatch* batch = rows(model, NROW, 3);
    for (int i = 0; i < NROW; i++)
      if (i != k) batch->v[i * model->nv] = NAN;  // these fail at once
    Asked a = {.until = 1 + k % 2};
    pl_batch_set_stop(batch, asked, &a);
    CHECK_INT(pl_batch_step(batch, NULL, 0, FOREVER, &error), PL_ERROR_CANCELLED);
    CHECK_INT(a.times, a.until);
    for (int i = 0; i < NROW; i++) CHECK((batch->status[i] == PL_OK) == (i == k));
    CHECK(batch->steps[k] > 0 && sum(batch->steps) == batch->steps[k]);
    pl_batch_destroy(batch);
  }
  pl_model_destroy(model);
}

static void a_rollout_ends_with_nan(void) {
  const plModel* model = compile();
  plRandom random = {9};
  enum { N = 40000 };
  double* u = PL_NEW(double, (size_t)NROW* N*(size_t)model->nu);
  for (size_t i = 0; i < (size_t)NROW * N * (size_t)model->nu; i++) u[i] = pl_random(&random, -0.2, 0.6);
  for (int threads = 1; threads <= 3; threads++) {
    plBatch *batch = rows(model, NROW, threads), *from = rows(model, NROW, 1);
    int view;
    CHECK_INT(pl_batch_watch(batch, "time, soft.com", &view, &error), PL_OK);
    const int width = pl_batch_width(batch, view);
    double* out = PL_NEW(double, (size_t)NROW* N*(size_t)width);
    Asked a = {.until = 1};
    pl_batch_set_stop(batch, asked, &a);
    CHECK_INT(pl_batch_rollout(batch, NULL, 0, u, N, 1, view, out, &error), PL_ERROR_CANCELLED);
    for (int i = 0; i < NROW; i++) {
      int done = batch->steps[i];
      CHECK(done < N);
      for (int t = 0; t < N; t++) CHECK(isnan(out[width * (i * N + t)]) == (t >= done));
      if (done) CHECK(out[width * (i * N + done - 1)] == batch->time[i]);
    }
    CHECK(sum(batch->steps) > 0);
    rows_are_whole_steps(batch, from, batch->steps, u, N);
    pl_free(out);
    pl_batch_destroy(batch), pl_batch_destroy(from);
  }
  pl_free(u);
  pl_model_destroy(model);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(steps_end_between_two_steps);
  RUN(the_caller_asks_while_others_step);
  RUN(a_rollout_ends_with_nan);
  return CHECK_END;
}

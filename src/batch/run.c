// run.c: distributes rows to threads: steps, rollouts.
//
// Every thread takes the next row of a list that begins with the most expensive rows of the previous call, so
// that no thread is left with a slow one at the end. A job writes only data of its row, so the order does not
// affect results.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/timer.h"
#include "batch/batch.h"

// ---- lists of rows

plStatus pl_rows_begin(plBatch* batch, const int** row, int* nrow, plError* error) {
  plBatchWork* work = batch->work;
  pl_error_clear(error);
  if (!*row) {
    *row = work->all, *nrow = batch->nrow;
    return PL_OK;
  }
  if (*nrow < 0) return pl_fail(error, PL_ERROR_INPUT, "a list of %d rows is not valid", *nrow);
  for (int i = 0; i < *nrow; i++) {
    int r = (*row)[i];
    bool there = r >= 0 && r < batch->nrow;
    if (there && work->place[r] < 0) {
      work->place[r] = i;
      continue;
    }
    pl_rows_end(batch, *row, i);
    if (there) return pl_fail(error, PL_ERROR_INPUT, "row %d is listed twice", r);
    return pl_fail(error, PL_ERROR_INPUT, "there is no row %d; the batch has rows 0 to %d", r,
                   batch->nrow - 1);
  }
  return PL_OK;
}

void pl_rows_end(plBatch* batch, const int* row, int nrow) {
  if (row == batch->work->all) return;
  for (int i = 0; i < nrow; i++) batch->work->place[row[i]] = -1;
}

// ---- distribution

typedef struct Deal {
  plBatch* batch;
  plRowJob* job;
  void* context;
  const int* place;  // NULL: rows are at their own number
  int n;
  atomic_int next;
} Deal;

static void take_rows(void* context, int begin, int end, int worker) {
  Deal* deal = context;
  assert(worker >= 0 && worker < deal->batch->threads);
  plSeat* seat = &deal->batch->work->seat[worker];
  (void)begin, (void)end;
  for (;;) {
    int i = atomic_fetch_add_explicit(&deal->next, 1, memory_order_relaxed);
    if (i >= deal->n) return;
    int row = deal->batch->work->order[i];
    deal->job(deal->batch, row, deal->place ? deal->place[row] : row, seat, deal->context);
  }
}

// By cost, then by number.
static int dearest_first(const void* a, const void* b, void* cost) {
  int i = *(const int*)a, j = *(const int*)b;
  double ci = ((const double*)cost)[i], cj = ((const double*)cost)[j];
  return ci > cj ? -1 : ci < cj ? 1 : i - j;
}

void pl_rows_run(plBatch* batch, const int* row, int nrow, plRowJob* job, void* context) {
  plBatchWork* work = batch->work;
  assert(nrow <= batch->nrow);
  for (int i = 0; i < nrow; i++) work->order[i] = row[i];
  if (batch->threads > 1) qsort_r(work->order, (size_t)nrow, sizeof(int), dearest_first, batch->cost);
  Deal deal = {batch, job, context, row == work->all ? NULL : work->place, nrow, 0};
  pl_parallel_for(work->pool, batch->threads < nrow ? batch->threads : nrow, 1, take_rows, &deal);
}

plStatus pl_rows_status(const plBatch* batch, const int* row, int nrow, plError* error) {
  int bad = 0, first = -1;
  for (int i = 0; i < nrow; i++)
    if (batch->status[row[i]] && !bad++) first = row[i];
  if (!bad) return PL_OK;
  return pl_fail(error, PL_ERROR_ROWS, "%d of %d rows failed; the first is row %d: %s", bad, nrow, first,
                 pl_batch_error(batch, first));
}

const char* pl_batch_error(const plBatch* batch, int row) {
  assert(batch != NULL);
  if (row < 0 || row >= batch->nrow) return "there is no such row";
  const char* text = batch->work->row[row].error;
  return text ? text : batch->status[row] ? pl_status_name(batch->status[row]) : "";
}

// ---- steps

// Takes nstep steps of the loaded row, counted in *done.
static plStatus steps(plData* data, int nstep, int* done, plError* error) {
  plStatus status = PL_OK;
  for (int i = 0; i < nstep && !status; i++) {
    status = pl_step(data, error);
    *done += !status;
  }
  return status;
}

// Stores the result of a job in its row.
static void finish(plBatch* batch, int row, plSeat* seat, plStatus status, int done, double start,
                   plError* error) {
  plError other;
  plStatus stored = pl_row_store(batch, row, seat, &other);
  if (!status && !stored) stored = pl_row_look(batch, row, seat, &other);
  if (!status && stored) status = stored, *error = other;
  batch->steps[row] = done;
  if (done) batch->cost[row] = (pl_now() - start) / done;
  pl_row_fail(batch, row, status, error);
}

static void step_row(plBatch* batch, int row, int place, plSeat* seat, void* context) {
  (void)place;
  plError error;
  double start = pl_now();
  int done = 0;
  plStatus status = pl_row_load(batch, row, seat, &error);
  if (status) {
    pl_row_fail(batch, row, status, &error);
    return;
  }
  status = steps(seat->data, *(const int*)context, &done, &error);
  finish(batch, row, seat, status, done, start, &error);
}

plStatus pl_batch_step(plBatch* batch, const int* row, int nrow, int nstep, plError* error) {
  assert(batch != NULL);
  if (nstep < 1) return pl_fail(error, PL_ERROR_INPUT, "nstep must be at least 1, got %d", nstep);
  plStatus status = pl_rows_begin(batch, &row, &nrow, error);
  if (status) return status;
  pl_rows_run(batch, row, nrow, step_row, &nstep);
  pl_rows_end(batch, row, nrow);
  return pl_rows_status(batch, row, nrow, error);
}

// ---- rollouts

typedef struct Rollout {
  const double* u;
  int n, nstep, view;
  double* out;
} Rollout;

static void roll_row(plBatch* batch, int row, int place, plSeat* seat, void* context) {
  const Rollout* roll = context;
  size_t nu = (size_t)batch->model->nu, width = (size_t)pl_batch_width(batch, roll->view);
  size_t first = (size_t)place * (size_t)roll->n;
  plError error;
  double start = pl_now();
  int done = 0;
  plStatus status = pl_row_load(batch, row, seat, &error);
  bool loaded = !status;
  for (size_t t = 0; t < (size_t)roll->n; t++) {
    double* out = roll->out + (first + t) * width;
    if (roll->u && nu && !status) memcpy(seat->data->u, roll->u + (first + t) * nu, nu * sizeof(double));
    if (!status) status = steps(seat->data, roll->nstep, &done, &error);
    if (!status) status = pl_signals_eval(seat->signals[roll->view], seat->data, out, &error);
    for (size_t k = 0; k < width && status; k++) out[k] = NAN;
  }
  if (loaded)
    finish(batch, row, seat, status, done, start, &error);
  else
    pl_row_fail(batch, row, status, &error);
}

plStatus pl_batch_rollout(plBatch* batch, const int* row, int nrow, const double* u, int n, int nstep,
                          int view, double* out, plError* error) {
  assert(batch != NULL);
  if (n < 1 || nstep < 1)
    return pl_fail(error, PL_ERROR_INPUT, "a rollout needs at least one input and one step, got %d and %d", n,
                   nstep);
  if (view < 0 || view >= batch->nview || !out)
    return pl_fail(error, PL_ERROR_INPUT,
                   "a rollout needs a view of signals and room for them: make one with pl_batch_watch");
  plStatus status = pl_rows_begin(batch, &row, &nrow, error);
  if (status) return status;
  Rollout roll = {u, n, nstep, view, out};
  pl_rows_run(batch, row, nrow, roll_row, &roll);
  pl_rows_end(batch, row, nrow);
  return pl_rows_status(batch, row, nrow, error);
}

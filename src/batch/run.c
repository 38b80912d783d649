// run.c: distributes rows to threads: steps, rollouts.
//
// Every thread takes the next row of a list that begins with the most expensive rows of the previous call, so
// that no thread is left with a slow one at the end. A job writes only data of its row, so the order does not
// affect results.
#include <assert.h>
#include <math.h>
#include <sched.h>
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

// ---- the user's end of a call

static const double ASK_EVERY = 0.05;  // s

void pl_batch_set_stop(plBatch* batch, plBatchStop* stop, void* user) {
  assert(batch != NULL);
  batch->work->stop = stop, batch->work->stop_user = user;
}

// Whether the call was ended. The thread with the first seat asks the callback from time to time.
static bool ended(plBatch* batch, const plSeat* seat) {
  plBatchWork* work = batch->work;
  if (!work->asking) return false;
  if (seat == work->seat && pl_now() > work->ask_at && !atomic_load(&work->ended)) {
    if (work->stop(work->stop_user)) atomic_store(&work->ended, true);
    work->ask_at = pl_now() + ASK_EVERY;
  }
  return atomic_load_explicit(&work->ended, memory_order_relaxed);
}

// ---- distribution

typedef struct Deal {
  plBatch* batch;
  plRowJob* job;
  void* context;
  const int* place;  // NULL: rows are at their own number
  int n;
  atomic_int next, done;
} Deal;

static void take_rows(void* context, int begin, int end, int worker) {
  Deal* deal = context;
  assert(worker >= 0 && worker < deal->batch->threads);
  plSeat* seat = &deal->batch->work->seat[worker];
  (void)begin, (void)end;
  for (;;) {
    int i = atomic_fetch_add_explicit(&deal->next, 1, memory_order_relaxed);
    if (i >= deal->n) break;
    int row = deal->batch->work->order[i];
    deal->job(deal->batch, row, deal->place ? deal->place[row] : row, seat, deal->context);
    atomic_fetch_add_explicit(&deal->done, 1, memory_order_relaxed);
  }
  // The calling thread goes on asking while the others finish.
  if (worker || !deal->batch->work->asking) return;
  while (atomic_load_explicit(&deal->done, memory_order_relaxed) < deal->n && !ended(deal->batch, seat))
    sched_yield();
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
  Deal deal = {batch, job, context, row == work->all ? NULL : work->place, nrow, 0, 0};
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

// Takes nstep steps of the loaded row, counted in *done. A row that began takes at least one.
static plStatus steps(plBatch* batch, plSeat* seat, int nstep, int* done, plError* error) {
  plStatus status = PL_OK;
  for (int i = 0; i < nstep && !status; i++) {
    if (*done && ended(batch, seat)) break;
    status = pl_step(seat->data, error);
    *done += !status;
  }
  return status;
}

// Whether the call ended before the row began.
static bool left_out(plBatch* batch, int row, const plSeat* seat) {
  if (!ended(batch, seat)) return false;
  batch->steps[row] = 0;
  pl_row_fail(batch, row, PL_OK, NULL);
  return true;
}

// Runs a job that takes steps.
static plStatus run_steps(plBatch* batch, const int* row, int nrow, plRowJob* job, void* context,
                          plError* error) {
  plBatchWork* work = batch->work;
  atomic_store(&work->ended, false);
  work->asking = work->stop != NULL;
  work->ask_at = pl_now() + ASK_EVERY;
  pl_rows_run(batch, row, nrow, job, context);
  work->asking = false;
  pl_rows_end(batch, row, nrow);
  if (atomic_load(&work->ended))
    return pl_fail(error, PL_ERROR_CANCELLED,
                   "the callback ended the call; the rows kept the steps they took");
  return pl_rows_status(batch, row, nrow, error);
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
  if (left_out(batch, row, seat)) return;
  plStatus status = pl_row_load(batch, row, seat, &error);
  if (status) {
    pl_row_fail(batch, row, status, &error);
    return;
  }
  status = steps(batch, seat, *(const int*)context, &done, &error);
  finish(batch, row, seat, status, done, start, &error);
}

plStatus pl_batch_step(plBatch* batch, const int* row, int nrow, int nstep, plError* error) {
  assert(batch != NULL);
  if (nstep < 1) return pl_fail(error, PL_ERROR_INPUT, "nstep must be at least 1, got %d", nstep);
  plStatus status = pl_rows_begin(batch, &row, &nrow, error);
  if (status) return status;
  return run_steps(batch, row, nrow, step_row, &nstep, error);
}

// ---- rollouts

typedef struct Rollout {
  const double* u;
  int n, nstep, view;
  double* out;
} Rollout;

// Rolls out the loaded row: writes its entries to out and returns how many are complete.
static size_t roll_entries(plBatch* batch, const Rollout* roll, size_t first, plSeat* seat, int* done,
                           plStatus* status, plError* error) {
  size_t nu = (size_t)batch->model->nu, width = (size_t)pl_batch_width(batch, roll->view);
  for (size_t t = 0; t < (size_t)roll->n; t++) {
    if (*done && ended(batch, seat)) return t;
    int whole = *done + roll->nstep;
    if (roll->u && nu) memcpy(seat->data->u, roll->u + (first + t) * nu, nu * sizeof(double));
    *status = steps(batch, seat, roll->nstep, done, error);
    if (*status || *done < whole) return t;
    *status = pl_signals_eval(seat->signals[roll->view], seat->data, roll->out + (first + t) * width, error);
    if (*status) return t;
  }
  return (size_t)roll->n;
}

static void roll_row(plBatch* batch, int row, int place, plSeat* seat, void* context) {
  const Rollout* roll = context;
  size_t width = (size_t)pl_batch_width(batch, roll->view), n = (size_t)roll->n, first = (size_t)place * n;
  plError error;
  double start = pl_now();
  int done = 0;
  size_t rolled = 0;
  if (!left_out(batch, row, seat)) {
    plStatus status = pl_row_load(batch, row, seat, &error);
    if (status) {
      pl_row_fail(batch, row, status, &error);
    } else {
      rolled = roll_entries(batch, roll, first, seat, &done, &status, &error);
      finish(batch, row, seat, status, done, start, &error);
    }
  }
  for (size_t k = (first + rolled) * width; k < (first + n) * width; k++) roll->out[k] = NAN;
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
  return run_steps(batch, row, nrow, roll_row, &roll, error);
}

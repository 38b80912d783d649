// batch.c: creation and destruction of a batch; its views of signals.
#include <assert.h>
#include <math.h>
#include <unistd.h>

#include "base/error.h"
#include "batch/batch.h"

static size_t row_bytes(const plModel* m) {
  size_t numbers = 1 + (size_t)m->nq + 2 * (size_t)m->nv + (size_t)m->nu;
  return numbers * sizeof(double) + m->work->sensor_bytes + m->reading_bytes + sizeof(plRow) +
         sizeof(plStatus) + sizeof(double) + 4 * sizeof(int);
}

size_t pl_batch_memory(const plBatch* batch) {
  assert(batch != NULL);
  size_t n = (size_t)batch->nrow, bytes = n * row_bytes(batch->model);
  for (int k = 0; k < batch->nview; k++) bytes += n * (size_t)pl_batch_width(batch, k) * sizeof(double);
  // The memory of a block is divided among the rows that share it.
  double shared = 0;
  for (size_t i = 0; i < n; i++) {
    const plRow* r = &batch->work->row[i];
    const plBlock* of[2] = {r->discrete, r->par};
    for (int k = 0; k < 2; k++)
      shared += (double)(sizeof(plBlock) + of[k]->size) / atomic_load(&((plBlock*)(uintptr_t)of[k])->users);
  }
  return bytes + (size_t)shared;
}

static plStatus check_size(const plModel* model, int nrow, int threads, plError* error) {
  if (nrow < 1) return pl_fail(error, PL_ERROR_INPUT, "a batch needs at least one row, got %d", nrow);
  if (threads < 0 || threads > 4096)
    return pl_fail(error, PL_ERROR_INPUT, "a batch may have 1 to 4096 threads (0: all processors), got %d",
                   threads);
  double bytes = (double)nrow * (double)row_bytes(model);
  double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  if (machine > 0 && bytes > 0.8 * machine)
    return pl_fail(error, PL_ERROR_TOO_LARGE, "%d rows need %.1f GB, the machine has %.1f GB: use fewer rows",
                   nrow, bytes * 1e-9, machine * 1e-9);
  return PL_OK;
}

static bool create_rows(plBatch* batch) {
  const plModel* m = batch->model;
  plBatchWork* work = batch->work;
  size_t n = (size_t)batch->nrow;
  batch->time = PL_NEW(double, n);
  batch->q = PL_NEW(double, n*(size_t)m->nq);
  batch->v = PL_NEW(double, n*(size_t)m->nv);
  batch->u = PL_NEW(double, n*(size_t)m->nu);
  batch->f_user = PL_NEW(double, n*(size_t)m->nv);
  batch->reading = PL_NEW(unsigned char, n * m->reading_bytes);
  work->samples = PL_NEW(unsigned char, n * m->work->sensor_bytes);
  batch->status = PL_NEW(plStatus, n);
  batch->steps = PL_NEW(int, n);
  batch->cost = PL_NEW(double, n);
  work->row = PL_NEW(plRow, n);
  work->order = PL_NEW(int, n);
  work->all = PL_NEW(int, n);
  work->place = PL_NEW(int, n);
  if (!batch->time || !batch->q || !batch->v || !batch->u || !batch->f_user || !batch->status ||
      !batch->steps || !batch->cost || !batch->reading || !work->samples || !work->row || !work->order ||
      !work->all || !work->place)
    return false;
  for (int i = 0; i < batch->nrow; i++) work->all[i] = i, work->place[i] = -1;
  return true;
}

// One simulation per thread; its own loops run on that thread alone.
static plStatus create_seats(plBatch* batch, plError* error) {
  plBatchWork* work = batch->work;
  work->seat = PL_NEW(plSeat, batch->threads);
  if (!work->seat) return pl_fail_out_of_memory(error, sizeof(plSeat) * (size_t)batch->threads);
  for (int k = 0; k < batch->threads; k++) {
    plData* data = work->seat[k].data = pl_data_create(batch->model, error);
    if (!data) return PL_ERROR_MEMORY;
    pl_pool_destroy(data->work->threads);
    data->work->pool = data->work->threads = NULL;
  }
  plBlock* discrete = pl_block_discrete(work->seat[0].data);
  pl_block_take(&work->start_discrete, discrete);
  plBlock* par = pl_block_parameters(batch->model, batch->model->par);
  pl_block_take(&work->start_par, par);
  if (!discrete || !par) return pl_fail_out_of_memory(error, sizeof(plBlock));
  for (int k = 0; k < batch->threads; k++)
    pl_block_take(&work->seat[k].discrete, discrete), pl_block_take(&work->seat[k].par, par);
  for (int i = 0; i < batch->nrow; i++)
    pl_block_take(&work->row[i].discrete, discrete), pl_block_take(&work->row[i].par, par);
  return PL_OK;
}

plBatch* pl_batch_create(const plModel* model, int nrow, int threads, plError* error) {
  assert(model != NULL);
  pl_error_clear(error);
  if (check_size(model, nrow, threads, error)) return NULL;
  plBatch* batch = PL_NEW(plBatch, 1);
  plBatchWork* work = PL_NEW(plBatchWork, 1);
  if (!batch || !work) {
    pl_free(batch), pl_free(work);
    return pl_fail_out_of_memory(error, sizeof *batch), NULL;
  }
  *batch =
      (plBatch){.model = model, .nrow = nrow, .threads = threads ? threads : pl_processors(), .work = work};
  plStatus status = PL_OK;
  if (!create_rows(batch)) status = pl_fail_out_of_memory(error, (size_t)nrow * row_bytes(model));
  if (!status) status = create_seats(batch, error);
  if (!status) work->pool = pl_pool_create(batch->threads);
  if (!status) status = pl_batch_reset(batch, NULL, 0, error);
  if (!status) return batch;
  pl_batch_destroy(batch);
  return NULL;
}

void pl_batch_destroy(plBatch* batch) {
  if (!batch) return;
  plBatchWork* work = batch->work;
  pl_pool_destroy(work->pool);
  for (int i = 0; work->row && i < batch->nrow; i++) {
    pl_block_take(&work->row[i].discrete, NULL), pl_block_take(&work->row[i].par, NULL);
    pl_free(work->row[i].error);
  }
  for (int k = 0; work->seat && k < batch->threads; k++) {
    plSeat* seat = &work->seat[k];
    for (int i = 0; seat->signals && i < batch->nview; i++) pl_signals_destroy(seat->signals[i]);
    pl_free(seat->signals);
    pl_block_take(&seat->discrete, NULL), pl_block_take(&seat->par, NULL);
    pl_data_destroy(seat->data);
  }
  pl_block_take(&work->start_discrete, NULL), pl_block_take(&work->start_par, NULL);
  for (int k = 0; k < batch->nview; k++) pl_free(batch->view[k]);
  pl_free(batch->view);
  pl_free(work->seat), pl_free(work->row), pl_free(work->order), pl_free(work->all), pl_free(work->place);
  pl_free(batch->time), pl_free(batch->q), pl_free(batch->v), pl_free(batch->u), pl_free(batch->f_user);
  pl_free(batch->status), pl_free(batch->steps), pl_free(batch->cost);
  pl_free(batch->reading), pl_free(work->samples);
  pl_free(work);
  pl_free(batch);
}

// ---- signals

int pl_batch_width(const plBatch* batch, int view) {
  assert(batch != NULL);
  const plSignals* signals = pl_batch_signals(batch, view);
  return signals ? pl_signals_count(signals) : 0;
}

const plSignals* pl_batch_signals(const plBatch* batch, int view) {
  assert(batch != NULL);
  return view >= 0 && view < batch->nview ? batch->work->seat[0].signals[view] : NULL;
}

// Room for one more view in every list; false if memory runs out.
static bool grow_views(plBatch* batch) {
  plBatchWork* work = batch->work;
  if (batch->nview < work->view_cap) return true;
  int old = work->view_cap, cap = old ? 2 * old : 4;
  double** view = pl_realloc(batch->view, (size_t)old, (size_t)cap, sizeof *view);
  if (!view) return false;
  batch->view = view;
  for (int k = 0; k < batch->threads; k++) {
    plSignals** list = pl_realloc(work->seat[k].signals, (size_t)old, (size_t)cap, sizeof *list);
    if (!list) return false;
    work->seat[k].signals = list;
  }
  work->view_cap = cap;
  return true;
}

// Undoes a failed pl_batch_watch at index k.
static void drop_view(plBatch* batch, int k) {
  for (int i = 0; i < batch->threads; i++) {
    pl_signals_destroy(batch->work->seat[i].signals[k]);
    batch->work->seat[i].signals[k] = NULL;
  }
  pl_free(batch->view[k]);
  batch->view[k] = NULL;
}

plStatus pl_batch_watch(plBatch* batch, const char* list, int* view, plError* error) {
  assert(batch != NULL && list != NULL && view != NULL);
  pl_error_clear(error);
  if (!grow_views(batch)) return pl_fail_out_of_memory(error, sizeof(double*));
  int k = batch->nview;
  plStatus status = PL_OK;
  for (int i = 0; i < batch->threads && !status; i++)
    status = pl_signals_create(batch->model, list, &batch->work->seat[i].signals[k], error);
  if (!status) {
    size_t count = (size_t)batch->nrow * (size_t)pl_signals_count(batch->work->seat[0].signals[k]);
    batch->view[k] = PL_NEW(double, count);
    if (!batch->view[k]) status = pl_fail_out_of_memory(error, count * sizeof(double));
  }
  if (!status) {
    batch->nview++;
    status = pl_batch_look(batch, NULL, 0, error);
    if (status) batch->nview--;
  }
  if (status) return drop_view(batch, k), status;
  *view = k;
  return PL_OK;
}

// row.c: one row of a batch into a thread's simulation and back.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "batch/batch.h"

// ---- blocks

void pl_block_take(plBlock** to, plBlock* block) {
  if (*to == block) return;
  if (block) atomic_fetch_add(&block->users, 1);
  plBlock* old = *to;
  *to = block;
  if (!old || atomic_fetch_sub(&old->users, 1) > 1) return;
  pl_free(old->bytes), pl_free(old->par);
  pl_free(old);
}

plBlock* pl_block_discrete(const plData* data) {
  plBlock* block = PL_NEW(plBlock, 1);
  size_t size = pl_discrete_size(data);
  char* bytes = block ? PL_NEW(char, size) : NULL;
  if (!bytes) return pl_free(block), NULL;
  plStateSink sink = {.to = bytes};
  pl_discrete_put(data, &sink);
  assert(sink.size == size);
  block->size = size, block->bytes = bytes;
  return block;
}

plBlock* pl_block_parameters(const plModel* model, const plParameters* par) {
  plBlock* block = PL_NEW(plBlock, 1);
  if (block) block->par = pl_parameters_create(model, NULL);
  if (!block || !block->par) return pl_free(block), NULL;
  pl_parameters_copy(model, block->par, par);
  block->size = pl_parameters_room(model);
  return block;
}

// ---- rows

static void copy(void* to, const void* from, int n) {
  if (n) memcpy(to, from, (size_t)n * sizeof(double));
}

static unsigned char* samples_of(const plBatch* batch, int row) {
  return batch->work->samples + (size_t)row * batch->model->work->sensor_bytes;
}

void pl_row_store_samples(plBatch* batch, int row, const plData* data) {
  const plModel* m = batch->model;
  if (!m->nsensor) return;
  memcpy(samples_of(batch, row), pl_sensors_state(data), m->work->sensor_bytes);
  memcpy(batch->reading + (size_t)row * m->reading_bytes, data->reading, m->reading_bytes);
}

plStatus pl_row_load(plBatch* batch, int row, plSeat* seat, plError* error) {
  const plModel* m = batch->model;
  const plRow* r = &batch->work->row[row];
  plData* data = seat->data;
  size_t i = (size_t)row;
  // Attachments have their own copies of some parameters: those of the parameters are used.
  bool other = seat->discrete != r->discrete;
  if (other) {
    plStatus status = pl_discrete_set(data, r->discrete->bytes, r->discrete->size, error);
    if (status) return status;
    pl_block_take(&seat->discrete, r->discrete);
  }
  if (other || seat->par != r->par) {
    pl_parameters_use(data, r->par->par);
    pl_block_take(&seat->par, r->par);
  }
  data->time = batch->time[row];
  copy(data->q, batch->q + i * (size_t)m->nq, m->nq);
  copy(data->v, batch->v + i * (size_t)m->nv, m->nv);
  copy(data->u, batch->u + i * (size_t)m->nu, m->nu);
  copy(data->f_user, batch->f_user + i * (size_t)m->nv, m->nv);
  data->report = (plReport){.step = r->step};
  data->work->placed = r->placed;
  if (m->nsensor && !r->fresh) {
    memcpy(pl_sensors_state(data), samples_of(batch, row), m->work->sensor_bytes);
    pl_sensors_show(data);
  }
  return PL_OK;
}

plStatus pl_row_store(plBatch* batch, int row, plSeat* seat, plError* error) {
  const plModel* m = batch->model;
  plRow* r = &batch->work->row[row];
  const plData* data = seat->data;
  size_t i = (size_t)row;
  // A step writes only these; the rest is changed by other calls.
  if (!pl_discrete_is(data, seat->discrete->bytes, seat->discrete->size)) {
    plBlock* fresh = pl_block_discrete(data);
    if (!fresh) return pl_fail_out_of_memory(error, seat->discrete->size);
    pl_block_take(&seat->discrete, fresh);
  }
  pl_block_take(&r->discrete, seat->discrete);
  batch->time[row] = data->time;
  copy(batch->q + i * (size_t)m->nq, data->q, m->nq);
  copy(batch->v + i * (size_t)m->nv, data->v, m->nv);
  copy(batch->u + i * (size_t)m->nu, data->u, m->nu);
  copy(batch->f_user + i * (size_t)m->nv, data->f_user, m->nv);
  r->step = data->report.step, r->placed = data->work->placed;
  pl_row_store_samples(batch, row, data);
  return PL_OK;
}

plStatus pl_row_look(plBatch* batch, int row, plSeat* seat, plError* error) {
  plStatus status = PL_OK;
  for (int k = 0; k < batch->nview && !status; k++) {
    size_t width = (size_t)pl_signals_count(seat->signals[k]);
    status = pl_signals_eval(seat->signals[k], seat->data, batch->view[k] + (size_t)row * width, error);
  }
  return status;
}

void pl_row_fail(plBatch* batch, int row, plStatus status, const plError* error) {
  plRow* r = &batch->work->row[row];
  batch->status[row] = status;
  pl_free(r->error);
  r->error = status ? pl_strdup(error->message) : NULL;
}

// set.c: sets rows to the start, to another row or to a stored state; their parameters.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "batch/batch.h"

// ---- signals of states that no step led to

static void look_row(plBatch* batch, int row, int place, plSeat* seat, void* context) {
  (void)place, (void)context;
  plError error;
  plStatus status = pl_row_load(batch, row, seat, &error);
  if (!status) {
    pl_state_forget_step(seat->data);
    if (batch->work->row[row].fresh) {
      pl_sensors_reset(seat->data, batch->work->row[row].seed);
      pl_row_store_samples(batch, row, seat->data);
      batch->work->row[row].fresh = false;
    }
    status = pl_row_look(batch, row, seat, &error);
  }
  pl_row_fail(batch, row, status, &error);
  batch->steps[row] = 0;
}

// After rows were set: their views, and their status.
static plStatus look(plBatch* batch, const int* row, int nrow, plError* error) {
  if (batch->nview || batch->model->nsensor) {
    pl_rows_run(batch, row, nrow, look_row, NULL);
  } else {
    for (int i = 0; i < nrow; i++) pl_row_fail(batch, row[i], PL_OK, NULL), batch->steps[row[i]] = 0;
  }
  pl_rows_end(batch, row, nrow);
  return pl_rows_status(batch, row, nrow, error);
}

plStatus pl_batch_look(plBatch* batch, const int* row, int nrow, plError* error) {
  assert(batch != NULL);
  plStatus status = pl_rows_begin(batch, &row, &nrow, error);
  return status ? status : look(batch, row, nrow, error);
}

plStatus pl_batch_restart_sensors(plBatch* batch, const int* row, int nrow, const int* seed, plError* error) {
  assert(batch != NULL);
  plStatus status = pl_rows_begin(batch, &row, &nrow, error);
  if (status) return status;
  for (int i = 0; i < nrow && seed; i++) {
    if (seed[i] >= 0 && seed[i] < PL_SENSOR_SEEDS) continue;
    pl_rows_end(batch, row, nrow);
    return pl_fail(error, PL_ERROR_INPUT, "the seed of row %d must be a whole number in 0 .. %d, got %d",
                   row[i], PL_SENSOR_SEEDS - 1, seed[i]);
  }
  for (int i = 0; i < nrow; i++) {
    batch->work->row[row[i]].fresh = batch->model->nsensor > 0;
    batch->work->row[row[i]].seed = seed ? seed[i] : 0;
  }
  return look(batch, row, nrow, error);
}

// ---- states

// The source of a row's numbers.
typedef struct Numbers {
  double time;
  const double *q, *v, *u, *f_user;  // NULL: zero
  plBlock *discrete, *par;           // NULL: parameters stay
  long step;
  bool placed;
  const unsigned char *samples, *reading;  // NULL: those of the start
} Numbers;

static void put(double* to, const double* from, int n, int row) {
  to += (size_t)row * (size_t)n;
  if (!n || to == from) return;
  if (from)
    memcpy(to, from, (size_t)n * sizeof(double));
  else
    memset(to, 0, (size_t)n * sizeof(double));
}

static void put_row(plBatch* batch, int row, const Numbers* from) {
  const plModel* m = batch->model;
  plRow* r = &batch->work->row[row];
  batch->time[row] = from->time;
  put(batch->q, from->q, m->nq, row);
  put(batch->v, from->v, m->nv, row);
  put(batch->u, from->u, m->nu, row);
  put(batch->f_user, from->f_user, m->nv, row);
  pl_block_take(&r->discrete, from->discrete);
  if (from->par) pl_block_take(&r->par, from->par);
  r->step = from->step, r->placed = from->placed;
  r->fresh = !from->samples && m->nsensor, r->seed = 0;
  if (!from->samples || !m->nsensor) return;
  // a row may be set to itself
  memmove(batch->work->samples + (size_t)row * m->work->sensor_bytes, from->samples, m->work->sensor_bytes);
  memmove(batch->reading + (size_t)row * m->reading_bytes, from->reading, m->reading_bytes);
}

static plStatus put_rows(plBatch* batch, const int* row, int nrow, const Numbers* from, plError* error) {
  plStatus status = pl_rows_begin(batch, &row, &nrow, error);
  if (status) return status;
  for (int i = 0; i < nrow; i++) put_row(batch, row[i], from);
  return look(batch, row, nrow, error);
}

plStatus pl_batch_reset(plBatch* batch, const int* row, int nrow, plError* error) {
  assert(batch != NULL);
  const plModel* m = batch->model;
  Numbers from = {.q = m->start_q,
                  .v = m->start_v,
                  .u = m->start_u,
                  .discrete = batch->work->start_discrete,
                  .placed = true};
  return put_rows(batch, row, nrow, &from, error);
}

static plStatus check_row(const plBatch* batch, int row, plError* error) {
  pl_error_clear(error);
  if (row >= 0 && row < batch->nrow) return PL_OK;
  return pl_fail(error, PL_ERROR_INPUT, "there is no row %d; the batch has rows 0 to %d", row,
                 batch->nrow - 1);
}

plStatus pl_batch_copy(plBatch* batch, int from, const int* row, int nrow, plError* error) {
  assert(batch != NULL);
  const plModel* m = batch->model;
  plStatus status = check_row(batch, from, error);
  if (status) return status;
  const plRow* r = &batch->work->row[from];
  size_t i = (size_t)from;
  Numbers numbers = {batch->time[from],
                     batch->q + i * (size_t)m->nq,
                     batch->v + i * (size_t)m->nv,
                     batch->u + i * (size_t)m->nu,
                     batch->f_user + i * (size_t)m->nv,
                     r->discrete,
                     r->par,
                     r->step,
                     r->placed,
                     batch->work->samples + i * m->work->sensor_bytes,
                     batch->reading + i * m->reading_bytes};
  return put_rows(batch, row, nrow, &numbers, error);
}

plStatus pl_batch_set(plBatch* batch, const int* row, int nrow, const plData* data, plError* error) {
  assert(batch != NULL && data != NULL);
  pl_error_clear(error);
  if (data->model != batch->model)
    return pl_fail(error, PL_ERROR_MISMATCH, "pl_batch_set needs a simulation of the batch's model");
  plBlock *discrete = NULL, *par = NULL;
  pl_block_take(&discrete, pl_block_discrete(data));
  pl_block_take(&par, pl_parameters_unchanged(data) ? batch->work->start_par
                                                    : pl_block_parameters(batch->model, data->par));
  Numbers numbers = {data->time,
                     data->q,
                     data->v,
                     data->u,
                     data->f_user,
                     discrete,
                     par,
                     data->report.step,
                     data->work->placed,
                     batch->model->nsensor ? pl_sensors_state(data) : NULL,
                     data->reading};
  plStatus status = discrete && par ? put_rows(batch, row, nrow, &numbers, error)
                                    : pl_fail_out_of_memory(error, pl_parameters_room(batch->model));
  pl_block_take(&discrete, NULL), pl_block_take(&par, NULL);
  return status;
}

// The simulation was used otherwise: the next row must be loaded completely.
static void forget_blocks(plSeat* seat) {
  pl_block_take(&seat->discrete, NULL), pl_block_take(&seat->par, NULL);
}

// The first thread's simulation is used for operations on single rows.
static plStatus load_first(plBatch* batch, int row, plError* error) {
  plStatus status = check_row(batch, row, error);
  if (!status) status = pl_row_load(batch, row, &batch->work->seat[0], error);
  if (!status) pl_state_forget_step(batch->work->seat[0].data);
  return status;
}

plStatus pl_batch_get(plBatch* batch, int row, plData* data, plError* error) {
  assert(batch != NULL && data != NULL);
  plStatus status = load_first(batch, row, error);
  if (!status) status = pl_data_copy(data, batch->work->seat[0].data, error);
  if (status) return status;
  data->report = (plReport){.step = batch->work->row[row].step};
  data->work->placed = batch->work->row[row].placed;
  return PL_OK;
}

size_t pl_batch_state_size(const plBatch* batch, int row) {
  assert(batch != NULL);
  const plModel* m = batch->model;
  if (row < 0 || row >= batch->nrow) return 0;
  size_t numbers = 1 + (size_t)m->nq + 2 * (size_t)m->nv + (size_t)m->nu;
  return PL_STATE_HEADER + pl_parameters_bytes(m) + numbers * sizeof(double) + m->work->sensor_bytes +
         batch->work->row[row].discrete->size;
}

plStatus pl_batch_state_get(plBatch* batch, int row, void* bytes, size_t size, plError* error) {
  assert(batch != NULL);
  assert(bytes != NULL || size == 0);
  plStatus status = load_first(batch, row, error);
  return status ? status : pl_state_get(batch->work->seat[0].data, bytes, size, error);
}

plStatus pl_batch_state_set(plBatch* batch, const int* row, int nrow, const void* bytes, size_t size,
                            plError* error) {
  assert(batch != NULL);
  assert(bytes != NULL || size == 0);
  plSeat* seat = &batch->work->seat[0];
  plStatus status = pl_state_set(seat->data, bytes, size, error);
  if (status) return status;
  seat->data->report = (plReport){0};
  status = pl_batch_set(batch, row, nrow, seat->data, error);
  forget_blocks(seat);
  return status;
}

// ---- parameters

double pl_batch_parameter(const plBatch* batch, int row, int index) {
  assert(batch != NULL);
  if (row < 0 || row >= batch->nrow) return NAN;
  return pl_parameter_of(batch->model, batch->work->row[row].par->par, index);
}

// The parameters of each row with another value at index, into fresh [nrow].
static plStatus vary_rows(plBatch* batch, const char* path, const int* row, int nrow, const double* value,
                          plBlock** fresh, plError* error) {
  plSeat* seat = &batch->work->seat[0];
  plStatus status = PL_OK;
  for (int i = 0; i < nrow && !status; i++) {
    plError wrong;
    pl_parameters_use(seat->data, batch->work->row[row[i]].par->par);
    status = pl_parameter_set(seat->data, path, value[i], &wrong);
    if (status) {
      pl_fail(error, status, "row %d: %.700s", row[i], wrong.message);
      break;
    }
    pl_block_take(&fresh[i], pl_block_parameters(batch->model, seat->data->par));
    if (!fresh[i]) status = pl_fail_out_of_memory(error, pl_parameters_room(batch->model));
  }
  forget_blocks(seat);
  return status;
}

plStatus pl_batch_vary(plBatch* batch, const char* path, const int* row, int nrow, const double* value,
                       plError* error) {
  assert(batch != NULL && path != NULL && value != NULL);
  plStatus status = pl_rows_begin(batch, &row, &nrow, error);
  if (status) return status;
  plBlock** fresh = PL_NEW(plBlock*, nrow + 1);
  status = fresh ? vary_rows(batch, path, row, nrow, value, fresh, error)
                 : pl_fail_out_of_memory(error, sizeof(plBlock*) * (size_t)nrow);
  for (int i = 0; fresh && i < nrow; i++) {
    if (!status) pl_block_take(&batch->work->row[row[i]].par, fresh[i]);
    pl_block_take(&fresh[i], NULL);
  }
  pl_free(fresh);
  pl_rows_end(batch, row, nrow);
  return status;
}

plStatus pl_batch_parameters_reset(plBatch* batch, const int* row, int nrow, plError* error) {
  assert(batch != NULL);
  plStatus status = pl_rows_begin(batch, &row, &nrow, error);
  for (int i = 0; i < nrow && !status; i++)
    pl_block_take(&batch->work->row[row[i]].par, batch->work->start_par);
  if (!status) pl_rows_end(batch, row, nrow);
  return status;
}

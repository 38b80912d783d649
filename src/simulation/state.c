// state.c: the complete state as bytes and as a hash.
//
// The bytes are a header and a body. The header says whose state it is:
//   "PLSTATE4" | model hash (8) | size of the body (8) | number of options (8)
// The body: the options and the parameters as doubles (parameters.h); time, q, v, u, f_user as doubles; the
// samples of the sensors; then the discrete part (state_discrete.c). The hash of the state covers the body
// except options and parameters, which have a hash of their own. A file (state_file.c) is these bytes and a
// check sum; a recording, which has the model elsewhere, stores the bodies alone.
#include "model/state.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

static void put_state(const plData* data, plStateSink* sink) {
  const plModel* m = data->model;
  pl_state_put(sink, &data->time, sizeof data->time);
  pl_state_put(sink, data->q, (size_t)m->nq * sizeof(double));
  pl_state_put(sink, data->v, (size_t)m->nv * sizeof(double));
  pl_state_put(sink, data->u, (size_t)m->nu * sizeof(double));
  pl_state_put(sink, data->f_user, (size_t)m->nv * sizeof(double));
  if (m->nsensor) pl_state_put(sink, pl_sensors_state(data), m->work->sensor_bytes);
  pl_discrete_put(data, sink);
}

size_t pl_state_body_size(const plData* data) {
  plStateSink sink = {.size = pl_parameters_bytes(data->model)};
  put_state(data, &sink);
  return sink.size;
}

void pl_state_body_get(const plData* data, void* bytes) {
  pl_parameters_write(data->model, data->par, bytes);
  plStateSink sink = {.to = bytes, .size = pl_parameters_bytes(data->model)};
  put_state(data, &sink);
}

size_t pl_state_size(const plData* data) {
  assert(data != NULL);
  return PL_STATE_HEADER + pl_state_body_size(data);
}

plStatus pl_state_get(const plData* data, void* bytes, size_t size, plError* error) {
  assert(data != NULL);
  assert(bytes != NULL || size == 0);
  if (size != pl_state_size(data))
    return pl_fail(error, PL_ERROR_INPUT, "the state has %zu bytes, the buffer %zu", pl_state_size(data),
                   size);
  char* to = bytes;
  uint64_t body = size - PL_STATE_HEADER, noption = PL_OPTION_COUNT;
  memcpy(to, PL_STATE_MAGIC, 8);
  memcpy(to + 8, &data->model->hash, 8);
  memcpy(to + 16, &body, 8);
  memcpy(to + 24, &noption, 8);
  pl_state_body_get(data, to + PL_STATE_HEADER);
  return PL_OK;
}

uint64_t pl_state_hash(const plData* data) {
  assert(data != NULL);
  uint64_t h = PL_HASH_START;
  plStateSink sink = {.hash = &h};
  put_state(data, &sink);
  return h;
}

// *par: checked parameters to be freed; NULL if they equal the present ones.
static plStatus read_parameters(const plData* data, const char* bytes, plParameters** par, plError* error) {
  *par = NULL;
  if (pl_parameters_written(data->model, data->par, bytes)) return PL_OK;
  size_t n = pl_parameters_bytes(data->model) / sizeof(double);
  double* number = PL_NEW(double, n);
  if (!number) return pl_fail_out_of_memory(error, n * sizeof(double));
  memcpy(number, bytes, n * sizeof(double));
  plOptions options = pl_options_unpack(number, PL_OPTION_COUNT);
  plStatus status = pl_parameters_from(data, &options, number + PL_OPTION_COUNT, par, error);
  pl_free(number);
  return status;
}

void pl_state_forget_step(plData* data) {
  const plModel* m = data->model;
  data->ncontact = data->nimpulse = 0;
  if (m->nv) memset(data->f_constraint, 0, (size_t)m->nv * sizeof(double));
  if (m->nact) memset(data->actuator_force, 0, (size_t)m->nact * sizeof(double));
  if (m->ndeform) memset(data->energy, 0, (size_t)m->ndeform * sizeof(double));
  if (m->ndeform) memset(data->energy_gain, 0, (size_t)m->ndeform * sizeof(double));
  data->work->stepped = false, data->work->placed = true;
  pl_sensors_begin(data);
  pl_data_refresh(data);
}

static plStatus not_of_this_model(size_t size, plError* error) {
  return pl_fail(error, PL_ERROR_MISMATCH, "the state of %zu bytes is not one of this model", size);
}

static plStatus set_body(plData* data, const void* bytes, size_t size, plError* error) {
  if (data->work->in_control)
    return pl_fail(error, PL_ERROR_INPUT,
                   "a control callback cannot replace the state of its own simulation");
  const plModel* m = data->model;
  size_t given = pl_parameters_bytes(m), reals = 1 + (size_t)m->nq + 2 * (size_t)m->nv + (size_t)m->nu;
  size_t samples = given + reals * sizeof(double), front = samples + m->work->sensor_bytes;
  if (size < front) return not_of_this_model(size, error);
  plParameters* par;
  plStatus status = read_parameters(data, bytes, &par, error);
  if (status) return status;
  const char* numbers = (const char*)bytes + given;
  if (!pl_state_finite(numbers, reals))
    status = pl_fail(error, PL_ERROR_NOT_FINITE, "the state holds a number that is not finite");
  else if (!pl_sensors_valid(m, (const char*)bytes + samples) ||
           pl_discrete_set(data, (const char*)bytes + front, size - front, error))
    status = not_of_this_model(size, error);
  if (status) return pl_free(par), status;

  // From here on nothing fails.
  double* to[] = {&data->time, data->q, data->v, data->u, data->f_user};
  int count[] = {1, m->nq, m->nv, m->nu, m->nv};
  for (int i = 0; i < 5; i++) {
    if (count[i]) memcpy(to[i], numbers, (size_t)count[i] * sizeof(double));
    numbers += (size_t)count[i] * sizeof(double);
  }
  if (par) pl_parameters_use(data, par);
  pl_free(par);
  pl_state_forget_step(data);
  if (m->nsensor) {
    memcpy(pl_sensors_state(data), (const char*)bytes + samples, m->work->sensor_bytes);
    pl_sensors_show(data);
  }
  return PL_OK;
}

plStatus pl_state_body_set(plData* data, const void* bytes, size_t size, size_t noption, plError* error) {
  size_t have = noption * sizeof(double), need = PL_OPTION_COUNT * sizeof(double);
  if (noption == PL_OPTION_COUNT) return set_body(data, bytes, size, error);
  if (noption > PL_OPTION_COUNT || size < have)
    return pl_fail(error, PL_ERROR_INPUT,
                   "the state has %zu options where this version knows %d: a later version saved it", noption,
                   PL_OPTION_COUNT);
  char* whole = pl_alloc(size - have + need, 1);
  if (!whole) return pl_fail_out_of_memory(error, size);
  double row[PL_OPTION_COUNT];
  const plOptions preset = pl_default_options();
  pl_options_pack(&preset, row);
  memcpy(row, bytes, have);
  memcpy(whole, row, need);
  memcpy(whole + need, (const char*)bytes + have, size - have);
  plStatus status = set_body(data, whole, size - have + need, error);
  pl_free(whole);
  return status;
}

plStatus pl_state_set(plData* data, const void* bytes, size_t size, plError* error) {
  assert(data != NULL);
  assert(bytes != NULL || size == 0);
  const char* from = bytes;
  uint64_t model, body, noption;
  if (size < PL_STATE_HEADER || memcmp(from, PL_STATE_MAGIC, 8))
    return pl_fail(error, PL_ERROR_INPUT,
                   "these %zu bytes are not a state: they do not begin with " PL_STATE_MAGIC
                   " and the model's hash, which earlier versions left out",
                   size);
  memcpy(&model, from + 8, 8);
  memcpy(&body, from + 16, 8);
  memcpy(&noption, from + 24, 8);
  if (model != data->model->hash)
    return pl_fail(error, PL_ERROR_MISMATCH,
                   "the state belongs to another model; set it in a simulation of the scene it was taken "
                   "from");
  if (body != size - PL_STATE_HEADER)
    return pl_fail(error, PL_ERROR_INPUT, "the state is damaged: it has %zu bytes, not %zu", size,
                   (size_t)body + PL_STATE_HEADER);
  return pl_state_body_set(data, from + PL_STATE_HEADER, size - PL_STATE_HEADER, noption, error);
}

plStatus pl_data_copy(plData* dst, const plData* src, plError* error) {
  assert(dst != NULL && src != NULL);
  if (dst->model != src->model)
    return pl_fail(error, PL_ERROR_MISMATCH, "pl_data_copy needs two simulations of one model");
  if (dst == src) return PL_OK;
  size_t size = pl_state_size(src);
  char* bytes = pl_alloc(size, 1);
  plStatus status = bytes ? pl_state_get(src, bytes, size, error) : pl_fail_out_of_memory(error, size);
  if (!status) status = pl_state_set(dst, bytes, size, error);
  pl_free(bytes);
  return status;
}

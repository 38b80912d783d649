// state.c: the complete state as bytes, as a hash and as a file.
//
// The bytes are: the options and the parameters as doubles (parameters.h); time, q, v, u, f_user as doubles;
// then the discrete part: one byte for each switch, the number of attachments, and each of them; then, for
// each rigid body with a force in f_body, its index and the six numbers. The hash of the state covers all but
// options and parameters, which have a hash of their own. A file has a header in front and a hash behind:
//   "PLSTATE2" | model hash (8) | size (8) | bytes | hash of all before (8)
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "model/work.h"

static const char magic[8] = {'P', 'L', 'S', 'T', 'A', 'T', 'E', '2'};
enum { HEADER = 24 };

// One pass over the state serves for its size, its bytes and its hash: what is NULL is skipped.
typedef struct Sink {
  char* to;
  size_t size;
  uint64_t* hash;
} Sink;

static void put(Sink* sink, const void* bytes, size_t n) {
  if (!n) return;
  if (sink->to) memcpy(sink->to + sink->size, bytes, n);
  if (sink->hash) *sink->hash = pl_hash(*sink->hash, bytes, n);
  sink->size += n;
}

static void put_state(const plData* data, Sink* sink) {
  const plModel* m = data->model;
  put(sink, &data->time, sizeof data->time);
  put(sink, data->q, (size_t)m->nq * sizeof(double));
  put(sink, data->v, (size_t)m->nv * sizeof(double));
  put(sink, data->u, (size_t)m->nu * sizeof(double));
  put(sink, data->f_user, (size_t)m->nv * sizeof(double));
  for (int k = 0; k < PL_SWITCH_COUNT; k++)
    for (int i = 0; i < pl_switch_count(m, (plSwitch)k); i++) put(sink, &(char){data->on[k][i]}, 1);
  put(sink, &data->nattach, sizeof data->nattach);
  for (int i = 0; i < data->nattach; i++) {
    const plAttachment* a = &data->attach[i];
    int numbers[5] = {a->on, a->deformable, a->body, a->other, a->nvert};
    double reals[2] = {a->stiffness, a->relaxation_time};
    put(sink, numbers, sizeof numbers);
    put(sink, reals, sizeof reals);
    put(sink, a->vert, (size_t)a->nvert * sizeof(int));
    put(sink, a->anchor, 3 * (size_t)a->nvert * sizeof(double));
    if (a->other < 0) continue;
    put(sink, a->target, 4 * (size_t)a->nvert * sizeof(int));
    put(sink, a->weight, 4 * (size_t)a->nvert * sizeof(double));
  }
  for (int b = 0; b < m->nbody; b++) {
    static const plWrench none = {{0, 0, 0}, {0, 0, 0}};
    if (!memcmp(&data->f_body[b], &none, sizeof none)) continue;
    put(sink, &b, sizeof b);
    put(sink, &data->f_body[b], sizeof none);
  }
}

size_t pl_state_size(const plData* data) {
  assert(data != NULL);
  Sink sink = {.size = pl_parameters_bytes(data->model)};
  put_state(data, &sink);
  return sink.size;
}

plStatus pl_state_get(const plData* data, void* bytes, size_t size, plError* error) {
  assert(data != NULL);
  if (size != pl_state_size(data))
    return pl_fail(error, PL_ERROR_INPUT, "the state has %zu bytes, the buffer %zu", pl_state_size(data),
                   size);
  pl_parameters_write(data->model, data->par, bytes);
  Sink sink = {.to = bytes, .size = pl_parameters_bytes(data->model)};
  put_state(data, &sink);
  return PL_OK;
}

uint64_t pl_state_hash(const plData* data) {
  assert(data != NULL);
  uint64_t h = PL_HASH_START;
  Sink sink = {.hash = &h};
  put_state(data, &sink);
  return h;
}

// ---- reading; nothing of the data changes before all has been checked

typedef struct Source {
  const char* from;
  size_t left;
} Source;

// The next n bytes, NULL if there are not as many.
static const char* take(Source* source, size_t n) {
  if (n > source->left) return NULL;
  const char* at = source->from;
  source->from += n;
  source->left -= n;
  return at;
}

static bool all_finite(const char* at, size_t count) {
  for (size_t i = 0; i < count; i++) {
    double x;
    memcpy(&x, at + i * sizeof x, sizeof x);
    if (!isfinite(x)) return false;
  }
  return true;
}

void pl_attachment_free(plAttachment* a) {
  pl_free(a->vert), pl_free(a->anchor), pl_free(a->target), pl_free(a->weight);
}

bool pl_attachment_alloc(plAttachment* a) {
  size_t n = (size_t)a->nvert;
  a->vert = PL_NEW(int, n);
  a->anchor = PL_NEW(double, 3 * n);
  if (a->other >= 0) a->target = PL_NEW(int, 4 * n), a->weight = PL_NEW(double, 4 * n);
  return a->vert && a->anchor && (a->other < 0 || (a->target && a->weight));
}

static bool all_within(const int* index, size_t n, int count) {
  for (size_t i = 0; i < n; i++)
    if (index[i] < 0 || index[i] >= count) return false;
  return true;
}

// count entries of the given size into to; reals must be finite.
static bool take_into(Source* source, void* to, size_t count, size_t size) {
  const char* at = take(source, count * size);
  if (!at || (size == sizeof(double) && !all_finite(at, count))) return false;
  memcpy(to, at, count * size);
  return true;
}

// One attachment into a, with memory of its own; false if it makes no sense or memory ran out.
static bool take_attachment(const plModel* model, Source* source, plAttachment* a) {
  const char *numbers = take(source, 5 * sizeof(int)), *reals = take(source, 2 * sizeof(double));
  if (!numbers || !reals) return false;
  int n[5];
  memcpy(n, numbers, sizeof n);
  *a = (plAttachment){.on = n[0] != 0, .deformable = n[1], .body = n[2], .other = n[3], .nvert = n[4]};
  memcpy(&a->stiffness, reals, sizeof(double));
  memcpy(&a->relaxation_time, reals + sizeof(double), sizeof(double));
  if (n[1] < 0 || n[1] >= model->ndeform || n[2] < -1 || n[2] >= model->nbody || n[3] < -1 ||
      n[3] >= model->ndeform || n[3] == n[1] || n[4] < 1 || (size_t)n[4] > source->left / sizeof(int) ||
      !(a->stiffness > 0) || !(a->relaxation_time >= 0))
    return false;
  size_t nvert = (size_t)n[4];
  if (!pl_attachment_alloc(a) || !take_into(source, a->vert, nvert, sizeof(int)) ||
      !take_into(source, a->anchor, 3 * nvert, sizeof(double)))
    return false;
  if (!all_within(a->vert, nvert, model->deform_vert0[n[1] + 1] - model->deform_vert0[n[1]])) return false;
  if (n[3] < 0) return true;
  return take_into(source, a->target, 4 * nvert, sizeof(int)) &&
         take_into(source, a->weight, 4 * nvert, sizeof(double)) &&
         all_within(a->target, 4 * nvert, model->deform_vert0[n[3] + 1] - model->deform_vert0[n[3]]);
}

static void free_list(plAttachment* list, int n) {
  for (int i = 0; list && i < n; i++) pl_attachment_free(&list[i]);
  pl_free(list);
}

// All attachments behind the count, or NULL. Those of the model must be among them.
static plAttachment* take_attachments(const plModel* m, Source* source, int* nattach) {
  const char* count = take(source, sizeof *nattach);
  if (!count) return NULL;
  memcpy(nattach, count, sizeof *nattach);
  if (*nattach < m->nattach || (size_t)*nattach > source->left / (4 * sizeof(int))) return NULL;
  plAttachment* list = PL_NEW(plAttachment, *nattach + 1);
  bool good = list;
  for (int i = 0; i < *nattach && good; i++) {
    good = take_attachment(m, source, &list[i]);
    list[i].exact = i < m->nattach && m->attach_exact[i];
  }
  if (good) return list;
  free_list(list, *nattach);
  return NULL;
}

// Forces on bodies to the end of the bytes, into f [nbody] unless it is NULL; false if they make no sense.
static bool take_forces(const plModel* m, Source source, plWrench* f) {
  while (source.left) {
    const char *index = take(&source, sizeof(int)), *reals = index ? take(&source, sizeof(plWrench)) : NULL;
    int b;
    if (!reals || !all_finite(reals, 6)) return false;
    memcpy(&b, index, sizeof b);
    if (b < 0 || b >= m->nbody) return false;
    if (f) memcpy(&f[b], reals, sizeof *f);
  }
  return true;
}

// *par: checked parameters to be freed; NULL where they are those at hand.
static plStatus read_parameters(const plData* data, const char* bytes, plParameters** par, plError* error) {
  size_t n = pl_parameters_bytes(data->model) / sizeof(double);
  double* number = PL_NEW(double, 2 * n);
  if (!number) return pl_fail_out_of_memory(error, 2 * n * sizeof(double));
  memcpy(number, bytes, n * sizeof(double));
  pl_parameters_write(data->model, data->par, number + n);
  *par = NULL;
  plStatus status = PL_OK;
  if (memcmp(number, number + n, n * sizeof(double))) {
    plOptions options = pl_options_unpack(number, PL_OPTION_COUNT);
    status = pl_parameters_from(data, &options, number + PL_OPTION_COUNT, par, error);
  }
  pl_free(number);
  return status;
}

plStatus pl_state_set(plData* data, const void* bytes, size_t size, plError* error) {
  assert(data != NULL);
  const plModel* m = data->model;
  Source source = {bytes, size};
  const char* given = take(&source, pl_parameters_bytes(m));
  plParameters* par = NULL;
  if (given) {
    plStatus status = read_parameters(data, given, &par, error);
    if (status) return status;
  }
  size_t reals = 1 + (size_t)m->nq + 2 * (size_t)m->nv + (size_t)m->nu;
  const char* numbers = given ? take(&source, reals * sizeof(double)) : NULL;
  size_t nswitch = 0;
  for (int k = 0; k < PL_SWITCH_COUNT; k++) nswitch += (size_t)pl_switch_count(m, (plSwitch)k);
  const char* switches = numbers ? take(&source, nswitch) : NULL;
  if (numbers && !all_finite(numbers, reals)) {
    pl_free(par);
    return pl_fail(error, PL_ERROR_NOT_FINITE, "the state holds a number that is not finite");
  }
  int nattach = 0;
  plAttachment* list = switches ? take_attachments(m, &source, &nattach) : NULL;
  if (!list || !take_forces(m, source, NULL)) {
    free_list(list, nattach);
    pl_free(par);
    return pl_fail(error, PL_ERROR_MISMATCH, "the state of %zu bytes is not one of this model", size);
  }

  // From here on nothing fails.
  if (m->nbody) memset(data->f_body, 0, (size_t)m->nbody * sizeof(plWrench));
  (void)take_forces(m, source, data->f_body);
  double* to[] = {&data->time, data->q, data->v, data->u, data->f_user};
  int count[] = {1, m->nq, m->nv, m->nu, m->nv};
  for (int i = 0; i < 5; i++) {
    if (count[i]) memcpy(to[i], numbers, (size_t)count[i] * sizeof(double));
    numbers += (size_t)count[i] * sizeof(double);
  }
  for (int k = 0; k < PL_SWITCH_COUNT; k++)
    for (int i = 0; i < pl_switch_count(m, (plSwitch)k); i++) data->on[k][i] = *switches++ != 0;
  free_list(data->attach, data->nattach);
  data->attach = list;
  data->nattach = nattach;
  data->work->attach_cap = nattach + 1;
  if (par) pl_parameters_use(data, par);
  pl_free(par);
  data->ncontact = data->nimpulse = 0;
  data->work->stepped = false;
  pl_data_refresh(data);
  return PL_OK;
}

// A crash never leaves half a state; pipes and devices are written as they are.
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

plStatus pl_state_save(const plData* data, const char* path, plError* error) {
  assert(data != NULL && path != NULL);
  uint64_t size = pl_state_size(data), total = HEADER + size + 8;
  char* buffer = pl_alloc(total, 1);
  if (!buffer) return pl_fail_out_of_memory(error, total);
  memcpy(buffer, magic, 8);
  memcpy(buffer + 8, &data->model->hash, 8);
  memcpy(buffer + 16, &size, 8);
  pl_state_get(data, buffer + HEADER, size, NULL);
  uint64_t hash = pl_hash(PL_HASH_START, buffer, HEADER + size);
  memcpy(buffer + HEADER + size, &hash, 8);

  plStatus status = pl_file_replace(path, &pl_file_state, buffer, total, error);
  pl_free(buffer);
  return status;
}

static plStatus check_file(const plData* data, const char* path, const char* buffer, size_t total,
                           plError* error) {
  uint64_t model, stored_size, stored_hash;
  if (total >= 8 && !memcmp(buffer, "PLSTATE1", 8))
    return pl_fail_at(
        error, PL_ERROR_INPUT, path, 0, 0,
        "this state was saved by version 0.1, which did not save parameters; save it again with "
        "this version");
  if (total < HEADER + 8 || memcmp(buffer, magic, 8))
    return pl_fail_at(error, PL_ERROR_INPUT, path, 0, 0,
                      "this is not a saved state (it does not begin with PLSTATE2)");
  memcpy(&model, buffer + 8, 8);
  memcpy(&stored_size, buffer + 16, 8);
  memcpy(&stored_hash, buffer + total - 8, 8);
  if (stored_size != total - HEADER - 8 || stored_hash != pl_hash(PL_HASH_START, buffer, total - 8))
    return pl_fail_at(error, PL_ERROR_INPUT, path, 0, 0,
                      "the saved state is damaged (%zu bytes, check sum wrong)", total);
  if (model != data->model->hash)
    return pl_fail_at(error, PL_ERROR_MISMATCH, path, 0, 0,
                      "the state belongs to another model; load it into the scene it was saved "
                      "from");
  return PL_OK;
}

// The whole file; a size that no state of this model can have is refused before memory is asked for.
static plStatus read_all(const char* path, size_t most, char** buffer, size_t* total, plError* error) {
  int file;
  size_t size;
  plStatus status = pl_file_open_input(path, "saved state", &file, &size, error);
  if (status) return status;
  if (size > most)
    status = pl_fail_at(error, PL_ERROR_MISMATCH, path, 0, 0,
                        "a file of %zu bytes is not a state of this model", size);
  *buffer = status ? NULL : pl_alloc(size + 1, 1);
  if (!status && !*buffer) status = pl_fail_out_of_memory(error, size);
  while (!status && *total < size) {
    ssize_t n = read(file, *buffer + *total, size - *total);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) status = pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "cannot be read: %s", strerror(errno));
    if (n <= 0) break;
    *total += (size_t)n;
  }
  close(file);
  return status;
}

plStatus pl_state_load(plData* data, const char* path, plError* error) {
  assert(data != NULL && path != NULL);
  // Room for many attachments made at run time.
  size_t most = HEADER + 8 + 64 * (pl_state_size(data) + 65536), total = 0;
  char* buffer = NULL;
  plStatus status = read_all(path, most, &buffer, &total, error);
  if (!status) status = check_file(data, path, buffer, total, error);
  if (!status) status = pl_state_set(data, buffer + HEADER, total - HEADER - 8, error);
  pl_free(buffer);
  return status;
}

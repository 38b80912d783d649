// state_discrete.c: the discrete part of a state as bytes: switches, attachments, forces on bodies.
//
// One byte for each switch, the number of attachments, and each attachment; then, for each rigid body with a
// force in f_body, its index and the six numbers; and if steps are taken in parts or inner steps, -1, their
// length, the wait and the failures of longer ones, and three zeros.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "model/state.h"

void pl_state_put(plStateSink* sink, const void* bytes, size_t n) {
  if (!n || sink->differs) return;
  if (sink->to) memcpy(sink->to + sink->size, bytes, n);
  if (sink->hash) *sink->hash = pl_hash(*sink->hash, bytes, n);
  if (sink->with) {
    sink->differs = n > sink->with_size - sink->size || memcmp(sink->with + sink->size, bytes, n);
    if (sink->differs) return;
  }
  sink->size += n;
}

int pl_switch_count(const plModel* model, plSwitch kind) {
  assert(model != NULL);
  const int count[PL_SWITCH_COUNT] = {model->nconstraint, model->nv_rigid, model->nv_rigid,
                                      model->nact,        model->nshape,   model->ndeform};
  return (int)kind >= 0 && kind < PL_SWITCH_COUNT ? count[kind] : 0;
}

enum { STEP = -1 };  // instead of a body's index

static void put_attachment(plStateSink* sink, const plAttachment* a) {
  int numbers[5] = {a->on, a->deformable, a->body, a->other, a->nvert};
  double reals[2] = {a->stiffness, a->relaxation_time};
  pl_state_put(sink, numbers, sizeof numbers);
  pl_state_put(sink, reals, sizeof reals);
  pl_state_put(sink, a->vert, (size_t)a->nvert * sizeof(int));
  pl_state_put(sink, a->anchor, 3 * (size_t)a->nvert * sizeof(double));
  if (a->other < 0) return;
  pl_state_put(sink, a->target, 4 * (size_t)a->nvert * sizeof(int));
  pl_state_put(sink, a->weight, 4 * (size_t)a->nvert * sizeof(double));
}

void pl_discrete_put(const plData* data, plStateSink* sink) {
  const plModel* m = data->model;
  _Static_assert(sizeof(bool) == 1, "a switch is one byte, 0 or 1");
  for (int k = 0; k < PL_SWITCH_COUNT; k++)
    pl_state_put(sink, data->on[k], (size_t)pl_switch_count(m, (plSwitch)k));
  pl_state_put(sink, &data->nattach, sizeof data->nattach);
  for (int i = 0; i < data->nattach; i++) put_attachment(sink, &data->attach[i]);
  for (int b = 0; b < m->nbody; b++) {
    static const plWrench none = {{0, 0, 0}, {0, 0, 0}};
    if (!memcmp(&data->f_body[b], &none, sizeof none)) continue;
    pl_state_put(sink, &b, sizeof b);
    pl_state_put(sink, &data->f_body[b], sizeof none);
  }
  if (!(data->inner_dt > 0)) return;
  const int step = STEP;
  const double numbers[6] = {data->inner_dt, data->inner_wait, data->inner_failures};
  pl_state_put(sink, &step, sizeof step);
  pl_state_put(sink, numbers, sizeof numbers);
}

size_t pl_discrete_size(const plData* data) {
  plStateSink sink = {0};
  pl_discrete_put(data, &sink);
  return sink.size;
}

bool pl_discrete_is(const plData* data, const void* bytes, size_t size) {
  plStateSink sink = {.with = bytes, .with_size = size};
  pl_discrete_put(data, &sink);
  return !sink.differs && sink.size == size;
}

// ---- reading; no data is changed before everything has been checked

typedef struct Source {
  const char* from;
  size_t left;
} Source;

// The next n bytes, NULL if there are fewer.
static const char* take(Source* source, size_t n) {
  if (n > source->left) return NULL;
  const char* at = source->from;
  source->from += n;
  source->left -= n;
  return at;
}

bool pl_state_finite(const void* bytes, size_t count) {
  const uint64_t exponent = (uint64_t)0x7ff << 52;
  const char* at = bytes;
  uint64_t bad = 0, x;
  for (size_t i = 0; i < count; i++) {
    memcpy(&x, at + i * sizeof x, sizeof x);
    bad |= (x & exponent) == exponent;
  }
  return !bad;
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
  if (!at || (size == sizeof(double) && !pl_state_finite(at, count))) return false;
  memcpy(to, at, count * size);
  return true;
}

// One attachment into a, with memory of its own; false if it is not valid or memory ran out.
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

// Whether a holds what attachment i of the model holds: only its anchors, numbers and switch are state. The
// compiler has checked what an exact one may hold.
static bool is_of_model(const plModel* m, int i, const plAttachment* a) {
  int first = m->attach_vert0[i];
  return a->deformable == m->attach_deform[i] && a->body == m->attach_body[i] &&
         a->other == m->attach_other[i] && a->nvert == m->attach_vert0[i + 1] - first &&
         !memcmp(a->vert, m->attach_vert + first, (size_t)a->nvert * sizeof(int));
}

// All attachments after the count, or NULL. Those of the model come first.
static plAttachment* take_attachments(const plModel* m, Source* source, int* nattach) {
  const char* count = take(source, sizeof *nattach);
  if (!count) return NULL;
  memcpy(nattach, count, sizeof *nattach);
  if (*nattach < m->nattach || (size_t)*nattach > source->left / (4 * sizeof(int))) return NULL;
  plAttachment* list = PL_NEW(plAttachment, *nattach + 1);
  bool good = list;
  for (int i = 0; i < *nattach && good; i++) {
    good = take_attachment(m, source, &list[i]) && (i >= m->nattach || is_of_model(m, i, &list[i]));
    list[i].exact = i < m->nattach && m->attach_exact[i];
  }
  if (good) return list;
  free_list(list, *nattach);
  return NULL;
}

// Lengths of parts or inner steps, as in plData.
typedef struct Inner {
  double dt;
  int wait, failures;
} Inner;

static bool is_count(double x) { return x >= 0 && x <= INT_MAX && x == floor(x); }

// Reads forces on bodies to the end of the bytes, into f [nbody] unless it is NULL, and the lengths of parts;
// false if they are invalid.
static bool take_forces(const plModel* m, Source source, plWrench* f, Inner* inner) {
  *inner = (Inner){0};
  while (source.left) {
    const char *index = take(&source, sizeof(int)), *reals = index ? take(&source, sizeof(plWrench)) : NULL;
    int b;
    if (!reals || !pl_state_finite(reals, 6)) return false;
    memcpy(&b, index, sizeof b);
    if (b == STEP) {
      double numbers[6];
      memcpy(numbers, reals, sizeof numbers);
      if (source.left || !(numbers[0] > 0) || !is_count(numbers[1]) || !is_count(numbers[2])) return false;
      *inner = (Inner){numbers[0], (int)numbers[1], (int)numbers[2]};
      continue;
    }
    if (b < 0 || b >= m->nbody) return false;
    if (f) memcpy(&f[b], reals, sizeof *f);
  }
  return true;
}

plStatus pl_discrete_set(plData* data, const void* bytes, size_t size, plError* error) {
  const plModel* m = data->model;
  if (pl_discrete_is(data, bytes, size)) return PL_OK;
  Source source = {bytes, size};
  size_t nswitch = 0;
  for (int k = 0; k < PL_SWITCH_COUNT; k++) nswitch += (size_t)pl_switch_count(m, (plSwitch)k);
  const char* switches = take(&source, nswitch);
  int nattach = 0;
  plAttachment* list = switches ? take_attachments(m, &source, &nattach) : NULL;
  Inner inner;
  if (!list || !take_forces(m, source, NULL, &inner)) {
    free_list(list, nattach);
    return pl_fail(error, PL_ERROR_MISMATCH, "the switches, attachments and forces are not of this model");
  }

  // From here on nothing fails.
  if (m->nbody) memset(data->f_body, 0, (size_t)m->nbody * sizeof(plWrench));
  (void)take_forces(m, source, data->f_body, &inner);
  data->inner_dt = inner.dt, data->inner_wait = inner.wait, data->inner_failures = inner.failures;
  for (int k = 0; k < PL_SWITCH_COUNT; k++)
    for (int i = 0; i < pl_switch_count(m, (plSwitch)k); i++) data->on[k][i] = *switches++ != 0;
  free_list(data->attach, data->nattach);
  data->attach = list;
  data->nattach = nattach;
  data->work->attach_cap = nattach + 1;
  return PL_OK;
}

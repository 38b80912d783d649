// parts.c: a step in parts. If bodies would pass through each other (guard.c), or a stage finds no acceptable
// solution, the step is tried with half its length, then a quarter, down to 1/16; later parts may be longer
// again. If a part of 1/16 fails with one linearisation, it is tried with the converged coupling; if it fails
// under a scheme without damping, it is tried with backward Euler. If that fails too, the last of these
// methods is tried with parts of 1/32 and 1/64. A part in which contacts give energy (advance.c) is taken by
// backward Euler at once. What the last method adds to the energy of rigid trees counts
// as such a failure, and in parts of 1/64 it is taken from their speed (gain.c). A method that failed is
// tried again less and less often within the step.
#include <string.h>

#include "base/error.h"
#include "step/step.h"

// Factors of constant matrices depend on dt and must be computed again.
void pl_step_use_dt(const plModel* model, plData* data, double dt) {
  data->work->par->options.dt = dt;
  for (int b = 0; b < model->ndeform && data->work->factor_key; b++) data->work->factor_key[b] = 0;
}

// Whether the failure may be due to the length of the step.
static bool is_too_long(plStatus status) {
  return status == PL_ERROR_PASSAGE || status == PL_ERROR_NOT_CONVERGED || status == PL_ERROR_NOT_FINITE ||
         status == PL_ERROR_INDEFINITE;
}

static bool damps(const plOptions* o) { return o->theta == 1 && o->theta_vq == 1; }

// Whether the coupling is converged already, or the scheme has none. One linearisation about the free motion
// may be far from what a hard impact leads to.
static bool couples(const plOptions* o) {
  return o->coupling == PL_COUPLING_CONVERGED || !(o->theta * o->theta_vq > 0);
}

// Takes one part as a whole. shortest: a failure is final, no shorter parts are tried.
static plStatus take_part(const plModel* model, plData* data, bool shortest) {
  plWork* work = data->work;
  work->convex_friction = work->given = false, work->may_halve = !shortest;
  work->guard_rounds = 0, work->v_warm = NULL, work->iterations0 = data->report.iterations;
  const plArenaMark mark = pl_arena_mark(&work->step);
  plStatus status = pl_step_run(model, data, PL_STAGE_KINEMATICS, PL_STAGE_ADVANCE);
  data->report.parts += status == PL_OK;
  if (!status && (data->par->options.dt < work->whole_dt || data->par->options.accuracy > 0))
    pl_sensors_add_part(data);
  if (!status && work->part) work->part(data, work->part_user);
  if (status) pl_arena_release(&work->step, mark);
  return status;
}

// Takes one part with the converged coupling.
static plStatus take_coupled(const plModel* model, plData* data, bool shortest) {
  plOptions* o = &data->work->par->options;
  plCoupling coupling = o->coupling;
  o->coupling = PL_COUPLING_CONVERGED;
  plStatus status = take_part(model, data, shortest);
  data->report.coupled_parts += status == PL_OK && coupling != PL_COUPLING_CONVERGED;
  o->coupling = coupling;
  return status;
}

// Forgets a part that was not taken; residual: that of the steps that were accepted.
static void forget(plData* data, double residual) {
  pl_error_clear(data->work->error);
  data->report.free_residual = residual;
}

// The same by backward Euler, which damps.
static plStatus take_damped(const plModel* model, plData* data, bool shortest) {
  plOptions* o = &data->work->par->options;
  double theta = o->theta, theta_vq = o->theta_vq;
  o->theta = o->theta_vq = 1, data->work->damped = true;
  pl_step_use_dt(model, data, o->dt);
  plStatus status = take_coupled(model, data, shortest);
  data->report.damped_parts += status == PL_OK;
  data->work->damped = false, o->theta = theta, o->theta_vq = theta_vq;
  pl_step_use_dt(model, data, o->dt);
  return status;
}

// Error control continues with shorter steps.
bool pl_step_is_last(const plData* data) {
  return !data->work->may_halve && !(data->par->options.accuracy > 0);
}

// Ways to take a part, in the order in which they are tried. Way l up to HALVINGS is a step of dt / 2^l.
// COUPLED and DAMPED have the length of HALVINGS, with the converged coupling and with backward Euler. FINER
// and FINEST have half and a quarter of that length, and use the last of these methods that differs from the
// scheme. A step has SHORTEST parts of the least length.
enum { HALVINGS = 4, COUPLED, DAMPED, FINER, FINEST, WAYS, SHORTEST = 1 << (HALVINGS + FINEST - DAMPED) };

static int length_of(int way) {
  return way < HALVINGS ? way : way <= DAMPED ? HALVINGS : HALVINGS + way - DAMPED;
}

// The last way of this scheme before FINER: after it only a shorter length can help.
static int last_way(const plOptions* o) { return !damps(o) ? DAMPED : !couples(o) ? COUPLED : HALVINGS; }

// Which ways are tried next. Trying a way that keeps failing would cost more than the parts that succeed. So
// a part is at most twice as long as the one before it, and a way that failed n times in a row is tried again
// only after 2, 8, 32, 32 ... parts. A motion that needs parts needs them in many steps: the next longer
// length waits and counts on from step to step. (Ways of the least length do not: a part that they might take
// would be taken by backward Euler.)
enum { MOST_WAITS = 3 };  // after which the wait grows no more
typedef struct Ways {
  int length;          // of the part before; at first, of the longest part of the step before
  int failures[WAYS];  // in a row
  int wait[WAYS];      // parts to be taken before it is tried again
} Ways;

static bool waits(const Ways* k, int way) { return length_of(way) < k->length - 1 || k->wait[way] > 0; }

static void note_failure(Ways* k, int way) {
  k->wait[way] = 2 << 2 * k->failures[way];
  if (k->failures[way] < MOST_WAITS - 1) k->failures[way]++;
}

static void note_part(Ways* k, int way) {
  k->length = length_of(way), k->failures[way] = 0;
  for (int i = 0; i < WAYS; i++) k->wait[i] -= k->wait[i] > 0;
}

// Tries one way. *length: of options.dt. If contacts gave too much energy, backward Euler takes the same
// part: in a shorter one they are stiffer, and give more.
static plStatus try_way(const plModel* model, plData* data, double dt, int way, int* length) {
  int l = length_of(way);
  if (l != *length) pl_step_use_dt(model, data, dt / (1 << l));
  *length = l;
  const int last = last_way(&data->par->options), how = way < last ? way : last;
  const double residual = data->report.free_residual;
  data->work->may_refine = way < FINEST;
  plStatus status = how == DAMPED    ? take_damped(model, data, true)
                    : how == COUPLED ? take_coupled(model, data, how == last)
                                     : take_part(model, data, how == last);
  if (status != PL_ERROR_PASSAGE || !data->work->given || how == DAMPED) return status;
  forget(data, residual);
  return take_damped(model, data, false);
}

// Takes the part that begins after `at` parts of the least length. It begins at a multiple of its length. The
// longest length is tried first; if none can be taken, the ways that waited are tried too. *length: of
// options.dt, then of the part.
static plStatus take_next(const plModel* model, plData* data, double dt, int at, Ways* ways, int* length) {
  const plOptions* o = &data->par->options;
  const double residual = data->report.free_residual;
  bool tried[WAYS] = {[COUPLED] = couples(o), [DAMPED] = damps(o)};
  int way = 0;
  plStatus status = PL_OK;
  for (int w = 0; w < WAYS; w++) {
    if (tried[w] || at % (SHORTEST >> length_of(w)) || (w < FINEST && waits(ways, w))) continue;
    if (status) forget(data, residual);
    status = try_way(model, data, dt, w, length), tried[w] = true, way = w;
    if (!is_too_long(status)) break;
    note_failure(ways, w);
  }
  plStatus shortest = status;
  const plError error = *data->work->error;
  for (int w = 0; w < FINEST && is_too_long(status); w++) {
    if (tried[w] || at % (SHORTEST >> length_of(w))) continue;
    forget(data, residual);
    status = try_way(model, data, dt, w, length), way = w;
    if (is_too_long(status)) *data->work->error = error, status = shortest;
  }
  if (!status) note_part(ways, way);
  return status;
}

// The length of the longest part of the step before; 0 if that was taken as a whole. The scheme itself is
// always tried.
static int longest_before(const plData* data, double dt) {
  int l = 0;
  while (l <= HALVINGS && data->inner_dt > 0 && dt / (1 << l) > data->inner_dt) l++;
  return l;
}

// What the step before knows of the way that is one longer than its longest part, and what the next one will
// know of it.
static Ways ways_before(const plData* data, double dt) {
  Ways ways = {.length = longest_before(data, dt)};
  int longer = ways.length - 1;
  if (longer < 0 || longer >= HALVINGS) return ways;
  ways.wait[longer] = data->inner_wait;
  ways.failures[longer] = data->inner_failures < MOST_WAITS ? data->inner_failures : MOST_WAITS - 1;
  return ways;
}

static void keep_ways(const Ways* ways, double dt, int longest, plData* data) {
  int longer = longest - 1;
  bool kept = longer >= 0 && longer < HALVINGS;
  data->inner_dt = longest ? dt / (1 << longest) : 0;
  data->inner_wait = kept ? ways->wait[longer] : 0, data->inner_failures = kept ? ways->failures[longer] : 0;
}

plStatus pl_step_parts(const plModel* model, plData* data, double dt) {
  Ways ways = ways_before(data, dt);
  plStatus status = PL_OK;
  int length = 0, longest = length_of(FINEST);
  for (int at = 0; at < SHORTEST && !status; at += SHORTEST >> length) {
    status = take_next(model, data, dt, at, &ways, &length);
    if (length < longest) longest = length;
  }
  if (length) pl_step_use_dt(model, data, dt);
  if (!status) keep_ways(&ways, dt, longest, data);
  if (is_too_long(status)) pl_step_name_impact(model, data);
  return status;
}

plStepMotion pl_step_motion_keep(const plModel* model, plData* data) {
  plArena* arena = &data->work->step;
  plStepMotion m = {data->time, PL_ARENA_NEW(arena, double, model->nq),
                    PL_ARENA_NEW(arena, double, model->nv)};
  if (m.q && m.v) {
    memcpy(m.q, data->q, (size_t)model->nq * sizeof(double));
    memcpy(m.v, data->v, (size_t)model->nv * sizeof(double));
  }
  return m;
}

void pl_step_motion_restore(const plModel* model, plData* data, const plStepMotion* m) {
  if (data->report.parts == 0) return;
  memcpy(data->q, m->q, (size_t)model->nq * sizeof(double));
  memcpy(data->v, m->v, (size_t)model->nv * sizeof(double));
  data->time = m->time;
  pl_data_refresh(data);
}

// accuracy.c: a step under error control (options.accuracy): inner steps as long as the accuracy allows.
//
// Each inner step is solved twice, and the two results are compared: the largest distance over all vertices
// and rigid bodies must not exceed the accuracy.
//
// - The pair is the midpoint scheme and backward Euler. Their difference is the error of backward Euler,
//   h^2 a / 2. The midpoint's result is kept; its error is of the next order, so the errors of many steps
//   add up to little. Forces are those of backward Euler.
// - Where something touches and nothing moves farther than the accuracy, backward Euler's result is kept.
//   The midpoint scheme does not damp stiff modes: contact forces would alternate from step to step, and
//   bodies held by friction would creep. There the motion itself is as small as an error may be.
// - Scenes with their own theta are solved once over h and once as two halves, whose result is kept.
//
// The step length changes by a factor of two or not at all while steps are accepted. The depth of near-rigid
// contacts depends on it, so a body would otherwise never come to rest.
//
// Measured on a tilted block that falls (bench/accuracy, 1e-5 m): halves of backward Euler end 0.52 mm away,
// the pair 0.04 mm, with half as many solves. Extrapolating the halves (Richardson) makes spinning soft
// bodies gain angular momentum, and holds down vertices that leave the ground.
//
// in: the state, inner_dt -> out: the state after dt, inner_dt, report.parts, rejected, error
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/pose.h"
#include "rigid/rigid.h"
#include "step/step.h"

// A step fails when it has been shortened to this fraction of dt and is still not accepted.
#define LEAST_PART 0x1p-30
// It also fails after this many accepted inner steps. Such a dt is too long for the accuracy, and the work of
// one step must be bounded.
#define MOST_INNER 4096
// Length of the very first inner step.
#define FIRST_PART 0x1p-10
// The next step aims at slightly less than the allowed error; the error of both pairs grows with h^2. An
// accepted step is followed by one of the same length or GROWTH times as long, a rejected one by a shorter
// one.
#define SAFETY 0.9
#define GROWTH 2.0
#define MOST_CUT 0.1

// Positions and velocities of everything, and energies.
typedef struct State {
  double time, *q, *v;
  plPose* pose;           // [nbody]
  double *energy, *gain;  // [ndeform] J, energy there, and the gain of the solves that led there
  double rigid;           // J, gain of rigid bodies in these solves
  double* sensor;         // sums of forces over the parts that led there
} State;

typedef struct Trial {
  State start, first;     // start of the inner step, and the end of its first solve
  double *gain, *gained;  // [ndeform] J, gains of the solves since the start, and of all accepted steps
  double rigid;           // J, gain of rigid bodies since the start
  bool pair;              // the scene's own scheme is one of the pair
} Trial;

static State make_state(const plModel* m, int nsum, plArena* arena) {
  return (State){.q = PL_ARENA_NEW(arena, double, m->nq),
                 .v = PL_ARENA_NEW(arena, double, m->nv),
                 .pose = PL_ARENA_NEW(arena, plPose, m->nbody),
                 .energy = PL_ARENA_NEW(arena, double, m->ndeform),
                 .gain = PL_ARENA_NEW(arena, double, m->ndeform),
                 .sensor = PL_ARENA_NEW(arena, double, nsum)};
}

static Trial make_trial(const plModel* m, int nsum, plArena* arena) {
  return (Trial){.start = make_state(m, nsum, arena),
                 .first = make_state(m, nsum, arena),
                 .gain = PL_ARENA_NEW(arena, double, m->ndeform),
                 .gained = PL_ARENA_NEW(arena, double, m->ndeform)};
}

static void copy(double* to, const double* from, int n) {
  if (n) memcpy(to, from, (size_t)n * sizeof(double));
}

// ---- distances

// m: mean displacement of a body's matter when it turns by one radian.
static double arm_of(const plData* data, int b) {
  const double* I = data->par->body_inertia + 6 * (size_t)b;
  double mass = data->par->body_mass[b];
  return mass > 0 ? sqrt(fmax(0, 0.5 * (I[0] + I[1] + I[2]) / mass)) : 0;
}

static double distance(const plModel* m, const plData* data, const State* from) {
  double most = 0;
  for (int b = 0; b < m->nbody; b++) {
    plPose pose = pl_body_pose(data, b);
    double turn = v3_norm(quat_log(quat_mul(pose.q, quat_conj(from->pose[b].q))));
    most = fmax(most, v3_norm(v3_sub(pose.p, from->pose[b].p)) + turn * arm_of(data, b));
  }
  for (int b = 0; b < m->ndeform; b++)
    for (int i = m->deform_vert0[b]; i < m->deform_vert0[b + 1]; i++) {
      int at = m->deform_q0[b] + 3 * (i - m->deform_vert0[b]);
      most = fmax(most, v3_norm(v3_sub(v3_load(data->q + at), v3_load(from->q + at))));
    }
  return most;
}

// m, the distance that a difference of velocities makes over the next step. A spinning soft body needs this
// term: its elastic forces bring both results onto the same circle, but the velocities of backward Euler lag.
static double drift(const plModel* m, const plData* data, const State* from, double h) {
  double most = 0;
  for (int b = 0; b < m->ndeform; b++)
    for (int i = m->deform_vert0[b]; i < m->deform_vert0[b + 1]; i++) {
      int at = m->deform_v0[b] + 3 * (i - m->deform_vert0[b]);
      most = fmax(most, v3_norm(v3_sub(v3_load(data->v + at), v3_load(from->v + at))));
    }
  return h * most;
}

// m, the widest gap across which a contact pushed: it acted too early by that distance.
static double widest_gap(const plData* data) {
  double most = 0;
  for (int i = 0; i < data->ncontact; i++)
    if (v3_norm2(data->contact[i].force) > 0) most = fmax(most, data->contact[i].gap);
  return most;
}

// ---- trials

static void update_poses(const plModel* m, const plData* data) {
  if (m->nbody)
    pl_tree_kinematics(&data->work->forest, data->q, data->par->options.gravity, &data->work->tree);
}

static void keep(const plModel* m, const plData* data, const Trial* t, State* state) {
  state->time = data->time;
  copy(state->q, data->q, m->nq), copy(state->v, data->v, m->nv);
  copy(state->energy, data->energy, m->ndeform), copy(state->gain, t->gain, m->ndeform);
  state->rigid = t->rigid;
  pl_sensors_keep(data, state->sensor);
  update_poses(m, data);
  for (int b = 0; b < m->nbody; b++) state->pose[b] = pl_body_pose(data, b);
}

static void go_to(const plModel* m, plData* data, Trial* t, const State* state) {
  copy(data->q, state->q, m->nq), copy(data->v, state->v, m->nv);
  copy(data->energy, state->energy, m->ndeform), copy(t->gain, state->gain, m->ndeform);
  data->time = state->time, t->rigid = state->rigid;
  pl_sensors_go_back(data, state->sensor);
  pl_data_refresh(data);
}

// Tables are known functions of time; values that a callback wrote hold until the end of the step.
static plStatus solve(const plModel* m, plData* data, Trial* t, double h) {
  pl_arena_reset(&data->work->step);
  pl_step_use_dt(m, data, h);
  if (!data->work->control) pl_rigid_control(m, data);
  int parts = data->report.parts;
  data->report.parts = 0, data->work->rigid_gain = 0;  // energies are counted again
  plStatus status = pl_step_parts(m, data, h);
  data->report.parts += parts;
  for (int b = 0; b < m->ndeform && !status; b++) t->gain[b] += data->energy_gain[b];
  t->rigid += data->work->rigid_gain;
  return status;
}

static plStatus solve_with(const plModel* m, plData* data, Trial* t, double h, double theta) {
  plOptions* o = &data->work->par->options;
  double own = o->theta, own_vq = o->theta_vq;
  o->theta = o->theta_vq = theta;
  plStatus status = solve(m, data, t, h);
  o->theta = own, o->theta_vq = own_vq;
  return status;
}

// Whether anything but pairs acts: pairs alone do not stop a motion.
static bool is_touching(const plData* data) {
  const plReduced* r = data->work->reduced;
  bool any = false;
  for (int i = 0; r && i < r->idle0; i++) any |= r->source[i].kind != PL_ROWS_PAIR;
  return any;
}

// The midpoint scheme and backward Euler; one result is left in the data, the forces are backward Euler's.
static plStatus try_pair(const plModel* m, plData* data, Trial* t, double h, double* error) {
  plStatus status = solve_with(m, data, t, h, 0.5);
  if (status) return status;
  bool touches = is_touching(data);
  keep(m, data, t, &t->first);
  go_to(m, data, t, &t->start);
  if ((status = solve_with(m, data, t, h, 1))) return status;
  touches = touches || is_touching(data);
  update_poses(m, data);
  double apart = distance(m, data, &t->first);
  *error = touches ? apart + widest_gap(data) : fmax(apart, drift(m, data, &t->first, h));
  bool rests = touches && distance(m, data, &t->start) <= data->par->options.accuracy;
  if (!rests) go_to(m, data, t, &t->first);
  return PL_OK;
}

// Once over h, and in two halves, whose result is left in the data.
static plStatus try_halves(const plModel* m, plData* data, Trial* t, double h, double* error) {
  plStatus status = solve(m, data, t, h);
  if (status) return status;
  keep(m, data, t, &t->first);
  go_to(m, data, t, &t->start);
  double gap = 0;
  for (int half = 0; half < 2; half++) {
    if ((status = solve(m, data, t, 0.5 * h))) return status;
    gap = fmax(gap, widest_gap(data));
  }
  update_poses(m, data);
  *error = distance(m, data, &t->first) + gap;
  return PL_OK;
}

static plStatus try_step(const plModel* m, plData* data, Trial* t, double h, double* error) {
  for (int b = 0; b < m->ndeform; b++) t->gain[b] = 0;
  t->rigid = 0;
  keep(m, data, t, &t->start);
  return t->pair ? try_pair(m, data, t, h, error) : try_halves(m, data, t, h, error);
}

// Failures that a shorter step may avoid.
static bool may_help(plStatus status) {
  return status == PL_ERROR_NOT_CONVERGED || status == PL_ERROR_INDEFINITE || status == PL_ERROR_NOT_FINITE ||
         status == PL_ERROR_UNSTABLE || status == PL_ERROR_PASSAGE;
}

static plStatus inner_steps(const plModel* m, plData* data, Trial* t, double dt) {
  plReport* report = &data->report;
  const plOptions* o = &data->par->options;
  double end = pl_step_next_time(data->time, dt),
         h = data->inner_dt > 0 ? fmin(data->inner_dt, dt) : FIRST_PART * dt;
  t->pair = o->theta == o->theta_vq && (o->theta == 1 || o->theta == 0.5);
  for (int b = 0; b < m->ndeform; b++) t->gained[b] = 0;
  double rigid = 0;
  for (bool last = false; !last;) {
    double left = end - data->time, n = fmax(1, ceil(left / h - 1e-6)), part = left / n, error = 0, factor;
    plStatus status = try_step(m, data, t, part, &error);
    if (status && !may_help(status)) return status;
    bool good = !status && error <= o->accuracy;
    factor = status ? 0.5 : SAFETY * sqrt(o->accuracy / fmax(error, 1e-300));
    if (good) {
      h = factor < GROWTH ? part : GROWTH * part;
      report->error = fmax(report->error, error);
      report->inner++;
      for (int b = 0; b < m->ndeform; b++) t->gained[b] += t->gain[b];
      rigid += t->rigid;
      last = n == 1;
      if (!last && report->inner >= MOST_INNER)
        return pl_fail(data->work->error, PL_ERROR_NOT_CONVERGED,
                       "options.accuracy = %g m needs more than %d inner steps in dt = %g s: after them the "
                       "step has reached t = %g s; use a shorter dt or a larger accuracy",
                       o->accuracy, MOST_INNER, dt, data->time);
      continue;
    }
    h = part * fmin(fmax(factor, MOST_CUT), SAFETY);
    go_to(m, data, t, &t->start);
    report->rejected++;
    if (h < LEAST_PART * dt)
      return status ? status
                    : pl_fail(data->work->error, PL_ERROR_NOT_CONVERGED,
                              "the step at t = %g s does not reach options.accuracy = %g m, however short it "
                              "is: the error stays at %g m",
                              data->time, o->accuracy, error);
    pl_error_clear(data->work->error);
  }
  data->inner_dt = fmin(h, dt), data->inner_wait = data->inner_failures = 0;
  report->energy_gain = rigid;
  for (int b = 0; b < m->ndeform; b++) report->energy_gain += data->energy_gain[b] = t->gained[b];
  return PL_OK;
}

plStatus pl_step_accurate(const plModel* model, plData* data, double dt) {
  plWork* work = data->work;
  Trial t = make_trial(model, pl_sensors_nsum(data), &work->step);
  if (work->step.failed) return pl_fail_out_of_memory(work->error, (size_t)model->nv * 40);
  // The solves have their own arena, which is emptied before each.
  plArena outer = work->step;
  work->step = work->inner;
  // Sticking points creep by friction_sigma times a speed below 1 m/s, whatever the step length: this keeps
  // their creep below the accuracy per second.
  plOptions* o = &work->par->options;
  double sigma = o->friction_sigma;
  o->friction_sigma = fmin(sigma, o->accuracy);  // over 1 m
  plStatus status = inner_steps(model, data, &t, dt);
  o->friction_sigma = sigma;
  work->inner = work->step;
  work->step = outer;
  pl_step_use_dt(model, data, dt);
  return status;
}

// ---- to a given time

plStatus pl_advance(plData* data, double t_end, double accuracy, plAdvanceReport* report, plError* error) {
  assert(data != NULL);
  plOptions* o = &data->work->par->options;
  const plOptions given = *o;
  plAdvanceReport sum = {0};
  plStatus status = PL_OK;
  if (accuracy > 0) o->accuracy = accuracy;
  if (!(accuracy >= 0) || !isfinite(accuracy) || !(o->accuracy > 0))
    status = pl_fail(error, PL_ERROR_INPUT,
                     "pl_advance needs an accuracy > 0 (m), its own or options.accuracy, got %g", accuracy);
  else if (!isfinite(t_end) || t_end < data->time)
    status = pl_fail(error, PL_ERROR_INPUT, "pl_advance cannot go from t = %g s to %g s", data->time, t_end);
  while (!status && t_end - data->time > 1e-9 * given.dt) {
    double left = t_end - data->time;
    o->dt = left < (1 + 1e-6) * given.dt ? left : given.dt;
    status = pl_step(data, error);
    const plReport* r = &data->report;
    sum.steps += r->inner, sum.rejected += r->rejected, sum.samples += !status;
    sum.factorizations += r->factorizations, sum.searches += r->searches;
    sum.error = fmax(sum.error, r->error);
    if (!status && o->dt == left) data->time = t_end;
  }
  o->dt = given.dt, o->accuracy = given.accuracy;
  if (report) *report = sum;
  return status;
}

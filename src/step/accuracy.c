// accuracy.c: a step under error control (options.accuracy): inner steps as long as the accuracy allows.
//
// Each inner step is solved twice, and the ends of the two are compared: the largest distance over all
// vertices and rigid bodies must not exceed the accuracy.
//
// - Free motion, where no constraint has a row: backward Euler and the midpoint scheme. Their difference is
//   the error of backward Euler, h^2 a / 2; the midpoint's end goes on, whose error is of the next order. So
//   the error of the whole motion falls with the accuracy, not with its root, and no momentum is lost.
// - Elsewhere, and with other schemes: once over h and once as two halves, which go on. At an impact the two
//   ends need not belong to one motion, so nothing is extrapolated; where the step's own length decides the
//   compliance of a contact, the halves show it.
//
// Measured (bench/accuracy, throw at 1e-4 m): halves alone cost as much and end 18 mm away instead of 0.05
// mm, and their error falls 3 times per decade. Extrapolating them (Richardson) lets soft bodies that spin
// gain angular momentum, since stiff modes do not follow the expansion.
//
// in: the state, inner_dt -> out: the state after dt, inner_dt, report.parts, rejected, error
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/pose.h"
#include "rigid/rigid.h"
#include "step/step.h"

// A step is refused when it has been cut to this part of dt and still fails.
#define LEAST_PART 0x1p-30
// So long is the very first one.
#define FIRST_PART 0x1p-10
// The next step aims at a little less than what is allowed, and changes by no more than these factors. The
// error of both pairs grows with h^2.
#define SAFETY 0.9
#define MOST_GROWTH 2.0
#define MOST_CUT 0.1

typedef struct Trial {
  double time, *q0, *v0;  // the start
  double *q1, *v1;        // the end of the first solve
  plPose* pose;           // [nbody] there
  double *gain, *gained;  // [ndeform] J, of the inner step at hand, and of all that were taken
  bool midpoint, euler;   // the scene's own scheme is one of the pair
} Trial;

static Trial make_trial(const plModel* m, plArena* arena) {
  return (Trial){.q0 = PL_ARENA_NEW(arena, double, m->nq),
                 .v0 = PL_ARENA_NEW(arena, double, m->nv),
                 .q1 = PL_ARENA_NEW(arena, double, m->nq),
                 .v1 = PL_ARENA_NEW(arena, double, m->nv),
                 .pose = PL_ARENA_NEW(arena, plPose, m->nbody),
                 .gain = PL_ARENA_NEW(arena, double, m->ndeform),
                 .gained = PL_ARENA_NEW(arena, double, m->ndeform)};
}

static void copy(double* to, const double* from, int n) {
  if (n) memcpy(to, from, (size_t)n * sizeof(double));
}

// ---- the distance of the two ends

// m: how far turning by a radian moves a body's matter, in the mean.
static double arm_of(const plData* data, int b) {
  const double* I = data->par->body_inertia + 6 * (size_t)b;
  double mass = data->par->body_mass[b];
  return mass > 0 ? sqrt(fmax(0, 0.5 * (I[0] + I[1] + I[2]) / mass)) : 0;
}

static double distance(const plModel* m, const plData* data, const Trial* t) {
  double most = 0;
  for (int b = 0; b < m->nbody; b++) {
    plPose pose = pl_body_pose(data, b);
    double turn = v3_norm(quat_log(quat_mul(pose.q, quat_conj(t->pose[b].q))));
    most = fmax(most, v3_norm(v3_sub(pose.p, t->pose[b].p)) + turn * arm_of(data, b));
  }
  for (int b = 0; b < m->ndeform; b++)
    for (int i = m->deform_vert0[b]; i < m->deform_vert0[b + 1]; i++) {
      int at = m->deform_q0[b] + 3 * (i - m->deform_vert0[b]);
      most = fmax(most, v3_norm(v3_sub(v3_load(data->q + at), v3_load(t->q1 + at))));
    }
  return most;
}

// m, what the difference of two velocities comes to over the next step. A soft body that spins needs it: its
// elastic forces put both ends on the same circle, but the velocities of backward Euler lag.
static double drift(const plModel* m, const plData* data, const Trial* t, double h) {
  double most = 0;
  for (int b = 0; b < m->ndeform; b++)
    for (int i = m->deform_vert0[b]; i < m->deform_vert0[b + 1]; i++) {
      int at = m->deform_v0[b] + 3 * (i - m->deform_vert0[b]);
      most = fmax(most, v3_norm(v3_sub(v3_load(data->v + at), v3_load(t->v1 + at))));
    }
  return h * most;
}

static void place_bodies(const plModel* m, const plData* data) {
  if (m->nbody)
    pl_tree_kinematics(&data->work->forest, data->q, data->par->options.gravity, &data->work->tree);
}

// ---- trials

static void go_back(const plModel* m, plData* data, const Trial* t) {
  copy(data->q, t->q0, m->nq), copy(data->v, t->v0, m->nv);
  data->time = t->time;
  pl_data_refresh(data);
}

static void keep_end(const plModel* m, plData* data, Trial* t) {
  for (int b = 0; b < m->ndeform; b++) t->gain[b] = 0;
  copy(t->q1, data->q, m->nq), copy(t->v1, data->v, m->nv);
  place_bodies(m, data);
  for (int b = 0; b < m->nbody; b++) t->pose[b] = pl_body_pose(data, b);
  go_back(m, data, t);
}

// Tables are known functions of time; what a callback wrote holds until the step's end.
static plStatus solve(const plModel* m, plData* data, Trial* t, double h) {
  pl_arena_reset(&data->work->step);
  pl_step_use_dt(m, data, h);
  if (!data->work->control) pl_rigid_control(m, data);
  int parts = data->report.parts;
  data->report.parts = 0;  // energies are counted anew
  plStatus status = pl_step_parts(m, data, h, 0);
  data->report.parts += parts;
  for (int b = 0; b < m->ndeform && !status; b++) t->gain[b] += data->energy_gain[b];
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

// Backward Euler and the midpoint scheme; *free: there was nothing to touch, and the two are comparable.
static plStatus try_pair(const plModel* m, plData* data, Trial* t, double h, bool* free) {
  plStatus status = solve_with(m, data, t, h, 1);
  *free = !status && data->report.constraints == 0;
  if (!status) keep_end(m, data, t);
  if (!*free) return status;
  status = solve_with(m, data, t, h, 0.5);
  *free = !status && data->report.constraints == 0;
  if (!*free) go_back(m, data, t);
  for (int b = 0; b < m->ndeform && !*free; b++) t->gain[b] = 0;
  return PL_OK;
}

// m, the widest gap that a contact pushed across: it acted too early, by so much.
static double widest_gap(const plData* data) {
  double most = 0;
  for (int i = 0; i < data->ncontact; i++)
    if (v3_norm2(data->contact[i].force) > 0) most = fmax(most, data->contact[i].gap);
  return most;
}

// Both ends; the better one is left in the data. *error: their distance.
static plStatus try_step(const plModel* m, plData* data, Trial* t, double h, double* error) {
  t->time = data->time;
  copy(t->q0, data->q, m->nq), copy(t->v0, data->v, m->nv);
  bool free = false;
  plStatus status = t->euler || t->midpoint ? try_pair(m, data, t, h, &free) : PL_OK;
  if (!status && !free && !t->euler) {  // t has the end of backward Euler's step already
    status = solve(m, data, t, h);
    if (!status) keep_end(m, data, t);
  }
  double gap = 0;
  for (int half = 0; half < 2 && !status && !free; half++) {
    status = solve(m, data, t, 0.5 * h);
    if (!status) gap = fmax(gap, widest_gap(data));
  }
  if (status) return status;
  place_bodies(m, data);
  *error = fmax(distance(m, data, t), free ? drift(m, data, t, h) : gap);
  return PL_OK;
}

// What a shorter step may mend.
static bool may_help(plStatus status) {
  return status == PL_ERROR_NOT_CONVERGED || status == PL_ERROR_INDEFINITE || status == PL_ERROR_NOT_FINITE ||
         status == PL_ERROR_UNSTABLE || status == PL_ERROR_PASSAGE;
}

static plStatus inner_steps(const plModel* m, plData* data, Trial* t, double dt) {
  plReport* report = &data->report;
  const plOptions* o = &data->par->options;
  double end = pl_step_next_time(data->time, dt),
         h = data->inner_dt > 0 ? fmin(data->inner_dt, dt) : FIRST_PART * dt;
  t->euler = o->theta == 1 && o->theta_vq == 1, t->midpoint = o->theta == 0.5 && o->theta_vq == 0.5;
  for (int b = 0; b < m->ndeform; b++) t->gain[b] = t->gained[b] = 0;
  for (bool last = false; !last;) {
    double left = end - data->time, n = fmax(1, ceil(left / h - 1e-6)), part = left / n, error = 0, factor;
    plStatus status = try_step(m, data, t, part, &error);
    if (status && !may_help(status)) return status;
    bool good = !status && error <= o->accuracy;
    factor = status ? 0.5 : SAFETY * sqrt(o->accuracy / fmax(error, 1e-300));
    h = part * fmin(fmax(factor, MOST_CUT), good ? MOST_GROWTH : 0.9);
    if (good) {
      report->error = fmax(report->error, error);
      report->inner++;
      for (int b = 0; b < m->ndeform; b++) t->gained[b] += t->gain[b];
      last = n == 1;
      continue;
    }
    go_back(m, data, t);
    report->rejected++;
    if (h < LEAST_PART * dt)
      return status ? status
                    : pl_fail(data->work->error, PL_ERROR_NOT_CONVERGED,
                              "the step at t = %g s does not reach options.accuracy = %g m, however short it "
                              "is: the error stays at %g m",
                              data->time, o->accuracy, error);
    pl_error_clear(data->work->error);
  }
  data->inner_dt = fmin(h, dt);
  report->energy_gain = 0;
  for (int b = 0; b < m->ndeform; b++) report->energy_gain += data->energy_gain[b] = t->gained[b];
  return PL_OK;
}

plStatus pl_step_accurate(const plModel* model, plData* data, double dt) {
  plWork* work = data->work;
  Trial t = make_trial(model, &work->step);
  if (work->step.failed) return pl_fail_out_of_memory(work->error, (size_t)model->nv * 40);
  // The solves have an arena of their own, emptied before each.
  plArena outer = work->step;
  work->step = work->inner;
  plStatus status = inner_steps(model, data, &t, dt);
  work->inner = work->step;
  work->step = outer;
  pl_step_use_dt(model, data, dt);
  return status;
}

// ---- to a given time

plStatus pl_advance(plData* data, double t_end, double accuracy, plAdvanceReport* report, plError* error) {
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

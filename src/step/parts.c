// parts.c: a step in parts. If bodies would pass through each other (guard.c), or a stage finds no acceptable
// solution, the step is taken as two steps of half its length, and so on down to 1/16. A part of
// that length that cannot be taken with one linearisation is taken with the converged coupling, and one that
// a scheme without damping cannot take by backward Euler.
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
  work->convex_friction = false, work->may_halve = !shortest;
  work->guard_rounds = 0, work->v_warm = NULL;
  const plArenaMark mark = pl_arena_mark(&work->step);
  plStatus status = pl_step_run(model, data, PL_STAGE_KINEMATICS, PL_STAGE_ADVANCE);
  data->report.parts += status == PL_OK;
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

// The same by backward Euler, which damps.
static plStatus take_damped(const plModel* model, plData* data) {
  plOptions* o = &data->work->par->options;
  double theta = o->theta, theta_vq = o->theta_vq;
  o->theta = o->theta_vq = 1, data->work->damped = true;
  pl_step_use_dt(model, data, o->dt);
  plStatus status = take_coupled(model, data, true);
  data->report.damped_parts += status == PL_OK;
  data->work->damped = false, o->theta = theta, o->theta_vq = theta_vq;
  pl_step_use_dt(model, data, o->dt);
  return status;
}

// Forgets a part that was not taken; residual: that of the steps that were accepted.
static void forget(plData* data, double residual) {
  pl_error_clear(data->work->error);
  data->report.free_residual = residual;
}

enum { HALVINGS = 4 };

// A part of the least length.
static plStatus take_shortest(const plModel* model, plData* data) {
  const plOptions* o = &data->par->options;
  const double residual = data->report.free_residual;
  const bool damped = damps(o), coupled = couples(o);
  plStatus status = take_part(model, data, damped && coupled);
  if (is_too_long(status) && !coupled) {
    forget(data, residual);
    status = take_coupled(model, data, damped);
  }
  if (is_too_long(status) && !damped) {
    forget(data, residual);
    status = take_damped(model, data);
  }
  return status;
}

plStatus pl_step_parts(const plModel* model, plData* data, double dt, int halvings) {
  if (halvings == HALVINGS) return take_shortest(model, data);
  double residual = data->report.free_residual;
  plStatus status = take_part(model, data, false);
  if (!is_too_long(status)) return status;
  forget(data, residual);
  pl_step_use_dt(model, data, 0.5 * dt);
  for (int i = 0; i < 2; i++) {
    status = pl_step_parts(model, data, 0.5 * dt, halvings + 1);
    if (status) break;
  }
  pl_step_use_dt(model, data, dt);
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

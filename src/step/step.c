// step.c: one time step, as in the paper: the stages in order, and nothing else.
//
// CONTROL writes the inputs, ADVANCE the rest of the state. If a stage fails, every byte of the state is as
// it was before the step (keep.c). If bodies would pass through each other, gain energy, or a stage finds no
// solution, the stages from KINEMATICS to ADVANCE run for parts of dt (parts.c), and likewise under error
// control (accuracy.c). Timing and reporting are done here, not in the stages.
#include "step/step.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "contact/contact.h"
#include "model/state.h"
#include "step/clock.h"

typedef struct Stage {
  plStage id;
  plStatus (*run)(const plModel* model, plData* data);
} Stage;

static const Stage stages[] = {
    {PL_STAGE_CONTROL, pl_step_control},              // u, f_user
    {PL_STAGE_KINEMATICS, pl_step_kinematics},        // prescribed motion, frozen rotations
    {PL_STAGE_CONTACTS, pl_step_contacts},            // contact points
    {PL_STAGE_PARTITION, pl_step_partition},          // participating DoFs             VI.A
    {PL_STAGE_MOMENTUM, pl_step_momentum},            // m(v0), A                      (8), (11)
    {PL_STAGE_FACTOR, pl_step_factor},                // A = L L', and A_hat               VI.B
    {PL_STAGE_FREE_MOTION, pl_step_free_motion},      // v* = v0 - A^-1 m(v0)          (10)
    {PL_STAGE_CONSTRAINTS, pl_step_constraints},      // rows and laws of the problem  (17)
    {PL_STAGE_CONTACT_SOLVE, pl_step_contact_solve},  // SAP on the participating DoFs  (17)
    {PL_STAGE_INTERIOR, pl_step_interior},            // dv_n = -A_nn^-1 A_np dv_p     (15)
    {PL_STAGE_COUPLING, pl_step_coupling},            // nonlinear laws: until m(v) = J' gamma
    {PL_STAGE_GUARD, pl_step_guard},                  // obstacles that the motion would pass through
    {PL_STAGE_ADVANCE, pl_step_advance},              // q = q0 + dt N v^theta_vq      (4)
    {PL_STAGE_SENSORS, pl_step_sensors},              // samples and readings; cannot fail
};

const char* pl_stage_name(plStage stage) {
  static const char* const names[PL_STAGE_COUNT] = {
      "control",     "kinematics",    "contacts", "partition", "momentum", "factor",  "free motion",
      "constraints", "contact solve", "interior", "coupling",  "guard",    "advance", "sensors"};
  return (int)stage >= 0 && stage < PL_STAGE_COUNT ? names[stage] : "unknown stage";
}

static void begin_report(plReport* report) {
  plReport fresh = {.step = report->step};
  memcpy(fresh.total_stage_s, report->total_stage_s, sizeof fresh.total_stage_s);
  *report = fresh;
}

plStatus pl_step_run(const plModel* model, plData* data, plStage from, plStage to) {
  plWork* work = data->work;
  plStatus status = PL_OK;
  double begun = pl_step_clock_start(model, data, from, to);
  for (size_t i = 0; i < sizeof stages / sizeof *stages && !status; i++) {
    if (stages[i].id < from || stages[i].id > to) continue;
    status = stages[i].run(model, data);
    begun = pl_step_clock_stage(model, data, stages[i].id, begun);
    if (status && !work->error->message[0])
      pl_fail(work->error, status, "the step at t = %g s failed in stage '%s': %s", data->time,
              pl_stage_name(stages[i].id), pl_status_name(status));
  }
  return status;
}

// After a step that failed, the contacts, forces and energies of the step before it are lost: calls that ask
// for them answer as if no step had led to the state.
static void forget_results(plData* data) {
  bool placed = data->work->placed;
  pl_state_forget_step(data);
  data->work->placed = placed;
}

plStatus pl_step(plData* data, plError* error) {
  assert(data != NULL);
  const plModel* model = data->model;
  plWork* work = data->work;
  plError own;
  if (work->in_control)
    return pl_fail(error, PL_ERROR_INPUT, "a control callback cannot step its own simulation");
  work->error = error ? error : &own;
  pl_error_clear(work->error);
  begin_report(&data->report);
  pl_arena_reset(&work->step);

  plKept kept;
  plStatus status = pl_step_keep(model, data, &kept);
  plStepMotion motion = pl_step_motion_keep(model, data);
  if (status || work->step.failed)
    return data->report.status = pl_fail_out_of_memory(work->error, (size_t)model->nv * 24);
  work->pool = pl_pool_begin(work->threads);
  status = pl_step_run(model, data, PL_STAGE_CONTROL, PL_STAGE_CONTROL);
  double dt = work->whole_dt = data->par->options.dt;
  bool begun = !status;  // from here on the results of the step before are overwritten
  if (!status) motion = (plStepMotion){data->time, motion.q, motion.v};
  pl_sensors_begin(data);
  double inner_dt = data->inner_dt;
  int inner_wait = data->inner_wait, inner_failures = data->inner_failures;
  if (!status && data->par->options.accuracy > 0)
    status = pl_step_accurate(model, data, dt);
  else if (!status)
    status = pl_step_parts(model, data, dt);
  if (!status && data->report.parts > 1) data->time = pl_step_next_time(motion.time, dt);
  if (!status) status = pl_step_run(model, data, PL_STAGE_SENSORS, PL_STAGE_SENSORS);
  if (status) pl_step_motion_restore(model, data, &motion);
  if (status) {
    pl_step_restore(model, data, &kept);
    data->inner_dt = inner_dt, data->inner_wait = inner_wait, data->inner_failures = inner_failures;
  }
  if (status && begun) forget_results(data);
  data->report.status = status;
  pl_pool_end(work->threads);
  if (!status) data->report.step++, work->placed = false;
  return status;
}

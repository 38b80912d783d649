// stages.c: the stages that only call the folders of the bodies, and the user's control.
#include "base/error.h"
#include "constraint/constraint.h"
#include "contact/contact.h"
#include "deform/deform.h"
#include "rigid/rigid.h"
#include "step/step.h"

plStatus pl_step_control(const plModel* model, plData* data) {
  plWork* work = data->work;
  plStatus status = pl_step_check_finite(model, data, "given by the state");
  if (status) return status;
  pl_rigid_control(model, data);
  if (!work->control) return PL_OK;
  double time = data->time;
  work->in_control = true;
  plStatus answer = work->control(data, work->control_user);
  work->in_control = false;
  if (answer != PL_OK)
    return pl_fail(work->error, PL_ERROR_CANCELLED, "the control callback ended the run at t = %g s", time);
  return pl_step_check_finite(model, data, "written by the control callback");
}

plStatus pl_step_sensors(const plModel* model, plData* data) {
  (void)model;
  pl_sensors_step(data);
  return PL_OK;
}

// The first step allocates the memory that steps need.
plStatus pl_step_kinematics(const plModel* model, plData* data) {
  plStatus status = pl_data_prepare(data, data->work->error);
  if (status) return status;
  const plOptions* o = &data->par->options;
  data->work->last = (plScheme){o->dt, o->theta, o->theta_vq};
  data->report.dt = o->dt;
  pl_rigid_kinematics(model, data);
  return pl_deform_kinematics(model, data);
}

plStatus pl_step_contacts(const plModel* model, plData* data) {
  plStatus status = pl_contact_find(model, data);
  data->report.searches++;
  return status ? status : pl_contact_drop_misses(model, data);
}

plStatus pl_step_partition(const plModel* model, plData* data) {
  return pl_constraint_partition(model, data);
}

// Ends the partition too, part of which runs beside it: of two failures, the one that one thread would meet
// first is reported.
plStatus pl_step_momentum(const plModel* model, plData* data) {
  pl_rigid_momentum(model, data);
  plStatus status = pl_deform_momentum(model, data), before = pl_constraint_partition_end(data);
  return before ? before : status;
}

plStatus pl_step_factor(const plModel* model, plData* data) {
  plStatus status = pl_rigid_factor(model, data);
  return status ? status : pl_deform_factor(model, data);
}

plStatus pl_step_free_motion(const plModel* model, plData* data) {
  plStatus status = pl_deform_free_motion(model, data);
  return status ? status : pl_rigid_free_motion(model, data);
}

// work->reduced stays NULL if there are no constraints.
plStatus pl_step_constraints(const plModel* model, plData* data) {
  plWork* work = data->work;
  work->reduced = NULL;
  plReduced* r = PL_ARENA_NEW(&work->step, plReduced, 1);
  if (!r) return PL_ERROR_MEMORY;
  plStatus status = pl_constraint_reduce(model, data, r);
  data->report.constraints = r->idle0;
  if (!status && r->n + r->nexact > 0) work->reduced = r;
  return status;
}

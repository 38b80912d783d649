// forces.c: sums the impulses of the last step by joint, constraint and attachment (forces.h).
#include <assert.h>

#include "math/vec3.h"
#include "model/work.h"
#include "pliant/forces.h"

// Sign of a bound: the lower one pushes up, the upper one down.
static double signed_row(const plImpulse* p) { return p->part ? -p->gamma[0] : p->gamma[0]; }

static double dof_sum(const plData* data, plImpulseKind kind, int dof) {
  double sum = 0;
  for (int i = 0; i < data->nimpulse; i++)
    if (data->impulse[i].kind == kind && data->impulse[i].index == dof) sum += signed_row(&data->impulse[i]);
  return sum / pl_step_dt(data);
}

double pl_limit_force(const plData* data, int dof) {
  assert(data != NULL);
  return dof_sum(data, PL_IMPULSE_LIMIT, dof);
}
double pl_friction_force(const plData* data, int dof) {
  assert(data != NULL);
  return dof_sum(data, PL_IMPULSE_FRICTION, dof);
}

plStatus pl_constraint_force(const plData* data, int constraint, plWrench* wrench, double* effort) {
  assert(data != NULL);
  if (constraint < 0 || constraint >= data->model->nconstraint) return PL_ERROR_INPUT;
  double rate = 1 / pl_step_dt(data), row = 0;
  plWrench sum = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < data->nimpulse; i++) {
    const plImpulse* p = &data->impulse[i];
    if (p->kind != PL_IMPULSE_CONSTRAINT || p->index != constraint) continue;
    sum.force = v3_madd(sum.force, rate, p->push.force);
    sum.moment = v3_madd(sum.moment, rate, p->push.moment);
    if (p->nrow == 1) row += rate * signed_row(p);
  }
  if (wrench) *wrench = sum;
  if (effort) *effort = row;
  return PL_OK;
}

plStatus pl_attachment_force(const plData* data, int attachment, plWrench* wrench, plVec3* centre) {
  assert(data != NULL && wrench != NULL);
  if (attachment < 0) return PL_ERROR_INPUT;
  double rate = 1 / pl_step_dt(data);
  plVec3 middle = {0, 0, 0};
  plWrench sum = {{0, 0, 0}, {0, 0, 0}};
  int n = 0;
  for (int i = 0; i < data->nimpulse; i++) {
    const plImpulse* p = &data->impulse[i];
    if (p->kind == PL_IMPULSE_ATTACHMENT && p->index == attachment) middle = v3_add(middle, p->point_b), n++;
  }
  middle = n ? v3_scale(1.0 / n, middle) : v3(NAN, NAN, NAN);
  for (int i = 0; i < data->nimpulse; i++) {
    const plImpulse* p = &data->impulse[i];
    if (p->kind != PL_IMPULSE_ATTACHMENT || p->index != attachment) continue;
    sum.force = v3_madd(sum.force, rate, p->push.force);
    sum.moment = v3_add(sum.moment, v3_cross(v3_sub(p->point_b, middle), v3_scale(rate, p->push.force)));
  }
  *wrench = sum;
  if (centre) *centre = middle;
  return PL_OK;
}

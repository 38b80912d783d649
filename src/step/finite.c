// finite.c: refuses states with numbers that are not finite, by name, at the start of a step.
//
// in: time, q, v, u, f_user, f_body -> out: a message and report.where
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "step/step.h"

enum { WRENCH = sizeof(plWrench) / sizeof(double) };  // numbers of a force and a moment

// The first of n numbers that is not finite, or -1. Zero times each number is zero, or NaN; there are four
// sums, so that additions do not wait for each other.
static int find_not_finite(const double* x, int n) {
  double sum[4] = {0};
  for (int i = 0; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) sum[k] += 0 * x[i + k];
  for (int i = n & ~3; i < n; i++) sum[0] += 0 * x[i];
  if (sum[0] + sum[1] + sum[2] + sum[3] == 0) return -1;
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return i;
  return -1;
}

static plStatus refuse(plData* data, const char* who, const char* what, const char* name, double value) {
  snprintf(data->report.where, sizeof data->report.where, "%s", name);
  return pl_fail(data->work->error, PL_ERROR_NOT_FINITE,
                 "%s of %s is %g at t = %g s (%s); the step was not taken: set a finite number", what, name,
                 value, data->time, who);
}

// The body or joint to which entry i of q belongs (or of v and f_user, whose layout is that of v).
static void name_entry(const plModel* model, bool position, int i, char* name, size_t size) {
  name[0] = 0;
  int rigid = position ? model->nq_rigid : model->nv_rigid;
  if (i < rigid) {
    for (int j = 0; j < model->njoint; j++) {
      int n = position ? pl_joint_nq(model->joint_kind[j]) : pl_joint_nv(model->joint_kind[j]),
          first = position ? model->joint_q0[j] : model->joint_v0[j];
      if (i >= first && i < first + n) snprintf(name, size, "joint '%s'", model->joint_name[j]);
    }
    return;
  }
  int b = model->ndeform - 1;
  const int* first = position ? model->deform_q0 : model->deform_v0;
  while (b > 0 && first[b] > i) b--;
  snprintf(name, size, "'%s' vertex %d", model->deform_name[b], (i - first[b]) / 3);
}

static plStatus check_entries(const plModel* model, plData* data, const char* who, const char* what,
                              const double* x, bool position) {
  int bad = find_not_finite(x, position ? model->nq : model->nv);
  if (bad < 0) return PL_OK;
  char name[120];
  name_entry(model, position, bad, name, sizeof name);
  return refuse(data, who, what, name, x[bad]);
}

static plStatus check_inputs(const plModel* model, plData* data, const char* who) {
  int bad = find_not_finite(data->u, model->nu);
  if (bad < 0) return PL_OK;
  int a = model->nact - 1;
  while (a > 0 && model->act_u0[a] > bad) a--;
  char name[120];
  snprintf(name, sizeof name, "actuator '%s'", model->act_name[a]);
  return refuse(data, who, "u", name, data->u[bad]);
}

static plStatus check_wrenches(const plModel* model, plData* data, const char* who) {
  const double* x = (const double*)data->f_body;
  int bad = find_not_finite(x, WRENCH * model->nbody);
  if (bad < 0) return PL_OK;
  char name[120];
  snprintf(name, sizeof name, "body '%s'", model->body_name[bad / WRENCH]);
  return refuse(data, who, "f_body", name, x[bad]);
}

plStatus pl_step_check_finite(const plModel* model, plData* data, const char* who) {
  if (!isfinite(data->time)) return refuse(data, who, "the time", "the state", data->time);
  plStatus status = check_entries(model, data, who, "q", data->q, true);
  if (!status) status = check_entries(model, data, who, "v", data->v, false);
  if (!status) status = check_inputs(model, data, who);
  if (!status) status = check_entries(model, data, who, "f_user", data->f_user, false);
  return status ? status : check_wrenches(model, data, who);
}

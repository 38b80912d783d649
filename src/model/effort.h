// effort.h: dofs whose limits of force apply to the sum of their actuators (compile_effort.c).
#ifndef PL_MODEL_EFFORT_H
#define PL_MODEL_EFFORT_H

#include "model/actuator.h"

static inline bool pl_actuator_has_gains(const plParameters* par, int a) {
  return par->act_bias[3 * a + 1] != 0 || par->act_bias[3 * a + 2] != 0;
}

// Whether entry k of effort_act counts in its sum. A tendon or cable with gains does not: a limit on one of
// its dofs alone would not derive from a potential.
static inline bool pl_effort_counts(const plData* data, int k) {
  int a = data->model->work->effort_act[k];
  return data->on[PL_SWITCH_ACTUATOR][a] &&
         !(pl_actuator_is_tendon(data->model, a) && pl_actuator_has_gains(data->par, a));
}

static inline double pl_effort_clamp(const plModel* m, int dof, double f) {
  return fmin(fmax(f, m->dof_force_lower[dof]), m->dof_force_upper[dof]);
}

// The sum of the actuators without gains on the dof of sum s; *ngain: actuators with gains on it.
static inline double pl_effort_constant(const plData* data, int s, int* ngain) {
  const plModelWork* w = data->model->work;
  double sum = 0;
  *ngain = 0;
  for (int k = w->effort0[s]; k < w->effort0[s + 1]; k++) {
    int a = w->effort_act[k];
    if (!pl_effort_counts(data, k)) continue;
    if (pl_actuator_has_gains(data->par, a))
      ++*ngain;
    else
      sum += data->work->act_coefficient[w->effort_term[k]] * pl_actuator_force(data, a, 0, 0);
  }
  return sum;
}

#endif

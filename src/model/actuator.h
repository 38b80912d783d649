// actuator.h: the law of an actuator: f = gain . u + bias0 + bias1 q + bias2 v (pliant/parameters.h).
#ifndef PL_MODEL_ACTUATOR_H
#define PL_MODEL_ACTUATOR_H

#include "model/work.h"

// The first input, within its limits.
static inline double pl_actuator_input(const plData* data, int a) {
  double u = data->u[data->model->act_u0[a]];
  return fmin(fmax(u, data->par->act_lower[a]), data->par->act_upper[a]);
}

// The force at the coordinate q and its rate v. The limits of the force act here if there are no gains; with
// gains they need the convex problem.
static inline double pl_actuator_force(const plData* data, int a, double q, double v) {
  const double *gain = data->par->act_gain + 3 * (size_t)a, *bias = data->par->act_bias + 3 * (size_t)a,
               *u = data->u + data->model->act_u0[a];
  double f = gain[0] * pl_actuator_input(data, a) + bias[0] + bias[1] * q + bias[2] * v;
  if (data->model->act_kind[a] == PL_ACTUATOR_PD) f += gain[1] * u[1] + gain[2] * u[2];
  return bias[1] == 0 && bias[2] == 0 ? pl_actuator_clamp(data, a, f) : f;
}

#endif

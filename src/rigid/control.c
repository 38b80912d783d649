// control.c: what tables say about the inputs of actuators, and the linear law on every dof that springs, damping, actuators and the
// user's forces add up to: f - K x - D v.
//
// in: time, u, f_user -> out: u, dof_force, dof_K, dof_D
#include "rigid/rigid.h"

void pl_actuator_table(const plModel* model, int i, double time, double* value, double* slope) {
  int first = model->act_knot0[i], last = model->act_knot0[i + 1] - 1;
  const double *t = model->act_time, *x = model->act_value, *s = model->act_slope;
  *slope = 0;
  if (time <= t[first] || time >= t[last]) {
    *value = time <= t[first] ? x[first] : x[last];
    return;
  }
  int low = first, high = last;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (t[middle] <= time) low = middle;
    else high = middle;
  }
  double h = t[low + 1] - t[low], a = (time - t[low]) / h, d = x[low + 1] - x[low];
  if (model->act_interpolation[i] == PL_LINEAR) {
    *value = x[low] + a * d;
    *slope = d / h;
    return;
  }
  // Hermite: x0 + h s0 a + (3 d - 2 h s0 - h s1) a^2 + (h s0 + h s1 - 2 d) a^3
  double s0 = h * s[low], s1 = h * s[low + 1], c2 = 3 * d - 2 * s0 - s1, c3 = s0 + s1 - 2 * d;
  *value = x[low] + a * (s0 + a * (c2 + a * c3));
  *slope = (s0 + a * (2 * c2 + a * 3 * c3)) / h;
}

void pl_rigid_control(const plModel* model, plData* data) {
  double time = data->time + model->options.theta * model->options.dt;
  for (int i = 0; i < model->nact; i++) {
    if (model->act_knot0[i + 1] == model->act_knot0[i]) continue;
    double value, slope, *u = data->u + model->act_u0[i];
    pl_actuator_table(model, i, time, &value, &slope);
    u[0] = value;
    if (model->act_kind[i] == PL_ACTUATOR_PD) u[1] = model->act_zero_velocity[i] ? 0 : slope;
  }
}

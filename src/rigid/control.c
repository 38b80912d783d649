// control.c: writes the inputs of actuators that have a table over time.
//
// in: time -> out: u
#include "model/table.h"
#include "rigid/rigid.h"

void pl_actuator_table(const plModel* model, int i, double time, double* value, double* slope) {
  int first = model->act_knot0[i], n = model->act_knot0[i + 1] - first;
  const double* slopes = model->act_interpolation[i] == PL_CUBIC ? model->act_slope + first : NULL;
  pl_table_at(n, model->act_time + first, model->act_value + first, slopes, time, value, slope);
}

void pl_rigid_control(const plModel* model, plData* data) {
  double time = data->time + data->par->options.theta * data->par->options.dt;
  for (int i = 0; i < model->nact; i++) {
    if (model->act_knot0[i + 1] == model->act_knot0[i]) continue;
    double value, slope, *u = data->u + model->act_u0[i];
    pl_actuator_table(model, i, time, &value, &slope);
    u[0] = value;
    if (model->act_kind[i] == PL_ACTUATOR_PD) u[1] = model->act_zero_velocity[i] ? 0 : slope;
  }
}

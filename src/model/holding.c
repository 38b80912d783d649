// holding.c: the inputs with which actuators hold a position.
//
// in: q, limits of joints, laws of actuators -> coordinates and inputs
#include "model/holding.h"

#include "model/work.h"

double pl_holding_coordinate(const plData* data, int act) { return pl_actuator_position(data, act); }

void pl_holding_limits(const plModel* m, const plParameters* par, int act, double* lower, double* upper) {
  *lower = *upper = 0;
  if (pl_actuator_has_sites(m, act)) *lower = -INFINITY, *upper = INFINITY;
  for (int k = m->act_term0[act]; k < m->act_term0[act + 1]; k++) {
    int dof = m->act_term[k];
    double c = m->act_coefficient[k];
    if (c == 0) continue;
    *lower += c * (c > 0 ? par->dof_lower[dof] : par->dof_upper[dof]);
    *upper += c * (c > 0 ? par->dof_upper[dof] : par->dof_lower[dof]);
  }
}

// gain u + bias0 + bias1 x = 0 at rest
bool pl_holding_input(const plModel* m, const plParameters* par, int act, double x, double* u) {
  const double *gain = par->act_gain + 3 * (size_t)act, *bias = par->act_bias + 3 * (size_t)act;
  if (m->act_kind[act] == PL_ACTUATOR_MOTOR || gain[0] == 0 || bias[1] == 0) return false;
  *u = -(bias[0] + bias[1] * x) / gain[0];
  return true;
}

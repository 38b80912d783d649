// actuator.c: proportional-derivative control, implicit in the new velocity, with an effort limit.
//
// The effort at the end of the step, q = q0 + dt v, is u(v) = -kp (q0 + dt v - q_d) - kd (v - v_d) + u_ff = u0 - K v with
// K = dt kp + kd, and the impulse gamma = dt clamp(u, -e, e). Since du/dv = -K, gamma is the negative gradient of
//     l = dt / K F(u),   F = u^2 / 2 if |u| < e,  e (|u| - e / 2) otherwise
// with G = dt K inside and 0 where the effort is saturated.
#include <math.h>

#include "sap/law.h"

plSapRegion pl_sap_actuator_calc(const plSapActuator* law, double vc, double* cost, double* gamma, double* G) {
  double dt = law->dt, e = law->effort, K = dt * law->kp + law->kd, u = law->u0 - K * vc;
  bool saturated = fabs(u) >= e;
  *gamma = dt * (saturated ? copysign(e, u) : u);
  if (cost) *cost = dt / K * (saturated ? e * (fabs(u) - 0.5 * e) : 0.5 * u * u);
  if (G) *G = saturated ? 0 : dt * K;
  return saturated ? PL_SAP_SLIDE : PL_SAP_STICK;
}

// actuator.c: proportional-derivative control, implicit in the new velocity, with limits of the effort.
//
// The effort at the end of the step, q = q0 + dt v, is u(v) = -kp (q0 + dt v - q_d) - kd (v - v_d) + u_ff =
// u0 - K v with K = dt kp + kd, and the impulse gamma = dt clamp(u, lower, upper). Since du/dv = -K, gamma is
// the negative gradient of
//     l = dt / K F(u),   F' = clamp(u):  F = u^2 / 2 between the limits,  e (u - e / 2) beyond the limit e
// with G = dt K inside and 0 where the effort is saturated.
#include <math.h>

#include "sap/law.h"

plSapRegion pl_sap_actuator_calc(const plSapActuator* law, double vc, double* cost, double* gamma,
                                 double* G) {
  double dt = law->dt, K = dt * law->kp + law->kd, u = law->u0 - K * vc,
         e = fmin(fmax(u, law->lower), law->upper);
  bool saturated = u >= law->upper || u <= law->lower;
  *gamma = dt * e;
  if (cost) *cost = dt / K * (saturated ? e * (u - 0.5 * e) : 0.5 * u * u);
  if (G) *G = saturated ? 0 : dt * K;
  return saturated ? PL_SAP_SLIDE : PL_SAP_STICK;
}

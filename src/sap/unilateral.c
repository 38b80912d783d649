// unilateral.c: a regularised inequality g(q) >= 0: joint limits, tendons that only pull.
//
// gamma = max(0, y), y = (v_hat - vc) / R: the impulse may push but not pull. l = R gamma^2 / 2, with dl/dvc
// = -gamma in both regions, is continuously differentiable; G = 1 / R where y > 0, else 0.
#include "sap/law.h"

plSapRegion pl_sap_unilateral_calc(const plSapRow* law, double vc, double* cost, double* gamma, double* G) {
  double u = law->v_hat - vc;
  int active = u > 0;
  *gamma = active ? u / law->R : 0;
  if (cost) *cost = active ? 0.5 * u * u / law->R : 0;
  if (G) *G = active ? 1 / law->R : 0;
  return active ? PL_SAP_STICK : PL_SAP_OPEN;
}

// bilateral.c: a regularised equality: welds, couplers, distances, attachments, prescribed motion.
//
// gamma = (v_hat - vc) / R is the implicit spring and damper of a row g(q, t) = 0 (see pl_sap_holonomic); it
// is the negative gradient of l = (v_hat - vc)^2 / (2 R), and G = 1 / R.
#include "sap/law.h"

plSapRegion pl_sap_bilateral_calc(const plSapRow* law, double vc, double* cost, double* gamma, double* G) {
  double u = law->v_hat - vc;
  *gamma = u / law->R;
  if (cost) *cost = 0.5 * u * u / law->R;
  if (G) *G = 1 / law->R;
  return PL_SAP_STICK;
}

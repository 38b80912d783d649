// bounded.c: a regularised equality whose impulse is bounded: dry friction of a joint, a weak motor or
// magnet.
//
// gamma = clamp(y, lower, upper), y = u / R, u = v_hat - vc. Its potential in u is quadratic between the
// bounds and linear outside (Huber), joined so that value and slope are continuous:
//     l = u^2 / (2 R)                     lower < y < upper        G = 1 / R
//     l = upper u - R upper^2 / 2         y >= upper               G = 0
//     l = lower u - R lower^2 / 2         y <= lower               G = 0
#include "sap/law.h"

plSapRegion pl_sap_bounded_calc(const plSapRow* law, double vc, double* cost, double* gamma, double* G) {
  double u = law->v_hat - vc, y = u / law->R;
  bool above = y >= law->upper, below = y <= law->lower;
  *gamma = above ? law->upper : below ? law->lower : y;
  if (cost) *cost = above || below ? *gamma * (u - 0.5 * law->R * *gamma) : 0.5 * u * y;
  if (G) *G = above || below ? 0 : 1 / law->R;
  return above || below ? PL_SAP_SLIDE : PL_SAP_STICK;
}

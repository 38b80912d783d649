// cone.c: the friction cone with linear compliance and regularised friction (the paper's contact law).
//
// Let R = diag(R_t, R_t, R_n), v_hat = (0, 0, v_hat_n), y = R^-1 (v_hat - vc). The impulse is the point of
// the cone C = { |gamma_t| <= mu gamma_n } nearest to y in the norm of R, and l = 1/2 gamma' R gamma.
//
// Derivation. On the boundary, write gamma = (mu g t, g) with |t| = 1. Minimising 1/2 |gamma - y|_R^2 gives t
// = y_t / |y_t| and
//     R_t mu (mu g - y_r) + R_n (g - y_n) = 0,   y_r = |y_t|
//     g = f (y_n + mu_hat y_r),   mu_hat = mu R_t / R_n,   f = 1 / (1 + mu mu_hat)
// Regions: stick if y_r <= mu y_n (y is in the cone); open if y_n <= -mu_hat y_r (y is in the polar cone, g
// <= 0); slide in between. With y = R^-1 (v_hat - vc), G = (dgamma/dy) R^-1:
//     dg/dy_n = f,  dg/dy_t = f mu_hat t,  dt/dy_t = (I - t t') / y_r
//     G_nn = f / R_n,  G_nt = mu f / R_n t,  G_tt = mu / R_t [ g / y_r (I - t t') + mu_hat f t t' ]
// In the slide region g / y_r <= 1 / mu, so that G <= R^-1 up to the apex: the law needs no smoothing there
// and has no length scale of its own. l is continuously differentiable everywhere; G jumps between regions (a
// semismooth law).
#include <math.h>

#include "sap/law.h"

plSapRegion pl_sap_cone_calc(const plSapCone* law, const double* vc, double* cost, double* gamma, double* G) {
  double mu = law->mu, R_t = law->R_t, R_n = law->R_n;
  double y1 = -vc[0] / R_t, y2 = -vc[1] / R_t, y_n = (law->v_hat_n - vc[2]) / R_n;
  double y_r = sqrt(y1 * y1 + y2 * y2);
  if (G)
    for (int i = 0; i < 9; i++) G[i] = 0;

  // stick: gamma = y
  if (mu > 0 && y_r <= mu * y_n) {
    gamma[0] = y1, gamma[1] = y2, gamma[2] = y_n;
    if (cost) *cost = 0.5 * (R_t * y_r * y_r + R_n * y_n * y_n);
    if (G) G[0] = G[4] = 1 / R_t, G[8] = 1 / R_n;
    return PL_SAP_STICK;
  }
  // open: gamma = 0
  double mu_hat = mu * R_t / R_n;
  if (y_n <= -mu_hat * y_r) {
    gamma[0] = gamma[1] = gamma[2] = 0;
    if (cost) *cost = 0;
    return PL_SAP_OPEN;
  }
  // slide: on the boundary of the cone
  double f = 1 / (1 + mu * mu_hat), g = f * (y_n + mu_hat * y_r);
  double t1 = y_r > 0 ? y1 / y_r : 0, t2 = y_r > 0 ? y2 / y_r : 0;
  gamma[0] = mu * g * t1, gamma[1] = mu * g * t2, gamma[2] = g;
  if (cost) *cost = 0.5 * R_n * g * g / f;
  if (G) {
    G[8] = f / R_n;
    if (y_r > 0) {
      double a = mu / R_t * (g / y_r), b = mu * mu * f / R_n - a;
      G[0] = a + b * t1 * t1, G[1] = G[3] = b * t1 * t2, G[4] = a + b * t2 * t2;
      G[2] = G[6] = mu * f / R_n * t1, G[5] = G[7] = mu * f / R_n * t2;
    }
  }
  return PL_SAP_SLIDE;
}

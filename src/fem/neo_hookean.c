// neo_hookean.c: stable neo-Hookean (Smith, De Goes, Kim 2018), finite for inverted F.
//   W = mu/2 (I1 - 3) - mu (J - 1) + L/2 (J - 1)^2,  L = lambda + mu     theta = J - 1
//   P = mu F + a cof F,  a = L (J - 1) - mu + pi
// L = lambda + mu makes mu and lambda the Lame parameters at rest.
#include <string.h>

#include "fem/spectrum.h"
#include "math/svd3.h"

static double energy(const plLaw* law, plMat3 F, plMat3 R0, double* theta) {
  (void)R0;
  double t = m3_det(F) - 1, L = law->lambda + law->mu;
  *theta = t;
  return 0.5 * law->mu * (m3_dot(F, F) - 3) - law->mu * t + 0.5 * L * t * t;
}

static plMat3 stress(const plLaw* law, plMat3 F, plMat3 R0, double pi, plMat3* dtheta) {
  (void)R0;
  double L = law->lambda + law->mu, a = L * (m3_det(F) - 1) - law->mu + pi;
  *dtheta = m3_cofactor(F);
  return m3_add(m3_scale(law->mu, F), m3_scale(a, *dtheta));
}

static void tangent(const plLaw* law, plMat3 F, plMat3 R0, double pi, plTangent which, double H[81]) {
  (void)R0;
  double mu = law->mu, L = law->lambda + mu, a = L * (m3_det(F) - 1) - mu + pi;
  if (which == PL_TANGENT_EXACT) {
    // mu I + L cof cof' + a d(cof F)/dF
    plMat3 C = m3_cofactor(F);
    memset(H, 0, 81 * sizeof *H);
    for (int i = 0; i < 9; i++) H[10 * i] = mu;
    pl_tangent_add_dyad(H, L, C, C);
    pl_tangent_add_cofactor(H, a, F);
    return;
  }
  plMat3 U, V;
  double s[3];
  pl_svd3(F, &U, s, &V);
  plSpectrum spectrum = {.twist = {mu, mu, mu}, .flip = {mu, mu, mu}, .stretch = m3_diag(mu, mu, mu)};
  pl_spectrum_add_volume(&spectrum, s, a, L);
  pl_spectrum_tangent(&spectrum, U, V, which, H);
}

const plLawFunctions pl_law_neo_hookean = {energy, stress, tangent};

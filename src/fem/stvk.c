// stvk.c: Saint-Venant-Kirchhoff, the linear law in Green's strain.
//   E = (F'F - I)/2     W = mu E:E + lambda/2 tr(E)^2     theta = tr E
//   P = F (2 mu E + (lambda tr E + pi) I)
// In singular values, e_i = (s_i^2 - 1)/2, p = lambda tr E + pi:
//   twist, flip = p + mu (s_j^2 -+ s_j s_k + s_k^2 - 1)
//   stretch A_ii = 2 mu e_i + p + (2 mu + lambda) s_i^2, A_ij = lambda s_i s_j
#include "fem/spectrum.h"
#include "math/svd3.h"

static plMat3 green(plMat3 F) { return m3_scale(0.5, m3_sub(m3_mul(m3_transpose(F), F), m3_identity())); }

static double energy(const plLaw* law, plMat3 F, plMat3 R0, double* theta) {
  (void)R0;
  plMat3 E = green(F);
  double tr = m3_trace(E);
  *theta = tr;
  return law->mu * m3_dot(E, E) + 0.5 * law->lambda * tr * tr;
}

static plMat3 stress(const plLaw* law, plMat3 F, plMat3 R0, double pi, plMat3* dtheta) {
  (void)R0;
  plMat3 E = green(F);
  *dtheta = F;
  double p = law->lambda * m3_trace(E) + pi;
  return m3_add(m3_scale(2 * law->mu, m3_mul(F, E)), m3_scale(p, F));
}

void pl_viscous_tangent(const plLaw* law, plMat3 F, plMat3 T, double H[81]) {
  plMat3 B = m3_mul(F, m3_transpose(F));
  for (int l = 0; l < 3; l++)
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
          H[9 * (3 * l + k) + 3 * j + i] =
              law->mu * (M3(F, i, l) * M3(F, k, j) + (j == l ? M3(B, i, k) : 0)) +
              law->lambda * M3(T, i, j) * M3(T, k, l);
}

// dP = mu (F dF'F + F F'dF) + lambda (F:dF) F, and from stress dF (2 mu E + p I)
static void exact(const plLaw* law, plMat3 F, double pi, double H[81]) {
  plMat3 E = green(F);
  double p = law->lambda * m3_trace(E) + pi;
  pl_viscous_tangent(law, F, F, H);
  for (int l = 0; l < 3; l++)
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 3; i++)
        H[9 * (3 * l + i) + 3 * j + i] += 2 * law->mu * M3(E, l, j) + (j == l ? p : 0);
}

static void tangent(const plLaw* law, plMat3 F, plMat3 R0, double pi, plTangent which, double H[81]) {
  (void)R0;
  if (which == PL_TANGENT_EXACT) {
    exact(law, F, pi, H);
    return;
  }
  plMat3 U, V;
  double s[3], mu = law->mu, lambda = law->lambda;
  pl_svd3(F, &U, s, &V);
  double p = 0.5 * lambda * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3) + pi;
  plSpectrum spectrum;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double squares = s[j] * s[j] + s[k] * s[k] - 1;
    spectrum.twist[i] = p + mu * (squares - s[j] * s[k]);
    spectrum.flip[i] = p + mu * (squares + s[j] * s[k]);
    M3(spectrum.stretch, i, i) = p + mu * (3 * s[i] * s[i] - 1) + lambda * s[i] * s[i];
    M3(spectrum.stretch, j, k) = M3(spectrum.stretch, k, j) = lambda * s[j] * s[k];
  }
  pl_spectrum_tangent(&spectrum, U, V, which, H);
}

const plLawFunctions pl_law_stvk = {energy, stress, tangent};

// mooney_rivlin.c: Mooney-Rivlin with a volume term shifted such that P(I) = 0.
//   W = C1 (I1 - 3) + C2 (I2 - 3) - D (J - 1) + L/2 (J - 1)^2     theta = J - 1
//   I1 = tr F'F, I2 = (I1^2 - tr (F'F)^2)/2, D = 2 C1 + 4 C2, L = lambda + 2 C1
//   P = 2 C1 F + 2 C2 (I1 F - F F'F) + a cof F,  a = L (J - 1) - D + pi
// At rest mu = 2 (C1 + C2). In singular values:
//   twist, flip = 2 C1 + 2 C2 (s_i^2 +- s_j s_k) +- a s_i
//   stretch A_ii = 2 C1 + 2 C2 (s_j^2 + s_k^2) + L (s_j s_k)^2, A_jk = 4 C2 s_j s_k + L s_i^2 s_j s_k + a s_i
#include "fem/spectrum.h"
#include "math/svd3.h"

static double energy(const plLaw* law, plMat3 F, plMat3 R0, double* theta) {
  (void)R0;
  plMat3 C = m3_mul(m3_transpose(F), F);
  double c1 = law->c1, c2 = law->c2, D = 2 * c1 + 4 * c2, L = law->lambda + 2 * c1;
  double I1 = m3_trace(C), I2 = 0.5 * (I1 * I1 - m3_dot(C, C)), t = m3_det(F) - 1;
  *theta = t;
  return c1 * (I1 - 3) + c2 * (I2 - 3) - D * t + 0.5 * L * t * t;
}

static plMat3 stress(const plLaw* law, plMat3 F, plMat3 R0, double pi, plMat3* dtheta) {
  (void)R0;
  plMat3 C = m3_mul(m3_transpose(F), F);
  double c1 = law->c1, c2 = law->c2, D = 2 * c1 + 4 * c2, L = law->lambda + 2 * c1;
  double a = L * (m3_det(F) - 1) - D + pi;
  *dtheta = m3_cofactor(F);
  plMat3 P = m3_scale(2 * c1 + 2 * c2 * m3_trace(C), F);
  P = m3_sub(P, m3_scale(2 * c2, m3_mul(F, C)));
  return m3_add(P, m3_scale(a, *dtheta));
}

// dP = 2 C1 dF + 2 C2 [2 (F:dF) F + I1 dF - dF F'F - F dF'F - F F'dF] + L (cof F:dF) cof F + a d(cof F)[dF]
static void exact(const plLaw* law, plMat3 F, double pi, double H[81]) {
  plMat3 C = m3_mul(m3_transpose(F), F), B = m3_mul(F, m3_transpose(F)), cof = m3_cofactor(F);
  double c1 = law->c1, c2 = law->c2, D = 2 * c1 + 4 * c2, L = law->lambda + 2 * c1, I1 = m3_trace(C);
  for (int l = 0; l < 3; l++)
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
          double h = 2 * M3(F, i, j) * M3(F, k, l) - M3(F, i, l) * M3(F, k, j);
          if (i == k) h -= M3(C, l, j);
          if (j == l) h -= M3(B, i, k);
          if (i == k && j == l) h += I1;
          H[9 * (3 * l + k) + 3 * j + i] = 2 * c2 * h + (i == k && j == l ? 2 * c1 : 0);
        }
  pl_tangent_add_dyad(H, L, cof, cof);
  pl_tangent_add_cofactor(H, L * (m3_det(F) - 1) - D + pi, F);
}

static void tangent(const plLaw* law, plMat3 F, plMat3 R0, double pi, plTangent which, double H[81]) {
  (void)R0;
  if (which == PL_TANGENT_EXACT) {
    exact(law, F, pi, H);
    return;
  }
  plMat3 U, V;
  double s[3], c1 = law->c1, c2 = law->c2, D = 2 * c1 + 4 * c2, L = law->lambda + 2 * c1;
  pl_svd3(F, &U, s, &V);
  plSpectrum spectrum;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    spectrum.twist[i] = 2 * c1 + 2 * c2 * (s[i] * s[i] + s[j] * s[k]);
    spectrum.flip[i] = 2 * c1 + 2 * c2 * (s[i] * s[i] - s[j] * s[k]);
    M3(spectrum.stretch, i, i) = 2 * c1 + 2 * c2 * (s[j] * s[j] + s[k] * s[k]);
    M3(spectrum.stretch, j, k) = M3(spectrum.stretch, k, j) = 4 * c2 * s[j] * s[k];
  }
  pl_spectrum_add_volume(&spectrum, s, L * (s[0] * s[1] * s[2] - 1) - D + pi, L);
  pl_spectrum_tangent(&spectrum, U, V, which, H);
}

const plLawFunctions pl_law_mooney_rivlin = {energy, stress, tangent};

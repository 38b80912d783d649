// corotated.c: the corotated laws, F = R S:
//   corotated         W = mu |S - I|^2 + lambda/2 tr(S - I)^2     theta = tr S - 3
//   fixed corotated   W = mu |S - I|^2 + lambda/2 (J - 1)^2       theta = J - 1
//   P = 2 mu (F - R) + (lambda theta + pi) theta',  theta' = R or cof F
// The first is the linear corotated model with R0 = R.
// In singular values the first part is mu sum (s_i - 1)^2: twist 2 mu - 4 mu / (s_j + s_k), flip 2 mu,
// stretch 2 mu I. tr S has only the twists 2 / (s_j + s_k). At s_j + s_k = 0 the rotation is discontinuous
// and the twist infinite: the denominator is bounded from below.
#include "fem/spectrum.h"
#include "math/polar.h"
#include "math/svd3.h"

// lower bound of s_j + s_k in the denominator of a twist
static const double least_sum = 1e-6;

static double volume_change(const plLaw* law, plMat3 F, plMat3 R, plMat3* dtheta) {
  if (law->kind == PL_MATERIAL_COROTATED) {
    *dtheta = R;
    return m3_dot(R, F) - 3;
  }
  *dtheta = m3_cofactor(F);
  return m3_det(F) - 1;
}

static double energy(const plLaw* law, plMat3 F, plMat3 R0, double* theta) {
  (void)R0;
  plMat3 R = pl_polar(F), E = m3_sub(F, R), dtheta;
  *theta = volume_change(law, F, R, &dtheta);
  return law->mu * m3_dot(E, E) + 0.5 * law->lambda * *theta * *theta;
}

static plMat3 stress(const plLaw* law, plMat3 F, plMat3 R0, double pi, plMat3* dtheta) {
  (void)R0;
  plMat3 R = pl_polar(F);
  double theta = volume_change(law, F, R, dtheta);
  return m3_add(m3_scale(2 * law->mu, m3_sub(F, R)), m3_scale(law->lambda * theta + pi, *dtheta));
}

static void tangent(const plLaw* law, plMat3 F, plMat3 R0, double pi, plTangent which, double H[81]) {
  (void)R0;
  plMat3 U, V;
  double s[3], mu = law->mu, lambda = law->lambda;
  pl_svd3(F, &U, s, &V);

  bool fixed = law->kind == PL_MATERIAL_FIXED_COROTATED;
  double theta = fixed ? s[0] * s[1] * s[2] - 1 : s[0] + s[1] + s[2] - 3, a = lambda * theta + pi;
  plSpectrum spectrum = {.stretch = m3_diag(2 * mu, 2 * mu, 2 * mu)};
  for (int i = 0; i < 3; i++) {
    double sum = fmax(s[(i + 1) % 3] + s[(i + 2) % 3], least_sum);
    spectrum.flip[i] = 2 * mu;
    spectrum.twist[i] = 2 * mu + ((fixed ? 0 : 2 * a) - 4 * mu) / sum;
  }
  if (fixed)
    pl_spectrum_add_volume(&spectrum, s, a, lambda);
  else
    for (int i = 0; i < 9; i++) spectrum.stretch.m[i] += lambda;
  pl_spectrum_tangent(&spectrum, U, V, which, H);
}

const plLawFunctions pl_law_corotated = {energy, stress, tangent};

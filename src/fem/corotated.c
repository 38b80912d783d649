// corotated.c: the corotated laws, F = R S:
//   corotated         W = mu |S - I|^2 + lambda/2 tr(S - I)^2     theta = tr S - 3
//   fixed corotated   W = mu |S - I|^2 + lambda/2 (J - 1)^2       theta = J - 1
//   P = 2 mu (F - R) + (lambda theta + pi) theta',  theta' = R or cof F
// The first is the linear corotated model with R0 = R.
// In singular values the first part is mu sum (s_i - 1)^2 = mu (|F|^2 - 2 tr S + 3). tr S is rounded
// (spectrum.h).
#include <math.h>

#include "fem/spectrum.h"
#include "math/polar.h"
#include "math/svd3.h"

// R = d tr S/dF, tr S and |S - I|^2, all rounded
typedef struct Stretched {
  plMat3 R;
  double trace, shear;
} Stretched;

static Stretched stretched(plMat3 F) {
  plMat3 R = pl_polar(F), E = m3_sub(F, R), U, V;
  double s[3], trace = m3_dot(R, F);
  Stretched x = {R, trace, m3_dot(E, E)};
  // the smallest sum of two is tr S - s_1, and s_1 <= |F|
  if (trace - sqrt(m3_dot(F, F)) >= PL_LEAST_SUM) return x;
  pl_svd3(F, &U, s, &V);
  if (!pl_trace_is_rounded(s)) return x;
  plTrace t = pl_trace(s);
  x.R = m3_mul(m3_mul(U, m3_diag(t.d[0], t.d[1], t.d[2])), m3_transpose(V));
  x.trace = t.value, x.shear = m3_dot(F, F) - 2 * t.value + 3;
  return x;
}

static double volume_change(const plLaw* law, plMat3 F, const Stretched* x, plMat3* dtheta) {
  if (law->kind == PL_MATERIAL_COROTATED) {
    *dtheta = x->R;
    return x->trace - 3;
  }
  *dtheta = m3_cofactor(F);
  return m3_det(F) - 1;
}

static double energy(const plLaw* law, plMat3 F, plMat3 R0, double* theta) {
  (void)R0;
  Stretched x = stretched(F);
  plMat3 dtheta;
  *theta = volume_change(law, F, &x, &dtheta);
  return law->mu * x.shear + 0.5 * law->lambda * *theta * *theta;
}

static plMat3 stress(const plLaw* law, plMat3 F, plMat3 R0, double pi, plMat3* dtheta) {
  (void)R0;
  Stretched x = stretched(F);
  double theta = volume_change(law, F, &x, dtheta);
  return m3_add(m3_scale(2 * law->mu, m3_sub(F, x.R)), m3_scale(law->lambda * theta + pi, *dtheta));
}

static void tangent(const plLaw* law, plMat3 F, plMat3 R0, double pi, plTangent which, double H[81]) {
  (void)R0;
  plMat3 U, V;
  double s[3];
  pl_svd3(F, &U, s, &V);
  plSpectrum spectrum = pl_spectrum_corotated(law, s, pi);
  pl_spectrum_tangent(&spectrum, U, V, which, H);
}

const plLawFunctions pl_law_corotated = {energy, stress, tangent};

// linear.c: the linear law, in the frame of a frozen rotation R0: the paper's linear corotated model (section
// V.B), and with R0 = I small-strain elasticity.
//   e = (R0'F + F'R0)/2 - I     W = mu e:e + lambda/2 tr(e)^2     P = R0 (2 mu e + lambda tr(e) I)
//   dP_ij/dF_kl = mu (d_ik d_jl + R0_il R0_kj) + lambda R0_ij R0_kl
// eigenvalues 2 mu + 3 lambda (once), 2 mu (five times), 0 (three times) whatever R0: positive semi-definite
// as it is (appendix).
//
// With R0 frozen, the stress does not rotate with the material within a step: the eigenvalues 0 belong to the
// twists, for which the corotated law has (s_j + s_k)/(l_j + l_k), s principal stresses and l stretches
// (spectrum.h). Under tension that is the stiffness of a string. It acts one step late, and the string
// flutters if dt > 2/omega. A step therefore adds it to the inertia: dP = t dF, dF the change of velocity,
//   (M + theta theta_vq dt^2 K_t) (v - v0) = ...
// The string is stable for any t above a quarter of the twists' eigenvalues. Nothing changes at rest, and
// there is no torque in a steady rotation, in which v - v0 points inwards: dF = -w^2 dt F. One t is used for
// all three twists,
//   (s_j + s_k)/(l_j + l_k) = 2 mu + (2 p - 4 mu)/(tr S - l_i),   p = lambda (tr S - 3) + pi
// with the smallest l_i that tr S and |S| allow, tr S/3 - sqrt(2/3) |dev S|; 0 under compression.
#include <math.h>

#include "fem/law.h"

static plMat3 strain(plMat3 F, plMat3 R0) {
  plMat3 G = m3_mul(m3_transpose(R0), F);
  return m3_sub(m3_scale(0.5, m3_add(G, m3_transpose(G))), m3_identity());
}

static double corotated_energy(const plLaw* law, plMat3 F, plMat3 R0, double* theta) {
  plMat3 e = strain(F, R0);
  double tr = m3_trace(e);
  *theta = tr;
  return law->mu * m3_dot(e, e) + 0.5 * law->lambda * tr * tr;
}

static plMat3 corotated_stress(const plLaw* law, plMat3 F, plMat3 R0, double pi, plMat3* dtheta) {
  plMat3 e = strain(F, R0);
  *dtheta = R0;
  return m3_add(m3_scale(2 * law->mu, m3_mul(R0, e)), m3_scale(law->lambda * m3_trace(e) + pi, R0));
}

static void corotated_tangent(const plLaw* law, plMat3 F, plMat3 R0, double pi, plTangent which,
                              double H[81]) {
  (void)F, (void)pi, (void)which;  // positive semi-definite as it is
  for (int l = 0; l < 3; l++)
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
          H[9 * (3 * l + k) + 3 * j + i] =
              law->mu * ((i == k && j == l ? 1 : 0) + M3(R0, i, l) * M3(R0, k, j)) +
              law->lambda * M3(R0, i, j) * M3(R0, k, l);
}

double pl_linear_tension(const plLaw* law, plMat3 F, plMat3 R0, double pi) {
  if (law->kind != PL_MATERIAL_LINEAR_COROTATED) return 0;
  double tr = m3_dot(R0, F), dev = sqrt(fmax(0, m3_dot(F, F) - tr * tr / 3)), p = law->lambda * (tr - 3) + pi;
  return fmax(0, 2 * law->mu + (2 * p - 4 * law->mu) / (2 * tr / 3 + sqrt(2.0 / 3) * dev));
}

const plLawFunctions pl_law_linear_corotated = {corotated_energy, corotated_stress, corotated_tangent};

// ---- R0 = I

static double energy(const plLaw* law, plMat3 F, plMat3 R0, double* theta) {
  (void)R0;
  return corotated_energy(law, F, m3_identity(), theta);
}

static plMat3 stress(const plLaw* law, plMat3 F, plMat3 R0, double pi, plMat3* dtheta) {
  (void)R0;
  return corotated_stress(law, F, m3_identity(), pi, dtheta);
}

static void tangent(const plLaw* law, plMat3 F, plMat3 R0, double pi, plTangent which, double H[81]) {
  (void)R0;
  corotated_tangent(law, F, m3_identity(), pi, which, H);
}

const plLawFunctions pl_law_linear = {energy, stress, tangent};

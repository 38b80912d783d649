// linear.c: the linear law, in the frame of a frozen rotation R0: the paper's linear corotated model (section
// V.B), and with R0 = I small-strain elasticity.
//   e = (R0'F + F'R0)/2 - I     W = mu e:e + lambda/2 tr(e)^2     P = R0 (2 mu e + lambda tr(e) I)
//   dP_ij/dF_kl = mu (d_ik d_jl + R0_il R0_kj) + lambda R0_ij R0_kl
// eigenvalues 2 mu + 3 lambda (once), 2 mu (five times), 0 (three times) whatever R0: positive semi-definite
// as it is (appendix).
#include "fem/law.h"

static plMat3 strain(plMat3 F, plMat3 R0) {
  plMat3 G = m3_mul(m3_transpose(R0), F);
  return m3_sub(m3_scale(0.5, m3_add(G, m3_transpose(G))), m3_identity());
}

double pl_linear_energy(const plLaw* law, plMat3 F, plMat3 R0, double* theta) {
  plMat3 e = strain(F, R0);
  double tr = m3_trace(e);
  *theta = tr;
  return law->mu * m3_dot(e, e) + 0.5 * law->lambda * tr * tr;
}

plMat3 pl_linear_stress(const plLaw* law, plMat3 F, plMat3 R0, double pi, plMat3* dtheta) {
  plMat3 e = strain(F, R0);
  *dtheta = R0;
  return m3_add(m3_scale(2 * law->mu, m3_mul(R0, e)), m3_scale(law->lambda * m3_trace(e) + pi, R0));
}

void pl_linear_tangent(const plLaw* law, plMat3 R0, double H[81]) {
  for (int l = 0; l < 3; l++)
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
          H[9 * (3 * l + k) + 3 * j + i] =
              law->mu * ((i == k && j == l ? 1 : 0) + M3(R0, i, l) * M3(R0, k, j)) +
              law->lambda * M3(R0, i, j) * M3(R0, k, l);
}

// polar.c: polar decomposition by Newton's iteration X <- (g X + X^-T / g) / 2 with Frobenius scaling (Higham 1986), five or six
// rounds for a common F; nearly singular and inverted ones go through the SVD.
#include "math/polar.h"

#include "math/svd3.h"

enum { MAX_ITERATIONS = 12 };

// det F / |F|^3 above which Newton is used: 0.19 at a rotation, 0.01 at singular values (1, 1, 0.03)
static const double newton_limit = 1e-2;

plMat3 pl_polar_svd(plMat3 F) {
  plMat3 U, V;
  double s[3];
  pl_svd3(F, &U, s, &V);
  return m3_mul(U, m3_transpose(V));
}

plMat3 pl_polar(plMat3 F) {
  double n2 = m3_dot(F, F), d = m3_det(F);
  if (!(d > newton_limit * n2 * sqrt(n2)) || !(n2 > 1e-60 && n2 < 1e60)) return pl_polar_svd(F);

  plMat3 X = F;
  for (int it = 0; it < MAX_ITERATIONS; it++) {
    // X^-T = cof X / det X
    plMat3 C = m3_cofactor(X);
    d = v3_dot(m3_column(X, 0), m3_column(C, 0));
    double g = sqrt(sqrt(m3_dot(C, C) / m3_dot(X, X)) / d);
    double h = 0.5 * g, k = 0.5 / (g * d), step = 0;
    for (int i = 0; i < 9; i++) {
      double x = h * X.m[i] + k * C.m[i];
      step += (x - X.m[i]) * (x - X.m[i]);
      X.m[i] = x;
    }
    if (step <= 1e-18) break;
  }
  return X;
}

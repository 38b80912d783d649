// polar_newton.h: Newton's iteration for the polar decomposition, X <- (g X + X^-T / g) / 2 with Frobenius
// scaling at first (Higham 1986). Inline, so that a caller's instruction set applies.
#ifndef PL_MATH_POLAR_NEWTON_H
#define PL_MATH_POLAR_NEWTON_H

#include "math/mat3.h"

enum { PL_POLAR_ITERATIONS = 14, PL_POLAR_SCALED = 1 };

// det F / |F|^3 above which Newton is used: 0.19 at a rotation, 0.01 at singular values (1, 1, 0.03)
#define PL_POLAR_LIMIT 1e-2

// R of a well-conditioned F with det F > 0; false if F is not one (then R is not set).
static inline bool pl_polar_newton(plMat3 F, plMat3* R) {
  double n1 = m3_dot(F, F), d = m3_det(F);
  if (!(d > 0 && d * d > PL_POLAR_LIMIT * PL_POLAR_LIMIT * n1 * n1 * n1 && n1 > 1e-12 && n1 < 1e12))
    return false;
  plMat3 X = F;
  for (int it = 0; it < PL_POLAR_ITERATIONS; it++) {
    // X^-T = cof X / det X; the error after a step of length e is e^2 / 2
    plMat3 C = m3_cofactor(X);
    d = v3_dot(m3_column(X, 0), m3_column(C, 0));
    double g = it < PL_POLAR_SCALED ? sqrt(sqrt(m3_dot(C, C) / m3_dot(X, X)) / d) : 1;
    double h = 0.5 * g, k = 0.5 / (g * d), step = 0;
    for (int i = 0; i < 9; i++) {
      double x = h * X.m[i] + k * C.m[i];
      step += (x - X.m[i]) * (x - X.m[i]);
      X.m[i] = x;
    }
    if (step <= 1e-17) break;
  }
  *R = X;
  return true;
}

#endif

// polar.c: polar decomposition: Newton's iteration for a common F, the SVD for nearly singular and inverted
// ones.
#include "math/polar.h"

#include "math/polar_newton.h"
#include "math/svd3.h"

plMat3 pl_polar_svd(plMat3 F) {
  plMat3 U, V;
  double s[3];
  pl_svd3(F, &U, s, &V);
  return m3_mul(U, m3_transpose(V));
}

plMat3 pl_polar(plMat3 F) {
  plMat3 R;
  return pl_polar_newton(F, &R) ? R : pl_polar_svd(F);
}

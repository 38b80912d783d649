// svd3.c: 3x3 SVD by one-sided Jacobi rotations (Hestenes).
//
// Rotations from the right make the columns of B = F V orthogonal; their lengths are the singular values,
// with high relative accuracy. The signs are then put into the last singular value, so that U and V are
// rotations.
#include "math/svd3.h"

#include "math/frame.h"

enum { MAX_SWEEPS = 20 };

// B <- B J, V <- V J in the plane (p, q) such that columns p and q become orthogonal. False if they are.
static bool rotate(plVec3 B[3], plVec3 V[3], int p, int q) {
  double alpha = v3_norm2(B[p]), beta = v3_norm2(B[q]), gamma = v3_dot(B[p], B[q]);
  if (fabs(gamma) <= 0x1p-53 * sqrt(alpha * beta)) return false;

  double zeta = (beta - alpha) / (2 * gamma);
  double t = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
  double c = 1 / sqrt(1 + t * t), s = c * t;
  plVec3 b = B[p], v = V[p];
  B[p] = v3_madd(v3_scale(c, b), -s, B[q]);
  B[q] = v3_madd(v3_scale(s, b), c, B[q]);
  V[p] = v3_madd(v3_scale(c, v), -s, V[q]);
  V[q] = v3_madd(v3_scale(s, v), c, V[q]);
  return true;
}

// Longer column first; a swap with a sign keeps V a rotation.
static void order(plVec3 B[3], plVec3 V[3], int p, int q) {
  if (v3_norm2(B[p]) >= v3_norm2(B[q])) return;
  plVec3 b = B[p], v = V[p];
  B[p] = B[q], B[q] = v3_neg(b);
  V[p] = V[q], V[q] = v3_neg(v);
}

// A unit vector orthogonal to the unit vector a.
static plVec3 perpendicular(plVec3 a) { return v3_unit(v3_cross(a, v3_least_axis(a))); }

void pl_svd3(plMat3 F, plMat3* U, double s[3], plMat3* V) {
  // scale, so that no square over- or underflows
  double scale = 0;
  for (int i = 0; i < 9; i++) scale = fmax(scale, fabs(F.m[i]));
  if (!(scale > 0)) {
    *U = *V = m3_identity();
    s[0] = s[1] = s[2] = 0;
    return;
  }
  int exponent;
  frexp(scale, &exponent);
  for (int i = 0; i < 9; i++) F.m[i] = ldexp(F.m[i], -exponent);

  plVec3 B[3] = {m3_column(F, 0), m3_column(F, 1), m3_column(F, 2)};
  plVec3 W[3] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
  for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    bool turned = rotate(B, W, 0, 1);
    turned = rotate(B, W, 0, 2) || turned;
    turned = rotate(B, W, 1, 2) || turned;
    if (!turned) break;
  }
  order(B, W, 0, 1);
  order(B, W, 1, 2);
  order(B, W, 0, 1);

  // U: the unit columns of B; a missing direction is any that completes the frame
  plVec3 u0 = v3_unit(B[0]);
  plVec3 w = v3_cross(v3_cross(u0, B[1]), u0);
  plVec3 u1 = v3_norm2(w) > 1e-280 ? v3_unit(w) : perpendicular(u0);
  plVec3 u2 = v3_cross(u0, u1);
  *U = m3_columns(u0, u1, u2);
  *V = m3_columns(W[0], W[1], W[2]);
  s[0] = ldexp(v3_dot(u0, B[0]), exponent);
  s[1] = ldexp(v3_dot(u1, B[1]), exponent);
  s[2] = ldexp(v3_dot(u2, B[2]), exponent);
}

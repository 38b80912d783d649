// mat3.h: 3x3 matrices by value, column-major: m[3 j + i] is row i, column j.
#ifndef PL_MATH_MAT3_H
#define PL_MATH_MAT3_H

#include "math/vec3.h"

typedef struct plMat3 {
  double m[9];
} plMat3;

#define M3(a, i, j) ((a).m[3 * (j) + (i)])

static inline plMat3 m3_zero(void) { return (plMat3){{0}}; }
static inline plMat3 m3_identity(void) { return (plMat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}}; }
static inline plMat3 m3_diag(double x, double y, double z) { return (plMat3){{x, 0, 0, 0, y, 0, 0, 0, z}}; }
static inline plMat3 m3_columns(plVec3 a, plVec3 b, plVec3 c) {
  return (plMat3){{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z}};
}
static inline plVec3 m3_column(plMat3 a, int j) { return v3(a.m[3 * j], a.m[3 * j + 1], a.m[3 * j + 2]); }
static inline plMat3 m3_add(plMat3 a, plMat3 b) {
  for (int i = 0; i < 9; i++) a.m[i] += b.m[i];
  return a;
}
static inline plMat3 m3_sub(plMat3 a, plMat3 b) {
  for (int i = 0; i < 9; i++) a.m[i] -= b.m[i];
  return a;
}
static inline plMat3 m3_scale(double s, plMat3 a) {
  for (int i = 0; i < 9; i++) a.m[i] *= s;
  return a;
}
static inline plMat3 m3_transpose(plMat3 a) {
  return (plMat3){{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}
// C = A B
static inline plMat3 m3_mul(plMat3 a, plMat3 b) {
  plMat3 c;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      M3(c, i, j) = M3(a, i, 0) * M3(b, 0, j) + M3(a, i, 1) * M3(b, 1, j) + M3(a, i, 2) * M3(b, 2, j);
  return c;
}
static inline plVec3 m3_mulv(plMat3 a, plVec3 v) {
  return v3(a.m[0] * v.x + a.m[3] * v.y + a.m[6] * v.z, a.m[1] * v.x + a.m[4] * v.y + a.m[7] * v.z,
            a.m[2] * v.x + a.m[5] * v.y + a.m[8] * v.z);
}
// A' v
static inline plVec3 m3_tmulv(plMat3 a, plVec3 v) {
  return v3(a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
            a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z);
}
static inline double m3_trace(plMat3 a) { return a.m[0] + a.m[4] + a.m[8]; }
// A : B
static inline double m3_dot(plMat3 a, plMat3 b) {
  double s = 0;
  for (int i = 0; i < 9; i++) s += a.m[i] * b.m[i];
  return s;
}
static inline double m3_norm(plMat3 a) { return sqrt(m3_dot(a, a)); }
static inline double m3_det(plMat3 a) {
  return v3_dot(m3_column(a, 0), v3_cross(m3_column(a, 1), m3_column(a, 2)));
}
// cof A = det(A) A^-T, defined for singular A too
static inline plMat3 m3_cofactor(plMat3 a) {
  plVec3 c0 = m3_column(a, 0), c1 = m3_column(a, 1), c2 = m3_column(a, 2);
  return m3_columns(v3_cross(c1, c2), v3_cross(c2, c0), v3_cross(c0, c1));
}
// A^-1; the caller makes sure that A is regular
static inline plMat3 m3_inverse(plMat3 a) { return m3_scale(1 / m3_det(a), m3_transpose(m3_cofactor(a))); }
static inline plMat3 m3_outer(plVec3 a, plVec3 b) {
  return (plMat3){
      {a.x * b.x, a.y * b.x, a.z * b.x, a.x * b.y, a.y * b.y, a.z * b.y, a.x * b.z, a.y * b.z, a.z * b.z}};
}
// [a]x: the matrix with [a]x b = a x b
static inline plMat3 m3_skew(plVec3 a) { return (plMat3){{0, a.z, -a.y, -a.z, 0, a.x, a.y, -a.x, 0}}; }

#endif

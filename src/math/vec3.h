// vec3.h: three-vectors by value.
#ifndef PL_MATH_VEC3_H
#define PL_MATH_VEC3_H

#include <math.h>
#include <stdbool.h>

#include "pliant/types.h"

static inline plVec3 v3(double x, double y, double z) { return (plVec3){x, y, z}; }
static inline plVec3 v3_load(const double* p) { return (plVec3){p[0], p[1], p[2]}; }
static inline void v3_store(double* p, plVec3 a) { p[0] = a.x, p[1] = a.y, p[2] = a.z; }
static inline plVec3 v3_add(plVec3 a, plVec3 b) { return (plVec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline plVec3 v3_sub(plVec3 a, plVec3 b) { return (plVec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline plVec3 v3_neg(plVec3 a) { return (plVec3){-a.x, -a.y, -a.z}; }
static inline plVec3 v3_scale(double s, plVec3 a) { return (plVec3){s * a.x, s * a.y, s * a.z}; }
// a + s b
static inline plVec3 v3_madd(plVec3 a, double s, plVec3 b) {
  return (plVec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline double v3_dot(plVec3 a, plVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline plVec3 v3_cross(plVec3 a, plVec3 b) {
  return (plVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double v3_norm2(plVec3 a) { return v3_dot(a, a); }
static inline double v3_norm(plVec3 a) { return sqrt(v3_dot(a, a)); }
// Length of (x, y). The C library's hypot gives other last bits on other processors.
static inline double v2_norm(double x, double y) { return sqrt(x * x + y * y); }
// a / |a|; the zero vector stays zero.
static inline plVec3 v3_unit(plVec3 a) {
  double n = v3_norm(a);
  return n > 0 ? v3_scale(1 / n, a) : a;
}
// The smallest and the largest of some numbers, without branches: half of them would be mispredicted.
// Without the NaN handling of fmin and fmax, which would cost a function call.
static inline double min2(double a, double b) { return a < b ? a : b; }
static inline double max2(double a, double b) { return a > b ? a : b; }
static inline double min3(double a, double b, double c) {
  double y = a < b ? a : b;
  return y < c ? y : c;
}
static inline double max3(double a, double b, double c) {
  double y = a > b ? a : b;
  return y > c ? y : c;
}
// The same for each component: for NaN, b is returned.
static inline plVec3 v3_min(plVec3 a, plVec3 b) {
  return (plVec3){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}
static inline plVec3 v3_max(plVec3 a, plVec3 b) {
  return (plVec3){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}
static inline bool v3_finite(plVec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

#endif

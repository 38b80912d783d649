// vec.h: the few vectors that the command needs.
#ifndef PL_CLI_VEC_H
#define PL_CLI_VEC_H

#include <math.h>

#include "pliant/types.h"

static inline plVec3 vec_add(plVec3 a, plVec3 b) { return (plVec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline plVec3 vec_sub(plVec3 a, plVec3 b) { return (plVec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline plVec3 vec_scale(double s, plVec3 a) { return (plVec3){s * a.x, s * a.y, s * a.z}; }
static inline double vec_dot(plVec3 a, plVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double vec_norm(plVec3 a) { return sqrt(vec_dot(a, a)); }
static inline plVec3 vec_cross(plVec3 a, plVec3 b) {
  return (plVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// R(q) v
static inline plVec3 vec_rotate(plQuat q, plVec3 v) {
  plVec3 u = {q.x, q.y, q.z}, t = vec_scale(2, vec_cross(u, v));
  return vec_add(vec_add(v, vec_scale(q.w, t)), vec_cross(u, t));
}

#endif

// frame.h: two tangents of a unit normal.
#ifndef PL_MATH_FRAME_H
#define PL_MATH_FRAME_H

#include "math/vec3.h"

// The coordinate axis along which n has its smallest component; the first one of equals.
static inline plVec3 v3_least_axis(plVec3 n) {
  double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  return x <= y && x <= z ? v3(1, 0, 0) : y <= z ? v3(0, 1, 0) : v3(0, 0, 1);
}

// Unit vectors t1 and t2 with t1 x t2 = n for a unit vector n; equal normals give equal tangents.
static inline void v3_tangents(plVec3 n, plVec3* t1, plVec3* t2) {
  *t1 = v3_unit(v3_cross(v3_least_axis(n), n));
  *t2 = v3_cross(n, *t1);
}

#endif

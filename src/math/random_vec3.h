// random_vec3.h: random three-vectors for tests and benchmarks.
#ifndef PL_MATH_RANDOM_VEC3_H
#define PL_MATH_RANDOM_VEC3_H

#include "base/random.h"
#include "math/vec3.h"

// Components uniform in [a, b). They are drawn in this order: z, y, x.
static inline plVec3 v3_random(plRandom* r, double a, double b) {
  double z = pl_random(r, a, b), y = pl_random(r, a, b), x = pl_random(r, a, b);
  return v3(x, y, z);
}

#endif

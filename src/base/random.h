// random.h: a small reproducible generator (splitmix64) for tests, benchmarks and jitter that must not depend
// on the platform. C leaves the order of arguments, operands and initializers open, so each number is drawn
// in a statement or a declarator of its own (test/house/draws.py).
#ifndef PL_BASE_RANDOM_H
#define PL_BASE_RANDOM_H

#include <stdint.h>

typedef struct plRandom {
  uint64_t state;
} plRandom;

static inline uint64_t pl_random_bits(plRandom* r) {
  uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}
// Uniform in [a, b).
static inline double pl_random(plRandom* r, double a, double b) {
  return a + (b - a) * ((double)(pl_random_bits(r) >> 11) * 0x1.0p-53);
}
// Uniform in 0 .. n-1.
static inline int pl_random_int(plRandom* r, int n) { return (int)(pl_random_bits(r) % (uint64_t)n); }

#endif

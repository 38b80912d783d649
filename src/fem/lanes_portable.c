// lanes_portable.c: the batched element work in plain C with two-lane vectors: the fallback of every machine.
#include <math.h>

#define WIDTH 2
typedef double V __attribute__((vector_size(8 * WIDTH), may_alias));

static inline void load_corner(const double* x, const int* vert, V out[3]) {
  const double *p = x + 4 * (long)vert[0], *q = x + 4 * (long)vert[1];
  for (int i = 0; i < 3; i++) out[i] = (V){p[i], q[i]};
}

static inline void store_corner(double* out, const V v[4]) {
  for (int l = 0; l < WIDTH; l++)
    for (int i = 0; i < 4; i++) out[16 * l + i] = v[i][l];
}

static inline V scale_guess(V n1, V n2, V d) {
  V x = n2 / (n1 * d * d);
  return (V){sqrt(sqrt(x[0])), sqrt(sqrt(x[1]))};
}

static inline V vsqrt(V x) { return (V){sqrt(x[0]), sqrt(x[1])}; }

#include "fem/lanes_kernel.h"

const plLanesKernels pl_lanes_portable = {batch_elements, batch_blocks, batch_polar};

// spectral_portable.c: tangents of isotropic laws in plain C with two-lane vectors, and the choice of an
// instruction set.
#include <math.h>

#define WIDTH 2
typedef double V __attribute__((vector_size(8 * WIDTH), may_alias));

static inline V vsqrt(V a) { return (V){sqrt(a[0]), sqrt(a[1])}; }

#include "fem/spectral_kernel.h"

static const plSpectralKernels portable = {spectral_tangents, spectral_blocks, spectral_pairs,
                                           spectral_viscous_pairs, spectral_svd};

const plSpectralKernels* pl_spectral_kernels(plIsa isa) {
#if defined(__x86_64__)
  if (isa == PL_ISA_AVX512) return &pl_spectral_avx512;
  if (isa == PL_ISA_AVX2) return &pl_spectral_avx2;
#endif
  (void)isa;
  return &portable;
}

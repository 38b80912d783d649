// spectral_avx512.c: tangents of isotropic laws with eight lanes.
#include <immintrin.h>

#define WIDTH 8
typedef double V __attribute__((vector_size(8 * WIDTH), may_alias));

static inline V vsqrt(V a) { return (V)_mm512_sqrt_pd((__m512d)a); }

#include "fem/spectral_kernel.h"

const plSpectralKernels pl_spectral_avx512 = {spectral_tangents, spectral_blocks, spectral_pairs,
                                              spectral_viscous_pairs, spectral_svd};

// spectral_avx2.c: tangents of isotropic laws with four lanes.
#include <immintrin.h>

#define WIDTH 4
typedef double V __attribute__((vector_size(8 * WIDTH), may_alias));

static inline V vsqrt(V a) { return (V)_mm256_sqrt_pd((__m256d)a); }

#include "fem/spectral_kernel.h"

const plSpectralKernels pl_spectral_avx2 = {spectral_tangents, spectral_blocks, spectral_pairs,
                                            spectral_viscous_pairs, spectral_svd};

// lanes_avx512.c: the batched element work with eight lanes.
#include <immintrin.h>

#define WIDTH 8
typedef double V __attribute__((vector_size(8 * WIDTH), may_alias));

// rows a, b, c, d to columns
static inline void transpose4(__m256d* a, __m256d* b, __m256d* c, __m256d* d) {
  __m256d ab0 = _mm256_unpacklo_pd(*a, *b), ab1 = _mm256_unpackhi_pd(*a, *b);
  __m256d cd0 = _mm256_unpacklo_pd(*c, *d), cd1 = _mm256_unpackhi_pd(*c, *d);
  *a = _mm256_permute2f128_pd(ab0, cd0, 0x20), *b = _mm256_permute2f128_pd(ab1, cd1, 0x20);
  *c = _mm256_permute2f128_pd(ab0, cd0, 0x31), *d = _mm256_permute2f128_pd(ab1, cd1, 0x31);
}

static inline void load_corner(const double* x, const int* vert, V out[3]) {
  __m256d r[8];
  for (int l = 0; l < 8; l++) r[l] = _mm256_load_pd(x + 4 * (long)vert[l]);
  transpose4(&r[0], &r[1], &r[2], &r[3]);
  transpose4(&r[4], &r[5], &r[6], &r[7]);
  for (int i = 0; i < 3; i++) out[i] = (V)_mm512_insertf64x4(_mm512_castpd256_pd512(r[i]), r[i + 4], 1);
}

static inline void store_corner(double* out, const V v[4]) {
  for (int half = 0; half < 2; half++) {
    __m256d r[4];
    for (int i = 0; i < 4; i++)
      r[i] = half ? _mm512_extractf64x4_pd((__m512d)v[i], 1) : _mm512_castpd512_pd256((__m512d)v[i]);
    transpose4(&r[0], &r[1], &r[2], &r[3]);
    for (int l = 0; l < 4; l++) _mm256_store_pd(out + 64 * half + 16 * l, r[l]);
  }
}

// y = (n1 d^2 / n2)^(1/2), g = y^(-1/2), from estimates
static inline V scale_guess(V n1, V n2, V d) {
  V x = n1 * d * d * (V)_mm512_rcp14_pd((__m512d)n2);
  return (V)_mm512_rsqrt14_pd((__m512d)(x * (V)_mm512_rsqrt14_pd((__m512d)x)));
}

static inline V vsqrt(V x) { return (V)_mm512_sqrt_pd((__m512d)x); }

#include "fem/lanes_kernel.h"

const plLanesKernels pl_lanes_avx512 = {batch_elements, batch_blocks, batch_polar};

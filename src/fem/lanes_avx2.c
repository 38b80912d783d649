// lanes_avx2.c: the batched element work with four lanes.
#include <immintrin.h>

#define WIDTH 4
typedef double V __attribute__((vector_size(8 * WIDTH), may_alias));

// rows a, b, c, d to columns
static inline void transpose4(__m256d* a, __m256d* b, __m256d* c, __m256d* d) {
  __m256d ab0 = _mm256_unpacklo_pd(*a, *b), ab1 = _mm256_unpackhi_pd(*a, *b);
  __m256d cd0 = _mm256_unpacklo_pd(*c, *d), cd1 = _mm256_unpackhi_pd(*c, *d);
  *a = _mm256_permute2f128_pd(ab0, cd0, 0x20), *b = _mm256_permute2f128_pd(ab1, cd1, 0x20);
  *c = _mm256_permute2f128_pd(ab0, cd0, 0x31), *d = _mm256_permute2f128_pd(ab1, cd1, 0x31);
}

static inline void load_corner(const double* x, const int* vert, V out[3]) {
  __m256d r[4];
  for (int l = 0; l < 4; l++) r[l] = _mm256_load_pd(x + 4 * (long)vert[l]);
  transpose4(&r[0], &r[1], &r[2], &r[3]);
  for (int i = 0; i < 3; i++) out[i] = (V)r[i];
}

static inline void store_corner(double* out, const V v[4]) {
  __m256d r[4] = {(__m256d)v[0], (__m256d)v[1], (__m256d)v[2], (__m256d)v[3]};
  transpose4(&r[0], &r[1], &r[2], &r[3]);
  for (int l = 0; l < 4; l++) _mm256_store_pd(out + 16 * l, r[l]);
}

// y = (n1 d^2 / n2)^(1/2), g = y^(-1/2), in single precision
static inline V scale_guess(V n1, V n2, V d) {
  __m128 x = _mm_mul_ps(_mm256_cvtpd_ps((__m256d)(n1 * d * d)), _mm_rcp_ps(_mm256_cvtpd_ps((__m256d)n2)));
  return (V)_mm256_cvtps_pd(_mm_rsqrt_ps(_mm_mul_ps(x, _mm_rsqrt_ps(x))));
}

static inline V vsqrt(V x) { return (V)_mm256_sqrt_pd((__m256d)x); }

#include "fem/lanes_kernel.h"

const plLanesKernels pl_lanes_avx2 = {batch_elements, batch_blocks, batch_polar};

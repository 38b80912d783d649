// panel_avx2.c: the kernels of panel.h for AVX2 with FMA: tiles of 12 x 4.
#define WIDTH 4
#define NR 4
#include "linalg/panel_kernel.h"

#include <immintrin.h>

// Where lane i of the result comes from, as pairs of 32-bit lanes, for each mask of four rows.
static __m256i lanes(unsigned mask) {
  int index[8], from = 0;
  for (int i = 0; i < 4; i++) {
    index[2 * i] = 2 * from, index[2 * i + 1] = 2 * from + 1;
    from += (int)(mask >> i & 1);
    if (from > 3) from = 3;
  }
  return _mm256_loadu_si256((const __m256i*)index);
}

static __m256d keep(unsigned mask) {
  long long bits[4];
  for (int i = 0; i < 4; i++) bits[i] = -(long long)(mask >> i & 1);
  return _mm256_castsi256_pd(_mm256_loadu_si256((const __m256i*)bits));
}

static __m256d spread(const double* s, __m256i lane, __m256d kept) {
  __m256i v = _mm256_permutevar8x32_epi32(_mm256_castpd_si256(_mm256_loadu_pd(s)), lane);
  return _mm256_and_pd(_mm256_castsi256_pd(v), kept);
}

// Reads up to 7 numbers past the rows it needs; storage leaves room for that.
static void expand(int n, const int* at, const double* src, long hs, unsigned mask, double* dst, long hd) {
  unsigned low = mask & 15, high = mask >> 4;
  int nlow = __builtin_popcount(low);
  __m256i lane0 = lanes(low), lane1 = lanes(high);
  __m256d keep0 = keep(low), keep1 = keep(high);
  for (int j = 0; j < n; j++) {
    const double* s = src + 3 * j * hs;
    double* d = dst + 3 * at[j] * hd;
    for (int b = 0; b < 3; b++, s += hs, d += hd) {
      _mm256_storeu_pd(d, _mm256_add_pd(_mm256_loadu_pd(d), spread(s, lane0, keep0)));
      _mm256_storeu_pd(d + 4, _mm256_add_pd(_mm256_loadu_pd(d + 4), spread(s + nlow, lane1, keep1)));
    }
  }
}

const plPanelKernels pl_panel_avx2 = {
    panel_solve, panel_factor, panel_syrk, panel_gemm, panel_tile, expand, panel_multiply, panel_forward,
    panel_backward, panel_dot_rectangle, panel_dot_triangle};

// panel_avx2.c: the kernels of panel.h for AVX2 with FMA: tiles of 12 x 4.
#define WIDTH 4
#define NR 4

#include <immintrin.h>

// How to distribute consecutive numbers to the rows of a mask: each half of the rows is a permutation of
// pairs of 32-bit lanes, and the other lanes are cleared. Only as many numbers are read as the mask has rows,
// because the following ones may belong to another thread.
typedef struct Spread {
  __m256i lane[2], read[2];
  __m256d keep[2];
  int first;  // numbers that go to the first half
} Spread;

static inline Spread make_spread(unsigned mask) {
  Spread s;
  s.first = __builtin_popcount(mask & 15);
  for (int half = 0; half < 2; half++, mask >>= 4) {
    int lane[8], from = 0, count = __builtin_popcount(mask & 15);
    long long keep[4], read[4];
    for (int i = 0; i < 4; i++) {
      lane[2 * i] = 2 * from, lane[2 * i + 1] = 2 * from + 1;
      keep[i] = -(long long)(mask >> i & 1), read[i] = -(long long)(i < count);
      from += from < 3 ? (int)(mask >> i & 1) : 0;
    }
    s.lane[half] = _mm256_loadu_si256((const __m256i*)lane);
    s.read[half] = _mm256_loadu_si256((const __m256i*)read);
    s.keep[half] = _mm256_castsi256_pd(_mm256_loadu_si256((const __m256i*)keep));
  }
  return s;
}

static inline void add_half(const Spread* spread, int half, const double* s, double* d) {
  __m256i v = _mm256_permutevar8x32_epi32(_mm256_castpd_si256(_mm256_maskload_pd(s, spread->read[half])),
                                          spread->lane[half]);
  _mm256_storeu_pd(
      d, _mm256_add_pd(_mm256_loadu_pd(d), _mm256_and_pd(_mm256_castsi256_pd(v), spread->keep[half])));
}

static inline void add_rows(const Spread* spread, const double* s, long hs, double* d, long hd, int columns) {
  for (int b = 0; b < columns; b++, s += hs, d += hd) {
    add_half(spread, 0, s, d);
    add_half(spread, 1, s + spread->first, d + 4);
  }
}

#include "linalg/panel_rhs.h"

const plPanelKernels pl_panel_avx2 = {panel_solve,   panel_factor,   panel_syrk,          panel_gemm,
                                      panel_tile,    panel_expand,   panel_expand_flat,   panel_multiply,
                                      panel_forward, panel_backward, panel_dot_rectangle, panel_dot_triangle,
                                      panel_dot,     panel_gather,   panel_block_below,   panel_block_back};

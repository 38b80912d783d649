// panel_avx512.c: the kernels of panel.h for AVX-512: tiles of 24 x 8.
#define WIDTH 8
#define NR 8

#include <immintrin.h>

// How to distribute consecutive numbers to the rows of a mask: lane i comes from lane `from`, if the mask has
// it. (The instruction for this purpose, vexpandpd, is slow on some machines.) Only as many numbers are read
// as the mask has rows, because the following ones may belong to another thread.
typedef struct Spread {
  __m512i from;
  __mmask8 mask, read;
} Spread;

static inline __attribute__((always_inline)) Spread make_spread(unsigned mask) {
  __mmask8 m = (__mmask8)mask;
  return (Spread){_mm512_maskz_expand_epi64(m, _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0)), m,
                  (__mmask8)((1u << __builtin_popcount(mask)) - 1)};
}

static inline __attribute__((always_inline)) void add_rows(const Spread* spread, const double* s, long hs,
                                                           double* d, long hd, int columns) {
  for (int b = 0; b < columns; b++, s += hs, d += hd)
    _mm512_storeu_pd(d, _mm512_add_pd(_mm512_loadu_pd(d),
                                      _mm512_maskz_permutexvar_pd(spread->mask, spread->from,
                                                                  _mm512_maskz_loadu_pd(spread->read, s))));
}

#include "linalg/panel_rhs.h"

const plPanelKernels pl_panel_avx512 = {
    panel_solve,   panel_factor,   panel_syrk,          panel_gemm,
    panel_tile,    panel_expand,   panel_expand_flat,   panel_multiply,
    panel_forward, panel_backward, panel_dot_rectangle, panel_dot_triangle,
    panel_dot,     panel_gather,   panel_block_below,   panel_block_back};

// panel_avx512.c: the kernels of panel.h for AVX-512: tiles of 24 x 8.
#define WIDTH 8
#define NR 8
#include "linalg/panel_kernel.h"

#include <immintrin.h>

// Reads up to 7 numbers past the rows it needs; storage leaves room for that.
static void expand(int n, const int* at, const double* src, long hs, unsigned mask, double* dst, long hd) {
  __mmask8 m = (__mmask8)mask;
  for (int j = 0; j < n; j++) {
    const double* s = src + 3 * j * hs;
    double* d = dst + 3 * at[j] * hd;
    for (int b = 0; b < 3; b++, s += hs, d += hd)
      _mm512_storeu_pd(d, _mm512_add_pd(_mm512_loadu_pd(d), _mm512_maskz_expand_pd(m, _mm512_loadu_pd(s))));
  }
}

const plPanelKernels pl_panel_avx512 = {
    panel_solve, panel_factor, panel_syrk, panel_gemm, panel_tile, expand, panel_multiply, panel_forward,
    panel_backward, panel_dot_rectangle, panel_dot_triangle};

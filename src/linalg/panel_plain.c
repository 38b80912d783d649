// panel_plain.c: the kernels of panel.h for any machine.
#define WIDTH 2
#define NR 4
#include "linalg/panel_kernel.h"

static void expand(int n, const int* at, const double* src, long hs, unsigned mask, double* dst, long hd) {
  int row[8], count = 0;
  for (int i = 0; i < 8; i++)
    if (mask >> i & 1) row[count++] = i;
  for (int j = 0; j < n; j++) {
    const double* s = src + 3 * j * hs;
    double* d = dst + 3 * at[j] * hd;
    for (int b = 0; b < 3; b++, s += hs, d += hd)
      for (int i = 0; i < count; i++) d[row[i]] += s[i];
  }
}

const plPanelKernels pl_panel_plain = {
    panel_solve, panel_factor, panel_syrk, panel_gemm, panel_tile, expand, panel_multiply, panel_forward,
    panel_backward, panel_dot_rectangle, panel_dot_triangle};

// triangle.c: dense symmetric matrices in panels, over the kernels of panel.h.
#include "linalg/triangle.h"

#include <string.h>

// ---- conversion

void pl_triangle_to_columns(int n, const double* T, double* a, int ld) {
  // down the columns, so that memory is written in order
  for (int c = 0; c < n; c++, a += ld)
    for (int p = c / PL_PANEL; p < pl_panel_count(n); p++) {
      const double* X = T + pl_triangle_at(p) + (long)c * pl_panel_height(n, p);
      int first = PL_PANEL * p, skip = c > first ? c - first : 0;
      if (!skip && n - first >= PL_PANEL)
        memcpy(a + first, X, PL_PANEL * sizeof(double));
      else
        for (int i = skip; i < PL_PANEL && first + i < n; i++) a[first + i] = X[i];
    }
}

// ---- factor

typedef struct Rest {
  const plPanelKernels* kernels;
  double* L;
  int n, c0, c1;
} Rest;

static void rest_panels(void* context, int begin, int end, int worker) {
  const Rest* r = context;
  (void)worker;
  for (int p = pl_panel_count(r->c1) + begin; p < pl_panel_count(r->c1) + end; p++)
    r->kernels->solve(r->L, r->n, r->L + pl_triangle_at(p), pl_panel_height(r->n, p), r->c0, r->c1);
}

int pl_triangle_factor(const plPanelKernels* kernels, int n, double* L, plPool* pool) {
  for (int c = n; c < pl_pad(n); c++) {
    int p = pl_panel_count(n) - 1;
    L[pl_triangle_at(p) + c - PL_PANEL * p + (long)c * pl_panel_height(n, p)] = 1;
  }
  for (int c0 = 0; c0 < n; c0 += PL_PANEL_BLOCK) {
    int c1 = n - c0 < PL_PANEL_BLOCK ? n : c0 + PL_PANEL_BLOCK;
    for (int p = c0 / PL_PANEL; p < pl_panel_count(c1); p++) {
      int failed = kernels->factor(L, n, p, c0);
      if (failed >= 0) return failed;
    }
    Rest rest = {kernels, L, n, c0, c1};
    int left = pl_panel_count(n) - pl_panel_count(c1);
    if (left) pl_parallel_for(pool, left, 2, rest_panels, &rest);
  }
  return -1;
}

// ---- solve

void pl_triangle_forward(const plPanelKernels* kernels, const double* L, int n, double* y) {
  double sum[PL_PANEL];
  for (int p = 0; p < pl_panel_count(n); p++) {
    int h = pl_panel_height(n, p), first = PL_PANEL * p;
    if (p) {
      kernels->multiply(L + pl_triangle_at(p), h, first, y, sum);
      for (int i = 0; i < h; i++) y[first + i] -= sum[i];
    }
    kernels->forward(L, n, p, y + first);
  }
}

void pl_triangle_backward(const plPanelKernels* kernels, const double* L, int n, double* y) {
  for (int p = pl_panel_count(n) - 1; p >= 0; p--) {
    int first = PL_PANEL * p, end = pl_triangle_columns(n, p);
    for (int c = first; c < end && p + 1 < pl_panel_count(n); c += PL_PAD)
      kernels->dot_triangle(L, n, p + 1, c, y + first + PL_PANEL, y + c);
    kernels->backward(L, n, p, y + first);
  }
}

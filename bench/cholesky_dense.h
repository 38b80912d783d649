// cholesky_dense.h: the dense kernels of bench/cholesky beside the machine's peak.
#ifndef PL_BENCH_CHOLESKY_DENSE_H
#define PL_BENCH_CHOLESKY_DENSE_H

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "fma_peak.h"
#include "linalg/triangle.h"

typedef struct Dense {
  const plPanelKernels* k;
  int n;
  double *A, *C, *T, *L;  // rectangle, result, triangle to factor, factor
} Dense;

static void dense_gemm(const Dense* d) {
  d->k->gemm(d->A, d->n, d->n, d->A, d->n, d->C, 0, pl_panel_count(d->n), true);
}
static void dense_syrk(const Dense* d) { d->k->syrk(d->A, d->n, d->n, d->C, 0, pl_panel_count(d->n), true); }
static void dense_trsm(const Dense* d) {
  memcpy(d->C, d->A, pl_rectangle_size(d->n, d->n) * sizeof(double));
  for (int c = 0; c < d->n; c += PL_PANEL_BLOCK)
    for (int p = 0; p < pl_panel_count(d->n); p++)
      d->k->solve(d->L, d->n, d->C + pl_rectangle_at(d->n, p), pl_panel_height(d->n, p), c,
                  d->n - c < PL_PANEL_BLOCK ? pl_pad(d->n) : c + PL_PANEL_BLOCK);
}
static void dense_potrf(const Dense* d) {
  memcpy(d->L, d->T, pl_triangle_size(d->n) * sizeof(double));
  (void)pl_triangle_factor(d->k, d->n, d->L, NULL);
}

static double rate(const Dense* d, void (*run)(const Dense*), double flops) {
  double best = 1e300, start = peak_now();
  int repeat = 1 + (int)(2e7 / flops);
  for (int k = 0; k < 5 || peak_now() - start < 0.02; k++) {
    double t = peak_now();
    for (int r = 0; r < repeat; r++) run(d);
    t = (peak_now() - t) / repeat;
    if (t < best) best = t;
  }
  return flops / best * 1e-9;
}

static void dense_rates(plIsa isa, double peak, FILE* json_out) {
  static const int sizes[] = {24, 48, 96, 192, 300, 600, 1200};
  printf("dense kernels, %s: FMA peak of one core %.1f Gflop/s; percent of it:\n  %6s %7s %7s %7s %7s\n",
         pl_isa_name(isa), peak, "n", "gemm", "syrk", "trsm", "potrf");
  for (size_t q = 0; q < sizeof sizes / sizeof *sizes; q++) {
    int n = sizes[q];
    size_t square = pl_rectangle_size(n, n), half = pl_triangle_size(n);
    Dense d = {pl_panel_kernels(isa),
               n,
               PL_NEW(double, square + PL_PANEL),
               PL_NEW(double, square + PL_PANEL),
               PL_NEW(double, half + PL_PANEL),
               PL_NEW(double, half + PL_PANEL)};
    for (size_t i = 0; i < square; i++) d.A[i] = 1e-3 * (double)(i % 17);
    for (int p = 0; p < pl_panel_count(n); p++) {
      int h = pl_panel_height(n, p);
      for (int c = 0; c < pl_triangle_columns(n, p); c++)
        for (int r = 0; r < h; r++)
          d.T[pl_triangle_at(p) + (long)c * h + r] = PL_PANEL * p + r == c ? n : 0.5;
    }
    double n3 = (double)n * n * n;
    const char* const names[] = {"gemm", "syrk", "potrf", "trsm"};
    double rates[] = {rate(&d, dense_gemm, 2 * n3), rate(&d, dense_syrk, n3), rate(&d, dense_potrf, n3 / 3),
                      rate(&d, dense_trsm, n3)};
    printf("  %6d %6.1f%% %6.1f%% %6.1f%% %6.1f%%\n", n, 100 * rates[0] / peak, 100 * rates[1] / peak,
           100 * rates[3] / peak, 100 * rates[2] / peak);
    for (int k = 0; k < 4; k++) {
      fprintf(json_out, "{\"mesh\": \"kernel %s %s\", \"vertices\": %d, \"schur\": false, \"threads\": 1",
              names[k], pl_isa_name(isa), n);
      fprintf(json_out,
              ", \"ours_ms\": %.6g, \"plain_ms\": null, \"cholmod_ms\": null, \"mumps_ms\": null, "
              "\"solve_ms\": null",
              (k == 0   ? 2
               : k == 2 ? 1.0 / 3
                        : 1) *
                  n3 / rates[k] * 1e-6);
      fprintf(json_out, ", \"gflops\": %.4g, \"peak_gflops\": %.4g}\n", rates[k], peak);
    }
    pl_free(d.A), pl_free(d.C), pl_free(d.T), pl_free(d.L);
  }
}

#endif

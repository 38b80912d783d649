// symv_kernel.h: the loops of symv.h, compiled once per instruction set by symv.c, symv_avx2.c and
// symv_avx512.c.
#ifndef PL_LINALG_SYMV_KERNEL_H
#define PL_LINALG_SYMV_KERNEL_H

#include <stddef.h>

enum { COLUMNS = 4, LANES = 8 };

// Four columns at once, so that y_row is read and written a quarter as often; the sums run in LANES parts.
static inline void symv_strip(int nr, const double* A, size_t ld, const double* xr, const double* xc,
                              double* yr, double* yc) {
  const double *a = A, *b = A + ld, *c = A + 2 * ld, *d = A + 3 * ld;
  double sum[COLUMNS][LANES] = {{0}};
  int i = 0;
  for (; i + LANES <= nr; i += LANES)
    for (int l = 0; l < LANES; l++) {
      double x = xr[i + l];
      yr[i + l] += a[i + l] * xc[0] + b[i + l] * xc[1] + c[i + l] * xc[2] + d[i + l] * xc[3];
      sum[0][l] += a[i + l] * x, sum[1][l] += b[i + l] * x, sum[2][l] += c[i + l] * x,
          sum[3][l] += d[i + l] * x;
    }
  for (int l = 0; i < nr; i++, l++) {
    double x = xr[i];
    yr[i] += a[i] * xc[0] + b[i] * xc[1] + c[i] * xc[2] + d[i] * xc[3];
    sum[0][l] += a[i] * x, sum[1][l] += b[i] * x, sum[2][l] += c[i] * x, sum[3][l] += d[i] * x;
  }
  for (int j = 0; j < COLUMNS; j++)
    for (int l = 0; l < LANES; l++) yc[j] += sum[j][l];
}

static inline void symv_block(int nr, int nc, const double* A, const double* xr, const double* xc, double* yr,
                              double* yc) {
  size_t ld = (size_t)nr;
  int j = 0;
  for (; j + COLUMNS <= nc; j += COLUMNS) symv_strip(nr, A + (size_t)j * ld, ld, xr, xc + j, yr, yc + j);
  for (; j < nc; j++)
    for (int i = 0; i < nr; i++)
      yr[i] += A[(size_t)j * ld + (size_t)i] * xc[j], yc[j] += A[(size_t)j * ld + (size_t)i] * xr[i];
}

// One body has six degrees of freedom: all numbers stay in registers.
static inline void symv_six(const double* A, const double* x, double* y) {
  enum { N = 6 };
  double u[N], z[N];
  for (int i = 0; i < N; i++) u[i] = x[i], z[i] = y[i];
#pragma GCC unroll 6
  for (int j = 0; j < N; j++) {
    z[j] += A[N * j + j] * u[j];
#pragma GCC unroll 6
    for (int i = j + 1; i < N; i++) z[i] += A[N * j + i] * u[j], z[j] += A[N * j + i] * u[i];
  }
  for (int i = 0; i < N; i++) y[i] = z[i];
}

static inline void symv(int n, const double* A, const double* x, double* y) {
  size_t ld = (size_t)n;
  if (n == 6) {
    symv_six(A, x, y);
    return;
  }
  for (int j = 0; j < n; j += COLUMNS) {
    int end = n - j < COLUMNS ? n : j + COLUMNS;
    const double* D = A + (size_t)j * ld;
    for (int k = j; k < end; k++, D += ld) {
      y[k] += D[k] * x[k];
      for (int i = k + 1; i < end; i++) y[i] += D[i] * x[k], y[k] += D[i] * x[i];
    }
    if (end < n) symv_strip(n - end, A + (size_t)j * ld + end, ld, x + end, x + j, y + end, y + j);
  }
}

void pl_symv_avx2(int n, const double* A, const double* x, double* y);
void pl_symv_avx512(int n, const double* A, const double* x, double* y);
void pl_symv_block_avx2(int nr, int nc, const double* A, const double* xr, const double* xc, double* yr,
                        double* yc);
void pl_symv_block_avx512(int nr, int nc, const double* A, const double* xr, const double* xc, double* yr,
                          double* yc);

#endif

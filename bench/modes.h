// modes.h: the lowest natural frequencies of K x = w^2 M x, by subspace iteration on K^-1 M.
#ifndef PL_BENCH_MODES_H
#define PL_BENCH_MODES_H

#include <math.h>

#include "base/memory.h"
#include "linalg/chol.h"

enum { NMODE = 14 };

static double dot(const double* x, const double* y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

// Eigenvalues of the symmetric matrix H (n x n), ascending; X's columns turn along.
static void diagonalize(double* H, int n, double* X, int rows, double* w) {
  for (int sweep = 0; sweep < 30; sweep++)
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        double a = H[n * q + p];
        if (a == 0) continue;
        double zeta = (H[n * q + q] - H[n * p + p]) / (2 * a);
        double t = copysign(1, zeta) / (fabs(zeta) + hypot(1, zeta)), c = 1 / sqrt(1 + t * t), s = c * t;
        for (int i = 0; i < n; i++) {
          double x = H[n * p + i], y = H[n * q + i];
          H[n * p + i] = c * x - s * y, H[n * q + i] = s * x + c * y;
        }
        for (int i = 0; i < n; i++) {
          double x = H[n * i + p], y = H[n * i + q];
          H[n * i + p] = c * x - s * y, H[n * i + q] = s * x + c * y;
        }
        for (int i = 0; i < rows; i++) {
          double x = X[(size_t)rows * (size_t)p + (size_t)i], y = X[(size_t)rows * (size_t)q + (size_t)i];
          X[(size_t)rows * (size_t)p + (size_t)i] = c * x - s * y,
                                       X[(size_t)rows * (size_t)q + (size_t)i] = s * x + c * y;
        }
      }
  for (int i = 0; i < n; i++) w[i] = H[n * i + i];
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (w[j] < w[i]) {
        double swap = w[i];
        w[i] = w[j], w[j] = swap;
      }
}

// X's columns made orthonormal in M; Y: scratch.
static void orthonormalize(const plBsym* M, double* X, double* Y, size_t rows) {
  for (size_t k = 0; k < NMODE; k++) {
    double* x = X + rows * k;
    for (int pass = 0; pass < 2; pass++)
      for (size_t j = 0; j < k; j++) {
        pl_bsym_multiply(M, X + rows * j, Y);
        double a = dot(x, Y, (int)rows);
        for (size_t i = 0; i < rows; i++) x[i] -= a * X[rows * j + i];
      }
    pl_bsym_multiply(M, x, Y);
    double a = 1 / sqrt(dot(x, Y, (int)rows));
    for (size_t i = 0; i < rows; i++) x[i] *= a;
  }
}

// The NMODE lowest frequencies (Hz), ascending. chol is factored on the way; vertices that are fixed stay at
// zero. False: no memory, or K is not definite.
static bool lowest_modes(const plBsym* K, const plBsym* M, plChol* chol, const int* fixed, double* hertz) {
  size_t rows = 3 * (size_t)K->n;
  double *X = PL_NEW(double, rows*NMODE), *Y = PL_NEW(double, rows), H[NMODE * NMODE], w[NMODE];
  bool ok = X && Y && !pl_chol_factor(chol, K, NULL) && !pl_chol_factor_rest(chol, NULL);
  for (size_t i = 0; ok && i < rows * NMODE; i++) X[i] = fixed[i % rows / 3] ? 0 : sin(1.7 * (double)i + 0.3);
  for (int it = 0; ok && it < 25; it++) {
    for (size_t k = 0; k < NMODE; k++) {
      double* x = X + rows * k;
      pl_bsym_multiply(M, x, Y);
      for (size_t i = 0; i < rows; i++) x[i] = fixed[i / 3] ? 0 : Y[i];
      pl_chol_solve(chol, x, 1, NULL);
    }
    orthonormalize(M, X, Y, rows);
    for (size_t k = 0; k < NMODE; k++) {
      pl_bsym_multiply(K, X + rows * k, Y);
      for (size_t j = 0; j < NMODE; j++) H[NMODE * k + j] = dot(X + rows * j, Y, (int)rows);
    }
    diagonalize(H, NMODE, X, (int)rows, w);
  }
  for (int k = 0; ok && k < NMODE; k++) hertz[k] = sqrt(w[k]) / (2 * acos(-1));
  pl_free(X), pl_free(Y);
  return ok;
}

#endif

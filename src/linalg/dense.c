// dense.c: column-major matrices: operands are packed into panels piece by piece, results go straight to their place.
#include "linalg/dense.h"

#include <string.h>

#include "base/cpu.h"
#include "linalg/triangle.h"

enum { DEPTH = 128, COLUMNS = 96 };  // terms and columns of a product packed at a time

// rows i0 .. of op(A), terms k0 .., `height` rows to a column; rows beyond count are zero
static void pack(const double* A, int lda, bool transpose, int i0, int count, int k0, int k, int height, double* out) {
  for (int q = 0; q < k; q++, out += height) {
    for (int i = 0; i < count; i++) out[i] = transpose ? A[k0 + q + (long)(i0 + i) * lda] : A[i0 + i + (long)(k0 + q) * lda];
    for (int i = count; i < height; i++) out[i] = 0;
  }
}

static int at_most(int left, int limit) { return left < limit ? left : limit; }

// C += alpha op(A) op(B); only the lower triangle if asked
static void product(int m, int n, int k, double alpha, const double* A, int lda, bool ta, const double* B, int ldb, bool tb, double* C,
                    int ldc, bool lower) {
  const plPanelKernels* kernels = pl_panel_kernels(pl_isa());
  _Alignas(64) double a[PL_PANEL * DEPTH], b[COLUMNS * DEPTH], t[PL_PANEL * PL_PAD];
  for (int k0 = 0; k0 < k; k0 += DEPTH) {
    int depth = at_most(k - k0, DEPTH);
    for (int j0 = 0; j0 < n; j0 += COLUMNS) {
      int columns = at_most(n - j0, COLUMNS);
      for (int j = 0; j < columns; j += PL_PAD)
        pack(B, ldb, !tb, j0 + j, at_most(columns - j, PL_PAD), k0, depth, PL_PAD, b + (long)j * depth);
      for (int i0 = lower ? j0 / PL_PANEL * PL_PANEL : 0; i0 < m; i0 += PL_PANEL) {
        int rows = at_most(m - i0, PL_PANEL), height = pl_pad(rows);
        pack(A, lda, ta, i0, rows, k0, depth, height, a);
        for (int j = 0; j < columns && (!lower || j0 + j < i0 + rows); j += PL_PAD) {
          kernels->tile(height, depth, a, height, b + (long)j * depth, PL_PAD, t, height, true);
          for (int c = 0; c < at_most(columns - j, PL_PAD); c++) {
            double* out = C + i0 + (long)(j0 + j + c) * ldc;
            for (int i = lower && j0 + j + c > i0 ? j0 + j + c - i0 : 0; i < rows; i++) out[i] -= alpha * t[i + c * height];
          }
        }
      }
    }
  }
}

void pl_dense_gemm(int m, int n, int k, double alpha, const double* A, int lda, bool transpose_A, const double* B, int ldb,
                   bool transpose_B, double* C, int ldc) {
  product(m, n, k, alpha, A, lda, transpose_A, B, ldb, transpose_B, C, ldc, false);
}

void pl_dense_syrk(int n, int k, double alpha, const double* A, int lda, bool transpose_A, double* C, int ldc) {
  product(n, n, k, alpha, A, lda, transpose_A, A, lda, !transpose_A, C, ldc, true);
}

// ---- Cholesky

size_t pl_dense_factor_size(int n) { return pl_triangle_size(n) + PL_PANEL; }

int pl_dense_factor(int n, const double* a, int ld, double* factor, plPool* pool) {
  pl_triangle_from_columns(n, a, ld, factor);
  return pl_triangle_factor(pl_panel_kernels(pl_isa()), n, factor, pool);
}

void pl_dense_solve(int n, const double* factor, double* b, int ldb, int nrhs, double* scratch) {
  const plPanelKernels* kernels = pl_panel_kernels(pl_isa());
  for (int k = 0; k < nrhs; k++) {
    double* x = b + (long)k * ldb;
    memcpy(scratch, x, (size_t)n * sizeof(double));
    for (int i = n; i < pl_pad(n); i++) scratch[i] = 0;
    pl_triangle_forward(kernels, factor, n, scratch);
    pl_triangle_backward(kernels, factor, n, scratch);
    memcpy(x, scratch, (size_t)n * sizeof(double));
  }
}

int pl_dense_potrf(int n, double* a, int ld, double* factor, plPool* pool) {
  int failed = pl_dense_factor(n, a, ld, factor, pool);
  if (failed >= 0) return failed;
  pl_triangle_to_columns(n, factor, a, ld);
  for (int i = 0; i < n; i++) a[i + (long)i * ld] = 1 / a[i + (long)i * ld];
  return -1;
}

void pl_dense_trsm(int m, int n, const double* L, int ldl, double* B, int ldb) {
  // columns in blocks: what the earlier ones contribute is a product, the rest is solved by substitution
  for (int c0 = 0; c0 < n; c0 += PL_PANEL) {
    int c1 = at_most(n - c0, PL_PANEL) + c0;
    if (c0) product(m, c1 - c0, c0, -1, B, ldb, false, L + c0, ldl, true, B + (long)c0 * ldb, ldb, false);
    for (int c = c0; c < c1; c++) {
      double* x = B + (long)c * ldb;
      for (int k = c0; k < c; k++)
        for (int i = 0; i < m; i++) x[i] -= B[i + (long)k * ldb] * L[c + (long)k * ldl];
      double scale = 1 / L[c + (long)c * ldl];
      for (int i = 0; i < m; i++) x[i] *= scale;
    }
  }
}

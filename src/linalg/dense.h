// dense.h: dense column-major matrices over the kernels of panel.h: products, Cholesky factor, solves.
//
// Element (i, j) of a matrix with leading dimension ld is a[i + j ld]. Nothing is allocated; where memory is needed the caller gives it.
#ifndef PL_LINALG_DENSE_H
#define PL_LINALG_DENSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/parallel.h"

// C += alpha op(A) op(B): m x n, k terms; op transposes if asked to
void pl_dense_gemm(int m, int n, int k, double alpha, const double* A, int lda, bool transpose_A, const double* B, int ldb,
                   bool transpose_B, double* C, int ldc);
// C += alpha op(A) op(A)', lower triangle of C, n x n, k terms
void pl_dense_syrk(int n, int k, double alpha, const double* A, int lda, bool transpose_A, double* C, int ldc);

// The Cholesky factor of the lower triangle of a, kept in panels: memory of pl_dense_factor_size(n) doubles, aligned to 64 bytes.
// Returns the column whose pivot is not positive, or -1. The same bits for any pool.
size_t pl_dense_factor_size(int n);
int pl_dense_factor(int n, const double* a, int ld, double* factor, plPool* pool);
// b := (L L')^-1 b, nrhs columns; scratch has n + 8 numbers
void pl_dense_solve(int n, const double* factor, double* b, int ldb, int nrhs, double* scratch);

// a := L in place, lower triangle; factor as above is scratch and holds L afterwards
int pl_dense_potrf(int n, double* a, int ld, double* factor, plPool* pool);
// B := B L^-T for the lower triangle L, B being m x n
void pl_dense_trsm(int m, int n, const double* L, int ldl, double* B, int ldb);

#endif

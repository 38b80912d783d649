// lu.h: dense systems of a few dozen rows: S = P L U, solves with it, and products.
//
// Matrices are stored by rows of pl_lu_stride(n) numbers; those beyond column n are zero.
#ifndef PL_LINALG_LU_H
#define PL_LINALG_LU_H

#include <stdbool.h>

#include "base/cpu.h"

enum { PL_LU_PAD = 4, PL_LU_MOST = 64 };  // rounding; largest n

static inline int pl_lu_stride(int n) { return (n + PL_LU_PAD - 1) & ~(PL_LU_PAD - 1); }

typedef struct plLuKernels {
  // S := L U of its rows in the order pivot(n), L below the diagonal. A column's pivot is the largest entry
  // relative to the size of its row; false: it is at most `sound` times that size.
  bool (*factor)(int n, double* S, const double* size, double sound, int* pivot);
  // y := U^-1 L^-1 y; y has pl_lu_stride(n) numbers
  void (*solve)(int n, const double* S, double* y);
  // y = M x for a symmetric M; y has pl_lu_stride(n) numbers
  void (*multiply)(int n, const double* M, const double* x, double* y);
  // row = a[0] X(0) + a[1] X(1) + a[2] X(2), for the first three rows of X, n columns
  void (*combine)(int n, const double* a, const double* X, double* row);
} plLuKernels;

const plLuKernels* pl_lu_kernels(plIsa isa);

extern const plLuKernels pl_lu_plain, pl_lu_avx2;

#endif

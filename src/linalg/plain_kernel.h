// plain_kernel.h: the numeric loop of plain.h, compiled once per instruction set by plain.c, plain_avx2.c and
// plain_avx512.c.
#ifndef PL_LINALG_PLAIN_KERNEL_H
#define PL_LINALG_PLAIN_KERNEL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// a := its Cholesky factor, upper part zero; false if a pivot is not positive
static inline bool plain_pivot(double* a) {
  if (!(a[0] > 0)) return false;
  a[0] = sqrt(a[0]), a[1] /= a[0], a[2] /= a[0];
  a[4] -= a[1] * a[1];
  if (!(a[4] > 0)) return false;
  a[4] = sqrt(a[4]), a[5] = (a[5] - a[2] * a[1]) / a[4];
  a[8] -= a[2] * a[2] + a[5] * a[5];
  if (!(a[8] > 0)) return false;
  a[8] = sqrt(a[8]), a[3] = a[6] = a[7] = 0;
  return isfinite(a[8]);
}

// Eliminates the columns first .. last-1 of L, stored as in plPlain; returns the first column that fails, or
// -1.
static inline int plain_eliminate(const int* col0, const int* row, double* L, int first, int last) {
  for (int j = first; j < last; j++) {
    double* D = L + 9 * (size_t)col0[j];
    if (!plain_pivot(D)) return j;
    // L_ij = A_ij L_jj^-T
    double i0 = 1 / D[0], i1 = 1 / D[4], i2 = 1 / D[8];
    for (int q = col0[j] + 1; q < col0[j + 1]; q++) {
      double* B = L + 9 * (size_t)q;
      for (int r = 0; r < 3; r++) {
        double b0 = B[r] * i0, b1 = (B[r + 3] - b0 * D[1]) * i1, b2 = (B[r + 6] - b0 * D[2] - b1 * D[5]) * i2;
        B[r] = b0, B[r + 3] = b1, B[r + 6] = b2;
      }
    }
    // A_ik -= L_ij L_kj' for all pairs of rows i >= k of this column
    for (int p = col0[j] + 1; p < col0[j + 1]; p++) {
      const double* Bk = L + 9 * (size_t)p;
      int at = col0[row[p]];
      for (int q = p; q < col0[j + 1]; q++) {
        const double* Bi = L + 9 * (size_t)q;
        while (row[at] != row[q]) at++;
        double* T = L + 9 * (size_t)at;
        for (int c = 0; c < 3; c++)
          for (int r = 0; r < 3; r++)
            T[r + 3 * c] -= Bi[r] * Bk[c] + Bi[r + 3] * Bk[c + 3] + Bi[r + 6] * Bk[c + 6];
      }
    }
  }
  return -1;
}

int pl_plain_eliminate_avx2(const int* col0, const int* row, double* L, int first, int last);
int pl_plain_eliminate_avx512(const int* col0, const int* row, double* L, int first, int last);

#endif

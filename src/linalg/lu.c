// lu.c: dense systems by plain loops, and the choice among the instruction sets.
#include "linalg/lu.h"

#include <math.h>

static void exchange(double* x, double* y, int n) {
  for (int j = 0; j < n; j++) {
    double t = x[j];
    x[j] = y[j], y[j] = t;
  }
}

static bool factor(int n, double* S, const double* size, double sound, int* pivot) {
  int ld = pl_lu_stride(n);
  for (int k = 0; k < n; k++) pivot[k] = k;
  for (int k = 0; k < n; k++) {
    int best = k;
    double most = -1;
    for (int i = k; i < n; i++) {
      double x = fabs(S[i * ld + k]) / size[pivot[i]];
      if (x > most) most = x, best = i;
    }
    if (!(most > sound)) return false;
    int other = pivot[k];
    pivot[k] = pivot[best], pivot[best] = other;
    double* up = S + k * ld;
    if (best != k) exchange(up, S + best * ld, n);
    for (int i = k + 1; i < n; i++) {
      double* row = S + i * ld;
      double f = row[k] /= up[k];
      for (int j = k + 1; j < n; j++) row[j] -= f * up[j];
    }
  }
  return true;
}

static void solve(int n, const double* S, double* y) {
  int ld = pl_lu_stride(n);
  for (int k = 0; k < n; k++)
    for (int j = 0; j < k; j++) y[k] -= S[k * ld + j] * y[j];
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) y[k] -= S[k * ld + j] * y[j];
    y[k] /= S[k * ld + k];
  }
}

static void multiply(int n, const double* M, const double* x, double* y) {
  int ld = pl_lu_stride(n);
  for (int a = 0; a < n; a++) {
    double sum = 0;
    for (int b = 0; b < n; b++) sum += M[a * ld + b] * x[b];
    y[a] = sum;
  }
}

static void combine(int n, const double* a, const double* X, double* row) {
  int ld = pl_lu_stride(n);
  for (int j = 0; j < ld; j++) row[j] = a[0] * X[j] + a[1] * X[j + ld] + a[2] * X[j + 2 * ld];
}

const plLuKernels pl_lu_plain = {factor, solve, multiply, combine};

const plLuKernels* pl_lu_kernels(plIsa isa) {
#if defined(__x86_64__)
  if (isa >= PL_ISA_AVX2) return &pl_lu_avx2;
#else
  (void)isa;
#endif
  return &pl_lu_plain;
}

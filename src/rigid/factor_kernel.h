// factor_kernel.h: A = L' D L of one tree and solves with it; compiled once per instruction set by factor.c
// and factor_avx2.c.
//
// Leaves first (Featherstone's LTDL): no fill, since a dof is coupled only to those on its way to the root.
// Row k of L is kept as column k of the array (entries 0 .. k-1), so that a chain works on contiguous memory;
// entry k is 1 / D_k.
//
// A chain, whose rows are full, is eliminated and solved four rows at a time: the rest is then read and
// written once for all four.
#ifndef PL_RIGID_FACTOR_KERNEL_H
#define PL_RIGID_FACTOR_KERNEL_H

#include <string.h>

#include "rigid/tree.h"

enum { FACTOR_PANEL = 4 };

// Is every dof's parent the one before it? Then the ancestors of k are 0 .. k-1.
static inline bool is_chain(const int* parent, int n, int v0) {
  for (int k = 0; k < n; k++)
    if (parent[k] != (k ? v0 + k - 1 : -1)) return false;
  return true;
}

// Four numbers in memory.
static inline plWide* four(double* x) { return (plWide*)x; }
static inline const plWide* row4(const double* x) { return (const plWide*)x; }
static inline double wide_sum(plWide a) { return (a[0] + a[1]) + (a[2] + a[3]); }

// Rows k0 .. k1-1 of L, each less what the later ones of the panel take off it; their pivots into D. -1, or
// the row whose pivot was not positive.
static inline int factor_panel(int k0, int k1, int n, double* L, double* D) {
  for (int k = k1 - 1; k >= k0; k--) {
    double *row = L + k * n, d = row[k];
    if (!(d > 0)) return k;
    double inverse = 1 / d;
    D[k - k0] = d, row[k] = inverse;
    for (int j = 0; j < k; j++) row[j] *= inverse;
    for (int i = k0; i < k; i++) {
      double a = d * row[i], *to = L + i * n;
      for (int j = 0; j <= i; j++) to[j] -= a * row[j];
    }
  }
  return -1;
}

// A_i -= sum over the panel's rows k of L_ki D_k L_k, for all rows i in front of it, four columns at a time:
// beyond the diagonal, which the panel's own columns keep inside the row, nothing is of account.
static inline void subtract_panel(int k0, int n, double* L, const double* D) {
  const double *a = L + k0 * n, *b = a + n, *c = b + n, *d = c + n;
  for (int i = 0; i < k0; i++) {
    double *row = L + i * n, ai = D[0] * a[i], bi = D[1] * b[i], ci = D[2] * c[i], di = D[3] * d[i];
    for (int j = 0; j <= i; j += 4) {
      *four(row + j) -= (*row4(a + j) * ai + *row4(b + j) * bi) + (*row4(c + j) * ci + *row4(d + j) * di);
    }
  }
}

static inline int factor_chain(int n, double* L) {
  double D[FACTOR_PANEL];
  int k = n, bad = -1;
  for (; k >= FACTOR_PANEL; k -= FACTOR_PANEL) {
    if ((bad = factor_panel(k - FACTOR_PANEL, k, n, L, D)) >= 0) return bad;
    subtract_panel(k - FACTOR_PANEL, n, L, D);
  }
  return factor_panel(0, k, n, L, D);
}

// The six rows of a single body, one by one: all loops have fixed lengths.
enum { SIX = 6 };
static inline int factor_six(double* L) {
#pragma GCC unroll 6
  for (int k = SIX - 1; k >= 0; k--) {
    double *row = L + SIX * k, d = row[k];
    if (!(d > 0)) return k;
    double inverse = row[k] = 1 / d;
#pragma GCC unroll 6
    for (int i = 0; i < k; i++) {
      double a = row[i] * inverse, *to = L + SIX * i;
#pragma GCC unroll 6
      for (int j = 0; j <= i; j++) to[j] -= a * row[j];
    }
#pragma GCC unroll 6
    for (int j = 0; j < k; j++) row[j] *= inverse;
  }
  return -1;
}

static inline void solve_six(const double* L, double* x) {
  double y[SIX];
  memcpy(y, x, sizeof y);
#pragma GCC unroll 6
  for (int k = SIX - 1; k > 0; k--)
#pragma GCC unroll 6
    for (int j = 0; j < k; j++) y[j] -= L[SIX * k + j] * y[k];
#pragma GCC unroll 6
  for (int k = 0; k < SIX; k++) {
    y[k] *= L[SIX * k + k];
#pragma GCC unroll 6
    for (int j = 0; j < k; j++) y[k] -= L[SIX * k + j] * y[j];
  }
  memcpy(x, y, sizeof y);
}

static inline int factor_tree(const int* parent, int v0, int n, double* L) {
  for (int k = n - 1; k >= 0; k--) {
    double d = L[k * n + k];
    if (!(d > 0)) return k;
    double inverse = L[k * n + k] = 1 / d;
    for (int i = parent[k]; i >= 0; i = parent[i - v0]) {
      double a = L[k * n + i - v0] * inverse;
      for (int j = i; j >= 0; j = parent[j - v0]) L[(i - v0) * n + j - v0] -= a * L[k * n + j - v0];
    }
    for (int j = parent[k]; j >= 0; j = parent[j - v0]) L[k * n + j - v0] *= inverse;
  }
  return -1;
}

static inline int tree_factor(const plTree* tree, int t, const double* A, double* L) {
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  const int* parent = tree->dof_parent + v0;
  if (n == SIX && is_chain(parent, SIX, v0)) {
    memcpy(L, A, SIX * SIX * sizeof(double));
    return factor_six(L);
  }
  memcpy(L, A, (size_t)(n * n) * sizeof(double));
  return is_chain(parent, n, v0) ? factor_chain(n, L) : factor_tree(parent, v0, n, L);
}

// L' y = x, leaves first: four rows at a time, then what is left one by one.
static inline void solve_up(int n, const double* L, double* x) {
  int k = n;
  for (; k >= FACTOR_PANEL; k -= FACTOR_PANEL) {
    const double *a = L + (k - 4) * n, *b = a + n, *c = b + n, *d = c + n;
    double x3 = x[k - 1], x2 = x[k - 2] - d[k - 2] * x3, x1 = (x[k - 3] - d[k - 3] * x3) - c[k - 3] * x2,
           x0 = ((x[k - 4] - d[k - 4] * x3) - c[k - 4] * x2) - b[k - 4] * x1;
    x[k - 2] = x2, x[k - 3] = x1, x[k - 4] = x0;
    int j = 0;
    for (; j < n % FACTOR_PANEL; j++) x[j] -= (x0 * a[j] + x1 * b[j]) + (x2 * c[j] + x3 * d[j]);
    for (; j < k - 4; j += 4)
      *four(x + j) -= (*row4(a + j) * x0 + *row4(b + j) * x1) + (*row4(c + j) * x2 + *row4(d + j) * x3);
  }
  for (; k > 0; k--)
    for (int j = 0; j < k - 1; j++) x[j] -= x[k - 1] * L[(k - 1) * n + j];
}

// L z = y, root first
static inline void solve_down(int n, const double* L, double* x) {
  int k = n % FACTOR_PANEL;
  for (int i = 1; i < k; i++)
    for (int j = 0; j < i; j++) x[i] -= L[i * n + j] * x[j];
  for (; k < n; k += FACTOR_PANEL) {
    const double *a = L + k * n, *b = a + n, *c = b + n, *d = c + n;
    double y[4] = {x[k], x[k + 1], x[k + 2], x[k + 3]};
    plWide s0 = wide_zero(), s1 = s0, s2 = s0, s3 = s0;
    int j = 0;
    for (; j < n % FACTOR_PANEL; j++)
      y[0] -= a[j] * x[j], y[1] -= b[j] * x[j], y[2] -= c[j] * x[j], y[3] -= d[j] * x[j];
    for (; j < k; j += 4) {
      plWide z = *row4(x + j);
      s0 += *row4(a + j) * z, s1 += *row4(b + j) * z, s2 += *row4(c + j) * z, s3 += *row4(d + j) * z;
    }
    y[0] -= wide_sum(s0), y[1] -= wide_sum(s1), y[2] -= wide_sum(s2), y[3] -= wide_sum(s3);
    y[1] -= b[k] * y[0];
    y[2] -= c[k] * y[0] + c[k + 1] * y[1];
    y[3] -= (d[k] * y[0] + d[k + 1] * y[1]) + d[k + 2] * y[2];
    for (int i = 0; i < 4; i++) x[k + i] = y[i];
  }
}

static inline void solve_chain(int n, const double* L, double* x) {
  solve_up(n, L, x);
  for (int k = 0; k < n; k++) x[k] *= L[k * n + k];
  solve_down(n, L, x);
}

static inline void solve_tree(const int* parent, int v0, int n, const double* L, double* x) {
  for (int k = n - 1; k >= 0; k--)
    for (int j = parent[k]; j >= 0; j = parent[j - v0]) x[j - v0] -= L[k * n + j - v0] * x[k];
  for (int k = 0; k < n; k++) {
    x[k] *= L[k * n + k];
    for (int j = parent[k]; j >= 0; j = parent[j - v0]) x[k] -= L[k * n + j - v0] * x[j - v0];
  }
}

static inline void tree_solve(const plTree* tree, int t, const double* L, double* x) {
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  const int* parent = tree->dof_parent + v0;
  if (n == SIX && is_chain(parent, SIX, v0))
    solve_six(L, x);
  else if (is_chain(parent, n, v0))
    solve_chain(n, L, x);
  else
    solve_tree(parent, v0, n, L, x);
}

#endif

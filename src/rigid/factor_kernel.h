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

// The first rows of L, n of them, leaves first; -1, or the row whose pivot was not positive.
static inline int factor_rest(int rows, int n, double* L) {
  for (int k = rows - 1; k >= 0; k--) {
    double *row = L + k * n, d = row[k];
    if (!(d > 0)) return k;
    double inverse = 1 / d;
    row[k] = inverse;
    for (int j = 0; j < k; j++) row[j] *= inverse;
    for (int i = 0; i < k; i++) {
      double w = d * row[i], *to = L + i * n;
      for (int j = 0; j <= i; j++) to[j] -= w * row[j];
    }
  }
  return -1;
}

// Rows k .. k+3 of L, each less what the later ones of the panel take off it, and their pivots into D. The
// corner at the diagonal is eliminated first, in registers, so that pivots do not wait for whole rows. -1, or
// the row whose pivot was not positive.
static inline int factor_panel(int k, int n, double* L, double* D) {
  double *a = L + k * n, *b = a + n, *c = b + n, *d = c + n;
  double a0 = a[k], b0 = b[k], b1 = b[k + 1], c0 = c[k], c1 = c[k + 1], c2 = c[k + 2], d0 = d[k],
         d1 = d[k + 1], d2 = d[k + 2], d3 = d[k + 3];
  if (!(d3 > 0)) return k + 3;
  double D3 = 1 / d3, u0 = d0 * D3, u1 = d1 * D3, u2 = d2 * D3;
  c2 -= d2 * u2, c1 -= d2 * u1, c0 -= d2 * u0, b1 -= d1 * u1, b0 -= d1 * u0, a0 -= d0 * u0;
  if (!(c2 > 0)) return k + 2;
  double D2 = 1 / c2, t0 = c0 * D2, t1 = c1 * D2;
  b1 -= c1 * t1, b0 -= c1 * t0, a0 -= c0 * t0;
  if (!(b1 > 0)) return k + 1;
  double D1 = 1 / b1, s0 = b0 * D1;
  a0 -= b0 * s0;
  if (!(a0 > 0)) return k;
  double D0 = 1 / a0;
  D[0] = a0, D[1] = b1, D[2] = c2, D[3] = d3;
  int j = 0;
  for (; j < k % FACTOR_PANEL; j++) {
    double z = d[j] * D3, y = (c[j] - d2 * z) * D2, x = (b[j] - d1 * z - c1 * y) * D1;
    d[j] = z, c[j] = y, b[j] = x, a[j] = (a[j] - d0 * z - c0 * y - b0 * x) * D0;
  }
  for (; j < k; j += FACTOR_PANEL) {
    plWide z = *four(d + j) * D3, y = (*four(c + j) - z * d2) * D2, x = (*four(b + j) - z * d1 - y * c1) * D1;
    *four(d + j) = z, *four(c + j) = y, *four(b + j) = x;
    *four(a + j) = (*four(a + j) - z * d0 - y * c0 - x * b0) * D0;
  }
  a[k] = D0, b[k] = s0, b[k + 1] = D1, c[k] = t0, c[k + 1] = t1, c[k + 2] = D2;
  d[k] = u0, d[k + 1] = u1, d[k + 2] = u2, d[k + 3] = D3;
  return -1;
}

// A_i -= sum over the panel's rows k of L_ki D_k L_k, for all rows i in front of it, four columns at a time:
// what is written beyond the diagonal is not used, and the panel's own columns keep it inside the row. The
// last rows come first: the next panel needs them.
static inline void subtract_panel(int k, int n, double* L, const double* D) {
  const double *a = L + k * n, *b = a + n, *c = b + n, *d = c + n;
  for (int i = k - 1; i >= 0; i--) {
    double* row = L + i * n;
    plWide ai = wide_all(a[i]) * D[0], bi = wide_all(b[i]) * D[1], ci = wide_all(c[i]) * D[2],
           di = wide_all(d[i]) * D[3];
    for (int j = 0; j <= i; j += FACTOR_PANEL)
      *four(row + j) =
          *row4(row + j) - *row4(a + j) * ai - *row4(b + j) * bi - *row4(c + j) * ci - *row4(d + j) * di;
  }
}

static inline int factor_chain(int n, double* L) {
  double D[FACTOR_PANEL] = {0};
  int k = n - FACTOR_PANEL;
  for (; k >= 0; k -= FACTOR_PANEL) {
    int bad = factor_panel(k, n, L, D);
    if (bad >= 0) return bad;
    subtract_panel(k, n, L, D);
  }
  return factor_rest(k + FACTOR_PANEL, n, L);
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

// L' y = x, leaves first: four rows at a time, then what is left one by one. The four numbers of the next
// panel stay in a register.
static inline void solve_up(int n, const double* L, double* x) {
  int k = n - FACTOR_PANEL, rest = n % FACTOR_PANEL;
  plWide own = k >= 0 ? *row4(x + k) : wide_zero();
  for (; k >= 0; k -= FACTOR_PANEL) {
    const double *a = L + k * n, *b = a + n, *c = b + n, *d = c + n;
    double x3 = own[3], x2 = own[2] - d[k + 2] * x3, x1 = (own[1] - d[k + 1] * x3) - c[k + 1] * x2,
           x0 = ((own[0] - d[k] * x3) - c[k] * x2) - b[k] * x1;
    *four(x + k) = (plWide){x0, x1, x2, x3};
    for (int j = 0; j < rest; j++) x[j] = (((x[j] - d[j] * x3) - c[j] * x2) - b[j] * x1) - a[j] * x0;
    for (int j = k - FACTOR_PANEL; j >= 0; j -= FACTOR_PANEL)
      *four(x + j) =
          (((*row4(x + j) - *row4(d + j) * x3) - *row4(c + j) * x2) - *row4(b + j) * x1) - *row4(a + j) * x0;
    if (k >= FACTOR_PANEL) own = *row4(x + k - FACTOR_PANEL);
  }
  for (k = rest - 1; k > 0; k--)
    for (int j = 0; j < k; j++) x[j] -= x[k] * L[k * n + j];
}

// L z = D^-1 y, root first. What the four numbers found last take off the next four is computed column by
// column, that of the earlier ones, which does not wait, row by row.
static inline void solve_down(int n, const double* L, double* x) {
  int rest = n % FACTOR_PANEL;
  for (int i = 0; i < rest; i++) {
    x[i] *= L[i * n + i];
    for (int j = 0; j < i; j++) x[i] -= L[i * n + j] * x[j];
  }
  double z0 = 0, z1 = 0, z2 = 0, z3 = 0;
  for (int k = rest; k < n; k += FACTOR_PANEL) {
    const double *a = L + k * n, *b = a + n, *c = b + n, *d = c + n;
    plWide y = *row4(x + k) * (plWide){a[k], b[k + 1], c[k + 2], d[k + 3]};
    for (int j = 0; j < rest; j++) y -= (plWide){a[j], b[j], c[j], d[j]} * x[j];
    if (k > rest) {
      plWide s0 = wide_zero(), s1 = s0, s2 = s0, s3 = s0;
      int j = rest;
      for (; j < k - FACTOR_PANEL; j += FACTOR_PANEL) {
        plWide z = *row4(x + j);
        s0 += *row4(a + j) * z, s1 += *row4(b + j) * z, s2 += *row4(c + j) * z, s3 += *row4(d + j) * z;
      }
      wide_transpose(&s0, &s1, &s2, &s3);
      y -= (s0 + s1) + (s2 + s3);
      plWide c0 = *row4(a + j), c1 = *row4(b + j), c2 = *row4(c + j), c3 = *row4(d + j);
      wide_transpose(&c0, &c1, &c2, &c3);
      y = (((y - c0 * z0) - c1 * z1) - c2 * z2) - c3 * z3;
    }
    z0 = y[0], z1 = y[1] - b[k] * z0, z2 = (y[2] - c[k] * z0) - c[k + 1] * z1;
    z3 = ((y[3] - d[k] * z0) - d[k + 1] * z1) - d[k + 2] * z2;
    *four(x + k) = (plWide){z0, z1, z2, z3};
  }
}

static inline void solve_chain(int n, const double* L, double* x) {
  solve_up(n, L, x);
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

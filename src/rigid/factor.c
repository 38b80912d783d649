// factor.c: A = L' L of one tree, leaves first (Featherstone's LTL): no fill, because a dof is coupled only
// to those on its path to the root. Row k of L is stored as column k of the array (entries 0 .. k), so that a
// chain uses contiguous memory.
//
// A chain, whose rows are full, is eliminated four rows at a time: the rest of the matrix is then read and
// written once for all four.
#include "rigid/tree.h"

#include <string.h>

enum { PANEL = 4 };

// Whether every dof's parent is the one before it; then the ancestors of k are 0 .. k-1.
static bool is_chain(const int* parent, int n, int v0) {
  for (int k = 0; k < n; k++)
    if (parent[k] != (k ? v0 + k - 1 : -1)) return false;
  return true;
}

// y -= a x, n entries
static void subtract(int n, double a, const double* x, double* y) {
  for (int j = 0; j < n; j++) y[j] -= a * x[j];
}

// Rows k0 .. k1-1 of L, each minus the contributions of later rows of the panel. Returns -1, or the row whose
// pivot was not positive.
static int factor_panel(int k0, int k1, int n, double* L) {
  for (int k = k1 - 1; k >= k0; k--) {
    double *row = L + k * n, d = row[k];
    if (!(d > 0)) return k;
    d = sqrt(d);
    double inverse = 1 / d;
    for (int j = 0; j < k; j++) row[j] *= inverse;
    row[k] = d;
    for (int i = k0; i < k; i++) subtract(i + 1, row[i], row, L + i * n);
  }
  return -1;
}

// A_i -= sum over the panel's rows k of L_ki L_k, for all rows i in front of it
static void subtract_panel(int k0, int n, double* L) {
  const double *a = L + k0 * n, *b = a + n, *c = b + n, *d = c + n;
  for (int i = 0; i < k0; i++) {
    double *row = L + i * n, ai = a[i], bi = b[i], ci = c[i], di = d[i];
    for (int j = 0; j <= i; j++) row[j] -= (ai * a[j] + bi * b[j]) + (ci * c[j] + di * d[j]);
  }
}

static int factor_chain(int n, double* L) {
  int k = n, bad = -1;
  for (; k >= PANEL; k -= PANEL) {
    if ((bad = factor_panel(k - PANEL, k, n, L)) >= 0) return bad;
    subtract_panel(k - PANEL, n, L);
  }
  return factor_panel(0, k, n, L);
}

static int factor_tree(const int* parent, int v0, int n, double* L) {
  for (int k = n - 1; k >= 0; k--) {
    double d = L[k * n + k];
    if (!(d > 0)) return k;
    L[k * n + k] = d = sqrt(d);
    for (int j = parent[k]; j >= 0; j = parent[j - v0]) L[k * n + j - v0] /= d;
    for (int i = parent[k]; i >= 0; i = parent[i - v0]) {
      double a = L[k * n + i - v0];
      for (int j = i; j >= 0; j = parent[j - v0]) L[(i - v0) * n + j - v0] -= a * L[k * n + j - v0];
    }
  }
  return -1;
}

int pl_tree_factor(const plTree* tree, int t, const double* A, double* L) {
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  const int* parent = tree->dof_parent + v0;
  for (int k = 0; k < n; k++) memcpy(L + k * n, A + k * n, (size_t)(k + 1) * sizeof(double));
  return is_chain(parent, n, v0) ? factor_chain(n, L) : factor_tree(parent, v0, n, L);
}

static void solve_chain(int n, const double* L, double* x) {
  // L' y = x, leaves first
  for (int k = n - 1; k >= 0; k--) {
    x[k] /= L[k * n + k];
    subtract(k, x[k], L + k * n, x);
  }
  // L z = y, root first
  for (int k = 0; k < n; k++) {
    double sum[2] = {0, 0};
    const double* row = L + k * n;
    for (int j = 0; j + 1 < k; j += 2) sum[0] += row[j] * x[j], sum[1] += row[j + 1] * x[j + 1];
    if (k % 2) sum[0] += row[k - 1] * x[k - 1];
    x[k] = (x[k] - sum[0] - sum[1]) / row[k];
  }
}

static void solve_tree(const int* parent, int v0, int n, const double* L, double* x) {
  for (int k = n - 1; k >= 0; k--) {
    x[k] /= L[k * n + k];
    for (int j = parent[k]; j >= 0; j = parent[j - v0]) x[j - v0] -= L[k * n + j - v0] * x[k];
  }
  for (int k = 0; k < n; k++) {
    for (int j = parent[k]; j >= 0; j = parent[j - v0]) x[k] -= L[k * n + j - v0] * x[j - v0];
    x[k] /= L[k * n + k];
  }
}

void pl_tree_solve(const plTree* tree, int t, const double* L, double* x) {
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  const int* parent = tree->dof_parent + v0;
  if (is_chain(parent, n, v0))
    solve_chain(n, L, x);
  else
    solve_tree(parent, v0, n, L, x);
}

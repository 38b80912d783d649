// factor.c: A = L' L of one tree, leaves first (Featherstone's LTL): no fill, since a dof is coupled only to those on its way to the
// root. Row k of L is kept as column k of the array (entries 0 .. k), so that a chain works on contiguous memory.
#include "rigid/tree.h"

// Is every dof's parent the one before it? Then the ancestors of k are 0 .. k-1.
static bool is_chain(const int* parent, int n, int v0) {
  for (int k = 0; k < n; k++)
    if (parent[k] != (k ? v0 + k - 1 : -1)) return false;
  return true;
}

// A_i -= L_ki L_k over the ancestors i of k and theirs
static void eliminate_chain(int k, int n, double* L) {
  const double* lk = L + k * n;
  for (int i = 0; i < k; i++) {
    double a = lk[i], *li = L + i * n;
    for (int j = 0; j <= i; j++) li[j] -= a * lk[j];
  }
}

static void eliminate_tree(const int* parent, int v0, int k, int n, double* L) {
  for (int i = parent[k]; i >= 0; i = parent[i - v0]) {
    double a = L[k * n + i - v0];
    for (int j = i; j >= 0; j = parent[j - v0]) L[(i - v0) * n + j - v0] -= a * L[k * n + j - v0];
  }
}

int pl_tree_factor(const plTree* tree, int t, const double* A, double* L) {
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  const int* parent = tree->dof_parent + v0;
  bool chain = is_chain(parent, n, v0);
  for (int k = 0; k < n; k++)
    for (int j = 0; j <= k; j++) L[k * n + j] = A[k * n + j];
  for (int k = n - 1; k >= 0; k--) {
    double d = L[k * n + k];
    if (!(d > 0)) return k;
    L[k * n + k] = d = sqrt(d);
    for (int j = parent[k]; j >= 0; j = parent[j - v0]) L[k * n + j - v0] /= d;
    if (chain) eliminate_chain(k, n, L);
    else eliminate_tree(parent, v0, k, n, L);
  }
  return -1;
}

void pl_tree_solve(const plTree* tree, int t, const double* L, double* x) {
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  const int* parent = tree->dof_parent + v0;
  // L' y = x, leaves first
  for (int k = n - 1; k >= 0; k--) {
    x[k] /= L[k * n + k];
    for (int j = parent[k]; j >= 0; j = parent[j - v0]) x[j - v0] -= L[k * n + j - v0] * x[k];
  }
  // L z = y, root first
  for (int k = 0; k < n; k++) {
    for (int j = parent[k]; j >= 0; j = parent[j - v0]) x[k] -= L[k * n + j - v0] * x[j - v0];
    x[k] /= L[k * n + k];
  }
}

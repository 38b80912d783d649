// factor.c: H = L L' over the panels, and solves with it.
//
// Right looking by supernodes: factor the diagonal block, divide the rows below, and subtract their product from the panels
// of the ancestors. Row lists are whole cliques, so that the subtraction is made of a few dense pieces.
#include <math.h>
#include <string.h>

#include "sap/workspace.h"

// A = L L' in the lower triangle; the first column without a positive pivot, or -1
static int potrf(int n, double* A, size_t lda) {
  for (int j = 0; j < n; j++) {
    double* Aj = A + (size_t)j * lda;
    if (!(Aj[j] > 0)) return j;
    double d = sqrt(Aj[j]), inv = 1 / d;
    Aj[j] = d;
    for (int i = j + 1; i < n; i++) Aj[i] *= inv;
    for (int k = j + 1; k < n; k++) {
      double* Ak = A + (size_t)k * lda;
      for (int i = k; i < n; i++) Ak[i] -= Aj[i] * Aj[k];
    }
  }
  return -1;
}

// B = B L^-T, B is m x n
static void trsm(int m, int n, const double* L, size_t ldl, double* B, size_t ldb) {
  for (int j = 0; j < n; j++) {
    double *Bj = B + (size_t)j * ldb, inv = 1 / L[(size_t)j * ldl + (size_t)j];
    for (int i = 0; i < m; i++) Bj[i] *= inv;
    for (int k = j + 1; k < n; k++) {
      double *Bk = B + (size_t)k * ldb, l = L[(size_t)j * ldl + (size_t)k];
      for (int i = 0; i < m; i++) Bk[i] -= Bj[i] * l;
    }
  }
}

// C = A A' in the lower triangle, A is n x k
static void syrk(int n, int k, const double* A, size_t lda, double* C, size_t ldc) {
  for (int j = 0; j < n; j++) {
    double* Cj = C + (size_t)j * ldc;
    for (int i = j; i < n; i++) Cj[i] = 0;
    for (int p = 0; p < k; p++) {
      double a = A[(size_t)p * lda + (size_t)j];
      for (int i = j; i < n; i++) Cj[i] += A[(size_t)p * lda + (size_t)i] * a;
    }
  }
}

// place of position r among the rows of supernode t
static int row_in(const plSapPattern* p, int t, int r, int* cursor) {
  if (r < p->super_pos0[t + 1]) return p->pos_x0[r] - p->pos_x0[p->super_pos0[t]];
  while (p->row_pos[*cursor] < r) (*cursor)++;
  return p->row_offset[*cursor];
}

// panels of ancestors -= update of supernode s
static void scatter(plSapWorkspace* ws, int s, const double* U, size_t ldu) {
  const plSapPattern* p = &ws->pattern;
  int a0 = p->super_row0[s], a1 = p->super_row0[s + 1], cols = p->pos_x0[p->super_pos0[s + 1]] - p->pos_x0[p->super_pos0[s]];
  for (int a = a0; a < a1; a++) {
    int c = p->row_pos[a], t = p->pos_super[c], nc = p->pos_x0[c + 1] - p->pos_x0[c], cursor = p->super_row0[t];
    size_t lda = (size_t)p->super_lda[t], u_col = (size_t)(p->row_offset[a] - cols);
    double* panel = ws->panel + p->super_panel[t] + (size_t)(p->pos_x0[c] - p->pos_x0[p->super_pos0[t]]) * lda;
    for (int b = a; b < a1; b++) {
      int r = p->row_pos[b], nr = p->pos_x0[r + 1] - p->pos_x0[r], row = row_in(p, t, r, &cursor);
      const double* from = U + u_col * ldu + (size_t)(p->row_offset[b] - cols);
      for (int j = 0; j < nc; j++)
        for (int i = a == b ? j : 0; i < nr; i++) panel[(size_t)j * lda + (size_t)(row + i)] -= from[(size_t)j * ldu + (size_t)i];
    }
  }
}

int pl_sap_factor(plSapWorkspace* ws) {
  const plSapPattern* p = &ws->pattern;
  for (int s = 0; s < p->nsuper; s++) {
    int first = p->super_pos0[s], cols = p->pos_x0[p->super_pos0[s + 1]] - p->pos_x0[first], below = p->super_lda[s] - cols;
    size_t lda = (size_t)p->super_lda[s];
    double* L = ws->panel + p->super_panel[s];
    int bad = potrf(cols, L, lda);
    if (bad >= 0) {
      int k = first;
      while (p->pos_x0[k + 1] - p->pos_x0[first] <= bad) k++;
      return p->pos_clique[k];
    }
    if (!below) continue;
    trsm(below, cols, L, lda, L + cols, lda);
    syrk(below, cols, L + cols, lda, ws->update, (size_t)below);
    scatter(ws, s, ws->update, (size_t)below);
  }
  return -1;
}

// y = L^-1 y, y in elimination order
static void forward(const plSapWorkspace* ws, double* y) {
  const plSapPattern* p = &ws->pattern;
  for (int s = 0; s < p->nsuper; s++) {
    int first = p->super_pos0[s], x0 = p->pos_x0[first], cols = p->pos_x0[p->super_pos0[s + 1]] - x0;
    size_t lda = (size_t)p->super_lda[s];
    const double* L = ws->panel + p->super_panel[s];
    double* z = y + x0;
    for (int j = 0; j < cols; j++, L += lda) {
      double zj = z[j] /= L[j];
      for (int i = j + 1; i < cols; i++) z[i] -= L[i] * zj;
      for (int b = p->super_row0[s]; b < p->super_row0[s + 1]; b++) {
        int r = p->row_pos[b], n = p->pos_x0[r + 1] - p->pos_x0[r];
        const double* l = L + p->row_offset[b];
        double* w = y + p->pos_x0[r];
        for (int i = 0; i < n; i++) w[i] -= l[i] * zj;
      }
    }
  }
}

// y = L^-T y
static void backward(const plSapWorkspace* ws, double* y) {
  const plSapPattern* p = &ws->pattern;
  for (int s = p->nsuper - 1; s >= 0; s--) {
    int first = p->super_pos0[s], x0 = p->pos_x0[first], cols = p->pos_x0[p->super_pos0[s + 1]] - x0;
    size_t lda = (size_t)p->super_lda[s];
    const double* panel = ws->panel + p->super_panel[s];
    double* z = y + x0;
    for (int j = cols - 1; j >= 0; j--) {
      const double* L = panel + (size_t)j * lda;
      double sum = z[j];
      for (int i = j + 1; i < cols; i++) sum -= L[i] * z[i];
      for (int b = p->super_row0[s]; b < p->super_row0[s + 1]; b++) {
        int r = p->row_pos[b], n = p->pos_x0[r + 1] - p->pos_x0[r];
        const double *l = L + p->row_offset[b], *w = y + p->pos_x0[r];
        for (int i = 0; i < n; i++) sum -= l[i] * w[i];
      }
      z[j] = sum / L[j];
    }
  }
}

void pl_sap_factor_solve(plSapWorkspace* ws, const double* b, double* x) {
  const plSapPattern* p = &ws->pattern;
  const int* dof0 = ws->lay.clique_dof0;
  double* y = ws->permuted;
  for (int k = 0; k < p->npos; k++)
    memcpy(y + p->pos_x0[k], b + dof0[p->pos_clique[k]], (size_t)(p->pos_x0[k + 1] - p->pos_x0[k]) * sizeof *y);
  forward(ws, y);
  backward(ws, y);
  memset(x, 0, (size_t)ws->lay.nv * sizeof *x);
  for (int k = 0; k < p->npos; k++)
    memcpy(x + dof0[p->pos_clique[k]], y + p->pos_x0[k], (size_t)(p->pos_x0[k + 1] - p->pos_x0[k]) * sizeof *y);
}

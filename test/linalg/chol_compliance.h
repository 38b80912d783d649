// chol_compliance.h: the other way to A_hat, for tests and bench/partition: (A^-1)_pp = W' W with W = L^-1
// E_p, by sparse solves up the tree of fronts. A_hat is its inverse. The library does not use it:
// docs/factorization.md has the times.
//
// W' is kept in panels of 24 rows (8 vertices), a column for each column of L. The vertices are taken in
// elimination order, so that those below a front are neighbours; a panel is zero left of its first vertex,
// and only fronts above one of its vertices touch it.
#ifndef PL_TEST_CHOL_COMPLIANCE_H
#define PL_TEST_CHOL_COMPLIANCE_H

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "linalg/chol.h"
#include "linalg/chol_parts.h"

typedef struct Transfer {
  const plChol* chol;
  int n;  // vertices
  int npanel;
  long width;  // columns of a panel, padded
  double* W;   // W', panel by panel, then a triangle for the result, then scratch for one panel
  double *C, *scratch;
  int* vertex;  // [n] positions in the caller's list, in the order of elimination
} Transfer;

static double* column(const Transfer* t, int panel, int place) {
  return t->W + PL_PANEL * (panel * t->width + (long)t->chol->symbolic.dim * place);
}

// Sorts the caller's vertices by their order of elimination (there are few).
static void sort_by_place(const plSymbolic* s, const int* vertex, int n, int* sorted) {
  for (int i = 0; i < n; i++) {
    int k = i;
    for (; k > 0 && s->place[vertex[sorted[k - 1]]] > s->place[vertex[i]]; k--) sorted[k] = sorted[k - 1];
    sorted[k] = i;
  }
}

// X := X L11^-T, then what it means for the rows below: X(rows below) -= X L21'.
static void panel_through_front(const Transfer* t, const plFront* f, int panel) {
  const plChol* chol = t->chol;
  int w = pl_front_columns(f), n = pl_front_below(f);
  const double* L = chol->factor + f->diagonal;
  double* X = column(t, panel, f->first);
  // the solve works on whole groups of 8 columns: a copy keeps the neighbours safe
  double* own = t->scratch;
  memcpy(own, X, sizeof(double) * PL_PANEL * (size_t)w);
  memset(own + (long)PL_PANEL * w, 0, sizeof(double) * PL_PANEL * (size_t)(pl_pad(w) - w));
  for (int c = 0; c < w; c += PL_PANEL_BLOCK)
    chol->kernels->solve(L, w, own, PL_PANEL, c, w - c < PL_PANEL_BLOCK ? pl_pad(w) : c + PL_PANEL_BLOCK);
  memcpy(X, own, sizeof(double) * PL_PANEL * (size_t)w);
  if (!n) return;
  double* below = own + (long)PL_PANEL * pl_pad(w);
  chol->kernels->gemm(own, PL_PANEL, w, chol->factor + f->below, n, below, 0, 1, true);
  for (int i = 0; i < f->nbelow; i++) {
    double* target = column(t, panel, chol->symbolic.row[f->row0 + i]);
    for (int k = 0; k < f->dim * PL_PANEL; k++) target[k] += below[(long)f->dim * PL_PANEL * i + k];
  }
}

// C -= X X' for the panels first .. last of one front
static void add_products(const Transfer* t, const plFront* f, int first, int last) {
  for (int p = first; p <= last; p++) {
    int m = f->dim * t->n, h = pl_panel_height(m, p);
    for (int c = PL_PANEL * first; c < pl_triangle_columns(m, p); c += PL_PAD) {
      const double* B = column(t, c / PL_PANEL, f->first) + c % PL_PANEL;
      double* C = t->C + pl_triangle_at(p) + (long)c * h;
      t->chol->kernels->tile(h, pl_front_columns(f), column(t, p, f->first), PL_PANEL, B, PL_PANEL, C, h,
                             false);
    }
  }
}

static void climb(const Transfer* t, const int* vertex) {
  const plSymbolic* s = &t->chol->symbolic;
  // low: first position in the order of the front's subtree
  int next = 0;
  for (int f = 0; f < s->nfront; f++) {
    const plFront* front = &s->front[f];
    int low = front->first, first_child = f;
    while (s->front[first_child].nchild) first_child = s->child[s->front[first_child].child0];
    low = s->front[first_child].first;
    while (next < t->n && s->place[vertex[t->vertex[next]]] < front->first + front->ncol) next++;
    int last = next - 1, first = last;
    if (last < 0 || s->place[vertex[t->vertex[last]]] < low) continue;
    while (first > 0 && s->place[vertex[t->vertex[first - 1]]] >= low) first--;
    first = s->dim * first / PL_PANEL, last = s->dim * last / PL_PANEL;
    for (int p = first; p <= last; p++) panel_through_front(t, front, p);
    add_products(t, front, first, last);
  }
}

// With no participating vertices and the whole matrix factored: (A^-1)_pp of n distinct vertices, 3 n x 3 n,
// lower triangle, in the order given, leading dimension ld.
static plStatus chol_compliance(plChol* chol, const int* vertex, int n, double* compliance, int ld) {
  const plSymbolic* s = &chol->symbolic;
  assert(!s->np && n >= 0);
  if (!n) return PL_OK;
  Transfer t = {.chol = chol, .n = n, .npanel = pl_panel_count(s->dim * n), .width = (long)s->dim * s->n};
  size_t W = (size_t)t.npanel * PL_PANEL * (size_t)t.width, C = pl_triangle_size(s->dim * n) + PL_PANEL;
  size_t scratch = PL_PANEL / PL_PAD * chol->local_cap, list = (size_t)n;
  double* memory = NULL;
  size_t cap = 0;
  if (!pl_chol_reserve(&memory, &cap, W + C + scratch + list)) return PL_ERROR_MEMORY;
  t.W = memory, t.C = t.W + W, t.scratch = t.C + C, t.vertex = (int*)(void*)(t.scratch + scratch);
  memset(t.W, 0, (W + C) * sizeof(double));
  sort_by_place(s, vertex, n, t.vertex);
  for (int k = 0; k < n; k++)
    for (int c = 0, d = s->dim; c < d; c++)
      column(&t, d * k / PL_PANEL, s->place[vertex[t.vertex[k]]])[(d * k + c) % PL_PANEL + PL_PANEL * c] = 1;
  climb(&t, vertex);
  // back to the caller's order, lower triangle
  for (int k = 0; k < n; k++)
    for (int l = 0; l <= k; l++)
      for (int b = 0; b < 3; b++)
        for (int a = k == l ? b : 0; a < 3; a++) {
          int i = s->dim * k + a, j = s->dim * l + b, p = i / PL_PANEL;
          bool third = s->dim == 2 && (a == 2 || b == 2);
          double value =
              third ? 0 : -t.C[pl_triangle_at(p) + i % PL_PANEL + (long)j * pl_panel_height(s->dim * n, p)];
          if (third && a == b && k == l) value = 1 / chol->third[vertex[t.vertex[k]]];
          int row = 3 * t.vertex[k] + a, col = 3 * t.vertex[l] + b;
          compliance[(row > col ? row : col) + (long)(row > col ? col : row) * ld] = value;
        }
  pl_free(memory);
  return PL_OK;
}

#endif

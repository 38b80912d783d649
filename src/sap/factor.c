// factor.c: H = L L' by supernodes, and solves with it.
//
// Right looking: factor a supernode's triangle, divide the rows below, and subtract their product from the
// ancestors. All dense work is done by the kernels of linalg/panel.h; row lists consist of whole cliques, so
// the subtraction has few pieces. Supernodes that have not changed (renew.c) keep their factor and only pass
// their update on.
//
// Independent groups of bodies are separate trees of the elimination forest: consecutive supernodes, the last
// of which, the root, has no rows below. If there are many trees, each thread takes whole trees; if there are
// few, the threads share the work of each supernode.
#include <assert.h>
#include <string.h>

#include "linalg/triangle.h"
#include "sap/workspace.h"

enum { PARALLEL_ROWS = 192 };   // threads share a supernode with at least this many rows below
enum { TREES_PER_THREAD = 2 };  // each thread takes whole trees if there are at least this many per thread

static int columns_of(const plSapPattern* p, int s) {
  return p->pos_x0[p->super_pos0[s + 1]] - p->pos_x0[p->super_pos0[s]];
}

typedef struct Super {
  plSapWorkspace* ws;
  double *L, *X;  // triangle and rectangle
  int cols, below;
  int first;       // first panel of rows whose update is wanted
  double* update;  // triangle of order below_max
} Super;

static void divide_rows(void* context, int begin, int end, int worker) {
  Super* s = context;
  (void)worker;
  // in slices of columns, so that the working set of a panel stays in cache
  for (int p = begin; p < end; p++)
    for (int c0 = 0, all = pl_pad(s->cols); c0 < all; c0 += PL_PANEL_BLOCK) {
      int c1 = all - c0 < PL_PANEL_BLOCK ? all : c0 + PL_PANEL_BLOCK;
      s->ws->kernels->solve(s->L, s->cols, s->X + pl_rectangle_at(s->cols, p), pl_panel_height(s->below, p),
                            c0, c1);
    }
}

static void multiply_rows(void* context, int begin, int end, int worker) {
  Super* s = context;
  (void)worker;
  s->ws->kernels->syrk(s->X, s->below, s->cols, s->update, s->first + begin, s->first + end, true);
}

// to += from for nr x nc entries. Both are stored in panels: rows from i_to of (own ? triangle of order n :
// rectangle n x k), and rows from i_from of the update triangle of order m.
typedef struct Place {
  double* base;
  int n, k, row, col;
  bool own;
} Place;

static void add_piece(const Place* to, const double* U, int m, int i_from, int j_from, int nr, int nc,
                      bool diagonal) {
  assert(to->row + nr <= to->n && to->col + nc <= to->k && i_from + nr <= m && j_from + nc <= m);
  for (int i = 0, run; i < nr; i += run) {
    size_t at_to, at_from;
    int h = to->own ? pl_sap_triangle_row(to->n, to->row + i, &at_to)
                    : pl_sap_rectangle_row(to->n, to->k, to->row + i, &at_to);
    int g = pl_sap_triangle_row(m, i_from + i, &at_from), left = PL_PANEL - (i_from + i) % PL_PANEL;
    run = PL_PANEL - (to->row + i) % PL_PANEL;
    if (run > left) run = left;
    if (run > nr - i) run = nr - i;
    double* t = to->base + at_to + (size_t)to->col * (size_t)h;
    const double* f = U + at_from + (size_t)j_from * (size_t)g;
    int last = diagonal && i + run < nc ? i + run : nc;
    for (int j = 0; j < last; j++, t += h, f += g)
      for (int q = diagonal && j > i ? j - i : 0; q < run; q++) t[q] += f[q];
  }
}

// The number of consecutive rows of supernode s from row a on that are contiguous inside one ancestor; they
// are contiguous in every other ancestor too.
static int chunk_end(const plSapPattern* p, int a, int end) {
  int b = a + 1;
  while (b < end && p->row_pos[b] == p->row_pos[b - 1] + 1 &&
         p->pos_super[p->row_pos[b]] == p->pos_super[p->row_pos[a]])
    b++;
  return b;
}

// Adds the update of supernode s (which holds -X X') to its ancestors, from row `from` on.
static void scatter(plSapWorkspace* ws, int s, int from, const double* update) {
  const plSapPattern* p = &ws->pattern;
  int end = p->super_row0[s + 1], m = p->super_below[s];
  for (int a = from, a1; a < end; a = a1) {
    a1 = chunk_end(p, a, end);
    int c = p->row_pos[a], t = p->pos_super[c], nc = p->pos_x0[p->row_pos[a1 - 1] + 1] - p->pos_x0[c],
        cols = columns_of(p, t);
    Place to = {.k = cols, .col = p->pos_x0[c] - p->pos_x0[p->super_pos0[t]]};
    for (int b = a, b1; b < end; b = b1) {
      b1 = chunk_end(p, b, end);
      int r = p->row_pos[b], nr = p->pos_x0[p->row_pos[b1 - 1] + 1] - p->pos_x0[r];
      to.own = r < p->super_pos0[t + 1], to.row = pl_sap_row_in(p, t, r);
      to.n = to.own ? cols : p->super_below[t];
      to.base = ws->panel + (to.own ? p->super_triangle[t] : p->super_rectangle[t]);
      add_piece(&to, update, m, p->row_offset[b], p->row_offset[a], nr, nc, a == b);
    }
  }
}

// L of supernode s and of the rows below it; returns the clique whose pivot failed, or -1.
static int factor_super(plSapWorkspace* ws, int s, Super* super, plPool* pool) {
  const plSapPattern* p = &ws->pattern;
  int bad = pl_triangle_factor(ws->kernels, super->cols, super->L, pool), k = p->super_pos0[s];
  if (bad >= 0) {
    while (k + 1 < p->super_pos0[s + 1] && p->pos_x0[k + 1] - p->pos_x0[p->super_pos0[s]] <= bad) k++;
    return p->pos_clique[k];
  }
  plPool* crew = super->below >= PARALLEL_ROWS ? pool : NULL;
  pl_parallel_for(crew, pl_panel_count(super->below), 1, divide_rows, super);
  return -1;
}

// The first row below supernode s that belongs to a supernode that changed, or the end; all later rows belong
// to changed ones too.
static int first_changed(const plSapWorkspace* ws, int s) {
  const plSapPattern* p = &ws->pattern;
  int b = p->super_row0[s];
  while (b < p->super_row0[s + 1] && !ws->super_changed[p->pos_super[p->row_pos[b]]]) b++;
  return b;
}

// Factors supernodes begin .. end - 1 in order; returns the clique whose pivot failed, or -1.
static int factor_supers(plSapWorkspace* ws, int begin, int end, bool once, double* update, plPool* pool) {
  const plSapPattern* p = &ws->pattern;
  for (int s = begin; s < end; s++) {
    if (p->super_once[s] != once) continue;
    Super super = {.ws = ws,
                   .L = ws->panel + p->super_triangle[s],
                   .X = ws->panel + p->super_rectangle[s],
                   .cols = columns_of(p, s),
                   .below = p->super_below[s],
                   .update = update};
    assert(super.cols <= p->column_max && super.below <= p->below_max);
    bool changed = once || ws->super_changed[s];
    int bad = changed ? factor_super(ws, s, &super, pool) : -1;
    if (bad >= 0) return bad;
    int from = changed ? p->super_row0[s] : first_changed(ws, s);
    if (from == p->super_row0[s + 1]) continue;
    super.first = p->row_offset[from] / PL_PANEL;
    plPool* crew = super.below >= PARALLEL_ROWS ? pool : NULL;
    pl_parallel_for(crew, pl_panel_count(super.below) - super.first, 1, multiply_rows, &super);
    scatter(ws, s, from, update);
  }
  return -1;
}

typedef struct Trees {
  plSapWorkspace* ws;
  bool once;
} Trees;

static void factor_trees(void* context, int begin, int end, int worker) {
  const Trees* trees = context;
  plSapWorkspace* ws = trees->ws;
  const int* first = ws->pattern.tree_super0;
  assert(worker >= 0 && worker < ws->nworker);
  double* update = ws->update + (size_t)worker * pl_triangle_size(ws->pattern.below_max);
  for (int t = begin; t < end; t++)
    ws->tree_bad[t] = factor_supers(ws, first[t], first[t + 1], trees->once, update, NULL);
}

int pl_sap_factor(plSapWorkspace* ws, bool once, plPool* pool) {
  const plSapPattern* p = &ws->pattern;
  pl_sap_low_rank_clear(ws);
  if (p->ntree < TREES_PER_THREAD * pl_pool_size(pool))
    return factor_supers(ws, 0, p->nsuper, once, ws->update, pool);
  Trees trees = {ws, once};
  pl_parallel_work(pool, p->ntree, 1, p->ntree + (once ? p->once_flops : p->flops), factor_trees, &trees);
  for (int t = 0; t < p->ntree; t++)
    if (ws->tree_bad[t] >= 0) return ws->tree_bad[t];
  return -1;
}

// ---- solves: y is in elimination order; local holds one supernode's entries with padding

static void clear(double* x, int from, int to) {
  for (int i = from; i < to; i++) x[i] = 0;
}

static void forward(plSapWorkspace* ws, double* y) {
  const plSapPattern* p = &ws->pattern;
  const plPanelKernels* k = ws->kernels;
  for (int s = 0; s < p->nsuper; s++) {
    int n = columns_of(p, s), below = p->super_below[s], x0 = p->pos_x0[p->super_pos0[s]];
    const double *L = ws->panel + p->super_triangle[s], *X = ws->panel + p->super_rectangle[s];
    assert(n <= p->column_max && below <= p->below_max);
    double *z = ws->local, *sum = ws->local + pl_pad(n);
    memcpy(z, y + x0, (size_t)n * sizeof *z);
    clear(z, n, pl_pad(n));
    // z = L^-1 z
    for (int q = 0; q < pl_panel_count(n); q++) {
      double t[PL_PANEL];
      int h = pl_panel_height(n, q), first = PL_PANEL * q;
      if (q) {
        k->multiply(L + pl_triangle_at(q), h, first, z, t);
        for (int i = 0; i < h; i++) z[first + i] -= t[i];
      }
      k->forward(L, n, q, z + first);
    }
    memcpy(y + x0, z, (size_t)n * sizeof *z);
    // rows below -= X z
    for (int q = 0; q < pl_panel_count(below); q++)
      k->multiply(X + pl_rectangle_at(n, q), pl_panel_height(below, q), n, z, sum + PL_PANEL * q);
    for (int b = p->super_row0[s]; b < p->super_row0[s + 1]; b++) {
      double *w = y + p->pos_x0[p->row_pos[b]], *f = sum + p->row_offset[b];
      int nr = p->pos_x0[p->row_pos[b] + 1] - p->pos_x0[p->row_pos[b]];
      for (int i = 0; i < nr; i++) w[i] -= f[i];
    }
  }
}

static void backward(plSapWorkspace* ws, double* y) {
  const plSapPattern* p = &ws->pattern;
  const plPanelKernels* k = ws->kernels;
  for (int s = p->nsuper - 1; s >= 0; s--) {
    int n = columns_of(p, s), below = p->super_below[s], x0 = p->pos_x0[p->super_pos0[s]],
        panels = pl_panel_count(n);
    const double *L = ws->panel + p->super_triangle[s], *X = ws->panel + p->super_rectangle[s];
    assert(n <= p->column_max && below <= p->below_max);
    double *z = ws->local, *w = ws->local + pl_pad(n);
    memcpy(z, y + x0, (size_t)n * sizeof *z);
    clear(z, n, pl_pad(n));
    // z -= X' (rows below)
    for (int b = p->super_row0[s]; b < p->super_row0[s + 1]; b++) {
      int r = p->row_pos[b], from = p->pos_x0[r], nr = p->pos_x0[r + 1] - from;
      memcpy(w + p->row_offset[b], y + from, (size_t)nr * sizeof *w);
    }
    clear(w, below, pl_pad(below));
    for (int c = 0; below && c < n; c += PL_PAD) k->dot_rectangle(X, below, n, c, w, z + c);
    // z = L^-T z
    for (int q = panels - 1; q >= 0; q--) {
      int first = PL_PANEL * q, end = pl_triangle_columns(n, q);
      for (int c = first; q + 1 < panels && c < end; c += PL_PAD)
        k->dot_triangle(L, n, q + 1, c, z + first + PL_PANEL, z + c);
      k->backward(L, n, q, z + first);
    }
    memcpy(y + x0, z, (size_t)n * sizeof *z);
  }
}

void pl_sap_factor_forward(plSapWorkspace* ws, const double* b, double* y) {
  const plSapPattern* p = &ws->pattern;
  const int* dof0 = ws->lay.clique_dof0;
  assert(p->pos_x0[p->npos] <= ws->lay.nv);
  for (int k = 0; k < p->npos; k++)
    memcpy(y + p->pos_x0[k], b + dof0[p->pos_clique[k]],
           (size_t)(p->pos_x0[k + 1] - p->pos_x0[k]) * sizeof *y);
  forward(ws, y);
}

void pl_sap_factor_backward(plSapWorkspace* ws, double* y, double* x) {
  const plSapPattern* p = &ws->pattern;
  const int* dof0 = ws->lay.clique_dof0;
  if (ws->low.n) pl_sap_low_rank_apply(ws, y);
  backward(ws, y);
  memset(x, 0, (size_t)ws->lay.nv * sizeof *x);
  for (int k = 0; k < p->npos; k++)
    memcpy(x + dof0[p->pos_clique[k]], y + p->pos_x0[k],
           (size_t)(p->pos_x0[k + 1] - p->pos_x0[k]) * sizeof *y);
}

void pl_sap_factor_solve(plSapWorkspace* ws, const double* b, double* x) {
  pl_sap_factor_forward(ws, b, ws->permuted);
  pl_sap_factor_backward(ws, ws->permuted, x);
}

// hessian.c: H = A + J' G J, lower triangle, into the triangles and rectangles of the factor.
//
// Each block of two cliques is summed separately, in the order of the constraints. Terms of contact points,
// which touch few of its entries, are added in place; others are summed in a small dense matrix that stays in
// cache, which is then added. Different threads can therefore compute different blocks without affecting the
// bits. A and the bilateral constraints, whose G is constant, are added once per solve, and supernodes that
// consist only of these are factored at once. After that, only blocks with a G that has changed are computed
// again.
#include <assert.h>
#include <string.h>

#include "base/cpu.h"
#include "sap/workspace.h"

enum { ROWS = 6, STRIP = 48 };  // G J_c is formed for at most ROWS rows and STRIP columns at a time

static int dof_of(const plSapBlock* b, int j) { return b->nvert > 0 ? 3 * b->vert[j / 3] + j % 3 : j; }

// T = G J_c for rows r0 .. r0 + n of block k, for its used columns c0 .. c1
static void scale_rows(const plSapLayout* lay, int k, int nrow, bool full, const double* G, int r0, int n,
                       int c0, int c1, double* T) {
  const int* list = lay->blk_list[k];
  for (int c = c0; c < c1; c++, T += ROWS) {
    const double* J = lay->blk[k].J + (size_t)(list ? list[c] : c) * (size_t)nrow + r0;
    if (full) {
      for (int r = 0; r < 3; r++) T[r] = G[r] * J[0] + G[r + 3] * J[1] + G[r + 6] * J[2];
    } else {
      for (int r = 0; r < n; r++) T[r] = G[r0 + r] * J[r];
    }
  }
}

// column += J_r' t for one column of a block, rows r0 .. r0 + n of the constraint, used columns of block k
// from i0 on
static void add_column(const plSapLayout* lay, int k, int nrow, int r0, int n, const double* t, int i0,
                       double* column) {
  const plSapBlock* b = lay->blk + k;
  const int *list = lay->blk_list[k], used = lay->blk_used[k];
  const double* J = b->J + r0;
  if (n == 3 && !list) {
    for (int v = 0; v < b->nvert; v++, J += 3 * nrow) {
      double* h = column + 3 * b->vert[v];
      h[0] += J[0] * t[0] + J[1] * t[1] + J[2] * t[2];
      h[1] += J[nrow] * t[0] + J[nrow + 1] * t[1] + J[nrow + 2] * t[2];
      h[2] += J[2 * nrow] * t[0] + J[2 * nrow + 1] * t[1] + J[2 * nrow + 2] * t[2];
    }
  } else if (n == 3) {
    for (int i = i0; i < used; i++) {
      const double* Ji = J + (size_t)list[i] * (size_t)nrow;
      column[list[i]] += Ji[0] * t[0] + Ji[1] * t[1] + Ji[2] * t[2];
    }
  } else {
    for (int i = i0; i < used; i++) {
      int j = list ? list[i] : i;
      const double* Ji = J + (size_t)j * (size_t)nrow;
      double sum = 0;
      for (int r = 0; r < n; r++) sum += Ji[r] * t[r];
      column[dof_of(b, j)] += sum;
    }
  }
}

// G (3 x 3, or a diagonal) times a 3 x 3 matrix
static void scale3(bool full, const double* G, const double* J, double* T) {
  for (int j = 0; j < 9; j += 3)
    for (int r = 0; r < 3; r++)
      T[j + r] = full ? G[r] * J[j] + G[r + 3] * J[j + 1] + G[r + 6] * J[j + 2] : G[r] * J[j + r];
}

// Position of the block of an entry in the panels of its supernode.
typedef struct Place {
  double* base;          // of the triangle (own) or rectangle
  int below, cols;       // rows and columns of the rectangle; the triangle has cols of each
  int row, col, nr, nc;  // first row and column of the block, and its size
  bool own, diagonal;
} Place;

static Place place_of(const plSapWorkspace* ws, const plSapEntry* e, double* panels) {
  const plSapPattern* p = &ws->pattern;
  int s = p->pos_super[e->col], first = p->super_pos0[s];
  bool own = e->row < p->super_pos0[s + 1];
  Place place = {.base = panels + (own ? p->super_triangle[s] : p->super_rectangle[s]),
                 .below = p->super_below[s],
                 .cols = p->pos_x0[p->super_pos0[s + 1]] - p->pos_x0[first],
                 .row = pl_sap_row_in(p, s, e->row),
                 .col = p->pos_x0[e->col] - p->pos_x0[first],
                 .nr = p->pos_x0[e->row + 1] - p->pos_x0[e->row],
                 .nc = p->pos_x0[e->col + 1] - p->pos_x0[e->col],
                 .own = own,
                 .diagonal = e->row == e->col};
  assert(place.row + place.nr <= (own ? place.cols : place.below) && place.col + place.nc <= place.cols);
  assert(place.nr <= p->block_max && place.nc <= p->block_max);
  return place;
}

// Row i of the block: returns the distance between columns and sets the start.
static int row_of(const Place* place, int i, double** to) {
  size_t at;
  int h = place->own ? pl_sap_triangle_row(place->cols, place->row + i, &at)
                     : pl_sap_rectangle_row(place->below, place->cols, place->row + i, &at);
  *to = place->base + at + (size_t)place->col * (size_t)h;
  return h;
}

// Adds w_r w_c K to the three rows of vertex v, which lie in one panel, and to the columns of the block bc;
// for a diagonal block only the lower triangle.
static void add_vertex(const Place* place, int v, double w_r, const plSapBlock* bc, const double* w_c,
                       const double K[9]) {
  double* row;
  size_t ld = (size_t)row_of(place, 3 * v, &row);
  for (int b = 0; b < bc->nvert; b++) {
    int below = place->diagonal ? v - bc->vert[b] : 1;
    if (below < 0) continue;
    double w = w_r * w_c[b], *h = row + (size_t)(3 * bc->vert[b]) * ld;
    for (int j = 0; j < 3; j++, h += ld)
      for (int i = below ? 0 : j; i < 3; i++) h[i] += w * K[i + 3 * j];
  }
}

// Adds w_r w_c J_r' G J_c over the vertices of two points; for a diagonal block only the lower triangle.
static void add_points(const plSapWorkspace* ws, const plSapPair* q, const Place* place) {
  const plSapLayout* lay = &ws->lay;
  const plSapBlock *br = lay->blk + q->row, *bc = lay->blk + q->col;
  const double *Jr = lay->blk_base[q->row], *wr = lay->blk_weight[q->row], *wc = lay->blk_weight[q->col];
  double T[9], K[9];
  scale3(pl_sap_is_contact(ws->problem->constraint[q->constraint].law), ws->G + lay->con_G0[q->constraint],
         lay->blk_base[q->col], T);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      K[i + 3 * j] = Jr[3 * i] * T[3 * j] + Jr[3 * i + 1] * T[3 * j + 1] + Jr[3 * i + 2] * T[3 * j + 2];
  for (int a = 0; a < br->nvert; a++) {
    if ((place->row + 3 * br->vert[a]) % PL_PANEL <= PL_PANEL - 3) {
      add_vertex(place, br->vert[a], wr[a], bc, wc, K);
      continue;
    }
    double* row[3];
    size_t ld[3];
    for (int i = 0; i < 3; i++) ld[i] = (size_t)row_of(place, 3 * br->vert[a] + i, &row[i]);
    for (int b = 0; b < bc->nvert; b++) {
      int below = place->diagonal ? br->vert[a] - bc->vert[b] : 1;
      if (below < 0) continue;
      double w = wr[a] * wc[b];
      for (int i = 0; i < 3; i++) {
        double* h = row[i] + (size_t)(3 * bc->vert[b]) * ld[i];
        for (int j = 0; j < (below ? 3 : i + 1); j++) h[(size_t)j * ld[i]] += w * K[i + 3 * j];
      }
    }
  }
}

// B (ld rows) += J_r' G J_c of one pair
static void add_pair(const plSapWorkspace* ws, const plSapPair* q, double* B, int ld) {
  const plSapLayout* lay = &ws->lay;
  const plSapConstraint* con = ws->problem->constraint + q->constraint;
  const double* G = ws->G + lay->con_G0[q->constraint];
  const plSapBlock *br = lay->blk + q->row, *bc = lay->blk + q->col;
  int nrow = con->nrow, used = lay->blk_used[q->col];
  bool full = pl_sap_is_contact(con->law), lower = q->row == q->col && br->nvert == 0;
  double T[ROWS * STRIP];
  const int* list = lay->blk_list[q->col];
  for (int r0 = 0; r0 < nrow; r0 += ROWS) {
    int n = nrow - r0 < ROWS ? nrow - r0 : ROWS;
    for (int c0 = 0; c0 < used; c0 += STRIP) {
      int c1 = c0 + STRIP < used ? c0 + STRIP : used;
      scale_rows(lay, q->col, nrow, full, G, r0, n, c0, c1, T);
      // for a diagonal block with one dense Jacobian only the lower triangle is needed
      for (int c = c0; c < c1; c++)
        add_column(lay, q->row, nrow, r0, n, T + (size_t)(c - c0) * ROWS, lower ? c : 0,
                   B + (size_t)dof_of(bc, list ? list[c] : c) * (size_t)ld);
    }
  }
}

// adds the block B to the panels
static void add_block(const Place* place, const double* B) {
  int nr = place->nr, nc = place->nc;
  for (int i = 0, run; i < nr; i += run) {
    // rows that lie in one panel
    double* to;
    int h = row_of(place, i, &to);
    run = PL_PANEL - (place->row + i) % PL_PANEL;
    if (run > nr - i) run = nr - i;
    int last = place->diagonal && i + run < nc ? i + run : nc;
    const double* from = B + i;
    for (int j = 0; j < last; j++, to += h, from += nr)
      for (int k = place->diagonal && j > i ? j - i : 0; k < run; k++) to[k] += from[k];
  }
}

// adds the block of A that a pair with a negative constraint names; B is scratch
static void add_matrix(const plSapWorkspace* ws, const plSapPair* q, const Place* place, double* B) {
  const plSapCoupling* coupling =
      q->constraint == PL_SAP_A ? NULL : ws->problem->coupling + (PL_SAP_A - 1 - q->constraint);
  const double* A = coupling ? coupling->A : ws->problem->A[q->row];
  int nr = place->nr, nc = place->nc;
  if (coupling && coupling->row != q->row) {
    for (int j = 0; j < nc; j++)
      for (int i = 0; i < nr; i++)
        B[(size_t)i + (size_t)nr * (size_t)j] = A[(size_t)j + (size_t)nc * (size_t)i];
    A = B;
  }
  add_block(place, A);
}

// Adds to the panels: A only, the constant terms of each entry (A included), or the terms that change.
typedef enum Terms { TERMS_A, TERMS_STAY, TERMS_CHANGE } Terms;
typedef struct Loop {
  plSapWorkspace* ws;
  Terms terms;
} Loop;

// Whether a term of the entry has changed.
static bool has_changed(const plSapWorkspace* ws, const plSapEntry* e) {
  for (int q = e->change; q < e->pair1; q++)
    if (ws->con_changed[ws->pattern.pair[q].constraint]) return true;
  return false;
}

// The block of an entry without the terms that change.
static void reset_block(const plSapWorkspace* ws, const plSapEntry* e, const Place* place) {
  Place from = place_of(ws, e, ws->base);
  for (int i = 0, run; i < place->nr; i += run) {
    double *to, *stays;
    int h = row_of(place, i, &to), last = place->nc;
    (void)row_of(&from, i, &stays);
    run = PL_PANEL - (place->row + i) % PL_PANEL;
    if (run > place->nr - i) run = place->nr - i;
    if (place->diagonal && i + run < last) last = i + run;
    for (int j = 0; j < last; j++)
      memcpy(to + (size_t)j * (size_t)h, stays + (size_t)j * (size_t)h, (size_t)run * sizeof *to);
  }
}

static bool is_zero(const plSapWorkspace* ws, int constraint) {
  const int* first = ws->lay.con_G0 + constraint;
  return pl_sap_is_zero(ws->G + first[0], first[1] - first[0]);
}

static void make_blocks(void* context, int begin, int end, int worker) {
  const Loop* loop = context;
  plSapWorkspace* ws = loop->ws;
  const plSapPattern* p = &ws->pattern;
  assert(worker >= 0 && worker < ws->nworker);
  double* B = ws->block + (size_t)worker * (size_t)p->block_max * (size_t)p->block_max;
  for (int k = begin; k < end; k++) {
    const plSapEntry* e = p->entry + k;
    int q0 = loop->terms == TERMS_CHANGE ? e->change : e->pair0,
        q1 = loop->terms == TERMS_CHANGE ? e->pair1 : e->change;
    plSapKept kept = loop->terms == TERMS_CHANGE ? ws->super_kept[p->pos_super[e->col]] : PL_SAP_KEPT_NOT;
    if (q0 == q1 || (loop->terms == TERMS_CHANGE && !ws->entry_changed[k])) continue;
    Place place = place_of(ws, e, kept == PL_SAP_KEPT_NOT ? ws->panel : ws->hessian);
    if (kept == PL_SAP_KEPT) reset_block(ws, e, &place);
    bool filled = false;
    for (int q = q0; q < q1; q++) {
      const plSapPair* pair = p->pair + q;
      if (pair->constraint < 0)
        add_matrix(ws, pair, &place, B);
      else if (loop->terms == TERMS_A || is_zero(ws, pair->constraint))
        continue;
      else if (ws->lay.blk_base[pair->row] && ws->lay.blk_base[pair->col])
        add_points(ws, pair, &place);
      else {
        if (!filled) memset(B, 0, (size_t)place.nr * (size_t)place.nc * sizeof *B);
        filled = true;
        add_pair(ws, pair, B, place.nr);
      }
    }
    if (filled) add_block(&place, B);
  }
}

// The panels of a supernode are contiguous.
static size_t panels_of(const plSapPattern* p, int s, size_t* begin) {
  *begin = p->super_triangle[s];
  return (s + 1 < p->nsuper ? p->super_triangle[s + 1] : p->size) - *begin;
}

static void copy_panels(const plSapPattern* p, int s, const double* from, double* to) {
  size_t begin, n = panels_of(p, s, &begin);
  memcpy(to + begin, from + begin, n * sizeof *to);
}

// ---- the work on each supernode, by any thread

static void clear_some(void* context, int begin, int end, int worker) {
  plSapWorkspace* ws = context;
  (void)worker;
  for (int s = begin; s < end; s++) {
    size_t first, n = panels_of(&ws->pattern, s, &first);
    memset(ws->panel + first, 0, n * sizeof *ws->panel);
  }
}

static void keep_base(void* context, int begin, int end, int worker) {
  plSapWorkspace* ws = context;
  (void)worker;
  for (int s = begin; s < end; s++) {
    ws->super_kept[s] = PL_SAP_KEPT_NOT;
    if (!ws->pattern.super_once[s]) copy_panels(&ws->pattern, s, ws->panel, ws->base);
  }
}

static bool is_made(const plSapWorkspace* ws, int s) {
  return ws->super_changed[s] && !ws->pattern.super_once[s];
}

static void take_base(void* context, int begin, int end, int worker) {
  plSapWorkspace* ws = context;
  (void)worker;
  for (int s = begin; s < end; s++)
    if (is_made(ws, s) && ws->super_kept[s] != PL_SAP_KEPT)
      copy_panels(&ws->pattern, s, ws->base, ws->super_kept[s] == PL_SAP_KEPT_NOW ? ws->hessian : ws->panel);
}

static void take_hessian(void* context, int begin, int end, int worker) {
  plSapWorkspace* ws = context;
  (void)worker;
  for (int s = begin; s < end; s++)
    if (is_made(ws, s) && ws->super_kept[s] != PL_SAP_KEPT_NOT)
      copy_panels(&ws->pattern, s, ws->hessian, ws->panel);
}

// Decides how each changed supernode is computed. If all of its blocks changed, they are computed in its
// panels. If only some did, H is kept beside the panels: it is computed completely the first time, and later
// only in the blocks that change.
static void plan_blocks(plSapWorkspace* ws) {
  const plSapPattern* p = &ws->pattern;
  for (int s = 0, k = 0; s < p->nsuper; s++) {
    int first = k;
    bool some = false;
    for (; k < p->nentry && p->pos_super[p->entry[k].col] == s; k++) {
      ws->entry_changed[k] = has_changed(ws, p->entry + k);
      some |= !ws->entry_changed[k] && p->entry[k].change < p->entry[k].pair1;
    }
    assert(s + 1 < p->nsuper || k == p->nentry);  // entries are in the order of the supernodes
    if (!is_made(ws, s)) continue;
    bool kept = ws->super_kept[s] != PL_SAP_KEPT_NOT;
    ws->super_kept[s] = !some ? PL_SAP_KEPT_NOT : kept ? PL_SAP_KEPT : PL_SAP_KEPT_NOW;
    if (ws->super_kept[s] == PL_SAP_KEPT_NOW)
      for (int i = first; i < k; i++) ws->entry_changed[i] = true;
  }
}

int pl_sap_assemble(plSapWorkspace* ws, plPool* pool) {
  const plSapPattern* p = &ws->pattern;
  Loop loop = {ws, TERMS_STAY};
  bool first = !ws->base_ready;
  if (first) {
    assert(!ws->factored);  // all supernodes are made
    pl_parallel_for(pool, p->nsuper, 4, clear_some, ws);
    pl_parallel_for(pool, p->nentry, 4, make_blocks, &loop);
    int bad = pl_sap_factor(ws, true, pool);
    if (bad >= 0) return bad;
    pl_parallel_for(pool, p->nsuper, 4, keep_base, ws);
    ws->base_ready = true;
  }
  plan_blocks(ws);
  if (!first) pl_parallel_for(pool, p->nsuper, 4, take_base, ws);  // else the panels hold it already
  loop.terms = TERMS_CHANGE;
  pl_parallel_for(pool, p->nentry, 4, make_blocks, &loop);
  pl_parallel_for(pool, p->nsuper, 4, take_hessian, ws);
  return -1;
}

int pl_sap_factor_A(plSapWorkspace* ws, plPool* pool) {
  Loop loop = {ws, TERMS_A};
  ws->factored = false;
  pl_sap_mark_changed(ws);
  memset(ws->panel, 0, ws->pattern.size * sizeof *ws->panel);
  pl_parallel_for(pool, ws->pattern.nentry, 4, make_blocks, &loop);
  int bad = pl_sap_factor(ws, true, pool);
  return bad >= 0 ? bad : pl_sap_factor(ws, false, pool);
}

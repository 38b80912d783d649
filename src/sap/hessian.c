// hessian.c: H = A + J' G J, lower triangle, into the triangles and rectangles of the factor.
//
// Each block of cliques is summed by itself in the order of constraints, in a small dense matrix that stays in cache, and then
// added in its place. So blocks may be made by different threads and the bits do not depend on who does it. A and the bilateral
// constraints, whose G is constant, are added once in a solve; supernodes made of nothing else are factored there and then.
#include <string.h>

#include "base/cpu.h"
#include "sap/workspace.h"

enum { ROWS = 6, STRIP = 48 };  // G J_c is formed for at most ROWS rows and STRIP columns at a time

static int dof_of(const plSapBlock* b, int j) { return b->nvert > 0 ? 3 * b->vert[j / 3] + j % 3 : j; }

// T = G J_c for rows r0 .. r0 + n of block k, its columns c0 .. c1 in use
static void scale_rows(const plSapLayout* lay, int k, int nrow, bool full, const double* G, int r0, int n, int c0, int c1, double* T) {
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

// column += J_r' t for one column of a block, rows r0 .. r0 + n of the constraint, columns of block k in use from i0 on
static void add_column(const plSapLayout* lay, int k, int nrow, int r0, int n, const double* t, int i0, double* column) {
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

static bool all_zero(const double* G, int n) {
  for (int i = 0; i < n; i++)
    if (G[i] != 0) return false;
  return true;
}

// G (3 x 3, or a diagonal) times a 3 x 3 matrix
static void scale3(bool full, const double* G, const double* J, double* T) {
  for (int j = 0; j < 9; j += 3)
    for (int r = 0; r < 3; r++) T[j + r] = full ? G[r] * J[j] + G[r + 3] * J[j + 1] + G[r + 6] * J[j + 2] : G[r] * J[j + r];
}

// B += w_r w_c J_r' G J_c over the vertices of two points; of a diagonal block only pairs on or below the diagonal
static void add_points(const plSapBlock* br, const double* Jr, const double* wr, const plSapBlock* bc, const double* Jc,
                       const double* wc, bool full, const double* G, bool same, double* B, int ld) {
  double T[9], K[9];
  scale3(full, G, Jc, T);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) K[i + 3 * j] = Jr[3 * i] * T[3 * j] + Jr[3 * i + 1] * T[3 * j + 1] + Jr[3 * i + 2] * T[3 * j + 2];
  for (int b = 0; b < bc->nvert; b++)
    for (int a = 0; a < br->nvert; a++) {
      if (same && br->vert[a] < bc->vert[b]) continue;
      double w = wr[a] * wc[b], *h = B + 3 * br->vert[a] + (size_t)(3 * bc->vert[b]) * (size_t)ld;
      for (int j = 0; j < 3; j++, h += ld) h[0] += w * K[3 * j], h[1] += w * K[3 * j + 1], h[2] += w * K[3 * j + 2];
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
  if (all_zero(G, lay->con_G0[q->constraint + 1] - lay->con_G0[q->constraint])) return;
  if (lay->blk_base[q->row] && lay->blk_base[q->col]) {
    add_points(br, lay->blk_base[q->row], lay->blk_weight[q->row], bc, lay->blk_base[q->col], lay->blk_weight[q->col],
               full, G, br->clique == bc->clique, B, ld);
    return;
  }
  const int* list = lay->blk_list[q->col];
  for (int r0 = 0; r0 < nrow; r0 += ROWS) {
    int n = nrow - r0 < ROWS ? nrow - r0 : ROWS;
    for (int c0 = 0; c0 < used; c0 += STRIP) {
      int c1 = c0 + STRIP < used ? c0 + STRIP : used;
      scale_rows(lay, q->col, nrow, full, G, r0, n, c0, c1, T);
      // of a diagonal block given by one dense Jacobian only the lower triangle is needed
      for (int c = c0; c < c1; c++)
        add_column(lay, q->row, nrow, r0, n, T + (size_t)(c - c0) * ROWS, lower ? c : 0,
                   B + (size_t)dof_of(bc, list ? list[c] : c) * (size_t)ld);
    }
  }
}

// adds the nr x nc block B where positions row and col of supernode s meet
static void add_block(const plSapWorkspace* ws, const plSapEntry* e, const double* B, int nr, int nc) {
  const plSapPattern* p = &ws->pattern;
  int s = p->pos_super[e->col], first = p->super_pos0[s], cols = p->pos_x0[p->super_pos0[s + 1]] - p->pos_x0[first];
  int i0 = pl_sap_row_in(p, s, e->row), j0 = p->pos_x0[e->col] - p->pos_x0[first], below = p->super_below[s];
  bool own = e->row < p->super_pos0[s + 1], diagonal = e->row == e->col;
  double* base = ws->panel + (own ? p->super_triangle[s] : p->super_rectangle[s]);
  for (int i = 0, run; i < nr; i += run) {
    // rows that lie in one panel
    size_t at;
    int h = own ? pl_sap_triangle_row(cols, i0 + i, &at) : pl_sap_rectangle_row(below, cols, i0 + i, &at);
    run = PL_PANEL - (i0 + i) % PL_PANEL;
    if (run > nr - i) run = nr - i;
    double* to = base + at + (size_t)j0 * (size_t)h;
    int last = diagonal && i + run < nc ? i + run : nc;
    const double* from = B + i;
    for (int j = 0; j < last; j++, to += h, from += nr)
      for (int k = diagonal && j > i ? j - i : 0; k < run; k++) to[k] += from[k];
  }
}

// B += the block of A that a pair with a negative constraint names
static void add_matrix(const plSapWorkspace* ws, const plSapPair* q, double* B, int nr, int nc) {
  const plSapCoupling* coupling = q->constraint == PL_SAP_A ? NULL : ws->problem->coupling + (PL_SAP_A - 1 - q->constraint);
  const double* A = coupling ? coupling->A : ws->problem->A[q->row];
  bool turned = coupling && coupling->row != q->row;
  for (int j = 0; j < nc; j++, B += nr)
    for (int i = coupling ? 0 : j; i < nr; i++) B[i] += turned ? A[j + nc * i] : A[i + nr * j];
}

// panels += A, or the terms of each entry that stay (A and more), or those that change
typedef enum Terms { TERMS_A, TERMS_STAY, TERMS_CHANGE } Terms;
typedef struct Loop { plSapWorkspace* ws; Terms terms; } Loop;

static void make_blocks(void* context, int begin, int end, int worker) {
  const Loop* loop = context;
  plSapWorkspace* ws = loop->ws;
  const plSapPattern* p = &ws->pattern;
  double* B = ws->block + (size_t)worker * (size_t)p->block_max * (size_t)p->block_max;
  for (int k = begin; k < end; k++) {
    const plSapEntry* e = p->entry + k;
    int q0 = loop->terms == TERMS_CHANGE ? e->change : e->pair0, q1 = loop->terms == TERMS_CHANGE ? e->pair1 : e->change;
    if (q0 == q1) continue;
    int nr = p->pos_x0[e->row + 1] - p->pos_x0[e->row], nc = p->pos_x0[e->col + 1] - p->pos_x0[e->col];
    memset(B, 0, (size_t)nr * (size_t)nc * sizeof *B);
    for (int q = q0; q < q1; q++) {
      if (p->pair[q].constraint < 0) add_matrix(ws, p->pair + q, B, nr, nc);
      else if (loop->terms != TERMS_A) add_pair(ws, p->pair + q, B, nr);
    }
    add_block(ws, e, B, nr, nc);
  }
}

// The panels of supernode s lie together.
static void copy_panels(const plSapPattern* p, int s, const double* from, double* to) {
  size_t begin = p->super_triangle[s], end = s + 1 < p->nsuper ? p->super_triangle[s + 1] : p->size;
  memcpy(to + begin, from + begin, (end - begin) * sizeof *to);
}

int pl_sap_assemble(plSapWorkspace* ws, plPool* pool) {
  const plSapPattern* p = &ws->pattern;
  Loop loop = {ws, TERMS_STAY};
  if (!ws->base_ready) {
    memset(ws->panel, 0, p->size * sizeof *ws->panel);
    pl_parallel_for(pool, p->nentry, 4, make_blocks, &loop);
    int bad = pl_sap_factor(ws, true, pool);
    if (bad >= 0) return bad;
    for (int s = 0; s < p->nsuper; s++)
      if (!p->super_once[s]) copy_panels(p, s, ws->panel, ws->base);
    ws->base_ready = true;
  } else {
    for (int s = 0; s < p->nsuper; s++)
      if (!p->super_once[s]) copy_panels(p, s, ws->base, ws->panel);
  }
  loop.terms = TERMS_CHANGE;
  pl_parallel_for(pool, p->nentry, 4, make_blocks, &loop);
  return -1;
}

int pl_sap_factor_A(plSapWorkspace* ws, plPool* pool) {
  Loop loop = {ws, TERMS_A};
  memset(ws->panel, 0, ws->pattern.size * sizeof *ws->panel);
  pl_parallel_for(pool, ws->pattern.nentry, 4, make_blocks, &loop);
  int bad = pl_sap_factor(ws, true, pool);
  return bad >= 0 ? bad : pl_sap_factor(ws, false, pool);
}

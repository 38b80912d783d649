// hessian.c: H = A + J' G J, lower triangle, into the panels of the factor.
//
// Each column position gathers its own products in the order of constraints, so that columns may be filled by different
// threads and the sums do not depend on who does it.
#include <string.h>

#include "sap/workspace.h"

enum { ROWS = 6, STRIP = 96 };  // G J_c is formed for at most ROWS rows and STRIP columns at a time

static int dof_of(const plSapBlock* b, int j) { return b->nvert > 0 ? 3 * b->vert[j / 3] + j % 3 : j; }

// H(rows of r, columns of c) += J_r' T for columns j0 .. j1 of c, T = G J_c (n x STRIP), rows r0 .. r0 + n of the constraint
static void add_product(const plSapWorkspace* ws, const plSapPair* q, int nrow, int r0, int n, int j0, int j1, const double* T,
                        bool diagonal) {
  const plSapBlock *br = ws->lay.blk + q->row_blk, *bc = ws->lay.blk + q->col_blk;
  int mr = ws->lay.blk_ncol[q->row_blk];
  double* H = ws->panel + q->target;
  for (int j = j0; j < j1; j++) {
    double* column = H + (size_t)dof_of(bc, j) * (size_t)q->lda;
    const double *t = T + (size_t)(j - j0) * ROWS, *J = br->J + r0;
    // of a diagonal block given by one dense Jacobian only the lower triangle is needed
    int i0 = diagonal && br->nvert == 0 ? j : 0;
    J += (size_t)i0 * (size_t)nrow;
    if (n == 3 && br->nvert > 0) {
      for (int v = 0; v < br->nvert; v++, J += 3 * nrow) {
        double* h = column + 3 * br->vert[v];
        h[0] += J[0] * t[0] + J[1] * t[1] + J[2] * t[2];
        h[1] += J[nrow] * t[0] + J[nrow + 1] * t[1] + J[nrow + 2] * t[2];
        h[2] += J[2 * nrow] * t[0] + J[2 * nrow + 1] * t[1] + J[2 * nrow + 2] * t[2];
      }
    } else if (n == 3) {
      for (int i = i0; i < mr; i++, J += nrow) column[i] += J[0] * t[0] + J[1] * t[1] + J[2] * t[2];
    } else {
      for (int i = i0; i < mr; i++, J += nrow) {
        double sum = 0;
        for (int r = 0; r < n; r++) sum += J[r] * t[r];
        column[dof_of(br, i)] += sum;
      }
    }
  }
}

// T = G J_c for rows r0 .. r0 + n, columns j0 .. j1
static void scale_rows(const plSapBlock* b, int nrow, bool full, const double* G, int r0, int n, int j0, int j1, double* T) {
  for (int j = j0; j < j1; j++) {
    const double* J = b->J + (size_t)j * (size_t)nrow + r0;
    double* t = T + (size_t)(j - j0) * ROWS;
    if (full) {
      for (int r = 0; r < 3; r++) t[r] = G[r] * J[0] + G[r + 3] * J[1] + G[r + 6] * J[2];
    } else {
      for (int r = 0; r < n; r++) t[r] = G[r0 + r] * J[r];
    }
  }
}

static bool all_zero(const double* G, int n) {
  for (int i = 0; i < n; i++)
    if (G[i] != 0) return false;
  return true;
}

// all products of one column position
static void fill_column(plSapWorkspace* ws, int pos) {
  const plSapPattern* p = &ws->pattern;
  const plSapLayout* lay = &ws->lay;
  double T[ROWS * STRIP];
  for (int k = p->pos_pair0[pos], next; k < p->pos_pair0[pos + 1]; k = next) {
    // pairs of one constraint and one column block share G J_c: they follow each other with the row block varying slowest,
    // so collect those of the constraint and walk its column blocks
    int i = p->pair[k].constraint;
    for (next = k; next < p->pos_pair0[pos + 1] && p->pair[next].constraint == i;) next++;
    const plSapConstraint* con = ws->problem->constraint + i;
    const double* G = ws->G + lay->con_G0[i];
    if (all_zero(G, lay->con_G0[i + 1] - lay->con_G0[i])) continue;
    bool full = pl_sap_is_contact(con->law);
    int nrow = con->nrow, done = -1;
    for (int a = k; a < next; a++) {
      int c = p->pair[a].col_blk, m = lay->blk_ncol[c];
      if (c <= done) continue;
      done = c;
      for (int r0 = 0; r0 < nrow; r0 += ROWS) {
        int n = nrow - r0 < ROWS ? nrow - r0 : ROWS;
        for (int j0 = 0; j0 < m; j0 += STRIP) {
          int j1 = j0 + STRIP < m ? j0 + STRIP : m;
          scale_rows(lay->blk + c, nrow, full, G, r0, n, j0, j1, T);
          for (int b = k; b < next; b++)
            if (p->pair[b].col_blk == c)
              add_product(ws, p->pair + b, nrow, r0, n, j0, j1, T, p->pair[b].row_blk == c);
        }
      }
    }
  }
}

static void fill_range(void* context, int begin, int end, int worker) {
  plSapWorkspace* ws = context;
  const plSapPattern* p = &ws->pattern;
  (void)worker;
  for (int k = begin; k < end; k++) {
    int s = p->pos_super[k], c = p->pos_clique[k], nv = ws->problem->clique_nv[c];
    size_t lda = (size_t)p->super_lda[s], col = (size_t)(p->pos_x0[k] - p->pos_x0[p->super_pos0[s]]);
    double* H = ws->panel + p->super_panel[s] + col * lda;
    // zero the columns of this clique, copy A into its diagonal block, add the products
    memset(H, 0, (size_t)nv * lda * sizeof *H);
    for (int j = 0; j < nv; j++)
      memcpy(H + (size_t)j * lda + col + (size_t)j, ws->problem->A[c] + (size_t)j * (size_t)nv + (size_t)j,
             (size_t)(nv - j) * sizeof *H);
    fill_column(ws, k);
  }
}

void pl_sap_assemble(plSapWorkspace* ws, plPool* pool) { pl_parallel_for(pool, ws->pattern.npos, 4, fill_range, ws); }

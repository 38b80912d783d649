// low_rank.c: solves with H = A + J' G J by the factor of an earlier H0 = A + J' G0 J if few constraints have
// changed since.
//
// After its first step Newton's method changes the state of a few points only, while every point of a body
// acts on its one dense block. With C the rows of the constraints that changed, D = G - G0 and H0 = L L',
//     H^-1 b = L^-T (z - W s),   z = L^-1 b,   W = L^-1 J_C',   (1 + D M) s = D W' z,   M = W' W
// (Sherman, Morrison and Woodbury). W costs a solve per row and stays as long as the factor does; then a new
// G costs a dense system of the size of C (low_system.c).
//
// The rows of W' are kept in strips of 8, laid out like the rows below a supernode: the kernels of the
// factorization compute them.
//
// G, G_panel, factor -> low; factor.c applies it in solves
#include <assert.h>
#include <string.h>

#include "sap/workspace.h"

enum { STRIP = PL_SAP_STRIP, MOST = PL_SAP_LOW };
// Operations of the factorization that take as long as assembling one number of a panel; an estimate.
static const double ASSEMBLY = 32;
// Estimated number of uses of a row of W: points that change in one step usually change again in the next.
static const double USES = 2;

static int columns_of(const plSapPattern* p, int s) {
  return p->pos_x0[p->super_pos0[s + 1]] - p->pos_x0[p->super_pos0[s]];
}

// Operations of assembling and factoring a supernode
static double renewal(const plSapPattern* p, int s) {
  double c = columns_of(p, s), b = p->super_below[s];
  return c * (c * c / 3 + c * b + b * b) + ASSEMBLY * c * (c / 2 + b);
}

bool pl_sap_low_rank_allocate(plSapWorkspace* ws, plArena* arena) {
  const plSapPattern* p = &ws->pattern;
  plSapLowRank* low = &ws->low;
  // its lists are written before they are read
  low->lu = pl_lu_kernels(pl_isa());
  low->columns = 0, low->renew = low->exact = 0, low->tangent.n = low->law.n = 0, low->warm = false;
  for (int s = 0; s < p->nsuper; s++) {
    low->columns += pl_pad(columns_of(p, s));
    low->renew += p->super_once[s] ? 0 : renewal(p, s);
  }
  low->super_at = PL_ARENA_NEW(arena, int, p->nsuper);
  low->first = PL_ARENA_NEW(arena, int, ws->lay.nconstraint);
  low->W = PL_ARENA_NEW(arena, double, (size_t)MOST*(size_t)low->columns);
  low->M = PL_ARENA_NEW(arena, double, MOST* MOST);
  low->M_changed = PL_ARENA_NEW(arena, double, MOST* MOST);
  low->tangent.S = PL_ARENA_NEW(arena, double, MOST* MOST);
  low->law.S = PL_ARENA_NEW(arena, double, MOST* MOST);
  low->G = PL_ARENA_NEW(arena, double, ws->lay.nG);
  low->before = PL_ARENA_NEW(arena, double, ws->lay.nG);
  low->below = PL_ARENA_NEW(arena, double, (size_t)STRIP*(size_t)pl_pad(p->below_max));
  if (arena->failed) return false;
  for (int s = 0, at = 0; s < p->nsuper; at += pl_pad(columns_of(p, s++))) low->super_at[s] = at;
  pl_sap_low_rank_clear(ws);
  return true;
}

void pl_sap_low_rank_clear(plSapWorkspace* ws) {
  ws->low.nstrip = ws->low.n = 0, ws->low.solved = false;
  for (int i = 0; i < ws->lay.nconstraint; i++) ws->low.first[i] = -1;
}

static double* part_of(const plSapLowRank* low, int strip, int s) {
  return low->W + (size_t)STRIP * ((size_t)strip * (size_t)low->columns + (size_t)low->super_at[s]);
}

// ---- W

// Row r of a constraint as row `at` of W', before the solve.
static void put_row(plSapWorkspace* ws, int i, int r, int at) {
  const plSapLayout* lay = &ws->lay;
  const plSapPattern* p = &ws->pattern;
  int nrow = lay->con_row0[i + 1] - lay->con_row0[i];
  for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1]; k++) {
    const plSapBlock* b = lay->blk + k;
    int pos = p->clique_pos[b->clique];
    assert(pos >= 0);
    int s = p->pos_super[pos], x0 = p->pos_x0[pos] - p->pos_x0[p->super_pos0[s]];
    int m = b->nvert > 0 ? 3 * b->nvert : p->pos_x0[pos + 1] - p->pos_x0[pos];
    double* to = part_of(&ws->low, at / STRIP, s) + at % STRIP;
    for (int j = 0; j < m; j++) {
      int dof = b->nvert > 0 ? 3 * b->vert[j / 3] + j % 3 : j;
      to[STRIP * (x0 + dof)] += b->J[(size_t)j * (size_t)nrow + (size_t)r];
    }
  }
}

// W' of a strip: its rows, as rows below every supernode, are divided by the factor.
static void solve_strip(plSapWorkspace* ws, int strip) {
  const plSapPattern* p = &ws->pattern;
  plSapLowRank* low = &ws->low;
  for (int s = low->begin[strip]; s < p->nsuper; s++) {
    if (!ws->super_changed[s]) continue;  // zero
    int cols = columns_of(p, s), below = p->super_below[s];
    double* X = part_of(low, strip, s);
    for (int c0 = 0, all = pl_pad(cols); c0 < all; c0 += PL_PANEL_BLOCK)
      ws->kernels->solve(ws->panel + p->super_triangle[s], cols, X, STRIP, c0,
                         all - c0 < PL_PANEL_BLOCK ? all : c0 + PL_PANEL_BLOCK);
    if (!below) continue;
    ws->kernels->gemm(X, STRIP, cols, ws->panel + p->super_rectangle[s], below, low->below, 0, 1, true);
    for (int b = p->super_row0[s]; b < p->super_row0[s + 1]; b++) {
      int r = p->row_pos[b], t = p->pos_super[r], n = STRIP * (p->pos_x0[r + 1] - p->pos_x0[r]);
      double* to = part_of(low, strip, t) + STRIP * (p->pos_x0[r] - p->pos_x0[p->super_pos0[t]]);
      const double* from = low->below + STRIP * p->row_offset[b];
      for (int j = 0; j < n; j++) to[j] += from[j];
    }
  }
}

// Rows and columns of M for the strips from `from` on; it holds -W' W.
static void multiply_strips(plSapWorkspace* ws, int from) {
  plSapLowRank* low = &ws->low;
  for (int a = from; a < low->nstrip; a++)
    for (int b = 0; b <= a; b++) {
      double* at = low->M + STRIP * (a + MOST * b);
      int s = low->begin[a] > low->begin[b] ? low->begin[a] : low->begin[b];
      ws->kernels->tile(STRIP, low->columns - low->super_at[s], part_of(low, a, s), STRIP, part_of(low, b, s),
                        STRIP, at, MOST, true);
      for (int i = 0; i < STRIP; i++)
        for (int j = 0; j < STRIP; j++) low->M[STRIP * b + j + MOST * (STRIP * a + i)] = at[i + MOST * j];
    }
}

// ---- which constraints

static int rows_of(const plSapLayout* lay, int i) { return lay->con_row0[i + 1] - lay->con_row0[i]; }

static bool acts(const plSapWorkspace* ws, int i) { return ws->con_changed[i] && !ws->lay.con_idle[i]; }

static int strips_of(int rows) { return (rows + STRIP - 1) / STRIP; }

// The rows of changed constraints; *fresh: those among them that W does not have yet
static int count_rows(const plSapWorkspace* ws, int* fresh) {
  int n = 0;
  *fresh = 0;
  for (int i = 0; i < ws->lay.nconstraint; i++) {
    if (!acts(ws, i)) continue;
    n += rows_of(&ws->lay, i);
    if (ws->low.first[i] < 0) *fresh += rows_of(&ws->lay, i);
  }
  return n;
}

bool pl_sap_low_rank_pays(const plSapWorkspace* ws) {
  const plSapPattern* p = &ws->pattern;
  double solve = 0, renew = 0;
  for (int s = 0; s < p->nsuper; s++) {
    double c = columns_of(p, s), b = p->super_below[s], size = c * (c / 2 + b);
    if (!ws->super_changed[s]) continue;
    solve += 2 * size, renew += renewal(p, s);
  }
  int fresh, n = count_rows(ws, &fresh);
  double columns = ws->low.columns, rows = n;
  return STRIP * strips_of(fresh) * (solve + 2 * rows * columns) / USES + rows * rows * rows +
             4 * rows * columns <
         renew;
}

// Adds strips for changed constraints whose rows are in no strip yet.
static void add_strips(plSapWorkspace* ws, int fresh) {
  plSapLowRank* low = &ws->low;
  const plSapLayout* lay = &ws->lay;
  int from = low->nstrip, at = STRIP * from, begin = 0;
  while (!ws->super_changed[begin]) begin++;
  low->nstrip += strips_of(fresh);
  for (int k = from; k < low->nstrip; k++) {
    low->begin[k] = begin;
    memset(part_of(low, k, begin), 0,
           (size_t)STRIP * (size_t)(low->columns - low->super_at[begin]) * sizeof *low->W);
  }
  for (int i = 0; i < lay->nconstraint; i++) {
    if (!acts(ws, i) || low->first[i] >= 0) continue;
    low->first[i] = at;
    for (int r = 0; r < rows_of(lay, i); r++) put_row(ws, i, r, at++);
  }
  for (int k = from; k < low->nstrip; k++) solve_strip(ws, k);
  multiply_strips(ws, from);
}

// ---- the change of G

bool pl_sap_low_rank(plSapWorkspace* ws) {
  const plSapLayout* lay = &ws->lay;
  plSapLowRank* low = &ws->low;
  int fresh, n = count_rows(ws, &fresh);
  if (low->nstrip + strips_of(fresh) > PL_SAP_STRIPS) return false;
  for (int k = STRIP * low->nstrip; k < STRIP * (low->nstrip + strips_of(fresh)); k++) low->s[k] = 0;
  if (fresh) add_strips(ws, fresh);
  low->n = 0;
  for (int i = 0; i < lay->nconstraint; i++)
    for (int r = 0; acts(ws, i) && r < rows_of(lay, i); r++)
      low->con[low->n] = i, low->row[low->n++] = low->first[i] + r;
  assert(low->n == n && n <= MOST);
  for (int a = 0, ld = pl_lu_stride(n); a < n; a++) {
    double *to = low->M_changed + a * ld, *from = low->M + MOST * low->row[a];
    for (int b = 0; b < n; b++) to[b] = -from[low->row[b]];
    for (int b = n; b < ld; b++) to[b] = 0;
  }
  memcpy(ws->G_factored, ws->G, (size_t)lay->nG * sizeof *ws->G);
  return pl_sap_low_system(ws, ws->G_factored, &low->tangent);
}

// s of the right-hand side u = W' z of all strips; z -= W s follows
static void solve_system(plSapWorkspace* ws, const double* u, double* s) {
  plSapLowRank* low = &ws->low;
  double own[MOST] = {0}, b[MOST], x[MOST];
  for (int k = 0; k < low->n; k++) own[k] = u[low->row[k]], x[k] = s[low->row[k]];
  if (!low->warm) {
    pl_sap_low_times_D(ws, &low->tangent, own, b);
    pl_sap_low_divide(ws, &low->tangent, b, x);
  }
  low->solved = low->exact > 0 && pl_sap_follow_laws(ws, own, x);
  memset(s, 0, (size_t)(STRIP * low->nstrip) * sizeof *s);
  for (int k = 0; k < low->n; k++) s[low->row[k]] = x[k];
}

void pl_sap_low_rank_apply(plSapWorkspace* ws, double* y) {
  const plSapPattern* p = &ws->pattern;
  plSapLowRank* low = &ws->low;
  double u[MOST] = {0}, part[PL_PANEL];
  for (int k = 0; k < low->nstrip; k++)
    for (int s = low->begin[k]; s < p->nsuper; s++) {
      ws->kernels->multiply(part_of(low, k, s), STRIP, columns_of(p, s), y + p->pos_x0[p->super_pos0[s]],
                            part);
      for (int i = 0; i < STRIP; i++) u[STRIP * k + i] += part[i];
    }
  solve_system(ws, u, low->s);
  for (int s = 0; s < p->nsuper; s++) {
    int n = columns_of(p, s);
    double *z = ws->local, *x = y + p->pos_x0[p->super_pos0[s]];
    memcpy(z, x, (size_t)n * sizeof *z);
    for (int j = n; j < pl_pad(n); j++) z[j] = 0;
    for (int k = 0; k < low->nstrip; k++)
      for (int c = 0; c < n && s >= low->begin[k]; c += PL_PAD)
        ws->kernels->dot_rectangle(part_of(low, k, s), STRIP, n, c, low->s + STRIP * k, z + c);
    memcpy(x, z, (size_t)n * sizeof *z);
  }
}

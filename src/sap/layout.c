// layout.c: checks a problem, copies it into flat arrays, and multiplies by J, J' and A.
//
// problem -> ws->lay
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "linalg/symv.h"
#include "sap/six.h"
#include "sap/workspace.h"

static bool all_finite(const double* a, size_t n) {
  // The sum of 0 times each entry is NaN if and only if one of them is not finite. Four independent sums
  // hide the latency of the additions.
  double bad[4] = {0};
  for (size_t i = 0; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) bad[k] += 0 * a[i + (size_t)k];
  for (size_t i = n & ~(size_t)3; i < n; i++) bad[0] += 0 * a[i];
  return bad[0] + bad[1] + bad[2] + bad[3] == 0;
}

static plStatus check_clique(const plSapProblem* p, int c, plSapReport* report, plError* error) {
  size_t nv = (size_t)p->clique_nv[c];
  report->worst_clique = c;
  for (size_t j = 0; j < nv; j++) {
    const double* column = p->A[c] + j * nv;
    if (!all_finite(column + j, nv - j))
      return pl_fail(error, PL_ERROR_NOT_FINITE, "clique %d: column %d of A holds NaN or infinity", c,
                     (int)j);
    if (!(column[j] > 0) && !p->scale)
      return pl_fail(error, PL_ERROR_INDEFINITE,
                     "clique %d: diagonal entry %d of A is %g; A must be positive definite", c, (int)j,
                     column[j]);
  }
  report->worst_clique = -1;
  return PL_OK;
}

static plStatus check_block(const plSapProblem* p, int i, const plSapBlock* b, plError* error) {
  if (b->clique < 0 || b->clique >= p->nclique)
    return pl_fail(error, PL_ERROR_INPUT, "constraint %d: clique %d does not exist, there are %d", i,
                   b->clique, p->nclique);
  int nv = p->clique_nv[b->clique];
  if (b->nvert < 0)
    return pl_fail(error, PL_ERROR_INPUT, "constraint %d: a block has %d vertices", i, b->nvert);
  for (int j = 0; j < b->nvert; j++)
    if (b->vert[j] < 0 || b->vert[j] >= nv / 3)
      return pl_fail(error, PL_ERROR_INPUT,
                     "constraint %d: vertex %d is not in clique %d, which has %d degrees of freedom", i,
                     b->vert[j], b->clique, nv);
  return PL_OK;
}

static plStatus check_constraint(const plSapProblem* p, int i, plSapReport* report, plError* error) {
  const plSapConstraint* c = p->constraint + i;
  report->worst_constraint = i;
  const char* fault = pl_sap_law_fault(c);
  if (fault) return pl_fail(error, PL_ERROR_INPUT, "constraint %d: %s", i, fault);
  if (c->nblock < 0 || (c->nblock && !c->block))
    return pl_fail(error, PL_ERROR_INPUT, "constraint %d: its blocks are missing", i);
  if (c->bias && !all_finite(c->bias, (size_t)c->nrow))
    return pl_fail(error, PL_ERROR_NOT_FINITE, "constraint %d: its bias holds NaN or infinity", i);
  for (int k = 0; k < c->nblock; k++) {
    const plSapBlock* b = c->block + k;
    plStatus status = check_block(p, i, b, error);
    if (status) return status;
  }
  report->worst_constraint = -1;
  return PL_OK;
}

plStatus pl_sap_check_J(const plSapWorkspace* ws, const double* Jv, plSapReport* report, plError* error) {
  const plSapLayout* lay = &ws->lay;
  if (all_finite(Jv, (size_t)lay->nrow)) return PL_OK;
  for (int i = 0; i < lay->nconstraint; i++)
    for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1]; k++) {
      size_t n = (size_t)lay->blk_ncol[k] * (size_t)(lay->con_row0[i + 1] - lay->con_row0[i]);
      if (!n || all_finite(lay->blk[k].J, n)) continue;
      report->worst_constraint = i;
      return pl_fail(error, PL_ERROR_NOT_FINITE,
                     "constraint %d: its Jacobian for clique %d holds NaN or infinity", i,
                     lay->blk[k].clique);
    }
  return PL_OK;
}

static plStatus check_coupling(const plSapProblem* p, int k, plError* error) {
  const plSapCoupling* c = p->coupling + k;
  if (c->row < 0 || c->row >= p->nclique || c->col < 0 || c->col >= p->nclique || c->row == c->col)
    return pl_fail(error, PL_ERROR_INPUT, "coupling %d: cliques %d and %d are not two of the %d there are", k,
                   c->row, c->col, p->nclique);
  return PL_OK;
}

static plStatus count(const plSapProblem* p, plSapLayout* lay, plSapReport* report, plError* error) {
  long nv = 0, nrow = 0, nblock = 0;
  if (p->nclique < 0 || p->nconstraint < 0 || p->ncoupling < 0)
    return pl_fail(error, PL_ERROR_INPUT, "the problem has a negative size");
  for (int c = 0; c < p->nclique; c++) {
    if (p->clique_nv[c] < 0)
      return pl_fail(error, PL_ERROR_INPUT, "clique %d has %d degrees of freedom", c, p->clique_nv[c]);
    nv += p->clique_nv[c];
  }
  for (int i = 0; i < p->nconstraint; i++) {
    plStatus status = check_constraint(p, i, report, error);
    if (status) return status;
    nrow += p->constraint[i].nrow;
    nblock += p->constraint[i].nblock;
  }
  for (int k = 0; k < p->ncoupling; k++) {
    plStatus status = check_coupling(p, k, error);
    if (status) return status;
  }
  if (nv > 1 << 28 || nrow > 1 << 27 || nblock > 1 << 28)
    return pl_fail(error, PL_ERROR_TOO_LARGE,
                   "%ld degrees of freedom and %ld rows are too many for this solver", nv, nrow);
  *lay = (plSapLayout){.nclique = p->nclique,
                       .nconstraint = p->nconstraint,
                       .nblock = (int)nblock,
                       .nv = (int)nv,
                       .nrow = (int)nrow};
  return PL_OK;
}

// Whether every 3 x 3 matrix of the block is a multiple of the largest one. If so, base and weights represent
// the block.
static bool find_weights(const plSapBlock* b, const double** base, double* weight) {
  double most = 0;
  for (int v = 0; v < b->nvert; v++) {
    double norm2 = 0;
    for (int i = 0; i < 9; i++) norm2 += b->J[9 * v + i] * b->J[9 * v + i];
    if (norm2 > most) most = norm2, *base = b->J + 9 * v;
  }
  if (!(most > 0)) return false;
  for (int v = 0; v < b->nvert; v++) {
    const double* J = b->J + 9 * v;
    double dot = 0, scale = sqrt(most);
    for (int i = 0; i < 9; i++) dot += J[i] * (*base)[i];
    weight[v] = dot / most;
    for (int i = 0; i < 9; i++)
      if (fabs(J[i] - weight[v] * (*base)[i]) > 4 * DBL_EPSILON * scale) return false;
  }
  return true;
}

static plStatus find_points(plSapLayout* lay, plArena* arena, plError* error) {
  size_t nvert = 0;
  for (int k = 0; k < lay->nblock; k++) nvert += (size_t)lay->blk[k].nvert;
  lay->blk_base = PL_ARENA_NEW(arena, const double*, lay->nblock);
  lay->blk_weight = PL_ARENA_NEW(arena, double*, lay->nblock);
  double *weight = PL_ARENA_NEW(arena, double, nvert), *end = weight + nvert;
  if (arena->failed) return pl_fail_out_of_memory(error, nvert * sizeof *weight);
  for (int k = 0; k < lay->nblock; k++) lay->blk_base[k] = NULL, lay->blk_weight[k] = weight;
  for (int i = 0; i < lay->nconstraint && nvert; i++)
    for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1]; k++) {
      const plSapBlock* b = lay->blk + k;
      bool three = lay->con_row0[i + 1] - lay->con_row0[i] == 3;
      assert(b->nvert <= end - weight);
      lay->blk_weight[k] = weight;
      if (!three || b->nvert == 0 || !find_weights(b, &lay->blk_base[k], weight)) lay->blk_base[k] = NULL;
      weight += b->nvert;
    }
  return PL_OK;
}

// The number of nonzero columns of n rows, and their indices.
static int list_columns(const double* J, int n, int ncol, int* list) {
  int used = 0;
  for (int j = 0; j < ncol && n == 1; j++) list[used] = j, used += J[j] != 0;
  for (int j = 0; j < ncol && n != 1; j++, J += n)
    if (!pl_sap_is_zero(J, n)) list[used++] = j;
  return used;
}

// Whether none of the columns of three rows is zero, as those of single bodies, whose columns go two at a
// time.
static bool is_full(const double* J, int ncol) {
  if (ncol == 6) return pl_six_is_full(J);
  bool full = true;
  for (int j = 0; j < ncol; j++, J += 3) full &= (J[0] != 0) | (J[1] != 0) | (J[2] != 0);
  return full;
}

// The nonzero columns of dense blocks: a contact moves the joints between it and the root, a motor only its
// own joint. Constraints of 3 rows without zero columns have full blocks.
static plStatus find_columns(plSapLayout* lay, plArena* arena, plError* error) {
  size_t ncol = 0;
  int widest = 0;
  for (int k = 0; k < lay->nblock; k++) {
    if (lay->blk[k].nvert > 0) continue;
    ncol += (size_t)lay->blk_ncol[k], widest = lay->blk_ncol[k] > widest ? lay->blk_ncol[k] : widest;
  }
  lay->blk_used = PL_ARENA_NEW(arena, int, lay->nblock);
  lay->blk_list = PL_ARENA_NEW(arena, const int*, lay->nblock);
  lay->full = PL_ARENA_NEW(arena, plSapFull, lay->nblock);
  lay->con_full = PL_ARENA_NEW(arena, bool, lay->nconstraint);
  int *list = PL_ARENA_NEW(arena, int, ncol), *end = list + ncol, *all = PL_ARENA_NEW(arena, int, widest);
  if (arena->failed) return pl_fail_out_of_memory(error, ncol * sizeof *list);
  for (int j = 0; j < widest; j++) all[j] = j;
  for (int i = 0; i < lay->nconstraint; i++) {
    int n = lay->con_row0[i + 1] - lay->con_row0[i];
    bool full = n == 3;
    for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1]; k++) {
      const plSapBlock* b = lay->blk + k;
      int columns = lay->blk_ncol[k];
      lay->blk_used[k] = columns;
      lay->blk_list[k] = b->nvert > 0 ? NULL : all;
      if (b->nvert > 0) {
        full = false;
        continue;
      }
      lay->full[k] = (plSapFull){b->J, columns, lay->clique_dof0[b->clique]};
      if (n == 3 && is_full(b->J, columns)) continue;
      assert(columns <= end - list);
      lay->blk_list[k] = list;
      lay->blk_used[k] = list_columns(b->J, n, columns, list);
      full &= lay->blk_used[k] == columns;
      list += lay->blk_used[k];
    }
    lay->con_full[i] = full;
  }
  return PL_OK;
}

// The couplings of each clique; fails if two cliques are coupled twice.
static plStatus list_couplings(plSapLayout* lay, const plSapProblem* problem, plArena* arena,
                               plError* error) {
  int* first = lay->coupling0 = PL_ARENA_NEW(arena, int, lay->nclique + 2);
  int* list = lay->coupling = PL_ARENA_NEW(arena, int, 2 * problem->ncoupling);
  int* joined = PL_ARENA_NEW(arena, int, lay->nclique);
  if (arena->failed) return pl_fail_out_of_memory(error, (size_t)problem->ncoupling * sizeof *list);
  memset(first, 0, ((size_t)lay->nclique + 2) * sizeof *first);
  for (int k = 0; k < problem->ncoupling; k++)
    first[problem->coupling[k].row + 2]++, first[problem->coupling[k].col + 2]++;
  for (int c = 0; c < lay->nclique; c++) first[c + 2] += first[c + 1], joined[c] = -1;
  for (int k = 0; k < problem->ncoupling; k++)
    list[first[problem->coupling[k].row + 1]++] = list[first[problem->coupling[k].col + 1]++] = k;
  assert(first[lay->nclique] == 2 * problem->ncoupling);
  for (int c = 0; c < lay->nclique; c++)
    for (int q = first[c]; q < first[c + 1]; q++) {
      const plSapCoupling* e = problem->coupling + list[q];
      int other = e->row == c ? e->col : e->row;
      if (joined[other] == c)
        return pl_fail(error, PL_ERROR_INPUT, "two couplings join cliques %d and %d", c, other);
      joined[other] = c;
    }
  return PL_OK;
}

plStatus pl_sap_layout(plSapWorkspace* ws, const plSapProblem* problem, plSapReport* report, plError* error) {
  plSapLayout* lay = &ws->lay;
  ws->problem = problem;
  plStatus status = count(problem, lay, report, error);
  if (status) return status;
  plArena* arena = &ws->scratch;
  lay->clique_dof0 = PL_ARENA_NEW(arena, int, lay->nclique + 1);
  lay->con_row0 = PL_ARENA_NEW(arena, int, lay->nconstraint + 1);
  lay->con_blk0 = PL_ARENA_NEW(arena, int, lay->nconstraint + 1);
  lay->con_G0 = PL_ARENA_NEW(arena, int, lay->nconstraint + 1);
  lay->con_idle = PL_ARENA_NEW(arena, bool, lay->nconstraint);
  lay->blk = PL_ARENA_NEW(arena, plSapBlock, lay->nblock);
  lay->blk_ncol = PL_ARENA_NEW(arena, int, lay->nblock);
  if (arena->failed) return pl_fail_out_of_memory(error, (size_t)lay->nblock * sizeof *lay->blk);

  lay->clique_dof0[0] = lay->con_row0[0] = lay->con_blk0[0] = lay->con_G0[0] = 0;
  for (int c = 0; c < lay->nclique; c++)
    lay->clique_dof0[c + 1] = lay->clique_dof0[c] + problem->clique_nv[c];
  for (int i = 0, k = 0; i < lay->nconstraint; i++) {
    const plSapConstraint* con = problem->constraint + i;
    for (int b = 0; b < con->nblock; b++, k++) {
      assert(k < lay->nblock);
      lay->blk[k] = con->block[b];
      lay->blk_ncol[k] =
          con->block[b].nvert > 0 ? 3 * con->block[b].nvert : problem->clique_nv[con->block[b].clique];
    }
    lay->con_blk0[i + 1] = k;
    lay->con_row0[i + 1] = lay->con_row0[i] + con->nrow;
    lay->con_G0[i + 1] = lay->con_G0[i] + pl_sap_G_size(con);
    lay->con_idle[i] =
        con->likely_open && (con->law == PL_SAP_CONE || (con->law == PL_SAP_UNILATERAL && con->nrow == 1));
  }
  lay->nG = lay->con_G0[lay->nconstraint];
  assert(lay->con_blk0[lay->nconstraint] == lay->nblock && lay->con_row0[lay->nconstraint] == lay->nrow &&
         lay->clique_dof0[lay->nclique] == lay->nv);

  status = list_couplings(lay, problem, arena, error);
  if (!status) status = find_points(lay, arena, error);
  if (!status) status = find_columns(lay, arena, error);
  if (status) return status;
  for (int i = 0; i < lay->nv && problem->scale; i++)
    if (!(problem->scale[i] > 0))
      return pl_fail(error, PL_ERROR_INPUT, "scale %d is %g; it must be positive", i, problem->scale[i]);
  if (lay->nv && problem->impulse && !all_finite(problem->impulse, (size_t)lay->nv))
    return pl_fail(error, PL_ERROR_NOT_FINITE, "the known impulses hold NaN or infinity");
  if (lay->nv && !all_finite(problem->v_star, (size_t)lay->nv)) {
    for (int c = 0; c < lay->nclique; c++)
      if (!all_finite(problem->v_star + lay->clique_dof0[c], (size_t)problem->clique_nv[c]))
        report->worst_clique = c;
    return pl_fail(error, PL_ERROR_NOT_FINITE, "clique %d: v_star holds NaN or infinity",
                   report->worst_clique);
  }
  return PL_OK;
}

// Whether a diagonal entry is not positive.
static bool is_unsound(const plSapProblem* p, int c) {
  size_t n = (size_t)p->clique_nv[c];
  const double* A = p->A[c];
  bool positive = true;
  if (p->scale) return false;
  for (size_t j = 0; j < n; j++) positive &= A[j * n + j] > 0;
  return !positive;
}

typedef struct CliqueCheck {
  const plSapWorkspace* ws;
  atomic_bool bad;
} CliqueCheck;

static void check_some(void* context, int begin, int end, int worker) {
  CliqueCheck* check = context;
  (void)worker;
  for (int k = begin; k < end; k++)
    if (is_unsound(check->ws->problem, check->ws->pattern.pos_clique[k])) atomic_store(&check->bad, true);
}

plStatus pl_sap_check_cliques(const plSapWorkspace* ws, plSapReport* report, plError* error) {
  CliqueCheck check = {.ws = ws};
  pl_parallel_for(ws->pool, ws->pattern.npos, 4, check_some, &check);
  plStatus status = PL_OK;
  for (int k = 0; atomic_load(&check.bad) && k < ws->pattern.npos && !status; k++)
    status = check_clique(ws->problem, ws->pattern.pos_clique[k], report, error);
  return status;
}

plStatus pl_sap_check_A(const plSapWorkspace* ws, const double* Av, plSapReport* report, plError* error) {
  const plSapProblem* p = ws->problem;
  const plSapPattern* pattern = &ws->pattern;
  plStatus status = PL_OK;
  if (Av && all_finite(Av, (size_t)ws->lay.nv)) return PL_OK;
  for (int k = 0; k < pattern->npos && !status; k++)
    status = check_clique(p, pattern->pos_clique[k], report, error);
  for (int k = 0; k < pattern->ncoupling && !status; k++) {
    const plSapCoupling* c = p->coupling + k;
    if (pattern->clique_pos[c->row] < 0) continue;
    if (!all_finite(c->A, (size_t)p->clique_nv[c->row] * (size_t)p->clique_nv[c->col]))
      status = pl_fail(error, PL_ERROR_NOT_FINITE, "coupling %d: its block of A holds NaN or infinity", k);
  }
  return status;
}

// u += J x for block k of n rows
static void block_mul(const plSapLayout* lay, int k, int n, const double* x, double* u) {
  const plSapBlock* b = lay->blk + k;
  const int* list = lay->blk_list[k];
  for (int c = 0; c < lay->blk_used[k]; c++) {
    int j = list ? list[c] : c;
    const double *J = b->J + (size_t)j * (size_t)n, xj = list ? x[j] : x[3 * b->vert[j / 3] + j % 3];
    for (int r = 0; r < n; r++) u[r] += J[r] * xj;
  }
}

// the same for 3 rows
static void block_mul3(const plSapLayout* lay, int k, const double* x, double* u) {
  const plSapBlock* b = lay->blk + k;
  const double *J = b->J, *base = lay->blk_base[k], *weight = lay->blk_weight[k];
  const int* list = lay->blk_list[k];
  double y[3] = {0};
  if (base) {
    for (int v = 0; v < b->nvert; v++)
      for (int i = 0; i < 3; i++) y[i] += weight[v] * x[3 * b->vert[v] + i];
    for (int i = 0; i < 3; i++) u[i] += base[i] * y[0] + base[i + 3] * y[1] + base[i + 6] * y[2];
    return;
  }
  if (list) {
    for (int c = 0; c < lay->blk_used[k]; c++)
      for (int i = 0; i < 3; i++) y[i] += J[3 * list[c] + i] * x[list[c]];
  } else {
    for (int v = 0; v < b->nvert; v++, J += 9) {
      const double* z = x + 3 * b->vert[v];
      for (int i = 0; i < 3; i++) y[i] += J[i] * z[0] + J[i + 3] * z[1] + J[i + 6] * z[2];
    }
  }
  for (int i = 0; i < 3; i++) u[i] += y[i];
}

// u = J v for a constraint of full blocks: the sums stay in registers.
static void full_mul(const plSapFull* b, const plSapFull* end, const double* v, double* u) {
  double u0 = 0, u1 = 0, u2 = 0;
  for (; b < end; b++) {
    const double *J = b->J, *x = v + b->at;
    double y[3] = {0};
    if (b->n == 6)
      pl_six_mul(J, x, y);
    else
      for (const double* last = x + b->n; x < last; x++, J += 3)
        y[0] += J[0] * *x, y[1] += J[1] * *x, y[2] += J[2] * *x;
    u0 += y[0], u1 += y[1], u2 += y[2];
  }
  u[0] = u0, u[1] = u1, u[2] = u2;
}

// f += J' g likewise
static void full_mul_t(const plSapFull* b, const plSapFull* end, const double* g, double* f) {
  double g0 = g[0], g1 = g[1], g2 = g[2];
  for (; b < end; b++) {
    const double* J = b->J;
    double* y = f + b->at;
    if (b->n == 6) {
      pl_six_mul_t(J, g, y);
      continue;
    }
    for (const double* last = y + b->n; y < last; y++, J += 3) *y += J[0] * g0 + J[1] * g1 + J[2] * g2;
  }
}

typedef struct Product {
  const plSapWorkspace* ws;
  const double* x;
  double* y;
} Product;

static void mul_some_J(void* context, int begin, int end, int worker) {
  const Product* product = context;
  const plSapLayout* lay = &product->ws->lay;
  const double* v = product->x;
  (void)worker;
  for (int i = begin; i < end; i++) {
    int n = lay->con_row0[i + 1] - lay->con_row0[i];
    double* u = product->y + lay->con_row0[i];
    if (lay->con_full[i]) {
      full_mul(lay->full + lay->con_blk0[i], lay->full + lay->con_blk0[i + 1], v, u);
      continue;
    }
    u[0] = 0;
    if (n == 3) u[1] = u[2] = 0;
    for (int r = 1; r < n && n != 3; r++) u[r] = 0;
    for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1]; k++) {
      const double* x = v + lay->clique_dof0[lay->blk[k].clique];
      if (n == 3)
        block_mul3(lay, k, x, u);
      else
        block_mul(lay, k, n, x, u);
    }
  }
}

void pl_sap_mul_J(const plSapWorkspace* ws, const double* v, double* vc) {
  Product product = {ws, v, vc};
  pl_parallel_for(ws->pool, ws->lay.nconstraint, 256, mul_some_J, &product);
}

// y += J' g for block k of n rows
static void block_mul_t(const plSapLayout* lay, int k, int n, const double* g, double* y) {
  const plSapBlock* b = lay->blk + k;
  const int* list = lay->blk_list[k];
  for (int c = 0; c < lay->blk_used[k]; c++) {
    int j = list ? list[c] : c;
    const double* J = b->J + (size_t)j * (size_t)n;
    double sum = 0;
    for (int r = 0; r < n; r++) sum += J[r] * g[r];
    y[list ? j : 3 * b->vert[j / 3] + j % 3] += sum;
  }
}

// the same for 3 rows
static void block_mul_t3(const plSapLayout* lay, int k, const double* g, double* y) {
  const plSapBlock* b = lay->blk + k;
  const double *J = b->J, *base = lay->blk_base[k], *weight = lay->blk_weight[k];
  const int* list = lay->blk_list[k];
  if (base) {
    double f[3];
    for (int i = 0; i < 3; i++) f[i] = base[3 * i] * g[0] + base[3 * i + 1] * g[1] + base[3 * i + 2] * g[2];
    for (int v = 0; v < b->nvert; v++)
      for (int i = 0; i < 3; i++) y[3 * b->vert[v] + i] += weight[v] * f[i];
  } else if (list) {
    for (int c = 0; c < lay->blk_used[k]; c++) {
      const double* Jc = J + 3 * list[c];
      y[list[c]] += Jc[0] * g[0] + Jc[1] * g[1] + Jc[2] * g[2];
    }
  } else {
    for (int v = 0; v < b->nvert; v++, J += 9)
      for (int i = 0; i < 3; i++)
        y[3 * b->vert[v] + i] += J[3 * i] * g[0] + J[3 * i + 1] * g[1] + J[3 * i + 2] * g[2];
  }
}

void pl_sap_mul_Jt(const plSapWorkspace* ws, const double* gamma, double* f) {
  const plSapLayout* lay = &ws->lay;
  memset(f, 0, (size_t)lay->nv * sizeof *f);
  for (int i = 0; i < lay->nconstraint; i++) {
    int n = lay->con_row0[i + 1] - lay->con_row0[i];
    const double* g = gamma + lay->con_row0[i];
    if (n == 3 && pl_sap_is_open(g)) continue;
    if (lay->con_full[i]) {
      full_mul_t(lay->full + lay->con_blk0[i], lay->full + lay->con_blk0[i + 1], g, f);
      continue;
    }
    for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1]; k++) {
      double* y = f + lay->clique_dof0[lay->blk[k].clique];
      if (n == 3)
        block_mul_t3(lay, k, g, y);
      else
        block_mul_t(lay, k, n, g, y);
    }
  }
}

static void mul_some_A(void* context, int begin, int end, int worker) {
  const Product* product = context;
  const plSapWorkspace* ws = product->ws;
  (void)worker;
  for (int k = begin; k < end; k++) {
    int c = ws->pattern.pos_clique[k], at = ws->lay.clique_dof0[c];
    assert(ws->problem->clique_nv[c] == ws->lay.clique_dof0[c + 1] - at);
    pl_symv(ws->problem->clique_nv[c], ws->problem->A[c], product->x + at, product->y + at);
  }
}

void pl_sap_mul_A(const plSapWorkspace* ws, const double* v, double* p) {
  const plSapPattern* pat = &ws->pattern;
  const int *dof0 = ws->lay.clique_dof0, *nv = ws->problem->clique_nv;
  Product product = {ws, v, p};
  memset(p, 0, (size_t)ws->lay.nv * sizeof *p);
  pl_parallel_for(ws->pool, pat->npos, 4, mul_some_A, &product);
  for (int k = 0; k < pat->ncoupling; k++) {
    const plSapCoupling* c = ws->problem->coupling + k;
    if (pat->clique_pos[c->row] < 0) continue;
    assert(nv[c->row] == dof0[c->row + 1] - dof0[c->row] && nv[c->col] == dof0[c->col + 1] - dof0[c->col]);
    pl_symv_block(nv[c->row], nv[c->col], c->A, v + dof0[c->row], v + dof0[c->col], p + dof0[c->row],
                  p + dof0[c->col]);
  }
}

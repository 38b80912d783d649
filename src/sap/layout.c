// layout.c: checks a problem, lays it out flat, and multiplies by J, J' and A.
//
// problem -> ws->lay
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "sap/workspace.h"

static bool all_finite(const double* a, size_t n) {
  // a sum of zeros times each entry is NaN iff one of them is not finite
  double bad = 0;
  for (size_t i = 0; i < n; i++) bad += 0 * a[i];
  return bad == 0;
}

static plStatus check_clique(const plSapProblem* p, int c, plSapReport* report, plError* error) {
  size_t nv = (size_t)p->clique_nv[c];
  report->worst_clique = c;
  for (size_t j = 0; j < nv; j++) {
    const double* column = p->A[c] + j * nv;
    if (!all_finite(column + j, nv - j))
      return pl_fail(error, PL_ERROR_NOT_FINITE, "clique %d: column %d of A holds NaN or infinity", c, (int)j);
    if (!(column[j] > 0))
      return pl_fail(error, PL_ERROR_INDEFINITE, "clique %d: diagonal entry %d of A is %g; A must be positive definite", c,
                     (int)j, column[j]);
  }
  report->worst_clique = -1;
  return PL_OK;
}

static plStatus check_block(const plSapProblem* p, int i, const plSapBlock* b, plError* error) {
  if (b->clique < 0 || b->clique >= p->nclique)
    return pl_fail(error, PL_ERROR_INPUT, "constraint %d: clique %d does not exist, there are %d", i, b->clique, p->nclique);
  int nv = p->clique_nv[b->clique];
  if (b->nvert < 0) return pl_fail(error, PL_ERROR_INPUT, "constraint %d: a block has %d vertices", i, b->nvert);
  for (int j = 0; j < b->nvert; j++)
    if (b->vert[j] < 0 || b->vert[j] >= nv / 3)
      return pl_fail(error, PL_ERROR_INPUT, "constraint %d: vertex %d is not in clique %d, which has %d degrees of freedom", i,
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
    int m = b->nvert > 0 ? 3 * b->nvert : p->clique_nv[b->clique];
    if (m && !all_finite(b->J, (size_t)m * (size_t)c->nrow))
      return pl_fail(error, PL_ERROR_NOT_FINITE, "constraint %d: its Jacobian for clique %d holds NaN or infinity", i, b->clique);
  }
  report->worst_constraint = -1;
  return PL_OK;
}

static plStatus count(const plSapProblem* p, plSapLayout* lay, plSapReport* report, plError* error) {
  long nv = 0, nrow = 0, nblock = 0;
  if (p->nclique < 0 || p->nconstraint < 0) return pl_fail(error, PL_ERROR_INPUT, "the problem has a negative size");
  for (int c = 0; c < p->nclique; c++) {
    if (p->clique_nv[c] < 0) return pl_fail(error, PL_ERROR_INPUT, "clique %d has %d degrees of freedom", c, p->clique_nv[c]);
    nv += p->clique_nv[c];
  }
  for (int i = 0; i < p->nconstraint; i++) {
    plStatus status = check_constraint(p, i, report, error);
    if (status) return status;
    nrow += p->constraint[i].nrow;
    nblock += p->constraint[i].nblock;
  }
  if (nv > 1 << 28 || nrow > 1 << 27 || nblock > 1 << 28)
    return pl_fail(error, PL_ERROR_TOO_LARGE, "%ld degrees of freedom and %ld rows are too many for this solver", nv, nrow);
  *lay = (plSapLayout){
      .nclique = p->nclique, .nconstraint = p->nconstraint, .nblock = (int)nblock, .nv = (int)nv, .nrow = (int)nrow};
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
  lay->blk = PL_ARENA_NEW(arena, plSapBlock, lay->nblock);
  lay->blk_ncol = PL_ARENA_NEW(arena, int, lay->nblock);
  if (arena->failed) return pl_fail_out_of_memory(error, (size_t)lay->nblock * sizeof *lay->blk);

  lay->clique_dof0[0] = lay->con_row0[0] = lay->con_blk0[0] = lay->con_G0[0] = 0;
  for (int c = 0; c < lay->nclique; c++) lay->clique_dof0[c + 1] = lay->clique_dof0[c] + problem->clique_nv[c];
  for (int i = 0, k = 0; i < lay->nconstraint; i++) {
    const plSapConstraint* con = problem->constraint + i;
    for (int b = 0; b < con->nblock; b++, k++) {
      lay->blk[k] = con->block[b];
      lay->blk_ncol[k] = con->block[b].nvert > 0 ? 3 * con->block[b].nvert : problem->clique_nv[con->block[b].clique];
    }
    lay->con_blk0[i + 1] = k;
    lay->con_row0[i + 1] = lay->con_row0[i] + con->nrow;
    lay->con_G0[i + 1] = lay->con_G0[i] + pl_sap_G_size(con);
  }
  lay->nG = lay->con_G0[lay->nconstraint];

  if (lay->nv && !all_finite(problem->v_star, (size_t)lay->nv)) {
    for (int c = 0; c < lay->nclique; c++)
      if (!all_finite(problem->v_star + lay->clique_dof0[c], (size_t)problem->clique_nv[c])) report->worst_clique = c;
    return pl_fail(error, PL_ERROR_NOT_FINITE, "clique %d: v_star holds NaN or infinity", report->worst_clique);
  }
  return PL_OK;
}

plStatus pl_sap_check_cliques(const plSapWorkspace* ws, plSapReport* report, plError* error) {
  for (int k = 0; k < ws->pattern.npos; k++) {
    plStatus status = check_clique(ws->problem, ws->pattern.pos_clique[k], report, error);
    if (status) return status;
  }
  return PL_OK;
}

void pl_sap_mul_J(const plSapWorkspace* ws, const double* v, double* vc) {
  const plSapLayout* lay = &ws->lay;
  for (int i = 0; i < lay->nconstraint; i++) {
    int n = lay->con_row0[i + 1] - lay->con_row0[i];
    double* u = vc + lay->con_row0[i];
    for (int r = 0; r < n; r++) u[r] = 0;
    for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1]; k++) {
      const plSapBlock* b = lay->blk + k;
      const double *x = v + lay->clique_dof0[b->clique], *J = b->J;
      for (int j = 0; j < lay->blk_ncol[k]; j++, J += n) {
        double xj = b->nvert > 0 ? x[3 * b->vert[j / 3] + j % 3] : x[j];
        for (int r = 0; r < n; r++) u[r] += J[r] * xj;
      }
    }
  }
}

void pl_sap_mul_Jt(const plSapWorkspace* ws, const double* gamma, double* f) {
  const plSapLayout* lay = &ws->lay;
  memset(f, 0, (size_t)lay->nv * sizeof *f);
  for (int i = 0; i < lay->nconstraint; i++) {
    int n = lay->con_row0[i + 1] - lay->con_row0[i];
    const double* g = gamma + lay->con_row0[i];
    for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1]; k++) {
      const plSapBlock* b = lay->blk + k;
      double* y = f + lay->clique_dof0[b->clique];
      const double* J = b->J;
      for (int j = 0; j < lay->blk_ncol[k]; j++, J += n) {
        double sum = 0;
        for (int r = 0; r < n; r++) sum += J[r] * g[r];
        y[b->nvert > 0 ? 3 * b->vert[j / 3] + j % 3 : j] += sum;
      }
    }
  }
}

void pl_sap_mul_A(const plSapWorkspace* ws, const double* v, double* p) {
  const plSapLayout* lay = &ws->lay;
  const plSapPattern* pat = &ws->pattern;
  memset(p, 0, (size_t)lay->nv * sizeof *p);
  for (int k = 0; k < pat->npos; k++) {
    int c = pat->pos_clique[k], nv = ws->problem->clique_nv[c];
    const double *x = v + lay->clique_dof0[c], *a = ws->problem->A[c];
    double* y = p + lay->clique_dof0[c];
    // lower triangle, by columns
    for (int j = 0; j < nv; j++, a += nv) {
      double xj = x[j], sum = a[j] * xj;
      for (int i = j + 1; i < nv; i++) {
        y[i] += a[i] * xj;
        sum += a[i] * x[i];
      }
      y[j] += sum;
    }
  }
}

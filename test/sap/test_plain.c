// test_plain.c: what the solver computes in a quick way equals its plain version, in random problems: the
// verdict of the stopping test, the blocks of the Hessian, the laws of the start, and products.
#include <math.h>
#include <string.h>

#include "check.h"
#include "random_problem.h"
#include "sap/newton.h"
#include "sap/report.h"

static RandomProblem random_one;

static plSapWorkspace* started(const plSapProblem* problem, const double* v, plSapReport* report) {
  plSapOptions options = pl_sap_default_options();
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  memset(report, 0, sizeof *report);
  CHECK_INT(pl_sap_set_up(ws, problem, &options, report, NULL), PL_OK);
  pl_sap_start(ws, v, report);
  pl_sap_evaluate(ws, NULL);
  CHECK_INT(pl_sap_wake_all(ws, &options, report, NULL), PL_OK);
  return ws;
}

// ---- the stopping test

// |S f| of a clique
static double size_in(const plSapWorkspace* ws, int c, const double* f) {
  double sum = 0;
  for (int i = ws->lay.clique_dof0[c]; i < ws->lay.clique_dof0[c + 1]; i++)
    sum += ws->S[i] * f[i] * ws->S[i] * f[i];
  return sqrt(sum);
}

// The sizes of the impulses on a clique, one constraint at a time.
static double impulses_on(const plSapWorkspace* ws, int c, double* one, double* f) {
  double sum = 0;
  for (int i = 0; i < ws->lay.nconstraint; i++)
    for (int k = ws->lay.con_blk0[i]; k < ws->lay.con_blk0[i + 1]; k++) {
      if (ws->lay.blk[k].clique != c) continue;
      int r0 = ws->lay.con_row0[i], r1 = ws->lay.con_row0[i + 1];
      memset(one, 0, (size_t)ws->lay.nrow * sizeof *one);
      memcpy(one + r0, ws->gamma + r0, (size_t)(r1 - r0) * sizeof *one);
      pl_sap_mul_Jt(ws, one, f);
      sum += size_in(ws, c, f);
      break;
    }
  return sum;
}

static double plain_ratio(plSapWorkspace* ws, const plSapOptions* o) {
  const plSapPattern* p = &ws->pattern;
  double r2 = 0, a2 = 0, j2 = 0, most = 0;
  double* Av = calloc((size_t)ws->lay.nv + 1, sizeof *Av);
  double *f = calloc((size_t)ws->lay.nv + 1, sizeof *f), *one = calloc((size_t)ws->lay.nrow + 1, sizeof *one);
  for (int i = 0; i < ws->lay.nv; i++) Av[i] = ws->Av_star[i] + ws->p[i];
  for (int k = 0; k < p->npos; k++) {
    int c = p->pos_clique[k];
    r2 += pow(size_in(ws, c, ws->grad), 2), a2 += pow(size_in(ws, c, Av), 2);
    j2 += pow(size_in(ws, c, ws->jg), 2);
  }
  double scale = sqrt(fmax(a2, j2));
  for (int k = 0; k < p->npos; k++) {
    int c = p->pos_clique[k];
    double s = fmax(fmax(size_in(ws, c, Av), impulses_on(ws, c, one, f)), 1e-6 * scale);
    most = fmax(most, size_in(ws, c, ws->grad) / (o->absolute_tolerance + o->relative_tolerance * s));
  }
  free(Av), free(f), free(one);
  return fmax(most, sqrt(r2) / (o->absolute_tolerance + o->relative_tolerance * scale));
}

// Velocities at many distances from the solution: the verdict is that of the plain test, and so is the ratio
// where it is above 1.
static void the_verdict_is_that_of_single_impulses(void) {
  int converged = 0, not_yet = 0;
  for (int k = 0; k < 120; k++) {
    plRandom r = {7100 + (uint64_t)k};
    random_problem(&r, &random_one);
    const plSapProblem* problem = &random_one.problem;
    if (problem->nconstraint == 0 || problem->nconstraint > 60) continue;
    static double v[RANDOM_MAX_BODY * RANDOM_MAX_NV];
    plSapSolution solution = {.v = v};
    plSapReport report;
    plSapOptions options = pl_sap_default_options();
    plSapWorkspace* own = pl_sap_workspace_create(NULL);
    CHECK_INT(pl_sap_solve(problem, &options, NULL, &solution, &report, own, NULL), PL_OK);
    pl_sap_workspace_destroy(own);
    double off = log_uniform(&r, 1e-12, 1e-3);
    for (int i = 0; i < random_one.dof0[problem->nclique]; i++) v[i] *= 1 + off * pl_random(&r, -1, 1);
    plSapWorkspace* ws = started(problem, v, &report);
    double plain = plain_ratio(ws, &options), quick = pl_sap_residual(ws, &options, &report);
    if (fabs(plain - 1) > 1e-6) CHECK((quick <= 1) == (plain <= 1));
    if (quick > 1) CHECK_NEAR(quick, plain, 2e-14 * plain);
    converged += quick <= 1, not_yet += quick > 1;
    pl_sap_workspace_destroy(ws);
  }
  CHECK(converged > 10 && not_yet > 10);
}

// ---- the Hessian

static double column_of(const plSapWorkspace* ws, int k, int n, int dof, int row) {
  const plSapBlock* b = ws->lay.blk + k;
  double sum = 0;
  for (int j = 0; j < ws->lay.blk_ncol[k]; j++)
    if ((b->nvert > 0 ? 3 * b->vert[j / 3] + j % 3 : j) == dof) sum += b->J[(size_t)(j * n + row)];
  return sum;
}

// Entry (i, j) of a block by its terms, and the sum of their sizes.
static double plain_entry(const plSapWorkspace* ws, const plSapEntry* e, int i, int j, double* size) {
  double sum = 0;
  *size = 0;
  for (int q = e->pair0; q < e->pair1; q++) {
    const plSapPair* pair = ws->pattern.pair + q;
    if (pair->constraint < 0) {
      double a = ws->problem->A[pair->row][i + j * ws->problem->clique_nv[pair->row]];
      sum += a, *size += fabs(a);
      continue;
    }
    const plSapConstraint* con = ws->problem->constraint + pair->constraint;
    const double* G = ws->G + ws->lay.con_G0[pair->constraint];
    bool full = pl_sap_is_contact(con->law);
    for (int r = 0; r < con->nrow; r++)
      for (int s = 0; s < con->nrow; s++) {
        if (!full && r != s) continue;
        double a = column_of(ws, pair->row, con->nrow, i, r) * (full ? G[r + 3 * s] : G[r]) *
                   column_of(ws, pair->col, con->nrow, j, s);
        sum += a, *size += fabs(a);
      }
  }
  return sum;
}

static double stored_entry(const plSapWorkspace* ws, const plSapEntry* e, int i, int j) {
  const plSapPattern* p = &ws->pattern;
  int s = p->pos_super[e->col], first = p->pos_x0[p->super_pos0[s]];
  int cols = p->pos_x0[p->super_pos0[s + 1]] - first, row = pl_sap_row_in(p, s, e->row) + i;
  int col = p->pos_x0[e->col] - first + j;
  bool own = e->row < p->super_pos0[s + 1];
  size_t at;
  int h = own ? pl_sap_triangle_row(cols, row, &at) : pl_sap_rectangle_row(p->super_below[s], cols, row, &at);
  return ws->panel[(own ? p->super_triangle[s] : p->super_rectangle[s]) + at + (size_t)col * (size_t)h];
}

static void blocks_of_the_hessian_are_the_sums_of_their_terms(void) {
  int entries = 0;
  for (int k = 0; k < 200; k++) {
    plRandom r = {8300 + (uint64_t)k};
    plSapReport report;
    random_problem(&r, &random_one);
    if (random_one.problem.nconstraint == 0 || random_one.problem.nconstraint > 100) continue;
    plSapWorkspace* ws = started(&random_one.problem, NULL, &report);
    const plSapPattern* p = &ws->pattern;
    bool once = false;  // updates of supernodes that are factored at once are part of the panels
    for (int s = 0; s < p->nsuper; s++) once |= p->super_once[s];
    pl_sap_mark_changed(ws);
    CHECK_INT(pl_sap_assemble(ws, NULL), -1);
    for (int n = 0; n < p->nentry && !once; n++, entries++) {
      const plSapEntry* e = p->entry + n;
      for (int i = 0; i < p->pos_x0[e->row + 1] - p->pos_x0[e->row]; i++)
        for (int j = 0; j < p->pos_x0[e->col + 1] - p->pos_x0[e->col]; j++) {
          double size, plain = e->row == e->col && j > i ? 0 : plain_entry(ws, e, i, j, &size);
          if (e->row == e->col && j > i) continue;
          CHECK_BELOW(fabs(stored_entry(ws, e, i, j) - plain), 1e-13, size);
        }
    }
    pl_sap_workspace_destroy(ws);
  }
  CHECK(entries > 100);
}

// ---- the start

// The laws that the start leaves for the first iteration are those at its velocity, and the cost is that of
// the problem.
static void the_start_leaves_the_laws_at_its_velocity(void) {
  int kept = 0;
  for (int k = 0; k < 100; k++) {
    plRandom r = {9500 + (uint64_t)k};
    plSapReport report;
    plSapOptions options = pl_sap_default_options();
    random_problem(&r, &random_one);
    plSapWorkspace* ws = pl_sap_workspace_create(NULL);
    memset(&report, 0, sizeof report);
    CHECK_INT(pl_sap_set_up(ws, &random_one.problem, &options, &report, NULL), PL_OK);
    pl_sap_start(ws, random_one.v0, &report);
    kept += ws->evaluated;
    if (ws->evaluated) {
      size_t rows = (size_t)ws->lay.nrow * sizeof(double), all = (size_t)ws->lay.nG * sizeof(double);
      CHECK(pl_sap_evaluated_cost(ws) == pl_sap_cost(ws, ws->x, ws->p, ws->vc));
      pl_sap_laws(ws, ws->vc, NULL, ws->ls_gamma, ws->ls_G, NULL, NULL);
      CHECK(memcmp(ws->gamma, ws->ls_gamma, rows) == 0 && memcmp(ws->G, ws->ls_G, all) == 0);
    }
    pl_sap_workspace_destroy(ws);
  }
  CHECK(kept > 10);
}

// ---- products

// Row r of constraint i of J v, column by column, and the sum of the sizes of its terms
static double plain_product(const plSapWorkspace* ws, int i, int r, const double* v, double* terms) {
  const plSapLayout* lay = &ws->lay;
  const plSapConstraint* c = ws->problem->constraint + i;
  double sum = *terms = 0;
  for (int k = 0; k < c->nblock; k++) {
    const plSapBlock* b = c->block + k;
    const double* x = v + lay->clique_dof0[b->clique];
    for (int j = 0; j < (b->nvert ? 3 * b->nvert : ws->problem->clique_nv[b->clique]); j++) {
      double term = b->J[j * c->nrow + r] * x[b->nvert ? 3 * b->vert[j / 3] + j % 3 : j];
      sum += term, *terms += fabs(term);
    }
  }
  return sum;
}

// Constraints of 3 rows without zero columns have products of their own: J v up to rounding, J' gamma with
// the bits of that by columns.
static void products_with_full_blocks_are_those_by_columns(void) {
  int full = 0, other = 0;
  for (int k = 0; k < 60; k++) {
    plRandom r = {9700 + (uint64_t)k};
    plSapReport report;
    random_problem(&r, &random_one);
    plSapWorkspace* ws = started(&random_one.problem, random_one.v0, &report);
    size_t nv = (size_t)ws->lay.nv, nrow = (size_t)ws->lay.nrow;
    double *u = calloc(2 * nrow + 2, sizeof *u), *f = calloc(2 * nv + 2, sizeof *f), *g = u + nrow + 1;
    for (size_t i = 0; i < nrow; i++) ws->gamma[i] = pl_random(&r, -1, 1);
    pl_sap_mul_J(ws, random_one.v0, u), pl_sap_mul_Jt(ws, ws->gamma, f);
    for (int i = 0; i < ws->lay.nconstraint; i++) {
      *(ws->lay.con_full[i] ? &full : &other) += 1;
      ws->lay.con_full[i] = false;
    }
    pl_sap_mul_J(ws, random_one.v0, g), pl_sap_mul_Jt(ws, ws->gamma, f + nv + 1);
    CHECK(memcmp(f, f + nv + 1, nv * sizeof *f) == 0);
    for (int i = 0; i < ws->lay.nconstraint; i++)
      for (int row = 0; row < random_one.problem.constraint[i].nrow; row++) {
        double terms, plain = plain_product(ws, i, row, random_one.v0, &terms);
        CHECK_ROUND(u[ws->lay.con_row0[i] + row], plain, terms);
        CHECK_ROUND(g[ws->lay.con_row0[i] + row], plain, terms);
      }
    free(u), free(f);
    pl_sap_workspace_destroy(ws);
  }
  CHECK(full > 100 && other > 100);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(the_verdict_is_that_of_single_impulses);
  RUN(blocks_of_the_hessian_are_the_sums_of_their_terms);
  RUN(the_start_leaves_the_laws_at_its_velocity);
  RUN(products_with_full_blocks_are_those_by_columns);
  return CHECK_END;
}

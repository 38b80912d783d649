// test_low_rank.c: solves with a factor and a change of low rank equal those with the factor of the changed
// matrix, in random problems, when constraints open, close, become stiffer or softer, and when they change
// back; the momentum of a step is A dx.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "check.h"
#include "factored.h"
#include "random_problem.h"
#include "sap/newton.h"

static RandomProblem random_one;
static Arch arch;
static int changes, refused;
static double most_x, most_p;

// The Hessian of the law of constraint i at a random velocity near that at which it was factored, or zero.
static void change(plSapWorkspace* ws, plRandom* r, int i) {
  const plSapConstraint* con = ws->problem->constraint + i;
  int r0 = ws->lay.con_row0[i];
  double vc[6], gamma[6], by = pl_random(r, 0, 1) < 0.3 ? 0 : log_uniform(r, 1e-3, 1e3);
  if (con->nrow > 6) return;
  for (int k = 0; k < con->nrow; k++) vc[k] = by * pl_random(r, -1, 1) * (fabs(ws->vc[r0 + k]) + 1e-6);
  (void)pl_sap_calc(con, vc, NULL, gamma, ws->G + ws->lay.con_G0[i]);
}

static double energy(plSapWorkspace* ws, const double* x, double* p) {
  double sum = 0;
  pl_sap_mul_A(ws, x, p);
  for (int i = 0; i < ws->lay.nv; i++) sum += x[i] * p[i];
  return sqrt(sum);
}

// |x - y| / |y| in the norm of A, and |dp - A dx| / |A dx| of a step
static void compare(plSapWorkspace* ws, plSapWorkspace* whole, plRandom* r) {
  size_t nv = (size_t)ws->lay.nv;
  double *b = calloc(nv, sizeof *b), *x = calloc(nv, sizeof *x), *y = calloc(nv, sizeof *y),
         *p = calloc(nv, sizeof *p);
  for (size_t i = 0; i < nv; i++) b[i] = pl_random(r, -1, 1);
  pl_sap_factor_solve(ws, b, x), pl_sap_factor_solve(whole, b, y);
  double size = energy(ws, y, p);
  for (size_t i = 0; i < nv; i++) x[i] -= y[i];
  most_x = fmax(most_x, energy(ws, x, p) / size);

  plSapOptions options = pl_sap_default_options();
  plSapReport report = {0};
  plSapProgress progress = {.ratio = 0};  // the present factor serves
  plSapSearch search;
  pl_sap_gradient(ws);
  ws->p_product = false;
  CHECK_INT(pl_sap_find_step(ws, &options, &report, &progress, false, &search), -1);
  pl_sap_mul_A(ws, ws->dx, p);
  double most = 0, off = 0;
  for (size_t i = 0; i < nv; i++)
    most = fmax(most, fabs(p[i]) + fabs(ws->grad[i])), off = fmax(off, fabs(p[i] - ws->dp[i]));
  if (most > 0) most_p = fmax(most_p, off / most);
  free(b), free(x), free(y), free(p);
}

// Three changes in a row, of the same constraints and of others.
static void change_and_compare(const plSapProblem* problem, plRandom* r) {
  plSapReport report, other;
  plSapOptions options = pl_sap_default_options();
  plSapWorkspace *ws = factored(problem, &report), *whole = factored(problem, &other);
  int first = pl_random_int(r, problem->nconstraint);
  for (int k = 0; k < 3; k++) {
    for (int n = 1 + pl_random_int(r, 4); n > 0; n--) {
      int i = n == 1 ? first : pl_random_int(r, problem->nconstraint);
      if (problem->constraint[i].law != PL_SAP_BILATERAL) change(ws, r, i);
    }
    if (k == 2) memcpy(ws->G, ws->G_panel, (size_t)ws->lay.nG * sizeof *ws->G);
    memcpy(whole->G, ws->G, (size_t)ws->lay.nG * sizeof *ws->G);
    pl_sap_mark_changed(ws);
    changes++;
    if (!pl_sap_low_rank(ws)) {
      refused++;
      break;
    }
    whole->factored = false;
    CHECK_INT(pl_sap_renew_factor(whole, &options, &other), -1);
    compare(ws, whole, r);
  }
  pl_sap_workspace_destroy(ws), pl_sap_workspace_destroy(whole);
}

static void solves_equal_those_of_a_new_factor(void) {
  for (int k = 0; k < CHECK_MEMBERS(300); k++) {
    plRandom r = {4100 + (uint64_t)k};
    random_problem(&r, &random_one);
    if (random_one.problem.nconstraint) change_and_compare(&random_one.problem, &r);
  }
  for (int k = 0; k < CHECK_MEMBERS(40); k++) {
    plRandom r = {4900 + (uint64_t)k};
    if (k == 0) arch_init(&arch, 1, 0.04);
    if (k > 0 && k % 10 == 0) arch_advance(&arch, arch.v);
    arch_problem(&arch);
    change_and_compare(&arch.problem, &r);
  }
  printf("%d changes, %d refused; solves differ by %.2g, momenta by %.2g\n", changes, refused, most_x,
         most_p);
  CHECK(refused < changes / 20);
  CHECK(most_x < 1.2e-9);
  CHECK(most_p < 1e-11);
}

// A change that pays is one of few rows; the factor that follows a G uses it.
static void few_rows_pay(void) {
  plSapReport report;
  plSapOptions options = pl_sap_default_options();
  plRandom r = {7};
  arch_init(&arch, 1, 0.04);
  arch_problem(&arch);
  plSapWorkspace* ws = factored(&arch.problem, &report);
  change(ws, &r, arch.problem.nconstraint / 2);
  int before = report.factorizations;
  CHECK_INT(pl_sap_follow_G(ws, &options, &report), -1);
  CHECK_INT(report.factorizations, before);
  CHECK_INT(ws->low.n, 3);
  for (int i = 0; i < arch.problem.nconstraint; i++) change(ws, &r, i);
  CHECK_INT(pl_sap_follow_G(ws, &options, &report), -1);
  CHECK_INT(report.factorizations, before + 1);
  CHECK_INT(ws->low.n, 0);
  pl_sap_workspace_destroy(ws);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(solves_equal_those_of_a_new_factor);
  RUN(few_rows_pay);
  return CHECK_END;
}

// test_exact.c: a step in which few constraints follow their laws solves the problem in which all others
// follow their tangents, in random problems and in an arch; the cost falls along it; where it is not found,
// the step is that of the tangents. Steps in which more constraints follow their laws lead to the solution of
// Newton's own steps, with fewer shortened ones.
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
static int steps, solved, nonlinear;
static double most_left, most_tangent;

// G of constraint i in the panels becomes one of another velocity: the constraint has changed since.
static void forget(plSapWorkspace* ws, plRandom* r, int i, double* G) {
  const plSapConstraint* con = ws->problem->constraint + i;
  int r0 = ws->lay.con_row0[i];
  double vc[6], gamma[6], by = pl_random(r, 0, 1) < 0.3 ? 0 : log_uniform(r, 1e-3, 1e3);
  if (con->nrow > 6) return;
  for (int k = 0; k < con->nrow; k++) vc[k] = by * pl_random(r, -1, 1) * (fabs(ws->vc[r0 + k]) + 1e-6);
  (void)pl_sap_calc(con, vc, NULL, gamma, G + ws->lay.con_G0[i]);
}

static bool is_changed(const plSapWorkspace* ws, int i) {
  for (int a = 0; a < ws->low.n; a++)
    if (ws->low.con[a] == i) return true;
  return false;
}

// |A dx + grad - J' dgamma| relative to its largest term, where changed constraints follow their laws (exact)
// or G, and all others the G of the panels.
static double left_over(plSapWorkspace* ws, bool exact) {
  const plSapLayout* lay = &ws->lay;
  size_t nv = (size_t)lay->nv, nrow = (size_t)lay->nrow;
  double *p = calloc(nv, sizeof *p), *f = calloc(nv, sizeof *f), *dgamma = calloc(nrow + 1, sizeof *dgamma);
  for (int i = 0; i < lay->nconstraint; i++) {
    int r0 = lay->con_row0[i], n = lay->con_row0[i + 1] - r0;
    bool full = pl_sap_is_contact(ws->problem->constraint[i].law), law = exact && is_changed(ws, i);
    const double *G = ws->G_factored + lay->con_G0[i], *d = ws->dvc + r0;
    for (int k = 0; k < n && !law; k++)
      dgamma[r0 + k] = full ? -(G[k] * d[0] + G[k + 3] * d[1] + G[k + 6] * d[2]) : -G[k] * d[k];
    if (!law) continue;
    double vc[PL_SAP_LOW], gamma[PL_SAP_LOW];
    for (int k = 0; k < n; k++) vc[k] = ws->vc[r0 + k] + d[k];
    (void)pl_sap_calc(ws->problem->constraint + i, vc, NULL, gamma, NULL);
    for (int k = 0; k < n; k++) dgamma[r0 + k] = gamma[k] - ws->gamma[r0 + k];
  }
  pl_sap_mul_A(ws, ws->dx, p), pl_sap_mul_Jt(ws, dgamma, f);
  double most = 0, left = 0;
  for (size_t i = 0; i < nv; i++) {
    most = fmax(most, fabs(p[i]) + fabs(ws->grad[i]) + fabs(f[i]));
    left = fmax(left, fabs(p[i] + ws->grad[i] - f[i]));
  }
  free(p), free(f), free(dgamma);
  return most > 0 ? left / most : 0;
}

static void step_and_compare(const plSapProblem* problem, plRandom* r) {
  plSapReport report;
  plSapOptions options = pl_sap_default_options();
  plSapWorkspace* ws = factored(problem, &report);
  double* kept = calloc((size_t)ws->lay.nG + 1, sizeof *kept);
  memcpy(kept, ws->G, (size_t)ws->lay.nG * sizeof *kept);
  for (int n = 1 + pl_random_int(r, 4); n > 0; n--) {
    int i = pl_random_int(r, problem->nconstraint);
    if (problem->constraint[i].law != PL_SAP_BILATERAL) forget(ws, r, i, ws->G);
  }
  CHECK_INT(pl_sap_renew_factor(ws, &options, &report), -1);
  memcpy(ws->G, kept, (size_t)ws->lay.nG * sizeof *kept);
  pl_sap_mark_changed(ws);
  if (pl_sap_low_rank(ws) && ws->low.n) {
    plSapProgress progress = {.ratio = 1e6};  // at which the present factor serves
    plSapSearch search;
    ws->low.renew = 1e12;  // no limit of the number of steps
    CHECK_INT(pl_sap_find_step(ws, &options, &report, &progress, false, &search), -1);
    double laws = left_over(ws, true), tangents = left_over(ws, false), slope = 0;
    for (int i = 0; i < ws->lay.nv; i++) slope += ws->grad[i] * ws->dx[i];
    steps++;
    CHECK(slope <= 0);
    if (laws < 1e-7) {
      solved++, nonlinear += tangents > 1e-3;
      most_left = fmax(most_left, laws);
    } else {
      most_tangent = fmax(most_tangent, fmin(laws, tangents));
    }
  }
  free(kept);
  pl_sap_workspace_destroy(ws);
}

static void steps_follow_the_laws(void) {
  for (int k = 0; k < CHECK_MEMBERS(400); k++) {
    plRandom r = {5100 + (uint64_t)k};
    random_problem(&r, &random_one);
    if (random_one.problem.nconstraint) step_and_compare(&random_one.problem, &r);
  }
  for (int k = 0; k < CHECK_MEMBERS(40); k++) {
    plRandom r = {5900 + (uint64_t)k};
    if (k == 0) arch_init(&arch, 1, 0.04);
    if (k > 0 && k % 10 == 0) arch_advance(&arch, arch.v);
    arch_problem(&arch);
    step_and_compare(&arch.problem, &r);
  }
  printf(
      "%d steps: %d follow the laws up to %.2g, %d of them far from the tangents; the others follow one of "
      "both up "
      "to %.2g\n",
      steps, solved, most_left, nonlinear, most_tangent);
  CHECK(solved > 0.9 * steps);
  CHECK(nonlinear > 0.05 * steps);
  CHECK(most_tangent < 1.8e-4);  // wide: a step need not be solved further than the tangents leave
}

// ---- constraints that join (grow.c)

typedef struct Solve {
  double* v;
  int iterations, evaluations;
} Solve;

// From rest, with the options of a step of the simulation; `grow` false: Newton's own steps alone
static Solve solve_by(const plSapProblem* problem, bool grow, double tolerance) {
  plSapReport report = {0};
  plSapOptions options = pl_sap_quick_options();
  options.relative_tolerance = tolerance;
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  CHECK_INT(pl_sap_set_up(ws, problem, &options, &report, NULL), PL_OK);
  pl_sap_start(ws, NULL, &report);
  pl_sap_evaluate(ws, NULL);
  CHECK_INT(pl_sap_wake_all(ws, &options, &report, NULL), PL_OK);
  if (!grow) ws->low.renew = 0;
  CHECK_INT(pl_sap_iterate(ws, &options, &report, NULL), PL_OK);
  CHECK(grow || ws->low.renew == 0);
  Solve s = {calloc((size_t)ws->lay.nv + 1, sizeof *s.v), report.iterations, report.search_evaluations};
  pl_sap_write_solution(ws, &(plSapSolution){.v = s.v});
  pl_sap_workspace_destroy(ws);
  return s;
}

static double distance(const double* a, const double* b, int n) {
  double d = 0, size = 0;
  for (int i = 0; i < n; i++) d += (a[i] - b[i]) * (a[i] - b[i]), size += a[i] * a[i] + b[i] * b[i];
  return size > 0 ? sqrt(d / size) : 0;
}

// An arch that starts to slide: too many points change for all of them to join.
static void growing_steps_find_the_same_solution(void) {
  int iterations[2] = {0}, evaluations[2] = {0};
  double most = 0;
  for (int k = 0; k < CHECK_MEMBERS(24); k++) {
    if (k % 8 == 0) arch_init(&arch, 0.1 * (1 << (k / 8 % 3)), 0.04);
    arch_problem(&arch);
    int nv = ARCH_STONES * ARCH_NV;
    Solve own = solve_by(&arch.problem, false, 1e-10), grown = solve_by(&arch.problem, true, 1e-10);
    iterations[0] += own.iterations, iterations[1] += grown.iterations;
    evaluations[0] += own.evaluations, evaluations[1] += grown.evaluations;
    most = fmax(most, distance(own.v, grown.v, nv));
    arch_advance(&arch, own.v);
    free(own.v), free(grown.v);
  }
  printf(
      "solutions differ by %.2g; iterations %d instead of %d, evaluations of the search %d instead of %d\n",
      most, iterations[1], iterations[0], evaluations[1], evaluations[0]);
  CHECK(most < 1e-6);
  CHECK(iterations[1] < 0.93 * iterations[0]);
  CHECK(evaluations[1] < 0.85 * evaluations[0]);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(steps_follow_the_laws);
  RUN(growing_steps_find_the_same_solution);
  return CHECK_END;
}

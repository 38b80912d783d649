// test_solve.c: the solver's behaviour: each degenerate case, statuses and what they name, the report,
// memory, threads, bits.
#include "base/memory.h"
#include "base/parallel.h"
#include "check.h"
#include "random_problem.h"

// ---- one body, one contact: a frame for degenerate cases

typedef struct Point {
  double A[9], J[9], v_star[3], v[3], gamma[3], vc[3];
  int nv;
  const double* blocks[1];
  plSapBlock blk;
  plSapConstraint con;
  plSapProblem problem;
} Point;

static void point_init(Point* p) {
  *p = (Point){
      .A = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .J = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .v_star = {0.5, 0, -1}, .nv = 3};
  p->blocks[0] = p->A;
  p->blk = (plSapBlock){.clique = 0, .J = p->J};
  p->con = (plSapConstraint){
      .law = PL_SAP_CONE, .nrow = 3, .nblock = 1, .block = &p->blk, .cone = {0.3, 1e-3, 0.02, 0}};
  p->problem = (plSapProblem){.nclique = 1,
                              .clique_nv = &p->nv,
                              .A = p->blocks,
                              .v_star = p->v_star,
                              .nconstraint = 1,
                              .constraint = &p->con};
}

static plStatus point_solve(Point* p, plSapReport* report, plError* error) {
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  plSapSolution solution = {p->v, p->gamma, p->vc};
  plStatus status = pl_sap_solve(&p->problem, NULL, NULL, &solution, report, ws, error);
  pl_sap_workspace_destroy(ws);
  return status;
}

static void sliding_point_has_the_closed_form(void) {
  // unit mass, identity J: gamma = f (y_n + mu_hat y_r) with R + 1 in place of R
  Point p;
  plSapReport report;
  point_init(&p);
  CHECK_INT(point_solve(&p, &report, NULL), PL_OK);
  // v_t = 0.5 - mu g, v_n = -1 + g, R_n g = -v_n + mu (v_t) by complementarity of the convex cone: s = vc -
  // v_hat + R g on the dual's face
  double mu = 0.3, R_n = 0.02, R_t = 1e-3;
  double g = (1 + mu * 0.5) / (1 + R_n + mu * mu * (1 + R_t));
  CHECK_NEAR(p.gamma[2], g, 1.4e-14);
  CHECK_NEAR(p.gamma[0], -mu * g, 4.4e-15);
  CHECK_INT(report.slide, 1);
}

// With a scale A may be indefinite where constraints hold it: a point that pushes against its support.
static void constraints_hold_an_indefinite_A(void) {
  Point p;
  plSapReport report;
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  const double scale[3] = {1, 1, 1}, wrong[3] = {1, 0, 1}, guess[3] = {0, 0, -0.5};
  point_init(&p);
  plSapSolution solution = {p.v, p.gamma, p.vc};
  p.A[8] = -10, p.con.cone.mu = 0, p.v_star[0] = 0, p.v_star[2] = 1;
  CHECK_INT(pl_sap_solve(&p.problem, NULL, guess, &solution, &report, ws, NULL), PL_ERROR_INDEFINITE);
  p.problem.scale = scale;
  // A (v - 1) = gamma = -v / R where the point pushes, v < 0
  CHECK_INT(pl_sap_solve(&p.problem, NULL, guess, &solution, &report, ws, NULL), PL_OK);
  CHECK_NEAR(p.v[2], -0.25, 1e-15);
  // too soft to hold it; a scale that is not positive
  p.con.cone.R_n = p.con.cone.R_t = 1;
  CHECK_INT(pl_sap_solve(&p.problem, NULL, guess, &solution, &report, ws, NULL), PL_ERROR_INDEFINITE);
  p.problem.scale = wrong;
  CHECK_INT(pl_sap_solve(&p.problem, NULL, guess, &solution, &report, ws, NULL), PL_ERROR_INPUT);
  pl_sap_workspace_destroy(ws);
}

static void report_of_a_sliding_and_a_sticking_point(void) {
  Point p;
  plSapReport r;
  point_init(&p);
  CHECK_INT(point_solve(&p, &r, NULL), PL_OK);
  CHECK_BELOW(r.cone_violation, 1e-15, 1);
  CHECK_BELOW(r.complementarity, 1.5e-14, 1);
  CHECK_BELOW(r.slip_angle, 1.5e-14, 1);
  CHECK(r.R_n_min == 0.02 && r.R_n_max == 0.02 && r.R_t_min == 1e-3 && r.R_t_max == 1e-3);
  CHECK_INT(r.nv, 3);
  CHECK_INT(r.nrow, 3);
  CHECK_INT(r.block_hessian, 1);
  CHECK(r.iterations >= 1 && r.search_evaluations >= r.iterations);
  CHECK_BELOW(r.momentum_residual, 1.5e-14, 1);
  CHECK(r.time_total > 0);
  // cost: 1/2 |v - v_star|^2 + R_n g^2 / (2 f)
  double g = p.gamma[2], f = 1 / (1 + 0.09 * 1e-3 / 0.02), moved = 0;
  for (int i = 0; i < 3; i++) moved += 0.5 * pow(p.v[i] - p.v_star[i], 2);
  CHECK_NEAR(r.cost, moved + 0.5 * 0.02 * g * g / f, 8.4e-15);
  // sticking: the slip that the regularisation allows is R_t |gamma_t|, and it is the velocity
  p.v_star[0] = 0.1;
  CHECK_INT(point_solve(&p, &r, NULL), PL_OK);
  CHECK_INT(r.stick, 1);
  CHECK_NEAR(r.creep, 1e-3 * fabs(p.gamma[0]), 1.4e-18);
  CHECK_NEAR(fabs(p.vc[0]), r.creep, 1.4e-18);
  // open
  p.v_star[2] = 1;
  CHECK_INT(point_solve(&p, &r, NULL), PL_OK);
  CHECK_INT(r.open, 1);
  CHECK(p.gamma[0] == 0 && p.gamma[2] == 0 && p.v[2] == 1);
}

static void guess_that_is_not_finite_is_ignored(void) {
  Point p;
  plSapReport report;
  point_init(&p);
  double guess[3] = {NAN, 0, 0}, expected;
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  plSapSolution solution = {.v = p.v};
  CHECK_INT(pl_sap_solve(&p.problem, NULL, NULL, &solution, &report, ws, NULL), PL_OK);
  expected = p.v[2];
  CHECK_INT(pl_sap_solve(&p.problem, NULL, guess, &solution, &report, ws, NULL), PL_OK);
  CHECK_INT(report.warm_start, 0);
  CHECK(p.v[2] == expected);
  pl_sap_workspace_destroy(ws);
}

static void no_constraints_leave_v_star(void) {
  Point p;
  plSapReport report;
  point_init(&p);
  p.problem.nconstraint = 0;
  CHECK_INT(point_solve(&p, &report, NULL), PL_OK);
  CHECK(p.v[0] == 0.5 && p.v[2] == -1);
  CHECK_INT(report.iterations, 0);
  CHECK_INT(report.factorizations, 0);
  CHECK_INT(report.nclique, 0);
}

static void no_cliques_and_no_constraints(void) {
  plSapProblem p = {0};
  plSapReport report;
  CHECK_INT(solve(&p, NULL, NULL, NULL, NULL, &report), PL_OK);
  CHECK_INT(report.iterations, 0);
}

static void untouched_cliques_keep_v_star_whatever_their_A(void) {
  Point p;
  plSapReport report;
  point_init(&p);
  double bad[4] = {-1, NAN, NAN, 0}, v_star[5] = {0.5, 0, -1, 7, 8}, v[5];
  int nv[2] = {3, 2};
  const double* A[2] = {p.A, bad};
  p.problem.nclique = 2, p.problem.clique_nv = nv, p.problem.A = A, p.problem.v_star = v_star;
  CHECK_INT(solve(&p.problem, NULL, v, NULL, NULL, &report), PL_OK);
  CHECK(v[3] == 7 && v[4] == 8);
  CHECK_INT(report.nv, 3);
}

static void clique_without_degrees_of_freedom(void) {
  Point p;
  point_init(&p);
  plSapBlock blk[2] = {{.clique = 1, .J = NULL}, p.blk};
  int nv[2] = {3, 0};
  const double* A[2] = {p.A, NULL};
  p.con.nblock = 2, p.con.block = blk;
  p.problem.nclique = 2, p.problem.clique_nv = nv, p.problem.A = A;
  CHECK_INT(point_solve(&p, NULL, NULL), PL_OK);
  CHECK(p.gamma[2] > 0);
}

static void constraint_without_blocks_has_its_own_impulse(void) {
  Point p;
  double bias[3] = {0, 0, -1};
  point_init(&p);
  p.con.nblock = 0, p.con.bias = bias;
  CHECK_INT(point_solve(&p, NULL, NULL), PL_OK);
  CHECK_NEAR(p.gamma[2], 1 / 0.02, 7.1e-13);
  CHECK(p.v[2] == -1);
}

static void zero_jacobian_changes_nothing(void) {
  Point p;
  point_init(&p);
  memset(p.J, 0, sizeof p.J);
  CHECK_INT(point_solve(&p, NULL, NULL), PL_OK);
  CHECK(p.v[2] == -1);
}

static void problem_already_solved_takes_no_factorization(void) {
  Point p;
  plSapReport report;
  point_init(&p);
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  plSapSolution solution = {.v = p.v};
  CHECK_INT(pl_sap_solve(&p.problem, NULL, NULL, &solution, &report, ws, NULL), PL_OK);
  CHECK(report.factorizations > 0);
  double guess[3] = {p.v[0], p.v[1], p.v[2]};
  CHECK_INT(pl_sap_solve(&p.problem, NULL, guess, &solution, &report, ws, NULL), PL_OK);
  CHECK_INT(report.factorizations, 0);
  CHECK_INT(report.warm_start, 1);
  CHECK_INT(report.pattern_reused, 1);
  // a useless guess is not used
  double far[3] = {1e3, -1e3, -1e5};
  CHECK_INT(pl_sap_solve(&p.problem, NULL, far, &solution, &report, ws, NULL), PL_OK);
  CHECK_INT(report.warm_start, 0);
  pl_sap_workspace_destroy(ws);
}

static void duplicate_contacts_share_the_impulse(void) {
  Point p;
  point_init(&p);
  static plSapConstraint many[1000];
  static double gamma[3000];
  for (int i = 0; i < 1000; i++) many[i] = p.con;
  p.problem.nconstraint = 1000, p.problem.constraint = many;
  CHECK_INT(solve(&p.problem, NULL, p.v, gamma, NULL, NULL), PL_OK);
  for (int i = 1; i < 1000; i++) CHECK(gamma[3 * i + 2] == gamma[2]);
  // 1000 equal regularisations in parallel are one, a thousand times stiffer
  double mu = 0.3, g = (1 + mu * 0.5) / (1 + 2e-5 + mu * mu * (1 + 1e-6));
  CHECK_NEAR(1000 * gamma[2], g, 4.1e-9);
}

static void same_clique_in_two_blocks_is_their_sum(void) {
  // J = J1 + J2 on one clique of two vertices (self-contact) against the dense form
  double A[36] = {0}, J1[9] = {0}, J2[9] = {0}, dense[18] = {0}, v_star[6] = {0.1, 0.2, -1, 0, 0.1, 1}, v1[6],
         v2[6];
  int nv = 6, first = 0, second = 1;
  const double* blocks[1] = {A};
  for (int i = 0; i < 6; i++) A[7 * i] = 1 + i;
  for (int i = 0; i < 3; i++)
    J1[4 * i] = 1, J2[4 * i] = -1, dense[i + 3 * i] = 1, dense[i + 3 * (i + 3)] = -1;
  plSapBlock sparse[2] = {{.clique = 0, .nvert = 1, .vert = &first, .J = J1},
                          {.clique = 0, .nvert = 1, .vert = &second, .J = J2}};
  plSapBlock full = {.clique = 0, .J = dense};
  plSapConstraint con = {
      .law = PL_SAP_CONE, .nrow = 3, .nblock = 2, .block = sparse, .cone = {0.5, 1e-3, 0.02, 0}};
  plSapProblem p = {
      .nclique = 1, .clique_nv = &nv, .A = blocks, .v_star = v_star, .nconstraint = 1, .constraint = &con};
  plSapOptions o = tight();
  CHECK_INT(solve(&p, &o, v1, NULL, NULL, NULL), PL_OK);
  con.nblock = 1, con.block = &full;
  CHECK_INT(solve(&p, &o, v2, NULL, NULL, NULL), PL_OK);
  for (int i = 0; i < 6; i++) CHECK_NEAR(v1[i], v2[i], 5.1e-15);
}

static void nan_in_the_jacobian_names_the_constraint(void) {
  Point p;
  plError error = {0};
  plSapReport report;
  point_init(&p);
  plSapConstraint two[2] = {p.con, p.con};
  double J[9] = {1, 0, 0, 0, NAN, 0, 0, 0, 1};
  plSapBlock bad = {.clique = 0, .J = J};
  two[1].block = &bad;
  p.problem.nconstraint = 2, p.problem.constraint = two;
  CHECK_INT(point_solve(&p, &report, &error), PL_ERROR_NOT_FINITE);
  CHECK_HAS(error.message, "constraint 1");
  CHECK_INT(report.worst_constraint, 1);
}

static void nan_in_v_star_names_the_clique(void) {
  Point p;
  plError error = {0};
  point_init(&p);
  p.v_star[1] = NAN;
  CHECK_INT(point_solve(&p, NULL, &error), PL_ERROR_NOT_FINITE);
  CHECK_HAS(error.message, "clique 0");
}

static void nan_in_A_names_the_clique(void) {
  Point p;
  plError error = {0};
  point_init(&p);
  p.A[1] = INFINITY;
  CHECK_INT(point_solve(&p, NULL, &error), PL_ERROR_NOT_FINITE);
  CHECK_HAS(error.message, "clique 0");
}

static void nan_in_the_bias_names_the_constraint(void) {
  Point p;
  plError error = {0};
  double bias[3] = {0, NAN, 0};
  point_init(&p);
  p.con.bias = bias;
  CHECK_INT(point_solve(&p, NULL, &error), PL_ERROR_NOT_FINITE);
  CHECK_HAS(error.message, "constraint 0");
}

static void indefinite_A_names_the_clique(void) {
  Point p;
  plError error = {0};
  plSapReport report;
  point_init(&p);
  p.A[1] = p.A[3] = 5;
  memset(p.J, 0, sizeof p.J);
  p.J[8] = 1;
  p.v[0] = 42;
  CHECK_INT(point_solve(&p, &report, &error), PL_ERROR_INDEFINITE);
  CHECK_HAS(error.message, "clique 0");
  CHECK_INT(report.worst_clique, 0);
  CHECK(p.v[0] == 42);
}

static void wrong_parameters_are_refused_with_a_sentence(void) {
  Point p;
  plError error;
  point_init(&p);
  p.con.cone.mu = -1;
  CHECK_INT(point_solve(&p, NULL, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "friction coefficient");
  point_init(&p);
  p.con.cone.R_n = 0;
  CHECK_INT(point_solve(&p, NULL, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "R_n");
  point_init(&p);
  p.blk.clique = 3;
  CHECK_INT(point_solve(&p, NULL, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "clique 3");
  point_init(&p);
  int far = 4;
  p.blk.nvert = 1, p.blk.vert = &far;
  CHECK_INT(point_solve(&p, NULL, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "vertex 4");
  point_init(&p);
  p.con.nrow = 2;
  CHECK_INT(point_solve(&p, NULL, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "3 rows");
}

static void too_few_iterations_are_not_silent(void) {
  static RandomProblem p;
  plRandom r = {123};
  do random_problem(&r, &p);
  while (p.ncontact < 50);
  plSapOptions o = pl_sap_default_options();
  plError error = {0};
  plSapReport report;
  static double v[RANDOM_MAX_BODY * RANDOM_MAX_NV];
  v[0] = 42;
  o.max_iterations = 1;
  plSapSolution solution = {.v = v};
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  CHECK_INT(pl_sap_solve(&p.problem, &o, NULL, &solution, &report, ws, &error), PL_ERROR_NOT_CONVERGED);
  CHECK(v[0] == 42);
  CHECK_INT(report.status, PL_ERROR_NOT_CONVERGED);
  CHECK(report.worst_clique >= 0 && report.worst_constraint >= 0);
  pl_sap_workspace_destroy(ws);
}

// No residual can meet a tolerance below the rounding error. Within 1000 tolerances such a solve ends when
// its residual has not fallen for `patience` iterations, elsewhere after 400. What it reaches is then a
// rounding error too: residuals that wander differ by a factor of 30.
static void unreachable_tolerances_end_with_patience(void) {
  enum { MEMBERS = CHECK_MEMBERS(8) };
  plRandom r = {7};
  static RandomProblem p;
  int spent[2] = {0}, failed = 0;
  double worst = 0;
  for (int k = 0; k < MEMBERS; k++) {
    plSapReport report[2];
    random_problem(&r, &p);
    for (int i = 0; i < 2; i++) {
      plError error = {0};
      plSapOptions o = pl_sap_default_options();
      o.relative_tolerance = 1e-16, o.absolute_tolerance = 1e-40, o.patience = i ? 24 : 400;
      plSapWorkspace* ws = pl_sap_workspace_create(&error);
      plStatus status = pl_sap_solve(&p.problem, &o, NULL, NULL, &report[i], ws, &error);
      CHECK(status == PL_OK || status == PL_ERROR_NOT_CONVERGED);
      spent[i] += report[i].iterations, failed += i && status;
      pl_sap_workspace_destroy(ws);
    }
    worst = fmax(worst, report[1].momentum_residual / fmax(report[0].momentum_residual, 1e-16));
    CHECK(report[1].iterations <= report[0].iterations);
  }
  printf("%d iterations, %d with less patience, %d of %d not met, residuals up to %.2g times\n", spent[0],
         spent[1], failed, MEMBERS, worst);
  CHECK(failed > 0 && spent[1] < 0.75 * spent[0]);
  CHECK_BELOW(worst, 13, 1);
}

// Rows whose velocity R gamma is below the rounding of J v + b: gamma = (v_hat - J v - b) / R would be noise,
// and a step that corrects it is lost in v. (Below R = 1e-15 w the Hessian has no room for A.) A = D + u u',
// so that gamma has a closed form.
static void rows_stiffer_than_rounding_are_solved(void) {
  plRandom r = {19};
  int most = 0, lost = 0;
  double worst = 0;
  for (int k = 0; k < CHECK_MEMBERS(2000); k++) {
    enum { N = 6 };
    double A[N * N], J[N], v_star[N], bias, D[N], u[N], gamma;
    int n = 1 + pl_random_int(&r, N);
    double v = log_uniform(&r, 1, 1e4), offset = log_uniform(&r, 1e-3, 1e3), light = log_uniform(&r, 1e-6, 1);
    long double uDu = 1, JDJ = 0, uDJ = 0, Jv = 0, size = 0;
    for (int i = 0; i < n; i++) {
      D[i] = log_uniform(&r, 1e-3, 1) * light, u[i] = pl_random(&r, -0.1, 0.1) * sqrt(light);
      J[i] = pl_random(&r, -1, 1), v_star[i] = v * pl_random(&r, -1, 1);
      uDu += (long double)u[i] * u[i] / D[i], JDJ += (long double)J[i] * J[i] / D[i];
      uDJ += (long double)u[i] * J[i] / D[i], Jv += (long double)J[i] * v_star[i];
      size += fabs(J[i] * v_star[i]);
    }
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) A[j * n + i] = u[i] * u[j] + (i == j ? D[i] : 0);
    double w = (double)(JDJ - uDJ * uDJ / uDu), R = w * log_uniform(&r, 1e-14, 1e-10);
    bias = offset * pl_random(&r, -1, 1);
    plSapRow row = {.R = R, .v_hat = 1e-5 * pl_random(&r, -1, 1)};
    const double* blocks[1] = {A};
    plSapBlock block = {.clique = 0, .J = J};
    plSapConstraint con = {
        .law = PL_SAP_BILATERAL, .nrow = 1, .nblock = 1, .block = &block, .bias = &bias, .row = &row};
    plSapProblem p = {
        .nclique = 1, .clique_nv = &n, .A = blocks, .v_star = v_star, .nconstraint = 1, .constraint = &con};
    plSapSolution solution = {.gamma = &gamma};
    plSapReport report;
    plError error = {0};
    plSapWorkspace* ws = pl_sap_workspace_create(NULL);
    lost += pl_sap_solve(&p, NULL, NULL, &solution, &report, ws, &error) != PL_OK;
    pl_sap_workspace_destroy(ws);
    // the scale of the tolerance: the momentum, in impulses of the row
    double SAv = 0, SJ = 0;
    for (int i = 0; i < n; i++) {
      double Av = 0;
      for (int j = 0; j < n; j++) Av += A[j * n + i] * v_star[j];
      SAv += Av * Av / A[i * n + i], SJ += J[i] * J[i] / A[i * n + i];
    }
    double exact = (double)((row.v_hat - Jv - bias) / (w + R)),
           rounding = 64 * DBL_EPSILON * (double)(size + fabs(bias)) / w;
    if (report.status) continue;
    if (report.iterations > most) most = report.iterations;
    worst = fmax(worst, (fabs(gamma - exact) - rounding) / (fabs(exact) + sqrt(SAv / SJ)));
  }
  printf("%d rows not solved, at most %d iterations, impulses off by %.2g\n", lost, most, worst);
  CHECK_INT(lost, 0);
  CHECK(most <= 30);
  CHECK_BELOW(worst, 1e-4, 1);  // wide: 100 tolerances, up to which rounding excuses a residual
}

static void light_body_beside_a_heavy_one_is_accurate(void) {
  // a mass of 1 slides beside a mass of 1e12 that bounces: the whole's norm alone would let the light one be
  // off by 100 %
  double A1[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, A2[9] = {1e12, 0, 0, 0, 1e12, 0, 0, 0, 1e12},
         I3[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double v_star[6] = {0.5, 0, -1, 2, 0, -1}, v[6];
  int nv[2] = {3, 3};
  const double* A[2] = {A1, A2};
  plSapBlock b[2] = {{.clique = 0, .J = I3}, {.clique = 1, .J = I3}};
  plSapConstraint con[2];
  for (int i = 0; i < 2; i++) {
    double m = i ? 1e12 : 1;
    con[i] = (plSapConstraint){
        .law = PL_SAP_CONE, .nrow = 3, .nblock = 1, .block = b + i, .cone = {0.3, 1e-3 / m, 0.02 / m, 0}};
  }
  plSapProblem p = {
      .nclique = 2, .clique_nv = nv, .A = A, .v_star = v_star, .nconstraint = 2, .constraint = con};
  CHECK_INT(solve(&p, NULL, v, NULL, NULL, NULL), PL_OK);
  double g = (1 + 0.3 * 0.5) / (1 + 0.02 + 0.09 * 1.001);
  CHECK_NEAR(v[2], -1 + g, 1.3e-15);
  CHECK_NEAR(v[0], 0.5 - 0.3 * g, 3.3e-15);
}

// ---- memory, threads, bits

static void steady_use_allocates_nothing(void) {
  static RandomProblem p;
  static double v[RANDOM_MAX_BODY * RANDOM_MAX_NV];
  plRandom r = {9};
  do random_problem(&r, &p);
  while (p.ncontact < 100 || p.problem.nclique < 10);
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  plSapSolution solution = {.v = v};
  for (int k = 0; k < 3; k++)
    CHECK_INT(pl_sap_solve(&p.problem, NULL, NULL, &solution, NULL, ws, NULL), PL_OK);
  long before = pl_alloc_count();
  for (int k = 0; k < 5; k++)
    CHECK_INT(pl_sap_solve(&p.problem, NULL, NULL, &solution, NULL, ws, NULL), PL_OK);
  // and with another pattern of the same size in between
  int n = p.problem.nconstraint;
  for (int k = 0; k < 6; k++) {
    p.problem.nconstraint = k % 2 ? n : n - 1;
    CHECK_INT(pl_sap_solve(&p.problem, NULL, NULL, &solution, NULL, ws, NULL), PL_OK);
  }
  CHECK_INT(pl_alloc_count() - before, 0);
  pl_sap_workspace_destroy(ws);
}

static void failing_allocations_are_statuses(void) {
  static RandomProblem p;
  static double v[RANDOM_MAX_BODY * RANDOM_MAX_NV];
  plRandom r = {9};
  random_problem(&r, &p);
  plSapSolution solution = {.v = v};
  bool solved = false;
  for (long n = 0; n < 200 && !solved; n++) {
    plSapWorkspace* ws = pl_sap_workspace_create(NULL);
    pl_alloc_fail_after(n);
    plStatus status = pl_sap_solve(&p.problem, NULL, NULL, &solution, NULL, ws, NULL);
    pl_alloc_fail_after(-1);
    CHECK(status == PL_OK || status == PL_ERROR_MEMORY);
    solved = status == PL_OK;
    // the workspace survives
    CHECK_INT(pl_sap_solve(&p.problem, NULL, NULL, &solution, NULL, ws, NULL), PL_OK);
    pl_sap_workspace_destroy(ws);
  }
  CHECK(solved);
}

static void same_bits_for_any_number_of_threads(void) {
  static RandomProblem p;
  static double v[4][RANDOM_MAX_BODY * RANDOM_MAX_NV];
  plRandom r = {31};
  for (int k = 0; k < 6; k++) {
    do random_problem(&r, &p);
    while (p.ncontact < 200 || p.problem.nclique < 10);
    for (int n = 0; n < 4; n++) {
      plSapOptions o = pl_sap_default_options();
      o.pool = n < 2 ? NULL : pl_pool_create(n);
      plSapWorkspace* ws = pl_sap_workspace_create(NULL);
      plSapSolution solution = {.v = v[n]};
      CHECK_INT(pl_sap_solve(&p.problem, &o, p.v0, &solution, NULL, ws, NULL), PL_OK);
      if (n) CHECK(!memcmp(v[0], v[n], (size_t)p.dof0[p.problem.nclique] * sizeof(double)));
      pl_sap_workspace_destroy(ws);
      pl_pool_destroy(o.pool);
    }
  }
}

static void used_workspace_gives_the_bits_of_a_fresh_one(void) {
  static RandomProblem p;
  static double a[RANDOM_MAX_BODY * RANDOM_MAX_NV], b[RANDOM_MAX_BODY * RANDOM_MAX_NV];
  plRandom r = {55};
  plSapWorkspace* used = pl_sap_workspace_create(NULL);
  for (int k = 0; k < 30; k++) {
    random_problem(&r, &p);
    plSapWorkspace* fresh = pl_sap_workspace_create(NULL);
    plSapSolution sa = {.v = a}, sb = {.v = b};
    CHECK_INT(pl_sap_solve(&p.problem, NULL, NULL, &sa, NULL, used, NULL), PL_OK);
    CHECK_INT(pl_sap_solve(&p.problem, NULL, NULL, &sb, NULL, fresh, NULL), PL_OK);
    CHECK(!memcmp(a, b, (size_t)p.dof0[p.problem.nclique] * sizeof(double)));
    pl_sap_workspace_destroy(fresh);
  }
  pl_sap_workspace_destroy(used);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(sliding_point_has_the_closed_form);
  RUN(constraints_hold_an_indefinite_A);
  RUN(report_of_a_sliding_and_a_sticking_point);
  RUN(guess_that_is_not_finite_is_ignored);
  RUN(no_constraints_leave_v_star);
  RUN(no_cliques_and_no_constraints);
  RUN(untouched_cliques_keep_v_star_whatever_their_A);
  RUN(clique_without_degrees_of_freedom);
  RUN(constraint_without_blocks_has_its_own_impulse);
  RUN(zero_jacobian_changes_nothing);
  RUN(problem_already_solved_takes_no_factorization);
  RUN(duplicate_contacts_share_the_impulse);
  RUN(same_clique_in_two_blocks_is_their_sum);
  RUN(nan_in_the_jacobian_names_the_constraint);
  RUN(nan_in_v_star_names_the_clique);
  RUN(nan_in_A_names_the_clique);
  RUN(nan_in_the_bias_names_the_constraint);
  RUN(indefinite_A_names_the_clique);
  RUN(wrong_parameters_are_refused_with_a_sentence);
  RUN(too_few_iterations_are_not_silent);
  RUN(unreachable_tolerances_end_with_patience);
  RUN(rows_stiffer_than_rounding_are_solved);
  RUN(light_body_beside_a_heavy_one_is_accurate);
  RUN(steady_use_allocates_nothing);
  RUN(failing_allocations_are_statuses);
  RUN(same_bits_for_any_number_of_threads);
  RUN(used_workspace_gives_the_bits_of_a_fresh_one);
  return CHECK_END;
}

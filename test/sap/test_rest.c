// test_rest.c: the test whether the guess is the solution (rest.c) beside the solver itself. Random problems
// whose solution is known: impulses follow from a slow velocity, and v_star from both.
#include "sap/rest.h"

#include "check.h"
#include "random_problem.h"
#include "sap/law.h"

enum { PROBLEMS = CHECK_MEMBERS(120), NV = RANDOM_MAX_BODY * RANDOM_MAX_NV, NROW = 3 * RANDOM_MAX_CON };

typedef struct Answer {
  double v[NV], gamma[NROW], vc[NROW];
} Answer;

static RandomProblem sample;
static Answer fast, plain;
static double force[NV];

// force := A^-1 force of clique c, by elimination.
static void divide(int c) {
  double T[RANDOM_MAX_NV][RANDOM_MAX_NV], *x = force + sample.dof0[c];
  int n = sample.nv[c];
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) T[i][j] = T[j][i] = sample.A[c][i + n * j];
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      double f = T[i][k] / T[k][k];
      for (int j = k; j < n; j++) T[i][j] -= f * T[k][j];
      x[i] -= f * x[k];
    }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) x[k] -= T[k][j] * x[j];
    x[k] /= T[k][k];
  }
}

// All blocks with all columns of their cliques.
static void make_dense(void) {
  static double J[RANDOM_MAX_CON][3][3 * RANDOM_MAX_NV];
  memset(J, 0, sizeof J);
  for (int i = 0; i < sample.problem.nconstraint; i++)
    for (int b = 0; b < sample.con[i].nblock; b++) {
      plSapBlock* block = &sample.blk[i][b];
      int nrow = sample.con[i].nrow;
      for (int j = 0; j < 3 * block->nvert; j++)
        for (int k = 0; k < nrow; k++)
          J[i][b][nrow * (3 * block->vert[j / 3] + j % 3) + k] += block->J[nrow * j + k];
      if (block->nvert) *block = (plSapBlock){.clique = block->clique, .J = J[i][b]};
    }
}

// A random problem whose solution is the slow velocity v0.
static void problem_at_rest(plRandom* r) {
  random_problem(r, &sample);
  make_dense();
  plSapProblem* p = &sample.problem;
  int nv = sample.dof0[p->nclique];
  for (int i = 0; i < nv; i++) sample.v0[i] = 1e-9 * pl_random(r, -1, 1), force[i] = 0;
  for (int i = 0; i < p->nconstraint; i++) {
    plSapConstraint* con = &sample.con[i];
    double u[3], g[3];
    for (int k = 0; k < con->nrow; k++) u[k] = con->bias ? con->bias[k] : 0;
    for (int pass = 0; pass < 2; pass++) {
      for (int b = 0; b < con->nblock; b++) {
        const plSapBlock* block = &con->block[b];
        for (int j = 0; j < sample.nv[block->clique]; j++) {
          int d = sample.dof0[block->clique] + j;
          for (int k = 0; k < con->nrow; k++) {
            double entry = block->J[con->nrow * j + k];
            if (pass)
              force[d] += entry * g[k];
            else
              u[k] += entry * sample.v0[d];
          }
        }
      }
      if (!pass) con->likely_open &= pl_sap_calc(con, u, NULL, g, NULL) == PL_SAP_OPEN;
    }
  }
  for (int c = 0; c < p->nclique; c++) divide(c);
  for (int i = 0; i < nv; i++) sample.v_star[i] = sample.v0[i] - force[i];
}

static bool rests(const plSapProblem* p, const double* guess, plSapReport* report) {
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  plSapOptions options = pl_sap_default_options();
  plSapSolution solution = {fast.v, fast.gamma, fast.vc};
  memset(&fast, 0, sizeof fast);
  bool found = pl_sap_rests(p, &options, guess, &solution, report, ws);
  pl_sap_workspace_destroy(ws);
  return found;
}

static plStatus solve_plainly(const double* guess, plSapReport* report) {
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  plSapSolution solution = {plain.v, plain.gamma, plain.vc};
  plStatus status = pl_sap_solve(&sample.problem, NULL, guess, &solution, report, ws, NULL);
  pl_sap_workspace_destroy(ws);
  return status;
}

static void same_figures(const plSapReport* a, const plSapReport* b) {
  CHECK_INT(a->iterations, 0);
  CHECK_INT(a->status, PL_OK);
  CHECK_INT(a->nclique, b->nclique);
  CHECK_INT(a->nv, b->nv);
  CHECK_INT(a->nconstraint, b->nconstraint);
  CHECK_INT(a->nrow, b->nrow);
  CHECK_INT(a->warm_start, b->warm_start);
  CHECK_INT(a->stick, b->stick);
  CHECK_INT(a->slide, b->slide);
  CHECK_INT(a->open, b->open);
  CHECK(a->R_n_min == b->R_n_min && a->R_n_max == b->R_n_max);
  CHECK(a->R_t_min == b->R_t_min && a->R_t_max == b->R_t_max);
  CHECK_NEAR(a->cost, b->cost, 1e-9 * fabs(b->cost));
  CHECK((a->worst_clique >= 0 && a->worst_constraint >= 0) == (a->nclique > 0));
}

// The solution of a problem at rest is found, and is that of the solver, which needs no iteration either.
static void what_rests_is_found(void) {
  plRandom r = {31};
  int found = 0, tried = 0;
  for (int i = 0; i < PROBLEMS; i++) {
    plSapReport report, whole;
    problem_at_rest(&r);
    if (solve_plainly(sample.v0, &whole) || whole.iterations) continue;  // stiffer than rounding allows
    tried++;
    if (!rests(&sample.problem, sample.v0, &report)) continue;
    found++;
    same_figures(&report, &whole);
    Checked c = check_answer(&sample.problem, fast.v, fast.gamma, fast.vc);
    CHECK_BELOW(c.momentum, 1e-6, 1);
    CHECK_BELOW(c.clique, 1.01e-6, 1);
    CHECK_BELOW(c.velocity, 1.5e-14, 1);
    CHECK_BELOW(c.law, 1e-9, 1);
  }
  CHECK(tried > PROBLEMS / 2);
  CHECK(found > tried * 9 / 10);
}

// Guesses of all qualities: what is accepted, the solver accepts too.
static void nothing_else_is_accepted(void) {
  plRandom r = {32};
  int accepted = 0, refused = 0;
  for (int i = 0; i < 2 * PROBLEMS; i++) {
    plSapReport report, whole;
    problem_at_rest(&r);
    double size = 0, part = log_uniform(&r, 1e-12, 1);
    int nv = sample.dof0[sample.problem.nclique];
    for (int k = 0; k < nv; k++) size = fmax(size, fabs(sample.v_star[k]));
    for (int k = 0; k < nv; k++) sample.v0[k] += part * size * pl_random(&r, -1, 1);
    bool found = rests(&sample.problem, sample.v0, &report);
    accepted += found, refused += !found;
    if (!found) continue;
    CHECK_INT(solve_plainly(sample.v0, &whole), PL_OK);
    CHECK_INT(whole.iterations, 0);
    same_figures(&report, &whole);
  }
  CHECK(accepted > PROBLEMS / 10 && refused > PROBLEMS / 2);
}

// Input that the solver refuses is left to it.
static void faults_are_not_accepted(void) {
  plRandom r = {33};
  for (int i = 0; i < PROBLEMS; i++) {
    plSapReport report;
    do problem_at_rest(&r);
    while (!rests(&sample.problem, sample.v0, &report));
    plSapProblem* p = &sample.problem;
    int k = pl_random_int(&r, p->nconstraint), b = pl_random_int(&r, sample.con[k].nblock);
    int clique = sample.blk[k][b].clique, nv = sample.nv[clique];
    double bad = i % 2 ? NAN : INFINITY;
    switch (i / 2 % 5) {
      case 0:
        ((double*)sample.blk[k][b].J)[0] = bad;
        break;
      case 1:
        sample.bias[k][0] = bad, sample.con[k].bias = sample.bias[k];
        break;
      case 2:
        sample.A_data[clique][nv + 1] = i % 2 ? NAN : -1;
        break;
      case 3:
        sample.v_star[sample.dof0[clique] + pl_random_int(&r, nv)] = bad;
        break;
      default:
        sample.blk[k][b].clique = i % 2 ? -1 : p->nclique;
    }
    CHECK(!rests(p, sample.v0, &report));
    for (int d = 0; d < NV; d++) CHECK(fast.v[d] == 0);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(what_rests_is_found);
  RUN(nothing_else_is_accepted);
  RUN(faults_are_not_accepted);
  return CHECK_END;
}

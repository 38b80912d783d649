// test_coupled.c: a soft body as one clique, and the same body cut into cliques that A couples: one problem,
// one answer.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/parallel.h"
#include "base/random.h"
#include "check.h"
#include "pliant/sap.h"

enum { VERT = 16, NV = 3 * VERT, RIGID = 6, CON = VERT, PARTS = 3 };

// The body's vertices 0 .. held-1 are held by rigid body 0, others are pressed against rigid body 1 by cones;
// some rows are bounded.
typedef struct Scene {
  double A[NV * NV], M[2][RIGID * RIGID], v_star[NV + 2 * RIGID];
  double J[CON][2][3 * RIGID];
  plSapConstraint con[CON];
  plSapBlock block[CON][2];
  plSapRow row[CON][3];
  int vert[CON];
} Scene;

static void make_scene(plRandom* r, int held, Scene* s) {
  double B[NV * NV];
  for (int i = 0; i < NV * NV; i++) B[i] = pl_random(r, -1, 1);
  for (int i = 0; i < NV; i++)
    for (int j = 0; j < NV; j++) {
      s->A[i + NV * j] = i == j;
      for (int k = 0; k < NV; k++) s->A[i + NV * j] += 0.3 * B[i + NV * k] * B[j + NV * k];
    }
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < RIGID * RIGID; i++) s->M[b][i] = i % (RIGID + 1) == 0 ? pl_random(r, 1, 5) : 0;
  for (int i = 0; i < NV + 2 * RIGID; i++) s->v_star[i] = pl_random(r, -1, 1);
  for (int k = 0; k < CON; k++) {
    s->vert[k] = k;
    for (int i = 0; i < 9; i++) s->J[k][0][i] = i % 4 == 0;
    for (int i = 0; i < 3 * RIGID; i++) s->J[k][1][i] = i % 4 == 0 && i < 9 ? -1 : pl_random(r, -0.3, 0.3);
    s->con[k] = (plSapConstraint){.law = k < held ? PL_SAP_BILATERAL
                                         : k % 5  ? PL_SAP_CONE
                                                  : PL_SAP_BOUNDED,
                                  .nrow = 3,
                                  .nblock = 2,
                                  .block = s->block[k]};
    for (int i = 0; i < 3; i++) s->row[k][i] = (plSapRow){pl_random(r, -0.1, 0.1), 1e-4, -0.2, 0.2};
    if (s->con[k].law == PL_SAP_CONE)
      s->con[k].cone = (plSapCone){0.5, 1e-4, 1e-3, 0};
    else
      s->con[k].row = s->row[k];
  }
}

// Solves it with the body cut before the vertices cut[1], cut[2], ...; v in the body's own order.
static void solve(Scene* s, int held, const int* cut, int parts, plPool* pool, double* v, double* gamma,
                  plSapReport* report) {
  int nv[2 + PARTS] = {RIGID, RIGID}, ncoupling = 0;
  double part[PARTS][NV * NV], between[PARTS * PARTS][NV * NV], star[NV + 2 * RIGID];
  const double* A[2 + PARTS] = {s->M[0], s->M[1]};
  plSapCoupling coupling[PARTS * PARTS];
  memcpy(star, s->v_star + NV, 2 * RIGID * sizeof(double));
  memcpy(star + 2 * RIGID, s->v_star, NV * sizeof(double));
  for (int p = 0; p < parts; p++) {
    int n = nv[2 + p] = 3 * (cut[p + 1] - cut[p]);
    A[2 + p] = part[p];
    for (int q = 0; q <= p; q++) {
      int m = nv[2 + q];
      double* to = q == p ? part[p] : between[ncoupling];
      // one of two couplings is given by its transpose
      bool turned = q < p && (p + q) % 2;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
          to[turned ? j + m * i : i + n * j] = s->A[3 * cut[p] + i + NV * (3 * cut[q] + j)];
      if (q < p) coupling[ncoupling++] = (plSapCoupling){turned ? 2 + q : 2 + p, turned ? 2 + p : 2 + q, to};
    }
  }
  for (int k = 0; k < CON; k++) {
    int p = 0;
    while (k >= cut[p + 1]) p++;
    s->vert[k] = k - cut[p];
    s->block[k][0] = (plSapBlock){2 + p, 1, &s->vert[k], s->J[k][0]};
    s->block[k][1] = (plSapBlock){k < held ? 0 : 1, 0, NULL, s->J[k][1]};
  }
  plSapProblem problem = {.nclique = 2 + parts,
                          .clique_nv = nv,
                          .A = A,
                          .v_star = star,
                          .nconstraint = CON,
                          .constraint = s->con,
                          .ncoupling = ncoupling,
                          .coupling = coupling};
  plSapOptions options = pl_sap_default_options();
  options.relative_tolerance = 1e-12, options.pool = pool;
  plSapSolution solution = {v, gamma, NULL};
  plError error = {0};
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  CHECK_INT(pl_sap_solve(&problem, &options, NULL, &solution, report, ws, &error), PL_OK);
  pl_sap_workspace_destroy(ws);
}

static double difference(const double* a, const double* b, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void cut_and_whole_agree(void) {
  plRandom r = {7};
  static Scene s;
  for (int trial = 0; trial < 40; trial++) {
    int held = trial % 4 == 3 ? 0 : 3 + trial % 5, whole[] = {0, VERT}, two[] = {0, held ? held : 5, VERT},
        three[] = {0, 5, 9, VERT};
    double v[3][NV + 2 * RIGID], gamma[3][3 * CON];
    plSapReport report[3];
    make_scene(&r, held, &s);
    solve(&s, held, whole, 1, NULL, v[0], gamma[0], &report[0]);
    solve(&s, held, two, 2, NULL, v[1], gamma[1], &report[1]);
    solve(&s, held, three, 3, NULL, v[2], gamma[2], &report[2]);
    for (int k = 1; k < 3; k++) {
      CHECK_BELOW(difference(v[0], v[k], NV + 2 * RIGID), 9.9e-12, 1);
      CHECK_BELOW(difference(gamma[0], gamma[k], 3 * CON), 2.7e-11, 1);
    }
    // vertices that only bilateral constraints touch are factored once: in two parts they are a clique of
    // their own
    CHECK_INT(report[1].once_flops > 0, held > 0);
    CHECK(held == 0 || report[1].factor_flops < report[0].factor_flops);
  }
}

static void threads_give_the_same_bits(void) {
  plRandom r = {11};
  static Scene s;
  int three[] = {0, 5, 9, VERT};
  double v[2][NV + 2 * RIGID], gamma[2][3 * CON];
  plSapReport report;
  make_scene(&r, 5, &s);
  plPool* pool = pl_pool_create(2);
  solve(&s, 5, three, 3, NULL, v[0], gamma[0], &report);
  solve(&s, 5, three, 3, pool, v[1], gamma[1], &report);
  pl_pool_destroy(pool);
  CHECK(!memcmp(v[0], v[1], sizeof v[0]) && !memcmp(gamma[0], gamma[1], sizeof gamma[0]));
}

// v_star + A^-1 r given by r, for cliques that constraints touch and for others.
static void known_impulses_move_v_star(void) {
  double A0[4] = {3, 1, 1, 2}, A1[1] = {4}, A2[1] = {5}, B[2] = {0.5, -0.3}, star[4] = {1, 2, 3, 4},
         r[4] = {0.1, -0.2, 0.3, 1}, one = 1, v[4];
  const double* A[3] = {A0, A1, A2};
  int nv[3] = {2, 1, 1};
  plSapCoupling coupling = {0, 1, B};
  plSapRow row = {0, 0.01, 0, 0};
  plSapBlock block = {1, 0, NULL, &one};
  plSapConstraint con = {.law = PL_SAP_BILATERAL, .nrow = 1, .nblock = 1, .block = &block, .row = &row};
  plSapProblem problem = {.nclique = 3,
                          .clique_nv = nv,
                          .A = A,
                          .v_star = star,
                          .constraint = &con,
                          .ncoupling = 1,
                          .coupling = &coupling,
                          .impulse = r};
  plSapSolution solution = {.v = v};
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  for (int n = 0; n < 2; n++) {
    problem.nconstraint = n;
    CHECK_INT(pl_sap_solve(&problem, NULL, NULL, &solution, NULL, ws, NULL), PL_OK);
    // A (v - v_star) = r + J' gamma
    double x[4], g = n ? -v[2] / 0.01 : 0;
    for (int i = 0; i < 4; i++) x[i] = v[i] - star[i];
    CHECK_NEAR(3 * x[0] + 1 * x[1] + 0.5 * x[2], r[0], 2.9e-15);
    CHECK_NEAR(1 * x[0] + 2 * x[1] - 0.3 * x[2], r[1], 2.8e-15);
    CHECK_NEAR(0.5 * x[0] - 0.3 * x[1] + 4 * x[2], r[2] + g, 1.5e-13);
    CHECK_NEAR(5 * x[3], r[3], 1.4e-14);
  }
  pl_sap_workspace_destroy(ws);
}

static void bad_couplings_are_refused(void) {
  double one = 1, nan_block = NAN, star[2] = {0};
  const double* A[2] = {&one, &one};
  int nv[2] = {1, 1};
  plSapRow row = {0, 1, 0, 0};
  plSapBlock block = {0, 0, NULL, &one};
  plSapConstraint con = {.law = PL_SAP_BILATERAL, .nrow = 1, .nblock = 1, .block = &block, .row = &row};
  double half = 0.5, two = 2;
  plSapCoupling bad[][2] = {
      {{0, 2, &half}}, {{1, 1, &half}}, {{1, 0, &half}, {0, 1, &half}}, {{1, 0, &nan_block}}, {{1, 0, &two}}};
  plStatus want[] = {PL_ERROR_INPUT, PL_ERROR_INPUT, PL_ERROR_INPUT, PL_ERROR_NOT_FINITE,
                     PL_ERROR_INDEFINITE};
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  star[0] = 1;
  for (int i = 0; i < 5; i++) {
    plSapProblem problem = {.nclique = 2,
                            .clique_nv = nv,
                            .A = A,
                            .v_star = star,
                            .nconstraint = 1,
                            .constraint = &con,
                            .ncoupling = i == 2 ? 2 : 1,
                            .coupling = bad[i]};
    plError error = {0};
    CHECK_INT(pl_sap_solve(&problem, NULL, NULL, NULL, NULL, ws, &error), want[i]);
    CHECK(error.message[0]);
  }
  pl_sap_workspace_destroy(ws);
}

// Couplings may lead to more cliques than there are degrees of freedom, most of them empty. A tolerance below
// rounding lets the solver judge each clique's rounding.
static void empty_cliques_may_be_coupled(void) {
  enum { EMPTY = 40 };
  double A[1] = {2}, v_star[1], J[1] = {1}, v[1], gamma[1], vc[1];
  const double* all[1 + EMPTY];
  int nv[1 + EMPTY] = {1};
  plSapCoupling coupling[EMPTY];
  for (int k = 0; k <= EMPTY; k++) all[k] = A;
  for (int k = 0; k < EMPTY; k++) coupling[k] = (plSapCoupling){k + 1, 0, A};
  plSapRow row = {.v_hat = 0.3, .R = 1e-3, .lower = -0.7, .upper = 0.9};
  plSapBlock block = {.clique = 0, .J = J};
  plSapConstraint con = {.law = PL_SAP_BILATERAL, .nrow = 1, .nblock = 1, .block = &block, .row = &row};
  plSapProblem problem = {.nclique = 1 + EMPTY,
                          .clique_nv = nv,
                          .A = all,
                          .v_star = v_star,
                          .nconstraint = 1,
                          .constraint = &con,
                          .ncoupling = EMPTY,
                          .coupling = coupling};
  plSapOptions options = pl_sap_default_options();
  options.relative_tolerance = 1e-17;
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  plRandom r = {3};
  int at_rounding = 0;
  for (int k = 0; k < 100; k++) {
    plSapSolution solution = {v, gamma, vc};
    plSapReport report;
    v_star[0] = pl_random(&r, -1, 1);
    plStatus status = pl_sap_solve(&problem, &options, NULL, &solution, &report, ws, NULL);
    CHECK(status == PL_OK || status == PL_ERROR_NOT_CONVERGED);
    if (status) continue;
    at_rounding += report.at_rounding;
    // 2 (v - v*) = (v_hat - v) / R
    CHECK_NEAR(v[0], (2 * v_star[0] + row.v_hat / row.R) / (2 + 1 / row.R), 4.3e-15);
  }
  CHECK(at_rounding > 0);
  pl_sap_workspace_destroy(ws);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(cut_and_whole_agree);
  RUN(threads_give_the_same_bits);
  RUN(known_impulses_move_v_star);
  RUN(bad_couplings_are_refused);
  RUN(empty_cliques_may_be_coupled);
  return CHECK_END;
}

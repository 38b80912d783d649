// test_sticking.c: the step in which slowly sliding points are taken to stick: its model against the law of a
// cone too wide to slide, a block at rest on many points, and fast or sliding points, which it must not
// change.
#include "base/random.h"
#include "check.h"
#include "sap/workspace.h"

enum { POINTS = 24 };

typedef struct Block {
  double A[36], J[POINTS][18], v_star[6];
  int nv;
  const double* blocks[1];
  plSapBlock blk[POINTS];
  plSapConstraint con[POINTS];
  plSapProblem problem;
} Block;

// a block of 1 kg on points of the plane, with friction mu
static void block_init(Block* b, double mu) {
  plRandom random = {5};
  *b = (Block){.nv = 6, .blocks = {b->A}};
  for (int i = 0; i < 6; i++) b->A[7 * i] = i < 3 ? 1 : 0.01;
  b->problem = (plSapProblem){.nclique = 1,
                              .clique_nv = &b->nv,
                              .A = b->blocks,
                              .v_star = b->v_star,
                              .nconstraint = POINTS,
                              .constraint = b->con};
  for (int k = 0; k < POINTS; k++) {
    // v + omega x r
    double r[3], *J = b->J[k];
    r[0] = pl_random(&random, -0.2, 0.2), r[1] = pl_random(&random, -0.2, 0.2), r[2] = -0.1;
    for (int i = 0; i < 3; i++) J[4 * i] = 1;
    J[9 + 1] = -r[2], J[9 + 2] = r[1], J[12] = r[2], J[12 + 2] = -r[0], J[15] = -r[1], J[15 + 1] = r[0];
    b->blk[k] = (plSapBlock){.clique = 0, .J = J};
    b->con[k] = (plSapConstraint){.law = PL_SAP_CONE, .nrow = 3, .nblock = 1, .block = b->blk + k};
    double w = pl_sap_delassus(&b->problem, b->con + k);
    b->con[k].cone = pl_sap_cone(0.01, mu, 1e5, 0.01, -1e-5, w, 1, PL_SAP_BETA_CONTACT, PL_SAP_SIGMA);
  }
  b->v_star[2] = -0.0981;
}

static plSapReport block_solve(Block* b, const double* guess, plSapWorkspace* ws) {
  double v[6];
  plSapSolution solution = {.v = v};
  plSapReport report;
  plSapOptions options = pl_sap_quick_options();
  CHECK_INT(pl_sap_solve(&b->problem, &options, guess, &solution, &report, ws, NULL), PL_OK);
  return report;
}

// gamma and G of slow points are those of a cone so wide that nothing slides; the others keep their own
static void model_is_the_law_of_a_wide_cone(void) {
  static Block b;
  double gamma[3 * POINTS], G[9 * POINTS], g[3], H[9];
  plRandom random = {7};
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  block_init(&b, 0.5);
  (void)block_solve(&b, NULL, ws);
  int slow = 0, others = 0;
  for (int round = 0; round < 50; round++) {
    double speed = pow(10, pl_random(&random, -8, 0));
    for (int i = 0; i < 3 * POINTS; i++) ws->vc[i] = pl_random(&random, -speed, speed);
    pl_sap_laws(ws, ws->vc, NULL, ws->gamma, ws->G, ws->region, NULL);
    int n = pl_sap_sticking(ws, gamma, G), seen = 0;
    for (int k = 0; k < POINTS && n; k++) {
      const plSapCone* cone = &b.con[k].cone;
      const double* vc = ws->vc + 3 * k;
      plSapConstraint wide = b.con[k];
      bool is_slow = ws->region[k] == PL_SAP_SLIDE && vc[2] < cone->v_hat_n &&
                     hypot(vc[0], vc[1]) < 1e3 * cone->R_t * cone->mu * ws->gamma[3 * k + 2];
      if (is_slow) wide.cone.mu = 1e12;
      pl_sap_law(&wide, vc, NULL, g, H);
      for (int i = 0; i < 3; i++) CHECK_NEAR(gamma[3 * k + i], g[i], 1e-14 * fabs(g[i]));
      for (int i = 0; i < 9; i++) CHECK_NEAR(G[9 * k + i], H[i], 1e-14 * fabs(H[i]));
      seen += is_slow, others += !is_slow;
    }
    CHECK_INT(n, seen);
    slow += n;
  }
  CHECK(slow > 100 && others > 100);
  pl_sap_workspace_destroy(ws);
}

// A block at rest and a guess that slips a little everywhere: the first step puts all points to rest.
static void block_at_rest_takes_one_step(void) {
  static Block b;
  double guess[6] = {1e-3, -2e-3, -1e-4, 1e-3, -1e-3, 5e-3};
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  block_init(&b, 0.5);
  plSapReport report = block_solve(&b, guess, ws);
  CHECK_INT(report.stick, POINTS);
  CHECK(report.iterations <= 2);
  pl_sap_workspace_destroy(ws);
}

// One that slides at 2 m/s keeps sliding: nothing is taken to stick on the way.
static void fast_block_keeps_sliding(void) {
  static Block b;
  double guess[6] = {2, 0, 0, 0, 0, 0};
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  block_init(&b, 0.3);
  b.v_star[0] = 2;
  plSapReport report = block_solve(&b, guess, ws);
  CHECK_INT(report.slide + report.open, POINTS);
  CHECK(report.slide > 0 && report.factorizations <= report.iterations);
  pl_sap_workspace_destroy(ws);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(model_is_the_law_of_a_wide_cone);
  RUN(block_at_rest_takes_one_step);
  RUN(fast_block_keeps_sliding);
  return CHECK_END;
}

// test_idle.c: constraints that are expected to stay open. The result does not depend on whether the
// expectation is correct; if it is, the factor is smaller.
#include "base/memory.h"
#include "check.h"
#include "random_problem.h"

static RandomProblem p;
static double v[RANDOM_MAX_BODY * RANDOM_MAX_NV], w[RANDOM_MAX_BODY * RANDOM_MAX_NV],
    gamma_[3 * RANDOM_MAX_CON], vc[3 * RANDOM_MAX_CON];

typedef enum Hint { HINT_NONE, HINT_ALL, HINT_RIGHT } Hint;

// right ones: those without impulse in gamma_
static void set_hints(Hint hint) {
  for (int i = 0, row = 0; i < p.problem.nconstraint; row += p.con[i++].nrow) {
    bool open =
        p.con[i].law == PL_SAP_CONE && gamma_[row] == 0 && gamma_[row + 1] == 0 && gamma_[row + 2] == 0;
    p.con[i].likely_open = hint == HINT_ALL || (hint == HINT_RIGHT && open);
  }
}

static double difference(int n) {
  double size = 0, error = 0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(v[i])), error = fmax(error, fabs(v[i] - w[i]));
  return size > 0 ? error / size : 0;
}

static void hints_do_not_change_the_answer(void) {
  int smaller = 0;
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  plSapSolution solution = {w, gamma_, vc};
  for (int k = 0; k < 60; k++) {
    plRandom r = {500 + (uint64_t)k};
    plSapOptions options = pl_sap_quick_options();
    plSapReport plain, hinted;
    options.relative_tolerance = 1e-10;
    random_problem(&r, &p);
    set_hints(HINT_NONE);
    CHECK_INT(solve(&p.problem, &options, v, gamma_, vc, &plain), PL_OK);
    static const Hint hints[2] = {HINT_RIGHT, HINT_ALL};
    for (int h = 0; h < 2; h++) {
      set_hints(hints[h]);
      // from the answer itself right hints come true; from v_star many close on the way
      CHECK_INT(pl_sap_solve(&p.problem, &options, h == 0 ? v : NULL, &solution, &hinted, ws, NULL), PL_OK);
      CHECK_BELOW(difference(p.dof0[p.problem.nclique]), 8e-11, 1);
      Checked c = check_answer(&p.problem, w, gamma_, vc);
      CHECK_BELOW(c.momentum, 1e-10, 1);
      CHECK_BELOW(c.clique, 1.8e-10, 1);
      CHECK_BELOW(c.law, 2.4e-11, 1);
      CHECK_BELOW(c.velocity, 1.5e-14, 1);
      if (h == 0) smaller += hinted.nclique < plain.nclique || hinted.block_hessian < plain.block_hessian;
    }
  }
  CHECK(smaller >= 10);
  pl_sap_workspace_destroy(ws);
}

// A solve that wakes some takes the same memory each time.
static void waking_allocates_nothing_in_steady_use(void) {
  plRandom r = {9};
  do random_problem(&r, &p);
  while (p.ncontact < 100 || p.problem.nclique < 10);
  set_hints(HINT_ALL);
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  plSapSolution solution = {.v = v};
  for (int k = 0; k < 3; k++)
    CHECK_INT(pl_sap_solve(&p.problem, NULL, NULL, &solution, NULL, ws, NULL), PL_OK);
  long before = pl_alloc_count();
  for (int k = 0; k < 5; k++)
    CHECK_INT(pl_sap_solve(&p.problem, NULL, NULL, &solution, NULL, ws, NULL), PL_OK);
  CHECK_INT(pl_alloc_count() - before, 0);
  pl_sap_workspace_destroy(ws);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(hints_do_not_change_the_answer);
  RUN(waking_allocates_nothing_in_steady_use);
  return CHECK_END;
}

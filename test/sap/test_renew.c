// test_renew.c: a factor that is renewed where G changed has the bits of a complete factorization, and only
// the supernodes on the paths from the changed ones to the roots are factored.
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "check.h"
#include "factored.h"
#include "random_problem.h"

static RandomProblem random_one;
static Arch arch;

static void scale_G(plSapWorkspace* ws, int i, double by) {
  for (int k = ws->lay.con_G0[i]; k < ws->lay.con_G0[i + 1]; k++) ws->G[k] *= by;
}

static bool is_fixed(const plSapProblem* problem, int i) {
  return problem->constraint[i].law == PL_SAP_BILATERAL;
}

// The cliques whose columns of L change with those of constraint i, by elimination on the whole matrix of
// cliques: row by row, as in a textbook.
static void spread(const plSapWorkspace* ws, bool* changed) {
  const plSapPattern* p = &ws->pattern;
  int n = p->npos;
  bool* L = calloc((size_t)n * (size_t)n, sizeof *L);
  for (int k = 0; k < p->nentry; k++) L[p->entry[k].row + n * p->entry[k].col] = true;
  for (int j = 0; j < n; j++)
    for (int a = j + 1; a < n; a++) {
      if (!L[a + n * j]) continue;
      changed[a] |= changed[j];
      for (int b = a; b < n; b++) L[b + n * a] |= L[b + n * j];
    }
  free(L);
}

// How many supernodes hold a clique whose column changes.
static int expected(const plSapWorkspace* ws, const bool* changed) {
  const plSapPattern* p = &ws->pattern;
  int n = 0;
  for (int s = 0; s < p->nsuper; s++) {
    bool any = false;
    for (int k = p->super_pos0[s]; k < p->super_pos0[s + 1]; k++) any |= changed[k];
    n += any;
  }
  return n;
}

// Changes `count` of the constraints, renews in one workspace and makes whole in another.
static void compare(const plSapProblem* problem, plRandom* r, int count, int* renewed, int* nodes) {
  plSapReport report, whole;
  plSapOptions options = pl_sap_default_options();
  plSapWorkspace *ws = factored_by(pl_sap_wake_closed, problem, &report),
                 *other = factored_by(pl_sap_wake_closed, problem, &whole);
  bool* changed = calloc((size_t)ws->pattern.npos + 1, sizeof *changed);
  for (int k = 0; k < count; k++) {
    int i = pl_random_int(r, problem->nconstraint);
    double by = pl_random(r, 0.1, 10);
    if (is_fixed(problem, i) || ws->G[ws->lay.con_G0[i + 1] - 1] == 0) continue;
    scale_G(ws, i, by), scale_G(other, i, by);
    for (int b = ws->lay.con_blk0[i]; b < ws->lay.con_blk0[i + 1]; b++) {
      int at = ws->pattern.clique_pos[ws->lay.blk[b].clique];
      if (at >= 0) changed[at] = true;
    }
  }
  int before = report.renewed_nodes;
  other->factored = false;
  CHECK_INT(pl_sap_renew_factor(ws, &options, &report), -1);
  CHECK_INT(pl_sap_renew_factor(other, &options, &whole), -1);
  spread(ws, changed);
  // at least those; merged supernodes have rows of zeros, which may lie on the path of a neighbour
  CHECK(report.renewed_nodes - before >= expected(ws, changed));
  CHECK_INT(whole.renewed_nodes, whole.factor_nodes);
  CHECK(memcmp(ws->panel, other->panel, ws->pattern.size * sizeof(double)) == 0);
  *renewed += report.renewed_nodes - before, *nodes += report.factor_nodes / 2;
  free(changed);
  pl_sap_workspace_destroy(ws), pl_sap_workspace_destroy(other);
}

static void random_problems_have_the_bits_of_a_whole_factor(void) {
  int renewed = 0, nodes = 0;
  for (int k = 0; k < 80; k++) {
    plRandom r = {900 + (uint64_t)k};
    random_problem(&r, &random_one);
    if (random_one.problem.nconstraint == 0) continue;
    compare(&random_one.problem, &r, k % 4 ? 1 + k % 7 : 0, &renewed, &nodes);
  }
  CHECK(renewed > 0 && renewed < nodes);
}

// In a chain of stones a change costs the path to the root: on average half of the longer arm, or less.
static void an_arch_renews_the_path_to_the_root(void) {
  int renewed = 0, nodes = 0;
  plRandom r = {3};
  arch_init(&arch, 1, 0.04);
  arch_problem(&arch);
  for (int k = 0; k < 40; k++) compare(&arch.problem, &r, 1, &renewed, &nodes);
  arch_advance(&arch, arch.v);
  arch_problem(&arch);
  for (int k = 0; k < 40; k++) compare(&arch.problem, &r, 1, &renewed, &nodes);
  CHECK(renewed > 0 && renewed <= 0.6 * nodes);
}

// Nothing changed, nothing is factored, and the factor stays.
static void what_is_the_same_is_not_touched(void) {
  plSapReport report;
  plSapOptions options = pl_sap_default_options();
  arch_init(&arch, 1, 0.04);
  arch_problem(&arch);
  plSapWorkspace* ws = factored_by(pl_sap_wake_closed, &arch.problem, &report);
  int before = report.renewed_nodes;
  double* panel = malloc(ws->pattern.size * sizeof *panel);
  memcpy(panel, ws->panel, ws->pattern.size * sizeof *panel);
  CHECK_INT(pl_sap_renew_factor(ws, &options, &report), -1);
  CHECK_INT(report.renewed_nodes, before);
  CHECK(memcmp(panel, ws->panel, ws->pattern.size * sizeof *panel) == 0);
  free(panel);
  pl_sap_workspace_destroy(ws);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(random_problems_have_the_bits_of_a_whole_factor);
  RUN(an_arch_renews_the_path_to_the_root);
  RUN(what_is_the_same_is_not_touched);
  return CHECK_END;
}

// test_groups.c: problems that fall into groups: the answer meets the balance of the whole, found by a check
// that shares no code with the solver; threads change no bit; a failure is that of the whole problem.
#include "sap/groups.h"

#include "base/parallel.h"
#include "check.h"
#include "random_problem.h"

enum { PROBLEMS = CHECK_MEMBERS(120), NV = RANDOM_MAX_BODY * RANDOM_MAX_NV, NROW = 3 * RANDOM_MAX_CON };

typedef struct Answer {
  double v[NV], gamma[NROW], vc[NROW], shift[3 * RANDOM_MAX_CON];
} Answer;

static RandomProblem sample;
static Answer one, many;

static plStatus run(const plSapProblem* p, bool coulomb, plPool* pool, Answer* a, plSapReport* report) {
  plError error;
  plSapWorkspace* ws = pl_sap_workspace_create(&error);
  plSapSolution solution = {a->v, a->gamma, a->vc};
  plSapOptions options = pl_sap_default_options();
  plSapCoulomb rule = pl_sap_default_coulomb();
  rule.shift = a->shift;
  options.pool = pool;
  memset(a, 0, sizeof *a);
  plStatus status =
      pl_sap_solve_groups(p, &options, coulomb ? &rule : NULL, sample.v0, &solution, report, ws, &error);
  pl_sap_workspace_destroy(ws);
  return status;
}

static void answers_balance_the_whole(void) {
  plRandom r = {11};
  int together = 0;
  for (int i = 0; i < PROBLEMS; i++) {
    plSapReport report, whole;
    random_problem(&r, &sample);
    plStatus status = run(&sample.problem, false, NULL, &one, &report);
    CHECK_INT(status, PL_OK);
    if (status) continue;
    plSapOptions options = pl_sap_default_options();
    CHECK_INT(solve(&sample.problem, &options, many.v, many.gamma, many.vc, &whole), PL_OK);
    together += report.iterations < whole.iterations;
    CHECK_INT(report.nconstraint, whole.nconstraint);
    CHECK_INT(report.stick + report.slide + report.open, whole.stick + whole.slide + whole.open);
    CHECK_NEAR(report.cost, whole.cost, 5.3e-9 * fabs(whole.cost));
    if (report.at_rounding) continue;
    Checked c = check_answer(&sample.problem, one.v, one.gamma, one.vc);
    // each group is within its tolerance of the larger of two lengths, and the sum of squares of the larger
    // ones is at most twice the larger sum
    CHECK_BELOW(c.momentum, 1.4e-6, 1);
    CHECK_BELOW(c.clique, 1.01e-6, 1);
    CHECK_BELOW(c.velocity, 1.5e-14, 1);
  }
  CHECK(together > PROBLEMS / 20);  // several groups, each with fewer steps than all of them at once
}

static void threads_change_no_bit_of(bool coulomb) {
  plRandom r = {12};
  plPool* pool[] = {pl_pool_create(2), pl_pool_create(5)};
  for (int i = 0; i < PROBLEMS / 4; i++) {
    plSapReport first, report;
    random_problem(&r, &sample);
    plStatus status = run(&sample.problem, coulomb, NULL, &one, &first);
    for (int k = 0; k < 2; k++) {
      CHECK_INT(run(&sample.problem, coulomb, pool[k], &many, &report), status);
      CHECK(!memcmp(&one, &many, sizeof one));
      CHECK_INT(report.iterations, first.iterations);
    }
  }
  pl_pool_destroy(pool[0]), pl_pool_destroy(pool[1]);
}

static void threads_change_no_bit(void) { threads_change_no_bit_of(false), threads_change_no_bit_of(true); }

static void what_fails_fails_as_a_whole(void) {
  plRandom r = {13};
  for (int i = 0; i < 20; i++) {
    plSapReport report, whole;
    random_problem(&r, &sample);
    const plSapConstraint* con = &sample.con[pl_random_int(&r, sample.problem.nconstraint)];
    int clique = con->block[0].clique, at = 0;
    for (int c = 0; c < clique; c++) at += sample.nv[c];
    sample.v_star[at] = NAN;
    plSapOptions options = pl_sap_default_options();
    plStatus expected = solve(&sample.problem, &options, many.v, many.gamma, many.vc, &whole);
    CHECK(expected != PL_OK);
    CHECK_INT(run(&sample.problem, false, NULL, &one, &report), expected);
    CHECK_INT(report.worst_clique, whole.worst_clique);
    CHECK_INT(report.worst_constraint, whole.worst_constraint);
    for (int k = 0; k < NV; k++) CHECK(one.v[k] == 0);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(answers_balance_the_whole);
  RUN(threads_change_no_bit);
  RUN(what_fails_fails_as_a_whole);
  return CHECK_END;
}

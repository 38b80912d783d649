// sap_renew.h: what it costs to renew the factor of the Hessian after k of its points have changed, beside
// making it whole: assembling and factoring, in turns.
#ifndef PL_BENCH_SAP_RENEW_H
#define PL_BENCH_SAP_RENEW_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/timer.h"
#include "sap/newton.h"

// G of `count` points that push, picked at random, is scaled.
static void renew_change(plSapWorkspace* ws, plRandom* r, int count) {
  for (int k = 0, tries = 0; k < count && tries < 100 * count; tries++) {
    int i = pl_random_int(r, ws->lay.nconstraint);
    double by = pl_random(r, 0.5, 2), *G = ws->G;
    if (ws->problem->constraint[i].law == PL_SAP_BILATERAL || G[ws->lay.con_G0[i + 1] - 1] == 0) continue;
    for (int q = ws->lay.con_G0[i]; q < ws->lay.con_G0[i + 1]; q++) G[q] *= by;
    k++;
  }
}

static int renew_compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// Median of the ratios of renewing to making whole after k points changed, each in a workspace of its own,
// and the share of supernodes.
static double renew_ratio(plSapWorkspace* const ws[2], const plSapOptions* options, int k, double* share) {
  enum { ROUNDS = 41 };
  double ratio[ROUNDS];
  plRandom r[2] = {{7 + (uint64_t)k}, {7 + (uint64_t)k}};
  plSapReport report[2] = {{0}};
  for (int round = 0; round < ROUNDS; round++) {
    double spent[2];
    for (int whole = 0; whole < 2; whole++) {
      renew_change(ws[whole], r + whole, k);
      if (whole) ws[whole]->factored = false;
      double t0 = pl_now();
      (void)pl_sap_renew_factor(ws[whole], options, report + whole);
      spent[whole] = pl_now() - t0;
    }
    ratio[round] = spent[0] / spent[1];
  }
  *share = (double)report[0].renewed_nodes / report[0].factor_nodes;
  qsort(ratio, ROUNDS, sizeof *ratio, renew_compare);
  return ratio[ROUNDS / 2];
}

// The problem at its solution; most: points to change at most.
static void renew_table(const char* name, const plSapProblem* problem, int most) {
  plSapOptions options = pl_sap_default_options();
  plSapWorkspace* ws[2];
  plStatus status = PL_OK;
  for (int i = 0; i < 2; i++) {
    ws[i] = pl_sap_workspace_create(NULL);
    status = status ? status : pl_sap_solve(problem, &options, NULL, NULL, NULL, ws[i], NULL);
  }
  printf("%-11s %4d points, k changed: time (supernodes) of a whole factor:", name, problem->nconstraint);
  for (int k = 1; k <= most && !status; k *= 4) {
    double share, ratio = renew_ratio(ws, &options, k, &share);
    printf("  %d: %.2f (%.2f)", k, ratio, share);
  }
  printf("\n");
  for (int i = 0; i < 2; i++) pl_sap_workspace_destroy(ws[i]);
}

#endif

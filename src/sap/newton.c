// newton.c: Newton's method with a line search on the unconstrained convex problem (section VI).
//
//     until |A (v - v_star) - J' gamma(v)| is small:            stop.c, residual.c
//         gamma, G, gradient of the cost at v                   evaluate.c
//         dv = -H^-1 gradient,  H = A + J' G J                  direction.c
//         alpha = argmin of the cost along dv                   search.c
//         v += alpha dv
//
// The unknown is x = v - v_star, so that momentum A x and impulses J' gamma are compared without the large
// common part of v. Remedies for slow convergence are in stall.c; direction.c (reuse of factors), renew.c
// and low_rank.c (changes of factors), exact.c and grow.c (laws of few constraints within a step) and idle.c
// (constraints that stay open) save time.
#include <math.h>

#include "base/error.h"
#include "base/timer.h"
#include "sap/newton.h"
#include "sap/report.h"

static plStatus fail_to_converge(plSapWorkspace* ws, plSapReport* report, double ratio, plError* error) {
  report->worst_constraint = pl_sap_blame(ws, report->worst_clique);
  return pl_fail(error, PL_ERROR_NOT_CONVERGED,
                 "not converged after %d iterations: residual %.3g times the tolerance, worst at clique %d, "
                 "constraint %d",
                 report->iterations, ratio, report->worst_clique, report->worst_constraint);
}

static plStatus fail_to_factor(plSapReport* report, int clique, plError* error) {
  report->worst_clique = clique;
  return pl_fail(error, PL_ERROR_INDEFINITE,
                 "the Hessian has no Cholesky factor at clique %d: is its A positive definite?", clique);
}

// x, vc and p after a step
static void take_step(plSapWorkspace* ws, double alpha, plSapReport* report) {
  const plSapLayout* lay = &ws->lay;
  for (int i = 0; i < lay->nv; i++) ws->x[i] += alpha * ws->dx[i], ws->p[i] += alpha * ws->dp[i];
  ws->p_exact = false;
  if (!ws->carried)
    pl_sap_update_constraint_velocity(ws);
  else
    for (int i = 0; i < lay->nrow; i++) ws->vc[i] += alpha * ws->dvc[i];
  report->iterations++;
}

plStatus pl_sap_iterate(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                        plError* error) {
  plSapProgress progress = pl_sap_begin_progress(ws);
  plSapStall stall = pl_sap_begin_stall();
  for (;;) {
    PL_TIMED(report->time_law, pl_sap_evaluate(ws, options->pool));
    plStatus status = pl_sap_wake_closed(ws, options, report, error);
    if (status) return status;

    plSapVerdict verdict = pl_sap_judge(ws, options, &progress, report);
    if (verdict == PL_SAP_CONVERGED) return PL_OK;
    if (verdict == PL_SAP_NOT_FINITE) return pl_sap_fail_not_finite(ws, report, error);
    if (verdict == PL_SAP_STUCK) return fail_to_converge(ws, report, progress.ratio, error);

    if (pl_sap_wants_interior(ws, options, report, &stall)) {
      status = pl_sap_interior_phase(ws, options, report, &stall, error);
      if (status) return status;
      continue;
    }
    plSapSearch search;
    bool sticking = pl_sap_wants_sticking(options, report, &stall);
    int bad = pl_sap_find_step(ws, options, report, &progress, sticking, &search);
    if (bad >= 0) return fail_to_factor(report, bad, error);
    if (!isfinite(search.alpha)) return pl_sap_fail_not_finite(ws, report, error);
    pl_sap_note_search(ws, &progress, &stall, &search);
    take_step(ws, search.alpha, report);
  }
}

// stop.c: when Newton's method stops: converged, at rounding, stuck, or not finite.
//
// residual and its history -> verdict; p is recomputed where its rounding would decide
#include "sap/newton.h"

#include <math.h>

#include "sap/report.h"

enum {
  PATIENCE = 400,
  NOISY = 4
};  // iterations without a new smallest residual; steps with a slope below rounding
static const double NEAR =
    1000;  // ratio of the residual to its tolerance from which on options.patience holds
static const double PROGRESS =
    0.5;  // an iteration that leaves more than this fraction of the residual is slow
static const double SAME_RATIO = 0.1;  // relative difference of residuals that rounding of p may cause

plSapProgress pl_sap_begin_progress(plSapWorkspace* ws) {
  ws->p_exact = true, ws->p_product = false;
  return (plSapProgress){.ratio = INFINITY, .best = INFINITY};
}

// Computes p = A x and the residual from it. If the residual changes, the steps have left too much rounding
// in p; from then on their momentum is computed by products with A.
static double renew_momentum(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                             double ratio) {
  pl_sap_mul_A(ws, ws->x, ws->p);
  pl_sap_gradient(ws);
  ws->p_exact = true;
  double exact = pl_sap_residual(ws, options, report);
  if (exact > 1 && !(fabs(exact - ratio) < SAME_RATIO * exact)) ws->p_product = true;
  return exact;
}

// R is so small that rounding of vc = J (v_star + x) alone makes the impulses wrong. From then on vc is
// updated by the steps. It stays within that rounding of J v, and resolves R gamma.
static void carry_velocity(plSapWorkspace* ws, plSapProgress* progress, plSapReport* report) {
  ws->carried = true, report->at_rounding = 1;
  progress->noisy = 0, progress->best_at = report->iterations;
}

plSapVerdict pl_sap_judge(plSapWorkspace* ws, const plSapOptions* options, plSapProgress* progress,
                          plSapReport* report) {
  double ratio = pl_sap_residual(ws, options, report), before = progress->ratio;
  // p is the sum of its steps; if the verdict depends on it, it is computed again.
  if (!ws->p_exact && !(ratio > 1 && ratio <= PROGRESS * before))
    ratio = renew_momentum(ws, options, report, ratio);
  progress->ratio = ratio;
  if (!isfinite(ratio)) return PL_SAP_NOT_FINITE;
  if (ratio <= 1) return PL_SAP_CONVERGED;
  progress->slow = ratio > PROGRESS * before;
  if (progress->slow && pl_sap_at_rounding(ws, options, report, false)) return PL_SAP_CONVERGED;
  if (ratio < progress->best) progress->best = ratio, progress->best_at = report->iterations;

  int patience = progress->best <= NEAR ? options->patience : PATIENCE;
  bool noisy = progress->noisy >= NOISY, tired = report->iterations - progress->best_at > patience;
  if ((noisy && ws->carried) || tired) {
    if (pl_sap_at_rounding(ws, options, report, true)) return PL_SAP_CONVERGED;
    if (ws->carried) return PL_SAP_STUCK;
  }
  // before the solve gives up too: it has the same patience once more
  if (noisy || tired) carry_velocity(ws, progress, report);
  return report->iterations >= options->max_iterations ? PL_SAP_STUCK : PL_SAP_GO_ON;
}

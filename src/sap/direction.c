// direction.c: one step of Newton's method: its direction and its length.
//
// x, p, vc, gamma, G, grad -> dx, dp, dvc, alpha
#include <math.h>

#include "base/timer.h"
#include "sap/newton.h"

static const double REUSE_MARGIN = 0.3;
static const double LEFT = 0.01;  // an exact step is solved to this fraction of the tolerance

// How much the laws' Hessians differ from those that were factored: max_i |G_i - G_i'| / |G_i'|; infinite
// where G_i' is zero and G_i is not. An exact step follows the laws of constraints in `low` itself.
double pl_sap_hessian_change(const plSapWorkspace* ws, bool exact) {
  const plSapLayout* lay = &ws->lay;
  double change2 = 0;
  for (int i = 0, q = 0; i < lay->nconstraint; i++) {
    while (q < ws->low.n && ws->low.con[q] < i) q++;
    if (exact && q < ws->low.n && ws->low.con[q] == i) continue;
    double d2 = 0, g2 = 0;
    for (int k = lay->con_G0[i]; k < lay->con_G0[i + 1]; k++) {
      double d = ws->G[k] - ws->G_factored[k];
      d2 += d * d, g2 += ws->G_factored[k] * ws->G_factored[k];
    }
    if (d2 > 0) change2 = fmax(change2, d2 / g2);
  }
  return sqrt(change2);
}

// dp = A dx = -grad - J' G J dx, since dx solves (A + J' G J) dx = -grad with the G that was factored: no
// product with the dense A is needed. Rounding errors of the solve and of stiff G accumulate in p until it is
// computed again. If the factor has a low-rank change, G is the one of the panels and the change adds -s;
// this holds even if s has large rounding errors.
static void momentum_of_step(plSapWorkspace* ws) {
  const plSapLayout* lay = &ws->lay;
  double* f = ws->ls_vc;
  for (int i = 0; i < lay->nconstraint; i++) {
    int r0 = lay->con_row0[i], n = lay->con_row0[i + 1] - r0;
    const double *d = ws->dvc + r0, *G = ws->G_panel + lay->con_G0[i];
    if (pl_sap_is_contact(ws->problem->constraint[i].law))
      for (int r = 0; r < 3; r++) f[r0 + r] = G[r] * d[0] + G[r + 3] * d[1] + G[r + 6] * d[2];
    else
      for (int r = 0; r < n; r++) f[r0 + r] = G[r] * d[r];
  }
  for (int k = 0; k < ws->low.n; k++) {
    int i = ws->low.con[k], row = ws->low.row[k];
    f[lay->con_row0[i] + row - ws->low.first[i]] -= ws->low.s[row];
  }
  pl_sap_mul_Jt(ws, f, ws->dp);
  for (int i = 0; i < lay->nv; i++) ws->dp[i] = -ws->grad[i] - ws->dp[i];
}

// dx = -H^-1 grad, dvc = J dx, dp = A dx
static void solve_for_step(plSapWorkspace* ws, const plSapOptions* options, double exact) {
  pl_sap_exact_step(ws, options, exact);
  if (ws->p_product)
    pl_sap_mul_A(ws, ws->dx, ws->dp);
  else
    momentum_of_step(ws);
}

// Newton's direction; returns the clique whose pivot failed, or -1. With the factor of a Hessian that differs
// by a fraction theta, a step leaves about theta of the residual. The old factor is used if that meets the
// tolerance (theta ratio < 1, with a margin). The line search descends with any positive definite factor, and
// the stopping test judges the result.
static int direction(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                     const plSapProgress* progress) {
  // If rounding keeps exact steps from making progress, the step follows the tangents. A step that the search
  // shortened made little progress for another reason.
  bool exact = !progress->slow || progress->cut;
  double ratio = progress->ratio;
  bool serves =
      ws->factored && !ws->stale && pl_sap_hessian_change(ws, exact && ws->low.solved) * ratio < REUSE_MARGIN;
  int bad = serves ? -1 : pl_sap_follow_G(ws, options, report);
  if (bad < 0) PL_TIMED(report->time_solve, solve_for_step(ws, options, exact ? LEFT / ratio : 0));
  return bad;
}

// The direction to the minimum of the model in which slowly sliding points stick (sticking.c). Returns the
// clique whose pivot failed, or -1.
static int sticking_direction(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                              const plSapProgress* progress) {
  double* G = ws->G;
  pl_sap_mul_Jt(ws, ws->stick_gamma, ws->dp);
  for (int i = 0; i < ws->lay.nv; i++) ws->grad[i] = ws->p[i] - ws->dp[i];
  ws->G = ws->stick_G, ws->model_gamma = ws->stick_gamma;
  int bad = direction(ws, options, report, progress);
  ws->G = G;
  pl_sap_gradient(ws);
  return bad;
}

static plSapSearch search_along(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report) {
  plSapSearch search;
  PL_TIMED(report->time_search, search = pl_sap_search(ws, options));
  report->search_evaluations += search.evaluations;
  return search;
}

int pl_sap_find_step(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                     const plSapProgress* progress, bool sticking, plSapSearch* search) {
  // An old factor is kept as long as it makes progress: the change of the laws' Hessians says little if a few
  // stiff directions dominate it and the soft ones matter.
  if (progress->slow) ws->stale = true;
  if (sticking && pl_sap_sticking(ws, ws->stick_gamma, ws->stick_G)) {
    int bad = sticking_direction(ws, options, report, progress);
    if (bad >= 0) return bad;
    *search = search_along(ws, options, report);
    if (isfinite(search->alpha) && !search->noise) return -1;
  }
  ws->model_gamma = ws->gamma;
  int bad = direction(ws, options, report, progress);
  if (bad < 0) *search = search_along(ws, options, report);
  return bad;
}

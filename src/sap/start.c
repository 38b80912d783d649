// start.c: the initial velocity of Newton's method.
//
// v_star, v_guess, vc0 = J v_star -> vc0 = J v_star + b, x, p, vc
#include <string.h>

#include "sap/workspace.h"

// All terms of the cost are positive. If the momentum term of a clique alone costs more than the whole cost
// at x = 0, the guess for that clique is useless and is set to 0; without it (for example a heavy driven
// body) the guess for the others may still be good. Returns whether any is left.
static bool forget_costly(plSapWorkspace* ws, double cold) {
  const plSapLayout* lay = &ws->lay;
  bool any = false;
  for (int k = 0; k < ws->pattern.npos; k++) {
    int c = ws->pattern.pos_clique[k], begin = lay->clique_dof0[c], end = lay->clique_dof0[c + 1];
    double cost = 0;
    for (int i = begin; i < end; i++) cost += 0.5 * ws->x[i] * ws->p[i];
    if (cost <= cold)
      any = true;
    else
      memset(ws->x + begin, 0, (size_t)(end - begin) * sizeof *ws->x);
  }
  return any;
}

// Whether the cost at x is at most that at x = 0. The laws at x are those of the first iteration.
static bool is_good_start(plSapWorkspace* ws, double cold) {
  pl_sap_update_velocity(ws);
  return ws->evaluated = pl_sap_evaluate_laws(ws, ws->pool) <= cold;
}

// x = guess, the useful part of it, or 0: the first that does not cost more than 0
void pl_sap_start(plSapWorkspace* ws, const double* v_guess, plSapReport* report) {
  const plSapLayout* lay = &ws->lay;
  const double* v_star = ws->v_star;
  for (int i = 0; i < lay->nconstraint; i++) {
    const plSapConstraint* con = ws->problem->constraint + i;
    for (int r = 0; con->bias && r < con->nrow; r++) ws->vc0[lay->con_row0[i] + r] += con->bias[r];
  }
  memset(ws->x, 0, (size_t)lay->nv * sizeof *ws->x);
  memset(ws->p, 0, (size_t)lay->nv * sizeof *ws->p);
  if (!v_guess) {
    pl_sap_update_velocity(ws);
    return;
  }
  double cold = pl_sap_cost(ws, ws->x, ws->p, ws->vc0);
  for (int k = 0; k < ws->pattern.npos; k++) {
    int c = ws->pattern.pos_clique[k];
    for (int i = lay->clique_dof0[c]; i < lay->clique_dof0[c + 1]; i++) ws->x[i] = v_guess[i] - v_star[i];
  }
  report->warm_start = is_good_start(ws, cold);
  if (!report->warm_start) report->warm_start = forget_costly(ws, cold) && is_good_start(ws, cold);
  if (report->warm_start) return;
  memset(ws->x, 0, (size_t)lay->nv * sizeof *ws->x);
  pl_sap_update_velocity(ws);
}

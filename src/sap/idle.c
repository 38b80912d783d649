// idle.c: constraints that are expected to stay open; they are left out of the Hessian until they close.
//
// region -> con_idle, pattern and everything derived from it
#include "sap/newton.h"
#include "sap/report.h"

// Cliques that no constraint touched before have x = 0.
static plStatus wake(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report, bool all,
                     plError* error) {
  bool any = false;
  for (int i = 0; i < ws->lay.nconstraint; i++) {
    if (!ws->lay.con_idle[i] || !(all || ws->region[i] != PL_SAP_OPEN)) continue;
    any = true, ws->lay.con_idle[i] = false;
  }
  if (!any) return PL_OK;
  ws->factored = false;
  plStatus status = pl_sap_set_up_pattern(ws, options, report, error);
  if (status) return status;
  pl_sap_scale(ws);
  pl_sap_mul_A(ws, ws->v_star, ws->Av_star);
  status = pl_sap_check_A(ws, ws->Av_star, report, error);
  if (status) return status;
  pl_sap_mul_A(ws, ws->x, ws->p);
  pl_sap_gradient(ws);
  return PL_OK;
}

plStatus pl_sap_wake_closed(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                            plError* error) {
  return wake(ws, options, report, false, error);
}

plStatus pl_sap_wake_all(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                         plError* error) {
  return wake(ws, options, report, true, error);
}

// report.h: residuals (residual.c), and what a report says afterwards (report.c).
#ifndef PL_SAP_REPORT_H
#define PL_SAP_REPORT_H

#include "sap/workspace.h"

void pl_sap_scale(plSapWorkspace* ws);  // S = diag(A)^-1/2

// The largest ratio of a residual to what the stopping test allows it: converged if <= 1. Fills in residuals
// and worst ids.
double pl_sap_residual(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report);

// Whether every residual is within the stopping test plus the rounding of gamma itself. Where the iteration
// is stuck the scale of the whole counts impulses one by one. Sets report->at_rounding.
bool pl_sap_at_rounding(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report, bool stuck);

// The constraint that gives most impulse to a clique, -1: none.
int pl_sap_blame(plSapWorkspace* ws, int clique);

// Names the first constraint whose velocity or impulse is not finite, or the first such clique.
plStatus pl_sap_fail_not_finite(const plSapWorkspace* ws, plSapReport* report, plError* error);

// Contact figures and cost at the solution.
void pl_sap_describe(plSapWorkspace* ws, plSapReport* report);

#endif

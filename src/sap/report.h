// report.h: residuals (residual.c) and the contents of the report (report.c).
#ifndef PL_SAP_REPORT_H
#define PL_SAP_REPORT_H

#include "sap/workspace.h"

void pl_sap_scale(plSapWorkspace* ws);  // S = diag(A)^-1/2

// The largest ratio of a residual to its tolerance in the stopping test; converged if <= 1. Fills in
// residuals and worst ids.
double pl_sap_residual(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report);

// The residual of the whole problem relative to its scale, without those of cliques.
double pl_sap_momentum_residual(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report);

// Whether every residual is within the stopping test plus the rounding error of gamma itself. If the
// iteration is stuck, the scale of the whole problem sums impulses one by one. Sets report->at_rounding.
bool pl_sap_at_rounding(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report, bool stuck);

// The constraint with the largest impulse on a clique, -1: none.
int pl_sap_blame(plSapWorkspace* ws, int clique);

// Names the first constraint whose velocity or impulse is not finite, or the first such clique.
plStatus pl_sap_fail_not_finite(const plSapWorkspace* ws, plSapReport* report, plError* error);

// Adds the contact figures of a constraint, if it is a contact.
void pl_sap_describe_point(const plSapConstraint* con, const double* vc, const double* gamma,
                           plSapRegion region, plSapReport* report);
// Contact figures and cost at the solution.
void pl_sap_describe(plSapWorkspace* ws, plSapReport* report);

#endif

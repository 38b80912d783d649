// interior.h: the interior-point phase for problems on which Newton's method makes no progress.
#ifndef PL_SAP_INTERIOR_H
#define PL_SAP_INTERIOR_H

#include "sap/report.h"

// Whether every law has a conic form.
bool pl_sap_interior_possible(const plSapWorkspace* ws);

// Moves from the present x to one near the optimum with a relative residual of at most `done`, if that lowers
// the cost; returns whether it did. Each factorization counts as an iteration. The panels, gradient and
// velocities are overwritten; the caller must compute them again.
bool pl_sap_interior(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report, double done);

#endif

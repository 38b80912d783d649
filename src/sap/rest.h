// rest.h: a guess that is the solution.
#ifndef PL_SAP_REST_H
#define PL_SAP_REST_H

#include <stdbool.h>

#include "pliant/sap.h"

// Whether v_guess solves the convex problem. If it does, it is the solution, found without an iteration.
// False: it does not, or the test was not worth trying; the problem must be solved.
bool pl_sap_rests(const plSapProblem* problem, const plSapOptions* options, const double* v_guess,
                  plSapSolution* solution, plSapReport* report, plSapWorkspace* workspace);

#endif

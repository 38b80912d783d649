// rest.h: a guess that is the solution.
#ifndef PL_SAP_REST_H
#define PL_SAP_REST_H

#include <stdbool.h>

#include "pliant/sap.h"

// Whether v_guess solves the convex problem, which is then its answer, with no iteration. False: not, or not
// tried; a solve will find out.
bool pl_sap_rests(const plSapProblem* problem, const plSapOptions* options, const double* v_guess,
                  plSapSolution* solution, plSapReport* report, plSapWorkspace* workspace);

#endif

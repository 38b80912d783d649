// groups.h: a problem whose cliques form independent groups is solved group by group.
#ifndef PL_SAP_GROUPS_H
#define PL_SAP_GROUPS_H

#include "pliant/sap.h"

typedef struct plSapGroups plSapGroups;

// Like pl_sap_solve (coulomb NULL) or pl_sap_solve_coulomb. Cliques that constraints or couplings connect
// form a group, which is solved as a problem of its own with its own iterations and stopping test; threads
// solve several groups at a time. The report holds the largest numbers of iterations and rounds of any group,
// the worst residual, and the sums of the other counts. The whole problem is solved at once if there is only
// one group, if impulses are known, or if a group fails.
plStatus pl_sap_solve_groups(const plSapProblem* problem, const plSapOptions* options,
                             const plSapCoulomb* coulomb, const double* v_guess, plSapSolution* solution,
                             plSapReport* report, plSapWorkspace* workspace, plError* error);
void pl_sap_groups_destroy(plSapGroups* groups);

#endif

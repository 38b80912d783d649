// groups.h: a problem whose cliques form independent groups is solved group by group.
#ifndef PL_SAP_GROUPS_H
#define PL_SAP_GROUPS_H

#include "pliant/sap.h"

typedef struct plSapGroups plSapGroups;

// As pl_sap_solve (coulomb NULL) or pl_sap_solve_coulomb. Groups of cliques that constraints or couplings tie
// together are problems of their own, each with its own steps and stopping test, and threads solve several at
// a time. The report has the most iterations and rounds of a group, the worst residual, and sums of other
// counts. One group, known impulses, or a group that fails: the whole problem is solved at once.
plStatus pl_sap_solve_groups(const plSapProblem* problem, const plSapOptions* options,
                             const plSapCoulomb* coulomb, const double* v_guess, plSapSolution* solution,
                             plSapReport* report, plSapWorkspace* workspace, plError* error);
void pl_sap_groups_destroy(plSapGroups* groups);

#endif

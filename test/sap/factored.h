// factored.h: a workspace whose Hessian is factored at the first guess, for tests of what follows the first
// factorization. All constraints are awake, or those that `wake` chooses.
#ifndef TEST_SAP_FACTORED_H
#define TEST_SAP_FACTORED_H

#include <string.h>

#include "check.h"
#include "sap/newton.h"

typedef plStatus Wake(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report, plError* error);

static inline plSapWorkspace* factored_by(Wake* wake, const plSapProblem* problem, plSapReport* report) {
  plSapOptions options = pl_sap_default_options();
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  memset(report, 0, sizeof *report);
  CHECK_INT(pl_sap_set_up(ws, problem, &options, report, NULL), PL_OK);
  pl_sap_start(ws, NULL, report);
  pl_sap_evaluate(ws, NULL);
  CHECK_INT(wake(ws, &options, report, NULL), PL_OK);
  CHECK_INT(pl_sap_renew_factor(ws, &options, report), -1);
  return ws;
}

static inline plSapWorkspace* factored(const plSapProblem* problem, plSapReport* report) {
  return factored_by(pl_sap_wake_all, problem, report);
}

#endif

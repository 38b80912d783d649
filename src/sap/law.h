// law.h: the laws of constraints as the solver uses them. Each has a cost l(vc), an impulse gamma = -dl/dvc
// and a Hessian G = d2l/dvc2.
//
// G is 3 x 3 (column-major, symmetric) for contact laws (pl_sap_is_contact) and diagonal for laws of single
// rows. Each law has its own file, which begins with its derivation, and its cases in law.c.
#ifndef PL_SAP_LAW_H
#define PL_SAP_LAW_H

#include <stdbool.h>

#include "pliant/sap.h"

// The region of the law that vc lies in. A contact is open, sticks or slides. For single rows open means
// inactive, stick active and slide saturated.
typedef enum plSapRegion { PL_SAP_OPEN = 0, PL_SAP_SLIDE, PL_SAP_STICK } plSapRegion;

static inline bool pl_sap_is_contact(plSapLaw law) { return law <= PL_SAP_SIMILAR; }
// True if three rows have no impulse. Most points are open, and products with J' skip them.
static inline bool pl_sap_is_open(const double* gamma) {
  return gamma[0] == 0 && gamma[1] == 0 && gamma[2] == 0;
}
// The same for any number of entries.
static inline bool pl_sap_is_zero(const double* x, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] != 0) return false;
  return true;
}
static inline int pl_sap_G_size(const plSapConstraint* c) { return pl_sap_is_contact(c->law) ? 9 : c->nrow; }

// Any constraint: gamma [nrow], G [pl_sap_G_size] or NULL, cost or NULL. The region is that of a contact; for
// rows it is that of the last row.
plSapRegion pl_sap_calc(const plSapConstraint* c, const double* vc, double* cost, double* gamma, double* G);

// NULL if the parameters are valid, else a text that says what is wrong.
const char* pl_sap_law_fault(const plSapConstraint* c);

#endif

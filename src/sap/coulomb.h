// coulomb.h: one correction of the shifts, and what is left to correct.
#ifndef PL_SAP_COULOMB_H
#define PL_SAP_COULOMB_H

#include "sap/workspace.h"

enum { PL_COULOMB_DEPTH = 12 };  // directions of a correction

// Memory of the rounds, in the workspace's scratch.
typedef struct plShifts {
  int n;                                // constraints
  double *s, *F, *r, *ds;               // [n] shifts, mu |u_t|, what is left, correction
  double *best_s, *best_x;              // [n], [nv] of the best round
  double* basis[PL_COULOMB_DEPTH + 1];  // [n] Krylov basis
  double* z;                            // [n]
  double *h, *dh, *best_h;              // [2 n] shifts of the slip
  plSapConstraint* constraint;          // [n] those of the problem, with shifted v_hat_n
} plShifts;

// Whether the shift of a constraint matters.
static inline bool pl_sap_has_shift(const plSapConstraint* c) {
  return c->law == PL_SAP_CONE && c->cone.mu > 0;
}

// A factor of the Hessian, and ds of Newton's method on F(s) - s = 0 if that is wanted; the clique whose
// pivot failed, or -1. (coulomb_newton.c)
int pl_sap_correct_shifts(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report, plShifts* sh,
                          bool newton);
// x, vc and p moved by what ds and dh do to the solution.
void pl_sap_follow_shifts(plSapWorkspace* ws, const plShifts* sh);

#endif

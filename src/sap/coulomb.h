// coulomb.h: the state of the rounds for Coulomb's friction, and one correction of the shifts.
#ifndef PL_SAP_COULOMB_H
#define PL_SAP_COULOMB_H

#include "sap/workspace.h"

enum { PL_COULOMB_DEPTH = 12 };  // Krylov vectors per correction

// Memory of the rounds, taken from the workspace's scratch arena.
typedef struct plShifts {
  int n;                                // constraints
  double *s, *F, *r, *ds;               // [n] shifts, mu |u_t|, F - s, correction
  double *best_s, *best_x;              // [n], [nv] of the best round
  double* basis[PL_COULOMB_DEPTH + 1];  // [n] Krylov basis
  double* z;                            // [n]
  double *h, *dh, *best_h;              // [2 n] shifts of the slip
  double* slip0;                        // [2 n] vc0 of the tangent rows at h = 0
  double *from_x, *from_h;              // [nv], [2 n] of coulomb_direct.c: before
  double *impulse, *dimpulse;           // [rows] impulses of the points there, and their change in a step
  double* slide;                        // [2 n] directions in which points slide
  const plSapConstraint* own;           // [n] those of the problem
  plSapConstraint* constraint;          // [n] those of the problem, with shifted v_hat_n
  bool rough;                           // the round is not solved to its tolerance
} plShifts;

// Whether the shift of a constraint matters.
static inline bool pl_sap_has_shift(const plSapConstraint* c) {
  return c->law == PL_SAP_CONE && c->cone.mu > 0;
}

// Factors the Hessian and, if asked for, computes ds by Newton's method on F(s) - s = 0. After a rough round,
// r becomes that after a Newton step of the round. Returns the clique whose pivot failed, or -1.
// (coulomb_newton.c)
int pl_sap_correct_shifts(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report, plShifts* sh,
                          bool newton);
// Updates x, vc and p for the change of the solution due to ds and dh, and takes the Newton step of a rough
// round.
void pl_sap_follow_shifts(plSapWorkspace* ws, const plShifts* sh);

// out = M z, a product of GMRES
typedef void (*plSapProduct)(plSapWorkspace* ws, plShifts* sh, const double* z, double* out);
// GMRES from zero: finds ds with |r - M ds| <= forcing |r|, or as small as PL_COULOMB_DEPTH products make it.
// Returns whether the determinant of M, on the space of the products, is negative; false if it is not known,
// because |r - M ds| is larger.
bool pl_sap_gmres(plSapWorkspace* ws, plShifts* sh, plSapProduct product, double forcing);

// Changes h by dh, and the velocities of the rows with it. (coulomb.c)
void pl_sap_move_h(plSapWorkspace* ws, plShifts* sh);

// Newton's method on Coulomb's law itself, from the solution of a round with dh: *found: x, h and s are those
// of its solution; else x and h are as before. vc and what depends on x is not up to date afterwards.
// (coulomb_direct.c)
plStatus pl_sap_coulomb_direct(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                               plShifts* sh, plSapReport* report, bool* found, plError* error);

#endif

// newton.h: the parts of Newton's loop: stopping test, remedies for slow convergence, steps, idle
// constraints.
#ifndef PL_SAP_NEWTON_H
#define PL_SAP_NEWTON_H

#include "sap/workspace.h"

// ---- stopping test (stop.c)

typedef struct plSapProgress {
  double ratio;  // residual over its tolerance at the last check
  double best;   // smallest ratio so far
  int best_at;   // its iteration
  bool slow;     // the ratio has not halved since the previous check
  bool cut;      // the search shortened the last step
  int noisy;     // number of steps below rounding, in their slope or in v
} plSapProgress;

typedef enum plSapVerdict { PL_SAP_GO_ON, PL_SAP_CONVERGED, PL_SAP_STUCK, PL_SAP_NOT_FINITE } plSapVerdict;

plSapProgress pl_sap_begin_progress(plSapWorkspace* ws);
plSapVerdict pl_sap_judge(plSapWorkspace* ws, const plSapOptions* options, plSapProgress* progress,
                          plSapReport* report);

// ---- slow convergence: many contacts have the wrong stick/slide state (stall.c)

typedef struct plSapStall {
  int helped;   // number of interior-point phases so far
  double done;  // relative residual at which the next one ends; it is smaller for each phase
  int tried;    // number of sticking steps so far
  bool cut;     // the same as in plSapProgress, but true at the start, when no region is known
} plSapStall;

plSapStall pl_sap_begin_stall(void);
// Whether an interior-point phase should run because Newton makes too little progress; the phase itself.
bool pl_sap_wants_interior(const plSapWorkspace* ws, const plSapOptions* options, const plSapReport* report,
                           const plSapStall* stall);
plStatus pl_sap_interior_phase(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                               plSapStall* stall, plError* error);
// Whether the next step should be a sticking step; counts it.
bool pl_sap_wants_sticking(const plSapOptions* options, const plSapReport* report, plSapStall* stall);
// Takes note of the result of a line search: slopes below rounding, shortened steps.
void pl_sap_note_search(plSapWorkspace* ws, plSapProgress* progress, plSapStall* stall,
                        const plSapSearch* search);

// ---- a step (direction.c)

// Computes a direction and a step length: if asked, towards the state in which slow points stick, unless the
// cost rises along it; else Newton's. Returns the clique whose pivot failed, or -1.
int pl_sap_find_step(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                     const plSapProgress* progress, bool sticking, plSapSearch* search);

// ---- idle constraints (idle.c)

// Adds idle constraints that have closed to the Hessian; or all of them.
plStatus pl_sap_wake_closed(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                            plError* error);
plStatus pl_sap_wake_all(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                         plError* error);

#endif

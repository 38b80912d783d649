// newton.h: the parts of Newton's loop: when it stops, what helps from afar, what makes it fast.
#ifndef PL_SAP_NEWTON_H
#define PL_SAP_NEWTON_H

#include "sap/workspace.h"

// ---- when to stop (stop.c)

typedef struct plSapProgress {
  double ratio;  // of the residual to what the stopping test allows, at the last judgement
  double best;   // the smallest so far
  int best_at;   // its iteration
  bool slow;     // the ratio has not halved since the judgement before
  int noisy;     // steps whose slope was below rounding
} plSapProgress;

typedef enum plSapVerdict { PL_SAP_GO_ON, PL_SAP_CONVERGED, PL_SAP_STUCK, PL_SAP_NOT_FINITE } plSapVerdict;

plSapProgress pl_sap_begin_progress(plSapWorkspace* ws);
plSapVerdict pl_sap_judge(plSapWorkspace* ws, const plSapOptions* options, plSapProgress* progress,
                          plSapReport* report);

// ---- from afar: many contacts have the wrong stick/slide state (afar.c)

typedef struct plSapAfar {
  int helped;   // interior-point phases so far
  double done;  // relative residual at which the next one ends; each goes farther than the one before
  int tried;    // sticking steps so far
  bool cut;     // the line search cut the last step short; at the start no region is known
} plSapAfar;

plSapAfar pl_sap_begin_afar(void);
// Whether Newton makes so little progress that an interior-point phase should take over; the phase itself.
bool pl_sap_wants_interior(const plSapWorkspace* ws, const plSapOptions* options, const plSapReport* report,
                           const plSapAfar* afar);
plStatus pl_sap_interior_phase(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                               plSapAfar* afar, plError* error);
// Whether the next step should be tried to where slow points stick; counts it.
bool pl_sap_wants_sticking(const plSapOptions* options, const plSapReport* report, plSapAfar* afar);
// What the line search says about the loop's way: steps that are noise, steps cut short.
void pl_sap_note_search(plSapWorkspace* ws, plSapProgress* progress, plSapAfar* afar,
                        const plSapSearch* search);

// ---- a step (direction.c)

// A direction and how far to go along it: if asked, to where slow points stick, unless that is uphill; else
// Newton's. Returns the clique whose pivot failed, or -1.
int pl_sap_find_step(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                     const plSapProgress* progress, bool sticking, plSapSearch* search);

// ---- idle constraints (idle.c)

// Idle constraints that have closed take part from here on; or all of them do.
plStatus pl_sap_wake_closed(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                            plError* error);
plStatus pl_sap_wake_all(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                         plError* error);

#endif

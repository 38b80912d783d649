// stall.c: two remedies for slow convergence of Newton's method, which happens while many contacts have the
// wrong stick/slide state.
//
// If the line search shortened the last step, the next step may be one after which slowly sliding points
// stick (sticking.c). If Newton makes no progress, an interior-point phase (interior.c) runs, and Newton
// continues from its result.
#include <float.h>
#include <math.h>

#include "sap/interior.h"
#include "sap/newton.h"

enum { HELP_AGAIN = 50 };               // iterations between two interior-point phases
static const double NO_PROGRESS = 0.1;  // relative residual above which the first of them starts
static const double TAKE_OVER = 1e-3;   // relative residual at which the first phase ends
static const double INNER_MARGIN =
    0.1;                          // a phase need not reduce the residual below this fraction of the tolerance
static const double SHORT = 0.5;  // step lengths below this count as shortened
static const double ROUNDING = 4 * DBL_EPSILON;  // relative, of a sum of velocities
static const double FAR = 0.03;  // relative residual above which many stick/slide states are probably wrong

plSapStall pl_sap_begin_stall(void) { return (plSapStall){.done = TAKE_OVER, .cut = true}; }

bool pl_sap_wants_interior(const plSapWorkspace* ws, const plSapOptions* options, const plSapReport* report,
                           const plSapStall* stall) {
  if (options->interior_after <= 0) return false;
  bool first = stall->helped == 0 && report->iterations >= options->interior_after &&
               report->momentum_residual > NO_PROGRESS;
  bool again = report->iterations >= HELP_AGAIN * (stall->helped + 1);
  return (first || again) && pl_sap_interior_possible(ws);
}

plStatus pl_sap_interior_phase(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                               plSapStall* stall, plError* error) {
  stall->helped++;
  plStatus status =
      pl_sap_wake_all(ws, options, report, error);  // the phase starts with every impulse inside its cone
  if (status) return status;
  (void)pl_sap_interior(ws, options, report, stall->done);
  stall->done = fmax(TAKE_OVER * stall->done, INNER_MARGIN * options->relative_tolerance);
  ws->factored = false;
  pl_sap_update_velocity(ws);
  return PL_OK;
}

// After the first step the largest residual of any clique decides: in the norm of the whole problem, the
// momentum of a heavy moving body would hide the residual of the light body that it holds. Before the first
// step the norm of the whole problem decides, so that a good initial guess is left to Newton's own steps.
bool pl_sap_wants_sticking(const plSapOptions* options, const plSapReport* report, plSapStall* stall) {
  double residual = report->iterations ? report->clique_residual : report->momentum_residual;
  bool sticking = stall->cut && stall->tried < options->sticking && residual > FAR;
  stall->tried += sticking;
  return sticking;
}

// Whether the step is lost in the rounding of v = v_star + x. Then vc = J v does not follow it either,
// however large the impulse is that vc leaves over a small R. A carried vc has its own, smaller rounding.
static bool is_lost(const plSapWorkspace* ws, double alpha) {
  const plSapLayout* lay = &ws->lay;
  const double* v_star = ws->problem->v_star;
  bool lost = !ws->carried;
  for (int c = 0; c < lay->nclique && lost; c++) {
    double step = 0, size = 0;
    for (int i = lay->clique_dof0[c]; i < lay->clique_dof0[c + 1]; i++)
      step += fabs(ws->dx[i]), size += fabs(ws->x[i]) + fabs(v_star[i]);
    lost = alpha * step <= ROUNDING * size;
  }
  return lost;
}

void pl_sap_note_search(plSapWorkspace* ws, plSapProgress* progress, plSapStall* stall,
                        const plSapSearch* search) {
  if (search->noise || is_lost(ws, search->alpha)) progress->noisy++, ws->p_product = true;
  progress->cut = stall->cut = search->alpha < SHORT;
}

// afar.c: what makes Newton's method converge from afar, where many contacts have the wrong stick/slide
// state.
//
// Two means: steps to where slowly sliding points stick (sticking.c), tried when the last step was cut short;
// and, where Newton makes no progress, a phase of the interior-point method (interior.c), from whose end
// Newton goes on.
#include <math.h>

#include "sap/interior.h"
#include "sap/newton.h"

enum { HELP_AGAIN = 50 };                // iterations between two interior-point phases
static const double NO_HEADWAY = 0.1;    // relative residual that calls for the first of them
static const double TAKE_OVER = 1e-3;    // relative residual at which Newton takes over again
static const double INNER_MARGIN = 0.1;  // a phase need not go below this part of the tolerance
static const double SHORT = 0.5;         // a smaller step length is one cut short
static const double FAR = 0.03;          // relative residual above which regions are probably wrong

plSapAfar pl_sap_begin_afar(void) { return (plSapAfar){.done = TAKE_OVER, .cut = true}; }

bool pl_sap_wants_interior(const plSapWorkspace* ws, const plSapOptions* options, const plSapReport* report,
                           const plSapAfar* afar) {
  if (options->interior_after <= 0) return false;
  bool first = afar->helped == 0 && report->iterations >= options->interior_after &&
               report->momentum_residual > NO_HEADWAY;
  bool again = report->iterations >= HELP_AGAIN * (afar->helped + 1);
  return (first || again) && pl_sap_interior_possible(ws);
}

plStatus pl_sap_interior_phase(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                               plSapAfar* afar, plError* error) {
  afar->helped++;
  plStatus status = pl_sap_wake_all(ws, options, report, error);  // there every impulse is inside its cone
  if (status) return status;
  (void)pl_sap_interior(ws, options, report, afar->done);
  afar->done = fmax(TAKE_OVER * afar->done, INNER_MARGIN * options->relative_tolerance);
  ws->factored = false;
  pl_sap_update_velocity(ws);
  return PL_OK;
}

// After a step the residual of any clique counts, since the momentum of a heavy body that moves hides what it
// holds. Before the first, that of the whole does: a guess from which Newton's own steps go well is left to
// them.
bool pl_sap_wants_sticking(const plSapOptions* options, const plSapReport* report, plSapAfar* afar) {
  double residual = report->iterations ? report->clique_residual : report->momentum_residual;
  bool sticking = afar->cut && afar->tried < options->sticking && residual > FAR;
  afar->tried += sticking;
  return sticking;
}

void pl_sap_note_search(plSapWorkspace* ws, plSapProgress* progress, plSapAfar* afar,
                        const plSapSearch* search) {
  if (search->noise) progress->noisy++, ws->p_product = true;
  afar->cut = search->alpha < SHORT;
}

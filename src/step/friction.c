// friction.c: checks whether the friction of a step satisfies Coulomb's law.
//
// in: reduced with its shifts, gamma, vc -> out: report.coulomb_residual, coulomb_fallbacks, coulomb_capped
#include <math.h>

#include "base/error.h"
#include "constraint/constraint.h"
#include "step/step.h"

bool pl_step_friction_is_right(plData* data, const double* gamma, const double* vc) {
  plReduced* r = data->work->reduced;
  plReport* report = &data->report;
  report->coulomb_residual = 0, report->coulomb_fallbacks = report->coulomb_capped = 0;
  if (data->par->options.contact_law != PL_LAW_COULOMB || !r || !r->shift) return true;
  pl_reduced_shift(r, -1);
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow) {
    plSapCoulombError e = pl_sap_coulomb_error(r->constraint + i, vc + row, gamma + row, r->shift + 3 * i);
    report->coulomb_residual = fmax(report->coulomb_residual, e.s);
    report->coulomb_fallbacks += !pl_sap_coulomb_holds(&data->work->coulomb, &e);
  }
  pl_reduced_shift(r, 1);
  report->coulomb_capped = report->coulomb_fallbacks > 0;
  return !report->coulomb_capped;
}

plStatus pl_step_judge_friction(plData* data) {
  const plReport* report = &data->report;
  if (!data->par->options.coulomb_strict || !report->coulomb_capped) return PL_OK;
  return pl_fail(
      data->work->error, PL_ERROR_NOT_CONVERGED,
      "friction at %d of %d contact points differs from Coulomb's by up to %.2g m/s after %d rounds; "
      "options.coulomb_strict: false accepts such steps and counts them",
      report->coulomb_fallbacks, data->work->npoint, report->coulomb_residual, report->coulomb_rounds);
}

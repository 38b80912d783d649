// report.c: fills the report after a solve: contact figures, or where a number is not finite.
//
// vc, gamma, laws -> cone violation, complementarity, slip angle, range of the regularisation
#include "sap/report.h"

#include <math.h>

#include "base/error.h"
#include "math/vec3.h"

plStatus pl_sap_fail_not_finite(const plSapWorkspace* ws, plSapReport* report, plError* error) {
  const plSapLayout* lay = &ws->lay;
  for (int i = 0; i < lay->nconstraint; i++)
    for (int r = lay->con_row0[i]; r < lay->con_row0[i + 1]; r++)
      if (!isfinite(ws->vc[r]) || !isfinite(ws->gamma[r])) {
        report->worst_constraint = i;
        return pl_fail(error, PL_ERROR_NOT_FINITE,
                       "constraint %d: velocity %g and impulse %g after %d iterations", i, ws->vc[r],
                       ws->gamma[r], report->iterations);
      }
  for (int c = 0; c < lay->nclique; c++)
    for (int d = lay->clique_dof0[c]; d < lay->clique_dof0[c + 1]; d++)
      if (!isfinite(ws->grad[d]) || !isfinite(ws->dx[d])) {
        report->worst_clique = c;
        return pl_fail(error, PL_ERROR_NOT_FINITE, "clique %d: momentum %g after %d iterations", c,
                       ws->grad[d], report->iterations);
      }
  return pl_fail(error, PL_ERROR_NOT_FINITE, "NaN or infinity after %d iterations", report->iterations);
}

// ---- contact

static void describe_cone(const plSapCone* law, const double* vc, const double* gamma, plSapRegion region,
                          plSapReport* report) {
  double g_t = v2_norm(gamma[0], gamma[1]);
  report->cone_violation = max2(report->cone_violation, g_t - law->mu * gamma[2]);
  bool first = report->R_n_max == 0;
  report->R_n_min = first ? law->R_n : min2(report->R_n_min, law->R_n),
  report->R_n_max = max2(report->R_n_max, law->R_n);
  report->R_t_min = first ? law->R_t : min2(report->R_t_min, law->R_t),
  report->R_t_max = max2(report->R_t_max, law->R_t);
  if (region == PL_SAP_STICK) report->creep = max2(report->creep, law->R_t * g_t);
  if (region != PL_SAP_SLIDE) return;
  // s = vc - v_hat + R gamma is in the dual cone and orthogonal to gamma
  double s[3] = {vc[0] + law->R_t * gamma[0], vc[1] + law->R_t * gamma[1],
                 vc[2] - law->v_hat_n + law->R_n * gamma[2]};
  double dot = s[0] * gamma[0] + s[1] * gamma[1] + s[2] * gamma[2];
  double size = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) * sqrt(g_t * g_t + gamma[2] * gamma[2]);
  if (size > 0) report->complementarity = max2(report->complementarity, fabs(dot) / size);
}

void pl_sap_describe_point(const plSapConstraint* con, const double* vc, const double* gamma,
                           plSapRegion region, plSapReport* report) {
  if (!pl_sap_is_contact(con->law)) return;
  report->stick += region == PL_SAP_STICK, report->slide += region == PL_SAP_SLIDE,
      report->open += region == PL_SAP_OPEN;
  if (con->law == PL_SAP_CONE) describe_cone(&con->cone, vc, gamma, region, report);
  if (region != PL_SAP_SLIDE) return;
  double friction = v2_norm(gamma[0], gamma[1]), slip = v2_norm(vc[0], vc[1]);
  if (friction > 0 && slip > 0) {
    double cross = fabs(gamma[0] * vc[1] - gamma[1] * vc[0]), dot = -(gamma[0] * vc[0] + gamma[1] * vc[1]);
    report->slip_angle = max2(report->slip_angle, atan2(cross, dot));
  }
}

void pl_sap_describe(plSapWorkspace* ws, plSapReport* report) {
  const plSapLayout* lay = &ws->lay;
  report->cost = pl_sap_evaluated_cost(ws);
  if (report->worst_clique >= 0) report->worst_constraint = pl_sap_blame(ws, report->worst_clique);
  for (int i = 0; i < lay->nconstraint; i++)
    pl_sap_describe_point(ws->problem->constraint + i, ws->vc + lay->con_row0[i],
                          ws->gamma + lay->con_row0[i], ws->region[i], report);
}

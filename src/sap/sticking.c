// sticking.c: the model of a step in which slowly sliding points stick.
//
// A guess from the previous step leaves at every point a slip of about 1e-3 of what friction could stop. That
// is far outside the sticking region, which is R_t gamma_t wide, so a grasp at rest starts with nearly all of
// its points sliding. Newton's own steps then bring one point after another to rest: when a point comes to
// rest, its impulse reverses and the line search stops there. With
//     gamma = y = R^-1 (v_hat - vc),   G = R^-1
// instead, the minimum of the model is the state in which all of these points stick. The caller checks that
// the cost falls along this step, and searches along it as along any other.
#include <string.h>

#include "sap/workspace.h"

// R_t is 1e-3 of the compliance of the bodies at the point (PL_SAP_SIGMA): in this step friction stops a slip
// of at most 1e3 R_t mu gamma_n.
static const double STOPPABLE = 1 / PL_SAP_SIGMA;

static bool is_slow(const plSapCone* law, const double* vc, double gamma_n) {
  double most = STOPPABLE * law->R_t * law->mu * gamma_n;
  return law->v_hat_n > vc[2] && vc[0] * vc[0] + vc[1] * vc[1] < most * most;
}

int pl_sap_sticking(const plSapWorkspace* ws, double* gamma, double* G) {
  const plSapLayout* lay = &ws->lay;
  int n = 0;
  for (int i = 0; i < lay->nconstraint; i++) {
    const plSapConstraint* con = ws->problem->constraint + i;
    int r0 = lay->con_row0[i], G0 = lay->con_G0[i];
    const double* vc = ws->vc + r0;
    if (con->law != PL_SAP_CONE || ws->region[i] != PL_SAP_SLIDE ||
        !is_slow(&con->cone, vc, ws->gamma[r0 + 2]))
      continue;
    if (n++ == 0) {
      memcpy(gamma, ws->gamma, (size_t)lay->nrow * sizeof *gamma);
      memcpy(G, ws->G, (size_t)lay->nG * sizeof *G);
    }
    double R_t = con->cone.R_t, R_n = con->cone.R_n;
    gamma[r0] = -vc[0] / R_t, gamma[r0 + 1] = -vc[1] / R_t, gamma[r0 + 2] = (con->cone.v_hat_n - vc[2]) / R_n;
    memset(G + G0, 0, 9 * sizeof *G);
    G[G0] = G[G0 + 4] = 1 / R_t, G[G0 + 8] = 1 / R_n;
  }
  return n;
}

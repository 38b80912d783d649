// coulomb_newton.c: Newton's method on the shifts of the rounds (coulomb.c).
//
// F(s) = mu |u_t|, u_t = vc_t + R_t gamma_t, at the solution of the convex problem with shifts s. If the
// shifts change by ds and every point keeps its region, the solution changes by
//     H dx = -J' G e_n ds,   dvc = J dx,   dgamma = -G (dvc + e_n ds),
//     dF = mu t . (dvc_t + R_t dgamma_t),   t = u_t / |u_t|;   dF = 0 where a point sticks
// with the Hessian H = A + J' G J that the convex solve has factored already: a product with F' costs one
// back-substitution. GMRES solves (1 - F') ds = F - s with a few of these products. For a single body F' =
// mu^2 / (1 + mu^2), so 1 + mu^2 preconditions sliding points.
//
// A rough round stops at a residual g of the momentum balance that is not small. Then -g is added to the
// right-hand side, H dx = -g - J' G e_n ds, and F is the one that this Newton step with ds = 0 predicts:
// shifts and velocities are corrected together, with one factor.
#include <math.h>
#include <string.h>

#include "base/timer.h"
#include "math/vec3.h"
#include "sap/coulomb.h"

static const double STALE = 0.1;     // a factor is reused if the Hessian has changed by less than this
static const double FORCING = 0.05;  // relative residual of the linear system

// dx and dvc for a change of the shifts, and for the residual of the momentum balance; ds, dh and residual
// may be NULL
static void respond(plSapWorkspace* ws, const double* ds, const double* dh, const double* residual) {
  const plSapLayout* lay = &ws->lay;
  double* f = ws->ls_gamma;
  memset(f, 0, (size_t)lay->nrow * sizeof *f);
  for (int i = 0; i < lay->nconstraint; i++) {
    if (!pl_sap_has_shift(ws->problem->constraint + i)) continue;
    const double* G = ws->G + lay->con_G0[i];
    for (int r = 0; r < 3; r++) {
      if (ds) f[lay->con_row0[i] + r] = -G[6 + r] * ds[i];
      if (dh) f[lay->con_row0[i] + r] += G[r] * dh[2 * i] + G[3 + r] * dh[2 * i + 1];
    }
  }
  pl_sap_mul_Jt(ws, f, ws->dp);
  for (int i = 0; residual && i < lay->nv; i++) ws->dp[i] -= residual[i];
  pl_sap_factor_solve(ws, ws->dp, ws->dx);
  pl_sap_mul_J(ws, ws->dx, ws->dvc);
}

static double preconditioner(const plSapWorkspace* ws, int i) {
  double mu = ws->problem->constraint[i].cone.mu;
  return ws->region[i] == PL_SAP_SLIDE ? 1 + mu * mu : 1;
}

// dF of point i: mu t . (dvc_t + R_t dgamma_t), dgamma = -G (dvc + e_n ds)
static double slip_change(const plSapWorkspace* ws, const plShifts* sh, int i, double ds) {
  if (ws->region[i] == PL_SAP_STICK || !(sh->F[i] > 0)) return 0;
  const plSapCone* law = &ws->problem->constraint[i].cone;
  int r0 = ws->lay.con_row0[i];
  const double *G = ws->G + ws->lay.con_G0[i], *vc = ws->vc + r0, *gamma = ws->gamma + r0;
  double R_t = law->R_t, mu = law->mu, d[3] = {ws->dvc[r0], ws->dvc[r0 + 1], ws->dvc[r0 + 2] + ds}, dF = 0;
  for (int k = 0; k < 2; k++) {
    double u = vc[k] + R_t * gamma[k], du = d[k] - R_t * (G[k] * d[0] + G[k + 3] * d[1] + G[k + 6] * d[2]);
    dF += mu * mu / sh->F[i] * u * du;
  }
  return dF;
}

// out = (1 - F') P z
static void multiply(plSapWorkspace* ws, plShifts* sh, const double* z, double* out) {
  for (int i = 0; i < sh->n; i++) sh->z[i] = z[i] != 0 ? preconditioner(ws, i) * z[i] : 0;
  respond(ws, sh->z, NULL, NULL);
  for (int i = 0; i < sh->n; i++) {
    out[i] = sh->z[i];
    if (pl_sap_has_shift(ws->problem->constraint + i)) out[i] -= slip_change(ws, sh, i, sh->z[i]);
  }
}

// r after a Newton step of the round
static void look_ahead(plSapWorkspace* ws, plShifts* sh) {
  respond(ws, NULL, NULL, ws->grad);
  for (int i = 0; i < sh->n; i++)
    if (pl_sap_has_shift(ws->problem->constraint + i)) sh->r[i] += slip_change(ws, sh, i, 0);
}

static double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

bool pl_sap_gmres(plSapWorkspace* ws, plShifts* sh, plSapProduct product, double forcing) {
  enum { M = PL_COULOMB_DEPTH };
  double h[M + 1][M], c[M], s[M], g[M + 1] = {0}, y[M];
  int n = sh->n, m = 0;
  bool negative = false;
  double norm = sqrt(dot(sh->r, sh->r, n));
  memset(sh->ds, 0, (size_t)n * sizeof *sh->ds);
  if (!(norm > 0)) return false;
  for (int i = 0; i < n; i++) sh->basis[0][i] = sh->r[i] / norm;
  g[0] = norm;
  while (m < M && fabs(g[m]) > forcing * norm) {
    double* w = sh->basis[m + 1];
    product(ws, sh, sh->basis[m], w);
    for (int j = 0; j <= m; j++) {
      h[j][m] = dot(w, sh->basis[j], n);
      for (int i = 0; i < n; i++) w[i] -= h[j][m] * sh->basis[j][i];
    }
    double length = sqrt(dot(w, w, n));
    for (int i = 0; i < n && length > 0; i++) w[i] /= length;
    // Givens rotations that keep h triangular
    for (int j = 0; j < m; j++) {
      double a = h[j][m], b = h[j + 1][m];
      h[j][m] = c[j] * a + s[j] * b, h[j + 1][m] = -s[j] * a + c[j] * b;
    }
    double size = v2_norm(h[m][m], length);
    if (!(size > 0)) break;
    negative = h[m][m] < 0;  // the other diagonals are positive, and rotations keep the determinant
    c[m] = h[m][m] / size, s[m] = length / size;
    h[m][m] = size, g[m + 1] = -s[m] * g[m], g[m] *= c[m];
    m++;
    if (!(length > 0)) break;
  }
  for (int j = m - 1; j >= 0; j--) {
    y[j] = g[j];
    for (int k = j + 1; k < m; k++) y[j] -= h[j][k] * y[k];
    y[j] /= h[j][j];
    for (int i = 0; i < n; i++) sh->ds[i] += y[j] * sh->basis[j][i];
  }
  return negative && fabs(g[m]) <= forcing * norm;
}

// ds = P z with small |r - (1 - F') P z|
static void newton_correction(plSapWorkspace* ws, plShifts* sh) {
  (void)pl_sap_gmres(ws, sh, multiply, FORCING);
  for (int i = 0; i < sh->n; i++)
    if (sh->ds[i] != 0) sh->ds[i] *= preconditioner(ws, i);
}

int pl_sap_correct_shifts(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report, plShifts* sh,
                          bool newton) {
  if (!ws->factored || pl_sap_hessian_change(ws, false) > STALE) {
    int bad = pl_sap_follow_G(ws, options, report);
    if (bad >= 0) return bad;
  }
  if (sh->rough) PL_TIMED(report->time_solve, look_ahead(ws, sh));
  if (newton) PL_TIMED(report->time_solve, newton_correction(ws, sh));
  return -1;
}

void pl_sap_follow_shifts(plSapWorkspace* ws, const plShifts* sh) {
  respond(ws, sh->ds, sh->dh, sh->rough ? ws->grad : NULL);
  for (int i = 0; i < ws->lay.nv; i++) ws->x[i] += ws->dx[i];
  if (!ws->carried) {
    pl_sap_update_velocity(ws);
    return;
  }
  pl_sap_mul_A(ws, ws->x, ws->p);
  for (int i = 0; i < ws->lay.nrow; i++) ws->vc[i] += ws->dvc[i];
}

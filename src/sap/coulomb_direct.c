// coulomb_direct.c: Newton's method on Coulomb's law itself, for problems whose rounds (coulomb.c) do not
// settle.
//
// With u = vc - v_hat + R gamma Coulomb's law is gamma_n = max(0, z_n), and gamma_t the point of the disc
// |gamma_t| <= mu max(0, z_n) nearest to z_t, for
//     z = gamma - rho u
// with any rho > 0. z decides the state of a point: open where z_n <= 0, sticking where z_t is in the disc,
// sliding along d = z_t / |z_t| elsewhere. rho is the inverse of the compliance of the bodies. With 1 / R
// instead, z would be the impulse of the regularised law at vc, which is far from gamma after every step: R
// is small. In its state each point has impulses that are linear in vc:
//     closed:    gamma_n = (v_hat_n - vc_n) / R_n
//     sticking:  gamma_t = -vc_t / R_t
//     sliding:   gamma_t = mu gamma_n d - c (1 - d d') vc_t,   c = mu gamma_n / (|u_t| + R_t mu gamma_n)
// where gamma_n in c is that of the last step, and |u_t| = (|z_t| - mu gamma_n) / rho. One step solves
//     A x = J' gamma(vc),   vc = J (v_star + x) + b
// The part mu gamma_n d makes its matrix unsymmetric. Without it the matrix is A + J' G J with a symmetric G,
// which is factored. GMRES solves for the changes q of gamma_n of sliding points: a product costs one
// back-substitution. Other laws are those of the convex problem.
//
// The misfit |gamma - P(z)|^2 / rho^2, P(z) the impulse of the law at z, is zero at a solution and in the
// unit of vc: the same for stiff and soft points. A step that does not reduce it is halved, at most twice:
// whole steps wander between states, and steps that always reduce it end in its local minima. A whole step
// that changes no state is taken whatever the misfit: there the equations are smooth.
//
// Folds. With steep friction the map gamma -> gamma - P(z) folds: the sign of the determinant of its
// derivative differs between two sets of states. On both sides of a fold Newton's step leads to the other
// side, and the state of one point changes back and forth. As in Smale's global Newton method, a step is
// therefore taken backwards where the determinant is negative. Then gamma follows the curve on which gamma -
// P(z) keeps its direction: away from the fold, with a growing misfit, until it is behind the next fold,
// where steps lead forwards again. Such a step goes a little farther than the second change of a state. The
// sign is that of the linear system that GMRES solves, and costs nothing: without sliding points the
// determinant is positive, as that of the matrix that is factored.
//
// The method need not converge: then nothing is changed, and the rounds go on. A result is judged by a round,
// whose convex problem has it as its solution.
//
// problem, x, gamma, region of a round -> x, h, s, or what they were before
#include <math.h>
#include <string.h>

#include "base/timer.h"
#include "math/vec3.h"
#include "sap/coulomb.h"
#include "sap/newton.h"
#include "sap/report.h"

enum { MOST = 32, IDLE = 4 };        // steps; steps without a smaller misfit
static const double SMALLER = 0.8;   // fraction of the smallest misfit so far that counts as smaller
static const double LEAST = 0.25;    // shortest step
static const double FALL = 0.1;      // a step of length a leaves at most 1 - FALL a of the misfit
static const double NEAR = 0.01;     // fraction of the first misfit below which the impulses serve for h
static const double FORCING = 1e-4;  // relative residual of the linear system
enum { BACKWARDS = 8 };              // backward steps
static const double BEYOND = 1.3;    // their length, relative to that of the second change of a state

static bool slides(const plSapWorkspace* ws, const plShifts* sh, int i) {
  return ws->region[i] == PL_SAP_SLIDE && pl_sap_has_shift(sh->own + i);
}

static plSapRegion region_of(const plSapCone* law, const double* z) {
  if (!(z[2] > 0)) return PL_SAP_OPEN;
  return v2_norm(z[0], z[1]) <= law->mu * z[2] ? PL_SAP_STICK : PL_SAP_SLIDE;
}

// z = gamma - rho u
static void z_of(const plSapCone* law, const double* vc, const double* gamma, double* z) {
  double R_t = law->R_t, rho = PL_SAP_SIGMA / R_t;
  for (int k = 0; k < 2; k++) z[k] = gamma[k] - rho * (vc[k] + R_t * gamma[k]);
  z[2] = gamma[2] - rho * (vc[2] - law->v_hat_n + law->R_n * gamma[2]);
}

// Linear impulses of a point and their symmetric G.
static void point(plSapWorkspace* ws, const plShifts* sh, int i, double* gamma, double* G) {
  const plSapCone* law = &sh->own[i].cone;
  const double *vc = ws->vc + ws->lay.con_row0[i], *last = sh->impulse + ws->lay.con_row0[i];
  double mu = law->mu, R_t = law->R_t, R_n = law->R_n, rho = PL_SAP_SIGMA / R_t, z[3];
  z_of(law, vc, last, z);
  double size = v2_norm(z[0], z[1]), bound = mu * fmax(last[2], 0);
  ws->region[i] = region_of(law, z);
  if (ws->region[i] == PL_SAP_SLIDE && !(size > 0)) ws->region[i] = PL_SAP_STICK;
  memset(G, 0, 9 * sizeof *G);
  gamma[0] = gamma[1] = gamma[2] = 0;
  if (ws->region[i] == PL_SAP_OPEN) return;
  gamma[2] = (law->v_hat_n - vc[2]) / R_n, G[8] = 1 / R_n;
  if (ws->region[i] == PL_SAP_STICK) {
    gamma[0] = -vc[0] / R_t, gamma[1] = -vc[1] / R_t, G[0] = G[4] = 1 / R_t;
    return;
  }
  double* d = sh->slide + 2 * i;
  d[0] = z[0] / size, d[1] = z[1] / size;
  double c = bound > 0 ? bound / (fmax(size - bound, 0) / rho + R_t * bound) : 0;
  double along = vc[0] * d[0] + vc[1] * d[1];
  for (int k = 0; k < 2; k++) gamma[k] = mu * gamma[2] * d[k] - c * (vc[k] - along * d[k]);
  G[0] = c * (1 - d[0] * d[0]), G[1] = G[3] = -c * d[0] * d[1], G[4] = c * (1 - d[1] * d[1]);
}

// stick_gamma, stick_G, region
static void linearize(plSapWorkspace* ws, const plShifts* sh) {
  const plSapLayout* lay = &ws->lay;
  for (int i = 0; i < lay->nconstraint; i++) {
    double *gamma = ws->stick_gamma + lay->con_row0[i], *G = ws->stick_G + lay->con_G0[i];
    if (pl_sap_has_shift(sh->own + i))
      point(ws, sh, i, gamma, G);
    else
      ws->region[i] = pl_sap_calc(sh->own + i, ws->vc + lay->con_row0[i], NULL, gamma, G);
  }
}

// gamma and G of Coulomb's law at vc, for the residual
static void law_itself(plSapWorkspace* ws, const plShifts* sh) {
  const plSapLayout* lay = &ws->lay;
  for (int i = 0; i < lay->nconstraint; i++) {
    const plSapCone* law = &sh->own[i].cone;
    double *vc = ws->vc + lay->con_row0[i], *g = ws->gamma + lay->con_row0[i];
    if (!pl_sap_has_shift(sh->own + i)) {
      (void)pl_sap_calc(sh->own + i, vc, NULL, g, NULL);
      continue;
    }
    g[0] = -vc[0] / law->R_t, g[1] = -vc[1] / law->R_t, g[2] = fmax(0, (law->v_hat_n - vc[2]) / law->R_n);
    double size = v2_norm(g[0], g[1]), most = law->mu * g[2];
    if (size > most) g[0] *= most / size, g[1] *= most / size;
  }
}

// p = A x, and grad = p - J' gamma
static void balance(plSapWorkspace* ws, const double* gamma) {
  pl_sap_mul_A(ws, ws->x, ws->p);
  pl_sap_mul_Jt(ws, gamma, ws->jg);
  pl_sap_gradient(ws);
}

// dx and dvc for changes q of gamma_n, and for the residual; residual may be NULL
static void respond(plSapWorkspace* ws, const plShifts* sh, const double* q, const double* residual) {
  const plSapLayout* lay = &ws->lay;
  double* f = ws->ls_gamma;
  memset(f, 0, (size_t)lay->nrow * sizeof *f);
  for (int i = 0; i < lay->nconstraint; i++)
    for (int k = 0; k < 2 && q[i] != 0; k++)
      f[lay->con_row0[i] + k] = sh->own[i].cone.mu * sh->slide[2 * i + k] * q[i];
  pl_sap_mul_Jt(ws, f, ws->dp);
  for (int i = 0; residual && i < lay->nv; i++) ws->dp[i] -= residual[i];
  pl_sap_factor_solve(ws, ws->dp, ws->dx);
  pl_sap_mul_J(ws, ws->dx, ws->dvc);
}

// change of gamma_n of point i for dvc, which sliding points have
static double change(const plSapWorkspace* ws, const plShifts* sh, int i) {
  return slides(ws, sh, i) ? -ws->dvc[ws->lay.con_row0[i] + 2] / sh->own[i].cone.R_n : 0;
}

// out = z - the changes of gamma_n that z makes
static void multiply(plSapWorkspace* ws, plShifts* sh, const double* z, double* out) {
  respond(ws, sh, z, NULL);
  for (int i = 0; i < sh->n; i++) out[i] = z[i] - change(ws, sh, i);
}

// dx, dvc and q (ds) of a step; whether the determinant is negative
static bool solve_step(plSapWorkspace* ws, plShifts* sh) {
  memset(sh->ds, 0, (size_t)sh->n * sizeof *sh->ds);
  respond(ws, sh, sh->ds, ws->grad);
  for (int i = 0; i < sh->n; i++) sh->r[i] = change(ws, sh, i);
  bool negative = pl_sap_gmres(ws, sh, multiply, FORCING);
  respond(ws, sh, sh->ds, ws->grad);
  return negative;
}

// dimpulse: the change of the impulses in a step
static void change_impulses(const plSapWorkspace* ws, plShifts* sh) {
  const plSapLayout* lay = &ws->lay;
  for (int i = 0; i < lay->nconstraint; i++) {
    int r0 = lay->con_row0[i];
    if (!pl_sap_has_shift(sh->own + i)) continue;
    const double *G = ws->stick_G + lay->con_G0[i], *d = ws->dvc + r0, dn = change(ws, sh, i);
    double* g = sh->dimpulse + r0;
    for (int r = 0; r < 3; r++)
      g[r] = ws->stick_gamma[r0 + r] - (G[r] * d[0] + G[r + 3] * d[1] + G[r + 6] * d[2]);
    for (int k = 0; k < 2; k++)
      g[k] += slides(ws, sh, i) ? sh->own[i].cone.mu * sh->slide[2 * i + k] * dn : 0;
    for (int r = 0; r < 3; r++) g[r] -= sh->impulse[r0 + r];
  }
}

// vc and impulse of point i after a step of length alpha
static void follow_point(const plSapWorkspace* ws, const plShifts* sh, int i, double alpha, double* vc,
                         double* gamma) {
  for (int k = 0, r = ws->lay.con_row0[i]; k < 3; k++, r++)
    vc[k] = ws->vc[r] + alpha * ws->dvc[r], gamma[k] = sh->impulse[r] + alpha * sh->dimpulse[r];
}

// |gamma - P(z)|^2 / rho^2
static double point_misfit(const plSapCone* law, const double* vc, const double* gamma) {
  double rho = PL_SAP_SIGMA / law->R_t, z[3], sum = 0;
  z_of(law, vc, gamma, z);
  z[2] = fmax(0, z[2]);
  double size = v2_norm(z[0], z[1]), most = law->mu * z[2], scale = size > most ? most / size : 1;
  z[0] *= scale, z[1] *= scale;
  for (int k = 0; k < 3; k++) sum += (gamma[k] - z[k]) * (gamma[k] - z[k]);
  return sum / (rho * rho);
}

// The misfit of all points after a step of length alpha.
static double misfit(const plSapWorkspace* ws, const plShifts* sh, double alpha) {
  double sum = 0;
  for (int i = 0; i < sh->n; i++) {
    if (!pl_sap_has_shift(sh->own + i)) continue;
    double vc[3], gamma[3];
    follow_point(ws, sh, i, alpha, vc, gamma);
    sum += point_misfit(&sh->own[i].cone, vc, gamma);
  }
  return sum;
}

// Whether all points keep their states in a whole step.
static bool keeps_states(const plSapWorkspace* ws, const plShifts* sh) {
  for (int i = 0; i < sh->n; i++) {
    if (!pl_sap_has_shift(sh->own + i)) continue;
    double vc[3], gamma[3], z[3];
    follow_point(ws, sh, i, 1, vc, gamma);
    z_of(&sh->own[i].cone, vc, gamma, z);
    if (region_of(&sh->own[i].cone, z) != ws->region[i]) return false;
  }
  return true;
}

static double step_length(const plSapWorkspace* ws, const plShifts* sh, double before) {
  double alpha = 1;
  if (keeps_states(ws, sh)) return alpha;
  while (alpha > LEAST && !(misfit(ws, sh, alpha) <= (1 - FALL * alpha) * before)) alpha /= 2;
  return alpha;
}

// Keeps the two smallest positive lengths.
static void note_length(double a, double least[2]) {
  if (!(a > 0 && a < least[1])) return;
  least[1] = fmax(a, least[0]), least[0] = fmin(a, least[0]);
}

// The lengths at which z + a d meets the boundaries between states: z_n = 0, and |z_t| = mu z_n above it
static void note_changes(double mu, const double z[3], const double d[3], double least[2]) {
  double a = d[0] * d[0] + d[1] * d[1] - mu * mu * d[2] * d[2],
         b = z[0] * d[0] + z[1] * d[1] - mu * mu * z[2] * d[2],
         c = z[0] * z[0] + z[1] * z[1] - mu * mu * z[2] * z[2], root = sqrt(fmax(0, b * b - a * c)),
         q = -(b + copysign(root, b)), length[2] = {q / a, c / q};
  note_length(-z[2] / d[2], least);
  for (int k = 0; k < 2 && root > 0; k++)
    if (z[2] + length[k] * d[2] > 0) note_length(length[k], least);
}

// Length of a backward step, which is negative.
static double backward_length(const plSapWorkspace* ws, const plShifts* sh) {
  double least[2] = {INFINITY, INFINITY};
  for (int i = 0; i < sh->n; i++) {
    if (!pl_sap_has_shift(sh->own + i)) continue;
    const plSapCone* law = &sh->own[i].cone;
    double vc[3], gamma[3], z[3], d[3];
    follow_point(ws, sh, i, 0, vc, gamma), z_of(law, vc, gamma, z);
    follow_point(ws, sh, i, -1, vc, gamma), z_of(law, vc, gamma, d);
    for (int k = 0; k < 3; k++) d[k] -= z[k];
    note_changes(law->mu, z, d, least);
  }
  return -fmin(1, BEYOND * least[1]);
}

// x, vc and impulses after a step
static void take_step(plSapWorkspace* ws, plShifts* sh, double alpha) {
  for (int i = 0; i < sh->n; i++)
    for (int k = 0, r = ws->lay.con_row0[i]; k < 3 && pl_sap_has_shift(sh->own + i); k++, r++)
      sh->impulse[r] += alpha * sh->dimpulse[r];
  for (int i = 0; i < ws->lay.nv; i++) ws->x[i] += alpha * ws->dx[i];
  pl_sap_update_constraint_velocity(ws);
}

// h = R_t gamma_t of the impulses of the last step
static void renew_h(plSapWorkspace* ws, plShifts* sh) {
  for (int i = 0; i < sh->n; i++)
    for (int k = 0; k < 2 && pl_sap_has_shift(sh->own + i); k++)
      sh->dh[2 * i + k] = sh->own[i].cone.R_t * sh->impulse[ws->lay.con_row0[i] + k] - sh->h[2 * i + k];
  pl_sap_move_h(ws, sh);
}

// Newton's steps from the impulses of a round; *found: they have met the tolerance. If the round was rough,
// its impulses are too far from the solution for h, which is then renewed on the way.
static plStatus iterate(plSapWorkspace* ws, const plSapOptions* options, plShifts* sh, plSapReport* report,
                        bool* found, plError* error) {
  bool old_h = sh->rough, folded = false;
  int backwards = 0;
  double first = 0, smallest = INFINITY;
  for (int k = 0, best = 0; k < MOST; k++) {
    linearize(ws, sh);
    plStatus status = pl_sap_wake_closed(ws, options, report, error);
    if (status) return status;
    balance(ws, ws->stick_gamma);
    double* G = ws->G;
    ws->G = ws->stick_G;
    int bad = pl_sap_follow_G(ws, options, report);
    ws->G = G;
    if (bad >= 0) return PL_OK;
    PL_TIMED(report->time_solve, folded = solve_step(ws, sh));
    backwards += folded;
    if (backwards > BACKWARDS) return PL_OK;
    change_impulses(ws, sh);
    double before = misfit(ws, sh, 0);
    if (k == 0) first = before;
    if (folded) smallest = INFINITY;
    take_step(ws, sh, folded ? backward_length(ws, sh) : step_length(ws, sh, before));
    report->iterations++;
    PL_TIMED(report->time_law, law_itself(ws, sh));
    balance(ws, ws->gamma);
    ws->summed = false;
    double ratio = pl_sap_residual(ws, options, report), left = misfit(ws, sh, 0);
    if (!isfinite(ratio)) return PL_OK;
    if (old_h && (ratio <= 1 || left < NEAR * first)) {
      renew_h(ws, sh);
      old_h = false, smallest = INFINITY, best = k;
      continue;
    }
    *found = ratio <= 1;
    if (*found) return PL_OK;
    if (left < SMALLER * smallest)
      smallest = left, best = k;
    else if (k - best >= IDLE)
      return PL_OK;
  }
  return PL_OK;
}

plStatus pl_sap_coulomb_direct(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                               plShifts* sh, plSapReport* report, bool* found, plError* error) {
  size_t nv = (size_t)ws->lay.nv * sizeof(double), n = (size_t)sh->n * sizeof(double);
  *found = false;
  if (ws->carried) return PL_OK;
  sh->own = problem->constraint;
  memcpy(sh->from_x, ws->x, nv), memcpy(sh->from_h, sh->h, 2 * n);
  memcpy(sh->impulse, ws->gamma, (size_t)ws->lay.nrow * sizeof(double));
  pl_sap_move_h(ws, sh);
  plStatus status = iterate(ws, options, sh, report, found, error);
  for (int i = 0; *found && i < sh->n; i++) {
    int r0 = ws->lay.con_row0[i];
    if (!pl_sap_has_shift(sh->own + i)) continue;
    double shift[3] = {sh->h[2 * i], sh->h[2 * i + 1], 0},
           slip[3] = {ws->vc[r0] + shift[0], ws->vc[r0 + 1] + shift[1], ws->vc[r0 + 2]};
    sh->s[i] = pl_sap_coulomb_error(sh->own + i, slip, ws->gamma + r0, shift).F;
  }
  if (!*found) {
    memcpy(ws->x, sh->from_x, nv);
    for (int i = 0; i < 2 * sh->n; i++) sh->dh[i] = sh->from_h[i] - sh->h[i];
    pl_sap_move_h(ws, sh);
  }
  return status;
}

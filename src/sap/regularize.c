// regularize.c: the parameters of laws from stiffness, dissipation, gap and the Delassus estimate w.
//
// A spring of stiffness k and damper tau k, implicit in the new velocity, is gamma / dt = -k (g + dt v) - tau
// k v, i.e. gamma = (v_hat - v) / R with R = 1 / (dt k (dt + tau)), v_hat = -g / (dt + tau). A contact of
// effective mass 1 / w then oscillates with period 2 pi sqrt(1 / (w k)). The period must be at least beta dt,
// which bounds R from below by beta^2 / (4 pi^2) w ("near rigid"). If R is below this bound, tau is reduced
// first, so that a static load is still carried with stiffness k; when tau has reached dt, k is reduced too,
// and half of the error is corrected in one step. A gap (g > 0) may close in one step: v_hat = -g / dt,
// without dissipation.
#include <assert.h>
#include <math.h>

#include "math/vec3.h"
#include "sap/delassus.h"
#include "sap/law.h"

static const double FOUR_PI2 = 39.478417604357434;

// R and v_hat of one row; gap is true if g > 0 is a distance that may close
static void near_rigid(double dt, double g, double k, double tau, double R_nr, bool gap, double* R,
                       double* v_hat) {
  if (gap && g > 0) tau = 0;
  double R_c = 1 / (dt * k * (dt + tau));
  if (R_c < R_nr && !(gap && g > 0)) tau = max2(dt, 1 / (R_nr * dt * k) - dt);
  *R = max2(R_nr, R_c);
  *v_hat = -g / (dt + tau);
}

void pl_sap_slow_down(double v_max, double* R, double* v_hat) {
  assert(R != NULL && v_hat != NULL);
  double v = fabs(*v_hat);
  if (!(v > v_max)) return;
  *R *= v_max / v;
  *v_hat = copysign(v_max, *v_hat);
}

plSapCone pl_sap_cone(double dt, double mu, double k, double tau, double phi, double w, double share,
                      double beta, double sigma) {
  plSapCone cone = {.mu = mu, .R_t = sigma * w / share};
  near_rigid(dt, phi, k, tau, beta * beta / FOUR_PI2 * w / share, true, &cone.R_n, &cone.v_hat_n);
  return cone;
}

plSapHuntCrossley pl_sap_hunt_crossley(double dt, double mu, double k, double d, double f_e, double vn0,
                                       double w, double v_stiction, double beta, double sigma) {
  double k_max = beta > 0 ? FOUR_PI2 / (beta * beta * w * dt * dt) : INFINITY,
         scale = k > k_max ? k_max / k : 1;
  k *= scale, f_e *= scale;
  double n0 = dt * fmax(f_e, 0) * fmax(1 - d * vn0, 0);
  return (plSapHuntCrossley){
      .mu = mu, .dt = dt, .k = k, .d = d, .f_e = f_e, .v_s = fmax(v_stiction, mu * sigma * w * n0)};
}

plSapRow pl_sap_holonomic(double dt, double g, double k, double tau, double w, double beta) {
  plSapRow row = {.lower = -INFINITY, .upper = INFINITY};
  near_rigid(dt, g, k, tau, beta * beta / FOUR_PI2 * w, false, &row.R, &row.v_hat);
  return row;
}

plSapRow pl_sap_limit(double dt, double g, double k, double tau, double w, double beta) {
  plSapRow row = {.lower = 0, .upper = INFINITY};
  near_rigid(dt, g, k, tau, beta * beta / FOUR_PI2 * w, true, &row.R, &row.v_hat);
  return row;
}

plSapRow pl_sap_dry_friction(double dt, double effort, double w, double sigma) {
  return (plSapRow){.v_hat = 0, .R = sigma * w, .lower = -dt * effort, .upper = dt * effort};
}

plSapActuator pl_sap_actuator(double dt, double kp, double kd, double q0, double q_d, double v_d, double u_ff,
                              double effort, double w, double beta) {
  // R = 1 / (dt K), K = dt kp + kd, must not fall below the near-rigid R: both gains are scaled down
  double K = dt * kp + kd, K_max = FOUR_PI2 / (beta * beta * w * dt), scale = K > K_max ? K_max / K : 1;
  kp *= scale, kd *= scale;
  return (plSapActuator){.dt = dt,
                         .kp = kp,
                         .kd = kd,
                         .u0 = -kp * (q0 - q_d) + kd * v_d + u_ff,
                         .lower = -effort,
                         .upper = effort};
}

double pl_sap_delassus(const plSapProblem* problem, const plSapConstraint* constraint) {
  assert(problem != NULL && constraint != NULL);
  int n = constraint->nrow;
  double sum = 0;
  for (int r = 0; r < n; r += PL_DELASSUS_TILE)
    for (int s = 0; s < n; s += PL_DELASSUS_TILE) {
      double W[PL_DELASSUS_TILE][PL_DELASSUS_TILE] = {{0}};
      int nr = n - r < PL_DELASSUS_TILE ? n - r : PL_DELASSUS_TILE,
          ns = n - s < PL_DELASSUS_TILE ? n - s : PL_DELASSUS_TILE;
      for (int i = 0; i < constraint->nblock; i++) {
        const plSapBlock* b = constraint->block + i;
        int nv = problem->clique_nv[b->clique];
        pl_delassus_add(b, n, nv, problem->A[b->clique], (size_t)nv + 1, r, nr, s, ns, W);
      }
      sum += pl_delassus_square(W, nr, ns);
    }
  return sqrt(sum) / n;
}

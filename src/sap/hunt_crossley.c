// hunt_crossley.c: compliant contact with Hunt-Crossley dissipation, in a convex form (`similar`).
//
// Normal impulse of one step with the gap's rate z:
//     n(z) = dt (f_e - dt k z)+ (1 - d z)+
// It falls to zero at z_m = min(f_e / (dt k), 1 / d) and stays there. Its integral from z to z_m, with e =
// z_m - z, a0 = f_e - dt k z_m and b0 = 1 - d z_m (one of them is zero), is
//     N(z) = dt [ (a0 d + b0 dt k) e^2 / 2 + dt k d e^3 / 3 ],      N' = -n
// (k = d = 0: no z_m; N = -dt f_e z.) The slip speed is smoothed: |v_t|_s = sqrt(|v_t|^2 + v_s^2) - v_s with
// gradient t_s = v_t / (|v_t|_s + v_s) and Hessian (I - t_s t_s') / (|v_t|_s + v_s).
//
// l = N(z),  z = v_n - mu |v_t|_s: friction uses this step's normal impulse; convex since N falls and z is
// concave
//     gamma = (-mu n t_s, n),  G_tt = -mu^2 n' t_s t_s' + mu n (I - t_s t_s') / (|v_t|_s + v_s),
//     G_tn = mu n' t_s,  G_nn = -n'
#include <math.h>

#include "sap/law.h"

typedef struct Normal {
  double n, dn, N;
} Normal;  // n(z), n'(z), N(z)
typedef struct Slip {
  double s, t1, t2, h;
} Slip;  // |v_t|_s, t_s, 1 / (|v_t|_s + v_s)

static Normal normal_impulse(const plSapHuntCrossley* law, double z) {
  double dt = law->dt, K = dt * law->k, d = law->d, f_e = law->f_e;
  double z_k = K > 0 ? f_e / K : f_e > 0 ? INFINITY : -INFINITY, z_d = d > 0 ? 1 / d : INFINITY;
  double z_m = fmin(z_k, z_d);
  if (z >= z_m) return (Normal){0, 0, 0};
  if (isinf(z_m)) return (Normal){dt * f_e, 0, -dt * f_e * z};
  double e = z_m - z, a0 = z_k <= z_d ? 0 : f_e - K * z_m, b0 = z_d <= z_k ? 0 : 1 - d * z_m;
  double a = a0 + K * e, b = b0 + d * e;
  return (Normal){dt * a * b, -dt * (K * b + d * a), dt * e * e * (0.5 * (a0 * d + b0 * K) + K * d * e / 3)};
}

static Slip soft_slip(const plSapHuntCrossley* law, const double* vc) {
  double v_s = law->v_s, vt2 = vc[0] * vc[0] + vc[1] * vc[1], r = sqrt(vt2 + v_s * v_s);
  return (Slip){vt2 / (r + v_s), vc[0] / r, vc[1] / r, 1 / r};
}

static plSapRegion region(const plSapHuntCrossley* law, const double* vc, double n) {
  if (n <= 0) return PL_SAP_OPEN;
  return vc[0] * vc[0] + vc[1] * vc[1] <= law->v_s * law->v_s ? PL_SAP_STICK : PL_SAP_SLIDE;
}

plSapRegion pl_sap_similar_calc(const plSapHuntCrossley* law, const double* vc, double* cost, double* gamma,
                                double* G) {
  Slip s = soft_slip(law, vc);
  double mu = law->mu;
  Normal p = normal_impulse(law, vc[2] - mu * s.s);
  gamma[0] = -mu * p.n * s.t1, gamma[1] = -mu * p.n * s.t2, gamma[2] = p.n;
  if (cost) *cost = p.N;
  if (G) {
    double a = mu * p.n * s.h, b = -mu * mu * p.dn - a, c = mu * p.dn;
    G[0] = a + b * s.t1 * s.t1, G[1] = G[3] = b * s.t1 * s.t2, G[4] = a + b * s.t2 * s.t2;
    G[2] = G[6] = c * s.t1, G[5] = G[7] = c * s.t2, G[8] = -p.dn;
  }
  return region(law, vc, p.n);
}

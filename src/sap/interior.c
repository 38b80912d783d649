// interior.c: help for hard problems: a primal-dual interior-point method on the same Hessian pattern.
//
// Newton's method on the cost finds the stick, slide or open state of the points in one line search after
// another; if a whole arch begins to slide, that takes a hundred steps. An interior-point method takes about
// fifteen from any start. It runs when Newton makes no progress, and Newton continues from its result. Laws
// without a conic form (Hunt-Crossley) are left to Newton.
//
// The optimality conditions, with impulse gamma in its cone C and s = vc - v_hat + R gamma in the dual cone,
// gamma . s = 0, are relaxed to gamma o s = tau e and tau is driven to zero. Each step linearises them
// (Nesterov-Todd scaling Theta gamma = s):
//     A dv - J' dgamma = -r_m,    J dv + R dgamma - ds = -r_c,    ds = -Theta dgamma + r_g
//   => (A + J' G J) dv = -r_m - J' G (r_c - r_g),   G = (R + Theta)^-1,   dgamma = -G (J dv + r_c - r_g)
// Only G differs from Newton's method. Mehrotra's rule sets tau and the second-order correction.
//
// A cone |gamma_t| <= mu gamma_n is the second-order cone of g = (mu gamma_n, gamma_t), z = (s_n / mu, s_t),
// with the product g o z = (g . z, g_0 z_1 + z_0 g_1) and P(u) x = 2 u (u . x) - J x, J = diag(1, -1, -1),
// for det u = u_0^2 - |u_1|^2 = 1:
//     Theta = eta P(u),  eta = sqrt(det z / det g),  u = (z^ + J g^) / (2 c),  c = sqrt((1 + z^ . g^) / 2),
//     ^: scaled to det 1
//     W = Theta^1/2 = sqrt(eta) P(p),  p = (u + e) / sqrt(2 (u_0 + 1));  W g = W^-1 z = lambda
// A row has bounds: gamma - lower >= 0 with multiplier z_l, upper - gamma >= 0 with z_u, s = z_l - z_u; each
// product equals tau.
#include "sap/interior.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/timer.h"

static const double INSIDE = 0.99;  // fraction of the distance to the boundary that a step covers
enum { MAX_STEPS = 40 };

// ---- the second-order cone

static double det3(const double* x) {
  double r = sqrt(x[1] * x[1] + x[2] * x[2]);
  return (x[0] - r) * (x[0] + r);
}
static double dot3(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
// y = f P(u) x
static void apply_P(double f, const double* u, const double* x, double* y) {
  double d = 2 * dot3(u, x);
  y[0] = f * (u[0] * d - x[0]), y[1] = f * (u[1] * d + x[1]), y[2] = f * (u[2] * d + x[2]);
}
static void product(const double* a, const double* b, double* c) {
  c[0] = dot3(a, b), c[1] = a[0] * b[1] + b[0] * a[1], c[2] = a[0] * b[2] + b[0] * a[2];
}
// y with a o y = x
static void divide(const double* a, const double* x, double* y) {
  y[0] = (a[0] * x[0] - a[1] * x[1] - a[2] * x[2]) / det3(a);
  y[1] = (x[1] - y[0] * a[1]) / a[0], y[2] = (x[2] - y[0] * a[2]) / a[0];
}
// largest t <= 1 with x + t d in the cone
static double cone_step(const double* x, const double* d) {
  // roots of det(x + t d) = a t^2 + 2 b t + c, c > 0
  double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2], b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2],
         c = det3(x);
  double disc = b * b - a * c, t = INFINITY;
  if (c <= 0) return 0;
  if (a < 0 || (b < 0 && disc >= 0)) t = c / (-b + sqrt(fmax(disc, 0)));
  if (d[0] < 0) t = fmin(t, -x[0] / d[0]);
  return t < 1 ? t : 1;
}

// ---- the conic form of each constraint

typedef enum Kind { KIND_SOC, KIND_ROWS, KIND_NONE } Kind;

static Kind kind_of(const plSapConstraint* c) {
  if (c->law == PL_SAP_SIMILAR) return KIND_NONE;
  return c->law == PL_SAP_CONE && c->cone.mu > 0 ? KIND_SOC : KIND_ROWS;
}

typedef struct Row {
  double R, v_hat, lower, upper;
} Row;

// Row r of a constraint that consists of rows; a cone without friction has one row, the normal one.
static Row row_of(const plSapConstraint* c, int r) {
  switch (c->law) {
    case PL_SAP_CONE:
      if (r < 2) return (Row){c->cone.R_t, 0, 0, 0};
      return (Row){c->cone.R_n, c->cone.v_hat_n, 0, INFINITY};
    case PL_SAP_ACTUATOR: {
      double dt = c->actuator.dt, K = dt * c->actuator.kp + c->actuator.kd;
      return (Row){1 / (dt * K), c->actuator.u0 / K, dt * c->actuator.lower, dt * c->actuator.upper};
    }
    case PL_SAP_BILATERAL:
      return (Row){c->row[r].R, c->row[r].v_hat, -INFINITY, INFINITY};
    case PL_SAP_UNILATERAL:
      return (Row){c->row[r].R, c->row[r].v_hat, 0, INFINITY};
    default:
      return (Row){c->row[r].R, c->row[r].v_hat, c->row[r].lower, c->row[r].upper};
  }
}
// a row whose impulse cannot change is left out
static bool is_fixed(Row row) { return !(row.lower < row.upper); }

bool pl_sap_interior_possible(const plSapWorkspace* ws) {
  int products = 0;
  for (int i = 0; i < ws->lay.nconstraint; i++) {
    const plSapConstraint* c = ws->problem->constraint + i;
    if (kind_of(c) == KIND_NONE) return false;
    products += c->law != PL_SAP_BILATERAL;
  }
  return products > 0;
}

// ---- state: gamma, and s (cones) or z_l, z_u (rows); one entry per row of the constraints

typedef struct State {
  plSapWorkspace* ws;
  double *gamma, *zl, *zu;     // iterate
  double *dgamma, *dzl, *dzu;  // step
  double *agamma, *azl, *azu;  // the affine step, kept for its second-order part
  double *rc, *rg, *t;         // r_c, r_g, scratch
  double *x, *vc, *rm, *dx, *dvc;
  double tau;  // mean of the complementary products
} State;

static bool allocate(plSapWorkspace* ws, State* s) {
  plArena* arena = &ws->scratch;
  *s = (State){.ws = ws, .dx = ws->dx, .dvc = ws->dvc, .rm = ws->jg};
  double** rows[] = {&s->gamma, &s->zl,  &s->zu, &s->dgamma, &s->dzl, &s->dzu, &s->agamma,
                     &s->azl,   &s->azu, &s->rc, &s->rg,     &s->t,   &s->vc};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    *rows[i] = PL_ARENA_NEW(arena, double, ws->lay.nrow);
  s->x = PL_ARENA_NEW(arena, double, ws->lay.nv);
  return !arena->failed;
}

static void to_g(double mu, const double* gamma, double* g) {
  g[0] = mu * gamma[2], g[1] = gamma[0], g[2] = gamma[1];
}
static void to_z(double mu, const double* s, double* z) { z[0] = s[2] / mu, z[1] = s[0], z[2] = s[1]; }
static void from_z(double mu, const double* z, double* s) { s[2] = z[0] * mu, s[0] = z[1], s[1] = z[2]; }

// The start: the laws' impulses gamma at the present velocity, and their s. Both are on the boundary and are
// moved inside along the axis, by a typical impulse a / sqrt(w) and a typical speed b sqrt(w), so that all
// products are of similar size; w is the Delassus estimate.

// s of one row at the start, and gamma of the cone's rows or of a bounded row
static double start_speed(const plSapWorkspace* ws, const plSapConstraint* c, int row, int r) {
  Row law = row_of(c, r);
  return ws->vc[row] - law.v_hat + law.R * ws->gamma[row];
}

// mean squares of sqrt(w) gamma and s / sqrt(w)
static void typical(const State* s, const double* w, double* a, double* b) {
  const plSapLayout* lay = &s->ws->lay;
  *a = *b = 0;
  for (int i = 0; i < lay->nconstraint; i++) {
    const plSapConstraint* c = s->ws->problem->constraint + i;
    for (int r = 0; r < c->nrow; r++) {
      int q = lay->con_row0[i] + r;
      double g = s->ws->gamma[q], v = start_speed(s->ws, c, q, r);
      *a += w[i] * g * g, *b += v * v / w[i];
    }
  }
  *a = sqrt(*a / lay->nrow), *b = sqrt(*b / lay->nrow);
}

static bool start(State* s) {
  plSapWorkspace* ws = s->ws;
  const plSapLayout* lay = &ws->lay;
  double *w = PL_ARENA_NEW(&ws->scratch, double, lay->nconstraint), typical_a, typical_b;
  if (!w) return false;
  for (int i = 0; i < lay->nconstraint; i++) {
    w[i] = pl_sap_delassus(ws->problem, ws->problem->constraint + i);
    if (!(w[i] > 0)) w[i] = row_of(ws->problem->constraint + i, 0).R;
  }
  typical(s, w, &typical_a, &typical_b);
  if (!(typical_a > 0 && typical_b > 0)) return false;
  memcpy(s->x, ws->x, (size_t)lay->nv * sizeof(double));
  memcpy(s->vc, ws->vc, (size_t)lay->nrow * sizeof(double));
  for (int i = 0; i < lay->nconstraint; i++) {
    const plSapConstraint* c = ws->problem->constraint + i;
    double a = typical_a / sqrt(w[i]), b = typical_b * sqrt(w[i]);
    for (int r = 0; r < c->nrow; r++) {
      int q = lay->con_row0[i] + r;
      double v = start_speed(ws, c, q, r);
      s->gamma[q] = ws->gamma[q], s->zl[q] = s->zu[q] = 0;
      if (kind_of(c) == KIND_SOC) {
        s->zl[q] = v;
        if (r == 2) s->gamma[q] += a / c->cone.mu, s->zl[q] += b * c->cone.mu;
        continue;
      }
      Row row = row_of(c, r);
      bool low = isfinite(row.lower), high = isfinite(row.upper);
      if (is_fixed(row)) {
        s->gamma[q] = row.lower;
        continue;
      }
      double inside = low && high ? fmin(a, 0.25 * (row.upper - row.lower)) : a;
      if (low) s->gamma[q] = fmax(s->gamma[q], row.lower + inside), s->zl[q] = fmax(v, 0) + b;
      if (high) s->gamma[q] = fmin(s->gamma[q], row.upper - inside), s->zu[q] = fmax(-v, 0) + b;
    }
  }
  return true;
}

// mean of the complementary products after a step of length t along (dgamma, dzl, dzu)
static double mean_product(const State* s, double t) {
  const plSapLayout* lay = &s->ws->lay;
  double sum = 0;
  int n = 0;
  for (int i = 0; i < lay->nconstraint; i++) {
    const plSapConstraint* c = s->ws->problem->constraint + i;
    int r0 = lay->con_row0[i];
    if (kind_of(c) == KIND_SOC) {
      for (int r = r0; r < r0 + 3; r++) sum += (s->gamma[r] + t * s->dgamma[r]) * (s->zl[r] + t * s->dzl[r]);
      n++;
      continue;
    }
    for (int r = 0; r < c->nrow; r++) {
      Row row = row_of(c, r);
      double g = s->gamma[r0 + r] + t * s->dgamma[r0 + r];
      if (is_fixed(row)) continue;
      if (isfinite(row.lower)) sum += (g - row.lower) * (s->zl[r0 + r] + t * s->dzl[r0 + r]), n++;
      if (isfinite(row.upper)) sum += (row.upper - g) * (s->zu[r0 + r] + t * s->dzu[r0 + r]), n++;
    }
  }
  return n ? sum / n : 0;
}

// scaling of one cone: eta, u, p
typedef struct Scaling {
  double eta, u[3], p[3];
} Scaling;

static Scaling scaling(const double* g, const double* z) {
  double dg = sqrt(det3(g)), dz = sqrt(det3(z)), c = sqrt(0.5 * (1 + dot3(g, z) / (dg * dz)));
  Scaling s = {.eta = dz / dg};
  s.u[0] = (z[0] / dz + g[0] / dg) / (2 * c), s.u[1] = (z[1] / dz - g[1] / dg) / (2 * c),
  s.u[2] = (z[2] / dz - g[2] / dg) / (2 * c);
  double f = 1 / sqrt(2 * (s.u[0] + 1));
  s.p[0] = (s.u[0] + 1) * f, s.p[1] = s.u[1] * f, s.p[2] = s.u[2] * f;
  return s;
}

// G = M^-1 for a symmetric positive definite 3 x 3 matrix
static void invert3(const double* M, double* G) {
  double a = M[0], b = M[1], c = M[2], d = M[4], e = M[5], f = M[8];
  double l1 = b / a, l2 = c / a, d2 = d - l1 * b, l3 = (e - l1 * c) / d2, d3 = f - l2 * c - l3 * (e - l1 * c);
  // rows of L^-1: (1), (-l1, 1), (l1 l3 - l2, -l3, 1)
  double m = l1 * l3 - l2;
  G[0] = 1 / a + l1 * l1 / d2 + m * m / d3, G[1] = G[3] = -l1 / d2 - m * l3 / d3, G[2] = G[6] = m / d3;
  G[4] = 1 / d2 + l3 * l3 / d3, G[5] = G[7] = -l3 / d3, G[8] = 1 / d3;
}

// ws->G = (R + Theta)^-1, r_c, r_m
static void linearize(State* s) {
  plSapWorkspace* ws = s->ws;
  const plSapLayout* lay = &ws->lay;
  for (int i = 0; i < lay->nconstraint; i++) {
    const plSapConstraint* c = ws->problem->constraint + i;
    int r0 = lay->con_row0[i];
    assert(lay->con_G0[i] + pl_sap_G_size(c) == lay->con_G0[i + 1]);
    double *G = ws->G + lay->con_G0[i], *gamma = s->gamma + r0;
    if (kind_of(c) == KIND_SOC) {
      double mu = c->cone.mu, g[3], z[3], M[9];
      to_g(mu, gamma, g), to_z(mu, s->zl + r0, z);
      Scaling k = scaling(g, z);
      // Theta in the order (t1, t2, n): u_n = mu u_0
      double u[3] = {k.u[1], k.u[2], mu * k.u[0]}, J[3] = {-1, -1, mu * mu},
             R[3] = {c->cone.R_t, c->cone.R_t, c->cone.R_n};
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          M[a + 3 * b] = k.eta * (2 * u[a] * u[b] - (a == b ? J[a] : 0)) + (a == b ? R[a] : 0);
      invert3(M, G);
      for (int r = 0; r < 3; r++)
        s->rc[r0 + r] = s->vc[r0 + r] - (r == 2 ? c->cone.v_hat_n : 0) + R[r] * gamma[r] - s->zl[r0 + r];
      continue;
    }
    bool full = c->law == PL_SAP_CONE;
    if (full) memset(G, 0, 9 * sizeof *G);
    for (int r = 0; r < c->nrow; r++) {
      Row row = row_of(c, r);
      double theta = 0, *to = full ? G + 4 * r : G + r;
      s->rc[r0 + r] = 0, *to = 0;
      if (is_fixed(row)) continue;
      if (isfinite(row.lower)) theta += s->zl[r0 + r] / (gamma[r] - row.lower);
      if (isfinite(row.upper)) theta += s->zu[r0 + r] / (row.upper - gamma[r]);
      *to = 1 / (row.R + theta);
      s->rc[r0 + r] = s->vc[r0 + r] - row.v_hat + row.R * gamma[r] - (s->zl[r0 + r] - s->zu[r0 + r]);
    }
  }
  // r_m = A x - J' gamma
  pl_sap_mul_Jt(ws, s->gamma, s->rm);
  pl_sap_mul_A(ws, s->x, ws->dp);
  for (int i = 0; i < lay->nv; i++) s->rm[i] = ws->dp[i] - s->rm[i];
}

// r_g for products equal to tau; second adds the second-order part of the affine step
static void aim(State* s, double tau, bool second) {
  const plSapLayout* lay = &s->ws->lay;
  for (int i = 0; i < lay->nconstraint; i++) {
    const plSapConstraint* c = s->ws->problem->constraint + i;
    int r0 = lay->con_row0[i];
    if (kind_of(c) == KIND_SOC) {
      double mu = c->cone.mu, g[3], z[3], lambda[3], rhs[3], y[3], root, out[3];
      to_g(mu, s->gamma + r0, g), to_z(mu, s->zl + r0, z);
      Scaling k = scaling(g, z);
      root = sqrt(k.eta);
      apply_P(root, k.p, g, lambda);
      product(lambda, lambda, rhs);
      for (int r = 0; r < 3; r++) rhs[r] = (r == 0 ? tau : 0) - rhs[r];
      if (second) {
        double dg[3], dz[3], a[3], b[3], ab[3], Jp[3] = {k.p[0], -k.p[1], -k.p[2]};
        to_g(mu, s->agamma + r0, dg), to_z(mu, s->azl + r0, dz);
        apply_P(root, k.p, dg, a), apply_P(1 / root, Jp, dz, b), product(a, b, ab);
        for (int r = 0; r < 3; r++) rhs[r] -= ab[r];
      }
      divide(lambda, rhs, y);
      apply_P(root, k.p, y, out);
      from_z(mu, out, s->rg + r0);
      continue;
    }
    for (int r = 0; r < c->nrow; r++) {
      Row row = row_of(c, r);
      int q = r0 + r;
      s->rg[q] = 0;
      if (is_fixed(row)) continue;
      if (isfinite(row.lower)) {
        double d = s->gamma[q] - row.lower;
        s->rg[q] += (tau - (second ? s->agamma[q] * s->azl[q] : 0)) / d - s->zl[q];
      }
      if (isfinite(row.upper)) {
        double d = row.upper - s->gamma[q];
        s->rg[q] -= (tau + (second ? s->agamma[q] * s->azu[q] : 0)) / d - s->zu[q];
      }
    }
  }
}

// dx, dvc, dgamma, dzl, dzu for the present r_g; the panels hold the factor.
static void step_direction(State* s, double tau, bool second) {
  plSapWorkspace* ws = s->ws;
  const plSapLayout* lay = &ws->lay;
  // t = G (r_c - r_g)
  for (int i = 0; i < lay->nconstraint; i++) {
    const double* G = ws->G + lay->con_G0[i];
    int r0 = lay->con_row0[i], n = lay->con_row0[i + 1] - r0;
    bool full = pl_sap_is_contact(ws->problem->constraint[i].law);
    for (int r = 0; r < n; r++) {
      double d = 0;
      if (full)
        for (int q = 0; q < 3; q++) d += G[r + 3 * q] * (s->rc[r0 + q] - s->rg[r0 + q]);
      else
        d = G[r] * (s->rc[r0 + r] - s->rg[r0 + r]);
      s->t[r0 + r] = d;
    }
  }
  pl_sap_mul_Jt(ws, s->t, ws->grad);
  for (int i = 0; i < lay->nv; i++) ws->grad[i] = -s->rm[i] - ws->grad[i];
  pl_sap_factor_solve(ws, ws->grad, s->dx);
  pl_sap_mul_J(ws, s->dx, s->dvc);
  for (int i = 0; i < lay->nconstraint; i++) {
    const plSapConstraint* c = ws->problem->constraint + i;
    const double* G = ws->G + lay->con_G0[i];
    int r0 = lay->con_row0[i];
    bool full = pl_sap_is_contact(c->law), soc = kind_of(c) == KIND_SOC;
    for (int r = 0; r < c->nrow; r++) {
      double d = s->t[r0 + r];
      if (full)
        for (int q = 0; q < 3; q++) d += G[r + 3 * q] * s->dvc[r0 + q];
      else
        d += G[r] * s->dvc[r0 + r];
      s->dgamma[r0 + r] = -d;
    }
    for (int r = 0; r < c->nrow; r++) {
      int q = r0 + r;
      Row row = soc ? (Row){0} : row_of(c, r);
      if (soc) {
        // ds from the second equation
        s->dzl[q] = s->dvc[q] + (r == 2 ? c->cone.R_n : c->cone.R_t) * s->dgamma[q] + s->rc[q];
        continue;
      }
      s->dzl[q] = s->dzu[q] = 0;
      if (is_fixed(row)) s->dgamma[q] = 0;
      if (is_fixed(row)) continue;
      if (isfinite(row.lower)) {
        double d = s->gamma[q] - row.lower;
        s->dzl[q] = (tau - (second ? s->agamma[q] * s->azl[q] : 0) - s->zl[q] * s->dgamma[q]) / d - s->zl[q];
      }
      if (isfinite(row.upper)) {
        double d = row.upper - s->gamma[q];
        s->dzu[q] = (tau + (second ? s->agamma[q] * s->azu[q] : 0) + s->zu[q] * s->dgamma[q]) / d - s->zu[q];
      }
    }
  }
}

// The largest step, at most 1, for which all products stay positive.
static double step_length(const State* s) {
  const plSapLayout* lay = &s->ws->lay;
  double t = 1;
  for (int i = 0; i < lay->nconstraint; i++) {
    const plSapConstraint* c = s->ws->problem->constraint + i;
    int r0 = lay->con_row0[i];
    if (kind_of(c) == KIND_SOC) {
      double g[3], z[3], dg[3], dz[3];
      to_g(c->cone.mu, s->gamma + r0, g), to_g(c->cone.mu, s->dgamma + r0, dg);
      to_z(c->cone.mu, s->zl + r0, z), to_z(c->cone.mu, s->dzl + r0, dz);
      t = fmin(t, fmin(cone_step(g, dg), cone_step(z, dz)));
      continue;
    }
    for (int r = 0; r < c->nrow; r++) {
      Row row = row_of(c, r);
      int q = r0 + r;
      if (is_fixed(row)) continue;
      if (isfinite(row.lower) && s->dgamma[q] < 0) t = fmin(t, (row.lower - s->gamma[q]) / s->dgamma[q]);
      if (isfinite(row.upper) && s->dgamma[q] > 0) t = fmin(t, (row.upper - s->gamma[q]) / s->dgamma[q]);
      if (s->dzl[q] < 0) t = fmin(t, -s->zl[q] / s->dzl[q]);
      if (s->dzu[q] < 0) t = fmin(t, -s->zu[q] / s->dzu[q]);
    }
  }
  return t;
}

// predictor and corrector; the factor is in the panels
static void mehrotra_direction(State* s) {
  size_t rows = (size_t)s->ws->lay.nrow * sizeof(double);
  aim(s, 0, false);
  step_direction(s, 0, false);
  double ratio = mean_product(s, step_length(s)) / s->tau, tau = s->tau * ratio * ratio * ratio;
  memcpy(s->agamma, s->dgamma, rows), memcpy(s->azl, s->dzl, rows), memcpy(s->azu, s->dzu, rows);
  aim(s, tau, true);
  step_direction(s, tau, true);
}

// Moves by t and computes the residual of the cost's gradient there.
static double advance(State* s, double t, const plSapOptions* options, plSapReport* report) {
  plSapWorkspace* ws = s->ws;
  const plSapLayout* lay = &ws->lay;
  for (int i = 0; i < lay->nv; i++) s->x[i] += t * s->dx[i];
  for (int i = 0; i < lay->nrow; i++)
    s->gamma[i] += t * s->dgamma[i], s->zl[i] += t * s->dzl[i], s->zu[i] += t * s->dzu[i];
  pl_sap_mul_A(ws, s->x, ws->p);
  pl_sap_mul_J(ws, s->x, s->vc);
  for (int i = 0; i < lay->nrow; i++) s->vc[i] += ws->vc0[i];
  pl_sap_laws(ws, s->vc, NULL, ws->gamma, NULL, NULL, options->pool);
  pl_sap_mul_Jt(ws, ws->gamma, ws->jg);
  for (int i = 0; i < lay->nv; i++) ws->grad[i] = ws->p[i] - ws->jg[i];
  return pl_sap_momentum_residual(ws, options, report);
}

bool pl_sap_interior(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report, double done) {
  State s;
  size_t rows = (size_t)ws->lay.nrow * sizeof(double);
  if (!allocate(ws, &s)) return false;
  double cost = pl_sap_evaluated_cost(ws);
  if (!start(&s)) return false;
  for (int k = 0; k < MAX_STEPS && report->iterations < options->max_iterations; k++) {
    memset(s.dgamma, 0, rows), memset(s.dzl, 0, rows), memset(s.dzu, 0, rows);
    s.tau = mean_product(&s, 0);
    linearize(&s);
    int bad;
    ws->factored = false;
    pl_sap_mark_changed(ws);
    PL_TIMED(report->time_assemble, bad = pl_sap_assemble(ws, options->pool));
    if (!(s.tau > 0 && isfinite(s.tau)) || bad >= 0) break;
    PL_TIMED(report->time_factor, bad = pl_sap_factor(ws, false, options->pool));
    if (bad >= 0) break;
    report->factorizations++, report->iterations++, report->interior_steps++;
    PL_TIMED(report->time_solve, mehrotra_direction(&s));
    double t = step_length(&s);
    if (t < 1) t *= INSIDE;
    if (!(t > 1e-4) || !(advance(&s, t, options, report) > done)) break;
  }
  // the result is kept only if it lowers the cost
  pl_sap_mul_A(ws, s.x, ws->p);
  bool better = pl_sap_cost(ws, s.x, ws->p, s.vc) < cost;
  if (better) memcpy(ws->x, s.x, (size_t)ws->lay.nv * sizeof(double));
  return better;
}

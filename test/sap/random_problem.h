// random_problem.h: random contact problems of all sizes and scales, and a check of their answers that shares
// no code with the solver. Used by the tests and by bench/sap_stress.
#ifndef PL_TEST_SAP_RANDOM_PROBLEM_H
#define PL_TEST_SAP_RANDOM_PROBLEM_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "pliant/sap.h"

enum {
  RANDOM_MAX_BODY = 200,
  RANDOM_MAX_CONTACT = 1000,
  RANDOM_MAX_NV = 24,
  RANDOM_MAX_CON = RANDOM_MAX_CONTACT + 3 * RANDOM_MAX_BODY
};

// All memory of one problem, taken once and reused.
typedef struct RandomProblem {
  plSapProblem problem;
  int nv[RANDOM_MAX_BODY];
  const double* A[RANDOM_MAX_BODY];
  double A_data[RANDOM_MAX_BODY][RANDOM_MAX_NV * RANDOM_MAX_NV];
  double v_star[RANDOM_MAX_BODY * RANDOM_MAX_NV], v0[RANDOM_MAX_BODY * RANDOM_MAX_NV];
  int dof0[RANDOM_MAX_BODY + 1];
  plSapConstraint con[RANDOM_MAX_CON];
  plSapBlock blk[RANDOM_MAX_CON][3];
  double J[RANDOM_MAX_CON][3][3 * RANDOM_MAX_NV];
  int vert[RANDOM_MAX_CON][3][4];
  double bias[RANDOM_MAX_CON][3];
  plSapRow row[RANDOM_MAX_CON][3];
  double x[RANDOM_MAX_BODY][3], radius[RANDOM_MAX_BODY];
  int kind[RANDOM_MAX_BODY];      // 0: rigid, 1: generalised coordinates, 2: deformable
  double dt, mass_ratio, spring;  // spring: stiffest of soft bodies, dt^2 k / m
  int ncontact;
} RandomProblem;

static double log_uniform(plRandom* r, double a, double b) { return exp(pl_random(r, log(a), log(b))); }

static void random_unit(plRandom* r, double* n) {
  double s;
  do {
    for (int i = 0; i < 3; i++) n[i] = pl_random(r, -1, 1);
    s = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
  } while (s > 1 || s < 1e-4);
  for (int i = 0; i < 3; i++) n[i] /= sqrt(s);
}

static void cross3(const double* a, const double* b, double* c) {
  c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
}

// rows of F: two tangents and the normal
static void random_frame(const double* n, double (*F)[3]) {
  double a[3] = {fabs(n[0]) < 0.9, fabs(n[0]) >= 0.9, 0}, s;
  cross3(n, a, F[0]);
  s = sqrt(F[0][0] * F[0][0] + F[0][1] * F[0][1] + F[0][2] * F[0][2]);
  for (int i = 0; i < 3; i++) F[0][i] /= s, F[2][i] = n[i];
  cross3(n, F[0], F[1]);
}

// A of one body of mass m
static void random_A(plRandom* r, RandomProblem* p, int b, double m) {
  double* A = p->A_data[b];
  int nv = p->nv[b];
  memset(A, 0, sizeof p->A_data[b]);
  if (p->kind[b] == 0) {
    // rigid: mass, and an inertia with principal moments in a random frame
    double n[3], F[3][3], I[3];
    random_unit(r, n);
    random_frame(n, F);
    for (int k = 0; k < 3; k++) I[k] = 0.4 * m * p->radius[b] * p->radius[b] * pl_random(r, 0.3, 1);
    for (int i = 0; i < 3; i++) A[i + 6 * i] = m;
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) A[(i + 3) + 6 * (j + 3)] += I[k] * F[k][i] * F[k][j];
  } else {
    // lumped masses and random springs between degrees of freedom, up to very stiff ones
    double k = m * log_uniform(r, 1e-3, p->spring);
    for (int i = 0; i < nv; i++) A[i + nv * i] = m * pl_random(r, 0.2, 1) / nv;
    for (int s = 0; s < 2 * nv; s++) {
      double d[RANDOM_MAX_NV];
      for (int i = 0; i < nv; i++) d[i] = pl_random_int(r, 3) ? 0 : pl_random(r, -1, 1);
      for (int j = 0; j < nv; j++)
        for (int i = 0; i < nv; i++) A[i + nv * j] += k * d[i] * d[j];
    }
  }
  p->A[b] = A;
}

static void random_bodies(plRandom* r, RandomProblem* p, int nbody) {
  double m0 = log_uniform(r, 1e-3, 1e3), speed = log_uniform(r, 1e-3, 10), g = 9.81 * p->dt;
  p->mass_ratio = log_uniform(r, 1, 1e9);
  p->dof0[0] = 0;
  for (int b = 0; b < nbody; b++) {
    int kind = pl_random_int(r, 10);
    p->kind[b] = kind < 7 ? 0 : kind < 8 ? 1 : 2;
    p->nv[b] = p->kind[b] == 0   ? 6
               : p->kind[b] == 1 ? 1 + pl_random_int(r, 12)
                                 : 3 * (1 + pl_random_int(r, 8));
    p->radius[b] = log_uniform(r, 0.02, 0.5);
    for (int i = 0; i < 3; i++) p->x[b][i] = pl_random(r, -1, 1);
    random_A(r, p, b, m0 * log_uniform(r, 1, p->mass_ratio));
    p->dof0[b + 1] = p->dof0[b] + p->nv[b];
    double rest = pl_random_int(r, 2) ? 1 : 0;
    for (int i = 0; i < p->nv[b]; i++) {
      double spin = p->kind[b] == 0 && i >= 3 ? 1 / p->radius[b] : 1;
      p->v0[p->dof0[b] + i] = rest * speed * spin * pl_random(r, -1, 1);
      p->v_star[p->dof0[b] + i] =
          p->v0[p->dof0[b] + i] - (p->kind[b] != 1 && i % 3 == 2 && spin == 1 ? g : 0);
    }
  }
}

// the block of body b for velocities F (v + w x arm), times sign
static void random_block(plRandom* r, RandomProblem* p, int i, int k, int b, double (*F)[3],
                         const double* arm, double sign) {
  plSapBlock* blk = &p->blk[i][k];
  double* J = p->J[i][k];
  *blk = (plSapBlock){.clique = b, .J = J};
  memset(J, 0, sizeof p->J[i][k]);
  if (p->kind[b] == 0) {
    for (int row = 0; row < 3; row++) {
      double c[3];
      cross3(arm, F[row], c);
      for (int j = 0; j < 3; j++) J[row + 3 * j] = sign * F[row][j], J[row + 3 * (j + 3)] = sign * c[j];
    }
  } else if (p->kind[b] == 1) {
    for (int j = 0; j < 3 * p->nv[b]; j++) J[j] = pl_random_int(r, 4) ? sign * pl_random(r, -1, 1) : 0;
  } else {
    // up to 4 different vertices with barycentric weights
    int nvert = p->nv[b] / 3, n = nvert < 4 ? nvert : 1 + pl_random_int(r, 4),
        first = pl_random_int(r, nvert);
    double w[4], sum = 0;
    for (int q = 0; q < n; q++) sum += w[q] = pl_random(r, 0.01, 1);
    for (int q = 0; q < n; q++) {
      p->vert[i][k][q] = (first + q) % nvert;
      for (int row = 0; row < 3; row++)
        for (int j = 0; j < 3; j++) J[row + 3 * (3 * q + j)] = sign * w[q] / sum * F[row][j];
    }
    blk->nvert = n, blk->vert = p->vert[i][k];
  }
}

// a contact between a body and another one or the world, as constraint i
static void random_contact(plRandom* r, RandomProblem* p, int i, int law) {
  int nbody = p->problem.nclique, a = pl_random_int(r, nbody),
      b = nbody > 1 && pl_random_int(r, 3) ? pl_random_int(r, nbody) : -1;
  plSapConstraint* con = &p->con[i];
  double n[3] = {0, 0, 1}, F[3][3], arm[3];
  if (b >= 0) {
    // the normal points from b to a
    double s = 0;
    for (int k = 0; k < 3; k++) n[k] = p->x[a][k] - p->x[b][k], s += n[k] * n[k];
    if (a == b || s < 1e-6)
      random_unit(r, n);
    else
      for (int k = 0; k < 3; k++) n[k] /= sqrt(s);
  }
  random_frame(n, F);
  // a lone normal in ten; two in a hundred at the centre of mass exactly
  bool centre = pl_random_int(r, 50) == 0;
  for (int k = 0; k < 3; k++) arm[k] = centre ? 0 : p->radius[a] * (-n[k] + pl_random(r, -0.7, 0.7));
  *con = (plSapConstraint){.law = (plSapLaw)law, .nrow = 3, .nblock = 1, .block = p->blk[i]};
  random_block(r, p, i, 0, a, F, arm, 1);
  if (b >= 0 && b != a) {
    for (int k = 0; k < 3; k++) arm[k] = centre ? 0 : p->radius[b] * (n[k] + pl_random(r, -0.7, 0.7));
    random_block(r, p, i, 1, b, F, arm, -1);
    con->nblock = 2;
  }
  if (pl_random_int(r, 10) == 0) {
    for (int k = 0; k < 3; k++) p->bias[i][k] = pl_random(r, -1, 1);
    con->bias = p->bias[i];
  }
  // parameters from physical ones
  double w = pl_sap_delassus(&p->problem, con);
  if (!(w > 0)) w = 1;
  static const double mus[] = {0, 0.1, 0.3, 0.5, 1, 10};
  double mu = pl_random_int(r, 2) ? mus[pl_random_int(r, 6)] : pl_random(r, 0, pl_random_int(r, 3) ? 1 : 10);
  double k = log_uniform(r, 1e-2, 1e16), phi = pl_random(r, -1, 1);
  phi *= log_uniform(r, 1e-7, 1e-2);
  double share = pl_random_int(r, 5)   ? 1
                 : pl_random_int(r, 5) ? pl_random(r, 0.01, 1)
                                       : log_uniform(r, 1e-12, 1);
  if (law == PL_SAP_CONE) {
    con->cone =
        pl_sap_cone(p->dt, mu, k, log_uniform(r, 1e-5, 1), phi, w, share, PL_SAP_BETA_CONTACT, PL_SAP_SIGMA);
    // hints that are right or wrong as it comes
    con->likely_open = phi > 0 || i % 10 == 0;
  } else {
    double speed = pl_random(r, -1, 1), dissipation = pl_random_int(r, 2) ? log_uniform(r, 1e-2, 1e2) : 0;
    con->hunt_crossley = pl_sap_hunt_crossley(p->dt, mu, k, dissipation, -k * phi, speed, w, 1e-4,
                                              PL_SAP_BETA_CONTACT, PL_SAP_SIGMA);
  }
}

// an exact copy of an earlier contact, or the same contact with other parameters
static void duplicate_contact(plRandom* r, RandomProblem* p, int i, int from) {
  p->con[i] = p->con[from];
  memcpy(p->blk[i], p->blk[from], sizeof p->blk[i]);
  p->con[i].block = p->blk[i];
  if (pl_random_int(r, 2) && p->con[i].law == PL_SAP_CONE) p->con[i].cone.mu = pl_random(r, 0, 10);
}

// a row constraint on one body: limit, dry friction, actuator, coupler between two bodies; or a ball joint of
// up to three bodies
static void random_rows(plRandom* r, RandomProblem* p, int i) {
  plSapConstraint* con = &p->con[i];
  int nbody = p->problem.nclique, kind = pl_random_int(r, 5), n = kind == 4 ? 3 : 1,
      nblock = kind >= 3 ? 1 + pl_random_int(r, 3) : 1;
  *con = (plSapConstraint){.nrow = n, .nblock = 0, .block = p->blk[i]};
  for (int k = 0; k < nblock; k++) {
    int b = pl_random_int(r, nbody);
    bool seen = false;
    for (int q = 0; q < con->nblock; q++) seen |= p->blk[i][q].clique == b;
    if (seen) continue;
    p->blk[i][con->nblock] = (plSapBlock){.clique = b, .J = p->J[i][con->nblock]};
    for (int j = 0; j < n * p->nv[b]; j++)
      p->J[i][con->nblock][j] = pl_random_int(r, 3) ? 0 : pl_random(r, -1, 1);
    con->nblock++;
  }
  double w, g = pl_random(r, -1, 1);
  g *= log_uniform(r, 1e-6, 1e-2);
  con->law = PL_SAP_BILATERAL, con->row = p->row[i];
  w = pl_sap_delassus(&p->problem, con);
  if (!(w > 0)) w = 1;
  if (kind == 0) {
    con->law = PL_SAP_UNILATERAL, p->row[i][0] = pl_sap_limit(p->dt, g, 1e12, p->dt, w, PL_SAP_BETA);
  } else if (kind == 1) {
    con->law = PL_SAP_BOUNDED,
    p->row[i][0] = pl_sap_dry_friction(p->dt, log_uniform(r, 1e-2, 1e3), w, PL_SAP_SIGMA);
  } else if (kind == 2) {
    double effort = log_uniform(r, 1e-1, 1e4), kd = log_uniform(r, 1e-2, 1e6), kp = log_uniform(r, 1e-2, 1e8);
    con->law = PL_SAP_ACTUATOR;
    con->actuator = pl_sap_actuator(p->dt, kp, kd, 0, g, 0, 0, effort, w, PL_SAP_BETA);
    con->actuator.lower *= pl_random_int(r, 3) ? 1 : pl_random(r, -0.5, 0.5);
  } else {
    for (int k = 0; k < n; k++) p->row[i][k] = pl_sap_holonomic(p->dt, g, INFINITY, 0, w, PL_SAP_BETA);
  }
}

static inline void random_problem(plRandom* r, RandomProblem* p) {
  int nbody = (int)log_uniform(r, 1, RANDOM_MAX_BODY + 1),
      nc = (int)log_uniform(r, 1, RANDOM_MAX_CONTACT + 1);
  int law = pl_random_int(r, 6);
  p->dt = log_uniform(r, 1e-4, 0.05), p->spring = 1e4;
  p->ncontact = nc;
  p->problem = (plSapProblem){
      .nclique = nbody, .clique_nv = p->nv, .A = p->A, .v_star = p->v_star, .constraint = p->con};
  random_bodies(r, p, nbody);
  int n = 0;
  for (int i = 0; i < nc; i++, n++) {
    if (i > 0 && pl_random_int(r, 20) == 0)
      duplicate_contact(r, p, n, pl_random_int(r, n));
    else
      random_contact(r, p, n, law < 4 ? PL_SAP_CONE : PL_SAP_SIMILAR);
  }
  int nrows = pl_random_int(r, 2) ? pl_random_int(r, nbody + 1) : 0;
  for (int i = 0; i < nrows; i++, n++) random_rows(r, p, n);
  p->problem.nconstraint = n;
}

// ---- solving

// options with tolerance 1e-12
static inline plSapOptions tight(void) {
  plSapOptions o = pl_sap_default_options();
  o.relative_tolerance = 1e-12;
  return o;
}

// one solve with a workspace of its own
static inline plStatus solve(const plSapProblem* p, const plSapOptions* o, double* v, double* gamma,
                             double* vc, plSapReport* report) {
  plError error = {0};
  plSapWorkspace* ws = pl_sap_workspace_create(&error);
  plSapSolution solution = {v, gamma, vc};
  plStatus status = pl_sap_solve(p, o, NULL, &solution, report, ws, &error);
  if (status) printf("  (%s: %s)\n", pl_status_name(status), error.message);
  pl_sap_workspace_destroy(ws);
  return status;
}

// ---- the independent check, in long double

typedef long double real;

static real check_soc(real R_t, real R_n, real mu, const real* y, real* g) {
  // nearest point of the cone in the norm of R by the optimality conditions of the two faces; returns |y_t|
  real yr = sqrtl(y[0] * y[0] + y[1] * y[1]);
  if (mu > 0 && yr <= mu * y[2]) return g[0] = y[0], g[1] = y[1], g[2] = y[2], yr;
  real n = (R_n * y[2] + mu * R_t * yr) / (R_n + mu * mu * R_t);
  if (n <= 0) return g[0] = g[1] = g[2] = 0, yr;
  g[2] = n, g[0] = yr > 0 ? mu * n * y[0] / yr : 0, g[1] = yr > 0 ? mu * n * y[1] / yr : 0;
  return yr;
}

// impulse of a law at vc
static void check_impulse(const plSapConstraint* c, const double* vc, real* g) {
  if (c->law == PL_SAP_CONE) {
    real y[3] = {-(real)vc[0] / c->cone.R_t, -(real)vc[1] / c->cone.R_t,
                 ((real)c->cone.v_hat_n - vc[2]) / c->cone.R_n};
    (void)check_soc(c->cone.R_t, c->cone.R_n, c->cone.mu, y, g);
  } else if (c->law == PL_SAP_SIMILAR) {
    const plSapHuntCrossley* h = &c->hunt_crossley;
    real s = sqrtl((real)vc[0] * vc[0] + (real)vc[1] * vc[1] + (real)h->v_s * h->v_s);
    real z = (real)vc[2] - h->mu * (s - h->v_s);
    real e = h->f_e - (real)h->dt * h->k * z, d = 1 - (real)h->d * z, n = e > 0 && d > 0 ? h->dt * e * d : 0;
    real f = h->mu * n;
    g[0] = -f * vc[0] / s, g[1] = -f * vc[1] / s, g[2] = n;
  } else if (c->law == PL_SAP_ACTUATOR) {
    const plSapActuator* a = &c->actuator;
    real u = a->u0 - ((real)a->dt * a->kp + a->kd) * vc[0];
    g[0] = a->dt * (u > a->upper ? a->upper : u < a->lower ? a->lower : u);
  } else {
    for (int i = 0; i < c->nrow; i++) {
      real y = ((real)c->row[i].v_hat - vc[i]) / c->row[i].R;
      if (c->law == PL_SAP_UNILATERAL && y < 0) y = 0;
      if (c->law == PL_SAP_BOUNDED)
        y = y < c->row[i].lower ? c->row[i].lower : y > c->row[i].upper ? c->row[i].upper : y;
      g[i] = y;
    }
  }
}

typedef struct Checked {
  double momentum;  // |S (A (v - v_star) - J' gamma)| / max(|S A v|, |S J' gamma|), over all cliques
  double clique;    // the same for the worst clique, scale: max(|S A v|_c, sum_i |S J_i' gamma_i|_c, 1e-6 of
                    // the whole)
  double law;       // largest |gamma - law(vc)| / (|gamma| + rounding of vc times stiffness)
  double velocity;  // largest |vc - J v - b| / (|J| (|v| + |v_star|) + |b|)
} Checked;

// v, gamma, vc: an answer. Returns its errors; each is found from the definitions alone.
static inline Checked check_answer(const plSapProblem* p, const double* v, const double* gamma,
                                   const double* vc) {
  Checked out = {0};
  int nv = 0;
  for (int c = 0; c < p->nclique; c++) nv += p->clique_nv[c];
  int* dof0 = malloc(((size_t)p->nclique + 1) * sizeof *dof0);
  real* f = calloc((size_t)nv + 1, sizeof *f);
  double* sum = calloc((size_t)p->nclique + 1, sizeof *sum);
  bool* touched = calloc((size_t)p->nclique + 1, sizeof *touched);
  dof0[0] = 0;
  for (int c = 0; c < p->nclique; c++) dof0[c + 1] = dof0[c] + p->clique_nv[c];
  for (int i = 0, r0 = 0; i < p->nconstraint; r0 += p->constraint[i++].nrow) {
    const plSapConstraint* con = p->constraint + i;
    int n = con->nrow;
    real g[64], u[64], size[64];
    for (int r = 0; r < n; r++) u[r] = con->bias ? con->bias[r] : 0, size[r] = fabsl(u[r]);
    for (int k = 0; k < con->nblock; k++) {
      const plSapBlock* b = con->block + k;
      int m = b->nvert ? 3 * b->nvert : p->clique_nv[b->clique];
      double norm2 = 0;
      touched[b->clique] = true;
      for (int j = 0; j < m; j++) {
        int local = b->nvert ? 3 * b->vert[j / 3] + j % 3 : j, d = dof0[b->clique] + local;
        real t = 0;
        for (int r = 0; r < n; r++) {
          real Jrj = b->J[r + n * j];
          u[r] += Jrj * v[d], size[r] += fabsl(Jrj) * (fabsl((real)v[d]) + fabsl((real)p->v_star[d]));
          t += Jrj * gamma[r0 + r];
        }
        f[d] += t;
        norm2 += (double)(t * t) / p->A[b->clique][local * (p->clique_nv[b->clique] + 1)];
      }
      sum[b->clique] += sqrt(norm2);
    }
    check_impulse(con, vc + r0, g);
    real g_norm = 0, g_err = 0;
    for (int r = 0; r < n; r++) {
      double e = (double)(fabsl(vc[r0 + r] - u[r]) / (size[r] + 1e-300L));
      if (e > out.velocity) out.velocity = e;
      g_norm += fabsl(g[r]), g_err += fabsl(g[r] - gamma[r0 + r]);
    }
    double e = g_err > 0 ? (double)(g_err / (g_norm + 1e-300L)) : 0;
    if (e > out.law && g_err > 1e-25L) out.law = e;
  }
  // momentum
  real r2 = 0, a2 = 0, j2 = 0;
  double* rc = calloc((size_t)p->nclique + 1, sizeof *rc);
  for (int c = 0; c < p->nclique; c++) {
    int n = p->clique_nv[c];
    real c_r2 = 0, c_a2 = 0;
    for (int i = 0; i < n && touched[c]; i++) {
      real av = 0, ax = 0, S2 = 1 / (real)p->A[c][i * (n + 1)];
      for (int j = 0; j < n; j++) {
        real a = i >= j ? p->A[c][i + n * j] : p->A[c][j + n * i];
        av += a * v[dof0[c] + j], ax += a * ((real)v[dof0[c] + j] - p->v_star[dof0[c] + j]);
      }
      real r = ax - f[dof0[c] + i];
      c_r2 += S2 * r * r, c_a2 += S2 * av * av, j2 += S2 * f[dof0[c] + i] * f[dof0[c] + i];
    }
    r2 += c_r2, a2 += c_a2;
    rc[c] = sqrt((double)c_r2);
    if (sqrt((double)c_a2) > sum[c]) sum[c] = sqrt((double)c_a2);
  }
  double scale = sqrt((double)(a2 > j2 ? a2 : j2));
  out.momentum = scale > 0 ? sqrt((double)r2) / scale : 0;
  for (int c = 0; c < p->nclique; c++) {
    double s = sum[c] > 1e-6 * scale ? sum[c] : 1e-6 * scale;
    // cliques without scale of their own are held to the absolute tolerance
    if (rc[c] > 1e-14 && rc[c] / s > out.clique) out.clique = rc[c] / s;
  }
  free(dof0), free(f), free(sum), free(rc), free(touched);
  return out;
}

#endif

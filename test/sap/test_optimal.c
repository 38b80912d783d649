// test_optimal.c: the solver's answers: against references in long double, the "pizza saver", independent
// residuals on random problems, and the interior-point phase against Newton's method alone.
#include "check.h"
#include "random_problem.h"

// ---- the reference: the dual problem min 1/2 g' (J A^-1 J' + R) g - g' (v_hat - J v_star - b) over the
// cones, by projected gradients with momentum (Nesterov, restarted), in long double. It shares neither the
// unknowns nor the method of the solver.

enum { REF_MAX = 96 };

// nearest point, Euclidean, of { |g_t| <= mu g_n }
static void ref_project(double mu, real* g) {
  real t = sqrtl(g[0] * g[0] + g[1] * g[1]);
  if (t <= mu * g[2]) return;
  real n = (g[2] + mu * t) / (1 + mu * mu);
  if (n <= 0) {
    g[0] = g[1] = g[2] = 0;
    return;
  }
  g[0] *= mu * n / t, g[1] *= mu * n / t, g[2] = n;
}

static void ref_project_all(const plSapProblem* p, real* g) {
  for (int i = 0, r0 = 0; i < p->nconstraint; r0 += p->constraint[i++].nrow) {
    const plSapConstraint* c = p->constraint + i;
    if (c->law == PL_SAP_CONE) ref_project(c->cone.mu, g + r0);
    for (int r = 0; r < c->nrow; r++) {
      real* x = g + r0 + r;
      if (c->law == PL_SAP_UNILATERAL && *x < 0) *x = 0;
      if (c->law == PL_SAP_BOUNDED)
        *x = *x < c->row[r].lower ? c->row[r].lower : *x > c->row[r].upper ? c->row[r].upper : *x;
      if (c->law == PL_SAP_ACTUATOR) {
        real dt = c->actuator.dt, low = dt * c->actuator.lower, high = dt * c->actuator.upper;
        *x = *x < low ? low : *x > high ? high : *x;
      }
    }
  }
}

// b := A^-1 b in long double (Gauss-Jordan on a copy)
static void ref_solve(int n, const double* A, real* b) {
  static real M[RANDOM_MAX_NV][RANDOM_MAX_NV];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) M[i][j] = i >= j ? A[i + n * j] : A[j + n * i];
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) {
      if (i == k) continue;
      real m = M[i][k] / M[k][k];
      for (int j = k; j < n; j++) M[i][j] -= m * M[k][j];
      b[i] -= m * b[k];
    }
  for (int i = 0; i < n; i++) b[i] /= M[i][i];
}

static real ref_row(const plSapProblem* p, const plSapConstraint* c, const int* dof0, int r, const real* v) {
  real sum = 0;
  for (int k = 0; k < c->nblock; k++) {
    const plSapBlock* b = c->block + k;
    int m = b->nvert ? 3 * b->nvert : p->clique_nv[b->clique];
    for (int j = 0; j < m; j++)
      sum += (real)b->J[r + c->nrow * j] * v[dof0[b->clique] + (b->nvert ? 3 * b->vert[j / 3] + j % 3 : j)];
  }
  return sum;
}

// v of the optimum; false if the iteration did not settle. Nothing here may exceed REF_MAX rows.
static bool reference(const plSapProblem* p, real* v) {
  static real W[REF_MAX][REF_MAX];
  real rhs[REF_MAX], g[REF_MAX] = {0}, old[REF_MAX] = {0}, y[REF_MAX] = {0}, v_star[256];
  int dof0[64] = {0}, n = 0;
  for (int c = 0; c < p->nclique; c++) dof0[c + 1] = dof0[c] + p->clique_nv[c];
  int nv = dof0[p->nclique];
  for (int i = 0; i < nv; i++) v_star[i] = p->v_star[i];
  for (int i = 0; i < p->nconstraint; i++) {
    const plSapConstraint* c = p->constraint + i;
    for (int r = 0; r < c->nrow; r++, n++) {
      real R, v_hat = 0;
      if (c->law == PL_SAP_CONE)
        R = r < 2 ? c->cone.R_t : c->cone.R_n, v_hat = r < 2 ? 0 : c->cone.v_hat_n;
      else if (c->law == PL_SAP_ACTUATOR) {
        real K = (real)c->actuator.dt * c->actuator.kp + c->actuator.kd;
        R = 1 / (c->actuator.dt * K), v_hat = c->actuator.u0 / K;
      } else
        R = c->row[r].R, v_hat = c->row[r].v_hat;
      // column n of A^-1 J'
      real e[256] = {0};
      for (int k = 0; k < c->nblock; k++) {
        const plSapBlock* b = c->block + k;
        int m = b->nvert ? 3 * b->nvert : p->clique_nv[b->clique];
        for (int j = 0; j < m; j++)
          e[dof0[b->clique] + (b->nvert ? 3 * b->vert[j / 3] + j % 3 : j)] += b->J[r + c->nrow * j];
      }
      for (int q = 0; q < p->nclique; q++) ref_solve(p->clique_nv[q], p->A[q], e + dof0[q]);
      for (int j = 0, s = 0; j < p->nconstraint; j++)
        for (int q = 0; q < p->constraint[j].nrow; q++, s++)
          W[s][n] = ref_row(p, p->constraint + j, dof0, q, e);
      W[n][n] += R;
      rhs[n] = v_hat - ref_row(p, c, dof0, r, v_star) - (c->bias ? c->bias[r] : 0);
    }
  }
  // step: one over a bound of the largest eigenvalue
  real L = 0;
  for (int i = 0; i < n; i++) {
    real s = 0;
    for (int j = 0; j < n; j++) s += fabsl(W[i][j]);
    if (s > L) L = s;
  }
  real t = 1, change = 1, size = 1;
  int k;
  for (k = 0; k < 100000 && change > 1e-17L * size; k++) {
    real dot = 0;
    change = size = 0;
    for (int i = 0; i < n; i++) {
      real s = -rhs[i];
      for (int j = 0; j < n; j++) s += W[i][j] * y[j];
      g[i] = y[i] - s / L;
    }
    ref_project_all(p, g);
    for (int i = 0; i < n; i++)
      dot += (y[i] - g[i]) * (g[i] - old[i]), change += fabsl(g[i] - old[i]), size += fabsl(g[i]);
    real t1 = dot > 0 ? 1 : (1 + sqrtl(1 + 4 * t * t)) / 2, beta = dot > 0 ? 0 : (t - 1) / t1;
    for (int i = 0; i < n; i++) y[i] = g[i] + beta * (g[i] - old[i]), old[i] = g[i];
    t = t1;
  }
  // v = v_star + A^-1 J' g
  for (int i = 0; i < nv; i++) v[i] = 0;
  for (int i = 0, r0 = 0; i < p->nconstraint; r0 += p->constraint[i++].nrow)
    for (int b = 0; b < p->constraint[i].nblock; b++) {
      const plSapBlock* B = p->constraint[i].block + b;
      int m = B->nvert ? 3 * B->nvert : p->clique_nv[B->clique];
      for (int j = 0; j < m; j++)
        for (int r = 0; r < p->constraint[i].nrow; r++)
          v[dof0[B->clique] + (B->nvert ? 3 * B->vert[j / 3] + j % 3 : j)] +=
              (real)B->J[r + p->constraint[i].nrow * j] * g[r0 + r];
    }
  for (int q = 0; q < p->nclique; q++) ref_solve(p->clique_nv[q], p->A[q], v + dof0[q]);
  for (int i = 0; i < nv; i++) v[i] += v_star[i];
  return k < 100000;
}

// small problems with every law that has a dual: cones, limits, bounds, equalities, actuators
static void optimal_against_the_dual_in_long_double(void) {
  static RandomProblem p;
  static double v[RANDOM_MAX_BODY * RANDOM_MAX_NV], gamma[3 * RANDOM_MAX_CON], vc[3 * RANDOM_MAX_CON];
  static real expected[256];
  plSapOptions o = tight();
  double worst = 0;
  int compared = 0;
  for (int k = 0; k < 60; k++) {
    plRandom r = {1000 + (uint64_t)k};
    int nbody = 1 + pl_random_int(&r, 4), nc = 1 + pl_random_int(&r, 6), nrows = pl_random_int(&r, 4);
    p.dt = 0.01, p.spring = 10;
    p.problem = (plSapProblem){
        .nclique = nbody, .clique_nv = p.nv, .A = p.A, .v_star = p.v_star, .constraint = p.con};
    random_bodies(&r, &p, nbody);
    // bodies of similar mass: the reference is a first-order method
    for (int b = 0; b < nbody; b++) random_A(&r, &p, b, pl_random(&r, 0.5, 2));
    for (int i = 0; i < nc; i++) random_contact(&r, &p, i, PL_SAP_CONE);
    for (int i = 0; i < nrows; i++) random_rows(&r, &p, nc + i);
    p.problem.nconstraint = nc + nrows;
    plSapReport report;
    CHECK_INT(solve(&p.problem, &o, v, gamma, vc, &report), PL_OK);
    if (!reference(&p.problem, expected)) continue;
    compared++;
    double size = 0, error = 0;
    for (int i = 0; i < p.dof0[nbody]; i++)
      size = fmax(size, fabs(v[i])), error = fmax(error, (double)fabsl(v[i] - expected[i]));
    worst = fmax(worst, error / size);
    CHECK_BELOW(error, 1.6e-10, size);
  }
  printf("  %d problems compared, largest relative difference of v %.2g\n", compared, worst);
  CHECK(compared >= 45);
}

// a point mass on a Hunt-Crossley contact: one scalar equation for the normal, one for the slip, each by
// bisection
static void hunt_crossley_point_against_bisection(void) {
  double A[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, I3[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
         v_star[3] = {0.3, -0.4, -0.2}, v[3];
  int nv = 3;
  const double* blocks[1] = {A};
  plSapBlock b = {.clique = 0, .J = I3};
  plSapHuntCrossley h = {.mu = 0.4, .dt = 0.01, .k = 3e3, .d = 2, .f_e = 15, .v_s = 1e-4};
  plSapConstraint c = {.law = PL_SAP_SIMILAR, .nrow = 3, .nblock = 1, .block = &b, .hunt_crossley = h};
  plSapProblem p = {
      .nclique = 1, .clique_nv = &nv, .A = blocks, .v_star = v_star, .nconstraint = 1, .constraint = &c};
  plSapOptions o = tight();
  CHECK_INT(solve(&p, &o, v, NULL, NULL, NULL), PL_OK);
  // slip speed s along (0.6, -0.8): m (s - 0.5) = -mu n s / sqrt(s^2 + v_s^2); normal z: m (u + 0.2) = n.
  // Nested bisection.
  real lo = 0, hi = 0.5L, s = 0, u = 0;
  for (int k = 0; k < 120; k++) {
    s = (lo + hi) / 2;
    real a = -1, bb = 5, n = 0, slip = sqrtl(s * s + (real)h.v_s * h.v_s);
    for (int q = 0; q < 120; q++) {
      u = (a + bb) / 2;
      real z = u - h.mu * (slip - h.v_s), e = h.f_e - (real)h.dt * h.k * z, d = 1 - (real)h.d * z;
      n = e > 0 && d > 0 ? h.dt * e * d : 0;
      if (2 * (u - (real)v_star[2]) - n > 0)
        bb = u;
      else
        a = u;
    }
    real f = h.mu * n;
    if (2 * (s - 0.5L) + f * s / slip > 0)
      hi = s;
    else
      lo = s;
  }
  CHECK_NEAR(v[0], (double)(0.6L * s), 7.4e-15 * 0.5);
  CHECK_NEAR(v[1], (double)(-0.8L * s), 9.9e-15 * 0.5);
  CHECK_NEAR(v[2], (double)u, 1.2e-15 * 0.5);
}

// ---- pizza saver: an equilateral table of mass 3 on three points, turned by a torque; degrees of freedom x,
// y, z, theta

typedef struct Pizza {
  double M[16], J[3][12], v[4], q[4], gamma[9], vc[9];
  plSapBlock blk[3];
  plSapConstraint con[3];
} Pizza;

static void pizza_init(Pizza* p) {
  memset(p, 0, sizeof *p);
  double I[4] = {3, 3, 3, 6.75};
  for (int i = 0; i < 4; i++) p->M[5 * i] = I[i];
  for (int k = 0; k < 3; k++) {
    double a = 2.0943951023931953 * k, x = 1.5 * cos(a), y = 1.5 * sin(a);
    for (int r = 0; r < 3; r++) p->J[k][r + 3 * r] = 1;
    p->J[k][0 + 9] = -y, p->J[k][1 + 9] = x;
    p->blk[k] = (plSapBlock){.clique = 0, .J = p->J[k]};
  }
}

// one step with force fx and torque Mz; beta = 0 leaves the near-rigid term out
static plStatus pizza_step(Pizza* p, double mu, double k, double tau, double beta, double fx, double Mz,
                           plSapReport* report) {
  double dt = 0.01, v_star[4] = {p->v[0] + dt * fx / 3, p->v[1], p->v[2] - dt * 10, p->v[3] + dt * Mz / 6.75};
  int nv = 4;
  const double* A[1] = {p->M};
  plSapProblem problem = {
      .nclique = 1, .clique_nv = &nv, .A = A, .v_star = v_star, .nconstraint = 3, .constraint = p->con};
  for (int i = 0; i < 3; i++) {
    p->con[i] = (plSapConstraint){.law = PL_SAP_CONE, .nrow = 3, .nblock = 1, .block = &p->blk[i]};
    double w = pl_sap_delassus(&problem, &p->con[i]);
    p->con[i].cone = pl_sap_cone(dt, mu, k, tau, p->q[2], w, 1, beta, 1e-3);
  }
  plStatus status = solve(&problem, NULL, p->v, p->gamma, p->vc, report);
  for (int i = 0; i < 4; i++) p->q[i] += dt * p->v[i];
  return status;
}

static void pizza_saver_sticks_below_the_transition(void) {
  Pizza p;
  plSapReport report;
  pizza_init(&p);
  for (int k = 0; k < 300; k++) CHECK_INT(pizza_step(&p, 2.0 / 3, 1e4, 0.02, 1, 0, 20, &report), PL_OK);
  double Jt[4] = {0};
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(p.gamma[3 * i + 2], 0.1, 1.4e-15);
    CHECK_NEAR(hypot(p.gamma[3 * i], p.gamma[3 * i + 1]), 0.0444444444, 1.3e-10);
    CHECK_BELOW(hypot(p.vc[3 * i], p.vc[3 * i + 1]), 3.7e-5, 1);
    for (int j = 0; j < 4; j++)
      for (int r = 0; r < 3; r++) Jt[j] += p.J[i][r + 3 * j] * p.gamma[3 * i + r];
  }
  double expected[4] = {0, 0, 0.3, -0.2};
  for (int j = 0; j < 4; j++) CHECK_NEAR(Jt[j], expected[j], 3.8e-14);
  CHECK_INT(report.stick, 3);
}

static void pizza_saver_slides_above_the_transition(void) {
  Pizza p;
  plSapReport report;
  pizza_init(&p);
  for (int k = 0; k < 60; k++) CHECK_INT(pizza_step(&p, 2.0 / 3, 1e4, 0.01, 1, 0, 40, &report), PL_OK);
  CHECK_INT(report.slide, 3);
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(hypot(p.gamma[3 * i], p.gamma[3 * i + 1]), 2.0 / 3 * p.gamma[3 * i + 2], 9.4e-16);
  // the torque beyond mu m g R = 30 turns it: the last step's change of angular velocity
  CHECK_BELOW(report.slip_angle, 1.5e-14, 1);
  CHECK(p.v[3] > 0.5);
}

static void pizza_saver_transition_is_at_30(void) {
  for (int side = 0; side < 2; side++) {
    Pizza p;
    plSapReport report;
    pizza_init(&p);
    for (int k = 0; k < 200; k++)
      CHECK_INT(pizza_step(&p, 2.0 / 3, 1e4, 0.02, 1, 0, side ? 30.3 : 29.7, &report), PL_OK);
    CHECK_INT(side ? report.slide : report.stick, 3);
  }
}

static void pizza_saver_near_rigid_at_1e20(void) {
  Pizza p;
  plSapReport report;
  pizza_init(&p);
  for (int k = 0; k < 300; k++) CHECK_INT(pizza_step(&p, 2.0 / 3, 1e20, 0.02, 1, 0, 20, &report), PL_OK);
  for (int i = 0; i < 3; i++) CHECK_NEAR(p.gamma[3 * i + 2], 0.1, 2.6e-15);
  CHECK_INT(report.stick, 3);
}

static void pizza_saver_at_1e20_without_near_rigid_is_solved(void) {
  // R_n = 3e-17 against w = 0.3: the rounding of the velocities alone would make impulses several times the
  // right ones (the reference fails here).
  Pizza p;
  plSapReport report;
  pizza_init(&p);
  for (int k = 0; k < 300; k++) {
    CHECK_INT(pizza_step(&p, 2.0 / 3, 1e20, 0.02, 0, 0, 20, &report), PL_OK);
    CHECK(report.at_rounding);
    CHECK_BELOW(report.momentum_residual, 1.5e-14, 1);
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR(p.gamma[3 * i + 2], 0.1, 1.4e-15);
      CHECK_NEAR(hypot(p.gamma[3 * i], p.gamma[3 * i + 1]), 0.0444444444, k ? 7e-7 : 3.6e-5);
    }
    CHECK_ROUND(p.v[2], 0, 0.007);
  }
  printf("pizza saver, k 1e20 without near-rigid: normal impulse %.9f, friction %.9f, %d iterations\n",
         p.gamma[2], hypot(p.gamma[0], p.gamma[1]), report.iterations);
}

static void pizza_saver_without_friction_accelerates(void) {
  Pizza p;
  pizza_init(&p);
  for (int k = 0; k < 30; k++) CHECK_INT(pizza_step(&p, 0, 1e4, 0.01, 1, 1, 0, NULL), PL_OK);
  CHECK_NEAR(p.v[0], 0.1, 1.4e-15);
}

// ---- random problems, checked by other code

static void random_problems_pass_the_independent_check(void) {
  static RandomProblem p;
  static double v[RANDOM_MAX_BODY * RANDOM_MAX_NV], gamma[3 * RANDOM_MAX_CON], vc[3 * RANDOM_MAX_CON];
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  for (int k = 0; k < 60; k++) {
    plRandom r = {77 + (uint64_t)k};
    random_problem(&r, &p);
    plSapSolution solution = {v, gamma, vc};
    plSapReport report;
    CHECK_INT(pl_sap_solve(&p.problem, NULL, p.v0, &solution, &report, ws, NULL), PL_OK);
    Checked c = check_answer(&p.problem, v, gamma, vc);
    CHECK_BELOW(c.momentum, 1.01e-6, 1);
    CHECK_BELOW(c.clique, 1.01e-6, 1);
    CHECK_BELOW(c.law, 2.7e-12, 1);
    CHECK_BELOW(c.velocity, 1.5e-14, 1);
    CHECK_BELOW(report.momentum_residual, 1e-6, 1);
    CHECK(report.cone_violation >= 0);
  }
  pl_sap_workspace_destroy(ws);
}

// ---- the interior-point phase: the same answers by another way

static void interior_phase_agrees_with_newton_alone(void) {
  static RandomProblem p;
  static double a[RANDOM_MAX_BODY * RANDOM_MAX_NV], b[RANDOM_MAX_BODY * RANDOM_MAX_NV];
  plRandom r = {4242};
  int used = 0;
  for (int k = 0; k < 60; k++) {
    random_problem(&r, &p);
    plSapOptions newton = pl_sap_default_options(), interior = newton;
    plSapReport report;
    newton.relative_tolerance = interior.relative_tolerance = 1e-10;
    newton.interior_after = 0, interior.interior_after = 1;
    CHECK_INT(solve(&p.problem, &newton, a, NULL, NULL, &report), PL_OK);
    CHECK_INT(report.interior_steps, 0);
    CHECK_INT(solve(&p.problem, &interior, b, NULL, NULL, &report), PL_OK);
    used += report.interior_steps > 0;
    double size = 0, error = 0;
    for (int i = 0; i < p.dof0[p.problem.nclique]; i++)
      size = fmax(size, fabs(a[i])), error = fmax(error, fabs(a[i] - b[i]));
    CHECK_BELOW(error, 6.6e-11, size);
  }
  CHECK(used >= 10);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(optimal_against_the_dual_in_long_double);
  RUN(hunt_crossley_point_against_bisection);
  RUN(pizza_saver_sticks_below_the_transition);
  RUN(pizza_saver_slides_above_the_transition);
  RUN(pizza_saver_transition_is_at_30);
  RUN(pizza_saver_near_rigid_at_1e20);
  RUN(pizza_saver_at_1e20_without_near_rigid_is_solved);
  RUN(pizza_saver_without_friction_accelerates);
  RUN(random_problems_pass_the_independent_check);
  RUN(interior_phase_agrees_with_newton_alone);
  return CHECK_END;
}

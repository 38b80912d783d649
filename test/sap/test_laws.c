// test_laws.c: every law's impulse against differences of its cost, and its Hessian against differences of
// its impulse, in each region; continuity of cost and impulse across the borders; bounds of the Hessian;
// helpers that make parameters.
#include <stdbool.h>

#include "base/random.h"
#include "check.h"
#include "pliant/sap.h"

static int rows(const plSapConstraint* c) { return c->nrow; }

// gamma = -dl/dvc and G = -dgamma/dvc by central differences at vc; h must not cross a border
static void check_derivatives(const plSapConstraint* c, const double* vc, double h, double l_scale,
                              double g_scale) {
  double gamma[3], G[9], l, u[3];
  int n = rows(c);
  bool full = c->law <= PL_SAP_SIMILAR;
  pl_sap_law(c, vc, &l, gamma, G);
  for (int i = 0; i < n; i++) {
    double lp, lm, gp[3], gm[3];
    memcpy(u, vc, sizeof(double) * (size_t)n);
    u[i] = vc[i] + h;
    pl_sap_law(c, u, &lp, gp, NULL);
    u[i] = vc[i] - h;
    pl_sap_law(c, u, &lm, gm, NULL);
    CHECK_NEAR(-(lp - lm) / (2 * h), gamma[i], 1.9e-9 * l_scale);
    for (int j = 0; j < n; j++) {
      double Gji = full ? G[j + 3 * i] : i == j ? G[i] : 0;
      CHECK_NEAR(-(gp[j] - gm[j]) / (2 * h), Gji, 2.6e-10 * g_scale);
    }
  }
}

// cost and impulse on both sides of a point agree to the order of the step
static void check_continuous(const plSapConstraint* c, const double* at, const double* across, double h,
                             double slope, double curvature) {
  double a[3], b[3], la, lb, ga[3], gb[3];
  for (int i = 0; i < rows(c); i++) a[i] = at[i] - h * across[i], b[i] = at[i] + h * across[i];
  pl_sap_law(c, a, &la, ga, NULL);
  pl_sap_law(c, b, &lb, gb, NULL);
  CHECK_NEAR(la, lb, 1.8 * h * slope);
  for (int i = 0; i < rows(c); i++) CHECK_NEAR(ga[i], gb[i], 1.5 * h * curvature);
}

static plSapConstraint cone(double mu, double R_t, double R_n, double v_hat) {
  return (plSapConstraint){.law = PL_SAP_CONE, .nrow = 3, .cone = {mu, R_t, R_n, v_hat}};
}

static void cone_derivatives_in_every_region(void) {
  plSapConstraint c = cone(0.5, 0.02, 0.3, 0.1);
  double stick[3] = {0.001, -0.002, -0.5}, slide[3] = {0.3, -0.1, -0.2}, open[3] = {0.1, 0.2, 2};
  double lifted[3] = {0.5, 0.2, 0.3};  // slides although it separates: the convex cone
  check_derivatives(&c, stick, 1e-5, 10, 100);
  check_derivatives(&c, slide, 1e-5, 10, 100);
  check_derivatives(&c, open, 1e-5, 1, 1);
  check_derivatives(&c, lifted, 1e-6, 10, 100);
  double gamma[3];
  pl_sap_law(&c, lifted, NULL, gamma, NULL);
  CHECK(gamma[2] > 0);
}

static void cone_is_continuous_at_its_borders(void) {
  plSapConstraint c = cone(0.5, 0.02, 0.3, 0.1);
  double mu = 0.5, R_t = 0.02, R_n = 0.3;
  // y_r = mu y_n: vc_t = mu R_t y_n; then y_n = -mu_hat y_r
  double yn = 1.5, stick_slide[3] = {-mu * R_t * yn, 0, 0.1 - R_n * yn}, across_t[3] = {1, 0, 0};
  double yr = 2, slide_open[3] = {0, -R_t * yr, 0.1 + R_n * (mu * R_t / R_n) * yr}, across_n[3] = {0, 0, 1};
  check_continuous(&c, stick_slide, across_t, 1e-9, 10, 100);
  check_continuous(&c, slide_open, across_n, 1e-9, 10, 100);
  // the apex from all sides
  double apex[3] = {0, 0, 0.1}, dirs[4][3] = {{1, 0, 0}, {0, 0, 1}, {0.5, 0.5, -1}, {1, 1, 1}};
  for (int k = 0; k < 4; k++) check_continuous(&c, apex, dirs[k], 1e-9, 10, 100);
}

static void cone_impulse_is_the_nearest_point_of_the_cone(void) {
  // against brute force over the cone, in the norm of R
  plSapConstraint c = cone(0.7, 0.05, 0.2, 0);
  plRandom r = {3};
  for (int k = 0; k < 20; k++) {
    double vc[3], g[3], best = 1e300;
    vc[0] = pl_random(&r, -0.2, 0.2), vc[1] = pl_random(&r, -0.2, 0.2), vc[2] = pl_random(&r, -0.5, 0.3);
    double y[3] = {-vc[0] / 0.05, -vc[1] / 0.05, -vc[2] / 0.2};
    pl_sap_law(&c, vc, NULL, g, NULL);
    CHECK_BELOW(hypot(g[0], g[1]) - 0.7 * g[2], 1.5e-14, 1);
    double own = 0.05 * (pow(g[0] - y[0], 2) + pow(g[1] - y[1], 2)) + 0.2 * pow(g[2] - y[2], 2);
    for (int a = 0; a <= 60; a++)
      for (int b = 0; b < 120; b++)
        for (int q = 0; q <= 20; q++) {
          double n = 6.0 * a / 60, t = 0.7 * n * q / 20, phi = b * 6.283185307179586 / 120;
          double d =
              0.05 * (pow(t * cos(phi) - y[0], 2) + pow(t * sin(phi) - y[1], 2)) + 0.2 * pow(n - y[2], 2);
          if (d < best) best = d;
        }
    CHECK_BELOW(own - best, 1.5e-14, 1);
  }
}

static void cone_hessian_is_bounded_up_to_the_apex(void) {
  plSapConstraint c = cone(0.5, 0.02, 0.3, 0);
  plRandom r = {5};
  for (int k = 0; k < 2000; k++) {
    double s = pow(10, pl_random(&r, -300, 0)), vc[3], G[9], u[3], q = 0;
    for (int i = 0; i < 3; i++) vc[i] = s * pl_random(&r, -1, 1);
    for (int i = 0; i < 3; i++) u[i] = pl_random(&r, -1, 1);
    pl_sap_law(&c, vc, NULL, NULL, G);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) q += u[i] * G[i + 3 * j] * u[j];
    double top = (u[0] * u[0] + u[1] * u[1]) / 0.02 + u[2] * u[2] / 0.3;
    CHECK_BELOW(-q, 1.5e-14, top);
    CHECK_BELOW(q - top, 1.5e-14, top);
  }
}

static void cone_without_friction_has_no_tangent_part(void) {
  plSapConstraint c = cone(0, 0.02, 0.3, 0.1);
  double vc[3] = {0, 0, -1}, g[3], G[9], moving[3] = {1, 2, -1};
  pl_sap_law(&c, vc, NULL, g, G);
  CHECK(g[0] == 0 && g[1] == 0 && G[0] == 0 && G[4] == 0);
  CHECK_NEAR(g[2], 1.1 / 0.3, 5.2e-14);
  check_derivatives(&c, moving, 1e-5, 10, 10);
}

static plSapConstraint hunt_crossley(double k, double d, double f_e) {
  return (plSapConstraint){.law = PL_SAP_SIMILAR,
                           .nrow = 3,
                           .hunt_crossley = {.mu = 0.5, .dt = 0.01, .k = k, .d = d, .f_e = f_e, .v_s = 0.01}};
}

static void hunt_crossley_derivatives_in_every_region(void) {
  plSapConstraint c = hunt_crossley(1e4, 0.5, 20);
  double pressed[3] = {0.002, -0.003, -0.1}, sliding[3] = {0.2, 0.1, -0.05}, open[3] = {0.1, 0, 3},
         rest[3] = {0, 0, 0};
  check_derivatives(&c, pressed, 1e-6, 10, 1000);
  check_derivatives(&c, sliding, 1e-6, 10, 1000);
  check_derivatives(&c, open, 1e-6, 10, 100);
  check_derivatives(&c, rest, 1e-7, 10, 1000);
  // soft and damped: the bracket of the dissipation closes first
  plSapConstraint damped = hunt_crossley(1, 50, 20);
  double slow[3] = {0.01, 0.002, 0.005}, gone[3] = {0, 0, 0.05};
  check_derivatives(&damped, slow, 1e-6, 10, 1000);
  check_derivatives(&damped, gone, 1e-6, 10, 100);
  // no stiffness, no dissipation: a constant force
  plSapConstraint constant = hunt_crossley(0, 0, 20);
  check_derivatives(&constant, pressed, 1e-6, 10, 1000);
  plSapConstraint nothing = hunt_crossley(0, 0, -20);
  check_derivatives(&nothing, pressed, 1e-6, 10, 1000);
}

static void hunt_crossley_is_continuous_where_it_opens(void) {
  plSapConstraint stiff = hunt_crossley(1e4, 0.5, 20), damped = hunt_crossley(1, 50, 20);
  double at_k[3] = {0, 0, 20 / (0.01 * 1e4)}, at_d[3] = {0, 0, 1 / 50.0}, across[3] = {0, 0, 1};
  check_continuous(&stiff, at_k, across, 1e-9, 10, 1000);
  check_continuous(&damped, at_d, across, 1e-9, 10, 1000);
}

static void hunt_crossley_force_is_the_textbook_one(void) {
  plSapConstraint c = hunt_crossley(1e4, 0.5, 20);
  double vc[3] = {0, 0, -0.05}, g[3];
  pl_sap_law(&c, vc, NULL, g, NULL);
  CHECK_NEAR(g[2], 0.01 * (20 + 1e4 * 0.01 * 0.05) * (1 + 0.5 * 0.05), 3.6e-15);
}

static void row_laws_derivatives_and_borders(void) {
  plSapRow row = {.v_hat = 0.2, .R = 0.05, .lower = -1, .upper = 3};
  static const plSapLaw laws[] = {PL_SAP_BILATERAL, PL_SAP_UNILATERAL, PL_SAP_BOUNDED};
  for (int k = 0; k < 3; k++) {
    plSapConstraint c = {.law = laws[k], .nrow = 1, .row = &row};
    // y = -2, 1, 5 in turn: below, between, above
    for (int q = 0; q < 3; q++) {
      double y = q == 0 ? -2 : q == 1 ? 1 : 5, vc = 0.2 - 0.05 * y;
      check_derivatives(&c, &vc, 1e-6, 10, 100);
    }
    double across = 1;
    for (int q = 0; q < 3; q++) {
      double border = q == 0 ? 0 : q == 1 ? -1 : 3, at = 0.2 - 0.05 * border;
      check_continuous(&c, &at, &across, 1e-9, 10, 100);
    }
  }
}

static void unilateral_never_pulls(void) {
  plSapRow row = {.v_hat = 0.2, .R = 0.05};
  plSapConstraint c = {.law = PL_SAP_UNILATERAL, .nrow = 1, .row = &row};
  double vc = 0.3, g = 1, G = 1, l = 1;
  pl_sap_law(&c, &vc, &l, &g, &G);
  CHECK(g == 0 && G == 0 && l == 0);
}

static void bounded_with_infinite_bounds_is_bilateral(void) {
  plSapRow row = {.v_hat = 0.2, .R = 0.05, .lower = -INFINITY, .upper = INFINITY};
  plSapConstraint a = {.law = PL_SAP_BILATERAL, .nrow = 1, .row = &row},
                  b = {.law = PL_SAP_BOUNDED, .nrow = 1, .row = &row};
  for (double vc = -1; vc < 1; vc += 0.3) {
    double ga, gb, la, lb;
    pl_sap_law(&a, &vc, &la, &ga, NULL);
    pl_sap_law(&b, &vc, &lb, &gb, NULL);
    CHECK_NEAR(ga, gb, 1e-15 * fabs(ga));
    CHECK_NEAR(la, lb, 1e-15 * la);
  }
}

static void actuator_derivatives_and_saturation(void) {
  plSapActuator a = pl_sap_actuator(0.01, 100, 5, 0.3, 0.5, 0.1, 2, 10, 1e-3, 0.1);
  plSapConstraint c = {.law = PL_SAP_ACTUATOR, .nrow = 1, .actuator = a};
  double g, inside = 0.1;
  pl_sap_law(&c, &inside, NULL, &g, NULL);
  // -kp (q0 + dt v - q_d) - kd (v - v_d) + u_ff beyond the limit of 10
  CHECK_NEAR(g, 0.01 * fmin(10, -100 * (0.3 + 0.01 * 0.1 - 0.5) - 5 * (0.1 - 0.1) + 2), 1e-15);
  double speeds[] = {-5, 3, 2.9, 9}, across = 1;
  for (int k = 0; k < 4; k++) check_derivatives(&c, speeds + k, 1e-6, 1, 1);
  double upper = (a.u0 - 10) / (0.01 * a.kp + a.kd), lower = (a.u0 + 10) / (0.01 * a.kp + a.kd);
  check_continuous(&c, &upper, &across, 1e-9, 10, 10);
  check_continuous(&c, &lower, &across, 1e-9, 10, 10);
}

// Limits that differ, and that leave zero out.
static void actuator_with_lopsided_limits(void) {
  static const double limits[][2] = {{-1, 10}, {2, 5}, {-5, -2}, {-INFINITY, 3}, {0, 0}};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    plSapActuator a = pl_sap_actuator(0.01, 100, 5, 0.3, 0.5, 0.1, 2, INFINITY, 1e-3, 0.1);
    a.lower = limits[i][0], a.upper = limits[i][1];
    plSapConstraint c = {.law = PL_SAP_ACTUATOR, .nrow = 1, .actuator = a};
    for (double v = -9; v < 12; v += 0.37) {
      double g;
      pl_sap_law(&c, &v, NULL, &g, NULL);
      CHECK_NEAR(g, 0.01 * fmin(fmax(a.u0 - 6 * v, a.lower), a.upper), 6.7e-15);
      check_derivatives(&c, &v, 1e-6, 1, 1);
    }
    for (int k = 0; k < 2; k++) {
      double edge = (a.u0 - limits[i][k]) / 6, across = 1;
      if (isfinite(edge)) check_continuous(&c, &edge, &across, 1e-9, 20, 10);
    }
  }
}

static void law_of_many_rows_sums_its_cost(void) {
  plSapRow row[7];
  double vc[7], expected = 0, l, G[7];
  for (int i = 0; i < 7; i++)
    row[i] = (plSapRow){.v_hat = 0.1 * i, .R = 1 + i}, vc[i] = 0.3,
    expected += 0.5 * pow(0.1 * i - 0.3, 2) / (1 + i);
  plSapConstraint c = {.law = PL_SAP_BILATERAL, .nrow = 7, .row = row};
  pl_sap_law(&c, vc, &l, NULL, G);
  CHECK_ROUND(l, expected, 0.07);
  CHECK_NEAR(G[6], 1.0 / 7, 1e-15);
}

static void near_rigid_cone_regularisation(void) {
  double dt = 0.01, w = 2, four_pi2 = 39.478417604357434;
  // stiff: the near-rigid term decides, tau = dt
  plSapCone c = pl_sap_cone(dt, 0.5, INFINITY, 0.3, -1e-3, w, 1, 1, 1e-3);
  CHECK_NEAR(c.R_n, w / four_pi2, 7.2e-16);
  CHECK_NEAR(c.R_t, 1e-3 * w, 1e-18);
  CHECK_NEAR(c.v_hat_n, 1e-3 / (2 * dt), 7.1e-16);
  // compliant
  c = pl_sap_cone(dt, 0.5, 100, 0.02, -1e-3, w, 1, 1, 1e-3);
  CHECK_NEAR(c.R_n, 1 / (dt * 100 * (dt + 0.02)), 4.7e-13);
  CHECK_NEAR(c.v_hat_n, 1e-3 / 0.03, 4.7e-16);
  // a gap: no dissipation, both stiff and compliant
  c = pl_sap_cone(dt, 0.5, 100, 0.02, 1e-3, w, 1, 1, 1e-3);
  CHECK_NEAR(c.v_hat_n, -1e-3 / dt, 1e-15);
  CHECK_NEAR(c.R_n, 1 / (dt * 100 * dt), 1e-12);
  c = pl_sap_cone(dt, 0.5, INFINITY, 0.02, 1e-3, w, 1, 1, 1e-3);
  CHECK_NEAR(c.v_hat_n, -1e-3 / dt, 1e-15);
  // n equal points sharing one vertex are together as stiff as one
  plSapCone one = pl_sap_cone(dt, 0.5, INFINITY, 0, 0, w, 1, 1, 1e-3),
            part = pl_sap_cone(dt, 0.5, INFINITY, 0, 0, w, 0.25, 1, 1e-3);
  CHECK_ROUND(4 / part.R_n, 1 / one.R_n, 20);
  CHECK_NEAR(4 / part.R_t, 1 / one.R_t, 7.1e-12);
}

static void near_rigid_limits_the_other_laws(void) {
  double dt = 0.01, w = 2, R_nr = 0.01 / 39.478417604357434 * w;
  plSapRow row = pl_sap_holonomic(dt, 1e-3, INFINITY, 0, w, 0.1);
  CHECK_NEAR(row.R, R_nr, 1e-18);
  CHECK_NEAR(row.v_hat, -1e-3 / (2 * dt), 7.1e-16);
  row = pl_sap_limit(dt, 1e-3, 1e12, dt, w, 0.1);
  CHECK_NEAR(row.v_hat, -1e-3 / dt, 1e-15);
  row = pl_sap_limit(dt, -1e-3, 1e12, dt, w, 0.1);
  CHECK_NEAR(row.v_hat, 1e-3 / (2 * dt), 7.1e-16);
  plSapActuator a = pl_sap_actuator(dt, 1e9, 1e3, 0, 0, 0, 0, INFINITY, w, 0.1);
  CHECK_NEAR(1 / (dt * (dt * a.kp + a.kd)), R_nr, 7.2e-18);
  CHECK_NEAR(a.kd / a.kp, 1e-6, 1.4e-20);
  plSapHuntCrossley h = pl_sap_hunt_crossley(dt, 0.5, 1e16, 0, 1e13, 0, w, 1e-4, 1, 1e-3);
  CHECK_NEAR(1 / (dt * dt * h.k), w / 39.478417604357434, 7.2e-16);
  CHECK_NEAR(h.f_e / h.k, 1e-3, 1.4e-17);
}

static void delassus_of_a_point_mass_and_of_many_rows(void) {
  double A[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, I3[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  int nv = 3;
  const double* blocks[1] = {A};
  plSapProblem p = {.nclique = 1, .clique_nv = &nv, .A = blocks};
  plSapBlock b = {.clique = 0, .J = I3};
  plSapConstraint c = {.law = PL_SAP_CONE, .nrow = 3, .nblock = 1, .block = &b};
  CHECK_NEAR(pl_sap_delassus(&p, &c), 0.5 * sqrt(3) / 3, 1e-15);
  // seven equal rows go through the other branch: W = 1/2 everywhere
  double J7[21] = {0};
  for (int r = 0; r < 7; r++) J7[r] = 1;
  plSapBlock b7 = {.clique = 0, .J = J7};
  plSapConstraint c7 = {.law = PL_SAP_BILATERAL, .nrow = 7, .nblock = 1, .block = &b7};
  CHECK_NEAR(pl_sap_delassus(&p, &c7), 0.5, 1e-15);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(cone_derivatives_in_every_region);
  RUN(cone_is_continuous_at_its_borders);
  RUN(cone_impulse_is_the_nearest_point_of_the_cone);
  RUN(cone_hessian_is_bounded_up_to_the_apex);
  RUN(cone_without_friction_has_no_tangent_part);
  RUN(hunt_crossley_derivatives_in_every_region);
  RUN(hunt_crossley_is_continuous_where_it_opens);
  RUN(hunt_crossley_force_is_the_textbook_one);
  RUN(row_laws_derivatives_and_borders);
  RUN(unilateral_never_pulls);
  RUN(bounded_with_infinite_bounds_is_bilateral);
  RUN(actuator_derivatives_and_saturation);
  RUN(actuator_with_lopsided_limits);
  RUN(law_of_many_rows_sums_its_cost);
  RUN(near_rigid_cone_regularisation);
  RUN(near_rigid_limits_the_other_laws);
  RUN(delassus_of_a_point_mass_and_of_many_rows);
  return CHECK_END;
}

// Hyperelastic laws: stresses and tangents against differences, projections against a dense eigenvalue solve,
// constants at rest, objectivity, the appendix's eigenvalues, Mooney-Rivlin figures, refused parameters.
#include "base/random.h"
#include "check.h"
#include "fem/law.h"
#include "math/polar.h"
#include "math/pose.h"
#include "math/svd3.h"

static plMat3 random_rotation(plRandom* r) {
  plQuat q;
  q.w = pl_random(r, -1, 1), q.x = pl_random(r, -1, 1), q.y = pl_random(r, -1, 1), q.z = pl_random(r, -1, 1);
  return quat_matrix(quat_unit(q));
}

static plMat3 random_matrix(plRandom* r, double size) {
  plMat3 a;
  for (int i = 0; i < 9; i++) a.m[i] = pl_random(r, -size, size);
  return a;
}

// F with singular values in (0.3, 2), the last one of either sign, away from the jump of the rotation
static plMat3 random_gradient(plRandom* r, bool inverted) {
  double c = pl_random(r, 0.1, 0.3);
  double z = inverted ? -c : pl_random(r, 0.3, 1.2), y = pl_random(r, 0.6, 1.5), x = pl_random(r, 0.6, 2);
  plMat3 V = random_rotation(r), U = random_rotation(r);
  return m3_mul(m3_mul(U, m3_diag(x, y, z)), V);
}

static plLaw test_law(int kind, bool grouped) {
  plMaterial m = pl_default_material();
  m.kind = (plMaterialKind)kind;
  m.lame_mu = 1.3, m.lame_lambda = 4.1;
  if (kind == PL_MATERIAL_MOONEY_RIVLIN) m.lame_mu = m.lame_lambda = 0, m.c1 = 0.4, m.c2 = 0.25, m.bulk = 5;
  CHECK_INT(pl_material_check(&m, NULL), PL_OK);
  return pl_law_of_material(&m, grouped);
}

// W + pi theta
static double total(const plLaw* law, plMat3 F, plMat3 R0, double pi) {
  double theta, W = pl_law_energy(law, F, R0, &theta);
  return W + pi * theta;
}

// eigenvalues w and vectors (columns of Q) of the symmetric n x n matrix A by Jacobi rotations: the reference
static void dense_eigen(int n, double* A, double* w, double* Q) {
  for (int i = 0; i < n * n; i++) Q[i] = i % (n + 1) == 0;
  for (int sweep = 0; sweep < 40; sweep++)
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        double a = A[n * q + p];
        if (a == 0) continue;
        double zeta = (A[n * q + q] - A[n * p + p]) / (2 * a),
               t = copysign(1, zeta) / (fabs(zeta) + hypot(1, zeta));
        double c = 1 / sqrt(1 + t * t), s = c * t;
        for (int i = 0; i < n; i++) {
          double x = A[n * i + p], y = A[n * i + q];
          A[n * i + p] = c * x - s * y, A[n * i + q] = s * x + c * y;
        }
        for (int i = 0; i < n; i++) {
          double x = A[n * p + i], y = A[n * q + i];
          A[n * p + i] = c * x - s * y, A[n * q + i] = s * x + c * y;
          x = Q[n * p + i], y = Q[n * q + i];
          Q[n * p + i] = c * x - s * y, Q[n * q + i] = s * x + c * y;
        }
      }
  for (int i = 0; i < n; i++) w[i] = A[n * i + i];
}

static void stress_is_derivative_of_energy(void) {
  plRandom r = {11};
  const double h = 1e-3;
  for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++)
    for (int k = 0; k < 60; k++) {
      plLaw law = test_law(kind, k % 3 == 0);
      plMat3 F = random_gradient(&r, k % 2), R0 = random_rotation(&r), dtheta;
      double pi = k % 3 == 0 ? pl_random(&r, -2, 2) : 0, theta[4], e[4];
      plMat3 P = pl_law_stress(&law, F, R0, pi, &dtheta);
      for (int i = 0; i < 9; i++) {
        // fourth-order central difference
        for (int s = 0; s < 4; s++) {
          plMat3 G = F;
          G.m[i] += h * (double[]){-2, -1, 1, 2}[s];
          pl_law_energy(&law, G, R0, &theta[s]);
          e[s] = total(&law, G, R0, pi);
        }
        CHECK_NEAR(P.m[i], (e[0] - 8 * e[1] + 8 * e[2] - e[3]) / (12 * h), 1.5e-10);
        CHECK_NEAR(dtheta.m[i], (theta[0] - 8 * theta[1] + 8 * theta[2] - theta[3]) / (12 * h), 1.6e-11);
      }
    }
}

static void tangent_is_derivative_of_stress(void) {
  plRandom r = {12};
  const double h = 1e-3;
  for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++)
    for (int k = 0; k < 60; k++) {
      plLaw law = test_law(kind, k % 3 == 0);
      plMat3 F = random_gradient(&r, k % 2), R0 = random_rotation(&r), P[4];
      double pi = k % 3 == 0 ? pl_random(&r, -2, 2) : 0, H[81];
      pl_law_tangent(&law, F, R0, pi, PL_TANGENT_EXACT, H);
      for (int c = 0; c < 9; c++) {
        for (int s = 0; s < 4; s++) {
          plMat3 G = F;
          G.m[c] += h * (double[]){-2, -1, 1, 2}[s];
          P[s] = pl_law_stress(&law, G, R0, pi, NULL);
        }
        for (int i = 0; i < 9; i++)
          CHECK_NEAR(H[9 * c + i], (P[0].m[i] - 8 * P[1].m[i] + 8 * P[2].m[i] - P[3].m[i]) / (12 * h),
                     1.3e-9);
      }
      for (int i = 0; i < 9; i++)
        for (int j = 0; j < i; j++) CHECK_NEAR(H[9 * i + j], H[9 * j + i], 1e-13 * (1 + fabs(H[9 * i + j])));
    }
}

// F close to a jump of the rotation: s_2 = -s_3, and often s_1 = s_2 too; stretched so that a corotated
// energy has a minimum there
static plMat3 gradient_at_jump(plRandom* r, int k) {
  double y = pl_random(r, 0, 4), x = k % 3 ? pl_random(r, y, y + 6) : y * (1 + pl_random(r, 0, 0.003)),
         z = -y * (1 + pl_random(r, -0.003, 0.003));
  plMat3 V = random_rotation(r), U = random_rotation(r);
  return m3_mul(m3_mul(U, m3_diag(x, y, z)), V);
}

// Where the rotation of F jumps, stresses do not: an energy with a kink would have minima without a balance
// of forces. And the tangent is their derivative there too, wherever it has one.
static void stresses_do_not_jump(void) {
  plRandom r = {19};
  double h = 1e-6;
  for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++)
    for (int k = 0, differ = 0; k < 300; k++) {
      plLaw law = test_law(kind, k % 2);
      plMat3 F = gradient_at_jump(&r, k), R0 = m3_identity(), d = random_matrix(&r, 1), P[2];
      double pi = k % 2 ? pl_random(&r, -20, 20) : 0, H[81], e[2], change = 0, expected = 0, most = 0,
             slope = 0;
      for (int s = 0; s < 2; s++) {
        plMat3 G = m3_add(F, m3_scale(s ? h : -h, d));
        P[s] = pl_law_stress(&law, G, R0, pi, NULL), e[s] = total(&law, G, R0, pi);
      }
      plMat3 middle = pl_law_stress(&law, F, R0, pi, NULL);
      pl_law_tangent(&law, F, R0, pi, PL_TANGENT_EXACT, H);
      for (int i = 0; i < 9; i++) {
        double Hd = 0;
        for (int c = 0; c < 9; c++) Hd += H[9 * c + i] * d.m[c];
        change = fmax(change, fabs(P[1].m[i] - P[0].m[i]));
        expected = fmax(expected, fabs((P[1].m[i] - P[0].m[i]) / (2 * h) - Hd));
        most = fmax(most, fabs(Hd)), slope += middle.m[i] * d.m[i];
      }
      CHECK_BELOW(change, 0.073, 1);
      CHECK_NEAR((e[1] - e[0]) / (2 * h), slope, 3.4e-5);
      differ += expected > 1e-4 * (1 + most);
      if (k == 299) CHECK(differ <= 3);
    }
}

// at F anywhere: random, inverted, singular, equal singular values
static void projection_is_that_of_dense_eigenvalues(void) {
  plRandom r = {13};
  double worst = 0;
  for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++)
    for (int k = 0; k < 200; k++) {
      plLaw law = test_law(kind, true);
      plMat3 R0 = random_rotation(&r), F = random_matrix(&r, 1.5);
      if (k % 8 == 1) F = random_rotation(&r);
      if (k % 8 == 2) F = m3_mul(random_rotation(&r), m3_diag(1, 0.5, 0.5));
      if (k % 8 == 3) F = m3_mul(random_rotation(&r), m3_diag(0.8, 0.8, 0));
      if (k % 8 == 4) F = m3_mul(random_rotation(&r), m3_diag(1, 0.5, -0.4));
      double pi = pl_random(&r, -4, 4), H[81], A[81], w[9], Q[81], B[81] = {0}, scale = 0;
      pl_law_tangent(&law, F, R0, pi, PL_TANGENT_EXACT, A);
      dense_eigen(9, A, w, Q);
      for (int e = 0; e < 9; e++) {
        scale = fmax(scale, fabs(w[e]));
        for (int i = 0; i < 81 && w[e] > 0; i++) B[i] += w[e] * Q[9 * e + i % 9] * Q[9 * e + i / 9];
      }
      pl_law_tangent(&law, F, R0, pi, PL_TANGENT_PROJECTED, H);
      for (int i = 0; i < 81; i++) worst = fmax(worst, fabs(H[i] - B[i]) / scale);
    }
  CHECK_BELOW(worst, 1.9e-14, 1);
}

// the paper's appendix: 2 mu + 3 lambda (1), 2 mu (5), 0 (3) for every rotation
static void linear_corotated_has_the_appendix_eigenvalues(void) {
  plRandom r = {14};
  plLaw law = test_law(PL_MATERIAL_LINEAR_COROTATED, false);
  for (int k = 0; k < 200; k++) {
    double H[81], w[9], Q[81];
    plMat3 R = random_rotation(&r), F = random_matrix(&r, 2);
    pl_law_tangent(&law, F, R, 0, PL_TANGENT_EXACT, H);
    dense_eigen(9, H, w, Q);
    int one = 0, five = 0, three = 0;
    for (int i = 0; i < 9; i++) {
      one += fabs(w[i] - (2 * law.mu + 3 * law.lambda)) < 1e-13 * 20;
      five += fabs(w[i] - 2 * law.mu) < 1e-13 * 20;
      three += fabs(w[i]) < 1e-13 * 20;
    }
    CHECK(one == 1 && five == 5 && three == 3);
  }
}

// every law has the given Lame parameters at rest, no stress there, and (but for `linear`) none after a
// rotation
static void laws_agree_at_rest(void) {
  plRandom r = {15};
  plLaw linear = test_law(PL_MATERIAL_LINEAR, false);
  for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++) {
    plLaw law = test_law(kind, false);
    linear.mu = law.mu, linear.lambda = law.lambda;
    double H[81], G[81], theta;
    pl_law_tangent(&law, m3_identity(), m3_identity(), 0, PL_TANGENT_EXACT, H);
    pl_law_tangent(&linear, m3_identity(), m3_identity(), 0, PL_TANGENT_EXACT, G);
    for (int i = 0; i < 81; i++) CHECK_NEAR(H[i], G[i], 9.5e-14);
    if (kind == PL_MATERIAL_LINEAR) continue;
    for (int k = 0; k < 50; k++) {
      plMat3 R = random_rotation(&r), F = random_gradient(&r, false), RF = m3_mul(R, F);
      CHECK_NEAR(m3_norm(pl_law_stress(&law, R, R, 0, NULL)), 0, 2e-14);
      CHECK_ROUND(pl_law_energy(&law, R, R, &theta), 0, 0.7);
      CHECK_ROUND(theta, 0, 0.7);
      // objective: P(R F) = R P(F); the frozen rotation turns along
      plMat3 P = pl_law_stress(&law, F, pl_polar(F), 0, NULL),
             PR = pl_law_stress(&law, RF, pl_polar(RF), 0, NULL);
      CHECK_NEAR(m3_norm(m3_sub(PR, m3_mul(R, P))), 0, 1.1e-13);
    }
  }
}

// splitting lambda between points and a group of one point changes nothing for a law quadratic in theta
static void split_volume_term_is_the_same_law(void) {
  plRandom r = {16};
  for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++) {
    plLaw whole = test_law(kind, false), split = test_law(kind, true);
    CHECK(split.kappa > 0);
    CHECK_NEAR(split.lambda, split.mu, 1e-15);
    for (int k = 0; k < 20; k++) {
      plMat3 F = random_gradient(&r, k % 2), R0 = random_rotation(&r);
      double theta, W = pl_law_energy(&split, F, R0, &theta), whole_theta;
      CHECK_NEAR(W + 0.5 * split.kappa * theta * theta, pl_law_energy(&whole, F, R0, &whole_theta), 8.8e-13);
      plMat3 P = pl_law_stress(&split, F, R0, split.kappa * theta, NULL),
             Q = pl_law_stress(&whole, F, R0, 0, NULL);
      CHECK_NEAR(m3_norm(m3_sub(P, Q)), 0, 2.6e-14);
    }
  }
}

// a rotation by 10 degrees against R0 = I: (1 - cos)^2 (2 mu + 2 lambda)
static void frozen_rotation_costs_the_known_energy(void) {
  plLaw law = {.kind = PL_MATERIAL_LINEAR_COROTATED, .mu = 1, .lambda = 1};
  plMat3 F = quat_matrix(quat_from_axis_angle(v3(1, 2, -1), acos(-1) / 18));
  double theta;
  CHECK_NEAR(pl_law_energy(&law, F, m3_identity(), &theta), 9.2321e-4, 1e-8);
  CHECK_NEAR(pl_law_energy(&law, F, F, &theta), 0, 1e-27);  // wide: the square of rounding
}

static plLaw rubber(void) {
  plMaterial m = pl_default_material();
  m.kind = PL_MATERIAL_MOONEY_RIVLIN;
  m.c1 = 0.293e6, m.c2 = 0.177e6, m.bulk = 1410e6;
  return pl_law_of_material(&m, false);
}

// free sides: P_yy = P_zz = 0 by Newton on the side stretch
static double uniaxial(const plLaw* law, double stretch, double* side) {
  double y = 1 / sqrt(stretch);
  for (int it = 0; it < 100; it++) {
    double h = 1e-7;
    double p = pl_law_stress(law, m3_diag(stretch, y, y), m3_identity(), 0, NULL).m[4];
    double a = pl_law_stress(law, m3_diag(stretch, y + h, y + h), m3_identity(), 0, NULL).m[4];
    double b = pl_law_stress(law, m3_diag(stretch, y - h, y - h), m3_identity(), 0, NULL).m[4];
    double dy = -p / ((a - b) / (2 * h));
    y += dy;
    if (fabs(dy) < 1e-16) break;
  }
  *side = y;
  return pl_law_stress(law, m3_diag(stretch, y, y), m3_identity(), 0, NULL).m[0];
}

static void mooney_rivlin_uniaxial_constants(void) {
  plLaw law = rubber();
  double up, down, e = 1e-5, p = uniaxial(&law, 1 + e, &up), q = uniaxial(&law, 1 - e, &down);
  CHECK_NEAR((p - q) / (2 * e), 2.819374e6, 1);
  // nu = (3 k - 2 mu) / (2 (3 k + mu)), published with its last digit cut
  CHECK_NEAR(-(up - down) / (2 * e), 4228.12 / 8461.88, 7.6e-11);
  CHECK_NEAR(-(up - down) / (2 * e), 0.4996666, 2e-7);
}

// plane strain, one side free: nominal stress and volume ratio at three stretches
static void mooney_rivlin_plane_strain_figures(void) {
  plLaw law = rubber();
  const double stretch[3] = {0.8, 0.5, 1.5}, stress[3] = {-1.082563e6, -7.020037e6, 1.131275e6};
  const double ratio[3] = {0.9996255, 0.9980058, 1.0003702};
  for (int k = 0; k < 3; k++) {
    double l = stretch[k], lower = 0.5 / l, upper = 2 / l;
    for (int it = 0; it < 200; it++) {
      double y = 0.5 * (lower + upper);
      if (pl_law_stress(&law, m3_diag(l, y, 1), m3_identity(), 0, NULL).m[4] > 0)
        upper = y;
      else
        lower = y;
    }
    CHECK_NEAR(pl_law_stress(&law, m3_diag(l, lower, 1), m3_identity(), 0, NULL).m[0], stress[k], 1);
    CHECK_NEAR(l * lower, ratio[k], 1e-7);
  }
}

static void expect_refused(plMaterial m, const char* word, const char* range) {
  plError error;
  CHECK_INT(pl_material_check(&m, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, word);
  CHECK_HAS(error.message, range);
}

static void invalid_materials_are_refused(void) {
  plMaterial ok = pl_default_material(), m;
  CHECK_INT(pl_material_check(&ok, NULL), PL_OK);
  m = ok, m.young = 0, expect_refused(m, "young", "positive");
  m = ok, m.young = NAN, expect_refused(m, "young", "positive");
  m = ok, m.poisson = 0.5, expect_refused(m, "poisson", "between -1 and 0.5");
  m = ok, m.poisson = -1, expect_refused(m, "poisson", "between -1 and 0.5");
  m = ok, m.lame_mu = -1, expect_refused(m, "lame_mu", "positive");
  m = ok, m.lame_lambda = 1, expect_refused(m, "lame_mu", "positive");
  m = ok, m.lame_mu = 3, m.lame_lambda = -2, expect_refused(m, "lame_lambda", "above -2/3 lame_mu = -2");
  m = ok, m.kind = PL_MATERIAL_FIXED_COROTATED, m.poisson = -0.1, expect_refused(m, "lambda", "corotated");
  m = ok, m.kind = PL_MATERIAL_NEO_HOOKEAN, m.lame_mu = 1, m.lame_lambda = -0.1;
  expect_refused(m, "neo_hookean", "corotated");
  m = ok, m.c1 = 1, expect_refused(m, "c1", "young and poisson");
  m = ok, m.density = 0, expect_refused(m, "density", "positive");
  m = ok, m.damping_mass = -1, expect_refused(m, "damping_mass", "negative");
  m = ok, m.damping_stiffness = INFINITY, expect_refused(m, "damping_stiffness", "negative");
  m = ok, m.kind = (plMaterialKind)99, expect_refused(m, "kind", "0 to 6");
  m = ok, m.element = (plElement)9, expect_refused(m, "element", "tet4");
  m = ok, m.volumetric = (plVolumetric)9, expect_refused(m, "volumetric", "patch");
  m = ok, m.mass = (plMass)9, expect_refused(m, "mass", "lumped");
  m = ok, m.rotation = (plRotation)9, expect_refused(m, "rotation", "lagged");
  m = ok, m.kind = PL_MATERIAL_MOONEY_RIVLIN, expect_refused(m, "c1", ">= 0");
  m.c1 = 1, m.c2 = 2, m.bulk = 2, expect_refused(m, "bulk", "= 2 Pa");
  m.c1 = 2, m.c2 = 1, expect_refused(m, "bulk", "= 2 Pa");
  m.bulk = 2.1;
  CHECK_INT(pl_material_check(&m, NULL), PL_OK);
}

// The least energy of a law over uniform stretches, and random ones that may invert, up to 1000.
static double least_energy(const plLaw* law, plRandom* r) {
  double least = INFINITY, s[3], theta;
  for (int k = 0; k < 40; k++) {
    for (int i = 0; i < 3; i++) s[i] = k < 20 ? 0.08 * k : pow(10, pl_random(r, -3, 3));
    if (k % 4 == 3 && k >= 20) s[2] = -s[2];
    least = fmin(least, pl_law_energy(law, m3_diag(s[0], s[1], s[2]), m3_identity(), &theta));
  }
  return least;
}

// Whatever is accepted has its least energy at rest, where it is 0; of what is refused, some has a lower one.
static void accepted_energies_are_least_at_rest(void) {
  plRandom r = {3};
  int refused[PL_MATERIAL_COUNT] = {0};
  for (int k = 0; k < 2000; k++) {
    plMaterial m = pl_default_material();
    m.kind = (plMaterialKind)(k % PL_MATERIAL_COUNT);
    if (m.kind == PL_MATERIAL_MOONEY_RIVLIN)
      m.c1 = pl_random(&r, 0, 1), m.c2 = pl_random(&r, 0, 1), m.bulk = pl_random(&r, 0, 2);
    else
      m.young = 1, m.poisson = pl_random(&r, -0.9, 0.499);
    refused[m.kind] += pl_material_check(&m, NULL) != PL_OK;
    if (pl_material_check(&m, NULL)) continue;
    plLaw law = pl_law_of_material(&m, false);
    CHECK(least_energy(&law, &r) >= -1e-12 * law.mu);
  }
  CHECK(refused[PL_MATERIAL_FIXED_COROTATED] > 0 && refused[PL_MATERIAL_NEO_HOOKEAN] > 0 &&
        refused[PL_MATERIAL_MOONEY_RIVLIN] > 0);
  CHECK_INT(refused[PL_MATERIAL_COROTATED] + refused[PL_MATERIAL_SAINT_VENANT_KIRCHHOFF], 0);
}

static void kind_names_are_found(void) {
  for (int i = 0; i < PL_MATERIAL_COUNT; i++)
    CHECK_INT(pl_material_find(pl_material_name((plMaterialKind)i)), i);
  CHECK_INT(pl_material_find("rubber"), -1);
  CHECK(pl_material_name(PL_MATERIAL_COUNT) == NULL);
}

// t of tension: at least a quarter of the largest twist eigenvalue of the corotated law, which is what
// stability needs, at most a few times that plus the strain's own size; none where everything is compressed
// alike.
static void tension_bounds_the_twists(void) {
  plRandom r = {51};
  for (int k = 0; k < 2000; k++) {
    plLaw law = {.kind = PL_MATERIAL_LINEAR_COROTATED, .mu = 1, .lambda = pl_random(&r, 0, k % 2 ? 2 : 100)};
    plMat3 F, U, V;
    double s[3], most = 0, pi = k % 3 ? 0 : pl_random(&r, -1, 1);
    for (int i = 0; i < 9; i++) F.m[i] = pl_random(&r, -0.3, 0.3) + (i % 4 == 0);
    pl_svd3(F, &U, s, &V);
    double p = law.lambda * (s[0] + s[1] + s[2] - 3) + pi;
    for (int i = 0; i < 3; i++) {
      double b = s[(i + 1) % 3], c = s[(i + 2) % 3];
      most = fmax(most, (2 * law.mu * (b + c - 2) + 2 * p) / (b + c));
    }
    double t = pl_linear_tension(&law, F, m3_mul(U, m3_transpose(V)), pi);
    CHECK(t >= 0.25 * most && t >= 0);
    CHECK(t <= 1.5 * most + 2 * law.mu * (s[0] - s[2]) + 1e-7 * law.mu);
    law.kind = PL_MATERIAL_LINEAR;
    CHECK(pl_linear_tension(&law, F, m3_identity(), pi) == 0);
  }
  plLaw law = {.kind = PL_MATERIAL_LINEAR_COROTATED, .mu = 1, .lambda = 2};
  CHECK(pl_linear_tension(&law, m3_scale(0.9, m3_identity()), m3_identity(), 0) == 0);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(stress_is_derivative_of_energy);
  RUN(tangent_is_derivative_of_stress);
  RUN(stresses_do_not_jump);
  RUN(projection_is_that_of_dense_eigenvalues);
  RUN(linear_corotated_has_the_appendix_eigenvalues);
  RUN(laws_agree_at_rest);
  RUN(split_volume_term_is_the_same_law);
  RUN(frozen_rotation_costs_the_known_energy);
  RUN(mooney_rivlin_uniaxial_constants);
  RUN(mooney_rivlin_plane_strain_figures);
  RUN(invalid_materials_are_refused);
  RUN(accepted_energies_are_least_at_rest);
  RUN(kind_names_are_found);
  RUN(tension_bounds_the_twists);
  return CHECK_END;
}

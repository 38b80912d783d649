// Polar decomposition, SVD and symmetric eigenproblem of 3x3 matrices: reconstruction, orthogonality,
// orientation, degenerate cases.
#include "base/random.h"
#include "check.h"
#include "math/eig3.h"
#include "math/polar.h"
#include "math/pose.h"
#include "math/svd3.h"

static plMat3 random_rotation(plRandom* r) {
  plQuat q;
  q.w = pl_random(r, -1, 1), q.x = pl_random(r, -1, 1), q.y = pl_random(r, -1, 1), q.z = pl_random(r, -1, 1);
  return quat_matrix(quat_unit(q));
}

static plMat3 random_matrix(plRandom* r) {
  plMat3 a;
  for (int i = 0; i < 9; i++) a.m[i] = pl_random(r, -1, 1);
  return a;
}

static double distance(plMat3 a, plMat3 b) { return m3_norm(m3_sub(a, b)); }

static double orthogonality(plMat3 q) { return distance(m3_mul(m3_transpose(q), q), m3_identity()); }

static plMat3 compose(plMat3 U, const double s[3], plMat3 V) {
  return m3_mul(m3_mul(U, m3_diag(s[0], s[1], s[2])), m3_transpose(V));
}

static void check_svd(plMat3 F, double scale) {
  plMat3 U, V;
  double s[3];
  pl_svd3(F, &U, s, &V);
  CHECK_BELOW(orthogonality(U), 4e-15, 1);
  CHECK_BELOW(orthogonality(V), 4e-15, 1);
  CHECK_NEAR(m3_det(U), 1, 4e-15);
  CHECK_NEAR(m3_det(V), 1, 4e-15);
  CHECK_BELOW(s[1] - s[0], 1e-15, scale);
  CHECK_BELOW(fabs(s[2]) - s[1], 1e-15, scale);
  CHECK_NEAR(distance(compose(U, s, V), F), 0, 4e-15 * scale);
}

static void svd_of_random_matrices(void) {
  plRandom r = {1};
  for (int k = 0; k < 20000; k++) {
    plMat3 F = random_matrix(&r);
    check_svd(F, m3_norm(F));
  }
}

// singular values from 1e-12 to 1e12, both signs, come back with small error relative to the largest
static void svd_returns_given_singular_values(void) {
  plRandom r = {2};
  for (int k = 0; k < 5000; k++) {
    double a = pow(10, pl_random(&r, -12, 12)), t[3] = {a, a * pl_random(&r, 0, 1), 0};
    t[2] = t[1] * pl_random(&r, -1, 1);
    plMat3 right = random_rotation(&r), left = random_rotation(&r), F = compose(left, t, right), U, V;
    double s[3];
    pl_svd3(F, &U, s, &V);
    for (int i = 0; i < 3; i++) CHECK_NEAR(s[i], t[i], 4e-15 * a);
    check_svd(F, a);
  }
}

static void svd_of_degenerate_matrices(void) {
  plRandom r = {3};
  check_svd(m3_zero(), 1);
  check_svd(m3_identity(), 1);
  check_svd(m3_scale(-1, m3_identity()), 1);
  check_svd(m3_diag(0, 0, 1), 1);
  check_svd(m3_diag(0, -1, 0), 1);
  check_svd(m3_diag(1e-160, 1, 1e-200), 1);
  check_svd(m3_diag(1e200, 1e-200, 1e150), 1e200);
  check_svd(m3_scale(1e-300, m3_identity()), 1e-300);
  for (int k = 0; k < 1000; k++) {
    plVec3 a = m3_column(random_matrix(&r), 0), b = m3_column(random_matrix(&r), 1),
           c = m3_column(random_matrix(&r), 2);
    check_svd(m3_outer(a, b), 1);                          // rank one
    check_svd(m3_add(m3_outer(a, b), m3_outer(b, c)), 3);  // rank two
    check_svd(random_rotation(&r), 1);                     // three equal
    check_svd(m3_scale(-1, random_rotation(&r)), 1);       // a reflection
  }
}

static void check_polar(plMat3 F) {
  plMat3 R = pl_polar(F), S = m3_mul(m3_transpose(R), F);
  double scale = m3_norm(F);
  CHECK_BELOW(orthogonality(R), 4e-15, 1);
  CHECK_NEAR(m3_det(R), 1, 4e-15);
  // S symmetric, two largest eigenvalues not negative, sum of the two smallest not negative: R is nearest
  CHECK_NEAR(distance(S, m3_transpose(S)), 0, 1e-14 * scale);
  double w[3];
  plMat3 Q;
  pl_eig3(S, w, &Q);
  CHECK_BELOW(-(w[0] + w[1]), 1e-14, scale);
}

static void polar_of_random_matrices(void) {
  plRandom r = {4};
  for (int k = 0; k < 20000; k++) {
    plMat3 F = random_matrix(&r);
    check_polar(F);
    check_polar(m3_add(random_rotation(&r), m3_scale(0.3, F)));
  }
}

// F = R S with S positive definite returns R
static void polar_returns_given_rotation(void) {
  plRandom r = {5};
  for (int k = 0; k < 5000; k++) {
    plMat3 R = random_rotation(&r), Q = random_rotation(&r);
    double s[3];
    for (int i = 0; i < 3; i++) s[i] = pl_random(&r, i ? 0.5 : 0.01, 3);
    plMat3 F = m3_mul(R, compose(Q, s, Q));
    CHECK_ROUND(distance(pl_polar(F), R), 0, 1);
    CHECK_ROUND(distance(pl_polar_svd(F), R), 0, 1);
  }
}

// no random rotation is nearer, for inverted F too
static void polar_is_nearest_rotation(void) {
  plRandom r = {6};
  for (int k = 0; k < 300; k++) {
    plMat3 F = random_matrix(&r);
    double best = distance(F, pl_polar(F));
    for (int i = 0; i < 300; i++) CHECK_BELOW(best - distance(F, random_rotation(&r)), 1e-14, 1);
  }
}

static void polar_of_degenerate_matrices(void) {
  plRandom r = {7};
  CHECK_NEAR(distance(pl_polar(m3_zero()), m3_identity()), 0, 0);
  check_polar(m3_scale(-1, m3_identity()));
  check_polar(m3_scale(1e-200, random_rotation(&r)));
  check_polar(m3_scale(1e100, random_rotation(&r)));
  for (int k = 0; k < 1000; k++) {
    plVec3 a = m3_column(random_matrix(&r), 0), b = m3_column(random_matrix(&r), 1),
           c = m3_column(random_matrix(&r), 2);
    check_polar(m3_outer(a, b));
    check_polar(m3_add(m3_outer(a, b), m3_outer(b, c)));
    check_polar(m3_add(m3_outer(a, b), m3_scale(1e-9, random_rotation(&r))));
  }
}

static void eigen_of_random_and_degenerate_matrices(void) {
  plRandom r = {8};
  for (int k = 0; k < 20000; k++) {
    double scale = pow(10, pl_random(&r, -8, 8)), t[3];
    for (int i = 0; i < 3; i++) t[i] = pl_random(&r, -1, 1);
    if (k % 4 == 1) t[1] = t[0];
    if (k % 8 == 5) t[2] = t[0];
    if (k % 16 == 3) t[0] = 0;
    plMat3 Q = random_rotation(&r), A = m3_scale(scale, compose(Q, t, Q));
    double w[3];
    pl_eig3(A, w, &Q);
    CHECK(w[0] <= w[1] && w[1] <= w[2]);
    CHECK_BELOW(orthogonality(Q), 4e-15, 1);
    CHECK_NEAR(m3_det(Q), 1, 4e-15);
    CHECK_NEAR(distance(compose(Q, w, Q), A), 0, 4e-15 * scale);
  }
  double w[3];
  plMat3 Q;
  pl_eig3(m3_zero(), w, &Q);
  CHECK(w[0] == 0 && w[1] == 0 && w[2] == 0);
  pl_eig3(m3_diag(3, -1, 2), w, &Q);
  CHECK(w[0] == -1 && w[1] == 2 && w[2] == 3);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(svd_of_random_matrices);
  RUN(svd_returns_given_singular_values);
  RUN(svd_of_degenerate_matrices);
  RUN(polar_of_random_matrices);
  RUN(polar_returns_given_rotation);
  RUN(polar_is_nearest_rotation);
  RUN(polar_of_degenerate_matrices);
  RUN(eigen_of_random_and_degenerate_matrices);
  return CHECK_END;
}

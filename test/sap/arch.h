// arch.h: the masonry arch with the plainest possible contact, as matrices for the solver: 25 soft stones of
// 9 vertices and 12 tetrahedra, 16 contact points per joint on the two facing faces, 6 on each base edge.
// Used by the tests and by bench/sap.
//
// Geometry: the weighted catenary of the Gateway Arch, cut at equal arc length. Material: linear corotated,
// 20 GPa, 0.3, 2300. Backward Euler, consistent mass. Every contact is near rigid: R_n = w / (4 pi^2), R_t =
// 1e-3 w, v_hat = -phi / (2 dt).
#ifndef PL_TEST_SAP_ARCH_H
#define PL_TEST_SAP_ARCH_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "pliant/sap.h"

enum {
  ARCH_STONES = 25,
  ARCH_NVERT = 9,
  ARCH_NV = 27,
  ARCH_TETS = 12,
  ARCH_MAX_CONTACT = 24 * 16 + 12,
  ARCH_CURVE = 200000
};

static const double ARCH_UNIT = 0.243902;

typedef struct Arch {
  double X[ARCH_STONES][ARCH_NVERT][3];  // rest shape
  int tet[ARCH_STONES][ARCH_TETS][4];
  double volume[ARCH_STONES][ARCH_TETS], grad[ARCH_STONES][ARCH_TETS][4][3];
  double M[ARCH_STONES][ARCH_NV * ARCH_NV], K[ARCH_STONES][ARCH_NV * ARCH_NV],
      A[ARCH_STONES][ARCH_NV * ARCH_NV];
  double q[ARCH_STONES][ARCH_NVERT][3], v[ARCH_STONES * ARCH_NV], v_star[ARCH_STONES * ARCH_NV];
  // the problem
  plSapProblem problem;
  int nv[ARCH_STONES];
  const double* A_list[ARCH_STONES];
  plSapConstraint con[ARCH_MAX_CONTACT];
  plSapBlock blk[ARCH_MAX_CONTACT][2];
  double J[ARCH_MAX_CONTACT][2][36];
  double mu, dt;
} Arch;

// ---- small vectors

static void a_sub(const double* a, const double* b, double* c) {
  for (int i = 0; i < 3; i++) c[i] = a[i] - b[i];
}
static double a_dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static void a_cross(const double* a, const double* b, double* c) {
  c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
}
static void a_normalize(double* a) {
  double s = sqrt(a_dot(a, a));
  for (int i = 0; i < 3; i++) a[i] /= s;
}
static void a_mean(double (*x)[3], int n, double* m) {
  m[0] = m[1] = m[2] = 0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < 3; i++) m[i] += x[k][i] / n;
}
// inverse transpose of F (row-major), returns det F
static double a_cofactor(const double F[3][3], double C[3][3]) {
  for (int i = 0; i < 3; i++) a_cross(F[(i + 1) % 3], F[(i + 2) % 3], C[i]);
  double det = a_dot(F[0], C[0]);
  for (int i = 0; i < 9; i++) C[i / 3][i % 3] /= det;
  return det;
}
// the rotation of F by Newton's iteration R <- (R + R^-T) / 2
static void a_polar(const double F[3][3], double R[3][3]) {
  double C[3][3];
  memcpy(R, F, 9 * sizeof(double));
  for (int k = 0; k < 30; k++) {
    (void)a_cofactor((const double(*)[3])R, C);
    for (int i = 0; i < 9; i++) R[i / 3][i % 3] = 0.5 * (R[i / 3][i % 3] + C[i / 3][i % 3]);
  }
}

// ---- geometry

static double arch_height(double x) {
  return 60 - 60 / (100.0 / 49 - 1) * (cosh(acosh(100.0 / 49) * x / 30) - 1);
}
static double arch_slope(double x) {
  double C = acosh(100.0 / 49);
  return -60 / (100.0 / 49 - 1) * C / 30 * sinh(C * x / 30);
}

// x of the joints: equal arc length, by linear interpolation in a fine polyline
static void arch_cuts(double* cut) {
  double total = 0, s = 0, x0 = -30, y0 = arch_height(x0);
  for (int pass = 0; pass < 2; pass++) {
    int k = 0;
    x0 = -30, y0 = arch_height(x0), s = 0;
    for (int i = 1; i <= ARCH_CURVE; i++) {
      double x = -30 + 60.0 * i / ARCH_CURVE, y = arch_height(x), ds = hypot(x - x0, y - y0);
      for (; pass == 1 && k < ARCH_STONES && s + ds >= total * k / ARCH_STONES; k++)
        cut[k] = x0 + (x - x0) * (total * k / ARCH_STONES - s) / ds;
      s += ds, x0 = x, y0 = y;
    }
    total = s;
  }
  cut[ARCH_STONES] = 30;
}

static void arch_stone(Arch* arch, int k, double a, double b) {
  static const int faces[6][4] = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1},
                                  {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
  static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  double w = (10 - 3 * fmin(arch_height(a), arch_height(b)) / 60) / 2, (*X)[3] = arch->X[k];
  for (int e = 0; e < 2; e++)
    for (int c = 0; c < 4; c++) {
      double x = e ? b : a, d = arch_slope(x), s = hypot(1, d);
      X[4 * e + c][0] = (x - corner[c][0] * w * d / s) * ARCH_UNIT;
      X[4 * e + c][1] = corner[c][1] * w * ARCH_UNIT;
      X[4 * e + c][2] = (arch_height(x) + corner[c][0] * w / s) * ARCH_UNIT;
    }
  a_mean(X, 8, X[8]);
  for (int f = 0, t = 0; f < 6; f++)
    for (int h = 0; h < 2; h++, t++) {
      int i = faces[f][0], j = faces[f][1 + h], l = faces[f][2 + h];
      double u[3], v[3], n[3], c[3];
      a_sub(X[j], X[i], u), a_sub(X[l], X[i], v), a_cross(u, v, n), a_sub(X[8], X[i], c);
      bool inward = a_dot(n, c) > 0;
      int tet[4] = {i, inward ? j : l, inward ? l : j, 8};
      memcpy(arch->tet[k][t], tet, sizeof tet);
    }
}

// volumes, shape gradients and the consistent mass
static void arch_elements(Arch* arch, int k) {
  for (int t = 0; t < ARCH_TETS; t++) {
    const int* tet = arch->tet[k][t];
    double D[3][3], C[3][3];
    for (int i = 0; i < 3; i++) a_sub(arch->X[k][tet[i + 1]], arch->X[k][tet[0]], D[i]);
    // rows of D are edges, so its inverse transpose holds the gradients as rows
    double V = arch->volume[k][t] = a_cofactor((const double(*)[3])D, C) / 6;
    for (int c = 0; c < 3; c++) {
      arch->grad[k][t][0][c] = -C[0][c] - C[1][c] - C[2][c];
      for (int i = 0; i < 3; i++) arch->grad[k][t][i + 1][c] = C[i][c];
    }
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
        for (int c = 0; c < 3; c++)
          arch->M[k][(3 * tet[i] + c) + ARCH_NV * (3 * tet[j] + c)] += 2300 * V / 20 * (1 + (i == j));
  }
}

static void arch_init(Arch* arch, double mu, double dt) {
  double cut[ARCH_STONES + 1];
  memset(arch, 0, sizeof *arch);
  arch->mu = mu, arch->dt = dt;
  arch_cuts(cut);
  for (int k = 0; k < ARCH_STONES; k++) {
    arch_stone(arch, k, cut[k], cut[k + 1]);
    arch_elements(arch, k);
    arch->nv[k] = ARCH_NV, arch->A_list[k] = arch->A[k];
  }
  memcpy(arch->q, arch->X, sizeof arch->q);
}

// ---- free motion

// f and K of stone k
static void arch_elastic(Arch* arch, int k, double* f) {
  const double E = 2e10, nu = 0.3, lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), G = E / 2 / (1 + nu);
  double* K = arch->K[k];
  memset(f, 0, ARCH_NV * sizeof *f);
  memset(K, 0, sizeof arch->K[k]);
  for (int t = 0; t < ARCH_TETS; t++) {
    const int* tet = arch->tet[k][t];
    double F[3][3] = {{0}}, R[3][3], e[3][3], P[3][3], Rg[4][3], V = arch->volume[k][t], trace = 0;
    double(*g)[3] = arch->grad[k][t];
    for (int a = 0; a < 4; a++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) F[i][j] += arch->q[k][tet[a]][i] * g[a][j];
    a_polar((const double(*)[3])F, R);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        e[i][j] = -(i == j);
        for (int l = 0; l < 3; l++) e[i][j] += 0.5 * (R[l][i] * F[l][j] + F[l][i] * R[l][j]);
      }
    trace = e[0][0] + e[1][1] + e[2][2];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        P[i][j] = lambda * trace * R[i][j];
        for (int l = 0; l < 3; l++) P[i][j] += 2 * G * R[i][l] * e[l][j];
      }
    for (int a = 0; a < 4; a++)
      for (int i = 0; i < 3; i++) f[3 * tet[a] + i] -= V * a_dot(P[i], g[a]), Rg[a][i] = a_dot(R[i], g[a]);
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++)
        for (int i = 0; i < 3; i++)
          for (int j = 0; j < 3; j++)
            K[(3 * tet[a] + i) + ARCH_NV * (3 * tet[b] + j)] +=
                V * (G * (a_dot(g[a], g[b]) * (i == j) + Rg[b][i] * Rg[a][j]) + lambda * Rg[a][i] * Rg[b][j]);
  }
}

// b := A^-1 b by elimination with a copy of A (SPD)
static void arch_solve(const double* A, double* b) {
  static double L[ARCH_NV * ARCH_NV];
  memcpy(L, A, sizeof L);
  for (int j = 0; j < ARCH_NV; j++)
    for (int i = j + 1; i < ARCH_NV; i++) {
      double m = L[i + ARCH_NV * j] / L[j + ARCH_NV * j];
      for (int c = j; c < ARCH_NV; c++) L[i + ARCH_NV * c] -= m * L[j + ARCH_NV * c];
      b[i] -= m * b[j];
    }
  for (int i = ARCH_NV - 1; i >= 0; i--) {
    for (int c = i + 1; c < ARCH_NV; c++) b[i] -= L[i + ARCH_NV * c] * b[c];
    b[i] /= L[i + ARCH_NV * i];
  }
}

static void arch_free_motion(Arch* arch) {
  double dt = arch->dt, f[ARCH_NV];
  for (int k = 0; k < ARCH_STONES; k++) {
    double *v = arch->v + ARCH_NV * k, *v_star = arch->v_star + ARCH_NV * k;
    arch_elastic(arch, k, f);
    for (int i = 0; i < ARCH_NV * ARCH_NV; i++) arch->A[k][i] = arch->M[k][i] + dt * dt * arch->K[k][i];
    for (int i = 0; i < ARCH_NV; i++) {
      double kv = 0, mg = 0;
      for (int j = 0; j < ARCH_NV; j++) {
        kv += arch->K[k][i + ARCH_NV * j] * v[j];
        if (j % 3 == 2) mg -= 9.81 * arch->M[k][i + ARCH_NV * j];
      }
      v_star[i] = dt * (f[i] - dt * kv + mg);
    }
    arch_solve(arch->A[k], v_star);
    for (int i = 0; i < ARCH_NV; i++) v_star[i] += v[i];
  }
}

// ---- contacts

static void arch_bilinear(double s, double t, double* w) {
  w[0] = (1 - s) * (1 - t), w[1] = s * (1 - t), w[2] = s * t, w[3] = (1 - s) * t;
}

// the parameters of p's projection on the bilinear patch B, from (s, t) on; false if it lies outside
static bool arch_project(double (*B)[3], const double* p, int passes, double* s, double* t) {
  for (int k = 0; k < passes; k++) {
    double w[4], d[3], Js[3], Jt[3];
    arch_bilinear(*s, *t, w);
    for (int i = 0; i < 3; i++) {
      d[i] = w[0] * B[0][i] + w[1] * B[1][i] + w[2] * B[2][i] + w[3] * B[3][i] - p[i];
      Js[i] = (1 - *t) * (B[1][i] - B[0][i]) + *t * (B[2][i] - B[3][i]);
      Jt[i] = (1 - *s) * (B[3][i] - B[0][i]) + *s * (B[2][i] - B[1][i]);
    }
    double a = a_dot(Js, Js), b = a_dot(Js, Jt), c = a_dot(Jt, Jt), x = a_dot(Js, d), y = a_dot(Jt, d),
           det = a * c - b * b;
    *s -= (c * x - b * y) / det, *t -= (a * y - b * x) / det;
  }
  return *s >= -0.02 && *s <= 1.02 && *t >= -0.02 && *t <= 1.02;
}

static void arch_face_normal(double (*B)[3], const double* towards, double* n) {
  double a[3], b[3];
  a_sub(B[2], B[0], a), a_sub(B[3], B[1], b), a_cross(a, b, n);
  a_normalize(n);
  if (a_dot(n, towards) < 0)
    for (int i = 0; i < 3; i++) n[i] = -n[i];
}

// one contact: the point with weights w on face (vertices face[4]) of stone b moves against that of stone a
// (or the world, a < 0)
static void arch_add(Arch* arch, int a, const int* face_a, const double* w_a, int b, const int* face_b,
                     const double* w_b, const double* n, double phi) {
  int i = arch->problem.nconstraint++;
  plSapConstraint* con = &arch->con[i];
  double e[3] = {fabs(n[0]) < 0.9, fabs(n[0]) >= 0.9, 0}, F[3][3];
  a_cross(n, e, F[0]), a_normalize(F[0]), a_cross(n, F[0], F[1]);
  memcpy(F[2], n, sizeof F[2]);
  arch->blk[i][0] = (plSapBlock){.clique = b, .nvert = 4, .vert = face_b, .J = arch->J[i][0]};
  arch->blk[i][1] = (plSapBlock){.clique = a, .nvert = 4, .vert = face_a, .J = arch->J[i][1]};
  for (int q = 0; q < 4; q++)
    for (int c = 0; c < 3; c++)
      for (int r = 0; r < 3; r++) {
        arch->J[i][0][r + 3 * (3 * q + c)] = w_b[q] * F[r][c];
        if (a >= 0) arch->J[i][1][r + 3 * (3 * q + c)] = -w_a[q] * F[r][c];
      }
  *con = (plSapConstraint){.law = PL_SAP_CONE, .nrow = 3, .nblock = a >= 0 ? 2 : 1, .block = arch->blk[i]};
  double w = pl_sap_delassus(&arch->problem, con), dt = arch->dt;
  con->cone =
      (plSapCone){.mu = arch->mu, .R_t = 1e-3 * w, .R_n = w / 39.478417604357434, .v_hat_n = -phi / (2 * dt)};
}

static const int ARCH_UPPER[4] = {4, 5, 6, 7}, ARCH_LOWER[4] = {0, 1, 2, 3};

static void arch_joint(Arch* arch, int k) {
  double A[4][3], B[4][3], ma[3], mb[3], d[3], n[3];
  for (int i = 0; i < 4; i++)
    memcpy(A[i], arch->q[k][ARCH_UPPER[i]], sizeof A[i]),
        memcpy(B[i], arch->q[k + 1][ARCH_LOWER[i]], sizeof B[i]);
  a_mean(arch->q[k], ARCH_NVERT, ma), a_mean(arch->q[k + 1], ARCH_NVERT, mb), a_sub(mb, ma, d);
  arch_face_normal(A, d, n);
  for (int i = 0; i < 16; i++) {
    double s = 0.02 + 0.32 * (i / 4), t = 0.02 + 0.32 * (i % 4), wa[4], wb[4], pa[3], gap[3];
    arch_bilinear(s, t, wa);
    for (int c = 0; c < 3; c++) pa[c] = wa[0] * A[0][c] + wa[1] * A[1][c] + wa[2] * A[2][c] + wa[3] * A[3][c];
    if (!arch_project(B, pa, 3, &s, &t)) continue;
    arch_bilinear(s, t, wb);
    for (int c = 0; c < 3; c++)
      gap[c] = wb[0] * B[0][c] + wb[1] * B[1][c] + wb[2] * B[2][c] + wb[3] * B[3][c] - pa[c];
    if (a_dot(gap, n) > 0.02) continue;
    arch_add(arch, k, ARCH_UPPER, wa, k + 1, ARCH_LOWER, wb, n, a_dot(gap, n));
  }
}

static void arch_base(Arch* arch, int k, const int* face, double side) {
  double A[4][3], m[3], mf[3], d[3], n[3];
  for (int i = 0; i < 4; i++) memcpy(A[i], arch->q[k][face[i]], sizeof A[i]);
  a_mean(arch->q[k], ARCH_NVERT, m), a_mean(A, 4, mf), a_sub(m, mf, d);
  arch_face_normal(A, d, n);
  for (int i = 0; i < 6; i++) {
    double p[3] = {side * 29.8 * ARCH_UNIT, (-0.9 + 0.36 * i) * 5 * ARCH_UNIT, -0.0436 * ARCH_UNIT}, s = 0.5,
           t = 0.5, w[4], gap[3];
    if (!arch_project(A, p, 4, &s, &t)) continue;
    arch_bilinear(s, t, w);
    for (int c = 0; c < 3; c++)
      gap[c] = w[0] * A[0][c] + w[1] * A[1][c] + w[2] * A[2][c] + w[3] * A[3][c] - p[c];
    if (a_dot(gap, n) > 0.02) continue;
    arch_add(arch, -1, NULL, NULL, k, face, w, n, a_dot(gap, n));
  }
}

// the problem of the next step, in arch->problem; the guess is arch->v
static void arch_problem(Arch* arch) {
  arch_free_motion(arch);
  arch->problem = (plSapProblem){.nclique = ARCH_STONES,
                                 .clique_nv = arch->nv,
                                 .A = arch->A_list,
                                 .v_star = arch->v_star,
                                 .constraint = arch->con};
  for (int k = 0; k + 1 < ARCH_STONES; k++) arch_joint(arch, k);
  arch_base(arch, 0, ARCH_LOWER, -1);
  arch_base(arch, ARCH_STONES - 1, ARCH_UPPER, 1);
}

static void arch_advance(Arch* arch, const double* v) {
  double* q = &arch->q[0][0][0];
  memcpy(arch->v, v, sizeof arch->v);
  for (int i = 0; i < ARCH_STONES * ARCH_NV; i++) q[i] += arch->dt * v[i];
}

#endif

// spectral_kernel.h: see spectral.h. Before including it, a file defines WIDTH, the vector type V with WIDTH
// lanes, and vsqrt(V); after it, the table of kernels.
#ifndef PL_FEM_SPECTRAL_KERNEL_H
#define PL_FEM_SPECTRAL_KERNEL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "fem/spectral.h"
#include "fem/spectrum.h"
#include "math/svd3.h"

typedef int64_t I __attribute__((vector_size(8 * WIDTH)));

static inline V fill(double x) {
  V v = {0};
  return v + x;
}

// lanes of a where m is set, of b elsewhere
static inline V choose(I m, V a, V b) { return (V)(((I)a & m) | ((I)b & ~m)); }
static inline V vabs(V a) { return (V)((I)a & INT64_MAX); }
static inline V at_least(V a, double least) { return choose(a > least, a, fill(least)); }

static inline int any(I m) {
  int64_t sum = 0;
  for (int i = 0; i < WIDTH; i++) sum |= m[i];
  return sum != 0;
}

static inline V dot3(const V* a, const V* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void cross3(const V* a, const V* b, V* c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

// cosine and sine of the smaller angle with tan 2 angle = 2 a / (aqq - app); no rotation in lanes that are
// off
static inline void jacobi_angle(V app, V aqq, V a, I on, V* c, V* s) {
  V zeta = (aqq - app) / (2 * choose(on, a, fill(1)));
  V t = 1 / (vabs(zeta) + vsqrt(1 + zeta * zeta));
  t = choose(zeta < 0, -t, t);
  t = choose(on, t, fill(0));
  *c = 1 / vsqrt(1 + t * t);
  *s = *c * t;
}

static inline void turn(V* x, V* y, V c, V s, int n) {
  for (int i = 0; i < n; i++) {
    V a = x[i], b = y[i];
    x[i] = c * a - s * b;
    y[i] = s * a + c * b;
  }
}

// x, y <- y, -x in the lanes of m
static inline void swap(I m, V* x, V* y, int n) {
  for (int i = 0; i < n; i++) {
    V a = x[i], b = y[i];
    x[i] = choose(m, b, a);
    y[i] = choose(m, -a, b);
  }
}

// Singular values by one-sided Jacobi rotations, as in svd3.c; lanes without a second direction are done one
// by one.
static inline void svd_lanes(const V F[9], V U[9], V s[3], V W[9]) {
  static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  V B[9];
  for (int i = 0; i < 9; i++) B[i] = F[i], W[i] = fill(i % 4 == 0);
  for (int sweep = 0; sweep < 12; sweep++) {
    int turned = 0;
    for (int k = 0; k < 3; k++) {
      V *p = B + 3 * pair[k][0], *q = B + 3 * pair[k][1];
      V alpha = dot3(p, p), beta = dot3(q, q), gamma = dot3(p, q), c, sn;
      I on = gamma * gamma > 0x1p-106 * alpha * beta;
      if (!any(on)) continue;
      turned = 1;
      jacobi_angle(alpha, beta, gamma, on, &c, &sn);
      turn(p, q, c, sn, 3);
      turn(W + 3 * pair[k][0], W + 3 * pair[k][1], c, sn, 3);
    }
    if (!turned) break;
  }
  for (int k = 0; k < 3; k++) {
    int p = 3 * (k % 2), q = p + 3;  // (0, 1), (1, 2), (0, 1)
    I m = dot3(B + p, B + p) < dot3(B + q, B + q);
    swap(m, B + p, B + q, 3);
    swap(m, W + p, W + q, 3);
  }
  V n0 = dot3(B, B), w[3], x[3];
  V inverse = 1 / vsqrt(n0);
  for (int i = 0; i < 3; i++) U[i] = B[i] * inverse;
  cross3(U, B + 3, w);
  cross3(w, U, x);
  V n1 = dot3(x, x);
  inverse = 1 / vsqrt(n1);
  for (int i = 0; i < 3; i++) U[3 + i] = x[i] * inverse;
  cross3(U, U + 3, U + 6);
  for (int k = 0; k < 3; k++) s[k] = dot3(U + 3 * k, B + 3 * k);

  I bad = ~((n0 > 1e-200) & (n1 > 1e-24 * n0) & (n0 < 1e200));
  for (int l = 0; l < WIDTH && any(bad); l++) {
    if (!bad[l]) continue;
    plMat3 A, left, right;
    double values[3];
    for (int i = 0; i < 9; i++) A.m[i] = F[i][l];
    pl_svd3(A, &left, values, &right);
    for (int i = 0; i < 9; i++) U[i][l] = left.m[i], W[i][l] = right.m[i];
    for (int i = 0; i < 3; i++) s[i][l] = values[i];
  }
}

// The symmetric matrix A (d0 d1 d2 o01 o02 o12) with its negative eigenvalues set to zero.
static inline void clamp_lanes(V A[6]) {
  static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  V M[9] = {A[0], A[3], A[4], A[3], A[1], A[5], A[4], A[5], A[2]}, Q[9];
  for (int i = 0; i < 9; i++) Q[i] = fill(i % 4 == 0);
  for (int sweep = 0; sweep < 12; sweep++) {
    int turned = 0;
    for (int k = 0; k < 3; k++) {
      int p = pair[k][0], q = pair[k][1];
      V a = M[3 * q + p], c, s;
      I on = vabs(a) > 0x1p-54 * (vabs(M[4 * p]) + vabs(M[4 * q]));
      if (!any(on)) continue;
      turned = 1;
      jacobi_angle(M[4 * p], M[4 * q], a, on, &c, &s);
      turn(M + 3 * p, M + 3 * q, c, s, 3);
      for (int i = 0; i < 3; i++) {
        V x = M[3 * i + p], y = M[3 * i + q];
        M[3 * i + p] = c * x - s * y;
        M[3 * i + q] = s * x + c * y;
      }
      turn(Q + 3 * p, Q + 3 * q, c, s, 3);
    }
    if (!turned) break;
  }
  V w[3];
  for (int k = 0; k < 3; k++) w[k] = at_least(M[4 * k], 0);
  static const int place[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int e = 0; e < 6; e++) {
    int i = place[e][0], j = place[e][1];
    A[e] = w[0] * Q[i] * Q[j] + w[1] * Q[3 + i] * Q[3 + j] + w[2] * Q[6 + i] * Q[6 + j];
  }
}

// Eigenvalues: twist and flip of each plane, stretch as (d0 d1 d2 o01 o02 o12); derived in the files of the
// laws.
typedef struct Spectrum {
  V twist[3], flip[3], stretch[6];
} Spectrum;

// stretch entry of the pair other than i: o12, o02, o01
static const int pair_without[3] = {5, 4, 3};

// W depends on J with W' = a, W'' = b
static inline void add_volume(Spectrum* x, const V s[3], V a, V b) {
  for (int i = 0; i < 3; i++) {
    V jk = s[(i + 1) % 3] * s[(i + 2) % 3];
    x->twist[i] += a * s[i];
    x->flip[i] -= a * s[i];
    x->stretch[i] += b * jk * jk;
    x->stretch[pair_without[i]] += b * s[i] * s[i] * jk + a * s[i];
  }
}

// The corotated laws in lanes whose tr S is rounded, one by one.
static inline void round_lanes(const plLaw* law, const V s[3], V pi, Spectrum* x) {
  I rounded = s[1] + s[2] < PL_LEAST_SUM;
  for (int l = 0; l < WIDTH && any(rounded); l++) {
    if (!rounded[l]) continue;
    plSpectrum own = pl_spectrum_corotated(law, (double[3]){s[0][l], s[1][l], s[2][l]}, pi[l]);
    for (int i = 0; i < 3; i++) {
      x->twist[i][l] = own.twist[i], x->flip[i][l] = own.flip[i];
      x->stretch[i][l] = M3(own.stretch, i, i);
      x->stretch[pair_without[i]][l] = M3(own.stretch, (i + 1) % 3, (i + 2) % 3);
    }
  }
}

static inline void spectrum_lanes(const plLaw* law, const V s[3], V pi, Spectrum* x) {
  double mu = law->mu, lambda = law->lambda, c1 = law->c1, c2 = law->c2;
  V J = s[0] * s[1] * s[2], sum = s[0] + s[1] + s[2];
  V p = 0.5 * lambda * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3) + pi;  // of Saint-Venant-Kirchhoff
  V tr = lambda * (sum - 3) + pi;                                           // of corotated
  for (int i = 0; i < 3; i++) {
    V a = s[i], b = s[(i + 1) % 3], c = s[(i + 2) % 3], bc = b * c, *off = &x->stretch[pair_without[i]];
    V reciprocal = 1 / at_least(b + c, PL_LEAST_SUM);
    switch (law->kind) {
      case PL_MATERIAL_COROTATED:
        x->flip[i] = fill(2 * mu), x->twist[i] = 2 * mu + (2 * tr - 4 * mu) * reciprocal;
        x->stretch[i] = fill(2 * mu + lambda), *off = fill(lambda);
        break;
      case PL_MATERIAL_FIXED_COROTATED:
        x->flip[i] = fill(2 * mu), x->twist[i] = 2 * mu - 4 * mu * reciprocal;
        x->stretch[i] = fill(2 * mu), *off = fill(0);
        break;
      case PL_MATERIAL_SAINT_VENANT_KIRCHHOFF:
        x->twist[i] = p + mu * (b * b + c * c - 1 - bc), x->flip[i] = p + mu * (b * b + c * c - 1 + bc);
        x->stretch[i] = p + mu * (3 * a * a - 1) + lambda * a * a, *off = lambda * bc;
        break;
      case PL_MATERIAL_NEO_HOOKEAN:
        x->twist[i] = x->flip[i] = x->stretch[i] = fill(mu), *off = fill(0);
        break;
      default:
        x->twist[i] = 2 * c1 + 2 * c2 * (a * a + bc), x->flip[i] = 2 * c1 + 2 * c2 * (a * a - bc);
        x->stretch[i] = 2 * c1 + 2 * c2 * (b * b + c * c), *off = 4 * c2 * bc;
        break;
    }
  }
  if (law->kind == PL_MATERIAL_FIXED_COROTATED) add_volume(x, s, lambda * (J - 1) + pi, fill(lambda));
  if (law->kind == PL_MATERIAL_NEO_HOOKEAN)
    add_volume(x, s, (lambda + mu) * (J - 1) - mu + pi, fill(lambda + mu));
  if (law->kind == PL_MATERIAL_MOONEY_RIVLIN)
    add_volume(x, s, (lambda + 2 * c1) * (J - 1) - (2 * c1 + 4 * c2) + pi, fill(lambda + 2 * c1));
  if (law->kind == PL_MATERIAL_COROTATED || law->kind == PL_MATERIAL_FIXED_COROTATED)
    round_lanes(law, s, pi, x);
}

// H, its lower half by columns, in the basis u_i v_j' first: there it couples (i, i) with (j, j), and (i, j)
// with (j, i). Then H = Q B Q', Q = V (x) U, column by column.
static inline void tangent_lanes(const Spectrum* x, const V U[9], const V W[9], V H[81]) {
  V B[9][9] = {{{0}}};
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3, jk = 3 * k + j, kj = 3 * j + k;
    B[4 * i][4 * i] = x->stretch[i];
    B[4 * j][4 * k] = B[4 * k][4 * j] = x->stretch[pair_without[i]];
    B[jk][jk] = B[kj][kj] = 0.5 * (x->flip[i] + x->twist[i]);
    B[jk][kj] = B[kj][jk] = 0.5 * (x->flip[i] - x->twist[i]);
  }
  // Q B, using that a column of B has two or three entries
  V Q[9][9], QB[9][9];
  for (int c = 0; c < 9; c++)
    for (int r = 0; r < 9; r++) Q[c][r] = U[3 * (c % 3) + r % 3] * W[3 * (c / 3) + r / 3];
  for (int c = 0; c < 9; c++) {
    bool diagonal = c % 4 == 0;
    int mirror = 3 * (c % 3) + c / 3;
    for (int r = 0; r < 9; r++)
      QB[c][r] = diagonal ? B[c][0] * Q[0][r] + B[c][4] * Q[4][r] + B[c][8] * Q[8][r]
                          : B[c][c] * Q[c][r] + B[c][mirror] * Q[mirror][r];
  }
  for (int r = 0; r < 9; r++)
    for (int c = 0; c <= r; c++) {
      V sum = QB[0][r] * Q[0][c];
      for (int k = 1; k < 9; k++) sum += QB[k][r] * Q[k][c];
      H[9 * c + r] = H[9 * r + c] = sum;
    }
}

// n <= WIDTH matrices to lanes; the last one fills the rest
static inline void load_lanes(const double* F, int n, V lanes[9]) {
  for (int i = 0; i < 9; i++) {
    double x[WIDTH];
    for (int l = 0; l < WIDTH; l++) x[l] = F[9 * (l < n ? l : n - 1) + i];
    memcpy(&lanes[i], x, sizeof x);
  }
}

static void spectral_tangents(const plLaw* law, plTangent tangent, int n, const double* F, const double* pi,
                              double* H) {
  for (int first = 0; first < n; first += WIDTH) {
    int m = n - first < WIDTH ? n - first : WIDTH;
    V lanes[9], U[9], W[9], s[3], out[81], p = fill(0);
    Spectrum x;
    load_lanes(F + 9 * first, m, lanes);
    for (int l = 0; pi && l < m; l++) p[l] = pi[first + l];
    svd_lanes(lanes, U, s, W);
    spectrum_lanes(law, s, p, &x);
    if (tangent == PL_TANGENT_PROJECTED) {
      for (int i = 0; i < 3; i++) x.twist[i] = at_least(x.twist[i], 0), x.flip[i] = at_least(x.flip[i], 0);
      clamp_lanes(x.stretch);
    }
    tangent_lanes(&x, U, W, out);
    for (int l = 0; l < m; l++)
      for (int i = 0; i < 81; i++) H[81 * (first + l) + i] = out[i][l];
  }
}

static void spectral_svd(int n, const double* F, double* U, double* s, double* W) {
  for (int first = 0; first < n; first += WIDTH) {
    int m = n - first < WIDTH ? n - first : WIDTH;
    V lanes[9], u[9], w[9], x[3];
    load_lanes(F + 9 * first, m, lanes);
    svd_lanes(lanes, u, x, w);
    for (int l = 0; l < m; l++) {
      for (int i = 0; i < 9; i++) U[9 * (first + l) + i] = u[i][l], W[9 * (first + l) + i] = w[i][l];
      for (int i = 0; i < 3; i++) s[3 * (first + l) + i] = x[i][l];
    }
  }
}

static void spectral_blocks(int m, const double* grad, double scale, const double* H, double* slot) {
  for (int b = 0; b < m; b++) {
    // T(:, k) = scale sum_l H(:, kl) g_b,l
    double T[27];
    double g0 = scale * grad[3 * b], g1 = scale * grad[3 * b + 1], g2 = scale * grad[3 * b + 2];
    for (int i = 0; i < 27; i++) T[i] = H[i] * g0 + H[27 + i] * g1 + H[54 + i] * g2;
    for (int a = b; a < m; a++) {
      double* K = slot + 9 * (a * (a + 1) / 2 + b);
      const double* g = grad + 3 * a;
      for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
          K[3 * k + i] = g[0] * T[9 * k + i] + g[1] * T[9 * k + 3 + i] + g[2] * T[9 * k + 6 + i];
    }
  }
}

#include "fem/pair_kernel.h"

#endif

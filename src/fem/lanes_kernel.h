// lanes_kernel.h: the batched element work (see lanes.h), one source for every instruction set. The including
// file defines, before it:
//   WIDTH            lanes of a vector V (2, 4 or 8)
//   load_corner      three vectors from WIDTH padded positions
//   store_corner     four vectors to WIDTH rows of four numbers, 16 apart
//   vsqrt            the square root of each lane
//   scale_guess      about (n2 / (n1 d^2))^(1/4), to a few per cent
// and after it the table of kernels.
#ifndef PL_FEM_LANES_KERNEL_H
#define PL_FEM_LANES_KERNEL_H

#include <stdint.h>
#include <string.h>

#include "fem/lanes.h"
#include "math/polar.h"
#include "math/polar_newton.h"

typedef int64_t I __attribute__((vector_size(8 * WIDTH)));
typedef double V4 __attribute__((vector_size(32), may_alias));

static inline V load_row(const double* p) { return *(const V*)p; }
static inline void store_row(double* p, V v) { *(V*)p = v; }

static inline double max_lane(V v) {
  double m = v[0];
  for (int i = 1; i < WIDTH; i++) m = v[i] > m ? v[i] : m;
  return m;
}

// cof X, column-major, by columns: (x1 x x2, x2 x x0, x0 x x1)
static inline void cofactor(const V X[9], V C[9]) {
  for (int j = 0; j < 3; j++) {
    const V *a = X + 3 * ((j + 1) % 3), *b = X + 3 * ((j + 2) % 3);
    C[3 * j] = a[1] * b[2] - a[2] * b[1];
    C[3 * j + 1] = a[2] * b[0] - a[0] * b[2];
    C[3 * j + 2] = a[0] * b[1] - a[1] * b[0];
  }
}

static inline V dot9(const V* a, const V* b) {
  V s = a[0] * b[0], t = a[1] * b[1], u = a[2] * b[2];
  for (int i = 3; i < 9; i += 3) s += a[i] * b[i], t += a[i + 1] * b[i + 1], u += a[i + 2] * b[i + 2];
  return s + t + u;
}

// Lanes for which Newton fails, one by one through the SVD.
static __attribute__((noinline)) void repair_lanes(const V F[9], V X[9], I good) {
  for (int l = 0; l < WIDTH; l++) {
    if (good[l]) continue;
    plMat3 A;
    for (int i = 0; i < 9; i++) A.m[i] = F[i][l];
    A = pl_polar_svd(A);
    for (int i = 0; i < 9; i++) X[i][l] = A.m[i];
  }
}

// R of F: Newton's iteration in all lanes (polar_newton.h)
static inline void polar_lanes(const V F[9], V X[9]) {
  V C[9], n1 = dot9(F, F);
  cofactor(F, C);
  V d = F[0] * C[0] + F[1] * C[1] + F[2] * C[2];
  I good = (d > 0) & (d * d > PL_POLAR_LIMIT * PL_POLAR_LIMIT * n1 * n1 * n1) & (n1 > 1e-12) & (n1 < 1e12);
  // a lane that is not suitable iterates from the identity
  for (int i = 0; i < 9; i++) {
    V one = {0};
    if (i % 4 == 0) one += 1;
    X[i] = (V)(((I)F[i] & good) | ((I)one & ~good));
  }
  for (int it = 0; it < PL_POLAR_ITERATIONS; it++) {
    cofactor(X, C);
    d = X[0] * C[0] + X[1] * C[1] + X[2] * C[2];
    V h = {0}, g, step = {0};
    h += 0.5;
    if (it < PL_POLAR_SCALED) {
      g = scale_guess(dot9(X, X), dot9(C, C), d);
      h *= g, d *= g;
    }
    V k = 0.5 / d;
    for (int i = 0; i < 9; i++) {
      V x = h * X[i] + k * C[i], e = x - X[i];
      step += e * e;
      X[i] = x;
    }
    // the guessed scale is not exact: a step with it does not show convergence
    if (it >= PL_POLAR_SCALED && !(max_lane(step) > 1e-17)) break;
  }
  if (max_lane(__builtin_convertvector(~good & 1, V)) > 0) repair_lanes(F, X, good);
}

// F = sum (x_a - x_0) g_a'
static inline void gradient_lanes(const plLanes* batch, const double* x, int b, int s, V F[9]) {
  const int* vert = batch->vert + 4 * PL_LANES * (size_t)b + s;
  const double* grad = batch->grad + 9 * PL_LANES * (size_t)b + s;
  V x0[3], xa[3];
  load_corner(x, vert, x0);
  for (int a = 0; a < 3; a++) {
    load_corner(x, vert + PL_LANES * (a + 1), xa);
    for (int i = 0; i < 3; i++) xa[i] -= x0[i];
    for (int j = 0; j < 3; j++) {
      V g = load_row(grad + PL_LANES * (3 * a + j));
      for (int i = 0; i < 3; i++) F[3 * j + i] = a == 0 ? xa[i] * g : F[3 * j + i] + xa[i] * g;
    }
  }
  F[8] += batch->plane;
}

// With R of F: t as pl_linear_tension without a group's pressure, V W and tr S - 3.
static inline V strain_lanes(const plLanes* batch, plLanesWork* work, size_t at, const V F[9], const V R[9]) {
  V tr = dot9(R, F), square = dot9(F, F) - tr * tr / 3, rest = {0};
  for (int i = 0; i < 9; i++) rest += (F[i] - R[i]) * (F[i] - R[i]);
  square = (V)((I)square & (I)(square > 0));
  V sum = (2.0 / 3) * tr + vsqrt((2.0 / 3) * square), p = work->lambda * (tr - 3);
  V t = 2 * work->mu + (2 * p - 4 * work->mu) / sum;
  store_row(work->theta + at, tr - 3);
  store_row(work->energy + at, load_row(batch->volume + at) * (work->mu * rest + 0.5 * p * (tr - 3)));
  return (V)((I)t & (I)(t > 0));
}

// sqrt(V) R g_a of the four corners, t at the end of the first
static inline void rotate_gradients(const plLanes* batch, plLanesWork* work, int b, int s, const V R[9],
                                    V t) {
  const double* grad = batch->grad + 9 * PL_LANES * (size_t)b + s;
  double* out = work->h + 16 * (PL_LANES * (size_t)b + (size_t)s);
  V w = load_row(batch->root + PL_LANES * (size_t)b + s), h0[4] = {{0}, {0}, {0}, t};
  for (int a = 0; a < 3; a++) {
    V g[3], h[4] = {{0}};
    for (int j = 0; j < 3; j++) g[j] = w * load_row(grad + PL_LANES * (3 * a + j));
    for (int i = 0; i < 3; i++) h[i] = R[i] * g[0] + R[3 + i] * g[1] + R[6 + i] * g[2], h0[i] -= h[i];
    store_corner(out + 4 * (a + 1), h);
  }
  store_corner(out, h0);
}

// -V P g_a of the four corners, P = R (2 mu e + (lambda tr(e) + pi) I), e = sym(R'F) - I
static inline void corner_forces(const plLanes* batch, plLanesWork* work, int b, int s, const V F[9],
                                 const V R[9]) {
  const double* grad = batch->grad + 9 * PL_LANES * (size_t)b + s;
  double* out = work->f + 16 * (PL_LANES * (size_t)b + (size_t)s);
  V S[9], T[9], P[9], f0[4] = {{0}}, volume = load_row(batch->volume + PL_LANES * (size_t)b + s);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      S[3 * j + i] = R[3 * i] * F[3 * j] + R[3 * i + 1] * F[3 * j + 1] + R[3 * i + 2] * F[3 * j + 2];
  V p = work->lambda * ((S[0] - 1) + (S[4] - 1) + (S[8] - 1)), mu = work->mu * volume;
  p = (p + load_row(work->pi + PL_LANES * (size_t)b + s)) * volume;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      T[3 * j + i] = i == j ? 2 * mu * (S[3 * j + i] - 1) + p : mu * (S[3 * j + i] + S[3 * i + j]);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      P[3 * j + i] = R[i] * T[3 * j] + R[3 + i] * T[3 * j + 1] + R[6 + i] * T[3 * j + 2];
  for (int a = 0; a < 3; a++) {
    V g[3], f[4] = {{0}};
    for (int j = 0; j < 3; j++) g[j] = load_row(grad + PL_LANES * (3 * a + j));
    for (int i = 0; i < 3; i++) f[i] = -(P[i] * g[0] + P[3 + i] * g[1] + P[6 + i] * g[2]), f0[i] -= f[i];
    store_corner(out + 4 * (a + 1), f);
  }
  store_corner(out, f0);
}

static void batch_elements(const plLanes* batch, plLanesWork* work, int begin, int end, plRotate rotate,
                           bool stress) {
  for (int b = begin; b < end; b++)
    for (int s = 0; s < PL_LANES; s += WIDTH) {
      V F[9], R[9];
      double *row_R = work->R + 9 * PL_LANES * (size_t)b + s, *row_F = work->F + 9 * PL_LANES * (size_t)b + s;
      gradient_lanes(batch, work->x, b, s, F);
      if (rotate) {
        polar_lanes(F, R);
        V t = strain_lanes(batch, work, PL_LANES * (size_t)b + (size_t)s, F, R);
        if (rotate == PL_ROTATE_MEASURE) continue;
        for (int i = 0; i < 9; i++) store_row(row_R + PL_LANES * i, R[i]);
        rotate_gradients(batch, work, b, s, R, t);
      } else if (stress) {
        for (int i = 0; i < 9; i++) R[i] = load_row(row_R + PL_LANES * i);
      } else {
        for (int i = 0; i < 9; i++) store_row(row_F + PL_LANES * i, F[i]);
      }
      if (stress) corner_forces(batch, work, b, s, F, R);
    }
}

static void batch_blocks(const plLanes* batch, const plLanesWork* work, double scale, double tension_scale,
                         const double* mass, double mass_scale, double* block, int begin, int end) {
  const double* h = work->h;
  double lambda = scale * work->lambda, mu = scale * work->mu;
  for (int k = begin; k < end; k++) {
    // columns of X = sum V h_a h_b', and the terms of sum V t h_a . h_b
    V4 X[3] = {{0}, {0}, {0}}, Y = {0};
    for (int item = batch->block_item0[k]; item < batch->block_item0[k + 1]; item++) {
      int code = batch->block_item[item];
      const double* tet = h + (code & ~15);
      V4 ha = *(const V4*)(tet + (code & 12));
      const double* hb = tet + 4 * (code & 3);
      X[0] += ha * hb[0], X[1] += ha * hb[1], X[2] += ha * hb[2];
      Y += ha * *(const V4*)hb * tet[3];
    }
    double d = mu * batch->laplace[k] + (mass ? mass_scale * mass[k] : 0), *K = block + 9 * (size_t)k;
    d += tension_scale * (Y[0] + Y[1] + Y[2]);
    for (int c = 0; c < 3; c++)
      for (int r = 0; r < 3; r++) K[3 * c + r] = lambda * X[c][r] + mu * X[r][c] + (r == c ? d : 0);
  }
}

static void batch_polar(const double* F, double* R, int nbatch) {
  for (int b = 0; b < nbatch; b++)
    for (int s = 0; s < PL_LANES; s += WIDTH) {
      V A[9], X[9];
      for (int i = 0; i < 9; i++) A[i] = load_row(F + PL_LANES * (9 * (size_t)b + (size_t)i) + s);
      polar_lanes(A, X);
      for (int i = 0; i < 9; i++) store_row(R + PL_LANES * (9 * (size_t)b + (size_t)i) + s, X[i]);
    }
}

#endif

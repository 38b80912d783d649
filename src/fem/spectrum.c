// spectrum.c: the 9x9 matrix of an isotropic law's second derivative from its eigenvalues and eigenvectors
// (see spectrum.h).
#include "fem/spectrum.h"

#include <string.h>

#include "math/eig3.h"

void pl_tangent_add_dyad(double H[81], double a, plMat3 x, plMat3 y) {
  for (int c = 0; c < 9; c++) {
    double ay = a * y.m[c];
    for (int r = 0; r < 9; r++) H[9 * c + r] += ay * x.m[r];
  }
}

void pl_tangent_add_cofactor(double H[81], double a, plMat3 F) {
  // cof F = (f1 x f2, f2 x f0, f0 x f1): d(column j)/d(column l) = -+ [f_m]x for j != l, m the third
  for (int j = 0; j < 3; j++) {
    for (int step = 1; step <= 2; step++) {
      int l = (j + step) % 3, m = 3 - j - l;
      plMat3 K = m3_skew(m3_column(F, m));
      double sign = step == 1 ? -a : a;
      for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) H[9 * (3 * l + k) + 3 * j + i] += sign * M3(K, i, k);
    }
  }
}

void pl_spectrum_add_volume(plSpectrum* spectrum, const double s[3], double a, double b) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    spectrum->twist[i] += a * s[i];
    spectrum->flip[i] -= a * s[i];
    M3(spectrum->stretch, i, i) += b * s[j] * s[k] * s[j] * s[k];
    double off = b * s[i] * s[i] * s[j] * s[k] + a * s[i];
    M3(spectrum->stretch, j, k) += off;
    M3(spectrum->stretch, k, j) += off;
  }
}

// D_k of spectrum.h
static const double rotation[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

// p of spectrum.h for descending l: the point of the simplex nearest to l / (2 e). Returns how many of p are
// not zero.
static int weights(const double l[4], double p[4]) {
  double sum = 0, level = 0;
  int n = 0;
  while (n < 4 && (n == 0 || l[n] - level > 0)) {
    sum += l[n++];
    level = (sum - 2 * PL_LEAST_SUM) / n;
  }
  for (int k = 0; k < 4; k++) p[k] = k < n ? (l[k] - level) / (2 * PL_LEAST_SUM) : 0;
  return n;
}

plTrace pl_trace(const double s[3]) {
  plTrace t = {.stretch = m3_zero()};
  const double e = PL_LEAST_SUM;
  double l[4], p[4], mean[3] = {0}, rest = 1;
  for (int k = 0; k < 4; k++) l[k] = rotation[k][0] * s[0] + rotation[k][1] * s[1] + rotation[k][2] * s[2];
  int n = weights(l, p);
  for (int k = 0; k < n; k++) {
    t.value += p[k] * l[k], rest -= p[k] * p[k];
    for (int i = 0; i < 3; i++) t.d[i] += p[k] * rotation[k][i], mean[i] += rotation[k][i] / n;
  }
  t.value += e * rest;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < 9; i++)
      t.stretch.m[i] += (rotation[k][i % 3] - mean[i % 3]) * (rotation[k][i / 3] - mean[i / 3]) / (2 * e);
  // (d_j +- d_k) / (s_j +- s_k) = 4 (p_a - p_b) / (l_a - l_b), which is 2 / e between weights that are not
  // zero
  for (int i = 0; i < 3; i++) {
    int a = i + 1, j = 1 + (i == 0), k = 3 - (i == 2);
    t.twist[i] = a < n ? 2 / e : 4 * p[0] / (l[0] - l[a]);
    t.flip[i] = k < n ? 2 / e : j < n ? 4 * p[j] / (l[j] - l[k]) : 0;
  }
  return t;
}

plSpectrum pl_spectrum_corotated(const plLaw* law, const double s[3], double pi) {
  bool fixed = law->kind == PL_MATERIAL_FIXED_COROTATED;
  plTrace t = pl_trace(s);
  double mu = law->mu, a = law->lambda * (fixed ? s[0] * s[1] * s[2] - 1 : t.value - 3) + pi,
         slope = (fixed ? 0 : a) - 2 * mu;  // of W in tr S
  plSpectrum x = {.stretch = m3_add(m3_diag(2 * mu, 2 * mu, 2 * mu), m3_scale(slope, t.stretch))};
  for (int i = 0; i < 3; i++)
    x.twist[i] = 2 * mu + slope * t.twist[i], x.flip[i] = 2 * mu + slope * t.flip[i];
  if (fixed)
    pl_spectrum_add_volume(&x, s, a, law->lambda);
  else
    for (int i = 0; i < 9; i++) x.stretch.m[i] += law->lambda * t.d[i % 3] * t.d[i / 3];
  return x;
}

// The stretch block with its negative eigenvalues set to zero.
static plMat3 clamp_stretch(plMat3 A) {
  double w[3];
  plMat3 Q;
  pl_eig3(A, w, &Q);
  if (w[0] >= 0) return A;
  plMat3 B = m3_zero();
  for (int i = 0; i < 3; i++)
    if (w[i] > 0) B = m3_add(B, m3_scale(w[i], m3_outer(m3_column(Q, i), m3_column(Q, i))));
  return B;
}

void pl_spectrum_tangent(const plSpectrum* spectrum, plMat3 U, plMat3 V, plTangent tangent, double H[81]) {
  memset(H, 0, 81 * sizeof *H);
  plMat3 A = spectrum->stretch;
  if (tangent == PL_TANGENT_PROJECTED) A = clamp_stretch(A);

  // stretch: sum_ij A_ij D_i D_j', D_i = u_i v_i'
  plMat3 D[3];
  for (int i = 0; i < 3; i++) D[i] = m3_outer(m3_column(U, i), m3_column(V, i));
  for (int i = 0; i < 3; i++) {
    plMat3 E = m3_zero();
    for (int j = 0; j < 3; j++) E = m3_add(E, m3_scale(M3(A, i, j), D[j]));
    pl_tangent_add_dyad(H, 1, D[i], E);
  }

  // twists and flips
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double twist = spectrum->twist[i], flip = spectrum->flip[i];
    if (tangent == PL_TANGENT_PROJECTED) twist = fmax(twist, 0), flip = fmax(flip, 0);
    plMat3 jk = m3_outer(m3_column(U, j), m3_column(V, k)), kj = m3_outer(m3_column(U, k), m3_column(V, j));
    plMat3 T = m3_sub(jk, kj), L = m3_add(jk, kj);
    pl_tangent_add_dyad(H, 0.5 * twist, T, T);
    pl_tangent_add_dyad(H, 0.5 * flip, L, L);
  }
}

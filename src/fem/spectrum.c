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

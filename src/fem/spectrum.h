// spectrum.h: the derivative of P of an isotropic energy in its eigenbasis.
//
// With F = U diag(s) V' and W(F) = w(s1, s2, s3), d2W/dF2 has nine eigenvectors of a fixed shape (Smith, De
// Goes, Kim 2019):
//   twist i   U (e_j e_k' - e_k e_j') V' / sqrt 2    eigenvalue (w_j + w_k) / (s_j + s_k)
//   flip i    U (e_j e_k' + e_k e_j') V' / sqrt 2    eigenvalue (w_j - w_k) / (s_j - s_k)
//   stretch   U diag(e) V'                           e an eigenvector of the 3x3 matrix w_ij
// (i, j, k) cyclic. Clamping the nine eigenvalues at zero is the projection onto positive semi-definite
// matrices.
#ifndef PL_FEM_SPECTRUM_H
#define PL_FEM_SPECTRUM_H

#include "fem/law.h"

typedef struct plSpectrum {
  double twist[3], flip[3];  // eigenvalues; entry i belongs to the plane of the other two
  plMat3 stretch;            // w_ij, symmetric
} plSpectrum;

// tr S of F = R S, the largest tr Q'F over all rotations Q. Four rotations Q_k = U D_k V' are stationary:
//   D = diag(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1),   l_k = tr Q_k'F = tr D_k diag(s)
// Where the two largest l_k are equal, s_j + s_k = 0, R jumps and tr S has a kink. A corotated energy can
// have a minimum there, at which it has no stress, so a body with such a point would be in no balance.
// Therefore tr S is rounded where s_j + s_k < PL_LEAST_SUM = e:
//   tr S = max over p >= 0, sum p = 1, of sum p_k l_k + e (1 - sum p_k^2),   R = sum p_k Q_k
// All derivatives below are those of the rounded tr S in the singular values.
#define PL_LEAST_SUM 0.01

typedef struct plTrace {
  double value, d[3];        // tr S; R = U diag(d) V'
  double twist[3], flip[3];  // as in plSpectrum
  plMat3 stretch;
} plTrace;

// s as pl_svd3 sorts them
static inline bool pl_trace_is_rounded(const double s[3]) { return s[1] + s[2] < PL_LEAST_SUM; }
plTrace pl_trace(const double s[3]);

// the corotated laws
plSpectrum pl_spectrum_corotated(const plLaw* law, const double s[3], double pi);

// H = sum of the nine dyads, eigenvalues as they are (exact) or clamped at zero (projected)
void pl_spectrum_tangent(const plSpectrum* spectrum, plMat3 U, plMat3 V, plTangent tangent, double H[81]);

// Adds the spectrum of c(J) for energies with dW/dJ = a, d2W/dJ2 = b: twist += a s_i, flip -= a s_i, ...
void pl_spectrum_add_volume(plSpectrum* spectrum, const double s[3], double a, double b);

// H += a d2J/dF2, that is a d(cof F)/dF
void pl_tangent_add_cofactor(double H[81], double a, plMat3 F);
// H += a x y' + ... with x, y as 9-vectors
void pl_tangent_add_dyad(double H[81], double a, plMat3 x, plMat3 y);

#endif

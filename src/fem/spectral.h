// spectral.h: tangents of isotropic laws, several points at a time: singular values in vector lanes, then the
// nine eigenvalues of d2W/dF2 (spectrum.h), clamped or not, then H.
//
// One source is compiled for plain C, AVX2 and AVX-512 (spectral_kernel.h); it agrees with pl_law_tangent to
// rounding. pl_spectral_kernels(pl_isa()) are those to use.
#ifndef PL_FEM_SPECTRAL_H
#define PL_FEM_SPECTRAL_H

#include "base/cpu.h"
#include "fem/law.h"

typedef struct plSpectralKernels {
  // H of n points, [81 n], from F [9 n] and the groups' pressures pi [n] (NULL: zero); not for linear laws
  void (*tangents)(const plLaw* law, plTangent tangent, int n, const double* F, const double* pi, double* H);
  // the blocks K_ab = scale G_a' H G_b, b <= a, of a stencil of m nodes with gradients grad [3 m], to
  // slot [9 m (m + 1) / 2]
  void (*blocks)(int m, const double* grad, double scale, const double* H, double* slot);
  // The same blocks of n consecutive points of m <= 10 nodes each, computed directly from F [9 n] if
  // pl_spectral_has_pairs (pair_kernel.h); grad [3 m n], scale [n]. The exact tangent, with pi [n], ...
  void (*pairs)(const plLaw* law, int n, int m, const double* F, const double* pi, const double* grad,
                const double* scale, double* slot);
  // ... and the viscous one, with T = dtheta/dF [9 n].
  void (*viscous_pairs)(const plLaw* law, int n, int m, const double* F, const double* T, const double* grad,
                        const double* scale, double* slot);
  // F = U diag(s) V' of n matrices, as pl_svd3: U [9 n], s [3 n], V [9 n]
  void (*svd)(int n, const double* F, double* U, double* s, double* V);
} plSpectralKernels;

// Whether the law depends on F'F and J alone.
static inline bool pl_spectral_has_pairs(plMaterialKind kind, plTangent tangent) {
  return (tangent == PL_TANGENT_VISCOUS && !pl_law_is_linear(kind)) ||
         (tangent == PL_TANGENT_EXACT &&
          (kind == PL_MATERIAL_NEO_HOOKEAN || kind == PL_MATERIAL_MOONEY_RIVLIN ||
           kind == PL_MATERIAL_SAINT_VENANT_KIRCHHOFF));
}

const plSpectralKernels* pl_spectral_kernels(plIsa isa);
extern const plSpectralKernels pl_spectral_avx2, pl_spectral_avx512;

#endif

// law.h: hyperelastic laws at one quadrature point: energy density, first Piola stress, its derivative.
//
// A law depends on the deformation gradient F only (and, if linear corotated, on the frozen rotation R0). To
// let a part of the volume stiffness act on the mean over a group of points, each law defines its measure of
// volume change, theta(F), and takes the group's pressure pi: all functions below refer to W(F) + pi theta(F)
// with constant pi (0 without groups).
//   J - 1          fixed corotated, neo-Hookean, Mooney-Rivlin
//   tr S - 3       corotated          tr(R0'F) - 3   linear corotated
//   tr F - 3       linear             tr E           Saint-Venant-Kirchhoff
// 9x9 derivatives are column-major: H[9 (3l + k) + 3j + i] = dP_ij / dF_kl.
#ifndef PL_FEM_LAW_H
#define PL_FEM_LAW_H

#include <stdbool.h>

#include "base/word.h"
#include "math/mat3.h"
#include "pliant/material.h"

// A law's constants, in Pa.
typedef struct plLaw {
  plMaterialKind kind;
  double mu, lambda;  // of each point: lambda is reduced if groups carry a part of it
  double kappa;       // that part of lambda, which acts on group means; 0: no groups
  double c1, c2;      // Mooney-Rivlin
} plLaw;

typedef enum plTangent {
  PL_TANGENT_EXACT,      // the derivative of P
  PL_TANGENT_PROJECTED,  // its nearest positive semi-definite matrix
  PL_TANGENT_VISCOUS,    // 2 mu E':E' + lambda theta'^2 of the rates of Green's strain E and of the law's
                       // volume change: both vanish in rotations; positive semi-definite, not for linear laws
} plTangent;

// The constants of a checked material. With grouped, lambda = min(lambda, mu) stays at the points, and kappa
// is the rest.
plLaw pl_law_of_material(const plMaterial* material, bool grouped);

// True if P is affine in F (R0 given): one linear solve per step.
static inline bool pl_law_is_linear(plMaterialKind kind) {
  return kind == PL_MATERIAL_LINEAR || kind == PL_MATERIAL_LINEAR_COROTATED;
}

// W(F), without pi; *theta = theta(F)
double pl_law_energy(const plLaw* law, plMat3 F, plMat3 R0, double* theta);

// P = dW/dF + pi dtheta/dF; *dtheta = dtheta/dF (may be NULL)
plMat3 pl_law_stress(const plLaw* law, plMat3 F, plMat3 R0, double pi, plMat3* dtheta);

// H = d2W/dF2 + pi d2theta/dF2, exact or projected; or viscous, without pi
void pl_law_tangent(const plLaw* law, plMat3 F, plMat3 R0, double pi, plTangent tangent, double H[81]);

// The functions above for one law, written in its own file and listed in law.c. Only the linear corotated law
// reads R0. tangent is called for the exact and the projected derivative.
typedef struct plLawFunctions {
  double (*energy)(const plLaw* law, plMat3 F, plMat3 R0, double* theta);
  plMat3 (*stress)(const plLaw* law, plMat3 F, plMat3 R0, double pi, plMat3* dtheta);
  void (*tangent)(const plLaw* law, plMat3 F, plMat3 R0, double pi, plTangent which, double H[81]);
} plLawFunctions;

// True if the batched kernels of spectral_kernel.h have this derivative of the law.
bool pl_law_is_batched(plMaterialKind kind, plTangent tangent);

// The names of the laws, in the order of plMaterialKind.
extern const plWord pl_material_words[];

// t >= 0 of stretched material with rotation R0 of F (Pa); 0 for laws that freeze no rotation (linear.c)
double pl_linear_tension(const plLaw* law, plMat3 F, plMat3 R0, double pi);
// mu (F dF'F + F F'dF) + lambda (T:dF) T, T = dtheta/dF: the viscous tangent of any law (stvk.c)
void pl_viscous_tangent(const plLaw* law, plMat3 F, plMat3 T, double H[81]);
// T above
plMat3 pl_law_volume_gradient(const plLaw* law, plMat3 F, plMat3 R0);

#endif

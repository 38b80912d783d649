// material.h: what a deformable body is made of, and how it is discretised.
//
//   plMaterial rubber = pl_default_material();
//   rubber.kind = PL_MATERIAL_NEO_HOOKEAN;
//   rubber.young = 1e6, rubber.poisson = 0.45, rubber.density = 1100;
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_MATERIAL_H
#define PLIANT_MATERIAL_H

#include "pliant/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Energy densities; F is the deformation gradient, R its rotation, S = R'F, J = det F, mu and lambda the Lame
// parameters.
typedef enum plMaterialKind {
  PL_MATERIAL_LINEAR,  // mu e:e + lambda/2 tr(e)^2, e = (F + F')/2 - I: small strains relative to the mesh
                       // at its start; wrong once the body has turned
  PL_MATERIAL_LINEAR_COROTATED,  // the same with e = (R0'F + F'R0)/2 - I, where R0 is constant during a step:
                                 // the paper's model (default)
  PL_MATERIAL_COROTATED,  // mu |S - I|^2 + lambda/2 tr(S - I)^2: what the linear corotated model approximates
  PL_MATERIAL_SAINT_VENANT_KIRCHHOFF,  // mu E:E + lambda/2 tr(E)^2, E = (F'F - I)/2: soft under strong
                                       // compression
  PL_MATERIAL_NEO_HOOKEAN,  // mu/2 (|F|^2 - 3) - mu (J - 1) + (lambda + mu)/2 (J - 1)^2: stable, finite when
                            // inverted
  PL_MATERIAL_MOONEY_RIVLIN,    // c1 (I1 - 3) + c2 (I2 - 3) - D (J - 1) + L/2 (J - 1)^2, D and L such that it
                                // rests at F = I
  PL_MATERIAL_FIXED_COROTATED,  // mu |S - I|^2 + lambda/2 (J - 1)^2 (called "corotated" in Drake)
  PL_MATERIAL_COUNT
} plMaterialKind;

// "linear", "linear_corotated", ...; NULL for a number that is not a kind. And back: -1 if the name is
// unknown.
PL_API const char* pl_material_name(plMaterialKind kind);
PL_API int pl_material_find(const char* name);

// How the volume change enters the energy: per element (standard; locks as Poisson's ratio approaches 0.5),
// or mostly as the mean over patches of about 12 tetrahedra (does not lock).
typedef enum plVolumetric { PL_VOLUMETRIC_ELEMENT, PL_VOLUMETRIC_PATCH } plVolumetric;
// Linear tetrahedra (cheapest, too stiff in bending); linear tetrahedra with F averaged around edges (good in
// bending; the Cholesky factor is about 3 times as large); quadratic tetrahedra with a node on each edge
// (most accurate per degree of freedom).
typedef enum plElement {
  PL_ELEMENT_TET4,
  PL_ELEMENT_TET4_SMOOTHED,
  PL_ELEMENT_TET10,
  PL_ELEMENT_COUNT
} plElement;
// Mass matrix: the exact integral, or lumped to a diagonal.
typedef enum plMass { PL_MASS_CONSISTENT, PL_MASS_LUMPED } plMass;
// Where the linear corotated model takes the rotation that it keeps constant during a step: at q0 + (1 -
// theta_vq) dt v0, which conserves angular momentum, or at q0 as in the paper.
typedef enum plRotation { PL_ROTATION_CONSISTENT, PL_ROTATION_LAGGED } plRotation;

typedef struct plMaterial {
  plMaterialKind kind;  // default PL_MATERIAL_LINEAR_COROTATED
  double young;         // Pa, Young's modulus > 0; default 1e5; unused if lame_mu > 0 and by Mooney-Rivlin
  double poisson;       // Poisson's ratio in (-1, 0.5); default 0.4; unused in the same cases
  double lame_lambda;   // Pa; used with lame_mu instead of young and poisson; lame_lambda > -2/3 lame_mu;
                        // default 0
  double lame_mu;       // Pa; 0: young and poisson are used (default)
  double c1, c2;        // Pa, Mooney-Rivlin: not negative, not both 0; default 0
  double bulk;          // Pa, Mooney-Rivlin: larger than (4 c2 - 2 c1)/3 and (4 c1 - 2 c2)/3; default 0
  double density;       // kg/m^3 > 0; default 1000
  double damping_mass;  // 1/s, Rayleigh alpha >= 0; default 0
  double damping_stiffness;  // s, Rayleigh beta >= 0; default 0.01
  plVolumetric volumetric;   // default PL_VOLUMETRIC_ELEMENT
  plElement element;         // default PL_ELEMENT_TET4
  plMass mass;               // default PL_MASS_CONSISTENT
  plRotation rotation;       // default PL_ROTATION_CONSISTENT
} plMaterial;

PL_API plMaterial pl_default_material(void);

// Checks that every value is in its range; the error names the admissible range.
PL_API plStatus pl_material_check(const plMaterial* material, plError* error);

// The Lame parameters at rest (Pa) of a material that passes the check.
PL_API void pl_material_lame(const plMaterial* material, double* lambda, double* mu);

#ifdef __cplusplus
}
#endif
#endif

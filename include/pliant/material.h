// material.h: what a deformable body is made of, and how it is discretised.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_MATERIAL_H
#define PLIANT_MATERIAL_H

#include "pliant/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum plMaterialKind {
  PL_MATERIAL_LINEAR,            // small strains, wrong under rotation
  PL_MATERIAL_LINEAR_COROTATED,  // the paper's: rotation frozen during a step, one linear solve (default)
  PL_MATERIAL_COROTATED,
  PL_MATERIAL_SAINT_VENANT_KIRCHHOFF,
  PL_MATERIAL_NEO_HOOKEAN,       // stable
  PL_MATERIAL_MOONEY_RIVLIN,     // rest-stable, constants C1, C2 and bulk
  PL_MATERIAL_COUNT
} plMaterialKind;

// "linear", "linear_corotated", ...
const char* pl_material_name(plMaterialKind kind);

typedef enum plVolumetric { PL_VOLUMETRIC_ELEMENT, PL_VOLUMETRIC_PATCH } plVolumetric;
typedef enum plElement { PL_ELEMENT_TET4, PL_ELEMENT_TET4_SMOOTHED, PL_ELEMENT_TET10 } plElement;
typedef enum plMass { PL_MASS_CONSISTENT, PL_MASS_LUMPED } plMass;
typedef enum plRotation { PL_ROTATION_CONSISTENT, PL_ROTATION_LAGGED } plRotation;

typedef struct plMaterial {
  plMaterialKind kind;      // default PL_MATERIAL_LINEAR_COROTATED
  double young;             // Pa, Young's modulus > 0; default 1e5; not read where lame_mu > 0 and by Mooney-Rivlin
  double poisson;           // Poisson's ratio in (-1, 0.5); default 0.4; likewise
  double lame_lambda;       // Pa; used with lame_mu instead of young and poisson; lame_lambda > -2/3 lame_mu; default 0
  double lame_mu;           // Pa; 0: young and poisson are used (default)
  double c1, c2, bulk;      // Pa, Mooney-Rivlin: c1 + c2 > 0, c2 >= 0, bulk > 0; default 0
  double density;           // kg/m^3 > 0; default 1000
  double damping_mass;      // 1/s, Rayleigh alpha >= 0; default 0
  double damping_stiffness; // s, Rayleigh beta >= 0; default 0.01
  plVolumetric volumetric;  // default PL_VOLUMETRIC_ELEMENT; PATCH averages the volume change over about 12 tets (no locking)
  plElement element;        // default PL_ELEMENT_TET4
  plMass mass;              // default PL_MASS_CONSISTENT
  plRotation rotation;      // where the linear corotated rotation is frozen: CONSISTENT keeps angular momentum (default), LAGGED is
                            // the paper's start of the step
} plMaterial;

plMaterial pl_default_material(void);

// Refuses what has no meaning, with the admissible range.
plStatus pl_material_check(const plMaterial* material, plError* error);

#ifdef __cplusplus
}
#endif
#endif

// law.c: a material's constants, and the one switch over its kind.
#include "fem/law.h"

plLaw pl_law_of_material(const plMaterial* material, bool grouped) {
  plLaw law = {.kind = material->kind, .c1 = material->c1, .c2 = material->c2};
  double lambda;
  pl_material_lame(material, &lambda, &law.mu);
  law.lambda = grouped && lambda > law.mu ? law.mu : lambda;
  law.kappa = lambda - law.lambda;
  return law;
}

double pl_law_energy(const plLaw* law, plMat3 F, plMat3 R0, double* theta) {
  switch (law->kind) {
    case PL_MATERIAL_LINEAR:
      return pl_linear_energy(law, F, m3_identity(), theta);
    case PL_MATERIAL_LINEAR_COROTATED:
      return pl_linear_energy(law, F, R0, theta);
    case PL_MATERIAL_COROTATED:
    case PL_MATERIAL_FIXED_COROTATED:
      return pl_corotated_energy(law, F, theta);
    case PL_MATERIAL_SAINT_VENANT_KIRCHHOFF:
      return pl_stvk_energy(law, F, theta);
    case PL_MATERIAL_NEO_HOOKEAN:
      return pl_neo_hookean_energy(law, F, theta);
    default:
      return pl_mooney_rivlin_energy(law, F, theta);
  }
}

plMat3 pl_law_stress(const plLaw* law, plMat3 F, plMat3 R0, double pi, plMat3* dtheta) {
  plMat3 unused;
  if (!dtheta) dtheta = &unused;
  switch (law->kind) {
    case PL_MATERIAL_LINEAR:
      return pl_linear_stress(law, F, m3_identity(), pi, dtheta);
    case PL_MATERIAL_LINEAR_COROTATED:
      return pl_linear_stress(law, F, R0, pi, dtheta);
    case PL_MATERIAL_COROTATED:
    case PL_MATERIAL_FIXED_COROTATED:
      return pl_corotated_stress(law, F, pi, dtheta);
    case PL_MATERIAL_SAINT_VENANT_KIRCHHOFF:
      return pl_stvk_stress(law, F, pi, dtheta);
    case PL_MATERIAL_NEO_HOOKEAN:
      return pl_neo_hookean_stress(law, F, pi, dtheta);
    default:
      return pl_mooney_rivlin_stress(law, F, pi, dtheta);
  }
}

void pl_law_tangent(const plLaw* law, plMat3 F, plMat3 R0, double pi, plTangent tangent, double H[81]) {
  if (tangent == PL_TANGENT_VISCOUS) {
    pl_viscous_tangent(law, F, H);
    return;
  }
  switch (law->kind) {
    case PL_MATERIAL_LINEAR:
      pl_linear_tangent(law, m3_identity(), H);
      break;
    case PL_MATERIAL_LINEAR_COROTATED:
      pl_linear_tangent(law, R0, H);
      break;
    case PL_MATERIAL_COROTATED:
    case PL_MATERIAL_FIXED_COROTATED:
      pl_corotated_tangent(law, F, pi, tangent, H);
      break;
    case PL_MATERIAL_SAINT_VENANT_KIRCHHOFF:
      pl_stvk_tangent(law, F, pi, tangent, H);
      break;
    case PL_MATERIAL_NEO_HOOKEAN:
      pl_neo_hookean_tangent(law, F, pi, tangent, H);
      break;
    default:
      pl_mooney_rivlin_tangent(law, F, pi, tangent, H);
      break;
  }
}

// law.c: the list of hyperelastic laws, and a material's constants.
#include "fem/law.h"

// The derivatives that the batched kernels of spectral_kernel.h provide.
typedef enum Batched { BATCHED_NONE, BATCHED_PROJECTED, BATCHED_ALL } Batched;

// kind, name in scene files, functions, batched derivatives; in the order of plMaterialKind
#define LAWS(X)                                                                                   \
  X(PL_MATERIAL_LINEAR, "linear", pl_law_linear, BATCHED_NONE)                                    \
  X(PL_MATERIAL_LINEAR_COROTATED, "linear_corotated", pl_law_linear_corotated, BATCHED_NONE)      \
  X(PL_MATERIAL_COROTATED, "corotated", pl_law_corotated, BATCHED_ALL)                            \
  X(PL_MATERIAL_SAINT_VENANT_KIRCHHOFF, "saint_venant_kirchhoff", pl_law_stvk, BATCHED_PROJECTED) \
  X(PL_MATERIAL_NEO_HOOKEAN, "neo_hookean", pl_law_neo_hookean, BATCHED_PROJECTED)                \
  X(PL_MATERIAL_MOONEY_RIVLIN, "mooney_rivlin", pl_law_mooney_rivlin, BATCHED_PROJECTED)          \
  X(PL_MATERIAL_FIXED_COROTATED, "fixed_corotated", pl_law_corotated, BATCHED_ALL)

#define DECLARE(kind, name, functions, batched) extern const plLawFunctions functions;
#define WORD(kind, name, functions, batched) {name, kind},
#define FUNCTIONS(kind, name, functions, batched) [kind] = &functions,
#define IS_BATCHED(kind, name, functions, batched) [kind] = batched,

LAWS(DECLARE)
const plWord pl_material_words[PL_MATERIAL_COUNT + 1] = {LAWS(WORD){NULL, 0}};
static const plLawFunctions* const functions_of[PL_MATERIAL_COUNT] = {LAWS(FUNCTIONS)};
static const Batched batched_of[PL_MATERIAL_COUNT] = {LAWS(IS_BATCHED)};

bool pl_law_is_batched(plMaterialKind kind, plTangent tangent) {
  return tangent != PL_TANGENT_VISCOUS &&
         batched_of[kind] >= (tangent == PL_TANGENT_PROJECTED ? BATCHED_PROJECTED : BATCHED_ALL);
}

plLaw pl_law_of_material(const plMaterial* material, bool grouped) {
  plLaw law = {.kind = material->kind, .c1 = material->c1, .c2 = material->c2};
  double lambda;
  pl_material_lame(material, &lambda, &law.mu);
  law.lambda = grouped && lambda > law.mu ? law.mu : lambda;
  law.kappa = lambda - law.lambda;
  return law;
}

double pl_law_energy(const plLaw* law, plMat3 F, plMat3 R0, double* theta) {
  return functions_of[law->kind]->energy(law, F, R0, theta);
}

plMat3 pl_law_stress(const plLaw* law, plMat3 F, plMat3 R0, double pi, plMat3* dtheta) {
  plMat3 unused;
  return functions_of[law->kind]->stress(law, F, R0, pi, dtheta ? dtheta : &unused);
}

plMat3 pl_law_volume_gradient(const plLaw* law, plMat3 F, plMat3 R0) {
  plMat3 dtheta;
  functions_of[law->kind]->stress(law, F, R0, 0, &dtheta);
  return dtheta;
}

void pl_law_tangent(const plLaw* law, plMat3 F, plMat3 R0, double pi, plTangent tangent, double H[81]) {
  if (tangent == PL_TANGENT_VISCOUS)
    pl_viscous_tangent(law, F, pl_law_volume_gradient(law, F, R0), H);
  else
    functions_of[law->kind]->tangent(law, F, R0, pi, tangent, H);
}

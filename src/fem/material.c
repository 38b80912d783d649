// material.c: defaults, checks and constants of material definitions (include/pliant/material.h).
#include "pliant/material.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fem/law.h"

plMaterial pl_default_material(void) {
  return (plMaterial){.kind = PL_MATERIAL_LINEAR_COROTATED,
                      .young = 1e5,
                      .poisson = 0.4,
                      .density = 1000,
                      .damping_stiffness = 0.01};
}

const char* pl_material_name(plMaterialKind kind) {
  return (int)kind >= 0 && kind < PL_MATERIAL_COUNT ? pl_material_words[kind].name : NULL;
}

int pl_material_find(const char* name) {
  assert(name != NULL);
  for (int i = 0; i < PL_MATERIAL_COUNT; i++)
    if (!strcmp(name, pl_material_words[i].name)) return i;
  return -1;
}

// In uniform stretch s, W / (1 - s)^2 = c2 (3 s^2 + 2 s + 1) - c1 (1 + 2 s) + L/2 (1 + s + s^2)^2, where
// every other F of the same J has more energy. For L > 0 this is positive for all s >= 0 if it is at s = 0,
// with L = bulk + (2 c1 - 4 c2) / 3. Otherwise a point into which the body collapses has less energy than the
// body at rest.
static plStatus check_mooney_rivlin(const plMaterial* m, plError* error) {
  if (!(m->c1 >= 0 && m->c2 >= 0 && isfinite(m->c1) && isfinite(m->c2) && m->c1 + m->c2 > 0))
    return pl_fail(error, PL_ERROR_INPUT,
                   "mooney_rivlin needs c1 >= 0 and c2 >= 0 in Pa, not both zero, got c1 = %g, c2 = %g",
                   m->c1, m->c2);
  double least = fmax(4 * m->c2 - 2 * m->c1, 4 * m->c1 - 2 * m->c2) / 3;
  if (!(m->bulk > least && isfinite(m->bulk)))
    return pl_fail(error, PL_ERROR_INPUT,
                   "mooney_rivlin needs a bulk modulus above max(4 c2 - 2 c1, 4 c1 - 2 c2) / 3 = %g Pa, got "
                   "bulk = %g",
                   least, m->bulk);
  return PL_OK;
}

static plStatus check_elastic(const plMaterial* m, plError* error) {
  if (m->kind == PL_MATERIAL_MOONEY_RIVLIN) return check_mooney_rivlin(m, error);
  if (m->c1 != 0 || m->c2 != 0 || m->bulk != 0)
    return pl_fail(
        error, PL_ERROR_INPUT,
        "c1, c2 and bulk belong to mooney_rivlin; %s takes young and poisson, or lame_lambda and lame_mu",
        pl_material_words[m->kind].name);
  if (m->lame_mu != 0 || m->lame_lambda != 0) {
    if (!(m->lame_mu > 0 && isfinite(m->lame_mu)))
      return pl_fail(error, PL_ERROR_INPUT, "lame_mu (the shear modulus) must be positive, got %g Pa",
                     m->lame_mu);
    if (!(m->lame_lambda > -2 * m->lame_mu / 3 && isfinite(m->lame_lambda)))
      return pl_fail(error, PL_ERROR_INPUT, "lame_lambda must be above -2/3 lame_mu = %g Pa, got %g",
                     -2 * m->lame_mu / 3, m->lame_lambda);
    return PL_OK;
  }
  if (!(m->young > 0 && isfinite(m->young)))
    return pl_fail(error, PL_ERROR_INPUT, "young (Young's modulus) must be positive, got %g Pa", m->young);
  if (!(m->poisson > -1 && m->poisson < 0.5))
    return pl_fail(error, PL_ERROR_INPUT,
                   "poisson must lie between -1 and 0.5, both excluded, got %g; for rubber use 0.49 with "
                   "volumetric: patch",
                   m->poisson);
  return PL_OK;
}

// The energy must be least at rest. With lambda < 0 that of fixed_corotated is not bounded from below: (J -
// 1)^2 is of sixth order in the stretch, |S - I|^2 of second. That of neo_hookean is lambda / 2 where F = 0,
// so that a body collapses into a point if it is squeezed enough.
static plStatus check_least(const plMaterial* m, plError* error) {
  double lambda, mu;
  if (m->kind != PL_MATERIAL_FIXED_COROTATED && m->kind != PL_MATERIAL_NEO_HOOKEAN) return PL_OK;
  pl_material_lame(m, &lambda, &mu);
  if (lambda >= 0) return PL_OK;
  return pl_fail(error, PL_ERROR_INPUT,
                 "the energy of %s is not least at rest with a negative lambda (%g Pa; poisson below 0); use "
                 "corotated",
                 pl_material_words[m->kind].name, lambda);
}

plStatus pl_material_check(const plMaterial* m, plError* error) {
  assert(m != NULL);
  if ((int)m->kind < 0 || m->kind >= PL_MATERIAL_COUNT)
    return pl_fail(error, PL_ERROR_INPUT, "unknown material kind %d; kinds are 0 to %d", (int)m->kind,
                   PL_MATERIAL_COUNT - 1);
  plStatus status = check_elastic(m, error);
  if (!status) status = check_least(m, error);
  if (status) return status;
  if (!(m->density > 0 && isfinite(m->density)))
    return pl_fail(error, PL_ERROR_INPUT, "density must be positive, got %g kg/m^3", m->density);
  if (!(m->damping_mass >= 0 && isfinite(m->damping_mass)))
    return pl_fail(error, PL_ERROR_INPUT, "damping_mass (Rayleigh alpha) must not be negative, got %g 1/s",
                   m->damping_mass);
  if (!(m->damping_stiffness >= 0 && isfinite(m->damping_stiffness)))
    return pl_fail(error, PL_ERROR_INPUT, "damping_stiffness (Rayleigh beta) must not be negative, got %g s",
                   m->damping_stiffness);
  if ((int)m->volumetric < 0 || m->volumetric > PL_VOLUMETRIC_PATCH)
    return pl_fail(error, PL_ERROR_INPUT, "volumetric must be element or patch, got number %d",
                   (int)m->volumetric);
  if ((int)m->element < 0 || m->element >= PL_ELEMENT_COUNT)
    return pl_fail(error, PL_ERROR_INPUT, "element must be tet4, tet4_smoothed or tet10, got number %d",
                   (int)m->element);
  if ((int)m->mass < 0 || m->mass > PL_MASS_LUMPED)
    return pl_fail(error, PL_ERROR_INPUT, "mass must be consistent or lumped, got number %d", (int)m->mass);
  if ((int)m->rotation < 0 || m->rotation > PL_ROTATION_LAGGED)
    return pl_fail(error, PL_ERROR_INPUT, "rotation must be consistent or lagged, got number %d",
                   (int)m->rotation);
  return PL_OK;
}

void pl_material_lame(const plMaterial* m, double* lambda, double* mu) {
  assert(m != NULL && lambda != NULL && mu != NULL);
  if (m->kind == PL_MATERIAL_MOONEY_RIVLIN) {
    *mu = 2 * (m->c1 + m->c2);
    *lambda = m->bulk - 2 * *mu / 3;
  } else if (m->lame_mu > 0) {
    *mu = m->lame_mu;
    *lambda = m->lame_lambda;
  } else {
    *mu = m->young / (2 * (1 + m->poisson));
    *lambda = m->young * m->poisson / ((1 + m->poisson) * (1 - 2 * m->poisson));
  }
}

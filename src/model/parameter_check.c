// parameter_check.c: checks whether numbers are valid parameters.
#include <string.h>

#include "base/error.h"
#include "model/parameter_list.h"
#include "model/spec.h"

// ---- checks of one item's numbers, by the rules of its definition

// Numbers that a material's law does not read cannot be set.
plStatus pl_param_check_read(const plMaterial* m, const plParamEntry* e, plError* error) {
  const char* name = e->name + strlen("material.");
  bool mooney = m->kind == PL_MATERIAL_MOONEY_RIVLIN, lame = m->lame_mu > 0;
  bool moduli = !strcmp(name, "c1") || !strcmp(name, "c2") || !strcmp(name, "bulk");
  bool pair = !strcmp(name, "lame_lambda") || !strcmp(name, "lame_mu");
  bool young = !strcmp(name, "young") || !strcmp(name, "poisson");
  if ((moduli && mooney) || (pair && lame && !mooney) || (young && !lame && !mooney) ||
      !(moduli || pair || young))
    return PL_OK;
  return pl_fail(error, PL_ERROR_INPUT, "'%s' is not read by this material (%s, given by %s)", name,
                 pl_material_name(m->kind),
                 mooney ? "c1, c2 and bulk"
                 : lame ? "lame_lambda and lame_mu"
                        : "young and poisson");
}

static plStatus check_body(const plModel* m, const plParameters* par, int i, plError* error) {
  // The numbers are finite. Almost every body has mass and positive inertia; then the check of the definition
  // is not needed.
  if (par->body_mass[i] > 0 && pl_spec_inertia_is_positive(par->body_inertia + 6 * (size_t)i)) return PL_OK;
  plBodyDef def = pl_default_body_def();
  def.name = m->body_name[i], def.mass = par->body_mass[i], def.com = par->body_com[i];
  def.gravity = par->body_gravity[i];
  memcpy(def.inertia, par->body_inertia + 6 * (size_t)i, sizeof def.inertia);
  plStatus status = pl_spec_check_inertia(&def, error);
  // A joint must move something with inertia: a body that has mass or inertia must keep some.
  bool lost = !(par->body_mass[i] > 0) && m->par->body_mass[i] > 0;
  for (size_t k = 0; k < 3; k++)
    lost |= !(par->body_inertia[6 * (size_t)i + k] > 0) && m->par->body_inertia[6 * (size_t)i + k] > 0;
  if (!status && lost)
    status = pl_fail(error, PL_ERROR_INPUT, "the mass and moments of inertia of '%s' must stay above 0",
                     m->body_name[i]);
  return status;
}

static plStatus check_dof(const plModel* m, const plParameters* par, int i, plError* error) {
  plDofDef def = {.lower = par->dof_lower[i],
                  .upper = par->dof_upper[i],
                  .damping = par->dof_damping[i],
                  .friction = par->dof_friction[i],
                  .stiffness = par->dof_stiffness[i],
                  .rest = par->dof_rest[i]};
  return pl_spec_check_dof(m->joint_name[m->dof_joint[i]], &def, error);
}

static plStatus check_actuator(const plModel* m, const plParameters* par, int i, plError* error) {
  const plActuatorLaw* law = &par->act_law[i];
  if (!(law->kp >= 0 && law->kd >= 0 && law->bias[1] <= 0 && law->bias[2] <= 0))
    return pl_fail(error, PL_ERROR_INPUT,
                   "the gains of actuator '%s' must not be negative, nor its bias.1 and bias.2 positive",
                   m->act_name[i]);
  if (!(par->act_force_lower[i] <= par->act_force_upper[i] && par->act_lower[i] <= par->act_upper[i]))
    return pl_fail(error, PL_ERROR_INPUT, "the limits of actuator '%s' must be lower <= upper",
                   m->act_name[i]);
  return PL_OK;
}

static plStatus check_attachment(const plModel* m, const plParameters* par, int i, plError* error) {
  if (par->attach_stiffness[i] > 0 && par->attach_relaxation[i] >= 0 &&
      !(m->attach_exact[i] && par->attach_relaxation[i] > 0))
    return PL_OK;
  return pl_fail(
      error, PL_ERROR_INPUT,
      "attachment '%s' needs a positive stiffness and a relaxation time that is not negative (0 if it "
      "is exact)",
      m->attach_name[i]);
}

plStatus pl_param_check_item(const plModel* m, const plParameters* par, plParamGroup g, int i,
                             plError* error) {
  switch (g) {
    case PL_PARAM_OPTIONS:
      return pl_options_check(&par->options, error);
    case PL_PARAM_DEFORMABLE: {
      plStatus status = pl_material_check(&par->deform_material[i], error);
      return status ? status : pl_spec_check_surface(m->deform_name[i], &par->deform_surface[i], error);
    }
    case PL_PARAM_SHAPE:
      return pl_spec_check_surface(m->shape_name[i], &par->shape_surface[i], error);
    case PL_PARAM_BODY:
      return check_body(m, par, i, error);
    case PL_PARAM_DOF:
      return check_dof(m, par, i, error);
    case PL_PARAM_ACTUATOR:
      return check_actuator(m, par, i, error);
    default:
      return check_attachment(m, par, i, error);
  }
}

plStatus pl_param_out_of_range(const plModel* m, plParamPlace p, double value, plError* error) {
  char item[224];
  pl_param_item_name(m, p.group, p.item, item, sizeof item);
  const char* name = p.entry->name;
  if (isnan(value) || value < p.entry->lower || value > p.entry->upper)
    return pl_fail(error, PL_ERROR_INPUT, "%s.%s = %g is out of range: from %g to %g%s%s", item, name, value,
                   p.entry->lower, p.entry->upper, p.entry->unit[0] ? " " : "", p.entry->unit);
  if (isfinite(value) && fabs(value) > PL_NUMBER_MAX)
    return pl_fail(error, PL_ERROR_INPUT, "%s.%s = %g is too large; numbers are at most %g", item, name,
                   value, PL_NUMBER_MAX);
  if (!isfinite(value))
    return pl_fail(error, PL_ERROR_INPUT, "%s.%s is finite in the scene, so it must stay finite", item, name);
  return pl_fail(error, PL_ERROR_INPUT,
                 "%s.%s is infinite in the scene, which is part of the model's structure; give it a finite "
                 "value there first",
                 item, name);
}

plStatus pl_param_check_number(const plModel* m, plParamPlace p, double value, plError* error) {
  return pl_param_in_range(p.entry, *pl_param_number(m->par, p), value)
             ? PL_OK
             : pl_param_out_of_range(m, p, value, error);
}

// spec_actuator.c: adding actuators to a spec. Each is checked, then copied; a call that fails leaves the
// spec as it was.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/joint_kinds.h"
#include "model/spec.h"

const char* pl_actuator_kind_name(plActuatorKind kind) {
  static const char* const names[PL_ACTUATOR_COUNT] = {"motor", "position", "velocity", "pd", "affine"};
  return (int)kind >= 0 && kind < PL_ACTUATOR_COUNT ? names[kind] : "unknown actuator";
}

int pl_actuator_nu(plActuatorKind kind) { return kind == PL_ACTUATOR_PD ? 3 : 1; }

int pl_spec_find_actuator(const plSpec* spec, const char* name) {
  assert(spec != NULL);
  for (int i = 0; name && i < spec->nactuator; i++)
    if (!strcmp(name, spec->actuator[i].name)) return i;
  return -1;
}

plActuatorDef pl_default_actuator_def(void) {
  return (plActuatorDef){.mark = PL_DEF_MARK,
                         .joint = -1,
                         .gain = 1,
                         .gear = 1,
                         .effort = INFINITY,
                         .force_lower = -INFINITY,
                         .force_upper = INFINITY,
                         .lower = -INFINITY,
                         .upper = INFINITY};
}

static plStatus check_tendon(const plSpec* spec, const plActuatorDef* def, plError* error) {
  for (int k = 0; k < def->njoint; k++) {
    int j = def->tendon[k];
    if (j < 0 || j >= spec->njoint || pl_joint_nv(spec->joint[j].kind) != 1)
      return pl_fail(
          error, PL_ERROR_INPUT,
          "the tendon of actuator '%s' runs over joint %d, which does not have one degree of freedom",
          def->name, j);
    if (!isfinite(def->coefficient[k]))
      return pl_fail(error, PL_ERROR_INPUT, "coefficient %d of the tendon of actuator '%s' is not finite", k,
                     def->name);
  }
  return PL_OK;
}

static plStatus check_sites(const plSpec* spec, const plActuatorDef* def, plError* error) {
  double sum = 0;
  for (int k = 0; k < 6; k++) sum += def->wrench[k];
  if (!isfinite(sum))
    return pl_fail(error, PL_ERROR_INPUT, "the wrench of actuator '%s' must be finite", def->name);
  for (int k = 0; k < def->nsite; k++)
    if (def->site[k] < 0 || def->site[k] >= spec->nsite)
      return pl_fail(error, PL_ERROR_INPUT, "actuator '%s' names site %d, but there are %d", def->name,
                     def->site[k], spec->nsite);
  return PL_OK;
}

static plStatus check_joint(const plSpec* spec, const plActuatorDef* def, plError* error) {
  plStatus status = check_tendon(spec, def, error);
  if (status) return status;
  if (def->joint < 0 || def->joint >= spec->njoint)
    return pl_fail(error, PL_ERROR_INPUT, "actuator '%s' names joint %d, but there are %d", def->name,
                   def->joint, spec->njoint);
  const plJointDef* joint = &spec->joint[def->joint];
  if (pl_joint_nv(joint->kind) == 0 || pl_joint_has_quaternion(joint->kind))
    return pl_fail(error, PL_ERROR_INPUT,
                   "actuator '%s' cannot drive the %s joint '%s'; drive joints with single angles or travels",
                   def->name, pl_joint_kind_name(joint->kind), joint->name);
  if (def->dof < 0 || def->dof >= pl_joint_nv(joint->kind))
    return pl_fail(error, PL_ERROR_INPUT, "actuator '%s' names dof %d of joint '%s', which has %d", def->name,
                   def->dof, joint->name, pl_joint_nv(joint->kind));
  return PL_OK;
}

static plStatus check_actuator(const plSpec* spec, const plActuatorDef* def, plError* error) {
  if ((int)def->kind < 0 || def->kind >= PL_ACTUATOR_COUNT)
    return pl_fail(error, PL_ERROR_INPUT, "actuator '%s' has an unknown kind", def->name);
  if ((int)def->interpolation < 0 || def->interpolation > PL_CUBIC)
    return pl_fail(error, PL_ERROR_INPUT, "actuator '%s' has an unknown interpolation", def->name);
  plStatus status = def->nsite > 0 ? check_sites(spec, def, error) : check_joint(spec, def, error);
  if (status) return status;
  if (!(def->kp >= 0 && isfinite(def->kp)) || !(def->kd >= 0 && isfinite(def->kd)))
    return pl_fail(error, PL_ERROR_INPUT,
                   "the gains of actuator '%s' must not be negative, got kp %g and kd %g", def->name, def->kp,
                   def->kd);
  double sum = def->gain + def->bias[0] + def->bias[1] + def->bias[2] + def->gear + def->input[0] +
               def->input[1] + def->input[2];
  if (!isfinite(sum))
    return pl_fail(error, PL_ERROR_INPUT, "the numbers of actuator '%s' must be finite", def->name);
  if (def->bias[1] > 0 || def->bias[2] > 0)
    return pl_fail(error, PL_ERROR_INPUT,
                   "actuator '%s' is unstable (bias[1] = %g and bias[2] = %g must not be positive)",
                   def->name, def->bias[1], def->bias[2]);
  if (!(def->force_lower <= def->force_upper) || def->force_lower == INFINITY ||
      def->force_upper == -INFINITY)
    return pl_fail(error, PL_ERROR_INPUT,
                   "the force of actuator '%s' must be limited to lower <= upper, got %g and %g", def->name,
                   def->force_lower, def->force_upper);
  if (!(def->effort >= 0) || isnan(def->lower) || isnan(def->upper) || def->lower > def->upper)
    return pl_fail(error, PL_ERROR_INPUT,
                   "the limits of actuator '%s' are not valid: effort %g, input %g to %g", def->name,
                   def->effort, def->lower, def->upper);
  return pl_spec_check_table("the trajectory of actuator", def->name, def->ntime, def->time, def->value, 1,
                             error);
}

static void free_actuator(const plActuatorDef* def) {
  pl_free((void*)def->time), pl_free((void*)def->value), pl_free((void*)def->name);
  pl_free((void*)def->tendon), pl_free((void*)def->coefficient), pl_free((void*)def->site);
}

static bool copy_actuator(plActuatorDef* def, const char* name) {
  def->lower = pl_spec_limit(def->lower), def->upper = pl_spec_limit(def->upper);
  def->force_lower = pl_spec_limit(def->force_lower), def->force_upper = pl_spec_limit(def->force_upper);
  def->effort = pl_spec_limit(def->effort);
  bool failed = false;
  def->time = pl_copy_list(def->time, def->ntime, sizeof(double), &failed);
  def->value = pl_copy_list(def->value, def->ntime, sizeof(double), &failed);
  def->tendon = pl_copy_list(def->tendon, def->njoint, sizeof(int), &failed);
  def->coefficient = pl_copy_list(def->coefficient, def->njoint, sizeof(double), &failed);
  def->site = pl_copy_list(def->site, def->nsite, sizeof(int), &failed);
  def->name = pl_strdup(name);
  if (!failed && def->name) return true;
  free_actuator(def);
  return false;
}

plStatus pl_spec_add_actuator(plSpec* spec, const plActuatorDef* def, int* id, plError* error) {
  assert(spec != NULL && def != NULL);
  if (pl_check_mark(def->mark, "actuator", error)) return PL_ERROR_INPUT;
  plActuatorDef copy = *def;
  if (def->nsite > 0) copy.joint = -1, copy.dof = copy.njoint = 0;
  if (copy.njoint > 0) copy.joint = def->tendon[0], copy.dof = 0;
  plStatus status = pl_spec_check_word("actuator", def->name, error);
  if (!status) status = check_actuator(spec, &copy, error);
  if (!status && pl_spec_find_actuator(spec, def->name) >= 0)
    status = pl_spec_fail_taken("actuator", def->name, error);
  if (status) return status;
  if (copy.njoint < 0) copy.njoint = 0;
  if (copy.nsite < 0) copy.nsite = 0;
  if (!pl_grow((void**)&spec->actuator, &spec->actuator_cap, spec->nactuator, sizeof *spec->actuator) ||
      !copy_actuator(&copy, def->name))
    return pl_fail_out_of_memory(error, sizeof *spec->actuator);
  if (id) *id = spec->nactuator;
  spec->actuator[spec->nactuator++] = copy;
  return PL_OK;
}

plStatus pl_spec_set_actuator(plSpec* spec, int id, const plActuatorDef* def, plError* error) {
  assert(spec != NULL && def != NULL);
  if (id < 0 || id >= spec->nactuator)
    return pl_fail(error, PL_ERROR_INPUT, "there is no actuator %d, there are %d", id, spec->nactuator);
  plActuatorDef *old = &spec->actuator[id], copy = *def;
  copy.name = old->name, copy.joint = old->joint, copy.dof = old->dof, copy.njoint = old->njoint;
  copy.tendon = old->tendon, copy.coefficient = old->coefficient;
  copy.nsite = old->nsite, copy.site = old->site;
  plStatus status = check_actuator(spec, &copy, error);
  if (status) return status;
  if (!copy_actuator(&copy, old->name)) return pl_fail_out_of_memory(error, sizeof *old);
  free_actuator(old);
  *old = copy;
  return PL_OK;
}

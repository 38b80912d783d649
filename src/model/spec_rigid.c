// spec_rigid.c: adding rigid bodies and joints to a spec. Each is checked, then copied; a call that fails
// leaves the spec as it was.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/eig3.h"
#include "math/pose.h"
#include "math/spatial.h"
#include "model/joint_kinds.h"
#include "model/spec.h"

// ---- names

int pl_spec_find_body(const plSpec* spec, const char* name) {
  assert(spec != NULL);
  for (int i = 0; name && i < spec->nbody; i++)
    if (!strcmp(name, spec->body[i].name)) return i;
  return -1;
}

int pl_spec_find_joint(const plSpec* spec, const char* name) {
  assert(spec != NULL);
  for (int i = 0; name && i < spec->njoint; i++)
    if (!strcmp(name, spec->joint[i].name)) return i;
  return -1;
}

// ---- bodies

plBodyDef pl_default_body_def(void) {
  return (plBodyDef){.mark = PL_DEF_MARK, .gravity = 1, .pose = pose_identity()};
}

// Positive leading minors.
bool pl_spec_inertia_is_positive(const double I[6]) {
  double minor = I[0] * I[1] - I[3] * I[3], a = I[3] * I[5] - I[1] * I[4], b = I[3] * I[4] - I[0] * I[5];
  return I[0] > 0 && minor > 0 && I[2] * minor + I[4] * a + I[5] * b > 0;
}

plStatus pl_spec_check_inertia(const plBodyDef* def, plError* error) {
  if (!(def->mass >= 0 && isfinite(def->mass)))
    return pl_fail(error, PL_ERROR_INPUT, "the mass of '%s' must not be negative, got %g kg", def->name,
                   def->mass);
  if (!v3_finite(def->com) || !isfinite(def->gravity))
    return pl_fail(error, PL_ERROR_INPUT, "the centre of mass and gravity factor of '%s' must be finite",
                   def->name);
  for (int k = 0; k < 6; k++)
    if (!isfinite(def->inertia[k]))
      return pl_fail(error, PL_ERROR_INPUT, "the moments of inertia of '%s' must be finite", def->name);
  const double* I = def->inertia;
  if (pl_spec_inertia_is_positive(I)) return PL_OK;  // only others need their principal moments
  double moment[3];
  plMat3 axes;
  pl_eig3(sym3_matrix((plSym3){I[0], I[1], I[2], I[3], I[4], I[5]}), moment, &axes);
  if (moment[0] < -1e-9 * fabs(moment[2]))
    return pl_fail(
        error, PL_ERROR_INPUT,
        "the moments of inertia of '%s' are not positive: the smallest principal moment is %g kg m^2",
        def->name, moment[0]);
  return PL_OK;
}

plStatus pl_spec_add_body(plSpec* spec, const plBodyDef* def, int* id, plError* error) {
  assert(spec != NULL && def != NULL);
  if (pl_check_mark(def->mark, "body", error)) return PL_ERROR_INPUT;
  plBodyDef copy = *def;
  plStatus status = pl_spec_check_word("rigid body", def->name, error);
  if (!status) status = pl_spec_check_pose(def->name, &copy.pose, error);
  if (!status) status = pl_spec_check_inertia(def, error);
  if (status) return status;
  if (!v3_finite(def->velocity) || !v3_finite(def->angular_velocity))
    return pl_fail(error, PL_ERROR_INPUT, "the velocity of '%s' must be finite", def->name);
  if (pl_spec_find_body(spec, def->name) >= 0) return pl_spec_fail_taken("rigid body", def->name, error);
  for (int i = 0; i < spec->ndeform; i++)
    if (!strcmp(def->name, spec->deform[i].name)) return pl_spec_fail_taken("deformable", def->name, error);
  if (!pl_grow((void**)&spec->body, &spec->body_cap, spec->nbody, sizeof *spec->body) ||
      !(copy.name = pl_strdup(def->name)))
    return pl_fail_out_of_memory(error, sizeof *spec->body);
  if (id) *id = spec->nbody;
  spec->body[spec->nbody++] = copy;
  return PL_OK;
}

// ---- joints

plJointDef pl_default_joint_def(void) {
  plJointDef def = {.mark = PL_DEF_MARK,
                    .kind = PL_JOINT_REVOLUTE,
                    .parent = -1,
                    .child = -1,
                    .pose = pose_identity(),
                    .child_pose = pose_identity(),
                    .axis = {0, 0, 1},
                    .axis2 = {1, 0, 0}};
  for (int k = 0; k < 6; k++)
    def.dof[k] = (plDofDef){.lower = -INFINITY,
                            .upper = INFINITY,
                            .effort = INFINITY,
                            .force_lower = -INFINITY,
                            .force_upper = INFINITY,
                            .speed = INFINITY,
                            .gear_ratio = 1};
  return def;
}

plStatus pl_spec_check_dof(const char* name, const plDofDef* d, plError* error) {
  if (isnan(d->lower) || isnan(d->upper) || d->lower > d->upper)
    return pl_fail(error, PL_ERROR_INPUT, "the limits of joint '%s' must be lower <= upper, got %g and %g",
                   name, d->lower, d->upper);
  if (!(d->effort >= 0) || !(d->speed >= 0))
    return pl_fail(error, PL_ERROR_INPUT,
                   "the effort and speed limits of joint '%s' must not be negative, got %g and %g", name,
                   d->effort, d->speed);
  if (!(fmax(d->force_lower, -d->effort) <= fmin(d->force_upper, d->effort)) || isnan(d->force_lower) ||
      isnan(d->force_upper) || d->force_lower == INFINITY || d->force_upper == -INFINITY)
    return pl_fail(error, PL_ERROR_INPUT,
                   "the force of the actuators of joint '%s' must be limited to lower <= upper within the "
                   "effort, got %g, %g and %g",
                   name, d->force_lower, d->force_upper, d->effort);
  const double value[] = {d->damping, d->friction, d->stiffness, d->armature, d->rotor_inertia};
  static const char* const what[] = {"damping", "friction", "stiffness", "armature", "rotor inertia"};
  for (int k = 0; k < 5; k++)
    if (!(value[k] >= 0 && isfinite(value[k])))
      return pl_fail(error, PL_ERROR_INPUT, "the %s of joint '%s' must not be negative, got %g", what[k],
                     name, value[k]);
  if (!isfinite(d->rest) || !isfinite(d->gear_ratio))
    return pl_fail(error, PL_ERROR_INPUT, "the spring reference and gear ratio of joint '%s' must be finite",
                   name);
  return PL_OK;
}

// The axes that a kind uses: unit, the second at right angles to the first (small deviations are removed).
static plStatus check_axes(plJointDef* def, plError* error) {
  plJointKind kind = def->kind;
  if (pl_joint_axes(kind) == PL_AXIS_NONE) return PL_OK;
  if (!v3_finite(def->axis) || !(v3_norm(def->axis) > 1e-9))
    return pl_fail(error, PL_ERROR_INPUT, "joint '%s' (%s) needs an axis of length above 0", def->name,
                   pl_joint_kind_name(kind));
  def->axis = v3_unit(def->axis);
  if (pl_joint_axes(kind) == PL_AXIS_FIRST) return PL_OK;
  if (!v3_finite(def->axis2) || !(v3_norm(def->axis2) > 1e-9) ||
      fabs(v3_dot(def->axis, v3_unit(def->axis2))) > 1e-3)
    return pl_fail(error, PL_ERROR_INPUT, "joint '%s' (%s) needs a second axis at right angles to the first",
                   def->name, pl_joint_kind_name(kind));
  def->axis2 = v3_unit(v3_madd(def->axis2, -v3_dot(def->axis, def->axis2), def->axis));
  return PL_OK;
}

// Unit quaternions in the positions of a ball or free joint; all zeros represent the identity.
static plStatus check_start(plJointDef* def, plError* error) {
  for (int k = 0; k < pl_joint_nq(def->kind); k++)
    if (!isfinite(def->position[k]))
      return pl_fail(error, PL_ERROR_INPUT, "the starting position of joint '%s' must be finite", def->name);
  for (int k = 0; k < pl_joint_nv(def->kind); k++)
    if (!isfinite(def->velocity[k]))
      return pl_fail(error, PL_ERROR_INPUT, "the starting velocity of joint '%s' must be finite", def->name);
  if (!pl_joint_has_quaternion(def->kind)) return PL_OK;
  double* p = def->position + pl_joint_nq(def->kind) - 4;
  plQuat q = {p[0], p[1], p[2], p[3]};
  if (quat_norm(q) == 0) q = quat_identity();
  if (!(quat_norm(q) > 1e-6 && quat_norm(q) < 1e6))
    return pl_fail(error, PL_ERROR_INPUT, "the starting quaternion of joint '%s' must have length 1",
                   def->name);
  q = quat_unit(q);
  p[0] = q.w, p[1] = q.x, p[2] = q.y, p[3] = q.z;
  return PL_OK;
}

static plStatus check_ends(const plSpec* spec, const plJointDef* def, plError* error) {
  if (def->child < 0 || def->child >= spec->nbody || def->parent < -1 || def->parent >= spec->nbody)
    return pl_fail(error, PL_ERROR_INPUT, "joint '%s' names parent %d and child %d, but there are %d bodies",
                   def->name, def->parent, def->child, spec->nbody);
  if (def->parent == def->child)
    return pl_fail(error, PL_ERROR_INPUT, "joint '%s' has the body '%s' as both parent and child", def->name,
                   spec->body[def->child].name);
  for (int i = 0; i < spec->njoint; i++)
    if (spec->joint[i].child == def->child && spec->joint[i].parent != def->parent)
      return pl_fail(
          error, PL_ERROR_INPUT,
          "the body '%s' is the child of joints '%s' and '%s' with different parents; close loops with a "
          "constraint (ball or weld)",
          spec->body[def->child].name, spec->joint[i].name, def->name);
  return PL_OK;
}

plStatus pl_spec_add_joint(plSpec* spec, const plJointDef* def, int* id, plError* error) {
  assert(spec != NULL && def != NULL);
  if (pl_check_mark(def->mark, "joint", error)) return PL_ERROR_INPUT;
  plJointDef copy = *def;
  plStatus status = pl_spec_check_word("joint", def->name, error);
  if (!status && ((int)def->kind < 0 || def->kind >= PL_JOINT_COUNT))
    status = pl_fail(error, PL_ERROR_INPUT, "joint '%s' has an unknown kind %d", def->name, (int)def->kind);
  if (!status) status = check_ends(spec, def, error);
  if (!status) status = pl_spec_check_pose(def->name, &copy.pose, error);
  if (!status) status = pl_spec_check_pose(def->name, &copy.child_pose, error);
  if (!status) status = check_axes(&copy, error);
  for (int k = 0; !status && k < pl_joint_nv(def->kind); k++)
    status = pl_spec_check_dof(def->name, &def->dof[k], error);
  if (!status && def->kind == PL_JOINT_BALL && !(def->dof[0].upper > 0))
    status =
        pl_fail(error, PL_ERROR_INPUT, "the limit of the ball joint '%s' must be an angle above 0, got %g",
                def->name, def->dof[0].upper);
  if (!status) status = check_start(&copy, error);
  if (!status && !isfinite(def->pitch))
    status = pl_fail(error, PL_ERROR_INPUT, "the pitch of joint '%s' must be finite", def->name);
  if (!status && pl_spec_find_joint(spec, def->name) >= 0)
    status = pl_spec_fail_taken("joint", def->name, error);
  if (status) return status;
  if (!pl_grow((void**)&spec->joint, &spec->joint_cap, spec->njoint, sizeof *spec->joint) ||
      !(copy.name = pl_strdup(def->name)))
    return pl_fail_out_of_memory(error, sizeof *spec->joint);
  for (int k = 0; k < 6; k++) {
    plDofDef* d = &copy.dof[k];
    d->lower = pl_spec_limit(d->lower), d->upper = pl_spec_limit(d->upper);
    d->force_lower = pl_spec_limit(d->force_lower), d->force_upper = pl_spec_limit(d->force_upper);
    d->effort = pl_spec_limit(d->effort), d->speed = pl_spec_limit(d->speed);
  }
  if (id) *id = spec->njoint;
  spec->joint[spec->njoint++] = copy;
  return PL_OK;
}

plStatus pl_spec_set_joint_start(plSpec* spec, int joint, const double* position, const double* velocity,
                                 plError* error) {
  assert(spec != NULL);
  if (joint < 0 || joint >= spec->njoint)
    return pl_fail(error, PL_ERROR_INPUT, "there is no joint %d, there are %d", joint, spec->njoint);
  plJointDef copy = spec->joint[joint];
  for (int k = 0; position && k < pl_joint_nq(copy.kind); k++) copy.position[k] = position[k];
  for (int k = 0; velocity && k < pl_joint_nv(copy.kind); k++) copy.velocity[k] = velocity[k];
  plStatus status = check_start(&copy, error);
  if (!status) spec->joint[joint] = copy;
  return status;
}

plStatus pl_spec_set_surface(plSpec* spec, int shape, const plSurface* surface, plError* error) {
  assert(spec != NULL && surface != NULL);
  if (shape < 0 || shape >= spec->nshape)
    return pl_fail(error, PL_ERROR_INPUT, "there is no shape %d, there are %d", shape, spec->nshape);
  plStatus status = pl_spec_check_surface(spec->shape[shape].name, surface, error);
  if (!status) spec->shape[shape].surface = *surface;
  return status;
}

plStatus pl_spec_set_joint_locked(plSpec* spec, int joint, bool locked, plError* error) {
  assert(spec != NULL);
  if (joint < 0 || joint >= spec->njoint)
    return pl_fail(error, PL_ERROR_INPUT, "there is no joint %d, there are %d", joint, spec->njoint);
  spec->joint[joint].locked = locked;
  return PL_OK;
}

// ---- reading a spec

int pl_spec_body_count(const plSpec* spec) {
  assert(spec != NULL);
  return spec->nbody;
}
int pl_spec_joint_count(const plSpec* spec) {
  assert(spec != NULL);
  return spec->njoint;
}
int pl_spec_actuator_count(const plSpec* spec) {
  assert(spec != NULL);
  return spec->nactuator;
}
int pl_spec_constraint_count(const plSpec* spec) {
  assert(spec != NULL);
  return spec->nconstraint;
}
int pl_spec_shape_count(const plSpec* spec) {
  assert(spec != NULL);
  return spec->nshape;
}
const plBodyDef* pl_spec_body(const plSpec* spec, int id) {
  assert(spec != NULL);
  return id >= 0 && id < spec->nbody ? &spec->body[id] : NULL;
}
const plJointDef* pl_spec_joint(const plSpec* spec, int id) {
  assert(spec != NULL);
  return id >= 0 && id < spec->njoint ? &spec->joint[id] : NULL;
}
const plActuatorDef* pl_spec_actuator(const plSpec* spec, int id) {
  assert(spec != NULL);
  return id >= 0 && id < spec->nactuator ? &spec->actuator[id] : NULL;
}
const plConstraintDef* pl_spec_constraint(const plSpec* spec, int id) {
  assert(spec != NULL);
  return id >= 0 && id < spec->nconstraint ? &spec->constraint[id] : NULL;
}
const plShapeDef* pl_spec_shape(const plSpec* spec, int id) {
  assert(spec != NULL);
  return id >= 0 && id < spec->nshape ? &spec->shape[id] : NULL;
}

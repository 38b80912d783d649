// spec_constraint.c: constraints between rigid bodies and between joints, and pairs without contact, added to
// a spec.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "math/pose.h"
#include "model/side.h"
#include "model/spec.h"

const char* pl_constraint_kind_name(plConstraintKind kind) {
  static const char* const names[PL_CONSTRAINT_COUNT] = {"ball",    "weld",   "distance",
                                                         "coupler", "tendon", "motion"};
  return (int)kind >= 0 && kind < PL_CONSTRAINT_COUNT ? names[kind] : "unknown constraint";
}

plConstraintDef pl_default_constraint_def(void) {
  return (plConstraintDef){.mark = PL_DEF_MARK,
                           .kind = PL_CONSTRAINT_BALL,
                           .a = -1,
                           .b = -1,
                           .pose_a = pose_identity(),
                           .pose_b = pose_identity(),
                           .ratio = 1,
                           .lower = -INFINITY,
                           .upper = INFINITY,
                           .stiffness = INFINITY};
}

static plStatus check_joint(const plSpec* spec, const char* name, int joint, plError* error) {
  if (joint < 0 || joint >= spec->njoint)
    return pl_fail(error, PL_ERROR_INPUT, "constraint '%s' names joint %d, but there are %d", name, joint,
                   spec->njoint);
  if (pl_joint_nv(spec->joint[joint].kind) == 1) return PL_OK;
  return pl_fail(error, PL_ERROR_INPUT,
                 "constraint '%s' names joint '%s', which does not have one degree of freedom", name,
                 spec->joint[joint].name);
}

static plStatus check_range(const plConstraintDef* def, plError* error) {
  if (!isnan(def->lower) && !isnan(def->upper) && def->lower <= def->upper) return PL_OK;
  return pl_fail(error, PL_ERROR_INPUT, "the limits of %s '%s' must be lower <= upper, got %g and %g",
                 pl_constraint_kind_name(def->kind), def->name, def->lower, def->upper);
}

static plStatus check_tendon(const plSpec* spec, const plConstraintDef* def, plError* error) {
  if (def->njoint < 1)
    return pl_fail(error, PL_ERROR_INPUT, "the tendon '%s' needs at least one joint", def->name);
  plStatus range = check_range(def, error);
  if (range) return range;
  for (int k = 0; k < def->njoint; k++) {
    if (!isfinite(def->coefficient[k]))
      return pl_fail(error, PL_ERROR_INPUT, "coefficient %d of tendon '%s' is not finite", k, def->name);
    plStatus status = check_joint(spec, def->name, def->joint[k], error);
    if (status) return status;
  }
  return PL_OK;
}

// The function of time.
static plStatus check_drive(const plConstraintDef* def, plError* error) {
  bool none = def->kind == PL_CONSTRAINT_BALL || def->kind == PL_CONSTRAINT_WELD;
  if (none && (def->ntime || def->amplitude != 0))
    return pl_fail(error, PL_ERROR_INPUT,
                   "constraint '%s' takes no table and no amplitude: it has no length or offset to change",
                   def->name);
  if (!isfinite(def->amplitude) || !isfinite(def->frequency) || !isfinite(def->phase))
    return pl_fail(error, PL_ERROR_INPUT, "amplitude, frequency and phase of constraint '%s' must be finite",
                   def->name);
  if ((int)def->interpolation < 0 || def->interpolation > PL_CUBIC)
    return pl_fail(error, PL_ERROR_INPUT, "constraint '%s' has an unknown interpolation", def->name);
  return pl_spec_check_table("the trajectory of constraint", def->name, def->ntime, def->time, def->value, 1,
                             error);
}

static plStatus check_constraint(const plSpec* spec, const plConstraintDef* def, plError* error) {
  if (!(def->stiffness > 0) || !(def->damping >= 0 && isfinite(def->damping)))
    return pl_fail(
        error, PL_ERROR_INPUT,
        "the stiffness of constraint '%s' must be positive and its damping not negative, got %g and %g",
        def->name, def->stiffness, def->damping);
  if (!isfinite(def->ratio) || !isfinite(def->offset) || !(def->length >= 0 && isfinite(def->length)))
    return pl_fail(error, PL_ERROR_INPUT,
                   "the numbers of constraint '%s' must be finite, its length not negative", def->name);
  plStatus drive = check_drive(def, error);
  if (drive) return drive;
  if (def->kind == PL_CONSTRAINT_TENDON) return check_tendon(spec, def, error);
  if (def->kind == PL_CONSTRAINT_MOTION) return check_joint(spec, def->name, def->a, error);
  if (def->kind == PL_CONSTRAINT_COUPLER) {
    plStatus status = check_joint(spec, def->name, def->a, error);
    if (!status) status = check_joint(spec, def->name, def->b, error);
    if (!status && def->a == def->b)
      status = pl_fail(error, PL_ERROR_INPUT, "the coupler '%s' couples a joint to itself", def->name);
    return status;
  }
  if (def->a < -1 || def->a >= spec->nbody || def->b < -1 || def->b >= spec->nbody || def->a == def->b)
    return pl_fail(
        error, PL_ERROR_INPUT,
        "constraint '%s' must join two different bodies (or a body and the world, -1), got %d and %d",
        def->name, def->a, def->b);
  return def->kind == PL_CONSTRAINT_DISTANCE ? check_range(def, error) : PL_OK;
}

void pl_constraint_def_free(plConstraintDef* def) {
  pl_free((void*)def->name), pl_free((void*)def->joint), pl_free((void*)def->coefficient);
  pl_free((void*)def->time), pl_free((void*)def->value);
}

plStatus pl_spec_add_constraint(plSpec* spec, const plConstraintDef* def, int* id, plError* error) {
  assert(spec != NULL && def != NULL);
  if (pl_check_mark(def->mark, "constraint", error)) return PL_ERROR_INPUT;
  plStatus status = pl_spec_check_word("constraint", def->name, error);
  if (status) return status;
  status = (int)def->kind >= 0 && def->kind < PL_CONSTRAINT_COUNT
               ? check_constraint(spec, def, error)
               : pl_fail(error, PL_ERROR_INPUT, "constraint '%s' has an unknown kind", def->name);
  for (int i = 0; !status && i < spec->nconstraint; i++)
    if (!strcmp(def->name, spec->constraint[i].name))
      status = pl_spec_fail_taken("constraint", def->name, error);
  if (status) return status;
  plConstraintDef copy = *def;
  copy.lower = pl_spec_limit(def->lower), copy.upper = pl_spec_limit(def->upper);
  copy.pose_a.q = quat_unit(def->pose_a.q), copy.pose_b.q = quat_unit(def->pose_b.q);
  copy.njoint = def->kind == PL_CONSTRAINT_TENDON ? def->njoint : 0;
  bool failed =
      !pl_grow((void**)&spec->constraint, &spec->constraint_cap, spec->nconstraint, sizeof *spec->constraint);
  copy.name = pl_strdup(def->name), copy.joint = pl_copy_list(def->joint, copy.njoint, sizeof(int), &failed);
  copy.coefficient = pl_copy_list(def->coefficient, copy.njoint, sizeof(double), &failed);
  copy.time = pl_copy_list(def->time, copy.ntime, sizeof(double), &failed);
  copy.value = pl_copy_list(def->value, copy.ntime, sizeof(double), &failed);
  if (failed || !copy.name) {
    pl_constraint_def_free(&copy);
    return pl_fail_out_of_memory(error, sizeof copy);
  }
  if (id) *id = spec->nconstraint;
  spec->constraint[spec->nconstraint++] = copy;
  return PL_OK;
}

static bool may_exclude(const plSpec* spec, plSide side) {
  int n = side.kind == PL_SIDE_BODY ? spec->nbody : side.kind == PL_SIDE_DEFORMABLE ? spec->ndeform : 0;
  return side.kind == PL_SIDE_WORLD || (side.index >= 0 && side.index < n);
}

// The first slot of a pair, in either order.
static int slot_of(const plSpec* spec, plSide a, plSide b) {
  int64_t code[2] = {(int64_t)a.index << 8 | (int64_t)a.kind, (int64_t)b.index << 8 | (int64_t)b.kind};
  if (code[0] > code[1]) code[0] = code[1], code[1] = (int64_t)a.index << 8 | (int64_t)a.kind;
  return (int)(pl_hash(PL_HASH_START, code, sizeof code) & (uint64_t)(spec->exclude_nslot - 1));
}

// A rollback leaves slots of pairs that are gone, or that have become others: the pair itself decides.
bool pl_spec_excludes(const plSpec* spec, plSide a, plSide b) {
  if (!spec->exclude_nslot) return false;
  for (int at = slot_of(spec, a, b); spec->exclude_slot[at]; at = (at + 1) & (spec->exclude_nslot - 1)) {
    int i = spec->exclude_slot[at] - 1;
    if (i >= spec->nexclude) continue;
    plSide c = spec->exclude[2 * i], d = spec->exclude[2 * i + 1];
    if ((pl_side_equal(a, c) && pl_side_equal(b, d)) || (pl_side_equal(a, d) && pl_side_equal(b, c)))
      return true;
  }
  return false;
}

static void fill_slot(plSpec* spec, int i) {
  assert(spec->exclude_used < spec->exclude_nslot);
  int at = slot_of(spec, spec->exclude[2 * i], spec->exclude[2 * i + 1]);
  while (spec->exclude_slot[at]) at = (at + 1) & (spec->exclude_nslot - 1);
  spec->exclude_slot[at] = i + 1, spec->exclude_used++;
}

// Room for one more pair in a table that is at most half full; false if memory runs out.
static bool grow_slots(plSpec* spec) {
  if (2 * (spec->exclude_used + 1) <= spec->exclude_nslot) return true;
  if (spec->nexclude > INT_MAX / 8) return false;
  int n = 64;
  while (n < 4 * (spec->nexclude + 1)) n *= 2;
  int* slot = PL_NEW(int, n);
  if (!slot) return false;
  pl_free(spec->exclude_slot);
  spec->exclude_slot = slot, spec->exclude_nslot = n, spec->exclude_used = 0;
  for (int i = 0; i < spec->nexclude; i++) fill_slot(spec, i);
  return true;
}

plStatus pl_spec_exclude(plSpec* spec, plSide a, plSide b, plError* error) {
  assert(spec != NULL);
  if (!may_exclude(spec, a) || !may_exclude(spec, b))
    return pl_fail(error, PL_ERROR_INPUT,
                   "sides %d and %d cannot be excluded from contact: expected two of the world, the %d rigid "
                   "bodies and the %d deformables",
                   a.index, b.index, spec->nbody, spec->ndeform);
  if (pl_spec_excludes(spec, a, b)) return PL_OK;
  if (!pl_grow((void**)&spec->exclude, &spec->exclude_cap, spec->nexclude, 2 * sizeof(plSide)) ||
      !grow_slots(spec))
    return pl_fail_out_of_memory(error, 2 * sizeof(plSide));
  spec->exclude[2 * spec->nexclude] = a, spec->exclude[2 * spec->nexclude + 1] = b;
  fill_slot(spec, spec->nexclude++);
  return PL_OK;
}

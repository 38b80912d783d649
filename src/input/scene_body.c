// scene_body.c: one entry of `bodies`, with its joint and actuator -> plBodyDef, plJointDef, plActuatorDef.
// The joint has the body's name unless it gets its own, and the actuator the joint's.
#include <string.h>

#include "input/scene.h"
#include "math/pose.h"
#include "model/joint_kinds.h"
#include "pliant/rigid.h"

typedef struct Actuator {
  const char* name;
  int kind, interpolation;
  double kp, kd, effort, input;
  bool zero_velocity, has_input;
  const plYaml *times, *values;
} Actuator;

typedef struct Joint {
  const char *name, *parent;
  int kind;
  plScenePose pose;
  plVec3 axis, axis2;
  double pitch, position, velocity;
  plDofDef dof;
  bool locked;
  Actuator actuator;
} Joint;

typedef struct Body {
  const char* name;
  double mass, gravity;
  plVec3 com, inertia, products, velocity, angular_velocity;
  plScenePose pose;
  Joint joint;
} Body;

const plWord pl_actuator_words[] = {{"motor", PL_ACTUATOR_MOTOR},
                                    {"position", PL_ACTUATOR_POSITION},
                                    {"velocity", PL_ACTUATOR_VELOCITY},
                                    {"pd", PL_ACTUATOR_PD},
                                    {NULL, 0}};
const plWord pl_interpolation_words[] = {{"linear", PL_LINEAR}, {"cubic", PL_CUBIC}, {NULL, 0}};

// clang-format off
#define AT(field) offsetof(Actuator, field)
static const plKey actuator_keys[] = {
    {.name = "name", .type = PL_KEY_TEXT, .offset = AT(name), .fallback = "the joint's", .meaning = "unique among actuators"},
    {.name = "kind", .type = PL_KEY_WORD, .offset = AT(kind), .words = pl_actuator_words,
     .meaning = "force f from the input u: motor f = u, position f = kp (u - q) - kd v, velocity f = kd (u - v), pd f = kp (u - q) + kd (u' - v)"},
    {.name = "kp", .type = PL_KEY_NUMBER, .offset = AT(kp), .unit = "N/m, Nm/rad", .range = PL_RANGE_NOT_NEGATIVE,
     .meaning = "stiffness of position and pd"},
    {.name = "kd", .type = PL_KEY_NUMBER, .offset = AT(kd), .unit = "N s/m, Nm s/rad", .range = PL_RANGE_NOT_NEGATIVE,
     .meaning = "damping of position, velocity and pd"},
    {.name = "effort", .type = PL_KEY_NUMBER, .offset = AT(effort), .unit = "N, Nm", .range = {0, INFINITY, true, false},
     .meaning = "largest force, a number or `infinite`"},
    {.name = "input", .type = PL_KEY_NUMBER, .offset = AT(input), .fallback = "0, or where the joint starts",
     .meaning = "u where there is no table"},
    {.name = "times", .type = PL_KEY_NUMBERS, .offset = AT(times), .unit = "s", .fallback = "none",
     .meaning = "knots of a table for u, increasing; before and after it u is constant"},
    {.name = "values", .type = PL_KEY_NUMBERS, .offset = AT(values), .fallback = "none", .meaning = "u at these times"},
    {.name = "interpolation", .type = PL_KEY_WORD, .offset = AT(interpolation), .words = pl_interpolation_words,
     .meaning = "between knots: straight, or smooth and at rest at both ends"},
    {.name = "zero_velocity", .type = PL_KEY_BOOL, .offset = AT(zero_velocity),
     .meaning = "pd: the desired velocity u' is 0 instead of the table's slope"},
};
#undef AT

#define AT(field) offsetof(Joint, field)
static const plKey joint_keys[] = {
    {.name = "name", .type = PL_KEY_TEXT, .offset = AT(name), .fallback = "the body's", .meaning = "unique among joints"},
    {.name = "kind", .type = PL_KEY_WORD, .offset = AT(kind), .words = pl_joint_words, .required = true,
     .meaning = "how the body moves relative to its parent"},
    {.name = "parent", .type = PL_KEY_TEXT, .offset = AT(parent), .meaning = "a body, or `world`"},
    {.name = "pose", .type = PL_KEY_MAP, .offset = AT(pose), .section = &pl_section_pose, .fallback = "see pose",
     .meaning = "of the joint in the parent's frame; where the body's frame is when the joint is at 0"},
    {.name = "axis", .type = PL_KEY_VEC3, .offset = AT(axis), .meaning = "in the joint's frame, of any length but 0"},
    {.name = "axis2", .type = PL_KEY_VEC3, .offset = AT(axis2), .meaning = "second axis of universal and planar joints, at right angles to the first"},
    {.name = "pitch", .type = PL_KEY_NUMBER, .offset = AT(pitch), .unit = "m", .meaning = "of a screw: travel per turn"},
    {.name = "lower", .type = PL_KEY_NUMBER, .offset = AT(dof.lower), .unit = "m, rad", .range = {-INFINITY, INFINITY, false, true},
     .meaning = "limit of the position, or `-infinite`"},
    {.name = "upper", .type = PL_KEY_NUMBER, .offset = AT(dof.upper), .unit = "m, rad", .range = {-INFINITY, INFINITY, true, false},
     .meaning = "limit of the position, or `infinite`"},
    {.name = "damping", .type = PL_KEY_NUMBER, .offset = AT(dof.damping), .unit = "N s/m, Nm s/rad", .range = PL_RANGE_NOT_NEGATIVE,
     .meaning = "force per rate"},
    {.name = "friction", .type = PL_KEY_NUMBER, .offset = AT(dof.friction), .unit = "N, Nm", .range = PL_RANGE_NOT_NEGATIVE,
     .meaning = "dry friction"},
    {.name = "stiffness", .type = PL_KEY_NUMBER, .offset = AT(dof.stiffness), .unit = "N/m, Nm/rad", .range = PL_RANGE_NOT_NEGATIVE,
     .meaning = "of a spring towards `rest`"},
    {.name = "rest", .type = PL_KEY_NUMBER, .offset = AT(dof.rest), .unit = "m, rad", .meaning = "where that spring is at rest"},
    {.name = "armature", .type = PL_KEY_NUMBER, .offset = AT(dof.armature), .unit = "kg, kg m^2", .range = PL_RANGE_NOT_NEGATIVE,
     .meaning = "inertia of the rotor, added to this joint alone"},
    {.name = "position", .type = PL_KEY_NUMBER, .offset = AT(position), .unit = "m, rad",
     .meaning = "at the start, for joints of one degree of freedom"},
    {.name = "velocity", .type = PL_KEY_NUMBER, .offset = AT(velocity), .unit = "m/s, rad/s", .meaning = "likewise"},
    {.name = "locked", .type = PL_KEY_BOOL, .offset = AT(locked), .meaning = "held where it is"},
    {.name = "actuator", .type = PL_KEY_MAP, .offset = AT(actuator), .section = &pl_section_actuator, .fallback = "none",
     .meaning = "motor of a joint of one degree of freedom"},
};
#undef AT

#define AT(field) offsetof(Body, field)
static const plKey body_keys[] = {
    {.name = "name", .type = PL_KEY_TEXT, .offset = AT(name), .required = true, .meaning = "unique; letters, digits and _ - . /"},
    {.name = "mass", .type = PL_KEY_NUMBER, .offset = AT(mass), .unit = "kg", .range = PL_RANGE_NOT_NEGATIVE, .meaning = "of the body"},
    {.name = "com", .type = PL_KEY_VEC3, .offset = AT(com), .unit = "m", .meaning = "centre of mass in the body's frame"},
    {.name = "inertia", .type = PL_KEY_VEC3, .offset = AT(inertia), .unit = "kg m^2", .range = PL_RANGE_NOT_NEGATIVE,
     .meaning = "xx, yy, zz about the centre of mass"},
    {.name = "products", .type = PL_KEY_VEC3, .offset = AT(products), .unit = "kg m^2", .meaning = "xy, xz, yz of the inertia"},
    {.name = "gravity", .type = PL_KEY_NUMBER, .offset = AT(gravity), .meaning = "factor of gravity on this body"},
    {.name = "joint", .type = PL_KEY_MAP, .offset = AT(joint), .section = &pl_section_joint, .fallback = "free",
     .meaning = "joint that connects it to its parent"},
    {.name = "pose", .type = PL_KEY_MAP, .offset = AT(pose), .section = &pl_section_pose, .fallback = "see pose",
     .meaning = "of a free body at the start"},
    {.name = "velocity", .type = PL_KEY_VEC3, .offset = AT(velocity), .unit = "m/s", .meaning = "of a free body's frame at the start"},
    {.name = "angular_velocity", .type = PL_KEY_VEC3, .offset = AT(angular_velocity), .unit = "rad/s",
     .meaning = "of a free body at the start, in the world"},
};
#undef AT
// clang-format on

static void actuator_defaults(void* target) {
  plActuatorDef def = pl_default_actuator_def();
  *(Actuator*)target = (Actuator){.kind = (int)def.kind,
                                  .kp = def.kp,
                                  .kd = def.kd,
                                  .effort = def.effort,
                                  .interpolation = (int)def.interpolation,
                                  .zero_velocity = def.zero_velocity};
}

static void joint_defaults(void* target) {
  plJointDef def = pl_default_joint_def();
  Joint* j = target;
  *j = (Joint){
      .parent = "world", .kind = (int)def.kind, .axis = def.axis, .axis2 = def.axis2, .dof = def.dof[0]};
  pl_section_pose.defaults(&j->pose);
  actuator_defaults(&j->actuator);
}

static void body_defaults(void* target) {
  plBodyDef def = pl_default_body_def();
  Body* b = target;
  *b = (Body){.mass = def.mass, .gravity = def.gravity, .com = def.com};
  pl_section_pose.defaults(&b->pose);
  joint_defaults(&b->joint);
}

static plStatus actuator_finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  Actuator* a = target;
  a->has_input = pl_yaml_get(map, "input") != NULL;
  int ntime = a->times ? a->times->nchild : 0, nvalue = a->values ? a->values->nchild : 0;
  if (ntime != nvalue)
    return pl_scene_fail_key(scene, map, nvalue ? "values" : "times",
                             "an actuator needs as many 'times' as 'values', got %d and %d", ntime, nvalue);
  if (ntime && a->has_input)
    return pl_scene_fail_key(scene, map, "input", "give an actuator either 'input' or a table, not both");
  return PL_OK;
}

static plStatus joint_finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  const Joint* j = target;
  static const char* const single[] = {"position", "velocity", "actuator"};
  for (int i = 0; i < 3 && pl_joint_nv((plJointKind)j->kind) != 1; i++)
    if (pl_yaml_get(map, single[i]))
      return pl_scene_fail_key(
          scene, map, single[i],
          "'%s' does not apply to a joint of the kind %s, which has %d degrees of freedom", single[i],
          pl_joint_kind_name((plJointKind)j->kind), pl_joint_nv((plJointKind)j->kind));
  static const char* const limits[] = {"lower", "upper"};
  for (int i = 0; i < 2 && j->kind == PL_JOINT_FREE; i++)
    if (pl_yaml_get(map, limits[i]))
      return pl_scene_fail_key(
          scene, map, limits[i],
          "a free joint has no limits; shapes around the body, or three prismatic joints, limit it");
  return PL_OK;
}

static plStatus body_finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  (void)target;
  static const char* const free_only[] = {"pose", "velocity", "angular_velocity"};
  for (int i = 0; i < 3 && pl_yaml_get(map, "joint"); i++)
    if (pl_yaml_get(map, free_only[i]))
      return pl_scene_fail_key(scene, map, free_only[i],
                               "'%s' is for free bodies; this body has a joint, which gives its position",
                               free_only[i]);
  return PL_OK;
}

const plSection pl_section_actuator = {
    "actuator",       actuator_keys,     sizeof actuator_keys / sizeof *actuator_keys,
    sizeof(Actuator), actuator_defaults, actuator_finish};
const plSection pl_section_joint = {"joint",       joint_keys,     sizeof joint_keys / sizeof *joint_keys,
                                    sizeof(Joint), joint_defaults, joint_finish};
const plSection pl_section_body = {"body",       body_keys,     sizeof body_keys / sizeof *body_keys,
                                   sizeof(Body), body_defaults, body_finish};

// ---- names

// The spec's bodies or joints that a misspelt name may have meant.
static plStatus fail_unknown(plScene* scene, const plYaml* node, const char* what, const char* name) {
  return pl_scene_fail(scene, node, "there is no %s '%.64s' in this scene", what, name);
}

plStatus pl_scene_find_body(plScene* scene, const plYaml* map, const char* key, const char* name, int* body) {
  *body = -1;
  if (!strcmp(name, "world")) return PL_OK;
  *body = pl_spec_find_body(scene->spec, name);
  const plYaml* node = pl_yaml_get(map, key);
  return *body >= 0 ? PL_OK : fail_unknown(scene, node ? node : map, "rigid body", name);
}

plStatus pl_scene_find_joint(plScene* scene, const plYaml* node, const char* name, int* joint) {
  *joint = pl_spec_find_joint(scene->spec, name);
  return *joint >= 0 ? PL_OK : fail_unknown(scene, node, "joint", name);
}

// ---- to definitions

plStatus pl_scene_add_body(plScene* scene, const plYaml* map) {
  Body b;
  plStatus status = pl_section_read(scene, &pl_section_body, map, &b);
  if (status) return status;
  plBodyDef def = pl_default_body_def();
  def.name = b.name;
  def.mass = b.mass;
  def.com = b.com;
  double inertia[6] = {b.inertia.x, b.inertia.y, b.inertia.z, b.products.x, b.products.y, b.products.z};
  memcpy(def.inertia, inertia, sizeof inertia);
  def.gravity = b.gravity;
  def.pose = b.pose.pose;
  def.velocity = b.velocity;
  def.angular_velocity = b.angular_velocity;
  return pl_scene_locate(scene, map, pl_spec_add_body(scene->spec, &def, NULL, scene->error));
}

static plStatus add_actuator(plScene* scene, const plYaml* map, const Actuator* a, const char* name,
                             int joint) {
  plActuatorDef def = pl_default_actuator_def();
  def.name = a->name ? a->name : name;
  def.kind = (plActuatorKind)a->kind;
  def.joint = joint;
  def.kp = a->kp;
  def.kd = a->kd;
  def.effort = a->effort;
  def.input[0] = a->input;
  def.has_input = a->has_input;
  def.interpolation = (plInterpolation)a->interpolation;
  def.zero_velocity = a->zero_velocity;
  plStatus status = pl_scene_table(scene, a->times, a->values, &def.ntime, &def.time, &def.value);
  if (status) return status;
  return pl_scene_locate(scene, map, pl_spec_add_actuator(scene->spec, &def, NULL, scene->error));
}

plStatus pl_scene_add_body_joint(plScene* scene, const plYaml* map) {
  Body b;
  const plYaml* node = pl_yaml_get(map, "joint");
  plStatus status = node ? pl_section_read(scene, &pl_section_body, map, &b) : PL_OK;
  if (status || !node) return status;
  const Joint* j = &b.joint;
  plJointDef def = pl_default_joint_def();
  def.name = j->name ? j->name : b.name;
  def.kind = (plJointKind)j->kind;
  def.child = pl_spec_find_body(scene->spec, b.name);
  status = pl_scene_find_body(scene, node, "parent", j->parent, &def.parent);
  if (status) return status;
  def.pose = j->pose.pose;
  def.axis = j->axis;
  def.axis2 = j->axis2;
  def.pitch = j->pitch;
  for (int i = 0; i < pl_joint_nv(def.kind); i++) def.dof[i] = j->dof;
  if (pl_joint_nv(def.kind) == 1) {
    def.position[0] = j->position;
    def.velocity[0] = j->velocity;
  }
  def.locked = j->locked;
  int id;
  status = pl_scene_locate(scene, node, pl_spec_add_joint(scene->spec, &def, &id, scene->error));
  const plYaml* drive = pl_yaml_get(node, "actuator");
  return status || !drive ? status : add_actuator(scene, drive, &j->actuator, def.name, id);
}

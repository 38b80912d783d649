// scene_robot.c: one entry of `robots`: a robot file with its pose, starting joint values and controllers ->
// the spec.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "input/robot.h"
#include "input/scene.h"
#include "model/spec.h"
#include "pliant/rigid.h"

typedef struct Robot {
  const char *name, *file, *parent, *friction, *keyframe;
  plScenePose pose;
  int base, inertia, meshes, overlaps;
  double density;
  bool gravity;
  const plYaml *joints, *controllers, *surfaces;
} Robot;

typedef struct Joint {
  const char* name;
  double position, velocity;
  bool locked;
} Joint;

typedef struct Controller {
  const char *joint, *actuator;
  bool off;
  int kind, interpolation;
  double kp, kd, effort, input;
  bool zero_velocity;
  const plYaml *times, *values;
} Controller;

// ---- tables

static plSectionFinish controller_finish;

// Surface properties of some of a robot's shapes.
typedef struct Surfaces {
  const char* shapes;
  plSurface surface;
} Surfaces;

static const plWord bases[] = {
    {"file", PL_BASE_FILE}, {"weld", PL_BASE_WELD}, {"free", PL_BASE_FREE}, {NULL, 0}};
static const plWord inertias[] = {{"file", PL_INERTIA_FILE}, {"from_shapes", PL_INERTIA_SHAPES}, {NULL, 0}};
static const plWord mesh_modes[] = {{"convex", PL_MESHES_CONVEX}, {"exact", PL_MESHES_EXACT}, {NULL, 0}};
static const plWord overlap_modes[] = {
    {"exclude", PL_OVERLAPS_EXCLUDE}, {"keep", PL_OVERLAPS_KEEP}, {NULL, 0}};

// clang-format off
#define AT(field) offsetof(Robot, field)
static const plKey robot_keys[] = {
    {.name = "name", .type = PL_KEY_TEXT, .offset = AT(name), .required = true,
     .meaning = "unique; bodies are called `name/link`, joints `name/joint`"},
    {.name = "file", .type = PL_KEY_TEXT, .offset = AT(file), .required = true, .meaning = "URDF, SDFormat (.sdf) or MJCF (.xml)"},
    {.name = "pose", .type = PL_KEY_MAP, .offset = AT(pose), .section = &pl_section_pose, .fallback = "see pose",
     .meaning = "of the model's frame in the world, or in `parent`"},
    {.name = "parent", .type = PL_KEY_TEXT, .offset = AT(parent), .fallback = "the world",
     .meaning = "link of a robot above in the list, as `robot/link`; a welded base is welded to it"},
    {.name = "base", .type = PL_KEY_WORD, .offset = AT(base), .words = bases,
     .meaning = "file: as the file says (a base that nothing holds is free, or welded if it has no mass of its own); free: a base without mass counts with what is welded to it"},
    {.name = "gravity", .type = PL_KEY_BOOL, .offset = AT(gravity), .meaning = "whether gravity acts on it"},
    {.name = "joint_friction", .type = PL_KEY_TEXT, .offset = AT(friction), .fallback = "file",
     .meaning = "dry friction of all joints: `file`, `ignore` or a number (N, Nm); `file` ignores what is above the effort limit"},
    {.name = "inertia", .type = PL_KEY_WORD, .offset = AT(inertia), .words = inertias,
     .meaning = "from_shapes: links without moments of inertia get those of their shapes (the collision shapes, else the visual ones; meshes as convex hulls)"},
    {.name = "density", .type = PL_KEY_NUMBER, .offset = AT(density), .unit = "kg/m^3", .range = PL_RANGE_POSITIVE,
     .meaning = "of those shapes, where the file gives no mass"},
    {.name = "collision_meshes", .type = PL_KEY_WORD, .offset = AT(meshes), .words = mesh_modes,
     .meaning = "contact of meshes: convex, by their convex hulls, or exact, by the meshes themselves (URDF, SDFormat)"},
    {.name = "own_overlaps", .type = PL_KEY_WORD, .offset = AT(overlaps), .words = overlap_modes,
     .meaning = "exclude: links that overlap at the start do not touch each other, with a remark (URDF, SDFormat)"},
    {.name = "keyframe", .type = PL_KEY_TEXT, .offset = AT(keyframe), .fallback = "none",
     .meaning = "name or number of an MJCF keyframe to start from"},
    {.name = "joints", .type = PL_KEY_LIST, .offset = AT(joints), .section = &pl_section_robot_joint, .fallback = "as in the file",
     .meaning = "where joints start"},
    {.name = "controllers", .type = PL_KEY_LIST, .offset = AT(controllers), .section = &pl_section_controller, .fallback = "as in the file",
     .meaning = "what drives the joints"},
    {.name = "surfaces", .type = PL_KEY_LIST, .offset = AT(surfaces), .section = &pl_section_robot_surface, .fallback = "as in the file",
     .meaning = "contact properties of shapes, by their names"},
};
#undef AT
#define AT(field) offsetof(Joint, field)
static const plKey joint_keys[] = {
    {.name = "name", .type = PL_KEY_TEXT, .offset = AT(name), .required = true, .meaning = "a joint of one degree of freedom in the file"},
    {.name = "position", .type = PL_KEY_NUMBER, .offset = AT(position), .unit = "rad, m", .fallback = "as in the file",
     .meaning = "at the start; outside the limits is a warning"},
    {.name = "velocity", .type = PL_KEY_NUMBER, .offset = AT(velocity), .unit = "rad/s, m/s", .fallback = "as in the file", .meaning = "at the start"},
    {.name = "locked", .type = PL_KEY_BOOL, .offset = AT(locked), .meaning = "held where it starts"},
};
#undef AT
#define AT(field) offsetof(Controller, field)
static const plKey controller_keys[] = {
    {.name = "joint", .type = PL_KEY_TEXT, .offset = AT(joint), .fallback = "none", .meaning = "a joint of one degree of freedom in the file"},
    {.name = "actuator", .type = PL_KEY_TEXT, .offset = AT(actuator), .fallback = "none", .meaning = "instead of `joint`: an actuator of the file by its name, on a tendon too"},
    {.name = "off", .type = PL_KEY_BOOL, .offset = AT(off), .meaning = "switched off at the start"},
    {.name = "kind", .type = PL_KEY_WORD, .offset = AT(kind), .words = pl_actuator_words, .fallback = "as in the file, else pd",
     .meaning = "force: motor u; position kp (u - q) - kd v; velocity kd (u - v); pd kp (u - q) + kd (u' - v)"},
    {.name = "kp", .type = PL_KEY_NUMBER, .offset = AT(kp), .unit = "Nm/rad, N/m", .range = PL_RANGE_NOT_NEGATIVE, .fallback = "as in the file, else 0",
     .meaning = "gain on the position, implicit"},
    {.name = "kd", .type = PL_KEY_NUMBER, .offset = AT(kd), .unit = "Nm s/rad, N s/m", .range = PL_RANGE_NOT_NEGATIVE, .fallback = "as in the file, else 0",
     .meaning = "gain on the velocity, implicit"},
    {.name = "effort", .type = PL_KEY_NUMBER, .offset = AT(effort), .unit = "Nm, N", .range = {0, INFINITY, false, false}, .fallback = "as in the file, else infinite",
     .meaning = "largest force, besides the joint's own limit"},
    {.name = "input", .type = PL_KEY_NUMBER, .offset = AT(input), .fallback = "as in the file, else 0, or where the joint starts",
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
#define AT(field) offsetof(Surfaces, field)
static const plKey surfaces_keys[] = {
    {.name = "shapes", .type = PL_KEY_TEXT, .offset = AT(shapes), .required = true,
     .meaning = "names `link/shape`; `*` stands for any characters, e.g. `*finger*`"},
    {.name = "surface", .type = PL_KEY_MAP, .offset = AT(surface), .section = &pl_section_surface, .required = true,
     .meaning = "what is given changes; the rest stays as in the file"},
};
#undef AT
// clang-format on

static void robot_defaults(void* target) {
  *(Robot*)target = (Robot){.base = PL_BASE_FILE, .gravity = true, .density = 1000};
  pl_section_pose.defaults(&((Robot*)target)->pose);
}
static void joint_defaults(void* target) { *(Joint*)target = (Joint){.position = NAN, .velocity = NAN}; }
static void controller_defaults(void* target) {
  *(Controller*)target = (Controller){.kind = -1, .kp = NAN, .kd = NAN, .effort = NAN, .input = NAN};
}

static void surfaces_defaults(void* target) {
  *(Surfaces*)target = (Surfaces){.surface = pl_default_surface()};
}
const plSection pl_section_robot_surface = {
    "robot_surface",  surfaces_keys,     sizeof surfaces_keys / sizeof *surfaces_keys,
    sizeof(Surfaces), surfaces_defaults, NULL};

const plSection pl_section_robot = {"robot",       robot_keys,     sizeof robot_keys / sizeof *robot_keys,
                                    sizeof(Robot), robot_defaults, NULL};
const plSection pl_section_robot_joint = {
    "robot_joint", joint_keys, sizeof joint_keys / sizeof *joint_keys, sizeof(Joint), joint_defaults, NULL};
const plSection pl_section_controller = {
    "controller",       controller_keys,     sizeof controller_keys / sizeof *controller_keys,
    sizeof(Controller), controller_defaults, controller_finish};
// ---- joints

// The joint `robot/name` of one degree of freedom; node is its name.
static plStatus find_joint(plScene* scene, const plYaml* node, const char* robot, const char* name, int* id) {
  char full[420];
  snprintf(full, sizeof full, "%s/%s", robot, name);
  *id = pl_spec_find_joint(scene->spec, full);
  if (*id >= 0) {
    if (pl_joint_nv(pl_spec_joint(scene->spec, *id)->kind) == 1) return PL_OK;
    return pl_scene_fail(scene, node, "the joint '%s' does not have one degree of freedom", full);
  }
  const char* known[256];
  int n = 0;
  size_t length = strlen(robot);
  for (int j = 0; j < pl_spec_joint_count(scene->spec) && n < 256; j++) {
    const plJointDef* def = pl_spec_joint(scene->spec, j);
    if (!strncmp(def->name, robot, length) && def->name[length] == '/' && pl_joint_nv(def->kind) == 1)
      known[n++] = def->name + length + 1;
  }
  const char* near = pl_nearest_word(name, known, n);
  return pl_scene_fail(scene, node, "the robot '%s' has no joint '%s'%s%s%s", robot, name,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static plStatus set_joint(plScene* scene, const char* robot, const plYaml* map, bool* given) {
  Joint j;
  int id;
  plStatus status = pl_section_read(scene, &pl_section_robot_joint, map, &j);
  if (!status) status = find_joint(scene, pl_yaml_get(map, "name"), robot, j.name, &id);
  if (status) return status;
  const plJointDef* def = pl_spec_joint(scene->spec, id);
  double position = isnan(j.position) ? def->position[0] : j.position,
         velocity = isnan(j.velocity) ? def->velocity[0] : j.velocity;
  if (pl_joint_nv(def->kind) == 1 && def->kind != PL_JOINT_CONTINUOUS &&
      (position < def->dof[0].lower || position > def->dof[0].upper))
    pl_scene_warn(scene, map, "the joint '%s' starts at %g, outside its limits %g to %g", def->name, position,
                  def->dof[0].lower, def->dof[0].upper);
  assert(id < pl_spec_joint_count(scene->spec));
  given[id] = true;
  status = pl_spec_set_joint_start(scene->spec, id, &position, &velocity, scene->error);
  if (!status && j.locked) status = pl_spec_set_joint_locked(scene->spec, id, true, scene->error);
  return pl_scene_locate(scene, map, status);
}

// Joints that mimic others, by the couplers from constraint0 on, follow them unless they are named.
static plStatus set_joints(plScene* scene, const char* robot, const plYaml* list, int constraint0) {
  plStatus status = PL_OK;
  bool* given = list ? PL_NEW(bool, pl_spec_joint_count(scene->spec)) : NULL;
  if (!list) return PL_OK;
  if (!given) return pl_fail_out_of_memory(scene->error, (size_t)pl_spec_joint_count(scene->spec));
  memset(given, 0, (size_t)pl_spec_joint_count(scene->spec) * sizeof *given);
  for (const plYaml* child = list->first; child && !status; child = child->next)
    status = set_joint(scene, robot, child, given);
  if (!status) pl_robot_follow(scene->spec, constraint0, given);
  pl_free(given);
  return status;
}

// ---- controllers

static plStatus controller_finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  const Controller* c = target;
  int ntime = c->times ? c->times->nchild : 0, nvalue = c->values ? c->values->nchild : 0;
  if (ntime != nvalue)
    return pl_scene_fail_key(scene, map, nvalue ? "values" : "times",
                             "a controller needs as many 'times' as 'values', got %d and %d", ntime, nvalue);
  if (ntime && !isnan(c->input))
    return pl_scene_fail_key(scene, map, "input", "give a controller either 'input' or a table, not both");
  if (!c->joint == !c->actuator)
    return pl_scene_fail(scene, map, "a controller needs either 'joint' or 'actuator'");
  return PL_OK;
}

// The actuator that the file put on the joint, -1: none.
static int actuator_of(const plSpec* spec, int joint) {
  for (int i = 0; i < pl_spec_actuator_count(spec); i++)
    if (pl_spec_actuator(spec, i)->joint == joint && !pl_spec_actuator(spec, i)->njoint) return i;
  return -1;
}

// The gains of a servo that is written as gain and bias (an MJCF joint with ref): its zero does not change.
static void set_servo(plActuatorDef* def, double kp, double kd) {
  if (!isnan(kp) && def->gain > 0 && def->bias[1] == -def->gain)
    def->bias[0] *= kp / def->gain, def->gain = kp, def->bias[1] = -kp;
  if (!isnan(kd)) def->bias[2] = -kd;
}

// The actuator `robot/name`; node is its name.
static plStatus find_actuator(plScene* scene, const plYaml* node, const char* robot, const char* name,
                              int* id) {
  char full[420];
  snprintf(full, sizeof full, "%s/%s", robot, name);
  *id = pl_spec_find_actuator(scene->spec, full);
  if (*id >= 0) return PL_OK;
  const char* known[256];
  int n = 0;
  size_t length = strlen(robot);
  for (int i = 0; i < pl_spec_actuator_count(scene->spec) && n < 256; i++) {
    const char* own = pl_spec_actuator(scene->spec, i)->name;
    if (!strncmp(own, robot, length) && own[length] == '/') known[n++] = own + length + 1;
  }
  const char* near = pl_nearest_word(name, known, n);
  return pl_scene_fail(scene, node, "the robot '%s' has no actuator '%s'%s%s%s", robot, name,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static plStatus add_controller(plScene* scene, const char* robot, const plYaml* map) {
  Controller c;
  int joint = -1, id = -1;
  plStatus status = pl_section_read(scene, &pl_section_controller, map, &c);
  if (!status && c.joint) status = find_joint(scene, pl_yaml_get(map, "joint"), robot, c.joint, &joint);
  if (!status && c.actuator)
    status = find_actuator(scene, pl_yaml_get(map, "actuator"), robot, c.actuator, &id);
  if (status) return status;
  if (c.joint) id = actuator_of(scene->spec, joint);
  plActuatorDef def = id >= 0 ? *pl_spec_actuator(scene->spec, id) : pl_default_actuator_def();
  bool gains = def.kp > 0 || def.kd > 0 || !isnan(c.kp) || !isnan(c.kd);
  if (c.kind >= 0)
    def.kind = (plActuatorKind)c.kind;
  else if (id < 0 || (def.kind == PL_ACTUATOR_MOTOR && gains))
    def.kind = PL_ACTUATOR_PD;
  if (!isnan(c.kp)) def.kp = c.kp;
  if (!isnan(c.kd)) def.kd = c.kd;
  if (def.kind == PL_ACTUATOR_AFFINE) set_servo(&def, c.kp, c.kd);
  if (!isnan(c.effort)) def.effort = c.effort;
  def.off = c.off;
  if (!isnan(c.input)) def.input[0] = c.input, def.input[1] = def.input[2] = 0, def.has_input = true;
  def.interpolation = (plInterpolation)c.interpolation, def.zero_velocity = c.zero_velocity;
  if (def.kind != PL_ACTUATOR_MOTOR && def.kind != PL_ACTUATOR_AFFINE && def.kp == 0 && def.kd == 0)
    return pl_scene_fail(scene, map, "the controller of '%s' (%s) needs gains: kp, kd",
                         c.joint ? c.joint : c.actuator, pl_actuator_kind_name(def.kind));
  if (c.times && c.times->nchild)
    status = pl_scene_table(scene, c.times, c.values, &def.ntime, &def.time, &def.value);
  if (status) return status;
  if (id >= 0) return pl_scene_locate(scene, map, pl_spec_set_actuator(scene->spec, id, &def, scene->error));
  char name[420];
  snprintf(name, sizeof name, "%s/%s", robot, c.joint);
  def.name = name, def.joint = joint;
  return pl_scene_locate(scene, map, pl_spec_add_actuator(scene->spec, &def, NULL, scene->error));
}

// ---- surfaces

// Whether a name matches a pattern, in which * represents any characters.
static bool fits(const char* name, const char* pattern) {
  const char *star = NULL, *again = NULL;
  while (*name) {
    if (*pattern == '*')
      star = pattern++, again = name;
    else if (*pattern == *name)
      pattern++, name++;
    else if (star)
      pattern = star + 1, name = ++again;
    else
      return false;
  }
  while (*pattern == '*') pattern++;
  return !*pattern;
}

static plStatus set_surfaces(plScene* scene, const char* robot, const plYaml* map) {
  Surfaces s;
  size_t length = strlen(robot);
  int found = 0;
  plStatus status = pl_section_read(scene, &pl_section_robot_surface, map, &s);
  const plYaml* given = pl_yaml_get(map, "surface");
  for (int g = 0; g < pl_spec_shape_count(scene->spec) && !status; g++) {
    const plShapeDef* def = pl_spec_shape(scene->spec, g);
    if (strncmp(def->name, robot, length) || def->name[length] != '/' ||
        !fits(def->name + length + 1, s.shapes))
      continue;
    plSurface surface = def->surface;
    if (pl_yaml_get(given, "friction")) surface.friction = s.surface.friction;
    if (pl_yaml_get(given, "contact_stiffness")) surface.contact_stiffness = s.surface.contact_stiffness;
    if (pl_yaml_get(given, "relaxation_time")) surface.relaxation_time = s.surface.relaxation_time;
    if (pl_yaml_get(given, "dissipation")) surface.dissipation = s.surface.dissipation;
    if (pl_yaml_get(given, "surface_velocity")) surface.surface_velocity = s.surface.surface_velocity;
    if (pl_yaml_get(given, "mesh_compliance")) surface.mesh_compliance = s.surface.mesh_compliance;
    found += def->collide;
    status = pl_scene_locate(scene, map, pl_spec_set_surface(scene->spec, g, &surface, scene->error));
  }
  if (status || found) return status;
  return pl_scene_fail_key(scene, map, "shapes",
                           "the robot '%s' has no collision shape '%s'; `pliant info FILE` lists links",
                           robot, s.shapes);
}

// ---- the robot

static plStatus read_friction(plScene* scene, const plYaml* map, const char* text, plRobotDef* def) {
  const plYaml* node = pl_yaml_get(map, "joint_friction");
  if (!text || !strcmp(text, "file")) return PL_OK;
  if (!strcmp(text, "ignore")) {
    def->friction = PL_FRICTION_IGNORE;
    return PL_OK;
  }
  def->friction = PL_FRICTION_VALUE;
  if (pl_yaml_number(node, &def->joint_friction) && def->joint_friction >= 0 && isfinite(def->joint_friction))
    return PL_OK;
  return pl_scene_fail(scene, node, "'joint_friction' must be file, ignore or a number >= 0, got '%.60s'",
                       text);
}

plStatus pl_scene_add_robot(plScene* scene, const plYaml* map) {
  Robot r;
  plRobotDef def = pl_default_robot_def();
  plStatus status = pl_section_read(scene, &pl_section_robot, map, &r);
  if (!status) status = pl_scene_find_file(scene, pl_yaml_get(map, "file"), "robot", &def.file);
  if (!status) status = read_friction(scene, map, r.friction, &def);
  if (status) return status;
  if (!r.name[0] || strpbrk(r.name, "/.(),*") || strlen(r.name) > 90)
    return pl_scene_fail_key(scene, map, "name",
                             "the name of a robot has 1 to 90 characters, without / . ( ) , *");
  def.name = r.name, def.pose = r.pose.pose, def.parent = r.parent, def.base = (plBase)r.base,
  def.keyframe = r.keyframe;
  def.gravity = r.gravity ? 1 : 0;
  def.inertia = (plInertiaMode)r.inertia, def.density = r.density, def.meshes = (plMeshMode)r.meshes;
  def.take_timestep = !scene->has_dt, def.take_gravity = !scene->has_gravity;
  bool links = false;
  int body0 = pl_spec_body_count(scene->spec), constraint0 = pl_spec_constraint_count(scene->spec);
  status = pl_scene_locate(scene, map, pl_robot_add(scene->spec, &def, scene->load, &links, scene->error));
  scene->ntet = pl_spec_count_tets(scene->spec);
  if (!status)
    status = set_joints(scene, r.name, r.joints, links ? constraint0 : pl_spec_constraint_count(scene->spec));
  if (!status && links && r.overlaps == PL_OVERLAPS_EXCLUDE)
    status = pl_robot_part_links(scene->spec, def.file, body0, scene->load, scene->error);
  for (const plYaml* child = r.controllers ? r.controllers->first : NULL; child && !status;
       child = child->next)
    status = add_controller(scene, r.name, child);
  for (const plYaml* child = r.surfaces ? r.surfaces->first : NULL; child && !status; child = child->next)
    status = set_surfaces(scene, r.name, child);
  return status;
}

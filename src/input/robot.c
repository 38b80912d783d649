// robot.c: reads a robot file into the spec: its format, names, warnings, files, and how its base is attached
// to the world.
#include "input/robot.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "input/text.h"
#include "model/spec.h"

plRobotDef pl_default_robot_def(void) {
  return (plRobotDef){.mark = PL_DEF_MARK, .pose = pose_identity(), .gravity = 1, .density = 1000};
}

bool pl_is_robot_file(const char* path) {
  assert(path != NULL);
  static const char* const ends[] = {".urdf", ".sdf", ".world", ".xml", ".mjcf"};
  size_t n = strlen(path);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (n > strlen(ends[i]) && !strcasecmp(path + n - strlen(ends[i]), ends[i])) return true;
  return false;
}

// ---- names

const char* pl_robot_printf(plRobot* robot, const char* format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (n < 0) return NULL;
  size_t length = (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
  return pl_xml_keep(&robot->tree, text, length);
}

int pl_robot_find_shape(const plSpec* spec, const char* name) {
  for (int i = 0; i < spec->nshape; i++)
    if (!strcmp(spec->shape[i].name, name)) return i;
  return -1;
}

// ---- files

static plStatus read_file(plRobot* robot, const char* path, const char** text, size_t* size) {
  return pl_text_read(&robot->tree.arena, path, PL_XML_MAX_BYTES, "robot", ".urdf, .sdf, .xml", text, size,
                      robot->error);
}

plStatus pl_robot_include(plRobot* robot, const char* path, plXml** root) {
  const char* text;
  size_t size;
  if (++robot->nfile > PL_ROBOT_MAX_FILES)
    return pl_fail_at(robot->error, PL_ERROR_INPUT, path, 0, 0,
                      "more than %d files are included; does one include itself?", (int)PL_ROBOT_MAX_FILES);
  plStatus status = read_file(robot, path, &text, &size);
  return status ? status : pl_xml_parse(&robot->tree, path, text, size, root, robot->error);
}

// ---- the base

plStatus pl_robot_parent(plRobot* robot, int* parent) {
  *parent = -1;
  if (!robot->def->parent || !robot->def->parent[0] || !strcmp(robot->def->parent, "world")) return PL_OK;
  *parent = pl_spec_find_body(robot->spec, robot->def->parent);
  if (*parent >= 0) return PL_OK;
  const char* names[256];
  int n = 0;
  for (int i = 0; i < robot->spec->nbody && n < 256; i++) names[n++] = robot->spec->body[i].name;
  const char* near = pl_nearest_word(robot->def->parent, names, n);
  robot->definition = true;
  return pl_fail(robot->error, PL_ERROR_INPUT,
                 "the robot '%s' is placed relative to '%s', but there is no such body%s%s%s", robot->name,
                 robot->def->parent,
                 near ? "; did you mean '" : "; name it as robot/link, and put that robot first",
                 near ? near : "", near ? "'?" : "");
}

plStatus pl_robot_add_base(plRobot* robot, const plXml* at, int body, plPose pose, bool fixed) {
  const plRobotDef* def = robot->def;
  const plBodyDef* base = &robot->spec->body[body];
  // if the user decides, the base counts together with the bodies welded to it; if the file decides, a base
  // without mass of its own is treated as a mount
  bool can;
  plStatus status = pl_robot_can_be_free(robot->spec, body, &can, robot->error);
  if (status) return status;
  bool massless = !can || (def->base == PL_BASE_FILE && base->mass == 0);
  bool weld = def->base == PL_BASE_WELD || (def->base == PL_BASE_FILE && (fixed || massless));
  if (def->base == PL_BASE_FREE && massless)
    return pl_xml_fail(
        at, robot->error,
        "the base '%s', with what is welded to it, has no inertia and cannot be free; give it an inertial, "
        "weld it, or say inertia: from_shapes",
        base->name);
  if (def->base == PL_BASE_FILE && massless && !fixed)
    pl_robot_warn(robot, at,
                  "nothing holds the base '%s', which has no mass of its own: it is welded to the world "
                  "(base: free prevents that)",
                  base->name);
  int parent;
  status = pl_robot_parent(robot, &parent);
  if (status) return status;
  plPose place = pose_mul(def->pose, pose);
  if (!weld) {
    robot->spec->body[body].pose =
        parent < 0 ? place : pose_mul(pl_spec_body_pose(robot->spec, parent), place);
    return pl_robot_thicken(robot, at, body);
  }
  plJointDef joint = pl_default_joint_def();
  const char* slash = strchr(base->name, '/');
  joint.name = pl_robot_free_name(robot, pl_robot_printf(robot, "%s_weld", slash ? slash + 1 : base->name),
                                  pl_spec_find_joint);
  joint.kind = PL_JOINT_FIXED, joint.parent = parent, joint.child = body, joint.pose = place;
  if (!joint.name) return pl_fail_out_of_memory(robot->error, 256);
  return pl_spec_add_joint(robot->spec, &joint, NULL, robot->error);
}

double pl_robot_friction(plRobot* robot, const plXml* at, double friction, double effort) {
  if (robot->def->friction == PL_FRICTION_IGNORE) return 0;
  if (robot->def->friction == PL_FRICTION_VALUE) return robot->def->joint_friction;
  if (friction > effort && friction > 0 && effort > 0) {
    pl_robot_warn_once(robot, at, "friction above effort",
                       "the dry friction %g of a joint is above its effort limit %g and is ignored (in this "
                       "and all such joints); joint_friction gives another",
                       friction, effort);
    return 0;
  }
  return friction;
}

void pl_robot_tame(plRobot* robot, const plXml* at, plJointDef* def) {
  for (int k = 0; k < 6; k++) {
    plDofDef* d = &def->dof[k];
    double* value[] = {&d->damping, &d->friction, &d->stiffness, &d->armature, &d->rotor_inertia};
    static const char* const what[] = {"damping", "friction", "stiffness", "armature", "rotor inertia"};
    for (int i = 0; i < 5; i++) {
      if (!(*value[i] < 0 && isfinite(*value[i]))) continue;
      if (k == 0)
        pl_robot_warn(robot, at, "the %s %g of joint '%.100s' is negative; 0 is used", what[i], *value[i],
                      def->name);
      *value[i] = 0;
    }
  }
}

// ---- loading

static plStatus load_root(plRobot* robot, plXml* root) {
  if (!strcmp(root->name, "robot")) return pl_urdf_load(robot, root);
  if (!strcmp(root->name, "sdf")) return pl_sdf_load(robot, root);
  if (!strcmp(root->name, "mujoco")) return pl_mjcf_load(robot, root);
  return pl_xml_fail(root, robot->error,
                     "the root element is <%s>; a robot file begins with <robot> (URDF), <sdf> or <mujoco>",
                     root->name);
}

// A chain of followers takes as many passes as it is long.
void pl_robot_follow(plSpec* spec, int constraint0, const bool* given) {
  bool moved = true;
  for (int round = constraint0; round < spec->nconstraint && moved; round++) {
    moved = false;
    for (int i = constraint0; i < spec->nconstraint; i++) {
      const plConstraintDef* c = &spec->constraint[i];
      if (c->kind != PL_CONSTRAINT_COUPLER) continue;
      assert(c->a >= 0 && c->a < spec->njoint && c->b >= 0 && c->b < spec->njoint);
      if (given && given[c->a]) continue;
      const plJointDef* leader = &spec->joint[c->b];
      plJointDef* own = &spec->joint[c->a];
      double q = c->ratio * leader->position[0] + c->offset;
      moved |= own->position[0] != q;
      own->position[0] = q, own->velocity[0] = c->ratio * leader->velocity[0];
    }
  }
}

// An error without a line gets the file's name.
static void locate(plRobot* robot) {
  plError* e = robot->error;
  if (e && !e->file[0] && !robot->definition) snprintf(e->file, sizeof e->file, "%s", robot->def->file);
}

static plStatus parse(plSpec* spec, const plRobotDef* def, const char* folder, const char* text, size_t size,
                      const plLoadOptions* options, bool* links, plError* error) {
  plError own;
  plRobot robot = {.spec = spec,
                   .def = def,
                   .options = options,
                   .error = error ? error : &own,
                   .folder = folder ? folder : "",
                   .name = def->name};
  pl_error_clear(robot.error);
  if (!def->file) return pl_fail(error, PL_ERROR_INPUT, "a robot needs a file");
  if (!(quat_norm(def->pose.q) > 1e-6) || !v3_finite(def->pose.p))
    return pl_fail(error, PL_ERROR_INPUT, "the pose of robot '%s' must be finite, its quaternion of length 1",
                   def->file);
  plRobotDef unit = *def;
  unit.pose.q = quat_unit(def->pose.q);
  robot.def = &unit;
  plSpecMark mark = pl_spec_mark(spec);
  pl_xml_init(&robot.tree);
  plXml* root = NULL;
  plStatus status = pl_xml_parse(&robot.tree, def->file, text, size, &root, robot.error);
  if (!status) status = load_root(&robot, root);
  *links = root && strcmp(root->name, "mujoco");
  if (!status && *links) pl_robot_follow(spec, mark.nconstraint, NULL);
  if (!status && spec->nbody == mark.nbody && spec->ndeform == mark.ndeform && spec->nshape == mark.nshape)
    status = pl_xml_fail(root, robot.error, "the file holds no link or body");
  if (!status) status = pl_robot_warn_unused(&robot, root);
  // without memory, a name seems not to exist and a remark is lost: whatever the status is, it is wrong
  if (robot.tree.arena.failed) status = pl_fail_out_of_memory(robot.error, size);
  if (!status) status = pl_robot_tell(&robot);
  if (status) {
    pl_spec_rollback(spec, mark);
    locate(&robot);
  }
  pl_xml_free(&robot.tree);
  return status;
}

plStatus pl_robot_part_links(plSpec* spec, const char* file, int body0, const plLoadOptions* options,
                             plError* error) {
  char text[700], line[1100];
  plStatus status = pl_robot_exclude_overlaps(spec, body0, text, sizeof text, error);
  snprintf(line, sizeof line, "%.300s: %s", file, text);
  if (status || !text[0] || !options) return status;
  if (options->strict)
    return pl_fail(error, PL_ERROR_INPUT, "%.700s (`strict` makes remarks on the motion errors)", line);
  if (options->remark)
    options->remark(options->warn_user, PL_REMARK_PHYSICS, 1, line);
  else if (options->warn)
    options->warn(options->warn_user, line);
  return PL_OK;
}

plStatus pl_spec_parse_robot(plSpec* spec, const plRobotDef* def, const char* folder, const char* text,
                             size_t size, const plLoadOptions* options, plError* error) {
  assert(spec != NULL && def != NULL);
  assert(text != NULL || size == 0);
  if (pl_check_mark(def->mark, "robot", error)) return PL_ERROR_INPUT;
  bool links = false;
  plSpecMark mark = pl_spec_mark(spec);
  plStatus status = parse(spec, def, folder, text, size, options, &links, error);
  if (!status && links && def->overlaps == PL_OVERLAPS_EXCLUDE)
    status = pl_robot_part_links(spec, def->file, mark.nbody, options, error);
  if (status) pl_spec_rollback(spec, mark);
  return status;
}

plStatus pl_robot_add(plSpec* spec, const plRobotDef* def, const plLoadOptions* options, bool* links,
                      plError* error) {
  pl_error_clear(error);
  if (!def->file) return pl_fail(error, PL_ERROR_INPUT, "a robot needs a file");
  plError own;
  plRobot reader = {.def = def, .error = error ? error : &own};
  pl_xml_init(&reader.tree);
  const char* text = NULL;
  size_t size = 0;
  plStatus status = read_file(&reader, def->file, &text, &size);
  const char *slash = strrchr(def->file, '/'), *folder = "";
  if (!status && slash)
    folder = slash == def->file ? "/" : pl_xml_keep(&reader.tree, def->file, (size_t)(slash - def->file));
  if (!status && !folder) status = pl_fail_out_of_memory(error, strlen(def->file));
  if (!status) status = parse(spec, def, folder, text, size, options, links, error);
  pl_xml_free(&reader.tree);
  return status;
}

plStatus pl_spec_add_robot(plSpec* spec, const plRobotDef* def, const plLoadOptions* options,
                           plError* error) {
  assert(spec != NULL && def != NULL);
  if (pl_check_mark(def->mark, "robot", error)) return PL_ERROR_INPUT;
  bool links = false;
  plSpecMark mark = pl_spec_mark(spec);
  plStatus status = pl_robot_add(spec, def, options, &links, error);
  if (!status && links && def->overlaps == PL_OVERLAPS_EXCLUDE)
    status = pl_robot_part_links(spec, def->file, mark.nbody, options, error);
  if (status) pl_spec_rollback(spec, mark);
  return status;
}

bool pl_robot_proximity(plRobotShape* shape, int k, const char** name, double** to) {
  const struct {
    const char* name;
    double* to;
  } table[] = {{"drake:mu_dynamic", &shape->surface.friction},
               {"drake:relaxation_time", &shape->surface.relaxation_time},
               {"drake:hunt_crossley_dissipation", &shape->surface.dissipation},
               {"drake:hydroelastic_modulus", &shape->modulus}};
  if (k >= (int)(sizeof table / sizeof *table)) return false;
  *name = table[k].name;
  *to = table[k].to;
  return true;
}

void pl_robot_warn_static(plRobot* robot, const plXml* properties) {
  const plXml* fixed = pl_xml_child(properties, "drake:mu_static");
  if (!fixed) return;
  pl_xml_use_all(fixed);
  pl_robot_warn_once(robot, fixed, "mu_static",
                     "static friction is not used: the dynamic coefficient also applies at rest");
}

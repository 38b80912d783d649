// sdf.c: reads SDFormat 1.7 to 1.11 into the spec, with Drake's tags: first all frames, then links, joints
// and couplers.
#include "input/sdf.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/spec.h"

#define PI 3.14159265358979323846

// ---- joints

static bool joint_kind(const char* type, plJointKind* kind) {
  static const struct {
    const char* name;
    plJointKind kind;
  } table[] = {
      {"fixed", PL_JOINT_FIXED},         {"revolute", PL_JOINT_REVOLUTE}, {"continuous", PL_JOINT_CONTINUOUS},
      {"prismatic", PL_JOINT_PRISMATIC}, {"ball", PL_JOINT_BALL},         {"universal", PL_JOINT_UNIVERSAL},
      {"screw", PL_JOINT_SCREW},         {"planar", PL_JOINT_PLANAR}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(type, table[i].name)) {
      *kind = table[i].kind;
      return true;
    }
  return false;
}

// <axis> or <axis2>: direction in the joint's frame, limits and dynamics. *effort is as written, -1: not
// given.
static plStatus read_axis(plSdf* sdf, const plSdfFrame* joint, const plXml* axis, plVec3* direction,
                          plDofDef* d, double* effort) {
  plRobot* robot = sdf->robot;
  const plXml *xyz = pl_xml_child(axis, "xyz"), *limit = pl_xml_child(axis, "limit"),
              *dynamics = pl_xml_child(axis, "dynamics");
  double x[3] = {0, 0, 1};
  plStatus status = xyz ? pl_xml_numbers(xyz, xyz->text, "the axis", x, 3, 3, NULL, robot->error) : PL_OK;
  if (status) return status;
  *direction = v3(x[0], x[1], x[2]);
  const char *expressed = xyz ? pl_xml_attr(xyz, "expressed_in") : NULL,
             *old = pl_xml_child_text(axis, "use_parent_model_frame");
  bool in_model = false;
  if (old) status = pl_xml_bool(axis, old, &in_model, robot->error);
  if (status) return status;
  if (in_model && !expressed) expressed = "__model__";  // the notation before 1.7
  if (expressed && expressed[0]) {
    int frame = pl_sdf_find(sdf, joint->scope, expressed);
    plPose pose = pose_identity();
    assert(frame >= 0 || xyz);  // the model's own frame exists
    if (frame < 0 && strcmp(expressed, "world"))
      return pl_xml_fail(xyz, robot->error, "the axis is expressed in '%s', which does not exist", expressed);
    if (frame >= 0) status = pl_sdf_resolve(sdf, frame, &pose);
    *direction = quat_rotate(quat_conj(joint->pose.q), quat_rotate(pose.q, *direction));
  }
  double lower = -INFINITY, upper = INFINITY, speed = -1;
  if (limit && !status) status = pl_sdf_number(sdf, limit, "lower", &lower);
  if (limit && !status) status = pl_sdf_number(sdf, limit, "upper", &upper);
  if (limit && !status) status = pl_sdf_number(sdf, limit, "effort", effort);
  if (limit && !status) status = pl_sdf_number(sdf, limit, "velocity", &speed);
  if (lower > -1e15) d->lower = lower;
  if (upper < 1e15) d->upper = upper;
  if (*effort > 0 && *effort < 1e15) d->effort = *effort;
  if (speed > 0 && speed < 1e15) d->speed = speed;
  double friction = 0;
  if (dynamics && !status) status = pl_sdf_number(sdf, dynamics, "damping", &d->damping);
  if (dynamics && !status) status = pl_sdf_number(sdf, dynamics, "friction", &friction);
  if (dynamics && !status) status = pl_sdf_number(sdf, dynamics, "spring_stiffness", &d->stiffness);
  if (dynamics && !status) status = pl_sdf_number(sdf, dynamics, "spring_reference", &d->rest);
  d->friction = pl_robot_friction(robot, dynamics ? dynamics : axis, friction, d->effort);
  return status;
}

// Parent or child: the link that carries the named frame, -1: the world; and the pose of that frame in the
// file's world.
static plStatus find_end(plSdf* sdf, const plSdfFrame* joint, const char* end, int* link, plPose* pose) {
  const char* name = pl_sdf_end(joint->node, end);
  *link = -1;
  *pose = pose_identity();
  if (!name || !name[0])
    return pl_xml_fail(joint->node, sdf->robot->error, "the joint '%s' needs a <%s>", joint->name, end);
  if (!strcmp(name, "world")) return PL_OK;
  int frame = pl_sdf_find(sdf, joint->scope, name);
  if (frame < 0)
    return pl_xml_fail(joint->node, sdf->robot->error, "the %s '%s' of joint '%s' does not exist", end, name,
                       joint->name);
  plStatus status = pl_sdf_resolve(sdf, frame, pose);
  return status ? status : pl_sdf_link_of(sdf, frame, link);
}

// Actuators: one for each joint of one dof whose effort limit is not 0, with PD gains where Drake's tag gives
// them.
static plStatus add_actuator(plSdf* sdf, const plSdfFrame* frame, int joint, double effort) {
  plRobot* robot = sdf->robot;
  const plXml* gains = pl_xml_child(frame->node, "drake:controller_gains");
  if (effort == 0 || pl_joint_nv(robot->spec->joint[joint].kind) != 1) return PL_OK;
  return pl_robot_place(robot, frame->node, pl_robot_add_motor(robot, frame->name, joint, gains));
}

// Drake's <drake:joint type="planar"> gives damping alone; the plane is the joint frame's x and y.
static plStatus read_axes(plSdf* sdf, const plSdfFrame* frame, plJointDef* def, double* effort) {
  const plXml *axis = pl_xml_child(frame->node, "axis"), *axis2 = pl_xml_child(frame->node, "axis2");
  plStatus status = PL_OK;
  if (def->kind == PL_JOINT_PLANAR) {
    const plXml* damping = pl_xml_child(frame->node, "drake:damping");
    double d[3] = {0};
    def->axis = v3(1, 0, 0), def->axis2 = v3(0, 1, 0);
    if (damping)
      status = pl_xml_numbers(damping, damping->text, "the damping", d, 3, 3, NULL, sdf->robot->error);
    for (int k = 0; k < 3; k++) def->dof[k].damping = d[k];
    return status;
  }
  if (axis) status = read_axis(sdf, frame, axis, &def->axis, &def->dof[0], effort);
  if (axis2 && !status && def->kind == PL_JOINT_UNIVERSAL) {
    double ignored = -1;
    status = read_axis(sdf, frame, axis2, &def->axis2, &def->dof[1], &ignored);
  }
  if (def->kind == PL_JOINT_BALL) {
    for (int k = 1; k < 3; k++) def->dof[k] = def->dof[0];
  }
  double pitch = 0, thread = 0;
  if (!status) status = pl_sdf_number(sdf, frame->node, "screw_thread_pitch", &pitch);
  if (!status) status = pl_sdf_number(sdf, frame->node, "thread_pitch", &thread);
  // the old element is in radians per metre, with the other sign
  def->pitch = pitch != 0 ? pitch : thread != 0 ? -2 * PI / thread : 0;
  return status;
}

static plStatus add_joint(plSdf* sdf, plSdfFrame* frame) {
  plRobot* robot = sdf->robot;
  plJointDef def = pl_default_joint_def();
  const char* type = pl_xml_attr(frame->node, "type");
  if (type && !strcmp(type, "gearbox")) {
    pl_robot_warn(robot, frame->node, "ignored: a joint of type %s, which couples two others", type);
    pl_xml_use_all(frame->node);
    return PL_OK;
  }
  if (!type || !joint_kind(type, &def.kind))
    return pl_xml_fail(frame->node, robot->error,
                       "the type '%s' of joint '%s' is not known; there are fixed, revolute, continuous, "
                       "prismatic, ball, universal and screw",
                       type ? type : "", frame->name);
  int parent, child, id = -1, world;
  double effort = -1;
  plPose at_parent, at_child;
  plStatus status = find_end(sdf, frame, "parent", &parent, &at_parent);
  if (!status) status = find_end(sdf, frame, "child", &child, &at_child);
  if (!status && child < 0)
    status =
        pl_xml_fail(frame->node, robot->error, "the world cannot be the child of joint '%s'", frame->name);
  if (!status) status = read_axes(sdf, frame, &def, &effort);
  if (!status) status = pl_robot_parent(robot, &world);
  if (status) return status;
  assert(parent < sdf->nframe && child >= 0 && child < sdf->nframe);
  if ((parent >= 0 && sdf->frame[parent].body < 0) || sdf->frame[child].body < 0)
    return pl_xml_fail(frame->node, robot->error,
                       "joint '%s' names a deformable link; hold deformables with attachments", frame->name);
  def.name = pl_robot_full_name(robot, frame->name);
  def.parent = parent < 0 ? world : sdf->frame[parent].body, def.child = sdf->frame[child].body;
  // Drake's joints make the two frames that they name coincide; others have a frame of their own
  if (strcmp(frame->node->name, "drake:joint")) at_parent = at_child = frame->pose;
  def.pose = parent < 0 ? pose_mul(robot->def->pose, at_parent)
                        : pose_mul(pose_inverse(sdf->frame[parent].pose), at_parent);
  def.child_pose = pose_mul(pose_inverse(sdf->frame[child].pose), at_child);
  const plXml *rotor = pl_xml_child(frame->node, "drake:rotor_inertia"),
              *gear = pl_xml_child(frame->node, "drake:gear_ratio");
  if (rotor) status = pl_sdf_number(sdf, frame->node, "drake:rotor_inertia", &def.dof[0].rotor_inertia);
  if (gear && !status) status = pl_sdf_number(sdf, frame->node, "drake:gear_ratio", &def.dof[0].gear_ratio);
  if (!status && def.name) pl_robot_tame(robot, frame->node, &def);
  if (!status && def.name && pl_sdf_closes_loop(sdf, def.parent, def.child))
    return pl_sdf_close_loop(sdf, frame, &def);
  if (!status)
    status = def.name ? pl_spec_add_joint(robot->spec, &def, &id, robot->error)
                      : pl_fail_out_of_memory(robot->error, 256);
  status = pl_robot_place(robot, frame->node, status);
  if (status) return status;
  sdf->frame[child].child = true;
  sdf->up[def.child] = def.parent;
  return add_actuator(sdf, frame, id, effort);
}

static plStatus add_mimic(plSdf* sdf, const plSdfFrame* frame) {
  plRobot* robot = sdf->robot;
  const plXml *axis = pl_xml_child(frame->node, "axis"), *mimic = pl_xml_child(frame->node, "drake:mimic");
  plConstraintDef def = pl_default_constraint_def();
  plStatus status = PL_OK;
  if (mimic) {
    status = pl_xml_number_attr(mimic, "multiplier", &def.ratio, robot->error);
    if (!status) status = pl_xml_number_attr(mimic, "offset", &def.offset, robot->error);
  } else if (axis && (mimic = pl_xml_child(axis, "mimic"))) {
    // follower = multiplier (leader - reference) + offset
    double reference = 0;
    status = pl_sdf_number(sdf, mimic, "multiplier", &def.ratio);
    if (!status) status = pl_sdf_number(sdf, mimic, "offset", &def.offset);
    if (!status) status = pl_sdf_number(sdf, mimic, "reference", &reference);
    def.offset -= def.ratio * reference;
    pl_xml_attr(mimic, "axis");
  }
  if (!mimic || status) return status;
  const char* other = pl_xml_attr(mimic, "joint");
  int leader = other ? pl_sdf_find(sdf, frame->scope, other) : -1;
  if (leader < 0 || sdf->frame[leader].kind != PL_SDF_JOINT)
    return pl_xml_fail(mimic, robot->error, "joint '%s' mimics '%s', which does not exist", frame->name,
                       other ? other : "");
  def.kind = PL_CONSTRAINT_COUPLER;
  def.name = pl_robot_full_name(robot, pl_robot_printf(robot, "%s_mimic", frame->name));
  def.a = pl_spec_find_joint(robot->spec, pl_robot_full_name(robot, frame->name)),
  def.b = pl_spec_find_joint(robot->spec, pl_robot_full_name(robot, sdf->frame[leader].name));
  status = pl_spec_add_constraint(robot->spec, &def, NULL, robot->error);
  return pl_robot_place(robot, mimic, status);
}

// ---- names relative to the top model

static int body_named(void* context, const char* name) {
  plSdf* sdf = context;
  int frame = sdf->nframe ? pl_sdf_find(sdf, sdf->frame[0].name, name) : -1;
  return frame >= 0 ? sdf->frame[frame].body : -1;
}

static int joint_named(void* context, const char* name) {
  plSdf* sdf = context;
  int frame = sdf->nframe ? pl_sdf_find(sdf, sdf->frame[0].name, name) : -1;
  return frame >= 0
             ? pl_spec_find_joint(sdf->robot->spec, pl_robot_full_name(sdf->robot, sdf->frame[frame].name))
             : -1;
}

// ---- frames

// A <frame> becomes a site on the link that carries it.
static plStatus add_site(plSdf* sdf, int frame) {
  int link;
  plStatus status = pl_sdf_link_of(sdf, frame, &link);
  const plSdfFrame* f = &sdf->frame[frame];
  if (status || sdf->frame[link].body < 0) return status;
  assert(link < sdf->nframe && sdf->frame[link].body < sdf->robot->spec->nbody);
  plSiteDef def = pl_default_site_def();
  def.name = pl_robot_full_name(sdf->robot, f->name), def.body = sdf->frame[link].body;
  if (!def.name) return pl_fail_out_of_memory(sdf->robot->error, 256);
  def.pose = pose_mul(pose_inverse(sdf->frame[link].pose), f->pose);
  return pl_robot_place(sdf->robot, f->node,
                        pl_spec_add_site(sdf->robot->spec, &def, NULL, sdf->robot->error));
}

// ---- models

static plStatus build(plSdf* sdf) {
  plStatus status = PL_OK;
  for (int i = 0; i < sdf->nframe && !status; i++) {
    plPose pose;
    status = pl_sdf_resolve(sdf, i, &pose);
  }
  for (int i = 0; i < sdf->nframe && !status; i++)
    if (sdf->frame[i].kind == PL_SDF_LINK) status = pl_sdf_add_link(sdf, &sdf->frame[i]);
  if (!status) status = pl_sdf_list_parents(sdf);
  for (int i = 0; i < sdf->nframe && !status; i++)
    if (sdf->frame[i].kind == PL_SDF_JOINT) status = add_joint(sdf, &sdf->frame[i]);
  for (int i = 0; i < sdf->nframe && !status; i++)
    if (sdf->frame[i].kind == PL_SDF_JOINT) status = add_mimic(sdf, &sdf->frame[i]);
  for (int i = 0; i < sdf->nframe && !status; i++)
    if (sdf->frame[i].kind == PL_SDF_FRAME) status = add_site(sdf, i);
  for (int i = 0; i < sdf->nframe && !status; i++) {
    const plSdfFrame* f = &sdf->frame[i];
    if (f->kind == PL_SDF_LINK && f->body >= 0 && !f->child)
      status = pl_robot_add_base(sdf->robot, f->node, f->body, f->pose, f->fixed);
  }
  return status;
}

static plStatus load_model(plRobot* robot, const plXml* model, const plXml* include, const char* scope) {
  plSdf sdf = {.robot = robot};
  plStatus status = pl_sdf_collect(&sdf, model, include, scope, false, 0);
  if (!status) status = build(&sdf);
  if (!status) status = pl_robot_drake_tags(robot, model, &(plRobotNames){&sdf, body_named, joint_named});
  pl_free(sdf.frame);
  return status;
}

static plStatus check_version(plRobot* robot, const plXml* root) {
  const char* version = pl_xml_attr(root, "version");
  double value = version ? atof(version) : 0;
  int minor = version && !strncmp(version, "1.", 2) ? atoi(version + 2) : 0;
  if (!version || value < 1 || value >= 2)
    return pl_xml_fail(root, robot->error, "<sdf> needs a version between 1.7 and 1.11, got '%s'",
                       version ? version : "");
  if (minor < 7 || minor > 11)
    pl_robot_warn(robot, root, "SDFormat %s is read as if it were 1.7 to 1.11", version);
  return PL_OK;
}

// The contents of a world: models, and files that contain one.
static bool is_model(const plXml* node) {
  return !strcmp(node->name, "model") || !strcmp(node->name, "include");
}

plStatus pl_sdf_load(plRobot* robot, plXml* root) {
  plStatus status = check_version(robot, root);
  if (status) return status;
  const plXml* world = pl_xml_child(root, "world");
  const plXml* place = world ? world : root;
  if (world) pl_xml_attr(world, "name");
  int count = 0;
  bool own_name = robot->name != NULL;
  for (const plXml* c = place->child; c; c = c->next) count += is_model(c);
  if (!count) return pl_xml_fail(root, robot->error, "the file holds no <model>");
  for (plXml* c = place->child; c && !status; c = c->next) {
    if (!is_model(c)) continue;
    bool include = !strcmp(c->name, "include");
    const plXml* model = c;
    c->used = true;
    if (include) status = pl_sdf_include(robot, c, &model);
    if (status) return status;
    const char *name = pl_xml_attr(model, "name"), *other = include ? pl_xml_child_text(c, "name") : NULL;
    if (other && other[0]) name = other;
    if (!name || !name[0]) name = "model";
    // names of one model are independent of those of the next
    if (!own_name) robot->name = name, memset(robot->name_from, 0, sizeof robot->name_from);
    pl_robot_keep_names(robot, model);
    status = load_model(robot, model, include ? c : NULL, count > 1 && own_name ? name : "");
  }
  return status;
}

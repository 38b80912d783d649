// mjcf.c: MJCF into the spec: includes, compiler options, and the tree of bodies with their joints, geoms and
// inertias.
#include "input/mjcf.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/spec.h"

#define PI 3.14159265358979323846

// ---- includes

// A file in the folder of another.
static const char* find_beside(plRobot* robot, const char* other, const char* file) {
  const char *slash = strrchr(other, '/'), *before = robot->folder;
  if (!slash) return NULL;
  robot->folder = pl_xml_keep(&robot->tree, other, (size_t)(slash - other));
  const char* path = robot->folder ? pl_robot_find_file(robot, file) : NULL;
  robot->folder = before;
  return path;
}

// Puts the children of included files in the place of <include>.
static plStatus expand_includes(plRobot* robot, plXml* node, int depth) {
  if (depth > PL_XML_MAX_DEPTH) return pl_xml_fail(node, robot->error, "elements are nested too deeply");
  plXml** at = &node->child;
  node->last = NULL;
  while (*at) {
    plXml* child = *at;
    if (strcmp(child->name, "include")) {
      plStatus status = expand_includes(robot, child, depth + 1);
      if (status) return status;
      node->last = child;
      at = &child->next;
      continue;
    }
    const char* file = pl_xml_attr(child, "file");
    const char* path = file ? pl_robot_find_file(robot, file) : NULL;
    if (!path && file) path = find_beside(robot, child->file, file);
    if (!path)
      return pl_xml_fail(child, robot->error, "the included file '%.300s' is not found", file ? file : "");
    plXml* root;
    plStatus status = pl_robot_include(robot, path, &root);
    if (status) return status;
    if (strcmp(root->name, "mujoco") && strcmp(root->name, "mujocoinclude"))
      return pl_xml_fail(root, robot->error, "an included file begins with <mujoco> or <mujocoinclude>");
    // the new children are visited in their turn: they may include more
    plXml* first = root->child;
    for (plXml* c = first; c; c = c->next) c->parent = node;
    if (first) {
      root->last->next = child->next;
      *at = first;
    } else {
      *at = child->next;
    }
  }
  return PL_OK;
}

// ---- compiler

static const char* folder_attr(plRobot* robot, const plXml* compiler, const char* name) {
  const char* value = pl_xml_attr(compiler, name);
  size_t n = value ? strlen(value) : 0;
  while (n > 1 && value[n - 1] == '/') n--;
  return n ? pl_xml_keep(&robot->tree, value, n) : NULL;
}

static plStatus read_compiler(plMjcf* m) {
  plRobot* robot = m->robot;
  plStatus status = PL_OK;
  for (const plXml* c = pl_xml_child(m->root, "compiler"); c && !status; c = pl_xml_next(c)) {
    const char *angle = pl_xml_attr(c, "angle"), *coordinate = pl_xml_attr(c, "coordinate"),
               *seq = pl_xml_attr(c, "eulerseq");
    const char *limits = pl_xml_attr(c, "autolimits"), *from_geom = pl_xml_attr(c, "inertiafromgeom"),
               *groups = pl_xml_attr(c, "inertiagrouprange");
    const char *strip = pl_xml_attr(c, "strippath"), *fit = pl_xml_attr(c, "fitaabb");
    if (angle) m->angle = !strcmp(angle, "radian") ? 1 : PI / 180;
    if (coordinate && strcmp(coordinate, "local"))
      return pl_xml_fail(c, robot->error, "global coordinates are not read; convert the file to local ones");
    if (seq) {
      if (strlen(seq) != 3 || strspn(seq, "xyzXYZ") != 3)
        return pl_xml_fail(c, robot->error,
                           "eulerseq must be three of x y z (X Y Z: fixed axes), got '%.20s'", seq);
      memcpy(m->euler, seq, 4);
    }
    if (limits) status = pl_xml_bool(c, limits, &m->autolimits, robot->error);
    if (strip && !status) status = pl_xml_bool(c, strip, &m->strip_path, robot->error);
    if (fit && !status) status = pl_xml_bool(c, fit, &m->fit_box, robot->error);
    if (!status) status = pl_xml_number_attr(c, "boundmass", &m->least_mass, robot->error);
    if (!status) status = pl_xml_number_attr(c, "boundinertia", &m->least_inertia, robot->error);
    if (!status) status = pl_xml_number_attr(c, "settotalmass", &m->total_mass, robot->error);
    if (from_geom)
      m->inertia_from_geom = !strcmp(from_geom, "true") ? 2 : !strcmp(from_geom, "false") ? 0 : 1;
    double range[2];
    if (groups && !status)
      status = pl_xml_numbers(c, groups, "inertiagrouprange", range, 2, 2, NULL, robot->error);
    if (groups && !status) m->group_low = range[0], m->group_high = range[1];
    const char *assets = folder_attr(robot, c, "assetdir"), *meshes = folder_attr(robot, c, "meshdir");
    if (assets || meshes) m->mesh_folder = meshes ? meshes : assets;
  }
  return status;
}

// ---- joints

int pl_mjcf_body(const plMjcf* m, const char* name) {
  return name ? pl_spec_find_body(m->robot->spec, pl_robot_full_name(m->robot, name)) : -1;
}
int pl_mjcf_joint(const plMjcf* m, const char* name) {
  return name ? pl_spec_find_joint(m->robot->spec, pl_robot_full_name(m->robot, name)) : -1;
}

static bool joint_kind(const char* type, plJointKind* kind) {
  if (!strcmp(type, "hinge"))
    *kind = PL_JOINT_REVOLUTE;
  else if (!strcmp(type, "slide"))
    *kind = PL_JOINT_PRISMATIC;
  else if (!strcmp(type, "ball"))
    *kind = PL_JOINT_BALL;
  else if (!strcmp(type, "free"))
    *kind = PL_JOINT_FREE;
  else
    return false;
  return true;
}

static plStatus read_dynamics(plMjcf* m, const plXml* joint, const char* cls, plJointDef* def, double* ref,
                              plMjcfRange* motors) {
  plRobot* robot = m->robot;
  double unit = def->kind == PL_JOINT_REVOLUTE ? m->angle : 1, range[2] = {0}, force[2] = {0}, rest = 0,
         friction = 0;
  plDofDef d = def->dof[0];
  int n = 0, nforce = 0, nrest = 0;
  bool limited = false, force_limited = false;
  plStatus status = pl_mjcf_number(m, joint, "joint", cls, "ref", ref);
  *ref *= unit;
  if (!status) status = pl_mjcf_numbers(m, joint, "joint", cls, "range", range, 2, 2, &n);
  if (!status) status = pl_mjcf_flag(m, joint, "joint", cls, "limited", m->autolimits && n > 0, &limited);
  if (!status) status = pl_mjcf_numbers(m, joint, "joint", cls, "actuatorfrcrange", force, 2, 2, &nforce);
  if (!status)
    status = pl_mjcf_flag(m, joint, "joint", cls, "actuatorfrclimited", m->autolimits && nforce > 0,
                          &force_limited);
  if (!status) status = pl_mjcf_number(m, joint, "joint", cls, "damping", &d.damping);
  if (!status) status = pl_mjcf_number(m, joint, "joint", cls, "armature", &d.armature);
  if (!status) status = pl_mjcf_number(m, joint, "joint", cls, "frictionloss", &friction);
  if (!status) status = pl_mjcf_number(m, joint, "joint", cls, "stiffness", &d.stiffness);
  if (!status) status = pl_mjcf_numbers(m, joint, "joint", cls, "springref", &rest, 1, 1, &nrest);
  if (status) return status;
  bool single = def->kind == PL_JOINT_REVOLUTE || def->kind == PL_JOINT_PRISMATIC;
  if (nforce && force_limited)
    d.effort = fmax(fabs(force[0]), fabs(force[1])), *motors = (plMjcfRange){force[0], force[1]};
  d.friction = pl_robot_friction(robot, joint, friction, d.effort);
  d.rest = unit * rest - *ref;
  if (def->kind == PL_JOINT_FREE && d.stiffness > 0) {
    pl_robot_warn_once(robot, joint, "free spring", "the spring of a free joint is not read");
    d.stiffness = 0;
  }
  // a ball joint may turn away from its zero by the second number, whatever the axis
  if (limited && def->kind == PL_JOINT_BALL) d.upper = m->angle * range[1];
  if (limited && single) d.lower = unit * range[0] - *ref, d.upper = unit * range[1] - *ref;
  for (int k = 0; k < 6; k++) def->dof[k] = d;
  return PL_OK;
}

// One joint of a body. before: what puts the frame that it moves, in the parent; first: no joint of this body
// came before.
static plStatus add_joint(plMjcf* m, const plXml* node, const char* cls, int parent, int body, plPose before,
                          const char* body_name) {
  plRobot* robot = m->robot;
  plJointDef def = pl_default_joint_def();
  bool freejoint = !strcmp(node->name, "freejoint");
  const char* type = freejoint ? "free" : pl_mjcf_attr(m, node, "joint", cls, "type");
  const char* name = pl_xml_attr(node, "name");
  double ref = 0, x[3];
  plMjcfRange motors = {-INFINITY, INFINITY};
  int n;
  if (!joint_kind(type ? type : "hinge", &def.kind))
    return pl_xml_fail(node, robot->error,
                       "the joint type '%.40s' is not known; there are hinge, slide, ball and free", type);
  def.name = name && name[0] ? pl_robot_full_name(robot, name)
                             : pl_robot_free_name(robot, pl_robot_printf(robot, "%s_joint", body_name),
                                                  pl_spec_find_joint);
  if (!def.name) return pl_fail_out_of_memory(robot->error, 256);
  def.parent = parent, def.child = body;
  plStatus status = PL_OK;
  plVec3 anchor = {0, 0, 0};
  if (!freejoint) {
    status = pl_mjcf_numbers(m, node, "joint", cls, "pos", x, 3, 3, &n);
    if (!status && n && def.kind != PL_JOINT_FREE) anchor = v3(x[0], x[1], x[2]);
    if (!status) status = pl_mjcf_numbers(m, node, "joint", cls, "axis", x, 3, 3, &n);
    if (!status && n) def.axis = v3(x[0], x[1], x[2]);
    if (!status) status = read_dynamics(m, node, cls, &def, &ref, &motors);
  }
  if (status) return status;
  def.pose = pose_mul(before, (plPose){anchor, quat_identity()});
  def.child_pose.p = anchor;
  if (def.kind == PL_JOINT_FREE) {
    // its coordinates are the pose in the world
    plPose world = parent < 0 ? before : pose_mul(pl_spec_body_pose(robot->spec, parent), before);
    def.parent = -1, def.pose = pose_identity();
    v3_store(def.position, world.p);
    def.position[3] = world.q.w, def.position[4] = world.q.x, def.position[5] = world.q.y,
    def.position[6] = world.q.z;
  }
  pl_xml_attr(node, "group");
  int id = -1;
  status = pl_spec_add_joint(robot->spec, &def, &id, robot->error);
  status = pl_robot_place(robot, node, status);
  if (status) return status;
  while (m->nref <= id - m->joint0)
    if (!PL_PUSH(m->ref, m->nref, m->ref_cap, 0.0))
      return pl_fail_out_of_memory(robot->error, sizeof(double));
  m->ref[id - m->joint0] = ref;
  while (m->nmotors <= id - m->joint0)
    if (!PL_PUSH(m->motors, m->nmotors, m->motors_cap, ((plMjcfRange){-INFINITY, INFINITY})))
      return pl_fail_out_of_memory(robot->error, sizeof motors);
  m->motors[id - m->joint0] = motors;
  return PL_OK;
}

// All joints of a body; *count says how many. weld: a free joint is left out.
static plStatus add_joints(plMjcf* m, const plXml* node, const char* cls, int parent, int body, plPose pose,
                           const char* body_name, bool weld, int* count) {
  plStatus status = PL_OK;
  *count = 0;
  for (const plXml* j = node->child; j && !status; j = j->next) {
    bool freejoint = !strcmp(j->name, "freejoint");
    if (!freejoint && strcmp(j->name, "joint")) continue;
    ((plXml*)j)->used = true;
    const char* type = freejoint ? "free" : pl_mjcf_attr(m, j, "joint", cls, "type");
    if (weld && type && !strcmp(type, "free")) {
      pl_xml_use_all(j);
      continue;
    }
    status = add_joint(m, j, cls, parent, body, *count ? pose_identity() : pose, body_name);
    ++*count;
  }
  return status;
}

// ---- bodies

// <inertial>: mass, centre and moments
static plStatus read_inertial(plMjcf* m, const plXml* inertial, plInertia* inertia) {
  plPose pose;
  double mass = 0, diagonal[3], full[6];
  int ndiagonal, nfull;
  plStatus status = pl_mjcf_pose(m, inertial, NULL, NULL, &pose);
  if (!status) status = pl_mjcf_number(m, inertial, NULL, NULL, "mass", &mass);
  if (!status) status = pl_mjcf_numbers(m, inertial, NULL, NULL, "diaginertia", diagonal, 3, 3, &ndiagonal);
  if (!status) status = pl_mjcf_numbers(m, inertial, NULL, NULL, "fullinertia", full, 6, 6, &nfull);
  if (status) return status;
  plSym3 I = {0};
  if (nfull)
    I = (plSym3){full[0], full[1], full[2], full[3], full[4], full[5]};
  else if (ndiagonal)
    I = (plSym3){diagonal[0], diagonal[1], diagonal[2], 0, 0, 0};
  if (!(mass >= 0 && isfinite(mass)))
    return pl_xml_fail(inertial, m->robot->error, "the mass must not be negative, got %g", mass);
  *inertia = inertia_of(mass, pose.p, sym3_rotate(quat_matrix(pose.q), I));
  return PL_OK;
}

// Geoms of a body (or of the world, body -1) and of the <frame>s in it, placed at pose in the body.
static plStatus add_geoms(plMjcf* m, const plXml* node, const char* cls, int body, plPose pose,
                          const char* name, plInertia* sum) {
  plRobot* robot = m->robot;
  plStatus status = PL_OK;
  for (const plXml* g = pl_xml_child(node, "geom"); g && !status; g = pl_xml_next(g)) {
    plRobotShape shape = pl_default_robot_shape(g);
    plInertia one;
    bool known;
    shape.body = body, shape.name = name;
    status = pl_mjcf_geom(m, g, cls, &shape, &one, &known);
    if (!status && known) {
      shape.pose = pose_mul(pose, shape.pose);
      *sum = inertia_add(*sum, pl_inertia_at(pose, one));
      if (!shape.name)
        status = pl_fail_out_of_memory(robot->error, 256);
      else
        status = pl_robot_add_shape(robot, &shape);
      if (!status && shape.collide) status = pl_mjcf_add_mask(m, body);
    }
    pl_mesh_destroy((plMesh*)shape.loaded);
  }
  for (const plXml* f = pl_xml_child(node, "frame"); f && !status; f = pl_xml_next(f)) {
    plPose inner;
    const char* child_class = pl_xml_attr(f, "childclass");
    status = pl_mjcf_pose(m, f, NULL, NULL, &inner);
    if (!status)
      status = add_geoms(m, f, child_class ? child_class : cls, body, pose_mul(pose, inner), name, sum);
  }
  return status;
}

static plStatus add_bodies(plMjcf* m, const plXml* node, const char* cls, int parent, plPose pose, bool top);

// boundmass and boundinertia: no body of the file has less; settotalmass: all are scaled to it.
static void bound_inertias(plMjcf* m, int body0) {
  plSpec* spec = m->robot->spec;
  double sum = 0;
  for (int i = body0; i < spec->nbody; i++) {
    plBodyDef* b = &spec->body[i];
    b->mass = fmax(b->mass, m->least_mass);
    for (int k = 0; k < 3; k++) b->inertia[k] = fmax(b->inertia[k], m->least_inertia);
    sum += b->mass;
  }
  double scale = m->total_mass > 0 && sum > 0 ? m->total_mass / sum : 1;
  for (int i = body0; i < spec->nbody && scale != 1; i++) {
    spec->body[i].mass *= scale;
    for (int k = 0; k < 6; k++) spec->body[i].inertia[k] *= scale;
  }
}

static plStatus add_body(plMjcf* m, const plXml* node, const char* cls, int parent, plPose outer, bool top) {
  plRobot* robot = m->robot;
  plSpec* spec = robot->spec;
  const char *own = pl_xml_attr(node, "name"), *child_class = pl_xml_attr(node, "childclass");
  if (child_class) cls = child_class;
  if (++m->nbody > PL_ROBOT_MAX_BODIES)
    return pl_xml_fail(node, robot->error, "a robot may have %d bodies, this one has more",
                       (int)PL_ROBOT_MAX_BODIES);
  const char* name = own && own[0] ? own : pl_robot_printf(robot, "body%d", m->nbody);
  plBodyDef def = pl_default_body_def();
  plPose pose;
  plInertia inertia = {0}, from_geoms = {0};
  double compensation = 0;
  int body = -1, joints = 0;
  const plXml* inertial = pl_xml_child(node, "inertial");
  plStatus status = pl_mjcf_pose(m, node, NULL, NULL, &pose);
  if (!status) status = pl_mjcf_number(m, node, NULL, NULL, "gravcomp", &compensation);
  if (!status && inertial) status = read_inertial(m, inertial, &inertia);
  if (status) return status;
  pose = pose_mul(outer, pose);
  def.name = name ? pl_robot_full_name(robot, name) : NULL;
  if (!def.name) return pl_fail_out_of_memory(robot->error, 256);
  def.gravity = robot->def->gravity * (1 - compensation);
  status = pl_spec_add_body(spec, &def, &body, robot->error);
  if (!status) status = add_geoms(m, node, cls, body, pose_identity(), name, &from_geoms);
  if (!status && (m->inertia_from_geom == 2 || (m->inertia_from_geom == 1 && !inertial)))
    inertia = from_geoms;
  if (!status) {
    plBodyDef full = spec->body[body];
    pl_body_set_inertia(&full, inertia);
    double before = 0;
    for (int k = 0; k < 6; k++) before += full.inertia[k];
    if (!isfinite(full.mass) || !isfinite(before))
      return pl_xml_fail(node, robot->error, "the inertia of '%s' is not finite", name);
    spec->body[body] = full;
  }
  bool weld = top && robot->def->base == PL_BASE_WELD;
  if (!status) status = add_joints(m, node, cls, parent, body, pose, name, weld, &joints);
  if (!status && !joints && top) {
    // pose holds the robot's own pose already
    status = pl_robot_add_base(robot, node, body, pose_mul(pose_inverse(robot->def->pose), pose), true);
  } else if (!status && !joints) {
    plJointDef fixed = pl_default_joint_def();
    fixed.name = pl_robot_free_name(robot, pl_robot_printf(robot, "%s_weld", name), pl_spec_find_joint);
    fixed.kind = PL_JOINT_FIXED, fixed.parent = parent, fixed.child = body, fixed.pose = pose;
    status = fixed.name ? pl_spec_add_joint(spec, &fixed, NULL, robot->error)
                        : pl_fail_out_of_memory(robot->error, 256);
  }
  status = pl_robot_place(robot, node, status);
  return status ? status : add_bodies(m, node, cls, body, pose_identity(), false);
}

// The bodies in a body, in the world or in a <frame>, which stands at pose in the parent.
static plStatus add_bodies(plMjcf* m, const plXml* node, const char* cls, int parent, plPose pose, bool top) {
  plStatus status = PL_OK;
  for (const plXml* c = node->child; c && !status; c = c->next) {
    if (!strcmp(c->name, "flexcomp")) {
      ((plXml*)c)->used = true;
      status = pl_mjcf_flexcomp(m, c, parent, pose);
    }
    if (!strcmp(c->name, "body")) {
      ((plXml*)c)->used = true;
      status = pl_mjcf_is_vertex(m, c) ? pl_mjcf_add_vertex(m, c, parent, pose)
                                       : add_body(m, c, cls, parent, pose, top);
    } else if (!strcmp(c->name, "frame")) {
      plPose inner;
      ((plXml*)c)->used = true;
      const char* child_class = pl_xml_attr(c, "childclass");
      status = pl_mjcf_pose(m, c, NULL, NULL, &inner);
      if (!status)
        status = add_bodies(m, c, child_class ? child_class : cls, parent, pose_mul(pose, inner), top);
    }
  }
  return status;
}

plStatus pl_mjcf_load(plRobot* robot, plXml* root) {
  plStatus status = expand_includes(robot, root, 0);
  const char* own = pl_xml_attr(root, "model");
  if (!robot->name) robot->name = own && own[0] ? own : "robot";
  plMjcf m = {.robot = robot,
              .root = root,
              .angle = PI / 180,
              .euler = "xyz",
              .autolimits = true,
              .inertia_from_geom = 1,
              .group_high = 5,
              .total_mass = -1,
              .joint0 = robot->spec->njoint};
  int parent, body0 = robot->spec->nbody;
  if (!status) status = read_compiler(&m);
  if (!status) status = pl_mjcf_options(&m);
  for (plXml* world = status ? NULL : pl_xml_child(root, "worldbody"); world && !status;
       world = pl_xml_next(world))
    status = pl_mjcf_replicate(&m, world, 0);
  if (!status) status = pl_robot_parent(robot, &parent);
  for (const plXml* world = status ? NULL : pl_xml_child(root, "worldbody"); world && !status;
       world = pl_xml_next(world)) {
    plInertia unused = {0};
    status = add_geoms(&m, world, NULL, parent, robot->def->pose, "world", &unused);
    if (!status) status = add_bodies(&m, world, NULL, parent, robot->def->pose, true);
  }
  if (!status) bound_inertias(&m, body0);
  if (!status) status = pl_mjcf_flexes(&m);
  if (!status) status = pl_mjcf_keep_apart(&m);
  if (!status) status = pl_mjcf_sites(&m);
  if (!status) status = pl_mjcf_actuators(&m);
  if (!status) status = pl_mjcf_constraints(&m);
  if (!status) status = pl_mjcf_sensors(&m);
  if (!status) status = pl_mjcf_keyframe(&m);
  pl_mjcf_use_defaults(root);
  pl_free(m.ref);
  pl_free(m.motors);
  pl_free(m.actuator);
  pl_free(m.mask);
  pl_free(m.paired);
  pl_free(m.vertex);
  return status;
}

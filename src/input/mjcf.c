// mjcf.c: reads MJCF into the spec: the tree of bodies with their joints, geoms and inertias.
#include "input/mjcf.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/eig3.h"
#include "model/spec.h"

// ---- joints

int pl_mjcf_body(const plMjcf* m, const char* name) {
  return name ? pl_spec_find_body(m->robot->spec, pl_robot_full_name(m->robot, name)) : -1;
}
int pl_mjcf_joint(const plMjcf* m, const char* name) {
  int id = name ? pl_spec_find_joint(m->robot->spec, pl_robot_full_name(m->robot, name)) : -1;
  return id >= m->joint0 ? id : -1;  // another robot may have this name
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
                              plMjcfSpring* springs) {
  plRobot* robot = m->robot;
  const plMjcfScope* scope = pl_mjcf_scope(m, joint);
  double unit = def->kind == PL_JOINT_REVOLUTE ? scope->angle : 1, range[2] = {0}, force[2] = {0}, rest = 0,
         friction = 0;
  plDofDef d = def->dof[0];
  int n = 0, nforce = 0, nrest = 0;
  bool limited = false, force_limited = false;
  plStatus status = pl_mjcf_number(m, joint, "joint", cls, "ref", ref);
  *ref *= unit;
  if (!status) status = pl_mjcf_numbers(m, joint, "joint", cls, "range", range, 2, 2, &n);
  if (!status) status = pl_mjcf_flag(m, joint, "joint", cls, "limited", scope->autolimits && n > 0, &limited);
  if (!status) status = pl_mjcf_numbers(m, joint, "joint", cls, "actuatorfrcrange", force, 2, 2, &nforce);
  if (!status)
    status = pl_mjcf_flag(m, joint, "joint", cls, "actuatorfrclimited", scope->autolimits && nforce > 0,
                          &force_limited);
  if (!status) status = pl_mjcf_linear(m, joint, "joint", cls, "damping", &d.damping);
  if (!status) status = pl_mjcf_number(m, joint, "joint", cls, "armature", &d.armature);
  if (!status) status = pl_mjcf_number(m, joint, "joint", cls, "frictionloss", &friction);
  if (!status) status = pl_mjcf_linear(m, joint, "joint", cls, "stiffness", &d.stiffness);
  if (!status) status = pl_mjcf_numbers(m, joint, "joint", cls, "springref", &rest, 1, 1, &nrest);
  if (status) return status;
  bool single = def->kind == PL_JOINT_REVOLUTE || def->kind == PL_JOINT_PRISMATIC;
  if (nforce && force_limited)
    d.effort = fmax(fabs(force[0]), fabs(force[1])), d.force_lower = force[0], d.force_upper = force[1];
  d.friction = pl_robot_friction(robot, joint, friction, d.effort);
  // of ball and free joints the spring pulls to the pose of the file
  d.rest = single ? unit * rest - *ref : 0;
  double spring[2];
  status = pl_mjcf_numbers(m, joint, "joint", cls, "springdamper", spring, 2, 2, &n);
  if (status) return status;
  if (n && single && spring[0] > 0 && spring[1] > 0) springs->time = spring[0], springs->ratio = spring[1];
  // a ball joint may rotate from its zero by the second number, about any axis
  if (limited && def->kind == PL_JOINT_BALL && range[1] != 0) d.upper = scope->angle * range[1];
  if (limited && def->kind == PL_JOINT_BALL && range[1] == 0) {
    pl_robot_warn(robot, joint, "the ball joint '%.100s' has a limit of 0 and is locked", def->name);
    def->locked = true;
  }
  if (limited && single) d.lower = unit * range[0] - *ref, d.upper = unit * range[1] - *ref;
  for (int k = 0; k < 6; k++) def->dof[k] = d;
  return PL_OK;
}

// One joint of a body. before: pose in the parent of the frame that it moves; frame: pose in the body of the
// <frame> around it.
static plStatus add_joint(plMjcf* m, const plXml* node, const char* cls, int parent, int body, plPose before,
                          plPose frame, const char* body_name) {
  plRobot* robot = m->robot;
  plJointDef def = pl_default_joint_def();
  bool freejoint = !strcmp(node->name, "freejoint");
  const char* type = freejoint ? "free" : pl_mjcf_attr(m, node, "joint", cls, "type");
  const char* name = pl_xml_attr(node, "name");
  double ref = 0, x[3];
  plMjcfSpring springs = {0};
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
    if (!status && n) anchor = v3(x[0], x[1], x[2]);
    anchor = def.kind == PL_JOINT_FREE ? v3(0, 0, 0) : pose_apply(frame, anchor);
    if (!status) status = pl_mjcf_numbers(m, node, "joint", cls, "axis", x, 3, 3, &n);
    if (!status && n) def.axis = v3(x[0], x[1], x[2]);
    def.axis = quat_rotate(frame.q, def.axis);
    if (!status) status = read_dynamics(m, node, cls, &def, &ref, &springs);
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
    bool turned = v3_norm(quat_log(world.q)) > 1e-12;  // a spring of ours pulls to the axes of the world
    for (int k = 0; k < 3; k++) def.dof[k].rest = def.position[k];
    for (int k = 3; k < 6 && turned; k++) def.dof[k].stiffness = 0;
    if (turned && def.dof[0].stiffness > 0)
      pl_robot_warn_once(
          robot, node, "free spring",
          "the spring of a free joint of a turned body holds its position, not its orientation");
  }
  pl_xml_attr(node, "group");
  int id = -1;
  pl_robot_tame(robot, node, &def);
  status = pl_spec_add_joint(robot->spec, &def, &id, robot->error);
  status = pl_robot_place(robot, node, status);
  if (status) return status;
  while (m->nref <= id - m->joint0)
    if (!PL_PUSH(m->ref, m->nref, m->ref_cap, 0.0))
      return pl_fail_out_of_memory(robot->error, sizeof(double));
  assert(id >= m->joint0);
  m->ref[id - m->joint0] = ref;
  springs.joint = id;
  if (springs.time > 0 && !PL_PUSH(m->spring, m->nspring, m->spring_cap, springs))
    return pl_fail_out_of_memory(robot->error, sizeof springs);
  return PL_OK;
}

// All joints of a body, in order; *count is their number. weld: a free joint is left out.
static plStatus add_joints(plMjcf* m, const plXml* node, const char* cls, int parent, int body, plPose pose,
                           plPose frame, const char* body_name, bool weld, int* count) {
  plStatus status = PL_OK;
  for (const plXml* j = node->child; j && !status; j = j->next) {
    bool freejoint = !strcmp(j->name, "freejoint");
    if (!strcmp(j->name, "frame")) {
      const char* child_class = pl_xml_attr(j, "childclass");
      plPose inner;
      status = pl_mjcf_pose(m, j, NULL, NULL, &inner);
      if (!status)
        status = add_joints(m, j, child_class ? child_class : cls, parent, body, pose, pose_mul(frame, inner),
                            body_name, weld, count);
      continue;
    }
    if (!freejoint && strcmp(j->name, "joint")) continue;
    ((plXml*)j)->used = true;
    const char* type = freejoint ? "free" : pl_mjcf_attr(m, j, "joint", cls, "type");
    if (weld && type && !strcmp(type, "free")) {
      pl_xml_use_all(j);
      if (!PL_PUSH(m->welded, m->nwelded, m->welded_cap, m->robot->spec->njoint))
        return pl_fail_out_of_memory(m->robot->error, sizeof(int));
      continue;
    }
    status = add_joint(m, j, cls, parent, body, *count ? pose_identity() : pose, frame, body_name);
    ++*count;
  }
  return status;
}

// ---- bodies

// The <inertial> of a body; it may be in a <frame>, whose pose in the body is then *frame; NULL: none.
static plStatus find_inertial(plMjcf* m, const plXml* node, plPose at, plPose* frame,
                              const plXml** inertial) {
  plStatus status = PL_OK;
  *inertial = pl_xml_child(node, "inertial"), *frame = at;
  for (const plXml* f = pl_xml_child(node, "frame"); f && !*inertial && !status; f = pl_xml_next(f)) {
    plPose inner;
    status = pl_mjcf_pose(m, f, NULL, NULL, &inner);
    if (!status) status = find_inertial(m, f, pose_mul(at, inner), frame, inertial);
  }
  return status;
}

// <inertial>: mass, centre and moments
static plStatus read_inertial(plMjcf* m, const plXml* inertial, plPose frame, plInertia* inertia) {
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
  pose = pose_mul(frame, pose);
  *inertia = inertia_of(mass, pose.p, sym3_rotate(quat_matrix(pose.q), I));
  return PL_OK;
}

// Geoms of a body (or of the world, body -1) and of the <frame>s in it, at pose in the body.
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
    b->mass = fmax(b->mass, m->main.least_mass);
    for (int k = 0; k < 3; k++) b->inertia[k] = fmax(b->inertia[k], m->main.least_inertia);
    sum += b->mass;
  }
  double scale = m->main.total_mass > 0 && sum > 0 ? m->main.total_mass / sum : 1;
  for (int i = body0; i < spec->nbody && scale != 1; i++) {
    spec->body[i].mass *= scale;
    for (int k = 0; k < 6; k++) spec->body[i].inertia[k] *= scale;
  }
}

// balanceinertia: physically impossible moments are replaced by their mean.
static void balance_moments(plBodyDef* body) {
  const double* I = body->inertia;
  double w[3], sum = I[0] + I[1] + I[2];
  plMat3 Q;
  if (!isfinite(sum + I[3] + I[4] + I[5])) return;
  pl_eig3(sym3_matrix((plSym3){I[0], I[1], I[2], I[3], I[4], I[5]}), w, &Q);
  for (int k = 0; k < 6 && w[2] > w[0] + w[1]; k++) body->inertia[k] = k < 3 ? sum / 3 : 0;
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
  int body = -1, joints = 0, from_geom = pl_mjcf_scope(m, node)->inertia_from_geom;
  const plXml* inertial;
  plPose frame;
  plStatus status = find_inertial(m, node, pose_identity(), &frame, &inertial);
  if (!status) status = pl_mjcf_pose(m, node, NULL, NULL, &pose);
  if (!status) status = pl_mjcf_number(m, node, NULL, NULL, "gravcomp", &compensation);
  if (!status && inertial) status = read_inertial(m, inertial, frame, &inertia);
  if (status) return status;
  pose = pose_mul(outer, pose);
  def.name = name ? pl_robot_full_name(robot, name) : NULL;
  if (!def.name) return pl_fail_out_of_memory(robot->error, 256);
  def.gravity = robot->def->gravity * (1 - compensation);
  status = pl_spec_add_body(spec, &def, &body, robot->error);
  if (!status) status = add_geoms(m, node, cls, body, pose_identity(), name, &from_geoms);
  if (!status && (from_geom == 2 || (from_geom == 1 && !inertial))) inertia = from_geoms;
  if (!status) {
    plBodyDef full = spec->body[body];
    pl_body_set_inertia(&full, inertia);
    if (pl_mjcf_scope(m, node)->balance) balance_moments(&full);
    if (inertial) pl_robot_check_inertia(robot, node, &full);
    double before = 0;
    for (int k = 0; k < 6; k++) before += full.inertia[k];
    if (!isfinite(full.mass) || !isfinite(before))
      return pl_xml_fail(node, robot->error, "the inertia of '%s' is not finite", name);
    spec->body[body] = full;
  }
  bool weld = top && robot->def->base == PL_BASE_WELD;
  if (!status) status = add_joints(m, node, cls, parent, body, pose, pose_identity(), name, weld, &joints);
  if (!status && !joints && top) {
    // pose includes the robot's own pose already
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

// The bodies in a body, in the world or in a <frame> at pose in the parent.
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

// springdamper: a joint's spring and damper from the time constant and the damping ratio, with the inertia
// that an actuator on it would feel.
static plStatus set_springs(plMjcf* m) {
  for (int i = 0; i < m->nspring; i++) {
    const plMjcfSpring* s = &m->spring[i];
    assert(s->joint >= 0 && s->joint < m->robot->spec->njoint);
    plJointDef* def = &m->robot->spec->joint[s->joint];
    plActuatorDef probe = pl_default_actuator_def();
    double inertia;
    probe.joint = s->joint;
    plStatus status = pl_mjcf_felt_inertia(m, &probe, &inertia);
    if (status) return status;
    def->dof[0].stiffness = inertia / (s->time * s->time * s->ratio * s->ratio);
    def->dof[0].damping = 2 * inertia / s->time;
  }
  return PL_OK;
}

plStatus pl_mjcf_load(plRobot* robot, plXml* root) {
  plStatus status = pl_mjcf_include(robot, root, 0);
  const char* own = pl_xml_attr(root, "model");
  if (!robot->name) robot->name = own && own[0] ? own : "robot";
  pl_robot_keep_names(robot, root);
  plMjcf m = {.robot = robot, .root = root, .joint0 = robot->spec->njoint};
  int parent, body0 = robot->spec->nbody;
  if (!status) status = pl_mjcf_read_scope(robot, root, &m.main);
  if (!status) status = pl_mjcf_attach(&m, root, 0);
  if (!status) status = pl_mjcf_options(&m);
  for (plXml* world = status ? NULL : pl_xml_child(root, "worldbody"); world && !status;
       world = pl_xml_next(world))
    status = pl_mjcf_replicate(&m, root, world, 0);
  if (!status) status = pl_robot_parent(robot, &parent);
  for (const plXml* world = status ? NULL : pl_xml_child(root, "worldbody"); world && !status;
       world = pl_xml_next(world)) {
    plInertia unused = {0};
    status = add_geoms(&m, world, NULL, parent, robot->def->pose, "world", &unused);
    if (!status) status = add_bodies(&m, world, NULL, parent, robot->def->pose, true);
  }
  if (!status) bound_inertias(&m, body0), status = set_springs(&m);
  if (!status) status = pl_mjcf_flexes(&m);
  if (!status) status = pl_mjcf_keep_apart(&m);
  if (!status) status = pl_mjcf_sites(&m);
  if (!status) status = pl_mjcf_actuators(&m);
  if (!status) status = pl_mjcf_constraints(&m);
  if (!status) status = pl_mjcf_sensors(&m);
  if (!status) status = pl_mjcf_keyframe(&m);
  pl_mjcf_use_defaults(root);
  pl_free(m.ref), pl_free(m.welded);
  pl_free(m.spring);
  pl_free(m.actuator);
  pl_free(m.mask);
  pl_free(m.paired);
  pl_free(m.vertex);
  return status;
}

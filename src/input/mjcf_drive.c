// mjcf_drive.c: equality constraints, contact exclusions and keyframes of an MJCF file.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "input/mjcf.h"
#include "model/side.h"
#include "model/spec.h"

// ---- constraints

static int constraint_named(const plSpec* spec, const char* name) {
  for (int i = 0; i < spec->nconstraint; i++)
    if (!strcmp(spec->constraint[i].name, name)) return i;
  return -1;
}

plStatus pl_mjcf_add_constraint(plMjcf* m, const plXml* node, plConstraintDef* def) {
  plRobot* robot = m->robot;
  const char *name = pl_xml_attr(node, "name"), *active = pl_xml_attr(node, "active");
  if (active && !strcmp(active, "false")) def->off = true;
  def->name = pl_robot_free_name(robot, name && name[0] ? name : node->name, constraint_named);
  return pl_robot_place(m->robot, node,
                        def->name ? pl_spec_add_constraint(robot->spec, def, NULL, robot->error)
                                  : pl_fail_out_of_memory(robot->error, 256));
}

// connect and weld between sites: their points, or frames, coincide
static plStatus add_site_pair(plMjcf* m, const plXml* node, bool weld) {
  plConstraintDef def = pl_default_constraint_def();
  plMjcfSite a, b;
  plStatus status = pl_mjcf_site(m, node, "site1", &a);
  if (!status) status = pl_mjcf_site(m, node, "site2", &b);
  if (status) return status;
  def.kind = weld ? PL_CONSTRAINT_WELD : PL_CONSTRAINT_BALL;
  def.a = a.body, def.b = b.body, def.pose_a = a.pose, def.pose_b = b.pose;
  return pl_mjcf_add_constraint(m, node, &def);
}

// connect and weld: two bodies, the second may be left out (the world)
static plStatus add_body_pair(plMjcf* m, const plXml* node, bool weld) {
  plRobot* robot = m->robot;
  const char *first = pl_xml_attr(node, "body1"), *second = pl_xml_attr(node, "body2");
  plConstraintDef def = pl_default_constraint_def();
  double x[7];
  int n;
  if (!first && pl_xml_attr(node, "site1")) return add_site_pair(m, node, weld);
  bool first_world = first && !strcmp(first, "world"), second_world = !second || !strcmp(second, "world");
  if (!first || (!first_world && pl_mjcf_body(m, first) < 0) ||
      (!second_world && pl_mjcf_body(m, second) < 0) || (first_world && second_world))
    return pl_xml_fail(node, robot->error, "<%s> must name bodies of the file (body1 and perhaps body2)",
                       node->name);
  def.kind = weld ? PL_CONSTRAINT_WELD : PL_CONSTRAINT_BALL;
  def.a = first_world ? -1 : pl_mjcf_body(m, first), def.b = second_world ? -1 : pl_mjcf_body(m, second);
  plPose a = def.a < 0 ? pose_identity() : pl_spec_body_pose(robot->spec, def.a),
         b = def.b < 0 ? pose_identity() : pl_spec_body_pose(robot->spec, def.b);
  plStatus status = pl_mjcf_numbers(m, node, "equality", NULL, "anchor", x, 3, 3, &n);
  if (status) return status;
  if (!weld) {
    if (!n) return pl_xml_fail(node, robot->error, "<connect> needs an anchor");
    def.pose_a.p = v3(x[0], x[1], x[2]);
    def.pose_b.p = pose_apply_inverse(b, pose_apply(a, def.pose_a.p));
    return pl_mjcf_add_constraint(m, node, &def);
  }
  // as at the start, unless relpose gives the pose of the second in the first
  def.pose_a = pose_mul(pose_inverse(a), b);
  status = pl_mjcf_numbers(m, node, "equality", NULL, "relpose", x, 7, 7, &n);
  if (!status && n && x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6] > 0)
    def.pose_a = (plPose){v3(x[0], x[1], x[2]), quat_unit((plQuat){x[3], x[4], x[5], x[6]})};
  // the world's origin may be far away: the frames are placed at the body
  if (def.b < 0) def.pose_b = pose_inverse(def.pose_a), def.pose_a = pose_identity();
  return status ? status : pl_mjcf_add_constraint(m, node, &def);
}

// q1 = c0 + c1 q2, or q1 = c0
static plStatus add_joint_pair(plMjcf* m, const plXml* node) {
  plRobot* robot = m->robot;
  const char *first = pl_xml_attr(node, "joint1"), *second = pl_xml_attr(node, "joint2");
  int a = pl_mjcf_joint(m, first), b = pl_mjcf_joint(m, second), n;
  double c[5] = {0, 1, 0, 0, 0};
  plStatus status = pl_mjcf_numbers(m, node, "equality", NULL, "polycoef", c, 1, 5, &n);
  if (status) return status;
  if (a < 0 || (second && b < 0))
    return pl_xml_fail(node, robot->error,
                       "<joint> must name joints of the file (joint1 and perhaps joint2)");
  if (c[2] != 0 || c[3] != 0 || c[4] != 0) {
    pl_robot_warn(robot, node, "ignored: an equality between joints that is not linear");
    return PL_OK;
  }
  plConstraintDef def = pl_default_constraint_def();
  double one = 1;
  if (second)
    def.kind = PL_CONSTRAINT_COUPLER, def.a = a, def.b = b, def.ratio = c[1], def.offset = c[0];
  else
    def.kind = PL_CONSTRAINT_TENDON, def.njoint = 1, def.joint = &a, def.coefficient = &one,
    def.lower = def.upper = c[0];
  return pl_mjcf_add_constraint(m, node, &def);
}

static plStatus add_exclude(plMjcf* m, const plXml* node) {
  const char *first = pl_xml_attr(node, "body1"), *second = pl_xml_attr(node, "body2");
  pl_xml_attr(node, "name");
  int a = pl_mjcf_body(m, first), b = pl_mjcf_body(m, second);
  bool world_a = first && !strcmp(first, "world"), world_b = second && !strcmp(second, "world");
  if ((a < 0 && !world_a) || (b < 0 && !world_b))
    return pl_xml_fail(node, m->robot->error, "<exclude> must name two bodies of the file");
  return pl_spec_exclude(m->robot->spec, pl_side_of_body(a), pl_side_of_body(b), m->robot->error);
}

plStatus pl_mjcf_constraints(plMjcf* m) {
  plStatus status = PL_OK;
  for (const plXml* list = pl_xml_child(m->root, "equality"); list && !status; list = pl_xml_next(list)) {
    for (const plXml* c = pl_xml_child(list, "connect"); c && !status; c = pl_xml_next(c))
      status = add_body_pair(m, c, false);
    for (const plXml* c = pl_xml_child(list, "weld"); c && !status; c = pl_xml_next(c))
      status = add_body_pair(m, c, true);
    for (const plXml* c = pl_xml_child(list, "joint"); c && !status; c = pl_xml_next(c))
      status = add_joint_pair(m, c);
    for (const plXml* c = pl_xml_child(list, "tendon"); c && !status; c = pl_xml_next(c))
      status = pl_mjcf_tendon_pair(m, c);
  }
  if (!status) status = pl_mjcf_tendons(m);
  for (const plXml* list = pl_xml_child(m->root, "contact"); list && !status; list = pl_xml_next(list)) {
    for (const plXml* e = pl_xml_child(list, "exclude"); e && !status; e = pl_xml_next(e))
      status = add_exclude(m, e);
    // contact pairs are handled in mjcf_geom.c; their other attributes are not read
    for (const plXml* e = pl_xml_child(list, "pair"); e; e = pl_xml_next(e))
      pl_xml_attr(e, "name"), pl_xml_attr(e, "geom1"), pl_xml_attr(e, "geom2");
  }
  return status;
}

// ---- keyframes

// The numbers of an attribute, as many as there are joints' coordinates (or dofs); NULL where there is none.
static plStatus key_numbers(plMjcf* m, const plXml* key, const char* name, int n, const double** values) {
  const char* text = pl_xml_attr(key, name);
  *values = NULL;
  if (!text) return PL_OK;
  double* x = PL_ARENA_NEW(&m->robot->tree.arena, double, n + 1);
  if (!x) return pl_fail_out_of_memory(m->robot->error, (size_t)n * sizeof(double));
  *values = x;
  return pl_xml_numbers(key, text, name, x, n, n, NULL, m->robot->error);
}

static plStatus apply_key(plMjcf* m, const plXml* key) {
  plSpec* spec = m->robot->spec;
  int nq = 0, nv = 0;
  for (int j = m->joint0; j < spec->njoint; j++)
    nq += pl_joint_nq(spec->joint[j].kind), nv += pl_joint_nv(spec->joint[j].kind);
  nq += 7 * m->nwelded, nv += 6 * m->nwelded;
  const double *q, *v, *u;
  plStatus status = key_numbers(m, key, "qpos", nq, &q);
  if (!status) status = key_numbers(m, key, "qvel", nv, &v);
  if (!status) status = key_numbers(m, key, "ctrl", m->nactuator, &u);
  if (status) return status;
  for (int i = 0; u && i < m->nactuator; i++)
    if (m->actuator[i] >= 0) {
      plActuatorDef* def = &spec->actuator[m->actuator[i]];
      def->input[0] = u[i], def->has_input = true;
    }
  int parent;
  if ((status = pl_robot_parent(m->robot, &parent))) return status;
  plPose world = m->robot->def->pose;
  if (parent >= 0) world = pose_mul(pl_spec_body_pose(spec, parent), world);
  for (int j = m->joint0, iq = 0, iv = 0, welded = 0; j < spec->njoint && !status; j++) {
    plJointDef* def = &spec->joint[j];
    for (; welded < m->nwelded && m->welded[welded] <= j; welded++) iq += 7, iv += 6;
    double position[7], velocity[6];
    int kq = pl_joint_nq(def->kind), kv = pl_joint_nv(def->kind);
    for (int k = 0; k < kq; k++)
      position[k] = q ? q[iq + k] - (kq == 1 ? pl_mjcf_ref(m, j) : 0) : def->position[k];
    for (int k = 0; k < kv; k++) velocity[k] = v ? v[iv + k] : def->velocity[k];
    if (def->kind == PL_JOINT_FREE && q) {  // the pose of the robot in the scene moves that of the file
      plQuat turn = {position[3], position[4], position[5], position[6]};
      plPose at = pose_mul(
          world, (plPose){v3_load(position), quat_norm(turn) > 0 ? quat_unit(turn) : quat_identity()});
      v3_store(position, at.p);
      position[3] = at.q.w, position[4] = at.q.x, position[5] = at.q.y, position[6] = at.q.z;
    }
    if (def->kind == PL_JOINT_FREE && v) v3_store(velocity, quat_rotate(world.q, v3_load(velocity)));
    // MuJoCo's angular velocities are in the body, ours in the frame around it
    if (v && kv >= 3) {
      assert(kq >= 4);  // ball and free joints alone
      const double* p = position + kq - 4;
      v3_store(velocity + kv - 3,
               quat_rotate(quat_unit((plQuat){p[0], p[1], p[2], p[3]}), v3_load(velocity + kv - 3)));
    }
    status =
        pl_robot_place(m->robot, key, pl_spec_set_joint_start(spec, j, position, velocity, m->robot->error));
    iq += kq, iv += kv;
  }
  return status;
}

// If joints start outside their limits and the file has a keyframe, that is the obvious start.
static void offer_keyframe(plMjcf* m) {
  const plSpec* spec = m->robot->spec;
  const plXml *list = pl_xml_child(m->root, "keyframe"), *key = list ? pl_xml_child(list, "key") : NULL;
  const char* name = key ? pl_xml_attr(key, "name") : NULL;
  int out = 0;
  for (int j = m->joint0; j < spec->njoint; j++) {
    const plJointDef* def = &spec->joint[j];
    if (pl_joint_nq(def->kind) != 1) continue;
    out += def->position[0] < def->dof[0].lower || def->position[0] > def->dof[0].upper;
  }
  if (key && out)
    pl_robot_warn(m->robot, key, "%d joints start outside their limits; `keyframe: %s` starts inside", out,
                  name ? name : "0");
}

plStatus pl_mjcf_keyframe(plMjcf* m) {
  const char* wanted = m->robot->def->keyframe;
  int index = 0;
  for (const plXml* list = pl_xml_child(m->root, "keyframe"); list; list = pl_xml_next(list))
    for (const plXml* key = pl_xml_child(list, "key"); key; key = pl_xml_next(key), index++) {
      const char* name = pl_xml_attr(key, "name");
      char number[16];
      snprintf(number, sizeof number, "%d", index);
      if (wanted && ((name && !strcmp(name, wanted)) || !strcmp(number, wanted))) return apply_key(m, key);
      if (!wanted) pl_xml_use_all(key);
    }
  if (!wanted) return offer_keyframe(m), PL_OK;
  m->robot->definition = true;
  return pl_fail(m->robot->error, PL_ERROR_INPUT, "there is no keyframe '%s' among the %d of the file",
                 wanted, index);
}

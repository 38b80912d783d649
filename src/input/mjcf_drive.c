// mjcf_drive.c: actuators, equality constraints, tendons, contact exclusions and keyframes of an MJCF file.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "input/mjcf.h"
#include "model/spec.h"

static double ref_of(const plMjcf* m, int joint) {
  return joint - m->joint0 < m->nref ? m->ref[joint - m->joint0] : 0;
}

// ---- fixed tendons: sum coef q

enum { TENDON_JOINTS = 64 };

// The joints of a <fixed> tendon; *offset: what MuJoCo's coordinates add.
static plStatus read_tendon(plMjcf* m, const plXml* node, int* joint, double* coefficient, int* n,
                            double* offset) {
  plRobot* robot = m->robot;
  plStatus status = PL_OK;
  *n = 0, *offset = 0;
  for (const plXml* j = pl_xml_child(node, "joint"); j && !status; j = pl_xml_next(j)) {
    if (*n == TENDON_JOINTS)
      return pl_xml_fail(node, robot->error, "a fixed tendon may have %d joints, this one has more",
                         (int)TENDON_JOINTS);
    int k = (*n)++;
    joint[k] = pl_mjcf_joint(m, pl_xml_attr(j, "joint"));
    if (joint[k] < 0) return pl_xml_fail(j, robot->error, "the tendon names a joint that does not exist");
    if (pl_joint_nv(robot->spec->joint[joint[k]].kind) != 1)
      return pl_xml_fail(j, robot->error, "a fixed tendon runs over hinges and slides");
    coefficient[k] = 0;
    status = pl_xml_number_attr(j, "coef", &coefficient[k], robot->error);
    *offset += coefficient[k] * ref_of(m, joint[k]);
  }
  return status;
}

static const plXml* find_tendon(const plMjcf* m, const char* name) {
  for (const plXml* list = pl_xml_child(m->root, "tendon"); list; list = pl_xml_next(list))
    for (const plXml* t = pl_xml_child(list, "fixed"); t; t = pl_xml_next(t)) {
      const char* own = pl_xml_attr(t, "name");
      if (own && !strcmp(own, name)) return t;
    }
  return NULL;
}

// ---- actuators: f = gain u + bias0 + bias1 l + bias2 ldot, l = gear q

// An attribute of an actuator: its own kind's defaults come before those of <general>.
static plStatus actuator_numbers(plMjcf* m, const plXml* node, const char* name, double* value, int least,
                                 int n, int* count) {
  plStatus status = pl_mjcf_numbers(m, node, node->name, NULL, name, value, least, n, count);
  return status || *count ? status : pl_mjcf_numbers(m, node, "general", NULL, name, value, least, n, count);
}

static plStatus read_law(plMjcf* m, const plXml* node, plActuatorDef* def, bool* known) {
  double gain[10] = {1}, bias[10] = {0}, kp = 1, kv = 0;
  int n;
  plStatus status = PL_OK;
  *known = true;
  def->kind = PL_ACTUATOR_AFFINE;
  if (!strcmp(node->name, "motor")) {
    def->kind = PL_ACTUATOR_MOTOR;
  } else if (!strcmp(node->name, "position")) {
    status = actuator_numbers(m, node, "kp", &kp, 1, 1, &n);
    if (!status) status = actuator_numbers(m, node, "kv", &kv, 1, 1, &n);
    def->kind = PL_ACTUATOR_POSITION, def->kp = kp, def->kd = kv;
  } else if (!strcmp(node->name, "velocity")) {
    kv = 1;
    status = actuator_numbers(m, node, "kv", &kv, 1, 1, &n);
    def->kind = PL_ACTUATOR_VELOCITY, def->kd = kv;
  } else if (!strcmp(node->name, "general")) {
    const char *gain_type = pl_mjcf_attr(m, node, "general", NULL, "gaintype"),
               *bias_type = pl_mjcf_attr(m, node, "general", NULL, "biastype"),
               *dynamics = pl_mjcf_attr(m, node, "general", NULL, "dyntype");
    *known = (!gain_type || !strcmp(gain_type, "fixed")) &&
             (!bias_type || !strcmp(bias_type, "none") || !strcmp(bias_type, "affine")) &&
             (!dynamics || !strcmp(dynamics, "none"));
    status = actuator_numbers(m, node, "gainprm", gain, 1, 10, &n);
    if (!status) status = actuator_numbers(m, node, "biasprm", bias, 1, 10, &n);
    def->gain = gain[0];
    for (int k = 0; k < 3 && bias_type && !strcmp(bias_type, "affine"); k++) def->bias[k] = bias[k];
  } else {
    *known = false;
  }
  return status;
}

// inheritrange: the input's limits are the joint's, stretched about their middle; in MuJoCo's coordinate.
static void inherit_range(const plDofDef* dof, double ref, double factor, plActuatorDef* def) {
  if (!(factor > 0) || def->kind != PL_ACTUATOR_POSITION || !isfinite(dof->lower) || !isfinite(dof->upper))
    return;
  double middle = 0.5 * (dof->lower + dof->upper) + ref, half = 0.5 * factor * (dof->upper - dof->lower);
  def->lower = middle - half, def->upper = middle + half;
}

// actuatorfrcrange of the joint: what its motors may exert, which need not be the same both ways.
static void limit_by_joint(const plMjcf* m, plActuatorDef* def) {
  int k = def->joint - m->joint0;
  if (def->njoint || k < 0 || k >= m->nmotors) return;
  def->force_lower = fmax(def->force_lower, m->motors[k].lower);
  def->force_upper = fmax(def->force_lower, fmin(def->force_upper, m->motors[k].upper));
}

// What the actuator drives: a joint or a fixed tendon, whose joints go into the arrays; *name stays NULL
// where it is neither.
static plStatus read_target(plMjcf* m, const plXml* node, plActuatorDef* def, int* joint, double* coefficient,
                            double* ref, const char** name) {
  plRobot* robot = m->robot;
  const char *own = pl_mjcf_attr(m, node, node->name, NULL, "joint"),
             *tendon = pl_mjcf_attr(m, node, node->name, NULL, "tendon");
  if (!own) own = pl_xml_attr(node, "jointinparent");
  *name = NULL;
  if (own) {
    def->joint = pl_mjcf_joint(m, own);
    if (def->joint < 0)
      return pl_xml_fail(node, robot->error, "the actuator drives joint '%s', which does not exist", own);
    *ref = ref_of(m, def->joint);
    if (pl_joint_nv(robot->spec->joint[def->joint].kind) == 1) *name = own;
    return PL_OK;
  }
  const plXml* fixed = tendon ? find_tendon(m, tendon) : NULL;
  if (!fixed) return PL_OK;
  def->tendon = joint, def->coefficient = coefficient;
  *name = tendon;
  plStatus status = read_tendon(m, fixed, joint, coefficient, &def->njoint, ref);
  if (!status && !def->njoint)
    status = pl_xml_fail(fixed, robot->error, "the tendon '%s' runs over no joint", tendon);
  if (!status) def->joint = joint[0];
  return status;
}

static plStatus add_actuator(plMjcf* m, const plXml* node) {
  plRobot* robot = m->robot;
  plActuatorDef def = pl_default_actuator_def();
  bool known, ctrl_limited, force_limited;
  double gear[6] = {1}, ctrl[2], force[2], inherit = 0, coefficient[TENDON_JOINTS], ref = 0;
  int nctrl, nforce, ngear, joints[TENDON_JOINTS];
  const char* target;
  plStatus status = read_law(m, node, &def, &known);
  if (!status) status = read_target(m, node, &def, joints, coefficient, &ref, &target);
  if (status) return status;
  if (!known || !target) {
    pl_robot_warn(robot, node,
                  "ignored: <%s>; actuators on joints of one degree of freedom and on fixed tendons are read "
                  "(motor, position, velocity, general with fixed gain and affine bias)",
                  node->name);
    pl_xml_use_all(node);
    return PL_OK;
  }
  status = actuator_numbers(m, node, "gear", gear, 1, 6, &ngear);
  if (!status) status = actuator_numbers(m, node, "ctrlrange", ctrl, 2, 2, &nctrl);
  if (!status) status = actuator_numbers(m, node, "forcerange", force, 2, 2, &nforce);
  if (!status) status = actuator_numbers(m, node, "inheritrange", &inherit, 1, 1, &ngear);
  if (!status)
    status =
        pl_mjcf_flag(m, node, node->name, NULL, "ctrllimited", m->autolimits && nctrl > 0, &ctrl_limited);
  if (!status)
    status =
        pl_mjcf_flag(m, node, node->name, NULL, "forcelimited", m->autolimits && nforce > 0, &force_limited);
  if (status) return status;
  def.gear = gear[0];
  if (nctrl && ctrl_limited) def.lower = ctrl[0], def.upper = ctrl[1];
  if (!nctrl && !def.njoint) inherit_range(&robot->spec->joint[def.joint].dof[0], ref, inherit, &def);
  if (nforce && force_limited)
    def.force_lower = fmin(def.gear * force[0], def.gear * force[1]),
    def.force_upper = fmax(def.gear * force[0], def.gear * force[1]);
  limit_by_joint(m, &def);
  // MuJoCo's coordinate is ours plus ref: the difference goes into the constant
  if (ref != 0 && def.kind == PL_ACTUATOR_POSITION) {
    def.kind = PL_ACTUATOR_AFFINE, def.gain = def.kp;
    def.bias[0] = -def.kp * def.gear * ref, def.bias[1] = -def.kp, def.bias[2] = -def.kd;
  } else if (def.kind == PL_ACTUATOR_AFFINE) {
    def.bias[0] += def.bias[1] * def.gear * ref;
  }
  const char* name = pl_xml_attr(node, "name");
  def.name = name && name[0] ? pl_robot_full_name(robot, name)
                             : pl_robot_free_name(robot, target, pl_spec_find_actuator);
  status = def.name ? pl_spec_add_actuator(robot->spec, &def, NULL, robot->error)
                    : pl_fail_out_of_memory(robot->error, 256);
  return pl_robot_place(m->robot, node, status);
}

plStatus pl_mjcf_actuators(plMjcf* m) {
  plStatus status = PL_OK;
  for (const plXml* list = pl_xml_child(m->root, "actuator"); list && !status; list = pl_xml_next(list))
    for (const plXml* node = list->child; node && !status; node = node->next) {
      ((plXml*)node)->used = true;
      int before = m->robot->spec->nactuator;
      status = add_actuator(m, node);
      int id = m->robot->spec->nactuator > before ? before : -1;
      if (!status && !PL_PUSH(m->actuator, m->nactuator, m->actuator_cap, id))
        status = pl_fail_out_of_memory(m->robot->error, sizeof id);
    }
  return status;
}

// ---- constraints

static int constraint_named(const plSpec* spec, const char* name) {
  for (int i = 0; i < spec->nconstraint; i++)
    if (!strcmp(spec->constraint[i].name, name)) return i;
  return -1;
}

static plStatus add_constraint(plMjcf* m, const plXml* node, plConstraintDef* def) {
  plRobot* robot = m->robot;
  const char *name = pl_xml_attr(node, "name"), *active = pl_xml_attr(node, "active");
  if (active && !strcmp(active, "false")) def->off = true;
  def->name = pl_robot_free_name(robot, name && name[0] ? name : node->name, constraint_named);
  return pl_robot_place(m->robot, node,
                        def->name ? pl_spec_add_constraint(robot->spec, def, NULL, robot->error)
                                  : pl_fail_out_of_memory(robot->error, 256));
}

// connect and weld: two bodies, the second may be left out (the world)
static plStatus add_body_pair(plMjcf* m, const plXml* node, bool weld) {
  plRobot* robot = m->robot;
  const char *first = pl_xml_attr(node, "body1"), *second = pl_xml_attr(node, "body2");
  plConstraintDef def = pl_default_constraint_def();
  double x[7];
  int n;
  if (!first && pl_xml_attr(node, "site1")) {
    pl_robot_warn(robot, node, "ignored: <%s> between sites; those between bodies are read", node->name);
    pl_xml_use_all(node);
    return PL_OK;
  }
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
    return add_constraint(m, node, &def);
  }
  // as they stand at the start, unless relpose says how the second stands in the first
  def.pose_a = pose_mul(pose_inverse(a), b);
  status = pl_mjcf_numbers(m, node, "equality", NULL, "relpose", x, 7, 7, &n);
  if (!status && n && x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6] > 0)
    def.pose_a = (plPose){v3(x[0], x[1], x[2]), quat_unit((plQuat){x[3], x[4], x[5], x[6]})};
  // the world's origin may be far away: the frames are brought together at the body
  if (def.b < 0) def.pose_b = pose_inverse(def.pose_a), def.pose_a = pose_identity();
  return status ? status : add_constraint(m, node, &def);
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
  return add_constraint(m, node, &def);
}

static plStatus add_tendon(plMjcf* m, const plXml* node) {
  plConstraintDef def = pl_default_constraint_def();
  int joint[TENDON_JOINTS], n, nrange;
  double coefficient[TENDON_JOINTS], range[2];
  bool limited;
  plStatus status = read_tendon(m, node, joint, coefficient, &n, &def.offset);
  if (!status) status = pl_mjcf_numbers(m, node, "tendon", NULL, "range", range, 2, 2, &nrange);
  if (!status)
    status = pl_mjcf_flag(m, node, "tendon", NULL, "limited", m->autolimits && nrange > 0, &limited);
  if (status) return status;
  // one without limits does nothing but carry actuators
  if (!limited || !nrange) return pl_xml_attr(node, "name"), PL_OK;
  def.kind = PL_CONSTRAINT_TENDON, def.njoint = n, def.joint = joint, def.coefficient = coefficient,
  def.lower = range[0], def.upper = range[1];
  return add_constraint(m, node, &def);
}

static plStatus add_exclude(plMjcf* m, const plXml* node) {
  const char *first = pl_xml_attr(node, "body1"), *second = pl_xml_attr(node, "body2");
  pl_xml_attr(node, "name");
  int a = pl_mjcf_body(m, first), b = pl_mjcf_body(m, second);
  bool world_a = first && !strcmp(first, "world"), world_b = second && !strcmp(second, "world");
  if ((a < 0 && !world_a) || (b < 0 && !world_b))
    return pl_xml_fail(node, m->robot->error, "<exclude> must name two bodies of the file");
  return pl_spec_exclude(m->robot->spec, a, b, m->robot->error);
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
  }
  for (const plXml* list = pl_xml_child(m->root, "tendon"); list && !status; list = pl_xml_next(list))
    for (const plXml* t = pl_xml_child(list, "fixed"); t && !status; t = pl_xml_next(t))
      status = add_tendon(m, t);
  for (const plXml* list = pl_xml_child(m->root, "contact"); list && !status; list = pl_xml_next(list))
    for (const plXml* e = pl_xml_child(list, "exclude"); e && !status; e = pl_xml_next(e))
      status = add_exclude(m, e);
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
  for (int j = m->joint0, iq = 0, iv = 0; j < spec->njoint && !status; j++) {
    plJointDef* def = &spec->joint[j];
    double position[7], velocity[6];
    int kq = pl_joint_nq(def->kind), kv = pl_joint_nv(def->kind);
    for (int k = 0; k < kq; k++)
      position[k] = q ? q[iq + k] - (kq == 1 ? ref_of(m, j) : 0) : def->position[k];
    for (int k = 0; k < kv; k++) velocity[k] = v ? v[iv + k] : def->velocity[k];
    // MuJoCo's angular velocities are in the body, ours in the frame around it
    if (v && kv >= 3) {
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
  if (!wanted) return PL_OK;
  m->robot->definition = true;
  return pl_fail(m->robot->error, PL_ERROR_INPUT, "there is no keyframe '%s' among the %d of the file",
                 wanted, index);
}

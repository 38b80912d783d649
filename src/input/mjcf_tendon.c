// mjcf_tendon.c: tendons of an MJCF file: over joints (<fixed>) and through sites (<spatial>), their ranges,
// springs and dampers. Their actuators are in mjcf_actuator.c.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "input/mjcf.h"
#include "model/spec.h"

// ---- joints and sites

// The joints of a <fixed> tendon; *offset: offset of MuJoCo's coordinates.
plStatus pl_mjcf_tendon(plMjcf* m, const plXml* node, int* joint, double* coefficient, int* n,
                        double* offset) {
  plRobot* robot = m->robot;
  plStatus status = PL_OK;
  *n = 0, *offset = 0;
  for (const plXml* j = pl_xml_child(node, "joint"); j && !status; j = pl_xml_next(j)) {
    if (*n == PL_MJCF_TENDON_JOINTS)
      return pl_xml_fail(node, robot->error, "a fixed tendon may have %d joints, this one has more",
                         (int)PL_MJCF_TENDON_JOINTS);
    int k = (*n)++;
    joint[k] = pl_mjcf_joint(m, pl_xml_attr(j, "joint"));
    if (joint[k] < 0) return pl_xml_fail(j, robot->error, "the tendon names a joint that does not exist");
    if (pl_joint_nv(robot->spec->joint[joint[k]].kind) != 1)
      return pl_xml_fail(j, robot->error, "a fixed tendon runs over hinges and slides");
    coefficient[k] = 0;
    status = pl_xml_number_attr(j, "coef", &coefficient[k], robot->error);
    *offset += coefficient[k] * pl_mjcf_ref(m, joint[k]);
  }
  return status;
}

plStatus pl_mjcf_cable(plMjcf* m, const plXml* node, int* site, int* n, bool* known) {
  plStatus status = PL_OK;
  *n = 0, *known = true;
  for (const plXml* c = node->child; c && !status; c = c->next) {
    if (strcmp(c->name, "site")) {
      *known = false;
      continue;
    }
    if (*n == PL_MJCF_CABLE_SITES)
      return pl_xml_fail(node, m->robot->error, "a spatial tendon may have %d sites, this one has more",
                         (int)PL_MJCF_CABLE_SITES);
    ((plXml*)c)->used = true;
    status = pl_mjcf_find_site(m, c, "site", &site[(*n)++]);
  }
  if (!status && *known && *n < 2)
    status = pl_xml_fail(node, m->robot->error, "a spatial tendon runs through at least two sites");
  return status;
}

// ---- ranges, springs and dampers

// Stiffness and damping of a tendon: an actuator without gain, whose input does nothing. length: MuJoCo's,
// where it starts; ours is that less offset.
static plStatus add_passive(plMjcf* m, const plXml* node, double length, double offset, plActuatorDef* def) {
  plRobot* robot = m->robot;
  double k = 0, d = 0, rest[2] = {-1, -1};
  int n;
  plStatus status = pl_mjcf_linear(m, node, "tendon", pl_xml_attr(node, "class"), "stiffness", &k);
  if (!status) status = pl_mjcf_linear(m, node, "tendon", pl_xml_attr(node, "class"), "damping", &d);
  if (!status)
    status = pl_mjcf_numbers(m, node, "tendon", pl_xml_attr(node, "class"), "springlength", rest, 1, 2, &n);
  if (status || (k == 0 && d == 0)) return status;
  if (k < 0 || d < 0)
    return pl_xml_fail(node, robot->error, "stiffness and damping of a tendon must not be negative");
  if (n == 2 && rest[1] != rest[0])
    pl_robot_warn(robot, node,
                  "the springlength of a tendon is taken as its first number: there is no slack");
  const char* name = pl_xml_attr(node, "name");
  def->kind = PL_ACTUATOR_AFFINE, def->gain = 0, def->has_input = true, def->spring = true;
  def->bias[0] = k * ((rest[0] < 0 ? length : rest[0]) - offset), def->bias[1] = -k, def->bias[2] = -d;
  def->name = pl_robot_free_name(robot, name && name[0] ? name : node->name, pl_spec_find_actuator);
  return pl_robot_place(robot, node,
                        def->name ? pl_spec_add_actuator(robot->spec, def, NULL, robot->error)
                                  : pl_fail_out_of_memory(robot->error, 256));
}

static plStatus add_tendon(plMjcf* m, const plXml* node) {
  plConstraintDef def = pl_default_constraint_def();
  const char* class_name = pl_xml_attr(node, "class");
  int joint[PL_MJCF_TENDON_JOINTS], n, nrange;
  double coefficient[PL_MJCF_TENDON_JOINTS], range[2];
  bool limited;
  plStatus status = pl_mjcf_tendon(m, node, joint, coefficient, &n, &def.offset);
  if (!status) status = pl_mjcf_numbers(m, node, "tendon", class_name, "range", range, 2, 2, &nrange);
  if (!status)
    status = pl_mjcf_flag(m, node, "tendon", class_name, "limited",
                          pl_mjcf_scope(m, node)->autolimits && nrange > 0, &limited);
  if (status) return status;
  double start = 0;  // MuJoCo's springs of tendons rest where those of joints do
  for (int k = 0; k < n; k++) start += coefficient[k] * m->robot->spec->joint[joint[k]].dof[0].rest;
  plActuatorDef spring = pl_default_actuator_def();
  spring.njoint = n, spring.tendon = joint, spring.coefficient = coefficient;
  if (n) status = add_passive(m, node, start + def.offset, def.offset, &spring);
  if (status) return status;
  // one without limits only carries actuators
  if (!limited || !nrange) return pl_xml_attr(node, "name"), PL_OK;
  def.kind = PL_CONSTRAINT_TENDON, def.njoint = n, def.joint = joint, def.coefficient = coefficient,
  def.lower = range[0], def.upper = range[1];
  return pl_mjcf_add_constraint(m, node, &def);
}

static plVec3 site_place(const plSpec* spec, int site) {
  const plSiteDef* s = &spec->site[site];
  return s->body < 0 ? s->pose.p : pose_apply(pl_spec_body_pose(spec, s->body), s->pose.p);
}

// A tendon through sites: its spring, and its range where it runs through two.
static plStatus add_spatial(plMjcf* m, const plXml* node) {
  plRobot* robot = m->robot;
  const char* class_name = pl_xml_attr(node, "class");
  int site[PL_MJCF_CABLE_SITES], n, nrange;
  double range[2], length = 0;
  bool known, limited;
  plStatus status = pl_mjcf_cable(m, node, site, &n, &known);
  if (status) return status;
  ((plXml*)node)->used = true, pl_xml_attr(node, "name");
  if (!known) {
    pl_robot_warn(robot, node, "ignored: <spatial>: it winds around geoms or has pulleys");
    pl_xml_use_all(node);
    return PL_OK;
  }
  for (int k = 0; k + 1 < n; k++)
    length += v3_norm(v3_sub(site_place(robot->spec, site[k + 1]), site_place(robot->spec, site[k])));
  plActuatorDef spring = pl_default_actuator_def();
  spring.nsite = n, spring.site = site;
  status = add_passive(m, node, length, 0, &spring);
  if (!status) status = pl_mjcf_numbers(m, node, "tendon", class_name, "range", range, 2, 2, &nrange);
  if (!status)
    status = pl_mjcf_flag(m, node, "tendon", class_name, "limited",
                          pl_mjcf_scope(m, node)->autolimits && nrange > 0, &limited);
  if (status || !limited || !nrange) return status;
  assert(n >= 2);
  const plSiteDef *a = &robot->spec->site[site[0]], *b = &robot->spec->site[site[1]];
  if (n != 2 || a->body == b->body) {
    pl_robot_warn(robot, node,
                  "ignored: the range of a tendon through more than two sites, or within one body");
    return PL_OK;
  }
  plConstraintDef def = pl_default_constraint_def();
  def.kind = PL_CONSTRAINT_DISTANCE, def.a = a->body, def.b = b->body, def.pose_a = a->pose,
  def.pose_b = b->pose;
  def.lower = range[0] > 0 ? range[0] : -INFINITY, def.upper = range[1];
  return pl_mjcf_add_constraint(m, node, &def);
}

// l1 = c0 + c1 l2, or l1 = c0, from where the file stands
plStatus pl_mjcf_tendon_pair(plMjcf* m, const plXml* node) {
  plRobot* robot = m->robot;
  double c[5] = {0, 1, 0, 0, 0}, coefficient[2 * PL_MJCF_TENDON_JOINTS], unused;
  int joint[2 * PL_MJCF_TENDON_JOINTS], n = 0;
  plConstraintDef def = pl_default_constraint_def();
  plStatus status = pl_mjcf_numbers(m, node, "equality", NULL, "polycoef", c, 1, 5, &n);
  for (int k = 0; k < 2 && !status; k++) {
    const char* name = pl_xml_attr(node, k ? "tendon2" : "tendon1");
    if (k && !name) break;
    const plXml* fixed = name ? pl_mjcf_find_tendon(m, "fixed", name) : NULL;
    bool known = fixed || (name && pl_mjcf_find_tendon(m, "spatial", name));
    if (!known) return pl_xml_fail(node, robot->error, "<tendon> must name tendons of the file");
    if (!fixed || c[2] != 0 || c[3] != 0 || c[4] != 0) {
      pl_robot_warn(robot, node,
                    "ignored: an equality between tendons that is not linear, or of spatial ones");
      pl_xml_use_all(node);
      return PL_OK;
    }
    status = pl_mjcf_tendon(m, fixed, joint + def.njoint, coefficient + def.njoint, &n, &unused);
    assert(status || def.njoint + n <= 2 * PL_MJCF_TENDON_JOINTS);
    for (int i = def.njoint; !status && i < def.njoint + n && k; i++) coefficient[i] *= -c[1];
    if (!status) def.njoint += n;
  }
  def.kind = PL_CONSTRAINT_TENDON, def.joint = joint, def.coefficient = coefficient;
  def.lower = def.upper = c[0];
  return status ? status : pl_mjcf_add_constraint(m, node, &def);
}

plStatus pl_mjcf_tendons(plMjcf* m) {
  plStatus status = PL_OK;
  for (const plXml* list = pl_xml_child(m->root, "tendon"); list && !status; list = pl_xml_next(list)) {
    for (const plXml* t = pl_xml_child(list, "fixed"); t && !status; t = pl_xml_next(t))
      status = add_tendon(m, t);
    for (const plXml* t = pl_xml_child(list, "spatial"); t && !status; t = pl_xml_next(t))
      status = add_spatial(m, t);
  }
  return status;
}

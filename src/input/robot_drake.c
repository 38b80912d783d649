// robot_drake.c: Drake's constraints and collision filters, which are the same in URDF and SDFormat: URDF has
// values in attributes (value, name, link), SDFormat in the element's text.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "input/robot.h"
#include "model/side.h"
#include "model/spec.h"

// The content of an element: its value, name or link, or its text.
static const char* said(const plXml* node) {
  static const char* const names[] = {"value", "name", "link"};
  for (size_t i = 0; i < 3; i++) {
    const char* value = pl_xml_attr(node, names[i]);
    if (value) return value;
  }
  return node->text;
}

// Child "drake:KIND_constraint_NAME" of a node.
static const plXml* part(const plXml* node, const char* kind, const char* name) {
  char tag[80];
  snprintf(tag, sizeof tag, "drake:%s_constraint_%s", kind, name);
  return pl_xml_child(node, tag);
}

static plStatus read_number(plRobot* robot, const plXml* node, const char* kind, const char* name,
                            double* value) {
  const plXml* child = part(node, kind, name);
  return child ? pl_xml_numbers(child, said(child), "the value", value, 1, 1, NULL, robot->error) : PL_OK;
}

static plStatus read_point(plRobot* robot, const plXml* node, const char* kind, const char* name,
                           plVec3* point) {
  const plXml* child = part(node, kind, name);
  double x[3];
  plStatus status =
      child ? pl_xml_numbers(child, said(child), "the point", x, 3, 3, NULL, robot->error) : PL_OK;
  if (child && !status) *point = v3(x[0], x[1], x[2]);
  return status;
}

static plStatus add(plRobot* robot, const plXml* node, const char* kind, int count, plConstraintDef* def) {
  def->name = pl_robot_full_name(robot, pl_robot_printf(robot, "%s_%d", kind, count));
  plStatus status = def->name ? pl_spec_add_constraint(robot->spec, def, NULL, robot->error)
                              : pl_fail_out_of_memory(robot->error, 256);
  return pl_robot_place(robot, node, status);
}

// <drake:ball_constraint>, <drake:distance_constraint>: two bodies with a point each
static plStatus add_pairs(plRobot* robot, const plXml* model, const char* kind, const plRobotNames* names) {
  char tag[64];
  int count = 0;
  bool distance = !strcmp(kind, "distance");
  plStatus status = PL_OK;
  snprintf(tag, sizeof tag, "drake:%s_constraint", kind);
  for (const plXml* node = pl_xml_child(model, tag); node && !status; node = pl_xml_next(node)) {
    const plXml *a = part(node, kind, "body_A"), *b = part(node, kind, "body_B");
    plConstraintDef def = pl_default_constraint_def();
    def.kind = distance ? PL_CONSTRAINT_DISTANCE : PL_CONSTRAINT_BALL;
    def.a = a ? names->body(names->context, said(a)) : -1,
    def.b = b ? names->body(names->context, said(b)) : -1;
    if (def.a < 0 || def.b < 0)
      return pl_xml_fail(node, robot->error, "<%s> must name two links of the model", tag);
    status = read_point(robot, node, kind, "p_AP", &def.pose_a.p);
    if (!status) status = read_point(robot, node, kind, "p_BQ", &def.pose_b.p);
    if (!status && distance) status = read_number(robot, node, kind, "distance", &def.length);
    if (!status && distance) status = read_number(robot, node, kind, "stiffness", &def.stiffness);
    if (!status && distance) status = read_number(robot, node, kind, "damping", &def.damping);
    if (!status) status = add(robot, node, kind, ++count, &def);
  }
  return status;
}

static plStatus add_tendons(plRobot* robot, const plXml* model, const plRobotNames* names) {
  enum { MAX = 64 };
  int count = 0;
  plStatus status = PL_OK;
  for (const plXml* node = pl_xml_child(model, "drake:tendon_constraint"); node && !status;
       node = pl_xml_next(node)) {
    plConstraintDef def = pl_default_constraint_def();
    int joint[MAX], n = 0;
    double coefficient[MAX];
    for (const plXml* j = part(node, "tendon", "joint"); j; j = pl_xml_next(j)) {
      if (n == MAX)
        return pl_xml_fail(node, robot->error, "a tendon may have %d joints, this one has more", (int)MAX);
      joint[n] = names->joint(names->context, said(j)), coefficient[n] = 0;
      if (joint[n] < 0)
        return pl_xml_fail(j, robot->error, "the tendon names joint '%s', which does not exist", said(j));
      status = pl_xml_number_attr(j, "a", &coefficient[n++], robot->error);
      if (status) return status;
    }
    def.kind = PL_CONSTRAINT_TENDON, def.njoint = n, def.joint = joint, def.coefficient = coefficient;
    status = read_number(robot, node, "tendon", "offset", &def.offset);
    if (!status) status = read_number(robot, node, "tendon", "lower_limit", &def.lower);
    if (!status) status = read_number(robot, node, "tendon", "upper_limit", &def.upper);
    if (!status) status = read_number(robot, node, "tendon", "stiffness", &def.stiffness);
    if (!status) status = read_number(robot, node, "tendon", "damping", &def.damping);
    if (!status) status = add(robot, node, "tendon", ++count, &def);
  }
  return status;
}

// ---- groups of links that do not collide with each other

static const plXml* find_group(const plXml* model, const char* name) {
  for (const plXml* g = pl_xml_child(model, "drake:collision_filter_group"); g; g = pl_xml_next(g)) {
    const char* own = pl_xml_attr(g, "name");
    if (own && !strcmp(own, name)) return g;
  }
  return NULL;
}

static plStatus exclude_groups(plRobot* robot, const plXml* a, const plXml* b, const plRobotNames* names) {
  for (const plXml* ma = pl_xml_child(a, "drake:member"); ma; ma = pl_xml_next(ma))
    for (const plXml* mb = pl_xml_child(b, "drake:member"); mb; mb = pl_xml_next(mb)) {
      int ia = names->body(names->context, said(ma)), ib = names->body(names->context, said(mb));
      if (ia < 0 || ib < 0) {
        const plXml* wrong = ia < 0 ? ma : mb;
        return pl_xml_fail(wrong, robot->error, "the collision filter group names '%s', which is not a link",
                           said(wrong));
      }
      plStatus status =
          ia == ib ? PL_OK
                   : pl_spec_exclude(robot->spec, pl_side_of_body(ia), pl_side_of_body(ib), robot->error);
      if (status) return status;
    }
  return PL_OK;
}

static plStatus read_filters(plRobot* robot, const plXml* model, const plRobotNames* names) {
  plStatus status = PL_OK;
  for (const plXml* g = pl_xml_child(model, "drake:collision_filter_group"); g && !status;
       g = pl_xml_next(g)) {
    pl_xml_attr(g, "name");
    for (const plXml* i = pl_xml_child(g, "drake:ignored_collision_filter_group"); i && !status;
         i = pl_xml_next(i)) {
      const plXml* other = find_group(model, said(i));
      status = other ? exclude_groups(robot, g, other, names)
                     : pl_xml_fail(i, robot->error, "there is no collision filter group '%s'", said(i));
    }
  }
  return status;
}

plStatus pl_robot_drake_tags(plRobot* robot, const plXml* model, const plRobotNames* names) {
  plStatus status = add_pairs(robot, model, "ball", names);
  if (!status) status = add_pairs(robot, model, "distance", names);
  if (!status) status = add_tendons(robot, model, names);
  return status ? status : read_filters(robot, model, names);
}

// sdf_loop.c: joints of an SDFormat model that close a loop: their child already has another joint, or
// carries their parent. They become constraints at the initial configuration: fixed a weld, ball a ball,
// revolute two balls on its axis.
#include <assert.h>

#include "base/error.h"
#include "input/sdf.h"
#include "model/spec.h"

plStatus pl_sdf_list_parents(plSdf* sdf) {
  const plSpec* spec = sdf->robot->spec;
  sdf->nup = spec->nbody;
  sdf->up = PL_ARENA_NEW(&sdf->robot->tree.arena, int, sdf->nup);
  if (!sdf->up) return pl_fail_out_of_memory(sdf->robot->error, sizeof(int) * (size_t)sdf->nup);
  for (int i = 0; i < sdf->nup; i++) sdf->up[i] = PL_SDF_LOOSE;
  for (int j = 0; j < spec->njoint; j++) {
    assert(spec->joint[j].child >= 0 && spec->joint[j].child < sdf->nup);
    sdf->up[spec->joint[j].child] = spec->joint[j].parent;
  }
  return PL_OK;
}

bool pl_sdf_closes_loop(const plSdf* sdf, int parent, int child) {
  assert(parent < sdf->nup && child >= 0 && child < sdf->nup);
  if (sdf->up[child] != PL_SDF_LOOSE && sdf->up[child] != parent) return true;
  for (int k = 0; k <= sdf->nup && parent >= 0; k++) {
    if (parent == child) return true;
    parent = sdf->up[parent];
  }
  return false;
}

// The point at a distance along the axis, in both bodies.
static plStatus add_ball(plSdf* sdf, const plSdfFrame* frame, const plJointDef* def, double along,
                         const char* end) {
  plRobot* robot = sdf->robot;
  plConstraintDef ball = pl_default_constraint_def();
  plVec3 p = v3_scale(along, v3_unit(def->axis));
  ball.kind = PL_CONSTRAINT_BALL, ball.a = def->parent, ball.b = def->child;
  ball.pose_a.p = pose_apply(def->pose, p), ball.pose_b.p = pose_apply(def->child_pose, p);
  ball.name = pl_robot_printf(robot, "%s%s", def->name, end);
  return pl_robot_place(robot, frame->node,
                        ball.name ? pl_spec_add_constraint(robot->spec, &ball, NULL, robot->error)
                                  : pl_fail_out_of_memory(robot->error, 256));
}

plStatus pl_sdf_close_loop(plSdf* sdf, const plSdfFrame* frame, const plJointDef* def) {
  const double APART = 0.05;  // m from the joint's point to each of the two points that define its axis
  plRobot* robot = sdf->robot;
  plStatus status = PL_OK;
  plConstraintDef weld = pl_default_constraint_def();
  if (def->kind == PL_JOINT_FIXED) {
    weld.name = def->name, weld.kind = PL_CONSTRAINT_WELD, weld.a = def->parent, weld.b = def->child;
    weld.pose_a = def->pose, weld.pose_b = def->child_pose;
    return pl_robot_place(robot, frame->node, pl_spec_add_constraint(robot->spec, &weld, NULL, robot->error));
  }
  bool turns = def->kind == PL_JOINT_REVOLUTE || def->kind == PL_JOINT_CONTINUOUS;
  if (!turns && def->kind != PL_JOINT_BALL) {
    pl_robot_warn(robot, frame->node,
                  "ignored: a %s joint that closes a loop; only fixed, ball and revolute joints can",
                  pl_joint_kind_name(def->kind));
    return PL_OK;
  }
  pl_robot_warn(
      robot, frame->node,
      "a joint closes a loop and becomes a constraint: without limits, damping, friction and motor");
  if (!turns) return add_ball(sdf, frame, def, 0, "");
  status = add_ball(sdf, frame, def, -APART, "_1");
  return status ? status : add_ball(sdf, frame, def, APART, "_2");
}

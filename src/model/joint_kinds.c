// joint_kinds.c: the list of joints, and the properties derived from their chains of nodes.
#include "model/joint_kinds.h"

#include "math/pose.h"

const plWord pl_joint_words[PL_JOINT_COUNT + 1] = {{"fixed", PL_JOINT_FIXED},
                                                   {"revolute", PL_JOINT_REVOLUTE},
                                                   {"continuous", PL_JOINT_CONTINUOUS},
                                                   {"prismatic", PL_JOINT_PRISMATIC},
                                                   {"screw", PL_JOINT_SCREW},
                                                   {"universal", PL_JOINT_UNIVERSAL},
                                                   {"ball", PL_JOINT_BALL},
                                                   {"planar", PL_JOINT_PLANAR},
                                                   {"free", PL_JOINT_FREE},
                                                   {NULL, 0}};

// clang-format off
const plJointInfo pl_joints[PL_JOINT_COUNT] = {
    [PL_JOINT_FIXED] = {0},
    [PL_JOINT_REVOLUTE] = {.nnode = 1, .node = {{PL_NODE_REVOLUTE, PL_AXIS_FIRST}}},
    [PL_JOINT_CONTINUOUS] = {.nnode = 1, .node = {{PL_NODE_REVOLUTE, PL_AXIS_FIRST}}, .unlimited = true},
    [PL_JOINT_PRISMATIC] = {.nnode = 1, .node = {{PL_NODE_PRISMATIC, PL_AXIS_FIRST}}},
    [PL_JOINT_SCREW] = {.nnode = 1, .node = {{PL_NODE_SCREW, PL_AXIS_FIRST}}},
    [PL_JOINT_UNIVERSAL] = {.nnode = 2, .node = {{PL_NODE_REVOLUTE, PL_AXIS_FIRST}, {PL_NODE_REVOLUTE, PL_AXIS_SECOND}}},
    [PL_JOINT_BALL] = {.nnode = 1, .node = {{PL_NODE_BALL, PL_AXIS_NONE}}},
    [PL_JOINT_PLANAR] = {.nnode = 3, .node = {{PL_NODE_PRISMATIC, PL_AXIS_FIRST}, {PL_NODE_PRISMATIC, PL_AXIS_SECOND},
                                               {PL_NODE_REVOLUTE, PL_AXIS_CROSS}}},
    [PL_JOINT_FREE] = {.nnode = 1, .node = {{PL_NODE_FREE, PL_AXIS_NONE}}},
};
// clang-format on

const char* pl_joint_kind_name(plJointKind kind) {
  return (int)kind >= 0 && kind < PL_JOINT_COUNT ? pl_joint_words[kind].name : "unknown joint";
}

int pl_joint_nq(plJointKind kind) {
  int n = 0;
  for (int k = 0; k < pl_joints[kind].nnode; k++) n += pl_node_nq(pl_joints[kind].node[k].kind);
  return n;
}

int pl_joint_nv(plJointKind kind) {
  int n = 0;
  for (int k = 0; k < pl_joints[kind].nnode; k++) n += pl_node_nv(pl_joints[kind].node[k].kind);
  return n;
}

plJointAxis pl_joint_axes(plJointKind kind) {
  plJointAxis last = PL_AXIS_NONE;
  for (int k = 0; k < pl_joints[kind].nnode; k++)
    if (pl_joints[kind].node[k].axis > last) last = pl_joints[kind].node[k].axis;
  return last;
}

plVec3 pl_joint_node_axis(const plJointDef* def, int node) {
  plJointAxis axis = pl_joints[def->kind].node[node].axis;
  return axis == PL_AXIS_CROSS    ? v3_cross(def->axis, def->axis2)
         : axis == PL_AXIS_SECOND ? def->axis2
                                  : def->axis;
}

double pl_joint_pitch(const plJointDef* def) { return def->pitch / (2 * 3.14159265358979323846); }

static plPose node_motion(int kind, plVec3 axis, double pitch, const double* q) {
  plPose x = pose_identity();
  switch (kind) {
    case PL_NODE_REVOLUTE:
      x.q = quat_from_axis_angle(axis, q[0]);
      break;
    case PL_NODE_PRISMATIC:
      x.p = v3_scale(q[0], axis);
      break;
    case PL_NODE_SCREW:
      x.q = quat_from_axis_angle(axis, q[0]);
      x.p = v3_scale(q[0] * pitch, axis);
      break;
    case PL_NODE_BALL:
      x.q = (plQuat){q[0], q[1], q[2], q[3]};
      break;
    default:
      x = (plPose){{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}};
  }
  return x;
}

plPose pl_joint_motion(const plJointDef* def) {
  const plJointInfo* joint = &pl_joints[def->kind];
  const double* q = def->position;
  plPose x = pose_identity();
  for (int k = 0; k < joint->nnode; k++) {
    int kind = joint->node[k].kind;
    plPose own = node_motion(kind, pl_joint_node_axis(def, k), pl_joint_pitch(def), q);
    x = k ? pose_mul(x, own) : own;
    q += pl_node_nq(kind);
  }
  return x;
}

bool pl_joint_is_length(plJointKind kind, int i) {
  for (int k = 0; k < pl_joints[kind].nnode; k++) {
    int node = pl_joints[kind].node[k].kind;
    if (i < pl_node_nv(node)) return node == PL_NODE_PRISMATIC || (node == PL_NODE_FREE && i < 3);
    i -= pl_node_nv(node);
  }
  return false;
}

bool pl_joint_has_quaternion(plJointKind kind) { return pl_joint_nq(kind) != pl_joint_nv(kind); }

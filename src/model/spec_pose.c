// spec_pose.c: where the bodies of a spec stand at the start, joint by joint.
#include <assert.h>

#include "math/pose.h"
#include "model/spec.h"

#define TWO_PI 6.28318530717958647693

// The motion of a joint at its start: M in F.
static plPose joint_motion(const plJointDef* d) {
  const double* q = d->position;
  plPose x = pose_identity();
  switch (d->kind) {
    case PL_JOINT_FIXED:
      break;
    case PL_JOINT_REVOLUTE:
    case PL_JOINT_CONTINUOUS:
      x.q = quat_from_axis_angle(d->axis, q[0]);
      break;
    case PL_JOINT_PRISMATIC:
      x.p = v3_scale(q[0], d->axis);
      break;
    case PL_JOINT_SCREW:
      x.q = quat_from_axis_angle(d->axis, q[0]);
      x.p = v3_scale(q[0] * d->pitch / TWO_PI, d->axis);
      break;
    case PL_JOINT_UNIVERSAL:
      x.q = quat_mul(quat_from_axis_angle(d->axis, q[0]), quat_from_axis_angle(d->axis2, q[1]));
      break;
    case PL_JOINT_PLANAR:
      x.p = v3_madd(v3_scale(q[0], d->axis), q[1], d->axis2);
      x.q = quat_from_axis_angle(v3_cross(d->axis, d->axis2), q[2]);
      break;
    case PL_JOINT_BALL:
      x.q = (plQuat){q[0], q[1], q[2], q[3]};
      break;
    default:
      x = (plPose){{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}};
  }
  return x;
}

plPose pl_spec_body_pose(const plSpec* spec, int body) {
  assert(spec != NULL);
  plPose x = pose_identity();
  // loops of parents are refused when the model is made; here they only must not go on for ever
  for (int depth = 0; body >= 0 && depth <= spec->nbody; depth++) {
    plPose own = pose_identity();
    int parent = -2;
    for (int j = 0; j < spec->njoint; j++) {
      const plJointDef* d = &spec->joint[j];
      if (d->child != body) continue;
      own = pose_mul(own, pose_mul(d->pose, pose_mul(joint_motion(d), pose_inverse(d->child_pose))));
      parent = d->parent;
    }
    if (parent == -2) own = spec->body[body].pose, parent = -1;
    x = pose_mul(own, x);
    body = parent;
  }
  return x;
}

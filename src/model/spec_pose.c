// spec_pose.c: initial poses of the bodies of a spec, from joint to joint.
#include <assert.h>

#include "math/pose.h"
#include "model/joint_kinds.h"
#include "model/spec.h"

plPose pl_spec_body_pose(const plSpec* spec, int body) {
  assert(spec != NULL);
  plPose x = pose_identity();
  // loops of parents are refused when the model is created; here the loop must only end
  for (int depth = 0; body >= 0 && depth <= spec->nbody; depth++) {
    plPose own = pose_identity();
    int parent = -2;
    for (int j = 0; j < spec->njoint; j++) {
      const plJointDef* d = &spec->joint[j];
      if (d->child != body) continue;
      own = pose_mul(own, pose_mul(d->pose, pose_mul(pl_joint_motion(d), pose_inverse(d->child_pose))));
      parent = d->parent;
    }
    if (parent == -2) own = spec->body[body].pose, parent = -1;
    x = pose_mul(own, x);
    body = parent;
  }
  return x;
}

// spec_pose.c: initial poses of the bodies of a spec, from joint to joint.
#include <assert.h>

#include "base/memory.h"
#include "math/pose.h"
#include "model/joint_kinds.h"
#include "model/spec.h"

plPose pl_joint_pose(const plJointDef* d) {
  return pose_mul(d->pose, pose_mul(pl_joint_motion(d), pose_inverse(d->child_pose)));
}

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
      own = pose_mul(own, pl_joint_pose(d));
      parent = d->parent;
    }
    if (parent == -2) own = spec->body[body].pose, parent = -1;
    x = pose_mul(own, x);
    body = parent;
  }
  return x;
}

// The joints of each body, in order: first[body], then next of each.
typedef struct Lists {
  int *first, *next;  // [nbody], [njoint], -1: no more
} Lists;

static int parent_of(const plSpec* spec, const Lists* l, int body) {
  return l->first[body] < 0 ? -1 : spec->joint[l->first[body]].parent;
}

static void list_joints(const plSpec* spec, Lists* l) {
  for (int i = 0; i < spec->nbody; i++) l->first[i] = -1;
  for (int j = spec->njoint - 1; j >= 0; j--) {
    int child = spec->joint[j].child;
    assert(child >= 0 && child < spec->nbody && spec->joint[j].parent < spec->nbody);
    l->next[j] = l->first[child], l->first[child] = j;
  }
}

bool pl_spec_body_poses(const plSpec* spec, plPose* pose) {
  Lists l = {PL_NEW(int, spec->nbody), PL_NEW(int, spec->njoint)};
  bool* done = PL_NEW(bool, spec->nbody);
  int* path = PL_NEW(int, spec->nbody);  // from a body up to the first whose pose is known
  bool room = l.first && l.next && done && path;
  if (room) list_joints(spec, &l);
  for (int i = 0; room && i < spec->nbody; i++) {
    int n = 0;
    for (int b = i; b >= 0 && !done[b] && n < spec->nbody; b = parent_of(spec, &l, b)) path[n++] = b;
    while (n-- > 0) {
      int b = path[n], parent = parent_of(spec, &l, b);
      plPose x = parent >= 0 && done[parent] ? pose[parent] : pose_identity();
      if (l.first[b] < 0) x = spec->body[b].pose;
      for (int j = l.first[b]; j >= 0; j = l.next[j]) x = pose_mul(x, pl_joint_pose(&spec->joint[j]));
      pose[b] = x, done[b] = true;
    }
  }
  pl_free(l.first), pl_free(l.next), pl_free(done), pl_free(path);
  return room;
}

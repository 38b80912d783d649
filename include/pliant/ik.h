// ik.h: differential inverse kinematics: which joint rates make a point of a body follow a target.
//
//   plIkDef ik = pl_default_ik_def();
//   ik.body = pl_model_find_body(model, "arm/hand");
//   ik.target.p = (plVec3){0.5, 0, 0.3};                            // where its origin is to go
//   pl_ik_step(data, &ik, rate, &error);                            // rate [nv_rigid]
//
// Of the rates within the limits pl_ik_step takes those with the least |J x - y|^2 + damping^2 |x|^2, where y
// is the wanted twist and J the Jacobian. The damping keeps rates finite at singular postures. What the
// target leaves undecided goes towards rest. SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_IK_H
#define PLIANT_IK_H

#include "pliant/data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum plIkGoal {
  PL_IK_POSE,      // position and orientation are to reach the target
  PL_IK_POSITION,  // the position alone
  PL_IK_VELOCITY   // the point is to move with velocity and angular_velocity
} plIkGoal;

typedef struct plIkDef {
  int body;                 // default -1: must be given
  plVec3 point;             // m, in the body's frame; default its origin
  plIkGoal goal;            // default PL_IK_POSE
  plPose target;            // of the body's frame moved to the point, in the world; default identity
  plVec3 velocity;          // m/s, world; for a pose: of the target, which is followed without lag; default 0
  plVec3 angular_velocity;  // rad/s, likewise
  double time;              // s in which the target is to be reached; rates keep the limits of joints for so
                            // long; default 0.01
  double damping;           // m; default 0.02
  double length;            // m: a radian counts as much as this; default 0.3
  double speed;             // rad/s and m/s, at most, of a joint and its own limit; default 1.5
  const bool* move;         // [nv_rigid] which may move; default NULL: all of one degree of freedom
  const double* rest;       // [nv_rigid] rad or m, towards which the undecided part goes; default NULL: none
  double rest_gain;         // 1/s, how fast; default 1
  uint32_t mark;            // set by pl_default_ik_def; a definition without it is refused
} plIkDef;

PL_API plIkDef pl_default_ik_def(void);
// rate [nv_rigid] rad/s or m/s from the state as it is; 0 where nothing may move.
PL_API plStatus pl_ik_step(const plData* data, const plIkDef* def, double* rate, plError* error);

#ifdef __cplusplus
}
#endif
#endif

// ik.h: differential inverse kinematics: which joint rates make a point of a body follow a target.
//
//   plIkDef ik = pl_default_ik_def();
//   ik.body = pl_model_find_body(model, "arm/hand");
//   ik.target.p = (plVec3){0.5, 0, 0.3};                            // where its origin is to go
//   pl_ik_step(data, &ik, rate, &error);                            // rate [nv_rigid]
//
// Among the joint velocities x within the limits, pl_ik_step finds those that minimise |J x - y|^2 +
// damping^2 |x|^2, where y is the desired twist and J the Jacobian. The damping keeps velocities finite at
// singular configurations. Motion that the target leaves free is used to approach `rest`.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_IK_H
#define PLIANT_IK_H

#include "pliant/data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum plIkGoal {
  PL_IK_POSE,      // position and orientation reach the target
  PL_IK_POSITION,  // the position alone
  PL_IK_VELOCITY   // the point moves with velocity and angular_velocity
} plIkGoal;

typedef struct plIkDef {
  int body;         // default -1: must be given
  plVec3 point;     // m, in the body's frame; default its origin
  plIkGoal goal;    // default PL_IK_POSE
  plPose target;    // desired pose in the world of the body's frame shifted to the point; default identity
  plVec3 velocity;  // m/s, world; with a pose or position goal the velocity of the target, which is then
                    // followed without lag; default 0
  plVec3 angular_velocity;  // rad/s, the same for rotation
  double time;     // s in which the target is to be reached; no joint passes a limit within it; default 0.01
  double damping;  // m, weight of small joint velocities against errors, see above; default 0.02
  double length;   // m, length by which rotation errors are weighted against position errors; default 0.3
  double speed;    // rad/s or m/s, largest speed of a joint, besides the joint's own limit; infinity: none;
                   // default 1.5
  const bool* move;    // [nv_rigid] which degrees of freedom may move; default NULL: those of all joints with
                       // one degree of freedom
  const double* rest;  // [nv_rigid] rad or m, position that the free motion approaches; default NULL: none
  double rest_gain;    // 1/s, gain of that motion; default 1
  uint32_t mark;       // set by pl_default_ik_def; a definition without it is refused
} plIkDef;

PL_API plIkDef pl_default_ik_def(void);
// Computes joint velocities rate [nv_rigid] (rad/s or m/s) from the present state; 0 where a joint may not
// move.
PL_API plStatus pl_ik_step(const plData* data, const plIkDef* def, double* rate, plError* error);

#ifdef __cplusplus
}
#endif
#endif

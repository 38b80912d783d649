// forces.h: the forces that joints transmit and the forces of every constraint in the last step.
//
// All forces are means over the step (impulse over dt). Contacts are in data->contact, the impulses of all
// other constraints one by one in data->impulse, the efforts of actuators in data->actuator_force; here they
// are summed up by what they belong to.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_FORCES_H
#define PLIANT_FORCES_H

#include "pliant/data.h"

#ifdef __cplusplus
extern "C" {
#endif

// The wrench that each joint [njoint] transmits from its parent to its child: force and moment on the child
// at the origin of the joint's frame M, in the axes of M, which move with the child. It contains the reaction
// that holds the child and the efforts of actuators, springs, damping, friction and limits about the axes,
// except the part that accelerates an armature. It balances weight, inertia, contacts, constraints,
// attachments and the user's forces (f_body) of everything that the joint carries. f_user counts as an effort
// at its joint; on a free joint it counts as an external force. frame (may be NULL) gets the world poses of
// the frames M for which the step evaluated its forces: at the start of the step, with the midpoint rule at
// its middle. Fails with PL_ERROR_INPUT if no step led to the present state: at the start, after loading a
// state, after a step that failed, and for a replayed recording.
PL_API plStatus pl_joint_wrenches(const plData* data, plWrench* wrench, plPose* frame);

// The forces of the limits, of the dry friction and of the actuators of a degree of freedom, along it (N or
// Nm).
PL_API double pl_limit_force(const plData* data, int dof);
PL_API double pl_friction_force(const plData* data, int dof);
PL_API double pl_motor_force(const plData* data, int dof);

// The force of a constraint. If it joins bodies, wrench gets force and moment on b at the point pose_b (for a
// weld in the middle of both points), world axes. If it has one row, effort gets its force (N or Nm): for a
// distance along the line, positive pushes apart; for a coupler and a motion on joint a; for a tendon on its
// length, negative pulls. Either may be NULL. Both are zero if the constraint is off.
PL_API plStatus pl_constraint_force(const plData* data, int constraint, plWrench* wrench, double* effort);

// The force of an attachment (index into data->attach) on its vertices, world axes, with the moment about
// their centre, which is the mean of their positions at the start of the step. If it is off, the wrench is
// zero and the centre is NaN.
PL_API plStatus pl_attachment_force(const plData* data, int attachment, plWrench* wrench, plVec3* centre);

#ifdef __cplusplus
}
#endif
#endif

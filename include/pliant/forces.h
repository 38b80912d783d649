// forces.h: forces for people who measure: what joints transmit, and what every constraint did in the last
// step.
//
// All forces are means over the step (impulse over dt). Contacts are in data->contact, the impulses of all
// other constraints one by one in data->impulse, the efforts of actuators in data->actuator_force; here they
// are summed up by what they belong to.
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_FORCES_H
#define PLIANT_FORCES_H

#include "pliant/data.h"

#ifdef __cplusplus
extern "C" {
#endif

// What each joint transmits from its parent to its child [njoint]: force and moment on the child at the
// origin of the joint's frame M, in the axes of M, which move with the child. It is all of it: what holds the
// child, and the efforts of actuators, springs, damping, friction and limits about the axes (less the part
// that goes into an armature). It is what weight, inertia, contacts, constraints, attachments and the user's
// forces (f_body) of everything that the joint carries leave to be balanced; f_user counts as an effort at
// its joint, that of a free joint as a force from outside. frame (may be NULL) gets the frames M in the world
// where the step's forces were taken: at its start, with the midpoint rule at its middle. PL_ERROR_INPUT when
// no step led to the state: at the start, after loading one, and for a replayed recording.
PL_API plStatus pl_joint_wrenches(const plData* data, plWrench* wrench, plPose* frame);

// Forces about a degree of freedom (N or Nm) of its limits, its dry friction and its actuators.
PL_API double pl_limit_force(const plData* data, int dof);
PL_API double pl_friction_force(const plData* data, int dof);
PL_API double pl_motor_force(const plData* data, int dof);

// A constraint between bodies or joints: force and moment on b at the point pose_b (of a weld: in the middle
// of both), world axes, where it joins bodies; and its effort (N or Nm) where it has one row: of a distance
// along the line, positive pushes apart; of a coupler and a motion on the joint a; of a tendon on its length,
// negative pulls. NULL: not wanted. Zero when it is off.
PL_API plStatus pl_constraint_force(const plData* data, int constraint, plWrench* wrench, double* effort);

// An attachment (index into data->attach): force on the attached vertices, world axes, with its moment about
// their centre, the mean of their positions at the start of the step. Zero, and a centre that is not a
// number, when it is off.
PL_API plStatus pl_attachment_force(const plData* data, int attachment, plWrench* wrench, plVec3* centre);

#ifdef __cplusplus
}
#endif
#endif

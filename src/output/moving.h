// moving.h: present states of rigid bodies and shapes, of a running simulation (dynamics.h) or of a frame
// that a replay shows.
//
// A replay has no kinematics: its frames contain the results. It is recognised by data without work.
#ifndef PL_OUTPUT_MOVING_H
#define PL_OUTPUT_MOVING_H

#include "pliant/dynamics.h"
#include "pliant/forces.h"

// Results stored in a frame.
typedef struct plMoving {
  plPose* shape;       // [nshape] world poses of the shapes
  plRigidState* body;  // [nbody]
  plRigidTotals totals;
  plWrench* wrench;  // [njoint] wrenches that joints transmit
} plMoving;

// The data of a replay and its results; data comes first, so that a pointer to it can be converted.
typedef struct plReplayData {
  plData data;
  plMoving moving;
} plReplayData;

// World poses of all shapes, [nshape].
void pl_moving_poses(const plData* data, plPose* pose);
plStatus pl_moving_body(const plData* data, int body, plRigidState* state);
void pl_moving_totals(const plData* data, plRigidTotals* totals);
// Wrenches that joints transmit, [njoint]; zero if no step led to the state.
plStatus pl_moving_wrenches(const plData* data, plWrench* wrench);

#endif

// moving.h: rigid bodies and shapes as they are now, of a running simulation (dynamics.h) or of a frame that
// a replay shows.
//
// A replay has no kinematics: its frames bring the results along. Its data has no work, by which it is known.
#ifndef PL_OUTPUT_MOVING_H
#define PL_OUTPUT_MOVING_H

#include "pliant/dynamics.h"
#include "pliant/forces.h"

// What a frame brings along.
typedef struct plMoving {
  plPose* geom;        // [nshape] world poses of the shapes
  plRigidState* body;  // [nbody]
  plRigidTotals totals;
  plWrench* wrench;  // [njoint] that joints transmit
} plMoving;

// The data of a replay, with what belongs to it; data comes first, so that a pointer to it leads to the rest.
typedef struct plReplayData {
  plData data;
  plMoving moving;
} plReplayData;

// World poses of all shapes, [nshape].
void pl_moving_poses(const plData* data, plPose* pose);
plStatus pl_moving_body(const plData* data, int body, plRigidState* state);
void pl_moving_totals(const plData* data, plRigidTotals* totals);
// What joints transmit, [njoint]; zero where no step led to the state.
plStatus pl_moving_wrenches(const plData* data, plWrench* wrench);

#endif

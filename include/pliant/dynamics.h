// dynamics.h: quantities of the rigid bodies of a simulation: poses, Jacobians, mass matrix, inverse and
// forward dynamics.
//
// They are computed from the state (q, v) at the time of the call. Calls use scratch memory of the plData, so
// only one thread at a time may make them for one plData.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_DYNAMICS_H
#define PLIANT_DYNAMICS_H

#include "pliant/data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plRigidState {
  plPose pose;              // of the body's frame in the world
  plVec3 velocity;          // m/s of its origin
  plVec3 angular_velocity;  // rad/s
  plVec3 com;               // m, centre of mass
  plVec3 com_velocity;      // m/s
  plVec3 momentum;          // kg m/s
  plVec3 angular_momentum;  // kg m^2/s about the centre of mass
  double kinetic_energy;    // J, without armatures
  double gravity_energy;    // J, -m g . com
} plRigidState;

// Fails with PL_ERROR_INPUT if there is no such body.
PL_API plStatus pl_rigid_body_state(const plData* data, int body, plRigidState* state);
// Poses of all bodies, [nbody].
PL_API void pl_rigid_poses(const plData* data, plPose* pose);
// World poses of all shapes, [nshape], those fixed in the world included.
PL_API void pl_shape_poses(const plData* data, plPose* pose);

// Pose and velocity of a site.
typedef struct plSiteState {
  plPose pose;              // in the world
  plVec3 velocity;          // m/s of its origin
  plVec3 angular_velocity;  // rad/s
} plSiteState;
// Fails with PL_ERROR_INPUT if there is no such site.
PL_API plStatus pl_site_state(const plData* data, int site, plSiteState* state);

// Sums over all rigid bodies; armatures count in the kinetic energy, springs in the elastic one.
typedef struct plRigidTotals {
  double kinetic_energy, gravity_energy, elastic_energy;  // J
  plVec3 momentum;                                        // kg m/s
  plVec3 angular_momentum;                                // kg m^2/s about the world's origin
} plRigidTotals;
PL_API void pl_rigid_totals(const plData* data, plRigidTotals* totals);

// The mass matrix M [nv_rigid x nv_rigid], armatures included.
PL_API void pl_rigid_mass_matrix(const plData* data, double* M);
// M vdot + bias = tau: bias holds Coriolis forces and gravity; damping, springs and actuators are not in it.
PL_API void pl_rigid_bias(const plData* data, double* bias);
PL_API void pl_rigid_inverse_dynamics(const plData* data, const double* vdot, double* tau);
PL_API plStatus pl_rigid_forward_dynamics(const plData* data, const double* tau, double* vdot);
// The generalised forces that balance gravity at rest.
PL_API void pl_rigid_gravity_forces(const plData* data, double* tau);
// J [6 x nv_rigid], column-major: angular velocity of the body (rows 0-2) and velocity of its point (given in
// its frame; rows 3-5).
PL_API plStatus pl_rigid_jacobian(const plData* data, int body, plVec3 point, double* J);
// Adds a force (world axes) at a point of a body (in its frame), and a moment, to data->f_body.
PL_API plStatus pl_rigid_add_force(plData* data, int body, plVec3 point, plVec3 force, plVec3 moment);

#ifdef __cplusplus
}
#endif
#endif

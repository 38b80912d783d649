// parameters.h: numbers that may differ between simulations of one model; changing them does not compile the
// model again.
//
// A model holds the values that its scene gave (model->par); every plData starts with a copy (data->par) and
// changes its own:
//
//   pl_parameter_set(data, "bear.material.young", 2e4, &error);
//   pl_parameter_set(data, "options.gravity.z", -1.62, &error);
//
// A value set here gives the same bits as a scene file with that value. Parameters belong to the state: they
// are saved and loaded with it. Kinds, switches and whether a value is infinite belong to the model's
// structure: a value that is infinite in the scene stays infinite, and a finite one stays finite.
// docs/scene.md lists the paths.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_PARAMETERS_H
#define PLIANT_PARAMETERS_H

#include "pliant/rigid.h"
#include "pliant/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plModel plModel;
typedef struct plData plData;

// The numbers of an actuator's law as its definition gives them (rigid.h).
typedef struct plActuatorLaw {
  double kp, kd;         // N/m or Nm/rad, and N s/m or Nm s/rad, for position, velocity and PD
  double gain, bias[3];  // of PL_ACTUATOR_AFFINE
} plActuatorLaw;

typedef struct plParameters {
  plOptions options;  // options of the step; duration and threads are the model's and cannot differ

  plMaterial* deform_material;  // [ndeform] material of each deformable
  plSurface* deform_surface;    // [ndeform] its contact properties
  plSurface* shape_surface;     // [nshape] contact properties of each rigid shape

  double* body_mass;     // [nbody] kg
  plVec3* body_com;      // [nbody] m, in the body's frame
  double* body_inertia;  // [6 nbody] kg m^2 about the centre of mass, axes of the body: xx yy zz xy xz yz
  double* body_gravity;  // [nbody] factor of gravity on the body

  double* dof_lower;  // [nv_rigid] limits of the position, may be infinite
  // [nv_rigid] the same; for the first dof of a ball joint the largest angle of its rotation
  double* dof_upper;
  double* dof_damping;    // [nv_rigid] N s/m or Nm s/rad, viscous damping
  double* dof_friction;   // [nv_rigid] N or Nm, largest force of dry friction
  double* dof_stiffness;  // [nv_rigid] N/m or Nm/rad, stiffness of the joint's spring
  double* dof_rest;       // [nv_rigid] m or rad, position where that spring is at rest

  plActuatorLaw* act_law;   // [nact] gains as the definition gives them
  double* act_force_lower;  // [nact] N or Nm, limits of the force at the joint, may be infinite
  double* act_force_upper;  // [nact]
  double* act_lower;        // [nact] limits of u, may be infinite
  double* act_upper;        // [nact]
  // derived from act_law and the gear: f = gain . u + bias0 + bias1 q + bias2 v at the joint
  double* act_gain;  // [3 nact]
  double* act_bias;  // [3 nact]

  double* attach_stiffness;   // [nattach] N/m of the model's attachments, may be infinite
  double* attach_relaxation;  // [nattach] s, dissipation time
} plParameters;

// One number of a plParameters.
typedef struct plParameterInfo {
  char path[256];       // "bear.material.young"
  const char* unit;     // "Pa"; "" for a pure number
  double lower, upper;  // range of admissible values; the bounds themselves may be excluded
} plParameterInfo;

// The number of parameters of a model; they are numbered from 0.
PL_API int pl_parameter_count(const plModel* model);
// PL_ERROR_INPUT if there is no such number.
PL_API plStatus pl_parameter_info(const plModel* model, int index, plParameterInfo* info);
// The number of a path, -1 if there is none.
PL_API int pl_parameter_find(const plModel* model, const char* path);

PL_API double pl_parameter_value(const plData* data, int index);
// The error for an unknown path names the nearest one, the error for a value out of range names the range. On
// failure nothing changes.
PL_API plStatus pl_parameter_set(plData* data, const char* path, double value, plError* error);
PL_API plStatus pl_parameter_set_index(plData* data, int index, double value, plError* error);
// Read or set all parameters at once, in the order of their numbers: value [pl_parameter_count]. On failure
// nothing changes.
PL_API void pl_parameters_get(const plData* data, double* value);
PL_API plStatus pl_parameters_set(plData* data, const double* value, plError* error);
// Sets the options of the step; duration and threads do not change. On failure nothing changes.
PL_API plStatus pl_options_set(plData* data, const plOptions* options, plError* error);
// For a scene with overrides (`--set`) into which a state was loaded: the state brought its own options and
// parameters, and this call puts the overridden values back. plain is the model of the scene without
// overrides. Every value in which data's model differs from plain, and every option named in option
// [noption], is set to that of data's model. *count gets the number of values set.
PL_API plStatus pl_parameters_override(plData* data, const plModel* plain, const char* const* option,
                                       int noption, int* count, plError* error);
// Sets all parameters to the model's values.
PL_API void pl_parameters_reset(plData* data);
// A 64-bit hash of the options and parameters that affect results. pl_state_hash does not cover them.
PL_API uint64_t pl_parameter_hash(const plData* data);

#ifdef __cplusplus
}
#endif
#endif

// parameters.h: numbers that may differ between simulations of one model, without compiling it again.
//
// A model holds the values that its scene gave (model->par); every plData starts with a copy (data->par) and
// changes its own:
//
//   pl_parameter_set(data, "bear.material.young", 2e4, &error);
//   pl_parameter_set(data, "options.gravity.z", -1.62, &error);
//
// A value set here gives the same bits as a scene file with that value. Parameters belong to the state: they
// are saved and loaded with it. What is on or off, exact or finite, and every kind is structure: a value that
// is infinite in the scene stays infinite, one that is finite stays finite. Paths are listed in
// docs/scene.md. SPDX-License-Identifier: Apache-2.0
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
  double kp, kd;
  double gain, bias[3];
} plActuatorLaw;

typedef struct plParameters {
  plOptions options;  // of the step; duration and threads are those of the model

  plMaterial* deform_material;  // [ndeform]
  plSurface* deform_surface;    // [ndeform]
  plSurface* geom_surface;      // [ngeom]

  double* body_mass;     // [nbody] kg
  plVec3* body_com;      // [nbody] m, in the body's frame
  double* body_inertia;  // [6 nbody] kg m^2 about the centre of mass, axes of the body: xx yy zz xy xz yz
  double* body_gravity;  // [nbody] factor of gravity on it

  double* dof_lower;      // [nv_rigid] limits of the position, may be infinite
  double* dof_upper;      // [nv_rigid] the same; first dof of a ball joint: largest angle of its rotation
  double* dof_damping;    // [nv_rigid] N s/m or Nm s
  double* dof_friction;   // [nv_rigid] N or Nm, dry
  double* dof_stiffness;  // [nv_rigid] N/m or Nm
  double* dof_rest;       // [nv_rigid] m or rad

  plActuatorLaw* act_law;   // [nact]
  double* act_force_lower;  // [nact] N or Nm, limits of f, may be infinite
  double* act_force_upper;  // [nact]
  double* act_lower;        // [nact] limits of u, may be infinite
  double* act_upper;        // [nact]
  // derived from act_law and the gear: f = gain . u + bias0 + bias1 q + bias2 v at the joint
  double* act_gain;  // [3 nact]
  double* act_bias;  // [3 nact]

  double* attach_stiffness;   // [nattach] N/m of the model's attachments, may be infinite
  double* attach_relaxation;  // [nattach] s
} plParameters;

// One number of a plParameters.
typedef struct plParameterInfo {
  char path[256];       // "bear.material.young"
  const char* unit;     // "Pa"; "" for a pure number
  double lower, upper;  // the range of what may be set; the bounds themselves may be excluded
} plParameterInfo;

// How many parameters a model has; they are numbered from 0.
PL_API int pl_parameter_count(const plModel* model);
// PL_ERROR_INPUT if there is no such number.
PL_API plStatus pl_parameter_info(const plModel* model, int index, plParameterInfo* info);
// The number of a path, -1 if there is none.
PL_API int pl_parameter_find(const plModel* model, const char* path);

PL_API double pl_parameter_value(const plData* data, int index);
// An unknown path is an error that names the nearest one; a value out of range is one that names the range.
// On failure nothing changes.
PL_API plStatus pl_parameter_set(plData* data, const char* path, double value, plError* error);
PL_API plStatus pl_parameter_set_index(plData* data, int index, double value, plError* error);
// All at once, in the order of the numbers: value [pl_parameter_count]. On failure nothing changes.
PL_API void pl_parameters_get(const plData* data, double* value);
PL_API plStatus pl_parameters_set(plData* data, const double* value, plError* error);
// Other options of the step; duration and threads stay. On failure nothing changes.
PL_API plStatus pl_options_set(plData* data, const plOptions* options, plError* error);
// After a state was loaded: what the caller changed in the scene takes the model's values again. That is
// every option and parameter in which the simulation's model differs from plain, the same scene without the
// changes, and the options that are named; *count: how many numbers.
PL_API plStatus pl_parameters_override(plData* data, const plModel* plain, const char* const* option,
                                       int noption, int* count, plError* error);
// Back to the model's.
PL_API void pl_parameters_reset(plData* data);
// 64 bits of the options and parameters that decide results. pl_state_hash does not cover them.
PL_API uint64_t pl_parameter_hash(const plData* data);

#ifdef __cplusplus
}
#endif
#endif

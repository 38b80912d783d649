// rigid.h: rigid bodies, joints, actuators and robot files in a plSpec, and what can be asked about them.
//
//   plRobotDef arm = pl_default_robot_def();
//   arm.file = "iiwa14.urdf"; arm.name = "arm"; arm.base = PL_BASE_WELD;
//   pl_spec_add_robot(spec, &arm, NULL, &error);
//
// Bodies, joints and actuators of a robot are named `robot/link`, `robot/joint`. Rigid dofs come first in q
// and v, tree by tree.
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_RIGID_H
#define PLIANT_RIGID_H

#include <stdbool.h>

#include "pliant/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- bodies

typedef struct plBodyDef {
  const char* name;   // unique among bodies: letters, digits and _ - . /; default NULL: must be given
  double mass;        // kg; default 0: only for bodies that are carried by others or carry others
  plVec3 com;         // m, centre of mass in the body's frame; default 0
  double inertia[6];  // kg m^2 about the centre of mass, axes of the body: xx yy zz xy xz yz; default 0
  double gravity;     // factor of gravity on this body; default 1, 0: none
  plPose pose;  // in the world at the start, for a body that no joint names as its child: it is free; default
                // identity
  plVec3 velocity;          // m/s of the frame's origin at the start, world, for such a body; default 0
  plVec3 angular_velocity;  // rad/s at the start, world, for such a body; default 0
  uint32_t mark;            // set by pl_default_body_def; a definition without it is refused
} plBodyDef;

PL_API plBodyDef pl_default_body_def(void);
// *id (may be NULL) gets the body's index.
PL_API plStatus pl_spec_add_body(plSpec* spec, const plBodyDef* def, int* id, plError* error);
// Index by name, -1 if there is none.
PL_API int pl_spec_find_body(const plSpec* spec, const char* name);

// ---- joints

// A joint puts the child's frame M relative to the parent's frame F. q and v:
typedef enum plJointKind {
  PL_JOINT_FIXED,       // nothing moves
  PL_JOINT_REVOLUTE,    // q: angle about axis (rad)
  PL_JOINT_CONTINUOUS,  // the same without limits
  PL_JOINT_PRISMATIC,   // q: travel along axis (m)
  PL_JOINT_SCREW,       // q: angle about axis; travel is pitch q / (2 pi)
  PL_JOINT_UNIVERSAL,   // q: angle about axis, then about axis2 (carried by the first)
  PL_JOINT_BALL,        // q: quaternion of M in F; v: angular velocity in F
  PL_JOINT_PLANAR,      // q: travel along axis and axis2, then angle about axis x axis2
  PL_JOINT_FREE,  // q: position, quaternion of M in F; v: velocity of M's origin, angular velocity, both in F
  PL_JOINT_COUNT
} plJointKind;

PL_API const char* pl_joint_kind_name(plJointKind kind);  // "fixed", "revolute", ...
PL_API int pl_joint_nq(plJointKind kind);                 // positions: 0, 1, 1, 1, 1, 2, 4, 3, 7
PL_API int pl_joint_nv(plJointKind kind);                 // velocities: 0, 1, 1, 1, 1, 2, 3, 3, 6

// One degree of freedom of a joint (N, m or Nm, rad).
typedef struct plDofDef {
  double lower, upper;  // limits of the position; default -infinity, infinity (ball joints: upper of the
                        // first is the largest angle)
  double effort;        // limit of what actuators may exert; default infinity
  double speed;         // limit of the rate, for information; default infinity
  double damping;       // force per rate, implicit; default 0
  double friction;      // dry friction: largest force; default 0
  double stiffness,
      rest;  // spring towards the position rest, implicit; default 0, 0 (ball joints: towards the identity)
  double armature;       // inertia that only this dof feels (kg m^2 or kg); default 0
  double rotor_inertia;  // of a motor behind a gear: adds rotor_inertia gear_ratio^2; default 0
  double gear_ratio;     // default 1
} plDofDef;

typedef struct plJointDef {
  const char* name;    // unique among joints, as for bodies; default NULL: must be given
  plJointKind kind;    // default PL_JOINT_REVOLUTE
  int parent;          // body, -1: the world (default)
  int child;           // body; default -1: must be given
  plPose pose;         // F in the parent's frame; default identity
  plPose child_pose;   // M in the child's frame; default identity
  plVec3 axis;         // in F, any length but 0; default z
  plVec3 axis2;        // universal and planar: second axis, at right angles to the first; default x
  double pitch;        // screw: m per turn; default 0
  plDofDef dof[6];     // for each degree of freedom
  double position[7];  // at the start; default 0, quaternions identity
  double velocity[6];  // at the start; default 0
  bool locked;         // held where it is; default false
  uint32_t mark;       // set by pl_default_joint_def; a definition without it is refused
} plJointDef;

PL_API plJointDef pl_default_joint_def(void);
// A child may have several joints, all with one parent: each later one's F is in the frame that the joints
// before it move, which coincides with the child's frame. A body may not hang on two parents: such loops are
// closed by constraints.
PL_API plStatus pl_spec_add_joint(plSpec* spec, const plJointDef* def, int* id, plError* error);
PL_API int pl_spec_find_joint(const plSpec* spec, const char* name);

// ---- actuators

// The force f on the joint's position q and rate v, from the inputs u (in plData.u, in this order), implicit
// in q and v:
typedef enum plActuatorKind {
  PL_ACTUATOR_MOTOR,     // f = u
  PL_ACTUATOR_POSITION,  // f = kp (u - q) - kd v
  PL_ACTUATOR_VELOCITY,  // f = kd (u - v)
  PL_ACTUATOR_PD,        // f = kp (u0 - q) + kd (u1 - v) + u2
  PL_ACTUATOR_AFFINE,    // f = gain u + bias[0] + bias[1] q + bias[2] v
  PL_ACTUATOR_COUNT
} plActuatorKind;

PL_API const char* pl_actuator_kind_name(plActuatorKind kind);  // "motor", ...
PL_API int pl_actuator_nu(plActuatorKind kind);                 // inputs: 1, 1, 1, 3, 1

typedef enum plInterpolation {
  PL_LINEAR,  // straight between knots
  PL_CUBIC    // smooth (continuous acceleration), at rest at both ends
} plInterpolation;

typedef struct plActuatorDef {
  const char* name;     // unique among actuators, as for bodies; default NULL: must be given
  plActuatorKind kind;  // default PL_ACTUATOR_MOTOR
  int joint;            // default -1: must be given; ball and free joints cannot be driven
  int dof;              // of the joint; default 0
  // Or a tendon: q stands for sum coefficient q over joints of one dof, and each of them feels coefficient f.
  int njoint;                 // default 0: none
  const int* tendon;          // [njoint] joints, copied; `joint` is the first of them
  const double* coefficient;  // [njoint] copied
  // Or sites. One: f exerts the force and moment f wrench there, in its axes; q is 0. More: a cable through
  // them in this order; q stands for its length.
  int nsite;             // default 0: none
  const int* site;       // [nsite] of pl_spec_add_site, copied; the same one may come again
  double wrench[6];      // of one site: N and Nm for f = 1; default 0
  double kp, kd;         // N/m or Nm/rad, and per rate; default 0
  double gain, bias[3];  // affine; default 1, 0
  double gear;           // the law is in terms of gear q, gear v, and the joint feels gear f; default 1
  double effort;  // largest |f| at the joint (a tendon: along it), with that of the dof; default infinity
  double force_lower, force_upper;  // f stays between these too; default -infinity, infinity
  double lower, upper;              // u is clamped to these; default -infinity, infinity
  double input[3];  // u at the start; without it, the u that exerts no force at rest where the joint starts:
                    // position and PD hold it, affine with gain and bias[1] too; 0 for the others
  bool has_input;   // input is given; default false
  bool off;         // at the start (PL_SWITCH_ACTUATOR); default false
  // A table for u (PD: u0, with u1 its derivative) over time; before the first and after the last knot it
  // stays.
  int ntime;                      // knots; 0: the user writes u (default)
  const double* time;             // [ntime] s, increasing, copied
  const double* value;            // [ntime] copied
  plInterpolation interpolation;  // default PL_LINEAR
  bool zero_velocity;             // PD: desired velocity 0 instead of the table's derivative; default false
  uint32_t mark;                  // set by pl_default_actuator_def; a definition without it is refused
} plActuatorDef;

PL_API plActuatorDef pl_default_actuator_def(void);
PL_API plStatus pl_spec_add_actuator(plSpec* spec, const plActuatorDef* def, int* id, plError* error);
PL_API int pl_spec_find_actuator(const plSpec* spec, const char* name);
// Changes an actuator's gains or table after it was loaded from a file: the definition as stored (name,
// joint, dof and tendon stay).
PL_API const plActuatorDef* pl_spec_actuator(const plSpec* spec, int id);
PL_API plStatus pl_spec_set_actuator(plSpec* spec, int id, const plActuatorDef* def, plError* error);

// ---- constraints between bodies and between joints (docs/notation.md)

typedef enum plConstraintKind {
  PL_CONSTRAINT_BALL,      // the points pose_a.p of a and pose_b.p of b coincide
  PL_CONSTRAINT_WELD,      // the frames pose_a of a and pose_b of b coincide
  PL_CONSTRAINT_DISTANCE,  // those points are at the distance `length`, or, if lower or upper is given,
                           // between length + lower and length + upper (a rope: 0 and its length)
  PL_CONSTRAINT_COUPLER,   // q_a = ratio q_b + offset, joints of one dof
  PL_CONSTRAINT_TENDON,    // lower <= sum coefficient q + offset <= upper, joints of one dof
  PL_CONSTRAINT_MOTION,    // q_a = offset: a joint of one dof whose motion is given over time, see below
  PL_CONSTRAINT_COUNT
} plConstraintKind;

PL_API const char* pl_constraint_kind_name(plConstraintKind kind);  // "ball", ...

typedef struct plConstraintDef {
  const char* name;       // unique among constraints, as for bodies; default NULL: must be given
  plConstraintKind kind;  // default PL_CONSTRAINT_BALL
  int a, b;               // bodies (-1: the world) or, for a coupler, joints; motion: the joint a; default -1
  plPose pose_a, pose_b;  // in the bodies' frames; default identity
  double length;          // m, distance; default 0
  double ratio, offset;   // coupler; offset of a tendon and a motion too; default 1, 0
  int njoint;             // tendon
  const int* joint;       // [njoint] copied
  const double* coefficient;  // [njoint] copied
  double lower, upper;        // tendon, distance; default -infinity, infinity
  double stiffness;           // N/m; default infinity (as stiff as the step allows)
  double damping;             // N s/m; default 0
  bool off;                   // at the start; default false
  // What is added to the length of a distance, or to the offset of the others, over time (not for ball and
  // weld): the table, which stays before the first and after the last knot, and amplitude sin(2 pi frequency
  // t + phase).
  int ntime;                           // knots; default 0: no table
  const double* time;                  // [ntime] s, increasing, copied
  const double* value;                 // [ntime] m or rad, copied
  plInterpolation interpolation;       // default PL_LINEAR
  double amplitude, frequency, phase;  // m or rad, 1/s, rad; default 0
  uint32_t mark;                       // set by pl_default_constraint_def; a definition without it is refused
} plConstraintDef;

PL_API plConstraintDef pl_default_constraint_def(void);
PL_API plStatus pl_spec_add_constraint(plSpec* spec, const plConstraintDef* def, int* id, plError* error);

// No contact between two sides, each a rigid body, a deformable or the world.
PL_API plStatus pl_spec_exclude(plSpec* spec, plSide a, plSide b, plError* error);

// ---- sites: named frames on rigid bodies or in the world (a tool's tip, a grasp, a camera's mount)

typedef struct plSiteDef {
  const char* name;  // unique among sites; default NULL: must be given
  int body;          // default -1: the world
  plPose pose;       // in the body's frame; default identity
  uint32_t mark;     // set by pl_default_site_def; a definition without it is refused
} plSiteDef;

PL_API plSiteDef pl_default_site_def(void);
// *id (may be NULL) gets the site's index.
PL_API plStatus pl_spec_add_site(plSpec* spec, const plSiteDef* def, int* id, plError* error);

// ---- robot files: URDF, SDFormat 1.7 to 1.11, MJCF

typedef enum plBase {
  PL_BASE_FILE,  // as the file says; a base that nothing holds is free, or welded if it has no mass of its
                 // own
  PL_BASE_WELD,  // fixed at the pose
  PL_BASE_FREE   // free, starting at the pose; it, with what is welded to it, must have mass and moments
} plBase;

typedef enum plFrictionMode {
  PL_FRICTION_FILE,  // as the file says; values above the joint's effort limit are ignored with a warning
  PL_FRICTION_IGNORE,
  PL_FRICTION_VALUE  // joint_friction for every dof
} plFrictionMode;

typedef enum plInertiaMode {
  PL_INERTIA_FILE,   // as the file says
  PL_INERTIA_SHAPES  // links without moments of inertia get those of their shapes (those that touch, else
                     // those drawn; meshes as their convex hulls), at the mass of the file or, without one,
                     // at `density`
} plInertiaMode;

typedef enum plMeshMode {
  PL_MESHES_CONVEX,  // collision meshes of URDF and SDFormat touch as their convex hulls, as those of MJCF
                     // always do
  PL_MESHES_EXACT    // as they are, but for those that are declared convex
} plMeshMode;

typedef enum plOverlapMode {
  PL_OVERLAPS_EXCLUDE,  // links of a URDF or SDFormat robot that overlap at the start do not touch each other
  PL_OVERLAPS_KEEP
} plOverlapMode;

typedef struct plRobotDef {
  const char* file;    // .urdf, .sdf, .xml, .mjcf; default NULL: must be given
  const char* name;    // prefix of all names; default NULL: the name in the file
  plPose pose;         // of the model's frame; default identity
  const char* parent;  // body in whose frame the pose is given, and to which a welded base is welded; default
                       // NULL: the world
  plBase base;         // default PL_BASE_FILE
  double gravity;      // factor on all bodies; default 1
  plFrictionMode friction;  // default PL_FRICTION_FILE
  double joint_friction;    // N or Nm
  const char*
      keyframe;  // MJCF: the key whose positions, velocities and inputs are the start; default NULL: none
  plInertiaMode inertia;             // default PL_INERTIA_FILE
  double density;                    // kg/m^3 for PL_INERTIA_SHAPES; default 1000
  bool take_timestep, take_gravity;  // MJCF: the file's <option> changes those of the spec; default false
  plMeshMode meshes;                 // default PL_MESHES_CONVEX
  plOverlapMode overlaps;            // default PL_OVERLAPS_EXCLUDE
  uint32_t mark;                     // set by pl_default_robot_def; a definition without it is refused
} plRobotDef;

PL_API plRobotDef pl_default_robot_def(void);
// Adds all bodies, joints, actuators, shapes and constraints of a file. What it asks for and the library does
// not have is told to options->warn, each kind once with its line. On failure the spec is as it was. options
// may be NULL.
PL_API plStatus pl_spec_add_robot(plSpec* spec, const plRobotDef* def, const plLoadOptions* options,
                                  plError* error);
// The same from memory; def->file stands for the file in errors and decides the format, folder is where
// relative paths start.
PL_API plStatus pl_spec_parse_robot(plSpec* spec, const plRobotDef* def, const char* folder, const char* text,
                                    size_t size, const plLoadOptions* options, plError* error);
// The pose of a body in the world when all joints stand at their start.
PL_API plPose pl_spec_body_pose(const plSpec* spec, int body);
// Whether the name ends like a robot file (.urdf, .sdf, .world, .xml, .mjcf).
PL_API bool pl_is_robot_file(const char* path);

// What is in a spec, to look at.
PL_API int pl_spec_body_count(const plSpec* spec);
PL_API int pl_spec_joint_count(const plSpec* spec);
PL_API int pl_spec_actuator_count(const plSpec* spec);
PL_API int pl_spec_constraint_count(const plSpec* spec);
PL_API int pl_spec_geometry_count(const plSpec* spec);
PL_API const plBodyDef* pl_spec_body(const plSpec* spec, int id);
PL_API const plJointDef* pl_spec_joint(const plSpec* spec, int id);
PL_API const plConstraintDef* pl_spec_constraint(const plSpec* spec, int id);
PL_API const plGeometryDef* pl_spec_geometry(const plSpec* spec, int id);
// The joint's start; position has pl_joint_nq entries, velocity (may be NULL) pl_joint_nv. Outside the limits
// is allowed.
PL_API plStatus pl_spec_set_joint_start(plSpec* spec, int joint, const double* position,
                                        const double* velocity, plError* error);
// The surface of a shape; pl_spec_geometry has it.
PL_API plStatus pl_spec_set_surface(plSpec* spec, int geometry, const plSurface* surface, plError* error);
PL_API plStatus pl_spec_set_joint_locked(plSpec* spec, int joint, bool locked, plError* error);

#ifdef __cplusplus
}
#endif
#endif

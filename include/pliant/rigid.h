// rigid.h: rigid bodies, joints, actuators, constraints and robot files in a plSpec.
//
//   plRobotDef arm = pl_default_robot_def();
//   arm.file = "iiwa14.urdf"; arm.name = "arm"; arm.base = PL_BASE_WELD;
//   pl_spec_add_robot(spec, &arm, NULL, &error);
//
// Bodies, joints and actuators of a robot are named `robot/link`, `robot/joint`. The coordinates of rigid
// bodies come first in q and v, one kinematic tree after the other. A dof is a degree of freedom.
//
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
  const char* name;  // unique among bodies: letters, digits and _ - . /; default NULL: must be given
  // kg; default 0, which is allowed only for a body that is joined to other bodies
  double mass;
  plVec3 com;         // m, centre of mass in the body's frame; default 0
  double inertia[6];  // kg m^2 about the centre of mass, axes of the body: xx yy zz xy xz yz; default 0
  double gravity;     // factor of gravity on this body; default 1; 0 for none
  plPose pose;  // pose in the world at the start, for a body that is not the child of a joint and so moves
                // freely; default identity
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

// A joint moves the frame M, fixed in the child, relative to the frame F, fixed in the parent. The comments
// say what its positions q are. v is the rate of q unless the comment says otherwise.
typedef enum plJointKind {
  PL_JOINT_FIXED,       // no motion
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
  double lower, upper;  // limits of the position; default -infinity, infinity. For a ball joint, upper of its
                        // first dof is the largest angle
  double effort;        // largest force of all actuators on it together; default infinity
  double force_lower, force_upper;  // further bounds of that force; default -infinity, infinity
  double speed;     // speed limit stated by the robot's file; it is not enforced; default infinity
  double damping;   // viscous damping, force per velocity, integrated implicitly; default 0
  double friction;  // dry friction, its largest force; default 0
  double stiffness,
      rest;  // spring towards the position rest, integrated implicitly; default 0, 0. For ball joints towards
             // the identity
  double armature;       // inertia that is added to this dof alone (kg m^2 or kg); default 0
  double rotor_inertia;  // kg m^2, rotor of a motor behind a gear; adds rotor_inertia gear_ratio^2 to the
                         // armature; default 0
  double gear_ratio;     // turns of the rotor per turn of the joint; default 1
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
  double position[7];  // position at the start; default 0, quaternions identity
  double velocity[6];  // velocity at the start; default 0
  bool locked;         // true fixes the joint at its start; default false
  uint32_t mark;       // set by pl_default_joint_def; a definition without it is refused
} plJointDef;

PL_API plJointDef pl_default_joint_def(void);
// A body may be the child of several joints if all have the same parent. They act one after the other: F of
// each later joint is given in the frame that the joints before it move, which coincides with the child's
// frame. A body cannot have two parents; constraints close such loops.
PL_API plStatus pl_spec_add_joint(plSpec* spec, const plJointDef* def, int* id, plError* error);
PL_API int pl_spec_find_joint(const plSpec* spec, const char* name);

// ---- actuators

// The force f that an actuator exerts, as a function of the joint's position q, its velocity v and the inputs
// u (in plData.u, in this order). q and v are taken implicitly.
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
  PL_LINEAR,  // linear between knots
  PL_CUBIC    // cubic spline with continuous acceleration, at rest at both ends
} plInterpolation;

typedef struct plActuatorDef {
  const char* name;     // unique among actuators, as for bodies; default NULL: must be given
  plActuatorKind kind;  // default PL_ACTUATOR_MOTOR
  int joint;  // index of the joint; default -1: must be given; ball and free joints cannot be driven
  int dof;    // which degree of freedom of the joint; default 0
  // Or a tendon over joints of one dof each: its q is the sum of coefficient * q, and coefficient * f acts on
  // each joint.
  int njoint;                 // default 0: none
  const int* tendon;          // [njoint] joints, copied; `joint` is the first of them
  const double* coefficient;  // [njoint] copied
  // An actuator may act on sites instead. One site: f exerts the force and moment f * wrench there, in the
  // site's axes, and q is 0. More: a cable runs through them in this order, and q is its length.
  int nsite;             // default 0: none
  const int* site;       // [nsite] of pl_spec_add_site, copied; a site may be listed more than once
  double wrench[6];      // N and Nm for f = 1, for one site; default 0
  double kp, kd;         // N/m or Nm/rad, and N s/m or Nm s/rad; default 0
  double gain, bias[3];  // affine; default 1, 0
  double gear;           // the law uses gear * q and gear * v, and gear * f acts on the joint; default 1
  // N or Nm, largest |gear * f|, which acts on the joint or along the tendon; default infinity. The limits of
  // the dofs apply too: to the sum of all actuators on a dof. A tendon or cable with kp or kd is not part of
  // that sum: a tendon then stays within the limits of each of its dofs by itself, a cable within its own.
  double effort;
  double force_lower, force_upper;  // further bounds of gear * f; default -infinity, infinity
  double lower, upper;              // u (for PD u0) is clamped to these; default -infinity, infinity
  double input[3];  // u at the start. If has_input is false, position, PD and affine actuators (with gain and
                    // bias[1]) start with the u that exerts no force while the joint rests at its start;
                    // the others start with 0
  bool has_input;   // true if input is given; default false
  bool off;         // true if it is off at the start (PL_SWITCH_ACTUATOR); default false
  bool spring;      // true for a spring or damper: the limits of dofs do not apply to it; default false
  // A table for u over time (for PD of u0, with u1 its derivative). It is constant before the first and after
  // the last knot.
  int ntime;                      // number of knots; 0: the user writes u (default)
  const double* time;             // [ntime] s, increasing, copied
  const double* value;            // [ntime] copied
  plInterpolation interpolation;  // default PL_LINEAR
  bool zero_velocity;             // PD: desired velocity 0 instead of the table's derivative; default false
  uint32_t mark;                  // set by pl_default_actuator_def; a definition without it is refused
} plActuatorDef;

PL_API plActuatorDef pl_default_actuator_def(void);
PL_API plStatus pl_spec_add_actuator(plSpec* spec, const plActuatorDef* def, int* id, plError* error);
PL_API int pl_spec_find_actuator(const plSpec* spec, const char* name);
// Read an actuator's definition, and replace it, for example to change gains or the table after loading a
// file. Name, joint, dof and tendon cannot change.
PL_API const plActuatorDef* pl_spec_actuator(const plSpec* spec, int id);
PL_API plStatus pl_spec_set_actuator(plSpec* spec, int id, const plActuatorDef* def, plError* error);

// ---- constraints between bodies and between joints (docs/notation.md)

typedef enum plConstraintKind {
  PL_CONSTRAINT_BALL,      // the points pose_a.p of a and pose_b.p of b coincide
  PL_CONSTRAINT_WELD,      // the frames pose_a of a and pose_b of b coincide
  PL_CONSTRAINT_DISTANCE,  // those points are at the distance `length`, or, if lower or upper is given,
                           // between length + lower and length + upper (upper = 0: a rope of that length)
  PL_CONSTRAINT_COUPLER,   // q_a = ratio q_b + offset, joints of one dof
  PL_CONSTRAINT_TENDON,    // lower <= sum coefficient q + offset <= upper, joints of one dof
  PL_CONSTRAINT_MOTION,    // q_a = offset: prescribed motion of a joint of one dof over time, see below
  PL_CONSTRAINT_COUNT
} plConstraintKind;

PL_API const char* pl_constraint_kind_name(plConstraintKind kind);  // "ball", ...

typedef struct plConstraintDef {
  const char* name;       // unique among constraints, as for bodies; default NULL: must be given
  plConstraintKind kind;  // default PL_CONSTRAINT_BALL
  int a, b;  // bodies (-1 for the world); joints for a coupler; for a motion a is the joint; default -1
  plPose pose_a, pose_b;      // in the bodies' frames; default identity
  double length;              // m, distance; default 0
  double ratio, offset;       // of a coupler; offset also of a tendon and a motion; default 1, 0
  int njoint;                 // number of joints of a tendon
  const int* joint;           // [njoint] copied
  const double* coefficient;  // [njoint] copied
  double lower, upper;        // of a tendon or a distance; default -infinity, infinity
  double stiffness;           // N/m or Nm/rad; default infinity (as stiff as the time step allows)
  double damping;             // N s/m or Nm s/rad; default 0
  bool off;                   // true if it is off at the start; default false
  // A function of time that is added to the length of a distance or to the offset of the other kinds (not for
  // ball and weld): the table, constant before the first and after the last knot, plus amplitude sin(2 pi
  // frequency t + phase).
  int ntime;                           // knots; default 0: no table
  const double* time;                  // [ntime] s, increasing, copied
  const double* value;                 // [ntime] m or rad, copied
  plInterpolation interpolation;       // default PL_LINEAR
  double amplitude, frequency, phase;  // m or rad, 1/s, rad; default 0
  uint32_t mark;                       // set by pl_default_constraint_def; a definition without it is refused
} plConstraintDef;

PL_API plConstraintDef pl_default_constraint_def(void);
PL_API plStatus pl_spec_add_constraint(plSpec* spec, const plConstraintDef* def, int* id, plError* error);

// Turns contact off between two sides, each a rigid body, a deformable or the world.
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
  PL_BASE_FILE,  // as the file says; a base without a joint to the world is free, or welded if it has no mass
                 // of its own
  PL_BASE_WELD,  // fixed at the pose
  PL_BASE_FREE   // free, starting at the pose; together with what is welded to it, it must have mass and
                 // moments of inertia
} plBase;

typedef enum plFrictionMode {
  PL_FRICTION_FILE,    // as the file says; values above the joint's effort limit are ignored with a warning
  PL_FRICTION_IGNORE,  // no dry friction
  PL_FRICTION_VALUE    // joint_friction for every dof
} plFrictionMode;

typedef enum plInertiaMode {
  PL_INERTIA_FILE,   // as the file says
  PL_INERTIA_SHAPES  // links without moments of inertia get those of their shapes (the collision shapes, else
                     // the visual ones; meshes as convex hulls), scaled to the mass in the file or, without
                     // one, computed with `density`
} plInertiaMode;

typedef enum plMeshMode {
  PL_MESHES_CONVEX,  // collision meshes of URDF and SDFormat are replaced by their convex hulls, as MJCF
                     // always does
  PL_MESHES_EXACT    // meshes are used as they are, except those declared convex
} plMeshMode;

typedef enum plOverlapMode {
  PL_OVERLAPS_EXCLUDE,  // no contact between links of a URDF or SDFormat robot that overlap at the start
  PL_OVERLAPS_KEEP      // such links collide
} plOverlapMode;

typedef struct plRobotDef {
  const char* file;         // .urdf, .sdf, .xml, .mjcf; default NULL: must be given
  const char* name;         // prefix of all names; default NULL: the name in the file
  plPose pose;              // of the model's frame; default identity
  const char* parent;       // name of the body whose frame the pose refers to and to which a welded base is
                            // attached; default NULL: the world
  plBase base;              // default PL_BASE_FILE
  double gravity;           // factor on all bodies; default 1
  plFrictionMode friction;  // default PL_FRICTION_FILE
  double joint_friction;    // N or Nm, for PL_FRICTION_VALUE
  const char* keyframe;   // MJCF: name of the keyframe whose positions, velocities and inputs are used at the
                          // start; default NULL: none
  plInertiaMode inertia;  // default PL_INERTIA_FILE
  double density;         // kg/m^3 for PL_INERTIA_SHAPES; default 1000
  bool take_timestep, take_gravity;  // MJCF: true takes the value of the file's <option> into the spec's
                                     // options; default false
  plMeshMode meshes;                 // default PL_MESHES_CONVEX
  plOverlapMode overlaps;            // default PL_OVERLAPS_EXCLUDE
  uint32_t mark;                     // set by pl_default_robot_def; a definition without it is refused
} plRobotDef;

PL_API plRobotDef pl_default_robot_def(void);
// Adds all bodies, joints, actuators, shapes and constraints of a file. Features of the file that the library
// does not support are reported to options->warn, each kind once with its line. On failure the spec does not
// change. options may be NULL.
PL_API plStatus pl_spec_add_robot(plSpec* spec, const plRobotDef* def, const plLoadOptions* options,
                                  plError* error);
// The same from memory. def->file names the file in errors and decides the format; relative paths start at
// folder.
PL_API plStatus pl_spec_parse_robot(plSpec* spec, const plRobotDef* def, const char* folder, const char* text,
                                    size_t size, const plLoadOptions* options, plError* error);
// The pose of a body in the world with all joints at their start.
PL_API plPose pl_spec_body_pose(const plSpec* spec, int body);
// Whether the name ends like a robot file (.urdf, .sdf, .world, .xml, .mjcf).
PL_API bool pl_is_robot_file(const char* path);

// Read the definitions in a spec.
PL_API int pl_spec_body_count(const plSpec* spec);
PL_API int pl_spec_joint_count(const plSpec* spec);
PL_API int pl_spec_actuator_count(const plSpec* spec);
PL_API int pl_spec_constraint_count(const plSpec* spec);
PL_API int pl_spec_shape_count(const plSpec* spec);
PL_API const plBodyDef* pl_spec_body(const plSpec* spec, int id);
PL_API const plJointDef* pl_spec_joint(const plSpec* spec, int id);
PL_API const plConstraintDef* pl_spec_constraint(const plSpec* spec, int id);
PL_API const plShapeDef* pl_spec_shape(const plSpec* spec, int id);
// Sets a joint's start. position has pl_joint_nq entries, velocity (may be NULL) pl_joint_nv. Values outside
// the limits are allowed.
PL_API plStatus pl_spec_set_joint_start(plSpec* spec, int joint, const double* position,
                                        const double* velocity, plError* error);
// Sets the surface of a shape; pl_spec_shape reads it.
PL_API plStatus pl_spec_set_surface(plSpec* spec, int shape, const plSurface* surface, plError* error);
PL_API plStatus pl_spec_set_joint_locked(plSpec* spec, int joint, bool locked, plError* error);

#ifdef __cplusplus
}
#endif
#endif

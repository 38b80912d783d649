// model.h: the compiled, constant model. It is shared by any number of simulations and threads.
//
// Names follow a pattern: nthing is the number of things, thing_field[...] an array with one entry per thing,
// and thing_other0 the first index of its others. An index of -1 means none. All arrays belong to the model
// and must not be changed.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_MODEL_H
#define PLIANT_MODEL_H

#include "pliant/parameters.h"
#include "pliant/rigid.h"
#include "pliant/sensor.h"
#include "pliant/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

struct plModel {
  const plParameters* par;  // parameters with which each simulation starts; each has its own copy, data->par

  // ---- sizes
  int nq;       // generalised positions
  int nv;       // generalised velocities
  int nu;       // actuator inputs
  int ndeform;  // deformable bodies
  int nvert;    // vertices of all deformables together
  int ntet;     // tetrahedra of all deformables together
  int ntri;     // boundary triangles of all deformables together
  int nfix;     // groups of vertices whose motion is prescribed (plFixDef)
  int nshape;   // rigid shapes

  // ---- deformable bodies
  char** deform_name;     // [ndeform]
  int* deform_vert0;      // [ndeform + 1] first vertex
  int* deform_tet0;       // [ndeform + 1] first tetrahedron
  int* deform_tri0;       // [ndeform + 1] first boundary triangle
  int* deform_q0;         // [ndeform] first position in q; vertex i of body b is at q + deform_q0[b] + 3 i
  int* deform_v0;         // [ndeform] first velocity in v
  double* deform_volume;  // [ndeform] m^3 at rest
  int* deform_plane;      // [ndeform] 1 for plane strain, else 0
  int* deform_self;       // [ndeform] 1 if contact with itself is on, else 0
  double* vert_rest;      // [3 nvert] m, the undeformed mesh in the body's frame
  int* vert_number;  // [nvert] index of the vertex in scene files and signals: that in the mesh file of its
                     // body
  double* vert_volume;  // [nvert] m^3, row sums of the mass matrix for density 1 (negative at the corners of
                        // quadratic tetrahedra)
  int* vert_fixed;  // [nvert] bits PL_FIX_X, PL_FIX_Y, PL_FIX_Z of the components whose motion is prescribed
  int* vert_fix;    // [nvert] group that prescribes it, or -1
  int* tet_vert;    // [4 ntet] vertex ids, counted from the first vertex of the model
  double* tet_volume;  // [ntet] m^3 at rest
  double* tet_grad;    // [12 ntet] gradients of the four linear shape functions at rest, 3 each (1/m)
  int* tet_mid;  // [6 ntet] for quadratic tetrahedra the vertices in the middle of edges 01 02 03 12 13 23;
                 // else -1
  // [ntet] first tetrahedron of the patch over which volume changes are averaged; -1 for none
  int* tet_patch;
  double* tet_patch_volume;  // [ntet] m^3, volume of that patch; 0 for none
  int* tri_vert;             // [3 ntri] vertex ids, counterclockwise seen from outside
  int* tri_tet;              // [ntri] the tetrahedron that the triangle is a face of

  // ---- prescribed motion
  int* fix_knot0;       // [nfix + 1] first knot
  double* knot_time;    // [fix_knot0[nfix]] s, time of each knot
  double* knot_offset;  // [3 fix_knot0[nfix]] m, displacement at each knot

  // ---- attachments
  int nattach;         // attachments, see plAttachDef
  char** attach_name;  // [nattach]
  int* attach_deform;  // [nattach] deformable body
  int* attach_body;    // [nattach] rigid body; -1 for the world
  int* attach_other;   // [nattach] deformable that holds the vertices instead of a rigid body; -1 for none
  int* attach_vert0;   // [nattach + 1] first entry in attach_vert
  int* attach_vert;    // [attach_vert0[nattach]] vertices, counted from the first vertex of their deformable
  bool* attach_exact;  // [nattach] true if the vertices follow rigidly, without compliance
  bool* attach_off;    // [nattach] true if it is off at the start

  // ---- rigid shapes
  char** shape_name;        // [nshape]
  int* shape_body;          // [nshape] rigid body that carries the shape; -1 for the world
  plShapeKind* shape_kind;  // [nshape]
  plPose* shape_pose;       // [nshape] pose of the shape in the body's frame
  plVec3* shape_size;       // [nshape] m, dimensions as plShapeKind defines them
  double* shape_radius;     // [nshape] m
  double* shape_length;     // [nshape] m
  plMesh** shape_mesh;      // [nshape] NULL unless PL_SHAPE_MESH
  bool* shape_convex;       // [nshape] true if the convex hull of the mesh is used for contact
  bool* shape_collide;      // [nshape] true if the shape takes part in contact
  plVec3* shape_colour;     // [nshape] red, green, blue in [0, 1]

  // ---- rigid bodies (rigid.h); their coordinates come first in q and v, tree by tree
  int nbody;   // rigid bodies
  int njoint;  // joints; a body without a joint gets a free joint with the body's name
  int nact;    // actuators
  int ntree;   // kinematic trees: groups of bodies connected by joints, not counting connections through the
               // world
  int nconstraint;          // constraints between bodies or joints
  int nexclude;             // pairs of bodies without contact
  int nq_rigid, nv_rigid;   // the part of nq and nv that belongs to rigid bodies
  char** body_name;         // [nbody]
  int* body_parent;         // [nbody] parent body; -1 for the world
  int* body_node;           // [nbody] moving frame that carries the body; -1 if it is fixed in the world
  plPose* body_pose;        // [nbody] pose in that frame (or in the world)
  char** joint_name;        // [njoint]
  plJointKind* joint_kind;  // [njoint]
  int* joint_parent;        // [njoint] parent body; -1 for the world
  int* joint_child;         // [njoint] child body
  int* joint_q0;            // [njoint] first position in q
  int* joint_v0;            // [njoint] first velocity in v
  int* dof_joint;           // [nv_rigid] joint of each degree of freedom
  int* dof_q;               // [nv_rigid] index in q of its position; -1 in ball and free joints
  double* dof_effort;       // [nv_rigid] N or Nm, effort limit of the actuators; may be infinite
  double* dof_force_lower;  // [nv_rigid] N or Nm, limits of the sum of all actuators, within dof_effort; may
                            // be infinite
  double* dof_force_upper;  // [nv_rigid]
  double* dof_speed;  // [nv_rigid] m/s or rad/s, speed limit that the robot's file states; it is not enforced
  bool* dof_locked;   // [nv_rigid] true if it cannot move
  int* tree_v0;       // [ntree + 1] first velocity
  char** act_name;    // [nact]
  plActuatorKind* act_kind;  // [nact]
  int* act_dof;              // [nact] degree of freedom that it drives; the first one of a tendon
  int* act_term0;            // [nact + 1] first entry in act_term
  int* act_term;             // [act_term0[nact]] degrees of freedom that it drives
  double* act_coefficient;   // [act_term0[nact]] the actuator's coordinate is the sum of coefficient * q; on
                             // each degree of freedom acts coefficient * force; 0 for actuators on sites,
                             // whose coefficients change with the state
  int* act_site0;            // [nact + 1] first entry in act_site
  int* act_site;             // [act_site0[nact]] the one site on which it acts, or those that its cable runs
                             // through
  double* act_wrench;        // [6 nact] N and Nm, force and moment at the one site for f = 1
  int* act_u0;               // [nact] first input in u
  double* act_gear;          // [nact] factor of the coordinate and of the force in the actuator's law
  bool* act_off;             // [nact] true if it is off at the start
  bool* act_zero_velocity;   // [nact] true if the desired velocity of a table is 0 instead of the table's
                             // derivative
  int* act_knot0;            // [nact + 1] first knot of the table for u
  double* act_time;          // [act_knot0[nact]] s, times of the knots
  double* act_value;         // [act_knot0[nact]] u at these times
  double* act_slope;         // [act_knot0[nact]] 1/s, slope at each knot of a cubic table
  plInterpolation* act_interpolation;  // [nact]
  plConstraintDef* constraint;         // [nconstraint] definitions (rigid.h)
  double** constraint_slope;           // [nconstraint] 1/s, slopes at the knots of a cubic table; else NULL
  plSide* exclude;                     // [2 nexclude] pairs of rigid bodies, deformables or the world
  double* start_u;                     // [nu] inputs at the start

  // ---- sites
  int nsite;          // named frames
  char** site_name;   // [nsite]
  int* site_body;     // [nsite] rigid body; -1 for the world
  plPose* site_pose;  // [nsite] pose in the body's frame

  // ---- sensors (sensor.h)
  int nsensor;           // sensors
  plSensor* sensor;      // [nsensor]
  size_t reading_bytes;  // size of the readings of all sensors together

  // ---- initial state
  double* start_q;  // [nq] positions
  double* start_v;  // [nv] velocities

  uint64_t hash;  // identifies the structure and the initial state, without par; a saved state can be loaded
                  // into models of the same hash
  // Sparsity patterns, orderings and tables for the stages of a step (src/model/work.h)
  struct plModelWork* work;
};

// Compiles a spec. Returns NULL on failure; then the error says what to change. The spec may be destroyed
// afterwards.
PL_API const plModel* pl_model_create(const plSpec* spec, plError* error);
// Releases the model. Its memory is freed when the last simulation made from it is destroyed.
PL_API void pl_model_destroy(const plModel* model);

// ---- what it holds

typedef enum plInfoForm {
  PL_INFO_TEXT,  // tables for people
  PL_INFO_JSON   // one object with the same tables; numbers that are not finite are null
} plInfoForm;

// Counts, options, bodies, joints, actuators, constraints, sites, deformables, attachments, shapes and
// sensors of a model, at the values of model->par. Writes at most size bytes, terminated unless size is 0
// (text may then be NULL); returns the length of the whole, as snprintf does.
PL_API size_t pl_model_info(const plModel* model, plInfoForm form, char* text, size_t size);

// ---- names

// The kinds of named things.
typedef enum plKind {
  PL_KIND_DEFORMABLE,
  PL_KIND_BODY,  // rigid bodies
  PL_KIND_JOINT,
  PL_KIND_ACTUATOR,
  PL_KIND_SHAPE,  // rigid shapes
  PL_KIND_ATTACHMENT,
  PL_KIND_CONSTRAINT,
  PL_KIND_SENSOR,
  PL_KIND_SITE,
  PL_KIND_COUNT
} plKind;

// "deformable", "body", ...
PL_API const char* pl_kind_name(plKind kind);
// The number of things of a kind, and the name of each.
PL_API int pl_model_count(const plModel* model, plKind kind);
PL_API const char* pl_model_name(const plModel* model, plKind kind, int index);
// The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each.
PL_API int pl_model_find(const plModel* model, plKind kind, const char* name);
PL_API int pl_model_find_body(const plModel* model, const char* name);
PL_API int pl_model_find_joint(const plModel* model, const char* name);
PL_API int pl_model_find_actuator(const plModel* model, const char* name);
PL_API int pl_model_find_deformable(const plModel* model, const char* name);
PL_API int pl_model_find_shape(const plModel* model, const char* name);
PL_API int pl_model_find_attachment(const plModel* model, const char* name);
PL_API int pl_model_find_constraint(const plModel* model, const char* name);
PL_API int pl_model_find_site(const plModel* model, const char* name);

// Finds a deformable, rigid body or shape by name, in this order; "world" is the world. Returns false if
// there is none.
PL_API bool pl_model_find_side(const plModel* model, const char* name, plSide* side);
// The name of a side; "world" and "any" for the sides that are not objects.
PL_API const char* pl_side_name(const plModel* model, plSide side);
PL_API bool pl_side_equal(plSide a, plSide b);
// Whether `side` includes the contact side `of`: they are equal, `of` is a shape of that body or of the
// world, or `side` is any.
PL_API bool pl_side_covers(const plModel* model, plSide side, plSide of);

#ifdef __cplusplus
}
#endif
#endif

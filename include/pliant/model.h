// model.h: the compiled, constant model. It is shared by any number of simulations and threads.
//
// Sizes are nthing, arrays per thing thing_field[shape], first indices thing_other0, none is -1. All arrays
// belong to the model.
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
  const plParameters* par;  // what a simulation starts with: each has its own, data->par

  // ---- sizes
  int nq;       // generalised positions
  int nv;       // generalised velocities
  int nu;       // actuator inputs
  int ndeform;  // deformable bodies
  int nvert;    // their vertices, all together
  int ntet;     // their tetrahedra
  int ntri;     // their boundary triangles
  int nfix;     // groups of vertices with given motion
  int ngeom;    // rigid shapes

  // ---- deformable bodies
  char** deform_name;     // [ndeform]
  int* deform_vert0;      // [ndeform + 1] first vertex
  int* deform_tet0;       // [ndeform + 1] first tetrahedron
  int* deform_tri0;       // [ndeform + 1] first boundary triangle
  int* deform_q0;         // [ndeform] first position in q; vertex i of body b is at q + deform_q0[b] + 3 i
  int* deform_v0;         // [ndeform] first velocity in v
  double* deform_volume;  // [ndeform] m^3 at rest
  int* deform_plane;      // [ndeform] 1: plane strain, else 0
  int* deform_self;       // [ndeform] 1: touches itself, else 0
  double* vert_rest;      // [3 nvert] m, the undeformed mesh in the body's frame
  double* vert_volume;    // [nvert] m^3, row sums of the mass matrix at density 1 (negative at corners of
                          // quadratic tetrahedra)
  int* vert_fixed;        // [nvert] bits PL_FIX_X ... of the components whose motion is given
  int* vert_fix;          // [nvert] the group that gives it, or -1
  int* tet_vert;          // [4 ntet] vertex ids, counted from the first vertex of the model
  double* tet_volume;     // [ntet] m^3 at rest
  double* tet_grad;       // [12 ntet] gradients of the four linear shape functions at rest, 3 each (1/m)
  int* tet_mid;  // [6 ntet] quadratic tetrahedra: vertices in the middle of edges 01 02 03 12 13 23; else -1
  int* tet_patch;  // [ntet] first tetrahedron of the patch over which volume changes are averaged, -1: none
  double* tet_patch_volume;  // [ntet] m^3 of that patch, 0: none
  int* tri_vert;             // [3 ntri] vertex ids, outward
  int* tri_tet;              // [ntri] the tetrahedron behind

  // ---- given motion
  int* fix_knot0;       // [nfix + 1] first knot
  double* knot_time;    // [fix_knot0[nfix]] s
  double* knot_offset;  // [3 fix_knot0[nfix]] m

  // ---- attachments
  int nattach;         // vertices held together, see plAttachDef
  char** attach_name;  // [nattach]
  int* attach_deform;  // [nattach] deformable body
  int* attach_body;    // [nattach] rigid body, -1: world
  int* attach_other;   // [nattach] deformable that holds them instead, -1: none
  int* attach_vert0;   // [nattach + 1] first entry in attach_vert
  int* attach_vert;    // [attach_vert0[nattach]] vertices, counted in their body
  bool* attach_exact;  // [nattach] eliminated: no compliance
  bool* attach_off;    // [nattach] at the start

  // ---- rigid shapes
  char** geom_name;        // [ngeom]
  int* geom_body;          // [ngeom] rigid body, -1: world
  plShapeKind* geom_kind;  // [ngeom]
  plPose* geom_pose;       // [ngeom] in the body's frame
  plVec3* geom_size;       // [ngeom] m, as defined for each kind
  double* geom_radius;     // [ngeom] m
  double* geom_length;     // [ngeom] m
  plMesh** geom_mesh;      // [ngeom] NULL unless PL_SHAPE_MESH
  bool* geom_convex;       // [ngeom] the mesh stands for its convex hull
  bool* geom_collide;      // [ngeom]
  plVec3* geom_colour;     // [ngeom]

  // ---- rigid bodies (rigid.h); their coordinates come first in q and v, tree by tree
  int nbody;                 // rigid bodies
  int njoint;                // joints; a body without one got a free joint of its own name
  int nact;                  // actuators
  int ntree;                 // kinematic trees: groups of bodies that joints connect, the world apart
  int nconstraint;           // constraints between bodies or joints
  int nexclude;              // pairs of bodies without contact
  int nq_rigid, nv_rigid;    // what the rigid bodies take of nq and nv
  char** body_name;          // [nbody]
  int* body_parent;          // [nbody] body, -1: the world
  int* body_node;            // [nbody] the moving frame that carries it, -1: fixed in the world
  plPose* body_pose;         // [nbody] in that frame (or in the world)
  char** joint_name;         // [njoint]
  plJointKind* joint_kind;   // [njoint]
  int* joint_parent;         // [njoint] body, -1: the world
  int* joint_child;          // [njoint] body
  int* joint_q0;             // [njoint] first position in q
  int* joint_v0;             // [njoint] first velocity in v
  int* dof_joint;            // [nv_rigid]
  int* dof_q;                // [nv_rigid] its position in q; -1 in ball and free joints
  double* dof_effort;        // [nv_rigid] N or Nm, limit of the actuators, may be infinite
  double* dof_speed;         // [nv_rigid] for information
  bool* dof_locked;          // [nv_rigid]
  int* tree_v0;              // [ntree + 1] first velocity
  char** act_name;           // [nact]
  plActuatorKind* act_kind;  // [nact]
  int* act_dof;              // [nact] the dof it drives, the first one of a tendon
  int* act_term0;            // [nact + 1] first entry in act_term
  int* act_term;             // [act_term0[nact]] the dofs that it drives
  double* act_coefficient;   // [act_term0[nact]] its coordinate is the sum of coefficient q, a dof feels
                             // coefficient f
                             // (of sites: 0, they change with the state)
  int* act_site0;            // [nact + 1] first entry in act_site
  int* act_site;            // [act_site0[nact]] sites: one that is pushed, or those that a cable runs through
  double* act_wrench;       // [6 nact] force and moment at one site for f = 1
  int* act_u0;              // [nact] first input in u
  double* act_gear;         // [nact] scales the coordinate and the force of its law
  bool* act_off;            // [nact] at the start
  bool* act_zero_velocity;  // [nact] the desired velocity of a table is 0 instead of its derivative
  int* act_knot0;           // [nact + 1] first knot of the table for u
  double* act_time;         // [act_knot0[nact]] s
  double* act_value;        // [act_knot0[nact]]
  double* act_slope;        // [act_knot0[nact]] per s at the knot, cubic tables
  plInterpolation* act_interpolation;  // [nact]
  plConstraintDef* constraint;         // [nconstraint]
  double** constraint_slope;           // [nconstraint] per s at the knots of a cubic table, else NULL
  plSide* exclude;                     // [2 nexclude] rigid bodies, deformables or the world
  double* start_u;                     // [nu]

  // ---- sites
  int nsite;          // named frames
  char** site_name;   // [nsite]
  int* site_body;     // [nsite] rigid body, -1: world
  plPose* site_pose;  // [nsite] in the body's frame

  // ---- sensors (sensor.h)
  int nsensor;           // sensors
  plSensor* sensor;      // [nsensor]
  size_t reading_bytes;  // of all readings

  // ---- the start
  double* start_q;  // [nq]
  double* start_v;  // [nv]

  uint64_t hash;             // of the structure and the start, not of par: a saved state belongs to a model
  struct plModelWork* work;  // patterns, orders and tables of the pipeline's stages (src/model/work.h)
};

// Compiles a spec. On failure NULL, and the error says what to change. The spec may be destroyed afterwards.
PL_API const plModel* pl_model_create(const plSpec* spec, plError* error);
// Gives the model up. Simulations that were made of it keep it until the last of them is destroyed.
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
// How many things of a kind a model has, and the name of each.
PL_API int pl_model_count(const plModel* model, plKind kind);
PL_API const char* pl_model_name(const plModel* model, plKind kind, int index);
// The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each.
PL_API int pl_model_find(const plModel* model, plKind kind, const char* name);
PL_API int pl_model_find_body(const plModel* model, const char* name);
PL_API int pl_model_find_joint(const plModel* model, const char* name);
PL_API int pl_model_find_actuator(const plModel* model, const char* name);
PL_API int pl_model_find_deformable(const plModel* model, const char* name);
PL_API int pl_model_find_geometry(const plModel* model, const char* name);
PL_API int pl_model_find_attachment(const plModel* model, const char* name);
PL_API int pl_model_find_constraint(const plModel* model, const char* name);
PL_API int pl_model_find_site(const plModel* model, const char* name);

// The deformable, rigid body or shape of that name, in this order; `world` is the world. False if there is
// none.
PL_API bool pl_model_find_side(const plModel* model, const char* name, plSide* side);
// Its name; "world", "any".
PL_API const char* pl_side_name(const plModel* model, plSide side);
PL_API bool pl_side_equal(plSide a, plSide b);
// Whether the side of a contact belongs to `side`: it is the same, or a shape of that body or of the world,
// or any will do.
PL_API bool pl_side_covers(const plModel* model, plSide side, plSide of);

#ifdef __cplusplus
}
#endif
#endif

// model.h: the compiled, constant model. It is shared by any number of simulations and threads.
//
// Sizes are nthing, arrays per thing thing_field[shape], first indices thing_other0, none is -1. All arrays belong to the model.
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_MODEL_H
#define PLIANT_MODEL_H

#include "pliant/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plModel {
  plOptions options;

  // ---- sizes
  int nq;            // generalised positions
  int nv;            // generalised velocities
  int nu;            // actuator inputs
  int ndeform;       // deformable bodies
  int nvert;         // their vertices, all together
  int ntet;          // their tetrahedra
  int ntri;          // their boundary triangles
  int nfix;          // groups of vertices with given motion
  int ngeom;         // rigid shapes

  // ---- deformable bodies
  char** deform_name;          // [ndeform]
  plMaterial* deform_material; // [ndeform]
  plSurface* deform_surface;   // [ndeform]
  int* deform_vert0;           // [ndeform + 1] first vertex
  int* deform_tet0;            // [ndeform + 1] first tetrahedron
  int* deform_tri0;            // [ndeform + 1] first boundary triangle
  int* deform_q0;              // [ndeform] first position in q; vertex i of body b is at q + deform_q0[b] + 3 i
  int* deform_v0;              // [ndeform] first velocity in v
  double* deform_mass;         // [ndeform] kg
  double* vert_rest;           // [3 nvert] m, the undeformed mesh in the body's frame
  double* vert_mass;           // [nvert] kg, row sums of the mass matrix
  int* vert_fixed;             // [nvert] bits PL_FIX_X ... of the components whose motion is given
  int* vert_fix;               // [nvert] the group that gives it, or -1
  int* tet_vert;               // [4 ntet] vertex ids, counted from the first vertex of the model
  double* tet_volume;          // [ntet] m^3 at rest
  double* tet_grad;            // [12 ntet] gradients of the four shape functions at rest, 3 each (1/m)
  int* tri_vert;               // [3 ntri] vertex ids, outward
  int* tri_tet;                // [ntri] the tetrahedron behind

  // ---- given motion
  int* fix_knot0;              // [nfix + 1] first knot
  double* knot_time;           // [fix_knot0[nfix]] s
  double* knot_offset;         // [3 fix_knot0[nfix]] m

  // ---- rigid shapes
  char** geom_name;            // [ngeom]
  int* geom_body;              // [ngeom] rigid body, -1: world
  plShapeKind* geom_kind;      // [ngeom]
  plPose* geom_pose;           // [ngeom] in the body's frame
  plVec3* geom_size;           // [ngeom] m, as defined for each kind
  double* geom_radius;         // [ngeom] m
  double* geom_length;         // [ngeom] m
  plMesh** geom_mesh;          // [ngeom] NULL unless PL_SHAPE_MESH
  plSurface* geom_surface;     // [ngeom]
  bool* geom_collide;          // [ngeom]
  plVec3* geom_colour;         // [ngeom]

  // ---- the start
  double* start_q;             // [nq]
  double* start_v;             // [nv]

  uint64_t hash;               // of everything above: a saved state belongs to a model
  struct plModelWork* work;    // patterns, orders and tables of the pipeline's stages (src/model/work.h)
} plModel;

// Compiles a spec. On failure NULL, and the error says what to change. The spec may be destroyed afterwards.
plModel* pl_model_create(const plSpec* spec, plError* error);
void pl_model_destroy(plModel* model);

// Index of a deformable body or shape by name, -1 if there is none.
int pl_model_find_deformable(const plModel* model, const char* name);
int pl_model_find_geometry(const plModel* model, const char* name);

#ifdef __cplusplus
}
#endif
#endif

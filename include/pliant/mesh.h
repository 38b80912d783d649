// mesh.h: triangle and tetrahedron meshes: files, shapes, checks, repair, meshing of closed surfaces.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_MESH_H
#define PLIANT_MESH_H

#include "pliant/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// A mesh of tetrahedra, a surface of triangles, or both over the same vertices. It owns its arrays;
// pl_mesh_destroy frees them.
typedef struct plMesh {
  int nvert;       // vertices
  int ntet;        // tetrahedra, 0 for a surface
  int ntri;        // triangles; for a mesh of tetrahedra its boundary, after pl_mesh_boundary
  double* vert;    // [3 nvert] positions (m)
  int* tet;        // [4 ntet] vertex ids; positive volume: (v1-v0) x (v2-v0) . (v3-v0) > 0
  int* tri;        // [3 ntri] vertex ids, outward by the right-hand rule
  int by_corners;  // number of elements of second or higher order in the file, of which only the corners were
                   // read
  double kept;  // fraction of the enclosed volume that pl_mesh_tetrahedralize filled, before smoothing; 0 if
                // the mesh was not made by it
  // A reader and pl_mesh_repair drop vertices that no element uses. Scene files name vertices by their index
  // before that.
  int* number;  // [nvert] index that each vertex had before, ascending; NULL if none was dropped
  int nnumber;  // number of vertices before; 0 if none was dropped
} plMesh;

PL_API plMesh* pl_mesh_create(int nvert, int ntet, int ntri, plError* error);
PL_API plMesh* pl_mesh_copy(const plMesh* mesh, plError* error);
PL_API void pl_mesh_destroy(plMesh* mesh);

// ---- files. The format follows the extension: .vtk (legacy, ASCII and binary), .vtu, .msh (Gmsh 1,
// 2.2 and 4.1, ASCII and binary), .node/.ele (TetGen), .mesh (Medit), .obj, .stl (ASCII and binary), .ply
// (ASCII and binary), .gltf and .glb (read only; glTF is y-up and is turned to z-up: (x, y, z) -> (x, -z,
// y)), .dae (COLLADA, read only; in metres by its unit, axes as they are written).

// Reads a mesh as the file has it, with its orientations and duplicates (pl_mesh_repair corrects them).
// Quadrilaterals become two triangles. Of tetrahedra and triangles of higher order only the corners are read
// (by_corners). Points and lines are skipped. Any other element is an error that names it.
PL_API plStatus pl_mesh_load(const char* path, plMesh** mesh, plError* error);
// The same with another limit on the size of the file; 0: 1 GiB, as pl_mesh_load has.
PL_API plStatus pl_mesh_load_within(const char* path, size_t max_bytes, plMesh** mesh, plError* error);
// The same from memory; name decides the format and appears in errors. (TetGen's pair of files, and glTF with
// buffers in other files, can only be read by path.)
PL_API plStatus pl_mesh_parse(const char* name, const void* bytes, size_t size, plMesh** mesh,
                              plError* error);
// Writes a mesh in the format of the extension; a surface format gets the boundary of a tet mesh.
PL_API plStatus pl_mesh_save(const char* path, const plMesh* mesh, plError* error);

// ---- shapes, meshed with about the given edge length (m). The half ellipsoid is the half z <= 0 with its
// flat base at z = 0.

PL_API plStatus pl_mesh_box(plVec3 size, double edge, plMesh** mesh, plError* error);  // centred
PL_API plStatus pl_mesh_box_cells(plVec3 size, int nx, int ny, int nz, plMesh** mesh,
                                  plError* error);  // nx ny nz cells
PL_API plStatus pl_mesh_sphere(double radius, double edge, plMesh** mesh, plError* error);
PL_API plStatus pl_mesh_ellipsoid(plVec3 semi_axes, double edge, plMesh** mesh, plError* error);
PL_API plStatus pl_mesh_half_ellipsoid(plVec3 semi_axes, double edge, plMesh** mesh, plError* error);
PL_API plStatus pl_mesh_cylinder(double radius, double length, double edge, plMesh** mesh,
                                 plError* error);  // axis z, centred
PL_API plStatus pl_mesh_capsule(double radius, double length, double edge, plMesh** mesh,
                                plError* error);  // length without the caps
PL_API plStatus pl_mesh_torus(double major_radius, double minor_radius, double edge, plMesh** mesh,
                              plError* error);  // axis z

// ---- properties of a mesh

enum { PL_QUALITY_BINS = 10 };
typedef struct plMeshReport {
  int nvert, ntet, ntri;                 // as in the mesh
  int boundary_tri;                      // faces of the boundary of the tets (or the triangles of a surface)
  int boundary_vert;                     // vertices on the boundary
  int component;                         // number of connected components
  plVec3 lower, upper;                   // bounding box (m)
  double volume;                         // m^3, of the tets or enclosed by the surface (signed)
  double area;                           // m^2 of the boundary
  double edge_min, edge_mean, edge_max;  // m
  int inverted;                          // tets of negative volume
  int flat;           // tets of volume below 1e-12 of their longest edge cubed, triangles without area
  int duplicate;      // elements that repeat another one's vertices
  int unused;         // vertices that no element uses
  int coincident;     // vertices at the same position as another one
  int boundary_open;  // boundary edges with a single facet (a hole)
  int nonmanifold;    // boundary edges with more than two facets
  int misoriented;    // pairs of neighbouring surface triangles with opposite orientation; 1 if instead the
                      // whole surface is inside out
  int not_finite;     // vertices with NaN or infinity
  int looks_like_mm;  // 1 if the size suggests millimetres (extent above 20 m)
  int quality[PL_QUALITY_BINS];      // histogram over [0, 1] of the tets' quality: 1 = regular, 0 = flat
  double quality_min, quality_mean;  // of the tets, in [0, 1]
} plMeshReport;

PL_API plStatus pl_mesh_check(const plMesh* mesh, plMeshReport* report, plError* error);

// Writes one sentence for each finding that a user should know about into text, separated by newlines, and
// returns their number.
PL_API int pl_mesh_report_text(const plMeshReport* report, char* text, size_t size);

// Repairs what can be repaired safely: reorients inverted tetrahedra, drops duplicates, flat elements and
// unused vertices (plMesh.number keeps the numbers of the others), merges coincident vertices (surfaces), and
// orients triangles outward. Sentences about what was done go into log (may be NULL).
PL_API plStatus pl_mesh_repair(plMesh* mesh, char* log, size_t log_size, plError* error);

// (Re)computes the triangles of a tet mesh as its boundary, outward. Order: by tet, then by face.
PL_API plStatus pl_mesh_boundary(plMesh* mesh, plError* error);

// Transforms the vertices in place: first the scale, then the pose.
PL_API void pl_mesh_transform(plMesh* mesh, plVec3 scale, plPose pose);

// ---- meshing

// Tetrahedra of about the given edge length inside a closed surface (isosurface stuffing: robust, every tet
// of bounded quality). Refuses with PL_ERROR_TOO_LARGE and an estimate when more than max_tets would result
// (0: 20 million).
PL_API plStatus pl_mesh_tetrahedralize(const plMesh* surface, double edge, long max_tets, plMesh** mesh,
                                       plError* error);

#ifdef __cplusplus
}
#endif
#endif

// mesh.h: what the library's own files ask of a plMesh beyond pliant/mesh.h: volumes, edge lists, grouping of equal elements.
#ifndef PL_GEOM_MESH_H
#define PL_GEOM_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "math/vec3.h"
#include "pliant/mesh.h"

// No mesh holds more elements of a kind than this: the lists of faces and edges made from them are then counted by an int.
enum { PL_MESH_ELEMENT_MAX = INT32_MAX / 12 };

// Face i lies opposite vertex i, outward by the right-hand rule when the tet's volume is positive.
extern const int pl_tet_face[4][3];
extern const int pl_tet_edge[6][2];

static inline plVec3 pl_mesh_vertex(const plMesh* mesh, int v) { return v3_load(mesh->vert + 3 * (size_t)v); }
// Six times the signed volume of tet t (m^3).
double pl_mesh_tet_volume6(const plMesh* mesh, int t);
// Twice the area vector of triangle t (m^2), along its outward normal.
plVec3 pl_mesh_tri_area2(const plMesh* mesh, int t);

// All vertex ids within range; the error names the first one that is not.
plStatus pl_mesh_check_ids(const plMesh* mesh, plError* error);

// Sorts n keys of width ids each (every id in [0, nid)) lexicographically: order[k] is the index of the k-th key. Equal keys keep
// their order. Linear time. False if memory runs out.
bool pl_sort_keys(int n, int width, const int* key, int nid, int* order);
// The ids of each of n elements of width ids, ascending within the element; key may be element.
void pl_sorted_ids(int n, int width, const int* element, int* key);
bool pl_same_key(int width, const int* key, int a, int b);

// The faces of the tets as sorted triples, face i of tet t at 3 (4 t + i). NULL if memory runs out.
int* pl_mesh_face_keys(const plMesh* mesh);

// The unique edges of all tets and triangles, (low, high) id each, ascending; *edge is freed by the caller with pl_free.
plStatus pl_mesh_edges(const plMesh* mesh, int** edge, int* nedge, plError* error);

// The triangles bounding the tets, outward, in order of tet and face; *tri is freed by the caller with pl_free.
plStatus pl_mesh_tet_boundary(const plMesh* mesh, int** tri, int* ntri, plError* error);

#endif

// mesh.h: functions on plMesh for the library's own files, beyond pliant/mesh.h: volumes, edge lists,
// grouping of equal elements.
#ifndef PL_GEOM_MESH_H
#define PL_GEOM_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "math/vec3.h"
#include "pliant/mesh.h"

// Largest number of elements of a kind: the lists of faces and edges made from them can then be counted by an
// int.
enum { PL_MESH_ELEMENT_MAX = INT32_MAX / 12 };

// Face i lies opposite vertex i, outward by the right-hand rule when the tet's volume is positive.
extern const int pl_tet_face[4][3];
extern const int pl_tet_edge[6][2];

static inline plVec3 pl_mesh_vertex(const plMesh* mesh, int v) { return v3_load(mesh->vert + 3 * (size_t)v); }
// Six times the signed volume of tet t (m^3).
double pl_mesh_tet_volume6(const plMesh* mesh, int t);
// Twice the area vector of triangle t (m^2), along its outward normal.
plVec3 pl_mesh_tri_area2(const plMesh* mesh, int t);

// Flat: a volume within 1e-12 of the longest edge cubed, an area within 1e-12 of the longest edge squared.
bool pl_mesh_tet_is_flat(const plMesh* mesh, int t);
bool pl_mesh_tri_is_flat(const plMesh* mesh, int t);

// All vertex ids within range; the error names the first one that is not.
plStatus pl_mesh_check_ids(const plMesh* mesh, plError* error);

// The number of a vertex in its file, how many numbers the file has, and the vertex of a number (-1: none).
static inline int pl_mesh_number(const plMesh* mesh, int v) { return mesh->number ? mesh->number[v] : v; }
static inline int pl_mesh_nnumber(const plMesh* mesh) { return mesh->number ? mesh->nnumber : mesh->nvert; }
int pl_mesh_find(const plMesh* mesh, int number);
// The index of a number in an ascending list, -1: it is not there.
int pl_find_number(const int* number, int n, int wanted);

// Sorts n keys of width ids each (every id in [0, nid)) lexicographically: order[k] is the index of the k-th
// key. Equal keys keep their order. Linear time. False if memory runs out.
bool pl_sort_keys(int n, int width, const int* key, int nid, int* order);
// The ids of each of n elements of width ids, ascending within the element; key may be element.
void pl_sorted_ids(int n, int width, const int* element, int* key);
bool pl_same_key(int width, const int* key, int a, int b);

// The faces of the tets as sorted triples, face i of tet t at 3 (4 t + i). NULL if memory runs out.
int* pl_mesh_face_keys(const plMesh* mesh);

// The unique edges of all tets and triangles, (low, high) id each, ascending; *edge is freed by the caller
// with pl_free.
plStatus pl_mesh_edges(const plMesh* mesh, int** edge, int* nedge, plError* error);

// The half-edges of triangles: half-edge h = 3 t + i runs from tri[h] to tri[pl_half_edge_next(h)].
static inline int pl_half_edge_next(int h) { return h % 3 == 2 ? h - 2 : h + 1; }
// All half-edges grouped by their edge: key[2 h] < key[2 h + 1] are the ends of h, order lists the half-edges
// sorted by them. Triangles that name a vertex twice are left out. *n half-edges; both arrays are freed by
// the caller. False if memory runs out.
bool pl_half_edges(int ntri, const int* tri, int nvert, int** key, int** order, int* n);

// first[v] = the lowest id of a finite vertex at exactly the same position (v itself if there is none). False
// if memory runs out.
bool pl_first_at_place(int nvert, const double* vert, int* first);

// Union-find over ids: a forest in parent[n], parent[i] = i at the start. The root is the lowest id of its
// set.
int pl_set_root(int* parent, int i);
void pl_set_join(int* parent, int i, int j);

// The triangles bounding the tets, outward, in order of tet and face; *tri is freed by the caller with
// pl_free.
plStatus pl_mesh_tet_boundary(const plMesh* mesh, int** tri, int* ntri, plError* error);

// Reverses triangles of a surface so that neighbours agree and closed parts face outward (a cavity inside
// another part stays a cavity). Returns the number of reversed triangles, -1 if memory ran out.
int pl_surface_orient(plMesh* mesh);

#endif

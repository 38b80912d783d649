// points.h: elements as data: quadrature points with a stencil of nodes, shape gradients and a volume; groups
// of points.
//
// For every element, the deformation gradient at point q is F = sum_a x_a g_a' over its stencil, and the
// elastic energy is
//   E = sum_q V_q W(F_q) + sum_g V_g (kappa/2) tb_g^2,     tb_g = sum_{q in g} (V_q / V_g) theta(F_q)
// Materials depend on F only, the assembly (elastic.h) on these tables only.
#ifndef PL_FEM_POINTS_H
#define PL_FEM_POINTS_H

#include <stdbool.h>

#include "math/mat3.h"
#include "pliant/mesh.h"

typedef struct plPoints {
  int nnode;  // nodes of the body: vertices, then the midpoints of edges for quadratic elements
  int npoint;
  int* node0;         // [npoint + 1] first entry of each point in node and grad
  int* node;          // [node0[npoint]] node ids, ascending within a point
  double* grad;       // [3 node0[npoint]] gradient of the node's shape function at rest (1/m)
  double* volume;     // [npoint] m^3
  bool plane_strain;  // gradients have no z component, and F maps e_z to itself
  // plane strain, else NULL: the z components of the gradients (1/m), [node0[npoint]], and x, y of the nodes
  // at rest, [2 nnode], for layers.h
  double *along, *across;

  int ngroup;            // 0: no groups
  int* group;            // [npoint] the group of each point
  int* group_point0;     // [ngroup + 1]
  int* group_point;      // [npoint] points of each group, ascending
  double* group_volume;  // [ngroup] m^3
  int* group_node0;      // [ngroup + 1]
  int* group_node;       // [group_node0[ngroup]] union of the stencils, ascending
  int* group_place;      // [node0[npoint]] position of a stencil's node among its group's nodes, counted from
                         // group_node0[g]
} plPoints;

// Linear tetrahedra: one point each, in the order of the tets.
plStatus pl_points_tet4(const plMesh* mesh, plPoints** points, plError* error);
// Edge-smoothed linear tetrahedra: one point per edge (in the order of pl_mesh_edges), F the mean over the
// tets around it.
plStatus pl_points_tet4_smoothed(const plMesh* mesh, plPoints** points, plError* error);
// Quadratic tetrahedra with straight edges: nodes are the vertices, then the midpoints of the edges (in the
// order of pl_mesh_edges); four points per tet.
plStatus pl_points_tet10(const plMesh* mesh, plPoints** points, plError* error);
// Points whose volume, node0, node and grad the caller fills; NULL if memory runs out. nentry: length of
// node.
plPoints* pl_points_create(int nnode, int npoint, size_t nentry);
// Sorts the nodes of point q, once they and their gradients are filled in.
void pl_points_sort_stencil(plPoints* points, int q);
void pl_points_destroy(plPoints* points);

// The ten nodes of each tet, [10 ntet]: four vertices, then the midpoints of the edges in the order of
// pl_tet_edge; nodes of edges are numbered nvert + edge. The caller frees edge [2 nedge] and tet10 with
// pl_free.
plStatus pl_tet10_nodes(const plMesh* mesh, int** edge, int* nedge, int** tet10, plError* error);

// F of point q at positions x [3 nnode].
plMat3 pl_points_gradient(const plPoints* points, int q, const double* x);

// Sets d/dz to zero; rest [3 nnode]: positions of the nodes. False if memory runs out.
bool pl_points_set_plane_strain(plPoints* points, const double* rest);

// Sorts the points into groups: label [npoint] from 0 to ngroup - 1, each used.
plStatus pl_points_set_groups(plPoints* points, int ngroup, const int* label, plError* error);
// The groups against locking. points_per_tet 1: patches of about 12 tets; 0: the same for points at edges; 4:
// the element itself.
plStatus pl_points_set_patches(plPoints* points, const plMesh* mesh, int points_per_tet, plError* error);

#endif

// tri_tree.h: a tree of boxes over triangles: closest point, first hit of a ray, triangles near a box,
// winding number.
//
// The tree borrows vertices and triangles; they must outlive it and be finite. When vertices move,
// pl_tri_tree_refit updates the boxes. Equal input gives equal results to the last bit.
#ifndef PL_GEOM_TRI_TREE_H
#define PL_GEOM_TRI_TREE_H

#include <stdbool.h>

#include "base/parallel.h"
#include "math/vec3.h"
#include "pliant/types.h"

// A node's left child follows it. A leaf has count > 0 and its triangles at order[first ...]; an inner node
// has count = 0.
typedef struct plTriNode {
  plVec3 lower, upper;
  int first, count;
  int right;
} plTriNode;

// Far-field approximation of a node's triangles: the first moment of their solid angle.
typedef struct plTriMoment {
  plVec3 area;    // sum of the area vectors (m^2)
  plVec3 centre;  // mean of the centroids weighted by area
  double radius;  // all triangles lie within this distance of the centre
} plTriMoment;

typedef struct plTriTree {
  const double* vert;  // [3 nvert] borrowed
  const int* tri;      // [3 ntri] borrowed
  int ntri, nnode;
  int* order;           // [ntri] triangles; those of a node are contiguous
  plTriNode* node;      // [nnode] the root first
  plTriMoment* moment;  // [nnode] for pl_tri_tree_winding
  bool old_moments;     // the vertices have moved since the moments were computed
  bool shares;          // order and tri belong to another tree
} plTriTree;

enum {
  PL_TRI_TREE_DEPTH = 64,
  PL_TRI_TREE_LEAF = 4
};  // depth limit, which 2^31 triangles do not reach; largest number of triangles of a leaf

plStatus pl_tri_tree_create(const double* vert, const int* tri, int ntri, plTriTree** tree, plError* error);
// The same tree over other positions of the vertices, with its own boxes; the original must outlive it.
plStatus pl_tri_tree_share(const plTriTree* from, const double* vert, plTriTree** tree, plError* error);
void pl_tri_tree_destroy(plTriTree* tree);
// Boxes and moments from the present positions of the vertices.
void pl_tri_tree_refit(plTriTree* tree);
// Boxes alone; winding numbers are then sums over all triangles. The pool may be NULL.
void pl_tri_tree_refit_boxes(plTriTree* tree, plPool* pool);

typedef struct plTriHit {
  int tri;       // -1: none
  plVec3 point;  // on the triangle
  double t;      // ray: the point is origin + t direction; closest: distance (m)
} plTriHit;

// The closest point within max_distance (may be INFINITY).
plTriHit pl_tri_tree_closest(const plTriTree* tree, plVec3 point, double max_distance);
// The closest point, expected within a guess: a good guess saves most of the search, a wrong one costs a
// second search.
plTriHit pl_tri_tree_closest_near(const plTriTree* tree, plVec3 point, double guess);

// The first triangle hit by origin + t direction for t in [0, t_max]. Watertight: no ray passes between
// neighbours.
plTriHit pl_tri_tree_ray(const plTriTree* tree, plVec3 origin, plVec3 direction, double t_max);

// Calls visit for the triangles whose own box overlaps the given one; ends early when visit returns false.
typedef bool plTriVisit(void* context, int tri);
void pl_tri_tree_box(const plTriTree* tree, plVec3 lower, plVec3 upper, plTriVisit* visit, void* context);

// The generalized winding number: 1 inside a closed outward surface, 0 outside, between where the surface is
// open. Groups of triangles far away count as one dipole (Barill et al. 2018): error below 0.05 for a closed
// surface. After pl_tri_tree_refit_boxes it is pl_tri_winding: old moments would be those of other positions.
double pl_tri_tree_winding(const plTriTree* tree, plVec3 point);
// The same by the plain sum over all triangles.
double pl_tri_winding(const double* vert, const int* tri, int ntri, plVec3 point);

// The point of the triangle a b c closest to p; triangles without area are segments or points.
plVec3 pl_tri_closest(plVec3 a, plVec3 b, plVec3 c, plVec3 p);

#endif

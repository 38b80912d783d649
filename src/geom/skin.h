// skin.h: a closed triangle surface with its neighbours, rigid or deformable, as contact uses it.
//
// The topology is computed once; normals, areas and the tree are updated from the vertices in every step.
#ifndef PL_GEOM_SKIN_H
#define PL_GEOM_SKIN_H

#include <math.h>

#include "geom/tri_tree.h"

// Open edges count as convex. Sharp: the facets' normals differ by more than 37 degrees.
typedef enum plEdgeKind { PL_EDGE_FLAT, PL_EDGE_CONCAVE, PL_EDGE_CONVEX, PL_EDGE_SHARP } plEdgeKind;

typedef struct plSkin {
  int nvert, ntri, nedge;
  bool shares;  // topology, limits and the order of the tree belong to another skin
  bool rigid;   // keeps its shape: properties of edges and vertices are computed once
  // topology
  int* tri;        // [3 ntri] outward
  int* tri_edge;   // [3 ntri] edge (v_k, v_k+1) of each triangle
  int* edge_vert;  // [2 nedge]
  int* edge_tri;   // [2 nedge] its two triangles; -1: an open edge
  int* vert_tri;   // [nvert] its first triangle; -1: inside
  int* ring0;      // [nvert + 1] the triangles around vertex v are ring[ring0[v]] ... ring[ring0[v + 1] - 1]
  int* ring;       // [3 ntri]
  // geometry, written by pl_skin_bounds (the box) and pl_skin_shape (the rest)
  double* x;                 // [3 nvert] positions (m)
  double* tri_normal;        // [3 ntri] unit
  double* tri_area;          // [ntri] m^2
  double* vert_area;         // [nvert] a third of the facets around (m^2)
  unsigned char* edge_kind;  // [nedge] plEdgeKind
  bool* vert_convex;  // [nvert] some edge there is convex; other vertices are never closest to anything
  // the deepest overlap that still counts as contact on this side (m)
  double* tri_limit;    // [ntri] set by the owner: thickness behind the facet
  double* vert_limit;   // [nvert] largest of the facets around, written by pl_skin_limits
  double* vert_thin;    // [nvert] smallest of them that is not zero: at the rim of a plate its thickness
  double limit;         // largest of all
  double thinnest;      // smallest of all that are not zero
  double solid;         // m, mean size of the cells behind the facets, set by the owner; 0: none
  double cell;          // m, mean size of a facet (the side of a square of two), written by pl_skin_shape
  plVec3 lower, upper;  // box of all facets
  plTriTree* tree;      // over x, tri
} plSkin;

// Copies the triangles and finds the edges. Positions are zero until the first update.
plStatus pl_skin_create(int nvert, const int* tri, int ntri, plSkin** skin, plError* error);
// A surface of the same topology with its own copy of the geometry; the original must outlive it.
plStatus pl_skin_share(const plSkin* from, plSkin** skin, plError* error);
void pl_skin_destroy(plSkin* skin);

// Builds the tree over the present facets, for a body that roughly keeps its shape: a tree built without
// positions has boxes that overlap.
plStatus pl_skin_tree(plSkin* skin, plError* error);

// Updates what depends on skin->x. Facets without area get a zero normal and are ignored.
void pl_skin_bounds(plSkin* skin);
void pl_skin_shape(plSkin* skin, bool winding,
                   plPool* pool);   // winding: also updates the tree for pl_tri_tree_winding
void pl_skin_update(plSkin* skin);  // all of it
// Updates what depends on tri_limit.
void pl_skin_limits(plSkin* skin);

// Unit normal at a vertex: mean of the normals of its facets, weighted by angle.
plVec3 pl_skin_vert_normal(const plSkin* skin, int v);

static inline bool skin_edge_sharp(const plSkin* s, int e) { return s->edge_kind[e] == PL_EDGE_SHARP; }
static inline bool skin_edge_convex(const plSkin* s, int e) { return s->edge_kind[e] >= PL_EDGE_CONVEX; }
static inline plVec3 skin_x(const plSkin* s, int v) { return v3_load(s->x + 3 * (size_t)v); }
// The smallest limit of the facets that share a vertex with triangle t: a rim is as thin as its plate.
static inline double skin_thin(const plSkin* s, int t) {
  const int* v = s->tri + 3 * (size_t)t;
  return fmin(s->vert_thin[v[0]], fmin(s->vert_thin[v[1]], s->vert_thin[v[2]]));
}
static inline plVec3 skin_normal(const plSkin* s, int t) { return v3_load(s->tri_normal + 3 * (size_t)t); }

// Barycentric coordinates of the projection of p onto the plane of triangle t, orthogonal to it.
void pl_skin_barycentric(const plSkin* skin, int t, plVec3 p, double w[3]);

// Whether p lies above all facets that meet at foot, the closest point of the surface, on facet t. Nothing
// lies between, so p is outside then, unless the surface intersects itself. slack: fraction of a facet by
// which foot may be beside an edge or a corner, and of its distance that p must be above each facet.
bool pl_skin_is_above(const plSkin* skin, int t, plVec3 foot, plVec3 p, double slack);

#endif

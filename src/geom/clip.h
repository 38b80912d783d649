// clip.h: the overlap of two facets in projection along one direction, with the origin of each corner.
#ifndef PL_GEOM_CLIP_H
#define PL_GEOM_CLIP_H

#include "geom/skin.h"

typedef enum plCornerKind { PL_CORNER_A, PL_CORNER_B, PL_CORNER_CROSSING } plCornerKind;

// A corner of the polygon: vertex ia of facet a, vertex ib of facet b, or the crossing of edge ia of a with
// edge ib of b (local edge k joins vertices k and k + 1).
typedef struct plCorner {
  double u, v;  // coordinates in the plane
  plCornerKind kind;
  int ia, ib;
  double height_a, height_b;  // of the two facets above the plane, along m
  double third;               // m^2: a third of the fan triangles around the corner
  double wa[3], wb[3];        // barycentric coordinates on the two facets
} plCorner;

enum { PL_CLIP_MAX = 9 };

typedef struct plClip {
  plVec3 m;  // unit, from A to B: the common normal of the two facets
  plVec3 origin, t1, t2;
  int n;       // number of corners, 0: no overlap
  int beyond;  // if there is none: edge of a (0..2) or of b (3..5) that separates the facets; -1: none
  plCorner corner[PL_CLIP_MAX];
  double area;                      // m^2 in the plane
  double gap_min, gap_max;          // of height_b - height_a over the corners
  double mortar_a[3], mortar_b[3];  // half the integral of each shape function over the polygon
} plClip;

// Clips facet a of A by facet b of B; n_a . n_b must be negative. Returns false if they do not overlap, or if
// all gaps of the overlap are below low or all above high; clip then has only n = 0 and beyond.
bool pl_clip_facets(const plSkin* A, int a, const plSkin* B, int b, double low, double high, plClip* clip);
// The same for facets that no edge separates.
bool pl_clip_overlap(const plSkin* A, int a, const plSkin* B, int b, double low, double high, plClip* clip);
// The edge of facet a (0..2) or of b (3..5; these come first) that separates the two, seen along m, the
// difference of their normals: all corners of the other facet lie beyond it. -1: none.
int pl_clip_beyond(const plVec3 xa[3], const plVec3 xb[3], plVec3 m);

#endif

// convex.h: convex shapes in the world, given by support points: signed distance of two (GJK and EPA),
// supporting faces.
#ifndef PL_GEOM_CONVEX_H
#define PL_GEOM_CONVEX_H

#include <stdbool.h>

#include "geom/hull.h"
#include "math/pose.h"
#include "pliant/shape.h"

typedef struct plConvex {
  plShapeKind kind;  // any but PL_SHAPE_HALF_SPACE
  plPose pose;
  plVec3 half;            // m: box: half sides; ellipsoid: half axes
  double radius, length;  // m
  const plHull* hull;     // PL_SHAPE_MESH: a hull in the frame of pose, or, if NULL,
  const plVec3* point;    // [3] a triangle in the world
} plConvex;

// The point farthest along direction (need not be unit).
plVec3 pl_convex_support(const plConvex* shape, plVec3 direction);

// The two closest points or, if the shapes overlap, the two points of the shortest separating translation.
typedef struct plConvexGap {
  double gap;     // m, negative: overlap
  plVec3 normal;  // unit, from A to B
  plVec3 a, b;    // b = a + gap normal
} plConvexGap;

plConvexGap pl_convex_gap(const plConvex* A, const plConvex* B);

// Of two boxes, the largest gap along the normals of their faces, and that normal, from A to B. Returns true
// if it is beyond the margin, so that the boxes are farther apart than that, or if it is negative and no
// direction separates the boxes by more: then it is their gap. box_gap.c
bool pl_box_gap(const plConvex* A, const plConvex* B, double margin, double* gap, plVec3* normal);

// The supporting face in a direction: a polygon in order (box, triangle, hull, cap of a cylinder), two ends
// of a line, or a point.
enum { PL_CONVEX_FACE = PL_HULL_FACE };
int pl_convex_face(const plConvex* shape, plVec3 direction, plVec3 corner[PL_CONVEX_FACE]);

// Curvature (1/m) at the point of the surface with the outward normal, in two unit tangents: k = (k11, k12,
// k22). Returns false if the point is on an edge or a corner.
bool pl_convex_curvature(const plConvex* shape, plVec3 at, plVec3 normal, const plVec3 tangent[2],
                         double k[3]);

#endif

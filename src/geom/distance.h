// distance.h: signed distance from a point to a shape, in the shape's frame.
#ifndef PL_GEOM_DISTANCE_H
#define PL_GEOM_DISTANCE_H

#include "geom/tri_tree.h"
#include "pliant/shape.h"

// The data of a shape that the distance functions need.
typedef struct plShape {
  plShapeKind kind;
  plVec3 size;            // m: box: full sides; ellipsoid: full axes
  double radius, length;  // m
  const plTriTree* tree;  // PL_SHAPE_MESH: over its closed outward surface
} plShape;

// Distance of p from the surface, negative inside; *normal is the outward unit normal at the closest point
// (the gradient of the distance). Exact for every kind. If several points are closest, one of them is chosen,
// always the same.
double pl_shape_distance(const plShape* shape, plVec3 p, plVec3* normal);

#endif

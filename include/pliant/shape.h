// shape.h: the kinds of rigid shapes.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_SHAPE_H
#define PLIANT_SHAPE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum plShapeKind {
  PL_SHAPE_HALF_SPACE,  // all points with z <= 0
  PL_SHAPE_SPHERE,      // radius
  PL_SHAPE_BOX,         // size: full side lengths
  PL_SHAPE_CAPSULE,     // radius, length without the caps, along z
  PL_SHAPE_CYLINDER,    // radius, length along z
  PL_SHAPE_ELLIPSOID,   // size: full lengths of the axes
  PL_SHAPE_MESH,        // mesh: a closed surface of triangles, or any points if convex
  PL_SHAPE_COUNT
} plShapeKind;

// "half_space", "sphere", ...
PL_API const char* pl_shape_name(plShapeKind kind);

#ifdef __cplusplus
}
#endif
#endif

// shape.h: the kinds of rigid shapes.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_SHAPE_H
#define PLIANT_SHAPE_H

#include "pliant/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// What each kind reads of plShapeDef, in the shape's own frame.
typedef enum plShapeKind {
  PL_SHAPE_HALF_SPACE,  // all points with z <= 0; no size
  PL_SHAPE_SPHERE,      // radius, centred at the origin
  PL_SHAPE_BOX,         // size: full side lengths; centred
  PL_SHAPE_CAPSULE,     // radius, and length along z without the caps; centred
  PL_SHAPE_CYLINDER,    // radius, and length along z; centred
  PL_SHAPE_ELLIPSOID,   // size: full lengths of the axes; centred
  PL_SHAPE_MESH,        // mesh: a closed surface of triangles, or any points if convex
  PL_SHAPE_COUNT
} plShapeKind;

// "half_space", "sphere", ...
PL_API const char* pl_shape_name(plShapeKind kind);

#ifdef __cplusplus
}
#endif
#endif

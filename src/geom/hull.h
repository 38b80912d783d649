// hull.h: the convex hull of points: a closed surface of triangles, and its flat faces as polygons.
#ifndef PL_GEOM_HULL_H
#define PL_GEOM_HULL_H

#include <stdbool.h>

#include "math/vec3.h"
#include "pliant/types.h"

enum {
  PL_HULL_FACE = 16
};  // largest number of corners of a face; rounder faces keep the corners with most of the area

typedef struct plHull {
  int nvert, ntri, nface;
  double* vert;    // [3 nvert] corners (m), in the order of the given points
  int* tri;        // [3 ntri] outward, closed
  int* face0;      // [nface + 1] first corner of each face
  int* corner;     // [face0[nface]] vertices, counter-clockwise seen from outside
  plVec3* normal;  // [nface] unit, outward
  plVec3 centre;   // of volume (m)
  double radius;   // m, radius of the ball about the centre that touches the nearest face
} plHull;

// The hull of n points (m). If there is none, the message of PL_ERROR_INPUT says why: too few points, all on
// a line, all in a plane.
plStatus pl_hull_create(const double* point, int n, plHull** hull, plError* error);
void pl_hull_destroy(plHull* hull);

// Polygons, normals and the ball from the triangles; part of pl_hull_create.
// hull_face.c
plStatus pl_hull_find_faces(plHull* hull, plError* error);

#endif

// surface.h: everything that has a surface at one moment, as triangles in the world.
#ifndef PL_OUTPUT_SURFACE_H
#define PL_OUTPUT_SURFACE_H

#include "pliant/output.h"
#include "sensor/look.h"

// One body or shape.
typedef struct plSurfacePart {
  const char* name;
  int side;  // its number (model/side.h)
  int nvert, ntri;
  double* vert;   // [3 nvert] m, world
  int* tri;       // [3 ntri]
  int* source;    // [nvert] vertex within the deformable body; NULL for a shape
  plVec3 colour;  // red, green, blue in [0, 1]
} plSurfacePart;

typedef struct plSurfaces {
  int npart;
  plSurfacePart* part;
} plSurfaces;

// All deformed bodies and the rigid shapes except half spaces; if a rigid body has visual shapes (that do not
// collide), only these.
plStatus pl_surfaces_create(const plData* data, plSurfaces** surfaces, plError* error);
void pl_surfaces_destroy(plSurfaces* surfaces);

#endif

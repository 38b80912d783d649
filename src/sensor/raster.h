// raster.h: triangles to the nearest triangle and depth of every pixel, for cameras, pictures and shadows.
//
// The pixels of a triangle are those whose centres lie in it, borders included. Triangles that share an edge
// find the same places on it, so that no pixel between them is missed.
#ifndef PL_SENSOR_RASTER_H
#define PL_SENSOR_RASTER_H

#include "pliant/types.h"

// Rows [row0, row1) of an image. depth is larger where nearer; 0 (or what it was cleared to) where nothing
// was drawn.
typedef struct plRaster {
  int width, row0, row1;
  float* depth;  // [width height]
  int* id;       // [width height] or NULL
} plRaster;

// p: x and y in pixels (y down, pixel centres at .5), z a depth that is linear over the picture; draws where
// z is above what is there.
void pl_raster_triangle(const plRaster* raster, const plVec3 p[3], int id);

// Cuts a triangle in camera axes (z forward) at the plane z = near: up to two remain.
int pl_raster_clip(const plVec3 in[3], double near, plVec3 out[2][3]);

#endif

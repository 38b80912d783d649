// raster.h: triangles to the nearest triangle and depth of every pixel.
#ifndef PL_OUTPUT_RASTER_H
#define PL_OUTPUT_RASTER_H

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

#endif

// raster.h: rasterises triangles: the nearest triangle and the depth of every pixel, for cameras, pictures
// and shadows.
//
// A triangle covers the pixels whose centres lie in it, borders included. Triangles that share an edge
// compute the same positions on it, so that no pixel between them is missed.
#ifndef PL_SENSOR_RASTER_H
#define PL_SENSOR_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "pliant/types.h"

// Rows [row0, row1) of an image. Larger depth is nearer; 0 (or the clear value) where nothing was drawn.
typedef struct plRaster {
  int width, row0, row1;
  float* depth;  // [width height]
  int* id;       // [width height] or NULL
} plRaster;

// p: x and y in pixels (y down, pixel centres at .5), z a depth that is linear over the picture; draws where
// z is larger than the present depth.
void pl_raster_triangle(const plRaster* raster, const plVec3 p[3], int id);

// The position of a point among pixel centres, in x and in y: between which two, or on which one. A triangle
// whose corners all lie between the same two covers no centre; this test rejects most triangles of a fine
// mesh. Positions far outside are all equal.
static inline uint32_t pl_raster_slot(double at, double end) {
  at -= 0.5;
  if (!(at > -1)) return 0;
  if (at > end) at = end + 0.5;
  int whole = (int)(at + 1);  // for numbers above 0
  return (uint32_t)(2 * whole + (at + 1 > whole));
}
// end: more than the larger side of the picture (pixels), at most 32000.
static inline uint32_t pl_raster_place(double x, double y, double end) {
  return pl_raster_slot(x, end) << 16 | pl_raster_slot(y, end);
}
static inline bool pl_raster_misses(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t differ = (a ^ b) | (b ^ c);
  return !(differ >> 16) || !(differ & 0xffff);
}

// The same as pl_raster_triangle for a triangle that was not rejected: slot of each corner, with rows counted
// from `down` rows above the raster's.
void pl_raster_slotted(const plRaster* raster, const plVec3 p[3], const uint32_t slot[3], int down, int id);

// Clips a triangle in camera axes (z forward) at the plane z = near: up to two remain.
int pl_raster_clip(const plVec3 in[3], double near, plVec3 out[2][3]);

#endif

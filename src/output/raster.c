// raster.c: one triangle at a time by edge functions.
#include "output/raster.h"

#include <math.h>

#include "math/vec3.h"

// Twice the area of (a, b, p) in the plane.
static double area2(plVec3 a, plVec3 b, double x, double y) {
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

static int clamp_int(double x, int lower, int upper) {
  return x < lower ? lower : x > upper ? upper : (int)x;
}

void pl_raster_triangle(const plRaster* r, const plVec3 p[3], int id) {
  double area = area2(p[0], p[1], p[2].x, p[2].y);
  if (!(fabs(area) > 1e-12) || !v3_finite(p[0]) || !v3_finite(p[1]) || !v3_finite(p[2])) return;
  int x0 = clamp_int(floor(fmin(fmin(p[0].x, p[1].x), p[2].x) - 0.5), 0, r->width);
  int x1 = clamp_int(ceil(fmax(fmax(p[0].x, p[1].x), p[2].x) + 0.5), 0, r->width);
  int y0 = clamp_int(floor(fmin(fmin(p[0].y, p[1].y), p[2].y) - 0.5), r->row0, r->row1);
  int y1 = clamp_int(ceil(fmax(fmax(p[0].y, p[1].y), p[2].y) + 0.5), r->row0, r->row1);
  // Barycentric coordinates and depth are linear: value at the first pixel of a row, and a step along x.
  double w = 1 / area;
  double bx = (p[2].y - p[0].y) * w, cx = -(p[1].y - p[0].y) * w;
  double zx = bx * (p[1].z - p[0].z) + cx * (p[2].z - p[0].z);
  for (int y = y0; y < y1; y++) {
    double px = x0 + 0.5, py = y + 0.5;
    double b = area2(p[2], p[0], px, py) * w, c = area2(p[0], p[1], px, py) * w;
    double z = p[0].z + b * (p[1].z - p[0].z) + c * (p[2].z - p[0].z);
    float* depth = r->depth + (size_t)y * (size_t)r->width;
    int* ids = r->id ? r->id + (size_t)y * (size_t)r->width : NULL;
    for (int x = x0; x < x1; x++, b += bx, c += cx, z += zx) {
      if (b < 0 || c < 0 || b + c > 1 || !((float)z > depth[x])) continue;
      depth[x] = (float)z;
      if (ids) ids[x] = id;
    }
  }
}

// raster.c: one triangle at a time, row by row between its edges.
#include "sensor/raster.h"

#include <math.h>
#include <stdbool.h>

#include "math/vec3.h"

static double lesser(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }

// The first and last pixel whose centre lies in [low, high], of [first, end); an empty range if there is
// none. Numbers far outside of the picture do not reach an int.
static int first_in(double low, int first, int end) {
  double at = low - 0.5;
  if (!(at > first)) return first;
  if (at >= end) return end;
  int i = (int)at;
  return i + (i < at);
}
static int last_in(double high, int first, int end) {
  double at = high - 0.5;
  if (at >= end - 1) return end - 1;
  return at >= first ? (int)at : first - 1;
}

// An edge from its upper end: x = x0 + slope (y - y0) for y in [y0, y1]. The order of its ends is that of
// their places, not of the triangle: both triangles that share it get the same numbers.
typedef struct Edge {
  double x0, y0, y1, slope;
} Edge;

static Edge edge_of(plVec3 a, plVec3 b) {
  if (b.y < a.y || (b.y == a.y && b.x < a.x)) {
    plVec3 c = a;
    a = b, b = c;
  }
  return (Edge){a.x, a.y, b.y, b.y > a.y ? (b.x - a.x) / (b.y - a.y) : 0};
}

// The part of a row that lies between the edges.
static void span(const Edge e[3], double y, double* low, double* high) {
  *low = INFINITY, *high = -INFINITY;
  for (int k = 0; k < 3; k++) {
    if (y < e[k].y0 || y > e[k].y1 || e[k].y1 == e[k].y0) continue;
    double x = e[k].x0 + e[k].slope * (y - e[k].y0);
    *low = lesser(*low, x), *high = larger(*high, x);
  }
}

// Twice the area of (a, b, p), the same but for its sign whichever way round the edge is given.
static double side_of(plVec3 a, plVec3 b, double x, double y) {
  bool swap = b.y < a.y || (b.y == a.y && b.x < a.x);
  plVec3 c = swap ? b : a, d = swap ? a : b;
  double e = (d.x - c.x) * (y - c.y) - (d.y - c.y) * (x - c.x);
  return swap ? -e : e;
}

// A triangle of a few pixels: each centre is tried. sign: that of its area.
static void draw_small(const plRaster* r, const plVec3 p[3], int id, int x0, int x1, int y0, int y1,
                       double sign, double zx, double zy) {
  for (int y = y0; y <= y1; y++)
    for (int x = x0; x <= x1; x++) {
      double px = x + 0.5, py = y + 0.5;
      if (sign * side_of(p[0], p[1], px, py) < 0 || sign * side_of(p[1], p[2], px, py) < 0 ||
          sign * side_of(p[2], p[0], px, py) < 0)
        continue;
      float d = (float)(p[0].z + zx * (px - p[0].x) + zy * (py - p[0].y));
      size_t i = (size_t)y * (size_t)r->width + (size_t)x;
      if (!(d > r->depth[i])) continue;
      r->depth[i] = d;
      if (r->id) r->id[i] = id;
    }
}

void pl_raster_triangle(const plRaster* r, const plVec3 p[3], int id) {
  // most triangles of a fine mesh lie between the centres of pixels
  int y0 = first_in(lesser(lesser(p[0].y, p[1].y), p[2].y), r->row0, r->row1);
  int y1 = last_in(larger(larger(p[0].y, p[1].y), p[2].y), r->row0, r->row1);
  if (y0 > y1) return;
  int x0 = first_in(lesser(lesser(p[0].x, p[1].x), p[2].x), 0, r->width);
  int x1 = last_in(larger(larger(p[0].x, p[1].x), p[2].x), 0, r->width);
  if (x0 > x1) return;
  double ux = p[1].x - p[0].x, uy = p[1].y - p[0].y, uz = p[1].z - p[0].z;
  double vx = p[2].x - p[0].x, vy = p[2].y - p[0].y, vz = p[2].z - p[0].z, area = ux * vy - uy * vx;
  if (!(fabs(area) > 1e-12) || !isfinite(area) || !isfinite(uz + vz)) return;
  // depth is linear: z = p0.z + zx (x - p0.x) + zy (y - p0.y)
  double w = 1 / area, zx = (uz * vy - vz * uy) * w, zy = (vz * ux - uz * vx) * w;
  if (x1 - x0 < 3 && y1 - y0 < 3) {
    draw_small(r, p, id, x0, x1, y0, y1, area > 0 ? 1 : -1, zx, zy);
    return;
  }
  Edge e[3] = {edge_of(p[0], p[1]), edge_of(p[1], p[2]), edge_of(p[2], p[0])};
  for (int y = y0; y <= y1; y++) {
    double low, high, py = y + 0.5;
    span(e, py, &low, &high);
    int from = first_in(low, x0, x1 + 1), to = last_in(high, x0, x1 + 1);
    double z = p[0].z + zy * (py - p[0].y) + zx * (0.5 - p[0].x);
    float* depth = r->depth + (size_t)y * (size_t)r->width;
    int* ids = r->id ? r->id + (size_t)y * (size_t)r->width : NULL;
    if (!ids) {
      for (int x = from; x <= to; x++) {
        float d = (float)(z + zx * x);
        depth[x] = d > depth[x] ? d : depth[x];
      }
      continue;
    }
    for (int x = from; x <= to; x++) {
      float d = (float)(z + zx * x);
      if (d > depth[x]) depth[x] = d, ids[x] = id;
    }
  }
}

int pl_raster_clip(const plVec3 in[3], double near, plVec3 out[2][3]) {
  plVec3 polygon[4];
  int n = 0;
  for (int k = 0; k < 3; k++) {
    plVec3 a = in[k], b = in[(k + 1) % 3];
    if (a.z >= near) polygon[n++] = a;
    if ((a.z >= near) != (b.z >= near)) polygon[n++] = v3_madd(a, (near - a.z) / (b.z - a.z), v3_sub(b, a));
  }
  for (int k = 2; k < n; k++)
    out[k - 2][0] = polygon[0], out[k - 2][1] = polygon[k - 1], out[k - 2][2] = polygon[k];
  return n > 2 ? n - 2 : 0;
}

// raster.c: one triangle at a time, row by row between its edges.
#include "sensor/raster.h"

#include <math.h>
#include <stdbool.h>

#include "math/vec3.h"

static double lesser(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }

// The first and last pixel of [first, end) whose centre lies in [low, high]; an empty range if there is none.
// Numbers far outside the picture are not converted to int.
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

// An edge from its upper end: x = x0 + slope (y - y0) for y in [y0, y1]. The order of its ends depends on
// their positions, not on the triangle, so that both triangles that share it get the same numbers.
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

// Twice the area of the triangle of a, b and the origin: exactly antisymmetric in the direction of the edge,
// to the last bit, so that no pixel centre falls between two triangles. (Two statements, because the compiler
// must not fuse the product and the difference.)
static inline double turn(double ax, double ay, double bx, double by) {
  double s = ax * by, t = ay * bx;
  return s - t;
}

// Pixels that a triangle may cover.
typedef struct Range {
  int x0, x1, y0, y1;
} Range;

// A triangle of a few pixels: each centre is tested. The depth is weighted by the areas of the three parts.
static void draw_small(const plRaster* r, const plVec3 p[3], int id, Range g) {
  for (int y = g.y0; y <= g.y1; y++)
    for (int x = g.x0; x <= g.x1; x++) {
      double px = x + 0.5, py = y + 0.5;
      double ax = p[0].x - px, ay = p[0].y - py, bx = p[1].x - px, by = p[1].y - py, cx = p[2].x - px,
             cy = p[2].y - py;
      double a = turn(bx, by, cx, cy), b = turn(cx, cy, ax, ay), c = turn(ax, ay, bx, by);
      if (lesser(a, lesser(b, c)) < 0 && larger(a, larger(b, c)) > 0) continue;
      double area = a + b + c;
      float d = (float)((a * p[0].z + b * p[1].z + c * p[2].z) / area);
      size_t i = (size_t)y * (size_t)r->width + (size_t)x;
      if (!(d > r->depth[i]) || !(fabs(area) > 1e-12) || !isfinite(area)) continue;
      r->depth[i] = d;
      if (r->id) r->id[i] = id;
    }
}

// Row by row.
static void draw_large(const plRaster* r, const plVec3 p[3], int id, Range g, double area) {
  double ux = p[1].x - p[0].x, uy = p[1].y - p[0].y, uz = p[1].z - p[0].z;
  double vx = p[2].x - p[0].x, vy = p[2].y - p[0].y, vz = p[2].z - p[0].z;
  // depth is linear: z = p0.z + zx (x - p0.x) + zy (y - p0.y)
  double w = 1 / area, zx = (uz * vy - vz * uy) * w, zy = (vz * ux - uz * vx) * w;
  Edge e[3] = {edge_of(p[0], p[1]), edge_of(p[1], p[2]), edge_of(p[2], p[0])};
  for (int y = g.y0; y <= g.y1; y++) {
    double low, high, py = y + 0.5;
    span(e, py, &low, &high);
    int from = first_in(low, g.x0, g.x1 + 1), to = last_in(high, g.x0, g.x1 + 1);
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

// Whether the pixels already have something in front of every corner; then the triangle is invisible. For few
// pixels.
static bool is_behind(const plRaster* r, const plVec3 p[3], Range g) {
  float nearest = (float)larger(larger(p[0].z, p[1].z), p[2].z);
  for (int y = g.y0; y <= g.y1; y++)
    for (int x = g.x0; x <= g.x1; x++)
      if (!(r->depth[(size_t)y * (size_t)r->width + (size_t)x] > nearest)) return false;
  return true;
}

static void draw(const plRaster* r, const plVec3 p[3], int id, Range g) {
  if (g.x1 - g.x0 < 3 && g.y1 - g.y0 < 3) {
    if (!is_behind(r, p, g)) draw_small(r, p, id, g);
    return;
  }
  double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
  if (!(fabs(area) > 1e-12) || !isfinite(area) || !isfinite(p[0].z + p[1].z + p[2].z)) return;
  draw_large(r, p, id, g, area);
}

void pl_raster_triangle(const plRaster* r, const plVec3 p[3], int id) {
  // most triangles of a fine mesh lie between the centres of pixels
  Range g;
  g.y0 = first_in(lesser(lesser(p[0].y, p[1].y), p[2].y), r->row0, r->row1);
  g.y1 = last_in(larger(larger(p[0].y, p[1].y), p[2].y), r->row0, r->row1);
  if (g.y0 > g.y1) return;
  g.x0 = first_in(lesser(lesser(p[0].x, p[1].x), p[2].x), 0, r->width);
  g.x1 = last_in(larger(larger(p[0].x, p[1].x), p[2].x), 0, r->width);
  if (g.x0 <= g.x1) draw(r, p, id, g);
}

// Pixels of [begin, end) from the first to the last centre between slots.
static void between(int a, int b, int c, int begin, int end, int* first, int* last) {
  int low = a < b ? a : b, high = a > b ? a : b;
  low = low < c ? low : c, high = high > c ? high : c;
  *first = (low + 1) / 2 - 1, *last = high / 2 - 1;
  if (*first < begin) *first = begin;
  if (*last >= end) *last = end - 1;
}

void pl_raster_slotted(const plRaster* r, const plVec3 p[3], const uint32_t slot[3], int down, int id) {
  Range g;
  between((int)(slot[0] & 0xffff), (int)(slot[1] & 0xffff), (int)(slot[2] & 0xffff), r->row0 + down,
          r->row1 + down, &g.y0, &g.y1);
  between((int)(slot[0] >> 16), (int)(slot[1] >> 16), (int)(slot[2] >> 16), 0, r->width, &g.x0, &g.x1);
  g.y0 -= down, g.y1 -= down;
  if (g.x0 <= g.x1 && g.y0 <= g.y1) draw(r, p, id, g);
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

// camera.c: framing. The axis is moved and the distance set so that all points fill the free part of the
// picture.
#include "output/camera.h"

static const double DEGREE = 3.14159265358979323846 / 180, FIELD_OF_VIEW = 26;

// Bounds of the points in slopes x/z and y/z.
static void bounds(const plCamera* c, const double* point, int n, double b[4]) {
  b[0] = b[2] = INFINITY, b[1] = b[3] = -INFINITY;
  for (int i = 0; i < n; i++) {
    plVec3 p = pl_camera_local(c, v3_load(point + 3 * (size_t)i));
    double z = fmax(p.z, 1e-9);
    b[0] = fmin(b[0], p.x / z), b[1] = fmax(b[1], p.x / z), b[2] = fmin(b[2], p.y / z),
    b[3] = fmax(b[3], p.y / z);
  }
}

plCamera pl_camera_fit(int width, int height, double azimuth, double elevation, double zoom, plMargin margin,
                       const double* point, int n) {
  plCamera c = {.width = width, .height = height};
  double a = azimuth * DEGREE, e = elevation * DEGREE;
  c.forward = v3(-cos(e) * cos(a), -cos(e) * sin(a), -sin(e));
  c.right = v3(-sin(a), cos(a), 0);
  c.up = v3_cross(c.right, c.forward);
  double half = tan(FIELD_OF_VIEW / 2 * DEGREE), aspect = (double)width / height;
  c.focal = height / 2.0 / half;
  // The axis goes through the middle of the free part.
  c.cx = width * (0.5 + (margin.left - margin.right) / 2),
  c.cy = height * (0.5 + (margin.top - margin.bottom) / 2);
  double room_x = half * aspect * (1 - margin.left - margin.right) * zoom,
         room_y = half * (1 - margin.top - margin.bottom) * zoom;
  plVec3 lower = v3(INFINITY, INFINITY, INFINITY), upper = v3_neg(lower);
  for (int i = 0; i < n; i++) {
    plVec3 p = v3_load(point + 3 * (size_t)i);
    lower = v3_min(lower, p), upper = v3_max(upper, p);
  }
  plVec3 target = n ? v3_scale(0.5, v3_add(lower, upper)) : v3(0, 0, 0);
  double radius = n ? fmax(0.5 * v3_norm(v3_sub(upper, lower)), 1e-6) : 1, distance = radius / half * 2;
  // Centre, then scale by what is too wide: a few rounds settle it.
  for (int round = 0; round < 12 && n; round++) {
    double b[4];
    c.eye = v3_madd(target, -distance, c.forward);
    bounds(&c, point, n, b);
    target = v3_add(target, v3_add(v3_scale(distance * (b[0] + b[1]) / 2, c.right),
                                   v3_scale(distance * (b[2] + b[3]) / 2, c.up)));
    distance *= fmax(fmax((b[1] - b[0]) / 2 / room_x, (b[3] - b[2]) / 2 / room_y), 0.2);
    distance = fmin(fmax(distance, 1.3 * radius / zoom), 1e3 * radius);
  }
  c.eye = v3_madd(target, -distance, c.forward);
  return c;
}

// camera.c: framing. The camera is moved sideways and its distance chosen so that all points fill the free
// part of the picture.
#include "output/camera.h"

static const double DEGREE = 3.14159265358979323846 / 180, FIELD_OF_VIEW = 26;

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
  // From distance d, moved sideways by t, a point (x, z behind the middle) is inside if |x - t| <= room (d +
  // z): with the largest x - room z and the largest -x - room z of all points the least d and its t are
  // known.
  double right = -INFINITY, left = -INFINITY, top = -INFINITY, bottom = -INFINITY;
  for (int i = 0; i < n; i++) {
    plVec3 p = v3_sub(v3_load(point + 3 * (size_t)i), target);
    double x = v3_dot(c.right, p), y = v3_dot(c.up, p), z = v3_dot(c.forward, p);
    right = fmax(right, x - room_x * z), left = fmax(left, -x - room_x * z);
    top = fmax(top, y - room_y * z), bottom = fmax(bottom, -y - room_y * z);
  }
  if (n) {
    distance = fmax(fmax((right + left) / 2 / room_x, (top + bottom) / 2 / room_y), 1.3 * radius / zoom);
    target =
        v3_add(target, v3_add(v3_scale((right - left) / 2, c.right), v3_scale((top - bottom) / 2, c.up)));
  }
  c.eye = v3_madd(target, -distance, c.forward);
  return c;
}

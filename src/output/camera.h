// camera.h: a perspective camera that looks at a point from an azimuth and an elevation.
#ifndef PL_OUTPUT_CAMERA_H
#define PL_OUTPUT_CAMERA_H

#include "math/vec3.h"

typedef struct plCamera {
  plVec3 eye, right, up, forward;  // m; unit vectors
  double focal;                    // pixels
  double cx, cy;                   // where the axis meets the picture (pixels)
  int width, height;
} plCamera;

// The fraction of the picture that stays free on each side.
typedef struct plMargin {
  double left, right, top, bottom;
} plMargin;

// Frames all n points, as large as the margins allow; zoom > 1 moves the camera nearer.
plCamera pl_camera_fit(int width, int height, double azimuth, double elevation, double zoom, plMargin margin,
                       const double* point, int n);

// In the camera's axes: x right, y up, z forward (m).
static inline plVec3 pl_camera_local(const plCamera* c, plVec3 p) {
  plVec3 d = v3_sub(p, c->eye);
  return v3(v3_dot(d, c->right), v3_dot(d, c->up), v3_dot(d, c->forward));
}
// Pixels and inverse distance of a point in front of the camera.
static inline plVec3 pl_camera_screen(const plCamera* c, plVec3 local) {
  double w = 1 / local.z;
  return v3(c->cx + c->focal * local.x * w, c->cy - c->focal * local.y * w, w);
}
// The direction through a pixel, with forward part 1.
static inline plVec3 pl_camera_ray(const plCamera* c, double x, double y) {
  return v3_add(c->forward,
                v3_add(v3_scale((x - c->cx) / c->focal, c->right), v3_scale((c->cy - y) / c->focal, c->up)));
}

#endif

// moving_surface.h: random shapes whose surfaces move.
#ifndef PL_TEST_MOVING_SURFACE_H
#define PL_TEST_MOVING_SURFACE_H

#include "base/random.h"
#include "world.h"

static inline double spread(plRandom* r, double a, double b) {
  return a * exp(pl_random(r, 0, 1) * log(b / a));
}

static inline plVec3 any(plRandom* r, double most) {
  double x = pl_random(r, -most, most), y = pl_random(r, -most, most), z = pl_random(r, -most, most);
  return v3(x, y, z);
}

// A shape of which the x axis leaves the surface at a.
static inline plShapeDef any_shape(plRandom* r, double a) {
  static const plShapeKind kinds[] = {PL_SHAPE_SPHERE, PL_SHAPE_CYLINDER, PL_SHAPE_BOX, PL_SHAPE_CAPSULE,
                                      PL_SHAPE_ELLIPSOID};
  plShapeDef g = pl_default_shape_def();
  g.kind = kinds[pl_random_int(r, 5)];
  g.radius = a;
  g.length = a * pl_random(r, 0.7, 2);
  g.size.x = 2 * a;
  g.size.y = a * pl_random(r, 1.4, 3);
  g.size.z = a * pl_random(r, 1.4, 3);
  g.surface.friction = spread(r, 0.2, 5);
  double speed = spread(r, 0.1, 10);
  g.surface.surface_velocity = any(r, speed);
  return g;
}

#endif

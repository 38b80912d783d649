// sphere.c: a sphere about the origin.
#include <math.h>

#include "geom/convex.h"
#include "geom/shape.h"

static double distance(const plShape* s, plVec3 p, plVec3* normal) {
  return *normal = pl_shape_unit_or(p, v3(1, 0, 0)), v3_norm(p) - s->radius;
}

static plVec3 support(const plConvex* s, plVec3 d) { return v3_scale(s->radius, v3_unit(d)); }

static bool curvature(const plConvex* s, plVec3 at, plVec3 n, const plVec3 t[2], double k[3]) {
  (void)at, (void)n, (void)t;
  k[0] = k[2] = 1 / s->radius;
  return true;
}

static plVec3 core(const plConvex* s, plVec3 d) {
  (void)d;
  return s->pose.p;
}

static plInertia inertia(const plShape* s, double density) {
  double r = s->radius, m = density * 4 / 3 * M_PI * r * r * r, I = 0.4 * m * r * r;
  return (plInertia){m, {0, 0, 0}, {I, I, I, 0, 0, 0}};
}

static plMesh* facets(const plShape* s, plError* error) {
  return pl_shape_pulled_sphere(s->radius, 0, error);
}

const plShapeTraits pl_shape_sphere = {.sizes = PL_SIZE_RADIUS,
                                       .key = {"radius"},
                                       .distance = distance,
                                       .support = support,
                                       .curvature = curvature,
                                       .core = core,
                                       .half_size = pl_shape_own_radius,
                                       .radius = pl_shape_own_radius,
                                       .inertia = inertia,
                                       .facets = facets};

// capsule.c: all points within `radius` of a segment of `length` on the axis z, centred at the origin.
#include <math.h>

#include "geom/convex.h"
#include "geom/shape.h"

static double distance(const plShape* s, plVec3 p, plVec3* normal) {
  double z = fmax(-s->length / 2, fmin(s->length / 2, p.z));
  plVec3 out = v3(p.x, p.y, p.z - z);
  *normal = pl_shape_unit_or(out, v3(1, 0, 0));
  return v3_norm(out) - s->radius;
}

static plVec3 support(const plConvex* s, plVec3 d) {
  double z = d.z < 0 ? -1 : 1;
  return v3_madd(v3(0, 0, z * s->length / 2), s->radius, v3_unit(d));
}

// The line of the mantle in direction d, over the length of the mantle.
static int face(const plConvex* s, plVec3 d, plVec3* corner) {
  double r = v2_norm(d.x, d.y);
  if (!(r > 0.5 * v3_norm(d))) return 0;
  plVec3 out = v3(s->radius * d.x / r, s->radius * d.y / r, 0);
  corner[0] = v3_add(out, v3(0, 0, -s->length / 2)), corner[1] = v3_add(out, v3(0, 0, s->length / 2));
  return 2;
}

static bool curvature(const plConvex* s, plVec3 at, plVec3 n, const plVec3 t[2], double k[3]) {
  (void)n;
  if (fabs(at.z) <= s->length / 2)
    pl_shape_mantle(s->radius, t, k);
  else
    k[0] = k[2] = 1 / s->radius;
  return true;
}

static plVec3 core(const plConvex* s, plVec3 d) {
  plVec3 axis = quat_rotate(s->pose.q, v3(0, 0, 1));
  return v3_madd(s->pose.p, v3_dot(axis, d) < 0 ? -s->length / 2 : s->length / 2, axis);
}

// A cylinder and two half balls, each with its centre 3/8 r beyond the cylinder's end.
static plInertia inertia(const plShape* s, double density) {
  double r = s->radius, l = s->length, mc = density * M_PI * r * r * l,
         mb = density * 4 / 3 * M_PI * r * r * r, d = 0.5 * l + 0.375 * r;
  double I = mc * (3 * r * r + l * l) / 12 + mb * (0.4 * r * r - 0.375 * 0.375 * r * r + d * d),
         Iz = 0.5 * mc * r * r + 0.4 * mb * r * r;
  return (plInertia){mc + mb, {0, 0, 0}, {I, I, Iz, 0, 0, 0}};
}

static plMesh* facets(const plShape* s, plError* error) {
  return pl_shape_pulled_sphere(s->radius, s->length, error);
}

const plShapeTraits pl_shape_capsule = {.sizes = PL_SIZE_RADIUS | PL_SIZE_LENGTH,
                                        .key = {"radius", "length"},
                                        .distance = distance,
                                        .support = support,
                                        .face = face,
                                        .curvature = curvature,
                                        .core = core,
                                        .half_size = pl_shape_own_radius,
                                        .radius = pl_shape_own_radius,
                                        .inertia = inertia,
                                        .facets = facets};

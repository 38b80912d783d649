// cylinder.c: a cylinder of `radius` and `length` about the axis z, centred at the origin.
#include <math.h>

#include "geom/convex.h"
#include "geom/shape.h"

static double distance(const plShape* s, plVec3 p, plVec3* normal) {
  double r = sqrt(p.x * p.x + p.y * p.y), dr = r - s->radius, dz = fabs(p.z) - s->length / 2;
  plVec3 radial = r > 0 ? v3(p.x / r, p.y / r, 0) : v3(1, 0, 0), axial = v3(0, 0, p.z < 0 ? -1 : 1);
  if (dr <= 0 && dz <= 0) {
    *normal = dr >= dz ? radial : axial;
    return fmax(dr, dz);
  }
  plVec3 out = v3_add(v3_scale(fmax(dr, 0), radial), v3_scale(fmax(dz, 0), axial));
  double outside = v3_norm(out);
  *normal = v3_scale(1 / outside, out);
  return outside;
}

static plVec3 support(const plConvex* s, plVec3 d) {
  double z = d.z < 0 ? -1 : 1, r = v2_norm(d.x, d.y);
  return r > 0 ? v3(s->radius * d.x / r, s->radius * d.y / r, z * s->length / 2)
               : v3(0, 0, z * s->length / 2);
}

// The cap as an octagon fixed in the body (one that followed the support point would spin where a cap lies
// flat), or the line of the mantle.
static int face(const plConvex* s, plVec3 d, plVec3* c) {
  double radius = s->radius, length = s->length;
  double r = v2_norm(d.x, d.y), ux = r > 0 ? d.x / r : 1, uy = r > 0 ? d.y / r : 0,
         z = copysign(length / 2, d.z);
  if (fabs(d.z) < 0.7071 * v3_norm(d)) {
    c[0] = v3(radius * ux, radius * uy, -length / 2), c[1] = v3(radius * ux, radius * uy, length / 2);
    return 2;
  }
  for (int i = 0; i < 8; i++) {
    double a = i * M_PI / 4, x = cos(a), y = sin(a);
    c[i] = v3(radius * x, radius * y, z);
  }
  return 8;
}

static bool curvature(const plConvex* s, plVec3 at, plVec3 n, const plVec3 t[2], double k[3]) {
  (void)at;
  // the rim is an edge
  if (pl_shape_is_face(fabs(n.z))) return true;
  pl_shape_mantle(s->radius, t, k);
  return fabs(n.z) < sqrt(2 * PL_ALONG_FACE);
}

static double half_size(const plShape* s) { return fmin(s->radius, s->length / 2); }

static plInertia inertia(const plShape* s, double density) {
  double r = s->radius, l = s->length, m = density * M_PI * r * r * l, I = m * (3 * r * r + l * l) / 12;
  return (plInertia){m, {0, 0, 0}, {I, I, 0.5 * m * r * r, 0, 0, 0}};
}

static plMesh* facets(const plShape* s, plError* error) {
  double r = s->radius, l = s->length;
  return pl_shape_revolve((const double[4][2]){{0, -l / 2}, {r, -l / 2}, {r, l / 2}, {0, l / 2}}, 4, error);
}

const plShapeTraits pl_shape_cylinder = {.sizes = PL_SIZE_RADIUS | PL_SIZE_LENGTH,
                                         .key = {"radius", "length"},
                                         .distance = distance,
                                         .support = support,
                                         .face = face,
                                         .curvature = curvature,
                                         .half_size = half_size,
                                         .radius = pl_shape_own_radius,
                                         .cap = 1.1107207345395915,  // pi / (2 sqrt 2), of an octagon
                                         .inertia = inertia,
                                         .facets = facets};

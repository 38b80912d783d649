// distance.c: signed distances of the exact shapes and of closed meshes.
#include "geom/distance.h"

#include <math.h>

// The unit vector along x, or fallback if x is zero.
static plVec3 unit_or(plVec3 x, plVec3 fallback) {
  double n = v3_norm(x);
  return n > 0 ? v3_scale(1 / n, x) : fallback;
}

static double box_distance(plVec3 half, plVec3 p, plVec3* normal) {
  plVec3 d = v3(fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z);
  plVec3 sign = v3(p.x < 0 ? -1 : 1, p.y < 0 ? -1 : 1, p.z < 0 ? -1 : 1);
  if (d.x <= 0 && d.y <= 0 && d.z <= 0) {
    // Inside: the nearest face.
    if (d.x >= d.y && d.x >= d.z) return *normal = v3(sign.x, 0, 0), d.x;
    if (d.y >= d.z) return *normal = v3(0, sign.y, 0), d.y;
    return *normal = v3(0, 0, sign.z), d.z;
  }
  plVec3 out = v3(fmax(d.x, 0) * sign.x, fmax(d.y, 0) * sign.y, fmax(d.z, 0) * sign.z);
  double distance = v3_norm(out);
  *normal = v3_scale(1 / distance, out);
  return distance;
}

static double capsule_distance(double radius, double length, plVec3 p, plVec3* normal) {
  double z = fmax(-length / 2, fmin(length / 2, p.z));
  plVec3 out = v3(p.x, p.y, p.z - z);
  *normal = unit_or(out, v3(1, 0, 0));
  return v3_norm(out) - radius;
}

static double cylinder_distance(double radius, double length, plVec3 p, plVec3* normal) {
  double r = sqrt(p.x * p.x + p.y * p.y), dr = r - radius, dz = fabs(p.z) - length / 2;
  plVec3 radial = r > 0 ? v3(p.x / r, p.y / r, 0) : v3(1, 0, 0), axial = v3(0, 0, p.z < 0 ? -1 : 1);
  if (dr <= 0 && dz <= 0) {
    *normal = dr >= dz ? radial : axial;
    return fmax(dr, dz);
  }
  plVec3 out = v3_add(v3_scale(fmax(dr, 0), radial), v3_scale(fmax(dz, 0), axial));
  double distance = v3_norm(out);
  *normal = v3_scale(1 / distance, out);
  return distance;
}

// Closest point of an ellipsoid with semi-axes e to y >= 0 (Eberly): x_i = e_i^2 y_i / (t + e_i^2), where t
// is the root of
//   F(t) = sum (e_i y_i / (t + e_i^2))^2 - 1 on (-e_min^2, inf), F decreasing. Bisection to the last bit.
static plVec3 ellipsoid_closest(const double e[3], const double y[3]) {
  int least = e[0] <= e[1] && e[0] <= e[2] ? 0 : e[1] <= e[2] ? 1 : 2;
  double lower = -e[least] * e[least] + e[least] * y[least], upper = -e[least] * e[least];
  double reach = sqrt(e[0] * e[0] * y[0] * y[0] + e[1] * e[1] * y[1] * y[1] + e[2] * e[2] * y[2] * y[2]);
  upper += reach;
  double x[3];
  if (y[least] > 0) {
    for (int i = 0; i < 2000; i++) {
      double t = 0.5 * (lower + upper);
      if (t <= lower || t >= upper) break;
      double F = -1;
      for (int k = 0; k < 3; k++) {
        double u = e[k] * y[k] / (t + e[k] * e[k]);
        F += u * u;
      }
      if (F > 0)
        lower = t;
      else
        upper = t;
    }
    double t = 0.5 * (lower + upper);
    for (int k = 0; k < 3; k++) x[k] = e[k] * e[k] * y[k] / (t + e[k] * e[k]);
    return v3(x[0], x[1], x[2]);
  }
  // On the plane of symmetry across the shortest axis: either the root above, or a pair of points off the
  // plane.
  double rest = 1;
  bool off_plane = true;
  for (int k = 0; k < 3; k++) {
    if (k == least) continue;
    double gap = e[k] * e[k] - e[least] * e[least];
    if (e[k] * y[k] >= gap) off_plane = off_plane && y[k] == 0 && gap == 0;
    x[k] = gap > 0 ? e[k] * e[k] * y[k] / gap : 0;
    rest -= x[k] * x[k] / (e[k] * e[k]);
  }
  if (off_plane && rest > 0) {
    x[least] = e[least] * sqrt(rest);
    return v3(x[0], x[1], x[2]);
  }
  double shifted[3] = {y[0], y[1], y[2]};
  shifted[least] = 1e-12 * e[least];
  return ellipsoid_closest(e, shifted);
}

static double ellipsoid_distance(plVec3 size, plVec3 p, plVec3* normal) {
  double e[3] = {size.x / 2, size.y / 2, size.z / 2}, y[3] = {fabs(p.x), fabs(p.y), fabs(p.z)};
  plVec3 x = ellipsoid_closest(e, y);
  x = v3(copysign(x.x, p.x), copysign(x.y, p.y), copysign(x.z, p.z));
  *normal = v3_unit(v3(x.x / (e[0] * e[0]), x.y / (e[1] * e[1]), x.z / (e[2] * e[2])));
  double distance = v3_norm(v3_sub(p, x));
  double inside = p.x * p.x / (e[0] * e[0]) + p.y * p.y / (e[1] * e[1]) + p.z * p.z / (e[2] * e[2]);
  return inside < 1 ? -distance : distance;
}

static double mesh_distance(const plTriTree* tree, plVec3 p, plVec3* normal) {
  plTriHit hit = pl_tri_tree_closest(tree, p, INFINITY);
  bool inside = pl_tri_tree_winding(tree, p) > 0.5;
  plVec3 out = inside ? v3_sub(hit.point, p) : v3_sub(p, hit.point);
  const int* v = tree->tri + 3 * (size_t)hit.tri;
  plVec3 a = v3_load(tree->vert + 3 * (size_t)v[0]), b = v3_load(tree->vert + 3 * (size_t)v[1]),
         c = v3_load(tree->vert + 3 * (size_t)v[2]);
  plVec3 face = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
  double distance = v3_norm(out), scale = v3_norm(v3_sub(b, a));
  *normal = distance > 1e-9 * scale ? v3_scale(1 / distance, out) : face;
  return inside ? -distance : distance;
}

double pl_shape_distance(const plShape* shape, plVec3 p, plVec3* normal) {
  switch (shape->kind) {
    case PL_SHAPE_HALF_SPACE:
      return *normal = v3(0, 0, 1), p.z;
    case PL_SHAPE_SPHERE:
      return *normal = unit_or(p, v3(1, 0, 0)), v3_norm(p) - shape->radius;
    case PL_SHAPE_BOX:
      return box_distance(v3_scale(0.5, shape->size), p, normal);
    case PL_SHAPE_CAPSULE:
      return capsule_distance(shape->radius, shape->length, p, normal);
    case PL_SHAPE_CYLINDER:
      return cylinder_distance(shape->radius, shape->length, p, normal);
    case PL_SHAPE_ELLIPSOID:
      return ellipsoid_distance(shape->size, p, normal);
    case PL_SHAPE_MESH:
      return mesh_distance(shape->tree, p, normal);
    case PL_SHAPE_COUNT:
      break;
  }
  return *normal = v3(0, 0, 1), INFINITY;
}

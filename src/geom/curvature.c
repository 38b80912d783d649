// curvature.c: principal curvatures of convex shapes at a point of their surface.
#include <math.h>

#include "geom/convex.h"

static const double ALONG = 1e-6;  // 1 - cos of the angle within which a normal counts as that of a face

// The face with the normal n, if there is one: flat.
static bool is_face(double cosine) { return cosine > 1 - ALONG; }

static bool hull_is_flat(const plHull* h, plVec3 n) {
  for (int f = 0; f < h->nface; f++)
    if (is_face(v3_dot(h->normal[f], n))) return true;
  return false;
}

// 1/r across the axis z, zero along it
static void mantle(double r, const plVec3 t[2], double k[3]) {
  k[0] = (1 - t[0].z * t[0].z) / r, k[1] = -t[0].z * t[1].z / r, k[2] = (1 - t[1].z * t[1].z) / r;
}

// An ellipsoid x'Hx = 1, H = diag(1/a^2, 1/b^2, 1/c^2): where its normal is n the gradient H x has the length
// 1/s, s^2 = n'H^-1 n, and the curvature is t'H t s.
static void ellipsoid(plVec3 half, plVec3 n, const plVec3 t[2], double k[3]) {
  double s = v3_norm(v3(half.x * n.x, half.y * n.y, half.z * n.z));
  plVec3 u[2];
  for (int i = 0; i < 2; i++) u[i] = v3(t[i].x / half.x, t[i].y / half.y, t[i].z / half.z);
  k[0] = s * v3_dot(u[0], u[0]), k[1] = s * v3_dot(u[0], u[1]), k[2] = s * v3_dot(u[1], u[1]);
}

bool pl_convex_curvature(const plConvex* s, plVec3 at, plVec3 normal, const plVec3 tangent[2], double k[3]) {
  k[0] = k[1] = k[2] = 0;
  if (s->kind == PL_SHAPE_MESH && !s->hull) {
    plVec3 n = v3_cross(v3_sub(s->point[1], s->point[0]), v3_sub(s->point[2], s->point[0]));
    return is_face(fabs(v3_dot(v3_unit(n), normal)));
  }
  plQuat q = quat_conj(s->pose.q);
  plVec3 n = quat_rotate(q, normal), t[2] = {quat_rotate(q, tangent[0]), quat_rotate(q, tangent[1])};
  if (s->hull) return hull_is_flat(s->hull, n);
  switch (s->kind) {
    case PL_SHAPE_BOX:
      return is_face(fmax(fabs(n.x), fmax(fabs(n.y), fabs(n.z))));
    case PL_SHAPE_CYLINDER:
      // the rim is an edge
      if (is_face(fabs(n.z))) return true;
      mantle(s->radius, t, k);
      return fabs(n.z) < sqrt(2 * ALONG);
    case PL_SHAPE_CAPSULE:
      if (fabs(pose_apply_inverse(s->pose, at).z) <= s->length / 2)
        mantle(s->radius, t, k);
      else
        k[0] = k[2] = 1 / s->radius;
      return true;
    case PL_SHAPE_ELLIPSOID:
      ellipsoid(s->half, n, t, k);
      return true;
    default:
      k[0] = k[2] = 1 / s->radius;
      return true;
  }
}

// convex.c: support points and supporting faces of the convex shapes.
#include "geom/convex.h"

#include <math.h>

static plVec3 hull_support(const plHull* h, plVec3 d) {
  int best = 0;
  double most = -INFINITY;
  for (int i = 0; i < h->nvert; i++) {
    double along = v3_dot(v3_load(h->vert + 3 * (size_t)i), d);
    if (along > most) most = along, best = i;
  }
  return v3_load(h->vert + 3 * (size_t)best);
}

static plVec3 local_support(const plConvex* s, plVec3 d) {
  if (s->hull) return hull_support(s->hull, d);
  if (s->kind == PL_SHAPE_BOX)
    return v3(copysign(s->half.x, d.x), copysign(s->half.y, d.y), copysign(s->half.z, d.z));
  double z = d.z < 0 ? -1 : 1, r = v2_norm(d.x, d.y);
  switch (s->kind) {
    case PL_SHAPE_CAPSULE:
      return v3_madd(v3(0, 0, z * s->length / 2), s->radius, v3_unit(d));
    case PL_SHAPE_CYLINDER:
      return r > 0 ? v3(s->radius * d.x / r, s->radius * d.y / r, z * s->length / 2)
                   : v3(0, 0, z * s->length / 2);
    case PL_SHAPE_ELLIPSOID: {
      plVec3 e = v3(s->half.x * d.x, s->half.y * d.y, s->half.z * d.z);
      double n = v3_norm(e);
      if (!(n > 0)) return v3(s->half.x, 0, 0);
      return v3(s->half.x * e.x / n, s->half.y * e.y / n, s->half.z * e.z / n);
    }
    default:
      return v3_scale(s->radius, v3_unit(d));
  }
}

plVec3 pl_convex_support(const plConvex* s, plVec3 d) {
  if (s->kind == PL_SHAPE_MESH && !s->hull) {
    int best = 0;
    for (int i = 1; i < 3; i++)
      if (v3_dot(s->point[i], d) > v3_dot(s->point[best], d)) best = i;
    return s->point[best];
  }
  return pose_apply(s->pose, local_support(s, quat_rotate(quat_conj(s->pose.q), d)));
}

// ---- faces

// The side of a box with the largest component along d. Only the order of the corners matters, not its sense.
static int box_face(plVec3 h, plVec3 d, plVec3* c) {
  double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
  if (x >= y && x >= z) {
    double s = copysign(h.x, d.x);
    c[0] = v3(s, -h.y, -h.z), c[1] = v3(s, h.y, -h.z), c[2] = v3(s, h.y, h.z), c[3] = v3(s, -h.y, h.z);
  } else if (y >= z) {
    double s = copysign(h.y, d.y);
    c[0] = v3(-h.x, s, -h.z), c[1] = v3(h.x, s, -h.z), c[2] = v3(h.x, s, h.z), c[3] = v3(-h.x, s, h.z);
  } else {
    double s = copysign(h.z, d.z);
    c[0] = v3(-h.x, -h.y, s), c[1] = v3(h.x, -h.y, s), c[2] = v3(h.x, h.y, s), c[3] = v3(-h.x, h.y, s);
  }
  return 4;
}

// The cap as an octagon fixed in the body (one that followed the support point would spin where a cap lies
// flat), or the line of the mantle.
static int cylinder_face(double radius, double length, plVec3 d, plVec3* c) {
  double r = v2_norm(d.x, d.y), ux = r > 0 ? d.x / r : 1, uy = r > 0 ? d.y / r : 0,
         z = copysign(length / 2, d.z);
  if (fabs(d.z) < 0.7071 * v3_norm(d)) {
    c[0] = v3(radius * ux, radius * uy, -length / 2), c[1] = v3(radius * ux, radius * uy, length / 2);
    return 2;
  }
  for (int i = 0; i < 8; i++) {
    double a = i * 3.14159265358979323846 / 4, x = cos(a), y = sin(a);
    c[i] = v3(radius * x, radius * y, z);
  }
  return 8;
}

// The face with the largest component along d.
static int hull_face(const plHull* h, plVec3 d, plVec3* c) {
  int best = 0;
  for (int f = 1; f < h->nface; f++)
    if (v3_dot(h->normal[f], d) > v3_dot(h->normal[best], d)) best = f;
  int n = h->face0[best + 1] - h->face0[best];
  for (int i = 0; i < n; i++) c[i] = v3_load(h->vert + 3 * (size_t)h->corner[h->face0[best] + i]);
  return n;
}

int pl_convex_face(const plConvex* s, plVec3 direction, plVec3 corner[PL_CONVEX_FACE]) {
  if (s->kind == PL_SHAPE_MESH && !s->hull) {
    for (int i = 0; i < 3; i++) corner[i] = s->point[i];
    return 3;
  }
  plVec3 d = quat_rotate(quat_conj(s->pose.q), direction);
  int n = s->hull ? hull_face(s->hull, d, corner) : 0;
  if (s->kind == PL_SHAPE_BOX) n = box_face(s->half, d, corner);
  if (s->kind == PL_SHAPE_CYLINDER) n = cylinder_face(s->radius, s->length, d, corner);
  if (s->kind == PL_SHAPE_CAPSULE) {
    // The line of the mantle in direction d, over the length of the mantle.
    double r = v2_norm(d.x, d.y);
    if (r > 0.5 * v3_norm(d)) {
      plVec3 out = v3(s->radius * d.x / r, s->radius * d.y / r, 0);
      corner[0] = v3_add(out, v3(0, 0, -s->length / 2)), corner[1] = v3_add(out, v3(0, 0, s->length / 2));
      n = 2;
    }
  }
  for (int i = 0; i < n; i++) corner[i] = pose_apply(s->pose, corner[i]);
  if (n) return n;
  corner[0] = pl_convex_support(s, direction);
  return 1;
}

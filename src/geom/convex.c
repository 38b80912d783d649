// convex.c: support points, supporting faces and curvature of convex shapes in the world. What depends on the
// kind is in the kind's own file (shape.h).
#include "geom/convex.h"

#include <math.h>

#include "geom/shape.h"

static bool is_triangle(const plConvex* s) { return s->kind == PL_SHAPE_MESH && !s->hull; }

plVec3 pl_convex_support(const plConvex* s, plVec3 d) {
  if (is_triangle(s)) {
    int best = 0;
    for (int i = 1; i < 3; i++)
      if (v3_dot(s->point[i], d) > v3_dot(s->point[best], d)) best = i;
    return s->point[best];
  }
  return pose_apply(s->pose, pl_shape_traits[s->kind]->support(s, quat_rotate(quat_conj(s->pose.q), d)));
}

int pl_convex_face(const plConvex* s, plVec3 direction, plVec3 corner[PL_CONVEX_FACE]) {
  if (is_triangle(s)) {
    for (int i = 0; i < 3; i++) corner[i] = s->point[i];
    return 3;
  }
  const plShapeTraits* traits = pl_shape_traits[s->kind];
  int n = traits->face ? traits->face(s, quat_rotate(quat_conj(s->pose.q), direction), corner) : 0;
  for (int i = 0; i < n; i++) corner[i] = pose_apply(s->pose, corner[i]);
  if (n) return n;
  corner[0] = pl_convex_support(s, direction);
  return 1;
}

bool pl_convex_curvature(const plConvex* s, plVec3 at, plVec3 normal, const plVec3 tangent[2], double k[3]) {
  k[0] = k[1] = k[2] = 0;
  if (is_triangle(s)) {
    plVec3 n = v3_cross(v3_sub(s->point[1], s->point[0]), v3_sub(s->point[2], s->point[0]));
    return pl_shape_is_face(fabs(v3_dot(v3_unit(n), normal)));
  }
  plQuat q = quat_conj(s->pose.q);
  plVec3 t[2] = {quat_rotate(q, tangent[0]), quat_rotate(q, tangent[1])};
  return pl_shape_traits[s->kind]->curvature(s, pose_apply_inverse(s->pose, at), quat_rotate(q, normal), t,
                                             k);
}

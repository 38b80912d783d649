// mesh_shape.c: a mesh as a rigid shape: distances from its triangles, support points and faces of its hull.
#include <math.h>

#include "geom/convex.h"
#include "geom/shape.h"

static double mesh_distance(const plShape* s, plVec3 p, plVec3* normal) {
  const plTriTree* tree = s->tree;
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

static plVec3 hull_support(const plConvex* s, plVec3 d) {
  const plHull* h = s->hull;
  int best = 0;
  double most = -INFINITY;
  for (int i = 0; i < h->nvert; i++) {
    double along = v3_dot(v3_load(h->vert + 3 * (size_t)i), d);
    if (along > most) most = along, best = i;
  }
  return v3_load(h->vert + 3 * (size_t)best);
}

// The face with the largest component along d.
static int hull_face(const plConvex* s, plVec3 d, plVec3* c) {
  const plHull* h = s->hull;
  int best = 0;
  for (int f = 1; f < h->nface; f++)
    if (v3_dot(h->normal[f], d) > v3_dot(h->normal[best], d)) best = f;
  int n = h->face0[best + 1] - h->face0[best];
  for (int i = 0; i < n; i++) c[i] = v3_load(h->vert + 3 * (size_t)h->corner[h->face0[best] + i]);
  return n;
}

static bool hull_curvature(const plConvex* s, plVec3 at, plVec3 n, const plVec3 t[2], double k[3]) {
  (void)at, (void)t, (void)k;
  for (int f = 0; f < s->hull->nface; f++)
    if (pl_shape_is_face(v3_dot(s->hull->normal[f], n))) return true;
  return false;
}

// Its inertia and surface are those of the mesh, which the caller has.
const plShapeTraits pl_shape_mesh = {
    .distance = mesh_distance, .support = hull_support, .face = hull_face, .curvature = hull_curvature};

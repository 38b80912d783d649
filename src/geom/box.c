// box.c: a box of full side lengths `size`, centred at the origin.
#include <math.h>
#include <string.h>

#include "geom/mesh.h"
#include "geom/convex.h"
#include "geom/shape.h"

static double distance(const plShape* s, plVec3 p, plVec3* normal) {
  plVec3 half = v3_scale(0.5, s->size);
  plVec3 d = v3(fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z);
  plVec3 sign = v3(p.x < 0 ? -1 : 1, p.y < 0 ? -1 : 1, p.z < 0 ? -1 : 1);
  if (d.x <= 0 && d.y <= 0 && d.z <= 0) {
    // Inside: the nearest face.
    if (d.x >= d.y && d.x >= d.z) return *normal = v3(sign.x, 0, 0), d.x;
    if (d.y >= d.z) return *normal = v3(0, sign.y, 0), d.y;
    return *normal = v3(0, 0, sign.z), d.z;
  }
  plVec3 out = v3(fmax(d.x, 0) * sign.x, fmax(d.y, 0) * sign.y, fmax(d.z, 0) * sign.z);
  double outside = v3_norm(out);
  *normal = v3_scale(1 / outside, out);
  return outside;
}

static plVec3 support(const plConvex* s, plVec3 d) {
  return v3(copysign(s->half.x, d.x), copysign(s->half.y, d.y), copysign(s->half.z, d.z));
}

// The side with the largest component along d. Only the order of the corners matters, not its sense.
static int face(const plConvex* shape, plVec3 d, plVec3* c) {
  plVec3 h = shape->half;
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

static bool curvature(const plConvex* s, plVec3 at, plVec3 n, const plVec3 t[2], double k[3]) {
  (void)s, (void)at, (void)t, (void)k;
  return pl_shape_is_face(fmax(fabs(n.x), fmax(fabs(n.y), fabs(n.z))));
}

static plInertia inertia(const plShape* s, double density) {
  double m = density * s->size.x * s->size.y * s->size.z;
  return pl_shape_central(m, m / 12, s->size);
}

static plMesh* facets(const plShape* s, plError* error) {
  static const int tri[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                 {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  plVec3 size = s->size;
  plMesh* mesh = pl_mesh_create(8, 0, 12, error);
  if (!mesh) return NULL;
  for (int i = 0; i < 8; i++)
    v3_store(mesh->vert + 3 * i,
             v3(((i & 1) - 0.5) * size.x, ((i >> 1 & 1) - 0.5) * size.y, ((i >> 2 & 1) - 0.5) * size.z));
  memcpy(mesh->tri, tri, sizeof tri);
  return mesh;
}

const plShapeTraits pl_shape_box = {.sizes = PL_SIZE_SIDES,
                                    .key = {"size"},
                                    .distance = distance,
                                    .support = support,
                                    .face = face,
                                    .curvature = curvature,
                                    .half_size = pl_shape_half_side,
                                    .inertia = inertia,
                                    .facets = facets};

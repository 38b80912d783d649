// attach_soft.c: which tetrahedron of another deformable holds each attached vertex.
//
// It is the tetrahedron behind the facet nearest to the vertex. The vertex keeps its barycentric coordinates
// in it, even if it lies slightly outside. Force and moment of the pair then balance exactly, and the vertex
// follows rotations of the tetrahedron. If the tetrahedron is flat, the nearest point of its facet and a
// constant offset are used instead.
#include <assert.h>
#include <math.h>

#include "constraint/constraint.h"
#include "math/vec3.h"

static double volume6(plVec3 a, plVec3 b, plVec3 c, plVec3 d) {
  return v3_dot(v3_cross(v3_sub(b, a), v3_sub(c, a)), v3_sub(d, a));
}

// The corner of the tetrahedron behind boundary triangle t (of the model) that lies farthest from the
// triangle's plane at rest.
static int apex(const plModel* model, int t) {
  const int *f = model->tri_vert + 3 * (size_t)t, *tet = model->tet_vert + 4 * (size_t)model->tri_tet[t];
  plVec3 x[3];
  for (int k = 0; k < 3; k++) x[k] = v3_load(model->vert_rest + 3 * (size_t)f[k]);
  int best = tet[0];
  double most = -1;
  for (int k = 0; k < 4; k++) {
    double v = fabs(volume6(x[0], x[1], x[2], v3_load(model->vert_rest + 3 * (size_t)tet[k])));
    if (v > most) most = v, best = tet[k];
  }
  return best;
}

// Barycentric coordinates of p in the tetrahedron x; false if it is flat.
static bool coordinates(const plVec3 x[4], plVec3 p, double* weight) {
  double v = volume6(x[0], x[1], x[2], x[3]), size = 0;
  for (int k = 1; k < 4; k++) size = fmax(size, v3_norm(v3_sub(x[k], x[0])));
  if (!(fabs(v) > 1e-9 * size * size * size)) return false;
  weight[1] = volume6(x[0], p, x[2], x[3]) / v;
  weight[2] = volume6(x[0], x[1], p, x[3]) / v;
  weight[3] = volume6(x[0], x[1], x[2], p) / v;
  weight[0] = 1 - weight[1] - weight[2] - weight[3];
  return true;
}

// Barycentric coordinates of the point p in the triangle x, by areas; a corner if the triangle has no area.
static void facet_coordinates(const plVec3 x[4], plVec3 p, double* weight) {
  plVec3 n = v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
  double n2 = v3_norm2(n);
  weight[1] = n2 > 0 ? v3_dot(v3_cross(v3_sub(p, x[0]), v3_sub(x[2], x[0])), n) / n2 : 0;
  weight[2] = n2 > 0 ? v3_dot(v3_cross(v3_sub(x[1], x[0]), v3_sub(p, x[0])), n) / n2 : 0;
  weight[0] = 1 - weight[1] - weight[2];
  weight[3] = 0;
}

static void hold(const plData* data, plAttachment* a, int i, plTriHit hit) {
  const plModel* model = data->model;
  int t = model->deform_tri0[a->other] + hit.tri, vert0 = model->deform_vert0[a->other],
      *target = a->target + 4 * (size_t)i;
  assert(hit.tri >= 0 && t < model->deform_tri0[a->other + 1]);
  const double* q = data->q + model->deform_q0[a->other];
  double* weight = a->weight + 4 * (size_t)i;
  plVec3 x[4], p = v3_load(data->q + model->deform_q0[a->deformable] + 3 * (size_t)a->vert[i]);
  for (int k = 0; k < 3; k++) target[k] = model->tri_vert[3 * (size_t)t + (size_t)k] - vert0;
  target[3] = apex(model, t) - vert0;
  for (int k = 0; k < 4; k++) x[k] = v3_load(q + 3 * (size_t)target[k]);
  if (!coordinates(x, p, weight)) facet_coordinates(x, hit.point, weight);
  plVec3 rest = p;
  for (int k = 0; k < 4; k++) rest = v3_madd(rest, -weight[k], x[k]);
  v3_store(a->anchor + 3 * (size_t)i, rest);
}

plStatus pl_attachment_find_targets(const plData* data, plAttachment* a) {
  const plModel* model = data->model;
  int tri0 = model->deform_tri0[a->other], ntri = model->deform_tri0[a->other + 1] - tri0,
      vert0 = model->deform_vert0[a->other];
  int* tri = PL_NEW(int, 3 * (size_t)ntri);
  if (!tri) return PL_ERROR_MEMORY;
  for (int i = 0; i < 3 * ntri; i++) tri[i] = model->tri_vert[3 * (size_t)tri0 + (size_t)i] - vert0;
  plTriTree* tree = NULL;
  plStatus status = pl_tri_tree_create(data->q + model->deform_q0[a->other], tri, ntri, &tree, NULL);
  for (int i = 0; !status && i < a->nvert; i++) {
    plVec3 p = v3_load(data->q + model->deform_q0[a->deformable] + 3 * (size_t)a->vert[i]);
    hold(data, a, i, pl_tri_tree_closest(tree, p, INFINITY));
  }
  pl_tri_tree_destroy(tree);
  pl_free(tri);
  return status;
}

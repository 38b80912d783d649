// vertex_shape.c: surface vertices of a deformable against a rigid shape.
//
// A vertex whose distance phi to the shape is below the speculative window becomes a point with the shape's normal; its area is the
// projection of its facets' thirds on that normal, so that a patch is as stiff however finely it is meshed. A vertex that looks away
// from the shape (n_v . n < 0.3) or lies deeper than the body is thick there is not in contact with this side of it.
#include <math.h>

#include "contact/contact.h"
#include "geom/distance.h"
#include "math/pose.h"

typedef struct Surface {
  plVec3* normal;  // [n] area-weighted sum of facet normals at each vertex (m^2), not normalised
  double* area;    // [n] lumped area
  double* facing;  // [n] area projected on the direction towards the shape
  double* limit;   // [n] altitude of the tets behind the vertex's facets (m)
} Surface;

static plVec3 vertex(const plModel* model, const plData* data, int b, int i) {
  return v3_load(data->q + model->deform_q0[b] + 3 * (size_t)(i - model->deform_vert0[b]));
}

// Lumped areas, normals and depth limits of a body's surface vertices, once per step and body.
static void sum_facets(const plModel* model, const plData* data, int b, Surface* s) {
  int vert0 = model->deform_vert0[b];
  for (int t = model->deform_tri0[b]; t < model->deform_tri0[b + 1]; t++) {
    const int* v = model->tri_vert + 3 * (size_t)t;
    plVec3 a = vertex(model, data, b, v[0]);
    plVec3 n = v3_scale(0.5, v3_cross(v3_sub(vertex(model, data, b, v[1]), a), v3_sub(vertex(model, data, b, v[2]), a)));
    double area = v3_norm(n), altitude = area > 0 ? 3 * model->tet_volume[model->tri_tet[t]] / area : 0;
    for (int k = 0; k < 3; k++) {
      int i = v[k] - vert0;
      s->normal[i] = v3_add(s->normal[i], v3_scale(1.0 / 3, n));
      s->area[i] += area / 3;
      s->limit[i] = fmax(s->limit[i], altitude);
    }
  }
}

// The part of each vertex's area that faces against the shape's normal at that vertex.
static void sum_facing(const plModel* model, const plData* data, int b, const plVec3* towards, const bool* near, double* facing) {
  int vert0 = model->deform_vert0[b];
  for (int t = model->deform_tri0[b]; t < model->deform_tri0[b + 1]; t++) {
    const int* v = model->tri_vert + 3 * (size_t)t;
    if (!near[v[0] - vert0] && !near[v[1] - vert0] && !near[v[2] - vert0]) continue;
    plVec3 a = vertex(model, data, b, v[0]);
    plVec3 n = v3_scale(0.5, v3_cross(v3_sub(vertex(model, data, b, v[1]), a), v3_sub(vertex(model, data, b, v[2]), a)));
    for (int k = 0; k < 3; k++)
      if (near[v[k] - vert0]) facing[v[k] - vert0] += fmax(0, v3_dot(n, towards[v[k] - vert0])) / 3;
  }
}

plStatus pl_contact_vertices_shape(const plModel* model, plData* data, int b, int g) {
  plWork* work = data->work;
  int vert0 = model->deform_vert0[b], n = model->deform_vert0[b + 1] - vert0;
  Surface s = {PL_KEEP(&work->step, plVec3, n), PL_KEEP(&work->step, double, n), PL_KEEP(&work->step, double, n),
               PL_KEEP(&work->step, double, n)};
  plVec3* towards = PL_KEEP(&work->step, plVec3, n);
  double* gap = PL_KEEP(&work->step, double, n);
  bool* near = PL_KEEP(&work->step, bool, n);
  if (work->step.failed) return PL_ERROR_MEMORY;
  sum_facets(model, data, b, &s);

  // Vertices within the window that look at the shape.
  plShape shape = {model->geom_kind[g], model->geom_size[g], model->geom_radius[g], model->geom_length[g], model->work->geom_tree[g]};
  double window = pl_contact_window(model, data, b);
  for (int i = 0; i < n; i++) {
    if (!model->work->vert_surface[vert0 + i]) continue;
    plVec3 outward;
    gap[i] = pl_shape_distance(&shape, pose_apply_inverse(model->geom_pose[g], vertex(model, data, b, vert0 + i)), &outward);
    towards[i] = v3_neg(quat_rotate(model->geom_pose[g].q, outward));
    near[i] = gap[i] <= window && v3_dot(s.normal[i], towards[i]) > 0.3 * v3_norm(s.normal[i]);
    if (near[i] && gap[i] < -s.limit[i]) near[i] = false, data->report.skipped++;
  }
  sum_facing(model, data, b, towards, near, s.facing);

  for (int i = 0; i < n; i++) {
    if (!near[i]) continue;
    double share = s.area[i] > 0 ? s.facing[i] / s.area[i] : 0;
    if (share < 1e-4) {
      data->report.skipped++;
      continue;
    }
    plContactPoint point = {.a = {b, -1, 1, {vert0 + i}, {1}}, .b = {-1, g, 0, {0}, {0}}};
    point.position = vertex(model, data, b, vert0 + i);
    point.normal = towards[i];
    point.gap = gap[i];
    point.area = s.facing[i];
    point.share = share;
    if (!PL_PUSH(work->point, work->npoint, work->point_cap, point)) return PL_ERROR_MEMORY;
  }
  return PL_OK;
}

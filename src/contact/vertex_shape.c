// vertex_shape.c: surface vertices of a deformable against a rigid shape with an exact distance.
//
// A vertex whose distance phi to the shape is below the speculative window becomes a point with the shape's normal; its area is the
// projection of its facets' thirds on that normal, so that a patch is as stiff however finely it is meshed. A vertex that looks away
// from the shape (n_v . n < 0.3) or lies deeper than the body is thick there is not in contact with this side of it.
#include <math.h>

#include "contact/contact.h"
#include "geom/distance.h"
#include "math/pose.h"

// The part of each near vertex's area that faces the shape.
static void sum_facing(const plSkin* skin, const plVec3* towards, const bool* near, double* facing) {
  for (int t = 0; t < skin->ntri; t++) {
    const int* v = skin->tri + 3 * (size_t)t;
    for (int k = 0; k < 3; k++)
      if (near[v[k]]) facing[v[k]] += skin->tri_area[t] * fmax(0, v3_dot(skin_normal(skin, t), towards[v[k]])) / 3;
  }
}

plStatus pl_contact_vertices_shape(const plModel* model, plData* data, int b, int g) {
  plWork* work = data->work;
  const plSkin* skin = work->deform_skin[b];
  int vert0 = model->deform_vert0[b], n = skin->nvert;
  plVec3* towards = PL_KEEP(&work->step, plVec3, n);
  double* gap = PL_KEEP(&work->step, double, n);
  double* facing = PL_KEEP(&work->step, double, n);
  bool* near = PL_KEEP(&work->step, bool, n);
  if (work->step.failed) return PL_ERROR_MEMORY;

  // Vertices within the window that look at the shape.
  plShape shape = {model->geom_kind[g], model->geom_size[g], model->geom_radius[g], model->geom_length[g], model->work->geom_tree[g]};
  plPose pose = work->geom_world[g];
  double window = pl_contact_window(model, data, b);
  for (int i = 0; i < n; i++) {
    if (!model->work->vert_surface[vert0 + i]) continue;
    plVec3 outward;
    gap[i] = pl_shape_distance(&shape, pose_apply_inverse(pose, skin_x(skin, i)), &outward);
    towards[i] = v3_neg(quat_rotate(pose.q, outward));
    near[i] = gap[i] <= window && v3_dot(v3_load(skin->vert_normal + 3 * (size_t)i), towards[i]) > 0.3;
    if (near[i] && gap[i] < -skin->vert_limit[i]) near[i] = false, data->report.skipped++;
  }
  sum_facing(skin, towards, near, facing);

  for (int i = 0; i < n; i++) {
    if (!near[i]) continue;
    double share = skin->vert_area[i] > 0 ? facing[i] / skin->vert_area[i] : 0;
    if (share < 1e-4) {
      data->report.skipped++;
      continue;
    }
    plContactPoint point = {.a = {b, -1, 1, {vert0 + i}, {1}}, .b = {-1, g, 0, {0}, {0}}};
    point.position = skin_x(skin, i);
    point.normal = towards[i];
    point.gap = gap[i];
    point.area = facing[i];
    point.share = share;
    if (!PL_PUSH(work->point, work->npoint, work->point_cap, point)) return PL_ERROR_MEMORY;
  }
  return PL_OK;
}

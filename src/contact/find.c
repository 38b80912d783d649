// find.c: which pairs may touch, and the points of each pair.
//
// in: q, v -> out: work->point
#include <math.h>

#include "contact/contact.h"
#include "geom/distance.h"
#include "math/pose.h"

double pl_contact_window(const plModel* model, const plData* data, int b) {
  double speed2 = 0, dt = model->options.dt;
  int n = model->deform_vert0[b + 1] - model->deform_vert0[b];
  for (int i = 0; i < n; i++) speed2 = fmax(speed2, v3_norm2(v3_load(data->v + model->deform_v0[b] + 3 * i)));
  return fmax(2e-4, 2 * dt * sqrt(speed2) + v3_norm(model->options.gravity) * dt * dt);
}

// Bounding boxes, grown by the window, against the shape's bounding ball.
static bool may_touch(const plModel* model, const plData* data, int b, int g, double window) {
  plShape shape = {model->geom_kind[g], model->geom_size[g], model->geom_radius[g], model->geom_length[g], model->work->geom_tree[g]};
  double radius = pl_shape_radius(&shape);
  if (!isfinite(radius)) return true;
  plVec3 lower = v3(INFINITY, INFINITY, INFINITY), upper = v3_neg(lower);
  for (int i = 0; i < model->deform_vert0[b + 1] - model->deform_vert0[b]; i++) {
    plVec3 x = v3_load(data->q + model->deform_q0[b] + 3 * i);
    lower = v3_min(lower, x);
    upper = v3_max(upper, x);
  }
  plVec3 c = model->geom_pose[g].p, nearest = v3_max(lower, v3_min(upper, c));
  return v3_norm(v3_sub(nearest, c)) <= radius + window;
}

plStatus pl_contact_find(const plModel* model, plData* data) {
  data->work->npoint = 0;
  for (int b = 0; b < model->ndeform; b++) {
    double window = pl_contact_window(model, data, b);
    for (int g = 0; g < model->ngeom; g++) {
      if (!model->geom_collide[g] || model->geom_body[g] >= 0 || !may_touch(model, data, b, g, window)) continue;
      plStatus status = pl_contact_vertices_shape(model, data, b, g);
      if (status) return status;
    }
  }
  return PL_OK;
}

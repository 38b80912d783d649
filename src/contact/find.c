// find.c: which pairs may touch, and the points of each pair.
//
// in: q, v -> out: skins, work->point
#include <math.h>
#include <string.h>

#include "contact/pair.h"
#include "geom/distance.h"
#include "math/pose.h"

double pl_contact_window(const plModel* model, const plData* data, int b) {
  double speed2 = 0, dt = model->options.dt;
  int n = model->deform_vert0[b + 1] - model->deform_vert0[b];
  for (int i = 0; i < n; i++) speed2 = fmax(speed2, v3_norm2(v3_load(data->v + model->deform_v0[b] + 3 * (size_t)i)));
  return fmax(2e-4, 2 * dt * sqrt(speed2) + v3_norm(model->options.gravity) * dt * dt);
}

static bool boxes_meet(const plSkin* a, const plSkin* b, double window) {
  return a->lower.x - window <= b->upper.x && b->lower.x - window <= a->upper.x && a->lower.y - window <= b->upper.y &&
         b->lower.y - window <= a->upper.y && a->lower.z - window <= b->upper.z && b->lower.z - window <= a->upper.z;
}

// The body's box, grown by the window, against the shape's bounding ball.
static bool box_meets_ball(const plModel* model, const plData* data, const plSkin* skin, int g, double window) {
  plShape shape = {model->geom_kind[g], model->geom_size[g], model->geom_radius[g], model->geom_length[g], model->work->geom_tree[g]};
  double radius = pl_shape_radius(&shape);
  if (!isfinite(radius)) return true;
  plVec3 c = data->work->geom_world[g].p, nearest = v3_max(skin->lower, v3_min(skin->upper, c));
  return v3_norm(v3_sub(nearest, c)) <= radius + window;
}

static plStatus touch_skins(const plModel* model, plData* data, int a, plSkin* other, plContactSide side_b, double window) {
  plPair pair = {.A = data->work->deform_skin[a], .B = other, .side_a = {.body = a, .geom = -1}, .side_b = side_b, .window = window,
                 .vert0_a = model->deform_vert0[a], .data = data};
  if (side_b.body >= 0) pair.vert0_b = model->deform_vert0[side_b.body];
  return boxes_meet(pair.A, pair.B, window) ? pl_contact_skin_pair(&pair) : PL_OK;
}

plStatus pl_contact_find(const plModel* model, plData* data) {
  plWork* work = data->work;
  work->npoint = 0;
  double* window = PL_ARENA_NEW(&work->step, double, model->ndeform);
  if (!window) return PL_ERROR_MEMORY;
  for (int b = 0; b < model->ndeform; b++) {
    plSkin* skin = work->deform_skin[b];
    memcpy(skin->x, data->q + model->deform_q0[b], 3 * (size_t)skin->nvert * sizeof(double));
    pl_skin_update(skin);
    window[b] = pl_contact_window(model, data, b);
  }
  for (int g = 0; g < model->ngeom; g++)
    if (work->geom_skin[g] && model->geom_body[g] >= 0) pl_geom_skin_place(model, g, work->geom_world[g], work->geom_skin[g]);
  // Pairs in order of A, then deformable B, then shape B.
  plStatus status = PL_OK;
  for (int a = 0; a < model->ndeform && !status; a++) {
    if (!data->on[PL_SWITCH_DEFORMABLE][a]) continue;
    for (int b = a + 1; b < model->ndeform && !status; b++)
      if (data->on[PL_SWITCH_DEFORMABLE][b])
      status = touch_skins(model, data, a, work->deform_skin[b], (plContactSide){.body = b, .geom = -1}, fmax(window[a], window[b]));
    for (int g = 0; g < model->ngeom && !status; g++) {
      if (!model->geom_collide[g] || !data->on[PL_SWITCH_SHAPE][g]) continue;
      plContactSide side = {.body = -1, .geom = g};
      if (work->geom_skin[g]) status = touch_skins(model, data, a, work->geom_skin[g], side, window[a]);
      else if (box_meets_ball(model, data, work->deform_skin[a], g, window[a])) status = pl_contact_vertices_shape(model, data, a, g);
    }
  }
  return status;
}

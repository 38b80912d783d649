// sweep_plane.c: bodies that get below a half space by turning, or with vertices that had no point.
//
// Nothing can pass through a half space, because it has no opposite side. But rows see a body's rotation to
// first order only, and points exist only for vertices that face down. The positions at the end of the motion
// are therefore checked. A surface whose contact stiffness acts has no depth limit, but its law knows only
// the depth that its rows see: what turning adds to that is checked, and what theta_vq < 1 adds.
#include <math.h>

#include "contact/sweep.h"
#include "contact/thresholds.h"

// A point of A that moves from x0 to x1, and its depth at the end; vertex < 0: of a smooth shape.
static plStatus add_point(plSweep* sweep, int vertex, plVec3 x0, plVec3 x1, plVec3 up, double area) {
  const plCollider* c = sweep->ca;
  plVec3 o = sweep->cb->pose.p;
  plSweepHit hit = {.a = sweep->a,
                    .b = sweep->b,
                    .kind = vertex < 0 ? PL_SWEEP_CONVEX : PL_SWEEP_A_ON_B,
                    .i = vertex,
                    .j = -1,
                    .time = 1};
  plContactPoint* p = &hit.point;
  double gap = v3_dot(v3_sub(x0, o), up);
  hit.end = v3_dot(v3_sub(x1, o), up), hit.mild = hit.end > -pl_sweep_thin(c);
  *p = (plContactPoint){
      .normal = v3_neg(up), .area = area, .share = PL_SWEEP_SHARE, .swept = true, .position_a = x0};
  p->gap = gap, p->position_b = v3_madd(x0, -gap, up), p->position = v3_madd(x0, -0.5 * gap, up);
  p->a = (plContactSide){.body = c->deform, .shape_id = c->shape_id, .tri = -1};
  p->b = (plContactSide){.body = -1, .shape_id = sweep->cb->shape_id, .tri = -1};
  if (c->deform >= 0) {
    int* vert = PL_ARENA_NEW(sweep->arena, int, 1);
    double* weight = PL_ARENA_NEW(sweep->arena, double, 1);
    if (!vert || !weight) return PL_ERROR_MEMORY;
    vert[0] = sweep->model->deform_vert0[c->deform] + vertex, weight[0] = 1;
    p->a.nvert = 1, p->a.vert = vert, p->a.weight = weight;
    int tri = c->skin->vert_tri[vertex];
    if (tri >= 0) p->a.tri = sweep->model->deform_tri0[c->deform] + tri;  // else a vertex inside
  }
  return pl_sweep_push(sweep, hit);
}

static plStatus sweep_vertices(plSweep* sweep, plVec3 up, double deep) {
  const plSkin* s = sweep->ca->skin;
  plVec3 o = sweep->cb->pose.p;
  plStatus status = PL_OK;
  for (int v = 0; v < s->nvert && !status; v++) {
    plVec3 x0 = skin_x(s, v), x1 = v3_load(sweep->ma.x1 + 3 * (size_t)v);
    double now = v3_dot(v3_sub(x0, o), up), end = v3_dot(v3_sub(x1, o), up);
    if (sweep->held_a && sweep->held_a[v]) continue;
    if (end < fmin(now, sweep->law) - deep) status = add_point(sweep, v, x0, x1, up, s->vert_area[v]);
  }
  return status;
}

plStatus pl_sweep_plane(plSweep* sweep) {
  plVec3 up = quat_rotate(sweep->cb->pose.q, v3(0, 0, 1)), o = sweep->cb->pose.p;
  double thin = pl_sweep_thin(sweep->ca), deep = sweep->depth * thin;
  // If the motion misses, the present points are sufficient.
  if (sweep->depth < 0 || sweep->cb->node >= 0) return PL_OK;
  if (sweep->ca->skin) return sweep_vertices(sweep, up, deep);
  plConvex shape = pl_collider_convex(sweep->ca);
  double now = v3_dot(v3_sub(pl_convex_support(&shape, v3_neg(up)), o), up);
  shape.pose = sweep->ma.pose1;
  plVec3 x1 = pl_convex_support(&shape, v3_neg(up)),
         x0 = pose_apply(sweep->ca->pose, pose_apply_inverse(sweep->ma.pose1, x1));
  if (!(v3_dot(v3_sub(x1, o), up) < fmin(now, sweep->law) - deep)) return PL_OK;
  return add_point(sweep, -1, x0, x1, up, thin * thin);
}

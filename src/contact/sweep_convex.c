// sweep_convex.c: the time at which two moving convex shapes touch, and at which a smooth shape touches
// moving facets and vertices.
//
// Conservative advancement: shapes with a gap along n cannot touch before they have approached each other by
// that gap along n; for a body that turns, its size times the angle counts. Points are those of the poses at
// impact, moved back to the start with the material: each rigid side has its own position.
#include <assert.h>
#include <math.h>

#include "contact/sweep.h"
#include "contact/thresholds.h"

// A moving rigid shape.
typedef struct Turning {
  plConvex shape;
  plPose from, to;
  plVec3 way, turn;  // m, rad
  double size;       // m, from its origin to its farthest point
} Turning;

static Turning turning_of(const plCollider* c, const plMotionOf* m) {
  Turning t = {.shape = pl_collider_convex(c), .from = c->pose, .to = m->pose1};
  t.way = v3_sub(t.to.p, t.from.p);
  t.turn = quat_log(quat_mul(t.to.q, quat_conj(t.from.q)));
  plVec3 far = v3_max(v3_sub(c->upper, c->pose.p), v3_sub(c->pose.p, c->lower));
  t.size = v3_norm(far);
  return t;
}

static plPose pose_at(const Turning* t, double s) {
  return (plPose){v3_madd(t->from.p, s, t->way), quat_mul(quat_exp(v3_scale(s, t->turn)), t->from.q)};
}

static plVec3 brought_to(const Turning* t, double s, plPose pose, plVec3 x) {
  return pose_apply(pose, pose_apply_inverse(pose_at(t, s), x));
}

enum { ADVANCES = 200 };  // limit of conservative advancement, which converges in a few dozen

// ---- two shapes

static plConvexGap gap_at(Turning* a, Turning* b, double s) {
  a->shape.pose = pose_at(a, s), b->shape.pose = pose_at(b, s);
  return pl_convex_gap(&a->shape, &b->shape);
}

// The first time at which they are within tol; > 1: never. They are separate at the start.
static double time_of_impact(Turning* a, Turning* b, double tol) {
  double s = 0;
  for (int i = 0; i < ADVANCES; i++) {
    plConvexGap g = gap_at(a, b, s);
    if (g.gap <= tol) return s;
    double closing =
        v3_dot(g.normal, v3_sub(a->way, b->way)) + v3_norm(a->turn) * a->size + v3_norm(b->turn) * b->size;
    if (!(closing > 0)) return 2;
    s += (g.gap - 0.5 * tol) / closing;
    if (s > 1) return 2;
  }
  return s;
}

// The points of the patch at the poses of time s; *deep: one of them ends with less than the least gap.
static plStatus add_patch(plSweep* sweep, Turning* a, Turning* b, double s, double least, bool* deep) {
  plPairScratch* scratch = &sweep->data->work->contact->scratch[0];
  plPairList* list = &scratch->list;
  plPair pair = {.model = sweep->model,
                 .data = sweep->data,
                 .ca = sweep->ca,
                 .cb = sweep->cb,
                 .margin = pl_contact_margin(sweep->data, sweep->ca, sweep->cb),
                 .list = list,
                 .scratch = scratch,
                 .arena = &scratch->arena,
                 .points = &scratch->points};
  list->npoint = 0;
  a->shape.pose = pose_at(a, s), b->shape.pose = pose_at(b, s);
  plStatus status = pl_contact_convex_at(&pair, &a->shape, &b->shape);
  if (status) return status;
  pl_pair_share_rigid(&pair);
  for (int i = 0; i < list->npoint && !status; i++) {
    plSweepHit hit = {.a = sweep->a, .b = sweep->b, .kind = PL_SWEEP_CONVEX, .i = i, .time = s};
    plContactPoint* p = &hit.point;
    *p = list->point[i];
    plVec3 n = p->normal, on_a = v3_madd(p->position, -0.5 * p->gap, n),
           on_b = v3_madd(p->position, 0.5 * p->gap, n);
    p->swept = true, p->share *= PL_SWEEP_SHARE;
    p->position_a = brought_to(a, s, a->from, on_a), p->position_b = brought_to(b, s, b->from, on_b);
    p->position = v3_scale(0.5, v3_add(p->position_a, p->position_b));
    p->gap = fmax(0, v3_dot(v3_sub(p->position_b, p->position_a), n));
    hit.end = v3_dot(v3_sub(brought_to(b, s, b->to, on_b), brought_to(a, s, a->to, on_a)), n);
    *deep = *deep || hit.end < least;
    status = pl_sweep_push(sweep, hit);
  }
  return status;
}

// The first of the sample times from s on at which they overlap by more than that; > 1: none. A shape that
// passes through a rim is outside again at the end.
static double time_of_depth(Turning* a, Turning* b, double s, double depth) {
  for (int i = 1; i <= PL_SWEEP_LOOKS; i++) {
    double at = s + (1 - s) * i / PL_SWEEP_LOOKS;
    if (gap_at(a, b, at).gap < depth) return at;
  }
  return 2;
}

plStatus pl_sweep_convex(plSweep* sweep) {
  Turning a = turning_of(sweep->ca, &sweep->ma), b = turning_of(sweep->cb, &sweep->mb);
  double thin = fmin(pl_sweep_thin(sweep->ca), pl_sweep_thin(sweep->cb)),
         tol = PL_SWEEP_ONWARD * PL_SWEEP_DEEP * thin;
  // Shapes that touch already have their points, unless turning brings other parts of them in.
  double now = gap_at(&a, &b, 0).gap, s = now > tol ? time_of_impact(&a, &b, tol) : 0,
         depth = fmin(now, sweep->law) - sweep->depth * thin;
  if (now <= tol) s = sweep->depth < 0 ? 1 : time_of_depth(&a, &b, 0, depth);
  if (s > 1) return PL_OK;
  int first = sweep->nhit;
  bool deep = sweep->depth < 0 || now <= tol;
  plStatus status = add_patch(sweep, &a, &b, s, depth, &deep);
  // The first contact may turn away while another part goes in.
  double later = status || deep ? 2 : time_of_depth(&a, &b, s, depth);
  if (later <= 1) {
    sweep->nhit = first, deep = true;
    status = add_patch(sweep, &a, &b, later, depth, &deep);
  }
  // All points of the patch, or none.
  if (!deep) sweep->nhit = first;
  return status;
}

// ---- facets and a smooth shape

static plVec3 corner(const plSkin* s, const double* x1, int v, double t) {
  plVec3 x = skin_x(s, v);
  return v3_madd(x, t, v3_sub(v3_load(x1 + 3 * (size_t)v), x));
}

static plConvex facet_at(const plSweep* sweep, int t, double time, plVec3 x[3]) {
  const plSkin* s = sweep->ca->skin;
  for (int k = 0; k < 3; k++) x[k] = corner(s, sweep->ma.x1, s->tri[3 * (size_t)t + (size_t)k], time);
  return (plConvex){.kind = PL_SHAPE_MESH,
                    .point = x,
                    .pose = {.p = v3_scale(1.0 / 3, v3_add(x[0], v3_add(x[1], x[2]))), .q = {1, 0, 0, 0}}};
}

// The time at which shape B comes within tol of facet t of A; > 1: never.
static double reach_facet(const plSweep* sweep, int t, Turning* b, double tol, plVec3 x[3], plConvexGap* g) {
  const plSkin* s = sweep->ca->skin;
  const double* x1 = sweep->ma.x1;
  const int* v = s->tri + 3 * (size_t)t;
  double time = 0;
  for (int i = 0; i < ADVANCES; i++) {
    plConvex A = facet_at(sweep, t, time, x);
    b->shape.pose = pose_at(b, time);
    *g = pl_convex_gap(&A, &b->shape);
    if (g->gap <= tol) return time;
    double most = -INFINITY;
    for (int k = 0; k < 3; k++)
      most = fmax(most, v3_dot(g->normal, v3_sub(v3_load(x1 + 3 * (size_t)v[k]), skin_x(s, v[k]))));
    double closing = most - v3_dot(g->normal, b->way) + v3_norm(b->turn) * b->size;
    if (!(closing > 0)) return 2;
    time += (g->gap - 0.5 * tol) / closing;
    if (time > 1) return 2;
  }
  return time;
}

// Whether the box around the facet's motion, relative to the shape's, meets the box of the shape.
static bool comes_near(const plSweep* sweep, int t) {
  const plSkin* s = sweep->ca->skin;
  plVec3 lower = v3(INFINITY, INFINITY, INFINITY), upper = v3_neg(lower),
         room = v3(sweep->mb.spread, sweep->mb.spread, sweep->mb.spread),
         from = v3_sub(sweep->cb->lower, room), to = v3_add(sweep->cb->upper, room);
  for (int k = 0; k < 3; k++) {
    int v = s->tri[3 * (size_t)t + (size_t)k];
    plVec3 x0 = skin_x(s, v), x1 = v3_sub(v3_load(sweep->ma.x1 + 3 * (size_t)v), sweep->mb.drift);
    lower = v3_min(lower, v3_min(x0, x1)), upper = v3_max(upper, v3_max(x0, x1));
  }
  return lower.x <= to.x && from.x <= upper.x && lower.y <= to.y && from.y <= upper.y && lower.z <= to.z &&
         from.z <= upper.z;
}

// `counts`: wherever it ends.
static plStatus add_facet(plSweep* sweep, int t, double time, bool counts, const plVec3 x[3],
                          const plConvexGap* g, const Turning* b) {
  const plSkin* s = sweep->ca->skin;
  const plCollider* c = sweep->ca;
  const int* v = s->tri + 3 * (size_t)t;
  plVec3 e = v3_sub(x[1], x[0]), f = v3_sub(x[2], x[0]), m = v3_cross(e, f), q = v3_sub(g->a, x[0]);
  double mm = v3_norm2(m), limit = fmin(skin_thin(s, t), pl_sweep_thin(sweep->cb));
  if (!(mm > 0) || !(v3_dot(m, g->normal) > 0)) return PL_OK;  // hit from behind
  double w[3];
  w[1] = v3_dot(v3_cross(q, f), m) / mm, w[2] = v3_dot(v3_cross(e, q), m) / mm, w[0] = 1 - w[1] - w[2];
  plSweepHit hit = {.a = sweep->a, .b = sweep->b, .kind = PL_SWEEP_FACET, .i = t, .time = time};
  plContactPoint* p = &hit.point;
  plVec3 a0 = {0, 0, 0}, a1 = {0, 0, 0};
  double area = 0;
  for (int k = 0; k < 3; k++) {
    a0 = v3_madd(a0, w[k], skin_x(s, v[k])), a1 = v3_madd(a1, w[k], v3_load(sweep->ma.x1 + 3 * (size_t)v[k]));
    area += fmax(0, w[k]) * s->vert_area[v[k]];
  }
  *p = (plContactPoint){
      .normal = g->normal, .area = area, .share = PL_SWEEP_SHARE, .swept = true, .position_a = a0};
  p->position_b = brought_to(b, time, b->from, g->b), p->position = a0;
  p->gap = fmax(0, v3_dot(v3_sub(p->position_b, a0), g->normal));
  plVec3 apart = v3_sub(brought_to(b, time, b->to, g->b), a1);
  hit.end = v3_dot(apart, g->normal);
  if (!counts && !(hit.end < sweep->law - PL_SWEEP_ROUND * sweep->depth * limit)) return PL_OK;
  // A shape that leaves may touch the side of a facet on its way out.
  if (sweep->depth >= 0 && !(v3_dot(apart, m) < 0)) return PL_OK;
  p->a = (plContactSide){.body = c->deform, .shape_id = c->shape_id, .tri = t};
  p->b = (plContactSide){.body = -1, .shape_id = sweep->cb->shape_id, .tri = -1};
  if (c->deform >= 0) {
    int* vert = PL_ARENA_NEW(sweep->arena, int, 3);
    double* weight = PL_ARENA_NEW(sweep->arena, double, 3);
    if (!vert || !weight) return PL_ERROR_MEMORY;
    for (int k = 0; k < 3; k++) vert[k] = sweep->model->deform_vert0[c->deform] + v[k], weight[k] = w[k];
    p->a.nvert = 3, p->a.vert = vert, p->a.weight = weight, p->a.tri += sweep->model->deform_tri0[c->deform];
  }
  return pl_sweep_push(sweep, hit);
}

// Whether the shape's point of g has sunk in by that time, by more than the limit: a body that is folded
// around the shape has facets whose backs it touches, and leaves through them. n: the facet's normal then. A
// facet that has turned over since the start has its back where its front was.
static bool sinks(const plSweep* sweep, int t, const Turning* b, double time, const plConvexGap* g, plVec3 n,
                  double limit) {
  plVec3 x[3], from = brought_to(b, time, b->from, g->b);
  (void)facet_at(sweep, t, 0, x);
  plVec3 n0 = v3_unit(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
  return v3_dot(n0, n) > 0 && g->gap < fmin(sweep->law, v3_dot(v3_sub(from, x[0]), n0)) - limit;
}

// A facet that the shape already touches and has passed at that time: the normal is the shortest way out or,
// if that leads to the other side, the facet's normal at the shape's deepest point. Turning brings other
// parts in.
static bool is_through(const plSweep* sweep, int t, Turning* b, double time, double now, plVec3 x[3],
                       plConvexGap* g) {
  plConvex A = facet_at(sweep, t, time, x);
  plVec3 e = v3_sub(x[1], x[0]), f = v3_sub(x[2], x[0]), m = v3_cross(e, f), n = v3_unit(m);
  double mm = v3_norm2(m), limit = PL_SWEEP_ROUND * sweep->depth *
                                   fmin(skin_thin(sweep->ca->skin, t), pl_sweep_thin(sweep->cb));
  if (!(mm > 0)) return false;
  b->shape.pose = pose_at(b, time);
  *g = pl_convex_gap(&A, &b->shape);
  if (g->gap > 0) return false;
  if (g->gap < fmin(now, sweep->law) - limit && v3_dot(g->normal, n) > 0)
    return sinks(sweep, t, b, time, g, n, limit);
  g->normal = n, g->b = pl_convex_support(&b->shape, v3_neg(n));
  g->gap = v3_dot(v3_sub(g->b, x[0]), n), g->a = v3_madd(g->b, -g->gap, n);
  plVec3 q = v3_sub(g->a, x[0]);
  double w1 = v3_dot(v3_cross(q, f), m), w2 = v3_dot(v3_cross(e, q), m);
  return w1 >= 0 && w2 >= 0 && w1 + w2 <= mm && g->gap < sweep->law - limit &&
         sinks(sweep, t, b, time, g, n, limit);
}

// Adds the first of the sample times from `from` on at which the shape has passed the facet. A point that a
// rotation takes out again by the end of the motion is no hit; later samples have other points.
static plStatus add_passage(plSweep* sweep, int t, Turning* b, double from, double now) {
  int before = sweep->nhit;
  plStatus status = PL_OK;
  for (int i = 1; i <= PL_SWEEP_LOOKS && sweep->nhit == before && !status; i++) {
    double at = from + (1 - from) * i / PL_SWEEP_LOOKS;
    plVec3 x[3];
    plConvexGap g;
    if (is_through(sweep, t, b, at, now, x, &g)) status = add_facet(sweep, t, at, true, x, &g, b);
  }
  return status;
}

// ---- vertices and a smooth shape

// The distance of x from the shape at that time; *n: from x to the shape's surface if x is
// outside, *on: the point of the surface that is closest, both in the world.
static double distance_at(const plSweep* sweep, const Turning* b, double time, plVec3 x, plVec3* n,
                          plVec3* on) {
  plPose pose = pose_at(b, time);
  plVec3 outward;
  double gap = pl_shape_distance(&sweep->cb->shape, pose_apply_inverse(pose, x), &outward);
  *n = v3_neg(quat_rotate(pose.q, outward)), *on = v3_madd(x, gap, *n);
  return gap;
}

enum { BISECTIONS = 40 };

// Vertex v that ends inside the shape, from the distance d0. limit: its depth limit (m).
static plStatus add_vertex(plSweep* sweep, int v, const Turning* b, double d0, double limit) {
  const plSkin* s = sweep->ca->skin;
  plVec3 x0 = skin_x(s, v), x1 = v3_load(sweep->ma.x1 + 3 * (size_t)v), n, on;
  double from = 0, to = d0 > 0 ? 1 : 0;
  for (int i = 0; i < BISECTIONS && to > from; i++) {
    double mid = 0.5 * (from + to);
    if (distance_at(sweep, b, mid, corner(s, sweep->ma.x1, v, mid), &n, &on) > 0)
      from = mid;
    else
      to = mid;
  }
  distance_at(sweep, b, to, corner(s, sweep->ma.x1, v, to), &n, &on);
  plSweepHit hit = {.a = sweep->a, .b = sweep->b, .kind = PL_SWEEP_A_ON_B, .i = v, .j = -1, .time = to};
  plContactPoint* p = &hit.point;
  hit.end = v3_dot(v3_sub(brought_to(b, to, b->to, on), x1), n), hit.mild = hit.end > -limit;
  *p = (plContactPoint){
      .normal = n, .area = s->vert_area[v], .share = PL_SWEEP_SHARE, .swept = true, .position_a = x0};
  p->position_b = brought_to(b, to, b->from, on), p->position = x0;
  p->gap = v3_dot(v3_sub(p->position_b, x0), n);
  if (d0 > 0) p->gap = fmax(0, p->gap);
  int deform = sweep->ca->deform, *vert = PL_ARENA_NEW(sweep->arena, int, 1);
  double* weight = PL_ARENA_NEW(sweep->arena, double, 1);
  if (!vert || !weight) return PL_ERROR_MEMORY;
  vert[0] = sweep->model->deform_vert0[deform] + v, weight[0] = 1;
  p->a = (plContactSide){.body = deform, .shape_id = -1, .nvert = 1, .vert = vert, .weight = weight};
  p->a.tri = sweep->model->deform_tri0[deform] + s->vert_tri[v];
  p->b = (plContactSide){.body = -1, .shape_id = sweep->cb->shape_id, .tri = -1};
  return pl_sweep_push(sweep, hit);
}

// Vertices of a soft body that end inside the shape although no facet around them is hit: a body that is
// crushed in the step falls through itself, and these enter with their backs to the shape (back.c). Hits from
// `first` on are those of the facets. If only backs count, facets have springs, and only vertices that end
// deeper than the stops of these.
static plStatus sweep_vertices(plSweep* sweep, const Turning* b, int first) {
  const plSkin* s = sweep->ca->skin;
  bool* hit = PL_KEEP(sweep->arena, bool, s->nvert);
  if (!hit) return PL_ERROR_MEMORY;
  for (int i = first; i < sweep->nhit; i++) {
    assert(sweep->hit[i].kind == PL_SWEEP_FACET && sweep->hit[i].i < s->ntri);
    for (int k = 0; k < 3; k++) hit[s->tri[3 * (size_t)sweep->hit[i].i + (size_t)k]] = true;
  }
  double far = b->size + v3_norm(b->way), thin = pl_sweep_thin(sweep->cb);
  plStatus status = PL_OK;
  for (int v = 0; v < s->nvert && !status; v++) {
    plVec3 x1 = v3_load(sweep->ma.x1 + 3 * (size_t)v), n, on;
    if (s->vert_tri[v] < 0 || hit[v] || (sweep->held_a && sweep->held_a[v])) continue;
    if (!(v3_norm(v3_sub(x1, b->from.p)) < far)) continue;
    double limit = fmin(s->vert_thin[v], thin), deep = PL_SWEEP_ROUND * sweep->depth * limit,
           stop = sweep->backs ? PL_SPRING_DEEPEST * fmin(sqrt(s->vert_area[v]), s->vert_limit[v]) : 0,
           d1 = distance_at(sweep, b, 1, x1, &n, &on);
    if (!(d1 < -fmax(stop, deep))) continue;
    double d0 = distance_at(sweep, b, 0, skin_x(s, v), &n, &on);
    if (d1 < fmin(d0, sweep->law) - deep) status = add_vertex(sweep, v, b, d0, limit);
  }
  return status;
}

plStatus pl_sweep_facets(plSweep* sweep) {
  const plSkin* s = sweep->ca->skin;
  Turning b = turning_of(sweep->cb, &sweep->mb);
  double tol = PL_SWEEP_ONWARD * PL_SWEEP_DEEP * pl_sweep_thin(sweep->cb);
  plStatus status = PL_OK;
  int first = sweep->nhit;
  for (int t = 0; t < s->ntri && !sweep->backs && !status; t++) {
    const int* v = s->tri + 3 * (size_t)t;
    const bool* held = sweep->held_a;
    if (!(s->tri_area[t] > 0) || (held && held[v[0]] && held[v[1]] && held[v[2]]) || !comes_near(sweep, t))
      continue;
    plVec3 x[3];
    plConvexGap g;
    double time = reach_facet(sweep, t, &b, tol, x, &g);
    if (time <= 0 && sweep->depth >= 0) {
      status = add_passage(sweep, t, &b, 0, g.gap);
      continue;
    }
    int before = sweep->nhit;
    if (time <= 1) status = add_facet(sweep, t, time, sweep->depth < 0, x, &g, &b);
    // The first contact may turn away while another part goes in.
    if (status || time > 1 || sweep->nhit > before || sweep->depth < 0) continue;
    status = add_passage(sweep, t, &b, time, 0);
  }
  if (status || sweep->depth < 0 || sweep->ca->deform < 0) return status;
  return sweep_vertices(sweep, &b, first);
}

// sweep.c: finds the obstacles that the motion of a step would pass through, from the positions at its start
// to those that the velocities lead to.
//
// in: colliders and candidate pairs of the contact stage, tree at q0 -> out: hits
#include "contact/sweep.h"

#include <math.h>

#include "contact/round.h"
#include "contact/thresholds.h"
#include "math/spatial.h"
#include "rigid/tree.h"

static bool is_plane(const plCollider* c) { return c->shape_id >= 0 && c->shape.kind == PL_SHAPE_HALF_SPACE; }

// m, half of its smallest thickness.
double pl_sweep_thin(const plCollider* c) {
  if (is_plane(c)) return INFINITY;
  if (c->skin && !c->hull && !(c->shape_id >= 0 && c->shape.kind == PL_SHAPE_BOX)) return c->skin->thinnest;
  return pl_collider_radius(c);
}

plStatus pl_sweep_push(plSweep* sweep, plSweepHit hit) {
  return PL_PUSH(sweep->hit, sweep->nhit, sweep->cap, hit) ? PL_OK : PL_ERROR_MEMORY;
}

double pl_sweep_approach(const plSweep* s) {
  if (s->self) return pl_self_approach(s->ca->skin, s->ma.x1, s->ma.drift, s->arena);
  return v3_norm(v3_sub(s->ma.drift, s->mb.drift)) + s->ma.spread + s->mb.spread;
}

// ---- motion

// The mean velocities over the step: those that positions follow.
static double mean_velocity(const plData* data, const double* v, int i) {
  double a = data->par->options.theta_vq;
  return a * v[i] + (1 - a) * data->v[i];
}

// Motion of a node per unit of time, about the reference point of its tree.
static plMotion node_motion(const plData* data, const double* v, int node) {
  const plTree* tree = &data->work->forest;
  const plTreeState* state = &data->work->tree;
  plMotion V = motion_zero();
  for (int k = tree->node_v0[node] + pl_node_nv(tree->node_kind[node]) - 1; k >= 0; k = tree->dof_parent[k])
    V = motion_madd(V, mean_velocity(data, v, k), state->dof_S[k]);
  return V;
}

static void move_rigid(const plData* data, const plCollider* c, const double* v, plMotionOf* m) {
  m->pose1 = c->pose;
  if (c->node < 0) return;
  const plTree* tree = &data->work->forest;
  const plTreeState* state = &data->work->tree;
  double dt = data->par->options.dt;
  plMotion V = node_motion(data, v, c->node);
  plVec3 o = state->node_p[c->node],
         u = motion_at(V, v3_sub(o, state->tree_point[pl_tree_of_node(tree, c->node)]));
  plQuat turn = quat_exp(v3_scale(dt, V.w));
  m->pivot = o, m->way = v3_scale(dt, u), m->turn = v3_scale(dt, V.w);
  m->pose1.p = v3_add(v3_madd(o, dt, u), quat_rotate(turn, v3_sub(c->pose.p, o)));
  m->pose1.q = quat_mul(turn, c->pose.q);
}

// Mean and spread of the displacement of a soft body whose vertices end at x1.
static void measure(const plSkin* skin, plMotionOf* m) {
  int n = skin->nvert;
  for (int i = 0; i < n; i++)
    m->drift = v3_madd(m->drift, 1.0 / n, v3_sub(v3_load(m->x1 + 3 * (size_t)i), skin_x(skin, i)));
  double spread2 = 0;
  for (int i = 0; i < n; i++) {
    double d2 = v3_norm2(v3_sub(v3_sub(v3_load(m->x1 + 3 * (size_t)i), skin_x(skin, i)), m->drift));
    if (d2 > spread2) spread2 = d2;
  }
  m->spread = sqrt(spread2);
}

static bool move_soft(const plModel* model, const plData* data, const plCollider* c, const double* v,
                      plArena* arena, plMotionOf* m) {
  int n = c->skin->nvert, iv = model->deform_v0[c->deform], iq = model->deform_q0[c->deform],
      vert0 = model->deform_vert0[c->deform];
  double dt = data->par->options.dt, *x1 = PL_ARENA_NEW(arena, double, 3 * n);
  if (!x1) return false;
  for (int i = 0; i < 3 * n; i++)
    x1[i] = model->vert_fixed[vert0 + i / 3] >> (i % 3) & 1
                ? data->work->q_end[iq + i]
                : c->skin->x[i] + dt * mean_velocity(data, v, iv + i);
  m->x1 = x1;
  measure(c->skin, m);
  return true;
}

// The motion of the collider; false if memory ran out. Vertices of rigid shapes are computed later, by
// move_vertices.
static bool move(const plModel* model, const plData* data, const plCollider* c, const double* v,
                 plArena* arena, plMotionOf* m) {
  *m = (plMotionOf){0};
  if (c->deform >= 0) return move_soft(model, data, c, v, arena, m);
  move_rigid(data, c, v, m);
  if (c->node < 0) return true;
  // Every point turns about the centre of its box.
  plVec3 middle = v3_scale(0.5, v3_add(c->lower, c->upper)), far = v3_sub(c->upper, middle);
  if (!v3_finite(middle)) middle = c->pose.p, far = v3(1, 0, 0);
  plVec3 to = pose_apply(m->pose1, pose_apply_inverse(c->pose, middle));
  m->drift = v3_sub(to, middle);
  m->spread = v3_norm(m->turn) * v3_norm(far);
  return true;
}

// The vertices of a rigid shape at the end of its motion.
static bool move_vertices(const plCollider* c, plArena* arena, plMotionOf* m) {
  if (!c->skin || m->x1) return true;
  double* x1 = PL_ARENA_NEW(arena, double, 3 * c->skin->nvert);
  if (!x1) return false;
  for (int i = 0; i < c->skin->nvert; i++)
    v3_store(x1 + 3 * (size_t)i, pose_apply(m->pose1, pose_apply_inverse(c->pose, skin_x(c->skin, i))));
  m->x1 = x1;
  return true;
}

// ---- pairs

static bool is_convex(const plCollider* c) {
  return c->shape_id >= 0 && (c->hull || c->shape.kind != PL_SHAPE_MESH);
}

bool pl_sweep_knows(const plSweep* s) { return !is_plane(s->ca) && !is_plane(s->cb); }

plStatus pl_sweep_move(plSweep* s, const double* v) {
  bool ok = move(s->model, s->data, s->ca, v, s->arena, &s->ma) &&
            move(s->model, s->data, s->cb, v, s->arena, &s->mb) && move_vertices(s->ca, s->arena, &s->ma) &&
            move_vertices(s->cb, s->arena, &s->mb);
  return ok ? PL_OK : PL_ERROR_MEMORY;
}

plStatus pl_sweep_one(plSweep* s) {
  bool plane_a = is_plane(s->ca), plane = plane_a || is_plane(s->cb);
  if (!plane && is_convex(s->ca) && is_convex(s->cb)) return pl_sweep_convex(s);
  if (!plane && s->ca->skin && s->cb->skin) return pl_sweep_skins(s);
  if (!plane && s->ca->skin) return pl_sweep_facets(s);
  if (plane && !plane_a) return pl_sweep_plane(s);
  // Exchanges the sides, and back.
  plSweep t = *s;
  t.ca = s->cb, t.cb = s->ca, t.ma = s->mb, t.mb = s->ma, t.held_a = s->held_b, t.held_b = s->held_a;
  plStatus status = plane ? pl_sweep_plane(&t) : pl_sweep_facets(&t);
  for (int i = s->nhit; i < t.nhit; i++) {
    plContactPoint* p = &t.hit[i].point;
    plContactSide side = p->a;
    plVec3 position = p->position_a;
    p->a = p->b, p->b = side, p->position_a = p->position_b, p->position_b = position,
    p->normal = v3_neg(p->normal);
  }
  s->hit = t.hit, s->nhit = t.nhit, s->cap = t.cap;
  return status;
}

// Whether a step moves the pair far enough to pass through. Soft facets have springs under round tools and
// may sink in as far as the springs allow: only motions larger than the tool or the layer count.
static bool is_fast(const plSweep* s) {
  bool spring = pl_contact_on_round(s->data, s->ca, s->cb) || pl_contact_on_round(s->data, s->cb, s->ca);
  double least =
      fmax(PL_MARGIN_LEAST, (spring ? 1 : PL_SWEEP_FAST) * fmin(pl_sweep_thin(s->ca), pl_sweep_thin(s->cb)));
  // For self-contact the deviation from the mean displacement is known, and decides in most steps.
  if (s->self && 2 * s->ma.spread <= least) return false;
  return pl_sweep_approach(s) > least;
}

static int collider_of(const plModel* model, const plContactSide* side) {
  return side->shape_id >= 0 ? model->ndeform + side->shape_id : side->body;
}

// Gaps at the end of the step: of all points of fast pairs, and of points of other pairs that are already
// deep.
static plStatus hold_points(plSweep* s, const plMotionOf* motion) {
  const plWork* work = s->data->work;
  plStatus status = PL_OK;
  double deep = 0;
  s->a = s->b = -1, s->self = NULL;
  for (int i = 0; i < work->npoint && !status; i++) {
    const plContactPoint* p = &work->point[i];
    int a = collider_of(s->model, &p->a), b = collider_of(s->model, &p->b);
    if (a == b) continue;
    if (a != s->a || b != s->b) {
      s->a = a, s->b = b, s->ca = &work->contact->collider[a], s->cb = &work->contact->collider[b];
      s->ma = motion[a], s->mb = motion[b];
      deep = is_fast(s) ? INFINITY
             : pl_sweep_rigid(s)
                 ? -PL_SWEEP_HELD * s->depth * fmin(pl_sweep_thin(s->ca), pl_sweep_thin(s->cb))
                 : -INFINITY;
    }
    if (p->gap < deep) status = pl_sweep_hold(s, p, i);
  }
  return status;
}

bool pl_contact_parts_are_fast(const plData* data, int deform, const double* q1) {
  const plSkin* skin = data->work->contact->collider[deform].skin;
  plMotionOf m = {.x1 = q1};
  measure(skin, &m);
  return m.spread > PL_SWEEP_FAST * skin->limit;
}

plStatus pl_contact_sweep(const plModel* model, plData* data, const double* v, double depth, plSweepHit** hit,
                          int* nhit) {
  plContactWork* w = data->work->contact;
  plArena* arena = &data->work->step;
  plMotionOf* motion = PL_ARENA_NEW(arena, plMotionOf, w->ncollider);
  bool* known = PL_KEEP(arena, bool, w->ncollider);
  if (!motion || !known) return PL_ERROR_MEMORY;
  plSweep s = {
      .model = model, .data = data, .depth = depth, .arena = arena, .hit = w->hit, .cap = w->hit_cap};
  plStatus status = PL_OK;
  for (int i = 0; i < w->nlist && !status; i++) {
    int pair[2] = {w->list[i].a, w->list[i].b};
    for (int k = 0; k < 2 && !status; k++) {
      if (!known[pair[k]] && !move(model, data, &w->collider[pair[k]], v, arena, &motion[pair[k]]))
        status = PL_ERROR_MEMORY;
      known[pair[k]] = true;
    }
    if (status) break;
    s.a = pair[0], s.b = pair[1], s.ca = &w->collider[s.a], s.cb = &w->collider[s.b];
    s.ma = motion[s.a], s.mb = motion[s.b];
    s.self = s.a == s.b ? s.ca->self : NULL;
    if (!is_fast(&s)) continue;
    if (!move_vertices(s.ca, arena, &motion[s.a]) || !move_vertices(s.cb, arena, &motion[s.b]))
      return PL_ERROR_MEMORY;
    s.ma = motion[s.a], s.mb = motion[s.b];
    s.held_a = pl_contact_held(model, data, arena, s.ca, s.cb);
    s.held_b = pl_contact_held(model, data, arena, s.cb, s.ca);
    status = arena->failed ? PL_ERROR_MEMORY : pl_sweep_one(&s);
  }
  if (!status && depth >= 0) status = hold_points(&s, motion);
  w->hit = s.hit, w->hit_cap = s.cap;
  *hit = s.hit, *nhit = s.nhit;
  return status;
}

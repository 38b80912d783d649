// collider.c: positions, boxes and speeds of all colliders at the start of the step; facets of those in a
// candidate pair.
//
// in: q, v_guess, shape_world, tree -> out: deform_skin, shape_skin, collider
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "contact/round.h"
#include "contact/self.h"
#include "contact/thresholds.h"
#include "math/spatial.h"
#include "rigid/tree.h"

// Mean velocity of the vertices, and the largest deviation from it.
static void soft_speed(const plModel* model, const plData* data, plCollider* c) {
  int b = c->deform, n = model->deform_vert0[b + 1] - model->deform_vert0[b];
  const double* v = data->work->v_guess + model->deform_v0[b];
  plVec3 mean = {0, 0, 0};
  for (int i = 0; i < n; i++) mean = v3_add(mean, v3_load(v + 3 * (size_t)i));
  mean = v3_scale(1.0 / n, mean);
  double spread2 = 0;
  for (int i = 0; i < n; i++) spread2 = fmax(spread2, v3_norm2(v3_sub(v3_load(v + 3 * (size_t)i), mean)));
  c->velocity = mean;
  c->spread = sqrt(spread2);
}

// The displacement that loads and user forces give a body from rest within a step: of the whole body, and of
// its parts relative to each other. It is at most the depth limit: an obstacle farther ahead than this is
// found in the next step, when the speed is known.
static void soft_drift(const plModel* model, const plData* data, plCollider* c) {
  int b = c->deform, vert0 = model->deform_vert0[b], n = model->deform_vert0[b + 1] - vert0;
  const double* f = data->work->f_ext + model->deform_v0[b];
  double dt = data->par->options.dt, mass = pl_deform_mass(data, b), sum = 0, weight = 0;
  plVec3 g = data->par->options.gravity, whole = {0, 0, 0};
  for (int i = 0; i < n; i++) {
    plVec3 load = v3_madd(v3_load(f + 3 * (size_t)i), -pl_vert_mass(data, b, vert0 + i), g);
    whole = v3_add(whole, load), sum += v3_norm(load);
    weight += v3_norm(v3_load(f + 3 * (size_t)i));
  }
  c->drift = c->strain_drift = 0;
  if (!(sum > PL_ROUNDING * weight)) return;
  c->drift = fmin(c->skin->limit, dt * dt * v3_norm(whole) / mass);
  c->strain_drift = fmin(c->skin->limit, dt * dt * sum / mass);
}

static void rigid_drift(const plData* data, plCollider* c) {
  double dt = data->par->options.dt, thin = INFINITY;
  c->drift = c->strain_drift = 0;
  if (c->node < 0 || !(v3_norm2(data->f_body[c->body].force) > 0)) return;
  plVec3 side = v3_sub(c->upper, c->lower);
  thin = 0.5 * fmin(side.x, fmin(side.y, side.z));
  c->drift = fmin(thin, dt * dt * v3_norm(data->f_body[c->body].force) / data->par->body_mass[c->body]);
}

// Velocity at the centre of the box, and the addition due to rotation at its corners. The surface of a belt
// moves, its body does not.
static void rigid_speed(const plData* data, plCollider* c) {
  c->velocity = v3(0, 0, 0), c->spread = 0;
  if (c->node < 0) return;
  const plTreeState* state = &data->work->tree;
  int t = pl_tree_of_node(&data->work->forest, c->node);
  plMotion V = state->node_V[c->node];
  plVec3 middle = v3_scale(0.5, v3_add(c->lower, c->upper));
  if (!v3_finite(middle)) middle = c->pose.p;
  plVec3 half = v3_scale(0.5, v3_sub(c->upper, c->lower));
  c->velocity = motion_at(V, v3_sub(middle, state->tree_point[t]));
  c->spread = v3_norm(V.w) * (v3_finite(half) ? v3_norm(half) : 1);
}

plConvex pl_collider_convex(const plCollider* c) {
  return (plConvex){.kind = c->shape.kind,
                    .pose = c->pose,
                    .half = v3_scale(0.5, c->shape.size),
                    .radius = c->shape.radius,
                    .length = c->shape.length,
                    .hull = c->hull};
}

double pl_collider_radius(const plCollider* c) {
  const plShapeTraits* traits = pl_shape_traits[c->shape.kind];
  if (c->hull) return c->hull->radius;
  return traits->sizes & PL_SIZE_SIDES ? traits->half_size(&c->shape) : c->shape.radius;
}

static bool has_stiffness(const plData* data, const plCollider* c) {
  const plSurface* s =
      c->shape_id >= 0 ? &data->par->shape_surface[c->shape_id] : &data->par->deform_surface[c->deform];
  return isfinite(s->contact_stiffness);
}

bool pl_contact_yields(const plData* data, const plCollider* a, const plCollider* b) {
  return has_stiffness(data, a) || has_stiffness(data, b);
}

static void shape_box(plCollider* c) {
  c->upper = v3(INFINITY, INFINITY, INFINITY), c->lower = v3_neg(c->upper);
  if (c->shape.kind == PL_SHAPE_HALF_SPACE) return;
  plConvex s = pl_collider_convex(c);
  c->upper = v3(pl_convex_support(&s, v3(1, 0, 0)).x, pl_convex_support(&s, v3(0, 1, 0)).y,
                pl_convex_support(&s, v3(0, 0, 1)).z);
  c->lower = v3(pl_convex_support(&s, v3(-1, 0, 0)).x, pl_convex_support(&s, v3(0, -1, 0)).y,
                pl_convex_support(&s, v3(0, 0, -1)).z);
}

// A box that contains the mesh at its pose, and bounds of what pl_collider_move finds there: the centre of
// the mesh lies within the box, so its velocity differs by at most the spread.
static void rough_box(const plData* data, plCollider* c) {
  plMat3 R = quat_matrix(c->pose.q);
  plVec3 at = pose_apply(c->pose, c->middle), h = c->half;
  plVec3 half = v3(fabs(R.m[0]) * h.x + fabs(R.m[3]) * h.y + fabs(R.m[6]) * h.z,
                   fabs(R.m[1]) * h.x + fabs(R.m[4]) * h.y + fabs(R.m[7]) * h.z,
                   fabs(R.m[2]) * h.x + fabs(R.m[5]) * h.y + fabs(R.m[8]) * h.z);
  double room = PL_ROUNDING * (v3_norm(at) + v3_norm(half));
  half = v3_add(half, v3(room, room, room));
  c->lower = v3_sub(at, half), c->upper = v3_add(at, half), c->rough = true;
  rigid_speed(data, c), rigid_drift(data, c);
  c->spread *= 2;
}

void pl_collider_move(const plModel* model, const plData* data, plCollider* c) {
  pl_shape_skin_move(model, c->shape_id, c->pose, c->skin);
  c->lower = c->skin->lower, c->upper = c->skin->upper, c->rough = false;
  rigid_speed(data, c), rigid_drift(data, c);
}

static void update(const plModel* model, plData* data, plCollider* c) {
  c->on = c->deform >= 0 ? data->on[PL_SWITCH_DEFORMABLE][c->deform]
                         : model->shape_collide[c->shape_id] && data->on[PL_SWITCH_SHAPE][c->shape_id];
  if (!c->on && c->shape_id >= 0) {
    // no contact possible: an empty box, sorted last
    c->lower = v3(INFINITY, INFINITY, INFINITY), c->upper = v3_neg(c->lower), c->velocity = v3(0, 0, 0),
    c->spread = 0, c->drift = 0;
    return;
  }
  if (c->deform >= 0) {
    assert(3 * c->skin->nvert == pl_deform_nv(data, c->deform));
    memcpy(c->skin->x, data->q + model->deform_q0[c->deform], 3 * (size_t)c->skin->nvert * sizeof(double));
    pl_skin_bounds(c->skin);
    soft_speed(model, data, c);
    soft_drift(model, data, c);
    if (c->self && c->on) pl_self_update(model, data, c);
  } else {
    c->pose = data->work->shape_world[c->shape_id];
    if (c->skin && c->node >= 0 && c->shape.kind == PL_SHAPE_MESH) {
      rough_box(data, c);
      return;
    }
    if (c->skin && c->node >= 0) pl_shape_skin_move(model, c->shape_id, c->pose, c->skin);
    if (!c->skin) shape_box(c);
  }
  if (c->skin) c->lower = c->skin->lower, c->upper = c->skin->upper;
  if (c->shape_id >= 0) rigid_speed(data, c), rigid_drift(data, c);
}

typedef struct Update {
  const plModel* model;
  plData* data;
  int large;  // number of facets from which all threads share a surface
} Update;

static void update_some(void* context, int begin, int end, int worker) {
  (void)worker;
  Update* u = context;
  for (int i = begin; i < end; i++) update(u->model, u->data, &u->data->work->contact->collider[i]);
}

void pl_contact_colliders(const plModel* model, plData* data) {
  Update u = {model, data, 0};
  plContactWork* w = data->work->contact;
  pl_parallel_for(data->work->pool, w->ncollider, 1, update_some, &u);
  w->non = 0;
  for (int i = 0; i < w->ncollider; i++) w->non += w->collider[i].on;
}

// ---- surfaces of colliders in candidate pairs

static void shape_some(void* context, int begin, int end, int worker) {
  (void)worker;
  Update* u = context;
  const plContactWork* w = u->data->work->contact;
  for (int i = begin; i < end; i++) {
    plSkin* skin = w->collider[w->near[i]].skin;
    if (skin && skin->ntri < u->large) pl_skin_shape(skin, u->data->work->placed, NULL);
  }
}

// Any thread takes a small surface; all threads share a large one.
static void shape_all(Update* u, int n) {
  const plContactWork* w = u->data->work->contact;
  plPool* pool = u->data->work->pool;
  u->large = pool ? PL_CONTACT_LARGE : INT_MAX;
  pl_parallel_for(pool, n, 1, shape_some, u);
  for (int i = 0; i < n; i++) {
    plSkin* skin = w->collider[w->near[i]].skin;
    if (skin && skin->ntri >= u->large) pl_skin_shape(skin, u->data->work->placed, pool);
  }
}

plStatus pl_contact_shapes(const plModel* model, plData* data) {
  plContactWork* w = data->work->contact;
  plArena* arena = &w->scratch[0].arena;
  bool* listed = PL_KEEP(arena, bool, w->ncollider);
  w->near = PL_ARENA_NEW(arena, int, w->ncollider);
  if (!listed || !w->near) return PL_ERROR_MEMORY;
  int n = 0;
  for (int i = 0; i < w->ncandidate; i++) {
    int pair[2] = {(int)(w->candidate[i] >> 32), (int)(w->candidate[i] & 0xffffffff)};
    assert(pair[0] < w->ncollider && pair[1] < w->ncollider);
    if (pl_contact_has_flat_faces(&w->collider[pair[0]]) && pl_contact_has_flat_faces(&w->collider[pair[1]]))
      continue;
    for (int k = 0; k < 2; k++) {
      const plCollider* c = &w->collider[pair[k]];
      // Shapes that never move were computed once.
      if (!listed[pair[k]] && (c->deform >= 0 || c->node >= 0))
        listed[pair[k]] = true, w->near[n++] = pair[k];
    }
  }
  assert(n <= w->ncollider);
  Update u = {model, data, 0};
  shape_all(&u, n);
  return PL_OK;
}

// ---- margins

// From twice the speed of approach, or from the speed of one side if a third body stops the other.
static double margin(const plData* data, const plCollider* a, const plCollider* b, double relative,
                     double alone_a, double alone_b) {
  double dt = data->par->options.dt, together = PL_MARGIN_ROOM * (relative + a->spread + b->spread),
         alone = max2(alone_a + a->spread, alone_b + b->spread);
  return max2(
      pl_contact_least(a, b),
      dt * max2(together, alone) + v3_norm(data->par->options.gravity) * dt * dt + a->drift + b->drift);
}

double pl_contact_margin(const plData* data, const plCollider* a, const plCollider* b) {
  return margin(data, a, b, v3_norm(v3_sub(a->velocity, b->velocity)), v3_norm(a->velocity),
                v3_norm(b->velocity));
}

double pl_contact_margin_along(const plData* data, const plCollider* a, const plCollider* b, plVec3 n) {
  return margin(data, a, b, v3_norm(v3_sub(a->velocity, b->velocity)), fabs(v3_dot(a->velocity, n)),
                fabs(v3_dot(b->velocity, n)));
}

// ---- creation and destruction

static double longest(plVec3 side) { return fmax(fmax(side.x, side.y), side.z); }

// m, the size of a collider: the longest side of its box in its own frame. Infinite: it has none.
static double size_of(const plModel* m, const plCollider* c) {
  plVec3 upper = v3(-INFINITY, -INFINITY, -INFINITY), lower = v3_neg(upper);
  if (c->deform >= 0) {
    for (int i = m->deform_vert0[c->deform]; i < m->deform_vert0[c->deform + 1]; i++) {
      plVec3 x = v3_load(m->vert_rest + 3 * (size_t)i);
      lower = v3_min(lower, x), upper = v3_max(upper, x);
    }
    return longest(v3_sub(upper, lower));
  }
  if (c->skin) return 2 * longest(c->half);
  // A mesh that is only drawn touches nothing.
  bool drawn = c->shape.kind == PL_SHAPE_MESH && !c->hull;
  if (c->shape.kind == PL_SHAPE_HALF_SPACE || drawn) return INFINITY;
  plConvex s = pl_collider_convex(c);
  s.pose = pose_identity();
  upper = v3(pl_convex_support(&s, v3(1, 0, 0)).x, pl_convex_support(&s, v3(0, 1, 0)).y,
             pl_convex_support(&s, v3(0, 0, 1)).z);
  lower = v3(pl_convex_support(&s, v3(-1, 0, 0)).x, pl_convex_support(&s, v3(0, -1, 0)).y,
             pl_convex_support(&s, v3(0, 0, -1)).z);
  return longest(v3_sub(upper, lower));
}

double pl_contact_least(const plCollider* a, const plCollider* b) { return fmin(a->least, b->least); }

bool pl_contact_work_create(plData* data) {
  const plModel* m = data->model;
  plContactWork* w = data->work->contact = PL_NEW(plContactWork, 1);
  if (!w) return false;
  w->ncollider = m->ndeform + m->nshape;
  w->collider = PL_NEW(plCollider, w->ncollider);
  w->order = PL_NEW(int, w->ncollider);
  w->nscratch = pl_pool_size(data->work->threads);
  w->scratch = PL_NEW(plPairScratch, w->nscratch);
  w->apart = pl_contact_filters(m, &w->napart);
  if (!w->collider || !w->order || !w->scratch || !w->apart) return false;
  for (int i = 0; i < w->nscratch; i++)
    pl_arena_init(&w->scratch[i].arena), pl_arena_init(&w->scratch[i].points);
  for (int i = 0; i < w->ncollider; i++) {
    plCollider* c = &w->collider[i];
    int g = i - m->ndeform;
    w->order[i] = i;
    *c = (plCollider){.deform = g < 0 ? i : -1, .shape_id = g < 0 ? -1 : g, .body = -1, .node = -1};
    c->skin = g < 0 ? data->work->deform_skin[i] : data->work->shape_skin[g];
    if (g < 0 && m->deform_self[i]) {
      if (!(c->self = pl_self_create(m, i, c->skin))) return false;
      // The mesh of a cube of one cell allows no self-contact.
      if (!pl_self_may_touch(c->self, c->skin)) pl_self_destroy(c->self), c->self = NULL;
    }
    if (g < 0) {
      c->least = PL_MARGIN_LEAST * size_of(m, c);
      if (c->self) c->self->least = c->least;
      continue;
    }
    c->body = m->shape_body[g];
    c->node = c->body < 0 ? -1 : m->body_node[c->body];
    c->shape = (plShape){m->shape_kind[g], m->shape_size[g], m->shape_radius[g], m->shape_length[g],
                         m->work->shape_tree[g]};
    c->hull = m->work->shape_hull[g];
    if (c->skin) pl_shape_skin_box(m, g, c->skin, &c->middle, &c->half);
    c->least = PL_MARGIN_LEAST * size_of(m, c);
    if (!pl_round_create(c, &c->round)) return false;
    // Shapes that never move get their positions once.
    if (c->skin && c->node < 0)
      pl_shape_skin_move(
          m, g, c->body < 0 ? m->shape_pose[g] : pose_mul(m->body_pose[c->body], m->shape_pose[g]), c->skin),
          pl_skin_shape(c->skin, true, NULL);
  }
  return true;
}

void pl_contact_work_destroy(plData* data) {
  plContactWork* w = data->work->contact;
  if (!w) return;
  for (int i = 0; w->scratch && i < w->nscratch; i++) {
    pl_free(w->scratch[i].polygon), pl_free(w->scratch[i].mark), pl_free(w->scratch[i].near),
        pl_free(w->scratch[i].closest), pl_free(w->scratch[i].list.point);
    pl_arena_free(&w->scratch[i].arena), pl_arena_free(&w->scratch[i].points);
  }
  for (int i = 0; i < w->list_cap; i++) pl_free(w->list[i].point);
  for (int i = 0; w->collider && i < w->ncollider; i++)
    pl_self_destroy(w->collider[i].self), pl_round_destroy(w->collider[i].round);
  pl_free(w->hit), pl_free(w->collider), pl_free(w->order), pl_free(w->apart), pl_free(w->candidate),
      pl_free(w->list), pl_free(w->scratch);
  pl_free(w);
}

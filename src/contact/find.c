// find.c: the points of all pairs that may touch, in one list.
//
// Any thread takes a small pair; all threads share a large one. Each pair has its own list; the lists are
// joined in the order of the pairs. in: q, v -> out: skins, work->point
#include <assert.h>
#include <math.h>
#include <string.h>

#include "contact/pair.h"
#include "contact/round.h"
#include "contact/thresholds.h"
#include "math/pose.h"
#include "model/side.h"

// ---- points

plVec3 pl_pair_position(const plSkin* skin, plOnSkin at) {
  plVec3 x = {0, 0, 0};
  for (int k = 0; k < at.n; k++) x = v3_madd(x, at.weight[k], skin_x(skin, at.vert[k]));
  return x;
}

// The edge of facet at.tri on which the point lies, counted from 1; 0: none.
static int edge_of(const plSkin* s, plOnSkin at) {
  for (int k = 0; k < 3 && at.n == 2 && at.tri >= 0; k++) {
    int e = s->tri_edge[3 * (size_t)at.tri + (size_t)k];
    const int* v = s->edge_vert + 2 * (size_t)e;
    if ((v[0] == at.vert[0] && v[1] == at.vert[1]) || (v[1] == at.vert[0] && v[0] == at.vert[1]))
      return 1 + e;
  }
  return 0;
}

// Rigid sides need no vertices: the body's pose moves the point.
static plStatus fill_side(const plPair* pair, const plCollider* c, plOnSkin at, plContactSide* side) {
  *side = (plContactSide){.body = c->deform, .shape_id = c->shape_id, .tri = at.tri};
  side->edge = edge_of(c->skin, at);
  if (c->deform < 0) return PL_OK;
  int* vert = PL_ARENA_NEW(pair->points, int, at.n);
  double* weight = PL_ARENA_NEW(pair->points, double, at.n);
  if (!vert || !weight) return PL_ERROR_MEMORY;
  for (int k = 0; k < at.n; k++) {
    assert(at.vert[k] >= 0 && at.vert[k] < c->skin->nvert);
    vert[k] = pair->model->deform_vert0[c->deform] + at.vert[k], weight[k] = at.weight[k];
  }
  assert(at.tri < c->skin->ntri);
  side->nvert = at.n, side->vert = vert, side->weight = weight;
  if (at.tri >= 0) side->tri = pair->model->deform_tri0[c->deform] + at.tri;
  return PL_OK;
}

// Mean of vertex vectors.
static plVec3 mean_of(const double* x, plOnSkin at) {
  plVec3 sum = {0, 0, 0};
  for (int k = 0; k < at.n; k++) sum = v3_madd(sum, at.weight[k], v3_load(x + 3 * (size_t)at.vert[k]));
  return sum;
}

// The margin of a point with this normal.
static double point_margin(const plPair* pair, plOnSkin a, plOnSkin b, plVec3 normal) {
  const plSelf* s = pair->self;
  if (!s) return pl_contact_margin_along(pair->data, pair->ca, pair->cb, normal);
  double du = v3_norm(v3_sub(mean_of(s->u, a), mean_of(s->u, b)));
  double alone = fmax(fabs(v3_dot(mean_of(s->v, a), normal)), fabs(v3_dot(mean_of(s->v, b), normal)));
  return fmin(pl_self_margin(s, du, alone),
              pl_self_margin_near(s, pair->A, a.tri, b.tri, v3_sub(mean_of(s->x, b), mean_of(s->x, a)), du));
}

plStatus pl_pair_push(plPair* pair, plOnSkin a, plOnSkin b, plVec3 position, plVec3 normal, double gap,
                      double area, double share) {
  return pl_pair_push_spring(pair, a, b, position, normal, gap, area, share, (plSpring){0});
}

plStatus pl_pair_push_spring(plPair* pair, plOnSkin a, plOnSkin b, plVec3 position, plVec3 normal, double gap,
                             double area, double share, plSpring spring) {
  plPairList* list = pair->list;
  if (!(share >= PL_SHARE_LEAST)) {
    list->skipped++;
    return PL_OK;
  }
  if ((gap > pl_contact_least(pair->ca, pair->cb) || pair->self) && gap > point_margin(pair, a, b, normal))
    return PL_OK;
  if (!pl_grow((void**)&list->point, &list->cap, list->npoint, sizeof *list->point)) return PL_ERROR_MEMORY;
  plContactPoint* point = &list->point[list->npoint];
  *point = (plContactPoint){
      .position = position, .normal = normal, .gap = gap, .area = area, .share = share, .spring = spring};
  if (fill_side(pair, pair->ca, a, &point->a) || fill_side(pair, pair->cb, b, &point->b))
    return PL_ERROR_MEMORY;
  list->npoint++;
  return PL_OK;
}

void pl_pair_share_rigid(plPair* pair) {
  plPairList* list = pair->list;
  double whole = 0;
  for (int i = 0; i < list->npoint; i++) whole += list->point[i].area;
  for (int i = 0; i < list->npoint; i++)
    list->point[i].share =
        whole > 0 ? fmax(PL_SHARE_LEAST, fmin(1, PL_PATCH_POINTS * list->point[i].area / whole)) : 1;
}

// ---- one pair

// Whether an attachment holds its vertices to that side.
static bool is_held_by(const plModel* model, const plAttachment* at, const plCollider* holder) {
  if (at->other >= 0 || holder->shape_id < 0) return at->other == holder->deform && holder->deform >= 0;
  int node = at->body < 0 ? -1 : model->body_node[at->body];
  return at->body == holder->body || (node >= 0 && node == holder->node);
}

// Vertices of a deformable that are attached to the other side, or to which the other side is attached, do
// not touch it.
bool* pl_contact_held(const plModel* model, const plData* data, plArena* arena, const plCollider* soft,
                      const plCollider* holder) {
  if (soft->deform < 0) return NULL;
  bool* held = NULL;
  for (int i = 0; i < data->nattach; i++) {
    const plAttachment* at = &data->attach[i];
    bool holds = at->other == soft->deform && holder->deform == at->deformable;
    if (!at->on || !(holds || (at->deformable == soft->deform && is_held_by(model, at, holder)))) continue;
    if (!held) held = PL_KEEP(arena, bool, soft->skin->nvert);
    const int* vert = holds ? at->target : at->vert;
    for (int k = 0; held && k < (holds ? 4 : 1) * at->nvert; k++) {
      assert(vert[k] >= 0 && vert[k] < soft->skin->nvert);
      held[vert[k]] = true;
    }
  }
  return held;
}

static void swap_sides(plPair* p) {
  const plCollider* c = p->ca;
  plSkin* s = p->A;
  bool* held = p->held_a;
  p->ca = p->cb, p->cb = c, p->A = p->B, p->B = s, p->held_a = p->held_b, p->held_b = held;
}

// Converts points that were found with the sides exchanged to the pair's own order.
static void turn_points(plPairList* list) {
  for (int i = 0; i < list->npoint; i++) {
    plContactPoint* p = &list->point[i];
    plContactSide side = p->a;
    p->a = p->b, p->b = side;
    p->normal = v3_neg(p->normal);
  }
}

// A box or a hull for which only the lowest point is asked.
static bool touches_with_point(const plPair* p, const plCollider* c) {
  return p->data->par->options.rigid_contact == PL_RIGID_POINT && pl_contact_has_flat_faces(c);
}

static plStatus find_points(plPair* p) {
  if (pl_contact_has_flat_faces(p->ca) && pl_contact_has_flat_faces(p->cb)) return pl_contact_convex_pair(p);
  bool round_a = pl_contact_on_round(p->data, p->cb, p->ca),
       round_b = pl_contact_on_round(p->data, p->ca, p->cb);
  // The first step also counts what is buried.
  bool known = !p->self && !p->data->work->placed;
  if (p->A && p->B && !round_a && !round_b)
    return known && pl_pair_is_apart(p) ? PL_OK : pl_contact_skin_pair(p);
  // B is the half space, or the round one of the two.
  bool plane_a = !p->A && p->ca->shape.kind == PL_SHAPE_HALF_SPACE,
       half_space = plane_a || (!p->B && p->cb->shape.kind == PL_SHAPE_HALF_SPACE);
  bool turned = half_space ? plane_a : round_a || (!p->A && p->B);
  if (turned) swap_sides(p);
  plStatus status;
  if (half_space)
    status = p->A && !touches_with_point(p, p->ca) ? pl_contact_skin_plane(p) : pl_contact_convex_plane(p);
  else if (p->A && p->ca->deform >= 0)
    status = known && pl_pair_is_apart(p) ? PL_OK : pl_contact_skin_smooth(p);
  else if (p->A && p->ca->shape.kind == PL_SHAPE_MESH && !p->ca->hull)
    status = pl_contact_skin_convex(p);
  else
    status = pl_contact_convex_pair(p);
  if (turned) turn_points(p->list);
  return status;
}

typedef struct Narrow {
  const plModel* model;
  plData* data;
} Narrow;

// By one thread, or by all threads of a pool.
static void find_pair(const Narrow* n, plPairList* list, int worker, plPool* pool) {
  plContactWork* w = n->data->work->contact;
  assert(worker >= 0 && worker < w->nscratch && list->a < w->ncollider && list->b < w->ncollider);
  plPairScratch* scratch = &w->scratch[worker];
  pl_arena_reset(&scratch->arena);
  for (int i = 1; i < pl_pool_size(pool); i++) pl_arena_reset(&w->scratch[i].arena);
  plPair pair = {.model = n->model,
                 .data = n->data,
                 .ca = &w->collider[list->a],
                 .cb = &w->collider[list->b],
                 .margin = list->margin,
                 .list = list,
                 .scratch = scratch,
                 .arena = &scratch->arena,
                 .points = &scratch->points,
                 .pool = pool,
                 .workers = w->scratch};
  pair.A = pair.ca->skin, pair.B = pair.cb->skin;
  if (list->a == list->b) pair.self = pair.ca->self;
  pair.held_a = pl_contact_held(n->model, n->data, pair.arena, pair.ca, pair.cb);
  pair.held_b = pl_contact_held(n->model, n->data, pair.arena, pair.cb, pair.ca);
  list->status = find_points(&pair);
  if (!list->status && n->data->par->options.contact_points && !pair.self)
    list->status = pl_pair_reduce(&pair, n->data->par->options.contact_points);
  if (!list->status && pair.ca->shape_id >= 0 && pair.cb->shape_id >= 0) pl_pair_share_rigid(&pair);
  if (scratch->arena.failed) list->status = PL_ERROR_MEMORY;
}

static void find_some(void* context, int begin, int end, int worker) {
  const Narrow* n = context;
  plPairList* list = n->data->work->contact->list;
  for (int i = begin; i < end; i++)
    if (!list[i].large) find_pair(n, &list[i], worker, NULL);
}

// Any thread takes a small pair; all threads share a large one, unless there are enough large ones for all
// threads.
static void find_all(Narrow* n, plPool* pool) {
  plContactWork* w = n->data->work->contact;
  int nlarge = 0;
  for (int i = 0; i < w->nlist && pool; i++) {
    const plSkin *a = w->collider[w->list[i].a].skin, *b = w->collider[w->list[i].b].skin;
    if (w->list[i].a == w->list[i].b) b = NULL;
    w->list[i].large = (a ? a->ntri : 0) + (b ? b->ntri : 0) >= PL_CONTACT_LARGE;
    nlarge += w->list[i].large;
  }
  if (nlarge >= 4 * pl_pool_size(pool)) nlarge = 0;
  for (int i = 0; i < w->nlist && !nlarge; i++) w->list[i].large = false;
  if (nlarge < w->nlist) pl_parallel_for(pool, w->nlist, 1, find_some, n);
  for (int i = 0; i < w->nlist; i++)
    if (w->list[i].large) find_pair(n, &w->list[i], 0, pool);
}

// ---- all pairs

static plStatus make_lists(const plData* data) {
  plContactWork* w = data->work->contact;
  w->nlist = 0;
  for (int i = 0; i < w->ncandidate; i++) {
    // Lists keep their memory, whichever pair uses them.
    if (!pl_grow((void**)&w->list, &w->list_cap, w->nlist, sizeof *w->list)) return PL_ERROR_MEMORY;
    plPairList* list = &w->list[w->nlist++];
    *list = (plPairList){.a = (int)(w->candidate[i] >> 32),
                         .b = (int)(w->candidate[i] & 0xffffffff),
                         .point = list->point,
                         .cap = list->cap};
    // Self-contact has local margins (self.h).
    list->margin =
        list->a == list->b ? INFINITY : pl_contact_margin(data, &w->collider[list->a], &w->collider[list->b]);
  }
  return PL_OK;
}

static plStatus join_lists(plData* data) {
  plWork* work = data->work;
  plContactWork* w = work->contact;
  for (int i = 0; i < w->nlist; i++) {
    const plPairList* list = &w->list[i];
    if (list->status) return list->status;
    data->report.skipped += list->skipped;
    if (list->deep && !data->report.deep) {
      data->report.deep_a = pl_side_of_number(data->model, list->a);
      data->report.deep_b = pl_side_of_number(data->model, list->b);
    }
    data->report.deep += list->deep;
    data->report.merged += list->merged;
    for (int k = 0; k < list->npoint; k++)
      if (!PL_PUSH(work->point, work->npoint, work->point_cap, list->point[k])) return PL_ERROR_MEMORY;
  }
  return PL_OK;
}

plStatus pl_contact_find(const plModel* model, plData* data) {
  plWork* work = data->work;
  plContactWork* w = work->contact;
  work->npoint = 0;
  for (int i = 0; i < w->nscratch; i++)
    pl_arena_reset(&w->scratch[i].arena), pl_arena_reset(&w->scratch[i].points);
  pl_contact_colliders(model, data);
  plStatus status = pl_contact_broad(model, data);
  if (!status) status = pl_contact_shapes(model, data);
  if (!status) status = make_lists(data);
  if (status) return status;
  Narrow narrow = {model, data};
  find_all(&narrow, work->pool);
  return join_lists(data);
}

bool pl_contact_deep_pair(const plData* data, int k, plSide* a, plSide* b) {
  const plContactWork* w = data->work->contact;
  for (int i = 0; i < w->nlist; i++) {
    if (!w->list[i].deep || k--) continue;
    *a = pl_side_of_number(data->model, w->list[i].a), *b = pl_side_of_number(data->model, w->list[i].b);
    return true;
  }
  return false;
}

// broad.c: finds the pairs that may touch, by a sweep along x over the boxes of all colliders, and filters
// them.
//
// The order along x is kept from step to step and repaired by insertion sort, which is fast because little
// changes. It is a total order (ties are broken by number), so the pairs found do not depend on the previous
// order.
//
// The following never touch: shapes of one body or of bodies welded together; bodies that a joint connects
// (unless one is the world or the joint is free); the model's excluded pairs; two shapes that are both fixed
// in the world; anything that is switched off; bodies that `weld` constraints without a stiffness hold
// together while they are on, directly or through others or the world. Such bodies cannot move relative to
// each other. Forces between them would do no work and follow from no law: what friction of a moving surface
// asks for, the weld would take, without a bound.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "contact/self.h"
#include "contact/thresholds.h"

// ---- filters

static int compare_keys(const void* pa, const void* pb) {
  uint64_t a = *(const uint64_t*)pa, b = *(const uint64_t*)pb;
  return a < b ? -1 : a > b;
}

// Numbering: 0 is the world, then rigid bodies from 1, moving frames, and deformables.
enum { FIRST_DEFORMABLE = 1 << 30 };
static int number_of(plSide side) {
  if (side.kind == PL_SIDE_WORLD) return 0;
  return side.kind == PL_SIDE_DEFORMABLE ? FIRST_DEFORMABLE + side.index : side.index + 1;
}
static uint64_t pair_key(int a, int b) {
  uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
  return low << 32 | high;
}

uint64_t* pl_contact_filters(const plModel* m, int* n) {
  uint64_t* apart = PL_NEW(uint64_t, 2 * m->njoint + m->nexclude);
  *n = 0;
  if (!apart) return NULL;
  for (int j = 0; j < m->njoint; j++) {
    int parent = m->joint_parent[j], child = m->joint_child[j];
    if (parent < 0 || m->joint_kind[j] == PL_JOINT_FREE) continue;
    apart[(*n)++] = pair_key(parent + 1, child + 1);
    // Bodies welded to either body count as that body.
    int p = m->body_node[parent], c = m->body_node[child];
    if (p >= 0 && c >= 0) apart[(*n)++] = pair_key(m->nbody + 1 + p, m->nbody + 1 + c);
  }
  for (int i = 0; i < m->nexclude; i++)
    apart[(*n)++] = pair_key(number_of(m->exclude[2 * i]), number_of(m->exclude[2 * i + 1]));
  assert(*n <= 2 * m->njoint + m->nexclude);
  qsort(apart, (size_t)*n, sizeof *apart, compare_keys);
  return apart;
}

bool pl_contact_may_touch(const plModel* m, const plContactWork* w, int i, int j) {
  const plCollider *a = &w->collider[i], *b = &w->collider[j];
  if (!a->on || !b->on) return false;
  bool soft = a->deform >= 0 || b->deform >= 0;
  if (!soft && a->held == b->held) return false;
  uint64_t bodies = pair_key(a->deform >= 0 ? FIRST_DEFORMABLE + a->deform : a->body + 1,
                             b->deform >= 0 ? FIRST_DEFORMABLE + b->deform : b->body + 1);
  if (bsearch(&bodies, w->apart, (size_t)w->napart, sizeof bodies, compare_keys)) return false;
  if (soft) return true;
  if (a->node < 0 || b->node < 0) return true;
  uint64_t frames = pair_key(m->nbody + 1 + a->node, m->nbody + 1 + b->node);
  return !bsearch(&frames, w->apart, (size_t)w->napart, sizeof frames, compare_keys);
}

// A weld that keeps its two bodies in place relative to each other. One with a stiffness lets them move.
static bool is_rigid_weld(const plModel* m, const plData* data, int i) {
  const plConstraintDef* c = &m->constraint[i];
  return c->kind == PL_CONSTRAINT_WELD && !isfinite(c->stiffness) && data->on[PL_SWITCH_CONSTRAINT][i];
}

static int node_of(const plModel* m, int body) { return body < 0 ? -1 : m->body_node[body]; }

static int root_of(int* up, int node) {
  while (up[node + 1] != node) node = up[node + 1] = up[up[node + 1] + 1];
  return node;
}

// Writes held: the least frame of all that rigid welds hold together; -1: the world.
static plStatus join_welded(const plModel* m, const plData* data) {
  plContactWork* w = data->work->contact;
  int n = data->work->forest.nnode, *up = NULL;
  for (int i = 0; i < m->nconstraint; i++) {
    if (!is_rigid_weld(m, data, i)) continue;
    if (!up) {
      if (!(up = PL_ARENA_NEW(&w->scratch[0].arena, int, n + 1))) return PL_ERROR_MEMORY;
      for (int k = -1; k < n; k++) up[k + 1] = k;
    }
    int a = root_of(up, node_of(m, m->constraint[i].a)), b = root_of(up, node_of(m, m->constraint[i].b));
    up[(a > b ? a : b) + 1] = a < b ? a : b;
  }
  for (int i = m->ndeform; i < w->ncollider; i++)
    w->collider[i].held = up ? root_of(up, w->collider[i].node) : w->collider[i].node;
  return PL_OK;
}

bool pl_contact_is_candidate(const plContactWork* w, int a, int b) {
  uint64_t key = pair_key(a, b);
  return w->ncandidate > 0 &&
         bsearch(&key, w->candidate, (size_t)w->ncandidate, sizeof key, compare_keys) != NULL;
}

// ---- sweep

// How far a collider's own motion extends its box; the margin of a pair is at most the sum of the two. A half
// space has no size: the other side's counts.
static double reach(const plData* data, const plCollider* c) {
  double dt = data->par->options.dt;
  return fmax(isfinite(c->least) ? c->least : 0, PL_MARGIN_ROOM * dt * (v3_norm(c->velocity) + c->spread)) +
         0.5 * v3_norm(data->par->options.gravity) * dt * dt + c->drift;
}

static bool boxes_meet(const plCollider* a, const plCollider* b, double margin) {
  return a->lower.x - margin <= b->upper.x && b->lower.x - margin <= a->upper.x &&
         a->lower.y - margin <= b->upper.y && b->lower.y - margin <= a->upper.y &&
         a->lower.z - margin <= b->upper.z && b->lower.z - margin <= a->upper.z;
}

// The lowest corner of the box above the plane of the half space.
static bool box_meets_half_space(const plCollider* plane, const plCollider* c, double margin) {
  plVec3 n = quat_rotate(plane->pose.q, v3(0, 0, 1));
  plVec3 low = v3(n.x > 0 ? c->lower.x : c->upper.x, n.y > 0 ? c->lower.y : c->upper.y,
                  n.z > 0 ? c->lower.z : c->upper.z);
  return v3_dot(v3_sub(low, plane->pose.p), n) <= margin;
}

static bool is_plane(const plCollider* c) { return c->shape_id >= 0 && c->shape.kind == PL_SHAPE_HALF_SPACE; }

// Whether the boxes of the pair are within its margin.
static bool is_near(const plData* data, const plCollider* a, const plCollider* b) {
  double margin = pl_contact_margin(data, a, b);
  if (is_plane(a) && is_plane(b)) return false;
  if (is_plane(a)) return box_meets_half_space(a, b, margin);
  return is_plane(b) ? box_meets_half_space(b, a, margin) : boxes_meet(a, b, margin);
}

// room is no smaller than the margin of the pair.
static plStatus try_pair(const plModel* model, const plData* data, int i, int j, double room) {
  plContactWork* w = data->work->contact;
  const plCollider *a = &w->collider[i], *b = &w->collider[j];
  if (!boxes_meet(a, b, room) || !is_near(data, a, b)) return PL_OK;
  if (!pl_contact_may_touch(model, w, i, j)) return PL_OK;
  return PL_PUSH(w->candidate, w->ncandidate, w->candidate_cap, pair_key(i, j)) ? PL_OK : PL_ERROR_MEMORY;
}

// Sorts by the smallest x of the extended box; half spaces come first. Out: far, the reach of each collider,
// and begin, that x.
static void sort_order(const plData* data, double* far, double* begin) {
  plContactWork* w = data->work->contact;
  for (int i = 0; i < w->ncollider; i++)
    far[i] = reach(data, &w->collider[i]), begin[i] = w->collider[i].lower.x - far[i];
  for (int i = 1; i < w->ncollider; i++) {
    int moving = w->order[i], k = i;
    for (; k > 0; k--) {
      int other = w->order[k - 1];
      if (begin[other] < begin[moving] || (begin[other] == begin[moving] && other < moving)) break;
      w->order[k] = other;
    }
    w->order[k] = moving;
  }
}

// ---- meshes that so far have only a rough box

typedef struct Moving {
  const plModel* model;
  const plData* data;
  int* rough;  // their colliders
} Moving;

static void move_some(void* context, int begin, int end, int worker) {
  (void)worker;
  const Moving* p = context;
  for (int i = begin; i < end; i++)
    pl_collider_move(p->model, p->data, &p->data->work->contact->collider[p->rough[i]]);
}

static plCollider* side_of(const plContactWork* w, int candidate, int side) {
  int i = (int)(w->candidate[candidate] >> (side ? 0 : 32) & 0xffffffff);
  assert(i < w->ncollider);
  return &w->collider[i];
}

// Moves the meshes of the candidates to their poses and drops the pairs that only the rough boxes brought
// together.
static plStatus move_rough(const plModel* model, const plData* data) {
  plContactWork* w = data->work->contact;
  Moving moving = {model, data, PL_ARENA_NEW(&w->scratch[0].arena, int, w->ncollider)};
  if (!moving.rough) return PL_ERROR_MEMORY;
  int n = 0, kept = 0;
  for (int i = 0; i < 2 * w->ncandidate; i++) {
    plCollider* c = side_of(w, i / 2, i % 2);
    if (!c->rough) continue;
    assert(n < w->ncollider);
    moving.rough[n++] = (int)(c - w->collider), c->rough = false;
  }
  if (!n) return PL_OK;
  pl_parallel_for(data->work->pool, n, 1, move_some, &moving);
  for (int i = 0; i < w->ncandidate; i++)
    if (is_near(data, side_of(w, i, 0), side_of(w, i, 1))) w->candidate[kept++] = w->candidate[i];
  w->ncandidate = kept;
  return PL_OK;
}

// Bodies with self-contact; crowded is true for those that are also in another pair.
static plStatus add_selves(plContactWork* w) {
  int others = w->ncandidate;
  for (int i = 0; i < w->ncollider; i++)
    if (w->collider[i].self && w->collider[i].on &&
        !PL_PUSH(w->candidate, w->ncandidate, w->candidate_cap, pair_key(i, i)))
      return PL_ERROR_MEMORY;
  for (int i = 0; i < 2 * others; i++) {
    plSelf* self = side_of(w, i / 2, i % 2)->self;
    if (self) self->crowded = true;
  }
  return PL_OK;
}

plStatus pl_contact_broad(const plModel* model, plData* data) {
  plContactWork* w = data->work->contact;
  w->ncandidate = 0;
  if (!w->non) return PL_OK;
  plArena* arena = &w->scratch[0].arena;
  double *begin = PL_ARENA_NEW(arena, double, w->ncollider), *far = PL_ARENA_NEW(arena, double, w->ncollider);
  if (!begin || !far) return PL_ERROR_MEMORY;
  sort_order(data, far, begin);
  plStatus status = join_welded(model, data);
  for (int i = 0; i < w->ncollider && !status; i++) {
    int a = w->order[i];
    double end = w->collider[a].upper.x + far[a];
    for (int k = i + 1; k < w->ncollider && begin[w->order[k]] <= end && !status; k++) {
      int b = w->order[k];
      status = try_pair(model, data, a, b, (1 + PL_ROUNDING) * (far[a] + far[b]));
    }
  }
  if (!status) status = move_rough(model, data);
  if (!status) status = add_selves(w);
  if (w->ncandidate > 0) qsort(w->candidate, (size_t)w->ncandidate, sizeof *w->candidate, compare_keys);
  return status;
}

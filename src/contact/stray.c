// stray.c: bodies that move farther in a step than the search for pairs expected.
//
// The pairs of a step are those within reach at the velocities of its start. A body that something hits, or
// pulls, in this step may go elsewhere, and through something that it was not near. Bodies whose motion is
// not that of their velocities are compared with all others; the boxes around their motions decide which
// pairs are followed besides.
//
// in: motion of the step, candidate pairs -> out: hits of other pairs
#include <assert.h>
#include <math.h>

#include "contact/sweep.h"
#include "contact/thresholds.h"
#include "math/spatial.h"
#include "rigid/tree.h"

// m. How far a collider moves, and how far from where its velocity at the start leads.
typedef struct Way {
  double whole, off;
} Way;

static Way way_of_rigid(const plData* data, const plCollider* c, const plMotion* V, const plVec3* shift) {
  const plTree* tree = &data->work->forest;
  double dt = data->par->options.dt;
  int t = pl_tree_of_node(tree, c->node);
  plVec3 middle = v3_scale(0.5, v3_add(c->lower, c->upper)), half = v3_sub(c->upper, middle),
         u = motion_at(V[c->node], v3_sub(middle, data->work->tree.tree_point[t])),
         whole = v3_madd(shift[t], dt, u);
  double turn = dt * v3_norm(V[c->node].w) * v3_norm(half);
  return (Way){v3_norm(whole) + turn, v3_norm(v3_madd(whole, -dt, c->velocity)) + turn};
}

static bool is_plane(const plCollider* c) { return c->shape_id >= 0 && c->shape.kind == PL_SHAPE_HALF_SPACE; }

// Whether the margins of the search do not cover the motion. The margin of a pair covers the motion of either
// side at its velocity alone.
static plStatus find_stray(plMotions* m, int i, bool* stray) {
  const plData* data = m->data;
  const plCollider* c = &data->work->contact->collider[i];
  double dt = data->par->options.dt, g = v3_norm(data->par->options.gravity);
  Way way;
  *stray = false;
  if (!c->on || (c->shape_id >= 0 && (c->node < 0 || is_plane(c)))) return PL_OK;
  if (c->shape_id >= 0) {
    way = way_of_rigid(data, c, m->V, m->shift);
  } else {
    const plMotionOf* of = pl_motion_of(m, i);
    if (!of) return PL_ERROR_MEMORY;
    way = (Way){v3_norm(of->drift) + of->spread, v3_norm(v3_madd(of->drift, -dt, c->velocity)) + of->spread};
  }
  *stray = way.whole > c->least && way.off > c->least + dt * c->spread + g * dt * dt + c->drift;
  return PL_OK;
}

// The box around a collider's motion.
static void swept_box(const plCollider* c, const plMotionOf* m, plVec3* lower, plVec3* upper) {
  plVec3 room = v3(m->spread, m->spread, m->spread), zero = v3(0, 0, 0);
  *lower = v3_sub(v3_add(c->lower, v3_min(m->drift, zero)), room);
  *upper = v3_add(v3_add(c->upper, v3_max(m->drift, zero)), room);
}

static bool meet(const plCollider* a, const plMotionOf* ma, const plCollider* b, const plMotionOf* mb) {
  plVec3 la, ua, lb, ub;
  if (is_plane(a)) return meet(b, mb, a, ma);
  swept_box(a, ma, &la, &ua);
  if (is_plane(b)) {
    plVec3 n = quat_rotate(b->pose.q, v3(0, 0, 1)),
           low = v3(n.x > 0 ? la.x : ua.x, n.y > 0 ? la.y : ua.y, n.z > 0 ? la.z : ua.z);
    return v3_dot(v3_sub(low, b->pose.p), n) <= 0;
  }
  swept_box(b, mb, &lb, &ub);
  return la.x <= ub.x && lb.x <= ua.x && la.y <= ub.y && lb.y <= ua.y && la.z <= ub.z && lb.z <= ua.z;
}

// The surface of a collider that was in no pair that needs it: its facets, normals and tree.
static void shape_now(const plModel* model, const plData* data, plCollider* c, bool* listed) {
  bool moves = c->deform >= 0 || c->node >= 0;
  if (c->rough) pl_collider_move(model, data, c);
  if (c->skin && moves && !*listed) pl_skin_shape(c->skin, data->work->placed, NULL);
  *listed = true;
}

static plStatus follow(plSweep* s, plMotions* m, int a, int b, bool* listed) {
  plContactWork* w = s->data->work->contact;
  const plMotionOf *ma = pl_motion_of(m, a), *mb = pl_motion_of(m, b);
  if (!ma || !mb) return PL_ERROR_MEMORY;
  if (!meet(&w->collider[a], ma, &w->collider[b], mb)) return PL_OK;
  shape_now(s->model, s->data, &w->collider[a], &listed[a]);
  shape_now(s->model, s->data, &w->collider[b], &listed[b]);
  return pl_sweep_pair(s, m, a < b ? a : b, a < b ? b : a);
}

plStatus pl_sweep_strays(plSweep* s, plMotions* m) {
  plContactWork* w = s->data->work->contact;
  int n = w->ncollider;
  bool *listed = PL_KEEP(s->arena, bool, n), *stray = PL_KEEP(s->arena, bool, n), any = false;
  if (!listed || !stray) return PL_ERROR_MEMORY;
  for (int i = 0; i < n; i++) {
    plStatus status = find_stray(m, i, &stray[i]);
    if (status) return status;
    any |= stray[i];
  }
  for (int i = 0; i < w->nlist && any; i++) {
    int a = w->list[i].a, b = w->list[i].b;
    if (!pl_contact_has_flat_faces(&w->collider[a]) || !pl_contact_has_flat_faces(&w->collider[b]))
      listed[a] = listed[b] = true;
  }
  plStatus status = PL_OK;
  for (int i = 0; i < n && any; i++)
    for (int k = 0; k < n && stray[i] && !status; k++)
      if (k != i && !(stray[k] && k < i) && !pl_contact_is_candidate(w, i, k) &&
          pl_contact_may_touch(s->model, w, i, k))
        status = follow(s, m, i, k, listed);
  return status;
}

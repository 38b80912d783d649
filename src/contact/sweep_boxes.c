// sweep_boxes.c: which facets of two moving surfaces may meet within a slice of the motion.
//
// Boxes of both trees enclose the motion in the slice, relative to the mean motion of B; both trees are
// traversed together.
#include <assert.h>

#include "contact/sweep_skins.h"
#include "math/pose.h"

plWayBox pl_moving_box(const plMovingSkins* k, const plMovingSkin* s, int t) {
  plWayBox box = empty_box();
  for (int i = 0; i < 3; i++) {
    int v = s->skin->tri[3 * (size_t)t + (size_t)i];
    plVec3 way = v3_sub(way_of(s, v), k->drift), x = skin_x(s->skin, v);
    grow(&box, v3_madd(x, k->from, way)), grow(&box, v3_madd(x, k->to, way));
  }
  plVec3 room = v3(k->room, k->room, k->room);
  box.lower = v3_sub(box.lower, room), box.upper = v3_add(box.upper, room);
  return box;
}

// The same around a whole surface.
static plWayBox whole_box(const plMovingSkins* k, const plMovingSkin* s, const plMotionOf* m) {
  const plTriNode* root = s->skin->tree->node;
  plVec3 way = v3_sub(m->drift, k->drift), from = v3_scale(k->from, way), to = v3_scale(k->to, way);
  double more = k->to * m->spread + k->room;
  plVec3 room = v3(more, more, more);
  return (plWayBox){v3_sub(v3_add(root->lower, v3_min(from, to)), room),
                    v3_add(v3_add(root->upper, v3_max(from, to)), room)};
}

// Where facets may come near the other surface: at the start, within the motion and the room of both sides.
static plWayBox far_of(const plMovingSkins* k, const plMotionOf* m, const plWayBox* other) {
  plVec3 way = v3_sub(m->drift, k->drift), from = v3_scale(k->from, way), to = v3_scale(k->to, way);
  double more = k->to * m->spread + k->room;
  plVec3 room = v3(more, more, more);
  return (plWayBox){v3_sub(v3_sub(other->lower, v3_max(from, to)), room),
                    v3_add(v3_sub(other->upper, v3_min(from, to)), room)};
}

// Boxes of the nodes; leaves that never come near the other surface have none.
static void make_boxes(const plMovingSkins* k, plMovingSkin* s, const plMotionOf* m, const plWayBox* other) {
  const plTriTree* tree = s->skin->tree;
  plWayBox far = far_of(k, m, other);
  for (int n = tree->nnode - 1; n >= 0; n--) {
    const plTriNode* node = &tree->node[n];
    plWayBox box = empty_box(), still = {node->lower, node->upper};
    int count = node->count && meet(&still, &far) ? node->count : 0;
    for (int i = node->first; i < node->first + count; i++) {
      const plWayBox* f = &s->facet[i];
      s->facet[i] = pl_moving_box(k, s, tree->order[i]);
      box = (plWayBox){v3_min(box.lower, f->lower), v3_max(box.upper, f->upper)};
    }
    if (!node->count) {
      const plWayBox *l = &s->box[n + 1], *r = &s->box[node->right];
      box = (plWayBox){v3_min(l->lower, r->lower), v3_max(l->upper, r->upper)};
    }
    s->box[n] = box;
  }
}

// ---- pairs without hits

plRigidField pl_rigid_field(const plCollider* c, const plMotionOf* m) {
  plQuat q = quat_mul(m->pose1.q, quat_conj(c->pose.q));
  plRigidField f = {.G = quat_matrix(q), .turn = 2 * v3_norm(v3(q.x, q.y, q.z))};
  f.shift = v3_sub(m->pose1.p, m3_mulv(f.G, c->pose.p));
  f.G = m3_sub(f.G, m3_identity());
  return f;
}

// Whether the vertices of all facets that may come near the other surface deviate from the field by less.
static bool follow_field(const plMovingSkin* s, const plWayBox* far, const plRigidField* field, double much) {
  const plTriTree* tree = s->skin->tree;
  for (int n = 0; n < tree->nnode; n++) {
    const plTriNode* node = &tree->node[n];
    plWayBox still = {node->lower, node->upper};
    if (!node->count || !meet(&still, far)) continue;
    for (int i = 3 * node->first; i < 3 * (node->first + node->count); i++) {
      int v = s->skin->tri[3 * (size_t)tree->order[i / 3] + (size_t)(i % 3)];
      if (!(v3_norm2(deviation_of(s, v, field)) < much * much)) return false;
    }
  }
  return true;
}

bool pl_moving_with_rigid(const plMovingSkins* k, double rounding) {
  const plSweep* sweep = k->sweep;
  bool rigid_b = sweep->cb->shape_id >= 0;
  if (!rigid_b && sweep->ca->shape_id < 0) return false;
  plRigidField field =
      rigid_b ? pl_rigid_field(sweep->cb, &sweep->mb) : pl_rigid_field(sweep->ca, &sweep->ma);
  double much = deviation_allowed(k, &field, k->room, rounding);
  if (!(much > 0)) return false;
  const plMovingSkin *s = rigid_b ? &k->a : &k->b, *other = rigid_b ? &k->b : &k->a;
  const plMotionOf *m = rigid_b ? &sweep->ma : &sweep->mb, *of = rigid_b ? &sweep->mb : &sweep->ma;
  plWayBox box = whole_box(k, other, of), far = far_of(k, m, &box);
  return follow_field(s, &far, &field, much);
}

// Boxes of the nodes around displacements.
void pl_moving_ways(plMovingSkin* s) {
  const plTriTree* tree = s->skin->tree;
  for (int n = tree->nnode - 1; n >= 0; n--) {
    const plTriNode* node = &tree->node[n];
    plWayBox box = empty_box();
    for (int i = 3 * node->first; i < 3 * (node->first + node->count); i++)
      grow(&box, way_of(s, s->skin->tri[3 * (size_t)tree->order[i / 3] + (size_t)(i % 3)]));
    if (!node->count) {
      const plWayBox *l = &s->way[n + 1], *r = &s->way[node->right];
      box = (plWayBox){v3_min(l->lower, r->lower), v3_max(l->upper, r->upper)};
    }
    s->way[n] = box;
  }
}

static plStatus descend(plMovingSkins* k) {
  struct {
    int a, b;
  } stack[4 * PL_TRI_TREE_DEPTH];
  const plTriTree *A = k->a.skin->tree, *B = k->b.skin->tree;
  int depth = 0;
  stack[depth].a = 0, stack[depth++].b = 0;
  while (depth) {
    int a = stack[--depth].a, b = stack[depth].b;
    if (!meet(&k->a.box[a], &k->b.box[b])) continue;
    if (k->a.way && differ_less(&k->a.way[a], &k->a.way[b], k->deep)) continue;
    const plTriNode *na = &A->node[a], *nb = &B->node[b];
    if (na->count && nb->count) {
      for (int i = na->first; i < na->first + na->count; i++) {
        const plWayBox* fa = &k->a.facet[i];
        if (!meet(fa, &k->b.box[b])) continue;
        for (int j = nb->first; j < nb->first + nb->count; j++) {
          if (!meet(fa, &k->b.facet[j])) continue;
          plStatus status = pl_moving_facets(k, A->order[i], B->order[j]);
          if (status) return status;
        }
      }
      continue;
    }
    bool open_a = !na->count && (nb->count || v3_norm2(v3_sub(na->upper, na->lower)) >=
                                                  v3_norm2(v3_sub(nb->upper, nb->lower)));
    assert(depth + 2 <= 4 * PL_TRI_TREE_DEPTH);
    stack[depth].a = open_a ? na->right : a, stack[depth++].b = open_a ? b : nb->right;
    stack[depth].a = open_a ? a + 1 : a, stack[depth++].b = open_a ? b : b + 1;
  }
  return PL_OK;
}

plStatus pl_moving_slice(plMovingSkins* k) {
  const plSweep* sweep = k->sweep;
  plWayBox a = whole_box(k, &k->a, &sweep->ma), b = whole_box(k, &k->b, &sweep->mb);
  if (!meet(&a, &b)) return PL_OK;
  make_boxes(k, &k->a, &sweep->ma, &b);
  if (!sweep->self) make_boxes(k, &k->b, &sweep->mb, &a);
  return descend(k);
}

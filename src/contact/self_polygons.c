// self_polygons.c: overlaps of facets of one surface that face each other, by traversing its tree of boxes
// with itself, or from the list that such a traversal made (self_list.c).
//
// Margins are local: a box stores the velocities of its vertices minus the body's rigid motion, so a body
// that flies or spins as a whole has the same margins as one at rest.
#include <assert.h>
#include <math.h>

#include "contact/pair.h"

// One facet, or all facets of a node: boxes around corners and velocities, a cone around normals.
typedef struct Box {
  plVec3 lower, upper, u_lower, u_upper;
  plVec3 axis;          // of the cone, unit
  double cosine, sine;  // of its half angle
  double shallow;       // largest depth limit
  double speed;         // largest relative speed
} Box;

static inline plVec3 lower_of(plVec3 a, plVec3 b) {
  return v3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}
static inline plVec3 upper_of(plVec3 a, plVec3 b) {
  return v3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}
static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double smaller(double a, double b) { return a < b ? a : b; }

// Joins boxes; cones are computed when all boxes are known.
static Box join(const Box* a, const Box* b) {
  return (Box){.lower = lower_of(a->lower, b->lower),
               .upper = upper_of(a->upper, b->upper),
               .u_lower = lower_of(a->u_lower, b->u_lower),
               .u_upper = upper_of(a->u_upper, b->u_upper),
               .axis = v3_add(a->axis, b->axis),
               .shallow = larger(a->shallow, b->shallow),
               .speed = larger(a->speed, b->speed)};
}

typedef struct Nodes {
  int a, b;
} Nodes;

typedef struct Descent {
  const plSkin* skin;
  const plSelf* self;
  const plTriTree* tree;
  Box* facet;     // [ntri] in the order of the tree; shallow -1: without area
  Box* box;       // [nnode]
  Nodes* range;   // [nnode] first and last of a node's facets
  double margin;  // m, the largest
  Nodes* task;    // nodes at which parts of the traversal begin
} Descent;

// Box of facet t at its position, without its motion.
static Box still_facet_box(const Descent* d, int t) {
  const int* v = d->skin->tri + 3 * (size_t)t;
  plVec3 x0 = skin_x(d->skin, v[0]), x1 = skin_x(d->skin, v[1]), x2 = skin_x(d->skin, v[2]);
  return (Box){.lower = lower_of(lower_of(x0, x1), x2),
               .upper = upper_of(upper_of(x0, x1), x2),
               .axis = skin_normal(d->skin, t),
               .cosine = 1,
               .shallow = d->skin->tri_area[t] > 0 ? d->self->shallow[t] : -1};
}

// Adds its motion.
static void add_motion(const Descent* d, int t, Box* box) {
  const int* v = d->skin->tri + 3 * (size_t)t;
  const double* u = d->self->u;
  plVec3 u0 = v3_load(u + 3 * (size_t)v[0]), u1 = v3_load(u + 3 * (size_t)v[1]),
         u2 = v3_load(u + 3 * (size_t)v[2]);
  box->u_lower = lower_of(lower_of(u0, u1), u2), box->u_upper = upper_of(upper_of(u0, u1), u2);
  double speed2 = 0;
  for (int k = 0; d->self->crowded && k < 3; k++)
    speed2 = larger(speed2, v3_norm2(v3_load(d->self->v + 3 * (size_t)v[k])));
  box->speed = sqrt(speed2);
}

static Box facet_box(const Descent* d, int t) {
  Box box = still_facet_box(d, t);
  add_motion(d, t, &box);
  return box;
}

static void list_leaves(void* context, int begin, int end, int worker) {
  Descent* d = context;
  (void)worker;
  for (int k = begin; k < end; k++) {
    const plTriNode* node = &d->tree->node[k];
    for (int i = node->first; i < node->first + node->count; i++) {
      d->facet[i] = facet_box(d, d->tree->order[i]);
      d->box[k] = i == node->first ? d->facet[i] : join(&d->box[k], &d->facet[i]);
    }
  }
}

// The cone around a node's normals; box->axis is their sum.
static void find_cones(void* context, int begin, int end, int worker) {
  Descent* d = context;
  (void)worker;
  for (int k = begin; k < end; k++) {
    Box* box = &d->box[k];
    double least = v3_norm2(box->axis) > 0 ? 1 : -1;
    box->axis = v3_unit(box->axis);
    for (int i = d->range[k].a; i <= d->range[k].b; i++)
      if (d->facet[i].shallow >= 0) least = smaller(least, v3_dot(box->axis, d->facet[i].axis));
    box->cosine = larger(least, -1), box->sine = sqrt(larger(0, 1 - box->cosine * box->cosine));
  }
}

static double margin_of(const Descent* d, const Box* a, const Box* b) {
  plVec3 p = v3_sub(a->u_upper, b->u_lower), q = v3_sub(b->u_upper, a->u_lower), most = upper_of(p, q);
  return pl_self_margin(d->self, v3_norm(most), larger(a->speed, b->speed));
}

static inline bool apart(const Box* a, const Box* b, double reach) {
  return a->lower.x - reach > b->upper.x || b->lower.x - reach > a->upper.x ||
         a->lower.y - reach > b->upper.y || b->lower.y - reach > a->upper.y ||
         a->lower.z - reach > b->upper.z || b->lower.z - reach > a->upper.z;
}

// Whether two normals, one of each cone, may face each other: the angle between the axes plus the two half
// angles is at least that of PL_FACING, with a margin for rounding.
static bool may_face(const Box* a, const Box* b) {
  if (a->cosine <= 0 && b->cosine <= 0) return true;  // the half angles add up to at least half a turn
  double cosine = a->cosine * b->cosine - a->sine * b->sine, sine = a->sine * b->cosine + a->cosine * b->sine;
  if (sine < 0 || cosine < PL_FACING_AT_ALL) return true;  // the half angles alone are enough
  return v3_dot(a->axis, b->axis) <
         PL_FACING_AT_ALL * cosine + sqrt(1 - PL_FACING_AT_ALL * PL_FACING_AT_ALL) * sine + PL_ROUNDING;
}

static bool boxes_meet(const Descent* d, const Box* a, const Box* b) {
  double shallow = smaller(a->shallow, b->shallow);
  if (apart(a, b, larger(d->margin, shallow)) || !may_face(a, b)) return false;
  return d->margin <= shallow || !apart(a, b, larger(margin_of(d, a, b), shallow));
}

// Whether all of facet g lies above the plane of facet f by more than the margin; then so does the gap.
static bool above(const plSkin* s, int f, int g, double margin) {
  const int* v = s->tri + 3 * (size_t)g;
  plVec3 n = skin_normal(s, f);
  double base = v3_dot(skin_x(s, s->tri[3 * (size_t)f]), n) + margin;
  return v3_dot(skin_x(s, v[0]), n) > base && v3_dot(skin_x(s, v[1]), n) > base &&
         v3_dot(skin_x(s, v[2]), n) > base;
}

// Two facets of a traversal; the lower number comes first.
static plStatus gather(plPair* pair, int a, int b, double distance2) {
  plPairScratch* s = pair->scratch;
  plNear near = {a < b ? a : b, a < b ? b : a, distance2};
  return PL_PUSH(s->near, s->nnear, s->near_cap, near) ? PL_OK : PL_ERROR_MEMORY;
}

static plStatus try_facets(plPair* pair, const Descent* d, int i, int k) {
  const Box *fa = &d->facet[i], *fb = &d->facet[k];
  double facing = v3_dot(fa->axis, fb->axis);
  if (fa->shallow < 0 || fb->shallow < 0 || !(facing < PL_FACING_AT_ALL)) return PL_OK;
  double reach = larger(margin_of(d, fa, fb), smaller(fa->shallow, fb->shallow));
  return apart(fa, fb, reach) ? PL_OK : gather(pair, d->tree->order[i], d->tree->order[k], 0);
}

// All pairs of facets of two leaves, or of one.
static plStatus compare_leaves(plPair* pair, const Descent* d, Nodes at) {
  const plTriNode *na = &d->tree->node[at.a], *nb = &d->tree->node[at.b];
  plStatus status = PL_OK;
  for (int i = na->first; i < na->first + na->count; i++)
    for (int k = at.a == at.b ? i + 1 : nb->first; k < nb->first + nb->count && !status; k++)
      status = try_facets(pair, d, i, k);
  return status;
}

static int facets_of(const Descent* d, int node) { return d->range[node].b - d->range[node].a; }

static bool both_leaves(const Descent* d, Nodes at) {
  return d->tree->node[at.a].count && d->tree->node[at.b].count;
}

// A node with itself: each child with itself, and the two with each other. Otherwise the node with more
// facets is opened. Returns the number of pairs written.
static int open_nodes(const Descent* d, Nodes at, Nodes* out) {
  const plTriNode *na = &d->tree->node[at.a], *nb = &d->tree->node[at.b];
  if (at.a == at.b) {
    out[0] = (Nodes){at.a + 1, at.a + 1}, out[1] = (Nodes){at.a + 1, na->right},
    out[2] = (Nodes){na->right, na->right};
    return 3;
  }
  bool open_a = !na->count && (nb->count || facets_of(d, at.a) >= facets_of(d, at.b));
  out[0] = open_a ? (Nodes){at.a + 1, at.b} : (Nodes){at.a, at.b + 1};
  out[1] = open_a ? (Nodes){na->right, at.b} : (Nodes){at.a, nb->right};
  return 2;
}

static plStatus descend(plPair* pair, const Descent* d, Nodes from) {
  Nodes stack[6 * PL_TRI_TREE_DEPTH], next[3];
  int depth = 0;
  stack[depth++] = from;
  while (depth) {
    Nodes at = stack[--depth];
    if (!boxes_meet(d, &d->box[at.a], &d->box[at.b])) continue;
    if (both_leaves(d, at)) {
      plStatus status = compare_leaves(pair, d, at);
      if (status) return status;
      continue;
    }
    assert(depth + 3 <= 6 * PL_TRI_TREE_DEPTH);
    for (int n = open_nodes(d, at, next); n > 0; n--) stack[depth++] = next[n - 1];
  }
  return PL_OK;
}

static plStatus descend_some(plPair* part, void* context, int begin, int end) {
  const Descent* d = context;
  plStatus status = PL_OK;
  for (int i = begin; i < end && !status; i++) status = descend(part, d, d->task[i]);
  return status;
}

enum { ENOUGH = 512, PICK = 256 };

// Opens all nodes of the list, which keeps its order, until there are enough of them.
static int widen(const Descent* d, Nodes* list, Nodes* wider, int n) {
  for (bool opened = true; opened && n > 0 && n < ENOUGH;) {
    int m = 0;
    opened = false;
    for (int i = 0; i < n; i++) {
      if (!boxes_meet(d, &d->box[list[i].a], &d->box[list[i].b])) continue;
      assert(m + 3 <= 3 * ENOUGH);
      if (both_leaves(d, list[i]))
        wider[m++] = list[i];
      else
        m += open_nodes(d, list[i], wider + m), opened = true;
    }
    for (int i = 0; i < m; i++) list[i] = wider[i];
    n = m;
  }
  return n;
}

// Boxes of facets and nodes, cones around normals.
static plStatus make_boxes(plPair* pair, Descent* d) {
  const plTriTree* tree = d->tree;
  d->facet = PL_ARENA_NEW(pair->arena, Box, pair->A->ntri);
  d->box = PL_ARENA_NEW(pair->arena, Box, tree->nnode);
  d->range = PL_ARENA_NEW(pair->arena, Nodes, tree->nnode);
  if (!d->facet || !d->box || !d->range) return PL_ERROR_MEMORY;
  assert(tree->ntri <= pair->A->ntri);
  pl_parallel_for(pair->pool, tree->nnode, 256, list_leaves, d);
  // children come after their parents
  for (int k = tree->nnode - 1; k >= 0; k--) {
    const plTriNode* node = &tree->node[k];
    d->range[k] = node->count ? (Nodes){node->first, node->first + node->count - 1}
                              : (Nodes){d->range[k + 1].a, d->range[node->right].b};
    if (!node->count) d->box[k] = join(&d->box[k + 1], &d->box[node->right]);
  }
  pl_parallel_for(pair->pool, tree->nnode, 256, find_cones, d);
  return PL_OK;
}

// All pairs of facets that may be in contact in this step.
static plStatus gather_all(plPair* pair, Descent* d) {
  Nodes task[3 * ENOUGH], wider[3 * ENOUGH];
  plStatus status = make_boxes(pair, d);
  if (status) return status;
  task[0] = (Nodes){0, 0}, d->task = task;
  return pl_pair_in_runs(pair, pair->pool ? widen(d, task, wider, 1) : 1, 1, descend_some, d);
}

// ---- polygons

// Facets whose contacts polygons may not show: their edges and corners (closest.c).
static plStatus add_near(plPairScratch* s, int a, int b, const Box* fa, const Box* fb) {
  plVec3 out = upper_of(upper_of(v3_sub(fa->lower, fb->upper), v3_sub(fb->lower, fa->upper)), v3(0, 0, 0));
  plNear near = {a, b, v3_norm2(out)};
  return PL_PUSH(s->near, s->nnear, s->near_cap, near) ? PL_OK : PL_ERROR_MEMORY;
}

// Facets a and b, which may face each other.
static plStatus try_pair(plPair* pair, const Descent* d, const plSelfPair* p) {
  double facing = v3_dot(skin_normal(d->skin, p->a), skin_normal(d->skin, p->b));
  if (!(facing < PL_FACING_AT_ALL)) return PL_OK;
  Box fa = still_facet_box(d, p->a), fb = still_facet_box(d, p->b);
  double shallow = smaller(fa.shallow, fb.shallow);
  if (shallow < 0 || apart(&fa, &fb, larger(d->margin, shallow))) return PL_OK;
  add_motion(d, p->a, &fa), add_motion(d, p->b, &fb);
  bool face = facing < PL_FACING;
  double margin = margin_of(d, &fa, &fb);
  if (apart(&fa, &fb, face ? larger(margin, shallow) : margin)) return PL_OK;
  if (above(d->skin, p->a, p->b, margin) || above(d->skin, p->b, p->a, margin)) return PL_OK;
  if (p->kin == PL_KIN_APART) {
    plStatus status = add_near(pair->scratch, p->a, p->b, &fa, &fb);
    if (status || !face) return status;
  }
  double deepest = pl_self_deepest(d->self, p->kin, p->a, p->b);
  return !face ? PL_OK : pl_pair_add_polygon(pair, p->a, p->b, -deepest, margin);
}

// The pairs i, begin <= i < end, that may be nearer than their margin or depth limit now. There is no branch
// on the distance, since it would often be mispredicted.
static int pick_near(const plSelfList* list, double margin, int begin, int end, int* picked) {
  assert(end - begin <= PICK && end <= list->npair);
  int n = 0;
  for (int i = begin; i < end; i++) {
    const plSelfPair* p = &list->pair[i];
    picked[n] = i;
    n += pl_self_list_distance(list, p) <= larger(margin, p->shallow);
  }
  return n;
}

static plStatus try_listed(plPair* part, void* context, int begin, int end) {
  const Descent* d = context;
  const plSelfList* list = &d->self->list;
  int picked[PICK];
  plStatus status = PL_OK;
  for (int i = begin; i < end && !status; i += PICK) {
    int n = pick_near(list, d->margin, i, i + PICK < end ? i + PICK : end, picked);
    for (int k = 0; k < n && !status; k++) status = try_pair(part, d, &list->pair[picked[k]]);
  }
  return status;
}

// The largest margin of any two points; *fastest: largest speed relative to the rigid motion.
static double largest_margin(const plSelf* self, const plSkin* skin, double* fastest) {
  plVec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
  double u2 = 0, v2 = 0;
  for (int i = 0; i < skin->nvert; i++) {
    if (skin->vert_tri[i] < 0) continue;
    plVec3 u = v3_load(self->u + 3 * (size_t)i), v = v3_load(self->v + 3 * (size_t)i);
    low = lower_of(low, u), high = upper_of(high, u);
    u2 = larger(u2, v3_norm2(u)), v2 = larger(v2, v3_norm2(v));
  }
  *fastest = sqrt(u2);
  return pl_self_margin(self, v3_norm(v3_sub(high, low)), sqrt(v2));
}

plStatus pl_self_polygons(plPair* pair) {
  plSelf* self = pair->ca->self;
  const plSkin* skin = pair->A;
  Descent d = {.skin = skin, .self = self, .tree = &self->tree};
  if (!d.tree->nnode) return PL_OK;
  double fastest;
  d.margin = largest_margin(self, skin, &fastest);
  pl_self_list_measure(self, skin);
  if (!pl_self_list_holds(self, d.margin)) {
    bool lasts = pl_self_list_will_last(self, skin, d.margin, fastest);
    plStatus status = lasts ? pl_self_list_gather(pair, d.margin) : gather_all(pair, &d);
    if (!status) status = pl_self_list_make(pair, d.margin, lasts);
    if (status) return status;
  }
  return pl_pair_in_runs(pair, self->list.npair, 512, try_listed, &d);
}

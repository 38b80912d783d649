// polygons.c: overlaps of facets that face each other, by traversing both trees of boxes together.
#include <assert.h>
#include <math.h>

#include "contact/facets.h"
#include "contact/pair.h"
#include "contact/thresholds.h"

static bool all_held(const bool* held, const int* v) {
  return held && held[v[0]] && held[v[1]] && held[v[2]];
}

// Whether an edge of the facet is convex and sharp.
static bool has_sharp(const plSkin* s, int t) {
  for (int k = 0; k < 3; k++)
    if (skin_edge_sharp(s, s->tri_edge[3 * (size_t)t + (size_t)k])) return true;
  return false;
}

// Whether the surface continues flat beyond side k of facet t.
static bool goes_on(const plSkin* s, int t, int k) {
  const int* two = s->edge_tri + 2 * s->tri_edge[3 * (size_t)t + (size_t)k];
  return two[1] >= 0 && v3_dot(skin_normal(s, two[0]), skin_normal(s, two[1])) > PL_SAME_NORMAL;
}

// The mark of edges ia of facet a and ib of facet b; false: none. In self-contact the edges are in ascending
// order, and neighbours do not cross.
static bool make_mark(const plPair* pair, int a, int b, const plCorner* corner, plVec3 m, bool flat,
                      plCrossMark* mark) {
  const plSkin *A = pair->A, *B = pair->B;
  int ea = A->tri_edge[3 * (size_t)a + (size_t)corner->ia],
      eb = B->tri_edge[3 * (size_t)b + (size_t)corner->ib];
  *mark = (plCrossMark){ea, eb, corner->third, m, flat, -1};
  if (!pair->self) return true;
  const int *va = A->edge_vert + 2 * ea, *vb = B->edge_vert + 2 * eb;
  if (va[0] == vb[0] || va[0] == vb[1] || va[1] == vb[0] || va[1] == vb[1]) return false;
  if (ea > eb) mark->ea = eb, mark->eb = ea, mark->m = v3_neg(m);
  return true;
}

// The polygon of a clip, with its marks.
static plStatus add_clip(plPair* pair, int a, int b, const plClip* clip, bool flat) {
  plPairScratch* scratch = pair->scratch;
  assert(a < pair->A->ntri && b < pair->B->ntri);
  plPolygon polygon = {.a = a, .b = b, .mark0 = scratch->nmark, .gap = clip->gap_min};
  for (int k = 0; k < 3; k++)
    polygon.mortar_a[k] = clip->mortar_a[k], polygon.mortar_b[k] = clip->mortar_b[k];
  for (int i = 0; i < clip->n; i++) {
    const plCorner* corner = &clip->corner[i];
    if (corner->kind != PL_CORNER_CROSSING) continue;
    plCrossMark mark;
    if (!make_mark(pair, a, b, corner, clip->m, flat, &mark)) continue;
    if (!PL_PUSH(scratch->mark, scratch->nmark, scratch->mark_cap, mark)) return PL_ERROR_MEMORY;
    polygon.nmark++;
  }
  return PL_PUSH(scratch->polygon, scratch->npolygon, scratch->polygon_cap, polygon) ? PL_OK
                                                                                     : PL_ERROR_MEMORY;
}

plStatus pl_pair_add_polygon(plPair* pair, int a, int b, double low, double high) {
  const plSkin *A = pair->A, *B = pair->B;
  pair->list->candidates++;
  if (all_held(pair->held_a, A->tri + 3 * (size_t)a) || all_held(pair->held_b, B->tri + 3 * (size_t)b))
    return PL_OK;
  plClip clip;
  if (!pl_clip_facets(A, a, B, b, low, high, &clip)) return PL_OK;
  return add_clip(pair, a, b, &clip, v3_dot(skin_normal(A, a), skin_normal(B, b)) < -PL_FACETS_FLAT);
}

// The largest lumped area of the corners of a facet.
static double whole_of(const plSkin* s, int t) {
  const int* v = s->tri + 3 * (size_t)t;
  return max3(s->vert_area[v[0]], s->vert_area[v[1]], s->vert_area[v[2]]);
}

// Whether an overlap with this area gives neither side's corners a weight (pl_pair_push). Half of it belongs
// to either side, a third of that to each corner.
static bool is_weightless(const plPair* pair, int a, int b, double area) {
  return area / 6 < PL_SHARE_LEAST * fmin(whole_of(pair->A, a), whole_of(pair->B, b));
}

// *shown is true if polygons show every contact of the two facets. They do if the facets lie flat on each
// other: their overlap shows it, unless there is a gap, which sharp edges may close in part, or the overlap
// is a sliver, between sharp edges or too small to give its corners a weight; without an overlap, the facet
// beyond the edge that separates them shows it, unless they are so far apart (height) that the closest
// positions are not opposite each other.
static plStatus try_facets(plPair* pair, int a, int b, double facing, double height, int beyond,
                           bool* shown) {
  plSkin *A = pair->A, *B = pair->B;
  pair->list->candidates++;
  *shown = true;
  if (all_held(pair->held_a, A->tri + 3 * (size_t)a) || all_held(pair->held_b, B->tri + 3 * (size_t)b))
    return PL_OK;
  bool flat = facing < -PL_FACETS_FLAT;
  double touch = PL_CLOSEST_SAME * fmin(A->cell, B->cell);
  if (beyond >= 0) {
    *shown = flat && height < touch && (beyond < 3 ? goes_on(A, a, beyond) : goes_on(B, b, beyond - 3));
    return PL_OK;
  }
  plClip clip;
  *shown = false;
  if (!pl_clip_overlap(A, a, B, b, -fmin(A->tri_limit[a], B->tri_limit[b]), pair->margin, &clip))
    return PL_OK;
  *shown = flat && clip.gap_min < touch && (clip.gap_max < touch || !(has_sharp(A, a) || has_sharp(B, b))) &&
           (clip.area > PL_SLIVER * fmin(A->tri_area[a], B->tri_area[b]) ||
            !(has_sharp(A, a) && has_sharp(B, b))) &&
           !is_weightless(pair, a, b, clip.area);
  return add_clip(pair, a, b, &clip, flat);
}

// ---- the traversal

static bool apart(plVec3 la, plVec3 ua, plVec3 lb, plVec3 ub, double reach) {
  return la.x - reach > ub.x || lb.x - reach > ua.x || la.y - reach > ub.y || lb.y - reach > ua.y ||
         la.z - reach > ub.z || lb.z - reach > ua.z;
}

static plFacet get_facet(const plSkin* s, int t) {
  const int* v = s->tri + 3 * (size_t)t;
  plFacet f = {{skin_x(s, v[0]), skin_x(s, v[1]), skin_x(s, v[2])},
               skin_normal(s, t),
               {0, 0, 0},
               {0, 0, 0},
               0,
               s->tri_limit[t],
               t};
  f.base = v3_dot(f.x[0], f.n);
  f.lower = v3(min3(f.x[0].x, f.x[1].x, f.x[2].x), min3(f.x[0].y, f.x[1].y, f.x[2].y),
               min3(f.x[0].z, f.x[1].z, f.x[2].z));
  f.upper = v3(max3(f.x[0].x, f.x[1].x, f.x[2].x), max3(f.x[0].y, f.x[1].y, f.x[2].y),
               max3(f.x[0].z, f.x[1].z, f.x[2].z));
  return f;
}

// The active facets of a node: a box around them (lower > upper: none), a box around their normals, and the
// largest limit.
typedef struct Box {
  plVec3 lower, upper, n_lower, n_upper;
  double limit;
  int begin, end;  // the facets, after pack_side
} Box;

static bool is_empty(const Box* b) { return b->lower.x > b->upper.x; }

// Makes the box empty; the other fields keep their values.
static void clear(Box* b) { b->lower.x = INFINITY, b->upper.x = -INFINITY, b->limit = 0; }

static void join(Box* box, const Box* a, const Box* b) {
  if (is_empty(a) || is_empty(b)) {
    const Box* some = is_empty(a) ? b : a;
    if (is_empty(some))
      clear(box);
    else
      *box = *some;
    return;
  }
  box->lower = v3_min(a->lower, b->lower), box->upper = v3_max(a->upper, b->upper);
  box->n_lower = v3_min(a->n_lower, b->n_lower), box->n_upper = v3_max(a->n_upper, b->n_upper);
  box->limit = a->limit > b->limit ? a->limit : b->limit;
}

static void add_facet(Box* box, const plFacet* f) {
  Box one = {f->lower, f->upper, f->n, f->n, f->limit, 0, 0};
  if (is_empty(box))
    *box = one;
  else
    join(box, box, &one);
}

// The largest distance of two facets, with limits a and b, that may be in contact: the depth limit or the
// margin.
static double reach_of(double a, double b, double margin) {
  double deepest = a < b ? a : b;
  return deepest > margin ? deepest : margin;
}

// The smallest product of n with a point of a box. It is summed in the order of v3_dot, so rounding cannot
// make the product with a point of the box smaller.
static inline double least_along(plVec3 n, plVec3 lower, plVec3 upper) {
  double x0 = n.x * lower.x, x1 = n.x * upper.x, y0 = n.y * lower.y, y1 = n.y * upper.y, z0 = n.z * lower.z,
         z1 = n.z * upper.z;
  return (x0 < x1 ? x0 : x1) + (y0 < y1 ? y0 : y1) + (z0 < z1 ? z0 : z1);
}

// Whether the facet passes, with at least one facet in the box, the tests that compare_facets makes for each
// pair.
static bool meets(const plFacet* f, const Box* box, double margin) {
  if (apart(f->lower, f->upper, box->lower, box->upper, reach_of(f->limit, box->limit, margin))) return false;
  if (least_along(f->n, box->lower, box->upper) - f->base > margin) return false;
  double facing = least_along(f->n, box->n_lower, box->n_upper) - PL_ROUNDING;
  return facing < PL_FACING ||
         (facing < PL_FACING_AT_ALL && !apart(f->lower, f->upper, box->lower, box->upper, margin));
}

typedef struct Side {
  const plSkin* skin;
  const plTriNode* root;  // of the other surface
  const Box* other;       // the active facets of the other surface; NULL: not known yet
  double margin;
  plFacet* facet;  // [ntri] in the order of the tree, for leaves with active facets; id -1: not active
  Box* box;        // [nnode]
} Side;

// Whether a facet that has an area is active. An overlap lies inside the other surface, so within its box.
static bool is_active(const Side* s, const plFacet* f) {
  return !apart(f->lower, f->upper, s->root->lower, s->root->upper, s->margin) &&
         !(least_along(f->n, s->root->lower, s->root->upper) - f->base > s->margin) &&
         (!s->other || meets(f, s->other, s->margin));
}

// Whether a facet of the leaf can be active.
static bool leaf_is_active(const Side* s, const plTriNode* leaf) {
  return !apart(leaf->lower, leaf->upper, s->root->lower, s->root->upper, s->margin) &&
         (!s->other || !apart(leaf->lower, leaf->upper, s->other->lower, s->other->upper,
                              reach_of(s->skin->limit, s->other->limit, s->margin)));
}

static void list_leaves(void* context, int begin, int end, int worker) {
  Side* s = context;
  (void)worker;
  for (int k = begin; k < end; k++) {
    const plTriNode* node = &s->skin->tree->node[k];
    Box* box = &s->box[k];
    clear(box);
    if (!node->count || !leaf_is_active(s, node)) continue;
    for (int i = node->first; i < node->first + node->count; i++) {
      int t = s->skin->tree->order[i];
      plFacet* f = &s->facet[i];
      *f = get_facet(s->skin, t);
      if (!(s->skin->tri_area[t] > 0) || !is_active(s, f))
        f->id = -1;
      else
        add_facet(box, f);
    }
  }
}

// Boxes of inner nodes from those of the leaves; children come after their parents.
static void join_boxes(Side* s) {
  const plTriTree* tree = s->skin->tree;
  for (int k = tree->nnode - 1; k >= 0; k--)
    if (!tree->node[k].count) join(&s->box[k], &s->box[k + 1], &s->box[tree->node[k].right]);
}

// Facets and boxes of a surface. Facets without area, outside the other surface's box, or without a partner
// in the box `known` are not active.
static bool list_side(const plPair* pair, const plSkin* skin, const plSkin* other, const Box* known,
                      Side* s) {
  const plTriTree* tree = skin->tree;
  *s = (Side){skin,
              other->tree->node,
              known,
              pair->margin,
              PL_ARENA_NEW(pair->arena, plFacet, skin->ntri),
              PL_ARENA_NEW(pair->arena, Box, tree->nnode)};
  if (!s->facet || !s->box) return false;
  assert(tree->ntri == skin->ntri);
  pl_parallel_for(pair->pool, tree->nnode, 256, list_leaves, s);
  join_boxes(s);
  return true;
}

// Removes facets that have no partner in the box `known` of the other side's active facets.
static void narrow_side(Side* s, const Box* known) {
  const plTriTree* tree = s->skin->tree;
  for (int k = 0; k < tree->nnode; k++) {
    const plTriNode* node = &tree->node[k];
    Box* box = &s->box[k];
    if (!node->count || is_empty(box)) continue;
    clear(box);
    for (plFacet* f = s->facet + node->first; f < s->facet + node->first + node->count; f++) {
      if (f->id >= 0 && !meets(f, known, s->margin)) f->id = -1;
      if (f->id >= 0) add_facet(box, f);
    }
  }
  join_boxes(s);
}

// Moves the active facets together, in the order of the tree: those of a node are consecutive.
static void pack_side(Side* s) {
  const plTriTree* tree = s->skin->tree;
  int n = 0;
  for (int k = 0; k < tree->nnode; k++) {
    const plTriNode* node = &tree->node[k];
    Box* box = &s->box[k];
    box->begin = n;
    for (int i = node->first; node->count && !is_empty(box) && i < node->first + node->count; i++)
      if (s->facet[i].id >= 0) s->facet[n++] = s->facet[i];
    box->end = n;
  }
  // the last leaf below a node is that below its right child
  for (int k = tree->nnode - 1; k >= 0; k--)
    if (!tree->node[k].count) s->box[k].end = s->box[tree->node[k].right].end;
}

// The active facets of a side as rows; false if memory runs out.
static bool make_rows(const plPair* pair, const Side* s, plFacetRows* rows) {
  int n = s->box[0].end;
  rows->stride = (size_t)n + PL_FACETS_MOST;
  rows->at = PL_ARENA_NEW(pair->arena, double, PL_FACET_NUMBERS * rows->stride);
  if (!rows->at) return false;
  for (int k = 0; k < PL_FACET_NUMBERS; k++)
    for (int i = n; i < n + PL_FACETS_MOST; i++) rows->at[(size_t)k * rows->stride + (size_t)i] = 0;
  for (int i = 0; i < n; i++) pl_facet_store(rows, i, &s->facet[i]);
  return true;
}

static double least_product(double al, double au, double bl, double bu) {
  double p = al * bl, q = al * bu, r = au * bl, s = au * bu;
  return min3(p, q, r < s ? r : s);
}

// The smallest product of two normals, one of each box, with a margin for rounding.
static double most_facing(const Box* a, const Box* b) {
  return least_product(a->n_lower.x, a->n_upper.x, b->n_lower.x, b->n_upper.x) +
         least_product(a->n_lower.y, a->n_upper.y, b->n_lower.y, b->n_upper.y) +
         least_product(a->n_lower.z, a->n_upper.z, b->n_lower.z, b->n_upper.z) - PL_ROUNDING;
}

typedef struct Nodes {
  int a, b;
} Nodes;

typedef struct Descent {
  const plTriTree *A, *B;
  Side a, b;
  double margin;     // m, largest distance at which facets are compared
  plFacetRows rows;  // the active facets of B, as they are compared
  plFacetsCompare* compare;
  Nodes* task;  // nodes at which parts of the traversal begin
} Descent;

// Facet k of those that were compared with a. If polygons may not show the contacts of the two, they are
// listed, with a lower bound of their distance.
static plStatus take_facet(plPair* pair, const plFacet* a, int b, const plFacetsNear* near, int k) {
  bool shown = false;
  plStatus status = PL_OK;
  if (near->face >> k & 1)
    status = try_facets(pair, a->id, b, near->facing[k], near->height[k], facets_beyond(near, k), &shown);
  if (status || shown) return status;
  plPairScratch* s = pair->scratch;
  plNear listed = {a->id, b, near->least2[k]};
  return PL_PUSH(s->near, s->nnear, s->near_cap, listed) ? PL_OK : PL_ERROR_MEMORY;
}

// Nodes with at most this many pairs of active facets are not opened: comparing all pairs costs less than the
// tests of boxes below them. Two leaves have at most 16.
enum { FEW = 128 };

static bool are_few(const Descent* d, Nodes at) {
  const Box *a = &d->a.box[at.a], *b = &d->b.box[at.b];
  bool leaves = d->A->node[at.a].count && d->B->node[at.b].count;
  return leaves || (long)(a->end - a->begin) * (b->end - b->begin) <= FEW;
}

// All pairs of active facets of two nodes that are near each other.
static plStatus compare_all(plPair* pair, const Descent* d, Nodes at) {
  const Box *a_box = &d->a.box[at.a], *b_box = &d->b.box[at.b];
  double margin = d->margin;
  plStatus status = PL_OK;
  for (const plFacet* a = d->a.facet + a_box->begin; a < d->a.facet + a_box->end; a++) {
    if (apart(a->lower, a->upper, b_box->lower, b_box->upper, reach_of(a->limit, b_box->limit, margin)))
      continue;
    for (int i = b_box->begin; i < b_box->end && !status; i += PL_FACETS_MOST) {
      int n = b_box->end - i < PL_FACETS_MOST ? b_box->end - i : PL_FACETS_MOST;
      plFacetsNear near;
      for (unsigned found = d->compare(a, &d->rows, i, n, margin, &near); found && !status;
           found &= found - 1) {
        int k = __builtin_ctz(found);
        status = take_facet(pair, a, d->b.facet[i + k].id, &near, k);
      }
    }
  }
  return status;
}

static double extent(const plTriNode* n) { return v3_norm2(v3_sub(n->upper, n->lower)); }

static bool nodes_meet(const Descent* d, Nodes at) {
  const Box *a = &d->a.box[at.a], *b = &d->b.box[at.b];
  if (apart(a->lower, a->upper, b->lower, b->upper, reach_of(a->limit, b->limit, d->margin))) return false;
  double facing = most_facing(a, b);
  return facing < PL_FACING ||
         (facing < PL_FACING_AT_ALL && !apart(a->lower, a->upper, b->lower, b->upper, d->margin));
}

// The larger of the two is opened; its left child comes first.
static void open_nodes(const Descent* d, Nodes at, Nodes* left, Nodes* right) {
  const plTriNode *na = &d->A->node[at.a], *nb = &d->B->node[at.b];
  bool open_a = !na->count && (nb->count || extent(na) >= extent(nb));
  *right = open_a ? (Nodes){na->right, at.b} : (Nodes){at.a, nb->right};
  *left = open_a ? (Nodes){at.a + 1, at.b} : (Nodes){at.a, at.b + 1};
}

static plStatus descend(plPair* pair, const Descent* d, Nodes from) {
  Nodes stack[4 * PL_TRI_TREE_DEPTH];
  int depth = 0;
  stack[depth++] = from;
  while (depth) {
    Nodes at = stack[--depth];
    if (!nodes_meet(d, at)) continue;
    if (are_few(d, at)) {
      plStatus status = compare_all(pair, d, at);
      if (status) return status;
      continue;
    }
    assert(depth + 2 <= 4 * PL_TRI_TREE_DEPTH);
    open_nodes(d, at, &stack[depth + 1], &stack[depth]);
    depth += 2;
  }
  return PL_OK;
}

static plStatus descend_some(plPair* part, void* context, int begin, int end) {
  const Descent* d = context;
  plStatus status = PL_OK;
  for (int i = begin; i < end && !status; i++) status = descend(part, d, d->task[i]);
  return status;
}

// Opens all nodes of the list, which keeps its order, until there are enough of them: traversing from each in
// turn equals one traversal from the top.
static int widen(const Descent* d, Nodes* list, Nodes* wider, int n, int enough) {
  const int room = 2 * enough;
  for (bool opened = true; opened && n > 0 && n < enough;) {
    int m = 0;
    opened = false;
    for (int i = 0; i < n; i++) {
      if (!nodes_meet(d, list[i])) continue;
      assert(m + 2 <= room);
      if (are_few(d, list[i])) {
        wider[m++] = list[i];
        continue;
      }
      open_nodes(d, list[i], &wider[m], &wider[m + 1]);
      m += 2, opened = true;
    }
    for (int i = 0; i < m; i++) list[i] = wider[i];
    n = m;
  }
  return n;
}

enum { ENOUGH = 512 };

plStatus pl_pair_polygons(plPair* pair) {
  Descent d = {.A = pair->A->tree, .B = pair->B->tree, .margin = pair->margin};
  if (!d.A->nnode || !d.B->nnode) return PL_OK;
  // The smaller surface first: its active facets leave fewer of the larger one.
  bool a_first = pair->A->ntri <= pair->B->ntri;
  const plSkin *P = a_first ? pair->A : pair->B, *Q = a_first ? pair->B : pair->A;
  Side *p = a_first ? &d.a : &d.b, *q = a_first ? &d.b : &d.a;
  if (!list_side(pair, P, Q, NULL, p)) return PL_ERROR_MEMORY;
  if (is_empty(p->box)) return PL_OK;
  if (!list_side(pair, Q, P, p->box, q)) return PL_ERROR_MEMORY;
  if (is_empty(q->box)) return PL_OK;
  narrow_side(p, q->box);
  if (is_empty(p->box)) return PL_OK;
  pack_side(p), pack_side(q);
  d.compare = pl_facets_near();
  if (!make_rows(pair, &d.b, &d.rows)) return PL_ERROR_MEMORY;
  Nodes task[2 * ENOUGH], wider[2 * ENOUGH];
  task[0] = (Nodes){0, 0}, d.task = task;
  return pl_pair_in_runs(pair, pair->pool ? widen(&d, task, wider, 1, ENOUGH) : 1, 1, descend_some, &d);
}

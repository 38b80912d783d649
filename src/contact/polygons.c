// polygons.c: common parts of facets that face each other, by descending both trees of boxes at once.
#include <math.h>

#include "contact/pair.h"

static bool all_held(const bool* held, const int* v) { return held && held[v[0]] && held[v[1]] && held[v[2]]; }

static plStatus try_facets(plPair* pair, int a, int b) {
  plPairScratch* scratch = pair->scratch;
  plSkin *A = pair->A, *B = pair->B;
  pair->list->candidates++;
  double facing = v3_dot(skin_normal(A, a), skin_normal(B, b));
  if (all_held(pair->held_a, A->tri + 3 * (size_t)a) || all_held(pair->held_b, B->tri + 3 * (size_t)b)) return PL_OK;
  plClip clip;
  if (!pl_clip_facets(A, a, B, b, -fmin(A->tri_limit[a], B->tri_limit[b]), pair->window, &clip)) return PL_OK;

  plPolygon polygon = {.a = a, .b = b, .mark0 = scratch->nmark};
  for (int k = 0; k < 3; k++) polygon.mortar_a[k] = clip.mortar_a[k], polygon.mortar_b[k] = clip.mortar_b[k];
  for (int i = 0; i < clip.n; i++) {
    const plCorner* corner = &clip.corner[i];
    if (corner->kind != PL_CORNER_CROSSING) continue;
    plCrossMark mark = {A->tri_edge[3 * (size_t)a + (size_t)corner->ia], B->tri_edge[3 * (size_t)b + (size_t)corner->ib],
                        corner->third, clip.m, facing < -0.97, -1};
    if (!PL_PUSH(scratch->mark, scratch->nmark, scratch->mark_cap, mark)) return PL_ERROR_MEMORY;
    polygon.nmark++;
  }
  return PL_PUSH(scratch->polygon, scratch->npolygon, scratch->polygon_cap, polygon) ? PL_OK : PL_ERROR_MEMORY;
}

// ---- the descent

static bool apart(plVec3 la, plVec3 ua, plVec3 lb, plVec3 ub, double reach) {
  return la.x - reach > ub.x || lb.x - reach > ua.x || la.y - reach > ub.y || lb.y - reach > ua.y || la.z - reach > ub.z || lb.z - reach > ua.z;
}

// Without the care of fmin for what is not a number: it would take most of the time here.
static inline double least(double a, double b, double c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }
static inline double most(double a, double b, double c) { return a > b ? (a > c ? a : c) : (b > c ? b : c); }

typedef struct Facet {
  plVec3 x[3], n, lower, upper;
  double limit;  // deepest overlap
  int id;
} Facet;

static Facet get_facet(const plSkin* s, int t) {
  const int* v = s->tri + 3 * (size_t)t;
  Facet f = {{skin_x(s, v[0]), skin_x(s, v[1]), skin_x(s, v[2])}, skin_normal(s, t), {0, 0, 0}, {0, 0, 0}, s->tri_limit[t], t};
  f.lower = v3(least(f.x[0].x, f.x[1].x, f.x[2].x), least(f.x[0].y, f.x[1].y, f.x[2].y), least(f.x[0].z, f.x[1].z, f.x[2].z));
  f.upper = v3(most(f.x[0].x, f.x[1].x, f.x[2].x), most(f.x[0].y, f.x[1].y, f.x[2].y), most(f.x[0].z, f.x[1].z, f.x[2].z));
  return f;
}

// Whether all of g lies above the plane of f by more than the window: then so is the gap, whatever direction it is measured along.
static bool above(const Facet* f, const Facet* g, double window) {
  double base = v3_dot(f->x[0], f->n) + window;
  return v3_dot(g->x[0], f->n) > base && v3_dot(g->x[1], f->n) > base && v3_dot(g->x[2], f->n) > base;
}

typedef struct List {
  const plSkin* skin;
  const plTriNode* root;  // of the other surface
  double window;
  Facet* facet;           // [ntri]
} List;

static void list_some(void* context, int begin, int end, int worker) {
  (void)worker;
  List* l = context;
  for (int i = begin; i < end; i++) {
    int t = l->skin->tree->order[i];
    Facet f = get_facet(l->skin, t);
    // What overlaps lies inside the other surface, so within its box.
    if (!(l->skin->tri_area[t] > 0) || apart(f.lower, f.upper, l->root->lower, l->root->upper, l->window)) f.id = -1;
    l->facet[i] = f;
  }
}

// The facets of a surface in the order of its tree; those without area or outside the other surface's box have id -1.
static Facet* list_facets(const plPair* pair, const plSkin* s, const plTriNode* root) {
  List list = {s, root, pair->window, PL_ARENA_NEW(pair->arena, Facet, s->ntri)};
  if (list.facet) pl_parallel_for(pair->pool, s->ntri, 512, list_some, &list);
  return list.facet;
}

// Those of a leaf that are near the box of the other leaf.
static int near_facets(const Facet* facet, const plTriNode* leaf, const plTriNode* other, double window, double reach, const Facet** near) {
  int n = 0;
  for (const Facet* f = facet + leaf->first; f < facet + leaf->first + leaf->count; f++) {
    double far = f->limit < reach ? (f->limit > window ? f->limit : window) : reach;
    if (f->id >= 0 && !apart(f->lower, f->upper, other->lower, other->upper, far)) near[n++] = f;
  }
  return n;
}

// All pairs of facets of two leaves that are near each other.
static plStatus compare_leaves(plPair* pair, const Facet* A, const Facet* B, const plTriNode* na, const plTriNode* nb, double reach) {
  const Facet *fa[PL_TRI_TREE_LEAF], *fb[PL_TRI_TREE_LEAF];
  double window = pair->window;
  int n = near_facets(A, na, nb, window, reach, fa);
  int m = n ? near_facets(B, nb, na, window, reach, fb) : 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) {
      const Facet *a = fa[i], *b = fb[k];
      if (!(v3_dot(a->n, b->n) < -0.25)) continue;
      double deepest = a->limit < b->limit ? a->limit : b->limit;
      if (apart(a->lower, a->upper, b->lower, b->upper, deepest > window ? deepest : window)) continue;
      if (above(a, b, window) || above(b, a, window)) continue;
      plStatus status = try_facets(pair, a->id, b->id);
      if (status) return status;
    }
  return PL_OK;
}

typedef struct Nodes { int a, b; } Nodes;

typedef struct Descent {
  const plTriTree *A, *B;
  const Facet *facet_a, *facet_b;
  double reach, window;
  Nodes* task;   // where parts of the descent begin
} Descent;

static double extent(const plTriNode* n) { return v3_norm2(v3_sub(n->upper, n->lower)); }

static bool nodes_meet(const Descent* d, const plTriNode* na, const plTriNode* nb) {
  return !apart(na->lower, na->upper, nb->lower, nb->upper, d->reach) && !apart(na->lower, na->upper, d->B->node->lower, d->B->node->upper, d->window) &&
         !apart(nb->lower, nb->upper, d->A->node->lower, d->A->node->upper, d->window);
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
    const plTriNode *na = &d->A->node[at.a], *nb = &d->B->node[at.b];
    if (!nodes_meet(d, na, nb)) continue;
    if (na->count && nb->count) {
      plStatus status = compare_leaves(pair, d->facet_a, d->facet_b, na, nb, d->reach);
      if (status) return status;
      continue;
    }
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

// Opens all nodes of the list, which keeps its order, until it has enough of them: a descent from each in turn is the one from the top.
static int widen(const Descent* d, Nodes* list, Nodes* wider, int n, int enough) {
  for (bool opened = true; opened && n > 0 && n < enough;) {
    int m = 0;
    opened = false;
    for (int i = 0; i < n; i++) {
      const plTriNode *na = &d->A->node[list[i].a], *nb = &d->B->node[list[i].b];
      if (!nodes_meet(d, na, nb)) continue;
      if (na->count && nb->count) {
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
  Descent d = {.A = pair->A->tree, .B = pair->B->tree, .window = pair->window};
  if (!d.A->nnode || !d.B->nnode) return PL_OK;
  d.reach = fmax(pair->window, fmin(pair->A->limit, pair->B->limit));
  d.facet_a = list_facets(pair, pair->A, d.B->node);
  d.facet_b = list_facets(pair, pair->B, d.A->node);
  if (!d.facet_a || !d.facet_b) return PL_ERROR_MEMORY;
  Nodes task[2 * ENOUGH], wider[2 * ENOUGH];
  task[0] = (Nodes){0, 0}, d.task = task;
  return pl_pair_in_runs(pair, pair->pool ? widen(&d, task, wider, 1, ENOUGH) : 1, 1, descend_some, &d);
}

// self_tree.c: a tree over the facets of a body for traversing it with itself.
//
// Facets with the same normal cannot face each other. Nodes therefore group facets with similar positions and
// normals at rest: a node is halved along the axis, of position or of normal times the size of the body,
// along which its facets differ most. The traversal then skips a flat side with itself, and a side with its
// back, after one test.
#include <assert.h>
#include <math.h>

#include "contact/self.h"

// Scale of normals relative to positions, as a fraction of the body's size. A torus and a ring take about the
// same time from 0.1 to 0.5; a plate takes less the larger it is. It affects no result.
#define NORMAL 0.25

typedef struct Item {
  double at[6];  // m, centre and normal
  int facet;
} Item;

typedef struct Build {
  Item* item;
  plTriTree* tree;
} Build;

static int widest_axis(const Item* item, int n) {
  int widest = 0;
  double most = -1;
  for (int k = 0; k < 6; k++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < n; i++) low = fmin(low, item[i].at[k]), high = fmax(high, item[i].at[k]);
    if (high - low > most) most = high - low, widest = k;
  }
  return widest;
}

// Ties are in the order of the facets, so that the tree does not depend on the sorting algorithm.
static bool before(const Item* a, const Item* b, int axis) {
  return a->at[axis] < b->at[axis] || (a->at[axis] == b->at[axis] && a->facet < b->facet);
}

static void swap(Item* a, Item* b) {
  Item t = *a;
  *a = *b, *b = t;
}

// Moves the half that comes first along the axis to the front.
static void part(Item* item, int n, int half, int axis) {
  int low = 0, high = n - 1;
  while (low < high) {
    Item pivot = item[low + (high - low) / 2];
    int i = low, j = high;
    while (i <= j) {
      while (before(&item[i], &pivot, axis)) i++;
      while (before(&pivot, &item[j], axis)) j--;
      if (i <= j) swap(&item[i++], &item[j--]);
    }
    if (half <= j)
      high = j;
    else if (half >= i)
      low = i;
    else
      return;
  }
}

// A node and everything below it; its left child follows it.
static void build(Build* b, int first, int n) {
  plTriTree* t = b->tree;
  int k = t->nnode++;
  assert(t->nnode <= 2 * t->ntri);
  if (n <= PL_TRI_TREE_LEAF) {
    t->node[k] = (plTriNode){.first = first, .count = n};
    for (int i = first; i < first + n; i++) t->order[i] = b->item[i].facet;
    return;
  }
  int half = n / 2;
  part(b->item + first, n, half, widest_axis(b->item + first, n));
  t->node[k] = (plTriNode){.first = first};
  build(b, first, half);
  t->node[k].right = t->nnode;
  build(b, first + half, n - half);
}

bool pl_self_tree_create(plSelf* s, const plSkin* skin) {
  int n = skin->ntri;
  plVec3 lower = {INFINITY, INFINITY, INFINITY}, upper = v3_neg(lower);
  for (int t = 0; t < n; t++) {
    plVec3 c = v3_load(s->centre + 3 * (size_t)t);
    lower = v3_min(lower, c), upper = v3_max(upper, c);
  }
  s->tree = (plTriTree){.ntri = n, .order = PL_NEW(int, n), .node = PL_NEW(plTriNode, n ? 2 * n : 1)};
  Build b = {PL_NEW(Item, n), &s->tree};
  bool ok = s->tree.order && s->tree.node && b.item;
  double size = n ? v3_norm(v3_sub(upper, lower)) : 0;
  for (int t = 0; ok && t < n; t++) {
    plVec3 c = v3_load(s->centre + 3 * (size_t)t),
           m = v3_scale(NORMAL * size, v3_load(s->normal + 3 * (size_t)t));
    b.item[t] = (Item){{c.x, c.y, c.z, m.x, m.y, m.z}, t};
  }
  if (ok && n) build(&b, 0, n);
  pl_free(b.item);
  return ok;
}

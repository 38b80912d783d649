// self_list.c: pairs of facets of one body that may come near each other, kept while it keeps its shape.
//
// Most pairs of facets near each other are PL_KIN_OWN: neighbours, or the two sides of a layer. A list of all
// other pairs nearer than the margin plus some room is made from time to time. It is complete as long as the
// present shape differs from the shape at that time, moved as a rigid body, by less than that room. The list
// saves time and changes no result: it is sorted, and pairs too far apart give no points.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "contact/pair.h"
#include "math/polar.h"

// Cells. With more room the list lasts longer but contains more pairs that are too far apart.
#define ROOM 1.5
// Facets in an inner corner whose normals have a larger product than this cannot face each other before one
// of them has turned by more than 32 degrees, which changes its normal by this much.
#define ALIKE 0.9
#define TURN 0.55
// Steps that a list should last at the present speed. A body that is faster, or has a margin of more cells
// than this, is searched again in every step.
#define STEPS 3
#define WIDE 2

// (Comparisons, since fmin and fmax are calls.)
static inline double most(double a, double b) { return a > b ? a : b; }

bool pl_self_list_create(plSelf* s, const plSkin* skin) {
  plSelfList* l = &s->list;
  l->x = PL_NEW(double, 3 * skin->nvert);
  l->normal = PL_NEW(double, 3 * skin->ntri);
  l->displacement = PL_NEW(double, skin->ntri);
  l->vert_displacement2 = PL_NEW(double, skin->nvert);
  l->first = PL_NEW(int, skin->ntri + 1);
  return l->x && l->normal && l->displacement && l->vert_displacement2 && l->first;
}

void pl_self_list_destroy(plSelf* s) {
  plSelfList* l = &s->list;
  pl_free(l->x), pl_free(l->normal), pl_free(l->displacement), pl_free(l->vert_displacement2),
      pl_free(l->first), pl_free(l->pair);
}

static plVec3 middle(const double* x, int n) {
  plVec3 c = {0, 0, 0};
  for (int i = 0; i < n; i++) c = v3_add(c, v3_load(x + 3 * (size_t)i));
  return v3_scale(1.0 / n, c);
}

// The rotation between two shapes. (Any rotation is valid: a poor one only finds larger differences.)
static plMat3 turn_between(const double* from, plVec3 c0, const double* to, plVec3 c1, int n) {
  plMat3 sum = {{0}};
  for (int i = 0; i < n; i++) {
    plVec3 r0 = v3_sub(v3_load(from + 3 * (size_t)i), c0), r1 = v3_sub(v3_load(to + 3 * (size_t)i), c1);
    sum = m3_add(sum, m3_outer(r1, r0));
  }
  return pl_polar(sum);
}

void pl_self_list_measure(plSelf* s, const plSkin* skin) {
  plSelfList* l = &s->list;
  l->moved = INFINITY;
  if (!(l->room > 0)) return;
  plVec3 c0 = middle(l->x, skin->nvert), c1 = middle(skin->x, skin->nvert);
  plMat3 R = turn_between(l->x, c0, skin->x, c1, skin->nvert);
  double far2 = 0, turn2 = 0;
  for (int i = 0; i < skin->nvert; i++) {
    if (skin->vert_tri[i] < 0) continue;
    plVec3 x = v3_add(c1, m3_mulv(R, v3_sub(v3_load(l->x + 3 * (size_t)i), c0)));
    l->vert_displacement2[i] = v3_norm2(v3_sub(skin_x(skin, i), x));
    far2 = most(far2, l->vert_displacement2[i]);
  }
  for (int t = 0; t < skin->ntri; t++) {
    const int* v = skin->tri + 3 * (size_t)t;
    l->displacement[t] = sqrt(
        most(most(l->vert_displacement2[v[0]], l->vert_displacement2[v[1]]), l->vert_displacement2[v[2]]));
    plVec3 n = m3_mulv(R, v3_load(l->normal + 3 * (size_t)t));
    turn2 = most(turn2, v3_norm2(v3_sub(skin_normal(skin, t), n)));
  }
  if (turn2 < TURN * TURN) l->moved = 2 * sqrt(far2);
}

bool pl_self_list_holds(const plSelf* s, double reach) {
  const plSelfList* l = &s->list;
  return fmax(0, reach - l->margin) + l->moved < l->room;
}

bool pl_self_list_will_last(const plSelf* s, const plSkin* skin, double margin, double fastest) {
  return margin < WIDE * skin->cell && STEPS * 2 * s->dt * fastest < ROOM * skin->cell;
}

// ---- making the list

typedef struct Search {
  const plSelf* self;
  const plSkin* skin;
  double margin, room;
} Search;

static inline plVec3 lower_of(plVec3 a, plVec3 b) {
  return v3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}
static inline plVec3 upper_of(plVec3 a, plVec3 b) {
  return v3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

// m^2, lower bound of the squared distance of two boxes.
static double distance2(plVec3 low_a, plVec3 high_a, plVec3 low_b, plVec3 high_b) {
  double x = most(0, most(low_a.x - high_b.x, low_b.x - high_a.x)),
         y = most(0, most(low_a.y - high_b.y, low_b.y - high_a.y)),
         z = most(0, most(low_a.z - high_b.z, low_b.z - high_a.z));
  return x * x + y * y + z * z;
}

static void box_of(const plSkin* skin, int t, plVec3* low, plVec3* high) {
  const int* v = skin->tri + 3 * (size_t)t;
  plVec3 a = skin_x(skin, v[0]), b = skin_x(skin, v[1]), c = skin_x(skin, v[2]);
  *low = lower_of(lower_of(a, b), c), *high = upper_of(upper_of(a, b), c);
}

static plStatus gather_facets(plPair* pair, const Search* search, int a, int b, double d2) {
  const plSelf* s = search->self;
  double shallow = s->shallow[a] < s->shallow[b] ? s->shallow[a] : s->shallow[b],
         reach = (search->margin > shallow ? search->margin : shallow) + search->room;
  if (d2 > reach * reach) return PL_OK;
  plKin kin = pl_self_kin(s, search->skin, a, b);
  if (kin == PL_KIN_OWN ||
      (kin == PL_KIN_BESIDE && v3_dot(skin_normal(search->skin, a), skin_normal(search->skin, b)) > ALIKE))
    return PL_OK;
  plPairScratch* to = pair->scratch;
  plNear near = {a < b ? a : b, a < b ? b : a, d2};
  return PL_PUSH(to->near, to->nnear, to->near_cap, near) ? PL_OK : PL_ERROR_MEMORY;
}

static plStatus gather_leaves(plPair* pair, const Search* search, const plTriTree* t, const plTriNode* na,
                              const plTriNode* nb) {
  plVec3 low, high, lo[PL_TRI_TREE_LEAF], hi[PL_TRI_TREE_LEAF];
  assert(nb->count <= PL_TRI_TREE_LEAF);
  for (int k = 0; k < nb->count; k++) box_of(search->skin, t->order[nb->first + k], &lo[k], &hi[k]);
  plStatus status = PL_OK;
  for (int i = 0; i < na->count && !status; i++) {
    int a = t->order[na->first + i];
    box_of(search->skin, a, &low, &high);
    for (int k = na == nb ? i + 1 : 0; k < nb->count && !status; k++)
      status = gather_facets(pair, search, a, t->order[nb->first + k], distance2(low, high, lo[k], hi[k]));
  }
  return status;
}

// Traverses the surface's own tree with itself.
static plStatus gather_near(plPair* pair, void* context, int begin, int end) {
  const Search* search = context;
  const plTriTree* t = search->skin->tree;
  double limit = search->self->deepest,
         reach = (search->margin > limit ? search->margin : limit) + search->room;
  int stack[6 * PL_TRI_TREE_DEPTH][2], depth = 0;
  plStatus status = PL_OK;
  (void)begin, (void)end;
  stack[depth][0] = 0, stack[depth++][1] = 0;
  while (depth && !status) {
    int a = stack[--depth][0], b = stack[depth][1];
    const plTriNode *na = &t->node[a], *nb = &t->node[b];
    if (a != b && distance2(na->lower, na->upper, nb->lower, nb->upper) > reach * reach) continue;
    if (na->count && nb->count) {
      status = gather_leaves(pair, search, t, na, nb);
      continue;
    }
    bool open_a = !na->count && (nb->count || v3_norm2(v3_sub(na->upper, na->lower)) >=
                                                  v3_norm2(v3_sub(nb->upper, nb->lower)));
    assert(depth + 3 <= 6 * PL_TRI_TREE_DEPTH);
    if (a == b) {
      stack[depth][0] = a + 1, stack[depth++][1] = a + 1, stack[depth][0] = na->right,
      stack[depth++][1] = na->right, stack[depth][0] = a + 1, stack[depth++][1] = na->right;
    } else {
      stack[depth][0] = open_a ? na->right : a, stack[depth++][1] = open_a ? b : nb->right;
      stack[depth][0] = open_a ? a + 1 : a, stack[depth++][1] = open_a ? b : b + 1;
    }
  }
  return status;
}

plStatus pl_self_list_gather(plPair* pair, double margin) {
  Search search = {pair->self, pair->A, margin, ROOM * pair->A->cell};
  return pl_pair_in_runs(pair, 1, 1, gather_near, &search);
}

// Counting sort by the first facet, insertion sort by the second.
static void sort_pairs(plSelfPair* pair, int first, int last) {
  for (int i = first + 1; i < last; i++) {
    plSelfPair moving = pair[i];
    int k = i;
    for (; k > first && pair[k - 1].b > moving.b; k--) pair[k] = pair[k - 1];
    pair[k] = moving;
  }
}

plStatus pl_self_list_make(plPair* pair, double margin, bool lasts) {
  plSelf* s = pair->ca->self;
  const plSkin* skin = pair->A;
  plSelfList* l = &s->list;
  l->npair = 0, l->room = 0, l->moved = 0;
  while (l->cap < pair->nnear)
    if (!pl_grow((void**)&l->pair, &l->cap, l->cap, sizeof *l->pair)) return PL_ERROR_MEMORY;
  memset(l->first, 0, (size_t)(skin->ntri + 1) * sizeof *l->first);
  for (int r = 0; r < pair->nrun; r++) {
    const plNear* near = pair->run[r].scratch->near + pair->run[r].near0;
    for (int i = 0; i < pair->run[r].nnear; i++) {
      assert(near[i].a >= 0 && near[i].a < skin->ntri && near[i].b >= 0 && near[i].b < skin->ntri);
      l->first[near[i].a + 1]++;
    }
  }
  for (int t = 0; t < skin->ntri; t++) l->first[t + 1] += l->first[t];
  for (int r = 0; r < pair->nrun; r++) {
    const plNear* near = pair->run[r].scratch->near + pair->run[r].near0;
    for (int i = 0; i < pair->run[r].nnear; i++) {
      int a = near[i].a, b = near[i].b;
      assert(l->first[a] < pair->nnear);
      l->pair[l->first[a]++] = (plSelfPair){a, b, pl_self_kin(s, skin, a, b), sqrt(near[i].least2),
                                            fmin(s->shallow[a], s->shallow[b])};
    }
  }
  for (int t = 0; t < skin->ntri; t++) sort_pairs(l->pair, t ? l->first[t - 1] : 0, l->first[t]);
  l->npair = pair->nnear;
  // removes PL_KIN_OWN pairs among those that may be in contact in this step alone
  if (!lasts) {
    int kept = 0;
    for (int i = 0; i < l->npair; i++)
      if (l->pair[i].kin != PL_KIN_OWN) l->pair[kept++] = l->pair[i];
    l->npair = kept;
  }
  memset(l->displacement, 0, (size_t)skin->ntri * sizeof *l->displacement);
  if (!lasts) return PL_OK;
  memcpy(l->x, skin->x, 3 * (size_t)skin->nvert * sizeof(double));
  memcpy(l->normal, skin->tri_normal, 3 * (size_t)skin->ntri * sizeof(double));
  l->margin = margin, l->room = ROOM * skin->cell;
  return PL_OK;
}

// closest.c: points where two surfaces are closest and no polygon says so.
//
// Polygons need facets that face each other and lie above each other. The closest places of two surfaces need
// not have such facets: a tip stands on a floor, edges run parallel, a corner passes an edge. But wherever
// two surfaces that are apart are locally closest, the two points belong to a pair of features (vertex, edge,
// facet) and the direction between them lies in the normal cone of either. These are found among all facets
// that are near, and those that no other point stands for become points: what is nearer than the window is
// never missed, whatever the angles. Two more of the kind overlap already: a tip below a facet, and parallel
// edges, each inside the other's wedge, which push along the bisector.
#include <math.h>

#include "contact/pair.h"
#include "contact/thresholds.h"
#include "geom/closest.h"

static bool all_held(const bool* held, const int* vert, const double* weight) {
  for (int k = 0; k < 3 && held; k++)
    if (weight[k] > 0 && !held[vert[k]]) return false;
  return held;
}

static plStatus keep(plPair* pair, plClosest c) {
  plPairScratch* s = pair->scratch;
  if (all_held(pair->held_a, pair->A->tri + 3 * (size_t)c.ta, c.wa)) return PL_OK;
  if (all_held(pair->held_b, pair->B->tri + 3 * (size_t)c.tb, c.wb)) return PL_OK;
  return PL_PUSH(s->closest, s->nclosest, s->closest_cap, c) ? PL_OK : PL_ERROR_MEMORY;
}

// The lumped area of a place on facet t; a place inside says nothing.
static double whole_at(const plSkin* s, int t, const double w[3]) {
  double area = 0;
  for (int k = 0; k < 3; k++) {
    if (!(w[0] > 0 && w[1] > 0 && w[2] > 0)) area += w[k] * s->vert_area[s->tri[3 * (size_t)t + (size_t)k]];
  }
  return area > 0 ? area : INFINITY;
}

static double whole_of(const plPair* pair, const plClosest* c) {
  double whole = fmin(whole_at(pair->A, c->ta, c->wa), whole_at(pair->B, c->tb, c->wb));
  return isfinite(whole) ? whole : 0;
}

static void get_corners(const plSkin* s, int t, plVec3 x[3]) {
  for (int k = 0; k < 3; k++) x[k] = skin_x(s, s->tri[3 * (size_t)t + (size_t)k]);
}

// ---- apart

// Features of the two facets whose distance is that of the surfaces around; gap > 0.
static bool locally_closest(const plPair* pair, int a, int b, plClosest* c) {
  plVec3 xa[3], xb[3];
  get_corners(pair->A, a, xa), get_corners(pair->B, b, xb);
  plFacetGap g = pl_facet_gap(xa, xb, pair->reach);
  // Where they touch there is no direction: facets that cross are not apart.
  if (!(g.gap > PL_CLOSEST_SLACK * fmin(pair->A->cell, pair->B->cell)) || !(g.gap <= pair->reach))
    return false;
  plVec3 n = v3_scale(1 / g.gap, v3_sub(g.b, g.a));
  if (!pl_skin_farthest(pair->A, a, g.at_a, n, PL_CLOSEST_SLACK) ||
      !pl_skin_farthest(pair->B, b, g.at_b, v3_neg(n), PL_CLOSEST_SLACK))
    return false;
  *c = (plClosest){.ta = a, .tb = b, .n = n, .gap = g.gap};
  for (int k = 0; k < 3; k++) c->wa[k] = g.wa[k], c->wb[k] = g.wb[k];
  c->whole = whole_of(pair, c);
  return true;
}

// ---- a tip below a facet

static plStatus try_tips(plPair* pair, int p, int q, bool p_is_a) {
  const plSkin *P = p_is_a ? pair->A : pair->B, *Q = p_is_a ? pair->B : pair->A;
  plVec3 n = skin_normal(Q, q), foot = skin_x(Q, Q->tri[3 * (size_t)q]), x[3];
  get_corners(P, p, x);
  double h[3] = {v3_dot(v3_sub(x[0], foot), n), v3_dot(v3_sub(x[1], foot), n), v3_dot(v3_sub(x[2], foot), n)};
  for (int k = 0; k < 3; k++) {
    int v = P->tri[3 * (size_t)p + (size_t)k];
    double gap = h[k], w[3];
    // Most facets show that it is no tip.
    if (gap > 0 || h[(k + 1) % 3] <= gap || h[(k + 2) % 3] <= gap) continue;
    if (gap < -fmin(Q->tri_limit[q], P->vert_limit[v])) continue;
    pl_skin_barycentric(Q, q, skin_x(P, v), w);
    if (w[0] < 0 || w[1] < 0 || w[2] < 0 || !(pl_skin_tip(P, v, v3_neg(n)) > PL_CLOSEST_TIP)) continue;
    if (pl_pair_came_through(Q, v3_madd(skin_x(P, v), -gap, n), skin_x(P, v))) continue;
    plClosest c = {.ta = p_is_a ? p : q, .tb = p_is_a ? q : p, .n = p_is_a ? v3_neg(n) : n, .gap = gap};
    double *wp = p_is_a ? c.wa : c.wb, *wq = p_is_a ? c.wb : c.wa;
    wp[k] = 1;
    for (int i = 0; i < 3; i++) wq[i] = w[i];
    c.whole = P->vert_area[v];
    plStatus status = keep(pair, c);
    if (status) return status;
  }
  return PL_OK;
}

// ---- parallel edges

typedef struct Edge {
  const plSkin* skin;
  int facet, side, edge;
  plVec3 x, along;  // from corner side to the next
  plVec3 normal;    // sum of its facets' normals
  double limit;     // m, deepest overlap
  double length2;
} Edge;

static Edge get_edge(const plSkin* s, int t, int k) {
  const int* v = s->tri + 3 * (size_t)t;
  plVec3 x = skin_x(s, v[k]), along = v3_sub(skin_x(s, v[(k + 1) % 3]), x);
  return (Edge){.skin = s,
                .facet = t,
                .side = k,
                .edge = s->tri_edge[3 * (size_t)t + (size_t)k],
                .x = x,
                .along = along,
                .length2 = v3_norm2(along)};
}

// Normal and limit, of an edge with two facets.
static void finish_edge(Edge* e) {
  const int* t = e->skin->edge_tri + 2 * e->edge;
  e->normal = v3_add(skin_normal(e->skin, t[0]), skin_normal(e->skin, t[1]));
  e->limit = fmin(e->skin->tri_limit[t[0]], e->skin->tri_limit[t[1]]);
}

// How far x has to move along n to leave the edge's wedge through either facet; negative: it is outside.
static double way_out(const Edge* e, plVec3 x, plVec3 n) {
  double least = INFINITY;
  for (int i = 0; i < 2; i++) {
    plVec3 m = skin_normal(e->skin, e->skin->edge_tri[2 * e->edge + i]);
    least = fmin(least, -v3_dot(v3_sub(x, e->x), m) / fmax(v3_dot(m, n), PL_CLOSEST_SLACK));
  }
  return least;
}

// The points of two edges at the same coordinate along both.
static plStatus emit_end(plPair* pair, const Edge* a, const Edge* b, double s, double t) {
  plVec3 xa = v3_madd(a->x, s, a->along), xb = v3_madd(b->x, t, b->along), d = v3_sub(xb, xa),
         n = v3_unit(v3_sub(a->normal, b->normal));
  double gap = v3_norm(d), out = fmin(way_out(a, xb, n), way_out(b, xa, v3_neg(n)));
  if (out >= 0) {
    // Each inside the other's wedge. Not where a facet lets them out much sooner: there they lie on each
    // other.
    gap = v3_dot(d, n);
    if (!(v3_dot(a->normal, b->normal) < PL_FACING * v3_norm(a->normal) * v3_norm(b->normal)) ||
        !(gap <= 0) || gap < -fmin(a->limit, b->limit) || -gap > PL_CHEAPER * out)
      return PL_OK;
  } else {
    if (!(gap > 0 && gap <= pair->reach)) return PL_OK;
    n = v3_scale(1 / gap, d);
    if (!pl_skin_farthest(a->skin, a->facet, PL_AT_SIDE + a->side, n, PL_CLOSEST_SLACK) ||
        !pl_skin_farthest(b->skin, b->facet, PL_AT_SIDE + b->side, v3_neg(n), PL_CLOSEST_SLACK))
      return PL_OK;
  }
  plClosest c = {.ta = a->facet, .tb = b->facet, .n = n, .gap = gap};
  c.wa[a->side] = 1 - s, c.wa[(a->side + 1) % 3] = s;
  c.wb[b->side] = 1 - t, c.wb[(b->side + 1) % 3] = t;
  c.whole = whole_of(pair, &c);
  return keep(pair, c);
}

// Two sharp edges that are nearly parallel touch along the stretch they share: at its two ends.
static plStatus try_parallel(plPair* pair, Edge* a, Edge* b) {
  double ee = a->length2, hh = b->length2, eh = v3_dot(a->along, b->along);
  if (!(ee > 0 && hh > 0) || ee * hh - eh * eh > PL_EDGES_PARALLEL * PL_EDGES_PARALLEL * ee * hh)
    return PL_OK;
  // Coordinates of b's ends along a, and of all ends along b.
  plVec3 r = v3_sub(b->x, a->x);
  double b0 = v3_dot(r, a->along) / ee, b1 = b0 + eh / ee, from = fmax(0, fmin(b0, b1)),
         to = fmin(1, fmax(b0, b1));
  if (!(to > from) || !pl_skin_edge_sharp(a->skin, a->edge) || !pl_skin_edge_sharp(b->skin, b->edge))
    return PL_OK;
  finish_edge(a), finish_edge(b);
  plStatus status = emit_end(pair, a, b, from, (from - b0) / (b1 - b0));
  return status ? status : emit_end(pair, a, b, to, (to - b0) / (b1 - b0));
}

// Corners of facet p that are within reach of facet q's plane all have points: there is no more to say.
static bool all_done(const plSkin* P, int p, const bool* done, const plSkin* Q, int q, double reach) {
  plVec3 n = skin_normal(Q, q), foot = skin_x(Q, Q->tri[3 * (size_t)q]);
  for (int k = 0; k < 3; k++) {
    int v = P->tri[3 * (size_t)p + (size_t)k];
    if (!done[v] && v3_dot(v3_sub(skin_x(P, v), foot), n) <= reach) return false;
  }
  return true;
}

static plStatus look_closer(plPair* pair, int a, int b) {
  if (pair->done_a && all_done(pair->A, a, pair->done_a, pair->B, b, pair->reach) &&
      all_done(pair->B, b, pair->done_b, pair->A, a, pair->reach))
    return PL_OK;
  plClosest c;
  plStatus status = PL_OK;
  if (locally_closest(pair, a, b, &c)) status = keep(pair, c);
  if (!status) status = try_tips(pair, a, b, true);
  if (!status) status = try_tips(pair, b, a, false);
  Edge ea[3], eb[3];
  for (int k = 0; k < 3; k++) ea[k] = get_edge(pair->A, a, k), eb[k] = get_edge(pair->B, b, k);
  for (int i = 0; i < 9 && !status; i++) status = try_parallel(pair, &ea[i / 3], &eb[i % 3]);
  return status;
}

static plStatus look_at_some(plPair* part, void* context, int begin, int end) {
  const plNear* near = context;
  plStatus status = PL_OK;
  for (int i = begin; i < end && !status; i++) status = look_closer(part, near[i].a, near[i].b);
  return status;
}

// ---- how far apart the surfaces are

static double box_gap2(const plTriNode* a, const plTriNode* b) {
  double x = fmax(0, fmax(a->lower.x - b->upper.x, b->lower.x - a->upper.x)),
         y = fmax(0, fmax(a->lower.y - b->upper.y, b->lower.y - a->upper.y)),
         z = fmax(0, fmax(a->lower.z - b->upper.z, b->lower.z - a->upper.z));
  return x * x + y * y + z * z;
}

static double leaf_gap(const plPair* pair, const plTriNode* a, const plTriNode* b, double least) {
  for (int i = a->first; i < a->first + a->count; i++)
    for (int k = b->first; k < b->first + b->count; k++) {
      plVec3 xa[3], xb[3];
      get_corners(pair->A, pair->A->tree->order[i], xa);
      get_corners(pair->B, pair->B->tree->order[k], xb);
      least = fmin(least, pl_facet_gap(xa, xb, least).gap);
    }
  return least;
}

// Branch and bound over both trees, the nearer child first.
static double surface_gap(const plPair* pair, double least) {
  struct {
    int a, b;
    double gap2;
  } stack[4 * PL_TRI_TREE_DEPTH];
  const plTriNode *A = pair->A->tree->node, *B = pair->B->tree->node;
  int depth = 0;
  stack[depth].a = 0, stack[depth].b = 0, stack[depth++].gap2 = box_gap2(A, B);
  while (depth) {
    int a = stack[--depth].a, b = stack[depth].b;
    if (!(stack[depth].gap2 < least * least)) continue;
    if (A[a].count && B[b].count) {
      least = leaf_gap(pair, &A[a], &B[b], least);
      continue;
    }
    bool open_a = !A[a].count && (B[b].count || v3_norm2(v3_sub(A[a].upper, A[a].lower)) >=
                                                    v3_norm2(v3_sub(B[b].upper, B[b].lower)));
    int ca[2] = {open_a ? a + 1 : a, open_a ? A[a].right : a},
        cb[2] = {open_a ? b : b + 1, open_a ? b : B[b].right};
    double gap2[2] = {box_gap2(&A[ca[0]], &B[cb[0]]), box_gap2(&A[ca[1]], &B[cb[1]])};
    int far = gap2[0] <= gap2[1];
    for (int i = 0; i < 2; i++) {
      int k = i ? !far : far;
      stack[depth].a = ca[k], stack[depth].b = cb[k], stack[depth++].gap2 = gap2[k];
    }
  }
  return least;
}

double pl_pair_reach(const plPair* pair) {
  double near = PL_CLOSEST_REACH * fmin(pair->A->cell, pair->B->cell);
  return pair->window <= near ? pair->window
                              : fmin(pair->window, near + surface_gap(pair, pair->window - near));
}

// ---- points

static plOnSkin on_skin(const plSkin* s, int t, const double w[3], int vert[3], double weight[3]) {
  plOnSkin at = {.vert = vert, .weight = weight, .tri = t};
  for (int k = 0; k < 3; k++)
    if (w[k] != 0) vert[at.n] = s->tri[3 * (size_t)t + (size_t)k], weight[at.n++] = w[k];
  return at;
}

static plStatus emit(plPair* pair, const plClosest* c) {
  int va[3], vb[3];
  double wa[3], wb[3];
  plOnSkin a = on_skin(pair->A, c->ta, c->wa, va, wa), b = on_skin(pair->B, c->tb, c->wb, vb, wb);
  plVec3 place = v3_scale(0.5, v3_add(pl_pair_place(pair->A, a), pl_pair_place(pair->B, b)));
  // A point nearby stands for this one, unless it is farther away.
  double same = PL_CLOSEST_SAME * fmin(pair->A->cell, pair->B->cell);
  const plPairList* list = pair->list;
  for (int i = 0; i < list->npoint; i++)
    if (list->point[i].gap <= c->gap + 1e-9 * same &&
        v3_norm2(v3_sub(list->point[i].position, place)) < same * same)
      return PL_OK;
  return pl_pair_push(pair, a, b, place, c->n, c->gap, PL_CLOSEST_SHARE * c->whole, PL_CLOSEST_SHARE);
}

plStatus pl_pair_emit_closest(plPair* pair) {
  if (!pair->nnear) return PL_OK;
  plNear* near = PL_ARENA_NEW(pair->arena, plNear, pair->nnear);
  if (!near) return PL_ERROR_MEMORY;
  for (int r = 0, n = 0; r < pair->nrun; r++)
    for (int i = 0; i < pair->run[r].nnear; i++)
      near[n++] = pair->run[r].scratch->near[pair->run[r].near0 + i];
  plStatus status = pl_pair_in_runs(pair, pair->nnear, 64, look_at_some, near);
  for (int r = 0; r < pair->nrun && !status; r++) {
    const plPairRun* run = &pair->run[r];
    for (int i = 0; i < run->nclosest && !status; i++)
      status = emit(pair, &run->scratch->closest[run->closest0 + i]);
  }
  return status;
}

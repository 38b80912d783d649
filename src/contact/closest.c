// closest.c: contact points at locally closest features that polygons do not show.
//
// Polygons exist only for facets that face each other and overlap in projection. Where two surfaces are
// closest, there may be no such facets: a tip stands on a floor, edges run parallel, a corner passes an edge.
// But at every local minimum of the distance between two separate surfaces, the two closest points belong to
// features (vertex, edge, facet), and the direction between them lies in the normal cone of each. All facets
// within reach are searched for such pairs, and those that no other point represents become points. Nothing
// nearer than the margin is therefore missed, whatever the angles. Two kinds of overlap are handled too: a
// tip below a facet, and parallel edges that lie inside each other's wedge, which push along the bisector.
#include <assert.h>
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
  assert(c.ta >= 0 && c.ta < pair->A->ntri && c.tb >= 0 && c.tb < pair->B->ntri);
  if (all_held(pair->held_a, pair->A->tri + 3 * (size_t)c.ta, c.wa)) return PL_OK;
  if (all_held(pair->held_b, pair->B->tri + 3 * (size_t)c.tb, c.wb)) return PL_OK;
  return PL_PUSH(s->closest, s->nclosest, s->closest_cap, c) ? PL_OK : PL_ERROR_MEMORY;
}

// The lumped area of a vertex or edge position on facet t; the inside of a facet gives none.
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

// ---- separate features

// Features of the two facets that are locally closest; gap > 0.
static bool locally_closest(const plPair* pair, plBeside* a, plBeside* b, plClosest* c) {
  plFacetGap g;
  // Facets that intersect are not separate: there is no direction between them.
  if (!pl_skin_closest(a, b, pair->reach, PL_CLOSEST_SLACK, &g) ||
      !(g.gap > PL_CLOSEST_SLACK * fmin(pair->A->cell, pair->B->cell)))
    return false;
  *c = (plClosest){.ta = a->f->t, .tb = b->f->t, .n = v3_scale(1 / g.gap, v3_sub(g.b, g.a)), .gap = g.gap};
  for (int k = 0; k < 3; k++) c->wa[k] = g.wa[k], c->wb[k] = g.wb[k];
  c->whole = whole_of(pair, c);
  return true;
}

// The deepest admissible overlap of facets p and q.
static double deepest_of(const plPair* pair, double limit, int p, int q) {
  return pair->self ? fmin(limit, pl_self_deepest(pair->self, PL_KIN_APART, p, q)) : limit;
}

// ---- a tip below a facet

// Corner k of facet p is below facet q, and no edge at it leads deeper. A vertex that already has a point is
// skipped.
static plStatus try_tip(plPair* pair, const plSides* fp, const plBeside* beside, bool p_is_a, int k) {
  const plSides* fq = beside->f;
  const plSkin *P = fp->skin, *Q = fq->skin;
  int p = fp->t, q = fq->t, v = P->tri[3 * (size_t)p + (size_t)k];
  double gap = beside->height[k], w[3];
  plVec3 n = fq->n, x = fp->x[k];
  if ((pair->done_a && (p_is_a ? pair->done_a : pair->done_b)[v])) return PL_OK;
  if (gap < -deepest_of(pair, fmin(Q->tri_limit[q], P->vert_limit[v]), p, q)) return PL_OK;
  pl_skin_barycentric(Q, q, x, w);
  if (w[0] < 0 || w[1] < 0 || w[2] < 0 || pl_skin_tip(P, v, v3_neg(n)) < -PL_CLOSEST_SLACK) return PL_OK;
  if (pl_pair_came_through(Q, v3_madd(x, -gap, n), x) || pl_pair_is_past(Q, q, w, x, false)) return PL_OK;
  plClosest c = {.ta = p_is_a ? p : q, .tb = p_is_a ? q : p, .n = p_is_a ? v3_neg(n) : n, .gap = gap};
  double *wp = p_is_a ? c.wa : c.wb, *wq = p_is_a ? c.wb : c.wa;
  wp[k] = 1;
  for (int i = 0; i < 3; i++) wq[i] = w[i];
  c.whole = P->vert_area[v];
  return keep(pair, c);
}

// Whether the other facet's corner k lies clearly outside a side, by more than rounding.
static inline bool is_aside(const plBeside* q, int k) {
  plWide beyond = q->beyond[k], slack = PL_CLOSEST_SLACK * q->f->l2;
  return (beyond[0] > slack[0]) | (beyond[1] > slack[1]) | (beyond[2] > slack[2]);
}

// The lowest corner of p, or both ends of its lowest side if that is parallel to q.
static plStatus try_tips(plPair* pair, const plSides* fp, const plBeside* fq, bool p_is_a) {
  plWide h = fq->height;
  double low = h[0] < h[1] ? h[0] : h[1];
  low = low < h[2] ? low : h[2];
  low += PL_CLOSEST_SLACK * fp->skin->cell;
  plStatus status = PL_OK;
  for (int k = 0; k < 3 && !status; k++)
    if ((h[k] <= low) & (h[k] <= 0) & fp->tip[k] && !is_aside(fq, k))
      status = try_tip(pair, fp, fq, p_is_a, k);
  return status;
}

// ---- parallel edges

typedef struct Edge {
  const plSkin* skin;
  int facet, side, edge;
  plVec3 x, along;  // from corner side to the next
  plVec3 normal;    // sum of the normals of its facets
  double middle;    // coordinate of the middle of what it shares with the other edge
  double limit;     // m, deepest admissible overlap
} Edge;

static Edge get_edge(const plSides* f, int k) {
  const plSkin* s = f->skin;
  int edge = s->tri_edge[3 * (size_t)f->t + (size_t)k];
  const int* t = s->edge_tri + 2 * (size_t)edge;
  assert(edge < s->nedge && t[1] >= 0);  // a sharp edge has two facets
  return (Edge){.skin = s,
                .facet = f->t,
                .side = k,
                .edge = edge,
                .x = f->x[k],
                .along = f->e[k],
                .normal = v3_add(skin_normal(s, t[0]), skin_normal(s, t[1])),
                .limit = fmin(s->tri_limit[t[0]], s->tri_limit[t[1]])};
}

// The distance that x must move along n to leave the edge's wedge through either facet; negative if it is
// outside.
static double way_out(const Edge* e, plVec3 x, plVec3 n) {
  double least = INFINITY;
  for (int i = 0; i < 2; i++) {
    plVec3 m = skin_normal(e->skin, e->skin->edge_tri[2 * e->edge + i]);
    least = fmin(least, -v3_dot(v3_sub(x, e->x), m) / fmax(v3_dot(m, n), PL_CLOSEST_SLACK));
  }
  return least;
}

// Whether the edges are inside each other in the middle of what they share. Near its ends both bodies may
// end, flush with each other.
static bool are_inside(const Edge* a, const Edge* b) {
  plVec3 xa = v3_madd(a->x, a->middle, a->along), xb = v3_madd(b->x, b->middle, b->along);
  return !pl_pair_is_cut(a->skin, xa, xb) && !pl_pair_is_cut(b->skin, xb, xa);
}

// The points of two edges at the same coordinate along both.
static plStatus emit_end(plPair* pair, const Edge* a, const Edge* b, double s, double t) {
  plVec3 xa = v3_madd(a->x, s, a->along), xb = v3_madd(b->x, t, b->along), d = v3_sub(xb, xa),
         n = v3_unit(v3_sub(a->normal, b->normal));
  double gap = v3_norm(d), out = way_out(a, xb, n);
  if (out >= 0) out = fmin(out, way_out(b, xa, v3_neg(n)));
  if (out >= 0) {
    // Each lies inside the other's wedge. If a facet offers a much shorter way out, the edges lie on a face
    // instead.
    gap = v3_dot(d, n);
    if (!(v3_dot(a->normal, b->normal) < PL_FACING * v3_norm(a->normal) * v3_norm(b->normal)) ||
        !(gap <= 0) || gap < -deepest_of(pair, fmin(a->limit, b->limit), a->facet, b->facet) ||
        -gap > PL_CHEAPER * out || !are_inside(a, b))
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

// Two sharp edges that are nearly parallel touch along the length they share: points at its two ends.
static plStatus try_parallel(plPair* pair, const plSides* fa, int i, const plSides* fb, int j) {
  double ee = fa->l2[i], hh = fb->l2[j], eh = v3_dot(fa->e[i], fb->e[j]);
  if (!(ee > 0 && hh > 0) || ee * hh - eh * eh > PL_EDGES_PARALLEL * PL_EDGES_PARALLEL * ee * hh)
    return PL_OK;
  // Coordinates of b's ends along a, and of all ends along b.
  plVec3 r = v3_sub(fb->x[j], fa->x[i]);
  double b0 = v3_dot(r, fa->e[i]) / ee, b1 = b0 + eh / ee, from = fmax(0, fmin(b0, b1)),
         to = fmin(1, fmax(b0, b1));
  if (!(to > from)) return PL_OK;
  Edge a = get_edge(fa, i), b = get_edge(fb, j);
  a.middle = 0.5 * (from + to), b.middle = (a.middle - b0) / (b1 - b0);
  plStatus status = emit_end(pair, &a, &b, from, (from - b0) / (b1 - b0));
  return status ? status : emit_end(pair, &a, &b, to, (to - b0) / (b1 - b0));
}

// Whether side k of the other facet comes within reach of the plane of this one.
static inline bool comes_down(const plBeside* f, int k, double reach) {
  return (f->height[k] <= reach) | (f->height[(k + 1) % 3] <= reach);
}

static plStatus try_all_parallel(plPair* pair, const plBeside* a, const plBeside* b) {
  plStatus status = PL_OK;
  const bool *sharp_a = a->f->sharp, *sharp_b = b->f->sharp;
  if (!(sharp_a[0] || sharp_a[1] || sharp_a[2])) return PL_OK;
  for (int i = 0; i < 3 && !status; i++) {
    if (!(sharp_a[i] && comes_down(b, i, pair->reach))) continue;
    for (int j = 0; j < 3 && !status; j++)
      if (sharp_b[j] && comes_down(a, j, pair->reach)) status = try_parallel(pair, a->f, i, b->f, j);
  }
  return status;
}

// Whether all corners of facet p within reach of facet q's plane have points; then nothing is missing.
static bool all_done(const plSides* p, const bool* done, const plBeside* q, double reach) {
  const int* v = p->skin->tri + 3 * (size_t)p->t;
  for (int k = 0; k < 3; k++)
    if (!done[v[k]] && q->height[k] <= reach) return false;
  return true;
}

// Whether a corner of the other facet lies no farther above the plane of this one than reach.
static inline bool comes_near(const plBeside* f, double reach) {
  return (f->height[0] <= reach) | (f->height[1] <= reach) | (f->height[2] <= reach);
}

// Whether a corner of the other facet lies below the plane of this one.
static inline bool reaches_below(const plBeside* f) {
  return (f->height[0] <= 0) | (f->height[1] <= 0) | (f->height[2] <= 0);
}

static plStatus look_closer(plPair* pair, const plSides* fa, const plSides* fb) {
  plBeside a, b;
  pl_beside_heights(fa, fb, &a, &b);
  if (pair->done_a && all_done(fa, pair->done_a, &b, pair->reach) &&
      all_done(fb, pair->done_b, &a, pair->reach))
    return PL_OK;
  plStatus status = PL_OK;
  // If all of one facet lies farther above the plane of the other, neither corners nor sides are near.
  bool near = comes_near(&a, pair->reach) && comes_near(&b, pair->reach);
  bool tips_a = reaches_below(&b), tips_b = reaches_below(&a);
  if (!(near | tips_a | tips_b)) return PL_OK;
  plClosest c;
  pl_beside_beyond(&a, &b);
  if (near && locally_closest(pair, &a, &b, &c)) status = keep(pair, c);
  if (!status && tips_a) status = try_tips(pair, fa, &b, true);
  if (!status && tips_b) status = try_tips(pair, fb, &a, false);
  return status || !near ? status : try_all_parallel(pair, &a, &b);
}

// The facets of one side that were used last: a facet has many others near it.
enum { RECENT = 16 };
typedef struct Recent {
  plSides sides[RECENT];
} Recent;

static void clear_recent(Recent* recent) {
  for (int i = 0; i < RECENT; i++) recent->sides[i].t = -1;
}

static const plSides* get_sides(Recent* recent, const plSkin* skin, int t) {
  plSides* sides = &recent->sides[t % RECENT];
  if (sides->t != t) pl_sides_of(skin, t, sides);
  return sides;
}

static plStatus look_at_some(plPair* part, void* context, int begin, int end) {
  const plNear* near = context;
  plStatus status = PL_OK;
  double reach2 = part->reach * part->reach;
  Recent a, b;
  clear_recent(&a), clear_recent(&b);
  for (int i = begin; i < end && !status; i++)
    if (near[i].least2 <= reach2)
      status = look_closer(part, get_sides(&a, part->A, near[i].a), get_sides(&b, part->B, near[i].b));
  return status;
}

// ---- how far facets are compared

static void get_corners(const plSkin* s, int t, plVec3 x[3]) {
  for (int k = 0; k < 3; k++) x[k] = skin_x(s, s->tri[3 * (size_t)t + (size_t)k]);
}

// The smallest gap of polygons and points so far: the surfaces are at most this far apart. The overlap of a
// polygon may not be real, if a facet is behind the other body; then its two points are as far apart as the
// overlap is deep.
static double gap_so_far(const plPair* pair) {
  double least = INFINITY;
  for (int r = 0; r < pair->nrun; r++) {
    const plPolygon* polygon = pair->run[r].scratch->polygon + pair->run[r].polygon0;
    for (const plPolygon* p = polygon; p < polygon + pair->run[r].npolygon; p++)
      least = fmin(least, fabs(p->gap));
  }
  // The gaps of points are reliable.
  for (int i = 0; i < pair->list->npoint; i++) least = fmin(least, fmax(0, pair->list->point[i].gap));
  return least;
}

// The distance of the two facets whose boxes and planes are nearest, if it is smaller: the surfaces are at
// most this far apart.
static double not_farther(const plPair* pair, const plNear* near, double least) {
  if (!(least > 0)) return 0;
  const plNear* nearest = near;
  for (int i = 1; i < pair->nnear; i++)
    if (near[i].least2 < nearest->least2) nearest = &near[i];
  plVec3 a[3], b[3];
  get_corners(pair->A, nearest->a, a), get_corners(pair->B, nearest->b, b);
  return fmin(least, pl_facet_gap(a, b, least).gap);
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
  plVec3 position = v3_scale(0.5, v3_add(pl_pair_position(pair->A, a), pl_pair_position(pair->B, b)));
  // A nearby point represents this one, unless its gap is larger.
  double same = PL_CLOSEST_SAME * fmin(pair->A->cell, pair->B->cell);
  const plPairList* list = pair->list;
  for (int i = 0; i < list->npoint; i++)
    if (list->point[i].gap <= c->gap + PL_ROUNDING * same &&
        v3_norm2(v3_sub(list->point[i].position, position)) < same * same)
      return PL_OK;
  return pl_pair_push(pair, a, b, position, c->n, c->gap, PL_CLOSEST_SHARE * c->whole, PL_CLOSEST_SHARE);
}

// Pushes the features whose gap exceeds the distance of the surfaces by at most `beyond`. That distance is
// the smallest gap of these features and of the polygons.
static plStatus emit_all(plPair* pair, double apart, double beyond) {
  plStatus status = PL_OK;
  for (int r = 0; r < pair->nrun; r++)
    for (int i = 0; i < pair->run[r].nclosest; i++)
      apart = fmin(apart, fmax(0, pair->run[r].scratch->closest[pair->run[r].closest0 + i].gap));
  for (int r = 0; r < pair->nrun && !status; r++) {
    const plPairRun* run = &pair->run[r];
    for (int i = 0; i < run->nclosest && !status; i++) {
      const plClosest* c = &run->scratch->closest[run->closest0 + i];
      if (c->gap <= apart + beyond) status = emit(pair, c);
    }
  }
  return status;
}

plStatus pl_pair_emit_closest(plPair* pair) {
  if (!pair->nnear) return PL_OK;
  plNear* near = PL_ARENA_NEW(pair->arena, plNear, pair->nnear);
  if (!near) return PL_ERROR_MEMORY;
  for (int r = 0, n = 0; r < pair->nrun; r++)
    for (int i = 0; i < pair->run[r].nnear; i++) {
      assert(n < pair->nnear);
      near[n++] = pair->run[r].scratch->near[pair->run[r].near0 + i];
    }
  double apart = gap_so_far(pair), beyond = PL_CLOSEST_REACH * fmin(pair->A->cell, pair->B->cell);
  pair->reach = fmin(pair->margin, not_farther(pair, near, apart) + beyond);
  plStatus status = pl_pair_in_runs(pair, pair->nnear, 64, look_at_some, near);
  return status ? status : emit_all(pair, apart, beyond);
}

// skin_pair.c: vertex-facet points of two surfaces, and the distribution of areas.
//
// A vertex is in contact with the facet onto which it projects orthogonally (with a tolerance, because the
// projections of neighbouring facets leave gaps). Its weight is the mortar area of its shape function over
// the polygons. The area of vertices without a partner goes to the crossings of the polygon, or to its other
// vertices.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "contact/pair.h"
#include "contact/thresholds.h"

// Facets that were tried last for a vertex. Two facets of a pair overlap in several polygons; trying a facet
// again changes nothing, because the partner has only become better since.
enum { TRIED = 4 };
typedef struct Tried {
  int facet[TRIED];
} Tried;

static inline bool was_tried(Tried* tried, int facet) {
  int* f = tried->facet;
  if ((f[0] == facet) | (f[1] == facet) | (f[2] == facet) | (f[3] == facet)) return true;
  for (int i = TRIED - 1; i > 0; i--) f[i] = f[i - 1];
  f[0] = facet;
  return false;
}

// Facets that face the normal of the vertex come first, then those that some facet around the vertex faces,
// as at the rim of a cone. A facet below which the vertex is too deep makes no point: the far side of a body
// must not hide a near one.
typedef enum Rank { FACES, ASIDE, TOO_DEEP } Rank;

// Data of the vertices of one side.
typedef struct Best {
  double* gap;     // [nvert] m, to the partner
  plVec3* normal;  // [nvert] zero: not computed yet
  Rank* rank;      // [nvert] of the partner
  Tried* tried;    // [nvert]
} Best;

// Whether some facet around the vertex faces n.
static bool some_facet_faces(const plSkin* s, int v, plVec3 n) {
  for (int i = s->ring0[v]; i < s->ring0[v + 1]; i++)
    if (v3_dot(skin_normal(s, s->ring[i]), n) < PL_SOME_FACET) return true;
  return false;
}

// Whether the normal of the vertex does not face n. The normal is a mean of the normals of its facets: if all
// of them face n, so does the mean, which takes longer to compute.
static bool looks_aside(const plSkin* s, int v, plVec3 n, Best* best) {
  bool all = true;
  for (int i = s->ring0[v]; i < s->ring0[v + 1] && all; i++)
    all = v3_dot(skin_normal(s, s->ring[i]), n) < PL_VERTEX_FACING - PL_ROUNDING;
  if (all) return false;
  if (!(v3_norm2(best->normal[v]) > 0)) best->normal[v] = pl_skin_vert_normal(s, v);
  return v3_dot(best->normal[v], n) > PL_VERTEX_FACING;
}

// How far a point with these coordinates lies outside facet t, in its plane (m); small, or 0. The closest
// position is on a side that the point is beyond.
static double aside_of(const plSkin* s, int t, const double w[3]) {
  if (w[0] >= 0 && w[1] >= 0 && w[2] >= 0) return 0;
  const int* v = s->tri + 3 * (size_t)t;
  plVec3 x[3] = {skin_x(s, v[0]), skin_x(s, v[1]), skin_x(s, v[2])}, p = {0, 0, 0};
  for (int k = 0; k < 3; k++) p = v3_madd(p, w[k], x[k]);
  double least2 = INFINITY;
  for (int k = 0; k < 3; k++) {
    if (w[k] >= 0) continue;
    plVec3 from = x[(k + 1) % 3], side = v3_sub(x[(k + 2) % 3], from);
    double length2 = v3_norm2(side), along = length2 > 0 ? v3_dot(v3_sub(p, from), side) / length2 : 0;
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    least2 = fmin(least2, v3_norm2(v3_sub(p, v3_madd(from, along, side))));
  }
  return sqrt(least2);
}

// Whether x, with coordinates w outside facet f, lies below a concave edge of it, where the facets on both
// sides leave a gap between their projections: no point of the surface is closer than the edge.
static bool in_valley(const plSkin* Q, int f, const double w[3], plVec3 x) {
  int out = w[0] < -PL_INSIDE ? 0 : w[1] < -PL_INSIDE ? 1 : 2;
  for (int k = 0; k < 3; k++)
    if (k != out && w[k] < -PL_INSIDE) return false;
  int e = Q->tri_edge[3 * (size_t)f + (size_t)((out + 1) % 3)];
  if (Q->edge_kind[e] != PL_EDGE_CONCAVE) return false;
  int g = Q->edge_tri[2 * (size_t)e] == f ? Q->edge_tri[2 * (size_t)e + 1] : Q->edge_tri[2 * (size_t)e],
      k = 0;
  double u[3];
  while (k < 2 && Q->tri_edge[3 * (size_t)g + (size_t)((k + 1) % 3)] != e) k++;
  pl_skin_barycentric(Q, g, x, u);
  return u[k] < 0;
}

static bool is_outside(const double w[3]) {
  return (w[0] < -PL_INSIDE) | (w[1] < -PL_INSIDE) | (w[2] < -PL_INSIDE);
}

// The distance of a position above a facet, from a point slightly outside of it.
static double slanted(double gap, double aside) { return aside > 0 ? v2_norm(gap, aside) : gap; }

// A vertex slightly outside a facet does not count deep below it. (In a valley it is farther outside.)
static bool is_past_edge(const plSkin* Q, const double w[3], double aside, double height) {
  return aside > 0 && !is_outside(w) && height < -PL_DEEP * Q->cell;
}

// The nearest facet of Q onto which vertex v of P projects, of the best rank.
static void try_partner(const plSkin* P, int v, const plSkin* Q, int facet, int* partner, Best* best) {
  plVec3 d = v3_sub(skin_x(P, v), skin_x(Q, Q->tri[3 * (size_t)facet])), n = skin_normal(Q, facet);
  // Above an edge the first facet is taken, so that rounding does not decide.
  double height = v3_dot(d, n), gap = fabs(height), w[3], before = best->gap[v] - PL_ROUNDING * Q->cell;
  if (!(gap < before || best->rank[v])) return;
  pl_skin_barycentric(Q, facet, skin_x(P, v), w);
  if (is_outside(w) && !(height < 0 && in_valley(Q, facet, w, skin_x(P, v)))) return;
  double past = aside_of(Q, facet, w);
  gap = slanted(gap, past);
  if (!(gap < before || best->rank[v])) return;
  bool aside = looks_aside(P, v, n, best),
       deep = height < -Q->tri_limit[facet] || height < -P->vert_limit[v] || is_past_edge(Q, w, past, height);
  Rank rank = deep ? TOO_DEEP : aside ? ASIDE : FACES;
  if (partner[v] >= 0 && !(rank < best->rank[v] || (rank == best->rank[v] && gap < before))) return;
  if (aside && !some_facet_faces(P, v, n)) return;
  best->gap[v] = gap, best->rank[v] = rank;
  partner[v] = facet;
}

// How far beyond the edges of facet f the barycentric coordinates w lie (m); 0: inside.
static double overshoot(const plSkin* Q, int f, const double w[3]) {
  const int* v = Q->tri + 3 * (size_t)f;
  double most = 0;
  for (int k = 0; k < 3; k++) {
    if (w[k] >= 0) continue;
    double side = v3_norm(v3_sub(skin_x(Q, v[(k + 1) % 3]), skin_x(Q, v[(k + 2) % 3])));
    most = fmax(most, -w[k] * 2 * Q->tri_area[f] / side);
  }
  return most;
}

// The same for a vertex of the surface itself, which may project beyond an edge by a fraction of its
// distance, unless the overlap is too deep for contact: other layers may lie behind such a facet.
static void try_own_partner(const plSelf* self, const plSkin* S, int v, int facet, int* partner, Best* best) {
  plVec3 d = v3_sub(skin_x(S, v), skin_x(S, S->tri[3 * (size_t)facet])), n = skin_normal(S, facet);
  double height = v3_dot(d, n), gap = fabs(height), w[3];
  if (!(gap < best->gap[v])) return;
  pl_skin_barycentric(S, facet, skin_x(S, v), w);
  if (w[0] < -PL_INSIDE || w[1] < -PL_INSIDE || w[2] < -PL_INSIDE) {
    double out = overshoot(S, facet, w);
    if (out > (height > 0 ? PL_BEYOND_OPEN : PL_BEYOND_DEEP) * gap || !(v2_norm(gap, out) < best->gap[v]) ||
        height < -self->shallow[facet])
      return;
    gap = v2_norm(gap, out);
  }
  if (looks_aside(S, v, n, best)) return;
  best->gap[v] = gap, partner[v] = facet;
}

typedef struct Partners {
  plPair* pair;
  Best a, b;
  int parts;
} Partners;

static int owned_by(int nvert, int parts, int i) { return (int)((long long)nvert * i / parts); }

// One part owns some vertices of either side and goes through all polygons in order.
static void find_some(void* context, int begin, int end, int worker) {
  (void)worker;
  Partners* p = context;
  const plPair* pair = p->pair;
  const plSkin *A = pair->A, *B = pair->B;
  int a0 = owned_by(A->nvert, p->parts, begin), a1 = owned_by(A->nvert, p->parts, end);
  int b0 = owned_by(B->nvert, p->parts, begin), b1 = owned_by(B->nvert, p->parts, end);
  const Tried none = {{-1, -1, -1, -1}};
  for (int v = a0; v < a1; v++) p->a.gap[v] = INFINITY, pair->partner_a[v] = -1, p->a.tried[v] = none;
  for (int v = b0; v < b1; v++) p->b.gap[v] = INFINITY, pair->partner_b[v] = -1, p->b.tried[v] = none;
  for (int r = 0; r < pair->nrun; r++) {
    const plPolygon* polygon = pair->run[r].scratch->polygon + pair->run[r].polygon0;
    for (const plPolygon* q = polygon; q < polygon + pair->run[r].npolygon; q++)
      for (int k = 0; k < 3; k++) {
        int va = A->tri[3 * (size_t)q->a + (size_t)k], vb = B->tri[3 * (size_t)q->b + (size_t)k];
        if (pair->self) {
          if (va >= a0 && va < a1) try_own_partner(pair->self, A, va, q->b, pair->partner_a, &p->a);
          if (vb >= a0 && vb < a1) try_own_partner(pair->self, A, vb, q->a, pair->partner_a, &p->a);
          continue;
        }
        if (va >= a0 && va < a1 && !was_tried(&p->a.tried[va], q->b))
          try_partner(A, va, B, q->b, pair->partner_a, &p->a);
        if (vb >= b0 && vb < b1 && !was_tried(&p->b.tried[vb], q->a))
          try_partner(B, vb, A, q->a, pair->partner_b, &p->b);
      }
  }
}

static Best make_best(plArena* arena, int n) {
  return (Best){PL_ARENA_NEW(arena, double, n), PL_KEEP(arena, plVec3, n), PL_KEEP(arena, Rank, n),
                PL_ARENA_NEW(arena, Tried, n)};
}

static plStatus find_partners(plPair* pair) {
  plArena* arena = pair->arena;
  Partners p = {.pair = pair, .a = make_best(arena, pair->A->nvert), .b = make_best(arena, pair->B->nvert)};
  pair->partner_a = PL_ARENA_NEW(arena, int, pair->A->nvert);
  pair->partner_b = PL_ARENA_NEW(arena, int, pair->B->nvert);
  pair->area_a = PL_KEEP(arena, double, pair->A->nvert);
  pair->area_b = PL_KEEP(arena, double, pair->B->nvert);
  pair->done_a = PL_KEEP(arena, bool, pair->A->nvert);
  pair->done_b = PL_KEEP(arena, bool, pair->B->nvert);
  // with self-contact there is one table of vertices
  if (pair->self)
    p.b = p.a, pair->partner_b = pair->partner_a, pair->area_b = pair->area_a, pair->done_b = pair->done_a;
  if (arena->failed) return PL_ERROR_MEMORY;
  p.parts = pair->npolygon < 512 ? 1 : 2 * pl_pool_size(pair->pool);
  pl_parallel_for(pair->pool, p.parts, 1, find_some, &p);
  return PL_OK;
}

// Distributes each polygon's mortar areas to vertices with a partner, and the rest to its crossings or,
// failing those, to its other vertices.
static void share_area(plPair* pair, const plPolygon* p, const plCrossMark* mark) {
  const int *ta = pair->A->tri + 3 * (size_t)p->a, *tb = pair->B->tri + 3 * (size_t)p->b;
  double lost = 0;
  int partners = 0, kept = 0;
  for (int k = 0; k < 3; k++) {
    if (pair->partner_a[ta[k]] >= 0)
      pair->area_a[ta[k]] += p->mortar_a[k], partners++;
    else
      lost += p->mortar_a[k];
    if (pair->partner_b[tb[k]] >= 0)
      pair->area_b[tb[k]] += p->mortar_b[k], partners++;
    else
      lost += p->mortar_b[k];
  }
  for (int k = 0; k < p->nmark; k++) {
    assert(mark[k].crossing >= 0 && mark[k].crossing < pair->ncrossing);
    kept += pair->crossing[mark[k].crossing].keep;
  }
  if (kept) {
    for (int k = 0; k < p->nmark; k++)
      if (pair->crossing[mark[k].crossing].keep) pair->crossing[mark[k].crossing].area += lost / kept;
  } else if (partners) {
    for (int k = 0; k < 3; k++) {
      if (pair->partner_a[ta[k]] >= 0) pair->area_a[ta[k]] += lost / partners;
      if (pair->partner_b[tb[k]] >= 0) pair->area_b[tb[k]] += lost / partners;
    }
  } else {
    // No vertex of either facet projects onto the other: the corners of the polygon carry the area.
    for (int k = 0; k < p->nmark; k++) {
      pair->crossing[mark[k].crossing].keep = true;
      pair->crossing[mark[k].crossing].area += lost / p->nmark;
    }
  }
}

static void share_areas(plPair* pair) {
  for (int r = 0; r < pair->nrun; r++) {
    const plPairScratch* s = pair->run[r].scratch;
    const plPolygon* polygon = s->polygon + pair->run[r].polygon0;
    for (int i = 0; i < pair->run[r].npolygon; i++)
      share_area(pair, &polygon[i], s->mark ? s->mark + polygon[i].mark0 : NULL);
  }
}

// The vertex of facet f onto which p projects, within a fraction of its sides; -1: none.
static int vertex_below(const plSkin* Q, int f, plVec3 p) {
  double w[3];
  pl_skin_barycentric(Q, f, p, w);
  for (int k = 0; k < 3; k++)
    if (w[k] > 1 - PL_CLOSEST_SAME) return Q->tri[3 * (size_t)f + (size_t)k];
  return -1;
}

// Matching meshes: a vertex of A and one of B that project onto each other become one point, A's, with both
// areas.
static void merge_twins(plPair* pair) {
  for (int va = 0; va < pair->A->nvert; va++) {
    if (pair->partner_a[va] < 0 || !(pair->area_a[va] > 0) || (pair->held_a && pair->held_a[va])) continue;
    int vb = vertex_below(pair->B, pair->partner_a[va], skin_x(pair->A, va));
    if (vb < 0 || pair->partner_b[vb] < 0 ||
        vertex_below(pair->A, pair->partner_b[vb], skin_x(pair->B, vb)) != va)
      continue;
    // Only if both project onto the same plane: then nothing is lost by leaving one of them out.
    if (v3_dot(skin_normal(pair->B, pair->partner_a[va]), skin_normal(pair->A, pair->partner_b[vb])) >
        -PL_FACETS_FLAT)
      continue;
    pair->area_a[va] += pair->area_b[vb];
    pair->partner_b[vb] = -1, pair->done_b[vb] = true;
    pair->list->merged++;
  }
}

// The first facet between a point of Q's surface and x behind it; none: -1. Positions within a fraction of
// the way from x do not count.
static int facet_between(const plSkin* Q, plVec3 surface, plVec3 x) {
  plVec3 way = v3_sub(x, surface);
  return pl_tri_tree_ray(Q->tree, v3_madd(surface, PL_CLOSEST_SLACK, way), way, 1 - 2 * PL_CLOSEST_SLACK).tri;
}

bool pl_pair_is_cut(const plSkin* Q, plVec3 surface, plVec3 x) { return facet_between(Q, surface, x) >= 0; }

bool pl_pair_came_through(const plSkin* Q, plVec3 surface, plVec3 x) {
  plVec3 way = v3_sub(x, surface);
  if (v3_norm2(way) < PL_DEEP * PL_DEEP * Q->cell * Q->cell) return false;
  int t = facet_between(Q, surface, x);
  if (t < 0) return false;
  // A facet parallel to the direction is a rim that both bodies share, if the point is outside by no more
  // than rounding and bulging cause.
  plVec3 n = skin_normal(Q, t);
  return v3_dot(n, way) > -PL_SOME_FACET * v3_norm(way) ||
         v3_dot(n, v3_sub(x, skin_x(Q, Q->tri[3 * (size_t)t]))) > PL_INSIDE * Q->cell;
}

// The point of facet f at the coordinates w or, slightly outside of it, at those nearest inside.
static plVec3 inside_of(const plSkin* Q, int f, const double w[3]) {
  const int* v = Q->tri + 3 * (size_t)f;
  bool in = w[0] >= 0 && w[1] >= 0 && w[2] >= 0;
  plVec3 sum = {0, 0, 0};
  double total = 0;
  for (int k = 0; k < 3; k++) {
    double u = in ? w[k] : fmax(w[k], PL_INSIDE);
    sum = v3_madd(sum, u, skin_x(Q, v[k])), total += u;
  }
  return v3_scale(1 / total, sum);
}

// Whether a position with coordinates w is so far inside facet f, compared with its depth, that only edges
// and tips sharper than those that are seen could be that thin.
static bool is_far_inside(const plSkin* Q, int f, const double w[3], double depth) {
  const int* v = Q->tri + 3 * (size_t)f;
  plVec3 a = skin_x(Q, v[0]), b = skin_x(Q, v[1]), c = skin_x(Q, v[2]);
  double long2 = max3(v3_norm2(v3_sub(b, a)), v3_norm2(v3_sub(c, b)), v3_norm2(v3_sub(a, c))),
         in = -PL_FACING_AT_ALL * min3(w[0], w[1], w[2]) * 2 * Q->tri_area[f];
  return in > 0 && in * in > depth * depth * long2;
}

// Whether some facet around the corners of facet f faces the other way.
static bool has_thin_rim(const plSkin* Q, int f, plVec3 n) {
  for (int k = 0; k < 3; k++) {
    int v = Q->tri[3 * (size_t)f + (size_t)k];
    for (int i = Q->ring0[v]; i < Q->ring0[v + 1]; i++)
      if (v3_dot(skin_normal(Q, Q->ring[i]), n) < PL_FACING) return true;
  }
  return false;
}

bool pl_pair_is_past(const plSkin* Q, int f, const double w[3], plVec3 x, bool flush) {
  plVec3 n = skin_normal(Q, f);
  if (flush && !has_thin_rim(Q, f, n)) return false;
  if (is_far_inside(Q, f, w, v3_dot(v3_sub(x, skin_x(Q, Q->tri[3 * (size_t)f])), n))) return false;
  plVec3 surface = inside_of(Q, f, w), way = v3_sub(x, surface);
  bool front = false;
  for (int k = 0; k < 3 && !front; k++) {
    int v = Q->tri[3 * (size_t)f + (size_t)k];
    plVec3 d = v3_sub(x, skin_x(Q, v));
    for (int i = Q->ring0[v]; i < Q->ring0[v + 1] && !front; i++) {
      plVec3 m = skin_normal(Q, Q->ring[i]);
      front =
          (!flush || v3_dot(m, n) < PL_FACING) && v3_dot(m, way) > 0 && v3_dot(m, d) > PL_ROUNDING * Q->cell;
    }
  }
  return front && pl_pair_is_cut(Q, surface, x);
}

// Whether a facet around the vertex opposes n within 14 degrees.
static bool some_facet_flat(const plSkin* s, int v, plVec3 n) {
  for (int i = s->ring0[v]; i < s->ring0[v + 1]; i++)
    if (v3_dot(skin_normal(s, s->ring[i]), n) < -PL_FACETS_FLAT) return true;
  return false;
}

// Whether p lies inside Q, and the facet closest to it.
static bool lies_in(const plSkin* Q, plVec3 p, plTriHit* hit) {
  if (p.x < Q->lower.x || p.y < Q->lower.y || p.z < Q->lower.z || p.x > Q->upper.x || p.y > Q->upper.y ||
      p.z > Q->upper.z)
    return false;
  *hit = pl_tri_tree_closest(Q->tree, p, INFINITY);
  return hit->tri >= 0 && pl_tri_tree_winding(Q->tree, p) > 0.5;
}

bool pl_pair_lies_in(const plSkin* Q, plVec3 x) {
  plTriHit hit;
  return lies_in(Q, x, &hit);
}

// Vertex v of P on facet f of Q. The facet's normal points towards P.
static plStatus emit_vertex(plPair* pair, const plSkin* P, int v, const plSkin* Q, int f, bool p_is_a,
                            double area) {
  plVec3 n = skin_normal(Q, f);
  double gap = v3_dot(v3_sub(skin_x(P, v), skin_x(Q, Q->tri[3 * (size_t)f])), n);
  const bool *held = p_is_a ? pair->held_a : pair->held_b, *held_q = p_is_a ? pair->held_b : pair->held_a;
  const int* tri = Q->tri + 3 * (size_t)f;
  if (held && held[v]) return PL_OK;
  if (held_q && held_q[tri[0]] && held_q[tri[1]] && held_q[tri[2]]) return PL_OK;
  if (gap > pair->margin) return PL_OK;
  bool counts = true;
  if (gap < -Q->tri_limit[f] || gap < -P->vert_limit[v] ||
      (pair->self && pl_self_is_deep_vertex(pair->self, P, v, f, gap, &counts))) {
    // Behind the plane of a facet and inside the body. (Where 5. follows, it may be closer to another facet.)
    plVec3 x = skin_x(P, v);
    pair->list->deep += counts && !pl_pair_has_backs(pair, p_is_a) &&
                        (pair->self ? pl_self_lies_in(P, x, pl_skin_vert_normal(P, v), P->vert_limit[v])
                                    : pl_pair_lies_in(Q, x));
    return PL_OK;
  }
  double w[3], one = 1, share = P->vert_area[v] > 0 ? area / P->vert_area[v] : 0;
  pl_skin_barycentric(Q, f, skin_x(P, v), w);
  double aside = aside_of(Q, f, w);
  if (gap > 0) gap = slanted(gap, aside);
  plVec3 x = skin_x(P, v);
  if (!pair->self && gap < 0 &&
      (is_outside(w) ? pl_pair_is_cut(Q, inside_of(Q, f, w), x)
                     : pl_pair_came_through(Q, v3_madd(x, -gap, n), x) || is_past_edge(Q, w, aside, gap) ||
                           pl_pair_is_past(Q, f, w, x, some_facet_flat(P, v, n))))
    return PL_OK;
  plOnSkin vertex = {1, &v, &one, P->vert_tri[v]}, facet = {3, tri, w, f};
  plVec3 position = v3_madd(skin_x(P, v), -0.5 * gap, n);
  // No point of the surface around it is closer.
  (p_is_a ? pair->done_a : pair->done_b)[v] =
      share >= PL_SHARE_LEAST && gap < PL_CLOSEST_SAME * fmin(P->cell, Q->cell);
  return p_is_a ? pl_pair_push(pair, vertex, facet, position, v3_neg(n), gap, area, share)
                : pl_pair_push(pair, facet, vertex, position, n, gap, area, share);
}

// Vertices of A against B, or of B against A.
static plStatus emit_some(plPair* part, void* context, int begin, int end) {
  bool of_a = *(const bool*)context;
  const plSkin *P = of_a ? part->A : part->B, *Q = of_a ? part->B : part->A;
  const int* partner = of_a ? part->partner_a : part->partner_b;
  const double* area = of_a ? part->area_a : part->area_b;
  plStatus status = PL_OK;
  for (int v = begin; v < end && !status; v++)
    if (partner[v] >= 0) status = emit_vertex(part, P, v, Q, partner[v], of_a, area[v]);
  return status;
}

// Counts vertices of P that contact cannot push out of Q: deeper than the limit, or closest to a facet that
// does not face them, as when one body is sunk into the other up to its rim. The test uses positions slightly
// inside P, so that bodies that merely touch or lie flush count as separate, and bodies at the same position
// do not. Checking this every step is too expensive, so only the first step does it.
static int count_buried(const plSkin* P, const plSkin* Q, const bool* held) {
  int n = 0;
  for (int v = 0; v < P->nvert; v++) {
    if (P->vert_tri[v] < 0 || (held && held[v])) continue;
    plVec3 normal = pl_skin_vert_normal(P, v);
    plTriHit hit;
    bool deep = lies_in(Q, skin_x(P, v), &hit) && hit.t > fmin(Q->tri_limit[hit.tri], P->vert_limit[v]);
    if (!deep && lies_in(Q, v3_madd(skin_x(P, v), -PL_BURIED * P->vert_limit[v], normal), &hit))
      deep = v3_dot(normal, skin_normal(Q, hit.tri)) > PL_VERTEX_FACING;
    n += deep;
  }
  return n;
}

// What neither vertices on facets nor crossings show.
static plStatus emit_others(plPair* pair) {
  plStatus status = pl_pair_emit_closest(pair);
  return status ? status : pl_pair_emit_backs(pair);
}

plStatus pl_contact_skin_pair(plPair* pair) {
  plStatus status = pair->self ? pl_self_polygons(pair) : pl_pair_polygons(pair);
  if (pair->data->work->placed)
    pair->list->deep += pair->self ? pl_self_count_buried(pair->A)
                                   : count_buried(pair->A, pair->B, pair->held_a) +
                                         count_buried(pair->B, pair->A, pair->held_b);
  if (status || pair->npolygon == 0) return status ? status : emit_others(pair);
  status = pl_pair_merge_crossings(pair);
  if (!status) status = find_partners(pair);
  if (status) return status;
  share_areas(pair);
  merge_twins(pair);
  bool of_a = true, of_b = false;
  status = pl_pair_in_parts(pair, pair->A->nvert, 512, emit_some, &of_a);
  if (!status && !pair->self) status = pl_pair_in_parts(pair, pair->B->nvert, 512, emit_some, &of_b);
  if (!status) status = pl_pair_emit_crossings(pair);
  return status ? status : emit_others(pair);
}

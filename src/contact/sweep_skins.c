// sweep_skins.c: the first facet that each vertex enters during the motion, and the first edge that each edge
// hits.
//
// Motions are relative to the mean motion of B. They are divided into slices in which A moves by no more than
// its own size, so that boxes around a slice stay small; both trees are traversed in each slice. Weights and
// normal are those at impact, and the gap is measured along the normal at the start: the half space gap + n .
// displacement >= 0 contains the impact.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "contact/sweep_skins.h"
#include "contact/thresholds.h"
#include "geom/ccd.h"
#include "geom/closest.h"

// ---- hits

static plVec3 mean(const double* x, int n, const int* v, const double* w) {
  plVec3 sum = {0, 0, 0};
  for (int i = 0; i < n; i++) sum = v3_madd(sum, w[i], v3_load(x + 3 * (size_t)v[i]));
  return sum;
}

typedef struct On {
  int n, v[3], tri;
  double w[3];
  int edge;  // counted from 1; 0: none
} On;

// A side of a point: weights on vertices if it is soft, a position if it is rigid.
static bool fill_side(const plMovingSkins* k, const plCollider* c, const plSkin* skin, const On* on,
                      plContactSide* side, plVec3* position) {
  const plModel* model = k->sweep->model;
  *side = (plContactSide){.body = c->deform, .shape_id = c->shape_id, .tri = on->tri, .edge = on->edge};
  *position = mean(skin->x, on->n, on->v, on->w);
  if (c->deform < 0) return true;
  int* vert = PL_ARENA_NEW(k->sweep->arena, int, on->n);
  double* weight = PL_ARENA_NEW(k->sweep->arena, double, on->n);
  if (!vert || !weight) return false;
  assert(on->tri >= 0 && on->tri < skin->ntri);
  for (int i = 0; i < on->n; i++) {
    assert(on->v[i] >= 0 && on->v[i] < skin->nvert);
    vert[i] = model->deform_vert0[c->deform] + on->v[i], weight[i] = on->w[i];
  }
  side->nvert = on->n, side->vert = vert, side->weight = weight;
  side->tri = model->deform_tri0[c->deform] + on->tri;
  return true;
}

// Adds a point from `on_a` of A and `on_b` of B with the normal n (A to B) at the time of impact; *at is the
// index of its hit, which is replaced if there is one.
static plStatus note(plMovingSkins* k, int kind, int i, int j, double time, const On* on_a, const On* on_b,
                     plVec3 n, double area, double share, double limit, plVec3 lift, double* earliest,
                     int* at) {
  plSweep* sweep = k->sweep;
  plVec3 a0 = mean(k->a.skin->x, on_a->n, on_a->v, on_a->w),
         b0 = mean(k->b.skin->x, on_b->n, on_b->v, on_b->w), a1 = mean(k->a.x1, on_a->n, on_a->v, on_a->w),
         b1 = mean(k->b.x1, on_b->n, on_b->v, on_b->w);
  plSweepHit hit = {.a = sweep->a, .b = sweep->b, .kind = kind, .i = i, .j = j, .time = time};
  // A vertex that was inside at the start is treated as if it had started on the surface.
  double before = v3_dot(lift, n);
  hit.end = v3_dot(v3_sub(b1, a1), n) + before;
  if (sweep->depth >= 0 && !(hit.end < sweep->law - sweep->depth * limit)) return PL_OK;
  plContactPoint* p = &hit.point;
  *p = (plContactPoint){.normal = n, .area = area, .share = PL_SWEEP_SHARE * share, .swept = true};
  // A normal that has turned during the motion may indicate an overlap that does not exist.
  p->gap = fmax(0, v3_dot(v3_sub(b0, a0), n) + before);
  p->position = v3_scale(0.5, v3_add(a0, b0));
  if (!fill_side(k, sweep->ca, k->a.skin, on_a, &p->a, &p->position_a) ||
      !fill_side(k, sweep->cb, k->b.skin, on_b, &p->b, &p->position_b))
    return PL_ERROR_MEMORY;
  *earliest = time;
  if (*at >= 0) {
    assert(*at < sweep->nhit);
    sweep->hit[*at] = hit;
    return PL_OK;
  }
  *at = sweep->nhit;
  return pl_sweep_push(sweep, hit);
}

static bool inside(const plMovingSkins* k, double s) { return s >= k->from && s <= k->to; }

// Whether an impact on j at time s precedes the one stored. For self-contact the order in which facets are
// tried may change: of two impacts at the same time the lower number counts.
static bool is_earlier(const plMovingSkins* k, double s, int j, double earliest, int at) {
  return s < earliest || (k->sweep->self && s == earliest && at >= 0 && j < k->sweep->hit[at].j);
}

// Whether facet f faces along n at that time, by more than the facets of a face that slides along it.
static bool looks(const plMovingSkin* s, int f, double t, plVec3 n) {
  const int* v = s->skin->tri + 3 * (size_t)f;
  plVec3 o = position_at(s, v[0], t),
         m = v3_cross(v3_sub(position_at(s, v[1], t), o), v3_sub(position_at(s, v[2], t), o));
  return v3_dot(m, n) > -PL_FACING * v3_norm(m);
}

// The same for an edge whose facets do not reach farther along n than the edge itself.
static bool edge_looks(const plMovingSkin* s, int e, double t, plVec3 n) {
  const int* ends = s->skin->edge_vert + 2 * (size_t)e;
  bool any = false;
  for (int i = 0; i < 2; i++) {
    int f = s->skin->edge_tri[2 * (size_t)e + (size_t)i];
    if (f < 0) continue;
    any = any || looks(s, f, t, n);
    for (int k = 0; k < 3; k++) {
      int v = s->skin->tri[3 * (size_t)f + (size_t)k];
      if (v == ends[0] || v == ends[1]) continue;
      plVec3 d = v3_sub(position_at(s, v, t), position_at(s, ends[0], t));
      if (v3_dot(d, n) > PL_SWEEP_RISE * v3_norm(d)) return false;
    }
  }
  return any;
}

static bool vertex_looks(const plMovingSkin* s, int v, double t, plVec3 n) {
  for (int i = s->skin->ring0[v]; i < s->skin->ring0[v + 1]; i++)
    if (looks(s, s->skin->ring[i], t, n)) return true;
  return false;
}

static plVec3 facet_normal(const plMovingSkin* s, int t, double time, plVec3 x[3]) {
  for (int i = 0; i < 3; i++) x[i] = position_at(s, s->skin->tri[3 * (size_t)t + (size_t)i], time);
  return v3_unit(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
}

// Whether x on facet t, at that time, is this close to a side of the surface that faces elsewhere: a body
// that slides over a face touches the front of another body there. In the middle of a face nothing slides
// past.
static bool at_a_rim(const plMovingSkin* s, int t, double time, plVec3 x, double near) {
  plVec3 o[3], at[3] = {x, x, x}, n = facet_normal(s, t, time, o);
  for (int f = 0; f < s->skin->ntri; f++) {
    plVec3 y[3], m = facet_normal(s, f, time, y);
    if (v3_dot(m, n) < PL_SAME_NORMAL && pl_facet_gap(at, y, near).gap < near) return true;
  }
  return false;
}

// For self-contact: whether the box around the vertex' motion meets that around the facet's.
static bool vertex_meets(const plMovingSkins* k, const plMovingSkin* s, int v, int t) {
  plWayBox facet = pl_moving_box(k, s, t), box = empty_box();
  plVec3 way = v3_sub(way_of(s, v), k->drift), x = skin_x(s->skin, v);
  grow(&box, v3_madd(x, k->from, way)), grow(&box, v3_madd(x, k->to, way));
  return meet(&box, &facet);
}

// Vertex v of P on facet t of Q.
static plStatus try_vertex(plMovingSkins* k, bool p_is_a, int v, int t) {
  const plMovingSkin *P = p_is_a ? &k->a : &k->b, *Q = p_is_a ? &k->b : &k->a;
  const bool* held = p_is_a ? k->sweep->held_a : k->sweep->held_b;
  double *earliest = (p_is_a ? k->va : k->vb) + v, s[3];
  int* at = (p_is_a ? k->hit_va : k->hit_vb) + v;
  const int* tri = Q->skin->tri + 3 * (size_t)t;
  if (held && held[v]) return PL_OK;
  if (k->sweep->self && !(vertex_meets(k, P, v, t) && pl_self_vertex_apart(k->sweep->self, P->skin, v, t)))
    return PL_OK;
  // (v - x0) . ((x1 - x0) x (x2 - x0)) becomes negative where the vertex enters.
  plVec3 lift = P->lift ? P->lift[v] : v3(0, 0, 0);
  plVec3 x[4] = {skin_x(Q->skin, tri[0]), v3_add(skin_x(P->skin, v), lift), skin_x(Q->skin, tri[1]),
                 skin_x(Q->skin, tri[2])},
         d[4] = {way_of(Q, tri[0]), way_of(P, v), way_of(Q, tri[1]), way_of(Q, tri[2])};
  bool falls[3];
  int n = pl_coplanar_times(x, d, s, falls);
  for (int i = 0; i < n; i++) {
    if (!falls[i] || !inside(k, s[i]) || !is_earlier(k, s[i], t, *earliest, *at)) continue;
    plVec3 o = position_at(Q, tri[0], s[i]), e = v3_sub(position_at(Q, tri[1], s[i]), o),
           f = v3_sub(position_at(Q, tri[2], s[i]), o), q = v3_sub(v3_madd(x[1], s[i], d[1]), o),
           m = v3_cross(e, f);
    double mm = v3_norm2(m);
    if (!(mm > 0)) continue;
    double w1 = v3_dot(v3_cross(q, f), m) / mm, w2 = v3_dot(v3_cross(e, q), m) / mm, w0 = 1 - w1 - w2;
    if (w0 < -PL_INSIDE || w1 < -PL_INSIDE || w2 < -PL_INSIDE) continue;
    plVec3 normal = v3_scale(1 / sqrt(mm), m);
    // A front that slides over a face must not collect points at its vertices. But if a body bends or turns
    // inside out during the motion, vertices that face sideways may enter.
    if (!vertex_looks(P, v, s[i], v3_neg(normal)) &&
        (!P->lift || at_a_rim(Q, t, s[i], v3_add(q, o), k->deep)))
      continue;
    On vertex = {1, {v}, P->skin->vert_tri[v], {1}, 0},
       facet = {3, {tri[0], tri[1], tri[2]}, t, {w0, w1, w2}, 0};
    double limit = fmin(skin_thin(Q->skin, t), P->skin->vert_thin[v]), area = P->skin->vert_area[v];
    return p_is_a ? note(k, PL_SWEEP_A_ON_B, v, t, s[i], &vertex, &facet, v3_neg(normal), area, 1, limit,
                         v3_neg(lift), earliest, at)
                  : note(k, PL_SWEEP_B_ON_A, v, t, s[i], &facet, &vertex, normal, area, 1, limit, lift,
                         earliest, at);
  }
  return PL_OK;
}

// Where two edges cross at time s, seen along their common perpendicular.
typedef struct Crossing {
  double t, u;    // along the edge of A, along that of B
  plVec3 normal;  // unit, of either sign
} Crossing;

// False: they do not cross, or are parallel.
static bool cross_at(const plMovingSkins* k, int ea, int eb, double s, Crossing* c) {
  const int *va = k->a.skin->edge_vert + 2 * (size_t)ea, *vb = k->b.skin->edge_vert + 2 * (size_t)eb;
  plVec3 a = position_at(&k->a, va[0], s), b = position_at(&k->b, vb[0], s),
         e = v3_sub(position_at(&k->a, va[1], s), a), h = v3_sub(position_at(&k->b, vb[1], s), b),
         r = v3_sub(b, a), n = v3_cross(e, h);
  double nn = v3_norm2(n);
  if (!(nn > PL_SIDE_SLACK * PL_SIDE_SLACK * v3_norm2(e) * v3_norm2(h))) return false;
  c->t = v3_dot(v3_cross(r, h), n) / nn, c->u = v3_dot(v3_cross(r, e), n) / nn;
  c->normal = v3_scale(1 / sqrt(nn), n);
  return c->t >= 0 && c->t <= 1 && c->u >= 0 && c->u <= 1;
}

static plStatus note_edges(plMovingSkins* k, int ea, int eb, double s, const Crossing* c, double limit,
                           plVec3 lift, double* earliest, int* at) {
  const plSkin *A = k->a.skin, *B = k->b.skin;
  const int *va = A->edge_vert + 2 * (size_t)ea, *vb = B->edge_vert + 2 * (size_t)eb;
  On on_a = {2, {va[0], va[1]}, A->edge_tri[2 * (size_t)ea], {1 - c->t, c->t}, 1 + ea},
     on_b = {2, {vb[0], vb[1]}, B->edge_tri[2 * (size_t)eb], {1 - c->u, c->u}, 1 + eb};
  double area = PL_CLOSEST_SHARE * fmin(0.5 * (A->vert_area[va[0]] + A->vert_area[va[1]]),
                                        0.5 * (B->vert_area[vb[0]] + B->vert_area[vb[1]]));
  return note(k, PL_SWEEP_EDGES, ea, eb, s, &on_a, &on_b, c->normal, area, PL_CLOSEST_SHARE, limit, lift,
              earliest, at);
}

static double edges_thin(const plMovingSkins* k, int ea, int eb) {
  return fmin(skin_thin(k->a.skin, k->a.skin->edge_tri[2 * (size_t)ea]),
              skin_thin(k->b.skin, k->b.skin->edge_tri[2 * (size_t)eb]));
}

static plStatus try_edges(plMovingSkins* k, int ea, int eb) {
  const int *va = k->a.skin->edge_vert + 2 * (size_t)ea, *vb = k->b.skin->edge_vert + 2 * (size_t)eb;
  const plSweep* w = k->sweep;
  if ((w->held_a && w->held_a[va[0]] && w->held_a[va[1]]) ||
      (w->held_b && w->held_b[vb[0]] && w->held_b[vb[1]]))
    return PL_OK;
  if (w->self && !(ea < eb && pl_self_edges_apart(w->self, k->a.skin, ea, eb))) return PL_OK;
  plVec3 x[4] = {skin_x(k->a.skin, va[0]), skin_x(k->a.skin, va[1]), skin_x(k->b.skin, vb[0]),
                 skin_x(k->b.skin, vb[1])},
         d[4] = {way_of(&k->a, va[0]), way_of(&k->a, va[1]), way_of(&k->b, vb[0]), way_of(&k->b, vb[1])};
  double s[3];
  bool falls[3];
  int n = pl_coplanar_times(x, d, s, falls);
  for (int i = 0; i < n; i++) {
    if (!inside(k, s[i]) || !is_earlier(k, s[i], eb, k->ea[ea], k->hit_ea[ea])) continue;
    Crossing c;
    if (!cross_at(k, ea, eb, s[i], &c)) continue;
    plVec3 way_a = v3_madd(d[0], c.t, v3_sub(d[1], d[0])), way_b = v3_madd(d[2], c.u, v3_sub(d[3], d[2]));
    // The edges approach each other along the normal, which points out of A and into B.
    if (v3_dot(v3_sub(way_b, way_a), c.normal) > 0) c.normal = v3_neg(c.normal);
    if (!edge_looks(&k->a, ea, s[i], c.normal) || !edge_looks(&k->b, eb, s[i], v3_neg(c.normal))) continue;
    return note_edges(k, ea, eb, s[i], &c, edges_thin(k, ea, eb), v3(0, 0, 0), &k->ea[ea], &k->hit_ea[ea]);
  }
  return PL_OK;
}

plStatus pl_sweep_edges(plSweep* sweep, const plContactPoint* p) {
  plMovingSkins k = {.sweep = sweep,
                     .a = {.skin = sweep->ca->skin, .x1 = sweep->ma.x1},
                     .b = {.skin = sweep->cb->skin, .x1 = sweep->mb.x1}};
  int ea = p->a.edge - 1, eb = p->b.edge - 1, at = -1;
  Crossing c;
  if (!skin_edge_convex(k.a.skin, ea) || !skin_edge_convex(k.b.skin, eb) || !cross_at(&k, ea, eb, 1, &c))
    return PL_OK;
  if (v3_dot(c.normal, p->normal) < 0) c.normal = v3_neg(c.normal);
  if (!edge_looks(&k.a, ea, 1, c.normal) || !edge_looks(&k.b, eb, 1, v3_neg(c.normal))) return PL_OK;
  for (int i = 0; i < sweep->nhit; i++) {
    const plSweepHit* h = &sweep->hit[i];
    if (h->a == sweep->a && h->b == sweep->b && h->kind == PL_SWEEP_EDGES && h->i == ea && h->j == eb)
      return PL_OK;
  }
  const int *va = k.a.skin->edge_vert + 2 * (size_t)ea, *vb = k.b.skin->edge_vert + 2 * (size_t)eb;
  plVec3 a0 = skin_x(k.a.skin, va[0]), b0 = skin_x(k.b.skin, vb[0]),
         a = v3_madd(a0, c.t, v3_sub(skin_x(k.a.skin, va[1]), a0)),
         b = v3_madd(b0, c.u, v3_sub(skin_x(k.b.skin, vb[1]), b0));
  double start = v3_dot(v3_sub(b, a), c.normal), thin = edges_thin(&k, ea, eb), earliest;
  plStatus status = note_edges(&k, ea, eb, 1, &c, pl_sweep_allowed(sweep, p) / sweep->depth * thin,
                               v3_scale(fmax(0, -start), c.normal), &earliest, &at);
  if (at >= 0) sweep->hit[at].mild = sweep->hit[at].end > -thin;
  return status;
}

// An upper bound of the relative displacement of any point of facet ta and any of tb.
static bool move_together(const plMovingSkins* k, int ta, int tb, double much) {
  const int *va = k->a.skin->tri + 3 * (size_t)ta, *vb = k->b.skin->tri + 3 * (size_t)tb;
  plWayBox a = empty_box(), b = empty_box();
  for (int i = 0; i < 3; i++) grow(&a, way_of(&k->a, va[i])), grow(&b, way_of(&k->b, vb[i]));
  return differ_less(&a, &b, much);
}

// A vertex is tried with the first of its facets, an edge with the first of its two.
plStatus pl_moving_facets(plMovingSkins* k, int ta, int tb) {
  const plSkin *A = k->a.skin, *B = k->b.skin;
  plStatus status = PL_OK;
  // A gap that is closed at impact ends no deeper than the relative displacement.
  if (k->deep > 0 && move_together(k, ta, tb, k->deep)) return PL_OK;
  for (int i = 0; i < 3 && !status; i++) {
    int va = A->tri[3 * (size_t)ta + (size_t)i], vb = B->tri[3 * (size_t)tb + (size_t)i];
    if (A->vert_tri[va] == ta) status = try_vertex(k, true, va, tb);
    // For self-contact the traversal visits the two facets in both orders.
    if (!status && !k->sweep->self && B->vert_tri[vb] == tb) status = try_vertex(k, false, vb, ta);
  }
  for (int i = 0; i < 9 && !status; i++) {
    int ea = A->tri_edge[3 * (size_t)ta + (size_t)(i / 3)],
        eb = B->tri_edge[3 * (size_t)tb + (size_t)(i % 3)];
    if (A->edge_tri[2 * (size_t)ea] == ta && B->edge_tri[2 * (size_t)eb] == tb && skin_edge_convex(A, ea) &&
        skin_edge_convex(B, eb))
      status = try_edges(k, ea, eb);
  }
  return status;
}

// ---- what is inside at the start

// Vertices of P inside Q start on Q's surface, because they may slide from one facet into the next. Those
// that move too little relative to Q for a hit to count stay where they are.
static bool lift_vertices(plMovingSkins* k, plMovingSkin* p, const plMovingSkin* q, const plMotionOf* of_q,
                          const plCollider* c) {
  const plSkin *P = p->skin, *Q = q->skin;
  bool rigid = c->shape_id >= 0 && !k->sweep->plain;
  plRigidField field = {0};
  if (rigid) field = pl_rigid_field(c, of_q);
  double allowed = deviation_allowed(k, &field, Q->limit + k->deep, k->room);
  p->lift = PL_ARENA_NEW(k->sweep->arena, plVec3, P->nvert);
  for (int v = 0; v < P->nvert && p->lift; v++) {
    plVec3 x = skin_x(P, v);
    p->lift[v] = v3(0, 0, 0);
    if (v3_norm2(v3_sub(x, v3_max(Q->lower, v3_min(Q->upper, x)))) > 0) continue;
    if (v3_norm(v3_sub(way_of(p, v), of_q->drift)) + of_q->spread < k->deep) continue;
    if (rigid && v3_norm(deviation_of(p, v, &field)) < allowed) continue;
    plTriHit hit = pl_tri_tree_closest(Q->tree, x, fmin(P->vert_limit[v], Q->limit));
    if (hit.tri < 0 || !(hit.t < Q->tri_limit[hit.tri])) continue;
    plVec3 n = skin_normal(Q, hit.tri), out = v3_sub(hit.point, x);
    if (!(v3_dot(out, n) > 0)) continue;
    p->lift[v] = v3_madd(out, PL_SWEEP_DEEP * k->deep, n);
    k->room = fmax(k->room, 2 * v3_norm(p->lift[v]));
  }
  return p->lift;
}

// ---- self-contact

enum { PICK = 256 };

// The pairs i, begin <= i < end, that may meet during the motion, without branches as in self_polygons.c.
static int pick_meeting(const plSelfList* list, const double* way, double room, int begin, int end,
                        int* picked) {
  assert(end - begin <= PICK && end <= list->npair);
  int n = 0;
  for (int i = begin; i < end; i++) {
    const plSelfPair* p = &list->pair[i];
    picked[n] = i;
    n += (p->kin == PL_KIN_APART) & (pl_self_list_distance(list, p) <= way[p->a] + way[p->b] + room);
  }
  return n;
}

// Two facets of the list, in both orders.
static plStatus try_both(plMovingSkins* k, const plSelfPair* p) {
  plWayBox a = pl_moving_box(k, &k->a, p->a), b = pl_moving_box(k, &k->a, p->b);
  if (!meet(&a, &b)) return PL_OK;
  plStatus status = pl_moving_facets(k, p->a, p->b);
  return status ? status : pl_moving_facets(k, p->b, p->a);
}

static plStatus try_listed(plMovingSkins* k, const plSelfList* list) {
  const plSweep* s = k->sweep;
  const double* way = pl_self_displacements(k->a.skin, s->ma.x1, s->ma.drift, s->arena);
  plStatus status = way ? PL_OK : PL_ERROR_MEMORY;
  int picked[PICK];
  for (int i = 0; i < list->npair && !status; i += PICK) {
    int n = pick_meeting(list, way, k->room, i, i + PICK < list->npair ? i + PICK : list->npair, picked);
    for (int m = 0; m < n && !status; m++) status = try_both(k, &list->pair[picked[m]]);
  }
  return status;
}

static int compare_hits(const void* pa, const void* pb) {
  const plSweepHit *a = pa, *b = pb;
  if (a->kind != b->kind) return a->kind - b->kind;
  return a->i != b->i ? (a->i < b->i ? -1 : 1) : (a->j > b->j) - (a->j < b->j);
}

static void sort_hits(plSweep* sweep, int first) {
  if (sweep->nhit > first + 1)
    qsort(sweep->hit + first, (size_t)(sweep->nhit - first), sizeof *sweep->hit, compare_hits);
}

static double* earliest_of(plArena* arena, int n, int** hit) {
  double* time = PL_ARENA_NEW(arena, double, n);
  *hit = PL_ARENA_NEW(arena, int, n);
  for (int i = 0; i < n && time && *hit; i++) time[i] = INFINITY, (*hit)[i] = -1;
  return time;
}

static bool new_boxes(plArena* arena, plMovingSkin* s) {
  s->box = PL_ARENA_NEW(arena, plWayBox, s->skin->tree->nnode);
  s->facet = PL_ARENA_NEW(arena, plWayBox, s->skin->tree->ntri);
  return s->box && s->facet;
}

// Largest number of slices of a motion; it affects no result.
enum { SLICES = 64 };

plStatus pl_sweep_skins(plSweep* sweep) {
  plArena* arena = sweep->arena;
  plMovingSkins k = {.sweep = sweep,
                     .a = {.skin = sweep->ca->skin, .x1 = sweep->ma.x1},
                     .b = {.skin = sweep->cb->skin, .x1 = sweep->mb.x1}};
  if (!k.a.skin->tree->nnode || !k.b.skin->tree->nnode) return PL_OK;
  double approach = sweep->self ? pl_sweep_approach(sweep) : 0;
  bool listed = sweep->self && pl_self_list_holds(sweep->self, approach);
  int nhit0 = sweep->nhit;
  k.drift = sweep->mb.drift;
  k.deep = sweep->depth * fmin(k.a.skin->thinnest, k.b.skin->thinnest);
  bool boxes = listed || (new_boxes(arena, &k.a) && (sweep->self || new_boxes(arena, &k.b)));
  if (!boxes) return PL_ERROR_MEMORY;
  if (sweep->self) k.b.box = k.a.box, k.b.facet = k.a.facet;
  k.va = earliest_of(arena, k.a.skin->nvert, &k.hit_va),
  k.vb = earliest_of(arena, k.b.skin->nvert, &k.hit_vb),
  k.ea = earliest_of(arena, k.a.skin->nedge, &k.hit_ea);
  double way = v3_norm(v3_sub(sweep->ma.drift, sweep->mb.drift)),
         own = v3_norm(v3_sub(k.a.skin->upper, k.a.skin->lower));
  k.room = PL_ROUNDING * own;
  if (sweep->self && !listed && (k.a.way = PL_ARENA_NEW(arena, plWayBox, k.a.skin->tree->nnode)))
    pl_moving_ways(&k.a);
  if (arena->failed || (k.deep >= 0 && !sweep->self &&
                        (!lift_vertices(&k, &k.a, &k.b, &sweep->mb, sweep->cb) ||
                         !lift_vertices(&k, &k.b, &k.a, &sweep->ma, sweep->ca))))
    return PL_ERROR_MEMORY;
  if (listed) {
    k.from = 0, k.to = 1;
    plStatus status = try_listed(&k, &sweep->self->list);
    sort_hits(sweep, nhit0);
    return status;
  }
  k.from = 0, k.to = 1;
  if (k.deep > 0 && !sweep->self && !sweep->plain && pl_moving_with_rigid(&k, PL_ROUNDING * own))
    return PL_OK;
  int n = (int)fmin(SLICES, fmax(1, ceil(way / own)));
  plStatus status = PL_OK;
  for (int i = 0; i < n && !status; i++) {
    k.from = (double)i / n, k.to = (double)(i + 1) / n;
    status = pl_moving_slice(&k);
  }
  if (sweep->self) sort_hits(sweep, nhit0);
  return status;
}

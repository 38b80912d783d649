// skin_pair.c: vertex-facet points of two surfaces, and who gets which area.
//
// A vertex is in contact with the facet on which it projects orthogonally (with a tolerance: the projections of neighbouring facets
// leave cracks that must not decide). Its strength is the mortar area of its shape function over the polygons; what belongs to
// vertices without a partner goes to the crossings of the polygon, or to its other vertices.
#include <math.h>
#include <string.h>

#include "contact/pair.h"

static const double inside = -1e-3;  // barycentric coordinates down to here count as inside
static const double same = 0.02;     // vertices this part of a side apart count as one

// The nearest facet of Q that vertex v of P projects on.
static void try_partner(const plSkin* P, int v, const plSkin* Q, int facet, int* partner, double* best) {
  plVec3 d = v3_sub(skin_x(P, v), skin_x(Q, Q->tri[3 * (size_t)facet]));
  double gap = fabs(v3_dot(d, skin_normal(Q, facet))), w[3];
  if (!(gap < best[v])) return;
  pl_skin_barycentric(Q, facet, skin_x(P, v), w);
  if (w[0] < inside || w[1] < inside || w[2] < inside) return;
  best[v] = gap;
  partner[v] = facet;
}

static plStatus find_partners(plPair* pair) {
  plSkin *A = pair->A, *B = pair->B;
  plArena* arena = pair->arena;
  double* best_a = PL_ARENA_NEW(arena, double, A->nvert);
  double* best_b = PL_ARENA_NEW(arena, double, B->nvert);
  pair->partner_a = PL_ARENA_NEW(arena, int, A->nvert);
  pair->partner_b = PL_ARENA_NEW(arena, int, B->nvert);
  pair->area_a = PL_KEEP(arena, double, A->nvert);
  pair->area_b = PL_KEEP(arena, double, B->nvert);
  if (arena->failed) return PL_ERROR_MEMORY;
  for (int v = 0; v < A->nvert; v++) best_a[v] = INFINITY, pair->partner_a[v] = -1;
  for (int v = 0; v < B->nvert; v++) best_b[v] = INFINITY, pair->partner_b[v] = -1;
  for (int i = 0; i < pair->npolygon; i++) {
    const plPolygon* p = &pair->scratch->polygon[i];
    for (int k = 0; k < 3; k++) {
      try_partner(A, A->tri[3 * (size_t)p->a + (size_t)k], B, p->b, pair->partner_a, best_a);
      try_partner(B, B->tri[3 * (size_t)p->b + (size_t)k], A, p->a, pair->partner_b, best_b);
    }
  }
  return PL_OK;
}

// Gives each polygon's mortar areas to vertices with a partner, and the rest to its crossings or, failing those, its other vertices.
static void share_areas(plPair* pair) {
  plSkin *A = pair->A, *B = pair->B;
  for (int i = 0; i < pair->npolygon; i++) {
    const plPolygon* p = &pair->scratch->polygon[i];
    const int *ta = A->tri + 3 * (size_t)p->a, *tb = B->tri + 3 * (size_t)p->b;
    double lost = 0;
    int partners = 0, kept = 0;
    for (int k = 0; k < 3; k++) {
      if (pair->partner_a[ta[k]] >= 0) pair->area_a[ta[k]] += p->mortar_a[k], partners++;
      else lost += p->mortar_a[k];
      if (pair->partner_b[tb[k]] >= 0) pair->area_b[tb[k]] += p->mortar_b[k], partners++;
      else lost += p->mortar_b[k];
    }
    plCrossMark* mark = pair->scratch->mark + p->mark0;
    for (int k = 0; k < p->nmark; k++) kept += pair->crossing[mark[k].crossing].keep;
    if (kept) {
      for (int k = 0; k < p->nmark; k++)
        if (pair->crossing[mark[k].crossing].keep) pair->crossing[mark[k].crossing].area += lost / kept;
    } else if (partners) {
      for (int k = 0; k < 3; k++) {
        if (pair->partner_a[ta[k]] >= 0) pair->area_a[ta[k]] += lost / partners;
        if (pair->partner_b[tb[k]] >= 0) pair->area_b[tb[k]] += lost / partners;
      }
    } else {
      // No vertex of either facet projects on the other: the polygon's own corners carry it.
      for (int k = 0; k < p->nmark; k++) {
        pair->crossing[mark[k].crossing].keep = true;
        pair->crossing[mark[k].crossing].area += lost / p->nmark;
      }
    }
  }
}

// The vertex of facet f that p projects on, within a part of its sides; -1: none.
static int vertex_below(const plSkin* Q, int f, plVec3 p) {
  double w[3];
  pl_skin_barycentric(Q, f, p, w);
  for (int k = 0; k < 3; k++)
    if (w[k] > 1 - same) return Q->tri[3 * (size_t)f + (size_t)k];
  return -1;
}

// Matching meshes: a vertex of A and one of B that project on each other are one point, A's, with both areas.
static void merge_twins(plPair* pair) {
  for (int va = 0; va < pair->A->nvert; va++) {
    if (pair->partner_a[va] < 0 || !(pair->area_a[va] > 0) || (pair->held_a && pair->held_a[va])) continue;
    int vb = vertex_below(pair->B, pair->partner_a[va], skin_x(pair->A, va));
    if (vb < 0 || pair->partner_b[vb] < 0 || vertex_below(pair->A, pair->partner_b[vb], skin_x(pair->B, vb)) != va) continue;
    // Only where both look at the same plane: there, leaving out one of the two loses nothing.
    if (v3_dot(skin_normal(pair->B, pair->partner_a[va]), skin_normal(pair->A, pair->partner_b[vb])) > -0.97) continue;
    pair->area_a[va] += pair->area_b[vb];
    pair->partner_b[vb] = -1;
    pair->list->merged++;
  }
}

// Vertex v of P on facet f of Q. The facet's normal points towards P.
static plStatus emit_vertex(plPair* pair, const plSkin* P, int v, const plSkin* Q, int f, bool p_is_a, double area) {
  plVec3 n = skin_normal(Q, f);
  double gap = v3_dot(v3_sub(skin_x(P, v), skin_x(Q, Q->tri[3 * (size_t)f])), n);
  const bool *held = p_is_a ? pair->held_a : pair->held_b, *held_q = p_is_a ? pair->held_b : pair->held_a;
  const int* tri = Q->tri + 3 * (size_t)f;
  if (held && held[v]) return PL_OK;
  if (held_q && held_q[tri[0]] && held_q[tri[1]] && held_q[tri[2]]) return PL_OK;
  if (gap > pair->window || v3_dot(pl_skin_vert_normal(P, v), n) > -0.3) return PL_OK;
  if (gap < -Q->tri_limit[f] || gap < -P->vert_limit[v]) {
    pair->list->deep++;
    return PL_OK;
  }
  double w[3], one = 1, share = P->vert_area[v] > 0 ? area / P->vert_area[v] : 0;
  pl_skin_barycentric(Q, f, skin_x(P, v), w);
  plOnSkin vertex = {1, &v, &one, P->vert_tri[v]}, facet = {3, tri, w, f};
  plVec3 place = v3_madd(skin_x(P, v), -0.5 * gap, n);
  return p_is_a ? pl_pair_push(pair, vertex, facet, place, v3_neg(n), gap, area, share)
                : pl_pair_push(pair, facet, vertex, place, n, gap, area, share);
}

// Vertices of P that lie inside Q, deeper than contact can resolve. Found on the way they would cost too much; bodies are placed
// once, so the first step tells.
static int count_buried(const plSkin* P, const plSkin* Q) {
  int n = 0;
  for (int v = 0; v < P->nvert; v++) {
    plVec3 x = skin_x(P, v);
    if (P->vert_tri[v] < 0 || x.x < Q->lower.x || x.y < Q->lower.y || x.z < Q->lower.z || x.x > Q->upper.x || x.y > Q->upper.y || x.z > Q->upper.z)
      continue;
    plTriHit hit = pl_tri_tree_closest(Q->tree, x, INFINITY);
    n += hit.tri >= 0 && hit.t > fmin(Q->tri_limit[hit.tri], P->vert_limit[v]) && pl_tri_tree_winding(Q->tree, x) > 0.5;
  }
  return n;
}

plStatus pl_contact_skin_pair(plPair* pair) {
  plStatus status = pl_pair_polygons(pair);
  if (pair->data->report.step == 0) pair->list->deep += count_buried(pair->A, pair->B) + count_buried(pair->B, pair->A);
  if (status || pair->npolygon == 0) return status;
  status = pl_pair_merge_crossings(pair);
  if (!status) status = find_partners(pair);
  if (status) return status;
  share_areas(pair);
  merge_twins(pair);
  for (int v = 0; v < pair->A->nvert && !status; v++)
    if (pair->partner_a[v] >= 0) status = emit_vertex(pair, pair->A, v, pair->B, pair->partner_a[v], true, pair->area_a[v]);
  for (int v = 0; v < pair->B->nvert && !status; v++)
    if (pair->partner_b[v] >= 0) status = emit_vertex(pair, pair->B, v, pair->A, pair->partner_b[v], false, pair->area_b[v]);
  return status ? status : pl_pair_emit_crossings(pair);
}

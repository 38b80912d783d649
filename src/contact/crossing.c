// crossing.c: points where an edge of A crosses an edge of B, at least one of them sharp.
//
// The corners of a patch are often neither body's vertex but a crossing of two rims. Seen from the side, edges of stacked bodies cross
// too: two crossing edges can only push along their common perpendicular, nearly parallel ones only inside a flat patch, and not where
// separating along a neighbouring face is cheaper.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"

static int compare_marks(const void* pa, const void* pb) {
  const plCrossMark *a = *(plCrossMark* const*)pa, *b = *(plCrossMark* const*)pb;
  if (a->ea != b->ea) return a->ea < b->ea ? -1 : 1;
  if (a->eb != b->eb) return a->eb < b->eb ? -1 : 1;
  return a < b ? -1 : a > b;
}

plStatus pl_pair_merge_crossings(plPair* pair) {
  plArena* arena = pair->arena;
  plCrossMark** sorted = PL_ARENA_NEW(arena, plCrossMark*, pair->nmark);
  pair->crossing = PL_KEEP(arena, plCrossing, pair->nmark);
  if (arena->failed) return PL_ERROR_MEMORY;
  for (int i = 0; i < pair->nmark; i++) sorted[i] = &pair->scratch->mark[i];
  qsort(sorted, (size_t)pair->nmark, sizeof *sorted, compare_marks);
  pair->ncrossing = 0;
  for (int i = 0; i < pair->nmark; i++) {
    plCrossMark* mark = sorted[i];
    if (i == 0 || mark->ea != sorted[i - 1]->ea || mark->eb != sorted[i - 1]->eb) {
      plCrossing fresh = {.ea = mark->ea, .eb = mark->eb, .keep = pl_skin_edge_sharp(pair->A, mark->ea) || pl_skin_edge_sharp(pair->B, mark->eb)};
      pair->crossing[pair->ncrossing++] = fresh;
    }
    plCrossing* c = &pair->crossing[pair->ncrossing - 1];
    mark->crossing = pair->ncrossing - 1;
    c->m = v3_madd(c->m, mark->third, mark->m);
    c->raw += mark->third;
    c->flat = c->flat || mark->flat;
  }
  return PL_OK;
}

// Sum of the normals of an edge's facets, unit.
static plVec3 edge_normal(const plSkin* s, int e) {
  plVec3 n = skin_normal(s, s->edge_tri[2 * e]);
  return s->edge_tri[2 * e + 1] < 0 ? n : v3_unit(v3_add(n, skin_normal(s, s->edge_tri[2 * e + 1])));
}

// Depth of the deeper end of an edge (x0, x1) below each facet of the other edge e of S: the smaller of the two.
static double cheapest_depth(const plSkin* S, int e, plVec3 x0, plVec3 x1) {
  double least = INFINITY;
  plVec3 on = skin_x(S, S->edge_vert[2 * e]);
  for (int i = 0; i < 2; i++) {
    int t = S->edge_tri[2 * e + i];
    if (t < 0) continue;
    plVec3 n = skin_normal(S, t);
    least = fmin(least, fmax(v3_dot(v3_sub(on, x0), n), v3_dot(v3_sub(on, x1), n)));
  }
  return least;
}

// The direction in which the crossing pushes; *genuine: two sharp edges outside a flat patch. False: not a contact.
static bool crossing_normal(const plPair* pair, const plCrossing* c, plVec3 e, plVec3 h, plVec3* normal, bool* genuine) {
  const plSkin *A = pair->A, *B = pair->B;
  plVec3 n = v3_unit(c->m), perpendicular = v3_cross(e, h);
  double sine = v3_norm(perpendicular) / (v3_norm(e) * v3_norm(h));
  bool flat = c->flat && c->raw > 0 && v3_norm(c->m) / c->raw > 0.98;
  perpendicular = v3_unit(perpendicular);
  if (v3_dot(perpendicular, n) < 0) perpendicular = v3_neg(perpendicular);
  if (sine > 0.2 && v3_dot(perpendicular, n) < 0.5) return false;
  if (sine <= 0.2 && !flat) return false;
  bool sharp_a = pl_skin_edge_sharp(A, c->ea), sharp_b = pl_skin_edge_sharp(B, c->eb);
  *genuine = sharp_a && sharp_b && !flat;
  *normal = n;
  if (*genuine) *normal = perpendicular;
  if (sharp_a != sharp_b) {
    plVec3 z = sharp_a ? v3_neg(edge_normal(B, c->eb)) : edge_normal(A, c->ea);
    if (v3_dot(z, n) > 0.7) *normal = z;
  }
  return true;
}

static plStatus emit_crossing(plPair* pair, const plCrossing* c) {
  const plSkin *A = pair->A, *B = pair->B;
  const int *va = A->edge_vert + 2 * c->ea, *vb = B->edge_vert + 2 * c->eb;
  plVec3 a0 = skin_x(A, va[0]), a1 = skin_x(A, va[1]), b0 = skin_x(B, vb[0]), b1 = skin_x(B, vb[1]);
  plVec3 e = v3_sub(a1, a0), h = v3_sub(b1, b0), d = v3_sub(b0, a0), n;
  double le = v3_norm(e), lh = v3_norm(h);
  bool genuine;
  if (pair->held_a && pair->held_a[va[0]] && pair->held_a[va[1]]) return PL_OK;
  if (pair->held_b && pair->held_b[vb[0]] && pair->held_b[vb[1]]) return PL_OK;
  if (!(le > 0 && lh > 0) || !crossing_normal(pair, c, e, h, &n, &genuine)) return PL_OK;

  // a0 + s e and b0 + t h lie above each other along n.
  double det = v3_dot(v3_cross(e, h), n);
  if (fabs(det) < 1e-9 * le * lh) return PL_OK;
  double s = v3_dot(v3_cross(d, h), n) / det, t = v3_dot(v3_cross(d, e), n) / det;
  if (s < -1e-3 || s > 1.001 || t < -1e-3 || t > 1.001) return PL_OK;
  double gap = v3_dot(n, v3_sub(v3_madd(b0, t, h), v3_madd(a0, s, e)));
  if (gap > pair->window) return PL_OK;
  if (gap < -A->tri_limit[A->edge_tri[2 * c->ea]] || gap < -B->tri_limit[B->edge_tri[2 * c->eb]]) {
    pair->list->deep++;
    return PL_OK;
  }
  if (gap < 0 && -gap > 2 * fmin(cheapest_depth(B, c->eb, a0, a1), cheapest_depth(A, c->ea, b0, b1)) + 1e-7) return PL_OK;

  double mean_a = 0.5 * (A->vert_area[va[0]] + A->vert_area[va[1]]), mean_b = 0.5 * (B->vert_area[vb[0]] + B->vert_area[vb[1]]);
  double whole = fmin(mean_a, mean_b), area = c->area;
  if (genuine) area = fmax(area, 0.5 * whole);
  double wa[2] = {1 - s, s}, wb[2] = {1 - t, t};
  plOnSkin on_a = {2, va, wa, A->edge_tri[2 * c->ea]}, on_b = {2, vb, wb, B->edge_tri[2 * c->eb]};
  plVec3 place = v3_scale(0.5, v3_add(pl_pair_place(A, on_a), pl_pair_place(B, on_b)));
  return pl_pair_push(pair, on_a, on_b, place, n, gap, area, whole > 0 ? area / whole : 0);
}

plStatus pl_pair_emit_crossings(plPair* pair) {
  plStatus status = PL_OK;
  for (int i = 0; i < pair->ncrossing && !status; i++)
    if (pair->crossing[i].keep) status = emit_crossing(pair, &pair->crossing[i]);
  return status;
}

// crossing.c: points where an edge of A crosses an edge of B: at least one of them sharp, or both convex and
// deep in each other.
//
// The corners of a patch are often not vertices of either body but crossings of two rims. Seen from the side,
// edges of stacked bodies cross too. Two crossing edges can therefore only push along their common
// perpendicular, nearly parallel ones only inside a flat patch, and not where separating along a neighbouring
// face needs less motion.
#include <assert.h>
#include <math.h>

#include "contact/pair.h"
#include "contact/thresholds.h"

// A mark and its edges (ea << 32 | eb).
typedef struct Key {
  uint64_t edges;
  plCrossMark* mark;
} Key;

// Sorts by the digit of 8 bits at shift; equal ones keep their order.
static void sort_digit(const Key* from, Key* to, int n, int shift) {
  int first[257] = {0};
  for (int i = 0; i < n; i++) first[(from[i].edges >> shift & 255) + 1]++;
  for (int k = 0; k < 256; k++) first[k + 1] += first[k];
  for (int i = 0; i < n; i++) to[first[from[i].edges >> shift & 255]++] = from[i];
}

enum { FEW = 32 };  // up to so many marks an insertion sort is faster than sorting by digits

// Insertion sort; equal keys keep their order.
static void sort_few(Key* key, int n) {
  for (int i = 1; i < n; i++) {
    Key moving = key[i];
    int k = i;
    for (; k > 0 && key[k - 1].edges > moving.edges; k--) key[k] = key[k - 1];
    key[k] = moving;
  }
}

// Sorts by edges, equal ones in the order of the polygons; NULL if memory ran out.
static Key* sort_marks(plPair* pair) {
  Key *key = PL_ARENA_NEW(pair->arena, Key, pair->nmark),
      *spare = PL_ARENA_NEW(pair->arena, Key, pair->nmark);
  if (!key || !spare) return NULL;
  int n = 0;
  for (int r = 0; r < pair->nrun; r++) {
    for (int i = 0; i < pair->run[r].nmark; i++) {
      assert(n < pair->nmark);
      plCrossMark* mark = &pair->run[r].scratch->mark[pair->run[r].mark0 + i];
      key[n++] = (Key){(uint64_t)mark->ea << 32 | (uint64_t)mark->eb, mark};
    }
  }
  assert(n == pair->nmark);  // as many as were counted
  if (n <= FEW) {
    sort_few(key, n);
    return key;
  }
  // Digits above those of the largest edge are all zero.
  for (int side = 0; side < 2; side++) {
    int nedge = side ? pair->A->nedge : pair->B->nedge;
    for (int bit = 0; bit < 32 && nedge >> bit; bit += 8) {
      sort_digit(key, spare, n, 32 * side + bit);
      Key* swap = key;
      key = spare, spare = swap;
    }
  }
  return key;
}

plStatus pl_pair_merge_crossings(plPair* pair) {
  Key* sorted = sort_marks(pair);
  pair->crossing = PL_ARENA_NEW(pair->arena, plCrossing, pair->nmark);
  if (!sorted || !pair->crossing) return PL_ERROR_MEMORY;
  pair->ncrossing = 0;
  for (int i = 0; i < pair->nmark; i++) {
    plCrossMark* mark = sorted[i].mark;
    if (i == 0 || sorted[i].edges != sorted[i - 1].edges) {
      assert(mark->ea < pair->A->nedge && mark->eb < pair->B->nedge);
      plCrossing fresh = {.ea = mark->ea,
                          .eb = mark->eb,
                          .keep = skin_edge_sharp(pair->A, mark->ea) || skin_edge_sharp(pair->B, mark->eb)};
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

// Two convex edges. Those of curved surfaces overlap by the bow of their facets, which the vertices carry. If
// they overlap by more, no vertex may show it: faces bent along opposite diagonals.
static bool is_blunt(const plPair* pair, const plCrossing* c) {
  return !c->keep && !pair->self && skin_edge_convex(pair->A, c->ea) && skin_edge_convex(pair->B, c->eb);
}

// Sum of the normals of an edge's facets, unit.
static plVec3 edge_normal(const plSkin* s, int e) {
  plVec3 n = skin_normal(s, s->edge_tri[2 * e]);
  return s->edge_tri[2 * e + 1] < 0 ? n : v3_unit(v3_add(n, skin_normal(s, s->edge_tri[2 * e + 1])));
}

// Depth of the deeper end of an edge (x0, x1) below each facet of the other edge e of S; the smaller of the
// two.
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

// The direction in which the crossing pushes. *genuine: two sharp edges outside a flat patch. *ridge: its
// weight is that of half a vertex, whatever its area. This holds for all genuine crossings and, for
// self-contact, for one sharp edge on a face: a ridge has hardly any area, but parts of a twisted body meet
// only at ridges. Returns false if the crossing is not a contact.
static bool crossing_normal(const plPair* pair, const plCrossing* c, plVec3 e, plVec3 h, plVec3* normal,
                            bool* genuine, bool* ridge) {
  const plSkin *A = pair->A, *B = pair->B;
  plVec3 n = v3_unit(c->m), perpendicular = v3_cross(e, h);
  double sine = v3_norm(perpendicular) / (v3_norm(e) * v3_norm(h));
  bool flat = c->flat && c->raw > 0 && v3_norm(c->m) / c->raw > PL_COHERENT;
  perpendicular = v3_unit(perpendicular);
  if (v3_dot(perpendicular, n) < 0) perpendicular = v3_neg(perpendicular);
  if (sine > PL_EDGES_PARALLEL && v3_dot(perpendicular, n) < -PL_FACING) return false;
  if (sine <= PL_EDGES_PARALLEL && !flat) return false;
  bool sharp_a = skin_edge_sharp(A, c->ea), sharp_b = skin_edge_sharp(B, c->eb);
  *genuine = sharp_a && sharp_b && !flat;
  *ridge = *genuine || (pair->self && (sharp_a || sharp_b) && !flat);
  *normal = n;
  if (*genuine) *normal = perpendicular;
  if (sharp_a != sharp_b) {
    plVec3 z = sharp_a ? v3_neg(edge_normal(B, c->eb)) : edge_normal(A, c->ea);
    if (v3_dot(z, n) > -PL_FACING) *normal = z;
  }
  return true;
}

// Whether a point behind a convex edge, against n, is inside the body, which is behind both of its facets. A
// point behind only one of them is beside a sharp edge.
static bool inside_behind(const plSkin* s, int e, plVec3 n) {
  for (int i = 0; i < 2 && skin_edge_convex(s, e); i++) {
    int t = s->edge_tri[2 * e + i];
    if (t >= 0 && v3_dot(skin_normal(s, t), n) < PL_FACING) return false;
  }
  return true;
}

// Whether the points of two crossing edges lie inside the other side.
static bool both_buried(const plPair* pair, const plCrossing* c, plVec3 on_a, plVec3 on_b, plVec3 n) {
  const plSkin *A = pair->A, *B = pair->B;
  if (!pair->self) return pl_pair_lies_in(B, on_a) && pl_pair_lies_in(A, on_b);
  return pl_self_lies_in(A, on_a, n, A->tri_limit[A->edge_tri[2 * c->ea]]) &&
         pl_self_lies_in(B, on_b, v3_neg(n), B->tri_limit[B->edge_tri[2 * c->eb]]);
}

// A position along an edge, not at its ends: from there the body is on both sides.
static plVec3 along_edge(plVec3 x, double s, plVec3 e) {
  return v3_madd(x, fmin(1 - PL_INSIDE, fmax(PL_INSIDE, s)), e);
}

// Whether x, behind the position s along edge e, is past the surface: in front of another facet there.
static bool is_past(const plSkin* S, int e, double s, plVec3 x, bool flat) {
  int t = S->edge_tri[2 * e];
  double w[3], in = fmin(1 - PL_INSIDE, fmax(PL_INSIDE, s));
  for (int k = 0; k < 3; k++) {
    int v = S->tri[3 * (size_t)t + (size_t)k];
    w[k] = v == S->edge_vert[2 * e] ? 1 - in : v == S->edge_vert[2 * e + 1] ? in : 0;
  }
  return pl_pair_is_past(S, t, w, x, flat);
}

static plStatus emit_crossing(plPair* pair, const plCrossing* c) {
  const plSkin *A = pair->A, *B = pair->B;
  const int *va = A->edge_vert + 2 * c->ea, *vb = B->edge_vert + 2 * c->eb;
  plVec3 a0 = skin_x(A, va[0]), a1 = skin_x(A, va[1]), b0 = skin_x(B, vb[0]), b1 = skin_x(B, vb[1]);
  plVec3 e = v3_sub(a1, a0), h = v3_sub(b1, b0), d = v3_sub(b0, a0), n;
  double le = v3_norm(e), lh = v3_norm(h);
  bool genuine, ridge, counts = true;
  if (pair->held_a && pair->held_a[va[0]] && pair->held_a[va[1]]) return PL_OK;
  if (pair->held_b && pair->held_b[vb[0]] && pair->held_b[vb[1]]) return PL_OK;
  if (!(le > 0 && lh > 0) || !crossing_normal(pair, c, e, h, &n, &genuine, &ridge)) return PL_OK;

  // The points a0 + s e and b0 + t h coincide in projection along n.
  double det = v3_dot(v3_cross(e, h), n);
  if (fabs(det) < PL_ROUNDING * le * lh) return PL_OK;
  double s = v3_dot(v3_cross(d, h), n) / det, t = v3_dot(v3_cross(d, e), n) / det;
  double gap = v3_dot(n, v3_sub(v3_madd(b0, t, h), v3_madd(a0, s, e))), past_a = PL_INSIDE,
         past_b = PL_INSIDE;
  // In self-contact, matching edges may pass each other's ends (skin_pair.c).
  if (pair->self && gap > 0)
    past_a = fmax(past_a, PL_BEYOND_OPEN * gap / le), past_b = fmax(past_b, PL_BEYOND_OPEN * gap / lh);
  if (s < -past_a || s > 1 + past_a || t < -past_b || t > 1 + past_b) return PL_OK;
  // The ends of an edge have a small tolerance, but not below sharp edges or deep below any edge.
  if (!pair->self) {
    bool past = s < -PL_ROUNDING || s > 1 + PL_ROUNDING || t < -PL_ROUNDING || t > 1 + PL_ROUNDING;
    if (past && gap < 0 && (genuine || gap < -PL_DEEP * fmin(A->cell, B->cell))) return PL_OK;
    s = fmax(0, fmin(1, s)), t = fmax(0, fmin(1, t));
    if (gap > 0) gap = v3_norm(v3_sub(v3_madd(b0, t, h), v3_madd(a0, s, e)));
  }
  if (gap > (c->keep ? pair->margin : -PL_BLUNT_DEEP * fmin(A->cell, B->cell))) return PL_OK;
  if (gap < -A->tri_limit[A->edge_tri[2 * c->ea]] || gap < -B->tri_limit[B->edge_tri[2 * c->eb]] ||
      (pair->self && pl_self_is_deep_crossing(pair->self, A, c->ea, c->eb, gap, &counts))) {
    pair->list->deep += counts && both_buried(pair, c, v3_madd(a0, s, e), v3_madd(b0, t, h), n);
    return PL_OK;
  }
  if (gap < 0 &&
      -gap > PL_CHEAPER * fmin(cheapest_depth(B, c->eb, a0, a1), cheapest_depth(A, c->ea, b0, b1)) +
                 PL_CLOSEST_SLACK * fmin(A->cell, B->cell))
    return PL_OK;

  plVec3 on_ea = v3_madd(a0, s, e), on_eb = v3_madd(b0, t, h);
  if (!pair->self && gap < 0 &&
      (!inside_behind(A, c->ea, n) || !inside_behind(B, c->eb, v3_neg(n)) ||
       pl_pair_came_through(A, on_ea, on_eb) || pl_pair_came_through(B, on_eb, on_ea) ||
       (genuine
            ? pl_pair_is_cut(A, along_edge(a0, s, e), on_eb) || pl_pair_is_cut(B, along_edge(b0, t, h), on_ea)
            : is_past(A, c->ea, s, on_eb, c->flat) || is_past(B, c->eb, t, on_ea, c->flat))))
    return PL_OK;

  double mean_a = 0.5 * (A->vert_area[va[0]] + A->vert_area[va[1]]),
         mean_b = 0.5 * (B->vert_area[vb[0]] + B->vert_area[vb[1]]);
  double whole = fmin(mean_a, mean_b), area = c->area;
  // A sharp edge that has sunk into its own body has at least this weight too, however small its patch is.
  bool sunk =
      pair->self && gap < -PL_DEEP * A->cell && (skin_edge_sharp(A, c->ea) || skin_edge_sharp(B, c->eb));
  if (ridge || sunk || !c->keep) area = fmax(area, PL_CLOSEST_SHARE * whole);
  double wa[2] = {1 - s, s}, wb[2] = {1 - t, t};
  plOnSkin on_a = {2, va, wa, A->edge_tri[2 * c->ea]}, on_b = {2, vb, wb, B->edge_tri[2 * c->eb]};
  plVec3 position = v3_scale(0.5, v3_add(pl_pair_position(A, on_a), pl_pair_position(B, on_b)));
  return pl_pair_push(pair, on_a, on_b, position, n, gap, area, whole > 0 ? area / whole : 0);
}

static plStatus emit_some(plPair* part, void* context, int begin, int end) {
  (void)context;
  plStatus status = PL_OK;
  for (int i = begin; i < end && !status; i++)
    if (part->crossing[i].keep || is_blunt(part, &part->crossing[i]))
      status = emit_crossing(part, &part->crossing[i]);
  return status;
}

plStatus pl_pair_emit_crossings(plPair* pair) {
  return pl_pair_in_parts(pair, pair->ncrossing, 512, emit_some, NULL);
}

// closest_local.c: whether two facets have features where the surfaces are locally closest.
//
// The distance of two convex sets has one minimum, so features that pass all tests are the closest points of
// the facets. Most pairs of facets have none: each feature is first tested against its own facet and the
// other one, which costs a few products, then against its neighbours.
//   corner of one facet on the other's inside, side or corner, whichever is closest to it
//   two crossing sides, both convex: the arcs of their normals cross too
#include <math.h>

#include "geom/closest.h"

static void get_facet(const plSkin* s, int t, plBeside* f) {
  const int* v = s->tri + 3 * (size_t)t;
  f->skin = s, f->t = t, f->n = skin_normal(s, t);
  for (int k = 0; k < 3; k++) f->x[k] = skin_x(s, v[k]);
}

void pl_beside_heights(const plSkin* A, int a, const plSkin* B, int b, plBeside* fa, plBeside* fb) {
  get_facet(A, a, fa), get_facet(B, b, fb);
  for (int k = 0; k < 3; k++) {
    fa->height[k] = v3_dot(v3_sub(fb->x[k], fa->x[0]), fa->n);
    fb->height[k] = v3_dot(v3_sub(fa->x[k], fb->x[0]), fb->n);
  }
}

void pl_beside_sides(plBeside* f) {
  f->e[0] = v3_sub(f->x[1], f->x[0]), f->e[1] = v3_sub(f->x[2], f->x[1]), f->e[2] = v3_sub(f->x[0], f->x[2]);
  for (int k = 0; k < 3; k++) {
    int edge = f->skin->tri_edge[3 * (size_t)f->t + (size_t)k];
    f->l2[k] = v3_norm2(f->e[k]);
    f->convex[k] = skin_edge_convex(f->skin, edge), f->sharp[k] = skin_edge_sharp(f->skin, edge);
  }
}

// Without branches, because most of them would be mispredicted.
static inline double least(const double x[3]) {
  double y = x[0] < x[1] ? x[0] : x[1];
  return y < x[2] ? y : x[2];
}
static inline double most(const double x[3]) {
  double y = x[0] > x[1] ? x[0] : x[1];
  return y > x[2] ? y : x[2];
}

// Distances of the other's corners beyond the sides, in the plane of the facet. Returns false if all of them
// are farther than reach beyond one side.
static inline bool get_beyond(plBeside* f, const plVec3 y[3], double reach) {
  for (int k = 0; k < 3; k++) {
    plVec3 out = v3_cross(f->e[k], f->n);
    double base = v3_dot(out, f->x[k]);
    for (int m = 0; m < 3; m++) f->beyond[k][m] = v3_dot(out, y[m]) - base;
    double low = least(f->beyond[k]);
    if ((low > 0) & (low * low > reach * reach * f->l2[k])) return false;
  }
  return true;
}

// Coordinates of the other's corners along the sides, times the lengths.
static inline void get_along(plBeside* f, const plVec3 y[3]) {
  for (int k = 0; k < 3; k++) {
    for (int m = 0; m < 3; m++) f->along[k][m] = v3_dot(f->e[k], v3_sub(y[m], f->x[k]));
    f->low[k] = least(f->along[k]), f->high[k] = most(f->along[k]);
  }
}

// Direction from facet p's point to q's, with the sign convention of g.
static bool pass(const plBeside* p, const plBeside* q, bool p_is_a, int at_p, int at_q, plVec3 on_p,
                 plVec3 on_q, double slack, plFacetGap* g) {
  plVec3 d = v3_sub(on_q, on_p);
  double gap = v3_norm(d);
  if (!(gap > 0)) return false;
  d = v3_scale(1 / gap, d);
  if (!pl_skin_farthest(p->skin, p->t, at_p, d, slack) ||
      !pl_skin_farthest(q->skin, q->t, at_q, v3_neg(d), slack))
    return false;
  *g = (plFacetGap){.gap = gap,
                    .a = p_is_a ? on_p : on_q,
                    .b = p_is_a ? on_q : on_p,
                    .at_a = p_is_a ? at_p : at_q,
                    .at_b = p_is_a ? at_q : at_p};
  return true;
}

// The point of q's facet that is closest to corner k of p.
static int closest_on(const plBeside* q, const plBeside* p, int k, plVec3* foot, double w[3]) {
  plVec3 x = p->x[k];
  double out[3] = {q->beyond[0][k], q->beyond[1][k], q->beyond[2][k]};
  w[0] = w[1] = w[2] = 0;
  for (int j = 0; j < 3; j++) {
    double s = q->along[j][k];
    if (out[j] >= 0 && s > 0 && s < q->l2[j]) {
      s /= q->l2[j], w[j] = 1 - s, w[(j + 1) % 3] = s;
      *foot = v3_madd(q->x[j], s, q->e[j]);
      return PL_AT_SIDE + j;
    }
  }
  if (out[0] < 0 && out[1] < 0 && out[2] < 0) {
    double sum = out[0] + out[1] + out[2];
    for (int j = 0; j < 3; j++) w[(j + 2) % 3] = out[j] / sum;
    *foot = v3_madd(x, -q->height[k], q->n);
    return PL_AT_FACE;
  }
  int nearest = 0;
  double d2[3];
  for (int m = 0; m < 3; m++) d2[m] = v3_norm2(v3_sub(x, q->x[m]));
  for (int m = 1; m < 3; m++)
    if (d2[m] < d2[nearest]) nearest = m;
  w[nearest] = 1, *foot = q->x[nearest];
  return PL_AT_CORNER + nearest;
}

// Corner k of p may be closest to some point of q: its own sides lead away from it.
static inline bool may_be_closest(const plBeside* p, int k, int before, double slack) {
  return (p->low[k] <= slack * p->l2[k]) & (p->high[before] >= (1 - slack) * p->l2[before]) &
         p->skin->vert_convex[p->skin->tri[3 * (size_t)p->t + (size_t)k]];
}

static bool try_corner(const plBeside* p, int k, const plBeside* q, bool p_is_a, double reach, double slack,
                       plFacetGap* g) {
  double h = q->height[k], w[3];
  plVec3 foot;
  int at = closest_on(q, p, k, &foot, w);
  plVec3 d = v3_sub(foot, p->x[k]);
  double d2 = v3_norm2(d);
  if (!(d2 <= reach * reach) || (at == PL_AT_FACE && !(h > 0))) return false;
  if (at >= PL_AT_SIDE && at < PL_AT_FACE && !q->convex[at - PL_AT_SIDE]) return false;
  // Its own facet extends no farther.
  double ahead = v3_dot(p->e[k], d), behind = -v3_dot(p->e[(k + 2) % 3], d);
  if ((ahead > 0 && ahead * ahead > slack * slack * d2 * p->l2[k]) ||
      (behind > 0 && behind * behind > slack * slack * d2 * p->l2[(k + 2) % 3]))
    return false;
  if (!pass(p, q, p_is_a, PL_AT_CORNER + k, at, p->x[k], foot, slack, g)) return false;
  double *wp = p_is_a ? g->wa : g->wb, *wq = p_is_a ? g->wb : g->wa;
  wp[k] = 1;
  for (int m = 0; m < 3; m++) wq[m] = w[m];
  return true;
}

// Whether side e is parallel to a plane through the edge of q's side j that has both facets on one side: its
// products with their two normals have different signs.
static inline bool touches_cone(plVec3 e, double l2, double with_own, const plBeside* q, int j) {
  const double tiny = 1e-5;
  if (with_own * with_own <= tiny * tiny * l2) return true;
  const int* two = q->skin->edge_tri + 2 * (size_t)q->skin->tri_edge[3 * (size_t)q->t + (size_t)j];
  if (two[1] < 0) return true;
  double other = v3_dot(e, skin_normal(q->skin, two[0] == q->t ? two[1] : two[0]));
  return other * other <= tiny * tiny * l2 || (other > 0) != (with_own > 0);
}

static bool try_sides(const plBeside* a, int i, const plBeside* b, int j, double reach, double slack,
                      plFacetGap* g) {
  int k = (i + 1) % 3, l = (j + 1) % 3;
  if (!touches_cone(a->e[i], a->l2[i], b->height[k] - b->height[i], b, j) ||
      !touches_cone(b->e[j], b->l2[j], a->height[l] - a->height[j], a, i))
    return false;
  // e . (b - a) = h . (b - a) = 0, both inside
  double ee = a->l2[i], hh = b->l2[j], eh = v3_dot(a->e[i], b->e[j]), er = a->along[i][j],
         hr = -b->along[j][i], det = ee * hh - eh * eh;
  if (!(det > 1e-14 * ee * hh)) return false;
  double s = er * hh - eh * hr, t = er * eh - ee * hr;
  if (!(s > 0 && s < det && t > 0 && t < det)) return false;
  s /= det, t /= det;
  plVec3 on_a = v3_madd(a->x[i], s, a->e[i]), on_b = v3_madd(b->x[j], t, b->e[j]);
  if (!(v3_norm2(v3_sub(on_b, on_a)) <= reach * reach) ||
      !pass(a, b, true, PL_AT_SIDE + i, PL_AT_SIDE + j, on_a, on_b, slack, g))
    return false;
  g->wa[i] = 1 - s, g->wa[k] = s, g->wb[j] = 1 - t, g->wb[l] = t;
  return true;
}

// Whether some part of the other facet lies beside and beyond the side: directions in the cone of a convex
// edge do not point back over its facets.
static inline bool side_may_be_closest(const plBeside* f, int k, double reach, double slack) {
  double beyond = most(f->beyond[k]);
  return f->convex[k] & (f->low[k] < f->l2[k]) & (f->high[k] > 0) &
         ((beyond >= 0) | (beyond * beyond <= slack * slack * (reach * reach + f->l2[k]) * f->l2[k]));
}

bool pl_skin_closest(plBeside* fa, plBeside* fb, double reach, double slack, plFacetGap* g) {
  if (least(fa->height) > reach || least(fb->height) > reach) return false;
  // Whether each of the two closest points lies above some facet at the other; then other pairs of facets
  // find it too.
  if (most(fa->height) <= 0 && most(fb->height) <= 0) return false;
  if (!get_beyond(fa, fb->x, reach) || !get_beyond(fb, fa->x, reach)) return false;
  get_along(fa, fb->x), get_along(fb, fa->x);
  for (int k = 0; k < 3; k++) {
    int before = k ? k - 1 : 2;
    if ((fb->height[k] <= reach) & may_be_closest(fa, k, before, slack) &&
        try_corner(fa, k, fb, true, reach, slack, g))
      return true;
    if ((fa->height[k] <= reach) & may_be_closest(fb, k, before, slack) &&
        try_corner(fb, k, fa, false, reach, slack, g))
      return true;
  }
  for (int i = 0; i < 3; i++) {
    if (!side_may_be_closest(fa, i, reach, slack)) continue;
    for (int j = 0; j < 3; j++)
      if (side_may_be_closest(fb, j, reach, slack) && try_sides(fa, i, fb, j, reach, slack, g)) return true;
  }
  return false;
}

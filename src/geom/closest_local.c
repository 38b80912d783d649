// closest_local.c: whether two facets have features where the surfaces are locally closest.
//
// The distance of two convex sets has one minimum, so features that pass all tests are the closest points of
// the facets. Most pairs of facets have none: each feature is first tested against its own facet and the
// other one, which costs a few products, then against its neighbours.
//   corner of one facet on the other's inside, side or corner, whichever is closest to it
//   two crossing sides, both convex: the arcs of their normals cross too
#include <math.h>

#include "geom/closest.h"

static inline plWide sum3(plWide a, plWide b, plWide c) { return a + b + c; }

// Products of the vectors w (one for each side or corner) with one vector v, summed in the order of v3_dot.
static inline plWide dots(const plWide w[3], plVec3 v) { return sum3(w[0] * v.x, w[1] * v.y, w[2] * v.z); }

// Over the corners, for one side; over the sides.
static inline double least(const plWide w[3], int k) { return min3(w[0][k], w[1][k], w[2][k]); }
static inline double most(const plWide w[3], int k) { return max3(w[0][k], w[1][k], w[2][k]); }

void pl_sides_of(const plSkin* s, int t, plSides* f) {
  const int *v = s->tri + 3 * (size_t)t, *edge = s->tri_edge + 3 * (size_t)t;
  plVec3 a = skin_x(s, v[0]), b = skin_x(s, v[1]), c = skin_x(s, v[2]), n = skin_normal(s, t);
  f->skin = s, f->t = t, f->n = n;
  f->x[0] = a, f->x[1] = b, f->x[2] = c;
  f->e[0] = v3_sub(b, a), f->e[1] = v3_sub(c, b), f->e[2] = v3_sub(a, c);
  plVec3* d = f->e;
  plWide x[3] = {{a.x, b.x, c.x, c.x}, {a.y, b.y, c.y, c.y}, {a.z, b.z, c.z, c.z}},
         e[3] = {{d[0].x, d[1].x, d[2].x, d[2].x},
                 {d[0].y, d[1].y, d[2].y, d[2].y},
                 {d[0].z, d[1].z, d[2].z, d[2].z}};
  for (int i = 0; i < 3; i++) f->x_wide[i] = x[i], f->e_wide[i] = e[i];
  plWide out[3] = {e[1] * n.z - e[2] * n.y, e[2] * n.x - e[0] * n.z, e[0] * n.y - e[1] * n.x};
  for (int i = 0; i < 3; i++) f->out[i] = out[i];
  f->base = sum3(out[0] * x[0], out[1] * x[1], out[2] * x[2]);
  f->l2 = sum3(e[0] * e[0], e[1] * e[1], e[2] * e[2]);
  for (int k = 0; k < 3; k++) {
    f->convex[k] = skin_edge_convex(s, edge[k]), f->sharp[k] = skin_edge_sharp(s, edge[k]);
    f->tip[k] = s->vert_convex[v[k]];
  }
}

// Heights of all corners of y above the plane of f.
static inline plWide heights(const plSides* f, const plSides* y) {
  plVec3 x = f->x[0], n = f->n;
  return sum3((y->x_wide[0] - x.x) * n.x, (y->x_wide[1] - x.y) * n.y, (y->x_wide[2] - x.z) * n.z);
}

void pl_beside_heights(const plSides* a, const plSides* b, plBeside* fa, plBeside* fb) {
  fa->f = a, fb->f = b;
  fa->height = heights(a, b), fb->height = heights(b, a);
}

// Distances of the other's corners beyond the sides, in the plane of the facet.
void pl_beside_beyond(plBeside* fa, plBeside* fb) {
  const plSides *a = fa->f, *b = fb->f;
  for (int m = 0; m < 3; m++) {
    fa->beyond[m] = dots(a->out, b->x[m]) - a->base;
    fb->beyond[m] = dots(b->out, a->x[m]) - b->base;
  }
}

// Whether all of the other's corners are farther than reach beyond one side.
static inline bool is_beyond(const plBeside* f, double reach) {
  bool is = false;
  for (int k = 0; k < 3; k++) {
    double low = least(f->beyond, k);
    is |= (low > 0) & (low * low > reach * reach * f->f->l2[k]);
  }
  return is;
}

// Coordinates of the other's corners along the sides, times the lengths.
static inline void get_along(plBeside* f, const plVec3 y[3]) {
  const plWide *x = f->f->x_wide, *e = f->f->e_wide;
  for (int m = 0; m < 3; m++)
    f->along[m] = sum3(e[0] * (y[m].x - x[0]), e[1] * (y[m].y - x[1]), e[2] * (y[m].z - x[2]));
  for (int k = 0; k < 3; k++) f->low[k] = least(f->along, k), f->high[k] = most(f->along, k);
}

// Direction from facet p's point to q's, with the sign convention of g.
static bool pass(const plSides* p, const plSides* q, bool p_is_a, int at_p, int at_q, plVec3 on_p,
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

// The point of q's facet that is closest to x, corner k of the other one.
static int closest_on(const plBeside* fq, plVec3 x, int k, plVec3* foot, double w[3]) {
  const plSides* q = fq->f;
  double out[3] = {fq->beyond[k][0], fq->beyond[k][1], fq->beyond[k][2]};
  w[0] = w[1] = w[2] = 0;
  for (int j = 0; j < 3; j++) {
    double s = fq->along[k][j];
    if (out[j] >= 0 && s > 0 && s < q->l2[j]) {
      s /= q->l2[j], w[j] = 1 - s, w[(j + 1) % 3] = s;
      *foot = v3_madd(q->x[j], s, q->e[j]);
      return PL_AT_SIDE + j;
    }
  }
  if (out[0] < 0 && out[1] < 0 && out[2] < 0) {
    double sum = out[0] + out[1] + out[2];
    for (int j = 0; j < 3; j++) w[(j + 2) % 3] = out[j] / sum;
    *foot = v3_madd(x, -fq->height[k], q->n);
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
static inline bool may_be_closest(const plBeside* p, int k, double slack) {
  int before = k ? k - 1 : 2;
  return (p->low[k] <= slack * p->f->l2[k]) & (p->high[before] >= (1 - slack) * p->f->l2[before]) &
         p->f->tip[k];
}

static bool try_corner(const plSides* p, int k, const plBeside* fq, bool p_is_a, double reach, double slack,
                       plFacetGap* g) {
  const plSides* q = fq->f;
  double h = fq->height[k], w[3];
  plVec3 foot;
  int at = closest_on(fq, p->x[k], k, &foot, w);
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
static inline bool touches_cone(plVec3 e, double l2, double with_own, const plSides* q, int j) {
  const double tiny = 1e-5;
  if (with_own * with_own <= tiny * tiny * l2) return true;
  const int* two = q->skin->edge_tri + 2 * (size_t)q->skin->tri_edge[3 * (size_t)q->t + (size_t)j];
  if (two[1] < 0) return true;
  double other = v3_dot(e, skin_normal(q->skin, two[0] == q->t ? two[1] : two[0]));
  return other * other <= tiny * tiny * l2 || (other > 0) != (with_own > 0);
}

static bool try_sides(const plBeside* fa, int i, const plBeside* fb, int j, double reach, double slack,
                      plFacetGap* g) {
  const plSides *a = fa->f, *b = fb->f;
  int k = (i + 1) % 3, l = (j + 1) % 3;
  if (!touches_cone(a->e[i], a->l2[i], fb->height[k] - fb->height[i], b, j) ||
      !touches_cone(b->e[j], b->l2[j], fa->height[l] - fa->height[j], a, i))
    return false;
  // e . (b - a) = h . (b - a) = 0, both inside
  double ee = a->l2[i], hh = b->l2[j], eh = v3_dot(a->e[i], b->e[j]), er = fa->along[j][i],
         hr = -fb->along[i][j], det = ee * hh - eh * eh;
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
  double beyond = most(f->beyond, k), l2 = f->f->l2[k];
  return f->f->convex[k] & (f->low[k] < l2) & (f->high[k] > 0) &
         ((beyond >= 0) | (beyond * beyond <= slack * slack * (reach * reach + l2) * l2));
}

static inline double least_height(const plBeside* f) {
  return min3(f->height[0], f->height[1], f->height[2]);
}
static inline double most_height(const plBeside* f) { return max3(f->height[0], f->height[1], f->height[2]); }

bool pl_skin_closest(plBeside* fa, plBeside* fb, double reach, double slack, plFacetGap* g) {
  if (least_height(fa) > reach || least_height(fb) > reach) return false;
  // Whether each of the two closest points lies above some facet at the other; then other pairs of facets
  // find it too.
  if (most_height(fa) <= 0 && most_height(fb) <= 0) return false;
  if (is_beyond(fa, reach) || is_beyond(fb, reach)) return false;
  get_along(fa, fb->f->x), get_along(fb, fa->f->x);
  for (int k = 0; k < 3; k++) {
    if ((fb->height[k] <= reach) & may_be_closest(fa, k, slack) &&
        try_corner(fa->f, k, fb, true, reach, slack, g))
      return true;
    if ((fa->height[k] <= reach) & may_be_closest(fb, k, slack) &&
        try_corner(fb->f, k, fa, false, reach, slack, g))
      return true;
  }
  bool side[3];
  for (int j = 0; j < 3; j++) side[j] = side_may_be_closest(fb, j, reach, slack);
  if (!(side[0] | side[1] | side[2])) return false;
  for (int i = 0; i < 3; i++) {
    if (!side_may_be_closest(fa, i, reach, slack)) continue;
    for (int j = 0; j < 3; j++)
      if (side[j] && try_sides(fa, i, fb, j, reach, slack, g)) return true;
  }
  return false;
}

// closest.c: closest features of two facets. The closest points of two separate surfaces belong to two
// features (corner, side, facet), and the direction between them lies in the normal cone of each.
#include "geom/closest.h"

#include <math.h>

static double clamp(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

// The points of two segments that are closest: p0 + s (p1 - p0) and q0 + t (q1 - q0).
static void segment_gap(plVec3 p0, plVec3 p1, plVec3 q0, plVec3 q1, double* s, double* t) {
  plVec3 e = v3_sub(p1, p0), h = v3_sub(q1, q0), r = v3_sub(p0, q0);
  double a = v3_norm2(e), c = v3_norm2(h), b = v3_dot(e, h), d = v3_dot(e, r), f = v3_dot(h, r),
         det = a * c - b * b;
  // Parallel segments start anywhere; the following steps find the closest points for that start.
  *s = det > 1e-14 * a * c ? clamp((b * f - c * d) / det) : 0;
  *t = c > 0 ? (b * *s + f) / c : 0;
  if (*t < 0)
    *t = 0, *s = a > 0 ? clamp(-d / a) : 0;
  else if (*t > 1)
    *t = 1, *s = a > 0 ? clamp((b - d) / a) : 0;
}

// Corner k of x above the inside of y, if it is closer than the best so far.
static void try_corner(const plVec3* x, int k, const plVec3* y, bool x_is_a, double* best, plFacetGap* g) {
  plVec3 e = v3_sub(y[1], y[0]), f = v3_sub(y[2], y[0]), q = v3_sub(x[k], y[0]), n = v3_cross(e, f);
  double nn = v3_norm2(n), along = v3_dot(q, n);
  if (!(nn > 0) || !(along * along < *best * nn)) return;
  double w1 = v3_dot(v3_cross(q, f), n) / nn, w2 = v3_dot(v3_cross(e, q), n) / nn, w0 = 1 - w1 - w2;
  if (!(w0 > 0 && w1 > 0 && w2 > 0)) return;
  double gap = fabs(along) / sqrt(nn);
  plVec3 foot = v3_madd(x[k], -along / nn, n);
  *best = gap * gap * (1 - 1e-12);
  *g = (plFacetGap){.gap = gap, .a = x_is_a ? x[k] : foot, .b = x_is_a ? foot : x[k]};
  double *wx = x_is_a ? g->wa : g->wb, *wy = x_is_a ? g->wb : g->wa;
  wx[k] = 1, wy[0] = w0, wy[1] = w1, wy[2] = w2;
  g->at_a = x_is_a ? PL_AT_CORNER + k : PL_AT_FACE, g->at_b = x_is_a ? PL_AT_FACE : PL_AT_CORNER + k;
}

static int at_side(int k, double s) {
  return s <= 0 ? PL_AT_CORNER + k : s >= 1 ? PL_AT_CORNER + (k + 1) % 3 : PL_AT_SIDE + k;
}

// A side: its ends are middle - half and middle + half.
typedef struct Side {
  plVec3 middle, half;
  double radius;
} Side;

static Side get_side(const plVec3* x, int k) {
  plVec3 p = x[k], q = x[(k + 1) % 3], half = v3_scale(0.5, v3_sub(q, p));
  return (Side){v3_add(p, half), half, v3_norm(half)};
}

static void try_sides(const plVec3* xa, int i, const plVec3* xb, int j, double* best, plFacetGap* g) {
  int k = (i + 1) % 3, l = (j + 1) % 3;
  double s, t;
  segment_gap(xa[i], xa[k], xb[j], xb[l], &s, &t);
  plVec3 a = v3_madd(xa[i], s, v3_sub(xa[k], xa[i])), b = v3_madd(xb[j], t, v3_sub(xb[l], xb[j]));
  double gap2 = v3_norm2(v3_sub(b, a));
  if (!(gap2 < *best)) return;
  *best = gap2 * (1 - 1e-12);
  *g = (plFacetGap){.gap = sqrt(gap2), .a = a, .b = b, .at_a = at_side(i, s), .at_b = at_side(j, t)};
  g->wa[i] = 1 - s, g->wa[k] = s, g->wb[j] = 1 - t, g->wb[l] = t;
}

plFacetGap pl_facet_gap(const plVec3 xa[3], const plVec3 xb[3], double most) {
  plFacetGap g = {.gap = INFINITY};
  double best = most * most;
  for (int k = 0; k < 3; k++) try_corner(xa, k, xb, true, &best, &g), try_corner(xb, k, xa, false, &best, &g);
  Side sa[3], sb[3];
  for (int k = 0; k < 3; k++) sa[k] = get_side(xa, k), sb[k] = get_side(xb, k);
  double reach = g.gap < most ? g.gap : most;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      // Their bounding balls are farther apart than that.
      double far = reach + sa[i].radius + sb[j].radius;
      if (v3_norm2(v3_sub(sa[i].middle, sb[j].middle)) <= far * far) try_sides(xa, i, xb, j, &best, &g);
    }
  return g;
}

static bool rises(plVec3 x, plVec3 y, plVec3 d, double slack) {
  plVec3 e = v3_sub(y, x);
  return v3_dot(e, d) > slack * v3_norm(e);
}

// A surface that is flat there does not extend farther along its inward normal either: some facet must face
// d.
static bool faces(const plSkin* s, const int* facet, int n, plVec3 d) {
  for (int i = 0; i < n; i++)
    if (facet[i] >= 0 && v3_dot(skin_normal(s, facet[i]), d) > 0) return true;
  return false;
}

bool pl_skin_farthest(const plSkin* s, int t, int at, plVec3 d, double slack) {
  if (at == PL_AT_FACE) return v3_dot(skin_normal(s, t), d) > 0;
  if (at < PL_AT_SIDE) {
    int v = s->tri[3 * (size_t)t + (size_t)at];
    return faces(s, s->ring + s->ring0[v], s->ring0[v + 1] - s->ring0[v], d) &&
           pl_skin_tip(s, v, d) >= -slack;
  }
  int e = s->tri_edge[3 * (size_t)t + (size_t)(at - PL_AT_SIDE)];
  plVec3 x = skin_x(s, s->edge_vert[2 * e]);
  for (int i = 0; i < 2; i++) {
    int facet = s->edge_tri[2 * e + i];
    for (int k = 0; k < 3 && facet >= 0; k++) {
      int v = s->tri[3 * (size_t)facet + (size_t)k];
      if (v != s->edge_vert[2 * e] && v != s->edge_vert[2 * e + 1] && rises(x, skin_x(s, v), d, slack))
        return false;
    }
  }
  return faces(s, s->edge_tri + 2 * e, 2, d);
}

double pl_skin_tip(const plSkin* s, int v, plVec3 d) {
  plVec3 x = skin_x(s, v);
  double least = 1;
  for (int i = s->ring0[v]; i < s->ring0[v + 1]; i++)
    for (int k = 0; k < 3; k++) {
      int u = s->tri[3 * (size_t)s->ring[i] + (size_t)k];
      if (u == v) continue;
      plVec3 e = v3_sub(skin_x(s, u), x);
      least = min2(-v3_dot(e, d) / v3_norm(e), least);  // an edge without a length does not count
    }
  return least;
}

// clip.c: Sutherland-Hodgman in the plane normal to the common normal of two facets, with provenance of every
// corner.
#include "geom/clip.h"

#include <math.h>

// A polygon while it is clipped: corner i is followed by a side that lies on edge side[i] of a (0..2) or of b
// (3..5).
typedef struct Polygon {
  int n;
  double u[PL_CLIP_MAX + 3], v[PL_CLIP_MAX + 3];
  plCornerKind kind[PL_CLIP_MAX + 3];
  int ia[PL_CLIP_MAX + 3], ib[PL_CLIP_MAX + 3], side[PL_CLIP_MAX + 3];
} Polygon;

static void copy_corner(Polygon* to, const Polygon* from, int i) {
  int n = to->n++;
  to->u[n] = from->u[i], to->v[n] = from->v[i], to->kind[n] = from->kind[i];
  to->ia[n] = from->ia[i], to->ib[n] = from->ib[i], to->side[n] = from->side[i];
}

// Clips p by edge k of b, (pu, pv) -> (qu, qv), which runs clockwise: the inside is on its right.
static void cut(const Polygon* p, double pu, double pv, double qu, double qv, int k, Polygon* out) {
  double distance[PL_CLIP_MAX + 3];
  out->n = 0;
  for (int i = 0; i < p->n; i++) distance[i] = (qv - pv) * (p->u[i] - pu) - (qu - pu) * (p->v[i] - pv);
  for (int i = 0; i < p->n && out->n < PL_CLIP_MAX; i++) {
    int j = (i + 1) % p->n;
    bool in_i = distance[i] >= 0, in_j = distance[j] >= 0;
    if (in_i) copy_corner(out, p, i);
    if (in_i == in_j) continue;
    // The new corner lies on edge k of b and on the side that edge k cuts.
    double s = distance[i] / (distance[i] - distance[j]);
    int n = out->n++, side = p->side[i];
    out->u[n] = p->u[i] + s * (p->u[j] - p->u[i]);
    out->v[n] = p->v[i] + s * (p->v[j] - p->v[i]);
    out->side[n] = in_i ? 3 + k : side;
    if (side < 3) {
      out->kind[n] = PL_CORNER_CROSSING, out->ia[n] = side, out->ib[n] = k;
    } else {
      // Two edges of b meet in their common vertex.
      int other = side - 3;
      out->kind[n] = PL_CORNER_B, out->ia[n] = -1;
      out->ib[n] = (other + 1) % 3 == k ? k : other == (k + 1) % 3 ? other : k;
    }
  }
}

// Height of the plane of facet t above (u, v), along m.
static double height(const plSkin* s, int t, const plClip* c, double u, double v) {
  plVec3 n = skin_normal(s, t), q = v3_madd(v3_madd(c->origin, u, c->t1), v, c->t2);
  return v3_dot(v3_sub(skin_x(s, s->tri[3 * (size_t)t]), q), n) / v3_dot(c->m, n);
}

static void make_plane(const plSkin* A, int a, plVec3 m, plClip* c) {
  double x = fabs(m.x), y = fabs(m.y), z = fabs(m.z);
  plVec3 axis = x < y ? (x < z ? v3(1, 0, 0) : v3(0, 0, 1)) : (y < z ? v3(0, 1, 0) : v3(0, 0, 1));
  c->m = m;
  c->origin = skin_x(A, A->tri[3 * (size_t)a]);
  c->t1 = v3_unit(v3_cross(axis, m));
  c->t2 = v3_cross(m, c->t1);
}

// The edge of x such that, seen along m, all corners of y lie well outside of it, or -1. The edges of x run
// clockwise (turn 1) or counter-clockwise (-1).
static int outside_an_edge(const plVec3* x, const plVec3* y, plVec3 m, double turn) {
  for (int k = 0; k < 3; k++) {
    plVec3 edge = v3_sub(x[(k + 1) % 3], x[k]), in = v3_scale(turn, v3_cross(edge, m));
    double margin = -1e-9 * v3_norm2(edge);
    if (v3_dot(v3_sub(y[0], x[k]), in) < margin && v3_dot(v3_sub(y[1], x[k]), in) < margin &&
        v3_dot(v3_sub(y[2], x[k]), in) < margin)
      return k;
  }
  return -1;
}

// Areas around the corners and mortar integrals, from the fan of corner 0.
static void integrate(plClip* c) {
  c->area = 0;
  for (int k = 0; k < 3; k++) c->mortar_a[k] = c->mortar_b[k] = 0;
  for (int i = 1; i + 1 < c->n; i++) {
    plCorner *p = &c->corner[0], *q = &c->corner[i], *r = &c->corner[i + 1];
    double area = 0.5 * ((q->u - p->u) * (r->v - p->v) - (q->v - p->v) * (r->u - p->u));
    c->area += area;
    p->third += area / 3, q->third += area / 3, r->third += area / 3;
    for (int k = 0; k < 3; k++) {
      c->mortar_a[k] += 0.5 * area * (p->wa[k] + q->wa[k] + r->wa[k]) / 3;
      c->mortar_b[k] += 0.5 * area * (p->wb[k] + q->wb[k] + r->wb[k]) / 3;
    }
  }
}

bool pl_clip_facets(const plSkin* A, int a, const plSkin* B, int b, double low, double high, plClip* c) {
  c->n = 0;
  plVec3 m = v3_sub(skin_normal(A, a), skin_normal(B, b)), xa[3], xb[3];
  for (int k = 0; k < 3; k++) {
    xa[k] = skin_x(A, A->tri[3 * (size_t)a + (size_t)k]);
    xb[k] = skin_x(B, B->tri[3 * (size_t)b + (size_t)k]);
  }
  // Most pairs have no overlap; this cheap test comes first.
  c->beyond = outside_an_edge(xb, xa, m, 1);
  if (c->beyond >= 0) return c->beyond += 3, false;
  c->beyond = outside_an_edge(xa, xb, m, -1);
  if (c->beyond >= 0) return false;
  if (!(v3_norm(m) > 0)) return false;
  make_plane(A, a, v3_unit(m), c);

  // Both facets in the plane; a runs counter-clockwise, b clockwise.
  Polygon first, second, *p = &first, *q = &second;
  double bu[3], bv[3];
  p->n = 3;
  for (int k = 0; k < 3; k++) {
    plVec3 da = v3_sub(xa[k], c->origin), db = v3_sub(xb[k], c->origin);
    p->u[k] = v3_dot(da, c->t1), p->v[k] = v3_dot(da, c->t2);
    p->kind[k] = PL_CORNER_A, p->ia[k] = k, p->ib[k] = -1, p->side[k] = k;
    bu[k] = v3_dot(db, c->t1), bv[k] = v3_dot(db, c->t2);
  }
  for (int k = 0; k < 3; k++) {
    int l = (k + 1) % 3;
    cut(p, bu[k], bv[k], bu[l], bv[l], k, q);
    if (q->n < 3) return false;
    Polygon* swap = p;
    p = q, q = swap;
  }

  c->n = p->n;
  c->gap_min = INFINITY, c->gap_max = -INFINITY;
  for (int i = 0; i < p->n; i++) {
    plCorner* corner = &c->corner[i];
    *corner = (plCorner){.u = p->u[i], .v = p->v[i], .kind = p->kind[i], .ia = p->ia[i], .ib = p->ib[i]};
    corner->height_a = height(A, a, c, p->u[i], p->v[i]);
    corner->height_b = height(B, b, c, p->u[i], p->v[i]);
    c->gap_min = fmin(c->gap_min, corner->height_b - corner->height_a);
    c->gap_max = fmax(c->gap_max, corner->height_b - corner->height_a);
  }
  if (c->gap_min > high || c->gap_max < low) return c->n = 0, false;
  for (int i = 0; i < p->n; i++) {
    plCorner* corner = &c->corner[i];
    plVec3 foot = v3_madd(v3_madd(c->origin, p->u[i], c->t1), p->v[i], c->t2);
    pl_skin_barycentric(A, a, v3_madd(foot, corner->height_a, c->m), corner->wa);
    pl_skin_barycentric(B, b, v3_madd(foot, corner->height_b, c->m), corner->wb);
  }
  integrate(c);
  if (!(c->area > 0)) c->n = 0;
  return c->n >= 3;
}

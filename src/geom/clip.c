// clip.c: Sutherland-Hodgman in the plane normal to the common normal of two facets, with provenance of every
// corner.
#include "geom/clip.h"

#include <math.h>

#include "geom/thresholds.h"

// A corner of a polygon while it is clipped. The side that follows it lies on edge `side` of a (0..2) or of b
// (3..5).
typedef struct Cut {
  double u, v;
  plCornerKind kind;
  int ia, ib, side;
} Cut;

typedef struct Polygon {
  int n;
  Cut corner[PL_CLIP_MAX + 3];
} Polygon;

// Clips p by edge k of b, (pu, pv) -> (qu, qv), which runs clockwise: the inside is on its right. False if
// all of p is inside: out is empty then.
static bool cut(const Polygon* p, double pu, double pv, double qu, double qv, int k, Polygon* out) {
  double distance[PL_CLIP_MAX + 3];
  bool some = false;
  out->n = 0;
  for (int i = 0; i < p->n; i++) {
    distance[i] = (qv - pv) * (p->corner[i].u - pu) - (qu - pu) * (p->corner[i].v - pv);
    some |= !(distance[i] >= 0);
  }
  if (!some) return false;
  for (int i = 0; i < p->n && out->n < PL_CLIP_MAX; i++) {
    int j = i + 1 < p->n ? i + 1 : 0;
    const Cut *from = &p->corner[i], *to = &p->corner[j];
    bool in_i = distance[i] >= 0, in_j = distance[j] >= 0;
    if (in_i) out->corner[out->n++] = *from;
    if (in_i == in_j) continue;
    // The new corner lies on edge k of b and on the side that edge k cuts.
    double s = distance[i] / (distance[i] - distance[j]);
    Cut* fresh = &out->corner[out->n++];
    int side = from->side;
    fresh->u = from->u + s * (to->u - from->u);
    fresh->v = from->v + s * (to->v - from->v);
    fresh->side = in_i ? 3 + k : side;
    if (side < 3) {
      fresh->kind = PL_CORNER_CROSSING, fresh->ia = side, fresh->ib = k;
    } else {
      // Two edges of b meet in their common vertex.
      int other = side - 3;
      fresh->kind = PL_CORNER_B, fresh->ia = -1;
      fresh->ib = (other + 1) % 3 == k ? k : other == (k + 1) % 3 ? other : k;
    }
  }
  return true;
}

// A facet, and the terms that heights and barycentric coordinates of all points share. The terms are computed
// as in pl_skin_barycentric.
typedef struct Plane {
  plVec3 x, n, u, c;
  double along, uu, uc, cc, det;
} Plane;

static Plane get_plane(const plSkin* s, int t, const plVec3 x[3], plVec3 m) {
  Plane p = {.x = x[0], .n = skin_normal(s, t), .u = v3_sub(x[1], x[0]), .c = v3_sub(x[2], x[0])};
  p.along = v3_dot(m, p.n);
  p.uu = v3_dot(p.u, p.u), p.uc = v3_dot(p.u, p.c), p.cc = v3_dot(p.c, p.c);
  p.det = p.uu * p.cc - p.uc * p.uc;
  return p;
}

// Height of the facet above q, along m.
static double height(const Plane* p, plVec3 q) { return v3_dot(v3_sub(p->x, q), p->n) / p->along; }

// Barycentric coordinates of all corners on one facet; foot: the corners in the plane of the polygon.
static void locate(const Plane* p, const plVec3* foot, bool is_b, plClip* c) {
  for (int i = 0; i < c->n; i++) {
    plCorner* corner = &c->corner[i];
    double* w = is_b ? corner->wb : corner->wa;
    if (!(p->det > 0)) {
      w[0] = w[1] = w[2] = 1.0 / 3;
      continue;
    }
    plVec3 q = v3_sub(v3_madd(foot[i], is_b ? corner->height_b : corner->height_a, c->m), p->x);
    double qu = v3_dot(q, p->u), qc = v3_dot(q, p->c);
    w[1] = (p->cc * qu - p->uc * qc) / p->det;
    w[2] = (p->uu * qc - p->uc * qu) / p->det;
    w[0] = 1 - w[1] - w[2];
  }
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
static int outside_an_edge(const plVec3* x, const plVec3* y, const plVec3* m, double turn) {
  for (int k = 0; k < 3; k++) {
    plVec3 edge = v3_sub(x[(k + 1) % 3], x[k]), in = v3_scale(turn, v3_cross(edge, *m));
    double margin = -PL_ROUNDING * v3_norm2(edge);
    if (v3_dot(v3_sub(y[0], x[k]), in) < margin && v3_dot(v3_sub(y[1], x[k]), in) < margin &&
        v3_dot(v3_sub(y[2], x[k]), in) < margin)
      return k;
  }
  return -1;
}

static void get_corners(const plSkin* s, int t, plVec3 x[3]) {
  for (int k = 0; k < 3; k++) x[k] = skin_x(s, s->tri[3 * (size_t)t + (size_t)k]);
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

// Projects both facets onto the plane (a runs counter-clockwise, b clockwise) and returns their common part,
// which is p or q.
static Polygon* cut_all(const plClip* c, const plVec3 xa[3], const plVec3 xb[3], Polygon* p, Polygon* q) {
  double bu[3], bv[3];
  p->n = 3;
  for (int k = 0; k < 3; k++) {
    plVec3 da = v3_sub(xa[k], c->origin), db = v3_sub(xb[k], c->origin);
    p->corner[k] = (Cut){v3_dot(da, c->t1), v3_dot(da, c->t2), PL_CORNER_A, k, -1, k};
    bu[k] = v3_dot(db, c->t1), bv[k] = v3_dot(db, c->t2);
  }
  for (int k = 0; k < 3 && p->n >= 3; k++) {
    int l = (k + 1) % 3;
    if (!cut(p, bu[k], bv[k], bu[l], bv[l], k, q)) continue;
    Polygon* swap = p;
    p = q, q = swap;
  }
  return p;
}

int pl_clip_beyond(const plVec3 xa[3], const plVec3 xb[3], plVec3 m) {
  int beyond = outside_an_edge(xb, xa, &m, 1);
  return beyond >= 0 ? beyond + 3 : outside_an_edge(xa, xb, &m, -1);
}

bool pl_clip_facets(const plSkin* A, int a, const plSkin* B, int b, double low, double high, plClip* c) {
  plVec3 m = v3_sub(skin_normal(A, a), skin_normal(B, b)), xa[3], xb[3];
  get_corners(A, a, xa), get_corners(B, b, xb);
  // Most pairs have no overlap; this cheap test comes first.
  c->n = 0, c->beyond = pl_clip_beyond(xa, xb, m);
  return c->beyond < 0 && pl_clip_overlap(A, a, B, b, low, high, c);
}

bool pl_clip_overlap(const plSkin* A, int a, const plSkin* B, int b, double low, double high, plClip* c) {
  plVec3 m = v3_sub(skin_normal(A, a), skin_normal(B, b)), xa[3], xb[3];
  get_corners(A, a, xa), get_corners(B, b, xb);
  c->n = 0, c->beyond = -1;
  if (!(v3_norm(m) > 0)) return false;
  make_plane(A, a, v3_unit(m), c);

  Polygon first, second, *p = cut_all(c, xa, xb, &first, &second);
  if (p->n < 3) return false;

  Plane pa = get_plane(A, a, xa, c->m), pb = get_plane(B, b, xb, c->m);
  plVec3 foot[PL_CLIP_MAX + 3];
  c->n = p->n;
  c->gap_min = INFINITY, c->gap_max = -INFINITY;
  for (int i = 0; i < p->n; i++) {
    plCorner* corner = &c->corner[i];
    const Cut* from = &p->corner[i];
    corner->u = from->u, corner->v = from->v, corner->third = 0;
    corner->kind = from->kind, corner->ia = from->ia, corner->ib = from->ib;
    foot[i] = v3_madd(v3_madd(c->origin, from->u, c->t1), from->v, c->t2);
    corner->height_a = height(&pa, foot[i]), corner->height_b = height(&pb, foot[i]);
    double gap = corner->height_b - corner->height_a;
    c->gap_min = gap < c->gap_min ? gap : c->gap_min;
    c->gap_max = gap > c->gap_max ? gap : c->gap_max;
  }
  if (c->gap_min > high || c->gap_max < low) return c->n = 0, false;
  locate(&pa, foot, false, c), locate(&pb, foot, true, c);
  integrate(c);
  if (!(c->area > 0)) c->n = 0;
  return c->n >= 3;
}

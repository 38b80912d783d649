// convex_pair.c: two convex rigid shapes (boxes, hulls, smooth shapes); a smooth shape against a half space
// or a rigid mesh.
//
// GJK and EPA give the normal and the closest points; if boxes lie on each other, their faces give the
// normal. If both shapes have a face (or an edge) towards each other, the faces are clipped in the plane
// normal to it, and every corner of the overlap becomes a point, so that a cylinder stands and a rod lies
// still. With options.rigid_contact: point there is one point, the closest, and corners that sink in ahead of
// it.
//
// If a surface has a contact stiffness k, the sides are elastic foundations: they push with k times the depth
// over the area of their overlap. Flat faces: A. A line of length L and depth d is 2 sqrt(2 R d) wide with
// mean depth 2/3 d, which equals A = 4/3 L sqrt(2 R d) at depth d. A point is an ellipse of area 2 pi R d
// with mean depth d/2: A = pi R d. 1/R is the sum of the curvatures across the line, or the root of the
// determinant of their sum. Edges and corners have no radius: they count as r L and r^2, where r is the
// smaller of the two shapes' least half sizes.
#include <assert.h>
#include <math.h>

#include "contact/pair.h"
#include "contact/thresholds.h"
#include "geom/closest.h"
#include "math/frame.h"
#include "model/work.h"
#include "rigid/tree.h"

enum { CORNERS = 2 * PL_CONVEX_FACE + 1 };

// A face projected along the normal: plane coordinates and heights.
typedef struct Flat {
  int n;
  double u[CORNERS], v[CORNERS], h[CORNERS];
} Flat;

typedef struct Frame {
  plVec3 origin, t1, t2, n;
} Frame;

static Frame make_frame(plVec3 origin, plVec3 n) {
  Frame frame = {.origin = origin, .n = n};
  v3_tangents(n, &frame.t1, &frame.t2);
  return frame;
}

static void flatten(const Frame* f, const plVec3* corner, int n, Flat* p) {
  p->n = n;
  for (int i = 0; i < n; i++) {
    plVec3 d = v3_sub(corner[i], f->origin);
    p->u[i] = v3_dot(d, f->t1), p->v[i] = v3_dot(d, f->t2), p->h[i] = v3_dot(d, f->n);
  }
}

static double twice_area(const Flat* p) {
  double sum = 0;
  for (int i = 0; i < p->n; i++) {
    int j = i + 1 < p->n ? i + 1 : 0;
    sum += p->u[i] * p->v[j] - p->u[j] * p->v[i];
  }
  return sum;
}

// Keeps the part of p (polygon, or segment if p->n is 2) on the inner side of (u0, v0) -> (u1, v1).
static void clip_side(const Flat* p, double u0, double v0, double u1, double v1, double turn, Flat* out) {
  double d[CORNERS];
  out->n = 0;
  for (int i = 0; i < p->n; i++) d[i] = turn * ((u1 - u0) * (p->v[i] - v0) - (v1 - v0) * (p->u[i] - u0));
  for (int i = 0; i < p->n && out->n < CORNERS - 1; i++) {
    int j = i + 1 < p->n ? i + 1 : 0, n = out->n;
    if (d[i] >= 0) out->u[n] = p->u[i], out->v[n] = p->v[i], out->h[n] = p->h[i], out->n = ++n;
    if ((d[i] >= 0) == (d[j] >= 0) || (p->n == 2 && i == 1)) continue;
    double s = d[i] / (d[i] - d[j]);
    out->u[n] = p->u[i] + s * (p->u[j] - p->u[i]), out->v[n] = p->v[i] + s * (p->v[j] - p->v[i]);
    out->h[n] = p->h[i] + s * (p->h[j] - p->h[i]), out->n = n + 1;
  }
}

// The corner of a face that is farthest from the line through its corners 0 and 1.
static int third_corner(const Flat* p) {
  int k = 2;
  double best = 0;
  for (int i = 2; i < p->n; i++) {
    double a = fabs((p->u[1] - p->u[0]) * (p->v[i] - p->v[0]) - (p->v[1] - p->v[0]) * (p->u[i] - p->u[0]));
    if (a > best) best = a, k = i;
  }
  return k;
}

// Height of the plane through a face with this third corner (or of the line through two points) above (u, v).
static double height_at(const Flat* p, int k, double u, double v) {
  if (p->n == 2) {
    double du = p->u[1] - p->u[0], dv = p->v[1] - p->v[0], l = du * du + dv * dv;
    double t = l > 0 ? ((u - p->u[0]) * du + (v - p->v[0]) * dv) / l : 0;
    return p->h[0] + t * (p->h[1] - p->h[0]);
  }
  double e1u = p->u[1] - p->u[0], e1v = p->v[1] - p->v[0], e2u = p->u[k] - p->u[0], e2v = p->v[k] - p->v[0],
         det = e1u * e2v - e1v * e2u;
  if (!(fabs(det) > 0)) return p->h[0];
  double a = ((u - p->u[0]) * e2v - (v - p->v[0]) * e2u) / det,
         b = (e1u * (v - p->v[0]) - e1v * (u - p->u[0])) / det;
  return p->h[0] + a * (p->h[1] - p->h[0]) + b * (p->h[k] - p->h[0]);
}

// Two lines that are parallel within 3 degrees share a segment, whose ends are the points.
static void shared_stretch(const Flat* p, const Flat* q, Flat* out) {
  out->n = 0;
  double du = p->u[1] - p->u[0], dv = p->v[1] - p->v[0], eu = q->u[1] - q->u[0], ev = q->v[1] - q->v[0];
  double lp = v2_norm(du, dv), lq = v2_norm(eu, ev);
  if (!(lp > 0 && lq > 0) || fabs(du * ev - dv * eu) > PL_LINES_PARALLEL * lp * lq) return;
  double a = ((q->u[0] - p->u[0]) * du + (q->v[0] - p->v[0]) * dv) / (lp * lp),
         b = ((q->u[1] - p->u[0]) * du + (q->v[1] - p->v[0]) * dv) / (lp * lp);
  double from = fmax(0, fmin(a, b)), to = fmin(1, fmax(a, b));
  if (!(to > from)) return;
  out->n = 2;
  for (int i = 0; i < 2; i++) {
    double t = i ? to : from;
    out->u[i] = p->u[0] + t * du, out->v[i] = p->v[0] + t * dv, out->h[i] = p->h[0] + t * (p->h[1] - p->h[0]);
  }
}

// The overlap of two faces, with the heights of the first; n = 0 if only the closest points are left.
static void share_faces(const Flat* p, const Flat* q, Flat* part) {
  part->n = 0;
  if (p->n < 2 || q->n < 2) return;
  if (p->n == 2 && q->n == 2) {
    shared_stretch(p, q, part);
    return;
  }
  const Flat *cutter = q->n > 2 ? q : p, *cut = q->n > 2 ? p : q;
  double area = twice_area(cutter), turn = area > 0 ? 1 : -1;
  Flat other, *out[2] = {&other, part};
  int last = cutter->n - 1;
  // The last cut writes into part.
  for (int i = 0; i <= last; i++) {
    int j = i < last ? i + 1 : 0;
    clip_side(cut, cutter->u[i], cutter->v[i], cutter->u[j], cutter->v[j], turn, out[1 - (last - i) % 2]);
    cut = out[1 - (last - i) % 2];
  }
}

// ---- areas

// The area of the whole patch: area d^p for round sides.
typedef struct Area {
  plAreaKind kind;
  double area, least;
} Area;

static double power(plAreaKind kind) { return kind == PL_AREA_LINE ? 0.5 : kind == PL_AREA_POINT ? 1 : 0; }

// A round end is represented by a polygon, which has less area.
static double of_cap(const plConvex* s, int n) {
  double cap = s && n > 2 ? pl_shape_traits[s->kind]->cap : 0;
  return cap > 0 ? cap : 1;
}

// The area of an overlap with n corners; B is NULL for a half space. The tangents are those of the frame.
static Area area_of(const plPair* pair, const plConvex* A, const plConvex* B, const plConvexGap* g,
                    const Frame* f, const Flat* part, int na, int nb, double radius) {
  Area out = {.least = PL_AREA_DEPTH * radius};
  double length = part->n == 2 ? v2_norm(part->u[1] - part->u[0], part->v[1] - part->v[0]) : 0;
  out.kind = part->n > 2 ? PL_AREA_FLAT : part->n == 2 && length > 0 ? PL_AREA_LINE : PL_AREA_SHARP;
  if (out.kind == PL_AREA_FLAT) {
    out.area = fmax(0.5 * fabs(twice_area(part)) * fmax(of_cap(A, na), of_cap(B, nb)),
                    PL_AREA_LEAST * radius * radius);
    return out;
  }
  bool yields = pl_contact_yields(pair->data, pair->ca, pair->cb);
  out.area = radius * (out.kind == PL_AREA_LINE ? length : (yields ? 1 : PL_AREA_LEAST) * radius);
  if (!yields) return out;
  double a[3], b[3] = {0};
  plVec3 t[2] = {f->t1, f->t2};
  bool smooth = pl_convex_curvature(A, g->a, g->normal, t, a);
  if (B) smooth = pl_convex_curvature(B, g->b, v3_neg(g->normal), t, b) && smooth;
  double k11 = a[0] + b[0], k12 = a[1] + b[1], k22 = a[2] + b[2], mean = 0.5 * (k11 + k22);
  if (out.kind == PL_AREA_LINE) {
    double eu = -(part->v[1] - part->v[0]) / length, ev = (part->u[1] - part->u[0]) / length,
           across = eu * eu * k11 + 2 * eu * ev * k12 + ev * ev * k22;
    if (smooth && across > 0)
      out.area = 4.0 / 3 * length * sqrt(2 / across);
    else
      out.kind = PL_AREA_SHARP;
  } else if (smooth && mean > 0) {
    // nearly parallel mantles touch along a line of limited length
    double det = fmax(k11 * k22 - k12 * k12, PL_AREA_OVAL * mean * mean);
    out.kind = PL_AREA_POINT, out.area = M_PI / sqrt(det);
  }
  return out;
}

// A point with a fraction of the area.
static plStatus push(plPair* pair, plOnSkin a, plOnSkin b, plVec3 x, plVec3 n, double gap, Area whole,
                     double part) {
  double area = part * whole.area;
  if (pl_contact_yields(pair->data, pair->ca, pair->cb))
    area *= pow(fmax(-gap, whole.least), power(whole.kind));
  int before = pair->list->npoint;
  plStatus status = pl_pair_push(pair, a, b, x, n, gap, area, 1);
  if (!status && pair->list->npoint > before) {
    plContactPoint* point = &pair->list->point[before];
    point->kind = whole.kind, point->least = whole.least;
  }
  return status;
}

// The weight, 1 to 0, of a corner that is farther away than the closest point. Where faces lie flat, the
// closest point could be anywhere between them. The weighted centre moves to the deepest corner while the
// faces tilt by some degrees, slowly enough that a step does not overshoot.
static double as_close(double farther, double radius) {
  return fmax(0, 1 - farther / (PL_AS_CLOSE * radius));
}

// Corners of the overlap of two faces: the middle between the two sides, and their gap.
typedef struct Corners {
  int n;
  plVec3 at[CORNERS];
  double gap[CORNERS];
} Corners;

// The velocity of a shape's body at x.
static plVec3 velocity_at(const plPair* pair, const plCollider* c, plVec3 x) {
  if (c->node < 0) return v3(0, 0, 0);
  const plTreeState* state = &pair->data->work->tree;
  plVec3 point = state->tree_point[pl_tree_of_node(&pair->data->work->forest, c->node)];
  return motion_at(state->node_V[c->node], v3_sub(x, point));
}

// How much the gap at x falls in the step at the present velocities.
static double sinks(const plPair* pair, plVec3 x, plVec3 n) {
  plVec3 v = v3_sub(velocity_at(pair, pair->ca, x), velocity_at(pair, pair->cb, x));
  return pair->data->par->options.dt * v3_dot(v, n);
}

// The closest points, or the weighted centre of the corners that are about as close. One point cannot stop a
// body that rocks about it: a corner that sinks in ahead of it would be pushed out later, which lifts what
// lies on it. So these corners get points, too.
static plStatus emit_one(plPair* pair, const Corners* c, plVec3 n, plVec3 closest, double gap, Area area,
                         double radius) {
  plOnSkin none = {.tri = -1};
  plVec3 sum = {0, 0, 0};
  double weight = 0, apart = 0;
  for (int i = 0; i < c->n; i++) {
    double w = as_close(c->gap[i] - gap, radius);
    sum = v3_madd(sum, w, c->at[i]), apart += w * c->gap[i], weight += w;
  }
  if (weight > 0) closest = v3_scale(1 / weight, sum), gap = apart / weight;
  double sinking = sinks(pair, closest, n), end = fmin(0, gap - sinking - PL_LONELY * radius);
  plStatus status = push(pair, none, none, closest, n, gap, area, 1);
  for (int i = 0; i < c->n && !status; i++) {
    double own = sinks(pair, c->at[i], n);
    if (own > sinking && c->gap[i] - own < end)
      status = push(pair, none, none, c->at[i], n, c->gap[i], area, 1.0 / c->n);
  }
  return status;
}

// The same for the overlap of two faces.
static plStatus emit_point(plPair* pair, const Frame* f, const Flat* part, const Flat* p, const Flat* q,
                           const plConvexGap* g, Area area, double radius) {
  Corners c = {.n = part->n};
  int kp = third_corner(p), kq = third_corner(q);
  for (int i = 0; i < part->n; i++) {
    double h = height_at(p, kp, part->u[i], part->v[i]);
    plVec3 x = v3_madd(v3_madd(f->origin, part->u[i], f->t1), part->v[i], f->t2);
    c.gap[i] = height_at(q, kq, part->u[i], part->v[i]) - h, c.at[i] = v3_madd(x, h + 0.5 * c.gap[i], f->n);
  }
  return emit_one(pair, &c, g->normal, v3_scale(0.5, v3_add(g->a, g->b)), g->gap, area, radius);
}

// Corners of the overlap of the two faces (with the gap of each along the normal), or only the closest
// points. If these have not been found yet, g->a and g->b are any points: few patches need them.
static plStatus emit_manifold(plPair* pair, const plConvex* A, const plConvex* B, const plConvexGap* g,
                              int tri, double radius, bool found) {
  plOnSkin on_a = {.tri = tri}, on_b = {.tri = -1};
  plVec3 face_a[PL_CONVEX_FACE], face_b[PL_CONVEX_FACE];
  int na = pl_convex_face(A, g->normal, face_a), nb = pl_convex_face(B, v3_neg(g->normal), face_b);
  assert(na <= PL_CONVEX_FACE && nb <= PL_CONVEX_FACE);
  Frame f = make_frame(g->a, g->normal);
  Flat p, q, part;
  flatten(&f, face_a, na, &p), flatten(&f, face_b, nb, &q), share_faces(&p, &q, &part);
  double near = INFINITY;
  Area area = area_of(pair, A, B, g, &f, &part, na, nb, radius);
  if (tri < 0 && pair->data->par->options.rigid_contact == PL_RIGID_POINT)
    return emit_point(pair, &f, &part, &p, &q, g, area, radius);
  int count = 0, nearest = -1, kp = third_corner(&p), kq = third_corner(&q);
  for (int i = 0; i < part.n; i++) {
    double h = height_at(&p, kp, part.u[i], part.v[i]), gap = height_at(&q, kq, part.u[i], part.v[i]) - h;
    if (!(gap <= pair->margin)) continue;
    // The faces may be tilted: no corner has a smaller gap than the closest points.
    gap = fmax(gap, g->gap);
    plVec3 x = v3_madd(v3_madd(f.origin, part.u[i], f.t1), part.v[i], f.t2);
    plStatus status =
        push(pair, on_a, on_b, v3_madd(x, h + 0.5 * gap, f.n), g->normal, gap, area, 1.0 / part.n);
    if (status) return status;
    if (gap - g->gap < near) near = gap - g->gap, nearest = pair->list->npoint - 1;
    count++;
  }
  // The closest points themselves, unless a corner is about as close: where faces lie flat the closest points
  // could be anywhere.
  double lonely = count ? fmin(1, near / (PL_LONELY * radius)) : 1;
  if (lonely < PL_LONELY_LEAST) {
    if (nearest >= 0) pair->list->point[nearest].gap = g->gap;
    return PL_OK;
  }
  plConvexGap at = found ? *g : pl_convex_gap(A, B);
  return push(pair, on_a, on_b, v3_scale(0.5, v3_add(at.a, at.b)), g->normal, g->gap, area,
              count ? lonely / part.n : 1);
}

// For a sphere the distance of its centre is enough.
static plConvexGap sphere_gap(const plCollider* sphere, const plCollider* other) {
  plVec3 outward;
  double r = sphere->shape.radius,
         d = pl_shape_distance(&other->shape, pose_apply_inverse(other->pose, sphere->pose.p), &outward);
  plVec3 n = v3_neg(quat_rotate(other->pose.q, outward));
  return (plConvexGap){d - r, n, v3_madd(sphere->pose.p, r, n), v3_madd(sphere->pose.p, d, n)};
}

// Returns false if it found the gap and the normal, but not the closest points.
static bool find_gap(const plPair* pair, const plConvex* A, const plConvex* B, plConvexGap* g) {
  const plCollider *ca = pair->ca, *cb = pair->cb;
  bool boxes = ca->shape.kind == PL_SHAPE_BOX && cb->shape.kind == PL_SHAPE_BOX,
       points = pair->data->par->options.rigid_contact == PL_RIGID_POINT;
  if (boxes && !points && pl_box_gap(A, B, pair->margin, &g->gap, &g->normal)) {
    g->a = g->b = A->pose.p;
    return false;
  }
  if (ca->shape.kind == PL_SHAPE_SPHERE)
    *g = sphere_gap(ca, cb);
  else if (cb->shape.kind == PL_SHAPE_SPHERE) {
    plConvexGap turned = sphere_gap(cb, ca);
    *g = (plConvexGap){turned.gap, v3_neg(turned.normal), turned.b, turned.a};
  } else
    *g = pl_convex_gap(A, B);
  return true;
}

plStatus pl_contact_convex_pair(plPair* pair) {
  plConvex A = pl_collider_convex(pair->ca), B = pl_collider_convex(pair->cb);
  plConvexGap g;
  bool found = find_gap(pair, &A, &B, &g);
  double radius = fmin(pl_collider_radius(pair->ca), pl_collider_radius(pair->cb));
  if (!(g.gap <= pair->margin)) return PL_OK;
  if (g.gap < -radius) {
    pair->list->deep++;
    return PL_OK;
  }
  return emit_manifold(pair, &A, &B, &g, -1, radius, found);
}

plStatus pl_contact_convex_at(plPair* pair, const plConvex* A, const plConvex* B) {
  plConvexGap g = pl_convex_gap(A, B);
  return emit_manifold(pair, A, B, &g, -1, fmin(pl_collider_radius(pair->ca), pl_collider_radius(pair->cb)),
                       true);
}

// ---- against a half space: the face towards it

// One point, and what sinks in ahead of it.
static plStatus emit_lowest(plPair* pair, const plVec3* corner, int n, double lowest, plVec3 up, Area area,
                            double radius) {
  Corners c = {.n = n};
  for (int i = 0; i < n; i++) {
    c.gap[i] = v3_dot(v3_sub(corner[i], pair->cb->pose.p), up);
    c.at[i] = v3_madd(corner[i], -0.5 * c.gap[i], up);
  }
  return emit_one(pair, &c, v3_neg(up), c.at[0], lowest, area, radius);
}

plStatus pl_contact_convex_plane(plPair* pair) {
  plConvex A = pl_collider_convex(pair->ca);
  plPose pose = pair->cb->pose;
  plVec3 up = quat_rotate(pose.q, v3(0, 0, 1)), down = v3_neg(up), corner[PL_CONVEX_FACE + 1];
  int n = pl_convex_face(&A, down, corner), face = n;
  assert(n <= PL_CONVEX_FACE);
  double radius = pl_collider_radius(pair->ca), lowest = INFINITY;
  // a surface with a contact stiffness is meant to deform, and a half space has no opposite side
  double limit = pl_contact_yields(pair->data, pair->ca, pair->cb) ? INFINITY : radius;
  plOnSkin none = {.tri = -1};
  // The support point is one of the corners of edges and caps that lie flat, but not of a standing capsule.
  plVec3 support = pl_convex_support(&A, down);
  double support_gap = v3_dot(v3_sub(support, pose.p), up);
  for (int i = 0; i < n; i++) lowest = fmin(lowest, v3_dot(v3_sub(corner[i], pose.p), up));
  if (support_gap < lowest - PL_ROUNDING * radius) corner[n++] = support, lowest = support_gap;
  plConvexGap g = {support_gap, down, support, v3_madd(support, -support_gap, up)};
  Frame f = make_frame(support, down);
  Flat part;
  flatten(&f, corner, face, &part);
  Area area = area_of(pair, &A, NULL, &g, &f, &part, face, 0, radius);
  if (pair->data->par->options.rigid_contact == PL_RIGID_POINT && n && lowest <= pair->margin &&
      lowest >= -limit)
    return emit_lowest(pair, corner, n, lowest, up, area, radius);
  for (int i = 0; i < n; i++) {
    double gap = v3_dot(v3_sub(corner[i], pose.p), up);
    if (!(gap <= pair->margin)) continue;
    if (gap < -limit) {
      pair->list->deep++;
      continue;
    }
    plStatus status = push(pair, none, none, v3_madd(corner[i], -0.5 * gap, up), down, gap, area, 1.0 / n);
    if (status) return status;
  }
  return PL_OK;
}

// ---- against the facets of a rigid mesh

// Overlap: point q, with the shape in direction d, is locally closest only if no facet beyond the sides on
// which it lies rises towards the shape.
static bool locally_deepest(const plSkin* s, int t, plVec3 q, plVec3 d) {
  double w[3];
  pl_skin_barycentric(s, t, q, w);
  for (int k = 0; k < 3; k++) {
    if (w[k] > PL_CLOSEST_SLACK) continue;
    int e = s->tri_edge[3 * (size_t)t + (size_t)((k + 1) % 3)],
        other = s->edge_tri[2 * e] == t ? s->edge_tri[2 * e + 1] : s->edge_tri[2 * e];
    if (other < 0) continue;
    for (int i = 0; i < 3; i++) {
      plVec3 r = v3_sub(skin_x(s, s->tri[3 * (size_t)other + (size_t)i]), q);
      if (v3_dot(r, d) > PL_SIDE_SLACK * v3_norm(r)) return false;
    }
  }
  return v3_dot(skin_normal(s, t), d) > 0;
}

// No overlap: point q of facet t is locally closest if no neighbour reaches farther along d.
static bool locally_closest(const plSkin* s, int t, plVec3 q, plVec3 d) {
  double w[3];
  pl_skin_barycentric(s, t, q, w);
  int at = PL_AT_FACE, off = 0;
  for (int k = 0; k < 3; k++)
    if (!(w[k] > PL_CLOSEST_SLACK)) at = PL_AT_SIDE + (k + 1) % 3, off++;
  for (int k = 0; k < 3; k++)
    if (off > 1 && w[k] > PL_CLOSEST_SLACK) at = PL_AT_CORNER + k;
  return pl_skin_farthest(s, t, at, d, PL_SIDE_SLACK) && v3_dot(skin_normal(s, t), d) > 0;
}

// Whether a point at this depth below the plane of facet t lies below the surface there: on the facet or on a
// neighbour that continues it.
static bool below_surface(const plSkin* s, int t, plVec3 x, double depth) {
  double w[3];
  pl_skin_barycentric(s, t, x, w);
  if (w[0] >= -PL_INSIDE && w[1] >= -PL_INSIDE && w[2] >= -PL_INSIDE) return true;
  plTriHit hit = pl_tri_tree_closest(s->tree, x, INFINITY);
  return hit.tri >= 0 && hit.t * PL_SAME_NORMAL <= depth &&
         v3_dot(skin_normal(s, hit.tri), skin_normal(s, t)) > PL_SAME_NORMAL;
}

// A shape that lies flat on facet t: all points take the facet's normal, however the shape is tilted. If they
// overlap, the lowest point gives the depth; beyond a rim it is not used.
static void lie_flat(const plSkin* s, int t, const plConvex* shape, plConvexGap* g) {
  plVec3 n = skin_normal(s, t), corner[PL_CONVEX_FACE];
  if (!(v3_dot(g->normal, n) > PL_SAME_NORMAL) || pl_convex_face(shape, v3_neg(n), corner) < 2) return;
  g->normal = n;
  if (g->gap > 0) return;
  plVec3 low = pl_convex_support(shape, v3_neg(n));
  double height = v3_dot(v3_sub(low, skin_x(s, s->tri[3 * (size_t)t])), n);
  if (!below_surface(s, t, low, -height)) return;
  g->gap = height, g->b = low, g->a = v3_madd(low, -height, n);
}

static plStatus touch_facet(plPair* pair, int t) {
  const plSkin* s = pair->A;
  const int* v = s->tri + 3 * (size_t)t;
  plVec3 x[3] = {skin_x(s, v[0]), skin_x(s, v[1]), skin_x(s, v[2])};
  plConvex A = {.kind = PL_SHAPE_MESH,
                .point = x,
                .pose = {.p = v3_scale(1.0 / 3, v3_add(x[0], v3_add(x[1], x[2]))), .q = {1, 0, 0, 0}}};
  plConvex B = pl_collider_convex(pair->cb);
  plConvexGap g = pl_convex_gap(&A, &B);
  // They overlap and the shape's centre lies behind the facet: this is not the touching side.
  if (g.gap <= 0 && v3_dot(v3_sub(B.pose.p, x[0]), skin_normal(s, t)) < 0) return PL_OK;
  if (!(g.gap <= pair->margin)) return PL_OK;
  if (!(g.gap > 0 ? locally_closest : locally_deepest)(s, t, g.a, g.normal)) return PL_OK;
  double radius = pl_collider_radius(pair->cb);
  if (g.gap < -fmin(radius, s->tri_limit[t])) {
    pair->list->deep++;
    return PL_OK;
  }
  lie_flat(s, t, &B, &g);
  return emit_manifold(pair, &A, &B, &g, t, radius, true);
}

// Coincident points of neighbouring facets are merged; their areas are added if they are parts of a face or a
// line.
static void merge_points(plPairList* list, double size, bool yields) {
  int kept = 0;
  for (int i = 0; i < list->npoint; i++) {
    const plContactPoint* p = &list->point[i];
    int same = -1;
    bool part = p->kind == PL_AREA_FLAT || p->kind == PL_AREA_LINE;
    for (int k = 0; k < kept && same < 0; k++)
      if (v3_norm(v3_sub(p->position, list->point[k].position)) <
              (part ? PL_CLOSEST_SLACK : PL_SAME_CLOSEST) * size &&
          v3_dot(p->normal, list->point[k].normal) > PL_SAME_DIRECTION)
        same = k;
    if (same < 0) {
      list->point[kept++] = *p;
      continue;
    }
    if (part && yields) list->point[same].area += p->area;
    list->point[same].gap = fmin(list->point[same].gap, p->gap);
  }
  list->npoint = kept;
}

typedef struct Near {
  const plSkin* skin;
  int* facet;
  int n;
} Near;

static bool list_facet(void* context, int t) {
  Near* near = context;
  assert(near->n < near->skin->ntri);
  if (near->skin->tri_area[t] > 0) near->facet[near->n++] = t;
  return true;
}

static plStatus touch_some(plPair* part, void* context, int begin, int end) {
  const Near* near = context;
  plStatus status = PL_OK;
  for (int i = begin; i < end && !status; i++) status = touch_facet(part, near->facet[i]);
  return status;
}

plStatus pl_contact_skin_convex(plPair* pair) {
  Near near = {pair->A, PL_ARENA_NEW(pair->arena, int, pair->A->ntri), 0};
  plVec3 r = v3(pair->margin, pair->margin, pair->margin);
  if (!near.facet) return PL_ERROR_MEMORY;
  pl_tri_tree_box(pair->A->tree, v3_sub(pair->cb->lower, r), v3_add(pair->cb->upper, r), list_facet, &near);
  plStatus status = pl_pair_in_parts(pair, near.n, 16, touch_some, &near);
  merge_points(pair->list, pl_collider_radius(pair->cb), pl_contact_yields(pair->data, pair->ca, pair->cb));
  return status;
}

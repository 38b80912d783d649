// gjk.c: distance of two convex shapes (Gilbert, Johnson and Keerthi 1988), depth of their overlap by an
// expanding polytope (van den Bergen 2001). Spheres and capsules are a core and a radius, so that a shallow
// overlap of these is computed as a distance too.
#include <assert.h>
#include <float.h>
#include <math.h>

#include "geom/convex.h"
#include "geom/shape.h"

// A point of A - B and the two points that it is the difference of.
typedef struct Vertex {
  plVec3 w, a, b;
} Vertex;

typedef struct Simplex {
  Vertex vertex[4];
  double weight[4];  // of the point closest to the origin
  int n;
} Simplex;

static double margin(const plConvex* s) { return pl_shape_traits[s->kind]->core ? s->radius : 0; }

static plVec3 core_support(const plConvex* s, plVec3 d) {
  const plShapeTraits* traits = pl_shape_traits[s->kind];
  return traits->core ? traits->core(s, d) : pl_convex_support(s, d);
}

// The vertex of A - B farthest along d.
static Vertex support(const plConvex* A, const plConvex* B, plVec3 d) {
  plVec3 a = core_support(A, d), b = core_support(B, v3_neg(d));
  return (Vertex){v3_sub(a, b), a, b};
}

// ---- the point of a simplex closest to the origin

static void keep(Simplex* s, int n, const int* which, const double* weight) {
  Vertex v[4];
  for (int i = 0; i < n; i++) v[i] = s->vertex[which[i]], s->weight[i] = weight[i];
  for (int i = 0; i < n; i++) s->vertex[i] = v[i];
  s->n = n;
}

static double segment(const plVec3* p, double w[2]) {
  plVec3 e = v3_sub(p[1], p[0]);
  double l = v3_norm2(e), t = l > 0 ? fmax(0, fmin(1, -v3_dot(p[0], e) / l)) : 0;
  w[0] = 1 - t, w[1] = t;
  return v3_norm2(v3_madd(p[0], t, e));
}

// Squared distance and weights of a triangle: the best of its inside and its sides, each evaluated, so that
// needles are handled correctly.
static double triangle(const plVec3* p, double w[3]) {
  double best = INFINITY;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3;
    plVec3 ends[2] = {p[i], p[j]};
    double s[2], d = segment(ends, s);
    if (!(d < best)) continue;
    best = d;
    w[0] = w[1] = w[2] = 0, w[i] = s[0], w[j] = s[1];
  }
  plVec3 e = v3_sub(p[1], p[0]), f = v3_sub(p[2], p[0]), n = v3_cross(e, f), q = v3_neg(p[0]);
  double nn = v3_norm2(n);
  if (!(nn > 0)) return best;
  double u[3];
  u[1] = v3_dot(v3_cross(q, f), n) / nn, u[2] = v3_dot(v3_cross(e, q), n) / nn, u[0] = 1 - u[1] - u[2];
  if (!(u[0] >= 0 && u[1] >= 0 && u[2] >= 0)) return best;
  double d = v3_norm2(v3_madd(v3_madd(p[0], u[1], e), u[2], f));
  if (d < best) best = d, w[0] = u[0], w[1] = u[1], w[2] = u[2];
  return best;
}

// Reduces the simplex to the face that holds the closest point; true if the origin is inside a tetrahedron.
static bool reduce(Simplex* s) {
  static const int face[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  plVec3 p[4];
  for (int i = 0; i < s->n; i++) p[i] = s->vertex[i].w;
  double best = INFINITY, weight[4] = {1, 0, 0, 0};
  int which[4] = {0, 1, 2, 3}, n = 1;
  if (s->n == 2) segment(p, weight), n = 2;
  if (s->n == 3) triangle(p, weight), n = 3;
  if (s->n == 4) {
    bool inside = true;
    for (int i = 0; i < 4; i++) {
      plVec3 q[3] = {p[face[i][0]], p[face[i][1]], p[face[i][2]]},
             normal = v3_cross(v3_sub(q[1], q[0]), v3_sub(q[2], q[0]));
      double far = v3_dot(v3_sub(p[face[i][3]], q[0]), normal), here = -v3_dot(q[0], normal), w[3];
      // A flat tetrahedron contains nothing.
      if (!(fabs(far) > 1e-10 * v3_norm(normal) * (v3_norm(p[face[i][3]]) + v3_norm(q[0]))) || far * here < 0)
        inside = false;
      double d = triangle(q, w);
      if (!(d < best)) continue;
      best = d, n = 3;
      for (int k = 0; k < 3; k++) which[k] = face[i][k], weight[k] = w[k];
    }
    if (inside) return true;
  }
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (weight[i] > 0) which[kept] = which[i], weight[kept++] = weight[i];
  keep(s, kept, which, weight);
  return false;
}

static plVec3 closest(const Simplex* s, plVec3* a, plVec3* b) {
  plVec3 w = {0, 0, 0};
  *a = *b = w;
  for (int i = 0; i < s->n; i++) {
    w = v3_madd(w, s->weight[i], s->vertex[i].w);
    *a = v3_madd(*a, s->weight[i], s->vertex[i].a), *b = v3_madd(*b, s->weight[i], s->vertex[i].b);
  }
  return w;
}

// ---- the expanding polytope

enum { EPA_VERTICES = 260, EPA_FACES = 2 * EPA_VERTICES };
// Sizes. A face sees a vertex that is farther in front of it than rounding.
static const double SEES = 1e-14;
// Sizes. No vertex lies farther out than the nearest face by more than this: it is the depth.
static const double REACHED = 5e-12;
typedef struct Face {
  int v[3];
  plVec3 normal;
  double distance;
  bool gone;
} Face;
typedef struct Polytope {
  Vertex vertex[EPA_VERTICES];
  Face face[EPA_FACES];
  int nvertex, nface;
  double size;  // m, of the shapes
} Polytope;

static void add_face(Polytope* p, int a, int b, int c) {
  plVec3 x = p->vertex[a].w, n = v3_unit(v3_cross(v3_sub(p->vertex[b].w, x), v3_sub(p->vertex[c].w, x)));
  // A face without area closes the surface and is never the nearest.
  Face f = {{a, b, c}, n, v3_norm2(n) > 0 ? v3_dot(n, x) : INFINITY, false};
  assert(p->nface < EPA_FACES);
  p->face[p->nface++] = f;
}

// The edges around the faces that are taken away.
typedef struct Rim {
  int edge[EPA_FACES][2], n;
} Rim;

// The edge of the rim between a and b, seen from the other side; -1: there is none.
static int rim_edge(const Rim* rim, int a, int b) {
  for (int j = 0; j < rim->n; j++)
    if (rim->edge[j][0] == b && rim->edge[j][1] == a) return j;
  return -1;
}

static void take_away(Face* f, Rim* rim) {
  f->gone = true;
  for (int k = 0; k < 3; k++) {
    int a = f->v[k], b = f->v[(k + 1) % 3], at = rim_edge(rim, a, b);
    if (at >= 0) {
      rim->n--;
      rim->edge[at][0] = rim->edge[rim->n][0], rim->edge[at][1] = rim->edge[rim->n][1];
    } else if (rim->n < EPA_FACES)
      rim->edge[rim->n][0] = a, rim->edge[rim->n][1] = b, rim->n++;
  }
}

static bool is_beside(const Face* f, const Rim* rim) {
  return rim_edge(rim, f->v[0], f->v[1]) >= 0 || rim_edge(rim, f->v[1], f->v[2]) >= 0 ||
         rim_edge(rim, f->v[2], f->v[0]) >= 0;
}

// Replaces the nearest face and all around it that see the new vertex by a fan over their rim. Where faces
// lie in one plane, rounding lets some see the vertex that are not connected with these: they stay.
static bool expand(Polytope* p, Vertex v, Face* nearest) {
  if (p->nvertex == EPA_VERTICES) return false;
  Rim rim = {.n = 0};
  int n = p->nvertex;
  p->vertex[p->nvertex++] = v;
  take_away(nearest, &rim);
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < p->nface; i++) {
      Face* f = &p->face[i];
      if (f->gone || !(v3_dot(f->normal, v.w) > f->distance + SEES * p->size) || !is_beside(f, &rim))
        continue;
      take_away(f, &rim);
      more = true;
    }
  }
  // Removed faces leave room.
  int kept = 0;
  for (int i = 0; i < p->nface; i++)
    if (!p->face[i].gone) p->face[kept++] = p->face[i];
  p->nface = kept;
  if (rim.n < 3 || p->nface + rim.n > EPA_FACES) return false;
  for (int i = 0; i < rim.n; i++) add_face(p, rim.edge[i][0], rim.edge[i][1], n);
  return true;
}

// An initial tetrahedron around the origin, from GJK's simplex and additional support points.
static bool begin(Polytope* p, const Simplex* s, const plConvex* A, const plConvex* B) {
  static const plVec3 axis[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  Vertex v[4];
  int n = s->n > 4 ? 4 : s->n;
  for (int i = 0; i < n; i++) v[i] = s->vertex[i];
  double size = 0;
  for (int i = 0; i < 6; i++) size = fmax(size, v3_norm(support(A, B, axis[i]).w));
  for (int i = 0; i < 6 && n == 1; i++) {
    Vertex w = support(A, B, axis[i]);
    if (v3_norm(v3_sub(w.w, v[0].w)) > 1e-6 * size) v[n++] = w;
  }
  for (int i = 0; i < 12 && n == 2; i++) {
    plVec3 e = v3_unit(v3_sub(v[1].w, v[0].w)), d = v3_cross(e, axis[i % 6]);
    if (i >= 6) d = v3_cross(e, d);
    Vertex w = support(A, B, d);
    plVec3 r = v3_sub(w.w, v[0].w);
    if (v3_norm(v3_madd(r, -v3_dot(r, e), e)) > 1e-6 * size) v[n++] = w;
  }
  for (int sign = 0; sign < 2 && n == 3; sign++) {
    plVec3 d = v3_unit(v3_cross(v3_sub(v[1].w, v[0].w), v3_sub(v[2].w, v[0].w)));
    Vertex w = support(A, B, sign ? v3_neg(d) : d);
    if (fabs(v3_dot(v3_sub(w.w, v[0].w), d)) > 1e-9 * size) v[n++] = w;
  }
  if (n < 4) return false;
  plVec3 e = v3_sub(v[1].w, v[0].w), f = v3_sub(v[2].w, v[0].w), g = v3_sub(v[3].w, v[0].w);
  if (v3_dot(v3_cross(e, f), g) > 0) {
    Vertex swap = v[1];
    v[1] = v[2], v[2] = swap;
  }
  p->nvertex = 4, p->nface = 0, p->size = size;
  for (int i = 0; i < 4; i++) p->vertex[i] = v[i];
  add_face(p, 0, 1, 2), add_face(p, 0, 2, 3), add_face(p, 0, 3, 1), add_face(p, 1, 3, 2);
  return true;
}

static plConvexGap overlap(const plConvex* A, const plConvex* B, const Simplex* s) {
  Polytope p;
  plConvexGap none = {0, v3_unit(v3_sub(B->pose.p, A->pose.p)), s->vertex[0].a, s->vertex[0].b};
  if (!(v3_norm2(none.normal) > 0)) none.normal = v3(0, 0, 1);
  if (!begin(&p, s, A, B)) return none;
  int best = -1;
  for (int iteration = 0; iteration < EPA_VERTICES; iteration++) {
    best = -1;
    for (int i = 0; i < p.nface; i++)
      if (!p.face[i].gone && (best < 0 || p.face[i].distance < p.face[best].distance)) best = i;
    if (best < 0) return none;
    Face f = p.face[best];
    Vertex v = support(A, B, f.normal);
    double more = v3_dot(f.normal, v.w) - f.distance;
    if (more <= 1e-10 * fabs(f.distance) + REACHED * p.size) break;
    if (!expand(&p, v, &p.face[best])) break;
  }
  // The face's point closest to the origin, as a weighted sum of its corners.
  best = -1;
  for (int i = 0; i < p.nface; i++)
    if (!p.face[i].gone && (best < 0 || p.face[i].distance < p.face[best].distance)) best = i;
  if (best < 0) return none;
  const Face* f = &p.face[best];
  plVec3 x[3];
  double w[3];
  for (int k = 0; k < 3; k++) x[k] = p.vertex[f->v[k]].w;
  triangle(x, w);
  plConvexGap gap = {-f->distance, f->normal, {0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < 3; k++)
    gap.a = v3_madd(gap.a, w[k], p.vertex[f->v[k]].a), gap.b = v3_madd(gap.b, w[k], p.vertex[f->v[k]].b);
  return gap;
}

// Distance of the cores along n; negative: depth.
static double separation(const plConvex* A, const plConvex* B, plVec3 n) {
  return -v3_dot(support(A, B, n).w, n);
}

// Sizes. Cores closer than this overlap.
static const double TOUCHES = 1e-12;

// One descent from the direction d. *size: m, the largest distance of a vertex of A - B from the origin.
static plConvexGap descend(const plConvex* A, const plConvex* B, plVec3 d, double* size) {
  plVec3 a, b;
  Simplex s = {.n = 1, .vertex = {support(A, B, d)}, .weight = {1}};
  plVec3 w = closest(&s, &a, &b);
  bool inside = false;
  *size = v3_norm(w);
  for (int i = 0; i < 200; i++) {
    double distance = v3_norm(w);
    if (!(distance > TOUCHES * *size)) {
      inside = true;
      break;
    }
    Vertex v = support(A, B, v3_neg(w));
    *size = fmax(*size, v3_norm(v.w));
    // No vertex lies much farther towards the origin.
    if (distance * distance - v3_dot(w, v.w) <= distance * (1e-13 * distance + 1e-15 * *size)) break;
    Simplex before = s;
    assert(s.n < 4);
    s.vertex[s.n++] = v;
    if (reduce(&s)) {
      inside = true;
      break;
    }
    plVec3 next = closest(&s, &a, &b);
    if (!(v3_norm(next) < distance)) {
      s = before, w = closest(&s, &a, &b);
      break;
    }
    w = next;
  }
  double distance = v3_norm(w);
  plConvexGap gap = {distance, distance > 0 ? v3_scale(-1 / distance, w) : v3(0, 0, 1), a, b};
  if (inside) {
    // Flat simplices can give wrong results. Of the two results, the one whose normal gives the larger
    // distance (or smaller depth) is right.
    plConvexGap deep = overlap(A, B, &s);
    if (!(distance > TOUCHES * *size) || separation(A, B, deep.normal) >= separation(A, B, gap.normal))
      gap = deep;
  }
  return gap;
}

// Rounding may end a descent too early. This is detected: the supports along the normal are then not as far
// apart as the points. In that case the descent is repeated from another start, and the best result is taken.
plConvexGap pl_convex_gap(const plConvex* A, const plConvex* B) {
  static const plVec3 start[7] = {{0, 0, 0},       {1, 0.3, 0.1},  {-0.2, 1, 0.3}, {0.1, -0.3, 1},
                                  {-1, 0.2, -0.3}, {0.3, -1, 0.2}, {-0.3, 0.1, -1}};
  plConvexGap best = {0};
  double error = INFINITY;
  for (int i = 0; i < 7; i++) {
    plVec3 d = i ? start[i] : v3_sub(B->pose.p, A->pose.p);
    if (!(v3_norm2(d) > 0)) d = v3(1, 0, 0);
    double size;
    plConvexGap gap = descend(A, B, d, &size);
    double miss = fabs(separation(A, B, gap.normal) - gap.gap);
    if (miss < error) error = miss, best = gap;
    // Polytopes around round shapes converge earlier.
    double enough = best.gap > 0 ? 1e-11 * size + 1e-9 * best.gap : 1e-9 * size - 1e-7 * best.gap;
    if (error <= enough) break;
  }
  // From the cores to the surfaces.
  best.a = v3_madd(best.a, margin(A), best.normal), best.b = v3_madd(best.b, -margin(B), best.normal);
  best.gap -= margin(A) + margin(B);
  return best;
}

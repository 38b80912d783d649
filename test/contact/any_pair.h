// any_pair.h: two random bodies of any shape and size: concave ones, lenses with nearly coplanar facets,
// splinters, plates of no thickness, tetrahedra, of 1 mm to 10 m, near each other in any way.
//
// random_pair.h has convex bodies of one size, placed along a common normal. Here the exact distance is the
// smallest of all pairs of facets (geom/closest.h), and bodies that cut each other are not taken.
#ifndef PL_TEST_ANY_PAIR_H
#define PL_TEST_ANY_PAIR_H

#include "geom/closest.h"
#include "random_pair.h"

typedef enum AnyKind { STAR, NOTCHED, LENS, SPLINTER, FLAT, TETRAHEDRON, FEW_CORNERS, ANY_KINDS } AnyKind;

static const char* const any_name[ANY_KINDS] = {"star", "notched",     "lens",       "splinter",
                                                "flat", "tetrahedron", "few corners"};

enum { MOST_CORNERS = 40, MOST_FACETS = 2 * MOST_CORNERS };

typedef struct AnyBody {
  AnyKind kind;
  Carrier carrier;  // ON_SOFT, ON_MESH or ON_HULL
  double size;      // m
  int nvert, ntri;
  plVec3 x[MOST_CORNERS], centre;
  int tri[3 * MOST_FACETS];
} AnyBody;

static inline bool take_hull(AnyBody* b, const double* x, int n) {
  plHull* hull;
  plError error;
  if (pl_hull_create(x, n, &hull, &error)) return false;
  b->nvert = hull->nvert, b->ntri = hull->ntri, b->centre = hull->centre;
  for (int i = 0; i < hull->nvert; i++) b->x[i] = v3_load(hull->vert + 3 * i);
  for (int i = 0; i < 3 * hull->ntri; i++) b->tri[i] = hull->tri[i];
  pl_hull_destroy(hull);
  return true;
}

static inline void corners_of(const AnyBody* b, int t, plVec3 x[3]) {
  for (int k = 0; k < 3; k++) x[k] = b->x[b->tri[3 * t + k]];
}

static inline plVec3 normal_of(const plVec3 x[3]) {
  return v3_unit(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
}

// Directions with a random length: facets and edges bend in and out.
static inline bool make_star(plRandom* r, AnyBody* b) {
  double x[3 * MOST_CORNERS], low = pl_random(r, 0.1, 0.9);
  int n = 6 + pl_random_int(r, 26);
  for (int i = 0; i < n; i++) {
    plVec3 u = random_unit(r);
    v3_store(x + 3 * i, u);
  }
  if (!take_hull(b, x, n)) return false;
  b->centre = v3(0, 0, 0);
  for (int t = 0; t < b->ntri; t++) {
    plVec3 corner[3];
    corners_of(b, t, corner);
    if (v3_dot(corner[0], normal_of(corner)) < 0.2) return false;
  }
  for (int v = 0; v < b->nvert; v++) b->x[v] = v3_scale(pl_random(r, low, 1), b->x[v]);
  return true;
}

// A prism over a star.
static inline bool make_notched(plRandom* r, AnyBody* b) {
  int m = 3 + pl_random_int(r, 5), n = 2 * m, t = 0;
  double in = pl_random(r, 0.2, 0.8), high = pow(10, pl_random(r, -1.5, 0.3));
  b->nvert = 2 * n + 2, b->ntri = 4 * n, b->centre = v3(0, 0, 0);
  for (int side = 0; side < 2; side++) {
    double z = (side - 0.5) * high;
    for (int i = 0; i < n; i++) {
      double f = i % 2 ? in : 1;
      b->x[side * (n + 1) + i] = v3(f * cos(M_PI * i / m), f * sin(M_PI * i / m), z);
    }
    b->x[side * (n + 1) + n] = v3(0, 0, z);
  }
  for (int i = 0; i < n; i++) {
    int j = (i + 1) % n, up = n + 1;
    int tri[12] = {n, j, i, up + n, up + i, up + j, i, j, up + j, i, up + j, up + i};
    for (int k = 0; k < 12; k++) b->tri[t++] = tri[k];
  }
  return true;
}

static inline bool make_convex(plRandom* r, AnyBody* b) {
  double x[3 * MOST_CORNERS], thin = pow(10, pl_random(r, -5, -1)), bow = pow(10, pl_random(r, -6, -1)),
                              wide = pl_random(r, 0.2, 1);
  int n = b->kind == TETRAHEDRON ? 4
          : b->kind == FLAT      ? 8
          : b->kind == LENS      ? 8 + pl_random_int(r, 24)
                                 : 5 + pl_random_int(r, 6);
  for (int i = 0; i < n; i++) {
    plVec3 u = random_unit(r), at = v3_scale(pl_random(r, 0.05, 1), u);
    if (b->kind == FLAT) at = v3(i & 1 ? 1 : -1, i & 2 ? wide : -wide, i & 4 ? thin : -thin);
    if (b->kind == LENS) at.z = (i % 2 ? 1 : -1) * (thin + bow * (1 - at.x * at.x - at.y * at.y));
    if (b->kind == SPLINTER) at.y *= 50 * thin, at.z *= 50 * thin;
    v3_store(x + 3 * i, at);
  }
  return take_hull(b, x, n);
}

static inline void turn_body(AnyBody* b, plQuat q, double scale) {
  for (int v = 0; v < b->nvert; v++) b->x[v] = v3_scale(scale, quat_rotate(q, b->x[v]));
  b->centre = v3_scale(scale, quat_rotate(q, b->centre));
}

static inline void move_body(AnyBody* b, plVec3 d) {
  for (int v = 0; v < b->nvert; v++) b->x[v] = v3_add(b->x[v], d);
  b->centre = v3_add(b->centre, d);
}

static inline AnyBody any_body(plRandom* r, double size) {
  AnyBody b = {.kind = (AnyKind)pl_random_int(r, ANY_KINDS), .size = size};
  b.carrier = (Carrier)pl_random_int(r, b.kind <= NOTCHED ? 2 : 3);
  while (!(b.kind == STAR ? make_star(r, &b) : b.kind == NOTCHED ? make_notched(r, &b) : make_convex(r, &b)))
    ;
  plVec3 axis = random_unit(r);
  turn_body(&b, quat_exp(v3_scale(pl_random(r, 0, M_PI), axis)), size);
  return b;
}

static inline bool is_within(const AnyBody* b, plVec3 p) {
  double sum = 0;
  for (int t = 0; t < b->ntri; t++) {
    plVec3 x[3];
    corners_of(b, t, x);
    plVec3 a = v3_sub(x[0], p), c = v3_sub(x[1], p), d = v3_sub(x[2], p);
    double la = v3_norm(a), lc = v3_norm(c), ld = v3_norm(d);
    sum += atan2(v3_dot(a, v3_cross(c, d)),
                 la * lc * ld + v3_dot(a, c) * ld + v3_dot(c, d) * la + v3_dot(d, a) * lc);
  }
  return sum > M_PI;
}

// Whether the segment from p to q passes through a facet.
static inline bool passes(plVec3 p, plVec3 q, const plVec3 x[3]) {
  plVec3 n = v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
  double a = v3_dot(v3_sub(p, x[0]), n), b = v3_dot(v3_sub(q, x[0]), n);
  if ((a > 0) == (b > 0)) return false;
  plVec3 y = v3_madd(p, a / (a - b), v3_sub(q, p));
  for (int k = 0; k < 3; k++)
    if (v3_dot(v3_cross(v3_sub(x[(k + 1) % 3], x[k]), v3_sub(y, x[k])), n) < 0) return false;
  return true;
}

// From a to b; -1: they cut each other.
static inline plConvexGap gap_of_any(const AnyBody* a, const AnyBody* b) {
  plConvexGap g = {.gap = INFINITY};
  for (int i = 0; i < a->ntri; i++)
    for (int j = 0; j < b->ntri; j++) {
      plVec3 x[3], y[3];
      corners_of(a, i, x), corners_of(b, j, y);
      plFacetGap f = pl_facet_gap(x, y, g.gap);
      if (f.gap < g.gap) g.gap = f.gap, g.a = f.a, g.b = f.b;
      for (int k = 0; k < 3; k++)
        if (passes(x[k], x[(k + 1) % 3], y) || passes(y[k], y[(k + 1) % 3], x))
          return (plConvexGap){.gap = -1};
    }
  if (is_within(a, b->x[0]) || is_within(b, a->x[0])) return (plConvexGap){.gap = -1};
  g.normal = v3_unit(v3_sub(g.b, g.a));
  return g;
}

static inline plVec3 random_on_facet(plRandom* r, const plVec3 x[3]) {
  double w[3], sum = 0;
  for (int k = 0; k < 3; k++) w[k] = pl_random(r, 0, 1), sum += w[k];
  plVec3 p = {0, 0, 0};
  for (int k = 0; k < 3; k++) p = v3_madd(p, w[k] / sum, x[k]);
  return p;
}

// Puts b near a: corner at corner, facet opposite facet with a tilt of 1e-6 to 1, or from far away; then
// moves it along their closest points until they are gap apart.
static inline plConvexGap put_near(plRandom* r, const AnyBody* a, AnyBody* b, double gap) {
  int way = pl_random_int(r, 3), va = pl_random_int(r, a->nvert), vb = pl_random_int(r, b->nvert);
  int fa = pl_random_int(r, a->ntri), fb = pl_random_int(r, b->ntri);
  double tilt = pow(10, pl_random(r, -6, 0));
  plVec3 u = random_unit(r), x[3], y[3];
  if (way == 0) move_body(b, v3_madd(v3_sub(a->x[va], b->x[vb]), gap, u));
  if (way == 1) move_body(b, v3_scale(4 * (a->size + b->size), u));
  if (way == 2) {
    corners_of(a, fa, x), corners_of(b, fb, y);
    plVec3 n = normal_of(x), to = v3_unit(v3_madd(v3_neg(n), tilt, u));
    turn_body(b, turn_to(normal_of(y), to), 1);
    corners_of(b, fb, y);
    plVec3 on_a = random_on_facet(r, x), on_b = random_on_facet(r, y);
    move_body(b, v3_madd(v3_sub(on_a, on_b), gap, n));
  }
  plConvexGap g = gap_of_any(a, b);
  for (int i = 0; i < 8 && g.gap > 0 && fabs(g.gap - gap) > 1e-3 * gap; i++)
    move_body(b, v3_scale(gap - g.gap, g.normal)), g = gap_of_any(a, b);
  return g;
}

static inline plMesh* mesh_of_any(const AnyBody* b) {
  bool tets = b->carrier == ON_SOFT;
  plMesh* mesh = pl_mesh_create(b->nvert + tets, tets ? b->ntri : 0, b->ntri, NULL);
  for (int v = 0; v < b->nvert; v++) v3_store(mesh->vert + 3 * v, b->x[v]);
  for (int i = 0; i < 3 * b->ntri; i++) mesh->tri[i] = b->tri[i];
  if (!tets) return mesh;
  v3_store(mesh->vert + 3 * b->nvert, b->centre);
  for (int t = 0; t < b->ntri; t++) {
    mesh->tet[4 * t] = b->nvert;
    for (int k = 0; k < 3; k++) mesh->tet[4 * t + k + 1] = b->tri[3 * t + k];
  }
  return mesh;
}

static inline bool add_any(plSpec* spec, const char* name, const AnyBody* b) {
  plMesh* mesh = mesh_of_any(b);
  plError error;
  bool ok;
  if (b->carrier == ON_SOFT) {
    plDeformableDef def = pl_default_deformable_def();
    def.name = name, def.mesh = mesh, def.material.young = 1e3, def.self_contact = false;
    ok = !pl_spec_add_deformable(spec, &def, NULL, &error);
  } else {
    plShapeDef g = pl_default_shape_def();
    plBodyDef body = pl_default_body_def();
    g.name = name, g.kind = PL_SHAPE_MESH, g.mesh = mesh, g.convex = b->carrier == ON_HULL;
    body.name = name, body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = b->size * b->size;
    ok = !pl_spec_add_body(spec, &body, &g.body, &error) && !pl_spec_add_shape(spec, &g, NULL, &error);
  }
  if (!ok) printf("%s\n", error.message);
  pl_mesh_destroy(mesh);
  return ok;
}

// One step of two bodies that are g apart.
static inline PairVerdict judge_any(const AnyBody* a, const AnyBody* b, plConvexGap g, double dt) {
  plSpec* spec = pl_spec_create();
  pl_spec_options(spec)->dt = dt;
  bool added = add_any(spec, "a", a) && add_any(spec, "b", b);
  return judge_spec(spec, added, g, dt, a->carrier == ON_SOFT && b->carrier == ON_SOFT);
}

#endif

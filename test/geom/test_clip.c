// The common part of two facets: areas, mortar integrals and gaps against sums over a fine raster, on random
// and degenerate pairs.
#include "check.h"

#include "base/random.h"
#include "geom/clip.h"

// Two skins of one facet each, opposing each other.
typedef struct Pair {
  plSkin *A, *B;
} Pair;

static plSkin* one_facet(void) {
  static const int tri[3] = {0, 1, 2};
  plSkin* s = NULL;
  CHECK_INT(pl_skin_create(3, tri, 1, &s, NULL), PL_OK);
  return s;
}

static void place(plSkin* s, plVec3 a, plVec3 b, plVec3 c) {
  v3_store(s->x, a), v3_store(s->x + 3, b), v3_store(s->x + 6, c);
  pl_skin_update(s);
}

static plVec3 random_point(plRandom* r, double height) {
  double z = height + pl_random(r, -0.2, 0.2), y = pl_random(r, -1, 1), x = pl_random(r, -1, 1);
  return v3(x, y, z);
}

// A looks up (about z = 0), B looks down (about z = gap).
static bool random_pair(plRandom* r, Pair* p, double gap) {
  plVec3 a[3], b[3];
  for (int i = 2; i >= 0; i--) a[i] = random_point(r, 0);
  for (int i = 2; i >= 0; i--) b[i] = random_point(r, gap);
  place(p->A, a[0], a[1], a[2]);
  place(p->B, b[0], b[1], b[2]);
  if (skin_normal(p->A, 0).z < 0) place(p->A, skin_x(p->A, 0), skin_x(p->A, 2), skin_x(p->A, 1));
  if (skin_normal(p->B, 0).z > 0) place(p->B, skin_x(p->B, 0), skin_x(p->B, 2), skin_x(p->B, 1));
  return v3_dot(skin_normal(p->A, 0), skin_normal(p->B, 0)) < -0.25;
}

// Signed twice the area of (a, b, p) in the plane of the clip.
static double side(const plClip* c, plVec3 a, plVec3 b, double u, double v) {
  plVec3 da = v3_sub(a, c->origin), db = v3_sub(b, c->origin);
  double au = v3_dot(da, c->t1), av = v3_dot(da, c->t2), bu = v3_dot(db, c->t1), bv = v3_dot(db, c->t2);
  return (bu - au) * (v - av) - (bv - av) * (u - au);
}

static bool inside(const plClip* c, const plSkin* s, double u, double v) {
  double d0 = side(c, skin_x(s, 0), skin_x(s, 1), u, v), d1 = side(c, skin_x(s, 1), skin_x(s, 2), u, v),
         d2 = side(c, skin_x(s, 2), skin_x(s, 0), u, v);
  return (d0 >= 0 && d1 >= 0 && d2 >= 0) || (d0 <= 0 && d1 <= 0 && d2 <= 0);
}

// The foot (u, v), lifted along m on the facet's plane: shape functions there.
static double lift(const plClip* c, const plSkin* s, double u, double v, double w[3]) {
  plVec3 foot = v3_madd(v3_madd(c->origin, u, c->t1), v, c->t2), n = skin_normal(s, 0);
  double h = v3_dot(v3_sub(skin_x(s, 0), foot), n) / v3_dot(c->m, n);
  pl_skin_barycentric(s, 0, v3_madd(foot, h, c->m), w);
  return h;
}

static void areas_and_mortar_integrals_equal_sums_over_a_raster(void) {
  plRandom r = {11};
  Pair p = {one_facet(), one_facet()};
  int met = 0;
  enum { N = 160 };
  for (int i = 0; i < 300; i++) {
    if (!random_pair(&r, &p, 0.1)) continue;
    plClip c;
    if (!pl_clip_facets(p.A, 0, p.B, 0, -INFINITY, INFINITY, &c)) continue;
    met++;
    double area = 0, a[3] = {0}, b[3] = {0}, lowest = INFINITY, highest = -INFINITY, cell = 16.0 / N / N;
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++) {
        double u = -2 + 4 * (x + 0.5) / N, v = -2 + 4 * (y + 0.5) / N, wa[3], wb[3];
        // The raster is centred on A's first corner, which is the origin of the plane; facets are at most 2.9
        // wide.
        u *= 1.5, v *= 1.5;
        if (!inside(&c, p.A, u, v) || !inside(&c, p.B, u, v)) continue;
        double gap = -lift(&c, p.A, u, v, wa) + lift(&c, p.B, u, v, wb);
        area += 2.25 * cell;
        for (int k = 0; k < 3; k++) a[k] += 0.5 * 2.25 * cell * wa[k], b[k] += 0.5 * 2.25 * cell * wb[k];
        lowest = fmin(lowest, gap), highest = fmax(highest, gap);
      }
    CHECK_NEAR(c.area, area, 0.02);
    for (int k = 0; k < 3; k++) {
      CHECK_NEAR(c.mortar_a[k], a[k], 9.4e-3);
      CHECK_NEAR(c.mortar_b[k], b[k], 8.5e-3);
    }
    if (isfinite(lowest)) {
      CHECK_BELOW(c.gap_min - lowest, 1.5e-14, 1);
      CHECK_BELOW(highest - c.gap_max, 1.5e-14, 1);
    }
    if (check_errors > 5) break;
  }
  CHECK(met > 100);
  pl_skin_destroy(p.A), pl_skin_destroy(p.B);
}

// ---- brute force: the corners of the common part are the vertices inside the other facet and the crossings
// of all sides, in order of angle

typedef struct Brute {
  int n;
  double u[15], v[15], area, a[3], b[3], low, high;
} Brute;

static void add_corner(Brute* f, double u, double v) { f->u[f->n] = u, f->v[f->n++] = v; }

static int by_angle(const void* pa, const void* pb) {
  const double *a = pa, *b = pb;
  return a[0] < b[0] ? -1 : a[0] > b[0];
}

static Brute brute_force(const plClip* c, const plSkin* A, const plSkin* B) {
  Brute f = {.low = INFINITY, .high = -INFINITY};
  double x[2][3][2];
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 3; k++) {
      plVec3 d = v3_sub(skin_x(s ? B : A, k), c->origin);
      x[s][k][0] = v3_dot(d, c->t1), x[s][k][1] = v3_dot(d, c->t2);
    }
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 3; k++)
      if (inside(c, s ? A : B, x[s][k][0], x[s][k][1])) add_corner(&f, x[s][k][0], x[s][k][1]);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      const double *p = x[0][i], *q = x[0][(i + 1) % 3], *r = x[1][k], *t = x[1][(k + 1) % 3];
      double eu = q[0] - p[0], ev = q[1] - p[1], hu = t[0] - r[0], hv = t[1] - r[1], det = eu * hv - ev * hu;
      if (fabs(det) < 1e-14) continue;
      double a = ((r[0] - p[0]) * hv - (r[1] - p[1]) * hu) / det,
             b = ((r[0] - p[0]) * ev - (r[1] - p[1]) * eu) / det;
      if (a >= 0 && a <= 1 && b >= 0 && b <= 1) add_corner(&f, p[0] + a * eu, p[1] + a * ev);
    }
  if (f.n < 3) return f;
  // Sorted around their mean; then triangles from the mean, each with the mean of its corners' values.
  double mu = 0, mv = 0, order[15][3];
  for (int i = 0; i < f.n; i++) mu += f.u[i] / f.n, mv += f.v[i] / f.n;
  for (int i = 0; i < f.n; i++)
    order[i][0] = atan2(f.v[i] - mv, f.u[i] - mu), order[i][1] = f.u[i], order[i][2] = f.v[i];
  qsort(order, (size_t)f.n, sizeof *order, by_angle);
  for (int i = 0; i < f.n; i++) {
    const double *p = order[i], *q = order[(i + 1) % f.n];
    double area = 0.5 * ((p[1] - mu) * (q[2] - mv) - (p[2] - mv) * (q[1] - mu)), wa[3], wb[3];
    f.area += area;
    double corner[3][2] = {{mu, mv}, {p[1], p[2]}, {q[1], q[2]}};
    for (int m = 0; m < 3; m++) {
      double gap = -lift(c, A, corner[m][0], corner[m][1], wa) + lift(c, B, corner[m][0], corner[m][1], wb);
      f.low = fmin(f.low, gap), f.high = fmax(f.high, gap);
      for (int k = 0; k < 3; k++) f.a[k] += area * wa[k] / 6, f.b[k] += area * wb[k] / 6;
    }
  }
  return f;
}

// A plane to look at pairs in that have no common part; its origin is A's first corner.
static plClip plane_of(const plSkin* A, const plSkin* B) {
  plVec3 m = v3_unit(v3_sub(skin_normal(A, 0), skin_normal(B, 0))),
         axis = fabs(m.x) < 0.7 ? v3(1, 0, 0) : v3(0, 1, 0);
  plVec3 t1 = v3_unit(v3_cross(axis, m));
  return (plClip){.m = m, .origin = skin_x(A, 0), .t1 = t1, .t2 = v3_cross(m, t1)};
}

// 100,000 pairs that face each other: random ones, facets that share vertices and sides, needles, corners on
// a lattice.
static void areas_integrals_and_gaps_equal_brute_force_on_many_pairs(void) {
  plRandom r = {14};
  Pair p = {one_facet(), one_facet()};
  int met = 0, empty = 0;
  for (int i = 0; met + empty < 100000; i++) {
    double gap = pl_random(&r, -0.3, 0.3);
    bool good = random_pair(&r, &p, gap);
    if (i % 4 == 1) {  // the other side of the same facet, moved a little or not at all
      double dy = pl_random_int(&r, 2) * 1e-7, dx = pl_random_int(&r, 3) * 1e-3;
      plVec3 d = v3(dx, dy, gap);
      place(p.B, v3_add(skin_x(p.A, 0), d), v3_add(skin_x(p.A, 2), d), v3_add(skin_x(p.A, 1), d));
      good = p.A->tri_area[0] > 0;
    }
    if (i % 4 == 2) {  // a lattice: coincident corners, sides on sides
      plVec3 x[6];
      for (int k = 0; k < 6; k++)
        x[k].z = k < 3 ? 0 : 0.1, x[k].y = pl_random_int(&r, 4), x[k].x = pl_random_int(&r, 4);
      place(p.A, x[0], x[1], x[2]), place(p.B, x[3], x[4], x[5]);
      good = v3_dot(skin_normal(p.A, 0), skin_normal(p.B, 0)) < -0.25;
    }
    if (i % 4 == 3) {  // a needle
      plVec3 a = skin_x(p.A, 0), b = skin_x(p.A, 1),
             c = v3_madd(v3_scale(0.5, v3_add(a, b)), 1e-5, v3_sub(skin_x(p.A, 2), a));
      place(p.A, a, b, c);
      good = v3_dot(skin_normal(p.A, 0), skin_normal(p.B, 0)) < -0.25;
    }
    if (!good) continue;
    plClip c;
    bool found = pl_clip_facets(p.A, 0, p.B, 0, -INFINITY, INFINITY, &c);
    if (!found) c = plane_of(p.A, p.B);
    Brute f = brute_force(&c, p.A, p.B);
    if (!found) {
      CHECK_BELOW(f.area, 1.5e-14, 1);
      empty++;
      continue;
    }
    met++;
    CHECK_NEAR(c.area, f.area, 6.3e-14);
    for (int k = 0; k < 3; k++) {
      CHECK_NEAR(c.mortar_a[k], f.a[k], 6.4e-10);
      CHECK_ROUND(c.mortar_b[k], f.b[k], 1);
    }
    if (f.area > 1e-12) {
      CHECK_NEAR(c.gap_min, f.low, 2.5e-14);
      CHECK_NEAR(c.gap_max, f.high, 2.7e-14);
    }
    if (check_errors > 5) break;
  }
  printf("%d common parts, %d pairs without one\n", met, empty);
  CHECK(met > 30000 && empty > 5000);
  pl_skin_destroy(p.A), pl_skin_destroy(p.B);
}

// On 100,000 random pairs: mortar integrals sum to half the area each, thirds to the area, corners lie on
// both facets, the polygon is convex, and exchanging the sides changes nothing but the names.
static void sums_and_symmetry_on_many_pairs(void) {
  plRandom r = {12};
  Pair p = {one_facet(), one_facet()};
  int met = 0;
  for (int i = 0; i < 100000; i++) {
    if (!random_pair(&r, &p, pl_random(&r, -0.3, 0.3))) continue;
    plClip c, d;
    bool ab = pl_clip_facets(p.A, 0, p.B, 0, -INFINITY, INFINITY, &c),
         ba = pl_clip_facets(p.B, 0, p.A, 0, -INFINITY, INFINITY, &d);
    if (ab != ba) CHECK_BELOW(ab ? c.area : d.area, 1e-9, 1);
    if (!ab || !ba) continue;
    met++;
    double sa = 0, sb = 0, thirds = 0;
    for (int k = 0; k < 3; k++) sa += c.mortar_a[k], sb += c.mortar_b[k];
    for (int k = 0; k < c.n; k++) {
      const plCorner* q = &c.corner[k];
      thirds += q->third;
      for (int v = 0; v < 3; v++) {
        CHECK_BELOW(-q->wa[v], 3.1e-10, 1);
        CHECK_BELOW(-q->wb[v], 3.1e-10, 1);  // wide: as those of A, edges may be nearly parallel
      }
      if (q->kind == PL_CORNER_A) CHECK_NEAR(q->wa[q->ia], 1, 1.2e-11);
      if (q->kind == PL_CORNER_B) CHECK_NEAR(q->wb[q->ib], 1, 2.3e-11);
      // On the crossing of edge ia of A and edge ib of B the weights opposite to them vanish.
      if (q->kind == PL_CORNER_CROSSING) {
        CHECK_BELOW(fabs(q->wa[(q->ia + 2) % 3]), 3.2e-10, 1);
        CHECK_BELOW(fabs(q->wb[(q->ib + 2) % 3]), 5.5e-11, 1);
      }
    }
    CHECK_ROUND(sa, c.area / 2, 0.6);
    CHECK_ROUND(sb, c.area / 2, 0.6);
    CHECK_NEAR(thirds, c.area, 1.4e-14);
    CHECK_NEAR(c.area, d.area, 1.4e-14);
    CHECK_NEAR(c.gap_min, d.gap_min, 2.6e-14);
    for (int k = 0; k < 3; k++) CHECK_NEAR(c.mortar_a[k], d.mortar_b[k], 1.5e-14);
    if (check_errors > 5) break;
  }
  CHECK(met > 20000);
  printf("%d pairs\n", met);
  pl_skin_destroy(p.A), pl_skin_destroy(p.B);
}

// Closed form: unit right triangles shifted over each other share a right triangle of side 1 - s.
static void shifted_triangles_have_the_area_of_the_book(void) {
  Pair p = {one_facet(), one_facet()};
  for (int i = 0; i <= 10; i++) {
    double s = i / 10.0;
    place(p.A, v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0));
    place(p.B, v3(s, 0, 0.5), v3(s, 1, 0.5), v3(1 + s, 0, 0.5));
    plClip c;
    bool met = pl_clip_facets(p.A, 0, p.B, 0, -INFINITY, INFINITY, &c);
    double area = met ? c.area : 0;
    CHECK_ROUND(area, 0.5 * (1 - s) * (1 - s), 0.5);
    if (met) CHECK_ROUND(c.gap_min, 0.5, 0.5);
    // Equal facets: every corner is a vertex of one of them, and the mortar integral of each is a sixth of
    // the area.
    if (i == 0)
      for (int k = 0; k < 3; k++) CHECK_ROUND(c.mortar_a[k], 0.5 / 6, 0.09);
  }
  pl_skin_destroy(p.A), pl_skin_destroy(p.B);
}

// Needles, points, equal corners, touching along an edge: no area, no crash, nothing that is not finite.
static void degenerate_facets_share_nothing(void) {
  Pair p = {one_facet(), one_facet()};
  plClip c;
  place(p.A, v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0));
  place(p.B, v3(0, 0, 0.1), v3(0, 0, 0.1), v3(1, 0, 0.1));
  CHECK_NEAR(p.B->tri_area[0], 0, 0);
  CHECK(!pl_clip_facets(p.A, 0, p.B, 0, -INFINITY, INFINITY, &c));
  place(p.B, v3(0, 0, 0.1), v3(0, -1, 0.1), v3(1, 0, 0.1));  // shares only the edge y = 0
  if (pl_clip_facets(p.A, 0, p.B, 0, -INFINITY, INFINITY, &c)) CHECK_BELOW(c.area, 1e-12, 1);
  place(p.B, v3(5, 5, 0.1), v3(5, 6, 0.1), v3(6, 5, 0.1));
  CHECK(!pl_clip_facets(p.A, 0, p.B, 0, -INFINITY, INFINITY, &c));
  plRandom r = {13};
  for (int i = 0; i < 20000; i++) {
    // Corners on a coarse lattice: many coincident, collinear and touching cases.
    plVec3 x[6];
    for (int k = 0; k < 6; k++)
      x[k].z = k < 3 ? 0 : 0.1, x[k].y = pl_random_int(&r, 3), x[k].x = pl_random_int(&r, 3);
    place(p.A, x[0], x[1], x[2]), place(p.B, x[3], x[4], x[5]);
    if (!(v3_dot(skin_normal(p.A, 0), skin_normal(p.B, 0)) < -0.25)) continue;
    if (!pl_clip_facets(p.A, 0, p.B, 0, -INFINITY, INFINITY, &c)) continue;
    CHECK(isfinite(c.area) && c.area > 0 && c.n <= PL_CLIP_MAX);
    CHECK_BELOW(c.area - fmin(p.A->tri_area[0], p.B->tri_area[0]), 1.5e-14, 1);
    CHECK_ROUND(fabs(c.gap_min), 0.1, 0.1);
  }
  pl_skin_destroy(p.A), pl_skin_destroy(p.B);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(areas_and_mortar_integrals_equal_sums_over_a_raster);
  RUN(areas_integrals_and_gaps_equal_brute_force_on_many_pairs);
  RUN(sums_and_symmetry_on_many_pairs);
  RUN(shifted_triangles_have_the_area_of_the_book);
  RUN(degenerate_facets_share_nothing);
  return CHECK_END;
}

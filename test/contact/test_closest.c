// Two surfaces whose distance is below the margin always have a point at the closest position: thousands of
// random pairs against exact distances (build/bench/closest tries 100,000), and the kernels below.
#include "check.h"
#include "contact/thresholds.h"
#include "geom/closest.h"
#include "random_pair.h"

static void nothing_near_is_missed(void) {
  plRandom r = {7};
  static const double dt[3] = {0.01, 0.03, 0.08};  // margins of 1 to 63 mm
  for (int i = 0; i < 6000; i++) {
    Carrier ca = (Carrier)pl_random_int(&r, CARRIERS - 1), cb = (Carrier)pl_random_int(&r, CARRIERS);
    RandomBody a, b;
    int step = pl_random_int(&r, 3);
    double part = pl_random(&r, 0.01, 0.99);
    PairVerdict v = try_pair_at(&r, ca, cb, part, dt[step], &a, &b);
    const char* wrong = judge_pair(&v, ca, cb);
    if (wrong)
      printf("%d: %s and %s: %s: %d points, %g m instead of %g\n", i, carrier_name[ca], carrier_name[cb],
             wrong, v.points, v.least, v.exact);
    CHECK(!wrong);
    free_body(&a), free_body(&b);
    if (check_errors > 5) return;
  }
}

// Two triangles against GJK.
static void facets_are_as_far_as_gjk_says(void) {
  plRandom r = {9};
  for (int i = 0; i < 20000; i++) {
    plVec3 x[2][3];
    for (int k = 0; k < 6; k++) {
      plVec3 direction = random_unit(&r);
      x[k / 3][k % 3] = v3_scale(pl_random(&r, 0, 1), direction);
    }
    x[1][0].z += 1.5, x[1][1].z += 1.5, x[1][2].z += 1.5;
    plConvex a = {.kind = PL_SHAPE_MESH, .point = x[0], .pose = {.q = {1, 0, 0, 0}}},
             b = {.kind = PL_SHAPE_MESH, .point = x[1], .pose = {.p = x[1][0], .q = {1, 0, 0, 0}}};
    a.pose.p = x[0][0];
    plConvexGap exact = pl_convex_gap(&a, &b);
    if (!(exact.gap > 1e-3)) continue;
    plFacetGap g = pl_facet_gap(x[0], x[1], INFINITY);
    CHECK_ROUND(g.gap, exact.gap, 3);
    plVec3 on_a = {0, 0, 0}, on_b = {0, 0, 0};
    for (int k = 0; k < 3; k++)
      on_a = v3_madd(on_a, g.wa[k], x[0][k]), on_b = v3_madd(on_b, g.wb[k], x[1][k]);
    CHECK_BELOW(v3_norm(v3_sub(on_a, g.a)), 1.5e-14, 1);
    CHECK_BELOW(v3_norm(v3_sub(on_b, g.b)), 1.5e-14, 1);
    // nothing is nearer than that
    CHECK(isinf(pl_facet_gap(x[0], x[1], 0.999 * exact.gap).gap));
    if (check_errors > 5) return;
  }
}

// Pairs that once had a point nearer or farther than the two are, by the seed of bench/closest.
static void found_before(void) {
  static const double dt[3] = {0.01, 0.03, 0.08};
  static const uint64_t seed[] = {
      856074250831959281ULL,    // knives that pass each other, each edge behind one facet of the other's
      2174814907796658169ULL,   // needle tip beside needle tip: edges that cross a little beyond their ends
      6916996517349970795ULL,   // a cylinder's rim, where a descent ended early
      16208763214269617075ULL,  // a vertex below the plane of a facet and a little beyond its edge
      2130762453806949132ULL,   // out of the body again through a facet along the way
      5988006777068917106ULL,   // the same beside a needle
      11820932361044761396ULL,  // and again
      11537614097929946188ULL,  // sharp edges that cross beyond their ends, not deep
      15629958063740027380ULL,  // beyond an edge, 2 um below the plane
      8396675911540538078ULL,   // a facet behind the other body's back said that they overlap
  };
  for (size_t i = 0; i < sizeof seed / sizeof *seed; i++) {
    plRandom r = {seed[i]};
    Carrier ca = (Carrier)pl_random_int(&r, CARRIERS - 1), cb = (Carrier)pl_random_int(&r, CARRIERS);
    RandomBody a, b;
    int step = pl_random_int(&r, 3);
    double part = pl_random(&r, 0.01, 0.99);
    PairVerdict v = try_pair_at(&r, ca, cb, part, dt[step], &a, &b);
    CHECK(v.exact > 0);
    CHECK_NEAR(v.least, v.exact, 8.4e-13);
    free_body(&a), free_body(&b);
  }
}

// A rigid mesh and a smooth shape that overlap a little: no point is deeper than the two are, whichever
// facets the shape lies on.
static void no_deeper_than_the_overlap(void) {
  plRandom r = {5};
  int points = 0;
  for (int i = 0; i < 800; i++) {
    Carrier smooth = (Carrier)(ON_SPHERE + pl_random_int(&r, ON_HALF_SPACE - ON_SPHERE));
    bool mesh_first = pl_random_int(&r, 2);
    double part = pl_random(&r, -0.3, -0.001);
    RandomBody a, b;
    PairVerdict v =
        try_pair_at(&r, mesh_first ? ON_MESH : smooth, mesh_first ? smooth : ON_MESH, part, 0.01, &a, &b);
    // The depth of the whole shapes is not known as well as a distance: where placing them did not end.
    if (v.parts == 1 && v.points && fabs(v.exact - part * v.margin) < 1e-9) {
      // The shape may be tilted against a facet, and that against the one which continues it.
      CHECK_BELOW(v.exact / (PL_SAME_NORMAL * PL_SAME_NORMAL) - v.least, 1e-10,
                  1);  // wide: how well the distance is known
      points++;
    }
    free_body(&a), free_body(&b);
  }
  CHECK(points > 650);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(facets_are_as_far_as_gjk_says);
  RUN(nothing_near_is_missed);
  RUN(found_before);
  RUN(no_deeper_than_the_overlap);
  return CHECK_END;
}

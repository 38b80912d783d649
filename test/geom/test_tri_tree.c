// test_tri_tree.c: every query of the tree against a plain loop over all triangles, and winding numbers
// against known values.
#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "geom/mesh.h"
#include "geom/tri_tree.h"
#include "pliant/mesh.h"

static plVec3 random_point(plRandom* r, double size) {
  double x = pl_random(r, -size, size), y = pl_random(r, -size, size), z = pl_random(r, -size, size);
  return v3(x, y, z);
}

// A soup of n triangles of all sizes, some without area.
typedef struct Soup {
  int ntri;
  double* vert;
  int* tri;
  plTriTree* tree;
} Soup;

static Soup soup_create(int n, uint64_t seed) {
  Soup s = {.ntri = n, .vert = PL_NEW(double, 9 * (size_t)n), .tri = PL_NEW(int, 3 * (size_t)n)};
  plRandom r = {seed};
  for (int t = 0; t < n; t++) {
    plVec3 a = random_point(&r, 1);
    double size = pow(10, pl_random(&r, -3, 0));
    plVec3 b = v3_madd(a, size, random_point(&r, 1)), c = v3_madd(a, size, random_point(&r, 1));
    if (t % 17 == 3) c = v3_madd(a, 0.5, v3_sub(b, a));
    if (t % 17 == 5) b = c = a;
    v3_store(s.vert + 9 * (size_t)t, a);
    v3_store(s.vert + 9 * (size_t)t + 3, b);
    v3_store(s.vert + 9 * (size_t)t + 6, c);
    for (int i = 0; i < 3; i++) s.tri[3 * t + i] = 3 * t + i;
  }
  plError error;
  CHECK_INT(pl_tri_tree_create(s.vert, s.tri, n, &s.tree, &error), PL_OK);
  return s;
}

static void soup_destroy(Soup* s) {
  pl_tri_tree_destroy(s->tree);
  pl_free(s->vert);
  pl_free(s->tri);
}

static plVec3 corner(const Soup* s, int t, int i) { return v3_load(s->vert + 3 * (size_t)s->tri[3 * t + i]); }

static void closest_on_one_triangle(void) {
  plVec3 a = v3(0, 0, 0), b = v3(2, 0, 0), c = v3(0, 2, 0);
  static const double cases[7][6] = {{0.5, 0.5, 3, 0.5, 0.5, 0}, {-1, -1, 1, 0, 0, 0}, {3, -1, 0, 2, 0, 0},
                                     {0, 5, 1, 0, 2, 0},         {1, -2, 1, 1, 0, 0},  {-3, 1, 0, 0, 1, 0},
                                     {2, 2, 1, 1, 1, 0}};
  for (int i = 0; i < 7; i++) {
    plVec3 q = pl_tri_closest(a, b, c, v3_load(cases[i]));
    CHECK_ROUND(v3_norm(v3_sub(q, v3_load(cases[i] + 3))), 0, 1);
  }
  // Without area: a segment, a point.
  CHECK_ROUND(v3_norm(v3_sub(pl_tri_closest(a, b, v3(1, 0, 0), v3(1.5, 1, 0)), v3(1.5, 0, 0))), 0, 1);
  CHECK_NEAR(v3_norm(v3_sub(pl_tri_closest(b, b, b, v3(1.5, 1, 0)), b)), 0, 0);
}

// No sampled point of the triangle may be closer than the answer.
static void closest_beats_samples(void) {
  plRandom r = {7};
  for (int trial = 0; trial < 300; trial++) {
    plVec3 a = random_point(&r, 1), b = random_point(&r, 1), c = random_point(&r, 1), p = random_point(&r, 2);
    double d = v3_norm(v3_sub(pl_tri_closest(a, b, c, p), p)), best = INFINITY;
    for (int i = 0; i <= 40; i++)
      for (int j = 0; i + j <= 40; j++) {
        plVec3 q = v3_madd(v3_madd(a, i / 40.0, v3_sub(b, a)), j / 40.0, v3_sub(c, a));
        best = fmin(best, v3_norm(v3_sub(q, p)));
      }
    CHECK_BELOW(d - best, 1e-14, 1);
    CHECK_BELOW(best - d, 0.013, 1);
  }
}

static void closest_is_the_plain_minimum(void) {
  Soup s = soup_create(500, 1);
  plRandom r = {2};
  for (int trial = 0; trial < 300; trial++) {
    plVec3 p = random_point(&r, 2);
    double best = INFINITY;
    for (int t = 0; t < s.ntri; t++)
      best = fmin(
          best, v3_norm(v3_sub(pl_tri_closest(corner(&s, t, 0), corner(&s, t, 1), corner(&s, t, 2), p), p)));
    plTriHit hit = pl_tri_tree_closest(s.tree, p, INFINITY);
    CHECK_NEAR(hit.t, best, 1e-15);
    CHECK_NEAR(v3_norm(v3_sub(hit.point, p)), best, 1e-15);
    CHECK(pl_tri_tree_closest(s.tree, p, 0.999 * best).tri == -1);
    CHECK(pl_tri_tree_closest(s.tree, p, 1.001 * best).tri == hit.tri);
    CHECK(pl_tri_tree_closest_near(s.tree, p, best).t == hit.t);
    CHECK(pl_tri_tree_closest_near(s.tree, p, 0.5 * best).t == hit.t);
  }
  soup_destroy(&s);
}

// Moeller and Trumbore, the plain way.
static double plain_ray(const Soup* s, int t, plVec3 o, plVec3 d) {
  plVec3 a = corner(s, t, 0), e1 = v3_sub(corner(s, t, 1), a), e2 = v3_sub(corner(s, t, 2), a);
  plVec3 h = v3_cross(d, e2), q = v3_cross(v3_sub(o, a), e1);
  double det = v3_dot(e1, h), u = v3_dot(v3_sub(o, a), h) / det, v = v3_dot(d, q) / det,
         at = v3_dot(e2, q) / det;
  return det != 0 && u >= 0 && v >= 0 && u + v <= 1 && at >= 0 ? at : INFINITY;
}

static void ray_hits_the_first_triangle(void) {
  Soup s = soup_create(500, 3);
  plRandom r = {4};
  int hits = 0;
  for (int trial = 0; trial < 1000; trial++) {
    plVec3 o = random_point(&r, 2), d = random_point(&r, 1);
    if (trial % 5 == 0) d = v3(0, 0, trial % 2 ? 1 : -1);
    double best = INFINITY;
    for (int t = 0; t < s.ntri; t++) best = fmin(best, plain_ray(&s, t, o, d));
    plTriHit hit = pl_tri_tree_ray(s.tree, o, d, 1e9);
    CHECK((hit.tri >= 0) == isfinite(best));
    if (hit.tri < 0 || isinf(best)) continue;
    hits++;
    CHECK_ROUND(hit.t, best, 1 + best);
    CHECK(pl_tri_tree_ray(s.tree, o, d, 0.999 * best).tri == -1);
  }
  CHECK(hits > 100);
  CHECK(pl_tri_tree_ray(s.tree, v3(0, 0, 0), v3(0, 0, 0), 1).tri == -1);
  soup_destroy(&s);
}

// Rays aimed at the vertices and edge midpoints of a closed surface never pass through.
static void rays_do_not_slip_through_edges(void) {
  plMesh* mesh = NULL;
  plError error;
  CHECK_INT(pl_mesh_sphere(1, 0.3, &mesh, &error), PL_OK);
  plTriTree* tree = NULL;
  CHECK_INT(pl_tri_tree_create(mesh->vert, mesh->tri, mesh->ntri, &tree, &error), PL_OK);
  plRandom r = {5};
  for (int t = 0; t < mesh->ntri; t++)
    for (int i = 0; i < 3; i++) {
      plVec3 o = random_point(&r, 0.3), a = pl_mesh_vertex(mesh, mesh->tri[3 * t + i]);
      plVec3 b = pl_mesh_vertex(mesh, mesh->tri[3 * t + (i + 1) % 3]);
      CHECK(pl_tri_tree_ray(tree, o, v3_sub(a, o), 2).tri >= 0);
      CHECK(pl_tri_tree_ray(tree, o, v3_sub(v3_scale(0.5, v3_add(a, b)), o), 2).tri >= 0);
    }
  pl_tri_tree_destroy(tree);
  pl_mesh_destroy(mesh);
}

typedef struct Seen {
  char mark[500];
  int count, stop_after;
} Seen;

static bool see(void* context, int tri) {
  Seen* seen = context;
  CHECK(!seen->mark[tri]);
  seen->mark[tri] = 1;
  return ++seen->count != seen->stop_after;
}

static void box_query_visits_each_meeting_triangle_once(void) {
  Soup s = soup_create(500, 6);
  plRandom r = {7};
  for (int trial = 0; trial < 100; trial++) {
    plVec3 p = random_point(&r, 1.5), size = v3_add(random_point(&r, 0.3), v3(0.3, 0.3, 0.3)),
           q = v3_add(p, size);
    Seen seen = {0};
    pl_tri_tree_box(s.tree, p, q, see, &seen);
    int expected = 0;
    for (int t = 0; t < s.ntri; t++) {
      plVec3 low = v3_min(v3_min(corner(&s, t, 0), corner(&s, t, 1)), corner(&s, t, 2));
      plVec3 high = v3_max(v3_max(corner(&s, t, 0), corner(&s, t, 1)), corner(&s, t, 2));
      bool meets =
          low.x <= q.x && high.x >= p.x && low.y <= q.y && high.y >= p.y && low.z <= q.z && high.z >= p.z;
      CHECK(meets == (seen.mark[t] == 1));
      expected += meets;
    }
    CHECK_INT(seen.count, expected);
    if (expected > 2) {
      Seen first = {.stop_after = 2};
      pl_tri_tree_box(s.tree, p, q, see, &first);
      CHECK_INT(first.count, 2);
    }
  }
  soup_destroy(&s);
}

static void refit_follows_moving_vertices(void) {
  Soup s = soup_create(300, 8);
  plRandom r = {9};
  for (int i = 0; i < 9 * s.ntri; i++) s.vert[i] = 0.5 * s.vert[i] + pl_random(&r, 0, 0.2);
  pl_tri_tree_refit(s.tree);
  plTriTree* fresh = NULL;
  plError error;
  CHECK_INT(pl_tri_tree_create(s.vert, s.tri, s.ntri, &fresh, &error), PL_OK);
  for (int trial = 0; trial < 100; trial++) {
    plVec3 p = random_point(&r, 1);
    CHECK(pl_tri_tree_closest(s.tree, p, INFINITY).t == pl_tri_tree_closest(fresh, p, INFINITY).t);
    CHECK_NEAR(pl_tri_tree_winding(s.tree, p), pl_tri_winding(s.vert, s.tri, s.ntri, p), 0.0067);
  }
  pl_tri_tree_destroy(fresh);
  soup_destroy(&s);
}

// Boxes alone know nothing of moments: winding numbers must not be those of the old positions.
static void winding_follows_moving_vertices(void) {
  plRandom r = {8};
  plMesh* mesh = NULL;
  plError error = {0};
  plTriTree* tree = NULL;
  CHECK_INT(pl_mesh_sphere(1, 0.4, &mesh, &error), PL_OK);
  CHECK_INT(pl_tri_tree_create(mesh->vert, mesh->tri, mesh->ntri, &tree, &error), PL_OK);
  for (int i = 0; i < 50; i++) {
    plVec3 to = random_point(&r, 3);
    for (int v = 0; v < mesh->nvert; v++)
      v3_store(mesh->vert + 3 * v, v3_add(v3_load(mesh->vert + 3 * v), to));
    if (i % 3)
      pl_tri_tree_refit_boxes(tree, NULL);
    else
      pl_tri_tree_refit(tree);
    for (int k = 0; k < 20; k++) {
      plVec3 p = v3_add(v3_load(mesh->vert + 3 * (k % mesh->nvert)), random_point(&r, 2));
      CHECK_NEAR(pl_tri_tree_winding(tree, p), pl_tri_winding(mesh->vert, mesh->tri, mesh->ntri, p), 0.0062);
    }
  }
  pl_tri_tree_destroy(tree);
  pl_mesh_destroy(mesh);
}

static void winding_tells_inside_from_outside(void) {
  plMesh* mesh = NULL;
  plError error;
  CHECK_INT(pl_mesh_torus(2, 0.7, 0.2, &mesh, &error), PL_OK);
  plTriTree* tree = NULL;
  CHECK_INT(pl_tri_tree_create(mesh->vert, mesh->tri, mesh->ntri, &tree, &error), PL_OK);
  plRandom r = {10};
  int inside = 0;
  for (int trial = 0; trial < 500; trial++) {
    plVec3 p = random_point(&r, 3);
    p.z *= 0.3;
    double level = hypot(hypot(p.x, p.y) - 2, p.z) - 0.7;
    if (level > -0.03 && level < 0.01) continue;
    double expected = level < 0 ? 1 : 0;
    inside += level < 0;
    CHECK_NEAR(pl_tri_winding(mesh->vert, mesh->tri, mesh->ntri, p), expected, 1.8e-14);
    CHECK_NEAR(pl_tri_tree_winding(tree, p), expected, 0.03);
  }
  CHECK(inside > 100);
  pl_tri_tree_destroy(tree);
  pl_mesh_destroy(mesh);
}

static void winding_of_an_open_surface_is_its_solid_angle(void) {
  // A face of the cube [-1, 1]^3 seen from its middle fills a sixth of all directions.
  double vert[12] = {1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1};
  int tri[6] = {0, 1, 2, 0, 2, 3};
  plTriTree* tree = NULL;
  plError error;
  CHECK_INT(pl_tri_tree_create(vert, tri, 2, &tree, &error), PL_OK);
  CHECK_NEAR(pl_tri_tree_winding(tree, v3(0, 0, 0)), 1.0 / 6, 1e-15);
  CHECK_NEAR(pl_tri_tree_winding(tree, v3(2, 0, 0)), -1.0 / 6, 1e-15);
  pl_tri_tree_destroy(tree);
}

static void an_empty_tree_answers_nothing(void) {
  plTriTree* tree = NULL;
  plError error;
  CHECK_INT(pl_tri_tree_create(NULL, NULL, 0, &tree, &error), PL_OK);
  CHECK(pl_tri_tree_closest(tree, v3(0, 0, 0), INFINITY).tri == -1);
  CHECK(pl_tri_tree_ray(tree, v3(0, 0, 0), v3(1, 0, 0), 1).tri == -1);
  CHECK(pl_tri_tree_winding(tree, v3(0, 0, 0)) == 0);
  pl_tri_tree_destroy(tree);
}

// Many triangles at one position: the median still halves them.
static void equal_triangles_do_not_deepen_the_tree(void) {
  int n = 20000;
  double vert[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  int* tri = PL_NEW(int, 3 * (size_t)n);
  for (int i = 0; i < 3 * n; i++) tri[i] = i % 3;
  plTriTree* tree = NULL;
  plError error;
  CHECK_INT(pl_tri_tree_create(vert, tri, n, &tree, &error), PL_OK);
  CHECK_NEAR(pl_tri_tree_closest(tree, v3(0.2, 0.2, 1), INFINITY).t, 1, 1e-15);
  CHECK(tree->nnode < n);
  pl_tri_tree_destroy(tree);
  pl_free(tri);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(closest_on_one_triangle);
  RUN(closest_beats_samples);
  RUN(closest_is_the_plain_minimum);
  RUN(ray_hits_the_first_triangle);
  RUN(rays_do_not_slip_through_edges);
  RUN(box_query_visits_each_meeting_triangle_once);
  RUN(refit_follows_moving_vertices);
  RUN(winding_follows_moving_vertices);
  RUN(winding_tells_inside_from_outside);
  RUN(winding_of_an_open_surface_is_its_solid_angle);
  RUN(an_empty_tree_answers_nothing);
  RUN(equal_triangles_do_not_deepen_the_tree);
  return CHECK_END;
}

// Convex hulls: each comes with its proof (corners are given points, no point lies outside, the surface is
// closed), on random and degenerate sets; volumes against brute force over all triples; closed forms.
#include "check.h"

#include "base/memory.h"
#include "geom/hull.h"
#include "math/random_vec3.h"
#include "pliant/types.h"

enum { MOST = 600 };

static plVec3 vertex(const plHull* h, int i) { return v3_load(h->vert + 3 * (size_t)i); }

static double volume(const plHull* h) {
  double sum = 0;
  for (int t = 0; t < h->ntri; t++) {
    const int* v = h->tri + 3 * (size_t)t;
    sum += v3_dot(vertex(h, v[0]), v3_cross(vertex(h, v[1]), vertex(h, v[2]))) / 6;
  }
  return sum;
}

// Corners among the points; every point below every facet and every face; each side of a triangle is once a
// side of another, turned round; V - E + F = 2. The hull of the points is then neither smaller nor larger.
static bool proved(const plHull* h, const double* x, int n, double size) {
  for (int i = 0; i < h->nvert; i++) {
    bool known = false;
    for (int k = 0; k < n && !known; k++)
      known = x[3 * k] == h->vert[3 * i] && x[3 * k + 1] == h->vert[3 * i + 1] &&
              x[3 * k + 2] == h->vert[3 * i + 2];
    if (!known) return false;
  }
  for (int t = 0; t < h->ntri; t++) {
    const int* v = h->tri + 3 * (size_t)t;
    plVec3 c = v3_cross(v3_sub(vertex(h, v[1]), vertex(h, v[0])), v3_sub(vertex(h, v[2]), vertex(h, v[0])));
    for (int k = 0; k < n; k++)
      if (v3_dot(c, v3_sub(v3_load(x + 3 * k), vertex(h, v[0]))) > 1e-10 * size * size * size)
        return printf("a point is outside\n"), false;
    for (int k = 0; k < 3; k++) {
      int found = 0;
      for (int s = 0; s < h->ntri; s++)
        for (int m = 0; m < 3; m++)
          found += h->tri[3 * s + m] == v[(k + 1) % 3] && h->tri[3 * s + (m + 1) % 3] == v[k];
      if (found != 1) return printf("side %d of triangle %d has %d neighbours\n", k, t, found), false;
    }
  }
  for (int f = 0; f < h->nface; f++) {
    double base = v3_dot(h->normal[f], vertex(h, h->corner[h->face0[f]]));
    if (h->face0[f + 1] - h->face0[f] < 3 || h->face0[f + 1] - h->face0[f] > PL_HULL_FACE)
      return printf("a face has too few or too many corners\n"), false;
    for (int k = 0; k < n; k++)
      if (v3_dot(h->normal[f], v3_load(x + 3 * k)) > base + 3e-5 * size)
        return printf("a point is above a face\n"), false;
  }
  return 2 * h->nvert - h->ntri == 4;
}

static void check(const double* x, int n, double size) {
  plHull* h = NULL;
  plError error;
  plStatus status = pl_hull_create(x, n, &h, &error);
  CHECK_INT(status, PL_OK);
  if (status) {
    printf("%s\n", error.message);
    return;
  }
  CHECK(proved(h, x, n, size) && volume(h) > 0);
  pl_hull_destroy(h);
}

// Sum over all triples that have every point on one side: brute force, n^4.
static double brute_volume(const double* x, int n) {
  plVec3 middle = {0, 0, 0};
  double sum = 0;
  for (int i = 0; i < n; i++) middle = v3_madd(middle, 1.0 / n, v3_load(x + 3 * i));
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++)
      for (int c = b + 1; c < n; c++) {
        plVec3 p = v3_load(x + 3 * a),
               m = v3_cross(v3_sub(v3_load(x + 3 * b), p), v3_sub(v3_load(x + 3 * c), p));
        int above = 0, below = 0;
        for (int k = 0; k < n; k++) {
          double d = v3_dot(m, v3_sub(v3_load(x + 3 * k), p));
          above += k != a && k != b && k != c && d > 0, below += k != a && k != b && k != c && d < 0;
        }
        if (above && below) continue;
        sum += fabs(v3_dot(m, v3_sub(p, middle))) / 6;
      }
  return sum;
}

static void random_sets_have_the_volume_of_brute_force(void) {
  plRandom r = {21};
  for (int trial = 0; trial < 400; trial++) {
    double x[3 * 24];
    int n = 4 + pl_random_int(&r, 21);
    for (int i = 0; i < 3 * n; i++) x[i] = pl_random(&r, -1, 1);
    plHull* h = NULL;
    plError error;
    CHECK_INT(pl_hull_create(x, n, &h, &error), PL_OK);
    if (!h) continue;
    CHECK_NEAR(volume(h), brute_volume(x, n), 5.5e-14);
    CHECK(proved(h, x, n, 2));
    CHECK_INT(h->nface, h->ntri);  // in general position no four lie in a plane
    pl_hull_destroy(h);
  }
}

// Points on a small lattice (coplanar, collinear, repeated), on spheres, on cubes' faces and edges, on
// cylinders; moved, turned by hand, tiny and huge.
static void degenerate_sets_come_with_their_proof(void) {
  plRandom r = {22};
  static double x[3 * MOST];
  for (int trial = 0; trial < 240; trial++) {
    int kind = trial % 6, n = 12 + pl_random_int(&r, 90);
    double scale = trial % 5 == 0 ? 1e-6 : trial % 5 == 1 ? 1e5 : 1;
    for (int i = 0; i < n; i++) {
      plVec3 p = v3_random(&r, -1, 1);
      if (kind == 0) p.z = pl_random_int(&r, 3), p.y = pl_random_int(&r, 3), p.x = pl_random_int(&r, 3);
      if (kind == 1) p = v3_unit(p);
      if (kind == 2) p.x = pl_random_int(&r, 2), p.y = i % 2 ? p.y : pl_random_int(&r, 2);
      if (kind == 3) {
        double a = 2 * M_PI * pl_random_int(&r, 16) / 16;
        p = v3(cos(a), sin(a), pl_random_int(&r, 2));
      }
      if (kind == 4 && i > 8)
        p = v3_load(x + 3 * pl_random_int(&r, 8)), p = v3_scale(1 / scale, p);  // repeated
      if (kind == 5)
        p = (plVec3){(float)p.x, (float)(0.3 * p.x + 0.2 * p.z), (float)p.z},
        p.y += i < 6 ? pl_random(&r, 0, 0.5) : 0;  // nearly in a plane
      if (i < 4) p = v3(i == 1, i == 2, i == 3);
      v3_store(x + 3 * i, v3_scale(scale, p));
    }
    check(x, n, 3 * scale);
    if (check_errors > 3) return;
  }
}

static void a_cube_has_six_faces_and_a_prism_round_ones(void) {
  double x[3 * MOST];
  int n = 0;
  for (int i = 0; i < 125; i++, n++)
    x[3 * n] = i % 5 * 0.25, x[3 * n + 1] = i / 5 % 5 * 0.25, x[3 * n + 2] = i / 25 * 0.25;
  plHull* h = NULL;
  plError error;
  CHECK_INT(pl_hull_create(x, n, &h, &error), PL_OK);
  CHECK_INT(h->nface, 6);
  for (int f = 0; f < h->nface; f++) CHECK_INT(h->face0[f + 1] - h->face0[f], 4);
  CHECK_NEAR(volume(h), 1, 1.4e-14);
  CHECK_NEAR(h->radius, 0.5, 7.1e-15);
  CHECK_NEAR(h->centre.y, 0.5, 7.1e-15);
  pl_hull_destroy(h);
  // A prism of 48 sides: its caps keep 16 corners, the proof still holds.
  for (n = 0; n < 96; n++)
    x[3 * n] = cos(2 * M_PI * (n / 2) / 48), x[3 * n + 1] = sin(2 * M_PI * (n / 2) / 48),
          x[3 * n + 2] = n % 2;
  CHECK_INT(pl_hull_create(x, n, &h, &error), PL_OK);
  CHECK_INT(h->nface, 50);
  CHECK_NEAR(volume(h), 24 * sin(2 * M_PI / 48), 4.4e-14);
  CHECK(proved(h, x, n, 2));
  pl_hull_destroy(h);
}

static void what_has_no_volume_is_refused_with_a_reason(void) {
  plHull* h = NULL;
  plError error;
  double one[12] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3}, line[15], flat[3 * 50],
         bad[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, INFINITY};
  plRandom r = {23};
  for (int i = 0; i < 5; i++) line[3 * i] = i, line[3 * i + 1] = 2 * i, line[3 * i + 2] = -i;
  for (int i = 0; i < 50; i++)
    flat[3 * i] = pl_random(&r, 0, 1), flat[3 * i + 1] = pl_random(&r, 0, 1),
             flat[3 * i + 2] = flat[3 * i] - 2 * flat[3 * i + 1] + 1e-9 * (i % 7);
  CHECK_INT(pl_hull_create(one, 3, &h, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "at least four");
  CHECK_INT(pl_hull_create(one, 4, &h, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "coincide");
  CHECK_INT(pl_hull_create(line, 5, &h, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "on a line");
  CHECK_INT(pl_hull_create(flat, 50, &h, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "in a plane");
  CHECK_INT(pl_hull_create(bad, 4, &h, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "finite");
  CHECK(h == NULL);
}

// Many points on a sphere: all are corners, and the work stays small.
static void many_points_on_a_sphere(void) {
  enum { N = 20000 };
  double* x = malloc(3 * N * sizeof(double));
  plRandom r = {24};
  for (int i = 0; i < N; i++) {
    plVec3 p;
    do p = v3_random(&r, -1, 1);
    while (v3_norm2(p) > 1 || v3_norm2(p) < 0.01);
    v3_store(x + 3 * i, v3_unit(p));
  }
  plHull* h = NULL;
  plError error;
  CHECK_INT(pl_hull_create(x, N, &h, &error), PL_OK);
  CHECK_INT(h->nvert, N);
  CHECK_INT(h->ntri, 2 * N - 4);
  CHECK_NEAR(volume(h), 4 * M_PI / 3, 4e-3);
  pl_hull_destroy(h), free(x);
}

static void running_out_of_memory_is_a_status(void) {
  double x[300];
  plRandom r = {25};
  for (int i = 0; i < 300; i++) x[i] = pl_random(&r, -1, 1);
  for (int n = 0; n < 60; n++) {
    plHull* h = NULL;
    plError error;
    pl_alloc_fail_after(n);
    plStatus status = pl_hull_create(x, 100, &h, &error);
    pl_alloc_fail_after(-1);
    CHECK(status == PL_OK || (status == PL_ERROR_MEMORY && !h));
    pl_hull_destroy(h);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(random_sets_have_the_volume_of_brute_force);
  RUN(degenerate_sets_come_with_their_proof);
  RUN(a_cube_has_six_faces_and_a_prism_round_ones);
  RUN(what_has_no_volume_is_refused_with_a_reason);
  RUN(many_points_on_a_sphere);
  RUN(running_out_of_memory_is_a_status);
  return CHECK_END;
}

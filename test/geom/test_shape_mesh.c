// test_shape_mesh.c: the generated shapes: conforming, on their surface, of good quality, of second order,
// symmetric; bad sizes refused.
#include <stdbool.h>

#include "base/memory.h"
#include "check.h"
#include "geom/mesh.h"
#include "geom/shape_mesh.h"
#include "pliant/mesh.h"

static const double PI = 3.14159265358979323846;

// All shapes of about unit size, with what is known about them.
typedef enum Shape { BOX, SPHERE, ELLIPSOID, HALF_ELLIPSOID, CYLINDER, CAPSULE, TORUS, SHAPE_COUNT } Shape;

static plStatus make(Shape shape, double edge, plMesh** mesh, plError* error) {
  switch (shape) {
    case BOX:
      return pl_mesh_box(v3(2, 1, 3), edge, mesh, error);
    case SPHERE:
      return pl_mesh_sphere(1.5, edge, mesh, error);
    case ELLIPSOID:
      return pl_mesh_ellipsoid(v3(2, 1, 1.5), edge, mesh, error);
    case HALF_ELLIPSOID:
      return pl_mesh_half_ellipsoid(v3(1.14, 0.81, 0.74), edge, mesh, error);
    case CYLINDER:
      return pl_mesh_cylinder(1, 3, edge, mesh, error);
    case CAPSULE:
      return pl_mesh_capsule(1, 1.5, edge, mesh, error);
    default:
      return pl_mesh_torus(2, 0.7, edge, mesh, error);
  }
}

static const double volume[SHAPE_COUNT] = {
    6,
    4.0 / 3 * 3.14159265358979323846 * 1.5 * 1.5 * 1.5,
    4.0 / 3 * 3.14159265358979323846 * 2 * 1 * 1.5,
    2.0 / 3 * 3.14159265358979323846 * 1.14 * 0.81 * 0.74,
    3.14159265358979323846 * 3,
    3.14159265358979323846 * (1.5 + 4.0 / 3),
    2 * 3.14159265358979323846 * 3.14159265358979323846 * 2 * 0.49,
};

// Zero on the surface, about the distance to it nearby.
static double level(Shape shape, plVec3 x) {
  switch (shape) {
    case BOX:
      return fmax(fabs(x.x) - 1, fmax(fabs(x.y) - 0.5, fabs(x.z) - 1.5));
    case SPHERE:
      return v3_norm(x) - 1.5;
    case ELLIPSOID:
      return v3_norm(v3(x.x / 2, x.y, x.z / 1.5)) - 1;
    case HALF_ELLIPSOID:
      return fmax(x.z, v3_norm(v3(x.x / 1.14, x.y / 0.81, x.z / 0.74)) - 1);
    case CYLINDER:
      return fmax(hypot(x.x, x.y) - 1, fabs(x.z) - 1.5);
    case CAPSULE:
      return v3_norm(v3(x.x, x.y, fmax(fabs(x.z) - 0.75, 0))) - 1;
    default:
      return hypot(hypot(x.x, x.y) - 2, x.z) - 0.7;
  }
}

static bool made(plStatus status, const plError* error) {
  if (status) printf("%s\n", error->message);
  CHECK_INT(status, PL_OK);
  return !status;
}

static plMeshReport report_of(const plMesh* mesh) {
  plMeshReport report;
  plError error;
  CHECK_INT(pl_mesh_check(mesh, &report, &error), PL_OK);
  return report;
}

// A bit per vertex: on the boundary.
static char* boundary_flags(const plMesh* mesh) {
  char* flag = PL_NEW(char, mesh->nvert);
  for (int i = 0; i < 3 * mesh->ntri; i++) flag[mesh->tri[i]] = 1;
  return flag;
}

static void every_shape_is_sound(void) {
  static const double edges[] = {0.9, 0.6, 0.45, 0.3, 0.17};
  for (Shape shape = 0; shape < SHAPE_COUNT; shape++)
    for (int e = 0; e < 5; e++) {
      plMesh* mesh = NULL;
      plError error;
      if (!made(make(shape, edges[e], &mesh, &error), &error)) continue;
      plMeshReport r = report_of(mesh);
      CHECK_INT(r.inverted + r.flat + r.duplicate + r.unused + r.coincident, 0);
      CHECK_INT(r.boundary_open + r.nonmanifold + r.misoriented + r.not_finite, 0);
      CHECK_INT(r.component, 1);
      CHECK_INT(r.ntri, r.boundary_tri);
      CHECK(r.boundary_vert < r.nvert);
      // Mean ratio 0.4 is 0.25 by V / l_rms^3.
      CHECK(r.quality_min > 0.4);
      CHECK(r.quality_mean > 0.6);
      if (r.quality_min <= 0.4) printf("shape %d edge %g: quality %g\n", (int)shape, edges[e], r.quality_min);
      plMesh* again = NULL;
      made(make(shape, edges[e], &again, &error), &error);
      CHECK(again && !memcmp(mesh->vert, again->vert, 24 * (size_t)mesh->nvert) &&
            !memcmp(mesh->tet, again->tet, 16 * (size_t)mesh->ntet));
      pl_mesh_destroy(again);
      pl_mesh_destroy(mesh);
    }
}

static void euler_number_tells_the_topology(void) {
  // V - E + F of the boundary is 2 for a ball and 0 for a torus; closed triangles have E = 3 F / 2.
  for (Shape shape = 0; shape < SHAPE_COUNT; shape++) {
    plMesh* mesh = NULL;
    plError error;
    if (!made(make(shape, 0.4, &mesh, &error), &error)) continue;
    plMeshReport r = report_of(mesh);
    CHECK_INT(r.boundary_vert - r.boundary_tri / 2, shape == TORUS ? 0 : 2);
    pl_mesh_destroy(mesh);
  }
}

static void boundary_lies_on_the_shape_and_the_rest_inside(void) {
  for (Shape shape = 0; shape < SHAPE_COUNT; shape++) {
    plMesh* mesh = NULL;
    plError error;
    if (!made(make(shape, 0.3, &mesh, &error), &error)) continue;
    char* on = boundary_flags(mesh);
    double off = 0, nearest = -1;
    for (int v = 0; v < mesh->nvert; v++) {
      double d = level(shape, pl_mesh_vertex(mesh, v));
      if (on[v])
        off = fmax(off, fabs(d));
      else
        nearest = fmax(nearest, d);
    }
    CHECK_ROUND(off, 0, 0.7);
    CHECK(nearest < -0.02);
    pl_free(on);
    pl_mesh_destroy(mesh);
  }
}

static void edges_follow_the_hint(void) {
  static const double edges[] = {0.6, 0.41, 0.3, 0.23, 0.17};
  for (Shape shape = 0; shape < SHAPE_COUNT; shape++)
    for (int e = 0; e < 5; e++) {
      plMesh* mesh = NULL;
      plError error;
      if (!made(make(shape, edges[e], &mesh, &error), &error)) continue;
      plMeshReport r = report_of(mesh);
      // The octahedron's levels are a factor 2 apart, and an ellipsoid's axes stretch them differently.
      bool round = shape == SPHERE || shape == ELLIPSOID || shape == HALF_ELLIPSOID;
      CHECK(r.edge_mean > edges[e] * (round ? 0.42 : 0.5) && r.edge_mean < 1.6 * edges[e]);
      CHECK(r.edge_max < 2.1 * edges[e]);
      CHECK(r.edge_min > edges[e] / (round ? 4 : 2.5));
      if (check_errors)
        printf("shape %d: edges %.2f .. %.2f .. %.2f of the hint\n", (int)shape, r.edge_min / edges[e],
               r.edge_mean / edges[e], r.edge_max / edges[e]);
      pl_mesh_destroy(mesh);
    }
}

// Halving the edge divides the volume's error by four.
static void volume_converges_at_second_order(void) {
  for (Shape shape = 0; shape < SHAPE_COUNT; shape++) {
    double defect[3];
    for (int e = 0; e < 3; e++) {
      plMesh* mesh = NULL;
      plError error;
      if (!made(make(shape, 0.4 / (1 << e), &mesh, &error), &error)) return;
      defect[e] = 1 - report_of(mesh).volume / volume[shape];
      pl_mesh_destroy(mesh);
    }
    if (shape == BOX) {
      for (int e = 0; e < 3; e++) CHECK_NEAR(defect[e], 0, 2.3e-12);
    } else {
      CHECK(defect[2] > 0 && defect[2] < 0.012);
      CHECK_NEAR(log2(defect[0] / defect[2]) / 2, 2, 0.25);
    }
  }
}

static void sphere_has_the_levels_of_the_octahedron(void) {
  static const int nvert[5] = {7, 25, 129, 833, 6017}, ntet[5] = {8, 64, 512, 4096, 32768};
  for (int l = 0; l < 5; l++) {
    // At level l a great circle has 4 2^l edges; a hint just above the chord asks for it.
    double edge = 2 * 0.05 * sin(PI / (4 << l)) * (1 + 1e-9);
    plMesh* mesh = NULL;
    plError error;
    if (!made(pl_mesh_sphere(0.05, edge, &mesh, &error), &error)) return;
    CHECK_INT(mesh->nvert, nvert[l]);
    CHECK_INT(mesh->ntet, ntet[l]);
    pl_mesh_destroy(mesh);
  }
  plMesh* mesh = NULL;
  plError error;
  if (!made(pl_mesh_sphere(0.05, 0.03, &mesh, &error), &error)) return;
  CHECK_INT(mesh->nvert, 129);
  CHECK_INT(mesh->ntet, 512);
  pl_mesh_destroy(mesh);
}

static void half_ellipsoid_has_a_flat_base(void) {
  plMesh* mesh = NULL;
  plError error;
  if (!made(pl_mesh_half_ellipsoid(v3(0.057, 0.0405, 0.037), 0.01, &mesh, &error), &error)) return;
  plMeshReport r = report_of(mesh);
  CHECK(r.upper.z == 0);
  CHECK_NEAR(r.lower.z, -0.037, 1e-17);
  CHECK_NEAR(r.upper.x, 0.057, 1e-17);
  CHECK_NEAR(r.lower.y, -0.0405, 1e-17);
  // The triangles of the base make up its ellipse, and all point up.
  double base = 0;
  for (int t = 0; t < mesh->ntri; t++) {
    const int* v = mesh->tri + 3 * (size_t)t;
    bool flat = true;
    for (int i = 0; i < 3; i++) flat = flat && pl_mesh_vertex(mesh, v[i]).z == 0;
    if (flat) base += pl_mesh_tri_area2(mesh, t).z / 2;
  }
  CHECK_NEAR(base / (PI * 0.057 * 0.0405), 1, 0.019);
  pl_mesh_destroy(mesh);
}

static void box_cells_has_corner_vertices_only(void) {
  plMesh* mesh = NULL;
  plError error;
  if (!made(pl_mesh_box_cells(v3(0.3, 0.3, 0.3), 3, 3, 3, &mesh, &error), &error)) return;
  CHECK_INT(mesh->nvert, 64);
  CHECK_INT(mesh->ntet, 135);
  CHECK_NEAR(report_of(mesh).volume, 0.027, 1e-16);
  pl_mesh_destroy(mesh);
  if (!made(pl_mesh_box_cells(v3(1, 2, 3), 2, 4, 6, &mesh, &error), &error)) return;
  CHECK_INT(mesh->nvert, 3 * 5 * 7);
  CHECK_INT(mesh->ntet, 6 * 48);
  pl_mesh_destroy(mesh);
  if (!made(pl_mesh_box_cells(v3(1, 1, 1), 1, 1, 1, &mesh, &error), &error)) return;
  CHECK_INT(mesh->nvert, 8);
  CHECK_INT(mesh->ntet, 5);
  pl_mesh_destroy(mesh);
  // Every mix of odd and even counts conforms.
  for (int n = 0; n < 27; n++) {
    if (!made(pl_mesh_box_cells(v3(1, 1, 1), 1 + n % 3, 1 + n / 3 % 3, 1 + n / 9, &mesh, &error), &error))
      return;
    plMeshReport r = report_of(mesh);
    CHECK_INT(r.inverted + r.flat + r.boundary_open + r.nonmanifold + r.misoriented, 0);
    CHECK_INT(r.boundary_vert - r.boundary_tri / 2, 2);
    CHECK_NEAR(r.volume, 1, 1e-14);
    pl_mesh_destroy(mesh);
  }
}

// ---- symmetry

// The vertex at position x, or -1.
static int vertex_at(const plMesh* mesh, plVec3 x) {
  for (int v = 0; v < mesh->nvert; v++) {
    plVec3 y = pl_mesh_vertex(mesh, v);
    if (y.x == x.x && y.y == x.y && y.z == x.z) return v;
  }
  return -1;
}

static int compare_keys(const void* a, const void* b) { return memcmp(a, b, 4 * sizeof(int)); }

// Whether the signs map the mesh onto itself, to the last bit.
static bool is_own_image(const plMesh* mesh, plVec3 sign) {
  int* image = PL_NEW(int, mesh->nvert);
  int* key = PL_NEW(int, 4 * (size_t)mesh->ntet);
  int* mirrored = PL_NEW(int, 4 * (size_t)mesh->ntet);
  bool same = true;
  for (int v = 0; v < mesh->nvert; v++) {
    plVec3 x = pl_mesh_vertex(mesh, v);
    image[v] = vertex_at(mesh, v3(sign.x * x.x, sign.y * x.y, sign.z * x.z));
    same = same && image[v] >= 0;
  }
  for (int i = 0; same && i < 4 * mesh->ntet; i++) mirrored[i] = image[mesh->tet[i]];
  if (same) {
    pl_sorted_ids(mesh->ntet, 4, mesh->tet, key);
    pl_sorted_ids(mesh->ntet, 4, mirrored, mirrored);
    qsort(key, (size_t)mesh->ntet, 4 * sizeof(int), compare_keys);
    qsort(mirrored, (size_t)mesh->ntet, 4 * sizeof(int), compare_keys);
    same = !memcmp(key, mirrored, 4 * sizeof(int) * (size_t)mesh->ntet);
  }
  pl_free(image);
  pl_free(key);
  pl_free(mirrored);
  return same;
}

static void shapes_are_their_own_mirror_images(void) {
  for (Shape shape = 0; shape < SHAPE_COUNT; shape++) {
    plMesh* mesh = NULL;
    plError error;
    if (!made(make(shape, 0.5, &mesh, &error), &error)) continue;
    CHECK(is_own_image(mesh, v3(-1, 1, 1)));
    CHECK(is_own_image(mesh, v3(1, -1, 1)));
    if (shape != HALF_ELLIPSOID) CHECK(is_own_image(mesh, v3(1, 1, -1)));
    pl_mesh_destroy(mesh);
  }
  // An odd number of cells has no mirror image of its own, but keeps the half turns.
  plMesh* mesh = NULL;
  plError error;
  if (!made(pl_mesh_box_cells(v3(1, 2, 3), 3, 3, 3, &mesh, &error), &error)) return;
  CHECK(is_own_image(mesh, v3(-1, -1, 1)));
  CHECK(is_own_image(mesh, v3(1, -1, -1)));
  CHECK(!is_own_image(mesh, v3(-1, 1, 1)));
  pl_mesh_destroy(mesh);
}

// The even lattice and the octahedron leave no tet with all its vertices on the boundary.
static void every_tet_has_an_interior_vertex(void) {
  for (Shape shape = 0; shape < SHAPE_COUNT; shape++) {
    if (shape == HALF_ELLIPSOID) continue;
    plMesh* mesh = NULL;
    plError error;
    if (!made(make(shape, 0.7, &mesh, &error), &error)) continue;
    char* on = boundary_flags(mesh);
    int trapped = 0;
    for (int t = 0; t < mesh->ntet; t++) {
      const int* v = mesh->tet + 4 * (size_t)t;
      trapped += on[v[0]] && on[v[1]] && on[v[2]] && on[v[3]];
    }
    CHECK_INT(trapped, 0);
    pl_free(on);
    pl_mesh_destroy(mesh);
  }
}

// ---- refusals

#define REFUSED(call, expected, part) \
  do {                                \
    plMesh* mesh = NULL;              \
    plError error = {0};              \
    CHECK_INT((call), (expected));    \
    CHECK_HAS(error.message, (part)); \
    CHECK(mesh == NULL);              \
    pl_mesh_destroy(mesh);            \
  } while (0)

static void bad_sizes_are_refused(void) {
  REFUSED(pl_mesh_box(v3(0, 1, 1), 0.1, &mesh, &error), PL_ERROR_INPUT, "along x");
  REFUSED(pl_mesh_box(v3(1, -1, 1), 0.1, &mesh, &error), PL_ERROR_INPUT, "along y");
  REFUSED(pl_mesh_box(v3(1, 1, NAN), 0.1, &mesh, &error), PL_ERROR_INPUT, "along z");
  REFUSED(pl_mesh_box(v3(1, 1, 1), 0, &mesh, &error), PL_ERROR_INPUT, "edge");
  REFUSED(pl_mesh_box_cells(v3(1, 1, 1), 2, 0, 2, &mesh, &error), PL_ERROR_INPUT, "at least one cell");
  REFUSED(pl_mesh_sphere(INFINITY, 0.1, &mesh, &error), PL_ERROR_INPUT, "radius");
  REFUSED(pl_mesh_sphere(1, NAN, &mesh, &error), PL_ERROR_INPUT, "edge");
  REFUSED(pl_mesh_ellipsoid(v3(1, 1, 0), 0.1, &mesh, &error), PL_ERROR_INPUT, "semi-axis");
  REFUSED(pl_mesh_half_ellipsoid(v3(-1, 1, 1), 0.1, &mesh, &error), PL_ERROR_INPUT, "semi-axis");
  REFUSED(pl_mesh_cylinder(1, 0, 0.1, &mesh, &error), PL_ERROR_INPUT, "length");
  REFUSED(pl_mesh_capsule(0, 1, 0.1, &mesh, &error), PL_ERROR_INPUT, "radius");
  REFUSED(pl_mesh_torus(1, 1, 0.1, &mesh, &error), PL_ERROR_INPUT, "smaller than its major radius");
  REFUSED(pl_mesh_torus(1, -0.1, 0.1, &mesh, &error), PL_ERROR_INPUT, "minor radius");
}

static void too_fine_meshes_are_refused_with_an_estimate(void) {
  for (Shape shape = 0; shape < SHAPE_COUNT; shape++) {
    REFUSED(make(shape, 1e-3, &mesh, &error), PL_ERROR_TOO_LARGE, "MiB");
    REFUSED(make(shape, 1e-12, &mesh, &error), PL_ERROR_TOO_LARGE, "would do");
    REFUSED(make(shape, 1e-300, &mesh, &error), PL_ERROR_INPUT, "1e-12");
    REFUSED(make(shape, 4.9e-324, &mesh, &error), PL_ERROR_INPUT, "1e-12");
    REFUSED(make(shape, 1e300, &mesh, &error), PL_ERROR_INPUT, "1e+12");
  }
  REFUSED(pl_mesh_box_cells(v3(1, 1, 1), 2000000000, 2000000000, 2000000000, &mesh, &error),
          PL_ERROR_TOO_LARGE, "MiB");
}

// What a refusal recommends is not refused: without memory it fails for that reason alone.
static void the_edge_that_a_refusal_names_does(void) {
  for (Shape shape = 0; shape < SHAPE_COUNT; shape++)
    for (double edge = 1e-12; edge < 1e-3; edge *= 7) {
      plMesh* mesh = NULL;
      plError error = {0};
      CHECK_INT(make(shape, edge, &mesh, &error), PL_ERROR_TOO_LARGE);
      const char* said = strstr(error.message, "an edge of ");
      CHECK(said != NULL);
      if (!said) continue;
      double named = atof(said + strlen("an edge of "));
      CHECK_INT(make(shape, named / 2.5, &mesh, &error), PL_ERROR_TOO_LARGE);
      pl_alloc_fail_after(0);
      CHECK_INT(make(shape, named, &mesh, &error), PL_ERROR_MEMORY);
      pl_alloc_fail_after(-1);
    }
}

static void a_huge_hint_gives_the_coarsest_mesh(void) {
  for (Shape shape = 0; shape < SHAPE_COUNT; shape++) {
    plMesh* mesh = NULL;
    plError error;
    if (!made(make(shape, 1e12, &mesh, &error), &error)) continue;
    plMeshReport r = report_of(mesh);
    CHECK(r.ntet <= 192 && r.inverted + r.flat + r.nonmanifold + r.boundary_open == 0);
    CHECK(r.boundary_vert < r.nvert);
    pl_mesh_destroy(mesh);
  }
}

static void memory_failures_are_reported(void) {
  for (Shape shape = 0; shape < SHAPE_COUNT; shape++)
    for (int n = 0; n < 30; n++) {
      plMesh* mesh = NULL;
      plError error = {0};
      pl_alloc_fail_after(n);
      plStatus status = make(shape, 1, &mesh, &error);
      pl_alloc_fail_after(-1);
      CHECK(status == PL_ERROR_MEMORY ? mesh == NULL : status == PL_OK);
      if (n == 0) CHECK_INT(status, PL_ERROR_MEMORY);
      pl_mesh_destroy(mesh);
    }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(every_shape_is_sound);
  RUN(euler_number_tells_the_topology);
  RUN(boundary_lies_on_the_shape_and_the_rest_inside);
  RUN(edges_follow_the_hint);
  RUN(volume_converges_at_second_order);
  RUN(sphere_has_the_levels_of_the_octahedron);
  RUN(half_ellipsoid_has_a_flat_base);
  RUN(box_cells_has_corner_vertices_only);
  RUN(shapes_are_their_own_mirror_images);
  RUN(every_tet_has_an_interior_vertex);
  RUN(bad_sizes_are_refused);
  RUN(too_fine_meshes_are_refused_with_an_estimate);
  RUN(the_edge_that_a_refusal_names_does);
  RUN(a_huge_hint_gives_the_coarsest_mesh);
  RUN(memory_failures_are_reported);
  return CHECK_END;
}

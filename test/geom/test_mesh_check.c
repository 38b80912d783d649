// Mesh checks and repair: each fault alone is found, named and repaired.
#include "check.h"

#include <stdbool.h>

#include "base/memory.h"
#include "base/random.h"
#include "geom/mesh.h"
#include "math/pose.h"

// The unit cube as six tets round a diagonal.
static plMesh* cube_tets(void) {
  static const int tet[24] = {0, 1, 3, 7, 0, 3, 2, 7, 0, 2, 6, 7, 0, 6, 4, 7, 0, 4, 5, 7, 0, 5, 1, 7};
  plMesh* mesh = pl_mesh_create(8, 6, 0, NULL);
  for (int v = 0; v < 8; v++) v3_store(mesh->vert + 3 * v, v3(v & 1, v >> 1 & 1, v >> 2 & 1));
  memcpy(mesh->tet, tet, sizeof tet);
  return mesh;
}

// Its surface, room for extra vertices and triangles.
static plMesh* cube_surface(int extra_vert, int extra_tri) {
  plMesh* tets = cube_tets();
  pl_mesh_boundary(tets, NULL);
  plMesh* mesh = pl_mesh_create(8 + extra_vert, 0, 12 + extra_tri, NULL);
  memcpy(mesh->vert, tets->vert, 24 * sizeof(double));
  memcpy(mesh->tri, tets->tri, 36 * sizeof(int));
  pl_mesh_destroy(tets);
  return mesh;
}

static void turn(plMesh* mesh, int t) {
  int id = mesh->tri[3 * t];
  mesh->tri[3 * t] = mesh->tri[3 * t + 1];
  mesh->tri[3 * t + 1] = id;
}

static plMeshReport check(const plMesh* mesh) {
  plMeshReport report;
  plError error;
  CHECK(pl_mesh_check(mesh, &report, &error) == PL_OK);
  return report;
}

static int sentences(const plMesh* mesh, char* text) {
  plMeshReport report = check(mesh);
  return pl_mesh_report_text(&report, text, 2000);
}

static void a_good_cube_has_no_finding(void) {
  plMesh* mesh = cube_tets();
  plMeshReport r = check(mesh);
  CHECK_INT(r.boundary_tri, 12);
  CHECK_INT(r.boundary_vert, 8);
  CHECK_INT(r.component, 1);
  CHECK_NEAR(r.volume, 1, 1e-15);
  CHECK_NEAR(r.area, 6, 1e-14);
  CHECK_NEAR(r.edge_min, 1, 0);
  CHECK_NEAR(r.edge_max, sqrt(3), 1e-15);
  // 12 sides, 6 diagonals of faces, 1 of the cube.
  CHECK_NEAR(r.edge_mean, (12 + 6 * sqrt(2) + sqrt(3)) / 19, 1e-15);
  CHECK_INT(r.inverted + r.flat + r.duplicate + r.unused + r.coincident + r.boundary_open + r.nonmanifold +
                r.misoriented,
            0);
  CHECK_INT(r.not_finite + r.looks_like_mm, 0);
  CHECK_NEAR(r.upper.x - r.lower.x, 1, 0);
  // Each tet: 3 sides, 2 face diagonals, 1 space diagonal: 12 (1/2)^(2/3) / (3 + 4 + 3).
  CHECK_NEAR(r.quality_min, 1.2 * pow(0.5, 2.0 / 3), 1e-14);
  CHECK_NEAR(r.quality_mean, r.quality_min, 1e-14);
  CHECK_INT(r.quality[7], 6);
  char text[2000];
  CHECK_INT(pl_mesh_report_text(&r, text, sizeof text), 0);
  CHECK_STR(text, "");
  pl_mesh_destroy(mesh);
}

static void a_regular_tet_has_quality_one(void) {
  plMesh* mesh = pl_mesh_create(4, 1, 0, NULL);
  memcpy(mesh->vert, (double[12]){1, 1, 1, -1, 1, -1, 1, -1, -1, -1, -1, 1}, sizeof(double[12]));
  memcpy(mesh->tet, (int[4]){0, 1, 2, 3}, sizeof(int[4]));
  CHECK_NEAR(check(mesh).quality_min, 1, 1e-14);
  pl_mesh_destroy(mesh);
}

static void inverted_tets_are_turned(void) {
  plMesh* mesh = cube_tets();
  mesh->tet[0] = 1, mesh->tet[1] = 0;
  plMeshReport r = check(mesh);
  CHECK_INT(r.inverted, 1);
  CHECK_NEAR(r.volume, 1, 1e-15);
  char log[1000];
  CHECK_INT(sentences(mesh, log), 1);
  CHECK_HAS(log, "1 of 6 tetrahedra is inverted");
  CHECK(pl_mesh_repair(mesh, log, sizeof log, NULL) == PL_OK);
  CHECK_STR(log, "Reoriented 1 inverted tetrahedron.");
  CHECK_INT(check(mesh).inverted, 0);
  CHECK(pl_mesh_repair(mesh, log, sizeof log, NULL) == PL_OK);
  CHECK_STR(log, "");
  pl_mesh_destroy(mesh);
}

static void flat_and_duplicate_tets_and_unused_vertices_go(void) {
  plMesh* cube = cube_tets();
  plMesh* mesh = pl_mesh_create(10, 8, 0, NULL);
  memcpy(mesh->vert, cube->vert, 24 * sizeof(double));
  memcpy(mesh->tet, cube->tet, 24 * sizeof(int));
  memcpy(mesh->tet + 24, (int[8]){0, 1, 2, 3, 7, 1, 0, 3},
         sizeof(int[8]));  // a flat one and a copy of the first
  v3_store(mesh->vert + 24, v3(9, 9, 9));
  v3_store(mesh->vert + 27, v3(1, 1, 1));
  plMeshReport r = check(mesh);
  CHECK_INT(r.flat, 1);
  CHECK_INT(r.duplicate, 1);
  CHECK_INT(r.unused, 2);
  CHECK_INT(r.coincident, 1);
  CHECK_NEAR(r.upper.x, 1, 0);
  char text[2000];
  CHECK_INT(sentences(mesh, text), 5);
  CHECK_HAS(text, "1 element is flat");
  CHECK_HAS(text, "1 element repeats the vertices of another one");
  CHECK_HAS(text, "2 vertices are used by no element");
  CHECK_HAS(text, "1 vertex lies at exactly the same position");
  CHECK(pl_mesh_repair(mesh, text, sizeof text, NULL) == PL_OK);
  CHECK_INT(mesh->ntet, 6);
  CHECK_INT(mesh->nvert, 8);
  CHECK_HAS(text, "Dropped 1 flat tetrahedron.");
  CHECK_HAS(text, "Dropped 1 copy of other tetrahedra.");
  CHECK_HAS(text, "Dropped 2 vertices that no element uses.");
  CHECK(!memcmp(mesh->vert, cube->vert, 24 * sizeof(double)));
  pl_mesh_destroy(mesh);
  pl_mesh_destroy(cube);
}

static void a_surface_from_separate_triangles_is_welded(void) {
  plMesh* cube = cube_surface(0, 0);
  plMesh* mesh = pl_mesh_create(36, 0, 12, NULL);
  for (int i = 0; i < 36; i++) {
    mesh->tri[i] = i;
    v3_store(mesh->vert + 3 * i, pl_mesh_vertex(cube, cube->tri[i]));
    if (mesh->vert[3 * i] == 0 && i % 2) mesh->vert[3 * i] = -0.0;  // the same position as 0
  }
  plMeshReport r = check(mesh);
  CHECK_INT(r.coincident, 28);
  CHECK_INT(r.boundary_open, 36);
  CHECK_INT(r.component, 12);
  char text[2000];
  CHECK(pl_mesh_repair(mesh, text, sizeof text, NULL) == PL_OK);
  CHECK_STR(text, "Merged 28 vertices with another one at the same position.");
  r = check(mesh);
  CHECK_INT(r.nvert, 8);
  CHECK_INT(r.boundary_open + r.coincident + r.unused + r.nonmanifold + r.misoriented, 0);
  CHECK_NEAR(r.volume, 1, 1e-15);
  pl_mesh_destroy(mesh);
  pl_mesh_destroy(cube);
}

static void a_hole_and_a_fin_are_counted(void) {
  plMesh* mesh = cube_surface(1, 1);
  // Without the last triangle (and the fin still empty): three open edges.
  mesh->ntri = 11;
  char text[2000];
  CHECK_INT(check(mesh).boundary_open, 3);
  sentences(mesh, text);
  CHECK_HAS(text, "3 open edges");
  // A fin on an edge: one crowded edge, two open ones.
  mesh->ntri = 13;
  v3_store(mesh->vert + 24, v3(2, 2, 2));
  memcpy(mesh->tri + 36, (int[3]){mesh->tri[0], mesh->tri[1], 8}, sizeof(int[3]));
  plMeshReport r = check(mesh);
  CHECK_INT(r.nonmanifold, 1);
  CHECK_INT(r.boundary_open, 2);
  sentences(mesh, text);
  CHECK_HAS(text, "1 boundary edge has more than two facets");
  pl_mesh_destroy(mesh);
}

static void two_tets_that_share_an_edge_are_not_manifold(void) {
  plMesh* mesh = pl_mesh_create(6, 2, 0, NULL);
  memcpy(mesh->vert, (double[18]){0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0},
         sizeof(double[18]));
  memcpy(mesh->tet, (int[8]){0, 2, 3, 1, 0, 4, 5, 1}, sizeof(int[8]));
  plMeshReport r = check(mesh);
  CHECK_INT(r.inverted, 0);
  CHECK_INT(r.nonmanifold, 1);
  CHECK_INT(r.component, 1);
  CHECK_INT(r.boundary_tri, 8);
  pl_mesh_destroy(mesh);
}

static void triangles_are_turned_outward(void) {
  plMesh* mesh = cube_surface(0, 0);
  for (int t = 0; t < 12; t++) turn(mesh, t);
  plMeshReport r = check(mesh);
  CHECK_INT(r.misoriented, 1);
  CHECK_NEAR(r.volume, -1, 1e-15);
  char text[2000];
  sentences(mesh, text);
  CHECK_HAS(text, "inside out");
  CHECK(pl_mesh_repair(mesh, text, sizeof text, NULL) == PL_OK);
  CHECK_STR(text, "Turned 12 triangles outward.");
  CHECK_NEAR(check(mesh).volume, 1, 1e-15);
  // Some of them, at random.
  plRandom random = {3};
  for (int round = 0; round < 20; round++) {
    int turned = 0;
    for (int t = 0; t < 12; t++)
      if (pl_random_int(&random, 2)) turn(mesh, t), turned++;
    r = check(mesh);
    CHECK(turned == 0 || r.misoriented > 0);
    CHECK(pl_mesh_repair(mesh, text, sizeof text, NULL) == PL_OK);
    r = check(mesh);
    CHECK_INT(r.misoriented, 0);
    CHECK_NEAR(r.volume, 1, 1e-15);
  }
  pl_mesh_destroy(mesh);
}

// Two cubes: the second scaled and moved.
static plMesh* two_cubes(double scale, double shift) {
  plMesh* mesh = cube_surface(8, 12);
  for (int i = 0; i < 24; i++) mesh->vert[24 + i] = scale * mesh->vert[i] + shift;
  for (int i = 0; i < 36; i++) mesh->tri[36 + i] = 8 + mesh->tri[i];
  return mesh;
}

static void a_cavity_stays_a_cavity(void) {
  // A cube of a half inside, facing into itself: a hollow cube.
  plMesh* mesh = two_cubes(0.5, 0.25);
  for (int t = 12; t < 24; t++) turn(mesh, t);
  CHECK_NEAR(check(mesh).volume, 0.875, 1e-15);
  char text[2000];
  CHECK(pl_mesh_repair(mesh, text, sizeof text, NULL) == PL_OK);
  CHECK_STR(text, "");
  CHECK_NEAR(check(mesh).volume, 0.875, 1e-15);
  // All inside out: turned as one.
  for (int t = 0; t < 24; t++) turn(mesh, t);
  CHECK(pl_mesh_repair(mesh, text, sizeof text, NULL) == PL_OK);
  CHECK_NEAR(check(mesh).volume, 0.875, 1e-15);
  pl_mesh_destroy(mesh);
}

// Triangles beside tetrahedra, in any order: faces of tetrahedra, inside or outside, are known; others are
// named where they are dropped.
static void triangles_beside_tetrahedra_are_faces_or_named(void) {
  enum { N = 6 };
  plRandom random = {31};
  for (int trial = 0; trial < 200; trial++) {
    plMesh *cube = cube_tets(), *mesh = pl_mesh_create(8, 6, N, NULL);
    memcpy(mesh->vert, cube->vert, 24 * sizeof(double)), memcpy(mesh->tet, cube->tet, 24 * sizeof(int));
    int loose = 0;
    for (int t = 0; t < N; t++) {
      int *v = mesh->tri + 3 * t, face = 0;
      v[0] = pl_random_int(&random, 8);
      do v[1] = pl_random_int(&random, 8);
      while (v[1] == v[0]);
      do v[2] = pl_random_int(&random, 8);
      while (v[2] == v[0] || v[2] == v[1]);
      for (int e = 0; e < 6; e++) {
        int shared = 0;
        for (int k = 0; k < 12; k++) shared += mesh->tet[4 * e + k / 3] == v[k % 3];
        face |= shared == 3;
      }
      loose += !face;
    }
    char text[2000], expected[100] = "";
    CHECK(pl_mesh_repair(mesh, text, sizeof text, NULL) == PL_OK);
    if (loose)
      sprintf(expected, "Dropped %d triangle%s of a tetrahedron.", loose,
              loose > 1 ? "s that are not faces" : " that is not a face");
    CHECK_STR(text, expected);
    CHECK_INT(mesh->ntri, 12);
    pl_mesh_destroy(cube), pl_mesh_destroy(mesh);
  }
}

static void a_separate_part_faces_outward(void) {
  plMesh* mesh = two_cubes(0.5, 3);
  for (int t = 12; t < 24; t++) turn(mesh, t);
  char text[2000];
  CHECK_INT(check(mesh).component, 2);
  CHECK(pl_mesh_repair(mesh, text, sizeof text, NULL) == PL_OK);
  CHECK_NEAR(check(mesh).volume, 1.125, 1e-14);
  pl_mesh_destroy(mesh);
}

static void a_flat_triangle_is_joined_to_its_neighbour(void) {
  // Split one side of the first triangle at its middle, and close the slit with a flat triangle.
  plMesh* mesh = cube_surface(1, 2);
  int a = mesh->tri[0], b = mesh->tri[1], c = mesh->tri[2];
  v3_store(mesh->vert + 24, v3_scale(0.5, v3_add(pl_mesh_vertex(mesh, a), pl_mesh_vertex(mesh, b))));
  memcpy(mesh->tri, (int[3]){a, 8, c}, sizeof(int[3]));
  memcpy(mesh->tri + 36, (int[6]){8, b, c, a, b, 8}, sizeof(int[6]));
  plMeshReport r = check(mesh);
  CHECK_INT(r.flat, 1);
  CHECK_INT(r.boundary_open + r.nonmanifold + r.misoriented, 0);
  char text[2000];
  CHECK(pl_mesh_repair(mesh, text, sizeof text, NULL) == PL_OK);
  CHECK_STR(text, "Joined 1 flat triangle to a neighbour.");
  r = check(mesh);
  CHECK_INT(r.flat + r.boundary_open + r.nonmanifold + r.misoriented, 0);
  CHECK_NEAR(r.volume, 1, 1e-15);
  CHECK_NEAR(r.area, 6, 1e-14);
  pl_mesh_destroy(mesh);
}

static void collapsed_and_repeated_triangles_go(void) {
  plMesh* mesh = cube_surface(0, 2);
  memcpy(mesh->tri + 36, (int[6]){0, 0, 1, mesh->tri[2], mesh->tri[0], mesh->tri[1]}, sizeof(int[6]));
  plMeshReport r = check(mesh);
  CHECK_INT(r.flat, 1);
  CHECK_INT(r.duplicate, 1);
  char text[2000];
  CHECK(pl_mesh_repair(mesh, text, sizeof text, NULL) == PL_OK);
  CHECK_INT(mesh->ntri, 12);
  CHECK_HAS(text, "Dropped 1 triangle that is collapsed");
  CHECK_HAS(text, "Dropped 1 copy of other triangles.");
  CHECK_NEAR(check(mesh).volume, 1, 1e-15);
  pl_mesh_destroy(mesh);
}

static void a_moebius_strip_does_not_loop(void) {
  enum { N = 12 };
  plMesh* mesh = pl_mesh_create(2 * N, 0, 2 * N, NULL);
  for (int i = 0; i < N; i++) {
    double angle = 2 * acos(-1.0) * i / N;
    for (int s = 0; s < 2; s++) {
      double r = 1 + (s - 0.5) * 0.4 * cos(angle / 2);
      v3_store(mesh->vert + 3 * (2 * i + s),
               v3(r * cos(angle), r * sin(angle), (s - 0.5) * 0.4 * sin(angle / 2)));
    }
    int a = 2 * i, b = 2 * i + 1, c = i + 1 < N ? a + 2 : 1, d = i + 1 < N ? b + 2 : 0;
    memcpy(mesh->tri + 6 * i, (int[6]){a, b, c, b, d, c}, sizeof(int[6]));
  }
  CHECK_INT(check(mesh).boundary_open, 2 * N);
  CHECK(pl_mesh_repair(mesh, NULL, 0, NULL) == PL_OK);
  CHECK(check(mesh).misoriented > 0);
  pl_mesh_destroy(mesh);
}

static void what_is_not_finite_is_named_and_refused(void) {
  plMesh* mesh = cube_tets();
  mesh->vert[4] = NAN;
  plMeshReport r = check(mesh);
  CHECK_INT(r.not_finite, 1);
  CHECK(isfinite(r.volume) && isfinite(r.area) && isfinite(r.edge_mean) && isfinite(r.quality_mean));
  char text[2000];
  sentences(mesh, text);
  CHECK_HAS(text, "not a finite number");
  plError error;
  CHECK(pl_mesh_repair(mesh, NULL, 0, &error) == PL_ERROR_INPUT);
  CHECK_HAS(error.message, "vertex 1");
  CHECK_INT(mesh->ntet, 6);
  pl_mesh_destroy(mesh);
}

static void huge_coordinates_do_no_harm(void) {
  plMesh* mesh = cube_tets();
  pl_mesh_transform(mesh, v3(1e200, 1e200, 1e200), pose_identity());
  plMeshReport r = check(mesh);
  CHECK_INT(r.looks_like_mm, 1);
  CHECK(!isnan(r.quality_mean) && !isnan(r.volume));
  pl_mesh_destroy(mesh);
}

static void millimetres_are_suspected(void) {
  plMesh* mesh = cube_tets();
  pl_mesh_transform(mesh, v3(150, 20, 30), pose_identity());
  char text[2000];
  CHECK_INT(check(mesh).looks_like_mm, 1);
  sentences(mesh, text);
  CHECK_HAS(text, "150 m long");
  CHECK_HAS(text, "0.001");
  pl_mesh_destroy(mesh);
}

static void nothing_left_is_an_error(void) {
  plMesh* mesh = cube_tets();
  pl_mesh_transform(mesh, v3(1, 1, 0), pose_identity());
  plError error;
  CHECK_INT(check(mesh).flat, 6);
  CHECK(pl_mesh_repair(mesh, NULL, 0, &error) == PL_ERROR_INPUT);
  CHECK_HAS(error.message, "flat");
  CHECK_INT(mesh->ntet, 6);
  mesh->ntet = 0;
  CHECK(pl_mesh_repair(mesh, NULL, 0, &error) == PL_ERROR_INPUT);
  char text[2000];
  sentences(mesh, text);
  CHECK_HAS(text, "no tetrahedron and no triangle");
  pl_mesh_destroy(mesh);
}

static void a_short_buffer_is_terminated(void) {
  plMesh* mesh = cube_tets();
  pl_mesh_transform(mesh, v3(150, 20, 0), pose_identity());
  plMeshReport r = check(mesh);
  char text[2000], small[20];
  int n = pl_mesh_report_text(&r, text, sizeof text);
  memset(small, 'x', sizeof small);
  CHECK_INT(pl_mesh_report_text(&r, small, sizeof small), n);
  CHECK_INT(strlen(small), sizeof small - 1);
  CHECK(!strncmp(small, text, sizeof small - 1));
  CHECK_INT(pl_mesh_report_text(&r, NULL, 0), n);
  pl_mesh_destroy(mesh);
}

static void running_out_of_memory_leaves_the_mesh_alone(void) {
  plMesh* mesh = two_cubes(0.5, 3);
  for (int t = 12; t < 24; t++) turn(mesh, t);
  plMesh* before = pl_mesh_copy(mesh, NULL);
  plStatus status = PL_ERROR_MEMORY;
  for (int n = 0; status && n < 1000; n++) {
    pl_alloc_fail_after(n);
    status = pl_mesh_repair(mesh, NULL, 0, NULL);
    pl_alloc_fail_after(-1);
    if (status) {
      CHECK(status == PL_ERROR_MEMORY);
      CHECK(!memcmp(mesh->tri, before->tri, 72 * sizeof(int)));
    }
  }
  CHECK(status == PL_OK);
  status = PL_ERROR_MEMORY;
  for (int n = 0; status && n < 1000; n++) {
    plMeshReport report;
    pl_alloc_fail_after(n);
    status = pl_mesh_check(mesh, &report, NULL);
    pl_alloc_fail_after(-1);
    if (status) CHECK(status == PL_ERROR_MEMORY);
  }
  CHECK(status == PL_OK);
  pl_mesh_destroy(mesh);
  pl_mesh_destroy(before);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_good_cube_has_no_finding);
  RUN(a_regular_tet_has_quality_one);
  RUN(inverted_tets_are_turned);
  RUN(flat_and_duplicate_tets_and_unused_vertices_go);
  RUN(a_surface_from_separate_triangles_is_welded);
  RUN(a_hole_and_a_fin_are_counted);
  RUN(two_tets_that_share_an_edge_are_not_manifold);
  RUN(triangles_are_turned_outward);
  RUN(a_cavity_stays_a_cavity);
  RUN(triangles_beside_tetrahedra_are_faces_or_named);
  RUN(a_separate_part_faces_outward);
  RUN(a_flat_triangle_is_joined_to_its_neighbour);
  RUN(collapsed_and_repeated_triangles_go);
  RUN(a_moebius_strip_does_not_loop);
  RUN(what_is_not_finite_is_named_and_refused);
  RUN(huge_coordinates_do_no_harm);
  RUN(millimetres_are_suspected);
  RUN(nothing_left_is_an_error);
  RUN(a_short_buffer_is_terminated);
  RUN(running_out_of_memory_leaves_the_mesh_alone);
  return CHECK_END;
}

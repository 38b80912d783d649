// Meshes: creation and destruction, boundary, edges, transform.
#include "check.h"

#include "base/memory.h"
#include "geom/mesh.h"
#include "math/pose.h"

// n x n x n cells of the unit cube, each of six tets round its diagonal.
static plMesh* cube(int n) {
  static const int path[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                 {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
  int m = n + 1;
  plMesh* mesh = pl_mesh_create(m * m * m, 6 * n * n * n, 0, NULL);
  for (int k = 0, v = 0; k < m; k++)
    for (int j = 0; j < m; j++)
      for (int i = 0; i < m; i++, v++)
        v3_store(mesh->vert + 3 * v, v3((double)i / n, (double)j / n, (double)k / n));
  int* tet = mesh->tet;
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        for (int p = 0; p < 6; p++)
          for (int c = 0; c < 4; c++, tet++) {
            int bits = path[p][c];
            *tet = (i + (bits & 1)) + m * ((j + (bits >> 1 & 1)) + m * (k + (bits >> 2 & 1)));
          }
  return mesh;
}

// The volume enclosed by the triangles, by the divergence theorem.
static double enclosed(const plMesh* mesh) {
  double six = 0;
  for (int t = 0; t < mesh->ntri; t++) {
    plVec3 a = pl_mesh_vertex(mesh, mesh->tri[3 * t]), b = pl_mesh_vertex(mesh, mesh->tri[3 * t + 1]);
    six += v3_dot(v3_cross(a, b), pl_mesh_vertex(mesh, mesh->tri[3 * t + 2]));
  }
  return six / 6;
}

static void one_tet_has_four_outward_faces(void) {
  plMesh* mesh = pl_mesh_create(4, 1, 0, NULL);
  memcpy(mesh->vert, (double[12]){0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof(double[12]));
  memcpy(mesh->tet, (int[4]){0, 1, 2, 3}, sizeof(int[4]));
  CHECK_NEAR(pl_mesh_tet_volume6(mesh, 0), 1, 1e-15);
  CHECK(pl_mesh_boundary(mesh, NULL) == PL_OK);
  CHECK_INT(mesh->ntri, 4);
  CHECK_NEAR(enclosed(mesh), 1.0 / 6, 1e-15);
  // The faces come in order: opposite vertex 0, 1, 2, 3.
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++) CHECK(mesh->tri[3 * i + j] != i);
  // An inverted tet has the same outward faces.
  memcpy(mesh->tet, (int[4]){0, 2, 1, 3}, sizeof(int[4]));
  CHECK(pl_mesh_boundary(mesh, NULL) == PL_OK);
  CHECK_NEAR(enclosed(mesh), 1.0 / 6, 1e-15);
  pl_mesh_destroy(mesh);
}

static void the_boundary_of_a_cube_is_its_faces(void) {
  plMesh* mesh = cube(4);
  CHECK(pl_mesh_boundary(mesh, NULL) == PL_OK);
  CHECK_INT(mesh->ntri, 6 * 2 * 4 * 4);
  CHECK_NEAR(enclosed(mesh), 1, 1e-14);
  double area = 0;
  for (int t = 0; t < mesh->ntri; t++) area += v3_norm(pl_mesh_tri_area2(mesh, t)) / 2;
  CHECK_NEAR(area, 6, 8.5e-14);
  pl_mesh_destroy(mesh);
}

static void edges_match_brute_force(void) {
  plMesh* mesh = cube(2);
  CHECK(pl_mesh_boundary(mesh, NULL) == PL_OK);
  char seen[27][27] = {{0}};
  int expected = 0;
  for (int t = 0; t < mesh->ntet; t++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        int a = mesh->tet[4 * t + i], b = mesh->tet[4 * t + j];
        if (a < b && !seen[a][b]) seen[a][b] = 1, expected++;
      }
  int *edge, nedge;
  CHECK(pl_mesh_edges(mesh, &edge, &nedge, NULL) == PL_OK);
  CHECK_INT(nedge, expected);
  for (int e = 0; e < nedge; e++) CHECK(seen[edge[2 * e]][edge[2 * e + 1]] == 1);
  for (int e = 1; e < nedge; e++)
    CHECK(edge[2 * e - 2] < edge[2 * e] ||
          (edge[2 * e - 2] == edge[2 * e] && edge[2 * e - 1] < edge[2 * e + 1]));
  pl_free(edge);
  pl_mesh_destroy(mesh);
}

static void a_transform_scales_and_moves(void) {
  plMesh* mesh = cube(2);
  plPose pose = {{1, 2, 3}, quat_from_axis_angle(v3(0, 0, 1), acos(-1.0) / 2)};
  pl_mesh_transform(mesh, v3(2, 3, 4), pose);
  // The corner (1, 1, 1) goes to (2, 3, 4), turns to (-3, 2, 4), lands at (-2, 4, 7).
  CHECK_NEAR(mesh->vert[3 * 26], -2, 1e-14);
  CHECK_NEAR(mesh->vert[3 * 26 + 1], 4, 1e-14);
  CHECK_NEAR(mesh->vert[3 * 26 + 2], 7, 1e-14);
  CHECK(pl_mesh_boundary(mesh, NULL) == PL_OK);
  CHECK_NEAR(enclosed(mesh), 24, 3.4e-13);
  // A mirror image keeps every tet positive and every triangle outward.
  pl_mesh_transform(mesh, v3(-1, 1, 1), pose_identity());
  for (int t = 0; t < mesh->ntet; t++) CHECK(pl_mesh_tet_volume6(mesh, t) > 0);
  CHECK_NEAR(enclosed(mesh), 24, 3.4e-13);
  pl_mesh_destroy(mesh);
}

static void a_copy_stands_alone(void) {
  plMesh* mesh = cube(1);
  CHECK(pl_mesh_boundary(mesh, NULL) == PL_OK);
  plMesh* copy = pl_mesh_copy(mesh, NULL);
  CHECK_INT(copy->ntri, 12);
  CHECK(!memcmp(copy->tri, mesh->tri, 36 * sizeof(int)) && copy->tri != mesh->tri);
  pl_mesh_destroy(mesh);
  CHECK_NEAR(copy->vert[3 * 7], 1, 0);
  pl_mesh_destroy(copy);
  pl_mesh_destroy(NULL);
}

static void wrong_ids_and_counts_are_refused(void) {
  plError error;
  CHECK(pl_mesh_create(-1, 0, 0, &error) == NULL && error.status == PL_ERROR_INPUT);
  CHECK(pl_mesh_create(1, INT32_MAX, 0, &error) == NULL && error.status == PL_ERROR_INPUT);
  plMesh* mesh = pl_mesh_create(4, 1, 0, &error);
  memcpy(mesh->tet, (int[4]){0, 1, 2, 4}, sizeof(int[4]));
  CHECK(pl_mesh_boundary(mesh, &error) == PL_ERROR_INPUT);
  CHECK_HAS(error.message, "refers to vertex 4");
  CHECK_INT(mesh->ntri, 0);
  pl_mesh_destroy(mesh);
}

static void an_empty_mesh_has_an_empty_boundary(void) {
  plMesh* mesh = pl_mesh_create(0, 0, 0, NULL);
  CHECK(pl_mesh_boundary(mesh, NULL) == PL_OK);
  CHECK_INT(mesh->ntri, 0);
  pl_mesh_destroy(mesh);
}

static void running_out_of_memory_leaves_the_mesh_alone(void) {
  plMesh* mesh = cube(1);
  plError error;
  plStatus status = PL_ERROR_MEMORY;
  int n = 0;
  for (; status && n < 100; n++) {
    pl_alloc_fail_after(n);
    status = pl_mesh_boundary(mesh, &error);
    pl_alloc_fail_after(-1);
    if (status) {
      CHECK(status == PL_ERROR_MEMORY);
      CHECK_INT(mesh->ntri, 0);
    }
  }
  CHECK(n > 3);
  CHECK_INT(mesh->ntri, 12);
  pl_mesh_destroy(mesh);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(one_tet_has_four_outward_faces);
  RUN(the_boundary_of_a_cube_is_its_faces);
  RUN(edges_match_brute_force);
  RUN(a_transform_scales_and_moves);
  RUN(a_copy_stands_alone);
  RUN(wrong_ids_and_counts_are_refused);
  RUN(an_empty_mesh_has_an_empty_boundary);
  RUN(running_out_of_memory_leaves_the_mesh_alone);
  return CHECK_END;
}

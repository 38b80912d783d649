// Mass matrices against exact integrals; patches of tetrahedra: whole, connected, of the wanted size.
#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "fem/mass.h"
#include "fem/patches.h"
#include "fem/points.h"
#include "linalg/bsym.h"
#include "linalg/blocks.h"
#include "math/vec3.h"

// u' M w over the pattern of K
static double product(const plBsym* K, const double* m, const double* u, const double* w) {
  double sum = 0;
  for (int j = 0; j < K->n; j++)
    for (int k = K->col0[j]; k < K->col0[j + 1]; k++)
      sum += m[k] * (K->row[k] == j ? u[j] * w[j] : u[j] * w[K->row[k]] + u[K->row[k]] * w[j]);
  return sum;
}

// A box with its corner at the origin, interior vertices moved.
static plMesh* box(int cells) {
  plMesh* mesh;
  plRandom r = {3};
  CHECK_INT(pl_mesh_box_cells((plVec3){1, 2, 3}, cells, cells, cells, &mesh, NULL), PL_OK);
  for (int i = 0; i < mesh->nvert; i++) {
    double* x = mesh->vert + 3 * i;
    bool inside = fabs(x[0]) < 0.49 && fabs(x[1]) < 0.99 && fabs(x[2]) < 1.49;
    for (int c = 0; c < 3; c++) x[c] += (inside ? pl_random(&r, -0.04, 0.04) : 0) + 0.5 * (c + 1);
  }
  return mesh;
}

// linear functions: integral of x^2, x y over 1 x 2 x 3 at density 5
static void check_linear_moments(const plBsym* K, const double* m, const double* vert, bool lumped) {
  double *one = PL_NEW(double, K->n), *x = PL_NEW(double, K->n), *y = PL_NEW(double, K->n);
  for (int i = 0; i < K->n; i++) one[i] = 1, x[i] = vert[3 * i], y[i] = vert[3 * i + 1];
  CHECK_NEAR(product(K, m, one, one), 30, 4.2e-13);
  CHECK_NEAR(product(K, m, one, x), 15, 2.1e-13);
  CHECK_NEAR(product(K, m, one, y), 30, 4.2e-13);
  if (!lumped) {
    CHECK_NEAR(product(K, m, x, x), 10, 1.4e-13);
    CHECK_NEAR(product(K, m, x, y), 15, 2.1e-13);
  }
  for (int j = 0; lumped && j < K->n; j++)
    for (int k = K->col0[j]; k < K->col0[j + 1]; k++) CHECK(K->row[k] == j ? m[k] > 0 : m[k] == 0);
  pl_free(one), pl_free(x), pl_free(y);
}

static void tet4_mass_is_exact_for_linear_functions(void) {
  plMesh* mesh = box(2);
  plBsym* K;
  CHECK_INT(blocks_create(mesh->nvert, mesh->ntet, 4, mesh->tet, &K, NULL), PL_OK);
  for (int lumped = 0; lumped < 2; lumped++) {
    double* m = PL_NEW(double, K->nblock);
    pl_mass_tet4(mesh, 5, lumped, K->col0, K->row, m);
    check_linear_moments(K, m, mesh->vert, lumped);
    pl_free(m);
  }
  pl_bsym_destroy(K);
  pl_mesh_destroy(mesh);
}

// quadratic functions are interpolated exactly: integral of x^4, x^2 y^2, x^2 z
static void tet10_mass_is_exact_for_quadratic_functions(void) {
  plMesh* mesh = box(2);
  int *edge, nedge, *tet10;
  CHECK_INT(pl_tet10_nodes(mesh, &edge, &nedge, &tet10, NULL), PL_OK);
  int n = mesh->nvert + nedge;
  double *vert = PL_NEW(double, 3 * n), *xx = PL_NEW(double, n), *yy = PL_NEW(double, n),
         *z = PL_NEW(double, n);
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) {
      const int* e = edge + 2 * (i - mesh->nvert);
      vert[3 * i + c] = i < mesh->nvert ? mesh->vert[3 * i + c]
                                        : 0.5 * (mesh->vert[3 * e[0] + c] + mesh->vert[3 * e[1] + c]);
    }
  for (int i = 0; i < n; i++)
    xx[i] = vert[3 * i] * vert[3 * i], yy[i] = vert[3 * i + 1] * vert[3 * i + 1], z[i] = vert[3 * i + 2];
  plBsym* K;
  CHECK_INT(blocks_create(n, mesh->ntet, 10, tet10, &K, NULL), PL_OK);
  for (int lumped = 0; lumped < 2; lumped++) {
    double* m = PL_NEW(double, K->nblock);
    pl_mass_tet10(mesh, tet10, 5, lumped, K->col0, K->row, m);
    check_linear_moments(K, m, vert, lumped);
    if (!lumped) {
      CHECK_NEAR(product(K, m, xx, xx), 5 * 6.0 / 5, 8.5e-14);
      CHECK_NEAR(product(K, m, xx, yy), 5 * 1.0 / 3 * 8.0 / 3 * 3, 1.8e-13);
      CHECK_NEAR(product(K, m, xx, z), 5 * 1.0 / 3 * 2 * 4.5, 2.1e-13);
    }
    pl_free(m);
  }
  pl_bsym_destroy(K);
  pl_free(edge), pl_free(tet10), pl_free(vert), pl_free(xx), pl_free(yy), pl_free(z);
  pl_mesh_destroy(mesh);
}

// tets that share three vertices
static bool share_face(const plMesh* mesh, int s, int t) {
  int n = 0;
  for (int a = 0; a < 16; a++) n += mesh->tet[4 * s + a / 4] == mesh->tet[4 * t + a % 4];
  return n == 3;
}

static void patches_are_connected_and_of_the_wanted_size(void) {
  for (int cells = 1; cells <= 5; cells++) {
    plMesh* mesh = box(cells);
    int *label = PL_NEW(int, mesh->ntet), *again = PL_NEW(int, mesh->ntet),
        *reached = PL_NEW(int, mesh->ntet), n, m;
    CHECK_INT(pl_patches(mesh, 12, label, &n, NULL), PL_OK);
    CHECK_INT(pl_patches(mesh, 12, again, &m, NULL), PL_OK);
    CHECK(n == m && !memcmp(label, again, (size_t)mesh->ntet * sizeof(int)));
    for (int p = 0; p < n; p++) {
      int count = 0, first = -1, found = 1, before;
      for (int t = 0; t < mesh->ntet; t++) {
        reached[t] = 0;
        if (label[t] == p) count++, first = first < 0 ? t : first;
      }
      CHECK(count >= 6 || n == 1);
      CHECK(count <= 36);
      reached[first] = 1;
      do {
        before = found;
        for (int s = 0; s < mesh->ntet; s++)
          for (int t = 0; reached[s] && t < mesh->ntet; t++)
            if (label[t] == p && !reached[t] && share_face(mesh, s, t)) reached[t] = 1, found++;
      } while (found > before);
      CHECK_INT(found, count);
    }
    pl_free(label), pl_free(again), pl_free(reached);
    pl_mesh_destroy(mesh);
  }
}

static void one_tet_is_one_patch(void) {
  double vert[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  int tet[] = {0, 1, 2, 3}, label[1] = {-1}, n = 0;
  plMesh mesh = {.nvert = 4, .ntet = 1, .vert = vert, .tet = tet};
  CHECK_INT(pl_patches(&mesh, 12, label, &n, NULL), PL_OK);
  CHECK(n == 1 && label[0] == 0);
}

// Tets that overlap may have three or more on one face: each is in a patch all the same.
static void many_tets_may_share_a_face(void) {
  enum { TETS = 40 };
  plRandom r = {5};
  for (int k = 0; k < 300; k++) {
    double vert[3 * 8];
    int tet[4 * TETS], label[TETS], n = 0;
    for (int i = 0; i < 24; i++) vert[i] = pl_random(&r, 0, 1);
    for (int t = 0; t < TETS; t++) {
      int* v = tet + 4 * t;
      for (int a = 0; a < 4; a++) v[a] = a < 3 && t ? tet[4 * (t - 1) + a + 1] : pl_random_int(&r, 8);
      if (v[3] == v[0] || v[3] == v[1] || v[3] == v[2] || v[0] == v[1] || v[0] == v[2] || v[1] == v[2]) t--;
    }
    plMesh mesh = {.nvert = 8, .ntet = TETS, .vert = vert, .tet = tet};
    CHECK_INT(pl_patches(&mesh, 1 + k % 12, label, &n, NULL), PL_OK);
    for (int t = 0; t < TETS; t++) CHECK(label[t] >= 0 && label[t] < n);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(tet4_mass_is_exact_for_linear_functions);
  RUN(tet10_mass_is_exact_for_quadratic_functions);
  RUN(patches_are_connected_and_of_the_wanted_size);
  RUN(one_tet_is_one_patch);
  RUN(many_tets_may_share_a_face);
  return CHECK_END;
}

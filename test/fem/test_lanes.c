// The batched element work against the plain one and the general assembly, for every instruction set of the
// machine: inverted and singular tets among common ones, a last batch that is not full, plane strain, mass,
// threads.
#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "fem/lanes.h"
#include "fem/layers.h"
#include "fem/elastic.h"
#include "linalg/bsym.h"
#include "linalg/blocks.h"
#include "math/polar.h"
#include "math/pose.h"

typedef struct Body {
  plMesh* mesh;
  plPoints* points;
  plLaw law;
  plBsym* K;
  plLanes* batch;
  plLanesWork* work;
  int* place;
  double *x, *f;
} Body;

// noise: how far vertices are moved, in cells; above 0.5 tets turn inside out
static Body make_body(int cells, double noise, bool plane) {
  Body b = {0};
  plRandom r = {1};
  plMaterial material = pl_default_material();
  CHECK_INT(pl_mesh_box_cells((plVec3){1, 0.8, 0.6}, cells, cells, cells, &b.mesh, NULL), PL_OK);
  b.law = pl_law_of_material(&material, false);
  CHECK_INT(pl_points_tet4(b.mesh, &b.points, NULL), PL_OK);
  if (plane) CHECK(pl_points_set_plane_strain(b.points, b.mesh->vert));
  CHECK_INT(blocks_create(b.mesh->nvert, b.mesh->ntet, 4, b.points->node, &b.K, NULL), PL_OK);
  CHECK_INT(pl_lanes_create(b.points, b.K->col0, b.K->row, &b.batch, NULL), PL_OK);
  b.work = pl_lanes_work_create(b.batch, &b.law);
  b.place = PL_NEW(int, 16 * b.mesh->ntet);
  b.x = PL_NEW(double, 3 * b.mesh->nvert);
  b.f = PL_NEW(double, 3 * b.mesh->nvert);
  blocks_places(b.K, b.mesh->ntet, 4, b.points->node, b.place);
  plQuat turn = quat_from_axis_angle(v3(1, plane ? 0 : 2, 3), plane ? 0 : 1.1);
  for (int i = 0; i < b.mesh->nvert; i++) {
    plVec3 d;
    d.z = plane ? 0 : pl_random(&r, -1, 1), d.y = pl_random(&r, -1, 1), d.x = pl_random(&r, -1, 1);
    d = v3_scale(noise / cells, d);
    v3_store(b.x + 3 * i, quat_rotate(turn, v3_add(v3_load(b.mesh->vert + 3 * i), d)));
  }
  return b;
}

static void free_body(Body* b) {
  pl_lanes_work_destroy(b->work), pl_lanes_destroy(b->batch), pl_bsym_destroy(b->K),
      pl_points_destroy(b->points);
  pl_mesh_destroy(b->mesh), pl_free(b->place), pl_free(b->x), pl_free(b->f);
}

static double largest(const double* a, int n) {
  double m = 0;
  for (int i = 0; i < n; i++) m = fmax(m, fabs(a[i]));
  return m;
}

// every path of the machine equals the plain version to 1e-12
static void batches_equal_the_plain_version(void) {
  for (int k = 0; k < 6; k++) {
    Body b = make_body(k % 3 + 1, k < 3 ? 0.15 : 0.8, false);
    int n = 3 * b.mesh->nvert, nk = 9 * b.K->nblock;
    double *f = PL_NEW(double, n), *block = PL_NEW(double, nk);
    pl_plain_elements(b.points, &b.law, b.x, b.place, f, block);
    double f_size = largest(f, n), k_size = largest(block, nk);
    for (int isa = 0; isa <= (int)pl_isa_machine(); isa++) {
      pl_lanes_whole(pl_lanes_kernels((plIsa)isa), b.batch, b.work, b.x, b.f, b.K->block, NULL);
      for (int i = 0; i < n; i++) CHECK_NEAR(b.f[i], f[i], 1.2e-13 * f_size);
      for (int i = 0; i < nk; i++) CHECK_NEAR(b.K->block[i], block[i], 1.4e-14 * k_size);
    }
    pl_free(f), pl_free(block);
    free_body(&b);
  }
}

// rotations of every kind of F, lane by lane, against the SVD
static void batched_polar_is_the_nearest_rotation(void) {
  enum { NBATCH = 500 };
  plRandom r = {2};
  double *F = PL_NEW(double, 9 * PL_LANES * NBATCH), *R = PL_NEW(double, 9 * PL_LANES * NBATCH);
  for (int b = 0; b < NBATCH; b++)
    for (int l = 0; l < PL_LANES; l++) {
      plMat3 A;
      double size = (b + l) % 5 == 0 ? 1 : 0.2;
      for (int i = 0; i < 9; i++) A.m[i] = pl_random(&r, -size, size) + ((b + l) % 5 && i % 4 == 0);
      if ((b + l) % 37 == 0) A = m3_zero();
      if ((b + l) % 41 == 0) A = m3_diag(1, 1, 0);
      if ((b + l) % 43 == 0) A = m3_scale(1e-9, A);
      for (int i = 0; i < 9; i++) F[(9 * b + i) * PL_LANES + l] = A.m[i];
    }
  for (int isa = 0; isa <= (int)pl_isa_machine(); isa++) {
    pl_lanes_kernels((plIsa)isa)->polar(F, R, NBATCH);
    for (int b = 0; b < NBATCH; b++)
      for (int l = 0; l < PL_LANES; l++) {
        plMat3 A, Q;
        for (int i = 0; i < 9; i++)
          A.m[i] = F[(9 * b + i) * PL_LANES + l], Q.m[i] = R[(9 * b + i) * PL_LANES + l];
        plMat3 S = m3_mul(m3_transpose(Q), A), best = m3_mul(m3_transpose(pl_polar_svd(A)), A);
        CHECK_NEAR(m3_norm(m3_sub(m3_mul(m3_transpose(Q), Q), m3_identity())), 0, 4e-15);
        CHECK_NEAR(m3_det(Q), 1, 4e-15);
        CHECK_ROUND(m3_norm(m3_sub(S, m3_transpose(S))), 0, m3_norm(A));
        CHECK_NEAR(m3_trace(S), m3_trace(best), 1e-14 * m3_norm(A));
      }
  }
  pl_free(F), pl_free(R);
}

// f and K by the law itself, point by point, with pressures of groups; dense K, both triangles
static void by_the_law(const Body* b, const plLaw* law, const double* frozen, const double* y, double* f,
                       double* K) {
  const plPoints* p = b->points;
  int n = 3 * p->nnode;
  for (int g = 0; g < p->ngroup; g++) {
    double mean = 0, *B = PL_NEW(double, n);
    for (int k = p->group_point0[g]; k < p->group_point0[g + 1]; k++) {
      int q = p->group_point[k];
      double theta;
      pl_law_energy(law, pl_points_gradient(p, q, y), pl_polar(pl_points_gradient(p, q, frozen)), &theta);
      mean += theta * p->volume[q] / p->group_volume[g];
    }
    for (int k = p->group_point0[g]; k < p->group_point0[g + 1]; k++) {
      int q = p->group_point[k];
      plMat3 F = pl_points_gradient(p, q, y), R = pl_polar(pl_points_gradient(p, q, frozen)), dtheta;
      plMat3 P = pl_law_stress(law, F, R, law->kappa * mean, &dtheta);
      double H[81];
      pl_law_tangent(law, F, R, law->kappa * mean, PL_TANGENT_EXACT, H);
      for (int a = p->node0[q]; a < p->node0[q + 1]; a++) {
        plVec3 ga = v3_load(p->grad + 3 * a), fa = v3_scale(-p->volume[q], m3_mulv(P, ga)),
               ba = m3_mulv(dtheta, ga);
        int i = 3 * p->node[a];
        v3_store(f + i, v3_add(v3_load(f + i), fa));
        v3_store(B + i, v3_madd(v3_load(B + i), p->volume[q] / p->group_volume[g], ba));
        for (int c = p->node0[q]; c < p->node0[q + 1]; c++)
          for (int e = 0; e < 81; e++) {
            int row = e % 9, col = e / 9;
            K[n * (3 * p->node[c] + col % 3) + i + row % 3] +=
                p->volume[q] * p->grad[3 * a + row / 3] * H[e] * p->grad[3 * c + col / 3];
          }
      }
    }
    for (int e = 0; e < n * n; e++) K[e] += law->kappa * p->group_volume[g] * B[e / n] * B[e % n];
    pl_free(B);
  }
}

// What holds the layers together (fem/layers.h) is added to both.
static void add_layers(const Body* b, const plBsym* K, const plLaw* law, const double* y, double* f,
                       double* D) {
  plLayers* layers = pl_layers_create(b->points, K->col0, K->row);
  int n = 3 * b->mesh->nvert;
  CHECK(layers && layers->n > 0);
  pl_layers_add_force(layers, law->mu, y, f);
  for (int t = 0; t < layers->n; t++)
    for (int c = 0; c < 2; c++) {
      int i = 3 * layers->tie[t].i + c, j = 3 * layers->tie[t].j + c;
      double k = law->mu * layers->tie[t].k;
      D[n * i + i] += k, D[n * j + j] += k, D[n * i + j] -= k, D[n * j + i] -= k;
    }
  pl_free(layers);
}

// frozen rotations of another configuration, mass, plane strain, groups of one tet or patches with most of
// lambda
static void batches_follow_the_law(void) {
  for (int k = 0; k < 4; k++) {
    bool plane = k % 2, grouped = k / 2;
    Body b = make_body(3, 0.2, plane);
    int n = 3 * b.mesh->nvert, nblock = b.K->nblock, *label = PL_NEW(int, b.points->npoint);
    plMaterial material = pl_default_material();
    material.poisson = 0.47;
    plLaw law = pl_law_of_material(&material, grouped);
    for (int i = 0; i < b.points->npoint; i++) label[i] = i;
    if (grouped)
      CHECK_INT(pl_points_set_patches(b.points, b.mesh, 1, NULL), PL_OK);
    else
      CHECK_INT(pl_points_set_groups(b.points, b.points->npoint, label, NULL), PL_OK);
    int nelement, *start, *node;
    plBsym* K;
    plElastic* elastic;
    CHECK_INT(pl_elastic_couplings(b.points, &nelement, &start, &node, NULL), PL_OK);
    CHECK_INT(pl_bsym_create(b.mesh->nvert, nelement, start, node, &K, NULL), PL_OK);
    CHECK_INT(pl_elastic_create(b.points, law.kind, K->col0, K->row, &elastic, NULL), PL_OK);
    plElasticWork* work = pl_elastic_work_create(elastic, law);
    nblock = K->nblock;
    double *f = PL_NEW(double, n), *y = PL_NEW(double, n), *D = PL_NEW(double, (size_t)n*(size_t)n),
           *mass = PL_NEW(double, nblock);
    plRandom r = {3};
    for (int i = 0; i < n; i++) y[i] = b.x[i] + (plane && i % 3 == 2 ? 0 : pl_random(&r, -0.02, 0.02));
    for (int i = 0; i < nblock; i++) mass[i] = pl_random(&r, 0, 1);
    pl_elastic_freeze(elastic, work, b.x, NULL);
    pl_elastic_stiffness(elastic, work, y, PL_TANGENT_EXACT, 0.3, 0, mass, 7, K->block, b.f, NULL);
    by_the_law(&b, &law, b.x, y, f, D);
    if (plane) add_layers(&b, K, &law, y, f, D);
    double f_size = largest(f, n), k_size = largest(D, n * n);
    for (int i = 0; i < n; i++) CHECK_ROUND(b.f[i], f[i], f_size);
    for (int j = 0; j < K->n; j++)
      for (int at = K->col0[j]; at < K->col0[j + 1]; at++)
        for (int e = 0; e < 9; e++)
          CHECK_ROUND(K->block[9 * at + e],
                      0.3 * D[n * (3 * j + e / 3) + 3 * K->row[at] + e % 3] + (e % 4 == 0 ? 7 * mass[at] : 0),
                      0.5 * k_size);
    // The energy with the rotations at y: the same whether they are frozen there or not. If not, forces stay.
    plElasticWork* other = pl_elastic_work_create(elastic, law);
    double measured = pl_elastic_own_energy(elastic, work, y, false, NULL);
    CHECK(measured == pl_elastic_own_energy(elastic, other, y, true, NULL) && measured > 0);
    if (law.kappa == 0) {
      pl_elastic_force(elastic, work, y, f, NULL);
      CHECK(!memcmp(b.f, f, (size_t)n * sizeof *f));
    }
    pl_elastic_work_destroy(other);
    pl_elastic_work_destroy(work), pl_elastic_destroy(elastic), pl_bsym_destroy(K);
    pl_free(label), pl_free(start), pl_free(node), pl_free(f), pl_free(y), pl_free(D), pl_free(mass);
    free_body(&b);
  }
}

// t of material at rest is the root of rounding.
static void rest_has_no_rotation_and_no_force(void) {
  Body b = make_body(2, 0, false);
  pl_lanes_force(b.batch, b.work, b.mesh->vert, b.f, NULL);
  CHECK_NEAR(largest(b.f, 3 * b.mesh->nvert), 0, 3.8e-11);
  pl_lanes_stiffness(b.batch, b.work, 1, 0, NULL, 0, b.K->block, NULL);
  plBsym* other;
  CHECK_INT(blocks_create(b.mesh->nvert, b.mesh->ntet, 4, b.points->node, &other, NULL), PL_OK);
  pl_plain_elements(b.points, &b.law, b.mesh->vert, b.place, b.f, other->block);
  double size = largest(other->block, 9 * b.K->nblock);
  for (int i = 0; i < 9 * b.K->nblock; i++) CHECK_NEAR(b.K->block[i], other->block[i], 1.4e-8 * size);
  pl_bsym_destroy(other);
  free_body(&b);
}

static void threads_do_not_change_a_bit(void) {
  Body b = make_body(9, 0.3, false);
  size_t n = 3 * (size_t)b.mesh->nvert * sizeof(double), nk = 9 * (size_t)b.K->nblock * sizeof(double);
  double *f = pl_alloc(1, n), *block = pl_alloc(1, nk);
  pl_lanes_whole(pl_lanes_kernels(pl_isa()), b.batch, b.work, b.x, f, block, NULL);
  for (int threads = 2; threads <= 4; threads++) {
    plPool* pool = pl_pool_create(threads);
    pl_lanes_whole(pl_lanes_kernels(pl_isa()), b.batch, b.work, b.x, b.f, b.K->block, pool);
    CHECK(!memcmp(f, b.f, n) && !memcmp(block, b.K->block, nk));
    pl_pool_destroy(pool);
  }
  pl_free(f), pl_free(block);
  free_body(&b);
}

// The tests above go as far as the processor does.
static void every_instruction_set_was_tried(void) {
  if (pl_isa_machine() < PL_ISA_AVX512) SKIP_CPU("this processor lacks some instruction sets");
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(batches_equal_the_plain_version);
  RUN(batched_polar_is_the_nearest_rotation);
  RUN(batches_follow_the_law);
  RUN(rest_has_no_rotation_and_no_force);
  RUN(threads_do_not_change_a_bit);
  RUN(every_instruction_set_was_tried);
  return CHECK_END;
}

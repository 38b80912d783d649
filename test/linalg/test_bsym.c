// test_bsym.c: pattern, positions and product of block matrices against dense ones.
#include "linalg/bsym.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "sample.h"

static void pattern_from_elements_of_any_size(void) {
  // a triangle, an edge, a lone vertex named twice, and vertex 5 in no element
  int start[] = {0, 3, 5, 7}, vertex[] = {3, 0, 1, 4, 3, 2, 2};
  plBsym* A = NULL;
  CHECK(!pl_bsym_create(6, 3, start, vertex, &A, NULL));
  int col0[] = {0, 3, 5, 6, 8, 9, 10}, row[] = {0, 1, 3, 1, 3, 2, 3, 4, 4, 5};
  CHECK_INT(A->nblock, 10);
  for (int j = 0; j <= 6; j++) CHECK_INT(A->col0[j], col0[j]);
  for (int q = 0; q < 10; q++) CHECK_INT(A->row[q], row[q]);
  CHECK_INT(blocks_find(A, 3, 1), 4);
  CHECK_INT(blocks_find(A, 1, 3), 4);
  CHECK_INT(blocks_find(A, 5, 0), -1);
  CHECK_INT(blocks_find(A, 5, 5), 9);
  pl_bsym_destroy(A);
}

static void places_agree_with_find(void) {
  int tet[] = {4, 1, 3, 0, 2, 4, 1, 5};
  plBsym* A = NULL;
  int place[32];
  CHECK(!blocks_create(6, 2, 4, tet, &A, NULL));
  blocks_places(A, 2, 4, tet, place);
  for (int e = 0; e < 2; e++)
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++) {
        int i = tet[4 * e + a], j = tet[4 * e + b], at = place[16 * e + 4 * a + b];
        if (i < j)
          CHECK_INT(at, -1);
        else
          CHECK(at >= A->col0[j] && at < A->col0[j + 1] && A->row[at] == i);
      }
  pl_bsym_destroy(A);
}

static void product_agrees_with_dense(void) {
  Sample s = sample_box(3, 4, 3, 0.2, 1, 8);
  size_t m = 3 * (size_t)s.n;
  Wide* D = dense_matrix(s.A);
  double *x = PL_NEW(double, m), *y = PL_NEW(double, m);
  plRandom random = {2};
  for (size_t i = 0; i < m; i++) x[i] = pl_random(&random, -1, 1);
  pl_bsym_multiply(s.A, x, y);
  for (size_t i = 0; i < m; i++) {
    Wide sum = 0, size = 0;
    for (size_t j = 0; j < m; j++) sum += D[i + j * m] * x[j], size += fabsl(D[i + j * m] * x[j]);
    CHECK_NEAR(y[i], (double)sum, 1e-15 * (double)size);
  }
  free(D), pl_free(x), pl_free(y);
  sample_free(&s);
}

static void threads_change_no_bit_of_a_product(void) {
  for (int threads = 2; threads <= 5; threads++) {
    Sample s = sample_box(5 + threads, 6, 4, 0.2, 1, (uint64_t)threads);
    size_t m = 3 * (size_t)s.n;
    double *x = PL_NEW(double, m), *y = PL_NEW(double, m), *z = PL_NEW(double, m);
    plRandom random = {(uint64_t)threads};
    plPool* pool = pl_pool_create(threads);
    for (size_t i = 0; i < m; i++) x[i] = pl_random(&random, -1, 1), z[i] = NAN;
    pl_bsym_multiply(s.A, x, y);
    pl_bsym_multiply_shared(s.A, x, z, pool);
    CHECK(s.n > 2 * PL_BSYM_GRAIN && !memcmp(y, z, m * sizeof *y));
    pl_pool_destroy(pool);
    pl_free(x), pl_free(y), pl_free(z);
    sample_free(&s);
  }
}

static void a_failed_allocation_is_a_status(void) {
  int tet[] = {4, 1, 3, 0, 2, 4, 1, 5};
  long n = 0;
  for (; n < 20; n++) {
    plBsym* A = NULL;
    plError error;
    pl_alloc_fail_after(n);
    plStatus status = blocks_create(6, 2, 4, tet, &A, &error);
    pl_alloc_fail_after(-1);
    if (status == PL_OK) {
      CHECK(n > 3);
      pl_bsym_destroy(A);
      break;
    }
    CHECK_INT(status, PL_ERROR_MEMORY);
    CHECK(!A);
  }
  CHECK(n < 20);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(pattern_from_elements_of_any_size);
  RUN(places_agree_with_find);
  RUN(product_agrees_with_dense);
  RUN(threads_change_no_bit_of_a_product);
  RUN(a_failed_allocation_is_a_status);
  return CHECK_END;
}

// test_chol.c: the factorization against a dense one in extended precision, on random meshes and random
// participating sets.
#include "linalg/chol.h"

#include "check.h"
#include "linalg/chol_compliance.h"
#include "linalg/chol_parts.h"
#include "sample.h"

// Participating vertices of several kinds; returns how many.
enum { SET_NONE, SET_ONE, SET_RANDOM, SET_FACE, SET_TWO_ENDS, SET_ALL, SET_COUNT };
static int choose(const Sample* s, int kind, plRandom* random, int* vertex) {
  int count = 0;
  double top = 0;
  for (int v = 0; v < s->n; v++) top = fmax(top, s->position[3 * v + 2]);
  for (int v = s->n - 1; v >= 0; v--) {
    double z = s->position[3 * v + 2];
    bool in = kind == SET_ALL || (kind == SET_ONE && v == s->n / 2) ||
              (kind == SET_RANDOM && pl_random(random, 0, 1) < 0.3) || (kind == SET_FACE && z < 0.5) ||
              (kind == SET_TWO_ENDS && (z < 0.5 || z > top - 0.5));
    if (in) vertex[count++] = v;
  }
  return count;
}

// Everything the solver offers, for one matrix, one order and one set.
static void compare_with_dense(const Sample* s, plOrder order, int kind, uint64_t seed) {
  plRandom random = {seed};
  int n = s->n, np = 0, *set = PL_NEW(int, n), *vertex = PL_NEW(int, n);
  int nset = choose(s, kind, &random, set);
  plChol* chol = NULL;
  CHECK(!pl_chol_create(s->A, order, s->position, &chol, NULL));
  CHECK(!pl_chol_partition(chol, set, nset, NULL));
  CHECK_INT(chol->symbolic.np, nset);
  np = nset;
  const int* part = pl_chol_participating(chol);
  for (int i = 1; i < np; i++) CHECK(part[i - 1] < part[i]);
  // dense: others first, then the participating ones in the order the solver names
  int nn = 0;
  for (int v = 0, k = 0; v < n; v++) {
    if (k < np && part[k] == v)
      k++;
    else
      vertex[nn++] = v;
  }
  for (int k = 0; k < np; k++) vertex[nn + k] = part[k];
  size_t m = 3 * (size_t)n, mn = 3 * (size_t)nn, mp = 3 * (size_t)np;
  Wide *D = dense_matrix(s->A), *before = dense_select(D, n, vertex, n), *S = dense_select(D, n, vertex, n);
  dense_eliminate(S, m, mn);
  double condition = dense_condition(before, S, m, mn), unit = 1e-15 * condition;
  // A_hat
  double* A_hat = calloc(mp * mp + 1, sizeof(double));
  CHECK(!pl_chol_factor(chol, s->A, NULL));
  pl_chol_schur(chol, A_hat, (int)mp);
  double worst = 0, scale = 0;
  for (size_t j = 0; j < mp; j++)
    for (size_t i = j; i < mp; i++) {
      worst = fmax(worst, fabs(A_hat[i + j * mp] - (double)S[mn + i + (mn + j) * m]));
      scale = fmax(scale, fabs((double)S[mn + i + (mn + j) * m]));
    }
  CHECK_NEAR(worst, 0, unit * scale);  // wide: 4.5 eps of the condition, less than 64
  // interior: dv_n = -A_nn^-1 A_np dv_p
  enum { NRHS = 11 };  // a block of 8, a part of one, and one by itself
  double *dv = calloc(m, sizeof(double)), *b = calloc(NRHS * m, sizeof(double)),
         *x = calloc(NRHS * m, sizeof(double));
  Wide* rhs = calloc(m, sizeof(Wide));
  for (size_t i = 0; i < m; i++) dv[i] = pl_random(&random, -1, 1);
  for (size_t i = 0; i < mn; i++)
    for (size_t j = 0; j < mp; j++)
      rhs[i] -= before[i + (mn + j) * m] * dv[3 * vertex[nn + (int)j / 3] + (int)j % 3];
  dense_solve(S, m, mn, rhs);
  pl_chol_interior(chol, dv, NULL);
  double size = 0;
  worst = 0;
  for (size_t i = 0; i < mn; i++) {
    worst = fmax(worst, fabs(dv[3 * vertex[i / 3] + (int)i % 3] - (double)rhs[i]));
    size = fmax(size, fabs((double)rhs[i]));
  }
  CHECK_NEAR(worst, 0, unit * size);  // wide: 4.5 eps of the condition, less than 64
  // solve, several right-hand sides and one
  CHECK(!pl_chol_factor_rest(chol, NULL));
  dense_eliminate(S, m, 0);
  Wide* F = dense_select(D, n, vertex, n);
  dense_eliminate(F, m, m);
  double condition_all = dense_condition(before, F, m, m);
  for (size_t i = 0; i < NRHS * m; i++) x[i] = b[i] = pl_random(&random, -1, 1);
  pl_chol_solve(chol, x, NRHS - 1, NULL);
  pl_chol_solve(chol, x + (NRHS - 1) * m, 1, NULL);
  for (int k = 0; k < NRHS; k++) {
    for (size_t i = 0; i < m; i++) rhs[i] = b[(size_t)k * m + (size_t)(3 * vertex[i / 3]) + i % 3];
    dense_solve(F, m, m, rhs);
    worst = 0, size = 0;
    for (size_t i = 0; i < m; i++) {
      worst = fmax(worst, fabs(x[(size_t)k * m + (size_t)(3 * vertex[i / 3]) + i % 3] - (double)rhs[i]));
      size = fmax(size, fabs((double)rhs[i]));
    }
    CHECK_NEAR(worst, 0, 1e-15 * condition_all * size);  // wide: 4.5 eps of the condition, less than 64
  }
  // A_hat is still there
  double* again = calloc(mp * mp + 1, sizeof(double));
  pl_chol_schur(chol, again, (int)mp);
  CHECK(!memcmp(again, A_hat, mp * mp * sizeof(double)));
  free(D), free(before), free(S), free(F), free(A_hat), free(again), free(dv), free(b), free(x), free(rhs);
  pl_free(set), pl_free(vertex);
  pl_chol_destroy(chol);
}

static void agrees_with_dense_elimination(void) {
  for (int k = 0; k < 4; k++) {
    int nx = 2 + k, ny = 3, nz = 3 + k % 2;
    Sample s = sample_box(nx, ny, nz, 0.1 * k, k % 2 ? 1e-3 : 1, 11 + (uint64_t)k);
    for (int order = PL_ORDER_NATURAL; order <= PL_ORDER_DISSECTION; order++)
      for (int kind = 0; kind < SET_COUNT; kind++)
        compare_with_dense(&s, (plOrder)order, kind, 5 + (uint64_t)k);
    sample_free(&s);
  }
}

// The same of matrices without z, which are factored as 2 x 2 blocks.
static void agrees_where_nothing_happens_along_z(void) {
  for (int k = 0; k < 4; k++) {
    Sample s = sample_box(3 + k, 4, 3 + k % 2, 0.1 * k, k % 2 ? 1e-3 : 1, 31 + (uint64_t)k);
    sample_flatten(&s);
    for (int order = PL_ORDER_NATURAL; order <= PL_ORDER_DISSECTION; order++)
      for (int kind = 0; kind < SET_COUNT; kind++)
        compare_with_dense(&s, (plOrder)order, kind, 5 + (uint64_t)k);
    plChol* chol = NULL;
    CHECK(!pl_chol_create(s.A, PL_ORDER_DISSECTION, s.position, &chol, NULL));
    s.A->block[9 * (size_t)s.A->col0[2] + 8] = -1;
    CHECK_INT(pl_chol_factor(chol, s.A, NULL), PL_ERROR_INDEFINITE);
    CHECK_INT(pl_chol_failed(chol), 2);
    pl_chol_destroy(chol);
    sample_free(&s);
  }
}

static void agrees_on_a_larger_mesh(void) {
  Sample s = sample_box(5, 5, 5, 0, 0.01, 3);
  for (int kind = 0; kind < SET_COUNT; kind++) compare_with_dense(&s, PL_ORDER_DISSECTION, kind, 7);
  sample_free(&s);
}

// Half of the cells missing: many components, some of one vertex.
static void disconnected_components(void) {
  Sample s = sample_box(4, 4, 4, 0.7, 1, 21);
  for (int kind = 0; kind < SET_COUNT; kind++) compare_with_dense(&s, PL_ORDER_DISSECTION, kind, 9);
  sample_free(&s);
}

static void one_vertex(void) {
  int tet[4] = {0, 0, 0, 0};
  Sample s = {1, PL_NEW(double, 3), NULL};
  plRandom random = {4};
  CHECK(!blocks_create(1, 1, 4, tet, &s.A, NULL));
  sample_fill(s.A, 0, tet, 2, &random);
  compare_with_dense(&s, PL_ORDER_DISSECTION, SET_NONE, 1);
  compare_with_dense(&s, PL_ORDER_DISSECTION, SET_ALL, 1);
  sample_free(&s);
}

static void empty_matrix(void) {
  plBsym* A = NULL;
  plChol* chol = NULL;
  double nothing = 0;
  CHECK(!blocks_create(0, 0, 4, NULL, &A, NULL));
  CHECK(!pl_chol_create(A, PL_ORDER_DISSECTION, &nothing, &chol, NULL));
  CHECK(!pl_chol_partition(chol, NULL, 0, NULL));
  CHECK(!pl_chol_factor(chol, A, NULL));
  CHECK(!pl_chol_factor_rest(chol, NULL));
  pl_chol_solve(chol, &nothing, 1, NULL);
  pl_chol_interior(chol, &nothing, NULL);
  CHECK(nothing == 0);
  pl_chol_destroy(chol);
  pl_bsym_destroy(A);
}

static void bad_pivot_names_its_vertex(void) {
  Sample s = sample_box(4, 4, 4, 0, 1, 31);
  plChol* chol = NULL;
  CHECK(!pl_chol_create(s.A, PL_ORDER_DISSECTION, s.position, &chol, NULL));
  int set[3] = {1, 5, 9};
  CHECK(!pl_chol_partition(chol, set, 3, NULL));
  // A negative diagonal entry fails at its own vertex, among the others and among the participating ones; so
  // does NaN.
  for (int v = 0; v < s.n; v += 3) {
    double *d = s.A->block + 9 * (size_t)s.A->col0[v] + 8, keep = *d;
    bool participates = v == 9;
    *d = v % 2 ? -1e6 : (double)NAN;
    plStatus status = pl_chol_factor(chol, s.A, NULL);
    if (participates) {
      CHECK_INT(status, PL_OK);
      status = pl_chol_factor_rest(chol, NULL);
    }
    CHECK_INT(status, PL_ERROR_INDEFINITE);
    CHECK_INT(pl_chol_failed(chol), v);
    *d = keep;
  }
  // and the next good matrix is none the worse for it
  CHECK(!pl_chol_factor(chol, s.A, NULL));
  CHECK(!pl_chol_factor_rest(chol, NULL));
  CHECK_INT(pl_chol_failed(chol), -1);
  pl_chol_destroy(chol);
  sample_free(&s);
}

// A matrix that is indefinite on participating vertices alone: A_hat is right, and solves with A + shift d
// I_p leave exactly what the shift adds.
static void shifted_factors_leave_the_shift(void) {
  for (int k = 0; k < 12; k++) {
    plRandom random = {70 + (uint64_t)k};
    Sample s = sample_box(3 + k % 3, 3, 4, 0.1, 1, 50 + (uint64_t)k);
    int n = s.n, np = 0, *set = PL_NEW(int, n);
    for (int v = 0; v < n; v++)
      if (pl_random(&random, 0, 1) < 0.4) set[np++] = v;
    for (int i = 0; i < np; i++)
      for (int c = 0; c < 9; c += 4) s.A->block[9 * (size_t)s.A->col0[set[i]] + (size_t)c] -= k < 6 ? 3 : 30;
    plChol* chol = NULL;
    CHECK(!pl_chol_create(s.A, PL_ORDER_DISSECTION, s.position, &chol, NULL));
    CHECK(!pl_chol_partition(chol, set, np, NULL));
    CHECK(!pl_chol_factor(chol, s.A, NULL));
    size_t m = 3 * (size_t)n, mp = 3 * (size_t)np;
    double *A_hat = calloc(2 * mp * mp, sizeof(double)), *b = calloc(3 * m, sizeof(double)), *x = b + m,
           *rest = x + m, shift = 1, largest = 0, in = 0, out = 0, size = 0;
    pl_chol_schur(chol, A_hat, (int)mp);
    CHECK_INT(pl_chol_factor_rest(chol, NULL), PL_ERROR_INDEFINITE);
    while (shift < 1e4 && pl_chol_factor_rest_shifted(chol, shift, NULL)) shift *= 4;
    CHECK(shift < 1e4);
    pl_chol_schur(chol, A_hat + mp * mp, (int)mp);
    CHECK(!memcmp(A_hat, A_hat + mp * mp, mp * mp * sizeof(double)));
    for (size_t i = 0; i < mp; i++) largest = fmax(largest, fabs(A_hat[i * mp + i]));
    for (size_t i = 0; i < m; i++) x[i] = b[i] = pl_random(&random, -1, 1);
    pl_chol_solve(chol, x, 1, NULL);
    pl_bsym_multiply(s.A, x, rest);
    for (size_t i = 0; i < m; i++) rest[i] = b[i] - rest[i];
    const int* part = pl_chol_participating(chol);
    for (int i = 0; i < np; i++)
      for (int c = 0; c < 3; c++) {
        double* r = rest + 3 * part[i] + c;
        in = fmax(in, fabs(*r - shift * largest * x[3 * part[i] + c])), size = fmax(size, fabs(*r)), *r = 0;
      }
    for (size_t i = 0; i < m; i++) out = fmax(out, fabs(rest[i]));
    CHECK_NEAR(in, 0, 1e-12 * size);   // wide: the condition of A_nn
    CHECK_NEAR(out, 0, 1e-12 * size);  // wide: the condition of A_nn
    free(A_hat), free(b), pl_free(set), pl_chol_destroy(chol), sample_free(&s);
  }
}

static void refactorization_allocates_nothing(void) {
  Sample s = sample_box(6, 6, 6, 0, 1, 41);
  plChol* chol = NULL;
  plRandom random = {1};
  int *set = PL_NEW(int, s.n), nset = choose(&s, SET_FACE, &random, set);
  double *b = PL_NEW(double, 12 * s.n), *A_hat = PL_NEW(double, 9 * nset * nset);
  CHECK(!pl_chol_create(s.A, PL_ORDER_DISSECTION, s.position, &chol, NULL));
  CHECK(!pl_chol_partition(chol, set, nset, NULL));
  CHECK(!pl_chol_factor(chol, s.A, NULL));
  long before = pl_alloc_count();
  CHECK(!pl_chol_factor(chol, s.A, NULL));
  pl_chol_schur(chol, A_hat, 3 * nset);
  CHECK(!pl_chol_factor_rest(chol, NULL));
  pl_chol_solve(chol, b, 1, NULL);
  pl_chol_solve(chol, b, 4, NULL);
  pl_chol_interior(chol, b, NULL);
  CHECK(!pl_chol_partition(chol, set, nset, NULL));
  CHECK_INT(pl_alloc_count(), before);
  pl_chol_destroy(chol);
  pl_free(set), pl_free(b), pl_free(A_hat);
  sample_free(&s);
}

// Memory is reserved in advance: neither the first factorization nor one with another small set allocates.
static void room_is_there_from_the_beginning(void) {
  Sample s = sample_box(8, 8, 8, 0, 1, 41);
  plChol* chol = NULL;
  int set[] = {0, 1, 2, 3};
  CHECK(!pl_chol_create(s.A, PL_ORDER_DISSECTION, s.position, &chol, NULL));
  long before = pl_alloc_count();
  CHECK(!pl_chol_factor(chol, s.A, NULL));
  CHECK_INT(pl_alloc_count(), before);
  size_t factor_cap = chol->factor_cap;
  CHECK(!pl_chol_partition(chol, set, 4, NULL));
  before = pl_alloc_count();
  CHECK(!pl_chol_factor(chol, s.A, NULL));
  CHECK_INT(pl_alloc_count(), before);
  CHECK(chol->factor_cap == factor_cap);
  pl_chol_destroy(chol);
  sample_free(&s);
}

// Everything the solver computes, for one pool, as one list of numbers.
static double* all_results(const Sample* s, const int* set, int nset, plPool* pool, plIsa isa,
                           size_t* count) {
  plChol* chol = NULL;
  size_t m = 3 * (size_t)s->n, mp = 3 * (size_t)nset;
  *count = 6 * m + mp * mp;
  double* out = calloc(*count, sizeof(double));
  CHECK(!pl_chol_create(s->A, PL_ORDER_DISSECTION, s->position, &chol, NULL));
  chol->kernels = pl_panel_kernels(isa);
  CHECK(!pl_chol_partition(chol, set, nset, NULL));
  CHECK(!pl_chol_factor(chol, s->A, pool));
  pl_chol_schur(chol, out + 6 * m, (int)mp);
  CHECK(!pl_chol_factor_rest(chol, pool));
  for (size_t i = 0; i < 6 * m; i++) out[i] = sin((double)i);
  pl_chol_solve(chol, out, 1, pool);
  pl_chol_interior(chol, out + m, pool);
  pl_chol_solve(chol, out + 2 * m, 4, pool);
  pl_chol_destroy(chol);
  return out;
}

static void threads_change_no_bit_of(bool flat, plIsa isa) {
  Sample s = sample_box(10, 9, 11, 0, 1, 51);
  if (flat) sample_flatten(&s);
  plRandom random = {1};
  int* set = PL_NEW(int, s.n);
  for (int kind = SET_NONE; kind <= SET_FACE; kind += SET_FACE) {
    size_t count;
    int nset = choose(&s, kind, &random, set);
    double* one = all_results(&s, set, nset, NULL, isa, &count);
    for (int nthread = 2; nthread <= 4; nthread += 2) {
      plPool* pool = pl_pool_create(nthread);
      double* more = all_results(&s, set, nset, pool, isa, &count);
      CHECK(!memcmp(one, more, count * sizeof(double)));
      free(more);
      pl_pool_destroy(pool);
    }
    free(one);
  }
  pl_free(set);
  sample_free(&s);
}

// On every path of instructions: on narrow ones threads once overwrote each other's sums.
static void threads_change_no_bit(void) {
  for (plIsa isa = PL_ISA_PLAIN; isa <= pl_isa_machine(); isa++)
    threads_change_no_bit_of(false, isa), threads_change_no_bit_of(true, isa);
}

// (A^-1)_pp column by column, from solves
static void compliance_of(bool flat) {
  Sample s = sample_box(7, 7, 7, 0.1, 1, 61);
  if (flat) sample_flatten(&s);
  plChol* chol = NULL;
  plRandom random = {3};
  int *set = PL_NEW(int, s.n), sizes[] = {0, 1, 3, 8, 9, 40};
  double* b = PL_NEW(double, 3 * s.n);
  CHECK(!pl_chol_create(s.A, PL_ORDER_DISSECTION, s.position, &chol, NULL));
  CHECK(!pl_chol_factor(chol, s.A, NULL));
  for (size_t q = 0; q < sizeof sizes / sizeof *sizes; q++) {
    int n = 0, m = 3 * sizes[q];
    double* C = calloc((size_t)m * (size_t)m + 1, sizeof(double));
    memset(b, 0, (size_t)s.n * sizeof(double));
    while (n < sizes[q]) {
      int v = pl_random_int(&random, s.n);
      if (b[v] == 0) set[n++] = v;
      b[v] = 1;
    }
    CHECK(!chol_compliance(chol, set, n, C, m));
    for (int j = 0; j < m; j++) {
      memset(b, 0, 3 * (size_t)s.n * sizeof(double));
      b[3 * set[j / 3] + j % 3] = 1;
      pl_chol_solve(chol, b, 1, NULL);
      for (int i = j; i < m; i++) CHECK_ROUND(C[i + (long)j * m], b[3 * set[i / 3] + i % 3], 1);
    }
    free(C);
  }
  pl_chol_destroy(chol);
  pl_free(set), pl_free(b);
  sample_free(&s);
}

static void compliance_is_the_inverse_on_its_vertices(void) { compliance_of(false), compliance_of(true); }

// Which right-hand sides are solved together does not matter, to the bit.
static void companions_change_no_bit(void) {
  Sample s = sample_box(6, 7, 6, 0.1, 1, 56);
  plChol* chol = NULL;
  plRandom random = {2};
  int *set = PL_NEW(int, s.n), nset = choose(&s, SET_FACE, &random, set);
  size_t m = 3 * (size_t)s.n;
  double *x = PL_NEW(double, 20 * m), *some = PL_NEW(double, PL_CHOL_SEVERAL*m);
  CHECK(!pl_chol_create(s.A, PL_ORDER_DISSECTION, s.position, &chol, NULL));
  CHECK(!pl_chol_partition(chol, set, nset, NULL));
  CHECK(!pl_chol_factor(chol, s.A, NULL));
  CHECK(!pl_chol_factor_rest(chol, NULL));
  for (size_t i = 0; i < 20 * m; i++) x[i] = sin((double)i);
  pl_chol_solve(chol, x, 20, NULL);
  for (size_t k = 0; k + PL_CHOL_SEVERAL <= 20; k += 3) {
    for (size_t i = 0; i < PL_CHOL_SEVERAL * m; i++) some[i] = sin((double)(k * m + i));
    pl_chol_solve(chol, some, PL_CHOL_SEVERAL, NULL);
    CHECK(!memcmp(some, x + k * m, PL_CHOL_SEVERAL * m * sizeof(double)));
  }
  pl_chol_destroy(chol);
  pl_free(set), pl_free(x), pl_free(some);
  sample_free(&s);
}

// Each instruction set of this machine against plain C; the matrix is well conditioned.
static void instruction_sets_agree_on(bool flat) {
  Sample s = sample_box(9, 8, 8, 0, 1, 52);
  if (flat) sample_flatten(&s);
  plRandom random = {1};
  int* set = PL_NEW(int, s.n);
  int nset = choose(&s, SET_RANDOM, &random, set);
  size_t count;
  double* plain = all_results(&s, set, nset, NULL, PL_ISA_PLAIN, &count);
  for (plIsa isa = PL_ISA_AVX2; isa <= pl_isa_machine(); isa++) {
    double* fast = all_results(&s, set, nset, NULL, isa, &count);
    for (size_t i = 0; i < count; i++) CHECK_ROUND(fast[i], plain[i], fmax(1, fabs(plain[i])));
    free(fast);
  }
  free(plain);
  pl_free(set);
  sample_free(&s);
}

static void instruction_sets_agree(void) {
  instruction_sets_agree_on(false), instruction_sets_agree_on(true);
}

// The first bad pivot in elimination order is named, whoever meets one first.
static void threads_name_the_same_vertex(void) {
  Sample s = sample_box(9, 9, 9, 0, 1, 53);
  plChol* chol = NULL;
  int failed[3];
  CHECK(!pl_chol_create(s.A, PL_ORDER_DISSECTION, s.position, &chol, NULL));
  for (int v = 0; v < s.n; v += 50) s.A->block[9 * (size_t)s.A->col0[v]] = -1e6;
  for (int k = 0; k < 3; k++) {
    plPool* pool = pl_pool_create(1 << k);
    CHECK_INT(pl_chol_factor(chol, s.A, pool), PL_ERROR_INDEFINITE);
    failed[k] = pl_chol_failed(chol);
    CHECK(failed[k] >= 0 && failed[k] % 50 == 0);
    CHECK_INT(failed[k], failed[0]);
    pl_pool_destroy(pool);
  }
  pl_chol_destroy(chol);
  sample_free(&s);
}

// Sets come and go; what was there before does not matter.
static void earlier_sets_leave_no_trace(void) {
  Sample s = sample_box(6, 6, 6, 0, 1, 54);
  plRandom random = {1};
  plChol* chol = NULL;
  int* set = PL_NEW(int, s.n);
  size_t count, m = 3 * (size_t)s.n;
  CHECK(!pl_chol_create(s.A, PL_ORDER_DISSECTION, s.position, &chol, NULL));
  for (int round = 0; round < 8; round++) {
    int nset = choose(&s, round % SET_COUNT, &random, set);
    double *fresh = all_results(&s, set, nset, NULL, pl_isa(), &count), *b = calloc(m, sizeof(double));
    CHECK(!pl_chol_partition(chol, set, nset, NULL));
    CHECK(!pl_chol_factor(chol, s.A, NULL));
    CHECK(!pl_chol_factor_rest(chol, NULL));
    for (size_t i = 0; i < m; i++) b[i] = sin((double)i);
    pl_chol_solve(chol, b, 1, NULL);
    CHECK(!memcmp(b, fresh, m * sizeof(double)));
    free(fresh), free(b);
  }
  pl_chol_destroy(chol);
  pl_free(set);
  sample_free(&s);
}

// The same for three sets that take turns, as those of vertices that come and go. Sometimes memory runs out
// on the way to another set.
static void sets_that_come_back_leave_no_trace(void) {
  Sample s = sample_box(5, 5, 5, 0, 1, 56);
  plRandom random = {7};
  plChol* chol = NULL;
  int *set = PL_NEW(int, 3 * s.n), nset[3], failed = 0;
  size_t count, m = 3 * (size_t)s.n;
  double *fresh[3], *b = PL_NEW(double, m);
  CHECK(!pl_chol_create(s.A, PL_ORDER_DISSECTION, s.position, &chol, NULL));
  for (int k = 0; k < 3; k++) {
    nset[k] = choose(&s, k ? SET_RANDOM : SET_FACE, &random, set + k * s.n);
    fresh[k] = all_results(&s, set + k * s.n, nset[k], NULL, pl_isa(), &count);
  }
  for (int round = 0; round < 40; round++) {
    int k = (int)pl_random(&random, 0, 3), away = (int)pl_random(&random, 0, 3);
    pl_alloc_fail_after((int)pl_random(&random, 0, 3));
    failed += pl_chol_partition(chol, set + away * s.n, nset[away], NULL) != PL_OK;
    pl_alloc_fail_after(-1);
    CHECK(!pl_chol_partition(chol, set + k * s.n, nset[k], NULL));
    CHECK_INT(chol->symbolic.np, nset[k]);
    CHECK(!pl_chol_factor(chol, s.A, NULL));
    CHECK(!pl_chol_factor_rest(chol, NULL));
    for (size_t i = 0; i < m; i++) b[i] = sin((double)i);
    pl_chol_solve(chol, b, 1, NULL);
    CHECK(!memcmp(b, fresh[k], m * sizeof(double)));
  }
  CHECK(failed > 0);
  for (int k = 0; k < 3; k++) free(fresh[k]);
  pl_chol_destroy(chol);
  pl_free(set), pl_free(b);
  sample_free(&s);
}

// Memory that runs out is a status, and the solver keeps the set it had.
static void a_failed_allocation_is_a_status(void) {
  Sample s = sample_box(4, 4, 4, 0, 1, 55);
  plChol* chol = NULL;
  long n = 0;
  for (; n < 400 && !chol; n++) {
    pl_alloc_fail_after(n);
    plStatus status = pl_chol_create(s.A, PL_ORDER_DISSECTION, s.position, &chol, NULL);
    pl_alloc_fail_after(-1);
    CHECK(chol ? status == PL_OK : status == PL_ERROR_MEMORY);
  }
  CHECK(n > 20);
  int set[3] = {3, 1, 2}, other[2] = {7, 9};
  CHECK(!pl_chol_partition(chol, set, 3, NULL));
  for (n = 0; n < 400; n++) {
    pl_alloc_fail_after(n);
    plStatus status = pl_chol_partition(chol, other, 2, NULL);
    pl_alloc_fail_after(-1);
    if (!status) break;
    CHECK_INT(status, PL_ERROR_MEMORY);
    CHECK_INT(chol->symbolic.np, 3);
  }
  CHECK_INT(chol->symbolic.np, 2);
  pl_chol_destroy(chol);
  sample_free(&s);
}

// The tests above go as far as the processor does.
static void every_instruction_set_was_tried(void) {
  if (pl_isa_machine() < PL_ISA_AVX512) SKIP_CPU("this processor lacks some instruction sets");
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(agrees_with_dense_elimination);
  RUN(agrees_where_nothing_happens_along_z);
  RUN(agrees_on_a_larger_mesh);
  RUN(disconnected_components);
  RUN(one_vertex);
  RUN(empty_matrix);
  RUN(bad_pivot_names_its_vertex);
  RUN(shifted_factors_leave_the_shift);
  RUN(refactorization_allocates_nothing);
  RUN(room_is_there_from_the_beginning);
  RUN(threads_change_no_bit);
  RUN(companions_change_no_bit);
  RUN(instruction_sets_agree);
  RUN(compliance_is_the_inverse_on_its_vertices);
  RUN(threads_name_the_same_vertex);
  RUN(earlier_sets_leave_no_trace);
  RUN(sets_that_come_back_leave_no_trace);
  RUN(a_failed_allocation_is_a_status);
  RUN(every_instruction_set_was_tried);
  return CHECK_END;
}

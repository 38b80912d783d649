// test_plain.c: the fast factorization (chol.h) against the plain one that reads like the paper (plain.h),
// for every instruction set.
#include "linalg/plain.h"

#include "check.h"
#include "linalg/chol.h"
#include "sample.h"

// Vertices below a height take part; they come last in the plain code's order. Returns how many there are.
static int split(const Sample* s, double height, int* order, int* part) {
  int nn = 0, np = 0;
  for (int v = 0; v < s->n; v++)
    if (s->position[3 * v + 2] < height)
      part[np++] = v;
    else
      order[nn++] = v;
  memcpy(order + nn, part, (size_t)np * sizeof(int));
  return np;
}

static double worst_lower(const double* a, const double* b, int n) {
  double worst = 0;
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) worst = fmax(worst, fabs(a[i + j * n] - b[i + j * n]));
  return worst;
}

static void compare(const Sample* s, double height, plIsa isa) {
  int n = s->n, *order = PL_NEW(int, n), *part = PL_NEW(int, n), np = split(s, height, order, part),
      m = 3 * np;
  double *fast = PL_NEW(double, m*m), *slow = PL_NEW(double, m*m), *x = PL_NEW(double, 3 * n),
         *y = PL_NEW(double, 3 * n), *work = PL_NEW(double, 3 * n);
  plChol* chol = NULL;
  plPlain* plain = NULL;
  CHECK(!pl_chol_create(s->A, PL_ORDER_DISSECTION, s->position, &chol, NULL) &&
        !pl_chol_partition(chol, part, np, NULL));
  CHECK(!pl_plain_create(s->A, order, np, &plain, NULL));
  CHECK(!pl_chol_factor(chol, s->A, NULL) && !pl_plain_factor(plain, s->A, isa));
  pl_chol_schur(chol, fast, m), pl_plain_schur(plain, slow, m);
  CHECK_NEAR(worst_lower(fast, slow, m), 0, 1.2e-13);
  CHECK(!pl_chol_factor_rest(chol, NULL) && !pl_plain_factor_rest(plain, isa));
  for (int i = 0; i < 3 * n; i++) x[i] = y[i] = cos(i);
  pl_chol_solve(chol, x, 1, NULL), pl_plain_solve(plain, y, work);
  for (int i = 0; i < 3 * n; i++) CHECK_ROUND(x[i], y[i], 0.4);
  CHECK_INT(plain->failed, -1);
  pl_chol_destroy(chol), pl_plain_destroy(plain);
  pl_free(order), pl_free(part), pl_free(fast), pl_free(slow), pl_free(x), pl_free(y), pl_free(work);
}

static void fast_and_plain_agree(void) {
  static const double heights[] = {-1, 0.5, 1.5, 9};  // none, a face, half, all take part
  for (plIsa isa = PL_ISA_PLAIN; isa <= pl_isa_machine(); isa++)
    for (int k = 0; k < 4; k++) {
      Sample s = sample_box(4, 5, 4, 0.1, 3, 40 + (uint64_t)k);
      compare(&s, heights[k], isa);
      sample_free(&s);
    }
}

// Both name the vertex of a pivot that is not positive: the only one that can fail.
static void both_name_the_bad_vertex(void) {
  Sample s = sample_box(3, 3, 3, 0, 3, 7);
  double bad[9] = {-1e6, 0, 0, 0, -1e6, 0, 0, 0, -1e6};
  int order[27], part[27];
  CHECK_INT(split(&s, -1, order, part), 0);
  blocks_add(s.A, blocks_find(s.A, 11, 11), bad);
  plChol* chol = NULL;
  plPlain* plain = NULL;
  order[11] = order[26], order[26] = 11;  // eliminated last, when it has seen all others
  CHECK(!pl_chol_create(s.A, PL_ORDER_NATURAL, s.position, &chol, NULL) &&
        !pl_plain_create(s.A, order, 0, &plain, NULL));
  CHECK_INT(pl_plain_factor(plain, s.A, PL_ISA_PLAIN), PL_ERROR_INDEFINITE);
  CHECK_INT(plain->failed, 11);
  CHECK_INT(pl_chol_factor(chol, s.A, NULL), PL_ERROR_INDEFINITE);
  CHECK_INT(pl_chol_failed(chol), 11);
  pl_chol_destroy(chol), pl_plain_destroy(plain), sample_free(&s);
}

// The tests above go as far as the processor does.
static void every_instruction_set_was_tried(void) {
  if (pl_isa_machine() < PL_ISA_AVX512) SKIP_CPU("this processor lacks some instruction sets");
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(fast_and_plain_agree);
  RUN(both_name_the_bad_vertex);
  RUN(every_instruction_set_was_tried);
  return CHECK_END;
}

// test_lu.c: dense systems of every instruction set of this machine against plain loops: the same pivots,
// solutions that leave no more than rounding, the same products; matrices without a sound pivot are refused.
#include "linalg/lu.h"

#include "base/random.h"
#include "check.h"

typedef struct System {
  int n, ld;
  double S[PL_LU_MOST * PL_LU_MOST], size[PL_LU_MOST], b[PL_LU_MOST];
} System;

// Rows of very different sizes, as constraints of different stiffness have.
static void random_system(plRandom* r, int n, System* s) {
  *s = (System){.n = n, .ld = pl_lu_stride(n)};
  for (int i = 0; i < n; i++) {
    s->size[i] = pow(10, pl_random(r, -6, 6)), s->b[i] = pl_random(r, -1, 1);
    for (int j = 0; j < n; j++) s->S[i * s->ld + j] = s->size[i] * pl_random(r, -1, 1);
  }
}

// The largest of |S x - b| relative to the terms of its row
static double left_over(const System* s, const double* x) {
  double most = 0;
  for (int i = 0; i < s->n; i++) {
    double sum = -s->b[i], terms = fabs(s->b[i]);
    for (int j = 0; j < s->n; j++)
      sum += s->S[i * s->ld + j] * x[j], terms += fabs(s->S[i * s->ld + j] * x[j]);
    most = fmax(most, fabs(sum) / terms);
  }
  return most;
}

static bool solve(const plLuKernels* k, const System* s, System* factors, int* pivot, double* x) {
  *factors = *s;
  if (!k->factor(s->n, factors->S, s->size, 1e-8, pivot)) return false;
  for (int i = 0; i < s->n; i++) x[i] = s->b[pivot[i]];
  k->solve(s->n, factors->S, x);
  return true;
}

static System one, plain, fast;

static void systems_agree_with_plain_loops(void) {
  double most_left = 0;
  for (int m = 0; m < CHECK_MEMBERS(600); m++) {
    plRandom r = {300 + (uint64_t)m};
    random_system(&r, 1 + m % PL_LU_MOST, &one);
    int pivot[PL_LU_MOST], other[PL_LU_MOST], n = one.n;
    double x[PL_LU_MOST], y[PL_LU_MOST];
    CHECK(solve(&pl_lu_plain, &one, &plain, pivot, x));
    CHECK_ROUND(left_over(&one, x), 0, 1);
    for (plIsa isa = PL_ISA_PLAIN; isa <= pl_isa_machine(); isa++) {
      CHECK(solve(pl_lu_kernels(isa), &one, &fast, other, y));
      most_left = fmax(most_left, left_over(&one, y));
      CHECK_ROUND(left_over(&one, y), 0, 1);
      for (int i = 0; i < n; i++) {
        CHECK_INT(pivot[i], other[i]);
        for (int j = n; j < one.ld; j++) CHECK(fast.S[i * one.ld + j] == 0);
      }
    }
  }
  printf("solutions leave %.2g of the terms\n", most_left);
}

static void products_agree_with_plain_loops(void) {
  for (int n = 3; n <= PL_LU_MOST; n++) {
    plRandom r = {9000 + (uint64_t)n};
    random_system(&r, n, &one);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) one.S[j * one.ld + i] = one.S[i * one.ld + j];
    double x[PL_LU_MOST], y[PL_LU_MOST], a[3] = {one.b[0], one.b[1], one.b[2]};
    for (plIsa isa = PL_ISA_PLAIN; isa <= pl_isa_machine(); isa++) {
      const plLuKernels* k = pl_lu_kernels(isa);
      pl_lu_plain.multiply(n, one.S, one.b, x), k->multiply(n, one.S, one.b, y);
      for (int i = 0; i < n; i++) {
        double terms = 0;
        for (int j = 0; j < n; j++) terms += fabs(one.S[i * one.ld + j] * one.b[j]);
        CHECK_ROUND(y[i], x[i], terms);
      }
      pl_lu_plain.combine(n, a, one.S, x), k->combine(n, a, one.S, y);
      for (int j = 0; j < one.ld; j++) {
        double terms = 0;
        for (int i = 0; i < 3; i++) terms += fabs(a[i] * one.S[i * one.ld + j]);
        CHECK_ROUND(y[j], x[j], terms);
      }
    }
  }
}

// Rank n - 1: the last pivot is rounding.
static void singular_matrices_are_refused(void) {
  for (int n = 2; n <= PL_LU_MOST; n++) {
    plRandom r = {7000 + (uint64_t)n};
    random_system(&r, n, &one);
    int pivot[PL_LU_MOST], last = pl_random_int(&r, n), from = (last + 1) % n;
    double scale = one.size[last] / one.size[from];
    for (int j = 0; j < n; j++) one.S[last * one.ld + j] = scale * one.S[from * one.ld + j];
    for (plIsa isa = PL_ISA_PLAIN; isa <= pl_isa_machine(); isa++) {
      fast = one;
      CHECK(!pl_lu_kernels(isa)->factor(n, fast.S, one.size, 1e-8, pivot));
      fast = one, fast.S[0] = NAN;
      CHECK(!pl_lu_kernels(isa)->factor(n, fast.S, one.size, 1e-8, pivot));
    }
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(systems_agree_with_plain_loops);
  RUN(products_agree_with_plain_loops);
  RUN(singular_matrices_are_refused);
  return CHECK_END;
}

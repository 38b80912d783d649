// test_symv.c: products with symmetric matrices of every order and of every instruction set of this machine
// against plain loops; nothing above the diagonal is read.
#include "linalg/symv.h"

#include "base/cpu.h"
#include "base/random.h"
#include "check.h"
#include "linalg/symv_kernel.h"

enum { MOST = 40 };

static void products_agree_with_plain_loops(void) {
  static double A[MOST * MOST];
  for (int n = 0; n <= MOST; n++) {
    plRandom r = {500 + (uint64_t)n};
    double x[MOST], y0[MOST];
    for (int j = 0; j < n; j++) {
      x[j] = pl_random(&r, -1, 1), y0[j] = pl_random(&r, -1, 1);
      for (int i = 0; i < n; i++) A[j * n + i] = i < j ? NAN : pl_random(&r, -1, 1);
    }
    for (plIsa isa = PL_ISA_PLAIN; isa <= pl_isa_machine(); isa++) {
      double y[MOST];
      memcpy(y, y0, sizeof y);
#if defined(__x86_64__)
      if (isa == PL_ISA_AVX2) pl_symv_avx2(n, A, x, y);
      if (isa == PL_ISA_AVX512) pl_symv_avx512(n, A, x, y);
#endif
      if (isa == PL_ISA_PLAIN) symv(n, A, x, y);
      for (int i = 0; i < n; i++) {
        double sum = y0[i], terms = fabs(y0[i]);
        for (int j = 0; j < n; j++) {
          double a = A[i > j ? j * n + i : i * n + j];
          sum += a * x[j], terms += fabs(a * x[j]);
        }
        CHECK_ROUND(y[i], sum, terms);
      }
    }
  }
}

static void blocks_agree_with_plain_loops(void) {
  static double A[MOST * MOST];
  for (int k = 0; k < CHECK_MEMBERS(400); k++) {
    plRandom r = {900 + (uint64_t)k};
    int nr = pl_random_int(&r, MOST) + 1, nc = pl_random_int(&r, MOST) + 1;
    double xr[MOST], xc[MOST], yr[MOST] = {0}, yc[MOST] = {0};
    for (int i = 0; i < nr * nc; i++) A[i] = pl_random(&r, -1, 1);
    for (int i = 0; i < MOST; i++) xr[i] = pl_random(&r, -1, 1), xc[i] = pl_random(&r, -1, 1);
    pl_symv_block(nr, nc, A, xr, xc, yr, yc);
    for (int i = 0; i < nr; i++) {
      double sum = 0, terms = 0;
      for (int j = 0; j < nc; j++) sum += A[j * nr + i] * xc[j], terms += fabs(A[j * nr + i] * xc[j]);
      CHECK_ROUND(yr[i], sum, terms);
    }
    for (int j = 0; j < nc; j++) {
      double sum = 0, terms = 0;
      for (int i = 0; i < nr; i++) sum += A[j * nr + i] * xr[i], terms += fabs(A[j * nr + i] * xr[i]);
      CHECK_ROUND(yc[j], sum, terms);
    }
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(products_agree_with_plain_loops);
  RUN(blocks_agree_with_plain_loops);
  return CHECK_END;
}

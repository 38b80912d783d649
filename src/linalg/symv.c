// symv.c: products with symmetric matrices for any machine, and the choice among the instruction sets.
#include "linalg/symv.h"

#include "base/cpu.h"
#include "linalg/symv_kernel.h"

void pl_symv(int n, const double* A, const double* x, double* y) {
#if defined(__x86_64__)
  if (pl_isa() == PL_ISA_AVX512) {
    pl_symv_avx512(n, A, x, y);
    return;
  }
  if (pl_isa() == PL_ISA_AVX2) {
    pl_symv_avx2(n, A, x, y);
    return;
  }
#endif
  symv(n, A, x, y);
}

void pl_symv_block(int nr, int nc, const double* A, const double* xr, const double* xc, double* yr,
                   double* yc) {
#if defined(__x86_64__)
  if (pl_isa() == PL_ISA_AVX512) {
    pl_symv_block_avx512(nr, nc, A, xr, xc, yr, yc);
    return;
  }
  if (pl_isa() == PL_ISA_AVX2) {
    pl_symv_block_avx2(nr, nc, A, xr, xc, yr, yc);
    return;
  }
#endif
  symv_block(nr, nc, A, xr, xc, yr, yc);
}

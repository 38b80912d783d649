// symv_avx2.c: symv.h compiled for this instruction set.
#include "linalg/symv_kernel.h"

void pl_symv_avx2(int n, const double* A, const double* x, double* y) { symv(n, A, x, y); }

void pl_symv_block_avx2(int nr, int nc, const double* A, const double* xr, const double* xc, double* yr,
                        double* yc) {
  symv_block(nr, nc, A, xr, xc, yr, yc);
}

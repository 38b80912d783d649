// sines.c: sines and cosines by the C library, and the choice among the instruction sets.
#include "math/sines.h"

#include <math.h>

#include "base/cpu.h"

void pl_sines_plain(int n, const double* x, double* s, double* c) {
  for (int i = 0; i < n; i++) s[i] = sin(x[i]), c[i] = cos(x[i]);
}

void pl_sines(int n, const double* x, double* s, double* c) {
#if defined(__x86_64__)
  if (pl_isa() >= PL_ISA_AVX2) {
    pl_sines_avx2(n, x, s, c);
    return;
  }
#endif
  pl_sines_plain(n, x, s, c);
}

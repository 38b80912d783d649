// plain_avx512.c: the plain element work compiled for this instruction set.
#include "fem/plain_kernel.h"

void pl_plain_elements_avx512(const plPoints* points, const plLaw* law, const double* x, const int* place,
                              double* f, double* block) {
  plain_elements(points, law, x, place, f, block);
}

void pl_plain_polar_avx512(const double* F, double* R, int n) { plain_polar(F, R, n); }

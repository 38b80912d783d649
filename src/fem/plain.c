// plain.c: the plain element work compiled for the baseline.
#include "fem/plain_kernel.h"

void pl_plain_elements(const plPoints* points, const plLaw* law, const double* x, const int* place, double* f,
                       double* block) {
  plain_elements(points, law, x, place, f, block);
}

void pl_plain_polar(const double* F, double* R, int n) { plain_polar(F, R, n); }

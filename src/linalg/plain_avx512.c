// plain_avx512.c: the plain factorization compiled for this instruction set.
#include "linalg/plain_kernel.h"

int pl_plain_eliminate_avx512(const int* col0, const int* row, double* L, int first, int last) {
  return plain_eliminate(col0, row, L, first, last);
}

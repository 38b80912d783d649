// plain_avx2.c: the plain factorization compiled for this instruction set.
#include "linalg/plain_kernel.h"

int pl_plain_eliminate_avx2(plPlain* plain, int first, int last) { return plain_eliminate(plain, first, last); }

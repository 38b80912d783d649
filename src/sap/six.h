// six.h: products with a block of three rows and six columns, those of one body, two columns at a time: their
// six numbers are three pairs.
#ifndef PL_SAP_SIX_H
#define PL_SAP_SIX_H

#include <stdbool.h>

typedef double plPair2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef long long plBits2 __attribute__((vector_size(16)));

// y = J x
static inline void pl_six_mul(const double* J, const double* x, double y[3]) {
  plPair2 a = {0}, b = {0}, c = {0};
  for (int j = 0; j < 6; j += 2, J += 6) {
    plPair2 two = *(const plPair2*)(x + j);
    a += *(const plPair2*)J * x[j], b += *(const plPair2*)(J + 2) * two,
        c += *(const plPair2*)(J + 4) * x[j + 1];
  }
  y[0] = a[0] + b[1], y[1] = a[1] + c[0], y[2] = b[0] + c[1];
}

// f += J' g, with the bits of sums column by column
static inline void pl_six_mul_t(const double* J, const double* g, double* f) {
  plPair2 g01 = {g[0], g[1]}, g20 = {g[2], g[0]}, g12 = {g[1], g[2]};
  for (int j = 0; j < 6; j += 2, J += 6) {
    plPair2 a = *(const plPair2*)J * g01, b = *(const plPair2*)(J + 2) * g20,
            c = *(const plPair2*)(J + 4) * g12;
    *(plPair2*)(f + j) += (plPair2){a[0], b[1]} + (plPair2){a[1], c[0]} + (plPair2){b[0], c[1]};
  }
}

// Whether none of its columns is zero.
static inline bool pl_six_is_full(const double* J) {
  plPair2 zero = {0};
  plBits2 full = {-1, -1};
  for (int j = 0; j < 6; j += 2, J += 6) {
    plPair2 a = *(const plPair2*)J, b = *(const plPair2*)(J + 2), c = *(const plPair2*)(J + 4);
    full &=
        ((plPair2){a[0], b[1]} != zero) | ((plPair2){a[1], c[0]} != zero) | ((plPair2){b[0], c[1]} != zero);
  }
  return full[0] & full[1];
}

#endif

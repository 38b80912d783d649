// wide.h: vectors of three numbers in registers of four. The fourth number is not used.
//
// For recursions that are compiled once per instruction set; with AVX2 an operation is one instruction.
#ifndef PL_MATH_WIDE_H
#define PL_MATH_WIDE_H

#include "math/spatial.h"

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi"  // no function here is called from another file
#endif
typedef double plWide __attribute__((vector_size(32), aligned(8), may_alias));
typedef struct plWide3 {
  plWide c[3];  // columns
} plWide3;

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define PL_WIDE_PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#endif
#endif
#ifndef PL_WIDE_PICK
typedef long long plWideIndex __attribute__((vector_size(32)));
#define PL_WIDE_PICK(a, b, i, j, k, l) __builtin_shuffle(a, b, (plWideIndex){i, j, k, l})
#endif
#define PL_WIDE_SHUFFLE(a, i, j, k, l) PL_WIDE_PICK(a, a, i, j, k, l)

static inline plWide wide_zero(void) { return (plWide){0, 0, 0, 0}; }
static inline plWide wide_all(double s) { return (plWide){s, s, s, s}; }
static inline plWide wide_load(const plVec3* a) { return (plWide){a->x, a->y, a->z, a->z}; }
static inline plVec3 wide_v3(plWide a) { return v3(a[0], a[1], a[2]); }
static inline void wide_store(double* to, plWide a) { to[0] = a[0], to[1] = a[1], to[2] = a[2]; }
static inline double wide_dot(plWide a, plWide b) {
  plWide p = a * b;
  return p[0] + p[1] + p[2];
}
static inline plWide wide_cross(plWide a, plWide b) {
  plWide c = a * PL_WIDE_SHUFFLE(b, 1, 2, 0, 3) - PL_WIDE_SHUFFLE(a, 1, 2, 0, 3) * b;
  return PL_WIDE_SHUFFLE(c, 1, 2, 0, 3);
}
// R v, v in memory
static inline plWide wide_mulv(const plWide3* R, const plVec3* v) {
  return R->c[0] * v->x + R->c[1] * v->y + R->c[2] * v->z;
}
// R v
static inline plWide wide_mul(const plWide3* R, plWide v) {
  return R->c[0] * PL_WIDE_SHUFFLE(v, 0, 0, 0, 0) + R->c[1] * PL_WIDE_SHUFFLE(v, 1, 1, 1, 1) +
         R->c[2] * PL_WIDE_SHUFFLE(v, 2, 2, 2, 2);
}
// R' v
static inline plWide wide_tmul(const plWide3* R, plWide v) {
  plWide x = R->c[0] * v, y = R->c[1] * v, z = R->c[2] * v;
  plWide even = PL_WIDE_PICK(x, y, 0, 4, 2, 6), odd = PL_WIDE_PICK(x, y, 1, 5, 3, 7);
  return PL_WIDE_PICK(even, z, 0, 1, 4, 4) + PL_WIDE_PICK(odd, z, 0, 1, 5, 5) +
         PL_WIDE_PICK(even, z, 2, 3, 6, 6);
}
// R Q, Q in memory
static inline plWide3 wide_product(const plWide3* R, const plMat3* Q) {
  plWide3 P;
  for (int j = 0; j < 3; j++)
    P.c[j] = R->c[0] * Q->m[3 * j] + R->c[1] * Q->m[3 * j + 1] + R->c[2] * Q->m[3 * j + 2];
  return P;
}
static inline plWide3 wide_columns(const plMat3* Q) {
  return (plWide3){{{Q->m[0], Q->m[1], Q->m[2], Q->m[2]},
                    {Q->m[3], Q->m[4], Q->m[5], Q->m[5]},
                    {Q->m[6], Q->m[7], Q->m[8], Q->m[8]}}};
}
// Rows and columns of four registers exchanged.
static inline void wide_transpose(plWide* a, plWide* b, plWide* c, plWide* d) {
  plWide ab0 = PL_WIDE_PICK(*a, *b, 0, 4, 2, 6), ab1 = PL_WIDE_PICK(*a, *b, 1, 5, 3, 7),
         cd0 = PL_WIDE_PICK(*c, *d, 0, 4, 2, 6), cd1 = PL_WIDE_PICK(*c, *d, 1, 5, 3, 7);
  *a = PL_WIDE_PICK(ab0, cd0, 0, 1, 4, 5), *b = PL_WIDE_PICK(ab1, cd1, 0, 1, 4, 5);
  *c = PL_WIDE_PICK(ab0, cd0, 2, 3, 6, 7), *d = PL_WIDE_PICK(ab1, cd1, 2, 3, 6, 7);
}
// The diagonal, and the rest of a symmetric matrix as it meets (y, x, x) and (z, z, y).
typedef struct plWideSym {
  plWide d, a, b;
} plWideSym;
static inline plWideSym wide_sym(const plSym3* I) {
  return (plWideSym){
      {I->xx, I->yy, I->zz, I->zz}, {I->xy, I->xy, I->xz, I->xz}, {I->xz, I->yz, I->yz, I->yz}};
}
static inline plWide wide_sym_mul(const plWideSym* I, plWide v) {
  return I->d * v + I->a * PL_WIDE_SHUFFLE(v, 1, 0, 0, 3) + I->b * PL_WIDE_SHUFFLE(v, 2, 2, 1, 3);
}

#endif

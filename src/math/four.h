// four.h: vectors, forces and inertias of four things at a time, each component of all four in a register.
//
// For what nodes do that does not depend on each other. The records are arrays of doubles; nothing beyond a
// record is read or written.
#ifndef PL_MATH_FOUR_H
#define PL_MATH_FOUR_H

#include <stddef.h>

#include "math/wide.h"

typedef struct plFour3 {
  plWide x, y, z;
} plFour3;
typedef struct plFour33 {
  plFour3 c[3];  // columns
} plFour33;
typedef struct plFourSym {
  plWide xx, yy, zz, xy, xz, yz;
} plFourSym;
typedef struct plFourMotion {
  plFour3 w, v;
} plFourMotion;
typedef struct plFourForce {
  plFour3 n, f;
} plFourForce;
typedef struct plFourInertia {
  plWide m;
  plFour3 h;
  plFourSym I;
} plFourInertia;

typedef double plTwo __attribute__((vector_size(16), aligned(8), may_alias));

// Four or two numbers of each of four records.
static inline void four_gather4(const double* p, const double* q, const double* r, const double* s,
                                plWide* x) {
  x[0] = *(const plWide*)p, x[1] = *(const plWide*)q, x[2] = *(const plWide*)r, x[3] = *(const plWide*)s;
  wide_transpose(x, x + 1, x + 2, x + 3);
}
static inline void four_gather2(const double* p, const double* q, const double* r, const double* s,
                                plWide* x) {
  plTwo a = *(const plTwo*)p, b = *(const plTwo*)q, c = *(const plTwo*)r, d = *(const plTwo*)s;
  plWide even = {a[0], a[1], c[0], c[1]}, odd = {b[0], b[1], d[0], d[1]};
  x[0] = PL_WIDE_PICK(even, odd, 0, 4, 2, 6), x[1] = PL_WIDE_PICK(even, odd, 1, 5, 3, 7);
}
// Four, two or one number of four records that follow each other at a distance of size doubles.
static inline void four_read4(const double* a, int size, plWide* x) {
  four_gather4(a, a + size, a + 2 * size, a + 3 * size, x);
}
static inline void four_read2(const double* a, int size, plWide* x) {
  four_gather2(a, a + size, a + 2 * size, a + 3 * size, x);
}
static inline plWide four_read1(const double* a, int size) {
  return (plWide){a[0], a[size], a[2 * size], a[3 * size]};
}
static inline void four_write4(double* a, int size, plWide p, plWide q, plWide r, plWide s) {
  wide_transpose(&p, &q, &r, &s);
  *(plWide*)a = p, *(plWide*)(a + size) = q, *(plWide*)(a + 2 * size) = r, *(plWide*)(a + 3 * size) = s;
}
static inline void four_write2(double* a, int size, plWide p, plWide q) {
  plWide even = PL_WIDE_PICK(p, q, 0, 4, 2, 6), odd = PL_WIDE_PICK(p, q, 1, 5, 3, 7);
  *(plTwo*)a = (plTwo){even[0], even[1]}, *(plTwo*)(a + size) = (plTwo){odd[0], odd[1]};
  *(plTwo*)(a + 2 * size) = (plTwo){even[2], even[3]}, *(plTwo*)(a + 3 * size) = (plTwo){odd[2], odd[3]};
}

// Numbers, vectors and so on a[0] .. a[3].
static inline plWide four_read(const double* a) { return *(const plWide*)a; }
static inline plFour3 four3_read(const plVec3* a) {
  const double* x = &a->x;
  plWide u = *(const plWide*)x, v = *(const plWide*)(x + 4), w = *(const plWide*)(x + 8);
  plWide p = PL_WIDE_PICK(u, v, 0, 1, 6, 7), q = PL_WIDE_PICK(u, w, 2, 3, 4, 5),
         r = PL_WIDE_PICK(v, w, 0, 1, 6, 7);
  return (plFour3){PL_WIDE_PICK(p, q, 0, 5, 2, 7), PL_WIDE_PICK(p, r, 1, 4, 3, 6),
                   PL_WIDE_PICK(q, r, 0, 5, 2, 7)};
}
// Registers that follow each other at a distance of size bytes, each with a vector.
static inline plFour3 four3_at(const plWide* a, size_t size) {
  plWide x[4];
  four_read4((const double*)a, (int)(size / sizeof(double)), x);
  return (plFour3){x[0], x[1], x[2]};
}
static inline void four3_put(plWide* a, size_t size, plFour3 x) {
  four_write4((double*)a, (int)(size / sizeof(double)), x.x, x.y, x.z, x.z);
}
static inline plFour33 four33_read(const plMat3* a) {
  plWide x[8];
  four_read4(a->m, 9, x), four_read4(a->m + 4, 9, x + 4);
  return (plFour33){{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7], four_read1(a->m + 8, 9)}}};
}
static inline plFourSym four_sym_read(const plSym3* a) {
  plWide x[6];
  four_read4(&a->xx, 6, x), four_read2(&a->xx + 4, 6, x + 4);
  return (plFourSym){x[0], x[1], x[2], x[3], x[4], x[5]};
}
static inline plFourMotion four_motion_read(const plMotion* a) {
  plWide x[6];
  four_read4(&a->w.x, 6, x), four_read2(&a->w.x + 4, 6, x + 4);
  return (plFourMotion){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}
static inline plFourForce four_force_read(const plForce* a) {
  plWide x[6];
  four_read4(&a->n.x, 6, x), four_read2(&a->n.x + 4, 6, x + 4);
  return (plFourForce){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}
static inline plFourInertia four_inertia_gather(const plInertia* p, const plInertia* q, const plInertia* r,
                                                const plInertia* s) {
  plWide x[10];
  four_gather4(&p->m, &q->m, &r->m, &s->m, x);
  four_gather4(&p->I.xx, &q->I.xx, &r->I.xx, &s->I.xx, x + 4);
  four_gather2(&p->I.xz, &q->I.xz, &r->I.xz, &s->I.xz, x + 8);
  return (plFourInertia){x[0], {x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7], x[8], x[9]}};
}
static inline plFourInertia four_inertia_read(const plInertia* a) {
  return four_inertia_gather(a, a + 1, a + 2, a + 3);
}
static inline void four_motion_write(plMotion* a, plFourMotion V) {
  four_write4(&a->w.x, 6, V.w.x, V.w.y, V.w.z, V.v.x), four_write2(&a->w.x + 4, 6, V.v.y, V.v.z);
}
static inline void four_force_write(plForce* a, plFourForce F) {
  four_write4(&a->n.x, 6, F.n.x, F.n.y, F.n.z, F.f.x), four_write2(&a->n.x + 4, 6, F.f.y, F.f.z);
}
static inline void four_inertia_write(plInertia* a, const plFourInertia* I) {
  four_write4(&a->m, 10, I->m, I->h.x, I->h.y, I->h.z);
  four_write4(&a->m + 4, 10, I->I.xx, I->I.yy, I->I.zz, I->I.xy);
  four_write2(&a->m + 8, 10, I->I.xz, I->I.yz);
}

static inline plFour3 four3_add(plFour3 a, plFour3 b) { return (plFour3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline plFour3 four3_sub(plFour3 a, plFour3 b) { return (plFour3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline plFour3 four3_scale(plWide s, plFour3 a) { return (plFour3){s * a.x, s * a.y, s * a.z}; }
// a + s b
static inline plFour3 four3_madd(plFour3 a, plWide s, plFour3 b) {
  return (plFour3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline plWide four3_dot(plFour3 a, plFour3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline plFour3 four3_cross(plFour3 a, plFour3 b) {
  return (plFour3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline plFour3 four3_all(plVec3 a) { return (plFour3){wide_all(a.x), wide_all(a.y), wide_all(a.z)}; }
// R a, R' a
static inline plFour3 four33_mul(const plFour33* R, plFour3 a) {
  return four3_madd(four3_madd(four3_scale(a.x, R->c[0]), a.y, R->c[1]), a.z, R->c[2]);
}
static inline plFour3 four33_tmul(const plFour33* R, plFour3 a) {
  return (plFour3){four3_dot(R->c[0], a), four3_dot(R->c[1], a), four3_dot(R->c[2], a)};
}
static inline plFour3 four_sym_mul(const plFourSym* A, plFour3 a) {
  return (plFour3){A->xx * a.x + A->xy * a.y + A->xz * a.z, A->xy * a.x + A->yy * a.y + A->yz * a.z,
                   A->xz * a.x + A->yz * a.y + A->zz * a.z};
}
// R A R'
static inline plFourSym four_sym_rotate(const plFour33* R, const plFourSym* A) {
  plFour3 r0 = {R->c[0].x, R->c[1].x, R->c[2].x}, r1 = {R->c[0].y, R->c[1].y, R->c[2].y},
          r2 = {R->c[0].z, R->c[1].z, R->c[2].z};
  plFour3 a0 = four_sym_mul(A, r0), a1 = four_sym_mul(A, r1), a2 = four_sym_mul(A, r2);
  return (plFourSym){four3_dot(r0, a0), four3_dot(r1, a1), four3_dot(r2, a2),
                     four3_dot(r0, a1), four3_dot(r0, a2), four3_dot(r1, a2)};
}
// The inertia of a body with mass m, centre of mass c and central moments I.
static inline plFourInertia four_inertia_of(plWide m, plFour3 c, const plFourSym* I) {
  plFour3 h = four3_scale(m, c);
  plWide x = h.x * c.x, y = h.y * c.y, z = h.z * c.z;
  return (plFourInertia){m,
                         h,
                         {I->xx + (y + z), I->yy + (x + z), I->zz + (x + y), I->xy - h.x * c.y,
                          I->xz - h.x * c.z, I->yz - h.y * c.z}};
}
// Momentum of bodies that move with a.
static inline plFourForce four_inertia_mul(const plFourInertia* I, plFourMotion a) {
  return (plFourForce){four3_add(four_sym_mul(&I->I, a.w), four3_cross(I->h, a.v)),
                       four3_madd(four3_cross(a.w, I->h), I->m, a.v)};
}
static inline plFourMotion four_motion_cross(plFourMotion a, plFourMotion b) {
  return (plFourMotion){four3_cross(a.w, b.w), four3_add(four3_cross(a.w, b.v), four3_cross(a.v, b.w))};
}
static inline plFourForce four_motion_cross_force(plFourMotion a, plFourForce b) {
  return (plFourForce){four3_add(four3_cross(a.w, b.n), four3_cross(a.v, b.f)), four3_cross(a.w, b.f)};
}

#endif

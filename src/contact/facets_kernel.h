// facets_kernel.h: a facet against LANES others at once (facets.h); compiled once per instruction set.
//
// All products and sums are those of facets.c, in the same order: products and sums are not joined into one
// instruction (CMakeLists.txt), so the decisions are the same to the last bit.
// in: Vec, Mask, LANES and the operations on them.
#ifndef PL_CONTACT_FACETS_KERNEL_H
#define PL_CONTACT_FACETS_KERNEL_H

#include "contact/facets.h"
#include "contact/thresholds.h"
#include "geom/thresholds.h"

typedef struct Vec3 {
  Vec x, y, z;
} Vec3;

static inline Vec3 all3(plVec3 a) { return (Vec3){all(a.x), all(a.y), all(a.z)}; }
static inline Vec3 load3(const plFacetRows* rows, int number, int i) {
  const double* at = rows->at + (size_t)number * rows->stride + (size_t)i;
  return (Vec3){load(at), load(at + rows->stride), load(at + 2 * rows->stride)};
}
static inline Vec3 sub3(Vec3 a, Vec3 b) { return (Vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline Vec dot3(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline Vec3 cross3(Vec3 a, Vec3 b) {
  return (Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline Mask apart(Vec3 la, Vec3 ua, Vec3 lb, Vec3 ub, Vec reach) {
  return either(either(either(less(ub.x, la.x - reach), less(ua.x, lb.x - reach)),
                       either(less(ub.y, la.y - reach), less(ua.y, lb.y - reach))),
                either(less(ub.z, la.z - reach), less(ua.z, lb.z - reach)));
}

static inline Vec height_above(Vec3 n, Vec base, const Vec3 x[3]) {
  return least(least(dot3(x[0], n), dot3(x[1], n)), dot3(x[2], n)) - base;
}

// Whether corners lie beyond an edge of b; d: from its beginning to them. The edges of a run the other way:
// there d is from the corners to the beginning.
static inline Mask is_beyond(Vec3 edge, Vec3 m, Vec3 d0, Vec3 d1, Vec3 d2) {
  Vec3 in = cross3(edge, m);
  Vec slack = all(-PL_ROUNDING) * dot3(edge, edge);
  return both(both(less(dot3(d0, in), slack), less(dot3(d1, in), slack)), less(dot3(d2, in), slack));
}

// The edges that separate facets a and b, as in pl_clip_beyond.
static inline void find_beyond(const Vec3 a[3], const Vec3 b[3], Vec3 m, unsigned left, int shift,
                               plFacetsNear* out) {
  Vec3 d[3][3];  // from corner l of b to corner k of a
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++) d[k][l] = sub3(a[k], b[l]);
  for (int l = 0; l < 3 && left; l++) {
    unsigned is = bits(is_beyond(sub3(b[(l + 1) % 3], b[l]), m, d[0][l], d[1][l], d[2][l])) & left;
    out->beyond[l] |= is << shift, left &= ~is;
  }
  for (int k = 0; k < 3 && left; k++) {
    unsigned is = bits(is_beyond(sub3(a[(k + 1) % 3], a[k]), m, d[k][0], d[k][1], d[k][2])) & left;
    out->beyond[3 + k] |= is << shift, left &= ~is;
  }
}

// The facets of one vector.
static inline unsigned some_near(const plFacet* a, const plFacetRows* rows, int i, unsigned valid,
                                 double margin, int shift, plFacetsNear* out) {
  Vec reach = all(margin);
  Vec3 la = all3(a->lower), ua = all3(a->upper), lb = load3(rows, 0, i), ub = load3(rows, 3, i);
  Vec limit = load(rows->at + 19 * rows->stride + (size_t)i);
  unsigned near = ~bits(apart(la, ua, lb, ub, most(least(all(a->limit), limit), reach))) & valid;
  if (!near) return 0;
  Vec3 na = all3(a->n), nb = load3(rows, 6, i);
  Vec facing = dot3(na, nb);
  unsigned face = bits(less(facing, all(PL_FACING))), within = ~bits(apart(la, ua, lb, ub, reach));
  near &= bits(less(facing, all(PL_FACING_AT_ALL))) & (face | within);
  if (!near) return 0;
  Vec3 xa[3] = {all3(a->x[0]), all3(a->x[1]), all3(a->x[2])},
       xb[3] = {load3(rows, 9, i), load3(rows, 12, i), load3(rows, 15, i)};
  Vec base = load(rows->at + 18 * rows->stride + (size_t)i);
  Vec above_a = height_above(na, all(a->base), xb), above_b = height_above(nb, base, xa);
  near &= ~bits(either(less(reach, above_a), less(reach, above_b)));
  if (!near) return 0;
  Vec height = most(above_b, above_a), zero = all(0), up = most(height, zero);
  Vec3 out_b = sub3(la, ub), out_a = sub3(lb, ua);
  Vec3 gap = {most(most(out_b.x, out_a.x), zero), most(most(out_b.y, out_a.y), zero),
              most(most(out_b.z, out_a.z), zero)};
  store(out->facing + shift, facing), store(out->height + shift, height);
  store(out->least2 + shift, most(dot3(gap, gap), up * up));
  face &= near;
  out->face |= face << shift;
  if (face) find_beyond(xa, xb, sub3(na, nb), face, shift, out);
  return near << shift;
}

static inline unsigned facets_near(const plFacet* a, const plFacetRows* b, int i, int n, double margin,
                                   plFacetsNear* out) {
  unsigned near = 0;
  out->face = 0;
  for (int e = 0; e < 6; e++) out->beyond[e] = 0;
  for (int k = 0; k < n; k += LANES) {
    unsigned valid = n - k < LANES ? (1U << (n - k)) - 1 : (1U << LANES) - 1;
    near |= some_near(a, b, i + k, valid, margin, k, out);
  }
  return near;
}

#endif

// facets.c: a facet against others, one after another, and the choice among the instruction sets.
#include "contact/facets.h"

#include "base/cpu.h"
#include "contact/thresholds.h"
#include "geom/clip.h"

static void put(const plFacetRows* rows, int number, int i, plVec3 a) {
  double* at = rows->at + (size_t)number * rows->stride + (size_t)i;
  at[0] = a.x, at[rows->stride] = a.y, at[2 * rows->stride] = a.z;
}

static double number_of(const plFacetRows* rows, int number, int i) {
  return rows->at[(size_t)number * rows->stride + (size_t)i];
}

static plVec3 get(const plFacetRows* rows, int number, int i) {
  return v3(number_of(rows, number, i), number_of(rows, number + 1, i), number_of(rows, number + 2, i));
}

void pl_facet_store(const plFacetRows* rows, int i, const plFacet* f) {
  put(rows, 0, i, f->lower), put(rows, 3, i, f->upper), put(rows, 6, i, f->n);
  for (int k = 0; k < 3; k++) put(rows, 9 + 3 * k, i, f->x[k]);
  rows->at[18 * rows->stride + (size_t)i] = f->base, rows->at[19 * rows->stride + (size_t)i] = f->limit;
}

static plFacet load(const plFacetRows* rows, int i) {
  return (plFacet){.x = {get(rows, 9, i), get(rows, 12, i), get(rows, 15, i)},
                   .n = get(rows, 6, i),
                   .lower = get(rows, 0, i),
                   .upper = get(rows, 3, i),
                   .base = number_of(rows, 18, i),
                   .limit = number_of(rows, 19, i)};
}

static bool apart(const plFacet* a, const plFacet* b, double reach) {
  return (a->lower.x - reach > b->upper.x) | (b->lower.x - reach > a->upper.x) |
         (a->lower.y - reach > b->upper.y) | (b->lower.y - reach > a->upper.y) |
         (a->lower.z - reach > b->upper.z) | (b->lower.z - reach > a->upper.z);
}

// How far facet g lies above the plane of f: a lower bound of the gap in any direction.
static double height_above(const plFacet* f, const plFacet* g) {
  return min3(v3_dot(g->x[0], f->n), v3_dot(g->x[1], f->n), v3_dot(g->x[2], f->n)) - f->base;
}

static double least2_of(const plFacet* a, const plFacet* b, double height) {
  plVec3 out = v3_max(v3_sub(a->lower, b->upper), v3_sub(b->lower, a->upper));
  double gap2 = v3_norm2(v3_max(out, v3(0, 0, 0))), height2 = height > 0 ? height * height : 0;
  return gap2 > height2 ? gap2 : height2;
}

// What separates most pairs comes first.
static bool is_near(const plFacet* a, const plFacet* b, double margin, double* facing, double* height) {
  double deepest = min2(a->limit, b->limit);
  if (apart(a, b, max2(deepest, margin))) return false;
  *facing = v3_dot(a->n, b->n);
  if (!(*facing < PL_FACING_AT_ALL)) return false;
  if (!(*facing < PL_FACING) && apart(a, b, margin)) return false;
  double above_a = height_above(a, b), above_b = height_above(b, a);
  *height = max2(above_b, above_a);
  return !(above_a > margin) && !(above_b > margin);
}

unsigned pl_facets_near_plain(const plFacet* a, const plFacetRows* b, int i, int n, double margin,
                              plFacetsNear* out) {
  unsigned near = 0;
  out->face = 0;
  for (int e = 0; e < 6; e++) out->beyond[e] = 0;
  for (int k = 0; k < n; k++) {
    plFacet other = load(b, i + k);
    if (!is_near(a, &other, margin, &out->facing[k], &out->height[k])) continue;
    near |= 1U << k;
    out->least2[k] = least2_of(a, &other, out->height[k]);
    if (!(out->facing[k] < PL_FACING)) continue;
    out->face |= 1U << k;
    int beyond = pl_clip_beyond(a->x, other.x, v3_sub(a->n, other.n));
    if (beyond >= 0) out->beyond[(beyond + 3) % 6] |= 1U << k;
  }
  return near;
}

plFacetsCompare* pl_facets_near(void) {
#if defined(__x86_64__)
  if (pl_isa() == PL_ISA_AVX512) return pl_facets_near_avx512;
  if (pl_isa() == PL_ISA_AVX2) return pl_facets_near_avx2;
#endif
  return pl_facets_near_plain;
}

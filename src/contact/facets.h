// facets.h: one facet against several others: which of them may touch it, and which edges separate them.
//
// The tests of most pairs of facets fail, each at another one, so that a processor cannot predict them. With
// vectors all tests are made for eight facets at once. Every instruction set gives the same bits.
#ifndef PL_CONTACT_FACETS_H
#define PL_CONTACT_FACETS_H

#include <stddef.h>

#include "geom/skin.h"

typedef struct plFacet {
  plVec3 x[3], n, lower, upper;
  double base;   // n . x
  double limit;  // deepest admissible overlap
  int id;
} plFacet;

// The same numbers of many facets, without ids: number f of facet i is at[f * stride + i].
typedef struct plFacetRows {
  double* at;
  size_t stride;
} plFacetRows;

enum { PL_FACET_NUMBERS = 20, PL_FACETS_MOST = 8 };

// The rows have room for PL_FACETS_MOST more facets than they hold, which are zero.
void pl_facet_store(const plFacetRows* rows, int i, const plFacet* f);

// Bit k belongs to facet i + k of the others.
typedef struct plFacetsNear {
  unsigned face;       // it faces the facet
  unsigned beyond[6];  // it does, and an edge separates the two: that of the other, then that of the facet
  double facing[PL_FACETS_MOST];  // product of the normals
  double height[PL_FACETS_MOST];  // m, the larger height of one above the plane of the other
  double least2[PL_FACETS_MOST];  // m^2, a lower bound of the squared distance, from boxes and planes
} plFacetsNear;

// Compares facet a with the n <= PL_FACETS_MOST facets from i on. Returns those that are near: they may be in
// contact, or nearer than the margin. `out` is written if there are some. An edge separates two facets if all
// corners of the other one lie beyond it, seen along the difference of the normals.
typedef unsigned plFacetsCompare(const plFacet* a, const plFacetRows* b, int i, int n, double margin,
                                 plFacetsNear* out);
plFacetsCompare pl_facets_near_plain, pl_facets_near_avx2, pl_facets_near_avx512;
plFacetsCompare* pl_facets_near(void);  // for this machine

// The edge that separates facet k from a: the first of a (0..2) if none of the other's does (3..5); -1: none.
static inline int facets_beyond(const plFacetsNear* near, int k) {
  for (int e = 0; e < 6; e++)
    if (near->beyond[e] >> k & 1) return e < 3 ? e + 3 : e - 3;
  return -1;
}

#endif

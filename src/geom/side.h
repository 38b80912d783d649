// side.h: the sides of triangles as edges, sorted so that the sides of one edge follow each other.
#ifndef PL_GEOM_SIDE_H
#define PL_GEOM_SIDE_H

#include <stdlib.h>

// Side at % 3 of triangle at / 3, from its smaller to its larger vertex.
typedef struct plTriSide {
  int low, high, at;
} plTriSide;

static inline int tri_side_compare(const void* pa, const void* pb) {
  const plTriSide *a = pa, *b = pb;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return a->at < b->at ? -1 : a->at > b->at;
}

// The sides of ntri triangles, sorted by edge; side: [3 ntri].
static inline void tri_sides(int ntri, const int* tri, plTriSide* side) {
  for (int i = 0; i < 3 * ntri; i++) {
    int a = tri[i], b = tri[i - i % 3 + (i + 1) % 3];
    side[i] = (plTriSide){a < b ? a : b, a < b ? b : a, i};
  }
  qsort(side, 3 * (size_t)ntri, sizeof *side, tri_side_compare);
}

#endif

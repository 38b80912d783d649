// blocks.h: assembles block matrices, for tests and benchmarks.
#ifndef PL_TEST_LINALG_BLOCKS_H
#define PL_TEST_LINALG_BLOCKS_H

#include <stdlib.h>
#include <string.h>

#include "linalg/bsym.h"

// pl_bsym_create for elements of nvertex vertices each, e.g. 4 for tetrahedra.
static inline plStatus blocks_create(int n, int nelem, int nvertex, const int* vertex, plBsym** matrix,
                                     plError* error) {
  int* start = malloc(((size_t)nelem + 1) * sizeof *start);
  if (!start) return PL_ERROR_MEMORY;
  for (int e = 0; e <= nelem; e++) start[e] = e * nvertex;
  plStatus status = pl_bsym_create(n, nelem, start, vertex, matrix, error);
  free(start);
  return status;
}

// A = 0, pattern kept
static inline void blocks_clear(plBsym* A) { memset(A->block, 0, 9 * (size_t)A->nblock * sizeof(double)); }

// The position of block (i, j) (both orders of i and j name the same block, that with row max(i, j)), or -1.
static inline int blocks_find(const plBsym* A, int i, int j) {
  int column = i < j ? i : j, row = i < j ? j : i;
  for (int q = A->col0[column]; q < A->col0[column + 1]; q++)
    if (A->row[q] == row) return q;
  return -1;
}

// Positions for assembly: place[nvertex^2 e + nvertex a + b] is the position of block (vertex a, vertex b) of
// element e if vertex a >= vertex b, else -1.
static inline void blocks_places(const plBsym* A, int nelem, int nvertex, const int* vertex, int* place) {
  for (int e = 0; e < nelem; e++)
    for (int a = 0; a < nvertex; a++)
      for (int b = 0; b < nvertex; b++) {
        int i = vertex[e * nvertex + a], j = vertex[e * nvertex + b];
        place[(e * nvertex + a) * nvertex + b] = i >= j ? blocks_find(A, i, j) : -1;
      }
}

// A(i, j) += block (column-major, rows of vertex i, columns of vertex j), at the position of that block; only
// for i >= j.
static inline void blocks_add(plBsym* A, int at, const double* block) {
  double* a = A->block + 9 * (size_t)at;
  for (int k = 0; k < 9; k++) a[k] += block[k];
}

#endif

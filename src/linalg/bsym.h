// bsym.h: symmetric sparse matrices of 3x3 blocks, one block row and column per vertex, lower block columns
// stored.
//
// Block (i, j) with i >= j stands in column j; rows within a column ascend, the diagonal block is always
// there and comes first. A diagonal block is stored whole (all 9 numbers); both of its triangles are expected
// to be equal.
#ifndef PL_LINALG_BSYM_H
#define PL_LINALG_BSYM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/parallel.h"
#include "pliant/types.h"

typedef struct plBsym {
  int n;          // block columns (vertices)
  int nblock;     // stored blocks
  int* col0;      // [n + 1] first block of each column
  int* row;       // [nblock] block row
  double* block;  // [9 nblock] values, each block column-major
  int* left0;     // [n + 1] blocks left of the diagonal of row i: left[left0[i]] .. left[left0[i + 1] - 1],
  int* left;      // [nblock - n] their places, columns ascending,
  int* left_col;  // [nblock - n] and their columns
  bool flat;      // third rows and columns of blocks are zero, but for the last number of diagonal blocks:
                  // nothing happens along z
} plBsym;

// The zero matrix whose pattern couples all vertices of an element with each other: element e has the
// vertices vertex[start[e]] .. vertex[start[e + 1] - 1], each in 0 .. n-1.
plStatus pl_bsym_create(int n, int nelem, const int* start, const int* vertex, plBsym** matrix,
                        plError* error);
// The same for elements of a fixed number of vertices, e.g. 4 for tetrahedra.
plStatus pl_bsym_create_uniform(int n, int nelem, int nvertex, const int* vertex, plBsym** matrix,
                                plError* error);
void pl_bsym_destroy(plBsym* matrix);

// A = 0, pattern kept
void pl_bsym_clear(plBsym* A);

// Where block (i, j) stands (either order of i and j names the same place, the one with row max(i, j)), or
// -1.
int pl_bsym_find(const plBsym* A, int i, int j);

// Positions for assembly: place[16 e + 4 a + b] for tetrahedron-like elements of nvertex vertices is
// place[nvertex^2 e + nvertex a + b], the position of block (vertex a, vertex b) if vertex a >= vertex b,
// else -1.
void pl_bsym_places(const plBsym* A, int nelem, int nvertex, const int* vertex, int* place);

// A(i, j) += block (column-major, rows of vertex i, columns of vertex j), at the position found before; only
// for i >= j.
static inline void pl_bsym_add(plBsym* A, int place, const double* block) {
  double* a = A->block + 9 * (size_t)place;
  for (int k = 0; k < 9; k++) a[k] += block[k];
}

// y = A x, vectors of 3 n numbers; x and y must not overlap
void pl_bsym_multiply(const plBsym* A, const double* x, double* y);
// The same bits by several threads, which work on rows, at least so many each.
enum { PL_BSYM_GRAIN = 64 };
void pl_bsym_multiply_shared(const plBsym* A, const double* x, double* y, plPool* pool);

#endif

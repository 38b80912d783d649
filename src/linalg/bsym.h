// bsym.h: symmetric sparse matrices of 3x3 blocks, one block row and column per vertex, lower block columns
// stored.
//
// Block (i, j) with i >= j is stored in column j. Rows within a column ascend; the diagonal block always
// exists and comes first. A diagonal block is stored completely (9 numbers); its two triangles must be equal.
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
  int* left;      // [nblock - n] their positions, columns ascending,
  int* left_col;  // [nblock - n] and their columns
  bool flat;      // third rows and columns of blocks are zero except for the last number of diagonal blocks:
                  // plane strain, no motion along z
} plBsym;

// The zero matrix whose pattern couples all vertices of an element with each other: element e has the
// vertices vertex[start[e]] .. vertex[start[e + 1] - 1], each in 0 .. n-1.
plStatus pl_bsym_create(int n, int nelem, const int* start, const int* vertex, plBsym** matrix,
                        plError* error);
void pl_bsym_destroy(plBsym* matrix);

// y = A x, vectors of 3 n numbers; x and y must not overlap
void pl_bsym_multiply(const plBsym* A, const double* x, double* y);
// The same bits with several threads, which share the rows, at least this many each.
enum { PL_BSYM_GRAIN = 64 };
void pl_bsym_multiply_shared(const plBsym* A, const double* x, double* y, plPool* pool);

#endif

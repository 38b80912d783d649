// symv.h: products of dense symmetric matrices, given by their lower triangle, with vectors.
#ifndef PL_LINALG_SYMV_H
#define PL_LINALG_SYMV_H

// y += A x, A: n x n, column-major, the lower triangle is read
void pl_symv(int n, const double* A, const double* x, double* y);
// y_row += A x_col and y_col += A' x_row, A: nr x nc, column-major: both triangles of a block off the
// diagonal
void pl_symv_block(int nr, int nc, const double* A, const double* x_row, const double* x_col, double* y_row,
                   double* y_col);

#endif

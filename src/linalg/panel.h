// panel.h: panel-major dense storage and the kernels that work on it, one set per instruction set.
//
// Rows are stored in panels of 24, a panel column by column, so that every kernel reads memory in order and
// nothing needs to be packed. The height of the last panel is its number of rows rounded up to 8; rows beyond
// the matrix are zero.
//
//   rectangle m x k   panel p: height h(p), k columns rounded up to 8, at 24 p columns
//   triangle n x n    panel p: height h(p), columns 0 .. min(24 (p + 1), n rounded up to 8) - 1,
//                     at 288 p (p + 1)
//
// A triangular factor stores the reciprocals of its diagonal on the diagonal; padding columns have 1 there.
#ifndef PL_LINALG_PANEL_H
#define PL_LINALG_PANEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cpu.h"

enum {
  PL_PANEL = 24,
  PL_PAD = 8,
  PL_PANEL_BLOCK = 96
};  // rows of a panel; rounding; columns eliminated between two barriers

static inline int pl_pad(int n) { return (n + PL_PAD - 1) & ~(PL_PAD - 1); }
static inline int pl_panel_count(int rows) { return (rows + PL_PANEL - 1) / PL_PANEL; }
static inline int pl_panel_height(int rows, int p) {
  int left = rows - PL_PANEL * p;
  return left >= PL_PANEL ? PL_PANEL : pl_pad(left);
}
static inline long pl_rectangle_at(int columns, int p) { return (long)PL_PANEL * p * pl_pad(columns); }
static inline long pl_triangle_at(int p) { return 12L * PL_PANEL * p * (p + 1); }
static inline int pl_triangle_columns(int n, int p) {
  int columns = PL_PANEL * (p + 1), all = pl_pad(n);
  return columns < all ? columns : all;
}
static inline size_t pl_rectangle_size(int rows, int columns) {
  return (size_t)pl_pad(rows) * (size_t)pl_pad(columns);
}
static inline size_t pl_triangle_size(int n) {
  if (n <= 0) return 0;
  int last = pl_panel_count(n) - 1;
  return (size_t)pl_triangle_at(last) +
         (size_t)pl_panel_height(n, last) * (size_t)pl_triangle_columns(n, last);
}

// Rows of one panel of a source triangle that fall into 8 rows of one panel of the target.
typedef struct plPiece {
  long src;      // first row, in the source
  short height;  // of the source's panel: its column stride
  short chunk;   // 0, 1, 2: which 8 rows of the target's panel
  int mask;      // which of the 8
  int ncol;      // block columns to add: those not right of the last row
} plPiece;

typedef struct plPanelKernels {
  // Columns c0 .. c1-1 (multiples of 8) of one panel X of height h: X := (X - X(:, 0:c) L(c, 0:c)') L(c,
  // c)^-T, given its columns before c0 and the triangle L of order n up to c1.
  void (*solve)(const double* L, int n, double* X, int h, int c0, int c1);
  // Panel p of the triangle L of order n, from column c0 on (a multiple of 24): the same, then its own
  // diagonal block is factored. All earlier panels are complete. Returns the column whose pivot is not
  // positive, or -1.
  int (*factor)(double* L, int n, int p, int c0);
  // Panels p0 .. p1-1 of the triangle C of order n: C := C - A A', or -A A' (start), for the rectangle A of n
  // rows and k columns.
  void (*syrk)(const double* A, int n, int k, double* C, int p0, int p1, bool start);
  // Panels p0 .. p1-1 of the rectangle C of m rows and n columns: C := C - A B', or -A B' (start), for
  // rectangles of k columns.
  void (*gemm)(const double* A, int m, int k, const double* B, int n, double* C, int p0, int p1, bool start);
  // One tile with any column strides: C[h x 8] := C - A[h x k] B[8 x k]', or without C (start); h = 8, 16 or
  // 24.
  void (*tile)(int h, int k, const double* A, long lda, const double* B, long ldb, double* C, long ldc,
               bool start);
  // Adds rows of a child's update matrix U (a triangle) to rows of a panel X with column stride hx. Each
  // piece takes block columns from .. min(to, its ncol) - 1, the j-th being added to the block column at[j]
  // of X. Blocks have 3 columns, those of expand_flat 2.
  void (*expand)(int npiece, const plPiece* piece, int from, int to, const int* at, const double* U,
                 double* X, long hx);
  void (*expand_flat)(int npiece, const plPiece* piece, int from, int to, const int* at, const double* U,
                      double* X, long hx);
  // y(h) = sum over k columns of the panel X times x(k)
  void (*multiply)(const double* X, int h, int k, const double* x, double* y);
  // The triangle's panel p on its own rows: y := L(p, p)^-1 y (forward), or L(p, p)^-T y (backward)
  void (*forward)(const double* L, int n, int p, double* y);
  void (*backward)(const double* L, int n, int p, double* y);
  // z(8 columns from c on) -= the columns' products with x over the panels p0 .. p1-1 of a rectangle of
  // `rows` rows and k columns
  void (*dot_rectangle)(const double* X, int rows, int k, int c, const double* x, double* z);
  // the same over the panels p0 .. of a triangle of order n; x starts at row 24 p0
  void (*dot_triangle)(const double* L, int n, int p0, int c, const double* x, double* z);
  // The same panel by panel: sum (8 numbers per column) += the k columns of one panel X times x; at the end
  // z(k) -= the total of sum.
  void (*dot)(const double* X, int h, int k, const double* x, double* sum);
  void (*gather)(const double* sum, int k, double* z);
  // 8 right-hand sides: X -= Y B for one panel B of height h and k columns (X and Y have a column of 8
  // numbers for each of its columns and rows); X := X L^-1 for the triangle L of order n
  void (*block_below)(const double* B, int h, int k, const double* Y, double* X);
  void (*block_back)(const double* L, int n, double* X);
} plPanelKernels;

const plPanelKernels* pl_panel_kernels(plIsa isa);

extern const plPanelKernels pl_panel_plain, pl_panel_avx2, pl_panel_avx512;

#endif

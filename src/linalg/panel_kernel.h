// panel_kernel.h: the kernels of panel.h written once over vectors of WIDTH doubles and tiles of 3 vectors by
// NR columns.
//
// panel_plain.c, panel_avx2.c and panel_avx512.c define WIDTH and NR, include this file and list its
// functions in their table.
#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/panel.h"

#define INLINE static inline __attribute__((always_inline))

typedef double Vec __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));

enum { NV = 3, KC = 320 };  // vectors in a tile's column; columns of a panel that stay in the first cache

INLINE Vec load(const double* p) { return *(const Vec*)p; }
INLINE void store(double* p, Vec v) { *(Vec*)p = v; }

// Row c of the triangle, as the base of NR rows, and its stride.
INLINE const double* triangle_row(const double* L, int n, int c, long* stride) {
  int p = c / PL_PANEL;
  *stride = pl_panel_height(n, p);
  return L + pl_triangle_at(p) + c % PL_PANEL;
}

// ---- tiles: nv vectors by nc columns held in registers

// t -= A[nv x 1] B[nc x 1]'
INLINE void accumulate_column(int nv, int nc, const double* A, const double* B, Vec t[NR][NV]) {
  Vec a[NV];
#pragma GCC unroll 3
  for (int i = 0; i < nv; i++) a[i] = load(A + WIDTH * i);
#pragma GCC unroll 8
  for (int j = 0; j < nc; j++) {
    double b = B[j];
#pragma GCC unroll 3
    for (int i = 0; i < nv; i++) t[j][i] -= a[i] * b;
  }
}

// t -= A[nv x k] B[nc x k]'. Meanwhile the memory at `soon`, which will be written next, is prefetched, one
// line per column.
INLINE void accumulate(int nv, int nc, int k, const double* A, long lda, const double* B, long ldb,
                       Vec t[NR][NV], const double* soon) {
  int q = 0, lines = nv * nc * WIDTH / 8;
  for (int fetched = k < lines ? k : lines; q < fetched; q++, A += lda, B += ldb) {
    __builtin_prefetch(soon + 8 * q, 1);
    accumulate_column(nv, nc, A, B, t);
  }
  for (int rest = q; rest < lines; rest++) __builtin_prefetch(soon + 8 * rest, 1);
  for (; q < k; q++, A += lda, B += ldb) accumulate_column(nv, nc, A, B, t);
}

INLINE void load_tile(int nv, int nc, const double* C, long ldc, Vec t[NR][NV]) {
#pragma GCC unroll 8
  for (int j = 0; j < nc; j++)
#pragma GCC unroll 3
    for (int i = 0; i < nv; i++) t[j][i] = load(C + WIDTH * i + j * ldc);
}

INLINE void clear_tile(int nv, int nc, Vec t[NR][NV]) {
#pragma GCC unroll 8
  for (int j = 0; j < nc; j++)
#pragma GCC unroll 3
    for (int i = 0; i < nv; i++) t[j][i] = (Vec){0};
}

INLINE void store_tile(int nv, int nc, double* C, long ldc, Vec t[NR][NV]) {
#pragma GCC unroll 8
  for (int j = 0; j < nc; j++)
#pragma GCC unroll 3
    for (int i = 0; i < nv; i++) store(C + WIDTH * i + j * ldc, t[j][i]);
}

// C := C - A B', or -A B' (start)
INLINE void update_tile(int nv, int k, const double* A, long lda, const double* B, long ldb, double* C,
                        long ldc, bool start) {
  Vec t[NR][NV];
  if (start)
    clear_tile(nv, NR, t);
  else
    load_tile(nv, NR, C, ldc, t);
  accumulate(nv, NR, k, A, lda, B, ldb, t, C + NR * ldc);
  store_tile(nv, NR, C, ldc, t);
}

// X := (X - A B') T^-T for the lower triangle T (nc x nc, reciprocals on its diagonal, column stride 24); A
// and X have column stride h.
INLINE void solve_tile(int nv, int nc, int k, const double* A, int h, const double* B, long ldb, double* X,
                       const double* T, const double* soon) {
  Vec t[NR][NV];
  load_tile(nv, nc, X, h, t);
  accumulate(nv, nc, k, A, h, B, ldb, t, soon);
#pragma GCC unroll 8
  for (int j = 0; j < nc; j++) {
    double d = T[j + j * PL_PANEL];
#pragma GCC unroll 3
    for (int i = 0; i < nv; i++) t[j][i] *= d;
#pragma GCC unroll 8
    for (int l = j + 1; l < nc; l++) {
      double b = T[l + j * PL_PANEL];
#pragma GCC unroll 3
      for (int i = 0; i < nv; i++) t[l][i] -= t[j][i] * b;
    }
  }
  store_tile(nv, nc, X, h, t);
}

// ---- rows: tiles below each other; NR columns. A panel's height h, which is its column stride, is a
// compile-time constant: with strides known only at run time, a small tile would spend a quarter of its time
// on addresses.

INLINE void update_strided(int rows, int k, const double* A, long lda, const double* B, long ldb, double* C,
                           long ldc, bool start) {
  int r = 0;
  for (; rows - r >= NV * WIDTH; r += NV * WIDTH) update_tile(3, k, A + r, lda, B, ldb, C + r, ldc, start);
  if (rows - r == 2 * WIDTH)
    update_tile(2, k, A + r, lda, B, ldb, C + r, ldc, start);
  else if (rows - r == WIDTH)
    update_tile(1, k, A + r, lda, B, ldb, C + r, ldc, start);
}

// C := C - A B', or -A B' (start), where A and C are in panels of height h
static void update_rows(int h, int rows, int k, const double* A, const double* B, long ldb, double* C,
                        bool start) {
  if (h == PL_PANEL)
    update_strided(rows, k, A, PL_PANEL, B, ldb, C, PL_PANEL, start);
  else if (h == 2 * PL_PAD)
    update_strided(rows, k, A, 2 * PL_PAD, B, ldb, C, 2 * PL_PAD, start);
  else
    update_strided(rows, k, A, PL_PAD, B, ldb, C, PL_PAD, start);
}

INLINE void solve_strided(int h, int nc, int rows, int k, const double* A, const double* B, long ldb,
                          double* X, const double* T, const double* soon) {
  int r = 0;
  for (; rows - r >= NV * WIDTH; r += NV * WIDTH)
    solve_tile(3, nc, k, A + r, h, B, ldb, X + r, T, soon + r * NR);
  if (rows - r == 2 * WIDTH)
    solve_tile(2, nc, k, A + r, h, B, ldb, X + r, T, soon + r * NR);
  else if (rows - r == WIDTH)
    solve_tile(1, nc, k, A + r, h, B, ldb, X + r, T, soon + r * NR);
}

INLINE void solve_columns(int nc, int h, int rows, int k, const double* A, const double* B, long ldb,
                          double* X, const double* T, const double* soon) {
  if (h == PL_PANEL)
    solve_strided(PL_PANEL, nc, rows, k, A, B, ldb, X, T, soon);
  else if (h == 2 * PL_PAD)
    solve_strided(2 * PL_PAD, nc, rows, k, A, B, ldb, X, T, soon);
  else
    solve_strided(PL_PAD, nc, rows, k, A, B, ldb, X, T, soon);
}

// X := (X - A B') T^-T, where A and X are in a panel of height h; the last `ncol` columns may be fewer than
// NR
static void solve_rows(int ncol, int h, int rows, int k, const double* A, const double* B, long ldb,
                       double* X, const double* T, long ldt, const double* soon) {
  double copy[NR * PL_PANEL];
  if (ldt != PL_PANEL) {
    for (int j = 0; j < NR; j++) memcpy(copy + j * PL_PANEL, T + j * ldt, NR * sizeof(double));
    T = copy;
  }
  if (ncol > 3 * NR / 4)
    solve_columns(NR, h, rows, k, A, B, ldb, X, T, soon);
  else if (ncol > NR / 2)
    solve_columns(3 * NR / 4, h, rows, k, A, B, ldb, X, T, soon);
  else if (ncol > NR / 4)
    solve_columns(NR / 2, h, rows, k, A, B, ldb, X, T, soon);
  else
    solve_columns(NR / 4, h, rows, k, A, B, ldb, X, T, soon);
}

// ---- panels

// Of the columns before c0, those whose contribution is subtracted in slices that stay in cache; the others
// are subtracted at once afterwards.
INLINE int in_slices(int c0) { return c0 > KC ? c0 : 0; }

static void panel_solve(const double* L, int n, double* X, int h, int c0, int c1) {
  long ldb;
  int done = in_slices(c0);
  if (c1 > n) c1 = n;  // padding columns stay zero
  for (int k0 = 0; k0 < done; k0 += KC) {
    int k = done - k0 < KC ? done - k0 : KC;
    for (int c = c0; c < c1; c += NR) {
      const double* B = triangle_row(L, n, c, &ldb);
      update_rows(h, h, k, X + (long)k0 * h, B + k0 * ldb, ldb, X + (long)c * h, false);
    }
  }
  const double* next = X + (long)h * pl_pad(n);  // the next panel in memory will be needed soon
  for (int c = c0; c < c1; c += NR) {
    const double* B = triangle_row(L, n, c, &ldb);
    solve_rows(n - c, h, h, c - done, X + (long)done * h, B + done * ldb, ldb, X + (long)c * h, B + c * ldb,
               ldb, next + (long)c * h);
  }
}

// The NR x NR diagonal tile at T: Cholesky factor with reciprocal diagonal; returns the column that fails, or
// -1. Columns are eliminated unscaled, so that no square root is on the path from one pivot to the next.
static int factor_tile(double* T, long ldt) {
  enum { ROWS = NR / WIDTH };
  Vec t[NR][ROWS];
  double pivot[NR];
#pragma GCC unroll 8
  for (int j = 0; j < NR; j++)
#pragma GCC unroll 8
    for (int i = 0; i < ROWS; i++) t[j][i] = load(T + WIDTH * i + j * ldt);
#pragma GCC unroll 8
  for (int j = 0; j < NR; j++) {
    pivot[j] = t[j][j / WIDTH][j % WIDTH];
    double inverse = 1 / pivot[j];
#pragma GCC unroll 8
    for (int l = j + 1; l < NR; l++) {
      double b = t[j][l / WIDTH][l % WIDTH] * inverse;
#pragma GCC unroll 8
      for (int i = 0; i < ROWS; i++) t[l][i] -= t[j][i] * b;
    }
  }
  for (int j = 0; j < NR; j++)
    if (!(pivot[j] > 0 && pivot[j] <= DBL_MAX)) return j;
#pragma GCC unroll 8
  for (int j = 0; j < NR; j++) {
    double scale = 1 / sqrt(pivot[j]);
#pragma GCC unroll 8
    for (int i = 0; i < ROWS; i++) store(T + WIDTH * i + j * ldt, t[j][i] * scale);
    T[j + j * ldt] = scale;
  }
  return -1;
}

static int panel_factor(double* L, int n, int p, int c0) {
  double* X = L + pl_triangle_at(p);
  int h = pl_panel_height(n, p), own = PL_PANEL * p, end = pl_triangle_columns(n, p), done = in_slices(c0);
  panel_solve(L, n, X, h, c0, own);
  for (int k0 = 0; k0 < done; k0 += KC) {
    int k = done - k0 < KC ? done - k0 : KC;
    for (int c = own; c < end; c += NR) {
      int r = c - own;
      update_rows(h, h - r, k, X + r + (long)k0 * h, X + r + (long)k0 * h, h, X + r + (long)c * h, false);
    }
  }
  for (int c = own; c < end; c += NR) {
    int r = c - own;
    double* T = X + r + (long)c * h;
    const double* B = X + r + (long)done * h;
    update_rows(h, NR, c - done, B, B, h, T, false);
    int failed = factor_tile(T, h);
    if (failed >= 0) return c + failed;
    solve_rows(NR, h, h - r - NR, c - done, B + NR, B, h, T + NR, T, h, T + (long)h * end);
  }
  return -1;
}

static void panel_syrk(const double* A, int n, int k, double* C, int p0, int p1, bool start) {
  // slices of k and blocks of columns, so that a panel's slice stays in the first cache and the block's rows
  // in the second
  int last = pl_triangle_columns(n, p1 - 1), k0 = 0;
  do {
    int kb = k - k0 < KC ? k - k0 : KC;
    for (int b = 0; b < last; b += PL_PANEL_BLOCK) {
      for (int p = p0; p < p1; p++) {
        int h = pl_panel_height(n, p), own = PL_PANEL * p, end = pl_triangle_columns(n, p);
        const double* Ap = A + pl_rectangle_at(k, p) + (long)k0 * h;
        double* Cp = C + pl_triangle_at(p);
        if (end > b + PL_PANEL_BLOCK) end = b + PL_PANEL_BLOCK;
        for (int c = b; c < end; c += NR) {
          int q = c / PL_PANEL, hq = pl_panel_height(n, q), r = c > own ? c - own : 0;
          const double* B = A + pl_rectangle_at(k, q) + c % PL_PANEL + (long)k0 * hq;
          update_rows(h, h - r, kb, Ap + r, B, hq, Cp + r + (long)c * h, start && k0 == 0);
        }
      }
    }
    k0 += KC;
  } while (k0 < k);
}

static void panel_gemm(const double* A, int m, int k, const double* B, int n, double* C, int p0, int p1,
                       bool start) {
  int k0 = 0;
  do {
    int kb = k - k0 < KC ? k - k0 : KC;
    for (int b = 0; b < n; b += PL_PANEL_BLOCK) {
      int end = n - b < PL_PANEL_BLOCK ? pl_pad(n) : b + PL_PANEL_BLOCK;
      for (int p = p0; p < p1; p++) {
        int h = pl_panel_height(m, p);
        const double* Ap = A + pl_rectangle_at(k, p) + (long)k0 * h;
        for (int c = b; c < end; c += NR) {
          int q = c / PL_PANEL, hq = pl_panel_height(n, q);
          const double* Bc = B + pl_rectangle_at(k, q) + c % PL_PANEL + (long)k0 * hq;
          update_rows(h, h, kb, Ap, Bc, hq, C + pl_rectangle_at(n, p) + (long)c * h, start && k0 == 0);
        }
      }
    }
    k0 += KC;
  } while (k0 < k);
}

static void panel_tile(int h, int k, const double* A, long lda, const double* B, long ldb, double* C,
                       long ldc, bool start) {
  for (int c = 0; c < PL_PAD; c += NR) update_strided(h, k, A, lda, B + c, ldb, C + c * ldc, ldc, start);
}

// ---- extend-add; add_rows, one per instruction set, moves 8 rows of a block's columns

INLINE void expand_blocks(int dim, int npiece, const plPiece* piece, int from, int to, const int* at,
                          const double* U, double* X, long hx) {
  for (; npiece; npiece--, piece++) {
    Spread spread = make_spread((unsigned)piece->mask);
    long hs = piece->height;
    const double* src = U + piece->src + dim * from * hs;
    double* dst = X + 8 * piece->chunk;
    int end = piece->ncol < to ? piece->ncol : to;
    for (int j = from; j < end; j++, src += dim * hs)
      add_rows(&spread, src, hs, dst + dim * at[j] * hx, hx, dim);
  }
}

static void panel_expand(int npiece, const plPiece* piece, int from, int to, const int* at, const double* U,
                         double* X, long hx) {
  expand_blocks(3, npiece, piece, from, to, at, U, X, hx);
}
static void panel_expand_flat(int npiece, const plPiece* piece, int from, int to, const int* at,
                              const double* U, double* X, long hx) {
  expand_blocks(2, npiece, piece, from, to, at, U, X, hx);
}

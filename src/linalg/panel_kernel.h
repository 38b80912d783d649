// panel_kernel.h: the kernels of panel.h written once over vectors of WIDTH doubles and tiles of 3 vectors by NR columns.
//
// panel_plain.c, panel_avx2.c and panel_avx512.c define WIDTH and NR, include this file and list its functions in their table.
#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/panel.h"

#define INLINE static inline __attribute__((always_inline))

typedef double Vec __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));

enum { NV = 3, KC = 256 };  // vectors in a tile's column; columns of a panel that stay in the first cache

INLINE Vec load(const double* p) { return *(const Vec*)p; }
INLINE void store(double* p, Vec v) { *(Vec*)p = v; }

// Row c of the triangle, as the base of NR rows, and its stride.
INLINE const double* triangle_row(const double* L, int n, int c, long* stride) {
  int p = c / PL_PANEL;
  *stride = pl_panel_height(n, p);
  return L + pl_triangle_at(p) + c % PL_PANEL;
}

// ---- tiles: nv vectors by NR columns held in registers

// t -= A[nv x 1] B[NR x 1]'
INLINE void accumulate_column(int nv, const double* A, const double* B, Vec t[NR][NV]) {
  Vec a[NV];
#pragma GCC unroll 3
  for (int i = 0; i < nv; i++) a[i] = load(A + WIDTH * i);
#pragma GCC unroll 8
  for (int j = 0; j < NR; j++) {
    double b = B[j];
#pragma GCC unroll 3
    for (int i = 0; i < nv; i++) t[j][i] -= a[i] * b;
  }
}

// t -= A[nv x k] B[NR x k]'. Meanwhile the memory at `soon`, which is about to be written, is fetched, a line per column.
INLINE void accumulate(int nv, int k, const double* A, long lda, const double* B, long ldb, Vec t[NR][NV], const double* soon) {
  int q = 0, lines = nv * NR * WIDTH / 8;
  for (int fetched = k < lines ? k : lines; q < fetched; q++, A += lda, B += ldb) {
    __builtin_prefetch(soon + 8 * q, 1);
    accumulate_column(nv, A, B, t);
  }
  for (int rest = q; rest < lines; rest++) __builtin_prefetch(soon + 8 * rest, 1);
  for (; q < k; q++, A += lda, B += ldb) accumulate_column(nv, A, B, t);
}

INLINE void load_tile(int nv, const double* C, long ldc, bool start, Vec t[NR][NV]) {
#pragma GCC unroll 8
  for (int j = 0; j < NR; j++)
#pragma GCC unroll 3
    for (int i = 0; i < nv; i++) t[j][i] = start ? (Vec){0} : load(C + WIDTH * i + j * ldc);
}

INLINE void store_tile(int nv, double* C, long ldc, Vec t[NR][NV]) {
#pragma GCC unroll 8
  for (int j = 0; j < NR; j++)
#pragma GCC unroll 3
    for (int i = 0; i < nv; i++) store(C + WIDTH * i + j * ldc, t[j][i]);
}

INLINE void update_tile(int nv, int k, const double* A, long lda, const double* B, long ldb, double* C, long ldc, bool start) {
  Vec t[NR][NV];
  load_tile(nv, C, ldc, start, t);
  accumulate(nv, k, A, lda, B, ldb, t, C + NR * ldc);
  store_tile(nv, C, ldc, t);
}

// The same, then t := t T^-T for the lower triangle T (NR x NR, reciprocals on its diagonal)
INLINE void solve_tile(int nv, int k, const double* A, long lda, const double* B, long ldb, double* C, long ldc, const double* T,
                       long ldt, const double* soon) {
  Vec t[NR][NV];
  load_tile(nv, C, ldc, false, t);
  accumulate(nv, k, A, lda, B, ldb, t, soon);
#pragma GCC unroll 8
  for (int j = 0; j < NR; j++) {
    double d = T[j + j * ldt];
#pragma GCC unroll 3
    for (int i = 0; i < nv; i++) t[j][i] *= d;
#pragma GCC unroll 8
    for (int l = j + 1; l < NR; l++) {
      double b = T[l + j * ldt];
#pragma GCC unroll 3
      for (int i = 0; i < nv; i++) t[l][i] -= t[j][i] * b;
    }
  }
  store_tile(nv, C, ldc, t);
}

// Tiles over h rows (a multiple of WIDTH), NR columns.
static void update_rows(int h, int k, const double* A, long lda, const double* B, long ldb, double* C, long ldc, bool start) {
  int r = 0;
  for (; h - r >= NV * WIDTH; r += NV * WIDTH) {
    if (start) update_tile(3, k, A + r, lda, B, ldb, C + r, ldc, true);
    else update_tile(3, k, A + r, lda, B, ldb, C + r, ldc, false);
  }
  if (h - r == 2 * WIDTH) update_tile(2, k, A + r, lda, B, ldb, C + r, ldc, start);
  else if (h - r == WIDTH) update_tile(1, k, A + r, lda, B, ldb, C + r, ldc, start);
}

static void solve_rows(int h, int k, const double* A, long lda, const double* B, long ldb, double* C, long ldc, const double* T,
                       long ldt, const double* soon) {
  int r = 0;
  for (; h - r >= NV * WIDTH; r += NV * WIDTH) solve_tile(3, k, A + r, lda, B, ldb, C + r, ldc, T, ldt, soon + r * NR);
  if (h - r == 2 * WIDTH) solve_tile(2, k, A + r, lda, B, ldb, C + r, ldc, T, ldt, soon + r * NR);
  else if (h - r == WIDTH) solve_tile(1, k, A + r, lda, B, ldb, C + r, ldc, T, ldt, soon + r * NR);
}

// ---- panels

static void panel_solve(const double* L, int n, double* X, int h, int c0, int c1) {
  long ldb;
  // what the columns before c0 contribute, in slices that stay in cache
  for (int k0 = 0; k0 < c0; k0 += KC) {
    int k = c0 - k0 < KC ? c0 - k0 : KC;
    for (int c = c0; c < c1; c += NR) {
      const double* B = triangle_row(L, n, c, &ldb);
      update_rows(h, k, X + (long)k0 * h, h, B + k0 * ldb, ldb, X + (long)c * h, h, false);
    }
  }
  const double* next = X + (long)h * pl_pad(n);  // the panel that follows in memory will be needed soon
  for (int c = c0; c < c1; c += NR) {
    const double* B = triangle_row(L, n, c, &ldb);
    solve_rows(h, c - c0, X + (long)c0 * h, h, B + c0 * ldb, ldb, X + (long)c * h, h, B + c * ldb, ldb, next + (long)c * h);
  }
}

// The NR x NR diagonal tile at T: Cholesky factor with reciprocal diagonal; returns the column that fails or -1. Columns are
// eliminated unscaled, so that no square root stands between one pivot and the next.
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
  int h = pl_panel_height(n, p), own = PL_PANEL * p, end = pl_triangle_columns(n, p);
  panel_solve(L, n, X, h, c0, own);
  for (int k0 = 0; k0 < c0; k0 += KC) {
    int k = c0 - k0 < KC ? c0 - k0 : KC;
    for (int c = own; c < end; c += NR) {
      int r = c - own;
      update_rows(h - r, k, X + r + (long)k0 * h, h, X + r + (long)k0 * h, h, X + r + (long)c * h, h, false);
    }
  }
  for (int c = own; c < end; c += NR) {
    int r = c - own;
    double* T = X + r + (long)c * h;
    const double* B = X + r + (long)c0 * h;
    update_rows(NR, c - c0, B, h, B, h, T, h, false);
    int failed = factor_tile(T, h);
    if (failed >= 0) return c + failed;
    solve_rows(h - r - NR, c - c0, B + NR, h, B, h, T + NR, h, T, h, T + (long)h * end);
  }
  return -1;
}

static void panel_syrk(const double* A, int n, int k, double* C, int p0, int p1, bool start) {
  // slices of k and blocks of columns, so that A stays in the first cache and the block's rows in the second
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
          update_rows(h - r, kb, Ap + r, h, B, hq, Cp + r + (long)c * h, h, start && k0 == 0);
        }
      }
    }
    k0 += KC;
  } while (k0 < k);
}

static void panel_gemm(const double* A, int m, int k, const double* B, int n, double* C, int p0, int p1, bool start) {
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
          update_rows(h, kb, Ap, h, Bc, hq, C + pl_rectangle_at(n, p) + (long)c * h, h, start && k0 == 0);
        }
      }
    }
    k0 += KC;
  } while (k0 < k);
}

static void panel_tile(int h, int k, const double* A, long lda, const double* B, long ldb, double* C, long ldc, bool start) {
  for (int c = 0; c < PL_PAD; c += NR) update_rows(h, k, A, lda, B + c, ldb, C + c * ldc, ldc, start);
}

// ---- one right-hand side

static void panel_multiply(const double* X, int h, int k, const double* x, double* y) {
  enum { ROWS = PL_PANEL / WIDTH };
  Vec sum[2][ROWS];
  int nv = h / WIDTH, q = 0;
  for (int i = 0; i < nv; i++) sum[0][i] = sum[1][i] = (Vec){0};
  if (nv == ROWS) {
    for (; q + 2 <= k; q += 2, X += 2 * PL_PANEL) {
#pragma GCC unroll 12
      for (int i = 0; i < ROWS; i++) sum[0][i] += load(X + WIDTH * i) * x[q];
#pragma GCC unroll 12
      for (int i = 0; i < ROWS; i++) sum[1][i] += load(X + PL_PANEL + WIDTH * i) * x[q + 1];
    }
  }
  for (; q < k; q++, X += h)
    for (int i = 0; i < nv; i++) sum[0][i] += load(X + WIDTH * i) * x[q];
  for (int i = 0; i < nv; i++) store(y + WIDTH * i, sum[0][i] + sum[1][i]);
}

static void panel_forward(const double* L, int n, int p, double* y) {
  int h = pl_panel_height(n, p), own = PL_PANEL * p, end = pl_triangle_columns(n, p);
  const double* X = L + pl_triangle_at(p) + (long)own * h;
  for (int c = 0; c < end - own; c++, X += h) {
    double v = y[c] * X[c];
    y[c] = v;
    for (int i = c + 1; i < h; i++) y[i] -= X[i] * v;
  }
}

static void panel_backward(const double* L, int n, int p, double* y) {
  int h = pl_panel_height(n, p), own = PL_PANEL * p, end = pl_triangle_columns(n, p);
  const double* X = L + pl_triangle_at(p) + (long)own * h;
  for (int c = end - own - 1; c >= 0; c--) {
    double v = y[c] * X[c + (long)c * h];
    y[c] = v;
    for (int k = 0; k < c; k++) y[k] -= X[c + (long)k * h] * v;
  }
}

// sum[c] += the 8 columns at X times x, h rows
INLINE void dot_columns(const double* X, int h, const double* x, Vec sum[PL_PAD]) {
  for (int i = 0; i < h; i += WIDTH) {
    Vec v = load(x + i);
#pragma GCC unroll 8
    for (int c = 0; c < PL_PAD; c++) sum[c] += load(X + i + (long)c * h) * v;
  }
}

INLINE void subtract_sums(const Vec sum[PL_PAD], double* z) {
#pragma GCC unroll 8
  for (int c = 0; c < PL_PAD; c++) {
    double s = 0;
#pragma GCC unroll 8
    for (int i = 0; i < WIDTH; i++) s += sum[c][i];
    z[c] -= s;
  }
}

static void panel_dot_rectangle(const double* X, int rows, int k, int c, const double* x, double* z) {
  Vec sum[PL_PAD] = {{0}};
  for (int p = 0; p < pl_panel_count(rows); p++) {
    int h = pl_panel_height(rows, p);
    if (h == PL_PANEL) dot_columns(X + pl_rectangle_at(k, p) + (long)c * PL_PANEL, PL_PANEL, x + PL_PANEL * p, sum);
    else dot_columns(X + pl_rectangle_at(k, p) + (long)c * h, h, x + PL_PANEL * p, sum);
  }
  subtract_sums(sum, z);
}

static void panel_dot_triangle(const double* L, int n, int p0, int c, const double* x, double* z) {
  Vec sum[PL_PAD] = {{0}};
  for (int p = p0; p < pl_panel_count(n); p++) {
    int h = pl_panel_height(n, p);
    if (h == PL_PANEL) dot_columns(L + pl_triangle_at(p) + (long)c * PL_PANEL, PL_PANEL, x + PL_PANEL * (p - p0), sum);
    else dot_columns(L + pl_triangle_at(p) + (long)c * h, h, x + PL_PANEL * (p - p0), sum);
  }
  subtract_sums(sum, z);
}

// ---- extend-add; the machine's own add_rows moves 8 rows of three columns

INLINE void expand_pieces(int npiece, const plPiece* piece, int from, int to, const int* at, const double* U, double* X, long hx) {
  Spread spread[4];
  const double* src[4];
  double* dst[4];
  long hs = piece[0].height;
#pragma GCC unroll 4
  for (int k = 0; k < npiece; k++) {
    spread[k] = make_spread((unsigned)piece[k].mask);
    src[k] = U + piece[k].src, dst[k] = X + 8 * piece[k].chunk;
  }
  // the pieces' last columns ascend: all of them up to the first one's end, then one less each time
  int common = piece[0].ncol < to ? piece[0].ncol : to, j = from;
  for (; j < common; j++) {
    long s = 3 * j * hs, d = 3 * (long)at[j] * hx;
#pragma GCC unroll 4
    for (int k = 0; k < npiece; k++) add_rows(&spread[k], src[k] + s, hs, dst[k] + d, hx);
  }
  for (int k = 1; k < npiece; k++)
    for (int i = j; i < piece[k].ncol && i < to; i++) add_rows(&spread[k], src[k] + 3 * i * hs, hs, dst[k] + 3 * (long)at[i] * hx, hx);
}

static void panel_expand(int npiece, const plPiece* piece, int from, int to, const int* at, const double* U, double* X, long hx) {
  switch (npiece) {
    case 1: expand_pieces(1, piece, from, to, at, U, X, hx); break;
    case 2: expand_pieces(2, piece, from, to, at, U, X, hx); break;
    case 3: expand_pieces(3, piece, from, to, at, U, X, hx); break;
    default: expand_pieces(4, piece, from, to, at, U, X, hx);
  }
}

// panel_rhs.h: the kernels of panel.h that work on right-hand sides, one or 8 of them, over the vectors and
// tiles of panel_kernel.h.
//
// 8 right-hand sides are stored side by side: a panel of height 8 with a column for each row of the system.
#include "linalg/panel_kernel.h"

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

// y := T^-1 y for the diagonal block T of a panel of height h, whose column stride is h. The right-hand side
// stays in registers; entries above the diagonal of T only affect rows that are finished and no longer read.
INLINE void forward_block(int h, const double* T, double* y) {
  Vec t[PL_PANEL / WIDTH];
#pragma GCC unroll 12
  for (int i = 0; i < h / WIDTH; i++) t[i] = load(y + WIDTH * i);
#pragma GCC unroll 24
  for (int c = 0; c < h; c++) {
    double v = t[c / WIDTH][c % WIDTH] * T[c + c * h];
    y[c] = v;
#pragma GCC unroll 12
    for (int i = c / WIDTH; i < h / WIDTH; i++) t[i] -= load(T + c * h + WIDTH * i) * v;
  }
}

static void panel_forward(const double* L, int n, int p, double* y) {
  int h = pl_panel_height(n, p);
  const double* T = L + pl_triangle_at(p) + (long)PL_PANEL * p * h;
  if (h == PL_PANEL)
    forward_block(PL_PANEL, T, y);
  else if (h == 2 * PL_PAD)
    forward_block(2 * PL_PAD, T, y);
  else
    forward_block(PL_PAD, T, y);
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

// y := T^-T y, 8 rows at a time from the bottom: the products with finished rows, then the triangle with its
// numbers in registers
INLINE void backward_block(int h, const double* T, double* y) {
#pragma GCC unroll 3
  for (int b = h - PL_PAD; b >= 0; b -= PL_PAD) {
    Vec sum[PL_PAD] = {{0}};
    double z[PL_PAD];
    for (int c = 0; c < PL_PAD; c++) z[c] = y[b + c];
    for (int i = b + PL_PAD; i < h; i += WIDTH) {
      Vec v = load(y + i);
#pragma GCC unroll 8
      for (int c = 0; c < PL_PAD; c++) sum[c] += load(T + i + (b + c) * h) * v;
    }
    if (b + PL_PAD < h) subtract_sums(sum, z);
#pragma GCC unroll 8
    for (int c = PL_PAD - 1; c >= 0; c--) {
      double v = z[c] * T[b + c + (b + c) * h];
      y[b + c] = v;
#pragma GCC unroll 8
      for (int k = 0; k < c; k++) z[k] -= T[b + c + (b + k) * h] * v;
    }
  }
}

static void panel_backward(const double* L, int n, int p, double* y) {
  int h = pl_panel_height(n, p);
  const double* T = L + pl_triangle_at(p) + (long)PL_PANEL * p * h;
  if (h == PL_PANEL)
    backward_block(PL_PANEL, T, y);
  else if (h == 2 * PL_PAD)
    backward_block(2 * PL_PAD, T, y);
  else
    backward_block(PL_PAD, T, y);
}

static void panel_dot_rectangle(const double* X, int rows, int k, int c, const double* x, double* z) {
  Vec sum[PL_PAD] = {{0}};
  for (int p = 0; p < pl_panel_count(rows); p++) {
    int h = pl_panel_height(rows, p);
    if (h == PL_PANEL)
      dot_columns(X + pl_rectangle_at(k, p) + (long)c * PL_PANEL, PL_PANEL, x + PL_PANEL * p, sum);
    else
      dot_columns(X + pl_rectangle_at(k, p) + (long)c * h, h, x + PL_PANEL * p, sum);
  }
  subtract_sums(sum, z);
}

static void panel_dot_triangle(const double* L, int n, int p0, int c, const double* x, double* z) {
  Vec sum[PL_PAD] = {{0}};
  for (int p = p0; p < pl_panel_count(n); p++) {
    int h = pl_panel_height(n, p);
    if (h == PL_PANEL)
      dot_columns(L + pl_triangle_at(p) + (long)c * PL_PANEL, PL_PANEL, x + PL_PANEL * (p - p0), sum);
    else
      dot_columns(L + pl_triangle_at(p) + (long)c * h, h, x + PL_PANEL * (p - p0), sum);
  }
  subtract_sums(sum, z);
}

// Sums are kept per lane, so that a panel is read once and in order; the lanes are added at the end.
static void panel_dot(const double* X, int h, int k, const double* x, double* sum) {
  if (h == PL_PANEL) {
    enum { ROWS = PL_PANEL / WIDTH };
    Vec v[ROWS];
#pragma GCC unroll 12
    for (int i = 0; i < ROWS; i++) v[i] = load(x + WIDTH * i);
    for (int c = 0; c < k; c++, X += PL_PANEL, sum += PL_PAD) {
      Vec s = load(sum);
#pragma GCC unroll 12
      for (int i = 0; i < ROWS; i++) s += load(X + WIDTH * i) * v[i];
      store(sum, s);
    }
  } else {
    for (int c = 0; c < k; c++, X += h, sum += PL_PAD) {
      Vec s = load(sum);
      for (int i = 0; i < h; i += WIDTH) s += load(X + i) * load(x + i);
      store(sum, s);
    }
  }
}

static void panel_gather(const double* sum, int k, double* z) {
  for (int c = 0; c < k; c++, sum += PL_PAD) {
    double s = 0;
    for (int i = 0; i < WIDTH; i++) s += sum[i];
    z[c] -= s;
  }
}

// ---- 8 right-hand sides

// t -= A[nv x k] B[k x NR]; the rows of B are one number apart
INLINE void accumulate_rows(int nv, int k, const double* A, const double* B, long ldb, Vec t[NR][NV]) {
  for (int q = 0; q < k; q++, A += PL_PAD, B++) {
    Vec a[NV];
#pragma GCC unroll 3
    for (int i = 0; i < nv; i++) a[i] = load(A + WIDTH * i);
#pragma GCC unroll 8
    for (int j = 0; j < NR; j++) {
      double b = B[j * ldb];
#pragma GCC unroll 3
      for (int i = 0; i < nv; i++) t[j][i] -= a[i] * b;
    }
  }
}

// X -= Y B for one panel B of height h and k columns, `rows` of its rows
INLINE void below_columns(const double* B, int h, int rows, int k, const double* Y, double* X) {
  for (int c = 0; c < k; c += NR)
    for (int r = 0; r < PL_PAD; r += WIDTH) {
      Vec t[NR][NV];
      load_tile(1, NR, X + (long)c * PL_PAD + r, PL_PAD, t);
      accumulate_rows(1, rows, Y + r, B + (long)c * h, h, t);
      store_tile(1, NR, X + (long)c * PL_PAD + r, PL_PAD, t);
    }
}

static void panel_block_below(const double* B, int h, int k, const double* Y, double* X) {
  if (h == PL_PANEL)
    below_columns(B, PL_PANEL, PL_PANEL, k, Y, X);
  else
    below_columns(B, h, h, k, Y, X);
}

// The columns c .. c + NR - 1 of X := X L^-1; later columns are finished; nv vectors of the 8
INLINE void back_tile(int nv, const double* L, int n, int c, double* X) {
  Vec t[NR][NV];
  int p = c / PL_PANEL, h = pl_panel_height(n, p), row = c % PL_PANEL, own = h - row - NR;
  const double* T = L + pl_triangle_at(p) + row + (long)c * h;
  load_tile(nv, NR, X + (long)c * PL_PAD, PL_PAD, t);
  accumulate_rows(nv, own, X + (long)(c + NR) * PL_PAD, T + NR, h, t);
  for (int q = p + 1; q < pl_panel_count(n); q++) {
    int hq = pl_panel_height(n, q);
    accumulate_rows(nv, hq, X + (long)PL_PANEL * PL_PAD * q, L + pl_triangle_at(q) + (long)c * hq, hq, t);
  }
#pragma GCC unroll 8
  for (int j = NR - 1; j >= 0; j--) {
    double d = T[j + j * h];
#pragma GCC unroll 3
    for (int i = 0; i < nv; i++) t[j][i] *= d;
#pragma GCC unroll 8
    for (int l = 0; l < j; l++) {
      double b = T[j + l * h];
#pragma GCC unroll 3
      for (int i = 0; i < nv; i++) t[l][i] -= t[j][i] * b;
    }
  }
  store_tile(nv, NR, X + (long)c * PL_PAD, PL_PAD, t);
}

static void panel_block_back(const double* L, int n, double* X) {
  for (int c = pl_pad(n) - NR; c >= 0; c -= NR)
    for (int r = 0; r < PL_PAD; r += WIDTH) back_tile(1, L, n, c, X + r);
}

// lu_avx2.c: the kernels of lu.h for AVX2 with FMA, four columns at a time.
//
// Rows are changed from the group of four that holds the first column right of the pivot. Columns of that
// group left of it belong to L: the pivot's row counts as zero there.
#include <immintrin.h>
#include <math.h>

#include "linalg/lu.h"

enum { WIDTH = 4, TOGETHER = 4 };  // columns of a vector; rows that are changed together
typedef double Vec __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))

INLINE Vec load(const double* p) { return *(const Vec*)p; }
INLINE void store(double* p, Vec v) { *(Vec*)p = v; }
INLINE double sum_of(Vec v) { return (v[0] + v[2]) + (v[1] + v[3]); }

static int find_pivot(int n, int k, const double* S, const double* scale, double* most) {
  int best = k, ld = pl_lu_stride(n);
  *most = -1;
  for (int i = k; i < n; i++) {
    double x = fabs(S[i * ld + k]) * scale[i];
    if (x > *most) *most = x, best = i;
  }
  return best;
}

static void exchange_rows(double* x, double* y, int ld) {
  for (int j = 0; j < ld; j += WIDTH) {
    Vec t = load(x + j);
    store(x + j, load(y + j)), store(y + j, t);
  }
}

// What rows below the pivot have in common.
typedef struct Pivot {
  const double* up;  // its row
  int k, from, ld;   // its column; first column of the group that holds the next one
  double inverse;
  Vec first;     // the pivot's row in that group, zero left of the next column
  __m256d lane;  // the lane of column k in that group, if it has one
} Pivot;

// Eliminates column k in `rows` rows.
INLINE void change_rows(const Pivot* p, int rows, double* S) {
  double f[TOGETHER];
#pragma GCC unroll 4
  for (int r = 0; r < rows; r++) {
    double* row = S + r * p->ld;
    f[r] = row[p->k] * p->inverse;
    Vec v = load(row + p->from) - f[r] * p->first;
    if (p->from > p->k)
      row[p->k] = f[r];
    else
      v = (Vec)_mm256_blendv_pd((__m256d)v, _mm256_set1_pd(f[r]), p->lane);
    store(row + p->from, v);
  }
  for (int j = p->from + WIDTH; j < p->ld; j += WIDTH) {
    Vec u = load(p->up + j);
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++) store(S + r * p->ld + j, load(S + r * p->ld + j) - f[r] * u);
  }
}

static void eliminate(int n, int k, double* S) {
  static const long long on[3 * WIDTH] = {0, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0, 0};
  int ld = pl_lu_stride(n), from = (k + 1) & ~(WIDTH - 1), next = k + 1 - from;
  if (k + 1 == n) return;
  Pivot p = {.up = S + k * ld, .k = k, .from = from, .ld = ld, .inverse = 1 / S[k * ld + k]};
  // lanes from `next` on, and the one before it
  __m256d right = (__m256d)_mm256_loadu_si256((const __m256i*)(on + WIDTH - next));
  p.first = (Vec)_mm256_and_pd((__m256d)load(p.up + from), right);
  p.lane = (__m256d)_mm256_setr_epi64x(-(next == 1), -(next == 2), -(next == 3), 0);
  int i = k + 1;
  for (; i + TOGETHER <= n; i += TOGETHER) change_rows(&p, TOGETHER, S + i * ld);
  for (; i < n; i++) change_rows(&p, 1, S + i * ld);
}

static bool factor(int n, double* S, const double* size, double sound, int* pivot) {
  int ld = pl_lu_stride(n);
  double scale[PL_LU_MOST];
  for (int k = 0; k < n; k++) pivot[k] = k, scale[k] = 1 / size[k];
  for (int k = 0; k < n; k++) {
    double most;
    int best = find_pivot(n, k, S, scale, &most);
    if (!(most > sound)) return false;
    if (best != k) {
      int other = pivot[k];
      double s = scale[k];
      pivot[k] = pivot[best], pivot[best] = other, scale[k] = scale[best], scale[best] = s;
      exchange_rows(S + k * ld, S + best * ld, ld);
    }
    eliminate(n, k, S);
  }
  return true;
}

static void solve(int n, const double* S, double* y) {
  int ld = pl_lu_stride(n);
  for (int k = 0; k < n; k++) {
    const double* row = S + k * ld;
    Vec sum = {0};
    int j = 0;
    for (; j + WIDTH <= k; j += WIDTH) sum += load(row + j) * load(y + j);
    double x = y[k] - sum_of(sum);
    for (; j < k; j++) x -= row[j] * y[j];
    y[k] = x;
  }
  for (int j = n; j < ld; j++) y[j] = 0;
  for (int k = n - 1; k >= 0; k--) {
    const double* row = S + k * ld;
    Vec sum = {0};
    int from = pl_lu_stride(k + 1);
    for (int j = from; j < ld; j += WIDTH) sum += load(row + j) * load(y + j);
    double x = y[k] - sum_of(sum);
    for (int j = k + 1; j < from && j < n; j++) x -= row[j] * y[j];
    y[k] = x / row[k];
  }
}

// Sixteen rows at a time, as columns.
static void multiply(int n, const double* M, const double* x, double* y) {
  int ld = pl_lu_stride(n), c = 0;
  for (; c + 4 * WIDTH <= ld; c += 4 * WIDTH) {
    Vec sum[4] = {{0}, {0}, {0}, {0}};
    const double* m = M + c;
    for (int b = 0; b < n; b++, m += ld)
#pragma GCC unroll 4
      for (int i = 0; i < 4; i++) sum[i] += load(m + WIDTH * i) * x[b];
    for (int i = 0; i < 4; i++) store(y + c + WIDTH * i, sum[i]);
  }
  for (; c < ld; c += WIDTH) {
    Vec sum = {0};
    const double* m = M + c;
    for (int b = 0; b < n; b++, m += ld) sum += load(m) * x[b];
    store(y + c, sum);
  }
}

static void combine(int n, const double* a, const double* X, double* row) {
  int ld = pl_lu_stride(n);
  for (int j = 0; j < ld; j += WIDTH)
    store(row + j, a[0] * load(X + j) + a[1] * load(X + j + ld) + a[2] * load(X + j + 2 * ld));
}

const plLuKernels pl_lu_avx2 = {factor, solve, multiply, combine};

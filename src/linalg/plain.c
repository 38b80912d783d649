// plain.c: symbolic and numeric parts of the plain block Cholesky factorization (plain.h).
#include "linalg/plain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "linalg/plain_kernel.h"

void pl_plain_destroy(plPlain* plain) {
  if (!plain) return;
  pl_free(plain->order), pl_free(plain->place), pl_free(plain->col0), pl_free(plain->row),
      pl_free(plain->block);
  pl_free(plain);
}

// Rows of all columns of L. The rows of a column are those of A, and those of the columns whose first row
// below the diagonal is this column.
typedef struct Fill {
  int *head, *next;        // columns that pass their rows to this one
  int *start, *neighbour;  // full pattern of A
  int* mark;
} Fill;

static void fill_free(Fill* f) {
  pl_free(f->head), pl_free(f->next), pl_free(f->start), pl_free(f->neighbour), pl_free(f->mark);
}

static bool fill_init(Fill* f, const plBsym* A) {
  int n = A->n;
  f->head = PL_NEW(int, n), f->next = PL_NEW(int, n), f->mark = PL_NEW(int, n);
  f->start = PL_NEW(int, (size_t)n + 2), f->neighbour = PL_NEW(int, 2 * (size_t)A->nblock);
  if (!f->head || !f->next || !f->mark || !f->start || !f->neighbour) return false;
  for (int i = 0; i < n; i++) f->head[i] = f->next[i] = f->mark[i] = -1;
  for (int j = 0; j < n; j++)
    for (int q = A->col0[j]; q < A->col0[j + 1]; q++)
      if (A->row[q] != j) f->start[j + 2]++, f->start[A->row[q] + 2]++;
  for (int j = 0; j < n; j++) f->start[j + 2] += f->start[j + 1];
  for (int j = 0; j < n; j++)
    for (int q = A->col0[j]; q < A->col0[j + 1]; q++) {
      int i = A->row[q];
      if (i != j) f->neighbour[f->start[j + 1]++] = i, f->neighbour[f->start[i + 1]++] = j;
    }
  return true;
}

static int compare_int(const void* a, const void* b) {
  return (*(const int*)a > *(const int*)b) - (*(const int*)a < *(const int*)b);
}

static bool fill_columns(plPlain* plain, Fill* f) {
  int n = plain->n, cap = 0, nrow = 0;
  for (int j = 0; j < n; j++) {
    int first = nrow, v = plain->order[j];
    f->mark[j] = j;
    if (!PL_PUSH(plain->row, nrow, cap, j)) return false;
    for (int q = f->start[v]; q < f->start[v + 1]; q++) {
      int i = plain->place[f->neighbour[q]];
      if (i < j || f->mark[i] == j) continue;
      f->mark[i] = j;
      if (!PL_PUSH(plain->row, nrow, cap, i)) return false;
    }
    for (int c = f->head[j]; c >= 0; c = f->next[c])
      for (int q = plain->col0[c] + 1; q < plain->col0[c + 1]; q++) {
        int i = plain->row[q];
        if (f->mark[i] == j) continue;
        f->mark[i] = j;
        if (!PL_PUSH(plain->row, nrow, cap, i)) return false;
      }
    qsort(plain->row + first, (size_t)(nrow - first), sizeof(int), compare_int);
    plain->col0[j + 1] = nrow;
    if (nrow - first > 1) {
      int parent = plain->row[first + 1];
      f->next[j] = f->head[parent], f->head[parent] = j;
    }
  }
  return true;
}

plStatus pl_plain_create(const plBsym* pattern, const int* order, int np, plPlain** plain_out,
                         plError* error) {
  int n = pattern->n;
  plPlain* plain = PL_NEW(plPlain, 1);
  Fill fill = {0};
  if (!plain) return pl_fail_out_of_memory(error, sizeof *plain);
  plain->n = n, plain->np = np, plain->failed = -1;
  plain->order = PL_NEW(int, n), plain->place = PL_NEW(int, n), plain->col0 = PL_NEW(int, (size_t)n + 1);

  bool ok = plain->order && plain->place && plain->col0 && fill_init(&fill, pattern);
  if (ok) {
    for (int k = 0; k < n; k++) {
      assert(order[k] >= 0 && order[k] < n);
      plain->order[k] = order[k], plain->place[order[k]] = k;
    }
    ok = fill_columns(plain, &fill) && (plain->block = PL_NEW(double, 9 * (size_t)plain->col0[n]));
  }
  fill_free(&fill);
  if (!ok) {
    pl_plain_destroy(plain);
    return pl_fail_out_of_memory(error, (size_t)n * 9 * sizeof(double));
  }
  *plain_out = plain;
  return PL_OK;
}

// L := P A P', lower
static void scatter(plPlain* plain, const plBsym* A) {
  assert(A->n == plain->n);
  memset(plain->block, 0, 9 * (size_t)plain->col0[plain->n] * sizeof(double));
  for (int j = 0; j < A->n; j++)
    for (int q = A->col0[j]; q < A->col0[j + 1]; q++) {
      const double* a = A->block + 9 * (size_t)q;
      int i = plain->place[A->row[q]], k = plain->place[j];
      int column = i < k ? i : k, row = i < k ? k : i, at = plain->col0[column];
      while (plain->row[at] != row) at++;
      assert(at < plain->col0[column + 1]);  // the pattern is the one given at creation
      double* target = plain->block + 9 * (size_t)at;
      for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) target[r + 3 * c] = i >= k ? a[r + 3 * c] : a[c + 3 * r];
    }
}

static plStatus eliminate(plPlain* plain, int first, int last, plIsa isa) {
  int (*kernel)(const int*, const int*, double*, int, int) = plain_eliminate;
#if defined(__x86_64__)
  if (isa == PL_ISA_AVX512)
    kernel = pl_plain_eliminate_avx512;
  else if (isa == PL_ISA_AVX2)
    kernel = pl_plain_eliminate_avx2;
#else
  (void)isa;
#endif
  int failed = kernel(plain->col0, plain->row, plain->block, first, last);
  plain->failed = failed < 0 ? -1 : plain->order[failed];
  return failed < 0 ? PL_OK : PL_ERROR_INDEFINITE;
}

plStatus pl_plain_factor(plPlain* plain, const plBsym* A, plIsa isa) {
  scatter(plain, A);
  return eliminate(plain, 0, plain->n - plain->np, isa);
}

plStatus pl_plain_factor_rest(plPlain* plain, plIsa isa) {
  return eliminate(plain, plain->n - plain->np, plain->n, isa);
}

void pl_plain_schur(const plPlain* plain, double* A_hat, int ld) {
  int first = plain->n - plain->np;
  assert(ld >= 3 * plain->np);
  for (int j = 0; j < 3 * plain->np; j++)
    for (int i = j; i < 3 * plain->np; i++) A_hat[i + (long)j * ld] = 0;
  for (int j = first; j < plain->n; j++)
    for (int q = plain->col0[j]; q < plain->col0[j + 1]; q++)
      for (int c = 0; c < 3; c++)
        for (int r = plain->row[q] == j ? c : 0; r < 3; r++)
          A_hat[3 * (plain->row[q] - first) + r + (3L * (j - first) + c) * ld] =
              plain->block[9L * q + r + 3 * c];
}

void pl_plain_solve(const plPlain* plain, double* b, double* work) {
  int n = plain->n;
  double* y = work;
  for (int k = 0; k < n; k++) memcpy(y + 3 * k, b + 3 * plain->order[k], 3 * sizeof(double));
  // L y = b
  for (int j = 0; j < n; j++) {
    const double* D = plain->block + 9 * (size_t)plain->col0[j];
    double* v = y + 3 * j;
    v[0] /= D[0], v[1] = (v[1] - D[1] * v[0]) / D[4], v[2] = (v[2] - D[2] * v[0] - D[5] * v[1]) / D[8];
    for (int q = plain->col0[j] + 1; q < plain->col0[j + 1]; q++) {
      const double* B = plain->block + 9 * (size_t)q;
      double* u = y + 3 * plain->row[q];
      for (int r = 0; r < 3; r++) u[r] -= B[r] * v[0] + B[r + 3] * v[1] + B[r + 6] * v[2];
    }
  }
  // L' x = y
  for (int j = n - 1; j >= 0; j--) {
    const double* D = plain->block + 9 * (size_t)plain->col0[j];
    double* v = y + 3 * j;
    for (int q = plain->col0[j] + 1; q < plain->col0[j + 1]; q++) {
      const double* B = plain->block + 9 * (size_t)q;
      const double* u = y + 3 * plain->row[q];
      for (int c = 0; c < 3; c++) v[c] -= B[3 * c] * u[0] + B[3 * c + 1] * u[1] + B[3 * c + 2] * u[2];
    }
    v[2] /= D[8], v[1] = (v[1] - D[5] * v[2]) / D[4], v[0] = (v[0] - D[1] * v[1] - D[2] * v[2]) / D[0];
  }
  for (int k = 0; k < n; k++) memcpy(b + 3 * plain->order[k], y + 3 * k, 3 * sizeof(double));
}

double pl_plain_flops(const plPlain* plain) {
  double flops = 0;
  for (int j = 0; j < plain->n; j++)
    for (int k = 0; k < 3; k++) {
      double rows = 3.0 * (plain->col0[j + 1] - plain->col0[j]) - k;
      flops += rows * rows;
    }
  return flops;
}

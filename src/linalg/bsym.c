// bsym.c: pattern from elements, positions, product. Elements in -> col0, row, block out.
#include "linalg/bsym.h"

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

void pl_bsym_destroy(plBsym* matrix) {
  if (!matrix) return;
  pl_free(matrix->col0);
  pl_free(matrix->row);
  pl_free(matrix->block);
  pl_free(matrix->left0), pl_free(matrix->left), pl_free(matrix->left_col);
  pl_free(matrix);
}

typedef struct Elements {
  int count;
  const int *start, *vertex;
} Elements;

static void element(const Elements* list, int e, const int** vertex, int* n) {
  *vertex = list->vertex + list->start[e];
  *n = list->start[e + 1] - list->start[e];
}

// Elements at each vertex: of[at[v]] .. of[at[v + 1] - 1].
static bool incidence(int n, const Elements* list, int** at_out, int** of_out) {
  int* at = PL_NEW(int, (size_t)n + 2);
  if (!at) return false;
  const int* vertex;
  int m;
  for (int e = 0; e < list->count; e++) {
    element(list, e, &vertex, &m);
    for (int a = 0; a < m; a++) {
      assert(vertex[a] >= 0 && vertex[a] < n);
      at[vertex[a] + 2]++;
    }
  }
  for (int v = 0; v < n; v++) at[v + 2] += at[v + 1];
  int* of = PL_NEW(int, at[n + 1]);
  if (!of) {
    pl_free(at);
    return false;
  }
  for (int e = 0; e < list->count; e++) {
    element(list, e, &vertex, &m);
    for (int a = 0; a < m; a++) of[at[vertex[a] + 1]++] = e;
  }
  *at_out = at;
  *of_out = of;
  return true;
}

// Visits each neighbour i >= j of vertex j once; writes them to row (if not NULL) and returns their number.
static int column(int j, const Elements* list, const int* at, const int* of, int* mark, int* row) {
  int count = 0;
  mark[j] = j;
  if (row) row[count] = j;
  count++;
  for (int q = at[j]; q < at[j + 1]; q++) {
    const int* vertex;
    int m;
    element(list, of[q], &vertex, &m);
    for (int a = 0; a < m; a++) {
      int i = vertex[a];
      if (i <= j || mark[i] == j) continue;
      mark[i] = j;
      if (row) row[count] = i;
      count++;
    }
  }
  return count;
}

static void sort_ascending(int* list, int n) {
  for (int i = 1; i < n; i++) {
    int value = list[i], k = i;
    for (; k > 0 && list[k - 1] > value; k--) list[k] = list[k - 1];
    list[k] = value;
  }
}

// For each row, the blocks left of the diagonal.
static bool list_rows(plBsym* A) {
  size_t off = (size_t)(A->nblock - A->n);
  A->left0 = PL_NEW(int, (size_t)A->n + 1), A->left = PL_NEW(int, off), A->left_col = PL_NEW(int, off);
  if (!A->left0 || !A->left || !A->left_col) return false;
  for (int q = 0; q < A->nblock; q++) A->left0[A->row[q]]++;
  // ends of the rows without their diagonals; filled from the back, they become the beginnings
  for (int i = 0, end = 0; i < A->n; i++) end += A->left0[i] - 1, A->left0[i] = end;
  A->left0[A->n] = (int)off;
  for (int j = A->n - 1; j >= 0; j--)
    for (int q = A->col0[j] + 1; q < A->col0[j + 1]; q++) {
      int place = --A->left0[A->row[q]];
      A->left[place] = q, A->left_col[place] = j;
    }
  assert(!A->n || A->left0[0] == 0);
  return true;
}

plStatus pl_bsym_create(int n, int nelem, const int* start, const int* vertex, plBsym** matrix,
                        plError* error) {
  assert(n >= 0 && nelem >= 0);
  const Elements elements = {nelem, start, vertex}, *list = &elements;
  plBsym* A = PL_NEW(plBsym, 1);
  int *at = NULL, *of = NULL;
  int* mark = PL_NEW(int, n);
  if (!A || !mark || !(A->col0 = PL_NEW(int, (size_t)n + 1)) || !incidence(n, list, &at, &of))
    goto out_of_memory;
  A->n = n;
  // count, then fill
  long total = 0;
  for (int j = 0; j < n; j++) mark[j] = -1;
  for (int j = 0; j < n; j++) total += column(j, list, at, of, mark, NULL);
  if (total > INT_MAX) {
    pl_free(at), pl_free(of), pl_free(mark), pl_bsym_destroy(A);
    return pl_fail(error, PL_ERROR_TOO_LARGE,
                   "a matrix of %ld blocks is more than an int can count: use a coarser mesh", total);
  }
  A->nblock = (int)total;
  A->row = PL_NEW(int, total);
  A->block = PL_NEW(double, 9 * (size_t)total);
  if (!A->row || !A->block) goto out_of_memory;
  for (int j = 0; j < n; j++) mark[j] = -1;
  for (int j = 0; j < n; j++) {
    int count = column(j, list, at, of, mark, A->row + A->col0[j]);
    sort_ascending(A->row + A->col0[j], count);
    A->col0[j + 1] = A->col0[j] + count;
  }
  assert(A->col0[n] == A->nblock);  // as many as were counted
  if (!list_rows(A)) goto out_of_memory;
  pl_free(at), pl_free(of), pl_free(mark);
  *matrix = A;
  return PL_OK;
out_of_memory:
  pl_free(at), pl_free(of), pl_free(mark), pl_bsym_destroy(A);
  return pl_fail_out_of_memory(error, (size_t)n * 16 * 9 * sizeof(double));
}

// y += B x, and y += B' x
static inline void add_block(const double* a, const double* x, double* y) {
  for (int r = 0; r < 3; r++) y[r] += a[r] * x[0] + a[r + 3] * x[1] + a[r + 6] * x[2];
}

static inline void add_transposed(const double* a, const double* x, double* y) {
  for (int c = 0; c < 3; c++) y[c] += a[3 * c] * x[0] + a[3 * c + 1] * x[1] + a[3 * c + 2] * x[2];
}

// The same for two rows at once, in the same order of operations.
typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));

static inline void add_block_wide(const double* a, const double* x, double* y) {
  *(Two*)y += *(const Two*)a * x[0] + *(const Two*)(a + 3) * x[1] + *(const Two*)(a + 6) * x[2];
  y[2] += a[2] * x[0] + a[5] * x[1] + a[8] * x[2];
}

static inline void add_transposed_wide(const double* a, const double* x, Two* y, double* y2) {
  *y += (Two){a[0], a[3]} * x[0] + (Two){a[1], a[4]} * x[1] + (Two){a[2], a[5]} * x[2];
  *y2 += a[6] * x[0] + a[7] * x[1] + a[8] * x[2];
}

// The parts of column j that belong to rows and columns above are complete: its own stay in registers.
void pl_bsym_multiply(const plBsym* A, const double* x, double* y) {
  memset(y, 0, 3 * (size_t)A->n * sizeof(double));
  for (int j = 0; j < A->n; j++) {
    const double *a = A->block + 9 * (size_t)A->col0[j], *xj = x + 3 * (size_t)j,
                 u[3] = {xj[0], xj[1], xj[2]};
    double* yj = y + 3 * (size_t)j;
    add_block_wide(a, u, yj);  // the diagonal comes first in its column
    Two v01 = {yj[0], yj[1]};
    double v2 = yj[2];
    for (const int *row = A->row + A->col0[j] + 1, *end = A->row + A->col0[j + 1]; row < end; row++) {
      a += 9;
      const double* xi = x + 3 * (size_t)*row;
      add_transposed_wide(a, xi, &v01, &v2);
      add_block_wide(a, u, y + 3 * (size_t)*row);
    }
    *(Two*)yj = v01, yj[2] = v2;
  }
}

typedef struct Product {
  const plBsym* A;
  const double* x;
  double* y;
} Product;

// Rows begin .. end - 1: blocks left of the diagonal, column by column, then the column of the diagonal, in
// the same order as above.
static void multiply_rows(void* context, int begin, int end, int worker) {
  const Product* p = context;
  const plBsym* A = p->A;
  (void)worker;
  if (end - begin == A->n) {
    pl_bsym_multiply(A, p->x, p->y);
    return;
  }
  for (int i = begin; i < end; i++) {
    double y[3] = {0};
    for (int k = A->left0[i]; k < A->left0[i + 1]; k++)
      add_block(A->block + 9 * (size_t)A->left[k], p->x + 3 * (size_t)A->left_col[k], y);
    add_block(A->block + 9 * (size_t)A->col0[i], p->x + 3 * (size_t)i, y);
    for (int q = A->col0[i] + 1; q < A->col0[i + 1]; q++)
      add_transposed(A->block + 9 * (size_t)q, p->x + 3 * (size_t)A->row[q], y);
    memcpy(p->y + 3 * (size_t)i, y, sizeof y);
  }
}

void pl_bsym_multiply_shared(const plBsym* A, const double* x, double* y, plPool* pool) {
  Product product = {A, x, y};
  pl_parallel_for(pool, A->n, PL_BSYM_GRAIN, multiply_rows, &product);
}

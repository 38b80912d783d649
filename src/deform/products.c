// products.c: the products of products.h. For all rows, the stored columns are traversed once; for some rows,
// the blocks left of the diagonal come from the pattern's lists. The terms of a sum have the same order in
// both cases.
#include "deform/products.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "deform/deform.h"

typedef struct Product {
  const plBsym* A;
  const double *mass, *x, *q;
  double scale, part;
  double* y;
} Product;

// ---- mass

static inline void add_scaled(double s, const double* x, double* y) {
  for (int k = 0; k < 3; k++) y[k] += s * x[k];
}

static void mass_columns(const Product* p) {
  const plBsym* A = p->A;
  for (int j = 0; j < A->n; j++)
    for (int k = A->col0[j]; k < A->col0[j + 1]; k++) {
      int i = A->row[k];
      double s = p->scale * p->mass[k];
      add_scaled(s, p->x + 3 * j, p->y + 3 * i);
      if (i != j) add_scaled(s, p->x + 3 * i, p->y + 3 * j);
    }
}

static void mass_rows(void* context, int begin, int end, int worker) {
  const Product* p = context;
  const plBsym* A = p->A;
  (void)worker;
  if (end - begin == A->n) {
    mass_columns(p);
    return;
  }
  for (int i = begin; i < end; i++) {
    for (int k = A->left0[i]; k < A->left0[i + 1]; k++)
      add_scaled(p->scale * p->mass[A->left[k]], p->x + 3 * A->left_col[k], p->y + 3 * i);
    for (int k = A->col0[i]; k < A->col0[i + 1]; k++)
      add_scaled(p->scale * p->mass[k], p->x + 3 * A->row[k], p->y + 3 * i);
  }
}

void pl_deform_add_mass(const plBsym* pattern, const double* mass, const double* x, double scale, double* y,
                        plPool* pool) {
  Product product = {.A = pattern, .mass = mass, .x = x, .scale = scale, .y = y};
  pl_parallel_for(pool, pattern->n, 2 * PL_BSYM_GRAIN, mass_rows, &product);
}

// ---- the tangent

typedef struct Tangent {
  const int* fixed;
  const double* D;
  double scale;
  plBsym* A;
} Tangent;

static void finish_columns(void* context, int begin, int end, int worker) {
  const Tangent* t = context;
  const plBsym* A = t->A;
  (void)worker;
  if (t->D)
    for (size_t i = 9 * (size_t)A->col0[begin]; i < 9 * (size_t)A->col0[end]; i++)
      A->block[i] += t->scale * t->D[i];
  for (int j = begin; j < end; j++)
    for (int p = A->col0[j]; p < A->col0[j + 1]; p++) {
      int i = A->row[p];
      if (!t->fixed[i] && !t->fixed[j]) continue;
      double* block = A->block + 9 * (size_t)p;
      for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
          if ((t->fixed[i] >> r & 1 || t->fixed[j] >> c & 1) && !(i == j && r == c)) block[3 * c + r] = 0;
    }
}

void pl_deform_finish_tangent(const plModel* model, int b, const double* D, double scale, plBsym* A,
                              plPool* pool) {
  assert(A->n == model->deform_vert0[b + 1] - model->deform_vert0[b]);
  Tangent tangent = {model->vert_fixed + model->deform_vert0[b], D, scale, A};
  bool any = D;
  for (int i = 0; i < A->n && !any; i++) any = tangent.fixed[i];
  if (!any) return;
  pl_parallel_for(pool, A->n, 2 * PL_BSYM_GRAIN, finish_columns, &tangent);
}

void pl_deform_take_out_given(const plModel* model, int b, plBsym* A) {
  pl_deform_finish_tangent(model, b, NULL, 0, A, NULL);
}

// ---- sizes

// |B| |x| of one block, and of its transpose
static inline void add_sizes(const double* B, const double* x, double* y) {
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) y[r] += fabs(B[3 * c + r]) * fabs(x[c]);
}

static inline void add_sizes_transposed(const double* B, const double* x, double* y) {
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) y[c] += fabs(B[3 * c + r]) * fabs(x[r]);
}

// A's block, and its part without the mass
static inline const double* blocks_of(const Product* p, int k, double* block) {
  const double* a = p->A->block + 9 * (size_t)k;
  for (int i = 0; i < 9; i++) block[i] = p->part * (a[i] - (i % 4 == 0 ? p->scale * p->mass[k] : 0));
  return a;
}

static void size_columns(const Product* p) {
  const plBsym* A = p->A;
  double block[9];
  for (int j = 0; j < A->n; j++)
    for (int k = A->col0[j]; k < A->col0[j + 1]; k++) {
      int i = A->row[k];
      const double* a = blocks_of(p, k, block);
      add_sizes(a, p->x + 3 * j, p->y + 3 * i), add_sizes(block, p->q + 3 * j, p->y + 3 * i);
      if (i == j) continue;
      add_sizes_transposed(a, p->x + 3 * i, p->y + 3 * j);
      add_sizes_transposed(block, p->q + 3 * i, p->y + 3 * j);
    }
}

static void size_rows(void* context, int begin, int end, int worker) {
  const Product* p = context;
  const plBsym* A = p->A;
  double block[9];
  (void)worker;
  if (end - begin == A->n) {
    size_columns(p);
    return;
  }
  for (int i = begin; i < end; i++) {
    double* y = p->y + 3 * i;
    for (int k = A->left0[i]; k < A->left0[i + 1]; k++) {
      const double* a = blocks_of(p, A->left[k], block);
      add_sizes(a, p->x + 3 * A->left_col[k], y), add_sizes(block, p->q + 3 * A->left_col[k], y);
    }
    const double* a = blocks_of(p, A->col0[i], block);
    add_sizes(a, p->x + 3 * i, y), add_sizes(block, p->q + 3 * i, y);
    for (int k = A->col0[i] + 1; k < A->col0[i + 1]; k++) {
      a = blocks_of(p, k, block);
      add_sizes_transposed(a, p->x + 3 * A->row[k], y);
      add_sizes_transposed(block, p->q + 3 * A->row[k], y);
    }
  }
}

void pl_deform_sizes(const plBsym* A, const double* mass, double m, double part, const double* v,
                     const double* q, double* y, plPool* pool) {
  Product product = {.A = A, .mass = mass, .x = v, .q = q, .scale = m, .part = part, .y = y};
  memset(y, 0, 3 * (size_t)A->n * sizeof *y);
  pl_parallel_for(pool, A->n, PL_BSYM_GRAIN, size_rows, &product);
}

// ---- maximum norm

typedef struct Largest {
  const double* x;
  size_t n;
  double* room;
} Largest;

// four at a time, so that comparisons do not wait for each other
static double largest(const double* x, size_t n) {
  double m[4] = {0};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) m[k] = fabs(x[i + (size_t)k]) > m[k] ? fabs(x[i + (size_t)k]) : m[k];
  for (; i < n; i++) m[0] = fabs(x[i]) > m[0] ? fabs(x[i]) : m[0];
  return fmax(fmax(m[0], m[1]), fmax(m[2], m[3]));
}

static void largest_of(void* context, int begin, int end, int worker) {
  const Largest* l = context;
  (void)worker;
  for (int c = begin; c < end; c++) {
    size_t first = (size_t)c * PL_LARGEST_CHUNK, left = l->n - first;
    l->room[c] = largest(l->x + first, left < PL_LARGEST_CHUNK ? left : PL_LARGEST_CHUNK);
  }
}

double pl_deform_largest(const double* x, size_t n, double* room, plPool* pool) {
  Largest all = {x, n, room};
  int chunks = (int)((n + PL_LARGEST_CHUNK - 1) / PL_LARGEST_CHUNK);
  pl_parallel_for(pool, chunks, 4, largest_of, &all);
  return largest(room, (size_t)chunks);
}

// sample.h: random block matrices for the tests of linalg, and a dense reference in extended precision.
#ifndef PL_TEST_LINALG_SAMPLE_H
#define PL_TEST_LINALG_SAMPLE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "linalg/bsym.h"
#include "blocks.h"

typedef struct Sample {
  int n;
  double* position;  // [3 n]
  plBsym* A;
} Sample;

static inline void sample_free(Sample* s) {
  pl_free(s->position);
  pl_bsym_destroy(s->A);
}

// A positive definite matrix: a random element matrix G' G (all vertices of an element coupled) per element,
// and a mass.
static inline void sample_fill(plBsym* A, int nelem, const int* tet, double mass, plRandom* random) {
  blocks_clear(A);
  for (int e = 0; e < nelem; e++) {
    double G[6 * 12];
    for (int k = 0; k < 72; k++) G[k] = pl_random(random, -1, 1);
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++) {
        int i = tet[4 * e + a], j = tet[4 * e + b];
        if (i < j) continue;
        double block[9] = {0};
        for (int c = 0; c < 3; c++)
          for (int r = 0; r < 3; r++)
            for (int k = 0; k < 6; k++) block[r + 3 * c] += G[k + 6 * (3 * a + r)] * G[k + 6 * (3 * b + c)];
        blocks_add(A, blocks_find(A, i, j), block);
      }
  }
  double identity[9] = {mass, 0, 0, 0, mass, 0, 0, 0, mass};
  for (int v = 0; v < A->n; v++) blocks_add(A, blocks_find(A, v, v), identity);
}

// A box of nx ny nz vertices cut into tetrahedra (six a cell), numbered at random, a few of the cells left
// out at random.
static inline Sample sample_box(int nx, int ny, int nz, double hole, double mass, uint64_t seed) {
  plRandom random = {seed};
  int n = nx * ny * nz, nelem = 0;
  Sample s = {n, PL_NEW(double, 3 * n), NULL};
  int *number = PL_NEW(int, n), *tet = PL_NEW(int, 24 * n);
  for (int i = 0; i < n; i++) number[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int j = pl_random_int(&random, i + 1), t = number[i];
    number[i] = number[j], number[j] = t;
  }
  static const int path[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) {
        double* x = s.position + 3 * number[(k * ny + j) * nx + i];
        x[0] = i + pl_random(&random, -0.2, 0.2), x[1] = j + pl_random(&random, -0.2, 0.2),
        x[2] = k + pl_random(&random, -0.2, 0.2);
        if (i == nx - 1 || j == ny - 1 || k == nz - 1 || pl_random(&random, 0, 1) < hole) continue;
        for (int w = 0; w < 6; w++) {
          int o[3] = {i, j, k};
          tet[4 * nelem] = number[(k * ny + j) * nx + i];
          for (int step = 0; step < 3; step++) {
            o[path[w][step]]++;
            tet[4 * nelem + step + 1] = number[(o[2] * ny + o[1]) * nx + o[0]];
          }
          nelem++;
        }
      }
  blocks_create(n, nelem, 4, tet, &s.A, NULL);
  sample_fill(s.A, nelem, tet, mass, &random);
  pl_free(number), pl_free(tet);
  return s;
}

// Takes z out of the matrix: third rows and columns of blocks are zero but on the diagonal.
static inline void sample_flatten(Sample* s) {
  s->A->flat = true;
  for (int j = 0; j < s->n; j++)
    for (int p = s->A->col0[j]; p < s->A->col0[j + 1]; p++) {
      double* a = s->A->block + 9 * (size_t)p;
      a[2] = a[5] = a[6] = a[7] = 0;
      if (s->A->row[p] != j) a[8] = 0;
    }
}

// ---- dense reference

typedef long double Wide;

// The whole matrix, 3 n x 3 n
static inline Wide* dense_matrix(const plBsym* A) {
  size_t m = 3 * (size_t)A->n;
  Wide* D = calloc(m * m + 1, sizeof(Wide));
  for (int j = 0; j < A->n; j++)
    for (int q = A->col0[j]; q < A->col0[j + 1]; q++)
      for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) {
          size_t i = (size_t)(3 * A->row[q] + r), k = (size_t)(3 * j + c);
          D[i + k * m] = D[k + i * m] = A->block[9 * (size_t)q + (size_t)(r + 3 * c)];
        }
  return D;
}

// P D P' with the given vertices in order, of an n-vertex matrix; m = 3 * count rows
static inline Wide* dense_select(const Wide* D, int n, const int* vertex, int count) {
  size_t m = 3 * (size_t)count, big = 3 * (size_t)n;
  Wide* S = calloc(m * m + 1, sizeof(Wide));
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < m; i++)
      S[i + j * m] = D[(size_t)(3 * vertex[i / 3]) + i % 3 + ((size_t)(3 * vertex[j / 3]) + j % 3) * big];
  return S;
}

// Eliminates the first k columns of the m x m matrix: lower triangle becomes L below, the Schur complement
// behind.
static inline void dense_eliminate(Wide* S, size_t m, size_t k) {
  for (size_t j = 0; j < k; j++) {
    Wide d = sqrtl(S[j + j * m]);
    for (size_t i = j; i < m; i++) S[i + j * m] /= d;
    for (size_t c = j + 1; c < m; c++)
      for (size_t i = c; i < m; i++) S[i + c * m] -= S[i + j * m] * S[c + j * m];
  }
}

// x := (L L')^-1 x with the leading k x k part of an eliminated matrix
static inline void dense_solve(const Wide* S, size_t m, size_t k, Wide* x) {
  for (size_t j = 0; j < k; j++) {
    x[j] /= S[j + j * m];
    for (size_t i = j + 1; i < k; i++) x[i] -= S[i + j * m] * x[j];
  }
  for (size_t j = k; j-- > 0;) {
    for (size_t i = j + 1; i < k; i++) x[j] -= S[i + j * m] * x[i];
    x[j] /= S[j + j * m];
  }
}

// Condition number of the leading k x k part: power iterations with the matrix and with its inverse (from
// below, so never too large)
static inline double dense_condition(const Wide* before, const Wide* eliminated, size_t m, size_t k) {
  if (!k) return 1;
  Wide *x = calloc(k, sizeof(Wide)), *y = calloc(k, sizeof(Wide)), largest = 0, smallest = 0;
  for (int inverse = 0; inverse < 2; inverse++) {
    for (size_t i = 0; i < k; i++) x[i] = 1 + 0.1L * (Wide)(i % 7);
    for (int step = 0; step < 60; step++) {
      Wide norm = 0;
      for (size_t i = 0; i < k; i++) norm += x[i] * x[i];
      norm = sqrtl(norm);
      if (inverse)
        smallest = norm;
      else
        largest = norm;
      for (size_t i = 0; i < k; i++) x[i] /= norm;
      if (inverse) {
        dense_solve(eliminated, m, k, x);
      } else {
        for (size_t i = 0; i < k; i++) {
          y[i] = 0;
          for (size_t j = 0; j < k; j++) y[i] += before[i + j * m] * x[j];
        }
        memcpy(x, y, k * sizeof(Wide));
      }
    }
  }
  free(x), free(y);
  return (double)(largest * smallest);
}

#endif

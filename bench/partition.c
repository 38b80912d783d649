// partition.c: the cost of a change of the participating set, and of the alternatives.
//
//   partition [--quick] [--json FILE]
//
// A patch of k x k vertices of one face of a cube participates. Rows: vertices, patch, symbolic_ms and
// factor_ms of the set itself (moved last), factor_ring_ms with one more ring of vertices kept (a superset),
// and the compliance route: full_ms for the whole factor in its fixed order, compliance_ms for (A^-1)_pp and
// its inverse A_hat. Processor time, one thread.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../test/linalg/chol_compliance.h"
#include "elastic.h"
#include "isa.h"
#include "linalg/chol.h"
#include "linalg/chol_parts.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void keep_best(double* best, double t) {
  if (t < *best) *best = t;
}

// k x k vertices in the middle of the face z = 0
static int patch(int n, int k, int* vertex) {
  int count = 0, first = (n - k) / 2;
  for (int j = 0; j < k; j++)
    for (int i = 0; i < k; i++) vertex[count++] = (first + j) * n + first + i;
  return count;
}

typedef struct Row {
  double symbolic, factor, ring_symbolic, factor_ring, full, compliance;
} Row;

static void time_set(plChol* chol, const plBsym* A, const int* vertex, int count, double* symbolic,
                     double* factor) {
  // the solver keeps the symbolic factorizations of the last two sets: two others come before
  int other[2] = {chol->graph.n - 1, chol->graph.n - 2};
  for (int k = 1; k <= 2; k++) (void)pl_chol_partition(chol, other, k, NULL);
  double t = now();
  (void)pl_chol_partition(chol, vertex, count, NULL);
  keep_best(symbolic, now() - t);
  (void)pl_chol_factor(chol, A, NULL);
  for (int k = 0; k < 2; k++) {
    t = now();
    (void)pl_chol_factor(chol, A, NULL);
    keep_best(factor, now() - t);
  }
}

// A_hat = C^-1 = X X' with X = L_C^-T, by the dense kernels
static void invert(const plPanelKernels* k, int m, const double* C, double* L, double* X, double* A_hat) {
  for (int p = 0; p < pl_panel_count(m); p++) {
    int h = pl_panel_height(m, p), end = pl_triangle_columns(m, p);
    memset(L + pl_triangle_at(p), 0, (size_t)(h * end) * sizeof(double));
    for (int c = 0; c < end && c < m; c++)
      for (int r = 0; r < h && PL_PANEL * p + r < m; r++)
        if (PL_PANEL * p + r >= c) L[pl_triangle_at(p) + (long)c * h + r] = C[PL_PANEL * p + r + (long)c * m];
  }
  (void)pl_triangle_factor(k, m, L, NULL);
  memset(X, 0, pl_rectangle_size(m, m) * sizeof(double));
  for (int i = 0; i < m; i++)
    X[pl_rectangle_at(m, i / PL_PANEL) + i % PL_PANEL + (long)i * pl_panel_height(m, i / PL_PANEL)] = 1;
  for (int c = 0; c < m; c += PL_PANEL_BLOCK)
    for (int p = 0; p < pl_panel_count(m); p++)
      k->solve(L, m, X + pl_rectangle_at(m, p), pl_panel_height(m, p), c,
               m - c < PL_PANEL_BLOCK ? pl_pad(m) : c + PL_PANEL_BLOCK);
  k->syrk(X, m, m, A_hat, 0, pl_panel_count(m), true);
}

static void time_compliance(plChol* chol, const plBsym* A, const int* vertex, int count, Row* row) {
  int m = 3 * count;
  double *C = PL_NEW(double, (size_t)m*(size_t)m), *L = PL_NEW(double, pl_triangle_size(m) + PL_PANEL);
  double *X = PL_NEW(double, pl_rectangle_size(m, m) + PL_PANEL),
         *A_hat = PL_NEW(double, pl_triangle_size(m) + PL_PANEL);
  for (int k = 0; k < 3; k++) {
    double t = now();
    (void)pl_chol_factor(chol, A, NULL);
    if (k) keep_best(&row->full, now() - t);
    t = now();
    (void)chol_compliance(chol, vertex, count, C, m);
    invert(chol->kernels, m, C, L, X, A_hat);
    if (k) keep_best(&row->compliance, now() - t);
  }
  pl_free(C), pl_free(L), pl_free(X), pl_free(A_hat);
}

int main(int argc, char** argv) {
  if (!isa_is_known()) return 2;
  bool quick = false;
  const char* json = NULL;
  for (int k = 1; k < argc; k++) {
    if (!strcmp(argv[k], "--quick"))
      quick = true;
    else if (!strcmp(argv[k], "--json") && k + 1 < argc)
      json = argv[++k];
    else
      return fprintf(stderr, "usage: partition [--quick] [--json FILE]\n"), 2;
  }
  FILE* file = json ? fopen(json, "w") : NULL;
  if (json && !file) return fprintf(stderr, "partition: cannot write %s\n", json), 1;
  if (file) fprintf(file, "[");
  static const int sizes[] = {8, 13, 20};
  bool first = true;
  printf(
      "vertices  patch  moved last: symbolic + factor   with a ring more   compliance: full + (A^-1)_pp and "
      "inverse (ms)\n");
  for (int q = 0; q < (quick ? 2 : 3); q++) {
    int n = sizes[q], *vertex = PL_NEW(int, n*n);
    plMesh* mesh = cube_mesh(n);
    plBsym* A = NULL;
    plChol *moved = NULL, *fixed = NULL;
    if (!mesh || blocks_create(mesh->nvert, mesh->ntet, 4, mesh->tet, &A, NULL)) return 1;
    elastic_matrix(mesh, A);
    if (pl_chol_create(A, PL_ORDER_DISSECTION, mesh->vert, &moved, NULL)) return 1;
    if (pl_chol_create(A, PL_ORDER_DISSECTION, mesh->vert, &fixed, NULL)) return 1;
    for (int k = 1; k <= n; k += k < 2 ? 1 : 2) {
      Row row = {1e300, 1e300, 1e300, 1e300, 1e300, 1e300};
      for (int round = 0; round < (quick ? 2 : 3); round++) {
        int count = patch(n, k, vertex);
        time_set(moved, A, vertex, count, &row.symbolic, &row.factor);
        if (count <= 64) time_compliance(fixed, A, vertex, count, &row);
        if (k + 2 <= n)
          time_set(moved, A, vertex, patch(n, k + 2, vertex), &row.ring_symbolic, &row.factor_ring);
      }
      printf("%8d %4dx%-2d %14.3f + %8.3f", n * n * n, k, k, row.symbolic * 1e3, row.factor * 1e3);
      if (row.factor_ring < 1e300)
        printf(" %18.3f", row.factor_ring * 1e3);
      else
        printf(" %18s", "");
      if (row.full < 1e300) printf(" %20.3f + %8.3f", row.full * 1e3, row.compliance * 1e3);
      printf("\n");
      fflush(stdout);
      if (file) {
        fprintf(file, "%s\n{\"vertices\": %d, \"patch\": %d", first ? "" : ",", n * n * n, k * k);
        fprintf(file, ", \"symbolic_ms\": %.6g, \"factor_ms\": %.6g", row.symbolic * 1e3, row.factor * 1e3);
        if (row.factor_ring < 1e300) fprintf(file, ", \"factor_ring_ms\": %.6g", row.factor_ring * 1e3);
        if (row.full < 1e300)
          fprintf(file, ", \"full_ms\": %.6g, \"compliance_ms\": %.6g", row.full * 1e3, row.compliance * 1e3);
        fprintf(file, "}");
      }
      first = false;
    }
    pl_chol_destroy(moved), pl_chol_destroy(fixed), pl_bsym_destroy(A), pl_mesh_destroy(mesh),
        pl_free(vertex);
  }
  if (file) {
    fprintf(file, "\n]\n");
    if (fclose(file)) return 1;
  }
  return 0;
}

// chol.c: the solver of chol.h.
#include "linalg/chol.h"

#include <assert.h>
#include <string.h>

#include "base/cpu.h"
#include "base/error.h"
#include "base/memory.h"
#include "linalg/plain.h"

struct plChol {
  int n, np;
  plBsym pattern;   // col0 and row copied
  int* order;       // [n] fill-reducing order of all vertices
  int* part;        // [np] ascending
  char* is_part;    // [n]
  plPlain* plain;
  double *A_hat, *work;
  int failed;
};

void pl_chol_destroy(plChol* chol) {
  if (!chol) return;
  pl_free(chol->pattern.col0), pl_free(chol->pattern.row), pl_free(chol->order), pl_free(chol->part), pl_free(chol->is_part);
  pl_plain_destroy(chol->plain), pl_free(chol->A_hat), pl_free(chol->work), pl_free(chol);
}

static plStatus rebuild(plChol* chol, plError* error) {
  int* order = PL_NEW(int, chol->n);
  if (!order) return pl_fail_out_of_memory(error, 0);
  int k = 0;
  for (int i = 0; i < chol->n; i++)
    if (!chol->is_part[chol->order[i]]) order[k++] = chol->order[i];
  for (int i = 0; i < chol->np; i++) order[k++] = chol->part[i];
  pl_plain_destroy(chol->plain), chol->plain = NULL, pl_free(chol->A_hat);
  plStatus status = pl_plain_create(&chol->pattern, order, chol->np, &chol->plain, error);
  pl_free(order);
  chol->A_hat = PL_NEW(double, 9 * (size_t)chol->np * (size_t)chol->np);
  if (!status && !chol->A_hat) status = pl_fail_out_of_memory(error, 0);
  return status;
}

plStatus pl_chol_create(const plBsym* pattern, plOrder order, const double* position, plChol** chol_out, plError* error) {
  plChol* chol = PL_NEW(plChol, 1);
  if (!chol) return pl_fail_out_of_memory(error, sizeof *chol);
  int n = chol->n = pattern->n;
  chol->pattern = (plBsym){.n = n, .nblock = pattern->nblock, .col0 = PL_NEW(int, n + 1), .row = PL_NEW(int, pattern->nblock)};
  chol->order = PL_NEW(int, n), chol->part = PL_NEW(int, n), chol->is_part = PL_NEW(char, n), chol->work = PL_NEW(double, 3 * n);
  chol->failed = -1;
  plStatus status = PL_OK;
  plGraph graph;
  if (!chol->pattern.col0 || !chol->pattern.row || !chol->order || !chol->part || !chol->is_part || !chol->work)
    status = pl_fail_out_of_memory(error, 0);
  if (!status) {
    memcpy(chol->pattern.col0, pattern->col0, ((size_t)n + 1) * sizeof(int));
    memcpy(chol->pattern.row, pattern->row, (size_t)pattern->nblock * sizeof(int));
    status = pl_graph_create(pattern, &graph, error);
    if (!status) {
      status = pl_order(&graph, order, position, chol->order, error);
      pl_graph_free(&graph);
    }
  }
  if (!status) status = rebuild(chol, error);
  if (status) pl_chol_destroy(chol);
  else *chol_out = chol;
  return status;
}

plStatus pl_chol_partition(plChol* chol, const int* participating, int n, plError* error) {
  bool same = n == chol->np;
  for (int i = 0; i < n && same; i++) same = chol->is_part[participating[i]];
  if (same) return PL_OK;
  memset(chol->is_part, 0, (size_t)chol->n);
  for (int i = 0; i < n; i++) chol->is_part[participating[i]] = 1;
  chol->np = 0;
  for (int v = 0; v < chol->n; v++)
    if (chol->is_part[v]) chol->part[chol->np++] = v;
  return rebuild(chol, error);
}

int pl_chol_nparticipating(const plChol* chol) { return chol->np; }
const int* pl_chol_participating(const plChol* chol) { return chol->part; }
int pl_chol_failed(const plChol* chol) { return chol->failed; }

plStatus pl_chol_factor(plChol* chol, const plBsym* A, plPool* pool) {
  (void)pool;
  plStatus status = pl_plain_factor(chol->plain, A, pl_isa());
  chol->failed = chol->plain->failed;
  if (!status) pl_plain_schur(chol->plain, chol->A_hat, 3 * chol->np);
  return status;
}

plStatus pl_chol_factor_rest(plChol* chol, plPool* pool) {
  (void)pool;
  plStatus status = pl_plain_factor_rest(chol->plain, pl_isa());
  chol->failed = chol->plain->failed;
  return status;
}

void pl_chol_schur(const plChol* chol, double* A_hat, int ld) {
  int m = 3 * chol->np;
  for (int j = 0; j < m; j++)
    for (int i = j; i < m; i++) A_hat[i + (long)j * ld] = chol->A_hat[i + (long)j * m];
}

void pl_chol_solve(plChol* chol, double* b, int nrhs) {
  for (int k = 0; k < nrhs; k++) pl_plain_solve(chol->plain, b + 3 * (size_t)chol->n * (size_t)k, chol->work);
}

void pl_chol_interior(plChol* chol, double* dv) {
  const plPlain* plain = chol->plain;
  double* y = chol->work;
  memset(y, 0, 3 * (size_t)chol->n * sizeof(double));
  for (int i = 0; i < chol->np; i++) memcpy(y + 3 * plain->place[chol->part[i]], dv + 3 * chol->part[i], 3 * sizeof(double));
  for (int j = chol->n - chol->np - 1; j >= 0; j--) {
    const double* D = plain->block + 9 * (size_t)plain->col0[j];
    double* v = y + 3 * j;
    for (int q = plain->col0[j] + 1; q < plain->col0[j + 1]; q++) {
      const double* B = plain->block + 9 * (size_t)q;
      const double* u = y + 3 * plain->row[q];
      for (int c = 0; c < 3; c++) v[c] -= B[3 * c] * u[0] + B[3 * c + 1] * u[1] + B[3 * c + 2] * u[2];
    }
    v[2] /= D[8], v[1] = (v[1] - D[5] * v[2]) / D[4], v[0] = (v[0] - D[1] * v[1] - D[2] * v[2]) / D[0];
  }
  for (int k = 0; k < chol->n - chol->np; k++) memcpy(dv + 3 * plain->order[k], y + 3 * k, 3 * sizeof(double));
}

double pl_chol_nnz(const plChol* chol) { return 9.0 * chol->plain->col0[chol->n] - 3.0 * chol->n; }
double pl_chol_flops(const plChol* chol) { return pl_plain_flops(chol->plain); }

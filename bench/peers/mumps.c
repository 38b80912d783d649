// mumps.c: MUMPS (sequential) as a peer, with its built-in Schur complement.
#include <dmumps_c.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

typedef struct Solver {
  DMUMPS_STRUC_C id;
  double *schur, *rhs;
  int n, nschur;
} Solver;

static void destroy(void* solver) {
  Solver* s = solver;
  s->id.job = -2;
  dmumps_c(&s->id);
  free(s->id.irn), free(s->id.jcn), free(s->id.a), free(s->id.perm_in), free(s->id.listvar_schur);
  free(s->schur), free(s->rhs), free(s);
}

static void* create(const PeerMatrix* m) {
  Solver* s = calloc(1, sizeof *s);
  if (!s) return NULL;
  DMUMPS_STRUC_C* id = &s->id;
  s->n = m->n, s->nschur = m->nschur;
  id->par = 1, id->sym = 1, id->comm_fortran = -987654, id->job = -1;
  dmumps_c(id);
  id->icntl[0] = id->icntl[1] = id->icntl[2] = -1, id->icntl[3] = 0;
  id->icntl[6] = 1, id->icntl[13] = 40;  // order given; room to spare
  int nnz = m->col0[m->n];
  id->n = m->n, id->nnz = nnz;
  id->irn = malloc((size_t)nnz * sizeof(int)), id->jcn = malloc((size_t)nnz * sizeof(int));
  id->a = malloc((size_t)nnz * sizeof(double)), id->perm_in = malloc((size_t)m->n * sizeof(int));
  for (int j = 0; j < m->n; j++)
    for (int q = m->col0[j]; q < m->col0[j + 1]; q++) id->irn[q] = m->row[q] + 1, id->jcn[q] = j + 1;
  memcpy(id->a, m->value, (size_t)nnz * sizeof(double));
  for (int k = 0; k < m->n; k++) id->perm_in[m->order[k]] = k + 1;
  s->rhs = malloc((size_t)m->n * sizeof(double));
  if (m->nschur) {
    s->schur = malloc((size_t)m->nschur * (size_t)m->nschur * sizeof(double));
    id->icntl[18] = 1, id->size_schur = m->nschur, id->schur = s->schur;
    id->listvar_schur = malloc((size_t)m->nschur * sizeof(int));
    for (int k = 0; k < m->nschur; k++) id->listvar_schur[k] = m->order[m->n - m->nschur + k] + 1;
  }
  id->job = 1;
  dmumps_c(id);
  if (id->infog[0] == 0) return s;
  destroy(s);
  return NULL;
}

static int factor(void* solver, double* A_hat) {
  Solver* s = solver;
  s->id.job = 2;
  dmumps_c(&s->id);
  if (A_hat && s->nschur) memcpy(A_hat, s->schur, (size_t)s->nschur * (size_t)s->nschur * sizeof(double));
  return s->id.infog[0] != 0;
}

static int solve(void* solver, const double* b, double* x) {
  Solver* s = solver;
  if (s->nschur) return 1;
  memcpy(s->rhs, b, (size_t)s->n * sizeof(double));
  s->id.rhs = s->rhs, s->id.nrhs = 1, s->id.job = 3;
  dmumps_c(&s->id);
  memcpy(x, s->rhs, (size_t)s->n * sizeof(double));
  return s->id.infog[0] != 0;
}

extern const Peer peer;
const Peer peer = {"MUMPS", create, factor, solve, destroy};

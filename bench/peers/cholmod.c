// cholmod.c: CHOLMOD's supernodal factorization as a peer. It factors the whole matrix; A_hat = L_pp L_pp' is
// formed afterwards.
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

#include "peer.h"

extern void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha,
                   const double* a, const int* lda, const double* beta, double* c, const int* ldc);

typedef struct Solver {
  cholmod_common common;
  cholmod_sparse* A;
  cholmod_factor* L;
  cholmod_dense* b;
  int n, nschur;
  double* Lpp;
} Solver;

static void destroy(void* solver) {
  Solver* s = solver;
  cholmod_free_dense(&s->b, &s->common);
  cholmod_free_factor(&s->L, &s->common);
  cholmod_free_sparse(&s->A, &s->common);
  cholmod_finish(&s->common);
  free(s->Lpp), free(s);
}

static void* create(const PeerMatrix* m) {
  Solver* s = calloc(1, sizeof *s);
  if (!s) return NULL;
  cholmod_common* c = &s->common;
  cholmod_start(c);
  c->print = 0, c->supernodal = CHOLMOD_SUPERNODAL, c->final_ll = 1;
  s->n = m->n, s->nschur = m->nschur;
  size_t nnz = (size_t)m->col0[m->n];
  s->A = cholmod_allocate_sparse((size_t)m->n, (size_t)m->n, nnz, 1, 1, -1, CHOLMOD_REAL, c);
  memcpy(s->A->p, m->col0, ((size_t)m->n + 1) * sizeof(int));
  memcpy(s->A->i, m->row, nnz * sizeof(int));
  memcpy(s->A->x, m->value, nnz * sizeof(double));
  s->b = cholmod_zeros((size_t)m->n, 1, CHOLMOD_REAL, c);
  s->Lpp = calloc((size_t)m->nschur * (size_t)m->nschur + 1, sizeof(double));
  // our order, or METIS where that needs fewer operations and no Schur complement is asked for
  int* order = malloc((size_t)m->n * sizeof(int));
  memcpy(order, m->order, (size_t)m->n * sizeof(int));
  c->nmethods = 1, c->method[0].ordering = CHOLMOD_GIVEN, c->postorder = !m->nschur;
  s->L = cholmod_analyze_p(s->A, order, NULL, 0, c);
  double flops = c->fl;
  if (!m->nschur) {
    c->method[0].ordering = CHOLMOD_METIS;
    cholmod_factor* other = cholmod_analyze(s->A, c);
    if (other && c->fl < flops) {
      cholmod_free_factor(&s->L, c);
      s->L = other;
    } else if (other) {
      cholmod_free_factor(&other, c);
    }
  }
  free(order);
  return s;
}

// The last nschur columns of L, column-major
static void copy_Lpp(Solver* s) {
  const cholmod_factor* L = s->L;
  const int *super = L->super, *pi = L->pi, *px = L->px, *rows = L->s;
  const double* x = L->x;
  int first = s->n - s->nschur;
  size_t m = (size_t)s->nschur;
  memset(s->Lpp, 0, m * m * sizeof(double));
  for (size_t k = 0; k < L->nsuper; k++) {
    if (super[k + 1] <= first) continue;
    int nrow = pi[k + 1] - pi[k];
    for (int c = super[k]; c < super[k + 1]; c++)
      for (int i = 0; c >= first && i < nrow; i++) {
        int row = rows[pi[k] + i];
        double value = x[(size_t)px[k] + (size_t)i + (size_t)(c - super[k]) * (size_t)nrow];
        if (row >= c) s->Lpp[(size_t)(row - first) + (size_t)(c - first) * m] = value;
      }
  }
}

static int factor(void* solver, double* A_hat) {
  Solver* s = solver;
  cholmod_factorize(s->A, s->L, &s->common);
  if (s->common.status != CHOLMOD_OK) return 1;
  if (!s->nschur || !A_hat) return 0;
  // A_hat = L_pp L_pp', block column by block column
  copy_Lpp(s);
  const double one = 1, zero = 0;
  for (int c = 0; c < s->nschur; c += 96) {
    int k = s->nschur - c < 96 ? s->nschur - c : 96, rows = s->nschur - c;
    size_t at = (size_t)c + (size_t)c * (size_t)s->nschur;
    if (c == 0)
      dsyrk_("L", "N", &rows, &k, &one, s->Lpp, &s->nschur, &zero, A_hat, &s->nschur);
    else
      dsyrk_("L", "N", &rows, &k, &one, s->Lpp + at, &s->nschur, &one, A_hat + at, &s->nschur);
  }
  return 0;
}

static int solve(void* solver, const double* b, double* x) {
  Solver* s = solver;
  memcpy(s->b->x, b, (size_t)s->n * sizeof(double));
  cholmod_dense* answer = cholmod_solve(CHOLMOD_A, s->L, s->b, &s->common);
  if (!answer) return 1;
  memcpy(x, answer->x, (size_t)s->n * sizeof(double));
  cholmod_free_dense(&answer, &s->common);
  return 0;
}

extern const Peer peer;
const Peer peer = {"CHOLMOD", create, factor, solve, destroy};

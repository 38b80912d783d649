// factor.c: the factors of the bodies' A.
//
// The exact tangent of a nonlinear law may have negative eigenvalues. Then A takes a share of the projected
// tangent, whose element matrices are positive semi-definite. The whole of it is stiffer than the body, and
// Newton's method with it leaves a constant fraction of the error per iteration; the smaller the share, the
// smaller that fraction.
//
// in: A -> out: A, chol
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "deform/deform.h"

// Times the largest number on the diagonal of A_hat. An eigenvalue is at most as large as the sum of a row.
static const double LARGEST_SHIFT = 64;

static plStatus fail_at_vertex(const plModel* model, plData* data, int b, plStatus status) {
  int vertex = pl_chol_failed(data->work->chol[b]);
  snprintf(data->report.where, sizeof data->report.where, "%s vertex %d", model->deform_name[b], vertex);
  return pl_fail(data->work->error, status,
                 "the momentum matrix of '%s' is not positive definite at vertex %d: check its material and "
                 "the positions around that vertex",
                 model->deform_name[b], vertex);
}

static plStatus factor(plData* data, int b) {
  plWork* work = data->work;
  plStatus status = pl_chol_factor(work->chol[b], &work->A[b], work->pool);
  if (!status) status = pl_chol_factor_rest(work->chol[b], work->pool);
  data->report.factorizations++;
  return status;
}

// A = share projected + (1 - share) exact, with the smallest share from *share on, in steps of
// PL_PROJECTED_STEP, for which there is a factor.
static plStatus factor_mixture(const plModel* model, plData* data, int b, const double* v, double* share) {
  plWork* work = data->work;
  double *A = work->A[b].block, *m = work->m + model->deform_v0[b];
  size_t n = 9 * (size_t)work->A[b].nblock;
  double *exact = PL_ARENA_NEW(&work->step, double, n), *projected = PL_ARENA_NEW(&work->step, double, n);
  if (!exact || !projected) return PL_ERROR_MEMORY;
  memcpy(exact, A, n * sizeof *A);
  plStatus status = pl_deform_linearize(model, data, b, v, PL_TANGENT_PROJECTED, m, NULL);
  if (status) return status;
  memcpy(projected, A, n * sizeof *A);
  for (;; *share = fmin(1, PL_PROJECTED_STEP * *share)) {
    for (size_t i = 0; i < n; i++)
      A[i] = *share < 1 ? projected[i] + (1 - *share) * (exact[i] - projected[i]) : projected[i];
    status = factor(data, b);
    if (status != PL_ERROR_INDEFINITE || *share >= 1) return status;
  }
}

plStatus pl_deform_factor_mixed(const plModel* model, plData* data, int b, const double* v, double* share) {
  bool linear = pl_law_is_linear(data->par->deform_material[b].kind);
  plStatus status = PL_ERROR_INDEFINITE;
  if (linear || !(*share > PL_PROJECTED_LEAST)) {
    status = factor(data, b);
    if (!status) *share = 0;
  }
  if (status == PL_ERROR_INDEFINITE && !linear) {
    if (!(*share > 0)) *share = 1;
    status = factor_mixture(model, data, b, v, share);
  }
  return status == PL_ERROR_INDEFINITE ? fail_at_vertex(model, data, b, status) : status;
}

plStatus pl_deform_factor_held(plData* data, int b, double* shift) {
  plWork* work = data->work;
  *shift = 0;
  plStatus status = pl_chol_factor(work->chol[b], &work->A[b], work->pool);
  data->report.factorizations++;
  if (status) return status;
  status = pl_chol_factor_rest(work->chol[b], work->pool);
  for (double s = 1; status == PL_ERROR_INDEFINITE && s <= LARGEST_SHIFT; s *= 4)
    status = pl_chol_factor_rest_shifted(work->chol[b], *shift = s, work->pool);
  return status;
}

plStatus pl_deform_factor_body(const plModel* model, plData* data, int b, const double* v) {
  double share = 0;
  return pl_deform_factor_mixed(model, data, b, v, &share);
}

// If theta = 0, A is M: its factor is kept while the same vertices participate. Returns a key of that set and
// of the density, never 0; 0 if A changes from step to step.
static uint64_t factor_key(const plModel* model, const plData* data, int b) {
  if (data->par->options.theta != 0) return 0;
  const int* vertex = data->work->participating + model->deform_vert0[b];
  assert(3 * data->work->nparticipating[b] <= pl_deform_nv(data, b));
  uint64_t h = pl_hash(PL_HASH_START, &data->par->deform_material[b].density, sizeof(double));
  return pl_hash(h, vertex, (size_t)data->work->nparticipating[b] * sizeof *vertex) | 1;
}

static plStatus factor_of(const plModel* model, plData* data, int b, void* context) {
  uint64_t key = factor_key(model, data, b), *last = &data->work->factor_key[b];
  (void)context;
  if (pl_deform_keeps_free_motion(data, b)) return PL_OK;
  if (key && key == *last) return PL_OK;
  *last = 0;
  plStatus status = pl_deform_factor_body(model, data, b, data->work->v_first + model->deform_v0[b]);
  if (!status) *last = key;
  return status;
}

plStatus pl_deform_factor(const plModel* model, plData* data) {
  return pl_deform_each(model, data, factor_of, NULL);
}

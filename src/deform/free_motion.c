// free_motion.c: factor A, v* = v_guess - A^-1 m(v_guess).                                                       (10)
//
// in: m, A -> out: v_star, report.free_residual
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "deform/deform.h"

plStatus pl_deform_factor(const plModel* model, plData* data) {
  plWork* work = data->work;
  for (int b = 0; b < model->ndeform; b++) {
    plStatus status = pl_chol_factor(work->chol[b], &work->A[b], work->pool);
    if (!status) status = pl_chol_factor_rest(work->chol[b], work->pool);
    data->report.factorizations++;
    if (status) {
      int vertex = pl_chol_failed(work->chol[b]);
      snprintf(data->report.where, sizeof data->report.where, "%s vertex %d", model->deform_name[b], vertex);
      return pl_fail(work->error, status, "the momentum matrix of '%s' is not positive definite at vertex %d; a smaller dt or a valid "
                     "material helps", model->deform_name[b], vertex);
    }
  }
  return PL_OK;
}

// max |m + A dv| / max |A| |dv|: how far from balance the solve ended, in units of rounding of its terms.
static double relative_residual(const plBsym* A, const double* m, const double* dv, double* scratch) {
  double worst = 0, a_max = 0, dv_max = 0;
  pl_bsym_multiply(A, dv, scratch);
  for (int i = 0; i < 3 * A->n; i++) {
    worst = fmax(worst, fabs(scratch[i] + m[i]));
    dv_max = fmax(dv_max, fabs(dv[i]));
  }
  for (int p = 0; p < 9 * A->nblock; p++) a_max = fmax(a_max, fabs(A->block[p]));
  return a_max * dv_max > 0 ? worst / (a_max * dv_max) : 0;
}

plStatus pl_deform_free_motion(const plModel* model, plData* data) {
  plWork* work = data->work;
  for (int b = 0; b < model->ndeform; b++) {
    int v0 = model->deform_v0[b], n = 3 * (model->deform_vert0[b + 1] - model->deform_vert0[b]);
    double* dv = PL_ARENA_NEW(&work->step, double, n);
    double* scratch = PL_ARENA_NEW(&work->step, double, n);
    if (!dv || !scratch) return PL_ERROR_MEMORY;
    for (int i = 0; i < n; i++) dv[i] = -work->m[v0 + i];
    pl_chol_solve(work->chol[b], dv, 1);
    for (int i = 0; i < n; i++) data->v_star[v0 + i] = work->v_guess[v0 + i] + dv[i];
    data->report.free_residual = fmax(data->report.free_residual, relative_residual(&work->A[b], work->m + v0, dv, scratch));
  }
  data->report.free_iterations = 1;
  return PL_OK;
}

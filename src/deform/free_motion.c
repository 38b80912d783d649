// free_motion.c: m(v*) = 0 without constraints: one linear solve for linear laws, Newton's method with a
// line search for the others. Paper: (10).
//
// in: m, A -> out: v_star, A and its factor at v_star, report.free_iterations, free_residual
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "deform/deform.h"
#include "deform/products.h"

// Residual of the solve: max |m + A dv| over max |A| |dv|, in units of rounding of its terms, and over the
// impulse of the body's weight in the step.
static plStatus report_residual(plData* data, int b, const double* m, const double* dv, double* scratch) {
  const plBsym* A = &data->work->A[b];
  plPool* pool = data->work->pool;
  size_t n = 3 * (size_t)A->n;
  double *room = PL_ARENA_NEW(&data->work->step, double, pl_deform_largest_room(n)), most = 0;
  if (!room) return PL_ERROR_MEMORY;
  pl_bsym_multiply_shared(A, dv, scratch, pool);
  for (size_t i = 0; i < n; i++) scratch[i] += m[i];
  double worst = pl_deform_largest(scratch, n, room, pool);
  // no entry of a positive definite matrix is larger than the largest of its diagonal
  for (int j = 0; j < A->n; j++)
    for (const double *d = A->block + 9 * (size_t)A->col0[j], *end = d + 9; d < end; d += 4)
      most = *d > most ? *d : most;
  double scale = most * pl_deform_largest(dv, n, room, pool);
  double weight = data->par->options.dt * v3_norm(data->par->options.gravity) * pl_deform_mass(data, b);
  plReport* report = &data->report;
  if (scale > 0) report->free_residual = fmax(report->free_residual, worst / scale);
  if (weight > 0) report->free_residual_weight = fmax(report->free_residual_weight, worst / weight);
  return PL_OK;
}

// v_star = v_first - A^-1 m(v_first)
static plStatus solve_linear(const plModel* model, plData* data, int b) {
  plWork* work = data->work;
  int v0 = model->deform_v0[b], n = pl_deform_nv(data, b);
  double* dv = PL_ARENA_NEW(&work->step, double, n);
  double* scratch = PL_ARENA_NEW(&work->step, double, n);
  if (!dv || !scratch) return PL_ERROR_MEMORY;
  for (int i = 0; i < n; i++) dv[i] = -work->m[v0 + i];
  pl_chol_solve(work->chol[b], dv, 1, work->pool);
  pl_deform_centre(model, data, b, work->m + v0, dv);
  for (int i = 0; i < n; i++) data->v_star[v0 + i] = work->v_first[v0 + i] + dv[i];
  if (data->report.free_iterations < 1) data->report.free_iterations = 1;
  return report_residual(data, b, work->m + v0, dv, scratch);
}

// A quadratic model decreases by half of its slope over a full step; a larger decrease means that the body is
// softer.
static const double STEEP = 0.75;

static double length(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

// Halves the step until the potential has decreased enough, v <- v + a dv; slope = m'dv is negative. If the
// potential changes by no more than its rounding error, a smaller residual decides, or one within its
// rounding. *found is false if no length is acceptable.
static plStatus search_line(const plModel* model, plData* data, int b, double* v, const double* dv,
                            const double* m, int n, bool* found) {
  plWork* work = data->work;
  double start, size, here, slope = 0;
  double *trial = PL_ARENA_NEW(&work->step, double, n), *m_trial = PL_ARENA_NEW(&work->step, double, n);
  if (!trial || !m_trial) return PL_ERROR_MEMORY;
  for (int i = 0; i < n; i++) slope += m[i] * dv[i];
  plStatus status = pl_deform_potential(model, data, b, v, &start, &size);
  *found = false;
  double a = 1;
  for (int k = 0; k < 50 && !status && !*found; k++, a /= 2) {
    pl_deform_along(model, data, b, v, dv, a, trial);
    status = pl_deform_potential(model, data, b, trial, &here, NULL);
    *found = !status && here <= start + 1e-4 * a * slope;
    if (status || *found || !(fabs(here - start) <= 1e-9 * size)) continue;
    status = pl_deform_linearize(model, data, b, trial, PL_NO_TANGENT, m_trial, NULL);
    double rest = length(m_trial, n), rounding = 0;
    if (!status && !(rest < length(m, n))) status = pl_deform_rounding(model, data, b, trial, &rounding);
    *found = !status && rest < fmax(length(m, n), rounding);
  }
  if (!*found) return status;
  // If the tangent was made positive definite, it may be stiffer than the body: then the step is doubled
  // while that is better.
  bool longer = !status && a == 0.5 && here < start + STEEP * slope;
  for (; longer; a *= 2) {
    double farther;
    pl_deform_along(model, data, b, v, dv, 4 * a, m_trial);
    status = pl_deform_potential(model, data, b, m_trial, &farther, NULL);
    longer = !status && farther < here - 1e-9 * size;
    if (longer) here = farther, memcpy(trial, m_trial, (size_t)n * sizeof(double));
  }
  memcpy(v, trial, (size_t)n * sizeof(double));
  return status;
}

static plStatus not_converged(const plModel* model, plData* data, int b, int iterations, double residual) {
  snprintf(data->report.where, sizeof data->report.where, "%s", model->deform_name[b]);
  return pl_fail(data->work->error, PL_ERROR_NOT_CONVERGED,
                 "the free motion of '%s' has a relative residual of %.1e after %d Newton iterations, %.1e "
                 "is wanted",
                 model->deform_name[b], residual, iterations, data->par->options.free_tolerance);
}

// Newton's method from v_first, where m, A and its factor are known already.
static plStatus solve_newton(const plModel* model, plData* data, int b) {
  plWork* work = data->work;
  int v0 = model->deform_v0[b], n = pl_deform_nv(data, b);
  double *v = data->v_star + v0, *m = work->m + v0, *dv = PL_ARENA_NEW(&work->step, double, n);
  double residual = 0, scale = 0, tolerance = data->par->options.free_tolerance;
  if (!dv) return PL_ERROR_MEMORY;
  memcpy(v, work->v_first + v0, (size_t)n * sizeof(double));
  bool done = false;
  int it = 0;
  plStatus status = PL_OK;
  while (!done && !status) {
    if (it == data->par->options.max_iterations) return not_converged(model, data, b, it, residual);
    for (int i = 0; i < n; i++) dv[i] = -m[i];
    pl_chol_solve(work->chol[b], dv, 1, work->pool);
    pl_deform_centre(model, data, b, m, dv);
    bool found;
    status = search_line(model, data, b, v, dv, m, n, &found);
    it++;
    // m and A at the new v; the last A is kept for the constraints
    if (!status) status = pl_deform_linearize(model, data, b, v, PL_TANGENT_EXACT, m, &scale);
    if (status) break;
    double size = length(m, n), rounding = 0;
    if (size > tolerance * scale) status = pl_deform_rounding(model, data, b, v, &rounding);
    if (status) break;
    // relative to the terms and to their rounding error
    residual = size > 0 ? size / (scale + rounding / tolerance) : 0;
    done = residual <= tolerance;
    if (!isfinite(residual) || (!found && !done)) return not_converged(model, data, b, it, residual);
    if (!done || work->nparticipating[b] > 0) status = pl_deform_factor_body(model, data, b, v);
  }
  if (it > data->report.free_iterations) data->report.free_iterations = it;
  data->report.free_residual = fmax(data->report.free_residual, residual);
  if (!status) pl_deform_keep_momentum(model, data, b, m, dv, v);
  return status;
}

static plStatus free_motion_of(const plModel* model, plData* data, int b, void* context) {
  bool implicit = data->par->options.theta * data->par->options.theta_vq > 0;
  // A nonlinear body in contact is linearised at v_first; COUPLING does the further rounds, with the
  // contacts.
  bool coupled = data->work->nparticipating[b] > 0;
  bool linear = pl_law_is_linear(data->par->deform_material[b].kind) || !implicit || coupled;
  (void)context;
  if (pl_deform_keeps_free_motion(data, b)) return PL_OK;
  return linear ? solve_linear(model, data, b) : solve_newton(model, data, b);
}

plStatus pl_deform_free_motion(const plModel* model, plData* data) {
  return pl_deform_each(model, data, free_motion_of, NULL);
}

// balance.c: the momentum balance of trees and of bodies with linear laws in a coupled step.
//
// The rounds of coupling.c search along lines. They may therefore end at velocities at which the nonlinear
// bodies are in balance but the others are not: there the impulse J' gamma differs from A (v - v*). The
// residual of trees and linear bodies is measured clique by clique, as in the solver (pliant/sap.h):
//
//   g = A (v - v*) - J' gamma,
//   |S g| <= absolute + tolerance max(|S A v|, sum_i |S J_i' gamma_i|, 1e-6 s) + rounding
//
// with S = diag(A)^-1/2 and s the scale of the whole problem. The absolute tolerance is that of the solver,
// which accepts any momentum that is only the rounding error of bodies at rest.
//
// in: reduced, v, gamma -> out: the largest residual relative to its limit, and where it is
#include <float.h>
#include <math.h>
#include <string.h>

#include "constraint/constraint.h"
#include "fem/law.h"
#include "step/step.h"

static const double FLOOR = 1e-6;
static const double UNITS = 64;  // units of rounding, as in deform/accuracy.c

// The effect of the rounding error of v on J' gamma, into noise [nv]: if R is small, the last digits of v are
// large impulses. E has the Hessian A + J' G J; pl_deform_rounding accounts for A. v is the sum of v* and the
// solver's x, which may be much larger than v, and has their rounding error, which does not cancel between
// neighbours in J v (sap/residual.c counts it in the same way).
plStatus pl_step_impulse_rounding(const plModel* model, plData* data, const double* v1, const double* gamma1,
                                  double* noise) {
  const plReduced* r = data->work->reduced;
  plArena* arena = &data->work->step;
  int nv = r->clique_v0[r->problem.nclique], nrow = r->nrow;
  double *v = PL_KEEP(arena, double, nv), *vc = PL_KEEP(arena, double, nrow),
         *gamma = PL_KEEP(arena, double, nrow), *star = PL_KEEP(arena, double, nv);
  if (arena->failed) return PL_ERROR_MEMORY;
  pl_reduced_gather(model, r, v1, v);
  pl_reduced_gather(model, r, data->v_star, star);
  for (int i = 0; i < nv; i++) {
    double sum = 2 * DBL_EPSILON * (fabs(star[i]) + fabs(v[i] - star[i]));
    v[i] += UNITS * DBL_EPSILON * v[i] + (i / 3 % 2 ? -sum : sum);
  }
  (void)pl_reduced_laws(r, v, vc, gamma);
  for (int i = 0; i < nrow; i++) gamma[i] -= gamma1[i];
  pl_reduced_forces(model, r, gamma, noise);
  return PL_OK;
}

// Vectors of the reduced problem.
typedef struct Balance {
  double *S, *x;     // S; v - v*
  double *g, *p;     // A x - J' gamma; A v
  double *f, *size;  // J' gamma; |A| |x|
  double* noise;     // rounding of J' gamma
} Balance;

static bool is_linear(const plModel* model, const plData* data, const plReduced* r, int clique) {
  return clique < model->ntree ||
         pl_law_is_linear(data->par->deform_material[r->body[clique - model->ntree]].kind);
}

// y += A x for the block A of two cliques and the transposed block; absolute: y += |A| |x|.
static void multiply(const plReduced* r, const double* A, int row, int col, bool absolute, const double* x,
                     double* y) {
  int n = r->problem.clique_nv[row], m = r->problem.clique_nv[col];
  const double *xr = x + r->clique_v0[row], *xc = x + r->clique_v0[col];
  double *yr = y + r->clique_v0[row], *yc = y + r->clique_v0[col];
  for (int j = 0; j < m; j++)
    for (int i = row == col ? j : 0; i < n; i++) {
      double a = A[(size_t)j * (size_t)n + (size_t)i];
      yr[i] += absolute ? fabs(a * xc[j]) : a * xc[j];
      if (row != col || i != j) yc[j] += absolute ? fabs(a * xr[i]) : a * xr[i];
    }
}

// y = A x on linear cliques.
static void multiply_linear(const plModel* model, const plData* data, bool absolute, const double* x,
                            double* y) {
  const plReduced* r = data->work->reduced;
  memset(y, 0, (size_t)r->clique_v0[r->problem.nclique] * sizeof *y);
  for (int c = 0; c < r->problem.nclique; c++)
    if (is_linear(model, data, r, c)) multiply(r, r->problem.A[c], c, c, absolute, x, y);
  for (int k = 0; k < r->problem.ncoupling; k++) {
    const plSapCoupling* e = &r->problem.coupling[k];
    if (is_linear(model, data, r, e->row) && is_linear(model, data, r, e->col))
      multiply(r, e->A, e->row, e->col, absolute, x, y);
  }
}

// |S x| of a clique
static double norm_of(const plReduced* r, const Balance* b, int clique, const double* x) {
  double sum = 0;
  for (int i = r->clique_v0[clique]; i < r->clique_v0[clique + 1]; i++)
    sum += b->S[i] * x[i] * b->S[i] * x[i];
  return sqrt(sum);
}

// sum_i |S J_i' gamma_i| of a clique
static double impulses_of(const plReduced* r, const Balance* b, int clique, const double* gamma) {
  double sum = 0;
  const double* S = b->S + r->clique_v0[clique];
  for (int i = 0; i < r->n; gamma += r->constraint[i++].nrow)
    for (int k = 0; k < r->constraint[i].nblock; k++) {
      const plSapBlock* block = &r->constraint[i].block[k];
      int nrow = r->constraint[i].nrow;
      double own = 0;
      if (block->clique != clique) continue;
      for (int j = 0; j < pl_rows_columns(r, block); j++) {
        double f = 0;
        for (int l = 0; l < nrow; l++) f += block->J[nrow * j + l] * gamma[l];
        f *= S[block->nvert ? 3 * block->vert[j / 3] + j % 3 : j];
        own += f * f;
      }
      sum += sqrt(own);
    }
  return sum;
}

static plStatus measure(const plModel* model, plData* data, const double* v, const double* f, Balance* b) {
  const plReduced* r = data->work->reduced;
  plArena* arena = &data->work->step;
  int nv = r->clique_v0[r->problem.nclique];
  *b = (Balance){PL_ARENA_NEW(arena, double, nv), PL_ARENA_NEW(arena, double, nv),
                 PL_ARENA_NEW(arena, double, nv), PL_ARENA_NEW(arena, double, nv),
                 PL_ARENA_NEW(arena, double, nv), PL_ARENA_NEW(arena, double, nv),
                 PL_ARENA_NEW(arena, double, nv)};
  if (arena->failed) return PL_ERROR_MEMORY;
  for (int c = 0; c < r->problem.nclique; c++)
    for (int i = 0, n = r->problem.clique_nv[c]; i < n; i++)
      b->S[r->clique_v0[c] + i] = 1 / sqrt(r->problem.A[c][(size_t)i * (size_t)n + (size_t)i]);
  pl_reduced_gather(model, r, f, b->f);
  pl_reduced_gather(model, r, v, b->x);
  multiply_linear(model, data, false, b->x, b->p);
  for (int i = 0; i < nv; i++) b->x[i] -= r->v_star[i];
  multiply_linear(model, data, false, b->x, b->g);
  for (int i = 0; i < nv; i++) b->g[i] -= b->f[i] + (r->problem.impulse ? r->problem.impulse[i] : 0);
  return PL_OK;
}

plStatus pl_step_linear_residual(const plModel* model, plData* data, const double* v, const double* gamma,
                                 const double* f, double* residual, int* worst) {
  const plReduced* r = data->work->reduced;
  const double tolerance = data->par->options.tolerance, absolute = pl_sap_quick_options().absolute_tolerance;
  double p2 = 0, f2 = 0, *noise = NULL;
  Balance b;
  plStatus status = measure(model, data, v, f, &b);
  if (status) return status;
  for (int c = 0; c < r->problem.nclique; c++) {
    double p = is_linear(model, data, r, c) ? norm_of(r, &b, c, b.p) : 0, j = norm_of(r, &b, c, b.f);
    p2 += p * p, f2 += j * j;
  }
  for (int c = 0; c < r->problem.nclique; c++) {
    if (!is_linear(model, data, r, c)) continue;
    double g = norm_of(r, &b, c, b.g),
           scale = fmax(fmax(norm_of(r, &b, c, b.p), norm_of(r, &b, c, b.f)), FLOOR * sqrt(fmax(p2, f2)));
    if (g > absolute + tolerance * scale) scale = fmax(scale, impulses_of(r, &b, c, gamma));
    double allowed = absolute + tolerance * scale;
    if (g > allowed && !noise) {
      noise = PL_ARENA_NEW(&data->work->step, double, model->nv);
      status = noise ? pl_step_impulse_rounding(model, data, v, gamma, noise) : PL_ERROR_MEMORY;
      if (status) return status;
      pl_reduced_gather(model, r, noise, b.noise);
      multiply_linear(model, data, true, b.x, b.size);
    }
    if (g > allowed) allowed += norm_of(r, &b, c, b.noise) + UNITS * DBL_EPSILON * norm_of(r, &b, c, b.size);
    double ratio = g > 0 ? g / allowed : 0;
    if (!(ratio <= *residual))
      *residual = ratio, *worst = c < model->ntree ? c : model->ntree + r->body[c - model->ntree];
  }
  return PL_OK;
}

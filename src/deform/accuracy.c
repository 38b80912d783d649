// accuracy.c: how well the momentum balance of a deformable body can be met in double precision.
//
// Forces come from strains, which are differences of positions. Rounding leaves errors of about eps |K||q| in
// them, however the equations are solved, and eps |A||v| in the momentum. If a body is stiff for its mass and
// step,
//   S = (lambda + 2 mu) dt^2 / (rho h^2)
// (the square of the number of cells that a sound wave crosses in a step), these errors exceed its weight.
// The balance of the body's centre does not have them, because internal forces sum to zero.
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "deform/deform.h"
#include "deform/products.h"

static const double UNITS = 64;       // units of rounding that the sums of a row may leave
static const double STIFFEST = 1e12;  // largest S for which a factor of A is useful: S (length / h)^2 eps < 1

static bool is_given(const plModel* model, int b, int i) {
  return model->vert_fixed[model->deform_vert0[b] + i / 3] >> (i % 3) & 1;
}

plStatus pl_deform_rounding(const plModel* model, plData* data, int b, const double* v, double* rounding) {
  plWork* work = data->work;
  const plBsym* A = &work->A[b];
  const plMaterial* material = &data->par->deform_material[b];
  const plOptions* o = &data->par->options;
  const double *mass = model->work->mass[b], *q = data->q + model->deform_q0[b];
  int n = pl_deform_nv(data, b);
  double* noise = PL_ARENA_NEW(&work->step, double, n);
  if (!noise) return PL_ERROR_MEMORY;
  // A = m M + theta dt (theta_vq dt + beta) K: the coefficient of K, times dt
  double m = material->density * (1 + material->damping_mass * o->theta * o->dt),
         part = 1 / (o->theta * (o->theta_vq * o->dt + material->damping_stiffness));
  pl_deform_sizes(A, mass, m, part, v, q, noise, work->pool);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += is_given(model, b, i) ? 0 : noise[i] * noise[i];
  *rounding = UNITS * DBL_EPSILON * sqrt(sum);
  return PL_OK;
}

static bool is_held(const plModel* model, int b) {
  for (int i = model->deform_vert0[b]; i < model->deform_vert0[b + 1]; i++)
    if (model->vert_fixed[i]) return true;
  return false;
}

void pl_deform_centre(const plModel* model, const plData* data, int b, const double* m, double* dv) {
  const plBsym* A = &data->work->A[b];
  const plMaterial* material = &data->par->deform_material[b];
  const double* mass = model->work->mass[b];
  plVec3 rest = {0, 0, 0};
  double whole = 0, scale = material->density *
                            (1 + material->damping_mass * data->par->options.theta * data->par->options.dt);
  if (is_held(model, b)) return;
  for (int i = 0; i < A->n; i++) rest = v3_add(rest, v3_load(m + 3 * (size_t)i));
  for (int j = 0; j < A->n; j++)
    for (int p = A->col0[j]; p < A->col0[j + 1]; p++) {
      int i = A->row[p];
      plVec3 x = v3_load(dv + 3 * (size_t)j);
      if (i != j) x = v3_add(x, v3_load(dv + 3 * (size_t)i));
      rest = v3_madd(rest, scale * mass[p], x), whole += scale * mass[p] * (i == j ? 1 : 2);
    }
  plVec3 t = v3_scale(-1 / whole, rest);
  if (A->flat) t.z = 0;
  for (int i = 0; i < A->n; i++) v3_store(dv + 3 * (size_t)i, v3_add(v3_load(dv + 3 * (size_t)i), t));
}

void pl_deform_keep_momentum(const plModel* model, const plData* data, int b, const double* rest,
                             double* room, double* v) {
  int n = pl_deform_nv(data, b);
  for (int i = 0; i < n; i++) room[i] = 0;
  pl_deform_centre(model, data, b, rest, room);
  for (int i = 0; i < n; i++) v[i] += room[i];
}

plStatus pl_deform_check_stiffness(const plModel* model, plData* data) {
  const plOptions* o = &data->par->options;
  for (int b = 0; b < model->ndeform && o->theta * o->theta_vq > 0; b++) {
    const plMaterial* material = &data->par->deform_material[b];
    double lambda, mu, volume = model->deform_volume[b];
    int ntet = model->deform_tet0[b + 1] - model->deform_tet0[b];
    pl_material_lame(material, &lambda, &mu);
    // a cube of side h consists of six tetrahedra
    double h = pow(6 * volume / ntet, 1.0 / 3),
           S = (lambda + 2 * mu) * o->dt * o->dt / (material->density * h * h);
    // with prescribed vertices the mass is not needed for the solution
    if (S <= STIFFEST || is_held(model, b)) continue;
    snprintf(data->report.where, sizeof data->report.where, "%s", model->deform_name[b]);
    return pl_fail(
        data->work->error, PL_ERROR_UNSTABLE,
        "'%s' is too stiff for double precision: S = (lambda + 2 mu) dt^2 / (density h^2) = %.1e with "
        "cells of h = %.2g m, at most %.0e can be solved; use a smaller dt, larger cells, a softer or "
        "denser material, or a rigid body",
        model->deform_name[b], S, h, STIFFEST);
  }
  return PL_OK;
}

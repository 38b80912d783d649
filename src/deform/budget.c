// budget.c: energy balance of a body over the last step.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "deform/deform.h"

typedef struct Kinetic {
  const plBsym* pattern;
  const double *mass, *v;
  double* part;  // [n] of each vertex
} Kinetic;

static void kinetic_parts(void* context, int begin, int end, int worker) {
  const Kinetic* k = context;
  (void)worker;
  for (int j = begin; j < end; j++) {
    // the diagonal comes first in its column
    plVec3 x = v3_load(k->v + 3 * (size_t)j), y = v3_scale(-0.5 * k->mass[k->pattern->col0[j]], x);
    for (int p = k->pattern->col0[j]; p < k->pattern->col0[j + 1]; p++)
      y = v3_madd(y, k->mass[p], v3_load(k->v + 3 * (size_t)k->pattern->row[p]));
    k->part[j] = v3_dot(x, y);
  }
}

// v'M v / 2 for unit density, with scratch for one number per vertex
static double kinetic(const plData* data, int b, const double* v, double* part, plPool* pool) {
  const plModelWork* fixed = data->model->work;
  Kinetic all = {fixed->pattern[b], fixed->mass[b], v, part};
  double sum = 0;
  pl_parallel_for(pool, all.pattern->n, 2 * PL_BSYM_GRAIN, kinetic_parts, &all);
  for (int j = 0; j < all.pattern->n; j++) sum += part[j];
  return sum;
}

// The same in joules. The last velocities are kept: those at the end of a step are those at the start of the
// next.
static double kinetic_energy(const plData* data, int b, const double* v, double* part) {
  plWork* work = data->work;
  double* kept = work->kinetic_v + data->model->deform_v0[b];
  size_t size = 3 * (size_t)data->model->work->pattern[b]->n * sizeof *v;
  if (memcmp(v, kept, size)) {
    work->kinetic_of[b] = kinetic(data, b, v, part, work->pool);
    memcpy(kept, v, size);
  }
  return data->par->deform_material[b].density * work->kinetic_of[b];
}

plStatus pl_deform_energy_gain(const plModel* model, plData* data, int b, const double* q1, const double* v1,
                               double* energy, double* gain) {
  plWork* work = data->work;
  int iv = model->deform_v0[b], n = pl_deform_nv(data, b);
  const double *q0 = data->q + model->deform_q0[b], *v0 = data->v + iv;
  const int* fixed = model->vert_fixed + model->deform_vert0[b];
  // the work of forces and constraints, and of prescribed motion
  double sum = 0, size = 0;
  bool moved = false;
  for (int i = 0; i < n / 3; i++)
    for (int k = 0; k < 3; k++) {
      int at = 3 * i + k;
      double d = q1[at] - q0[at], push = (work->f_ext[iv + at] + data->f_constraint[iv + at]) * d;
      if (fixed[i] >> k & 1) moved |= d != 0, push = 0;
      sum += push, size += fabs(push);
    }
  plStatus status = moved ? pl_deform_given_work(model, data, b, q1, v1, &sum, &size) : PL_OK;
  if (status) return status;
  double* part = PL_ARENA_NEW(&work->step, double, n / 3);
  if (!part) return PL_ERROR_MEMORY;
  double T0 = kinetic_energy(data, b, v0, part), T1 = kinetic_energy(data, b, v1, part);
  // where the next step freezes its rotations
  bool freeze = pl_freeze_shift(data, b) == 0;
  double E0 = pl_elastic_own_energy(model->work->elastic[b], work->elastic[b], q0, freeze, work->pool);
  double E1 = pl_elastic_own_energy(model->work->elastic[b], work->elastic[b], q1, freeze, work->pool);
  *energy = T1 + E1;
  *gain = T1 - T0 + E1 - E0 - sum;
  // terms of the order of mu cancel in E
  const plMaterial* material = &data->par->deform_material[b];
  double lambda, mu, volume = model->deform_volume[b];
  pl_material_lame(material, &lambda, &mu);
  if (fabs(*gain) <= 64 * DBL_EPSILON * (size + T0 + T1 + E0 + E1 + mu * volume)) *gain = 0;
  return PL_OK;
}

// dt v'(alpha M + beta K) v at the theta-state: for a linear law K is evaluated through its force; a
// nonlinear law has D instead of K.
static double damping_loss(const plModel* model, const plData* data, int b, const double* q_theta,
                           const double* v_theta, double* f, double* g, int n) {
  plWork* work = data->work;
  const plMaterial* material = &data->par->deform_material[b];
  double power = 2 * material->damping_mass * material->density * kinetic(data, b, v_theta, g, NULL);
  if (material->damping_stiffness > 0 && work->D[b]) {
    plBsym D = work->A[b];
    D.block = work->D[b];
    pl_bsym_multiply(&D, v_theta, f);
    for (int i = 0; i < n; i++) power += material->damping_stiffness * v_theta[i] * f[i];
  } else if (material->damping_stiffness > 0) {
    // with the rotations of that step
    double *shifted = g + n, shift = pl_freeze_shift(data, b);
    for (int i = 0; i < n; i++)
      shifted[i] = work->q_before[model->deform_q0[b] + i] + shift * work->v_before[model->deform_v0[b] + i];
    pl_elastic_freeze(model->work->elastic[b], work->elastic[b], shifted, work->pool);
    pl_elastic_force(model->work->elastic[b], work->elastic[b], q_theta, f, work->pool);
    for (int i = 0; i < n; i++) shifted[i] = q_theta[i] + material->damping_stiffness * v_theta[i];
    pl_elastic_force(model->work->elastic[b], work->elastic[b], shifted, g, work->pool);
    for (int i = 0; i < n; i++) power += v_theta[i] * (f[i] - g[i]);
  }
  return data->par->options.dt * power;
}

static plStatus compute(const plData* data, int b, plEnergyBudget* budget) {
  const plModel* model = data->model;
  plWork* work = data->work;
  const plPoints* points = model->work->points[b];
  plLaw law = pl_law_of_material(&data->par->deform_material[b], points->ngroup > 0);
  int n = pl_deform_nv(data, b), iq = model->deform_q0[b], iv = model->deform_v0[b];
  const double *q0 = work->q_before + iq, *q1 = data->q + iq, *v0 = work->v_before + iv, *v1 = data->v + iv;
  double theta = data->par->options.theta, *scratch = PL_NEW(double, 5 * (size_t)n);
  if (!scratch) return PL_ERROR_MEMORY;
  double *q_theta = scratch, *v_theta = scratch + n;
  memset(budget, 0, sizeof *budget);
  for (int i = 0; i < n; i++) {
    q_theta[i] = theta * q1[i] + (1 - theta) * q0[i];
    v_theta[i] = theta * v1[i] + (1 - theta) * v0[i];
    budget->external_work += work->f_ext[iv + i] * (q1[i] - q0[i]);
  }
  double density = data->par->deform_material[b].density;
  budget->kinetic = density * kinetic(data, b, v1, scratch + 2 * n, NULL);
  budget->kinetic_change = budget->kinetic - density * kinetic(data, b, v0, scratch + 2 * n, NULL);
  budget->elastic = pl_points_energy(points, &law, q1);
  budget->elastic_change = budget->elastic - pl_points_energy(points, &law, q0);
  budget->damping_loss = damping_loss(model, data, b, q_theta, v_theta, scratch + 2 * n, scratch + 3 * n, n);
  budget->rest =
      budget->kinetic_change + budget->elastic_change - budget->external_work + budget->damping_loss;
  pl_free(scratch);
  return PL_OK;
}

plStatus pl_energy_budget(const plData* data, int b, plEnergyBudget* budget) {
  assert(data != NULL && budget != NULL);
  if (b < 0 || b >= data->model->ndeform || !data->work || !data->model->work || !data->work->stepped)
    return PL_ERROR_INPUT;
  plScheme own = pl_scheme_use(data, data->work->last);
  plStatus status = compute(data, b, budget);
  pl_scheme_use(data, own);
  return status;
}

// kinematics.c: prescribed motion, predicted positions, external forces and frozen rotations.
//
// in: q, v, time -> out: v_guess, q_end, f_ext, elastic
#include <assert.h>

#include "deform/deform.h"
#include "model/table.h"

// Displacement of group fix (-1: none) at the given time (linear between knots, constant outside).
static plVec3 fix_offset(const plModel* model, int fix, double time) {
  assert(fix < model->nfix);
  int first = fix < 0 ? 0 : model->fix_knot0[fix], n = fix < 0 ? 0 : model->fix_knot0[fix + 1] - first, k;
  const double* x = model->knot_offset + 3 * (size_t)first;
  double s;
  if (n < 1) return v3(0, 0, 0);
  if (!pl_table_interval(n, model->knot_time + first, time, &k, &s)) return v3_load(x + 3 * k);
  return v3_add(v3_scale(1 - s, v3_load(x + 3 * k)), v3_scale(s, v3_load(x + 3 * (k + 1))));
}

// With prescribed motion, the end of the step is known: q_end, and the mean velocity that leads there.
static void apply_given_motion(const plModel* model, plData* data, int b) {
  plWork* work = data->work;
  double dt = data->par->options.dt, t1 = data->time + dt;
  for (int i = model->deform_vert0[b]; i < model->deform_vert0[b + 1]; i++) {
    if (!model->vert_fixed[i]) continue;
    int at = i - model->deform_vert0[b];
    size_t iq = (size_t)model->deform_q0[b] + 3 * (size_t)at,
           iv = (size_t)model->deform_v0[b] + 3 * (size_t)at;
    double offset[3];
    v3_store(offset, fix_offset(model, model->vert_fix[i], t1));
    for (int k = 0; k < 3; k++) {
      if (!(model->vert_fixed[i] >> k & 1)) continue;
      work->q_end[iq + (size_t)k] = model->start_q[iq + (size_t)k] + offset[k];
      work->v_guess[iv + (size_t)k] = (work->q_end[iq + (size_t)k] - data->q[iq + (size_t)k]) / dt;
    }
  }
}

double pl_freeze_shift(const plData* data, int b) {
  bool lagged = data->par->deform_material[b].rotation == PL_ROTATION_LAGGED;
  return lagged ? 0 : (1 - data->par->options.theta_vq) * data->par->options.dt;
}

// R at q0 + (1 - theta_vq) dt v0, where internal forces must exert no torque to keep angular momentum;
// `lagged`: at q0.
static plStatus freeze_rotations(const plModel* model, plData* data, int b) {
  plWork* work = data->work;
  const plMaterial* material = &data->par->deform_material[b];
  if (material->kind != PL_MATERIAL_LINEAR_COROTATED) return PL_OK;
  int n = pl_deform_nv(data, b);
  const double *q0 = data->q + model->deform_q0[b], *v0 = data->v + model->deform_v0[b];
  double shift = pl_freeze_shift(data, b);
  double* q = PL_ARENA_NEW(&work->step, double, n);
  if (!q) return PL_ERROR_MEMORY;
  for (int i = 0; i < n; i++) q[i] = q0[i] + shift * v0[i];
  pl_elastic_freeze(model->work->elastic[b], work->elastic[b], q, work->pool);
  return PL_OK;
}

static plStatus kinematics_of(const plModel* model, plData* data, int b, void* context) {
  plWork* work = data->work;
  double dt = data->par->options.dt;
  int n = pl_deform_nv(data, b);
  const double *q0 = data->q + model->deform_q0[b], *v0 = data->v + model->deform_v0[b];
  double *q = work->q_end + model->deform_q0[b], *v = work->v_guess + model->deform_v0[b];
  (void)context;
  for (int i = 0; i < n; i++) v[i] = v0[i], q[i] = q0[i] + dt * v0[i];
  apply_given_motion(model, data, b);
  return freeze_rotations(model, data, b);
}

void pl_deform_end(const plModel* model, const plData* data, int b, const double* q0, const double* v,
                   double a, double* restrict q1) {
  const double dt = data->par->options.dt, *v0 = data->v + model->deform_v0[b],
               *end = data->work->q_end + model->deform_q0[b];
  const int n = pl_deform_nv(data, b), *fixed = model->vert_fixed + model->deform_vert0[b];
  for (int i = 0; i < n; i++) q1[i] = q0[i] + dt * (a * v[i] + (1 - a) * v0[i]);
  for (int i = 0; i < n / 3; i++)
    for (int k = 0; fixed[i] && k < 3; k++)
      if (fixed[i] >> k & 1) q1[3 * i + k] = end[3 * i + k];
}

plStatus pl_deform_kinematics(const plModel* model, plData* data) {
  plStatus status = pl_deform_check_stability(model, data);
  if (!status) status = pl_deform_check_stiffness(model, data);
  if (status) return status;
  pl_deform_loads(model, data);
  return pl_deform_each(model, data, kinematics_of, NULL);
}

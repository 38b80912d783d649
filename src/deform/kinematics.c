// kinematics.c: given motion, predicted positions and frozen rotations.
//
// in: q, v, time -> out: v_guess, q_end, tet_R
#include "deform/deform.h"

#include <string.h>

#include "math/polar.h"

plVec3 pl_fix_offset(const plModel* model, int fix, double time) {
  int first = model->fix_knot0[fix], last = model->fix_knot0[fix + 1] - 1;
  if (last < first) return v3(0, 0, 0);
  const double *t = model->knot_time, *x = model->knot_offset;
  if (time <= t[first]) return v3_load(x + 3 * first);
  if (time >= t[last]) return v3_load(x + 3 * last);
  int k = first;
  while (t[k + 1] < time) k++;
  double s = (time - t[k]) / (t[k + 1] - t[k]);
  return v3_add(v3_scale(1 - s, v3_load(x + 3 * k)), v3_scale(s, v3_load(x + 3 * (k + 1))));
}

plMat3 pl_tet_gradient(const plModel* model, int body, int tet, const double* q) {
  const int* vert = model->tet_vert + 4 * (size_t)tet;
  const double* grad = model->tet_grad + 12 * (size_t)tet;
  int vert0 = model->deform_vert0[body];
  plMat3 F = m3_zero();
  for (int a = 0; a < 4; a++) F = m3_add(F, m3_outer(v3_load(q + 3 * (size_t)(vert[a] - vert0)), v3_load(grad + 3 * a)));
  return F;
}

// Where motion is given, the end of the step is known: q_end, and the mean velocity that leads there.
static void apply_given_motion(const plModel* model, plData* data, int b) {
  plWork* work = data->work;
  double dt = model->options.dt, t1 = data->time + dt;
  for (int i = model->deform_vert0[b]; i < model->deform_vert0[b + 1]; i++) {
    if (!model->vert_fixed[i]) continue;
    int at = i - model->deform_vert0[b];
    size_t iq = (size_t)model->deform_q0[b] + 3 * (size_t)at, iv = (size_t)model->deform_v0[b] + 3 * (size_t)at;
    double offset[3];
    v3_store(offset, pl_fix_offset(model, model->vert_fix[i], t1));
    for (int k = 0; k < 3; k++) {
      if (!(model->vert_fixed[i] >> k & 1)) continue;
      work->q_end[iq + (size_t)k] = model->start_q[iq + (size_t)k] + offset[k];
      work->v_guess[iv + (size_t)k] = (work->q_end[iq + (size_t)k] - data->q[iq + (size_t)k]) / dt;
    }
  }
}

typedef struct Rotations {
  const plModel* model;
  const plData* data;
  int body;
} Rotations;

// R at q0 + (1 - theta_vq) dt v0, where internal forces must exert no torque to keep angular momentum; `lagged`: at q0.
static void find_rotations(void* context, int begin, int end, int worker) {
  (void)worker;
  Rotations* r = context;
  const plModel* model = r->model;
  int b = r->body, tet0 = model->deform_tet0[b];
  const double *q0 = r->data->q + model->deform_q0[b], *v0 = r->data->v + model->deform_v0[b];
  bool lagged = model->deform_material[b].rotation == PL_ROTATION_LAGGED;
  double shift = lagged ? 0 : (1 - model->options.theta_vq) * model->options.dt;
  for (int t = tet0 + begin; t < tet0 + end; t++) {
    plMat3 F = pl_tet_gradient(model, b, t, q0);
    if (shift > 0) F = m3_add(F, m3_scale(shift, pl_tet_gradient(model, b, t, v0)));
    plMat3 R = pl_polar(F);
    memcpy(r->data->work->tet_R + 9 * (size_t)t, R.m, sizeof R.m);
  }
}

plStatus pl_deform_kinematics(const plModel* model, plData* data) {
  plWork* work = data->work;
  double dt = model->options.dt;
  for (int b = 0; b < model->ndeform; b++) {
    int n = 3 * (model->deform_vert0[b + 1] - model->deform_vert0[b]);
    const double *q0 = data->q + model->deform_q0[b], *v0 = data->v + model->deform_v0[b];
    double *q = work->q_end + model->deform_q0[b], *v = work->v_guess + model->deform_v0[b];
    for (int i = 0; i < n; i++) v[i] = v0[i], q[i] = q0[i] + dt * v0[i];
    apply_given_motion(model, data, b);
    if (model->deform_material[b].kind == PL_MATERIAL_LINEAR_COROTATED) {
      Rotations context = {model, data, b};
      pl_parallel_for(work->pool, model->deform_tet0[b + 1] - model->deform_tet0[b], 256, find_rotations, &context);
    }
  }
  return PL_OK;
}

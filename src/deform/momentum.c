// momentum.c: residual and tangent of the momentum balance of deformable bodies, for laws that are linear in q.
//
//   m(v) = M (v - v0) - dt [ f_e(q^theta) - (alpha M + beta K) v^theta + f_ext ]                       (8)
//   A    = (1 + alpha theta dt) M + theta dt (theta_vq dt + beta) K                                     (11)
//
// in: v_guess, q_end, tet_R, f_user -> out: m, A
#include <string.h>

#include "deform/deform.h"
#include "fem/law.h"

// P of a linear law for a gradient F, and for a rate of it (without the constant part): 2 mu R e + lambda tr(e) R, e = sym(R'F) [- I].
static plMat3 linear_stress(const plLaw* law, plMat3 F, plMat3 R, bool rate) {
  plMat3 S = m3_mul(m3_transpose(R), F);
  plMat3 e = m3_scale(0.5, m3_add(S, m3_transpose(S)));
  if (!rate) e = m3_sub(e, m3_identity());
  return m3_add(m3_scale(2 * law->mu, m3_mul(R, e)), m3_scale(law->lambda * m3_trace(e), R));
}

// 3x3 block of the stiffness: V (lambda h_a h_b' + mu h_b h_a' + mu (g_a.g_b) I), h = R g.
static plMat3 stiffness_block(const plLaw* law, double volume, plVec3 ga, plVec3 gb, plMat3 R) {
  plVec3 ha = m3_mulv(R, ga), hb = m3_mulv(R, gb);
  plMat3 K = m3_add(m3_scale(law->lambda, m3_outer(ha, hb)), m3_scale(law->mu, m3_outer(hb, ha)));
  K = m3_add(K, m3_scale(law->mu * v3_dot(ga, gb), m3_identity()));
  return m3_scale(volume, K);
}

// y += M x on the pattern, M = mass (x) I_3
static void add_mass_product(const plBsym* pattern, const double* mass, const double* x, double scale, double* y) {
  for (int j = 0; j < pattern->n; j++)
    for (int p = pattern->col0[j]; p < pattern->col0[j + 1]; p++) {
      int i = pattern->row[p];
      double s = scale * mass[p];
      for (int k = 0; k < 3; k++) {
        y[3 * i + k] += s * x[3 * j + k];
        if (i != j) y[3 * j + k] += s * x[3 * i + k];
      }
    }
}

// m += dt V (P(F^theta) + beta P'(F'^theta)) grad N_a, and K into A
static void add_elements(const plModel* model, plData* data, int b, const double* q_theta, const double* v_theta, double* m) {
  const plOptions* o = &model->options;
  const plMaterial* material = &model->deform_material[b];
  plLaw law = pl_law_of_material(material, false);
  plWork* work = data->work;
  double beta = material->damping_stiffness;
  double k_scale = o->theta * o->dt * (o->theta_vq * o->dt + beta);
  int vert0 = model->deform_vert0[b], tet0 = model->deform_tet0[b];
  for (int t = tet0; t < model->deform_tet0[b + 1]; t++) {
    plMat3 R = m3_identity();
    if (material->kind == PL_MATERIAL_LINEAR_COROTATED) memcpy(R.m, work->tet_R + 9 * (size_t)t, sizeof R.m);
    plMat3 P = linear_stress(&law, pl_tet_gradient(model, b, t, q_theta), R, false);
    if (beta > 0) P = m3_add(P, m3_scale(beta, linear_stress(&law, pl_tet_gradient(model, b, t, v_theta), R, true)));
    const double* grad = model->tet_grad + 12 * (size_t)t;
    const int* vert = model->tet_vert + 4 * (size_t)t;
    const int* place = model->work->tet_place[b] + 16 * (size_t)(t - tet0);
    double volume = model->tet_volume[t];
    for (int a = 0; a < 4; a++) {
      plVec3 ga = v3_load(grad + 3 * a);
      plVec3 f = v3_scale(o->dt * volume, m3_mulv(P, ga));
      double* ma = m + 3 * (size_t)(vert[a] - vert0);
      ma[0] += f.x, ma[1] += f.y, ma[2] += f.z;
      for (int c = 0; c < 4 && k_scale > 0; c++)
        if (place[4 * a + c] >= 0) {
          plMat3 K = stiffness_block(&law, k_scale * volume, ga, v3_load(grad + 3 * c), R);
          pl_bsym_add(&work->A[b], place[4 * a + c], K.m);
        }
    }
  }
}

// Rows and columns of given motion: zero, but for the diagonal, which stays; m = 0 there.
static void take_out_given(const plModel* model, plData* data, int b, double* m) {
  plBsym* A = &data->work->A[b];
  const int* fixed = model->vert_fixed + model->deform_vert0[b];
  for (int j = 0; j < A->n; j++)
    for (int p = A->col0[j]; p < A->col0[j + 1]; p++) {
      int i = A->row[p];
      if (!fixed[i] && !fixed[j]) continue;
      double* block = A->block + 9 * (size_t)p;
      for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
          if ((fixed[i] >> r & 1 || fixed[j] >> c & 1) && !(i == j && r == c)) block[3 * c + r] = 0;
    }
  for (int i = 0; i < A->n; i++)
    for (int k = 0; k < 3; k++)
      if (fixed[i] >> k & 1) m[3 * i + k] = 0;
}

plStatus pl_deform_momentum(const plModel* model, plData* data) {
  const plOptions* o = &model->options;
  plWork* work = data->work;
  double gravity[3] = {o->gravity.x, o->gravity.y, o->gravity.z};
  for (int b = 0; b < model->ndeform; b++) {
    int vert0 = model->deform_vert0[b], n = 3 * (model->deform_vert0[b + 1] - vert0);
    const double *q0 = data->q + model->deform_q0[b], *q1 = work->q_end + model->deform_q0[b];
    const double *v0 = data->v + model->deform_v0[b], *v1 = work->v_guess + model->deform_v0[b];
    const double* f_user = data->f_user + model->deform_v0[b];
    double* m = work->m + model->deform_v0[b];
    double alpha = model->deform_material[b].damping_mass;
    double* q_theta = PL_ARENA_NEW(&work->step, double, n);
    double* v_theta = PL_ARENA_NEW(&work->step, double, n);
    double* x = PL_ARENA_NEW(&work->step, double, n);
    if (!q_theta || !v_theta || !x) return PL_ERROR_MEMORY;

    // M (v - v0) + dt alpha M v^theta - dt f_ext
    for (int i = 0; i < n; i++) {
      q_theta[i] = o->theta * q1[i] + (1 - o->theta) * q0[i];
      v_theta[i] = o->theta * v1[i] + (1 - o->theta) * v0[i];
      x[i] = v1[i] - v0[i] + o->dt * alpha * v_theta[i];
      m[i] = -o->dt * (model->vert_mass[vert0 + i / 3] * gravity[i % 3] + f_user[i]);
    }
    const plBsym* pattern = model->work->pattern[b];
    const double* mass = model->work->mass[b];
    add_mass_product(pattern, mass, x, 1, m);

    // A = (1 + alpha theta dt) M + ...
    double m_scale = 1 + alpha * o->theta * o->dt;
    pl_bsym_clear(&work->A[b]);
    for (int p = 0; p < pattern->nblock; p++)
      for (int k = 0; k < 3; k++) work->A[b].block[9 * (size_t)p + 4 * (size_t)k] = m_scale * mass[p];
    add_elements(model, data, b, q_theta, v_theta, m);
    take_out_given(model, data, b, m);
  }
  return PL_OK;
}

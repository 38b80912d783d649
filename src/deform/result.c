// result.c: what people read off a deformable body: momentum, energy, strain, stress.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "deform/deform.h"
#include "fem/law.h"
#include "geom/mesh.h"
#include "math/polar.h"

static int body_of_tet(const plModel* model, int tet) {
  int b = 0;
  while (b + 1 < model->ndeform && tet >= model->deform_tet0[b + 1]) b++;
  return b;
}

// The rotation that a law takes as given: none freezes one when results are read.
static plMat3 result_rotation(const plMaterial* material, plMat3 F) {
  return material->kind == PL_MATERIAL_LINEAR_COROTATED ? pl_polar(F) : m3_identity();
}

plMat3 pl_tet_gradient(const plModel* model, int body, int tet, const double* q) {
  const int *vert = model->tet_vert + 4 * (size_t)tet, *mid = model->tet_mid + 6 * (size_t)tet;
  const double* grad = model->tet_grad + 12 * (size_t)tet;
  int vert0 = model->deform_vert0[body];
  plMat3 F = m3_zero();
  if (mid[0] >= 0) {
    // the mean of the gradient of a quadratic tet: only the middles of edges count
    for (int e = 0; e < 6; e++) {
      plVec3 g = v3_add(v3_load(grad + 3 * pl_tet_edge[e][0]), v3_load(grad + 3 * pl_tet_edge[e][1]));
      F = m3_add(F, m3_outer(v3_load(q + 3 * (size_t)(mid[e] - vert0)), g));
    }
  } else {
    for (int a = 0; a < 4; a++) F = m3_add(F, m3_outer(v3_load(q + 3 * (size_t)(vert[a] - vert0)), v3_load(grad + 3 * a)));
  }
  if (model->deform_plane[body]) M3(F, 2, 2) += 1;
  return F;
}

void pl_data_refresh(plData* data) {
  const plModel* model = data->model;
  for (int b = 0; b < model->ndeform; b++)
    for (int t = model->deform_tet0[b]; t < model->deform_tet0[b + 1]; t++) {
      plMat3 F = pl_tet_gradient(model, b, t, data->q + model->deform_q0[b]);
      memcpy(data->tet_F + 9 * (size_t)t, F.m, sizeof F.m);
    }
}

plStatus pl_element_state(const plData* data, int tet, plElementState* state) {
  const plModel* model = data->model;
  if (tet < 0 || tet >= model->ntet) return PL_ERROR_INPUT;
  const plMaterial* material = &model->deform_material[body_of_tet(model, tet)];
  plLaw law = pl_law_of_material(material, false);
  plMat3 F;
  memcpy(F.m, data->tet_F + 9 * (size_t)tet, sizeof F.m);
  memcpy(state->F, F.m, sizeof F.m);
  plMat3 R = result_rotation(material, F);

  // E = (F'F - I)/2;  sigma = P F' / J
  plMat3 E = m3_scale(0.5, m3_sub(m3_mul(m3_transpose(F), F), m3_identity()));
  plMat3 P = pl_law_stress(&law, F, R, 0, NULL);
  double J = m3_det(F), theta;
  plMat3 sigma = m3_scale(J != 0 ? 1 / J : 0, m3_mul(P, m3_transpose(F)));
  static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  for (int k = 0; k < 6; k++) {
    int i = at[k][0], j = at[k][1];
    state->green_strain[k] = M3(E, i, j);
    state->cauchy_stress[k] = 0.5 * (M3(sigma, i, j) + M3(sigma, j, i));
  }
  const double* s = state->cauchy_stress;
  state->von_mises = sqrt(0.5 * (pow(s[0] - s[1], 2) + pow(s[1] - s[2], 2) + pow(s[2] - s[0], 2)) +
                          3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
  state->pressure = -(s[0] + s[1] + s[2]) / 3;
  state->energy = model->tet_volume[tet] * pl_law_energy(&law, F, R, &theta);
  return PL_OK;
}

// Kinetic energy and angular momentum with the mass matrix itself, tet by tet: M_ab = rho V/20 (1 + delta_ab), or lumped.
static void add_tet(const plData* data, int b, int tet, plBodyState* s) {
  const plModel* model = data->model;
  const plMaterial* material = &model->deform_material[b];
  const double *q = data->q + model->deform_q0[b], *v = data->v + model->deform_v0[b];
  double mass = material->density * model->tet_volume[tet];
  bool lumped = material->mass == PL_MASS_LUMPED;
  for (int a = 0; a < 4; a++)
    for (int c = 0; c < 4; c++) {
      double share = lumped ? (a == c ? mass / 4 : 0) : mass / 20 * (a == c ? 2 : 1);
      if (share == 0) continue;
      size_t i = 3 * (size_t)(model->tet_vert[4 * (size_t)tet + (size_t)a] - model->deform_vert0[b]);
      size_t j = 3 * (size_t)(model->tet_vert[4 * (size_t)tet + (size_t)c] - model->deform_vert0[b]);
      plVec3 arm = v3_sub(v3_load(q + i), s->com), vc = v3_load(v + j);
      s->kinetic_energy += 0.5 * share * v3_dot(v3_load(v + i), vc);
      s->angular_momentum = v3_add(s->angular_momentum, v3_scale(share, v3_cross(arm, vc)));
    }
  plMat3 F;
  memcpy(F.m, data->tet_F + 9 * (size_t)tet, sizeof F.m);
  plLaw law = pl_law_of_material(material, false);
  double theta;
  s->elastic_energy += model->tet_volume[tet] * pl_law_energy(&law, F, result_rotation(material, F), &theta);
  s->volume += model->tet_volume[tet] * m3_det(F);
}

plStatus pl_deformable_state(const plData* data, int b, plBodyState* s) {
  const plModel* model = data->model;
  if (b < 0 || b >= model->ndeform) return PL_ERROR_INPUT;
  memset(s, 0, sizeof *s);
  s->mass = model->deform_mass[b];
  s->lower = v3(INFINITY, INFINITY, INFINITY);
  s->upper = v3_neg(s->lower);
  for (int i = model->deform_vert0[b]; i < model->deform_vert0[b + 1]; i++) {
    size_t at = 3 * (size_t)(i - model->deform_vert0[b]);
    plVec3 x = v3_load(data->q + model->deform_q0[b] + at), v = v3_load(data->v + model->deform_v0[b] + at);
    s->com = v3_madd(s->com, model->vert_mass[i] / s->mass, x);
    s->momentum = v3_madd(s->momentum, model->vert_mass[i], v);
    s->lower = v3_min(s->lower, x);
    s->upper = v3_max(s->upper, x);
  }
  for (int t = model->deform_tet0[b]; t < model->deform_tet0[b + 1]; t++) add_tet(data, b, t, s);
  s->gravity_energy = -s->mass * v3_dot(model->options.gravity, s->com);
  return PL_OK;
}

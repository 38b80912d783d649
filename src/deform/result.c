// result.c: results of deformable bodies: deformation, strain, stress, momentum, energy.
//
// The model and data of a replayed recording have no work: everything here except the energy budget uses the
// public fields alone.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "deform/deform.h"
#include "fem/elements.h"
#include "fem/mass.h"
#include "geom/mesh.h"
#include "math/polar.h"

static int body_of_tet(const plModel* model, int tet) {
  int b = 0;
  while (b + 1 < model->ndeform && tet >= model->deform_tet0[b + 1]) b++;
  return b;
}

// The law of a body: with patches, a part of lambda acts on their mean volume change.
static plLaw body_law(const plData* data, int b) {
  bool quadratic = pl_elements[data->par->deform_material[b].element].quadratic;
  return pl_law_of_material(&data->par->deform_material[b],
                            data->par->deform_material[b].volumetric == PL_VOLUMETRIC_PATCH && !quadratic);
}

// The rotation for laws with a frozen rotation: results use the present one.
static plMat3 result_rotation(const plLaw* law, plMat3 F) {
  return law->kind == PL_MATERIAL_LINEAR_COROTATED ? pl_polar(F) : m3_identity();
}

// ---- deformation

plMat3 pl_tet_gradient(const plModel* model, int body, int tet, const double* q) {
  const int *vert = model->tet_vert + 4 * (size_t)tet, *mid = model->tet_mid + 6 * (size_t)tet;
  const double* grad = model->tet_grad + 12 * (size_t)tet;
  int vert0 = model->deform_vert0[body];
  assert(tet >= model->deform_tet0[body] && tet < model->deform_tet0[body + 1]);
  plMat3 F = m3_zero();
  if (mid[0] >= 0) {
    // the mean of the gradient of a quadratic tet: only the middles of edges count
    for (int e = 0; e < 6; e++) {
      plVec3 g = v3_add(v3_load(grad + 3 * pl_tet_edge[e][0]), v3_load(grad + 3 * pl_tet_edge[e][1]));
      F = m3_add(F, m3_outer(v3_load(q + 3 * (size_t)(mid[e] - vert0)), g));
    }
  } else {
    for (int a = 0; a < 4; a++)
      F = m3_add(F, m3_outer(v3_load(q + 3 * (size_t)(vert[a] - vert0)), v3_load(grad + 3 * a)));
  }
  if (model->deform_plane[body]) M3(F, 2, 2) += 1;
  return F;
}

static plMat3 gradient_now(const plData* data, int b, int tet) {
  return pl_tet_gradient(data->model, b, tet, data->q + data->model->deform_q0[b]);
}

typedef struct Pressures {
  plData* data;
  plLaw law;
  int b;
} Pressures;

// theta of some tets, stored in the memory of pi
static void find_thetas(void* context, int begin, int end, int worker) {
  const Pressures* p = context;
  (void)worker;
  for (int t = p->data->model->deform_tet0[p->b] + begin, n = t - begin + end; t < n; t++) {
    plMat3 F = gradient_now(p->data, p->b, t);
    pl_law_energy(&p->law, F, result_rotation(&p->law, F), &p->data->tet_pi[t]);
  }
}

enum { TETS = 128 };  // tets that a thread takes at a time

// pi = kappa times the mean of theta over the patch; sums are stored at the patch's first tet.
static plStatus find_pressures(const plModel* model, plData* data, int b, void* context) {
  Pressures p = {data, body_law(data, b), b};
  int first = model->deform_tet0[b], last = model->deform_tet0[b + 1];
  double* pi = data->tet_pi;
  (void)context;
  if (p.law.kappa == 0) {
    memset(pi + first, 0, (size_t)(last - first) * sizeof *pi);
    return PL_OK;
  }
  pl_parallel_for(data->work ? data->work->pool : NULL, last - first, TETS, find_thetas, &p);
  for (int t = first; t < last; t++) {
    int patch = model->tet_patch[t];
    assert(patch < 0 || (patch >= first && patch <= t));
    double part = patch >= 0 ? p.law.kappa * pi[t] * model->tet_volume[t] / model->tet_patch_volume[t] : 0;
    pi[t] = 0;
    if (patch >= 0) pi[patch] += part;
  }
  for (int t = last - 1; t >= first; t--)
    if (model->tet_patch[t] >= 0) pi[t] = pi[model->tet_patch[t]];
  return PL_OK;
}

void pl_data_refresh(plData* data) {
  assert(data != NULL);
  if (data->work)
    (void)pl_deform_each(data->model, data, find_pressures, NULL);
  else
    for (int b = 0; b < data->model->ndeform; b++) (void)find_pressures(data->model, data, b, NULL);
}

// ---- stress

static void fill_state(plMat3 F, plMat3 P, plElementState* state) {
  // E = (F'F - I)/2;  sigma = P F' / J
  plMat3 E = m3_scale(0.5, m3_sub(m3_mul(m3_transpose(F), F), m3_identity()));
  double J = m3_det(F);
  plMat3 sigma = m3_scale(J != 0 ? 1 / J : 0, m3_mul(P, m3_transpose(F)));
  static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  memcpy(state->F, F.m, sizeof F.m);
  for (int k = 0; k < 6; k++) {
    int i = at[k][0], j = at[k][1];
    state->green_strain[k] = M3(E, i, j);
    state->cauchy_stress[k] = 0.5 * (M3(sigma, i, j) + M3(sigma, j, i));
  }
}

static void fill_invariants(plElementState* state) {
  const double* s = state->cauchy_stress;
  state->von_mises = sqrt(0.5 * (pow(s[0] - s[1], 2) + pow(s[1] - s[2], 2) + pow(s[2] - s[0], 2)) +
                          3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
  state->pressure = -(s[0] + s[1] + s[2]) / 3;
}

plStatus pl_element_state(const plData* data, int tet, plElementState* state) {
  assert(data != NULL && state != NULL);
  const plModel* model = data->model;
  if (tet < 0 || tet >= model->ntet) return PL_ERROR_INPUT;
  int b = body_of_tet(model, tet);
  plLaw law = body_law(data, b);
  plMat3 F = gradient_now(data, b, tet), R = result_rotation(&law, F);
  double theta, pi = data->tet_pi[tet], shared = law.kappa > 0 ? 0.5 * pi * pi / law.kappa : 0;
  fill_state(F, pl_law_stress(&law, F, R, pi, NULL), state);
  fill_invariants(state);
  state->energy = model->tet_volume[tet] * (pl_law_energy(&law, F, R, &theta) + shared);
  return PL_OK;
}

// Whether the vertex is a node of the tet.
static bool has_vertex(const plModel* model, int tet, int vertex) {
  for (size_t a = 0; a < 4; a++)
    if (model->tet_vert[4 * (size_t)tet + a] == vertex) return true;
  for (size_t e = 0; e < 6; e++)
    if (model->tet_mid[6 * (size_t)tet + e] == vertex) return true;
  return false;
}

plStatus pl_vertex_state(const plData* data, int vertex, plElementState* state) {
  assert(data != NULL && state != NULL);
  const plModel* model = data->model;
  if (vertex < 0 || vertex >= model->nvert) return PL_ERROR_INPUT;
  int b = 0;
  while (vertex >= model->deform_vert0[b + 1]) b++;
  double volume = 0;
  memset(state, 0, sizeof *state);
  for (int t = model->deform_tet0[b]; t < model->deform_tet0[b + 1]; t++) {
    if (!has_vertex(model, t, vertex)) continue;
    plElementState e;
    pl_element_state(data, t, &e);
    double w = model->tet_volume[t];
    volume += w;
    for (int k = 0; k < 9; k++) state->F[k] += w * e.F[k];
    for (int k = 0; k < 6; k++)
      state->green_strain[k] += w * e.green_strain[k], state->cauchy_stress[k] += w * e.cauchy_stress[k];
    state->energy += e.energy / (model->tet_mid[6 * (size_t)t] >= 0 ? 10 : 4);
  }
  for (int k = 0; k < 9; k++) state->F[k] /= volume;
  for (int k = 0; k < 6; k++) state->green_strain[k] /= volume, state->cauchy_stress[k] /= volume;
  fill_invariants(state);
  return PL_OK;
}

// ---- bodies

// Kinetic energy and angular momentum about the centre of mass, with the mass matrix of each tet.
static void add_motion(const plData* data, int b, int tet, plBodyState* s) {
  const plModel* model = data->model;
  const plMaterial* material = &data->par->deform_material[b];
  const double *q = data->q + model->deform_q0[b], *v = data->v + model->deform_v0[b];
  double mass = material->density * model->tet_volume[tet];
  int n = model->tet_mid[6 * (size_t)tet] >= 0 ? 10 : 4, node[10];
  for (int a = 0; a < n; a++) {
    node[a] = (a < 4 ? model->tet_vert[4 * (size_t)tet + (size_t)a]
                     : model->tet_mid[6 * (size_t)tet + (size_t)a - 4]) -
              model->deform_vert0[b];
    assert(node[a] >= 0 && node[a] < model->deform_vert0[b + 1] - model->deform_vert0[b]);
  }
  for (int a = 0; a < n; a++)
    for (int c = 0; c < n; c++) {
      double share = mass * pl_mass_entry(n, material->mass == PL_MASS_LUMPED, a, c);
      if (share == 0) continue;
      plVec3 arm = v3_sub(v3_load(q + 3 * (size_t)node[a]), s->com), vc = v3_load(v + 3 * (size_t)node[c]);
      s->kinetic_energy += 0.5 * share * v3_dot(v3_load(v + 3 * (size_t)node[a]), vc);
      s->angular_momentum = v3_add(s->angular_momentum, v3_scale(share, v3_cross(arm, vc)));
    }
}

double pl_points_energy(const plPoints* p, const plLaw* law, const double* q) {
  double sum = 0;
  int ngroup = law->kappa > 0 ? p->ngroup : 0;
  for (int g = 0; g < (ngroup ? ngroup : 1); g++) {
    int first = ngroup ? p->group_point0[g] : 0, last = ngroup ? p->group_point0[g + 1] : p->npoint;
    double mean = 0;
    for (int k = first; k < last; k++) {
      int point = ngroup ? p->group_point[k] : k;
      assert(point >= 0 && point < p->npoint);
      plMat3 F = pl_points_gradient(p, point, q);
      double theta;
      sum += p->volume[point] * pl_law_energy(law, F, result_rotation(law, F), &theta);
      if (ngroup) mean += theta * p->volume[point] / p->group_volume[g];
    }
    if (ngroup) sum += 0.5 * law->kappa * mean * mean * p->group_volume[g];
  }
  return sum;
}

// The energy of the body's quadrature points. A recording has no points; there the linear tets are used
// instead.
static double elastic_energy(const plData* data, int b) {
  const plModel* model = data->model;
  if (data->par->deform_material[b].element != PL_ELEMENT_TET4 && model->work && data->work) {
    const plPoints* points = model->work->points[b];
    plLaw law = pl_law_of_material(&data->par->deform_material[b], points->ngroup > 0);
    return pl_points_energy(points, &law, data->q + model->deform_q0[b]);
  }
  double sum = 0;
  for (int t = model->deform_tet0[b]; t < model->deform_tet0[b + 1]; t++) {
    plElementState e;
    pl_element_state(data, t, &e);
    sum += e.energy;
  }
  return sum;
}

double pl_deformable_mass(const plData* data, int b) {
  assert(data != NULL);
  return pl_deform_mass(data, b);
}

void pl_deformable_motion(const plData* data, int b, plBodyState* s) {
  const plModel* model = data->model;
  memset(s, 0, sizeof *s);
  s->mass = pl_deform_mass(data, b);
  s->lower = v3(INFINITY, INFINITY, INFINITY);
  s->upper = v3_neg(s->lower);
  for (int i = model->deform_vert0[b]; i < model->deform_vert0[b + 1]; i++) {
    size_t at = 3 * (size_t)(i - model->deform_vert0[b]);
    plVec3 x = v3_load(data->q + model->deform_q0[b] + at), v = v3_load(data->v + model->deform_v0[b] + at);
    double mass = pl_vert_mass(data, b, i);
    s->com = v3_madd(s->com, mass / s->mass, x);
    s->momentum = v3_madd(s->momentum, mass, v);
    s->lower = v3_min(s->lower, x);
    s->upper = v3_max(s->upper, x);
  }
}

plStatus pl_deformable_state(const plData* data, int b, plBodyState* s) {
  assert(data != NULL && s != NULL);
  const plModel* model = data->model;
  if (b < 0 || b >= model->ndeform) return PL_ERROR_INPUT;
  pl_deformable_motion(data, b, s);
  for (int t = model->deform_tet0[b]; t < model->deform_tet0[b + 1]; t++) {
    add_motion(data, b, t, s);
    double J = m3_det(gradient_now(data, b, t));
    s->volume += model->tet_volume[t] * J;
    s->inverted += J < 0;
  }
  s->elastic_energy = elastic_energy(data, b);
  s->gravity_energy = -s->mass * v3_dot(data->par->options.gravity, s->com);
  return PL_OK;
}

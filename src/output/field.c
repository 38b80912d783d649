// field.c: displacement, speed, strain and stress of a body as numbers at its tetrahedra and vertices.
#include "output/field.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

const char* pl_colour_name(plColour colour) {
  static const char* const names[PL_COLOUR_COUNT] = {"body",   "displacement", "speed",
                                                     "strain", "von_mises",    "pressure"};
  return (int)colour >= 0 && colour < PL_COLOUR_COUNT ? names[colour] : "unknown";
}

plStatus pl_colour_by_name(const char* name, plColour* colour, plError* error) {
  assert(name != NULL && colour != NULL);
  const char* names[PL_COLOUR_COUNT];
  for (int i = 0; i < PL_COLOUR_COUNT; i++) {
    names[i] = pl_colour_name((plColour)i);
    if (!strcmp(name, names[i])) return *colour = (plColour)i, PL_OK;
  }
  const char* nearest = pl_nearest_word(name, names, PL_COLOUR_COUNT);
  return pl_fail(
      error, PL_ERROR_INPUT,
      "there is no colour '%s'%s%s%s; known: body, displacement, speed, strain, von_mises, pressure", name,
      nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'" : "");
}

plStatus pl_field_elements(const plData* data, int body, plElementState** element, plError* error) {
  const plModel* m = data->model;
  int t0 = m->deform_tet0[body], n = m->deform_tet0[body + 1] - t0;
  plElementState* e = PL_NEW(plElementState, n);
  if (!e) return pl_fail_out_of_memory(error, (size_t)n * sizeof *e);
  for (int t = 0; t < n; t++) {
    plStatus status = pl_element_state(data, t0 + t, &e[t]);
    if (!status) continue;
    pl_free(e);
    return pl_fail(error, status, "the stress of tetrahedron %d of '%s' cannot be computed: %s", t,
                   m->deform_name[body], pl_status_name(status));
  }
  *element = e;
  return PL_OK;
}

void pl_field_to_vertices(const plModel* m, int body, const double* tet, double* vert) {
  int v0 = m->deform_vert0[body], nvert = m->deform_vert0[body + 1] - v0, t0 = m->deform_tet0[body],
      t1 = m->deform_tet0[body + 1];
  memset(vert, 0, (size_t)nvert * sizeof *vert);
  double* weight = PL_NEW(double, nvert);
  if (!weight) return;
  for (int t = t0; t < t1; t++)
    for (size_t k = 0; k < 4; k++) {
      int v = m->tet_vert[4 * (size_t)t + k] - v0;
      assert(v >= 0 && v < nvert);
      vert[v] += m->tet_volume[t] * tet[t - t0];
      weight[v] += m->tet_volume[t];
    }
  // Values at the midpoints of edges of quadratic tetrahedra.
  for (int t = t0; t < t1; t++)
    for (size_t k = 0; k < 6 && m->tet_mid[6 * (size_t)t] >= 0; k++) {
      int v = m->tet_mid[6 * (size_t)t + k] - v0;
      assert(v >= 0 && v < nvert);
      vert[v] += m->tet_volume[t] * tet[t - t0];
      weight[v] += m->tet_volume[t];
    }
  for (int v = 0; v < nvert; v++)
    if (weight[v] > 0) vert[v] /= weight[v];
  pl_free(weight);
}

// Eigenvalues of a symmetric 3x3 matrix by the trigonometric formula; the largest.
double pl_field_principal(const double e[6]) {
  double mean = (e[0] + e[1] + e[2]) / 3, x = e[0] - mean, y = e[1] - mean, z = e[2] - mean;
  double p2 = (x * x + y * y + z * z + 2 * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5])) / 6;
  if (!(p2 > 0)) return mean;
  double p = sqrt(p2);
  double det = x * (y * z - e[4] * e[4]) - e[3] * (e[3] * z - e[4] * e[5]) + e[5] * (e[3] * e[4] - y * e[5]);
  double r = fmax(-1, fmin(1, det / (2 * p * p2)));
  return mean + 2 * p * cos(acos(r) / 3);
}

static plStatus of_elements(const plData* data, int body, plColour colour, double* vert, plError* error) {
  const plModel* m = data->model;
  int n = m->deform_tet0[body + 1] - m->deform_tet0[body];
  plElementState* e;
  plStatus status = pl_field_elements(data, body, &e, error);
  if (status) return status;
  double* tet = PL_NEW(double, n);
  if (!tet) status = pl_fail_out_of_memory(error, (size_t)n * sizeof *tet);
  for (int t = 0; tet && t < n; t++)
    tet[t] = colour == PL_COLOUR_STRAIN     ? pl_field_principal(e[t].green_strain)
             : colour == PL_COLOUR_PRESSURE ? e[t].pressure
                                            : e[t].von_mises;
  if (tet) pl_field_to_vertices(m, body, tet, vert);
  pl_free(tet), pl_free(e);
  return status;
}

plStatus pl_field_colour(const plData* data, int body, plColour colour, double* vert, plError* error) {
  const plModel* m = data->model;
  size_t n = (size_t)(m->deform_vert0[body + 1] - m->deform_vert0[body]);
  const double *q = data->q + m->deform_q0[body], *start = m->start_q + m->deform_q0[body],
               *v = data->v + m->deform_v0[body];
  switch (colour) {
    case PL_COLOUR_DISPLACEMENT:
      for (size_t i = 0; i < n; i++) vert[i] = v3_norm(v3_sub(v3_load(q + 3 * i), v3_load(start + 3 * i)));
      return PL_OK;
    case PL_COLOUR_SPEED:
      for (size_t i = 0; i < n; i++) vert[i] = v3_norm(v3_load(v + 3 * i));
      return PL_OK;
    case PL_COLOUR_STRAIN:
    case PL_COLOUR_VON_MISES:
    case PL_COLOUR_PRESSURE:
      return of_elements(data, body, colour, vert, error);
    default:
      memset(vert, 0, n * sizeof *vert);
      return PL_OK;
  }
}

// Distributes a force to the corners of a triangle by the position of the point, clamped to the triangle.
static void share_force(const plModel* m, const double* x, int body, int tri, plVec3 point, plVec3 force,
                        double* vert) {
  plVec3 corner[3];
  double w[3], sum = 0;
  assert(tri >= m->deform_tri0[body] && tri < m->deform_tri0[body + 1]);
  for (size_t k = 0; k < 3; k++)
    corner[k] = v3_load(x + 3 * (size_t)(m->tri_vert[3 * (size_t)tri + k] - m->deform_vert0[body]));
  for (size_t k = 0; k < 3; k++) {
    plVec3 a = corner[(k + 1) % 3], b = corner[(k + 2) % 3],
           n = v3_cross(v3_sub(corner[1], corner[0]), v3_sub(corner[2], corner[0]));
    w[k] = fmax(0, v3_dot(v3_cross(v3_sub(a, point), v3_sub(b, point)), n));
    sum += w[k];
  }
  for (size_t k = 0; k < 3; k++) {
    double* at = vert + 3 * (size_t)(m->tri_vert[3 * (size_t)tri + k] - m->deform_vert0[body]);
    v3_store(at, v3_madd(v3_load(at), sum > 0 ? w[k] / sum : 1.0 / 3, force));
  }
}

void pl_field_contact(const plData* data, int body, double* vert) {
  const plModel* m = data->model;
  const double* x = data->q + m->deform_q0[body];
  int v0 = m->deform_vert0[body], nvert = m->deform_vert0[body + 1] - v0;
  memset(vert, 0, 3 * (size_t)nvert * sizeof *vert);
  plSide own = {PL_SIDE_DEFORMABLE, body};
  for (int i = 0; i < data->ncontact; i++) {
    const plContact* c = &data->contact[i];
    if (pl_side_equal(c->a, own) && c->tri_a >= 0)
      share_force(m, x, body, c->tri_a, c->position, v3_neg(c->force), vert);
    if (pl_side_equal(c->b, own) && c->tri_b >= 0)
      share_force(m, x, body, c->tri_b, c->position, c->force, vert);
  }
  double* area = PL_NEW(double, nvert);
  for (int t = m->deform_tri0[body]; area && t < m->deform_tri0[body + 1]; t++) {
    const int* v = m->tri_vert + 3 * (size_t)t;
    plVec3 a = v3_load(x + 3 * (size_t)(v[0] - v0)), b = v3_load(x + 3 * (size_t)(v[1] - v0)),
           c = v3_load(x + 3 * (size_t)(v[2] - v0));
    assert(v[0] >= v0 && v[1] >= v0 && v[2] >= v0 && v[0] - v0 < nvert && v[1] - v0 < nvert &&
           v[2] - v0 < nvert);
    for (size_t k = 0; k < 3; k++) area[v[k] - v0] += v3_norm(v3_cross(v3_sub(b, a), v3_sub(c, a))) / 6;
  }
  for (int v = 0; v < nvert; v++)
    v3_store(vert + 3 * (size_t)v,
             v3_scale(area && area[v] > 0 ? 1 / area[v] : 0, v3_load(vert + 3 * (size_t)v)));
  pl_free(area);
}

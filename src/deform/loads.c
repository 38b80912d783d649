// loads.c: external forces on deformable bodies: gravity, the user's, and loads at the time of the
// theta-state.
//
// in: q, time, f_user -> out: f_ext
#include <assert.h>

#include "deform/deform.h"
#include "fem/elements.h"
#include "model/table.h"

static double load_factor(const plLoads* loads, int l, double time) {
  int first = loads->knot0[l], n = loads->knot0[l + 1] - first, k;
  const double* f = loads->factor + first;
  double s;
  if (n < 1) return 1;
  return pl_table_interval(n, loads->time + first, time, &k, &s) ? (1 - s) * f[k] + s * f[k + 1] : f[k];
}

// Adds a force on a vertex of the model; f: of its body b.
static void add(const plModel* model, int b, int vert, plVec3 force, double* f) {
  assert(vert >= model->deform_vert0[b] && vert < model->deform_vert0[b + 1]);
  double* at = f + 3 * (size_t)(vert - model->deform_vert0[b]);
  v3_store(at, v3_add(v3_load(at), force));
}

// The area vector of a triangle at positions x [3 per vertex].
static plVec3 area(const int* vert, int vert0, const double* x) {
  plVec3 a = v3_load(x + 3 * (size_t)(vert[0] - vert0));
  plVec3 ab = v3_sub(v3_load(x + 3 * (size_t)(vert[1] - vert0)), a),
         ac = v3_sub(v3_load(x + 3 * (size_t)(vert[2] - vert0)), a);
  return v3_scale(0.5, v3_cross(ab, ac));
}

// A uniform force on a triangle goes to its corners; on a quadratic one, to the midpoints of its edges, the
// corners of its central quarter.
static void add_triangle(const plModel* model, int b, int t, const double* q, plVec3 traction,
                         double pressure, double* f) {
  bool quadratic = pl_elements[model->par->deform_material[b].element].quadratic;
  assert(t >= model->deform_tri0[b] && t + (quadratic ? 4 : 1) <= model->deform_tri0[b + 1]);
  int vert0 = model->deform_vert0[b];
  double rest_area = 0;
  plVec3 normal_area = v3(0, 0, 0);
  for (int k = 0; k < (quadratic ? 4 : 1); k++) {
    const int* vert = model->tri_vert + 3 * (size_t)(t + k);
    rest_area += v3_norm(area(vert, 0, model->vert_rest));
    normal_area = v3_add(normal_area, area(vert, vert0, q));
  }
  plVec3 force = v3_madd(v3_scale(rest_area, traction), -pressure, normal_area);
  const int* corner = model->tri_vert + 3 * (size_t)(t + (quadratic ? 3 : 0));
  for (int k = 0; k < 3; k++) add(model, b, corner[k], v3_scale(1.0 / 3, force), f);
}

// The integral of the shape functions: a quarter each; of a quadratic tet -1/20 at corners and 1/5 at edges.
static void add_tet(const plModel* model, int b, int t, plVec3 density, double* f) {
  assert(t >= model->deform_tet0[b] && t < model->deform_tet0[b + 1]);
  bool quadratic = model->tet_mid[6 * (size_t)t] >= 0;
  plVec3 force = v3_scale(model->tet_volume[t], density);
  for (int a = 0; a < 4; a++)
    add(model, b, model->tet_vert[4 * (size_t)t + (size_t)a], v3_scale(quadratic ? -0.05 : 0.25, force), f);
  for (int e = 0; quadratic && e < 6; e++)
    add(model, b, model->tet_mid[6 * (size_t)t + (size_t)e], v3_scale(0.2, force), f);
}

static void add_load(const plModel* model, const plData* data, int l, double* f_ext) {
  const plLoads* loads = &model->work->loads;
  int b = loads->body[l];
  double s = load_factor(loads, l, data->time + data->par->options.theta * data->par->options.dt);
  const double* q = data->q + model->deform_q0[b];
  double* f = f_ext + model->deform_v0[b];
  plVec3 vector = v3_scale(s, loads->vector[l]);
  for (int k = loads->item0[l]; k < loads->item0[l + 1]; k++) {
    int item = loads->item[k];
    switch (loads->kind[l]) {
      case PL_LOAD_VERTEX:
        add(model, b, item, vector, f);
        break;
      case PL_LOAD_FORCE_DENSITY:
        add_tet(model, b, item, vector, f);
        break;
      case PL_LOAD_TRACTION:
        add_triangle(model, b, item, q, vector, 0, f);
        break;
      default:
        add_triangle(model, b, item, q, v3(0, 0, 0), s * loads->pressure[l], f);
        break;
    }
  }
}

void pl_deform_loads(const plModel* model, plData* data) {
  const plVec3 g = data->par->options.gravity;
  double gravity[3] = {g.x, g.y, g.z}, *f_ext = data->work->f_ext;
  for (int b = 0; b < model->ndeform; b++) {
    int vert0 = model->deform_vert0[b], v0 = model->deform_v0[b], n = pl_deform_nv(data, b);
    for (int i = 0; i < n; i++)
      f_ext[v0 + i] = pl_vert_mass(data, b, vert0 + i / 3) * gravity[i % 3] + data->f_user[v0 + i];
  }
  for (int l = 0; l < model->work->loads.n; l++) add_load(model, data, l, f_ext);
}

// taxels.c: contact forces -> taxels.
//
// A contact point at the coordinates (x, y) of a grid gives its force to the four taxels whose centres are
// around it, by bilinear functions: they add up to 1, so that the resultant is the contact's, and reproduce x
// and y, so that moments about the grid's axes are too, where the point lies inside the hull of the centres.
// On a deformable (x, y) is the point's place on the undeformed surface. Taxels at the vertices of a region
// take their shares by barycentric coordinates of the facet.
//
// in: data->contact, q_before, geom_world -> out: normal, shear_x, shear_y, slip, area, contact of each taxel
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/pose.h"
#include "model/spec.h"
#include "sensor/sensor.h"

enum { COLUMNS = 6 };

// What a contact point does to the taxels.
typedef struct Push {
  plVec3 force;   // N on the sensor's side, in the taxels' axes
  double normal;  // N, of the point itself
  double slip, area;
} Push;

static void give(const Push* p, double share, double* row, double* weight) {
  row[0] -= share * p->force.z;
  row[1] += share * p->force.x;
  row[2] += share * p->force.y;
  if (!(p->normal > 0) || !(share > 0)) return;
  row[3] += share * p->normal * p->slip;
  row[4] += share * p->area;
  row[5] = 1;
  *weight += share * p->normal;
}

// The two taxels around a coordinate and the share of the second one; centres are at the middles of cells.
static int around(double x, double size, int cells, double* share) {
  double at = fmin(fmax((x / size + 0.5) * cells - 0.5, 0), cells - 1);
  int first = at < cells - 1 ? (int)at : cells > 1 ? cells - 2 : 0;
  *share = at - first;
  return first;
}

static void give_grid(const plTaxels* g, plVec3 x, const Push* p, double* out, double* weight) {
  // the border belongs to the grid, rounding included
  if (fabs(x.x) > g->size[0] / 2 * (1 + 1e-9) || fabs(x.y) > g->size[1] / 2 * (1 + 1e-9)) return;
  double s, t;
  int i = around(x.x, g->size[0], g->cells[0], &s), j = around(x.y, g->size[1], g->cells[1], &t);
  for (int b = 0; b < 2; b++)
    for (int a = 0; a < 2; a++) {
      double share = (a ? s : 1 - s) * (b ? t : 1 - t);
      if (share == 0) continue;
      size_t row = (size_t)(j + b) * (size_t)g->cells[0] + (size_t)(i + a);
      give(p, share, out + COLUMNS * row, weight + row);
    }
}

// A point of a deformable, given by the weights with which its force acts on vertices.
static void feel_soft(const plData* data, const plTaxels* g, const plContactSide* side, const Push* p,
                      double* out, double* weight) {
  const plModel* m = data->model;
  int v0 = m->deform_vert0[side->body];
  // Whether it lies on facets that are felt: a point on an edge or a vertex belongs to all facets around it.
  for (int k = 0; k < side->nvert; k++) {
    int v = side->vert[k] - v0;
    if (fabs(side->weight[k]) > 1e-9 && !(g->cells[0] ? g->upward[v] : g->vert_row[v] >= 0)) return;
  }
  plVec3 x = {0, 0, 0};
  for (int k = 0; k < side->nvert; k++) {
    if (g->cells[0]) {
      x = v3_madd(x, side->weight[k], v3_load(m->vert_rest + 3 * (size_t)side->vert[k]));
    } else if (fabs(side->weight[k]) > 1e-9) {
      size_t row = (size_t)g->vert_row[side->vert[k] - v0];
      give(p, side->weight[k], out + COLUMNS * row, weight + row);
    }
  }
  if (g->cells[0]) give_grid(g, pose_apply_inverse(g->frame, x), p, out, weight);
}

void pl_taxels_eval(plData* data, const plTaxels* g, int rows, plQuat mount, double* out) {
  const plModel* m = data->model;
  double* weight = data->work->sensor->weight;
  memset(out, 0, COLUMNS * (size_t)rows * sizeof *out);
  memset(weight, 0, (size_t)rows * sizeof *weight);
  plQuat soft_axes = quat_conj(quat_mul(mount, g->axes));
  for (int i = 0; i < data->ncontact; i++) {
    const plContact* c = &data->contact[i];
    for (int k = 0; k < 2; k++) {
      plSide side = k ? c->b : c->a, other = k ? c->a : c->b;
      if (!pl_side_covers(m, g->side, side) || !pl_side_covers(m, g->other, other)) continue;
      double sign = k ? 1 : -1;
      Push p = {v3_scale(sign, c->force), v3_dot(c->force, c->normal), v3_norm(c->slip), c->area};
      if (g->soft) {
        p.force = quat_rotate(soft_axes, p.force);
        feel_soft(data, g, k ? &data->work->point[i].b : &data->work->point[i].a, &p, out, weight);
        continue;
      }
      plPose at = data->work->geom_world[side.index];
      if (g->side.kind != PL_SIDE_SHAPE) at = pose_mul(at, pose_inverse(m->geom_pose[side.index]));
      at = pose_mul(at, g->frame);
      plQuat back = quat_conj(at.q);
      // the normal leaves A: outward of the sensor's side
      if (-sign * quat_rotate(back, c->normal).z <= 0) continue;
      p.force = quat_rotate(back, p.force);
      give_grid(g, pose_apply_inverse(at, c->position), &p, out, weight);
    }
  }
  for (int i = 0; i < rows; i++)
    if (weight[i] > 0) out[COLUMNS * (size_t)i + 3] /= weight[i];
}

// ---- from the definition

// Rows for the vertices of facets that lie in the region whole.
static plStatus compile_region(plModel* model, const plSensorDef* def, int b, plSensor* sensor, plTaxels* g,
                               plError* error) {
  int v0 = model->deform_vert0[b], n = model->deform_vert0[b + 1] - v0;
  bool* inside = PL_NEW(bool, model->nvert);
  g->vert_row = PL_KEEP(&model->work->arena, int, n);
  if (!inside || !g->vert_row) return pl_free(inside), pl_fail_out_of_memory(error, (size_t)model->nvert);
  for (int i = 0; i < n; i++) g->vert_row[i] = -1;
  pl_mark_region(model, b, &def->region, inside);
  for (int t = model->deform_tri0[b]; t < model->deform_tri0[b + 1]; t++) {
    const int* v = model->tri_vert + 3 * (size_t)t;
    if (!inside[v[0]] || !inside[v[1]] || !inside[v[2]]) continue;
    for (int k = 0; k < 3; k++) g->vert_row[v[k] - v0] = 0;
  }
  pl_free(inside);
  int rows = 0;
  for (int i = 0; i < n; i++)
    if (g->vert_row[i] == 0) g->vert_row[i] = rows++;
  if (!rows)
    return pl_fail(
        error, PL_ERROR_INPUT,
        "sensor '%s' (taxels): its region holds no facet of '%s'; regions are in the body's frame, on "
        "the mesh as given (`pliant info` prints its bounding box)",
        def->name, model->deform_name[b]);
  sensor->rows = sensor->width = rows, sensor->height = 1;
  return PL_OK;
}

// Marks the vertices of facets that look along the grid's normal; whether one of them lies under it: a grid
// that none does feels nothing, ever.
static bool mark_upward(const plModel* m, int b, plTaxels* g) {
  bool covered = false;
  for (int t = m->deform_tri0[b]; t < m->deform_tri0[b + 1]; t++) {
    const int* v = m->tri_vert + 3 * (size_t)t;
    plVec3 x[3];
    for (int k = 0; k < 3; k++) x[k] = pose_apply_inverse(g->frame, v3_load(m->vert_rest + 3 * (size_t)v[k]));
    plVec3 n = v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
    if (n.z <= 1e-9 * v3_norm(n)) continue;
    for (int k = 0; k < 3; k++) g->upward[v[k] - m->deform_vert0[b]] = true;
    plVec3 low = v3_min(x[0], v3_min(x[1], x[2])), high = v3_max(x[0], v3_max(x[1], x[2]));
    covered |= high.x >= -g->size[0] / 2 && low.x <= g->size[0] / 2 && high.y >= -g->size[1] / 2 &&
               low.y <= g->size[1] / 2;
  }
  return covered;
}

plStatus pl_compile_taxels(const plSpec* spec, plModel* model, const plSensorDef* def, plSensor* sensor,
                           plSensorPlan* plan, plError* error) {
  plTaxels* g = &plan->taxels;
  *g = (plTaxels){.side = plan->side, .other = plan->other, .frame = def->pose, .soft = plan->deform >= 0};
  if (g->soft) {
    plQuat mount = plan->mount < 0 ? quat_identity() : pl_spec_body_pose(spec, plan->mount).q;
    plQuat body = spec->deform[plan->deform].pose.q;
    g->axes = quat_unit(quat_mul(quat_conj(mount), quat_mul(body, def->pose.q)));
  }
  if (def->has_region) return compile_region(model, def, plan->deform, sensor, g, error);
  for (int k = 0; k < 2; k++) g->size[k] = def->size[k], g->cells[k] = def->cells[k];
  sensor->width = g->cells[0], sensor->height = g->cells[1];
  sensor->rows = g->cells[0] * g->cells[1];
  if (!g->soft) return PL_OK;
  int b = plan->deform;
  g->upward = PL_KEEP(&model->work->arena, bool, model->deform_vert0[b + 1] - model->deform_vert0[b]);
  if (!g->upward) return pl_fail_out_of_memory(error, (size_t)model->nvert);
  if (!mark_upward(model, b, g))
    return pl_fail(
        error, PL_ERROR_INPUT,
        "sensor '%s' (taxels): no facet of '%s' that looks along the grid's z lies under its %g x %g m; "
        "the grid's pose is in the frame of the mesh",
        def->name, model->deform_name[b], g->size[0], g->size[1]);
  return PL_OK;
}

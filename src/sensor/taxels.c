// taxels.c: contact forces -> taxels.
//
// A contact point at the coordinates (x, y) of a grid distributes its force to the taxels around it, by
// bilinear functions between their centres. These add up to 1, so the resultant is the contact's, and
// reproduce x and y, so moments about the grid's axes are too, if the point lies inside the hull of the
// centres. A point of a soft surface represents the area around it: its force is spread over that area by a
// hat function, so that a grid finer than the mesh sees a pressure and not single points. On a deformable (x,
// y) is the point's position on the undeformed surface. Taxels at the vertices of a region get their shares
// by barycentric coordinates of the facet.
//
// in: data->contact, q_before, shape_world -> out: normal, shear_x, shear_y, slip times normal force, area,
// normal force of each taxel; and when all parts of a step are summed: slip, contact
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/pose.h"
#include "model/spec.h"
#include "sensor/sensor.h"

enum { COLUMNS = 6 };

// The contribution of a contact point to the taxels, in the order of their columns; the last two are normal
// forces that weight the slip.
typedef struct Push {
  double column[COLUMNS];
  double area;  // m^2
} Push;

// force: N on the sensor's side, in the taxels' axes.
static Push push_of(const plContact* c, plVec3 force) {
  double normal = v3_dot(c->force, c->normal), area = c->area > 0 ? c->area : 0;
  if (!(normal > 0)) normal = 0;
  return (Push){{-force.z, force.x, force.y, normal * v3_norm(c->slip), normal > 0 ? area : 0, normal}, area};
}

static inline void give(const Push* restrict p, double share, double* restrict row) {
  for (int k = 0; k < COLUMNS; k++) row[k] += share * p->column[k];
}

static double least(double a, double b) { return a < b ? a : b; }

// The second antiderivative of the hat k(s) = (1 - |s| / h) / h on -h .. h; sixth = 1 / (6 h^2).
static inline double twice_integrated(double s, double h, double sixth) {
  double r = h - fabs(s);
  r = r > 0 ? r : 0;
  return r * r * r * sixth + (s > 0 ? s : 0);
}

// Shares of a force that is spread over x - h .. x + h by the hat k. A taxel's share is the integral of k
// times the tent about its centre: the second difference of k's second antiderivative. The shares add up to 1
// and preserve the mean x, if the interval lies between the outer centres: h is reduced to ensure that.
// Returns the number of taxels from *first on.
static int spread(double x, double width, double per_metre, int cells, int* first, double* restrict share) {
  double at = x * per_metre + 0.5 * (cells - 1), h = least(width * per_metre, least(at, cells - 1 - at));
  if (cells == 1) return *first = 0, share[0] = 1, 1;
  if (!(h > 1e-3)) {
    at = at < 0 ? 0 : least(at, cells - 1);
    *first = at < cells - 1 ? (int)at : cells - 2;
    share[1] = at - *first, share[0] = 1 - share[1];
    return 2;
  }
  *first = (int)(at - h);
  int last = (int)(at + h) + 1, n = (last < cells ? last : cells - 1) - *first + 1;
  double sixth = 1 / (6 * h * h), s = *first - at, before = twice_integrated(s - 1, h, sixth),
         here = twice_integrated(s, h, sixth);
  for (int i = 0; i < n; i++) {
    double after = twice_integrated(s + i + 1, h, sixth);
    share[i] = after - here - (here - before);
    before = here, here = after;
  }
  return n;
}

// slack: m, how far beyond the border a point still belongs to the grid, besides rounding.
static void give_grid(const plData* data, const plTaxels* g, plVec3 x, double h, double slack, const Push* p,
                      double* out) {
  double wide = g->size[0] / 2 * (1 + 1e-9) + slack, high = g->size[1] / 2 * (1 + 1e-9) + slack;
  if (fabs(x.x) > wide || fabs(x.y) > high) return;
  double *s = data->work->sensor->share[0], *t = data->work->sensor->share[1];
  int i, j, n = spread(x.x, h, g->per_metre[0], g->cells[0], &i, s),
            m = spread(x.y, h, g->per_metre[1], g->cells[1], &j, t);
  const Push push = *p;
  assert(i >= 0 && i + n <= g->cells[0] && j >= 0 && j + m <= g->cells[1]);
  for (int b = 0; b < m; b++) {
    double* row = out + COLUMNS * ((size_t)(j + b) * (size_t)g->cells[0] + (size_t)i);
    for (int a = 0; a < n; a++, row += COLUMNS) give(&push, s[a] * t[b], row);
  }
}

// A point of a deformable, given by its weights on vertices.
static void feel_soft(const plData* data, const plTaxels* g, const plContactSide* side, const Push* p,
                      double* out) {
  const plModel* m = data->model;
  int v0 = m->deform_vert0[side->body];
  assert(side->body == g->side.index);  // whose vertices the tables list
  bool grid = g->cells[0] > 0;
  // Whether it lies on sensitive facets: a point on an edge or a vertex belongs to all facets around it.
  plVec3 x = {0, 0, 0};
  for (int k = 0; k < side->nvert; k++) {
    int v = side->vert[k] - v0;
    if (fabs(side->weight[k]) > 1e-9 && !(grid ? g->upward[v] : g->vert_row[v] >= 0)) return;
    if (grid) x = v3_madd(x, side->weight[k], v3_load(m->vert_rest + 3 * (size_t)side->vert[k]));
  }
  if (grid) {
    give_grid(data, g, pose_apply_inverse(g->frame, x), sqrt(p->area), 0, p, out);
    return;
  }
  for (int k = 0; k < side->nvert; k++) {
    int row = g->vert_row[side->vert[k] - v0];
    if (row >= 0) give(p, side->weight[k], out + COLUMNS * (size_t)row);
  }
}

// A point of a rigid shape: its position in the grid's frame.
static void feel_rigid(const plData* data, const plTaxels* g, const plContact* c, plVec3 position,
                       plSide side, plSide other, double sign, double* out) {
  const plModel* m = data->model;
  plPose at = data->work->shape_world[side.index];
  if (g->side.kind != PL_SIDE_SHAPE) at = pose_mul(at, pose_inverse(m->shape_pose[side.index]));
  at = pose_mul(at, g->frame);
  plQuat back = quat_conj(at.q);
  if (g->skin) {
    int row[3];
    double share[3];
    Push p = push_of(c, quat_rotate(back, v3_scale(sign, c->force)));
    plPose shape = data->work->shape_world[side.index];
    plVec3 x = pose_apply_inverse(shape, position), f = quat_rotate(quat_conj(shape.q), c->force);
    int n = pl_taxels_on_skin(&g->skin[side.index], x, f, row, share);
    for (int k = 0; k < n; k++) give(&p, share[k], out + COLUMNS * (size_t)row[k]);
    return;
  }
  // the normal leaves A: outward from the sensor's side
  if (-sign * quat_rotate(back, c->normal).z <= 0) return;
  Push p = push_of(c, quat_rotate(back, v3_scale(sign, c->force)));
  // between rigid shapes the points are corners of a patch and represent no area around them
  double h = other.kind == PL_SIDE_DEFORMABLE ? sqrt(p.area) : 0;
  give_grid(data, g, pose_apply_inverse(at, position), h, pl_sensor_slack(c), &p, out);
}

// pl_side_covers, with the common cases inline.
static inline bool covers(const plModel* m, plSide of, plSide side) {
  if (of.kind == PL_SIDE_ANY) return true;
  if (of.kind == PL_SIDE_DEFORMABLE) return side.kind == PL_SIDE_DEFORMABLE && side.index == of.index;
  return pl_side_covers(m, of, side);
}

void pl_taxels_eval(plData* data, const plTaxels* g, int rows, plQuat mount, double* out) {
  const plModel* m = data->model;
  memset(out, 0, COLUMNS * (size_t)rows * sizeof *out);
  plQuat soft_axes = quat_conj(quat_mul(mount, g->axes));
  for (int i = 0; i < data->ncontact; i++) {
    const plContact* c = &data->contact[i];
    assert(i < data->work->npoint);
    for (int k = 0; k < 2; k++) {
      plSide side = k ? c->b : c->a, other = k ? c->a : c->b;
      if (!covers(m, g->side, side) || !covers(m, g->other, other)) continue;
      double sign = k ? 1 : -1;
      if (!g->soft) {
        const plContactPoint* p = &data->work->point[i];
        plVec3 position = !p->swept ? p->position : k ? p->position_b : p->position_a;
        feel_rigid(data, g, c, position, side, other, sign, out);
        continue;
      }
      Push p = push_of(c, quat_rotate(soft_axes, v3_scale(sign, c->force)));
      feel_soft(data, g, k ? &data->work->point[i].b : &data->work->point[i].a, &p, out);
    }
  }
}

void pl_taxels_finish(int rows, double* out) {
  for (double* row = out; row < out + COLUMNS * (size_t)rows; row += COLUMNS) {
    if (row[5] > 0) row[3] /= row[5];
    row[5] = row[5] > 0;
  }
}

// ---- from the definition

// Rows for the vertices of facets that lie completely in the region.
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

// Marks the vertices of facets that face along the grid's normal; returns whether one of them lies under the
// grid. A grid without any would never measure anything.
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
  if (def->has_region)
    return g->soft ? compile_region(model, def, plan->deform, sensor, g, error)
                   : pl_compile_rigid_region(model, def, sensor, g, error);
  for (int k = 0; k < 2; k++) {
    g->size[k] = def->size[k], g->cells[k] = def->cells[k];
    g->per_metre[k] = g->cells[k] / g->size[k];
  }
  sensor->width = g->cells[0], sensor->height = g->cells[1];
  sensor->rows = g->cells[0] * g->cells[1];
  if (!g->soft) return PL_OK;
  int b = plan->deform;
  g->upward = PL_KEEP(&model->work->arena, bool, model->deform_vert0[b + 1] - model->deform_vert0[b]);
  if (!g->upward) return pl_fail_out_of_memory(error, (size_t)model->nvert);
  if (!mark_upward(model, b, g))
    return pl_fail(
        error, PL_ERROR_INPUT,
        "sensor '%s' (taxels): no facet of '%s' that faces along the grid's z lies under its %g x %g m; "
        "the grid's pose is in the frame of the mesh",
        def->name, model->deform_name[b], g->size[0], g->size[1]);
  return PL_OK;
}

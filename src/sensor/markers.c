// markers.c: points of a deformable as weighted sums of its vertices, relative to a mount.
//
// in: q, v, work->tree -> out: displacement since the start and velocity, in the mount's frame
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "geom/mesh.h"
#include "geom/tri_tree.h"
#include "math/pose.h"
#include "rigid/rigid.h"
#include "sensor/sensor.h"

void pl_markers_eval(const plData* data, const plSensorPlan* plan, int rows, double* out) {
  const plModel* m = data->model;
  const plMarkers* k = &plan->markers;
  const double *q = data->q + m->deform_q0[plan->deform], *v = data->v + m->deform_v0[plan->deform];
  plPose mount = pl_body_pose(data, plan->mount);
  plMotion V = motion_zero();
  plVec3 o = {0, 0, 0};
  int node = plan->mount < 0 ? -1 : m->body_node[plan->mount];
  if (node >= 0)
    V = data->work->tree.node_V[node],
    o = data->work->tree.tree_point[pl_tree_of_node(&data->work->forest, node)];
  plMat3 R = quat_matrix(mount.q);
  for (int i = 0; i < rows; i++, out += 6) {
    plVec3 x = {0, 0, 0}, u = {0, 0, 0};
    for (int j = k->vert0[i]; j < k->vert0[i + 1]; j++) {
      x = v3_madd(x, k->weight[j], v3_load(q + 3 * (size_t)k->vert[j]));
      u = v3_madd(u, k->weight[j], v3_load(v + 3 * (size_t)k->vert[j]));
    }
    u = v3_sub(u, motion_at(V, v3_sub(x, o)));
    v3_store(out, v3_sub(m3_tmulv(R, v3_sub(x, mount.p)), k->start[i]));
    v3_store(out + 3, m3_tmulv(R, u));
  }
}

// ---- from the definition

typedef struct List {
  int n, cap, wcap;
  int* vert;
  double* weight;
} List;

static bool push(List* list, int vert, double weight) {
  int n = list->n;
  if (!pl_grow((void**)&list->vert, &list->cap, n, sizeof(int)) ||
      !pl_grow((void**)&list->weight, &list->wcap, n, sizeof(double)))
    return false;
  list->vert[n] = vert, list->weight[n] = weight;
  list->n++;
  return true;
}

// Barycentric coordinates of a point of the undeformed body in a tetrahedron.
static void coordinates(const plModel* m, int t, plVec3 x, double b[4]) {
  const int* v = m->tet_vert + 4 * (size_t)t;
  const double* grad = m->tet_grad + 12 * (size_t)t;
  plVec3 d = v3_sub(x, v3_load(m->vert_rest + 3 * (size_t)v[0]));
  b[0] = 1;
  for (int k = 1; k < 4; k++) b[k] = v3_dot(v3_load(grad + 3 * k), d), b[0] -= b[k];
}

// The shape functions of a tetrahedron at a point, linear or quadratic.
static bool push_tet(const plModel* m, int body, int t, plVec3 x, List* list) {
  double b[4];
  coordinates(m, t, x, b);
  const int *v = m->tet_vert + 4 * (size_t)t, *mid = m->tet_mid + 6 * (size_t)t;
  int v0 = m->deform_vert0[body];
  bool quadratic = mid[0] >= 0, ok = true;
  for (int k = 0; k < 4 && ok; k++) ok = push(list, v[k] - v0, quadratic ? b[k] * (2 * b[k] - 1) : b[k]);
  for (int e = 0; e < 6 && quadratic && ok; e++)
    ok = push(list, mid[e] - v0, 4 * b[pl_tet_edge[e][0]] * b[pl_tet_edge[e][1]]);
  return ok;
}

// The tetrahedron that contains a point, or comes closest to containing it; *least is its smallest coordinate
// there.
static int find_tet(const plModel* m, int body, plVec3 x, double* least) {
  int best = -1;
  *least = -INFINITY;
  for (int t = m->deform_tet0[body]; t < m->deform_tet0[body + 1]; t++) {
    double b[4];
    coordinates(m, t, x, b);
    double low = fmin(fmin(b[0], b[1]), fmin(b[2], b[3]));
    if (low > *least) *least = low, best = t;
  }
  return best;
}

// The outermost facet under the point (x, y) of a grid, -1 if none faces up; *at is the point on it, in the
// mesh's frame. height: a z above the whole body.
static int find_facet(const plModel* m, int body, const plTriTree* tree, plPose frame, double x, double y,
                      double height, plVec3* at) {
  plVec3 up = quat_rotate(frame.q, v3(0, 0, 1));
  plTriHit hit = pl_tri_tree_ray(tree, pose_apply(frame, v3(x, y, height)), v3_neg(up), INFINITY);
  if (hit.tri < 0) return -1;
  *at = hit.point;
  const int* v = m->tri_vert + 3 * (size_t)(m->deform_tri0[body] + hit.tri);
  plVec3 p[3];
  for (int k = 0; k < 3; k++) p[k] = v3_load(m->vert_rest + 3 * (size_t)v[k]);
  bool looks_up = v3_dot(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])), up) > 0;
  return looks_up ? m->deform_tri0[body] + hit.tri : -1;
}

// A z of the frame that is above all vertices of the body.
static double find_height(const plModel* m, int body, plPose frame) {
  double low = INFINITY, high = -INFINITY;
  for (int i = m->deform_vert0[body]; i < m->deform_vert0[body + 1]; i++) {
    double z = pose_apply_inverse(frame, v3_load(m->vert_rest + 3 * (size_t)i)).z;
    low = fmin(low, z), high = fmax(high, z);
  }
  return high + 0.5 * (high - low);
}

static plStatus list_grid(const plModel* m, const plSensorDef* def, int body, plSensor* s, List* list,
                          int* first, plError* error) {
  plTriTree* tree = NULL;
  int t0 = m->deform_tri0[body];
  plStatus status = pl_tri_tree_create(m->vert_rest, m->tri_vert + 3 * (size_t)t0,
                                       m->deform_tri0[body + 1] - t0, &tree, error);
  double height = find_height(m, body, def->pose);
  s->width = def->cells[0], s->height = def->cells[1];
  for (int row = 0; row < s->width * s->height && !status; row++) {
    double x = ((row % s->width + 0.5) / s->width - 0.5) * def->size[0],
           y = (((double)(row / s->width) + 0.5) / s->height - 0.5) * def->size[1];
    plVec3 at;
    int t = find_facet(m, body, tree, def->pose, x, y, height, &at);
    if (t < 0)
      status =
          pl_fail(error, PL_ERROR_INPUT,
                  "sensor '%s' (markers): the marker at (%g, %g) m of its grid has no facet of '%s' under "
                  "it that faces along the grid's z; the grid's pose is in the frame of the mesh",
                  def->name, x, y, m->deform_name[body]);
    else if (!push_tet(m, body, m->tri_tet[t], at, list))
      status = pl_fail_out_of_memory(error, 80);
    first[row + 1] = list->n;
  }
  pl_tri_tree_destroy(tree);
  return status;
}

static plStatus list_points(const plModel* m, const plSensorDef* def, int body, List* list, int* first,
                            plError* error) {
  for (int i = 0; i < def->npoint; i++) {
    double least;
    int t = find_tet(m, body, def->point[i], &least);
    if (least < -1e-6)
      return pl_fail(
          error, PL_ERROR_INPUT,
          "sensor '%s' (markers): point %d at (%g, %g, %g) m is not inside '%s'; points are in the frame "
          "of the mesh",
          def->name, i, def->point[i].x, def->point[i].y, def->point[i].z, m->deform_name[body]);
    if (!push_tet(m, body, t, def->point[i], list)) return pl_fail_out_of_memory(error, 80);
    first[i + 1] = list->n;
  }
  return PL_OK;
}

static plStatus list_region(const plModel* m, const bool* inside, int body, List* list, int* first,
                            plError* error) {
  int row = 0, v0 = m->deform_vert0[body];
  for (int i = v0; i < m->deform_vert0[body + 1]; i++) {
    if (!inside[i]) continue;
    if (!push(list, i - v0, 1)) return pl_fail_out_of_memory(error, 80);
    first[++row] = list->n;
  }
  return PL_OK;
}

// Positions of the markers in the mount's frame at the start.
static void place(const plSpec* spec, const plModel* m, const plSensorPlan* plan, int rows) {
  const plMarkers* k = &plan->markers;
  plPose mount = plan->mount < 0 ? pose_identity() : pl_spec_body_pose(spec, plan->mount);
  const double* q = m->start_q + m->deform_q0[plan->deform];
  int nvert = m->deform_vert0[plan->deform + 1] - m->deform_vert0[plan->deform];
  for (int j = 0; j < k->vert0[rows]; j++) assert(k->vert[j] >= 0 && k->vert[j] < nvert);
  (void)nvert;
  for (int i = 0; i < rows; i++) {
    plVec3 x = {0, 0, 0};
    for (int j = k->vert0[i]; j < k->vert0[i + 1]; j++)
      x = v3_madd(x, k->weight[j], v3_load(q + 3 * (size_t)k->vert[j]));
    k->start[i] = m3_tmulv(quat_matrix(mount.q), v3_sub(x, mount.p));
  }
}

static plStatus list_all(plModel* m, const plSensorDef* def, int body, plSensor* s, List* list, int** first,
                         plError* error) {
  bool* inside = NULL;
  int rows = def->npoint > 0 ? def->npoint : def->cells[0] * def->cells[1];
  if (def->has_region) {
    if (!(inside = PL_NEW(bool, m->nvert))) return pl_fail_out_of_memory(error, (size_t)m->nvert);
    pl_mark_region(m, body, &def->region, inside);
    rows = 0;
    for (int i = m->deform_vert0[body]; i < m->deform_vert0[body + 1]; i++) rows += inside[i];
  }
  s->rows = s->width = rows, s->height = 1;
  plStatus status = PL_OK;
  if (!rows)
    status = pl_fail(
        error, PL_ERROR_INPUT,
        "sensor '%s' (markers): its region holds no vertex of '%s'; regions are in the body's frame, on "
        "the mesh as given (`pliant info` prints its bounding box)",
        def->name, m->deform_name[body]);
  *first = PL_KEEP(&m->work->arena, int, rows + 1);
  if (!*first) status = pl_fail_out_of_memory(error, (size_t)rows * sizeof(int));
  if (!status)
    status = def->has_region   ? list_region(m, inside, body, list, *first, error)
             : def->npoint > 0 ? list_points(m, def, body, list, *first, error)
                               : list_grid(m, def, body, s, list, *first, error);
  assert(status || (s->rows == rows && (*first)[rows] == list->n));
  pl_free(inside);
  return status;
}

plStatus pl_compile_markers(const plSpec* spec, plModel* model, const plSensorDef* def, plSensor* sensor,
                            plSensorPlan* plan, plError* error) {
  plMarkers* k = &plan->markers;
  plArena* arena = &model->work->arena;
  List list = {0};
  plStatus status = list_all(model, def, plan->deform, sensor, &list, &k->vert0, error);
  if (!status) {
    k->vert = PL_KEEP(arena, int, list.n);
    k->weight = PL_KEEP(arena, double, list.n);
    k->start = PL_KEEP(arena, plVec3, sensor->rows);
    if (arena->failed)
      status = pl_fail_out_of_memory(error, 16 * (size_t)list.n);
    else {
      memcpy(k->vert, list.vert, (size_t)list.n * sizeof(int));
      memcpy(k->weight, list.weight, (size_t)list.n * sizeof(double));
      place(spec, model, plan, sensor->rows);
    }
  }
  pl_free(list.vert), pl_free(list.weight);
  return status;
}

// attach_rows.c: vertices held by a rigid body, another deformable or the world: g = x - anchor, three rows a
// vertex.
//
// The regularisation is that of the whole attachment, shared among its vertices by mass: R_i = R m / m_i with
// R = beta^2/(4 pi^2) w, w = 1/m with m the mass of the attached body, 1/m + 1/m_o where another deformable
// holds it. Stiffness and compliance of an attachment then do not depend on how finely its region is meshed.
#include <float.h>
#include <math.h>

#include "constraint/constraint.h"
#include "math/pose.h"
#include "rigid/tree.h"

static const double UNITS = 64;  // units of rounding, as in deform/accuracy.c

// What shares are taken of: the diagonal of the mass matrix (row sums may be negative at corners of quadratic
// tetrahedra).
static double diagonal_mass(const plData* data, int body, int vert) {
  const plModelWork* fixed = data->model->work;
  return data->par->deform_material[body].density * fixed->mass[body][fixed->pattern[body]->col0[vert]];
}

// The point that holds vertex i of a, and the holder's part of the rows.
static plStatus add_holder(const plModel* model, plData* data, plReduced* r, plRows* rows,
                           const plAttachment* a, int i, plPose pose, const plVec3 axes[3], plVec3* anchor) {
  plVec3 offset = v3_load(a->anchor + 3 * (size_t)i);
  if (a->other < 0) {
    *anchor = pose_apply(pose, offset);
    return pl_rows_add_body(model, data, r, rows, 0, a->body, *anchor, axes, -1, false);
  }
  int vert[4];
  const double* weight = a->weight + 4 * (size_t)i;
  *anchor = offset;
  for (int k = 0; k < 4; k++) {
    int v = a->target[4 * (size_t)i + (size_t)k];
    vert[k] = model->deform_vert0[a->other] + v;
    *anchor = v3_madd(*anchor, weight[k], v3_load(data->q + model->deform_q0[a->other] + 3 * (size_t)v));
  }
  return pl_rows_add_vertices(model, data, r, rows, a->other, 4, vert, weight, axes, -1);
}

static plStatus vertex_rows(const plModel* model, plData* data, plReduced* r, int index, int i, plPose pose,
                            double patch_mass) {
  const plAttachment* a = &data->attach[index];
  static const plVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const double one = 1;
  int vert = model->deform_vert0[a->deformable] + a->vert[i];
  plVec3 anchor, x = v3_load(data->q + model->deform_q0[a->deformable] + 3 * (size_t)a->vert[i]);
  plRows* rows = pl_rows_new(data, r, PL_ROWS_ATTACHMENT, index, 3);
  plSapRow* row = rows ? pl_rows_law(data, rows, PL_SAP_BILATERAL) : NULL;
  if (!row) return PL_ERROR_MEMORY;
  r->source[r->n - 1].part = i;
  plStatus status = pl_rows_add_vertices(model, data, r, rows, a->deformable, 1, &vert, &one, axes, 1);
  if (!status) status = add_holder(model, data, r, rows, a, i, pose, axes, &anchor);
  if (status) return status;
  double share = diagonal_mass(data, a->deformable, a->vert[i]) / patch_mass,
         w = 1 / (share * pl_deform_mass(data, a->deformable));
  if (a->other >= 0) w += 1 / (share * pl_deform_mass(data, a->other));
  double g[3] = {x.x - anchor.x, x.y - anchor.y, x.z - anchor.z};
  for (int k = 0; k < 3; k++)
    row[k] = pl_sap_holonomic(data->par->options.dt, g[k], share * a->stiffness, a->relaxation_time, w,
                              PL_SAP_BETA);
  plRowPlace place = {false, a->other < 0 ? a->body : -1, -1, anchor};
  pl_rows_slow_down(model, data, r, rows->c, place, pl_rows_near_rigid(w), 0, 3, row);
  return PL_OK;
}

plStatus pl_rows_attachments(const plModel* model, plData* data, plReduced* r) {
  for (int index = 0; index < data->nattach; index++) {
    const plAttachment* a = &data->attach[index];
    if (a->exact || !pl_attachment_holds(data, a)) continue;
    plPose pose = pl_body_pose(data, a->body);
    double mass = 0;
    for (int i = 0; i < a->nvert; i++) mass += diagonal_mass(data, a->deformable, a->vert[i]);
    for (int i = 0; i < a->nvert; i++) {
      plStatus status = vertex_rows(model, data, r, index, i, pose, mass);
      if (status) return status;
    }
  }
  return PL_OK;
}

// How far the holder of vertex i of a moves in the step at its point p, straight on.
static plStatus holder_way(const plModel* model, plData* data, const plAttachment* a, int i, plVec3 p,
                           const double* q1, const double* v1, plVec3* way) {
  const plOptions* o = &data->par->options;
  const plTree* tree = &data->work->forest;
  *way = v3(0, 0, 0);
  for (int k = 0; a->other >= 0 && k < 4; k++) {
    size_t at = (size_t)model->deform_q0[a->other] + 3 * (size_t)a->target[4 * (size_t)i + (size_t)k];
    *way =
        v3_madd(*way, a->weight[4 * (size_t)i + (size_t)k], v3_sub(v3_load(q1 + at), v3_load(data->q + at)));
  }
  int node = a->other >= 0 || a->body < 0 ? -1 : model->body_node[a->body];
  if (node < 0) return PL_OK;
  int t = pl_tree_of_node(tree, node), v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  double* J = PL_ARENA_NEW(&data->work->step, double, 6 * n);
  if (!J) return PL_ERROR_MEMORY;
  pl_tree_jacobian(tree, &data->work->tree, node, p, J);
  for (int j = 0; j < n; j++)
    *way = v3_madd(*way, o->dt * (o->theta_vq * v1[v0 + j] + (1 - o->theta_vq) * data->v[v0 + j]),
                   v3_load(J + 6 * j + 3));
  return PL_OK;
}

plStatus pl_attachments_gain(const plModel* model, plData* data, const double* q1, const double* v1,
                             double* gain) {
  double *net = PL_KEEP(&data->work->step, double, data->nattach),
         *rounding = PL_KEEP(&data->work->step, double, data->nattach);
  if (!net || !rounding) return PL_ERROR_MEMORY;
  for (int k = 0; k < data->nimpulse; k++) {
    const plImpulse* p = &data->impulse[k];
    if (p->kind != PL_IMPULSE_ATTACHMENT) continue;
    const plAttachment* a = &data->attach[p->index];
    size_t at = (size_t)model->deform_q0[a->deformable] + 3 * (size_t)a->vert[p->part];
    plVec3 way;
    plStatus status = holder_way(model, data, a, p->part, p->point_a, q1, v1, &way);
    if (status) return status;
    way = v3_sub(v3_sub(v3_load(q1 + at), v3_load(data->q + at)), way);
    plVec3 f = v3_scale(1 / data->par->options.dt, p->push.force);
    net[p->index] += v3_dot(f, way);
    rounding[p->index] += UNITS * DBL_EPSILON * v3_norm(f) * v3_norm(v3_load(q1 + at));
  }
  for (int i = 0; i < data->nattach; i++)
    if (!isfinite(data->attach[i].stiffness) && net[i] > rounding[i])
      gain[data->attach[i].deformable] += net[i];
  return PL_OK;
}

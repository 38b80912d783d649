// attach_rows.c: vertices held by a rigid body, another deformable or the world: g = x - anchor, three rows
// per vertex.
//
// The regularisation is that of the whole attachment, shared among its vertices by mass: R_i = R m / m_i with
// R = beta^2/(4 pi^2) w, where w = 1/m and m is the mass of the attached body, or w = 1/m + 1/m_o if another
// deformable holds it. Stiffness and compliance of an attachment therefore do not depend on the mesh of its
// region.
#include "constraint/constraint.h"
#include "math/pose.h"
#include "rigid/tree.h"

// The masses that define the shares: the diagonal of the mass matrix (row sums may be negative at corners of
// quadratic tetrahedra).
static double diagonal_mass(const plData* data, int body, int vert) {
  const plModelWork* fixed = data->model->work;
  return data->par->deform_material[body].density * fixed->mass[body][fixed->pattern[body]->col0[vert]];
}

static double held_mass(const plData* data, const plAttachment* a) {
  double mass = 0;
  for (int i = 0; i < a->nvert; i++) mass += diagonal_mass(data, a->deformable, a->vert[i]);
  return mass;
}

// w of a vertex with that share of the attachment's mass, relative to its holder.
static double mobility(const plData* data, const plAttachment* a, double share) {
  double w = 1 / (share * pl_deform_mass(data, a->deformable));
  return a->other >= 0 ? w + 1 / (share * pl_deform_mass(data, a->other)) : w;
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
  double share = diagonal_mass(data, a->deformable, a->vert[i]) / patch_mass, w = mobility(data, a, share),
         g[3] = {x.x - anchor.x, x.y - anchor.y, x.z - anchor.z};
  for (int k = 0; k < 3; k++)
    row[k] = pl_sap_holonomic(data->par->options.dt, g[k], share * a->stiffness, a->relaxation_time, w,
                              PL_SAP_BETA);
  plRowAnchors anchors = {false, a->other < 0 ? a->body : -1, -1, anchor, anchor};
  pl_rows_slow_down(model, data, r, rows->c, anchors, pl_rows_near_rigid(w), 0, 3, row);
  return PL_OK;
}

void pl_attachment_stiffness(const plData* data, const plAttachment* a, double dt, double* stiffness) {
  double mass = held_mass(data, a);
  for (int i = 0; i < a->nvert; i++) {
    double share = diagonal_mass(data, a->deformable, a->vert[i]) / mass;
    plSapRow unit = pl_sap_holonomic(dt, 1, share * a->stiffness, a->relaxation_time,
                                     mobility(data, a, share), PL_SAP_BETA);
    stiffness[i] = -unit.v_hat / (dt * unit.R);
  }
}

plStatus pl_rows_attachments(const plModel* model, plData* data, plReduced* r) {
  for (int index = 0; index < data->nattach; index++) {
    const plAttachment* a = &data->attach[index];
    if (a->exact || !pl_attachment_holds(data, a)) continue;
    plPose pose = pl_body_pose(data, a->body);
    double mass = held_mass(data, a);
    for (int i = 0; i < a->nvert; i++) {
      plStatus status = vertex_rows(model, data, r, index, i, pose, mass);
      if (status) return status;
    }
  }
  return PL_OK;
}

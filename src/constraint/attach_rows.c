// attach_rows.c: vertices held by a rigid body or the world: g = x - anchor, three rows a vertex.
//
// The regularisation is that of the whole attachment, shared among its vertices by mass: R_i = R m / m_i with R = beta^2/(4 pi^2) / m, m the
// mass of the attached body. Stiffness and compliance of an attachment then do not depend on how finely its region is meshed.
#include <math.h>

#include "constraint/constraint.h"
#include "math/pose.h"

static plStatus vertex_rows(const plModel* model, plData* data, plReduced* r, int index, int i, plPose pose, double patch_mass) {
  const plAttachment* a = &data->attach[index];
  static const plVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const double one = 1;
  int vert = model->deform_vert0[a->deformable] + a->vert[i];
  plVec3 anchor = pose_apply(pose, v3_load(a->anchor + 3 * (size_t)i));
  plVec3 x = v3_load(data->q + model->deform_q0[a->deformable] + 3 * (size_t)a->vert[i]);
  plSapConstraint* c = pl_rows_new(data, r, PL_ROWS_ATTACHMENT, index, 3);
  plSapRow* row = PL_KEEP(&data->work->step, plSapRow, 3);
  if (!c || !row) return PL_ERROR_MEMORY;
  plStatus status = pl_rows_add_vertices(model, data, r, c, a->deformable, 1, &vert, &one, axes, 1);
  if (!status) status = pl_rows_add_body(model, data, r, c, 0, a->body, anchor, axes, -1, false);
  if (status) return status;
  double share = model->vert_mass[vert] / patch_mass, w = 1 / (share * model->deform_mass[a->deformable]);
  double g[3] = {x.x - anchor.x, x.y - anchor.y, x.z - anchor.z};
  for (int k = 0; k < 3; k++)
    row[k] = pl_sap_holonomic(model->options.dt, g[k], share * a->stiffness, a->relaxation_time, w, PL_SAP_BETA);
  c->law = PL_SAP_BILATERAL;
  c->row = row;
  return PL_OK;
}

plStatus pl_rows_attachments(const plModel* model, plData* data, plReduced* r) {
  for (int index = 0; index < data->nattach; index++) {
    const plAttachment* a = &data->attach[index];
    if (!a->on || !data->on[PL_SWITCH_DEFORMABLE][a->deformable]) continue;
    plPose pose = pl_body_pose(data, a->body);
    double mass = 0;
    for (int i = 0; i < a->nvert; i++) mass += model->vert_mass[model->deform_vert0[a->deformable] + a->vert[i]];
    for (int i = 0; i < a->nvert; i++) {
      plStatus status = vertex_rows(model, data, r, index, i, pose, mass);
      if (status) return status;
    }
  }
  return PL_OK;
}

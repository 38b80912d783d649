// attach.c: the discrete state: attachments made and released, and switches, while the simulation runs.
#include "base/error.h"
#include "constraint/constraint.h"
#include "math/pose.h"
#include "rigid/tree.h"

#include <string.h>

void pl_free_attachments(plData* data, int first) {
  for (int i = first; i < data->nattach; i++) pl_free(data->attach[i].vert), pl_free(data->attach[i].anchor);
  if (data->nattach > first) data->nattach = first;
}

// Anchors where the vertices are now, in the frame of the rigid body.
static void anchor_here(plData* data, plAttachment* a) {
  const plModel* model = data->model;
  if (model->nv_rigid) pl_tree_kinematics(model->work->tree, data->q, model->options.gravity, &data->work->tree);
  plPose pose = pl_body_pose(data, a->body);
  const double* q = data->q + model->deform_q0[a->deformable];
  for (int i = 0; i < a->nvert; i++) v3_store(a->anchor + 3 * (size_t)i, pose_apply_inverse(pose, v3_load(q + 3 * (size_t)a->vert[i])));
}

static plStatus add(plData* data, int deformable, const int* vert, int nvert, int body, double stiffness, double relaxation, bool on) {
  plAttachment a = {.on = on, .deformable = deformable, .body = body, .nvert = nvert, .stiffness = stiffness, .relaxation_time = relaxation};
  a.vert = PL_NEW(int, nvert);
  a.anchor = PL_NEW(double, 3 * (size_t)nvert);
  if (!a.vert || !a.anchor || !pl_grow((void**)&data->attach, &data->work->attach_cap, data->nattach, sizeof a)) {
    pl_free(a.vert), pl_free(a.anchor);
    return PL_ERROR_MEMORY;
  }
  memcpy(a.vert, vert, (size_t)nvert * sizeof(int));
  anchor_here(data, &a);
  data->attach[data->nattach++] = a;
  return PL_OK;
}

bool pl_reset_attachments(plData* data) {
  const plModel* m = data->model;
  pl_free_attachments(data, 0);
  for (int i = 0; i < m->nattach; i++) {
    int first = m->attach_vert0[i], n = m->attach_vert0[i + 1] - first;
    if (add(data, m->attach_deform[i], m->attach_vert + first, n, m->attach_body[i], m->attach_stiffness[i], m->attach_relaxation[i],
            !m->attach_off[i]))
      return false;
  }
  return true;
}

plStatus pl_attach(plData* data, int deformable, const int* vert, int nvert, int body, int* id, plError* error) {
  const plModel* m = data->model;
  if (deformable < 0 || deformable >= m->ndeform || body < -1 || body >= m->nbody)
    return pl_fail(error, PL_ERROR_INPUT, "there is no deformable %d or no rigid body %d", deformable, body);
  if (nvert < 1) return pl_fail(error, PL_ERROR_INPUT, "an attachment needs at least one vertex");
  for (int i = 0; i < nvert; i++)
    if (vert[i] < 0 || vert[i] >= m->deform_vert0[deformable + 1] - m->deform_vert0[deformable])
      return pl_fail(error, PL_ERROR_INPUT, "'%s' has no vertex %d", m->deform_name[deformable], vert[i]);
  if (add(data, deformable, vert, nvert, body, INFINITY, 0, true)) return pl_fail_out_of_memory(error, (size_t)nvert * 32);
  if (id) *id = data->nattach - 1;
  return PL_OK;
}

plStatus pl_attachment_set(plData* data, int id, bool on, plError* error) {
  if (id < 0 || id >= data->nattach) return pl_fail(error, PL_ERROR_INPUT, "there is no attachment %d; there are %d", id, data->nattach);
  plAttachment* a = &data->attach[id];
  if (on && !a->on) anchor_here(data, a);
  a->on = on;
  return PL_OK;
}

int pl_switch_count(const plModel* model, plSwitch kind) {
  const int count[PL_SWITCH_COUNT] = {model->nconstraint, model->nv_rigid, model->nv_rigid, model->nact, model->ngeom, model->ndeform};
  return (int)kind >= 0 && kind < PL_SWITCH_COUNT ? count[kind] : 0;
}

plStatus pl_switch_set(plData* data, plSwitch kind, int index, bool on, plError* error) {
  if (index < 0 || index >= pl_switch_count(data->model, kind))
    return pl_fail(error, PL_ERROR_INPUT, "there is no switch %d of kind %d; there are %d", index, (int)kind, pl_switch_count(data->model, kind));
  data->on[kind][index] = on;
  return PL_OK;
}

// attach.c: the discrete state: attachments made and released, and switches, while the simulation runs.
#include "base/error.h"
#include "constraint/constraint.h"
#include "math/pose.h"
#include "rigid/tree.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void pl_free_attachments(plData* data, int first) {
  for (int i = first; i < data->nattach; i++) pl_attachment_free(&data->attach[i]);
  if (data->nattach > first) data->nattach = first;
}

// Anchors at the present positions of the vertices, in the frame of the rigid body, or the tetrahedra that
// hold them.
static plStatus anchor_here(plData* data, plAttachment* a) {
  if (a->other >= 0) return pl_attachment_find_targets(data, a);
  const plModel* model = data->model;
  if (model->nv_rigid)
    pl_tree_kinematics(&data->work->forest, data->q, data->par->options.gravity, &data->work->tree);
  plPose pose = pl_body_pose(data, a->body);
  const double* q = data->q + model->deform_q0[a->deformable];
  for (int i = 0; i < a->nvert; i++)
    v3_store(a->anchor + 3 * (size_t)i, pose_apply_inverse(pose, v3_load(q + 3 * (size_t)a->vert[i])));
  return PL_OK;
}

// Whether all positions are finite: vertices are attached at their present positions.
static bool is_finite(const plData* data) {
  for (int i = 0; i < data->model->nq; i++)
    if (!isfinite(data->q[i])) return false;
  return true;
}
static plStatus fail_not_finite(plError* error) {
  return pl_fail(error, PL_ERROR_NOT_FINITE,
                 "q holds NaN or infinity: vertices are attached where they are; set q first");
}

// Adds the attachment (without its arrays) for these vertices.
static plStatus add(plData* data, plAttachment a, const int* vert) {
  if (!pl_attachment_alloc(&a) ||
      !pl_grow((void**)&data->attach, &data->work->attach_cap, data->nattach, sizeof a)) {
    pl_attachment_free(&a);
    return PL_ERROR_MEMORY;
  }
  memcpy(a.vert, vert, (size_t)a.nvert * sizeof(int));
  plStatus status = anchor_here(data, &a);
  if (status) return pl_attachment_free(&a), status;
  data->attach[data->nattach++] = a;
  return PL_OK;
}

bool pl_reset_attachments(plData* data) {
  const plModel* m = data->model;
  pl_free_attachments(data, 0);
  for (int i = 0; i < m->nattach; i++) {
    int first = m->attach_vert0[i];
    plAttachment a = {.on = !m->attach_off[i],
                      .exact = m->attach_exact[i],
                      .deformable = m->attach_deform[i],
                      .body = m->attach_body[i],
                      .other = m->attach_other[i],
                      .nvert = m->attach_vert0[i + 1] - first,
                      .stiffness = data->par->attach_stiffness[i],
                      .relaxation_time = data->par->attach_relaxation[i]};
    if (add(data, a, m->attach_vert + first)) return false;
  }
  return true;
}

// A new attachment at run time to a rigid body, or to another deformable.
static plStatus attach(plData* data, int deformable, const int* vert, int nvert, int body, int other, int* id,
                       plError* error) {
  const plModel* m = data->model;
  if (deformable < 0 || deformable >= m->ndeform)
    return pl_fail(error, PL_ERROR_INPUT, "there is no deformable %d", deformable);
  if (nvert < 1) return pl_fail(error, PL_ERROR_INPUT, "an attachment needs at least one vertex");
  if (!is_finite(data)) return fail_not_finite(error);
  for (int i = 0; i < nvert; i++)
    if (vert[i] < 0 || vert[i] >= m->deform_vert0[deformable + 1] - m->deform_vert0[deformable])
      return pl_fail(error, PL_ERROR_INPUT, "'%s' has no vertex %d", m->deform_name[deformable], vert[i]);
  plAttachment a = {.on = true,
                    .deformable = deformable,
                    .body = body,
                    .other = other,
                    .nvert = nvert,
                    .stiffness = INFINITY};
  if (add(data, a, vert)) return pl_fail_out_of_memory(error, (size_t)nvert * 32);
  if (id) *id = data->nattach - 1;
  return PL_OK;
}

plStatus pl_attach(plData* data, int deformable, const int* vert, int nvert, int body, int* id,
                   plError* error) {
  assert(data != NULL);
  assert(vert != NULL || nvert == 0);
  if (body < -1 || body >= data->model->nbody)
    return pl_fail(error, PL_ERROR_INPUT, "there is no rigid body %d", body);
  return attach(data, deformable, vert, nvert, body, -1, id, error);
}

plStatus pl_attach_deformable(plData* data, int deformable, const int* vert, int nvert, int other, int* id,
                              plError* error) {
  assert(data != NULL);
  assert(vert != NULL || nvert == 0);
  if (other < 0 || other >= data->model->ndeform || other == deformable)
    return pl_fail(error, PL_ERROR_INPUT,
                   "there is no other deformable %d that could hold vertices of deformable %d", other,
                   deformable);
  return attach(data, deformable, vert, nvert, -1, other, id, error);
}

plStatus pl_attachment_set(plData* data, int id, bool on, plError* error) {
  assert(data != NULL);
  if (id < 0 || id >= data->nattach)
    return pl_fail(error, PL_ERROR_INPUT, "there is no attachment %d; there are %d", id, data->nattach);
  plAttachment* a = &data->attach[id];
  if (on && !a->on && !is_finite(data)) return fail_not_finite(error);
  if (on && !a->on && anchor_here(data, a)) return pl_fail_out_of_memory(error, (size_t)a->nvert * 32);
  a->on = on;
  return PL_OK;
}

plStatus pl_switch_set(plData* data, plSwitch kind, int index, bool on, plError* error) {
  assert(data != NULL);
  if (index < 0 || index >= pl_switch_count(data->model, kind))
    return pl_fail(error, PL_ERROR_INPUT, "there is no switch %d of kind %d; there are %d", index, (int)kind,
                   pl_switch_count(data->model, kind));
  data->on[kind][index] = on;
  return PL_OK;
}

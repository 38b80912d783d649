// partition.c: participating vertices. Paper: VI.A.
//
// in: work->point, attachments -> out: participating, nparticipating; the factor's symbolic part
#include <assert.h>
#include <string.h>

#include "constraint/constraint.h"
#include "deform/deform.h"

static void mark(const plModel* model, const plContactSide* side, bool* touched) {
  for (int k = 0; k < side->nvert; k++) {
    assert(side->vert[k] >= model->deform_vert0[side->body] &&
           side->vert[k] < model->deform_vert0[side->body + 1]);
    touched[side->vert[k]] = true;
  }
}

// Vertices counted in their body.
static void mark_listed(const plModel* model, int body, const int* vert, int n, bool* touched) {
  int vert0 = model->deform_vert0[body], end = model->deform_vert0[body + 1];
  for (int k = 0; k < n; k++) {
    assert(vert[k] >= 0 && vert0 + vert[k] < end);
    touched[vert0 + vert[k]] = true;
  }
}

static plStatus partition_of(const plModel* model, plData* data, int b, void* context) {
  plWork* work = data->work;
  const bool* touched = context;
  int vert0 = model->deform_vert0[b], n = 0, before = work->nparticipating[b],
      *list = work->participating + vert0;
  bool same = true;
  for (int i = vert0; i < model->deform_vert0[b + 1]; i++) {
    if (!touched[i]) continue;
    same = same && n < before && list[n] == i - vert0;
    list[n++] = i - vert0;
  }
  work->nparticipating[b] = n, work->same_participating[b] = same && n == before;
  return pl_chol_partition(work->chol[b], list, n, work->error);
}

plStatus pl_constraint_partition(const plModel* model, plData* data) {
  plWork* work = data->work;
  plStatus status = pl_constraint_points(model, data);
  if (status) return status;
  bool* touched = PL_KEEP(&work->step, bool, model->nvert);
  if (!touched) return PL_ERROR_MEMORY;
  for (int i = 0; work->participate_all && i < model->nvert; i++) touched[i] = true;
  for (int i = 0; i < work->npoint; i++) {
    mark(model, &work->point[i].a, touched);
    mark(model, &work->point[i].b, touched);
  }
  for (int i = 0; i < data->nattach; i++) {
    const plAttachment* a = &data->attach[i];
    if (!pl_attachment_holds(data, a)) continue;
    mark_listed(model, a->deformable, a->vert, a->nvert, touched);
    if (a->other >= 0) mark_listed(model, a->other, a->target, 4 * a->nvert, touched);
  }
  status = pl_deform_each(model, data, partition_of, touched);
  if (status) return status;
  data->report.contacts = work->npoint;
  return PL_OK;
}

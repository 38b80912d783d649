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

// The bodies whose symbolic factorizations are built beside the next stage, one after another.
typedef struct plPartitionJob {
  plData* data;
  bool* touched;  // [nvert]
  int n;
  int* body;  // [n]
  plStatus status;
  plError error;
} plPartitionJob;

static plStatus rebuild(plData* data, int b, plError* error) {
  plWork* work = data->work;
  return pl_chol_partition(work->chol[b], work->participating + data->model->deform_vert0[b],
                           work->nparticipating[b], error);
}

static void rebuild_all(void* context, int begin, int end, int worker) {
  plPartitionJob* job = context;
  (void)begin, (void)end, (void)worker;
  for (int k = 0; k < job->n && !job->status; k++)
    job->status = rebuild(job->data, job->body[k], &job->error);
}

static plStatus partition_of(const plModel* model, plData* data, int b, void* context) {
  plWork* work = data->work;
  plPartitionJob* job = context;
  int vert0 = model->deform_vert0[b], n = 0, before = work->nparticipating[b],
      *list = work->participating + vert0;
  bool same = true;
  for (int i = vert0; i < model->deform_vert0[b + 1]; i++) {
    if (!job->touched[i]) continue;
    same = same && n < before && list[n] == i - vert0;
    list[n++] = i - vert0;
  }
  work->nparticipating[b] = n, work->same_participating[b] = same && n == before;
  // a distributed body has no pool
  if (!work->pool || pl_chol_is_partitioned(work->chol[b], list, n)) return rebuild(data, b, work->error);
  job->body[job->n++] = b;
  return PL_OK;
}

plStatus pl_constraint_partition(const plModel* model, plData* data) {
  plWork* work = data->work;
  plStatus status = pl_constraint_points(model, data);
  if (status) return status;
  plPartitionJob* job = PL_ARENA_NEW(&work->step, plPartitionJob, 1);
  bool* touched = PL_KEEP(&work->step, bool, model->nvert);
  int* body = PL_ARENA_NEW(&work->step, int, model->ndeform);
  if (!job || !touched || !body) return PL_ERROR_MEMORY;
  *job = (plPartitionJob){.data = data, .touched = touched, .body = body};
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
  status = pl_deform_each(model, data, partition_of, job);
  if (status) return status;
  data->report.contacts = work->npoint;
  if (job->n) pl_pool_aside(work->pool, rebuild_all, work->partition_job = job);
  return PL_OK;
}

plStatus pl_constraint_partition_end(plData* data) {
  plWork* work = data->work;
  plPartitionJob* job = work->partition_job;
  if (!job) return PL_OK;
  pl_pool_join(work->pool);
  work->partition_job = NULL;
  if (job->status) *work->error = job->error;
  return job->status;
}

// ik.c: joint rates that bring a body of each row to a target of its own.
#include <assert.h>
#include <math.h>

#include "base/error.h"
#include "batch/batch.h"

typedef struct Ik {
  const plIkDef* def;
  const plPose* target;
  double* rate;
  atomic_int failed;  // index of a row whose target is not valid, -1: none; the first one is kept
} Ik;

static void ik_row(plBatch* batch, int row, int place, plSeat* seat, void* context) {
  Ik* ik = context;
  plIkDef def = *ik->def;
  def.target = ik->target[place];
  plStatus status = pl_row_load(batch, row, seat, NULL);
  if (!status)
    status = pl_ik_step(seat->data, &def, ik->rate + (size_t)place * (size_t)batch->model->nv_rigid, NULL);
  if (!status) return;
  int first = atomic_load(&ik->failed);
  while ((first < 0 || place < first) && !atomic_compare_exchange_weak(&ik->failed, &first, place)) {
  }
}

plStatus pl_batch_ik(plBatch* batch, const int* row, int nrow, const plIkDef* def, const plPose* target,
                     double* rate, plError* error) {
  assert(batch != NULL && def != NULL && target != NULL && rate != NULL);
  plStatus status = pl_rows_begin(batch, &row, &nrow, error);
  if (status) return status;
  Ik ik = {def, target, rate, -1};
  pl_rows_run(batch, row, nrow, ik_row, &ik);
  pl_rows_end(batch, row, nrow);
  int failed = atomic_load(&ik.failed);
  if (failed < 0) return PL_OK;
  // once more, for the message
  plIkDef first = *def;
  plError wrong;
  first.target = target[failed];
  status = pl_row_load(batch, row[failed], &batch->work->seat[0], &wrong);
  if (!status)
    status = pl_ik_step(batch->work->seat[0].data, &first,
                        rate + (size_t)failed * (size_t)batch->model->nv_rigid, &wrong);
  return pl_fail(error, status ? status : PL_ERROR_INPUT, "row %d: %.700s", row[failed], wrong.message);
}

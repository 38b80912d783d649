// batch.h: many simulations of one model, stepped by all processors.
//
// A batch has rows of state and one plData a thread. The arrays below are the rows' state itself: what is
// written there counts from the next step on. A row gets the same bits as a plData that is stepped alone,
// whatever the number of threads and the order of the rows.
//
//   plBatch* batch = pl_batch_create(model, 1024, 0, &error);
//   int view;
//   pl_batch_watch(batch, "block.com, contact(hand,block).force", &view, &error);
//   for (int i = 0; i < 1024; i++) batch->u[i * model->nu] = action[i];
//   plStatus status = pl_batch_step(batch, NULL, 0, 4, &error);        // all rows, 4 steps each
//   if (status == PL_ERROR_ROWS) pl_batch_reset(batch, failed, nfailed, &error);
//   const double* seen = batch->view[view];                            // [1024][pl_batch_width(batch, view)]
//
// Every call that takes rows takes a list of different row numbers, or NULL for all. Input that is wrong is
// PL_ERROR_INPUT, with a sentence that names the row, and changes nothing. One thread at a time may use a
// batch. SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_BATCH_H
#define PLIANT_BATCH_H

#include "pliant/data.h"
#include "pliant/ik.h"
#include "pliant/output.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plBatch {
  const plModel* model;
  int nrow;
  int threads;

  // ---- the rows' state, to be read and written between calls
  double* time;    // [nrow] s
  double* q;       // [nrow][nq] positions, as in plData
  double* v;       // [nrow][nv] velocities
  double* u;       // [nrow][nu] actuator inputs
  double* f_user;  // [nrow][nv] generalised forces added by the user (N, Nm), kept until changed

  // ---- written by the last call that stepped or set the row
  plStatus* status;  // [nrow]
  int* steps;        // [nrow] steps that it took
  double* cost;      // [nrow] s of wall time a step; rows that cost much are begun first
  double** view;     // [nview] each [nrow][width]: signals (pl_batch_watch)
  int nview;
  unsigned char* reading;  // [nrow][model->reading_bytes] of sensors, as in plData (sensor.h)

  struct plBatchWork* work;  // threads, their simulations, the rest of the rows (src/batch/batch.h)
} plBatch;

// nrow rows at the model's start with the model's parameters; threads 0: one for each processor that the
// program may use. NULL on failure.
PL_API plBatch* pl_batch_create(const plModel* model, int nrow, int threads, plError* error);
PL_API void pl_batch_destroy(plBatch* batch);

// ---- stepping

// nstep steps of each row. A row that fails keeps the state before the step that failed and its error, the
// others go on: then PL_ERROR_ROWS, and batch->status says which. The next call tries it again.
PL_API plStatus pl_batch_step(plBatch* batch, const int* row, int nrow, int nstep, plError* error);
// What went wrong in a row, as a sentence; "" if nothing did.
PL_API const char* pl_batch_error(const plBatch* batch, int row);

// n times: the inputs become u [nrow][n][nu] (NULL: they stay), then nstep steps, then the signals of a view
// go to out [nrow][n][width]; i-th of u and out: i-th row of the list. Rows go on without waiting for each
// other. Behind a failed step out is not a number.
PL_API plStatus pl_batch_rollout(plBatch* batch, const int* row, int nrow, const double* u, int n, int nstep,
                                 int view, double* out, plError* error);

// ---- signals

// A list of signals (output.h) that is filled for each row after it was stepped, reset or set: *view is its
// number in batch->view. A row that fails keeps what it had. Where no step led to the state, there are no
// contacts and no forces.
PL_API plStatus pl_batch_watch(plBatch* batch, const char* list, int* view, plError* error);
PL_API int pl_batch_width(const plBatch* batch, int view);
// For names and units.
PL_API const plSignals* pl_batch_signals(const plBatch* batch, int view);
// Fills all views from the state as it is now, after it was written by hand.
PL_API plStatus pl_batch_look(plBatch* batch, const int* row, int nrow, plError* error);

// ---- setting rows; parameters belong to the state, but for pl_batch_reset

// Back to the model's start; parameters stay.
PL_API plStatus pl_batch_reset(plBatch* batch, const int* row, int nrow, plError* error);
// To the state of another row.
PL_API plStatus pl_batch_copy(plBatch* batch, int from, const int* row, int nrow, plError* error);
// To the state of a simulation of the same model, and back.
PL_API plStatus pl_batch_set(plBatch* batch, const int* row, int nrow, const plData* data, plError* error);
PL_API plStatus pl_batch_get(plBatch* batch, int row, plData* data, plError* error);
// To bytes of pl_state_get, and back.
PL_API plStatus pl_batch_state_set(plBatch* batch, const int* row, int nrow, const void* bytes, size_t size,
                                   plError* error);
PL_API size_t pl_batch_state_size(const plBatch* batch, int row);
PL_API plStatus pl_batch_state_get(plBatch* batch, int row, void* bytes, size_t size, plError* error);

// ---- inverse kinematics of rows (ik.h)

// As pl_ik_step for each row, with a target of its own: target [nrow] instead of def->target, rate
// [nrow][nv_rigid]; i-th of both: i-th row of the list. No row changes.
PL_API plStatus pl_batch_ik(plBatch* batch, const int* row, int nrow, const plIkDef* def,
                            const plPose* target, double* rate, plError* error);

// ---- parameters of rows (parameters.h)

// value [nrow] for the rows of the list. On failure no row changes.
PL_API plStatus pl_batch_vary(plBatch* batch, const char* path, const int* row, int nrow, const double* value,
                              plError* error);
// By number; not a number if there is no such row or parameter.
PL_API double pl_batch_parameter(const plBatch* batch, int row, int index);
// Back to the model's.
PL_API plStatus pl_batch_parameters_reset(plBatch* batch, const int* row, int nrow, plError* error);

// Bytes that the rows take, without the threads' simulations.
PL_API size_t pl_batch_memory(const plBatch* batch);

#ifdef __cplusplus
}
#endif
#endif

// batch.h: many simulations of one model, stepped by all processors.
//
// A batch holds the state of many simulations (rows) and one plData per thread. The arrays below are the
// state itself: values written there are used from the next step on. A row gets the same bits as a plData
// that is stepped alone, whatever the number of threads and the order of the rows.
//
//   plBatch* batch = pl_batch_create(model, 1024, 0, &error);
//   int view;
//   pl_batch_watch(batch, "block.com, contact(hand,block).force", &view, &error);
//   for (int i = 0; i < 1024; i++) batch->u[i * model->nu] = action[i];
//   plStatus status = pl_batch_step(batch, NULL, 0, 4, &error);        // all rows, 4 steps each
//   if (status == PL_ERROR_ROWS) pl_batch_reset(batch, failed, nfailed, &error);
//   const double* seen = batch->view[view];                            // [1024][pl_batch_width(batch, view)]
//
// Every function with rows takes a list of different row numbers, or NULL for all rows. Wrong input fails
// with PL_ERROR_INPUT and a sentence that names the row, and changes nothing. One thread at a time may use a
// batch.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_BATCH_H
#define PLIANT_BATCH_H

#include "pliant/data.h"
#include "pliant/ik.h"
#include "pliant/output.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plBatch {
  const plModel* model;  // the model of all rows
  int nrow;              // number of simulations
  int threads;           // number of threads that step them

  // ---- the rows' state, to be read and written between calls
  double* time;    // [nrow] s
  double* q;       // [nrow][nq] positions, as in plData
  double* v;       // [nrow][nv] velocities
  double* u;       // [nrow][nu] actuator inputs
  double* f_user;  // [nrow][nv] generalised forces of the user (N, Nm); they stay until changed

  // ---- results of the last call that stepped or set the row
  plStatus* status;        // [nrow] PL_OK, or why the row's last step failed
  int* steps;              // [nrow] number of steps taken in that call
  double* cost;            // [nrow] s of wall time per step; expensive rows are started first
  double** view;           // [nview] signals of each view, [nrow][width] (pl_batch_watch)
  int nview;               // number of views
  unsigned char* reading;  // [nrow][model->reading_bytes] readings of sensors, as in plData (sensor.h)

  struct plBatchWork* work;  // threads, their simulations and the rest of the rows' state (src/batch/batch.h)
} plBatch;

// Creates a batch of nrow rows in the model's initial state with the model's parameters. threads = 0 uses one
// thread for each processor that the program may use. Returns NULL on failure.
PL_API plBatch* pl_batch_create(const plModel* model, int nrow, int threads, plError* error);
PL_API void pl_batch_destroy(plBatch* batch);

// ---- stepping

// Takes nstep steps of each row. A row that fails keeps its error and the state before the failed step; the
// other rows continue. In that case the function returns PL_ERROR_ROWS, and batch->status says which rows
// failed. The next call tries them again.
PL_API plStatus pl_batch_step(plBatch* batch, const int* row, int nrow, int nstep, plError* error);
// What went wrong in a row, as a sentence; "" if nothing did.
PL_API const char* pl_batch_error(const plBatch* batch, int row);

// Repeats n times: sets the inputs to u [nrow][n][nu] (NULL leaves them), takes nstep steps, and writes the
// signals of a view to out [nrow][n][width]. Entry i of u and out belongs to row i of the list. Rows do not
// wait for each other. After a failed step the rest of the row's out is NaN.
PL_API plStatus pl_batch_rollout(plBatch* batch, const int* row, int nrow, const double* u, int n, int nstep,
                                 int view, double* out, plError* error);

// A callback that ends a long pl_batch_step or pl_batch_rollout: true ends it. It must not use the batch.
typedef bool plBatchStop(void* user);
// Sets the callback; NULL removes it. user is passed to it. It is called on the calling thread about every
// 50 ms, between two steps of a row or while other threads finish. After it returned true each row ends with
// the step that it is in, and the call returns PL_ERROR_CANCELLED. The state of each row is then that after
// batch->steps of its steps, 0 for a row that did not begin, and the rest of its out in a rollout is NaN.
PL_API void pl_batch_set_stop(plBatch* batch, plBatchStop* stop, void* user);

// ---- signals

// Adds a list of signals (output.h) that is evaluated for each row after it was stepped, reset or set; *view
// gets its index in batch->view. A row that fails keeps its old values. If no step led to the state, there
// are no contacts and no forces.
PL_API plStatus pl_batch_watch(plBatch* batch, const char* list, int* view, plError* error);
PL_API int pl_batch_width(const plBatch* batch, int view);
// The signals of a view, for their names and units.
PL_API const plSignals* pl_batch_signals(const plBatch* batch, int view);
// Evaluates all views for the present state. Call it after writing the state by hand.
PL_API plStatus pl_batch_look(plBatch* batch, const int* row, int nrow, plError* error);
// Starts the sensors of rows again at the present state, as pl_sensor_restart does: with a seed of the noise
// for each row of the list (NULL: 0), for episodes that differ in it. Call it after writing the state by
// hand.
PL_API plStatus pl_batch_restart_sensors(plBatch* batch, const int* row, int nrow, const int* seed,
                                         plError* error);

// ---- setting rows. Parameters are part of the state and change with it, except in pl_batch_reset.

// Sets rows to the model's initial state; their parameters do not change.
PL_API plStatus pl_batch_reset(plBatch* batch, const int* row, int nrow, plError* error);
// Sets rows to the state of another row.
PL_API plStatus pl_batch_copy(plBatch* batch, int from, const int* row, int nrow, plError* error);
// Set rows to the state of a simulation of the same model, and a simulation to that of a row.
PL_API plStatus pl_batch_set(plBatch* batch, const int* row, int nrow, const plData* data, plError* error);
PL_API plStatus pl_batch_get(plBatch* batch, int row, plData* data, plError* error);
// Set rows from the bytes of pl_state_get, and write a row as such bytes.
PL_API plStatus pl_batch_state_set(plBatch* batch, const int* row, int nrow, const void* bytes, size_t size,
                                   plError* error);
PL_API size_t pl_batch_state_size(const plBatch* batch, int row);
PL_API plStatus pl_batch_state_get(plBatch* batch, int row, void* bytes, size_t size, plError* error);

// ---- inverse kinematics of rows (ik.h)

// Calls pl_ik_step for each row with a target of its own: target [nrow] replaces def->target, and the result
// is rate [nrow][nv_rigid]. Entry i of both belongs to row i of the list. No row changes.
PL_API plStatus pl_batch_ik(plBatch* batch, const int* row, int nrow, const plIkDef* def,
                            const plPose* target, double* rate, plError* error);

// ---- parameters of rows (parameters.h)

// Sets a parameter of the listed rows to value [nrow]. On failure no row changes.
PL_API plStatus pl_batch_vary(plBatch* batch, const char* path, const int* row, int nrow, const double* value,
                              plError* error);
// The value of a parameter by its number; NaN if there is no such row or parameter.
PL_API double pl_batch_parameter(const plBatch* batch, int row, int index);
// Sets the parameters of rows to the model's.
PL_API plStatus pl_batch_parameters_reset(plBatch* batch, const int* row, int nrow, plError* error);

// Bytes of memory of the rows, not counting the simulations of the threads.
PL_API size_t pl_batch_memory(const plBatch* batch);

#ifdef __cplusplus
}
#endif
#endif

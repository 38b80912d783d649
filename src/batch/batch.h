// batch.h: data of a batch besides its public arrays.
//
// Most rows share their discrete part (switches, attachments, forces on bodies) and their parameters: both
// are reference-counted blocks that are never changed while shared.
#ifndef PL_BATCH_BATCH_H
#define PL_BATCH_BATCH_H

#include <stdatomic.h>

#include "model/state.h"
#include "pliant/batch.h"

typedef struct plBlock {
  atomic_int users;
  size_t size;        // of bytes
  void* bytes;        // the discrete part as state_discrete.c writes it, or
  plParameters* par;  // parameters
} plBlock;

// The part of a row's state that is not in the public arrays.
typedef struct plRow {
  plBlock* discrete;
  plBlock* par;
  long step;    // since its start
  bool placed;  // it was set and has not been stepped since
  bool fresh;   // at the start: the first samples of its sensors have not been taken yet
  int seed;     // fresh: of their noise
  char* error;  // NULL: none
} plRow;

// A thread's simulation and the blocks that it has loaded.
typedef struct plSeat {
  plData* data;
  plBlock *discrete, *par;
  plSignals** signals;  // [nview]
} plSeat;

typedef struct plBatchWork {
  plPool* pool;
  plSeat* seat;  // [threads]
  plRow* row;    // [nrow]
  int* order;    // [nrow] rows of the present call, the most expensive first
  int* all;      // [nrow] 0, 1, ...
  int* place;    // [nrow] index of a row in the caller's list, -1: not listed
  plBlock *start_discrete, *start_par;
  unsigned char* samples;  // [nrow][model->work->sensor_bytes] of sensors
  int view_cap;
  // The user's callback that ends a call (run.c). Only the calling thread, which has the first seat, asks it.
  plBatchStop* stop;
  void* stop_user;
  bool asking;        // the present call can be ended
  double ask_at;      // pl_now() of the next question
  atomic_bool ended;  // it was ended
} plBatchWork;

// ---- blocks (row.c)

plBlock* pl_block_discrete(const plData* data);
plBlock* pl_block_parameters(const plModel* model, const plParameters* par);
void pl_block_take(plBlock** to, plBlock* block);  // to releases its previous block; NULL is allowed

// ---- rows (row.c)

// Loads a row into a thread's simulation, and stores it again.
plStatus pl_row_load(plBatch* batch, int row, plSeat* seat, plError* error);
plStatus pl_row_store(plBatch* batch, int row, plSeat* seat, plError* error);
// Samples and readings of sensors into the row.
void pl_row_store_samples(plBatch* batch, int row, const plData* data);
// The signals of all views; the state is loaded.
plStatus pl_row_look(plBatch* batch, int row, plSeat* seat, plError* error);
void pl_row_fail(plBatch* batch, int row, plStatus status, const plError* error);

// ---- calls on many rows (run.c)

// Checks the list; NULL becomes all rows. work->place is set until pl_rows_end.
plStatus pl_rows_begin(plBatch* batch, const int** row, int* nrow, plError* error);
void pl_rows_end(plBatch* batch, const int* row, int nrow);

// Runs job(batch, row, index in the list, seat, context) for each row of the list, on all threads.
typedef void plRowJob(plBatch* batch, int row, int place, plSeat* seat, void* context);
void pl_rows_run(plBatch* batch, const int* row, int nrow, plRowJob* job, void* context);
// PL_OK, or PL_ERROR_ROWS with the first row of the list that failed.
plStatus pl_rows_status(const plBatch* batch, const int* row, int nrow, plError* error);

#endif

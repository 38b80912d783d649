// parallel.h: a pool of threads and loops whose result does not depend on how many there are.
//
// A loop body may write only what belongs to its own index; sums are taken afterwards, in index order. Then
// bits do not depend on the number of threads. A pool belongs to one simulation and is used by one caller at
// a time.
#ifndef PL_BASE_PARALLEL_H
#define PL_BASE_PARALLEL_H

#include "base/loop.h"

typedef struct plPool plPool;

// A pool of nthread threads, the caller included. NULL means one thread: all calls below accept it. It is
// also returned if threads cannot be created; a loop then runs on the caller alone. nthread 0: one per
// processor, used where measurements show that they help (parallel_auto.h); they start with the first loop.
plPool* pl_pool_create(int nthread);
void pl_pool_destroy(plPool* pool);
int pl_pool_size(const plPool* pool);
// The processors that this program may use.
int pl_processors(void);

// Marks the beginning and end of a repeated piece of work of a simulation, a step. An automatic pool learns
// from its duration. Returns the pool, or NULL if this step shall run on the caller alone.
plPool* pl_pool_begin(plPool* pool);
void pl_pool_end(plPool* pool);

// body(context, begin, end, worker) over [0, n) in pieces of at least grain indices; worker is in 0 .. size-1
// (for scratch memory). Pieces are handed out in any order; loops over the same indices give a thread the
// same ones, as far as it gets to them. A loop inside a body of another loop runs on its caller alone, as
// worker 0.
void pl_parallel_for(plPool* pool, int n, int grain, plLoopBody* body, void* context);
// The same if the cost of an index varies: pieces are handed out in order, so the most expensive come first;
// work, in any unit (for example operations), is the total for an automatic pool.
void pl_parallel_work(plPool* pool, int n, int grain, double work, plLoopBody* body, void* context);

// Starts body(context, 0, 1, worker) beside what the caller does next: a thread that is free takes it, and
// the caller's loops run on the others meanwhile. pl_pool_join waits for it, or runs it if no thread has
// taken it. One at a time: the next one waits for the last. Without a pool, and inside a loop, it runs at
// once.
void pl_pool_aside(plPool* pool, plLoopBody* body, void* context);
void pl_pool_join(plPool* pool);

#endif

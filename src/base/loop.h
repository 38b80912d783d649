// loop.h: the body of a loop over indices that threads may share (parallel.h).
#ifndef PL_BASE_LOOP_H
#define PL_BASE_LOOP_H

// Processes the indices from begin to end; worker identifies the thread, for scratch memory.
typedef void plLoopBody(void* context, int begin, int end, int worker);

#endif

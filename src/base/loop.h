// loop.h: the body of a loop over indices that threads may share (parallel.h).
#ifndef PL_BASE_LOOP_H
#define PL_BASE_LOOP_H

// The indices from begin to end; worker numbers the thread, for scratch memory.
typedef void plLoopBody(void* context, int begin, int end, int worker);

#endif

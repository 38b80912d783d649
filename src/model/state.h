// state.h: the bytes of a state, for its parts that are kept in several files or apart from each other.
#ifndef PL_MODEL_STATE_H
#define PL_MODEL_STATE_H

#include "model/work.h"

// One pass over the state serves for its size, its bytes, its hash and a comparison: what is NULL is skipped.
typedef struct plStateSink {
  char* to;
  size_t size;
  uint64_t* hash;
  const char* with;  // compared with these bytes
  size_t with_size;
  bool differs;  // and then nothing more is done
} plStateSink;

void pl_state_put(plStateSink* sink, const void* bytes, size_t n);
// count numbers, which need not be aligned, are finite.
bool pl_state_finite(const void* bytes, size_t count);

// ---- the discrete part: switches, attachments, forces on bodies

void pl_discrete_put(const plData* data, plStateSink* sink);
size_t pl_discrete_size(const plData* data);
// The bytes are those of data.
bool pl_discrete_is(const plData* data, const void* bytes, size_t size);
// On failure nothing changes. What is the same already is not made again: no memory is asked for.
plStatus pl_discrete_set(plData* data, const void* bytes, size_t size, plError* error);

// pl_state_set for bytes of a version with fewer options: those it lacks have their defaults.
plStatus pl_state_set_older(plData* data, const void* bytes, size_t size, size_t noption, plError* error);

// What the last step wrote does not belong to the state that was set: no contacts, no impulses, no forces.
void pl_state_forget_step(plData* data);

#endif

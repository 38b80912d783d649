// state.h: the bytes of a state, for its parts that are stored in several files or separately.
#ifndef PL_MODEL_STATE_H
#define PL_MODEL_STATE_H

#include "model/work.h"

// One traversal of the state computes its size, its bytes, its hash or a comparison: NULL members are
// skipped.
typedef struct plStateSink {
  char* to;
  size_t size;
  uint64_t* hash;
  const char* with;  // compared with these bytes
  size_t with_size;
  bool differs;  // once true, nothing more is done
} plStateSink;

void pl_state_put(plStateSink* sink, const void* bytes, size_t n);
// Whether count numbers, which need not be aligned, are finite.
bool pl_state_finite(const void* bytes, size_t count);

// ---- the discrete part: switches, attachments, forces on bodies

void pl_discrete_put(const plData* data, plStateSink* sink);
size_t pl_discrete_size(const plData* data);
// Whether the bytes are those of data.
bool pl_discrete_is(const plData* data, const void* bytes, size_t size);
// On failure nothing changes. Parts that are equal already are not made again, and no memory is allocated for
// them.
plStatus pl_discrete_set(plData* data, const void* bytes, size_t size, plError* error);

// ---- the bytes of a state: a header, then the body (simulation/state.c)

#define PL_STATE_MAGIC "PLSTATE4"
enum { PL_STATE_HEADER = 32 };

size_t pl_state_body_size(const plData* data);
void pl_state_body_get(const plData* data, void* bytes);
// The caller has checked that the body is of this model. A body of a version with fewer options: missing ones
// get their defaults.
plStatus pl_state_body_set(plData* data, const void* bytes, size_t size, size_t noption, plError* error);

// Clears the results of the last step, which do not belong to the state that was set: contacts, impulses,
// forces.
void pl_state_forget_step(plData* data);

#endif

// recording.h: what writer and reader of recordings share: the model and a frame as sections.
#ifndef PL_OUTPUT_RECORDING_H
#define PL_OUTPUT_RECORDING_H

#include "base/memory.h"
#include "output/chunk.h"
#include "output/moving.h"
#include "pliant/output.h"

// plModel -> sections of a "MODL" chunk.
void pl_recording_put_model(plBytes* bytes, const plModel* model);
// The way back: large arrays stay in the payload, which must live as long as the model; the rest comes from
// the arena. Everything that serves as an index is checked. file appears in errors.
plStatus pl_recording_get_model(unsigned char* payload, size_t size, const char* file, plArena* arena,
                                plModel* model, plError* error);

// plData -> sections of a "FRAM" chunk. state: scratch for the bytes of pl_state_get.
plStatus pl_recording_put_frame(plBytes* bytes, plBytes* state, const plData* data, plError* error);
// The way back, into data with its arrays of the model's sizes; data->contact is replaced. Nothing is changed
// on failure.
plStatus pl_recording_get_frame(unsigned char* payload, size_t size, const char* file, plReplayData* replay,
                                plError* error);
// The bytes of pl_state_get that the frame holds; size must be theirs exactly.
plStatus pl_recording_get_state(unsigned char* payload, size_t payload_size, const char* file,
                                unsigned char* state, size_t size, plError* error);

#endif

// recording.h: what writer and reader of recordings share: the model and a frame as sections.
#ifndef PL_OUTPUT_RECORDING_H
#define PL_OUTPUT_RECORDING_H

#include <sys/types.h>

#include "base/memory.h"
#include "output/chunk.h"
#include "output/moving.h"
#include "pliant/output.h"

// Where the last whole frame of a recording ends, and how many there are; PL_ERROR_MISMATCH unless that frame
// is of data's model and time.  replay.c
plStatus pl_recording_find_end(const char* path, const plData* data, uint64_t* nframe, off_t* end,
                               plError* error);

// plModel -> sections of a "MODL" chunk.
void pl_recording_put_model(plBytes* bytes, const plModel* model, const plParameters* par);
// The way back: large arrays stay in the payload, which must live as long as the model; the rest comes from
// the arena. Everything that serves as an index is checked. file appears in errors.
plStatus pl_recording_get_model(unsigned char* payload, size_t size, const char* file, plArena* arena,
                                plModel* model, plError* error);

// The section whose indices do not fit, and why (recording_check.c); section NULL: all do.
typedef struct plFlaw {
  const char *section, *why;
} plFlaw;
plFlaw pl_recording_check_model(const plModel* model);

// plData -> sections of a "FRAM" chunk. state: scratch for the bytes of pl_state_get.
plStatus pl_recording_put_frame(plBytes* bytes, plBytes* state, const plData* data, plError* error);
// The way back, into data with its arrays of the model's sizes; data->contact is replaced. Nothing is changed
// on failure.
plStatus pl_recording_get_frame(unsigned char* payload, size_t size, const char* file, plReplayData* replay,
                                plError* error);
// Forces (recording_forces.c): names that belong to the model, and what a frame holds of them. The way back
// of a frame has two halves: get, which may fail and changes nothing, and show, which cannot; actuator and
// wrench point into the payload, NULL: not recorded.
typedef struct plRecordedForces {
  plImpulse* impulse;  // [nimpulse]
  int nimpulse;
  const double* actuator;  // [nact]
  const plWrench* wrench;  // [njoint]
} plRecordedForces;
void pl_recording_put_force_names(plBytes* bytes, const plModel* model);
plStatus pl_recording_get_force_names(unsigned char* payload, size_t size, const char* file, plArena* arena,
                                      plModel* model, plError* error);
plStatus pl_recording_put_forces(plBytes* bytes, const plData* data, plError* error);
plStatus pl_recording_get_forces(unsigned char* payload, size_t size, const char* file, const plModel* model,
                                 plRecordedForces* forces, plError* error);
void pl_recording_show_forces(const plRecordedForces* forces, plReplayData* replay);

// Sensors (recording_sensor.c); the readings are a section of each frame.
void pl_recording_put_sensors(plBytes* bytes, const plModel* model);
plStatus pl_recording_get_sensors(unsigned char* payload, size_t size, const char* file, plArena* arena,
                                  plModel* model, plError* error);

// How many bytes of pl_state_get the frame holds, 0 if that is more than most or makes no sense.
size_t pl_recording_state_size(unsigned char* payload, size_t payload_size, size_t most);
// The bytes of pl_state_get that the frame holds; size must be theirs exactly. parameters: the model's own
// (section `parameters`), count 0 where a recording has none.
plStatus pl_recording_get_state(unsigned char* payload, size_t payload_size, const char* file,
                                const plSection* parameters, unsigned char* state, size_t size,
                                plError* error);

#endif

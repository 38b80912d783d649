// recording.h: shared by the writer and the reader of recordings: the model and a frame as sections.
#ifndef PL_OUTPUT_RECORDING_H
#define PL_OUTPUT_RECORDING_H

#include <sys/types.h>

#include "base/memory.h"
#include "output/chunk.h"
#include "output/moving.h"
#include "pliant/output.h"

// The end of the last complete frame of a recording, the number of frames, and whether the parameters in
// front of them are those of data's model; PL_ERROR_MISMATCH unless that frame has data's model and time.
// replay.c
plStatus pl_recording_find_end(const char* path, const plData* data, uint64_t* nframe, off_t* end,
                               bool* same_parameters, plError* error);

// plModel -> sections of a "MODL" chunk.
void pl_recording_put_model(plBytes* bytes, const plModel* model, const plParameters* par);
// The reverse: large arrays stay in the payload, which must outlive the model; the rest is allocated from the
// arena. All indices are checked. file appears in errors.
plStatus pl_recording_get_model(unsigned char* payload, size_t size, const char* file, plArena* arena,
                                plModel* model, plError* error);

// The section whose indices are out of range, and why (recording_check.c); section NULL: all are valid.
typedef struct plFlaw {
  const char *section, *why;
} plFlaw;
plFlaw pl_recording_check_model(const plModel* model);

// plData -> sections of a "FRAM" chunk. state: scratch for the body of the state. same_parameters: those
// of data's model are in front of the recording, so that a frame without changes need not repeat them.
plStatus pl_recording_put_frame(plBytes* bytes, plBytes* state, const plData* data, bool same_parameters,
                                plError* error);
// The reverse, into data with arrays of the model's sizes; data->contact is replaced. On failure nothing
// changes.
plStatus pl_recording_get_frame(unsigned char* payload, size_t size, const char* file, plReplayData* replay,
                                plError* error);
// Forces (recording_forces.c): names that belong to the model, and the forces of a frame. Reading a frame has
// two halves: get, which may fail and changes nothing, and show, which cannot fail; actuator and wrench point
// into the payload, NULL: not recorded.
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

// The size of the body of the state in the frame, 0 if it is larger than most or invalid.
size_t pl_recording_state_size(unsigned char* payload, size_t payload_size, size_t most);
// The body of the state in the frame; size must be exactly theirs. parameters: the model's own (section
// `parameters`), count 0 if a recording has none.
plStatus pl_recording_get_state(unsigned char* payload, size_t payload_size, const char* file,
                                const plSection* parameters, unsigned char* state, size_t size,
                                plError* error);

#endif

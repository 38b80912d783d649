// stream.h: a model and frames of its simulation as bytes for a viewer: little-endian, 32-bit floats,
// surfaces only (docs/viewer.md).
//
// The scene is sent once, then one frame per picture. A frame is made from any plData: that of a running
// simulation, a copy of it, or that of a plReplay.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_STREAM_H
#define PLIANT_STREAM_H

#include "pliant/output.h"

#ifdef __cplusplus
extern "C" {
#endif

// Buffers for one model. Only one thread at a time may use them.
typedef struct plStream plStream;

PL_API plStatus pl_stream_create(const plModel* model, plStream** stream, plError* error);
PL_API void pl_stream_destroy(plStream* stream);

// The scene: "PLSC", size of a JSON text, the text, then the arrays it refers to. name is shown as the title.
// *bytes belongs to the stream and is valid until the next call with it.
PL_API plStatus pl_stream_scene(plStream* stream, const char* name, const void** bytes, size_t* size,
                                plError* error);

// The content of a frame. Contacts and report are given separately because data may be a copy made earlier.
typedef struct plMoment {
  const plData* data;        // state to send
  const plContact* contact;  // [ncontact]
  int ncontact;              // number of contacts
  const plReport* report;    // counts and times to send
  unsigned fields;  // bits 1 << PL_COLOUR_...: which fields at the vertices of deformable bodies to send; bit
                    // 0: the readings of taxels, markers and cameras too
} plMoment;

// A frame: head bytes for the caller's own use (a multiple of 4), then "PLFR" and the numbers. *bytes belongs
// to the stream and is valid until the next call with it.
PL_API plStatus pl_stream_frame(plStream* stream, const plMoment* moment, size_t head, void** bytes,
                                size_t* size, plError* error);

#ifdef __cplusplus
}
#endif
#endif

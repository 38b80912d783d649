// stream_sensor.h: sensors in the viewer's messages.
#ifndef PL_OUTPUT_STREAM_SENSOR_H
#define PL_OUTPUT_STREAM_SENSOR_H

#include "output/chunk.h"
#include "pliant/data.h"

// A reading with up to this many numbers is small: it is in every frame, for the plots.
enum { PL_STREAM_SMALL = 16 };

// The members of "sensors":[...] in the scene's JSON.
void pl_stream_put_sensors(plBytes* out, const plModel* model);
// The readings in turn; large: also those that are not small.
void pl_stream_put_readings(plBytes* out, const plData* data, bool large);
// A text in quotes, as JSON has it (stream.c).
void pl_stream_put_text(plBytes* out, const char* text);

#endif

// stream_sensor.h: sensors in the viewer's messages.
#ifndef PL_OUTPUT_STREAM_SENSOR_H
#define PL_OUTPUT_STREAM_SENSOR_H

#include "output/chunk.h"
#include "pliant/data.h"

// Up to this many numbers a reading is small: it is in every frame, for the plots.
enum { PL_STREAM_SMALL = 16 };

// The members of "sensors":[...] in the scene's JSON.
void pl_stream_put_sensors(plBytes* out, const plModel* model);
// The readings, one behind the other; large: those that are not small too.
void pl_stream_put_readings(plBytes* out, const plData* data, bool large);
// A text in quotes, as JSON has it (stream.c).
void pl_stream_put_text(plBytes* out, const char* text);

#endif

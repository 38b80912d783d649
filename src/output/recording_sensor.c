// recording_sensor.c: sensors of a model and the readings of a frame: plSensor <-> sections.
#include <string.h>

#include "base/error.h"
#include "output/recording.h"
#include "sensor/sensor.h"

enum { SHAPE = 5 };  // kind, joint's kind, rows, width, height

void pl_recording_put_sensors(plBytes* bytes, const plModel* m) {
  plBytes name = {0}, shape = {0}, wrapper = {0};
  for (int i = 0; i < m->nsensor; i++) {
    const plSensor* s = &m->sensor[i];
    const int numbers[SHAPE] = {(int)s->kind, (int)s->joint_kind, s->rows, s->width, s->height};
    pl_bytes_add(&name, s->name, strlen(s->name) + 1);
    pl_bytes_add(&shape, numbers, sizeof numbers);
    pl_bytes_add(&wrapper, (double[2]){s->rate, s->delay}, sizeof(double[2]));
  }
  if (name.failed || shape.failed || wrapper.failed) bytes->failed = true;
  if (m->nsensor) {
    pl_section_add(bytes, "sensor_name", 'b', name.data, name.size);
    pl_section_add(bytes, "sensor_shape", 'i', shape.data, SHAPE * (size_t)m->nsensor);
    pl_section_add(bytes, "sensor_wrapper", 'd', wrapper.data, 2 * (size_t)m->nsensor);
  }
  pl_bytes_free(&name), pl_bytes_free(&shape), pl_bytes_free(&wrapper);
}

static plStatus damaged(const char* file, const char* name, plError* error) {
  return pl_fail_at(error, PL_ERROR_INPUT, file, 0, 0,
                    "the recording's model is damaged or of another version: section '%s' does not fit",
                    name);
}

// One sensor from its numbers; false if they are invalid. Sizes that a file could not hold are refused.
static bool unpack(const int* n, const double* wrapper, plSensor* s) {
  if (n[0] < 0 || n[0] >= PL_SENSOR_COUNT || n[1] < 0 || n[1] >= PL_JOINT_COUNT || n[2] < 0 || n[3] < 0 ||
      n[4] < 0 || (double)n[3] * n[4] != (double)n[2])
    return false;
  pl_sensor_describe((plSensorKind)n[0], (plJointKind)n[1], s);
  s->rows = n[2], s->width = n[3], s->height = n[4];
  s->rate = wrapper[0], s->delay = wrapper[1];
  return (double)s->rows * s->columns * 8 < 1e9;
}

plStatus pl_recording_get_sensors(unsigned char* payload, size_t size, const char* file, plArena* arena,
                                  plModel* m, plError* error) {
  plSection name, shape, wrapper;
  if (!pl_section_find(payload, size, "sensor_shape", 'i', &shape)) return PL_OK;
  size_t n = shape.count / SHAPE;
  if (shape.count % SHAPE || n > 1000000) return damaged(file, "sensor_shape", error);
  if (!pl_section_find(payload, size, "sensor_wrapper", 'd', &wrapper) || wrapper.count != 2 * n)
    return damaged(file, "sensor_wrapper", error);
  if (!pl_section_find(payload, size, "sensor_name", 'b', &name)) return damaged(file, "sensor_name", error);
  m->sensor = PL_ARENA_NEW(arena, plSensor, n);
  if (!m->sensor) return pl_fail_out_of_memory(error, n * sizeof(plSensor));
  char* text = (char*)name.values;
  size_t left = name.count;
  for (size_t i = 0; i < n; i++) {
    plSensor* s = &m->sensor[i];
    *s = (plSensor){0};
    char* end = left ? memchr(text, 0, left) : NULL;
    if (!end) return damaged(file, "sensor_name", error);
    // Text from a file must not control the terminal on which it is printed.
    for (char* c = text; c < end; c++)
      if ((unsigned char)*c < 32 || *c == 127) *c = '_';
    s->name = text;
    left -= (size_t)(end + 1 - text);
    text = end + 1;
    if (!unpack((const int*)(const void*)shape.values + SHAPE * i,
                (const double*)(const void*)wrapper.values + 2 * i, s))
      return damaged(file, "sensor_shape", error);
    s->byte0 = m->reading_bytes;
    s->bytes = (size_t)s->rows * (size_t)s->columns * pl_sensor_width(s->type);
    m->reading_bytes += (s->bytes + 7) / 8 * 8;
    if (m->reading_bytes > (size_t)1 << 30) return damaged(file, "sensor_shape", error);
  }
  m->nsensor = (int)n;
  return PL_OK;
}

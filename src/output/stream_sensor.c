// stream_sensor.c: sensors -> the scene's JSON, readings -> bytes of a frame: numbers of 4 bytes, pictures of
// bytes as they are, padded to 4 (docs/viewer.md).
#include "output/stream_sensor.h"

#include "sensor/sensor.h"

static bool is_small(const plSensor* s) { return (double)s->rows * s->columns <= PL_STREAM_SMALL; }

static const char* const types[] = {"f32", "f32", "i32", "u8"};  // of plSensorType

void pl_stream_put_sensors(plBytes* out, const plModel* m) {
  for (int i = 0; i < m->nsensor; i++) {
    const plSensor* s = &m->sensor[i];
    pl_bytes_print(out, "%s{\"name\":", i ? "," : "");
    pl_stream_put_text(out, s->name);
    pl_bytes_print(out,
                   ",\"kind\":\"%s\",\"type\":\"%s\",\"rows\":%d,\"columns\":%d,\"width\":%d,\"height\":%d",
                   pl_sensor_kind_name(s->kind), types[s->type], s->rows, s->columns, s->width, s->height);
    pl_bytes_print(out, ",\"small\":%s,\"column\":[", is_small(s) ? "true" : "false");
    for (int k = 0; k < s->columns; k++) {
      pl_bytes_print(out, k ? "," : "");
      pl_stream_put_text(out, s->column[k]);
    }
    pl_bytes_print(out, "],\"unit\":[");
    for (int k = 0; k < s->columns; k++) {
      pl_bytes_print(out, k ? "," : "");
      pl_stream_put_text(out, s->unit[k]);
    }
    pl_bytes_print(out, "]}");
  }
}

void pl_stream_put_readings(plBytes* out, const plData* data, bool large) {
  const plModel* m = data->model;
  for (int i = 0; i < m->nsensor && data->reading; i++) {
    const plSensor* s = &m->sensor[i];
    const unsigned char* from = data->reading + s->byte0;
    size_t n = (size_t)s->rows * (size_t)s->columns;
    if (!large && !is_small(s)) continue;
    if (s->type != PL_SENSOR_DOUBLE) {
      pl_bytes_add(out, from, s->bytes);
      pl_bytes_add(out, (const char[4]){0}, (4 - s->bytes % 4) % 4);
      continue;
    }
    for (size_t k = 0; k < n; k++)
      pl_bytes_add(out, &(float){(float)((const double*)(const void*)from)[k]}, 4);
  }
}

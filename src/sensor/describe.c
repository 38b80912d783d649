// describe.c: the columns of a sensor with their units (model/sensor_kinds.c); readings by name.
#include <assert.h>
#include <string.h>

#include "model/joint_kinds.h"
#include "model/sensor_kinds.h"
#include "sensor/sensor.h"

// A joint has as many columns as coordinates.
static void describe_joint(plSensorKind kind, plJointKind joint, plSensor* s) {
  static const char* const number[] = {"0", "1", "2", "3", "4", "5", "6"};
  s->columns = kind == PL_SENSOR_JOINT_POSITION ? pl_joint_nq(joint) : pl_joint_nv(joint);
  for (int i = 0; i < s->columns; i++) {
    bool length = pl_joint_is_length(joint, i);
    bool quaternion = kind == PL_SENSOR_JOINT_POSITION && !length && pl_joint_has_quaternion(joint);
    assert(i < PL_SENSOR_COLUMNS && i < (int)(sizeof number / sizeof *number));
    s->column[i] = number[i];
    s->unit[i] = quaternion                         ? "1"
                 : kind == PL_SENSOR_JOINT_POSITION ? length ? "m" : "rad"
                 : kind == PL_SENSOR_JOINT_VELOCITY ? length ? "m/s" : "rad/s"
                 : length                           ? "N"
                                                    : "Nm";
  }
}

void pl_sensor_describe(plSensorKind kind, plJointKind joint, plSensor* s) {
  s->kind = kind;
  s->joint_kind = joint;
  s->type = pl_sensors[kind].type;
  s->columns = 0;
  if (pl_sensors[kind].on == PL_ON_JOINT) {
    describe_joint(kind, joint, s);
    return;
  }
  for (int i = 0; pl_sensors[kind].column[i].name; i++) {
    s->column[i] = pl_sensors[kind].column[i].name, s->unit[i] = pl_sensors[kind].column[i].unit;
    s->columns++;
  }
  if (kind == PL_SENSOR_ACTUATOR_FORCE && pl_joint_is_length(joint, 0)) s->unit[0] = "N";
}

size_t pl_sensor_width(plSensorType type) {
  return type == PL_SENSOR_DOUBLE ? sizeof(double)
         : type == PL_SENSOR_BYTE ? 1
         : type == PL_SENSOR_INT  ? sizeof(int)
                                  : sizeof(float);
}

// ---- for users

int pl_sensor_find(const plModel* model, const char* name) {
  assert(model != NULL && name != NULL);
  for (int i = 0; i < model->nsensor; i++)
    if (!strcmp(model->sensor[i].name, name)) return i;
  return -1;
}

int pl_sensor_size(const plModel* model, int id) {
  assert(model != NULL);
  return id >= 0 && id < model->nsensor ? model->sensor[id].rows * model->sensor[id].columns : 0;
}

const void* pl_sensor_values(const plData* data, int id) {
  assert(data != NULL);
  return id >= 0 && id < data->model->nsensor ? data->reading + data->model->sensor[id].byte0 : NULL;
}

void pl_sensor_convert(const plSensor* s, const void* from, double* values) {
  size_t n = (size_t)s->rows * (size_t)s->columns;
  if (s->type == PL_SENSOR_DOUBLE)
    memcpy(values, from, n * sizeof(double));
  else if (s->type == PL_SENSOR_FLOAT)
    for (size_t i = 0; i < n; i++) values[i] = (double)((const float*)from)[i];
  else if (s->type == PL_SENSOR_INT)
    for (size_t i = 0; i < n; i++) values[i] = ((const int*)from)[i];
  else
    for (size_t i = 0; i < n; i++) values[i] = ((const unsigned char*)from)[i];
}

plStatus pl_sensor_read(const plData* data, int id, double* values) {
  assert(values != NULL);
  const void* from = pl_sensor_values(data, id);
  if (!from) return PL_ERROR_INPUT;
  pl_sensor_convert(&data->model->sensor[id], from, values);
  return PL_OK;
}

// describe.c: names and units of what the kinds of sensors measure, by kind; reading by name.
#include <assert.h>
#include <string.h>

#include "sensor/sensor.h"

typedef struct Column {
  const char *name, *unit;
} Column;

typedef struct Layout {
  plSensorType type;
  Column column[PL_SENSOR_COLUMNS + 1];  // the last one has no name
} Layout;

#define XYZ(unit) \
  {"x", unit}, {"y", unit}, { "z", unit }
#define QUAT \
  {"qw", "1"}, {"qx", "1"}, {"qy", "1"}, { "qz", "1" }
static const Layout layouts[PL_SENSOR_COUNT] = {
    [PL_SENSOR_ACTUATOR_FORCE] = {PL_SENSOR_DOUBLE, {{"force", "Nm"}}},
    [PL_SENSOR_POSITION] = {PL_SENSOR_DOUBLE, {XYZ("m")}},
    [PL_SENSOR_ORIENTATION] = {PL_SENSOR_DOUBLE, {QUAT}},
    [PL_SENSOR_POSE] = {PL_SENSOR_DOUBLE, {XYZ("m"), QUAT}},
    [PL_SENSOR_VELOCITY] = {PL_SENSOR_DOUBLE,
                            {XYZ("m/s"), {"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}}},
    [PL_SENSOR_WRENCH] = {PL_SENSOR_DOUBLE,
                          {{"fx", "N"}, {"fy", "N"}, {"fz", "N"}, {"mx", "Nm"}, {"my", "Nm"}, {"mz", "Nm"}}},
    [PL_SENSOR_FORCE] = {PL_SENSOR_DOUBLE, {XYZ("N")}},
    [PL_SENSOR_TORQUE] = {PL_SENSOR_DOUBLE, {XYZ("Nm")}},
    [PL_SENSOR_GYRO] = {PL_SENSOR_DOUBLE, {XYZ("rad/s")}},
    [PL_SENSOR_ACCELEROMETER] = {PL_SENSOR_DOUBLE, {XYZ("m/s^2")}},
    [PL_SENSOR_IMU] = {PL_SENSOR_DOUBLE,
                       {{"ax", "m/s^2"},
                        {"ay", "m/s^2"},
                        {"az", "m/s^2"},
                        {"wx", "rad/s"},
                        {"wy", "rad/s"},
                        {"wz", "rad/s"}}},
    [PL_SENSOR_CONTACT] = {PL_SENSOR_DOUBLE,
                           {{"fx", "N"},
                            {"fy", "N"},
                            {"fz", "N"},
                            {"mx", "Nm"},
                            {"my", "Nm"},
                            {"mz", "Nm"},
                            {"normal", "N"},
                            {"area", "m^2"},
                            {"points", "1"}}},
    [PL_SENSOR_TOUCH] = {PL_SENSOR_DOUBLE, {{"force", "N"}}},
    [PL_SENSOR_VOLUME] = {PL_SENSOR_DOUBLE, {{"volume", "m^3"}}},
    [PL_SENSOR_TAXELS] = {PL_SENSOR_DOUBLE,
                          {{"normal", "N"},
                           {"shear_x", "N"},
                           {"shear_y", "N"},
                           {"slip", "m/s"},
                           {"area", "m^2"},
                           {"contact", "1"}}},
    [PL_SENSOR_MARKERS] = {PL_SENSOR_DOUBLE,
                           {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"vx", "m/s"}, {"vy", "m/s"}, {"vz", "m/s"}}},
    [PL_SENSOR_DEPTH] = {PL_SENSOR_FLOAT, {{"depth", "m"}}},
    [PL_SENSOR_RGB] = {PL_SENSOR_BYTE, {{"red", "1"}, {"green", "1"}, {"blue", "1"}}},
    [PL_SENSOR_SEGMENTATION] = {PL_SENSOR_INT, {{"side", "1"}}},
};

static bool is_length(plJointKind kind, int i) {
  return kind == PL_JOINT_PRISMATIC || (kind == PL_JOINT_PLANAR && i < 2) || (kind == PL_JOINT_FREE && i < 3);
}

// A joint has as many columns as coordinates.
static void describe_joint(plSensorKind kind, plJointKind joint, plSensor* s) {
  static const char* const number[] = {"0", "1", "2", "3", "4", "5", "6"};
  s->columns = kind == PL_SENSOR_JOINT_POSITION ? pl_joint_nq(joint) : pl_joint_nv(joint);
  for (int i = 0; i < s->columns; i++) {
    bool length = is_length(joint, i);
    bool quaternion =
        kind == PL_SENSOR_JOINT_POSITION && (joint == PL_JOINT_BALL || (joint == PL_JOINT_FREE && i >= 3));
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
  s->type = layouts[kind].type;
  s->columns = 0;
  if (kind <= PL_SENSOR_JOINT_EFFORT) {
    describe_joint(kind, joint, s);
    return;
  }
  for (const Column* c = layouts[kind].column; c->name; c++)
    s->column[s->columns] = c->name, s->unit[s->columns++] = c->unit;
  if (kind == PL_SENSOR_ACTUATOR_FORCE && is_length(joint, 0)) s->unit[0] = "N";
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
  const void* from = pl_sensor_values(data, id);
  if (!from) return PL_ERROR_INPUT;
  pl_sensor_convert(&data->model->sensor[id], from, values);
  return PL_OK;
}

// sensor_kinds.c: the list of sensors: names, the objects that each may be on, its keys, and its columns.
// sensor/measure.c computes their values.
#include "model/sensor_kinds.h"

#include <string.h>

// clang-format off
#define FRAME " pose "
#define CAMERA " pose width height focal centre near far hide "
#define XYZ(unit) {"x", unit}, {"y", unit}, {"z", unit}
#define QUAT {"qw", "1"}, {"qx", "1"}, {"qy", "1"}, {"qz", "1"}
#define WRENCH {"fx", "N"}, {"fy", "N"}, {"fz", "N"}, {"mx", "Nm"}, {"my", "Nm"}, {"mz", "Nm"}

const plWord pl_sensor_words[PL_SENSOR_COUNT + 1] = {
    {"joint_position", PL_SENSOR_JOINT_POSITION},
    {"joint_velocity", PL_SENSOR_JOINT_VELOCITY},
    {"joint_effort", PL_SENSOR_JOINT_EFFORT},
    {"actuator_force", PL_SENSOR_ACTUATOR_FORCE},
    {"position", PL_SENSOR_POSITION},
    {"orientation", PL_SENSOR_ORIENTATION},
    {"pose", PL_SENSOR_POSE},
    {"velocity", PL_SENSOR_VELOCITY},
    {"wrench", PL_SENSOR_WRENCH},
    {"force", PL_SENSOR_FORCE},
    {"torque", PL_SENSOR_TORQUE},
    {"gyro", PL_SENSOR_GYRO},
    {"accelerometer", PL_SENSOR_ACCELEROMETER},
    {"imu", PL_SENSOR_IMU},
    {"contact", PL_SENSOR_CONTACT},
    {"touch", PL_SENSOR_TOUCH},
    {"volume", PL_SENSOR_VOLUME},
    {"taxels", PL_SENSOR_TAXELS},
    {"markers", PL_SENSOR_MARKERS},
    {"depth", PL_SENSOR_DEPTH},
    {"rgb", PL_SENSOR_RGB},
    {"segmentation", PL_SENSOR_SEGMENTATION},
    {NULL, 0},
};

// A joint's columns are its coordinates (sensor/describe.c).
const plSensorInfo pl_sensors[PL_SENSOR_COUNT] = {
    [PL_SENSOR_JOINT_POSITION] = {PL_ON_JOINT, "", PL_SENSOR_DOUBLE, {{0}}},
    [PL_SENSOR_JOINT_VELOCITY] = {PL_ON_JOINT, "", PL_SENSOR_DOUBLE, {{0}}},
    [PL_SENSOR_JOINT_EFFORT] = {PL_ON_JOINT, "", PL_SENSOR_DOUBLE, {{0}}},
    [PL_SENSOR_ACTUATOR_FORCE] = {PL_ON_ACTUATOR, "", PL_SENSOR_DOUBLE, {{"force", "Nm"}}},
    [PL_SENSOR_POSITION] = {PL_ON_BODY | PL_ON_WORLD, FRAME, PL_SENSOR_DOUBLE, {XYZ("m")}},
    [PL_SENSOR_ORIENTATION] = {PL_ON_BODY | PL_ON_WORLD, FRAME, PL_SENSOR_DOUBLE, {QUAT}},
    [PL_SENSOR_POSE] = {PL_ON_BODY | PL_ON_WORLD, FRAME, PL_SENSOR_DOUBLE, {XYZ("m"), QUAT}},
    [PL_SENSOR_VELOCITY] = {PL_ON_BODY | PL_ON_WORLD, FRAME, PL_SENSOR_DOUBLE,
        {XYZ("m/s"), {"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}}},
    [PL_SENSOR_WRENCH] = {PL_ON_BODY | PL_ON_JOINT, FRAME, PL_SENSOR_DOUBLE, {WRENCH}},
    [PL_SENSOR_FORCE] = {PL_ON_BODY | PL_ON_JOINT, FRAME, PL_SENSOR_DOUBLE, {XYZ("N")}},
    [PL_SENSOR_TORQUE] = {PL_ON_BODY | PL_ON_JOINT, FRAME, PL_SENSOR_DOUBLE, {XYZ("Nm")}},
    [PL_SENSOR_GYRO] = {PL_ON_BODY | PL_ON_WORLD, FRAME, PL_SENSOR_DOUBLE, {XYZ("rad/s")}},
    [PL_SENSOR_ACCELEROMETER] = {PL_ON_BODY | PL_ON_WORLD, FRAME, PL_SENSOR_DOUBLE, {XYZ("m/s^2")}},
    [PL_SENSOR_IMU] = {PL_ON_BODY | PL_ON_WORLD, FRAME, PL_SENSOR_DOUBLE,
        {{"ax", "m/s^2"}, {"ay", "m/s^2"}, {"az", "m/s^2"}, {"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}}},
    [PL_SENSOR_CONTACT] = {PL_ON_SIDE | PL_ON_ANY | PL_ON_WORLD, " other ", PL_SENSOR_DOUBLE,
        {WRENCH, {"normal", "N"}, {"area", "m^2"}, {"points", "1"}}},
    [PL_SENSOR_TOUCH] = {PL_ON_BODY, " pose region ", PL_SENSOR_DOUBLE, {{"force", "N"}}},
    [PL_SENSOR_VOLUME] = {PL_ON_DEFORMABLE, " cavity ", PL_SENSOR_DOUBLE, {{"volume", "m^3"}}},
    [PL_SENSOR_TAXELS] = {PL_ON_SIDE | PL_ON_WORLD, " pose other region size cells mount ", PL_SENSOR_DOUBLE,
        {{"normal", "N"}, {"shear_x", "N"}, {"shear_y", "N"}, {"slip", "m/s"}, {"area", "m^2"}, {"contact", "1"}}},
    [PL_SENSOR_MARKERS] = {PL_ON_DEFORMABLE, " pose region size cells mount points ", PL_SENSOR_DOUBLE,
        {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"vx", "m/s"}, {"vy", "m/s"}, {"vz", "m/s"}}},
    [PL_SENSOR_DEPTH] = {PL_ON_BODY | PL_ON_WORLD, CAMERA "range ", PL_SENSOR_FLOAT, {{"depth", "m"}}},
    [PL_SENSOR_RGB] = {PL_ON_BODY | PL_ON_WORLD, CAMERA "shadows ", PL_SENSOR_BYTE,
        {{"red", "1"}, {"green", "1"}, {"blue", "1"}}},
    [PL_SENSOR_SEGMENTATION] = {PL_ON_BODY | PL_ON_WORLD, CAMERA, PL_SENSOR_INT, {{"side", "1"}}},
};
// clang-format on

bool pl_sensor_is_camera(plSensorKind kind) { return strstr(pl_sensors[kind].keys, CAMERA) != NULL; }

bool pl_sensor_needs_poses(plSensorKind kind) {
  return (pl_sensors[kind].on & ~(PL_ON_JOINT | PL_ON_ACTUATOR)) != 0;
}

const char* pl_sensor_kind_name(plSensorKind kind) {
  return (int)kind >= 0 && kind < PL_SENSOR_COUNT ? pl_sensor_words[kind].name : "unknown sensor";
}

// sensor_kinds.h: the list of sensors, and the properties in which they differ.
#ifndef PL_MODEL_SENSOR_KINDS_H
#define PL_MODEL_SENSOR_KINDS_H

#include <stdbool.h>

#include "base/word.h"
#include "pliant/sensor.h"

// The objects that a sensor may be on, as a sum. ANY is "*".
enum {
  PL_ON_JOINT = 1,
  PL_ON_ACTUATOR = 2,
  PL_ON_BODY = 4,
  PL_ON_DEFORMABLE = 8,
  PL_ON_SHAPE = 16,
  PL_ON_WORLD = 32,
  PL_ON_ANY = 64,
  PL_ON_SIDE = PL_ON_BODY | PL_ON_DEFORMABLE | PL_ON_SHAPE
};

typedef struct plSensorInfo {
  int on;             // sum of PL_ON_...
  const char* keys;   // scene keys that not all kinds have: " pose other "
  plSensorType type;  // of its numbers
  struct {
    const char *name, *unit;
  } column[PL_SENSOR_COLUMNS + 1];  // the last one has no name
} plSensorInfo;

extern const plSensorInfo pl_sensors[PL_SENSOR_COUNT];
// Their names in scene files, in the order of plSensorKind.
extern const plWord pl_sensor_words[];

// Whether a reading is a picture; and whether it depends on the poses of bodies.
bool pl_sensor_is_camera(plSensorKind kind);
bool pl_sensor_needs_poses(plSensorKind kind);

#endif

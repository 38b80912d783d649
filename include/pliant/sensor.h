// sensor.h: what a robot feels and sees: sensors by name, each with a fixed size, units, and one wrapper for
// rate, delay and noise (docs/sensors.md).
//
//   plSensorDef def = pl_default_sensor_def();
//   def.name = "wrist"; def.kind = PL_SENSOR_WRENCH; def.on = "arm/wrist";
//   pl_spec_add_sensor(spec, &def, NULL, &error);
//   ...
//   double wrench[6];
//   pl_sensor_read(data, pl_sensor_find(model, "wrist"), wrench);
//
// Samples are taken at the end of a step. Forces are means over that step. What is on its way (delay) and
// what is held between two samples (rate) belongs to the state: it is saved, loaded and copied with it.
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_SENSOR_H
#define PLIANT_SENSOR_H

#include "pliant/rigid.h"
#include "pliant/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plModel plModel;
typedef struct plData plData;

// What is measured. The frame of a sensor is `pose` in the frame of the rigid body `on`.
typedef enum plSensorKind {
  PL_SENSOR_JOINT_POSITION,  // q of the joint `on`
  PL_SENSOR_JOINT_VELOCITY,  // v of the joint `on`
  PL_SENSOR_JOINT_EFFORT,    // what actuators exert about each of its degrees of freedom (N or Nm)
  PL_SENSOR_ACTUATOR_FORCE,  // of the actuator `on` (N or Nm)
  PL_SENSOR_POSITION,        // of the frame's origin in the world (m)
  PL_SENSOR_ORIENTATION,     // of the frame in the world: w x y z
  PL_SENSOR_POSE,            // both: x y z (m), w x y z
  PL_SENSOR_VELOCITY,        // of the frame's origin (m/s) and angular (rad/s), world axes
  PL_SENSOR_WRENCH,  // force and moment that the parent exerts on the body `on` (or through the joint `on` on
                     // its child), at the frame and in its axes (N, Nm); of a joint the frame is in M
  PL_SENSOR_FORCE,   // the force alone
  PL_SENSOR_TORQUE,  // the moment alone
  PL_SENSOR_GYRO,    // angular velocity in the frame's axes (rad/s)
  PL_SENSOR_ACCELEROMETER,  // acceleration of the frame's origin less gravity, in its axes (m/s^2)
  PL_SENSOR_IMU,            // accelerometer, then gyro
  PL_SENSOR_CONTACT,  // the contacts between the sides `on` and `other` together: force and moment on `other`
                      // about the centre of the normal forces (world axes), normal force, area, points
  PL_SENSOR_TOUCH,    // normal forces on the shapes of the body `on` at points inside `region`, added (N)
  PL_SENSOR_VOLUME,   // of the deformable `on`, or of the cavities inside it (m^3)
  PL_SENSOR_TAXELS,   // forces on a grid over the side `on`, or on the facets of a region of a deformable
  PL_SENSOR_MARKERS,  // points of the deformable `on`: displacement and velocity in the frame of a mount
  PL_SENSOR_DEPTH,    // a camera: distances (m)
  PL_SENSOR_RGB,      // a camera: red, green, blue
  PL_SENSOR_SEGMENTATION,  // a camera: what is seen: deformable i is i, rigid shape j is ndeform + j, -1:
                           // nothing
  PL_SENSOR_COUNT
} plSensorKind;

// "joint_position", ...; never NULL.
PL_API const char* pl_sensor_kind_name(plSensorKind kind);

// The type of a sensor's numbers.
typedef enum plSensorType { PL_SENSOR_DOUBLE, PL_SENSOR_FLOAT, PL_SENSOR_INT, PL_SENSOR_BYTE } plSensorType;

enum { PL_SENSOR_COLUMNS = 9 };

typedef struct plSensorDef {
  const char* name;   // unique among sensors: letters, digits and _ - . /; default NULL: must be given
  plSensorKind kind;  // default PL_SENSOR_JOINT_POSITION
  const char* on;     // the joint, actuator, rigid body, deformable or shape by name (a body's name counts
                   // before a joint's, a deformable's before a body's, that before a shape's); of cameras and
                   // what has a frame a rigid body or "world"; default NULL: must be given
  const char* other;  // contact and taxels: the other side by name; default NULL: any
  plPose pose;        // of the frame, see the kinds; default identity

  // ---- the wrapper of every kind
  double rate;   // samples per second, at most 1/dt; between two the reading is held; default 0: every step
  double delay;  // s from a sample to its reading; default 0. Before the first arrives the reading is that of
                 // the start
  double noise[PL_SENSOR_COLUMNS];  // standard deviation of normal noise, per column, in its unit; default 0
  int nnoise;  // how many of them are given; 1: for all columns that have the first one's unit; default 0
  uint64_t
      seed;  // of the noise, which follows from seed, name, sample and index of the value alone; default 0

  // ---- parts of a surface: touch, taxels, markers
  plRegion region;      // touch: in the frame; taxels, markers: vertices of a deformable; default all
  bool has_region;      // taxels and markers: the region instead of a grid; default false
  double size[2];       // m, of the grid's rectangle in the frame's x and y about its origin; default 0
  int cells[2];         // of the grid in x and y; default 0
  const char* mount;    // taxels on a deformable, markers: the rigid body in whose frame the reading is;
                        // default NULL: the world
  const plVec3* point;  // markers: [npoint] m in the mesh's frame, copied, instead of region or grid
  int npoint;
  bool cavity;  // volume: of what the inner surfaces of the deformable enclose; default false

  // ---- cameras: x right, y down, z forward
  int width, height;  // pixels, 1 to 4096; default 160 x 120
  double focal[2];    // pixels; default 0, 0: 0.8 width, and the same
  double centre[2];   // pixels, where the axis meets the picture; default negative: its middle
  double near, far;   // m, what is nearer or farther is not seen; default 0.001, 10
  bool range;         // depth: along the ray instead of along the axis; default false
  bool shadows;       // rgb: of the light; default false
  const char* hide;   // deformables, rigid bodies and shapes that are not seen, separated by commas; default
                      // NULL: none
  uint32_t mark;      // set by pl_default_sensor_def; a definition without it is refused
} plSensorDef;

PL_API plSensorDef pl_default_sensor_def(void);
// *id (may be NULL) gets the sensor's index.
PL_API plStatus pl_spec_add_sensor(plSpec* spec, const plSensorDef* def, int* id, plError* error);
PL_API int pl_spec_sensor_count(const plSpec* spec);
PL_API const plSensorDef* pl_spec_sensor(const plSpec* spec, int id);

// A sensor of a model (model->sensor[nsensor]). A reading has rows times columns numbers, row by row.
typedef struct plSensor {
  char* name;
  plSensorKind kind;
  plSensorType type;
  int rows, columns;                      // numbers: rows times columns
  int width, height;                      // rows = width height: a grid or a picture; else rows and 1
  plJointKind joint_kind;                 // of the joint or actuator that it is on
  double rate, delay;                     // 1/s (0: every step), s
  const char* column[PL_SENSOR_COLUMNS];  // what a column holds: "x", "normal", ...
  const char* unit[PL_SENSOR_COLUMNS];    // "m", "N", ...; "1" for a pure number
  size_t byte0, bytes;                    // in data->reading
} plSensor;

// Index by name, -1 if there is none.
PL_API int pl_sensor_find(const plModel* model, const char* name);
// rows times columns.
PL_API int pl_sensor_size(const plModel* model, int id);
// The reading of now: values [pl_sensor_size]. PL_ERROR_INPUT if there is no such sensor. It can be read in a
// replay too.
PL_API plStatus pl_sensor_read(const plData* data, int id, double* values);
// The same numbers in their own type; valid until the next step.
PL_API const void* pl_sensor_values(const plData* data, int id);
// What the sensor would sample of the state as it is, without rate, delay and noise. PL_ERROR_INPUT if there
// is no such sensor, and in a replay. Forces are those of the last step, zero where there was none.
PL_API plStatus pl_sensor_measure(plData* data, int id, double* values);
// The time at which the reading was sampled (s).
PL_API double pl_sensor_time(const plData* data, int id);

#ifdef __cplusplus
}
#endif
#endif

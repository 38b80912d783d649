// sensor.h: sensors of forces, motion, touch and cameras. Each has a name, a reading of fixed size with
// units, and a sample rate, delay and noise (docs/sensors.md).
//
//   plSensorDef def = pl_default_sensor_def();
//   def.name = "wrist"; def.kind = PL_SENSOR_WRENCH; def.on = "arm/wrist";
//   pl_spec_add_sensor(spec, &def, NULL, &error);
//   ...
//   double wrench[6];
//   pl_sensor_read(data, pl_sensor_find(model, "wrist"), wrench);
//
// Samples are taken at the end of a step. Forces are means over that step. Samples that are delayed and
// readings that are held between two samples belong to the state: they are saved, loaded and copied with it.
//
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
  PL_SENSOR_JOINT_EFFORT,  // force of the actuators along each degree of freedom of the joint `on` (N or Nm)
  PL_SENSOR_ACTUATOR_FORCE,  // of the actuator `on` (N or Nm)
  PL_SENSOR_POSITION,        // of the frame's origin in the world (m)
  PL_SENSOR_ORIENTATION,     // of the frame in the world: w x y z
  PL_SENSOR_POSE,            // position and orientation: x y z (m), w x y z
  PL_SENSOR_VELOCITY,        // of the frame's origin (m/s) and angular (rad/s), world axes
  PL_SENSOR_WRENCH,  // force and moment that the parent exerts on the body `on` (or through the joint `on` on
                     // its child), at the frame and in its axes (N, Nm); for a joint, pose is in its frame M
  PL_SENSOR_FORCE,   // the force alone
  PL_SENSOR_TORQUE,  // the moment alone
  PL_SENSOR_GYRO,    // angular velocity in the frame's axes (rad/s)
  PL_SENSOR_ACCELEROMETER,  // acceleration of the frame's origin minus gravity, in the frame's axes (m/s^2)
  PL_SENSOR_IMU,            // accelerometer, then gyro
  PL_SENSOR_CONTACT,  // the contacts between the sides `on` and `other` together: force and moment on `other`
                      // about the centre of the normal forces (world axes), normal force, area, points
  PL_SENSOR_TOUCH,    // normal forces on the shapes of the body `on` at points inside `region`, added (N)
  PL_SENSOR_VOLUME,   // of the deformable `on`, or of the cavities inside it (m^3)
  PL_SENSOR_TAXELS,   // forces on a grid over the side `on`, or on the facets of a region of it
  PL_SENSOR_MARKERS,  // points of the deformable `on`: displacement and velocity in the frame of a mount
  PL_SENSOR_DEPTH,    // a camera: distances (m)
  PL_SENSOR_RGB,      // a camera: red, green, blue
  PL_SENSOR_SEGMENTATION,  // a camera: which object each pixel shows; i for deformable i, ndeform + j for
                           // rigid shape j, -1 for nothing
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
  const char* on;  // name of the joint, actuator, rigid body, deformable or shape. If a name is used twice, a
                   // deformable comes before a body, and a body before a joint or shape. Cameras and sensors
                   // with a frame need a rigid body or "world". Default NULL: must be given
  const char* other;  // contact and taxels: the other side by name; default NULL: any
  plPose pose;        // of the frame, see the kinds; default identity

  // ---- for every kind: sample rate, delay and noise
  double rate;   // samples per second, at most 1/dt; between two samples the reading does not change; default
                 // 0: every step
  double delay;  // s from a sample until it can be read; default 0. Until the first sample arrives, the
                 // reading is that of the start
  double noise[PL_SENSOR_COLUMNS];  // standard deviation of normal noise, per column, in its unit; default 0
  int nnoise;     // number of entries given in noise; 1 applies the first to all columns of the same unit;
                  // default 0
  uint64_t seed;  // seed of the noise, which depends only on seed, sensor name, sample number and index of
                  // the value; default 0

  // ---- parts of a surface: touch, taxels, markers
  plRegion region;    // touch: of space, in the sensor's frame; taxels and markers on a deformable: of its
                      // vertices; taxels on a rigid body or shape: of its facets, in its frame; default all
  bool has_region;    // taxels and markers: true uses the region instead of a grid; default false
  double size[2];     // m, of the grid's rectangle in the frame's x and y about its origin; default 0
  int cells[2];       // of the grid in x and y; default 0
  const char* mount;  // taxels on a deformable, markers: name of the rigid body in whose frame the reading is
                      // given; default NULL: the world
  const plVec3* point;  // markers: [npoint] m in the mesh's frame, copied, instead of region or grid
  int npoint;           // number of points
  bool cavity;  // volume: true measures the cavities that inner surfaces of the deformable enclose; default
                // false

  // ---- cameras: x right, y down, z forward
  int width, height;  // pixels, 1 to 4096; default 160 x 120
  double focal[2];    // pixels, focal lengths along x and y; default 0, 0: 0.8 width for both
  double centre[2];   // pixels, where the optical axis meets the picture; default negative: the middle of the
                      // picture
  double near, far;   // m, objects nearer or farther than this are not seen; default 0.001, 10
  bool range;         // depth: true measures distance along the ray instead of along the axis; default false
  bool shadows;       // rgb: true draws shadows of the light; default false
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
  char* name;              // as in its definition
  plSensorKind kind;       // what it measures
  plSensorType type;       // of the numbers of a reading
  int rows, columns;       // a reading has rows times columns numbers
  int width, height;       // of a grid or picture, with rows = width * height; otherwise rows and 1
  plJointKind joint_kind;  // of the joint or actuator that it is on
  double rate, delay;      // 1/s (0: every step), s
  const char* column[PL_SENSOR_COLUMNS];  // what a column holds: "x", "normal", ...
  const char* unit[PL_SENSOR_COLUMNS];    // "m", "N", ...; "1" for a pure number
  size_t byte0, bytes;                    // position and size of the reading in data->reading
} plSensor;

// Index by name, -1 if there is none.
PL_API int pl_sensor_find(const plModel* model, const char* name);
// The number of values of a reading: rows times columns.
PL_API int pl_sensor_size(const plModel* model, int id);
// Starts all sensors again at the present state, as at the start of a run: earlier samples are forgotten,
// forces and contacts are those of a state that no step led to. The noise from here on is that of `seed`, 0
// to PL_SENSOR_SEEDS - 1; that of a run is 0's. Episodes that begin with the same seed have the same noise.
// Fails with PL_ERROR_INPUT if there is no such seed, or in a control callback.
PL_API plStatus pl_sensor_restart(plData* data, int seed);
enum { PL_SENSOR_SEEDS = 1073741824 };  // 2^30
// Writes the present reading into values [pl_sensor_size]. Fails with PL_ERROR_INPUT if there is no such
// sensor. It works in a replay too.
PL_API plStatus pl_sensor_read(const plData* data, int id, double* values);
// The same values in the sensor's own type; the pointer is valid until the next step.
PL_API const void* pl_sensor_values(const plData* data, int id);
// Measures the present state without sample rate, delay and noise. Fails with PL_ERROR_INPUT if there is no
// such sensor, and in a replay. Forces are those of the last step, or zero before the first.
PL_API plStatus pl_sensor_measure(plData* data, int id, double* values);
// The time at which the reading was sampled (s).
PL_API double pl_sensor_time(const plData* data, int id);

#ifdef __cplusplus
}
#endif
#endif

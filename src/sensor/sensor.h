// sensor.h: the compiled sensors of a model, and their data in a simulation.
//
// A plan describes by indices what one sensor measures. Samples are written to a ring of slots, which is the
// sensors' part of the state (state.c); the newest one that is old enough is the reading.
#ifndef PL_SENSOR_SENSOR_H
#define PL_SENSOR_SENSOR_H

#include "geom/tri_tree.h"
#include "model/work.h"
#include "sensor/sight.h"

// The sensitive facets of a rigid shape, for taxels on a region.
typedef struct plTaxelSkin {
  plTriTree tree;  // of all facets, in the shape's frame
  int* row;        // [vertices] of the taxel, -1: none; NULL: this shape has no sensitive facets
} plTaxelSkin;

// A grid of taxels in its frame: contact forces are distributed by bilinear functions. Or vertices of a
// region: by barycentric coordinates.
typedef struct plTaxels {
  plSide side, other;
  bool soft;       // on a deformable
  plPose frame;    // of the grid: in the frame of the body or shape; for a deformable in its mesh's frame
  plQuat axes;     // deformable: axes of the forces in the mount
  double size[2];  // m
  double per_metre[2];  // cells per m
  int cells[2];         // 0: a region
  int* vert_row;        // region: [vertices of the deformable] row, -1: none
  plTaxelSkin* skin;    // region of a rigid body or shape: [nshape]
  bool* upward;         // grid on a deformable: [vertices] belongs to a facet that faces along the grid's z
} plTaxels;

// Markers: points as weighted sums of vertices, in the order of rows.
typedef struct plMarkers {
  int* vert0;      // [rows + 1] first entry
  int* vert;       // vertices, counted from the body's first
  double* weight;  // sum 1
  plVec3* start;   // [rows] m, position of each in the mount's frame at the start
} plMarkers;

typedef struct plSensorPlan {
  int joint, actuator, body, deform, mount;  // -1: none, or the world
  plPose frame;                              // of the sensor in the body; of a wrench in the M of its joint
  plSide side, other;                        // contact
  plRegion region;                           // touch
  bool cavity;
  int* inner;  // cavity: [ninner] boundary triangles of the model that enclose it
  int ninner;
  plSight sight;  // cameras
  plTaxels taxels;
  plMarkers markers;
  double noise[PL_SENSOR_COLUMNS];
  bool noisy;
  uint64_t seed;  // mixed with the name
  double rate;    // of samples per second; 0: every step
  int nslot;      // number of samples that are kept
  int nsum;       // of its first numbers are means over the step, and summed over the parts of one
  int sum0;       // where their sums begin
  size_t state0;  // offset of the sensor in the state's bytes
  size_t slot;    // bytes of a slot: the time, then the values, a multiple of 8
} plSensorPlan;

// Of one simulation.
struct plSensorWork {
  unsigned char* state;  // [model->work->sensor_bytes] per sensor: the number of samples, then the slots
  plWrench* wrench;      // [njoint] of the last step
  double* share[2];      // [most cells of a grid in a direction + 2] scratch
  plSightWork sight;
  void* picture;  // [most bytes of a camera's reading] scratch
  bool* due;      // [nsensor]
  double* sum;    // [nsum] of the parts of the last step: values times lengths
  double summed;  // s, length of these parts; 0: the last step was taken as a whole
  double* part;   // [most nsum of a sensor] scratch
  int nsum;
};

// The contents of a kind's columns; joint: the kind of joint, for kinds that measure one.
void pl_sensor_describe(plSensorKind kind, plJointKind joint, plSensor* sensor);
// Converts a reading in the sensor's own type to doubles.
void pl_sensor_convert(const plSensor* sensor, const void* from, double* values);
// Bytes of a number.
size_t pl_sensor_width(plSensorType type);

// The values of a sensor at the present state, as doubles in row order. Forces are those of the last step and
// are computed first, because they need the tree where the step evaluated them (measure.c).
void pl_sensor_eval_forces(plData* data, int id, double* out);
void pl_sensor_eval_state(plData* data, int id, double* out);
// Quantities that several sensors need, computed before the calls above: of the last step, of the state. due:
// [nsensor].
void pl_sensor_prepare_forces(plData* data, const bool* due);
void pl_sensor_prepare_state(plData* data, const bool* due);

// How many of a sensor's first numbers are forces or accelerations: means over the step.
int pl_sensor_means(const plSensor* sensor);
// A picture, in the sensor's own type; work->tree holds the state.
void pl_sensor_eval_picture(const plData* data, int id, void* out);

// Contact forces on taxels (taxels.c), displacements and velocities of markers (markers.c). Columns of taxels
// are sums, which finish turns into slip and contact.
void pl_taxels_finish(int rows, double* out);
void pl_taxels_eval(plData* data, const plTaxels* taxels, int rows, plQuat mount, double* out);
void pl_markers_eval(const plData* data, const plSensorPlan* plan, int rows, double* out);
plStatus pl_compile_taxels(const plSpec* spec, plModel* model, const plSensorDef* def, plSensor* sensor,
                           plSensorPlan* plan, plError* error);
// Taxels on facets of rigid shapes (taxels_rigid.c). Rows and shares of a force at a point of a shape, in its
// frame; returns their number, 0 if it acts on no sensitive facet.
plStatus pl_compile_rigid_region(plModel* model, const plSensorDef* def, plSensor* sensor, plTaxels* taxels,
                                 plError* error);
int pl_taxels_on_skin(const plTaxelSkin* skin, plVec3 point, plVec3 force, int row[3], double share[3]);
// Whether a point lies in a region, or less than slack (m) outside; a list of vertices contains all points.
bool pl_sensor_inside(const plRegion* region, plVec3 point, double slack);
// m. A contact point lies between two surfaces, which are |gap| apart and tilted to each other: so far it may
// lie beside the position where it acts on either of them. Points of flat patches lie on the rims of faces.
static inline double pl_sensor_slack(const plContact* c) { return c->gap < 0 ? -c->gap : c->gap; }
plStatus pl_compile_markers(const plSpec* spec, plModel* model, const plSensorDef* def, plSensor* sensor,
                            plSensorPlan* plan, plError* error);

#endif

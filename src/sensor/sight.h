// sight.h: cameras: their visible triangles, and their pictures.
#ifndef PL_SENSOR_SIGHT_H
#define PL_SENSOR_SIGHT_H

#include "model/work.h"
#include "sensor/raster.h"

// A body or shape that a camera sees.
typedef struct plSightPart {
  int side;         // its number (model/side.h)
  int deform;       // deformable, -1: a shape
  int shape;        // -1: a deformable
  int vert0, tri0;  // first vertex and triangle
  int nvert, ntri;
  const double* local;  // shape: [3 nvert] m, in its own frame
  const int* source;    // deformable: [nvert] vertex, counted from the body's first
  plVec3 colour;        // linear light
} plSightPart;

typedef struct plSight {
  int width, height;
  double focal[2], centre[2];  // pixels
  double near, far;            // m
  bool range, shadows;
  int nvert, ntri, npart, nplane;
  int* tri;              // [3 ntri]
  int* tri_part;         // [ntri]
  plSightPart* part;     // [npart]
  int* plane;            // [nplane] half spaces: shapes
  plVec3* plane_colour;  // [nplane] linear light
} plSight;

// Scratch that all cameras of a simulation share; sizes are those of the largest.
typedef struct plSightWork {
  size_t nvert, npixel;  // room: the most of all cameras
  plVec3* world;         // [nvert] m
  plVec3* local;         // [nvert] camera axes: x right, y down, z forward
  plVec3* screen;        // [nvert] pixels and inverse distance
  float* depth;          // [width height]
  int* id;               // [width height]
  float* shadow;         // [PL_SIGHT_SHADOW^2]
} plSightWork;

enum { PL_SIGHT_SHADOW = 1024, PL_SIGHT_PLANES = 64 };

plStatus pl_compile_sight(const plSpec* spec, plModel* model, const plSensorDef* def, int body,
                          plSight* sight, plError* error);
bool pl_sight_work_create(plArena* arena, const plSight* const* sight, int nsight, plSightWork* work);
// The picture of a camera with its frame at pose in the world; work->tree holds the state. kind: depth, rgb
// or segmentation; out: floats, 3 bytes or ints, row by row.
void pl_sight_draw(const plData* data, const plSight* sight, plPose pose, plSensorKind kind,
                   plSightWork* work, void* out);

#endif

// painter.h: data shared by the passes of a picture: visible triangles (painter_bands.c), shading of pixels
// (painter_shade.c), the whole picture (picture.c).
#ifndef PL_OUTPUT_PAINTER_H
#define PL_OUTPUT_PAINTER_H

#include "output/camera.h"
#include "output/drawing.h"
#include "output/font.h"
#include "output/light.h"

enum { PL_BAND = 32, PL_FLOOR_ROWS = PL_BAND / 2 + 1 };  // rows of a band; of nodes of the light on planes

// Light on a plane at every second pixel of every second row.
typedef struct plFloorLight {
  float rgb[3];
  int plane;  // -1: none is visible there; -2: not computed yet
} plFloorLight;

// Everything the passes share.
typedef struct plPainter {
  const plDrawing* drawing;
  plCamera camera;
  plLights lights;
  plPool* pool;
  plVec3 open_sky;      // light on a floor without shadows
  plVec3 centre;        // of the subject
  double size;          // m, of the subject
  double grid;          // m between lines
  int nthread;          // that have memory of their own below
  int per_side;         // samples of a pixel in each direction
  int nlight;           // lights of a sample
  plVec3* local;        // [nvert] in the camera's axes
  plVec3* screen;       // [nvert] pixels and inverse distance; behind the camera the latter is negative
  int* band0;           // [bands + 1] first entry of a band in band_tri
  int* band_tri;        // triangles whose rows meet the band
  float* depth;         // [threads][samples of a band, row by row] inverse distance, 0: nothing
  int* id;              // [threads][samples of a band, row by row] triangle, -1: none
  plFloorLight* floor;  // [threads][PL_FLOOR_ROWS nodes in x] light on planes that was computed already
  plImage image;
} plPainter;

// Surfaces nearer than this fraction of the subject's size are not drawn.
static const double PL_PAINTER_NEAR = 1e-4;

// ---- painter_bands.c

// Lists the triangles of each band; false if memory runs out.
bool pl_painter_sort(plPainter* painter);
// The visible triangles at every sample of a band, row by row: depth and id. They lie in the columns
// [column[0], column[1]] of its pixels.
void pl_painter_draw(const plPainter* painter, int band, float* depth, int* id, int column[2]);

// ---- painter_shade.c

// A band of the picture, from its samples. floor: scratch of one thread.
void pl_painter_shade(plPainter* painter, int band, const float* depth, const int* id, const int column[2],
                      plFloorLight* floor);

#endif

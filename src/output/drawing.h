// drawing.h: the content of a picture: triangles with normals and colours, and planes.
#ifndef PL_OUTPUT_DRAWING_H
#define PL_OUTPUT_DRAWING_H

#include "math/vec3.h"
#include "output/surface.h"

typedef struct plDrawPlane {
  plVec3 point, normal, u, v;  // u, v: unit axes of its grid
  plVec3 colour;               // tint, linear light
  bool grid;                   // part of the model; otherwise a floor that only shows shadows
} plDrawPlane;

typedef struct plDrawing {
  int nvert, ntri;
  int vert_room, tri_room;  // allocated
  double* vert;             // [3 nvert] m
  int* tri;                 // [3 ntri]
  plVec3* normal;           // [3 ntri] unit, per corner
  plVec3* colour;           // [nvert] linear light
  bool* edges;              // [ntri] the mesh's edges may be drawn
  plVec3 lower, upper;      // m, of what the camera should see
  double* frame;            // [3 nframe] points the camera should see
  int nframe;
  plDrawPlane* plane;  // [nplane]
  int nplane;
} plDrawing;

// options->range must be set (pl_picture_include).
plStatus pl_drawing_create(const plData* data, const plPictureOptions* options, plDrawing** drawing,
                           plError* error);
void pl_drawing_destroy(plDrawing* drawing);

// Widens range to include the colour's values at all surface vertices of deformable bodies.
plStatus pl_drawing_range(const plData* data, plColour colour, double range[2], plError* error);
// The box of the deformable bodies, with those rigid shapes that are near.
plStatus pl_drawing_box(const plData* data, plVec3* lower, plVec3* upper, plError* error);

#endif

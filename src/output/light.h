// light.h: a sky of many small lights, each with its shadow map: soft shadows and dark corners without ray
// tracing.
#ifndef PL_OUTPUT_LIGHT_H
#define PL_OUTPUT_LIGHT_H

#include "base/parallel.h"
#include "output/drawing.h"

typedef struct plLight {
  plVec3 direction;      // unit, towards the light
  plVec3 u, v;           // unit, across
  plVec3 intensity;      // linear light on a surface that faces it
  bool key;              // one of the key light's samples
  double u0, v0, scale;  // pixel = scale (u - u0)
  int size;              // pixels of the map's side
  float* depth;          // [size size] largest distance towards the light of what was drawn
} plLight;

typedef struct plLights {
  int n;
  plLight* light;
} plLights;

// n lights for each of npass passes, those of a pass together; each pass has the light of the whole sky, all
// together sample it evenly. key: unit vector towards the middle of the key light.
bool pl_lights_create(plLights* lights, int n, int npass, plVec3 key);
void pl_lights_destroy(plLights* lights);
// Draws the shadow maps; false if memory runs out.
bool pl_lights_draw(plLights* lights, const plDrawing* drawing, plPool* pool);
// Share of the light that reaches p on a surface with normal n, in [0, 1].
double pl_light_reaches(const plLight* light, plVec3 p, plVec3 n);

#endif

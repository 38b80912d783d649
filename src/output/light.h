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
  float* coarse;  // after depth: [blocks blocks] largest of the PL_LIGHT_BLOCK + 1 pixels of a block in each
                  // direction
} plLight;

enum { PL_LIGHTS_MOST = 256, PL_LIGHT_BLOCK = 16 };  // sizes of maps are multiples of a block

// The position of a point in the maps, and the light that reaches it, for all lights at once: numbers of the
// same kind are contiguous, so that several are computed in one instruction. Coefficients act on the position
// relative to the middle of the subject: x = axis[0][0] px + axis[0][1] py + axis[0][2] pz + axis[0][3].
typedef struct plLightTable {
  plVec3 origin;
  float direction[3][PL_LIGHTS_MOST], across[2][3][PL_LIGHTS_MOST], axis[3][4][PL_LIGHTS_MOST],
      lift[PL_LIGHTS_MOST];
  float intensity[3][PL_LIGHTS_MOST];
} plLightTable;

typedef struct plLights {
  int n;  // at most PL_LIGHTS_MOST
  plLight* light;
  plLightTable* table;  // made with the maps
} plLights;

// n lights for each of npass passes, those of a pass together. Each pass has the light of the whole sky, and
// all together sample it evenly. key: unit vector towards the middle of the key light.
bool pl_lights_create(plLights* lights, int n, int npass, plVec3 key);
void pl_lights_destroy(plLights* lights);
// Draws the shadow maps; false if memory runs out.
bool pl_lights_draw(plLights* lights, const plDrawing* drawing, plPool* pool);
// Fraction of the light that reaches p on a surface with normal n, in [0, 1].
double pl_light_reaches(const plLight* light, plVec3 p, plVec3 n);
// The same for lights [first, end) at once, times the cosine of the angle at which each falls in: share
// [end - first, and up to a multiple of 4], not negative. Returns the light of them all.
plVec3 pl_lights_reach(const plLights* lights, int first, int end, plVec3 p, plVec3 n, float* share);

#endif

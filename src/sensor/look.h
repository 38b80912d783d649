// look.h: the visible parts of a model: which shapes, as triangles, in which colours.
#ifndef PL_SENSOR_LOOK_H
#define PL_SENSOR_LOOK_H

#include "pliant/model.h"

// Bounded shapes as triangles in their own frame; none for a half space. NULL if memory runs out.
plMesh* pl_look_tessellate(const plModel* model, int shape, plError* error);
// Which bodies have visual shapes: [nbody], freed by the caller; NULL if memory runs out.
bool* pl_look_dressed(const plModel* model);
// Whether a shape is drawn as triangles: collision shapes of a body with visual shapes are not.
bool pl_look_shown(const plModel* model, const bool* dressed, int shape);
// The colour of a deformable body: red, green, blue in [0, 1].
plVec3 pl_look_colour(int deformable);

#endif

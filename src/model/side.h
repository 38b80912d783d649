// side.h: sides of contacts as numbers, for files and colliders: deformable i is i, shape j is ndeform + j.
#ifndef PL_MODEL_SIDE_H
#define PL_MODEL_SIDE_H

#include "pliant/model.h"

int pl_side_number(const plModel* model, plSide side);
plSide pl_side_of_number(const plModel* model, int number);
// A rigid body as a side; -1 is the world.
static inline plSide pl_side_of_body(int body) {
  return body < 0 ? (plSide){PL_SIDE_WORLD, 0} : (plSide){PL_SIDE_BODY, body};
}

#endif

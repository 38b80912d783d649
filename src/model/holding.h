// holding.h: the inputs with which actuators hold a position.
#ifndef PL_MODEL_HOLDING_H
#define PL_MODEL_HOLDING_H

#include "pliant/data.h"

// The present coordinate on which an actuator acts: the sum of coefficient * q, or the length of its cable.
double pl_holding_coordinate(const plData* data, int act);
// Limits of that coordinate, from those of the joints; infinite for a cable.
void pl_holding_limits(const plModel* model, const plParameters* par, int act, double* lower, double* upper);
// The first input with which the actuator exerts no force at rest at a coordinate; false if there is none
// because its force does not depend on both.
bool pl_holding_input(const plModel* model, const plParameters* par, int act, double coordinate, double* u);

#endif

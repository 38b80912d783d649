// bench_press.h: the pressed cylinder's force over travel beside the reference.
#ifndef PL_CLI_BENCH_PRESS_H
#define PL_CLI_BENCH_PRESS_H

#include "cli.h"

enum { PRESS_POINTS = 16 };  // travel 0.05, 0.06 ... 0.20 m

// The curve while it is followed: the force at each travel, between two steps.
typedef struct Press {
  int n;                       // points reached
  double force[PRESS_POINTS];  // kN/m
  double travel, time;         // of the step before
} Press;

// After a step; the plate's joint is the first one of the scene.
void press_follow(Press* press, const plData* data);
// Prints the curve, its errors with and without the force of the damper, and the tolerance; nothing if no
// point was reached.
void press_print(FILE* out, const Press* press, const plModel* model);

#endif

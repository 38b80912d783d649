// energy.h: energy that bodies gain without a source in a run.
#ifndef PL_CLI_ENERGY_H
#define PL_CLI_ENERGY_H

#include "cli.h"

// For each deformable body the sum of its gains, the lowest that sum was, and its largest energy so far (J);
// then the same of all rigid bodies together, with their kinetic energy.
typedef struct EnergyWatch {
  double* memory;  // [3 (ndeform + 1)]
  bool warned;
} EnergyWatch;

// False if memory runs out.
bool energy_begin(EnergyWatch* watch, const plData* data);
// Counts the last step; returns the body whose gains have just exceeded 1 % of its largest energy (ndeform:
// the rigid bodies), -1: none, or already reported.
int energy_step(EnergyWatch* watch, const plData* data);
void energy_end(EnergyWatch* watch);

#endif

// colour_map.h: perceptually uniform colours for numbers.
#ifndef PL_OUTPUT_COLOUR_MAP_H
#define PL_OUTPUT_COLOUR_MAP_H

#include <stdbool.h>

#include "pliant/types.h"

// Linear light for x in [0, 1]: dark to bright, or (diverging) from blue over white to red. NaN is grey.
plVec3 pl_colour_map(double x, bool diverging);

#endif

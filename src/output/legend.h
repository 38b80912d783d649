// legend.h: text on a picture: the colour scale, the time, the width of the grid.
#ifndef PL_OUTPUT_LEGEND_H
#define PL_OUTPUT_LEGEND_H

#include "output/font.h"
#include "pliant/output.h"

// grid: m between the lines of the ground, 0: none.
void pl_legend_draw(plImage* image, const plPictureOptions* options, double time, double grid);

// The power of 1000 that suits the largest number, as a factor, and the unit with its prefix.
double pl_legend_unit(plColour colour, double largest, char unit[16]);

#endif

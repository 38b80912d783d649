// font.h: text and plain figures drawn over an image in linear light.
#ifndef PL_OUTPUT_FONT_H
#define PL_OUTPUT_FONT_H

#include "pliant/types.h"

typedef struct plImage {
  int width, height;
  float* rgb;  // [3 width height] linear light, rows from the top
} plImage;

// A line with round ends, antialiased; x, y in pixels.
void pl_image_line(plImage* image, double x0, double y0, double x1, double y1, double thickness,
                   plVec3 colour, double alpha);
// size: height of a capital letter in pixels; (x, y) the left end of the base line. UTF-8; returns the width
// in pixels.
double pl_image_text(plImage* image, double x, double y, double size, const char* text, plVec3 colour);
double pl_text_width(double size, const char* text);

#endif

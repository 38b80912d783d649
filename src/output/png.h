// png.h: an image as a PNG file.
#ifndef PL_OUTPUT_PNG_H
#define PL_OUTPUT_PNG_H

#include "pliant/types.h"

// rgb: [3 width height] 8 bits each, rows from the top.
plStatus pl_png_save(const char* path, int width, int height, const unsigned char* rgb, plError* error);

#endif

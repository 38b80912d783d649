// gif.h: the parts of the GIF writer: a palette by median cut, and LZW codes.
#ifndef PL_OUTPUT_GIF_H
#define PL_OUTPUT_GIF_H

#include <stdint.h>

#include "output/chunk.h"

// Colours are counted in 32 x 32 x 32 cells of the RGB cube.
enum { PL_GIF_CELLS = 32 * 32 * 32, PL_GIF_COLOURS = 255 };
static inline int pl_gif_cell(const unsigned char* rgb) {
  return (rgb[0] >> 3) << 10 | (rgb[1] >> 3) << 5 | rgb[2] >> 3;
}

// Counts of the colours of all pictures, and their sums, from which the mean of each cell comes.
typedef struct plGifCounts {
  uint64_t count[PL_GIF_CELLS];
  uint64_t sum[PL_GIF_CELLS][3];
} plGifCounts;
void pl_gif_count(plGifCounts* counts, const unsigned char* rgb, size_t npixel);

// Median cut: at most PL_GIF_COLOURS colours [n][3], and for each cell the index of its colour; cells that
// were not counted get the nearest colour.
int pl_gif_palette(const plGifCounts* counts, unsigned char (*colour)[3], unsigned char* index_of_cell);

// Appends n indices of 8 bits as GIF's LZW codes: the code size, sub-blocks, the end mark.
void pl_gif_lzw(const unsigned char* index, size_t n, plBytes* bytes);

#endif

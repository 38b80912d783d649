// gif_palette.c: one palette for all pictures of a GIF, by median cut. The box of cells with the largest
// spread is cut at the median along its longest side until there are enough boxes; a colour is the mean of
// its box.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/gif.h"

void pl_gif_count(plGifCounts* counts, const unsigned char* rgb, size_t npixel) {
  for (size_t i = 0; i < npixel; i++, rgb += 3) {
    int cell = pl_gif_cell(rgb);
    counts->count[cell]++;
    for (int k = 0; k < 3; k++) counts->sum[cell][k] += rgb[k];
  }
}

typedef struct Box {
  int lower[3], upper[3];  // cells, both ends included
  uint64_t count;
} Box;

static int cell_at(const int* c) { return c[0] << 10 | c[1] << 5 | c[2]; }

// Calls of this loop visit all cells of a box.
#define EACH_CELL(box, c)                                         \
  for (c[0] = (box)->lower[0]; c[0] <= (box)->upper[0]; c[0]++)   \
    for (c[1] = (box)->lower[1]; c[1] <= (box)->upper[1]; c[1]++) \
      for (c[2] = (box)->lower[2]; c[2] <= (box)->upper[2]; c[2]++)

// Shrinks the box to the cells that were counted.
static void fit(const plGifCounts* counts, Box* box) {
  Box tight = {{32, 32, 32}, {-1, -1, -1}, 0};
  int c[3];
  EACH_CELL(box, c) {
    uint64_t n = counts->count[cell_at(c)];
    if (!n) continue;
    tight.count += n;
    for (int k = 0; k < 3; k++) {
      if (c[k] < tight.lower[k]) tight.lower[k] = c[k];
      if (c[k] > tight.upper[k]) tight.upper[k] = c[k];
    }
  }
  *box = tight;
}

static int longest_side(const Box* box) {
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (box->upper[k] - box->lower[k] > box->upper[axis] - box->lower[axis]) axis = k;
  return axis;
}

// The priority of dividing a box; 0: one cell. Small boxes with many pixels come after long ones with few.
static double spread(const Box* box) {
  int axis = longest_side(box), side = box->upper[axis] - box->lower[axis];
  return side * sqrt((double)box->count);
}

// Divides at the median along the longest side; the upper part goes to *other.
static void cut(const plGifCounts* counts, Box* box, Box* other) {
  int axis = longest_side(box), c[3];
  uint64_t along[32] = {0}, below = 0;
  EACH_CELL(box, c) along[c[axis]] += counts->count[cell_at(c)];
  int at = box->lower[axis];
  for (; at < box->upper[axis] - 1; at++) {
    below += along[at];
    if (2 * (below + along[at + 1] / 2) >= box->count) break;
  }
  *other = *box;
  box->upper[axis] = at, other->lower[axis] = at + 1;
  fit(counts, box), fit(counts, other);
}

static void mean_colour(const plGifCounts* counts, const Box* box, unsigned char* colour) {
  uint64_t sum[3] = {0};
  int c[3];
  assert(box->count > 0);
  EACH_CELL(box, c) for (int k = 0; k < 3; k++) sum[k] += counts->sum[cell_at(c)][k];
  for (int k = 0; k < 3; k++) colour[k] = (unsigned char)((sum[k] + box->count / 2) / box->count);
}

// The nearest colour of the palette to the middle of each cell.
static void match_cells(unsigned char (*colour)[3], int n, unsigned char* index_of_cell) {
  for (int cell = 0; cell < PL_GIF_CELLS; cell++) {
    int rgb[3] = {(cell >> 10) * 8 + 4, (cell >> 5 & 31) * 8 + 4, (cell & 31) * 8 + 4}, best = 0,
        least = 1 << 30;
    for (int i = 0; i < n; i++) {
      int d = 0;
      for (int k = 0; k < 3; k++) d += (rgb[k] - colour[i][k]) * (rgb[k] - colour[i][k]);
      if (d < least) least = d, best = i;
    }
    index_of_cell[cell] = (unsigned char)best;
  }
}

int pl_gif_palette(const plGifCounts* counts, unsigned char (*colour)[3], unsigned char* index_of_cell) {
  Box box[PL_GIF_COLOURS] = {{{0, 0, 0}, {31, 31, 31}, 0}};
  fit(counts, &box[0]);
  int n = box[0].count ? 1 : 0;
  while (n && n < PL_GIF_COLOURS) {
    int widest = 0;
    for (int i = 1; i < n; i++)
      if (spread(&box[i]) > spread(&box[widest])) widest = i;
    if (!(spread(&box[widest]) > 0)) break;
    assert(n < PL_GIF_COLOURS);
    cut(counts, &box[widest], &box[n]);
    n++;
  }
  for (int i = 0; i < n; i++) mean_colour(counts, &box[i], colour[i]);
  match_cells(colour, n, index_of_cell);
  return n;
}

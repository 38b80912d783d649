// gif.c: an endless animated GIF (89a) of pictures of one size, with one palette.
//
// Pictures are first counted (pl_gif_include), then added. From the second on only the rectangle that changed
// is written, and pixels in it that did not change are transparent.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "output/gif.h"
#include "pliant/output.h"

enum { TRANSPARENT = PL_GIF_COLOURS, DELAY_MOST = 65535 };

struct plGif {
  int width, height, delay;  // delay in 1/100 s
  int nframe;
  plGifCounts counts;
  unsigned char index_of_cell[PL_GIF_CELLS];
  unsigned char* shown;  // [width height] indices of the frame before
  unsigned char* now;    // of this one
  unsigned char* part;   // what is written of it
  plBytes bytes;
  char path[4096];
};

static void add_number(plBytes* bytes, int x) {
  unsigned char b[2] = {(unsigned char)(x & 255), (unsigned char)(x >> 8)};
  pl_bytes_add(bytes, b, 2);
}

plStatus pl_gif_open(const char* path, int width, int height, double seconds, plGif** gif, plError* error) {
  assert(path != NULL && gif != NULL);
  *gif = NULL;
  if (width < 1 || height < 1 || width > 16384 || height > 16384)
    return pl_fail(error, PL_ERROR_INPUT, "a GIF takes 1 to 16384 pixels a side, not %d x %d", width, height);
  if (!(seconds >= 0.02 && seconds <= DELAY_MOST / 100.0))
    return pl_fail(error, PL_ERROR_INPUT,
                   "a GIF shows a picture for 0.02 s to 655 s, not %g s; take every N-th frame", seconds);
  if (strlen(path) >= sizeof(*gif)->path)
    return pl_fail(error, PL_ERROR_INPUT, "the path of the GIF is longer than 4095 bytes");
  size_t n = (size_t)width * (size_t)height;
  plGif* g = PL_NEW(plGif, 1);
  if (g) g->shown = PL_NEW(unsigned char, n), g->now = PL_NEW(unsigned char, n);
  if (g) g->part = PL_NEW(unsigned char, n);
  if (!g || !g->shown || !g->now || !g->part) {
    pl_gif_discard(g);
    return pl_fail_out_of_memory(error, sizeof *g + 3 * n);
  }
  g->width = width, g->height = height, g->delay = (int)lround(100 * seconds);
  memcpy(g->path, path, strlen(path) + 1);
  *gif = g;
  return PL_OK;
}

plStatus pl_gif_include(plGif* g, const unsigned char* rgb, plError* error) {
  assert(g != NULL && rgb != NULL);
  if (g->nframe)
    return pl_fail(error, PL_ERROR_INPUT, "the colours of a GIF are counted before its first picture");
  pl_gif_count(&g->counts, rgb, (size_t)g->width * (size_t)g->height);
  return PL_OK;
}

// Header, size of the screen, palette, and the command to repeat forever.
static void add_head(plGif* g) {
  unsigned char colour[PL_GIF_COLOURS + 1][3] = {{0}};
  pl_gif_palette(&g->counts, colour, g->index_of_cell);
  pl_bytes_add(&g->bytes, "GIF89a", 6);
  add_number(&g->bytes, g->width), add_number(&g->bytes, g->height);
  pl_bytes_add(&g->bytes, "\xf7\0\0", 3);  // a palette of 256 colours
  pl_bytes_add(&g->bytes, colour, sizeof colour);
  pl_bytes_add(&g->bytes, "\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19);
}

typedef struct Part {
  int x0, y0, x1, y1;  // the last ones excluded
} Part;

static Part changed(const plGif* g) {
  Part p = {g->width, g->height, 0, 0};
  if (!g->nframe) return (Part){0, 0, g->width, g->height};
  for (int y = 0; y < g->height; y++)
    for (int x = 0; x < g->width; x++) {
      size_t i = (size_t)y * (size_t)g->width + (size_t)x;
      if (g->now[i] == g->shown[i]) continue;
      if (x < p.x0) p.x0 = x;
      if (x >= p.x1) p.x1 = x + 1;
      if (y < p.y0) p.y0 = y;
      p.y1 = y + 1;
    }
  return p.x1 ? p : (Part){0, 0, 1, 1};  // nothing changed: one pixel keeps the timing
}

plStatus pl_gif_add(plGif* g, const unsigned char* rgb, plError* error) {
  assert(g != NULL && rgb != NULL);
  size_t n = (size_t)g->width * (size_t)g->height, count = 0;
  if (!g->nframe) {
    pl_gif_count(&g->counts, rgb, n);
    add_head(g);
  }
  for (size_t i = 0; i < n; i++) g->now[i] = g->index_of_cell[pl_gif_cell(rgb + 3 * i)];
  Part p = changed(g);
  for (int y = p.y0; y < p.y1; y++)
    for (int x = p.x0; x < p.x1; x++) {
      size_t i = (size_t)y * (size_t)g->width + (size_t)x;
      assert(count < n);
      g->part[count++] = g->nframe && g->now[i] == g->shown[i] ? TRANSPARENT : g->now[i];
    }
  plBytes* b = &g->bytes;
  pl_bytes_add(b, "\x21\xf9\x04\x05", 4);  // keep the picture; one index is transparent
  add_number(b, g->delay);
  pl_bytes_add(b, (unsigned char[]){TRANSPARENT, 0, 0x2c}, 3);
  add_number(b, p.x0), add_number(b, p.y0), add_number(b, p.x1 - p.x0), add_number(b, p.y1 - p.y0);
  pl_bytes_add(b, "\0", 1);
  pl_gif_lzw(g->part, count, b);
  unsigned char* t = g->shown;
  g->shown = g->now, g->now = t;
  g->nframe++;
  return b->failed ? pl_fail_out_of_memory(error, b->size) : PL_OK;
}

plStatus pl_gif_close(plGif* g, plError* error) {
  if (!g) return PL_OK;
  plStatus status = PL_OK;
  if (!g->nframe) status = pl_fail(error, PL_ERROR_INPUT, "a GIF needs at least one picture");
  pl_bytes_add(&g->bytes, "\x3b", 1);
  if (!status && g->bytes.failed) status = pl_fail_out_of_memory(error, g->bytes.size);
  if (!status) status = pl_file_replace(g->path, &pl_file_gif, g->bytes.data, g->bytes.size, error);
  pl_gif_discard(g);
  return status;
}

void pl_gif_discard(plGif* g) {
  if (!g) return;
  pl_bytes_free(&g->bytes);
  pl_free(g->shown), pl_free(g->now), pl_free(g->part);
  pl_free(g);
}

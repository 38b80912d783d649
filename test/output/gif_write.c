// gif_write.c FOLDER: pictures as one GIF and each as a PNG, for gif_pillow.py to compare: noise of few
// colours, for which the palette is exact, and a moving gradient, for which it is not.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "output/png.h"
#include "pliant/output.h"

enum { W = 331, H = 207, FRAMES = 5 };
static unsigned char rgb[3 * W * H];

// 200 colours in cells of their own, in runs of growing length; parts of the picture stand still.
static void draw_noise(int frame) {
  static uint32_t state = 1;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      if (frame && (x < 20 || y < 30)) continue;
      state = state * 1664525u + 1013904223u;
      unsigned c = x < W / 2 ? state >> 24 : (unsigned)(x * y / 97 + frame);
      c %= 200;
      unsigned char* p = rgb + 3 * (y * W + x);
      p[0] = (unsigned char)(c % 6 * 48), p[1] = (unsigned char)(c / 6 % 6 * 48);
      p[2] = (unsigned char)(c / 36 * 40);
    }
}

static void draw_gradient(int frame) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      unsigned char* p = rgb + 3 * (y * W + x);
      p[0] = (unsigned char)(x * 255 / W), p[1] = (unsigned char)(y * 255 / H);
      p[2] = (unsigned char)(40 * frame);
    }
}

static plStatus write_gif(const char* folder, const char* name, void (*draw)(int), plError* error) {
  char path[4096];
  plGif* gif;
  snprintf(path, sizeof path, "%s/%s.gif", folder, name);
  plStatus status = pl_gif_open(path, W, H, 0.1, &gif, error);
  for (int i = 0; i < FRAMES && !status; i++) draw(i), status = pl_gif_include(gif, rgb, error);
  for (int i = 0; i < FRAMES && !status; i++) {
    if (draw == draw_gradient) draw(i);  // noise: the last picture, five times
    status = pl_gif_add(gif, rgb, error);
    snprintf(path, sizeof path, "%s/%s%d.png", folder, name, i);
    if (!status) status = pl_png_save(path, W, H, rgb, error);
    if (draw == draw_noise) draw(i + 1);
  }
  if (status) return pl_gif_discard(gif), status;
  return pl_gif_close(gif, error);
}

int main(int argc, char** argv) {
  if (argc != 2) return fprintf(stderr, "usage: gif_write FOLDER\n"), 2;
  plError error = {0};
  plGif* gif;
  if (write_gif(argv[1], "noise", draw_noise, &error) ||
      write_gif(argv[1], "gradient", draw_gradient, &error))
    return fprintf(stderr, "%s\n", error.message), 1;
  // what is refused
  char path[4096];
  snprintf(path, sizeof path, "%s/none.gif", argv[1]);
  bool refused = pl_gif_open(path, W, H, 0.001, &gif, &error) && pl_gif_open(path, 0, H, 0.1, &gif, &error) &&
                 !pl_gif_open(path, W, H, 0.1, &gif, &error) && pl_gif_close(gif, &error);
  return refused && !fopen(path, "r") ? 0 : 3;
}

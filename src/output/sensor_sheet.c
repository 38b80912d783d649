// sensor_sheet.c: the readings of cameras, grids of taxels and grids of markers as panes of one picture.
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/srgb.h"
#include "math/vec3.h"
#include "model/sensor_kinds.h"
#include "output/colour_map.h"
#include "output/font.h"
#include "output/png.h"
#include "pliant/output.h"

enum { PANE = 320, TITLE = 40, GAP = 16, MOST_COLUMNS = 3 };

typedef struct Pane {
  plImage* image;
  double x, y;  // of its upper left corner (pixels)
  double cell;  // pixels of a cell
  const plSensor* s;
  const double* value;
} Pane;

static bool is_shown(const plSensor* s) {
  bool grid = s->kind == PL_SENSOR_TAXELS || s->kind == PL_SENSOR_MARKERS;
  return pl_sensor_is_camera(s->kind) || (grid && s->height > 1);
}

static void fill(plImage* image, double x0, double y0, double x1, double y1, plVec3 c) {
  for (int y = (int)fmax(y0, 0); y < y1 && y < image->height; y++)
    for (int x = (int)fmax(x0, 0); x < x1 && x < image->width; x++) {
      float* to = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
      to[0] = (float)c.x, to[1] = (float)c.y, to[2] = (float)c.z;
    }
}

static void arrow(plImage* image, double x, double y, double dx, double dy, plVec3 ink) {
  double n = hypot(dx, dy), head = fmin(0.4 * n, 6);
  if (!(n > 0.5)) return;
  pl_image_line(image, x, y, x + dx, y + dy, 1.4, ink, 0.9);
  double ux = dx / n * head, uy = dy / n * head;
  pl_image_line(image, x + dx, y + dy, x + dx - ux + 0.5 * uy, y + dy - uy - 0.5 * ux, 1.4, ink, 0.9);
  pl_image_line(image, x + dx, y + dy, x + dx - ux - 0.5 * uy, y + dy - uy + 0.5 * ux, 1.4, ink, 0.9);
}

// The colour of a pixel of a camera; range: of the distances that are seen.
static plVec3 camera_colour(const plSensor* s, const double* v, const double range[2]) {
  if (s->kind == PL_SENSOR_RGB)
    return v3(srgb_to_linear(v[0] / 255), srgb_to_linear(v[1] / 255), srgb_to_linear(v[2] / 255));
  if (s->kind == PL_SENSOR_SEGMENTATION)
    return v[0] < 0 ? v3(0.02, 0.02, 0.02) : pl_colour_map(fmod(0.15 + 0.618033988749895 * v[0], 1), false);
  if (v[0] >= range[1]) return v3(0.02, 0.02, 0.02);
  return pl_colour_map(1 - (v[0] - range[0]) / fmax(range[1] - range[0], 1e-12), false);
}

static void draw_camera(const Pane* p, char* note, size_t size) {
  const plSensor* s = p->s;
  double range[2] = {INFINITY, -INFINITY}, far = -INFINITY;
  int nfar = 0, n = s->kind == PL_SENSOR_DEPTH ? s->rows : 0;
  for (int i = 0; i < n; i++) far = fmax(far, p->value[i]), range[0] = fmin(range[0], p->value[i]);
  for (int i = 0; i < n; i++) nfar += p->value[i] == far;
  // a largest distance that several pixels share means that nothing is seen there
  for (int i = 0; i < n; i++)
    if (p->value[i] < far || nfar == 1) range[1] = fmax(range[1], p->value[i]);
  range[1] = nextafter(range[1], INFINITY);
  for (int y = 0; y < s->height; y++)
    for (int x = 0; x < s->width; x++) {
      const double* v = p->value + (size_t)(y * s->width + x) * (size_t)s->columns;
      fill(p->image, p->x + x * p->cell, p->y + y * p->cell, p->x + (x + 1) * p->cell,
           p->y + (y + 1) * p->cell, camera_colour(s, v, range));
    }
  if (s->kind == PL_SENSOR_DEPTH && range[1] > range[0])
    snprintf(note, size, "%.3g to %.3g mm", 1e3 * range[0], 1e3 * range[1]);
}

// A grid: colours of one column, arrows of two others. Rows go up.
static void draw_grid(const Pane* p, int colour, int arrows, char* note, size_t size, double unit,
                      const char* unit_name) {
  const plSensor* s = p->s;
  double low = 0, high = 0, longest = 0;
  for (int i = 0; i < s->rows; i++) {
    const double* v = p->value + (size_t)i * (size_t)s->columns;
    low = fmin(low, v[colour]), high = fmax(high, v[colour]);
    longest = fmax(longest, hypot(v[arrows], v[arrows + 1]));
  }
  bool diverging = low < 0 && s->kind == PL_SENSOR_MARKERS;
  double most = fmax(high, -low);
  if (!(most > 0)) most = 1, high = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j < s->height; j++)
      for (int i = 0; i < s->width; i++) {
        const double* v = p->value + (size_t)(j * s->width + i) * (size_t)s->columns;
        double x = p->x + i * p->cell, y = p->y + (s->height - 1 - j) * p->cell, c = p->cell;
        double at = diverging ? 0.5 + 0.5 * v[colour] / most : fmax(v[colour], 0) / most;
        if (!pass) fill(p->image, x, y, x + c, y + c, pl_colour_map(at, diverging));
        if (pass && longest > 0)
          arrow(p->image, x + c / 2, y + c / 2, 1.2 * c * v[arrows] / longest,
                -1.2 * c * v[arrows + 1] / longest, diverging ? v3(0, 0, 0) : v3(1, 1, 1));
      }
  if (low == 0 && high == 0 && longest == 0)
    snprintf(note, size, "nothing");
  else
    snprintf(note, size, "up to %.3g %s, arrows to %.3g %s", unit * most, unit_name, unit * longest,
             unit_name);
}

static void draw_pane(Pane p) {
  char note[96] = "", title[320];
  p.cell = fmin((double)PANE / p.s->width, (double)PANE / p.s->height);
  if (pl_sensor_is_camera(p.s->kind))
    draw_camera(&p, note, sizeof note);
  else if (p.s->kind == PL_SENSOR_TAXELS)
    draw_grid(&p, 0, 1, note, sizeof note, 1e3, "mN");
  else
    draw_grid(&p, 2, 0, note, sizeof note, 1e3, "mm");
  snprintf(title, sizeof title, "%.60s (%s)", p.s->name, pl_sensor_kind_name(p.s->kind));
  pl_image_text(p.image, p.x, p.y - 20, 9, title, v3(0.02, 0.02, 0.03));
  pl_image_text(p.image, p.x, p.y - 6, 7, note, v3(0.15, 0.15, 0.18));
}

static plStatus save(const plImage* image, const char* path, plError* error) {
  size_t n = 3 * (size_t)image->width * (size_t)image->height;
  unsigned char* rgb = PL_NEW(unsigned char, n);
  if (!rgb) return pl_fail_out_of_memory(error, n);
  for (size_t i = 0; i < n; i++)
    rgb[i] = (unsigned char)lround(255 * linear_to_srgb(fmin(fmax(image->rgb[i], 0), 1)));
  plStatus status = pl_png_save(path, image->width, image->height, rgb, error);
  pl_free(rgb);
  return status;
}

plStatus pl_sensor_sheet(const plData* data, const char* path, plError* error) {
  assert(data != NULL && path != NULL);
  const plModel* m = data->model;
  int n = 0, most = 0;
  for (int i = 0; i < m->nsensor; i++) {
    if (is_shown(&m->sensor[i])) n++;
    if (pl_sensor_size(m, i) > most) most = pl_sensor_size(m, i);
  }
  if (!n)
    return pl_fail(
        error, PL_ERROR_INPUT,
        "the scene has no camera, no grid of taxels and no grid of markers to draw; add one to `sensors`");
  int columns = n < MOST_COLUMNS ? n : MOST_COLUMNS, rows = (n + columns - 1) / columns;
  plImage image = {columns * (PANE + GAP) + GAP, rows * (PANE + TITLE + GAP) + GAP, NULL};
  image.rgb = PL_NEW(float, 3 * (size_t)image.width * (size_t)image.height);
  double* value = PL_NEW(double, most);
  plStatus status = image.rgb && value ? PL_OK : pl_fail_out_of_memory(error, (size_t)most * sizeof(double));
  if (!status) fill(&image, 0, 0, image.width, image.height, v3(0.93, 0.94, 0.95));
  for (int i = 0, k = 0; i < m->nsensor && !status; i++) {
    if (!is_shown(&m->sensor[i])) continue;
    status = pl_sensor_read(data, i, value);
    draw_pane((Pane){&image, GAP + (k % columns) * (PANE + GAP),
                     GAP + TITLE + (double)(k / columns) * (PANE + TITLE + GAP), 0, &m->sensor[i], value});
    k++;
  }
  if (!status) status = save(&image, path, error);
  pl_free(image.rgb), pl_free(value);
  return status;
}

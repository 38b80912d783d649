// picture.c: a picture of one moment: visible triangles at several samples of each pixel, shading, planes,
// background. Legend and text are drawn on top.
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/srgb.h"
#include "output/legend.h"
#include "output/painter.h"
#include "output/png.h"

enum { TONES = 8192 };

plPictureOptions pl_default_picture_options(void) {
  return (plPictureOptions){.width = 1280,
                            .height = 800,
                            .azimuth = -60,
                            .elevation = 18,
                            .zoom = 1,
                            .lower = {1, 1, 1},
                            .upper = {0, 0, 0},
                            .colour = PL_COLOUR_BODY,
                            .range = {1, 0},
                            .legend = true,
                            .edges = true,
                            .samples = 3,
                            .threads = 1};
}

// ---- passes

// 1, 2 or 5 times a power of ten, not above x.
static double nice_below(double x) {
  double power = pow(10, floor(log10(x))), f = x / power;
  return power * (f >= 5 ? 5 : f >= 2 ? 2 : 1);
}

static bool prepare(plPainter* p, const plPictureOptions* o) {
  const plDrawing* d = p->drawing;
  bool legend = o->legend && o->colour != PL_COLOUR_BODY;
  plMargin margin = {0.14, legend ? 0.22 : 0.14, 0.15, 0.17};
  p->centre = v3_scale(0.5, v3_add(d->lower, d->upper));
  p->size = fmax(v3_norm(v3_sub(d->upper, d->lower)), 1e-9);
  p->grid = nice_below(p->size / 6);
  p->camera =
      pl_camera_fit(o->width, o->height, o->azimuth, o->elevation, o->zoom, margin, d->frame, d->nframe);
  size_t n = (size_t)o->width * (size_t)o->height;
  size_t samples =
      (size_t)(o->samples * o->samples) * (size_t)o->width * PL_BAND * (size_t)pl_pool_size(p->pool);
  p->per_side = o->samples, p->nthread = pl_pool_size(p->pool);
  p->local = PL_NEW(plVec3, d->nvert);
  p->screen = PL_NEW(plVec3, d->nvert);
  p->depth = pl_alloc_room(samples, sizeof(float));
  p->id = pl_alloc_room(samples, sizeof(int));
  p->floor = pl_alloc_room((size_t)pl_pool_size(p->pool) * PL_FLOOR_ROWS * (size_t)(o->width / 2 + 2),
                           sizeof(plFloorLight));
  p->image = (plImage){o->width, o->height, PL_NEW(float, 3 * n)};
  if (!p->local || !p->screen || !p->depth || !p->id || !p->floor || !p->image.rgb) return false;
  for (int i = 0; i < d->nvert; i++) {
    plVec3 x = p->local[i] = pl_camera_local(&p->camera, v3_load(d->vert + 3 * (size_t)i));
    p->screen[i] = x.z >= PL_PAINTER_NEAR * p->size ? pl_camera_screen(&p->camera, x) : v3(0, 0, -1);
  }
  return pl_painter_sort(p);
}

static void paint_bands(void* context, int begin, int end, int worker) {
  plPainter* p = context;
  assert(worker >= 0 && worker < p->nthread);
  size_t n = (size_t)(p->per_side * p->per_side) * (size_t)p->camera.width * PL_BAND;
  float* depth = p->depth + (size_t)worker * n;
  int* id = p->id + (size_t)worker * n;
  plFloorLight* floor = p->floor + (size_t)worker * PL_FLOOR_ROWS * (size_t)(p->camera.width / 2 + 2);
  for (int band = begin; band < end; band++) {
    int column[2];
    pl_painter_draw(p, band, depth, id, column);
    pl_painter_shade(p, band, depth, id, column, floor);
  }
}

static bool paint(plPainter* p, const plPictureOptions* o) {
  int npass = o->samples * o->samples;
  // The key light comes over the camera's left shoulder.
  double a = (o->azimuth - 48) * 3.14159265358979323846 / 180, e = 50 * 3.14159265358979323846 / 180;
  plVec3 key = v3(cos(e) * cos(a), cos(e) * sin(a), sin(e));
  // Every light draws all triangles: there are 180 lights in all, fewer for large robots.
  double all = fmin(fmax(6e6 / (p->drawing->ntri + 1.0), 36), 180);
  p->nlight = (int)fmax(all / npass, 1);
  bool ok =
      pl_lights_create(&p->lights, p->nlight, npass, key) && pl_lights_draw(&p->lights, p->drawing, p->pool);
  for (int i = 0; i < p->lights.n && ok; i++)
    p->open_sky = v3_madd(p->open_sky, p->lights.light[i].direction.z / npass, p->lights.light[i].intensity);
  if (ok) pl_parallel_for(p->pool, (o->height + PL_BAND - 1) / PL_BAND, 1, paint_bands, p);
  pl_lights_destroy(&p->lights);
  return ok;
}

// ---- contact forces, over everything

// Arrows from the contact point along the force on the deformable body; the largest has a quarter of the
// subject's length.
static void draw_forces(plPainter* p, const plData* data) {
  const plVec3 ink = {0.55, 0.01, 0.06};
  double most = 0, s = p->camera.height / 800.0;
  for (int i = 0; i < data->ncontact; i++) most = fmax(most, v3_norm(data->contact[i].force));
  for (int i = 0; i < data->ncontact && most > 0; i++) {
    const plContact* c = &data->contact[i];
    double sign = c->b.kind == PL_SIDE_DEFORMABLE ? 1 : -1, length = v3_norm(c->force) / most;
    plVec3 a = pl_camera_local(&p->camera, c->position);
    plVec3 b = pl_camera_local(&p->camera, v3_madd(c->position, sign * 0.25 * p->size / most, c->force));
    if (!(length > 0.003) || !v3_finite(b) || a.z < PL_PAINTER_NEAR * p->size ||
        b.z < PL_PAINTER_NEAR * p->size)
      continue;
    a = pl_camera_screen(&p->camera, a), b = pl_camera_screen(&p->camera, b);
    double dx = b.x - a.x, dy = b.y - a.y, n = hypot(dx, dy), head = fmin(9 * s, 0.45 * n);
    pl_image_line(&p->image, a.x, a.y, b.x, b.y, 2.0 * s, ink, 0.85);
    if (n < 2 * s) continue;
    dx *= head / n, dy *= head / n;
    pl_image_line(&p->image, b.x, b.y, b.x - dx + 0.5 * dy, b.y - dy - 0.5 * dx, 2.0 * s, ink, 0.85);
    pl_image_line(&p->image, b.x, b.y, b.x - dx - 0.5 * dy, b.y - dy + 0.5 * dx, 2.0 * s, ink, 0.85);
  }
  char text[64];
  snprintf(text, sizeof text, "longest arrow %.3g N", most);
  pl_image_text(&p->image, p->camera.width - 26 * s - pl_text_width(10.5 * s, text),
                p->camera.height - 28 * s, 10.5 * s, text, ink);
}

// Linear light -> bytes, by a sufficiently fine table.
static void to_bytes(const plImage* image, unsigned char* rgb) {
  size_t n = 3 * (size_t)image->width * (size_t)image->height;
  unsigned char tone[TONES + 1];
  for (int i = 0; i <= TONES; i++) tone[i] = (unsigned char)lround(255 * linear_to_srgb((double)i / TONES));
  for (size_t i = 0; i < n; i++) {
    float x = image->rgb[i];
    rgb[i] = tone[!(x > 0) ? 0 : x >= 1 ? TONES : (int)(x * TONES + 0.5f)];
  }
}

static plStatus check(const plPictureOptions* o, plError* error) {
  if (o->width < 16 || o->height < 16 || o->width > 16384 || o->height > 16384)
    return pl_fail(error, PL_ERROR_INPUT, "a picture has 16 to 16384 pixels on each side, not %d x %d",
                   o->width, o->height);
  if (!(fabs(o->elevation) <= 89) || !isfinite(o->azimuth) || !(o->zoom > 0) || !isfinite(o->zoom))
    return pl_fail(error, PL_ERROR_INPUT,
                   "the view needs an elevation in -89 .. 89 degrees and a positive zoom");
  if (o->samples < 1 || o->samples > 4)
    return pl_fail(error, PL_ERROR_INPUT, "samples must be 1 to 4, got %d", o->samples);
  if ((int)o->colour < 0 || o->colour >= PL_COLOUR_COUNT)
    return pl_fail(error, PL_ERROR_INPUT, "there is no colour %d", (int)o->colour);
  return PL_OK;
}

plStatus pl_picture_include(const plData* data, plPictureOptions* o, plError* error) {
  assert(data != NULL && o != NULL);
  plVec3 lower, upper;
  plStatus status = pl_drawing_box(data, &lower, &upper, error);
  if (status) return status;
  bool first_box = o->lower.x > o->upper.x, first_range = o->range[0] > o->range[1];
  double range[2] = {first_range ? INFINITY : o->range[0], first_range ? -INFINITY : o->range[1]};
  if (o->colour != PL_COLOUR_BODY && (status = pl_drawing_range(data, o->colour, range, error)))
    return status;
  if (range[0] <= range[1]) {
    // Magnitudes start at zero; signed pressure is centred on it.
    if (o->colour != PL_COLOUR_PRESSURE && o->colour != PL_COLOUR_STRAIN) range[0] = fmin(range[0], 0);
    if (o->colour == PL_COLOUR_PRESSURE && range[0] < 0 && range[1] > 0)
      range[1] = fmax(range[1], -range[0]), range[0] = -range[1];
    o->range[0] = range[0], o->range[1] = range[1];
  }
  o->lower = first_box ? lower : v3_min(o->lower, lower);
  o->upper = first_box ? upper : v3_max(o->upper, upper);
  return PL_OK;
}

plStatus pl_picture_pixels(const plData* data, const plPictureOptions* options, unsigned char* rgb,
                           plError* error) {
  assert(data != NULL && options != NULL && rgb != NULL);
  plStatus status = check(options, error);
  if (status) return status;
  plPictureOptions o = *options;
  if (o.colour != PL_COLOUR_BODY && o.range[0] > o.range[1]) {
    // Only the range is set here: the view follows from the surfaces themselves.
    if ((status = pl_picture_include(data, &o, error))) return status;
    o.lower = options->lower, o.upper = options->upper;
  }
  plDrawing* drawing;
  if ((status = pl_drawing_create(data, &o, &drawing, error))) return status;
  plPainter p = {.drawing = drawing, .pool = o.threads > 1 ? pl_pool_create(o.threads) : NULL};
  if (!prepare(&p, &o) || !paint(&p, &o))
    status = pl_fail_out_of_memory(error, 20 * (size_t)o.width * (size_t)o.height);
  if (!status) {
    if (o.contacts) draw_forces(&p, data);
    pl_legend_draw(&p.image, &o, data->time, drawing->plane[0].grid ? p.grid : 0);
    to_bytes(&p.image, rgb);
  }
  pl_pool_destroy(p.pool);
  pl_free(p.local), pl_free(p.screen), pl_free(p.band0), pl_free(p.band_tri);
  pl_free(p.depth), pl_free(p.id), pl_free(p.floor), pl_free(p.image.rgb);
  pl_drawing_destroy(drawing);
  return status;
}

plStatus pl_picture_draw(const plData* data, const plPictureOptions* options, const char* path,
                         plError* error) {
  assert(data != NULL && options != NULL && path != NULL);
  plStatus status = check(options, error);
  if (status) return status;
  size_t n = 3 * (size_t)options->width * (size_t)options->height;
  unsigned char* rgb = PL_NEW(unsigned char, n);
  if (!rgb) return pl_fail_out_of_memory(error, n);
  status = pl_picture_pixels(data, options, rgb, error);
  if (!status) status = pl_png_save(path, options->width, options->height, rgb, error);
  pl_free(rgb);
  return status;
}

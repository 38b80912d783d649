// picture.c: a picture of one moment: visible triangles at several samples of each pixel, shading, planes,
// background. A pixel whose samples see one smooth surface is shaded once, by all lights; where they differ
// each sample is shaded, by its own part of the sky. Legend and text come on top.
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/srgb.h"
#include "output/camera.h"
#include "output/colour_map.h"
#include "output/drawing.h"
#include "output/legend.h"
#include "output/light.h"
#include "output/png.h"
#include "sensor/raster.h"

enum { BAND = 32, TONES = 8192 };

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

// Everything the passes share.
typedef struct Painter {
  const plDrawing* drawing;
  plCamera camera;
  plLights lights;
  plPool* pool;
  plVec3 open_sky;  // light on a floor that nothing shades
  double size;      // m, of the subject
  double grid;      // m between lines
  int per_side;     // samples of a pixel in each direction
  int nlight;       // lights of a sample
  plVec3* local;    // [nvert] in the camera's axes
  plVec3* screen;   // [nvert] pixels and inverse distance; behind the camera the latter is negative
  int* band0;       // [bands + 1] first entry of a band in band_tri
  int* band_tri;    // triangles whose rows meet the band
  float* depth;     // [threads][samples][width BAND] inverse distance, 0: nothing
  int* id;          // [threads][samples][width BAND] triangle
  plImage image;
} Painter;

// ---- visible triangles

static const double NEAR = 1e-4;

// The visible triangles of a band at one sample of its pixels, (dx, dy) from their corners.
static void draw_sample(const Painter* p, int band, double dx, double dy, float* depth, int* id) {
  int row0 = band * BAND, rows = p->camera.height - row0 < BAND ? p->camera.height - row0 : BAND;
  plRaster raster = {p->camera.width, 0, rows, depth, id};
  size_t n = (size_t)rows * (size_t)raster.width;
  for (size_t i = 0; i < n; i++) depth[i] = 0, id[i] = -1;
  double sx = 0.5 - dx, sy = 0.5 - dy - row0;
  for (int k = p->band0[band]; k < p->band0[band + 1]; k++) {
    int t = p->band_tri[k];
    const int* v = p->drawing->tri + 3 * (size_t)t;
    plVec3 a[3] = {p->screen[v[0]], p->screen[v[1]], p->screen[v[2]]};
    if (a[0].z > 0 && a[1].z > 0 && a[2].z > 0) {
      for (int c = 0; c < 3; c++) a[c].x += sx, a[c].y += sy;
      pl_raster_triangle(&raster, a, t);
      continue;
    }
    plVec3 corner[3] = {p->local[v[0]], p->local[v[1]], p->local[v[2]]}, piece[2][3];
    int pieces = pl_raster_clip(corner, NEAR * p->size, piece);
    for (int i = 0; i < pieces; i++) {
      for (int c = 0; c < 3; c++) {
        piece[i][c] = pl_camera_screen(&p->camera, piece[i][c]);
        piece[i][c].x += sx, piece[i][c].y += sy;
      }
      pl_raster_triangle(&raster, piece[i], t);
    }
  }
}

// The bands that a triangle meets; none where it is behind the camera or not finite, all where it reaches
// behind.
static bool bands_of(const Painter* p, int t, int* first, int* last) {
  const int* v = p->drawing->tri + 3 * (size_t)t;
  int nband = (p->camera.height + BAND - 1) / BAND, behind = 0;
  double low = INFINITY, high = -INFINITY;
  for (int k = 0; k < 3; k++) {
    plVec3 a = p->screen[v[k]];
    if (!v3_finite(p->local[v[k]])) return false;
    behind += a.z < 0;
    low = a.y < low ? a.y : low, high = a.y > high ? a.y : high;
  }
  if (behind == 3) return false;
  *first = 0, *last = nband - 1;
  if (behind) return true;
  // samples lie up to half a pixel off its middle
  low -= 1, high += 1;
  if (high < 0 || low > p->camera.height) return false;
  if (low > 0) *first = (int)low / BAND;
  if (high < p->camera.height) *last = (int)high / BAND;
  return *first < nband;
}

// Lists the triangles of each band; false if memory runs out.
static bool sort_bands(Painter* p) {
  int nband = (p->camera.height + BAND - 1) / BAND, first, last;
  p->band0 = PL_NEW(int, nband + 1);
  if (!p->band0) return false;
  for (int t = 0; t < p->drawing->ntri; t++)
    if (bands_of(p, t, &first, &last))
      for (int b = first; b <= last; b++) p->band0[b]++;
  for (int b = 0, sum = 0; b <= nband; b++) sum += b < nband ? p->band0[b] : 0, p->band0[b] = sum;
  p->band_tri = PL_NEW(int, p->band0[nband]);
  if (!p->band_tri) return false;
  for (int t = p->drawing->ntri - 1; t >= 0; t--)
    if (bands_of(p, t, &first, &last))
      for (int b = first; b <= last; b++) p->band_tri[--p->band0[b]] = t;
  return true;
}

// ---- light

static plVec3 mul(plVec3 a, plVec3 b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }
static plVec3 mix(plVec3 a, plVec3 b, double t) { return v3_add(v3_scale(1 - t, a), v3_scale(t, b)); }
static double smooth(double x) { return x <= 0 ? 0 : x >= 1 ? 1 : x * x * (3 - 2 * x); }

// Where a pixel is looked at, and the lights that serve for it: those of one sample, or (-1) all.
typedef struct Look {
  double x, y;  // pixels
  int sample;
} Look;

// Light on a surface at x with normal n, and (if wanted) the shine of the key light seen along view.
static plVec3 gather(const Painter* p, int sample, plVec3 x, plVec3 n, plVec3 view, double* shine) {
  plVec3 sum = {0};
  double gleam = 0;
  int first = sample < 0 ? 0 : sample * p->nlight, end = sample < 0 ? p->lights.n : first + p->nlight;
  for (int i = first; i < end; i++) {
    const plLight* l = &p->lights.light[i];
    double cosine = v3_dot(n, l->direction);
    if (cosine <= 0) continue;
    double lit = pl_light_reaches(l, x, n);
    sum = v3_madd(sum, cosine * lit, l->intensity);
    if (!shine || !l->key || lit == 0) continue;
    // A small highlight on a broad one: powers 64 and 16 of the cosine at half angle.
    double h = fmax(v3_dot(n, v3_unit(v3_sub(l->direction, view))), 0), h4 = h * h * h * h,
           h16 = h4 * h4 * h4 * h4;
    gleam += lit * l->intensity.y * (0.55 * h16 * h16 * h16 * h16 + 0.10 * h16);
  }
  // every sample's lights are a whole sky
  double share = sample < 0 ? 1.0 / (p->per_side * p->per_side) : 1;
  sum = v3_scale(share, sum);
  if (shine) *shine = share * gleam;
  // What the floor throws back at surfaces that look down.
  double down = 0.5 * (1 - n.z);
  return v3_add(sum, v3_scale(0.30 * down, v3(1.0, 0.98, 0.95)));
}

// ---- what a pixel sees

static plVec3 background(const Painter* p, double y) {
  double t = smooth(y / p->camera.height);
  return mix(v3(0.80, 0.85, 0.91), v3(0.955, 0.962, 0.972), t);
}

// Darkness of the edges of a triangle's mesh at this place: b the barycentric coordinates.
static double edge_ink(const Painter* p, const int* v, const double b[3]) {
  plVec3 s[3];
  for (int k = 0; k < 3; k++) {
    if (p->local[v[k]].z < NEAR * p->size) return 0;
    s[k] = pl_camera_screen(&p->camera, p->local[v[k]]);
  }
  double area = fabs((s[1].x - s[0].x) * (s[2].y - s[0].y) - (s[2].x - s[0].x) * (s[1].y - s[0].y)), ink = 0;
  for (int k = 0; k < 3; k++) {
    plVec3 a = s[(k + 1) % 3], c = s[(k + 2) % 3];
    double length = hypot(c.x - a.x, c.y - a.y);
    if (length < 1e-9) continue;
    double pixels = b[k] * area / length, height = p->camera.height / 800.0;
    // Lines closer than a few pixels would only make it grey.
    double fade = smooth((fmin(length, area / length) - 5) / 14);
    ink = fmax(ink, fade * (1 - smooth((pixels - 0.25 * height) / (0.75 * height))));
  }
  return ink;
}

static plVec3 shade_triangle(const Painter* p, int sample, int t, plVec3 ray) {
  const plDrawing* d = p->drawing;
  const int* v = d->tri + 3 * (size_t)t;
  plVec3 a = v3_load(d->vert + 3 * (size_t)v[0]), e1 = v3_sub(v3_load(d->vert + 3 * (size_t)v[1]), a);
  plVec3 e2 = v3_sub(v3_load(d->vert + 3 * (size_t)v[2]), a);
  // Where the ray meets the triangle's plane, in barycentric coordinates.
  plVec3 h = v3_cross(ray, e2), s = v3_sub(p->camera.eye, a), q = v3_cross(s, e1);
  double det = v3_dot(e1, h), w = fabs(det) > 0 ? 1 / det : 0;
  double b[3] = {0, fmin(fmax(w * v3_dot(s, h), 0), 1), fmin(fmax(w * v3_dot(ray, q), 0), 1)};
  if (b[1] + b[2] > 1) b[2] = 1 - b[1];
  b[0] = 1 - b[1] - b[2];
  plVec3 x = v3_add(a, v3_add(v3_scale(b[1], e1), v3_scale(b[2], e2)));
  plVec3 n = {0}, colour = {0};
  for (size_t k = 0; k < 3; k++) {
    n = v3_madd(n, b[k], d->normal[3 * (size_t)t + k]);
    colour = v3_madd(colour, b[k], d->colour[v[k]]);
  }
  n = v3_unit(n);
  plVec3 view = v3_unit(ray);
  if (v3_dot(n, view) > 0.15) n = v3_neg(n);
  double shine, ink = d->edges[t] ? edge_ink(p, v, b) : 0;
  plVec3 light = gather(p, sample, x, n, view, &shine);
  // A thin bright rim, as on rubber.
  double facing = fmax(1 + v3_dot(n, view), 0), rim = 0.10 * facing * facing * facing * facing;
  colour = v3_scale(1 - 0.38 * ink, colour);
  return v3_add(mul(colour, light), v3_scale(shine + rim * light.y, v3(1, 1, 1)));
}

// The share of a pixel that lines of the grid cover; width and footprint in m.
static double grid_cover(double x, double spacing, double width, double footprint) {
  double off = fabs(x / spacing - round(x / spacing)) * spacing;
  double wide = fmax(width, footprint),
         cover = fmin(fmax((wide / 2 + footprint / 2 - off) / footprint, 0), 1);
  return cover * width / wide;
}

static plVec3 shade_plane(const Painter* p, int sample, const plDrawPlane* plane, plVec3 x, plVec3 ray,
                          double distance, plVec3 back) {
  plVec3 centre = v3_scale(0.5, v3_add(p->drawing->lower, p->drawing->upper)), r = v3_sub(x, centre);
  double away = v3_norm(v3_madd(r, -v3_dot(r, plane->normal), plane->normal)) / p->size;
  double near = 1 - smooth((away - 0.8) / 2.6);
  // The background, shaded by what stands in the light.
  double reach = smooth((6 - away) / 4);
  plVec3 view = v3_unit(ray),
         light = reach > 0 ? gather(p, sample, x, plane->normal, view, NULL) : p->open_sky;
  light = v3(light.x / p->open_sky.x, light.y / p->open_sky.y, light.z / p->open_sky.z);
  plVec3 colour = mul(back, mix(v3(1, 1, 1), light, reach));
  if (!plane->grid) return colour;
  // The shape's own hue, near the subject.
  double luminance = 0.2126 * plane->colour.x + 0.7152 * plane->colour.y + 0.0722 * plane->colour.z;
  if (luminance > 0)
    colour = mul(colour, mix(v3(1, 1, 1), v3_scale(1 / luminance, plane->colour), 0.25 * near));
  plVec3 o = v3_sub(x, plane->point);
  double slant = fmax(fabs(v3_dot(view, plane->normal)), 0.02),
         foot = distance / p->camera.focal / sqrt(slant);
  double gx = v3_dot(o, plane->u), gy = v3_dot(o, plane->v), width = 0.0022 * p->size;
  double minor = fmax(grid_cover(gx, p->grid, 0.7 * width, foot), grid_cover(gy, p->grid, 0.7 * width, foot));
  double major =
      fmax(grid_cover(gx, 5 * p->grid, 1.5 * width, foot), grid_cover(gy, 5 * p->grid, 1.5 * width, foot));
  return mul(colour, v3_scale(1 - near * fmax(0.16 * minor, 0.24 * major), v3(1, 1, 1)));
}

// The plane in front of a distance along the ray, NULL: none; *nearest becomes its own.
static const plDrawPlane* find_plane(const Painter* p, plVec3 ray, double* nearest) {
  const plDrawPlane* plane = NULL;
  for (int k = 0; k < p->drawing->nplane; k++) {
    const plDrawPlane* candidate = &p->drawing->plane[k];
    double slope = v3_dot(ray, candidate->normal);
    // Planes are seen from their front alone.
    double t =
        slope < -1e-9 ? v3_dot(v3_sub(candidate->point, p->camera.eye), candidate->normal) / slope : -1;
    if (t > 0 && t < *nearest) *nearest = t, plane = candidate;
  }
  return plane;
}

// id: the triangle that is seen, -1: none; inverse: of its distance.
static plVec3 shade_look(const Painter* p, Look at, int id, float inverse) {
  plVec3 ray = pl_camera_ray(&p->camera, at.x, at.y), back = background(p, at.y);
  double nearest = id >= 0 ? 1 / (double)inverse : INFINITY;
  const plDrawPlane* plane = find_plane(p, ray, &nearest);
  if (plane)
    return shade_plane(p, at.sample, plane, v3_madd(p->camera.eye, nearest, ray), ray, nearest, back);
  return id >= 0 ? shade_triangle(p, at.sample, id, ray) : back;
}

// Whether the samples of a pixel see one smooth surface without lines, or none: it is shaded once then.
static bool is_smooth(const Painter* p, const int* id, const float* depth, size_t stride, int n) {
  const plDrawing* d = p->drawing;
  int first = id[0];
  float low = depth[0], high = depth[0];
  for (int k = 0; k < n; k++) {
    int t = id[(size_t)k * stride];
    float z = depth[(size_t)k * stride];
    if ((t < 0) != (first < 0) || (t >= 0 && d->edges[t])) return false;
    if (t != first && v3_dot(d->normal[3 * (size_t)t], d->normal[3 * (size_t)first]) < 0.97) return false;
    low = z < low ? z : low, high = z > high ? z : high;
  }
  // a step in depth is a border, whatever the normals are
  return first < 0 || high - low < 2e-3f * high;
}

// The samples of a pixel, each with its own lights.
static plVec3 shade_samples(const Painter* p, int x, int y, const int* id, const float* depth,
                            size_t stride) {
  plVec3 sum = {0};
  int side = p->per_side;
  for (int k = 0; k < side * side; k++) {
    Look at = {x + (k % side + 0.5) / side, y + ((double)(k / side) + 0.5) / side, k};
    plVec3 c = shade_look(p, at, id[(size_t)k * stride], depth[(size_t)k * stride]);
    sum = v3_add(sum, v3_min(v3_max(c, v3(0, 0, 0)), v3(1, 1, 1)));
  }
  return v3_scale(1.0 / (side * side), sum);
}

// The sample nearest to the middle of the pixel.
static int middle_sample(int side) { return side / 2 * side + side / 2; }

static void paint_bands(void* context, int begin, int end, int worker) {
  Painter* p = context;
  int side = p->per_side, n = side * side, width = p->camera.width, middle = middle_sample(side);
  size_t stride = (size_t)width * BAND;
  float* depth = p->depth + (size_t)worker * (size_t)n * stride;
  int* id = p->id + (size_t)worker * (size_t)n * stride;
  for (int band = begin; band < end; band++) {
    for (int k = 0; k < n; k++)
      draw_sample(p, band, (k % side + 0.5) / side, ((double)(k / side) + 0.5) / side,
                  depth + (size_t)k * stride, id + (size_t)k * stride);
    for (int y = band * BAND; y < (band + 1) * BAND && y < p->camera.height; y++)
      for (int x = 0; x < width; x++) {
        size_t i = (size_t)(y - band * BAND) * (size_t)width + (size_t)x, m = i + (size_t)middle * stride;
        Look at = {x + (middle % side + 0.5) / side, y + ((double)(middle / side) + 0.5) / side, -1};
        plVec3 c = is_smooth(p, id + i, depth + i, stride, n)
                       ? shade_look(p, at, id[m], depth[m])
                       : shade_samples(p, x, y, id + i, depth + i, stride);
        float* to = p->image.rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
        to[0] = (float)fmin(fmax(c.x, 0), 1), to[1] = (float)fmin(fmax(c.y, 0), 1);
        to[2] = (float)fmin(fmax(c.z, 0), 1);
      }
  }
}

// ---- passes

// 1, 2 or 5 times a power of ten, not above x.
static double nice_below(double x) {
  double power = pow(10, floor(log10(x))), f = x / power;
  return power * (f >= 5 ? 5 : f >= 2 ? 2 : 1);
}

static bool prepare(Painter* p, const plPictureOptions* o) {
  const plDrawing* d = p->drawing;
  bool legend = o->legend && o->colour != PL_COLOUR_BODY;
  plMargin margin = {0.14, legend ? 0.22 : 0.14, 0.15, 0.17};
  p->size = fmax(v3_norm(v3_sub(d->upper, d->lower)), 1e-9);
  p->grid = nice_below(p->size / 6);
  p->camera =
      pl_camera_fit(o->width, o->height, o->azimuth, o->elevation, o->zoom, margin, d->frame, d->nframe);
  size_t n = (size_t)o->width * (size_t)o->height;
  size_t samples =
      (size_t)(o->samples * o->samples) * (size_t)o->width * BAND * (size_t)pl_pool_size(p->pool);
  p->per_side = o->samples;
  p->local = PL_NEW(plVec3, d->nvert);
  p->screen = PL_NEW(plVec3, d->nvert);
  p->depth = pl_alloc_room(samples, sizeof(float));
  p->id = pl_alloc_room(samples, sizeof(int));
  p->image = (plImage){o->width, o->height, PL_NEW(float, 3 * n)};
  if (!p->local || !p->screen || !p->depth || !p->id || !p->image.rgb) return false;
  for (int i = 0; i < d->nvert; i++) {
    plVec3 x = p->local[i] = pl_camera_local(&p->camera, v3_load(d->vert + 3 * (size_t)i));
    p->screen[i] = x.z >= NEAR * p->size ? pl_camera_screen(&p->camera, x) : v3(0, 0, -1);
  }
  return sort_bands(p);
}

static bool paint(Painter* p, const plPictureOptions* o) {
  int npass = o->samples * o->samples;
  // The key light comes over the camera's left shoulder.
  double a = (o->azimuth - 48) * 3.14159265358979323846 / 180, e = 50 * 3.14159265358979323846 / 180;
  plVec3 key = v3(cos(e) * cos(a), cos(e) * sin(a), sin(e));
  // Every light draws all triangles: there are 180 of them in all, of large robots fewer.
  double all = fmin(fmax(6e6 / (p->drawing->ntri + 1.0), 40), 180);
  p->nlight = (int)ceil(all / npass);
  bool ok =
      pl_lights_create(&p->lights, p->nlight, npass, key) && pl_lights_draw(&p->lights, p->drawing, p->pool);
  for (int i = 0; i < p->lights.n && ok; i++)
    p->open_sky = v3_madd(p->open_sky, p->lights.light[i].direction.z / npass, p->lights.light[i].intensity);
  if (ok) pl_parallel_for(p->pool, (o->height + BAND - 1) / BAND, 1, paint_bands, p);
  pl_lights_destroy(&p->lights);
  return ok;
}

// ---- contact forces, over everything

// From the contact point along the force on the deformable body; the largest is a quarter of the subject
// long.
static void draw_forces(Painter* p, const plData* data) {
  const plVec3 ink = {0.55, 0.01, 0.06};
  double most = 0, s = p->camera.height / 800.0;
  for (int i = 0; i < data->ncontact; i++) most = fmax(most, v3_norm(data->contact[i].force));
  for (int i = 0; i < data->ncontact && most > 0; i++) {
    const plContact* c = &data->contact[i];
    double sign = c->b.kind == PL_SIDE_DEFORMABLE ? 1 : -1, length = v3_norm(c->force) / most;
    plVec3 a = pl_camera_local(&p->camera, c->position);
    plVec3 b = pl_camera_local(&p->camera, v3_madd(c->position, sign * 0.25 * p->size / most, c->force));
    if (!(length > 0.003) || !v3_finite(b) || a.z < NEAR * p->size || b.z < NEAR * p->size) continue;
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

// Linear light -> bytes, by a table that is finer than they are.
static void to_bytes(const plImage* image, unsigned char* rgb) {
  size_t n = 3 * (size_t)image->width * (size_t)image->height;
  unsigned char tone[TONES + 1];
  for (int i = 0; i <= TONES; i++) tone[i] = (unsigned char)lround(255 * linear_to_srgb((double)i / TONES));
  for (size_t i = 0; i < n; i++) {
    float x = image->rgb[i];
    rgb[i] = tone[x <= 0 ? 0 : x >= 1 ? TONES : (int)(x * TONES + 0.5f)];
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
  assert(data != NULL);
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
    // The range alone is settled here: what is in view follows from the surfaces themselves.
    if ((status = pl_picture_include(data, &o, error))) return status;
    o.lower = options->lower, o.upper = options->upper;
  }
  plDrawing* drawing;
  if ((status = pl_drawing_create(data, &o, &drawing, error))) return status;
  Painter p = {.drawing = drawing, .pool = o.threads > 1 ? pl_pool_create(o.threads) : NULL};
  if (!prepare(&p, &o) || !paint(&p, &o))
    status = pl_fail_out_of_memory(error, 20 * (size_t)o.width * (size_t)o.height);
  if (!status) {
    if (o.contacts) draw_forces(&p, data);
    pl_legend_draw(&p.image, &o, data->time, drawing->plane[0].grid ? p.grid : 0);
    to_bytes(&p.image, rgb);
  }
  pl_pool_destroy(p.pool);
  pl_free(p.local), pl_free(p.screen), pl_free(p.band0), pl_free(p.band_tri);
  pl_free(p.depth), pl_free(p.id), pl_free(p.image.rgb);
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

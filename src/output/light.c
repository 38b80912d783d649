// light.c: directions of the lights, their shadow maps, look-ups.
//
// A quarter of the lights makes up the key light, spread over a small disc; the others the sky, spread evenly
// over the upper half sphere.
#include "output/light.h"

#include <math.h>

#include "base/memory.h"
#include "sensor/raster.h"

static const double PI = 3.14159265358979323846;
enum { KEY_SIZE = 640, SKY_SIZE = 256 };

// The fractions of i that a sequence with golden steps gives: even at every length.
static double fraction(double x) { return x - floor(x); }

static plVec3 across(plVec3 d) { return v3_unit(v3_cross(d, fabs(d.z) < 0.9 ? v3(0, 0, 1) : v3(1, 0, 0))); }

// The i-th of n key lights in a disc of 5 degrees about the key.
static plVec3 key_direction(plVec3 key, int i, int n) {
  double r = tan(5 * PI / 180) * sqrt((i + 0.5) / n), angle = 2 * PI * fraction(i * 0.6180339887498949);
  plVec3 u = across(key), v = v3_cross(key, u);
  return v3_unit(v3_add(key, v3_add(v3_scale(r * cos(angle), u), v3_scale(r * sin(angle), v))));
}

// The i-th of n directions over the upper half sphere, even in solid angle.
static plVec3 sky_direction(int i, int n) {
  double z = (i + 0.5) / n, angle = 2 * PI * fraction(i * 0.6180339887498949 + 0.25), r = sqrt(1 - z * z);
  return v3(r * cos(angle), r * sin(angle), z);
}

bool pl_lights_create(plLights* lights, int n, int npass, plVec3 key) {
  *lights = (plLights){.n = n * npass, .light = PL_NEW(plLight, n * npass)};
  if (!lights->light) return false;
  int nkey = n / 4 > 0 ? n / 4 : 1, nsky = n - nkey;
  for (int k = 0; k < n * npass; k++) {
    // Passes take the lights in an order that spreads neighbours.
    int i = k % n, pass = k / n * 7 % npass;
    plLight* l = &lights->light[k];
    l->key = i < nkey;
    l->direction = l->key ? key_direction(key, i * npass + pass, nkey * npass)
                          : sky_direction((i - nkey) * npass + pass, nsky * npass);
    // A warm key; a sky that is brightest and bluest overhead.
    plVec3 sky = v3_add(v3_scale(1 - l->direction.z, v3(0.92, 0.94, 0.97)),
                        v3_scale(l->direction.z, v3(0.95, 1.0, 1.08)));
    l->intensity = l->key ? v3_scale(0.62 / nkey, v3(1.04, 1.0, 0.94)) : v3_scale(1.04 / nsky, sky);
    l->u = across(l->direction), l->v = v3_cross(l->direction, l->u);
    l->size = l->key ? KEY_SIZE : SKY_SIZE;
    l->depth = pl_alloc_room((size_t)l->size * (size_t)l->size, sizeof(float));
    if (!l->depth) return pl_lights_destroy(lights), false;
  }
  return true;
}

void pl_lights_destroy(plLights* lights) {
  for (int i = 0; lights->light && i < lights->n; i++) pl_free(lights->light[i].depth);
  pl_free(lights->light);
  *lights = (plLights){0};
}

// ---- shadow maps

typedef struct Job {
  plLights* lights;
  const plDrawing* drawing;
  plVec3* place;  // [threads nvert]
} Job;

// place: [nvert] scratch.
static void draw_map(plLight* l, const plDrawing* d, plVec3* place) {
  double lower[2] = {INFINITY, INFINITY}, upper[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < d->nvert; i++) {
    plVec3 p = v3_load(d->vert + 3 * (size_t)i),
           at = {v3_dot(p, l->u), v3_dot(p, l->v), v3_dot(p, l->direction)};
    place[i] = at;
    if (!v3_finite(p)) continue;
    lower[0] = at.x < lower[0] ? at.x : lower[0], upper[0] = at.x > upper[0] ? at.x : upper[0];
    lower[1] = at.y < lower[1] ? at.y : lower[1], upper[1] = at.y > upper[1] ? at.y : upper[1];
  }
  // Surfaces far larger than the picture's subject get the map's middle only.
  plVec3 centre = v3_scale(0.5, v3_add(d->lower, d->upper));
  double reach = 2.5 * v3_norm(v3_sub(d->upper, d->lower));
  for (int k = 0; k < 2; k++) {
    double c = v3_dot(centre, k ? l->v : l->u);
    lower[k] = fmax(lower[k], c - reach), upper[k] = fmin(upper[k], c + reach);
  }
  double side = fmax(fmax(upper[0] - lower[0], upper[1] - lower[1]), 1e-9);
  l->scale = (l->size - 6) / side;
  l->u0 = lower[0] - 3 / l->scale, l->v0 = lower[1] - 3 / l->scale;
  for (int i = 0; i < l->size * l->size; i++) l->depth[i] = -INFINITY;
  for (int i = 0; i < d->nvert; i++)
    place[i].x = l->scale * (place[i].x - l->u0), place[i].y = l->scale * (place[i].y - l->v0);
  plRaster raster = {.width = l->size, .row0 = 0, .row1 = l->size, .depth = l->depth};
  for (int t = 0; t < d->ntri; t++) {
    const int* v = d->tri + 3 * (size_t)t;
    const plVec3 p[3] = {place[v[0]], place[v[1]], place[v[2]]};
    pl_raster_triangle(&raster, p, t);
  }
}

static void draw_maps(void* context, int begin, int end, int worker) {
  Job* job = context;
  plVec3* place = job->place + (size_t)worker * (size_t)job->drawing->nvert;
  for (int i = begin; i < end; i++) draw_map(&job->lights->light[i], job->drawing, place);
}

bool pl_lights_draw(plLights* lights, const plDrawing* drawing, plPool* pool) {
  Job job = {lights, drawing, PL_NEW(plVec3, (size_t)pl_pool_size(pool) * (size_t)drawing->nvert)};
  if (!job.place) return false;
  pl_parallel_for(pool, lights->n, 1, draw_maps, &job);
  pl_free(job.place);
  return true;
}

// Between the four nearest pixels, each lit or not. The place looked up lies a little off the surface and
// towards the light.
double pl_light_reaches(const plLight* l, plVec3 p, plVec3 n) {
  p = v3_madd(p, 1.3 / l->scale, n);
  double x = l->scale * (v3_dot(p, l->u) - l->u0) - 0.5, y = l->scale * (v3_dot(p, l->v) - l->v0) - 0.5;
  if (!(x >= 0 && y >= 0 && x < l->size - 1 && y < l->size - 1)) return 1;
  int i = (int)x, j = (int)y;
  double fx = x - i, fy = y - j, z = v3_dot(p, l->direction) + 0.8 / l->scale;
  const float* d = l->depth + (size_t)j * (size_t)l->size + (size_t)i;
  const float* e = d + l->size;
  double top = (1 - fx) * (d[0] <= z) + fx * (d[1] <= z), bottom = (1 - fx) * (e[0] <= z) + fx * (e[1] <= z);
  return (1 - fy) * top + fy * bottom;
}

// light.c: directions of the lights, their shadow maps, look-ups.
//
// A quarter of the lights makes up the key light, spread over a small disc; the others the sky, spread evenly
// over the upper half sphere.
#include "output/light.h"

#include <assert.h>
#include <math.h>

#include "base/memory.h"
#include "sensor/raster.h"

static const double PI = 3.14159265358979323846;
enum { KEY_SIZE = 640, SKY_SIZE = 256 };

// Fractional parts of i times the golden ratio: evenly distributed for every length.
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

static int blocks(const plLight* l) { return l->size / PL_LIGHT_BLOCK; }

bool pl_lights_create(plLights* lights, int n, int npass, plVec3 key) {
  *lights = (plLights){.n = n * npass, .light = PL_NEW(plLight, n * npass), .table = PL_NEW(plLightTable, 1)};
  assert(lights->n + 4 <= PL_LIGHTS_MOST);
  if (!lights->light || !lights->table) return pl_lights_destroy(lights), false;
  int nkey = n / 4 > 0 ? n / 4 : 1, nsky = n - nkey;
  for (int k = 0; k < n * npass; k++) {
    // Passes take the lights in an order that separates neighbours.
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
    size_t pixels = (size_t)l->size * (size_t)l->size, nblock = (size_t)blocks(l) * (size_t)blocks(l);
    l->depth = pl_alloc_room(pixels + nblock, sizeof(float));
    l->coarse = l->depth + pixels;
    if (!l->depth) return pl_lights_destroy(lights), false;
  }
  return true;
}

void pl_lights_destroy(plLights* lights) {
  for (int i = 0; lights->light && i < lights->n; i++) pl_free(lights->light[i].depth);
  pl_free(lights->light), pl_free(lights->table);
  *lights = (plLights){0};
}

// ---- shadow maps

typedef struct Job {
  plLights* lights;
  const plDrawing* drawing;
  plVec3* place;   // [threads nvert]
  uint32_t* slot;  // [threads nvert] pl_raster_place
  int nthread;
} Job;

// place, slot: [nvert] scratch.
static void draw_map(plLight* l, const plDrawing* d, plVec3* place, uint32_t* slot) {
  double lower[2] = {INFINITY, INFINITY}, upper[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < d->nvert; i++) {
    plVec3 p = v3_load(d->vert + 3 * (size_t)i),
           at = {v3_dot(p, l->u), v3_dot(p, l->v), v3_dot(p, l->direction)};
    place[i] = at;
    if (!v3_finite(p)) continue;
    lower[0] = at.x < lower[0] ? at.x : lower[0], upper[0] = at.x > upper[0] ? at.x : upper[0];
    lower[1] = at.y < lower[1] ? at.y : lower[1], upper[1] = at.y > upper[1] ? at.y : upper[1];
  }
  // If surfaces are far larger than the subject of the picture, the map covers only its middle.
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
  for (int i = 0; i < d->nvert; i++) {
    place[i].x = l->scale * (place[i].x - l->u0), place[i].y = l->scale * (place[i].y - l->v0);
    slot[i] = pl_raster_place(place[i].x, place[i].y, l->size + 1);
  }
  plRaster raster = {.width = l->size, .row0 = 0, .row1 = l->size, .depth = l->depth};
  for (int t = 0; t < d->ntri; t++) {
    const int* v = d->tri + 3 * (size_t)t;
    assert(v[0] < d->nvert && v[1] < d->nvert && v[2] < d->nvert);
    const uint32_t s[3] = {slot[v[0]], slot[v[1]], slot[v[2]]};
    if (pl_raster_misses(s[0], s[1], s[2])) continue;
    const plVec3 p[3] = {place[v[0]], place[v[1]], place[v[2]]};
    pl_raster_slotted(&raster, p, s, 0, t);
  }
}

// The largest depth of each block, the first row and column of the next ones included.
static void coarsen(plLight* l) {
  int n = blocks(l);
  for (int b = 0; b < n * n; b++) l->coarse[b] = -INFINITY;
  for (int y = 0; y < l->size; y++) {
    const float* row = l->depth + (size_t)y * (size_t)l->size;
    int last = y / PL_LIGHT_BLOCK, first = y % PL_LIGHT_BLOCK || !y ? last : last - 1;
    for (int b = 0; b < n; b++) {
      float most = -INFINITY;
      int end = (b + 1) * PL_LIGHT_BLOCK;
      for (int x = b * PL_LIGHT_BLOCK; x < end; x++) most = row[x] > most ? row[x] : most;
      if (end < l->size && row[end] > most) most = row[end];
      for (int j = first; j <= last; j++)
        if (most > l->coarse[j * n + b]) l->coarse[j * n + b] = most;
    }
  }
}

static void draw_maps(void* context, int begin, int end, int worker) {
  Job* job = context;
  assert(worker >= 0 && worker < job->nthread && end <= job->lights->n);
  size_t first = (size_t)worker * (size_t)job->drawing->nvert;
  for (int i = begin; i < end; i++)
    draw_map(&job->lights->light[i], job->drawing, job->place + first, job->slot + first),
        coarsen(&job->lights->light[i]);
}

// Offset of a look-up from the surface, along the normal and towards the light (pixels of the map).
static const double OFF = 1.3, TOWARDS = 0.8;

static void fill_table(const plLights* lights, plVec3 origin) {
  plLightTable* t = lights->table;
  t->origin = origin;
  for (int i = 0; i < lights->n; i++) {
    const plLight* l = &lights->light[i];
    const double direction[3] = {l->direction.x, l->direction.y, l->direction.z},
                 across[2][3] = {{l->u.x, l->u.y, l->u.z}, {l->v.x, l->v.y, l->v.z}},
                 intensity[3] = {l->intensity.x, l->intensity.y, l->intensity.z};
    for (int k = 0; k < 3; k++) {
      t->direction[k][i] = (float)direction[k], t->intensity[k][i] = (float)intensity[k];
      for (int a = 0; a < 2; a++)
        t->axis[a][k][i] = (float)(l->scale * across[a][k]), t->across[a][k][i] = (float)(OFF * across[a][k]);
      t->axis[2][k][i] = (float)direction[k];
    }
    t->axis[0][3][i] = (float)(l->scale * (v3_dot(origin, l->u) - l->u0) - 0.5);
    t->axis[1][3][i] = (float)(l->scale * (v3_dot(origin, l->v) - l->v0) - 0.5);
    t->axis[2][3][i] = (float)(v3_dot(origin, l->direction) + TOWARDS / l->scale);
    t->lift[i] = (float)(OFF / l->scale);
  }
}

bool pl_lights_draw(plLights* lights, const plDrawing* drawing, plPool* pool) {
  size_t n = (size_t)pl_pool_size(pool) * (size_t)drawing->nvert;
  Job job = {lights, drawing, PL_NEW(plVec3, n), PL_NEW(uint32_t, n), pl_pool_size(pool)};
  bool good = job.place && job.slot;
  if (good) pl_parallel_for(pool, lights->n, 1, draw_maps, &job);
  if (good) fill_table(lights, v3_scale(0.5, v3_add(drawing->lower, drawing->upper)));
  pl_free(job.place), pl_free(job.slot);
  return good;
}

// Interpolates between the four nearest pixels, each lit or not. The looked-up position is slightly off the
// surface and towards the light.
double pl_light_reaches(const plLight* l, plVec3 p, plVec3 n) {
  p = v3_madd(p, OFF / l->scale, n);
  double x = l->scale * (v3_dot(p, l->u) - l->u0) - 0.5, y = l->scale * (v3_dot(p, l->v) - l->v0) - 0.5;
  if (!(x >= 0 && y >= 0 && x < l->size - 1 && y < l->size - 1)) return 1;
  int i = (int)x, j = (int)y;
  double fx = x - i, fy = y - j, z = v3_dot(p, l->direction) + TOWARDS / l->scale;
  const float* d = l->depth + (size_t)j * (size_t)l->size + (size_t)i;
  const float* e = d + l->size;
  double top = (1 - fx) * (d[0] <= z) + fx * (d[1] <= z), bottom = (1 - fx) * (e[0] <= z) + fx * (e[1] <= z);
  return (1 - fy) * top + fy * bottom;
}

// Positions of a point in the maps of all lights: pixels, distance towards each light, cosine.
typedef struct Seen {
  float x[PL_LIGHTS_MOST], y[PL_LIGHTS_MOST], z[PL_LIGHTS_MOST];
} Seen;

static void see(const plLightTable* t, int first, int end, plVec3 p, plVec3 n, Seen* s,
                float* restrict cosine) {
  plVec3 q = v3_sub(p, t->origin);
  const float px = (float)q.x, py = (float)q.y, pz = (float)q.z, nx = (float)n.x, ny = (float)n.y,
              nz = (float)n.z;
  float* restrict x = s->x, * restrict y = s->y, * restrict z = s->z;
  for (int i = first, k = 0; i < end; i++, k++) {
    float c = nx * t->direction[0][i] + ny * t->direction[1][i] + nz * t->direction[2][i];
    x[k] = px * t->axis[0][0][i] + py * t->axis[0][1][i] + pz * t->axis[0][2][i] + t->axis[0][3][i] +
           (nx * t->across[0][0][i] + ny * t->across[0][1][i] + nz * t->across[0][2][i]);
    y[k] = px * t->axis[1][0][i] + py * t->axis[1][1][i] + pz * t->axis[1][2][i] + t->axis[1][3][i] +
           (nx * t->across[1][0][i] + ny * t->across[1][1][i] + nz * t->across[1][2][i]);
    z[k] = px * t->axis[2][0][i] + py * t->axis[2][1][i] + pz * t->axis[2][2][i] + t->axis[2][3][i] +
           t->lift[i] * c;
    cosine[k] = c > 0 ? c : 0;
  }
}

// The sum of shares times intensities, four at a time.
static plVec3 add_up(const plLightTable* t, int first, int n, float* share) {
  float sum[3][4] = {{0}};
  for (int k = n; k % 4; k++) share[k] = 0;
  for (int k = 0; k < n; k += 4)
    for (int c = 0; c < 3; c++)
      for (int j = 0; j < 4; j++) sum[c][j] += share[k + j] * t->intensity[c][first + k + j];
  double rgb[3];
  for (int c = 0; c < 3; c++) rgb[c] = (double)sum[c][0] + sum[c][1] + sum[c][2] + sum[c][3];
  return v3(rgb[0], rgb[1], rgb[2]);
}

plVec3 pl_lights_reach(const plLights* lights, int first, int end, plVec3 p, plVec3 n, float* share) {
  Seen s;
  assert(first >= 0 && first <= end && end <= lights->n && lights->n + 4 <= PL_LIGHTS_MOST);
  see(lights->table, first, end, p, n, &s, share);
  for (int k = 0; k < end - first; k++) {
    const plLight* l = &lights->light[first + k];
    float x = s.x[k], y = s.y[k], z = s.z[k], most = (float)(l->size - 1);
    if (!(share[k] > 0 && x >= 0 && y >= 0 && x < most && y < most)) continue;
    int i = (int)x, j = (int)y;
    // most of a map is empty: a few numbers show this
    if (l->coarse[j / PL_LIGHT_BLOCK * (l->size / PL_LIGHT_BLOCK) + i / PL_LIGHT_BLOCK] <= z) continue;
    const float* d = l->depth + (size_t)j * (size_t)l->size + (size_t)i;
    const float* e = d + l->size;
    int lit = (d[0] <= z) + (d[1] <= z) + (e[0] <= z) + (e[1] <= z);
    if (lit == 4) continue;
    if (lit == 0) {
      share[k] = 0;
      continue;
    }
    float fx = x - (float)i, fy = y - (float)j;
    float top = (1 - fx) * (d[0] <= z) + fx * (d[1] <= z), bottom = (1 - fx) * (e[0] <= z) + fx * (e[1] <= z);
    share[k] *= (1 - fy) * top + fy * bottom;
  }
  return add_up(lights->table, first, end - first, share);
}

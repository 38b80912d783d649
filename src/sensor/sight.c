// sight.c: a camera's picture: triangles to pixels (raster.c), then what each pixel sees, exactly.
//
// The raster finds the triangle that a pixel's ray hits first. The distance is then that of the ray to the
// triangle's plane, in double precision: z = p0 . n / (ray . n). Half spaces are intersected as planes.
#include "sensor/sight.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/pose.h"
#include "math/srgb.h"
#include "rigid/rigid.h"

// ---- triangles in front of the camera

static void place_vertices(const plData* data, const plSight* s, plPose camera, plSightWork* w) {
  const plModel* m = data->model;
  plMat3 to = m3_transpose(quat_matrix(camera.q));
  for (int k = 0; k < s->npart; k++) {
    const plSightPart* part = &s->part[k];
    plPose pose = part->shape >= 0 ? pl_rigid_shape_pose(data, part->shape) : pose_identity();
    plMat3 R = quat_matrix(pose.q);
    const double* q = part->deform >= 0 ? data->q + m->deform_q0[part->deform] : NULL;
    for (int i = 0; i < part->nvert; i++) {
      plVec3 x = q ? v3_load(q + 3 * (size_t)part->source[i])
                   : v3_add(pose.p, m3_mulv(R, v3_load(part->local + 3 * (size_t)i)));
      w->world[part->vert0 + i] = x;
      w->local[part->vert0 + i] = m3_mulv(to, v3_sub(x, camera.p));
    }
  }
}

static plVec3 project(const plSight* s, plVec3 x) {
  double inverse = 1 / x.z;
  return v3(s->centre[0] + s->focal[0] * x.x * inverse, s->centre[1] + s->focal[1] * x.y * inverse, inverse);
}

static void draw_triangles(const plSight* s, plSightWork* w) {
  size_t n = (size_t)s->width * (size_t)s->height;
  memset(w->depth, 0, n * sizeof *w->depth);
  for (size_t i = 0; i < n; i++) w->id[i] = -1;
  for (int i = 0; i < s->nvert; i++)
    w->screen[i] = w->local[i].z >= s->near ? project(s, w->local[i]) : v3(0, 0, -1);
  plRaster raster = {s->width, 0, s->height, w->depth, w->id};
  for (int t = 0; t < s->ntri; t++) {
    const int* v = s->tri + 3 * (size_t)t;
    plVec3 p[3] = {w->screen[v[0]], w->screen[v[1]], w->screen[v[2]]};
    if (p[0].z > 0 && p[1].z > 0 && p[2].z > 0) {
      pl_raster_triangle(&raster, p, t);
      continue;
    }
    plVec3 corner[3] = {w->local[v[0]], w->local[v[1]], w->local[v[2]]}, piece[2][3];
    int pieces = pl_raster_clip(corner, s->near, piece);
    for (int i = 0; i < pieces; i++) {
      for (int k = 0; k < 3; k++) piece[i][k] = project(s, piece[i][k]);
      pl_raster_triangle(&raster, piece[i], t);
    }
  }
}

// ---- what a pixel sees

typedef struct Seen {
  int part;   // -1: a plane or nothing
  int plane;  // of the camera, -1: none
  double z;   // m along the axis
  plVec3 n;   // unit, towards the camera, in its axes
} Seen;

// A half space in the camera's axes: n . x = d on its surface, n outward.
typedef struct Plane {
  plVec3 n;
  double d;
} Plane;

static Seen see(const plSight* s, const plSightWork* w, const Plane* plane, int nplane, plVec3 ray,
                size_t pixel) {
  Seen seen = {-1, -1, INFINITY, {0, 0, -1}};
  int t = w->id[pixel];
  if (t >= 0) {
    const int* v = s->tri + 3 * (size_t)t;
    plVec3 p = w->local[v[0]], n = v3_cross(v3_sub(w->local[v[1]], p), v3_sub(w->local[v[2]], p));
    double slope = v3_dot(ray, n);
    seen.part = s->tri_part[t];
    seen.z = slope != 0 ? v3_dot(p, n) / slope : 1 / (double)w->depth[pixel];
    seen.n = v3_scale((slope > 0 ? -1 : 1) / v3_norm(n), n);
  }
  for (int k = 0; k < nplane; k++) {
    double slope = v3_dot(ray, plane[k].n), z = slope < 0 ? plane[k].d / slope : -1;
    if (z >= s->near && z < seen.z) seen = (Seen){-1, k, z, plane[k].n};
  }
  if (!(seen.z <= s->far)) seen = (Seen){-1, -1, INFINITY, {0, 0, -1}};
  return seen;
}

// ---- light

typedef struct Light {
  plVec3 direction, u, v;  // unit, world
  double u0, v0, scale;    // pixel = scale (u - u0)
  const float* map;        // largest distance towards the light; NULL: no shadows
} Light;

// The light is high; its map covers all vertices.
static Light make_light(const plSight* s, plSightWork* w) {
  Light l = {.direction = v3_unit(v3(0.45, -0.35, 0.82))};
  l.u = v3_unit(v3_cross(l.direction, v3(0, 0, 1))), l.v = v3_cross(l.direction, l.u);
  if (!s->shadows || !s->nvert) return l;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < s->nvert; i++) {
    plVec3 x = w->world[i];
    w->screen[i] = v3(v3_dot(x, l.u), v3_dot(x, l.v), v3_dot(x, l.direction));
    low[0] = fmin(low[0], w->screen[i].x), high[0] = fmax(high[0], w->screen[i].x);
    low[1] = fmin(low[1], w->screen[i].y), high[1] = fmax(high[1], w->screen[i].y);
  }
  l.scale = (PL_SIGHT_SHADOW - 4) / fmax(fmax(high[0] - low[0], high[1] - low[1]), 1e-9);
  l.u0 = low[0] - 2 / l.scale, l.v0 = low[1] - 2 / l.scale;
  for (int i = 0; i < PL_SIGHT_SHADOW * PL_SIGHT_SHADOW; i++) w->shadow[i] = -INFINITY;
  for (int i = 0; i < s->nvert; i++)
    w->screen[i].x = l.scale * (w->screen[i].x - l.u0), w->screen[i].y = l.scale * (w->screen[i].y - l.v0);
  plRaster raster = {.width = PL_SIGHT_SHADOW, .row1 = PL_SIGHT_SHADOW, .depth = w->shadow};
  for (int t = 0; t < s->ntri; t++) {
    const int* v = s->tri + 3 * (size_t)t;
    plVec3 p[3] = {w->screen[v[0]], w->screen[v[1]], w->screen[v[2]]};
    pl_raster_triangle(&raster, p, t);
  }
  l.map = w->shadow;
  return l;
}

// Fraction of the light that reaches x on a surface with normal n: interpolated between the four nearest
// pixels of the map.
static double lit(const Light* l, plVec3 x, plVec3 n) {
  if (!l->map) return 1;
  x = v3_madd(x, 1.5 / l->scale, n);
  double a = l->scale * (v3_dot(x, l->u) - l->u0) - 0.5, b = l->scale * (v3_dot(x, l->v) - l->v0) - 0.5;
  if (!(a >= 0 && b >= 0 && a < PL_SIGHT_SHADOW - 1 && b < PL_SIGHT_SHADOW - 1)) return 1;
  int i = (int)a, j = (int)b;
  double f = a - i, g = b - j, z = v3_dot(x, l->direction) + 0.5 / l->scale;
  const float *d = l->map + (size_t)j * PL_SIGHT_SHADOW + i, *e = d + PL_SIGHT_SHADOW;
  return (1 - g) * ((1 - f) * (d[0] <= z) + f * (d[1] <= z)) + g * ((1 - f) * (e[0] <= z) + f * (e[1] <= z));
}

// Linear light -> a byte, by a sufficiently fine table.
enum { TONES = 4096 };
static void make_tones(unsigned char* tone) {
  for (int i = 0; i <= TONES; i++) tone[i] = (unsigned char)lrint(255 * linear_to_srgb((double)i / TONES));
}
static unsigned char to_tone(const unsigned char* tone, double x) {
  return tone[x <= 0 ? 0 : x >= 1 ? TONES : (int)(x * TONES + 0.5)];
}

static void shade(const plSight* s, const Light* light, plPose camera, const plMat3* R, const Seen* seen,
                  plVec3 ray, const unsigned char* tone, unsigned char* out) {
  plVec3 c = {0.62, 0.70, 0.82};  // the sky
  if (isfinite(seen->z)) {
    plVec3 n = m3_mulv(*R, seen->n), x = v3_add(camera.p, m3_mulv(*R, v3_scale(seen->z, ray)));
    plVec3 own = seen->part >= 0 ? s->part[seen->part].colour : s->plane_colour[seen->plane];
    double cosine = v3_dot(n, light->direction), sun = cosine > 0 ? cosine * lit(light, x, n) : 0;
    double sky = 0.30 + 0.15 * n.z;
    c = v3(own.x * (0.80 * sun + sky), own.y * (0.78 * sun + sky), own.z * (0.74 * sun + 1.05 * sky));
  }
  out[0] = to_tone(tone, c.x), out[1] = to_tone(tone, c.y), out[2] = to_tone(tone, c.z);
}

// ---- the picture

static int place_planes(const plData* data, const plSight* s, plPose camera, Plane* plane) {
  for (int k = 0; k < s->nplane; k++) {
    plPose pose = pl_rigid_shape_pose(data, s->plane[k]);
    plane[k].n = quat_rotate(quat_conj(camera.q), quat_rotate(pose.q, v3(0, 0, 1)));
    plane[k].d = v3_dot(plane[k].n, pose_apply_inverse(camera, pose.p));
  }
  return s->nplane;
}

void pl_sight_draw(const plData* data, const plSight* s, plPose camera, plSensorKind kind, plSightWork* w,
                   void* out) {
  const plModel* m = data->model;
  assert((size_t)s->nvert <= w->nvert && (size_t)s->width * (size_t)s->height <= w->npixel);
  camera.q = quat_unit(camera.q);
  place_vertices(data, s, camera, w);
  draw_triangles(s, w);
  Plane plane[PL_SIGHT_PLANES];
  int nplane = place_planes(data, s, camera, plane);
  plMat3 R = quat_matrix(camera.q);
  unsigned char tone[TONES + 1];
  Light light = {0};
  if (kind == PL_SENSOR_RGB) make_tones(tone), light = make_light(s, w);
  for (int y = 0; y < s->height; y++)
    for (int x = 0; x < s->width; x++) {
      size_t i = (size_t)y * (size_t)s->width + (size_t)x;
      plVec3 ray = v3((x + 0.5 - s->centre[0]) / s->focal[0], (y + 0.5 - s->centre[1]) / s->focal[1], 1);
      Seen seen = see(s, w, plane, nplane, ray, i);
      if (kind == PL_SENSOR_DEPTH)
        ((float*)out)[i] = (float)(!isfinite(seen.z) ? s->far : s->range ? seen.z * v3_norm(ray) : seen.z);
      else if (kind == PL_SENSOR_SEGMENTATION)
        ((int*)out)[i] = seen.part >= 0    ? s->part[seen.part].side
                         : seen.plane >= 0 ? m->ndeform + s->plane[seen.plane]
                                           : -1;
      else
        shade(s, &light, camera, &R, &seen, ray, tone, (unsigned char*)out + 3 * i);
    }
}

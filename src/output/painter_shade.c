// painter_shade.c: shading of a pixel: light, surfaces, planes with their grid, background.
//
// A pixel whose samples see one smooth surface is shaded once, by all lights; otherwise each sample is shaded
// by its own part of the sky.
#include <assert.h>
#include <math.h>

#include "math/vec3.h"
#include "output/painter.h"

// ---- light

static plVec3 mul(plVec3 a, plVec3 b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }
static plVec3 mix(plVec3 a, plVec3 b, double t) { return v3_add(v3_scale(1 - t, a), v3_scale(t, b)); }
static double smooth(double x) { return x <= 0 ? 0 : x >= 1 ? 1 : x * x * (3 - 2 * x); }

// The position of a sample in the picture, and its lights: those of one sample, or (-1) all.
typedef struct Look {
  double x, y;  // pixels
  int sample;
} Look;

// Light on a surface at x with normal n, and (if wanted) the shine of the key light seen along view.
static plVec3 gather(const plPainter* p, int sample, plVec3 x, plVec3 n, plVec3 view, double* shine) {
  double gleam = 0;
  int first = sample < 0 ? 0 : sample * p->nlight, end = sample < 0 ? p->lights.n : first + p->nlight;
  float share_of[PL_LIGHTS_MOST];  // cosine times the fraction of light that reaches the point
  plVec3 sum = pl_lights_reach(&p->lights, first, end, x, n, share_of);
  for (int i = first; shine && i < end; i++) {
    const plLight* l = &p->lights.light[i];
    if (!l->key || share_of[i - first] == 0) continue;
    // A small highlight on a broad one: powers 64 and 16 of the cosine at half angle.
    double lit = share_of[i - first] / v3_dot(n, l->direction);
    double h = fmax(v3_dot(n, v3_unit(v3_sub(l->direction, view))), 0), h4 = h * h * h * h,
           h16 = h4 * h4 * h4 * h4;
    gleam += lit * l->intensity.y * (0.55 * h16 * h16 * h16 * h16 + 0.10 * h16);
  }
  // the lights of every sample cover the whole sky
  double share = sample < 0 ? 1.0 / (p->per_side * p->per_side) : 1;
  sum = v3_scale(share, sum);
  if (shine) *shine = share * gleam;
  // Light that the floor reflects to surfaces that face down.
  double down = 0.5 * (1 - n.z);
  return v3_add(sum, v3_scale(0.30 * down, v3(1.0, 0.98, 0.95)));
}

// ---- what a pixel sees

static plVec3 background(const plPainter* p, double y) {
  double t = smooth(y / p->camera.height);
  return mix(v3(0.80, 0.85, 0.91), v3(0.955, 0.962, 0.972), t);
}

// Darkness of the edges of a triangle's mesh at this point: b the barycentric coordinates.
static double edge_ink(const plPainter* p, const int* v, const double b[3]) {
  plVec3 s[3];
  for (int k = 0; k < 3; k++) {
    if (p->local[v[k]].z < PL_PAINTER_NEAR * p->size) return 0;
    s[k] = pl_camera_screen(&p->camera, p->local[v[k]]);
  }
  double area = fabs((s[1].x - s[0].x) * (s[2].y - s[0].y) - (s[2].x - s[0].x) * (s[1].y - s[0].y)), ink = 0;
  for (int k = 0; k < 3; k++) {
    plVec3 a = s[(k + 1) % 3], c = s[(k + 2) % 3];
    double length = hypot(c.x - a.x, c.y - a.y);
    if (length < 1e-9) continue;
    double pixels = b[k] * area / length, height = p->camera.height / 800.0;
    // Lines closer than a few pixels would only look grey.
    double fade = smooth((fmin(length, area / length) - 5) / 14);
    ink = fmax(ink, fade * (1 - smooth((pixels - 0.25 * height) / (0.75 * height))));
  }
  return ink;
}

static plVec3 shade_triangle(const plPainter* p, int sample, int t, plVec3 ray) {
  const plDrawing* d = p->drawing;
  assert(t >= 0 && t < d->ntri);
  const int* v = d->tri + 3 * (size_t)t;
  plVec3 a = v3_load(d->vert + 3 * (size_t)v[0]), e1 = v3_sub(v3_load(d->vert + 3 * (size_t)v[1]), a);
  plVec3 e2 = v3_sub(v3_load(d->vert + 3 * (size_t)v[2]), a);
  // Barycentric coordinates of the point where the ray meets the triangle's plane.
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

// The fraction of a pixel that lines of the grid cover; width and footprint in m.
static double grid_cover(double x, double spacing, double width, double footprint) {
  // lines are at integer multiples of the spacing, far below the range of int
  double lines = fabs(x) / spacing, off = fabs(lines - (double)(int)(lines + 0.5)) * spacing;
  if (off > (fmax(width, footprint) + footprint) / 2) return 0;
  double wide = fmax(width, footprint),
         cover = fmin(fmax((wide / 2 + footprint / 2 - off) / footprint, 0), 1);
  return cover * width / wide;
}

// Distance of a point of a plane from the subject, in sizes of the subject.
static double away_from(const plPainter* p, const plDrawPlane* plane, plVec3 x) {
  plVec3 r = v3_sub(x, p->centre);
  return v3_norm(v3_madd(r, -v3_dot(r, plane->normal), plane->normal)) / p->size;
}

// Beyond this distance, in its sizes, the subject casts no shadow.
static const double SHADOWLESS = 6;

// known: light that was computed already, or NULL.
static plVec3 shade_plane(const plPainter* p, int sample, const plDrawPlane* plane, plVec3 x, plVec3 ray,
                          double distance, plVec3 back, const plVec3* known) {
  double away = away_from(p, plane, x), near = 1 - smooth((away - 0.8) / 2.6);
  // The background with shadows.
  double reach = smooth((SHADOWLESS - away) / 4);
  plVec3 light = known ? *known : reach > 0 ? gather(p, sample, x, plane->normal, ray, NULL) : p->open_sky;
  light = v3(light.x / p->open_sky.x, light.y / p->open_sky.y, light.z / p->open_sky.z);
  plVec3 colour = mul(back, mix(v3(1, 1, 1), light, reach));
  if (!plane->grid || near <= 0) return colour;
  // The shape's own hue, near the subject.
  double luminance = 0.2126 * plane->colour.x + 0.7152 * plane->colour.y + 0.0722 * plane->colour.z;
  if (luminance > 0)
    colour = mul(colour, mix(v3(1, 1, 1), v3_scale(1 / luminance, plane->colour), 0.25 * near));
  plVec3 o = v3_sub(x, plane->point);
  double slant = fmax(fabs(v3_dot(ray, plane->normal)) / v3_norm(ray), 0.02),
         foot = distance / p->camera.focal / sqrt(slant);
  double gx = v3_dot(o, plane->u), gy = v3_dot(o, plane->v), width = 0.0022 * p->size;
  double minor = fmax(grid_cover(gx, p->grid, 0.7 * width, foot), grid_cover(gy, p->grid, 0.7 * width, foot));
  double major =
      fmax(grid_cover(gx, 5 * p->grid, 1.5 * width, foot), grid_cover(gy, 5 * p->grid, 1.5 * width, foot));
  return mul(colour, v3_scale(1 - near * fmax(0.16 * minor, 0.24 * major), v3(1, 1, 1)));
}

// The plane in front of a distance along the ray, NULL: none; *nearest becomes its own.
static const plDrawPlane* find_plane(const plPainter* p, plVec3 ray, double* nearest) {
  const plDrawPlane* plane = NULL;
  for (int k = 0; k < p->drawing->nplane; k++) {
    const plDrawPlane* candidate = &p->drawing->plane[k];
    double slope = v3_dot(ray, candidate->normal);
    // Planes are visible only from their front.
    double t =
        slope < -1e-9 ? v3_dot(v3_sub(candidate->point, p->camera.eye), candidate->normal) / slope : -1;
    if (t > 0 && t < *nearest) *nearest = t, plane = candidate;
  }
  return plane;
}

// id: the visible triangle, -1: none; inverse: of its distance.
static plVec3 shade_look(const plPainter* p, Look at, int id, float inverse) {
  plVec3 ray = pl_camera_ray(&p->camera, at.x, at.y), back = background(p, at.y);
  double nearest = id >= 0 ? 1 / (double)inverse : INFINITY;
  const plDrawPlane* plane = find_plane(p, ray, &nearest);
  if (plane)
    return shade_plane(p, at.sample, plane, v3_madd(p->camera.eye, nearest, ray), ray, nearest, back, NULL);
  return id >= 0 ? shade_triangle(p, at.sample, id, ray) : back;
}

// Whether the samples of a pixel see one smooth surface without lines, or nothing: it is then shaded once.
static bool is_smooth(const plPainter* p, const int* id, const float* depth) {
  const plDrawing* d = p->drawing;
  int side = p->per_side, first = id[0];
  size_t wide = (size_t)side * (size_t)p->camera.width;
  float low = depth[0], high = depth[0];
  for (int j = 0; j < side; j++, id += wide, depth += wide)
    for (int i = 0; i < side; i++) {
      int t = id[i];
      float z = depth[i];
      if (t == first && (t < 0 || !d->edges[t])) {
        low = z < low ? z : low, high = z > high ? z : high;
        continue;
      }
      if (t < 0 || first < 0 || d->edges[t]) return false;
      if (v3_dot(d->normal[3 * (size_t)t], d->normal[3 * (size_t)first]) < 0.97) return false;
      low = z < low ? z : low, high = z > high ? z : high;
    }
  // a step in depth is a border, whatever the normals are
  return first < 0 || high - low < 2e-3f * high;
}

// The samples of a pixel, each with its own lights.
static plVec3 shade_samples(const plPainter* p, int x, int y, const int* id, const float* depth) {
  plVec3 sum = {0};
  int side = p->per_side;
  size_t wide = (size_t)side * (size_t)p->camera.width;
  for (int k = 0; k < side * side; k++) {
    size_t s = (size_t)(k / side) * wide + (size_t)(k % side);
    Look at = {x + (k % side + 0.5) / side, y + ((double)(k / side) + 0.5) / side, k};
    plVec3 c = shade_look(p, at, id[s], depth[s]);
    sum = v3_add(sum, v3_min(v3_max(c, v3(0, 0, 0)), v3(1, 1, 1)));
  }
  return v3_scale(1.0 / (side * side), sum);
}

// ---- planes: light at every second pixel, interpolated where it varies little

// A look at the middle sample of a pixel.
static Look middle_of(const plPainter* p, int x, int y) {
  int side = p->per_side, m = side / 2;
  return (Look){x + (m + 0.5) / side, y + (m + 0.5) / side, -1};
}

static const plFloorLight* find_node(const plPainter* p, plFloorLight* node, int x, int y) {
  if (node->plane > -2) return node;
  Look at = middle_of(p, x, y);
  plVec3 ray = pl_camera_ray(&p->camera, at.x, at.y);
  double nearest = INFINITY;
  const plDrawPlane* plane = find_plane(p, ray, &nearest);
  node->plane = plane ? (int)(plane - p->drawing->plane) : -1;
  if (!plane) return node;
  plVec3 place = v3_madd(p->camera.eye, nearest, ray), light = p->open_sky;
  if (away_from(p, plane, place) < SHADOWLESS) light = gather(p, -1, place, plane->normal, ray, NULL);
  node->rgb[0] = (float)light.x, node->rgb[1] = (float)light.y, node->rgb[2] = (float)light.z;
  return node;
}

// The light on a plane at a pixel, interpolated from the nodes around it; false if they differ visibly. row0:
// of the band.
static bool between_nodes(const plPainter* p, plFloorLight* floor, int plane, int x, int y, int row0,
                          plVec3* light) {
  int wide = p->camera.width / 2 + 2, i = x / 2, j = (y - row0) / 2;
  assert(i + 1 < wide && j >= 0 && j + 1 < PL_FLOOR_ROWS);
  const plFloorLight* n[4];
  for (int k = 0; k < 4; k++) {
    n[k] = find_node(p, floor + (size_t)(j + k / 2) * (size_t)wide + (size_t)(i + k % 2), 2 * (i + k % 2),
                     row0 + 2 * (j + k / 2));
    if (n[k]->plane != plane) return false;
  }
  float u = 0.5f * (float)(x - 2 * i), v = 0.5f * (float)(y - row0 - 2 * j), mixed[3];
  for (int c = 0; c < 3; c++) {
    float a = n[0]->rgb[c], b = n[1]->rgb[c], d = n[2]->rgb[c], e = n[3]->rgb[c];
    float low = fminf(fminf(a, b), fminf(d, e)), high = fmaxf(fmaxf(a, b), fmaxf(d, e));
    if (high - low > 0.004f * high) return false;
    mixed[c] = (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * d + u * e);
  }
  *light = v3(mixed[0], mixed[1], mixed[2]);
  return true;
}

// A pixel that sees no triangle.
static plVec3 shade_open(const plPainter* p, plFloorLight* floor, int x, int y, int row0) {
  Look at = middle_of(p, x, y);
  plVec3 ray = pl_camera_ray(&p->camera, at.x, at.y), back = background(p, at.y), light;
  double nearest = INFINITY;
  const plDrawPlane* plane = find_plane(p, ray, &nearest);
  if (!plane) return back;
  bool known = between_nodes(p, floor, (int)(plane - p->drawing->plane), x, y, row0, &light);
  return shade_plane(p, -1, plane, v3_madd(p->camera.eye, nearest, ray), ray, nearest, back,
                     known ? &light : NULL);
}

static plVec3 shade_pixel(const plPainter* p, int x, int y, const float* depth, const int* id,
                          plFloorLight* floor, int row0) {
  int side = p->per_side;
  size_t middle = (size_t)(side / 2) * (size_t)(side * p->camera.width) + (size_t)(side / 2);
  if (!is_smooth(p, id, depth)) return shade_samples(p, x, y, id, depth);
  if (id[middle] < 0) return shade_open(p, floor, x, y, row0);
  return shade_look(p, middle_of(p, x, y), id[middle], depth[middle]);
}

void pl_painter_shade(plPainter* p, int band, const float* depth, const int* id, const int column[2],
                      plFloorLight* floor) {
  int side = p->per_side, width = p->camera.width, row0 = band * PL_BAND;
  for (int i = 0; i < PL_FLOOR_ROWS * (width / 2 + 2); i++) floor[i].plane = -2;
  for (int y = row0; y < row0 + PL_BAND && y < p->camera.height; y++)
    for (int x = 0; x < width; x++) {
      size_t s = (size_t)(side * (y - row0)) * (size_t)(side * width) + (size_t)(side * x);
      bool open = x < column[0] || x > column[1];
      plVec3 c =
          open ? shade_open(p, floor, x, y, row0) : shade_pixel(p, x, y, depth + s, id + s, floor, row0);
      float* to = p->image.rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
      to[0] = (float)fmin(fmax(c.x, 0), 1), to[1] = (float)fmin(fmax(c.y, 0), 1);
      to[2] = (float)fmin(fmax(c.z, 0), 1);
    }
}

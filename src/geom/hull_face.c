// hull_face.c: the flat faces of a hull: triangles in one plane are one polygon.
//
// The largest remaining triangle defines the plane; its neighbours are added while their corners lie within
// 1e-5 of the hull's size of it. The polygon is the planar hull of the collected corners.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/hull.h"
#include "geom/side.h"
#include "math/frame.h"

typedef struct Patch {
  const plHull* h;
  double size;
  int* order;      // [ntri] by area, largest first
  double* area;    // [ntri]
  plVec3* normal;  // [ntri]
  int* beside;     // [3 ntri] triangle across side k
  int* stack;      // [ntri]
  bool* taken;     // [ntri]
  int* vert;       // [3 ntri] corners of the present face
} Patch;

static plVec3 vertex(const plHull* h, int i) { return v3_load(h->vert + 3 * (size_t)i); }

typedef struct Key {
  double area;
  int tri;
} Key;

static int compare_keys(const void* pa, const void* pb) {
  const Key *a = pa, *b = pb;
  if (a->area != b->area) return a->area > b->area ? -1 : 1;
  return a->tri < b->tri ? -1 : a->tri > b->tri;
}

// Triangles across each side, normals, and the order by area.
static bool prepare(Patch* p) {
  const plHull* h = p->h;
  int n = 3 * h->ntri;
  plTriSide* side = PL_NEW(plTriSide, n);
  Key* key = PL_NEW(Key, h->ntri);
  bool good = side && key;
  plVec3 lower = vertex(h, 0), upper = lower;
  for (int i = 0; i < h->nvert; i++) lower = v3_min(lower, vertex(h, i)), upper = v3_max(upper, vertex(h, i));
  p->size = v3_norm(v3_sub(upper, lower));
  for (int t = 0; t < h->ntri && good; t++) {
    const int* v = h->tri + 3 * (size_t)t;
    plVec3 c = v3_cross(v3_sub(vertex(h, v[1]), vertex(h, v[0])), v3_sub(vertex(h, v[2]), vertex(h, v[0])));
    p->area[t] = 0.5 * v3_norm(c), p->normal[t] = v3_unit(c);
    key[t] = (Key){p->area[t], t};
  }
  if (good) qsort(key, (size_t)h->ntri, sizeof *key, compare_keys), tri_sides(h->ntri, h->tri, side);
  for (int t = 0; t < h->ntri && good; t++) p->order[t] = key[t].tri;
  // The surface is closed: every side occurs twice.
  for (int i = 0; i + 1 < n && good; i += 2) {
    assert(side[i].low == side[i + 1].low && side[i].high == side[i + 1].high);
    p->beside[side[i].at] = side[i + 1].at / 3, p->beside[side[i + 1].at] = side[i].at / 3;
  }
  pl_free(side), pl_free(key);
  return good;
}

// Collects the triangles in the seed's plane; writes their corners to vert.
static int gather(Patch* p, int seed) {
  const plHull* h = p->h;
  plVec3 n = p->normal[seed];
  double base = v3_dot(n, vertex(h, h->tri[3 * (size_t)seed]));
  int depth = 0, count = 0;
  p->taken[seed] = true;
  p->stack[depth++] = seed;
  while (depth) {
    int t = p->stack[--depth];
    for (int k = 0; k < 3; k++) p->vert[count++] = h->tri[3 * (size_t)t + (size_t)k];
    for (int k = 0; k < 3; k++) {
      int other = p->beside[3 * (size_t)t + (size_t)k];
      bool joins = !p->taken[other] && (!(p->area[other] > 0) || v3_dot(p->normal[other], n) > 0.9);
      for (int m = 0; m < 3 && joins; m++)
        joins = fabs(v3_dot(n, vertex(h, h->tri[3 * (size_t)other + (size_t)m])) - base) < 1e-5 * p->size;
      if (!joins) continue;
      p->taken[other] = true;
      assert(depth < h->ntri);
      p->stack[depth++] = other;
    }
  }
  return count;
}

typedef struct Flat {
  double u, v;
  int vert;
} Flat;

static int compare_flat(const void* pa, const void* pb) {
  const Flat *a = pa, *b = pb;
  if (a->u != b->u) return a->u < b->u ? -1 : 1;
  if (a->v != b->v) return a->v < b->v ? -1 : 1;
  return a->vert < b->vert ? -1 : a->vert > b->vert;
}

static double turn(const Flat* a, const Flat* b, const Flat* c) {
  return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

// The hull of n points in the plane (monotone chain), counter-clockwise, written to ring; reorders n.
static int flat_hull(Flat* f, int n, Flat* ring, double least) {
  int m = 0, keep = 0;
  qsort(f, (size_t)n, sizeof *f, compare_flat);
  for (int i = 0; i < n; i++)
    if (i == 0 || f[i].vert != f[keep - 1].vert) f[keep++] = f[i];
  n = keep;
  for (int i = 0; i < n; i++) {
    while (m > 1 && turn(&ring[m - 2], &ring[m - 1], &f[i]) <= least) m--;
    ring[m++] = f[i];
  }
  for (int i = n - 2, low = m + 1; i >= 0; i--) {
    while (m >= low && turn(&ring[m - 2], &ring[m - 1], &f[i]) <= least) m--;
    ring[m++] = f[i];
  }
  return m - 1;  // the last one repeats the first
}

// Removes the corner that costs the least area until at most PL_HULL_FACE are left.
static int simplify(Flat* ring, int n) {
  while (n > PL_HULL_FACE) {
    int least = 0;
    double cost = INFINITY;
    for (int i = 0; i < n; i++) {
      double c = turn(&ring[(i + n - 1) % n], &ring[i], &ring[(i + 1) % n]);
      if (c < cost) cost = c, least = i;
    }
    for (int i = least; i + 1 < n; i++) ring[i] = ring[i + 1];
    n--;
  }
  return n;
}

// The polygon of the collected corners.
static int outline(const Patch* p, int count, plVec3 n, Flat* flat, Flat* ring) {
  plVec3 t1, t2;
  v3_tangents(n, &t1, &t2);
  for (int i = 0; i < count; i++) {
    plVec3 q = vertex(p->h, p->vert[i]);
    flat[i] = (Flat){v3_dot(q, t1), v3_dot(q, t2), p->vert[i]};
  }
  return simplify(ring, flat_hull(flat, count, ring, 1e-12 * p->size * p->size));
}

// The ball about the centre of volume that touches the nearest face.
static void fit_ball(plHull* h) {
  plVec3 mean = {0, 0, 0}, sum = {0, 0, 0};
  double volume = 0;
  for (int i = 0; i < h->nvert; i++) mean = v3_madd(mean, 1.0 / h->nvert, vertex(h, i));
  for (int t = 0; t < h->ntri; t++) {
    plVec3 x[3];
    for (int k = 0; k < 3; k++) x[k] = v3_sub(vertex(h, h->tri[3 * (size_t)t + (size_t)k]), mean);
    double v = v3_dot(x[0], v3_cross(x[1], x[2])) / 6;
    volume += v;
    sum = v3_madd(sum, v / 4, v3_add(x[0], v3_add(x[1], x[2])));
  }
  h->centre = volume > 0 ? v3_madd(mean, 1 / volume, sum) : mean;
  h->radius = INFINITY;
  for (int f = 0; f < h->nface; f++)
    h->radius = fmin(h->radius, v3_dot(h->normal[f], v3_sub(vertex(h, h->corner[h->face0[f]]), h->centre)));
}

plStatus pl_hull_find_faces(plHull* h, plError* error) {
  size_t n = (size_t)h->ntri;
  Patch p = {.h = h,
             .order = PL_NEW(int, n),
             .area = PL_NEW(double, n),
             .normal = PL_NEW(plVec3, n),
             .beside = PL_NEW(int, 3 * n),
             .stack = PL_NEW(int, n),
             .taken = PL_NEW(bool, n),
             .vert = PL_NEW(int, 3 * n)};
  Flat *flat = PL_NEW(Flat, 3 * n), *ring = PL_NEW(Flat, 3 * n + 2);
  h->face0 = PL_NEW(int, n + 1), h->corner = PL_NEW(int, 3 * n + 2), h->normal = PL_NEW(plVec3, n);
  bool good = p.order && p.area && p.normal && p.beside && p.stack && p.taken && p.vert && flat && ring &&
              h->face0 && h->corner && h->normal;
  good = good && prepare(&p);
  for (size_t i = 0; i < n && good; i++) {
    int seed = p.order[i];
    if (p.taken[seed]) continue;
    int m = outline(&p, gather(&p, seed), p.normal[seed], flat, ring);
    if (m < 3) continue;  // a sliver, not a face
    assert(h->nface < h->ntri && (size_t)(h->face0[h->nface] + m) <= 3 * n + 2);
    for (int k = 0; k < m; k++) h->corner[h->face0[h->nface] + k] = ring[k].vert;
    h->normal[h->nface++] = p.normal[seed];
    h->face0[h->nface] = h->face0[h->nface - 1] + m;
  }
  if (good) fit_ball(h);
  pl_free(p.order), pl_free(p.area), pl_free(p.normal), pl_free(p.beside), pl_free(p.stack), pl_free(p.taken),
      pl_free(p.vert), pl_free(flat), pl_free(ring);
  return good ? PL_OK : pl_fail_out_of_memory(error, 3 * n * sizeof(Flat));
}

// hull.c: quickhull (Barber, Dobkin and Huhdanpaa 1996) with exact tests.
//
// Points are rounded to a lattice of 2^39 steps across the largest extent (2e-12 of it). On it the side of a
// plane on which a point lies is an integer of less than 128 bits, so every test is exact for any arrangement
// of points, however flat or round. A point is added if it lies strictly above a facet. The facets that it
// sees form a disk; the rim of the disk and the point give the new facets.
#include "geom/hull.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"

__extension__ typedef __int128 Wide;

typedef struct LatticePoint {
  int64_t x, y, z;
} LatticePoint;

typedef struct Facet {
  int v[3];       // points, outward
  int beyond[3];  // facet across the side (v_k, v_k+1)
  Wide n[3];      // outward, exact
  int first;      // first of the points above it that are not yet added, -1: none
  bool gone, seen;
} Facet;

typedef struct Work {
  int n;
  const double* x;
  LatticePoint* p;  // [n] on the lattice
  int* next;        // [n] linked list of points not yet added
  int* starts;      // [n] new facet whose rim side starts at a point
  Facet* facet;
  int nfacet, facet_cap;
  int* free;  // removed facets
  int nfree, free_cap;
  int* waiting;  // facets with points above them
  int nwaiting, waiting_cap;
  int* seen;  // facets seen from the present point
  int nseen, seen_cap;
  int* fresh;  // new facets of that point
  int nfresh, fresh_cap;
  bool failed;
} Work;

static void push(Work* w, int** list, int* n, int* cap, int value) {
  if (!PL_PUSH(*list, *n, *cap, value)) w->failed = true;
}

static void plane(const Work* w, Facet* f) {
  LatticePoint a = w->p[f->v[0]], b = w->p[f->v[1]], c = w->p[f->v[2]];
  int64_t ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
  f->n[0] = (Wide)uy * vz - (Wide)uz * vy;
  f->n[1] = (Wide)uz * vx - (Wide)ux * vz;
  f->n[2] = (Wide)ux * vy - (Wide)uy * vx;
}

// Positive above the facet; its size is the distance times twice the facet's area.
static Wide height(const Work* w, const Facet* f, int i) {
  LatticePoint a = w->p[f->v[0]], q = w->p[i];
  return f->n[0] * (q.x - a.x) + f->n[1] * (q.y - a.y) + f->n[2] * (q.z - a.z);
}

static int new_facet(Work* w, int a, int b, int c) {
  Facet f = {.v = {a, b, c}, .beyond = {-1, -1, -1}, .first = -1};
  plane(w, &f);
  if (w->nfree) {
    int i = w->free[--w->nfree];
    w->facet[i] = f;
    return i;
  }
  if (!PL_PUSH(w->facet, w->nfacet, w->facet_cap, f)) return w->failed = true, -1;
  return w->nfacet - 1;
}

// ---- the first tetrahedron

static plVec3 at(const Work* w, int i) { return v3_load(w->x + 3 * (size_t)i); }

// The lattice, and four points far from each other, from the line of two, and from the plane of three.
static plStatus find_start(Work* w, int corner[4], plError* error) {
  plVec3 lower = at(w, 0), upper = lower;
  for (int i = 0; i < w->n; i++) lower = v3_min(lower, at(w, i)), upper = v3_max(upper, at(w, i));
  plVec3 d = v3_sub(upper, lower);
  double size = fmax(d.x, fmax(d.y, d.z)), flat = 1e-6 * size, scale = ldexp(1, 39) / size;
  if (!isfinite(size))
    return pl_fail(error, PL_ERROR_INPUT,
                   "the points of a convex hull must be finite and less than 1e308 m apart");
  if (!(size > 0) || !isfinite(scale))
    return pl_fail(error, PL_ERROR_INPUT, "all %d points coincide: a convex hull needs a body with volume",
                   w->n);
  for (int i = 0; i < w->n; i++) {
    plVec3 q = v3_scale(scale, v3_sub(at(w, i), lower));
    w->p[i] = (LatticePoint){llround(q.x), llround(q.y), llround(q.z)};
  }
  double most[4] = {0};
  corner[0] = 0;
  for (int i = 0; i < w->n; i++)
    if (at(w, i).x < at(w, corner[0]).x) corner[0] = i;
  plVec3 a = at(w, corner[0]), n = {0, 0, 0};
  for (int k = 1; k < 4; k++) {
    corner[k] = corner[0];
    for (int i = 0; i < w->n; i++) {
      plVec3 q = v3_sub(at(w, i), a);
      double far = k == 1 ? v3_norm(q) : k == 2 ? v3_norm(v3_cross(q, n)) : fabs(v3_dot(q, n));
      if (far > most[k]) most[k] = far, corner[k] = i;
    }
    plVec3 e = v3_sub(at(w, corner[1]), a);
    n = k == 1 ? v3_unit(e) : v3_unit(v3_cross(e, v3_sub(at(w, corner[2]), a)));
    if (k == 2 && most[k] < flat)
      return pl_fail(
          error, PL_ERROR_INPUT,
          "all %d points lie on a line (within %.2g m of %.3g m): a convex hull needs a body with volume",
          w->n, most[k], size);
    if (k == 3 && most[k] < flat)
      return pl_fail(error, PL_ERROR_INPUT,
                     "all %d points lie in a plane (within %.2g m of %.3g m): a convex hull needs a body "
                     "with volume; give it thickness or use a thin box",
                     w->n, most[k], size);
  }
  return PL_OK;
}

static void link_all(Work* w) {
  for (int f = 0; f < 4; f++)
    for (int k = 0; k < 3; k++)
      for (int g = 0; g < 4; g++)
        for (int m = 0; m < 3; m++)
          if (w->facet[f].v[k] == w->facet[g].v[(m + 1) % 3] &&
              w->facet[f].v[(k + 1) % 3] == w->facet[g].v[m])
            w->facet[f].beyond[k] = g;
}

// Adds a point to the list of the first of the facets above which it lies.
static void wait_above(Work* w, int point, const int* facet, int n) {
  for (int k = 0; k < n; k++) {
    Facet* f = &w->facet[facet[k]];
    if (height(w, f, point) <= 0) continue;
    if (f->first < 0) push(w, &w->waiting, &w->nwaiting, &w->waiting_cap, facet[k]);
    w->next[point] = f->first;
    f->first = point;
    return;
  }
}

static void start(Work* w, const int c[4]) {
  Facet base = {.v = {c[0], c[1], c[2]}};
  plane(w, &base);
  bool below = height(w, &base, c[3]) < 0;
  int a = c[0], b = below ? c[1] : c[2], e = below ? c[2] : c[1], top = c[3], all[4] = {0, 1, 2, 3};
  new_facet(w, a, b, e), new_facet(w, b, a, top), new_facet(w, e, b, top), new_facet(w, a, e, top);
  if (w->failed) return;
  link_all(w);
  for (int i = 0; i < w->n; i++) wait_above(w, i, all, 4);
}

// ---- growth

static int farthest(const Work* w, const Facet* f) {
  int best = f->first;
  Wide most = 0;
  for (int i = f->first; i >= 0; i = w->next[i]) {
    Wide h = height(w, f, i);
    if (h > most) most = h, best = i;
  }
  return best;
}

// All facets above which the point lies, starting from one of them.
static void look(Work* w, int from, int point) {
  w->nseen = 0;
  w->facet[from].seen = true;
  push(w, &w->seen, &w->nseen, &w->seen_cap, from);
  for (int i = 0; i < w->nseen && !w->failed; i++)
    for (int k = 0; k < 3; k++) {
      int other = w->facet[w->seen[i]].beyond[k];
      assert(other >= 0 && other < w->nfacet);
      if (w->facet[other].seen || height(w, &w->facet[other], point) <= 0) continue;
      w->facet[other].seen = true;
      push(w, &w->seen, &w->nseen, &w->seen_cap, other);
    }
}

// One facet for each side of the rim, connected to the facets beyond it and to each other.
static void cover(Work* w, int point) {
  w->nfresh = 0;
  for (int i = 0; i < w->nseen && !w->failed; i++)
    for (int k = 0; k < 3 && !w->failed; k++) {
      Facet old = w->facet[w->seen[i]];
      int other = old.beyond[k], a = old.v[k], b = old.v[(k + 1) % 3];
      if (w->facet[other].seen) continue;
      int f = new_facet(w, a, b, point);
      if (f < 0) return;
      w->facet[f].beyond[0] = other;
      for (int m = 0; m < 3; m++)
        if (w->facet[other].v[m] == b && w->facet[other].v[(m + 1) % 3] == a) w->facet[other].beyond[m] = f;
      w->starts[a] = f;
      push(w, &w->fresh, &w->nfresh, &w->fresh_cap, f);
    }
  for (int i = 0; i < w->nfresh && !w->failed; i++) {
    int f = w->fresh[i], g = w->starts[w->facet[f].v[1]];
    assert(w->facet[g].v[0] == w->facet[f].v[1]);  // the rim is closed
    w->facet[f].beyond[1] = g;
    w->facet[g].beyond[2] = f;
  }
}

static void add(Work* w, int from) {
  int point = farthest(w, &w->facet[from]);
  look(w, from, point);
  if (!w->failed) cover(w, point);
  for (int i = 0; i < w->nseen && !w->failed; i++) {
    int f = w->seen[i];
    for (int q = w->facet[f].first, next; q >= 0; q = next) {
      next = w->next[q];
      if (q != point) wait_above(w, q, w->fresh, w->nfresh);
    }
    w->facet[f] = (Facet){.first = -1, .gone = true};
    push(w, &w->free, &w->nfree, &w->free_cap, f);
  }
}

// ---- the result

static plStatus copy_out(Work* w, plHull* h, plError* error) {
  int* number = w->starts;
  for (int i = 0; i < w->n; i++) number[i] = -1;
  for (int f = 0; f < w->nfacet; f++) {
    if (w->facet[f].gone) continue;
    h->ntri++;
    for (int k = 0; k < 3; k++) number[w->facet[f].v[k]] = 0;
  }
  for (int i = 0; i < w->n; i++)
    if (number[i] == 0) number[i] = h->nvert++;
  h->vert = PL_NEW(double, 3 * (size_t)h->nvert);
  h->tri = PL_NEW(int, 3 * (size_t)h->ntri);
  if (!h->vert || !h->tri) return pl_fail_out_of_memory(error, 3 * (size_t)h->ntri * sizeof(double));
  for (int i = 0; i < w->n; i++)
    if (number[i] >= 0) v3_store(h->vert + 3 * (size_t)number[i], at(w, i));
  int t = 0;
  for (int f = 0; f < w->nfacet; f++)
    for (int k = 0; k < 3 && !w->facet[f].gone; k++) h->tri[t++] = number[w->facet[f].v[k]];
  assert(t == 3 * h->ntri);
  return PL_OK;
}

static plStatus build(Work* w, plHull* h, plError* error) {
  int corner[4];
  w->p = PL_NEW(LatticePoint, w->n), w->next = PL_NEW(int, w->n), w->starts = PL_NEW(int, w->n);
  if (!w->p || !w->next || !w->starts)
    return pl_fail_out_of_memory(error, (size_t)w->n * sizeof(LatticePoint));
  plStatus status = find_start(w, corner, error);
  if (status) return status;
  start(w, corner);
  while (w->nwaiting && !w->failed) {
    int f = w->waiting[--w->nwaiting];
    if (!w->facet[f].gone && w->facet[f].first >= 0) add(w, f);
  }
  if (w->failed) return pl_fail_out_of_memory(error, (size_t)w->nfacet * sizeof(Facet));
  status = copy_out(w, h, error);
  return status ? status : pl_hull_find_faces(h, error);
}

plStatus pl_hull_create(const double* point, int n, plHull** hull, plError* error) {
  *hull = NULL;
  if (n < 4)
    return pl_fail(error, PL_ERROR_INPUT, "%d points have no volume: a convex hull needs at least four", n);
  plHull* h = PL_NEW(plHull, 1);
  if (!h) return pl_fail_out_of_memory(error, sizeof *h);
  Work w = {.n = n, .x = point};
  plStatus status = build(&w, h, error);
  pl_free(w.p), pl_free(w.next), pl_free(w.starts), pl_free(w.facet), pl_free(w.free), pl_free(w.waiting),
      pl_free(w.seen), pl_free(w.fresh);
  if (status)
    pl_hull_destroy(h);
  else
    *hull = h;
  return status;
}

void pl_hull_destroy(plHull* h) {
  if (!h) return;
  pl_free(h->vert), pl_free(h->tri), pl_free(h->face0), pl_free(h->corner), pl_free(h->normal);
  pl_free(h);
}

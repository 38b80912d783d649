// reduce.c: reduces a flat patch of many points to few, with the same force, moment and area.
//
// The points of a pair whose normals agree within 8 degrees are a patch, if they lie in a plane as well: half
// spaces give all vertices of a body one normal, those of its far side too. N of its n points are kept: the
// outermost, then repeatedly the one farthest from those kept, so that the corners of the patch stay and its
// inside is covered. Each other point distributes its area to the corners of the smallest triangle of kept
// points around it, by its barycentric coordinates there. Then
//
//   sum a,  sum a x,  sum a g   and   sum a W   (x position, g gap, W weights on the meshes)
//
// do not change: under any pressure that is linear over the patch, the force and its moment are the same, and
// so is the work of the pressure on any motion of the meshes. A point outside all triangles (the outline may
// have more than N corners) goes to the two nearest points and shifts their positions and weights by the
// difference.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "contact/thresholds.h"
#include "math/frame.h"

typedef struct Patch {
  plPair* pair;
  int n, kept;
  int* point;     // [n] of the list
  int* keep;      // [kept] indices in the patch
  double *u, *v;  // [n] in the plane of the patch
  double* mix;    // [kept n] new point k = sum_i mix[k n + i] old point i, times its area
} Patch;

static plContactPoint* old_point(const Patch* p, int i) { return &p->pair->list->point[p->point[i]]; }

// Coordinates in the plane normal to the mean normal.
static void flatten(Patch* p) {
  plVec3 n = {0, 0, 0}, origin = old_point(p, 0)->position;
  for (int i = 0; i < p->n; i++) n = v3_madd(n, old_point(p, i)->area, old_point(p, i)->normal);
  n = v3_unit(n);
  plVec3 t1, t2;
  v3_tangents(n, &t1, &t2);
  for (int i = 0; i < p->n; i++) {
    plVec3 d = v3_sub(old_point(p, i)->position, origin);
    p->u[i] = v3_dot(d, t1), p->v[i] = v3_dot(d, t2);
  }
}

// x of the symmetric system A x = b by Cramer's rule; false: singular.
static bool solve3(const double A[6], const double b[3], double x[3]) {
  plVec3 r0 = v3(A[0], A[1], A[2]), r1 = v3(A[1], A[3], A[4]), r2 = v3(A[2], A[4], A[5]),
         c = v3_cross(r1, r2), d = v3_cross(r2, r0), e = v3_cross(r0, r1);
  double det = v3_dot(r0, c);
  if (!(fabs(det) > PL_ROUNDING * PL_ROUNDING * A[0] * A[3] * A[5])) return false;
  plVec3 sum = v3_scale(1 / det, v3_madd(v3_madd(v3_scale(b[0], c), b[1], d), b[2], e));
  x[0] = sum.x, x[1] = sum.y, x[2] = sum.z;
  return true;
}

// m, the cells of a soft side at rest; infinite: it is rigid.
static double cell_of(const plCollider* c) { return c->deform >= 0 ? c->skin->solid : INFINITY; }

// Whether the gaps are those of a plane, by the angle that neighbours may differ by: they deviate from their
// linear mean by less than that slope over the distance of the points. A body that is stretched has its
// points far apart, but may overlap by no more than before: then over a cell.
static bool is_flat(const Patch* p) {
  double A[6] = {0}, b[3] = {0}, x[3] = {0}, area = 0, most = 0;
  for (int i = 0; i < p->n; i++) {
    double u = p->u[i], v = p->v[i], g = old_point(p, i)->gap;
    A[0] += 1, A[1] += u, A[2] += v, A[3] += u * u, A[4] += u * v, A[5] += v * v;
    b[0] += g, b[1] += g * u, b[2] += g * v, area += old_point(p, i)->area;
  }
  if (!solve3(A, b, x)) return true;  // on a line: not reduced anyway
  for (int i = 0; i < p->n; i++) {
    double off = fabs(old_point(p, i)->gap - x[0] - x[1] * p->u[i] - x[2] * p->v[i]);
    if (off > most) most = off;  // no fmax: gcc 12 for aarch64 ends with an internal error on it here
  }
  double cell = fmin(cell_of(p->pair->ca), cell_of(p->pair->cb)), apart = fmin(sqrt(area / p->n), cell);
  return most < sqrt(1 - PL_SAME_NORMAL * PL_SAME_NORMAL) * apart;
}

// The outermost point, then repeatedly the farthest from those kept.
static void choose(Patch* p, int limit, double* distance) {
  double mu = 0, mv = 0;
  for (int i = 0; i < p->n; i++) mu += p->u[i] / p->n, mv += p->v[i] / p->n;
  for (int i = 0; i < p->n; i++)
    distance[i] = (p->u[i] - mu) * (p->u[i] - mu) + (p->v[i] - mv) * (p->v[i] - mv);
  for (p->kept = 0; p->kept < limit; p->kept++) {
    int best = 0;
    for (int i = 1; i < p->n; i++)
      if (distance[i] > distance[best]) best = i;
    if (!(distance[best] > 0)) return;
    p->keep[p->kept] = best;
    for (int i = 0; i < p->n; i++) {
      double d =
          (p->u[i] - p->u[best]) * (p->u[i] - p->u[best]) + (p->v[i] - p->v[best]) * (p->v[i] - p->v[best]);
      distance[i] = p->kept ? fmin(distance[i], d) : d;
    }
  }
}

// ---- distribution of a point's area

typedef struct Share {
  int k[3];
  double w[3];
  int n;
} Share;

static double length(const Patch* p, int a, int b) { return v2_norm(p->u[a] - p->u[b], p->v[a] - p->v[b]); }

// The smallest triangle of kept points around point i; n = 0: none.
static Share smallest_triangle(const Patch* p, int i) {
  Share best = {.n = 0};
  double shortest = INFINITY;
  for (int a = 0; a < p->kept; a++)
    for (int b = a + 1; b < p->kept; b++)
      for (int c = b + 1; c < p->kept; c++) {
        int x = p->keep[a], y = p->keep[b], z = p->keep[c];
        double eu = p->u[y] - p->u[x], ev = p->v[y] - p->v[x], fu = p->u[z] - p->u[x], fv = p->v[z] - p->v[x],
               det = eu * fv - ev * fu;
        double around = length(p, x, y) + length(p, y, z) + length(p, z, x);
        if (!(fabs(det) > PL_ROUNDING * around * around) || !(around < shortest)) continue;
        double du = p->u[i] - p->u[x], dv = p->v[i] - p->v[x], s = (du * fv - dv * fu) / det,
               t = (eu * dv - ev * du) / det;
        if (s < -PL_ROUNDING || t < -PL_ROUNDING || s + t > 1 + PL_ROUNDING) continue;
        best = (Share){{a, b, c}, {1 - s - t, s, t}, 3}, shortest = around;
      }
  return best;
}

// The side between two kept points that is nearest.
static Share nearest_side(const Patch* p, int i) {
  Share best = {.n = 0};
  double nearest = INFINITY;
  for (int a = 0; a < p->kept; a++)
    for (int b = a + 1; b < p->kept; b++) {
      int x = p->keep[a], y = p->keep[b];
      double eu = p->u[y] - p->u[x], ev = p->v[y] - p->v[x], l = eu * eu + ev * ev;
      double t = fmax(0, fmin(1, ((p->u[i] - p->u[x]) * eu + (p->v[i] - p->v[x]) * ev) / l));
      double far = v2_norm(p->u[x] + t * eu - p->u[i], p->v[x] + t * ev - p->v[i]);
      if (far < nearest) nearest = far, best = (Share){{a, b, 0}, {1 - t, t, 0}, 2};
    }
  return best;
}

// mix and area of the new points.
static void distribute(Patch* p, double* area) {
  for (int k = 0; k < p->kept; k++)
    area[k] = old_point(p, p->keep[k])->area, p->mix[k * p->n + p->keep[k]] = area[k];
  for (int i = 0; i < p->n; i++) {
    bool known = false;
    for (int k = 0; k < p->kept && !known; k++) known = p->keep[k] == i;
    if (known) continue;
    Share s = smallest_triangle(p, i);
    if (!s.n) s = nearest_side(p, i);
    double a = old_point(p, i)->area;
    for (int m = 0; m < s.n; m++) {
      area[s.k[m]] += s.w[m] * a;
      p->mix[s.k[m] * p->n + p->keep[s.k[m]]] += s.w[m] * a;
      // A point outside: the new position moves by the difference of the point and its weighted mean.
      if (s.n == 3) continue;
      p->mix[s.k[m] * p->n + i] += s.w[m] * a;
      for (int l = 0; l < s.n; l++) p->mix[s.k[m] * p->n + p->keep[s.k[l]]] -= s.w[m] * a * s.w[l];
    }
  }
}

// ---- new points

// One side of new point k: the weights of the old ones, mixed.
static bool mix_side(const Patch* p, int k, double area, size_t offset, plContactSide* side) {
  const double* mix = p->mix + (size_t)k * (size_t)p->n;
  int room = 0, n = 0;
  side->edge = 0;
  for (int i = 0; i < p->n; i++)
    if (mix[i] != 0)
      room += ((const plContactSide*)(const void*)((const char*)old_point(p, i) + offset))->nvert;
  if (room == 0) return true;
  int* vert = PL_ARENA_NEW(p->pair->points, int, room);
  double* weight = PL_ARENA_NEW(p->pair->points, double, room);
  if (!vert || !weight) return false;
  for (int i = 0; i < p->n; i++) {
    if (mix[i] == 0) continue;
    const plContactSide* old = (const plContactSide*)(const void*)((const char*)old_point(p, i) + offset);
    for (int m = 0; m < old->nvert; m++) {
      int at = 0;
      while (at < n && vert[at] != old->vert[m]) at++;
      if (at == n) vert[n] = old->vert[m], weight[n++] = 0;
      weight[at] += mix[i] / area * old->weight[m];
    }
  }
  side->nvert = n, side->vert = vert, side->weight = weight;
  return true;
}

static bool make_points(const Patch* p, const double* area, plContactPoint* out) {
  for (int k = 0; k < p->kept; k++) {
    const double* mix = p->mix + (size_t)k * (size_t)p->n;
    plContactPoint point = *old_point(p, p->keep[k]);
    double lumped = point.share > 0 ? point.area / point.share : area[k];
    plVec3 x = {0, 0, 0}, n = {0, 0, 0};
    double gap = 0, stiffness = 0, rest = 0, stop = INFINITY;
    for (int i = 0; i < p->n; i++) {
      if (mix[i] == 0) continue;
      x = v3_madd(x, mix[i] / area[k], old_point(p, i)->position),
      n = v3_madd(n, mix[i], old_point(p, i)->normal);
      gap += mix[i] / area[k] * old_point(p, i)->gap;
      const plSpring* spring = &old_point(p, i)->spring;
      if (spring->compliance > 0)
        stiffness += mix[i] / (old_point(p, i)->area * spring->compliance),
            rest += mix[i] / area[k] * spring->rest, stop = fmin(stop, spring->stop);
    }
    point.spring = (plSpring){stiffness > 0 ? 1 / stiffness : point.spring.compliance, rest, stop, 0};
    point.position = x, point.normal = v3_unit(n), point.gap = gap, point.area = area[k],
    point.share = area[k] / lumped;
    if (!mix_side(p, k, area[k], offsetof(plContactPoint, a), &point.a) ||
        !mix_side(p, k, area[k], offsetof(plContactPoint, b), &point.b))
      return false;
    out[k] = point;
  }
  return true;
}

// One patch: p->point[0 .. n) become kept points in out; 0: memory ran out.
static int reduce_patch(Patch* p, int limit, plContactPoint* out) {
  plArena* arena = p->pair->arena;
  p->u = PL_ARENA_NEW(arena, double, p->n), p->v = PL_ARENA_NEW(arena, double, p->n);
  p->keep = PL_ARENA_NEW(arena, int, limit);
  double *distance = PL_ARENA_NEW(arena, double, p->n), *area = PL_ARENA_NEW(arena, double, limit);
  p->mix = PL_KEEP(arena, double, (size_t)limit*(size_t)p->n);
  if (arena->failed) return 0;
  flatten(p);
  if (!is_flat(p)) return -1;
  choose(p, limit, distance);
  if (p->kept < 4) return -1;  // all at one position or on a line: not reduced
  distribute(p, area);
  return make_points(p, area, out) ? p->kept : 0;
}

// A vertex that pushes only from a depth on (skin_smooth.c) keeps that depth: it belongs to no patch.
static bool is_stop(const plContactPoint* p) {
  return (p->a.nvert == 1 || p->b.nvert == 1) && p->spring.rest < 0;
}

plStatus pl_pair_reduce(plPair* pair, int limit) {
  plPairList* list = pair->list;
  int n = list->npoint, made = 0;
  if (n <= limit) return PL_OK;
  plContactPoint* out = PL_ARENA_NEW(pair->arena, plContactPoint, n);
  bool* taken = PL_KEEP(pair->arena, bool, n);
  Patch p = {.pair = pair, .point = PL_ARENA_NEW(pair->arena, int, n)};
  if (pair->arena->failed) return PL_ERROR_MEMORY;
  for (int i = 0; i < n; i++) {
    if (taken[i]) continue;
    p.n = 0;
    bool alone = is_stop(&list->point[i]);
    for (int j = i; j < n && (j == i || !alone); j++)
      if (!taken[j] && (j == i || !is_stop(&list->point[j])) &&
          v3_dot(list->point[i].normal, list->point[j].normal) > PL_SAME_NORMAL)
        taken[j] = true, p.point[p.n++] = j;
    assert(made + p.n <= n);
    int kept = p.n > limit ? reduce_patch(&p, limit, out + made) : -1;
    if (kept == 0) return PL_ERROR_MEMORY;
    if (kept < 0) {
      for (int j = 0; j < p.n; j++) out[made + j] = list->point[p.point[j]];
      kept = p.n;
    }
    made += kept;
  }
  memcpy(list->point, out, (size_t)made * sizeof *out);
  list->merged += n - made;
  list->npoint = made;
  return PL_OK;
}

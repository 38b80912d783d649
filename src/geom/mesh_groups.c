// mesh_groups.c: which parts of a mesh are equal or connected: half-edges of one edge, vertices at one
// position, joined sets.

#include "base/memory.h"
#include "geom/mesh.h"

bool pl_half_edges(int ntri, const int* tri, int nvert, int** key, int** order, int* n) {
  int all = 3 * ntri, kept = 0;
  int* ends = PL_NEW(int, 2 * (size_t)all);
  int* half = PL_NEW(int, all);
  bool ok = ends && half;
  for (int h = 0; ok && h < all; h++) {
    int a = tri[h], b = tri[pl_half_edge_next(h)];
    ends[2 * (size_t)h] = a < b ? a : b;
    ends[2 * (size_t)h + 1] = a < b ? b : a;
  }
  ok = ok && pl_sort_keys(all, 2, ends, nvert, half);
  // Keeps those of valid triangles, in their order.
  for (int k = 0; ok && k < all; k++) {
    const int* v = tri + 3 * (size_t)(half[k] / 3);
    if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0]) half[kept++] = half[k];
  }
  if (!ok) {
    pl_free(ends);
    pl_free(half);
    return false;
  }
  *key = ends;
  *order = half;
  *n = kept;
  return true;
}

// ---- vertices at the same position

typedef struct Point {
  double x[3];
  int id;
} Point;

static bool before(const Point* a, const Point* b) {
  for (int i = 0; i < 3; i++)
    if (a->x[i] != b->x[i]) return a->x[i] < b->x[i];
  return a->id < b->id;
}

// Merge sort from the bottom up; the result lies in the returned one of the two arrays.
static Point* sort_points(Point* point, Point* other, size_t n) {
  for (size_t width = 1; width < n; width *= 2) {
    for (size_t begin = 0; begin < n; begin += 2 * width) {
      size_t middle = begin + width < n ? begin + width : n, end = middle + width < n ? middle + width : n;
      size_t i = begin, j = middle;
      for (size_t k = begin; k < end; k++) {
        bool left = i < middle && (j >= end || !before(&point[j], &point[i]));
        other[k] = point[left ? i++ : j++];
      }
    }
    Point* swap = point;
    point = other;
    other = swap;
  }
  return point;
}

bool pl_first_at_place(int nvert, const double* vert, int* first) {
  Point* point = PL_NEW(Point, nvert);
  Point* other = PL_NEW(Point, nvert);
  size_t n = 0;
  for (int v = 0; point && other && v < nvert; v++) {
    const double* x = vert + 3 * (size_t)v;
    first[v] = v;
    if (v3_finite(v3_load(x))) point[n++] = (Point){{x[0], x[1], x[2]}, v};
  }
  if (point && other) {
    const Point* sorted = sort_points(point, other, n);
    for (size_t k = 1; k < n; k++) {
      const Point *a = &sorted[k - 1], *b = &sorted[k];
      if (a->x[0] == b->x[0] && a->x[1] == b->x[1] && a->x[2] == b->x[2]) first[b->id] = first[a->id];
    }
  }
  bool ok = point && other;
  pl_free(point);
  pl_free(other);
  return ok;
}

// ---- joined sets

int pl_set_root(int* parent, int i) {
  for (; parent[i] != i; i = parent[i]) parent[i] = parent[parent[i]];
  return i;
}

void pl_set_join(int* parent, int i, int j) {
  i = pl_set_root(parent, i);
  j = pl_set_root(parent, j);
  if (i < j) parent[j] = i;
  if (j < i) parent[i] = j;
}

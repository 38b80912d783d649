// order_dissection.c: geometric nested dissection. Positions and graph in -> elimination order out.
//
// A part is cut at the median of a direction; the separator is a minimum vertex cover of the cut edges (Koenig: a maximum matching
// of the bipartite graph of cut edges gives it). The best of several directions is kept, the two sides are ordered first, the
// separator last. Small parts are ordered by minimum degree with their surroundings as a halo.
#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/order_parts.h"

enum { LEAF = 60, DIRECTIONS = 4 };

typedef struct Dissection {
  const plGraph* graph;
  const double* position;
  int* side;          // [n] SIDE_LEFT, SIDE_RIGHT while a part is being cut, else SIDE_OUT
  int *match, *seen;  // [n] matching across the cut; marks
  int now;
  int *sorted, *scratch, *best;  // [n]
  double* key;        // [n] coordinate along the direction at hand
  int* local;         // [n] number within a leaf
  plArena arena;      // leaves
} Dissection;

enum { SIDE_OUT = 0, SIDE_LEFT = 1, SIDE_RIGHT = 2 };

static bool before(const double* key, int a, int b) { return key[a] < key[b] || (key[a] == key[b] && a < b); }

// Merge sort by key, then by number.
static void sort_by_key(const double* key, int* list, int* scratch, int n) {
  if (n < 12) {
    for (int i = 1; i < n; i++) {
      int value = list[i], k = i;
      for (; k > 0 && before(key, value, list[k - 1]); k--) list[k] = list[k - 1];
      list[k] = value;
    }
    return;
  }
  int half = n / 2;
  sort_by_key(key, list, scratch, half);
  sort_by_key(key, list + half, scratch, n - half);
  memcpy(scratch, list, (size_t)half * sizeof(int));
  for (int a = 0, b = half, k = 0; a < half; k++)
    if (b < n && before(key, list[b], scratch[a])) list[k] = list[b++];
    else list[k] = scratch[a++];
}

// Directions to try: the three axes and the axis of greatest extent (power iteration on the covariance).
static void direction(const Dissection* d, const int* part, int n, int which, double axis[3]) {
  axis[0] = axis[1] = axis[2] = 0;
  if (which < 3) {
    axis[which] = 1;
    return;
  }
  double mean[3] = {0}, cov[6] = {0};
  for (int k = 0; k < n; k++)
    for (int c = 0; c < 3; c++) mean[c] += d->position[3 * (size_t)part[k] + (size_t)c] / n;
  for (int k = 0; k < n; k++) {
    const double* x = d->position + 3 * (size_t)part[k];
    double y[3] = {x[0] - mean[0], x[1] - mean[1], x[2] - mean[2]};
    cov[0] += y[0] * y[0], cov[1] += y[1] * y[1], cov[2] += y[2] * y[2];
    cov[3] += y[0] * y[1], cov[4] += y[1] * y[2], cov[5] += y[0] * y[2];
  }
  double v[3] = {0.6, 0.64, 0.48};
  for (int step = 0; step < 30; step++) {
    double u[3] = {cov[0] * v[0] + cov[3] * v[1] + cov[5] * v[2], cov[3] * v[0] + cov[1] * v[1] + cov[4] * v[2],
                   cov[5] * v[0] + cov[4] * v[1] + cov[2] * v[2]};
    double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    if (!(length > 0) || !(length < DBL_MAX)) break;
    for (int c = 0; c < 3; c++) v[c] = u[c] / length;
  }
  memcpy(axis, v, sizeof v);
}

// Looks for an augmenting path from u on the left.
static bool augment(Dissection* d, int u) {
  const plGraph* g = d->graph;
  for (int q = g->start[u]; q < g->start[u + 1]; q++) {
    int w = g->neighbour[q];
    if (d->side[w] != SIDE_RIGHT || d->seen[w] == d->now) continue;
    d->seen[w] = d->now;
    if (d->match[w] < 0 || augment(d, d->match[w])) {
      d->match[w] = u, d->match[u] = w;
      return true;
    }
  }
  return false;
}

// Marks all that alternating paths from an unmatched u on the left reach.
static void reach(Dissection* d, int u) {
  const plGraph* g = d->graph;
  d->seen[u] = d->now;
  for (int q = g->start[u]; q < g->start[u + 1]; q++) {
    int w = g->neighbour[q];
    if (d->side[w] != SIDE_RIGHT || d->seen[w] == d->now) continue;
    d->seen[w] = d->now;
    if (d->match[w] >= 0 && d->seen[d->match[w]] != d->now) reach(d, d->match[w]);
  }
}

static bool on_cut(const Dissection* d, int u) {
  for (int q = d->graph->start[u]; q < d->graph->start[u + 1]; q++)
    if (d->side[d->graph->neighbour[q]] == SIDE_RIGHT) return true;
  return false;
}

// Cuts the sorted part after its first half vertices. The separator goes to the front of sorted, then left, then right; returns
// its size and that of the left side.
static int cut(Dissection* d, int* sorted, int n, int half, int* nleft) {
  for (int k = 0; k < n; k++) d->side[sorted[k]] = k < half ? SIDE_LEFT : SIDE_RIGHT, d->match[sorted[k]] = -1;
  for (int k = 0; k < half; k++)
    if (on_cut(d, sorted[k])) d->now++, augment(d, sorted[k]);
  // Koenig: the cover is the left side not reached and the right side reached.
  d->now++;
  for (int k = 0; k < half; k++)
    if (d->match[sorted[k]] < 0 && d->seen[sorted[k]] != d->now && on_cut(d, sorted[k])) reach(d, sorted[k]);
  int nsep = 0, left = 0, right = 0;
  for (int k = 0; k < n; k++) {
    int u = sorted[k];
    bool reached = d->seen[u] == d->now, cover = d->match[u] >= 0 && (k < half ? !reached : reached);
    if (cover) d->scratch[nsep++] = u;
  }
  *nleft = 0;
  for (int k = 0; k < nsep; k++) d->side[d->scratch[k]] = SIDE_OUT;
  for (int k = 0; k < n; k++) left += d->side[sorted[k]] == SIDE_LEFT;
  for (int k = 0, at_left = nsep, at_right = nsep + left; k < n; k++) {
    int u = sorted[k];
    if (d->side[u] == SIDE_LEFT) d->scratch[at_left++] = u;
    else if (d->side[u] == SIDE_RIGHT) d->scratch[at_right++] = u, right++;
    d->side[u] = SIDE_OUT;
  }
  memcpy(sorted, d->scratch, (size_t)n * sizeof(int));
  *nleft = left;
  return nsep;
}

// Orders a leaf by minimum degree, its neighbours outside being a halo.
static bool order_leaf(Dissection* d, const int* part, int n, int* order) {
  const plGraph* g = d->graph;
  int total = n, nedge = 0;
  for (int k = 0; k < n; k++) d->local[part[k]] = k, nedge += g->start[part[k] + 1] - g->start[part[k]];
  pl_arena_reset(&d->arena);
  int* outer = PL_ARENA_NEW(&d->arena, int, nedge);
  int* start = PL_ARENA_NEW(&d->arena, int, (size_t)(n + nedge) + 2);
  int* neighbour = PL_ARENA_NEW(&d->arena, int, 2 * (size_t)nedge);
  int* local_order = PL_ARENA_NEW(&d->arena, int, n);
  if (!outer || !start || !neighbour || !local_order) return false;
  // number the halo
  for (int k = 0; k < n; k++)
    for (int q = g->start[part[k]]; q < g->start[part[k] + 1]; q++) {
      int w = g->neighbour[q];
      if (d->local[w] < 0) outer[total - n] = w, d->local[w] = total++;
    }
  memset(start, 0, ((size_t)total + 2) * sizeof(int));
  for (int k = 0; k < n; k++)
    for (int q = g->start[part[k]]; q < g->start[part[k] + 1]; q++) {
      int w = d->local[g->neighbour[q]];
      start[k + 2]++;
      if (w >= n) start[w + 2]++;
    }
  for (int k = 0; k < total; k++) start[k + 2] += start[k + 1];
  for (int k = 0; k < n; k++)
    for (int q = g->start[part[k]]; q < g->start[part[k] + 1]; q++) {
      int w = d->local[g->neighbour[q]];
      neighbour[start[k + 1]++] = w;
      if (w >= n) neighbour[start[w + 1]++] = k;
    }
  bool ok = pl_order_degree(total, n, start, neighbour, local_order, &d->arena);
  for (int k = 0; ok && k < n; k++) order[k] = part[local_order[k]];
  for (int k = 0; k < n; k++) d->local[part[k]] = -1;
  for (int k = n; k < total; k++) d->local[outer[k - n]] = -1;
  return ok;
}

// Orders a separator so that near vertices get near places: halves along the longest axis, again and again. Its order is free as far
// as fill goes; a child's rows then lie close together in its parent.
static void order_separator(Dissection* d, int* part, int n) {
  if (n <= 4) return;
  double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
  for (int k = 0; k < n; k++)
    for (int c = 0; c < 3; c++) {
      double x = d->position[3 * (size_t)part[k] + (size_t)c];
      low[c] = fmin(low[c], x), high[c] = fmax(high[c], x);
    }
  int axis = 0;
  for (int c = 1; c < 3; c++)
    if (high[c] - low[c] > high[axis] - low[axis]) axis = c;
  for (int k = 0; k < n; k++) d->key[part[k]] = d->position[3 * (size_t)part[k] + (size_t)axis];
  sort_by_key(d->key, part, d->scratch, n);
  order_separator(d, part, n / 2);
  order_separator(d, part + n / 2, n - n / 2);
}

// Orders part (n vertices, reordered in place) into order[0 .. n-1].
static bool dissect(Dissection* d, int* part, int n, int* order) {
  if (n <= LEAF) return order_leaf(d, part, n, order);
  int nsep = n, nleft = 0;
  double best_cost = DBL_MAX;
  for (int which = 0; which < DIRECTIONS; which++) {
    double axis[3];
    direction(d, part, n, which, axis);
    for (int k = 0; k < n; k++) {
      const double* x = d->position + 3 * (size_t)part[k];
      d->key[part[k]] = axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2];
    }
    memcpy(d->sorted, part, (size_t)n * sizeof(int));
    sort_by_key(d->key, d->sorted, d->scratch, n);
    int left, separator = cut(d, d->sorted, n, n / 2, &left), right = n - separator - left;
    int smaller = left < right ? left : right;
    double cost = (double)separator * (1 + 0.5 * (double)(n - 2 * smaller) / n);
    if (cost < best_cost && smaller > 0) {
      best_cost = cost, nsep = separator, nleft = left;
      memcpy(d->best, d->sorted, (size_t)n * sizeof(int));
    }
  }
  if (nsep == n) return order_leaf(d, part, n, order);
  memcpy(part, d->best, (size_t)n * sizeof(int));
  order_separator(d, part, nsep);
  memcpy(order + n - nsep, part, (size_t)nsep * sizeof(int));
  return dissect(d, part + nsep, nleft, order) &&
         dissect(d, part + nsep + nleft, n - nsep - nleft, order + nleft);
}

bool pl_order_dissection(const plGraph* graph, const double* position, int* order) {
  int n = graph->n;
  Dissection d = {.graph = graph, .position = position};
  int** arrays[] = {&d.side, &d.match, &d.seen, &d.sorted, &d.scratch, &d.best, &d.local};
  size_t count = sizeof arrays / sizeof *arrays;
  int* block = PL_NEW(int, (count + 1) * (size_t)n);
  d.key = PL_NEW(double, n);
  pl_arena_init(&d.arena);
  bool ok = block && d.key;
  if (ok) {
    for (size_t k = 0; k < count; k++) *arrays[k] = block + k * (size_t)n;
    int* part = block + count * (size_t)n;
    for (int v = 0; v < n; v++) part[v] = v, d.local[v] = -1;
    ok = dissect(&d, part, n, order);
  }
  pl_arena_free(&d.arena);
  pl_free(block), pl_free(d.key);
  return ok;
}

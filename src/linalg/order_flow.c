// order_flow.c: the smallest separator between the two ends of a sorted part, by a maximum flow: as many
// paths from the left end to the right one as there can be that share no vertex. A separator with one vertex
// of each path exists (Menger).
//
// The vertices between the ends may be in the separator. A new path may come to a vertex of another one.
// From there it can only return along that path, which then continues differently. Each round finds the
// distances of all vertices from the left end, then adds paths of the smallest length (Dinic). A path has two
// stops at a vertex v, 2 v where it comes and 2 v + 1 where it continues.
#include <assert.h>

#include "linalg/order_cut.h"

enum { NONE = -1, AN_END = -2 };

typedef struct Flow {
  const plGraph* graph;
  int* side;          // PL_SIDE_*; vertices between the ends: PL_SIDE_CUT
  const int* middle;  // [n]
  int n;
  int *before, *after;  // neighbours on the vertex' path, an end, or none
  int* distance;        // of each stop that was reached, from 1 on; otherwise 0
  int *stop, count;     // the stops reached so far, or those of the present path
  int* next;            // the neighbour that is tried next
} Flow;

static bool is_beside(const Flow* f, int v, int side) {
  for (int q = f->graph->start[v]; q < f->graph->start[v + 1]; q++)
    if (f->side[f->graph->neighbour[q]] == side) return true;
  return false;
}

static void reach(Flow* f, int stop, int distance) {
  if (f->distance[stop]) return;
  assert(f->count < 2 * f->graph->n);
  f->distance[stop] = distance, f->stop[f->count++] = stop;
}

// Distances until the right end is reached; false if it is not.
static bool find_distances(Flow* f) {
  const plGraph* g = f->graph;
  f->count = 0;
  for (int k = 0; k < f->n; k++) f->distance[2 * f->middle[k]] = f->distance[2 * f->middle[k] + 1] = 0;
  for (int k = 0; k < f->n; k++)
    if (is_beside(f, f->middle[k], PL_SIDE_LEFT)) reach(f, 2 * f->middle[k], 1);
  for (int k = 0; k < f->count; k++) {
    int v = f->stop[k] / 2, further = f->distance[f->stop[k]] + 1;
    if (f->stop[k] % 2 == 0) {
      int from = f->before[v] == NONE ? v : f->before[v];
      if (from >= 0) reach(f, 2 * from + 1, further);
      continue;
    }
    if (is_beside(f, v, PL_SIDE_RIGHT)) return true;
    for (int q = g->start[v]; q < g->start[v + 1]; q++)
      if (f->side[g->neighbour[q]] == PL_SIDE_CUT && g->neighbour[q] != f->after[v])
        reach(f, 2 * g->neighbour[q], further);
    if (f->before[v] != NONE) reach(f, 2 * v, further);
  }
  return false;
}

// Extends the present path to a stop whose distance is one more. Each round visits a stop once.
static bool extend(Flow* f, int stop) {
  if (f->distance[stop] != f->count + 1) return false;
  f->distance[stop] = 0, f->stop[f->count++] = stop;
  if (stop % 2) f->next[stop / 2] = f->graph->start[stop / 2];
  return true;
}

static bool extend_from(Flow* f, int stop) {
  const plGraph* g = f->graph;
  int v = stop / 2;
  if (stop % 2 == 0) {
    int from = f->before[v] == NONE ? v : f->before[v];
    return from >= 0 && extend(f, 2 * from + 1);
  }
  while (f->next[v] < g->start[v + 1]) {
    int w = g->neighbour[f->next[v]++];
    if (f->side[w] == PL_SIDE_CUT && w != f->after[v] && extend(f, 2 * w)) return true;
  }
  return f->before[v] != NONE && extend(f, 2 * v);
}

// Adds the present path, after what it cancels of others was removed.
static void take_path(Flow* f) {
  for (int k = 0; k + 1 < f->count; k++) {
    int v = f->stop[k] / 2, from = f->stop[k + 1] / 2;
    if (f->stop[k] % 2 == 0 && from != v) f->before[v] = f->after[from] = NONE;
  }
  for (int k = 0; k < f->count; k++) {
    int v = f->stop[k] / 2, from = k ? f->stop[k - 1] / 2 : AN_END;
    if (f->stop[k] % 2 || from == v) continue;
    f->before[v] = from;
    if (from >= 0) f->after[from] = v;
  }
  f->after[f->stop[f->count - 1] / 2] = AN_END;
}

// Looks for a path that begins with v.
static void add_path(Flow* f, int v) {
  f->count = 0;
  if (!extend(f, 2 * v)) return;
  while (f->count) {
    int stop = f->stop[f->count - 1];
    if (stop % 2 && f->next[stop / 2] == f->graph->start[stop / 2] && is_beside(f, stop / 2, PL_SIDE_RIGHT)) {
      take_path(f);
      return;
    }
    if (!extend_from(f, stop)) f->count--;
  }
}

bool pl_separator_flow(const plGraph* graph, const int* sorted, int n, int from, int to, int* side,
                       int* work) {
  size_t size = (size_t)graph->n;
  Flow f = {.graph = graph,
            .side = side,
            .middle = sorted + from,
            .n = to - from,
            .before = work,
            .after = work + size,
            .distance = work + 2 * size,
            .stop = work + 4 * size,
            .next = work + 6 * size};
  for (int k = 0; k < n; k++)
    side[sorted[k]] = k < from ? PL_SIDE_LEFT : k < to ? PL_SIDE_CUT : PL_SIDE_RIGHT;
  for (int k = 0; k < from; k++)
    if (is_beside(&f, sorted[k], PL_SIDE_RIGHT)) return false;
  for (int k = 0; k < f.n; k++) f.before[f.middle[k]] = f.after[f.middle[k]] = NONE;
  while (find_distances(&f))
    for (int k = 0; k < f.n; k++)
      if (f.before[f.middle[k]] != AN_END) add_path(&f, f.middle[k]);
  // what can be reached is left; a path comes to the separator, but does not continue from there
  for (int k = 0; k < f.n; k++) {
    const int* distance = f.distance + 2 * (size_t)f.middle[k];
    side[f.middle[k]] = distance[1] ? PL_SIDE_LEFT : distance[0] ? PL_SIDE_CUT : PL_SIDE_RIGHT;
  }
  return true;
}

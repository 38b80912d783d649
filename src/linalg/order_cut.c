// order_cut.c: divides a part of the graph in two. Positions and graph in -> separator, left and right side
// out.
//
// The part is sorted along several directions and by distance from its far ends; a sweep along each finds the
// best cut. The separator is a minimum vertex cover of the cut edges (Koenig: it follows from a maximum
// matching of the bipartite graph of cut edges), refined by moving vertices.
#include "linalg/order_cut.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { DIRECTIONS = 14 };
#define END_SHARE 0.2  // of the vertices: those at either end that a flow does not take into the separator

static bool before(const double* key, int a, int b) { return key[a] < key[b] || (key[a] == key[b] && a < b); }

void pl_sort_by_key(const double* key, int* list, int* scratch, int n) {
  if (n < 12) {
    for (int i = 1; i < n; i++) {
      int value = list[i], k = i;
      for (; k > 0 && before(key, value, list[k - 1]); k--) list[k] = list[k - 1];
      list[k] = value;
    }
    return;
  }
  int half = n / 2;
  pl_sort_by_key(key, list, scratch, half);
  pl_sort_by_key(key, list + half, scratch, n - half);
  memcpy(scratch, list, (size_t)half * sizeof(int));
  for (int a = 0, b = half, k = 0; a < half; k++)
    if (b < n && before(key, list[b], scratch[a]))
      list[k] = list[b++];
    else
      list[k] = scratch[a++];
}

// The same for many: first into bins along the key, then within each bin.
static void sort_part(plCutter* d, int* list, int n) {
  double low = DBL_MAX, high = -DBL_MAX;
  for (int k = 0; k < n; k++) low = fmin(low, d->key[list[k]]), high = fmax(high, d->key[list[k]]);
  double scale = n / (high - low);
  if (!(scale > 0 && scale < DBL_MAX)) {
    pl_sort_by_key(d->key, list, d->scratch, n);
    return;
  }
  memset(d->bin, 0, ((size_t)n + 1) * sizeof(int));
  for (int k = 0; k < n; k++) {
    int b = (int)((d->key[list[k]] - low) * scale);
    d->across[k] = b < n ? b : n - 1;
    d->bin[d->across[k] + 1]++;
  }
  for (int b = 0; b < n; b++) d->bin[b + 1] += d->bin[b];
  memcpy(d->scratch, list, (size_t)n * sizeof(int));
  for (int k = 0; k < n; k++) list[d->bin[d->across[k]]++] = d->scratch[k];
  for (int b = 0, from = 0; b < n; from = d->bin[b], b++)
    if (d->bin[b] - from > 1) pl_sort_by_key(d->key, list + from, d->scratch, d->bin[b] - from);
}

// Directions to try: the axes, the diagonals of faces and bodies, and the axis of greatest extent (power
// iteration on the covariance).
static void direction(const plCutter* d, const int* part, int n, int which, double axis[3]) {
  static const signed char fixed[DIRECTIONS - 1][3] = {
      {1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 1},  {1, 1, -1}, {1, -1, 1}, {-1, 1, 1},
      {1, 1, 0}, {1, -1, 0}, {1, 0, 1}, {1, 0, -1}, {0, 1, 1},  {0, 1, -1}};
  if (which < DIRECTIONS - 1) {
    for (int c = 0; c < 3; c++) axis[c] = fixed[which][c];
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
    double u[3] = {cov[0] * v[0] + cov[3] * v[1] + cov[5] * v[2],
                   cov[3] * v[0] + cov[1] * v[1] + cov[4] * v[2],
                   cov[5] * v[0] + cov[4] * v[1] + cov[2] * v[2]};
    double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    if (!(length > 0) || !(length < DBL_MAX)) break;
    for (int c = 0; c < 3; c++) v[c] = u[c] / length;
  }
  memcpy(axis, v, sizeof v);
}

static void direction_keys(plCutter* d, const int* part, int n, int which) {
  double axis[3];
  direction(d, part, n, which, axis);
  for (int k = 0; k < n; k++) {
    const double* x = d->position + 3 * (size_t)part[k];
    d->key[part[k]] = axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2];
  }
}

// Distances along edges within the part from a far end of it (found by repeatedly taking the last vertex
// reached): keys for a cut that follows the shape. The first start is the vertex with the lowest or the
// highest number. Components beyond the first come last.
static void distance_keys(plCutter* d, const int* part, int n, bool from_first) {
  const plGraph* g = d->graph;
  int source = part[0];
  for (int k = 1; k < n; k++)
    if (from_first ? part[k] < source : part[k] > source) source = part[k];
  for (int round = 0; round < 3; round++) {
    for (int k = 0; k < n; k++) d->side[part[k]] = PL_SIDE_LEFT;
    int head = 0, tail = 0;
    d->scratch[tail++] = source, d->side[source] = PL_SIDE_OUT, d->key[source] = 0;
    while (head < tail) {
      int u = d->scratch[head++];
      for (int q = g->start[u]; q < g->start[u + 1]; q++) {
        int w = g->neighbour[q];
        if (d->side[w] != PL_SIDE_LEFT) continue;
        d->side[w] = PL_SIDE_OUT, d->key[w] = d->key[u] + 1, d->scratch[tail++] = w;
      }
    }
    source = d->scratch[tail - 1];
    for (int k = 0; k < n; k++)
      if (d->side[part[k]] == PL_SIDE_LEFT) d->key[part[k]] = n, d->side[part[k]] = PL_SIDE_OUT;
  }
}

// The best position of a cut along the sorted part, judged by the number of vertices with neighbours beyond
// it; returns its cost.
static double sweep(plCutter* d, const int* sorted, int n, int* half) {
  const plGraph* g = d->graph;
  int left_border = 0, right_border = 0;
  double best = DBL_MAX;
  // across: number of neighbours on the other side
  for (int k = 0; k < n; k++) d->side[sorted[k]] = PL_SIDE_RIGHT, d->across[sorted[k]] = 0;
  for (int k = 0; k < n - 1; k++) {
    int v = sorted[k], beyond = 0;
    right_border -= d->across[v] > 0;
    d->side[v] = PL_SIDE_LEFT;
    for (int q = g->start[v]; q < g->start[v + 1]; q++) {
      int w = g->neighbour[q];
      if (d->side[w] == PL_SIDE_RIGHT)
        beyond++, right_border += d->across[w]++ == 0;
      else if (d->side[w] == PL_SIDE_LEFT)
        left_border -= --d->across[w] == 0;
    }
    d->across[v] = beyond, left_border += beyond > 0;
    if (k + 1 < 0.3 * n || k + 1 > 0.7 * n) continue;
    int left = left_border < right_border ? k + 1 - left_border : k + 1;
    double cost = pl_separator_cost(n, left_border < right_border ? left_border : right_border, left);
    if (cost < best) best = cost, *half = k + 1;
  }
  for (int k = 0; k < n; k++) d->side[sorted[k]] = PL_SIDE_OUT;
  return best;
}

// Searches for an augmenting path from u on the left.
static bool augment(plCutter* d, int u) {
  const plGraph* g = d->graph;
  for (int q = g->start[u]; q < g->start[u + 1]; q++) {
    int w = g->neighbour[q];
    if (d->side[w] != PL_SIDE_RIGHT || d->seen[w] == d->now) continue;
    d->seen[w] = d->now;
    if (d->match[w] < 0 || augment(d, d->match[w])) {
      d->match[w] = u, d->match[u] = w;
      return true;
    }
  }
  return false;
}

// Marks all vertices that alternating paths from an unmatched u on the left reach.
static void reach(plCutter* d, int u) {
  const plGraph* g = d->graph;
  d->seen[u] = d->now;
  for (int q = g->start[u]; q < g->start[u + 1]; q++) {
    int w = g->neighbour[q];
    if (d->side[w] != PL_SIDE_RIGHT || d->seen[w] == d->now) continue;
    d->seen[w] = d->now;
    if (d->match[w] >= 0 && d->seen[d->match[w]] != d->now) reach(d, d->match[w]);
  }
}

static bool on_cut(const plCutter* d, int u) {
  for (int q = d->graph->start[u]; q < d->graph->start[u + 1]; q++)
    if (d->side[d->graph->neighbour[q]] == PL_SIDE_RIGHT) return true;
  return false;
}

// The smallest separator for the present sides. Koenig: a maximum matching of the cut edges gives a minimum
// vertex cover: the left vertices that are not reached from an unmatched one, and the right vertices that
// are.
static void cover_cut(plCutter* d, const int* sorted, int n, int half) {
  for (int k = 0; k < half; k++)
    if (on_cut(d, sorted[k])) d->now++, augment(d, sorted[k]);
  d->now++;
  for (int k = 0; k < half; k++)
    if (d->match[sorted[k]] < 0 && d->seen[sorted[k]] != d->now && on_cut(d, sorted[k])) reach(d, sorted[k]);
  int nsep = 0;
  for (int k = 0; k < n; k++) {
    int u = sorted[k];
    bool reached = d->seen[u] == d->now;
    if (d->match[u] >= 0 && reached == (k >= half)) d->scratch[nsep++] = u;
  }
  for (int k = 0; k < nsep; k++) d->side[d->scratch[k]] = PL_SIDE_CUT;
}

static void sort_by_candidate(plCutter* d, const int* part, int n, int which) {
  if (which < DIRECTIONS)
    direction_keys(d, part, n, which);
  else
    distance_keys(d, part, n, which == DIRECTIONS);
  memcpy(d->sorted, part, (size_t)n * sizeof(int));
  sort_part(d, d->sorted, n);
}

int pl_cut_choose(plCutter* d, const int* part, int n, int tried, plCut* chosen) {
  double cost[PL_CUT_CANDIDATES];
  int count = 0;
  for (int which = 0; which < PL_CUT_CANDIDATES; which++) {
    plCut cut = {which, n / 2};
    sort_by_candidate(d, part, n, which);
    double c = sweep(d, d->sorted, n, &cut.half);
    if (count == tried && c >= cost[tried - 1]) continue;
    int k = count < tried ? count++ : tried - 1;
    for (; k > 0 && cost[k - 1] > c; k--) cost[k] = cost[k - 1], chosen[k] = chosen[k - 1];
    cost[k] = c, chosen[k] = cut;
  }
  return count;
}

// The cost of the present separator.
static double present_cost(const plCutter* d, const int* sorted, int n) {
  int separator = 0, left = 0;
  for (int k = 0; k < n; k++) {
    separator += d->side[sorted[k]] == PL_SIDE_CUT;
    left += d->side[sorted[k]] == PL_SIDE_LEFT;
  }
  return pl_separator_cost(n, separator, left);
}

// Replaces the sides by those of the smallest separator between the two ends, refined, if it is better. A
// plane crosses more edges than a separator that follows the mesh, and moving one vertex after the other does
// not lead from one to the other.
static void cut_by_flow(plCutter* d, const int* sorted, int n) {
  int *other = d->match, *side = d->side, end = (int)(END_SHARE * n);
  double cost = present_cost(d, sorted, n);
  for (int k = 0; k < n; k++) other[sorted[k]] = side[sorted[k]];
  if (pl_separator_flow(d->graph, sorted, n, end, n - end, side, d->flow)) {
    pl_separator_refine(d->graph, sorted, n, side, d->refine, &d->pass);
    if (present_cost(d, sorted, n) < cost) return;
  }
  for (int k = 0; k < n; k++) side[sorted[k]] = other[sorted[k]];
}

plSides pl_cut_make(plCutter* d, plCut how, int* part, int n) {
  static const int sequence[] = {PL_SIDE_CUT, PL_SIDE_LEFT, PL_SIDE_RIGHT};
  int count[3] = {0}, *sorted = d->sorted, at = 0;
  sort_by_candidate(d, part, n, how.candidate);
  for (int k = 0; k < n; k++)
    d->side[sorted[k]] = k < how.half ? PL_SIDE_LEFT : PL_SIDE_RIGHT, d->match[sorted[k]] = -1;
  cover_cut(d, sorted, n, how.half);
  pl_separator_refine(d->graph, sorted, n, d->side, d->refine, &d->pass);
  if (d->flow_size && n >= d->flow_size) cut_by_flow(d, sorted, n);
  for (int s = 0; s < 3; s++)
    for (int k = 0; k < n; k++)
      if (d->side[sorted[k]] == sequence[s]) part[at++] = sorted[k], count[s]++;
  assert(at == n);
  for (int k = 0; k < n; k++) d->side[part[k]] = PL_SIDE_OUT;
  return (plSides){count[0], count[1], count[2]};
}

bool pl_cutter_init(plCutter* d, const plGraph* graph, const double* position, int flow_size) {
  size_t n = (size_t)graph->n + 1;
  *d = (plCutter){.graph = graph, .position = position, .flow_size = flow_size};
  int** arrays[] = {&d->side, &d->match, &d->seen, &d->sorted, &d->scratch, &d->bin, &d->across};
  size_t count = sizeof arrays / sizeof *arrays;
  d->block = PL_NEW(int, count* n);
  d->key = PL_NEW(double, n);
  d->refine = PL_NEW(int, 9 * n);
  if (flow_size) d->flow = PL_NEW(int, 7 * n);
  if (!d->block || !d->key || !d->refine || (flow_size && !d->flow)) return false;
  for (size_t k = 0; k < count; k++) *arrays[k] = d->block + k * n;
  return true;
}

void pl_cutter_free(plCutter* d) { pl_free(d->block), pl_free(d->key), pl_free(d->refine), pl_free(d->flow); }

// order_dissection.c: geometric nested dissection. Positions and graph in -> elimination order out.
//
// A part is sorted along a number of directions and by distance from its far ends; a sweep along each finds where a cut would be best.
// The few best cuts are made: the separator is a minimum vertex cover of the cut edges (Koenig: a maximum matching of the bipartite
// graph of cut edges gives it), refined by moving vertices. The best one is kept, the two sides are ordered first, the separator last.
// Small parts are ordered by minimum degree with their surroundings as a halo.
#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/order_parts.h"

enum { DIRECTIONS = 14, CANDIDATES = 16 };

typedef struct Dissection {
  const plGraph* graph;
  const double* position;
  plCut how;
  int* side;          // [n] PL_SIDE_*
  int *match, *seen;  // [n] matching across the cut; marks
  int now;
  int *sorted, *scratch, *best;  // [n]
  int *bin, *across;  // [n + 1] scratch of sort and sweep
  double* key;        // [n] coordinate along the direction at hand
  int* local;         // [n] number within a leaf
  int *refine, pass;  // scratch of the refinement
  plArena arena;      // leaves
} Dissection;

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

// The same for many: into bins along the key first, then within each bin.
static void sort_part(Dissection* d, int* list, int n) {
  double low = DBL_MAX, high = -DBL_MAX;
  for (int k = 0; k < n; k++) low = fmin(low, d->key[list[k]]), high = fmax(high, d->key[list[k]]);
  double scale = n / (high - low);
  if (!(scale > 0 && scale < DBL_MAX)) {
    sort_by_key(d->key, list, d->scratch, n);
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
    if (d->bin[b] - from > 1) sort_by_key(d->key, list + from, d->scratch, d->bin[b] - from);
}

// Directions to try: the axes, the diagonals of faces and bodies, and the axis of greatest extent (power iteration on the covariance).
static void direction(const Dissection* d, const int* part, int n, int which, double axis[3]) {
  static const signed char fixed[DIRECTIONS - 1][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},  {1, 1, 1},   {1, 1, -1}, {1, -1, 1}, {-1, 1, 1},
                                                       {1, 1, 0},  {1, -1, 0}, {1, 0, 1},  {1, 0, -1},  {0, 1, 1},  {0, 1, -1}};
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
    double u[3] = {cov[0] * v[0] + cov[3] * v[1] + cov[5] * v[2], cov[3] * v[0] + cov[1] * v[1] + cov[4] * v[2],
                   cov[5] * v[0] + cov[4] * v[1] + cov[2] * v[2]};
    double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    if (!(length > 0) || !(length < DBL_MAX)) break;
    for (int c = 0; c < 3; c++) v[c] = u[c] / length;
  }
  memcpy(axis, v, sizeof v);
}

static void direction_keys(Dissection* d, const int* part, int n, int which) {
  double axis[3];
  direction(d, part, n, which, axis);
  for (int k = 0; k < n; k++) {
    const double* x = d->position + 3 * (size_t)part[k];
    d->key[part[k]] = axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2];
  }
}

// Distances along edges within the part from a far end of it (the last vertex reached from the last vertex reached ..): keys for a cut
// that follows the shape. Components beyond the first come last.
static void distance_keys(Dissection* d, const int* part, int n, int seed) {
  const plGraph* g = d->graph;
  int source = part[seed < n ? seed : 0];
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

// Where along the sorted part a cut is best, judged by the vertices that have neighbours beyond it; returns its cost.
static double sweep(Dissection* d, const int* sorted, int n, int* half) {
  const plGraph* g = d->graph;
  int left_border = 0, right_border = 0;
  double best = DBL_MAX;
  // across: neighbours on the other side
  for (int k = 0; k < n; k++) d->side[sorted[k]] = PL_SIDE_RIGHT, d->across[sorted[k]] = 0;
  for (int k = 0; k < n - 1; k++) {
    int v = sorted[k], beyond = 0;
    right_border -= d->across[v] > 0;
    d->side[v] = PL_SIDE_LEFT;
    for (int q = g->start[v]; q < g->start[v + 1]; q++) {
      int w = g->neighbour[q];
      if (d->side[w] == PL_SIDE_RIGHT) beyond++, right_border += d->across[w]++ == 0;
      else if (d->side[w] == PL_SIDE_LEFT) left_border -= --d->across[w] == 0;
    }
    d->across[v] = beyond, left_border += beyond > 0;
    if (k + 1 < 0.3 * n || k + 1 > 0.7 * n) continue;
    int left = left_border < right_border ? k + 1 - left_border : k + 1;
    double cost = pl_separator_cost(n, left_border < right_border ? left_border : right_border, left, d->how.imbalance);
    if (cost < best) best = cost, *half = k + 1;
  }
  for (int k = 0; k < n; k++) d->side[sorted[k]] = PL_SIDE_OUT;
  return best;
}

// Looks for an augmenting path from u on the left.
static bool augment(Dissection* d, int u) {
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

// Marks all that alternating paths from an unmatched u on the left reach.
static void reach(Dissection* d, int u) {
  const plGraph* g = d->graph;
  d->seen[u] = d->now;
  for (int q = g->start[u]; q < g->start[u + 1]; q++) {
    int w = g->neighbour[q];
    if (d->side[w] != PL_SIDE_RIGHT || d->seen[w] == d->now) continue;
    d->seen[w] = d->now;
    if (d->match[w] >= 0 && d->seen[d->match[w]] != d->now) reach(d, d->match[w]);
  }
}

static bool on_cut(const Dissection* d, int u) {
  for (int q = d->graph->start[u]; q < d->graph->start[u + 1]; q++)
    if (d->side[d->graph->neighbour[q]] == PL_SIDE_RIGHT) return true;
  return false;
}

// The smallest separator for the sides as they are. Koenig: a maximum matching of the cut edges gives a minimum vertex cover, the left
// vertices not reached from an unmatched one and the right vertices reached.
static void cover_cut(Dissection* d, const int* sorted, int n, int half) {
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

// Cuts the sorted part after its first half vertices. The separator goes to the front of sorted, then left, then right; returns
// its size and that of the left side.
static int cut(Dissection* d, int* sorted, int n, int half, int* nleft) {
  for (int k = 0; k < n; k++) d->side[sorted[k]] = k < half ? PL_SIDE_LEFT : PL_SIDE_RIGHT, d->match[sorted[k]] = -1;
  cover_cut(d, sorted, n, half);
  pl_separator_refine(d->graph, sorted, n, d->how.imbalance, d->side, d->refine, &d->pass);
  int at = 0, nsep = 0;
  static const int sequence[] = {PL_SIDE_CUT, PL_SIDE_LEFT, PL_SIDE_RIGHT};
  for (int s = 0; s < 3; s++) {
    for (int k = 0; k < n; k++)
      if (d->side[sorted[k]] == sequence[s]) d->scratch[at++] = sorted[k];
    if (s == 0) nsep = at;
    if (s == 1) *nleft = at - nsep;
  }
  for (int k = 0; k < n; k++) d->side[sorted[k]] = PL_SIDE_OUT;
  memcpy(sorted, d->scratch, (size_t)n * sizeof(int));
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

static void sort_candidate(Dissection* d, const int* part, int n, int which) {
  if (which < DIRECTIONS) direction_keys(d, part, n, which);
  else distance_keys(d, part, n, which == DIRECTIONS ? 0 : n / 2);
  memcpy(d->sorted, part, (size_t)n * sizeof(int));
  sort_part(d, d->sorted, n);
}

// The best few candidates by sweep, best first; returns how many.
static int choose_candidates(Dissection* d, const int* part, int n, int* chosen, int* half) {
  double cost[CANDIDATES];
  int count = 0, tried = d->how.tried;
  for (int which = 0; which < CANDIDATES; which++) {
    int at = n / 2;
    sort_candidate(d, part, n, which);
    double c = sweep(d, d->sorted, n, &at);
    if (which >= tried && c >= cost[tried - 1]) continue;
    int k = count < tried ? count++ : tried - 1;
    for (; k > 0 && cost[k - 1] > c; k--) cost[k] = cost[k - 1], chosen[k] = chosen[k - 1], half[k] = half[k - 1];
    cost[k] = c, chosen[k] = which, half[k] = at;
  }
  return count;
}

// Orders part (n vertices, reordered in place) into order[0 .. n-1].
static bool dissect(Dissection* d, int* part, int n, int* order) {
  if (n <= d->how.leaf) return order_leaf(d, part, n, order);
  int nsep = n, nleft = 0, chosen[CANDIDATES], half[CANDIDATES], count = choose_candidates(d, part, n, chosen, half);
  double best_cost = DBL_MAX;
  for (int k = 0; k < count; k++) {
    sort_candidate(d, part, n, chosen[k]);
    int left = 0, separator = cut(d, d->sorted, n, half[k], &left), right = n - separator - left;
    double cost = pl_separator_cost(n, separator, left, d->how.imbalance);
    if (cost < best_cost && left > 0 && right > 0) {
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

bool pl_order_dissection(const plGraph* graph, const double* position, plCut how, int* order) {
  int n = graph->n;
  Dissection d = {.graph = graph, .position = position, .how = how};
  int** arrays[] = {&d.side, &d.match, &d.seen, &d.sorted, &d.scratch, &d.best, &d.local, &d.bin, &d.across};
  size_t count = sizeof arrays / sizeof *arrays;
  int* block = PL_NEW(int, (count + 1) * ((size_t)n + 1));
  d.key = PL_NEW(double, n);
  d.refine = PL_NEW(int, 9 * (size_t)n);
  pl_arena_init(&d.arena);
  bool ok = block && d.key && d.refine;
  if (ok) {
    for (size_t k = 0; k < count; k++) *arrays[k] = block + k * ((size_t)n + 1);
    int* part = block + count * ((size_t)n + 1);
    for (int v = 0; v < n; v++) part[v] = v, d.local[v] = -1;
    ok = dissect(&d, part, n, order);
  }
  pl_arena_free(&d.arena);
  pl_free(block), pl_free(d.key), pl_free(d.refine);
  return ok;
}

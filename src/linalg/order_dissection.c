// order_dissection.c: nested dissection. Positions and graph in -> elimination order out.
//
// A part is divided in two; the sides are ordered first, the separator last. Small parts are ordered by
// minimum degree with their surroundings as a halo. The best cut depends on the surroundings of the part:
// eliminating a separator of s vertices in a part with b vertices around it costs about s^3 / 3 + s^2 b + s
// b^2. A cut is judged by this cost and an estimate for the two sides. Near the root of the tree, where most
// operations are, the best few cuts are followed to the end and the cheapest one is taken.
//
// Participating vertices are eliminated after all others, so they count as surroundings. It is not known
// which vertices will participate: costs are summed over a few cases (order_search.c).
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/order_cut.h"
#include "linalg/order_parts.h"

typedef struct Dissection {
  plCutter cutter;
  plOccasions occasions;
  plEffort effort;
  int* local;  // [n] number within a leaf
  unsigned char *reached,
      *inside;    // [n] cases in which a vertex lies around the present part; is in the part
  plArena arena;  // leaves
} Dissection;

// ---- cost of a part

// Sizes in each case.
typedef struct Sizes {
  double part[PL_OCCASIONS], around[PL_OCCASIONS];
} Sizes;

// The number of vertices eliminated in the part, and of vertices around it to which they are coupled.
static Sizes measure(Dissection* d, const int* part, int n) {
  const plGraph* g = d->cutter.graph;
  const unsigned char* participates = d->occasions.participates;
  unsigned all = (1u << d->occasions.count) - 1;
  int *touched = d->cutter.scratch, ntouched = 0;
  Sizes sizes = {{0}, {0}};
  for (int k = 0; k < n; k++) d->inside[part[k]] = 1;
  for (int k = 0; k < n; k++) {
    unsigned eliminated = all & ~(unsigned)participates[part[k]];
    for (int o = 0; o < d->occasions.count; o++) sizes.part[o] += eliminated >> o & 1;
    for (int q = g->start[part[k]]; q < g->start[part[k] + 1]; q++) {
      int w = g->neighbour[q];
      unsigned later = d->inside[w] ? eliminated & participates[w] : eliminated;
      if (!later) continue;
      if (!d->reached[w]) touched[ntouched++] = w;
      d->reached[w] = (unsigned char)(d->reached[w] | later);
    }
  }
  for (int k = 0; k < ntouched; k++) {
    for (int o = 0; o < d->occasions.count; o++) sizes.around[o] += d->reached[touched[k]] >> o & 1;
    d->reached[touched[k]] = 0;
  }
  for (int k = 0; k < n; k++) d->inside[part[k]] = 0;
  return sizes;
}

// Operations to eliminate s vertices coupled to each other and to b others, in blocks.
static double front_operations(double s, double b) { return s * s * s / 3 + s * s * b + s * b * b; }

// An estimate for a part of n vertices with b around it, divided recursively like a cube.
static double guess(double n, double b) {
  double total = 0;
  for (double parts = 1;; parts *= 2) {
    double s = n <= 8 ? n : fmin(pow(n, 2.0 / 3), n / 2);
    total += parts * front_operations(s, b);
    if (n <= 8) return total;
    n = (n - s) / 2, b = b / 2 + s;
  }
}

static double guess_part(const Dissection* d, Sizes sizes) {
  double cost = 0;
  for (int o = 0; o < d->occasions.count; o++)
    cost += d->occasions.weight[o] * guess(sizes.part[o], sizes.around[o]);
  return cost;
}

// Cost of eliminating the separator in a part with this many vertices around it.
static double separator_operations(const Dissection* d, const int* separator, int n, const Sizes* sizes) {
  double cost = 0;
  for (int o = 0; o < d->occasions.count; o++) {
    int eliminated = 0;
    for (int k = 0; k < n; k++) eliminated += !(d->occasions.participates[separator[k]] >> o & 1);
    cost += d->occasions.weight[o] * front_operations(eliminated, sizes->around[o]);
  }
  return cost;
}

// ---- leaves and separators

// Orders a leaf by minimum degree, its neighbours outside being a halo.
static bool order_leaf(Dissection* d, const int* part, int n, int* order) {
  const plGraph* g = d->cutter.graph;
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
  assert(total <= n + nedge);
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

// Orders a separator so that near vertices get near positions, by recursive halving along the longest axis.
// Its order does not affect the fill; a child's rows are then close together in its parent.
static void order_separator(Dissection* d, int* part, int n) {
  if (n <= 4) return;
  double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
  for (int k = 0; k < n; k++)
    for (int c = 0; c < 3; c++) {
      double x = d->cutter.position[3 * (size_t)part[k] + (size_t)c];
      low[c] = fmin(low[c], x), high[c] = fmax(high[c], x);
    }
  int axis = 0;
  for (int c = 1; c < 3; c++)
    if (high[c] - low[c] > high[axis] - low[axis]) axis = c;
  for (int k = 0; k < n; k++) d->cutter.key[part[k]] = d->cutter.position[3 * (size_t)part[k] + (size_t)axis];
  pl_sort_by_key(d->cutter.key, part, d->cutter.scratch, n);
  order_separator(d, part, n / 2);
  order_separator(d, part + n / 2, n - n / 2);
}

// ---- the recursion

static double dissect(Dissection* d, int* part, int n, int* order, int depth);

// Divides the part, orders separator and sides; returns the cost.
static double follow(Dissection* d, plCut cut, int* part, int n, int* order, int depth, const Sizes* sizes) {
  plSides sides = pl_cut_make(&d->cutter, cut, part, n);
  int *left = part + sides.separator, *right = left + sides.left;
  order_separator(d, part, sides.separator);
  memcpy(order + n - sides.separator, part, (size_t)sides.separator * sizeof(int));
  double cost = separator_operations(d, part, sides.separator, sizes);
  double cost_left = dissect(d, left, sides.left, order, depth + 1);
  double cost_right = cost_left < 0 ? -1 : dissect(d, right, sides.right, order + sides.left, depth + 1);
  return cost_right < 0 ? -1 : cost + cost_left + cost_right;
}

// Cuts with vertices on both sides, best first; ties in the order found.
static int rank_cuts(Dissection* d, int* part, int n, const Sizes* sizes, plCut* ranked) {
  plCut chosen[PL_CUT_CANDIDATES];
  double cost[PL_CUT_CANDIDATES];
  int nchosen = pl_cut_choose(&d->cutter, part, n, d->effort.tried, chosen), count = 0;
  for (int k = 0; k < nchosen; k++) {
    plSides sides = pl_cut_make(&d->cutter, chosen[k], part, n);
    int *left = part + sides.separator, *right = left + sides.left, at = 0;
    if (!sides.left || !sides.right) continue;
    double c = separator_operations(d, part, sides.separator, sizes) +
               guess_part(d, measure(d, left, sides.left)) + guess_part(d, measure(d, right, sides.right));
    while (at < count && cost[at] < c) at++;
    if (at < count && cost[at] == c) continue;
    memmove(cost + at + 1, cost + at, (size_t)(count - at) * sizeof *cost);
    memmove(ranked + at + 1, ranked + at, (size_t)(count - at) * sizeof *ranked);
    cost[at] = c, ranked[at] = chosen[k], count++;
  }
  return count;
}

// Orders part (n vertices, reordered in place) into order[0 .. n-1]; returns the cost of its elimination, or
// -1 if memory runs out.
static double dissect(Dissection* d, int* part, int n, int* order, int depth) {
  plCut ranked[PL_CUT_CANDIDATES];
  Sizes sizes = measure(d, part, n);
  int count = n > d->effort.leaf ? rank_cuts(d, part, n, &sizes, ranked) : 0;
  if (!count) return order_leaf(d, part, n, order) ? guess_part(d, sizes) : -1;
  int followed = depth < d->effort.depth ? d->effort.followed : 1;
  if (followed > count) followed = count;
  if (followed == 1) return follow(d, ranked[0], part, n, order, depth, &sizes);
  int* attempt = PL_NEW(int, n);
  double best = DBL_MAX;
  for (int k = 0; attempt && k < followed; k++) {
    double cost = follow(d, ranked[k], part, n, attempt, depth, &sizes);
    if (cost < best) best = cost, memcpy(order, attempt, (size_t)n * sizeof(int));
    if (cost < 0) break;
  }
  pl_free(attempt);
  return attempt ? best : -1;
}

bool pl_order_dissection(const plGraph* graph, const double* position, const plOccasions* occasions,
                         plEffort effort, int* order) {
  size_t n = (size_t)graph->n + 1;
  Dissection d = {.occasions = *occasions,
                  .effort = effort,
                  .local = PL_NEW(int, n),
                  .reached = PL_NEW(unsigned char, n),
                  .inside = PL_NEW(unsigned char, n)};
  int* part = PL_NEW(int, n);
  pl_arena_init(&d.arena);
  bool ok =
      pl_cutter_init(&d.cutter, graph, position, effort.flow) && d.local && d.reached && d.inside && part;
  for (int v = 0; ok && v < graph->n; v++) part[v] = v, d.local[v] = -1;
  ok = ok && dissect(&d, part, graph->n, order, 0) >= 0;
  pl_arena_free(&d.arena);
  pl_cutter_free(&d.cutter);
  pl_free(d.local), pl_free(d.reached), pl_free(d.inside), pl_free(part);
  return ok;
}

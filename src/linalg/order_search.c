// order_search.c: the order with the fewest operations. Graph and positions in -> elimination order out.
//
// Orders are judged in several cases: with no participating vertex, and with each of the body's six ends
// participating, where contact occurs; the lower end has half of the total weight, because bodies rest on
// their lower side. Minimum degree is better for some bodies with thin limbs.
#include <math.h>
#include <string.h>

#include "linalg/order_cut.h"
#include "linalg/order_parts.h"
#include "linalg/symbolic.h"

// Larger bodies have flows, which reduce the operations of a ball of 6017 vertices by 14 %, of a cube of 8000
// by 3 %, and two dissections: one quick, one that makes more cuts and follows two of them. The second needs
// 0.9 of the operations for that ball, but up to 1.03 for boxes: what seems cheapest at a cut may not be.
enum { SEARCH_SIZE = 4000 };
static const plEffort small_effort = {60, 8, 2, 2, 0}, quick = {60, 8, 1, 0, 100},
                      thorough = {60, 12, 2, 2, 200};

// The sets: nothing, then the n^(2/3) vertices (a cube's face) that lie farthest along an axis, in either
// direction.
static bool occasions_init(plOccasions* occasions, int n, const double* position) {
  static const double weight[PL_OCCASIONS] = {1, 0.1, 0.1, 0.5, 0.1, 0.1, 0.1};
  int *list = PL_NEW(int, n), *scratch = PL_NEW(int, n), nface = (int)lround(pow(n, 2.0 / 3));
  double* key = PL_NEW(double, n);
  *occasions = (plOccasions){.count = PL_OCCASIONS, .participates = PL_NEW(unsigned char, n)};
  memcpy(occasions->weight, weight, sizeof weight);
  bool ok = list && scratch && key && occasions->participates;
  for (int o = 1; ok && o < PL_OCCASIONS; o++) {
    int axis = (o - 1) % 3, sign = o < 4 ? 1 : -1;
    for (int v = 0; v < n; v++) list[v] = v, key[v] = sign * position[3 * (size_t)v + (size_t)axis];
    pl_sort_by_key(key, list, scratch, n);
    for (int k = 0; k < nface; k++)
      occasions->participates[list[k]] = (unsigned char)(occasions->participates[list[k]] | 1u << o);
  }
  pl_free(list), pl_free(scratch), pl_free(key);
  return ok;
}

// Total operations over all cases; -1 if memory runs out.
static double score(const plGraph* graph, const plOccasions* occasions, const int* order, char* marked) {
  double total = 0;
  for (int o = 0; o < occasions->count; o++) {
    for (int v = 0; v < graph->n; v++) marked[v] = occasions->participates[v] >> o & 1;
    double flops = pl_symbolic_flops(graph, order, marked);
    if (flops < 0) return -1;
    total += occasions->weight[o] * flops;
  }
  return total;
}

// Another order, by minimum degree or by a dissection of that effort; used instead if it costs less.
static bool try_other(const plGraph* graph, const double* position, const plOccasions* occasions,
                      const plEffort* effort, int* order) {
  int n = graph->n, *candidate = PL_NEW(int, n);
  char* marked = PL_NEW(char, n);
  plArena arena;
  pl_arena_init(&arena);
  bool ok = candidate && marked;
  if (ok && effort)
    ok = pl_order_dissection(graph, position, occasions, *effort, candidate);
  else if (ok)
    ok = pl_order_degree(n, n, graph->start, graph->neighbour, candidate, &arena);
  double cost = ok ? score(graph, occasions, order, marked) : -1,
         other = cost < 0 ? -1 : score(graph, occasions, candidate, marked);
  if (other >= 0 && other < cost) memcpy(order, candidate, (size_t)n * sizeof(int));
  pl_arena_free(&arena);
  pl_free(candidate), pl_free(marked);
  return other >= 0;
}

bool pl_order_search(const plGraph* graph, const double* position, int* order) {
  plOccasions occasions;
  bool small = graph->n <= SEARCH_SIZE;
  bool ok = occasions_init(&occasions, graph->n, position) &&
            pl_order_dissection(graph, position, &occasions, small ? small_effort : quick, order) &&
            try_other(graph, position, &occasions, small ? NULL : &thorough, order);
  pl_free(occasions.participates);
  return ok;
}

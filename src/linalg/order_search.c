// order_search.c: the order with the fewest operations among several. Graph and positions in -> elimination order out.
//
// What a good cut is depends on the shape, so dissection is made with a few ideas of it; minimum degree wins on some bodies with thin
// limbs. Operations are counted with no vertex participating and with each of the body's six ends participating, where contact is.
#include <float.h>
#include <string.h>

#include "linalg/order_parts.h"
#include "linalg/symbolic.h"

enum { SEARCH_SIZE = 4000, ENDS = 6 };  // larger bodies are ordered once, since cutting them takes long

// Marks what lies within an eighth of the body's length of one of its ends along the axes.
static void mark_end(int n, const double* position, int end, char* marked) {
  int axis = end % 3, sign = end < 3 ? 1 : -1;
  double low = DBL_MAX, high = -DBL_MAX;
  for (int v = 0; v < n; v++) {
    double x = sign * position[3 * (size_t)v + (size_t)axis];
    low = x < low ? x : low, high = x > high ? x : high;
  }
  for (int v = 0; v < n; v++) marked[v] = sign * position[3 * (size_t)v + (size_t)axis] <= low + (high - low) / 8;
}

// Operations without participating vertices, and on average with one end's; -1 if memory runs out.
static double score(const plGraph* graph, const double* position, const int* order, char* marked) {
  memset(marked, 0, (size_t)graph->n);
  double total = pl_symbolic_flops(graph, order, marked);
  for (int end = 0; end < ENDS && total >= 0; end++) {
    mark_end(graph->n, position, end, marked);
    double flops = pl_symbolic_flops(graph, order, marked);
    total = flops < 0 ? -1 : total + flops / ENDS;
  }
  return total;
}

bool pl_order_search(const plGraph* graph, const double* position, int* order) {
  static const plCut cuts[] = {{2, 100, 8}, {1.5, 120, 16}};
  enum { CUTS = sizeof cuts / sizeof *cuts };
  int n = graph->n;
  if (n > SEARCH_SIZE) return pl_order_dissection(graph, position, (plCut){2, 100, 3}, order);
  int* candidate = PL_NEW(int, n);
  char* marked = PL_NEW(char, n);
  double best = DBL_MAX;
  bool ok = candidate && marked;
  for (int k = 0; ok && k <= CUTS; k++) {
    if (k < CUTS) {
      ok = pl_order_dissection(graph, position, cuts[k], candidate);
    } else {
      plArena arena;
      pl_arena_init(&arena);
      ok = pl_order_degree(n, n, graph->start, graph->neighbour, candidate, &arena);
      pl_arena_free(&arena);
    }
    double cost = ok ? score(graph, position, candidate, marked) : -1;
    ok = cost >= 0;
    if (ok && cost < best) best = cost, memcpy(order, candidate, (size_t)n * sizeof(int));
  }
  pl_free(candidate), pl_free(marked);
  return ok;
}

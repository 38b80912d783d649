// order.c: the choice among orders.
#include "linalg/order.h"

#include <assert.h>

#include "base/error.h"
#include "base/memory.h"
#include "linalg/order_parts.h"

plStatus pl_order(const plGraph* graph, plOrder kind, const double* position, int* order, plError* error) {
  bool ok = true;
  if (kind == PL_ORDER_NATURAL) {
    for (int v = 0; v < graph->n; v++) order[v] = v;
  } else if (kind == PL_ORDER_MINIMUM_DEGREE) {
    plArena arena;
    pl_arena_init(&arena);
    ok = pl_order_degree(graph->n, graph->n, graph->start, graph->neighbour, order, &arena);
    pl_arena_free(&arena);
  } else {
    assert(position || !graph->n);
    ok = pl_order_search(graph, position, order);
  }
  return ok ? PL_OK : pl_fail_out_of_memory(error, (size_t)graph->n * sizeof(int));
}

// order_parts.h: the orderings behind order.h. All return false if memory runs out.
#ifndef PL_LINALG_ORDER_PARTS_H
#define PL_LINALG_ORDER_PARTS_H

#include <stdbool.h>

#include "base/memory.h"
#include "linalg/order.h"

// Approximate minimum degree of the first neliminate of n vertices; the rest (a halo) counts in the degrees but is not ordered.
// Scratch comes from the arena, which is not reset.
bool pl_order_degree(int n, int neliminate, const int* start, const int* neighbour, int* order, plArena* arena);

// Geometric nested dissection.
bool pl_order_dissection(const plGraph* graph, const double* position, int* order);

#endif

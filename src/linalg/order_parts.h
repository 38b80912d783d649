// order_parts.h: the orderings behind order.h. All return false if memory runs out.
#ifndef PL_LINALG_ORDER_PARTS_H
#define PL_LINALG_ORDER_PARTS_H

#include <stdbool.h>

#include "base/memory.h"
#include "linalg/graph.h"

// Approximate minimum degree of the first neliminate of n vertices; the rest (a halo) counts in the degrees
// but is not ordered. Scratch comes from the arena, which is not reset.
bool pl_order_degree(int n, int neliminate, const int* start, const int* neighbour, int* order,
                     plArena* arena);

// Cases by which an order is judged: sets of participating vertices, and the weight of each set.
enum { PL_OCCASIONS = 7 };
typedef struct plOccasions {
  int count;
  double weight[PL_OCCASIONS];
  unsigned char* participates;  // [n] bit o: the vertex participates in case o
} plOccasions;

// Effort of dissection.
typedef struct plEffort {
  int leaf;             // parts of up to this many vertices are not divided
  int tried;            // number of cuts of a part that are made
  int followed, depth;  // this many of the best are followed to the end in the first levels of the tree
  int flow;             // parts of at least this many vertices are cut by flows too (order_flow.c); 0: none
} plEffort;
bool pl_order_dissection(const plGraph* graph, const double* position, const plOccasions* occasions,
                         plEffort effort, int* order);

// The better one of dissection and minimum degree.
bool pl_order_search(const plGraph* graph, const double* position, int* order);

#endif

// order_parts.h: the orderings behind order.h. All return false if memory runs out.
#ifndef PL_LINALG_ORDER_PARTS_H
#define PL_LINALG_ORDER_PARTS_H

#include <stdbool.h>

#include "base/memory.h"
#include "linalg/order.h"

// Approximate minimum degree of the first neliminate of n vertices; the rest (a halo) counts in the degrees but is not ordered.
// Scratch comes from the arena, which is not reset.
bool pl_order_degree(int n, int neliminate, const int* start, const int* neighbour, int* order, plArena* arena);

// A part of the graph that is being cut in two; vertices outside it are PL_SIDE_OUT.
enum { PL_SIDE_OUT = 0, PL_SIDE_LEFT, PL_SIDE_RIGHT, PL_SIDE_CUT };
#define PL_LARGEST_SIDE 0.66   // share of the vertices one side may have
// How bad a separator of n vertices is that leaves `left` on one side, given what imbalance costs.
double pl_separator_cost(int n, int separator, int left, double imbalance);
// Makes the separator given by side smaller. work: 9 n numbers, zero at first; *pass counts on from call to call.
void pl_separator_refine(const plGraph* graph, const int* part, int n, double imbalance, int* side, int* work, int* pass);

// Geometric nested dissection.
typedef struct plCut {
  double imbalance;  // see pl_separator_cost
  int leaf;          // parts of up to so many vertices are not cut
  int tried;         // the best so many of the cuts by sweep are made and refined
} plCut;
bool pl_order_dissection(const plGraph* graph, const double* position, plCut how, int* order);

// The best of several: dissection with different ideas of a good cut, and minimum degree.
bool pl_order_search(const plGraph* graph, const double* position, int* order);

#endif

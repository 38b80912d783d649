// order.h: elimination orders of a block graph that keep the Cholesky factor sparse.
#ifndef PL_LINALG_ORDER_H
#define PL_LINALG_ORDER_H

#include "linalg/bsym.h"

typedef enum plOrder {
  PL_ORDER_NATURAL,         // as numbered
  PL_ORDER_MINIMUM_DEGREE,  // approximate minimum degree (the paper's choice)
  PL_ORDER_DISSECTION       // geometric nested dissection, minimum degree in its leaves; the best of a few tries (order_search.c)
} plOrder;

// A graph without loops: neighbours of v are neighbour[start[v]] .. neighbour[start[v + 1] - 1], each edge listed from both ends.
typedef struct plGraph {
  int n;
  int* start;      // [n + 1]
  int* neighbour;  // [start[n]] ascending
  int* block;      // [start[n]] position in the matrix of the edge's block
  int* diagonal;   // [n] position of the vertex' own block
} plGraph;

plStatus pl_graph_create(const plBsym* pattern, plGraph* graph, plError* error);
void pl_graph_free(plGraph* graph);

// order[k] is the vertex eliminated k-th. position [3 n] is read by PL_ORDER_DISSECTION alone.
plStatus pl_order(const plGraph* graph, plOrder kind, const double* position, int* order, plError* error);

#endif

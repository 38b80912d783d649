// order.h: elimination orders of a block graph that keep the Cholesky factor sparse.
#ifndef PL_LINALG_ORDER_H
#define PL_LINALG_ORDER_H

#include "linalg/graph.h"

typedef enum plOrder {
  PL_ORDER_NATURAL,         // as numbered
  PL_ORDER_MINIMUM_DEGREE,  // approximate minimum degree (the paper's choice)
  PL_ORDER_DISSECTION  // geometric nested dissection, minimum degree in its leaves; the best of a few tries
                       // (order_search.c)
} plOrder;

// order[k] is the vertex eliminated k-th. position [3 n] is read by PL_ORDER_DISSECTION alone.
plStatus pl_order(const plGraph* graph, plOrder kind, const double* position, int* order, plError* error);

#endif

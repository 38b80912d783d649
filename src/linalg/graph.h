// graph.h: the block graph of a symmetric matrix: which vertices are coupled.
#ifndef PL_LINALG_GRAPH_H
#define PL_LINALG_GRAPH_H

#include "linalg/bsym.h"

// A graph without loops: neighbours of v are neighbour[start[v]] .. neighbour[start[v + 1] - 1], each edge
// listed from both ends.
typedef struct plGraph {
  int n;
  int dim;         // numbers of a vertex that are coupled to others: 3, or 2 of a flat matrix
  int* start;      // [n + 1]
  int* neighbour;  // [start[n]] ascending
  int* block;      // [start[n]] position in the matrix of the edge's block
  int* diagonal;   // [n] position of the vertex' own block
} plGraph;

plStatus pl_graph_create(const plBsym* pattern, plGraph* graph, plError* error);
void pl_graph_free(plGraph* graph);

#endif

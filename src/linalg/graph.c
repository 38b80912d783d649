// graph.c: the block graph of a matrix. Pattern in -> neighbours of each vertex out.
#include "linalg/graph.h"

#include <assert.h>

#include "base/error.h"
#include "base/memory.h"

void pl_graph_free(plGraph* graph) {
  pl_free(graph->start), pl_free(graph->neighbour), pl_free(graph->block), pl_free(graph->diagonal);
  *graph = (plGraph){0};
}

plStatus pl_graph_create(const plBsym* A, plGraph* graph, plError* error) {
  int n = A->n;
  size_t nedge = 2 * (size_t)(A->nblock - n);
  *graph = (plGraph){.n = n,
                     .dim = A->flat ? 2 : 3,
                     .start = PL_NEW(int, (size_t)n + 2),
                     .neighbour = PL_NEW(int, nedge),
                     .block = PL_NEW(int, nedge),
                     .diagonal = PL_NEW(int, n)};
  if (!graph->start || !graph->neighbour || !graph->block || !graph->diagonal) {
    pl_graph_free(graph);
    return pl_fail_out_of_memory(error, 2 * nedge * sizeof(int));
  }
  int* start = graph->start;
  for (int j = 0; j < n; j++) graph->diagonal[j] = A->col0[j];
  for (int j = 0; j < n; j++)
    for (int q = A->col0[j] + 1; q < A->col0[j + 1]; q++) start[j + 2]++, start[A->row[q] + 2]++;
  for (int j = 0; j < n; j++) start[j + 2] += start[j + 1];
  // Two passes keep the neighbours in ascending order: first those below j as rows of earlier columns, then
  // those of column j itself.
  for (int j = 0; j < n; j++)
    for (int q = A->col0[j] + 1; q < A->col0[j + 1]; q++) {
      int at = start[A->row[q] + 1]++;
      graph->neighbour[at] = j, graph->block[at] = q;
    }
  for (int j = 0; j < n; j++)
    for (int q = A->col0[j] + 1; q < A->col0[j + 1]; q++) {
      int at = start[j + 1]++;
      graph->neighbour[at] = A->row[q], graph->block[at] = q;
    }
  assert((size_t)start[n] == nedge);  // as many as were counted
  return PL_OK;
}

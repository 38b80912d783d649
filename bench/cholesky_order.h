// cholesky_order.h: the order that a user of CHOLMOD would have: METIS', from Debian, loaded at run time.
#ifndef PL_BENCH_CHOLESKY_ORDER_H
#define PL_BENCH_CHOLESKY_ORDER_H

#include <dlfcn.h>
#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "linalg/symbolic.h"

typedef int NodeNd(int* n, int* start, int* neighbour, int* weight, int* options, int* order, int* inverse);

static NodeNd* metis_load(void) {
  NodeNd* function = NULL;
  void* handle = dlopen("libmetis.so.5", RTLD_NOW | RTLD_LOCAL);
  void* symbol = handle ? dlsym(handle, "METIS_NodeND") : NULL;
  memcpy(&function, &symbol, sizeof function);  // ISO C has no cast from an object's address to a function's
  return function;
}

// METIS' order of the vertices that are not marked; the marked ones follow.
static bool metis_unmarked(NodeNd* metis, const plGraph* g, const char* marked, int* order) {
  int n = g->n, count = 0, nedge = 0, *local = PL_NEW(int, n), *vertex = PL_NEW(int, n),
      *start = PL_NEW(int, n + 1);
  int *list = PL_NEW(int, g->start[n]), *local_order = PL_NEW(int, n), *inverse = PL_NEW(int, n);
  for (int v = 0; v < n; v++) local[v] = marked[v] ? -1 : (vertex[count] = v, count++);
  for (int k = 0; k < count; k++) {
    for (int q = g->start[vertex[k]]; q < g->start[vertex[k] + 1]; q++)
      if (local[g->neighbour[q]] >= 0) list[nedge++] = local[g->neighbour[q]];
    start[k + 1] = nedge;
  }
  bool ok = metis(&count, start, list, NULL, NULL, local_order, inverse) == 1;
  for (int k = 0; k < count; k++) order[k] = vertex[local_order[k]];
  for (int v = 0; v < n; v++)
    if (marked[v]) order[count++] = v;
  pl_free(local), pl_free(vertex), pl_free(start), pl_free(list), pl_free(local_order), pl_free(inverse);
  return ok;
}

// The better one of two orders with the marked vertices last, ascending: METIS of all vertices, the marked
// ones then moved; METIS of the rest. postorder: the same order, put into postorder of its tree. False if
// there is no METIS.
static bool metis_order(const plGraph* g, const char* marked, int* order, int* postorder) {
  NodeNd* metis = metis_load();
  int n = g->n, *candidate = PL_NEW(int, n);
  char* none = PL_NEW(char, n);
  double best = DBL_MAX;
  for (int k = 0; metis && k < 2; k++) {
    plSymbolic s = {0};
    if (metis_unmarked(metis, g, k ? marked : none, candidate) &&
        pl_symbolic_build(&s, g, candidate, marked, true) && s.flops < best) {
      best = s.flops;
      int at = 0;
      for (int i = 0; i < n; i++)
        if (!marked[candidate[i]]) order[at++] = candidate[i];
      memcpy(order + at, s.order + at, (size_t)(n - at) * sizeof(int));
      memcpy(postorder, s.order, (size_t)n * sizeof(int));
    }
    pl_arena_free(&s.arena);
  }
  pl_free(candidate), pl_free(none);
  return best < DBL_MAX;
}

#endif

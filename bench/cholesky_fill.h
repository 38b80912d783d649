// cholesky_fill.h: the operations that orders cost: natural, minimum degree within each part, ours, METIS.
#ifndef PL_BENCH_CHOLESKY_FILL_H
#define PL_BENCH_CHOLESKY_FILL_H

#include <stdio.h>

#include "cholesky_case.h"
#include "cholesky_order.h"
#include "linalg/order.h"
#include "linalg/order_parts.h"

// Minimum degree of the vertices marked as given, among themselves.
static int degree_within(const plGraph* g, const char* is_part, char which, int* order) {
  int n = g->n, count = 0, nedge = 0, *local = PL_NEW(int, n), *start = PL_NEW(int, n + 1),
      *list = PL_NEW(int, g->start[n]);
  int *vertex = PL_NEW(int, n), *local_order = PL_NEW(int, n);
  for (int v = 0; v < n; v++) local[v] = is_part[v] == which ? (vertex[count] = v, count++) : -1;
  for (int k = 0; k < count; k++) {
    start[k] = nedge;
    for (int q = g->start[vertex[k]]; q < g->start[vertex[k] + 1]; q++)
      if (local[g->neighbour[q]] >= 0) list[nedge++] = local[g->neighbour[q]];
  }
  start[count] = nedge;
  plArena arena;
  pl_arena_init(&arena);
  pl_order_degree(count, count, start, list, local_order, &arena);
  for (int k = 0; k < count; k++) order[k] = vertex[local_order[k]];
  pl_arena_free(&arena);
  pl_free(local), pl_free(start), pl_free(list), pl_free(vertex), pl_free(local_order);
  return count;
}

// What the orders cost; clock: seconds.
static void print_fill(const Case* c, bool schur, double (*clock_now)(void)) {
  plGraph g;
  int n = c->A->n, *order = PL_NEW(int, n);
  char* is_part = PL_NEW(char, n);
  for (int k = 0; schur && k < c->np; k++) is_part[c->part[k]] = 1;
  if (pl_graph_create(c->A, &g, NULL)) return;
  static const char* const names[] = {"natural", "minimum degree within each part",
                                      "nested dissection (ours)", "METIS (the peers)"};
  for (int kind = 0; kind < 4; kind++) {
    double t = clock_now();
    if (kind == 1) {
      int count = degree_within(&g, is_part, 0, order);
      degree_within(&g, is_part, 1, order + count);
    } else if (kind == 3) {
      if (!metis_order(&g, is_part, order, order)) break;
    } else if (pl_order(&g, kind ? PL_ORDER_DISSECTION : PL_ORDER_NATURAL, c->mesh->vert, order, NULL)) {
      break;
    }
    t = clock_now() - t;
    plSymbolic s = {0};
    if (pl_symbolic_build(&s, &g, order, is_part, true))
      printf("  fill %-32s %10.3f M numbers %12.1f Mflop   ordered in %.2f ms\n", names[kind], s.nnz * 1e-6,
             s.flops * 1e-6, t * 1e3);
    pl_arena_free(&s.arena);
  }
  pl_graph_free(&g), pl_free(order), pl_free(is_part);
}

#endif

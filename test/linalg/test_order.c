// test_order.c: orders are permutations, and the good ones keep the factor sparse.
#include "linalg/order.h"

#include "check.h"
#include "linalg/plain.h"
#include "linalg/symbolic.h"
#include "sample.h"

static double flops(const Sample* s, plOrder kind) {
  plGraph graph;
  plPlain* plain = NULL;
  int *order = PL_NEW(int, s->n), *seen = PL_NEW(int, s->n);
  CHECK(!pl_graph_create(s->A, &graph, NULL));
  CHECK(!pl_order(&graph, kind, s->position, order, NULL));
  for (int k = 0; k < s->n; k++) {
    CHECK(order[k] >= 0 && order[k] < s->n);
    seen[order[k]]++;
  }
  for (int v = 0; v < s->n; v++) CHECK_INT(seen[v], 1);
  CHECK(!pl_plain_create(s->A, order, 0, &plain, NULL));
  double count = pl_plain_flops(plain);
  pl_plain_destroy(plain), pl_graph_free(&graph), pl_free(order), pl_free(seen);
  return count;
}

static void graph_lists_each_edge_from_both_ends(void) {
  Sample s = sample_box(3, 3, 3, 0.3, 1, 6);
  plGraph g;
  CHECK(!pl_graph_create(s.A, &g, NULL));
  CHECK_INT(g.start[s.n], 2 * (s.A->nblock - s.n));
  for (int v = 0; v < s.n; v++)
    for (int q = g.start[v]; q < g.start[v + 1]; q++) {
      if (q > g.start[v]) CHECK(g.neighbour[q - 1] < g.neighbour[q]);
      CHECK_INT(g.block[q], pl_bsym_find(s.A, v, g.neighbour[q]));
    }
  pl_graph_free(&g);
  sample_free(&s);
}

// Against SuiteSparse 5.12 (AMD) and METIS 5.1 on the same two graphs, in Mflop: 158.49 and 122.94 on a
// scrambled box of 10 x 10 x 10, 46.61 and 54.11 on one of 24 x 8 x 5 with a tenth of its cells missing.
static void orders_are_as_good_as_the_libraries(void) {
  static const double amd[] = {158.49e6, 46.61e6}, metis[] = {122.94e6, 54.11e6};
  Sample s[] = {sample_box(10, 10, 10, 0, 1, 2), sample_box(24, 8, 5, 0.1, 1, 3)};
  for (int k = 0; k < 2; k++) {
    CHECK(flops(&s[k], PL_ORDER_MINIMUM_DEGREE) < 1.15 * amd[k]);
    CHECK(flops(&s[k], PL_ORDER_DISSECTION) < 1.1 * metis[k]);
    CHECK(flops(&s[k], PL_ORDER_DISSECTION) < 1.1 * amd[k]);
    CHECK(flops(&s[k], PL_ORDER_NATURAL) > 10 * amd[k]);
    sample_free(&s[k]);
  }
}

// With one face participating, against METIS 5.1 on the other vertices: 50.1 and 1072 Mflop on cubes of 8 and
// 13 vertices a side (bench/cholesky prints them). Moving the face to the end of our order of all vertices
// must cost less than METIS' order made for it.
static void a_face_may_participate(void) {
  static const double metis[] = {50.1e6, 1072e6};
  for (int k = 0; k < 2; k++) {
    int side = k ? 13 : 8;
    Sample s = sample_box(side, side, side, 0, 1, 4);
    plGraph graph;
    int *order = PL_NEW(int, s.n), nface = 0;
    char* face = PL_NEW(char, s.n);
    for (int v = 0; v < s.n; v++) nface += face[v] = s.position[3 * v + 2] < 0.5;
    CHECK_INT(nface, side * side);
    CHECK(!pl_graph_create(s.A, &graph, NULL));
    CHECK(!pl_order(&graph, PL_ORDER_DISSECTION, s.position, order, NULL));
    CHECK(pl_symbolic_flops(&graph, order, face) < 0.95 * metis[k]);
    pl_graph_free(&graph), pl_free(order), pl_free(face);
    sample_free(&s);
  }
}

// The order of a path by minimum degree has no fill: 2 blocks a column.
static void a_path_has_no_fill(void) {
  enum { N = 200 };
  int edge[2 * (N - 1)];
  Sample s = {N, PL_NEW(double, 3 * N), NULL};
  for (int i = 0; i < N; i++) s.position[3 * i] = (i * 77) % N;
  for (int i = 0; i < N - 1; i++) edge[2 * i] = (i * 77) % N, edge[2 * i + 1] = ((i + 1) * 77) % N;
  CHECK(!pl_bsym_create_uniform(N, N - 1, 2, edge, &s.A, NULL));
  double no_fill = (N - 1) * (36.0 + 25 + 16) + 9 + 4 + 1;
  CHECK_NEAR(flops(&s, PL_ORDER_MINIMUM_DEGREE), no_fill, 0);
  sample_free(&s);
}

// All vertices at one position: directions mean nothing, yet the order is a permutation.
static void coincident_positions(void) {
  Sample s = sample_box(7, 7, 7, 0, 1, 12);
  memset(s.position, 0, 3 * (size_t)s.n * sizeof(double));
  CHECK(flops(&s, PL_ORDER_DISSECTION) > 0);
  sample_free(&s);
}

// A complete graph cannot be cut.
static void a_complete_graph(void) {
  enum { N = 90 };
  int vertex[N];
  Sample s = {N, PL_NEW(double, 3 * N), NULL};
  for (int i = 0; i < N; i++) vertex[i] = i, s.position[3 * i] = i;
  CHECK(!pl_bsym_create_uniform(N, 1, N, vertex, &s.A, NULL));
  CHECK(flops(&s, PL_ORDER_DISSECTION) == flops(&s, PL_ORDER_NATURAL));
  CHECK(flops(&s, PL_ORDER_MINIMUM_DEGREE) == flops(&s, PL_ORDER_NATURAL));
  sample_free(&s);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(graph_lists_each_edge_from_both_ends);
  RUN(orders_are_as_good_as_the_libraries);
  RUN(a_face_may_participate);
  RUN(a_path_has_no_fill);
  RUN(coincident_positions);
  RUN(a_complete_graph);
  return CHECK_END;
}

// test_order.c: orders are permutations, and the good ones keep the factor sparse.
#include "linalg/order.h"

#include <string.h>

#include "base/random.h"
#include "check.h"
#include "linalg/order_cut.h"
#include "linalg/order_parts.h"
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
      CHECK_INT(g.block[q], blocks_find(s.A, v, g.neighbour[q]));
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
  CHECK(!blocks_create(N, N - 1, 2, edge, &s.A, NULL));
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
  CHECK(!blocks_create(N, 1, N, vertex, &s.A, NULL));
  CHECK(flops(&s, PL_ORDER_DISSECTION) == flops(&s, PL_ORDER_NATURAL));
  CHECK(flops(&s, PL_ORDER_MINIMUM_DEGREE) == flops(&s, PL_ORDER_NATURAL));
  sample_free(&s);
}

// Whether an edge joins the two sides.
static bool is_joined(const plGraph* g, const int* side) {
  for (int v = 0; v < g->n; v++)
    for (int q = g->start[v]; q < g->start[v + 1]; q++)
      if (side[v] == PL_SIDE_LEFT && side[g->neighbour[q]] == PL_SIDE_RIGHT) return true;
  return false;
}

// Whether the set of vertices separates those before `from` from those from `to` on.
static bool separates(const plGraph* g, unsigned set, int from, int to) {
  unsigned reached = (1u << from) - 1;
  for (int round = 0; round < g->n; round++)
    for (int v = 0; v < g->n; v++)
      for (int q = g->start[v]; q < g->start[v + 1]; q++)
        if (reached >> v & 1 && !(set >> g->neighbour[q] & 1)) reached |= 1u << g->neighbour[q];
  return !(reached >> to);
}

// The size of the smallest separator among all sets of the vertices between the two ends; -1: none.
static int smallest_separator(const plGraph* g, int from, int to) {
  int least = -1;
  for (unsigned set = 0; set < 1u << (to - from); set++) {
    int size = __builtin_popcount(set);
    if ((least < 0 || size < least) && separates(g, set << from, from, to)) least = size;
  }
  return least;
}

// Random graphs, against all sets of vertices.
static void flows_find_the_smallest_separator(void) {
  enum { N = 14, GRAPHS = 300 };
  plRandom random = {24};
  int separated = 0;
  for (int k = 0; k < GRAPHS; k++) {
    int start[N + 1], neighbour[N * N], sorted[N], side[N], work[7 * N], from = 1 + k % 3, to = N - 1 - k % 2;
    bool joined[N][N] = {{false}};
    double share = pl_random(&random, 0.1, 0.5);
    for (int a = 0; a < N; a++)
      for (int b = 0; b < a; b++) joined[a][b] = joined[b][a] = pl_random(&random, 0, 1) < share;
    plGraph g = {.n = N, .start = start, .neighbour = neighbour};
    start[0] = 0;
    for (int a = 0; a < N; a++) {
      start[a + 1] = start[a], sorted[a] = a;
      for (int b = 0; b < N; b++)
        if (joined[a][b]) neighbour[start[a + 1]++] = b;
    }
    int least = smallest_separator(&g, from, to), size = 0;
    memset(work, 0, sizeof work);
    CHECK(pl_separator_flow(&g, sorted, N, from, to, side, work) == (least >= 0));
    if (least < 0) continue;
    for (int v = 0; v < N; v++) {
      CHECK(v >= from || side[v] == PL_SIDE_LEFT);
      CHECK(v < to || side[v] == PL_SIDE_RIGHT);
      size += side[v] == PL_SIDE_CUT;
    }
    CHECK(!is_joined(&g, side));
    CHECK_INT(size, least);
    separated++;
  }
  CHECK(separated > GRAPHS / 3);
}

static double dissection_flops(const Sample* s, const plGraph* graph, int flow) {
  plOccasions occasions = {.count = 1, .weight = {1}, .participates = PL_NEW(unsigned char, s->n)};
  int* order = PL_NEW(int, s->n);
  char* none = PL_NEW(char, s->n);
  CHECK(pl_order_dissection(graph, s->position, &occasions, (plEffort){100, 8, 1, 0, flow}, order));
  double count = pl_symbolic_flops(graph, order, none);
  pl_free(order), pl_free(none), pl_free(occasions.participates);
  return count;
}

// Bodies of which half is missing: 0.82 to 0.84 of the operations.
static void flows_find_ways_that_planes_do_not(void) {
  for (int k = 0; k < 3; k++) {
    Sample s = sample_box(18, 18, 18, 0.5, 1, 40 + (uint64_t)k);
    plGraph graph;
    CHECK(!pl_graph_create(s.A, &graph, NULL));
    CHECK(dissection_flops(&s, &graph, 200) < 0.9 * dissection_flops(&s, &graph, 0));
    pl_graph_free(&graph), sample_free(&s);
  }
}

// The same bodies: a second dissection with more cuts; 0.96 to 0.99 of the operations.
static void large_bodies_are_dissected_twice(void) {
  double searched = 0, quick = 0;
  for (int k = 0; k < 3; k++) {
    Sample s = sample_box(18, 18, 18, 0.5, 1, 50 + (uint64_t)k);
    plGraph graph;
    CHECK(!pl_graph_create(s.A, &graph, NULL));
    searched += flops(&s, PL_ORDER_DISSECTION), quick += dissection_flops(&s, &graph, 100);
    pl_graph_free(&graph), sample_free(&s);
  }
  CHECK(searched < 0.98 * quick);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(graph_lists_each_edge_from_both_ends);
  RUN(orders_are_as_good_as_the_libraries);
  RUN(a_face_may_participate);
  RUN(a_path_has_no_fill);
  RUN(coincident_positions);
  RUN(a_complete_graph);
  RUN(flows_find_the_smallest_separator);
  RUN(flows_find_ways_that_planes_do_not);
  RUN(large_bodies_are_dissected_twice);
  return CHECK_END;
}

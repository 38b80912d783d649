// test_order.c: the elimination order of cliques against brute-force elimination on a matrix of edges, and
// the fill of known patterns.
#include "base/random.h"
#include "check.h"
#include "sap/workspace.h"

enum { MAX_N = 48 };

typedef struct Graph {
  int n, weight[MAX_N], adj0[MAX_N + 1], adj[MAX_N * MAX_N], order[MAX_N], count[MAX_N];
  int* below[MAX_N];
  bool edge[MAX_N][MAX_N];
} Graph;

static void list_edges(Graph* g) {
  int k = 0;
  for (int i = 0; i < g->n; i++) {
    g->adj0[i] = k;
    for (int j = 0; j < g->n; j++)
      if (g->edge[i][j]) g->adj[k++] = j;
  }
  g->adj0[g->n] = k;
}

static bool make_order(Graph* g, plArena* arena) {
  list_edges(g);
  return pl_sap_order(arena, g->n, g->weight, NULL, g->adj0, g->adj, g->order, g->below, g->count);
}

static bool make_fill_order(Graph* g, plArena* arena) {
  list_edges(g);
  return pl_sap_order_fill(arena, g->n, g->weight, g->adj0, g->adj, g->order, g->below, g->count);
}

// work per scalar of a clique of s scalars with d neighbouring ones
static double work(double d, double s) { return d * d + d * s + s * s / 3; }

// entries between neighbours of p that are not joined
static double fill_of(const Graph* g, bool edge[MAX_N][MAX_N], const bool* gone, int p) {
  double sum = 0;
  for (int a = 0; a < g->n; a++)
    for (int b = 0; b < a; b++)
      if (!gone[a] && !gone[b] && edge[p][a] && edge[p][b] && !edge[a][b]) sum += g->weight[a] * g->weight[b];
  return sum;
}

// eliminates by brute force in the order given: every node once, the boundary as listed, and none of less
// fill (least_fill), or of less work left out unless the node causes no fill
static void check_elimination(Graph* g, bool least_fill) {
  bool edge[MAX_N][MAX_N], gone[MAX_N] = {0};
  memcpy(edge, g->edge, sizeof edge);
  for (int k = 0; k < g->n; k++) {
    int p = g->order[k], degree[MAX_N];
    CHECK(p >= 0 && p < g->n && !gone[p]);
    for (int i = 0; i < g->n; i++) {
      degree[i] = 0;
      for (int j = 0; j < g->n; j++) degree[i] += edge[i][j] && !gone[j] ? g->weight[j] : 0;
    }
    double fills = fill_of(g, edge, gone, p);
    for (int i = 0; i < g->n && fills > 0; i++) {
      if (least_fill)
        CHECK(gone[i] || fill_of(g, edge, gone, i) >= fills);
      else
        CHECK(gone[i] || work(degree[i], g->weight[i]) >= work(degree[p], g->weight[p]) - 1e-6);
    }
    int n = 0;
    for (int j = 0; j < g->n; j++) n += edge[p][j] && !gone[j];
    CHECK_INT(g->count[p], n);
    for (int q = 0; q < g->count[p]; q++) CHECK(edge[p][g->below[p][q]] && !gone[g->below[p][q]]);
    gone[p] = true;
    for (int a = 0; a < g->count[p]; a++)
      for (int b = 0; b < g->count[p]; b++)
        if (a != b) edge[g->below[p][a]][g->below[p][b]] = true;
  }
}

static int fill(const Graph* g) {
  int sum = 0;
  for (int i = 0; i < g->n; i++) sum += g->count[i];
  return sum;
}

static void random_graphs_match(bool least_fill) {
  static Graph g;
  plRandom r = {12};
  plArena arena;
  pl_arena_init(&arena);
  for (int k = 0; k < 200; k++) {
    pl_arena_reset(&arena);
    memset(&g, 0, sizeof g);
    g.n = 1 + pl_random_int(&r, least_fill ? PL_SAP_FILL_MOST : MAX_N);
    int edges = pl_random_int(&r, 3 * g.n + 1);
    for (int i = 0; i < g.n; i++) g.weight[i] = 1 + pl_random_int(&r, 30);
    for (int e = 0; e < edges; e++) {
      int i = pl_random_int(&r, g.n), j = pl_random_int(&r, g.n);
      if (i != j) g.edge[i][j] = g.edge[j][i] = true;
    }
    CHECK(least_fill ? make_fill_order(&g, &arena) : make_order(&g, &arena));
    check_elimination(&g, least_fill);
  }
  pl_arena_free(&arena);
}

static void random_graphs_match_brute_force(void) { random_graphs_match(false); }
static void random_graphs_by_fill_match_brute_force(void) { random_graphs_match(true); }

static void chain_and_star_have_no_fill(void) {
  static Graph g;
  plArena arena;
  pl_arena_init(&arena);
  g.n = 25;
  for (int i = 0; i < g.n; i++) g.weight[i] = 27;
  for (int i = 0; i + 1 < g.n; i++) g.edge[i][i + 1] = g.edge[i + 1][i] = true;
  CHECK(make_order(&g, &arena));
  CHECK_INT(fill(&g), 24);
  memset(g.edge, 0, sizeof g.edge);
  for (int i = 1; i < g.n; i++) g.edge[0][i] = g.edge[i][0] = true;
  CHECK(make_order(&g, &arena));
  CHECK_INT(fill(&g), 24);
  pl_arena_free(&arena);
}

static void many_bodies_on_one_soft_one_are_eliminated_first(void) {
  static Graph g;
  plArena arena;
  pl_arena_init(&arena);
  g.n = MAX_N;
  for (int i = 0; i < g.n; i++) g.weight[i] = i == 7 ? 240 : 6;
  for (int i = 0; i < g.n; i++)
    if (i != 7) g.edge[7][i] = g.edge[i][7] = true;
  CHECK(make_order(&g, &arena));
  CHECK_INT(fill(&g), MAX_N - 1);
  pl_arena_free(&arena);
}

// the work of the whole factorization
static double total_work(const Graph* g) {
  double sum = 0;
  for (int i = 0; i < g->n; i++) {
    double d = 0;
    for (int k = 0; k < g->count[i]; k++) d += g->weight[g->below[i][k]];
    sum += g->weight[i] * work(d, g->weight[i]);
  }
  return sum;
}

// joints (0) hold two pads, each with held (1, 3) and touched (2, 4) vertices; those touch two sides (5, 6)
// of a body that lies on the ground (7): least work takes the joints before the touched vertices and so joins
// the pads
static void joints_between_pads_come_late(void) {
  static Graph g;
  static const int edges[][2] = {{0, 1}, {0, 3}, {1, 2}, {3, 4}, {2, 5}, {4, 6}, {5, 6}, {5, 7}, {6, 7}};
  static const int weight[] = {3, 51, 63, 48, 66, 132, 147, 102};
  plArena arena;
  pl_arena_init(&arena);
  g.n = 8;
  for (int i = 0; i < g.n; i++) g.weight[i] = weight[i];
  for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
    g.edge[edges[e][0]][edges[e][1]] = g.edge[edges[e][1]][edges[e][0]] = true;
  CHECK(make_order(&g, &arena));
  double by_work = total_work(&g);
  CHECK(make_fill_order(&g, &arena));
  CHECK(total_work(&g) < 0.87 * by_work);
  int when[8];
  for (int k = 0; k < g.n; k++) when[g.order[k]] = k;
  for (int i = 1; i <= 4; i++) CHECK(when[0] > when[i]);
  pl_arena_free(&arena);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(random_graphs_match_brute_force);
  RUN(random_graphs_by_fill_match_brute_force);
  RUN(joints_between_pads_come_late);
  RUN(chain_and_star_have_no_fill);
  RUN(many_bodies_on_one_soft_one_are_eliminated_first);
  return CHECK_END;
}

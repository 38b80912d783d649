// order.c: a fill-reducing elimination order of the cliques by least work, on a quotient graph.
//
// Eliminating node p joins its neighbours. The joined set is kept as an "element" instead of as edges (George
// and Liu): the neighbours of a node are its remaining edges A_i and the boundaries of its elements E_i.
// Elements of p are absorbed by p. Degrees are exact and count scalars (weights). Since cliques differ in
// size, the next node is not that of least degree d but that of least work per scalar, d^2 + d s + s^2 / 3
// for a clique of s. Nodes whose neighbours are all joined already (they have one edge or one element only)
// cause no fill and precede all of these. Nodes requested early come first of all. Graphs are small (cliques,
// not degrees of freedom), so plain lists suffice. linalg/order_degree.c orders the vertices of a body, of
// which there are thousands of equal size, with approximate degrees and merged vertices. It has no weights,
// no early nodes and no boundaries.
#include <assert.h>

#include "sap/workspace.h"

typedef struct Graph {
  int n;
  const int* weight;
  const bool* early;
  int *a0, *na, *list;  // edges of i: list[a0[i] .. a0[i] + na[i]), followed by its ne[i] elements
  int* ne;
  int* mark;  // last visit
  int* degree;
  int** below;
  int* count;
  int stamp;
} Graph;

// the boundary of node p: its neighbours by edges and by elements, without p itself
static int gather(Graph* g, int p, int* out) {
  int n = 0;
  g->mark[p] = ++g->stamp;
  for (int k = 0; k < g->na[p]; k++) {
    int i = g->list[g->a0[p] + k];
    if (g->mark[i] != g->stamp) g->mark[i] = g->stamp, out[n++] = i;
  }
  for (int k = 0; k < g->ne[p]; k++) {
    int e = g->list[g->a0[p] + g->na[p] + k];
    for (int j = 0; j < g->count[e]; j++) {
      int i = g->below[e][j];
      // nodes eliminated since the element was made have degree -1
      if (g->degree[i] >= 0 && g->mark[i] != g->stamp) g->mark[i] = g->stamp, out[n++] = i;
    }
  }
  assert(n < g->n);
  return n;
}

// Removes the edges of i into the boundary of p and the elements that p absorbed, and adds element p; a node
// is in the boundary if in_p == stamp_p.
static void update_lists(Graph* g, int i, int p, const int* in_p, int stamp_p, const int* absorbed) {
  int *l = g->list + g->a0[i], na = 0, ne = 0, *e = l + g->na[i];
  int old_na = g->na[i], old_ne = g->ne[i];
  for (int k = 0; k < old_na; k++)
    if (l[k] != p && in_p[l[k]] != stamp_p) l[na++] = l[k];
  for (int k = 0; k < old_ne; k++)
    if (!absorbed[e[k]]) l[na + ne++] = e[k];
  l[na + ne++] = p;
  assert(na + ne <= old_na + old_ne);
  g->na[i] = na, g->ne[i] = ne;
}

static int weight_of(const Graph* g, const int* nodes, int n) {
  int sum = 0;
  for (int k = 0; k < n; k++) sum += g->weight[nodes[k]];
  return sum;
}

// work per scalar of eliminating node i now; 0 if it causes no fill
static double work(const Graph* g, int i) {
  if (g->na[i] + g->ne[i] <= 1) return 0;
  double d = g->degree[i], s = g->weight[i];
  return d * (d + s) + s * s / 3;
}

static bool before(const Graph* g, int i, int j) {
  if (g->early && g->early[i] != g->early[j]) return g->early[i];
  return work(g, i) < work(g, j);
}

bool pl_sap_order(plArena* arena, int n, const int* weight, const bool* early, const int* adj0,
                  const int* adj, int* order, int** below, int* count) {
  Graph g = {.n = n, .weight = weight, .early = early, .below = below, .count = count};
  g.a0 = PL_ARENA_NEW(arena, int, n), g.na = PL_ARENA_NEW(arena, int, n), g.ne = PL_ARENA_NEW(arena, int, n);
  g.list = PL_ARENA_NEW(arena, int, adj0[n]), g.mark = PL_ARENA_NEW(arena, int, n),
  g.degree = PL_ARENA_NEW(arena, int, n);
  int *buffer = PL_ARENA_NEW(arena, int, n), *in_p = PL_ARENA_NEW(arena, int, n),
      *absorbed = PL_ARENA_NEW(arena, int, n);
  if (arena->failed) return false;
  for (int i = 0; i < n; i++) {
    g.a0[i] = adj0[i], g.na[i] = adj0[i + 1] - adj0[i], g.ne[i] = 0, g.mark[i] = in_p[i] = absorbed[i] = 0,
    count[i] = 0;
    for (int k = adj0[i]; k < adj0[i + 1]; k++) g.list[k] = adj[k];
    g.degree[i] = weight_of(&g, adj + adj0[i], g.na[i]);
  }
  for (int step = 0; step < n; step++) {
    // the cheapest node, lowest index first
    int p = -1;
    for (int i = 0; i < n; i++)
      if (g.degree[i] >= 0 && (p < 0 || before(&g, i, p))) p = i;
    int nb = gather(&g, p, buffer);
    order[step] = p, g.degree[p] = -1, count[p] = nb;
    below[p] = PL_ARENA_NEW(arena, int, nb);
    if (!below[p]) return false;
    for (int k = 0; k < nb; k++) below[p][k] = buffer[k], in_p[buffer[k]] = step + 1;
    for (int k = 0; k < g.ne[p]; k++) absorbed[g.list[g.a0[p] + g.na[p] + k]] = 1;
    for (int k = 0; k < nb; k++) update_lists(&g, below[p][k], p, in_p, step + 1, absorbed);
    for (int k = 0; k < nb; k++) {
      int i = below[p][k], m = gather(&g, i, buffer);
      g.degree[i] = weight_of(&g, buffer, m);
    }
  }
  return true;
}

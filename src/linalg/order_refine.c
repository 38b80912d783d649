// order_refine.c: makes a vertex separator smaller by moving its vertices to one side or the other (Fiduccia
// and Mattheyses).
//
// Moving a vertex of the separator to one side brings its neighbours on the other side into the separator.
// The best moves are made in turn, even if they make it larger, each vertex at most once; the best state
// reached is kept.
#include <assert.h>
#include <string.h>

#include "linalg/order_cut.h"

typedef struct Refine {
  const plGraph* graph;
  int* side;      // PL_SIDE_*
  int* other[2];  // [n] for a vertex of the separator: number of neighbours that join if it moves left, right
  int *separator, nsep;
  int* at;             // [n] position in separator
  int* locked;         // [n] pass in which the vertex moved
  int pass, count[2];  // vertices left and right
  int *trail, ntrail;  // per move: vertices that joined, their number, the vertex, its new side
} Refine;

static int opposite(int side) { return side == PL_SIDE_LEFT ? PL_SIDE_RIGHT : PL_SIDE_LEFT; }
static int index_of(int side) { return side == PL_SIDE_LEFT ? 0 : 1; }

static void enter_separator(Refine* r, int v) {
  const plGraph* g = r->graph;
  assert(r->nsep < g->n);
  r->at[v] = r->nsep, r->separator[r->nsep++] = v;
  r->side[v] = PL_SIDE_CUT;
  r->other[0][v] = r->other[1][v] = 0;
  for (int q = g->start[v]; q < g->start[v + 1]; q++) {
    int s = r->side[g->neighbour[q]];
    if (s == PL_SIDE_LEFT || s == PL_SIDE_RIGHT) r->other[index_of(opposite(s))][v]++;
  }
}

static void leave_separator(Refine* r, int v) {
  int last = r->separator[--r->nsep];
  r->separator[r->at[v]] = last, r->at[last] = r->at[v];
}

// Updates the separator's vertices next to v after v left or joined a side.
static void tell_neighbours(Refine* r, int v, int side, int change) {
  const plGraph* g = r->graph;
  int* drawn = r->other[index_of(opposite(side))];
  for (int q = g->start[v]; q < g->start[v + 1]; q++)
    if (r->side[g->neighbour[q]] == PL_SIDE_CUT) drawn[g->neighbour[q]] += change;
  r->count[index_of(side)] += change;
}

static void move(Refine* r, int v, int to) {
  const plGraph* g = r->graph;
  int drawn = 0;
  leave_separator(r, v);
  r->side[v] = to, r->locked[v] = r->pass;
  tell_neighbours(r, v, to, 1);
  for (int q = g->start[v]; q < g->start[v + 1]; q++) {
    int u = g->neighbour[q];
    if (r->side[u] != opposite(to)) continue;
    tell_neighbours(r, u, opposite(to), -1);
    enter_separator(r, u);
    r->trail[r->ntrail++] = u, drawn++;
  }
  r->trail[r->ntrail++] = drawn, r->trail[r->ntrail++] = v, r->trail[r->ntrail++] = to;
  assert(r->ntrail <= 4 * g->n);
}

// Undoes the moves beyond the given length of the trail. Only sides are restored.
static void take_back(Refine* r, int length) {
  while (r->ntrail > length) {
    int to = r->trail[--r->ntrail], v = r->trail[--r->ntrail], drawn = r->trail[--r->ntrail];
    r->side[v] = PL_SIDE_CUT;
    while (drawn--) r->side[r->trail[--r->ntrail]] = opposite(to);
  }
}

// The best admissible move: largest reduction, then towards the smaller side, then the first found.
static bool best_move(const Refine* r, int limit, int* vertex, int* to) {
  int best = -(1 << 30);
  for (int k = 0; k < r->nsep; k++) {
    int v = r->separator[k];
    if (r->locked[v] == r->pass) continue;
    for (int s = 0; s < 2; s++) {
      if (r->count[s] >= limit) continue;
      int gain = -2 * r->other[s][v] + (r->count[s] < r->count[1 - s]);
      if (gain > best) best = gain, *vertex = v, *to = s ? PL_SIDE_RIGHT : PL_SIDE_LEFT;
    }
  }
  return best > -(1 << 30);
}

double pl_separator_cost(int n, int separator, int left) {
  int right = n - separator - left, smaller = left < right ? left : right;
  double share = (double)(n - separator - 2 * smaller) / n;
  return (double)separator * (1 + 2 * share * share);
}

static bool refine_once(Refine* r, const int* part, int n) {
  r->nsep = r->count[0] = r->count[1] = r->ntrail = 0;
  r->pass++;
  for (int k = 0; k < n; k++) {
    int s = r->side[part[k]];
    if (s == PL_SIDE_CUT)
      enter_separator(r, part[k]);
    else
      r->count[index_of(s)]++;
  }
  int patience = 40 + r->nsep / 4, idle = 0, best_length = 0, limit = (int)(PL_LARGEST_SIDE * n), vertex = 0,
      to = 0;
  double start = pl_separator_cost(n, r->nsep, r->count[0]), best = start;
  while (idle < patience && best_move(r, limit, &vertex, &to)) {
    if (r->ntrail + 3 + r->graph->start[vertex + 1] - r->graph->start[vertex] > 4 * r->graph->n) break;
    move(r, vertex, to);
    double cost = pl_separator_cost(n, r->nsep, r->count[0]);
    if (cost < best)
      best = cost, best_length = r->ntrail, idle = 0;
    else
      idle++;
  }
  take_back(r, best_length);
  return best < start;
}

void pl_separator_refine(const plGraph* graph, const int* part, int n, int* side, int* work, int* pass) {
  int size = graph->n;
  Refine r = {.graph = graph,
              .side = side,
              .other = {work, work + size},
              .separator = work + 2 * size,
              .at = work + 3 * size,
              .locked = work + 4 * size,
              .trail = work + 5 * size,
              .pass = *pass};
  for (int k = 0; k < 8 && refine_once(&r, part, n); k++) {
  }
  *pass = r.pass;
}

// order_fill.c: an elimination order of a small number of cliques by least fill.
//
// The rule of order.c eliminates a small clique between large ones too early and thereby joins cliques that
// only it connects: a gripper's few joints, and the many vertices of each of its pads. Least fill leaves it
// to the end. Sets of nodes are the bits of a word.
#include <assert.h>
#include <stdint.h>

#include "sap/workspace.h"

static int lowest(uint64_t set) { return __builtin_ctzll(set); }

static double weight_of(const int* weight, uint64_t set) {
  double sum = 0;
  for (; set; set &= set - 1) sum += weight[lowest(set)];
  return sum;
}

// The number of entries between nodes of the set that no edge joins, each counted twice; the sum of integers
// is exact.
static double missing(const int* weight, const uint64_t* edge, uint64_t set) {
  double sum = 0;
  for (uint64_t left = set; left; left &= left - 1) {
    int i = lowest(left);
    sum += weight[i] * weight_of(weight, set & ~edge[i] & ~(1ULL << i));
  }
  return sum;
}

// The remaining node of least fill; the first of equals.
static int next_node(const int* weight, const uint64_t* edge, uint64_t left) {
  int best = -1;
  double least = 0;
  for (uint64_t set = left; set; set &= set - 1) {
    int i = lowest(set);
    double fill = missing(weight, edge, edge[i]);
    if (best < 0 || fill < least) best = i, least = fill;
    if (least == 0) break;
  }
  return best;
}

bool pl_sap_order_fill(plArena* arena, int n, const int* weight, const int* adj0, const int* adj, int* order,
                       int** below, int* count) {
  assert(n <= PL_SAP_FILL_MOST);
  uint64_t edge[PL_SAP_FILL_MOST] = {0}, left = n ? ~0ULL >> (64 - n) : 0;
  for (int i = 0; i < n; i++)
    for (int k = adj0[i]; k < adj0[i + 1]; k++) edge[i] |= 1ULL << adj[k];
  for (int step = 0; step < n; step++) {
    int p = order[step] = next_node(weight, edge, left);
    left &= ~(1ULL << p);
    count[p] = __builtin_popcountll(edge[p]);
    below[p] = PL_ARENA_NEW(arena, int, count[p]);
    if (!below[p]) return false;
    int* out = below[p];
    for (uint64_t set = edge[p]; set; set &= set - 1) {
      int i = *out++ = lowest(set);
      edge[i] = (edge[i] | edge[p]) & ~(1ULL << i) & ~(1ULL << p);
    }
  }
  return true;
}

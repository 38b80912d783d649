// pattern.c: the block pattern of H = A + J' G J over the touched cliques, its order of elimination and its
// supernodes.
//
// Two cliques are joined if a constraint acts on both, or if A couples them. order.c or order_fill.c computes
// the elimination order and with it the pattern of L. Cliques on which only bilateral constraints act have
// the same rows of H in every iteration of a solve. They are eliminated before all other cliques that they
// are joined with and are factored once (unless that makes the rest so dense that it costs more). Columns of
// L with nearly the same rows below are merged into one supernode, a dense panel; the added entries are
// stored as zeros. The pattern is kept for the next call and used if that problem has the same cliques in the
// same constraints. Idle constraints (open, and expected to stay open) are left out.
#include <assert.h>
#include <string.h>

#include "sap/workspace.h"

// ---- does the kept pattern belong to this problem?

static bool is_bilateral(const plSapWorkspace* ws, int constraint) {
  return ws->problem->constraint[constraint].law == PL_SAP_BILATERAL;
}

static bool same_pattern(const plSapWorkspace* ws) {
  const plSapPattern* p = &ws->pattern;
  const plSapLayout* lay = &ws->lay;
  if (!ws->pattern_valid || p->nclique != lay->nclique || p->nconstraint != lay->nconstraint ||
      p->nblock != lay->nblock || p->ncoupling != ws->problem->ncoupling ||
      p->impulse != (ws->problem->impulse != NULL))
    return false;
  for (int c = 0; c < lay->nclique; c++)
    if (p->key_nv[c] != ws->problem->clique_nv[c]) return false;
  if (memcmp(p->key_blk0, lay->con_blk0, ((size_t)lay->nconstraint + 1) * sizeof(int))) return false;
  for (int k = 0; k < lay->nblock; k++)
    if (p->key_clique[k] != lay->blk[k].clique) return false;
  for (int i = 0; i < lay->nconstraint; i++)
    if (p->key_bilateral[i] != is_bilateral(ws, i) || p->key_idle[i] != lay->con_idle[i]) return false;
  for (int k = 0; k < p->ncoupling; k++)
    if (p->key_coupling[2 * k] != ws->problem->coupling[k].row ||
        p->key_coupling[2 * k + 1] != ws->problem->coupling[k].col)
      return false;
  return true;
}

static bool keep_key(plSapWorkspace* ws) {
  plSapPattern* p = &ws->pattern;
  const plSapLayout* lay = &ws->lay;
  plArena* arena = &ws->pattern_arena;
  *p = (plSapPattern){.nclique = lay->nclique,
                      .nconstraint = lay->nconstraint,
                      .nblock = lay->nblock,
                      .ncoupling = ws->problem->ncoupling,
                      .impulse = ws->problem->impulse != NULL};
  p->key_nv = PL_ARENA_NEW(arena, int, lay->nclique);
  p->key_blk0 = PL_ARENA_NEW(arena, int, lay->nconstraint + 1);
  p->key_clique = PL_ARENA_NEW(arena, int, lay->nblock);
  p->key_bilateral = PL_ARENA_NEW(arena, bool, lay->nconstraint);
  p->key_idle = PL_ARENA_NEW(arena, bool, lay->nconstraint);
  p->key_coupling = PL_ARENA_NEW(arena, int, 2 * p->ncoupling);
  p->clique_pos = PL_ARENA_NEW(arena, int, lay->nclique);
  if (arena->failed) return false;
  for (int c = 0; c < lay->nclique; c++) p->key_nv[c] = ws->problem->clique_nv[c];
  memcpy(p->key_blk0, lay->con_blk0, ((size_t)lay->nconstraint + 1) * sizeof(int));
  for (int k = 0; k < lay->nblock; k++) p->key_clique[k] = lay->blk[k].clique;
  for (int i = 0; i < lay->nconstraint; i++)
    p->key_bilateral[i] = is_bilateral(ws, i), p->key_idle[i] = lay->con_idle[i];
  for (int k = 0; k < p->ncoupling; k++)
    p->key_coupling[2 * k] = ws->problem->coupling[k].row,
                        p->key_coupling[2 * k + 1] = ws->problem->coupling[k].col;
  return true;
}

// ---- the graph of touched cliques: node ids are in clique order; clique_pos holds them until positions are
// known

typedef struct Graph {
  int n;
  int *clique, *weight;  // [n]
  bool* once;            // [n] only bilateral constraints act on it
  int *adj0, *adj;       // neighbours
  int *order, **below, *count;
} Graph;

static bool find_nodes(plSapWorkspace* ws, Graph* g) {
  const plSapLayout* lay = &ws->lay;
  int* node = ws->pattern.clique_pos;
  for (int c = 0; c < lay->nclique; c++)
    node[c] = ws->pattern.impulse && ws->problem->clique_nv[c] > 0 ? 0 : -1;
  for (int i = 0; i < lay->nconstraint; i++)
    for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1]; k++)
      if (lay->blk_ncol[k] > 0 && !lay->con_idle[i]) node[lay->blk[k].clique] = 0;
  // cliques coupled to a touched clique count as touched
  for (bool more = true; more;) {
    more = false;
    for (int k = 0; k < ws->problem->ncoupling; k++) {
      const plSapCoupling* c = ws->problem->coupling + k;
      if ((node[c->row] == 0) == (node[c->col] == 0)) continue;
      node[c->row] = node[c->col] = 0, more = true;
    }
  }
  g->n = 0;
  for (int c = 0; c < lay->nclique; c++)
    if (node[c] == 0) node[c] = g->n++;
  g->clique = PL_ARENA_NEW(&ws->scratch, int, g->n);
  g->weight = PL_ARENA_NEW(&ws->scratch, int, g->n);
  g->once = PL_ARENA_NEW(&ws->scratch, bool, g->n);
  if (ws->scratch.failed) return false;
  for (int c = 0; c < lay->nclique; c++)
    if (node[c] >= 0)
      g->clique[node[c]] = c, g->weight[node[c]] = ws->problem->clique_nv[c], g->once[node[c]] = true;
  for (int i = 0; i < lay->nconstraint; i++)
    for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1]; k++)
      if (node[lay->blk[k].clique] >= 0 && !is_bilateral(ws, i) && !lay->con_idle[i])
        g->once[node[lay->blk[k].clique]] = false;
  return true;
}

// constraints of each node, as lists
static bool node_constraints(plSapWorkspace* ws, const Graph* g, int** first, int** list) {
  const plSapLayout* lay = &ws->lay;
  const int* node = ws->pattern.clique_pos;
  int *f = *first = PL_ARENA_NEW(&ws->scratch, int, g->n + 2),
      *l = *list = PL_ARENA_NEW(&ws->scratch, int, lay->nblock);
  if (ws->scratch.failed) return false;
  memset(f, 0, ((size_t)g->n + 2) * sizeof(int));
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < lay->nconstraint; i++)
      for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1] && !lay->con_idle[i]; k++) {
        int at = node[lay->blk[k].clique];
        if (at < 0) continue;
        assert(at < g->n && (!pass || f[at + 1] < lay->nblock));
        if (pass)
          l[f[at + 1]++] = i;
        else
          f[at + 2]++;
      }
    for (int i = 0; !pass && i < g->n; i++) f[i + 2] += f[i + 1];
  }
  return true;
}

// Writes the neighbours of node i, which is clique c, to out (NULL: only counted).
static int neighbours(const plSapWorkspace* ws, int i, int c, const int* first, const int* list, int* mark,
                      int* out) {
  const plSapLayout* lay = &ws->lay;
  int n = 0;
  mark[i] = i + 1;
  for (int q = first[i]; q < first[i + 1]; q++)
    for (int k = lay->con_blk0[list[q]]; k < lay->con_blk0[list[q] + 1]; k++) {
      int j = ws->pattern.clique_pos[lay->blk[k].clique];
      if (j < 0 || mark[j] == i + 1) continue;
      mark[j] = i + 1;
      if (out) out[n] = j;
      n++;
    }
  for (int q = lay->coupling0[c]; q < lay->coupling0[c + 1]; q++) {
    const plSapCoupling* e = ws->problem->coupling + lay->coupling[q];
    int j = ws->pattern.clique_pos[e->row == c ? e->col : e->row];
    assert(j >= 0);
    if (mark[j] == i + 1) continue;
    mark[j] = i + 1;
    if (out) out[n] = j;
    n++;
  }
  return n;
}

// Estimated work of a solve with a few iterations and the present order.
static double work_of(const Graph* g) {
  enum { ITERATIONS = 4 };
  double sum = 0;
  for (int i = 0; i < g->n; i++) {
    double s = g->weight[i], d = 0;
    for (int k = 0; k < g->count[i]; k++) d += g->weight[g->below[i][k]];
    sum += (g->once[i] ? 1 : ITERATIONS) * s * (d * d + d * s + s * s / 3);
  }
  return sum;
}

// The same graph with room for another order. below: lists made by the ordering.
static bool another(plArena* arena, const Graph* g, Graph* out) {
  *out = *g;
  out->order = PL_ARENA_NEW(arena, int, g->n), out->below = PL_ARENA_NEW(arena, int*, g->n),
  out->count = PL_ARENA_NEW(arena, int, g->n);
  out->once = PL_ARENA_NEW(arena, bool, g->n);
  if (arena->failed) return false;
  memcpy(out->once, g->once, (size_t)g->n * sizeof(bool));
  return true;
}

// A node that receives an update from a node that changes, changes too.
static void spread_change(Graph* g) {
  for (int k = 0; k < g->n; k++) {
    int i = g->order[k];
    for (int q = 0; !g->once[i] && q < g->count[i]; q++) g->once[g->below[i][q]] = false;
  }
}

// The cheapest of three orders: constant nodes first, whatever the fill; least work; least fill.
static bool find_order(plSapWorkspace* ws, Graph* g) {
  plArena* arena = &ws->scratch;
  Graph work, fill;
  if (!another(arena, g, &work) || !another(arena, g, &fill)) return false;
  if (!pl_sap_order(arena, g->n, g->weight, g->once, g->adj0, g->adj, g->order, g->below, g->count))
    return false;
  if (!pl_sap_order(arena, g->n, g->weight, NULL, g->adj0, g->adj, work.order, work.below, work.count))
    return false;
  spread_change(&work);
  if (work_of(&work) < work_of(g)) *g = work;
  if (g->n > PL_SAP_FILL_MOST) return true;
  if (!pl_sap_order_fill(arena, g->n, g->weight, g->adj0, g->adj, fill.order, fill.below, fill.count))
    return false;
  spread_change(&fill);
  if (work_of(&fill) < work_of(g)) *g = fill;
  return true;
}

static bool build_graph(plSapWorkspace* ws, Graph* g) {
  int *first, *list;
  if (!find_nodes(ws, g) || !node_constraints(ws, g, &first, &list)) return false;
  int* mark = PL_ARENA_NEW(&ws->scratch, int, g->n);
  g->adj0 = PL_ARENA_NEW(&ws->scratch, int, g->n + 1);
  g->order = PL_ARENA_NEW(&ws->scratch, int, g->n);
  g->below = PL_ARENA_NEW(&ws->scratch, int*, g->n);
  g->count = PL_ARENA_NEW(&ws->scratch, int, g->n);
  if (ws->scratch.failed) return false;
  memset(mark, 0, (size_t)g->n * sizeof(int));
  g->adj0[0] = 0;
  for (int i = 0; i < g->n; i++)
    g->adj0[i + 1] = g->adj0[i] + neighbours(ws, i, g->clique[i], first, list, mark, NULL);
  g->adj = PL_ARENA_NEW(&ws->scratch, int, g->adj0[g->n]);
  if (ws->scratch.failed) return false;
  memset(mark, 0, (size_t)g->n * sizeof(int));
  int found = 0;
  for (int i = 0; i < g->n; i++)
    found += neighbours(ws, i, g->clique[i], first, list, mark, g->adj + g->adj0[i]);
  assert(found == g->adj0[g->n]);  // as many as were counted
  ws->pattern.nblock_hessian = g->n + g->adj0[g->n] / 2;
  return find_order(ws, g);
}

// ---- positions: the elimination tree in postorder

static bool number_positions(plSapWorkspace* ws, const Graph* g, int* node_pos, int* parent_pos) {
  plArena* arena = &ws->scratch;
  int n = g->n, *step = PL_ARENA_NEW(arena, int, n), *parent = PL_ARENA_NEW(arena, int, n),
      *child = PL_ARENA_NEW(arena, int, n);
  int *sibling = PL_ARENA_NEW(arena, int, n), *stack = PL_ARENA_NEW(arena, int, n), top = 0, next = 0,
      root = -1;
  if (arena->failed) return false;
  for (int k = 0; k < n; k++) step[g->order[k]] = k, child[k] = -1;
  // parent: the first node below that is eliminated; children are linked so that the heaviest come last
  for (int i = 0; i < n; i++) {
    parent[i] = -1;
    for (int k = 0; k < g->count[i]; k++)
      if (parent[i] < 0 || step[g->below[i][k]] < step[parent[i]]) parent[i] = g->below[i][k];
  }
  for (int k = 0; k < n; k++) {
    int i = g->order[k];
    int* head = parent[i] < 0 ? &root : &child[parent[i]];
    sibling[i] = *head, *head = i;
  }
  // depth first; a node is numbered after its children
  for (int i = root; i >= 0; i = sibling[i]) {
    stack[top++] = i;
    while (top) {
      assert(top <= n && next < n);
      int j = stack[top - 1], c = child[j];
      assert(c < 0 || top < n);
      if (c >= 0)
        child[j] = sibling[c], stack[top++] = c;
      else
        node_pos[j] = next++, top--;
    }
  }
  assert(next == n);
  for (int i = 0; i < n; i++) parent_pos[node_pos[i]] = parent[i] < 0 ? -1 : node_pos[parent[i]];
  return true;
}

// ---- supernodes

// Whether two neighbouring supernodes are merged; cols and below of the result are in scalars, zeros is the
// number of added zeros.
static bool worth_merging(double cols, double below, double zeros, bool chain) {
  double share = zeros / (cols * (cols + 1) / 2 + cols * below);
  return share < 0.05 ||
         (chain && (cols <= 16 || (cols <= 48 && share < 0.3) || (cols <= 96 && share < 0.15)));
}

// Whether all rows below node i are also below node j.
static bool rows_within(const Graph* g, int i, int j) {
  for (int a = 0, b; a < g->count[i]; a++) {
    for (b = 0; b < g->count[j] && g->below[j][b] != g->below[i][a]; b++) {
    }
    if (b == g->count[j]) return false;
  }
  return true;
}

// A position joins the previous supernode if it is the parent of that supernode's last position, or has the
// same parent and all of its rows.
static void find_supernodes(plSapPattern* p, const Graph* g, const int* pos_node, const int* below_weight,
                            const int* parent_pos) {
  double cols = 0, zeros = 0;
  p->nsuper = 0;
  for (int k = 0; k < p->npos; k++) {
    double w = p->pos_x0[k + 1] - p->pos_x0[k], below = below_weight[k];
    bool once = g->once[pos_node[k]], chain = k > 0 && parent_pos[k - 1] == k;
    if (k > 0 && g->once[pos_node[k - 1]] == once &&
        (chain || (parent_pos[k - 1] == parent_pos[k] && rows_within(g, pos_node[k - 1], pos_node[k])))) {
      // the columns so far would have rows up to w + below instead of their own
      double more = zeros + cols * (w + below - below_weight[k - 1]);
      if (worth_merging(cols + w, below, more, chain)) {
        cols += w, zeros = more;
        continue;
      }
    }
    p->super_once[p->nsuper] = once;
    p->super_pos0[p->nsuper++] = k;
    cols = w, zeros = 0;
  }
  p->super_pos0[p->nsuper] = p->npos;
}

static void sort_ints(int* a, int n) {
  for (int i = 1; i < n; i++)
    for (int j = i, t = a[i]; j > 0 && a[j - 1] > t; j--) a[j] = a[j - 1], a[j - 1] = t;
}

// the rows below a supernode are those below its last column
static bool lay_panels(plSapWorkspace* ws, const Graph* g, const int* pos_node, const int* node_pos) {
  plSapPattern* p = &ws->pattern;
  plArena* arena = &ws->pattern_arena;
  int total = 0;
  for (int s = 0; s < p->nsuper; s++) total += g->count[pos_node[p->super_pos0[s + 1] - 1]];
  p->super_row0 = PL_ARENA_NEW(arena, int, p->nsuper + 1);
  p->super_below = PL_ARENA_NEW(arena, int, p->nsuper);
  p->super_triangle = PL_ARENA_NEW(arena, size_t, p->nsuper);
  p->super_rectangle = PL_ARENA_NEW(arena, size_t, p->nsuper);
  p->row_pos = PL_ARENA_NEW(arena, int, total);
  p->row_offset = PL_ARENA_NEW(arena, int, total);
  p->pos_super = PL_ARENA_NEW(arena, int, p->npos);
  p->tree_super0 = PL_ARENA_NEW(arena, int, p->nsuper + 1);
  if (arena->failed) return false;
  p->super_row0[0] = p->tree_super0[0] = 0;
  for (int s = 0; s < p->nsuper; s++) {
    int first = p->super_pos0[s], last = p->super_pos0[s + 1] - 1, node = pos_node[last], n = g->count[node];
    int cols = p->pos_x0[last + 1] - p->pos_x0[first], below = 0, *row = p->row_pos + p->super_row0[s];
    assert(p->super_row0[s] + n <= total);
    for (int k = 0; k < n; k++) row[k] = node_pos[g->below[node][k]];
    sort_ints(row, n);
    for (int k = 0; k < n; k++) {
      p->row_offset[p->super_row0[s] + k] = below;
      below += p->pos_x0[row[k] + 1] - p->pos_x0[row[k]];
    }
    for (int k = first; k <= last; k++) p->pos_super[k] = s;
    p->super_row0[s + 1] = p->super_row0[s] + n;
    p->super_below[s] = below;
    if (!below) p->tree_super0[++p->ntree] = s + 1;
    p->super_triangle[s] = p->size, p->size += pl_triangle_size(cols);
    p->super_rectangle[s] = p->size, p->size += pl_rectangle_size(below, cols);
    if (below > p->below_max) p->below_max = below;
    if (cols > p->column_max) p->column_max = cols;
    double c = cols, b = below;
    *(p->super_once[s] ? &p->once_flops : &p->flops) += c * c * c / 3 + c * c * b + c * b * b;
    p->nblock_factor += (last - first + 1) * (last - first + 2) / 2 + (last - first + 1) * n;
  }
  assert(p->super_row0[p->nsuper] == total && p->tree_super0[p->ntree] == p->nsuper);
  return true;
}

int pl_sap_row_in(const plSapPattern* p, int s, int r) {
  if (r < p->super_pos0[s + 1]) return p->pos_x0[r] - p->pos_x0[p->super_pos0[s]];
  int lo = p->super_row0[s], hi = p->super_row0[s + 1] - 1;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (p->row_pos[mid] < r)
      lo = mid + 1;
    else
      hi = mid;
  }
  assert(p->row_pos[lo] == r);
  return p->row_offset[lo];
}

static bool build(plSapWorkspace* ws) {
  Graph g;
  plSapPattern* p = &ws->pattern;
  if (!keep_key(ws) || !build_graph(ws, &g)) return false;
  int n = p->npos = g.n;
  plArena *keep = &ws->pattern_arena, *tmp = &ws->scratch;
  p->pos_clique = PL_ARENA_NEW(keep, int, n);
  p->pos_x0 = PL_ARENA_NEW(keep, int, n + 1);
  p->super_pos0 = PL_ARENA_NEW(keep, int, n + 1);
  p->super_once = PL_ARENA_NEW(keep, bool, n);
  int *node_pos = PL_ARENA_NEW(tmp, int, n), *pos_node = PL_ARENA_NEW(tmp, int, n),
      *parent_pos = PL_ARENA_NEW(tmp, int, n);
  int* below_weight = PL_ARENA_NEW(tmp, int, n);
  if (keep->failed || tmp->failed || !number_positions(ws, &g, node_pos, parent_pos)) return false;
  for (int i = 0; i < n; i++) pos_node[node_pos[i]] = i;
  p->pos_x0[0] = 0;
  for (int k = 0; k < n; k++) {
    int node = pos_node[k];
    p->pos_clique[k] = g.clique[node];
    p->clique_pos[g.clique[node]] = k;
    if (g.weight[node] > p->block_max) p->block_max = g.weight[node];
    p->pos_x0[k + 1] = p->pos_x0[k] + g.weight[node];
    below_weight[k] = 0;
    for (int j = 0; j < g.count[node]; j++) below_weight[k] += g.weight[g.below[node][j]];
  }
  find_supernodes(p, &g, pos_node, below_weight, parent_pos);
  assert(p->nsuper <= n);
  return lay_panels(ws, &g, pos_node, node_pos) && pl_sap_entries(ws);
}

bool pl_sap_pattern(plSapWorkspace* ws, bool* reused) {
  *reused = same_pattern(ws);
  if (*reused) return true;
  pl_arena_reset(&ws->pattern_arena);
  ws->pattern_valid = build(ws);
  return ws->pattern_valid;
}

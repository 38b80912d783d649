// symbolic.c: elimination tree, supernodes, amalgamation. Graph and base order in -> tree of fronts with
// their rows out.
//
// A set of participating vertices that is not known yet needs this within a step. Where the sets of rows
// below all columns take little memory, they are computed as bits: the rows below a column are those of the
// matrix and of its children, and the first one is its parent. This has no branches that depend on the
// matrix, which cost most of the time of the other way: a tree by Liu's algorithm, then lists of rows below
// supernodes alone.
#include "linalg/symbolic.h"

#include <assert.h>
#include <string.h>

#include "linalg/panel.h"

typedef struct Builder {
  plSymbolic* s;
  const plGraph* graph;
  plArena* scratch;
  int n, n0;             // vertices, those eliminated
  int *order, *place;    // at the present stage; vertex at a position, and position of a vertex
  int *post, *inverse;   // [n0] first position, in the sets, of the column now at a position; its inverse
  uint64_t* set;         // [n0 words] rows below each column, in the first positions; NULL: too large
  size_t words;          // of a set
  bool sets;             // if they are small enough
  bool* same;            // [n0] an only child has the same rows below, but for the column itself
  int *parent, *nchild;  // elimination tree of the first n0 positions; -1 for roots
  uint64_t* bits;        // a set of positions
  // supernodes: columns start[k] .. start[k + 1] - 1, rows below from list[list0[k]] on
  int nsuper, *start, *list0, *nlist, *list, list_count, list_cap;
  int *super_of, *super_parent;
  int *ncol, *merged_into;  // after amalgamation
} Builder;

// ---- sets of positions

static void set_add(uint64_t* bits, int i) { bits[i >> 6] |= UINT64_C(1) << (i & 63); }

// Lists the members of the set in ascending order and empties it.
static int set_take(uint64_t* bits, int n, int low, int* list) {
  int count = 0;
  for (int w = low >> 6; w <= (n - 1) >> 6; w++)
    for (; bits[w]; bits[w] &= bits[w] - 1) list[count++] = 64 * w + __builtin_ctzll(bits[w]);
  return count;
}

// Number of members of a set of so many words.
static int set_count(const uint64_t* bits, size_t words) {
  int count = 0;
  for (size_t w = 0; w < words; w++) count += __builtin_popcountll(bits[w]);
  return count;
}

// ---- rows below columns, as bits

// Numbers of 64 bits that all sets together may have: 8 MiB.
enum { SETS_MOST = 1 << 20 };

// Removes column j and those before it from its rows below. Returns the first that is left; -1: none is.
static int close_column(uint64_t* set, int j, size_t words) {
  size_t w = (size_t)j >> 6;
  set[w] &= ~UINT64_C(1) << (j & 63);
  while (w < words && !set[w]) w++;
  return w < words ? (int)(64 * w) + __builtin_ctzll(set[w]) : -1;
}

// Whether the rows below column j are those below its child c, but for j itself.
static bool are_same(const uint64_t* of_j, const uint64_t* of_c, int j, size_t words) {
  size_t w = (size_t)j >> 6;
  uint64_t other = (of_c[w] & ~UINT64_C(1) << (j & 63)) ^ of_j[w];
  for (w++; w < words; w++) other |= of_c[w] ^ of_j[w];
  return !other;
}

// Rows below all columns, and the elimination tree from them. The words before a column's own are not used.
static void rows_below(Builder* b) {
  const plGraph* g = b->graph;
  size_t words = b->words;
  int* child = b->nchild;  // the last one; -1: none, -2: several
  memset(b->set, 0, (size_t)b->n0 * words * sizeof *b->set);
  for (int j = 0; j < b->n0; j++) {
    uint64_t* set = b->set + (size_t)j * words;
    int v = b->order[j];
    for (int q = g->start[v]; q < g->start[v + 1]; q++) set_add(set, b->place[g->neighbour[q]]);
    child[j] = -1;
  }
  for (int j = 0; j < b->n0; j++) {
    uint64_t* set = b->set + (size_t)j * words;
    int first = close_column(set, j, words);
    b->same[j] = child[j] >= 0 && are_same(set, b->set + (size_t)child[j] * words, j, words);
    b->parent[j] = -1;
    if (first < 0 || first >= b->n0) continue;
    b->parent[j] = first, child[first] = child[first] == -1 ? j : -2;
    uint64_t* parent = b->set + (size_t)first * words;
    for (size_t w = (size_t)first >> 6; w < words; w++) parent[w] |= set[w];
  }
}

// ---- elimination tree

// Liu's algorithm with path compression.
static void elimination_tree(Builder* b) {
  const plGraph* g = b->graph;
  int* ancestor = b->nchild;
  for (int j = 0; j < b->n0; j++) {
    b->parent[j] = ancestor[j] = -1;
    int v = b->order[j];
    for (int q = g->start[v]; q < g->start[v + 1]; q++) {
      int i = b->place[g->neighbour[q]];
      while (i >= 0 && i < j) {
        int next = ancestor[i];
        ancestor[i] = j;
        if (next < 0) b->parent[i] = j;
        i = next;
      }
    }
  }
}

// Insertion sort of a list of siblings, largest first; equal ones keep their order.
static void sort_children(int* head, int* next, const double* first) {
  int sorted = -1;
  for (int i = *head, following; i >= 0; i = following) {
    following = next[i];
    int* at = &sorted;
    while (*at >= 0 && first[*at] >= first[i]) at = &next[*at];
    next[i] = *at, *at = i;
  }
  *head = sorted;
}

// Depth-first order of a forest given by parents; post[k] is the k-th node. Children are visited in ascending
// order or, if `first` is given, in descending order of it.
static bool postorder(int n, const int* parent, const double* first, int* post, plArena* arena) {
  int *head = PL_ARENA_NEW(arena, int, (size_t)n + 1), *next = PL_ARENA_NEW(arena, int, n),
      *stack = PL_ARENA_NEW(arena, int, n);
  if (!head || !next || !stack) return false;
  for (int i = 0; i <= n; i++) head[i] = -1;
  for (int i = n - 1; i >= 0; i--) {
    int p = parent[i] < 0 ? n : parent[i];
    next[i] = head[p], head[p] = i;
  }
  for (int i = 0; first && i < n; i++) sort_children(&head[i], next, first);
  int count = 0, depth = 0;
  for (int root = head[n]; root >= 0; root = next[root]) {
    stack[depth++] = root;
    while (depth) {
      int i = stack[depth - 1], c = head[i];
      if (c >= 0)
        head[i] = next[c], stack[depth++] = c;
      else
        post[count++] = i, depth--;
    }
  }
  assert(count == n);
  return true;
}

// Renumbers the first n0 positions so that new position k is old position post[k].
static bool renumber(Builder* b, const int* post) {
  int* old = PL_ARENA_NEW(b->scratch, int, b->n0);
  if (!old) return false;
  memcpy(old, b->order, (size_t)b->n0 * sizeof(int));
  for (int k = 0; k < b->n0; k++) b->order[k] = old[post[k]], b->place[b->order[k]] = k;
  return true;
}

static bool tree_in_postorder(Builder* b) {
  int n0 = b->n0;
  if (b->set)
    rows_below(b);
  else
    elimination_tree(b);
  int *post = b->post, *inverse = b->inverse, *old = PL_ARENA_NEW(b->scratch, int, n0);
  if (!old || !postorder(n0, b->parent, NULL, post, b->scratch) || !renumber(b, post)) return false;
  for (int k = 0; k < n0; k++) inverse[post[k]] = k;
  memcpy(old, b->parent, (size_t)n0 * sizeof(int));
  for (int k = 0; k < n0; k++) b->parent[k] = old[post[k]] < 0 ? -1 : inverse[old[post[k]]];
  memset(b->nchild, 0, (size_t)n0 * sizeof(int));
  for (int k = 0; k < n0; k++)
    if (b->parent[k] >= 0) b->nchild[b->parent[k]]++;
  return true;
}

// ---- fundamental supernodes

// A column joins the supernode of its only child if the matrix gives it no additional row.
static bool joins(const Builder* b, int j, const int* mark, int super) {
  if (j == 0 || b->nchild[j] != 1 || b->parent[j - 1] != j) return false;
  if (b->set) return b->same[b->post[j]];
  int v = b->order[j];
  for (int q = b->graph->start[v]; q < b->graph->start[v + 1]; q++) {
    int i = b->place[b->graph->neighbour[q]];
    if (i > j && mark[i] != super) return false;
  }
  return true;
}

// Rows below the columns of the supernode that starts with column j: those of the matrix and those of its
// children, from chain.
static void supernode_rows(Builder* b, int j, const int* head, const int* next, int* mark, int super) {
  int v = b->order[j], *list = b->list + b->list_count, low = b->n;
  for (int q = b->graph->start[v]; q < b->graph->start[v + 1]; q++) {
    int i = b->place[b->graph->neighbour[q]];
    if (i > j) set_add(b->bits, i), low = i < low ? i : low;
  }
  for (int c = head[j]; c >= 0; c = next[c])
    for (int k = 0; k < b->nlist[c]; k++) {
      int i = b->list[b->list0[c] + k];
      if (i > j) set_add(b->bits, i), low = i < low ? i : low;
    }
  int count = low < b->n ? set_take(b->bits, b->n, low, list) : 0;
  assert(b->list_count + count <= b->list_cap);
  for (int k = 0; k < count; k++) mark[list[k]] = super;
  b->list0[super] = b->list_count, b->nlist[super] = count;
  b->list_count += count;
}

// Removes the rows that became columns of the supernode, once its last column is known; passes its rows to
// its parent column.
static void close_supernode(Builder* b, int super, int end, int* head, int* next) {
  b->start[super + 1] = end;
  if (b->set) {
    size_t column = (size_t)b->post[end - 1], w = column >> 6;
    b->nlist[super] = set_count(b->set + column * b->words + w, b->words - w);
    b->list_count += b->nlist[super];
  } else {
    int passed = end - b->start[super] - 1;
    b->list0[super] += passed, b->nlist[super] -= passed;
  }
  double m = b->s->dim * (end - b->start[super] + b->nlist[super]);
  for (int c = 0; c < b->s->dim * (end - b->start[super]); c++)
    b->s->nnz += m - c, b->s->flops += (m - c) * (m - c);
  int parent = b->parent[end - 1];
  if (parent >= 0) next[super] = head[parent], head[parent] = super;
}

static bool supernodes(Builder* b) {
  int n0 = b->n0;
  int *head = PL_ARENA_NEW(b->scratch, int, n0), *next = PL_ARENA_NEW(b->scratch, int, n0),
      *mark = PL_ARENA_NEW(b->scratch, int, b->n);
  if (!head || !next || !mark) return false;
  for (int j = 0; j < n0; j++) head[j] = next[j] = -1;
  for (int i = 0; i < b->n; i++) mark[i] = -1;
  b->nsuper = 0, b->list_count = 0;
  for (int j = 0; j < n0; j++) {
    if (joins(b, j, mark, b->nsuper - 1)) {
      b->super_of[j] = b->nsuper - 1;
      continue;
    }
    if (j) close_supernode(b, b->nsuper - 1, j, head, next);
    b->start[b->nsuper] = j, b->super_of[j] = b->nsuper++;
    if (b->set) continue;
    if (b->list_cap - b->list_count < b->n) {
      int wanted = 2 * b->list_cap + b->n;
      int* grown = pl_realloc(b->list, (size_t)b->list_count, (size_t)wanted, sizeof(int));
      if (!grown) return false;
      b->list = grown, b->list_cap = wanted;
    }
    supernode_rows(b, j, head, next, mark, b->nsuper - 1);
  }
  if (n0) close_supernode(b, b->nsuper - 1, n0, head, next);
  for (int k = 0; k < b->nsuper; k++) {
    int parent = b->parent[b->start[k + 1] - 1];
    b->super_parent[k] = parent < 0 ? -1 : b->super_of[parent];
  }
  return true;
}

// ---- amalgamation

// Estimated cycles of a front: tiles of 24 x 8 for the columns, for the rows below and for the update matrix,
// then adding the update matrix to the parent.
static double front_cost(double dim, double ncol, double nbelow) {
  double w = dim * ncol, n = dim * nbelow;
  double columns = 40 * w + w * w * (w + 24) / 48, below = (n + 12) / 24 * (w / 8 + 0.4) * (150 + 12 * w);
  double update = n * (n + 24) * (w / 16 + 0.2);
  return columns + below + update + 0.5 * n * n + 2000 + 12 * n;
}

// Merges a front into its parent if that saves time and adds few zeros.
static void amalgamate(Builder* b) {
  double* zeros = (double*)PL_ARENA_NEW(b->scratch, double, b->nsuper);
  if (!zeros) return;  // without merging the result is correct too
  memset(zeros, 0, (size_t)b->nsuper * sizeof(double));
  for (int k = 0; k < b->nsuper; k++) b->ncol[k] = b->start[k + 1] - b->start[k], b->merged_into[k] = -1;
  // Children come before parents: when a front is compared with its parent, its own children are already
  // decided.
  for (int k = 0; k < b->nsuper; k++) {
    int p = b->super_parent[k];
    if (p < 0) continue;
    double dim = b->s->dim, c = b->ncol[k], r = b->nlist[k], pc = b->ncol[p], pr = b->nlist[p];
    double let_in = c * (pc + pr - r), all = zeros[k] + zeros[p] + let_in,
           size = (c + pc) * (c + pc + 1) / 2 + (c + pc) * pr;
    bool cheap = front_cost(dim, c + pc, pr) < front_cost(dim, c, r) + front_cost(dim, pc, pr);
    if (let_in == 0 || (cheap && all < 0.25 * size)) {
      b->ncol[p] += b->ncol[k], zeros[p] = all;
      b->merged_into[k] = p;
    }
  }
}

// The priority of a group among its siblings: the peak memory of its subtree beyond what remains afterwards
// (Liu). The children of groups are visited in this order too. Members of a group other than its root count
// 0.
static double* memory_priority(const Builder* b, const int* up) {
  int n = b->nsuper;
  double *priority = PL_ARENA_NEW(b->scratch, double, n), *peak = PL_ARENA_NEW(b->scratch, double, n);
  int *head = PL_ARENA_NEW(b->scratch, int, n), *next = PL_ARENA_NEW(b->scratch, int, n);
  if (!priority || !peak || !head || !next) return NULL;
  for (int k = 0; k < n; k++) head[k] = -1;
  for (int k = 0; k < n; k++) {
    double live = 0, left = b->merged_into[k] < 0 ? (double)b->nlist[k] * b->nlist[k] : 0;
    peak[k] = 0;
    sort_children(&head[k], next, priority);
    for (int c = head[k]; c >= 0; c = next[c]) {
      peak[k] = live + peak[c] > peak[k] ? live + peak[c] : peak[k];
      live += peak[c] - priority[c];
    }
    peak[k] = live + left > peak[k] ? live + left : peak[k];
    priority[k] = peak[k] - left;
    if (up[k] >= 0) next[k] = head[up[k]], head[up[k]] = k;
  }
  return priority;
}

// The groups after amalgamation, as fronts in postorder: kept[k] is the root of supernode k's group,
// front_of[k] its front.
typedef struct Groups {
  int *kept, *up, *front_of, *post;
} Groups;

static bool make_groups(Builder* b, Groups* g) {
  int n = b->nsuper;
  int** arrays[] = {&g->kept, &g->up, &g->front_of, &g->post};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    if (!(*arrays[k] = PL_ARENA_NEW(b->scratch, int, n))) return false;
  for (int k = n - 1; k >= 0; k--) g->kept[k] = b->merged_into[k] < 0 ? k : g->kept[b->merged_into[k]];
  for (int k = 0; k < n; k++) {
    int p = b->super_parent[k];
    g->up[k] = g->kept[k] != k ? g->kept[k] : p < 0 ? -1 : g->kept[p];
  }
  double* priority = memory_priority(b, g->up);
  return priority && postorder(n, g->up, priority, g->post, b->scratch);
}

// Renumbers positions so that a front's columns are consecutive, those of a group in their old order; to[old
// position] is the new one.
static bool number_columns(Builder* b, const Groups* g, int* to) {
  plSymbolic* s = b->s;
  int *columns = PL_ARENA_NEW(b->scratch, int, b->n0), *fill = PL_ARENA_NEW(b->scratch, int, b->nsuper),
      at = 0;
  if (!columns || !fill) return false;
  s->nfront = 0;
  for (int q = 0; q < b->nsuper; q++) {
    int k = g->post[q];
    if (g->kept[k] != k) continue;
    fill[k] = at;
    s->front[s->nfront] =
        (plFront){.dim = (int8_t)s->dim, .first = at, .ncol = b->ncol[k], .nbelow = b->nlist[k], .parent = k};
    g->front_of[k] = s->nfront++;
    at += b->ncol[k];
  }
  assert(at == b->n0 && s->nfront <= b->nsuper);
  for (int k = 0; k < b->nsuper; k++)
    for (int j = b->start[k]; j < b->start[k + 1]; j++)
      columns[fill[g->kept[k]]] = j, to[j] = fill[g->kept[k]]++;
  return renumber(b, columns);
}

// Adds the rows below supernode k to b->bits, in the new numbering; returns the lowest.
static int add_rows(Builder* b, int k, const int* to) {
  int low = b->n;
  for (int q = 0; q < b->nlist[k] && !b->set; q++) {
    int i = b->list[b->list0[k] + q];
    i = i < b->n0 ? to[i] : i;
    set_add(b->bits, i);
    low = i < low ? i : low;
  }
  if (!b->set) return low;
  size_t column = (size_t)b->post[b->start[k + 1] - 1];
  const uint64_t* set = b->set + column * b->words;
  for (size_t w = column >> 6; w < b->words; w++)
    for (uint64_t rest = set[w]; rest; rest &= rest - 1) {
      int i = (int)(64 * w) + __builtin_ctzll(rest);
      i = i < b->n0 ? to[b->inverse[i]] : i;
      set_add(b->bits, i);
      low = i < low ? i : low;
    }
  return low;
}

// Fronts of the groups, with their rows in the new numbering, and the front of the participating vertices.
static bool make_fronts(Builder* b) {
  plSymbolic* s = b->s;
  Groups g;
  int* to = PL_ARENA_NEW(b->scratch, int, b->n0);
  s->front = PL_ARENA_NEW(&s->arena, plFront, (size_t)b->nsuper + 1);
  s->row = PL_ARENA_NEW(&s->arena, int, b->list_count + b->n);
  if (!to || !s->front || !s->row || !make_groups(b, &g) || !number_columns(b, &g, to)) return false;
  int nrow = 0;
  for (int f = 0; f < s->nfront; f++) {
    plFront* front = &s->front[f];
    int k = front->parent, low = add_rows(b, k, to);
    front->row0 = nrow;
    if (front->nbelow) nrow += set_take(b->bits, b->n, low, s->row + nrow);
    assert(nrow == front->row0 + front->nbelow);  // as many as were counted
    front->parent = g.up[k] >= 0 ? g.front_of[g.up[k]] : front->nbelow ? s->nfront : -1;
  }
  if (s->np)
    s->front[s->nfront++] =
        (plFront){.dim = (int8_t)s->dim, .first = b->n0, .nbelow = s->np, .row0 = nrow, .parent = -1};
  for (int i = b->n0; i < b->n; i++) s->row[nrow++] = i;
  assert(nrow <= b->list_count + b->n);
  return true;
}

// The tree of supernodes, and the cost of the factorization.
static bool build_tree(Builder* b) {
  size_t n = (size_t)b->n;
  int** arrays[] = {&b->parent,       &b->nchild, &b->start,       &b->list0, &b->nlist,  &b->super_of,
                    &b->super_parent, &b->ncol,   &b->merged_into, &b->post,  &b->inverse};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    if (!(*arrays[k] = PL_ARENA_NEW(b->scratch, int, n + 1))) return false;
  b->words = n / 64 + 1;
  if (b->sets && (size_t)b->n0 * b->words <= SETS_MOST) {
    b->set = PL_ARENA_NEW(b->scratch, uint64_t, (size_t)b->n0 * b->words);
    b->same = PL_ARENA_NEW(b->scratch, bool, n);
    if (!b->set || !b->same) return false;
  }
  if (!(b->bits = PL_ARENA_NEW(b->scratch, uint64_t, n / 64 + 1))) return false;
  memset(b->bits, 0, (n / 64 + 1) * sizeof(uint64_t));
  if (!tree_in_postorder(b) || !supernodes(b)) return false;
  // the last front factors into L_pp
  plSymbolic* s = b->s;
  double m = s->dim * s->np;
  for (int c = 0; c < s->dim * s->np; c++) s->nnz += m - c, s->flops += (m - c) * (m - c);
  return true;
}

static bool build_fronts(Builder* b) {
  amalgamate(b);
  return make_fronts(b) && pl_symbolic_layout(b->s, b->graph, b->scratch);
}

static bool build(plSymbolic* s, const plGraph* graph, const int* base_order, const char* is_participating,
                  bool tree_alone, bool sets) {
  plArena arena = s->arena;
  pl_arena_reset(&arena);
  *s = (plSymbolic){.arena = arena, .n = graph->n, .dim = graph->dim};
  s->order = PL_ARENA_NEW(&s->arena, int, graph->n), s->place = PL_ARENA_NEW(&s->arena, int, graph->n);
  if (!s->order || !s->place) return false;
  // participating vertices last, ascending
  int n0 = 0;
  for (int k = 0; k < graph->n; k++)
    if (!is_participating[base_order[k]]) s->order[n0++] = base_order[k];
  for (int v = 0; v < graph->n; v++)
    if (is_participating[v]) s->order[n0 + s->np++] = v;
  assert(n0 + s->np == graph->n);
  for (int k = 0; k < graph->n; k++) s->place[s->order[k]] = k;
  // What is needed meanwhile stays in the arena: the next one needs as much.
  Builder b = {.s = s,
               .graph = graph,
               .scratch = &s->arena,
               .sets = sets,
               .n = graph->n,
               .n0 = n0,
               .order = s->order,
               .place = s->place};
  bool ok = build_tree(&b) && (tree_alone || build_fronts(&b));
  pl_free(b.list);
  return ok;
}

bool pl_symbolic_build(plSymbolic* s, const plGraph* graph, const int* base_order,
                       const char* is_participating, bool sets) {
  return build(s, graph, base_order, is_participating, false, sets);
}

double pl_symbolic_flops(const plGraph* graph, const int* base_order, const char* is_participating) {
  plSymbolic s = {0};
  double flops = build(&s, graph, base_order, is_participating, true, true) ? s.flops : -1;
  pl_arena_free(&s.arena);
  return flops;
}

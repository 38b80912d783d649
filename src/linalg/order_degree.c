// order_degree.c: approximate minimum degree on the quotient graph (Amestoy, Davis, Duff 1996).
//
// A variable i keeps the elements E_i to which it belongs and the variables A_i to which it is still directly
// connected; an element e, created by eliminating a pivot, keeps its variables L_e. Indistinguishable
// variables are merged and counted by weight.
#include <assert.h>
#include <string.h>

#include "linalg/order_parts.h"

typedef struct Quotient {
  int n, neliminate;
  int *start,
      *list;  // variable i: list[start[i]] .., first nelement[i] elements, then nvariable[i] variables
  int *nelement, *nvariable;
  int* weight;              // number of vertices that a variable represents; 0 once merged or eliminated
  int* degree;              // approximate external degree
  int *head, *next, *last;  // variables by degree
  int *member, *tail;       // merged vertices of a variable, as a chain
  int *estart, *ecount;     // element e: pool[estart[e]] .. ecount[e] variables
  int* esize;               // weight of L_e, -1 for an absorbed element
  int *stamp, now;          // marks
  int* outside;             // |L_e \ L_p| of the elements seen in this round
  int *pool, npool, cap;    // elements' variables
  int lowest;               // all degree lists below are empty
} Quotient;

static void unlink_degree(Quotient* q, int i) {
  if (q->last[i] >= 0)
    q->next[q->last[i]] = q->next[i];
  else
    q->head[q->degree[i]] = q->next[i];
  if (q->next[i] >= 0) q->last[q->next[i]] = q->last[i];
}

static void link_degree(Quotient* q, int i, int degree) {
  assert(degree >= 0 && degree <= q->n);
  q->degree[i] = degree;
  q->last[i] = -1;
  q->next[i] = q->head[degree];
  if (q->next[i] >= 0) q->last[q->next[i]] = i;
  q->head[degree] = i;
  if (degree < q->lowest) q->lowest = degree;
}

static bool init(Quotient* q, int n, int neliminate, const int* start, const int* neighbour, plArena* arena) {
  *q = (Quotient){.n = n, .neliminate = neliminate, .now = 1};
  int** arrays[] = {&q->start,  &q->nelement, &q->nvariable, &q->weight, &q->degree,
                    &q->head,   &q->next,     &q->last,      &q->member, &q->tail,
                    &q->estart, &q->ecount,   &q->esize,     &q->stamp,  &q->outside};
  size_t size = (size_t)n + 1, count = sizeof arrays / sizeof *arrays;
  int* block = PL_ARENA_NEW(arena, int, size* count);
  q->list = PL_ARENA_NEW(arena, int, start[n]);
  q->cap = 2 * start[n] + 64;
  q->pool = PL_NEW(int, q->cap);
  if (!block || !q->list || !q->pool) return false;
  memset(block, 0, size * count * sizeof(int));
  for (size_t k = 0; k < count; k++) *arrays[k] = block + k * size;
  memcpy(q->list, neighbour, (size_t)start[n] * sizeof(int));
  for (int i = 0; i <= n; i++) q->head[i] = -1;
  for (int i = n - 1; i >= 0; i--) {
    q->start[i] = start[i], q->nvariable[i] = start[i + 1] - start[i];
    q->weight[i] = 1, q->member[i] = -1, q->tail[i] = i, q->esize[i] = -1;
  }
  q->lowest = n;
  for (int i = neliminate - 1; i >= 0; i--) link_degree(q, i, q->nvariable[i]);
  return true;
}

// Adds variable i to L_p if it is alive and not in L_p yet.
static bool add_to_element(Quotient* q, int i, int* size) {
  if (q->weight[i] <= 0 || q->stamp[i] == q->now) return true;
  q->stamp[i] = q->now;
  *size += q->weight[i];
  return PL_PUSH(q->pool, q->npool, q->cap, i);
}

// L_p = A_p and the elements of p, without p; these are absorbed.
static bool make_element(Quotient* q, int p) {
  int first = q->npool, size = 0;
  q->now++;
  q->stamp[p] = q->now;
  const int* list = q->list + q->start[p];
  for (int k = 0; k < q->nvariable[p]; k++)
    if (!add_to_element(q, list[q->nelement[p] + k], &size)) return false;
  for (int k = 0; k < q->nelement[p]; k++) {
    int e = list[k];
    if (q->esize[e] < 0) continue;
    for (int m = 0; m < q->ecount[e]; m++)
      if (!add_to_element(q, q->pool[q->estart[e] + m], &size)) return false;
    q->esize[e] = -1;
  }
  q->estart[p] = first, q->ecount[p] = q->npool - first, q->esize[p] = size;
  return true;
}

// outside[e] = |L_e \ L_p| for all elements of the variables of L_p. Every variable of L_p carries the stamp
// `now`.
static void measure_elements(Quotient* q, int p, int* seen) {
  for (int k = 0; k < q->ecount[p]; k++) {
    int i = q->pool[q->estart[p] + k];
    for (int m = 0; m < q->nelement[i]; m++) {
      int e = q->list[q->start[i] + m];
      if (q->esize[e] < 0) continue;
      if (seen[e] != q->now) seen[e] = q->now, q->outside[e] = q->esize[e];
      q->outside[e] -= q->weight[i];
    }
  }
}

// Rewrites E_i and A_i of a variable of L_p; returns the total weight of its neighbours outside L_p, and its
// hash.
static int prune_variable(Quotient* q, int i, int p, unsigned* hash) {
  int *list = q->list + q->start[i], sum = 0, ne = 0, nv = 0;
  unsigned h = 0;
  int old_elements = q->nelement[i], old_variables = q->nvariable[i];
  for (int m = 0; m < old_elements; m++) {
    int e = list[m];
    if (q->esize[e] < 0 || e == p) continue;
    if (q->outside[e] == 0) {
      q->esize[e] = -1;  // L_e lies inside L_p: absorbed
      continue;
    }
    sum += q->outside[e], h += (unsigned)e;
    list[ne++] = e;
  }
  // Variables move down after the elements and p; there is room, because p or one of its elements left the
  // list.
  int kept_first = -1;
  for (int m = 0; m < old_variables; m++) {
    int j = list[old_elements + m];
    if (q->weight[j] <= 0 || q->stamp[j] == q->now) continue;
    sum += q->weight[j], h += (unsigned)j;
    if (nv == 0)
      kept_first = j;
    else
      list[ne + nv] = j;
    nv++;
  }
  list[ne] = p;
  if (nv) list[ne + nv] = kept_first;
  assert(ne + 1 + nv <= old_elements + old_variables);
  q->nelement[i] = ne + 1, q->nvariable[i] = nv;
  *hash = h + (unsigned)p;
  return sum;
}

static bool same_lists(const Quotient* q, int i, int j, const int* mark, int value) {
  if (q->nelement[i] != q->nelement[j] || q->nvariable[i] != q->nvariable[j]) return false;
  const int* list = q->list + q->start[j];
  for (int k = 0; k < q->nelement[j] + q->nvariable[j]; k++)
    if (mark[list[k]] != value) return false;
  return true;
}

// Merges variables of L_p with equal lists; bucket[h] heads the chain of candidates with hash h.
static void merge_equal(Quotient* q, int p, const unsigned* hash, int* bucket, int* chain, int* mark,
                        int* mark_value) {
  const int* L = q->pool + q->estart[p];
  int count = q->ecount[p];
  for (int k = count - 1; k >= 0; k--) {
    int i = L[k];
    if (q->weight[i] <= 0 || i >= q->neliminate) continue;
    int h = (int)(hash[i] % (unsigned)q->n);
    chain[i] = bucket[h], bucket[h] = i;
  }
  for (int k = 0; k < count; k++) {
    int i = L[k];
    if (q->weight[i] <= 0 || i >= q->neliminate) continue;
    int h = (int)(hash[i] % (unsigned)q->n);
    for (int a = bucket[h]; a >= 0; a = chain[a]) {
      if (q->weight[a] <= 0) continue;
      ++*mark_value;
      const int* list = q->list + q->start[a];
      for (int m = 0; m < q->nelement[a] + q->nvariable[a]; m++) mark[list[m]] = *mark_value;
      for (int b = chain[a]; b >= 0; b = chain[b]) {
        if (q->weight[b] <= 0 || hash[a] != hash[b] || !same_lists(q, a, b, mark, *mark_value)) continue;
        q->degree[a] -= q->weight[b];
        q->weight[a] += q->weight[b], q->weight[b] = 0;
        q->member[q->tail[a]] = b, q->tail[a] = q->tail[b];
      }
    }
    bucket[h] = -1;
  }
}

static int append(const Quotient* q, int i, int* order, int norder) {
  for (int m = i; m >= 0; m = q->member[m]) order[norder++] = m;
  assert(norder <= q->neliminate);
  return norder;
}

bool pl_order_degree(int n, int neliminate, const int* start, const int* neighbour, int* order,
                     plArena* arena) {
  Quotient quotient, *q = &quotient;
  bool ok = init(q, n, neliminate, start, neighbour, arena);
  unsigned* hash = PL_ARENA_NEW(arena, unsigned, n);
  int* scratch = PL_ARENA_NEW(arena, int, 4 * ((size_t)n + 1));
  if (!ok || !hash || !scratch) {
    pl_free(q->pool);
    return false;
  }
  int *seen = scratch, *bucket = scratch + n + 1, *chain = bucket + n + 1, *mark = chain + n + 1,
      mark_value = 0;
  for (int i = 0; i <= n; i++) seen[i] = mark[i] = 0, bucket[i] = -1;
  int norder = 0, left = n;
  while (ok && norder < neliminate) {
    while (q->head[q->lowest] < 0) q->lowest++;
    assert(q->lowest <= n);
    int p = q->head[q->lowest];
    unlink_degree(q, p);
    left -= q->weight[p];
    ok = make_element(q, p);
    if (!ok) break;
    norder = append(q, p, order, norder);
    q->weight[p] = 0;
    measure_elements(q, p, seen);
    int* L = q->pool + q->estart[p];
    for (int k = 0; k < q->ecount[p]; k++) {
      int i = L[k], limit = q->esize[p] - q->weight[i];
      int old = q->degree[i], outside = prune_variable(q, i, p, &hash[i]);
      if (i >= neliminate) continue;
      unlink_degree(q, i);
      int degree = outside + limit;
      if (degree > old + limit) degree = old + limit;
      if (degree > left - q->weight[i]) degree = left - q->weight[i];
      q->degree[i] = degree;
      // Mass elimination: a variable connected to nothing but this element follows its pivot.
      if (outside == 0) {
        norder = append(q, i, order, norder);
        left -= q->weight[i], q->esize[p] -= q->weight[i], q->weight[i] = 0;
      }
    }
    merge_equal(q, p, hash, bucket, chain, mark, &mark_value);
    // Remaining variables return to their degree lists.
    int kept = 0;
    for (int k = 0; k < q->ecount[p]; k++) {
      int i = L[k];
      if (q->weight[i] <= 0) continue;
      L[kept++] = i;
      if (i < neliminate) link_degree(q, i, q->degree[i] < 0 ? 0 : q->degree[i]);
    }
    q->ecount[p] = kept;
    if (!kept) q->esize[p] = -1;
  }
  pl_free(q->pool);
  return ok;
}

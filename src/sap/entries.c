// entries.c: the blocks of the Hessian and the terms that make them: blocks of A and products J_r' G J_c.
//
// lay, positions -> pattern.entry, pattern.pair
#include <assert.h>
#include <string.h>

#include "sap/workspace.h"

static int clique_of(const plSapWorkspace* ws, const plSapPair* pair, bool row) {
  int at = row ? pair->row : pair->col;
  return pair->constraint < 0 ? at : ws->lay.blk[at].clique;
}

// Sorts pairs by the position of their row or column, keeping their order otherwise: from -> to. first [npos
// + 1] is scratch.
static void sort_pairs(const plSapWorkspace* ws, bool by_row, const plSapPair* from, plSapPair* to,
                       int* first) {
  const plSapPattern* p = &ws->pattern;
  memset(first, 0, ((size_t)p->npos + 1) * sizeof(int));
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < p->npair; k++) {
      int key = p->clique_pos[clique_of(ws, from + k, by_row)];
      assert(key >= 0 && key < p->npos);
      if (pass)
        to[first[key]++] = from[k];
      else
        first[key + 1]++;
    }
    for (int i = 0; !pass && i < p->npos; i++) first[i + 1] += first[i];
  }
}

// the pairs of constraint i, written to out (NULL: only counted); of two different cliques only the lower
// product is kept
static int constraint_pairs(const plSapWorkspace* ws, int i, plSapPair* out) {
  const plSapLayout* lay = &ws->lay;
  const int* pos = ws->pattern.clique_pos;
  int n = 0;
  for (int a = lay->con_blk0[i]; a < lay->con_blk0[i + 1] && !lay->con_idle[i]; a++)
    for (int b = lay->con_blk0[i]; b < lay->con_blk0[i + 1]; b++) {
      int r = pos[lay->blk[a].clique], c = pos[lay->blk[b].clique];
      if (r < 0 || c < 0 || r < c) continue;
      if (out) out[n] = (plSapPair){i, a, b};
      n++;
    }
  return n;
}

// the blocks of A, written to out (NULL: only counted)
static int matrix_pairs(const plSapWorkspace* ws, plSapPair* out) {
  const plSapPattern* p = &ws->pattern;
  int n = 0;
  for (int k = 0; k < p->npos; k++, n++)
    if (out) out[n] = (plSapPair){PL_SAP_A, p->pos_clique[k], p->pos_clique[k]};
  for (int k = 0; k < p->ncoupling; k++) {
    const plSapCoupling* c = ws->problem->coupling + k;
    bool lower = p->clique_pos[c->row] > p->clique_pos[c->col];
    if (p->clique_pos[c->row] < 0) continue;
    if (out) out[n] = (plSapPair){PL_SAP_A - 1 - k, lower ? c->row : c->col, lower ? c->col : c->row};
    n++;
  }
  return n;
}

bool pl_sap_entries(plSapWorkspace* ws) {
  plSapPattern* p = &ws->pattern;
  const plSapLayout* lay = &ws->lay;
  long total = matrix_pairs(ws, NULL);
  for (int i = 0; i < lay->nconstraint; i++) total += constraint_pairs(ws, i, NULL);
  if (total > 1 << 30) return false;
  p->npair = (int)total;
  p->pair = PL_ARENA_NEW(&ws->pattern_arena, plSapPair, p->npair);
  p->entry = PL_ARENA_NEW(&ws->pattern_arena, plSapEntry, p->nblock_hessian);
  plSapPair* scratch = PL_ARENA_NEW(&ws->scratch, plSapPair, p->npair);
  int* first = PL_ARENA_NEW(&ws->scratch, int, p->npos + 1);
  if (ws->pattern_arena.failed || ws->scratch.failed) return false;
  // terms that are constant during a solve come first, also within each entry
  int n = matrix_pairs(ws, p->pair);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < lay->nconstraint; i++)
      if (p->key_bilateral[i] == (pass == 0)) n += constraint_pairs(ws, i, p->pair + n);
  assert(n == p->npair);  // as many as were counted
  sort_pairs(ws, true, p->pair, scratch, first);
  sort_pairs(ws, false, scratch, p->pair, first);
  for (int k = 0; k < p->npair; k++) {
    const plSapPair* q = p->pair + k;
    int r = p->clique_pos[clique_of(ws, q, true)], c = p->clique_pos[clique_of(ws, q, false)];
    plSapEntry* last = p->nentry ? p->entry + p->nentry - 1 : NULL;
    if (!last || last->row != r || last->col != c) {
      assert(p->nentry < p->nblock_hessian);
      last = p->entry + p->nentry++, *last = (plSapEntry){r, c, k, k, k};
    }
    last->pair1 = k + 1;
    if (q->constraint < 0 || p->key_bilateral[q->constraint]) last->change = k + 1;
  }
  return true;
}

// renew.c: updates the factor of H = A + J' G J after G has changed, only where it differs.
//
// A constraint whose G changed changes the columns of its cliques. A supernode that changes also changes its
// ancestors in the elimination tree, which receive its update. Only blocks of H with a changed G are
// assembled again, and only these supernodes are factored again. Unchanged supernodes that update a changed
// one compute that part of their update again, in the same order, so the bits are those of a complete
// factorization. The cost of a round, or of a Newton step, is therefore proportional to what it changes.
//
// G, G_panel, factor -> con_changed, super_changed, factor, G_panel, G_factored
#include <string.h>

#include "base/timer.h"
#include "sap/workspace.h"

// Marks the supernodes of the cliques of constraint i.
static void mark_cliques(plSapWorkspace* ws, int i) {
  const plSapLayout* lay = &ws->lay;
  for (int k = lay->con_blk0[i]; k < lay->con_blk0[i + 1] && !lay->con_idle[i]; k++) {
    int at = ws->pattern.clique_pos[lay->blk[k].clique];
    if (at >= 0) ws->super_changed[ws->pattern.pos_super[at]] = true;
  }
}

static bool same_G(const plSapWorkspace* ws, int i) {
  int first = ws->lay.con_G0[i], n = ws->lay.con_G0[i + 1] - first;
  return memcmp(ws->G + first, ws->G_panel + first, (size_t)n * sizeof *ws->G) == 0;
}

void pl_sap_mark_changed(plSapWorkspace* ws) {
  const plSapPattern* p = &ws->pattern;
  bool all = !ws->factored;
  memset(ws->super_changed, all, (size_t)p->nsuper * sizeof *ws->super_changed);
  for (int i = 0; i < ws->lay.nconstraint; i++) {
    ws->con_changed[i] = all || !same_G(ws, i);
    if (!all && ws->con_changed[i]) mark_cliques(ws, i);
  }
  for (int s = 0; s < p->nsuper; s++)
    for (int b = p->super_row0[s]; ws->super_changed[s] && b < p->super_row0[s + 1]; b++)
      ws->super_changed[p->pos_super[p->row_pos[b]]] = true;
}

int pl_sap_renew_factor(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report) {
  const plSapPattern* p = &ws->pattern;
  int bad;
  pl_sap_mark_changed(ws);
  ws->factored = ws->stale = false;
  memcpy(ws->G_factored, ws->G, (size_t)ws->lay.nG * sizeof *ws->G);
  memcpy(ws->G_panel, ws->G, (size_t)ws->lay.nG * sizeof *ws->G);
  PL_TIMED(report->time_assemble, bad = pl_sap_assemble(ws, options->pool));
  if (bad < 0) PL_TIMED(report->time_factor, bad = pl_sap_factor(ws, false, options->pool));
  if (bad >= 0) return bad;
  for (int s = 0; s < p->nsuper; s++)
    if (!p->super_once[s]) report->factor_nodes++, report->renewed_nodes += ws->super_changed[s];
  report->factorizations++, ws->factored = true;
  return -1;
}

int pl_sap_follow_G(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report) {
  if (ws->factored) {
    bool low;
    pl_sap_mark_changed(ws);
    PL_TIMED(report->time_factor, low = pl_sap_low_rank_pays(ws) && pl_sap_low_rank(ws));
    if (low) return ws->stale = false, -1;
  }
  return pl_sap_renew_factor(ws, options, report);
}

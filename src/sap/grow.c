// grow.c: a step in which all constraints that it changes follow their laws.
//
// A step with the tangents of the panels changes the state of a few more points: one that stuck slides at its
// end, one that was open closes. Instead of cutting the step there, these points join those that follow their
// laws (exact.c), and the step is computed again from the half of the solve that does not depend on them.
//
// grad, factor, model_gamma -> dx, dvc, low; ls_gamma and ls_G at the end of the step
#include <string.h>

#include "sap/workspace.h"

enum { ROUNDS = 4, SYSTEMS = 32 };  // largest numbers of rounds, and of dense systems in a round

static bool differs(const plSapWorkspace* ws, const double* G, int i) {
  int at = ws->lay.con_G0[i], n = ws->lay.con_G0[i + 1] - at;
  return memcmp(G + at, ws->G_panel + at, (size_t)n * sizeof *G) != 0;
}

// Whether a few constraints beyond those in `low` have another G at the end of the step than in the panels.
// low.G becomes a G in which those and the ones in `low` differ from the panels.
static bool find_more(plSapWorkspace* ws) {
  const plSapLayout* lay = &ws->lay;
  plSapLowRank* low = &ws->low;
  bool more = false;
  int rows = 0;
  for (int i = 0, q = 0; i < lay->nconstraint; i++) {
    while (q < low->n && low->con[q] < i) q++;
    bool has = q < low->n && low->con[q] == i, changes = !lay->con_idle[i] && differs(ws, ws->ls_G, i);
    const double* from = changes ? ws->ls_G : has ? ws->G_factored : ws->G;
    int at = lay->con_G0[i], n = lay->con_G0[i + 1] - at;
    memcpy(low->G + at, from + at, (size_t)n * sizeof *from);
    more |= changes && !has;
    if (changes || has) rows += lay->con_row0[i + 1] - lay->con_row0[i];
  }
  return more && pl_sap_exact_systems(ws, rows) >= SYSTEMS;
}

// Replaces ws->G, marks what differs from the panels, and returns the former one.
static double* exchange_G(plSapWorkspace* ws, double* G) {
  double* own = ws->G;
  ws->G = G;
  pl_sap_mark_changed(ws);
  return own;
}

// Sets `low` for the constraints whose G differs from that of the panels; false: rounding errors are too
// large.
static bool follow(plSapWorkspace* ws, double* G) {
  double* own = exchange_G(ws, G);
  bool sound = pl_sap_low_rank(ws);
  ws->G = own;
  return sound;
}

static bool pays(plSapWorkspace* ws, double* G) {
  double* own = exchange_G(ws, G);
  bool is = pl_sap_low_rank_pays(ws);
  ws->G = own;
  return is;
}

static void solve_once(plSapWorkspace* ws) {
  const plSapPattern* p = &ws->pattern;
  memcpy(ws->permuted, ws->halfway, (size_t)p->pos_x0[p->npos] * sizeof *ws->permuted);
  pl_sap_factor_backward(ws, ws->permuted, ws->dx);
  for (int i = 0; i < ws->lay.nv; i++) ws->dx[i] = -ws->dx[i];
  pl_sap_mul_J(ws, ws->dx, ws->dvc);
}

// Adds the constraints that change until the end of the step; false: there are none or too many, or the
// system has no solution.
static bool grow(plSapWorkspace* ws, const plSapOptions* options) {
  plSapLowRank* low = &ws->low;
  for (int i = 0; i < ws->lay.nrow; i++) ws->ls_vc[i] = ws->vc[i] + ws->dvc[i];
  pl_sap_laws(ws, ws->ls_vc, NULL, ws->ls_gamma, ws->ls_G, NULL, options->pool);
  ws->tried = true;
  if (!find_more(ws) || !pays(ws, low->G)) return false;
  ws->tried = false;
  memcpy(low->before, ws->G_factored, (size_t)ws->lay.nG * sizeof *low->before);
  low->warm = low->n > 0;
  bool sound = follow(ws, low->G);
  if (sound) solve_once(ws);
  low->warm = false;
  if (sound && low->solved) return true;
  if (follow(ws, low->before)) solve_once(ws);
  return false;
}

void pl_sap_exact_step(plSapWorkspace* ws, const plSapOptions* options, double exact) {
  ws->low.exact = exact;
  pl_sap_factor_forward(ws, ws->grad, ws->halfway);
  solve_once(ws);
  for (int k = 0; k < ROUNDS && exact > 0 && grow(ws, options); k++) {
  }
  ws->low.exact = 0;
}

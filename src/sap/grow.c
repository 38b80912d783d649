// grow.c: a step in which all constraints that it changes follow their laws.
//
// A step with the tangents of the panels changes the state of a few more points: one that stuck slides at its
// end, one that was open closes. Instead of cutting the step there, these points join those that follow their
// laws (exact.c), and the step is computed again from the half of the solve that does not depend on them.
//
// If they are too many, those join that keep the search from taking the whole step. Because of the equation
// that dx solves, the slope of the cost at the end of the step is a sum over constraints,
//     f(1) = sum_i dvc_i . (gamma_model,i - gamma_i(vc + dvc)),   gamma_model = model_gamma - G0 dvc + s
// and those with the largest terms join, if what the others add is smaller than the slope at the start.
// For example, one stiff point that closes adds a huge positive term, and the search would stop where it
// closes. Sliding points, whose tangents change with every step, add little.
//
// grad, factor, model_gamma -> dx, dvc, low; ls_gamma and ls_G at the end of the step
#include <math.h>
#include <string.h>

#include "sap/workspace.h"

enum { ROUNDS = 4, SYSTEMS = 32 };  // largest numbers of rounds, and of dense systems in a round
enum { WORST = 128 };  // the same as SYSTEMS if not all constraints that change join: such a step gains less

static const double EQUAL = 1 + 1e-6;  // ratio of two terms that differ by rounding alone

static bool differs(const plSapWorkspace* ws, const double* G, int i) {
  int at = ws->lay.con_G0[i], n = ws->lay.con_G0[i + 1] - at;
  return memcmp(G + at, ws->G_panel + at, (size_t)n * sizeof *G) != 0;
}

// Whether constraints beyond those in `low` have another G at the end of the step than in the panels, and
// whether they are few. low.G becomes a G in which those and the ones in `low` differ from the panels.
static bool find_more(plSapWorkspace* ws, bool* few) {
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
  *few = more && pl_sap_exact_systems(ws, rows) >= SYSTEMS;
  return more;
}

// The term of constraint i in the slope of the cost at the end of the step; s: that of its rows, NULL: 0
static double term_of_slope(const plSapWorkspace* ws, int i, const double* s) {
  const plSapLayout* lay = &ws->lay;
  int r0 = lay->con_row0[i], n = lay->con_row0[i + 1] - r0;
  const double *d = ws->dvc + r0, *G = ws->G_panel + lay->con_G0[i];
  bool contact = pl_sap_is_contact(ws->problem->constraint[i].law);
  double sum = 0;
  for (int r = 0; r < n; r++) {
    double linear = contact ? G[r] * d[0] + G[r + 3] * d[1] + G[r + 6] * d[2] : G[r] * d[r];
    sum += d[r] * (ws->model_gamma[r0 + r] - linear + (s ? s[r] : 0) - ws->ls_gamma[r0 + r]);
  }
  return sum;
}

static void copy_G(const plSapWorkspace* ws, int i, const double* from, double* to) {
  int at = ws->lay.con_G0[i], n = ws->lay.con_G0[i + 1] - at;
  memcpy(to + at, from + at, (size_t)n * sizeof *to);
}

// The slope of the cost at the start of a step and at its end
typedef struct Slopes {
  double start, end;
} Slopes;

// Slopes, and the terms of the constraints that change and are not in `low`, 0 for the others. low.G becomes
// a G in which only those in `low` differ from the panels.
static Slopes find_terms(plSapWorkspace* ws, double* term) {
  const plSapLayout* lay = &ws->lay;
  plSapLowRank* low = &ws->low;
  Slopes f = {0};
  for (int i = 0; i < lay->nv; i++) f.start += ws->p[i] * ws->dx[i];
  for (int i = 0; i < lay->nrow; i++) f.start -= ws->gamma[i] * ws->dvc[i];
  for (int i = 0, q = 0; i < lay->nconstraint; i++) {
    while (q < low->n && low->con[q] < i) q++;
    bool has = q < low->n && low->con[q] == i, changes = !lay->con_idle[i] && differs(ws, ws->ls_G, i);
    copy_G(ws, i, !has ? ws->G_panel : changes ? ws->ls_G : ws->G_factored, low->G);
    double own = term_of_slope(ws, i, has ? low->s + low->row[q] : NULL);
    f.end += own, term[i] = changes && !has ? own : 0;
  }
  return f;
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

// If the search does not keep the whole step: adds the constraints with the largest terms to low.G, as many
// as pay; false: none, or the others add too much.
static bool find_worst(plSapWorkspace* ws, const plSapOptions* options) {
  const plSapLayout* lay = &ws->lay;
  plSapLowRank* low = &ws->low;
  double* term = ws->ls_vc;
  Slopes f = find_terms(ws, term);
  if (!isfinite(f.end) || pl_sap_search_keeps(options, f.start, f.end)) return false;
  int chosen[PL_SAP_LOW], n = 0, rows = low->n;
  double size[PL_SAP_LOW];
  for (;;) {
    int worst = 0;
    for (int i = 1; i < lay->nconstraint; i++)
      if (fabs(term[i]) > fabs(term[worst])) worst = i;
    rows += lay->con_row0[worst + 1] - lay->con_row0[worst];
    if (term[worst] == 0 || rows > PL_SAP_LOW || pl_sap_exact_systems(ws, rows) < WORST) break;
    size[n] = term[worst], term[worst] = 0, chosen[n++] = worst;
    copy_G(ws, worst, ws->ls_G, low->G);
  }
  int all = n;
  for (; n > 0 && !pays(ws, low->G); n /= 2)
    for (int k = n / 2; k < n; k++) copy_G(ws, chosen[k], ws->G_panel, low->G);
  // equal terms, of points that are alike by symmetry, join together or not at all
  double next = 0;
  for (int i = 0; i < lay->nconstraint; i++) next = fmax(next, fabs(term[i]));
  for (int k = n; k < all; k++) next = fmax(next, fabs(size[k]));
  while (n > 0 && fabs(size[n - 1]) < EQUAL * next) copy_G(ws, chosen[--n], ws->G_panel, low->G);
  for (int k = 0; k < n; k++) f.end -= size[k];
  return n > 0 && fabs(f.end) <= fabs(f.start);
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
  bool few;
  if (!find_more(ws, &few)) return false;
  if (!(few && pays(ws, low->G)) && !find_worst(ws, options)) return false;
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

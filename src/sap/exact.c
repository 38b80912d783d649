// exact.c: a step in which the few changed constraints follow their laws, and the others their tangents.
//
// Most laws are linear where they are: points that stick or are open. The constraints C that have changed
// since the factor was made (low_rank.c) are those that slide, whose G changes with every step. Newton's
// method on all unknowns would follow them iteration by iteration. But with H0 = L L' of the panels,
//     H0 dx = -grad + J_C' f(d),   d = J_C dx,   f(d) = gamma(vc + d) - model_gamma + G0 d
// is a problem in the few unknowns d alone (model_gamma: the impulses of the model at vc):
//     r = s - f(d) = 0,   d = M s - u,   u = W' L^-1 grad,   M = W' W
// r is the gradient, with respect to d, of a convex cost (M^-1 - G0 is positive definite), so Newton's method
// with a search along its steps finds s. An iteration costs a dense system of the size of C. If all other
// laws stay linear, dx ends at the solution. The cost of the model is convex and has the gradient of the true
// cost at dx = 0, so the cost falls along dx.
//
// u, M, vc, model_gamma, G_panel -> s
#include <math.h>
#include <string.h>

#include "sap/workspace.h"

enum { MOST = PL_SAP_LOW, STEPS = 16, TRIES = 32 };
// Estimates: how many operations of the panels' kernels take as long as one operation of a dense system, for
// plain loops and for loops of an instruction set.
static const double PLAIN = 8, FAST = 2;
static const double SHARE = 0.25;   // the dense systems may cost this fraction of a new factor
static const double USEFUL = 1e-2;  // a step is used if it reduces |r| to this fraction of the tangents' |r|
static const double FLAT = 0.1;     // slope at the end of a step, relative to that at its start

// r = s - f(d), and G of the laws; returns |r|^2 in the norm of the diagonal of M
static double misfit(plSapWorkspace* ws, const double* d, const double* s, double* r) {
  plSapLowRank* low = &ws->low;
  const plSapLayout* lay = &ws->lay;
  double sum = 0;
  int ld = pl_lu_stride(low->n);
  for (int a = 0; a < low->n;) {
    int i = low->con[a], r0 = lay->con_row0[i], m = lay->con_row0[i + 1] - r0;
    const plSapConstraint* con = ws->problem->constraint + i;
    const double *G0 = ws->G_panel + lay->con_G0[i], *own = d + a;
    double vc[MOST], gamma[MOST];
    for (int k = 0; k < m; k++) vc[k] = ws->vc[r0 + k] + own[k];
    (void)pl_sap_calc(con, vc, NULL, gamma, low->G + lay->con_G0[i]);
    for (int k = 0; k < m; k++, a++) {
      double linear = pl_sap_is_contact(con->law) ? G0[k] * own[0] + G0[k + 3] * own[1] + G0[k + 6] * own[2]
                                                  : G0[k] * own[k];
      r[a] = s[a] - (gamma[k] - ws->model_gamma[r0 + k] + linear);
      sum += r[a] * r[a] * low->M_changed[a * ld + a];
    }
  }
  return sum;
}

// A point on the way: s - alpha x, d - alpha w, and r there
typedef struct Trial {
  double s[MOST], d[MOST], r[MOST];
  double size;  // |r|^2
} Trial;

// The slope of the cost of the model along a step, and its derivative
typedef struct Slope {
  double f, df;
} Slope;

// G of the laws along w
static double bend(const plSapWorkspace* ws, const double* G, const double* w) {
  const plSapLayout* lay = &ws->lay;
  double sum = 0;
  for (int a = 0; a < ws->low.n;) {
    int i = ws->low.con[a], m = lay->con_row0[i + 1] - lay->con_row0[i];
    const double *g = G + lay->con_G0[i], *d = w + a;
    if (pl_sap_is_contact(ws->problem->constraint[i].law))
      for (int k = 0; k < 3; k++) sum += d[k] * (g[k] * d[0] + g[k + 3] * d[1] + g[k + 6] * d[2]);
    else
      for (int k = 0; k < m; k++) sum += d[k] * g[k] * d[k];
    a += m;
  }
  return sum;
}

// Moves along the step (-x in s, -w in d), where `own` is the part of the derivative that does not change.
static Slope move(plSapWorkspace* ws, const Trial* from, const double* x, const double* w, double own,
                  double alpha, Trial* to) {
  int n = ws->low.n;
  Slope slope = {0};
  for (int a = 0; a < n; a++) to->s[a] = from->s[a] - alpha * x[a], to->d[a] = from->d[a] - alpha * w[a];
  to->size = misfit(ws, to->d, to->s, to->r);
  for (int a = 0; a < n; a++) slope.f -= to->r[a] * w[a];
  slope.df = own + bend(ws, ws->low.G, w);
  return slope;
}

// One step of Newton's method with a search for a small slope; false: no progress. In a bracket of the root,
// the search is Newton's method while its steps shrink, otherwise the secant and the middle in turn.
static bool step(plSapWorkspace* ws, const Trial* from, Trial* to) {
  double x[MOST], w[MOST], f0 = 0, own = 0;
  if (!pl_sap_low_system(ws, ws->low.G, &ws->low.law)) return false;
  pl_sap_low_divide(ws, &ws->low.law, from->r, x);
  pl_sap_low_times_M(&ws->low, x, w);
  for (int a = 0; a < ws->low.n; a++) f0 -= from->r[a] * w[a], own += x[a] * w[a];
  if (!(f0 < 0)) return false;
  own -= bend(ws, ws->G_panel, w);
  Slope slope = move(ws, from, x, w, own, 1, to);
  double lo = 0, hi = 1, f_lo = f0, f_hi = slope.f, alpha = 1, last = 1;
  bool chord = true;
  for (int k = 1; k < TRIES && fabs(slope.f) > -FLAT * f0 && !(alpha == 1 && slope.f < 0); k++) {
    double next = alpha - slope.f / slope.df;
    if (!(next > lo && next < hi && fabs(next - alpha) <= 0.5 * last)) {
      next = chord ? lo - f_lo * (hi - lo) / (f_hi - f_lo) : 0.5 * (lo + hi);
      chord = !chord;
    }
    last = fabs(next - alpha), alpha = next;
    slope = move(ws, from, x, w, own, alpha, to);
    if (slope.f > 0)
      hi = alpha, f_hi = slope.f;
    else
      lo = alpha, f_lo = slope.f;
  }
  return isfinite(to->size);
}

double pl_sap_exact_systems(const plSapWorkspace* ws, int rows) {
  double n = rows, each = ws->low.lu == &pl_lu_plain ? PLAIN : FAST;
  return ws->low.renew / (each * n * n * n / 3);
}

bool pl_sap_follow_laws(plSapWorkspace* ws, const double* u, double* s) {
  plSapLowRank* low = &ws->low;
  double most = SHARE * pl_sap_exact_systems(ws, low->n);
  if (most < 1) return false;
  Trial trial[2], *now = &trial[0], *next = &trial[1];
  size_t size = (size_t)low->n * sizeof *s;
  memcpy(now->s, s, size);
  pl_sap_low_times_M(low, s, now->d);
  for (int a = 0; a < low->n; a++) now->d[a] -= u[a];
  double first = now->size = misfit(ws, now->d, now->s, now->r);
  for (int k = 0; k < STEPS && k < most && now->size > low->exact * low->exact * first && step(ws, now, next);
       k++) {
    Trial* swap = now;
    now = next, next = swap;
  }
  bool useful = now->size < USEFUL * USEFUL * first;
  if (useful) memcpy(s, now->s, size);
  return useful;
}

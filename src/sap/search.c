// search.c: the line search along dx.
//
// The slope of the cost along the direction, with c2 = dx' A dx, is
//     f(a) = grad . dx + a c2 - dvc . (gamma(vc + a dvc) - gamma(vc))
// It is continuous and increasing (the cost is convex), and f(0) < 0. Written with the difference of
// impulses, it stays accurate near the optimum, where rounding dominates the cost itself. Newton's method
// inside a bracket finds the root, no more accurately than the next direction needs. Before the root (f < 0)
// every point costs less than the start; beyond it only a small slope is accepted, so that the cost is lower
// there too.
#include <float.h>
#include <math.h>

#include "sap/workspace.h"

static const double ALPHA_MAX = 1.5;
static const double BEYOND = 0.1;  // fraction of the tolerance that is accepted beyond the root

typedef struct Slope {
  double f, df, noise;
} Slope;

static Slope slope_at(plSapWorkspace* ws, const plSapOptions* options, double f0, double c2, double alpha) {
  const plSapLayout* lay = &ws->lay;
  if (!(ws->tried && alpha == 1)) {
    for (int i = 0; i < lay->nrow; i++) ws->ls_vc[i] = ws->vc[i] + alpha * ws->dvc[i];
    pl_sap_laws(ws, ws->ls_vc, NULL, ws->ls_gamma, ws->ls_G, NULL, options->pool);
  }
  ws->tried = false;
  double f = f0 + alpha * c2, df = c2, noise = 0;
  for (int i = 0; i < lay->nconstraint; i++) {
    int r0 = lay->con_row0[i], n = lay->con_row0[i + 1] - r0;
    const double *d = ws->dvc + r0, *G = ws->ls_G + lay->con_G0[i];
    for (int r = 0; r < n; r++) {
      f -= d[r] * (ws->ls_gamma[r0 + r] - ws->gamma[r0 + r]);
      noise += fabs(d[r] * ws->ls_gamma[r0 + r]);
    }
    if (pl_sap_is_contact(ws->problem->constraint[i].law)) {
      for (int s = 0; s < 3; s++) df += d[s] * (G[3 * s] * d[0] + G[3 * s + 1] * d[1] + G[3 * s + 2] * d[2]);
    } else {
      for (int r = 0; r < n; r++) df += d[r] * d[r] * G[r];
    }
  }
  return (Slope){f, df, DBL_EPSILON * noise};
}

static bool is_close(Slope s, double tolerance, double noise) {
  return s.f <= fmax(BEYOND * tolerance, noise) && s.f >= -fmax(tolerance, noise);
}

bool pl_sap_search_keeps(const plSapOptions* options, double f0, double f) {
  return is_close((Slope){.f = f}, options->search_tolerance * -f0, 0);
}

plSapSearch pl_sap_search(plSapWorkspace* ws, const plSapOptions* options) {
  const int nv = ws->lay.nv;
  double f0 = 0, c2 = 0, noise0 = 0;
  for (int i = 0; i < nv; i++) f0 += ws->grad[i] * ws->dx[i], c2 += ws->dx[i] * ws->dp[i];
  for (int i = 0; i < ws->lay.nrow; i++) noise0 += DBL_EPSILON * fabs(ws->dvc[i] * ws->gamma[i]);
  plSapSearch search = {.alpha = 1};
  Slope s = slope_at(ws, options, f0, c2, 1);
  search.evaluations = 1;
  if (!isfinite(s.f) || !isfinite(f0)) return search.alpha = NAN, search;
  // if a closing point makes huge impulses at a = 1, the slope at 0 is still accurate
  if (!(f0 < -8 * (ws->carried ? noise0 : s.noise))) return search.noise = true, search;
  double tolerance = options->search_tolerance * -f0, noise = 4 * s.noise;
  if (is_close(s, tolerance, noise)) return search;

  // bracket: f(lo) < 0 <= f(hi)
  double lo = 0, f_lo = f0, hi = 1, f_hi = s.f, alpha = 1;
  if (s.f < 0) {
    // the root lies beyond 1: at the root of the tangent, or at most at ALPHA_MAX
    lo = 1, f_lo = s.f, hi = ALPHA_MAX;
    alpha = 1 - s.f / s.df < hi ? 1 - s.f / s.df : hi;
    s = slope_at(ws, options, f0, c2, alpha);
    search.evaluations++;
    if (is_close(s, tolerance, noise) || (s.f < 0 && alpha == hi)) return search.alpha = alpha, search;
    if (s.f < 0) {
      lo = alpha, f_lo = s.f;
      s = slope_at(ws, options, f0, c2, alpha = hi);
      search.evaluations++;
      if (s.f <= fmax(BEYOND * tolerance, noise)) return search.alpha = hi, search;
    }
    hi = alpha, f_hi = s.f;
  }
  // Newton's method while each step is at most half as long as the last; otherwise secant and bisection in
  // turn. With stiff points the root is often close to 0, and the secant from a huge f(1) leads there at
  // once.
  double last = hi - lo;
  bool chord = true;
  while (search.evaluations < options->max_search) {
    double next = alpha - s.f / s.df;
    if (!(next > lo && next < hi && fabs(next - alpha) <= 0.5 * last)) {
      next = chord ? lo - f_lo * (hi - lo) / (f_hi - f_lo) : 0.5 * (lo + hi);
      if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
      chord = !chord;
    }
    last = fabs(next - alpha), alpha = next;
    s = slope_at(ws, options, f0, c2, alpha);
    search.evaluations++;
    if (is_close(s, tolerance, fmax(noise, 4 * s.noise))) break;
    if (s.f < 0)
      lo = alpha, f_lo = s.f;
    else
      hi = alpha, f_hi = s.f;
    if (hi - lo <= 1e-14 * hi) break;
  }
  // no evaluations left: the lower end of the bracket still descends
  if (search.evaluations >= options->max_search && lo > 0) alpha = lo;
  return search.alpha = alpha, search;
}

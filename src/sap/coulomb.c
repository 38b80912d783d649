// coulomb.c: Coulomb's friction by rounds of convex solves.
//
// Let u = vc - v_hat + R gamma: the velocity of a point without what its compliance allows. The convex law is
//     C* 3 u _|_ gamma in C,      C = { |gamma_t| <= mu gamma_n },   C* = { u_n >= mu |u_t| }
// A point that slides is on the boundary of both cones: u_n = mu |u_t|. It separates as it slides, and what
// begins to slide hops. Coulomb's law is u_n >= 0 instead. De Saxce: with u~ = u + (0, 0, mu |u_t|) it reads
//     C* 3 u~ _|_ gamma in C
// since u~_n = u_n + mu |u_t| >= mu |u_t| says u_n >= 0; sliding, u~_n = mu |u_t|, gives u_n = 0; sticking
// and open points are as before. With a number s in the place of mu |u_t| this is the convex law with v_hat_n
// - s instead of v_hat_n. So (Acary, Cadoux, Lemarechal, Malick 2011): solve the convex problem with shifts
// s_i, compare with F_i(s) = mu_i |u_t,i| at its solution, correct s, and solve again from there. Each round
// is convex, balances momentum and keeps impulses in their cones.
//
// Shifts begin with mu times the slip that is to be expected (first_shifts). They are corrected by Newton's
// method on F(s) - s = 0 (coulomb_newton.c). A point is right where |F - s| is small, and where it
// is open with u_n >= 0 whatever s is.
//
// problem, shifts -> solution, report; layout, ordering, pattern and factor are kept from round to round.
#include "sap/coulomb.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/timer.h"
#include "sap/report.h"

plSapCoulomb pl_sap_default_coulomb(void) {
  return (plSapCoulomb){.relative_tolerance = 1e-3, .absolute_tolerance = 1e-4, .max_rounds = 20};
}

static bool allocate(plSapWorkspace* ws, plShifts* sh) {
  plArena* arena = &ws->scratch;
  int n = sh->n = ws->lay.nconstraint;
  double** by_point[] = {&sh->s, &sh->F, &sh->r, &sh->ds, &sh->best_s, &sh->z};
  for (size_t i = 0; i < sizeof by_point / sizeof *by_point; i++)
    *by_point[i] = PL_ARENA_NEW(arena, double, n);
  for (int i = 0; i <= PL_COULOMB_DEPTH; i++) sh->basis[i] = PL_ARENA_NEW(arena, double, n);
  sh->best_x = PL_ARENA_NEW(arena, double, ws->lay.nv);
  sh->constraint = PL_ARENA_NEW(arena, plSapConstraint, n);
  if (arena->failed) return false;
  memset(sh->s, 0, (size_t)n * sizeof *sh->s);
  memcpy(sh->constraint, ws->problem->constraint, (size_t)n * sizeof *sh->constraint);
  return true;
}

// The shifts' problem instead of the caller's.
static void apply_shifts(plSapWorkspace* ws, const plSapProblem* problem, const plShifts* sh) {
  for (int i = 0; i < sh->n; i++)
    if (pl_sap_has_shift(sh->constraint + i))
      sh->constraint[i].cone.v_hat_n = problem->constraint[i].cone.v_hat_n - sh->s[i];
  ws->corrected = *problem, ws->corrected.constraint = sh->constraint;
  ws->problem = &ws->corrected;
}

static double slip_of(const plSapConstraint* c, const double* Jv) {
  return hypot(Jv[0] + (c->bias ? c->bias[0] : 0), Jv[1] + (c->bias ? c->bias[1] : 0));
}

// mu times a slip that is not too large: too small a shift lifts a point, too large a one opens it. The slip
// of the guess without creep, which is R_t gamma_t with gamma_n about v_hat_n / R_n; and that of v_star less
// what friction takes from a lone body whose approach is stopped, mu |u_n|.
static void first_shifts(plSapWorkspace* ws, const double* start, const double* v_guess, plShifts* sh) {
  const plSapLayout* lay = &ws->lay;
  if (!start) pl_sap_mul_J(ws, ws->v_star, ws->vc), pl_sap_mul_J(ws, v_guess ? v_guess : ws->v_star, ws->dvc);
  for (int i = 0; i < sh->n; i++) {
    const plSapConstraint* con = ws->problem->constraint + i;
    if (!pl_sap_has_shift(con)) continue;
    double s = start ? start[i] : 0;
    if (!start) {
      const plSapCone* law = &con->cone;
      const double *Jv = ws->vc + lay->con_row0[i], *guess = ws->dvc + lay->con_row0[i];
      double creep = law->mu * law->R_t * fmax(0, law->v_hat_n) / law->R_n;
      double u_n = Jv[2] + (con->bias ? con->bias[2] : 0) - law->v_hat_n;
      s = law->mu * fmin(slip_of(con, guess) - creep, slip_of(con, Jv) - law->mu * fmax(0, -u_n));
    }
    sh->s[i] = isfinite(s) && s > 0 ? s : 0;
  }
}

double pl_sap_coulomb_error(const plSapConstraint* c, const double* vc, const double* gamma, double s,
                            double* F) {
  const plSapCone* law = &c->cone;
  *F = 0;
  if (!pl_sap_has_shift(c)) return 0;
  *F = law->mu * hypot(vc[0] + law->R_t * gamma[0], vc[1] + law->R_t * gamma[1]);
  double error = fabs(*F - s);
  return pl_sap_is_open(gamma) ? fmax(0, fmin(error, law->v_hat_n - vc[2])) : error;
}

static double tolerance_of(const plSapCoulomb* co, double F) {
  return co->absolute_tolerance + co->relative_tolerance * F;
}

// F and r = F - s at the solution of a round; the largest ratio of an error to its tolerance, and the sum of
// their squares.
static double find_rest(const plSapWorkspace* ws, const plSapProblem* problem, const plSapCoulomb* co,
                        plShifts* sh, plSapReport* report, double* squares) {
  double worst = 0;
  *squares = report->coulomb_residual = 0, report->coulomb_fallbacks = 0;
  for (int i = 0; i < sh->n; i++) {
    int r0 = ws->lay.con_row0[i];
    double error =
        pl_sap_coulomb_error(problem->constraint + i, ws->vc + r0, ws->gamma + r0, sh->s[i], &sh->F[i]);
    double ratio = error / tolerance_of(co, sh->F[i]);
    sh->r[i] = sh->F[i] - sh->s[i];
    report->coulomb_residual = fmax(report->coulomb_residual, error);
    report->coulomb_fallbacks += ratio > 1;
    worst = fmax(worst, ratio), *squares += error * error;
  }
  return worst;
}

// One convex solve from x; the work adds up in the report.
static plStatus solve_round(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                            bool* factored, plError* error) {
  int before = report->iterations;
  report->iterations = 0;
  plStatus status = pl_sap_iterate(ws, options, report, factored, error);
  report->iterations += before;
  report->rounds++;
  return status;
}

// ds as it is taken: in the direction of F - s where that is not small, since a point whose F grows faster
// than s (it is squeezed) would be led away from the solution otherwise; s not below zero, and above zero
// where F - s > 0; the whole of it or a part.
static void limit(const plSapProblem* problem, const plSapCoulomb* co, bool wary, double part, plShifts* sh) {
  for (int i = 0; i < sh->n; i++) {
    if (!pl_sap_has_shift(problem->constraint + i)) continue;
    double ds = sh->ds[i], r = sh->r[i];
    if (wary && ds * r < 0 && fabs(r) > tolerance_of(co, sh->F[i])) ds = -ds;
    if (sh->s[i] + ds < 0) ds = r > 0 ? r : -sh->s[i];
    sh->ds[i] = part * ds;
  }
}

static plStatus rounds(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                       const plSapCoulomb* co, plShifts* sh, plSapReport* report, plError* error) {
  const size_t nv = (size_t)ws->lay.nv * sizeof(double), n = (size_t)sh->n * sizeof(double);
  bool factored = false, wary = false;
  double best = INFINITY, before = INFINITY;
  for (;;) {
    plStatus status = solve_round(ws, options, report, &factored, error);
    if (status) return status;
    double rest, worst = find_rest(ws, problem, co, sh, report, &rest);
    if (worst <= 1) return PL_OK;
    if (worst < best) best = worst, memcpy(sh->best_s, sh->s, n), memcpy(sh->best_x, ws->x, nv);
    if (report->rounds >= co->max_rounds) break;
    int bad = pl_sap_correct_shifts(ws, options, report, sh, &factored);
    if (bad >= 0) {
      report->worst_clique = bad;
      return pl_fail(error, PL_ERROR_INDEFINITE, "the Hessian has no Cholesky factor at clique %d", bad);
    }
    // half a correction where the last one led away
    wary |= !(rest < before);
    limit(problem, co, wary, rest < before ? 1 : 0.5, sh);
    before = rest;
    for (int i = 0; i < sh->n; i++) sh->s[i] += sh->ds[i];
    pl_sap_follow_shifts(ws, sh);
    apply_shifts(ws, problem, sh);
  }
  // the best round, or the convex law itself
  double rest;
  report->coulomb_capped = 1;
  memset(sh->s, 0, n);
  apply_shifts(ws, problem, sh);
  plStatus status = solve_round(ws, options, report, &factored, error);
  if (status || find_rest(ws, problem, co, sh, report, &rest) <= best) return status;
  memcpy(sh->s, sh->best_s, n), memcpy(ws->x, sh->best_x, nv);
  apply_shifts(ws, problem, sh);
  pl_sap_update_velocity(ws);
  status = solve_round(ws, options, report, &factored, error);
  (void)find_rest(ws, problem, co, sh, report, &rest);
  return status;
}

static plStatus check(const plSapCoulomb* co, plError* error) {
  if (!(co->relative_tolerance >= 0) || !(co->absolute_tolerance >= 0) ||
      co->relative_tolerance + co->absolute_tolerance == 0)
    return pl_fail(error, PL_ERROR_INPUT,
                   "Coulomb's tolerances must not be negative, and one of them positive");
  if (co->max_rounds < 1) return pl_fail(error, PL_ERROR_INPUT, "max_rounds must be at least 1");
  return PL_OK;
}

static plStatus solve(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                      const plSapCoulomb* co, const double* v_guess, plShifts* sh, plSapReport* report,
                      plError* error) {
  double t0 = pl_now();
  plStatus status = check(co, error);
  if (!status) status = pl_sap_set_up(ws, problem, options, report, error);
  if (status) return status;
  if (!allocate(ws, sh)) return pl_fail_out_of_memory(error, (size_t)sh->n * sizeof(plSapConstraint));
  first_shifts(ws, co->start, v_guess, sh);
  apply_shifts(ws, problem, sh);
  pl_sap_start(ws, v_guess, report);
  report->time_setup = pl_now() - t0;
  return rounds(ws, problem, options, co, sh, report, error);
}

plStatus pl_sap_solve_coulomb(const plSapProblem* problem, const plSapOptions* options,
                              const plSapCoulomb* coulomb, const double* v_guess, plSapSolution* solution,
                              plSapReport* report, plSapWorkspace* ws, plError* error) {
  plSapReport own;
  plSapOptions defaults = pl_sap_default_options();
  plSapCoulomb rule = coulomb ? *coulomb : pl_sap_default_coulomb();
  plShifts shifts;
  double t0 = pl_now();
  if (!report) report = &own;
  memset(report, 0, sizeof *report);
  report->worst_clique = report->worst_constraint = -1;
  plStatus status = solve(ws, problem, options ? options : &defaults, &rule, v_guess, &shifts, report, error);
  if (!status) {
    if (solution) pl_sap_write_solution(ws, solution);
    if (rule.shift) memcpy(rule.shift, shifts.s, (size_t)shifts.n * sizeof *rule.shift);
    pl_sap_describe(ws, report);
  }
  report->status = status;
  report->time_total = pl_now() - t0;
  return status;
}

// coulomb.c: Coulomb's friction by rounds of convex solves.
//
// Let u = vc - v_hat + R gamma: the velocity of a point minus the velocity that its compliance allows. The
// convex law is
//     C* 3 u _|_ gamma in C,      C = { |gamma_t| <= mu gamma_n },   C* = { u_n >= mu |u_t| }
// A sliding point is on the boundary of both cones: u_n = mu |u_t|. It separates as it slides, and a body
// that begins to slide hops. Coulomb's law is u_n >= 0 instead. De Saxce: with u~ = u + (0, 0, mu |u_t|) it
// reads
//     C* 3 u~ _|_ gamma in C
// since u~_n = u_n + mu |u_t| >= mu |u_t| means u_n >= 0. For a sliding point u~_n = mu |u_t| gives u_n = 0;
// nothing changes for sticking and open points. With a number s instead of mu |u_t| this is the convex law
// with v_hat_n - s instead of v_hat_n. This suggests the following iteration (Acary, Cadoux, Lemarechal,
// Malick 2011): solve the convex problem with shifts s_i, compare them with F_i(s) = mu_i |u_t,i| at its
// solution, correct s, and solve again from there. Each round is convex, balances momentum and keeps impulses
// in their cones.
//
// The initial shifts are mu times the expected slip (first_shifts). Newton's method on F(s) - s = 0 corrects
// them (coulomb_newton.c). Its corrections are too large if points begin or cease to slide or to touch during
// the round, and they diverge for squeezed points, whose F grows faster than s. The plain correction s = F(s)
// fails far less often, but for a single body it leaves mu^2 / (1 + mu^2) of the error. Newton's corrections
// are therefore used while they reduce the error. After one that increased it, one plain correction is made,
// and from then on Newton's corrections are limited to 1/4 and 4, then 1/16 and 16, ... times the plain one.
// A point is right if |F - s| is small, or if it is open with u_n >= 0, whatever s is.
//
// The first shifts are a guess, so the first round is solved roughly, and its last Newton step is taken
// together with the first correction, which is limited. If the guess is right, that round is solved to its
// tolerance and judged again. All other rounds are solved to their tolerance.
//
// Some problems do not converge in this way: s has kinks wherever a point changes its state. After the fourth
// round, and after each half as many more, come steps of Newton's method on Coulomb's law itself
// (coulomb_direct.c). If they converge, the next round judges their result. With steep friction plain
// corrections leave nearly the whole error, and these steps come after the first round already, which then
// ends even sooner.
//
// Creep. A sticking point has y = gamma, so that it slips by vc_t = -R_t gamma_t. Let friction act on vc_t -
// h with a constant h instead (in the bias of the two rows): then vc_t = h - R_t gamma_t, u_t = vc_t - h +
// R_t gamma_t, and h = R_t gamma_t is Coulomb's law without compliance along the surface. One correction
// takes h from the impulses of the previous round. It leaves R_t / (R_t + w) of the creep, where w is the
// compliance of the bodies at the point: 1e-3 for a body that is held as a whole, with the default sigma. A
// smaller sigma would make every solve harder. (Iterating until no point creeps takes many rounds:
// neighbouring points on a soft body can exchange load almost without moving.)
//
// problem, shifts -> solution, report; layout, ordering, pattern and factor are kept between rounds.
#include "sap/coulomb.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/timer.h"
#include "math/vec3.h"
#include "sap/report.h"

static const double SINK_MOST =
    0.01;  // m/s: largest speed of penetration of a result that does not satisfy Coulomb's law
static const double GROWTH =
    4;  // factor by which the limit of a correction grows after each one that reduced the error

static const double FALLS = 0.25;  // a correction that leaves less than this fraction of the squared error
                                   // is followed by another one
static const double STEEP = 2;  // friction above which a plain correction leaves more than 0.8 of the error

static const double FIRST_ROUND = 0.1;  // relative residual at which the first round ends
static const double STEEP_ROUND = 0.5;  // the same with steep friction, from where coulomb_direct.c goes on

plSapCoulomb pl_sap_default_coulomb(void) {
  return (plSapCoulomb){.relative_tolerance = 1e-3,
                        .absolute_tolerance = 1e-4,
                        .creep_tolerance = 1e-5,
                        .creep_rounds = 1,
                        .max_rounds = 60,
                        .direct_after = 4};
}

static bool allocate(plSapWorkspace* ws, plShifts* sh) {
  plArena* arena = &ws->scratch;
  int n = sh->n = ws->lay.nconstraint;
  double** by_point[] = {&sh->s, &sh->F, &sh->r, &sh->ds, &sh->best_s, &sh->z};
  for (size_t i = 0; i < sizeof by_point / sizeof *by_point; i++)
    *by_point[i] = PL_ARENA_NEW(arena, double, n);
  for (int i = 0; i <= PL_COULOMB_DEPTH; i++) sh->basis[i] = PL_ARENA_NEW(arena, double, n);
  double** by_tangent[] = {&sh->h, &sh->dh, &sh->best_h, &sh->slip0, &sh->from_h, &sh->slide};
  for (size_t i = 0; i < sizeof by_tangent / sizeof *by_tangent; i++)
    *by_tangent[i] = PL_ARENA_NEW(arena, double, 2 * (size_t)n);
  sh->best_x = PL_ARENA_NEW(arena, double, ws->lay.nv);
  sh->from_x = PL_ARENA_NEW(arena, double, ws->lay.nv);
  sh->impulse = PL_ARENA_NEW(arena, double, ws->lay.nrow);
  sh->dimpulse = PL_ARENA_NEW(arena, double, ws->lay.nrow);
  sh->constraint = PL_ARENA_NEW(arena, plSapConstraint, n);
  if (arena->failed) return false;
  memset(sh->s, 0, (size_t)n * sizeof *sh->s);
  memset(sh->h, 0, 2 * (size_t)n * sizeof *sh->h);
  memset(sh->best_h, 0, 2 * (size_t)n * sizeof *sh->best_h);  // used if no round is good enough
  memcpy(sh->constraint, ws->problem->constraint, (size_t)n * sizeof *sh->constraint);
  return true;
}

// The problem with shifts replaces the caller's.
static void apply_shifts(plSapWorkspace* ws, const plSapProblem* problem, const plShifts* sh) {
  for (int i = 0; i < sh->n; i++)
    if (pl_sap_has_shift(sh->constraint + i))
      sh->constraint[i].cone.v_hat_n = problem->constraint[i].cone.v_hat_n - sh->s[i];
  ws->corrected = *problem, ws->corrected.constraint = sh->constraint;
  ws->problem = &ws->corrected;
}

// Friction acts on vc_t - h. Changes h by dh, and the velocities of the rows with it. vc0 is computed from
// its value at h = 0, so that an h that was too large leaves no rounding error behind.
void pl_sap_move_h(plSapWorkspace* ws, plShifts* sh) {
  ws->evaluated = false;
  for (int i = 0; i < sh->n; i++)
    for (int k = 0; k < 2 && pl_sap_has_shift(sh->constraint + i); k++) {
      int row = ws->lay.con_row0[i] + k;
      double dh = sh->dh[2 * i + k];
      sh->h[2 * i + k] += dh, ws->vc0[row] = sh->slip0[2 * i + k] - sh->h[2 * i + k], ws->vc[row] -= dh;
    }
}

static double slip_of(const plSapConstraint* c, const double* Jv) {
  return v2_norm(Jv[0] + (c->bias ? c->bias[0] : 0), Jv[1] + (c->bias ? c->bias[1] : 0));
}

// Initial shifts: mu times an estimate of the slip that is not too large, because a shift that is too small
// lifts a point and one that is too large opens it. The estimate is the smaller of two: the slip of the guess
// minus its creep, which is R_t gamma_t with gamma_n about v_hat_n / R_n; and the slip of v_star minus the
// slip that friction removes from a single body whose approach is stopped, mu |u_n|.
static void first_shifts(plSapWorkspace* ws, const double* start, const double* v_guess, plShifts* sh) {
  const plSapLayout* lay = &ws->lay;
  if (!start) pl_sap_mul_J(ws, v_guess ? v_guess : ws->v_star, ws->dvc);
  for (int i = 0; i < sh->n; i++) {
    const plSapConstraint* con = ws->problem->constraint + i;
    if (!pl_sap_has_shift(con)) continue;
    double s = start ? start[3 * i + 2] : 0;
    if (!start) {
      const plSapCone* law = &con->cone;
      const double *Jv = ws->vc0 + lay->con_row0[i], *guess = ws->dvc + lay->con_row0[i];
      double creep = law->mu * law->R_t * fmax(0, law->v_hat_n) / law->R_n;
      double u_n = Jv[2] + (con->bias ? con->bias[2] : 0) - law->v_hat_n;
      s = law->mu * fmin(slip_of(con, guess) - creep, slip_of(con, Jv) - law->mu * fmax(0, -u_n));
    }
    sh->s[i] = isfinite(s) && s > 0 ? s : 0;
  }
}

plSapCoulombError pl_sap_coulomb_error(const plSapConstraint* c, const double* vc, const double* gamma,
                                       const double shift[3]) {
  assert(c != NULL && vc != NULL && gamma != NULL && shift != NULL);
  const plSapCone* law = &c->cone;
  plSapCoulombError e = {0};
  if (!pl_sap_has_shift(c)) return e;
  double R_t = law->R_t, d[2] = {R_t * gamma[0] - shift[0], R_t * gamma[1] - shift[1]};
  e.F = law->mu * v2_norm(vc[0] + d[0], vc[1] + d[1]);
  e.s = fabs(e.F - shift[2]), e.creep = v2_norm(d[0], d[1]);
  if (pl_sap_is_open(gamma)) e.s = fmax(0, fmin(e.s, law->v_hat_n - vc[2])), e.creep = 0;
  return e;
}

static double tolerance_of(const plSapCoulomb* co, double F) {
  return co->absolute_tolerance + co->relative_tolerance * F;
}

int pl_sap_coulomb_holds(const plSapCoulomb* co, const plSapCoulombError* e) {
  assert(co != NULL && e != NULL);
  return e->s <= tolerance_of(co, e->F);
}

// Errors at the solution of a round: the largest ratio of an error to its tolerance, the sum of squares, the
// same ratio for creep, the speed of penetration, and the largest friction of a point whose error exceeds its
// tolerance. find_rest also writes F, r = F - s and dh.
typedef struct Rest {
  double worst, squares, creep, sink, friction;
} Rest;
static Rest find_rest(const plSapWorkspace* ws, const plSapProblem* problem, const plSapCoulomb* co,
                      plShifts* sh, plSapReport* report) {
  Rest rest = {0};
  report->coulomb_residual = report->creep = 0, report->coulomb_fallbacks = 0;
  for (int i = 0; i < sh->n; i++) {
    const plSapConstraint* con = problem->constraint + i;
    const double *vc = ws->vc + ws->lay.con_row0[i], *gamma = ws->gamma + ws->lay.con_row0[i],
                 *h = sh->h + 2 * i;
    sh->F[i] = sh->r[i] = sh->dh[2 * i] = sh->dh[2 * i + 1] = 0;
    if (!pl_sap_has_shift(con)) continue;
    double slip[3] = {vc[0] + h[0], vc[1] + h[1], vc[2]}, shift[3] = {h[0], h[1], sh->s[i]};
    plSapCoulombError e = pl_sap_coulomb_error(con, slip, gamma, shift);
    sh->F[i] = e.F, sh->r[i] = e.F - sh->s[i];
    for (int k = 0; k < 2; k++) sh->dh[2 * i + k] = con->cone.R_t * gamma[k] - h[k];
    report->coulomb_residual = fmax(report->coulomb_residual, e.s);
    if (ws->region[i] == PL_SAP_STICK) report->creep = fmax(report->creep, e.creep);
    bool holds = pl_sap_coulomb_holds(co, &e);
    report->coulomb_fallbacks += !holds;
    if (!holds) rest.friction = fmax(rest.friction, con->cone.mu);
    if (pl_sap_is_open(gamma) || sh->r[i] < 0) rest.sink = fmax(rest.sink, e.s);
    rest.worst = fmax(rest.worst, e.s / tolerance_of(co, e.F)), rest.squares += e.s * e.s;
    if (ws->region[i] == PL_SAP_STICK) rest.creep = fmax(rest.creep, e.creep / co->creep_tolerance);
  }
  return rest;
}

// One convex solve from x; adds its work to the report.
static plStatus solve_round(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                            plError* error) {
  int before = report->iterations;
  report->iterations = 0;
  plStatus status = pl_sap_iterate(ws, options, report, error);
  report->iterations += before;
  report->rounds++;
  return status;
}

// Solves a rough round to its tolerance.
static plStatus finish_round(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                             plError* error) {
  report->rounds--;
  return solve_round(ws, options, report, error);
}

// The correction ds that is applied. It is Newton's unless `most` is finite; then it is Newton's limited to 1
// / most and most times the plain correction r = F - s, or r itself if the two have opposite signs. The new s
// is not negative, and positive where r is.
static void limit(const plSapProblem* problem, double most, plShifts* sh) {
  for (int i = 0; i < sh->n; i++) {
    if (!pl_sap_has_shift(problem->constraint + i)) continue;
    double ds = sh->ds[i], r = sh->r[i];
    if (isfinite(most)) ds = ds * r > 0 ? r * fmin(fmax(ds / r, 1 / most), most) : r;
    if (sh->s[i] + ds < 0) ds = r > 0 ? r : -sh->s[i];
    sh->ds[i] = ds;
  }
}

// The next correction. right: the shifts s have converged, and only h changes.
static plStatus correct(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                        bool right, double most, plShifts* sh, plSapReport* report, plError* error) {
  bool newton = !right && most > 1;
  int bad = pl_sap_correct_shifts(ws, options, report, sh, newton);
  if (bad >= 0) {
    report->worst_clique = bad;
    return pl_fail(error, PL_ERROR_INDEFINITE, "the Hessian has no Cholesky factor at clique %d", bad);
  }
  for (int i = 0; i < sh->n && !newton; i++) sh->ds[i] = right ? 0 : sh->r[i];
  if (!right) limit(problem, most, sh);
  for (int i = 0; i < sh->n; i++) sh->s[i] += sh->ds[i];
  pl_sap_move_h(ws, sh);
  pl_sap_follow_shifts(ws, sh);
  apply_shifts(ws, problem, sh);
  return PL_OK;
}

// The best round in which no point penetrates fast, or the convex law itself, under which none does.
static plStatus fall_back(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                          const plSapCoulomb* co, double best, plShifts* sh, plSapReport* report,
                          plError* error) {
  report->coulomb_capped = 1;
  for (int i = 0; i < sh->n; i++) {
    sh->s[i] = 0;
    for (int k = 0; k < 2; k++) sh->dh[2 * i + k] = sh->best_h[2 * i + k] - sh->h[2 * i + k];
  }
  pl_sap_move_h(ws, sh);
  apply_shifts(ws, problem, sh);
  plStatus status = solve_round(ws, options, report, error);
  if (status || find_rest(ws, problem, co, sh, report).worst <= best) return status;
  memcpy(sh->s, sh->best_s, (size_t)sh->n * sizeof *sh->s);
  memcpy(ws->x, sh->best_x, (size_t)ws->lay.nv * sizeof *ws->x);
  apply_shifts(ws, problem, sh);
  pl_sap_update_velocity(ws);
  status = solve_round(ws, options, report, error);
  (void)find_rest(ws, problem, co, sh, report);
  return status;
}

// Newton's method on Coulomb's law itself, from the present round. What it does not solve is the round again.
static plStatus solve_directly(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                               const plSapCoulomb* co, plShifts* sh, plSapReport* report, bool* found,
                               plError* error) {
  plStatus status = pl_sap_coulomb_direct(ws, problem, options, sh, report, found, error);
  if (status) return status;
  if (*found) apply_shifts(ws, problem, sh);
  pl_sap_update_velocity(ws);
  if (*found) return PL_OK;
  pl_sap_evaluate(ws, options->pool);
  (void)find_rest(ws, problem, co, sh, report);
  return PL_OK;
}

static bool is_steep(const plSapProblem* problem) {
  for (int i = 0; i < problem->nconstraint; i++)
    if (pl_sap_has_shift(problem->constraint + i) && problem->constraint[i].cone.mu > STEEP) return true;
  return false;
}

static plStatus rounds(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                       const plSapCoulomb* co, plShifts* sh, plSapReport* report, plError* error) {
  const size_t n = (size_t)sh->n * sizeof(double);
  int moved = 0;                  // number of corrections of h
  int direct = co->direct_after;  // rounds before the next direct attempt
  double best = INFINITY, before = INFINITY, most = INFINITY;
  plSapOptions first = *options;
  bool goes_on = direct > 0 && is_steep(problem);
  first.relative_tolerance = fmax(goes_on ? STEEP_ROUND : FIRST_ROUND, options->relative_tolerance);
  for (;;) {
    sh->rough = report->rounds == 0;
    plStatus status = solve_round(ws, sh->rough ? &first : options, report, error);
    if (status) return status;
    Rest rest = find_rest(ws, problem, co, sh, report);
    bool settled = rest.creep <= 1 || moved >= co->creep_rounds;
    if (sh->rough && rest.worst <= 1 && settled) {
      sh->rough = false;
      if ((status = finish_round(ws, options, report, error))) return status;
      rest = find_rest(ws, problem, co, sh, report);
      settled = rest.creep <= 1 || moved >= co->creep_rounds;
    }
    if (rest.worst <= 1 && settled) return PL_OK;
    if (rest.worst < best && rest.sink <= SINK_MOST) {
      best = rest.worst;
      memcpy(sh->best_s, sh->s, n), memcpy(sh->best_h, sh->h, 2 * n);
      memcpy(sh->best_x, ws->x, (size_t)ws->lay.nv * sizeof *ws->x);
    }
    if (report->rounds >= co->max_rounds) return fall_back(ws, problem, options, co, best, sh, report, error);
    bool right = rest.worst <= 1, found = false;
    if (settled) memset(sh->dh, 0, 2 * n);
    bool steep = report->rounds == 1 && rest.friction > STEEP,
         falls = report->rounds > 1 && rest.squares < FALLS * before;
    if (!right && direct > 0 && (steep || (report->rounds >= direct && !falls))) {
      direct = report->rounds + (report->rounds + 1) / 2;
      status = solve_directly(ws, problem, options, co, sh, report, &found, error);
      if (status) return status;
    }
    if (found) {
      moved += !settled;
      continue;
    }
    if (!right) most = rest.squares < before ? GROWTH * most : 1;
    if (settled) memset(sh->dh, 0, 2 * n);
    moved += !settled && !sh->rough;
    status = correct(ws, problem, options, right, sh->rough ? GROWTH : most, sh, report, error);
    if (status) return status;
    before = rest.squares;
  }
}

static plStatus check(const plSapCoulomb* co, plError* error) {
  if (!(co->relative_tolerance >= 0) || !(co->absolute_tolerance >= 0) ||
      co->relative_tolerance + co->absolute_tolerance == 0)
    return pl_fail(error, PL_ERROR_INPUT,
                   "Coulomb's tolerances must not be negative, and one of them positive");
  if (!(co->creep_tolerance > 0) || co->creep_rounds < 0)
    return pl_fail(error, PL_ERROR_INPUT, "creep_tolerance must be positive, and creep_rounds not negative");
  if (co->max_rounds < 1) return pl_fail(error, PL_ERROR_INPUT, "max_rounds must be at least 1");
  if (co->direct_after < 0) return pl_fail(error, PL_ERROR_INPUT, "direct_after must not be negative");
  return PL_OK;
}

static plStatus solve(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                      const plSapCoulomb* co, const double* v_guess, plShifts* sh, plSapReport* report,
                      plError* error) {
  double t0 = pl_tick();
  plStatus status = check(co, error);
  if (!status) status = pl_sap_set_up(ws, problem, options, report, error);
  if (status) return status;
  if (!allocate(ws, sh)) return pl_fail_out_of_memory(error, (size_t)sh->n * sizeof(plSapConstraint));
  first_shifts(ws, co->start, v_guess, sh);
  apply_shifts(ws, problem, sh);
  pl_sap_start(ws, v_guess, report);
  for (int i = 0; i < sh->n; i++)
    for (int k = 0; k < 2 && pl_sap_has_shift(sh->constraint + i); k++)
      sh->slip0[2 * i + k] = ws->vc0[ws->lay.con_row0[i] + k];
  if (co->start) {
    for (int i = 0; i < 2 * sh->n; i++) sh->dh[i] = co->start[3 * (i / 2) + i % 2];
    pl_sap_move_h(ws, sh);
  }
  report->time_setup = pl_tick() - t0;
  return rounds(ws, problem, options, co, sh, report, error);
}

static void write_shifts(const plShifts* sh, double* shift) {
  for (int i = 0; i < sh->n; i++) {
    memcpy(shift + 3 * i, sh->h + 2 * i, 2 * sizeof *shift);
    shift[3 * i + 2] = sh->s[i];
  }
}

plStatus pl_sap_solve_coulomb(const plSapProblem* problem, const plSapOptions* options,
                              const plSapCoulomb* coulomb, const double* v_guess, plSapSolution* solution,
                              plSapReport* report, plSapWorkspace* ws, plError* error) {
  assert(problem != NULL);
  plSapReport own;
  plSapOptions defaults = pl_sap_default_options();
  plSapCoulomb rule = coulomb ? *coulomb : pl_sap_default_coulomb();
  plShifts shifts;
  double t0 = pl_tick();
  if (!report) report = &own;
  memset(report, 0, sizeof *report);
  report->worst_clique = report->worst_constraint = -1;
  plStatus status = solve(ws, problem, options ? options : &defaults, &rule, v_guess, &shifts, report, error);
  if (!status) {
    double creep = report->creep;
    if (rule.shift) write_shifts(&shifts, rule.shift);
    for (int i = 0; i < 2 * shifts.n; i++) shifts.dh[i] = -shifts.h[i];
    pl_sap_move_h(ws, &shifts);  // vc equals J v + b again
    if (solution) pl_sap_write_solution(ws, solution);
    pl_sap_describe(ws, report);
    report->creep = creep;
  }
  report->status = status;
  report->time_total = pl_tick() - t0;
  return status;
}

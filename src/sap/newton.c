// newton.c: the solver: Newton's method with a line search on the unconstrained convex problem (section VI).
//
// problem, options, v_guess -> solution, report. The unknown is x = v - v_star, so that momentum A x and
// impulses J' gamma are compared without the large common part of v.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/timer.h"
#include "sap/interior.h"
#include "sap/report.h"
#include "sap/workspace.h"

enum {
  PATIENCE = 400,
  HELP_AGAIN = 50
};  // iterations without a new smallest residual; between two calls for help
static const double NO_HEADWAY = 0.1;
static const double TAKE_OVER =
    1e-3;  // residual, relative, at which Newton takes over from the interior point
static const double
    SHORT = 0.5,
    FAR = 0.03;  // a step cut short; a residual, relative, that tells of points in the wrong region

plSapOptions pl_sap_default_options(void) {
  return (plSapOptions){.relative_tolerance = 1e-6,
                        .absolute_tolerance = 1e-20,
                        .max_iterations = 2000,
                        .search_tolerance = 1e-6,
                        .max_search = 100,
                        .interior_after = 12,
                        .sticking = 0,
                        .pool = NULL};
}

plSapOptions pl_sap_quick_options(void) {
  plSapOptions options = pl_sap_default_options();
  options.search_tolerance = 0.1, options.sticking = 6;
  return options;
}

plSapWorkspace* pl_sap_workspace_create(plError* error) {
  plSapWorkspace* ws = PL_NEW(plSapWorkspace, 1);
  if (!ws) {
    (void)pl_fail_out_of_memory(error, sizeof *ws);
    return NULL;
  }
  pl_arena_init(&ws->pattern_arena);
  pl_arena_init(&ws->scratch);
  return ws;
}

void pl_sap_workspace_destroy(plSapWorkspace* ws) {
  if (!ws) return;
  pl_arena_free(&ws->pattern_arena);
  pl_arena_free(&ws->scratch);
  pl_free(ws);
}

static bool allocate_panels(plSapWorkspace* ws, int nworker) {
  const plSapPattern* p = &ws->pattern;
  plArena* arena = &ws->scratch;
  ws->kernels = pl_panel_kernels(pl_isa());
  ws->panel = PL_ARENA_NEW(arena, double, p->size);
  ws->base = PL_ARENA_NEW(arena, double, p->size);
  ws->base_ready = false;
  ws->update = PL_ARENA_NEW(arena, double, pl_triangle_size(p->below_max));
  ws->block = PL_ARENA_NEW(arena, double, (size_t)nworker*(size_t)p->block_max*(size_t)p->block_max);
  ws->local = PL_ARENA_NEW(arena, double, pl_pad(p->column_max) + pl_pad(p->below_max));
  return !arena->failed;
}

static bool allocate(plSapWorkspace* ws) {
  const plSapLayout* lay = &ws->lay;
  plArena* arena = &ws->scratch;
  int nv = lay->nv, nrow = lay->nrow, ncon = lay->nconstraint;
  double** by_dof[] = {&ws->permuted, &ws->x,  &ws->p, &ws->jg,     &ws->grad,
                       &ws->dx,       &ws->dp, &ws->S, &ws->Av_star};
  for (size_t i = 0; i < sizeof by_dof / sizeof *by_dof; i++) *by_dof[i] = PL_ARENA_NEW(arena, double, nv);
  double** by_row[] = {&ws->vc0, &ws->vc, &ws->gamma, &ws->dvc, &ws->ls_vc, &ws->ls_gamma};
  for (size_t i = 0; i < sizeof by_row / sizeof *by_row; i++) *by_row[i] = PL_ARENA_NEW(arena, double, nrow);
  ws->G = PL_ARENA_NEW(arena, double, lay->nG);
  ws->G_factored = PL_ARENA_NEW(arena, double, lay->nG);
  ws->ls_G = PL_ARENA_NEW(arena, double, lay->nG);
  ws->clique_sum = PL_ARENA_NEW(arena, double, lay->nclique);
  ws->region = PL_ARENA_NEW(arena, plSapRegion, ncon);
  return !arena->failed;
}

// ---- laws

typedef struct LawLoop {
  const plSapWorkspace* ws;
  const double* vc;
  double *gamma, *G;
  plSapRegion* region;
} LawLoop;

static void law_range(void* context, int begin, int end, int worker) {
  LawLoop* loop = context;
  const plSapLayout* lay = &loop->ws->lay;
  (void)worker;
  for (int i = begin; i < end; i++) {
    int r0 = lay->con_row0[i];
    plSapRegion region = pl_sap_calc(loop->ws->problem->constraint + i, loop->vc + r0, NULL, loop->gamma + r0,
                                     loop->G ? loop->G + lay->con_G0[i] : NULL);
    if (loop->region) loop->region[i] = region;
  }
}

void pl_sap_laws(const plSapWorkspace* ws, const double* vc, double* gamma, double* G, plSapRegion* region,
                 plPool* pool) {
  LawLoop loop = {ws, vc, gamma, G, region};
  pl_parallel_for(pool, ws->lay.nconstraint, 128, law_range, &loop);
}

double pl_sap_cost(plSapWorkspace* ws, const double* x, const double* p, const double* vc) {
  const plSapLayout* lay = &ws->lay;
  double cost = 0;
  for (int i = 0; i < lay->nv; i++) cost += 0.5 * x[i] * p[i];
  for (int i = 0; i < lay->nconstraint; i++) {
    double l;
    (void)pl_sap_calc(ws->problem->constraint + i, vc + lay->con_row0[i], &l, ws->ls_gamma + lay->con_row0[i],
                      NULL);
    cost += l;
  }
  return cost;
}

// ---- the iteration

// vc = J (v_star + x) + b
static void update_constraint_velocity(plSapWorkspace* ws) {
  pl_sap_mul_J(ws, ws->x, ws->vc);
  for (int i = 0; i < ws->lay.nrow; i++) ws->vc[i] += ws->vc0[i];
}

// the same, and p = A x
void pl_sap_update_velocity(plSapWorkspace* ws) {
  update_constraint_velocity(ws);
  pl_sap_mul_A(ws, ws->x, ws->p);
}

static void update_gradient(plSapWorkspace* ws, const plSapOptions* options) {
  pl_sap_laws(ws, ws->vc, ws->gamma, ws->G, ws->region, options->pool);
  pl_sap_mul_Jt(ws, ws->gamma, ws->jg);
  for (int i = 0; i < ws->lay.nv; i++) ws->grad[i] = ws->p[i] - ws->jg[i];
}

// All terms of the cost are positive: where the momentum of a clique alone costs more than the whole of x =
// 0, its guess is of no use. Without it (a heavy body that is driven, say) the guess of the others may still
// be. Whether any is left.
static bool forget_costly(plSapWorkspace* ws, double cold) {
  const plSapLayout* lay = &ws->lay;
  bool any = false;
  for (int k = 0; k < ws->pattern.npos; k++) {
    int c = ws->pattern.pos_clique[k], begin = lay->clique_dof0[c], end = lay->clique_dof0[c + 1];
    double cost = 0;
    for (int i = begin; i < end; i++) cost += 0.5 * ws->x[i] * ws->p[i];
    if (cost <= cold)
      any = true;
    else
      memset(ws->x + begin, 0, (size_t)(end - begin) * sizeof *ws->x);
  }
  return any;
}

// Whether x, with all that belongs to it, costs no more than x = 0.
static bool is_good_start(plSapWorkspace* ws, double cold) {
  pl_sap_update_velocity(ws);
  return pl_sap_cost(ws, ws->x, ws->p, ws->vc) <= cold;
}

// x = guess, the part of it that is of use, or 0: the first that does not cost more than 0
void pl_sap_start(plSapWorkspace* ws, const double* v_guess, plSapReport* report) {
  const plSapLayout* lay = &ws->lay;
  const double* v_star = ws->v_star;
  pl_sap_mul_J(ws, v_star, ws->vc0);
  for (int i = 0; i < lay->nconstraint; i++) {
    const plSapConstraint* con = ws->problem->constraint + i;
    for (int r = 0; con->bias && r < con->nrow; r++) ws->vc0[lay->con_row0[i] + r] += con->bias[r];
  }
  memset(ws->x, 0, (size_t)lay->nv * sizeof *ws->x);
  memset(ws->p, 0, (size_t)lay->nv * sizeof *ws->p);
  if (!v_guess) {
    pl_sap_update_velocity(ws);
    return;
  }
  double cold = pl_sap_cost(ws, ws->x, ws->p, ws->vc0);
  for (int k = 0; k < ws->pattern.npos; k++) {
    int c = ws->pattern.pos_clique[k];
    for (int i = lay->clique_dof0[c]; i < lay->clique_dof0[c + 1]; i++) ws->x[i] = v_guess[i] - v_star[i];
  }
  report->warm_start = is_good_start(ws, cold);
  if (!report->warm_start) report->warm_start = forget_costly(ws, cold) && is_good_start(ws, cold);
  if (report->warm_start) return;
  memset(ws->x, 0, (size_t)lay->nv * sizeof *ws->x);
  pl_sap_update_velocity(ws);
}

// x, vc and p after a step
static void take_step(plSapWorkspace* ws, double alpha) {
  const plSapLayout* lay = &ws->lay;
  for (int i = 0; i < lay->nv; i++) ws->x[i] += alpha * ws->dx[i], ws->p[i] += alpha * ws->dp[i];
  if (!ws->carried)
    update_constraint_velocity(ws);
  else
    for (int i = 0; i < lay->nrow; i++) ws->vc[i] += alpha * ws->dvc[i];
}

static plStatus fail_to_converge(plSapWorkspace* ws, plSapReport* report, double ratio, plError* error) {
  report->worst_constraint = pl_sap_blame(ws, report->worst_clique);
  return pl_fail(error, PL_ERROR_NOT_CONVERGED,
                 "not converged after %d iterations: residual %.3g times the tolerance, worst at clique %d, "
                 "constraint %d",
                 report->iterations, ratio, report->worst_clique, report->worst_constraint);
}

// After interior_after iterations if the residual is still a tenth of its scale, and whatever it is after
// each further HELP_AGAIN.
static bool wants_help(const plSapWorkspace* ws, const plSapOptions* options, const plSapReport* report,
                       int helped) {
  if (options->interior_after <= 0) return false;
  bool due = helped == 0
                 ? report->iterations >= options->interior_after && report->momentum_residual > NO_HEADWAY
                 : false;
  if (report->iterations >= HELP_AGAIN * (helped + 1)) due = true;
  return due && pl_sap_interior_possible(ws);
}

// p = A x itself, and the residual with it. If that is not what it was, the steps have left too much in p.
static double renew_momentum(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                             double ratio, bool* product) {
  pl_sap_mul_A(ws, ws->x, ws->p);
  for (int i = 0; i < ws->lay.nv; i++) ws->grad[i] = ws->p[i] - ws->jg[i];
  double exact = pl_sap_residual(ws, options, report);
  if (exact > 1 && !(fabs(exact - ratio) < 0.1 * exact)) *product = true;
  return exact;
}

// The pattern of the Hessian for the constraints that are not idle, and what depends on it.
static plStatus set_up_pattern(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                               plError* error) {
  bool reused;
  if (!pl_sap_pattern(ws, &reused))
    return pl_fail_out_of_memory(error, sizeof(plSapPair) * (size_t)ws->lay.nblock);
  plStatus status = pl_sap_check_cliques(ws, report, error);
  if (status) return status;
  const plSapPattern* p = &ws->pattern;
  report->pattern_reused = reused;
  report->nclique = report->block_count = p->npos, report->nv = p->pos_x0[p->npos];
  report->block_hessian = p->nblock_hessian, report->block_factor = p->nblock_factor;
  report->factor_flops = p->flops, report->once_flops = p->once_flops;
  if (!allocate_panels(ws, pl_pool_size(options->pool)))
    return pl_fail_out_of_memory(error, p->size * sizeof(double));
  return PL_OK;
}

// Idle constraints that have closed, or all of them, take part from here on. What nothing touched before has
// x = 0.
static plStatus wake(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report, bool all,
                     bool* factored, plError* error) {
  bool any = false;
  for (int i = 0; i < ws->lay.nconstraint; i++) {
    if (!ws->lay.con_idle[i] || !(all || ws->region[i] != PL_SAP_OPEN)) continue;
    any = true, ws->lay.con_idle[i] = false;
  }
  if (!any) return PL_OK;
  *factored = false;
  plStatus status = set_up_pattern(ws, options, report, error);
  if (status) return status;
  pl_sap_scale(ws);
  pl_sap_mul_A(ws, ws->v_star, ws->Av_star);
  pl_sap_mul_A(ws, ws->x, ws->p);
  for (int i = 0; i < ws->lay.nv; i++) ws->grad[i] = ws->p[i] - ws->jg[i];
  return PL_OK;
}

plStatus pl_sap_iterate(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report, bool* factored,
                        plError* error) {
  double best = INFINITY, previous = INFINITY;
  int best_at = 0, noisy = 0;  // iteration of the best residual; steps whose slope was below rounding
  int helped = 0, tried = 0;   // interior-point phases and sticking steps so far
  double done = TAKE_OVER;     // where the next phase ends: each goes farther than the one before
  bool exact = true;
  bool cut = true;       // the line search left little of the last step; at the start nothing is known of the
                         // points' regions
  bool product = false;  // steps are so stiff that their momentum has to be multiplied out
  for (;;) {
    double t0 = pl_now();
    update_gradient(ws, options);
    report->time_law += pl_now() - t0;
    plStatus status = wake(ws, options, report, false, factored, error);
    if (status) return status;
    double ratio = pl_sap_residual(ws, options, report);
    // p took up the steps; where it matters it is A x itself
    if (!exact && !(ratio > 1 && ratio <= 0.5 * previous))
      ratio = renew_momentum(ws, options, report, ratio, &product), exact = true;
    if (!isfinite(ratio)) return pl_sap_fail_not_finite(ws, report, error);
    if (ratio <= 1) return PL_OK;
    // no fast progress: is rounding all that is left? has it been slow for too long?
    if (ratio > 0.5 * previous && pl_sap_at_rounding(ws, options, report, false)) return PL_OK;
    if (ratio < best) best = ratio, best_at = report->iterations;
    bool stuck = noisy >= 4 || report->iterations - best_at > PATIENCE;
    // R so small that the rounding of vc = J (v_star + x) alone makes impulses of a wrong size: from here on
    // vc takes up the steps themselves. It stays within that rounding of J v, and resolves R gamma.
    if (noisy >= 4 && !ws->carried)
      ws->carried = true, report->at_rounding = 1, stuck = false, noisy = 0, best_at = report->iterations;
    if (stuck && pl_sap_at_rounding(ws, options, report, true)) return PL_OK;
    if (stuck || report->iterations >= options->max_iterations)
      return fail_to_converge(ws, report, ratio, error);
    // An old factor serves while it makes headway: how far the laws' Hessians have moved says little where a
    // few stiff directions hide the soft ones that matter.
    if (ratio > 0.5 * previous) *factored = false;
    previous = ratio;

    // no headway: let the interior-point method go there, and finish from where it ends
    if (wants_help(ws, options, report, helped)) {
      helped++, *factored = false;
      status = wake(ws, options, report, true, factored, error);  // there every impulse is inside its cone
      if (status) return status;
      (void)pl_sap_interior(ws, options, report, done);
      done = fmax(TAKE_OVER * done, 0.1 * options->relative_tolerance);
      pl_sap_update_velocity(ws), exact = true;
      continue;
    }

    // far from home after no step or one cut short: points are in the wrong region, perhaps. After a step
    // those of any clique count: the momentum of a heavy body that moves hides what it holds. Before one, a
    // guess from which Newton's own steps go well is left to them.
    double away = report->iterations ? report->clique_residual : report->momentum_residual;
    bool sticking = cut && tried < options->sticking && away > FAR;
    tried += sticking;
    plSapSearch search;
    int bad = pl_sap_find_step(ws, options, report, ratio, product, sticking, factored, &search);
    if (bad >= 0) {
      report->worst_clique = bad;
      return pl_fail(error, PL_ERROR_INDEFINITE,
                     "the Hessian has no Cholesky factor at clique %d: is its A positive definite?", bad);
    }
    if (!isfinite(search.alpha)) return pl_sap_fail_not_finite(ws, report, error);
    if (search.noise) noisy++, product = true;
    cut = search.alpha < SHORT;
    take_step(ws, search.alpha);
    exact = false;
    report->iterations++;
  }
}

void pl_sap_write_solution(const plSapWorkspace* ws, plSapSolution* solution) {
  const plSapLayout* lay = &ws->lay;
  if (solution->v)
    for (int i = 0; i < lay->nv; i++) solution->v[i] = ws->v_star[i] + ws->x[i];
  if (solution->gamma) memcpy(solution->gamma, ws->gamma, (size_t)lay->nrow * sizeof *ws->gamma);
  if (solution->vc) memcpy(solution->vc, ws->vc, (size_t)lay->nrow * sizeof *ws->vc);
}

// v_star + A^-1 impulse
static plStatus move_v_star(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                            plError* error) {
  ws->v_star = ws->problem->v_star;
  if (!ws->problem->impulse) return PL_OK;
  double* moved = PL_ARENA_NEW(&ws->scratch, double, ws->lay.nv);
  if (!moved) return pl_fail_out_of_memory(error, (size_t)ws->lay.nv * sizeof *moved);
  report->worst_clique = pl_sap_factor_A(ws, options->pool);
  if (report->worst_clique >= 0)
    return pl_fail(error, PL_ERROR_INDEFINITE, "A has no Cholesky factor at clique %d", report->worst_clique);
  pl_sap_factor_solve(ws, ws->problem->impulse, moved);
  for (int i = 0; i < ws->lay.nv; i++) moved[i] += ws->problem->v_star[i];
  ws->v_star = moved;
  return PL_OK;
}

static plStatus check_options(const plSapOptions* o, plError* error) {
  if (!(o->relative_tolerance >= 0) || !(o->absolute_tolerance >= 0) ||
      o->relative_tolerance + o->absolute_tolerance == 0)
    return pl_fail(error, PL_ERROR_INPUT, "tolerances must not be negative, and one of them positive");
  if (o->max_iterations < 1 || o->max_search < 1)
    return pl_fail(error, PL_ERROR_INPUT, "max_iterations and max_search must be at least 1");
  if (o->interior_after < 0) return pl_fail(error, PL_ERROR_INPUT, "interior_after must not be negative");
  if (!(o->search_tolerance > 0 && o->search_tolerance < 1))
    return pl_fail(error, PL_ERROR_INPUT, "search_tolerance must lie between 0 and 1");
  return PL_OK;
}

plStatus pl_sap_set_up(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                       plSapReport* report, plError* error) {
  plStatus status = check_options(options, error);
  if (status) return status;
  pl_arena_reset(&ws->scratch);
  status = pl_sap_layout(ws, problem, report, error);
  if (status) return status;
  report->nconstraint = ws->lay.nconstraint, report->nrow = ws->lay.nrow;
  status = set_up_pattern(ws, options, report, error);
  if (status) return status;
  if (!allocate(ws)) return pl_fail_out_of_memory(error, (size_t)ws->lay.nv * sizeof(double));
  status = move_v_star(ws, options, report, error);
  if (status) return status;
  pl_sap_scale(ws);
  pl_sap_mul_A(ws, ws->v_star, ws->Av_star);
  ws->carried = false;
  return PL_OK;
}

static plStatus solve(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                      const double* v_guess, plSapReport* report, plError* error) {
  double t0 = pl_now();
  plStatus status = pl_sap_set_up(ws, problem, options, report, error);
  if (status) return status;
  pl_sap_start(ws, v_guess, report);
  report->time_setup = pl_now() - t0;
  bool factored = false;
  return pl_sap_iterate(ws, options, report, &factored, error);
}

plStatus pl_sap_solve(const plSapProblem* problem, const plSapOptions* options, const double* v_guess,
                      plSapSolution* solution, plSapReport* report, plSapWorkspace* ws, plError* error) {
  assert(problem != NULL);
  plSapReport own;
  plSapOptions defaults = pl_sap_default_options();
  double t0 = pl_now();
  if (!report) report = &own;
  if (!options) options = &defaults;
  memset(report, 0, sizeof *report);
  report->worst_clique = report->worst_constraint = -1;
  plStatus status = solve(ws, problem, options, v_guess, report, error);
  if (!status) {
    if (solution) pl_sap_write_solution(ws, solution);
    pl_sap_describe(ws, report);
  }
  report->status = status;
  report->time_total = pl_now() - t0;
  return status;
}

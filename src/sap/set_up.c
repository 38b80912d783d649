// set_up.c: everything a solve needs before its first iteration.
//
// problem, options -> layout, pattern of the Hessian, memory, v_star, scales, vc0 = J v_star
#include "base/error.h"
#include "sap/report.h"

static bool allocate_panels(plSapWorkspace* ws, int nworker) {
  const plSapPattern* p = &ws->pattern;
  plArena* arena = &ws->panels;
  pl_arena_reset(arena);  // a solve may come here again with another pattern (idle.c)
  ws->kernels = pl_panel_kernels(pl_isa());
  ws->panel = PL_ARENA_NEW(arena, double, p->size);
  ws->base = PL_ARENA_NEW(arena, double, p->size);
  ws->base_ready = false;
  ws->hessian = PL_ARENA_NEW(arena, double, p->size);
  ws->con_changed = PL_ARENA_NEW(arena, bool, ws->lay.nconstraint);
  ws->entry_changed = PL_ARENA_NEW(arena, bool, p->nentry);
  ws->super_kept = PL_ARENA_NEW(arena, plSapKept, p->nsuper);
  ws->super_changed = PL_ARENA_NEW(arena, bool, p->nsuper);
  ws->nworker = nworker;
  ws->update = PL_ARENA_NEW(arena, double, (size_t)nworker*(size_t)pl_triangle_size(p->below_max));
  ws->tree_bad = PL_ARENA_NEW(arena, int, p->ntree);
  ws->block = PL_ARENA_NEW(arena, double, (size_t)nworker*(size_t)p->block_max*(size_t)p->block_max);
  ws->local = PL_ARENA_NEW(arena, double, pl_pad(p->column_max) + pl_pad(p->below_max));
  return pl_sap_low_rank_allocate(ws, arena);
}

static bool allocate(plSapWorkspace* ws) {
  const plSapLayout* lay = &ws->lay;
  plArena* arena = &ws->scratch;
  int nv = lay->nv, nrow = lay->nrow, ncon = lay->nconstraint;
  double** by_dof[] = {&ws->permuted, &ws->halfway, &ws->x,  &ws->p, &ws->jg,
                       &ws->grad,     &ws->dx,      &ws->dp, &ws->S, &ws->Av_star};
  for (size_t i = 0; i < sizeof by_dof / sizeof *by_dof; i++) *by_dof[i] = PL_ARENA_NEW(arena, double, nv);
  double** by_row[] = {&ws->vc0, &ws->vc, &ws->gamma, &ws->dvc, &ws->ls_vc, &ws->ls_gamma, &ws->stick_gamma};
  for (size_t i = 0; i < sizeof by_row / sizeof *by_row; i++) *by_row[i] = PL_ARENA_NEW(arena, double, nrow);
  ws->G = PL_ARENA_NEW(arena, double, lay->nG);
  ws->G_factored = PL_ARENA_NEW(arena, double, lay->nG);
  ws->G_panel = PL_ARENA_NEW(arena, double, lay->nG);
  ws->ls_G = PL_ARENA_NEW(arena, double, lay->nG);
  ws->stick_G = PL_ARENA_NEW(arena, double, lay->nG);
  ws->clique_sum = PL_ARENA_NEW(arena, double, lay->nclique);
  ws->clique_norm = PL_ARENA_NEW(arena, plSapNorms, lay->nclique);
  ws->clique_size = PL_ARENA_NEW(arena, double, lay->nclique);
  ws->region = PL_ARENA_NEW(arena, plSapRegion, ncon);
  ws->con_cost = PL_ARENA_NEW(arena, double, ncon);
  return !arena->failed;
}

// The pattern of the Hessian for the constraints that are not idle, and everything derived from it.
plStatus pl_sap_set_up_pattern(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
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

// v_star + A^-1 impulse
static plStatus move_v_star(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                            plError* error) {
  ws->v_star = ws->problem->v_star;
  if (!ws->problem->impulse) return PL_OK;
  plStatus status = pl_sap_check_A(ws, NULL, report, error);
  if (status) return status;
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

plStatus pl_sap_check_options(const plSapOptions* o, plError* error) {
  if (!(o->relative_tolerance >= 0) || !(o->absolute_tolerance >= 0) ||
      o->relative_tolerance + o->absolute_tolerance == 0)
    return pl_fail(error, PL_ERROR_INPUT, "tolerances must not be negative, and one of them positive");
  if (o->max_iterations < 1 || o->max_search < 1 || o->patience < 1)
    return pl_fail(error, PL_ERROR_INPUT, "max_iterations, max_search and patience must be at least 1");
  if (o->interior_after < 0) return pl_fail(error, PL_ERROR_INPUT, "interior_after must not be negative");
  if (!(o->search_tolerance > 0 && o->search_tolerance < 1))
    return pl_fail(error, PL_ERROR_INPUT, "search_tolerance must lie between 0 and 1");
  return PL_OK;
}

plStatus pl_sap_set_up(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                       plSapReport* report, plError* error) {
  plStatus status = pl_sap_check_options(options, error);
  if (status) return status;
  pl_arena_reset(&ws->scratch);
  ws->pool = options->pool;
  status = pl_sap_layout(ws, problem, report, error);
  if (status) return status;
  report->nconstraint = ws->lay.nconstraint, report->nrow = ws->lay.nrow;
  status = pl_sap_set_up_pattern(ws, options, report, error);
  if (status) return status;
  if (!allocate(ws)) return pl_fail_out_of_memory(error, (size_t)ws->lay.nv * sizeof(double));
  status = move_v_star(ws, options, report, error);
  if (status) return status;
  pl_sap_scale(ws);
  pl_sap_mul_A(ws, ws->v_star, ws->Av_star);
  status = pl_sap_check_A(ws, ws->Av_star, report, error);
  if (status) return status;
  pl_sap_mul_J(ws, ws->v_star, ws->vc0);
  status = pl_sap_check_J(ws, ws->vc0, report, error);
  if (status) return status;
  ws->carried = ws->factored = ws->stale = ws->evaluated = false;
  return PL_OK;
}

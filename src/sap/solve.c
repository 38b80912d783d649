// solve.c: the public interface of the solver: options, workspace, one solve with its times.
//
// problem, options, v_guess -> solution, report
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/timer.h"
#include "sap/groups.h"
#include "sap/report.h"

plSapOptions pl_sap_default_options(void) {
  return (plSapOptions){.relative_tolerance = 1e-6,
                        .absolute_tolerance = 1e-20,
                        .max_iterations = 2000,
                        .patience = 400,
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
  pl_arena_init(&ws->panels);
  return ws;
}

void pl_sap_workspace_destroy(plSapWorkspace* ws) {
  if (!ws) return;
  pl_sap_groups_destroy(ws->groups);
  pl_arena_free(&ws->pattern_arena);
  pl_arena_free(&ws->scratch);
  pl_arena_free(&ws->panels);
  pl_free(ws);
}

void pl_sap_write_solution(const plSapWorkspace* ws, plSapSolution* solution) {
  const plSapLayout* lay = &ws->lay;
  if (solution->v)
    for (int i = 0; i < lay->nv; i++) solution->v[i] = ws->v_star[i] + ws->x[i];
  if (solution->gamma) memcpy(solution->gamma, ws->gamma, (size_t)lay->nrow * sizeof *ws->gamma);
  if (solution->vc) memcpy(solution->vc, ws->vc, (size_t)lay->nrow * sizeof *ws->vc);
}

static plStatus solve(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                      const double* v_guess, plSapSolution* solution, plSapReport* report, plError* error) {
  double t0 = pl_tick();
  plStatus status = pl_sap_set_up(ws, problem, options, report, error);
  if (status) return status;
  pl_sap_start(ws, v_guess, report);
  report->time_setup = pl_tick() - t0;
  status = pl_sap_iterate(ws, options, report, error);
  if (status) return status;
  if (solution) pl_sap_write_solution(ws, solution);
  pl_sap_describe(ws, report);
  return PL_OK;
}

plStatus pl_sap_solve(const plSapProblem* problem, const plSapOptions* options, const double* v_guess,
                      plSapSolution* solution, plSapReport* report, plSapWorkspace* ws, plError* error) {
  assert(problem != NULL);
  plSapReport own;
  plSapOptions defaults = pl_sap_default_options();
  if (!report) report = &own;
  if (!options) options = &defaults;
  memset(report, 0, sizeof *report);
  report->worst_clique = report->worst_constraint = -1;
  plStatus status;
  PL_TIMED(report->time_total, status = solve(ws, problem, options, v_guess, solution, report, error));
  return report->status = status;
}

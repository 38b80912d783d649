// groups.c: divides a problem into independent groups, solves them, and joins the results (groups.h).
//
// Cliques and constraints keep their order within a group, and groups are in the order of their first
// cliques. The division depends on the problem alone, so threads change no bit.
#include "sap/groups.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/timer.h"
#include "sap/rest.h"
#include "sap/workspace.h"

// Part g of an array that is sorted by groups: entries begin[g] to begin[g + 1] - 1.
typedef struct Part {
  int clique0, constraint0, coupling0, block0, row0, v0;
} Part;

struct plSapGroups {
  plArena arena;  // lives for one call
  int nworkspace;
  plSapWorkspace** workspace;  // [nworkspace]
  // the current call
  const plSapProblem* problem;
  const plSapOptions* options;
  const plSapCoulomb* coulomb;
  const double* v_guess;
  int n;                                // groups
  Part* part;                           // [n + 1]
  int *clique, *constraint, *coupling;  // those of the problem, sorted by groups
  int *group_of, *local;                // [nclique] group (-1: none), and index within it
  int *dof0, *row0;                     // [nclique], [nconstraint] first entries in the problem's vectors
  int* con_group;                       // [nconstraint]
  int* clique_nv;                       // arrays of the groups' problems
  const double** A;
  plSapConstraint* con;
  plSapBlock* block;
  plSapCoupling* tie;
  double *v_star, *guess, *v, *gamma, *vc, *start, *shift;
  plSapReport* report;  // [n]
  bool alone;           // each group is solved by one thread
};

// ---- division into groups

static int root_of(int* parent, int c) {
  while (parent[c] != c) c = parent[c] = parent[parent[c]];
  return c;
}

static void join(int* parent, int a, int b) {
  a = root_of(parent, a), b = root_of(parent, b);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

static bool is_clique(const plSapProblem* p, int c) { return c >= 0 && c < p->nclique; }

// Fills group_of and returns the number of groups; 0 if the problem is malformed, which the solver itself
// will report.
static int find_groups(const plSapProblem* p, int* parent, int* group_of) {
  int n = 0;
  for (int c = 0; c < p->nclique; c++) parent[c] = c, group_of[c] = -1;
  for (int k = 0; k < p->ncoupling; k++) {
    if (!is_clique(p, p->coupling[k].row) || !is_clique(p, p->coupling[k].col)) return 0;
    join(parent, p->coupling[k].row, p->coupling[k].col);
  }
  for (int i = 0; i < p->nconstraint; i++) {
    const plSapConstraint* con = &p->constraint[i];
    if (con->nblock < 1 || !con->block || con->nrow < 1) return 0;
    if (!is_clique(p, con->block[0].clique)) return 0;
    for (int b = 1; b < con->nblock; b++) {
      if (!is_clique(p, con->block[b].clique)) return 0;
      join(parent, con->block[0].clique, con->block[b].clique);
    }
  }
  // groups that constraints act on, in the order of their first cliques
  for (int i = 0, last = -1; i < p->nconstraint; i++) {
    int c = p->constraint[i].block[0].clique;
    if (c != last) group_of[root_of(parent, c)] = 0;
    last = c;
  }
  for (int c = 0; c < p->nclique; c++) {
    int root = root_of(parent, c);
    group_of[c] = root < c ? group_of[root] : group_of[c] < 0 ? -1 : n++;
  }
  return n;
}

// Merges small consecutive groups: a group has at least a 64th of all unknowns, because each group costs a
// set-up. Returns the number of groups left; size has room for n.
static int merge_groups(const plSapProblem* p, int n, int* size, int* group_of) {
  enum { MOST = 64 };
  int all = 0, last = 0, held = 0;
  memset(size, 0, (size_t)n * sizeof *size);
  for (int c = 0; c < p->nclique; c++)
    if (group_of[c] >= 0) size[group_of[c]] += p->clique_nv[c], all += p->clique_nv[c];
  for (int k = 0; k < n; k++) {
    int own = size[k];
    if ((double)held * MOST >= all) last++, held = 0;
    held += own, size[k] = last;
  }
  for (int c = 0; c < p->nclique; c++)
    if (group_of[c] >= 0) group_of[c] = size[group_of[c]];
  return last + 1;
}

static bool allocate(plSapGroups* g) {
  const plSapProblem* p = g->problem;
  plArena* a = &g->arena;
  const Part* all = &g->part[g->n];
  g->clique = PL_ARENA_NEW(a, int, p->nclique);
  g->constraint = PL_ARENA_NEW(a, int, p->nconstraint);
  g->coupling = PL_ARENA_NEW(a, int, p->ncoupling);
  g->clique_nv = PL_ARENA_NEW(a, int, p->nclique);
  g->A = PL_ARENA_NEW(a, const double*, p->nclique);
  g->con = PL_ARENA_NEW(a, plSapConstraint, p->nconstraint);
  g->block = PL_ARENA_NEW(a, plSapBlock, all->block0);
  g->tie = PL_ARENA_NEW(a, plSapCoupling, p->ncoupling);
  double** by_dof[] = {&g->v_star, &g->guess, &g->v};
  for (size_t i = 0; i < sizeof by_dof / sizeof *by_dof; i++) *by_dof[i] = PL_ARENA_NEW(a, double, all->v0);
  double** by_row[] = {&g->gamma, &g->vc};
  for (size_t i = 0; i < sizeof by_row / sizeof *by_row; i++) *by_row[i] = PL_ARENA_NEW(a, double, all->row0);
  g->start = PL_ARENA_NEW(a, double, 3 * (size_t)p->nconstraint);
  g->shift = PL_ARENA_NEW(a, double, 3 * (size_t)p->nconstraint);
  g->report = PL_ARENA_NEW(a, plSapReport, g->n);
  return !a->failed;
}

// Turns counts into offsets: part[k] begins where part[k - 1] ends.
static void count_parts(plSapGroups* g) {
  const plSapProblem* p = g->problem;
  memset(g->part, 0, ((size_t)g->n + 1) * sizeof *g->part);
  for (int c = 0; c < p->nclique; c++) {
    if (g->group_of[c] < 0) continue;
    Part* next = &g->part[g->group_of[c] + 1];
    next->clique0++, next->v0 += p->clique_nv[c];
  }
  for (int i = 0; i < p->nconstraint; i++) {
    int k = g->con_group[i] = g->group_of[p->constraint[i].block[0].clique];
    assert(k >= 0 && k < g->n);
    Part* next = &g->part[k + 1];
    next->constraint0++, next->block0 += p->constraint[i].nblock, next->row0 += p->constraint[i].nrow;
  }
  for (int k = 0; k < p->ncoupling; k++)
    if (g->group_of[p->coupling[k].row] >= 0) g->part[g->group_of[p->coupling[k].row] + 1].coupling0++;
  for (int k = 0; k < g->n; k++) {
    Part *a = &g->part[k], *b = a + 1;
    b->clique0 += a->clique0, b->constraint0 += a->constraint0, b->coupling0 += a->coupling0;
    b->block0 += a->block0, b->row0 += a->row0, b->v0 += a->v0;
  }
}

static void sort_parts(plSapGroups* g, int* filled) {
  const plSapProblem* p = g->problem;
  memset(filled, 0, 3 * (size_t)g->n * sizeof *filled);
  for (int c = 0; c < p->nclique; c++) {
    int k = g->group_of[c];
    if (k < 0) continue;
    g->local[c] = filled[3 * k]++;
    assert(g->part[k].clique0 + g->local[c] < g->part[k + 1].clique0);
    g->clique[g->part[k].clique0 + g->local[c]] = c;
  }
  for (int i = 0; i < p->nconstraint; i++) {
    int k = g->con_group[i], at = g->part[k].constraint0 + filled[3 * k + 1]++;
    assert(at < g->part[k + 1].constraint0);
    g->constraint[at] = i;
  }
  for (int i = 0; i < p->ncoupling; i++) {
    int k = g->group_of[p->coupling[i].row];
    if (k < 0) continue;
    assert(g->part[k].coupling0 + filled[3 * k + 2] < g->part[k + 1].coupling0);
    g->coupling[g->part[k].coupling0 + filled[3 * k + 2]++] = i;
  }
}

// Whether the problem is solved group by group; also false if memory runs out.
static bool cut(plSapGroups* g) {
  const plSapProblem* p = g->problem;
  pl_arena_reset(&g->arena);
  int* parent = PL_ARENA_NEW(&g->arena, int, p->nclique);
  g->group_of = PL_ARENA_NEW(&g->arena, int, p->nclique);
  g->local = PL_ARENA_NEW(&g->arena, int, p->nclique);
  g->dof0 = PL_ARENA_NEW(&g->arena, int, p->nclique);
  g->row0 = PL_ARENA_NEW(&g->arena, int, p->nconstraint);
  g->con_group = PL_ARENA_NEW(&g->arena, int, p->nconstraint);
  if (g->arena.failed) return false;
  g->n = find_groups(p, parent, g->group_of);
  if (g->n < 2) return false;
  g->n = merge_groups(p, g->n, parent, g->group_of);
  g->part = PL_ARENA_NEW(&g->arena, Part, g->n + 1);
  int* filled = PL_ARENA_NEW(&g->arena, int, 3 * g->n);
  if (g->arena.failed) return false;
  for (int c = 0, at = 0; c < p->nclique; at += p->clique_nv[c++]) g->dof0[c] = at;
  for (int i = 0, at = 0; i < p->nconstraint; at += p->constraint[i++].nrow) g->row0[i] = at;
  count_parts(g);
  if (!allocate(g)) return false;
  sort_parts(g, filled);
  while (g->nworkspace < g->n) {
    plSapWorkspace** grown =
        pl_realloc(g->workspace, (size_t)g->nworkspace, (size_t)g->n, sizeof(plSapWorkspace*));
    if (!grown) return false;
    g->workspace = grown;
    for (; g->nworkspace < g->n; g->nworkspace++)
      if (!(grown[g->nworkspace] = pl_sap_workspace_create(NULL))) return false;
  }
  return true;
}

// ---- one group

static void copy_constraints(plSapGroups* g, int k) {
  const plSapProblem* p = g->problem;
  plSapBlock* block = g->block + g->part[k].block0;
  for (int i = g->part[k].constraint0; i < g->part[k + 1].constraint0; i++) {
    const plSapConstraint* from = &p->constraint[g->constraint[i]];
    g->con[i] = *from, g->con[i].block = block;
    for (int b = 0; b < from->nblock; b++, block++)
      *block = from->block[b], block->clique = g->local[from->block[b].clique];
    if (g->coulomb && g->coulomb->start)
      memcpy(g->start + 3 * i, g->coulomb->start + 3 * g->constraint[i], 3 * sizeof(double));
  }
  assert(block == g->block + g->part[k + 1].block0);
}

static plSapProblem problem_of(plSapGroups* g, int k) {
  const plSapProblem* p = g->problem;
  const Part *a = &g->part[k], *b = a + 1;
  double *v_star = g->v_star + a->v0, *guess = g->guess + a->v0;
  for (int i = a->clique0; i < b->clique0; i++) {
    int c = g->clique[i], n = p->clique_nv[c];
    g->clique_nv[i] = n, g->A[i] = p->A[c];
    memcpy(v_star, p->v_star + g->dof0[c], (size_t)n * sizeof(double)), v_star += n;
    if (g->v_guess) memcpy(guess, g->v_guess + g->dof0[c], (size_t)n * sizeof(double)), guess += n;
  }
  assert(v_star == g->v_star + b->v0);
  for (int i = a->coupling0; i < b->coupling0; i++) {
    const plSapCoupling* tie = &p->coupling[g->coupling[i]];
    g->tie[i] = (plSapCoupling){g->local[tie->row], g->local[tie->col], tie->A};
  }
  copy_constraints(g, k);
  return (plSapProblem){.nclique = b->clique0 - a->clique0,
                        .clique_nv = g->clique_nv + a->clique0,
                        .A = g->A + a->clique0,
                        .v_star = g->v_star + a->v0,
                        .nconstraint = b->constraint0 - a->constraint0,
                        .constraint = g->con + a->constraint0,
                        .ncoupling = b->coupling0 - a->coupling0,
                        .coupling = g->tie + a->coupling0};
}

static void solve_some(void* context, int begin, int end, int worker) {
  plSapGroups* g = context;
  plSapOptions options = *g->options;
  (void)worker;
  if (g->alone) options.pool = NULL;
  assert(end <= g->n && g->n <= g->nworkspace);
  for (int k = begin; k < end; k++) {
    const Part* part = &g->part[k];
    plSapProblem problem = problem_of(g, k);
    plSapSolution solution = {g->v + part->v0, g->gamma + part->row0, g->vc + part->row0};
    const double* guess = g->v_guess ? g->guess + part->v0 : NULL;
    plError error;
    if (g->coulomb) {
      plSapCoulomb rule = *g->coulomb;
      if (rule.start) rule.start = g->start + 3 * part->constraint0;
      if (rule.shift) rule.shift = g->shift + 3 * part->constraint0;
      (void)pl_sap_solve_coulomb(&problem, &options, &rule, guess, &solution, &g->report[k], g->workspace[k],
                                 &error);
    } else {
      (void)pl_sap_solve(&problem, &options, guess, &solution, &g->report[k], g->workspace[k], &error);
    }
  }
}

// ---- the joined result

static void write_solution(const plSapGroups* g, plSapSolution* solution) {
  const plSapProblem* p = g->problem;
  for (int c = 0; solution->v && c < p->nclique; c++)
    if (g->group_of[c] < 0)
      memcpy(solution->v + g->dof0[c], p->v_star + g->dof0[c], (size_t)p->clique_nv[c] * sizeof(double));
  const double *v = g->v, *gamma = g->gamma, *vc = g->vc;
  for (int i = 0; i < g->part[g->n].clique0; i++) {
    size_t n = (size_t)g->clique_nv[i];
    if (solution->v) memcpy(solution->v + g->dof0[g->clique[i]], v, n * sizeof(double));
    v += n;
  }
  for (int i = 0; i < g->part[g->n].constraint0; i++) {
    int n = g->con[i].nrow, to = g->row0[g->constraint[i]];
    for (int r = 0; r < n && solution->gamma; r++) solution->gamma[to + r] = gamma[r];
    for (int r = 0; r < n && solution->vc; r++) solution->vc[to + r] = vc[r];
    if (g->coulomb && g->coulomb->shift)
      memcpy(g->coulomb->shift + 3 * g->constraint[i], g->shift + 3 * i, 3 * sizeof(double));
    gamma += n, vc += n;
  }
  assert(v == g->v + g->part[g->n].v0 && vc == g->vc + g->part[g->n].row0);
}

static int most(int a, int b) { return a > b ? a : b; }

// Contact figures: the extremes over the groups that have contact points.
static void join_contact(plSapReport* r, const plSapReport* of) {
  r->stick += of->stick, r->slide += of->slide, r->open += of->open;
  r->cone_violation = fmax(r->cone_violation, of->cone_violation);
  r->complementarity = fmax(r->complementarity, of->complementarity);
  r->slip_angle = fmax(r->slip_angle, of->slip_angle), r->creep = fmax(r->creep, of->creep);
  r->coulomb_residual = fmax(r->coulomb_residual, of->coulomb_residual);
  r->coulomb_fallbacks += of->coulomb_fallbacks, r->coulomb_capped |= of->coulomb_capped;
  if (of->R_n_max == 0) return;
  bool first = r->R_n_max == 0;
  r->R_n_min = first ? of->R_n_min : fmin(r->R_n_min, of->R_n_min);
  r->R_t_min = first ? of->R_t_min : fmin(r->R_t_min, of->R_t_min);
  r->R_n_max = fmax(r->R_n_max, of->R_n_max), r->R_t_max = fmax(r->R_t_max, of->R_t_max);
}

static void join_work(plSapReport* r, const plSapReport* of) {
  r->nclique += of->nclique, r->nv += of->nv, r->nconstraint += of->nconstraint, r->nrow += of->nrow;
  r->iterations = most(r->iterations, of->iterations), r->rounds = most(r->rounds, of->rounds);
  r->interior_steps = most(r->interior_steps, of->interior_steps);
  r->search_evaluations = most(r->search_evaluations, of->search_evaluations);
  r->factorizations = most(r->factorizations, of->factorizations);
  r->factor_nodes += of->factor_nodes, r->renewed_nodes += of->renewed_nodes;
  r->warm_start &= of->warm_start, r->pattern_reused &= of->pattern_reused;
  r->block_count += of->block_count, r->block_hessian += of->block_hessian;
  r->block_factor += of->block_factor;
  r->factor_flops += of->factor_flops, r->once_flops += of->once_flops;
  r->time_setup += of->time_setup, r->time_law += of->time_law, r->time_assemble += of->time_assemble;
  r->time_factor += of->time_factor, r->time_solve += of->time_solve, r->time_search += of->time_search;
}

static void join_reports(const plSapGroups* g, plSapReport* r) {
  memset(r, 0, sizeof *r);
  r->worst_clique = r->worst_constraint = -1;
  r->warm_start = r->pattern_reused = 1;
  for (int k = 0; k < g->n; k++) {
    const plSapReport* of = &g->report[k];
    join_work(r, of), join_contact(r, of);
    r->cost += of->cost, r->at_rounding |= of->at_rounding;
    r->momentum_residual = fmax(r->momentum_residual, of->momentum_residual);
    if (r->worst_clique >= 0 && !(of->clique_residual > r->clique_residual)) continue;
    r->clique_residual = of->clique_residual;
    if (of->worst_clique >= 0) r->worst_clique = g->clique[g->part[k].clique0 + of->worst_clique];
    if (of->worst_constraint >= 0)
      r->worst_constraint = g->constraint[g->part[k].constraint0 + of->worst_constraint];
  }
}

static bool all_solved(const plSapGroups* g) {
  for (int k = 0; k < g->n; k++)
    if (g->report[k].status) return false;
  return true;
}

plStatus pl_sap_solve_groups(const plSapProblem* problem, const plSapOptions* options,
                             const plSapCoulomb* coulomb, const double* v_guess, plSapSolution* solution,
                             plSapReport* report, plSapWorkspace* ws, plError* error) {
  double t0 = pl_tick();
  if (!coulomb && v_guess && pl_sap_rests(problem, options, v_guess, solution, report, ws)) return PL_OK;
  if (!ws->groups) ws->groups = PL_NEW(plSapGroups, 1);
  plSapGroups* g = ws->groups;
  if (g && !problem->impulse) {
    g->problem = problem, g->options = options, g->coulomb = coulomb, g->v_guess = v_guess;
    if (cut(g)) {
      g->alone = g->n >= pl_pool_size(options->pool);
      if (g->alone)
        pl_parallel_work(options->pool, g->n, 1, g->part[g->n].v0, solve_some, g);
      else
        solve_some(g, 0, g->n, 0);
      if (all_solved(g)) {
        write_solution(g, solution);
        join_reports(g, report);
        report->time_total = pl_tick() - t0;
        return PL_OK;
      }
    }
  }
  return coulomb ? pl_sap_solve_coulomb(problem, options, coulomb, v_guess, solution, report, ws, error)
                 : pl_sap_solve(problem, options, v_guess, solution, report, ws, error);
}

void pl_sap_groups_destroy(plSapGroups* g) {
  if (!g) return;
  for (int k = 0; k < g->nworkspace; k++) pl_sap_workspace_destroy(g->workspace[k]);
  pl_free(g->workspace);
  pl_arena_free(&g->arena);
  pl_free(g);
}

// rest.c: tests whether the initial guess is already the solution.
//
// Where bodies rest on each other, the velocity of the step before meets the stopping test. One product with
// J and one with its transpose show it; the groups, the layout and the pattern of a solve are not needed. The
// attempt is made if the guess is slow beside the motion that constraints have to prevent, and only for
// bodies without vertices: soft bodies go on vibrating, so the velocity of the step before is not their
// solution.
//
// problem, v_guess -> solution, report; or nothing
#include "sap/rest.h"

#include <math.h>
#include <string.h>

#include "base/timer.h"
#include "linalg/symv.h"
#include "math/vec3.h"
#include "sap/report.h"
#include "sap/six.h"

static const double SLOW = 1e-3;  // |v_guess| / |v_guess - v_star| of an attempt, in the norm of A's diagonal

typedef struct Rest {
  const plSapProblem* problem;
  bool* touched;  // [nclique] by a constraint that is not expected to stay open
  int* dof0;      // [nclique + 1]
  int nrow;
  double *v, *x, *p, *Av, *f, *r;  // [nv] velocity, v - v_star, A x, A v, J' gamma, A x - J' gamma
  double* scratch;                 // [nv]
  double* size;                    // [nclique] sum of the sizes of the impulses, if they are summed
  bool summed;
  double *gamma, *vc, *cost;  // [nrow], [nrow], [nconstraint]
  plSapRegion* region;        // [nconstraint]
} Rest;

static bool is_idle(const plSapConstraint* c) {
  return c->likely_open && (c->law == PL_SAP_CONE || (c->law == PL_SAP_UNILATERAL && c->nrow == 1));
}

// Fills touched, dof0 and nrow; false: the solver will say what is wrong, or there are bodies with vertices.
static bool find_touched(const plSapProblem* p, Rest* r) {
  if (p->ncoupling || p->impulse) return false;
  r->dof0[0] = 0;
  for (int c = 0; c < p->nclique; c++) {
    if (p->clique_nv[c] < 0) return false;
    r->touched[c] = false, r->dof0[c + 1] = r->dof0[c] + p->clique_nv[c];
  }
  for (int i = 0; i < p->nconstraint; i++) {
    const plSapConstraint* c = &p->constraint[i];
    if (pl_sap_law_fault(c) || c->nblock < 1 || !c->block) return false;
    bool idle = is_idle(c);
    for (int k = 0; k < c->nblock; k++) {
      const plSapBlock* b = &c->block[k];
      if (b->nvert || b->clique < 0 || b->clique >= p->nclique) return false;
      r->touched[b->clique] |= !idle;
    }
    r->nrow += c->nrow;
  }
  return true;
}

static bool allocate(plArena* arena, Rest* r) {
  const plSapProblem* p = r->problem;
  double** by_dof[] = {&r->v, &r->x, &r->p, &r->Av, &r->f, &r->r, &r->scratch};
  for (size_t i = 0; i < sizeof by_dof / sizeof *by_dof; i++)
    *by_dof[i] = PL_ARENA_NEW(arena, double, r->dof0[p->nclique]);
  r->gamma = PL_ARENA_NEW(arena, double, r->nrow), r->vc = PL_ARENA_NEW(arena, double, r->nrow);
  r->cost = PL_ARENA_NEW(arena, double, p->nconstraint), r->size = PL_ARENA_NEW(arena, double, p->nclique);
  r->region = PL_ARENA_NEW(arena, plSapRegion, p->nconstraint);
  return !arena->failed;
}

// v and x; whether the guess is slow enough for an attempt. Cliques that no constraint touches keep v_star.
static bool is_slow(const double* v_guess, Rest* r) {
  const plSapProblem* p = r->problem;
  double moving = 0, held = 0;
  for (int c = 0; c < p->nclique; c++) {
    const double* A = p->A[c];
    int n = p->clique_nv[c];
    for (int j = 0; j < n; j++) {
      int i = r->dof0[c] + j;
      double a = A[(size_t)j * (size_t)n + (size_t)j], x = r->touched[c] ? v_guess[i] - p->v_star[i] : 0;
      if (!(a > 0) || !isfinite(p->v_star[i])) return false;
      r->x[i] = x, r->v[i] = r->touched[c] ? v_guess[i] : p->v_star[i];
      if (r->touched[c]) moving += a * v_guess[i] * v_guess[i], held += a * x * x;
    }
  }
  return moving <= SLOW * SLOW * held;
}

// u += J v of a block, and f += J' g
static void add_velocity(const double* J, int nrow, int n, const double* v, double* u) {
  if (nrow == 3 && n == 6) {
    double y[3];
    pl_six_mul(J, v, y);
    for (int r = 0; r < 3; r++) u[r] += y[r];
    return;
  }
  for (int j = 0; j < n; j++, J += nrow) {
    for (int r = 0; r < nrow; r++) u[r] += J[r] * v[j];
  }
}

static void add_force(const double* J, int nrow, int n, const double* g, double* f) {
  if (nrow == 3 && n == 6) {
    pl_six_mul_t(J, g, f);
    return;
  }
  for (int j = 0; j < n; j++, J += nrow) {
    double sum = 0;
    for (int r = 0; r < nrow; r++) sum += J[r] * g[r];
    f[j] += sum;
  }
}

// vc, gamma and f; false if a constraint closes that was expected to stay open, or where vc is not finite.
static bool apply_laws(Rest* r) {
  const plSapProblem* p = r->problem;
  double *u = r->vc, *g = r->gamma;
  memset(r->f, 0, (size_t)r->dof0[p->nclique] * sizeof *r->f);
  for (int i = 0; i < p->nconstraint; i++) {
    const plSapConstraint* c = &p->constraint[i];
    int n = c->nrow;
    for (int k = 0; k < n; k++) u[k] = c->bias ? c->bias[k] : 0;
    for (int k = 0; k < c->nblock; k++) {
      const plSapBlock* b = &c->block[k];
      add_velocity(b->J, n, p->clique_nv[b->clique], r->v + r->dof0[b->clique], u);
    }
    for (int k = 0; k < n; k++)
      if (!isfinite(u[k])) return false;
    r->region[i] = pl_sap_calc(c, u, &r->cost[i], g, NULL);
    if (is_idle(c) && r->region[i] != PL_SAP_OPEN) return false;
    bool open = n == 3 && pl_sap_is_open(g);
    for (int k = 0; k < c->nblock && !open; k++) {
      const plSapBlock* b = &c->block[k];
      add_force(b->J, n, p->clique_nv[b->clique], g, r->f + r->dof0[b->clique]);
    }
    u += n, g += n;
  }
  return true;
}

// |S f|^2 of a clique, S = diag(A)^-1/2
static double square_of(const Rest* r, int c, const double* f) {
  const double* A = r->problem->A[c];
  int n = r->problem->clique_nv[c];
  double sum = 0;
  for (int j = 0; j < n; j++)
    sum += f[r->dof0[c] + j] * f[r->dof0[c] + j] / A[(size_t)j * (size_t)n + (size_t)j];
  return sum;
}

// |S J' gamma|^2 of block b of constraint c, whose impulses are g.
static double size2_of(const Rest* r, const plSapConstraint* c, const plSapBlock* b, const double* g) {
  double* f = r->scratch + r->dof0[b->clique];
  int n = r->problem->clique_nv[b->clique];
  memset(f, 0, (size_t)n * sizeof *f);
  add_force(b->J, c->nrow, n, g, f);
  return square_of(r, b->clique, r->scratch);
}

// sum_i |S J_i' gamma_i| of each clique
static void sum_sizes(Rest* r) {
  const plSapProblem* p = r->problem;
  const double* g = r->gamma;
  memset(r->size, 0, (size_t)p->nclique * sizeof *r->size);
  for (int i = 0; i < p->nconstraint; g += p->constraint[i++].nrow)
    for (int k = 0; k < p->constraint[i].nblock; k++) {
      const plSapBlock* b = &p->constraint[i].block[k];
      r->size[b->clique] += sqrt(size2_of(r, &p->constraint[i], b, g));
    }
  r->summed = true;
}

// A x, A v and the residual of clique c.
static void find_residual(Rest* r, int c) {
  int n = r->problem->clique_nv[c], at = r->dof0[c];
  for (int j = 0; j < n; j++) r->p[at + j] = r->Av[at + j] = 0;
  pl_symv(n, r->problem->A[c], r->x + at, r->p + at), pl_symv(n, r->problem->A[c], r->v + at, r->Av + at);
  for (int j = 0; j < n; j++) r->r[at + j] = r->p[at + j] - r->f[at + j];
}

// Whether every clique and the whole meet the test of residual.c. The scale of a clique is that of the sum of
// its impulses; only if that is too small, of the sum of their sizes.
static bool balances(const plSapOptions* o, Rest* r, plSapReport* report) {
  const plSapProblem* p = r->problem;
  double absolute = o->absolute_tolerance, relative = o->relative_tolerance,
         room = relative > 0 ? absolute / relative : 0, rest2 = 0, momentum2 = 0, impulse2 = 0;
  for (int c = 0; c < p->nclique; c++) {
    if (!r->touched[c] || !p->clique_nv[c]) continue;
    find_residual(r, c);
    double own2 = square_of(r, c, r->r), a2 = square_of(r, c, r->Av), j2 = square_of(r, c, r->f),
           own = sqrt(own2), scale = sqrt(max2(a2, j2));
    if (!isfinite(own + scale)) return false;
    if (own > absolute + relative * scale) {
      if (!r->summed) sum_sizes(r);
      scale = max2(scale, r->size[c]);
      if (own > absolute + relative * scale) return false;
    }
    double ratio = own > 0 ? own / (scale + room) : 0;
    if (report->worst_clique < 0 || ratio > report->clique_residual)
      report->clique_residual = ratio, report->worst_clique = c;
    rest2 += own2, momentum2 += a2, impulse2 += j2;
    report->nclique++, report->nv += p->clique_nv[c];
  }
  double rest = sqrt(rest2), scale = sqrt(max2(momentum2, impulse2));
  report->momentum_residual = rest > 0 ? rest / (scale + room) : 0;
  return rest <= absolute + relative * scale;
}

// The constraint with the largest impulse on a clique.
static int blame(const Rest* r, int clique) {
  const plSapProblem* p = r->problem;
  const double* g = r->gamma;
  double most = -1;
  int worst = -1;
  for (int i = 0; i < p->nconstraint; g += p->constraint[i++].nrow)
    for (int k = 0; k < p->constraint[i].nblock; k++) {
      const plSapBlock* b = &p->constraint[i].block[k];
      if (b->clique != clique) continue;
      double size2 = size2_of(r, &p->constraint[i], b, g);
      if (size2 > most) most = size2, worst = i;
    }
  return worst;
}

static void describe(const Rest* r, plSapReport* report) {
  const plSapProblem* p = r->problem;
  const double *u = r->vc, *g = r->gamma;
  for (int c = 0; c < p->nclique; c++)
    for (int i = r->dof0[c]; r->touched[c] && i < r->dof0[c + 1]; i++)
      report->cost += 0.5 * r->x[i] * r->p[i];
  for (int i = 0; i < p->nconstraint; u += p->constraint[i].nrow, g += p->constraint[i++].nrow) {
    report->cost += r->cost[i];
    pl_sap_describe_point(&p->constraint[i], u, g, r->region[i], report);
  }
  report->nconstraint = p->nconstraint, report->nrow = r->nrow;
  report->block_count = report->nclique, report->warm_start = report->pattern_reused = 1;
  if (report->worst_clique >= 0) report->worst_constraint = blame(r, report->worst_clique);
}

bool pl_sap_rests(const plSapProblem* problem, const plSapOptions* options, const double* v_guess,
                  plSapSolution* solution, plSapReport* report, plSapWorkspace* ws) {
  double t0 = pl_tick();
  plArena* arena = &ws->scratch;
  Rest r = {.problem = problem};
  if (problem->nclique < 0 || problem->nconstraint < 1 || pl_sap_check_options(options, NULL)) return false;
  pl_arena_reset(arena);
  r.touched = PL_ARENA_NEW(arena, bool, problem->nclique);
  r.dof0 = PL_ARENA_NEW(arena, int, problem->nclique + 1);
  if (arena->failed || !find_touched(problem, &r) || !allocate(arena, &r)) return false;
  plSapReport found = {.worst_clique = -1, .worst_constraint = -1};
  if (!is_slow(v_guess, &r) || !apply_laws(&r) || !balances(options, &r, &found)) return false;
  describe(&r, &found);
  *report = found;
  if (solution->v) memcpy(solution->v, r.v, (size_t)r.dof0[problem->nclique] * sizeof(double));
  if (solution->gamma) memcpy(solution->gamma, r.gamma, (size_t)r.nrow * sizeof(double));
  if (solution->vc) memcpy(solution->vc, r.vc, (size_t)r.nrow * sizeof(double));
  report->time_total = pl_tick() - t0;
  return true;
}

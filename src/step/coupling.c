// coupling.c: nonlinear materials in contact: linearises again at the new v and solves again, until the
// momentum balance itself is satisfied.
//
//   m(v) = J' gamma(v),   gamma = -dl/dvc, vc = J v + b; J, v_hat and R are those of the step
//
// Each round minimises the quadratic model of E(v) = sum Phi_b(v) + sum l_i(vc), where Phi_b are the bodies'
// incremental potentials, on participating DoFs. A line search on E itself makes E decrease, so the rounds
// converge from any start.
//
// Where bodies are squeezed, the exact A of a law is indefinite although E has a minimum there: contacts hold
// the vertices that would move. Only A + J' G J has to be positive definite, so A itself is tried
// (linearize, solve_model); a tangent that was made positive definite by itself leaves up to half of the
// residual in every round.
//
// Coulomb's law: the shifts of its rounds are constant during the iteration, so that there is one energy.
//
// in: v, reduced -> out: v, gamma, vc, report.coupled_residual, couplings, coulomb_residual
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "constraint/constraint.h"
#include "deform/deform.h"
#include "fem/law.h"
#include "rigid/tree.h"
#include "step/step.h"

// MAX_IDLE: consecutive rounds in which E does not change and the residual falls by less than a tenth. Where
// the exact tangent is indefinite, a projected one leaves a constant fraction of the residual, often more
// than half. PATIENCE: rounds of one balance after which a step that can be taken in parts is, unless they
// gain a digit each.
enum { MAX_CORRECTIONS = 8, MAX_TURNS = 8, MAX_IDLE = 8, PATIENCE = 16 };

// The model of a round is solved more accurately than the balance requires, and again more accurately if a
// round makes no progress, as far as rounding allows.
static const double TIGHTER = 0.01, TIGHTEST = 1e-12;
static const double STALLED = 0.9;

static bool is_nonlinear(const plData* data, int b) {
  return data->work->nparticipating[b] > 0 && !pl_law_is_linear(data->par->deform_material[b].kind);
}

static double length(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

// A vector of velocities and quantities that depend on it.
typedef struct Trial {
  double *v, *f;       // [nv] velocities, J' gamma
  double *vc, *gamma;  // [rows]
  double* reduced;     // participating velocities
  double* way;         // [nv] scratch: the difference between the start and the target
} Trial;

static plStatus new_trial(const plModel* model, plData* data, Trial* t) {
  plArena* arena = &data->work->step;
  const plReduced* r = data->work->reduced;
  *t = (Trial){PL_ARENA_NEW(arena, double, model->nv),
               PL_ARENA_NEW(arena, double, model->nv),
               PL_ARENA_NEW(arena, double, r->nrow),
               PL_ARENA_NEW(arena, double, r->nrow),
               PL_ARENA_NEW(arena, double, r->clique_v0[r->problem.nclique]),
               PL_ARENA_NEW(arena, double, model->nv)};
  return arena->failed ? PL_ERROR_MEMORY : PL_OK;
}

// E at t->v and the laws there; *size: magnitude of its terms.
static plStatus evaluate(const plModel* model, plData* data, Trial* t, double* energy, double* size) {
  const plWork* work = data->work;
  const plReduced* r = work->reduced;
  pl_reduced_gather(model, r, t->v, t->reduced);
  *energy = pl_reduced_laws(r, t->reduced, t->vc, t->gamma);
  *size = fabs(*energy);
  for (int b = 0; b < model->ndeform; b++) {
    if (!work->nparticipating[b]) continue;
    double potential, terms;
    plStatus status = pl_deform_potential(model, data, b, t->v + model->deform_v0[b], &potential, &terms);
    if (status) return status;
    *energy += potential;
    *size += terms;
  }
  for (int c = 0; c < model->ntree; c++) {
    int v0 = model->tree_v0[c], n = model->tree_v0[c + 1] - v0;
    const double* A = work->tree_A + work->forest.tree_M0[c];
    assert(n * n <= work->forest.tree_M0[c + 1] - work->forest.tree_M0[c]);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        *energy += 0.5 * A[j * n + i] * (t->v[v0 + i] - data->v_star[v0 + i]) *
                   (t->v[v0 + j] - data->v_star[v0 + j]);
  }
  return PL_OK;
}

// The largest ratio of |m(v) - J' gamma| to its limit. For nonlinear bodies this is the tolerance times the
// largest of their terms, plus rounding; for others see balance.c. *worst: a tree, or ntree plus a deformable
// body.
static plStatus find_residual(const plModel* model, plData* data, Trial* t, double* residual, int* worst) {
  plWork* work = data->work;
  pl_reduced_forces(model, work->reduced, t->gamma, t->f);
  *residual = 0;
  for (int b = 0; b < model->ndeform; b++) {
    if (!is_nonlinear(data, b)) continue;
    int v0 = model->deform_v0[b], n = pl_deform_nv(data, b);
    double scale, *m = work->m + v0, rest = 0, rounding = 0;
    plStatus status = pl_deform_linearize(model, data, b, t->v + v0, PL_NO_TANGENT, m, &scale);
    if (status) return status;
    for (int i = 0; i < n; i++) rest += (m[i] - t->f[v0 + i]) * (m[i] - t->f[v0 + i]);
    double allowed = data->par->options.tolerance * fmax(scale, length(t->f + v0, n));
    rest = sqrt(rest);
    if (rest > allowed) status = pl_deform_rounding(model, data, b, t->v + v0, &rounding);
    if (!status && rest > allowed + rounding) {
      status = pl_step_impulse_rounding(model, data, t->v, t->gamma, t->way);
      rounding += length(t->way + v0, n);
    }
    if (status) return status;
    double ratio = rest > 0 ? rest / (allowed + rounding) : 0;
    if (!(ratio <= *residual)) *residual = ratio, *worst = model->ntree + b;
  }
  return pl_step_linear_residual(model, data, t->v, t->gamma, t->f, residual, worst);
}

// The tangents of a round.
typedef struct Tangents {
  double* share;  // [ndeform] share of the projected tangent, tried first, and used
  double* shift;  // [ndeform] 0, or A is indefinite and its factor that of A + shift d I_p (linalg/chol.h)
  bool held;      // a shift is not 0
  int wait;       // rounds until indefinite tangents are tried again
} Tangents;

// After a round in which A + J' G J had no factor, so many others do not try it.
enum { WAIT = 2 };

// A and its factor at v. may_hold: A may be indefinite.
static plStatus linearize(const plModel* model, plData* data, const Trial* now, bool may_hold, Tangents* t) {
  plStatus status = PL_OK;
  t->held = false;
  for (int b = 0; b < model->ndeform && !status; b++) {
    if (!is_nonlinear(data, b)) continue;
    int v0 = model->deform_v0[b];
    t->shift[b] = 0;
    status = pl_deform_linearize(model, data, b, now->v + v0, PL_TANGENT_EXACT, data->work->m + v0, NULL);
    plStatus factored = PL_ERROR_INDEFINITE;
    if (!status && may_hold) factored = pl_deform_factor_held(data, b, &t->shift[b]);
    if (factored == PL_ERROR_INDEFINITE && !status) {
      t->shift[b] = 0;
      factored = pl_deform_factor_mixed(model, data, b, now->v + v0, &t->share[b]);
    }
    if (!status) status = factored;
    t->held |= t->shift[b] > 0;
  }
  return status;
}

// v* - v of a body, and in rest what it leaves of the balance m + A (v* - v) = 0: nothing if A has a factor.
// With a shifted one, only the rows of participating vertices are left, whose impulses r->push are.
static void find_star(const plModel* model, plData* data, int b, double shift, double* star, double* rest) {
  plWork* work = data->work;
  int v0 = model->deform_v0[b], n = pl_deform_nv(data, b);
  for (int i = 0; i < n; i++) star[i] = -work->m[v0 + i];
  pl_chol_solve(work->chol[b], star, 1, work->pool);
  pl_bsym_multiply_shared(&work->A[b], star, rest, work->pool);
  for (int i = 0; i < n; i++) rest[i] = -work->m[v0 + i] - rest[i];
  if (shift > 0) return;
  // once more for the residual that the factor of a stiff A left
  pl_chol_solve(work->chol[b], rest, 1, work->pool);
  for (int i = 0; i < n; i++) star[i] += rest[i], rest[i] = 0;
  pl_deform_centre(model, data, b, work->m + v0, star);
}

// v* and A_hat of the nonlinear bodies, then SAP from v: writes the minimum of the quadratic model to
// work->v. In a part that cannot be shorter, *rough: the solver ended before the minimum, where the model is
// lower than at v all the same; its error stays. With indefinite tangents the minimum is one near v, if there
// is one.
static plStatus solve_model(const plModel* model, plData* data, Trial* now, const Tangents* t,
                            double tolerance, bool correct, bool* too_tight, bool* rough) {
  plWork* work = data->work;
  plReduced* r = work->reduced;
  memset(now->way, 0, (size_t)model->nv * sizeof(double));
  for (int b = 0; b < model->ndeform; b++) {
    if (!is_nonlinear(data, b)) continue;
    int v0 = model->deform_v0[b], n = pl_deform_nv(data, b);
    double* star = data->v_star + v0;
    find_star(model, data, b, t->shift[b], star, now->way + v0);
    for (int i = 0; i < n; i++) star[i] += now->v[v0 + i];
    plStatus status = pl_reduced_refresh(model, data, r, b);
    if (status) return status;
  }
  pl_reduced_gather(model, r, now->v, now->reduced);
  if (t->held) {
    if (!(r->push = PL_ARENA_NEW(&work->step, double, r->clique_v0[r->problem.nclique])))
      return PL_ERROR_MEMORY;
    pl_reduced_gather(model, r, now->way, r->push);
    plStatus status = pl_step_solve_reduced(model, data, now->reduced, tolerance, correct);
    r->push = NULL, *too_tight = *rough = false;
    return status ? status : pl_step_interior(model, data);
  }
  plStatus status = pl_step_solve_reduced(model, data, now->reduced, tolerance, correct);
  // as accurately as rounding allows and as the step itself requires, continuing from its result
  *too_tight = status == PL_ERROR_NOT_CONVERGED && tolerance < data->par->options.tolerance;
  if (*too_tight) {
    pl_error_clear(work->error);
    pl_reduced_gather(model, r, work->v, now->reduced);
    status = pl_step_solve_reduced(model, data, now->reduced, data->par->options.tolerance, correct);
  }
  *rough = status == PL_ERROR_NOT_CONVERGED && !correct && pl_step_is_last(data);
  return status && !*rough ? status : pl_step_interior(model, data);
}

// One round: the tangents, unless those of an earlier round are kept, and the minimum of the model. Without
// one for indefinite tangents, that of tangents which were made positive definite.
static plStatus model_round(const plModel* model, plData* data, Trial* now, bool kept, double tolerance,
                            bool correct, Tangents* t, bool* too_tight, bool* rough) {
  plStatus status = PL_OK;
  if (!kept) status = linearize(model, data, now, t->wait-- <= 0 && !data->work->reduced->nexact, t);
  if (!status) status = solve_model(model, data, now, t, tolerance, correct, too_tight, rough);
  if (!t->held || (status != PL_ERROR_INDEFINITE && status != PL_ERROR_NOT_CONVERGED)) return status;
  pl_error_clear(data->work->error);
  t->wait = WAIT;
  status = linearize(model, data, now, false, t);
  return status ? status : solve_model(model, data, now, t, tolerance, correct, too_tight, rough);
}

// to.v = now.v + a (target - now.v); bodies that turn move along an arc.
static void go(const plModel* model, const plData* data, const Trial* now, const double* target, double a,
               Trial* to) {
  for (int i = 0; i < model->nv; i++)
    to->way[i] = target[i] - now->v[i], to->v[i] = now->v[i] + a * to->way[i];
  for (int b = 0; b < model->ndeform; b++) {
    int v0 = model->deform_v0[b];
    if (is_nonlinear(data, b)) pl_deform_along(model, data, b, now->v + v0, to->way + v0, a, to->v + v0);
  }
}

// Result of a search.
typedef struct Found {
  bool any, flat;  // an acceptable length; E changes by no more than its rounding
  double a, energy;
} Found;

// next = now + a (target - now): a is halved until E decreases. If E changes by no more than its rounding
// (then it is flat), a smaller residual is accepted too. The residual alone would not be sufficient, because
// contacts that close on the way increase it while E decreases.
static plStatus search(const plModel* model, plData* data, const Trial* now, double energy, double residual,
                       const double* target, Trial* next, Found* found) {
  double size;
  plStatus status = PL_OK;
  *found = (Found){.a = 2};
  for (int k = 0; k < 40 && !status && !found->any; k++) {
    found->a /= 2;
    go(model, data, now, target, found->a, next);
    status = evaluate(model, data, next, &found->energy, &size);
    if (status) break;
    found->any = found->energy < energy - 1e-9 * size;
    if (found->any || found->energy > energy + 1e-9 * size) continue;
    double r;
    int worst;
    found->flat = true;
    status = find_residual(model, data, next, &r, &worst);
    found->any = !status && (r < residual || found->energy < energy);
  }
  return status;
}

// Whether E still descends at `to` on the way from `from`. Where E is flat, its slope is far more accurate
// than its differences. After find_residual of `to`.
static plStatus descends(const plModel* model, plData* data, const Trial* from, const Trial* to,
                         bool* answer) {
  const plWork* work = data->work;
  double slope = 0;
  for (int i = 0; i < work->reduced->nrow; i++) slope -= to->gamma[i] * (to->vc[i] - from->vc[i]);
  for (int b = 0; b < model->ndeform; b++) {
    int v0 = model->deform_v0[b], n = pl_deform_nv(data, b);
    if (!work->nparticipating[b]) continue;
    const double* m = work->m + v0;
    if (!is_nonlinear(data, b)) {
      double* own = PL_ARENA_NEW(&data->work->step, double, n);
      plStatus status =
          own ? pl_deform_linearize(model, data, b, to->v + v0, PL_NO_TANGENT, own, NULL) : PL_ERROR_MEMORY;
      if (status) return status;
      m = own;
    }
    for (int i = 0; i < n; i++) slope += m[i] * (to->v[v0 + i] - from->v[v0 + i]);
  }
  for (int c = 0; c < model->ntree; c++) {
    int v0 = model->tree_v0[c], n = model->tree_v0[c + 1] - v0;
    const double* A = work->tree_A + work->forest.tree_M0[c];
    assert(n * n <= work->forest.tree_M0[c + 1] - work->forest.tree_M0[c]);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        slope += A[j * n + i] * (to->v[v0 + j] - data->v_star[v0 + j]) * (to->v[v0 + i] - from->v[v0 + i]);
  }
  *answer = slope < 0;
  return PL_OK;
}

// Doubles the step while E decreases: a tangent that was made positive definite is stiffer than the body; it
// would leave a saddle in small steps, and elsewhere a constant fraction of the error. Where E is flat, its
// slope at the end of the step decides, because the residual grows on the way out of a saddle. With an exact
// tangent the residual decides.
static plStatus go_on(const plModel* model, plData* data, const Trial* now, const double* target,
                      bool projected, Trial* next, Trial* spare, Found* found) {
  double energy, size, residual = 0, here = 0;
  int worst;
  plStatus status = found->flat && !projected ? find_residual(model, data, next, &here, &worst) : PL_OK;
  if (status) return status;
  for (;; found->a *= 2) {
    bool better = false;
    go(model, data, now, target, 2 * found->a, spare);
    status = evaluate(model, data, spare, &energy, &size);
    if (!status && found->flat && energy < found->energy + 1e-9 * size) {
      status = find_residual(model, data, spare, &residual, &worst);
      better = residual < here;
      if (!status && projected) status = descends(model, data, next, spare, &better);
    } else if (!found->flat) {
      better = energy < found->energy - 1e-9 * size;
    }
    if (status || !better) break;
    Trial swap = *next;
    *next = *spare, *spare = swap, found->energy = energy, here = residual;
  }
  return status;
}

// worst: a tree, or ntree plus a deformable body.
static plStatus fail(const plModel* model, plData* data, int worst, double residual, int rounds) {
  const char* name = worst < model->ntree ? model->joint_name[model->dof_joint[model->tree_v0[worst]]]
                                          : model->deform_name[worst - model->ntree];
  snprintf(data->report.where, sizeof data->report.where, "%s", name);
  return pl_fail(data->work->error, PL_ERROR_NOT_CONVERGED,
                 "the coupled momentum balance of '%s' has a residual of %.1e times its tolerance (rounding "
                 "included) after %d linearisations",
                 name, residual, rounds);
}

// The velocities at which the model of the first solve was made: v_first of the bodies that are linearised.
// For all other bodies the model is exact everywhere; they are at its minimum, and vertices with exact
// attachments are at their attached velocities.
static void first_velocities(const plModel* model, const plData* data, double* v) {
  const plWork* work = data->work;
  memcpy(v, work->v, (size_t)model->nv * sizeof(double));
  for (int b = 0; b < model->ndeform; b++)
    if (is_nonlinear(data, b))
      memcpy(v + model->deform_v0[b], work->v_first + model->deform_v0[b],
             (size_t)pl_deform_nv(data, b) * sizeof(double));
}

// From there towards the first solution as far as E decreases. If a body's tangent at v_first has almost no
// stiffness in some direction, that solution is so far away that its matrix has no factor.
static plStatus begin(const plModel* model, plData* data, Trial* now, Trial* next, double* energy) {
  double size;
  Found found = {0};
  first_velocities(model, data, now->v);
  plStatus status = evaluate(model, data, now, energy, &size);
  if (!status) status = search(model, data, now, *energy, INFINITY, data->work->v, next, &found);
  if (status || !found.any) return status;
  Trial swap = *now;
  *now = *next, *next = swap, *energy = found.energy;
  return PL_OK;
}

// Whether an exact attachment holds vertices of a body on this tree.
static bool carries_exact(const plReduced* r, int tree) {
  for (int i = 0; i < r->nexact; i++)
    if (r->exact[i].tree == tree) return true;
  return false;
}

// The residual that the tolerance allows would add up in the momentum. v of a tree is the response to the
// impulses themselves, v = v* + A^-1 J' gamma; a search that stopped early left it short of that. Deformable
// bodies are moved as a whole.
static void keep_momentum(const plModel* model, const plData* data, const Trial* t) {
  const plWork* work = data->work;
  const plTree* tree = &work->forest;
  for (int c = 0; c < tree->ntree; c++) {
    int v0 = tree->tree_v0[c], n = tree->tree_v0[c + 1] - v0;
    bool pushed = false;
    for (int i = v0; i < v0 + n; i++) t->way[i] = t->f[i], pushed |= t->f[i] != 0;
    if (!pushed || carries_exact(work->reduced, c)) continue;
    pl_tree_solve(tree, c, work->tree_L + tree->tree_M0[c], t->way + v0);
    for (int i = v0; i < v0 + n; i++) t->v[i] = data->v_star[i] + t->way[i];
  }
  for (int b = 0; b < model->ndeform; b++) {
    int v0 = model->deform_v0[b], n = pl_deform_nv(data, b);
    double *v = t->v + v0, *way = t->way + v0, *rest = t->f + v0;
    if (!work->nparticipating[b] || work->reduced->exact_A[b]) continue;
    if (is_nonlinear(data, b)) {
      for (int i = 0; i < n; i++) rest[i] = work->m[v0 + i] - rest[i];
      pl_deform_keep_momentum(model, data, b, rest, way, v);
    } else {
      // only the mass part of A moves the centre: A (v - v*) = J' gamma
      const double* star = data->v_star + v0;
      for (int i = 0; i < n; i++) way[i] = v[i] - star[i], rest[i] = -rest[i];
      pl_deform_centre(model, data, b, rest, way);
      for (int i = 0; i < n; i++) v[i] = star[i] + way[i];
    }
  }
}

// The same for bodies joined by exact attachments, which form one linear system with their trees.
static plStatus keep_joined(const plModel* model, plData* data, const Trial* t) {
  plWork* work = data->work;
  const plReduced* r = work->reduced;
  if (!r->nexact) return PL_OK;
  int nv = r->clique_v0[r->problem.nclique];
  double* impulse = PL_ARENA_NEW(&work->step, double, nv);
  if (!impulse) return PL_ERROR_MEMORY;
  pl_reduced_gather(model, r, t->f, impulse);
  for (int i = 0; i < nv; i++) impulse[i] += r->problem.impulse[i];
  plSapProblem problem = r->problem;
  problem.nconstraint = 0, problem.impulse = impulse;
  plSapSolution solution = {.v = t->reduced};
  plSapReport report;
  plSapOptions options = pl_sap_quick_options();
  options.relative_tolerance = TIGHTEST, options.pool = work->pool;
  plStatus status = pl_sap_solve(&problem, &options, r->v_star, &solution, &report, work->sap, work->error);
  if (status == PL_ERROR_NOT_CONVERGED) {
    pl_error_clear(work->error);  // the balance itself is found
    return PL_OK;
  }
  if (status) return status;
  pl_reduced_scatter(model, r, t->reduced, work->v);
  if ((status = pl_step_interior(model, data))) return status;
  for (int c = 0; c < model->ntree; c++)
    for (int i = model->tree_v0[c]; i < model->tree_v0[c + 1] && carries_exact(r, c); i++)
      t->v[i] = work->v[i];
  for (int b = 0; b < model->ndeform; b++)
    if (r->exact_A[b])
      memcpy(t->v + model->deform_v0[b], work->v + model->deform_v0[b],
             (size_t)pl_deform_nv(data, b) * sizeof(double));
  return PL_OK;
}

// v* of trees that turn far, and the rows that hold them, belong to a motion that ends with certain
// velocities (swing.c, shake.c), those of the first model. *changed: v is another one, and they are those of
// v now. If v has not settled after MAX_TURNS, the step is taken in parts, and the shortest part as if
// nothing turned far; also a step in which nothing does. (The shortest part of trees with links is that in
// which they do not swing.)
static plStatus turn_again(const plModel* model, plData* data, const double* v, int* turns, bool* changed) {
  *changed = false;
  plStatus status = pl_step_swing_along(model, data, v, changed);
  if (!status) status = pl_step_shake_along(model, data, v, changed);
  if (status || !*changed || ++*turns <= MAX_TURNS) return status;
  const plUnturned* base = data->work->reduced->base;
  if (!base || (data->work->may_halve && !base->slow)) return PL_ERROR_NOT_CONVERGED;
  return pl_step_unturn(model, data);
}

// work->v, vc and gamma are those of the balance that was found.
static plStatus take_result(const plModel* model, plData* data, const Trial* found) {
  plWork* work = data->work;
  plStatus status = keep_joined(model, data, found);
  if (status) return status;
  keep_momentum(model, data, found);
  memcpy(work->v, found->v, (size_t)model->nv * sizeof(double));
  memcpy(work->vc, found->vc, (size_t)work->reduced->nrow * sizeof(double));
  memcpy(work->gamma, found->gamma, (size_t)work->reduced->nrow * sizeof(double));
  return PL_OK;
}

// First the balance with constant shifts; then friction, with the bodies linearised at the result; and so on
// until both are satisfied, or MAX_CORRECTIONS.
static plStatus couple(const plModel* model, plData* data) {
  plWork* work = data->work;
  const plOptions* o = &data->par->options;
  int corrections = 0, turns = 0, nidle = 0,
      rounds = 0;  // rounds of one balance, with constant friction
  Trial now, next, spare;
  plStatus status = new_trial(model, data, &now);
  if (!status) status = new_trial(model, data, &next);
  if (!status) status = new_trial(model, data, &spare);
  Tangents tangents = {.share = PL_KEEP(&work->step, double, model->ndeform),
                       .shift = PL_KEEP(&work->step, double, model->ndeform)};
  if (status || !tangents.share || !tangents.shift) return PL_ERROR_MEMORY;
  double energy, size, residual = 0;
  int worst = 0;
  status = begin(model, data, &now, &next, &energy);
  double before = INFINITY;  // the residual of the previous round
  double inner = TIGHTER * o->tolerance, tightest = TIGHTEST;
  // A does not belong to now.v; the model cannot be solved so accurately; it was not solved
  bool stale = true, too_tight = false, rough = work->reduced->rough;
  plArenaMark mark = pl_arena_mark(&work->step);
  for (; !status; pl_arena_release(&work->step, mark)) {
    status = find_residual(model, data, &now, &residual, &worst);
    if (status) break;
    bool correct = residual <= 1 && !rough, turned = false;
    if (correct) status = turn_again(model, data, now.v, &turns, &turned);
    if (!status && turned) status = evaluate(model, data, &now, &energy, &size);
    if (status) break;
    if (turned) {
      mark = pl_arena_mark(&work->step);
      before = INFINITY, rounds = nidle = 0, stale = true;
      continue;
    }
    if (correct && (pl_step_friction_is_right(data, now.gamma, now.vc) || corrections++ == MAX_CORRECTIONS))
      break;
    if (correct) rounds = 0;
    // shorter parts need fewer rounds
    bool long_way = work->may_halve && rounds >= PATIENCE && residual > 0.1 * before;
    if (rounds++ == o->max_iterations || !isfinite(residual) || long_way)
      return fail(model, data, worst, residual, rounds);
    // an old A is kept as long as each round leaves less than a tenth of the residual
    const bool kept = !correct && !(residual > 0.1 * before);
    if (!kept) stale = false;
    status = model_round(model, data, &now, kept, inner, correct, &tangents, &too_tight, &rough);
    if (too_tight) tightest = inner = fmin(inner / TIGHTER, o->tolerance);
    if (!status && correct) status = evaluate(model, data, &now, &energy, &size), residual = INFINITY;
    if (status) break;
    data->report.couplings++;
    Found found;
    status = search(model, data, &now, energy, residual, work->v, &next, &found);
    if (!status && rough && (!found.any || found.flat)) return PL_ERROR_NOT_CONVERGED;
    if (rough) pl_error_clear(work->error);
    bool slow = !correct && residual > 0.5 * before;
    bool projected = false;
    for (int b = 0; b < model->ndeform; b++) projected |= !tangents.held && tangents.share[b] > 0;
    // less of the projected tangent after a whole step, more after a shortened one
    for (int b = 0; b < model->ndeform && !tangents.held; b++) {
      double* share = &tangents.share[b];
      *share = found.any && found.a == 1 ? *share / PL_PROJECTED_STEP : fmin(1, PL_PROJECTED_STEP * *share);
    }
    if (!status && slow && found.any && found.a == 1)
      status = go_on(model, data, &now, work->v, projected, &next, &spare, &found);
    if (status) break;
    // no progress with a new A while E is flat: the model must be solved more accurately
    if (!found.any && !stale && inner <= tightest) return fail(model, data, worst, residual, rounds);
    bool idle = !found.any || (found.flat && slow && found.a <= 1),
         stalled = idle && !(residual <= STALLED * before);
    nidle = stalled && inner <= tightest ? nidle + 1 : 0;
    if (nidle > MAX_IDLE) return fail(model, data, worst, residual, rounds);
    if (!stale && idle && inner > tightest) inner *= TIGHTER;
    // what rounding allowed far from the solution is no limit near it
    if (found.any && !found.flat) tightest = TIGHTEST;
    before = found.any && !correct ? residual : 0;
    stale = true;
    if (!found.any) continue;
    Trial swap = now;
    now = next, next = swap, energy = found.energy;
  }
  if (status) return status;
  data->report.coupled_residual = residual * o->tolerance;
  return take_result(model, data, &now);
}

bool pl_step_couples(const plModel* model, const plData* data) {
  const plOptions* o = &data->par->options;
  bool any = false;
  for (int b = 0; b < model->ndeform; b++) any |= is_nonlinear(data, b);
  return data->work->reduced && any && o->coupling != PL_COUPLING_ONCE && o->theta * o->theta_vq > 0;
}

plStatus pl_step_coupling(const plModel* model, plData* data) {
  plStatus status = PL_OK;
  if (!pl_step_couples(model, data))
    (void)pl_step_friction_is_right(data, data->work->gamma, data->work->vc);
  else
    status = couple(model, data);
  return status ? status : pl_step_judge_friction(data);
}

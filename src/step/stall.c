// stall.c: pairs whose demands no motion can meet.
//
// Pairs between bodies can contradict each other (a ball and a driven distance between the same two points),
// and a distance can be driven beyond the reach of a chain (links in a row, a dead centre). Their rows are
// nearly rigid, so their impulses would grow without bound as the violation grows. A row acts along its
// direction at q0. Because the direction of its force F turns with the motion, F acts like a spring of
// stiffness F c, where c is the curvature of the path (constraint/bend.c). The step treats this spring
// explicitly, so it adds energy where F c exceeds the mass over dt^2. The load that a pair carries cannot be
// reduced, but its demands can: the speeds that correct violations, and the rates of drives. If a pair
// exceeds the bound, the problem is solved without these demands, which gives the impulses of the loads
// alone. Then each group of connected trees gets the fraction of its demands that adds no more than the bound
// to the impulse of any of its pairs. In a step in parts the bound is that of the forces of the whole step.
//
// in: reduced, gamma, work->v -> out: the same, with lower v_hat and rates
#include <assert.h>
#include <math.h>

#include "constraint/constraint.h"
#include "step/step.h"

// The exact curvature of constraint/bend.c is computed only where its estimate exceeds this fraction of the
// bound.
static const double FAR_FROM = 0.01;

// The demands of rows: v_hat (for contacts v_hat_n), and minus the rate of a drive.
typedef struct Asked {
  double *speed, *rate;  // [nrow]
} Asked;

static bool asks(const plReduced* r, int i) {
  return r->source[i].pushes || r->source[i].kind == PL_ROWS_PAIR;
}

// The largest change of an impulse in each island (stored at its root), relative to the bound. before: the
// impulses to compare with; NULL means zero.
static plStatus measure(const plModel* model, plData* data, const double* before, int* up, double* most) {
  const plReduced* r = data->work->reduced;
  double whole = data->work->whole_dt, dt = whole * whole / data->par->options.dt, change[6], sum, bend;
  for (int t = 0; t < model->ntree; t++) most[t] = 0;
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow) {
    int n = r->constraint[i].nrow, tree = pl_step_tree_of(&r->constraint[i], model->ntree);
    if (!(r->source[i].curvature > 0) || tree < 0) continue;
    assert(n <= 6 && row + n <= r->nrow);
    sum = 0;
    for (int k = 0; k < n; k++) {
      change[k] = data->work->gamma[row + k] - (before ? before[row + k] : 0);
      if (k >= n - 3) sum += change[k] * change[k];
    }
    if (!(dt * sqrt(sum) * r->source[i].curvature > FAR_FROM)) continue;
    plStatus status = pl_pair_bend(model, data, r, i, change, &bend);
    if (status) return status;
    double* at = &most[pl_step_root_of(up, tree)];
    *at = fmax(*at, dt * bend);
  }
  return PL_OK;
}

// Stores the demands of the rows, without the shifts of Coulomb's law.
static void note(const plReduced* r, const Asked* a) {
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow)
    for (int k = 0; k < r->constraint[i].nrow; k++) {
      const plSapConstraint* c = &r->constraint[i];
      a->speed[row + k] = r->rows[i].row ? r->rows[i].row[k].v_hat : 0;
      if (c->law == PL_SAP_CONE && k == 2) a->speed[row + k] = c->cone.v_hat_n;
      a->rate[row + k] = r->base ? r->base->bias[row + k] : r->rows[i].bias[k];
    }
}

// Reduces the demands of the rows of each tree to the fraction part [ntree]; before: the fraction of the
// previous call. Removes corrections of creep.
static void ask(const plModel* model, plReduced* r, const Asked* a, int* up, const double* part,
                const double* before) {
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow) {
    plSapConstraint* c = &r->constraint[i];
    int tree = asks(r, i) ? pl_step_tree_of(c, model->ntree) : -1,
        root = tree < 0 ? -1 : pl_step_root_of(up, tree);
    if (root < 0 || part[root] == before[root]) continue;
    if (c->law == PL_SAP_CONE) c->cone.v_hat_n = part[root] * a->speed[row + 2];
    if (r->shift && c->law == PL_SAP_CONE) r->shift[3 * i] = r->shift[3 * i + 1] = 0;
    for (int k = 0; k < c->nrow; k++) {
      if (r->source[i].pushes >> k & 1 && r->rows[i].row)
        r->rows[i].row[k].v_hat = part[root] * a->speed[row + k];
      if (r->source[i].kind != PL_ROWS_PAIR) continue;
      double change = (part[root] - before[root]) * a->rate[row + k];
      r->rows[i].bias[k] += change;
      if (r->base) r->base->bias[row + k] += change;
    }
  }
}

plStatus pl_step_stall(const plModel* model, plData* data) {
  plWork* work = data->work;
  plReduced* r = work->reduced;
  bool any = false;
  for (int i = 0; i < r->n && !any; i++) any = r->source[i].curvature > 0;
  if (!any) return PL_OK;
  int* up = PL_ARENA_NEW(&work->step, int, model->ntree);
  double *most = PL_ARENA_NEW(&work->step, double, model->ntree),
         *part = PL_ARENA_NEW(&work->step, double, model->ntree),
         *before = PL_ARENA_NEW(&work->step, double, model->ntree),
         *gamma = PL_ARENA_NEW(&work->step, double, r->nrow);
  Asked asked = {PL_ARENA_NEW(&work->step, double, r->nrow), PL_ARENA_NEW(&work->step, double, r->nrow)};
  if (work->step.failed) return PL_ERROR_MEMORY;
  pl_step_tie_trees(r, model->ntree, up);
  plStatus status = measure(model, data, NULL, up, most);
  bool beyond = false;
  for (int t = 0; t < model->ntree; t++) beyond |= most[t] > 1;
  if (status || !beyond) return status;
  if (r->shift) pl_reduced_shift(r, -1);
  note(r, &asked);
  for (int t = 0; t < model->ntree; t++) before[t] = 1, part[t] = most[t] > 1 ? 0 : 1;
  ask(model, r, &asked, up, part, before);
  if (r->shift) pl_reduced_shift(r, 1);
  for (int k = 0; k < r->nrow; k++) gamma[k] = work->gamma[k];
  status = pl_step_solve_slower(model, data);
  if (!status) status = measure(model, data, gamma, up, most);
  if (status) return status;
  for (int t = 0; t < model->ntree; t++)
    before[t] = part[t], part[t] = part[t] == 0 ? fmin(1, 1 / most[t]) : 1;
  if (r->shift) pl_reduced_shift(r, -1);
  ask(model, r, &asked, up, part, before);
  if (r->shift) pl_reduced_shift(r, 1);
  return pl_step_solve_slower(model, data);
}

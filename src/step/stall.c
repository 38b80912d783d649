// stall.c: pairs that ask for what no motion can give.
//
// Pairs between bodies contradict each other (a ball and a driven distance between the same two points), or a
// distance asks for more than a chain can reach (links in a row, a dead centre). Their rows are nearly rigid,
// so their impulses would grow with the violation, without bound. A row acts along its direction at q0. Its
// force F bends with the motion, a spring of stiffness F c with the curvature c of its path
// (constraint/bend.c), which the step does not take implicitly: where F c exceeds the mass over dt^2, it adds
// energy, as every explicit spring does. A load that is carried cannot be lowered, but what rows ask for can:
// speeds that correct violations, and rates of drives. If a pair is beyond this bound, the problem is solved
// without them, which gives the impulses of the loads; then trees that constraints connect get that part of
// them which adds no more than the bound to the impulse of any pair. A step in parts has the forces of the
// whole step.
//
// in: reduced, gamma, work->v -> out: the same, with lower v_hat and rates
#include <assert.h>
#include <math.h>

#include "constraint/constraint.h"
#include "step/step.h"

// The estimate of what is exact in constraint/bend.c, below which that is not computed.
static const double FAR_FROM = 0.01;

// What rows ask for: v_hat (of contacts v_hat_n), and minus the rate of a drive.
typedef struct Asked {
  double *speed, *rate;  // [nrow]
} Asked;

static bool asks(const plReduced* r, int i) {
  return r->source[i].pushes || r->source[i].kind == PL_ROWS_PAIR;
}

// The largest change of an impulse of every island (at its root), in units of the bound. before: NULL: zero.
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

// What rows ask for, without the shifts of Coulomb's law.
static void note(const plReduced* r, const Asked* a) {
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow)
    for (int k = 0; k < r->constraint[i].nrow; k++) {
      const plSapConstraint* c = &r->constraint[i];
      a->speed[row + k] = r->rows[i].row ? r->rows[i].row[k].v_hat : 0;
      if (c->law == PL_SAP_CONE && k == 2) a->speed[row + k] = c->cone.v_hat_n;
      a->rate[row + k] = r->base ? r->base->bias[row + k] : r->rows[i].bias[k];
    }
}

// Rows ask for a part [ntree] of it; the part of the last call is that before. Corrections of creep are
// removed.
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
      if (r->source[i].pushes && r->rows[i].row) r->rows[i].row[k].v_hat = part[root] * a->speed[row + k];
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

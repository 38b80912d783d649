// swing.c: constraints on trees whose joints turn far in a step.
//
// The Coriolis forces of v* belong to a step that ends with v* (rigid/swing.c). Constraints change the
// velocity, so v* is computed again for the velocity with constraints, and the problem is solved again, until
// it no longer changes. The energy then changes only by the work of forces and constraints. J of the
// constraints between bodies is also taken at the middle of the motion: g(q1) = g(q0) + dt J v1 up to the
// cube of the angle, so that rotation does not open them, and closing them does no work. In the shortest part
// of a step the problem is solved once. Rounds that leave more than a tenth of the velocity have not found
// the step: it is taken in parts.
//
// in: reduced, work->v -> out: v_star, reduced, gamma, vc, work->v
#include <string.h>

#include "constraint/constraint.h"
#include "rigid/rigid.h"
#include "step/step.h"

enum { ROUNDS = 8 };
static const double LOST = 0.1;

void pl_step_state_after(plData* data, const double* v, plTreeState* state) {
  plWork* work = data->work;
  pl_tree_advance(&work->forest, data->q, v, data->par->options.dt, work->tree_q);
  pl_rigid_carry_centres(data, v, work->tree_q);
  pl_tree_kinematics(&work->forest, work->tree_q, data->par->options.gravity, state);
}

plStatus pl_step_rows_at(const plModel* model, plData* data, const plTreeState* state, plRowKind kind) {
  plTreeState own = data->work->tree;
  data->work->tree = *state;
  plStatus status = pl_rows_along(model, data, data->work->reduced, kind);
  data->work->tree = own;
  return status;
}

bool pl_step_has_pairs(const plReduced* r) {
  bool pairs = false;
  for (int i = 0; i < r->n; i++) pairs |= r->source[i].kind == PL_ROWS_PAIR;
  return pairs;
}

// v* and rows of a motion that ends with v, if v* changes or always.
static plStatus follow(const plModel* model, plData* data, const double* v, bool always, bool* changed) {
  plWork* work = data->work;
  plReduced* r = work->reduced;
  if (!work->swing || !work->may_refine) return PL_OK;
  size_t size = (size_t)model->nv_rigid * sizeof(double);
  double* last = PL_ARENA_NEW(&work->step, double, model->nv_rigid);
  if (!last) return PL_ERROR_MEMORY;
  memcpy(last, data->v_star, size);
  pl_rigid_swing_along(model, data, v);
  if (!always && pl_rigid_swing_is_found(data, data->v_star, last)) {
    memcpy(data->v_star, last, size);  // the one that v and gamma belong to
    return PL_OK;
  }
  *changed = true;
  plStatus status = pl_step_has_pairs(r)
                        ? pl_step_rows_at(model, data, pl_rigid_swing_middle(data, v), PL_ROWS_PAIR)
                        : PL_OK;
  memcpy(r->v_star, data->v_star, size);
  return status ? status : pl_exact_impulses(model, data, r);
}

plStatus pl_step_swing_along(const plModel* model, plData* data, const double* v, bool* changed) {
  return follow(model, data, v, false, changed);
}

plStatus pl_step_swing(const plModel* model, plData* data) {
  plWork* work = data->work;
  plReduced* r = work->reduced;
  if (!work->swing || !work->may_refine) return PL_OK;
  size_t size = (size_t)model->nv_rigid * sizeof(double);
  double *v = PL_ARENA_NEW(&work->step, double, r->clique_v0[r->problem.nclique]),
         *last = PL_ARENA_NEW(&work->step, double, model->nv_rigid),
         *star = PL_ARENA_NEW(&work->step, double, model->nv_rigid);
  if (!v || !last || !star) return PL_ERROR_MEMORY;
  for (int k = 0; k < ROUNDS; k++) {
    bool changed = false;
    memcpy(star, data->v_star, size);
    plStatus status = follow(model, data, work->v, pl_step_has_pairs(r), &changed);
    if (status || !changed) return status;
    memcpy(last, work->v, size);
    pl_reduced_gather(model, r, work->v, v);
    pl_step_keep_impulses(model, r, star, v);
    status = pl_step_solve_reduced(model, data, v, data->par->options.tolerance, true);
    if (status || pl_rigid_swing_is_found(data, work->v, last)) return status;
  }
  return pl_rigid_swing_change(data, work->v, last) > LOST ? PL_ERROR_NOT_CONVERGED : PL_OK;
}

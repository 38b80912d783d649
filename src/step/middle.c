// middle.c: pairs between rigid bodies with theta_vq < 1.
//
// A row of q0 asks for J v1 at directions and lever arms of q0, although the step moves with the mean of v0
// and v1 and the free motion is balanced at the theta-state. Impulses at q0 then do work at first order in
// the angle of a step, and their moments on two bodies that turn are not opposite about any point. Here
//
// - impulses act along J at the middle of the motion. With rates J0 v0 = 0 and J1 v1 = 0 at the ends, the
//   mean rate J_m (v0 + v1) / 2 is of the order of the squared angle, and so is the work of pairs. For
//   theta_vq = 1/2 the moment J_m' gamma about the centre of mass at the middle is exactly what changes the
//   angular momentum: internal impulses leave its sum as it is;
// - a row's velocity is the rate of its violation at q1: J1 v1 - J_m v1 is added to its bias;
// - v* is that of the balance linearised about v1, A (v1 - v*) = m(v1): that of the free motion differs from
//   it by the change of the Coriolis forces due to the impulses, an error of first order in dt.
//
// All of this depends on v1, and shake.c solves again until v1 no longer changes.
#include <string.h>

#include "constraint/constraint.h"
#include "rigid/rigid.h"
#include "step/step.h"

static const double MIDDLE = 0.5;

// The trees after a part of a motion that ends with v.
static void place(const plData* data, const double* v, double part, plTreeState* state) {
  const plWork* work = data->work;
  const plOptions* o = &data->par->options;
  pl_tree_mean_velocity(&work->forest, data->v, v, o->theta_vq, o->dt, work->tree_v);
  pl_tree_advance(&work->forest, data->q, work->tree_v, part * o->dt, work->tree_q);
  pl_rigid_carry_centres_part(data, v, part, work->tree_q);
  pl_tree_kinematics(&work->forest, work->tree_q, o->gravity, state);
}

// J of the pairs after a part of the motion, and all rows' velocities with it.
static plStatus rates(const plModel* model, plData* data, const double* v, double part, plTreeState* state,
                      const double* v_reduced, double* vc) {
  place(data, v, part, state);
  plStatus status = pl_step_rows_at(model, data, state, PL_ROWS_PAIR);
  if (!status) pl_reduced_velocities(data->work->reduced, v_reduced, vc);
  return status;
}

plStatus pl_step_middle(const plModel* model, plData* data, const plUnturned* base, const double* v,
                        plTreeState* state) {
  plWork* work = data->work;
  plReduced* r = work->reduced;
  plArena* arena = &work->step;
  double *reduced = PL_ARENA_NEW(arena, double, r->clique_v0[r->problem.nclique]),
         *end = PL_ARENA_NEW(arena, double, r->nrow), *middle = PL_ARENA_NEW(arena, double, r->nrow);
  if (arena->failed) return PL_ERROR_MEMORY;
  pl_reduced_gather(model, r, v, reduced);
  plStatus status = rates(model, data, v, 1, state, reduced, end);
  if (!status) status = rates(model, data, v, MIDDLE, state, reduced, middle);
  if (!status && pl_rigid_is_iterated(data))
    status = pl_rigid_star_about(model, data, v, base->held, state);
  else if (!status)
    pl_rigid_turn_along(model, data, v, base->held);
  if (status) return status;
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow)
    for (int k = 0; k < r->constraint[i].nrow && r->source[i].kind == PL_ROWS_PAIR; k++)
      r->rows[i].bias[k] = base->bias[row + k] + end[row + k] - middle[row + k];
  memcpy(r->v_star, data->v_star, (size_t)model->nv_rigid * sizeof(double));
  return pl_exact_impulses(model, data, r);
}

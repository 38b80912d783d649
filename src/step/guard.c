// guard.c: continuous collision detection: checks the motion that the solver found before it is accepted.
//
// If a pair would collide on its way from q0 to q1 and end deeper than a tenth of the thinner side, a point
// is added with the normal and weights at impact and the gap at q0; then the problem is solved again. Points
// are only added, never removed. If PL_SWEEP_ROUNDS rounds leave more than half of the hits, or a round
// changes nothing, pl_step halves the step.
//
// in: work->v, point -> out: the same, with the missing points
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "constraint/constraint.h"
#include "contact/sweep.h"
#include "contact/thresholds.h"
#include "model/side.h"
#include "step/step.h"

static bool same_features(const plSweepHit* a, const plSweepHit* b) {
  return a->a == b->a && a->b == b->b && a->kind == b->kind && a->i == b->i && a->j == b->j;
}

// Solves again from the velocities of the previous solve; reuses everything that added points do not change.
static plStatus solve_again(const plModel* model, plData* data) {
  double* warm = PL_ARENA_NEW(&data->work->step, double, model->nv);
  if (!warm) return PL_ERROR_MEMORY;
  memcpy(warm, data->work->v, (size_t)model->nv * sizeof *warm);
  data->work->v_warm = warm;
  plStatus (*const stage[])(const plModel*, plData*) = {
      pl_step_partition,   pl_step_momentum,      pl_step_factor,   pl_step_free_motion,
      pl_step_constraints, pl_step_contact_solve, pl_step_interior, pl_step_coupling};
  plStatus status = PL_OK;
  data->work->again = true;
  for (size_t i = 0; i < sizeof stage / sizeof *stage && !status; i++) status = stage[i](model, data);
  data->work->again = false;
  return status;
}

// Whether the features of a hit were hit in an earlier round. If the normal is the same too, the row of that
// round was too soft, and the new one is stiffer. Two convex shapes get a new patch each time.
static bool was_hit(plSweepHit* hit, const plSweepHit* before, int nbefore) {
  bool known = false;
  for (int k = 0; k < nbefore && hit->kind != PL_SWEEP_CONVEX; k++) {
    const plContactPoint* p = &before[k].point;
    if (!same_features(hit, &before[k])) continue;
    known = true;
    if (v3_dot(hit->point.normal, p->normal) > PL_SAME_NORMAL)
      hit->point.share = fmax(hit->point.share, PL_SWEEP_SHARE * p->share);
  }
  return known;
}

static bool is_existing(const plSweepHit* hit) {
  return hit->kind == PL_SWEEP_POINT || hit->kind == PL_SWEEP_AT_STOP;
}

// Whether all hits are points that already have a row at their stop. What it yields does not add up.
static bool all_stopped(const plSweepHit* hit, int nhit, const plSweepHit* before, int nbefore) {
  for (int i = 0; i < nhit; i++) {
    bool known = false;
    for (int k = 0; k < nbefore && !known && hit[i].kind == PL_SWEEP_AT_STOP; k++)
      known = same_features(&hit[i], &before[k]);
    if (!known) return false;
  }
  return true;
}

// Adds the points of hits; *fresh: their number; *new_place: true if some are at new positions, or if an
// existing point got another law. Features that were hit before are added again: the row is that of the
// present motion. (Existing points that were added again are followed themselves, contact/hold.c.)
static plStatus add_points(plData* data, plSweepHit* hit, int nhit, const plSweepHit* before, int nbefore,
                           int* fresh, bool* new_place) {
  plWork* work = data->work;
  *fresh = 0, *new_place = false;
  for (int i = 0; i < nhit; i++) {
    if (hit[i].kind == PL_SWEEP_LAW) {
      assert(hit[i].i < work->npoint);
      work->point[hit[i].i].tangent = hit[i].point.tangent, *new_place = true;
      continue;
    }
    bool known = was_hit(&hit[i], before, nbefore), point = is_existing(&hit[i]);
    if (known && point) continue;
    if (!PL_PUSH(work->point, work->npoint, work->point_cap, hit[i].point)) return PL_ERROR_MEMORY;
    (*fresh)++, *new_place = *new_place || !(known || point);
  }
  return PL_OK;
}

// After the last round: the step is halved, or a hit that is not mild is named. Bodies that creep are
// accepted, and mild hits too if the step cannot be halved.
static plStatus give_up(const plModel* model, plData* data, const plSweepHit* hits, int nhit) {
  const plSweepHit* hit = NULL;
  for (int i = 0; i < nhit; i++)
    if (!hits[i].creeps && (!hits[i].mild || data->work->may_halve) && (!hit || hit->mild)) hit = &hits[i];
  if (!hit) return PL_OK;
  const char *a = pl_side_name(model, pl_side_of_number(model, hit->a)),
             *b = pl_side_name(model, pl_side_of_number(model, hit->b));
  snprintf(data->report.where, sizeof data->report.where, "%s and %s", a, b);
  return pl_fail(data->work->error, PL_ERROR_PASSAGE,
                 "'%s' would pass through '%s' at t = %g s, %.3g m deep at the end of the step, in spite of "
                 "the added contact points",
                 a, b, data->time, -hit->end);
}

// Whether the last n points carry no force: their rows do not resist the motion, so the motion is the same as
// without them, and the next round would add the same points.
static bool carry_nothing(const plWork* work, int n) {
  for (int i = work->npoint - n; i < work->npoint; i++)
    if (i < 0 || !work->reduced || pl_rows_contact_impulse(work->reduced, work->gamma, i).z > 0) return false;
  return n > 0;
}

plStatus pl_step_guard(const plModel* model, plData* data) {
  plWork* work = data->work;
  plSweepHit *hit, *before = NULL;
  int nhit, nbefore = 0, cap = 0, fresh;
  int recent[PL_SWEEP_ROUNDS];  // numbers of hits in the last rounds
  bool new_place, in_vain = false;
  for (int round = 0;; round++) {
    plStatus status = pl_contact_sweep(model, data, work->v, PL_SWEEP_DEEP, &hit, &nhit);
    if (status || nhit == 0) return status;
    if (all_stopped(hit, nhit, before, nbefore)) return PL_OK;
    int* earlier = &recent[round % PL_SWEEP_ROUNDS];
    if (in_vain || (round >= PL_SWEEP_ROUNDS && 2 * nhit > *earlier)) return give_up(model, data, hit, nhit);
    *earlier = nhit;
    status = add_points(data, hit, nhit, before, nbefore, &fresh, &new_place);
    if (status) return status;
    work->guard_rounds++, data->report.guard_rounds++, data->report.guard_points += fresh;
    // Existing points that are pushed in too deep: the rounds of Coulomb's law may leave them some velocity.
    if (!fresh && !new_place && work->convex_friction) return give_up(model, data, hit, nhit);
    const bool same_law = work->convex_friction || data->par->options.contact_law != PL_LAW_COULOMB;
    if (!new_place && round > 0) work->convex_friction = true;
    // Hits of all rounds, in the step's memory.
    if (nbefore + nhit > cap) {
      cap = 2 * (nbefore + nhit);
      plSweepHit* more = PL_ARENA_NEW(&work->step, plSweepHit, cap);
      if (!more) return PL_ERROR_MEMORY;
      for (int i = 0; i < nbefore; i++) more[i] = before[i];
      before = more;
    }
    for (int i = 0; i < nhit; i++) before[nbefore++] = hit[i];
    status = solve_again(model, data);
    if (status) return status;
    in_vain = same_law && carry_nothing(work, fresh);
  }
}

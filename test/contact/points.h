// points.h: the contact points of a state.
#ifndef PL_TEST_CONTACT_POINTS_H
#define PL_TEST_CONTACT_POINTS_H

#include "../world.h"
#include "model/work.h"
#include "step/step.h"

// Finds the points without a step; returns their number. work->point has them.
static inline int find_points(World* w) {
  plWork* work = w->data->work;
  work->error = &w->error;
  pl_arena_reset(&work->step);
  w->data->report.deep = 0;
  CHECK_INT(pl_step_run(w->model, w->data, PL_STAGE_KINEMATICS, PL_STAGE_CONTACTS), PL_OK);
  return work->npoint;
}

// The number of points of the first step, without those that its motion made.
static inline int points(World* w) {
  build(w);
  run(w, 1);
  return w->data->work->npoint - w->data->report.guard_points;
}

#endif

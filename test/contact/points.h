// points.h: the contact points of the present state, without a step.
#ifndef PL_TEST_CONTACT_POINTS_H
#define PL_TEST_CONTACT_POINTS_H

#include "../world.h"
#include "model/work.h"
#include "step/step.h"

// Finds the points; returns their number. work->point has them.
static inline int find_points(World* w) {
  plWork* work = w->data->work;
  work->error = &w->error;
  pl_arena_reset(&work->step);
  w->data->report.deep = 0;
  CHECK_INT(pl_step_run(w->model, w->data, PL_STAGE_KINEMATICS, PL_STAGE_CONTACTS), PL_OK);
  return work->npoint;
}

#endif

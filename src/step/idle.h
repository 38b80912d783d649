// idle.h: stages for which a model has nothing. They run, but are not timed: reading the clock would take
// longer than the stage.
#ifndef PL_STEP_IDLE_H
#define PL_STEP_IDLE_H

#include "model/work.h"

static inline bool pl_step_is_idle(const plModel* model, const plData* data, plStage stage) {
  bool soft = model->ndeform > 0;
  switch (stage) {
    case PL_STAGE_PARTITION:
    case PL_STAGE_INTERIOR:
      return !soft;
    case PL_STAGE_COUPLING:
      return !soft && !data->work->contact->non;
    case PL_STAGE_CONTACTS:
    case PL_STAGE_GUARD:
      return !data->work->contact->non;
    case PL_STAGE_SENSORS:
      return !model->nsensor;
    default:
      return false;
  }
}

#endif

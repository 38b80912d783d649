// clock.h: the time of each stage, for the report. Stages for which a model has nothing run, but are not
// timed: reading the clock would take longer than the stage.
#ifndef PL_STEP_CLOCK_H
#define PL_STEP_CLOCK_H

#include "base/timer.h"
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

// The time at which the first of the stages begins; 0, without reading the clock, for one idle stage alone.
static inline double pl_step_clock_start(const plModel* model, const plData* data, plStage from, plStage to) {
  return from == to && pl_step_is_idle(model, data, from) ? 0 : pl_tick();
}

// Adds the time since `start` to a stage that has ended; returns the time at which the next one begins.
static inline double pl_step_clock_stage(const plModel* model, plData* data, plStage stage, double start) {
  if (pl_step_is_idle(model, data, stage)) return start;
  double end = pl_tick();
  data->report.stage_s[stage] += end - start;
  data->report.total_stage_s[stage] += end - start;
  return end;
}

#endif

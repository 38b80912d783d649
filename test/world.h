// world.h: a spec, its model and one simulation, as tests build and run them.
#ifndef PL_TEST_WORLD_H
#define PL_TEST_WORLD_H

#include "check.h"
#include "scenes.h"

typedef struct World {
  plSpec* spec;
  plModel* model;
  plData* data;
  plError error;
} World;

static inline World begin(plVec3 gravity, double dt) {
  World w = {.spec = pl_spec_create()};
  pl_spec_options(w.spec)->gravity = gravity;
  pl_spec_options(w.spec)->dt = dt;
  return w;
}

static inline void build(World* w) {
  w->model = pl_model_create(w->spec, &w->error);
  if (!w->model) printf("%s\n", w->error.message);
  w->data = w->model ? pl_data_create(w->model, &w->error) : NULL;
  CHECK(w->data != NULL);
}

static inline void run(World* w, int steps) {
  for (int i = 0; i < steps; i++) {
    plStatus status = pl_step(w->data, &w->error);
    CHECK_INT(status, PL_OK);
    if (status) {
      printf("%s (%s)\n", w->error.message, w->data->report.where);
      return;
    }
  }
}

static inline void end(World* w) { pl_data_destroy(w->data), pl_model_destroy(w->model), pl_spec_destroy(w->spec); }

#endif

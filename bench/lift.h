// lift.h: the scene scenes/lift.yaml under random actions, for the benchmarks of batches.
//
// As Isaac Lab's benchmark of Isaac-Lift-Soft-Franka: an action every 4 steps, each arm joint's target within
// 0.1 rad of where it is, the gripper open or closed at random; an episode has 300 steps.
#ifndef PL_BENCH_LIFT_H
#define PL_BENCH_LIFT_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "pliant/pliant.h"

enum { LIFT_ACTION = 4, LIFT_EPISODE = 300 };

static inline void lift_fail(const char* what, const plError* error) {
  fprintf(stderr, "%s: %s\n", what, error->message);
  exit(2);
}

// law: "cone" or "coulomb", NULL: the default one.
static inline const plModel* lift_model(bool fine, double friction, const char* law) {
  plError error;
  char path[1024], mu[32];
  plSpec* spec = NULL;
  snprintf(path, sizeof path, "%s/lift.yaml", PLIANT_SCENES);
  snprintf(mu, sizeof mu, "%g", friction);
  plOverride set[4] = {{"deformables.beam.surface.friction", mu}, {"shapes.table.surface.friction", mu}};
  int n = 2;
  if (fine) set[n++] = (plOverride){"deformables.beam.cells", "[22, 2, 2]"};
  if (law) set[n++] = (plOverride){"options.contact_law", law};
  plLoadOptions options = {.overrides = set, .noverride = n};
  if (pl_spec_load(path, &options, &spec, &error)) lift_fail(path, &error);
  pl_spec_options(spec)->threads = 1;
  const plModel* model = pl_model_create(spec, &error);
  if (!model) lift_fail("lift", &error);
  pl_spec_destroy(spec);
  return model;
}

// The arm's shapes come from a file: their friction is set in the simulation.
static inline void lift_friction(plData* data, double friction) {
  plError error;
  plParameterInfo info;
  for (int i = 0; !pl_parameter_info(data->model, i, &info); i++) {
    const char* end = strstr(info.path, ".surface.friction");
    if (end && pl_parameter_set_index(data, i, friction, &error)) lift_fail("friction", &error);
  }
}

// The start, or with the hand lowered so that its fingers stand on both sides of the beam.
static inline void lift_start(plData* data, bool near) {
  static const double low[7] = {0, 0.4550, 0, -2.3668, 0, 2.8218, 0.785};
  pl_data_reset(data);
  for (int i = 0; i < 7 && near; i++) data->q[data->model->dof_q[data->model->act_dof[i]]] = low[i];
}

// u of the next action for a row whose positions are q.
static inline void lift_act(const plModel* model, plRandom* random, const double* q, double* u) {
  for (int i = 0; i < 7; i++)
    u[model->act_u0[i]] = q[model->dof_q[model->act_dof[i]]] + pl_random(random, -0.1, 0.1);
  double width = pl_random_int(random, 2) ? 0.04 : 0;
  u[model->act_u0[7]] = u[model->act_u0[8]] = width;
}

#endif

// bodies.h: rigid bodies, joints and runs, as the tests of motion build them.
#ifndef PL_TEST_RIGID_BODIES_H
#define PL_TEST_RIGID_BODIES_H

#include "check.h"
#include "math/pose.h"
#include "pliant/pliant.h"

#define PI 3.14159265358979323846

static inline plSpec* new_spec(const char* scheme, double dt) {
  plSpec* spec = pl_spec_create();
  plOptions* o = pl_spec_options(spec);
  o->dt = dt;
  o->free_tolerance = 1e-12;
  CHECK(!pl_scheme_by_name(scheme, &o->theta, &o->theta_vq, NULL));
  return spec;
}

// A body with a diagonal inertia about its centre of mass.
static inline int add_body(plSpec* spec, const char* name, double mass, plVec3 com, plVec3 moments) {
  plBodyDef def = pl_default_body_def();
  plError error;
  int id = -1;
  def.name = name, def.mass = mass, def.com = com;
  def.inertia[0] = moments.x, def.inertia[1] = moments.y, def.inertia[2] = moments.z;
  if (pl_spec_add_body(spec, &def, &id, &error)) check_errors++, printf("%s\n", error.message);
  return id;
}

static inline plJointDef joint(const char* name, plJointKind kind, int parent, int child, plVec3 at,
                               plVec3 axis) {
  plJointDef def = pl_default_joint_def();
  def.name = name, def.kind = kind, def.parent = parent, def.child = child, def.pose.p = at, def.axis = axis;
  return def;
}

static inline void add_joint(plSpec* spec, plJointDef def) {
  plError error;
  if (pl_spec_add_joint(spec, &def, NULL, &error)) check_errors++, printf("%s\n", error.message);
}

// The simulation of a spec; destroys the spec.
static inline plData* start(plSpec* spec) {
  plError error;
  const plModel* model = pl_model_create(spec, &error);
  plData* data = model ? pl_data_create(model, &error) : NULL;
  pl_spec_destroy(spec);
  if (!data) printf("%s\n", error.message), exit(1);
  return data;
}

static inline void finish(plData* data) {
  const plModel* model = (plModel*)data->model;
  pl_data_destroy(data);
  pl_model_destroy(model);
}

static inline void step(plData* data) {
  plError error;
  if (pl_step(data, &error)) printf("%s\n", error.message), exit(1);
}

static inline void run_to(plData* data, double time) {
  long n = lround((time - data->time) / data->model->par->options.dt);
  for (long i = 0; i < n; i++) step(data);
}

#endif

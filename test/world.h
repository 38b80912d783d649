// world.h: a spec, its model and one simulation, as tests build and run them.
#ifndef PL_TEST_WORLD_H
#define PL_TEST_WORLD_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/vec3.h"
#include "scenes.h"

typedef struct World {
  plSpec* spec;
  const plModel* model;
  plData* data;
  plError error;
  int nblock;
} World;

static inline World begin(plVec3 gravity, double dt) {
  World w = {.spec = pl_spec_create()};
  pl_spec_options(w.spec)->gravity = gravity;
  pl_spec_options(w.spec)->dt = dt;
  pl_spec_options(w.spec)->threads = 1;  // programs of the suite run beside each other
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

// The same; returns the largest number of Newton iterations of a step.
static inline int run_most(World* w, int steps) {
  int most = 0;
  for (int i = 0; i < steps && !w->data->report.status; i++) {
    run(w, 1);
    if (w->data->report.iterations > most) most = w->data->report.iterations;
  }
  return most;
}

static inline void end(World* w) {
  pl_data_destroy(w->data), pl_model_destroy(w->model), pl_spec_destroy(w->spec);
}

static inline plPose pose_at(double x, double y, double z) { return (plPose){{x, y, z}, {1, 0, 0, 0}}; }

// A soft block of nx ny nz cells.
static inline int add_block(World* w, plVec3 size, int nx, int ny, int nz, plPose pose, double young) {
  char name[32];
  snprintf(name, sizeof name, "block%d", w->nblock++);
  plMesh* mesh = box_mesh(size, nx, ny, nz);
  plDeformableDef def = pl_default_deformable_def();
  int id = -1;
  def.name = name, def.mesh = mesh, def.pose = pose, def.material.young = young, def.surface.friction = 0.5;
  CHECK_INT(pl_spec_add_deformable(w->spec, &def, &id, &w->error), PL_OK);
  pl_mesh_destroy(mesh);
  return id;
}

// A rigid body of 1 kg and its only shape, which carries the body's name.
static inline int add_body(World* w, const char* name, plShapeDef shape, plPose pose, plVec3 velocity,
                           double mass, double inertia) {
  plBodyDef body = pl_default_body_def();
  int id = -1;
  body.name = name, body.mass = mass, body.pose = pose, body.velocity = velocity;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = inertia;
  CHECK_INT(pl_spec_add_body(w->spec, &body, &id, &w->error), PL_OK);
  shape.name = name, shape.body = id;
  CHECK_INT(pl_spec_add_shape(w->spec, &shape, NULL, &w->error), PL_OK);
  return id;
}

// A shape that stands still in the world.
static inline void add_shape(World* w, const char* name, plShapeKind kind, plVec3 size, plVec3 at,
                             plSurface surface) {
  plShapeDef g = pl_default_shape_def();
  g.name = name, g.kind = kind, g.size = size, g.pose.p = at, g.surface = surface;
  CHECK_INT(pl_spec_add_shape(w->spec, &g, NULL, &w->error), PL_OK);
}

// Holds what lies below z in the body's frame.
static inline void hold_below(World* w, int id, double z) {
  plFixDef fix = pl_default_fix_def();
  fix.deformable = id, fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre.z = z,
  fix.region.normal = (plVec3){0, 0, 1};
  CHECK_INT(pl_spec_add_fix(w->spec, &fix, &w->error), PL_OK);
}

// Energy of all bodies, the springs under the points included (J).
static inline double world_energy(const World* w) {
  double sum = 0;
  for (int i = 0; i < w->model->ndeform; i++) {
    plBodyState s;
    pl_deformable_state(w->data, i, &s);
    sum += s.kinetic_energy + s.elastic_energy + s.gravity_energy;
  }
  for (int i = 0; i < w->model->nbody; i++) {
    plRigidState s;
    pl_rigid_body_state(w->data, i, &s);
    sum += s.kinetic_energy + s.gravity_energy;
  }
  for (int i = 0; i < w->data->ncontact; i++) {
    const plContact* c = &w->data->contact[i];
    sum += 0.5 * fabs(v3_dot(c->force, c->normal)) * fmax(0, -c->gap);
  }
  return sum;
}

// The model of a scene that a test writes out; without one the test ends.
static inline const plModel* model_of(const char* text) {
  plError error = {0};
  plSpec* spec = NULL;
  CHECK_INT(pl_spec_parse("scene.yaml", ".", text, strlen(text), NULL, &spec, &error), PL_OK);
  const plModel* model = spec ? pl_model_create(spec, &error) : NULL;
  if (!model) printf("%s\n", error.message), exit(1);
  pl_spec_destroy(spec);
  return model;
}

// Linear momentum of all bodies; *size (may be NULL): the sum of their norms.
static inline plVec3 momentum(const plData* data, double* size) {
  plRigidTotals rigid;
  pl_rigid_totals(data, &rigid);
  plVec3 sum = rigid.momentum;
  double all = v3_norm(sum);
  for (int b = 0; b < data->model->ndeform; b++) {
    plBodyState s;
    CHECK_INT(pl_deformable_state(data, b, &s), PL_OK);
    sum = v3_add(sum, s.momentum), all += v3_norm(s.momentum);
  }
  if (size) *size = all;
  return sum;
}

#endif

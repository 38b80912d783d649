// validate_study.h: what the scenes of validate_study.c are made of, and how they are compared with the
// prototype's.
#ifndef PL_BENCH_VALIDATE_STUDY_H
#define PL_BENCH_VALIDATE_STUDY_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/pose.h"
#include "pliant/pliant.h"
#include "model/side.h"

static const char* shared;
static int failures, points;
static bool stand_in;  // the present body is generated, not the prototype's
static double closing = 0.5;

static void must(plStatus status, const plError* error) {
  if (status) fprintf(stderr, "validate_study: %s\n", error->message), exit(1);
}

// ---- what is compared

static void compare(const char* what, double ours, double theirs) {
  bool ok = ours <= 1.2 * theirs;
  printf("    %-34s %10.4g  C6 %9.4g  ratio %6.3f  %s\n", what, ours, theirs, ours / theirs,
         stand_in ? "(another mesh)"
         : ok     ? "ok"
                  : "FAILED");
  failures += !ok && !stand_in;
}

static void require(const char* what, bool ok) {
  printf("    %-34s %s\n", what, ok ? "ok" : "FAILED");
  failures += !ok;
}

// ---- scenes

typedef struct Run {
  plSpec* spec;
  const plModel* model;
  plData* data;
  double newton, deepest;  // sum of iterations; least gap so far
  int most, steps, nbody;
  long contacts, merged;
  bool failed;
} Run;

static Run scene(double dt, plVec3 gravity) {
  Run r = {.spec = pl_spec_create()};
  plOptions* o = pl_spec_options(r.spec);
  o->contact_law = PL_LAW_CONE;  // the study's
  o->dt = dt, o->gravity = gravity, o->gap_closing = closing, o->contact_points = points;
  return r;
}

// The prototype dissipates over one step: tau = dt, half from each side.
static plSurface surface(const Run* r, double mu) {
  plSurface s = pl_default_surface();
  s.friction = mu, s.relaxation_time = 0.5 * pl_spec_options(r->spec)->dt;
  return s;
}

// A box in cells of six tetrahedra (Kuhn). flip 1: mirrored along x; 2: every other cell mirrored along each
// axis.
static plMesh* kuhn(plVec3 size, int nx, int ny, int nz, int flip) {
  static const int perm[6][2] = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 0}, {0, 2}};
  plMesh* m = pl_mesh_create((nx + 1) * (ny + 1) * (nz + 1), 6 * nx * ny * nz, 0, NULL);
  int v = 0, t = 0;
  for (int i = 0; i <= nx; i++)
    for (int j = 0; j <= ny; j++)
      for (int k = 0; k <= nz; k++, v++) {
        m->vert[3 * v] = (i / (double)nx - 0.5) * size.x,
                    m->vert[3 * v + 1] = (j / (double)ny - 0.5) * size.y;
        m->vert[3 * v + 2] = (k / (double)nz - 0.5) * size.z;
      }
  for (int i = 0; i < nx * ny * nz; i++) {
    int cell[3] = {i / (ny * nz), i / nz % ny, i % nz};
    for (int p = 0; p < 6; p++, t++) {
      int at[3] = {0, 0, 0};
      for (int c = 0; c < 4; c++) {
        if (c == 1 || c == 2) at[perm[p][c - 1]] = 1;
        if (c == 3) at[0] = at[1] = at[2] = 1;
        int x[3];
        for (int d = 0; d < 3; d++)
          x[d] = cell[d] + ((flip == 1 && d == 0) || (flip == 2 && cell[d] % 2) ? 1 - at[d] : at[d]);
        m->tet[4 * t + c] = (x[0] * (ny + 1) + x[1]) * (nz + 1) + x[2];
      }
    }
  }
  plError error;
  must(pl_mesh_repair(m, NULL, 0, &error), &error);
  return m;
}

static int soft_of(Run* r, plMaterialKind kind, plMesh* mesh, plPose pose, double young, double mu) {
  plDeformableDef def = pl_default_deformable_def();
  plError error;
  char name[16];
  int id;
  snprintf(name, sizeof name, "soft%d", r->nbody++);
  def.name = name, def.mesh = mesh, def.pose = pose, def.surface = surface(r, mu);
  def.material.kind = kind, def.material.young = young, def.material.poisson = 0.4,
  def.material.density = 1000, def.material.damping_stiffness = 0.01;
  must(pl_spec_add_deformable(r->spec, &def, &id, &error), &error);
  pl_mesh_destroy(mesh);
  return id;
}

static int soft(Run* r, plMesh* mesh, plPose pose, double young, double mu) {
  return soft_of(r, PL_MATERIAL_LINEAR_COROTATED, mesh, pose, young, mu);
}

static void hold(Run* r, int id, double z) {
  plFixDef fix = pl_default_fix_def();
  plError error;
  fix.deformable = id, fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre.z = z,
  fix.region.normal = (plVec3){0, 0, 1};
  must(pl_spec_add_fix(r->spec, &fix, &error), &error);
}

// A box, or a half space, that stands or moves as it is told; returns how the contact functions count it.
static int rigid(Run* r, plShapeKind kind, plVec3 size, plPose pose, double mu, bool moves) {
  plError error;
  char name[16];
  plShapeDef g = pl_default_shape_def();
  snprintf(name, sizeof name, "rigid%d", r->nbody++);
  g.name = name, g.kind = kind, g.size = size, g.surface = surface(r, mu), g.pose = pose;
  if (moves) {
    plBodyDef body = pl_default_body_def();
    body.name = name, body.mass = 1e8, body.gravity = 0,
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1e8, body.pose = pose;
    must(pl_spec_add_body(r->spec, &body, &g.body, &error), &error);
    g.pose = (plPose){{0, 0, 0}, {1, 0, 0, 0}};
  }
  int id;
  must(pl_spec_add_shape(r->spec, &g, &id, &error), &error);
  return id;
}

static void start(Run* r) {
  plError error;
  r->model = pl_model_create(r->spec, &error);
  if (!r->model) must(PL_ERROR_INPUT, &error);
  r->data = pl_data_create(r->model, &error);
  if (!r->data) must(PL_ERROR_MEMORY, &error);
}

static bool step(Run* r) {
  plError error;
  if (r->failed) return false;
  if (pl_step(r->data, &error))
    return printf("    step %ld: %s\n", r->data->report.step, error.message), r->failed = true, failures++,
                                                                              false;
  r->steps++, r->newton += r->data->report.iterations, r->contacts += r->data->ncontact,
      r->merged += r->data->report.merged;
  if (r->data->report.iterations > r->most) r->most = r->data->report.iterations;
  for (int i = 0; i < r->data->ncontact; i++) r->deepest = fmin(r->deepest, r->data->contact[i].gap);
  return true;
}

// Iterations beside the prototype's, and the end of the scene.
static void finish(Run* r, double newton, int most) {
  int n = r->steps > 0 ? r->steps : 1;
  compare("Newton iterations, mean", r->newton / n, newton);
  printf("    %-34s %10d  C6 %9d  (printed only)\n", "Newton iterations, largest", r->most, most);
  printf("    %-34s %10.1f  (merged %.1f)\n", "points a step", (double)r->contacts / n,
         (double)r->merged / n);
  pl_data_destroy(r->data), pl_model_destroy(r->model), pl_spec_destroy(r->spec);
  stand_in = false;
}

static plVec3 com(const Run* r, int body) {
  plBodyState s;
  pl_deformable_state(r->data, body, &s);
  return s.com;
}

// The force on a soft body from a side (-1: all).
static plVec3 force_on(const Run* r, int body, int side) {
  plContactPair p;
  plSide from = side < 0 ? (plSide){PL_SIDE_ANY, 0} : pl_side_of_number(r->model, side);
  pl_contact_pair(r->data, from, (plSide){PL_SIDE_DEFORMABLE, body}, &p);
  return p.force;
}

static plPose at(double x, double y, double z, plVec3 axis, double degrees) {
  return (plPose){{x, y, z}, quat_from_axis_angle(axis, degrees * M_PI / 180)};
}
static const plVec3 down = {0, 0, -9.81}, none = {0, 0, 0}, ez = {0, 0, 1}, ex = {1, 0, 0};

#endif

// validate_solids.h: bodies and loads of the cases in validate_solids.c, and the page that they write.
#ifndef PL_BENCH_VALIDATE_SOLIDS_H
#define PL_BENCH_VALIDATE_SOLIDS_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "pliant/pliant.h"

static FILE* out;
static bool quick;
static int missed;

static void fail(const char* what, const plError* error) {
  fprintf(stderr, "validate_solids: %s%s%s\n", what, error ? ": " : "", error ? error->message : "");
  exit(2);
}

static void say(const char* format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(out, format, args);
  va_end(args);
  fflush(out);
}

// "1.23 %" and a mark if it is outside the tolerance; 0: no tolerance.
static const char* error_text(double value, double reference, double tolerance) {
  static char text[4][48];
  static int next;
  char* t = text[next = (next + 1) % 4];
  double e = 100 * (value / reference - 1);
  bool bad = tolerance > 0 && !(fabs(e) <= tolerance);
  snprintf(t, sizeof text[0], "%s%+.2f %%%s", bad ? "**" : "", e, bad ? "** (missed)" : "");
  missed += bad;
  return t;
}

// ---- bodies

typedef struct Form {
  const char* name;
  plElement element;
  plVolumetric volumetric;
} Form;

static const Form plain = {"tet4", PL_ELEMENT_TET4, PL_VOLUMETRIC_ELEMENT},
                  patch = {"tet4, patch", PL_ELEMENT_TET4, PL_VOLUMETRIC_PATCH},
                  smoothed = {"tet4_smoothed", PL_ELEMENT_TET4_SMOOTHED, PL_VOLUMETRIC_ELEMENT},
                  smoothed_patch = {"tet4_smoothed, patch", PL_ELEMENT_TET4_SMOOTHED, PL_VOLUMETRIC_PATCH},
                  quadratic = {"tet10", PL_ELEMENT_TET10, PL_VOLUMETRIC_ELEMENT},
                  quadratic_patch = {"tet10, patch", PL_ELEMENT_TET10, PL_VOLUMETRIC_PATCH};

typedef struct Case {
  plSpec* spec;
  const plModel* model;
  plData* data;
} Case;

static plMesh* box(plVec3 size, int nx, int ny, int nz) {
  plError error;
  plMesh* mesh;
  if (pl_mesh_box_cells(size, nx, ny, nz, &mesh, &error)) fail("mesh", &error);
  return mesh;
}

// A body whose x = -size/2 end is held, with one load.
static Case new_case(const plMesh* mesh, plMaterial material, bool plane, plVec3 gravity) {
  plError error;
  Case c = {.spec = pl_spec_create()};
  plOptions* o = pl_spec_options(c.spec);
  o->dt = 1e3, o->gravity = gravity;
  plDeformableDef def = pl_default_deformable_def();
  def.name = "body", def.mesh = mesh, def.material = material, def.plane_strain = plane;
  if (pl_spec_add_deformable(c.spec, &def, NULL, &error)) fail("body", &error);
  return c;
}

static plMaterial material_of(plMaterialKind kind, double young, double poisson, Form form) {
  plMaterial m = pl_default_material();
  m.kind = kind, m.young = young, m.poisson = poisson, m.density = 1000, m.damping_stiffness = 0;
  m.element = form.element, m.volumetric = form.volumetric;
  return m;
}

static void hold(Case* c, plVec3 centre, plVec3 normal, int components) {
  plError error;
  plFixDef fix = pl_default_fix_def();
  fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre = centre, fix.region.normal = normal;
  fix.components = components;
  if (pl_spec_add_fix(c->spec, &fix, &error)) fail("fixed", &error);
}

// A dead traction on the end x >= at, growing evenly over the steps.
static void pull(Case* c, double at, plVec3 traction, int steps) {
  plError error;
  plLoadDef load = pl_default_load_def();
  load.region.kind = PL_REGION_HALF_SPACE, load.region.centre.x = at, load.region.normal = (plVec3){-1, 0, 0};
  load.vector = traction;
  double dt = pl_spec_options(c->spec)->dt;
  load.ntime = 2, load.time = (double[2]){0, dt * steps}, load.factor = (double[2]){0, 1};
  if (pl_spec_add_load(c->spec, &load, &error)) fail("load", &error);
}

static void solve(Case* c, int steps) {
  plError error;
  c->model = pl_model_create(c->spec, &error);
  if (!c->model) fail("model", &error);
  c->data = pl_data_create(c->model, &error);
  if (!c->data) fail("data", &error);
  for (int i = 0; i < steps; i++)
    if (pl_step(c->data, &error)) fail("step", &error);
}

static void end_case(Case* c) {
  pl_data_destroy(c->data);
  pl_model_destroy(c->model);
  pl_spec_destroy(c->spec);
}

// Displacement of the vertex nearest to a point of the undeformed body.
static plVec3 displacement(const Case* c, plVec3 place) {
  int best = 0;
  double least = INFINITY;
  for (int i = 0; i < c->model->nvert; i++) {
    double d = v3_norm(v3_sub(v3_load(c->model->vert_rest + 3 * (size_t)i), place));
    if (d < least) least = d, best = i;
  }
  return v3_sub(v3_load(c->data->q + 3 * (size_t)best), v3_load(c->model->start_q + 3 * (size_t)best));
}

// ---- the page

#endif

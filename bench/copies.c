// copies.c: the cost of another simulation of a model.
//
//   build/bench/copies [--quick] [--json FILE]
//
// For each scene: compiling the model, a second simulation (pl_data_create) and the memory it takes before
// its first step, create + first step beside a steady step, pl_state_get + pl_state_set, and another whole
// set of parameters (pl_parameters_set, every number that may differ does). Best of several, CPU time of this
// thread. The arm has nine joints with a colliding convex mesh each, as many drawn ones, and
// a soft cube of 343 vertices on the ground. Checks: create at most 1 ms and 1 MB; state at most 3 % of a
// step, another set at most 2 %.
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pliant/pliant.h"
#include "times.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const char* what, const plError* error) {
  fprintf(stderr, "copies: %s: %s\n", what, error->message);
  exit(2);
}

// ---- the arm

static plSpec* arm_spec(void) {
  plError error;
  plSpec* spec = pl_spec_create();
  pl_spec_options(spec)->threads = 1;
  for (int i = 0, parent = -1; i < 9; i++) {
    char name[32];
    plBodyDef body = pl_default_body_def();
    snprintf(name, sizeof name, "link%d", i);
    body.name = name, body.mass = 3.0 / (1 + i), body.com = (plVec3){0, 0, 0.1};
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.02 / (1 + i);
    int id = -1;
    if (pl_spec_add_body(spec, &body, &id, &error)) fail("body", &error);
    plJointDef joint = pl_default_joint_def();
    joint.name = name, joint.parent = parent, joint.child = id;
    joint.pose.p.z = i ? 0.2 : 0.3, joint.axis = i % 2 ? (plVec3){0, 1, 0} : (plVec3){0, 0, 1};
    joint.dof[0].damping = 1, joint.dof[0].lower = -2.5, joint.dof[0].upper = 2.5;
    if (pl_spec_add_joint(spec, &joint, NULL, &error)) fail("joint", &error);
    // 200 to 2,000 facets to touch, and as many to look at
    plMesh* mesh = NULL;
    if (pl_mesh_capsule(0.05, 0.1, 0.035 - 0.0026 * i, &mesh, &error) || pl_mesh_boundary(mesh, &error))
      fail("mesh", &error);
    for (int drawn = 0; drawn < 2; drawn++) {
      plShapeDef shape = pl_default_shape_def();
      snprintf(name, sizeof name, "%s%d", drawn ? "drawn" : "shape", i);
      shape.name = name, shape.body = id, shape.kind = PL_SHAPE_MESH, shape.mesh = mesh, shape.pose.p.z = 0.1;
      shape.convex = true, shape.collide = !drawn;
      if (pl_spec_add_shape(spec, &shape, NULL, &error)) fail("shape", &error);
    }
    pl_mesh_destroy(mesh);
    parent = id;
  }
  plMesh* cube = NULL;
  if (pl_mesh_box_cells((plVec3){0.1, 0.1, 0.1}, 6, 6, 6, &cube, &error)) fail("cube", &error);
  plDeformableDef soft = pl_default_deformable_def();
  soft.name = "cube", soft.mesh = cube, soft.pose.p = (plVec3){0.5, 0, 0.05};
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  if (pl_spec_add_deformable(spec, &soft, NULL, &error) || pl_spec_add_shape(spec, &ground, NULL, &error))
    fail("cube", &error);
  pl_mesh_destroy(cube);
  return spec;
}

static plSpec* load(const char* name) {
  if (!strcmp(name, "arm9")) return arm_spec();
  plError error;
  char path[1024];
  plSpec* spec = NULL;
  snprintf(path, sizeof path, "%s/%s.yaml", PLIANT_SCENES, name);
  if (pl_spec_load(path, NULL, &spec, &error)) fail(name, &error);
  pl_spec_options(spec)->threads = 1;
  return spec;
}

typedef struct Row {
  const char* name;
  double compile_ms, create_ms, create_MB, first_ms, step_ms, state_ms, switch_ms, step_MB;
} Row;

static double in_use(void) {
  struct mallinfo2 m = mallinfo2();
  return 1e-6 * ((double)m.uordblks + (double)m.hblkhd);
}

static void steps(plData* data, int n) {
  plError error;
  for (int i = 0; i < n; i++)
    if (pl_step(data, &error)) fail("step", &error);
}

// Two sets of parameters: the scene's, and one in which each number that may be 1 % larger is.
static double* two_sets(plData* data) {
  int n = pl_parameter_count(data->model);
  double* set = malloc(2 * (size_t)n * sizeof *set + 1);
  pl_parameters_get(data, set);
  for (int i = 0; i < n; i++)
    if (isfinite(set[i])) (void)pl_parameter_set_index(data, i, 1.01 * set[i], NULL);
  pl_parameters_get(data, set + n);
  return set;
}

static double switch_time(plData* data) {
  plError error;
  double* set = two_sets(data);
  int n = pl_parameter_count(data->model);
  double t = now();
  for (int k = 0; k < 10; k++)
    if (pl_parameters_set(data, set + (k % 2 ? n : 0), &error)) fail("parameters", &error);
  t = now() - t;
  free(set);
  return t / 10;
}

static Row measure(const char* name, int rounds) {
  Row row = {.name = name,
             .compile_ms = INFINITY,
             .create_ms = INFINITY,
             .first_ms = INFINITY,
             .step_ms = INFINITY,
             .state_ms = INFINITY,
             .switch_ms = INFINITY};
  plError error;
  plSpec* spec = load(name);
  for (int r = 0; r < (rounds < 3 ? rounds : 3); r++) {
    double t = now();
    const plModel* model = pl_model_create(spec, &error);
    row.compile_ms = fmin(row.compile_ms, 1e3 * (now() - t));
    if (!model) fail(name, &error);
    pl_model_destroy(model);
  }
  const plModel* model = pl_model_create(spec, &error);
  plData* first = pl_data_create(model, &error);
  steps(first, 10);
  size_t size = pl_state_size(first);
  char* bytes = malloc(size + 1);
  for (int r = 0; r < rounds; r++) {
    double memory = in_use(), t = now();
    plData* data = pl_data_create(model, &error);
    double created = now();
    row.create_ms = fmin(row.create_ms, 1e3 * (created - t));
    row.create_MB = in_use() - memory;
    steps(data, 1);
    row.first_ms = fmin(row.first_ms, 1e3 * (now() - t));
    steps(data, 4);
    row.step_MB = in_use() - memory;
    t = now();
    steps(data, 5);
    row.step_ms = fmin(row.step_ms, 1e3 * (now() - t) / 5);
    t = now();
    for (int k = 0; k < 10; k++) {
      pl_state_get(data, bytes, size, NULL);
      if (pl_state_set(data, bytes, size, &error)) fail("state", &error);
    }
    row.state_ms = fmin(row.state_ms, 1e2 * (now() - t));
    row.switch_ms = fmin(row.switch_ms, 1e3 * switch_time(data));
    pl_data_destroy(data);
  }
  free(bytes);
  pl_data_destroy(first), pl_model_destroy(model), pl_spec_destroy(spec);
  return row;
}

int main(int argc, char** argv) {
  const char* json = NULL;
  int rounds = 30, bad = 0;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick"))
      rounds = 5;
    else if (!strcmp(argv[i], "--json") && i + 1 < argc)
      json = argv[++i];
    else
      return fprintf(stderr, "usage: copies [--quick] [--json FILE]\n"), 2;
  }
  FILE* out = json ? fopen(json, "w") : NULL;
  if (json && !out) return fprintf(stderr, "copies: '%s' cannot be written\n", json), 2;
  static const char* const scenes[] = {"block", "allegro", "teddy", "arm9"};
  printf("%-10s %11s %10s %10s %14s %9s %10s %14s %9s\n", "scene", "compile ms", "create ms", "create MB",
         "with step ms", "step ms", "state ms", "parameters ms", "step MB");
  if (out) fprintf(out, "[\n");
  for (int i = 0; i < 4; i++) {
    Row r = measure(scenes[i], rounds);
    bool fast = r.create_ms <= 1 && r.state_ms <= 0.03 * r.step_ms && r.switch_ms <= 0.02 * r.step_ms;
    bool ok = r.create_MB <= 1 && (fast || !times_count());
    printf("%-10s %11.2f %10.3f %10.3f %14.2f %9.3f %10.4f %14.4f %9.2f%s\n", r.name, r.compile_ms,
           r.create_ms, r.create_MB, r.first_ms, r.step_ms, r.state_ms, r.switch_ms, r.step_MB,
           ok ? "" : "  MISSED");
    if (out)
      fprintf(out,
              "  {\"scene\": \"%s\", \"compile_ms\": %.4g, \"create_ms\": %.4g, \"create_MB\": %.4g, "
              "\"first_ms\": %.4g, \"step_ms\": %.4g, \"state_ms\": %.4g, \"switch_ms\": %.4g, \"step_MB\": "
              "%.4g}%s\n",
              r.name, r.compile_ms, r.create_ms, r.create_MB, r.first_ms, r.step_ms, r.state_ms, r.switch_ms,
              r.step_MB, i < 3 ? "," : "");
    bad += !ok;
  }
  if (out) fprintf(out, "]\n"), fclose(out);
  return bad ? 1 : 0;
}

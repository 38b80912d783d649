// contact.c: the contact stage alone: a bear-like body held between two soft bubbles, at several resolutions;
// rigid things in a heap.
//
//   build/bench/contact [--quick] [--threads N] [--json FILE]
//
// Microseconds per step of the stage, per pair of facets compared and per contact point; the points that were
// found, those left where vertices of matching meshes are merged, and those left where flat patches are
// reduced to 8 (options.contact_points). The best of several rounds counts. Then one large pair of each kind
// on one thread and on several (two unless said otherwise), in turns.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../test/contact/large_pair.h"
#include "base/random.h"
#include "base/timer.h"
#include "contact/contact.h"
#include "pliant/pliant.h"
#include "step/step.h"

typedef struct Row {
  char name[64];
  int colliders, pairs, candidates, points, merged, reduced, skipped, deep;
  double total_us;
} Row;

static const char bear[] =
    "pliant: 1\n"
    "options: {dt: 0.02}\n"
    "deformables:\n"
    "  - name: bear\n"
    "    shape: union\n"
    "    edge: %g\n"
    "    parts:\n"
    "      - {shape: ellipsoid, semi_axes: [0.037, 0.042, 0.05], pose: {position: [0, 0, 0.05]}}\n"
    "      - {shape: ellipsoid, semi_axes: [0.034, 0.037, 0.033], pose: {position: [0.004, 0, 0.117]}}\n"
    "      - {shape: sphere, radius: 0.0155, pose: {position: [0, 0.029, 0.143]}}\n"
    "      - {shape: sphere, radius: 0.0155, pose: {position: [0, -0.029, 0.143]}}\n"
    "      - {shape: capsule, radius: 0.016, length: 0.04, pose: {position: [0.034, 0.03, 0.017], rpy: [0, "
    "1.5708, 0.3]}}\n"
    "      - {shape: capsule, radius: 0.016, length: 0.04, pose: {position: [0.034, -0.03, 0.017], rpy: [0, "
    "1.5708, -0.3]}}\n"
    "    material: {young: 1e4, poisson: 0.4, density: 1000, damping: {stiffness: 0.01}}\n"
    "  - name: left\n"
    "    shape: half_ellipsoid\n"
    "    semi_axes: [0.0405, 0.057, 0.037]\n"
    "    edge: %g\n"
    "    pose: {position: [0, -0.085, 0.07], rpy: [1.5707963267948966, 0, 0]}\n"
    "    material: {young: 5e4, poisson: 0.3, density: 10, damping: {stiffness: 0.01}}\n"
    "  - name: right\n"
    "    shape: half_ellipsoid\n"
    "    semi_axes: [0.0405, 0.057, 0.037]\n"
    "    edge: %g\n"
    "    pose: {position: [0, 0.085, 0.07], rpy: [-1.5707963267948966, 0, 0]}\n"
    "    material: {young: 5e4, poisson: 0.3, density: 10, damping: {stiffness: 0.01}}\n"
    "shapes:\n"
    "  - {name: ground, shape: half_space}\n";

// The flat sides of the bubbles are pushed towards the bear.
static void add_push(plSpec* spec, int bubble, double way) {
  static const double time[2] = {0, 0.4};
  plVec3 offset[2] = {{0, 0, 0}, {0, way, 0}};
  plFixDef fix = pl_default_fix_def();
  fix.deformable = bubble, fix.region.kind = PL_REGION_HALF_SPACE, fix.region.normal = (plVec3){0, 0, -1};
  fix.ntime = 2, fix.time = time, fix.offset = offset;
  plError error;
  if (pl_spec_add_fix(spec, &fix, &error)) fprintf(stderr, "%s\n", error.message), exit(1);
}

static plSpec* bear_spec(double edge) {
  char text[4000];
  plSpec* spec = NULL;
  plError error;
  snprintf(text, sizeof text, bear, edge, edge * 1.2, edge * 1.2);
  if (pl_spec_parse("bear", ".", text, strlen(text), NULL, &spec, &error))
    fprintf(stderr, "%s\n", error.message), exit(1);
  add_push(spec, 1, 0.02), add_push(spec, 2, -0.02);
  return spec;
}

// n rigid bodies of all shapes, fallen into a heap.
static plSpec* heap_spec(int n) {
  static const plShapeKind kinds[] = {PL_SHAPE_BOX, PL_SHAPE_SPHERE, PL_SHAPE_CAPSULE, PL_SHAPE_CYLINDER,
                                      PL_SHAPE_ELLIPSOID};
  plSpec* spec = pl_spec_create();
  pl_spec_options(spec)->threads = 1;
  plError error;
  plRandom r = {7};
  for (int i = 0; i < n; i++) {
    char name[32];
    snprintf(name, sizeof name, "thing%d", i);
    plBodyDef body = pl_default_body_def();
    body.name = name, body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 2e-3;
    double x = 0.11 * (i % 4) + pl_random(&r, 0, 0.02), y = 0.11 * (i / 4 % 4) + pl_random(&r, 0, 0.02);
    body.pose.p = (plVec3){x, y, 0.1 + 0.15 * (i / 16)};
    int id;
    plShapeDef g = pl_default_shape_def();
    if (pl_spec_add_body(spec, &body, &id, &error)) fprintf(stderr, "%s\n", error.message), exit(1);
    g.name = name, g.body = id, g.kind = kinds[i % 5], g.size = (plVec3){0.1, 0.08, 0.06}, g.radius = 0.04,
    g.length = 0.06;
    if (pl_spec_add_shape(spec, &g, NULL, &error)) fprintf(stderr, "%s\n", error.message), exit(1);
  }
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  if (pl_spec_add_shape(spec, &ground, NULL, &error)) fprintf(stderr, "%s\n", error.message), exit(1);
  return spec;
}

// Points of the next step with patches of at most 8.
static int count_reduced(plSpec* spec, const plData* data) {
  plError error;
  pl_spec_options(spec)->contact_points = 8;
  const plModel* model = pl_model_create(spec, &error);
  plData* few = model ? pl_data_create(model, &error) : NULL;
  if (!few) fprintf(stderr, "%s\n", error.message), exit(1);
  memcpy(few->q, data->q, (size_t)model->nq * sizeof(double)),
      memcpy(few->v, data->v, (size_t)model->nv * sizeof(double)), few->time = data->time;
  if (pl_step(few, &error)) fprintf(stderr, "%s\n", error.message), exit(1);
  int n = few->ncontact;
  pl_data_destroy(few), pl_model_destroy(model);
  return n;
}

static Row measure(const char* name, plSpec* spec, int steps, int rounds) {
  plError error;
  Row row = {.total_us = INFINITY};
  snprintf(row.name, sizeof row.name, "%s", name);
  const plModel* model = pl_model_create(spec, &error);
  plData* data = model ? pl_data_create(model, &error) : NULL;
  if (!data) fprintf(stderr, "%s\n", error.message), exit(1);
  for (int i = 0; i < steps; i++)
    if (pl_step(data, &error)) fprintf(stderr, "%s: %s\n", name, error.message), exit(1);
  plContactWork* w = data->work->contact;
  for (int i = 0; i < rounds; i++) {
    data->report.skipped = data->report.deep = 0;
    double start = pl_now();
    if (pl_contact_find(model, data)) exit(1);
    row.total_us = fmin(row.total_us, 1e6 * (pl_now() - start));
  }
  row.colliders = w->ncollider, row.pairs = w->nlist, row.points = data->work->npoint;
  row.skipped = data->report.skipped, row.deep = data->report.deep;
  for (int i = 0; i < w->nlist; i++) row.candidates += w->list[i].candidates, row.merged += w->list[i].merged;
  row.reduced = count_reduced(spec, data);
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
  return row;
}

static void print_row(const Row* r) {
  printf("%-22s %5d %6d %8d %8d %8d %8d %8d %9.1f %9.3f %9.3f\n", r->name, r->colliders, r->pairs,
         r->candidates, r->points + r->merged, r->points, r->reduced, r->skipped, r->total_us,
         r->candidates ? r->total_us / r->candidates : 0, r->points ? r->total_us / r->points : 0);
}

// ---- one large pair

typedef struct Large {
  int threads[2];
  double us[2];
  int candidates, points;
} Large;

static plData* prepare(LargePair kind, int cells, int threads, const plModel** model) {
  plError error;
  plSpec* spec = large_pair_spec(kind, cells, threads);
  *model = pl_model_create(spec, &error);
  pl_spec_destroy(spec);
  plData* data = *model ? pl_data_create(*model, &error) : NULL;
  if (!data) fprintf(stderr, "%s\n", error.message), exit(1);
  if (pl_step_kinematics(*model, data)) exit(1);
  data->work->placed = false;  // the first step alone looks for what is buried
  return data;
}

static Large measure_large(LargePair kind, int cells, int threads, int rounds) {
  Large row = {.threads = {1, threads}, .us = {INFINITY, INFINITY}};
  const plModel* model[2];
  plData* data[2];
  for (int k = 0; k < 2; k++) data[k] = prepare(kind, cells, row.threads[k], &model[k]);
  for (int i = 0; i < 2 * rounds; i++) {
    double start = pl_now();
    if (pl_contact_find(model[i % 2], data[i % 2])) exit(1);
    row.us[i % 2] = fmin(row.us[i % 2], 1e6 * (pl_now() - start));
  }
  row.candidates = data[0]->work->contact->list[0].candidates, row.points = data[0]->work->npoint;
  for (int k = 0; k < 2; k++) pl_data_destroy(data[k]), pl_model_destroy(model[k]);
  return row;
}

static void measure_pairs(int cells, int threads, int rounds, Large row[LARGE_PAIRS]) {
  printf("\n%-22s %8s %8s %9s %9s %7s\n", "one pair", "facets", "points", "us", "us", "ratio");
  for (int k = 0; k < LARGE_PAIRS; k++) {
    row[k] = measure_large((LargePair)k, cells, threads, rounds);
    printf("%-22s %8d %8d %9.1f %9.1f %7.2f   %d threads\n", large_pair_name[k], row[k].candidates,
           row[k].points, row[k].us[0], row[k].us[1], row[k].us[0] / row[k].us[1], row[k].threads[1]);
  }
}

int main(int argc, char** argv) {
  const char* path = NULL;
  bool quick = false;
  int threads = 2;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick"))
      quick = true;
    else if (!strcmp(argv[i], "--json") && i + 1 < argc)
      path = argv[++i];
    else if (!strcmp(argv[i], "--threads") && i + 1 < argc && atoi(argv[i + 1]) > 0)
      threads = atoi(argv[++i]);
    else
      return fprintf(stderr, "usage: contact [--quick] [--threads N] [--json FILE]\n"), 2;
  }
  Row row[5];
  int n = 0, rounds = quick ? 20 : 100;
  printf("%-22s %5s %6s %8s %8s %8s %8s %8s %9s %9s %9s\n", "scene", "sides", "pairs", "facets", "points",
         "merged", "reduced", "skipped", "us", "us/facets", "us/point");
  row[n++] = measure("bear, edge 16 mm", bear_spec(0.016), 30, rounds);
  print_row(&row[n - 1]);
  if (!quick) row[n++] = measure("bear, edge 11 mm", bear_spec(0.011), 30, rounds), print_row(&row[n - 1]);
  row[n++] = measure("heap of 40", heap_spec(40), quick ? 60 : 150, rounds);
  print_row(&row[n - 1]);
  if (!quick) row[n++] = measure("heap of 160", heap_spec(160), 150, rounds), print_row(&row[n - 1]);
  Large large[LARGE_PAIRS];
  measure_pairs(quick ? 24 : 40, threads, rounds / 4, large);
  if (!path) return 0;
  FILE* json = fopen(path, "w");
  if (!json) return perror(path), 1;
  fprintf(json, "[\n");
  for (int i = 0; i < n; i++)
    fprintf(json,
            "  {\"name\": \"%s\", \"sides\": %d, \"pairs\": %d, \"facet_pairs\": %d, \"points_before\": %d, "
            "\"points\": %d, \"points_reduced\": %d, \"skipped\": %d, \"deep\": %d, "
            "\"us\": %.3f, \"us_per_facet_pair\": %.4f, \"us_per_point\": %.4f},\n",
            row[i].name, row[i].colliders, row[i].pairs, row[i].candidates, row[i].points + row[i].merged,
            row[i].points, row[i].reduced, row[i].skipped, row[i].deep, row[i].total_us,
            row[i].candidates ? row[i].total_us / row[i].candidates : 0,
            row[i].points ? row[i].total_us / row[i].points : 0);
  for (int k = 0; k < LARGE_PAIRS; k++)
    fprintf(json,
            "  {\"name\": \"one pair: %s\", \"facet_pairs\": %d, \"points\": %d, \"us\": %.3f, \"threads\": "
            "%d, \"us_threads\": %.3f}%s\n",
            large_pair_name[k], large[k].candidates, large[k].points, large[k].us[0], large[k].threads[1],
            large[k].us[1], k + 1 < LARGE_PAIRS ? "," : "");
  fprintf(json, "]\n");
  return fclose(json) ? 1 : 0;
}

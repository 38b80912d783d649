// contact.c: the contact stage alone: a bear-like body held between two soft bubbles, at several resolutions; rigid things in a heap.
//
//   build/bench/contact [--quick] [--json FILE]
//
// Microseconds per step of the stage, per pair of facets compared and per contact point; the points that were found, those left where
// vertices of matching meshes are merged, and those left where flat patches are reduced to 8 (options.contact_points). The best of several
// rounds counts.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/timer.h"
#include "contact/contact.h"
#include "pliant/pliant.h"

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
    "      - {shape: capsule, radius: 0.016, length: 0.04, pose: {position: [0.034, 0.03, 0.017], rpy: [0, 1.5708, 0.3]}}\n"
    "      - {shape: capsule, radius: 0.016, length: 0.04, pose: {position: [0.034, -0.03, 0.017], rpy: [0, 1.5708, -0.3]}}\n"
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
  if (pl_spec_parse("bear", ".", text, strlen(text), NULL, &spec, &error)) fprintf(stderr, "%s\n", error.message), exit(1);
  add_push(spec, 1, 0.02), add_push(spec, 2, -0.02);
  return spec;
}

// n rigid things of all shapes, fallen into a heap.
static plSpec* heap_spec(int n) {
  static const plShapeKind kinds[] = {PL_SHAPE_BOX, PL_SHAPE_SPHERE, PL_SHAPE_CAPSULE, PL_SHAPE_CYLINDER, PL_SHAPE_ELLIPSOID};
  plSpec* spec = pl_spec_create();
  plError error;
  plRandom r = {7};
  for (int i = 0; i < n; i++) {
    char name[32];
    snprintf(name, sizeof name, "thing%d", i);
    plBodyDef body = pl_default_body_def();
    body.name = name, body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 2e-3;
    body.pose.p = (plVec3){0.11 * (i % 4) + pl_random(&r, 0, 0.02), 0.11 * (i / 4 % 4) + pl_random(&r, 0, 0.02), 0.1 + 0.15 * (i / 16)};
    int id;
    plGeometryDef g = pl_default_geometry_def();
    if (pl_spec_add_body(spec, &body, &id, &error)) fprintf(stderr, "%s\n", error.message), exit(1);
    g.name = name, g.body = id, g.kind = kinds[i % 5], g.size = (plVec3){0.1, 0.08, 0.06}, g.radius = 0.04, g.length = 0.06;
    if (pl_spec_add_geometry(spec, &g, NULL, &error)) fprintf(stderr, "%s\n", error.message), exit(1);
  }
  plGeometryDef ground = pl_default_geometry_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  if (pl_spec_add_geometry(spec, &ground, NULL, &error)) fprintf(stderr, "%s\n", error.message), exit(1);
  return spec;
}

// Points of the next step with patches of at most 8.
static int count_reduced(plSpec* spec, const plData* data) {
  plError error;
  pl_spec_options(spec)->contact_points = 8;
  plModel* model = pl_model_create(spec, &error);
  plData* few = model ? pl_data_create(model, &error) : NULL;
  if (!few) fprintf(stderr, "%s\n", error.message), exit(1);
  memcpy(few->q, data->q, (size_t)model->nq * sizeof(double)), memcpy(few->v, data->v, (size_t)model->nv * sizeof(double)), few->time = data->time;
  if (pl_step(few, &error)) fprintf(stderr, "%s\n", error.message), exit(1);
  int n = few->ncontact;
  pl_data_destroy(few), pl_model_destroy(model);
  return n;
}

static Row measure(const char* name, plSpec* spec, int steps, int rounds) {
  plError error;
  Row row = {.total_us = INFINITY};
  snprintf(row.name, sizeof row.name, "%s", name);
  plModel* model = pl_model_create(spec, &error);
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
  printf("%-22s %5d %6d %8d %8d %8d %8d %8d %9.1f %9.3f %9.3f\n", r->name, r->colliders, r->pairs, r->candidates, r->points + r->merged, r->points, r->reduced, r->skipped, r->total_us,
         r->candidates ? r->total_us / r->candidates : 0, r->points ? r->total_us / r->points : 0);
}

int main(int argc, char** argv) {
  const char* path = NULL;
  bool quick = false;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick")) quick = true;
    else if (!strcmp(argv[i], "--json") && i + 1 < argc) path = argv[++i];
    else return fprintf(stderr, "usage: contact [--quick] [--json FILE]\n"), 2;
  }
  Row row[5];
  int n = 0, rounds = quick ? 20 : 100;
  printf("%-22s %5s %6s %8s %8s %8s %8s %8s %9s %9s %9s\n", "scene", "sides", "pairs", "facets", "points", "merged", "reduced", "skipped", "us", "us/facets", "us/point");
  row[n++] = measure("bear, edge 16 mm", bear_spec(0.016), 30, rounds);
  print_row(&row[n - 1]);
  if (!quick) row[n++] = measure("bear, edge 11 mm", bear_spec(0.011), 30, rounds), print_row(&row[n - 1]);
  row[n++] = measure("heap of 40", heap_spec(40), quick ? 60 : 150, rounds);
  print_row(&row[n - 1]);
  if (!quick) row[n++] = measure("heap of 160", heap_spec(160), 150, rounds), print_row(&row[n - 1]);
  if (!path) return 0;
  FILE* json = fopen(path, "w");
  if (!json) return perror(path), 1;
  fprintf(json, "[\n");
  for (int i = 0; i < n; i++)
    fprintf(json,
            "  {\"name\": \"%s\", \"sides\": %d, \"pairs\": %d, \"facet_pairs\": %d, \"points_before\": %d, \"points\": %d, \"points_reduced\": %d, \"skipped\": %d, \"deep\": %d, "
            "\"us\": %.3f, \"us_per_facet_pair\": %.4f, \"us_per_point\": %.4f}%s\n",
            row[i].name, row[i].colliders, row[i].pairs, row[i].candidates, row[i].points + row[i].merged, row[i].points, row[i].reduced, row[i].skipped, row[i].deep, row[i].total_us,
            row[i].candidates ? row[i].total_us / row[i].candidates : 0, row[i].points ? row[i].total_us / row[i].points : 0, i + 1 < n ? "," : "");
  fprintf(json, "]\n");
  return fclose(json) ? 1 : 0;
}

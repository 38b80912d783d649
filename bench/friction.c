// friction.c: the cost of Coulomb's friction: whole scenes under the laws `cone` and `coulomb`, in turns.
//
//   build/bench/friction [--quick] [--runs N] [--only NAME,...] [--sigma S] [--data DIR] [--json FILE]
//
// CPU time of this process on one thread, both laws with the same friction_sigma. Each run is a whole scene;
// the two laws alternate, and the median of the ratios counts. softpair, torus, bubble and hand are the
// scenes of bench/peers: their meshes and robots are not part of this project and are looked for in DIR
// (without --data they are left out). Exit status 1 if a threshold is not met: the ratio, or more than 1 % of
// the steps capped. --quick: one run.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pliant/pliant.h"
#include "only.h"
#include "times.h"

typedef struct Case {
  const char* name;
  bool peers;       // a scene of bench/peers
  double duration;  // s; 0: the scene's own
  double allowed;   // most that `coulomb` may cost, relative to `cone`
} Case;

static const Case cases[] = {
    {"stack", false, 0, 1.15},    {"softpair", true, 0, 1.15}, {"arch_mu10", false, 8, 1.15},
    {"block", false, 0, 1.15},    {"torus", true, 0, 1.15},    {"teddy", false, 0, 1.35},
    {"allegro", false, 0, 1.35},  {"bubble", true, 0, 1.35},   {"hand", true, 0, 1.35},
    {"arch_mu02", false, 0, 1.8},
};
enum { NCASE = sizeof cases / sizeof *cases, MOST_RUNS = 99 };

typedef struct Row {
  double cpu[2], rate;  // s of the fastest run of each law; median of the ratios
  double rounds, iterations[2], factorizations[2], capped, residual, creep;
  long steps;
  bool failed;
} Row;

static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const plModel* load(const Case* c, const char* law, const char* sigma, const char* data) {
  char path[4096], duration[32];
  snprintf(path, sizeof path, "%s/%s.yaml", c->peers ? PLIANT_PEERS : PLIANT_SCENES, c->name);
  snprintf(duration, sizeof duration, "%g", c->duration);
  plOverride overrides[] = {{"options.contact_law", law},
                            {"options.friction_sigma", sigma},
                            {"options.threads", "1"},
                            {"options.duration", duration}};
  plLoadOptions options = {
      .overrides = overrides, .noverride = c->duration > 0 ? 4 : 3, .search = &data, .nsearch = data != NULL};
  plError error;
  plSpec* spec = NULL;
  const plModel* model = NULL;
  if (pl_spec_load(path, &options, &spec, &error) || !(model = pl_model_create(spec, &error)))
    fprintf(stderr, "%s: %s\n", c->name, error.message);
  pl_spec_destroy(spec);
  return model;
}

// One run of a whole scene: CPU time (s), and the figures of the law.
static double run(const plModel* model, int law, Row* row) {
  plError error;
  plData* data = pl_data_create(model, &error);
  long steps = (long)(model->par->options.duration / model->par->options.dt + 0.5), capped = 0, rounds = 0,
       iterations = 0, factored = 0;
  row->residual = row->creep = 0;
  double t0 = cpu_now();
  for (long i = 0; i < steps && !row->failed; i++) {
    row->failed = pl_step(data, &error) != PL_OK;
    const plReport* r = &data->report;
    capped += r->coulomb_capped, rounds += r->coulomb_rounds, iterations += r->iterations,
        factored += r->sap.factorizations;
    row->residual = fmax(row->residual, r->coulomb_residual), row->creep = fmax(row->creep, r->sap.creep);
  }
  double spent = cpu_now() - t0;
  if (row->failed) fprintf(stderr, "t = %g s: %s\n", data->time, error.message);
  row->steps = steps, row->iterations[law] = (double)iterations / (double)steps;
  row->factorizations[law] = (double)factored / (double)steps;
  if (law) row->capped = (double)capped / (double)steps, row->rounds = (double)rounds / (double)steps;
  pl_data_destroy(data);
  return spent;
}

static int compare_doubles(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static bool measure(const Case* c, int runs, const char* sigma, const char* data, Row* row) {
  const plModel* model[2] = {load(c, "cone", sigma, data), load(c, "coulomb", sigma, data)};
  double ratio[MOST_RUNS];
  *row = (Row){.cpu = {INFINITY, INFINITY}, .failed = !model[0] || !model[1]};
  for (int k = 0; k < runs && !row->failed; k++) {
    double spent[2];
    for (int law = 0; law < 2; law++) {
      spent[law] = run(model[law], law, row);
      row->cpu[law] = fmin(row->cpu[law], spent[law]);
    }
    ratio[k] = spent[1] / spent[0];
  }
  qsort(ratio, row->failed ? 0 : (size_t)runs, sizeof *ratio, compare_doubles);
  row->rate = row->failed ? NAN : ratio[runs / 2];
  for (int law = 0; law < 2; law++) pl_model_destroy(model[law]);
  return !row->failed;
}

static void print_json(FILE* out, const Case* c, const Row* r, bool first) {
  fprintf(out,
          "%s{\"name\": \"%s\", \"steps\": %ld, \"cone_s\": %.4f, \"coulomb_s\": %.4f, \"ratio\": %.4f, "
          "\"allowed\": %.2f, \"rounds\": %.3f, \"capped_percent\": %.3f, \"residual\": %.3g}",
          first ? "[" : ",\n ", c->name, r->steps, r->cpu[0], r->cpu[1], r->rate, c->allowed, r->rounds,
          100 * r->capped, r->residual);
}

int main(int argc, char** argv) {
  int runs = 7;
  const char *only = NULL, *sigma = "1e-3", *data = NULL, *json = NULL;
  for (int i = 1; i < argc; i++) {
    bool more = i + 1 < argc;
    if (!strcmp(argv[i], "--quick"))
      runs = 1;
    else if (!strcmp(argv[i], "--runs") && more)
      runs = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--only") && more)
      only = argv[++i];
    else if (!strcmp(argv[i], "--sigma") && more)
      sigma = argv[++i];
    else if (!strcmp(argv[i], "--data") && more)
      data = argv[++i];
    else if (!strcmp(argv[i], "--json") && more)
      json = argv[++i];
    else
      return fprintf(stderr,
                     "usage: friction [--quick] [--runs N] [--only NAME,...] [--sigma S] [--data DIR] "
                     "[--json FILE]\n"),
             2;
  }
  if (runs < 1 || runs > MOST_RUNS) return fprintf(stderr, "--runs must be 1 to %d\n", MOST_RUNS), 2;
  FILE* out = json ? fopen(json, "w") : NULL;
  if (json && !out) return fprintf(stderr, "cannot write %s\n", json), 2;
  int missed = 0, n = 0;
  printf("CPU seconds of whole scenes, friction_sigma %s; ratio: median of %d\n", sigma, runs);
  printf("%-10s %6s %9s %9s %7s %5s %7s %15s %15s %8s %10s\n", "scene", "steps", "cone", "coulomb", "ratio",
         "most", "rounds", "Newton", "factors", "capped", "residual");
  for (int i = 0; i < NCASE; i++) {
    const Case* c = cases + i;
    if (!is_wanted(only, c->name) || (c->peers && !data)) continue;
    Row row;
    bool good = measure(c, runs, sigma, data, &row) && (row.rate <= c->allowed || !times_count()) &&
                row.capped <= 0.01;
    printf("%-10s %6ld %9.3f %9.3f %7.3f %5.2f %7.2f %7.2f %7.2f %7.2f %7.2f %6.2f %% %8.1e %s\n", c->name,
           row.steps, row.cpu[0], row.cpu[1], row.rate, c->allowed, row.rounds, row.iterations[0],
           row.iterations[1], row.factorizations[0], row.factorizations[1], 100 * row.capped, row.residual,
           good ? "" : "missed");
    fflush(stdout);
    missed += !good;
    if (out) print_json(out, c, &row, n++ == 0);
  }
  if (out) fprintf(out, "%s]\n", n ? "" : "["), fclose(out);
  return missed > 0;
}

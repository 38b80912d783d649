// threads.c: all scenes on several numbers of threads, in one table.
//
//   build/bench/threads [--quick] [--rounds N] [--seconds S] [--threads LIST] [--only NAME]... [--json FILE]
//                       [--markdown FILE] [--stages]
//
// Every scene of scenes/, two soft balls that fall on the ground and 64 soft blocks that do so beside each
// other. A scene runs from its start for as many steps as take S seconds (0.4) on one thread; the numbers of
// threads take turns, N rounds (11), and medians of the wall time count. LIST: numbers separated by commas,
// `auto` among them; by default 1, auto, 2, 4, 8 and 16, as far as there are processors. Checks: the same
// bits on any number; auto at most 3 % slower than one thread; and the speed-up required on 2 and on 16
// processors (table `required`). The first 8 steps, which make memory and try threads, are not timed.
// --markdown: the table goes into a page, between its marks. --stages: where the time of a step goes on each
// number of threads, stage by stage and within the contact solve.
#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/parallel.h"
#include "page.h"
#include "pliant/pliant.h"
#include "times.h"

enum { MOST_SCENES = 64, MOST_COUNTS = 8, MOST_ROUNDS = 101, AUTO = 0, FIRST = 8, LEAST = 8 };
enum { INNER = 6, PARTS = PL_STAGE_COUNT + INNER };  // stages, and parts of the contact solve

// At least so many times as fast as one thread, with auto.
static const struct {
  const char* scene;
  int processors;
  double times;
} required[] = {{"cylinder_press", 2, 1.5}, {"teddy", 2, 1.3},    {"ball833", 2, 1.6},
                {"ball6017", 2, 1.8},       {"blocks64", 16, 10}, {"cylinder_press_fine", 16, 5},
                {"cylinder_press", 16, 3},  {"ball6017", 16, 5}};

typedef struct Settings {
  int count[MOST_COUNTS], ncount, rounds;
  double seconds;
  const char* only[MOST_SCENES];
  int nonly;
} Settings;

typedef struct Row {
  char name[64];
  int dofs, steps;
  double ms[MOST_COUNTS];           // a step, median
  double ratio;                     // auto to one thread: median of the rounds' ratios
  double part[MOST_COUNTS][PARTS];  // ms of a step, mean over the rounds
  bool same;
} Row;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* x, int n) {
  qsort(x, (size_t)n, sizeof *x, compare);
  return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

static void fail(const char* what, const plError* error) {
  fprintf(stderr, "threads: %s: %s\n", what, error->message);
  exit(2);
}

// ---- scenes

static void add_soft(plSpec* spec, const char* name, plMesh* mesh, plVec3 position) {
  plError error;
  plDeformableDef def = pl_default_deformable_def();
  def.name = name, def.mesh = mesh, def.pose.p = position;
  def.material.young = 5e4, def.material.poisson = 0.4, def.material.density = 1000;
  def.material.damping_stiffness = 0.01;
  if (pl_spec_add_deformable(spec, &def, NULL, &error)) fail(name, &error);
}

static plSpec* on_ground(void) {
  plError error;
  plSpec* spec = pl_spec_create();
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  if (pl_spec_add_shape(spec, &ground, NULL, &error)) fail("ground", &error);
  return spec;
}

static plSpec* ball(double size) {
  plError error;
  plMesh* mesh = NULL;
  plSpec* spec = on_ground();
  if (pl_mesh_sphere(0.1, size, &mesh, &error)) fail("ball", &error);
  add_soft(spec, "ball", mesh, (plVec3){0, 0, 0.101});
  pl_mesh_destroy(mesh);
  return spec;
}

// 343 vertices each, so far apart that none touches another.
static plSpec* blocks(void) {
  plError error;
  plMesh* mesh = NULL;
  plSpec* spec = on_ground();
  if (pl_mesh_box_cells((plVec3){0.1, 0.1, 0.1}, 6, 6, 6, &mesh, &error)) fail("blocks", &error);
  for (int i = 0; i < 64; i++) {
    char name[16];
    snprintf(name, sizeof name, "block%d", i);
    add_soft(spec, name, mesh, (plVec3){0.3 * (i % 8), 0.3 * (i / 8), 0.051});
  }
  pl_mesh_destroy(mesh);
  return spec;
}

static plSpec* open_scene(const char* name) {
  if (!strcmp(name, "ball833")) return ball(0.0275);
  if (!strcmp(name, "ball6017")) return ball(0.0135);
  if (!strcmp(name, "blocks64")) return blocks();
  char path[4096];
  plError error;
  plSpec* spec = NULL;
  snprintf(path, sizeof path, "%s/%.60s.yaml", PLIANT_SCENES, name);
  if (pl_spec_load(path, NULL, &spec, &error)) fail(path, &error);
  return spec;
}

static int by_name(const void* a, const void* b) { return strcmp(a, b); }

// The names of all scenes, sorted; the made ones last.
static int list_scenes(char name[][64]) {
  int n = 0;
  DIR* folder = opendir(PLIANT_SCENES);
  for (struct dirent* entry; folder && (entry = readdir(folder)) && n < MOST_SCENES - 3;) {
    size_t length = strlen(entry->d_name);
    if (length < 6 || length > 60 || strcmp(entry->d_name + length - 5, ".yaml")) continue;
    memcpy(name[n], entry->d_name, length - 5);
    name[n++][length - 5] = 0;
  }
  if (folder) closedir(folder);
  qsort(name, (size_t)n, sizeof *name, by_name);
  static const char* const made[] = {"ball833", "ball6017", "blocks64"};
  for (int i = 0; i < 3; i++) snprintf(name[n++], 64, "%s", made[i]);
  return n;
}

// ---- runs

static void add_parts(const plReport* report, double* part) {
  const plSapReport* sap = &report->sap;
  const double inner[INNER] = {sap->time_setup,  sap->time_law,   sap->time_assemble,
                               sap->time_factor, sap->time_solve, sap->time_search};
  for (int i = 0; i < PARTS; i++)
    part[i] += i < PL_STAGE_COUNT ? report->stage_s[i] : inner[i - PL_STAGE_COUNT];
}

// Wall seconds of n steps, of their parts and the state they lead to. Steps that fail end the run on every
// number of threads.
static double run(const plModel* model, const char* name, int n, double* part, uint64_t* hash) {
  plError error;
  plData* data = pl_data_create(model, &error);
  if (!data) fail(name, &error);
  for (int i = 0; i < FIRST && !pl_step(data, &error); i++) continue;
  double t = now();
  for (int i = 0; i < n && !pl_step(data, &error); i++) add_parts(&data->report, part);
  t = now() - t;
  *hash = pl_state_hash(data);
  pl_data_destroy(data);
  return t;
}

static int steps_within(const plModel* model, const char* name, double seconds) {
  plError error;
  plData* data = pl_data_create(model, &error);
  if (!data) fail(name, &error);
  int n = 0;
  for (int i = 0; i < FIRST && !pl_step(data, &error); i++) continue;
  for (double t = now(); now() - t < seconds || n < LEAST; n++)
    if (pl_step(data, &error)) break;
  pl_data_destroy(data);
  return n;
}

static Row measure(const char* name, const Settings* s) {
  plError error;
  Row row = {.same = true};
  snprintf(row.name, sizeof row.name, "%.60s", name);
  const plModel* model[MOST_COUNTS];
  plSpec* spec = open_scene(name);
  int one = -1, by_itself = -1;
  for (int k = 0; k < s->ncount; k++) {
    pl_spec_options(spec)->threads = s->count[k];
    model[k] = pl_model_create(spec, &error);
    if (!model[k]) fail(name, &error);
    if (s->count[k] == 1) one = k;
    if (s->count[k] == AUTO) by_itself = k;
  }
  pl_spec_destroy(spec);
  row.dofs = model[0]->nv;
  row.steps = steps_within(model[one < 0 ? 0 : one], name, s->seconds);
  static double time[MOST_COUNTS][MOST_ROUNDS], ratio[MOST_ROUNDS];
  uint64_t expected = 0;
  for (int round = 0; round < s->rounds; round++)
    for (int k = 0; k < s->ncount; k++) {
      uint64_t hash;
      time[k][round] = run(model[k], name, row.steps, row.part[k], &hash);
      if (!round && !k) expected = hash;
      row.same &= hash == expected;
    }
  for (int round = 0; round < s->rounds && one >= 0 && by_itself >= 0; round++)
    ratio[round] = time[by_itself][round] / time[one][round];
  row.ratio = one >= 0 && by_itself >= 0 ? median(ratio, s->rounds) : 0;
  for (int k = 0; k < s->ncount; k++) {
    row.ms[k] = 1e3 * median(time[k], s->rounds) / row.steps;
    for (int i = 0; i < PARTS; i++) row.part[k][i] *= 1e3 / (row.steps * s->rounds);
    pl_model_destroy(model[k]);
  }
  return row;
}

// ---- the table

static const char* count_name(int count, char* text) {
  snprintf(text, 16, "%d", count);
  return count == AUTO ? "auto" : text;
}

// Which requirement this row misses, 0: none.
static double missed(const Row* row) {
  if (!times_count() || row->ratio == 0) return 0;
  for (size_t i = 0; i < sizeof required / sizeof *required; i++)
    if (!strcmp(required[i].scene, row->name) && required[i].processors == pl_processors() &&
        1 / row->ratio < required[i].times)
      return required[i].times;
  return row->ratio > 1.03 ? 1 : 0;
}

static void print_table(FILE* out, const Row* row, int nrow, const Settings* s) {
  char text[16];
  fprintf(out, "| scene | DoFs | steps |");
  for (int k = 0; k < s->ncount; k++)
    fprintf(out, s->count[k] == 1 ? " ms on 1 |" : " %s |", count_name(s->count[k], text));
  fprintf(out, " same bits |\n|---|---|---|");
  for (int k = 0; k < s->ncount; k++) fprintf(out, "---|");
  fprintf(out, "---|\n");
  for (int i = 0; i < nrow; i++) {
    fprintf(out, "| %s | %d | %d |", row[i].name, row[i].dofs, row[i].steps);
    double one = NAN;
    for (int k = 0; k < s->ncount; k++)
      if (s->count[k] == 1) one = row[i].ms[k];
    for (int k = 0; k < s->ncount; k++)
      fprintf(out, s->count[k] == 1 ? " %.3g |" : " %.2f |",
              s->count[k] == 1      ? one
              : s->count[k] == AUTO ? 1 / row[i].ratio
                                    : one / row[i].ms[k]);
    fprintf(out, " %s |\n", row[i].same ? "yes" : "NO");
  }
}

// Stages that take more than a thousandth of a step on some number of threads.
static void print_parts(const Row* row, const Settings* s) {
  static const char* const inner[INNER] = {"set-up", "laws", "Hessian", "factor", "solve", "search"};
  char text[16];
  printf("\n%s, ms\n| part |", row->name);
  for (int k = 0; k < s->ncount; k++) printf(" %s |", count_name(s->count[k], text));
  printf("\n|---|");
  for (int k = 0; k < s->ncount; k++) printf("---|");
  for (int i = 0; i < PARTS; i++) {
    bool much = false;
    for (int k = 0; k < s->ncount; k++) much |= row->part[k][i] > 1e-3 * row->ms[k];
    if (!much) continue;
    printf("\n| %s%s |", i < PL_STAGE_COUNT ? "" : "contact solve: ",
           i < PL_STAGE_COUNT ? pl_stage_name((plStage)i) : inner[i - PL_STAGE_COUNT]);
    for (int k = 0; k < s->ncount; k++) printf(" %.4g |", row->part[k][i]);
  }
  printf("\n");
}

// The table in a page of docs/.
static bool write_page(const char* path, const Row* row, int nrow, const Settings* s) {
  char* text = NULL;
  size_t size = 0;
  FILE* out = open_memstream(&text, &size);
  if (!out) return false;
  print_table(out, row, nrow, s);
  bool ok = fclose(out) == 0 && write_table(path, "threads", text);
  free(text);
  return ok;
}

static bool write_json(const char* path, const Row* row, int nrow, const Settings* s) {
  char text[16];
  FILE* out = fopen(path, "w");
  if (!out) return false;
  fprintf(out, "[");
  for (int i = 0; i < nrow; i++) {
    fprintf(out,
            "%s\n  {\"scene\": \"%s\", \"dofs\": %d, \"steps\": %d, \"same_bits\": %s, \"auto_over_one\": "
            "%.4g, \"ms\": {",
            i ? "," : "", row[i].name, row[i].dofs, row[i].steps, row[i].same ? "true" : "false",
            row[i].ratio);
    for (int k = 0; k < s->ncount; k++)
      fprintf(out, "%s\"%s\": %.5g", k ? ", " : "", count_name(s->count[k], text), row[i].ms[k]);
    fprintf(out, "}}");
  }
  fprintf(out, "\n]\n");
  return fclose(out) == 0;
}

static void read_counts(const char* text, Settings* s) {
  char words[256];
  snprintf(words, sizeof words, "%s", text);
  s->ncount = 0;
  for (char* word = strtok(words, ","); word && s->ncount < MOST_COUNTS; word = strtok(NULL, ","))
    s->count[s->ncount++] = !strcmp(word, "auto") ? AUTO : atoi(word);
}

int main(int argc, char** argv) {
  Settings s = {.count = {1, AUTO}, .ncount = 2, .rounds = 11, .seconds = 0.4};
  for (int n = 2; n <= pl_processors() && n <= 16; n *= 2) s.count[s.ncount++] = n;
  const char *json = NULL, *page = NULL;
  bool parts = false;
  for (int i = 1; i < argc; i++) {
    bool more = i + 1 < argc;
    if (!strcmp(argv[i], "--quick"))
      s.rounds = 1, s.seconds = 0.02;
    else if (!strcmp(argv[i], "--stages"))
      parts = true;
    else if (!strcmp(argv[i], "--rounds") && more && atoi(argv[i + 1]) > 0)
      s.rounds = atoi(argv[++i]) < MOST_ROUNDS ? atoi(argv[i]) : MOST_ROUNDS;
    else if (!strcmp(argv[i], "--seconds") && more && atof(argv[i + 1]) > 0)
      s.seconds = atof(argv[++i]);
    else if (!strcmp(argv[i], "--threads") && more)
      read_counts(argv[++i], &s);
    else if (!strcmp(argv[i], "--only") && more && s.nonly < MOST_SCENES)
      s.only[s.nonly++] = argv[++i];
    else if (!strcmp(argv[i], "--json") && more)
      json = argv[++i];
    else if (!strcmp(argv[i], "--markdown") && more)
      page = argv[++i];
    else
      return fprintf(stderr,
                     "usage: threads [--quick] [--rounds N] [--seconds S] [--threads LIST] [--only NAME]... "
                     "[--json FILE] [--markdown FILE] [--stages]\n"),
             2;
  }
  static char name[MOST_SCENES][64];
  static Row row[MOST_SCENES];
  int n = list_scenes(name), nrow = 0, bad = 0;
  for (int i = 0; i < n; i++) {
    bool wanted = !s.nonly;
    for (int k = 0; k < s.nonly; k++) wanted |= !strcmp(s.only[k], name[i]);
    if (!wanted) continue;
    row[nrow] = measure(name[i], &s);
    double times = missed(&row[nrow]);
    bad += !row[nrow].same || times > 0;
    printf("%s%s", name[i], row[nrow].same ? "" : "  OTHER BITS");
    if (row[nrow].ratio > 0) printf(": auto %.2f times one thread", 1 / row[nrow].ratio);
    if (times > 0) printf("  MISSED: %g", times);
    printf("\n");
    fflush(stdout);
    nrow++;
  }
  printf("\n%d processors\n", pl_processors());
  print_table(stdout, row, nrow, &s);
  for (int i = 0; i < nrow && parts; i++) print_parts(&row[i], &s);
  if (json && !write_json(json, row, nrow, &s))
    return fprintf(stderr, "threads: '%s' cannot be written\n", json), 2;
  if (page && !write_page(page, row, nrow, &s)) return 2;
  return bad ? 1 : 0;
}

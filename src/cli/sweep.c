// sweep.c: `pliant sweep`: one scene, many values of its parameters, all processors.
//
// Rows of a batch (pliant/batch.h) are run shard by shard; a finished shard is a file, so that the same
// command continues after a crash or Ctrl-C.
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "progress.h"
#include "sweep.h"

typedef enum Over { OVER_END, OVER_MIN, OVER_MAX, OVER_MEAN, OVER_COUNT } Over;
static const char* const over_name[OVER_COUNT] = {"end", "min", "max", "mean"};

typedef struct SweepArgs {
  const char *scene, *measure, *over, *load, *ray;
  double until;
  int threads;
  bool quiet;
  ArgList vary, set, search;
  Over kind;
} SweepArgs;

static const char examples[] =
    "  pliant sweep block --vary block.material.young=1e4:1e6:20:log --measure block.com.z --out young\n"
    "      20 simulations; young/sweep.csv has a line for each\n"
    "  pliant sweep block --vary block.material.young=1e4,1e5 --vary ground.surface.friction=0:1:11 \\\n"
    "      --measure 'contact(ground,block).normal_force, block.displacement_max' --over max --out grid\n"
    "      all 22 combinations, the largest values over time\n"
    "  pliant sweep block --vary block.material.young=1e4:1e6:20:log --measure block.com.z --out young\n"
    "      run it again after Ctrl-C: finished simulations are kept\n";

static const char summary[] =
    "Simulates SCENE once for every combination of the values that --vary gives to parameters "
    "(docs/scene.md, "
    "Parameters),\n"
    "on all processors, and writes a table of --measure to FOLDER/sweep.csv. Simulations that fail have a "
    "line that says so;\n"
    "then the exit status is 1. The same command in the same FOLDER continues after a crash. Results do not "
    "depend on --threads.";

// ---- growing text

typedef struct Text {
  char* at;
  size_t size, cap;
  bool failed;
} Text;

static void add(Text* text, const char* format, ...) CLI_PRINTF(2, 3);
static void add(Text* text, const char* format, ...) {
  char line[1024];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  size_t length = n < (int)sizeof line ? (size_t)n : sizeof line - 1;
  if (text->size + length + 1 > text->cap) {
    size_t cap = 2 * text->cap + length + 1024;
    char* more = realloc(text->at, cap);
    if (!more) {
      text->failed = true;
      return;
    }
    text->at = more, text->cap = cap;
  }
  memcpy(text->at + text->size, line, length + 1);
  text->size += length;
}

// The fewest digits that are read back as the same number.
static void add_number(Text* text, double x) {
  char digits[40];
  if (isnan(x)) {
    add(text, "nan");
    return;
  }
  for (int n = 15; n <= 17; n++) {
    snprintf(digits, sizeof digits, "%.*g", n, x);
    if (strtod(digits, NULL) == x) break;
  }
  add(text, "%s", digits);
}

// ---- one shard

typedef struct Work {
  const SweepArgs* args;
  const Sweep* sweep;
  plBatch* batch;
  const plData* start;
  double end;    // s
  int view, dt;  // the measures; the index of the parameter options.dt
  int row[SWEEP_SHARD], left[SWEEP_SHARD], taken[SWEEP_SHARD];  // rows in progress, steps left, steps taken
  double *sum, *out;                                            // [shard][width], [shard][steps][width]
} Work;

enum { STEPS = 16 };  // of one call

// Sets the rows of a shard to the start with their values; a value that is refused ends the sweep.
static plStatus begin_shard(Work* work, int shard, int n, plError* error) {
  plBatch* batch = work->batch;
  assert(n <= SWEEP_SHARD && n <= batch->nrow);
  plStatus status = pl_batch_set(batch, NULL, 0, work->start, error);
  for (int a = 0; a < work->sweep->naxis && !status; a++) {
    double value[SWEEP_SHARD];
    int row[SWEEP_SHARD];
    for (int i = 0; i < n; i++) value[i] = sweep_value(work->sweep, sweep_first(shard) + i, a), row[i] = i;
    status = pl_batch_vary(batch, work->sweep->axis[a].path, row, n, value, error);
  }
  // As in `pliant run`: while the time is more than half a step before the end.
  for (int i = 0; i < n; i++) {
    double dt = pl_batch_parameter(batch, i, work->dt);
    work->left[i] = (int)fmin(fmax(ceil((work->end - batch->time[i]) / dt - 0.5), 0), 1e9);
    work->taken[i] = 0;
  }
  return status;
}

// Rows with steps left, and the number of steps that all of them have.
static int rows_left(Work* work, int n, int* nstep) {
  int count = 0;
  *nstep = STEPS;
  for (int i = 0; i < n; i++) {
    if (work->left[i] <= 0) continue;
    work->row[count++] = i;
    if (work->left[i] < *nstep) *nstep = work->left[i];
  }
  return count;
}

// Accumulates the steps: the smallest, the largest, the sum.
static void gather(Work* work, int entry, int nstep, int width) {
  int i = work->row[entry];
  for (int t = 0; t < nstep; t++)
    for (int k = 0; k < width; k++) {
      double x = work->out[((size_t)entry * (size_t)nstep + (size_t)t) * (size_t)width + (size_t)k];
      double* s = &work->sum[i * width + k];
      if (work->taken[i] + t == 0)
        *s = x;
      else
        *s = work->args->kind == OVER_MIN ? fmin(*s, x) : work->args->kind == OVER_MAX ? fmax(*s, x) : *s + x;
    }
}

static plStatus run_shard(Work* work, int n, plError* error) {
  plBatch* batch = work->batch;
  int width = pl_batch_width(batch, work->view), nstep, count;
  while ((count = rows_left(work, n, &nstep)) > 0) {
    plStatus status = work->args->kind == OVER_END ? pl_batch_step(batch, work->row, count, nstep, error)
                                                   : pl_batch_rollout(batch, work->row, count, NULL, nstep, 1,
                                                                      work->view, work->out, error);
    if (status && status != PL_ERROR_ROWS) return status;
    for (int p = 0; p < count; p++) {
      int i = work->row[p];
      if (batch->status[i]) {
        work->left[i] = -1;
        continue;
      }
      if (work->args->kind != OVER_END) gather(work, p, nstep, width);
      work->left[i] -= nstep, work->taken[i] += nstep;
    }
  }
  return PL_OK;
}

static double measured(const Work* work, int i, int k, int width) {
  if (work->left[i] < 0) return NAN;
  if (work->args->kind == OVER_END || !work->taken[i]) return work->batch->view[work->view][i * width + k];
  double x = work->sum[i * width + k];
  return work->args->kind == OVER_MEAN ? x / work->taken[i] : x;
}

// The lines of a shard; *failed counts the rows that failed.
static bool write_shard(const Work* work, int shard, int n, int* failed) {
  Text text = {0};
  int width = pl_batch_width(work->batch, work->view);
  for (int i = 0; i < n; i++) {
    int row = sweep_first(shard) + i;
    bool lost = work->left[i] < 0;
    add(&text, "%d", row);
    for (int a = 0; a < work->sweep->naxis; a++)
      add(&text, ","), add_number(&text, sweep_value(work->sweep, row, a));
    for (int k = 0; k < width; k++) add(&text, ","), add_number(&text, measured(work, i, k, width));
    add(&text, ",\"%s\"\n", pl_status_name(lost ? work->batch->status[i] : PL_OK));
    if (lost && !(*failed)++) complain("row %d failed: %s", row, pl_batch_error(work->batch, i));
  }
  bool good = !text.failed && sweep_write(work->sweep, shard, text.at, text.size);
  if (text.failed) complain("not enough memory");
  free(text.at);
  return good;
}

// The number of failures in shards on disk.
static int failures_in(const Sweep* sweep) {
  char path[PATH_SIZE], line[4096];
  int failed = 0;
  snprintf(path, sizeof path, "%s/sweep.csv", sweep->out);
  FILE* file = fopen(path, "r");
  bool first = true;
  while (file && fgets(line, sizeof line, file)) {
    size_t length = strlen(line);
    bool whole = length && line[length - 1] == '\n';
    if (whole && !first) failed += length < 6 || strcmp(line + length - 6, ",\"ok\"\n") != 0;
    if (whole) first = false;
  }
  if (file) fclose(file);
  return failed;
}

// ---- the sweep

static void show(const SweepArgs* args, const Sweep* sweep, int done, int begun, double start) {
  double spent = wall_clock() - start;
  double left = done > begun ? spent / (done - begun) * (sweep->nshard - done) : NAN;
  if (args->quiet) return;
  int rows = done ? sweep_last(sweep, done - 1) : 0;
  bool bar = isatty(2) == 1;
  fprintf(stderr, "%s%d of %d simulations", bar ? "\r" : "", rows, sweep->nrow);
  if (left >= 0) fprintf(stderr, ", about %.0f s left", left);
  fprintf(stderr, bar ? "\033[K" : "\n");
  if (bar && done == sweep->nshard) fprintf(stderr, "\r\033[K");
}

static int run_all(Work* work, plError* error) {
  const Sweep* sweep = work->sweep;
  int begun = 0, failed = 0;
  while (begun < sweep->nshard && sweep_done(sweep, begun)) begun++;
  if (begun && begun < sweep->nshard && !work->args->quiet)
    fprintf(stderr, "continuing with simulation %d of %d\n", sweep_first(begun), sweep->nrow);
  double start = wall_clock();
  for (int s = begun; s < sweep->nshard; s++) {
    int n = sweep_last(sweep, s) - sweep_first(s);
    if (sweep_done(sweep, s)) continue;
    if (begin_shard(work, s, n, error) || run_shard(work, n, error)) {
      // a row of the batch is a row of the shard
      complain("the simulations from %d on were not run:", sweep_first(s));
      return complain_error(error);
    }
    if (!write_shard(work, s, n, &failed)) return EXIT_BAD_INPUT;
    show(work->args, sweep, s + 1, begun, start);
  }
  return EXIT_DONE;
}

static bool write_header(const Sweep* sweep, const plSignals* signals, const char* over) {
  Text text = {0};
  add(&text, "\"row\"");
  for (int a = 0; a < sweep->naxis; a++) add(&text, ",\"%s\"", sweep->axis[a].path);
  for (int k = 0; k < pl_signals_count(signals); k++)
    add(&text, ",\"%s%s%s%s [%s]\"", strcmp(over, "end") ? over : "", strcmp(over, "end") ? "(" : "",
        pl_signals_name(signals, k), strcmp(over, "end") ? ")" : "", pl_signals_unit(signals, k));
  add(&text, ",\"status\"\n");
  bool good = !text.failed && sweep_join(sweep, text.at);
  free(text.at);
  return good;
}

// Everything that decides the results: the folder of a sweep belongs to one such description.
static void write_plan(Text* text, const SweepArgs* args, const Sweep* sweep, const plData* data,
                       double end) {
  add(text, "pliant sweep, version %s, %s, %s\n", pl_version(), pl_compiler(), pl_instruction_set());
  add(text, "model %016llx, start %016llx, parameters %016llx\n", (unsigned long long)data->model->hash,
      (unsigned long long)pl_state_hash(data), (unsigned long long)pl_parameter_hash(data));
  add(text, "until "), add_number(text, end);
  add(text, " s\nmeasure ");
  for (const char* c = args->measure; *c; c++) add(text, "%c", *c);
  add(text, "\nover %s\n", over_name[args->kind]);
  for (int a = 0; a < sweep->naxis; a++) {
    add(text, "vary %s", sweep->axis[a].path);
    for (int i = 0; i < sweep->axis[a].n; i++) add(text, " "), add_number(text, sweep->axis[a].value[i]);
    add(text, "\n");
  }
  add(text, "%d rows in shards of %d\n", sweep->nrow, SWEEP_SHARD);
}

// Everything is checked before the folder is changed: paths, values, signals.
static int prepare(Work* work, plData* data, Text* plan, plError* error) {
  const SweepArgs* args = work->args;
  int rows = work->sweep->nrow < SWEEP_SHARD ? work->sweep->nrow : SWEEP_SHARD;
  work->start = data;
  work->end = isnan(args->until) ? data->par->options.duration : args->until;
  work->dt = pl_parameter_find(data->model, "options.dt");
  work->batch = pl_batch_create(data->model, rows, args->threads, error);
  if (!work->batch) return complain_error(error);
  if (pl_batch_set(work->batch, NULL, 0, data, error) ||
      pl_batch_watch(work->batch, args->measure, &work->view, error))
    return complain_error(error);
  for (int a = 0; a < work->sweep->naxis; a++)
    for (int i = 0; i < work->sweep->axis[a].n; i++)
      if (pl_batch_vary(work->batch, work->sweep->axis[a].path, (int[]){0}, 1, &work->sweep->axis[a].value[i],
                        error)) {
        const char* text = strstr(error->message, ": ");
        complain("sweep: --vary %s: %s", work->sweep->axis[a].path, text ? text + 2 : error->message);
        return EXIT_BAD_INPUT;
      }
  size_t width = (size_t)pl_batch_width(work->batch, work->view);
  work->sum = calloc((size_t)rows * width + 1, sizeof(double));
  work->out = calloc((size_t)rows * STEPS * width + 1, sizeof(double));
  write_plan(plan, args, work->sweep, data, work->end);
  if (plan->failed || !work->sum || !work->out) return complain("not enough memory"), EXIT_FAILED;
  return -1;
}

static int sweep_run(SweepArgs* args, Sweep* sweep, plData* data) {
  plError error;
  Text plan = {0};
  static Work work;
  work = (Work){.args = args, .sweep = sweep};
  int status = -1;
  if (args->load && pl_state_load(data, args->load, &error)) status = complain_error(&error);
  for (int i = 0; i < args->vary.n && status < 0; i++) status = sweep_axis(sweep, args->vary.item[i]);
  if (status < 0) status = sweep_count(sweep);
  if (status < 0) status = prepare(&work, data, &plan, &error);
  if (status < 0) status = sweep_open(sweep, plan.at, plan.size);
  if (status < 0) status = run_all(&work, &error);
  if (status == EXIT_DONE &&
      !write_header(sweep, pl_batch_signals(work.batch, work.view), over_name[args->kind]))
    status = EXIT_BAD_INPUT;
  int failed = status == EXIT_DONE ? failures_in(sweep) : 0;
  if (failed) complain("%d of %d simulations failed; the table says which", failed, sweep->nrow);
  if (status == EXIT_DONE && !args->quiet)
    say(stdout, "%d simulations on %d threads; written %s/sweep.csv\n", sweep->nrow, work.batch->threads,
        sweep->out);
  pl_batch_destroy(work.batch);
  free(work.sum), free(work.out), free(plan.at);
  return failed ? EXIT_FAILED : status;
}

static int check_args(SweepArgs* args, const Sweep* sweep) {
  for (int i = 0; i < OVER_COUNT; i++)
    if (args->over && !strcmp(args->over, over_name[i])) args->kind = (Over)i;
  if (!args->vary.n)
    complain("sweep: give --vary path=from:to:count at least once");
  else if (!args->measure)
    complain("sweep: give --measure LIST, e.g. --measure BODY.com.z; `pliant export --help` lists signals");
  else if (!sweep->out)
    complain("sweep: give --out FOLDER");
  else if (args->over && strcmp(args->over, over_name[args->kind]))
    complain("sweep: --over takes end, min, max or mean, got '%s'", args->over);
  else if (args->until < 0)
    complain("sweep: --until takes a time of 0 s or later, got %g", args->until);
  else
    return -1;
  return EXIT_BAD_INPUT;
}

// Passes the same words to the Python package, which uses Ray. Returns only if Python cannot be started.
static int sweep_on_ray(int argc, char** argv) {
  char** words = calloc((size_t)argc + 3, sizeof(char*));
  if (!words) return complain("not enough memory"), EXIT_FAILED;
  const char* own = getenv("PLIANT_PYTHON");
  static char python[] = "python3", dash_m[] = "-m", module[] = "pliant.ray";
  char* program = own && own[0] ? strdup(own) : python;
  if (!program) return free(words), complain("not enough memory"), EXIT_FAILED;
  words[0] = program, words[1] = dash_m, words[2] = module;
  for (int i = 1; i < argc; i++) words[i + 2] = argv[i];
  fflush(NULL);
  execvp(program, words);
  complain("sweep: --ray needs Python with the package pliant[ray]; '%s' could not be started: %s", program,
           strerror(errno));
  if (program != python) free(program);
  free(words);
  return EXIT_BAD_INPUT;
}

int sweep_main(int argc, char** argv) {
  static SweepArgs args = {.until = NAN};
  static Sweep sweep;
  // clang-format off
  const Arg table[] = {
      {"--vary", "PATH=VALUES", ARG_LIST, &args.vary, "values of a parameter: from:to:count, from:to:count:log or x,y,z; may be repeated"},
      {"--measure", "LIST", ARG_TEXT, &args.measure, "signals separated by commas, e.g. block.com.z"},
      {"--over", "WHAT", ARG_TEXT, &args.over, "end (default), or min, max, mean over all steps"},
      {"--out", "FOLDER", ARG_TEXT, &sweep.out, "receives plan.txt, a file for each shard of 64 simulations, and sweep.csv"},
      {"--until", "T", ARG_NUMBER, &args.until, "simulated time at which the run ends (s); default: the scene's duration"},
      {"--load", "STATE", ARG_TEXT, &args.load, "every simulation starts from this saved state"},
      {"--threads", "N", ARG_COUNT, &args.threads, "threads; default: all processors; the result does not depend on it"},
      {"--ray", "ADDRESS", ARG_TEXT, &args.ray, "on a Ray cluster, e.g. auto; needs Python with pliant[ray] (PLIANT_PYTHON names it)"},
      SET_ARG(&args.set),
      MESH_LIMIT_ARG,
      SEARCH_ARG(&args.search),
      {"--quiet", NULL, ARG_FLAG, &args.quiet, "no progress, no summary"},
  };
  // clang-format on
  const Command command = {"sweep", "SCENE --vary PATH=VALUES --measure LIST --out FOLDER [OPTIONS]",
                           summary, examples,
                           table,   sizeof table / sizeof *table,
                           1,       1};
  int status = args_read(&command, argc, argv, &args.scene);
  if (status < 0) status = check_args(&args, &sweep);
  if (status >= 0) return status;
  if (args.ray && mesh_limit_mb > 0) {
    complain("sweep: --mesh-limit does not go with --ray");
    return EXIT_BAD_INPUT;
  }
  if (args.ray) return sweep_on_ray(argc, argv);
  char path[PATH_SIZE];
  plSpec* spec;
  plError error;
  status = scene_load(args.scene, &args.set, &args.search, path, &spec);
  if (status) return status;
  const plModel* model = pl_model_create(spec, &error);
  plData* data = model ? pl_data_create(model, &error) : NULL;
  if (!data && !error.file[0]) snprintf(error.file, sizeof error.file, "%.500s", path);
  status = data ? sweep_run(&args, &sweep, data) : complain_error(&error);
  sweep_free(&sweep);
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
  return status;
}

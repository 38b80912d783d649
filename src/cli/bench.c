// bench.c: `pliant bench`: the paper's five examples, its table (VII) beside ours, and the cost breakdown.
//
// A short scene is run completely. A long one is run in windows of some steps each, from saved states; each
// window represents the part of the scene nearest to it, and rates are weighted accordingly.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench_press.h"
#include "bench_states.h"
#include "progress.h"

enum { WINDOWS = 5, WINDOW_STEPS = 60, WHOLE_STEPS = 1000 };

// Beginnings of the windows, as fractions of the scene, and the fraction that each represents. The first one
// contains first contact, the last one ends with the scene, where deformation is largest.
static const double window_at[WINDOWS] = {0, 0.1, 0.5, 0.9, 1};
static const double window_weight[WINDOWS] = {0.05, 0.25, 0.4, 0.25, 0.05};

// A row of the paper's table.
typedef struct Row {
  const char* scene;
  int dofs;            // as printed there
  double dt, rate;     // s; simulated time over wall time
  double constraints;  // on average
  int constraints_max;
  double moved;  // m: the run ends when a body's centre has moved this far; 0: at the scene's end
  bool press;    // force over travel is followed
} Row;

static const Row rows[] = {
    {"arch_mu02", 225, 0.04, 7.26, 259.5, 357, 1, false},
    {"arch_mu10", 225, 0.04, 6.29, 320.2, 364, 0, false},
    {"cylinder_press", 3796, 0.01, 0.06, 248.3, 335, 0, true},
    {"teddy", 2043, 0.02, 0.37, 236.5, 464, 0, false},
    {"allegro", 410, 0.01, 1.01, 89.5, 328, 0, false},
};
enum { NROW = sizeof rows / sizeof *rows };

typedef struct BenchArgs {
  const char *json, *scene, *states;
  int threads, repeat;
  bool full, quiet;
} BenchArgs;

// One scene while it is measured.
typedef struct Bench {
  const BenchArgs* args;
  const Row* row;
  char path[PATH_SIZE];
  const plModel* model;
  plData* data;
  RunStats stats;
  bool lost;         // a state could not be written
  RunStats fall;     // a row that ends when something has moved: the scene to its end
  bool to_end;       // that run is under way
  RunStats windows;  // with --full: the same scene in windows, to check how well they represent the whole
  Press press;
} Bench;

static const char examples[] =
    "  pliant bench\n"
    "      the five examples, less than a minute\n"
    "  pliant bench --scene allegro --repeat 3 --json bench.json\n"
    "      one of them, the best of three runs, for programs\n"
    "  pliant bench --full --states scenes/states\n"
    "      whole scenes beside their windows, and the cylinder's force over travel; rewrites the states from "
    "which windows start\n";

static const char summary[] =
    "Runs the five examples of the paper and prints its table beside the values measured here. Scenes of up "
    "to "
    "1000 steps are\nrun completely; of longer ones, windows at 0, 10, 50, 90 and 100 % are run from saved "
    "states, and "
    "each counts for the part of\nthe scene nearest to it. Where a state is missing, the scene is run up to "
    "it. arch_mu02 ends when a\nstone has moved 1 m, as in the paper; the row below it runs to the end.";

// ---- runs

// Steps until the time, or until a body's centre has moved row->moved. Counts into stats unless it is NULL.
static plStatus run_until(Bench* b, double end, RunStats* stats, plError* error) {
  plData* data = b->data;
  double dt = b->model->par->options.dt;
  RunStats own = {0}, *s = stats ? stats : &own;
  double simulated = s->simulated;
  long steps = s->steps;
  Progress progress = progress_begin(b->args->quiet, data->time, end);
  plStatus status = PL_OK;
  plBodyState *start = calloc((size_t)b->model->ndeform + 1, sizeof *start), now;
  if (!start) return PL_ERROR_MEMORY;
  for (int i = 0; i < b->model->ndeform; i++) pl_deformable_state(data, i, &start[i]);
  bool moved = false;
  while (data->time < end - dt / 2 && !moved) {
    double begin = wall_clock(), processor = processor_clock();
    status = pl_step(data, error);
    if (status) {
      s->unconverged += status == PL_ERROR_NOT_CONVERGED;
      break;
    }
    stats_add(s, &data->report, wall_clock() - begin, processor_clock() - processor);
    s->simulated = simulated + (double)(s->steps - steps) * dt;
    if (b->row->press) press_follow(&b->press, data);
    for (int i = 0; i < b->model->ndeform && b->row->moved > 0 && !b->to_end && !moved; i++) {
      if (pl_deformable_state(data, i, &now)) continue;
      double x = now.com.x - start[i].com.x, y = now.com.y - start[i].com.y, z = now.com.z - start[i].com.z;
      moved = sqrt(x * x + y * y + z * z) > b->row->moved;
    }
    progress_update(&progress, data, s);
  }
  progress_end(&progress);
  free(start);
  return status;
}

// The first step of window k.
static long window_step(const Bench* b, int k) {
  long steps = lround(b->model->par->options.duration / b->model->par->options.dt);
  long at = lround(window_at[k] * (double)steps);
  return at > steps - WINDOW_STEPS ? steps - WINDOW_STEPS : at;
}

// "FOLDER/NAME-50.window"
static void state_path(const Bench* b, int k, const char* folder, char path[PATH_SIZE + 64]) {
  snprintf(path, PATH_SIZE + 64, "%s/%s-%.0f.window", folder, b->row->scene, 100 * window_at[k]);
}

// Brings the data to the start of window k: from a saved state beside the scene, or by running there.
static plStatus go_to_window(Bench* b, int k, plError* error) {
  if (window_step(b, k) == 0) {
    pl_data_reset(b->data);
    return PL_OK;
  }
  char path[PATH_SIZE + 64], folder[PATH_SIZE];
  snprintf(folder, sizeof folder, "%s", b->path);
  char* slash = strrchr(folder, '/');
  snprintf(slash ? slash : folder, (size_t)(folder + sizeof folder - (slash ? slash : folder)), "%sstates",
           slash ? "/" : "");
  state_path(b, k, b->args->states ? b->args->states : folder, path);
  if (window_load(b->data, path)) return PL_OK;
  if (!b->args->quiet)
    fprintf(stderr, "%s: no state for the window at %.0f %%, running there\n", b->row->scene,
            100 * window_at[k]);
  return run_until(b, (double)window_step(b, k) * b->model->par->options.dt, NULL, error);
}

// The weighted sum of windows instead of one run: sums are scaled so that means and rate are weighted.
static void add_window(RunStats* total, const RunStats* window, double weight) {
  double steps = (double)window->steps;
  if (window->steps == 0 || !(window->simulated > 0)) return;
  total->steps += window->steps;
  total->unconverged += window->unconverged;
  // per simulated second, weighted
  total->simulated += weight;
  total->wall += weight * window->wall / window->simulated;
  total->processor += weight * window->processor / window->simulated;
  total->constraints_sum += weight * window->constraints_sum / steps;
  total->iterations_sum += weight * window->iterations_sum / steps;
  for (int i = 0; i < PL_STAGE_COUNT; i++)
    total->stage_s[i] += weight * window->stage_s[i] / window->simulated;
  if (window->constraints_max > total->constraints_max) total->constraints_max = window->constraints_max;
  if (window->iterations_max > total->iterations_max) total->iterations_max = window->iterations_max;
}

static plStatus run_windows(Bench* b, plError* error) {
  plStatus status = PL_OK;
  RunStats total = {0};
  double simulated = 0;
  for (int k = 0; k < WINDOWS && !status; k++) {
    RunStats window = {0};
    status = go_to_window(b, k, error);
    double dt = b->model->par->options.dt;
    if (!status) status = run_until(b, b->data->time + WINDOW_STEPS * dt, &window, error);
    add_window(&total, &window, window_weight[k]);
    simulated += window.simulated;
  }
  // from means back to the sums over the steps
  double steps = (double)total.steps, weight = total.simulated;
  b->stats = total;
  b->stats.constraints_sum = weight > 0 ? steps * total.constraints_sum / weight : 0;
  b->stats.iterations_sum = weight > 0 ? steps * total.iterations_sum / weight : 0;
  b->stats.simulated = simulated;
  b->stats.wall = weight > 0 ? simulated * total.wall / weight : 0;
  b->stats.processor = weight > 0 ? simulated * total.processor / weight : 0;
  return status;
}

// Whether the scene is run in windows.
static bool is_long(const Bench* b) {
  return lround(b->model->par->options.duration / b->model->par->options.dt) > WHOLE_STEPS &&
         b->row->moved == 0;
}

// From start to end; with --states, a long scene's states at its windows are kept.
static plStatus run_whole(Bench* b, plError* error) {
  plStatus status = PL_OK;
  double dt = b->model->par->options.dt;
  bool keep = b->args->states && b->args->full && is_long(b);
  b->stats = (RunStats){0};
  for (int k = 1; k < WINDOWS && keep && !status; k++) {
    char path[PATH_SIZE + 64];
    state_path(b, k, b->args->states, path);
    status = run_until(b, (double)window_step(b, k) * dt, &b->stats, error);
    if (!status && !window_save(b->data, path)) b->lost = true;
  }
  if (!status) status = run_until(b, b->model->par->options.duration, &b->stats, error);
  return status;
}

static plStatus run_once(Bench* b, plError* error) {
  pl_data_reset(b->data);
  b->press = (Press){0};
  if (b->row->moved > 0) {
    b->to_end = true;
    plStatus status = run_whole(b, error);
    b->to_end = false;
    b->fall = b->stats;
    if (status) return status;
    pl_data_reset(b->data);
  }
  if (!is_long(b)) return run_whole(b, error);
  if (!b->args->full) return run_windows(b, error);
  // windows last, so that they find the states that the whole run has written
  plStatus status = run_whole(b, error);
  RunStats whole = b->stats;
  Press press = b->press;
  if (!status) status = run_windows(b, error);
  b->windows = b->stats;
  b->stats = whole;
  b->press = press;
  return status;
}

// The best of the repeats by rate.
static int measure(Bench* b) {
  RunStats best = {0};
  plError error;
  for (int i = 0; i < b->args->repeat; i++) {
    plStatus status = run_once(b, &error);
    double rate = b->stats.wall > 0 ? b->stats.simulated / b->stats.wall : 0;
    if (i == 0 || rate > best.simulated / best.wall) best = b->stats;
    if (!status) continue;
    complain_error(&error);
    complain("%s: the step from t = %g s failed%s%s", b->row->scene, b->data->time,
             b->data->report.where[0] ? " at " : "", b->data->report.where);
    return EXIT_FAILED;
  }
  b->stats = best;
  return b->lost ? EXIT_BAD_INPUT : EXIT_DONE;
}

static int bench_scene(Bench* b) {
  plSpec* spec;
  ArgList none = {.n = 0};
  plError error;
  int status = scene_load(b->row->scene, &none, NULL, b->path, &spec);
  if (status) return status;
  // the law of the paper and of the comparisons, whatever the default is
  pl_spec_options(spec)->contact_law = PL_LAW_CONE, pl_spec_options(spec)->friction_sigma = 1e-3;
  pl_spec_options(spec)->threads = b->args->threads;
  b->model = pl_model_create(spec, &error);
  b->data = b->model ? pl_data_create(b->model, &error) : NULL;
  pl_spec_destroy(spec);
  return b->data ? measure(b) : complain_error(&error);
}

// ---- the table

static void print_head(void) {
  printf("%-15s %11s %6s %17s %6s %19s %13s %11s  %s\n", "", "DoFs", "dt", "realtime rate", "", "constraints",
         "Newton", "", "time spent, %");
  printf("%-15s %5s %5s %6s %8s %8s %6s %9s %9s %6s %6s %11s  %8s %4s %5s %4s %5s\n", "scene", "paper",
         "ours", "s", "paper", "ours", "ratio", "paper", "ours", "mean", "max", "unconverged", "geometry",
         "fem", "schur", "sap", "other");
}

static void print_row(const Bench* b, const char* name, const RunStats* s) {
  double rate = s->wall > 0 ? s->simulated / s->wall : 0, percent[NGROUP],
         n = s->steps ? (double)s->steps : 1;
  stats_breakdown(s, percent);
  char paper[32], ours[32];
  snprintf(paper, sizeof paper, "%.0f (%d)", b->row->constraints, b->row->constraints_max);
  snprintf(ours, sizeof ours, "%.0f (%d)", s->constraints_sum / n, s->constraints_max);
  printf("%-15s %5d %5d %6g %8.3g %8.3g %6.3g %9s %9s %6.1f %6d %11ld  %8.0f %4.0f %5.0f %4.0f %5.0f\n", name,
         b->row->dofs, b->model->nv, b->model->par->options.dt, b->row->rate, rate, rate / b->row->rate,
         paper, ours, s->iterations_sum / n, s->iterations_max, s->unconverged, percent[0], percent[1],
         percent[2], percent[3], percent[4]);
  fflush(stdout);
}

// Results of whole runs only: the accuracy of the windows, and the cylinder's curve.
static void print_whole(const Bench* b) {
  const RunStats *s = &b->stats, *w = &b->windows;
  if (w->processor > 0 && s->processor > 0) {
    double whole = s->simulated / s->processor, windows = w->simulated / w->processor;
    double apart = 100 * (windows / whole - 1);
    printf("%s: rate by processor time %.3g whole, %.3g in windows, %+.1f %% (tolerance 20 %%: %s)\n",
           b->row->scene, whole, windows, apart, fabs(apart) <= 20 ? "holds" : "broken");
  }
  if (b->row->press) press_print(stdout, &b->press, b->model);
  fflush(stdout);
}

static bool write_list(const char* path, const Bench* bench, int n) {
  char* text = NULL;
  size_t size = 0;
  plError error = {.status = PL_ERROR_MEMORY, .message = "memory ran out"};
  FILE* out = open_memstream(&text, &size);
  if (!out) {
    complain("the report '%s' cannot be written: %s", path, strerror(errno));
    return false;
  }
  fprintf(out, "{\n  \"scenes\": [");
  for (int i = 0, printed = 0; i < n; i++) {
    if (!bench[i].data) continue;
    fprintf(out, "%s\n", printed++ ? "," : "");
    print_json(out, "    ", bench[i].row->scene, bench[i].data, &bench[i].stats,
               bench[i].row->moved > 0 ? &bench[i].fall : NULL);
  }
  fprintf(out, "\n  ]\n}\n");
  bool good = !fclose(out) && !pl_output_json(path, text, size, &error);
  if (!good) complain_error(&error);
  free(text);
  return good;
}

static int run_rows(const BenchArgs* args) {
  static Bench bench[NROW];
  const char* names[NROW];
  int n = 0, worst = EXIT_DONE;
  for (int i = 0; i < NROW; i++) names[i] = rows[i].scene;
  for (int i = 0; i < NROW; i++)
    if (!args->scene || !strcmp(args->scene, rows[i].scene))
      bench[n++] = (Bench){.args = args, .row = &rows[i]};
  if (n == 0) {
    const char* near = pl_nearest_word(args->scene, names, NROW);
    if (near)
      complain("'%s' is not one of the paper's examples; did you mean '%s'?", args->scene, near);
    else
      complain(
          "'%s' is not one of the paper's examples: arch_mu02, arch_mu10, cylinder_press, teddy, allegro",
          args->scene);
    return EXIT_BAD_INPUT;
  }
  if (args->json && !can_write(args->json, PL_OUTPUT_JSON)) return EXIT_BAD_INPUT;
  if (args->full && args->states && access(args->states, W_OK)) {
    complain("states cannot be written into '%s': %s", args->states, strerror(errno));
    return EXIT_BAD_INPUT;
  }
  print_head();
  for (int i = 0; i < n; i++) {
    int status = bench_scene(&bench[i]);
    if (status > worst) worst = status;
    if (!bench[i].data) continue;
    print_row(&bench[i], bench[i].row->scene, &bench[i].stats);
    if (bench[i].row->moved > 0) print_row(&bench[i], "  to its end", &bench[i].fall);
  }
  for (int i = 0; i < n && args->full; i++)
    if (bench[i].data) print_whole(&bench[i]);
  if (args->json && !write_list(args->json, bench, n)) worst = EXIT_BAD_INPUT;
  for (int i = 0; i < n; i++) {
    pl_data_destroy(bench[i].data);
    pl_model_destroy(bench[i].model);
  }
  return worst;
}

int bench_main(int argc, char** argv) {
  BenchArgs args = {.threads = 1, .repeat = 1};
  // clang-format off
  const Arg table[] = {
      {"--scene", "NAME", ARG_TEXT, &args.scene, "only this one: arch_mu02, arch_mu10, cylinder_press, teddy or allegro"},
      {"--threads", "N", ARG_COUNT, &args.threads, "number of threads, 1 by default; the result does not depend on it"},
      {"--repeat", "N", ARG_COUNT, &args.repeat, "runs of each scene; the fastest counts"},
      {"--full", NULL, ARG_FLAG, &args.full, "whole scenes instead of windows"},
      {"--states", "FOLDER", ARG_TEXT, &args.states, "where the states of windows are, instead of beside the scene; with --full they are written there"},
      {"--json", "FILE", ARG_TEXT, &args.json, "report for programs: {\"scenes\": [one object each]}"},
      {"--quiet", NULL, ARG_FLAG, &args.quiet, "no progress"},
  };
  // clang-format on
  const Command command = {"bench", "[OPTIONS]", summary, examples, table, sizeof table / sizeof *table, 0,
                           0};
  int status = args_read(&command, argc, argv, NULL);
  return status >= 0 ? status : run_rows(&args);
}

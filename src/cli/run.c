// run.c: `pliant run`: loads, compiles and steps a scene to its end; writes frames, table, state, report and
// picture.
#include <math.h>
#include <string.h>

#include "energy.h"
#include "pliant/output.h"
#include "progress.h"

typedef struct RunArgs {
  const char *scene, *record, *save, *load, *csv, *signals, *json, *png, *colour, *sensors;
  double until, from;
  int threads;
  bool quiet;
  ArgList set, search;
} RunArgs;

static const char examples[] =
    "  pliant run cantilever\n"
    "      simulates scenes/cantilever.yaml for as long as the scene says, and prints a summary\n"
    "  pliant run block --record block.plrec --png block.png\n"
    "      keeps every frame for `pliant export`, and draws the last one\n"
    "  pliant run block --set options.dt=0.005 --set deformables.block.material.young=2e5\n"
    "      changes values of the scene by their path; entries of lists go by name or index\n"
    "  pliant run block --csv z.csv --signals time,block.com.z,block.kinetic_energy\n"
    "      writes a table; `pliant export --help` lists the signals\n"
    "  pliant run block --until 0.5 --save half.state\n"
    "  pliant run block --load half.state --json report.json\n"
    "      stops halfway and continues later, with the same bits as an uninterrupted run\n"
    "  pliant run block --load block.plrec --from 0.3\n"
    "      continues from a frame of a recording\n"
    "  pliant run block --load block.plrec --record block.plrec\n"
    "      continues a recording that a crash interrupted\n";

static const char summary[] =
    "Simulates SCENE, a file or the name of one in scenes/. Every step converges to its tolerance, or the "
    "run ends with\n"
    "exit status 1 and says why. Ctrl-C ends it cleanly: what was recorded is kept and the state is saved; "
    "exit status 1.";

// ---- frames

// Where frames go, and when the next one is due.
typedef struct Frames {
  const char *record, *table, *signals;  // file names, NULL: none; the columns of the table
  plRecording* recording;
  plCsv* csv;
  double rate;  // 1/s, 0: every so many steps
  int every;
  long next;       // number of the next frame at that rate, or of the next step
  double written;  // time of the last frame, -1: none
} Frames;

static plStatus frames_write(Frames* f, const plData* data, plError* error) {
  plStatus status = PL_OK;
  if (f->recording) status = pl_recording_write(f->recording, data, error);
  if (f->csv && !status) status = pl_csv_write(f->csv, data, error);
  f->written = data->time;
  return status;
}

// Frame k is due at k / rate; rounding of the time must not skip one.
static plStatus frames_step(Frames* f, const plData* data, long steps, plError* error) {
  if (!f->recording && !f->csv) return PL_OK;
  bool due;
  if (f->rate > 0) {
    double k = data->time * f->rate + 1e-6;
    due = k >= (double)f->next;
    if (due) f->next = (long)fmin(floor(k), 1e15) + 1;
  } else {
    due = steps % f->every == 0;
  }
  return due ? frames_write(f, data, error) : PL_OK;
}

// Whether the outputs of the command line or the scene can be opened: all are checked before one is emptied.
static bool frames_check(Frames* f, const RunArgs* args, const plRecordingDef* def, const plModel* model) {
  plError error;
  plSignals* signals = NULL;
  f->record = args->record ? args->record : def->file, f->table = args->csv ? args->csv : def->csv;
  f->signals = args->signals ? args->signals : def->signals;
  // A scene is untrusted: its outputs must be below the working folder.
  plStatus status = f->record && !args->record ? pl_output_check_below(f->record, &error) : PL_OK;
  if (f->table && !args->csv && !status) status = pl_output_check_below(f->table, &error);
  if (f->table && !status) status = pl_signals_create(model, f->signals, &signals, &error);
  pl_signals_destroy(signals);
  if (status) return complain_error(&error), false;
  const char* const all[] = {f->record, f->table, args->json, args->png, args->sensors, args->save};
  return are_apart(all, sizeof all / sizeof *all) &&
         (!f->record || can_write(f->record, PL_OUTPUT_RECORDING)) &&
         (!f->table || can_write(f->table, PL_OUTPUT_TABLE));
}

// Opens them, and writes the start.
static plStatus frames_open(Frames* f, const RunArgs* args, const plData* data, plError* error) {
  plStatus status = PL_OK;
  f->next = (long)fmin(floor(data->time * f->rate + 1e-6), 1e15) + 1;
  bool go_on = f->record && args->load && same_file(f->record, args->load);
  if (go_on) status = pl_recording_continue(f->record, data, &f->recording, error);
  if (f->record && !go_on) status = pl_recording_open(f->record, data->model, &f->recording, error);
  if (f->table && !status) status = pl_csv_open(f->table, data->model, f->signals, &f->csv, error);
  // The last frame of the recording exists already.
  if (f->recording && !go_on && !status) status = pl_recording_write(f->recording, data, error);
  if (f->csv && !status) status = pl_csv_write(f->csv, data, error);
  if (f->recording || f->csv) f->written = data->time;
  return status;
}

// The last frame is the end, whatever the rate.
static plStatus frames_close(Frames* f, const plData* data, plStatus status, plError* error) {
  if (!status && (f->recording || f->csv) && f->written != data->time) status = frames_write(f, data, error);
  plError other;
  plStatus closed = pl_recording_close(f->recording, status ? &other : error);
  if (!status) status = closed;
  closed = pl_csv_close(f->csv, status ? &other : error);
  return status ? status : closed;
}

// ---- the run

// Steps until the end, or until one fails (the state is that before it).
static plStatus step_all(plData* data, double end, bool quiet, Frames* frames, RunStats* stats,
                         plError* error) {
  double dt = data->par->options.dt, begin = data->time;
  Progress progress = progress_begin(quiet, begin, end);
  EnergyWatch energy;
  plStatus status = energy_begin(&energy, data) ? PL_OK : PL_ERROR_MEMORY;
  if (status) *error = (plError){.status = status, .message = "not enough memory"};
  while (!status && !interrupted() && data->time < end - dt / 2) {
    double start = wall_clock(), processor = processor_clock();
    status = pl_step(data, error);
    processor = processor_clock() - processor;
    double wall = wall_clock() - start;
    if (status) {
      stats->wall += wall, stats->processor += processor;
      stats->unconverged += status == PL_ERROR_NOT_CONVERGED;
      break;
    }
    stats_add(stats, &data->report, wall, processor);
    stats->simulated = (double)stats->steps * dt;
    int body = energy_step(&energy, data);
    if (body == data->model->ndeform)
      complain(
          "warning: at t = %g s the energy of the rigid bodies has grown by more than 1 %% of their largest "
          "kinetic energy beyond what was put in; a smaller dt helps (docs/materials.md, Schemes)",
          data->time);
    else if (body >= 0)
      complain(
          "warning: at t = %g s the energy of '%s' has grown by more than 1 %% of its largest value beyond "
          "what was put in; a smaller dt helps (docs/materials.md, Schemes)",
          data->time, data->model->deform_name[body]);
    status = frames_step(frames, data, stats->steps, error);
    progress_update(&progress, data, stats);
  }
  progress_end(&progress);
  energy_end(&energy);
  return status;
}

static plStatus draw(const RunArgs* args, const plData* data, plError* error) {
  plPictureOptions options = pl_default_picture_options();
  if (data->par->options.threads) options.threads = data->par->options.threads;
  plStatus status = args->colour ? pl_colour_by_name(args->colour, &options.colour, error) : PL_OK;
  return status ? status : pl_picture_draw(data, &options, args->png, error);
}

// Writes all outputs at the end. Returns an exit status.
static int finish(const RunArgs* args, const char* name, const plData* data, const RunStats* stats) {
  plError error;
  int worst = EXIT_DONE;
  if (args->save && pl_state_save(data, args->save, &error)) worst = complain_error(&error);
  if (args->json && !write_json(args->json, name, data, stats)) worst = EXIT_BAD_INPUT;
  if (args->png && draw(args, data, &error)) worst = complain_error(&error);
  if (args->sensors && pl_sensor_sheet(data, args->sensors, &error)) worst = complain_error(&error);
  if (!args->quiet) print_summary(stdout, name, data, stats);
  return worst;
}

// A saved state, or a frame of a recording: the one nearest to --from, or its last.
static plStatus load(const RunArgs* args, plData* data, plError* error) {
  if (!ends_with(args->load, ".plrec")) return pl_state_load(data, args->load, error);
  plReplay* replay = NULL;
  plStatus status = pl_replay_open(args->load, &replay, error);
  if (status) return status;
  int frame = frame_near(replay, "--from", args->from, error);
  status = frame < 0 ? PL_ERROR_INPUT : pl_replay_seek(replay, frame, error);
  if (!status) status = pl_replay_restore(replay, data, error);
  pl_replay_close(replay);
  return status;
}

// A state contains its options and parameters. They take precedence over the scene's, and --set over both.
static plStatus load_over(const RunArgs* args, plData* data, plError* error) {
  uint64_t before = pl_parameter_hash(data);
  plStatus status = load(args, data, error);
  if (status || pl_parameter_hash(data) == before) return status;
  char path[PATH_SIZE];
  ArgList none = {0};
  plSpec* spec = NULL;
  int count = 0, noption = 0;
  char name[ARG_LIST_MAX][64];
  const char* option[ARG_LIST_MAX];
  for (int i = 0; i < args->set.n; i++)
    if (sscanf(args->set.item[i], "options.%63[a-z_]", name[i]) == 1) option[noption++] = name[i];
  if (args->set.n && scene_load(args->scene, &none, &args->search, path, &spec)) {
    *error = (plError){.status = PL_ERROR_INPUT,
                       .message = "--load with --set needs a scene that can be read without --set too"};
    status = error->status;
  } else if (args->set.n) {
    const plModel* plain = pl_model_create(spec, error);
    status = plain ? pl_parameters_override(data, plain, option, noption, &count, error) : error->status;
    pl_model_destroy(plain);
  }
  pl_spec_destroy(spec);
  if (!status)
    complain("options and parameters are those of '%s', which differ from the scene's%s", args->load,
             count ? ", except for values given by --set" : "");
  return status;
}

static int simulate(const RunArgs* args, const char* name, const plSpec* spec, plData* data) {
  plError error;
  const plRecordingDef* def = pl_spec_recording(spec);
  Frames frames = {.rate = def->rate, .every = def->every, .written = -1};
  RunStats stats = {0};
  if (args->load && load_over(args, data, &error)) return complain_error(&error);
  double end = isnan(args->until) ? data->par->options.duration : args->until;
  if (data->time >= end && args->load)
    complain("the saved state is already at %g s, and the run ends at %g s; give a later end with --until",
             data->time, end);
  if (!args->load)
    (void)pl_describe_start(data, print_warning, NULL, NULL);  // the first step reports failures
  if (!frames_check(&frames, args, def, data->model)) return EXIT_BAD_INPUT;
  plStatus status = frames_open(&frames, args, data, &error);
  if (status) {
    plError other;
    frames_close(&frames, data, status, &other);
    return complain_error(&error);
  }

  status = step_all(data, end, args->quiet, &frames, &stats, &error);
  plError close_error;
  plStatus closed = frames_close(&frames, data, status, &close_error);
  int exit_status = finish(args, name, data, &stats);
  if (status) {
    complain_error(&error);
    if (data->report.where[0])
      complain("the step from t = %g s failed at %s; the state is that before the step", data->time,
               data->report.where);
    return EXIT_FAILED;
  }
  if (closed) return complain_error(&close_error), EXIT_FAILED;
  if (interrupted()) {
    complain("interrupted at t = %g s of %g s; the frames recorded so far are kept", data->time, end);
    return EXIT_FAILED;
  }
  return exit_status;
}

// Errors of the command line, before any work.
static int check_args(const RunArgs* args) {
  plError error;
  plColour colour;
  if (args->csv && !args->signals)
    complain("--csv needs --signals, e.g. --signals time,BODY.com.z (unless the scene has them)");
  else if (args->until < 0)
    complain("--until takes a time of 0 s or later, got %g", args->until);
  else if (args->colour && !args->png)
    complain("--colour is for the picture: give --png FILE too");
  else if (args->colour && pl_colour_by_name(args->colour, &colour, &error))
    return complain_error(&error);
  else if ((!args->json || can_write(args->json, PL_OUTPUT_JSON)) &&
           (!args->png || can_write(args->png, PL_OUTPUT_PNG)) &&
           (!args->sensors || can_write(args->sensors, PL_OUTPUT_PNG)) &&
           (!args->save || can_write(args->save, PL_OUTPUT_STATE)))
    return -1;
  return EXIT_BAD_INPUT;
}

int run_main(int argc, char** argv) {
  static RunArgs args = {.until = NAN, .from = NAN, .threads = -1};
  // clang-format off
  const Arg table[] = {
      SET_ARG(&args.set),
      MESH_LIMIT_ARG,
      SEARCH_ARG(&args.search),
      {"--until", "T", ARG_NUMBER, &args.until, "simulated time at which the run ends (s); default: the scene's duration"},
      {"--threads", "N", ARG_THREADS, &args.threads, "number of threads, or auto: as many as make it faster; default: the scene's; the result does not depend on it"},
      {"--record", "FILE", ARG_TEXT, &args.record, "recording of the frames (.plrec), readable even after a crash"},
      {"--csv", "FILE", ARG_TEXT, &args.csv, "table of --signals over time"},
      {"--signals", "LIST", ARG_TEXT, &args.signals, "names separated by commas, e.g. time,block.com.z"},
      {"--json", "FILE", ARG_TEXT, &args.json, "report of the run for programs"},
      {"--png", "FILE", ARG_TEXT, &args.png, "picture of the end"},
      {"--colour", "FIELD", ARG_TEXT, &args.colour, "colours of the picture: body, displacement, speed, strain, von_mises, pressure"},
      {"--sensors", "FILE", ARG_TEXT, &args.sensors, "picture of what cameras, taxels and markers read at the end"},
      {"--save", "STATE", ARG_TEXT, &args.save, "writes the complete state at the end"},
      {"--load", "FILE", ARG_TEXT, &args.load, "starts from a saved state, or from a recording's last frame, instead of the scene's start"},
      {"--from", "T", ARG_NUMBER, &args.from, "with --load RECORDING: the frame nearest to this time (s)"},
      {"--strict", NULL, ARG_FLAG, &load_strict, "remarks on robot files that affect the motion become errors"},
      {"--quiet", NULL, ARG_FLAG, &args.quiet, "no progress, no summary"},
  };
  // clang-format on
  const Command command = {
      "run", "SCENE [OPTIONS]", summary, examples, table, sizeof table / sizeof *table, 1, 1};
  int status = args_read(&command, argc, argv, &args.scene);
  if (status >= 0) return status;

  char path[PATH_SIZE], name[256];
  plSpec* spec;
  status = scene_load(args.scene, &args.set, &args.search, path, &spec);
  if (status) return status;
  if (args.csv && !args.signals) args.signals = pl_spec_recording(spec)->signals;
  status = check_args(&args);
  const plModel* model = NULL;
  plData* data = NULL;
  if (status < 0) {
    plError error;
    if (args.threads >= 0) pl_spec_options(spec)->threads = args.threads;
    model = pl_model_create(spec, &error);
    data = model ? pl_data_create(model, &error) : NULL;
    if (!data && !error.file[0]) snprintf(error.file, sizeof error.file, "%.500s", path);
    if (data && !args.load) warn_soft_start(model);
    if (data) catch_interrupts();
    scene_name(path, name, sizeof name);
    status = data ? simulate(&args, name, spec, data) : complain_error(&error);
  }
  pl_data_destroy(data);
  pl_model_destroy(model);
  pl_spec_destroy(spec);
  return status;
}

// view.c: `pliant view`: serves a running scene, or a recording, as a page in the browser (pliant/view.h).
#include "pliant/view.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

static const double PATIENCE = 2;  // s that the end of a run waits for a step

typedef struct ViewArgs {
  const char *what, *bind, *port;
  double speed;
  int threads;
  bool paused;
  ArgList set, search;
} ViewArgs;

static const char examples[] =
    "  pliant view demo\n"
    "      runs scenes/demo.yaml and prints the address of its page; open it in a browser\n"
    "  pliant run demo --record demo.plrec && pliant view demo.plrec\n"
    "      shows a recording, with a timeline\n"
    "  pliant view demo --port 9000 --paused\n"
    "      another port; waits for the page's play button\n"
    "  ssh -L 8080:localhost:8080 HOST pliant view demo\n"
    "      simulates on another machine; the page is opened here, at http://localhost:8080\n"
    "  pliant view demo --bind 0.0.0.0\n"
    "      lets other machines watch; commands, saving and downloads need the token in the printed address\n";

static const char summary[] =
    "Serves a page that shows a scene (file or name) or a recording (.plrec) live in the browser: "
    "pause, step, rewind,\n"
    "drag bodies, move actuators, steer a robot by keyboard or gamepad, record. Only this machine can reach "
    "it unless --bind\n"
    "says otherwise. Ctrl-C ends it. Nothing is loaded from the network.";

// Prints the address of the page and waits for Ctrl-C. Before, while a scene is loaded, a signal ends the
// program as usual.
static void show(plView* view) {
  catch_interrupts();
  if (pl_view_note(view)[0]) complain("%s", pl_view_note(view));
  printf("%s\n", pl_view_address(view));
  printf("Open this address in a browser. Ctrl-C ends.\n");
  fflush(stdout);
  while (!interrupted()) nanosleep(&(struct timespec){0, 50000000}, NULL);
}

static int view_recording(const ViewArgs* args, plViewOptions options) {
  plError error;
  plView* view;
  char name[256];
  scene_name(args->what, name, sizeof name);
  options.name = name;
  if (pl_view_open_recording(args->what, &options, &view, &error)) return complain_error(&error);
  show(view);
  pl_view_close(view);
  return EXIT_DONE;
}

// Does not wait for a step that does not end: the recording is complete up to its last frame.
static void end_view(plView* view) {
  if (!pl_view_stop(view, PATIENCE)) {
    complain("a step is still being computed; the program ends without it");
    fflush(stdout);
    _exit(EXIT_FAILED);
  }
  pl_view_close(view);
}

static int view_scene(const ViewArgs* args, plViewOptions options) {
  plError error;
  char path[PATH_SIZE], name[256];
  plSpec* spec;
  int status = scene_load(args->what, &args->set, &args->search, path, &spec);
  if (status) return status;
  if (args->threads >= 0) pl_spec_options(spec)->threads = args->threads;
  scene_name(path, name, sizeof name);
  options.name = name;
  const plModel* model = pl_model_create(spec, &error);
  plData* data = model ? pl_data_create(model, &error) : NULL;
  plView* view = NULL;
  if (!data || pl_view_open(data, &options, &view, &error) || pl_view_start(view, &error))
    status = complain_error(&error);
  else
    show(view);
  if (view) end_view(view);
  if (data) pl_data_destroy(data);
  if (model) pl_model_destroy(model);
  pl_spec_destroy(spec);
  return status;
}

int view_main(int argc, char** argv) {
  static ViewArgs args = {.bind = "127.0.0.1", .port = "8080", .speed = 1, .threads = -1};
  const Arg table[] = {
      {"--port", "N", ARG_TEXT, &args.port, "port of the page; default 8080; 0 takes any free port"},
      {"--bind", "ADDR", ARG_TEXT, &args.bind,
       "address to listen on; default 127.0.0.1: this machine only; 0.0.0.0: all machines"},
      {"--paused", NULL, ARG_FLAG, &args.paused, "waits for the page's play button"},
      {"--speed", "X", ARG_NUMBER, &args.speed,
       "simulated seconds per second; default 1, 0: as fast as possible"},
      {"--threads", "N", ARG_THREADS, &args.threads,
       "threads of the simulation, or auto: as many as make it faster; the result does not depend on it"},
      SET_ARG(&args.set),
      MESH_LIMIT_ARG,
      SEARCH_ARG(&args.search),
  };
  const Command command = {"view", "SCENE|RECORDING [OPTIONS]",  summary, examples,
                           table,  sizeof table / sizeof *table, 1,       1};
  int status = args_read(&command, argc, argv, &args.what);
  if (status >= 0) return status;
  if (args.speed < 0) {
    complain("view: --speed takes a number of at least 0, got %g", args.speed);
    return EXIT_BAD_INPUT;
  }

  char* end;
  long port = strtol(args.port, &end, 10);
  if (*end || end == args.port || port < 0 || port > 65535) {
    complain("view: --port takes a whole number from 0 (any free port) to 65535, got '%s'", args.port);
    return EXIT_BAD_INPUT;
  }
  plViewOptions options = pl_default_view_options();
  options.bind = args.bind, options.port = (int)port, options.paused = args.paused,
  options.speed = args.speed;
  return ends_with(args.what, ".plrec") ? view_recording(&args, options) : view_scene(&args, options);
}

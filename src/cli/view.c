// view.c: `pliant view`: a scene that runs, or a recording, as a page in the browser.
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"
#include "view.h"

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
    "      lets other machines watch; orders, saving and downloads need the token in the printed address\n";

static const char summary[] =
    "Serves a page that shows WHAT, a scene (file or name) or a recording (.plrec), live in the browser: "
    "pause, step, rewind,\n"
    "drag bodies, move actuators, steer a robot by keyboard or gamepad, record. Only this machine can reach "
    "it unless --bind\n"
    "says otherwise. Ctrl-C ends it. Nothing is loaded from the network.";

static volatile sig_atomic_t interrupted;
static void on_signal(int number) { interrupted = number; }

static void catch_signals(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

// ---- a scene that runs

// Turns the newest snapshot into a frame as often as the pages can take one. `shadow` holds the copy that
// fields are computed from. The simulation's thread has precedence.
static void show_live(View* view, Live* live, plData* shadow, plStream* stream) {
  const plModel* m = shadow->model;
  const Snapshot* s = NULL;
  setpriority(PRIO_PROCESS, 0, 5);
  while (!interrupted) {
    const Snapshot* fresh = live_take(live, 0.1);
    bool repeat;
    if (fresh) s = fresh;
    unsigned fields = view_wanted(view, &repeat);
    if (!s || (!fresh && !repeat) || !web_clients(view->web)) continue;
    // a page that still draws the frame before gets the one after
    for (int wait = 0; wait < 50 && !web_hungry(view->web) && !interrupted; wait++)
      nanosleep(&(struct timespec){0, 2000000}, NULL);
    fresh = live_take(live, 0);
    if (fresh) s = fresh;
    shadow->time = s->time;
    memcpy(shadow->q, s->q, (size_t)m->nq * sizeof *s->q);
    memcpy(shadow->v, s->v, (size_t)m->nv * sizeof *s->v);
    memcpy(shadow->u, s->u, (size_t)m->nu * sizeof *s->u);
    pl_data_refresh(shadow);
    view_offer(view, stream, &(plMoment){shadow, s->contact, s->ncontact, &s->report, fields}, &s->shown);
  }
}

// ---- a recording

typedef struct Player {
  plReplay* replay;
  bool playing;
  double speed, position;  // s, in the recording
  double clock;            // s, wall time at which position was right
  int frame;               // shown, -1: none
} Player;

static void player_obey(Player* p, const Order* o, const plReplayInfo* info) {
  double first = pl_replay_time(p->replay, 0), last = pl_replay_time(p->replay, info->nframe - 1);
  switch (o->kind) {
    case ORDER_PLAY:
      p->playing = true;
      if (p->position >= last) p->position = first;
      break;
    case ORDER_PAUSE:
      p->playing = false;
      break;
    case ORDER_RESET:
      p->position = first;
      break;
    case ORDER_SPEED:
      p->speed = fmin(fmax(o->x[0], 0.01), 100);
      break;
    case ORDER_SEEK:
      p->position = fmin(fmax(o->x[0], first), last);
      break;
    case ORDER_STEP: {
      long frame = (long)pl_replay_nearest(p->replay, p->position) + o->i[0];
      frame = frame < 0 ? 0 : frame >= info->nframe ? info->nframe - 1 : frame;
      p->playing = false;
      p->position = pl_replay_time(p->replay, (int)frame);
      break;
    }
    default:
      break;
  }
}

static void show_replay(View* view, Player* p, plStream* stream) {
  const plReplayInfo* info = pl_replay_info(p->replay);
  double first = pl_replay_time(p->replay, 0), last = pl_replay_time(p->replay, info->nframe - 1);
  p->position = first;
  p->clock = wall_clock();
  p->frame = -1;
  while (!interrupted) {
    Order order;
    double now = wall_clock();
    bool changed = false, repeat;
    for (int i = 0;
         i < ORDERS && orders_take(&view->orders, &order, i ? 0 : now + (p->playing ? 1.0 / 60 : 0.05));
         i++) {
      player_obey(p, &order, info);
      changed = true;
    }
    now = wall_clock();
    if (p->playing) p->position += p->speed * (now - p->clock);
    p->clock = now;
    if (p->position >= last && p->playing) p->position = last, p->playing = false, changed = true;
    int frame = pl_replay_nearest(p->replay, p->position);
    unsigned fields = view_wanted(view, &repeat);
    if ((frame == p->frame && !changed && !repeat) || (!changed && !web_hungry(view->web))) {
      if (repeat) pthread_mutex_lock(&view->lock), view->repeat = true, pthread_mutex_unlock(&view->lock);
      continue;
    }
    plError error;
    if (frame != p->frame && pl_replay_seek(p->replay, frame, &error)) {
      view_tell(view, -1, "error", error.message);
      p->playing = false;
      continue;
    }
    p->frame = frame;
    const plData* d = pl_replay_data(p->replay);
    Shown shown = {.playing = p->playing,
                   .replay = true,
                   .speed = p->speed,
                   .rate = p->playing ? p->speed : 0,
                   .begin = first,
                   .end = last,
                   .count = info->nframe,
                   .effector = -1,
                   .side = -1,
                   .steered = {{0, 0, 0}, {1, 0, 0, 0}}};
    view_offer(view, stream, &(plMoment){d, d->contact, d->ncontact, &d->report, fields}, &shown);
  }
}

// ---- the server

static void make_token(char token[WEB_TOKEN]) {
  unsigned char bytes[(WEB_TOKEN - 1) / 2];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) abort();
  for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
}

static bool open_server(View* view, const ViewArgs* args, const char* token) {
  char sentence[512], *end;
  long port = strtol(args->port, &end, 10);
  if (*end || end == args->port || port < 0 || port > 65535) {
    complain("view: --port takes a whole number from 0 (any free port) to 65535, got '%s'", args->port);
    return false;
  }
  WebOptions options = {.bind = args->bind,
                        .port = (int)port,
                        .token = token,
                        .file = page_files,
                        .nfile = page_file_count,
                        .user = view};
  view_answer(&options);
  view->web = web_open(&options, sentence, sizeof sentence);
  if (!view->web || !web_start(view->web)) {
    complain("%s", view->web ? "no thread could be started" : sentence);
    return false;
  }
  bool any = !strcmp(args->bind, "0.0.0.0") || !strcmp(args->bind, "::");
  char name[256] = "localhost";
  if (any && gethostname(name, sizeof name - 1)) snprintf(name, sizeof name, "localhost");
  const char* host = any ? name : args->bind;
  bool v6 = strchr(host, ':');
  printf("http://%s%s%s:%d/#token=%s\n", v6 ? "[" : "", host, v6 ? "]" : "", web_port(view->web), token);
  printf("Open this address in a browser. Ctrl-C ends.\n");
  fflush(stdout);
  return true;
}

static bool keep_scene(View* view, plStream* stream, const char* name, plError* error) {
  const void* bytes;
  if (pl_stream_scene(stream, name, &bytes, &view->scene_size, error)) return false;
  view->scene = malloc(view->scene_size);
  if (view->scene) memcpy(view->scene, bytes, view->scene_size);
  return view->scene;
}

// ---- the command

static int view_recording(View* view, const ViewArgs* args, const char* path, const char* name,
                          const char* token) {
  plError error = {.status = PL_ERROR_MEMORY, .message = "memory ran out"};
  Player player = {.playing = !args->paused, .speed = args->speed};
  plStream* stream = NULL;
  if (pl_replay_open(path, &player.replay, &error)) return complain_error(&error);
  const plReplayInfo* info = pl_replay_info(player.replay);
  int status = EXIT_DONE;
  if (info->note[0]) complain("%s", info->note);
  if (!info->nframe) {
    complain("%s holds no frame", path);
    status = EXIT_BAD_INPUT;
  } else if (pl_stream_create(pl_replay_model(player.replay), &stream, &error) ||
             !keep_scene(view, stream, name, &error)) {
    status = complain_error(&error);
  } else if (open_server(view, args, token)) {
    show_replay(view, &player, stream);
  } else {
    status = EXIT_BAD_INPUT;
  }
  web_close(view->web);
  pl_stream_destroy(stream);
  pl_replay_close(player.replay);
  return status;
}

static int view_scene(View* view, const ViewArgs* args, const char* token) {
  plError error = {.status = PL_ERROR_MEMORY, .message = "memory ran out"};
  char path[PATH_SIZE], name[256];
  plSpec* spec;
  int status = scene_load(args->what, &args->set, &args->search, path, &spec);
  if (status) return status;
  if (args->threads) pl_spec_options(spec)->threads = args->threads;
  scene_name(path, name, sizeof name);
  const plModel* model = pl_model_create(spec, &error);
  plData *data = model ? pl_data_create(model, &error) : NULL,
         *shadow = data ? pl_data_create(model, &error) : NULL;
  plStream* stream = NULL;
  Live* live = NULL;
  LiveOptions options = {.data = data,
                         .name = name,
                         .orders = &view->orders,
                         .paused = args->paused,
                         .speed = args->speed,
                         .user = view,
                         .tell = view_tell,
                         .made = view_made};
  if (!shadow || pl_stream_create(model, &stream, &error) || !keep_scene(view, stream, name, &error))
    status = complain_error(&error);
  else if (!open_server(view, args, token))
    status = EXIT_BAD_INPUT;
  else if (!(live = live_open(&options, &error)))
    status = complain_error(&error);
  else
    show_live(view, live, shadow, stream);
  live_close(live);
  web_close(view->web);
  pl_stream_destroy(stream);
  pl_data_destroy(shadow);
  pl_data_destroy(data);
  pl_model_destroy(model);
  pl_spec_destroy(spec);
  return status;
}

int view_main(int argc, char** argv) {
  static ViewArgs args = {.bind = "127.0.0.1", .port = "8080", .speed = 1};
  static View view;
  const Arg table[] = {
      {"--port", "N", ARG_TEXT, &args.port, "port of the page; default 8080, 0: any that is free"},
      {"--bind", "ADDR", ARG_TEXT, &args.bind,
       "address to serve at; default 127.0.0.1: this machine alone; 0.0.0.0: everyone"},
      {"--paused", NULL, ARG_FLAG, &args.paused, "waits for the page's play button"},
      {"--speed", "X", ARG_NUMBER, &args.speed,
       "simulated seconds per second; default 1, 0: as fast as possible"},
      {"--threads", "N", ARG_COUNT, &args.threads,
       "threads of the simulation; the result does not depend on it"},
      {"--set", "KEY=VALUE", ARG_LIST, &args.set,
       "overrides a value of the scene, e.g. options.dt=0.005; may be repeated"},
      {"--mesh-limit", "MB", ARG_NUMBER, &mesh_limit_mb, "refuse mesh files larger than this; default 1074"},
      {"--search", "FOLDER", ARG_LIST, &args.search,
       "where files that the scene or its robots name are looked for too; may be repeated"},
  };
  const Command command = {"view", "SCENE|RECORDING [OPTIONS]",  summary, examples,
                           table,  sizeof table / sizeof *table, 1,       1};
  int status = args_read(&command, argc, argv, &args.what);
  if (status >= 0) return status;
  if (page_missing[0]) {
    complain("%s", page_missing);
    return EXIT_FAILED;
  }
  if (args.speed < 0) {
    complain("view: --speed takes a number of at least 0, got %g", args.speed);
    return EXIT_BAD_INPUT;
  }

  char token[WEB_TOKEN] = "", name[256];
  make_token(token);  // on this machine too: other users and their programs reach the port
  orders_open(&view.orders);
  pthread_mutex_init(&view.lock, NULL);
  catch_signals();
  size_t length = strlen(args.what);
  if (length > 6 && !strcmp(args.what + length - 6, ".plrec")) {
    scene_name(args.what, name, sizeof name);
    status = view_recording(&view, &args, args.what, name, token);
  } else {
    status = view_scene(&view, &args, token);
  }
  pthread_mutex_destroy(&view.lock);
  orders_close(&view.orders);
  free(view.scene);
  return status;
}

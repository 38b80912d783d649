// view.c: plView: serves a simulation or a recording as a page: options, threads, creation and destruction.
#include "pliant/view.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "parts.h"

static const double FOR_EVER = 1e9;  // s

struct plView {
  plPages pages;
  plLive* live;      // NULL: a recording
  plPlayer player;   // of a recording
  plData* shadow;    // fields are computed from this copy of the moment that is shown
  plStream* stream;  // of the thread that makes frames
  pthread_t thread;
  bool drawing;  // that thread runs
  pid_t pid;     // of the process that opened it
  char token[PL_WEB_TOKEN], name[256], address[320];
};

// ---- frames

// Copies a snapshot to the shadow.
static void cast(plData* shadow, const plSnapshot* s) {
  const plModel* m = shadow->model;
  shadow->time = s->time;
  memcpy(shadow->q, s->q, (size_t)m->nq * sizeof *s->q);
  memcpy(shadow->v, s->v, (size_t)m->nv * sizeof *s->v);
  memcpy(shadow->u, s->u, (size_t)m->nu * sizeof *s->u);
  pl_data_refresh(shadow);
  if (m->reading_bytes) memcpy(shadow->reading, s->reading, m->reading_bytes);
}

// Turns the newest snapshot into a frame as often as the pages can receive one.
static void show_live(plView* view) {
  plPages* pages = &view->pages;
  const plSnapshot* s = NULL;
  while (!pl_pages_stopped(pages)) {
    const plSnapshot* fresh = pl_live_take(view->live, 0.1);
    bool repeat;
    if (fresh) s = fresh;
    unsigned fields = pl_pages_wanted(pages, &repeat);
    if (!s || (!fresh && !repeat) || !pl_web_clients(pages->web)) continue;
    // a page that is still drawing a frame gets the newest one afterwards
    for (int wait = 0; wait < 50 && !pl_web_hungry(pages->web) && !pl_pages_stopped(pages); wait++)
      nanosleep(&(struct timespec){0, 2000000}, NULL);
    fresh = pl_live_take(view->live, 0);
    if (fresh) s = fresh;
    cast(view->shadow, s);
    pl_pages_offer(pages, view->stream,
                   &(plMoment){view->shadow, s->contact, s->ncontact, &s->report, fields}, &s->shown);
  }
}

static void* draw(void* user) {
  plView* view = user;
  setpriority(PRIO_PROCESS, 0,
              5);  // the simulation has priority: on Linux the nice value belongs to a thread
  if (view->live)
    show_live(view);
  else
    pl_player_run(&view->player, &view->pages, view->stream);
  return NULL;
}

// ---- the server

plViewOptions pl_default_view_options(void) {
  return (plViewOptions){.name = "simulation", .bind = "127.0.0.1", .speed = 1};
}

static plStatus check(const plViewOptions* o, plError* error) {
  if (pl_page_missing[0]) return pl_fail(error, PL_ERROR_INPUT, "%s", pl_page_missing);
  if (!o->bind || !o->bind[0])
    return pl_fail(error, PL_ERROR_INPUT,
                   "bind must be an address of this machine, e.g. 127.0.0.1 for itself alone");
  if (o->port < 0 || o->port > 65535)
    return pl_fail(error, PL_ERROR_INPUT,
                   "port must be a whole number from 0 (any that is free) to 65535, got %d", o->port);
  if (!(o->speed >= 0) || !isfinite(o->speed))
    return pl_fail(error, PL_ERROR_INPUT, "speed must be 0 (as fast as possible) or more, got %g", o->speed);
  return PL_OK;
}

// Other users of this machine and their programs can reach the port: only clients with the token may give
// orders.
static plStatus make_token(char token[PL_WEB_TOKEN], plError* error) {
  unsigned char bytes[(PL_WEB_TOKEN - 1) / 2];
  int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);
  if (fd >= 0) close(fd);
  if (n != (ssize_t)sizeof bytes)
    return pl_fail(error, PL_ERROR_IO, "the system's random numbers cannot be read: %s", strerror(errno));
  for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
  return PL_OK;
}

static void make_address(plView* view, const char* bind) {
  bool any = !strcmp(bind, "0.0.0.0") || !strcmp(bind, "::");
  char name[256] = "localhost";
  if (any && gethostname(name, sizeof name - 1)) snprintf(name, sizeof name, "localhost");
  const char* host = any ? name : bind;
  bool v6 = strchr(host, ':');
  snprintf(view->address, sizeof view->address, "http://%s%.200s%s:%d/#token=%s", v6 ? "[" : "", host,
           v6 ? "]" : "", pl_web_port(view->pages.web), view->token);
}

// The scene message, the port, and the threads that serve and draw.
static plStatus serve(plView* view, const plModel* model, const plViewOptions* o, plError* error) {
  char sentence[512];
  const void* bytes;
  plPages* pages = &view->pages;
  plStatus status = pl_stream_create(model, &view->stream, error);
  if (!status) status = pl_stream_scene(view->stream, view->name, &bytes, &pages->scene_size, error);
  if (!status) status = make_token(view->token, error);
  if (status) return status;
  pages->scene = malloc(pages->scene_size);
  if (!pages->scene) return pl_fail_out_of_memory(error, pages->scene_size);
  memcpy(pages->scene, bytes, pages->scene_size);
  plWebOptions options = {.bind = o->bind,
                          .port = o->port,
                          .token = view->token,
                          .file = pl_page_files,
                          .nfile = pl_page_file_count,
                          .user = pages};
  pl_pages_answer(&options);
  pages->web = pl_web_open(&options, sentence, sizeof sentence);
  if (!pages->web) return pl_fail(error, PL_ERROR_INPUT, "%s", sentence);
  make_address(view, o->bind);
  view->drawing = pl_web_start(pages->web) && pl_view_thread(&view->thread, draw, view);
  return view->drawing ? PL_OK : pl_fail(error, PL_ERROR_MEMORY, "no thread could be started");
}

// ---- creation and destruction

static plView* new_view(const plViewOptions* o, plError* error) {
  plView* view = calloc(1, sizeof *view);
  if (!view) {
    pl_fail_out_of_memory(error, sizeof *view);
    return NULL;
  }
  pl_orders_open(&view->pages.orders);
  pthread_mutex_init(&view->pages.lock, NULL);
  view->pid = getpid();
  snprintf(view->name, sizeof view->name, "%s", o->name && o->name[0] ? o->name : "simulation");
  return view;
}

plStatus pl_view_open(plData* data, const plViewOptions* options, plView** out, plError* error) {
  assert(data != NULL && out != NULL);
  plViewOptions o = options ? *options : pl_default_view_options();
  *out = NULL;
  plStatus status = check(&o, error);
  if (status) return status;
  plView* view = new_view(&o, error);
  if (!view) return PL_ERROR_MEMORY;
  plLiveOptions live = {.data = data,
                        .name = view->name,
                        .orders = &view->pages.orders,
                        .paused = o.paused,
                        .speed = o.speed,
                        .user = &view->pages,
                        .tell = pl_pages_tell,
                        .made = pl_pages_made};
  // the copy has the present parameters, which fields need
  plError ignored;
  if (!error) error = &ignored;
  if (!(view->shadow = pl_data_create(data->model, error)) ||
      (status = pl_data_copy(view->shadow, data, error)) || !(view->live = pl_live_open(&live, error)) ||
      (status = serve(view, data->model, &o, error))) {
    pl_view_close(view);
    return status ? status : error->status;
  }
  *out = view;
  return PL_OK;
}

plStatus pl_view_open_recording(const char* path, const plViewOptions* options, plView** out,
                                plError* error) {
  assert(path != NULL && out != NULL);
  plViewOptions o = options ? *options : pl_default_view_options();
  *out = NULL;
  plStatus status = check(&o, error);
  if (status) return status;
  plView* view = new_view(&o, error);
  if (!view) return PL_ERROR_MEMORY;
  view->player = (plPlayer){.playing = !o.paused, .speed = o.speed};
  status = pl_replay_open(path, &view->player.replay, error);
  if (!status && !pl_replay_info(view->player.replay)->nframe)
    status = pl_fail(error, PL_ERROR_INPUT, "%s holds no frame", path);
  if (!status) status = serve(view, pl_replay_model(view->player.replay), &o, error);
  if (status)
    pl_view_close(view);
  else
    *out = view;
  return status;
}

const char* pl_view_address(const plView* view) {
  assert(view != NULL);
  return view->address;
}

const char* pl_view_note(const plView* view) {
  assert(view != NULL);
  return view->player.replay ? pl_replay_info(view->player.replay)->note : "";
}

int pl_view_pages(const plView* view) {
  assert(view != NULL);
  return pl_web_clients(view->pages.web);
}

// A child of fork has none of the view's threads.
static bool is_ours(const plView* view) { return view->pid == getpid(); }

bool pl_view_sync(plView* view, double seconds) {
  assert(view != NULL);
  return !view->live || !is_ours(view) || pl_live_sync(view->live, fmin(fmax(seconds, 0), FOR_EVER));
}

plStatus pl_view_start(plView* view, plError* error) {
  assert(view != NULL);
  if (!view->live || pl_live_start(view->live)) return PL_OK;
  return pl_fail(error, PL_ERROR_MEMORY, "no thread could be started");
}

bool pl_view_stop(plView* view, double seconds) {
  assert(view != NULL);
  return !view->live || !is_ours(view) || pl_live_stop(view->live, fmin(fmax(seconds, 0), FOR_EVER));
}

void pl_view_close(plView* view) {
  if (!view) return;
  if (!is_ours(view)) {
    pl_web_forget(view->pages.web);
    return;
  }
  pl_view_stop(view, FOR_EVER);
  pl_pages_stop(&view->pages);
  if (view->drawing) pthread_join(view->thread, NULL);
  pl_live_close(view->live);
  pl_web_close(view->pages.web);
  pl_stream_destroy(view->stream);
  if (view->player.replay) pl_replay_close(view->player.replay);
  if (view->shadow) pl_data_destroy(view->shadow);
  pthread_mutex_destroy(&view->pages.lock);
  pl_orders_close(&view->pages.orders);
  free(view->pages.scene);
  free(view);
}

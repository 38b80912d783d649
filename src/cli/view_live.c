// view_live.c: a simulation that runs by the clock in a thread of its own: fixed steps, orders in between,
// snapshots for the pages.
//
// Nothing in this thread waits for a page. A snapshot is a copy of q, v, u and the contacts into memory that
// is there already; it is handed over by exchanging two pointers.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"
#include "view.h"

static const double PICTURE = 1.0 / 60;  // s between snapshots
static const double LATE = 0.1;          // s by which the simulation may lag before it gives up to catch up
static const double WINDOW = 0.5;        // s over which rates are measured
static const double SILENCE = 0.4;  // s without a word after which the one who steers is taken to be gone

enum { FILES = 200 };               // that pages may have written in a run
static const double PAUSE = 0.5;    // s between saved states
static const double FARTHEST = 10;  // rad or m that an input sends a joint without limits at once
static const double PATIENCE = 2;   // s that the end of a run waits for a step

struct Live {
  LiveOptions options;
  plData* data;
  History history;
  Grab grab;
  Teleop teleop;
  plRecording* recording;
  char recording_path[PATH_SIZE];
  double recorded_time;
  int recorded, files;
  double saved;  // s, wall time of the last saved state

  bool playing, failed, behind;
  int steps_left;   // single steps asked for
  double speed;     // 0: as fast as possible
  double due;       // s, wall time of the next step
  double pictured;  // s, wall time of the last snapshot
  bool changed;     // something to show although no step was taken
  double window_begin, window_simulated, window_busy;
  int window_steps;
  double rate, capacity;

  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t fresh;
  bool stop, is_fresh;
  Snapshot snapshot[3];
  Snapshot *back, *ready, *front;  // written by the simulation, handed over, read by the pages
};

// ---- snapshots

static bool snapshot_open(Snapshot* s, const plModel* m) {
  s->q = calloc((size_t)m->nq + 1, sizeof *s->q);
  s->v = calloc((size_t)m->nv + 1, sizeof *s->v);
  s->u = calloc((size_t)m->nu + 1, sizeof *s->u);
  return s->q && s->v && s->u;
}

static void snapshot_close(Snapshot* s) { free(s->q), free(s->v), free(s->u), free(s->contact); }

static void copy_contacts(Snapshot* s, const plData* data) {
  if (data->ncontact > s->contact_cap) {
    int cap = data->ncontact + data->ncontact / 2;
    plContact* more = realloc(s->contact, (size_t)cap * sizeof *more);
    if (more) s->contact = more, s->contact_cap = cap;
  }
  s->ncontact = data->ncontact < s->contact_cap ? data->ncontact : s->contact_cap;
  if (s->ncontact) memcpy(s->contact, data->contact, (size_t)s->ncontact * sizeof *s->contact);
}

static Shown live_shown(const Live* l) {
  const History* h = &l->history;
  return (Shown){.playing = l->playing,
                 .recording = l->recording,
                 .behind = l->behind,
                 .failed = l->failed,
                 .speed = l->speed,
                 .rate = l->rate,
                 .capacity = l->capacity,
                 .begin = h->n ? h->past[0].time : 0,
                 .end = fmax(h->n ? h->past[h->n - 1].time : 0, l->data->time),
                 .count = h->n,
                 .effector = l->teleop.effector,
                 .recorded = l->recorded,
                 .grip = l->teleop.grip,
                 .side = l->grab.side,
                 .grabbed = l->grab.side >= 0,
                 .point = l->grab.point,
                 .target = l->grab.target,
                 .force = l->grab.force,
                 .steered = teleop_pose(&l->teleop)};
}

static void publish(Live* l, double now) {
  const plData* d = l->data;
  const plModel* m = d->model;
  Snapshot* s = l->back;
  s->time = d->time;
  memcpy(s->q, d->q, (size_t)m->nq * sizeof *s->q);
  memcpy(s->v, d->v, (size_t)m->nv * sizeof *s->v);
  memcpy(s->u, d->u, (size_t)m->nu * sizeof *s->u);
  copy_contacts(s, d);
  s->report = d->report;
  s->shown = live_shown(l);
  pthread_mutex_lock(&l->lock);
  l->back = l->ready;
  l->ready = s;
  l->is_fresh = true;
  pthread_cond_signal(&l->fresh);
  pthread_mutex_unlock(&l->lock);
  l->pictured = now;
  l->changed = false;
}

const Snapshot* live_take(Live* l, double seconds) {
  double until = wall_clock() + seconds;
  struct timespec end = {(time_t)until, (long)((until - floor(until)) * 1e9)};
  pthread_mutex_lock(&l->lock);
  while (!l->is_fresh && !pthread_cond_timedwait(&l->fresh, &l->lock, &end)) {
  }
  Snapshot* s = NULL;
  if (l->is_fresh) {
    s = l->ready;
    l->ready = l->front;
    l->front = s;
    l->is_fresh = false;
  }
  pthread_mutex_unlock(&l->lock);
  return s;
}

// ---- recordings

static void tell(Live* l, int client, const char* kind, const char* text) {
  l->options.tell(l->options.user, client, kind, text);
}

static void end_recording(Live* l) {
  plError error;
  char text[256];
  if (!l->recording) return;
  plStatus status = pl_recording_close(l->recording, &error);
  l->recording = NULL;
  const char* slash = strrchr(l->recording_path, '/');
  snprintf(text, sizeof text, "%.200s", status ? error.message : slash ? slash + 1 : l->recording_path);
  if (!status) l->options.made(l->options.user, l->recording_path);
  tell(l, -1, status ? "error" : "recorded", text);
}

static void write_frame(Live* l) {
  plError error;
  double rate = 60, next = l->recorded_time + 1 / rate;
  if (!l->recording || (l->recorded && l->data->time < next - 1e-6)) return;
  if (pl_recording_write(l->recording, l->data, &error)) {
    tell(l, -1, "error", error.message);
    end_recording(l);
    return;
  }
  l->recorded_time = l->data->time;
  l->recorded++;
}

// SCENE-DATE-TIME.ext in the working folder.
static void new_path(Live* l, const char* ext, char* path) {
  time_t now = time(NULL);
  struct tm date;
  char stamp[32];
  strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", localtime_r(&now, &date));
  snprintf(path, PATH_SIZE, "%.200s-%s-%d.%s", l->options.name, stamp, ++l->files, ext);
}

static void begin_recording(Live* l, int client) {
  plError error;
  if (l->recording) return;
  if (l->files >= FILES) {
    tell(l, client, "refused", "this run has written enough files");
    return;
  }
  new_path(l, "plrec", l->recording_path);
  if (pl_recording_open(l->recording_path, l->data->model, &l->recording, &error)) {
    l->recording = NULL;
    tell(l, client, "error", error.message);
    return;
  }
  l->recorded = 0;
  write_frame(l);
}

static void save_state(Live* l, int client) {
  plError error;
  char path[PATH_SIZE];
  double now = wall_clock();
  if (l->files >= FILES || now - l->saved < PAUSE) {
    tell(l, client, "refused", l->files >= FILES ? "this run has written enough files" : "not so often");
    return;
  }
  l->saved = now;
  new_path(l, "state", path);
  if (pl_state_save(l->data, path, &error)) {
    tell(l, client, "error", error.message);
    return;
  }
  l->options.made(l->options.user, path);
  tell(l, client, "saved", path);
}

// ---- orders

static void let_go(Live* l) {
  if (l->grab.side >= 0) grab_end(&l->grab, l->data);
}

// The state jumps: what holds on to the old one is let go.
static void jump(Live* l) {
  end_recording(l);
  pl_clear_forces(l->data);
  memset(l->teleop.twist, 0, sizeof l->teleop.twist);
  l->teleop.moving = false;
  teleop_sync(&l->teleop, l->data);
  l->failed = false;
  l->data->ncontact = 0;
}

static void restore(Live* l, const Order* o) {
  plError error;
  let_go(l);
  if (o->kind == ORDER_RESET) {
    pl_data_reset(l->data);
    l->teleop.grip = 0;
    history_keep(&l->history, l->data);
  } else if (history_restore(&l->history, o->x[0], l->data, &error)) {
    tell(l, o->client, "error", error.message);
    return;
  }
  jump(l);
}

static void set_input(Live* l, const Order* o) {
  const plModel* m = l->data->model;
  int a = o->i[0];
  if (a < 0 || a >= m->nact) return;
  const plParameters* par = l->data->par;
  double lower = par->act_lower[a], upper = par->act_upper[a];
  int dof = m->act_dof[a];
  if ((m->act_kind[a] == PL_ACTUATOR_POSITION || m->act_kind[a] == PL_ACTUATOR_PD) && m->dof_q[dof] >= 0) {
    // where a joint is sent: within its limits, and otherwise no farther than a few turns or metres at once
    double q = l->data->q[m->dof_q[dof]];
    lower = fmax(lower, isfinite(par->dof_lower[dof]) ? fmin(par->dof_lower[dof], q) : q - FARTHEST);
    upper = fmin(upper, isfinite(par->dof_upper[dof]) ? fmax(par->dof_upper[dof], q) : q + FARTHEST);
  }
  l->data->u[m->act_u0[a]] = fmin(fmax(o->x[0], lower), upper);
}

static void set_effector(Live* l, const Order* o) {
  plError error;
  if (!teleop_can_steer(l->data->model, o->i[0])) {
    tell(l, o->client, "error", "this body has no actuator that holds a position between it and the world");
    return;
  }
  teleop_close(&l->teleop);
  if (!teleop_open(&l->teleop, l->data->model, o->i[0], &error)) tell(l, o->client, "error", error.message);
  teleop_sync(&l->teleop, l->data);
}

static void hold(Live* l, const Order* o) {
  let_go(l);
  if (grab_begin(&l->grab, l->data, o->i[0], o->i[1], (plVec3){o->x[0], o->x[1], o->x[2]}))
    l->grab.client = o->client;
  else
    l->grab.side = -1;
}

static void steer(Live* l, const Order* o) {
  for (int k = 0; k < 6; k++) l->teleop.twist[k] = fmin(fmax(o->x[k], -2), 2);
  l->teleop.grip_rate = fmin(fmax(o->x[6], -5), 5);
  l->teleop.client = o->client;
  l->teleop.heard = wall_clock();
}

static void obey(Live* l, const Order* o) {
  l->changed = true;
  switch (o->kind) {
    case ORDER_PLAY:
      l->playing = !l->failed;
      l->due = wall_clock();
      break;
    case ORDER_PAUSE:
      l->playing = false;
      l->steps_left = 0;
      break;
    case ORDER_STEP:
      l->playing = false;
      l->steps_left = o->i[0] < 1 ? 1 : o->i[0] > 1000 ? 1000 : o->i[0];
      break;
    case ORDER_RESET:
    case ORDER_SEEK:
      restore(l, o);
      break;
    case ORDER_SPEED:
      l->speed = fmin(fmax(o->x[0], 0), 100);
      l->due = wall_clock();
      break;
    case ORDER_GRAB:
      hold(l, o);
      break;
    case ORDER_DRAG:
      if (l->grab.client == o->client && l->grab.side >= 0)
        grab_drag(&l->grab, l->data, (plVec3){o->x[0], o->x[1], o->x[2]});
      break;
    case ORDER_DROP:
      if (l->grab.client == o->client) let_go(l);
      break;
    case ORDER_INPUT:
      set_input(l, o);
      break;
    case ORDER_EFFECTOR:
      set_effector(l, o);
      break;
    case ORDER_TELEOP:
      steer(l, o);
      break;
    case ORDER_RECORD:
      if (o->i[0])
        begin_recording(l, o->client);
      else
        end_recording(l);
      break;
    case ORDER_SAVE:
      save_state(l, o->client);
      break;
    default:
      break;
  }
}

// ---- the clock

static void measure(Live* l, double now, double busy) {
  if (busy >= 0) l->window_steps++, l->window_simulated += l->data->par->options.dt, l->window_busy += busy;
  double length = now - l->window_begin;
  if (length < WINDOW) return;
  l->rate = l->window_simulated / length;
  if (l->window_steps) l->capacity = l->window_simulated / fmax(l->window_busy, 1e-9);
  l->behind = l->playing && l->speed > 0 && l->rate < 0.95 * l->speed;
  l->window_begin = now;
  l->window_simulated = l->window_busy = 0;
  l->window_steps = 0;
}

static void take_step(Live* l) {
  plError error;
  double start = wall_clock();
  Teleop* t = &l->teleop;
  if (start - t->heard > SILENCE) memset(t->twist, 0, sizeof t->twist), t->grip_rate = 0;
  teleop_move(t, l->data, l->data->par->options.dt);
  if (l->grab.side >= 0) grab_pull(&l->grab, l->data);
  plStatus status = pl_step(l->data, &error);
  double now = wall_clock();
  if (status) {
    char text[1024];
    snprintf(text, sizeof text, "the step from t = %g s failed: %.600s", l->data->time, error.message);
    tell(l, -1, "error", text);
    l->failed = true;
    l->playing = false;
    l->steps_left = 0;
    l->changed = true;
    return;
  }
  measure(l, now, now - start);
  history_keep(&l->history, l->data);
  write_frame(l);
}

static bool stopped(Live* l) {
  pthread_mutex_lock(&l->lock);
  bool stop = l->stop;
  pthread_mutex_unlock(&l->lock);
  return stop;
}

static void* run(void* user) {
  Live* l = user;
  Order order;
  l->due = l->window_begin = wall_clock();
  publish(l, l->due);
  while (!stopped(l)) {
    double now = wall_clock();
    bool running = l->playing || l->steps_left;
    // what was ordered until the next step, but not so many that there is none
    double until = running ? (l->speed > 0 && l->playing ? l->due : now) : now + (l->changed ? PICTURE : 0.1);
    for (int i = 0; i < ORDERS && orders_take(l->options.orders, &order, i ? 0 : until); i++) obey(l, &order);
    now = wall_clock();
    running = l->playing || l->steps_left;
    if (running && (!l->playing || l->speed == 0 || now >= l->due)) {
      take_step(l);
      if (l->steps_left > 0) l->steps_left--, l->changed = true;
      now = wall_clock();
      l->due += l->speed > 0 ? l->data->par->options.dt / l->speed : 0;
      if (now - l->due > LATE) l->due = now;
    } else {
      measure(l, now, -1);
    }
    if ((l->changed || l->playing) && now - l->pictured >= PICTURE) publish(l, now);
  }
  end_recording(l);
  return NULL;
}

// ---- open and close

static plStatus prepare(Live* l, plError* error) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&l->lock, NULL);
  pthread_cond_init(&l->fresh, &attributes);
  pthread_condattr_destroy(&attributes);
  l->back = &l->snapshot[0], l->ready = &l->snapshot[1], l->front = &l->snapshot[2];
  l->grab.side = -1;
  bool good = history_open(&l->history, l->data);
  for (int i = 0; i < 3; i++) good = snapshot_open(&l->snapshot[i], l->data->model) && good;
  *error = (plError){.status = PL_ERROR_MEMORY, .message = "memory ran out"};
  if (!good || !teleop_open(&l->teleop, l->data->model, -1, error)) return error->status;
  teleop_sync(&l->teleop, l->data);
  history_keep(&l->history, l->data);
  return PL_OK;
}

static void release(Live* l) {
  history_close(&l->history);
  teleop_close(&l->teleop);
  for (int i = 0; i < 3; i++) snapshot_close(&l->snapshot[i]);
  free(l->grab.vert), free(l->grab.weight);
  pthread_cond_destroy(&l->fresh);
  pthread_mutex_destroy(&l->lock);
  free(l);
}

Live* live_open(const LiveOptions* options, plError* error) {
  Live* l = calloc(1, sizeof *l);
  *error = (plError){.status = PL_ERROR_MEMORY, .message = "memory ran out"};
  if (!l) return NULL;
  l->options = *options;
  l->data = options->data;
  l->playing = !options->paused;
  l->speed = options->speed;
  if (!prepare(l, error) && !pthread_create(&l->thread, NULL, run, l)) return l;
  release(l);
  return NULL;
}

void live_close(Live* l) {
  if (!l) return;
  pthread_mutex_lock(&l->lock);
  l->stop = true;
  pthread_mutex_unlock(&l->lock);
  // The end does not wait for a step that takes for ever: what was recorded is whole up to the last frame.
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += (time_t)PATIENCE;
  if (pthread_timedjoin_np(l->thread, NULL, &end)) {
    complain("a step is still being computed; the program ends without it");
    fflush(stdout);
    _exit(EXIT_FAILED);
  }
  release(l);
}

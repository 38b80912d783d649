// live.c: a simulation that runs in real time: fixed steps, orders in between, snapshots for the pages. A
// thread of its own steps it (pl_live_start), or the caller does and calls pl_live_sync after each step.
//
// The stepping thread never waits for a page. A snapshot copies q, v, u, the contacts and the readings to
// preallocated memory; it is passed on by exchanging two pointers.
#include "live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/timer.h"

static const double PICTURE = 1.0 / 60;  // s between snapshots
static const double LATE = 0.1;          // s by which the simulation may lag before it stops catching up
static const double WINDOW = 0.5;        // s over which rates are measured
static const double SILENCE = 0.4;       // s without a message after which steering stops

// ---- snapshots

static bool snapshot_open(plSnapshot* s, const plModel* m) {
  s->q = calloc((size_t)m->nq + 1, sizeof *s->q);
  s->v = calloc((size_t)m->nv + 1, sizeof *s->v);
  s->u = calloc((size_t)m->nu + 1, sizeof *s->u);
  s->reading = calloc(m->reading_bytes + 1, 1);
  return s->q && s->v && s->u && s->reading;
}

static void snapshot_close(plSnapshot* s) {
  free(s->q), free(s->v), free(s->u), free(s->reading), free(s->contact);
}

static void copy_contacts(plSnapshot* s, const plData* data) {
  if (data->ncontact > s->contact_cap) {
    int cap = data->ncontact + data->ncontact / 2;
    plContact* more = realloc(s->contact, (size_t)cap * sizeof *more);
    if (more) s->contact = more, s->contact_cap = cap;
  }
  s->ncontact = data->ncontact < s->contact_cap ? data->ncontact : s->contact_cap;
  if (s->ncontact) memcpy(s->contact, data->contact, (size_t)s->ncontact * sizeof *s->contact);
}

static plShown live_shown(const plLive* l) {
  const plHistory* h = &l->history;
  return (plShown){.playing = l->playing,
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
                   .steered = pl_teleop_pose(&l->teleop)};
}

static void publish(plLive* l, double now) {
  const plData* d = l->data;
  const plModel* m = d->model;
  plSnapshot* s = l->back;
  s->time = d->time;
  memcpy(s->q, d->q, (size_t)m->nq * sizeof *s->q);
  memcpy(s->v, d->v, (size_t)m->nv * sizeof *s->v);
  memcpy(s->u, d->u, (size_t)m->nu * sizeof *s->u);
  if (m->reading_bytes) memcpy(s->reading, d->reading, m->reading_bytes);
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

const plSnapshot* pl_live_take(plLive* l, double seconds) {
  double until = pl_now() + seconds;
  struct timespec end = {(time_t)until, (long)((until - floor(until)) * 1e9)};
  pthread_mutex_lock(&l->lock);
  while (!l->is_fresh && !pthread_cond_timedwait(&l->fresh, &l->lock, &end)) {
  }
  plSnapshot* s = NULL;
  if (l->is_fresh) {
    s = l->ready;
    l->ready = l->front;
    l->front = s;
    l->is_fresh = false;
  }
  pthread_mutex_unlock(&l->lock);
  return s;
}

// ---- the clock

// Accounts for the time since the last call; busy < 0: no step.
static void measure(plLive* l, double now, double busy, double simulated) {
  if (busy >= 0) l->window_steps++, l->window_simulated += simulated, l->window_busy += busy;
  double length = now - l->window_begin;
  if (length < WINDOW) return;
  l->rate = l->window_simulated / length;
  if (l->window_steps) l->capacity = l->window_simulated / fmax(l->window_busy, 1e-9);
  l->behind = l->playing && l->speed > 0 && l->rate < 0.95 * l->speed;
  l->window_begin = now;
  l->window_simulated = l->window_busy = 0;
  l->window_steps = 0;
}

// Executes orders until the next step may be taken; false if the given seconds pass before.
static bool wait(plLive* l, double seconds) {
  plOrder order;
  double now = pl_now(), end = now + seconds;
  for (;;) {
    bool going = l->playing || l->steps_left;
    // orders until the next step, but limited in number so that the step is taken
    double until = going ? (l->speed > 0 && l->playing ? l->due : now) : now + (l->changed ? PICTURE : 0.1);
    until = fmin(until, end);
    for (int i = 0; i < PL_ORDERS && pl_orders_take(l->options.orders, &order, i ? 0 : until); i++)
      pl_live_obey(l, &order);
    now = pl_now();
    going = l->playing || l->steps_left;
    if (going && (!l->playing || l->speed == 0 || now >= l->due)) return true;
    measure(l, now, -1, 0);
    if (l->changed && now - l->pictured >= PICTURE) publish(l, now);
    if (now >= end) return false;
  }
}

// Applies the user's hands to the next step.
static void before_step(plLive* l) {
  plTeleop* t = &l->teleop;
  l->step_begin = pl_now();
  if (l->step_begin - t->heard > SILENCE) memset(t->twist, 0, sizeof t->twist), t->grip_rate = 0;
  pl_teleop_move(t, l->data, l->data->par->options.dt);
  if (l->grab.side >= 0) pl_grab_pull(&l->grab, l->data);
  l->seen = l->data->time;
}

static void after_step(plLive* l) {
  double now = pl_now(), simulated = fmax(l->data->time - l->seen, 0);
  measure(l, now, now - l->step_begin, simulated);
  pl_history_keep(&l->history, l->data);
  pl_live_record(l);
  if (l->steps_left > 0) l->steps_left--, l->changed = true;
  l->due += l->speed > 0 ? simulated / l->speed : 0;
  if (now - l->due > LATE) l->due = now;
  if ((l->changed || l->playing) && now - l->pictured >= PICTURE) publish(l, now);
}

static void after_failure(plLive* l, const plError* error) {
  char text[1024];
  snprintf(text, sizeof text, "the step from t = %g s failed: %.600s", l->data->time, error->message);
  pl_live_tell(l, -1, "error", text);
  l->failed = true;
  l->playing = false;
  l->steps_left = 0;
  l->changed = true;
}

static bool stopped(plLive* l) {
  pthread_mutex_lock(&l->lock);
  bool stop = l->stop;
  pthread_mutex_unlock(&l->lock);
  return stop;
}

static void* run(void* user) {
  plLive* l = user;
  plError error;
  while (!stopped(l)) {
    if (!wait(l, 0.1)) continue;
    before_step(l);
    if (pl_step(l->data, &error))
      after_failure(l, &error);
    else
      after_step(l);
  }
  return NULL;
}

bool pl_live_sync(plLive* l, double seconds) {
  if (l->running) return true;
  if (!l->held) {
    after_step(l);
    l->held = true;
  }
  if (!wait(l, seconds)) return false;
  before_step(l);
  l->held = false;
  return true;
}

// ---- open and close

static plStatus prepare(plLive* l, plError* error) {
  pl_view_condition(&l->lock, &l->fresh);
  l->back = &l->snapshot[0], l->ready = &l->snapshot[1], l->front = &l->snapshot[2];
  l->grab.side = -1;
  bool good = pl_history_open(&l->history, l->data);
  for (int i = 0; i < 3; i++) good = snapshot_open(&l->snapshot[i], l->data->model) && good;
  pl_fail(error, PL_ERROR_MEMORY, "memory ran out");
  if (!good || !pl_teleop_open(&l->teleop, l->data->model, -1, error)) return PL_ERROR_MEMORY;
  pl_teleop_sync(&l->teleop, l->data);
  pl_history_keep(&l->history, l->data);
  return PL_OK;
}

static void release(plLive* l) {
  pl_history_close(&l->history);
  pl_teleop_close(&l->teleop);
  for (int i = 0; i < 3; i++) snapshot_close(&l->snapshot[i]);
  free(l->grab.vert), free(l->grab.weight);
  pthread_cond_destroy(&l->fresh);
  pthread_mutex_destroy(&l->lock);
  free(l);
}

plLive* pl_live_open(const plLiveOptions* options, plError* error) {
  plLive* l = calloc(1, sizeof *l);
  pl_fail(error, PL_ERROR_MEMORY, "memory ran out");
  if (!l) return NULL;
  l->options = *options;
  l->data = options->data;
  l->playing = !options->paused;
  l->speed = options->speed;
  if (prepare(l, error)) {
    release(l);
    return NULL;
  }
  l->due = l->window_begin = l->step_begin = pl_now();
  l->seen = l->data->time;
  publish(l, l->due);
  return l;
}

bool pl_live_start(plLive* l) {
  if (l->running) return true;
  l->stop = l->held = false;
  l->due = pl_now();
  return l->running = pl_view_thread(&l->thread, run, l);
}

bool pl_live_stop(plLive* l, double seconds) {
  if (!l->running) return true;
  pthread_mutex_lock(&l->lock);
  l->stop = true;
  pthread_mutex_unlock(&l->lock);
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  double whole = floor(fmin(fmax(seconds, 0), 1e9));
  end.tv_sec += (time_t)whole;
  end.tv_nsec += (long)((fmin(fmax(seconds, 0), 1e9) - whole) * 1e9);
  if (end.tv_nsec >= 1000000000) end.tv_sec++, end.tv_nsec -= 1000000000;
  if (pthread_timedjoin_np(l->thread, NULL, &end)) return false;
  l->running = false;
  return true;
}

void pl_live_close(plLive* l) {
  if (!l) return;
  pl_live_end_recording(l);
  release(l);
}

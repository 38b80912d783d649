// live_orders.c: executes the orders of a page on a running simulation: play, rewind, hands, inputs,
// recordings.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/timer.h"
#include "live.h"
#include "model/holding.h"

enum { FILES = 200 };               // largest number of files that pages may write in a run
static const double PAUSE = 0.5;    // s between saved states
static const double FARTHEST = 10;  // rad or m, largest change of an input for a joint without limits at once

// ---- recordings

void pl_live_tell(plLive* l, int client, const char* kind, const char* text) {
  l->options.tell(l->options.user, client, kind, text);
}

void pl_live_end_recording(plLive* l) {
  plError error;
  char text[256];
  if (!l->recording) return;
  plStatus status = pl_recording_close(l->recording, &error);
  l->recording = NULL;
  const char* slash = strrchr(l->recording_path, '/');
  snprintf(text, sizeof text, "%.200s", status ? error.message : slash ? slash + 1 : l->recording_path);
  if (!status) l->options.made(l->options.user, l->recording_path);
  pl_live_tell(l, -1, status ? "error" : "recorded", text);
}

void pl_live_record(plLive* l) {
  plError error;
  double rate = 60, next = l->recorded_time + 1 / rate;
  if (!l->recording || (l->recorded && l->data->time < next - 1e-6)) return;
  if (pl_recording_write(l->recording, l->data, &error)) {
    pl_live_tell(l, -1, "error", error.message);
    pl_live_end_recording(l);
    return;
  }
  l->recorded_time = l->data->time;
  l->recorded++;
}

// SCENE-DATE-TIME.ext in the working folder.
static void new_path(plLive* l, const char* ext, char* path) {
  time_t now = time(NULL);
  struct tm date;
  char stamp[32];
  strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", localtime_r(&now, &date));
  snprintf(path, PL_VIEW_PATH, "%.200s-%s-%d.%s", l->options.name, stamp, ++l->files, ext);
}

static void begin_recording(plLive* l, int client) {
  plError error;
  if (l->recording) return;
  if (l->files >= FILES) {
    pl_live_tell(l, client, "refused", "this run has written enough files");
    return;
  }
  new_path(l, "plrec", l->recording_path);
  if (pl_recording_open(l->recording_path, l->data->model, &l->recording, &error)) {
    l->recording = NULL;
    pl_live_tell(l, client, "error", error.message);
    return;
  }
  l->recorded = 0;
  pl_live_record(l);
}

static void save_state(plLive* l, int client) {
  plError error;
  char path[PL_VIEW_PATH];
  double now = pl_now();
  if (l->files >= FILES || now - l->saved < PAUSE) {
    pl_live_tell(l, client, "refused",
                 l->files >= FILES ? "this run has written enough files" : "not so often");
    return;
  }
  l->saved = now;
  new_path(l, "state", path);
  if (pl_state_save(l->data, path, &error)) {
    pl_live_tell(l, client, "error", error.message);
    return;
  }
  l->options.made(l->options.user, path);
  pl_live_tell(l, client, "saved", path);
}

// ---- orders

static void let_go(plLive* l) {
  if (l->grab.side >= 0) pl_grab_end(&l->grab, l->data);
}

// The state jumps: hands that hold the old one are released.
static void jump(plLive* l) {
  pl_live_end_recording(l);
  pl_clear_forces(l->data);
  memset(l->teleop.twist, 0, sizeof l->teleop.twist);
  l->teleop.moving = false;
  pl_teleop_sync(&l->teleop, l->data);
  l->failed = false;
  l->data->ncontact = 0;
}

static void restore(plLive* l, const plOrder* o) {
  plError error;
  let_go(l);
  if (o->kind == PL_ORDER_RESET) {
    pl_data_reset(l->data);
    l->teleop.grip = 0;
    pl_history_keep(&l->history, l->data);
  } else if (pl_history_restore(&l->history, o->x[0], l->data, &error)) {
    pl_live_tell(l, o->client, "error", error.message);
    return;
  }
  jump(l);
}

static void set_input(plLive* l, const plOrder* o) {
  const plModel* m = l->data->model;
  int a = o->i[0];
  if (a < 0 || a >= m->nact) return;
  const plParameters* par = l->data->par;
  double x = pl_holding_coordinate(l->data, a), lower, upper, from, to, u = o->x[0];
  pl_holding_limits(m, par, a, &lower, &upper);
  // what it holds: within the limits of the joints, and otherwise at most a few turns or metres away at once
  lower = isfinite(lower) ? fmin(lower, x) : x - FARTHEST;
  upper = isfinite(upper) ? fmax(upper, x) : x + FARTHEST;
  if (pl_holding_input(m, par, a, lower, &from) && pl_holding_input(m, par, a, upper, &to))
    u = fmin(fmax(u, fmin(from, to)), fmax(from, to));
  assert(m->act_u0[a] >= 0 && m->act_u0[a] < m->nu);
  l->data->u[m->act_u0[a]] = fmin(fmax(u, par->act_lower[a]), par->act_upper[a]);
}

static void set_effector(plLive* l, const plOrder* o) {
  plError error;
  if (!pl_teleop_can_steer(l->data->model, o->i[0])) {
    pl_live_tell(l, o->client, "error",
                 "this body has no actuator that holds a position between it and the world");
    return;
  }
  pl_teleop_close(&l->teleop);
  if (!pl_teleop_open(&l->teleop, l->data->model, o->i[0], &error))
    pl_live_tell(l, o->client, "error", error.message);
  pl_teleop_sync(&l->teleop, l->data);
}

static void hold(plLive* l, const plOrder* o) {
  let_go(l);
  if (pl_grab_begin(&l->grab, l->data, o->i[0], o->i[1], (plVec3){o->x[0], o->x[1], o->x[2]}))
    l->grab.client = o->client;
  else
    l->grab.side = -1;
}

static void steer(plLive* l, const plOrder* o) {
  for (int k = 0; k < 6; k++) l->teleop.twist[k] = fmin(fmax(o->x[k], -2), 2);
  l->teleop.grip_rate = fmin(fmax(o->x[6], -5), 5);
  l->teleop.client = o->client;
  l->teleop.heard = pl_now();
}

void pl_live_obey(plLive* l, const plOrder* o) {
  l->changed = true;
  switch (o->kind) {
    case PL_ORDER_PLAY:
      l->playing = !l->failed;
      l->due = pl_now();
      break;
    case PL_ORDER_PAUSE:
      l->playing = false;
      l->steps_left = 0;
      break;
    case PL_ORDER_STEP:
      l->playing = false;
      l->steps_left = o->i[0] < 1 ? 1 : o->i[0] > 1000 ? 1000 : o->i[0];
      break;
    case PL_ORDER_RESET:
    case PL_ORDER_SEEK:
      restore(l, o);
      break;
    case PL_ORDER_SPEED:
      l->speed = fmin(fmax(o->x[0], 0), 100);
      l->due = pl_now();
      break;
    case PL_ORDER_GRAB:
      hold(l, o);
      break;
    case PL_ORDER_DRAG:
      if (l->grab.client == o->client && l->grab.side >= 0)
        pl_grab_drag(&l->grab, l->data, (plVec3){o->x[0], o->x[1], o->x[2]});
      break;
    case PL_ORDER_DROP:
      if (l->grab.client == o->client) let_go(l);
      break;
    case PL_ORDER_INPUT:
      set_input(l, o);
      break;
    case PL_ORDER_EFFECTOR:
      set_effector(l, o);
      break;
    case PL_ORDER_TELEOP:
      steer(l, o);
      break;
    case PL_ORDER_RECORD:
      if (o->i[0])
        begin_recording(l, o->client);
      else
        pl_live_end_recording(l);
      break;
    case PL_ORDER_SAVE:
      save_state(l, o->client);
      break;
    default:
      break;
  }
}

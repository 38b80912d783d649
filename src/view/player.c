// player.c: a recording on the pages, played in real time and controlled by orders.
#include <assert.h>
#include <math.h>

#include "base/timer.h"
#include "parts.h"

static void obey(plPlayer* p, const plOrder* o, const plReplayInfo* info) {
  double first = pl_replay_time(p->replay, 0), last = pl_replay_time(p->replay, info->nframe - 1);
  switch (o->kind) {
    case PL_ORDER_PLAY:
      p->playing = true;
      if (p->position >= last) p->position = first;
      break;
    case PL_ORDER_PAUSE:
      p->playing = false;
      break;
    case PL_ORDER_RESET:
      p->position = first;
      break;
    case PL_ORDER_SPEED:
      p->speed = fmin(fmax(o->x[0], 0.01), 100);
      break;
    case PL_ORDER_SEEK:
      p->position = fmin(fmax(o->x[0], first), last);
      break;
    case PL_ORDER_STEP: {
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

void pl_player_run(plPlayer* p, plPages* pages, plStream* stream) {
  const plReplayInfo* info = pl_replay_info(p->replay);
  assert(info->nframe > 0);  // a recording without frames is not opened
  double first = pl_replay_time(p->replay, 0), last = pl_replay_time(p->replay, info->nframe - 1);
  p->position = first;
  p->clock = pl_now();
  p->frame = -1;
  while (!pl_pages_stopped(pages)) {
    plOrder order;
    double now = pl_now();
    bool changed = false, repeat;
    for (int i = 0; i < PL_ORDERS &&
                    pl_orders_take(&pages->orders, &order, i ? 0 : now + (p->playing ? 1.0 / 60 : 0.05));
         i++) {
      obey(p, &order, info);
      changed = true;
    }
    now = pl_now();
    if (p->playing) p->position += p->speed * (now - p->clock);
    p->clock = now;
    if (p->position >= last && p->playing) p->position = last, p->playing = false, changed = true;
    int frame = pl_replay_nearest(p->replay, p->position);
    unsigned fields = pl_pages_wanted(pages, &repeat);
    if ((frame == p->frame && !changed && !repeat) || (!changed && !pl_web_hungry(pages->web))) {
      if (repeat) pthread_mutex_lock(&pages->lock), pages->repeat = true, pthread_mutex_unlock(&pages->lock);
      continue;
    }
    plError error;
    if (frame != p->frame && pl_replay_seek(p->replay, frame, &error)) {
      pl_pages_tell(pages, -1, "error", error.message);
      p->playing = false;
      continue;
    }
    p->frame = frame;
    const plData* d = pl_replay_data(p->replay);
    plShown shown = {.playing = p->playing,
                     .replay = true,
                     .speed = p->speed,
                     .rate = p->playing ? p->speed : 0,
                     .begin = first,
                     .end = last,
                     .count = info->nframe,
                     .effector = -1,
                     .side = -1,
                     .steered = {{0, 0, 0}, {1, 0, 0, 0}}};
    pl_pages_offer(pages, stream, &(plMoment){d, d->contact, d->ncontact, &d->report, fields}, &shown);
  }
}

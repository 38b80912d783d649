// parallel_auto.c: trials of different numbers of threads, and the measured cost of loops.
#include "base/parallel_auto.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

// Steps between two trials; LATER: after an obvious one, RARELY: after one that was obvious twice, if the
// next would compare the same two numbers again.
enum { SOON = 8, LATER = 32, RARELY = 128, SELDOM = 4096 };
#define WORTH 0.97    // more threads are kept if they reduce the time to this fraction
#define HOPELESS 1.3  // a trial ends early if it is this much slower twice,
#define OBVIOUS 0.8   // or this much faster once
#define SHORT 60e-6   // s: a step with nothing to share

void pl_crew_init(plCrew* crew, int most) {
  memset(crew, 0, sizeof *crew);
  crew->most = most;
  crew->size = crew->level = 1;
  crew->rest = 1;  // the first step allocates its memory
  crew->interval = SOON;
  crew->up = true;
}

// ---- trials

static void rest(plCrew* crew, bool changed) {
  crew->other = 0;
  crew->interval = changed ? SOON : crew->interval < SELDOM ? 2 * crew->interval : SELDOM;
  crew->rest = crew->interval;
}

// The first trial is with all threads; later ones double or halve.
static int next_level(const plCrew* crew) {
  if (crew->interval == SOON && crew->level == 1 && crew->up) return crew->most;
  int wanted = crew->up ? 2 * crew->level : (crew->level + 1) / 2;
  return wanted < crew->most ? wanted : crew->most;
}

static void turn_at_end(plCrew* crew) {
  if (crew->level == 1) crew->up = true;
  if (crew->level == crew->most) crew->up = false;
}

static void start_trial(plCrew* crew, double last) {
  turn_at_end(crew);
  int other = next_level(crew);
  if (other == crew->level || (crew->level == 1 && last < SHORT)) {
    rest(crew, false);
    return;
  }
  crew->other = other, crew->pair = 0;
}

static double median(const double* ratio, int n) {
  double sorted[PL_TRIAL_PAIRS];
  for (int i = 0; i < n; i++) {
    int k = i;
    for (; k > 0 && sorted[k - 1] > ratio[i]; k--) sorted[k] = sorted[k - 1];
    sorted[k] = ratio[i];
  }
  return n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

// The result of a whole trial without its first pair, in which threads wake and caches fill. Equal times:
// fewer threads.
static void judge(plCrew* crew, double ratio) {
  bool better = ratio < (crew->other > crew->level ? WORTH : 1 / WORTH);
  if (better)
    crew->level = crew->other;
  else
    crew->up = !crew->up;
  rest(crew, better);
}

void pl_crew_begin(plCrew* crew, double now) {
  crew->start = now;
  crew->shared = false;
  crew->size = crew->other && crew->pair % 2 ? crew->other : crew->level;
}

void pl_crew_end(plCrew* crew, double now) {
  double spent = now - crew->start;
  if (!crew->other) {
    if (--crew->rest <= 0) start_trial(crew, spent);
    return;
  }
  crew->time[crew->pair % 2] = spent;
  int pair = crew->pair++ / 2;
  assert(pair < PL_TRIAL_PAIRS);
  if (crew->pair % 2) return;
  crew->ratio[pair] = crew->time[1] / fmax(crew->time[0], 1e-9);
  // neither number of threads found anything to share, so there is nothing to compare
  bool idle = crew->level == 1 && !crew->shared && pair > 0;
  if (idle || (pair > 0 && crew->ratio[pair] > HOPELESS && crew->ratio[pair - 1] > HOPELESS)) {
    crew->up = !crew->up;
    rest(crew, false);
  } else if (pair == PL_TRIAL_PAIRS - 1) {
    judge(crew, median(crew->ratio + 1, PL_TRIAL_PAIRS - 1));
  } else if (pair > 0 && crew->ratio[pair] < OBVIOUS) {
    int before = crew->level;
    bool twice = crew->ratio[pair - 1] < OBVIOUS;
    judge(crew, crew->ratio[pair]);
    turn_at_end(crew);
    crew->rest = crew->interval = twice && next_level(crew) == before ? RARELY : LATER;
  }
}

// ---- loops

plLoopKind* pl_crew_kind(plCrew* crew, plLoopBody* body, double work) {
  int order = work >= 1 ? ilogb(work) : 0;
  uintptr_t place = ((uintptr_t)body >> 4) * 31 + (uintptr_t)order;
  // Each kind has a few slots; if the last one is occupied by another kind, it is replaced.
  plLoopKind* kind = NULL;
  for (unsigned k = 0; k < 8; k++) {
    kind = &crew->kind[(place + k) % PL_LOOP_KINDS];
    if (kind->body == body && kind->order == order) return kind;
    if (!kind->body) break;
  }
  *kind = (plLoopKind){body, order, 0};
  return kind;
}

int pl_crew_for(plCrew* crew, const plLoopKind* kind, double work) {
  double wanted = kind->second * work / PL_CREW_SECONDS;
  int threads = wanted < crew->size ? (int)wanted : crew->size;
  crew->shared |= threads > 1;
  return threads;
}

void pl_crew_learn(plLoopKind* kind, double work, double seconds) {
  double now = seconds / work;
  // a loop that was descheduled for a while is not used as a measurement
  if (kind->second > 0) now = 0.75 * kind->second + 0.25 * fmin(now, 2 * kind->second);
  kind->second = now;
}

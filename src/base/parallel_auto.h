// parallel_auto.h: how an automatic pool decides. Measurements decide which thread computes a value, never
// the value.
//
// There are two decisions. First, which of a step's loops to share, and among how many threads: each kind of
// loop (its body and the order of magnitude of its work) remembers the cost of a unit of work, and a loop
// gets one thread for every PL_CREW_SECONDS of work. Work is counted in indices unless the caller gives a
// better number. Second, whether sharing helps at all: from time to time steps with other numbers of threads
// alternate with normal steps, and the faster number is kept. This includes costs that a loop's own time does
// not show: waking threads, caches, other programs on the machine.
#ifndef PL_BASE_PARALLEL_AUTO_H
#define PL_BASE_PARALLEL_AUTO_H

#include <stdbool.h>

#include "base/loop.h"

#define PL_CREW_SECONDS 15e-6  // s of work for each thread: about ten times the cost of synchronising with it

enum { PL_TRIAL_PAIRS = 5, PL_LOOP_KINDS = 512 };

typedef struct plLoopKind {
  plLoopBody* body;
  int order;      // order of magnitude of its work
  double second;  // s per unit of work
} plLoopKind;

typedef struct plCrew {
  int most;   // number of threads available
  int size;   // number of threads that a loop may use in the present step
  int level;  // number of threads outside trials
  int other;  // number that is being tried; 0: no trial
  int pair;   // steps of the trial so far, 2 per pair: the first with the usual number, the second with other
  int rest;   // steps until the next trial
  int interval;  // grows while trials change nothing
  bool up;       // the next trial is with more threads
  bool shared;   // a loop was shared in the present step
  double start, time[2];
  double ratio[PL_TRIAL_PAIRS];  // time with other over usual time
  plLoopKind kind[PL_LOOP_KINDS];
} plCrew;

void pl_crew_init(plCrew* crew, int most);
// A step begins at a time, ends at another; the number of threads for it is crew->size.
void pl_crew_begin(plCrew* crew, double now);
void pl_crew_end(plCrew* crew, double now);

// The record of loops like this one, never NULL; a new one has second 0.
plLoopKind* pl_crew_kind(plCrew* crew, plLoopBody* body, double work);
// The number of threads for a loop of this much work.
int pl_crew_for(plCrew* crew, const plLoopKind* kind, double work);
void pl_crew_learn(plLoopKind* kind, double work, double seconds);

#endif

// parallel_auto.h: how an automatic pool decides. Measurements decide who computes, never what.
//
// Two questions, two answers. Which of a step's loops are worth sharing, and by how many: each kind of loop
// (its body and the order of magnitude of its work) remembers what a unit of work cost, and a loop gets one
// thread for every PL_CREW_SECONDS of it. Work is counted in indices, or by who knows better. Whether sharing
// helps at all: now and then steps with other numbers of threads alternate with steps as usual, and the
// better number stays. That counts whatever a loop's own time does not show: waking threads, caches, other
// programs on the machine.
#ifndef PL_BASE_PARALLEL_AUTO_H
#define PL_BASE_PARALLEL_AUTO_H

#include <stdbool.h>

#include "base/loop.h"

#define PL_CREW_SECONDS 15e-6  // of work for each thread: some ten times what meeting it costs

enum { PL_TRIAL_PAIRS = 5, PL_LOOP_KINDS = 512 };

typedef struct plLoopKind {
  plLoopBody* body;
  int order;      // of magnitude of its work
  double second;  // that a unit of work takes
} plLoopKind;

typedef struct plCrew {
  int most;      // threads there are
  int size;      // threads that a loop may use in the step at hand
  int level;     // threads of steps outside of trials
  int other;     // compared with; 0: no trial
  int pair;      // steps of the trial so far, 2 a pair: the first as usual, the second with other
  int rest;      // steps until the next trial
  int interval;  // grows while trials change nothing
  bool up;       // the next trial is with more threads
  bool shared;   // a loop was shared in the step at hand
  double start, time[2];
  double ratio[PL_TRIAL_PAIRS];  // other's time over the usual one
  plLoopKind kind[PL_LOOP_KINDS];
} plCrew;

void pl_crew_init(plCrew* crew, int most);
// A step begins at a time, ends at another; the number of threads for it is crew->size.
void pl_crew_begin(plCrew* crew, double now);
void pl_crew_end(plCrew* crew, double now);

// The memory of loops like this one, never NULL; a new one has second 0.
plLoopKind* pl_crew_kind(plCrew* crew, plLoopBody* body, double work);
// How many threads a loop of so much work gets.
int pl_crew_for(plCrew* crew, const plLoopKind* kind, double work);
void pl_crew_learn(plLoopKind* kind, double work, double seconds);

#endif

// live.h: a simulation that the pages show and control: shared by its clock (live.c) and the execution of
// orders (live_orders.c).
#ifndef PL_VIEW_LIVE_H
#define PL_VIEW_LIVE_H

#include "parts.h"

struct plLive {
  plLiveOptions options;
  plData* data;
  plHistory history;
  plGrab grab;
  plTeleop teleop;
  plRecording* recording;
  char recording_path[PL_VIEW_PATH];
  double recorded_time;
  int recorded, files;
  double saved;  // s, wall time of the last saved state

  bool playing, failed, behind;
  int steps_left;   // single steps asked for
  double speed;     // 0: as fast as possible
  double due;       // s, wall time of the next step
  double pictured;  // s, wall time of the last snapshot
  bool changed;     // there is something to show although no step was taken
  double window_begin, window_simulated, window_busy;
  int window_steps;
  double rate, capacity;
  double step_begin;  // s, wall time at which the last step began
  double seen;        // s, simulated time before it

  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t fresh;
  bool running, stop, is_fresh;  // running: the thread steps
  bool held;                     // a step of the caller waits for the page or the clock
  plSnapshot snapshot[3];
  plSnapshot *back, *ready, *front;  // written by the simulation, passed on, read by the pages
};

// ---- live_orders.c

void pl_live_obey(plLive* live, const plOrder* order);
// A frame of the recording that a page asked for, if one is due.
void pl_live_record(plLive* live);
void pl_live_end_recording(plLive* live);
// A message for a page; client -1: all.
void pl_live_tell(plLive* live, int client, const char* kind, const char* text);

#endif

// view.h: a simulation or a recording as a page in the browser: what `pliant view` serves (docs/viewer.md).
//
//   plView* view;
//   plViewOptions options = pl_default_view_options();
//   if (!pl_view_open(data, &options, &view, &error)) {
//     printf("%s\n", pl_view_address(view));
//     while (data->time < 10 && !pl_step(data, &error))
//       while (!pl_view_sync(view, 0.1)) continue;
//     pl_view_close(view);
//   }
//
// Threads of the view serve the pages; they never touch the simulation. Who steps it meets the pages between
// two steps: the caller in pl_view_sync, or a thread of the view's own after pl_view_start. While that one
// runs the simulation is the view's alone. SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_VIEW_H
#define PLIANT_VIEW_H

#include "pliant/output.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plView plView;

typedef struct plViewOptions {
  const char* name;  // what the page calls it; default "simulation"
  const char* bind;  // address to serve at; default "127.0.0.1": this machine alone; "0.0.0.0": everyone
  int port;          // default 0: any that is free
  bool paused;       // wait for the page's play button; default false
  double speed;      // simulated seconds per second; 0: as fast as possible; default 1
} plViewOptions;

PL_API plViewOptions pl_default_view_options(void);

// Serves a page on a simulation, which must outlive the view. Pages that show the token in the address may
// give orders, others may watch. PL_ERROR_INPUT if the address or port cannot be had, or if the library was
// built without the page.
PL_API plStatus pl_view_open(plData* data, const plViewOptions* options, plView** view, plError* error);
// The same for a recording, which a thread of the view plays.
PL_API plStatus pl_view_open_recording(const char* path, const plViewOptions* options, plView** view,
                                       plError* error);
// "http://127.0.0.1:8080/#token=...", for a browser; lasts as long as the view.
PL_API const char* pl_view_address(const plView* view);
// What is odd about a recording, e.g. that it was not finished; "" if nothing is.
PL_API const char* pl_view_note(const plView* view);
// How many pages are open.
PL_API int pl_view_pages(const plView* view);

// To be called by whoever steps, after each step: shows the state, obeys the pages (play and pause, inputs,
// pulls, rewinding) and keeps time. True if the next step may be taken; false if the given seconds (at most
// 1e9) passed before the page's play button or the clock allowed it: call again. While a hand pulls at a
// body, f_user and f_body are the hand's. True at once while a thread of the view steps, and for a recording.
PL_API bool pl_view_sync(plView* view, double seconds);

// A thread of the view steps from now on, by the clock and the page's buttons. A recording plays by itself.
PL_API plStatus pl_view_start(plView* view, plError* error);
// Ends that: true once the simulation is the caller's again, false if a step takes longer than the given
// seconds. The view still serves, and can be started again.
PL_API bool pl_view_stop(plView* view, double seconds);

// Ends everything, waiting for a step that is being computed; NULL is allowed. In a child of fork, which has
// no threads of the view, it closes what the child inherited.
PL_API void pl_view_close(plView* view);

#ifdef __cplusplus
}
#endif
#endif

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
// Threads of the view serve the pages and never touch the simulation. The thread that steps exchanges data
// with the pages between two steps: the caller in pl_view_sync, or a thread of the view after pl_view_start.
// While that thread runs, the caller must not use the simulation.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_VIEW_H
#define PLIANT_VIEW_H

#include "pliant/output.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plView plView;

typedef struct plViewOptions {
  const char* name;  // title of the page; default "simulation"
  // Address to listen on; default "127.0.0.1" (this machine only); "0.0.0.0" for every machine
  const char* bind;
  int port;      // default 0: any free port
  bool paused;   // true waits for the page's play button; default false
  double speed;  // simulated seconds per second; 0: as fast as possible; default 1
} plViewOptions;

PL_API plViewOptions pl_default_view_options(void);

// Serves a page on a simulation, which must outlive the view. Pages opened with the token in the address may
// control the simulation, others may only watch. Fails with PL_ERROR_INPUT if the address or port is not
// available, or if the library was built without the page.
PL_API plStatus pl_view_open(plData* data, const plViewOptions* options, plView** view, plError* error);
// The same for a recording, which a thread of the view plays.
PL_API plStatus pl_view_open_recording(const char* path, const plViewOptions* options, plView** view,
                                       plError* error);
// "http://127.0.0.1:8080/#token=...", for a browser; lasts as long as the view.
PL_API const char* pl_view_address(const plView* view);
// A remark on a recording, for example that it was not finished; "" if there is none.
PL_API const char* pl_view_note(const plView* view);
// The number of open pages.
PL_API int pl_view_pages(const plView* view);

// The thread that steps calls this after each step. It shows the state, carries out what the pages ask for
// (play, pause, inputs, pulling on bodies, rewinding) and keeps real time. It returns true if the next step
// may be taken. It returns false if the given seconds (at most 1e9) passed before the play button or the
// clock allowed a step; then call it again. While a user pulls on a body, the view writes f_user and f_body.
// It returns true at once while a thread of the view steps, and for a recording.
PL_API bool pl_view_sync(plView* view, double seconds);

// Lets a thread of the view step the simulation from now on, by the clock and the page's buttons. A recording
// plays without this.
PL_API plStatus pl_view_start(plView* view, plError* error);
// Stops that thread. Returns true once the caller may use the simulation again, false if a step takes longer
// than the given seconds. The view still serves pages and can be started again.
PL_API bool pl_view_stop(plView* view, double seconds);

// Stops serving and frees the view, after waiting for a step in progress. NULL is allowed. In a forked child,
// which has no threads of the view, it only closes what the child inherited.
PL_API void pl_view_close(plView* view);

#ifdef __cplusplus
}
#endif
#endif

// progress.c: simulated time, realtime rate and Newton iterations during a run, on stderr.
#include "progress.h"

#include <time.h>
#include <unistd.h>

enum { WIDTH = 28 };

double wall_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double processor_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

Progress progress_begin(bool quiet, double begin, double end) {
  return (Progress){.quiet = quiet, .bar = isatty(2) == 1, .begin = begin, .end = end, .shown = wall_clock()};
}

void progress_update(Progress* p, const plData* data, const RunStats* stats) {
  double now = wall_clock();
  if (p->quiet || now - p->shown < (p->bar ? 0.1 : 10)) return;
  // The recent rate, so that it follows changes.
  double wall = stats->wall - p->shown_wall,
         rate = wall > 0 ? (stats->simulated - p->shown_simulated) / wall : 0;
  double overall = stats->simulated > 0 ? stats->wall / stats->simulated : 0,
         left = (p->end - data->time) * overall;
  p->shown = now;
  p->shown_wall = stats->wall;
  p->shown_simulated = stats->simulated;
  if (!p->bar) {
    fprintf(
        stderr,
        "t = %.4g of %.4g s, %.3g times real time, %d Newton iterations, %d constraints, about %.0f s left\n",
        data->time, p->end, rate, step_iterations(&data->report), data->report.constraints, left);
    return;
  }
  double part = p->end > p->begin ? (data->time - p->begin) / (p->end - p->begin) : 1;
  int full = part < 0 ? 0 : part > 1 ? WIDTH : (int)(part * WIDTH);
  char bar[WIDTH + 1];
  for (int i = 0; i < WIDTH; i++) bar[i] = i < full ? '#' : '.';
  bar[WIDTH] = 0;
  fprintf(stderr, "\r[%s] %.3f / %.3f s  %.3gx real time  Newton %d  constraints %d  %.0f s left\033[K", bar,
          data->time, p->end, rate, step_iterations(&data->report), data->report.constraints, left);
  fflush(stderr);
}

void progress_end(Progress* p) {
  if (!p->quiet && p->bar) fprintf(stderr, "\r\033[K");
}

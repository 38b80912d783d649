// progress.h: progress of a run: a bar on a terminal, a line from time to time elsewhere.
#ifndef PL_CLI_PROGRESS_H
#define PL_CLI_PROGRESS_H

#include "report.h"

typedef struct Progress {
  bool quiet, bar;
  double begin, end;  // s of simulated time
  double shown;       // s of wall time at which something was printed last
  double shown_simulated, shown_wall;
} Progress;

double wall_clock(void);
// Seconds of CPU time of this process, all its threads together.
double processor_clock(void);
Progress progress_begin(bool quiet, double begin, double end);
void progress_update(Progress* progress, const plData* data, const RunStats* stats);
// Removes the bar.
void progress_end(Progress* progress);

#endif

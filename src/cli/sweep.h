// sweep.h: the plan of a sweep: which values, in which rows, and the folder with finished shards.
#ifndef PL_CLI_SWEEP_H
#define PL_CLI_SWEEP_H

#include "cli.h"

enum { SWEEP_AXES = 16, SWEEP_SHARD = 64, SWEEP_MOST = 10000000 };

// One parameter and its values.
typedef struct Axis {
  char path[256];
  double* value;  // [n]
  int n;
} Axis;

// Rows are all combinations; the last axis changes fastest.
typedef struct Sweep {
  const char* out;  // folder
  Axis axis[SWEEP_AXES];
  int naxis;
  int nrow, nshard;
} Sweep;

// "path=a:b:n" (n values from a to b), "path=a:b:n:log", or "path=x,y,z". Returns -1 to continue, or an exit
// status.
int sweep_axis(Sweep* sweep, const char* text);
// After the last axis: counts rows. Returns the same.
int sweep_count(Sweep* sweep);
double sweep_value(const Sweep* sweep, int row, int axis);
void sweep_free(Sweep* sweep);

// Creates the folder, or finds it with the same plan; finished shards are kept. Returns -1 or an exit status.
int sweep_open(const Sweep* sweep, const char* plan, size_t size);
int sweep_first(int shard);  // its first row
int sweep_last(const Sweep* sweep, int shard);
bool sweep_done(const Sweep* sweep, int shard);
// Writes a complete shard at once; a crash never leaves an incomplete one.
bool sweep_write(const Sweep* sweep, int shard, const char* text, size_t size);
// sweep.csv of all shards.
bool sweep_join(const Sweep* sweep, const char* header);

#endif

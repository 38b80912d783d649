// timer.c: the monotonic clock.
#include "base/timer.h"

#include <time.h>

double pl_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

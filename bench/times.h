// times.h: whether a benchmark judges times. PLIANT_BENCH_TIMES=0 in the environment leaves them to be
// printed only: on a busy machine (CI) they say nothing about the program. All other checks count.
#ifndef PL_BENCH_TIMES_H
#define PL_BENCH_TIMES_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool times_count(void) {
  const char* text = getenv("PLIANT_BENCH_TIMES");
  return !text || strcmp(text, "0") != 0;
}

#endif

// verdict.h: checks of a benchmark: each is printed and counted, and an error ends the program.
#ifndef PL_BENCH_VERDICT_H
#define PL_BENCH_VERDICT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "pliant/types.h"

static int failures;

static inline void verdict(bool ok) {
  printf("  %s\n", ok ? "ok" : "FAILED");
  failures += !ok;
}

static inline void stop(const char* what, const plError* error) {
  fprintf(stderr, "%s: %s\n", what, error->message);
  exit(1);
}

#endif

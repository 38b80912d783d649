// only.h: the option --only NAME,... of benchmarks with several scenes.
#ifndef PL_BENCH_ONLY_H
#define PL_BENCH_ONLY_H

#include <stdbool.h>
#include <string.h>

// Whether the list has the name; without a list all are wanted.
static inline bool is_wanted(const char* only, const char* name) {
  size_t n = strlen(name);
  for (const char* at = only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (!strncmp(at, name, n) && (at[n] == ',' || !at[n])) return true;
  return !only;
}

#endif

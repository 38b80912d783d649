// isa.h: an unknown PLIANT_ISA ends a benchmark that makes no model, as it ends one that does.
#ifndef PL_BENCH_ISA_H
#define PL_BENCH_ISA_H

#include <stdbool.h>
#include <stdio.h>

#include "base/cpu_wish.h"

static inline bool isa_is_known(void) {
  plError error = {0};
  if (!pl_isa_check(&error)) return true;
  fprintf(stderr, "%s\n", error.message);
  return false;
}

#endif

// cpu.c: run-time choice of the instruction set.
#include "base/cpu.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "pliant/types.h"

plIsa pl_isa_machine(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return PL_ISA_AVX512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return PL_ISA_AVX2;
#endif
  return PL_ISA_PLAIN;
}

const char* pl_isa_name(plIsa isa) {
  return isa == PL_ISA_AVX512 ? "avx512" : isa == PL_ISA_AVX2 ? "avx2" : "plain";
}

// The wish of the environment; empty is none.
static const char* wish_of(void) {
  const char* wish = getenv("PLIANT_ISA");
  return wish && wish[0] ? wish : NULL;
}

const char* pl_isa_unknown(void) {
  const char* wish = wish_of();
  for (plIsa i = PL_ISA_PLAIN; wish && i <= PL_ISA_AVX512; i++)
    if (!strcmp(wish, pl_isa_name(i))) return NULL;
  return wish;
}

const char* pl_instruction_set(void) { return pl_isa_name(pl_isa()); }

const char* pl_compiler(void) {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "unknown";
#endif
}

plIsa pl_isa(void) {
  static atomic_int cached = -1;
  int isa = atomic_load_explicit(&cached, memory_order_relaxed);
  if (isa >= 0) return (plIsa)isa;
  plIsa best = pl_isa_machine();
  const char* wish = wish_of();
  for (plIsa i = PL_ISA_PLAIN; wish && i < best; i++)
    if (!strcmp(wish, pl_isa_name(i))) best = i;
  atomic_store_explicit(&cached, (int)best, memory_order_relaxed);
  return best;
}

// cpu.c: run-time choice of the instruction set.
#include "base/cpu.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu_wish.h"
#include "base/error.h"

#if defined(__x86_64__)
#include <cpuid.h>

// The registers that the operating system saves: 2 and 4 are those of AVX, 0xe0 adds those of AVX-512.
static unsigned saved_registers(void) {
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

// From cpuid itself: __builtin_cpu_supports needs a run-time library that not every tool chain links.
plIsa pl_isa_machine(void) {
  unsigned a, b, c, d, leaf7;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_FMA) || !(c & bit_AVX))
    return PL_ISA_PLAIN;
  unsigned saved = saved_registers();
  if ((saved & 0x6) != 0x6 || !__get_cpuid_count(7, 0, &a, &leaf7, &c, &d) || !(leaf7 & bit_AVX2))
    return PL_ISA_PLAIN;
  bool wide = (leaf7 & bit_AVX512F) && (leaf7 & bit_AVX512DQ) && (leaf7 & bit_AVX512VL);
  return wide && (saved & 0xe6) == 0xe6 ? PL_ISA_AVX512 : PL_ISA_AVX2;
}
#else
plIsa pl_isa_machine(void) { return PL_ISA_PLAIN; }
#endif

const char* pl_isa_name(plIsa isa) {
  return isa == PL_ISA_AVX512 ? "avx512" : isa == PL_ISA_AVX2 ? "avx2" : "plain";
}

// The instruction set requested in the environment; empty: none.
static const char* wish_of(void) {
  const char* wish = getenv("PLIANT_ISA");
  return wish && wish[0] ? wish : NULL;
}

// The value of PLIANT_ISA if it is not valid; NULL if it is. pl_model_create refuses an invalid one.
static const char* unknown_isa(void) {
  const char* wish = wish_of();
  for (plIsa i = PL_ISA_PLAIN; wish && i <= PL_ISA_AVX512; i++)
    if (!strcmp(wish, pl_isa_name(i))) return NULL;
  return wish;
}

plStatus pl_isa_check(plError* error) {
  const char* wish = unknown_isa();
  if (!wish) return PL_OK;
  return pl_fail(error, PL_ERROR_INPUT,
                 "PLIANT_ISA is '%.40s' in the environment; it may be plain, avx2 or avx512, or not set",
                 wish);
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

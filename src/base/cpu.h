// cpu.h: which instruction set the fast kernels may use.
//
// PLIANT_ISA=plain|avx2|avx512 in the environment forces a path (never one that the machine lacks).
#ifndef PL_BASE_CPU_H
#define PL_BASE_CPU_H

typedef enum plIsa { PL_ISA_PLAIN = 0, PL_ISA_AVX2 = 1, PL_ISA_AVX512 = 2 } plIsa;

plIsa pl_isa(void);                  // the best path allowed, found once
plIsa pl_isa_machine(void);          // the best path the machine has, whatever the environment says
const char* pl_isa_name(plIsa isa);  // "plain", "avx2", "avx512"

#endif

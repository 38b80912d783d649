// cpu_wish.h: whether the environment asks for an instruction set that exists.
#ifndef PL_BASE_CPU_WISH_H
#define PL_BASE_CPU_WISH_H

#include "pliant/types.h"

// Fails if PLIANT_ISA is neither plain, avx2 nor avx512. Functions that make a model or read a mesh call it
// first.
plStatus pl_isa_check(plError* error);

#endif

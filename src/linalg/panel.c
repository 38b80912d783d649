// panel.c: selects the kernels for the instruction set.
#include "linalg/panel.h"

const plPanelKernels* pl_panel_kernels(plIsa isa) {
#if defined(__x86_64__)
  if (isa == PL_ISA_AVX512) return &pl_panel_avx512;
  if (isa == PL_ISA_AVX2) return &pl_panel_avx2;
#else
  (void)isa;
#endif
  return &pl_panel_plain;
}

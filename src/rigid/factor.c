// factor.c: A = L' D L of one tree for any machine, and the choice among the instruction sets.
#include <assert.h>

#include "base/cpu.h"
#include "rigid/factor_kernel.h"

int pl_tree_factor(const plTree* tree, int t, const double* A, double* L) {
  assert(t >= 0 && t < tree->ntree);
#if defined(__x86_64__)
  if (pl_isa() >= PL_ISA_AVX2) return pl_tree_factor_avx2(tree, t, A, L);
#endif
  return tree_factor(tree, t, A, L);
}

void pl_tree_solve(const plTree* tree, int t, const double* L, double* x) {
  assert(t >= 0 && t < tree->ntree);
#if defined(__x86_64__)
  if (pl_isa() >= PL_ISA_AVX2) {
    pl_tree_solve_avx2(tree, t, L, x);
    return;
  }
#endif
  tree_solve(tree, t, L, x);
}

// factor_avx2.c: factor_kernel.h compiled for this instruction set.
#include "rigid/factor_kernel.h"

int pl_tree_factor_avx2(const plTree* tree, int t, const double* A, double* L) {
  return tree_factor(tree, t, A, L);
}

void pl_tree_solve_avx2(const plTree* tree, int t, const double* L, double* x) { tree_solve(tree, t, L, x); }

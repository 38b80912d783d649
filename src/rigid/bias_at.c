// bias_at.c: bias(q, v) from q and v alone, for any machine, and the choice among the instruction sets.
#include <assert.h>

#include "base/cpu.h"
#include "rigid/bias_kernel.h"

void pl_tree_bias(const plTree* tree, int t, const double* q, const double* v, plVec3 gravity,
                  plBiasNode* node, double* tau) {
  assert(t >= 0 && t < tree->ntree);
#if defined(__x86_64__)
  if (pl_isa() >= PL_ISA_AVX2) {
    pl_tree_bias_avx2(tree, t, q, v, gravity, node, tau);
    return;
  }
#endif
  tree_bias(tree, t, q, v, gravity, node, tau);
}

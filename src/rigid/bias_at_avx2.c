// bias_at_avx2.c: bias_kernel.h compiled for this instruction set.
#include "rigid/bias_kernel.h"

void pl_tree_bias_avx2(const plTree* tree, int t, const double* q, const double* v, plVec3 gravity,
                       plBiasNode* node, double* tau) {
  tree_bias(tree, t, q, v, gravity, node, tau);
}

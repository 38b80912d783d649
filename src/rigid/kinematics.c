// kinematics.c: Jacobians of the nodes' points, and forces on them.
#include <assert.h>
#include <string.h>

#include "rigid/tree.h"

void pl_tree_jacobian(const plTree* tree, const plTreeState* state, int node, plVec3 p, double* J) {
  int t = pl_tree_of_node(tree, node), v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  plVec3 r = v3_sub(p, state->tree_point[t]);
  assert(pl_tree_last_dof(tree, node) - v0 < n);
  memset(J, 0, sizeof(double) * 6 * (size_t)n);
  for (int k = pl_tree_last_dof(tree, node); k >= 0; k = tree->dof_parent[k]) {
    v3_store(J + 6 * (k - v0), state->dof_S[k].w);
    v3_store(J + 6 * (k - v0) + 3, motion_at(state->dof_S[k], r));
  }
}

void pl_tree_add_force(const plTree* tree, const plTreeState* state, int node, plVec3 p, plForce force,
                       double* f) {
  plVec3 r = v3_sub(p, state->tree_point[pl_tree_of_node(tree, node)]);
  plForce at_point = {v3_add(force.n, v3_cross(r, force.f)), force.f};
  for (int k = pl_tree_last_dof(tree, node); k >= 0; k = tree->dof_parent[k])
    f[k] += motion_dot(state->dof_S[k], at_point);
}

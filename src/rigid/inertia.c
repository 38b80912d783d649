// inertia.c: energies and momentum.
#include "rigid/tree.h"

double pl_tree_kinetic(const plTree* tree, const plTreeState* state, const double* v, int t) {
  double e = 0;
  for (int i = tree->tree_node0[t]; i < tree->tree_node0[t + 1]; i++)
    e += 0.5 * motion_dot(state->node_V[i], inertia_mul(state->node_I[i], state->node_V[i]));
  for (int i = tree->tree_v0[t]; i < tree->tree_v0[t + 1]; i++)
    e += 0.5 * tree->dof_armature[i] * v[i] * v[i];
  return e;
}

double pl_tree_potential(const plTree* tree, const plTreeState* state, plVec3 gravity, int t) {
  double e = 0;
  for (int i = tree->tree_node0[t]; i < tree->tree_node0[t + 1]; i++) {
    plVec3 h =
        v3_madd(m3_mulv(state->node_R[i], tree->node_moment[i]), tree->node_weight[i], state->node_p[i]);
    e -= v3_dot(gravity, h);
  }
  return e;
}

plForce pl_tree_momentum(const plTree* tree, const plTreeState* state, int t) {
  plForce L = force_zero();
  for (int i = tree->tree_node0[t]; i < tree->tree_node0[t + 1]; i++)
    L = force_add(L, inertia_mul(state->node_I[i], state->node_V[i]));
  return (plForce){v3_add(L.n, v3_cross(state->tree_point[t], L.f)), L.f};
}

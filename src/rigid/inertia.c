// inertia.c: the mass matrix by composite bodies, energies and momentum.
//
// M_ij = S_j . Ic_i S_i for dof j on the path from dof i to the root; Ic_i is the inertia of everything that
// dof i moves.
#include "rigid/tree.h"

#include <string.h>

// node_I -> node_Ic, leaves first
static void composite(const plTree* tree, plTreeState* s) {
  for (int i = 0; i < tree->nnode; i++) s->node_Ic[i] = s->node_I[i];
  for (int i = tree->nnode - 1; i >= 0; i--)
    if (tree->node_parent[i] >= 0)
      s->node_Ic[tree->node_parent[i]] = inertia_add(s->node_Ic[tree->node_parent[i]], s->node_Ic[i]);
}

static void tree_block(const plTree* tree, const plTreeState* s, int t, double* M) {
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  memset(M, 0, sizeof(double) * (size_t)n * (size_t)n);
  for (int i = v0; i < v0 + n; i++) {
    plForce F = inertia_mul(s->node_Ic[tree->dof_node[i]], s->dof_S[i]);
    M[(i - v0) * n + i - v0] = motion_dot(s->dof_S[i], F) + tree->dof_armature[i];
    for (int j = tree->dof_parent[i]; j >= 0; j = tree->dof_parent[j])
      M[(i - v0) * n + j - v0] = M[(j - v0) * n + i - v0] = motion_dot(s->dof_S[j], F);
  }
}

void pl_tree_mass(const plTree* tree, plTreeState* state, double* M) {
  composite(tree, state);
  for (int t = 0; t < tree->ntree; t++) tree_block(tree, state, t, M + tree->tree_M0[t]);
}

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

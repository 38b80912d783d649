// bias.c: inverse dynamics by the recursive Newton-Euler algorithm, tau = M(q) vdot + bias(q, v).
//
// Forward: accelerations A_i = A_parent + Sdot_i v_i + S_i vdot_i. Axes are fixed in the parent, so Sdot v =
// V_parent x S v; a free joint turns about a point that moves with it, which adds (0, v_o x w), v_o and w
// being its own rates. Then the force that each node needs, F_i = I_i A_i + V_i x* I_i V_i - weight.
// Backward: tau_i = S_i . F_i, and F_i is passed on to the parent.
#include "rigid/tree.h"

// Sdot v of node i in the world
static plMotion rate_of_axes(const plTree* tree, const double* v, int i, const plTreeState* s) {
  int parent = tree->node_parent[i], k = tree->node_v0[i];
  plMotion c = motion_zero();
  if (parent >= 0) {
    plMotion relative =
        (plMotion){v3_sub(s->node_V[i].w, s->node_V[parent].w), v3_sub(s->node_V[i].v, s->node_V[parent].v)};
    c = motion_cross(s->node_V[parent], relative);
  }
  if (tree->node_kind[i] == PL_NODE_FREE) {
    plVec3 vo = {0, 0, 0}, w = {0, 0, 0};
    for (int j = 0; j < 3; j++) {
      vo = v3_madd(vo, v[k + j], s->dof_S[k + j].v);
      w = v3_madd(w, v[k + 3 + j], s->dof_S[k + 3 + j].w);
    }
    c.v = v3_add(c.v, v3_cross(vo, w));
  }
  return c;
}

// node_F -> tau, leaves first
static void project(const plTree* tree, plTreeState* s, double* tau) {
  for (int i = tree->nnode - 1; i >= 0; i--) {
    int k0 = tree->node_v0[i], n = pl_node_nv(tree->node_kind[i]), parent = tree->node_parent[i];
    for (int k = k0; k < k0 + n; k++) tau[k] = motion_dot(s->dof_S[k], s->node_F[i]);
    if (parent >= 0) s->node_F[parent] = force_add(s->node_F[parent], s->node_F[i]);
  }
}

void pl_tree_inverse_dynamics(const plTree* tree, const double* v, const double* vdot, plTreeState* s,
                              double* tau) {
  for (int i = 0; i < tree->nnode; i++) {
    int parent = tree->node_parent[i];
    plMotion A = rate_of_axes(tree, v, i, s);
    if (parent >= 0) A = motion_add(A, s->node_A[parent]);
    int k0 = tree->node_v0[i], n = pl_node_nv(tree->node_kind[i]);
    if (vdot)
      for (int k = k0; k < k0 + n; k++) A = motion_madd(A, vdot[k], s->dof_S[k]);
    s->node_A[i] = A;
    plForce momentum = inertia_mul(s->node_I[i], s->node_V[i]);
    plForce F = force_add(inertia_mul(s->node_I[i], A), motion_cross_force(s->node_V[i], momentum));
    s->node_F[i] = force_sub(F, s->node_weight[i]);
  }
  project(tree, s, tau);
  if (vdot)
    for (int k = 0; k < tree->nv; k++) tau[k] += tree->dof_armature[k] * vdot[k];
}

void pl_tree_gravity(const plTree* tree, plTreeState* s, double* tau) {
  for (int i = 0; i < tree->nnode; i++) s->node_F[i] = force_sub(force_zero(), s->node_weight[i]);
  project(tree, s, tau);
}

// kinematics.c: positions and velocities of the nodes, and Jacobians of their points.
//
// q, v -> node_R, node_p, dof_S, node_I, node_weight, node_V of plTreeState.
#include <assert.h>
#include <string.h>

#include "rigid/node_frame.h"

// A turn about the axis through p, as a motion about the point o.
static plMotion turn(plVec3 axis, plVec3 p, plVec3 o) {
  return (plMotion){axis, v3_cross(axis, v3_sub(o, p))};
}

// Pose of node i, and the motions of its dofs as far as they do not need the tree's reference point; returns
// the axes of F in the world.
static plMat3 place_node(const plTree* tree, const double* q, int i, plTreeState* s) {
  plVec3 p;
  plMat3 F = pl_place_frame(tree, i, s, &p);
  const double* qi = q + tree->node_q0[i];
  switch (tree->node_kind[i]) {
    case PL_NODE_REVOLUTE:
      s->node_R[i] = pl_place_turn(tree, i, &F, qi[0]);
      break;
    case PL_NODE_PRISMATIC:
      s->node_R[i] = F;
      p = v3_madd(p, qi[0], pl_place_axis(tree, i, &F));
      break;
    case PL_NODE_SCREW:
      s->node_R[i] = pl_place_turn(tree, i, &F, qi[0]);
      p = v3_madd(p, tree->node_pitch[i] * qi[0], pl_place_axis(tree, i, &F));
      break;
    case PL_NODE_BALL:
      s->node_R[i] = m3_mul(F, quat_matrix(quat_load(qi)));
      break;
    default:
      s->node_R[i] = m3_mul(F, quat_matrix(quat_load(qi + 3)));
      p = v3_add(p, m3_mulv(F, v3_load(qi)));
  }
  s->node_p[i] = p;
  return F;
}

// The motions for unit rates of node i's dofs, about the point o.
static void node_motions(const plTree* tree, int i, const plMat3* F, plVec3 o, plTreeState* s) {
  plMotion* S = s->dof_S + tree->node_v0[i];
  plVec3 p = s->node_p[i], zero = v3(0, 0, 0);
  switch (tree->node_kind[i]) {
    case PL_NODE_REVOLUTE:
      S[0] = turn(pl_place_axis(tree, i, F), p, o);
      break;
    case PL_NODE_PRISMATIC:
      S[0] = (plMotion){zero, pl_place_axis(tree, i, F)};
      break;
    case PL_NODE_SCREW:
      S[0] = turn(pl_place_axis(tree, i, F), p, o);
      S[0].v = v3_madd(S[0].v, tree->node_pitch[i], S[0].w);
      break;
    case PL_NODE_BALL:
      for (int k = 0; k < 3; k++) S[k] = turn(m3_column(*F, k), p, o);
      break;
    default:
      for (int k = 0; k < 3; k++) S[k] = (plMotion){zero, m3_column(*F, k)};
      for (int k = 0; k < 3; k++) S[3 + k] = turn(m3_column(*F, k), p, o);
  }
}

// Inertia and weight of node i in world axes about the point o.
static void node_inertia(const plTree* tree, int i, plVec3 o, plVec3 gravity, plTreeState* s) {
  plSym3 I = tree->node_inertia[i];
  if (tree->node_mass[i] == 0 && I.xx + I.yy + I.zz == 0) {
    s->node_I[i] = (plInertia){0};
    s->node_weight[i] = force_zero();
    return;
  }
  plMat3 R = s->node_R[i];
  plVec3 p = v3_sub(s->node_p[i], o), c = v3_add(p, m3_mulv(R, tree->node_com[i]));
  s->node_I[i] = inertia_of(tree->node_mass[i], c, sym3_rotate(R, I));
  double w = tree->node_weight[i];
  plVec3 h = v3_madd(m3_mulv(R, tree->node_moment[i]), w, p);
  s->node_weight[i] = (plForce){v3_cross(h, gravity), v3_scale(w, gravity)};
}

void pl_tree_kinematics(const plTree* tree, const double* q, plVec3 gravity, plTreeState* s) {
  for (int t = 0; t < tree->ntree; t++) {
    plVec3 o = {0, 0, 0};
    for (int i = tree->tree_node0[t]; i < tree->tree_node0[t + 1]; i++) {
      plMat3 F = place_node(tree, q, i, s);
      if (i == tree->tree_node0[t]) o = s->tree_point[t] = s->node_p[i];
      node_motions(tree, i, &F, o, s);
      node_inertia(tree, i, o, gravity, s);
    }
  }
}

void pl_tree_velocity(const plTree* tree, const double* v, plTreeState* s) {
  for (int i = 0; i < tree->nnode; i++) {
    plMotion V = tree->node_parent[i] < 0 ? motion_zero() : s->node_V[tree->node_parent[i]];
    int k0 = tree->node_v0[i], n = pl_node_nv(tree->node_kind[i]);
    for (int k = k0; k < k0 + n; k++) V = motion_madd(V, v[k], s->dof_S[k]);
    s->node_V[i] = V;
  }
}

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

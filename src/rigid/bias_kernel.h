// bias_kernel.h: bias(q, v) of one tree from q and v alone, Coriolis forces and gravity; compiled once per
// instruction set by bias_at.c and bias_at_avx2.c.
//
// The same forces as those of dynamics_kernel.h, with fewer operations: each node has its velocity and
// acceleration at its own origin, and its moments of inertia stay in its own axes. Nothing that M needs is
// made.
//
// Forward: angular velocity w, angular acceleration and the acceleration of the origin, all for vdot = 0; the
// axes of a joint are fixed in its parent. Backward: forces, with their moments about the node's origin.
#ifndef PL_RIGID_BIAS_KERNEL_H
#define PL_RIGID_BIAS_KERNEL_H

#include "math/wide.h"
#include "rigid/node_frame.h"

// R = A Rot(axis, angle) from the angle's sine and cosine; along: the axis is this one of A, or -1.
static inline void bias_turn(const plWide3* A, int along, const plVec3* axis, double s, double c,
                             plWide3* R) {
  if (along >= 0) {
    int i = along == 2 ? 0 : along + 1, j = along == 0 ? 2 : along - 1;
    plWide x = A->c[i], y = A->c[j];
    R->c[along] = A->c[along], R->c[i] = x * c + y * s, R->c[j] = y * c - x * s;
    return;
  }
  // A (c + (1 - c) a a' + s [a]), and A a is the axis in the world
  const double a[3] = {axis->x, axis->y, axis->z};
  plWide z = wide_mulv(A, axis), k = z * (1 - c);
  for (int j = 0; j < 3; j++) R->c[j] = A->c[j] * c + k * a[j] + wide_cross(z, A->c[j]) * s;
}

// The axes of F of node i in the world: those of its parent, or their product with its own, in room.
static inline const plWide3* bias_frame(const plTree* tree, int i, const plBiasNode* node, plWide3* room) {
  int parent = tree->node_parent[i];
  if (parent >= 0 && tree->node_straight[i]) return &node[parent].R;
  *room = wide_columns(&tree->node_R[i]);
  if (parent >= 0) *room = wide_product(&node[parent].R, &tree->node_R[i]);
  return room;
}

static inline plWide3 bias_ball(const plWide3* F, const double* q) {
  plMat3 R = quat_matrix(quat_unit((plQuat){q[0], q[1], q[2], q[3]}));
  return wide_product(F, &R);
}

// Pose of node i, given sine and cosine of a hinge's angle; how it turns and slides relative to its parent.
static inline void bias_place(const plTree* tree, int i, const double* q, const double* v, double sine,
                              double cosine, plBiasNode* node, plWide* turn, plWide* slide) {
  int parent = tree->node_parent[i], kind = tree->node_kind[i], along = tree->node_along[i];
  const double *qi = q + tree->node_q0[i], *vi = v + tree->node_v0[i];
  plBiasNode* own = &node[i];
  plWide3 room;
  const plWide3* F = bias_frame(tree, i, node, &room);
  plWide p = wide_load(&tree->node_p[i]);
  if (parent >= 0) p = node[parent].p + wide_mulv(&node[parent].R, &tree->node_p[i]);
  *slide = wide_zero();
  if (kind < PL_NODE_BALL) {
    plWide axis = own->axis = along >= 0 ? F->c[along] : wide_mulv(F, &tree->node_axis[i]);
    if (kind == PL_NODE_PRISMATIC)
      for (int k = 0; k < 3; k++) own->R.c[k] = F->c[k];
    else
      bias_turn(F, along, &tree->node_axis[i], sine, cosine, &own->R);
    *turn = axis * (kind == PL_NODE_PRISMATIC ? 0 : vi[0]);
    if (kind != PL_NODE_REVOLUTE) {
      double pitch = kind == PL_NODE_SCREW ? tree->node_pitch[i] : 1;
      p += axis * (pitch * qi[0]), *slide = axis * (pitch * vi[0]);
    }
  } else {
    bool free = kind == PL_NODE_FREE;
    plVec3 w = v3_load(vi + (free ? 3 : 0)), at = free ? v3_load(qi) : v3(0, 0, 0),
           rate = free ? v3_load(vi) : v3(0, 0, 0);
    own->R = bias_ball(F, qi + (free ? 3 : 0));
    *turn = wide_mulv(F, &w), *slide = wide_mulv(F, &rate);
    p += wide_mulv(F, &at);
  }
  own->p = p;
}

// What node i needs to move as it does, with the moment about its origin.
static inline void bias_force(const plTree* tree, int i, plWide gravity, plBiasNode* own) {
  const plSym3* inertia = &tree->node_inertia[i];
  double m = tree->node_mass[i];
  own->n = own->f = wide_zero();
  if (m == 0 && inertia->xx + inertia->yy + inertia->zz == 0) return;
  plWideSym I = wide_sym(inertia);
  plWide w = own->w, r = wide_mulv(&own->R, &tree->node_com[i]);
  plWide f = (own->a + wide_cross(own->turn, r) + wide_cross(w, wide_cross(w, r))) * m;
  plWide wb = wide_tmul(&own->R, w), tb = wide_tmul(&own->R, own->turn);
  plWide n = wide_sym_mul(&I, tb) + wide_cross(wb, wide_sym_mul(&I, wb));
  own->f = f - gravity * tree->node_weight[i];
  own->n = wide_mul(&own->R, n) + wide_cross(r, f) -
           wide_cross(wide_mulv(&own->R, &tree->node_moment[i]), gravity);
}

// tau of node i, whose whole load is known.
static inline void bias_project(const plTree* tree, int i, const plBiasNode* node, double* tau) {
  const plBiasNode* own = &node[i];
  int kind = tree->node_kind[i];
  tau += tree->node_v0[i];
  if (kind == PL_NODE_PRISMATIC) {
    tau[0] = wide_dot(own->axis, own->f);
  } else if (kind < PL_NODE_BALL) {
    tau[0] = wide_dot(own->axis, own->n);
    if (kind == PL_NODE_SCREW) tau[0] += tree->node_pitch[i] * wide_dot(own->axis, own->f);
  } else {
    plWide3 room;
    const plWide3* F = bias_frame(tree, i, node, &room);
    for (int k = 0; k < 3 && kind == PL_NODE_FREE; k++) *tau++ = wide_dot(F->c[k], own->f);
    for (int k = 0; k < 3; k++) tau[k] = wide_dot(F->c[k], own->n);
  }
}

static inline void tree_bias(const plTree* tree, int t, const double* q, const double* v, plVec3 gravity,
                             plBiasNode* node, double* tau) {
  int first = tree->tree_node0[t], end = tree->tree_node0[t + 1];
  plWide g = wide_load(&gravity);
  plTurns turns;
  for (int i = first; i < end; i++) {
    int parent = tree->node_parent[i], k = (i - first) % PL_TURNS;
    plBiasNode* own = &node[i];
    plWide turn, slide;
    if (!k) pl_find_turns(tree, q, i, end, &turns);
    bias_place(tree, i, q, v, turns.sine[k], turns.cosine[k], node, &turn, &slide);
    own->w = turn, own->turn = own->a = wide_zero();
    if (parent >= 0) {
      const plBiasNode* up = &node[parent];
      plWide w = up->w, d = own->p - up->p;
      own->a = up->a + wide_cross(up->turn, d) + wide_cross(w, wide_cross(w, d) + slide * 2);
      own->turn = up->turn + wide_cross(w, turn);
      own->w = w + turn;
    }
    bias_force(tree, i, g, own);
  }
  for (int i = end - 1; i >= first; i--) {
    int parent = tree->node_parent[i];
    bias_project(tree, i, node, tau);
    if (parent < 0) continue;
    plBiasNode* up = &node[parent];
    up->n += node[i].n + wide_cross(node[i].p - up->p, node[i].f), up->f += node[i].f;
  }
}

#endif

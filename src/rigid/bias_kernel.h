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

#include "math/four.h"
#include "rigid/node_frame.h"

// How node i turns and slides relative to its parent.
static inline void bias_rates(const plTree* tree, int i, const double* v, const plPlaced* own, plWide* turn,
                              plWide* slide) {
  const double* vi = v + tree->node_v0[i];
  int kind = tree->node_kind[i];
  *slide = wide_zero();
  if (kind == PL_NODE_REVOLUTE) {
    *turn = own->axis * vi[0];
  } else if (kind == PL_NODE_SCREW) {
    *turn = own->axis * vi[0], *slide = own->axis * (tree->node_pitch[i] * vi[0]);
  } else if (kind == PL_NODE_PRISMATIC) {
    *turn = wide_zero(), *slide = own->axis * vi[0];
  } else {
    bool free = kind == PL_NODE_FREE;
    plVec3 w = v3_load(vi + (free ? 3 : 0)), rate = free ? v3_load(vi) : v3(0, 0, 0);
    *turn = wide_mulv(&own->F, &w), *slide = wide_mulv(&own->F, &rate);
  }
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

// The same of the nodes i .. i+3.
static inline void four_bias_forces(const plTree* tree, int i, plVec3 gravity, plBiasNode* node) {
  plBiasNode* own = node + i;
  plFour33 R = {{four3_at(&own->R.c[0], sizeof *own), four3_at(&own->R.c[1], sizeof *own),
                 four3_at(&own->R.c[2], sizeof *own)}};
  plFour3 w = four3_at(&own->w, sizeof *own), turn = four3_at(&own->turn, sizeof *own),
          a = four3_at(&own->a, sizeof *own), g = four3_all(gravity);
  plFourSym I = four_sym_read(tree->node_inertia + i);
  plFour3 r = four33_mul(&R, four3_read(tree->node_com + i)),
          h = four33_mul(&R, four3_read(tree->node_moment + i));
  plFour3 wb = four33_tmul(&R, w), tb = four33_tmul(&R, turn);
  plFour3 nb = four3_add(four_sym_mul(&I, tb), four3_cross(wb, four_sym_mul(&I, wb)));
  a = four3_add(four3_add(a, four3_cross(turn, r)), four3_cross(w, four3_cross(w, r)));
  plFour3 f = four3_scale(four_read(tree->node_mass + i), a);
  plFour3 n = four3_add(four33_mul(&R, nb), four3_sub(four3_cross(r, f), four3_cross(h, g)));
  f = four3_sub(f, four3_scale(four_read(tree->node_weight + i), g));
  four3_put(&own->n, sizeof *own, n), four3_put(&own->f, sizeof *own, f);
}

// tau of node i, whose whole load is known.
static inline void bias_project(const plTree* tree, int i, const plBiasNode* node, plWide n, plWide f,
                                double* tau) {
  const plBiasNode* own = &node[i];
  int kind = tree->node_kind[i];
  tau += tree->node_v0[i];
  if (kind == PL_NODE_PRISMATIC) {
    tau[0] = wide_dot(own->axis, f);
  } else if (kind < PL_NODE_BALL) {
    tau[0] = wide_dot(own->axis, n);
    if (kind == PL_NODE_SCREW) tau[0] += tree->node_pitch[i] * wide_dot(own->axis, f);
  } else {
    int parent = tree->node_parent[i];
    plWide3 F = wide_columns(&tree->node_R[i]);
    if (parent >= 0) F = wide_product(&node[parent].R, &tree->node_R[i]);
    for (int k = 0; k < 3 && kind == PL_NODE_FREE; k++) *tau++ = wide_dot(F.c[k], f);
    for (int k = 0; k < 3; k++) tau[k] = wide_dot(F.c[k], n);
  }
}

static inline void tree_bias(const plTree* tree, int t, const double* q, const double* v, plVec3 gravity,
                             plBiasNode* node, double* tau) {
  int first = tree->tree_node0[t], end = tree->tree_node0[t + 1];
  plWide g = wide_load(&gravity);
  plBiasNode up = {.p = wide_zero()};
  plTurns turns;
  for (int i = first; i < end; i++) {
    int parent = tree->node_parent[i], k = (i - first) % PL_TURNS;
    plBiasNode* own = &node[i];
    plWide turn, slide;
    if (!k) pl_find_turns(tree, q, i, end, &turns);
    if (parent != i - 1 && parent >= 0) up = node[parent];
    plPlaced place = pl_place(tree, i, q, turns.sine[k], turns.cosine[k], &up.R, up.p);
    bias_rates(tree, i, v, &place, &turn, &slide);
    if (parent >= 0) {
      plWide w = up.w, d = place.p - up.p;
      up.a += wide_cross(up.turn, d) + wide_cross(w, wide_cross(w, d) + slide * 2);
      up.turn += wide_cross(w, turn);
      up.w = w + turn;
    } else {
      up.w = turn, up.turn = up.a = wide_zero();
    }
    up.R = place.R, up.p = place.p;
    own->R = up.R, own->p = up.p, own->w = up.w, own->turn = up.turn, own->a = up.a;
    own->axis = place.axis;
  }
  for (int i = first; i < end && end - first >= 4; i += 4)
    four_bias_forces(tree, i < end - 4 ? i : end - 4, gravity, node);
  for (int i = first; i < end && end - first < 4; i++) bias_force(tree, i, g, &node[i]);
  plWide n = wide_zero(), f = n;  // the load of the node before
  for (int i = end - 1; i >= first; i--) {
    int parent = tree->node_parent[i];
    plBiasNode* own = &node[i];
    n += own->n, f += own->f;
    bias_project(tree, i, node, n, f, tau);
    if (parent >= 0) n += wide_cross(own->p - node[parent].p, f);
    if (parent == i - 1) continue;
    if (parent >= 0) node[parent].n += n, node[parent].f += f;
    n = f = wide_zero();
  }
}

#endif

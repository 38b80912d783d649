// node_frame.h: the frame of a node in the world, for the recursions over a tree.
#ifndef PL_RIGID_NODE_FRAME_H
#define PL_RIGID_NODE_FRAME_H

#include <math.h>

#include "math/sines.h"
#include "rigid/tree.h"

static inline plQuat quat_load(const double* q) { return quat_unit((plQuat){q[0], q[1], q[2], q[3]}); }

// A Rot(axis k of A): column k stays; s, c: sine and cosine of the angle.
static inline plMat3 rotate_along(const plMat3* A, int k, double s, double c) {
  int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
  const double *a = A->m + 3 * k, *u = A->m + 3 * i, *v = A->m + 3 * j;
  plMat3 R;
  for (int d = 0; d < 3; d++) {
    R.m[3 * k + d] = a[d];
    R.m[3 * i + d] = c * u[d] + s * v[d], R.m[3 * j + d] = c * v[d] - s * u[d];
  }
  return R;
}

// A Rot(axis), Rodrigues' formula
static inline plMat3 rotate_about(const plMat3* A, plVec3 a, double s, double c) {
  double k = 1 - c;
  plMat3 J = {{c + k * a.x * a.x, k * a.x * a.y + s * a.z, k * a.x * a.z - s * a.y, k * a.x * a.y - s * a.z,
               c + k * a.y * a.y, k * a.y * a.z + s * a.x, k * a.x * a.z + s * a.y, k * a.y * a.z - s * a.x,
               c + k * a.z * a.z}};
  return m3_mul(*A, J);
}

// The axes of F of node i in the world, and its origin into *p.
static inline plMat3 pl_place_frame(const plTree* tree, int i, const plTreeState* s, plVec3* p) {
  int parent = tree->node_parent[i];
  if (parent < 0) {
    *p = tree->node_p[i];
    return tree->node_R[i];
  }
  *p = v3_add(s->node_p[parent], m3_mulv(s->node_R[parent], tree->node_p[i]));
  return tree->node_straight[i] ? s->node_R[parent] : m3_mul(s->node_R[parent], tree->node_R[i]);
}

// The joint's axis in the world; F as above.
static inline plVec3 pl_place_axis(const plTree* tree, int i, const plMat3* F) {
  return tree->node_along[i] >= 0 ? m3_column(*F, tree->node_along[i]) : m3_mulv(*F, tree->node_axis[i]);
}

// Sine and cosine of the angles of some consecutive nodes.
enum { PL_TURNS = 16 };
typedef struct plTurns {
  double sine[PL_TURNS], cosine[PL_TURNS];
} plTurns;

static inline bool pl_is_hinge(const plTree* tree, int i) {
  return tree->node_kind[i] == PL_NODE_REVOLUTE || tree->node_kind[i] == PL_NODE_SCREW;
}

static inline void pl_find_turns(const plTree* tree, const double* q, int first, int end, plTurns* turns) {
  int n = end - first < PL_TURNS ? end - first : PL_TURNS;
  bool some = false;
  double angle[PL_TURNS];
  for (int i = 0; i < n; i++) {
    bool hinge = pl_is_hinge(tree, first + i);
    angle[i] = hinge ? q[tree->node_q0[first + i]] : 0, some |= hinge;
    turns->sine[i] = 0, turns->cosine[i] = 1;
  }
  if (some) pl_sines(n, angle, turns->sine, turns->cosine);
}

static inline plMat3 pl_place_turn(const plTree* tree, int i, const plMat3* F, double s, double c) {
  return tree->node_along[i] >= 0 ? rotate_along(F, tree->node_along[i], s, c)
                                  : rotate_about(F, tree->node_axis[i], s, c);
}

#endif

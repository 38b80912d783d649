// forest.h: random forests and small helpers for the tests of rigid bodies.
#ifndef PL_TEST_FOREST_H
#define PL_TEST_FOREST_H

#include "base/memory.h"
#include "math/random_vec3.h"
#include "rigid/tree.h"

static inline plVec3 random_vec(plRandom* r, double a) { return v3_random(r, -a, a); }
static inline plVec3 random_unit(plRandom* r) {
  for (;;) {
    plVec3 a = random_vec(r, 1);
    if (v3_norm(a) > 0.1 && v3_norm(a) < 1) return v3_unit(a);
  }
}
static inline plQuat random_quat(plRandom* r) {
  double angle = pl_random(r, -3, 3);
  return quat_from_axis_angle(random_unit(r), angle);
}

// A physical inertia about the origin: a box of random sides somewhere near it.
static inline plInertia random_inertia(plRandom* r) {
  double m = pl_random(r, 0.1, 3), a = pl_random(r, 0.05, 0.3), b = pl_random(r, 0.05, 0.3),
         c = pl_random(r, 0.05, 0.3);
  plSym3 I = {m * (b * b + c * c) / 12, m * (a * a + c * c) / 12, m * (a * a + b * b) / 12, 0, 0, 0};
  I = sym3_rotate(quat_matrix(random_quat(r)), I);
  return inertia_of(m, random_vec(r, 0.2), I);
}

// n nodes of random kinds in about ntree trees. massless lets some nodes that carry others be without mass.
static inline void random_nodes(plRandom* r, plNodeDef* node, int n, int ntree, bool massless) {
  for (int i = 0; i < n; i++) {
    bool root = i == 0 || pl_random_int(r, n) < ntree - 1;
    plNodeDef d = {.parent = root ? -1 : pl_random(r, 0, 1) < 0.6 ? i - 1 : pl_random_int(r, i)};
    d.axis = random_unit(r);
    int kind = pl_random_int(r, 10);
    d.kind = kind < 5   ? PL_NODE_REVOLUTE
             : kind < 7 ? PL_NODE_PRISMATIC
             : kind < 8 ? PL_NODE_SCREW
             : kind < 9 ? PL_NODE_BALL
                        : PL_NODE_FREE;
    d.pose.p = random_vec(r, 0.4), d.pose.q = random_quat(r);
    d.pitch = d.kind == PL_NODE_SCREW ? pl_random(r, -0.1, 0.1) : 0;
    d.inertia = random_inertia(r);
    d.weight = d.inertia.m, d.moment = d.inertia.h;
    if (pl_random(r, 0, 1) < 0.2) d.weight = 0, d.moment = v3(0, 0, 0);
    for (int k = 0; k < 6; k++) d.armature[k] = pl_random(r, 0, 1) < 0.3 ? pl_random(r, 0, 0.5) : 0;
    node[i] = d;
  }
  // a node whose only dof is followed by another one's may be a mere frame, as in joints made of several
  // nodes
  for (int i = 1; massless && i < n; i++)
    if (node[i].parent == i - 1 && node[i].kind == PL_NODE_REVOLUTE &&
        node[i - 1].kind == PL_NODE_PRISMATIC && pl_random(r, 0, 1) < 0.5)
      node[i - 1].inertia = (plInertia){0}, node[i - 1].weight = 0, node[i - 1].moment = v3(0, 0, 0);
}

static inline void random_state(plRandom* r, const plTree* tree, double* q, double* v) {
  for (int i = 0; i < tree->nq; i++) q[i] = pl_random(r, -2, 2);
  for (int i = 0; i < tree->nnode; i++) {
    int kind = tree->node_kind[i];
    if (kind < PL_NODE_BALL) continue;
    double* p = q + tree->node_q0[i] + (kind == PL_NODE_FREE ? 3 : 0);
    plQuat a = random_quat(r);
    p[0] = a.w, p[1] = a.x, p[2] = a.y, p[3] = a.z;
  }
  for (int i = 0; i < tree->nv; i++) v[i] = pl_random(r, -2, 2);
}

#endif

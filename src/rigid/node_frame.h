// node_frame.h: the frame of a node in the world, for the recursions over a tree.
#ifndef PL_RIGID_NODE_FRAME_H
#define PL_RIGID_NODE_FRAME_H

#include <math.h>

#include "math/sines.h"
#include "math/wide.h"
#include "rigid/tree.h"

static inline plQuat quat_load(const double* q) { return quat_unit((plQuat){q[0], q[1], q[2], q[3]}); }

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

// Axes and origin of a node in the world, the axes of its frame F, and the axis of a hinge or slider.
typedef struct plPlaced {
  plWide3 R, F;
  plWide p, axis;
} plPlaced;

// Rot(axis), Rodrigues' formula
static inline plMat3 turn_matrix(plVec3 a, double s, double c) {
  double k = 1 - c;
  return (plMat3){{c + k * a.x * a.x, k * a.x * a.y + s * a.z, k * a.x * a.z - s * a.y,
                   k * a.x * a.y - s * a.z, c + k * a.y * a.y, k * a.y * a.z + s * a.x,
                   k * a.x * a.z + s * a.y, k * a.y * a.z - s * a.x, c + k * a.z * a.z}};
}

// own->R = F Rot(axis, angle) from the angle's sine and cosine, and the axis in the world; along: the axis is
// this one of F, or -1.
static inline void pl_place_turn(int along, const plVec3* axis, double s, double c, plPlaced* own) {
  plWide x = own->F.c[0], y = own->F.c[1], z = own->F.c[2];
  if (along == 0) {
    own->axis = x, own->R = (plWide3){{x, y * c + z * s, z * c - y * s}};
  } else if (along == 1) {
    own->axis = y, own->R = (plWide3){{x * c - z * s, y, z * c + x * s}};
  } else if (along == 2) {
    own->axis = z, own->R = (plWide3){{x * c + y * s, y * c - x * s, z}};
  } else {
    plMat3 J = turn_matrix(*axis, s, c);
    own->axis = wide_mulv(&own->F, axis), own->R = wide_product(&own->F, &J);
  }
}

// Node i at q, given sine and cosine of a hinge's angle, and axes and origin of its parent.
static inline plPlaced pl_place(const plTree* tree, int i, const double* q, double sine, double cosine,
                                const plWide3* up, plWide origin) {
  plPlaced own;
  int kind = tree->node_kind[i];
  const double* qi = q + tree->node_q0[i];
  const plVec3* axis = &tree->node_axis[i];
  if (tree->node_parent[i] < 0) {
    own.F = wide_columns(&tree->node_R[i]), own.p = wide_load(&tree->node_p[i]);
  } else {
    own.F = *up, own.p = origin + wide_mulv(up, &tree->node_p[i]);
    if (!tree->node_straight[i]) own.F = wide_product(up, &tree->node_R[i]);
  }
  own.axis = wide_zero();
  if (kind == PL_NODE_REVOLUTE) {
    pl_place_turn(tree->node_along[i], axis, sine, cosine, &own);
  } else if (kind == PL_NODE_SCREW) {
    pl_place_turn(tree->node_along[i], axis, sine, cosine, &own);
    own.p += own.axis * (tree->node_pitch[i] * qi[0]);
  } else if (kind == PL_NODE_PRISMATIC) {
    own.R = own.F, own.axis = wide_mulv(&own.F, axis);
    own.p += own.axis * qi[0];
  } else {
    plMat3 turned = quat_matrix(quat_load(qi + (kind == PL_NODE_FREE ? 3 : 0)));
    own.R = wide_product(&own.F, &turned);
    plVec3 at = kind == PL_NODE_FREE ? v3_load(qi) : v3(0, 0, 0);
    own.p += wide_mulv(&own.F, &at);
  }
  return own;
}

#endif

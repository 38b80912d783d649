// tree.h: articulated bodies as a forest of nodes in joint coordinates (the kernels on it are in
// rigid/tree.h).
//
// A node is a moving frame with one elementary joint to its parent node (or the world): X_W = X_P X_PF J(q).
// Other joints consist of several nodes (universal: 2, planar: 3), and welded bodies share one, so the
// kernels have five kinds. The nodes of a tree are contiguous, parents first; its dofs are contiguous in v,
// and its coordinates in q.
//
// | kind      | q                          | v                                                        |
// | revolute  | angle                      | rate                                                     |
// | prismatic | travel                     | rate                                                     |
// | screw     | angle                      | rate; travel is pitch times angle                        |
// | ball      | quaternion of M in F       | angular velocity in F                                    |
// | free      | position, quaternion in F  | velocity of the origin, then angular velocity, both in F |
#ifndef PL_MODEL_TREE_H
#define PL_MODEL_TREE_H

#include <stdbool.h>

#include "math/pose.h"
#include "math/spatial.h"

typedef enum plNodeKind {
  PL_NODE_REVOLUTE,
  PL_NODE_PRISMATIC,
  PL_NODE_SCREW,
  PL_NODE_BALL,
  PL_NODE_FREE
} plNodeKind;

static inline int pl_node_nq(int kind) { return kind == PL_NODE_FREE ? 7 : kind == PL_NODE_BALL ? 4 : 1; }
static inline int pl_node_nv(int kind) { return kind == PL_NODE_FREE ? 6 : kind == PL_NODE_BALL ? 3 : 1; }

// The forest. Its arrays belong to it.
typedef struct plTree {
  int nnode, ntree, nq, nv;
  int* node_parent;      // [nnode] node, -1: the world
  int* node_kind;        // [nnode] plNodeKind
  int* node_tree;        // [nnode]
  int* node_q0;          // [nnode] first coordinate
  int* node_v0;          // [nnode] first dof
  plVec3* node_p;        // [nnode] m, origin of F in the parent
  plMat3* node_R;        // [nnode] axes of F in the parent
  plVec3* node_axis;     // [nnode] unit, in F
  bool* node_straight;   // [nnode] the axes of F are those of the parent
  int* node_along;       // [nnode] 0, 1, 2: the axis is that of F; -1: another
  double* node_pitch;    // [nnode] m/rad, screw
  double* node_mass;     // [nnode] kg, of all bodies welded to the node
  plVec3* node_com;      // [nnode] m, in the node
  plSym3* node_inertia;  // [nnode] kg m^2 about com, axes of the node
  double* node_weight;   // [nnode] kg, the part of the mass that gravity acts on
  plVec3* node_moment;   // [nnode] kg m, weight times its centre, in the node
  plInertia* node_sum;   // [nnode] about the node's origin: source of the four above
  int* dof_parent;       // [nv] the previous dof on the path to the root, -1: none
  int* dof_node;         // [nv]
  double* dof_armature;  // [nv] kg m^2 or kg added to the diagonal of M
  int* tree_node0;       // [ntree + 1]
  int* tree_v0;          // [ntree + 1]
  int* tree_q0;          // [ntree + 1]
  int* tree_M0;          // [ntree + 1] first entry of the tree's square block
} plTree;

// The definition of one node; parents come before their children.
typedef struct plNodeDef {
  int parent;          // node, -1: the world
  int kind;            // plNodeKind
  plPose pose;         // F in the parent
  plVec3 axis;         // unit, in F
  double pitch;        // m/rad
  plInertia inertia;   // about the node's origin, in its axes, of all bodies welded to it
  double weight;       // kg that gravity acts on
  plVec3 moment;       // kg m
  double armature[6];  // per dof
} plNodeDef;

// Sorts the nodes by tree (otherwise in the given order) and assigns q and v. order[i] (may be NULL) gets the
// index of definition i. NULL if memory runs out.
plTree* pl_tree_create(const plNodeDef* node, int n, int* order);
void pl_tree_destroy(plTree* tree);
// node_mass, node_com and node_inertia of node i from the inertia about its origin.
void pl_tree_set_inertia(plTree* tree, int i, plInertia inertia);

// Quantities that depend on q and v.
typedef struct plTreeState {
  plMat3* node_R;        // [nnode] world
  plVec3* node_p;        // [nnode] world
  plInertia* node_I;     // [nnode] about the tree's point
  plInertia* node_Ic;    // [nnode] of the node and everything that it carries
  plForce* node_weight;  // [nnode] gravity
  plMotion* node_V;      // [nnode] velocity
  plMotion* node_A;      // [nnode] acceleration, scratch of the recursion
  plForce* node_F;       // [nnode] force, scratch
  plMotion* dof_S;       // [nv] motion of a unit rate
  plVec3* tree_point;    // [ntree] reference point
} plTreeState;

// Whether tree t is one free body whose velocities have the axes of the world: its unit motions are these
// axes, through its own origin.
static inline bool pl_tree_is_body(const plTree* tree, int t) {
  int node = tree->tree_node0[t];
  return tree->tree_node0[t + 1] == node + 1 && tree->node_kind[node] == PL_NODE_FREE &&
         tree->node_straight[node];
}

// Allocates all arrays; false if memory runs out (then nothing stays allocated).
bool pl_tree_state_create(const plTree* tree, plTreeState* state);
void pl_tree_state_destroy(plTreeState* state);

#endif

// tree.h: articulated bodies as a forest of nodes in joint coordinates, and the kernels on it.
//
// A node is a moving frame with one elementary joint to its parent node (or the world): X_W = X_P X_PF J(q). Richer joints are
// made of several nodes (universal: 2, planar: 3) and welded bodies share one, so the kernels know five kinds. The nodes of a tree
// are contiguous, parents first; its dofs are contiguous in v, and its coordinates in q.
//
// All spatial quantities of a tree are in world axes about one point, the origin of its first node, taken as fixed at the instant:
// nothing is transformed from link to link, and accuracy does not depend on where in the world the robot stands.
//
// | kind      | q                          | v                                                        |
// | revolute  | angle                      | rate                                                     |
// | prismatic | travel                     | rate                                                     |
// | screw     | angle                      | rate; travel is pitch times angle                        |
// | ball      | quaternion of M in F       | angular velocity in F                                    |
// | free      | position, quaternion in F  | velocity of the origin, then angular velocity, both in F |
#ifndef PL_RIGID_TREE_H
#define PL_RIGID_TREE_H

#include <stdbool.h>

#include "math/pose.h"
#include "math/spatial.h"

typedef enum plNodeKind { PL_NODE_REVOLUTE, PL_NODE_PRISMATIC, PL_NODE_SCREW, PL_NODE_BALL, PL_NODE_FREE } plNodeKind;

static inline int pl_node_nq(int kind) { return kind == PL_NODE_FREE ? 7 : kind == PL_NODE_BALL ? 4 : 1; }
static inline int pl_node_nv(int kind) { return kind == PL_NODE_FREE ? 6 : kind == PL_NODE_BALL ? 3 : 1; }

// The forest: views of arrays that belong to someone else.
typedef struct plTree {
  int nnode, ntree, nq, nv;
  const int* node_parent;       // [nnode] node, -1: the world
  const int* node_kind;         // [nnode] plNodeKind
  const int* node_q0;           // [nnode] first coordinate
  const int* node_v0;           // [nnode] first dof
  const plVec3* node_p;         // [nnode] m, origin of F in the parent
  const plMat3* node_R;         // [nnode] axes of F in the parent
  const plVec3* node_axis;      // [nnode] unit, in F
  const double* node_pitch;     // [nnode] m/rad, screw
  const double* node_mass;      // [nnode] kg, of all bodies welded to the node
  const plVec3* node_com;       // [nnode] m, in the node
  const plSym3* node_inertia;   // [nnode] kg m^2 about com, axes of the node
  const double* node_weight;    // [nnode] kg, the part of the mass that gravity acts on
  const plVec3* node_moment;    // [nnode] kg m, weight times its centre, in the node
  const int* dof_parent;        // [nv] the dof before it on the way to the root, -1: none
  const int* dof_node;          // [nv]
  const double* dof_armature;   // [nv] kg m^2 or kg added to the diagonal of M
  const int* tree_node0;        // [ntree + 1]
  const int* tree_v0;           // [ntree + 1]
  const int* tree_q0;           // [ntree + 1]
  const int* tree_M0;           // [ntree + 1] first entry of the tree's square block
} plTree;

// What follows from q and v.
typedef struct plTreeState {
  plMat3* node_R;        // [nnode] world
  plVec3* node_p;        // [nnode] world
  plInertia* node_I;     // [nnode] about the tree's point
  plInertia* node_Ic;    // [nnode] of the node and all that it carries
  plForce* node_weight;  // [nnode] gravity
  plMotion* node_V;      // [nnode] velocity
  plMotion* node_A;      // [nnode] acceleration, scratch of the recursion
  plForce* node_F;       // [nnode] force, scratch
  plMotion* dof_S;       // [nv] motion of a unit rate
  plVec3* tree_point;    // [ntree] reference point
} plTreeState;

// All arrays at once; false if memory runs out (nothing is left behind).
bool pl_tree_state_create(const plTree* tree, plTreeState* state);
void pl_tree_state_destroy(plTreeState* state);

// q -> node_R, node_p, tree_point, dof_S, node_I, node_weight
void pl_tree_kinematics(const plTree* tree, const double* q, plVec3 gravity, plTreeState* state);
// v -> node_V
void pl_tree_velocity(const plTree* tree, const double* v, plTreeState* state);
// dof_S, node_I -> M: one full symmetric block a tree, armature included
void pl_tree_mass(const plTree* tree, plTreeState* state, double* M);
// tau = M vdot + bias(q, v): vdot may be NULL (zero). bias holds Coriolis and gravity; armature counts with vdot. After velocity.
void pl_tree_inverse_dynamics(const plTree* tree, const double* v, const double* vdot, plTreeState* state, double* tau);
// Generalised forces that hold the robot still against gravity.
void pl_tree_gravity(const plTree* tree, plTreeState* state, double* tau);

// J [6 x n], n dofs of the node's tree, column-major: angular velocity of the node (rows 0-2) and velocity of its material point
// at p (rows 3-5), world axes.
void pl_tree_jacobian(const plTree* tree, const plTreeState* state, int node, plVec3 p, double* J);
// The tree a node belongs to.
int pl_tree_of_node(const plTree* tree, int node);
// f += J' F: a force on a node's material point p (moment about p, force), world axes.
void pl_tree_add_force(const plTree* tree, const plTreeState* state, int node, plVec3 p, plForce force, double* f);

// Energies (J) of one tree, and momentum about the world's origin. After kinematics and velocity.
double pl_tree_kinetic(const plTree* tree, const plTreeState* state, const double* v, int t);
double pl_tree_potential(const plTree* tree, const plTreeState* state, plVec3 gravity, int t);
plForce pl_tree_momentum(const plTree* tree, const plTreeState* state, int t);

// q1 = q0 advanced by the velocity v held for dt; quaternions stay unit. q1 may be q0.
void pl_tree_advance(const plTree* tree, const double* q0, const double* v, double dt, double* q1);
// qdot = N(q) v
void pl_tree_qdot(const plTree* tree, const double* q, const double* v, double* qdot);
// v with q1 = advance(q0, v, 1), shortest way
void pl_tree_difference(const plTree* tree, const double* q0, const double* q1, double* v);

// A = L' L of one tree's block with the tree's own sparsity (no fill, leaves first): the upper triangle of L' by columns into L.
// -1, or the dof (within the tree) whose pivot was not positive.
int pl_tree_factor(const plTree* tree, int t, const double* A, double* L);
// x := A^-1 x
void pl_tree_solve(const plTree* tree, int t, const double* L, double* x);

#endif

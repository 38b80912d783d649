// tree.h: the kernels on a forest of articulated bodies (model/tree.h): kinematics, mass matrix, bias,
// factor, positions.
//
// All spatial quantities of a tree are in world axes about one point, the origin of its first node, taken as
// fixed at the instant. Nothing is transformed from link to link, and accuracy does not depend on the robot's
// position in the world.
#ifndef PL_RIGID_TREE_H
#define PL_RIGID_TREE_H

#include "math/wide.h"
#include "model/tree.h"

// q -> node_R, node_p, tree_point, dof_S, node_I, node_weight
void pl_tree_kinematics(const plTree* tree, const double* q, plVec3 gravity, plTreeState* state);
// v -> node_V
void pl_tree_velocity(const plTree* tree, const double* v, plTreeState* state);
// dof_S, node_I -> M: one full symmetric block a tree, armature included
void pl_tree_mass(const plTree* tree, plTreeState* state, double* M);
// tau = M vdot + bias(q, v): vdot may be NULL (zero). bias holds Coriolis and gravity; armature counts with
// vdot. After velocity.
void pl_tree_inverse_dynamics(const plTree* tree, const double* v, const double* vdot, plTreeState* state,
                              double* tau);
void pl_tree_kinematics_avx2(const plTree* tree, const double* q, plVec3 gravity, plTreeState* state);
void pl_tree_velocity_avx2(const plTree* tree, const double* v, plTreeState* state);
void pl_tree_mass_avx2(const plTree* tree, plTreeState* state, double* M);
void pl_tree_inverse_dynamics_avx2(const plTree* tree, const double* v, const double* vdot,
                                   plTreeState* state, double* tau);
// bias(q, v) of tree t, from q and v alone. node [nnode] is scratch: pose, motion and load of each node,
// about its origin.
typedef struct plBiasNode {
  plWide3 R;
  plWide p, w, turn, a;  // origin, angular velocity and acceleration, acceleration of the origin
  plWide n, f, axis;
} plBiasNode;
void pl_tree_bias(const plTree* tree, int t, const double* q, const double* v, plVec3 gravity,
                  plBiasNode* node, double* tau);
void pl_tree_bias_avx2(const plTree* tree, int t, const double* q, const double* v, plVec3 gravity,
                       plBiasNode* node, double* tau);
// Generalised forces that hold the robot at rest against gravity.
void pl_tree_gravity(const plTree* tree, plTreeState* state, double* tau);

// J [6 x n], n dofs of the node's tree, column-major: angular velocity of the node (rows 0-2) and velocity of
// its material point at p (rows 3-5), world axes.
void pl_tree_jacobian(const plTree* tree, const plTreeState* state, int node, plVec3 p, double* J);
// The tree a node belongs to.
static inline int pl_tree_of_node(const plTree* tree, int node) { return tree->node_tree[node]; }
// The last dof on the way from the world to a node; every node has at least one.
static inline int pl_tree_last_dof(const plTree* tree, int node) {
  return tree->node_v0[node] + pl_node_nv(tree->node_kind[node]) - 1;
}
// f += J' F: a force on a node's material point p (moment about p, force), world axes.
void pl_tree_add_force(const plTree* tree, const plTreeState* state, int node, plVec3 p, plForce force,
                       double* f);

// Energies (J) of one tree, and momentum about the world's origin. After kinematics and velocity.
double pl_tree_kinetic(const plTree* tree, const plTreeState* state, const double* v, int t);
double pl_tree_potential(const plTree* tree, const plTreeState* state, plVec3 gravity, int t);
plForce pl_tree_momentum(const plTree* tree, const plTreeState* state, int t);

// q1 = q0 advanced by the constant velocity v for dt; quaternions stay unit. q1 may be q0.
void pl_tree_advance(const plTree* tree, const double* q0, const double* v, double dt, double* q1);
// The velocity that takes q0 to q1 in a step: a v1 + (1 - a) v0. The angular velocities of ball and free
// joints are averaged in the body's frame, w = a exp(-dt w) w1 + (1 - a) w0: a = 1/2 then conserves both
// energy and momentum of a free body (Simo and Wong 1991).
void pl_tree_mean_velocity(const plTree* tree, const double* v0, const double* v1, double a, double dt,
                           double* v);
plVec3 pl_mean_spin(plVec3 w0, plVec3 w1, double a, double dt);

// A = L' D L of one tree's block with the tree's own sparsity (no fill, leaves first), into L. -1, or the dof
// (within the tree) whose pivot was not positive.
int pl_tree_factor(const plTree* tree, int t, const double* A, double* L);
int pl_tree_factor_avx2(const plTree* tree, int t, const double* A, double* L);
// x := A^-1 x
void pl_tree_solve(const plTree* tree, int t, const double* L, double* x);
void pl_tree_solve_avx2(const plTree* tree, int t, const double* L, double* x);

#endif

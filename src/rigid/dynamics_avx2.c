// dynamics_avx2.c: dynamics_kernel.h compiled for this instruction set.
#include "rigid/dynamics_kernel.h"

void pl_tree_kinematics_avx2(const plTree* tree, const double* q, plVec3 gravity, plTreeState* state) {
  tree_kinematics(tree, q, gravity, state);
}

void pl_tree_velocity_avx2(const plTree* tree, const double* v, plTreeState* state) {
  tree_velocity(tree, v, state);
}

void pl_tree_mass_avx2(const plTree* tree, plTreeState* state, double* M) { tree_mass(tree, state, M); }

void pl_tree_inverse_dynamics_avx2(const plTree* tree, const double* v, const double* vdot,
                                   plTreeState* state, double* tau) {
  tree_inverse_dynamics(tree, v, vdot, state, tau);
}

// dynamics.c: kinematics, mass matrix and inverse dynamics for any machine, and the choice among the
// instruction sets.
//
// q, v -> node_R, node_p, dof_S, node_I, node_weight, node_V of plTreeState, M, tau
#include "base/cpu.h"
#include "rigid/dynamics_kernel.h"

#if defined(__x86_64__)
static bool has_avx2(void) { return pl_isa() >= PL_ISA_AVX2; }
#else
static bool has_avx2(void) { return false; }
#define pl_tree_kinematics_avx2 tree_kinematics
#define pl_tree_velocity_avx2 tree_velocity
#define pl_tree_mass_avx2 tree_mass
#define pl_tree_inverse_dynamics_avx2 tree_inverse_dynamics
#endif

void pl_tree_kinematics(const plTree* tree, const double* q, plVec3 gravity, plTreeState* state) {
  (has_avx2() ? pl_tree_kinematics_avx2 : tree_kinematics)(tree, q, gravity, state);
}

void pl_tree_velocity(const plTree* tree, const double* v, plTreeState* state) {
  (has_avx2() ? pl_tree_velocity_avx2 : tree_velocity)(tree, v, state);
}

void pl_tree_mass(const plTree* tree, plTreeState* state, double* M) {
  (has_avx2() ? pl_tree_mass_avx2 : tree_mass)(tree, state, M);
}

void pl_tree_inverse_dynamics(const plTree* tree, const double* v, const double* vdot, plTreeState* state,
                              double* tau) {
  (has_avx2() ? pl_tree_inverse_dynamics_avx2 : tree_inverse_dynamics)(tree, v, vdot, state, tau);
}

void pl_tree_gravity(const plTree* tree, plTreeState* s, double* tau) {
  for (int i = 0; i < tree->nnode; i++) s->node_F[i] = force_sub(force_zero(), s->node_weight[i]);
  project(tree, s, tau);
}

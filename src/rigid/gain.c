// gain.c: energy that a step added to the rigid trees beyond the work that was done on them.
//
// Coriolis forces are those at the start of the step, or those of the free motion, and impulses act as if the
// body did not rotate during the step. Both have an error proportional to the rotation in the step, and a
// body that spins fast may gain energy from it in every step. The work of forces, constraints and contacts
// along the step's motion is known, gravity and springs have a potential, and damping only dissipates.
//
// in: q, v, dof_force, dof_K, f_constraint -> out: work->tree at q1, v1
#include <math.h>

#include "rigid/rigid.h"

bool pl_rigid_turns_far(const plModel* model, const plData* data, int t, const double* v1, double angle) {
  const plTree* tree = &data->work->forest;
  for (int i = tree->tree_v0[t]; i < tree->tree_v0[t + 1]; i++) {
    int node = tree->dof_node[i], kind = tree->node_kind[node];
    bool turns = kind != PL_NODE_PRISMATIC && !(kind == PL_NODE_FREE && i < tree->node_v0[node] + 3);
    if (turns && !model->dof_locked[i] && data->par->options.dt * fabs(v1[i]) > angle) return true;
  }
  return false;
}

// Gravity and springs of tree t at q; work->tree is at q.
static double potential(const plModel* model, const plData* data, int t, const double* q) {
  const plWork* work = data->work;
  const plTree* tree = &work->forest;
  double sum = pl_tree_potential(tree, &work->tree, data->par->options.gravity, t);
  for (int i = tree->tree_v0[t]; i < tree->tree_v0[t + 1]; i++) {
    double x = work->dof_K[i] != 0 ? pl_rigid_spring_coordinate(model, q, i) : 0;
    sum += 0.5 * work->dof_K[i] * x * x;
  }
  return sum;
}

bool pl_rigid_gains(const plModel* model, plData* data, const double* q1, const double* v1, double part,
                    double given) {
  plWork* work = data->work;
  const plTree* tree = &work->forest;
  const plOptions* o = &data->par->options;
  double* energy = PL_ARENA_NEW(&work->step, double, 2 * tree->ntree);
  if (!energy) return false;
  for (int end = 0; end < 2; end++) {
    const double *q = end ? q1 : data->q, *v = end ? v1 : data->v;
    pl_tree_kinematics(tree, q, o->gravity, &work->tree);
    pl_tree_velocity(tree, v, &work->tree);
    for (int t = 0; t < tree->ntree; t++)
      energy[2 * t + end] = pl_tree_kinetic(tree, &work->tree, v, t) + potential(model, data, t, q);
  }
  double whole = 0;
  for (int t = 0; t < tree->ntree; t++) {
    double gain = energy[2 * t + 1] - energy[2 * t], kinetic = pl_tree_kinetic(tree, &work->tree, v1, t);
    for (int i = tree->tree_v0[t]; i < tree->tree_v0[t + 1]; i++)
      gain -= o->dt * (o->theta_vq * v1[i] + (1 - o->theta_vq) * data->v[i]) *
              (work->dof_force[i] + data->f_constraint[i]);
    if (pl_rigid_turns_far(model, data, t, v1, PL_SMALL_TURN) && gain > part * (kinetic - gain)) return true;
    whole += kinetic;
  }
  return given > part * whole;
}

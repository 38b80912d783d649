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

void pl_rigid_energies(const plModel* model, plData* data, const double* q, const double* v, double* energy) {
  plWork* work = data->work;
  const plTree* tree = &work->forest;
  pl_tree_kinematics(tree, q, data->par->options.gravity, &work->tree);
  pl_tree_velocity(tree, v, &work->tree);
  for (int t = 0; t < tree->ntree; t++)
    energy[t] = pl_tree_kinetic(tree, &work->tree, v, t) + potential(model, data, t, q);
}

double pl_rigid_work(const plData* data, int t, const double* v1) {
  const plTree* tree = &data->work->forest;
  const plOptions* o = &data->par->options;
  double sum = 0;
  for (int i = tree->tree_v0[t]; i < tree->tree_v0[t + 1]; i++)
    sum += o->dt * (o->theta_vq * v1[i] + (1 - o->theta_vq) * data->v[i]) *
           (data->work->dof_force[i] + data->f_constraint[i]);
  return sum;
}

bool pl_rigid_gains(const plModel* model, plData* data, const double* q1, const double* v1, double part,
                    double given) {
  plWork* work = data->work;
  const plTree* tree = &work->forest;
  double *before = PL_ARENA_NEW(&work->step, double, tree->ntree),
         *after = PL_ARENA_NEW(&work->step, double, tree->ntree), whole = 0, lost = 0;
  if (!before || !after) return false;
  pl_rigid_energies(model, data, data->q, data->v, before);
  pl_rigid_energies(model, data, q1, v1, after);
  for (int t = 0; t < tree->ntree; t++) {
    double gain = after[t] - before[t] - pl_rigid_work(data, t, v1),
           kinetic = pl_tree_kinetic(tree, &work->tree, v1, t);
    if (pl_rigid_turns_far(model, data, t, v1, PL_SMALL_TURN) && gain > part * (kinetic - gain)) return true;
    // backward Euler takes from single bodies what pairs give to them
    whole += kinetic, lost += pl_tree_has_links(model, t) ? 0 : fmin(0, gain);
  }
  return given + lost > part * whole;
}

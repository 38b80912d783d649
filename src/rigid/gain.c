// gain.c: energy that a step added to the rigid trees beyond the work that was done on them.
//
// Coriolis forces are those at the start of the step, or those of the free motion, and impulses act as if the
// body did not rotate during the step. Both have an error proportional to the rotation in the step, and a
// body that spins fast may gain energy from it in every step. The work of forces, constraints and contacts
// along the step's motion is known, gravity and springs have a potential, and damping only dissipates.
//
// in: q, v, dof_force, dof_K, f_constraint -> out: work->tree at q1, v1; v1, q1 in the shortest part
#include <math.h>

#include "rigid/rigid.h"

double pl_rigid_largest_turn(const plModel* model, const plData* data, int t, const double* v1) {
  const plTree* tree = &data->work->forest;
  double most = 0;
  for (int i = tree->tree_v0[t]; i < tree->tree_v0[t + 1]; i++) {
    int node = tree->dof_node[i], kind = tree->node_kind[node];
    bool turns = kind != PL_NODE_PRISMATIC && !(kind == PL_NODE_FREE && i < tree->node_v0[node] + 3);
    double v = fabs(v1[i]);
    if (turns && !model->dof_locked[i] && !(v <= most)) most = v;
  }
  return data->par->options.dt * most;
}

bool pl_rigid_turns_far(const plModel* model, const plData* data, int t, const double* v1, double angle) {
  return pl_rigid_largest_turn(model, data, t, v1) > angle;
}

double pl_rigid_turn_of_part(const plData* data, double angle) {
  return angle * data->par->options.dt / data->work->whole_dt;
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

// The energies of the trees before the step and after it; false if memory runs out.
static bool energies(const plModel* model, plData* data, const double* q1, const double* v1, double** before,
                     double** after) {
  plArena* arena = &data->work->step;
  int n = data->work->forest.ntree;
  *before = PL_ARENA_NEW(arena, double, n), *after = PL_ARENA_NEW(arena, double, n);
  if (!*before || !*after) return false;
  pl_rigid_energies(model, data, data->q, data->v, *before);
  pl_rigid_energies(model, data, q1, v1, *after);
  return true;
}

// Whether tree t turns far and gained more than this fraction of its kinetic energy.
static bool gains(const plModel* model, const plData* data, int t, const double* v1, double part, double gain,
                  double kinetic) {
  return pl_rigid_turns_far(model, data, t, v1, pl_rigid_turn_of_part(data, PL_SMALL_TURN)) &&
         gain > part * (kinetic - gain);
}

bool pl_rigid_gains(const plModel* model, plData* data, const double* q1, const double* v1, double part,
                    double given) {
  const plTree* tree = &data->work->forest;
  double *before, *after, whole = 0, lost = 0;
  if (!energies(model, data, q1, v1, &before, &after)) return false;
  for (int t = 0; t < tree->ntree; t++) {
    double gain = after[t] - before[t] - pl_rigid_work(data, t, v1),
           kinetic = pl_tree_kinetic(tree, &data->work->tree, v1, t);
    if (gains(model, data, t, v1, part, gain, kinetic)) return true;
    // backward Euler takes from single bodies what pairs give to them
    whole += kinetic, lost += pl_tree_has_links(model, t) ? 0 : fmin(0, gain);
  }
  return given + lost > part * whole;
}

plStatus pl_rigid_give_back(const plModel* model, plData* data, double part, double* q1, double* v1) {
  const plTree* tree = &data->work->forest;
  double *before, *after;
  bool any = false;
  if (!energies(model, data, q1, v1, &before, &after)) return PL_ERROR_MEMORY;
  for (int t = 0; t < tree->ntree; t++) {
    double gain = after[t] - before[t] - pl_rigid_work(data, t, v1),
           kinetic = pl_tree_kinetic(tree, &data->work->tree, v1, t);
    if (!pl_tree_has_links(model, t) || !gains(model, data, t, v1, part, gain, kinetic)) continue;
    double slower = sqrt(fmax(0, kinetic - gain) / kinetic);
    for (int i = tree->tree_v0[t]; i < tree->tree_v0[t + 1]; i++) v1[i] *= slower;
    any = true;
  }
  return any ? pl_rigid_balance_links(model, data, v1, q1) : PL_OK;
}

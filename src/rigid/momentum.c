// momentum.c: m(v) and A of the rigid trees. Paper: (8), (11).
//
// in: q, v, u, f_user, f_body, work->tree -> out: v_guess, m, m_scale, tree_A, tree_bias
#include <assert.h>
#include <string.h>

#include "model/effort.h"
#include "rigid/rigid.h"

void pl_rigid_kinematics(const plModel* model, plData* data) {
  plWork* work = data->work;
  const plTree* tree = &data->work->forest;
  pl_tree_kinematics(tree, data->q, data->par->options.gravity, &work->tree);
  pl_tree_velocity(tree, data->v, &work->tree);
  for (int i = 0; i < model->nv_rigid; i++) work->v_guess[i] = model->dof_locked[i] ? 0 : data->v[i];
  pl_rigid_cables(model, data);
  for (int g = 0; g < model->nshape; g++)
    if (model->shape_collide[g]) work->shape_world[g] = pl_rigid_shape_pose(data, g);
}

// dof_force, dof_K, dof_D: the law f - K x - D v on every dof
static void gather_laws(const plModel* model, plData* data) {
  plWork* work = data->work;
  for (int i = 0; i < model->nv_rigid; i++) {
    work->dof_K[i] = data->par->dof_stiffness[i];
    work->dof_D[i] = data->par->dof_damping[i];
    work->dof_force[i] = data->f_user[i] + data->par->dof_stiffness[i] * data->par->dof_rest[i];
  }
  for (int b = 0; b < model->nbody; b++) {
    const plWrench* f = &data->f_body[b];
    int node = model->body_node[b];
    if (node < 0 || (v3_norm2(f->force) == 0 && v3_norm2(f->moment) == 0)) continue;
    pl_tree_add_force(&data->work->forest, &work->tree, node, pl_body_pose(data, b).p,
                      (plForce){f->moment, f->force}, work->dof_force);
  }
  for (int a = 0; a < model->nact; a++) {
    if (pl_actuator_is_constraint(data, a) || pl_actuator_is_summed(model, a) ||
        !data->on[PL_SWITCH_ACTUATOR][a])
      continue;  // its force limit needs the convex problem, or the forces of others
    const double* bias = data->par->act_bias + 3 * (size_t)a;
    double f = pl_actuator_force(data, a, 0, 0);
    // a tendon gets here only without gains
    for (int k = model->act_term0[a]; k < model->act_term0[a + 1]; k++) {
      int i = model->act_term[k];
      assert(i >= 0 && i < model->nv_rigid);
      if (model->work->dof_summed[i] && !model->work->act_spring[a]) continue;
      double c = work->act_coefficient[k];
      work->dof_force[i] += c * f;
      work->dof_K[i] -= c * c * bias[1];
      work->dof_D[i] -= c * c * bias[2];
    }
  }
  for (int s = 0; s < model->work->neffort; s++) {
    int ngain, i = model->work->effort_dof[s];
    double f = pl_effort_constant(data, s, &ngain);
    if (!ngain) work->dof_force[i] += pl_effort_clamp(model, i, f);  // else rows (constraint/effort_rows.c)
  }
}

double pl_rigid_spring_coordinate(const plModel* model, const double* q, int i) {
  if (model->dof_q[i] >= 0) return q[model->dof_q[i]];
  const plTree* tree = model->work->tree;
  int node = tree->dof_node[i], k = i - tree->node_v0[node];
  const double* p = q + tree->node_q0[node];
  if (tree->node_kind[node] == PL_NODE_FREE && k < 3) return p[k];
  if (tree->node_kind[node] == PL_NODE_FREE) p += 3, k -= 3;
  plVec3 r = quat_log((plQuat){p[0], p[1], p[2], p[3]});
  return k == 0 ? r.x : k == 1 ? r.y : r.z;
}

// m += M (v - v0); adds the magnitudes of the terms to m_scale
static void add_inertia(plData* data, const double* v) {
  plWork* work = data->work;
  const plTree* tree = &data->work->forest;
  for (int t = 0; t < tree->ntree; t++) {
    int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
    const double* M = work->tree_A + tree->tree_M0[t];
    for (int j = 0; j < n; j++) {
      double d = v[v0 + j] - data->v[v0 + j];
      if (d == 0) continue;
      for (int i = 0; i < n; i++) work->m[v0 + i] += M[j * n + i] * d;
      work->m_scale[v0 + j] += fabs(M[j * n + j] * d);
    }
  }
}

// Locked dofs are removed from the problem: a unit row and column, no residual.
static void take_out_locked(const plModel* model, plWork* work) {
  const plTree* tree = &work->forest;
  for (int t = 0; t < tree->ntree; t++) {
    int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
    double* A = work->tree_A + tree->tree_M0[t];
    for (int k = 0; k < n; k++) {
      if (!model->dof_locked[v0 + k]) continue;
      for (int i = 0; i < n; i++) A[k * n + i] = A[i * n + k] = 0;
      A[k * n + k] = 1;
      work->m[v0 + k] = work->m_scale[v0 + k] = 0;
    }
  }
}

void pl_rigid_evaluate(const plModel* model, plData* data, const double* v) {
  plWork* work = data->work;
  const plTree* tree = &data->work->forest;
  double dt = data->par->options.dt, theta = data->par->options.theta, a = data->par->options.theta_vq;
  bool iterated = pl_rigid_is_iterated(data), springs = false;
  int n = model->nv_rigid;
  double *q_theta = work->tree_q, *v_theta = work->tree_v;
  const double *q0 = data->q, *v0 = data->v;
  for (int i = 0; i < n; i++) springs |= work->dof_K[i] != 0;
  // q_theta = q0 + theta dt N v_theta_vq, v_theta
  if (iterated || springs) {
    pl_tree_mean_velocity(tree, v0, v, a, dt, v_theta);
    pl_tree_advance(tree, q0, v_theta, theta * dt, q_theta);
  }
  for (int i = 0; i < n; i++) v_theta[i] = theta * v[i] + (1 - theta) * v0[i];
  if (iterated) {
    pl_tree_kinematics(tree, q_theta, data->par->options.gravity, &work->tree);
    pl_tree_velocity(tree, v_theta, &work->tree);
  }
  // M, bias
  double* bias = work->m;
  pl_tree_mass(tree, &work->tree, work->tree_A);
  pl_tree_inverse_dynamics(tree, iterated ? v_theta : v0, NULL, &work->tree, bias);
  memcpy(work->tree_bias, bias, (size_t)n * sizeof(double));
  // dt (bias + D v + K x - f)
  for (int i = 0; i < n; i++) {
    double d = work->dof_D[i] * v_theta[i];
    work->m_scale[i] = dt * (fabs(bias[i]) + fabs(d) + fabs(work->dof_force[i]));
    work->m[i] = dt * (bias[i] + d - work->dof_force[i]);
  }
  for (int i = 0; i < n && springs; i++) {
    if (work->dof_K[i] == 0) continue;
    double x = dt * work->dof_K[i] * pl_rigid_spring_coordinate(model, q_theta, i);
    work->m_scale[i] += fabs(x), work->m[i] += x;
  }
  add_inertia(data, v);
  if (iterated) pl_rigid_turn_at_theta(data, v);
  // A = M + theta dt D + theta theta_vq dt^2 K
  bool damped = springs, locked = false;
  for (int i = 0; i < n; i++) damped |= work->dof_D[i] != 0, locked |= model->dof_locked[i];
  for (int t = 0; t < tree->ntree && damped; t++) {
    int i0 = tree->tree_v0[t], m = tree->tree_v0[t + 1] - i0;
    double* A = work->tree_A + tree->tree_M0[t];
    for (int k = 0; k < m; k++)
      A[k * m + k] += theta * dt * (work->dof_D[i0 + k] + a * dt * work->dof_K[i0 + k]);
  }
  if (locked) take_out_locked(model, work);
}

void pl_rigid_momentum(const plModel* model, plData* data) {
  if (!model->nv_rigid) return;
  gather_laws(model, data);
  pl_rigid_evaluate(model, data, data->work->v_guess);
}

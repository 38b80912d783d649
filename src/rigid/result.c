// result.c: results of rigid bodies (dynamics.h). Each call recomputes the kinematics at the present state.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "pliant/dynamics.h"
#include "rigid/rigid.h"

static const plTree* refresh(const plData* data) {
  const plTree* tree = &data->work->forest;
  pl_tree_kinematics(tree, data->q, data->par->options.gravity, &data->work->tree);
  pl_tree_velocity(tree, data->v, &data->work->tree);
  return tree;
}

// Unit quaternion of a rotation matrix, from the largest of its components.
static plQuat quat_of(plMat3 R) {
  double t = m3_trace(R), m0 = M3(R, 0, 0), m1 = M3(R, 1, 1), m2 = M3(R, 2, 2);
  plQuat q;
  if (t > 0)
    q = (plQuat){1 + t, M3(R, 2, 1) - M3(R, 1, 2), M3(R, 0, 2) - M3(R, 2, 0), M3(R, 1, 0) - M3(R, 0, 1)};
  else if (m0 >= m1 && m0 >= m2)
    q = (plQuat){M3(R, 2, 1) - M3(R, 1, 2), 1 + m0 - m1 - m2, M3(R, 1, 0) + M3(R, 0, 1),
                 M3(R, 0, 2) + M3(R, 2, 0)};
  else if (m1 >= m2)
    q = (plQuat){M3(R, 0, 2) - M3(R, 2, 0), M3(R, 1, 0) + M3(R, 0, 1), 1 + m1 - m0 - m2,
                 M3(R, 2, 1) + M3(R, 1, 2)};
  else
    q = (plQuat){M3(R, 1, 0) - M3(R, 0, 1), M3(R, 0, 2) + M3(R, 2, 0), M3(R, 2, 1) + M3(R, 1, 2),
                 1 + m2 - m0 - m1};
  q = quat_unit(q);
  return q.w < 0 ? (plQuat){-q.w, -q.x, -q.y, -q.z} : q;
}

plPose pl_node_pose(const plData* data, int node) {
  const plTreeState* s = &data->work->tree;
  return (plPose){s->node_p[node], quat_of(s->node_R[node])};
}

plPose pl_body_pose(const plData* data, int body) {
  if (body < 0) return pose_identity();
  const plModel* m = data->model;
  int node = m->body_node[body];
  if (node < 0) return m->body_pose[body];
  const plTreeState* s = &data->work->tree;
  plPose pose = {v3_add(s->node_p[node], m3_mulv(s->node_R[node], m->body_pose[body].p)),
                 quat_mul(quat_of(s->node_R[node]), m->body_pose[body].q)};
  pose.q = quat_unit(pose.q);
  return pose;
}

void pl_rigid_poses(const plData* data, plPose* pose) {
  assert(data != NULL);
  assert(pose != NULL || data->model->nbody == 0);
  refresh(data);
  for (int i = 0; i < data->model->nbody; i++) pose[i] = pl_body_pose(data, i);
}

plPose pl_rigid_shape_pose(const plData* data, int shape) {
  const plModel* m = data->model;
  return m->shape_body[shape] < 0 ? m->shape_pose[shape]
                                  : pose_mul(pl_body_pose(data, m->shape_body[shape]), m->shape_pose[shape]);
}

void pl_shape_poses(const plData* data, plPose* pose) {
  assert(data != NULL);
  assert(pose != NULL || data->model->nshape == 0);
  refresh(data);
  for (int g = 0; g < data->model->nshape; g++) pose[g] = pl_rigid_shape_pose(data, g);
}

plStatus pl_rigid_body_state(const plData* data, int body, plRigidState* state) {
  assert(data != NULL && state != NULL);
  const plModel* m = data->model;
  if (body < 0 || body >= m->nbody) return PL_ERROR_INPUT;
  const plTree* tree = refresh(data);
  int node = m->body_node[body];
  plPose pose = pl_body_pose(data, body);
  plMotion V = motion_zero();
  plVec3 o = {0, 0, 0};
  if (node >= 0)
    V = data->work->tree.node_V[node], o = data->work->tree.tree_point[pl_tree_of_node(tree, node)];
  const double* I = data->par->body_inertia + 6 * (size_t)body;
  plSym3 central = sym3_rotate(quat_matrix(pose.q), (plSym3){I[0], I[1], I[2], I[3], I[4], I[5]});
  plVec3 com = pose_apply(pose, data->par->body_com[body]), vc = motion_at(V, v3_sub(com, o)),
         L = sym3_mulv(central, V.w);
  *state =
      (plRigidState){.pose = pose,
                     .velocity = motion_at(V, v3_sub(pose.p, o)),
                     .angular_velocity = V.w,
                     .com = com,
                     .com_velocity = vc,
                     .momentum = v3_scale(data->par->body_mass[body], vc),
                     .angular_momentum = L,
                     .kinetic_energy = 0.5 * (data->par->body_mass[body] * v3_dot(vc, vc) + v3_dot(V.w, L)),
                     .gravity_energy = -data->par->body_mass[body] * v3_dot(data->par->options.gravity, com)};
  return PL_OK;
}

void pl_rigid_totals(const plData* data, plRigidTotals* totals) {
  assert(data != NULL && totals != NULL);
  const plModel* m = data->model;
  const plTree* tree = refresh(data);
  memset(totals, 0, sizeof *totals);
  for (int t = 0; t < tree->ntree; t++) {
    plForce L = pl_tree_momentum(tree, &data->work->tree, t);
    totals->kinetic_energy += pl_tree_kinetic(tree, &data->work->tree, data->v, t);
    totals->gravity_energy += pl_tree_potential(tree, &data->work->tree, data->par->options.gravity, t);
    totals->momentum = v3_add(totals->momentum, L.f);
    totals->angular_momentum = v3_add(totals->angular_momentum, L.n);
  }
  for (int i = 0; i < m->nv_rigid; i++) {
    if (data->par->dof_stiffness[i] == 0) continue;
    double x = pl_rigid_spring_coordinate(m, data->q, i) - data->par->dof_rest[i];
    totals->elastic_energy += 0.5 * data->par->dof_stiffness[i] * x * x;
  }
}

void pl_rigid_mass_matrix(const plData* data, double* M) {
  assert(data != NULL);
  assert(M != NULL || data->model->nv_rigid == 0);
  const plTree* tree = refresh(data);
  size_t n = (size_t)tree->nv;
  double* block = data->work->tree_A;
  pl_tree_mass(tree, &data->work->tree, block);
  memset(M, 0, n * n * sizeof(double));
  for (int t = 0; t < tree->ntree; t++) {
    size_t v0 = (size_t)tree->tree_v0[t], k = (size_t)tree->tree_v0[t + 1] - v0;
    for (size_t j = 0; j < k; j++)
      memcpy(M + (v0 + j) * n + v0, block + (size_t)tree->tree_M0[t] + j * k, k * sizeof(double));
  }
}

void pl_rigid_bias(const plData* data, double* bias) {
  assert(data != NULL);
  assert(bias != NULL || data->model->nv_rigid == 0);
  pl_tree_inverse_dynamics(refresh(data), data->v, NULL, &data->work->tree, bias);
}

void pl_rigid_inverse_dynamics(const plData* data, const double* vdot, double* tau) {
  assert(data != NULL);
  assert(tau != NULL || data->model->nv_rigid == 0);
  pl_tree_inverse_dynamics(refresh(data), data->v, vdot, &data->work->tree, tau);
}

plStatus pl_rigid_forward_dynamics(const plData* data, const double* tau, double* vdot) {
  assert(data != NULL);
  assert((tau != NULL && vdot != NULL) || data->model->nv_rigid == 0);
  const plTree* tree = refresh(data);
  plWork* work = data->work;
  pl_tree_mass(tree, &work->tree, work->tree_A);
  double* bias = work->tree_v;
  pl_tree_inverse_dynamics(tree, data->v, NULL, &work->tree, bias);
  for (int i = 0; i < tree->nv; i++) vdot[i] = tau[i] - bias[i];
  for (int t = 0; t < tree->ntree; t++) {
    if (pl_tree_factor(tree, t, work->tree_A + tree->tree_M0[t], work->tree_L + tree->tree_M0[t]) >= 0)
      return PL_ERROR_INDEFINITE;
    pl_tree_solve(tree, t, work->tree_L + tree->tree_M0[t], vdot + tree->tree_v0[t]);
  }
  return PL_OK;
}

void pl_rigid_gravity_forces(const plData* data, double* tau) {
  assert(data != NULL);
  assert(tau != NULL || data->model->nv_rigid == 0);
  pl_tree_gravity(refresh(data), &data->work->tree, tau);
}

plStatus pl_site_state(const plData* data, int site, plSiteState* state) {
  assert(data != NULL && state != NULL);
  const plModel* m = data->model;
  if (site < 0 || site >= m->nsite) return PL_ERROR_INPUT;
  *state = (plSiteState){.pose = m->site_pose[site]};
  if (m->site_body[site] < 0) return PL_OK;
  plRigidState body;
  plStatus status = pl_rigid_body_state(data, m->site_body[site], &body);
  if (status) return status;
  state->pose = pose_mul(body.pose, m->site_pose[site]);
  state->angular_velocity = body.angular_velocity;
  plVec3 arm = v3_sub(state->pose.p, body.pose.p);
  state->velocity = v3_add(body.velocity, v3_cross(body.angular_velocity, arm));
  return PL_OK;
}

plStatus pl_rigid_jacobian(const plData* data, int body, plVec3 point, double* J) {
  assert(data != NULL);
  assert(J != NULL || data->model->nv_rigid == 0);
  const plModel* m = data->model;
  if (body < 0 || body >= m->nbody) return PL_ERROR_INPUT;
  const plTree* tree = refresh(data);
  memset(J, 0, 6 * (size_t)tree->nv * sizeof(double));
  int node = m->body_node[body];
  if (node >= 0)
    pl_tree_jacobian(tree, &data->work->tree, node, pose_apply(pl_body_pose(data, body), point),
                     J + 6 * tree->tree_v0[pl_tree_of_node(tree, node)]);
  return PL_OK;
}

plStatus pl_rigid_add_force(plData* data, int body, plVec3 point, plVec3 force, plVec3 moment) {
  assert(data != NULL);
  const plModel* m = data->model;
  if (body < 0 || body >= m->nbody || !v3_finite(point) || !v3_finite(force) || !v3_finite(moment))
    return PL_ERROR_INPUT;
  refresh(data);
  plVec3 arm = quat_rotate(pl_body_pose(data, body).q, point);
  plWrench* f = &data->f_body[body];
  f->force = v3_add(f->force, force);
  f->moment = v3_add(f->moment, v3_add(moment, v3_cross(arm, force)));
  return PL_OK;
}

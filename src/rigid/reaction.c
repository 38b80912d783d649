// reaction.c: wrenches that joints transmit (forces.h), by Newton and Euler: the force that a body needs for
// its motion, minus its weight and the external forces on it, plus the forces that it passes on to the bodies
// it carries, acts through its joint.
//
// Spatial forces are in world axes about the world's origin.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/pose.h"
#include "model/effort.h"
#include "pliant/forces.h"
#include "rigid/rigid.h"

static plForce force_at(plVec3 p, plVec3 force, plVec3 moment) {
  return (plForce){v3_add(moment, v3_cross(p, force)), force};
}

static void take_off(plForce* F, int body, plForce external) {
  if (body >= 0) F[body] = force_sub(F[body], external);
}

// The tree at the configuration where the step evaluated its forces, with accelerations: (q0, v0), or the
// theta-state.
static void place_tree(const plData* data) {
  const plModel* model = data->model;
  plWork* work = data->work;
  const plTree* tree = &data->work->forest;
  double dt = data->par->options.dt, theta = data->par->options.theta, a = data->par->options.theta_vq;
  int n = model->nv_rigid;
  double *v = work->tree_v, *vdot = work->reaction, *tau = vdot + n;
  const double *v0 = work->v_before, *v1 = work->v_solved;
  bool iterated = pl_rigid_is_iterated(data);
  if (iterated) {
    pl_tree_mean_velocity(tree, v0, v1, a, dt, v);
    pl_tree_advance(tree, work->q_before, v, theta * dt, work->tree_q);
  }
  for (int i = 0; i < n; i++) {
    v[i] = iterated ? theta * v1[i] + (1 - theta) * v0[i] : v0[i];
    vdot[i] = (v1[i] - v0[i]) / dt;
  }
  pl_tree_kinematics(tree, iterated ? work->tree_q : work->q_before, data->par->options.gravity, &work->tree);
  pl_tree_velocity(tree, v, &work->tree);
  pl_tree_inverse_dynamics(tree, v, vdot, &work->tree, tau);
}

void pl_step_place_tree(const plData* data) {
  plScheme own = pl_scheme_use(data, data->work->last);
  place_tree(data);
  pl_scheme_use(data, own);
}

// I A + V x* I V - weight of one body.
static plForce needed(const plData* data, int body) {
  const plModel* m = data->model;
  const plTreeState* s = &data->work->tree;
  plPose pose = pl_body_pose(data, body);
  plVec3 com = pose_apply(pose, data->par->body_com[body]);
  plForce F = force_at(
      com, v3_scale(-data->par->body_gravity[body] * data->par->body_mass[body], data->par->options.gravity),
      v3(0, 0, 0));
  int node = m->body_node[body];
  if (node < 0) return F;
  plVec3 o = s->tree_point[pl_tree_of_node(&data->work->forest, node)];
  const double* I = data->par->body_inertia + 6 * (size_t)body;
  plInertia inertia =
      inertia_of(data->par->body_mass[body], v3_sub(com, o),
                 sym3_rotate(quat_matrix(pose.q), (plSym3){I[0], I[1], I[2], I[3], I[4], I[5]}));
  plForce about_o = force_add(inertia_mul(inertia, s->node_A[node]),
                              motion_cross_force(s->node_V[node], inertia_mul(inertia, s->node_V[node])));
  return force_add(F, force_at(o, about_o.f, about_o.n));
}

// Additional force of turning joints beyond I A + V x* I V: their momentum is balanced over the free motion.
static void add_turning(const plData* data, plForce* F) {
  const plModel* m = data->model;
  const plTreeState* s = &data->work->tree;
  for (int j = 0; j < m->njoint; j++) {
    int node = m->work->joint_node[j];
    if (m->joint_kind[j] != PL_JOINT_FREE && m->joint_kind[j] != PL_JOINT_BALL) continue;
    assert(node >= 0 && node < data->work->forest.nnode);
    int t = pl_tree_of_node(&data->work->forest, node);
    bool links = pl_tree_has_links(m, t) && !pl_rigid_is_iterated(data);
    plForce D = pl_rigid_turn_wrench(data, s, t, node, data->work->v_before,
                                     links ? data->v_star : data->work->v_turn);
    double rate = 1 / data->par->options.dt;
    F[m->joint_child[j]] =
        force_add(F[m->joint_child[j]], force_at(s->node_p[node], v3_scale(rate, D.f), v3_scale(rate, D.n)));
  }
}

static void take_off_site(void* user, int body, plVec3 p, plVec3 force, plVec3 moment) {
  take_off(user, body, force_at(p, force, moment));
}

// The point where contact i acts on side A or B: bodies that collided during the step have one position each.
static plVec3 place_on(const plData* data, int i, bool of_b) {
  const plContactPoint* p = &data->work->point[i];
  return !p->swept ? data->contact[i].position : of_b ? p->position_b : p->position_a;
}

// Contacts, constraints, attachments, actuators on sites and the user's forces on free bodies.
static void take_off_external(const plData* data, plForce* F) {
  const plModel* m = data->model;
  double rate = 1 / data->par->options.dt;
  for (int i = 0; i < data->ncontact; i++) {
    const plContact* c = &data->contact[i];
    assert(i < data->work->npoint);
    plForce on_a = force_at(place_on(data, i, false), v3_neg(c->force), v3(0, 0, 0)),
            on_b = force_at(place_on(data, i, true), c->force, v3(0, 0, 0));
    if (c->b.kind == PL_SIDE_SHAPE) take_off(F, m->shape_body[c->b.index], on_b);
    if (c->a.kind == PL_SIDE_SHAPE) take_off(F, m->shape_body[c->a.index], on_a);
  }
  for (int i = 0; i < data->nimpulse; i++) {
    const plImpulse* p = &data->impulse[i];
    assert(p->a < m->nbody && p->b < m->nbody);
    plVec3 force = v3_scale(rate, p->push.force), moment = v3_scale(rate, p->push.moment);
    take_off(F, p->b, force_at(p->point_b, force, moment));
    take_off(F, p->a, force_at(p->point_a, v3_neg(force), v3_neg(moment)));
  }
  pl_rigid_site_forces(data, take_off_site, F);
  for (int b = 0; b < m->nbody; b++)
    take_off(F, b, force_at(pl_body_pose(data, b).p, data->f_body[b].force, data->f_body[b].moment));
  const plTree* tree = &data->work->forest;
  for (int j = 0; j < m->njoint; j++) {
    int node = m->work->joint_node[j];
    if (m->joint_kind[j] != PL_JOINT_FREE) continue;
    const double* f = data->f_user + m->joint_v0[j];
    plForce sum = force_zero();
    // the motion of each dof, about the tree's point: unit forces along F's axes at the node, unit moments
    plMat3 R = tree->node_parent[node] < 0
                   ? tree->node_R[node]
                   : m3_mul(data->work->tree.node_R[tree->node_parent[node]], tree->node_R[node]);
    sum.f = m3_mulv(R, v3_load(f)), sum.n = m3_mulv(R, v3_load(f + 3));
    take_off(F, m->joint_child[j], force_at(data->work->tree.node_p[node], sum.f, sum.n));
  }
}

plStatus pl_joint_wrenches(const plData* data, plWrench* wrench, plPose* frame) {
  assert(data != NULL);
  assert(wrench != NULL || data->model->njoint == 0);
  const plModel* m = data->model;
  if (!data->work || !m->work || !data->work->stepped) return PL_ERROR_INPUT;
  plForce* F = data->work->body_F;
  plScheme own = pl_scheme_use(data, data->work->last);
  place_tree(data);
  for (int b = 0; b < m->nbody; b++) F[b] = needed(data, b);
  add_turning(data, F);
  take_off_external(data, F);
  pl_scheme_use(data, own);
  for (int i = m->nbody - 1; i >= 0; i--) {
    int body = m->work->body_order[i], parent = m->body_parent[body];
    if (parent >= 0) F[parent] = force_add(F[parent], F[body]);
  }
  for (int j = 0; j < m->njoint; j++) {
    int child = m->joint_child[j], node = m->work->joint_node[j];
    plPose M =
        node < 0 ? pose_mul(pl_body_pose(data, child), m->work->joint_pose[j]) : pl_node_pose(data, node);
    plQuat back = quat_conj(M.q);
    wrench[j].force = quat_rotate(back, F[child].f);
    wrench[j].moment = quat_rotate(back, v3_sub(F[child].n, v3_cross(M.p, F[child].f)));
    if (frame) frame[j] = M;
  }
  return PL_OK;
}

// Of a dof whose limit applies to a sum of actuators.
static double limited_force(const plData* data, int dof) {
  const plModelWork* w = data->model->work;
  double sum = 0, rest = 0;
  int s = 0;
  while (w->effort_dof[s] != dof) s++;
  for (int k = w->effort0[s]; k < w->effort0[s + 1]; k++) {
    double f = data->work->act_coefficient[w->effort_term[k]] * data->actuator_force[w->effort_act[k]];
    if (pl_effort_counts(data, k))
      sum += f;
    else
      rest += f;
  }
  return pl_effort_clamp(data->model, dof, sum) + rest;
}

double pl_motor_force(const plData* data, int dof) {
  assert(data != NULL);
  double sum = 0;
  const double* coefficient =
      data->work && data->work->act_coefficient ? data->work->act_coefficient : data->model->act_coefficient;
  if (data->work && data->model->work->dof_summed[dof]) return limited_force(data, dof);
  for (int i = 0; i < data->model->nact; i++)
    for (int k = data->model->act_term0[i]; k < data->model->act_term0[i + 1]; k++)
      if (data->model->act_term[k] == dof) sum += coefficient[k] * data->actuator_force[i];
  return sum;
}

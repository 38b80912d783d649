// cable.c: actuators on sites: a force and a moment at one site, or a cable through several.
//
// A cable of length l = sum |p_k+1 - p_k| through its sites pulls each of them along its two adjacent
// segments: with the unit vectors e_k, ldot = sum e_k . (v_k+1 - v_k), and the generalised force is f dl/dq.
// At one site, rate = (F, M) . (v, w) in its axes. Coefficients are those at the start of the step, like all
// of J.
//
// in: q, work->tree -> out: act_coefficient, act_length
#include <assert.h>

#include "math/pose.h"
#include "rigid/rigid.h"

// Adds the rate along (force, moment) at a point of a body, for a unit rate of each dof, to the coefficients.
static void add_rates(const plModel* m, const plData* data, int a, int body, plVec3 p, plVec3 force,
                      plVec3 moment) {
  const plTree* tree = &data->work->forest;
  const plTreeState* s = &data->work->tree;
  int node = body < 0 ? -1 : m->body_node[body];
  if (node < 0) return;
  plVec3 r = v3_sub(p, s->tree_point[pl_tree_of_node(tree, node)]);
  // both lists descend from the last dof
  int k = m->act_term0[a + 1] - 1;
  for (int i = tree->node_v0[node] + pl_node_nv(tree->node_kind[node]) - 1; i >= 0; i = tree->dof_parent[i]) {
    while (m->act_term[k] != i) k--;
    assert(k >= m->act_term0[a]);
    data->work->act_coefficient[k] +=
        v3_dot(force, motion_at(s->dof_S[i], r)) + v3_dot(moment, s->dof_S[i].w);
  }
}

static plPose site_place(const plModel* m, const plData* data, int site) {
  int body = m->site_body[site];
  return body < 0 ? m->site_pose[site] : pose_mul(pl_body_pose(data, body), m->site_pose[site]);
}

// The wrench on a site for f = 1, world axes.
static plForce site_wrench(const plModel* m, int a, plPose at) {
  const double* w = m->act_wrench + 6 * (size_t)a;
  return (plForce){quat_rotate(at.q, v3_load(w + 3)), quat_rotate(at.q, v3_load(w))};
}

// e_k from p to the next point, 0 if they coincide.
static plVec3 part_of_cable(plVec3 p, plVec3 next, double* length) {
  plVec3 d = v3_sub(next, p);
  *length = v3_norm(d);
  return *length > 0 ? v3_scale(1 / *length, d) : v3(0, 0, 0);
}

static void refresh(const plModel* m, plData* data, int a) {
  const int* site = m->act_site + m->act_site0[a];
  int n = m->act_site0[a + 1] - m->act_site0[a];
  plVec3 none = v3(0, 0, 0);
  for (int k = m->act_term0[a]; k < m->act_term0[a + 1]; k++) data->work->act_coefficient[k] = 0;
  data->work->act_length[a] = 0;
  plPose at = site_place(m, data, site[0]);
  if (n == 1) {
    plForce w = site_wrench(m, a, at);
    add_rates(m, data, a, m->site_body[site[0]], at.p, w.f, w.n);
  }
  for (int k = 0; k + 1 < n; k++) {
    plPose next = site_place(m, data, site[k + 1]);
    double length;
    plVec3 e = part_of_cable(at.p, next.p, &length);
    add_rates(m, data, a, m->site_body[site[k]], at.p, v3_neg(e), none);
    add_rates(m, data, a, m->site_body[site[k + 1]], next.p, e, none);
    data->work->act_length[a] += length;
    at = next;
  }
}

void pl_rigid_cables(const plModel* model, plData* data) {
  for (int a = 0; a < model->nact; a++)
    if (pl_actuator_has_sites(model, a)) refresh(model, data, a);
}

void pl_rigid_site_forces(const plData* data, plSiteForce* apply, void* user) {
  const plModel* m = data->model;
  for (int a = 0; a < m->nact; a++) {
    const int* site = m->act_site + m->act_site0[a];
    int n = m->act_site0[a + 1] - m->act_site0[a];
    double f = data->actuator_force[a];
    if (!n || f == 0) continue;
    plPose at = site_place(m, data, site[0]);
    plForce w = site_wrench(m, a, at);
    if (n == 1) apply(user, m->site_body[site[0]], at.p, v3_scale(f, w.f), v3_scale(f, w.n));
    for (int k = 0; k + 1 < n; k++) {
      plPose next = site_place(m, data, site[k + 1]);
      double length;
      plVec3 e = v3_scale(f, part_of_cable(at.p, next.p, &length));
      apply(user, m->site_body[site[k]], at.p, v3_neg(e), v3(0, 0, 0));
      apply(user, m->site_body[site[k + 1]], next.p, e, v3(0, 0, 0));
      at = next;
    }
  }
}

// links.c: linear momentum of trees with moving joints on free bases.
//
// A step takes M and Coriolis forces at one configuration. The momentum of v1 at q1 therefore differs from
// the initial momentum plus the impulses of all forces. The error is first order in the rotation of the step
// if joints are accelerated within it, second order otherwise. The rows of the linear velocity of a free base
// contain the sum of all external forces on the tree, so the correct balance is known up to rounding:
//
//   P(q1, v1) = P(q0, v0) + dt (weight + f - D v - K x) + impulses of constraints
//
// with the springs K and dampers D of the base's joint at the theta-state of v1. It is restored by a velocity
// of the whole tree, added to that of its base. This changes neither the shape of the tree nor its rotation.
// Relative to its centre of mass a free tree loses kinetic energy by it, namely |error|^2 / 2 m.
//
// The impulses of constraints are computed as A (v1 - v*). A Newton step of the solver balances their sum
// over all bodies up to rounding, even if the residual of each body is larger. They are zero if no constraint
// acts on the tree from outside.
//
// in: v1, q1, v_star, tree_A, dof_force, dof_D, dof_K, f_constraint -> out: v1, q1
#include "rigid/rigid.h"

bool pl_tree_has_links(const plModel* model, int t) {
  const plTree* tree = model->work->tree;
  int joints = 0;
  for (int i = tree->tree_node0[t]; i < tree->tree_node0[t + 1]; i++) {
    int k = tree->node_v0[i], end = k + pl_node_nv(tree->node_kind[i]);
    while (k < end && model->dof_locked[k]) k++;
    if (k < end) joints += tree->node_kind[i] < PL_NODE_BALL ? 2 : 1;
  }
  return joints > 1;
}

bool pl_tree_state_new(const plTree* tree, plArena* arena, plTreeState* s) {
  int n = tree->nnode;
  *s = (plTreeState){.node_R = PL_ARENA_NEW(arena, plMat3, n),
                     .node_p = PL_ARENA_NEW(arena, plVec3, n),
                     .node_I = PL_ARENA_NEW(arena, plInertia, n),
                     .node_Ic = PL_ARENA_NEW(arena, plInertia, n),
                     .node_weight = PL_ARENA_NEW(arena, plForce, n),
                     .node_V = PL_ARENA_NEW(arena, plMotion, n),
                     .node_A = PL_ARENA_NEW(arena, plMotion, n),
                     .node_F = PL_ARENA_NEW(arena, plForce, n),
                     .dof_S = PL_ARENA_NEW(arena, plMotion, tree->nv),
                     .tree_point = PL_ARENA_NEW(arena, plVec3, tree->ntree)};
  return !arena->failed;
}

static bool has_free_base(const plModel* model, int t) {
  const plTree* tree = model->work->tree;
  int node = tree->tree_node0[t];
  return tree->node_kind[node] == PL_NODE_FREE && !model->dof_locked[tree->node_v0[node]] &&
         pl_tree_has_links(model, t);
}

// The momentum of a tree for its base's own three velocities, with what the armatures of these carry.
static plVec3 base_momentum(const plTree* tree, const plTreeState* s, int t, const double* v) {
  int node = tree->tree_node0[t], i = tree->node_v0[node];
  const double* a = tree->dof_armature + i;
  plVec3 P = m3_tmulv(tree->node_R[node], pl_tree_momentum(tree, s, t).f);
  return v3_add(P, v3(a[0] * v[i], a[1] * v[i + 1], a[2] * v[i + 2]));
}

// The impulses of constraints along the base's own three velocities.
static plVec3 pushed(const plData* data, int t, const double* v1) {
  const plTree* tree = &data->work->forest;
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  const double *A = data->work->tree_A + tree->tree_M0[t], *f = data->f_constraint + v0;
  double sum[3] = {0};
  if (f[0] == 0 && f[1] == 0 && f[2] == 0) return v3(0, 0, 0);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < 3; i++) sum[i] += A[j * n + i] * (v1[v0 + j] - data->v_star[v0 + j]);
  return v3_load(sum);
}

// dt (weight + f - D v - K x) at the theta-state, and the impulses of constraints.
static plVec3 given(const plData* data, int t, const double* v1) {
  const plWork* work = data->work;
  const plTree* tree = &work->forest;
  const plOptions* o = &data->par->options;
  int node = tree->tree_node0[t];
  plVec3 weight = v3(0, 0, 0);
  double sum[3];
  for (int i = node; i < tree->tree_node0[t + 1]; i++)
    weight = v3_madd(weight, tree->node_weight[i], o->gravity);
  v3_store(sum, v3_scale(o->dt, m3_tmulv(tree->node_R[node], weight)));
  for (int i = 0, k = tree->tree_v0[t]; i < 3; i++, k++) {
    double v = o->theta * v1[k] + (1 - o->theta) * data->v[k],
           x = data->q[tree->node_q0[node] + i] +
               o->theta * o->dt * (o->theta_vq * v1[k] + (1 - o->theta_vq) * data->v[k]);
    sum[i] += o->dt * (work->dof_force[k] - work->dof_D[k] * v - work->dof_K[k] * x);
  }
  return v3_add(v3_load(sum), pushed(data, t, v1));
}

// The same motion of the whole tree: its base's own velocities.
static void move_tree(const plData* data, int t, plVec3 dv, double* v1, double* q1) {
  const plTree* tree = &data->work->forest;
  const plOptions* o = &data->par->options;
  int node = tree->tree_node0[t];
  double *v = v1 + tree->node_v0[node], *q = q1 + tree->node_q0[node];
  v3_store(v, v3_add(v3_load(v), dv));
  v3_store(q, v3_madd(v3_load(q), o->theta_vq * o->dt, dv));
}

// P(q1, v1) - P(q0, v0) of the trees on free bases.
static plStatus find_changes(const plModel* model, plData* data, const double* v1, const double* q1,
                             plVec3* change) {
  const plTree* tree = &data->work->forest;
  plTreeState s;
  if (!pl_tree_state_new(tree, &data->work->step, &s)) return PL_ERROR_MEMORY;
  for (int end = 0; end < 2; end++) {
    const double *q = end ? q1 : data->q, *v = end ? v1 : data->v;
    pl_tree_kinematics(tree, q, data->par->options.gravity, &s);
    pl_tree_velocity(tree, v, &s);
    for (int t = 0; t < tree->ntree; t++) {
      if (!has_free_base(model, t)) continue;
      plVec3 P = base_momentum(tree, &s, t, v);
      change[t] = end ? v3_sub(P, change[t]) : P;
    }
  }
  return PL_OK;
}

plStatus pl_rigid_balance_links(const plModel* model, plData* data, double* v1, double* q1) {
  const plWork* work = data->work;
  const plTree* tree = &work->forest;
  const plOptions* o = &data->par->options;
  bool any = false;
  for (int t = 0; t < tree->ntree && !any; t++) any = has_free_base(model, t);
  if (!any) return PL_OK;
  plVec3* change = PL_ARENA_NEW(&data->work->step, plVec3, tree->ntree);
  if (!change) return PL_ERROR_MEMORY;
  plStatus status = find_changes(model, data, v1, q1, change);
  for (int t = 0; t < tree->ntree && !status; t++) {
    if (!has_free_base(model, t)) continue;
    plVec3 off = v3_sub(given(data, t, v1), change[t]);
    double m[3], mass = 0;
    for (int i = tree->tree_node0[t]; i < tree->tree_node0[t + 1]; i++) mass += tree->node_mass[i];
    for (int i = 0, k = tree->tree_v0[t]; i < 3; i++, k++)
      m[i] = mass + tree->dof_armature[k] +
             o->theta * o->dt * (work->dof_D[k] + o->theta_vq * o->dt * work->dof_K[k]);
    move_tree(data, t, v3(off.x / m[0], off.y / m[1], off.z / m[2]), v1, q1);
  }
  return status;
}

// dynamics_kernel.h: positions and velocities of the nodes, mass matrix and inverse dynamics of a forest;
// compiled once per instruction set by dynamics.c and dynamics_avx2.c.
//
// Mass matrix by composite bodies: M_ij = S_j . Ic_i S_i for dof j on the path from dof i to the root; Ic_i
// is the inertia of everything that dof i moves.
//
// Inverse dynamics by the recursive Newton-Euler algorithm, tau = M(q) vdot + bias(q, v). Forward:
// accelerations A_i = A_parent + Sdot_i v_i + S_i vdot_i. Axes are fixed in the parent, so Sdot v = V_parent
// x S v; a free joint turns about a point that moves with it, which adds (0, v_o x w), v_o and w being its
// own rates. Then the force that each node needs, F_i = I_i A_i + V_i x* I_i V_i - weight. Backward: tau_i =
// S_i . F_i, and F_i is passed on to the parent.
#ifndef PL_RIGID_DYNAMICS_KERNEL_H
#define PL_RIGID_DYNAMICS_KERNEL_H

#include <string.h>

#include "rigid/node_frame.h"

// A turn about the axis through p, as a motion about the point o.
static inline plMotion turn(plVec3 axis, plVec3 p, plVec3 o) {
  return (plMotion){axis, v3_cross(axis, v3_sub(o, p))};
}

// Pose of node i, given sine and cosine of a hinge's angle; returns the axes of F in the world.
static inline plMat3 place_node(const plTree* tree, const double* q, int i, double sine, double cosine,
                                plTreeState* s) {
  plVec3 p;
  plMat3 F = pl_place_frame(tree, i, s, &p);
  const double* qi = q + tree->node_q0[i];
  switch (tree->node_kind[i]) {
    case PL_NODE_REVOLUTE:
      s->node_R[i] = pl_place_turn(tree, i, &F, sine, cosine);
      break;
    case PL_NODE_PRISMATIC:
      s->node_R[i] = F;
      p = v3_madd(p, qi[0], pl_place_axis(tree, i, &F));
      break;
    case PL_NODE_SCREW:
      s->node_R[i] = pl_place_turn(tree, i, &F, sine, cosine);
      p = v3_madd(p, tree->node_pitch[i] * qi[0], pl_place_axis(tree, i, &F));
      break;
    case PL_NODE_BALL:
      s->node_R[i] = m3_mul(F, quat_matrix(quat_load(qi)));
      break;
    default:
      s->node_R[i] = m3_mul(F, quat_matrix(quat_load(qi + 3)));
      p = v3_add(p, m3_mulv(F, v3_load(qi)));
  }
  s->node_p[i] = p;
  return F;
}

// The motions for unit rates of node i's dofs, about the point o.
static inline void node_motions(const plTree* tree, int i, const plMat3* F, plVec3 o, plTreeState* s) {
  plMotion* S = s->dof_S + tree->node_v0[i];
  plVec3 p = s->node_p[i], zero = v3(0, 0, 0);
  switch (tree->node_kind[i]) {
    case PL_NODE_REVOLUTE:
      S[0] = turn(pl_place_axis(tree, i, F), p, o);
      break;
    case PL_NODE_PRISMATIC:
      S[0] = (plMotion){zero, pl_place_axis(tree, i, F)};
      break;
    case PL_NODE_SCREW:
      S[0] = turn(pl_place_axis(tree, i, F), p, o);
      S[0].v = v3_madd(S[0].v, tree->node_pitch[i], S[0].w);
      break;
    case PL_NODE_BALL:
      for (int k = 0; k < 3; k++) S[k] = turn(m3_column(*F, k), p, o);
      break;
    default:
      for (int k = 0; k < 3; k++) S[k] = (plMotion){zero, m3_column(*F, k)};
      for (int k = 0; k < 3; k++) S[3 + k] = turn(m3_column(*F, k), p, o);
  }
}

// Inertia and weight of node i in world axes about the point o.
static inline void node_inertia(const plTree* tree, int i, plVec3 o, plVec3 gravity, plTreeState* s) {
  plSym3 I = tree->node_inertia[i];
  if (tree->node_mass[i] == 0 && I.xx + I.yy + I.zz == 0) {
    s->node_I[i] = (plInertia){0};
    s->node_weight[i] = force_zero();
    return;
  }
  plMat3 R = s->node_R[i];
  plVec3 p = v3_sub(s->node_p[i], o), c = v3_add(p, m3_mulv(R, tree->node_com[i]));
  s->node_I[i] = inertia_of(tree->node_mass[i], c, sym3_rotate(R, I));
  double w = tree->node_weight[i];
  plVec3 h = v3_madd(m3_mulv(R, tree->node_moment[i]), w, p);
  s->node_weight[i] = (plForce){v3_cross(h, gravity), v3_scale(w, gravity)};
}

static inline void tree_kinematics(const plTree* tree, const double* q, plVec3 gravity, plTreeState* s) {
  for (int t = 0; t < tree->ntree; t++) {
    plVec3 o = {0, 0, 0};
    plTurns turns;
    int first = tree->tree_node0[t], end = tree->tree_node0[t + 1];
    for (int i = first; i < end; i++) {
      int k = (i - first) % PL_TURNS;
      if (!k) pl_find_turns(tree, q, i, end, &turns);
      plMat3 F = place_node(tree, q, i, turns.sine[k], turns.cosine[k], s);
      if (i == first) o = s->tree_point[t] = s->node_p[i];
      node_motions(tree, i, &F, o, s);
      node_inertia(tree, i, o, gravity, s);
    }
  }
}

static inline void tree_velocity(const plTree* tree, const double* v, plTreeState* s) {
  for (int i = 0; i < tree->nnode; i++) {
    plMotion V = tree->node_parent[i] < 0 ? motion_zero() : s->node_V[tree->node_parent[i]];
    int k0 = tree->node_v0[i], n = pl_node_nv(tree->node_kind[i]);
    for (int k = k0; k < k0 + n; k++) V = motion_madd(V, v[k], s->dof_S[k]);
    s->node_V[i] = V;
  }
}

// node_I -> node_Ic, leaves first
static inline void composite(const plTree* tree, plTreeState* s) {
  memcpy(s->node_Ic, s->node_I, (size_t)tree->nnode * sizeof(plInertia));
  for (int i = tree->nnode - 1; i >= 0; i--) {
    if (tree->node_parent[i] < 0) continue;
    double* to = (double*)&s->node_Ic[tree->node_parent[i]];
    const double* from = (const double*)&s->node_Ic[i];
    for (size_t k = 0; k < sizeof(plInertia) / sizeof(double); k++) to[k] += from[k];
  }
}

// Motions of at most this many dofs are laid out by component, so that several dofs are projected at once.
enum { RUN = 64 };
typedef struct Columns {
  double x[6][RUN];
} Columns;

// row[j] = S_j . F for the dofs first to last, which follow each other on the way to the root
static inline void project_run(const Columns* S, int first, int last, const plForce* F,
                               double* restrict row) {
  double nx = F->n.x, ny = F->n.y, nz = F->n.z, fx = F->f.x, fy = F->f.y, fz = F->f.z;
  for (int j = first; j <= last; j++)
    row[j] = (S->x[0][j] * nx + S->x[1][j] * ny + S->x[2][j] * nz) +
             (S->x[3][j] * fx + S->x[4][j] * fy + S->x[5][j] * fz);
}

// The row of dof i of a tree up to its diagonal, dof by dof.
static inline void project_each(const plMotion* S, const int* parent, int v0, int i, const plForce* F,
                                double* row) {
  for (int j = i; j >= 0; j = parent[j] < 0 ? -1 : parent[j] - v0) row[j] = motion_dot(S[j], *F);
}

// Whether every dof's parent is the one before it: then no entry of M is zero by structure.
static inline bool is_full(const int* parent, int n, int v0) {
  for (int k = 0; k < n; k++)
    if (parent[k] != (k ? v0 + k - 1 : -1)) return false;
  return true;
}

static inline void tree_block(const plTree* tree, const plTreeState* s, int t, double* M) {
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  const int* parent = tree->dof_parent + v0;
  const plMotion* S = s->dof_S + v0;
  Columns columns;
  if (!is_full(parent, n, v0)) memset(M, 0, sizeof(double) * (size_t)n * (size_t)n);
  for (int j = 0, first = 0; j < n; j++) {
    bool follows = j > 0 && parent[j] == v0 + j - 1;
    first = follows ? first : j;
    plForce F = inertia_mul(s->node_Ic[tree->dof_node[v0 + j]], S[j]);
    double* row = M + j * n;
    if (n <= RUN) {
      const double x[6] = {S[j].w.x, S[j].w.y, S[j].w.z, S[j].v.x, S[j].v.y, S[j].v.z};
      for (int k = 0; k < 6; k++) columns.x[k][j] = x[k];
      project_run(&columns, first, j, &F, row);
      if (parent[first] >= 0) project_each(S, parent, v0, parent[first] - v0, &F, row);
    } else {
      project_each(S, parent, v0, j, &F, row);
    }
    for (int k = 0; k < j; k++) M[k * n + j] = row[k];
    row[j] += tree->dof_armature[v0 + j];
  }
}

// The same for one body in the axes of the world (pl_tree_is_body): its inertia itself.
static inline void body_block(const plTree* tree, const plTreeState* s, int t, double* M) {
  const plInertia* I = &s->node_I[tree->tree_node0[t]];
  const double *a = tree->dof_armature + tree->tree_v0[t], m = I->m;
  double x = I->h.x, y = I->h.y, z = I->h.z;
  const plSym3* S = &I->I;
  const double block[6][6] = {{m + a[0], 0, 0, 0, z, -y},
                              {0, m + a[1], 0, -z, 0, x},
                              {0, 0, m + a[2], y, -x, 0},
                              {0, -z, y, S->xx + a[3], S->xy, S->xz},
                              {z, 0, -x, S->xy, S->yy + a[4], S->yz},
                              {-y, x, 0, S->xz, S->yz, S->zz + a[5]}};
  memcpy(M, block, sizeof block);
}

static inline void tree_mass(const plTree* tree, plTreeState* state, double* M) {
  composite(tree, state);
  for (int t = 0; t < tree->ntree; t++)
    (pl_tree_is_body(tree, t) ? body_block : tree_block)(tree, state, t, M + tree->tree_M0[t]);
}

// Sdot v of node i in the world
static inline plMotion rate_of_axes(const plTree* tree, const double* v, int i, const plTreeState* s) {
  int parent = tree->node_parent[i], k = tree->node_v0[i];
  plMotion c = motion_zero();
  if (parent >= 0) {
    plMotion relative =
        (plMotion){v3_sub(s->node_V[i].w, s->node_V[parent].w), v3_sub(s->node_V[i].v, s->node_V[parent].v)};
    c = motion_cross(s->node_V[parent], relative);
  }
  if (tree->node_kind[i] == PL_NODE_FREE) {
    plVec3 vo = {0, 0, 0}, w = {0, 0, 0};
    for (int j = 0; j < 3; j++) {
      vo = v3_madd(vo, v[k + j], s->dof_S[k + j].v);
      w = v3_madd(w, v[k + 3 + j], s->dof_S[k + 3 + j].w);
    }
    c.v = v3_add(c.v, v3_cross(vo, w));
  }
  return c;
}

// node_F -> tau, leaves first
static inline void project(const plTree* tree, plTreeState* s, double* tau) {
  for (int i = tree->nnode - 1; i >= 0; i--) {
    int k0 = tree->node_v0[i], n = pl_node_nv(tree->node_kind[i]), parent = tree->node_parent[i];
    for (int k = k0; k < k0 + n; k++) tau[k] = motion_dot(s->dof_S[k], s->node_F[i]);
    if (parent >= 0) s->node_F[parent] = force_add(s->node_F[parent], s->node_F[i]);
  }
}

static inline void tree_inverse_dynamics(const plTree* tree, const double* v, const double* vdot,
                                         plTreeState* s, double* tau) {
  for (int i = 0; i < tree->nnode; i++) {
    int parent = tree->node_parent[i];
    plMotion A = rate_of_axes(tree, v, i, s);
    if (parent >= 0) A = motion_add(A, s->node_A[parent]);
    int k0 = tree->node_v0[i], n = pl_node_nv(tree->node_kind[i]);
    if (vdot)
      for (int k = k0; k < k0 + n; k++) A = motion_madd(A, vdot[k], s->dof_S[k]);
    s->node_A[i] = A;
    plForce momentum = inertia_mul(s->node_I[i], s->node_V[i]);
    plForce F = force_add(inertia_mul(s->node_I[i], A), motion_cross_force(s->node_V[i], momentum));
    s->node_F[i] = force_sub(F, s->node_weight[i]);
  }
  project(tree, s, tau);
  if (vdot)
    for (int k = 0; k < tree->nv; k++) tau[k] += tree->dof_armature[k] * vdot[k];
}

#endif

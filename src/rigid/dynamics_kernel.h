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

#include "math/four.h"
#include "rigid/node_frame.h"

// A turn about the axis through p, as a motion about the point o.
static inline void put_turn(plWide axis, plWide p, plWide o, plMotion* S) {
  wide_store(&S->w.x, axis), wide_store(&S->v.x, wide_cross(axis, o - p));
}

// The motions for unit rates of node i's dofs, about the point o.
static inline void node_motions(const plTree* tree, int i, const plPlaced* own, plWide o, plTreeState* s) {
  plMotion* S = s->dof_S + tree->node_v0[i];
  int kind = tree->node_kind[i];
  plVec3 zero = v3(0, 0, 0);
  if (kind == PL_NODE_REVOLUTE) {
    put_turn(own->axis, own->p, o, S);
  } else if (kind == PL_NODE_SCREW) {
    put_turn(own->axis, own->p, o, S);
    S->v = v3_madd(S->v, tree->node_pitch[i], S->w);
  } else if (kind == PL_NODE_PRISMATIC) {
    S->w = zero, wide_store(&S->v.x, own->axis);
  } else {
    for (int k = 0; k < 3 && kind == PL_NODE_FREE; k++, S++) S->w = zero, wide_store(&S->v.x, own->F.c[k]);
    for (int k = 0; k < 3; k++) put_turn(own->F.c[k], own->p, o, S + k);
  }
}

// Inertia and weight of node i in world axes about the point of its tree.
static inline void node_inertia(const plTree* tree, int i, plVec3 gravity, plTreeState* s) {
  plSym3 I = tree->node_inertia[i];
  plMat3 R = s->node_R[i];
  plVec3 p = v3_sub(s->node_p[i], s->tree_point[tree->node_tree[i]]),
         c = v3_add(p, m3_mulv(R, tree->node_com[i]));
  s->node_I[i] = inertia_of(tree->node_mass[i], c, sym3_rotate(R, I));
  double w = tree->node_weight[i];
  plVec3 h = v3_madd(m3_mulv(R, tree->node_moment[i]), w, p);
  s->node_weight[i] = (plForce){v3_cross(h, gravity), v3_scale(w, gravity)};
}

// The same of the nodes i .. i+3. The last four nodes of a forest may have some that are done already.
static inline void four_inertias(const plTree* tree, int i, plVec3 gravity, plTreeState* s) {
  plFour33 R = four33_read(s->node_R + i);
  plVec3 point[4];
  for (int k = 0; k < 4; k++) point[k] = s->tree_point[tree->node_tree[i + k]];
  plFour3 p = four3_sub(four3_read(s->node_p + i), four3_read(point));
  plFour3 c = four3_add(p, four33_mul(&R, four3_read(tree->node_com + i)));
  plFourSym own = four_sym_read(tree->node_inertia + i), turned = four_sym_rotate(&R, &own);
  plFourInertia I = four_inertia_of(four_read(tree->node_mass + i), c, &turned);
  four_inertia_write(s->node_I + i, &I);
  plFour3 g = four3_all(gravity);
  plWide w = four_read(tree->node_weight + i);
  plFour3 h = four3_madd(four33_mul(&R, four3_read(tree->node_moment + i)), w, p);
  four_force_write(s->node_weight + i, (plFourForce){four3_cross(h, g), four3_scale(w, g)});
}

static inline void tree_kinematics(const plTree* tree, const double* q, plVec3 gravity, plTreeState* s) {
  plWide3 R = {{wide_zero(), wide_zero(), wide_zero()}};
  plWide p = wide_zero();
  for (int t = 0; t < tree->ntree; t++) {
    plWide o = wide_zero();
    plTurns turns;
    int first = tree->tree_node0[t], end = tree->tree_node0[t + 1];
    for (int i = first; i < end; i++) {
      int k = (i - first) % PL_TURNS, parent = tree->node_parent[i];
      if (!k) pl_find_turns(tree, q, i, end, &turns);
      if (parent != i - 1 && parent >= 0)
        R = wide_columns(&s->node_R[parent]), p = wide_load(&s->node_p[parent]);
      plPlaced own = pl_place(tree, i, q, turns.sine[k], turns.cosine[k], &R, p);
      R = own.R, p = own.p;
      if (i == first) o = p, wide_store(&s->tree_point[t].x, o);
      for (int j = 0; j < 3; j++) wide_store(s->node_R[i].m + 3 * j, R.c[j]);
      wide_store(&s->node_p[i].x, p);
      node_motions(tree, i, &own, o, s);
    }
  }
  int n = tree->nnode;
  for (int i = 0; i < n && n >= 4; i += 4) four_inertias(tree, i < n - 4 ? i : n - 4, gravity, s);
  for (int i = 0; i < n && n < 4; i++) node_inertia(tree, i, gravity, s);
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

// Trees of at most this many dofs have motions and forces laid out by component, so that four dofs are
// projected at once.
enum { RUN = 64 };
typedef struct Columns {
  double S[6][RUN], F[6][RUN];  // motions, and the momentum of what each dof moves at unit rate
} Columns;

// The columns of the dofs j .. j+3 of a tree.
static inline void put_columns(const plTree* tree, const plTreeState* s, int v0, int j, Columns* c) {
  const int* node = tree->dof_node + v0 + j;
  const plInertia* I = s->node_Ic;
  plFourMotion S = four_motion_read(s->dof_S + v0 + j);
  plFourInertia own = four_inertia_gather(I + node[0], I + node[1], I + node[2], I + node[3]);
  plFourForce F = four_inertia_mul(&own, S);
  const plWide x[6] = {S.w.x, S.w.y, S.w.z, S.v.x, S.v.y, S.v.z},
               f[6] = {F.n.x, F.n.y, F.n.z, F.f.x, F.f.y, F.f.z};
  for (int k = 0; k < 6; k++) *(plWide*)(c->S[k] + j) = x[k], *(plWide*)(c->F[k] + j) = f[k];
}

// row[j] = S_j . F_i for the dofs first to i, which follow each other on the way to the root; four at a time,
// also beyond i, where the row has room.
static inline void project_run(const Columns* c, int first, int i, int n, double* row) {
  double F[6];
  for (int k = 0; k < 6; k++) F[k] = c->F[k][i];
  int j = first;
  for (; j <= i && j + 4 <= n; j += 4) {
    plWide x[6];
    for (int k = 0; k < 6; k++) x[k] = *(const plWide*)(c->S[k] + j);
    *(plWide*)(row + j) =
        (x[0] * F[0] + x[1] * F[1] + x[2] * F[2]) + (x[3] * F[3] + x[4] * F[4] + x[5] * F[5]);
  }
  for (; j <= i; j++)
    row[j] = (c->S[0][j] * F[0] + c->S[1][j] * F[1] + c->S[2][j] * F[2]) +
             (c->S[3][j] * F[3] + c->S[4][j] * F[4] + c->S[5][j] * F[5]);
}

// The row of dof i of a tree up to its diagonal, dof by dof.
static inline void project_each(const plMotion* S, const int* parent, int v0, int i, const plForce* F,
                                double* row) {
  for (int j = i; j >= 0; j = parent[j] < 0 ? -1 : parent[j] - v0) row[j] = motion_dot(S[j], *F);
}

// The upper triangle of M from the lower one, by squares of four.
static inline void mirror(int n, double* M) {
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    double* to = M + j;
    for (int i = 0; i < j; i += 4) {
      const double* from = M + (size_t)j * (size_t)n + i;
      plWide a = *(const plWide*)from, b = *(const plWide*)(from + n), c = *(const plWide*)(from + 2 * n),
             d = *(const plWide*)(from + 3 * n);
      wide_transpose(&a, &b, &c, &d);
      *(plWide*)to = a, *(plWide*)(to + n) = b, *(plWide*)(to + 2 * n) = c, *(plWide*)(to + 3 * n) = d;
      to += 4 * n;
    }
    for (int k = 1; k < 4; k++)
      for (int i = 0; i < k; i++) M[(j + i) * n + j + k] = M[(j + k) * n + j + i];
  }
  for (; j < n; j++)
    for (int i = 0; i < j; i++) M[i * n + j] = M[j * n + i];
}

// Whether every dof's parent is the one before it: then no entry of M is zero by structure.
static inline bool is_full(const int* parent, int n, int v0) {
  for (int k = 0; k < n; k++)
    if (parent[k] != (k ? v0 + k - 1 : -1)) return false;
  return true;
}

// Every row of the lower triangle of M, dof by dof.
static inline void plain_block(const plTree* tree, const plTreeState* s, int t, double* M) {
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  for (int j = 0; j < n; j++) {
    plForce F = inertia_mul(s->node_Ic[tree->dof_node[v0 + j]], s->dof_S[v0 + j]);
    project_each(s->dof_S + v0, tree->dof_parent + v0, v0, j, &F, M + j * n);
  }
}

// The same by runs of dofs.
static inline void fast_block(const plTree* tree, const plTreeState* s, int t, double* M) {
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  const int* parent = tree->dof_parent + v0;
  Columns c;
  for (int j = 0; j < n; j += 4) put_columns(tree, s, v0, j < n - 4 ? j : n - 4, &c);
  for (int j = 0, first = 0; j < n; j++) {
    first = j > 0 && parent[j] == v0 + j - 1 ? first : j;
    project_run(&c, first, j, n, M + j * n);
    if (parent[first] < 0) continue;
    plForce F = {{c.F[0][j], c.F[1][j], c.F[2][j]}, {c.F[3][j], c.F[4][j], c.F[5][j]}};
    project_each(s->dof_S + v0, parent, v0, parent[first] - v0, &F, M + j * n);
  }
}

static inline void tree_block(const plTree* tree, const plTreeState* s, int t, double* M) {
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  if (!is_full(tree->dof_parent + v0, n, v0)) memset(M, 0, sizeof(double) * (size_t)n * (size_t)n);
  (n < 4 || n > RUN ? plain_block : fast_block)(tree, s, t, M);
  mirror(n, M);
  for (int j = 0; j < n; j++) M[j * n + j] += tree->dof_armature[v0 + j];
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

// Sdot v of node i in the world, but for what a free joint adds.
static inline plMotion rate_of_axes(const plTree* tree, int i, const plTreeState* s) {
  int parent = tree->node_parent[i];
  if (parent < 0) return motion_zero();
  plMotion up = s->node_V[parent];
  plMotion relative = {v3_sub(s->node_V[i].w, up.w), v3_sub(s->node_V[i].v, up.v)};
  return motion_cross(up, relative);
}

// The force that node i needs, without its weight.
static inline void node_force(int i, plTreeState* s) {
  plInertia I = s->node_I[i];
  plForce momentum = inertia_mul(I, s->node_V[i]);
  plForce F = force_add(inertia_mul(I, s->node_A[i]), motion_cross_force(s->node_V[i], momentum));
  s->node_F[i] = force_sub(F, s->node_weight[i]);
}

// The same of the nodes i .. i+3.
static inline void four_forces(int i, plTreeState* s) {
  plFourInertia I = four_inertia_read(s->node_I + i);
  plFourMotion V = four_motion_read(s->node_V + i);
  plFourForce a = four_inertia_mul(&I, four_motion_read(s->node_A + i)),
              b = four_motion_cross_force(V, four_inertia_mul(&I, V)),
              w = four_force_read(s->node_weight + i);
  plFour3 n = four3_sub(four3_add(a.n, b.n), w.n), f = four3_sub(four3_add(a.f, b.f), w.f);
  four_force_write(s->node_F + i, (plFourForce){n, f});
}

// What a free joint i adds to its Sdot v.
static inline plVec3 rate_of_point(const plTree* tree, const double* v, int i, const plTreeState* s) {
  int k = tree->node_v0[i];
  plVec3 vo = {0, 0, 0}, w = {0, 0, 0};
  for (int j = 0; j < 3; j++) {
    vo = v3_madd(vo, v[k + j], s->dof_S[k + j].v);
    w = v3_madd(w, v[k + 3 + j], s->dof_S[k + 3 + j].w);
  }
  return v3_cross(vo, w);
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
  int n = tree->nnode;
  for (int i = 0; i < n; i++) {
    int parent = tree->node_parent[i], kind = tree->node_kind[i], k0 = tree->node_v0[i];
    plMotion A = rate_of_axes(tree, i, s);
    if (kind == PL_NODE_FREE) A.v = v3_add(A.v, rate_of_point(tree, v, i, s));
    if (parent >= 0) A = motion_add(A, s->node_A[parent]);
    if (vdot)
      for (int j = k0; j < k0 + pl_node_nv(kind); j++) A = motion_madd(A, vdot[j], s->dof_S[j]);
    s->node_A[i] = A;
  }
  for (int i = 0; i < n && n >= 4; i += 4) four_forces(i < n - 4 ? i : n - 4, s);
  for (int i = 0; i < n && n < 4; i++) node_force(i, s);
  project(tree, s, tau);
  if (vdot)
    for (int j = 0; j < tree->nv; j++) tau[j] += tree->dof_armature[j] * vdot[j];
}

#endif

// inertia.c: the mass matrix by composite bodies, energies and momentum.
//
// M_ij = S_j . Ic_i S_i for dof j on the path from dof i to the root; Ic_i is the inertia of everything that
// dof i moves.
#include "rigid/tree.h"

#include <string.h>

// node_I -> node_Ic, leaves first
static void composite(const plTree* tree, plTreeState* s) {
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
static void project_run(const Columns* S, int first, int last, const plForce* F, double* restrict row) {
  double nx = F->n.x, ny = F->n.y, nz = F->n.z, fx = F->f.x, fy = F->f.y, fz = F->f.z;
  for (int j = first; j <= last; j++)
    row[j] = (S->x[0][j] * nx + S->x[1][j] * ny + S->x[2][j] * nz) +
             (S->x[3][j] * fx + S->x[4][j] * fy + S->x[5][j] * fz);
}

// The row of dof i of a tree up to its diagonal, dof by dof.
static void project_each(const plMotion* S, const int* parent, int v0, int i, const plForce* F, double* row) {
  for (int j = i; j >= 0; j = parent[j] < 0 ? -1 : parent[j] - v0) row[j] = motion_dot(S[j], *F);
}

static void tree_block(const plTree* tree, const plTreeState* s, int t, double* M) {
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  const int* parent = tree->dof_parent + v0;
  const plMotion* S = s->dof_S + v0;
  Columns columns;
  memset(M, 0, sizeof(double) * (size_t)n * (size_t)n);
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
static void body_block(const plTree* tree, const plTreeState* s, int t, double* M) {
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

void pl_tree_mass(const plTree* tree, plTreeState* state, double* M) {
  composite(tree, state);
  for (int t = 0; t < tree->ntree; t++)
    (pl_tree_is_body(tree, t) ? body_block : tree_block)(tree, state, t, M + tree->tree_M0[t]);
}

double pl_tree_kinetic(const plTree* tree, const plTreeState* state, const double* v, int t) {
  double e = 0;
  for (int i = tree->tree_node0[t]; i < tree->tree_node0[t + 1]; i++)
    e += 0.5 * motion_dot(state->node_V[i], inertia_mul(state->node_I[i], state->node_V[i]));
  for (int i = tree->tree_v0[t]; i < tree->tree_v0[t + 1]; i++)
    e += 0.5 * tree->dof_armature[i] * v[i] * v[i];
  return e;
}

double pl_tree_potential(const plTree* tree, const plTreeState* state, plVec3 gravity, int t) {
  double e = 0;
  for (int i = tree->tree_node0[t]; i < tree->tree_node0[t + 1]; i++) {
    plVec3 h =
        v3_madd(m3_mulv(state->node_R[i], tree->node_moment[i]), tree->node_weight[i], state->node_p[i]);
    e -= v3_dot(gravity, h);
  }
  return e;
}

plForce pl_tree_momentum(const plTree* tree, const plTreeState* state, int t) {
  plForce L = force_zero();
  for (int i = tree->tree_node0[t]; i < tree->tree_node0[t + 1]; i++)
    L = force_add(L, inertia_mul(state->node_I[i], state->node_V[i]));
  return (plForce){v3_add(L.n, v3_cross(state->tree_point[t], L.f)), L.f};
}

// tree.c: from a list of nodes to the arrays of a forest.
#include "model/tree.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

static bool allocate(plTree* t, int nnode, int ntree, int nv) {
  t->node_parent = PL_NEW(int, nnode), t->node_kind = PL_NEW(int, nnode);
  t->node_tree = PL_NEW(int, nnode);
  t->node_q0 = PL_NEW(int, nnode), t->node_v0 = PL_NEW(int, nnode);
  t->node_p = PL_NEW(plVec3, nnode), t->node_R = PL_NEW(plMat3, nnode), t->node_axis = PL_NEW(plVec3, nnode);
  t->node_straight = PL_NEW(bool, nnode), t->node_along = PL_NEW(int, nnode);
  t->node_pitch = PL_NEW(double, nnode), t->node_mass = PL_NEW(double, nnode),
  t->node_com = PL_NEW(plVec3, nnode);
  t->node_inertia = PL_NEW(plSym3, nnode), t->node_weight = PL_NEW(double, nnode),
  t->node_moment = PL_NEW(plVec3, nnode), t->node_sum = PL_NEW(plInertia, nnode);
  t->dof_parent = PL_NEW(int, nv), t->dof_node = PL_NEW(int, nv), t->dof_armature = PL_NEW(double, nv);
  t->tree_node0 = PL_NEW(int, ntree + 1), t->tree_v0 = PL_NEW(int, ntree + 1);
  t->tree_q0 = PL_NEW(int, ntree + 1), t->tree_M0 = PL_NEW(int, ntree + 1);
  return t->node_parent && t->node_kind && t->node_tree && t->node_q0 && t->node_v0 && t->node_p &&
         t->node_R && t->node_axis && t->node_straight && t->node_along && t->node_pitch && t->node_mass &&
         t->node_com && t->node_inertia && t->node_weight && t->node_moment && t->node_sum && t->dof_parent &&
         t->dof_node && t->dof_armature && t->tree_node0 && t->tree_v0 && t->tree_q0 && t->tree_M0;
}

void pl_tree_destroy(plTree* t) {
  if (!t) return;
  pl_free(t->node_parent), pl_free(t->node_kind), pl_free(t->node_tree), pl_free(t->node_q0),
      pl_free(t->node_v0), pl_free(t->node_p), pl_free(t->node_R);
  pl_free(t->node_axis), pl_free(t->node_straight), pl_free(t->node_along), pl_free(t->node_pitch),
      pl_free(t->node_mass), pl_free(t->node_com), pl_free(t->node_inertia);
  pl_free(t->node_weight), pl_free(t->node_moment), pl_free(t->node_sum), pl_free(t->dof_parent),
      pl_free(t->dof_node), pl_free(t->dof_armature);
  pl_free(t->tree_node0), pl_free(t->tree_v0), pl_free(t->tree_q0), pl_free(t->tree_M0);
  pl_free(t);
}

void pl_tree_set_inertia(plTree* t, int i, plInertia inertia) {
  plVec3 c = inertia.m > 0 ? v3_scale(1 / inertia.m, inertia.h) : v3(0, 0, 0);
  t->node_sum[i] = inertia;
  t->node_mass[i] = inertia.m, t->node_com[i] = c;
  t->node_inertia[i] = sym3_add(inertia.I, sym3_steiner(-inertia.m, c));
}

// Which axis of its frame a unit vector is, or -1.
static int find_axis(plVec3 a) {
  const double x[] = {a.x, a.y, a.z};
  int at = -1;
  for (int k = 0; k < 3; k++) {
    if (x[k] == 1 && x[(k + 1) % 3] == 0 && x[(k + 2) % 3] == 0) at = k;
  }
  return at;
}

static bool is_identity(plMat3 R) {
  bool same = true;
  for (int k = 0; k < 9; k++) same = same && R.m[k] == (k % 4 == 0);
  return same;
}

// Copies definition d to index i; q0, v0 are the node's first coordinate and dof.
static void fill_node(plTree* t, int i, const plNodeDef* d, int parent, int q0, int v0) {
  int nv = pl_node_nv(d->kind);
  t->node_parent[i] = parent, t->node_kind[i] = (int)d->kind, t->node_q0[i] = q0, t->node_v0[i] = v0;
  t->node_p[i] = d->pose.p, t->node_R[i] = quat_matrix(d->pose.q), t->node_axis[i] = d->axis,
  t->node_pitch[i] = d->pitch;
  t->node_straight[i] = is_identity(t->node_R[i]), t->node_along[i] = find_axis(d->axis);
  pl_tree_set_inertia(t, i, d->inertia);
  t->node_weight[i] = d->weight, t->node_moment[i] = d->moment;
  for (int k = 0; k < nv; k++) {
    t->dof_node[v0 + k] = i, t->dof_armature[v0 + k] = d->armature[k];
    t->dof_parent[v0 + k] = k            ? v0 + k - 1
                            : parent < 0 ? -1
                                         : t->node_v0[parent] + pl_node_nv(t->node_kind[parent]) - 1;
  }
}

// Stores the nodes tree by tree; tree_of[i] is the tree of definition i, first and count those of a tree.
static void fill(plTree* t, const plNodeDef* node, const int* tree_of, const int* first, const int* count,
                 int* order) {
  int place = 0, q0 = 0, v0 = 0, m0 = 0;
  for (int tree = 0; tree < t->ntree; tree++) {
    t->tree_node0[tree] = place, t->tree_q0[tree] = q0, t->tree_v0[tree] = v0, t->tree_M0[tree] = m0;
    for (int i = first[tree]; place < t->tree_node0[tree] + count[tree]; i++) {
      if (tree_of[i] != tree) continue;
      order[i] = place, t->node_tree[place] = tree;
      fill_node(t, place++, &node[i], node[i].parent < 0 ? -1 : order[node[i].parent], q0, v0);
      q0 += pl_node_nq(node[i].kind), v0 += pl_node_nv(node[i].kind);
    }
    m0 += (v0 - t->tree_v0[tree]) * (v0 - t->tree_v0[tree]);
  }
  assert(place == t->nnode && q0 == t->nq && v0 == t->nv);  // as many as were counted
  t->tree_node0[t->ntree] = place, t->tree_q0[t->ntree] = q0, t->tree_v0[t->ntree] = v0,
  t->tree_M0[t->ntree] = m0;
}

plTree* pl_tree_create(const plNodeDef* node, int n, int* order) {
  plTree* t = PL_NEW(plTree, 1);
  int *tree_of = PL_NEW(int, n), *first = PL_NEW(int, n), *count = PL_NEW(int, n), *place = PL_NEW(int, n);
  bool ok = t && tree_of && first && count && place;
  for (int i = 0; ok && i < n; i++) {
    assert(node[i].parent < i);  // parents come first
    if (node[i].parent < 0) first[t->ntree] = i;
    tree_of[i] = node[i].parent < 0 ? t->ntree++ : tree_of[node[i].parent];
    count[tree_of[i]]++;
    t->nq += pl_node_nq(node[i].kind), t->nv += pl_node_nv(node[i].kind);
  }
  if (ok) t->nnode = n;
  ok = ok && allocate(t, n, t->ntree, t->nv);
  if (ok) fill(t, node, tree_of, first, count, order ? order : place);
  pl_free(tree_of), pl_free(first), pl_free(count), pl_free(place);
  if (ok) return t;
  pl_tree_destroy(t);
  return NULL;
}

bool pl_tree_state_create(const plTree* tree, plTreeState* state) {
  int n = tree->nnode;
  *state = (plTreeState){.node_R = PL_NEW(plMat3, n),
                         .node_p = PL_NEW(plVec3, n),
                         .node_I = PL_NEW(plInertia, n),
                         .node_Ic = PL_NEW(plInertia, n),
                         .node_weight = PL_NEW(plForce, n),
                         .node_V = PL_NEW(plMotion, n),
                         .node_A = PL_NEW(plMotion, n),
                         .node_F = PL_NEW(plForce, n),
                         .dof_S = PL_NEW(plMotion, tree->nv),
                         .tree_point = PL_NEW(plVec3, tree->ntree)};
  if (state->node_R && state->node_p && state->node_I && state->node_Ic && state->node_weight &&
      state->node_V && state->node_A && state->node_F && state->dof_S && state->tree_point)
    return true;
  pl_tree_state_destroy(state);
  return false;
}

void pl_tree_state_destroy(plTreeState* state) {
  pl_free(state->node_R), pl_free(state->node_p), pl_free(state->node_I), pl_free(state->node_Ic),
      pl_free(state->node_weight);
  pl_free(state->node_V), pl_free(state->node_A), pl_free(state->node_F), pl_free(state->dof_S),
      pl_free(state->tree_point);
  memset(state, 0, sizeof *state);
}

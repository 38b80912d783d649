// bend.c: the curvature of the path along which a pair between bodies acts, over the motion of a step.
//
// The impulse f of a pair acts along its direction at q0. As bodies move with the velocity v, the virtual
// work f . (p_b - p_a) has a second-order term 1/2 v' H v. The number |A^-1/2 H A^-1/2| dt is the stiffness
// of this term relative to the inertia in a step. With dof i nearer to the root than dof j, w_i its axis and
// u_i the velocity that it gives the point,
//
//   H_ij = f . (w_i x u_j),
//
// and the line of a distance, which turns with its ends, adds |f| u_i . u_j / length across the line.
//
// in: work->tree, tree_L -> out: the norm
#include <math.h>

#include "constraint/constraint.h"
#include "math/pose.h"
#include "rigid/tree.h"

// The dofs of one or two trees.
typedef struct Dofs {
  int tree[2], first[2], n;  // first: of a tree's dofs among all
} Dofs;

static int tree_of_body(const plModel* model, const plData* data, int body) {
  int node = body < 0 ? -1 : model->body_node[body];
  return node < 0 ? -1 : pl_tree_of_node(&data->work->forest, node);
}

// u [n], w [n] of a body's point, zero where dofs do not move it.
static void add_side(const plModel* model, const plData* data, const Dofs* d, int body, plVec3 p, double sign,
                     plVec3 f, plVec3* u, double* H) {
  const plTree* tree = &data->work->forest;
  const plTreeState* s = &data->work->tree;
  int t = tree_of_body(model, data, body);
  if (t < 0) return;
  int first = d->first[d->tree[0] != t] - tree->tree_v0[t], node = model->body_node[body],
      last = tree->node_v0[node] + pl_node_nv(tree->node_kind[node]) - 1;
  plVec3 r = v3_sub(p, s->tree_point[t]);
  for (int j = last; j >= 0; j = tree->dof_parent[j]) {
    plVec3 u_j = model->dof_locked[j] ? v3(0, 0, 0) : motion_at(s->dof_S[j], r);
    u[first + j] = v3_madd(u[first + j], sign, u_j);
    for (int i = j; i >= 0; i = tree->dof_parent[i]) {
      bool together = tree->dof_node[i] == tree->dof_node[j];
      if (model->dof_locked[i] || (together && !(v3_norm2(s->dof_S[i].w) > 0))) continue;
      double h = v3_dot(f, v3_cross(s->dof_S[i].w, u_j));
      if (together) h = 0.5 * (h + v3_dot(f, v3_cross(s->dof_S[j].w, motion_at(s->dof_S[i], r))));
      H[(first + j) * d->n + first + i] += sign * h;
      if (i != j) H[(first + i) * d->n + first + j] += sign * h;
    }
  }
}

plStatus pl_pair_bend(const plModel* model, plData* data, const plReduced* r, int i, const double* gamma,
                      double* norm) {
  const plConstraintDef* def = &model->constraint[r->source[i].index];
  const plTree* tree = &data->work->forest;
  plPose a = pose_mul(pl_body_pose(data, def->a), def->pose_a),
         b = pose_mul(pl_body_pose(data, def->b), def->pose_b);
  bool line = def->kind == PL_CONSTRAINT_DISTANCE;
  int nrow = r->constraint[i].nrow;
  plVec3 way = v3_sub(b.p, a.p);
  double length = v3_norm(way);
  plVec3 f = line ? v3_scale(length > 0 ? gamma[0] / length : 0, way) : v3_load(gamma + nrow - 3);
  Dofs d = {{tree_of_body(model, data, def->a), tree_of_body(model, data, def->b)}, {0, 0}, 0};
  for (int k = 0; k < 2; k++) {
    if (d.tree[k] < 0 || (k && d.tree[1] == d.tree[0])) continue;
    d.first[k] = d.n, d.n += tree->tree_v0[d.tree[k] + 1] - tree->tree_v0[d.tree[k]];
  }
  double *H = PL_KEEP(&data->work->step, double, (size_t)d.n*(size_t)d.n), sum = 0;
  plVec3* u = PL_KEEP(&data->work->step, plVec3, d.n);
  if (!H || !u) return PL_ERROR_MEMORY;
  add_side(model, data, &d, def->a, a.p, -1, f, u, H);
  add_side(model, data, &d, def->b, b.p, 1, f, u, H);
  for (int j = 0; j < d.n && line && length > 0; j++)
    for (int k = 0; k < d.n; k++)
      H[j * d.n + k] += gamma[0] / length *
                        (v3_dot(u[j], u[k]) - v3_dot(u[j], way) * v3_dot(u[k], way) / (length * length));
  for (int j = 0; j < d.n; j++)
    for (int k = 0; k < 2; k++)
      if (d.tree[k] >= 0 && !(k && d.tree[1] == d.tree[0]))
        pl_tree_solve(tree, d.tree[k], data->work->tree_L + tree->tree_M0[d.tree[k]],
                      H + j * d.n + d.first[k]);
  for (int j = 0; j < d.n; j++)
    for (int k = 0; k < d.n; k++) sum += H[j * d.n + k] * H[k * d.n + j];
  *norm = sqrt(fmax(0, sum));
  return PL_OK;
}

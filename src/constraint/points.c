// points.c: selects the contact points that can act, and the position where each acts.
//
// A point acts if the motion of at least one side changes its gap. If none does (a fixed vertex on the
// ground, a shape on the axis of its hinge, a turntable on the floor), its normal impulse is indeterminate,
// and so is its friction: such points are dropped and counted. A body in plane strain does not move along
// normals that are closer to z than to its plane: the part in the plane would have to open the gap alone,
// with velocities that grow without bound as the normal approaches z.
//
// The impulse acts on both sides at one position, so that its moments cancel: at the point of the soft
// surface if one side is soft and the other rigid, halfway between two rigid sides. Between two soft sides it
// acts on each at its own point, one gap apart; their moments therefore differ by gap x friction.
//
// in: work->point, tree at q0, attachments -> out: work->point, npoint, report.skipped
#include <assert.h>
#include <math.h>

#include "constraint/constraint.h"
#include "rigid/tree.h"

// A point moves along its normal if that is more than this fraction of its motion: axes in files are rounded.
static const double ALONG = 1e-4;

// Whether the material point at p of a rigid body (-1: the world) can move along n.
static bool body_moves(const plModel* model, const plData* data, int body, plVec3 p, plVec3 n) {
  const plTree* tree = model->work->tree;
  const plTreeState* s = &data->work->tree;
  int node = body < 0 ? -1 : model->body_node[body];
  if (node < 0) return false;
  if (tree->node_kind[node] == PL_NODE_FREE && !model->dof_locked[tree->node_v0[node]]) return true;
  plVec3 r = v3_sub(p, s->tree_point[pl_tree_of_node(tree, node)]);
  int k = tree->node_v0[node] + pl_node_nv(tree->node_kind[node]) - 1;
  for (; k >= 0; k = tree->dof_parent[k]) {
    plMotion S = s->dof_S[k];
    double most = v3_norm(S.v) + v3_norm(S.w) * v3_norm(r);
    if (!model->dof_locked[k] && fabs(v3_dot(n, motion_at(S, r))) > ALONG * most) return true;
  }
  return false;
}

enum { FREE = -2 };  // a vertex without an exact attachment

static bool vertex_moves(const plModel* model, const plData* data, int body, int vert, const int* holder,
                         plVec3 n) {
  const double along[3] = {n.x, n.y, n.z};
  if (holder && holder[vert] != FREE) {
    const double* x = data->q + model->deform_q0[body] + 3 * (vert - model->deform_vert0[body]);
    return body_moves(model, data, holder[vert], v3_load(x), n);
  }
  // plane strain: the faces along z are cuts through a longer body, not surfaces
  if (model->deform_plane[body] && n.z * n.z >= n.x * n.x + n.y * n.y) return false;
  for (int j = 0; j < 3; j++)
    if (!(model->vert_fixed[vert] >> j & 1) && fabs(along[j]) > ALONG) return true;
  return false;
}

static bool side_moves(const plModel* model, const plData* data, const plContactSide* side, const int* holder,
                       plVec3 p, plVec3 n) {
  if (side->shape_id >= 0) return body_moves(model, data, model->shape_body[side->shape_id], p, n);
  for (int k = 0; k < side->nvert; k++)
    if (side->weight[k] != 0 && vertex_moves(model, data, side->body, side->vert[k], holder, n)) return true;
  return false;
}

// The rigid body to which each vertex is attached exactly, FREE: none; NULL if there is no such attachment.
static plStatus find_holders(const plModel* model, plData* data, int** holder) {
  *holder = NULL;
  for (int i = 0; i < data->nattach; i++) {
    const plAttachment* a = &data->attach[i];
    if (!a->exact || a->other >= 0 || !pl_attachment_holds(data, a)) continue;
    if (!*holder) {
      *holder = PL_ARENA_NEW(&data->work->step, int, model->nvert);
      if (!*holder) return PL_ERROR_MEMORY;
      for (int k = 0; k < model->nvert; k++) (*holder)[k] = FREE;
    }
    int vert0 = model->deform_vert0[a->deformable];
    for (int k = 0; k < a->nvert; k++) {
      assert(a->vert[k] >= 0 && vert0 + a->vert[k] < model->deform_vert0[a->deformable + 1]);
      (*holder)[vert0 + a->vert[k]] = a->body;
    }
  }
  return PL_OK;
}

static plVec3 soft_point(const plModel* model, const plData* data, const plContactSide* side) {
  plVec3 x = v3(0, 0, 0);
  const double* q = data->q + model->deform_q0[side->body] - 3 * model->deform_vert0[side->body];
  for (int k = 0; k < side->nvert; k++) x = v3_madd(x, side->weight[k], v3_load(q + 3 * side->vert[k]));
  return x;
}

plStatus pl_constraint_points(const plModel* model, plData* data) {
  plWork* work = data->work;
  int n = 0, *holder;
  plStatus status = find_holders(model, data, &holder);
  for (int i = 0; i < work->npoint && !status; i++) {
    plContactPoint* p = &work->point[i];
    if (!p->swept && p->a.shape_id >= 0 && p->b.shape_id < 0) p->position = soft_point(model, data, &p->b);
    if (!p->swept && p->b.shape_id >= 0 && p->a.shape_id < 0) p->position = soft_point(model, data, &p->a);
    if (!side_moves(model, data, &p->a, holder, p->position, p->normal) &&
        !side_moves(model, data, &p->b, holder, p->position, p->normal))
      continue;
    if (n != i) work->point[n] = *p;
    n++;
  }
  if (status) return status;
  data->report.skipped += work->npoint - n;
  work->npoint = n;
  return PL_OK;
}

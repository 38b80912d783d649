// points.c: contact points before they become rows: which of them can act, and where.
//
// A point acts if the motion of one of its sides changes its gap. Where none does (a fixed vertex on the
// ground, a shape on the axis of its hinge, a turntable on the floor) no impulse along the normal can be told
// from another, and friction would be a part of any of them: such points are dropped and counted.
//
// Both sides feel the impulse at one place, so that its moments on them cancel: at the soft surface's point
// where a side is soft and the other rigid, half way between two rigid ones. Two soft sides feel it at their
// own points, which are apart by the gap: what friction's moments lack to cancel is gap x friction.
//
// in: work->point, tree at q0, attachments -> out: work->point, npoint, report.skipped
#include <math.h>

#include "constraint/constraint.h"
#include "rigid/tree.h"

// A point moves along its normal if that takes more than this part of its motion: axes in files are rounded.
static const double ALONG = 1e-4;

// Can the material point at p of a rigid body (-1: the world) move along n?
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

enum { FREE = -2 };  // a vertex that no exact attachment holds

static bool vertex_moves(const plModel* model, const plData* data, int body, int vert, const int* holder,
                         plVec3 n) {
  const double along[3] = {n.x, n.y, n.z};
  if (holder && holder[vert] != FREE) {
    const double* x = data->q + model->deform_q0[body] + 3 * (vert - model->deform_vert0[body]);
    return body_moves(model, data, holder[vert], v3_load(x), n);
  }
  for (int j = 0; j < 3; j++)
    if (!(model->vert_fixed[vert] >> j & 1) && fabs(along[j]) > ALONG) return true;
  return false;
}

static bool side_moves(const plModel* model, const plData* data, const plContactSide* side, const int* holder,
                       plVec3 p, plVec3 n) {
  if (side->geom >= 0) return body_moves(model, data, model->shape_body[side->geom], p, n);
  for (int k = 0; k < side->nvert; k++)
    if (side->weight[k] != 0 && vertex_moves(model, data, side->body, side->vert[k], holder, n)) return true;
  return false;
}

// The rigid body that holds each vertex exactly, FREE: none; NULL where there is no such attachment.
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
    for (int k = 0; k < a->nvert; k++) (*holder)[model->deform_vert0[a->deformable] + a->vert[k]] = a->body;
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
    if (!p->swept && p->a.geom >= 0 && p->b.geom < 0) p->position = soft_point(model, data, &p->b);
    if (!p->swept && p->b.geom >= 0 && p->a.geom < 0) p->position = soft_point(model, data, &p->a);
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

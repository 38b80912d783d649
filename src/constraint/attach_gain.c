// attach_gain.c: energy that attachments add to their two sides together, beyond what their springs had
// stored.
//
// An attachment is a spring: a vertex at the distance g from its anchor stores P(g) = k g^2 / 2, with the k
// that its rows have in a whole step (attach_rows.c: the near-rigid k if it has no stiffness of its own; an
// exact attachment stores nothing). A light body under load, such as a soft finger on its mount, stores and
// returns much of its energy in this way. With theta_vq = 1 the rows return less than the spring loses. With
// theta_vq < 1 a vertex that was stopped lies (1 - theta_vq) dt v0 off its anchor. No force made this
// distance, so it stores no energy, and the spring is not counted, not even in those parts of such a step
// that backward Euler takes. Any other energy that is added is a gain, counted for the body that is held.
//
// The attachments of soft bodies that hold each other are judged together: energy that one takes from the
// other's vertices in the same step, and does not store, is not a gain.
//
// in: impulse, attach, q, v -> out: gain
#include <assert.h>
#include <float.h>
#include <math.h>

#include "constraint/constraint.h"
#include "math/pose.h"
#include "rigid/tree.h"

static const double UNITS = 64;  // units of rounding, as in deform/accuracy.c

// Displacement of the holder of vertex i of a at its point p in the step, along a straight line; row: the
// rows of the vertex, NULL: it has none.
static plStatus holder_way(const plModel* model, plData* data, const plAttachment* a, int i, plVec3 p,
                           const plSapConstraint* row, const double* q1, const double* v1, plVec3* way) {
  const plOptions* o = &data->par->options;
  const plTree* tree = &data->work->forest;
  *way = v3(0, 0, 0);
  for (int k = 0; a->other >= 0 && k < 4; k++) {
    size_t at = (size_t)model->deform_q0[a->other] + 3 * (size_t)a->target[4 * (size_t)i + (size_t)k];
    *way =
        v3_madd(*way, a->weight[4 * (size_t)i + (size_t)k], v3_sub(v3_load(q1 + at), v3_load(data->q + at)));
  }
  int node = a->other >= 0 || a->body < 0 ? -1 : model->body_node[a->body];
  if (node < 0) return PL_OK;
  int t = pl_tree_of_node(tree, node), v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  double* J = PL_ARENA_NEW(&data->work->step, double, 6 * n);
  if (!J) return PL_ERROR_MEMORY;
  pl_tree_jacobian(tree, &data->work->tree, node, p, J);
  // impulses may act elsewhere in the motion (step/arms.c)
  for (int k = 0; row && k < row->nblock; k++)
    for (int j = 0; row->block[k].clique == t && j < n; j++)
      v3_store(J + 6 * j + 3, v3_scale(-1, v3_load(row->block[k].J + 3 * j)));
  for (int j = 0; j < n; j++)
    *way = v3_madd(*way, o->dt * (o->theta_vq * v1[v0 + j] + (1 - o->theta_vq) * data->v[v0 + j]),
                   v3_load(J + 6 * j + 3));
  return PL_OK;
}

// Half the sum over the vertices of k times the squared distance at q; work->tree belongs to q.
static double held_energy(const plData* data, const plAttachment* a, const double* stiffness,
                          const double* q) {
  const plModel* model = data->model;
  plPose pose = pl_body_pose(data, a->body);
  double sum = 0;
  for (int i = 0; i < a->nvert; i++) {
    plVec3 anchor = v3_load(a->anchor + 3 * (size_t)i),
           x = v3_load(q + model->deform_q0[a->deformable] + 3 * (size_t)a->vert[i]);
    if (a->other < 0) anchor = pose_apply(pose, anchor);
    for (int k = 0; a->other >= 0 && k < 4; k++)
      anchor =
          v3_madd(anchor, a->weight[4 * (size_t)i + (size_t)k],
                  v3_load(q + model->deform_q0[a->other] + 3 * (size_t)a->target[4 * (size_t)i + (size_t)k]));
    sum += 0.5 * stiffness[i] * v3_norm2(v3_sub(x, anchor));
  }
  return sum;
}

// The energy that the spring of an attachment lost in a step that ends at q1.
static plStatus given_back(plData* data, const plAttachment* a, const double* q1, double* back) {
  const plTree* tree = &data->work->forest;
  double* stiffness = PL_ARENA_NEW(&data->work->step, double, a->nvert);
  if (!stiffness) return PL_ERROR_MEMORY;
  assert(!a->exact);
  pl_attachment_stiffness(data, a, data->work->whole_dt, stiffness);
  double before = held_energy(data, a, stiffness, data->q);
  if (a->other < 0) pl_tree_kinematics(tree, q1, data->par->options.gravity, &data->work->tree);
  *back = fmax(0, before - held_energy(data, a, stiffness, q1));
  if (a->other < 0) pl_tree_kinematics(tree, data->q, data->par->options.gravity, &data->work->tree);
  return PL_OK;
}

// Soft bodies that hold each other have the same root in up [ndeform].
static int root_of(const int* up, int b) {
  while (up[b] != b) b = up[b];
  return b;
}

// Counts the sum over the attachments of bodies that hold each other, and divides it in proportion to what
// each adds.
static plStatus add_gains(const plModel* model, plData* data, const double* net, double* gain) {
  plArena* arena = &data->work->step;
  int* up = PL_ARENA_NEW(arena, int, model->ndeform);
  double *sum = PL_KEEP(arena, double, model->ndeform), *given = PL_KEEP(arena, double, model->ndeform);
  if (!up || !sum || !given) return PL_ERROR_MEMORY;
  for (int b = 0; b < model->ndeform; b++) up[b] = b;
  for (int i = 0; i < data->nattach; i++) {
    const plAttachment* a = &data->attach[i];
    if (a->other >= 0 && pl_attachment_holds(data, a)) up[root_of(up, a->other)] = root_of(up, a->deformable);
  }
  for (int i = 0; i < data->nattach; i++) {
    int root = root_of(up, data->attach[i].deformable);
    sum[root] += net[i], given[root] += fmax(0, net[i]);
  }
  for (int i = 0; i < data->nattach; i++) {
    int b = data->attach[i].deformable, root = root_of(up, b);
    if (net[i] > 0 && sum[root] > 0) gain[b] += net[i] * (sum[root] / given[root]);
  }
  return PL_OK;
}

plStatus pl_attachments_gain(const plModel* model, plData* data, const double* q1, const double* v1,
                             double* gain) {
  double *net = PL_KEEP(&data->work->step, double, data->nattach),
         *rounding = PL_KEEP(&data->work->step, double, data->nattach);
  if (!net || !rounding) return PL_ERROR_MEMORY;
  const plReduced* r = data->work->reduced;
  for (int k = 0, row = 0; k < data->nimpulse; k++) {
    const plImpulse* p = &data->impulse[k];
    if (p->kind != PL_IMPULSE_ATTACHMENT) continue;
    assert(p->index >= 0 && p->index < data->nattach && p->part < data->attach[p->index].nvert);
    const plAttachment* a = &data->attach[p->index];
    size_t at = (size_t)model->deform_q0[a->deformable] + 3 * (size_t)a->vert[p->part];
    // rows are in the order of the impulses; those of exact vertices, which have none, come last
    while (row < r->n && r->source[row].kind != PL_ROWS_ATTACHMENT) row++;
    assert(r->nexact || (r->source[row].index == p->index && r->source[row].part == p->part));
    plVec3 way;
    plStatus status = holder_way(model, data, a, p->part, p->point_a,
                                 r->nexact ? NULL : &r->constraint[row++], q1, v1, &way);
    if (status) return status;
    way = v3_sub(v3_sub(v3_load(q1 + at), v3_load(data->q + at)), way);
    plVec3 f = v3_scale(1 / data->par->options.dt, p->push.force);
    net[p->index] += v3_dot(f, way);
    rounding[p->index] += UNITS * DBL_EPSILON * v3_norm(f) * v3_norm(v3_load(q1 + at));
  }
  for (int i = 0; i < data->nattach; i++) {
    bool stores = !data->attach[i].exact && data->par->options.theta_vq == 1 && !data->work->damped;
    double back = 0;
    plStatus status = net[i] > rounding[i] && stores ? given_back(data, &data->attach[i], q1, &back) : PL_OK;
    if (status) return status;
    if (!(net[i] > back + rounding[i]) && (stores || net[i] > 0)) net[i] = 0;
    net[i] -= back * (net[i] > 0);
  }
  return add_gains(model, data, net, gain);
}

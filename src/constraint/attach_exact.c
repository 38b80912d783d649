// attach_exact.c: exact attachments: vertices that move with a rigid body and have no degrees of freedom of
// their own.
//
// With v_a = S v_t + b for the attached vertices (S: Jacobian of the body at their anchors, b: corrects half
// of a drift, at options.push_out_speed at most) the quadratic 1/2 |v - v*|^2 of the body and its tree
// becomes one in the velocities v_c of its other participating vertices and v_t of the tree:
//
//   A_ct = A_ca S,   A_tt += S' A_aa S,   and, around the old v*, known impulses -A_ca d and -S' A_aa d,
//   d = S v_t* + b - v_a*
//
// where A of the body is A_hat, with its interior eliminated. A body attached to two trees couples them: A_tu
// = S_t' A_aa S_u. The attachment carries the body's balance at its vertices, A (v - v*)_a; the opposite acts
// on the tree. The diagonal for regularisation grows likewise, by that of S' A_aa S before elimination: what
// pushes a held vertex meets its mass, however light the link is.
//
// in: attachments, A, chol (A_hat), v_star -> out: plReduced: exact, diagonal, problem.A, coupling, impulse;
// f of the attachments
#include <assert.h>
#include <string.h>

#include "constraint/constraint.h"
#include "math/pose.h"
#include "rigid/tree.h"

// S and b of vertex i of attachment a.
static plStatus make_exact(const plModel* model, plData* data, const plAttachment* a, int i, plPose pose,
                           plExactVertex* w) {
  const plTree* tree = &data->work->forest;
  int node = a->body < 0 ? -1 : model->body_node[a->body];
  plVec3 x = v3_load(data->q + model->deform_q0[a->deformable] + 3 * (size_t)a->vert[i]);
  *w = (plExactVertex){
      .deformable = a->deformable, .vert = a->vert[i], .body = a->body, .tree = -1, .part = i};
  w->anchor = pose_apply(pose, v3_load(a->anchor + 3 * (size_t)i));
  v3_store(w->b, v3_scale(-0.5 / data->par->options.dt, v3_sub(x, w->anchor)));
  if (node < 0) return PL_OK;
  w->tree = pl_tree_of_node(tree, node);
  int v0 = tree->tree_v0[w->tree];
  w->n = tree->tree_v0[w->tree + 1] - v0;
  double* J6 = PL_ARENA_NEW(&data->work->step, double, 6 * w->n);
  w->S = PL_KEEP(&data->work->step, double, 3 * w->n);
  if (!J6 || !w->S) return PL_ERROR_MEMORY;
  pl_tree_jacobian(tree, &data->work->tree, node, w->anchor, J6);
  for (int j = 0; j < w->n; j++)
    if (!model->dof_locked[v0 + j]) memcpy(w->S + 3 * j, J6 + 6 * j + 3, 3 * sizeof(double));
  return PL_OK;
}

// Limits b of the n vertices of an attachment to the body's push-out speed. All of them get the same factor,
// so vertices that are displaced as a whole return as a whole.
static void slow_down(const plModel* model, const plData* data, plExactVertex* w, int n) {
  double part = 1;
  for (int i = 0; i < n; i++) {
    double b = v3_norm(v3_load(w[i].b)), most = pl_rows_push_out_at(model, data, w[i].body, w[i].anchor);
    if (b * part > most) part = most / b;
  }
  for (int i = 0; i < n && part < 1; i++) v3_store(w[i].b, v3_scale(part, v3_load(w[i].b)));
}

plStatus pl_exact_list(const plModel* model, plData* data, plReduced* r) {
  plArena* arena = &data->work->step;
  int most = 0;
  for (int i = 0; i < data->nattach; i++)
    most += data->attach[i].exact && pl_attachment_holds(data, &data->attach[i]) ? data->attach[i].nvert : 0;
  r->exact_of_vert = PL_ARENA_NEW(arena, int, model->nvert);
  r->exact = PL_ARENA_NEW(arena, plExactVertex, most);
  r->exact_A = PL_KEEP(arena, double*, model->ndeform);
  if (arena->failed) return PL_ERROR_MEMORY;
  for (int i = 0; i < model->nvert; i++) r->exact_of_vert[i] = -1;
  for (int k = 0; most && k < data->nattach; k++) {
    const plAttachment* a = &data->attach[k];
    if (!a->exact || !pl_attachment_holds(data, a)) continue;
    plPose pose = pl_body_pose(data, a->body);
    for (int i = 0; i < a->nvert; i++) {
      assert(r->nexact < most);
      plStatus status = make_exact(model, data, a, i, pose, &r->exact[r->nexact]);
      if (status) return status;
      r->exact[r->nexact].attachment = k;
      r->exact_of_vert[model->deform_vert0[a->deformable] + a->vert[i]] = r->nexact++;
    }
    slow_down(model, data, r->exact + r->nexact - a->nvert, a->nvert);
  }
  return PL_OK;
}

// S_j' B T_j of two vertices for the block B of A between them
static double along(const double* S, const double* B, const double* T) {
  double sum = 0;
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++) sum += S[l] * B[3 * k + l] * T[k];
  return sum;
}

void pl_exact_diagonals(const plModel* model, const plData* data, plReduced* r) {
  for (int k = 0; k < r->nexact; k++) {
    const plExactVertex* w = &r->exact[k];
    const plBsym* A = &data->work->A[w->deformable];
    const int* exact_of = r->exact_of_vert + model->deform_vert0[w->deformable];
    for (int q = A->col0[w->vert]; q < A->col0[w->vert + 1] && w->tree >= 0; q++) {
      int other = exact_of[A->row[q]];
      if (other < 0 || r->exact[other].tree != w->tree) continue;
      double* diagonal = r->diagonal + r->clique_v0[w->tree];
      for (int j = 0; j < w->n; j++)
        diagonal[j] +=
            (other == k ? 1 : 2) * along(r->exact[other].S + 3 * j, A->block + 9 * (size_t)q, w->S + 3 * j);
    }
  }
}

// ---- the problem

// A_hat of body b, both triangles; rank of its exact vertices.
static plStatus full_schur(const plModel* model, plData* data, plReduced* r, int b) {
  plWork* work = data->work;
  int n = 3 * work->nparticipating[b];
  double* A = r->exact_A[b] = PL_ARENA_NEW(&work->step, double, (size_t)n*(size_t)n);
  if (!A) return PL_ERROR_MEMORY;
  pl_chol_schur(work->chol[b], A, n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) A[i + n * j] = A[j + n * i];
  for (int i = 0; i < work->nparticipating[b]; i++) {
    int w = r->exact_of_vert[model->deform_vert0[b] + work->participating[model->deform_vert0[b] + i]];
    if (w >= 0) r->exact[w].rank = i;
  }
  return PL_OK;
}

// y [3 np] += A_hat(:, a) x for one exact vertex
static void add_columns(const double* A, int n, const plExactVertex* w, const double* x, double* y) {
  for (int k = 0; k < 3; k++) {
    assert(3 * w->rank + k < n);
    const double* column = A + (size_t)n * (size_t)(3 * w->rank + k);
    for (int i = 0; i < n; i++) y[i] += column[i] * x[k];
  }
}

// The block of A between two cliques, created if needed; the array has room.
static double* coupling_block(plData* data, plReduced* r, int row, int col) {
  for (int k = 0; k < r->problem.ncoupling; k++)
    if (r->coupling[k].row == row && r->coupling[k].col == col) return r->coupling_A[k];
  double* A = PL_KEEP(&data->work->step, double,
                      (size_t)r->problem.clique_nv[row] * (size_t)r->problem.clique_nv[col]);
  assert(r->problem.ncoupling < r->coupling_cap);
  if (!A) return NULL;
  r->coupling_A[r->problem.ncoupling] = A;
  r->coupling[r->problem.ncoupling++] = (plSapCoupling){row, col, A};
  return A;
}

// The terms of body b with tree t: P = A_hat(:, a) S over its exact vertices on t.
static plStatus add_tree(const plModel* model, plData* data, plReduced* r, int b, int t) {
  int n = 3 * data->work->nparticipating[b], nt = r->problem.clique_nv[t], vert0 = model->deform_vert0[b];
  double* P = PL_KEEP(&data->work->step, double, (size_t)n*(size_t)nt);
  if (!P) return PL_ERROR_MEMORY;
  for (int k = 0; k < r->nexact; k++)
    for (int j = 0; r->exact[k].deformable == b && r->exact[k].tree == t && j < nt; j++)
      add_columns(r->exact_A[b], n, &r->exact[k], r->exact[k].S + 3 * j, P + (size_t)n * (size_t)j);
  for (int k = 0; k < r->nexact; k++) {
    const plExactVertex* w = &r->exact[k];
    if (w->deformable != b || w->tree < t) continue;
    double* A = w->tree == t ? r->A[t] : coupling_block(data, r, w->tree, t);
    if (!A) return PL_ERROR_MEMORY;
    assert(w->n == r->problem.clique_nv[w->tree]);
    for (int j = 0; j < nt; j++)
      for (int i = 0; i < w->n; i++)
        for (int l = 0; l < 3; l++) A[i + w->n * j] += w->S[3 * i + l] * P[3 * w->rank + l + n * j];
  }
  for (int i = 0; i < data->work->nparticipating[b]; i++) {
    int vert = vert0 + data->work->participating[vert0 + i], c = r->clique_of_vert[vert];
    if (c < 0) continue;
    int nc = r->problem.clique_nv[c];
    double* A = coupling_block(data, r, c, t);
    if (!A) return PL_ERROR_MEMORY;
    assert(r->row_of_vert[vert] >= 0 && 3 * r->row_of_vert[vert] + 3 <= nc);
    for (int j = 0; j < nt; j++)
      memcpy(A + 3 * r->row_of_vert[vert] + nc * j, P + 3 * i + n * j, 3 * sizeof *A);
  }
  return PL_OK;
}

// Known impulses of body b: -A_hat(:, a) d on its cliques and, through S', on the trees.
static plStatus add_impulses(const plModel* model, plData* data, plReduced* r, int b, double* impulse) {
  int n = 3 * data->work->nparticipating[b], vert0 = model->deform_vert0[b];
  double* D = PL_KEEP(&data->work->step, double, n);
  if (!D) return PL_ERROR_MEMORY;
  for (int k = 0; k < r->nexact; k++) {
    const plExactVertex* w = &r->exact[k];
    if (w->deformable != b) continue;
    double d[3];
    const double* star = data->v_star + model->deform_v0[b] + 3 * (size_t)w->vert;
    for (int l = 0; l < 3; l++) {
      d[l] = w->b[l] - star[l];
      for (int j = 0; j < w->n; j++) d[l] += w->S[3 * j + l] * r->problem.v_star[r->clique_v0[w->tree] + j];
    }
    add_columns(r->exact_A[b], n, w, d, D);
  }
  for (int i = 0; i < data->work->nparticipating[b]; i++) {
    int vert = vert0 + data->work->participating[vert0 + i], c = r->clique_of_vert[vert];
    assert(c < 0 || r->clique_v0[c] + 3 * r->row_of_vert[vert] + 3 <= r->clique_v0[c + 1]);
    for (int l = 0; c >= 0 && l < 3; l++)
      impulse[r->clique_v0[c] + 3 * r->row_of_vert[vert] + l] -= D[3 * i + l];
  }
  for (int k = 0; k < r->nexact; k++) {
    const plExactVertex* w = &r->exact[k];
    for (int j = 0; w->deformable == b && j < w->n; j++)
      for (int l = 0; l < 3; l++) impulse[r->clique_v0[w->tree] + j] -= w->S[3 * j + l] * D[3 * w->rank + l];
  }
  return PL_OK;
}

// Copies of A of the trees with exact vertices, and room for couplings.
static plStatus make_room(const plModel* model, plData* data, plReduced* r) {
  plArena* arena = &data->work->step;
  r->coupling_cap = r->problem.ncoupling + model->ntree * r->problem.nclique;
  plSapCoupling* coupling = PL_ARENA_NEW(arena, plSapCoupling, r->coupling_cap);
  double** coupling_A = PL_ARENA_NEW(arena, double*, r->coupling_cap);
  if (!coupling || !coupling_A) return PL_ERROR_MEMORY;
  for (int k = 0; k < r->problem.ncoupling; k++)
    coupling[k] = r->coupling[k], coupling_A[k] = r->coupling_A[k];
  r->problem.coupling = r->coupling = coupling, r->coupling_A = coupling_A;
  for (int t = 0; t < model->ntree; t++) {
    bool any = false;
    for (int k = 0; k < r->nexact; k++) any |= r->exact[k].tree == t;
    size_t n = (size_t)r->problem.clique_nv[t];
    double* A = any ? PL_ARENA_NEW(arena, double, n* n) : NULL;
    if (any && !A) return PL_ERROR_MEMORY;
    if (any) memcpy(A, r->A[t], n * n * sizeof *A), r->A[t] = A;
  }
  return PL_OK;
}

plStatus pl_exact_apply(const plModel* model, plData* data, plReduced* r) {
  if (!r->nexact) return PL_OK;
  plStatus status = make_room(model, data, r);
  for (int b = 0; b < model->ndeform && !status; b++) {
    bool any = false;
    for (int k = 0; k < r->nexact; k++) any |= r->exact[k].deformable == b;
    if (!any) continue;
    status = full_schur(model, data, r, b);
    for (int t = 0; t < model->ntree && !status; t++) {
      bool here = false;
      for (int k = 0; k < r->nexact; k++) here |= r->exact[k].deformable == b && r->exact[k].tree == t;
      if (here) status = add_tree(model, data, r, b, t);
    }
  }
  return status ? status : pl_exact_impulses(model, data, r);
}

plStatus pl_exact_impulses(const plModel* model, plData* data, plReduced* r) {
  if (!r->nexact) return PL_OK;
  double* impulse = PL_KEEP(&data->work->step, double, r->clique_v0[r->problem.nclique]);
  plStatus status = impulse ? PL_OK : PL_ERROR_MEMORY;
  for (int b = 0; b < model->ndeform && !status; b++)
    if (r->exact_A[b]) status = add_impulses(model, data, r, b, impulse);
  r->problem.impulse = impulse;
  return status;
}

// ---- results

void pl_exact_velocities(const plModel* model, const plReduced* r, const double* v_reduced, double* v) {
  for (int k = 0; k < r->nexact; k++) {
    const plExactVertex* w = &r->exact[k];
    double* u = v + model->deform_v0[w->deformable] + 3 * (size_t)w->vert;
    for (int l = 0; l < 3; l++) {
      u[l] = w->b[l];
      for (int j = 0; j < w->n; j++) u[l] += w->S[3 * j + l] * v_reduced[r->clique_v0[w->tree] + j];
    }
  }
}

// An impulse that acts on vertex `vert` of all, where it is exact, is not part of the attachment's.
static void take_off(plReduced* r, int vert, double weight, plVec3 impulse) {
  int exact = r->exact_of_vert[vert];
  if (exact < 0) return;
  v3_store(r->exact[exact].impulse, v3_madd(v3_load(r->exact[exact].impulse), -weight, impulse));
}

static void take_off_contact(const plContactSide* side, plVec3 gamma, const plVec3* frame, double sign,
                             plReduced* r) {
  plVec3 force = v3_madd(v3_madd(v3_scale(gamma.x, frame[0]), gamma.y, frame[1]), gamma.z, frame[2]);
  for (int k = 0; k < side->nvert; k++) take_off(r, side->vert[k], sign * side->weight[k], force);
}

// The rows of an attachment whose vertex is also held exactly by another attachment, or is held by such
// vertices.
static void take_off_rows(const plModel* model, const plAttachment* a, int part, const double* gamma,
                          plReduced* r) {
  assert(part >= 0 && part < a->nvert);
  take_off(r, model->deform_vert0[a->deformable] + a->vert[part], 1, v3_load(gamma));
  for (int k = 4 * part; a->other >= 0 && k < 4 * part + 4; k++)
    take_off(r, model->deform_vert0[a->other] + a->target[k], -a->weight[k], v3_load(gamma));
}

void pl_exact_forces(const plModel* model, const plData* data, plReduced* r, const double* gamma, double* f) {
  for (int k = 0; k < r->nexact; k++) {
    plExactVertex* w = &r->exact[k];
    int b = w->deformable, v0 = model->deform_v0[b], n = 3 * data->work->nparticipating[b];
    const int* vert = data->work->participating + model->deform_vert0[b];
    for (int l = 0; l < 3; l++) {
      const double* row = r->exact_A[b] + (size_t)n * (size_t)(3 * w->rank + l);
      double sum = 0;
      for (int i = 0; i < n; i++) {
        int at = v0 + 3 * vert[i / 3] + i % 3;
        sum += row[i] * (data->work->v[at] - data->v_star[at]);
      }
      w->impulse[l] = sum;
      f[v0 + 3 * w->vert + l] += sum;
      for (int j = 0; j < w->n; j++) f[model->tree_v0[w->tree] + j] -= w->S[3 * j + l] * sum;
    }
  }
  for (int i = 0; r->nexact && i < data->work->npoint; i++) {
    plVec3 impulse = pl_rows_contact_impulse(r, gamma, i);
    take_off_contact(&data->work->point[i].a, impulse, r->frame[i], -1, r);
    take_off_contact(&data->work->point[i].b, impulse, r->frame[i], 1, r);
  }
  for (int i = 0; r->nexact && i < r->n; gamma += r->constraint[i++].nrow)
    if (r->source[i].kind == PL_ROWS_ATTACHMENT)
      take_off_rows(model, &data->attach[r->source[i].index], r->source[i].part, gamma, r);
}

// reduce.c: the convex problem on participating DoFs: A, v*, and the rows of all constraints.                      (17)
//
// in: work->point, attachments, switches, chol (A_hat), tree_A, v_star -> out: plReduced
#include <string.h>

#include "constraint/constraint.h"
#include "rigid/rigid.h"

// How many constraints there can be, and where each clique begins.
static plStatus make_room(const plModel* model, plData* data, plReduced* r, int* nclique, int* nv) {
  plWork* work = data->work;
  plArena* arena = &work->step;
  int ntree = model->ntree;
  memset(r, 0, sizeof *r);
  r->cap = work->npoint + 3 * model->nv_rigid + model->nact + 2 * model->nconstraint;
  for (int i = 0; i < data->nattach; i++) r->cap += data->attach[i].on ? data->attach[i].nvert : 0;
  r->body = PL_KEEP(arena, int, model->ndeform);
  r->clique = PL_KEEP(arena, int, model->ndeform);
  r->clique_v0 = PL_KEEP(arena, int, ntree + model->ndeform + 1);
  r->row_of_vert = PL_ARENA_NEW(arena, int, model->nvert);
  r->constraint = PL_ARENA_NEW(arena, plSapConstraint, r->cap);
  r->source = PL_ARENA_NEW(arena, plRowSource, r->cap);
  if (arena->failed) return PL_ERROR_MEMORY;
  *nclique = ntree, *nv = 0;
  for (int t = 0; t < ntree; t++) r->clique_v0[t] = model->tree_v0[t], *nv = model->tree_v0[t + 1];
  for (int b = 0; b < model->ndeform; b++) {
    r->clique[b] = work->nparticipating[b] ? *nclique : -1;
    if (!work->nparticipating[b]) continue;
    r->clique_v0[*nclique] = *nv;
    r->body[*nclique - ntree] = b;
    *nclique += 1, *nv += 3 * work->nparticipating[b];
  }
  r->clique_v0[*nclique] = *nv;
  return PL_OK;
}

// A, v* and the guess of every clique: whole trees, and deformables by their Schur complement.
static plStatus make_cliques(const plModel* model, plData* data, plReduced* r) {
  plWork* work = data->work;
  plArena* arena = &work->step;
  int nclique, nv, ntree = model->ntree;
  plStatus status = make_room(model, data, r, &nclique, &nv);
  if (status) return status;
  int* clique_nv = PL_ARENA_NEW(arena, int, nclique);
  const double** A = PL_ARENA_NEW(arena, const double*, nclique);
  double* v_star = PL_ARENA_NEW(arena, double, nv);
  r->v_guess = PL_ARENA_NEW(arena, double, nv);
  r->diagonal = PL_ARENA_NEW(arena, double, nv);
  if (arena->failed) return PL_ERROR_MEMORY;
  for (int t = 0; t < ntree; t++) {
    int n = model->tree_v0[t + 1] - model->tree_v0[t];
    const double* block = work->tree_A + model->work->tree->tree_M0[t];
    for (int k = 0; k < n; k++) r->diagonal[model->tree_v0[t] + k] = block[k * n + k];
    clique_nv[t] = n;
    A[t] = block;
  }
  for (int i = 0; i < model->nv_rigid; i++) v_star[i] = data->v_star[i], r->v_guess[i] = work->v_guess[i];
  for (int i = 0; i < model->nvert; i++) r->row_of_vert[i] = -1;
  for (int c = ntree; c < nclique; c++) {
    int b = r->body[c - ntree], vert0 = model->deform_vert0[b], np = work->nparticipating[b], at = r->clique_v0[c];
    double* A_hat = PL_KEEP(arena, double, 9 * (size_t)np * (size_t)np);
    if (!A_hat) return PL_ERROR_MEMORY;
    pl_chol_schur(work->chol[b], A_hat, 3 * np);
    clique_nv[c] = 3 * np;
    A[c] = A_hat;
    for (int i = 0; i < np; i++) {
      int vert = work->participating[vert0 + i];
      r->row_of_vert[vert0 + vert] = i;
      const double* block = work->A[b].block + 9 * (size_t)work->A[b].col0[vert];  // the diagonal block comes first
      for (int k = 0; k < 3; k++, at++) {
        r->diagonal[at] = block[4 * k];
        v_star[at] = data->v_star[model->deform_v0[b] + 3 * vert + k];
        r->v_guess[at] = work->v_guess[model->deform_v0[b] + 3 * vert + k];
      }
    }
  }
  r->problem = (plSapProblem){.nclique = nclique, .clique_nv = clique_nv, .A = A, .v_star = v_star};
  return PL_OK;
}

plStatus pl_constraint_reduce(const plModel* model, plData* data, plReduced* r) {
  plStatus status = make_cliques(model, data, r);
  // J belongs to q0; an iterated free motion has left the trees elsewhere.
  if (!status && model->nv_rigid && pl_rigid_is_iterated(model))
    pl_tree_kinematics(model->work->tree, data->q, model->options.gravity, &data->work->tree);
  if (!status) status = pl_rows_contacts(model, data, r);
  if (!status) status = pl_rows_limits(model, data, r);
  if (!status) status = pl_rows_actuators(model, data, r);
  if (!status) status = pl_rows_pairs(model, data, r);
  if (!status) status = pl_rows_attachments(model, data, r);
  if (!status) status = pl_rows_friction(model, data, r);
  r->problem.nconstraint = r->n;
  r->problem.constraint = r->constraint;
  return status;
}

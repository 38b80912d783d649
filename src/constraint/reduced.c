// reduced.c: operations on a reduced problem: conversion of velocities, forces, laws.
#include <assert.h>
#include <string.h>

#include "constraint/constraint.h"

// Index in v [nv] of the velocity of a clique's vertex i.
static size_t offset_of(const plModel* model, const plReduced* r, int c, int i) {
  return (size_t)model->deform_v0[r->body[c]] + 3 * (size_t)r->vert[i];
}

void pl_reduced_scatter(const plModel* model, const plReduced* r, const double* v_reduced, double* v) {
  const double* start = v_reduced;
  for (int i = 0; i < model->nv_rigid; i++) v[i] = v_reduced[i];
  v_reduced += model->nv_rigid;
  for (int c = 0; c < r->problem.nclique - model->ntree; c++)
    for (int i = r->clique_vert0[c]; i < r->clique_vert0[c + 1]; i++, v_reduced += 3)
      memcpy(v + offset_of(model, r, c, i), v_reduced, 3 * sizeof *v);
  assert(v_reduced == start + r->clique_v0[r->problem.nclique]);
  pl_exact_velocities(model, r, start, v);
}

void pl_reduced_gather(const plModel* model, const plReduced* r, const double* v, double* v_reduced) {
  const double* end = v_reduced + r->clique_v0[r->problem.nclique];
  for (int i = 0; i < model->nv_rigid; i++) v_reduced[i] = v[i];
  v_reduced += model->nv_rigid;
  for (int c = 0; c < r->problem.nclique - model->ntree; c++)
    for (int i = r->clique_vert0[c]; i < r->clique_vert0[c + 1]; i++, v_reduced += 3)
      memcpy(v_reduced, v + offset_of(model, r, c, i), 3 * sizeof *v);
  assert(v_reduced == end);
}

// The rows and columns of A_hat (3 np x 3 np, lower triangle, by ascending vertices) that belong to two
// cliques.
static void pick(const plReduced* r, const double* A_hat, int np, const int* rank, int row, int col,
                 double* A) {
  int i0 = r->clique_vert0[row], nr = r->clique_vert0[row + 1] - i0, j0 = r->clique_vert0[col],
      nc = r->clique_vert0[col + 1] - j0;
  for (int j = 0; j < nc; j++)
    for (int i = row == col ? j : 0; i < nr; i++) {
      int a = rank[r->vert[i0 + i]], b = rank[r->vert[j0 + j]];
      assert(a >= 0 && a < np && b >= 0 && b < np);
      const double* from = A_hat + 3 * (a > b ? a : b) + 9 * (size_t)np * (size_t)(a > b ? b : a);
      double* to = A + 3 * i + 9 * (size_t)nr * (size_t)j;
      for (int l = 0; l < 3; l++)
        for (int k = 0; k < 3; k++)
          to[k + 3 * nr * l] = a > b || (a == b && k >= l) ? from[k + 3 * np * l] : from[l + 3 * np * k];
    }
}

plStatus pl_reduced_refresh(const plModel* model, plData* data, plReduced* r, int body) {
  plWork* work = data->work;
  int ntree = model->ntree, np = work->nparticipating[body], first = 0, end;
  while (first < r->problem.nclique - ntree && r->body[first] != body) first++;
  for (end = first; end < r->problem.nclique - ntree && r->body[end] == body;) end++;
  if (end == first) return PL_OK;  // all of them are exact
  if (3 * np == r->problem.clique_nv[ntree + first]) {
    pl_chol_schur(work->chol[body], r->A[ntree + first], 3 * np);
  } else {
    double* A_hat = PL_ARENA_NEW(&work->step, double, 9 * (size_t)np * (size_t)np);
    int* rank = PL_ARENA_NEW(&work->step, int, model->deform_vert0[body + 1] - model->deform_vert0[body]);
    if (!A_hat || !rank) return PL_ERROR_MEMORY;
    for (int i = 0; i < np; i++) rank[work->participating[model->deform_vert0[body] + i]] = i;
    pl_chol_schur(work->chol[body], A_hat, 3 * np);
    for (int c = first; c < end; c++) pick(r, A_hat, np, rank, c, c, r->A[ntree + c]);
    for (int k = 0; k < r->problem.ncoupling; k++) {
      const plSapCoupling* e = &r->coupling[k];
      if (e->row >= ntree && e->col >= ntree && r->body[e->row - ntree] == body)
        pick(r, A_hat, np, rank, e->row - ntree, e->col - ntree, r->coupling_A[k]);
    }
  }
  double* v_star = r->v_star + r->clique_v0[ntree + first];
  for (int c = first; c < end; c++)
    for (int i = r->clique_vert0[c]; i < r->clique_vert0[c + 1]; i++, v_star += 3)
      memcpy(v_star, data->v_star + offset_of(model, r, c, i), 3 * sizeof *v_star);
  assert(v_star == r->v_star + r->clique_v0[ntree + end]);
  return PL_OK;
}

void pl_reduced_forces(const plModel* model, const plReduced* r, const double* gamma, double* f) {
  memset(f, 0, (size_t)model->nv * sizeof(double));
  for (int i = 0; i < r->n; i++) {
    const plSapConstraint* c = &r->constraint[i];
    for (int b = 0; b < c->nblock; b++) {
      const plSapBlock* block = &c->block[b];
      int own = block->clique - model->ntree, n = pl_rows_columns(r, block);
      const int* vert = own < 0 ? NULL : r->vert + r->clique_vert0[own];
      if (own < 0 && c->nrow == 3 && !block->nvert) {
        const double* J = block->J;
        double *to = f + model->tree_v0[block->clique], x = gamma[0], y = gamma[1], z = gamma[2];
        for (int j = 0; j < n; j++, J += 3) to[j] += J[0] * x + J[1] * y + J[2] * z;
        continue;
      }
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < c->nrow; k++) sum += block->J[c->nrow * j + k] * gamma[k];
        f[own < 0 ? model->tree_v0[block->clique] + j
                  : model->deform_v0[r->body[own]] + 3 * vert[block->vert[j / 3]] + j % 3] += sum;
      }
    }
    gamma += c->nrow;
  }
}

double pl_reduced_laws(const plReduced* r, const double* v_reduced, double* vc, double* gamma) {
  double total = 0;
  for (int i = 0; i < r->n; i++) {
    const plSapConstraint* c = &r->constraint[i];
    memcpy(vc, c->bias, (size_t)c->nrow * sizeof(double));
    for (int b = 0; b < c->nblock; b++) {
      const plSapBlock* block = &c->block[b];
      const double* v = v_reduced + r->clique_v0[block->clique];
      for (int j = 0, n = pl_rows_columns(r, block); j < n; j++)
        for (int k = 0; k < c->nrow; k++)
          vc[k] += block->J[c->nrow * j + k] * v[block->nvert ? 3 * block->vert[j / 3] + j % 3 : j];
    }
    double cost;
    pl_sap_law(c, vc, &cost, gamma, NULL);
    total += cost;
    // the slip itself, without the shift on which friction acts
    for (int k = 0; k < 2 && r->shift && c->law == PL_SAP_CONE; k++) vc[k] += r->shift[3 * i + k];
    vc += c->nrow, gamma += c->nrow;
  }
  return total;
}

void pl_reduced_shift(plReduced* r, double sign) {
  for (int i = 0; i < r->n; i++) {
    if (r->constraint[i].law != PL_SAP_CONE) continue;
    for (int k = 0; k < 2; k++) r->rows[i].bias[k] -= sign * r->shift[3 * i + k];
    r->constraint[i].cone.v_hat_n -= sign * r->shift[3 * i + 2];
  }
}

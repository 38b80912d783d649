// reduced.c: operations on a reduced problem: conversion of velocities, forces, laws.
#include <assert.h>
#include <string.h>

#include "constraint/constraint.h"
#include "sap/law.h"
#include "sap/six.h"

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

// A_hat (3 np x 3 np, lower triangle, by ascending vertices), as in pl_chol_schur_rows.
typedef struct Schur {
  int np;
  const double** row;  // [np]
  int *ld, *rank;      // [np]; [nvert] index of a participating vertex
} Schur;

// A block of three rows and columns to A; transposed: that above the diagonal.
static inline void pick_block(const double* from, long ld, bool transposed, double* A, long ldA) {
  long down = transposed ? ld : 1, right = transposed ? 1 : ld;
  for (int l = 0; l < 3; l++)
    for (int k = 0; k < 3; k++) A[k + ldA * l] = from[k * down + l * right];
}

// A block on the diagonal, of which only the lower triangle is stored.
static inline void pick_diagonal(const double* from, long ld, double* A, long ldA) {
  for (int l = 0; l < 3; l++)
    for (int k = 0; k < 3; k++) A[k + ldA * l] = k >= l ? from[k + ld * l] : from[l + ld * k];
}

// The rows and columns that belong to two cliques; of a clique and itself the lower triangle.
static void pick(const plReduced* r, const Schur* S, int row, int col, double* A) {
  const int *vi = r->vert + r->clique_vert0[row], *vj = r->vert + r->clique_vert0[col];
  int nr = r->clique_vert0[row + 1] - r->clique_vert0[row],
      nc = r->clique_vert0[col + 1] - r->clique_vert0[col];
  for (int j = 0; j < nc; j++) {
    int b = S->rank[vj[j]];
    double* to = A + 9 * (size_t)nr * (size_t)j;
    if (row == col) pick_diagonal(S->row[b] + 3 * (long)b * S->ld[b], S->ld[b], to + 3 * j, 3 * nr);
    for (int i = row == col ? j + 1 : 0; i < nr; i++) {
      int a = S->rank[vi[i]], high = a > b ? a : b, low = a > b ? b : a;
      assert(low >= 0 && low < high && high < S->np);
      pick_block(S->row[high] + 3 * (long)low * S->ld[high], S->ld[high], a < b, to + 3 * i, 3 * nr);
    }
  }
}

// A_hat of the body, converted if it is not stored in rows of blocks.
static plStatus get_schur(const plModel* model, plData* data, int body, Schur* S) {
  plWork* work = data->work;
  plArena* arena = &work->step;
  int np = S->np = work->nparticipating[body], vert0 = model->deform_vert0[body];
  S->row = PL_ARENA_NEW(arena, const double*, np), S->ld = PL_ARENA_NEW(arena, int, np);
  S->rank = PL_ARENA_NEW(arena, int, model->deform_vert0[body + 1] - vert0);
  if (arena->failed) return PL_ERROR_MEMORY;
  for (int i = 0; i < np; i++) S->rank[work->participating[vert0 + i]] = i;
  if (pl_chol_schur_rows(work->chol[body], S->row, S->ld)) return PL_OK;
  double* A_hat = PL_ARENA_NEW(arena, double, 9 * (size_t)np * (size_t)np);
  if (!A_hat) return PL_ERROR_MEMORY;
  pl_chol_schur(work->chol[body], A_hat, 3 * np);
  for (int i = 0; i < np; i++) S->row[i] = A_hat + 3 * i, S->ld[i] = 3 * np;
  return PL_OK;
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
    Schur S;
    plStatus status = get_schur(model, data, body, &S);
    if (status) return status;
    for (int c = first; c < end; c++) pick(r, &S, c, c, r->A[ntree + c]);
    for (int k = 0; k < r->problem.ncoupling; k++) {
      const plSapCoupling* e = &r->coupling[k];
      if (e->row >= ntree && e->col >= ntree && r->body[e->row - ntree] == body)
        pick(r, &S, e->row - ntree, e->col - ntree, r->coupling_A[k]);
    }
  }
  double* v_star = r->v_star + r->clique_v0[ntree + first];
  for (int c = first; c < end; c++)
    for (int i = r->clique_vert0[c]; i < r->clique_vert0[c + 1]; i++, v_star += 3)
      memcpy(v_star, data->v_star + offset_of(model, r, c, i), 3 * sizeof *v_star);
  assert(v_star == r->v_star + r->clique_v0[ntree + end]);
  return PL_OK;
}

// f += J' gamma for n columns of three rows
static void add_forces(const double* J, int n, const double gamma[3], double* f) {
  if (n == 6) {
    pl_six_mul_t(J, gamma, f);
    return;
  }
  for (int j = 0; j < n; j++, J += 3) f[j] += J[0] * gamma[0] + J[1] * gamma[1] + J[2] * gamma[2];
}

void pl_reduced_forces(const plModel* model, const plReduced* r, const double* gamma, double* f) {
  const double* end = gamma + r->nrow;
  memset(f, 0, (size_t)model->nv * sizeof(double));
  for (int i = 0; i < r->n; gamma += r->constraint[i++].nrow) {
    const plSapConstraint* c = &r->constraint[i];
    if (pl_sap_is_zero(gamma, c->nrow)) continue;
    for (int b = 0; b < c->nblock; b++) {
      const plSapBlock* block = &c->block[b];
      int own = block->clique - model->ntree, n = pl_rows_columns(r, block);
      const int* vert = own < 0 ? NULL : r->vert + r->clique_vert0[own];
      double* to = f + (own < 0 ? model->tree_v0[block->clique] : model->deform_v0[r->body[own]]);
      if (c->nrow == 3 && (own >= 0 || !block->nvert)) {
        const double* J = block->J;
        if (own < 0) add_forces(J, n, gamma, to);
        for (int k = 0; own >= 0 && k < block->nvert; k++, J += 9)
          add_forces(J, 3, gamma, to + 3 * vert[block->vert[k]]);
        continue;
      }
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < c->nrow; k++) sum += block->J[c->nrow * j + k] * gamma[k];
        if (sum != 0) to[own < 0 ? j : 3 * vert[block->vert[j / 3]] + j % 3] += sum;
      }
    }
  }
  assert(gamma == end);
}

// Adds the shift of contact i to its slip.
static void add_shift(const plReduced* r, int i, double* vc) {
  for (int k = 0; k < 2 && r->shift && r->constraint[i].law == PL_SAP_CONE; k++) vc[k] += r->shift[3 * i + k];
}

void pl_reduced_velocities(const plReduced* r, const double* v_reduced, double* vc) {
  const double* end = vc + r->nrow;
  for (int i = 0; i < r->n; vc += r->constraint[i++].nrow) {
    pl_rows_velocity(r, &r->constraint[i], v_reduced, vc);
    add_shift(r, i, vc);
  }
  assert(vc == end);
}

double pl_reduced_laws(const plReduced* r, const double* v_reduced, double* vc, double* gamma) {
  double total = 0;
  const double *end = vc + r->nrow, *gamma_end = gamma + r->nrow;
  for (int i = 0; i < r->n; i++) {
    const plSapConstraint* c = &r->constraint[i];
    double cost;
    pl_rows_velocity(r, c, v_reduced, vc);
    pl_sap_law(c, vc, &cost, gamma, NULL);
    total += cost;
    add_shift(r, i, vc);
    vc += c->nrow, gamma += c->nrow;
  }
  assert(vc == end && gamma == gamma_end);
  return total;
}

void pl_reduced_shift(plReduced* r, double sign) {
  for (int i = 0; i < r->n; i++) {
    if (r->constraint[i].law != PL_SAP_CONE) continue;
    for (int k = 0; k < 2; k++) r->rows[i].bias[k] -= sign * r->shift[3 * i + k];
    r->constraint[i].cone.v_hat_n -= sign * r->shift[3 * i + 2];
  }
}

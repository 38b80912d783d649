// reduced.c: working with a reduced problem: between its velocities and those of the model, its forces, its laws.
#include <string.h>

#include "constraint/constraint.h"

void pl_reduced_scatter(const plModel* model, const plData* data, const plReduced* r, const double* v_reduced, double* v) {
  const plWork* work = data->work;
  for (int i = 0; i < model->nv_rigid; i++) v[i] = v_reduced[i];
  for (int c = model->ntree; c < r->problem.nclique; c++) {
    int b = r->body[c - model->ntree], at = r->clique_v0[c];
    const int* vert = work->participating + model->deform_vert0[b];
    for (int i = 0; i < work->nparticipating[b]; i++)
      for (int k = 0; k < 3; k++) v[model->deform_v0[b] + 3 * vert[i] + k] = v_reduced[at++];
  }
}

void pl_reduced_gather(const plModel* model, const plData* data, const plReduced* r, const double* v, double* v_reduced) {
  const plWork* work = data->work;
  for (int i = 0; i < model->nv_rigid; i++) v_reduced[i] = v[i];
  for (int c = model->ntree; c < r->problem.nclique; c++) {
    int b = r->body[c - model->ntree], at = r->clique_v0[c];
    const int* vert = work->participating + model->deform_vert0[b];
    for (int i = 0; i < work->nparticipating[b]; i++)
      for (int k = 0; k < 3; k++) v_reduced[at++] = v[model->deform_v0[b] + 3 * vert[i] + k];
  }
}

// The problem's arrays are the arena's, so they may be written.
void pl_reduced_refresh(const plModel* model, plData* data, plReduced* r, int body) {
  plWork* work = data->work;
  int c = r->clique[body], np = work->nparticipating[body], at = r->clique_v0[c];
  const int* vert = work->participating + model->deform_vert0[body];
  double* v_star = (double*)r->problem.v_star;
  pl_chol_schur(work->chol[body], (double*)r->problem.A[c], 3 * np);
  for (int i = 0; i < np; i++)
    for (int k = 0; k < 3; k++) v_star[at++] = data->v_star[model->deform_v0[body] + 3 * vert[i] + k];
}

void pl_reduced_forces(const plModel* model, const plData* data, const plReduced* r, const double* gamma, double* f) {
  memset(f, 0, (size_t)model->nv * sizeof(double));
  for (int i = 0; i < r->n; i++) {
    const plSapConstraint* c = &r->constraint[i];
    for (int b = 0; b < c->nblock; b++) {
      const plSapBlock* block = &c->block[b];
      bool tree = block->clique < model->ntree;
      int body = tree ? -1 : r->body[block->clique - model->ntree], n = block->nvert ? 3 * block->nvert : r->problem.clique_nv[block->clique];
      const int* vert = tree ? NULL : data->work->participating + model->deform_vert0[body];
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < c->nrow; k++) sum += block->J[c->nrow * j + k] * gamma[k];
        f[tree ? model->tree_v0[block->clique] + j : model->deform_v0[body] + 3 * vert[block->vert[j / 3]] + j % 3] += sum;
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
      int n = block->nvert ? 3 * block->nvert : r->problem.clique_nv[block->clique];
      for (int j = 0; j < n; j++)
        for (int k = 0; k < c->nrow; k++) vc[k] += block->J[c->nrow * j + k] * v[block->nvert ? 3 * block->vert[j / 3] + j % 3 : j];
    }
    double cost;
    pl_sap_law(c, vc, &cost, gamma, NULL);
    total += cost;
    vc += c->nrow, gamma += c->nrow;
  }
  return total;
}

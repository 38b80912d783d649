// chol_parts.h: the solver's data, shared by chol.c and chol_solve.c.
#ifndef PL_LINALG_CHOL_PARTS_H
#define PL_LINALG_CHOL_PARTS_H

#include "linalg/chol.h"
#include "linalg/panel.h"
#include "linalg/symbolic.h"

struct plChol {
  // once per mesh
  plGraph graph;
  int* base_order;                     // [n]
  const plPanelKernels* kernels;
  // per set of participating vertices
  plSymbolic symbolic, spare;          // the one at hand; memory for the next
  char *is_part, *is_part_next;        // [n]
  // numbers: kept, only ever grown
  double *factor, *A_hat, *rest;       // L_nn and L_pn; A_hat; L_pp, both as triangles
  size_t factor_cap, A_hat_cap, rest_cap;
  double* shared;                      // update matrices that outlive a task
  size_t shared_cap;
  double** task_memory;                // [ntask_memory] update matrices of a worker's task; the first one's alone for one thread
  size_t* task_cap;
  int ntask_memory;
  int *task_failed, ntask_failed;      // place of a failed pivot per task, -1 for none
  double *vector, *local;              // right-hand side in elimination order; a front's part of it
  size_t local_cap;
  int failed;                          // vertex
};

// Cholesky factor of a panel-major triangle of order n, in place; returns the column that fails, or -1.
int pl_triangle_factor(const plPanelKernels* kernels, int n, double* L, plPool* pool);

// Lower triangle from panel-major to column-major
void pl_triangle_to_columns(int n, const double* L, double* a, int ld);

#endif

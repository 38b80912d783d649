// chol_parts.h: the solver's data, shared by chol.c and chol_solve.c.
#ifndef PL_LINALG_CHOL_PARTS_H
#define PL_LINALG_CHOL_PARTS_H

#include "linalg/graph.h"
#include "linalg/panel.h"
#include "linalg/symbolic.h"
#include "linalg/triangle.h"

struct plChol {
  // once per mesh
  const plChol* owner;  // solver that owns graph, order and first symbolic factorization; NULL: this one
  plGraph graph;
  int* base_order;  // [n]
  const plPanelKernels* kernels;
  // per set of participating vertices
  plSymbolic symbolic, spare;    // the present one; memory for the next
  char *is_part, *is_part_next;  // [n]
  // numbers: kept, never shrinks
  double *factor, *A_hat, *rest;  // L_nn and L_pn; A_hat; L_pp, both as triangles
  size_t factor_cap, A_hat_cap, rest_cap;
  double* shared;  // update matrices that outlive a task
  size_t shared_cap;
  double** task_memory;  // [ntask_memory] update matrices of a worker's task; one thread uses only the first
  size_t* task_cap;
  int ntask_memory;
  double* aside;  // products of tasks' fronts with their right-hand sides, for rows above the task
  size_t aside_cap;
  int *task_failed, ntask_failed;  // position of a failed pivot per task, -1 for none
  double* third;                   // [n] of a flat matrix: the last numbers of its diagonal blocks; else NULL
  double *vector, *local;          // one right-hand side, or 8, in elimination order; a front's part of it
  size_t local_cap;
  int failed;  // vertex
};

// Makes room for at least `wanted` numbers; the old contents are lost. False if memory runs out.
bool pl_chol_reserve(double** memory, size_t* cap, size_t wanted);

#endif

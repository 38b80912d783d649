// plain.h: the plain block Cholesky factorization that reads like the paper's section VI.B: right-looking,
// one 3x3-block column at a time, no supernodes. It is the reference that tests and benchmarks compare chol.h
// with; the simulation does not use it.
#ifndef PL_LINALG_PLAIN_H
#define PL_LINALG_PLAIN_H

#include "base/cpu.h"
#include "linalg/bsym.h"

typedef struct plPlain {
  int n, np;      // vertices, and how many of them come last and are not eliminated by pl_plain_factor
  int* order;     // [n] vertex at each position of the elimination order
  int* place;     // [n] position of each vertex
  int* col0;      // [n + 1] first block of each column of L
  int* row;       // [col0[n]] positions, ascending; the diagonal first
  double* block;  // [9 col0[n]] L, each block column-major
  int failed;     // vertex of the pivot that was not positive, or -1
} plPlain;

// order lists all vertices; the last np of them are the participating ones.
plStatus pl_plain_create(const plBsym* pattern, const int* order, int np, plPlain** plain, plError* error);
void pl_plain_destroy(plPlain* plain);

// L_nn, L_pn, and the Schur complement A_hat in the memory of L_pp. isa: the instruction set for which this
// code is compiled.
plStatus pl_plain_factor(plPlain* plain, const plBsym* A, plIsa isa);
// L_pp from A_hat
plStatus pl_plain_factor_rest(plPlain* plain, plIsa isa);
// A_hat (lower, ld >= 3 np) between the two calls, in the order of the vertices at the end of the elimination
// order
void pl_plain_schur(const plPlain* plain, double* A_hat, int ld);
// b := A^-1 b, one right-hand side in the vertices' own order; work has 3 n numbers
void pl_plain_solve(const plPlain* plain, double* b, double* work);
// floating-point operations of the whole factorization, counted as CHOLMOD does
double pl_plain_flops(const plPlain* plain);

#endif

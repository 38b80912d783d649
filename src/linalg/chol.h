// chol.h: Cholesky factorization of symmetric 3x3-block matrices that stops at the Schur complement (the
// paper's section VI.B).
//
// Vertices are split into participating (p) and others (n):
//
//   A = | A_nn A_np |   L = | L_nn      |   A_hat = A_pp - A_pn A_nn^-1 A_np = L_pp L_pp'
//       | A_pn A_pp |       | L_pn L_pp |
//
//   create once per mesh: ordering                          pl_chol_create
//   when the set of participating vertices changes          pl_chol_partition    (symbolic only)
//   L_nn, L_pn, A_hat                                       pl_chol_factor       (no allocation)
//   read A_hat                                              pl_chol_schur
//   L_pp, then solves with A                                pl_chol_factor_rest, pl_chol_solve
//   dv_n = -A_nn^-1 A_np dv_p                               pl_chol_interior
//
// The result's bits depend on the matrix, the set and the instruction set, never on threads or on earlier
// calls.
#ifndef PL_LINALG_CHOL_H
#define PL_LINALG_CHOL_H

#include "base/parallel.h"
#include "linalg/bsym.h"
#include "linalg/order.h"

typedef struct plChol plChol;

// A solver for matrices of this pattern. position [3 n] is needed for PL_ORDER_DISSECTION alone and not kept.
// No vertex participates yet.
plStatus pl_chol_create(const plBsym* pattern, plOrder order, const double* position, plChol** chol,
                        plError* error);
// Another solver for the same pattern. It shares the ordering and the symbolic factorization of a solver
// without participating vertices, which must outlive it.
plStatus pl_chol_share(const plChol* owner, plChol** chol, plError* error);
void pl_chol_destroy(plChol* chol);

// Sets the participating vertices: n distinct ids in any order. Does nothing if the set is the present one.
plStatus pl_chol_partition(plChol* chol, const int* participating, int n, plError* error);
// Whether the set is the present one.
bool pl_chol_is_partitioned(const plChol* chol, const int* participating, int n);
const int* pl_chol_participating(const plChol* chol);  // [n] ids, ascending: the order of A_hat's block rows

// L_nn, L_pn and A_hat of A, which has the pattern given at creation. PL_ERROR_INDEFINITE if a pivot is not
// positive (or not a number): pl_chol_failed then names its vertex. The result has the same bits for any
// pool.
plStatus pl_chol_factor(plChol* chol, const plBsym* A, plPool* pool);
// L_pp. A_hat stays readable.
plStatus pl_chol_factor_rest(plChol* chol, plPool* pool);
// The same for A + shift d I_p in place of A, d the largest number on the diagonal of A_hat, I_p the identity
// on participating vertices (of a flat matrix, in x and y): A_hat, L_nn and L_pn stay those of A,
// pl_chol_solve then solves with that matrix.
plStatus pl_chol_factor_rest_shifted(plChol* chol, double shift, plPool* pool);
int pl_chol_failed(const plChol* chol);  // vertex of the pivot that failed, or -1

// The lower triangle of A_hat, 3 np x 3 np with leading dimension ld, in ascending order of participating
// vertices; entries above the diagonal are not changed.
void pl_chol_schur(const plChol* chol, double* A_hat, int ld);
// Where it is stored: the block of rows 3 i and columns 3 j <= 3 i begins at row[i] + 3 j ld[i], with leading
// dimension ld[i]. False: it is not stored in this way, because the matrix is flat.
bool pl_chol_schur_rows(const plChol* chol, const double** row, int* ld);

// b := A^-1 b for nrhs consecutive vectors of 3 n numbers, after pl_chol_factor_rest. Four or more are solved
// 8 at a time, with the factor read once for all 8: the bits of a vector do not depend on the other vectors,
// but differ from those of a solve with fewer than four. Solves with fewer use all threads of the pool with
// which the factor was computed.
enum { PL_CHOL_SEVERAL = 4 };
void pl_chol_solve(plChol* chol, double* b, int nrhs, plPool* pool);

// Given the participating vertices' entries of dv [3 n], fills in all others: dv_n = -L_nn^-T L_pn' dv_p,
// after pl_chol_factor.
void pl_chol_interior(plChol* chol, double* dv, plPool* pool);

#endif

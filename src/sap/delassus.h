// delassus.h: the Delassus estimate w = |W|_F / nrow of a constraint, W = sum_c J_c D_c^-1 J_c', D_c the
// diagonal of A_c. It is summed in tiles of at most 6 x 6 rows, so that it needs no memory.
#ifndef PL_SAP_DELASSUS_H
#define PL_SAP_DELASSUS_H

#include "pliant/sap.h"

enum { PL_DELASSUS_TILE = 6 };

// Adds the rows r0 .. r0 + nr and columns s0 .. s0 + ns of J D^-1 J' for one block of a constraint with nrow
// rows. D of the block's clique, which has nv dofs, is diagonal[stride * dof].
static inline void pl_delassus_add(const plSapBlock* b, int nrow, int nv, const double* diagonal,
                                   size_t stride, int r0, int nr, int s0, int ns,
                                   double W[PL_DELASSUS_TILE][PL_DELASSUS_TILE]) {
  int n = b->nvert ? 3 * b->nvert : nv;
  for (int j = 0; j < n; j++) {
    const double* J = b->J + (size_t)nrow * (size_t)j;
    double inverse = 1 / diagonal[stride * (size_t)(b->nvert ? 3 * b->vert[j / 3] + j % 3 : j)];
    for (int k = 0; k < nr; k++)
      for (int l = 0; l < ns; l++) W[k][l] += J[r0 + k] * inverse * J[s0 + l];
  }
}

static inline double pl_delassus_square(double W[PL_DELASSUS_TILE][PL_DELASSUS_TILE], int nr, int ns) {
  double sum = 0;
  for (int k = 0; k < nr; k++)
    for (int l = 0; l < ns; l++) sum += W[k][l] * W[k][l];
  return sum;
}

#endif

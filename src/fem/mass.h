// mass.h: mass matrices M = m (x) I_3, one number per block of the matrix pattern, exact or diagonal.
//
// The pattern is that of a symmetric block matrix (linalg/bsym.h): lower block columns, rows ascending, the
// diagonal first.
#ifndef PL_FEM_MASS_H
#define PL_FEM_MASS_H

#include <stdbool.h>

#include "pliant/mesh.h"

// m += the consistent mass (the exact integral of density N_a N_b), or a diagonal of the same total mass
// (lumped). m has an entry for each block of the pattern col0 [n + 1], row [col0[n]]; lumped fills only the
// diagonal.
void pl_mass_tet4(const plMesh* mesh, double density, bool lumped, const int* col0, const int* row,
                  double* m);
// tet10 [10 ntet]: nodes of quadratic tetrahedra with straight edges (pl_tet10_nodes)
void pl_mass_tet10(const plMesh* mesh, const int* tet10, double density, bool lumped, const int* col0,
                   const int* row, double* m);

// Entry of the mass matrix of a tet of n nodes (4, or 10 with edges in the order of pl_tet_edge) and unit
// mass.
double pl_mass_entry(int n, bool lumped, int a, int b);

// The position of block (i, j) in the pattern, in either order; -1 if there is none.
int pl_pattern_find(const int* col0, const int* row, int i, int j);

#endif

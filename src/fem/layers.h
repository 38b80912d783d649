// layers.h: what holds the layers of a body in plane strain together.
#ifndef PL_FEM_LAYERS_H
#define PL_FEM_LAYERS_H

#include "fem/points.h"

typedef struct plTie {
  int i, j;      // nodes
  int block[3];  // of the matrix: (i, j), (i, i), (j, j)
  double k;      // m: its stiffness divided by mu
} plTie;

typedef struct plLayers {
  int n;
  plTie tie[];
} plLayers;

// For a matrix with the pattern col0, row; the caller frees it with pl_free. NULL if memory runs out.
plLayers* pl_layers_create(const plPoints* points, const int* col0, const int* row);

// E(x) (J). f -= dE/dx. block += scale d2E/dx2.
double pl_layers_energy(const plLayers* layers, double mu, const double* x);
void pl_layers_add_force(const plLayers* layers, double mu, const double* x, double* f);
void pl_layers_add_stiffness(const plLayers* layers, double mu, double scale, double* block);

#endif

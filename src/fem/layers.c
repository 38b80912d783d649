// layers.c: what holds the layers of a body in plane strain together.
//
// Plane strain sets d/dz to zero in F. Nodes that lie behind each other would then move independently: a body
// hit on one layer would fall apart into sheets. Their shear along z therefore costs the energy of small
// strains,
//
//   E = sum_q V_q mu/2 |w_q|^2,   w = (dx/dz, dy/dz) = sum_a (x_a, y_a) h_a,   h_a = dN_a/dz,
//
// which is a sum over pairs of nodes, since the h_a of a point sum to zero:
//
//   E = sum_{i > j} mu/2 k_ij |(x, y)_i - (x, y)_j|^2,   k_ij = -SHARE sum_q V_q h_i h_j.
//
// Of an extruded mesh only the pairs behind each other count: they feel nothing if all layers move alike,
// whereas an oblique edge takes a strain in the plane for one along z. Rigid motions in the plane cost
// nothing. E is quadratic, its matrix constant and positive semi-definite.
#include "fem/layers.h"

#include <assert.h>
#include <math.h>

#include "base/memory.h"

// The layers of a mesh that is not the same from both ends move a little unequally. With all of the shear
// modulus, holding them would make coarse quadratic meshes stiffer by 0.2 % (test/deform/test_solids.c).
static const double SHARE = 0.1;
static const double BEHIND = 1e-9;  // of the body's size: distance in the plane of nodes behind each other

// sum_q V_q h_i h_j on the blocks of the matrix
static double* shear_matrix(const plPoints* p, const int* col0, const int* row) {
  double* K = PL_NEW(double, col0[p->nnode]);
  for (int q = 0; K && q < p->npoint; q++)
    for (int a = p->node0[q]; a < p->node0[q + 1]; a++)
      for (int c = p->node0[q]; c <= a; c++) {
        // nodes ascend within a point: c is the column
        int k = col0[p->node[c]];
        while (row[k] != p->node[a]) k++;
        assert(k < col0[p->node[c] + 1]);
        K[k] += p->volume[q] * p->along[a] * p->along[c];
      }
  return K;
}

static double size_of(const plPoints* p) {
  double size = 0;
  for (int i = 2; i < 2 * p->nnode; i++) size = fmax(size, fabs(p->across[i] - p->across[i % 2]));
  return size;
}

static bool is_behind(const plPoints* p, int i, int j, double within) {
  const double *a = p->across + 2 * (size_t)i, *b = p->across + 2 * (size_t)j;
  return fabs(a[0] - b[0]) <= within && fabs(a[1] - b[1]) <= within;
}

plLayers* pl_layers_create(const plPoints* p, const int* col0, const int* row) {
  double within = BEHIND * size_of(p), *K = shear_matrix(p, col0, row);
  plLayers* layers = pl_alloc(1, sizeof *layers + (size_t)col0[p->nnode] * sizeof(plTie));
  bool extruded = false;
  for (int j = 0; j < p->nnode && K; j++)
    for (int k = col0[j] + 1; k < col0[j + 1]; k++) extruded |= is_behind(p, row[k], j, within);
  for (int j = 0; j < p->nnode && K && layers; j++)
    for (int k = col0[j] + 1; k < col0[j + 1]; k++)
      if (extruded ? is_behind(p, row[k], j, within) && K[k] < 0 : K[k] != 0)
        layers->tie[layers->n++] = (plTie){row[k], j, {k, col0[row[k]], col0[j]}, -SHARE * K[k]};
  if (!K) pl_free(layers), layers = NULL;
  pl_free(K);
  return layers;
}

double pl_layers_energy(const plLayers* layers, double mu, const double* x) {
  double sum = 0;
  for (const plTie* t = layers->tie; t < layers->tie + layers->n; t++) {
    const double *a = x + 3 * (size_t)t->i, *b = x + 3 * (size_t)t->j;
    double d[2] = {a[0] - b[0], a[1] - b[1]};
    sum += 0.5 * mu * t->k * (d[0] * d[0] + d[1] * d[1]);
  }
  return sum;
}

void pl_layers_add_force(const plLayers* layers, double mu, const double* x, double* f) {
  for (const plTie* t = layers->tie; t < layers->tie + layers->n; t++)
    for (size_t c = 0; c < 2; c++) {
      size_t i = 3 * (size_t)t->i + c, j = 3 * (size_t)t->j + c;
      double pull = mu * t->k * (x[i] - x[j]);
      f[i] -= pull, f[j] += pull;
    }
}

void pl_layers_add_stiffness(const plLayers* layers, double mu, double scale, double* block) {
  for (const plTie* t = layers->tie; t < layers->tie + layers->n; t++)
    for (int b = 0; b < 3; b++)
      for (size_t c = 0; c < 8; c += 4)
        block[9 * (size_t)t->block[b] + c] += (b ? 1 : -1) * scale * mu * t->k;
}

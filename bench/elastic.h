// elastic.h: test matrices for bench/cholesky: A = M + (dt^2 + dt beta) K of a tetrahedral mesh, linear
// corotated elasticity with random rotations, as a soft body's time step has them.
#ifndef PL_BENCH_ELASTIC_H
#define PL_BENCH_ELASTIC_H

#include <math.h>
#include <stddef.h>

#include "../test/linalg/blocks.h"
#include "base/random.h"
#include "linalg/bsym.h"
#include "math/mat3.h"
#include "pliant/mesh.h"

static inline plVec3 mesh_vertex(const plMesh* mesh, int v) {
  return v3(mesh->vert[3 * v], mesh->vert[3 * v + 1], mesh->vert[3 * v + 2]);
}

// Gradients of a tetrahedron's shape functions; returns its volume.
static inline double tet_gradients(const plMesh* mesh, const int* v, plVec3 gradient[4]) {
  plVec3 x0 = mesh_vertex(mesh, v[0]);
  plVec3 e1 = v3_sub(mesh_vertex(mesh, v[1]), x0), e2 = v3_sub(mesh_vertex(mesh, v[2]), x0),
         e3 = v3_sub(mesh_vertex(mesh, v[3]), x0);
  double six = v3_dot(v3_cross(e1, e2), e3);
  gradient[1] = v3_scale(1 / six, v3_cross(e2, e3));
  gradient[2] = v3_scale(1 / six, v3_cross(e3, e1));
  gradient[3] = v3_scale(1 / six, v3_cross(e1, e2));
  gradient[0] = v3_scale(-1, v3_add(gradient[1], v3_add(gradient[2], gradient[3])));
  return fabs(six) / 6;
}

static inline plMat3 random_rotation(plRandom* random) {
  double q[4], s = 0;
  for (int c = 0; c < 4; c++) q[c] = pl_random(random, -1, 1), s += q[c] * q[c];
  s = 1 / sqrt(s);
  double w = q[0] * s, x = q[1] * s, y = q[2] * s, z = q[3] * s;
  return (plMat3){{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 2 * (x * y - w * z),
                   1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 2 * (x * z + w * y), 2 * (y * z - w * x),
                   1 - 2 * (x * x + y * y)}};
}

// E 1e5 Pa, nu 0.4, 1000 kg/m^3, dt 0.01 s, beta 0.01 s
static inline void elastic_matrix(const plMesh* mesh, plBsym* A) {
  const double E = 1e5, nu = 0.4, density = 1000, factor = 0.01 * 0.01 + 0.01 * 0.01;
  double mu = E / 2 / (1 + nu), lambda = E * nu / (1 + nu) / (1 - 2 * nu);
  plRandom random = {1};
  blocks_clear(A);
  for (int e = 0; e < mesh->ntet; e++) {
    const int* v = mesh->tet + 4 * e;
    plVec3 g[4], h[4];
    double volume = tet_gradients(mesh, v, g), scale = volume * factor;
    plMat3 R = random_rotation(&random);
    for (int a = 0; a < 4; a++) h[a] = m3_mulv(R, g[a]);
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++) {
        if (v[a] < v[b]) continue;
        double diagonal = scale * mu * v3_dot(g[a], g[b]) + (a == b ? density * volume / 4 : 0);
        plMat3 K = m3_add(m3_scale(scale * lambda, m3_outer(h[a], h[b])),
                          m3_scale(scale * mu, m3_outer(h[b], h[a])));
        for (int c = 0; c < 3; c++) K.m[4 * c] += diagonal;
        blocks_add(A, blocks_find(A, v[a], v[b]), K.m);
      }
  }
}

// A jittered cube of n^3 vertices, 0.1 m wide, six tetrahedra a cell (all along one diagonal).
static inline plMesh* cube_mesh(int n) {
  static const int path[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                 {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};  // three even, three odd
  plMesh* mesh = pl_mesh_create(n * n * n, 6 * (n - 1) * (n - 1) * (n - 1), 0, NULL);
  plRandom random = {2};
  double h = 0.1 / (n - 1);
  int ntet = 0;
  for (int v = 0; mesh && v < n * n * n; v++) {
    int at[3] = {v % n, v / n % n, v / n / n};
    for (int c = 0; c < 3; c++) mesh->vert[3 * v + c] = h * (at[c] + pl_random(&random, -0.1, 0.1));
    if (at[0] == n - 1 || at[1] == n - 1 || at[2] == n - 1) continue;
    for (int w = 0; w < 6; w++) {
      int o[3] = {at[0], at[1], at[2]}, tet[4] = {v};
      for (int step = 0; step < 3; step++) o[path[w][step]]++, tet[step + 1] = (o[2] * n + o[1]) * n + o[0];
      for (int k = 0; k < 4; k++) mesh->tet[4 * ntet + k] = tet[w >= 3 && k >= 2 ? 5 - k : k];
      ntet++;
    }
  }
  return mesh;
}

#endif

// hex8.h: trilinear hexahedra, eight points each: elements that are not tetrahedra, for tests of what holds
// for any element. hex [8 nhex]: vertices of the reference cube in the order (-1,-1,-1), (1,-1,-1), (1,1,-1),
// (-1,1,-1), then the same with z = 1.
#ifndef PL_TEST_FEM_HEX8_H
#define PL_TEST_FEM_HEX8_H

#include <math.h>

#include "fem/points.h"
#include "math/mat3.h"

static inline plPoints* points_hex8(int nvert, const double* vert, int nhex, const int* hex) {
  static const double corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                      {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  plPoints* p = pl_points_create(nvert, 8 * nhex, 64 * (size_t)nhex);
  for (int q = 0; p && q < p->npoint; q++) {
    // dN_a/dxi at the Gauss point, then J = sum x_a dN_a', g_a = J^-T dN_a
    const int* v = hex + 8 * (size_t)(q / 8);
    plVec3 d[8];
    plMat3 J = m3_zero();
    for (int a = 0; a < 8; a++) {
      double f[3], s[3];
      for (int c = 0; c < 3; c++) s[c] = corner[a][c], f[c] = 1 + s[c] * corner[q % 8][c] / sqrt(3);
      d[a] = v3(s[0] * f[1] * f[2] / 8, f[0] * s[1] * f[2] / 8, f[0] * f[1] * s[2] / 8);
      J = m3_add(J, m3_outer(v3_load(vert + 3 * (size_t)v[a]), d[a]));
    }
    plMat3 inverse = m3_inverse(J);
    p->volume[q] = m3_det(J);
    p->node0[q + 1] = 8 * q + 8;
    for (int a = 0; a < 8; a++) {
      p->node[8 * q + a] = v[a];
      v3_store(p->grad + 3 * (size_t)(8 * q + a), m3_tmulv(inverse, d[a]));
    }
    pl_points_sort_stencil(p, q);
  }
  return p;
}

#endif

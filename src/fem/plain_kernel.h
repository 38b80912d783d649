// plain_kernel.h: the element work of the linear corotated law as the equations state it, tetrahedron by
// tetrahedron (see lanes.h); compiled once per instruction set by plain.c, plain_avx2.c and plain_avx512.c.
#ifndef PL_FEM_PLAIN_KERNEL_H
#define PL_FEM_PLAIN_KERNEL_H

#include "fem/lanes.h"
#include "math/polar.h"
#include "math/polar_newton.h"

static inline plMat3 plain_rotation(plMat3 F) {
  plMat3 R;
  return pl_polar_newton(F, &R) ? R : pl_polar_svd(F);
}

static inline void plain_polar(const double* F, double* R, int n) {
  for (int q = 0; q < n; q++) {
    plMat3 A;
    for (int i = 0; i < 9; i++) A.m[i] = F[9 * (size_t)q + (size_t)i];
    A = plain_rotation(A);
    for (int i = 0; i < 9; i++) R[9 * (size_t)q + (size_t)i] = A.m[i];
  }
}

static inline void plain_elements(const plPoints* points, const plLaw* law, const double* x, const int* place,
                                  double* f, double* block) {
  for (int q = 0; q < points->npoint; q++) {
    const int* node = points->node + 4 * (size_t)q;
    const double *grad = points->grad + 12 * (size_t)q, V = points->volume[q];

    // F = sum x_a g_a', R, P = 2 mu R e + lambda tr(e) R
    plMat3 F = m3_zero();
    for (int a = 0; a < 4; a++)
      F = m3_add(F, m3_outer(v3_load(x + 3 * (size_t)node[a]), v3_load(grad + 3 * a)));
    plMat3 R = plain_rotation(F), S = m3_mul(m3_transpose(R), F);
    plMat3 e = m3_sub(m3_scale(0.5, m3_add(S, m3_transpose(S))), m3_identity());
    plMat3 P = m3_add(m3_scale(2 * law->mu, m3_mul(R, e)), m3_scale(law->lambda * m3_trace(e), R));

    double t = pl_linear_tension(law, F, R, 0);
    plVec3 g[4], h[4];
    for (int a = 0; a < 4; a++) g[a] = v3_load(grad + 3 * a), h[a] = m3_mulv(R, g[a]);
    for (int a = 0; a < 4; a++) {
      // f_a -= V P g_a
      double* fa = f + 3 * (size_t)node[a];
      v3_store(fa, v3_madd(v3_load(fa), -V, m3_mulv(P, g[a])));
      // K_ab += V (lambda h_a h_b' + mu h_b h_a' + (mu + t) (g_a . g_b) I), t of tension
      for (int b = 0; b < 4; b++) {
        int at = place[16 * (size_t)q + (size_t)(4 * a + b)];
        if (at < 0) continue;
        plMat3 K = m3_add(m3_scale(V * law->lambda, m3_outer(h[a], h[b])),
                          m3_scale(V * law->mu, m3_outer(h[b], h[a])));
        double d = V * (law->mu + t) * v3_dot(g[a], g[b]), *out = block + 9 * (size_t)at;
        for (int i = 0; i < 9; i++) out[i] += K.m[i] + (i % 4 == 0 ? d : 0);
      }
    }
  }
}

#endif

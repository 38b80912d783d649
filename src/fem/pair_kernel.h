// pair_kernel.h: blocks K_ab of points computed directly from their laws, without H. Included by
// spectral_kernel.h.
//
// With f_a = F g_a, c_a = C g_a, C = cof F, B = F F', the exact tangents of the laws in F'F and J have blocks
// of one form, and so has the viscous tangent with C = dtheta/dF:
//   K_ab = (gg g_a.g_b + ff f_a.f_b) I + bb (g_a.g_b) B + ab f_a f_b' + ba f_b f_a' + cc c_a c_b'
//          - turn [F (g_a x g_b)]x
//   viscous        ba = bb = mu, cc = lambda
//   neo-Hookean    gg = mu, cc = L, turn = L (J - 1) - mu + pi, L = lambda + mu
//   Mooney-Rivlin  gg = 2 C1 + 2 C2 I1, ff = ba = bb = -2 C2, ab = 4 C2, cc = L, turn = L (J - 1) - D + pi
//   St. Venant     gg = lambda tr E + pi - mu, ff = ba = bb = mu, ab = lambda
#ifndef PL_FEM_PAIR_KERNEL_H
#define PL_FEM_PAIR_KERNEL_H

enum { MOST_NODES = 10 };

typedef struct Pairs {
  V gg, ff, bb, ab, ba, cc, turn;
  bool strain, volume;  // whether f or c occur at all
  V F[9], B[9], C[9];
} Pairs;

static inline void pair_viscosity(const plLaw* law, Pairs* k) {
  k->gg = k->ff = k->ab = k->turn = fill(0);
  k->ba = k->bb = fill(law->mu), k->cc = fill(law->lambda);
  k->strain = k->volume = true;
}

static inline void pair_law(const plLaw* law, V pi, Pairs* k) {
  V mu = fill(law->mu), lambda = fill(law->lambda), zero = fill(0);
  k->gg = k->ff = k->cc = k->turn = zero;
  k->ab = lambda, k->ba = k->bb = mu;
  k->strain = true, k->volume = false;
  V J = dot3(k->F, k->C), I1 = dot3(k->F, k->F) + dot3(k->F + 3, k->F + 3) + dot3(k->F + 6, k->F + 6);
  if (law->kind == PL_MATERIAL_SAINT_VENANT_KIRCHHOFF) {
    k->gg = lambda * (0.5 * (I1 - 3)) + pi - mu, k->ff = mu;
    return;
  }
  k->volume = true;
  if (law->kind == PL_MATERIAL_NEO_HOOKEAN) {
    k->strain = false, k->ab = k->ba = k->bb = zero;
    k->gg = mu, k->cc = lambda + mu, k->turn = k->cc * (J - 1) - mu + pi;
    return;
  }
  double c1 = law->c1, c2 = law->c2;
  k->gg = 2 * c1 + 2 * c2 * I1, k->ff = k->ba = k->bb = fill(-2 * c2), k->ab = fill(4 * c2);
  k->cc = lambda + 2 * c1, k->turn = k->cc * (J - 1) - (2 * c1 + 4 * c2) + pi;
}

// y = A x, A column by column
static inline void product3(const V* A, const V* x, V* y) {
  for (int i = 0; i < 3; i++) y[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

typedef struct PairNode {
  V g[3], f[3], c[3];
} PairNode;

static inline void pair_block(const Pairs* k, const PairNode* a, const PairNode* b, V scale, V* K) {
  V gg = dot3(a->g, b->g), same = k->gg * gg, x[3], y[3], z[3];
  for (int e = 0; e < 9; e++) K[e] = fill(0);
  if (k->strain) {
    V bb = scale * k->bb * gg;
    same += k->ff * dot3(a->f, b->f);
    for (int i = 0; i < 3; i++) x[i] = scale * k->ab * b->f[i], y[i] = scale * k->ba * a->f[i];
    for (int e = 0; e < 9; e++) K[e] = a->f[e % 3] * x[e / 3] + b->f[e % 3] * y[e / 3] + bb * k->B[e];
  }
  if (k->volume) {
    V cross[3], w[3], turn = scale * k->turn;
    cross3(a->g, b->g, cross);
    product3(k->F, cross, w);
    for (int i = 0; i < 3; i++) z[i] = scale * k->cc * b->c[i], w[i] *= turn;
    for (int e = 0; e < 9; e++) K[e] += a->c[e % 3] * z[e / 3];
    K[1] -= w[2], K[2] += w[1], K[3] += w[2], K[5] -= w[0], K[6] -= w[1], K[7] += w[0];
  }
  for (int i = 0; i < 9; i += 4) K[i] += scale * same;
}

// Viscous if T is given, else exact; pi or T may be NULL.
static inline void pair_blocks(const plLaw* law, int n, int m, const double* F, const double* pi,
                               const double* T, const double* grad, const double* scale, double* slot) {
  const int size = 9 * m * (m + 1) / 2;
  for (int first = 0; first < n; first += WIDTH) {
    int count = n - first < WIDTH ? n - first : WIDTH;
    Pairs k;
    PairNode node[MOST_NODES];
    V p = fill(0), s = fill(0), K[9];
    load_lanes(F + 9 * first, count, k.F);
    if (T)
      load_lanes(T + 9 * first, count, k.C);
    else
      for (int j = 0; j < 3; j++) cross3(k.F + 3 * ((j + 1) % 3), k.F + 3 * ((j + 2) % 3), k.C + 3 * j);
    for (int e = 0; e < 9; e++)
      k.B[e] = k.F[e % 3] * k.F[e / 3] + k.F[3 + e % 3] * k.F[3 + e / 3] + k.F[6 + e % 3] * k.F[6 + e / 3];
    for (int l = 0; l < count; l++) p[l] = pi ? pi[first + l] : 0, s[l] = scale[first + l];
    if (T)
      pair_viscosity(law, &k);
    else
      pair_law(law, p, &k);
    for (int a = 0; a < m; a++) {
      for (int i = 0; i < 3; i++) {
        double x[WIDTH];
        for (int l = 0; l < WIDTH; l++) x[l] = grad[3 * (m * (first + (l < count ? l : count - 1)) + a) + i];
        memcpy(&node[a].g[i], x, sizeof x);
      }
      product3(k.F, node[a].g, node[a].f), product3(k.C, node[a].g, node[a].c);
    }
    for (int b = 0; b < m; b++)
      for (int a = b; a < m; a++) {
        pair_block(&k, &node[a], &node[b], s, K);
        double* to = slot + (long)size * first + 9 * (a * (a + 1) / 2 + b);
        for (int l = 0; l < count; l++, to += size)
          for (int e = 0; e < 9; e++) to[e] = K[e][l];
      }
  }
}

static void spectral_pairs(const plLaw* law, int n, int m, const double* F, const double* pi,
                           const double* grad, const double* scale, double* slot) {
  pair_blocks(law, n, m, F, pi, NULL, grad, scale, slot);
}

static void spectral_viscous_pairs(const plLaw* law, int n, int m, const double* F, const double* T,
                                   const double* grad, const double* scale, double* slot) {
  pair_blocks(law, n, m, F, NULL, T, grad, scale, slot);
}

#endif

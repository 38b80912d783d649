// Tangents and singular values in vector lanes against the scalar ones, for every instruction set of the
// machine.
#include "base/random.h"
#include "check.h"
#include "fem/spectral.h"
#include "math/svd3.h"

enum { N = 203 };  // not a multiple of any width

static double F[9 * N], pi_of[N];

// common, inverted, singular, turned, scaled and zero gradients, side by side
static void make_gradients(void) {
  plRandom r = {1};
  for (int q = 0; q < N; q++) {
    double size = q % 3 == 0 ? 1.5 : 0.2;
    for (int i = 0; i < 9; i++) F[9 * q + i] = pl_random(&r, -size, size) + (q % 3 && i % 4 == 0);
    if (q % 17 == 0) memset(F + 9 * q, 0, 9 * sizeof(double));
    if (q % 19 == 0) memcpy(F + 9 * q, m3_identity().m, 9 * sizeof(double));
    if (q % 23 == 0) memcpy(F + 9 * q, m3_diag(1, 0, 0).m, 9 * sizeof(double));
    if (q % 29 == 0) memcpy(F + 9 * q, m3_diag(1, 1, -1).m, 9 * sizeof(double));
    if (q % 31 == 0) memcpy(F + 9 * q, m3_diag(0.5, 0.5, 1e-9).m, 9 * sizeof(double));
    pi_of[q] = pl_random(&r, -3, 3);
  }
}

static plMat3 load(const double* m) {
  plMat3 a;
  memcpy(a.m, m, sizeof a.m);
  return a;
}

static void lanes_decompose(void) {
  static double U[9 * N], s[3 * N], V[9 * N];
  for (int isa = 0; isa <= (int)pl_isa_machine(); isa++) {
    pl_spectral_kernels((plIsa)isa)->svd(N, F, U, s, V);
    for (int q = 0; q < N; q++) {
      plMat3 A = load(F + 9 * q), u = load(U + 9 * q), v = load(V + 9 * q), x, y;
      double scale = m3_norm(A), t[3];
      const double* w = s + 3 * q;
      plMat3 B = m3_mul(m3_mul(u, m3_diag(w[0], w[1], w[2])), m3_transpose(v));
      CHECK_ROUND(m3_norm(m3_sub(A, B)), 0, scale);
      CHECK_ROUND(m3_norm(m3_sub(m3_mul(m3_transpose(u), u), m3_identity())), 0, 1);
      CHECK_NEAR(m3_norm(m3_sub(m3_mul(m3_transpose(v), v), m3_identity())), 0, 4e-15);
      CHECK_NEAR(m3_det(u), 1, 4e-15);
      CHECK_NEAR(m3_det(v), 1, 4e-15);
      pl_svd3(A, &x, t, &y);
      for (int i = 0; i < 3; i++) CHECK_NEAR(w[i], t[i], 4e-15 * scale);
    }
  }
}

static plLaw test_law(int kind) {
  plMaterial m = pl_default_material();
  m.kind = (plMaterialKind)kind;
  m.lame_mu = 1.3, m.lame_lambda = 4.1;
  if (kind == PL_MATERIAL_MOONEY_RIVLIN) m.lame_mu = m.lame_lambda = 0, m.c1 = 0.4, m.c2 = 0.25, m.bulk = 5;
  return pl_law_of_material(&m, true);
}

static void lanes_equal_the_scalar_tangents(void) {
  static double H[81 * N];
  for (int isa = 0; isa <= (int)pl_isa_machine(); isa++)
    for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++)
      for (int projected = 0; projected < 2; projected++) {
        if (pl_law_is_linear((plMaterialKind)kind)) continue;
        plLaw law = test_law(kind);
        plTangent tangent = projected ? PL_TANGENT_PROJECTED : PL_TANGENT_EXACT;
        pl_spectral_kernels((plIsa)isa)->tangents(&law, tangent, N, F, projected ? pi_of : NULL, H);
        for (int q = 0; q < N; q++) {
          double reference[81], size = 0, worst = 0;
          plMat3 A = load(F + 9 * q);
          pl_law_tangent(&law, A, A, projected ? pi_of[q] : 0, tangent, reference);
          for (int i = 0; i < 81; i++) size = fmax(size, fabs(reference[i]));
          for (int i = 0; i < 81; i++) worst = fmax(worst, fabs(reference[i] - H[81 * q + i]));
          // where two singular values add up to zero the rotation, and with it the corotated laws, has a
          // choice
          double s[3];
          plMat3 U, V;
          pl_svd3(A, &U, s, &V);
          bool corotated = kind == PL_MATERIAL_COROTATED || kind == PL_MATERIAL_FIXED_COROTATED;
          if (corotated && s[1] + s[2] < 1e-3) continue;
          CHECK_BELOW(worst, 1.1e-13, size);
        }
      }
}

static void blocks_contract_the_tangent(void) {
  plRandom r = {2};
  double H[81], grad[30], slot[9 * 55];
  for (int i = 0; i < 81; i++) H[i] = pl_random(&r, -1, 1);
  for (int i = 0; i < 30; i++) grad[i] = pl_random(&r, -1, 1);
  for (int isa = 0; isa <= (int)pl_isa_machine(); isa++)
    for (int m = 1; m <= 10; m++) {
      pl_spectral_kernels((plIsa)isa)->blocks(m, grad, 0.7, H, slot);
      for (int a = 0; a < m; a++)
        for (int b = 0; b <= a; b++)
          for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
              double sum = 0;
              for (int j = 0; j < 3; j++)
                for (int l = 0; l < 3; l++)
                  sum += grad[3 * a + j] * H[9 * (3 * l + k) + 3 * j + i] * grad[3 * b + l];
              CHECK_NEAR(slot[9 * (a * (a + 1) / 2 + b) + 3 * k + i], 0.7 * sum, 1e-14);
            }
    }
}

// The tests above go as far as the processor does.
static void every_instruction_set_was_tried(void) {
  if (pl_isa_machine() < PL_ISA_AVX512) SKIP_CPU("this processor lacks some instruction sets");
}

// The blocks of points straight from their laws are those of their tangents.
static void pairs_are_blocks_of_tangents(void) {
  static double grad[30 * N], scale[N], slot[9 * 55 * N], T[9 * N];
  plRandom r = {5};
  for (int i = 0; i < 30 * N; i++) grad[i] = pl_random(&r, -2, 2);
  for (int q = 0; q < N; q++) scale[q] = pl_random(&r, 0.5, 2);
  for (int isa = 0; isa <= (int)pl_isa_machine(); isa++)
    for (int kind = 0; kind <= PL_MATERIAL_MOONEY_RIVLIN; kind++)
      for (int tangent = PL_TANGENT_EXACT; tangent <= PL_TANGENT_VISCOUS; tangent++) {
        if (!pl_spectral_has_pairs((plMaterialKind)kind, (plTangent)tangent)) continue;
        const plSpectralKernels* kernels = pl_spectral_kernels((plIsa)isa);
        plLaw law = test_law(kind);
        for (int q = 0; q < N; q++) {
          plMat3 dtheta;
          pl_law_stress(&law, load(F + 9 * q), m3_identity(), 0, &dtheta);
          memcpy(T + 9 * q, dtheta.m, sizeof dtheta.m);
        }
        for (int m = 4; m <= 10; m += 6) {
          size_t size = 9 * (size_t)m * (size_t)(m + 1) / 2;
          if (tangent == PL_TANGENT_VISCOUS)
            kernels->viscous_pairs(&law, N, m, F, T, grad, scale, slot);
          else
            kernels->pairs(&law, N, m, F, pi_of, grad, scale, slot);
          for (int q = 0; q < N; q++) {
            double H[81], expected[9 * 55], most = 0;
            pl_law_tangent(&law, load(F + 9 * q), m3_identity(), pi_of[q], (plTangent)tangent, H);
            kernels->blocks(m, grad + 3 * m * q, scale[q], H, expected);
            for (size_t i = 0; i < size; i++) most = fmax(most, fabs(expected[i]));
            for (size_t i = 0; i < size; i++)
              CHECK_NEAR(slot[size * (size_t)q + i], expected[i], 4e-15 * most);
          }
        }
      }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  make_gradients();
  RUN(lanes_decompose);
  RUN(pairs_are_blocks_of_tangents);
  RUN(lanes_equal_the_scalar_tangents);
  RUN(blocks_contract_the_tangent);
  RUN(every_instruction_set_was_tried);
  return CHECK_END;
}

// test_panel.c: dense kernels of every instruction set of this machine, and triangles over them, against
// plain loops.
#include "linalg/panel.h"

#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "linalg/triangle.h"

// The lower triangle of a column-major matrix of order n as panels, padding included.
static void from_columns(int n, const double* a, int ld, double* T) {
  memset(T, 0, pl_triangle_size(n) * sizeof(double));
  for (int p = 0; p < pl_panel_count(n); p++) {
    double* X = T + pl_triangle_at(p);
    int h = pl_panel_height(n, p), first = PL_PANEL * p, end = n - first < PL_PANEL ? n : first + PL_PANEL;
    for (int c = 0; c < end; c++)
      for (int i = c > first ? c : first; i < end; i++) X[i - first + (long)c * h] = a[i + (long)c * ld];
  }
}

static const int sizes[] = {1, 2, 3, 7, 8, 9, 23, 24, 25, 47, 48, 60, 95, 96, 97, 131, 200};
enum { SIZES = sizeof sizes / sizeof *sizes };

static double* random_numbers(size_t n, uint64_t seed) {
  plRandom random = {seed};
  double* x = PL_NEW(double, n + 64);
  for (size_t i = 0; i < n; i++) x[i] = pl_random(&random, -1, 1);
  return x;
}

// A positive definite matrix: random, symmetric, diagonally dominant
static double* random_spd(int n, uint64_t seed) {
  double* a = random_numbers((size_t)n * (size_t)n, seed);
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < j; i++) a[i + (long)j * n] = a[j + (long)i * n];
    a[j + (long)j * n] = n + 1;
  }
  return a;
}

static void plain_potrf(int n, double* a) {
  for (int j = 0; j < n; j++) {
    double d = sqrt(a[j + (long)j * n]);
    for (int i = j; i < n; i++) a[i + (long)j * n] /= d;
    for (int c = j + 1; c < n; c++)
      for (int i = c; i < n; i++) a[i + (long)c * n] -= a[i + (long)j * n] * a[c + (long)j * n];
  }
}

// Column-major to a panel-major rectangle and back
static double* to_rectangle(int m, int k, const double* a) {
  double* X = PL_NEW(double, pl_rectangle_size(m, k) + 64);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < k; j++)
      X[pl_rectangle_at(k, i / PL_PANEL) + i % PL_PANEL + (long)j * pl_panel_height(m, i / PL_PANEL)] =
          a[i + (long)j * m];
  return X;
}
static double rectangle_entry(int m, int k, const double* X, int i, int j) {
  return X[pl_rectangle_at(k, i / PL_PANEL) + i % PL_PANEL + (long)j * pl_panel_height(m, i / PL_PANEL)];
}

static void kernels_agree_with_plain_loops(void) {
  for (plIsa isa = PL_ISA_PLAIN; isa <= pl_isa_machine(); isa++) {
    const plPanelKernels* k = pl_panel_kernels(isa);
    for (int q = 0; q < SIZES; q++) {
      int n = sizes[q], m = sizes[(q * 5 + 3) % SIZES];
      // L L' = A
      double *a = random_spd(n, 10 + (uint64_t)q), *T = PL_NEW(double, pl_triangle_size(n) + 64),
             *L = PL_NEW(double, n*n);
      from_columns(n, a, n, T);
      CHECK_INT(pl_triangle_factor(k, n, T, NULL), -1);
      pl_triangle_to_columns(n, T, L, n);
      plain_potrf(n, a);
      for (int j = 0; j < n; j++) {
        CHECK_NEAR(1 / L[j + (long)j * n], a[j + (long)j * n], 1e-13 * n);
        for (int i = j + 1; i < n; i++) CHECK_ROUND(L[i + (long)j * n], a[i + (long)j * n], 0.5);
      }
      // X L' = B
      double *B = random_numbers((size_t)m * (size_t)n, 90 + (uint64_t)q), *X = to_rectangle(m, n, B);
      for (int c = 0; c < n; c += PL_PANEL_BLOCK)
        for (int p = 0; p < pl_panel_count(m); p++)
          k->solve(T, n, X + pl_rectangle_at(n, p), pl_panel_height(m, p), c,
                   n - c < PL_PANEL_BLOCK ? pl_pad(n) : c + PL_PANEL_BLOCK);
      for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
          double sum = 0;
          for (int c = 0; c <= j; c++) sum += rectangle_entry(m, n, X, i, c) * a[j + (long)c * n];
          CHECK_ROUND(sum, B[i + (long)j * m], 1);
        }
      // C = -X X', then C -= X X'
      double *C = PL_NEW(double, pl_triangle_size(m) + 64), *S = PL_NEW(double, m*m);
      k->syrk(X, m, n, C, 0, pl_panel_count(m), true);
      k->syrk(X, m, n, C, 0, pl_panel_count(m), false);
      pl_triangle_to_columns(m, C, S, m);
      for (int j = 0; j < m; j++)
        for (int i = j; i < m; i++) {
          double sum = 0;
          for (int c = 0; c < n; c++) sum += rectangle_entry(m, n, X, i, c) * rectangle_entry(m, n, X, j, c);
          CHECK_NEAR(S[i + (long)j * m], -2 * sum, 2.1e-14);
        }
      // D = -X Y', then D -= X Y'
      int o = sizes[(q * 3 + 7) % SIZES];
      double *b0 = random_numbers((size_t)o * (size_t)n, 17), *Y = to_rectangle(o, n, b0),
             *D = PL_NEW(double, pl_rectangle_size(m, o) + 64);
      k->gemm(X, m, n, Y, o, D, 0, pl_panel_count(m), true);
      k->gemm(X, m, n, Y, o, D, 0, pl_panel_count(m), false);
      for (int j = 0; j < o; j++)
        for (int i = 0; i < m; i++) {
          double sum = 0;
          for (int c = 0; c < n; c++) sum += rectangle_entry(m, n, X, i, c) * rectangle_entry(o, n, Y, j, c);
          CHECK_NEAR(rectangle_entry(m, o, D, i, j), -2 * sum, 3.8e-14);
        }
      pl_free(b0), pl_free(Y), pl_free(D);
      // L y = b, L' x = y
      double *y = random_numbers((size_t)n + 8, 7), *b = PL_NEW(double, n);
      for (int i = n; i < n + 8; i++) y[i] = 0;
      memcpy(b, y, (size_t)n * sizeof(double));
      pl_triangle_forward(k, T, n, y);
      for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int c = 0; c <= i; c++) sum += a[i + (long)c * n] * y[c];
        CHECK_ROUND(sum, b[i], 1);
      }
      memcpy(b, y, (size_t)n * sizeof(double));
      pl_triangle_backward(k, T, n, y);
      for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int c = i; c < n; c++) sum += a[c + (long)i * n] * y[c];
        CHECK_ROUND(sum, b[i], 0.6);
      }
      pl_free(a), pl_free(T), pl_free(L), pl_free(B), pl_free(X), pl_free(C), pl_free(S), pl_free(y),
          pl_free(b);
    }
  }
}

static void bad_pivot_names_its_column(void) {
  for (plIsa isa = PL_ISA_PLAIN; isa <= pl_isa_machine(); isa++)
    for (int bad = 0; bad < 130; bad += 7) {
      int n = 130;
      double *a = random_spd(n, 77), *T = PL_NEW(double, pl_triangle_size(n) + 64);
      a[bad + (long)bad * n] = bad % 2 ? -1 : bad % 3 ? (double)NAN : (double)INFINITY;
      from_columns(n, a, n, T);
      CHECK_INT(pl_triangle_factor(pl_panel_kernels(isa), n, T, NULL), bad);
      pl_free(a), pl_free(T);
    }
}

static void threads_change_no_bit(void) {
  int n = 400;
  const plPanelKernels* kernels = pl_panel_kernels(pl_isa());
  double *a = random_spd(n, 5), *one = PL_NEW(double, pl_triangle_size(n) + 64),
         *more = PL_NEW(double, pl_triangle_size(n) + 64);
  from_columns(n, a, n, one);
  CHECK_INT(pl_triangle_factor(kernels, n, one, NULL), -1);
  for (int nthread = 2; nthread <= 4; nthread++) {
    plPool* pool = pl_pool_create(nthread);
    from_columns(n, a, n, more);
    CHECK_INT(pl_triangle_factor(kernels, n, more, pool), -1);
    CHECK(!memcmp(one, more, pl_triangle_size(n) * sizeof(double)));
    pl_pool_destroy(pool);
  }
  pl_free(a), pl_free(one), pl_free(more);
}

// The tests above go as far as the processor does.
static void every_instruction_set_was_tried(void) {
  if (pl_isa_machine() < PL_ISA_AVX512) SKIP_CPU("this processor lacks some instruction sets");
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(kernels_agree_with_plain_loops);
  RUN(bad_pivot_names_its_column);
  RUN(threads_change_no_bit);
  RUN(every_instruction_set_was_tried);
  return CHECK_END;
}

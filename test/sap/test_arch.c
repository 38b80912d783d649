// test_arch.c: the arch with plain points: Newton iterations in each of the first 60 steps against a dense
// solver in another language (numpy, bisection line search) on the same matrices, at friction 1.0 (it stands)
// and 0.2 (it slides and falls).
#include "arch.h"
#include "check.h"

static const int counts_10[60] = {19, 9, 8, 6, 5, 5, 5, 5, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                  1,  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                  1,  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const int counts_02[60] = {70, 40, 43, 32, 15,  18, 15, 9,  13, 12, 11, 10, 11, 11, 17,
                                  11, 13, 14, 18, 11,  13, 12, 14, 56, 45, 31, 17, 10, 17, 19,
                                  19, 21, 20, 15, 15,  17, 16, 9,  8,  11, 11, 28, 8,  7,  18,
                                  22, 37, 71, 32, 133, 99, 37, 32, 23, 81, 49, 41, 40, 37, 99};

static Arch arch;

static void compare_counts(double mu, const int* counts) {
  static double v[ARCH_STONES * ARCH_NV];
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  plSapSolution solution = {.v = v};
  plSapReport report;
  int total = 0, most = 0, reference = 0;
  arch_init(&arch, mu, 0.04);
  for (int step = 0; step < 60; step++) {
    plError error = {0};
    arch_problem(&arch);
    CHECK_INT(pl_sap_solve(&arch.problem, NULL, arch.v, &solution, &report, ws, &error), PL_OK);
    if (report.iterations > 1.1 * counts[step] + 2)
      printf("  step %d: %d iterations, reference %d\n", step, report.iterations, counts[step]);
    CHECK(report.iterations <= 1.1 * counts[step] + 2);
    total += report.iterations, reference += counts[step];
    most = report.iterations > most ? report.iterations : most;
    arch_advance(&arch, v);
  }
  printf("friction %.1f: %d iterations in 60 steps (dense reference %d), at most %d\n", mu, total, reference,
         most);
  pl_sap_workspace_destroy(ws);
}

static void standing_arch_needs_no_more_iterations(void) { compare_counts(1.0, counts_10); }
static void sliding_arch_needs_no_more_iterations(void) { compare_counts(0.2, counts_02); }

// stones of the published geometry: volume 10151.50 cubic units in all, base slope 77.687 degrees
static void geometry_is_the_published_one(void) {
  arch_init(&arch, 1, 0.04);
  double volume = 0;
  for (int k = 0; k < ARCH_STONES; k++)
    for (int t = 0; t < ARCH_TETS; t++) volume += arch.volume[k][t];
  CHECK_NEAR(volume / pow(ARCH_UNIT, 3), 10151.50, 0.016);
  CHECK_NEAR(atan(arch_slope(-30)) * 57.29577951308232, 77.687, 8.6e-4);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(geometry_is_the_published_one);
  RUN(standing_arch_needs_no_more_iterations);
  RUN(sliding_arch_needs_no_more_iterations);
  return CHECK_END;
}

// sap_stress.c: random contact problems, each of which must converge.
//
//   sap_stress [--quick] [--count N] [--seed S] [--json FILE]
//
// 1 to 200 bodies and 1 to 1000 contacts (log-uniform), mass ratios to 1e9, stiffness 1e-2 to 1e16, friction 0 to 10, degenerate and
// duplicate contacts, every law. Each answer is checked by code that shares nothing with the solver.
#include <stdio.h>

#include "../test/sap/random_problem.h"
#include "base/timer.h"

typedef struct Tally {
  long iteration_sum, factorizations;
  int count, unconverged, wrong, over_500, mixed, at_rounding;
  int* iterations;
  double momentum, clique, law, velocity, solve_s;
} Tally;

static int compare_ints(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void run_one(RandomProblem* p, uint64_t seed, plSapWorkspace* ws, double* v, double* gamma, double* vc, Tally* t) {
  plRandom r = {seed};
  random_problem(&r, p);
  plSapReport report;
  plError error = {0};
  plSapSolution solution = {v, gamma, vc};
  plStatus status = pl_sap_solve(&p->problem, NULL, p->v0, &solution, &report, ws, &error);
  t->solve_s += report.time_total;
  t->iterations[t->count++] = report.iterations;
  t->iteration_sum += report.iterations, t->factorizations += report.factorizations;
  t->over_500 += p->ncontact > 500;
  t->mixed += report.stick > 0 && report.slide > 0 && report.open > 0;
  t->at_rounding += report.at_rounding;
  if (status) {
    t->unconverged++;
    printf("seed %llu: %d bodies, %d contacts, mass ratio %.2g: %s: %s\n", (unsigned long long)seed, p->problem.nclique,
           p->ncontact, p->mass_ratio, pl_status_name(status), error.message);
    return;
  }
  Checked c = check_answer(&p->problem, v, gamma, vc);
  t->momentum = fmax(t->momentum, c.momentum), t->clique = fmax(t->clique, c.clique);
  t->law = fmax(t->law, c.law), t->velocity = fmax(t->velocity, c.velocity);
  // 1 % above the tolerance for the rounding of v, which is given to 16 digits
  if (c.momentum > 1.01e-6 || c.clique > 1.01e-6 || c.velocity > 1e-13 || c.law > 1e-6) {
    t->wrong++;
    printf("seed %llu: %d bodies, %d contacts: answer off: momentum %.2g, clique %.2g, law %.2g, velocity %.2g\n",
           (unsigned long long)seed, p->problem.nclique, p->ncontact, c.momentum, c.clique, c.law, c.velocity);
  }
}

static void print_histogram(const Tally* t) {
  static const int edges[] = {0, 1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 500, 1000, 1 << 30};
  int k = 0;
  printf("%12s %8s\n", "iterations", "problems");
  for (int e = 0; e + 1 < (int)(sizeof edges / sizeof *edges); e++) {
    int n = 0;
    while (k < t->count && t->iterations[k] < edges[e + 1]) k++, n++;
    if (n) printf("%5d - %5d %7d %s\n", edges[e], edges[e + 1] - 1 < 1 << 29 ? edges[e + 1] - 1 : t->iterations[t->count - 1], n,
                  &"########################################"[40 - 40 * n / t->count]);
  }
}

int main(int argc, char** argv) {
  int count = 2000, quick = 0, given = 0;
  unsigned long long seed = 1;
  const char* json = NULL;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick")) quick = 1;
    else if (!strcmp(argv[i], "--count") && i + 1 < argc) count = atoi(argv[++i]), given = 1;
    else if (!strcmp(argv[i], "--seed") && i + 1 < argc) seed = strtoull(argv[++i], NULL, 10);
    else if (!strcmp(argv[i], "--json") && i + 1 < argc) json = argv[++i];
    else return fprintf(stderr, "usage: sap_stress [--quick] [--count N] [--seed S] [--json FILE]\n"), 2;
  }
  if (quick && !given) count = 200;
  if (count < 1) return fprintf(stderr, "--count must be at least 1\n"), 2;
  RandomProblem* p = malloc(sizeof *p);
  Tally t = {.iterations = calloc((size_t)count, sizeof(int))};
  double *v = malloc(sizeof p->v_star), *gamma = malloc(3 * RANDOM_MAX_CON * sizeof(double)), *vc = malloc(3 * RANDOM_MAX_CON * sizeof(double));
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  double t0 = pl_now();
  printf("seed %llu, %d problems\n", seed, count);
  for (int i = 0; i < count; i++) run_one(p, (uint64_t)seed * UINT64_C(1000003) + (uint64_t)i, ws, v, gamma, vc, &t);
  qsort(t.iterations, (size_t)count, sizeof(int), compare_ints);
  print_histogram(&t);
  int median = t.iterations[count / 2], p99 = t.iterations[(int)(0.99 * (count - 1))], max = t.iterations[count - 1];
  printf("over 500 contacts: %.1f %%, sticking, sliding and open together: %.1f %%, stopped at rounding: %d\n",
         100.0 * t.over_500 / count, 100.0 * t.mixed / count, t.at_rounding);
  printf("checked: momentum %.2g, per clique %.2g, law %.2g, velocity %.2g; %d wrong\n", t.momentum, t.clique, t.law, t.velocity, t.wrong);
  printf("%.1f s, of which %.1f s in the solver; %ld factorizations for %ld iterations\n", pl_now() - t0, t.solve_s, t.factorizations,
         t.iteration_sum);
  printf("count %d, unconverged %d, iterations_median %d, iterations_p99 %d, iterations_max %d\n", t.count, t.unconverged, median, p99, max);
  if (json) {
    FILE* f = fopen(json, "w");
    if (!f) return fprintf(stderr, "cannot write %s\n", json), 1;
    fprintf(f, "[{\"count\": %d, \"unconverged\": %d, \"iterations_median\": %d, \"iterations_p99\": %d, \"iterations_max\": %d,\n"
               "  \"wrong\": %d, \"seed\": %llu, \"over_500\": %d, \"mixed\": %d, \"at_rounding\": %d, \"wall_s\": %.3f, \"solver_s\": %.3f}]\n",
            t.count, t.unconverged, median, p99, max, t.wrong, seed, t.over_500, t.mixed, t.at_rounding, pl_now() - t0, t.solve_s);
    fclose(f);
  }
  pl_sap_workspace_destroy(ws);
  free(p), free(t.iterations), free(v), free(gamma), free(vc);
  return t.unconverged || t.wrong;
}

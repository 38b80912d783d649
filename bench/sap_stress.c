// sap_stress.c: random contact problems, each of which must converge.
//
//   sap_stress [--quick] [--count N] [--seed S] [--threads N] [--json FILE]
//
// 1 to 200 bodies and 1 to 1000 contacts (log-uniform), mass ratios to 1e9, stiffness 1e-2 to 1e16, friction
// 0 to 10, degenerate and duplicate contacts, every law. Each answer is checked by code that shares nothing
// with the solver. Then the same with Coulomb's friction (pl_sap_solve_coulomb), one coefficient for all
// points of a problem: each round must converge; the share of problems whose rounds did not settle is printed
// by coefficient.
#include <stdio.h>

#include "../test/sap/random_problem.h"
#include "base/parallel.h"
#include "base/timer.h"
#include "isa.h"

typedef struct Result {
  plStatus status;
  int bodies, contacts, iterations, factorizations;
  bool mixed, at_rounding;
  double mass_ratio, solve_s;
  Checked checked;
  char message[160];
  // with Coulomb's friction
  plStatus coulomb_status;
  int mu, rounds, newton, capped;
  double coulomb_law;  // largest error of Coulomb's law over its tolerance, checked apart
  Checked coulomb_checked;
} Result;

static const double mus[] = {0.1, 0.3, 0.5, 1, 1.5, 2, 3, 5, 10};
enum { NMU = sizeof mus / sizeof *mus };

// memory of one thread
typedef struct Worker {
  RandomProblem problem;
  double v[RANDOM_MAX_BODY * RANDOM_MAX_NV], gamma[3 * RANDOM_MAX_CON], vc[3 * RANDOM_MAX_CON];
  double shift[3 * RANDOM_MAX_CON], bias[3 * RANDOM_MAX_CON];
  plSapWorkspace* ws;
} Worker;

// Coulomb's law from its definition: a point that pushes neither sinks in nor rises, apart from its
// compliance, and an open one does not sink in. In units of the tolerance; points at the apex of the cone
// have no direction.
static double coulomb_error(const plSapProblem* p, const double* gamma, const double* vc,
                            const double* shift) {
  double worst = 0;
  for (int i = 0, r = 0; i < p->nconstraint; r += p->constraint[i++].nrow) {
    const plSapConstraint* c = p->constraint + i;
    if (c->law != PL_SAP_CONE || c->cone.mu == 0) continue;
    double u_n = vc[r + 2] - c->cone.v_hat_n + c->cone.R_n * gamma[r + 2];
    const double* h = shift + 3 * i;
    double slip = hypot(vc[r] - h[0] + c->cone.R_t * gamma[r], vc[r + 1] - h[1] + c->cone.R_t * gamma[r + 1]);
    double size = fabs(vc[r + 2]) + fabs(c->cone.v_hat_n);  // rounding
    double error = fmax(0, (gamma[r + 2] > 0 ? fabs(u_n) : -u_n) - 1e-9 * size);
    worst = fmax(worst, error / (1e-4 + 1e-3 * c->cone.mu * slip));
  }
  return worst;
}

static void run_coulomb(Worker* w, int i, const plSapOptions* options, Result* r) {
  RandomProblem* p = &w->problem;
  plSapReport report;
  plError error = {0};
  plSapSolution solution = {w->v, w->gamma, w->vc};
  plSapCoulomb rule = pl_sap_default_coulomb();
  r->mu = i % NMU, rule.shift = w->shift;
  for (int k = 0; k < p->problem.nconstraint; k++)
    if (p->con[k].law == PL_SAP_CONE) p->con[k].cone.mu = mus[r->mu];
  r->coulomb_status =
      pl_sap_solve_coulomb(&p->problem, options, &rule, p->v0, &solution, &report, w->ws, &error);
  r->rounds = report.rounds, r->newton = report.iterations, r->capped = report.coulomb_capped;
  if (r->coulomb_status) {
    if (!r->message[0]) memcpy(r->message, error.message, sizeof r->message - 1);
    return;
  }
  r->coulomb_law = r->capped ? 0 : coulomb_error(&p->problem, w->gamma, w->vc, w->shift);
  // the answer is that of the convex problem with its shifts
  for (int k = 0, row = 0; k < p->problem.nconstraint; row += p->con[k++].nrow) {
    plSapConstraint* c = p->con + k;
    const double* h = w->shift + 3 * k;
    if (c->law != PL_SAP_CONE) continue;
    for (int q = 0; q < 3; q++) w->bias[3 * k + q] = (c->bias ? c->bias[q] : 0) - (q < 2 ? h[q] : 0);
    c->bias = w->bias + 3 * k, c->cone.v_hat_n -= h[2];
    for (int q = 0; q < 2; q++) w->vc[row + q] -= h[q];
  }
  r->coulomb_checked = check_answer(&p->problem, w->v, w->gamma, w->vc);
}

typedef struct Run {
  uint64_t seed;
  Worker* worker;
  Result* result;
} Run;

static uint64_t seed_of(const Run* run, int i) { return run->seed * UINT64_C(1000003) + (uint64_t)i; }

static void run_range(void* context, int begin, int end, int worker) {
  Run* run = context;
  Worker* w = run->worker + worker;
  for (int i = begin; i < end; i++) {
    Result* r = run->result + i;
    plRandom random = {seed_of(run, i)};
    plSapReport report;
    plError error = {0};
    plSapSolution solution = {w->v, w->gamma, w->vc};
    random_problem(&random, &w->problem);
    *r = (Result){.bodies = w->problem.problem.nclique,
                  .contacts = w->problem.ncontact,
                  .mass_ratio = w->problem.mass_ratio};
    plSapOptions options =
        i % 2 ? pl_sap_quick_options()
              : pl_sap_default_options();  // what a step uses, and what the solver does by itself
    r->status = pl_sap_solve(&w->problem.problem, &options, w->problem.v0, &solution, &report, w->ws, &error);
    r->iterations = report.iterations, r->factorizations = report.factorizations,
    r->solve_s = report.time_total;
    r->mixed = report.stick > 0 && report.slide > 0 && report.open > 0, r->at_rounding = report.at_rounding;
    memcpy(r->message, error.message, sizeof r->message - 1);
    if (!r->status) r->checked = check_answer(&w->problem.problem, w->v, w->gamma, w->vc);
    run_coulomb(w, i, &options, r);
  }
}

typedef struct Tally {
  long iteration_sum, factorizations;
  int count, unconverged, wrong, over_500, mixed, at_rounding;
  int* iterations;
  double momentum, clique, law, velocity, solve_s;
} Tally;

static int compare_ints(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void add_result(Tally* t, const Result* r, unsigned long long seed) {
  const Checked* c = &r->checked;
  t->solve_s += r->solve_s;
  t->iterations[t->count++] = r->iterations;
  t->iteration_sum += r->iterations, t->factorizations += r->factorizations;
  t->over_500 += r->contacts > 500, t->mixed += r->mixed, t->at_rounding += r->at_rounding;
  if (r->status) {
    t->unconverged++;
    printf("seed %llu: %d bodies, %d contacts, mass ratio %.2g: %s: %s\n", seed, r->bodies, r->contacts,
           r->mass_ratio, pl_status_name(r->status), r->message);
    return;
  }
  t->momentum = fmax(t->momentum, c->momentum), t->clique = fmax(t->clique, c->clique);
  t->law = fmax(t->law, c->law), t->velocity = fmax(t->velocity, c->velocity);
  // 1 % above the tolerance for the rounding of v, which is given to 16 digits
  if (c->momentum > 1.01e-6 || c->clique > 1.01e-6 || c->velocity > 1e-13 || c->law > 1e-6) {
    t->wrong++;
    printf(
        "seed %llu: %d bodies, %d contacts: answer off: momentum %.2g, clique %.2g, law %.2g, velocity "
        "%.2g\n",
        seed, r->bodies, r->contacts, c->momentum, c->clique, c->law, c->velocity);
  }
}

typedef struct Friction {
  int count, capped, rounds, newton, failed, wrong;
} Friction;

// By coefficient; the number of failed solves and wrong answers.
static int print_friction(const Run* run, int count) {
  Friction by[NMU] = {0};
  int bad = 0;
  for (int i = 0; i < count; i++) {
    const Result* r = run->result + i;
    Friction* f = by + r->mu;
    const Checked* c = &r->coulomb_checked;
    bool wrong = !r->coulomb_status && (c->momentum > 1.01e-6 || c->clique > 1.01e-6 || c->velocity > 1e-13 ||
                                        c->law > 1e-6 || r->coulomb_law > 1.01);
    f->count++, f->capped += r->capped, f->rounds += r->rounds, f->newton += r->newton,
        f->failed += r->coulomb_status != PL_OK, f->wrong += wrong;
    if (wrong || r->coulomb_status)
      printf(
          "seed %llu, friction %g: %s, momentum %.2g, clique %.2g, law %.2g, Coulomb's %.2g times its "
          "tolerance %s\n",
          (unsigned long long)seed_of(run, i), mus[r->mu], pl_status_name(r->coulomb_status), c->momentum,
          c->clique, c->law, r->coulomb_law, r->message);
  }
  printf("\nCoulomb's friction\n%8s %9s %8s %8s %8s %12s %6s\n", "friction", "problems", "rounds", "Newton",
         "capped", "unconverged", "wrong");
  for (int k = 0; k < NMU; k++) {
    const Friction* f = by + k;
    bad += f->failed + f->wrong;
    if (f->count)
      printf("%8g %9d %8.2f %8.2f %6.1f %% %12d %6d\n", mus[k], f->count, (double)f->rounds / f->count,
             (double)f->newton / f->count, 100.0 * f->capped / f->count, f->failed, f->wrong);
  }
  return bad;
}

static void print_histogram(const Tally* t) {
  static const int edges[] = {0, 1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 500, 1000, 1 << 30};
  int k = 0;
  printf("%12s %8s\n", "iterations", "problems");
  for (int e = 0; e + 1 < (int)(sizeof edges / sizeof *edges); e++) {
    int n = 0;
    while (k < t->count && t->iterations[k] < edges[e + 1]) k++, n++;
    if (n)
      printf("%5d - %5d %7d %s\n", edges[e],
             edges[e + 1] - 1 < 1 << 29 ? edges[e + 1] - 1 : t->iterations[t->count - 1], n,
             &"########################################"[40 - 40 * n / t->count]);
  }
}

static int write_json(const char* path, const Tally* t, unsigned long long seed, double wall) {
  int n = t->count;
  FILE* f = fopen(path, "w");
  if (!f) return fprintf(stderr, "cannot write %s\n", path), 1;
  fprintf(f,
          "[{\"count\": %d, \"unconverged\": %d, \"iterations_median\": %d, \"iterations_p99\": %d, "
          "\"iterations_max\": %d,\n",
          n, t->unconverged, t->iterations[n / 2], t->iterations[(int)(0.99 * (n - 1))],
          t->iterations[n - 1]);
  fprintf(f,
          "  \"wrong\": %d, \"seed\": %llu, \"over_500\": %d, \"mixed\": %d, \"at_rounding\": %d, "
          "\"wall_s\": %.3f, \"solver_s\": %.3f}]\n",
          t->wrong, seed, t->over_500, t->mixed, t->at_rounding, wall, t->solve_s);
  return fclose(f) != 0;
}

static void print_tally(const Tally* t, double wall) {
  int n = t->count;
  print_histogram(t);
  printf(
      "over 500 contacts: %.1f %%, sticking, sliding and open together: %.1f %%, stopped at rounding: %d\n",
      100.0 * t->over_500 / n, 100.0 * t->mixed / n, t->at_rounding);
  printf("checked: momentum %.2g, per clique %.2g, law %.2g, velocity %.2g; %d wrong\n", t->momentum,
         t->clique, t->law, t->velocity, t->wrong);
  printf("%.1f s; in the solver %.1f s; %ld factorizations for %ld iterations\n", wall, t->solve_s,
         t->factorizations, t->iteration_sum);
  printf("count %d, unconverged %d, iterations_median %d, iterations_p99 %d, iterations_max %d\n", n,
         t->unconverged, t->iterations[n / 2], t->iterations[(int)(0.99 * (n - 1))], t->iterations[n - 1]);
}

int main(int argc, char** argv) {
  if (!isa_is_known()) return 2;
  int count = 2000, threads = 1;
  bool quick = false, given = false;
  unsigned long long seed = 1;
  const char* json = NULL;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick"))
      quick = true;
    else if (!strcmp(argv[i], "--count") && i + 1 < argc)
      count = atoi(argv[++i]), given = true;
    else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
      seed = strtoull(argv[++i], NULL, 10);
    else if (!strcmp(argv[i], "--threads") && i + 1 < argc)
      threads = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--json") && i + 1 < argc)
      json = argv[++i];
    else
      return fprintf(stderr,
                     "usage: sap_stress [--quick] [--count N] [--seed S] [--threads N] [--json FILE]\n"),
             2;
  }
  if (quick && !given) count = 200;
  if (count < 1 || threads < 1) return fprintf(stderr, "--count and --threads must be at least 1\n"), 2;
  plPool* pool = threads > 1 ? pl_pool_create(threads) : NULL;
  int nworker = pl_pool_size(pool);
  Run run = {.seed = seed,
             .worker = calloc((size_t)nworker, sizeof(Worker)),
             .result = calloc((size_t)count, sizeof(Result))};
  Tally t = {.iterations = calloc((size_t)count, sizeof(int))};
  if (!run.worker || !run.result || !t.iterations) return fprintf(stderr, "out of memory\n"), 1;
  for (int k = 0; k < nworker; k++) run.worker[k].ws = pl_sap_workspace_create(NULL);
  double t0 = pl_now();
  printf("seed %llu, %d problems, %d threads\n", seed, count, nworker);
  fflush(stdout);
  pl_parallel_for(pool, count, 1, run_range, &run);
  for (int i = 0; i < count; i++) add_result(&t, run.result + i, (unsigned long long)seed_of(&run, i));
  double wall = pl_now() - t0;
  qsort(t.iterations, (size_t)count, sizeof(int), compare_ints);
  print_tally(&t, wall);
  int bad = print_friction(&run, count);
  int failed = json ? write_json(json, &t, seed, wall) : 0;
  for (int k = 0; k < nworker; k++) pl_sap_workspace_destroy(run.worker[k].ws);
  pl_pool_destroy(pool);
  free(run.worker), free(run.result), free(t.iterations);
  return failed || t.unconverged || t.wrong || bad;
}

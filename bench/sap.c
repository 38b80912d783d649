// sap.c: the cost of a Newton iteration and of its parts, for problems of the paper's sizes; iterations with
// and without warm start.
//
//   sap [--quick] [--scenes FOLDER] [--json FILE]
//
//   arch    25 soft stones of 27 degrees of freedom, 396 points: block tridiagonal
//   press   a soft block of 60 vertices pressed by a rigid plate on the ground, 89 points, at rest
//   grasp   two soft cliques of 90 vertices, one of 140 between them and two rigid ones, 464 points: nearly
//           dense
//   pile    200 rigid bodies with 1000 points
//
// It also measures the problems of steps of whole scenes: the arch of the scene (its own points), the paper's
// press, a stack at rest, the bear in the gripper. The dense peak is that of the same kernels on one panel in
// cache. After an arch and the pile it prints the cost of the factor after k points have changed, relative to
// a complete one (sap_renew.h).
#include <stdio.h>

#include "../test/sap/arch.h"
#include "../test/sap/random_problem.h"
#include "base/timer.h"
#include "constraint/constraint.h"
#include "isa.h"
#include "linalg/panel.h"
#include "pliant/pliant.h"
#include "sap_renew.h"

enum { MAX_ROWS = 20 };

typedef struct Row {
  char name[32];
  int constraints, dofs, cliques;
  double hessian_fill, factor_fill;         // blocks over those of a full triangle
  double iterations_warm, iterations_cold;  // per solve
  double law_us, assemble_us, factor_us, solve_us, search_us, iteration_us;
  double gflops, peak_share;
} Row;

static Row rows[MAX_ROWS];
static int nrows;

// ---- the kernels' peak: 24 x 8 tiles with 96 columns, all in the first cache

static double dense_peak(void) {
  const plPanelKernels* kernels = pl_panel_kernels(pl_isa());
  enum { K = 96 };
  static _Alignas(64) double A[24 * K], B[24 * K], C[24 * 8];
  for (int i = 0; i < 24 * K; i++) A[i] = B[i] = 1e-3;
  double best = 0;
  for (int round = 0; round < 20; round++) {
    double t0 = pl_now();
    for (int k = 0; k < 2000; k++) kernels->tile(24, K, A, 24, B, 24, C, 24, false);
    best = fmax(best, 2000.0 * 2 * 24 * 8 * K / (pl_now() - t0));
  }
  return best * 1e-9;
}

// ---- problems with soft cliques: a random positive definite A like a Schur complement, contacts that touch
// 3 or 4 vertices a side

typedef struct Soft {
  plSapProblem problem;
  int nv[8], dof0[9];
  double *A[8], *v_star, *v0;
  plSapConstraint con[512];
  plSapBlock blk[512][2];
  double J[512][2][36];
  int vert[512][2][4];
} Soft;

static double* soft_matrix(plRandom* r, int n, double mass, double stiff) {
  // lumped mass and a chain of springs with random long-range ones: dense after elimination of an interior
  double *A = calloc((size_t)n * (size_t)n, sizeof *A), d[3];
  for (int i = 0; i < n; i++) A[i * (n + 1)] = mass / n;
  for (int s = 0; s < 20 * n; s++) {
    int a = pl_random_int(r, n / 3), b = pl_random_int(r, n / 3);
    double k = stiff / (1 + abs(a - b));
    random_unit(r, d);
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) {
        int p = 3 * (i < 3 ? a : b) + i % 3, q = 3 * (j < 3 ? a : b) + j % 3;
        A[p + n * q] += (i / 3 == j / 3 ? k : -k) * d[i % 3] * d[j % 3];
      }
  }
  return A;
}

// a point between soft or rigid clique a (positive side) and b (< 0: the world)
static void soft_contact(plRandom* r, Soft* s, int a, int b, const double* n, double mu, double phi) {
  int i = s->problem.nconstraint++;
  double F[3][3];
  random_frame(n, F);
  s->con[i] = (plSapConstraint){.law = PL_SAP_CONE, .nrow = 3, .block = s->blk[i]};
  for (int side = 0; side < 2; side++) {
    int c = side ? b : a, k = s->con[i].nblock;
    double* J = s->J[i][k];
    if (c < 0) continue;
    s->blk[i][k] = (plSapBlock){.clique = c, .J = J};
    double sign = side ? -1 : 1;
    if (s->nv[c] == 6) {
      double arm[3];
      for (int j = 0; j < 3; j++) arm[j] = pl_random(r, -0.05, 0.05);
      for (int row = 0; row < 3; row++) {
        double m[3];
        cross3(arm, F[row], m);
        for (int j = 0; j < 3; j++) J[row + 3 * j] = sign * F[row][j], J[row + 3 * (j + 3)] = sign * m[j];
      }
    } else {
      double w[3], sum = 0;
      int first = pl_random_int(r, s->nv[c] / 3);
      for (int q = 0; q < 3; q++) sum += w[q] = pl_random(r, 0.05, 1);
      for (int q = 0; q < 3; q++) {
        s->vert[i][k][q] = (first + q) % (s->nv[c] / 3);
        for (int row = 0; row < 3; row++)
          for (int j = 0; j < 3; j++) J[row + 3 * (3 * q + j)] = sign * w[q] / sum * F[row][j];
      }
      s->blk[i][k].nvert = 3, s->blk[i][k].vert = s->vert[i][k];
    }
    s->con[i].nblock++;
  }
  double w = pl_sap_delassus(&s->problem, &s->con[i]);
  s->con[i].cone = pl_sap_cone(0.01, mu, INFINITY, 0, phi, w, 1, PL_SAP_BETA_CONTACT, PL_SAP_SIGMA);
}

static void soft_init(Soft* s, int nclique, const int* nv, const double* mass) {
  plRandom r = {11};
  memset(s, 0, sizeof *s);
  for (int c = 0; c < nclique; c++) {
    s->nv[c] = nv[c], s->dof0[c + 1] = s->dof0[c] + nv[c];
    s->A[c] = nv[c] > 6 ? soft_matrix(&r, nv[c], mass[c], 0.05 * mass[c]) : calloc(36, sizeof(double));
    for (int i = 0; nv[c] == 6 && i < 6; i++) s->A[c][7 * i] = i < 3 ? mass[c] : 1e-3 * mass[c];
  }
  s->v_star = calloc((size_t)s->dof0[nclique], sizeof(double));
  s->v0 = calloc((size_t)s->dof0[nclique], sizeof(double));
  for (int c = 0; c < nclique; c++)
    for (int i = 0; i < nv[c]; i++)
      if (i % 3 == 2 && (nv[c] > 6 || i < 3)) s->v_star[s->dof0[c] + i] = -0.0981;
  s->problem = (plSapProblem){.nclique = nclique,
                              .clique_nv = s->nv,
                              .A = (const double* const*)s->A,
                              .v_star = s->v_star,
                              .constraint = s->con};
}

static void soft_free(Soft* s) {
  for (int c = 0; c < s->problem.nclique; c++) free(s->A[c]);
  free(s->v_star), free(s->v0);
}

// ---- measuring

// iterations added up; seconds per iteration (factor: per factorization) are the best of all solves
typedef struct Sum {
  double warm, cold, solves, law, assemble, factor, solve, search;
} Sum;

static void keep_best(double* best, double seconds, int n) {
  if (n > 0 && (*best == 0 || seconds / n < *best)) *best = seconds / n;
}

// solves warm and cold; times are those of the cold one, which has more iterations
static void measure(const plSapProblem* p, const double* guess, double* v, plSapWorkspace* ws, Sum* sum,
                    plSapReport* report) {
  plSapSolution solution = {.v = v};
  plError error = {0};
  if (pl_sap_solve(p, NULL, guess, &solution, report, ws, &error)) printf("not solved: %s\n", error.message);
  sum->warm += report->iterations;
  if (pl_sap_solve(p, NULL, NULL, &solution, report, ws, &error)) printf("not solved: %s\n", error.message);
  int n = report->iterations, f = report->factorizations;
  sum->cold += n, sum->solves++;
  keep_best(&sum->law, report->time_law, n), keep_best(&sum->assemble, report->time_assemble, f);
  keep_best(&sum->factor, report->time_factor, f), keep_best(&sum->solve, report->time_solve, n);
  keep_best(&sum->search, report->time_search, n);
}

static void add_row(const char* name, const Sum* s, const plSapReport* r, double peak) {
  Row* row = &rows[nrows++];
  double us = 1e6, full = 0.5 * r->block_count * (r->block_count + 1);
  snprintf(row->name, sizeof row->name, "%s", name);
  row->constraints = r->nconstraint, row->dofs = r->nv, row->cliques = r->nclique;
  row->hessian_fill = r->block_hessian / full, row->factor_fill = r->block_factor / full;
  row->iterations_warm = s->warm / s->solves, row->iterations_cold = s->cold / s->solves;
  row->law_us = us * s->law, row->assemble_us = us * s->assemble, row->factor_us = us * s->factor;
  row->solve_us = us * s->solve, row->search_us = us * s->search;
  row->iteration_us = row->law_us + row->assemble_us + row->factor_us + row->solve_us + row->search_us;
  row->gflops = r->factor_flops / s->factor * 1e-9;
  row->peak_share = row->gflops / peak;
}

static void bench_arch(double mu, int steps, double peak) {
  static Arch arch;
  static double v[ARCH_STONES * ARCH_NV];
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  plSapReport report;
  Sum sum = {0};
  char name[32];
  arch_init(&arch, mu, 0.04);
  for (int k = 0; k < steps; k++) {
    arch_problem(&arch);
    measure(&arch.problem, arch.v, v, ws, &sum, &report);
    arch_advance(&arch, v);
  }
  snprintf(name, sizeof name, "arch mu %.1f", mu);
  add_row(name, &sum, &report, peak);
  renew_table(name, &arch.problem, 64);
  pl_sap_workspace_destroy(ws);
}

// rest: solved once more from its own velocity, as in a scene at rest
static void bench_soft(const char* name, Soft* s, int rounds, double peak) {
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  plSapReport report;
  Sum sum = {0};
  plSapSolution solution = {.v = s->v0};
  (void)pl_sap_solve(&s->problem, NULL, NULL, &solution, &report, ws, NULL);
  double* v = calloc((size_t)s->dof0[s->problem.nclique], sizeof *v);
  for (int k = 0; k < rounds; k++) measure(&s->problem, s->v0, v, ws, &sum, &report);
  add_row(name, &sum, &report, peak);
  free(v);
  pl_sap_workspace_destroy(ws);
}

static void bench_press(int rounds, double peak) {
  static Soft s;
  plRandom r = {5};
  int nv[] = {180, 6};
  double mass[] = {1, 5}, up[3] = {0, 0, 1};
  soft_init(&s, 2, nv, mass);
  for (int i = 0; i < 45; i++) soft_contact(&r, &s, 0, -1, up, 0.5, -1e-5);
  for (int i = 0; i < 44; i++) soft_contact(&r, &s, 1, 0, up, 0.5, -1e-5);
  bench_soft("press", &s, rounds, peak);
  soft_free(&s);
}

static void bench_grasp(int rounds, double peak) {
  static Soft s;
  plRandom r = {6};
  int nv[] = {270, 420, 270, 6, 6};
  double mass[] = {0.1, 0.8, 0.1, 1, 1}, side[3] = {1, 0, 0}, other[3] = {-1, 0, 0}, up[3] = {0, 0, 1};
  soft_init(&s, 5, nv, mass);
  for (int i = 0; i < 150; i++) soft_contact(&r, &s, 1, 0, side, 0.9, -1e-4);
  for (int i = 0; i < 150; i++) soft_contact(&r, &s, 1, 2, other, 0.9, -1e-4);
  for (int i = 0; i < 52; i++) soft_contact(&r, &s, 0, 3, side, 1, -1e-5);
  for (int i = 0; i < 52; i++) soft_contact(&r, &s, 2, 4, other, 1, -1e-5);
  for (int i = 0; i < 60; i++) soft_contact(&r, &s, 1, -1, up, 0.5, -1e-5);
  bench_soft("grasp", &s, rounds, peak);
  soft_free(&s);
}

static void bench_pile(int rounds, double peak) {
  static RandomProblem p;
  static double v[RANDOM_MAX_BODY * RANDOM_MAX_NV];
  plRandom r = {8};
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  plSapReport report;
  Sum sum = {0};
  p.dt = 0.01, p.spring = 1;
  p.problem =
      (plSapProblem){.nclique = 200, .clique_nv = p.nv, .A = p.A, .v_star = p.v_star, .constraint = p.con};
  random_bodies(&r, &p, 200);
  p.dof0[0] = 0;
  for (int b = 0; b < 200; b++)
    p.kind[b] = 0, p.nv[b] = 6, p.dof0[b + 1] = 6 * (b + 1), random_A(&r, &p, b, pl_random(&r, 0.5, 2));
  for (int i = 0; i < 1000; i++) random_contact(&r, &p, i, PL_SAP_CONE);
  p.problem.nconstraint = 1000;
  plSapSolution solution = {.v = p.v0};
  (void)pl_sap_solve(&p.problem, NULL, NULL, &solution, &report, ws, NULL);
  for (int k = 0; k < rounds; k++) measure(&p.problem, p.v0, v, ws, &sum, &report);
  add_row("pile", &sum, &report, peak);
  renew_table("pile", &p.problem, 64);
  pl_sap_workspace_destroy(ws);
}

// The contact problems of a scene's steps: it runs for `from` seconds, then `count` steps are measured.
static void bench_scene(const char* name, const char* folder, const char* file, double from, int count,
                        double peak) {
  char path[4096];
  plSpec* spec;
  plError error;
  snprintf(path, sizeof path, "%s/%s", folder, file);
  if (pl_spec_load(path, NULL, &spec, &error)) {
    printf("%s is left out: %s (--scenes FOLDER says where scenes are)\n", name, error.message);
    return;
  }
  pl_spec_options(spec)->threads = 1;
  const plModel* model = pl_model_create(spec, &error);
  plData* data = model ? pl_data_create(model, &error) : NULL;
  double* v = data ? calloc((size_t)model->nv + 1, sizeof *v) : NULL;
  plSapWorkspace* ws = pl_sap_workspace_create(NULL);
  plSapReport report = {0};
  Sum sum = {0};
  plStatus status = data && v ? PL_OK : PL_ERROR_MEMORY;
  while (!status && data->time < from - 1e-9) status = pl_step(data, &error);
  for (int i = 0; !status && i < count; i++) {
    status = pl_step(data, &error);
    const plReduced* r = data->work->reduced;
    if (!status && r && r->clique_v0[r->problem.nclique] <= model->nv)
      measure(&r->problem, r->v_guess, v, ws, &sum, &report);
  }
  if (status)
    printf("%s: %s\n", name, error.message);
  else if (sum.solves > 0)
    add_row(name, &sum, &report, peak);
  free(v);
  pl_sap_workspace_destroy(ws), pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
}

static void print_rows(double peak) {
  printf("dense peak of the kernels (%s): %.1f GFLOP/s\n\n", pl_isa_name(pl_isa()), peak);
  printf("%-13s %6s %6s %7s | %7s %7s | %5s %5s | %7s %8s %8s %7s %7s %8s | %6s %6s\n", "problem", "constr",
         "dofs", "cliques", "H fill", "L fill", "warm", "cold", "law us", "assemble", "factor", "solve",
         "search", "sum us", "GFLOPS", "peak %");
  for (int i = 0; i < nrows; i++) {
    const Row* r = rows + i;
    printf(
        "%-13s %6d %6d %7d | %5.1f %% %5.1f %% | %5.1f %5.1f | %7.1f %8.1f %8.1f %7.1f %7.1f %8.1f | %6.1f "
        "%6.1f\n",
        r->name, r->constraints, r->dofs, r->cliques, 100 * r->hessian_fill, 100 * r->factor_fill,
        r->iterations_warm, r->iterations_cold, r->law_us, r->assemble_us, r->factor_us, r->solve_us,
        r->search_us, r->iteration_us, r->gflops, 100 * r->peak_share);
  }
}

static int write_json(const char* path, double peak) {
  FILE* f = fopen(path, "w");
  if (!f) return fprintf(stderr, "cannot write %s\n", path), 1;
  fprintf(f, "[");
  for (int i = 0; i < nrows; i++) {
    const Row* r = rows + i;
    fprintf(f,
            "%s\n  {\"name\": \"%s\", \"constraints\": %d, \"dofs\": %d, \"cliques\": %d, \"hessian_fill\": "
            "%.4f, \"factor_fill\": %.4f,\n"
            "   \"iterations_warm\": %.3f, \"iterations_cold\": %.3f, \"law_us\": %.2f, \"assemble_us\": "
            "%.2f, \"factor_us\": %.2f,\n"
            "   \"solve_us\": %.2f, \"search_us\": %.2f, \"iteration_us\": %.2f, \"gflops\": %.2f, "
            "\"peak_gflops\": %.2f, \"peak_share\": %.4f}",
            i ? "," : "", r->name, r->constraints, r->dofs, r->cliques, r->hessian_fill, r->factor_fill,
            r->iterations_warm, r->iterations_cold, r->law_us, r->assemble_us, r->factor_us, r->solve_us,
            r->search_us, r->iteration_us, r->gflops, peak, r->peak_share);
  }
  fprintf(f, "\n]\n");
  return fclose(f) != 0;
}

int main(int argc, char** argv) {
  if (!isa_is_known()) return 2;
  bool quick = false;
  const char *json = NULL, *scenes = PLIANT_SCENES;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick"))
      quick = true;
    else if (!strcmp(argv[i], "--scenes") && i + 1 < argc)
      scenes = argv[++i];
    else if (!strcmp(argv[i], "--json") && i + 1 < argc)
      json = argv[++i];
    else
      return fprintf(stderr, "usage: sap [--quick] [--scenes FOLDER] [--json FILE]\n"), 2;
  }
  double peak = dense_peak();
  bench_arch(1.0, quick ? 20 : 60, peak);
  bench_arch(0.2, quick ? 10 : 60, peak);
  bench_press(quick ? 5 : 30, peak);
  bench_grasp(quick ? 2 : 10, peak);
  bench_pile(quick ? 2 : 10, peak);
  bench_scene("scene: arch", scenes, "arch_mu10.yaml", 0.4, quick ? 5 : 50, peak);
  bench_scene("scene: press", scenes, quick ? "cylinder_press_coarse.yaml" : "cylinder_press.yaml", 0.3,
              quick ? 5 : 20, peak);
  bench_scene("scene: stack", scenes, "stack.yaml", 0.5, quick ? 3 : 20, peak);
  bench_scene("scene: bear", scenes, "teddy.yaml", 1.2, quick ? 3 : 20, peak);
  print_rows(peak);
  return json ? write_json(json, peak) : 0;
}

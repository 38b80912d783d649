// large.c: large soft bodies: a whole step, its memory, and CHOLMOD's factorization of the same matrix alone.
//
//   build/bench/large [--quick] [--vertices N]... [--json FILE]
//
// Cubes of 2,197, 8,000 and 29,791 vertices (--vertices: one of them, or 512; --quick: 2,197), linear
// corotated, dt 0.01: in free fall, and on the ground, where the vertices of a face take part in the contact
// problem. CPU seconds of the second step on one thread (the first one orders the matrix) and the peak memory
// of its process. CHOLMOD (supernodal, METIS) factors a matrix of the same mesh and law twice, the faster one
// counts, with the OpenBLAS kernels that suit it best; it is left out where it is not installed. CG:
// conjugate gradients with the diagonal on that matrix, to 1e-8, instead of factor and solve. Every
// measurement has a process of its own. Check: a step in free fall takes no longer than CHOLMOD's
// factorization alone.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "cholesky_case.h"
#include "isa.h"
#include "peers.h"
#include "pliant/pliant.h"
#include "times.h"

typedef struct Cost {
  double seconds, megabytes;  // NAN: not measured
} Cost;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- one measurement, in a process of its own: seconds and megabytes on a line

static int say(double seconds) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%.6g %.6g\n", seconds, 1e-3 * (double)usage.ru_maxrss);
  return 0;
}

// The cube of that many vertices along a side among the meshes of bench/cholesky.
static int mesh_of(int side) { return side == 8 ? 0 : side == 13 ? 1 : side == 20 ? 9 : 11; }

static int step_of(int side, bool ground) {
  plError error = {0};
  Case c;
  plSpec* spec = pl_spec_create();
  plDeformableDef def = pl_default_deformable_def();
  plShapeDef floor = pl_default_shape_def();
  if (!make_case(NULL, NULL, mesh_of(side), &c)) return 1;
  double lowest = INFINITY;
  for (int v = 0; v < c.mesh->nvert; v++) lowest = fmin(lowest, c.mesh->vert[3 * v + 2]);
  def.name = "cube", def.mesh = c.mesh, def.pose.p = (plVec3){0, 0, -lowest};
  def.material.young = 5e4, def.material.poisson = 0.4, def.material.density = 1000;
  def.material.damping_stiffness = 0.01;
  floor.name = "ground", floor.kind = PL_SHAPE_HALF_SPACE;
  if (pl_spec_add_deformable(spec, &def, NULL, &error)) return 1;
  case_free(&c);
  if (ground && pl_spec_add_shape(spec, &floor, NULL, &error)) return 1;
  pl_spec_options(spec)->threads = 1;
  const plModel* model = pl_model_create(spec, &error);
  pl_spec_destroy(spec);
  plData* data = model ? pl_data_create(model, &error) : NULL;
  if (!data || pl_step(data, &error)) return 1;
  double start = now();
  if (pl_step(data, &error)) return 1;
  return say(now() - start);
}

static int cholmod_of(int side) {
  Case c;
  const Peer* peer = peers_load().cholmod;
  if (!peer || !make_case(NULL, NULL, mesh_of(side), &c)) return 1;
  int* order = PL_NEW(int, 3 * c.A->n);
  for (int i = 0; i < 3 * c.A->n; i++) order[i] = i;
  void* solver = peer->create(&(PeerMatrix){3 * c.A->n, 0, c.col0, c.row, c.value, order});
  double best = INFINITY;
  for (int k = 0; k < 2 && solver; k++) {
    double start = now();
    if (peer->factor(solver, NULL)) return 1;
    best = fmin(best, now() - start);
  }
  if (!solver) return 1;
  peer->destroy(solver), pl_free(order), case_free(&c);
  return say(best);
}

// Conjugate gradients with the inverse of the diagonal until the residual is 1e-8 of what it was: a free
// solve's tolerance.
static int gradients_of(int side) {
  Case c;
  if (!make_case(NULL, NULL, mesh_of(side), &c)) return 1;
  int n = 3 * c.A->n;
  double *x = PL_NEW(double, n), *r = PL_NEW(double, n), *z = PL_NEW(double, n), *p = PL_NEW(double, n),
         *Ap = PL_NEW(double, n), *inverse = PL_NEW(double, n);
  for (int i = 0; i < n; i++) inverse[i] = 1 / c.value[c.col0[i]], r[i] = i % 3 == 2 ? 1 / inverse[i] : 0;
  double start = now(), rz = 0, first = 0, rest = INFINITY;
  for (int i = 0; i < n; i++) p[i] = z[i] = inverse[i] * r[i], rz += r[i] * z[i], first += r[i] * r[i];
  for (int k = 0; k < n && rest > 1e-16 * first; k++) {
    double pAp = 0, next = 0;
    pl_bsym_multiply(c.A, p, Ap);
    for (int i = 0; i < n; i++) pAp += p[i] * Ap[i];
    rest = 0;
    for (int i = 0; i < n; i++) {
      x[i] += rz / pAp * p[i], r[i] -= rz / pAp * Ap[i], z[i] = inverse[i] * r[i];
      next += r[i] * z[i], rest += r[i] * r[i];
    }
    for (int i = 0; i < n; i++) p[i] = z[i] + next / rz * p[i];
    rz = next;
  }
  double spent = now() - start;
  pl_free(x), pl_free(r), pl_free(z), pl_free(p), pl_free(Ap), pl_free(inverse), case_free(&c);
  return rest <= 1e-16 * first ? say(spent) : 1;
}

static int measure(const char* what, int side) {
  if (!strcmp(what, "gradients")) return gradients_of(side);
  return !strcmp(what, "cholmod") ? cholmod_of(side) : step_of(side, !strcmp(what, "ground"));
}

// ---- the table

static Cost cost_of(const char* what, int side) {
  char path[PATH_MAX], command[PATH_MAX + 64];
  Cost cost = {NAN, NAN};
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return cost;
  path[length] = 0;
  snprintf(command, sizeof command, "'%s' --measure %s %d", path, what, side);
  FILE* child = popen(command, "r");
  if (child && fscanf(child, "%lf %lf", &cost.seconds, &cost.megabytes) != 2) cost = (Cost){NAN, NAN};
  if (child) pclose(child);
  return cost;
}

static Cost cholmod_cost(int side) {
  static const char* const kernels[] = {"SkylakeX", "Haswell"};
  Cost best = {NAN, NAN};
  for (int k = 0; k < 2; k++) {
    peers_environment(1, kernels[k]);
    Cost cost = cost_of("cholmod", side);
    if (!(best.seconds <= cost.seconds)) best = cost;
  }
  return best;
}

static bool row(int side, FILE* out, bool first) {
  Cost fall = cost_of("fall", side), ground = cost_of("ground", side), cholmod = cholmod_cost(side),
       gradients = cost_of("gradients", side);
  bool ok = isfinite(fall.seconds) && isfinite(ground.seconds) && isfinite(gradients.seconds);
  bool fast = !isfinite(cholmod.seconds) || fall.seconds <= cholmod.seconds || !times_count();
  printf("%8d %9.3f %7.0f %9.3f %7.0f %9.3f %7.0f %8.2f %9.3f %7.0f%s\n", side * side * side, fall.seconds,
         fall.megabytes, ground.seconds, ground.megabytes, cholmod.seconds, cholmod.megabytes,
         cholmod.seconds / fall.seconds, gradients.seconds, gradients.megabytes,
         ok && fast ? "" : "  missed");
  fflush(stdout);
  if (out)
    fprintf(out,
            "%s{\"vertices\": %d, \"fall_s\": %.4g, \"fall_MB\": %.4g, \"ground_s\": %.4g, \"ground_MB\": "
            "%.4g, \"cholmod_s\": %.4g, \"cholmod_MB\": %.4g, \"gradients_s\": %.4g}",
            first ? "[" : ",\n ", side * side * side, fall.seconds, fall.megabytes, ground.seconds,
            ground.megabytes, isfinite(cholmod.seconds) ? cholmod.seconds : 0,
            isfinite(cholmod.seconds) ? cholmod.megabytes : 0, gradients.seconds);
  return ok && fast;
}

static int side_of(int vertices) {
  static const int sides[] = {8, 13, 20, 31};
  for (int k = 0; k < 4; k++)
    if (sides[k] * sides[k] * sides[k] == vertices) return sides[k];
  return 0;
}

int main(int argc, char** argv) {
  if (!isa_is_known()) return 2;
  int side[16] = {13, 20, 31}, n = 3, given = 0;
  const char* json = NULL;
  if (argc == 4 && !strcmp(argv[1], "--measure")) return measure(argv[2], atoi(argv[3]));
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick"))
      n = 1;
    else if (!strcmp(argv[i], "--vertices") && i + 1 < argc && given < 16 && side_of(atoi(argv[i + 1])))
      side[given++] = side_of(atoi(argv[++i]));
    else if (!strcmp(argv[i], "--json") && i + 1 < argc)
      json = argv[++i];
    else
      return fprintf(stderr, "usage: large [--quick] [--vertices N]... [--json FILE]\n"), 2;
  }
  FILE* out = json ? fopen(json, "w") : NULL;
  if (json && !out) return fprintf(stderr, "large: '%s' cannot be written\n", json), 2;
  if (given) n = given;
  bool ok = true;
  printf("%8s %9s %7s %9s %7s %9s %7s %8s %9s %7s\n", "vertices", "fall s", "MB", "ground s", "MB",
         "CHOLMOD s", "MB", "ratio", "CG s", "MB");
  for (int i = 0; i < n; i++) ok &= row(side[i], out, i == 0);
  if (out) fprintf(out, "]\n"), fclose(out);
  return !ok;
}

// elements: nanoseconds per tetrahedron of the linear corotated element work, plain and batched.
//
//   build/bench/elements [--quick] [--json FILE]
//
// Rows (kernel, isa, ns_per_tet). kernel `linear_corotated` is the whole element work: F, rotation, stress,
// forces, stiffness, assembly; `polar` is the polar decomposition alone. isa `plain`: one tet after the
// other, compiled with the flags of the fastest path this machine has; `portable`: the batched source as
// shipped for any machine; `avx2`, `avx512`: the same for these. One thread, best of all rounds.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../test/linalg/blocks.h"
#include "base/memory.h"
#include "base/timer.h"
#include "fem/lanes.h"
#include "isa.h"
#include "linalg/bsym.h"
#include "math/pose.h"
#include "math/random_vec3.h"

typedef struct Case {
  plMesh* mesh;
  plPoints* points;
  plLaw law;
  plBsym* K;
  plLanes* batch;
  plLanesWork* work;
  int* place;
  double *x, *f;
  double *F, *R;              // one after the other, [9 ntet]
  double *F_lanes, *R_lanes;  // [nbatch][9][8]
} Case;

typedef struct Row {
  const char *kernel, *isa;
  double ns;
} Row;

static void fail(const char* what) {
  fprintf(stderr, "elements: %s\n", what);
  exit(1);
}

// A box turned, stretched and shaken, as in the middle of a simulation.
static Case make_case(int cells) {
  Case c = {0};
  plRandom r = {1};
  plMaterial material = pl_default_material();
  if (pl_mesh_box_cells((plVec3){1, 1, 1}, cells, cells, cells, &c.mesh, NULL)) fail("no mesh");
  c.law = pl_law_of_material(&material, false);
  if (pl_points_tet4(c.mesh, &c.points, NULL)) fail("no points");
  if (blocks_create(c.mesh->nvert, c.mesh->ntet, 4, c.points->node, &c.K, NULL)) fail("no matrix");
  if (pl_lanes_create(c.points, c.K->col0, c.K->row, &c.batch, NULL)) fail("no batch");
  size_t ntet = (size_t)c.mesh->ntet, lanes = PL_LANES * (size_t)c.batch->nbatch;
  c.work = pl_lanes_work_create(c.batch, &c.law);
  c.place = PL_NEW(int, 16 * ntet);
  c.x = PL_NEW(double, 3 * (size_t)c.mesh->nvert);
  c.f = PL_NEW(double, 3 * (size_t)c.mesh->nvert);
  c.F = PL_NEW(double, 9 * lanes), c.R = PL_NEW(double, 9 * lanes);
  c.F_lanes = PL_NEW(double, 9 * lanes), c.R_lanes = PL_NEW(double, 9 * lanes);
  if (!c.work || !c.place || !c.x || !c.f || !c.F || !c.R || !c.F_lanes || !c.R_lanes) fail("no memory");
  blocks_places(c.K, c.mesh->ntet, 4, c.points->node, c.place);
  plQuat turn = quat_from_axis_angle(v3(1, 2, 3), 1.1);
  for (int i = 0; i < c.mesh->nvert; i++) {
    plVec3 p = v3_load(c.mesh->vert + 3 * i);
    p = v3(1.15 * p.x + 0.1 * p.y, 0.9 * p.y, 0.95 * p.z);
    double shake = 0.1 / cells;
    p = v3_add(p, v3_random(&r, -shake, shake));
    v3_store(c.x + 3 * i, quat_rotate(turn, p));
  }
  pl_lanes_deform(c.batch, c.work, c.x, NULL);
  memcpy(c.F_lanes, c.work->F, 9 * lanes * sizeof(double));
  for (size_t t = 0; t < lanes; t++)
    for (size_t i = 0; i < 9; i++)
      c.F[9 * t + i] = c.F_lanes[(9 * (t / PL_LANES) + i) * PL_LANES + t % PL_LANES];
  return c;
}

static void run_plain(Case* c, plPlainElements* elements) {
  memset(c->f, 0, 3 * (size_t)c->mesh->nvert * sizeof(double));
  blocks_clear(c->K);
  elements(c->points, &c->law, c->x, c->place, c->f, c->K->block);
}

// The best time of one call (s) over rounds that last at least least_s together.
static double best_time(Case* c, plPlainElements* plain, plPlainPolar* plain_polar,
                        const plLanesKernels* kernels, bool polar, double least_s) {
  double best = INFINITY, start = pl_now();
  do {
    double t = pl_now();
    if (polar && kernels)
      kernels->polar(c->F_lanes, c->R_lanes, c->batch->nbatch);
    else if (polar)
      plain_polar(c->F, c->R, c->mesh->ntet);
    else if (kernels)
      pl_lanes_whole(kernels, c->batch, c->work, c->x, c->f, c->K->block, NULL);
    else
      run_plain(c, plain);
    t = pl_now() - t;
    if (t < best) best = t;
  } while (pl_now() - start < least_s);
  return best;
}

static bool write_json(const char* path, const Row* row, int n) {
  FILE* file = fopen(path, "w");
  if (!file) return false;
  fprintf(file, "[\n");
  for (int i = 0; i < n; i++)
    fprintf(file, "  {\"kernel\": \"%s\", \"isa\": \"%s\", \"ns_per_tet\": %.3f}%s\n", row[i].kernel,
            row[i].isa, row[i].ns, i + 1 < n ? "," : "");
  fprintf(file, "]\n");
  return fclose(file) == 0;
}

int main(int argc, char** argv) {
  if (!isa_is_known()) return 2;
  bool quick = false;
  const char* json = NULL;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick"))
      quick = true;
    else if (!strcmp(argv[i], "--json") && i + 1 < argc)
      json = argv[++i];
    else
      return fprintf(stderr, "usage: elements [--quick] [--json FILE]\n"), 2;
  }

  Case c = make_case(quick ? 10 : 15);
  double least_s = quick ? 0.1 : 0.5;
  plIsa top = pl_isa_machine();
  plPlainElements* plain = pl_plain_elements;
  plPlainPolar* plain_polar = pl_plain_polar;
#if defined(__x86_64__)
  if (top == PL_ISA_AVX2) plain = pl_plain_elements_avx2, plain_polar = pl_plain_polar_avx2;
  if (top == PL_ISA_AVX512) plain = pl_plain_elements_avx512, plain_polar = pl_plain_polar_avx512;
#endif

  printf("%d tetrahedra, %d vertices, one thread\n", c.mesh->ntet, c.mesh->nvert);
  Row row[8];
  int n = 0;
  for (int polar = 0; polar < 2; polar++) {
    const char* kernel = polar ? "polar" : "linear_corotated";
    double base = 1e9 * best_time(&c, plain, plain_polar, NULL, polar, least_s) / c.mesh->ntet;
    row[n++] = (Row){kernel, "plain", base};
    for (int isa = 0; isa <= (int)top; isa++) {
      double ns =
          1e9 * best_time(&c, NULL, NULL, pl_lanes_kernels((plIsa)isa), polar, least_s) / c.mesh->ntet;
      row[n++] = (Row){kernel, isa == PL_ISA_PLAIN ? "portable" : pl_isa_name((plIsa)isa), ns};
    }
    for (int i = n - 2 - (int)top; i < n; i++)
      printf("%-18s %-10s %8.1f ns per tet  %5.2f x\n", row[i].kernel, row[i].isa, row[i].ns,
             base / row[i].ns);
  }
  if (json && !write_json(json, row, n)) return fprintf(stderr, "elements: cannot write %s\n", json), 1;
  return 0;
}

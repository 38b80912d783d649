// lanes.c: tables of the batched element work, its loops over threads, and the choice of an instruction set
// (see lanes.h).
#include "fem/lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "fem/mass.h"
#include "math/vec3.h"

const plLanesKernels* pl_lanes_kernels(plIsa isa) {
#if defined(__x86_64__)
  if (isa == PL_ISA_AVX512) return &pl_lanes_avx512;
  if (isa == PL_ISA_AVX2) return &pl_lanes_avx2;
#endif
  (void)isa;
  return &pl_lanes_portable;
}

static void fill_lanes(plLanes* b, const plPoints* p) {
  for (int t = 0; t < PL_LANES * b->nbatch; t++) {
    // lanes beyond the last tet repeat it with zero volume
    int q = t < p->npoint ? t : p->npoint - 1;
    size_t batch = (size_t)(t / PL_LANES), lane = (size_t)(t % PL_LANES);
    for (size_t a = 0; a < 4; a++) b->vert[(batch * 4 + a) * PL_LANES + lane] = p->node[4 * (size_t)q + a];
    for (size_t i = 0; i < 9; i++)
      b->grad[(batch * 9 + i) * PL_LANES + lane] = p->grad[12 * (size_t)q + 3 + i];
    b->volume[batch * PL_LANES + lane] = t < p->npoint ? p->volume[q] : 0;
    b->root[batch * PL_LANES + lane] = t < p->npoint ? sqrt(p->volume[q]) : 0;
  }
}

// The corners that contribute to each block and each vertex, in the order of the tets.
static bool list_items(plLanes* b, const plPoints* p, const int* col0, const int* row) {
  int *at = PL_NEW(int, 10 * (size_t)b->ntet), *next = PL_NEW(int, (size_t)b->nblock + 1);
  bool ok = at && next;
  size_t k = 0;
  // stencils ascend, so row corner a >= column corner c
  for (int t = 0; ok && t < b->ntet; t++)
    for (int a = 0; a < 4; a++) {
      const int* node = p->node + 4 * (size_t)t;
      assert(node[a] >= 0 && node[a] < b->nvert);
      b->vert_item0[node[a] + 1]++;
      for (int c = 0; c <= a; c++) {
        at[k] = pl_pattern_find(col0, row, node[a], node[c]);
        assert(at[k] >= 0);
        b->laplace[at[k]] += p->volume[t] * v3_dot(v3_load(p->grad + 3 * (4 * (size_t)t + (size_t)a)),
                                                   v3_load(p->grad + 3 * (4 * (size_t)t + (size_t)c)));
        b->block_item0[at[k++] + 1]++;
      }
    }
  for (int i = 0; ok && i < b->nblock; i++)
    next[i] = b->block_item0[i], b->block_item0[i + 1] += b->block_item0[i];
  k = 0;
  for (int t = 0; ok && t < b->ntet; t++)
    for (int a = 0; a < 4; a++)
      for (int c = 0; c <= a; c++) b->block_item[next[at[k++]]++] = 16 * t + 4 * a + c;
  for (int i = 0; ok && i < b->nvert; i++)
    next[i] = b->vert_item0[i], b->vert_item0[i + 1] += b->vert_item0[i];
  for (int i = 0; ok && i < 4 * b->ntet; i++) b->vert_item[next[p->node[i]]++] = i;
  // each list ends where the next begins: as many as were counted
  assert(!ok || (b->block_item0[b->nblock] == 10 * b->ntet && b->vert_item0[b->nvert] == 4 * b->ntet));
  pl_free(at), pl_free(next);
  return ok;
}

plStatus pl_lanes_create(const plPoints* p, const int* col0, const int* row, plLanes** batch,
                         plError* error) {
  *batch = NULL;
  plLanes* b = PL_NEW(plLanes, 1);
  if (!b) return pl_fail_out_of_memory(error, sizeof *b);
  b->nvert = p->nnode, b->ntet = p->npoint, b->nblock = col0[p->nnode];
  b->nbatch = (p->npoint + PL_LANES - 1) / PL_LANES;
  b->plane = p->plane_strain ? 1 : 0;
  assert(p->node0[p->npoint] == 4 * p->npoint && b->nvert <= b->nblock);  // stencils of four nodes
  size_t lanes = PL_LANES * (size_t)b->nbatch;
  b->vert = PL_NEW(int, 4 * lanes);
  b->grad = PL_NEW(double, 9 * lanes);
  b->volume = PL_NEW(double, lanes);
  b->root = PL_NEW(double, lanes);
  b->block_item0 = PL_NEW(int, (size_t)b->nblock + 1);
  b->block_item = PL_NEW(int, 10 * (size_t)b->ntet);
  b->laplace = PL_NEW(double, b->nblock);
  b->vert_item0 = PL_NEW(int, (size_t)b->nvert + 1);
  b->vert_item = PL_NEW(int, 4 * (size_t)b->ntet);
  if (!b->vert || !b->grad || !b->volume || !b->root || !b->block_item0 || !b->block_item || !b->laplace ||
      !b->vert_item0 || !b->vert_item || !list_items(b, p, col0, row)) {
    pl_lanes_destroy(b);
    return pl_fail_out_of_memory(error, 200 * lanes);
  }
  fill_lanes(b, p);
  *batch = b;
  return PL_OK;
}

void pl_lanes_destroy(plLanes* b) {
  if (!b) return;
  pl_free(b->vert), pl_free(b->grad), pl_free(b->volume), pl_free(b->root), pl_free(b->block_item0);
  pl_free(b->block_item), pl_free(b->laplace), pl_free(b->vert_item0), pl_free(b->vert_item);
  pl_free(b);
}

plLanesWork* pl_lanes_work_create(const plLanes* b, const plLaw* law) {
  size_t lanes = PL_LANES * (size_t)b->nbatch;
  plLanesWork* w = PL_NEW(plLanesWork, 1);
  if (!w) return NULL;
  w->mu = law->mu, w->lambda = law->lambda;
  w->x = PL_NEW(double, 4 * (size_t)b->nvert);
  w->F = PL_NEW(double, 9 * lanes);
  w->R = PL_NEW(double, 9 * lanes);
  w->h = PL_NEW(double, 16 * lanes);
  w->f = PL_NEW(double, 16 * lanes);
  w->energy = PL_NEW(double, lanes);
  w->theta = PL_NEW(double, lanes);
  w->pi = PL_NEW(double, lanes);
  if (!w->x || !w->F || !w->R || !w->h || !w->f || !w->energy || !w->theta || !w->pi) {
    pl_lanes_work_destroy(w);
    return NULL;
  }
  // R = I, h = sqrt(V) g
  for (size_t t = 0; t < lanes; t++) {
    const double* grad = b->grad + 9 * PL_LANES * (t / PL_LANES) + t % PL_LANES;
    for (size_t i = 0; i < 3; i++) {
      w->R[9 * PL_LANES * (t / PL_LANES) + 4 * PL_LANES * i + t % PL_LANES] = 1;
      for (size_t a = 0; a < 3; a++) {
        double h = b->root[t] * grad[PL_LANES * (3 * a + i)];
        w->h[16 * t + 4 * (a + 1) + i] = h;
        w->h[16 * t + i] -= h;
      }
    }
  }
  return w;
}

void pl_lanes_work_destroy(plLanesWork* w) {
  if (!w) return;
  pl_free(w->x), pl_free(w->F), pl_free(w->R), pl_free(w->h), pl_free(w->f);
  pl_free(w->energy), pl_free(w->theta), pl_free(w->pi);
  pl_free(w);
}

// ---- loops over threads

typedef struct Loop {
  const plLanesKernels* kernels;
  const plLanes* batch;
  plLanesWork* work;
  const plLanesWork* fields;  // of blocks
  const double *x, *mass;
  double *f, *block, scale, tension_scale, mass_scale;
  plRotate rotate;
  bool stress;
} Loop;

static void pad_positions(void* context, int begin, int end, int worker) {
  (void)worker;
  Loop* l = context;
  for (int i = begin; i < end; i++)
    for (int c = 0; c < 3; c++) l->work->x[4 * (size_t)i + (size_t)c] = l->x[3 * (size_t)i + (size_t)c];
}

static void elements(void* context, int begin, int end, int worker) {
  (void)worker;
  Loop* l = context;
  l->kernels->elements(l->batch, l->work, begin, end, l->rotate, l->stress);
}

// f_i = sum of the corner forces at vertex i
static void gather_forces(void* context, int begin, int end, int worker) {
  (void)worker;
  Loop* l = context;
  for (int i = begin; i < end; i++) {
    plVec3 f = v3(0, 0, 0);
    for (int k = l->batch->vert_item0[i]; k < l->batch->vert_item0[i + 1]; k++)
      f = v3_add(f, v3_load(l->work->f + 4 * (size_t)l->batch->vert_item[k]));
    v3_store(l->f + 3 * (size_t)i, f);
  }
}

static void blocks(void* context, int begin, int end, int worker) {
  (void)worker;
  Loop* l = context;
  l->kernels->blocks(l->batch, l->fields, l->scale, l->tension_scale, l->mass, l->mass_scale, l->block, begin,
                     end);
}

static void run_elements(const plLanesKernels* kernels, const plLanes* batch, plLanesWork* work,
                         const double* x, plRotate rotate, double* f, plPool* pool) {
  Loop loop = {.kernels = kernels,
               .batch = batch,
               .work = work,
               .x = x,
               .f = f,
               .rotate = rotate,
               .stress = f != NULL};
  pl_parallel_for(pool, batch->nvert, 2048, pad_positions, &loop);
  pl_parallel_for(pool, batch->nbatch, 64, elements, &loop);
  if (f) pl_parallel_for(pool, batch->nvert, 512, gather_forces, &loop);
}

void pl_lanes_freeze(const plLanes* batch, plLanesWork* work, const double* x, plPool* pool) {
  run_elements(pl_lanes_kernels(pl_isa()), batch, work, x, PL_ROTATE_FREEZE, NULL, pool);
}

void pl_lanes_energy(const plLanes* batch, plLanesWork* work, const double* x, plPool* pool) {
  run_elements(pl_lanes_kernels(pl_isa()), batch, work, x, PL_ROTATE_MEASURE, NULL, pool);
}

void pl_lanes_deform(const plLanes* batch, plLanesWork* work, const double* x, plPool* pool) {
  run_elements(pl_lanes_kernels(pl_isa()), batch, work, x, PL_ROTATE_NOT, NULL, pool);
}

void pl_lanes_force(const plLanes* batch, plLanesWork* work, const double* x, double* f, plPool* pool) {
  run_elements(pl_lanes_kernels(pl_isa()), batch, work, x, PL_ROTATE_NOT, f, pool);
}

void pl_lanes_stiffness(const plLanes* batch, const plLanesWork* work, double scale, double tension_scale,
                        const double* mass, double mass_scale, double* block, plPool* pool) {
  Loop loop = {.kernels = pl_lanes_kernels(pl_isa()),
               .batch = batch,
               .fields = work,
               .scale = scale,
               .tension_scale = tension_scale,
               .mass = mass,
               .mass_scale = mass_scale,
               .block = block};
  pl_parallel_for(pool, batch->nblock, 512, blocks, &loop);
}

void pl_lanes_whole(const plLanesKernels* kernels, const plLanes* batch, plLanesWork* work, const double* x,
                    double* f, double* block, plPool* pool) {
  run_elements(kernels, batch, work, x, PL_ROTATE_FREEZE, f, pool);
  Loop loop = {
      .kernels = kernels, .batch = batch, .fields = work, .scale = 1, .tension_scale = 1, .block = block};
  pl_parallel_for(pool, batch->nblock, 512, blocks, &loop);
}

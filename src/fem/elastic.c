// elastic.c: energy, forces and stiffness over tables of points (see elastic.h): the general path, for every
// element and law.
//
// Points and groups are items; an item with m nodes has m (m + 1) / 2 blocks. One thread makes a chunk of
// items: they write their blocks into scratch memory that stays in its cache, and each block of the matrix
// adds up those that belong to it, in the order of the items. Blocks to which several chunks add get a sum
// from each; these are added in the order of the chunks, in parallel over blocks. Forces are gathered per
// node from the points' stresses. elastic_tables.c makes the index tables.
#include "fem/elastic.h"

#include <assert.h>
#include <string.h>

#include "fem/lanes.h"
#include "fem/elastic_parts.h"
#include "fem/spectral.h"
#include "math/polar.h"

enum { GRAIN = 64, BATCH = 8 };

typedef struct Loop {
  const plSpectralKernels* kernels;
  const plElastic* e;
  plElasticWork* w;
  const double* x;
  double* f;
  double* block;
  plTangent tangent;
  double scale, tension_scale;
  const double* mass;
  double mass_scale;
  bool fresh;       // block holds nothing yet
  int chunk;        // the first one of this loop
  bool per_worker;  // scratch memory belongs to a worker, else to a chunk of the loop
} Loop;

static plMat3 load(const double* m) {
  plMat3 a;
  memcpy(a.m, m, sizeof a.m);
  return a;
}

static void store(double* m, plMat3 a) { memcpy(m, a.m, sizeof a.m); }

// The frozen rotation of point q; batches store theirs in lanes.
static plMat3 rotation(const plElastic* e, const plElasticWork* w, int q) {
  if (!e->batch) return load(w->R0 + 9 * (size_t)q);
  const double* R = w->batch->R + 9 * PL_LANES * (size_t)(q / PL_LANES) + q % PL_LANES;
  plMat3 A;
  for (int i = 0; i < 9; i++) A.m[i] = R[PL_LANES * i];
  return A;
}

// pass 1: F, energy and volume change of each point
static void deform_points(void* context, int begin, int end, int worker) {
  (void)worker;
  Loop* l = context;
  plElasticWork* w = l->w;
  for (int q = begin; q < end; q++) {
    plMat3 F = pl_points_gradient(l->e->points, q, l->x);
    if (!l->e->batch) store(w->F + 9 * (size_t)q, F);
    w->energy[q] = l->e->points->volume[q] * pl_law_energy(&l->w->law, F, rotation(l->e, w, q), &w->theta[q]);
  }
}

// pi_g = kappa sum_q (V_q / V_g) theta_q
static void group_pressures(const plElastic* e, plElasticWork* w) {
  const plPoints* p = e->points;
  for (int g = 0; g < p->ngroup; g++) {
    double sum = 0;
    for (int k = p->group_point0[g]; k < p->group_point0[g + 1]; k++)
      sum += p->volume[p->group_point[k]] * w->theta[p->group_point[k]];
    w->pi[g] = w->law.kappa * sum / p->group_volume[g];
  }
}

static void deform(const plElastic* e, plElasticWork* w, const double* x, plPool* pool) {
  Loop loop = {.e = e, .w = w, .x = x};
  size_t size = 3 * (size_t)e->points->nnode * sizeof *x;
  if (w->deformed && !memcmp(x, w->last_x, size)) return;
  w->deformed = !pl_law_is_linear(e->kind), w->stressed = w->forced = false;
  if (w->deformed) memcpy(w->last_x, x, size);
  pl_parallel_for(pool, e->points->npoint, GRAIN, deform_points, &loop);
  if (w->law.kappa != 0) group_pressures(e, w);
}

// The energies of points and groups, in order.
static double sum_energies(const plElastic* e, const plElasticWork* w) {
  double sum = 0;
  for (int q = 0; q < e->points->npoint; q++) sum += w->energy[q];
  // V_g kappa/2 tb^2 = V_g pi^2 / (2 kappa)
  for (int g = 0; w->law.kappa != 0 && g < e->points->ngroup; g++)
    sum += e->points->group_volume[g] * w->pi[g] * w->pi[g] / (2 * w->law.kappa);
  return isfinite(sum) ? sum : INFINITY;
}

static double layers_energy(const plElastic* e, const plElasticWork* w, const double* x) {
  return e->layers ? pl_layers_energy(e->layers, w->law.mu, x) : 0;
}

static void freeze_points(void* context, int begin, int end, int worker) {
  (void)worker;
  Loop* l = context;
  plElasticWork* w = l->w;
  for (int q = begin; q < end; q++) {
    plMat3 F = pl_points_gradient(l->e->points, q, l->x), R = pl_polar(F);
    store(w->R0 + 9 * (size_t)q, R);
    w->energy[q] = l->e->points->volume[q] * pl_law_energy(&l->w->law, F, R, &w->theta[q]);
    w->tension[q] = pl_linear_tension(&l->w->law, F, R, 0);
  }
}

// t including the groups' pressures, once rotations are frozen at x.
static void tension_groups(const plElastic* e, plElasticWork* w, const double* x) {
  const plPoints* p = e->points;
  for (int q = 0; q < p->npoint; q++) {
    double* t = e->batch ? w->batch->h + 16 * (size_t)q + 3 : w->tension + q;
    *t = pl_linear_tension(&w->law, pl_points_gradient(p, q, x), rotation(e, w, q), w->pi[p->group[q]]);
  }
}

void pl_elastic_freeze(const plElastic* e, plElasticWork* w, const double* x, plPool* pool) {
  size_t size = 3 * (size_t)e->points->nnode * sizeof *x;
  if (e->kind != PL_MATERIAL_LINEAR_COROTATED || (w->frozen && !memcmp(x, w->frozen_x, size))) return;
  Loop loop = {.e = e, .w = w, .x = x};
  if (e->batch) {
    pl_lanes_freeze(e->batch, w->batch, x, pool);
    memcpy(w->energy, w->batch->energy, (size_t)e->points->npoint * sizeof(double));
    memcpy(w->theta, w->batch->theta, (size_t)e->points->npoint * sizeof(double));
  } else {
    pl_parallel_for(pool, e->points->npoint, GRAIN, freeze_points, &loop);
  }
  if (w->law.kappa != 0) group_pressures(e, w), tension_groups(e, w, x);
  memcpy(w->frozen_x, x, size);
  w->frozen_energy = sum_energies(e, w) + layers_energy(e, w, x);
  w->frozen = true;
}

double pl_elastic_energy(const plElastic* e, plElasticWork* w, const double* x, plPool* pool) {
  deform(e, w, x, pool);
  return sum_energies(e, w) + layers_energy(e, w, x);
}

// With the rotations at x, in lanes and without groups; the rotations stay frozen where they are.
static double lanes_energy(const plElastic* e, plElasticWork* w, const double* x, plPool* pool) {
  pl_lanes_energy(e->batch, w->batch, x, pool);
  memcpy(w->energy, w->batch->energy, (size_t)e->points->npoint * sizeof(double));
  return sum_energies(e, w) + layers_energy(e, w, x);
}

double pl_elastic_own_energy(const plElastic* e, plElasticWork* w, const double* x, bool freeze,
                             plPool* pool) {
  size_t size = 3 * (size_t)e->points->nnode * sizeof *x;
  bool corotated = e->kind == PL_MATERIAL_LINEAR_COROTATED;
  if (w->owned && !memcmp(x, w->own_x, size)) return w->own_energy;
  if (corotated && !freeze && e->batch && w->law.kappa == 0) {
    w->own_energy = lanes_energy(e, w, x, pool);
  } else {
    pl_elastic_freeze(e, w, x, pool);
    w->own_energy = corotated ? w->frozen_energy : pl_elastic_energy(e, w, x, pool);
  }
  memcpy(w->own_x, x, size);
  w->owned = true;
  return w->own_energy;
}

// pass 2: V P of each point
static void stress_points(void* context, int begin, int end, int worker) {
  (void)worker;
  Loop* l = context;
  const plPoints* p = l->e->points;
  plElasticWork* w = l->w;
  for (int q = begin; q < end; q++) {
    plMat3 dtheta;
    bool grouped = l->w->law.kappa != 0;
    plMat3 P = pl_law_stress(&l->w->law, load(w->F + 9 * (size_t)q), load(w->R0 + 9 * (size_t)q),
                             grouped ? w->pi[p->group[q]] : 0, &dtheta);
    store(w->stress + 9 * (size_t)q, m3_scale(p->volume[q], P));
    if (grouped) store(w->dtheta + 9 * (size_t)q, dtheta);
  }
}

// f_a = -sum_q V P g_a, over the entries of node a
static void gather_forces(void* context, int begin, int end, int worker) {
  (void)worker;
  Loop* l = context;
  const plElastic* e = l->e;
  for (int i = begin; i < end; i++) {
    plVec3 f = v3(0, 0, 0);
    for (int k = e->node_entry0[i]; k < e->node_entry0[i + 1]; k++) {
      int entry = e->node_entry[k];
      plMat3 P = load(l->w->stress + 9 * (size_t)e->entry_point[entry]);
      f = v3_sub(f, m3_mulv(P, v3_load(e->points->grad + 3 * (size_t)entry)));
    }
    v3_store(l->f + 3 * (size_t)i, f);
  }
}

// After deform: stresses, and forces if wanted.
static void forces(const plElastic* e, plElasticWork* w, double* f, plPool* pool) {
  size_t size = 3 * (size_t)e->points->nnode * sizeof *f;
  bool keep = w->deformed;
  Loop loop = {.e = e, .w = w, .f = keep ? w->force : f};
  if ((f || w->law.kappa != 0) && !w->stressed)
    pl_parallel_for(pool, e->points->npoint, GRAIN, stress_points, &loop), w->stressed = keep;
  if (f && !w->forced) pl_parallel_for(pool, e->points->nnode, GRAIN, gather_forces, &loop), w->forced = keep;
  if (f && keep) memcpy(f, w->force, size);
}

// f of batches: first the groups' pressures, each tet's in its lane.
static void batch_forces(const plElastic* e, plElasticWork* w, const double* x, double* f, plPool* pool) {
  if (w->law.kappa != 0) deform(e, w, x, pool);
  for (int q = 0; w->law.kappa != 0 && q < e->points->npoint; q++)
    w->batch->pi[q] = w->pi[e->points->group[q]];
  pl_lanes_force(e->batch, w->batch, x, f, pool);
}

void pl_elastic_force(const plElastic* e, plElasticWork* w, const double* x, double* f, plPool* pool) {
  if (e->batch)
    batch_forces(e, w, x, f, pool);
  else
    deform(e, w, x, pool), forces(e, w, f, pool);
  if (e->layers) pl_layers_add_force(e->layers, w->law.mu, x, f);
}

// theta' of point q of a group
static plMat3 volume_gradient(const plElastic* e, const plElasticWork* w, int q) {
  return e->batch ? rotation(e, w, q) : load(w->dtheta + 9 * (size_t)q);
}

// Blocks of a group: kappa V_g b_a b_c', b_a = sum_q (V_q / V_g) theta'_q g_a.
static void group_blocks(const Loop* l, int g, double* slot) {
  const plElastic* e = l->e;
  const plPoints* p = e->points;
  int m = p->group_node0[g + 1] - p->group_node0[g];
  for (int i = 0; i < 9 * m * (m + 1) / 2; i++) slot[i] = 0;
  for (int k = p->group_point0[g]; k < p->group_point0[g + 1]; k++) {
    int q = p->group_point[k];
    plMat3 T = m3_scale(p->volume[q] / p->group_volume[g], volume_gradient(e, l->w, q));
    for (int entry = p->node0[q]; entry < p->node0[q + 1]; entry++) {
      // b_a is stored in the first column of the diagonal block (a, a)
      int a = p->group_place[entry];
      assert(a >= 0 && a < m);
      double* b = slot + 9 * (a * (a + 1) / 2 + a);
      v3_store(b, v3_add(v3_load(b), m3_mulv(T, v3_load(p->grad + 3 * (size_t)entry))));
    }
  }
  double scale = l->scale * l->w->law.kappa * p->group_volume[g];
  for (int a = m - 1; a >= 0; a--) {
    plVec3 ba = v3_load(slot + 9 * (a * (a + 1) / 2 + a));
    for (int c = 0; c <= a; c++) {
      plVec3 bc = v3_load(slot + 9 * (c * (c + 1) / 2 + c));
      store(slot + 9 * (a * (a + 1) / 2 + c), m3_scale(scale, m3_outer(ba, bc)));
    }
  }
}

// H of n points from first on. Singular values in lanes are used for the projection, and for laws that need
// them anyway.
static void point_tangents(const Loop* l, int first, int n, double* H) {
  const plPoints* p = l->e->points;
  const plElasticWork* w = l->w;
  plMaterialKind kind = l->w->law.kind;
  bool grouped = l->w->law.kappa != 0;
  double pi[BATCH] = {0};
  for (int k = 0; grouped && k < n; k++) pi[k] = w->pi[p->group[first + k]];
  if (pl_law_is_batched(kind, l->tangent)) {
    l->kernels->tangents(&l->w->law, l->tangent, n, w->F + 9 * (size_t)first, pi, H);
    return;
  }
  for (int k = 0; k < n; k++)
    pl_law_tangent(&l->w->law, load(w->F + 9 * (size_t)(first + k)), load(w->R0 + 9 * (size_t)(first + k)),
                   pi[k], l->tangent, H + 81 * k);
  // dP = t dF
  for (int k = 0; l->tension_scale != 0 && k < n; k++)
    for (int i = 0; i < 81; i += 10) H[81 * k + i] += l->tension_scale / l->scale * w->tension[first + k];
}

// y_a += scale sum_q V t dF g_a, dF = sum x_a g_a'
void pl_elastic_add_tension(const plElastic* e, const plElasticWork* w, const double* x, double scale,
                            double* y) {
  const plPoints* p = e->points;
  if (w->law.kind != PL_MATERIAL_LINEAR_COROTATED) return;
  for (int q = 0; q < p->npoint; q++) {
    double t = scale * p->volume[q] * (e->batch ? w->batch->h[16 * (size_t)q + 3] : w->tension[q]);
    plMat3 dF = m3_zero();
    for (int k = p->node0[q]; k < p->node0[q + 1]; k++)
      dF = m3_add(dF, m3_outer(v3_load(x + 3 * (size_t)p->node[k]), v3_load(p->grad + 3 * (size_t)k)));
    for (int k = p->node0[q]; k < p->node0[q + 1]; k++) {
      double* ya = y + 3 * (size_t)p->node[k];
      v3_store(ya, v3_madd(v3_load(ya), t, m3_mulv(dF, v3_load(p->grad + 3 * (size_t)k))));
    }
  }
}

// Whether n points from first on have the same number of nodes, not too many, and consecutive slots.
static bool are_alike(const plElastic* e, int first, int n) {
  const plPoints* p = e->points;
  int m = p->node0[first + 1] - p->node0[first];
  for (int i = first + 1; i < first + n; i++)
    if (p->node0[i + 1] - p->node0[i] != m || e->item_slot0[i] - e->item_slot0[i - 1] != m * (m + 1) / 2)
      return false;
  return m <= 10;
}

// The slots of an item.
static double* slots_of(const Loop* l, double* scratch, int item) {
  assert(l->e->item_slot0[item] < l->e->max_slots);
  return scratch + 9 * (size_t)l->e->item_slot0[item];
}

// Blocks of n points of a chunk from first on.
static void point_blocks(const Loop* l, double* scratch, int first, int n) {
  const plElastic* e = l->e;
  const plPoints* p = e->points;
  const plElasticWork* w = l->w;
  int m = p->node0[first + 1] - p->node0[first];
  double H[81 * BATCH], pi[BATCH] = {0}, scale[BATCH];
  if (pl_spectral_has_pairs(w->law.kind, l->tangent) && are_alike(e, first, n)) {
    const double *F = w->F + 9 * (size_t)first, *grad = p->grad + 3 * (size_t)p->node0[first];
    double* slots = slots_of(l, scratch, first);
    for (int k = 0; k < n; k++) {
      scale[k] = l->scale * p->volume[first + k];
      if (w->law.kappa != 0) pi[k] = w->pi[p->group[first + k]];
    }
    if (l->tangent == PL_TANGENT_VISCOUS) {
      double T[9 * BATCH];
      for (int k = 0; k < n; k++)
        store(T + 9 * k, pl_law_volume_gradient(&w->law, load(F + 9 * k), m3_identity()));
      l->kernels->viscous_pairs(&w->law, n, m, F, T, grad, scale, slots);
    } else {
      l->kernels->pairs(&w->law, n, m, F, pi, grad, scale, slots);
    }
    return;
  }
  point_tangents(l, first, n, H);
  for (int i = first; i < first + n; i++)
    l->kernels->blocks(p->node0[i + 1] - p->node0[i], p->grad + 3 * (size_t)p->node0[i],
                       l->scale * p->volume[i], H + 81 * (i - first), slots_of(l, scratch, i));
}

static void item_blocks(const Loop* l, double* scratch, int chunk) {
  const plPoints* p = l->e->points;
  int end = l->e->chunk_item0[chunk + 1];
  for (int first = l->e->chunk_item0[chunk]; first < end; first += BATCH) {
    int last = end - first > BATCH ? first + BATCH : end,
        npoint = (last < p->npoint ? last : p->npoint) - first;
    if (npoint > 0) point_blocks(l, scratch, first, npoint);
    for (int i = first + (npoint > 0 ? npoint : 0); i < last; i++)
      group_blocks(l, i - p->npoint, slots_of(l, scratch, i));
  }
}

// The value of block k before items add to it.
static inline void start_block(const Loop* l, int k, double* sum) {
  if (!l->fresh) {
    memcpy(sum, l->block + 9 * (size_t)k, 9 * sizeof *sum);
    return;
  }
  double mass = l->mass ? l->mass_scale * l->mass[k] : 0;
  for (int i = 0; i < 9; i++) sum[i] = i % 4 ? 0 : mass;
}

static void gather_blocks(const Loop* l, const double* scratch, int chunk) {
  const plElastic* e = l->e;
  for (int t = e->chunk_target0[chunk]; t < e->chunk_target0[chunk + 1]; t++) {
    int part = e->target_part[t];
    double sum[9] = {0};
    if (part < 0) start_block(l, e->target_block[t], sum);
    for (int s = e->target_slot0[t]; s < e->target_slot0[t + 1]; s++) {
      const double* slot = scratch + 9 * (size_t)e->target_slot[s];
      for (int i = 0; i < 9; i++) sum[i] += slot[i];
    }
    memcpy(part < 0 ? l->block + 9 * (size_t)e->target_block[t] : l->w->part + 9 * (size_t)part, sum,
           sizeof sum);
  }
}

static void make_chunks(void* context, int begin, int end, int worker) {
  const Loop* l = context;
  for (int k = begin; k < end; k++) {
    double* scratch = l->w->scratch + 9 * (size_t)l->e->max_slots * (size_t)(l->per_worker ? worker : k);
    item_blocks(l, scratch, l->chunk + k);
    gather_blocks(l, scratch, l->chunk + k);
  }
}

// Blocks to which several chunks add.
static void add_parts(void* context, int begin, int end, int worker) {
  (void)worker;
  const Loop* l = context;
  const plElastic* e = l->e;
  for (int n = begin; n < end; n++) {
    double sum[9];
    start_block(l, e->shared_block[n], sum);
    for (int k = e->shared_part0[n]; k < e->shared_part0[n + 1]; k++) {
      const double* part = l->w->part + 9 * (size_t)e->shared_part[k];
      for (int i = 0; i < 9; i++) sum[i] += part[i];
    }
    memcpy(l->block + 9 * (size_t)e->shared_block[n], sum, sizeof sum);
  }
}

// All items, or only the groups if there are batches.
static void add_items(Loop* l, plPool* pool) {
  const plElastic* e = l->e;
  int areas = pl_elastic_areas(e), n = e->nchunk;
  l->per_worker = pl_pool_size(pool) <= areas;
  if (!l->per_worker) n = areas;
  for (l->chunk = 0; l->chunk < e->nchunk; l->chunk += n)
    pl_parallel_for(pool, e->nchunk - l->chunk < n ? e->nchunk - l->chunk : n, 1, make_chunks, l);
  pl_parallel_for(pool, e->nshared, GRAIN, add_parts, l);
}

void pl_elastic_stiffness(const plElastic* e, plElasticWork* w, const double* x, plTangent tangent,
                          double scale, double tension_scale, const double* mass, double mass_scale,
                          double* block, double* f, plPool* pool) {
  Loop loop = {.e = e,
               .w = w,
               .block = block,
               .tangent = tangent,
               .scale = scale,
               .tension_scale = tension_scale,
               .mass = mass,
               .mass_scale = mass_scale,
               .fresh = !e->batch,
               .kernels = pl_spectral_kernels(pl_isa())};
  if (e->batch) {
    if (f) batch_forces(e, w, x, f, pool);
    pl_lanes_stiffness(e->batch, w->batch, scale, tension_scale, mass, mass_scale, block, pool);
  } else {
    deform(e, w, x, pool);
    forces(e, w, f, pool);
  }
  if (e->layers && f) pl_layers_add_force(e->layers, w->law.mu, x, f);
  add_items(&loop, pool);
  if (e->layers) pl_layers_add_stiffness(e->layers, w->law.mu, scale, block);
}

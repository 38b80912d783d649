// elastic.c: energy, forces and stiffness over tables of points (see elastic.h): the general path, for every
// element and law.
//
// Points and groups are items; an item of m nodes has m (m + 1) / 2 blocks. A chunk of items writes its
// blocks side by side into scratch memory that fits a cache, in parallel over items; then each block of the
// matrix sums its own, in parallel over blocks, in the order of the items. Forces are gathered per node from
// the points' stresses in the same way.
#include "fem/elastic.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "fem/batch.h"
#include "fem/mass.h"
#include "fem/spectral.h"
#include "math/polar.h"

enum { CHUNK_BLOCKS = 8192, GRAIN = 64, BATCH = 8 };

struct plElastic {
  const plPoints* points;
  plLaw law;
  plBatch* batch;    // linear tetrahedra: the fast path; NULL: all of the following
  int nblock;        // of the matrix
  int item0, nitem;  // points, then groups; batches leave the groups alone to the items, from item0 on
  // forces: entries of the stencils by node
  int* node_entry0;  // [nnode + 1]
  int* node_entry;   // [node0[npoint]]
  int* entry_point;  // [node0[npoint]]
  // blocks: chunks of items, the matrix blocks each one touches, and their scratch slots
  int nchunk;
  int* chunk_item0;    // [nchunk + 1]
  int* chunk_target0;  // [nchunk + 1]
  int* item_slot0;     // [nitem] first slot of an item, counted within its chunk
  int* target_block;   // [targets] block of the matrix
  int* target_slot0;   // [targets + 1]
  int* target_slot;    // [slots]
  int max_slots;       // of a chunk
};

struct plElasticWork {
  plBatchWork* batch;  // or NULL, and then all of the following
  double* F;           // [9 npoint]
  double* R0;          // [9 npoint]
  double* energy;      // [npoint] V W
  double* theta;       // [npoint]
  double* stress;      // [9 npoint] V P
  double* dtheta;      // [9 npoint] only with groups
  double* pi;          // [ngroup]
  double* scratch;     // [9 max_slots]
};

// ---- tables

static int item_nodes(const plPoints* p, int item, const int** node) {
  if (item < p->npoint) {
    *node = p->node + p->node0[item];
    return p->node0[item + 1] - p->node0[item];
  }
  int g = item - p->npoint;
  *node = p->group_node + p->group_node0[g];
  return p->group_node0[g + 1] - p->group_node0[g];
}

plStatus pl_elastic_couplings(const plPoints* p, int* nelement, int** start, int** node, plError* error) {
  // a group's nodes hold those of its points
  int n = p->ngroup ? p->ngroup : p->npoint;
  const int *from0 = p->ngroup ? p->group_node0 : p->node0, *from = p->ngroup ? p->group_node : p->node;
  *nelement = n;
  *start = PL_NEW(int, (size_t)n + 1);
  *node = PL_NEW(int, from0[n]);
  if (!*start || !*node) {
    pl_free(*start), pl_free(*node);
    return pl_fail_out_of_memory(error, 4 * (size_t)from0[n]);
  }
  memcpy(*start, from0, ((size_t)n + 1) * sizeof(int));
  memcpy(*node, from, (size_t)from0[n] * sizeof(int));
  return PL_OK;
}

static bool entries_by_node(plElastic* e) {
  const plPoints* p = e->points;
  int nentry = p->node0[p->npoint];
  e->node_entry0 = PL_NEW(int, (size_t)p->nnode + 1);
  e->node_entry = PL_NEW(int, nentry);
  e->entry_point = PL_NEW(int, nentry);
  int* next = PL_NEW(int, p->nnode);
  bool ok = e->node_entry0 && e->node_entry && e->entry_point && next;
  for (int k = 0; ok && k < nentry; k++) e->node_entry0[p->node[k] + 1]++;
  for (int i = 0; ok && i < p->nnode; i++)
    next[i] = e->node_entry0[i], e->node_entry0[i + 1] += e->node_entry0[i];
  for (int q = 0; ok && q < p->npoint; q++)
    for (int k = p->node0[q]; k < p->node0[q + 1]; k++)
      e->entry_point[k] = q, e->node_entry[next[p->node[k]]++] = k;
  pl_free(next);
  return ok;
}

// Cuts the items into chunks; returns the number of slots of all chunks together.
static size_t cut_chunks(plElastic* e) {
  size_t total = 0;
  int slots = 0;
  e->nchunk = 0;
  for (int i = e->item0; i < e->nitem; i++) {
    const int* node;
    int m = item_nodes(e->points, i, &node), pairs = m * (m + 1) / 2;
    if (i == e->item0 || slots + pairs > CHUNK_BLOCKS) {
      e->chunk_item0[e->nchunk++] = i;
      slots = 0;
    }
    e->item_slot0[i] = slots;
    slots += pairs;
    total += (size_t)pairs;
    if (slots > e->max_slots) e->max_slots = slots;
  }
  e->chunk_item0[e->nchunk] = e->nitem;
  return total;
}

// For one chunk: its distinct blocks, and the slots that add to each, in the order of the items. Returns the
// end of the targets.
static int list_targets(plElastic* e, int chunk, const int* col0, const int* row, int* target_of,
                        int* target_of_slot, int* next) {
  int first = e->chunk_target0[chunk], ntarget = first, nslot = 0;
  for (int i = e->chunk_item0[chunk]; i < e->chunk_item0[chunk + 1]; i++) {
    const int* node;
    int m = item_nodes(e->points, i, &node);
    for (int a = 0; a < m; a++)
      for (int b = 0; b <= a; b++) {
        int block = pl_pattern_find(col0, row, node[a], node[b]);
        assert(block >= 0);
        if (target_of[block] < first) {
          e->target_block[ntarget] = block;
          target_of[block] = ntarget++;
        }
        target_of_slot[nslot++] = target_of[block];
        e->target_slot0[target_of[block] + 1]++;
      }
  }
  for (int t = first; t < ntarget; t++) {
    next[t - first] = e->target_slot0[t];
    e->target_slot0[t + 1] += e->target_slot0[t];
  }
  for (int k = 0; k < nslot; k++) e->target_slot[next[target_of_slot[k] - first]++] = k;
  return ntarget;
}

static plStatus make_blocks(plElastic* e, const int* col0, const int* row, plError* error) {
  const plPoints* p = e->points;
  e->item0 = e->batch ? p->npoint : 0;
  e->nitem = p->npoint + (e->law.kappa != 0 ? p->ngroup : 0);
  e->nblock = col0[p->nnode];
  e->chunk_item0 = PL_NEW(int, (size_t)e->nitem + 1);
  e->chunk_target0 = PL_NEW(int, (size_t)e->nitem + 1);
  e->item_slot0 = PL_NEW(int, e->nitem);
  size_t total = e->chunk_item0 && e->item_slot0 ? cut_chunks(e) : 0;
  e->target_block = PL_NEW(int, total);
  e->target_slot0 = PL_NEW(int, total + 1);
  e->target_slot = PL_NEW(int, total);
  int *target_of = PL_NEW(int, e->nblock), *target_of_slot = PL_NEW(int, e->max_slots),
      *next = PL_NEW(int, e->max_slots);
  bool ok = e->chunk_item0 && e->chunk_target0 && e->item_slot0 && e->target_block && e->target_slot0 &&
            e->target_slot && target_of && target_of_slot && next;
  for (int b = 0; ok && b < e->nblock; b++) target_of[b] = -1;
  for (int c = 0; ok && c < e->nchunk; c++)
    e->chunk_target0[c + 1] = list_targets(e, c, col0, row, target_of, target_of_slot, next);
  pl_free(target_of), pl_free(target_of_slot), pl_free(next);
  return ok ? PL_OK : pl_fail_out_of_memory(error, 12 * total);
}

// Linear laws on stencils of four nodes go in batches; groups are added to them.
static bool can_batch(const plElastic* e) {
  const plPoints* p = e->points;
  bool four = pl_law_is_linear(e->law.kind);
  for (int q = 0; four && q < p->npoint; q++) four = p->node0[q + 1] - p->node0[q] == 4;
  return four;
}

static plStatus make_tables(plElastic* e, const int* col0, const int* row, plError* error) {
  plStatus status = PL_OK;
  if (can_batch(e))
    status = pl_batch_create(e->points, &e->law, col0, row, &e->batch, error);
  else if (!entries_by_node(e))
    status = pl_fail_out_of_memory(error, 12 * (size_t)e->points->nnode);
  return status || (e->batch && e->law.kappa == 0) ? status : make_blocks(e, col0, row, error);
}

plStatus pl_elastic_create(const plPoints* points, plLaw law, const int* col0, const int* row,
                           plElastic** elastic, plError* error) {
  *elastic = NULL;
  plElastic* e = PL_NEW(plElastic, 1);
  if (!e) return pl_fail_out_of_memory(error, sizeof *e);
  e->points = points, e->law = law;
  if (points->ngroup == 0) e->law.kappa = 0;
  plStatus status = make_tables(e, col0, row, error);
  if (status)
    pl_elastic_destroy(e);
  else
    *elastic = e;
  return status;
}

void pl_elastic_destroy(plElastic* e) {
  if (!e) return;
  pl_batch_destroy(e->batch);
  pl_free(e->node_entry0), pl_free(e->node_entry), pl_free(e->entry_point);
  pl_free(e->chunk_item0), pl_free(e->chunk_target0), pl_free(e->item_slot0);
  pl_free(e->target_block), pl_free(e->target_slot0), pl_free(e->target_slot);
  pl_free(e);
}

plElasticWork* pl_elastic_work_create(const plElastic* e) {
  size_t npoint = (size_t)e->points->npoint, ngroup = (size_t)e->points->ngroup;
  plElasticWork* w = PL_NEW(plElasticWork, 1);
  if (!w) return NULL;
  w->energy = PL_NEW(double, npoint);
  w->theta = PL_NEW(double, npoint);
  w->pi = PL_NEW(double, ngroup);
  w->scratch = PL_NEW(double, 9 * (size_t)e->max_slots);
  if (e->batch) {
    w->batch = pl_batch_work_create(e->batch);
    if (w->energy && w->theta && w->pi && w->scratch && w->batch) return w;
    pl_elastic_work_destroy(w);
    return NULL;
  }
  w->F = PL_NEW(double, 9 * npoint);
  w->R0 = PL_NEW(double, 9 * npoint);
  w->stress = PL_NEW(double, 9 * npoint);
  w->dtheta = PL_NEW(double, ngroup ? 9 * npoint : 0);
  if (!w->F || !w->R0 || !w->energy || !w->theta || !w->stress || !w->dtheta || !w->pi || !w->scratch) {
    pl_elastic_work_destroy(w);
    return NULL;
  }
  for (size_t q = 0; q < npoint; q++) w->R0[9 * q] = w->R0[9 * q + 4] = w->R0[9 * q + 8] = 1;
  return w;
}

void pl_elastic_work_destroy(plElasticWork* w) {
  if (!w) return;
  pl_batch_work_destroy(w->batch);
  pl_free(w->F), pl_free(w->R0), pl_free(w->energy), pl_free(w->theta);
  pl_free(w->stress), pl_free(w->dtheta), pl_free(w->pi), pl_free(w->scratch);
  pl_free(w);
}

const double* pl_elastic_pressure(const plElasticWork* work) { return work->pi; }

// ---- loops

typedef struct Loop {
  const plSpectralKernels* kernels;
  const plElastic* e;
  plElasticWork* w;
  const double* x;
  double* f;
  double* block;
  plTangent tangent;
  double scale;
  int chunk;
} Loop;

static plMat3 load(const double* m) {
  plMat3 a;
  memcpy(a.m, m, sizeof a.m);
  return a;
}

static void store(double* m, plMat3 a) { memcpy(m, a.m, sizeof a.m); }

// The frozen rotation of point q; batches keep theirs in lanes.
static plMat3 rotation(const plElastic* e, const plElasticWork* w, int q) {
  if (!e->batch) return load(w->R0 + 9 * (size_t)q);
  const double* R = w->batch->R + 9 * PL_LANES * (size_t)(q / PL_LANES) + q % PL_LANES;
  plMat3 A;
  for (int i = 0; i < 9; i++) A.m[i] = R[PL_LANES * i];
  return A;
}

static void freeze_points(void* context, int begin, int end, int worker) {
  (void)worker;
  Loop* l = context;
  for (int q = begin; q < end; q++)
    store(l->w->R0 + 9 * (size_t)q, pl_polar(pl_points_gradient(l->e->points, q, l->x)));
}

void pl_elastic_freeze(const plElastic* e, plElasticWork* w, const double* x, plPool* pool) {
  if (e->law.kind != PL_MATERIAL_LINEAR_COROTATED) return;
  Loop loop = {.e = e, .w = w, .x = x};
  if (e->batch)
    pl_batch_freeze(e->batch, w->batch, x, pool);
  else
    pl_parallel_for(pool, e->points->npoint, GRAIN, freeze_points, &loop);
}

// pass 1: F, energy and volume change of each point
static void deform_points(void* context, int begin, int end, int worker) {
  (void)worker;
  Loop* l = context;
  plElasticWork* w = l->w;
  for (int q = begin; q < end; q++) {
    plMat3 F = pl_points_gradient(l->e->points, q, l->x);
    if (!l->e->batch) store(w->F + 9 * (size_t)q, F);
    w->energy[q] = l->e->points->volume[q] * pl_law_energy(&l->e->law, F, rotation(l->e, w, q), &w->theta[q]);
  }
}

// pi_g = kappa sum_q (V_q / V_g) theta_q
static void group_pressures(const plElastic* e, plElasticWork* w) {
  const plPoints* p = e->points;
  for (int g = 0; g < p->ngroup; g++) {
    double sum = 0;
    for (int k = p->group_point0[g]; k < p->group_point0[g + 1]; k++)
      sum += p->volume[p->group_point[k]] * w->theta[p->group_point[k]];
    w->pi[g] = e->law.kappa * sum / p->group_volume[g];
  }
}

static void deform(const plElastic* e, plElasticWork* w, const double* x, plPool* pool) {
  Loop loop = {.e = e, .w = w, .x = x};
  pl_parallel_for(pool, e->points->npoint, GRAIN, deform_points, &loop);
  if (e->law.kappa != 0) group_pressures(e, w);
}

double pl_elastic_energy(const plElastic* e, plElasticWork* w, const double* x, plPool* pool) {
  deform(e, w, x, pool);
  double sum = 0;
  for (int q = 0; q < e->points->npoint; q++) sum += w->energy[q];
  // V_g kappa/2 tb^2 = V_g pi^2 / (2 kappa)
  for (int g = 0; e->law.kappa != 0 && g < e->points->ngroup; g++)
    sum += e->points->group_volume[g] * w->pi[g] * w->pi[g] / (2 * e->law.kappa);
  return isfinite(sum) ? sum : INFINITY;
}

// pass 2: V P of each point
static void stress_points(void* context, int begin, int end, int worker) {
  (void)worker;
  Loop* l = context;
  const plPoints* p = l->e->points;
  plElasticWork* w = l->w;
  for (int q = begin; q < end; q++) {
    plMat3 dtheta;
    bool grouped = l->e->law.kappa != 0;
    plMat3 P = pl_law_stress(&l->e->law, load(w->F + 9 * (size_t)q), load(w->R0 + 9 * (size_t)q),
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
  Loop loop = {.e = e, .w = w, .f = f};
  if (f || e->law.kappa != 0) pl_parallel_for(pool, e->points->npoint, GRAIN, stress_points, &loop);
  if (f) pl_parallel_for(pool, e->points->nnode, GRAIN, gather_forces, &loop);
}

// f of batches: the groups' pressures first, each tet's in its lane.
static void batch_forces(const plElastic* e, plElasticWork* w, const double* x, double* f, plPool* pool) {
  if (e->law.kappa != 0) deform(e, w, x, pool);
  for (int q = 0; e->law.kappa != 0 && q < e->points->npoint; q++)
    w->batch->pi[q] = w->pi[e->points->group[q]];
  pl_batch_force(e->batch, w->batch, x, f, pool);
}

void pl_elastic_force(const plElastic* e, plElasticWork* w, const double* x, double* f, plPool* pool) {
  if (e->batch) {
    batch_forces(e, w, x, f, pool);
    return;
  }
  deform(e, w, x, pool);
  forces(e, w, f, pool);
}

// Blocks of a group: kappa V_g b_a b_c', b_a = sum_q (V_q / V_g) theta'_q g_a.
static void group_blocks(const plElastic* e, const plElasticWork* w, int g, double scale, double* slot) {
  const plPoints* p = e->points;
  int m = p->group_node0[g + 1] - p->group_node0[g];
  for (int i = 0; i < 9 * m * (m + 1) / 2; i++) slot[i] = 0;
  for (int k = p->group_point0[g]; k < p->group_point0[g + 1]; k++) {
    int q = p->group_point[k];
    plMat3 T = m3_scale(p->volume[q] / p->group_volume[g],
                        e->batch ? rotation(e, w, q) : load(w->dtheta + 9 * (size_t)q));
    for (int entry = p->node0[q]; entry < p->node0[q + 1]; entry++) {
      // b_a is kept in the first column of the diagonal block (a, a)
      int a = p->group_place[entry];
      double* b = slot + 9 * (a * (a + 1) / 2 + a);
      v3_store(b, v3_add(v3_load(b), m3_mulv(T, v3_load(p->grad + 3 * (size_t)entry))));
    }
  }
  scale *= e->law.kappa * p->group_volume[g];
  for (int a = m - 1; a >= 0; a--) {
    plVec3 ba = v3_load(slot + 9 * (a * (a + 1) / 2 + a));
    for (int c = 0; c <= a; c++) {
      plVec3 bc = v3_load(slot + 9 * (c * (c + 1) / 2 + c));
      store(slot + 9 * (a * (a + 1) / 2 + c), m3_scale(scale, m3_outer(ba, bc)));
    }
  }
}

// H of n points from first on. Singular values in lanes serve the projection, and laws that need them anyway.
static void point_tangents(const Loop* l, int first, int n, double* H) {
  const plPoints* p = l->e->points;
  const plElasticWork* w = l->w;
  plMaterialKind kind = l->e->law.kind;
  bool grouped = l->e->law.kappa != 0;
  double pi[BATCH] = {0};
  for (int k = 0; grouped && k < n; k++) pi[k] = w->pi[p->group[first + k]];
  bool lanes =
      !pl_law_is_linear(kind) && (l->tangent == PL_TANGENT_PROJECTED || kind == PL_MATERIAL_COROTATED ||
                                  kind == PL_MATERIAL_FIXED_COROTATED);
  if (lanes) {
    l->kernels->tangents(&l->e->law, l->tangent, n, w->F + 9 * (size_t)first, pi, H);
    return;
  }
  for (int k = 0; k < n; k++)
    pl_law_tangent(&l->e->law, load(w->F + 9 * (size_t)(first + k)), load(w->R0 + 9 * (size_t)(first + k)),
                   pi[k], l->tangent, H + 81 * k);
}

// Batches of items, cut at the same places whatever the threads.
static void item_blocks(void* context, int begin, int end, int worker) {
  (void)worker;
  Loop* l = context;
  const plPoints* p = l->e->points;
  const plElasticWork* w = l->w;
  int item0 = l->e->chunk_item0[l->chunk], item1 = l->e->chunk_item0[l->chunk + 1];
  for (int batch = begin; batch < end; batch++) {
    int first = item0 + BATCH * batch, last = first + BATCH < item1 ? first + BATCH : item1;
    int npoint = (last < p->npoint ? last : p->npoint) - first;
    double H[81 * BATCH];
    if (npoint > 0) point_tangents(l, first, npoint, H);
    for (int i = first; i < last; i++) {
      double* slot = w->scratch + 9 * (size_t)l->e->item_slot0[i];
      if (i < p->npoint)
        l->kernels->blocks(p->node0[i + 1] - p->node0[i], p->grad + 3 * (size_t)p->node0[i],
                           l->scale * p->volume[i], H + 81 * (i - first), slot);
      else
        group_blocks(l->e, w, i - p->npoint, l->scale, slot);
    }
  }
}

static void gather_blocks(void* context, int begin, int end, int worker) {
  (void)worker;
  Loop* l = context;
  const plElastic* e = l->e;
  for (int t = e->chunk_target0[l->chunk] + begin, n = t - begin + end; t < n; t++) {
    double* K = l->block + 9 * (size_t)e->target_block[t];
    for (int s = e->target_slot0[t]; s < e->target_slot0[t + 1]; s++) {
      const double* slot = l->w->scratch + 9 * (size_t)e->target_slot[s];
      for (int i = 0; i < 9; i++) K[i] += slot[i];
    }
  }
}

static void start_blocks(double* block, int nblock, const double* mass, double mass_scale) {
  memset(block, 0, 9 * (size_t)nblock * sizeof *block);
  for (int k = 0; mass && k < nblock; k++)
    for (int i = 0; i < 9; i += 4) block[9 * (size_t)k + (size_t)i] = mass_scale * mass[k];
}

void pl_elastic_stiffness(const plElastic* e, plElasticWork* w, const double* x, plTangent tangent,
                          double scale, const double* mass, double mass_scale, double* block, double* f,
                          plPool* pool) {
  if (e->batch) {
    if (f) batch_forces(e, w, x, f, pool);
    pl_batch_stiffness(e->batch, w->batch, scale, mass, mass_scale, block, pool);
  } else {
    deform(e, w, x, pool);
    forces(e, w, f, pool);
    start_blocks(block, e->nblock, mass, mass_scale);
  }
  // the items: all, or the groups that batches left
  Loop loop = {.e = e, .w = w, .block = block, .tangent = tangent, .scale = scale};
  loop.kernels = pl_spectral_kernels(pl_isa());
  for (int c = 0; c < e->nchunk; c++) {
    loop.chunk = c;
    int nbatch = (e->chunk_item0[c + 1] - e->chunk_item0[c] + BATCH - 1) / BATCH;
    pl_parallel_for(pool, nbatch, 2, item_blocks, &loop);
    pl_parallel_for(pool, e->chunk_target0[c + 1] - e->chunk_target0[c], GRAIN, gather_blocks, &loop);
  }
}
